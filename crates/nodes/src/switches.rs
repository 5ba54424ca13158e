//! Switches: links, senders, receivers, timers, disks and crashes that are off for a whole search or one phase of it.
//! Why: to look for one kind of trouble, one often wants a node silent or the network split *throughout*. That is a setting
//! of the search, not an event in it: nothing is added to states, and it may change from phase to phase.
//! Not here: faults that happen during a run (`fault`).

use crate::event::Event;
use crate::{Address, Data, World};
use foresee_lts::Action;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Decides whether an action may happen in a state, in the shape that engines take.
pub type ActionFilter = Arc<dyn Fn(&[u32], Action) -> bool + Send + Sync>;

/// What is switched off; everything is on at first.
///
/// ```
/// use foresee_nodes::{Address, Switches};
/// let [a, b, c] = [Address::new("a"), Address::new("b"), Address::new("c")];
/// let switches = Switches::all_on().partition([vec![a], vec![b, c]]).timers_off([a]);
/// assert!(switches.delivers(b, c) && !switches.delivers(a, b) && !switches.fires(a));
/// assert!(switches.link_on(a, b).delivers(a, b), "one link may be switched on again");
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Switches {
    links: BTreeMap<(Address, Address), bool>,
    senders_off: BTreeSet<Address>,
    receivers_off: BTreeSet<Address>,
    timers_off: BTreeSet<Address>,
    all_timers_off: bool,
    network_off: bool,
    groups: BTreeMap<Address, usize>,
    syncs_off: BTreeSet<Address>,
    /// Whom faults of nodes may befall; `None` for everybody.
    crashes_of: Option<BTreeSet<Address>>,
}

impl Switches {
    pub fn all_on() -> Self {
        Switches::default()
    }

    /// No message from `from` reaches `to`.
    #[must_use]
    pub fn link_off(mut self, from: Address, to: Address) -> Self {
        self.links.insert((from, to), false);
        self
    }

    /// Messages from `from` reach `to` whatever else is off.
    #[must_use]
    pub fn link_on(mut self, from: Address, to: Address) -> Self {
        self.links.insert((from, to), true);
        self
    }

    /// Nothing that these nodes send arrives.
    #[must_use]
    pub fn senders_off(mut self, names: impl IntoIterator<Item = Address>) -> Self {
        self.senders_off.extend(names);
        self
    }

    /// Nothing arrives at these nodes.
    #[must_use]
    pub fn receivers_off(mut self, names: impl IntoIterator<Item = Address>) -> Self {
        self.receivers_off.extend(names);
        self
    }

    /// No timer of these nodes fires.
    #[must_use]
    pub fn timers_off(mut self, names: impl IntoIterator<Item = Address>) -> Self {
        self.timers_off.extend(names);
        self
    }

    /// No timer fires at all.
    #[must_use]
    pub fn all_timers_off(mut self) -> Self {
        self.all_timers_off = true;
        self
    }

    /// These nodes do nothing: they neither send, nor receive, nor have timers that fire.
    #[must_use]
    pub fn nodes_off(self, names: impl IntoIterator<Item = Address>) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        self.senders_off(names.clone()).receivers_off(names.clone()).timers_off(names)
    }

    /// No message arrives anywhere, except over links that are switched on.
    #[must_use]
    pub fn network_off(mut self) -> Self {
        self.network_off = true;
        self
    }

    /// No sync of these nodes is done: what waits for their disks waits.
    #[must_use]
    pub fn syncs_off(mut self, names: impl IntoIterator<Item = Address>) -> Self {
        self.syncs_off.extend(names);
        self
    }

    /// Only these nodes crash, come back or lose their disks, as far as there are budgets for it.
    ///
    /// ```
    /// use foresee_nodes::{Address, Switches};
    /// let [a, b] = [Address::new("a"), Address::new("b")];
    /// let switches = Switches::all_on().crashes_of([a]);
    /// assert!(switches.crashes(a) && !switches.crashes(b) && Switches::all_on().crashes(b));
    /// ```
    #[must_use]
    pub fn crashes_of(mut self, names: impl IntoIterator<Item = Address>) -> Self {
        self.crashes_of = Some(names.into_iter().collect());
        self
    }

    /// Only nodes of one group hear each other; a node in no group hears nobody else.
    #[must_use]
    pub fn partition(mut self, groups: impl IntoIterator<Item = Vec<Address>>) -> Self {
        let groups = groups.into_iter().enumerate();
        self.groups =
            groups.flat_map(|(i, names)| names.into_iter().map(move |n| (n, i))).collect();
        self
    }

    /// The nodes of `world` that a partition leaves out of every group: they hear nobody else, which is easily meant otherwise.
    /// Without a partition there are none.
    pub fn in_no_group<M: Data>(&self, world: &World<M>) -> Vec<Address> {
        let is_out = |name: &Address| !self.groups.is_empty() && !self.groups.contains_key(name);
        world.addresses().into_iter().filter(is_out).collect()
    }

    /// Whether a message from `from` may reach `to`.
    pub fn delivers(&self, from: Address, to: Address) -> bool {
        if let Some(is_on) = self.links.get(&(from, to)) {
            return *is_on;
        }
        let group = |name| self.groups.get(&name);
        let is_split = !self.groups.is_empty()
            && from != to
            && (group(from) != group(to) || group(from).is_none());
        let is_off = self.senders_off.contains(&from) || self.receivers_off.contains(&to);
        !(self.network_off || is_split || is_off)
    }

    /// Whether timers of `node` may fire.
    pub fn fires(&self, node: Address) -> bool {
        !self.all_timers_off && !self.timers_off.contains(&node)
    }

    /// Whether `node` may crash, come back or lose its disk.
    pub fn crashes(&self, node: Address) -> bool {
        self.crashes_of.as_ref().is_none_or(|names| names.contains(&node))
    }

    /// These switches as a filter for a search of `world`. Faults of the network are not switched: give them no budget instead.
    pub fn filter<M: Data>(&self, world: &World<M>) -> ActionFilter {
        let names = world.addresses();
        let n_nodes = names.len();
        let fires: Vec<bool> = names.iter().map(|node| self.fires(*node)).collect();
        let crashes: Vec<bool> = names.iter().map(|node| self.crashes(*node)).collect();
        let syncs: Vec<bool> = names.iter().map(|node| !self.syncs_off.contains(node)).collect();
        let pairs = names.iter().flat_map(|from| names.iter().map(move |to| (*from, *to)));
        let delivers: Vec<bool> = pairs.map(|(from, to)| self.delivers(from, to)).collect();
        Arc::new(move |_state, action| match Event::of(action) {
            Event::Deliver { from, to, .. } => delivers[from as usize * n_nodes + to as usize],
            Event::Timer { node, .. } => fires[node as usize],
            Event::Sync { node } => syncs[node as usize],
            Event::Crash { node }
            | Event::Torn { node, .. }
            | Event::Restart { node }
            | Event::LoseDisk { node } => crashes[node as usize],
            _ => true,
        })
    }
}
