//! The fast way against the plain way, on random walks through worlds with every network model, faults and histories; and
//! what footprints claim, tried out.

mod common;

use common::{Ping, PingServer, count_by_explorer, enabled, ping_world};
use foresee_lts::{
    Action, Field, Interleaved, Label, PackedSuccessors, State, Successor, Successors, System,
    Telling, content_hash_of,
};
use foresee_nodes::{
    Address, Context, Crashable, Faults, Linearizable, Network, Node, Register, RegisterOperation,
    RegisterResult, Splits, World, WorldBuilder,
};
use foresee_stdx::Random;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Message {
    /// Passed around the ring, counting down.
    Token(u8),
    Put(char),
    Get,
    Done(Option<char>),
}

/// Passes tokens on, to itself too; sets, cancels and repeats timers; keeps a register; breaks on a bad token.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Busy {
    next: Address,
    n_tokens: u8,
    bad_token: u8,
    /// On stable storage.
    value: char,
}

impl Node for Busy {
    type Message = Message;
    type Timer = u8;
    fn init(&mut self, context: &mut Context<Message, u8>) {
        context.send(self.next, Message::Token(3));
        context.set_timer_between(1, Duration::from_millis(5), Duration::from_millis(9));
    }
    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, u8>) {
        match message {
            Message::Token(n) if n == self.bad_token => panic!("token {n} is bad"),
            Message::Token(0) => context.cancel_timer(1),
            Message::Token(n) => {
                self.n_tokens = (self.n_tokens + n) % 5;
                context.send(self.next, Message::Token(n - 1));
                context.send(self.next, Message::Token(n / 2));
                if n == 2 {
                    context.send(context.me(), Message::Token(0));
                    context.set_timer(n, Duration::from_millis(7));
                }
            }
            Message::Put(value) => {
                self.value = value;
                context.send(from, Message::Done(None));
            }
            Message::Get => context.send(from, Message::Done(Some(self.value))),
            Message::Done(_) => {}
        }
    }
    fn on_timer(&mut self, timer: u8, context: &mut Context<Message, u8>) {
        if self.n_tokens < 3 {
            context.set_timer_between(timer, Duration::from_millis(5), Duration::from_millis(6));
            context.send(self.next, Message::Token(timer));
        }
    }
    fn recover(&self, fresh: Self) -> Self {
        Busy { value: self.value, ..fresh }
    }
}

/// Puts and gets in turn; after a crash it goes on where it was.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Caller {
    servers: Vec<Address>,
    value: char,
    n_done: usize,
}

impl Caller {
    fn call(&self, context: &mut Context<Message, ()>) {
        let server = self.servers[self.n_done % self.servers.len()];
        if self.n_done.is_multiple_of(2) {
            context.invoked(RegisterOperation::Write(self.value));
            context.send(server, Message::Put(self.value));
        } else {
            context.invoked(RegisterOperation::<char>::Read);
            context.send(server, Message::Get);
        }
    }
}

impl Node for Caller {
    type Message = Message;
    type Timer = ();
    fn init(&mut self, context: &mut Context<Message, ()>) {
        self.call(context);
    }
    fn on_message(&mut self, _: Address, message: Message, context: &mut Context<Message, ()>) {
        let Message::Done(value) = message else { return };
        if value.is_some() == self.n_done.is_multiple_of(2) {
            return;
        }
        match value {
            None => context.returned(RegisterResult::<char>::WriteOk),
            Some(value) => context.returned(RegisterResult::ReadOk(value)),
        }
        self.n_done += 1;
        self.call(context);
    }
    fn recover(&self, _fresh: Self) -> Self {
        self.clone()
    }
    fn on_restart(&mut self, _: &mut Context<Message, ()>) {}
}

const NETWORKS: [Network; Network::ALL.len()] = Network::ALL;

