//! A program from a state on: the engines explore it as if it began there.
//! Why: setting the processes of a generated program up would be most of its interleavings.

use foresee_erlang::Erlang;
use foresee_lts::{Action, Actor, Fault, Footprint, Happened, Label, State, System};

/// A program, and the state in which it begins.
pub(crate) struct Started {
    pub(crate) erlang: Erlang,
    pub(crate) state: State,
}

impl System for Started {
    fn initial(&self) -> Vec<State> {
        vec![self.state.clone()]
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.erlang.enabled(state, actions);
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        self.erlang.step(state, action)
    }
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.erlang.content_hash(slot, id)
    }
    fn content_hash_unordered(&self, state: &[u32], mailboxes: &[u64]) -> u64 {
        self.erlang.content_hash_unordered(state, mailboxes)
    }
    fn label(&self, state: &[u32], action: Action) -> Label {
        self.erlang.label(state, action)
    }
    fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.erlang.actor(state, action)
    }
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        self.erlang.footprint(state, action)
    }
    fn thread(&self, state: &[u32], action: Action) -> u64 {
        self.erlang.thread(state, action)
    }
    fn enabled_threads(&self, state: &[u32], enabled: &mut Vec<(Action, u64)>) {
        self.erlang.enabled_threads(state, enabled);
    }
    fn action_of(&self, state: &[u32], thread: u64) -> Option<Action> {
        self.erlang.action_of(state, thread)
    }
    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        self.erlang.happen(state, action, next)
    }
    fn notices(&self, look: u64, change: u64) -> bool {
        self.erlang.notices(look, change)
    }
    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        self.erlang.would_take(state, action, message)
    }
    fn only_receives(&self, state: &[u32], action: Action) -> bool {
        self.erlang.only_receives(state, action)
    }
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.erlang.fault(state)
    }
}
