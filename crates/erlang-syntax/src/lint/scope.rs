//! Variables in scope, with a journal so that branches can be read and taken back.

use rustc_hash::FxHashMap;

use crate::name::Name;
use crate::source::Span;

/// What is known of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binding {
    /// It has a value.
    Bound,
    /// It may have one: bound in some branch of this construct.
    Unsafe { construct: &'static str, span: Span },
}

/// A place in the journal.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

#[derive(Default)]
pub(super) struct Scope {
    bindings: FxHashMap<Name, Binding>,
    /// Changes since the start, with what was there before.
    journal: Vec<(Name, Option<Binding>)>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<Binding> {
        self.bindings.get(name).copied()
    }

    pub(super) fn set(&mut self, name: &Name, binding: Binding) {
        let before = self.bindings.insert(name.clone(), binding);
        self.journal.push((name.clone(), before));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.journal.len())
    }

    /// Takes back everything since the mark; returns the bindings that were new, in order.
    pub(super) fn take(&mut self, mark: Mark) -> Vec<(Name, Binding)> {
        let mut taken = Vec::new();
        while self.journal.len() > mark.0 {
            let (name, before) = self.journal.pop().expect("longer than the mark");
            let now = match before {
                Some(before) => self.bindings.insert(name.clone(), before),
                None => self.bindings.remove(&name),
            };
            taken.extend(now.map(|now| (name, now)));
        }
        taken.reverse();
        taken
    }

    /// Binds again what was taken.
    pub(super) fn restore(&mut self, taken: &[(Name, Binding)]) {
        taken.iter().for_each(|(name, binding)| self.set(name, *binding));
    }

    /// The variables that have a value, for "did you mean"; the caller must not depend on their order.
    pub(super) fn bound(&self) -> impl Iterator<Item = &str> {
        self.bindings.iter().filter(|(_, b)| **b == Binding::Bound).map(|(name, _)| name.as_str())
    }
}
