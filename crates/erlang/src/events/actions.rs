//! What can happen in a state, as numbers, and what the numbers mean.
//! Not here: finding them fast (`crate::events::ready`).

use crate::events::ready::Ready;
use crate::system::Erlang;
use crate::term::Pid;
use crate::world::component::{Component, Control, Process};
use crate::world::slots::SlotKey;
use foresee_lts::{Action, Actor, Origin};
use foresee_stdx::mix;

/// What an action does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Move {
    /// A process does what it is about to do.
    Process(Pid),
    /// Its receive times out.
    Timeout(Pid),
    /// The channel delivers its oldest signal.
    Deliver(Pid, Pid),
    /// The timer at that index fires.
    Timer(usize),
    /// The process crashes.
    Crash(Pid),
    /// There are no more crashes.
    NoMoreCrashes,
}

pub(crate) const STEP: u64 = 0;
pub(crate) const TIMEOUT: u64 = 1;
pub(crate) const DELIVER: u64 = 2;
pub(crate) const TIMER: u64 = 3;
pub(crate) const CRASH: u64 = 4;
pub(crate) const NO_MORE_CRASHES: u64 = 5;

/// The slot of the process or channel that does what an action, by its number, says.
pub(crate) fn own_slot(action: u64) -> Option<u32> {
    match action >> 56 {
        TIMER | NO_MORE_CRASHES => None,
        _ => Some(action as u32),
    }
}

impl Erlang {
    /// Appends what can happen in a state.
    pub(crate) fn actions(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.with_ready(state, |ready| ready.list(self, state, actions));
    }

    /// What is asked of what is known of the components of a state, learnt if need be.
    pub(crate) fn with_ready<R>(
        &self,
        state: &[u32],
        mut ask: impl FnMut(&Ready) -> Option<R>,
    ) -> R {
        if let Some(answer) = ask(&self.ready.read()) {
            return answer;
        }
        let mut ready = self.ready.write();
        ready.learn(self, state);
        ask(&ready).expect("all that is needed was learnt")
    }

    /// What kind of action a process has in a state.
    pub(crate) fn readiness(&self, state: &[u32], process: &Process) -> Option<u64> {
        match &process.control {
            Control::Calling { .. } | Control::Ending { .. } => Some(STEP),
            Control::Receiving { timeout, .. } => {
                if self.first_match(state, process.pid).is_some() {
                    Some(STEP)
                } else {
                    let ends = self.may_time_out(timeout) || self.sleeps(process, timeout);
                    ends.then_some(TIMEOUT)
                }
            }
            Control::Ended { .. } | Control::Stuck(_) => None,
        }
    }

    /// What an action means.
    pub fn decode(&self, state: &[u32], action: Action) -> Move {
        let (kind, low) = (action.0 >> 56, (action.0 & 0xFFFF_FFFF) as u32);
        match (kind, self.slot_key(kind, low)) {
            (STEP, Some(SlotKey::Process(pid))) => Move::Process(pid),
            (TIMEOUT, Some(SlotKey::Process(pid))) => Move::Timeout(pid),
            (DELIVER, Some(SlotKey::Channel(from, to))) => Move::Deliver(from, to),
            (TIMER, _) => Move::Timer(low as usize),
            (CRASH, Some(SlotKey::Process(pid))) => Move::Crash(pid),
            (NO_MORE_CRASHES, _) => Move::NoMoreCrashes,
            _ => unreachable!("an action that was not offered in state {state:?}"),
        }
    }

    fn slot_key(&self, kind: u64, low: u32) -> Option<SlotKey> {
        (!matches!(kind, TIMER | NO_MORE_CRASHES)).then(|| self.core.slots.key(low))
    }

    pub(crate) fn actor_of(&self, state: &[u32], action: Action) -> Actor {
        match action.0 >> 56 {
            TIMER => Actor(self.timer_hash(state, action) as u32 | 1 << 31),
            CRASH => Actor(action.0 as u32 | 1 << 30),
            NO_MORE_CRASHES => Actor(u32::MAX >> 1),
            _ => Actor(action.0 as u32),
        }
    }

    /// The actor of a process's events, if there has been such a process.
    pub fn actor_of_process(&self, pid: Pid) -> Option<Actor> {
        self.core.slots.find(SlotKey::Process(pid)).map(Actor)
    }

    /// The process, channel or timer whose action it is, by a number that is the same in every run.
    pub(crate) fn thread_of(&self, state: &[u32], action: Action) -> u64 {
        match self.decode(state, action) {
            Move::Process(pid) | Move::Timeout(pid) => pid.content_hash(),
            Move::Deliver(from, to) => mix(from.content_hash()) ^ to.content_hash(),
            Move::Timer(_) => self.timer_hash(state, action),
            Move::Crash(pid) => mix(pid.content_hash() ^ CRASH),
            Move::NoMoreCrashes => mix(NO_MORE_CRASHES),
        }
    }

    /// Whose event it is and whose signal. What a receive waits for in vain, and what a timer or a crash brings, was asked for by nobody.
    pub(crate) fn origin_of(&self, state: &[u32], action: Action) -> Origin {
        match self.decode(state, action) {
            Move::Process(pid) => Origin::of(pid.content_hash()),
            Move::Timeout(pid) | Move::Crash(pid) => Origin::of(pid.content_hash()).unasked(),
            Move::Deliver(from, to) => Origin::of(to.content_hash()).from(from.content_hash()),
            Move::Timer(_) | Move::NoMoreCrashes => {
                Origin::of(self.thread_of(state, action)).unasked()
            }
        }
    }

    /// The thread of the process or channel that lives in a slot.
    pub(crate) fn thread_in(&self, slot: u32) -> Option<u64> {
        match self.core.slots.key(slot) {
            SlotKey::Process(pid) => Some(pid.content_hash()),
            SlotKey::Channel(from, to) => Some(mix(from.content_hash()) ^ to.content_hash()),
            _ => None,
        }
    }

    pub(crate) fn timer_hash(&self, state: &[u32], action: Action) -> u64 {
        let index = (action.0 & 0xFFFF_FFFF) as usize;
        let timer = self.timers(state).timers.get(index);
        timer.map_or(0, |timer| timer.reference.content_hash())
    }

    /// The process that is in the receive which is an action, with its id.
    pub(crate) fn receiver(&self, state: &[u32], action: Action) -> Option<(u32, &Process)> {
        if !matches!(action.0 >> 56, STEP | TIMEOUT) {
            return None;
        }
        let slot = action.0 as u32;
        match self.component(state, slot) {
            Some(Component::Process(process)) => {
                let receives = matches!(process.control, Control::Receiving { .. });
                receives.then_some((state[slot as usize], &**process))
            }
            _ => None,
        }
    }
}
