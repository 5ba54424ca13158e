//! What can happen in a state, found by what is known of its components.
//! Asked of every state there is, so it must cost no more than a look at each slot: what a component can do is found once,
//! what a receive makes of an inbox once per pair, and the order of slots once until there are more of them.
//! Invariant: the same actions as looking at the components themselves (`Erlang::readiness`), in the order of pids, then
//! channels, then timers, then crashes in the order of pids, never of slots.

use crate::actions::{CRASH, DELIVER, NO_MORE_CRASHES, STEP, TIMEOUT, TIMER};
use crate::component::{Component, Control};
use crate::slots::{SHARED, TIMERS};
use crate::system::Erlang;
use foresee_lts::Action;
use rustc_hash::FxHashMap;

/// What is known so far; ids are those of one system.
#[derive(Default)]
pub(crate) struct Ready {
    /// The slots of processes and channels, in order; all those below `n_slots`.
    order: Vec<u32>,
    n_slots: u32,
    /// What each component can do, by id.
    acts: Vec<Acts>,
    /// What a process in a receive does with an inbox, by both ids.
    receives: FxHashMap<(u32, u32), Acts>,
    /// Whether a process may crash, by its id and that of what is shared; only where there are crashes.
    crashes: FxHashMap<(u32, u32), bool>,
}

/// What a component can do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Acts {
    #[default]
    Unknown,
    Never,
    Step,
    TimesOut,
    Delivers,
    /// It depends on the inbox.
    Receives,
    /// Of what is shared: the program has stopped itself.
    Halted,
    /// Of what is shared: there are no more crashes.
    Crashed,
    /// Of the timers: so many.
    Timers(u32),
}

impl Ready {
    /// Appends the actions of a state; `None`, with `actions` as before, if something is not known yet.
    pub(crate) fn list(
        &self,
        system: &Erlang,
        state: &[u32],
        actions: &mut Vec<Action>,
    ) -> Option<()> {
        if self.n_slots != system.core.slots.len() {
            return None;
        }
        if self.acts(state, SHARED)? == Acts::Halted {
            return Some(());
        }
        let first = actions.len();
        let listed = self.list_all(state, actions);
        let listed = match &system.core.crashes {
            Some(_) => listed.and_then(|()| self.list_crashes(system, state, first, actions)),
            None => listed,
        };
        if listed.is_none() {
            actions.truncate(first);
        }
        listed
    }

    fn list_all(&self, state: &[u32], actions: &mut Vec<Action>) -> Option<()> {
        for &slot in &self.order {
            if state.get(slot as usize).is_none_or(|id| *id == 0) {
                continue;
            }
            let mut acts = self.acts(state, slot)?;
            if acts == Acts::Receives {
                acts = *self.receives.get(&pair(state, slot))?;
            }
            let kind = match acts {
                Acts::Step => STEP,
                Acts::TimesOut => TIMEOUT,
                Acts::Delivers => DELIVER,
                _ => continue,
            };
            actions.push(Action(kind << 56 | u64::from(slot)));
        }
        if let Acts::Timers(n) = self.acts(state, TIMERS)? {
            actions.extend((0..u64::from(n)).map(|index| Action(TIMER << 56 | index)));
        }
        Some(())
    }

    /// The crashes, and that there are no more of them: where races matter at any time, otherwise where nothing else can happen.
    fn list_crashes(
        &self,
        system: &Erlang,
        state: &[u32],
        first: usize,
        actions: &mut Vec<Action>,
    ) -> Option<()> {
        let shared = state[SHARED as usize];
        let before = actions.len();
        for &slot in &self.order {
            let id = state.get(slot as usize).copied().unwrap_or(0);
            if id != 0 && *self.crashes.get(&(id, shared))? {
                actions.push(Action(CRASH << 56 | u64::from(slot)));
            }
        }
        let is_over = self.acts(state, SHARED)? == Acts::Crashed;
        let may_cease = system.core.crashes.as_ref().is_some_and(|crashes| crashes.may_cease);
        let ceases = match system.core.for_races {
            true => !is_over,
            false => may_cease && before == first && actions.len() > before,
        };
        if ceases {
            actions.push(Action(NO_MORE_CRASHES << 56));
        }
        Some(())
    }

    fn acts(&self, state: &[u32], slot: u32) -> Option<Acts> {
        let acts = *self.acts.get(state[slot as usize] as usize)?;
        (acts != Acts::Unknown).then_some(acts)
    }

    /// Finds out all that listing the actions of a state needs.
    pub(crate) fn learn(&mut self, system: &Erlang, state: &[u32]) {
        if self.n_slots != system.core.slots.len() {
            (self.order, self.n_slots) = system.core.slots.in_order();
        }
        if system.core.crashes.is_some() {
            self.learn_crashes(system, state);
        }
        for (slot, &id) in state.iter().enumerate().filter(|(_, id)| **id != 0) {
            let at = id as usize;
            if at >= self.acts.len() {
                self.acts.resize(at + 1 + at / 2, Acts::Unknown);
            }
            if self.acts[at] == Acts::Unknown {
                self.acts[at] = acts_of(system.core.get(id));
            }
            if self.acts[at] == Acts::Receives {
                let key = pair(state, slot as u32);
                self.receives.entry(key).or_insert_with(|| received(system, state, id));
            }
        }
    }

    fn learn_crashes(&mut self, system: &Erlang, state: &[u32]) {
        let shared = state[SHARED as usize];
        for &id in state.iter().filter(|id| **id != 0) {
            let offers = || match system.core.get(id) {
                Component::Process(process) => {
                    system.core.offers_crash(process, system.shared(state))
                }
                _ => false,
            };
            self.crashes.entry((id, shared)).or_insert_with(offers);
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.acts.capacity() * size_of::<Acts>()
            + (self.receives.capacity() + self.crashes.capacity()) * 16
    }
}

/// A process's id and its inbox's, which is the slot after it.
fn pair(state: &[u32], slot: u32) -> (u32, u32) {
    let slot = slot as usize;
    (state[slot], state.get(slot + 1).copied().unwrap_or(0))
}

fn acts_of(component: &Component) -> Acts {
    match component {
        Component::Process(process) => match &process.control {
            Control::Calling { .. } | Control::Ending { .. } => Acts::Step,
            Control::Receiving { .. } => Acts::Receives,
            Control::Ended { .. } | Control::Stuck { .. } => Acts::Never,
        },
        Component::Channel(channel) if !channel.signals.is_empty() => Acts::Delivers,
        Component::Shared(shared) if shared.halted.is_some() => Acts::Halted,
        Component::Shared(shared) if shared.crashed.is_over => Acts::Crashed,
        Component::Timers(timers) => Acts::Timers(timers.timers.len() as u32),
        _ => Acts::Never,
    }
}

fn received(system: &Erlang, state: &[u32], id: u32) -> Acts {
    let Component::Process(process) = system.core.get(id) else {
        unreachable!("only processes receive")
    };
    match system.readiness(state, process) {
        Some(STEP) => Acts::Step,
        Some(_) => Acts::TimesOut,
        None => Acts::Never,
    }
}
