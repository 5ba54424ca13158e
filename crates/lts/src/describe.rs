//! Descriptions: a state as a person sees it, the same shape for every front end.

use crate::{Action, Tree};
use serde::{Deserialize, Serialize};

/// A whole state: its members (nodes, processes) and what is shared.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Description {
    pub members: Vec<Member>,
    /// What belongs to no member: partitions, fault budgets, histories.
    pub shared: Vec<(String, Tree)>,
}

/// One node or process.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Member {
    pub name: String,
    /// Running, crashed, exited; empty when there is nothing to say.
    pub status: String,
    pub state: Tree,
    pub inbox: Vec<Pending>,
    pub timers: Vec<Pending>,
}

/// A message in flight or a timer that is set.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Pending {
    /// The sender of a message; empty for a timer.
    pub from: String,
    pub content: Tree,
    /// The action that delivers or fires it now, if one is enabled.
    #[serde(skip)]
    pub action: Option<Action>,
}
