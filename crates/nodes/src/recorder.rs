//! The seam between a world and whatever remembers its clients' operations.
//! Why: a world knows *that* a client has invoked or returned; what is kept of it, and what follows from it (is this
//! linearizable?), is another idea. They meet in ids: a [`Recorder`] interns the history of each client and the state of
//! one monitor that watches all clients, and every method below is a pure function of ids, so a world memoises them.
//!
//! In a state, each client (a node added by `add_client`) has one slot with the id of its history, and one further slot
//! holds the monitor's id. The monitor must be a function of the histories: it adds nothing to a state's identity, and
//! its slot has content hash 0.

use crate::{Judgement, Value};
use foresee_lts::Tree;
use foresee_node::{Observed, Operation};

/// What a client has reported by `Context::invoked` or `Context::returned`.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Note {
    Invoked(Value),
    Returned(Value),
}

/// One operation in a client's history.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Recorded {
    pub operation: Value,
    /// `None` while the operation is pending.
    pub result: Option<Value>,
    /// How many operations of each client had returned when this one was invoked; the client's own entry is 0.
    pub completed_before: Vec<u32>,
}

/// Remembers clients' operations. Histories of one client are numbered densely from `initial_history`, monitors from
/// `initial_monitor`; equal contents have equal ids, whichever thread asks first.
pub trait Recorder: Send + Sync {
    /// The id of the empty history of `client` (numbered from 0 in the order of adding).
    fn initial_history(&self, client: usize) -> u32 {
        let _ = client;
        0
    }

    /// The id of the monitor before anything happened.
    fn initial_monitor(&self) -> u32 {
        0
    }

    /// The history after one more note of `client`. `completed` has, for every client, the number of operations that
    /// have returned so far; only a note [`Note::Invoked`] may depend on it.
    ///
    /// A note that makes no sense (a return without an invocation, a value of the wrong type) leads to a history for
    /// which [`Recorder::fault`] says so.
    fn record(&self, client: usize, history: u32, note: &Note, completed: &[u32]) -> u32;

    /// The monitor after one more note of `client`.
    fn advance(&self, monitor: u32, client: usize, note: &Note) -> u32;

    /// How many operations have returned in this history.
    fn completed(&self, client: usize, history: u32) -> u32;

    /// What is wrong with this history in itself, if anything.
    fn fault(&self, client: usize, history: u32) -> Option<String> {
        let _ = (client, history);
        None
    }

    /// The stable hash of a history's content, the same on every thread and in every run. The world salts it per
    /// client, so equal histories of two clients may have equal hashes here.
    fn history_hash(&self, client: usize, history: u32) -> u64;

    /// The stable hash of a monitor's content, the same on every thread and in every run; not 0.
    fn monitor_hash(&self, monitor: u32) -> u64 {
        u64::from(monitor) + 1
    }

    /// The operations of a history, oldest first.
    fn operations(&self, client: usize, history: u32) -> Vec<Recorded>;

    /// A history as a person sees it.
    fn describe(&self, client: usize, history: u32) -> Tree {
        let operations = self.operations(client, history).into_iter();
        let items = operations.map(|recorded| match recorded.result {
            Some(result) => Tree::leaf(format!("{:?} -> {result:?}", recorded.operation)),
            None => Tree::leaf(format!("{:?} …", recorded.operation)),
        });
        Tree::List { name: String::new(), items: items.collect() }
    }

    /// Whether the monitor is content (the invariant that comes with the recorder, if [`Recorder::property_name`] names
    /// one).
    fn accepts(&self, monitor: u32) -> bool {
        let _ = monitor;
        true
    }

    /// The name of the invariant "the monitor accepts"; `None` when histories are only kept, not judged.
    fn property_name(&self) -> Option<String> {
        None
    }

    /// Whether a monitor that does not accept never will again, whatever is noted.
    fn refuses_for_good(&self) -> bool {
        false
    }

    /// Why the monitor does or does not accept, given the ids of all histories in the order of the clients, whose names
    /// are `clients`.
    fn explain(&self, monitor: u32, histories: &[u32], clients: &[crate::Address]) -> String {
        let _ = monitor;
        let shown = histories.iter().zip(clients).enumerate();
        let shown = shown.map(|(client, (&history, name))| {
            format!("{name}: {}", self.describe(client, history).one_line())
        });
        shown.collect::<Vec<_>>().join("; ")
    }

    /// Whether what clients saw of a real run is right; `None` when histories are only kept, not judged.
    fn judge(&self, history: &[Observed]) -> Option<Judgement> {
        let _ = history;
        None
    }

    /// What a client reported, in the words of history files, if there are any.
    fn words(&self, what: &Operation) -> Option<String> {
        let _ = what;
        None
    }

    /// The interned histories, if this recorder keeps them as [`Histories`](crate::Histories).
    fn histories(&self) -> Option<&crate::Histories> {
        None
    }

    /// The number of bytes held, about.
    fn memory_bytes(&self) -> usize {
        0
    }
}
