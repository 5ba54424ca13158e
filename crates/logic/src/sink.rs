//! Sinks: where transitions go as they are found.
//! Why: a state space of tens of millions of transitions is written while it is explored and never held as a whole.

use std::io;

/// Takes transitions in order: sources never decrease when they come from `generate`.
pub trait Sink {
    /// `None` is the internal step.
    fn transition(&mut self, from: u32, label: Option<&str>, to: u32) -> io::Result<()>;
}

/// Keeps nothing; the counts of `generate` are all that is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Sink for Nowhere {
    fn transition(&mut self, _from: u32, _label: Option<&str>, _to: u32) -> io::Result<()> {
        Ok(())
    }
}
