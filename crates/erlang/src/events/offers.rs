//! What can happen in the state of a simulation, kept up to date from step to step.
//! Why: a step changes what a few processes can do. Asking all of them each time made a run of n processes take time of n².
//! Invariant: the same actions in the same order as `Erlang::actions` gives for the state.
//! Not here: crashes, which have their own rules; who has them asks for all actions.

use crate::events::actions::{TIMEOUT, own_slot};
use crate::system::Erlang;
use crate::tell::stuck::Stuck;
use crate::term::Pid;
use crate::world::component::{Component, Control};
use foresee_lts::Action;

/// What the processes and channels of a state can do, in order, and who cannot go on.
#[derive(Default)]
pub(crate) struct Offers {
    pub(crate) actions: Vec<Action>,
    /// How many of them are timeouts, which have their time.
    n_timeouts: usize,
    /// The first process that cannot go on for a reason that is ours.
    pub(crate) stuck: Option<(Pid, Stuck)>,
}

impl Offers {
    pub(crate) fn of(system: &Erlang, state: &[u32]) -> Offers {
        let mut offers = Offers::default();
        offers.follow(system, state, 0..state.len() as u32);
        offers
    }

    /// Whether every action can happen at any time.
    pub(crate) fn are_timeless(&self, system: &Erlang, state: &[u32]) -> bool {
        self.n_timeouts == 0 && system.timers(state).timers.is_empty()
    }

    /// The state is now this one, and has changed in these slots at most.
    pub(crate) fn follow(
        &mut self,
        system: &Erlang,
        state: &[u32],
        changed: impl Iterator<Item = u32>,
    ) {
        for owner in changed.filter_map(|slot| system.core.slots.owner(slot)) {
            self.update(system, state, owner);
        }
    }

    /// What is in a slot, or in the inbox beside it, has changed.
    fn update(&mut self, system: &Erlang, state: &[u32], slot: u32) {
        let rank = system.core.slots.rank(slot);
        let slot_of = |action: &Action| own_slot(action.0).expect("no timer");
        let is_before = |action: &Action| system.core.slots.rank(slot_of(action)) < rank;
        let at = self.actions.partition_point(is_before);
        if self.actions.get(at).is_some_and(|action| slot_of(action) == slot) {
            let old = self.actions.remove(at);
            self.n_timeouts -= usize::from(old.0 >> 56 == TIMEOUT);
        }
        if let Some(new) = system.ready.write().learnt(system, state, slot) {
            self.actions.insert(at, new);
            self.n_timeouts += usize::from(new.0 >> 56 == TIMEOUT);
        }
        if let Some(Component::Process(process)) = system.component(state, slot)
            && let Control::Stuck(stuck) = &process.control
            && self.stuck.as_ref().is_none_or(|(first, _)| process.pid < *first)
        {
            self.stuck = Some((process.pid, (**stuck).clone()));
        }
    }
}
