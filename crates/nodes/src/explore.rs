//! One worker's way of computing successors: everything remembered, nothing locked, nothing allocated on the usual path.
//! Why: handlers are few, transitions are many. What a node can do depends only on its component and its inbox, what a send
//! does to an inbox only on that inbox and the bundle sent, what a note does only on the history and a few counts. So a
//! transition is a handful of probes in small tables of this worker; a miss asks the shared interners.
//! Invariant: the successors are those of `World::enabled` and `World::step`, in that order (a test compares them).

use crate::component::Status;
use crate::core::Core;
use crate::event::Event;
use crate::fault::N_KINDS;
use crate::moves::Move;
use crate::note_memo::NoteMemo;
use crate::probe::{ProbeTable, pair, unpair};
use crate::{Data, Note};
use foresee_lts::{Action, Explorer, Successors};
use smallvec::SmallVec;

/// Tables are emptied when they hold more than this many entries: a world whose components hardly ever repeat must not
/// fill the memory with what it will not ask again.
const ENTRIES_MAX: usize = 1 << 20;

pub(crate) struct Remembering<'a, M: Data> {
    core: &'a Core<M>,
    nodes: Vec<NodeMemo>,
    moves: Vec<PackedMove>,
    /// The sends of moves that have more than fit into them.
    sends: Vec<(u32, u32)>,
    notes: NoteMemo,
    environments: Vec<Option<EnvironmentMemo>>,
    /// How many moves and puts are remembered, and how many may be before everything is forgotten.
    n_entries: usize,
    entries_max: usize,
    /// Of each node in the state being expanded: a key, and the range of its moves.
    ranges: Vec<(u64, (u32, u32))>,
}

/// A move of a node in the form that is remembered: one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct PackedMove {
    action: Action,
    /// The difference that the node's component and inbox make to the state's hash.
    hash_delta: u64,
    component: u32,
    inbox: u32,
    notes: u32,
    n_sends: u16,
    is_broken: bool,
    has_invocation: bool,
    /// What is sent to other nodes; if it is more, the start of a range of `Remembering::sends`.
    sends: [(u32, u32); N_SENDS],
}

const N_SENDS: usize = 4;

struct NodeMemo {
    /// From component and inbox to the range of its moves.
    moves: ProbeTable<(u32, u32)>,
    /// From inbox and bundle to the inbox after it and the difference of hashes.
    puts: ProbeTable<(u32, u64)>,
}

/// The range that stands for a broken node.
const BROKEN: (u32, u32) = (u32::MAX, u32::MAX);

struct EnvironmentMemo {
    split: Option<u32>,
    /// For each kind of fault: the environment after it and the difference of hashes, if the budget allows it.
    after: [Option<(u32, u64)>; N_KINDS],
    /// What can happen to the network as a whole.
    network: Vec<(Action, u32, u64)>,
}

impl<M: Data> Explorer for Remembering<'_, M> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        if self.n_entries + self.notes.n_entries() > self.entries_max {
            self.forget();
        }
        if self.core.has_faulty_history(state) || self.find_ranges(state) {
            return;
        }
        let environment = self.core.environment_slot().map(|slot| (slot, state[slot]));
        if let Some((_, id)) = environment
            && !matches!(self.environments.get(id as usize), Some(Some(_)))
        {
            self.remember_environment(id);
        }
        for node in 0..self.ranges.len() {
            let (start, end) = self.ranges[node].1;
            for at in start..end {
                match environment {
                    None => self.push(state, node, at, successors, 0),
                    Some((slot, id)) => self.push_if_allowed(state, node, at, successors, slot, id),
                }
            }
        }
        if let Some((slot, id)) = environment {
            let memo = self.environments[id as usize].as_ref().expect("remembered above");
            for &(action, id, hash_delta) in &memo.network {
                successors.change(slot as u32, id);
                successors.finish(action, hash_delta, false);
            }
        }
    }

    fn memory_bytes(&self) -> usize {
        let nodes = self.nodes.iter();
        let tables = nodes.map(|node| node.moves.memory_bytes() + node.puts.memory_bytes());
        let arenas = self.moves.capacity() * size_of::<PackedMove>()
            + self.sends.capacity() * size_of::<(u32, u32)>();
        tables.sum::<usize>() + arenas + self.notes.memory_bytes()
    }
}

