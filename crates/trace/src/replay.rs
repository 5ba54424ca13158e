//! Replay: a trace's words become actions again, as far as they still apply, and the violation is judged anew.
//! Why it never fails: a trace recorded before a change of code is most interesting where it stops applying. So the answer
//! is always how far it went, what could happen there instead, and whether the violation is (still) there.

use crate::matching::Matcher;
use crate::{Event, Finding, Judge, Trace};
use foresee_lts::{Action, Label, Path, State, System};
use std::fmt;

/// What became of a replay.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The run on this system instance.
    pub path: Path,
    /// Its states, one before each action and the last.
    pub states: Vec<State>,
    /// How many of the trace's events were applied.
    pub applied: usize,
    /// Where the trace stops applying, if it does.
    pub stop: Option<Stop>,
    pub outcome: Outcome,
    /// What else the reader should know: another system, ambiguous labels.
    pub notes: Vec<String>,
}

/// Whether the trace's violation is there.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The same kind of violation of the same property, in the state after `step` events.
    Confirmed { step: usize, message: String },
    /// Something else is wrong in the state after `step` events.
    Different { step: usize, finding: Finding },
    /// The trace claims a violation, and the run shows nothing wrong.
    NotReproduced,
    /// The trace claims nothing, and nothing is wrong.
    Clean,
    /// One run cannot show this kind of violation; says why.
    CannotTell { reason: String },
}

/// The first event that cannot happen.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stop {
    /// Which event, from 1.
    pub step: usize,
    pub label: Label,
    /// Everything that could happen instead, in the system's order.
    pub enabled: Vec<Label>,
    /// At most three of those, the most similar first.
    pub nearest: Vec<Label>,
}

/// Replays `trace` on `system`, judged by the system's own properties.
///
/// ```
/// use foresee_lts::toy::Counters;
/// use foresee_trace::{Outcome, Trace, replay};
/// let text = "foresee trace 1\nsystem: counters n=2 max=1\nviolation: invariant sum\n\n\
///             1  step counter1 increment\n2  step counter1 increment\nend\n";
/// let replay = replay(&Counters::new(2, 1).forbid_sum(2), &Trace::parse(text).unwrap());
/// assert_eq!((replay.applied, &replay.outcome), (1, &Outcome::NotReproduced));
/// let stop = replay.stop.as_ref().unwrap();
/// assert_eq!(stop.nearest[0].to_string(), "step counter2 increment");
/// ```
pub fn replay(system: &dyn System, trace: &Trace) -> Replay {
    replay_with(system, trace, &Judge::of(system))
}

/// Replays with properties and restrictions of one's own.
pub fn replay_with(system: &dyn System, trace: &Trace, judge: &Judge) -> Replay {
    let mut notes = Vec::new();
    if trace.system != system.name() {
        let (theirs, ours) = (&trace.system, system.name());
        notes.push(format!("the trace was recorded on `{theirs}` and is replayed on `{ours}`"));
    }
    let initial = initial_state(system, trace, &mut notes);
    let mut matcher = Matcher::new(system, judge.allow());
    let mut states = vec![initial.clone()];
    let mut path = Path { initial, actions: Vec::new() };
    let mut stop = None;
    for (i, event) in trace.events.iter().enumerate() {
        let state = states.last().expect("never empty");
        let (action, n_matching) = match matched(&mut matcher, system, state, event, i + 1) {
            Ok(found) => found,
            Err(stopped) => {
                stop = Some(*stopped);
                break;
            }
        };
        note_ambiguity(&mut notes, i + 1, event.choice, n_matching);
        states.push(system.step(state, action));
        path.actions.push(action);
    }
    Replay {
        applied: path.actions.len(),
        path,
        stop,
        outcome: outcome(system, trace, judge, &states),
        states,
        notes,
    }
}

/// The action that an event means in `state`, or what can happen there instead. The event is the `step`-th, from 1.
///
/// ```
/// use foresee_lts::{Action, Label, Verb, toy::Counters};
/// use foresee_trace::{Event, find_event};
/// let system = Counters::new(2, 3);
/// let event = Event::new(Label::of_actor(Verb::Step, "counter2", "increment"));
/// assert_eq!(find_event(&system, &[0, 0], &event, 1), Ok(Action(1)));
/// assert!(find_event(&system, &[0, 3], &event, 1).is_err());
/// ```
pub fn find_event(
    system: &dyn System,
    state: &[u32],
    event: &Event,
    step: usize,
) -> Result<Action, Box<Stop>> {
    let mut matcher = Matcher::new(system, None);
    matched(&mut matcher, system, state, event, step).map(|(action, _)| action)
}

/// The action that an event means, and how many there are with its label.
fn matched(
    matcher: &mut Matcher<'_>,
    system: &dyn System,
    state: &[u32],
    event: &Event,
    step: usize,
) -> Result<(Action, usize), Box<Stop>> {
    let matching = matcher.with_label(state, &event.label);
    if let Some(&action) = matching.get(event.choice).or(matching.first()) {
        return Ok((action, matching.len()));
    }
    // Everything that can happen is put into words only where the run ends.
    let enabled = matcher.enabled(state).iter();
    let labels = enabled.map(|&action| system.label(state, action)).collect();
    Err(Box::new(Stop::new(step, event.label.clone(), labels)))
}

