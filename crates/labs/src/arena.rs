//! `Arena`: a world, and what a test asks of it.
//! A world's predicates belong to the instance that made them, so an arena is built whole, and anew for every test and every replay.

use foresee_lts::{Allow, Predicate};
use foresee_node::{Client, Node, run_checked};
use foresee_nodes::{
    BuildOptions, ClientWorker, Clients, Data, Envelope, Runnable, Scope, Stored, World,
    WorldBuilder,
};
use foresee_stateful::Guide;
use serde::Serialize;
use std::sync::Arc;

/// How an arena is made: it is given the name that a user would type for the world.
pub type SetUp = Arc<dyn Fn(&str, &BuildOptions) -> Arena + Send + Sync>;

/// A world, and what a test asks of it.
pub struct Arena {
    pub world: Box<dyn Runnable>,
    /// Every client has finished: where runs end well and what searches for progress look for.
    pub done: Predicate,
    /// How many results each client has.
    pub(crate) counts: Counts,
    /// The phases of a guided search.
    pub guide: Option<Guide>,
    /// What must hold when a run is over.
    pub at_end: Vec<Predicate>,
    /// Only these events may happen in searches without phases.
    pub allow: Option<Allow>,
}

pub(crate) type Counts = Arc<dyn Fn(&[u32]) -> Vec<usize> + Send + Sync>;

impl Arena {
    /// A world whose clients are workers on a client of type `C`.
    pub fn new<C: Client>(world: &World<C::Message>, clients: &Clients<C>) -> Self {
        let (names, viewed) = (clients.addresses().to_vec(), world.clone());
        let counts = move |state: &[u32]| {
            let view = viewed.view(state);
            let count = |name| view.node::<ClientWorker<C>>(name).results().count();
            names.iter().map(|name| count(*name)).collect()
        };
        Arena {
            done: world.predicate("every client has finished", clients.scope(), clients.all_done()),
            world: Box::new(world.clone()),
            counts: Arc::new(counts),
            guide: None,
            at_end: Vec::new(),
            allow: None,
        }
    }

    /// With the phases of a guided search.
    #[must_use]
    pub fn guided(mut self, guide: Guide) -> Self {
        self.guide = Some(guide);
        self
    }

    /// With a restriction of searches without phases.
    #[must_use]
    pub fn allowing(mut self, allow: Allow) -> Self {
        self.allow = Some(allow);
        self
    }

    /// With something that must hold when a run is over.
    #[must_use]
    pub fn at_end(mut self, predicate: Predicate) -> Self {
        self.at_end.push(predicate);
        self
    }
}

/// Holds back states in which some message is on its way more than twice, so that sending again and again leads to finitely many
/// states in a network that counts copies.
pub fn few_copies<M: Data>(world: &mut WorldBuilder<M>) {
    world.prune("a message is on its way more than twice", Scope::network(), |view, _| {
        let mut copies: Vec<&Envelope<M>> = Vec::new();
        for envelope in view.messages() {
            if copies.last().is_some_and(|last| *last != envelope) {
                copies.clear();
            }
            copies.push(envelope);
            if copies.len() > 2 {
                return true;
            }
        }
        false
    });
}

/// The node as it would come back from a crash: `fresh` is the node as it was built. `Err` if its code panics on what is stored.
pub fn restored<N: Node>(fresh: &N, stored: Option<&Stored>) -> Result<N, String> {
    run_checked(|| {
        let mut node = fresh.clone();
        node.restore(stored.unwrap_or(&Stored::default()));
        node
    })
}

/// What a node has on its stable storage, in bytes.
pub fn size_of_disk(stored: &Stored) -> usize {
    let (snapshot, records) = stored.contents();
    snapshot.into_iter().chain(records).map(|record| record.bytes().len()).sum()
}

/// What a node keeps, in bytes of its JSON.
pub fn size_of_node<N: Serialize>(node: &N) -> usize {
    serde_json::to_vec(node).map_or(usize::MAX, |bytes| bytes.len())
}