impl<'a, M: Data> Remembering<'a, M> {
    pub(crate) fn new(core: &'a Core<M>) -> Self {
        let empty = || NodeMemo { moves: ProbeTable::new(), puts: ProbeTable::new() };
        Remembering {
            core,
            nodes: (0..core.n_nodes()).map(|_| empty()).collect(),
            moves: Vec::new(),
            sends: Vec::new(),
            notes: NoteMemo::new(core),
            environments: Vec::new(),
            n_entries: 0,
            entries_max: ENTRIES_MAX,
            ranges: Vec::new(),
        }
    }

    /// Finds the moves of every node; whether one of them is broken.
    fn find_ranges(&mut self, state: &[u32]) -> bool {
        let keys = state.chunks_exact(2).map(|ids| pair(ids[0], ids[1]));
        // First one look at every table, so that the memory accesses overlap.
        self.ranges.clear();
        self.ranges
            .extend(self.nodes.iter().zip(keys.clone()).map(|(node, key)| node.moves.look(key)));
        let mut is_broken = false;
        for (node, key) in keys.take(self.nodes.len()).enumerate() {
            if self.ranges[node].0 != key {
                let known = self.nodes[node].moves.get(key);
                let range = known.unwrap_or_else(|| self.compute_range(node, key));
                self.ranges[node] = (key, range);
            }
            is_broken |= self.ranges[node].1 == BROKEN;
        }
        is_broken
    }

    /// Pushes a move if the budgets and the split of the network allow it.
    #[inline]
    fn push_if_allowed(
        &mut self,
        state: &[u32],
        node: usize,
        at: u32,
        successors: &mut Successors,
        slot: usize,
        environment: u32,
    ) {
        let memo = self.environments[environment as usize].as_ref().expect("remembered");
        let event = Event::of(self.moves[at as usize].action);
        if let Event::Deliver { from, to, .. } = event
            && self.core.is_split(memo.split, from, to)
        {
            return;
        }
        let Some(kind) = event.kind() else { return self.push(state, node, at, successors, 0) };
        if let Some((id, hash_delta)) = memo.after[kind as usize] {
            successors.change(slot as u32, id);
            self.push(state, node, at, successors, hash_delta);
        }
    }

    /// Pushes a move; `hash_delta` is the difference made by what was changed before.
    #[inline]
    fn push(
        &mut self,
        state: &[u32],
        node: usize,
        at: u32,
        successors: &mut Successors,
        mut hash_delta: u64,
    ) {
        let it = self.moves[at as usize];
        hash_delta = hash_delta.wrapping_add(it.hash_delta);
        change(successors, state, 2 * node, it.component);
        change(successors, state, 2 * node + 1, it.inbox);
        for &(to, bundle) in it.sends(&self.sends) {
            let slot = 2 * to as usize + 1;
            let puts = &mut self.nodes[to as usize].puts;
            let key = pair(state[slot], bundle);
            let (inbox, delta) = match puts.get(key) {
                Some(known) => known,
                None => {
                    self.n_entries += 1;
                    put(self.core, puts, to, state[slot], bundle)
                }
            };
            change(successors, state, slot, inbox);
            hash_delta = hash_delta.wrapping_add(delta);
        }
        let mut is_faulty = it.is_broken;
        if it.notes != 0 {
            let (delta, faulty) = self.push_notes(state, node, &it, successors);
            hash_delta = hash_delta.wrapping_add(delta);
            is_faulty |= faulty;
        }
        successors.finish(it.action, hash_delta, is_faulty);
    }

