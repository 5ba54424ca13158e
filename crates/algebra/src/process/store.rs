//! Component states as numbers: equal ones are one number, and the hash depends on content alone.
//! A component rests at a position with data, or in a sequence of such (what is left to do after a call returns), or, for
//! parallelism inside a component, in a tree of them. The smart constructors keep a normal form: `delta` swallows what
//! follows, what has ended disappears, sequences lean to the right; so all dead components are one state.

use crate::model::{ActionId, FilterId, NodeId};
use crate::rewrite::{TermId, Terms};
use foresee_stdx::mix;
use hashbrown::HashTable;

pub(crate) type ProcId = u32;

/// Nothing ever happens here.
pub(crate) const DELTA: ProcId = 1;
/// Ended: what follows can begin.
pub(crate) const DONE: ProcId = 2;

#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Proc {
    /// Number 0: the slot of a problem that did not happen.
    Nothing,
    Delta,
    Done,
    /// A position and the values of its live variables.
    At(NodeId, Box<[TermId]>),
    /// An action with its data and what follows, wherever it stands (only where positions are merged).
    Prefix(ActionId, Box<[TermId]>, ProcId),
    Sequence(ProcId, ProcId),
    Parallel(ProcId, ProcId),
    Filter(FilterId, ProcId),
}

#[derive(Debug)]
struct Entry {
    proc: Proc,
    hash: u64,
    is_open: bool,
    /// How deep parallel processes and operators are nested.
    depth: u32,
}

#[derive(Debug)]
pub(crate) struct Procs {
    entries: Vec<Entry>,
    table: HashTable<ProcId>,
}

impl Default for Procs {
    fn default() -> Self {
        let entry = |proc, hash| Entry { proc, hash, is_open: false, depth: 0 };
        let entries = vec![
            entry(Proc::Nothing, 0),
            entry(Proc::Delta, mix(0xde17a)),
            entry(Proc::Done, mix(0xd0e)),
        ];
        Procs { entries, table: HashTable::new() }
    }
}

impl Procs {
    pub(crate) fn get(&self, id: ProcId) -> &Proc {
        &self.entries[id as usize].proc
    }

    pub(crate) fn hash(&self, id: ProcId) -> u64 {
        self.entries[id as usize].hash
    }

    pub(crate) fn depth(&self, id: ProcId) -> u32 {
        self.entries[id as usize].depth
    }

    /// Whether a variable of a sum is in it.
    pub(crate) fn is_open(&self, id: ProcId) -> bool {
        self.entries[id as usize].is_open
    }

    pub(crate) fn at(&mut self, terms: &Terms, node: NodeId, data: &[TermId]) -> ProcId {
        let mut hash = mix(u64::from(node) ^ 0xa7_0000_0000);
        for term in data {
            hash = mix(hash.rotate_left(19) ^ terms.hash(*term));
        }
        let is_open = data.iter().any(|it| terms.is_open(*it));
        self.intern(Proc::At(node, data.into()), hash, is_open)
    }

    pub(crate) fn prefix(
        &mut self,
        terms: &Terms,
        action: ActionId,
        arguments: &[TermId],
        then: ProcId,
    ) -> ProcId {
        let mut hash = mix(u64::from(action) ^ 0x9f_0000_0000);
        for term in arguments {
            hash = mix(hash.rotate_left(19) ^ terms.hash(*term));
        }
        let hash = mix(hash.rotate_left(29) ^ self.hash(then));
        let is_open = self.is_open(then) || arguments.iter().any(|it| terms.is_open(*it));
        self.intern(Proc::Prefix(action, arguments.into(), then), hash, is_open)
    }

    pub(crate) fn sequence(&mut self, first: ProcId, then: ProcId) -> ProcId {
        match *self.get(first) {
            Proc::Delta => DELTA,
            Proc::Done => then,
            Proc::Sequence(a, b) => {
                let rest = self.sequence(b, then);
                self.two(Proc::Sequence(a, rest), 0x5e9, a, rest)
            }
            _ if then == DONE => first,
            _ => self.two(Proc::Sequence(first, then), 0x5e9, first, then),
        }
    }

    pub(crate) fn parallel(&mut self, left: ProcId, right: ProcId) -> ProcId {
        match (left, right) {
            (DONE, other) | (other, DONE) => other,
            _ => self.two(Proc::Parallel(left, right), 0x9a4, left, right),
        }
    }

    pub(crate) fn filter(&mut self, filter: FilterId, inside: ProcId) -> ProcId {
        if inside == DONE || inside == DELTA {
            return inside;
        }
        let hash = mix(mix(u64::from(filter) ^ 0xf1_0000_0000) ^ self.hash(inside));
        self.intern(Proc::Filter(filter, inside), hash, self.is_open(inside))
    }

    fn two(&mut self, proc: Proc, tag: u64, a: ProcId, b: ProcId) -> ProcId {
        let hash = mix(mix(tag ^ self.hash(a)).rotate_left(23) ^ self.hash(b));
        self.intern(proc, hash, self.is_open(a) || self.is_open(b))
    }

    fn intern(&mut self, proc: Proc, hash: u64, is_open: bool) -> ProcId {
        let entries = &self.entries;
        if let Some(id) = self.table.find(hash, |id| entries[*id as usize].proc == proc) {
            return *id;
        }
        let depth = match &proc {
            Proc::Parallel(a, b) => 1 + self.depth(*a).max(self.depth(*b)),
            Proc::Filter(_, inside) => 1 + self.depth(*inside),
            Proc::Sequence(first, _) => 1 + self.depth(*first),
            _ => 0,
        };
        let id = self.entries.len() as ProcId;
        self.entries.push(Entry { proc, hash, is_open, depth });
        self.table.insert_unique(hash, id, |id| self.entries[*id as usize].hash);
        id
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * (size_of::<Entry>() + 16) + self.table.capacity() * 4
    }
}
