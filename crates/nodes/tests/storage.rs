//! Stable storage on worlds small enough to count by hand: what waits for a sync, what a crash leaves, torn writes, lost disks.

mod common;

use common::{enabled, labels, run, sizes};
use foresee_lts::{Claims, State, System, Telling};
use foresee_nodes::{
    Address, Context, Crashable, Disturbance, Faults, Latency, Network, Node, Scheduled, Scope,
    SimulationConfig, Stored, Switches, World, WorldBuilder, simulate,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Writes down what it is told and acknowledges it.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Keeper {
    kept: String,
    /// Whether it waits for its disk before it answers.
    syncs: bool,
    /// Writes a snapshot in the place of records when it has so many letters.
    snapshot_at: usize,
    n_starts: u8,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Message {
    Keep(char),
    Kept(char),
}

impl Node for Keeper {
    type Message = Message;
    type Timer = ();

    fn init(&mut self, _: &mut Context<Message, ()>) {
        self.n_starts += 1;
    }

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let Message::Keep(letter) = message else { return };
        if !self.kept.contains(letter) {
            self.kept.push(letter);
            match self.kept.len() == self.snapshot_at {
                true => context.snapshot(&self.kept),
                false => context.append(&letter),
            }
        }
        if self.syncs {
            context.sync();
        }
        context.send(from, Message::Kept(letter));
    }

    fn restore(&mut self, stored: &Stored) {
        self.kept = stored.snapshot().unwrap_or_default();
        self.kept.extend(stored.records::<char>());
    }

    fn on_restart(&mut self, _: &mut Context<Message, ()>) {
        self.n_starts += 10;
    }
}

/// Asks the keeper to keep letters.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Asker {
    keeper: Address,
    letters: String,
    acknowledged: String,
}

impl Node for Asker {
    type Message = Message;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Message, ()>) {
        self.letters.chars().for_each(|it| context.send(self.keeper, Message::Keep(it)));
    }

    fn on_message(&mut self, _: Address, message: Message, _: &mut Context<Message, ()>) {
        if let Message::Kept(letter) = message
            && !self.acknowledged.contains(letter)
        {
            self.acknowledged.push(letter);
        }
    }
}

fn builder(
    network: Network,
    letters: &str,
    keeper: Keeper,
    faults: Faults,
) -> WorldBuilder<Message> {
    let [asker_name, keeper_name] = [Address::new("asker"), Address::new("keeper")];
    let mut world = WorldBuilder::new("keeping");
    let letters = letters.to_owned();
    world.add(asker_name, Asker { keeper: keeper_name, letters, acknowledged: String::new() });
    world.add(keeper_name, keeper);
    let crashable = Crashable::Only(vec![keeper_name]);
    world.network(network).faults(Faults { crashable, ..faults });
    let scope = Scope::nodes([asker_name, keeper_name]);
    world.invariant("what is acknowledged is kept", scope, move |view, _| {
        let kept = &view.node::<Keeper>(keeper_name).kept;
        let is_kept = |letter| kept.contains(letter);
        !view.is_up(keeper_name) || view.node::<Asker>(asker_name).acknowledged.chars().all(is_kept)
    });
    world
}

fn syncing() -> Keeper {
    Keeper { syncs: true, ..Keeper::default() }
}

fn crashes(crashes: u32, restarts: u32) -> Faults {
    Faults { crashes, restarts, ..Faults::default() }
}

fn world(letters: &str, keeper: Keeper, faults: Faults) -> World<Message> {
    builder(Network::Multiset, letters, keeper, faults).build()
}

/// The labels of a shortest run to a state in which an invariant does not hold.
fn shortest_violation(world: &World<Message>) -> Option<Vec<String>> {
    let properties = world.properties();
    let start = world.initial().remove(0);
    let mut from: BTreeMap<State, Option<(State, String)>> = [(start.clone(), None)].into();
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        if properties.iter().any(|it| !it.predicate.holds(&state)) {
            let mut path = Vec::new();
            let mut at = &state;
            while let Some(Some((before, label))) = from.get(at) {
                path.insert(0, label.clone());
                at = before;
            }
            return Some(path);
        }
        for action in enabled(world, &state) {
            let next = world.step(&state, action);
            if !from.contains_key(&next) {
                let label = world.label(&state, action).to_string();
                from.insert(next.clone(), Some((state.clone(), label)));
                queue.push_back(next);
            }
        }
    }
    None
}