    /// Pushes what a client's notes change; the difference of hashes, and whether its history is faulty now.
    fn push_notes(
        &mut self,
        state: &[u32],
        node: usize,
        it: &PackedMove,
        successors: &mut Successors,
    ) -> (u64, bool) {
        let core = self.core;
        let client = core.members[node].client.expect("only clients make notes");
        let monitor = core.monitor_slot().expect("notes are made only if histories are kept");
        let after = self.notes.history_after(core, state, client, it.notes, it.has_invocation);
        let monitor_after = self.notes.monitor_after(core, state[monitor], client, it.notes);
        change(successors, state, core.history_slot(client), after.history);
        change(successors, state, monitor, monitor_after);
        (after.hash_delta, after.is_faulty)
    }

    #[cold]
    fn forget(&mut self) {
        self.n_entries = 0;
        self.moves.clear();
        self.sends.clear();
        for node in &mut self.nodes {
            node.moves.clear();
            node.puts.clear();
        }
        self.notes.forget();
    }

    #[cold]
    fn compute_range(&mut self, node: usize, key: u64) -> (u32, u32) {
        let core = self.core;
        let (component, inbox) = unpair(key);
        let range = match core.members[node].components.status(component) {
            Status::Broken { .. } => BROKEN,
            Status::Up | Status::Crashed => {
                let start = self.moves.len() as u32;
                for it in core.moves_of(node as u32, component, inbox) {
                    self.pack(node, component, inbox, &it);
                }
                (start, self.moves.len() as u32)
            }
        };
        self.nodes[node].moves.insert(key, range);
        self.n_entries += 1 + (range.1 - range.0) as usize;
        range
    }

    fn pack(&mut self, node: usize, component: u32, inbox: u32, it: &Move<'_>) {
        let core = self.core;
        let member = &core.members[node];
        let others = it.sends.iter().copied().filter(|(to, _)| *to as usize != node);
        let others: SmallVec<[(u32, u32); N_SENDS]> = others.collect();
        let mut sends = [(0, 0); N_SENDS];
        match sends.get_mut(..others.len()) {
            Some(sends) => sends.copy_from_slice(&others),
            None => {
                sends[0].0 = self.sends.len() as u32;
                self.sends.extend_from_slice(&others);
            }
        }
        let (components, inboxes) = (&member.components, &member.inboxes);
        let component_delta =
            components.hash(it.component).wrapping_sub(components.hash(component));
        let inbox_delta = inboxes.hash(it.inbox).wrapping_sub(inboxes.hash(inbox));
        let mut notes = core.notes.get(it.notes).iter();
        self.moves.push(PackedMove {
            action: it.event.action(),
            hash_delta: component_delta.wrapping_add(inbox_delta),
            component: it.component,
            inbox: it.inbox,
            notes: it.notes,
            n_sends: others.len() as u16,
            is_broken: components.status(it.component).fault().is_some(),
            has_invocation: notes.any(|note| matches!(note, Note::Invoked(_))),
            sends,
        });
    }

    #[cold]
    fn remember_environment(&mut self, id: u32) {
        let core = self.core;
        let environment = core.environments.get(id);
        let after = |event: Event| {
            let after = core.intern_environment(core.environment_after(environment, event));
            let hash = |id| core.environments.hash(id);
            (after, hash(after).wrapping_sub(hash(id)))
        };
        let mut budgets = [None; N_KINDS];
        for event in [
            Event::Drop { from: 0, to: 0, envelope: 0 },
            Event::Duplicate { from: 0, to: 0, envelope: 0 },
            Event::Crash { node: 0 },
            Event::Restart { node: 0 },
        ] {
            let kind = event.kind().expect("a fault with a budget");
            budgets[kind as usize] = environment.allows(kind).then(|| after(event));
        }
        let network = core.network_events().filter(|it| core.is_allowed(*it, Some(environment)));
        let network = network.map(|event| {
            let (id, hash_delta) = after(event);
            (event.action(), id, hash_delta)
        });
        let network = network.collect();
        if self.environments.len() <= id as usize {
            self.environments.resize_with(id as usize + 1, || None);
        }
        let memo = EnvironmentMemo { split: environment.split, after: budgets, network };
        self.environments[id as usize] = Some(memo);
    }
}

