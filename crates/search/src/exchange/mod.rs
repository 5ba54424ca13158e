//! The exchange: how the workers of one search, in one process or on several machines, hand each other bytes.
//! Why a trait: below the edges nothing opens a socket. The edge lends an [`Exchange`] over timely dataflow (`foresee-cluster`); tests
//! lend one of threads ([`LocalExchange`]), and the search cannot tell the difference.
//! Time is counted in *phases*, which all workers go through together, and in *rounds* within a phase, which bound how much is on
//! its way: whoever ends a round waits until nobody is more than one round behind. A worker that has ended the phase is behind nobody.
//! Invariants: parcels of one sender arrive in the order in which they were sent; a parcel arrives in the phase in which it was
//! sent; when [`Exchange::end_phase`] says that the phase is over, everything that was sent in it has arrived, everywhere.
//! Not here: what is in the parcels (`foresee-stateful`, `crew/`).

mod local;

pub use local::LocalExchange;

use std::fmt;

/// Bytes that have arrived, and the worker that sent them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Parcel {
    pub from: usize,
    pub bytes: Vec<u8>,
}

/// What arrived while the end of a phase is waited for.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    pub parcels: Vec<Parcel>,
    /// All workers have ended the phase, and nothing of it is on its way: the next phase has begun.
    pub is_over: bool,
}

/// One worker's end of the exchange.
pub trait Exchange {
    /// The number of this worker, from 0.
    fn index(&self) -> usize;
    /// How many workers there are.
    fn workers(&self) -> usize;
    /// How many of them share this process.
    fn workers_here(&self) -> usize {
        1
    }
    /// Sends to another worker. What is sent leaves at the latest when the round ends.
    fn send(&mut self, to: usize, bytes: Vec<u8>);
    /// Looks what has arrived, without waiting.
    ///
    /// # Errors
    /// When another process is lost.
    fn poll(&mut self) -> Result<Vec<Parcel>, ClusterError>;
    /// Ends the round, and waits until nobody is more than one round behind.
    ///
    /// # Errors
    /// When another process is lost.
    fn end_round(&mut self) -> Result<Vec<Parcel>, ClusterError>;
    /// Ends the phase; to be called again until it is over. Each call may wait for something to arrive.
    ///
    /// # Errors
    /// When another process is lost.
    fn end_phase(&mut self) -> Result<Arrivals, ClusterError>;
    /// Tells the others that this worker cannot go on, as far as they can be reached: whatever they wait for ends with
    /// [`ClusterError::GaveUp`].
    fn give_up(&mut self, reason: &str);
}

/// The processes of a search, as the edge lends them.
pub trait Cluster: Send + Sync {
    /// The number of this process, from 0.
    fn process(&self) -> usize;
    fn processes(&self) -> usize;
    /// Workers in each process.
    fn threads(&self) -> usize;
    /// Meets the other processes, which must have the same `identity`, and has all workers of this process work: the first in this
    /// thread, the others in threads of their own. Comes back when all are done.
    ///
    /// # Errors
    /// When the processes do not come together.
    fn run(
        &self,
        identity: &[(String, String)],
        first: &mut dyn FnMut(&mut dyn Exchange),
        others: &(dyn Fn(&mut dyn Exchange) + Sync),
    ) -> Result<(), ClusterError>;
}

/// Why the processes of a search cannot go on together, or not begin.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ClusterError {
    /// The address of this process cannot be listened on.
    Address { address: String, reason: String },
    /// A process did not come in time.
    Unreachable { process: usize, address: String, reason: String },
    /// Two processes say that they have this number.
    Twice { process: usize },
    /// A process explores something else, or with another program.
    Different { process: usize, what: String, there: String, here: String },
    /// Somebody else answers at an address.
    Stranger { address: String },
    /// A process is gone.
    Lost { process: usize, address: String },
    /// A process cannot go on, and says why.
    GaveUp { process: usize, reason: String },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Address { address, reason } => {
                write!(f, "cannot listen on {address}: {reason}")
            }
            ClusterError::Unreachable { process, address, reason } => {
                write!(f, "process {process} ({address}) cannot be reached: {reason}")
            }
            ClusterError::Twice { process } => {
                write!(f, "two processes say that they are number {process}")
            }
            ClusterError::Different { process, what, there, here } => {
                write!(f, "process {process} has another {what}: `{there}` there, `{here}` here")
            }
            ClusterError::Stranger { address } => {
                write!(f, "what answers at {address} is no process of this search")
            }
            ClusterError::Lost { process, address } => {
                write!(f, "process {process} ({address}) is lost")
            }
            ClusterError::GaveUp { process, reason } => {
                write!(f, "process {process} cannot go on: {reason}")
            }
        }
    }
}

impl std::error::Error for ClusterError {}
