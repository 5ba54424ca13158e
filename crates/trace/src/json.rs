//! A trace as JSON, with every state along the way.
//! The shape is that of [`JsonTrace`]: the trace's own fields, then the state at the start and, for each event, its
//! label, what changed, what was sent, and the state after it. A state has members with status, state, inbox and timers, then
//! what is shared. The parts of states stand once in `parts`, and states name them by their numbers from 0: most parts of a
//! state are those of the state before.

use crate::{Changed, Finding, Run, Trace};
use foresee_lts::{Description, End, Label, Member, Told, Tree, Words};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The whole document.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct JsonTrace {
    /// Always `foresee trace`.
    pub format: String,
    pub version: u32,
    pub system: String,
    /// Pairs of key and value, in the order they were given.
    pub options: Vec<(String, String)>,
    pub seed: u64,
    pub violation: Option<Finding>,
    /// Every part of a state once: members' states, messages, timers, shared values.
    pub parts: Vec<Tree>,
    /// The state before the first event.
    pub initial: JsonState,
    pub events: Vec<JsonEvent>,
    /// Where the members stand at the end and what ended them, for systems that can tell.
    #[serde(default)]
    pub ends: Vec<End>,
}

/// One event.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct JsonEvent {
    /// From 1.
    pub step: usize,
    /// The label as it stands in the text format.
    pub text: String,
    /// The label in parts.
    pub label: Label,
    /// What the event tells beyond its label: where it happens, values, exceptions.
    #[serde(default)]
    pub told: Told,
    pub changes: Vec<Changed>,
    /// Pairs of receiver and payload that the event put in flight.
    pub sent: Vec<(String, Words)>,
    /// The state after the event.
    pub state: JsonState,
}

/// A state by the numbers of its parts.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct JsonState {
    pub members: Vec<JsonMember>,
    pub shared: Vec<(String, usize)>,
}

/// A member in a state.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct JsonMember {
    pub name: String,
    /// Empty when there is nothing to say.
    pub status: String,
    pub state: usize,
    /// Who sent each message, and the message.
    pub inbox: Vec<(String, usize)>,
    pub timers: Vec<usize>,
}

/// Parts by what they are.
#[derive(Default)]
struct Parts {
    numbers: HashMap<Tree, usize>,
    parts: Vec<Tree>,
}

impl Parts {
    fn number(&mut self, part: &Tree) -> usize {
        if let Some(known) = self.numbers.get(part) {
            return *known;
        }
        self.parts.push(part.clone());
        self.numbers.insert(part.clone(), self.parts.len() - 1);
        self.parts.len() - 1
    }

    fn state(&mut self, state: &Description) -> JsonState {
        let member = |it: &Member, parts: &mut Self| JsonMember {
            name: it.name.clone(),
            status: it.status.clone(),
            state: parts.number(&it.state),
            inbox: it
                .inbox
                .iter()
                .map(|item| (item.from.clone(), parts.number(&item.content)))
                .collect(),
            timers: it.timers.iter().map(|item| parts.number(&item.content)).collect(),
        };
        JsonState {
            members: state.members.iter().map(|it| member(it, self)).collect(),
            shared: state
                .shared
                .iter()
                .map(|(name, tree)| (name.clone(), self.number(tree)))
                .collect(),
        }
    }
}

impl JsonTrace {
    /// A trace together with its run on an instance of its system.
    pub fn new(run: &Run<'_>, trace: &Trace) -> Self {
        let story = run.story().clone();
        let mut parts = Parts::default();
        let initial = parts.state(&story.start);
        let events = story.steps.into_iter().map(|step| JsonEvent {
            step: step.number,
            text: step.label.to_string(),
            label: step.label,
            told: step.told,
            changes: step.changes,
            sent: step.sent.into_iter().map(|sent| (sent.to, sent.payload)).collect(),
            state: parts.state(&step.state),
        });
        let events = events.collect();
        JsonTrace {
            format: "foresee trace".to_owned(),
            version: trace.version,
            system: trace.system.clone(),
            options: trace.options.clone(),
            seed: trace.seed,
            violation: trace.violation.clone(),
            parts: parts.parts,
            initial,
            events,
            ends: story.ends,
        }
    }
}

/// The document as text on one line.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::{JsonTrace, Run, Trace, to_json};
/// let system = Counters::new(1, 3);
/// let path = Path { initial: vec![0], actions: vec![Action(0)] };
/// let json = to_json(&Run::of(&system, &path), &Trace::record(&system, &path));
/// let back: JsonTrace = serde_json::from_str(&json).unwrap();
/// assert_eq!(back.events[0].text, "step counter1 increment");
/// ```
pub fn to_json(run: &Run<'_>, trace: &Trace) -> String {
    let document = JsonTrace::new(run, trace);
    let mut text = serde_json::to_string(&document).expect("plain data with string keys");
    text.push('\n');
    text
}
