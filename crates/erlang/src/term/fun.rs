//! Funs: code and the values it has caught.

use super::deep::{Freed, free, is_compound, take};
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

impl Fun {
    /// Whether two funs are equal but for the values they have caught, which may still differ.
    pub(super) fn is_same_code(&self, other: &Fun) -> bool {
        let code = |fun: &Fun| match &fun.kind {
            FunKind::Closure { module, name, function, .. } => (*module, *name, Some(*function)),
            FunKind::External { module, name } => (*module, *name, None),
        };
        self.hash == other.hash && self.arity == other.arity && code(self) == code(other)
    }

    /// Moves what is deep out, to be freed.
    pub(super) fn give_up(&mut self, freed: &mut Freed) {
        if let FunKind::Closure { environment, .. } = &mut self.kind {
            freed.extend(environment.iter_mut().filter(|it| is_compound(it)).map(take));
        }
    }
}

impl PartialEq for Fun {
    fn eq(&self, other: &Fun) -> bool {
        self.is_same_code(other) && self.environment() == other.environment()
    }
}

impl Drop for Fun {
    fn drop(&mut self) {
        if self.environment().iter().any(is_compound) {
            let mut freed = Freed::new();
            self.give_up(&mut freed);
            free(freed);
        }
    }
}