/// A world with everything in it.
fn busy_world(
    network: Network,
    with_faults: bool,
    with_histories: bool,
    bad_token: u8,
) -> World<Message> {
    let mut world = WorldBuilder::new("busy");
    let servers = Address::numbered("busy", 2);
    for i in 0..2 {
        let next = servers[(i + 1) % 2];
        world.add(servers[i], Busy { next, n_tokens: 0, bad_token, value: '-' });
    }
    for (i, name) in Address::numbered("caller", 2).into_iter().enumerate() {
        let value = char::from(b'a' + i as u8);
        world.add_client(name, Caller { servers: servers.clone(), value, n_done: 0 });
    }
    world.network(network);
    if with_faults {
        let copies = u32::from(network.has_message_faults()) * 2;
        world.faults(Faults {
            drops: copies,
            duplicates: copies,
            crashes: 2,
            restarts: 1,
            partitions: 2,
            crashable: Crashable::Only(vec![servers[1], Address::new("caller1")]),
            splits: Splits::SmallerSideUpTo(2),
            ..Faults::default()
        });
    }
    if with_histories {
        world.recorder(|_clients| Arc::new(Linearizable::new(Register::new('-'))));
    }
    world.build()
}

/// Sends a server more pings at once than a word has bits.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Flood {
    server: Address,
    n: u32,
}

impl Node for Flood {
    type Message = Ping;
    type Timer = ();
    fn init(&mut self, context: &mut Context<Ping, ()>) {
        (0..self.n).for_each(|n| context.send(self.server, Ping::Ping(n)));
    }
    fn on_message(&mut self, _: Address, _: Ping, _: &mut Context<Ping, ()>) {}
}

fn flooded_world(n: u32) -> World<Ping> {
    let mut world = WorldBuilder::new("flood");
    let server = world.add("server", PingServer);
    world.add("flood", Flood { server, n });
    world.build()
}

/// Budgets, but no splits: loops are counted while some moves are forbidden.
fn crashing_world(network: Network) -> World<Message> {
    let mut world = WorldBuilder::new("crashing");
    let servers = Address::numbered("busy", 2);
    for i in 0..2 {
        let next = servers[(i + 1) % 2];
        world.add(servers[i], Busy { next, n_tokens: 0, bad_token: 99, value: '-' });
    }
    let name = Address::new("caller1");
    world.add_client(name, Caller { servers: servers.clone(), value: 'a', n_done: 0 });
    world.network(network);
    let copies = u32::from(network.has_message_faults());
    let faults =
        Faults { drops: copies, duplicates: copies, crashes: 1, restarts: 1, ..Faults::default() };
    world.faults(faults);
    world.build()
}

/// Every kind of world, each with a name for messages.
fn worlds() -> Vec<(String, World<Message>)> {
    let mut worlds = Vec::new();
    for network in NETWORKS {
        for (faults, histories, bad) in [
            (false, false, 99),
            (true, false, 99),
            (false, true, 99),
            (true, true, 99),
            (true, true, 1),
        ] {
            let name = format!("{network:?} faults={faults} histories={histories} bad={bad}");
            worlds.push((name, busy_world(network, faults, histories, bad)));
        }
    }
    worlds
}

/// Visits the states of `n_walks` random walks.
fn walk(system: &dyn System, seed: u64, n_walks: u32, mut visit: impl FnMut(&State, &[Action])) {
    let mut random = Random::new(seed);
    for _ in 0..n_walks {
        let mut state = system.initial().remove(0);
        for _ in 0..40 {
            let actions = enabled(system, &state);
            visit(&state, &actions);
            if actions.is_empty() {
                break;
            }
            let action = actions[random.below(actions.len() as u64) as usize];
            state = system.step(&state, action);
        }
    }
}

