//! Results of steps, found again by what the step looked at.
//! A step looks at a few components of a state, or at parts of them: the process that acts, which message it takes, whether
//! the process it sends to is alive. What it asks next depends only on the answers before, so everything ever computed for an
//! action is a tree of questions, and a state that gives the same answers as one before has the same result. A repeated step
//! is a probe for each question, whatever else is in the state.
//! Not here: the questions (`crate::events::lookup`), carrying out a step (`crate::world::step`), who keeps the results (`crate::system`,
//! `crate::events::explorer`).

use crate::events::actions::own_slot;
use crate::events::lookup::{Lookup, Lookups};
use crate::world::core::Core;
use rustc_hash::FxHashMap;

/// An action and the component of the process or channel whose action it is, on which all that it does depends.
fn root(state: &[u32], action: u64) -> (u64, u32) {
    let own = own_slot(action).and_then(|slot| state.get(slot as usize));
    (action, own.copied().unwrap_or(0))
}

/// Results by action and answers.
pub(crate) struct Memo<T> {
    /// What is asked first after an action and the component in its own slot.
    roots: FxHashMap<(u64, u32), u32>,
    nodes: Vec<Node>,
    /// The node after an answer.
    answers: FxHashMap<(u32, u64), u32>,
    results: Vec<T>,
}

#[derive(Debug)]
enum Node {
    Asks(Lookup),
    Knows(u32),
}

/// More answers than this are forgotten all at once.
const ANSWERS_MAX: usize = 1 << 21;

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo {
            roots: FxHashMap::default(),
            nodes: Vec::new(),
            answers: FxHashMap::default(),
            results: Vec::new(),
        }
    }
}

impl<T> Memo<T> {
    /// The result of an action in a state, if it is known.
    pub(crate) fn get(&self, core: &Core, state: &[u32], action: u64) -> Option<&T> {
        let mut node = *self.roots.get(&root(state, action))?;
        loop {
            match &self.nodes[node as usize] {
                Node::Knows(result) => return Some(&self.results[*result as usize]),
                Node::Asks(question) => {
                    let answer = question.answer(core, state);
                    node = *self.answers.get(&(node, answer))?;
                }
            }
        }
    }

    /// Keeps a result, unless it depends on everything.
    pub(crate) fn put(&mut self, state: &[u32], action: u64, asked: Lookups, result: T) {
        if asked.is_all() {
            return;
        }
        if self.answers.len() > ANSWERS_MAX {
            *self = Memo::default();
        }
        let knows = self.results.len() as u32;
        let root = root(state, action);
        let own = own_slot(action).map(Lookup::Slot);
        let mut place = None;
        for (question, answer) in asked.answers {
            if Some(&question) != own.as_ref() {
                let node = self.node_at(root, place, || Node::Asks(question));
                place = Some((node, answer));
            }
        }
        // Where a result is known already it is the same one.
        self.node_at(root, place, || Node::Knows(knows));
        self.results.push(result);
    }

    /// The node after an answer, or the first of an action; what is there already asks the same, because it was given
    /// the same answers.
    fn node_at(
        &mut self,
        root: (u64, u32),
        place: Option<(u32, u64)>,
        make: impl FnOnce() -> Node,
    ) -> u32 {
        let new = self.nodes.len() as u32;
        let node = match place {
            Some(place) => *self.answers.entry(place).or_insert(new),
            None => *self.roots.entry(root).or_insert(new),
        };
        if node == new {
            self.nodes.push(make());
        }
        node
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.answers.capacity() + self.roots.capacity()) * 24
            + self.results.capacity() * (size_of::<T>() + 64)
    }
}
