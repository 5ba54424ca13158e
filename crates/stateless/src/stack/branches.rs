//! What is pending at a state of the run: for one explorer alone, or for all workers that go through the state.
//! Not here: the trees (`wakeup_tree`), what workers have in common (`shared_branches`).

use crate::index::BranchIdx;
use crate::observed::{ObservationId, ObservedLine};
use crate::race::Rules;
use crate::sequence::Sequence;
use crate::shared_branches::Common;
use crate::step::Step;
use crate::wakeup_tree::WakeupTree;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) enum Branches {
    Own(WakeupTree),
    /// Other workers go through this state too; and which of the branches taken is the run's.
    Common(Arc<Common>, BranchIdx),
}

impl Branches {
    /// Nothing in particular is pending.
    pub(crate) fn none() -> Self {
        Branches::Own(WakeupTree::default())
    }

    pub(super) fn common(&self) -> Option<(&Arc<Common>, BranchIdx)> {
        match self {
            Branches::Own(_) => None,
            Branches::Common(common, branch) => Some((common, *branch)),
        }
    }

    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Branches::Own(_))
    }

    /// Whether something is pending at the state, or at a shared state below it.
    pub(crate) fn is_owing(&self) -> bool {
        match self {
            Branches::Own(tree) => !tree.is_empty(),
            Branches::Common(common, _) => common.is_open(),
        }
    }

    /// How many sequences are pending, and from how many branches.
    pub(crate) fn n_owed(&self) -> (u64, usize) {
        let count = |tree: &WakeupTree| (tree.n_leaves(), tree.len());
        match self {
            Branches::Own(tree) => count(tree),
            Branches::Common(common, _) => count(&common.lock().tree),
        }
    }

    /// Whether a branch that is pending begins with a thread.
    pub(crate) fn has_thread(&self, thread: u64) -> bool {
        self.own().threads().any(|it| it == thread)
    }

    /// Adds a branch of one thread, after which anything may come.
    pub(crate) fn push_thread(&mut self, thread: u64) {
        self.own_mut().push(Step::of_thread(thread));
    }

    /// As [`WakeupTree::insert`].
    pub(crate) fn insert(&mut self, rules: Rules<'_>, sequence: &mut Sequence<'_>) {
        match self {
            Branches::Own(tree) => {
                tree.insert(rules, sequence);
                #[cfg(debug_assertions)]
                tree.assert_ordered(rules);
            }
            Branches::Common(common, branch) => common.insert(rules, *branch, sequence),
        }
    }

    /// Whether these are this explorer's own, and only races of this observation are pending.
    pub(crate) fn has_only(&self, observation: ObservationId) -> bool {
        matches!(self, Branches::Own(tree) if tree.has_only(observation))
    }

    /// As [`WakeupTree::add_observed`], if [`Branches::has_only`].
    pub(crate) fn add_observed(
        &mut self,
        observation: ObservationId,
        step: &Arc<Step>,
        line: ObservedLine,
    ) {
        self.own_mut().add_observed(observation, step, line);
    }

    #[cfg(debug_assertions)]
    pub(crate) fn assert_none_begins(&self, rules: Rules<'_>, sequence: &Sequence<'_>) {
        self.own().assert_none_begins(rules, sequence);
    }

    fn own(&self) -> &WakeupTree {
        match self {
            Branches::Own(tree) => tree,
            Branches::Common(..) => unreachable!("only asked where no worker shares the state"),
        }
    }

    fn own_mut(&mut self) -> &mut WakeupTree {
        match self {
            Branches::Own(tree) => tree,
            Branches::Common(..) => unreachable!("only asked where no worker shares the state"),
        }
    }
}
