//! A program from a state on: the engines explore it as if it began there.
//! Why: setting the processes of a generated program up would be most of its interleavings.

use foresee_erlang::Erlang;
use foresee_lts::{State, System};

/// A program, and the state in which it begins.
pub(crate) struct Started {
    pub(crate) erlang: Erlang,
    pub(crate) state: State,
}

impl foresee_lts::Around for Started {
    fn inner(&self) -> &dyn System {
        &self.erlang
    }
    fn initial(&self) -> Vec<State> {
        vec![self.state.clone()]
    }
    /// What workers share is not what is tried here.
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        None
    }
}
