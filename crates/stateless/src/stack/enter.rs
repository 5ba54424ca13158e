//! One event further: adding it to the run, and the frame of the state to which it leads.
//! Here the stack asks what is known of that state: what can happen there. Sleepers are inherited by it if they sleep on.

use super::{Branches, Enabled, Frame, Stack};
use crate::graph::Edge;
use crate::index::{EventIdx, Idx, NodeIdx};
use crate::known::Known;
use crate::race::{Reversals, extend};
use crate::sequence::Pending;
use crate::setup::Setup;
use crate::sleep_set;
use foresee_lts::Action;
use smallvec::SmallVec;

impl Stack {
    /// Adds the event of an edge from the last frame, for a visit, and finds its races. Its frame is to be entered next.
    pub(crate) fn add_event(
        &mut self,
        setup: &Setup<'_>,
        edge: &Edge,
        action: Action,
        visit: u64,
        reversals: &mut Reversals,
    ) {
        self.frames[self.run.end()].visit = visit;
        extend(&mut self.run, setup.rules, &edge.step, action, reversals);
    }

    /// Adds the frame of a state, to which the last event of the run leads.
    pub(crate) fn enter(
        &mut self,
        setup: &Setup<'_>,
        known: &mut Known,
        node: NodeIdx,
        branches: Branches,
        allowance: u32,
    ) {
        let sleepers = self.sleepers.len();
        if setup.has_sleep_sets()
            && let Some(depth) = self.run.end().previous()
        {
            self.inherit_sleepers(setup, depth);
        }
        let enabled = self.actions.len();
        if let Some(Enabled { actions, threads }) = known.enabled(node) {
            self.actions.extend_from_slice(actions);
            self.threads.extend_from_slice(threads);
        } else {
            self.list_actions(setup, known, node);
            let (actions, threads) = (&self.actions[enabled..], &self.threads[enabled..]);
            known.set_enabled(node, Enabled { actions, threads });
        }
        let state = self.states.len();
        self.states.extend_from_slice(known.state(node));
        self.frames.push(Frame {
            // In a shared state only what is pending is run.
            is_fresh: branches.is_own(),
            branches,
            visit: 0,
            node: Some(node),
            state,
            done: self.done.end(),
            enabled,
            sleepers,
            allowance,
            n_done: 0,
            n_runs: 0,
        });
    }

    /// Adds the actions of a state, with the indices of their threads.
    fn list_actions(&mut self, setup: &Setup<'_>, known: &Known, node: NodeIdx) {
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        let end = self.actions.len();
        let mut before = self.frames.last().map_or(end, |frame| frame.enabled);
        setup.list_enabled(known.state(node), &mut listed);
        for &(_, thread) in &listed {
            // Mostly the same threads in the same order as one event ago: their indices need not be looked up.
            let same = self.actions[before..end].iter().position(|it| it.1 == thread);
            let thread = match same {
                Some(skipped) => {
                    before += skipped + 1;
                    self.threads[before - 1]
                }
                None => {
                    let thread = known.thread(thread);
                    self.run.reserve_thread(thread);
                    self.is_confused |= self.threads[end..].contains(&thread);
                    thread
                }
            };
            self.threads.push(thread);
        }
        self.actions.extend_from_slice(&listed);
        self.listed = listed;
    }

    /// What still sleeps after the event from the frame at `depth`.
    fn inherit_sleepers(&mut self, setup: &Setup<'_>, depth: EventIdx) {
        let event = Pending::again(depth, &self.run.events[depth]);
        for at in self.frames[depth].sleepers..self.sleepers.len() {
            let sleeper = self.sleepers[at];
            let step = &self.done[sleeper.step];
            let is_patient = setup.is_optimal();
            if let Some(sleeper) = sleep_set::after(setup.rules, is_patient, sleeper, step, &event)
            {
                self.sleepers.push(sleeper);
            }
        }
    }

    /// The threads that were enabled at `depth`, the frame before the last, and are not after the event from there.
    pub(crate) fn disabled_from(&self, depth: EventIdx) -> SmallVec<[u64; 4]> {
        let (before, after) = (self.enabled_at(depth), self.enabled_at(depth.next()));
        let ran = self.run.step(depth).thread;
        let mut place = 0;
        let mut gone = SmallVec::new();
        for &(_, thread) in before.actions {
            // Both are in the system's order, so the next one is nearly always there.
            if after.actions.get(place).is_some_and(|it| it.1 == thread) {
                place += 1;
            } else if let Some(at) = after.actions.iter().position(|it| it.1 == thread) {
                place = at + 1;
            } else if thread != ran {
                gone.push(thread);
            }
        }
        gone
    }
}
