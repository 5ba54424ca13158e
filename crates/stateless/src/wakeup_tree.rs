//! Wakeup trees: the orders still pending after an explored prefix.
//! Why: with source sets alone a run may start and turn out redundant half way. Remembering the whole sequence that
//! reverses a race makes every run we start a new one.
//! Paper: Abdulla et al., "Source Sets" (JACM 2017). Its `wut(E)` is a frame's `tree`, its `insert_[E](v, B)` is
//! [`WakeupTree::insert`]. The branch being explored is not in the tree any more: it is the run.
//! A run of n events may lead to n² pending sequences, most of which nothing is ever inserted into: one that stands alone is kept as a
//! line of steps and becomes branches only as far as somebody goes along it.
//! Invariant: if leaf `w` comes after sibling step `p`, then `p` is not a weak initial of `w` (`assert_ordered`).
//! Not here: finding races (`race`), running programs (`explore`). Start with `WakeupTree::insert`.

use crate::initial::{Standing, standing};
use crate::race::Rules;
#[cfg(debug_assertions)]
use crate::sequence::Pending;
use crate::sequence::Sequence;
use crate::step::{NONE, Step};
use std::collections::VecDeque;
use std::sync::Arc;

/// What is to be explored after a prefix, first branches first.
#[derive(Clone, Debug, Default)]
pub(crate) struct WakeupTree {
    branches: VecDeque<Branch>,
    /// The only sequence, its last step first; empty if there are branches.
    line: Vec<Arc<Step>>,
}

/// A thread to run, and what is to be explored then; nothing in particular if that is empty.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) step: Arc<Step>,
    pub(crate) then: WakeupTree,
}

impl WakeupTree {
    pub(crate) fn is_empty(&self) -> bool {
        self.branches.is_empty() && self.line.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.branches.len() + usize::from(!self.line.is_empty())
    }

    pub(crate) fn next(&mut self) -> Option<Branch> {
        self.first_of_line().or_else(|| self.branches.pop_front())
    }

    pub(crate) fn threads(&self) -> impl Iterator<Item = u64> + '_ {
        let branches = self.branches.iter().map(|branch| branch.step.thread);
        branches.chain(self.line.last().map(|step| step.thread))
    }

    /// The number of pending sequences.
    pub(crate) fn n_leaves(&self) -> u64 {
        let branches = self.branches.iter().map(|branch| branch.then.n_leaves().max(1));
        branches.sum::<u64>() + u64::from(!self.line.is_empty())
    }

    /// Adds a branch of one step after which anything may come.
    pub(crate) fn push(&mut self, step: Arc<Step>) {
        self.add(Branch { step, then: WakeupTree::default() });
    }

    fn add(&mut self, branch: Branch) {
        self.unfold();
        self.branches.push_back(branch);
    }

    /// Makes a branch of the first step of a line.
    fn unfold(&mut self) {
        if let Some(branch) = self.first_of_line() {
            self.branches = VecDeque::with_capacity(1);
            self.branches.push_back(branch);
        }
    }

    /// The branch that a line is; then nothing is left here.
    fn first_of_line(&mut self) -> Option<Branch> {
        let step = self.line.pop()?;
        let line = std::mem::take(&mut self.line);
        Some(Branch { step, then: WakeupTree { branches: VecDeque::new(), line } })
    }

    /// Adds what is needed so that some sequence here leads to a run equivalent to one that begins with `sequence`; true if
    /// anything was.
    pub(crate) fn insert(&mut self, rules: Rules<'_>, sequence: &mut Sequence<'_>) -> bool {
        let mut tree = self;
        loop {
            tree.unfold();
            let place = tree.branches.iter().position(|branch| {
                match standing(rules, &branch.step, NONE, sequence) {
                    Standing::Behind => false,
                    Standing::Beside => true,
                    Standing::Within(at) => {
                        sequence.remove(at);
                        true
                    }
                }
            });
            let Some(place) = place else { break };
            tree = &mut tree.branches[place].then;
            if tree.is_empty() {
                return false;
            }
        }
        tree.append(sequence);
        true
    }

    /// Panics if a step could come first in a sequence of a later sibling: then that sequence would be explored twice.
    /// Sequences with receives are left out, because what they take is not written in the tree.
    #[cfg(debug_assertions)]
    pub(crate) fn assert_ordered(&self, rules: Rules<'_>) {
        // A line has no siblings.
        for (place, branch) in self.branches.iter().enumerate() {
            for later in self.branches.iter().skip(place + 1) {
                later.for_each_leaf(&mut Vec::new(), &mut |leaf| {
                    let mut sequence = Sequence::default();
                    leaf.iter().for_each(|it| sequence.push(*it));
                    let is_plain = leaf.iter().all(|it| it.step.receive().is_none());
                    let standing = standing(rules, &branch.step, NONE, &sequence);
                    let is_first = standing != Standing::Behind;
                    assert!(!is_plain || !is_first, "a branch repeats an earlier one");
                });
            }
        }
    }

    fn append(&mut self, sequence: &Sequence<'_>) {
        let mut line: Vec<Arc<Step>> = sequence.steps.iter().rev().map(|it| it.to_step()).collect();
        if self.is_empty() {
            self.line = line;
        } else if let Some(step) = line.pop() {
            self.add(Branch { step, then: WakeupTree { branches: VecDeque::new(), line } });
        }
    }
}

#[cfg(debug_assertions)]
impl Branch {
    fn for_each_leaf<'s>(
        &'s self,
        path: &mut Vec<Pending<'s>>,
        visit: &mut impl FnMut(&[Pending<'s>]),
    ) {
        let n_before = path.len();
        path.push(Pending::new(&self.step, path.len() as u32, NONE));
        for step in self.then.line.iter().rev() {
            path.push(Pending::new(step, path.len() as u32, NONE));
        }
        if self.then.branches.is_empty() {
            visit(path);
        }
        for branch in &self.then.branches {
            branch.for_each_leaf(path, visit);
        }
        path.truncate(n_before);
    }
}
