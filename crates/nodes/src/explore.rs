//! One worker's way of computing successors: everything remembered, nothing locked, nothing allocated on the usual path.
//! Why: handlers are few, transitions are many. What a node can do depends only on its component and its inbox, what a send
//! does to an inbox only on that inbox and the bundle sent, what a note does only on the history and a few counts. So a
//! transition is a handful of probes in small tables of this worker; a miss asks the shared interners.
//! Invariant: the successors are those of `World::enabled` and `World::step`, in that order (a test compares them).

use crate::component::Status;
use crate::core::Core;
use crate::event::Event;
use crate::fault::{Kind, N_KINDS};
use crate::{Data, Note};
use foresee_lts::{Action, Change, Explorer, State, Successors};
use rustc_hash::FxHashMap;

/// Tables are emptied when they hold more than this many moves or sends: a world whose components hardly ever repeat
/// must not fill the memory with what it will not ask again.
const ENTRIES_MAX: usize = 1 << 21;

pub(crate) struct Remembering<'a, M: Data> {
    core: &'a Core<M>,
    nodes: Vec<NodeMemo>,
    moves: Vec<PackedMove>,
    sends: Vec<(u32, u32)>,
    clients: Vec<ClientMemo>,
    environments: Vec<Option<EnvironmentMemo>>,
    n_puts: usize,
    ranges: Vec<(u32, u32)>,
    changes: Vec<Change>,
}

/// A move of a node without what only the first look needs.
#[derive(Clone, Copy)]
struct PackedMove {
    action: Action,
    /// The difference that the node's component and inbox make to the state's hash.
    hash_delta: u64,
    component: u32,
    inbox: u32,
    sends: (u32, u32),
    notes: u32,
    from: u32,
    kind: Option<Kind>,
    is_delivery: bool,
    is_broken: bool,
    has_invocation: bool,
}

#[derive(Default)]
struct NodeMemo {
    /// The pair that was asked for last; neighbours in a search often differ elsewhere.
    last: Option<(u64, (u32, u32))>,
    /// From component and inbox to the range of its moves.
    moves: FxHashMap<u64, (u32, u32)>,
    /// From inbox and bundle to the inbox after it and the difference of hashes.
    puts: FxHashMap<u64, (u32, u64)>,
}

/// The range that stands for a broken node.
const BROKEN: (u32, u32) = (u32::MAX, u32::MAX);

#[derive(Default)]
struct ClientMemo {
    /// For each history: how many operations have returned, and whether it is faulty.
    infos: Vec<Option<(u32, bool)>>,
    /// From history, notes and the other clients' counts to the history after, the difference of hashes, faultiness.
    histories: FxHashMap<(u64, u128), (u32, u64, bool)>,
    /// From monitor and notes to the monitor after.
    monitors: FxHashMap<u64, u32>,
}

struct EnvironmentMemo {
    split: Option<u32>,
    /// For each kind of fault: the environment after it and the difference of hashes, if the budget allows it.
    after: [Option<(u32, u64)>; N_KINDS],
    /// What can happen to the network as a whole.
    network: Vec<(Action, u32, u64)>,
}

