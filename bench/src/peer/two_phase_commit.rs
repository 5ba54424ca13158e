//! Two-phase commit as a plain Stateright model: every action writes the one global state.

use stateright::{Model, Property};
use std::collections::BTreeSet;

pub(crate) struct TwoPhaseCommit {
    pub(crate) rms: usize,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct State {
    resources: Vec<Resource>,
    manager: Manager,
    /// Which resource managers the manager knows to be prepared.
    known_prepared: Vec<bool>,
    messages: BTreeSet<Message>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Resource {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Manager {
    Undecided,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum Message {
    Prepared(usize),
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Action {
    Prepare(usize),
    ChooseAbort(usize),
    HearPrepared(usize),
    DecideCommit,
    DecideAbort,
    HearCommit(usize),
    HearAbort(usize),
}

impl Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            resources: vec![Resource::Working; self.rms],
            manager: Manager::Undecided,
            known_prepared: vec![false; self.rms],
            messages: BTreeSet::new(),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let undecided = state.manager == Manager::Undecided;
        if undecided {
            actions.push(Action::DecideAbort);
            if state.known_prepared.iter().all(|known| *known) {
                actions.push(Action::DecideCommit);
            }
        }
        let (committed, aborted) =
            (state.messages.contains(&Message::Commit), state.messages.contains(&Message::Abort));
        for rm in 0..self.rms {
            if state.resources[rm] == Resource::Working {
                actions.extend([Action::Prepare(rm), Action::ChooseAbort(rm)]);
            }
            if undecided && state.messages.contains(&Message::Prepared(rm)) {
                actions.push(Action::HearPrepared(rm));
            }
            if committed {
                actions.push(Action::HearCommit(rm));
            }
            if aborted {
                actions.push(Action::HearAbort(rm));
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Prepare(rm) => {
                state.resources[rm] = Resource::Prepared;
                state.messages.insert(Message::Prepared(rm));
            }
            Action::ChooseAbort(rm) | Action::HearAbort(rm) => {
                state.resources[rm] = Resource::Aborted
            }
            Action::HearPrepared(rm) => state.known_prepared[rm] = true,
            Action::DecideCommit => {
                state.manager = Manager::Committed;
                state.messages.insert(Message::Commit);
            }
            Action::DecideAbort => {
                state.manager = Manager::Aborted;
                state.messages.insert(Message::Abort);
            }
            Action::HearCommit(rm) => state.resources[rm] = Resource::Committed,
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("consistent", |_, state: &State| {
                !(state.resources.contains(&Resource::Aborted)
                    && state.resources.contains(&Resource::Committed))
            }),
            Property::sometimes("abort agreement", |_, state: &State| {
                all_are(state, Resource::Aborted)
            }),
            Property::sometimes("commit agreement", |_, state: &State| {
                all_are(state, Resource::Committed)
            }),
        ]
    }
}

fn all_are(state: &State, wanted: Resource) -> bool {
    state.resources.iter().all(|resource| *resource == wanted)
}
