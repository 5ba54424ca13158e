//! Symmetry: states that differ only in which of several interchangeable components is which.
//! Why: of n components that all do the same, n! states say the same thing. Exploring one of them is enough for whoever asks
//! questions that do not tell the components apart.
//! A front end says which components are interchangeable and how to rename them in a state. Whether the system and what is asked of it
//! really do not tell them apart is for the engine to look at before it believes it (`foresee-stateful`).

use crate::State;

/// A system that has interchangeable components.
pub trait Symmetry: Send + Sync {
    /// Who can stand for whom, in the user's words: each group by itself.
    fn groups(&self) -> Vec<Vec<String>>;

    /// One worker's way of renaming; it may keep caches of its own.
    fn renamer(&self) -> Box<dyn Renamer + '_>;
}

/// Renames interchangeable components in states.
pub trait Renamer {
    /// A state that `state` becomes by some renaming: the same one for most states that renaming turns into each other, and always
    /// the same one for equal states.
    fn representative(&mut self, state: &[u32]) -> State;

    /// `state` with two interchangeable components exchanged, the n-th pair of neighbours in their groups; an error says why that
    /// cannot be done.
    fn exchanged(&mut self, state: &[u32], pair: usize) -> Result<State, String>;
}
