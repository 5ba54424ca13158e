//! `Account`: what a run tells beyond its labels: the values that operations answered, exceptions and who caught them, and
//! the calls that led to a place.
//! Why beside labels and states: a label is what a replay matches, so a value in it would keep old traces from replaying; and
//! how a process came to where it stands is no part of its state. So a system that can tell steps a finished run once more
//! and takes notes. Nothing here is looked at by an engine.

use serde::{Deserialize, Serialize};

/// What a run tells, step by step, and how its members stand at the end; empty for systems with nothing to add.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Account {
    /// One for each event of the run, or none at all.
    pub steps: Vec<Told>,
    pub ends: Vec<End>,
}

/// What one event tells.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Told {
    /// The innermost line of the user's own text in which it happens: the file's name and the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<(String, u32)>,
    /// What its operations gave back, where that says something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// The exceptions that were raised, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<Raised>,
}

/// What an operation gave back.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Answer {
    /// The operation, as in the label.
    pub call: String,
    /// It is the one that the label names, and not one that happened together with it.
    pub is_named: bool,
    pub value: String,
}

/// An exception, from where it was raised to where it was caught.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Raised {
    /// Who raised it.
    pub member: String,
    /// `error`, `exit` or `throw`.
    pub class: String,
    pub reason: String,
    /// The call that failed, with its arguments, where the exception is about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// That call is the innermost of `calls`: no clause of the function takes the arguments.
    #[serde(default)]
    pub is_innermost: bool,
    /// It is the operation that the label names that failed.
    #[serde(default)]
    pub is_named: bool,
    /// What was wrong with the call, where that is known: `the table t does not exist`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The calls that led there, innermost first.
    pub calls: Vec<Call>,
    /// Who caught it; nobody if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caught: Option<Caught>,
    /// Raised and caught inside a library: none of the user's business.
    #[serde(default)]
    pub is_internal: bool,
}

/// A call on the way to a place.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Call {
    pub module: String,
    pub function: String,
    pub arity: u32,
    /// The file's name and the line, if it is in the user's own text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<(String, u32)>,
    /// The next call was its last act, so it is gone from the stack and no stack trace of the running system shows it.
    #[serde(default)]
    pub is_tail: bool,
    /// How often it came by here, for calls in tail position that form a loop; else 1.
    pub rounds: u32,
}

/// Who caught an exception.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Caught {
    /// `try` or `catch`.
    pub how: String,
    /// In which function, and where it stands.
    pub by: Call,
}

/// How a member stands at the end of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct End {
    pub member: String,
    /// The calls in which it rests, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// The exception with which it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Raised>,
}
