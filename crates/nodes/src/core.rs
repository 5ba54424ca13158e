//! The inside of a world: its members, what is interned, and where each component stands in a state.
//! Slots: for the `i`-th node its component in slot `2i` and its inbox in slot `2i + 1`; then one history per client and
//! the monitor, if histories are kept; then the environment, if faults are on; then the marks of each node, in the exact
//! reading (`races`).
//! Not here: what can happen (`moves`), and how it is remembered for speed (`explore`).

use crate::component::{Handlers, Surroundings};
use crate::envelopes::{Envelopes, Route};
use crate::fault::{Environment, Faults, Split};
use crate::intern::Interner;
use crate::moves::Outcome;
use crate::named::Said;
use crate::network::Network;
use crate::{Address, Note, Recorder, races};
use foresee_lts::{Fault, FaultKind, Reading, State, spread};
use foresee_stdx::mix;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) struct Core {
    pub(crate) name: String,
    pub(crate) network: Network,
    pub(crate) members: Vec<Member>,
    pub(crate) around: Surroundings,
    /// Notes that one handler call made, by id; id 0 is no note at all.
    pub(crate) notes: Interner<Vec<Note>>,
    pub(crate) recorder: Option<Arc<dyn Recorder>>,
    /// The nodes that are clients, in the order of adding.
    pub(crate) clients: Vec<u32>,
    pub(crate) faults: Faults,
    /// Which nodes may crash at all.
    pub(crate) crashable: Vec<bool>,
    pub(crate) splits: Vec<Split>,
    pub(crate) environments: Interner<Environment>,
    pub(crate) initial: State,
    /// How finely states are told apart.
    pub(crate) reading: Reading,
    /// Whether any history was ever faulty; as long as none was, no state need be looked at for one.
    pub(crate) saw_faulty_history: AtomicBool,
    /// Found by words (`named`).
    pub(crate) said: Said,
}

/// One node and everything that concerns only it.
pub(crate) struct Member {
    pub(crate) name: Address,
    pub(crate) components: Box<dyn Handlers>,
    pub(crate) inboxes: Interner<Box<[u32]>>,
    /// Messages that one handler call sent to this node, by id.
    pub(crate) bundles: Interner<Box<[u32]>>,
    /// What handlers did, by component and event: each runs once.
    pub(crate) outcomes: Interner<(u32, u64, Outcome)>,
    /// This node's number among the clients.
    pub(crate) client: Option<u32>,
}