impl PackedMove {
    #[inline]
    fn sends<'s>(&'s self, arena: &'s [(u32, u32)]) -> &'s [(u32, u32)] {
        let n = self.n_sends as usize;
        match self.sends.get(..n) {
            Some(sends) => sends,
            None => &arena[self.sends[0].0 as usize..][..n],
        }
    }
}

#[inline]
fn change(successors: &mut Successors, state: &[u32], slot: usize, id: u32) {
    if state[slot] != id {
        successors.change(slot as u32, id);
    }
}

/// The inbox after a bundle arrived, and the difference of hashes; remembers them.
#[cold]
fn put<M: Data>(
    core: &Core<M>,
    puts: &mut ProbeTable<(u32, u64)>,
    to: u32,
    inbox: u32,
    bundle: u32,
) -> (u32, u64) {
    let after = core.put(to, inbox, bundle);
    let inboxes = &core.members[to as usize].inboxes;
    let result = (after, inboxes.hash(after).wrapping_sub(inboxes.hash(inbox)));
    puts.insert(pair(inbox, bundle), result);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, Context, Network, Node, World, WorldBuilder};
    use foresee_lts::{State, System};
    use serde::Serialize;
    use std::collections::BTreeSet;

    /// Greets everybody when it is told to, and remembers who greeted.
    #[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize)]
    struct Polite {
        everybody: Vec<Address>,
        starts: bool,
        greeted_by: BTreeSet<Address>,
    }

    impl Node for Polite {
        type Message = ();
        type Timer = ();
        fn init(&mut self, context: &mut Context<(), ()>) {
            if self.starts {
                context.send(context.me(), ());
            }
        }
        fn on_message(&mut self, from: Address, (): (), context: &mut Context<(), ()>) {
            if from == context.me() {
                context.broadcast(&self.everybody, &());
                context.send(self.everybody[0], ());
            }
            self.greeted_by.insert(from);
        }
    }

    fn world() -> World<()> {
        let names = Address::numbered("polite", 7);
        let mut world = WorldBuilder::new("polite");
        for (i, name) in names.iter().enumerate() {
            let everybody = names.iter().copied().filter(|other| other != name).collect();
            world.add(*name, Polite { everybody, starts: i == 3, greeted_by: BTreeSet::new() });
        }
        world.network(Network::Multiset);
        world.build()
    }

    /// Every reachable state, found by an explorer that may remember so many entries.
    fn states(world: &World<()>, entries_max: usize) -> BTreeSet<State> {
        let mut explorer = Remembering::new(&world.core);
        explorer.entries_max = entries_max;
        let mut successors = Successors::default();
        let mut known: BTreeSet<State> = world.initial().into_iter().collect();
        let mut queue = world.initial();
        while let Some(state) = queue.pop() {
            explorer.expand(&state, &mut successors);
            successors.assert_consistent(world, &state);
            for successor in successors.iter() {
                let mut next = state.clone();
                successors.apply(successor, &mut next);
                assert_eq!(next, world.step(&state, successor.action));
                if known.insert(next.clone()) {
                    queue.push(next);
                }
            }
        }
        known
    }

    #[test]
    fn a_broadcast_to_many_reaches_all() {
        // Told, then each of six greeted or not; the first was greeted twice, but a second greeting is ignored.
        assert_eq!(states(&world(), ENTRIES_MAX).len(), 1 + (1 << 6));
    }

    #[test]
    fn forgetting_changes_nothing() {
        let world = world();
        let all = states(&world, ENTRIES_MAX);
        for entries_max in [0, 1, 20] {
            assert_eq!(states(&world, entries_max), all);
        }
        let mut explorer = Remembering::new(&world.core);
        explorer.entries_max = 20;
        let mut successors = Successors::default();
        all.iter().for_each(|state| explorer.expand(state, &mut successors));
        assert!(explorer.n_entries < 60, "it does forget: {}", explorer.n_entries);
    }
}