impl Replay {
    /// The violation of the trace is there.
    pub fn is_confirmed(&self) -> bool {
        matches!(self.outcome, Outcome::Confirmed { .. })
    }

    /// Every event of the trace could happen.
    pub fn is_complete(&self) -> bool {
        self.stop.is_none()
    }
}

impl Stop {
    fn new(step: usize, label: Label, enabled: Vec<Label>) -> Self {
        let mut unique = enabled.clone();
        unique.sort();
        unique.dedup();
        // Sorting is stable, so that equal distances stay in the order of the labels.
        unique.sort_by_key(|other| distance(&label, other));
        unique.truncate(3);
        Stop { step, label, enabled, nearest: unique }
    }
}

fn initial_state(system: &dyn System, trace: &Trace, notes: &mut Vec<String>) -> State {
    let initial = system.initial();
    assert!(!initial.is_empty(), "a system has at least one initial state");
    if trace.initial >= initial.len() {
        notes.push(format!(
            "the trace starts in initial state {}, but the system has only {}; it is replayed from the first",
            trace.initial,
            initial.len()
        ));
    }
    initial.get(trace.initial).unwrap_or(&initial[0]).clone()
}

fn note_ambiguity(notes: &mut Vec<String>, step: usize, choice: usize, n_matching: usize) {
    if choice >= n_matching {
        let (choice, n) = (choice + 1, n_matching);
        notes.push(format!(
            "step {step}: the trace took action {choice} of those with this label, but there are only {n}; took the first"
        ));
    } else if n_matching > 1 {
        let taken = choice + 1;
        notes.push(format!(
            "step {step}: {n_matching} enabled actions have this label; took number {taken}"
        ));
    }
}

/// Looks for the violation in every state of the run, first to last; for something else only if it is nowhere.
fn outcome(system: &dyn System, trace: &Trace, judge: &Judge, states: &[State]) -> Outcome {
    if let Some(wanted) = &trace.violation {
        for (step, state) in states.iter().enumerate() {
            if let Some(message) = judge.shows(system, state, wanted) {
                return Outcome::Confirmed { step, message };
            }
        }
    }
    for (step, state) in states.iter().enumerate() {
        if let Some(finding) = judge.findings(system, state).into_iter().next() {
            return Outcome::Different { step, finding };
        }
    }
    match &trace.violation {
        None => Outcome::Clean,
        Some(wanted) => match judge.cannot_tell(wanted) {
            Some(reason) => Outcome::CannotTell { reason },
            None => Outcome::NotReproduced,
        },
    }
}

/// How unlike two labels are: who is involved weighs more than what is said.
fn distance(wanted: &Label, other: &Label) -> usize {
    let differs = |same: bool| usize::from(!same);
    let payload = wanted.payload.distance(&other.payload);
    100 * (2 * differs(wanted.verb.written() == other.verb.written())
        + differs(wanted.to == other.to)
        + differs(wanted.from == other.from))
        + payload.min(99)
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Confirmed { step, message } if message.is_empty() => {
                write!(f, "confirmed after step {step}")
            }
            Outcome::Confirmed { step, message } => {
                write!(f, "confirmed after step {step}: {message}")
            }
            Outcome::Different { step, finding } => {
                write!(f, "something else is wrong after step {step}: {}", finding.title())?;
                if !finding.message.is_empty() {
                    write!(f, ": {}", finding.message)?;
                }
                Ok(())
            }
            Outcome::NotReproduced => {
                f.write_str("not reproduced: the run ends with nothing wrong")
            }
            Outcome::Clean => f.write_str("nothing wrong, and the trace claims nothing"),
            Outcome::CannotTell { reason } => write!(f, "cannot tell: {reason}"),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} no longer applies: {}", self.step, self.label)?;
        if self.enabled.is_empty() {
            return write!(f, "\n  nothing can happen there");
        }
        write!(f, "\n  nearest of the {} that can happen there:", self.enabled.len())?;
        for label in &self.nearest {
            write!(f, "\n    {label}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} steps applied)", self.outcome, self.applied)?;
        if let Some(stop) = &self.stop {
            write!(f, "\n{stop}")?;
        }
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::Verb;

    /// What is offered in place of a step that no longer applies, nearest first.
    #[test]
    fn the_verb_weighs_most_then_who_is_involved_then_what_is_said() {
        let wanted = Label::deliver("client1", "server", "Put(1)");
        let nearest_first = [
            Label::deliver("client1", "server", "Put(1)"),
            Label::deliver("client1", "server", "Put(2)"),
            Label::deliver("client1", "server", "Get"),
            Label::deliver("client2", "server", "Put(1)"),
            Label::deliver("server", "client1", "Put(1)"),
            Label::message(Verb::Drop, "client1", "server", "Put(2)"),
            Label::message(Verb::Drop, "client1", "other", "Put(1)"),
        ];
        let distances: Vec<usize> = nearest_first.iter().map(|it| distance(&wanted, it)).collect();
        assert_eq!(distances[0], 0);
        assert!(distances.is_sorted(), "{distances:?}");
        assert_eq!(distances[3..].iter().map(|it| it / 100).collect::<Vec<_>>(), [1, 2, 2, 3]);
        assert!(distances[1] < distances[2] && distances[2] < 100, "{distances:?}");
    }
}