impl Core {
    pub(crate) fn n_nodes(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn component_slot(&self, node: u32) -> usize {
        2 * node as usize
    }

    pub(crate) fn inbox_slot(&self, node: u32) -> usize {
        2 * node as usize + 1
    }

    pub(crate) fn history_slot(&self, client: u32) -> usize {
        2 * self.n_nodes() + client as usize
    }

    pub(crate) fn monitor_slot(&self) -> Option<usize> {
        self.recorder.as_ref().map(|_| 2 * self.n_nodes() + self.clients.len())
    }

    pub(crate) fn environment_slot(&self) -> Option<usize> {
        let histories = self.monitor_slot().map_or(0, |_| self.clients.len() + 1);
        self.faults.any().then_some(2 * self.n_nodes() + histories)
    }

    /// Whether a message that comes to nothing is delivered once and marked, instead of being passed over (`races`).
    pub(crate) fn marks_deliveries(&self) -> bool {
        self.reading == Reading::Exact
    }

    /// The messages to a node that are marked, if the world marks any.
    pub(crate) fn marks_slot(&self, node: u32) -> Option<usize> {
        self.marks_deliveries().then(|| self.n_plain_slots() + node as usize)
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.n_plain_slots() + if self.marks_deliveries() { self.n_nodes() } else { 0 }
    }

    fn n_plain_slots(&self) -> usize {
        let histories = self.monitor_slot().map_or(0, |_| self.clients.len() + 1);
        2 * self.n_nodes() + histories + usize::from(self.faults.any())
    }

    pub(crate) fn node(&self, name: Address) -> Option<u32> {
        self.around.directory.get(name)
    }

    pub(crate) fn address(&self, node: u32) -> Address {
        self.members[node as usize].name
    }

    pub(crate) fn environment(&self, state: &[u32]) -> Option<&Environment> {
        self.environment_slot().map(|slot| self.environments.get(state[slot]))
    }

    pub(crate) fn inbox(&self, state: &[u32], node: u32) -> &[u32] {
        self.members[node as usize].inboxes.get(state[self.inbox_slot(node)])
    }

    /// Every message that was ever sent.
    pub(crate) fn envelopes(&self) -> &Envelopes {
        &self.around.envelopes
    }

    pub(crate) fn route(&self, from: u32, to: u32) -> Route {
        Route { from: self.address(from), to: self.address(to), from_node: from, to_node: to }
    }

    pub(crate) fn intern_inbox(&self, node: u32, inbox: &[u32]) -> u32 {
        let salt = mix(self.inbox_slot(node) as u64 + 1);
        let hash = self.network.hash(inbox, self.envelopes(), salt);
        self.members[node as usize].inboxes.intern_slice(hash, inbox)
    }

    pub(crate) fn intern_environment(&self, environment: Environment) -> u32 {
        let slot = self.environment_slot().expect("faults are on");
        self.environments.intern(environment.hash(mix(slot as u64 + 1)), environment)
    }

    /// The inbox of `node` after the messages of `bundle` have been sent to it.
    pub(crate) fn put(&self, node: u32, inbox: u32, bundle: u32) -> u32 {
        let member = &self.members[node as usize];
        let mut after = member.inboxes.get(inbox).to_vec();
        for &envelope in member.bundles.get(bundle) {
            self.network.put(&mut after, envelope, self.envelopes());
        }
        self.intern_inbox(node, &after)
    }

    pub(crate) fn content_hash(&self, slot: usize, id: u32) -> u64 {
        let n_nodes = self.n_nodes();
        if slot < 2 * n_nodes {
            let member = &self.members[slot / 2];
            return if slot.is_multiple_of(2) {
                member.components.hash(id)
            } else {
                member.inboxes.hash(id)
            };
        }
        if Some(slot) == self.environment_slot() {
            return self.environments.hash(id);
        }
        if slot >= self.n_plain_slots() {
            return races::marks_hash(self, slot - self.n_plain_slots(), id);
        }
        match &self.recorder {
            // The monitor is a function of the histories.
            Some(_) if Some(slot) == self.monitor_slot() => 0,
            Some(recorder) => {
                let hash = recorder.history_hash(slot - 2 * n_nodes, id);
                mix(hash ^ mix(slot as u64 + 1))
            }
            None => unreachable!("slot {slot} of a state that has {} slots", self.n_slots()),
        }
    }

    /// As the content hash says, and also where that is 0 because the slot follows from others.
    pub(crate) fn content_key(&self, slot: usize, id: u32) -> u128 {
        match &self.recorder {
            Some(recorder) if Some(slot) == self.monitor_slot() => {
                spread(mix(recorder.monitor_hash(id) ^ mix(slot as u64 + 1)))
            }
            _ => spread(self.content_hash(slot, id)),
        }
    }

    /// The first thing that is broken in a state, in the order of its slots.
    pub(crate) fn fault(&self, state: &[u32]) -> Option<Fault> {
        let components = self.members.iter().zip(state.iter().step_by(2));
        let mut faults =
            components.filter_map(|(member, id)| member.components.status(*id).fault());
        faults.next().or_else(|| {
            let (client, reason) = self.faulty_history(state)?;
            let name = self.address(self.clients[client]);
            let message = format!("{name} kept no proper history: {reason}");
            Some(Fault { kind: FaultKind::Panic, message })
        })
    }

    #[inline]
    pub(crate) fn has_faulty_history(&self, state: &[u32]) -> bool {
        self.saw_faulty_history() && self.faulty_history(state).is_some()
    }

    /// Whether there may be a faulty history at all.
    #[inline]
    pub(crate) fn saw_faulty_history(&self) -> bool {
        // A thread that sees a faulty history has got it from one that said so first.
        self.saw_faulty_history.load(Ordering::Relaxed)
    }

    /// The first client whose history is faulty, and why.
    fn faulty_history(&self, state: &[u32]) -> Option<(usize, String)> {
        let recorder = self.recorder.as_ref()?;
        (0..self.clients.len()).find_map(|client| {
            let history = state[self.history_slot(client as u32)];
            recorder.fault(client, history).map(|reason| (client, reason))
        })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let members = self.members.iter().map(|member| {
            let slices = member.inboxes.memory_bytes(48) + member.bundles.memory_bytes(24);
            member.components.memory_bytes() + slices + member.outcomes.memory_bytes(24)
        });
        let histories = self.recorder.as_ref().map_or(0, |recorder| recorder.memory_bytes());
        let envelopes = self.envelopes().memory_bytes();
        members.sum::<usize>() + envelopes + histories + self.environments.memory_bytes(0)
    }
}
