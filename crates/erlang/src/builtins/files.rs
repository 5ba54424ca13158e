//! The files of a program: an in-memory store beneath the modules `file` and `filelib`, which are written in Erlang.
//! A key is a path (a binary) or a reference, which stands for the content of a file however it is called at the time. Files are
//! kept with the persistent terms, under keys of their own, because they are what a persistent term is: shared, and nobody's.
//! What is written at an offset or at the end is one event, as the operating system has it.

use super::{Builtin, Outcome, arg, ok, truth, visible};
use crate::events::footprint::Touched;
use crate::machine::Raise;
use crate::term::Term;
use crate::world::step::Step;
use foresee_lts::Mode;

pub(super) const TABLE: &[Builtin] = &[
    visible("file", "foresee_get", 1, get, reads),
    visible("file", "foresee_put", 2, put, writes),
    visible("file", "foresee_put_new", 2, put_new, writes),
    visible("file", "foresee_erase", 1, erase, writes),
    visible("file", "foresee_below", 1, below, |_, _, touched| touched.reads_all_persistent()),
    visible("file", "foresee_splice", 3, splice, writes),
];

/// The first element of the keys of files.
const MARK: &str = "$foresee_file";

fn stored(key: &Term) -> Term {
    Term::tuple([Term::atom(MARK), key.clone()])
}

/// Whether a persistent term is a file's.
pub(super) fn is_file(key: &Term) -> bool {
    key.as_tuple().is_some_and(|it| it.len() == 2 && it[0] == Term::atom(MARK))
}

fn reads(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.touches_persistent(&stored(&args[0]), Mode::Read);
}

/// Whoever lists files notices; who writes another file does not.
fn writes(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.touches_persistent(&stored(&args[0]), Mode::Write);
}

fn get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let found = step.shared().persistent.get(&stored(&args[0])).cloned();
    Ok(found.unwrap_or_else(|| a!("none")))
}

fn put(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    step.shared_mut().persistent.insert(stored(&args[0]), args[1].clone());
    ok()
}

/// Puts something where nothing is, or where something was taken away (`gone`); gives what is there then.
fn put_new(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let key = stored(&args[0]);
    let there = step.shared().persistent.get(&key).filter(|it| **it != a!("gone")).cloned();
    if there.is_none() {
        step.shared_mut().persistent.insert(key, args[1].clone());
    }
    Ok(there.unwrap_or_else(|| args[1].clone()))
}

fn erase(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    truth(step.shared_mut().persistent.remove(&stored(&args[0])).is_some())
}

/// The paths that begin with this text, in order, with what is there.
fn below(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let start = bytes(&args[0])?;
    let mut found = Vec::new();
    for (key, value) in step.shared().persistent.entries() {
        if !is_file(key) {
            continue;
        }
        let path = &key.as_tuple().expect("looked at")[1];
        if bytes(path).is_ok_and(|path| path.starts_with(&start)) {
            found.push(Term::tuple([path.clone(), value.clone()]));
        }
    }
    Ok(Term::list(found))
}

/// Writes at an offset, or at the end (`eof`); gives the offset after what was written. A gap is filled with zeros.
fn splice(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let key = stored(&args[0]);
    let old = step.shared().persistent.get(&key).cloned();
    let mut content = bytes(&old.ok_or_else(Raise::badarg)?)?;
    let new = bytes(&args[2])?;
    let at = match args[1].as_int() {
        Some(at) => arg(usize::try_from(at).ok())?,
        None => content.len(),
    };
    let end = at + new.len();
    if end > FILE_MAX {
        return Err(Raise::unmodelled(format!("a file of more than {} MiB", FILE_MAX >> 20)));
    }
    if content.len() < end {
        content.resize(end, 0);
    }
    content[at..end].copy_from_slice(&new);
    step.shared_mut().persistent.insert(key, Term::binary(&content));
    Ok(Term::from(end))
}

/// Larger files are not kept.
const FILE_MAX: usize = 64 << 20;

fn bytes(term: &Term) -> Result<Vec<u8>, Raise> {
    Ok(arg(term.as_bits().filter(|bits| bits.is_binary()))?.to_bytes())
}
