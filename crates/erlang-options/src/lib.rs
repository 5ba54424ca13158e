//! What can be asked of an Erlang program beyond its text: how its clocks go, who may crash, which labels are shown.
//! Why a crate: the door keeps these in sources and traces whether or not a binary can run Erlang programs; whoever checks Rust
//! nodes alone compiles this and not the language.
//! Not here: what they mean (`foresee-erlang`).

use serde::{Deserialize, Serialize};

/// How clocks behave in a check.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockMode {
    /// Every read returns more than the one before.
    #[default]
    Moving,
    /// Every read returns the same.
    Frozen,
}

impl ClockMode {
    /// Every mode with its word.
    pub const ALL: [(&'static str, ClockMode); 2] =
        [("moving", ClockMode::Moving), ("frozen", ClockMode::Frozen)];

    pub fn word(self) -> &'static str {
        ClockMode::ALL.iter().find(|(_, mode)| *mode == self).expect("every mode has a word").0
    }

    pub fn parse(word: &str) -> Option<ClockMode> {
        ClockMode::ALL.iter().find(|(own, _)| *own == word).map(|(_, mode)| *mode)
    }

    /// What a verdict takes for granted, after the word "clocks".
    pub fn meaning(self) -> &'static str {
        match self {
            ClockMode::Moving => {
                "move: a read returns more than every earlier one, a timeout that fires takes its time"
            }
            ClockMode::Frozen => "stand still",
        }
    }
}

/// Which processes may die, when, and who is told.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
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
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CrashPoints {
    /// Before every visible operation and in every receive.
    #[default]
    Every,
    /// The places of Benac Earle, Fredlund and Derrick (2005): a process that has made a call may die while it waits for the
    /// answer, when it has it, and beside its casts and actions. It counts as linked to the servers that it has called.
    Calls,
}

/// Kinds of labels that are hidden unless they are asked for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
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
