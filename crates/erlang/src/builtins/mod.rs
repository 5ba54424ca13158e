//! Built-in functions: one table entry each, with name, arity, what runs, and what it touches.
//! Three kinds. `Pure` ones look only at their arguments and their own process and run inside a step. `Visible` ones act
//! on the world; a process rests before each, and `touches` says what races with it. `Control` ones are calls.
//!
//! To add one: write a function in the file of its module, add a line to that file's `TABLE` (`pure`, `visible`), and a
//! case under `tests/oracle`. A new module is a new file whose `TABLE` is listed in `TABLES`. Functions that call funs
//! are written in Erlang, in `prelude/`, so that the fun may do anything.

mod base64;
mod behaviours;
mod binary;
mod binary_search;
mod clock;
mod convert;
mod counters;
mod dictionary;
mod ets;
mod ets_touches;
mod exceptions;
mod external;
mod filename;
mod files;
mod foresee;
mod fread;
mod global;
mod guard;
mod hash;
mod io;
mod io_lib;
mod lists;
mod maps;
mod math;
mod monitors;
mod names;
mod parse_term;
mod persistent_term;
mod process;
mod process_info;
mod rand;
mod re;
mod scan;
mod sorting;
mod spawn;
mod system;
mod system_facts;
mod system_more;
mod timers;
mod trouble;
mod unicode;

pub(crate) use behaviours::brought_by;
#[cfg(test)]
pub(crate) use external::encode_term;
pub(crate) use external::{decode_term, inflate};

use crate::events::footprint::Touched;
use crate::machine::{Local, Raise};
use crate::term::{Atom, Term, deep};
use crate::world::step::Step;
pub use counters::Cells;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a built-in gives back.
pub type Outcome = Result<Term, Raise>;

