//! From words back to actions: which enabled action a label means.

use foresee_lts::{Action, Label, Path, State, System};
use foresee_stdx::halt;

/// The search's own restriction. Prunes belong here too: an action of a pruned state is not allowed.
pub use foresee_lts::Allow;

/// Decides whether a run is still the one we want; gets the path so far and the state it has reached.
///
/// It is asked after every step, so that a run ends as soon as it fails.
pub type Oracle<'a> = &'a dyn Fn(&Path, &[u32]) -> bool;

/// An event to be found again: its label, and the action it had on its original run, which is a hint.
///
/// The hint makes matching fast and exact on the instance that made the run: if that very action is enabled and still has
/// the label, it is the one, even if another action has the same label.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) label: Label,
    pub(crate) action: Action,
}

/// The events of a path of this instance.
pub(crate) fn wanted_of(system: &dyn System, run: &Stepped) -> Vec<Wanted> {
    let events = run.path.actions.iter().zip(&run.states);
    events.map(|(&action, state)| Wanted { label: system.label(state, action), action }).collect()
}

/// Finds actions and keeps the buffer for them.
pub(crate) struct Matcher<'a> {
    system: &'a dyn System,
    allow: Option<Allow>,
    actions: Vec<Action>,
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(system: &'a dyn System, allow: Option<Allow>) -> Self {
        Matcher { system, allow, actions: Vec::new() }
    }

    /// The allowed actions of `state`, in the system's order.
    pub(crate) fn enabled(&mut self, state: &[u32]) -> &[Action] {
        self.actions.clear();
        self.system.enabled(state, &mut self.actions);
        self.retain_allowed(state)
    }

    /// Those of them that have this label, places apart.
    pub(crate) fn with_label(&mut self, state: &[u32], label: &Label) -> &[Action] {
        self.actions.clear();
        self.system.enabled_with_label(state, label, &mut self.actions);
        self.retain_allowed(state)
    }

    fn retain_allowed(&mut self, state: &[u32]) -> &[Action] {
        if let Some(allow) = &self.allow {
            self.actions.retain(|action| allow(state, *action));
        }
        &self.actions
    }

    pub(crate) fn find(&mut self, state: &[u32], wanted: &Wanted) -> Option<Action> {
        let system = self.system;
        let enabled = self.enabled(state);
        let has_label = |action: &Action| system.label(state, *action) == wanted.label;
        if enabled.contains(&wanted.action) && has_label(&wanted.action) {
            return Some(wanted.action);
        }
        enabled.iter().copied().find(has_label)
    }
}

/// States of more slots than this count for more.
const SLOTS_PER_STEP: usize = 256;

/// What to do with an event that is not enabled.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum IfNotEnabled {
    /// Go on with the next one.
    Skip,
    /// Give up on the run.
    Reject,
}

/// A run that was stepped.
#[derive(Clone, Debug)]
pub(crate) struct Stepped {
    pub(crate) path: Path,
    /// One before each action, and the last.
    pub(crate) states: Vec<State>,
}

/// Runs `events` from `initial` until the oracle says that it fails; `None` if it never does, or if an event is not
/// enabled and that is to be rejected. `n_steps` counts the events looked at.
pub(crate) fn run_until_failing(
    matcher: &mut Matcher<'_>,
    initial: &[u32],
    events: &[Wanted],
    if_not_enabled: IfNotEnabled,
    oracle: Oracle<'_>,
    n_steps: &mut u64,
) -> Option<Stepped> {
    let mut states = vec![initial.to_vec()];
    let mut path = Path { initial: initial.to_vec(), actions: Vec::new() };
    if oracle(&path, initial) {
        return Some(Stepped { path, states });
    }
    for event in events {
        let state = states.last().expect("never empty");
        // Of a state of thousands of parts, an event is more than one small step.
        *n_steps += 1 + (state.len() / SLOTS_PER_STEP) as u64;
        halt::look();
        let Some(action) = matcher.find(state, event) else {
            match if_not_enabled {
                IfNotEnabled::Skip => continue,
                IfNotEnabled::Reject => return None,
            }
        };
        let next = matcher.system.step(state, action);
        path.actions.push(action);
        states.push(next);
        if oracle(&path, states.last().expect("never empty")) {
            return Some(Stepped { path, states });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::{Telling, Verb};
    use std::sync::Arc;

    /// Two doors, of which one is open; which of them changes places whenever somebody goes through. Both of state 9 are open.
    struct Doors;

    impl System for Doors {
        fn initial(&self) -> Vec<State> {
            vec![vec![0]]
        }

        fn enabled(&self, _: &[u32], actions: &mut Vec<Action>) {
            actions.extend([Action(0), Action(1)]);
        }

        fn step(&self, state: &[u32], _: Action) -> State {
            vec![1 - state[0]]
        }

        fn telling(&self) -> Option<&dyn Telling> {
            Some(self)
        }
    }

    impl Telling for Doors {
        fn label(&self, state: &[u32], action: Action) -> Label {
            let is_open = state[0] == 9 || u64::from(state[0]) == action.0;
            Label::of_actor(Verb::Step, "door", if is_open { "open" } else { "shut" })
        }
    }

    #[test]
    fn the_label_decides_and_the_action_only_among_equal_labels() {
        let mut matcher = Matcher::new(&Doors, None);
        let open = |action| Wanted { label: Doors.label(&[9], Action(0)), action: Action(action) };
        assert_eq!(matcher.find(&[0], &open(0)), Some(Action(0)));
        assert_eq!(matcher.find(&[1], &open(0)), Some(Action(1)), "another number by now");
        assert_eq!(matcher.find(&[9], &open(1)), Some(Action(1)), "both have the label");
        assert_eq!(matcher.find(&[9], &open(7)), Some(Action(0)));
        let nobody =
            Wanted { label: Label::of_actor(Verb::Step, "door", "gone"), action: Action(0) };
        assert_eq!(matcher.find(&[9], &nobody), None);
        let mut second = Matcher::new(&Doors, Some(Arc::new(|_, action| action == Action(1))));
        assert_eq!(second.find(&[0], &open(0)), None);
        assert_eq!(second.find(&[9], &open(0)), Some(Action(1)));
    }
}
