//! What is pending at a state that the runs of several workers go through.
//! One worker explores the branches of a state one after the other; a branch sleeps on those before it, and what is found in
//! one may still be pending for a later one, which it then guides. Workers take branches at the same time, in the same order. So
//! a branch that was taken stays where it is, with all that is pending below it, until the exploration ends: what is found in an
//! earlier branch can still be inserted below. Down to where? A sequence that is pending leads to a state in which nothing
//! sleeps; what comes after that is complete in itself, and needs nothing from outside. Only the states on the way there are
//! kept.
//! Then everything is as for one worker: what a run finds is covered by the branches taken before its own, and inserted in
//! those after it; and every trace is explored exactly once.
//! What has been inserted below a branch that a worker has left already is explored by whoever comes by next: each state
//! knows how many branches are open there and below.
//! Not here: giving work away (`fork`), threads (`pool`).

use crate::index::{BranchIdx, Idx, Table};
use crate::initial::{Standing, standing};
use crate::race::Rules;
use crate::sequence::Sequence;
use crate::step::Step;
use crate::wakeup_tree::WakeupTree;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A state that several workers may go through.
#[derive(Debug)]
pub(crate) struct Common {
    owed: Mutex<Owed>,
    parent: Option<Arc<Common>>,
    /// Branches not yet taken, here and below.
    n_open: AtomicUsize,
}

#[derive(Debug)]
pub(crate) struct Owed {
    /// Branches not yet taken.
    pub(crate) tree: WakeupTree,
    /// The branches taken, in order.
    pub(crate) taken: Table<BranchIdx, Taken>,
}

#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) step: Arc<Step>,
    /// The state it leads to, unless that is complete in itself.
    pub(crate) then: Option<Arc<Common>>,
}

impl Common {
    /// A state without branches taken, or with some that are complete in themselves.
    pub(crate) fn new(
        parent: Option<Arc<Common>>,
        tree: WakeupTree,
        taken: Vec<Arc<Step>>,
    ) -> Arc<Common> {
        let n_open = tree.len();
        let mut owed = Owed { tree, taken: Table::default() };
        for step in taken {
            owed.taken.push(Taken { step, then: None });
        }
        let owed = Mutex::new(owed);
        let common = Arc::new(Common { owed, parent, n_open: AtomicUsize::new(0) });
        common.open(n_open);
        common
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Owed> {
        // A worker that panics takes the whole exploration with it; what it left behind is not used.
        self.owed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is a branch to take, here or below.
    pub(crate) fn is_open(&self) -> bool {
        self.n_open.load(SeqCst) > 0
    }

    fn open(&self, n: usize) {
        let mut here = Some(self);
        while let Some(common) = here {
            common.n_open.fetch_add(n, SeqCst);
            here = common.parent.as_deref();
        }
    }

    /// A branch was taken.
    pub(crate) fn close(&self) {
        let mut here = Some(self);
        while let Some(common) = here {
            common.n_open.fetch_sub(1, SeqCst);
            here = common.parent.as_deref();
        }
    }

    /// As [`WakeupTree::insert`], for a run that goes through the branch `own`, from the branches after that on.
    pub(crate) fn insert(
        self: &Arc<Self>,
        rules: Rules<'_>,
        own: BranchIdx,
        sequence: &mut Sequence<'_>,
    ) {
        let mut common = Arc::clone(self);
        let mut first = own.next();
        loop {
            let mut owed = common.lock();
            let place = first.until(owed.taken.end()).find(|&place| {
                match standing(rules, &owed.taken[place].step, None, sequence) {
                    Standing::Behind => false,
                    Standing::Beside => true,
                    Standing::Within(at) => {
                        sequence.remove(at);
                        true
                    }
                }
            });
            let Some(place) = place else {
                let n_branches = owed.tree.len();
                owed.tree.insert(rules, sequence);
                #[cfg(debug_assertions)]
                owed.tree.assert_ordered(rules);
                let n_new = owed.tree.len() - n_branches;
                if n_new > 0 {
                    common.open(n_new);
                }
                return;
            };
            let Some(then) = owed.taken[place].then.clone() else { return };
            drop(owed);
            (common, first) = (then, BranchIdx::default());
        }
    }
}
