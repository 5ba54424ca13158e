//! Labels: what stands on an arrow, for people, trace files and properties.
//! Invariant: `Label::to_string` and `Label::parse` are inverse (names have no white space; the payload has no line
//! break), so a trace file is a list of labels and survives changes of code that keep the words.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verb {
    /// A message reaches a node: `deliver client1 -> server Ping(1)`.
    Deliver,
    /// A timer fires: `timer client1 Retry(1)`.
    Timer,
    /// A message is lost: `drop client1 -> server Ping(1)`.
    Drop,
    /// A message in flight is doubled: `duplicate client1 -> server Ping(1)`.
    Duplicate,
    /// A node stops: `crash server`.
    Crash,
    /// A crashed node comes back with its stable storage: `restart server`.
    Restart,
    /// The network splits: `partition {server1} {server2 server3}`.
    Partition,
    /// The network is whole again: `heal`.
    Heal,
    /// Anything else an actor does: `step counter1 increment`.
    Step,
}

impl Verb {
    /// Every verb with its word.
    pub const ALL: [(Verb, &'static str); 9] = [
        (Verb::Deliver, "deliver"),
        (Verb::Timer, "timer"),
        (Verb::Drop, "drop"),
        (Verb::Duplicate, "duplicate"),
        (Verb::Crash, "crash"),
        (Verb::Restart, "restart"),
        (Verb::Partition, "partition"),
        (Verb::Heal, "heal"),
        (Verb::Step, "step"),
    ];

    /// The word that stands first in a label.
    pub fn word(self) -> &'static str {
        Verb::ALL.iter().find(|(verb, _)| *verb == self).map(|(_, word)| *word).expect("listed")
    }

    fn is_about_a_message(self) -> bool {
        matches!(self, Verb::Deliver | Verb::Drop | Verb::Duplicate)
    }

    fn has_an_actor(self) -> bool {
        matches!(self, Verb::Timer | Verb::Crash | Verb::Restart | Verb::Step)
    }
}

/// The label of a transition.
///
/// ```
/// use foresee_lts::Label;
/// let label = Label::deliver("client1", "server", "Ping(1)");
/// assert_eq!(label.to_string(), "deliver client1 -> server Ping(1)");
/// assert_eq!(Label::parse(&label.to_string()), Some(label));
/// ```
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Label {
    pub verb: Verb,
    /// The sender, for verbs about a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The receiver of a message, or the node or process that acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The message, the timer, the operation; on one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub payload: String,
}

impl Label {
    pub fn deliver(from: &str, to: &str, payload: impl Into<String>) -> Self {
        Self::message(Verb::Deliver, from, to, payload)
    }

    /// A label about a message in flight: deliver, drop or duplicate.
    pub fn message(verb: Verb, from: &str, to: &str, payload: impl Into<String>) -> Self {
        debug_assert!(verb.is_about_a_message());
        Label { verb, from: Some(from.into()), to: Some(to.into()), payload: one_line(payload) }
    }

    /// A label about one actor: timer, crash, restart or step.
    pub fn of_actor(verb: Verb, actor: &str, payload: impl Into<String>) -> Self {
        debug_assert!(verb.has_an_actor());
        Label { verb, from: None, to: Some(actor.into()), payload: one_line(payload) }
    }

    /// A label of the environment: partition or heal.
    pub fn of_network(verb: Verb, payload: impl Into<String>) -> Self {
        debug_assert!(!verb.is_about_a_message() && !verb.has_an_actor());
        Label { verb, from: None, to: None, payload: one_line(payload) }
    }

    /// The same event, wherever in the source it stands: a place at the end of the payload, as ` [bank.erl:12]`, is not
    /// compared. So a trace survives an edit that only moves lines.
    ///
    /// ```
    /// use foresee_lts::Label;
    /// let at = |line: &str| Label::deliver("a", "b", format!("ping [bank.erl:{line}]"));
    /// assert!(at("12").same_but_for_place(&at("13")) && at("12") != at("13"));
    /// ```
    pub fn same_but_for_place(&self, other: &Label) -> bool {
        (self.verb, &self.from, &self.to) == (other.verb, &other.from, &other.to)
            && without_place(&self.payload) == without_place(&other.payload)
    }

