//! Branches that workers share: making those of a frame common, and taking the next of them.
//! Invariant: the frames that are common are the first ones of the stack, and each is where the branch of the one before it
//! leads.
//! Not here: what is common (`shared_branches`), who takes it (`pool`).

use super::{Branches, Stack};
use crate::index::{BranchIdx, EventIdx, Idx};
use crate::known::Known;
use crate::setup::Setup;
use crate::shared_branches::{Common, Taken};
use crate::sleep_set::Sleeper;
use std::sync::Arc;

impl Stack {
    /// The same run with the same pending, for an explorer that knows no state yet.
    pub(crate) fn twin(&self) -> Stack {
        let mut twin = self.clone();
        twin.forget_nodes();
        twin
    }

    /// The first frame with pending branches before the end of the run.
    pub(crate) fn first_owing(&self) -> Option<EventIdx> {
        let is_owing = |depth: &EventIdx| self.branches(*depth).n_owed().1 > 0;
        EventIdx::default().until(self.run.end()).find(is_owing)
    }

    /// Makes what is pending at all frames down to `depth` common to all who go through them.
    pub(crate) fn share_down_to(&mut self, depth: EventIdx) {
        EventIdx::default().until(depth.next()).for_each(|at| self.share(at));
    }

    fn share(&mut self, depth: EventIdx) {
        if !self.branches(depth).is_own() {
            return;
        }
        let mut taken = self.done_at(depth).to_vec();
        let own = BranchIdx::new(taken.len());
        taken.push(Arc::clone(self.run.step(depth)));
        let above = depth.previous().and_then(|above| self.branches(above).common());
        let parent = above.map(|(common, branch)| (Arc::clone(common), branch));
        let branches = self.branches_mut(depth);
        let Branches::Own(tree) = std::mem::replace(branches, Branches::none()) else { return };
        let common = Common::new(parent.as_ref().map(|it| Arc::clone(&it.0)), tree, taken);
        *branches = Branches::Common(Arc::clone(&common), own);
        if let Some((parent, branch)) = parent {
            parent.lock().taken[branch].then = Some(common);
        }
    }

    /// The thread that is pending at the last frame and runs next, and what is pending after it.
    pub(crate) fn take_branch(
        &mut self,
        setup: &Setup<'_>,
        known: &mut Known,
        depth: EventIdx,
    ) -> Option<(u64, Branches)> {
        match self.branches_mut(depth) {
            Branches::Own(tree) => {
                let branch = tree.next()?;
                Some((branch.step.thread, Branches::Own(branch.then)))
            }
            Branches::Common(common, _) => {
                let common = Arc::clone(common);
                self.take_common(setup, known, depth, &common)
            }
        }
    }

    fn take_common(
        &mut self,
        setup: &Setup<'_>,
        known: &mut Known,
        depth: EventIdx,
        common: &Arc<Common>,
    ) -> Option<(u64, Branches)> {
        let mut owed = common.lock();
        let Some(branch) = owed.tree.next() else {
            // Something may be open below a branch that was taken.
            let is_open = |it: &Taken| it.then.as_ref().is_some_and(|then| then.is_open());
            let place = BranchIdx::new(owed.taken.iter().position(is_open)?);
            let then = owed.taken[place].then.clone().expect("it is open");
            self.sleep_on(depth, owed.taken.before(place));
            *self.branches_mut(depth) = Branches::Common(Arc::clone(common), place);
            let thread = owed.taken[place].step.thread;
            return Some((thread, Branches::Common(then, BranchIdx::default())));
        };
        let thread = branch.step.thread;
        let action = self.action_of(depth, thread).expect("what is owed can run");
        let node = self.node_at(known, depth);
        let at = known.transition(setup, node, thread, Some(action));
        let step = Arc::clone(&known.edge(at.expect("an action does something")).step);
        let place = owed.taken.end();
        self.sleep_on(depth, owed.taken.before(place));
        *self.branches_mut(depth) = Branches::Common(Arc::clone(common), place);
        let is_end = branch.then.is_empty();
        let then =
            (!is_end).then(|| Common::new(Some(Arc::clone(common)), branch.then, Vec::new()));
        owed.taken.push(Taken { step, then: then.clone() });
        common.close();
        let below = |then| Branches::Common(then, BranchIdx::default());
        Some((thread, then.map_or_else(Branches::none, below)))
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
            self.sleep(true, depth, Arc::clone(step));
        }
    }
}
