//! Terms as numbers: equal terms are one number, its hash depends on content alone, its normal form is remembered.
//! Invariant: number 0 is no term; the arguments of a term are normal forms.

use crate::model::{Model, SymbolId};
use foresee_stdx::mix;
use hashbrown::HashTable;

pub(crate) type TermId = u32;

/// Symbols from here on are variables of sums.
const VARIABLES: SymbolId = 1 << 31;

#[derive(Clone, Copy, Debug)]
struct Node {
    symbol: SymbolId,
    start: u32,
    end: u32,
    /// 0 while not known.
    normal: TermId,
    is_open: bool,
    hash: u64,
}

#[derive(Debug)]
pub(crate) struct Terms {
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    table: HashTable<TermId>,
}

impl Default for Terms {
    fn default() -> Self {
        let nothing = Node { symbol: 0, start: 0, end: 0, normal: 0, is_open: false, hash: 0 };
        Terms { nodes: vec![nothing], arguments: Vec::new(), table: HashTable::new() }
    }
}

impl Terms {
    pub(crate) fn intern(&mut self, symbol: SymbolId, arguments: &[TermId]) -> TermId {
        let mut hash = mix(u64::from(symbol) + 1);
        for argument in arguments {
            hash = mix(hash.rotate_left(17) ^ self.hash(*argument));
        }
        let same = |id: &TermId| {
            let node = &self.nodes[*id as usize];
            node.symbol == symbol
                && self.arguments[node.start as usize..node.end as usize] == *arguments
        };
        if let Some(id) = self.table.find(hash, same) {
            return *id;
        }
        let id = self.nodes.len() as TermId;
        let is_open = symbol >= VARIABLES || arguments.iter().any(|it| self.is_open(*it));
        let start = self.arguments.len() as u32;
        self.arguments.extend_from_slice(arguments);
        let end = self.arguments.len() as u32;
        self.nodes.push(Node { symbol, start, end, normal: 0, is_open, hash });
        self.table.insert_unique(hash, id, |id| self.nodes[*id as usize].hash);
        id
    }

    /// A term that is its own normal form.
    pub(crate) fn value(&mut self, symbol: SymbolId, arguments: &[TermId]) -> TermId {
        let id = self.intern(symbol, arguments);
        self.set_normal(id, id);
        id
    }

    pub(crate) fn variable(&mut self, number: u32) -> TermId {
        self.value(VARIABLES + number, &[])
    }

    /// The number of the variable that this term is.
    pub(crate) fn as_variable(&self, id: TermId) -> Option<u32> {
        self.symbol(id).checked_sub(VARIABLES)
    }

    pub(crate) fn symbol(&self, id: TermId) -> SymbolId {
        self.nodes[id as usize].symbol
    }

    pub(crate) fn arguments(&self, id: TermId) -> &[TermId] {
        let node = &self.nodes[id as usize];
        &self.arguments[node.start as usize..node.end as usize]
    }

    pub(crate) fn is_open(&self, id: TermId) -> bool {
        self.nodes[id as usize].is_open
    }

    pub(crate) fn hash(&self, id: TermId) -> u64 {
        self.nodes[id as usize].hash
    }

    pub(crate) fn normal(&self, id: TermId) -> TermId {
        self.nodes[id as usize].normal
    }

    pub(crate) fn set_normal(&mut self, id: TermId, normal: TermId) {
        self.nodes[id as usize].normal = normal;
    }

    /// Calls `seen` with the number of each variable in the term.
    pub(crate) fn variables(&self, id: TermId, seen: &mut impl FnMut(u32)) {
        if !self.is_open(id) {
            return;
        }
        match self.as_variable(id) {
            Some(number) => seen(number),
            None => self.arguments(id).iter().for_each(|it| self.variables(*it, seen)),
        }
    }

    /// Whether no values of their variables make the two terms equal.
    pub(crate) fn differ(&self, model: &Model, a: TermId, b: TermId) -> bool {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            if a == b {
                continue;
            }
            if !self.is_open(a) && !self.is_open(b) {
                return true;
            }
            let is_free = |it: TermId| {
                self.as_variable(it).is_none() && model.symbol(self.symbol(it)).is_free
            };
            if is_free(a) && is_free(b) {
                if self.symbol(a) != self.symbol(b) {
                    return true;
                }
                pairs.extend(
                    self.arguments(a).iter().copied().zip(self.arguments(b).iter().copied()),
                );
            }
        }
        false
    }

    /// The term as text: `cons(c1,nil)`. Not by recursion, for terms may be deeper than the stack.
    pub(crate) fn write(&self, model: &Model, id: TermId, out: &mut String) {
        // Terms that have been opened, with the argument that comes next.
        let mut open: Vec<(TermId, usize)> = Vec::new();
        let mut next = Some(id);
        loop {
            if let Some(id) = next.take() {
                match self.as_variable(id) {
                    Some(number) => out.push_str(&format!("?{number}")),
                    None => out.push_str(&model.symbol(self.symbol(id)).name),
                }
                open.push((id, 0));
            }
            let Some((id, at)) = open.last_mut() else { return };
            match self.arguments(*id).get(*at) {
                Some(argument) => {
                    out.push(if *at == 0 { '(' } else { ',' });
                    *at += 1;
                    next = Some(*argument);
                }
                None => {
                    if *at > 0 {
                        out.push(')');
                    }
                    open.pop();
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.arguments.capacity() + self.table.capacity()) * 4
    }
}
