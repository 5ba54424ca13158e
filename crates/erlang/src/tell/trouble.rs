//! When a run cannot go on for a reason that is ours: who, why and where, for those who report it.
//! A process in trouble is a component of a state, compared and hashed like any other; the cause that it carries is
//! [`Stuck`].

use crate::program::code::Function;
use crate::program::compile::{NOT_MODELLED, outside};
use crate::program::reach;
use crate::system::Erlang;
use crate::tell::stuck::{Gap, Stuck, StuckBy};
use crate::term::Pid;
use crate::world::component::{Component, Control, Missing};
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
        code: crate::program::compile::TOO_LARGE,
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
    pub by: StuckBy,
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
            Control::Stuck(stuck) => Some(self.trouble_of(process.pid, stuck)),
            _ => None,
        })
    }

    fn trouble_of(&self, pid: Pid, stuck: &Stuck) -> Trouble {
        let Stuck { by, place } = stuck;
        let (code, absent) = match by {
            StuckBy::NoEnd { .. } => (NO_END, None),
            StuckBy::Messages(_) => (FLOODED, None),
            StuckBy::Heap(_) => (GROWN, None),
            StuckBy::Gap(Gap::NotStarted { .. }) => (NOT_STARTED, None),
            StuckBy::Gap(_) => (NOT_MODELLED_HERE, None),
            StuckBy::Absent(missing) => {
                let code = if missing.is_unloaded { NOT_LOADED } else { NOT_MODELLED };
                (code, Some(self.absent_call(missing)))
            }
        };
        let place = place.map(|(file, line)| (file.text().to_owned(), line));
        Trouble { pid, code, by: by.clone(), place, absent }
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
            let is_users = crate::tell::label::is_users(function.file);
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

/// `m:f/1`, or `a fun in m:f/1`.
fn who(function: &Function) -> String {
    let (module, name) = (function.module.text(), function.name.text());
    match name.strip_prefix('-').and_then(|name| name.split_once("-fun-")) {
        Some((outer, _)) => format!("a fun in {module}:{outer}"),
        None => format!("{module}:{name}/{}", function.arity),
    }
}
