//! Names of module `global` on the one node there is.
//! A name is kept among the persistent terms, under a key of its own; that of a process that has died is free at once,
//! where Erlang takes a moment to notice.
//! Not here: locks and sending (`prelude/global.erl`), other nodes (there are none).

use super::{Builtin, Outcome, arg, visible};
use crate::events::footprint::Touched;
use crate::machine::Raise;
use crate::term::{Pid, Term};
use crate::world::step::Step;
use foresee_lts::Mode;

pub(super) const TABLE: &[Builtin] = &[
    visible("global", "register_name", 2, register_name, writes),
    visible("global", "register_name", 3, register_name, writes),
    visible("global", "re_register_name", 2, re_register_name, writes),
    visible("global", "re_register_name", 3, re_register_name, writes),
    visible("global", "unregister_name", 1, unregister_name, writes),
    visible("global", "whereis_name", 1, whereis_name, reads),
    visible("global", "registered_names", 0, registered_names, reads_all),
];

fn key(name: &Term) -> Term {
    Term::tuple([a!("$global"), name.clone()])
}

/// Who has the name.
fn holder(step: &Step<'_>, name: &Term) -> Option<Pid> {
    let pid = step.shared().persistent.get(&key(name))?.as_pid()?;
    step.is_alive(pid).then_some(pid)
}

fn touch(step: &Step<'_>, args: &[Term], touched: &mut Touched, mode: Mode) {
    touched.touches_persistent(&key(&args[0]), mode);
    let kept = step.shared().persistent.get(&key(&args[0])).and_then(Term::as_pid);
    if let Some(pid) = kept {
        touched.reads_life(pid);
    }
    if let Some(pid) = args.get(1).and_then(Term::as_pid) {
        touched.reads_life(pid);
    }
}

fn reads(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touch(step, args, touched, Mode::Read);
}

fn writes(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touch(step, args, touched, Mode::Write);
}

fn reads_all(step: &Step<'_>, _: &[Term], touched: &mut Touched) {
    touched.reads_all_persistent();
    let kept = step.shared().persistent.entries().iter().filter_map(|it| it.1.as_pid());
    kept.for_each(|pid| touched.reads_life(pid));
}

fn pid(term: &Term) -> Result<Pid, Raise> {
    term.as_pid().ok_or_else(|| Raise::error(a!("function_clause")))
}

fn register_name(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    pid(&args[1])?;
    if holder(step, &args[0]).is_some() {
        return Ok(a!("no"));
    }
    step.shared_mut().persistent.insert(key(&args[0]), args[1].clone());
    Ok(a!("yes"))
}

fn re_register_name(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    pid(&args[1])?;
    step.shared_mut().persistent.insert(key(&args[0]), args[1].clone());
    Ok(a!("yes"))
}

fn unregister_name(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    step.shared_mut().persistent.remove(&key(&args[0]));
    Ok(a!("ok"))
}

fn whereis_name(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(holder(step, &args[0]).map_or(a!("undefined"), Term::Pid))
}

fn registered_names(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    let entries = step.shared().persistent.entries().to_vec();
    let is_lock = |name: &Term| {
        let tag = name.as_tuple().and_then(|items| items.first());
        tag.is_some_and(|tag| tag.is_atom(atom!("$global_lock")))
    };
    let name = |entry: &Term| match entry.as_tuple() {
        Some([tag, name]) if tag.is_atom(atom!("$global")) && !is_lock(name) => Some(name.clone()),
        _ => None,
    };
    let names = entries.iter().filter_map(|(entry, _)| name(entry));
    let names: Vec<Term> = names.filter(|name| holder(step, name).is_some()).collect();
    arg(Some(Term::list(names)))
}
