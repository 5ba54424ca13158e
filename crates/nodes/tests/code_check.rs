//! Code that breaks the rules is caught when asked, and code that keeps them is explored as ever.

mod common;

use foresee_lts::{FaultKind, System};
use foresee_nodes::{Address, Context, Node, World, WorldBuilder};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

/// Explores everything; the fault found, if any.
fn explore<M: foresee_nodes::Data>(world: &World<M>) -> (usize, Option<(FaultKind, String)>) {
    let mut seen: HashSet<Vec<u32>> = world.initial().into_iter().collect();
    let mut queue: VecDeque<Vec<u32>> = seen.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        if let Some(fault) = world.fault(&state) {
            return (seen.len(), Some((fault.kind, fault.message)));
        }
        for action in common::enabled(world, &state) {
            let next = world.step(&state, action);
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    (seen.len(), None)
}

/// A world in which `node` hears each of these letters from a sender.
fn world_of<N: Node<Message = char>>(node: N, letters: &str, check: bool) -> World<char> {
    let mut world = WorldBuilder::new("one node");
    let me = Address::new("node");
    world.add("sender", common::Sender { sends: letters.chars().map(|c| (me, c)).collect() });
    world.add(me, node);
    world.network(foresee_nodes::Network::ExactlyOnce);
    world.check_code(check);
    world.build()
}

fn nondeterminism<N: Node<Message = char>>(node: N, letters: &str) -> String {
    let (_, fault) = explore(&world_of(node, letters, true));
    let (kind, message) = fault.expect("a fault");
    assert_eq!(kind, FaultKind::Nondeterminism, "{message}");
    message
}

#[test]
fn code_that_keeps_the_rules_is_explored_as_ever() {
    for letters in ["abc", "abca", "zzab"] {
        let plain = explore(&world_of(common::Collector::default(), letters, false));
        let checked = explore(&world_of(common::Collector::default(), letters, true));
        assert_eq!(plain, checked);
        assert_eq!(checked.1, None);
        let checked = explore(&world_of(common::Listener::default(), letters, true));
        assert_eq!(checked.1, None);
    }
}

/// Takes numbers from outside its state.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Counting {
    last: u32,
}
static COUNTER: AtomicU32 = AtomicU32::new(0);
impl Node for Counting {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, _: Address, _: char, _: &mut Context<char, ()>) {
        self.last = COUNTER.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_global_counter_is_caught() {
    let message = nondeterminism(Counting::default(), "a");
    let expected = "node: on_message(sender, 'a') in state Counting { last: 0 } gave different results for equal \
                    states: once it left Counting { last: ";
    assert!(message.starts_with(expected), "{message}");
    assert!(message.contains(", once it left Counting { last: "), "{message}");
}

/// Sends in the order of a hash map that it makes on the spot.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Shuffling;
impl Node for Shuffling {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, from: Address, _: char, context: &mut Context<char, ()>) {
        let letters: HashMap<char, ()> = ('a'..='z').map(|letter| (letter, ())).collect();
        for letter in letters.keys() {
            context.send(from, *letter);
        }
    }
}

#[test]
fn the_order_of_a_hash_map_is_caught() {
    let message = nondeterminism(Shuffling, "a");
    assert!(message.contains("once it asked for [Send { to: sender"), "{message}");
}

/// Two of these are equal if they heard the same letters, but they act by the order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Forgets {
    heard: String,
}
impl Forgets {
    fn sorted(&self) -> Vec<char> {
        let mut sorted: Vec<char> = self.heard.chars().collect();
        sorted.sort_unstable();
        sorted
    }
}
impl PartialEq for Forgets {
    fn eq(&self, other: &Self) -> bool {
        self.sorted() == other.sorted()
    }
}
impl Eq for Forgets {}
impl Hash for Forgets {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sorted().hash(state);
    }
}
impl Node for Forgets {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, from: Address, letter: char, context: &mut Context<char, ()>) {
        if letter == '?' {
            context.send(from, self.heard.chars().next().unwrap_or('-'));
        } else {
            self.heard.push(letter);
        }
    }
}

#[test]
fn equality_that_ignores_too_much_is_caught() {
    let message = nondeterminism(Forgets::default(), "ab?");
    assert!(message.contains("reached in different ways (does `Eq` ignore a field?)"), "{message}");
    assert_eq!(explore(&world_of(Forgets::default(), "ab", true)).1, None, "nobody looks");
    assert_eq!(explore(&world_of(Forgets::default(), "ab?", false)).1, None, "nobody checks");
}

/// Equal values with different hashes.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
struct Restless(u32);
static HASHES: AtomicU32 = AtomicU32::new(0);
impl Hash for Restless {
    fn hash<H: Hasher>(&self, state: &mut H) {
        HASHES.fetch_add(1, Ordering::Relaxed).hash(state);
    }
}
impl Node for Restless {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, _: Address, _: char, _: &mut Context<char, ()>) {
        self.0 += 1;
    }
}

#[test]
fn a_hash_that_disagrees_with_equality_is_caught() {
    let message = nondeterminism(Restless::default(), "a");
    assert!(message.contains("another hash than its clone"), "{message}");
}

/// A clone that is not equal.
#[derive(Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Ageing(u32);
impl Clone for Ageing {
    fn clone(&self) -> Self {
        Ageing(self.0 + 1)
    }
}
impl Node for Ageing {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, _: Address, _: char, _: &mut Context<char, ()>) {}
}

#[test]
fn a_clone_that_is_not_equal_is_caught() {
    let message = nondeterminism(Ageing::default(), "a");
    assert!(message.contains("is not equal to its clone"), "{message}");
}

/// Panics every other time.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Moody;
static MOOD: AtomicU32 = AtomicU32::new(0);
impl Node for Moody {
    type Message = char;
    type Timer = ();
    fn on_message(&mut self, _: Address, _: char, _: &mut Context<char, ()>) {
        assert!(MOOD.fetch_add(1, Ordering::Relaxed).is_multiple_of(2), "not now");
    }
}

#[test]
fn a_panic_now_and_then_is_nondeterminism() {
    let message = nondeterminism(Moody, "a");
    assert!(message.contains("it panicked: not now"), "{message}");
}

#[test]
fn handlers_that_are_not_idempotent_are_listed_for_information() {
    let world = world_of(common::Listener::default(), "ab", true);
    assert_eq!(explore(&world).1, None, "that is no fault");
    let found = world.not_idempotent();
    assert_eq!(found.len(), 2);
    let expected = "'a' from sender in Listener { heard: \"\" }";
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("node on 'a'", expected));
    let world = world_of(common::Collector::default(), "ab", true);
    explore(&world);
    assert_eq!(world.not_idempotent(), []);
}
