//! The messages of a world by id, their type forgotten.
//! Why: a world moves messages, hashes them, puts them in order and shows them to people; only handlers and predicates need their
//! type. So everything else is compiled once, with this crate, and not again for every type of message there is.
//! Not here: where messages wait and which of them may arrive (`network`).

use crate::intern::Interner;
use crate::{Address, Data, MessageLabel, label_of, tree_of};
use foresee_lts::Tree;
use foresee_node::renamed_copy;
use foresee_stdx::{mix, stable_hash};
use std::any::Any;

/// A message on its way.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Envelope<M> {
    pub from: Address,
    pub to: Address,
    pub message: M,
    pub(crate) from_node: u32,
    pub(crate) to_node: u32,
}

/// From where to where: names, and the numbers of the nodes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Route {
    pub(crate) from: Address,
    pub(crate) to: Address,
    pub(crate) from_node: u32,
    pub(crate) to_node: u32,
}

/// All messages that were ever sent in a world; equal ones have one id.
pub(crate) struct Envelopes(Box<dyn Messages>);

/// Envelopes with messages of one type.
pub(crate) struct Typed<M>(Interner<Envelope<M>>);

/// What a world asks of its envelopes.
trait Messages: Send + Sync {
    fn route(&self, id: u32) -> Route;
    fn hash(&self, id: u32) -> u64;
    fn label(&self, id: u32) -> MessageLabel;
    fn content(&self, id: u32) -> Tree;
    fn renamed(&self, id: u32, names: &[(Address, Address)], route: Route) -> Option<u32>;
    fn memory_bytes(&self) -> usize;
    /// The `Typed<M>` behind it.
    fn typed(&self) -> &dyn Any;
}

impl Envelopes {
    pub(crate) fn new<M: Data>() -> Self {
        Envelopes(Box::new(Typed::<M>(Interner::new())))
    }

    pub(crate) fn route(&self, id: u32) -> Route {
        self.0.route(id)
    }

    /// The number of the sender.
    pub(crate) fn sender(&self, id: u32) -> u32 {
        self.0.route(id).from_node
    }

    /// A hash of the content: sender, receiver and message.
    pub(crate) fn hash(&self, id: u32) -> u64 {
        self.0.hash(id)
    }

    /// Sender, receiver and message in words.
    pub(crate) fn label(&self, id: u32) -> MessageLabel {
        self.0.label(id)
    }

    /// The message, taken apart.
    pub(crate) fn content(&self, id: u32) -> Tree {
        self.0.content(id)
    }

    /// The id of a message in which addresses have other names, on another route; `None` if it cannot be renamed.
    pub(crate) fn renamed(
        &self,
        id: u32,
        names: &[(Address, Address)],
        route: Route,
    ) -> Option<u32> {
        self.0.renamed(id, names, route)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.0.memory_bytes()
    }

    /// The same with the messages' type.
    ///
    /// # Panics
    /// If it is another type; a builder takes only nodes whose messages are of the world's type.
    pub(crate) fn typed<M: Data>(&self) -> &Typed<M> {
        self.0.typed().downcast_ref().expect("the type of the world's messages")
    }
}

impl<M: Data> Typed<M> {
    pub(crate) fn get(&self, id: u32) -> &Envelope<M> {
        self.0.get(id)
    }

    pub(crate) fn intern(&self, route: Route, message: M) -> u32 {
        let Route { from, to, from_node, to_node } = route;
        let hash = mix(stable_hash(&(from, to, &message)));
        let is_equal = |known: &Envelope<M>| {
            known.from_node == from_node && known.to_node == to_node && known.message == message
        };
        let make = || Envelope { from, to, message: message.clone(), from_node, to_node };
        self.0.intern_with(hash, is_equal, make)
    }
}

impl<M: Data> Messages for Typed<M> {
    fn route(&self, id: u32) -> Route {
        let Envelope { from, to, from_node, to_node, .. } = *self.0.get(id);
        Route { from, to, from_node, to_node }
    }

    fn hash(&self, id: u32) -> u64 {
        self.0.hash(id)
    }

    fn label(&self, id: u32) -> MessageLabel {
        let envelope = self.0.get(id);
        label_of(envelope.from, envelope.to, &envelope.message)
    }

    fn content(&self, id: u32) -> Tree {
        tree_of(&self.0.get(id).message)
    }

    fn renamed(&self, id: u32, names: &[(Address, Address)], route: Route) -> Option<u32> {
        let message = renamed_copy(&self.0.get(id).message, names)?;
        Some(self.intern(route, message))
    }

    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes(size_of::<M>())
    }

    fn typed(&self) -> &dyn Any {
        self
    }
}