impl<'a, M: Data> Remembering<'a, M> {
    pub(crate) fn new(core: &'a Core<M>) -> Self {
        Remembering {
            core,
            nodes: (0..core.n_nodes()).map(|_| NodeMemo::default()).collect(),
            moves: Vec::new(),
            sends: Vec::new(),
            clients: core.clients.iter().map(|_| ClientMemo::default()).collect(),
            environments: Vec::new(),
            n_puts: 0,
            ranges: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Forgets everything once it is too much.
    fn forget_if_full(&mut self) {
        if self.moves.len() > ENTRIES_MAX || self.n_puts > ENTRIES_MAX {
            self.moves.clear();
            self.sends.clear();
            self.n_puts = 0;
            for node in &mut self.nodes {
                node.last = None;
                node.moves.clear();
                node.puts.clear();
            }
        }
        for client in &mut self.clients {
            if client.histories.len() + client.monitors.len() > ENTRIES_MAX {
                client.histories.clear();
                client.monitors.clear();
            }
        }
    }

    /// The moves of a node as a range of `moves`.
    fn range(&mut self, node: usize, component: u32, inbox: u32) -> (u32, u32) {
        let key = pair(component, inbox);
        let memo = &mut self.nodes[node];
        if let Some((last, range)) = memo.last
            && last == key
        {
            return range;
        }
        let range = match memo.moves.get(&key) {
            Some(range) => *range,
            None => self.compute_range(node, component, inbox),
        };
        self.nodes[node].last = Some((key, range));
        range
    }

    #[cold]
    fn compute_range(&mut self, node: usize, component: u32, inbox: u32) -> (u32, u32) {
        let core = self.core;
        let member = &core.members[node];
        let range = if matches!(member.components.status(component), Status::Broken { .. }) {
            BROKEN
        } else {
            let start = self.moves.len() as u32;
            for it in core.moves_of(node as u32, component, inbox) {
                let first_send = self.sends.len() as u32;
                let others = it.sends.iter().filter(|(to, _)| *to as usize != node);
                self.sends.extend(others);
                let before = member.components.hash(component);
                let after = member.components.hash(it.component);
                let inbox_delta =
                    member.inboxes.hash(it.inbox).wrapping_sub(member.inboxes.hash(inbox));
                self.moves.push(PackedMove {
                    action: it.event.action(),
                    hash_delta: after.wrapping_sub(before).wrapping_add(inbox_delta),
                    component: it.component,
                    inbox: it.inbox,
                    sends: (first_send, self.sends.len() as u32),
                    notes: it.notes,
                    from: if let Event::Deliver { from, .. } = it.event { from } else { 0 },
                    kind: it.event.kind(),
                    is_delivery: matches!(it.event, Event::Deliver { .. }),
                    is_broken: member.components.status(it.component).fault().is_some(),
                    has_invocation: core
                        .notes
                        .get(it.notes)
                        .iter()
                        .any(|note| matches!(note, Note::Invoked(_))),
                });
            }
            (start, self.moves.len() as u32)
        };
        self.nodes[node].moves.insert(pair(component, inbox), range);
        range
    }

    /// Whether some history is faulty; makes sure that every present history is known.
    fn has_faulty_history(&mut self, state: &[u32]) -> bool {
        let core = self.core;
        let Some(recorder) = &core.recorder else { return false };
        let mut is_faulty = false;
        for (client, memo) in self.clients.iter_mut().enumerate() {
            let history = state[core.history_slot(client as u32)];
            if memo.infos.len() <= history as usize {
                memo.infos.resize(history as usize + 1, None);
            }
            let info = memo.infos[history as usize].get_or_insert_with(|| {
                (recorder.completed(client, history), recorder.fault(client, history).is_some())
            });
            is_faulty |= info.1;
        }
        is_faulty
    }

    #[cold]
    fn remember_environment(&mut self, id: u32) {
        let core = self.core;
        let environment = core.environments.get(id);
        let before = core.environments.hash(id);
        let after = |event: Event| {
            let after = core.intern_environment(core.environment_after(environment, event));
            (after, core.environments.hash(after).wrapping_sub(before))
        };
        let mut memo = EnvironmentMemo {
            split: environment.split,
            after: [None; N_KINDS],
            network: Vec::new(),
        };
        for event in [
            Event::Drop { from: 0, to: 0, envelope: 0 },
            Event::Duplicate { from: 0, to: 0, envelope: 0 },
            Event::Crash { node: 0 },
            Event::Restart { node: 0 },
        ] {
            let kind = event.kind().expect("a fault with a budget");
            memo.after[kind as usize] = environment.allows(kind).then(|| after(event));
        }
        for event in
            core.network_events().filter(|event| core.is_allowed(*event, Some(environment)))
        {
            let (id, hash_delta) = after(event);
            memo.network.push((event.action(), id, hash_delta));
        }
        if self.environments.len() <= id as usize {
            self.environments.resize_with(id as usize + 1, || None);
        }
        self.environments[id as usize] = Some(memo);
    }
}

impl<M: Data> Explorer for Remembering<'_, M> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.forget_if_full();
        if self.has_faulty_history(state) {
            return;
        }
        let core = self.core;
        let n_nodes = core.n_nodes();
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.clear();
        ranges.extend(
            (0..n_nodes).map(|node| self.range(node, state[2 * node], state[2 * node + 1])),
        );
        let is_broken = ranges.contains(&BROKEN);
        self.ranges = ranges;
        if is_broken {
            return;
        }
        let environment_slot = core.environment_slot();
        if let Some(slot) = environment_slot
            && !matches!(self.environments.get(state[slot] as usize), Some(Some(_)))
        {
            self.remember_environment(state[slot]);
        }
        let environment = environment_slot.map(|slot| {
            let memo = self.environments[state[slot] as usize].as_ref();
            (slot as u32, memo.expect("remembered above"))
        });
        let Self { nodes, moves, sends, clients, n_puts, ranges, changes, .. } = self;
        for (node, &(start, end)) in ranges.iter().enumerate() {
            for it in &moves[start as usize..end as usize] {
                changes.clear();
                let mut hash_delta = it.hash_delta;
                let mut is_faulty = it.is_broken;
                let mut environment_change = None;
                if let Some((slot, environment)) = environment {
                    if it.is_delivery && core.is_split(environment.split, it.from, node as u32) {
                        continue;
                    }
                    if let Some(kind) = it.kind {
                        let Some((id, delta)) = environment.after[kind as usize] else { continue };
                        hash_delta = hash_delta.wrapping_add(delta);
                        environment_change = Some(Change { slot, id });
                    }
                }
                change(changes, state, 2 * node, it.component);
                change(changes, state, 2 * node + 1, it.inbox);
                for &(to, bundle) in &sends[it.sends.0 as usize..it.sends.1 as usize] {
                    let slot = 2 * to as usize + 1;
                    let inbox = state[slot];
                    let puts = &mut nodes[to as usize].puts;
                    let (after, delta) = *puts.entry(pair(inbox, bundle)).or_insert_with(|| {
                        *n_puts += 1;
                        put(core, to, inbox, bundle)
                    });
                    change(changes, state, slot, after);
                    hash_delta = hash_delta.wrapping_add(delta);
                }
                if it.notes != 0 && core.recorder.is_some() {
                    let client = core.members[node].client.expect("only clients make notes");
                    let (delta, faulty) = note(core, clients, state, client, it, changes);
                    hash_delta = hash_delta.wrapping_add(delta);
                    is_faulty |= faulty;
                }
                changes.extend(environment_change);
                successors.push(it.action, hash_delta, is_faulty, changes);
            }
        }
        if let Some((slot, environment)) = environment {
            for &(action, id, hash_delta) in &environment.network {
                successors.push(action, hash_delta, false, &[Change { slot, id }]);
            }
        }
    }

