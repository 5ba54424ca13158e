//! What can happen in a state, found by what is known of its components.
//! Asked of every state there is, so it must cost no more than a look at each slot: what a component can do is found once,
//! what a receive makes of an inbox once per pair, and the order of slots once until there are more of them.
//! Invariant: the same actions as looking at the components themselves (`Erlang::readiness`), in the order of pids, then
//! channels, then timers, then crashes in the order of pids, never of slots.

use crate::events::actions::{CRASH, DELIVER, NO_MORE_CRASHES, STEP, TIMEOUT, TIMER};
use crate::system::Erlang;
use crate::world::component::{Component, Control};
use crate::world::slots::{SHARED, TIMERS};
use foresee_lts::Action;
use rustc_hash::FxHashMap;

/// What is known so far; ids are those of one system.
#[derive(Default)]
pub(crate) struct Ready {
    /// The slots of processes and channels, in order, each with its thread; all those below `n_slots`.
    order: Vec<(u32, u64)>,
    n_slots: u32,
    /// What each component can do, by id.
    acts: Vec<Acts>,
    /// What a process in a receive does with an inbox, by both ids.
    receives: FxHashMap<(u32, u32), Acts>,
    /// The timers that may fire, by the id of all timers; only where that is limited.
    timers: FxHashMap<u32, Box<[u32]>>,
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
    /// Of the timers: so many, each of which may fire.
    Timers(u32),
    /// Some of the timers may fire: `Ready::timers` says which.
    SomeTimers,
}

impl Ready {
    /// Appends the actions of a state; `None`, with `actions` as before, if something is not known yet.
    pub(crate) fn list(
        &self,
        system: &Erlang,
        state: &[u32],
        actions: &mut Vec<Action>,
    ) -> Option<()> {
        if !self.knows_slots_of(state) {
            return None;
        }
        if self.acts(state, SHARED)? == Acts::Halted {
            return Some(());
        }
        let first = actions.len();
        let listed = self.list_all(state, |action, _| actions.push(action));
        let listed = match &system.core.crashes {
            Some(_) => listed.and_then(|()| self.list_crashes(system, state, first, actions)),
            None => listed,
        };
        if listed.is_none() {
            actions.truncate(first);
        }
        listed
    }

    /// The same with threads.
    pub(crate) fn list_threads(
        &self,
        system: &Erlang,
        state: &[u32],
        enabled: &mut Vec<(Action, u64)>,
    ) -> Option<()> {
        if !self.knows_slots_of(state) {
            return None;
        }
        if self.acts(state, SHARED)? == Acts::Halted {
            return Some(());
        }
        let first = enabled.len();
        let listed = self.list_all(state, |action, thread| {
            let thread = thread.unwrap_or_else(|| system.timer_hash(state, action));
            enabled.push((action, thread));
        });
        if listed.is_none() {
            enabled.truncate(first);
        }
        listed
    }

    /// The action of a thread, or that it has none; nothing if something is not known yet.
    pub(crate) fn action_of(
        &self,
        system: &Erlang,
        state: &[u32],
        thread: u64,
    ) -> Option<Option<Action>> {
        if !self.knows_slots_of(state) {
            return None;
        }
        if self.acts(state, SHARED)? == Acts::Halted {
            return Some(None);
        }
        if let Some(&(slot, _)) = self.order.iter().find(|it| it.1 == thread) {
            return self.action_in(state, slot);
        }
        let mut found = None;
        self.each_timer(state, |action| {
            if found.is_none() && system.timer_hash(state, action) == thread {
                found = Some(action);
            }
        })?;
        Some(found)
    }

    /// Visits each action; with its thread, unless it is a timer.
    fn list_all(&self, state: &[u32], mut visit: impl FnMut(Action, Option<u64>)) -> Option<()> {
        for &(slot, thread) in &self.order {
            if let Some(action) = self.action_in(state, slot)? {
                visit(action, Some(thread));
            }
        }
        self.each_timer(state, |action| visit(action, None))
    }

    fn each_timer(&self, state: &[u32], mut visit: impl FnMut(Action)) -> Option<()> {
        let mut fires = |index: u32| visit(Action(TIMER << 56 | u64::from(index)));
        match self.acts(state, TIMERS)? {
            Acts::Timers(n) => (0..n).for_each(fires),
            Acts::SomeTimers => {
                self.timers.get(&state[TIMERS as usize])?.iter().for_each(|index| fires(*index));
            }
            _ => {}
        }
        Some(())
    }

    /// The crashes, and that there are no more of them: where crashes without effect are events, at any time, otherwise where nothing else can happen.
    fn list_crashes(
        &self,
        system: &Erlang,
        state: &[u32],
        first: usize,
        actions: &mut Vec<Action>,
    ) -> Option<()> {
        let shared = state[SHARED as usize];
        let before = actions.len();
        for &(slot, _) in &self.order {
            let id = state.get(slot as usize).copied().unwrap_or(0);
            if id != 0 && *self.crashes.get(&(id, shared))? {
                actions.push(Action(CRASH << 56 | u64::from(slot)));
            }
        }
        let is_over = self.acts(state, SHARED)? == Acts::Crashed;
        let may_cease = system.core.crashes.as_ref().is_some_and(|crashes| crashes.may_cease);
        let ceases = match system.core.rules.crashes_without_effect {
            true => !is_over,
            false => may_cease && before == first && actions.len() > before,
        };
        if ceases {
            actions.push(Action(NO_MORE_CRASHES << 56));
        }
        Some(())
    }

