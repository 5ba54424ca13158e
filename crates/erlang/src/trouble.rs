//! When a run cannot go on for a reason that is ours: what, why and where, in the words that a process in trouble carries.
//! Why words: a process in trouble is a component of a state, compared and hashed like any other, and all it has left to say
//! is this. [`Trouble::parse`] takes the words apart again for those who report them.

use crate::code::Function;
use crate::component::{Component, Control};
use crate::system::Erlang;
use crate::term::{Atom, Pid};
use foresee_erlang_syntax::{Code, Explanation};
use foresee_lts::Fault;

/// A process computes without ever doing anything that others can notice.
pub(crate) const NO_END: Code = Code("E0301");
/// A process does something that has no model here, and that is only known when it runs.
pub(crate) const NOT_MODELLED_HERE: Code = Code("E0302");

/// A process gets more messages than it takes.
pub(crate) const FLOODED: Code = Code("E0303");
/// What a process holds grows without end.
pub(crate) const GROWN: Code = Code("E0304");

/// A supervision tree does not come into being.
pub(crate) const NOT_STARTED: Code = Code("E0305");

/// How what is said of such a tree ends.
pub(crate) const NO_PID: &str = ", not {ok,Pid}";

/// The diagnostics of running; their examples have an entry `main/0`.
pub const RUN_CODES: &[Explanation] = &[
    Explanation {
        code: NO_END,
        title: "A process computes without end",
        text: "Between two operations that other processes can notice, a process made more calls than the budget allows, or \
               its stack grew beyond all measure. Either it loops for ever, which no schedule can change, or it computes \
               much more than a test should.",
        example: "-module(m).\n-export([main/0]).\nmain() -> main().\n",
    },
    Explanation {
        code: NOT_MODELLED_HERE,
        title: "A process does something that is not modelled",
        text: "The program reached an operation of Erlang that has no model here: it reaches out of the checked world (other \
               nodes, ports, the machine itself), or its arguments ask for more than is modelled.",
        example: "-module(m).\n-export([main/0]).\nmain() -> os:cmd(\"ls\").\n",
    },
    Explanation {
        code: FLOODED,
        title: "A mailbox grows without end",
        text: "More messages wait for a process than a program that comes to an end would leave there: somebody sends faster \
               than it receives, or nobody ever receives what is sent.",
        example: "-module(m).\n-export([main/0]).\nmain() -> self() ! tick, main().\n",
    },
    Explanation {
        code: GROWN,
        title: "What a process holds grows without end",
        text: "The terms that a process holds have more parts than a program that comes to an end would keep: a list or a \
               map that only ever grows.",
        example: "-module(m).\n-export([main/0]).\n\
                  main() -> F = fun G(List) -> G([more | List]) end, F([]).\n",
    },
    Explanation {
        code: NOT_STARTED,
        title: "The supervisor does not start",
        text: "The function named with `--supervisor MODULE:FUNCTION` is called by the first process and has to give `{ok, Pid}`, as \
               `supervisor:start_link` does. It gave something else: often it is `init/1` that was named, or a child failed to \
               start and the function gave `{error, Reason}`.",
        example: "-module(m).\n-export([main/0, go/0]).\nmain() -> ok = foresee_supervision:start(m, go).\ngo() -> ready.\n",
    },
];

/// Why a run cannot go on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trouble {
    pub pid: Pid,
    pub code: Code,
    /// What the process does: `os:cmd("ls") is not modelled`, `loop without end in f/1`.
    pub what: String,
    /// The file and the line, where known.
    pub place: Option<(String, u32)>,
}

impl Erlang {
    /// Everything wrong with a state in itself, with the process it befell, in the order of their words.
    pub fn faults(&self, state: &[u32]) -> Vec<(Option<Pid>, Fault)> {
        let found = (0..state.len() as u32).filter_map(|slot| {
            let component = self.component(state, slot)?;
            let who = match component {
                Component::Process(process) => Some(process.pid),
                _ => None,
            };
            Some((who, self.fault_of(component)?))
        });
        let mut faults: Vec<_> = found.collect();
        faults.sort_by(|a, b| a.1.message.cmp(&b.1.message));
        faults
    }

    /// The first process, in the order of pids, that cannot go on for a reason of ours.
    pub fn trouble(&self, state: &[u32]) -> Option<Trouble> {
        self.processes(state).into_iter().find_map(|process| match &process.control {
            Control::Stuck { what } => Some(Trouble::parse(process.pid, what)),
            _ => None,
        })
    }
}

impl Trouble {
    /// Takes the words of [`Control::Stuck`] apart.
    pub fn parse(pid: Pid, words: &str) -> Trouble {
        let place = words.rsplit_once(" at ").and_then(|(what, place)| {
            let (file, line) = place.rsplit_once(':')?;
            Some((what, (file.to_owned(), line.parse().ok()?)))
        });
        let (what, place) = match place {
            Some((what, place)) => (what, Some(place)),
            None => (words, None),
        };
        let code = match what {
            _ if what.contains(" without end") => NO_END,
            _ if what.starts_with("a mailbox of more than") => FLOODED,
            _ if what.starts_with("a heap of more than") => GROWN,
            _ if what.ends_with(NO_PID) => NOT_STARTED,
            _ => NOT_MODELLED_HERE,
        };
        Trouble { pid, code, what: what.to_owned(), place }
    }
}

pub(crate) fn not_modelled(what: &str, place: Option<(Atom, u32)>) -> String {
    let what = match what.ends_with(NO_PID) {
        true => what.to_owned(),
        false => format!("{what} is not modelled"),
    };
    match place {
        Some((file, line)) => format!("{what} at {}:{line}", file.text()),
        None => what,
    }
}

pub(crate) fn without_end(what: &str, function: &Function, line: u32) -> String {
    let (name, arity, file) = (function.name.text(), function.arity, function.file.text());
    format!("{what} without end in {name}/{arity} at {file}:{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_apart_again() {
        let trouble = Trouble::parse(Pid::first(), "look at this is not modelled at a b/m.erl:12");
        assert_eq!(
            (trouble.code, trouble.what.as_str()),
            (NOT_MODELLED_HERE, "look at this is not modelled")
        );
        assert_eq!(trouble.place, Some(("a b/m.erl".to_owned(), 12)));
        let trouble = Trouble::parse(Pid::first(), "loop without end in f/1 at m.erl:3");
        assert_eq!((trouble.code, trouble.place), (NO_END, Some(("m.erl".to_owned(), 3))));
        assert_eq!(Trouble::parse(Pid::first(), "x is not modelled").place, None);
    }
}