    fn memory_bytes(&self) -> usize {
        let nodes = self.nodes.iter().map(|node| {
            node.moves.capacity() * size_of::<(u64, (u32, u32))>()
                + node.puts.capacity() * size_of::<(u64, (u32, u64))>()
        });
        let clients = self.clients.iter().map(|client| {
            client.histories.capacity() * size_of::<((u64, u128), (u32, u64, bool))>()
                + client.monitors.capacity() * size_of::<(u64, u32)>()
                + client.infos.capacity() * size_of::<Option<(u32, bool)>>()
        });
        let arenas = self.moves.capacity() * size_of::<PackedMove>()
            + self.sends.capacity() * size_of::<(u32, u32)>();
        nodes.sum::<usize>() + clients.sum::<usize>() + arenas
    }
}

fn pair(a: u32, b: u32) -> u64 {
    (u64::from(a) << 32) | u64::from(b)
}

#[inline]
fn change(changes: &mut Vec<Change>, state: &[u32], slot: usize, id: u32) {
    if state[slot] != id {
        changes.push(Change { slot: slot as u32, id });
    }
}

#[cold]
fn put<M: Data>(core: &Core<M>, to: u32, inbox: u32, bundle: u32) -> (u32, u64) {
    let after = core.put(to, inbox, bundle);
    let inboxes = &core.members[to as usize].inboxes;
    (after, inboxes.hash(after).wrapping_sub(inboxes.hash(inbox)))
}

/// Adds the changes that a client's notes make; returns the difference of hashes and whether the history is faulty.
fn note<M: Data>(
    core: &Core<M>,
    clients: &mut [ClientMemo],
    state: &[u32],
    client: u32,
    it: &PackedMove,
    changes: &mut Vec<Change>,
) -> (u64, bool) {
    let (slot, monitor) = (core.history_slot(client), core.monitor_slot().expect("a recorder"));
    let counts =
        if it.has_invocation { pack_counts(core, clients, state, client) } else { Some(0) };
    let memo = &mut clients[client as usize];
    let history_key = counts.map(|counts| (pair(state[slot], it.notes), counts));
    let monitor_key = pair(state[monitor], it.notes);
    let known = history_key.and_then(|key| memo.histories.get(&key)).copied();
    let (history, monitor_after) = match (known, memo.monitors.get(&monitor_key)) {
        (Some(history), Some(monitor)) => (history, *monitor),
        _ => {
            let (history, monitor) = compute_note(core, state, client, it.notes);
            if let Some(key) = history_key {
                memo.histories.insert(key, history);
            }
            memo.monitors.insert(monitor_key, monitor);
            (history, monitor)
        }
    };
    let (id, hash_delta, is_faulty) = history;
    change(changes, state, slot, id);
    change(changes, state, monitor, monitor_after);
    (hash_delta, is_faulty)
}

#[cold]
fn compute_note<M: Data>(
    core: &Core<M>,
    state: &[u32],
    client: u32,
    notes: u32,
) -> ((u32, u64, bool), u32) {
    let (slot, monitor) = (core.history_slot(client), core.monitor_slot().expect("a recorder"));
    let recorder = core.recorder.as_ref().expect("a recorder");
    let mut after: State = state.to_vec();
    core.note(&mut after, client, notes);
    let hash = |id| core.content_hash(slot, id);
    let hash_delta = hash(after[slot]).wrapping_sub(hash(state[slot]));
    let is_faulty = recorder.fault(client as usize, after[slot]).is_some();
    ((after[slot], hash_delta, is_faulty), after[monitor])
}

/// The other clients' counts of completed operations in one word, if they fit.
fn pack_counts<M: Data>(
    core: &Core<M>,
    clients: &[ClientMemo],
    state: &[u32],
    own: u32,
) -> Option<u128> {
    let bits = (128 / clients.len()).min(32) as u32;
    let mut packed = 0u128;
    for (client, memo) in clients.iter().enumerate() {
        let history = state[core.history_slot(client as u32)];
        let (completed, _) = memo.infos[history as usize].expect("looked up before");
        let count = if client == own as usize { 0 } else { u128::from(completed) };
        if count >> bits != 0 {
            return None;
        }
        packed = (packed << bits) | count;
    }
    Some(packed)
}
