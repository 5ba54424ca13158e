//! What a stage says, as plain data: everything a person sees of a run, ready to be sent elsewhere.
//! Parts of states (a member's state, a message, a shared value) are named by keys, so that whoever shows many states fetches
//! each part once. A key is a hash of what it stands for: the same content has the same key in every run.

use foresee_lts::{Label, Place, Tree};
use foresee_search::PlaceId;
use foresee_stdx::stable_hash;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// Names a part of a state by its content; 16 hexadecimal digits as text.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct PartKey(pub u64);

impl PartKey {
    /// The key of a tree.
    pub fn of(tree: &Tree) -> Self {
        PartKey(stable_hash(tree))
    }
}

impl fmt::Display for PartKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for PartKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for PartKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PartKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_key = text.len() == 16;
        let number = u64::from_str_radix(&text, 16).ok().filter(|_| is_key);
        number.map(PartKey).ok_or_else(|| de::Error::custom("a key is 16 hexadecimal digits"))
    }
}

/// What is on the stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageInfo {
    /// As the user types it.
    pub system: String,
    pub name: String,
    pub parameters: Vec<(String, String)>,
    /// `nodes`, `erlang`, `algebra`, `lts` or `model`.
    pub front_end: &'static str,
    pub properties: Vec<PropertyInfo>,
    /// Where explorations do not go on, in words; steps by hand may.
    pub restrictions: Vec<String>,
}

/// Something that is looked at in every state.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct PropertyInfo {
    pub name: String,
    /// `invariant`, `reachable`, `fault` or `deadlock`.
    pub kind: String,
}

/// A node, a process, a component.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct MemberInfo {
    pub member: u32,
    /// Its latest name on the way to the place.
    pub name: String,
    /// Its type, or what it was started to do.
    pub kind: String,
    pub parent: Option<u32>,
    /// The first place on the way where it exists.
    pub born: PlaceId,
}

/// One place of a run: what happened there.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Row {
    pub place: PlaceId,
    /// The place before.
    pub after: Option<PlaceId>,
    /// How many steps from the start.
    pub step: u32,
    /// `None` where a run starts.
    pub label: Option<LabelView>,
    pub member: Option<u32>,
    /// The place after whose step the message was there.
    pub sent_at: Option<PlaceId>,
    /// The same message of the same send was delivered before on this run.
    pub again: bool,
    /// Of the whole state.
    pub hash: PartKey,
    pub source: Option<SourcePlace>,
    pub findings: Vec<FindingView>,
    /// The places that were reached from here.
    pub branches: Vec<PlaceId>,
}

/// A label, whole and in short.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct LabelView {
    pub verb: String,
    pub from: Option<String>,
    pub to: Option<String>,
    pub payload: String,
    /// A few words for a narrow place.
    pub short: String,
    /// What kind of message, timer or action it is: its name, or else the verb.
    pub r#type: String,
    /// As traces write it.
    pub text: String,
    /// The other party of an operation: to whom a process sends, whom it calls or answers, whose request it receives.
    #[serde(default)]
    pub peer: Option<String>,
    /// The verb by which a message that is received came to be: `call`, `cast` or `reply`.
    #[serde(default)]
    pub message_of: Option<String>,
    /// The file's name and the line in which it is written.
    #[serde(default)]
    pub place: Option<Place>,
}

/// A line of a file.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct SourcePlace {
    pub file: String,
    pub line: u32,
}

/// Something that is wrong in a state.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct FindingView {
    /// As in reports: `invariant`, `panic`, `deadlock`, …
    pub kind: String,
    /// The number of the property in [`StageInfo::properties`].
    pub property: Option<u32>,
    pub name: String,
    pub message: String,
}

/// A whole state, by the keys of its parts.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StateView {
    /// For a preview, the place that is looked ahead from, unless the step was taken before.
    pub place: PlaceId,
    pub hash: PartKey,
    pub members: Vec<MemberView>,
    pub shared: Vec<(String, PartKey)>,
    pub properties: Vec<PropertyView>,
    /// Nothing can happen any more: why.
    pub stuck: Option<String>,
    /// Nothing can happen any more, and that is all right.
    pub is_final: bool,
}

/// One member in a state.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct MemberView {
    pub member: u32,
    pub name: String,
    /// Empty when there is nothing to say.
    pub status: String,
    pub state: PartKey,
    pub inbox: Vec<PendingView>,
    pub timers: Vec<PendingView>,
    /// How many messages there are, those not listed included.
    pub inbox_total: u32,
    /// Where a process is in its text.
    pub line: Option<SourcePlace>,
    /// What a process waits for, as its text says it; `None` if it does not wait.
    pub waits_for: Option<Vec<String>>,
}

/// A message in flight or a timer that is set.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct PendingView {
    /// Who sent it; empty for a timer, or if it cannot be told.
    pub from: String,
    pub part: PartKey,
    /// The choice that delivers or fires it now.
    pub choice: Option<u32>,
    pub why_not: Option<String>,
    /// The place after whose step it was there first.
    pub sent_at: Option<PlaceId>,
    /// A delivery of it has happened on this run, and it is still there.
    pub delivered: bool,
}