#[test]
fn the_explorer_agrees_with_enabled_and_step() {
    for (name, world) in worlds() {
        let mut explorer = world.explorer();
        let mut successors = Successors::default();
        let mut n_faulty = 0;
        walk(&world, 7, 25, |state, actions| {
            explorer.expand(state, &mut successors);
            let found: Vec<Action> = successors.iter().map(|successor| successor.action).collect();
            assert_eq!(found, actions, "{name}: other actions or another order");
            successors.assert_consistent(&world, state);
            for successor in successors.iter() {
                let mut next = state.clone();
                successors.apply(successor, &mut next);
                assert_eq!(next, world.step(state, successor.action), "{name}");
                assert_eq!(successor.faulty, world.fault(&next).is_some(), "{name}");
                n_faulty += usize::from(successor.faulty);
                let changes = successors.changes(successor);
                assert!(
                    changes.iter().all(|it| state[it.slot as usize] != it.id),
                    "{name}: no change"
                );
            }
        });
        assert_eq!(n_faulty > 0, name.ends_with("bad=1"), "{name}");
        assert!(explorer.memory_bytes() > 0 && world.memory_bytes() > 0);
    }
}

/// Counted loops are exactly the ones that would be listed, and everything else stands where it would stand.
#[test]
fn loops_that_are_counted_are_those_that_would_be_listed() {
    let mut all: Vec<(String, Box<dyn System>)> = Vec::new();
    for (name, world) in worlds() {
        all.push((name, Box::new(world)));
    }
    for network in NETWORKS {
        all.push((format!("{network:?} crashes"), Box::new(crashing_world(network))));
    }
    for (n_clients, n_pings) in [(1, 80), (2, 10), (3, 6)] {
        let name = format!("ping {n_clients} {n_pings}");
        all.push((name, Box::new(ping_world(n_clients, n_pings))));
    }
    all.push(("flood".to_owned(), Box::new(flooded_world(100))));
    let mut n_counted = 0;
    for (name, system) in &all {
        let (mut listing, mut counting) = (system.explorer(), system.explorer());
        let (mut listed, mut counted) = (Successors::default(), Successors::counting_loops());
        walk(&**system, 11, 25, |state, actions| {
            listing.expand(state, &mut listed);
            counting.expand(state, &mut counted);
            assert_eq!(counted.n_transitions() as usize, actions.len(), "{name}");
            assert_eq!(counted.is_empty(), actions.is_empty(), "{name}");
            counted.assert_consistent(&**system, state);
            let mut expected = listed.iter().filter(|it| !listed.changes(it).is_empty());
            for it in counted.iter().filter(|it| !counted.changes(it).is_empty()) {
                let other = expected.next().expect("listed too");
                assert_eq!((it.action, it.ordinal), (other.action, other.ordinal), "{name}");
                assert_eq!(counted.changes(it), listed.changes(other), "{name}");
                assert_eq!(actions[it.ordinal as usize], it.action, "{name}");
            }
            assert!(expected.next().is_none(), "{name}: a successor is missing");
            n_counted += actions.len() - counted.len();
        });
        // One that has counted can list again.
        let start = &system.initial()[0];
        counting.expand(start, &mut listed);
        assert_eq!(listed.len(), enabled(&**system, start).len(), "{name}");
    }
    assert!(n_counted > 10_000, "{n_counted} loops only");
}

/// Slots in so many words, side by side.
fn fields(n_slots: usize, width: usize) -> Vec<Field> {
    let n_in_word = n_slots.div_ceil(width);
    let bits = (64 / n_in_word).min(32);
    let field = |slot: usize| Field {
        word: (slot / n_in_word) as u32,
        shift: (slot % n_in_word * bits) as u32,
        mask: (1 << bits) - 1,
    };
    (0..n_slots).map(field).collect()
}

fn pack(fields: &[Field], width: usize, state: &[u32]) -> Option<Vec<u64>> {
    let mut words = vec![0; width];
    for (field, id) in fields.iter().zip(state) {
        if u64::from(*id) > field.mask {
            return None;
        }
        words[field.word as usize] |= u64::from(*id) << field.shift;
    }
    Some(words)
}