#[test]
fn what_comes_after_a_sync_waits_for_it() {
    let world = world("x", syncing(), Faults::default());
    // Asked; written, the answer waits; synced, the answer is on its way; acknowledged.
    assert_eq!(sizes(&world), (4, 3));
    let written = run(&world, &["deliver asker -> keeper Keep('x')"]);
    assert_eq!(labels(&world, &written), ["sync keeper"]);
    assert_eq!(world.view(&written).stored(Address::new("keeper")), None);
    let disk = &world.describe(&written).shared[0];
    assert_eq!(disk.0, "disk of keeper");
    let words = "{ not synced: ['x'], waiting for the sync: [to asker: Kept('x')] }";
    assert_eq!(disk.1.one_line(), words);
    let synced = run(&world, &["deliver asker -> keeper Keep('x')", "sync keeper"]);
    assert_eq!(labels(&world, &synced), ["deliver keeper -> asker Kept('x')"]);
    let stored = world.view(&synced).stored(Address::new("keeper")).expect("written");
    assert_eq!(stored.records::<char>().collect::<String>(), "x");
}

#[test]
fn a_node_that_writes_nothing_has_the_states_it_always_had() {
    let quiet = world("", syncing(), crashes(1, 1));
    assert_eq!(sizes(&quiet), (3, 2));
    assert!(quiet.describe(&quiet.initial()[0]).shared.iter().all(|it| it.0 == "faults left"));
}

#[test]
fn a_crash_keeps_what_was_synced_and_nothing_else() {
    let world = world("x", syncing(), crashes(1, 1));
    let keeper = Address::new("keeper");
    let kept = |events: &[&str]| {
        let state = run(&world, events);
        world.view(&state).node::<Keeper>(keeper).clone()
    };
    let deliver = "deliver asker -> keeper Keep('x')";
    let before = kept(&[deliver, "crash keeper", "restart keeper"]);
    assert_eq!((before.kept.as_str(), before.n_starts), ("", 10));
    let after = kept(&[deliver, "sync keeper", "crash keeper", "restart keeper"]);
    assert_eq!((after.kept.as_str(), after.n_starts), ("x", 10));
    assert_eq!(shortest_violation(&world), None);
}

#[test]
fn omitting_the_sync_loses_what_was_acknowledged() {
    for network in Network::ALL {
        let good = builder(network, "xy", syncing(), crashes(2, 2)).build();
        assert_eq!(shortest_violation(&good), None, "{network:?}");
        sizes(&good);
        let bad = builder(network, "xy", Keeper::default(), crashes(2, 2)).build();
        let story = shortest_violation(&bad).expect("it answers too early");
        assert_eq!(story.len(), 4, "{network:?}: {story:?}");
        assert_eq!(story.last().map(String::as_str), Some("restart keeper"));
    }
}

#[test]
fn a_torn_write_leaves_a_part_of_what_was_not_synced() {
    let faults = Faults { torn_writes: 1, ..crashes(2, 2) };
    let world = world("xyz", Keeper::default(), faults);
    let all = [
        "deliver asker -> keeper Keep('x')",
        "deliver asker -> keeper Keep('y')",
        "deliver asker -> keeper Keep('z')",
    ];
    let written = run(&world, &all);
    let torn: Vec<String> =
        labels(&world, &written).into_iter().filter(|label| label.starts_with("crash")).collect();
    let wanted = [
        "crash keeper",
        "crash keeper keeping 1 of 3 unsynced writes",
        "crash keeper keeping 2 of 3 unsynced writes",
        "crash keeper keeping 3 of 3 unsynced writes",
    ];
    assert_eq!(torn, wanted);
    let restarted = [&all[..], &[wanted[2], "restart keeper"]].concat();
    let state = run(&world, &restarted);
    assert_eq!(world.view(&state).node::<Keeper>(Address::new("keeper")).kept, "xy");
    let again = run(&world, &[&restarted[..], &["crash keeper", "restart keeper"]].concat());
    let kept = &world.view(&again).node::<Keeper>(Address::new("keeper")).kept;
    assert_eq!(kept, "xy", "what is left of a torn write is durable");
    sizes(&world);
}

#[test]
fn a_snapshot_takes_the_place_of_what_was_before_it_or_does_not() {
    let keeper = Keeper { snapshot_at: 2, ..syncing() };
    let faults = Faults { torn_writes: 1, ..crashes(1, 1) };
    let world = world("xyz", keeper, faults);
    assert_eq!(shortest_violation(&world), None);
    let all = run(
        &world,
        &[
            "deliver asker -> keeper Keep('x')",
            "deliver asker -> keeper Keep('y')",
            "sync keeper",
            "sync keeper",
            "deliver asker -> keeper Keep('z')",
            "sync keeper",
        ],
    );
    let stored = world.view(&all).stored(Address::new("keeper")).expect("written");
    assert_eq!(stored.snapshot::<String>().as_deref(), Some("xy"));
    assert_eq!(stored.records::<char>().collect::<String>(), "z");
}

