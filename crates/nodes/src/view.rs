//! Views: what a predicate sees of a state, with the user's types.
//! Why: a predicate says beforehand which parts of a state it looks at ([`Scope`]), and engines then evaluate it once per
//! combination of those parts. A view holds it to that: looking elsewhere panics at once, because a remembered answer
//! that depends on something else would be silently wrong later.

use crate::component::Status;
use crate::core::Core;
use crate::envelopes::Envelope;
use crate::{Address, ClientHistory, Data, Node, PendingTimer, Recorded, Recorder, Stored};
use foresee_lts::Reads;
use std::borrow::Cow;
use std::marker::PhantomData;

/// The parts of a state that a predicate reads.
///
/// ```
/// use foresee_nodes::{Address, Scope};
/// let [a, b] = [Address::new("a"), Address::new("b")];
/// let scope = Scope::nodes([a, b]).and(Scope::inboxes([a]));
/// assert_ne!(scope, Scope::Everything);
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Scope {
    /// Anything: the predicate is evaluated once for every state.
    Everything,
    /// Only these.
    Parts(Vec<Part>),
}

/// One part of a state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Part {
    /// A node's state, its timers, its stable storage, and whether it is up.
    Node(Address),
    /// The messages on their way to a node.
    Inbox(Address),
    /// All messages on their way.
    Network,
    /// What all clients have invoked and returned.
    Histories,
    /// What is left of the budgets of faults, and how the network is split.
    Environment,
}

impl Scope {
    pub fn nodes(names: impl IntoIterator<Item = Address>) -> Self {
        Scope::Parts(names.into_iter().map(Part::Node).collect())
    }

    pub fn inboxes(names: impl IntoIterator<Item = Address>) -> Self {
        Scope::Parts(names.into_iter().map(Part::Inbox).collect())
    }

    pub fn network() -> Self {
        Scope::Parts(vec![Part::Network])
    }

    pub fn histories() -> Self {
        Scope::Parts(vec![Part::Histories])
    }

    /// These parts and those.
    #[must_use]
    pub fn and(self, other: Scope) -> Self {
        match (self, other) {
            (Scope::Parts(mut parts), Scope::Parts(more)) => {
                parts.extend(more);
                Scope::Parts(parts)
            }
            _ => Scope::Everything,
        }
    }

    /// The slots read; `Err` names an address that is no node.
    pub(crate) fn reads(&self, core: &Core) -> Result<Reads, Address> {
        let Scope::Parts(parts) = self else { return Ok(Reads::All) };
        let mut slots = Vec::new();
        for part in parts {
            match part {
                Part::Node(name) => {
                    slots.push(core.component_slot(core.node(*name).ok_or(*name)?));
                }
                Part::Inbox(name) => slots.push(core.inbox_slot(core.node(*name).ok_or(*name)?)),
                Part::Network => {
                    slots.extend((0..core.n_nodes() as u32).map(|node| core.inbox_slot(node)));
                }
                Part::Histories => {
                    let clients =
                        if core.recorder.is_some() { core.clients.len() as u32 } else { 0 };
                    slots.extend((0..clients).map(|client| core.history_slot(client)));
                }
                Part::Environment => slots.extend(core.environment_slot()),
            }
        }
        Ok(Reads::slots(slots))
    }
}

/// A state as a predicate sees it.
///
/// ```
/// # use foresee_nodes::{Address, Context, Node, WorldBuilder};
/// # use foresee_lts::System;
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Caller { n_calls: u32 }
///
/// impl Node for Caller {
///     type Message = u32;
///     type Timer = ();
///     fn init(&mut self, context: &mut Context<u32, ()>) {
///         self.n_calls += 1;
///         context.send(context.me(), 7);
///     }
///     fn on_message(&mut self, _: Address, _: u32, _: &mut Context<u32, ()>) {}
/// }
///
/// let mut world = WorldBuilder::<u32>::new("one call");
/// let caller = world.add("caller", Caller { n_calls: 0 });
/// let world = world.build();
/// let start = &world.initial()[0];
/// let view = world.view(start);
/// assert_eq!(view.node::<Caller>(caller).n_calls, 1);
/// assert!(view.is_up(caller) && view.timers::<Caller>(caller).is_empty());
/// assert!(view.inbox(caller).all(|envelope| envelope.from == caller && envelope.message == 7));
/// ```
pub struct View<'a, M: Data> {
    core: &'a Core,
    state: &'a [u32],
    /// What may be looked at; `None` for everything.
    sight: Option<&'a Sight>,
    messages: PhantomData<&'a M>,
}

/// The slots that a predicate may look at, one bit each.
pub(crate) struct Sight(Box<[u64]>);

impl Sight {
    /// `None` if everything may be looked at.
    pub(crate) fn of(reads: &Reads) -> Option<Self> {
        let Reads::Slots(slots) = reads else { return None };
        let mut bits = vec![0; slots.last().map_or(0, |last| last / 64 + 1)];
        slots.iter().for_each(|slot| bits[slot / 64] |= 1 << (slot % 64));
        Some(Sight(bits.into()))
    }

    #[inline]
    fn has(&self, slot: usize) -> bool {
        self.0.get(slot / 64).is_some_and(|bits| bits >> (slot % 64) & 1 == 1)
    }
}

impl<'a, M: Data> View<'a, M> {
    pub(crate) fn new(core: &'a Core, state: &'a [u32], sight: Option<&'a Sight>) -> Self {
        View { core, state, sight, messages: PhantomData }
    }