/// Packed successors are those that are listed, and ids that do not fit are named.
#[test]
fn packed_successors_are_those_that_are_listed() {
    let mut all: Vec<(String, Box<dyn System>)> = Vec::new();
    for (name, world) in worlds() {
        all.push((name, Box::new(world)));
    }
    for network in NETWORKS {
        all.push((format!("{network:?} crashes"), Box::new(crashing_world(network))));
    }
    all.push(("ping".to_owned(), Box::new(ping_world(3, 6))));
    all.push(("flood".to_owned(), Box::new(flooded_world(100))));
    let (mut n_packed, mut n_misfits) = (0, 0);
    for (name, system) in &all {
        for width in 1..=4 {
            let fields = fields(system.initial()[0].len(), width);
            let (mut listing, mut packing) = (system.explorer(), system.explorer());
            let mut listed = Successors::counting_loops();
            let (mut states, mut words) = (Vec::new(), Vec::new());
            walk(&**system, 13, 8, |state, _| {
                if let Some(packed) = pack(&fields, width, state) {
                    states.push(state.clone());
                    words.extend(packed);
                }
            });
            let mut packed = PackedSuccessors::default();
            assert!(packing.expand_packed(&fields, width, &words, &mut packed), "{name}");
            let mut misfits: Vec<(u32, u32)> = Vec::new();
            for (state, (range, n_transitions)) in states.iter().zip(packed.states()) {
                listing.expand(state, &mut listed);
                assert_eq!(n_transitions, listed.n_transitions(), "{name}");
                let next = |it: &&Successor| {
                    let mut next = state.clone();
                    listed.apply(it, &mut next);
                    next
                };
                let changed = listed.iter().filter(|it| !listed.changes(it).is_empty());
                let (fitting, others): (Vec<&Successor>, Vec<&Successor>) =
                    changed.partition(|it| pack(&fields, width, &next(it)).is_some());
                let changes = others.iter().flat_map(|it| listed.changes(it));
                misfits.extend(changes.map(|it| (it.slot, it.id)));
                let changed = fitting;
                assert_eq!(range.len(), changed.len(), "{name}");
                for (position, it) in range.zip(changed) {
                    let found = packed.get(position);
                    assert_eq!((found.ordinal, found.faulty), (it.ordinal, it.faulty), "{name}");
                    let expected = pack(&fields, width, &next(&it)).expect("it fits");
                    assert_eq!(packed.words(position, width), expected, "{name}");
                    n_packed += 1;
                }
            }
            let found: Vec<_> = packed.misfits().iter().map(|it| (it.slot, it.id)).collect();
            assert_eq!(found, misfits, "{name}");
            n_misfits += found.len();
        }
        let wide = fields(system.initial()[0].len(), 5);
        let mut packed = PackedSuccessors::default();
        assert!(!system.explorer().expand_packed(&wide, 5, &[0; 5], &mut packed), "too wide");
    }
    assert!(n_packed > 100_000 && n_misfits > 100, "{n_packed} {n_misfits}");
}

#[test]
fn a_label_finds_the_actions_that_have_it() {
    for (name, world) in worlds() {
        walk(&world, 5, 10, |state, actions| {
            let label = |action: &Action| world.label(state, *action);
            for wanted in actions.iter().map(label) {
                let same = |action: &&Action| label(action).same_but_for_place(&wanted);
                let expected: Vec<Action> = actions.iter().filter(same).copied().collect();
                let mut found = Vec::new();
                world.enabled_with_label(state, &wanted, &mut found);
                assert_eq!(found, expected, "{name}: {wanted}");
                let other = Label { to: Some("nobody".to_owned()), ..wanted };
                world.enabled_with_label(state, &other, &mut found);
                assert_eq!(found, expected, "{name}: {other} cannot happen");
            }
        });
    }
}

