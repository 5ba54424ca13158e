//! A trace as JSON, with every state along the way.
//! The shape is that of [`JsonTrace`]: the trace's own fields, then the state at the start and, for each event, its
//! label, what changed, what was sent, and the state after it. States are [`Description`]s: members with status, state
//! tree, inbox and timers, then what is shared.

use crate::{Changed, Finding, Story, Trace};
use foresee_lts::{Description, End, Label, Path, System, Told};
use serde::{Deserialize, Serialize};

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
    /// The state before the first event.
    pub initial: Description,
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
    pub sent: Vec<(String, String)>,
    /// The state after the event.
    pub state: Description,
}

impl JsonTrace {
    /// A trace together with its path on this instance (as [`replay`](fn@crate::replay) gives it).
    pub fn new(system: &dyn System, trace: &Trace, path: &Path) -> Self {
        let story = Story::of(system, path);
        let events = story.steps.into_iter().map(|step| JsonEvent {
            step: step.number,
            text: step.label.to_string(),
            label: step.label,
            told: step.told,
            changes: step.changes,
            sent: step.sent.into_iter().map(|sent| (sent.to, sent.payload)).collect(),
            state: step.state,
        });
        JsonTrace {
            format: "foresee trace".to_owned(),
            version: trace.version,
            system: trace.system.clone(),
            options: trace.options.clone(),
            seed: trace.seed,
            violation: trace.violation.clone(),
            initial: story.start,
            events: events.collect(),
            ends: story.ends,
        }
    }
}

/// The document as indented text.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::{JsonTrace, Trace, to_json};
/// let system = Counters::new(1, 3);
/// let path = Path { initial: vec![0], actions: vec![Action(0)] };
/// let json = to_json(&system, &Trace::record(&system, &path), &path);
/// let back: JsonTrace = serde_json::from_str(&json).unwrap();
/// assert_eq!(back.events[0].text, "step counter1 increment");
/// ```
pub fn to_json(system: &dyn System, trace: &Trace, path: &Path) -> String {
    let document = JsonTrace::new(system, trace, path);
    let mut text = serde_json::to_string_pretty(&document).expect("plain data with string keys");
    text.push('\n');
    text
}