    /// The state of the node at `name`.
    ///
    /// # Panics
    /// If there is no such node, it is of another type, or it is not in the predicate's scope.
    pub fn node<T: Node>(&self, name: Address) -> &'a T {
        self.get(name).unwrap_or_else(|| {
            let node = self.number(name);
            let found = self.core.members[node as usize].components.type_name();
            panic!("{name} is a {found}, not a {}", std::any::type_name::<T>())
        })
    }

    /// The state of the node at `name` if it is a `T`.
    pub fn get<T: Node>(&self, name: Address) -> Option<&'a T> {
        let node = self.number(name);
        let id = self.id(self.core.component_slot(node), || format!("the node {name}"));
        self.core.members[node as usize].components.state(id).downcast_ref()
    }

    /// Every node of type `T`, in the order of adding.
    pub fn nodes_of<T: Node>(&self) -> impl Iterator<Item = (Address, &'a T)> {
        let names = self.addresses().collect::<Vec<_>>().into_iter();
        names.filter_map(|name| self.get(name).map(|node| (name, node)))
    }

    /// The addresses of all nodes, in the order of adding.
    pub fn addresses(&self) -> impl Iterator<Item = Address> + use<'a, M> {
        self.core.members.iter().map(|member| member.name)
    }

    /// Whether the node runs, that is, has neither crashed nor panicked.
    pub fn is_up(&self, name: Address) -> bool {
        let node = self.number(name);
        let id = self.id(self.core.component_slot(node), || format!("the node {name}"));
        *self.core.members[node as usize].components.status(id) == Status::Up
    }

    /// What would be left of the node's stable storage if it crashed now; `None` if nothing was ever synced.
    pub fn stored(&self, name: Address) -> Option<&'a Stored> {
        let node = self.number(name);
        let id = self.id(self.core.component_slot(node), || format!("the node {name}"));
        self.core.members[node as usize].components.stored(id).filter(|stored| !stored.is_empty())
    }

    /// Whether something that the node has sent or reported waits for its disk.
    pub fn awaits_disk(&self, name: Address) -> bool {
        let node = self.number(name);
        let id = self.id(self.core.component_slot(node), || format!("the node {name}"));
        self.core.members[node as usize].components.n_syncs(id) > 0
    }

    /// The pending timers of the node at `name`, which is a `T`, in the order of setting.
    ///
    /// # Panics
    /// As [`View::node`].
    pub fn timers<T: Node>(&self, name: Address) -> &'a [PendingTimer<T::Timer>] {
        let node = self.number(name);
        let id = self.id(self.core.component_slot(node), || format!("the node {name}"));
        let timers = self.core.members[node as usize].components.timers(id);
        let timers: Option<&Vec<PendingTimer<T::Timer>>> = timers.downcast_ref();
        timers.unwrap_or_else(|| panic!("{name} is no {}", std::any::type_name::<T>()))
    }

    /// The messages on their way to the node at `name`, copies repeated, in a stable order (by age within a sender if the
    /// network keeps order).
    pub fn inbox(&self, name: Address) -> impl Iterator<Item = &'a Envelope<M>> + use<'a, M> {
        self.inbox_of(self.number(name))
    }

    /// All messages on their way, by receiver.
    pub fn messages(&self) -> impl Iterator<Item = &'a Envelope<M>> {
        (0..self.core.n_nodes() as u32).flat_map(|node| self.inbox_of(node))
    }

    /// The operations of the client at `name`, oldest first; empty if histories are not kept.
    ///
    /// # Panics
    /// If there is no such node, or histories are not in the predicate's scope.
    pub fn history(&self, name: Address) -> Vec<Recorded> {
        let Some((recorder, client, id)) = self.recorded(name) else { return Vec::new() };
        recorder.operations(client, id)
    }

    /// The same as it is kept, which copies nothing: values in it are shared by all threads, and each copy would be counted.
    ///
    /// # Panics
    /// If there is no such node, or histories are not in the predicate's scope.
    pub fn client_history(&self, name: Address) -> Cow<'a, ClientHistory> {
        let Some((recorder, client, id)) = self.recorded(name) else { return Cow::default() };
        match recorder.histories() {
            Some(histories) => histories.look(client, id),
            None => Cow::Owned(ClientHistory::of(client, recorder.operations(client, id))),
        }
    }

    /// Who keeps the history of a client, the client's number and that of its history; `None` if none is kept.
    fn recorded(&self, name: Address) -> Option<(&'a dyn Recorder, usize, u32)> {
        let node = self.number(name);
        let client = self.core.members[node as usize].client?;
        let recorder = self.core.recorder.as_ref()?;
        let slot = self.core.history_slot(client);
        Some((&**recorder, client as usize, self.id(slot, || format!("the history of {name}"))))
    }

    /// Whether messages pass from one node to the other, as far as the network's splits are concerned.
    pub fn is_connected(&self, from: Address, to: Address) -> bool {
        let Some(slot) = self.core.environment_slot() else { return true };
        let id = self.id(slot, || "the network's splits".to_owned());
        let split = self.core.environments.get(id).split;
        !self.core.is_split(split, self.number(from), self.number(to))
    }

    fn inbox_of(&self, node: u32) -> impl Iterator<Item = &'a Envelope<M>> + use<'a, M> {
        let core = self.core;
        let slot = core.inbox_slot(node);
        let id = self.id(slot, || format!("the messages to {}", core.address(node)));
        let inbox = core.members[node as usize].inboxes.get(id).iter();
        let envelopes = core.envelopes().typed::<M>();
        inbox.map(move |envelope| envelopes.get(*envelope))
    }

    fn number(&self, name: Address) -> u32 {
        self.core.node(name).unwrap_or_else(|| panic!("there is no node {name} in this system"))
    }

    fn id(&self, slot: usize, what: impl FnOnce() -> String) -> u32 {
        if let Some(sight) = self.sight
            && !sight.has(slot)
        {
            panic!("a predicate looks at {}, which is not in its scope", what());
        }
        self.state[slot]
    }
}