#[test]
fn labels_tell_actions_apart() {
    for (name, world) in worlds() {
        walk(&world, 3, 10, |state, actions| {
            let mut labels: Vec<String> =
                actions.iter().map(|action| world.label(state, *action).to_string()).collect();
            labels.sort_unstable();
            let n_labels = labels.len();
            labels.dedup();
            assert_eq!(labels.len(), n_labels, "{name}: one label for two actions");
        });
    }
}

#[test]
fn events_that_touch_nothing_in_common_commute() {
    for (name, world) in worlds() {
        let mut n_pairs = 0;
        walk(&world, 5, 8, |state, actions| {
            let footprints: Vec<_> = actions.iter().map(|it| world.footprint(state, *it)).collect();
            for (i, &a) in actions.iter().enumerate() {
                for (j, &b) in actions.iter().enumerate().skip(i + 1) {
                    if footprints[i].depends_on(&footprints[j]) {
                        continue;
                    }
                    let (after_a, after_b) = (world.step(state, a), world.step(state, b));
                    if world.fault(&after_a).is_some() || world.fault(&after_b).is_some() {
                        continue;
                    }
                    n_pairs += 1;
                    let what = || {
                        format!("{name}: {} and {}", world.label(state, a), world.label(state, b))
                    };
                    assert!(enabled(&world, &after_a).contains(&b), "{}", what());
                    assert!(enabled(&world, &after_b).contains(&a), "{}", what());
                    assert_eq!(world.step(&after_a, b), world.step(&after_b, a), "{}", what());
                }
            }
        });
        assert!(n_pairs > 50, "{name}: {n_pairs} independent pairs only");
    }
}

/// The states within some number of steps, by content hash, with the labels of what can happen in them.
fn neighbourhood(
    world: &World<Message>,
    n_states: usize,
    newest_first: bool,
) -> BTreeMap<u64, Vec<String>> {
    let mut explorer = world.explorer();
    let mut successors = Successors::default();
    let start = world.initial().remove(0);
    let mut known = BTreeMap::new();
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((state, depth)) = if newest_first { queue.pop_back() } else { queue.pop_front() }
    {
        let hash = content_hash_of(world, &state);
        if depth > 5 || known.len() > n_states || known.contains_key(&hash) {
            continue;
        }
        explorer.expand(&state, &mut successors);
        let labels = successors.iter().map(|it| world.label(&state, it.action).to_string());
        known.insert(hash, labels.collect());
        for successor in successors.iter() {
            let mut next = state.clone();
            successors.apply(successor, &mut next);
            queue.push_back((next, depth + 1));
        }
    }
    known
}

#[test]
fn content_and_order_do_not_depend_on_threads_or_on_who_asked_first() {
    for network in NETWORKS {
        let shared = busy_world(network, true, true, 1);
        let other = busy_world(network, true, true, 1);
        // The second thread goes another way first, so that ids come in another order than in a world of its own.
        let (one, two) = std::thread::scope(|scope| {
            let one = scope.spawn(|| neighbourhood(&shared, 3_000, false));
            let two = scope.spawn(|| {
                neighbourhood(&shared, 500, true);
                neighbourhood(&shared, 3_000, false)
            });
            (one.join().expect("no panic"), two.join().expect("no panic"))
        });
        assert_eq!(one, two, "{network:?}");
        neighbourhood(&other, 700, true);
        assert_eq!(one, neighbourhood(&other, 3_000, false), "{network:?}: another instance");
    }
}

#[test]
fn two_explorers_of_one_world_count_the_same() {
    let world = ping_world(2, 4);
    let counts = std::thread::scope(|scope| {
        let count = || scope.spawn(|| count_by_explorer(&world));
        let threads = [count(), count()];
        threads.map(|thread| thread.join().expect("no panic"))
    });
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0], count_by_explorer(&ping_world(2, 4)));
}
