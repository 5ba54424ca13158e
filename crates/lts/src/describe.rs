//! Descriptions: a state as a person sees it, the same shape for every front end.

use crate::{Action, Label, Place, Tree, Verb};
use serde::{Deserialize, Serialize};

/// A whole state: its members (nodes, processes) and what is shared.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Description {
    pub members: Vec<Member>,
    /// What belongs to no member: partitions, fault budgets, histories.
    pub shared: Vec<(String, Tree)>,
    /// Faults that have a budget, and how many of each may still happen.
    #[serde(skip)]
    pub faults_left: Vec<(Verb, u32)>,
    /// What each client has asked for, and what it was answered.
    #[serde(skip)]
    pub histories: Vec<History>,
}

/// The operations of one client, in their order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct History {
    pub member: String,
    /// What was asked for, and the answer if there is one yet.
    pub operations: Vec<(String, Option<String>)>,
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
    /// How it stands, as data; `status` says it in words.
    #[serde(skip)]
    pub standing: Standing,
    /// Where in the source it rests.
    #[serde(skip)]
    pub place: Option<Place>,
    /// The name of the member that started it.
    #[serde(skip)]
    pub parent: Option<String>,
}

/// How a member stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Standing {
    #[default]
    Running,
    /// It waits for a message.
    Waiting,
    /// It is gone for good.
    Ended,
}

impl Member {
    /// A running member of which nothing else is known.
    pub fn new(name: impl Into<String>, state: Tree) -> Self {
        Member {
            name: name.into(),
            status: String::new(),
            state,
            inbox: Vec::new(),
            timers: Vec::new(),
            standing: Standing::Running,
            place: None,
            parent: None,
        }
    }
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
    /// The label of the event that delivers or fires it, whether or not it can happen now, where that is known.
    #[serde(skip)]
    pub label: Option<Label>,
    /// Why it cannot be delivered or fire now, in the user's words, where that is known.
    #[serde(skip)]
    pub why_not: Option<String>,
}

impl Pending {
    /// Something pending of which nothing else is known; a timer is from nobody.
    pub fn new(from: impl Into<String>, content: Tree) -> Self {
        Pending { from: from.into(), content, action: None, label: None, why_not: None }
    }
}