#[test]
fn a_node_that_has_lost_its_disk_is_as_new() {
    let faults = Faults { lost_disks: 1, ..crashes(1, 1) };
    let world = world("x", syncing(), faults);
    let story = shortest_violation(&world).expect("a lost disk loses everything");
    let end = ["crash keeper", "lose-disk keeper", "restart keeper"];
    assert_eq!(story[story.len() - 3..], end, "{story:?}");
    let all = ["deliver asker -> keeper Keep('x')", "sync keeper", end[0], end[1], end[2]];
    let lost = run(&world, &all[..4]);
    let lines = world.describe(&lost).shared;
    assert_eq!(lines[0].1.one_line(), "lost");
    let state = run(&world, &all);
    assert_eq!(world.view(&state).node::<Keeper>(Address::new("keeper")).n_starts, 1, "init");
    let nothing_to_lose = run(&world, &["crash keeper"]);
    assert_eq!(labels(&world, &nothing_to_lose), ["restart keeper"]);
    sizes(&world);
}

#[test]
fn what_replaces_a_node_that_has_lost_its_disk_stays_in_its_place() {
    let [keeper, asker] = ["keeper", "asker"].map(Address::new);
    let mut builder = WorldBuilder::new("replaced");
    builder.add(keeper, syncing());
    builder.replacement(keeper, Keeper { n_starts: 100, ..syncing() });
    let letters = "x".to_owned();
    builder.add(asker, Asker { keeper, letters, acknowledged: String::new() });
    let crashable = Crashable::Only(vec![keeper]);
    builder.faults(Faults { lost_disks: 1, crashable, ..crashes(3, 3) });
    let world = builder.build();
    let n_starts =
        |events: &[&str]| world.view(&run(&world, events)).node::<Keeper>(keeper).n_starts;
    let keep = ["deliver asker -> keeper Keep('x')", "sync keeper"];
    let again = ["crash keeper", "restart keeper"];
    let lost = ["crash keeper", "lose-disk keeper", "restart keeper"];
    assert_eq!(n_starts(&[&keep[..], &again].concat()), 10, "with its disk it is itself");
    assert_eq!(n_starts(&[&keep[..], &lost].concat()), 101, "`init` of the replacement");
    assert_eq!(n_starts(&[&keep[..], &lost, &again].concat()), 110, "and it is what comes back");
    sizes(&world);
}

#[test]
fn disks_and_crashes_can_be_switched_off() {
    let faults = Faults { lost_disks: 1, torn_writes: 1, ..crashes(1, 1) };
    let world = world("x", syncing(), faults);
    let keeper = Address::new("keeper");
    let state = run(&world, &["deliver asker -> keeper Keep('x')"]);
    let left = |switches: &Switches| {
        let allow = switches.filter(&world);
        let actions = enabled(&world, &state).into_iter();
        let actions = actions.filter(|action| allow(&state, *action));
        actions.map(|action| world.label(&state, action).to_string()).collect::<Vec<_>>()
    };
    let on = Switches::all_on;
    let crashes = ["crash keeper", "crash keeper keeping 1 of 1 unsynced writes"];
    assert_eq!(left(&on()), ["sync keeper", crashes[0], crashes[1]]);
    assert_eq!(left(&on().crashes_of([])), ["sync keeper"]);
    assert_eq!(left(&on().crashes_of([keeper]).syncs_off([keeper])), crashes);
}

#[test]
fn budgets_of_disks_mean_nothing_without_crashes() {
    let faults = Faults { torn_writes: 1, lost_disks: 1, ..Faults::default() };
    let world = world("x", syncing(), faults);
    assert_eq!(world.warnings().len(), 2, "{:?}", world.warnings());
}

#[test]
fn simulated_disks_take_time_and_runs_replay() {
    let keeper = Address::new("keeper");
    let at = |ms, what| Scheduled { at: Duration::from_millis(ms), what };
    let config = |crash_at| SimulationConfig {
        latency: Latency::Fixed(Duration::from_millis(2)),
        schedule: vec![
            at(crash_at, Disturbance::Crash(keeper)),
            at(20, Disturbance::Restart(keeper)),
        ],
        ..SimulationConfig::default()
    };
    let world = world("x", syncing(), crashes(1, 1));
    for (crash_at, is_kept) in [(10, true), (2, false)] {
        let simulation = simulate(&world, &config(crash_at), &mut |_| {});
        assert!(simulation.replayable);
        let events: Vec<String> = simulation.trace.iter().map(ToString::to_string).collect();
        assert_eq!(events.iter().any(|it| it == "sync keeper"), is_kept, "{events:?}");
        let words: Vec<&str> = events.iter().map(String::as_str).collect();
        let end = run(&world, &words);
        assert_eq!(end, simulation.state);
        assert_eq!(world.view(&end).node::<Keeper>(keeper).kept, if is_kept { "x" } else { "" });
    }
}
