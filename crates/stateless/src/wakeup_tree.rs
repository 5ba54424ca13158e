//! Wakeup trees: the orders still pending after an explored prefix.
//! Why: with source sets alone a run may start and turn out redundant half way. Remembering the whole sequence that
//! reverses a race makes every run we start a new one.
//! Paper: Abdulla et al., "Source Sets" (JACM 2017). Its `wut(E)` is a frame's `tree`, its `insert_[E](v, B)` is
//! [`WakeupTree::insert`]. The branch being explored is not in the tree any more: it is the run.
//! A run of n events may lead to n² pending sequences, most of which nothing is ever inserted into: one that stands alone is kept as a
//! line of steps and becomes branches only as far as somebody goes along it. Sequences of races that one receive observes have
//! all but their beginnings in common (`observed`), and are not even listed before that.
//! Invariant: if leaf `w` comes after sibling step `p`, then `p` is not a weak initial of `w` (`assert_ordered`).
//! Not here: finding races (`race`), running programs (`explore`). Start with `WakeupTree::insert`.

#[cfg(debug_assertions)]
use crate::index::{EventIdx, Idx};
use crate::initial::{Standing, standing};
use crate::observed::{ObservationId, ObservedLine};
use crate::race::Rules;
#[cfg(debug_assertions)]
use crate::sequence::Pending;
use crate::sequence::Sequence;
use crate::step::Step;
use std::collections::VecDeque;
use std::sync::Arc;

/// What is to be explored after a prefix, first branches first.
#[derive(Clone, Debug, Default)]
pub(crate) struct WakeupTree {
    branches: VecDeque<Branch>,
    /// The only sequence; empty if there are branches.
    line: Line,
    /// The observation of whose races all branches are.
    observation: Option<ObservationId>,
}

/// A sequence of steps, perhaps empty.
#[derive(Clone, Debug)]
enum Line {
    /// The last step first.
    Listed(Vec<Arc<Step>>),
    /// What comes after the delivery with which the reversal of a plain race of an observation begins: the
    /// receive takes its message.
    Observed(ObservedLine),
}

impl Default for Line {
    fn default() -> Self {
        Line::Listed(Vec::new())
    }
}

impl Line {
    fn is_empty(&self) -> bool {
        matches!(self, Line::Listed(steps) if steps.is_empty())
    }

    /// The thread of its first step.
    fn thread(&self) -> Option<u64> {
        match self {
            Line::Listed(steps) => steps.last().map(|step| step.thread),
            Line::Observed(line) => Some(line.thread()),
        }
    }

    fn into_listed(self) -> Vec<Arc<Step>> {
        match self {
            Line::Listed(steps) => steps,
            Line::Observed(line) => line.backwards(),
        }
    }
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
        branches.chain(self.line.thread())
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
        self.observation = None;
        self.branches.push_back(branch);
    }

    /// Whether nothing is pending but what begins with a delivery that this observation would have taken instead of another.
    pub(crate) fn has_only(&self, observation: ObservationId) -> bool {
        self.is_empty() || self.observation == Some(observation)
    }

    /// Adds the reversing sequence of a plain race of an observation: the step of the later delivery, and what
    /// follows. To be called if [`WakeupTree::has_only`]: it cannot begin as any of the others.
    pub(crate) fn add_observed(
        &mut self,
        observation: ObservationId,
        step: &Arc<Step>,
        line: ObservedLine,
    ) {
        let line = Line::Observed(line);
        let then = WakeupTree { line, ..WakeupTree::default() };
        self.add(Branch { step: Arc::clone(step), then });
        self.observation = Some(observation);
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
        if self.line.is_empty() {
            return None;
        }
        Branch::of_line(std::mem::take(&mut self.line).into_listed())
    }

    /// Adds what is needed so that some sequence here leads to a run equivalent to one that begins with `sequence`; true if
    /// anything was.
    pub(crate) fn insert(&mut self, rules: Rules<'_>, sequence: &mut Sequence<'_>) -> bool {
        let mut tree = self;
        loop {
            tree.unfold();
            let place = tree.branches.iter().position(|branch| {
                match standing(rules, &branch.step, None, sequence) {
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

    /// Panics if a branch could come first in a sequence that is to be added beside it.
    #[cfg(debug_assertions)]
    pub(crate) fn assert_none_begins(&self, rules: Rules<'_>, sequence: &Sequence<'_>) {
        let is_behind = |it: &Branch| standing(rules, &it.step, None, sequence) == Standing::Behind;
        assert!(self.branches.iter().all(is_behind), "an observed sequence begins as another");
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
                    let standing = standing(rules, &branch.step, None, &sequence);
                    let is_first = standing != Standing::Behind;
                    assert!(!is_plain || !is_first, "a branch repeats an earlier one");
                });
            }
        }
    }

    fn append(&mut self, sequence: &Sequence<'_>) {
        let line: Vec<Arc<Step>> = sequence.steps.iter().rev().map(|it| it.to_step()).collect();
        if self.is_empty() {
            self.line = Line::Listed(line);
            self.observation = None;
        } else if let Some(branch) = Branch::of_line(line) {
            self.add(branch);
        }
    }
}

impl Branch {
    /// The branch that a line is, its last step first, if there are any.
    fn of_line(mut line: Vec<Arc<Step>>) -> Option<Branch> {
        let step = line.pop()?;
        Some(Branch {
            step,
            then: WakeupTree { line: Line::Listed(line), ..WakeupTree::default() },
        })
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
        path.push(Pending::new(&self.step, Some(EventIdx::new(path.len())), None));
        let Line::Listed(line) = &self.then.line else {
            // What it takes is not written in the tree.
            return path.truncate(n_before);
        };
        for step in line.iter().rev() {
            path.push(Pending::new(step, Some(EventIdx::new(path.len())), None));
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
