//! Labels: what stands on an arrow, for people, trace files and properties.
//! A label is data: what kind of event it is ([`Verb`]), who takes part, where in the source it is written ([`Place`]), and
//! what it is about ([`About`]). Beside that it has words for people, its payload, which no code reads.
//! Invariant: `Label::to_string` and `Label::parse` are inverse (names have no white space; the payload has no line
//! break), so a trace file is a list of labels and survives changes of code that keep the words.
//! Two labels are equal if they are written alike: a trace file holds what is written, and a label read from it must equal
//! the label of the system that wrote it. The verbs of a process's own operations are all written `step`, as in the first
//! version of trace files, so a label read from a file has the verb [`Verb::Step`] where the system's own says more.

use crate::Action;
use crate::Words;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

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
    /// A process sends a message: `step <P> send <P.1> hello`.
    Send,
    /// A process takes a message out of its mailbox: `step <P.1> receive hello`.
    Receive,
    /// A process asks a server and will wait for the answer: `step <P> call bank {deposit,100}`.
    Call,
    /// A server answers: `step <P.1/bank> reply ok to <P>`.
    Reply,
    /// A process tells a server something and does not wait: `step <P> cast bank stop`.
    Cast,
    /// A process starts another: `step <P> spawn(…)`, `step <P> start gen_server bank`.
    Spawn,
    /// A process ends, or puts in order what it leaves behind: `step <P> exit normal`, `step <P> exit: links`.
    Exit,
    /// A process gives up waiting for a message: `timer <P> timeout`.
    Timeout,
    /// A process prints: `step <P> io:format("hello")`.
    Output,
    /// What a node has written becomes durable, and what waited for that leaves: `sync server`.
    Sync,
    /// A crashed node loses its stable storage: `lose-disk server`.
    #[serde(rename = "lose-disk")]
    LoseDisk,
}

impl Verb {
    /// Every verb with its word.
    pub const ALL: [(Verb, &'static str); 20] = [
        (Verb::Deliver, "deliver"),
        (Verb::Timer, "timer"),
        (Verb::Drop, "drop"),
        (Verb::Duplicate, "duplicate"),
        (Verb::Crash, "crash"),
        (Verb::Restart, "restart"),
        (Verb::Partition, "partition"),
        (Verb::Heal, "heal"),
        (Verb::Step, "step"),
        (Verb::Send, "send"),
        (Verb::Receive, "receive"),
        (Verb::Call, "call"),
        (Verb::Reply, "reply"),
        (Verb::Cast, "cast"),
        (Verb::Spawn, "spawn"),
        (Verb::Exit, "exit"),
        (Verb::Timeout, "timeout"),
        (Verb::Output, "output"),
        (Verb::Sync, "sync"),
        (Verb::LoseDisk, "lose-disk"),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        Verb::ALL.iter().find(|(verb, _)| *verb == self).map(|(_, word)| *word).expect("listed")
    }

    /// The verb whose word stands first in a label that is written.
    ///
    /// ```
    /// use foresee_lts::Verb;
    /// assert_eq!((Verb::Send.written(), Verb::Crash.written()), (Verb::Step, Verb::Crash));
    /// ```
    pub fn written(self) -> Verb {
        match self {
            Verb::Timeout => Verb::Timer,
            verb if verb.is_an_operation() => Verb::Step,
            verb => verb,
        }
    }

    fn is_about_a_message(self) -> bool {
        matches!(self, Verb::Deliver | Verb::Drop | Verb::Duplicate)
    }

    fn has_an_actor(self) -> bool {
        !self.is_about_a_message() && !matches!(self, Verb::Partition | Verb::Heal)
    }

    /// Something that a process does of its own accord.
    fn is_an_operation(self) -> bool {
        use Verb::{Call, Cast, Exit, Output, Receive, Reply, Send, Spawn};
        matches!(self, Send | Receive | Call | Reply | Cast | Spawn | Exit | Output)
    }
}

/// A line of a source file.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Place {
    /// The file's name, without folders.
    pub file: String,
    pub line: u32,
}

