//! Funs: code and the values it has caught.

use super::{Atom, Term, combine};

/// A fun value.
#[derive(Debug)]
pub struct Fun {
    pub kind: FunKind,
    pub arity: u32,
    hash: u64,
}

/// What a fun calls.
#[derive(Debug, PartialEq)]
pub enum FunKind {
    /// `fun (X) -> … end`: the code of a lifted function and its environment.
    Closure { module: Atom, name: Atom, function: u32, environment: Box<[Term]> },
    /// `fun m:f/1`.
    External { module: Atom, name: Atom },
}

impl Fun {
    pub fn closure(
        module: Atom,
        name: Atom,
        function: u32,
        arity: u32,
        environment: Box<[Term]>,
    ) -> Fun {
        let start = combine(module.content_hash(), combine(name.content_hash(), u64::from(arity)));
        let hash = environment.iter().fold(start, |hash, term| combine(hash, term.content_hash()));
        Fun { kind: FunKind::Closure { module, name, function, environment }, arity, hash }
    }

    pub fn external(module: Atom, name: Atom, arity: u32) -> Fun {
        let hash = combine(module.content_hash(), name.content_hash() ^ u64::from(arity));
        Fun { kind: FunKind::External { module, name }, arity, hash }
    }

    pub fn environment(&self) -> &[Term] {
        match &self.kind {
            FunKind::Closure { environment, .. } => environment,
            FunKind::External { .. } => &[],
        }
    }

    pub fn module(&self) -> Atom {
        match &self.kind {
            FunKind::Closure { module, .. } | FunKind::External { module, .. } => *module,
        }
    }

    pub fn name(&self) -> Atom {
        match &self.kind {
            FunKind::Closure { name, .. } | FunKind::External { name, .. } => *name,
        }
    }

    pub fn content_hash(&self) -> u64 {
        self.hash
    }
}

impl PartialEq for Fun {
    fn eq(&self, other: &Fun) -> bool {
        self.hash == other.hash && self.arity == other.arity && self.kind == other.kind
    }
}
