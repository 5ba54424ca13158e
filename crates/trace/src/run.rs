//! `Run`: a run of a system with what is known of it, computed once and handed to everything that tells of it.
//! Why: the story, the diagram, the notes of a trace, the races and the tips are all about the same run. Each of them stepping
//! the system again made a report of a short run a dozen times as expensive as the run.
//! Invariant: `states` has one more element than the path has actions, and `states[i + 1]` is what action `i` leads to from
//! `states[i]`. What is not there yet (labels, footprints, the story) is computed when it is first asked for, and then kept.

use crate::Story;
use foresee_lts::{Action, Footprint, Label, Path, State, System};
use std::cell::OnceCell;

/// A run on an instance of a system.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::Run;
/// let system = Counters::new(2, 3);
/// let path = Path { initial: vec![0, 0], actions: vec![Action(0), Action(1)] };
/// let run = Run::of(&system, &path);
/// assert_eq!(run.last(), &vec![1, 1]);
/// assert_eq!(run.events()[1].label.to_string(), "step counter2 increment");
/// ```
pub struct Run<'s> {
    system: &'s dyn System,
    path: Path,
    states: Vec<State>,
    events: OnceCell<Vec<RunEvent>>,
    footprints: OnceCell<Vec<Footprint>>,
    story: OnceCell<Story>,
}

/// One event of a run by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEvent {
    pub label: Label,
    /// Which of the enabled actions with this label it is, from 0.
    pub choice: usize,
}

impl<'s> Run<'s> {
    /// Steps a path.
    pub fn of(system: &'s dyn System, path: &Path) -> Self {
        Run::with_states(system, path.clone(), path.states(system))
    }

    /// A path whose states are known: those of a replay, for instance.
    pub fn with_states(system: &'s dyn System, path: Path, states: Vec<State>) -> Self {
        assert_eq!(states.len(), path.actions.len() + 1, "one state before and after each action");
        let (events, footprints, story) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Run { system, path, states, events, footprints, story }
    }

    /// With its story, if that is known.
    #[must_use]
    pub fn with_story(mut self, story: Story) -> Self {
        assert_eq!(story.steps.len(), self.path.actions.len(), "the story of this run");
        self.story = OnceCell::from(story);
        self
    }

    pub fn system(&self) -> &'s dyn System {
        self.system
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The state before each event, and the one after the last.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The same, when nothing else of the run is needed any more.
    pub fn into_states(self) -> Vec<State> {
        self.states
    }

    /// The state in which it ends.
    pub fn last(&self) -> &State {
        self.states.last().expect("a run has a first state")
    }

    /// Each action with the state in which it happens.
    pub fn steps(&self) -> impl Iterator<Item = (&State, Action)> {
        self.states.iter().zip(self.path.actions.iter().copied())
    }

    pub fn events(&self) -> &[RunEvent] {
        self.events.get_or_init(|| self.steps().map(|step| self.event(step)).collect())
    }

    pub fn footprints(&self) -> &[Footprint] {
        let footprint = |(state, action): (&State, Action)| self.system.footprint(state, action);
        self.footprints.get_or_init(|| self.steps().map(footprint).collect())
    }

    /// The run as a report tells it.
    pub fn story(&self) -> &Story {
        self.story.get_or_init(|| Story::tell(self))
    }

    /// The label of an action, and how many enabled actions before it have the same one.
    fn event(&self, (state, action): (&State, Action)) -> RunEvent {
        let label = self.system.label(state, action);
        let mut alike = Vec::new();
        self.system.enabled_with_label(state, &label, &mut alike);
        let earlier = alike.iter().take_while(|other| **other != action);
        let choice = earlier.filter(|other| self.system.label(state, **other) == label).count();
        RunEvent { label, choice }
    }
}
