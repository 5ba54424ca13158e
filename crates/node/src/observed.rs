//! What clients report while nodes run for real, in the order of events.

use crate::{Address, Value};
use std::time::Duration;

/// One thing a client has reported.
#[derive(Clone, Debug)]
pub enum Operation {
    /// It has invoked this operation.
    Invoked(Value),
    /// Its last operation has returned this.
    Returned(Value),
}

/// A client's report.
#[derive(Clone, Debug)]
pub struct Observed {
    pub client: Address,
    /// Since the start of the run.
    pub at: Duration,
    pub what: Operation,
}