impl Place {
    /// Whether it can be told from words that only look like a place.
    fn is_plain(&self) -> bool {
        self.file.contains('.') && !self.file.contains(char::is_whitespace)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What an event is about, as far as its front end tells; it is not written to trace files.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct About {
    /// The other party of an operation: to whom a process sends, whom it calls or answers, whose request it receives.
    pub peer: Option<String>,
    /// The name of the message's, timer's or action's type: `Accept` of `Accept { ballot: 1 }`, `withdraw` of `{withdraw,5}`.
    pub name: Option<String>,
    /// The message that is sent or received, as descriptions of mailboxes show it.
    pub message: Option<Words>,
    /// How the message that is received came to be: a call, a reply, a cast; `None` for any other.
    pub message_of: Option<Verb>,
    /// The operation that is carried out: module and function.
    pub operation: Option<(&'static str, &'static str)>,
    /// The module of a library that looks into its own books or writes them, on behalf of who has called it: `application`.
    pub keeps_books: Option<String>,
    /// The process has ended, and this is what it leaves behind.
    pub is_aftermath: bool,
    /// The actor is the whole system: its name says nothing.
    pub is_whole: bool,
}

/// The label of a transition.
///
/// ```
/// use foresee_lts::Label;
/// let label = Label::deliver("client1", "server", "Ping(1)");
/// assert_eq!(label.to_string(), "deliver client1 -> server Ping(1)");
/// assert_eq!(Label::parse(&label.to_string()), Some(label));
/// ```
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Label {
    pub verb: Verb,
    /// The sender, for verbs about a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The receiver of a message, or the node or process that acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The message, the timer, the operation; on one line.
    #[serde(default, skip_serializing_if = "Words::is_empty")]
    pub payload: Words,
    /// Where in the source it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    #[serde(skip)]
    pub about: Box<About>,
}

impl Label {
    pub fn deliver(from: &str, to: &str, payload: impl Into<String>) -> Self {
        Self::message(Verb::Deliver, from, to, payload)
    }

    /// A label about a message in flight: deliver, drop or duplicate.
    pub fn message(verb: Verb, from: &str, to: &str, payload: impl Into<String>) -> Self {
        debug_assert!(verb.is_about_a_message());
        Label::new(verb, Some(from.into()), Some(to.into()), payload)
    }

    /// A label about one actor: timer, crash, restart, step or one of a process's operations.
    pub fn of_actor(verb: Verb, actor: &str, payload: impl Into<String>) -> Self {
        debug_assert!(verb.has_an_actor());
        Label::new(verb, None, Some(actor.into()), payload)
    }

    /// The label of an event of which only the number of its action is known.
    pub fn of_number(action: Action) -> Self {
        Label::of_actor(Verb::Step, "system", format!("{}", action.0))
    }

    /// A label of the environment: partition or heal.
    pub fn of_network(verb: Verb, payload: impl Into<String>) -> Self {
        debug_assert!(!verb.is_about_a_message() && !verb.has_an_actor());
        Label::new(verb, None, None, payload)
    }

    /// A label that says no more than its verb.
    pub fn of_verb(verb: Verb) -> Self {
        Label::new(verb, None, None, "")
    }

    fn new(
        verb: Verb,
        from: Option<String>,
        to: Option<String>,
        payload: impl Into<String>,
    ) -> Self {
        // A payload that ends in a place could not be told from one with a place once it is written.
        let payload = Words::one_line(payload).to_string();
        let (payload, place) = split_place(&payload);
        Label { verb, from, to, payload: payload.into(), place, about: Box::default() }
    }

    /// Says where in the source it is written. A file whose name could not be read back becomes part of the payload.
    #[must_use]
    pub fn at(mut self, place: Option<Place>) -> Self {
        match place {
            Some(place) if !place.is_plain() => {
                self.payload = Words::one_line(format!("{} [{place}]", self.payload));
            }
            place => self.place = place.or(self.place),
        }
        self
    }

    #[must_use]
    pub fn about(mut self, about: About) -> Self {
        *self.about = about;
        self
    }

    /// The same event, wherever in the source it stands. So a trace survives an edit that only moves lines.
    ///
    /// ```
    /// use foresee_lts::{Label, Place};
    /// let at = |line| Label::deliver("a", "b", "ping").at(Some(Place { file: "bank.erl".into(), line }));
    /// assert!(at(12).same_but_for_place(&at(13)) && at(12) != at(13));
    /// ```
    pub fn same_but_for_place(&self, other: &Label) -> bool {
        self.without_place() == other.without_place()
    }

    fn without_place(&self) -> (Verb, &Option<String>, &Option<String>, &Words) {
        (self.verb.written(), &self.from, &self.to, &self.payload)
    }

    /// The payload, and the place after it.
    ///
    /// ```
    /// use foresee_lts::Label;
    /// let label = Label::parse("deliver a -> b ping [bank.erl:12]").unwrap();
    /// assert_eq!((label.payload.to_string(), label.place.as_ref().unwrap().line), ("ping".into(), 12));
    /// assert_eq!(label.payload_and_place(), "ping [bank.erl:12]");
    /// ```
    pub fn payload_and_place(&self) -> String {
        match &self.place {
            Some(place) => format!("{} [{place}]", self.payload),
            None => self.payload.to_string(),
        }
    }

    /// Reads what `Display` writes.
    pub fn parse(line: &str) -> Option<Label> {
        let (word, rest) = split_word(line.trim())?;
        let verb = Verb::ALL.iter().find(|(_, name)| *name == word).map(|(verb, _)| *verb)?;
        if verb.written() != verb {
            return None;
        }
        Some(if verb.is_about_a_message() {
            let (from, rest) = split_word(rest)?;
            let (to, payload) = split_word(rest.strip_prefix("->")?.trim_start())?;
            Label::message(verb, from, to, payload)
        } else if verb.has_an_actor() {
            let (actor, payload) = split_word(rest)?;
            Label::of_actor(verb, actor, payload)
        } else {
            Label::of_network(verb, rest)
        })
    }
}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        self.same_but_for_place(other) && self.place == other.place
    }
}