/// A property in a state.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct PropertyView {
    pub property: u32,
    pub holds: bool,
    pub why: String,
}

/// A part that differs between two states.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ChangeView {
    /// `None` for what is shared: its name is the first word of the path.
    pub member: Option<u32>,
    /// Names of fields, indices and keys; `(status)` for a member's status.
    pub path: Vec<String>,
    /// `None` for a part that was added.
    pub before: Option<Tree>,
    /// `None` for a part that was removed.
    pub after: Option<Tree>,
}

/// Something that can happen.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ChoiceView {
    pub choice: u32,
    pub label: LabelView,
    pub member: Option<u32>,
    /// The message or timer that it is about.
    pub part: Option<PartKey>,
    pub is_fault: bool,
    /// Where it has led, if it was taken.
    pub place: Option<PlaceId>,
}

/// Something that one might expect and that cannot happen now.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct NotPossible {
    pub label: LabelView,
    pub member: Option<u32>,
    pub why: String,
}

/// A kind of fault, by its verb, and how many may still happen.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct FaultBudget {
    pub word: String,
    pub left: u32,
}

/// What can happen at a place, and what cannot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Choices {
    pub choices: Vec<ChoiceView>,
    pub not_possible: Vec<NotPossible>,
    pub faults: Vec<FaultBudget>,
    /// How many there are of each kind, those not listed included.
    pub counts: Vec<KindCount>,
}

/// How many choices of one kind a member has.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct KindCount {
    pub member: Option<u32>,
    pub r#type: String,
    pub count: u32,
}

/// What taking a step came to.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Taken {
    pub place: PlaceId,
    /// The place was not there before.
    pub new: bool,
}

/// Where a list of labels has led.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Followed {
    /// One for each step, the place it started from not included.
    pub places: Vec<PlaceId>,
    pub stopped: Option<Stopped>,
}

/// Where a list of labels stops applying.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Stopped {
    /// The step that cannot happen, from 1.
    pub step: u32,
    pub label: LabelView,
    pub why: String,
}

impl From<&Label> for LabelView {
    fn from(label: &Label) -> Self {
        LabelView {
            verb: label.verb.word().to_owned(),
            from: label.from.clone(),
            to: label.to.clone(),
            payload: label.payload.to_string(),
            short: short(label),
            r#type: type_of(label),
            text: label.to_string(),
            peer: label.about.peer.clone(),
            message_of: label.about.message_of.map(|verb| verb.word().to_owned()),
            place: label.place.clone(),
        }
    }
}

/// What kind of message, timer or action a label is about: its name, or else the verb.
pub(super) fn type_of(label: &Label) -> String {
    label.about.name.clone().unwrap_or_else(|| label.verb.word().to_owned())
}

/// More characters do not fit into a narrow place.
const SHORT: usize = 32;

/// The payload for a narrow place; the verb where there is none.
fn short(label: &Label) -> String {
    match label.payload.is_empty() {
        true => label.verb.word().to_owned(),
        false => label.payload.brief(SHORT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::{About, Verb};

    #[test]
    fn labels_are_told_in_a_few_words() {
        let named = |name: &str| About { name: Some(name.to_owned()), ..About::default() };
        let accept =
            Label::deliver("a", "b", "Accept { ballot: 1@server1, proposal: A of client1 }");
        let view = LabelView::from(&accept.about(named("Accept")));
        assert_eq!((&*view.short, &*view.r#type), ("Accept 1@server1 A of client1", "Accept"));
        let place = Some(Place { file: "bank.erl".into(), line: 12 });
        let receive = Label::of_actor(Verb::Receive, "<P.1>", "receive {withdraw,5}").at(place);
        let view = LabelView::from(&receive.about(named("withdraw")));
        assert_eq!((&*view.short, &*view.r#type), ("receive withdraw 5", "withdraw"));
        assert_eq!((&*view.verb, view.place.map(|it| it.line)), ("receive", Some(12)));
        assert_eq!(view.text, "step <P.1> receive {withdraw,5} [bank.erl:12]");
        let crash = LabelView::from(&Label::of_actor(Verb::Crash, "server", ""));
        assert_eq!((&*crash.short, &*crash.r#type), ("crash", "crash"));
        let long = LabelView::from(&Label::deliver("a", "b", "é".repeat(90)));
        assert_eq!(long.short.chars().count(), SHORT + 1);
    }

    #[test]
    fn a_key_is_sixteen_digits_and_reads_back() {
        let key = PartKey(0x51be);
        let text = serde_json::to_string(&key).expect("text");
        assert_eq!(text, "\"00000000000051be\"");
        assert_eq!(serde_json::from_str::<PartKey>(&text).expect("a key"), key);
        assert!(serde_json::from_str::<PartKey>("\"51be\"").is_err());
    }
}
