//! When a run cannot go on for a reason that is ours: what, why and where, in the words that a process in trouble carries.
//! Why words: a process in trouble is a component of a state, compared and hashed like any other, and all it has left to say
//! is this. [`Trouble::parse`] takes the words apart again for those who report them.

use crate::code::Function;
use crate::compile::{NOT_MODELLED, outside};
use crate::component::{Component, Control, Missing};
use crate::machine::Absent;
use crate::reach;
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

/// A module of the program is called that could not be loaded.
pub(crate) const NOT_LOADED: Code = Code("E0203");

/// A supervision tree does not come into being.
pub(crate) const NOT_STARTED: Code = Code("E0305");

/// How what is said of such a tree ends.
pub(crate) const NO_PID: &str = ", not {ok,Pid}";

/// The diagnostics whose examples take more than a small module.
pub const LOAD_CODES: &[Explanation] = &[
    Explanation {
        code: NOT_LOADED,
        title: "A module that does not load is called",
        text: "The program calls a module of its own by a name that is known only when it runs, and that module could not be read, \
           or was not because nothing names it. In Erlang it would be there, so the call is not an `undef` error.",
        example: "-module(m).\n-export([main/0]).\nmain() -> M = plugin, M:start().\n",
    },
    Explanation {
        code: crate::compile::TOO_LARGE,
        title: "A function is too large",
        text: "The function holds more values at once than there are registers (65,535): usually a tuple, list or call with that many \
           parts that are not constants.",
        example: "",
    },
];

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
    /// The function that is not here, if that is it.
    pub absent: Option<AbsentCall>,
}

/// A call of a function that Erlang would have, and how the program comes to it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AbsentCall {
    pub module: String,
    pub name: String,
    pub arity: u32,
    /// Its module is the user's and could not be loaded.
    pub is_unloaded: bool,
    /// What to do instead, if it reaches out of the checked world.
    pub advice: Option<&'static str>,
    /// The calls that lead there, outermost first: who, and the file and line where it calls.
    pub path: Vec<(String, Option<(String, u32)>)>,
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
            Control::Stuck { what, absent: None } => Some(Trouble::parse(process.pid, what)),
            Control::Stuck { what, absent: Some(missing) } => {
                let code = if missing.is_unloaded { NOT_LOADED } else { NOT_MODELLED };
                let absent = Some(self.absent_call(missing));
                Some(Trouble { code, absent, ..Trouble::parse(process.pid, what) })
            }
            _ => None,
        })
    }

    fn absent_call(&self, missing: &Missing) -> AbsentCall {
        let program = self.program();
        let (module, name) = (self.entry.module, self.entry.function);
        let sites = match &*missing.calls {
            [] => reach::path_to_names(program, module, name, (missing.module, missing.name)),
            calls => reach::path(program, module, name, calls),
        };
        let told = sites.into_iter().map(|(number, pc)| {
            let function = program.function(number);
            let is_users = crate::label::is_users(function.file);
            let place = || (function.file.text().to_owned(), function.line(pc));
            (who(function), is_users.then(place))
        });
        let mut path: Vec<_> = told.collect();
        path.dedup();
        AbsentCall {
            module: missing.module.text().to_owned(),
            name: missing.name.text().to_owned(),
            arity: missing.arity,
            is_unloaded: missing.is_unloaded,
            advice: outside::advice(missing.module.text(), missing.name.text()),
            path,
        }
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
        Trouble { pid, code, what: what.to_owned(), place, absent: None }
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

pub(crate) fn absent(absent: &Absent, place: Option<(Atom, u32)>) -> String {
    let (module, name, arity) = absent.function;
    let what = format!("{}:{}/{arity}", module.text(), name.text());
    let what = match absent.is_unloaded {
        true => format!("module {} is not loaded, so {what} cannot be called", module.text()),
        false => format!("{what} is not modelled"),
    };
    match place {
        Some((file, line)) => format!("{what} at {}:{line}", file.text()),
        None => what,
    }
}

/// `m:f/1`, or `a fun in m:f/1`.
fn who(function: &Function) -> String {
    let (module, name) = (function.module.text(), function.name.text());
    match name.strip_prefix('-').and_then(|name| name.split_once("-fun-")) {
        Some((outer, _)) => format!("a fun in {module}:{outer}"),
        None => format!("{module}:{name}/{}", function.arity),
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
