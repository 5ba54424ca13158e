//! How to run a program, and where it starts.
//! Not here: what a crash does (`crate::world::crash`), what labels say (`crate::tell::visible`).

use crate::events::reading::Rules;
use crate::term::{Atom, Term};
use crate::world::clock::ClockMode;

pub use foresee_erlang_options::{CrashPoints, Crashes, LabelKind};

/// How to run a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// A message is in the mailbox as soon as it is sent; otherwise each pair of processes has a channel whose
    /// deliveries are events of their own.
    pub instant_delivery: bool,
    /// Receive timeouts of at least so many milliseconds never fire.
    pub after_timeout: Option<u64>,
    /// Timers of at least so many milliseconds never fire.
    pub send_after_timeout: Option<u64>,
    /// Timers fire at most so often for one target; what comes later is not looked at (`Erlang::has_cut_timers`).
    pub timer_firings_max: Option<u32>,
    /// Exit reasons that are no fault: equal to one of these, or a tuple that starts with one.
    pub normal_reasons: Vec<Term>,
    /// A process ends in one event instead of one for its tables, its name, its links and its monitors.
    pub ends_in_one_step: bool,
    /// What states keep and what events there are: [`Rules::MERGED`] or [`Rules::EXACT`].
    pub rules: Rules,
    /// Messages in one mailbox beyond which a process is taken to be flooded.
    pub messages_max: usize,
    /// Parts of the terms that one process holds beyond which it is taken to grow without end.
    pub heap_max: usize,
    /// Calls between two visible operations after which a process is taken to loop.
    pub budget: u64,
    /// Whether clocks move when they are read.
    pub clock: ClockMode,
    /// Where anything random starts.
    pub seed: u64,
    /// Labels end in the place in the source.
    pub places_in_labels: bool,
    /// Which processes may die at any time; `None` for nobody.
    pub crashes: Option<Crashes>,
    /// Every event has at most one visible label (`Erlang::visible_label`): an answer is an event of its own, after the
    /// one that takes the call.
    pub labels: Option<Labels>,
}

/// What `Erlang::visible_label` shows beside calls, casts, infos, replies, crashes and actions, and what it hides.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Labels {
    pub show: Vec<LabelKind>,
    /// Labels with these names, the text before `(`, are hidden.
    pub hide: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            instant_delivery: true,
            after_timeout: None,
            send_after_timeout: None,
            timer_firings_max: None,
            normal_reasons: vec![a!("normal")],
            ends_in_one_step: false,
            rules: Rules::MERGED,
            messages_max: 100_000,
            heap_max: 5_000_000,
            budget: 20_000_000,
            clock: ClockMode::Moving,
            seed: 0,
            places_in_labels: true,
            crashes: None,
            labels: None,
        }
    }
}

/// What a program starts with.
#[derive(Clone, Debug)]
pub struct Entry {
    pub module: Atom,
    pub function: Atom,
    pub arguments: Vec<Term>,
    /// The function starts a supervisor: the first process calls it, which must give `{ok, Pid}`, and then waits for ever. Who
    /// waits in the loop of a behaviour then waits for work, and is not stuck.
    pub is_supervisor: bool,
    /// What is called in place of the function, to run one test of it: module, function and arguments.
    pub runner: Option<(Atom, Atom, Vec<Term>)>,
    /// How the start is shown in place of `module:function/arity`.
    pub shown: Option<String>,
}

impl Entry {
    pub fn new(module: &str, function: &str) -> Entry {
        Entry {
            module: Atom::new(module),
            function: Atom::new(function),
            arguments: Vec::new(),
            is_supervisor: false,
            runner: None,
            shown: None,
        }
    }

    /// The leaf of an EUnit generator at a path, with the setups and cleanups around it.
    pub fn leaf(module: &str, generator: &str, path: &[u32]) -> Entry {
        let path = Term::list(path.iter().map(|at| Term::Int(i64::from(*at))));
        let entry = Entry::new(module, generator);
        let arguments = vec![Term::Atom(entry.module), Term::Atom(entry.function), path];
        entry.run_by("eunit", "foresee_leaf", arguments)
    }

    /// Tells the leaves of an EUnit generator, as the reason `{foresee_leaves, [{Path, Title}]}` with which the first process
    /// exits.
    pub fn leaves(module: &str, generator: &str) -> Entry {
        let entry = Entry::new(module, generator);
        let arguments = vec![Term::Atom(entry.module), Term::Atom(entry.function)];
        entry.run_by("eunit", "foresee_leaves", arguments)
    }

    /// A case of a Common Test suite, with the groups around it from the outside in.
    pub fn case(suite: &str, groups: &[&str], case: &str) -> Entry {
        let entry = Entry::new(suite, case);
        let groups = Term::list(groups.iter().map(|name| Term::atom(name)));
        let arguments = vec![Term::Atom(entry.module), groups, Term::Atom(entry.function)];
        entry.run_by("ct", "foresee_case", arguments)
    }

    /// Tells the cases of a suite, as the reason `{foresee_cases, [{Groups, Case}]}` with which the first process exits.
    pub fn cases(suite: &str) -> Entry {
        let entry = Entry::new(suite, "all");
        let arguments = vec![Term::Atom(entry.module)];
        entry.run_by("ct", "foresee_cases", arguments)
    }

    /// Runs a parse transform, whose answer is the reason `{foresee_forms, Forms}` with which the first process exits.
    pub fn transform(module: &str, forms: Term, options: Term) -> Entry {
        let entry = Entry::new(module, "parse_transform");
        let arguments = vec![Term::Atom(entry.module), forms, options];
        entry.run_by(crate::program::prelude::SUPERVISION, "transform", arguments)
    }

    fn run_by(self, module: &str, function: &str, arguments: Vec<Term>) -> Entry {
        Entry { runner: Some((Atom::new(module), Atom::new(function), arguments)), ..self }
    }

    /// A supervision tree, started by a function without arguments.
    pub fn supervisor(module: &str, function: &str) -> Entry {
        Entry { is_supervisor: true, ..Entry::new(module, function) }
    }
}