/// How a built-in runs.
#[derive(Clone, Copy)]
pub enum Run {
    Pure(fn(&mut Local<'_>, &[Term]) -> Outcome),
    Visible(fn(&mut Step<'_>, &[Term]) -> Outcome, Touches),
    /// Visible where `is_event` says so of the arguments, and whether clocks move; pure elsewhere.
    Either {
        is_event: fn(bool, &[Term]) -> bool,
        pure: fn(&mut Local<'_>, &[Term]) -> Outcome,
        visible: fn(&mut Step<'_>, &[Term]) -> Outcome,
        touches: Touches,
    },
    Control(Control),
}

/// Built-ins that are calls.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Control {
    /// `apply/2` and `apply/3`.
    Apply,
    /// `hibernate/3`: as `apply/3`, and nothing to come back to.
    Hibernate,
}

/// What a visible built-in reads and writes, beyond its own process.
pub type Touches = fn(&Step<'_>, &[Term], &mut Touched);

/// One built-in function.
#[derive(Clone, Copy)]
pub struct Builtin {
    pub module: &'static str,
    pub name: &'static str,
    pub arity: u8,
    pub run: Run,
    /// Raises on behalf of its caller (`error/1`, `throw/1`), so it is not itself in the stack trace.
    pub raises: bool,
    /// Happens together with the receive before it, if nothing visible came between.
    pub joins: bool,
    /// Goes through its arguments by recursion, so that they may not be too deep.
    pub walks: bool,
}

/// Modules and functions (all where none is named) that go through whole terms.
const WALKS: &[(&str, &[&str])] = &[
    ("base64", &[]),
    ("crypto", &[]),
    ("erl_parse", &[]),
    ("ets", &[]),
    ("io", &[]),
    ("io_lib", &[]),
    ("re", &[]),
    ("string", &[]),
    ("unicode", &[]),
    ("foresee", &[]),
    ("binary", &["list_to_bin", "encode_hex"]),
    (
        "erlang",
        &[
            "adler32",
            "crc32",
            "display",
            "external_size",
            "iolist_size",
            "md5",
            "md5_update",
            "phash",
            "phash2",
            "term_to_binary",
            "term_to_iovec",
        ],
    ),
];

/// Trouble if an argument is nested more deeply than a function can go through.
pub(crate) fn not_too_deep(entry: &Builtin, arguments: &[Term]) -> Result<(), Raise> {
    if arguments.iter().any(|argument| deep::is_deeper(argument, deep::DONE_MAX)) {
        let Builtin { module, name, .. } = entry;
        let what = format!("{module}:{name} of a term nested over {} levels deep", deep::DONE_MAX);
        return Err(Raise::unmodelled(what));
    }
    Ok(())
}

impl Builtin {
    pub fn is_visible(&self) -> bool {
        matches!(self.run, Run::Visible(..) | Run::Either { .. })
    }

    /// Whether it may read the clock.
    pub(crate) fn reads_clock(&self) -> bool {
        matches!(self.run, Run::Either { .. }) && self.name != "unique_integer"
    }
}

/// A built-in without effect on others.
const fn pure(
    module: &'static str,
    name: &'static str,
    arity: u8,
    run: fn(&mut Local<'_>, &[Term]) -> Outcome,
) -> Builtin {
    Builtin { module, name, arity, run: Run::Pure(run), raises: false, joins: false, walks: false }
}

/// A built-in that others can notice or influence.
const fn visible(
    module: &'static str,
    name: &'static str,
    arity: u8,
    run: fn(&mut Step<'_>, &[Term]) -> Outcome,
    touches: Touches,
) -> Builtin {
    let run = Run::Visible(run, touches);
    Builtin { module, name, arity, run, raises: false, joins: false, walks: false }
}

const TABLES: &[&[Builtin]] = &[
    guard::TABLE,
    convert::TABLE,
    binary::TABLE,
    exceptions::TABLE,
    dictionary::TABLE,
    system::TABLE,
    process::TABLE,
    spawn::TABLE,
    monitors::TABLE,
    names::TABLE,
    process_info::TABLE,
    timers::TABLE,
    lists::TABLE,
    sorting::TABLE,
    maps::TABLE,
    ets::TABLE,
    persistent_term::TABLE,
    counters::TABLE,
    io::TABLE,
    io_lib::TABLE,
    behaviours::TABLE,
    foresee::TABLE,
    base64::TABLE,
    binary_search::TABLE,
    external::TABLE,
    filename::TABLE,
    files::TABLE,
    hash::TABLE,
    math::TABLE,
    clock::TABLE,
    rand::TABLE,
    re::TABLE,
    global::TABLE,
    fread::TABLE,
    parse_term::TABLE,
    scan::TABLE,
    system_facts::TABLE,
    system_more::TABLE,
    trouble::TABLE,
    unicode::TABLE,
];

/// All built-ins, found by name.
pub struct Builtins {
    all: Vec<Builtin>,
    numbers: FxHashMap<(Atom, Atom, u32), u32>,
}

/// Every built-in there is.
pub static BUILTINS: LazyLock<Builtins> = LazyLock::new(|| {
    let mut all: Vec<Builtin> = TABLES.iter().flat_map(|table| table.iter().copied()).collect();
    for entry in &mut all {
        let of_module = WALKS.iter().find(|(module, _)| *module == entry.module);
        entry.walks =
            of_module.is_some_and(|(_, names)| names.is_empty() || names.contains(&entry.name));
    }
    let mut numbers = FxHashMap::default();
    for (id, entry) in all.iter().enumerate() {
        let key = (Atom::new(entry.module), Atom::new(entry.name), u32::from(entry.arity));
        let before = numbers.insert(key, id as u32);
        assert!(
            before.is_none(),
            "{}:{}/{} is listed twice",
            entry.module,
            entry.name,
            entry.arity
        );
    }
    Builtins { all, numbers }
});

impl Builtins {
    pub fn get(&self, number: u32) -> &Builtin {
        &self.all[number as usize]
    }

    pub fn find(&self, key: (Atom, Atom, u32)) -> Option<u32> {
        self.numbers.get(&key).copied()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Builtin> {
        self.all.iter()
    }

    /// The functions of a module: name and arity.
    pub fn of_module(&self, module: Atom) -> impl Iterator<Item = (&'static str, u32)> {
        self.all
            .iter()
            .filter(move |entry| entry.module == module.text())
            .map(|entry| (entry.name, u32::from(entry.arity)))
    }
}

/// `badarg` where there is nothing.
fn arg<T>(value: Option<T>) -> Result<T, Raise> {
    value.ok_or_else(Raise::badarg)
}

fn ok() -> Outcome {
    Ok(a!("ok"))
}

fn truth(value: bool) -> Outcome {
    Ok(Term::bool(value))
}
