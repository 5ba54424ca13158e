//! How to run a program, and where it starts.
//! Not here: what a crash does (`crate::crash`), what labels say (`crate::visible`).

use crate::clock::ClockMode;
use crate::term::{Atom, Term};

/// How to run a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// A message is in the mailbox as soon as it is sent; otherwise each pair of processes has a channel whose
    /// deliveries are events of their own.
    pub instant_delivery: bool,
    /// Receive timeouts of at least so many milliseconds never fire.
    pub after_timeout: Option<u64>,
    /// Exit reasons that are no fault: equal to one of these, or a tuple that starts with one.
    pub normal_reasons: Vec<Term>,
    /// A process ends in one event instead of one for its tables, its name, its links and its monitors.
    pub ends_in_one_step: bool,
    /// As an engine needs it that reverses races: no event takes another away, and events have names of their own. References
    /// are never used again, and a timer that was cancelled still fires, without effect. Otherwise a program that loops
    /// comes back to the states it has been in.
    pub for_races: bool,
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

/// Which processes may die, when, and who is told.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Crashes {
    /// Names as labels have them, with `*` for any text; `all` for every process but the first and supervisors.
    pub processes: Vec<String>,
    /// So many crashes at most; otherwise each name once.
    pub max: Option<u32>,
    pub points: CrashPoints,
    /// Supervisors are told, and do what their text says.
    pub restart: bool,
    /// Where nothing but crashes can happen, there may also be no more of them: then it is seen whether somebody waits in
    /// vain. Without this a process that can still die counts as one that can go on.
    pub may_cease: bool,
}

impl Default for Crashes {
    fn default() -> Self {
        Crashes {
            processes: Vec::new(),
            max: None,
            points: CrashPoints::Every,
            restart: true,
            may_cease: true,
        }
    }
}

/// Where a process may crash.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum CrashPoints {
    /// Before every visible operation and in every receive.
    #[default]
    Every,
    /// The places of Benac Earle, Fredlund and Derrick (2005): a process that has made a call may die while it waits for the
    /// answer, when it has it, and beside its casts and actions. It counts as linked to the servers that it has called.
    Calls,
}

/// What `Erlang::visible_label` shows beside calls, casts, infos, replies, crashes and actions, and what it hides.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Labels {
    pub show: Vec<LabelKind>,
    /// Labels with these names, the text before `(`, are hidden.
    pub hide: Vec<String>,
}

/// Kinds of labels that are hidden unless they are asked for.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum LabelKind {
    /// `send(To,Message,From)`, casts included.
    Send,
    /// `receive(Process,Message)`: outside the loop of a generic server.
    Receive,
    /// `spawn(Process)`: a process makes another.
    Spawn,
    /// `exit(Process,Reason)`.
    Exit,
    /// `timeout(Process)`.
    Timeout,
    /// `timer(Target,Message)`.
    Timer,
    /// `deliver(From,To,Message)`: only without instant delivery.
    Deliver,
    /// Calls and infos of supervisors.
    Supervisor,
    /// Every other visible operation, as it is written.
    Operation,
}

impl LabelKind {
    /// Every kind with its word.
    pub const ALL: [(LabelKind, &'static str); 9] = [
        (LabelKind::Send, "send"),
        (LabelKind::Receive, "receive"),
        (LabelKind::Spawn, "spawn"),
        (LabelKind::Exit, "exit"),
        (LabelKind::Timeout, "timeout"),
        (LabelKind::Timer, "timer"),
        (LabelKind::Deliver, "deliver"),
        (LabelKind::Supervisor, "supervisor"),
        (LabelKind::Operation, "operation"),
    ];

    pub fn parse(word: &str) -> Option<LabelKind> {
        LabelKind::ALL.iter().find(|(_, own)| *own == word).map(|(kind, _)| *kind)
    }

    pub fn word(self) -> &'static str {
        LabelKind::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map(|(_, word)| *word)
            .expect("listed")
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            instant_delivery: true,
            after_timeout: None,
            normal_reasons: vec![a!("normal")],
            ends_in_one_step: false,
            for_races: false,
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
}

impl Entry {
    pub fn new(module: &str, function: &str) -> Entry {
        Entry {
            module: Atom::new(module),
            function: Atom::new(function),
            arguments: Vec::new(),
            is_supervisor: false,
        }
    }

    /// A supervision tree, started by a function without arguments.
    pub fn supervisor(module: &str, function: &str) -> Entry {
        Entry { is_supervisor: true, ..Entry::new(module, function) }
    }
}
