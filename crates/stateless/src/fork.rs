//! Giving work away: an explorer that goes on from a state of another's run.
//! Everything above that state is common to both from then on (`shared_branches`); below it each has its own.
//! Invariant: the frames that are common are the first ones of the stack, and each is where the branch of the one before it
//! leads.
//! Not here: who gets the work (`pool`).

use crate::explore::{Explorer, Then};
use crate::index::{BranchIdx, EventIdx, Idx};
use crate::shared_branches::{Common, Taken};
use crate::sleep_set::Sleeper;
use crate::wakeup_tree::WakeupTree;
use std::sync::Arc;

impl<'a> Explorer<'a> {
    /// The same exploration at the same point, with nothing in common.
    pub(crate) fn twin(&self) -> Explorer<'a> {
        let mut twin = Explorer::new(self.rules.system, self.config);
        twin.numbers = Arc::clone(&self.numbers);
        twin.run = self.run.clone();
        twin.frames = self.frames.clone();
        // It has a graph of its own.
        twin.frames.iter_mut().for_each(|frame| frame.node = None);
        twin.states.clone_from(&self.states);
        twin.actions.clone_from(&self.actions);
        twin.threads.clone_from(&self.threads);
        twin.done.clone_from(&self.done);
        twin.sleepers.clone_from(&self.sleepers);
        twin.kept.clone_from(&self.kept);
        // What is pending already has none of the numbers to come.
        twin.n_observations = self.n_observations;
        twin.settled = self.settled.empty();
        twin.faults.clone_from(&self.faults);
        twin
    }

    /// An explorer that takes branches that are pending at the first state that has any; for when a run has ended.
    pub(crate) fn fork(&mut self) -> Option<Explorer<'a>> {
        let is_owing = |depth: &EventIdx| self.frames[*depth].n_owed().1 > 0;
        let depth = EventIdx::default().until(self.run.end()).find(is_owing)?;
        for at in EventIdx::default().until(depth.next()) {
            self.make_common(at);
        }
        let mut twin = self.twin();
        while twin.run.end() > depth {
            twin.undo();
        }
        twin.kept.retain(|it| it.is_before(depth));
        Some(twin)
    }

    fn make_common(&mut self, depth: EventIdx) {
        if self.frames[depth].common.is_some() {
            return;
        }
        let above = depth.previous().map(|above| &self.frames[above]);
        let parent = above.and_then(|frame| Some((frame.common.clone()?, frame.branch)));
        let mut taken = self.done_at(depth).to_vec();
        let branch = BranchIdx::new(taken.len());
        taken.push(Arc::clone(self.run.step(depth)));
        let tree = std::mem::take(&mut self.frames[depth].tree);
        let common = Common::new(parent.as_ref().map(|it| Arc::clone(&it.0)), tree, taken);
        if let Some((parent, branch)) = parent {
            parent.lock().taken[branch].then = Some(Arc::clone(&common));
        }
        let frame = &mut self.frames[depth];
        (frame.branch, frame.common) = (branch, Some(common));
    }

    /// The thread that is pending at the last frame and runs next, and what is pending after it.
    pub(crate) fn take_branch(&mut self, depth: EventIdx) -> Option<(u64, Then)> {
        let Some(common) = self.frames[depth].common.clone() else {
            let branch = self.frames[depth].tree.next()?;
            return Some((branch.step.thread, Then::Own(branch.then)));
        };
        let mut owed = common.lock();
        let Some(branch) = owed.tree.next() else {
            // Something may be open below a branch that was taken.
            let is_open = |it: &Taken| it.then.as_ref().is_some_and(|then| then.is_open());
            let place = BranchIdx::new(owed.taken.iter().position(is_open)?);
            let then = owed.taken[place].then.clone().expect("it is open");
            self.sleep_on(depth, owed.taken.before(place));
            self.frames[depth].branch = place;
            return Some((owed.taken[place].step.thread, Then::Common(then)));
        };
        let thread = branch.step.thread;
        let action = self.action_of(depth, thread).expect("what is owed can run");
        let node = self.node_at(depth);
        let at = self.transition(node, thread, Some(action)).expect("an action does something");
        let step = Arc::clone(&self.graph.edge(at).step);
        self.sleep_on(depth, owed.taken.before(owed.taken.end()));
        self.frames[depth].branch = owed.taken.end();
        let is_end = branch.then.is_empty();
        let then =
            (!is_end).then(|| Common::new(Some(Arc::clone(&common)), branch.then, Vec::new()));
        owed.taken.push(Taken { step, then: then.clone() });
        common.close();
        Some((thread, then.map_or_else(|| Then::Own(WakeupTree::default()), Then::Common)))
    }

    /// Of the branches from the last frame, exactly these come before the one to be run.
    fn sleep_on(&mut self, depth: EventIdx, taken: &[Taken]) {
        let frame = &self.frames[depth];
        self.done.truncate(frame.done);
        let first = frame.sleepers;
        let is_inherited = |it: &&Sleeper| it.since < depth;
        let n_inherited = self.sleepers[first..].iter().take_while(is_inherited).count();
        self.sleepers.truncate(first + n_inherited);
        for Taken { step, .. } in taken {
            let step = self.done.push(Arc::clone(step));
            self.sleepers.push(Sleeper { since: depth, step, ran: None });
        }
    }

    /// Forgets everything that is still pending: another worker has explored it.
    pub(crate) fn abandon(&mut self) {
        while !self.frames.is_empty() {
            let frame = self.frames.last_mut().expect("not empty");
            frame.tree = WakeupTree::default();
            self.undo();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::explore::Explorer;
    use crate::lab::Lab;
    use crate::lab::programs::{FLAVOURS, generated, last_zero};
    use crate::lab::traces::{Trace, everything, trace_of};
    use crate::{Config, Ignore};
    use foresee_lts::System;
    use foresee_stdx::Random;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    /// Several explorers that take turns as chance will have it, between runs and between a run and what is made of its races.
    fn explore_together(lab: &Lab, config: &Config, random: &mut Random) -> Vec<Trace> {
        let initial = lab.initial().remove(0);
        let mut first = Explorer::new(lab, config);
        first.start(initial.clone());
        let mut explorers = vec![(first, false)];
        let mut traces = Vec::new();
        while !explorers.is_empty() {
            let at = random.below(explorers.len() as u64) as usize;
            let (explorer, has_run) = &mut explorers[at];
            if std::mem::replace(has_run, !*has_run) {
                explorer.plan();
                let forked = random.chance(0.5).then(|| explorer.fork()).flatten();
                explorers.extend(forked.map(|forked| (forked, false)));
            } else if explorer.run_to_end().is_some() {
                let actions: Vec<_> = explorer.run.events.iter().map(|it| it.action).collect();
                traces.push(trace_of(lab, config.observers, &initial, &actions));
            } else {
                explorers.swap_remove(at);
            }
        }
        traces
    }

    #[test]
    fn explorers_that_share_a_tree_explore_every_trace_once() {
        let ignore: Ignore = Arc::new(|_, _| true);
        let config = |observers| Config {
            observers,
            ignore: Some(Arc::clone(&ignore)),
            ..Config::default()
        };
        for flavour in FLAVOURS {
            for seed in 0..SEEDS {
                let lab = generated(flavour, seed);
                for observers in [true, false] {
                    let Some(truth) = everything(&lab, observers, 1_000) else { continue };
                    for chance in 0..3 {
                        let random = &mut Random::new(seed * 3 + chance);
                        let traces = explore_together(&lab, &config(observers), random);
                        let name = format!("{flavour:?} {seed} {chance} {observers}\n{lab:#?}");
                        assert_eq!(traces.len(), truth.traces.len(), "{name}");
                        assert_eq!(
                            traces.into_iter().collect::<BTreeSet<_>>(),
                            truth.traces,
                            "{name}"
                        );
                    }
                }
            }
        }
    }

    const SEEDS: u64 = 150;

    #[test]
    fn a_larger_tree_is_shared() {
        let lab = last_zero(7);
        let traces = explore_together(&lab, &Config::default(), &mut Random::new(7));
        assert_eq!(traces.len(), 320);
        assert_eq!(traces.into_iter().collect::<BTreeSet<_>>().len(), 320);
    }
}
