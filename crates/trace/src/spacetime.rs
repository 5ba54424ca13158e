//! `SpaceTime`: who stands where, and from which event each message comes.
//! Why the sends must be found: a label tells that a message arrives, not when it was sent. The sending event is the one
//! after which the message was first in the receiver's inbox, as the system describes it; where descriptions do not help,
//! it is the sender's latest event that the delivery depends on by its footprint.
//! Not here: drawing (`svg`).

use crate::{Changed, Sent, Story};
use foresee_lts::{Footprint, Label, Path, System, Verb};
use std::collections::{BTreeMap, VecDeque};

/// A run laid out over lanes, one for each member.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::SpaceTime;
/// let path = Path { initial: vec![0, 0], actions: vec![Action(1), Action(0)] };
/// let diagram = SpaceTime::of(&Counters::new(2, 3), &path);
/// assert_eq!(diagram.lanes, ["counter2", "counter1"]);
/// assert_eq!(diagram.marks[1].lane, Some(1));
/// ```
#[derive(Clone, Debug)]
pub struct SpaceTime {
    /// The members' names: as described, then others in the order in which they first act.
    pub lanes: Vec<String>,
    pub marks: Vec<Mark>,
}

/// One event.
#[derive(Clone, Debug)]
pub struct Mark {
    /// From 1; 0 is the start.
    pub step: usize,
    pub label: Label,
    /// Where it happens; `None` for the network as a whole.
    pub lane: Option<usize>,
    /// The sender's lane, for events about a message.
    pub sender: Option<usize>,
    /// The event that sent the message, 0 for the start; `None` if it cannot be told.
    pub sent_at: Option<usize>,
    pub changes: Vec<Changed>,
    /// What it sends that nothing in the run ever takes up again.
    pub left_in_flight: Vec<Sent>,
}

impl SpaceTime {
    pub fn of(system: &dyn System, path: &Path) -> Self {
        let states = path.states(system);
        let events = path.actions.iter().zip(&states);
        let footprints: Vec<Footprint> =
            events.map(|(&action, state)| system.footprint(state, action)).collect();
        let story = Story::of(system, path);
        let lanes = lanes_of(&story);
        let lane_of = |name: &Option<String>| {
            let name = name.as_ref()?;
            lanes.iter().position(|lane| lane == name)
        };
        let sends = send_steps(&story, &footprints);
        let marks = story.steps.iter().map(|step| Mark {
            step: step.number,
            label: step.label.clone(),
            lane: lane_of(&step.label.to),
            sender: lane_of(&step.label.from),
            sent_at: sends[step.number - 1],
            changes: step.changes.clone(),
            left_in_flight: left_in_flight(&story, step.number),
        });
        SpaceTime { marks: marks.collect(), lanes }
    }
}

/// With many members, only those that take part.
const IDLE_LANES_MAX: usize = 8;

fn lanes_of(story: &Story) -> Vec<String> {
    let mut acting: Vec<&String> = Vec::new();
    for step in &story.steps {
        for name in [&step.label.from, &step.label.to].into_iter().flatten() {
            if !acting.contains(&name) {
                acting.push(name);
            }
        }
    }
    let members = story.start.members.iter().map(|member| &member.name);
    let mut lanes: Vec<&String> = members.collect();
    if lanes.len() > IDLE_LANES_MAX {
        lanes.retain(|name| acting.contains(name));
    }
    acting.retain(|name| !lanes.contains(name));
    lanes.into_iter().chain(acting).cloned().collect()
}

fn message_of(label: &Label) -> Option<Sent> {
    let (from, to) = (label.from.clone()?, label.to.clone()?);
    Some(Sent { from, to, payload: label.payload.clone() })
}

/// For each event about a message, the step after which the message was first there. Several copies are taken up in the
/// order in which they were sent.
fn send_steps(story: &Story, footprints: &[Footprint]) -> Vec<Option<usize>> {
    let mut waiting: BTreeMap<Sent, VecDeque<usize>> = BTreeMap::new();
    update(&mut waiting, &story.in_flight, 0);
    let mut sends = Vec::with_capacity(story.steps.len());
    for step in &story.steps {
        let message = message_of(&step.label);
        sends.push(message.and_then(|message| {
            let seen = waiting.get(&message).and_then(|steps| steps.front().copied());
            seen.or_else(|| latest_cause(story, footprints, step.number, &message.from))
        }));
        update(&mut waiting, &step.in_flight, step.number);
    }
    sends
}

/// Brings the queues of waiting copies in line with what is in flight after `step`.
fn update(waiting: &mut BTreeMap<Sent, VecDeque<usize>>, in_flight: &[Sent], step: usize) {
    let mut copies: BTreeMap<&Sent, usize> = BTreeMap::new();
    for message in in_flight {
        *copies.entry(message).or_default() += 1;
    }
    waiting.retain(|message, _| copies.contains_key(message));
    for (message, n_copies) in copies {
        let steps = waiting.entry(message.clone()).or_default();
        while steps.len() > n_copies {
            steps.pop_front();
        }
        while steps.len() < n_copies {
            steps.push_back(step);
        }
    }
}

fn latest_cause(
    story: &Story,
    footprints: &[Footprint],
    step: usize,
    sender: &str,
) -> Option<usize> {
    let delivery = &footprints[step - 1];
    let earlier = (1..step).rev();
    let of_sender = earlier.filter(|&i| story.steps[i - 1].label.to.as_deref() == Some(sender));
    of_sender.filter(|&i| delivery.depends_on(&footprints[i - 1])).max()
}

fn left_in_flight(story: &Story, step: usize) -> Vec<Sent> {
    let takes_up = |label: &Label, sent: &Sent| {
        label.verb != Verb::Duplicate && message_of(label).as_ref() == Some(sent)
    };
    let is_left =
        |sent: &&Sent| !story.steps[step..].iter().any(|later| takes_up(&later.label, sent));
    story.steps[step - 1].sent.iter().filter(is_left).cloned().collect()
}