impl Eq for Label {}

impl Hash for Label {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.without_place(), &self.place).hash(state);
    }
}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.without_place(), &self.place).cmp(&(other.without_place(), &other.place))
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verb.written().word())?;
        if let Some(from) = &self.from {
            write!(f, " {from} ->")?;
        }
        if let Some(to) = &self.to {
            write!(f, " {to}")?;
        }
        if !self.payload.is_empty() {
            write!(f, " {}", self.payload)?;
        }
        if let Some(place) = &self.place {
            write!(f, " [{place}]")?;
        }
        Ok(())
    }
}

/// A final `[FILE:LINE]`, as `Display` writes a place, and what stands before it.
fn split_place(text: &str) -> (&str, Option<Place>) {
    let place = |text: &str| {
        let (file, line) = text.strip_suffix(']')?.rsplit_once(':')?;
        let is_number = line.bytes().all(|b| b.is_ascii_digit());
        let line = line.parse().ok().filter(|_| is_number)?;
        Some(Place { file: file.to_owned(), line }).filter(Place::is_plain)
    };
    let Some((before, rest)) = text.rsplit_once('[') else { return (text, None) };
    match place(rest) {
        Some(place) if before.is_empty() || before.ends_with(' ') => {
            (before.trim_end(), Some(place))
        }
        _ => (text, None),
    }
}

/// The first word and the rest without the white space between them; `None` for an empty line.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Option<Place> {
        Some(Place { file: "m.erl".to_owned(), line })
    }

    #[test]
    fn every_shape_of_label_reads_back() {
        let labels = [
            Label::deliver("a", "b", "Ping { n: 1 }"),
            Label::message(Verb::Drop, "a", "b", "x -> y"),
            Label::message(Verb::Duplicate, "a", "b", ""),
            Label::of_actor(Verb::Timer, "a", "Retry"),
            Label::of_actor(Verb::Crash, "a", ""),
            Label::of_actor(Verb::Step, "a", "x\n  y"),
            Label::of_actor(Verb::Step, "a", "").at(at(3)),
            Label::of_actor(Verb::Step, "a", "x")
                .at(Some(Place { file: "m\n .erl".into(), line: 3 })),
            Label::of_network(Verb::Partition, "{a} {b c}"),
            Label::of_network(Verb::Heal, ""),
        ];
        for label in labels {
            assert_eq!(Label::parse(&label.to_string()), Some(label.clone()), "{label}");
        }
    }

    #[test]
    fn every_verb_reads_back_as_it_is_written() {
        for (verb, word) in Verb::ALL.into_iter().filter(|(verb, _)| verb.has_an_actor()) {
            let label = Label::of_actor(verb, "<P>", "x").at(at(12));
            let read = Label::parse(&label.to_string()).expect("a label");
            assert_eq!((&read, read.verb), (&label, verb.written()), "{word}");
        }
        assert_eq!(Label::parse("send <P> x"), None, "that is no way to write it");
    }

    #[test]
    fn only_a_place_is_left_out_of_a_comparison() {
        let step = |line: &str| Label::parse(&format!("step <P> {line}")).expect("a label");
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