    /// The payload without the place in the source at its end.
    pub fn what(&self) -> &str {
        without_place(&self.payload)
    }

    /// The place in the source at the end of the payload: the file's name and the line.
    ///
    /// ```
    /// use foresee_lts::Label;
    /// let label = Label::deliver("a", "b", "ping [bank.erl:12]");
    /// assert_eq!((label.what(), label.place()), ("ping", Some(("bank.erl", 12))));
    /// ```
    pub fn place(&self) -> Option<(&str, u32)> {
        let rest = self.payload[without_place(&self.payload).len()..].trim_start();
        let (file, line) = rest.strip_prefix('[')?.strip_suffix(']')?.rsplit_once(':')?;
        Some((file, line.parse().ok()?))
    }

    /// Reads what `Display` writes.
    pub fn parse(line: &str) -> Option<Label> {
        let (word, rest) = split_word(line.trim())?;
        let verb = Verb::ALL.iter().find(|(_, name)| *name == word).map(|(verb, _)| *verb)?;
        if verb.is_about_a_message() {
            let (from, rest) = split_word(rest)?;
            let (to, payload) = split_word(rest.strip_prefix("->")?.trim_start())?;
            Some(Label::message(verb, from, to, payload))
        } else if verb.has_an_actor() {
            let (actor, payload) = split_word(rest)?;
            Some(Label::of_actor(verb, actor, payload))
        } else {
            Some(Label::of_network(verb, rest))
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verb.word())?;
        if let Some(from) = &self.from {
            write!(f, " {from} ->")?;
        }
        if let Some(to) = &self.to {
            write!(f, " {to}")?;
        }
        if !self.payload.is_empty() {
            write!(f, " {}", self.payload)?;
        }
        Ok(())
    }
}

/// The payload up to a final ` [FILE:LINE]`.
fn without_place(payload: &str) -> &str {
    let place = |text: &str| {
        let (file, line) = text.strip_suffix(']')?.rsplit_once(':')?;
        let is_place = file.contains('.') && !file.contains(char::is_whitespace);
        (is_place && !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit())).then_some(())
    };
    match payload.rsplit_once(" [") {
        Some((before, rest)) if place(rest).is_some() => before,
        _ => payload,
    }
}

/// The first word and the rest without the white space between them; `None` for an empty line.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], text[end..].trim_start()))
}

fn one_line(payload: impl Into<String>) -> String {
    let payload = payload.into();
    if payload.contains(['\n', '\r']) {
        payload.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        payload.trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_label_reads_back() {
        let labels = [
            Label::deliver("a", "b", "Ping { n: 1 }"),
            Label::message(Verb::Drop, "a", "b", "x -> y"),
            Label::message(Verb::Duplicate, "a", "b", ""),
            Label::of_actor(Verb::Timer, "a", "Retry"),
            Label::of_actor(Verb::Crash, "a", ""),
            Label::of_actor(Verb::Step, "a", "x\n  y"),
            Label::of_network(Verb::Partition, "{a} {b c}"),
            Label::of_network(Verb::Heal, ""),
        ];
        for label in labels {
            assert_eq!(Label::parse(&label.to_string()), Some(label.clone()), "{label}");
        }
    }

    #[test]
    fn only_a_place_is_left_out_of_a_comparison() {
        let step = |payload: &str| Label::of_actor(Verb::Step, "<P>", payload);
        assert!(step("receive a [m.erl:1]").same_but_for_place(&step("receive a [m.erl:20]")));
        assert!(step("receive a").same_but_for_place(&step("receive a [m.erl:20]")));
        for (one, other) in
            [("a [m.erl:1]", "b [m.erl:1]"), ("a [b:1]", "a [b:2]"), ("a [1]", "a [2]")]
        {
            assert!(!step(one).same_but_for_place(&step(other)), "{one} {other}");
        }
    }

    #[test]
    fn nonsense_is_no_label() {
        for line in ["", "fly me", "deliver a b c", "deliver a ->", "crash"] {
            assert_eq!(Label::parse(line), None, "{line:?}");
        }
    }
}