    /// What the process or channel in a slot can do; nothing if that is not known yet.
    fn action_in(&self, state: &[u32], slot: u32) -> Option<Option<Action>> {
        if state.get(slot as usize).is_none_or(|id| *id == 0) {
            return Some(None);
        }
        let mut acts = self.acts(state, slot)?;
        if acts == Acts::Receives {
            acts = *self.receives.get(&pair(state, slot))?;
        }
        let kind = match acts {
            Acts::Step => STEP,
            Acts::TimesOut => TIMEOUT,
            Acts::Delivers => DELIVER,
            _ => return Some(None),
        };
        Some(Some(Action(kind << 56 | u64::from(slot))))
    }

    /// Whether the slots that a state has are in order. Other threads may have made more since, which this state does not have.
    fn knows_slots_of(&self, state: &[u32]) -> bool {
        state.len() <= self.n_slots as usize
    }

    fn acts(&self, state: &[u32], slot: u32) -> Option<Acts> {
        let acts = *self.acts.get(state[slot as usize] as usize)?;
        (acts != Acts::Unknown).then_some(acts)
    }

    /// Finds out all that listing the actions of a state needs.
    pub(crate) fn learn(&mut self, system: &Erlang, state: &[u32]) {
        self.learn_slots(system);
        if system.core.crashes.is_some() {
            self.learn_crashes(system, state);
        }
        (0..state.len() as u32).for_each(|slot| self.learn_of(system, state, slot));
    }

    /// Puts the slots that are new in their places.
    fn learn_slots(&mut self, system: &Erlang) {
        let slots = &system.core.slots;
        let n_slots = slots.len();
        let new = (self.n_slots..n_slots).filter(|slot| slots.rank(*slot).is_some());
        let mut new: Vec<u32> = new.collect();
        let by_rank = |slot: &u32| slots.rank(*slot);
        new.sort_by_key(by_rank);
        let mut at = 0;
        for slot in new {
            let is_before = |own: &(u32, u64)| slots.rank(own.0) < slots.rank(slot);
            at += self.order[at..].partition_point(is_before);
            let thread = system.thread_in(slot).expect("a process or a channel");
            self.order.insert(at, (slot, thread));
        }
        self.n_slots = n_slots;
    }

    /// What the process or channel in a slot can do, found out if need be.
    pub(crate) fn learnt(&mut self, system: &Erlang, state: &[u32], slot: u32) -> Option<Action> {
        if (slot as usize) < state.len() {
            self.learn_of(system, state, slot);
        }
        self.action_in(state, slot).expect("just learnt")
    }

    fn learn_of(&mut self, system: &Erlang, state: &[u32], slot: u32) {
        let id = state[slot as usize];
        if id == 0 {
            return;
        }
        let at = id as usize;
        if at >= self.acts.len() {
            self.acts.resize(at + 1 + at / 2, Acts::Unknown);
        }
        if self.acts[at] == Acts::Unknown {
            self.acts[at] = acts_of(system.core.get(id));
            if let Component::Timers(timers) = system.core.get(id)
                && !system.core.firing.is_free()
            {
                self.acts[at] = Acts::SomeTimers;
                self.timers.insert(id, system.core.firing.ready(timers));
            }
        }
        if self.acts[at] == Acts::Receives {
            let key = pair(state, slot);
            self.receives.entry(key).or_insert_with(|| received(system, state, id));
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
            Control::Ended { .. } | Control::Stuck(_) => Acts::Never,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Options, SourceText, load};
    use foresee_erlang_syntax::no_includes;
    use foresee_lts::System;

    /// A thread that has learnt of a state may find that another has made a process before it lists the state's actions.
    #[test]
    fn a_slot_made_by_another_thread_is_not_missed() {
        let text = "-module(m).\n-export([test/0]).\ntest() -> spawn(fun() -> ok end).\n";
        let file = SourceText { path: "m.erl", text };
        let loaded = load(&[file], &Default::default(), &mut no_includes);
        let program = loaded.program.expect("sound");
        let system = Erlang::new(program, Entry::new("m", "test"), Options::default());
        let start = system.initial().remove(0);
        let mut ready = Ready::default();
        ready.learn(&system, &start);
        let mut before = Vec::new();
        ready.list(&system, &start, &mut before).expect("learnt");
        let n_slots = system.core.slots.len();
        let next = system.step(&start, before[0]);
        assert!(system.core.slots.len() > n_slots, "a process was made");
        let mut after = Vec::new();
        ready.list(&system, &start, &mut after).expect("nothing of this state is new");
        assert_eq!(after, before);
        assert!(ready.list(&system, &next, &mut after).is_none(), "its slots are not known");
    }
}
