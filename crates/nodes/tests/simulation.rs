//! Simulated runs: functions of their seed, true to the network model, and runs of the world that the checker explores.

mod common;

use common::{Listener, PingClient, Sender, ping_world};
use foresee_lts::{Claims, ViolationKind};
use foresee_nodes::{
    Address, Context, Data, Disturbance, Fate, Faults, Latency, Network, Node, Scheduled, Scope,
    Simulation, SimulationConfig, SimulationEnd, Splits, World, WorldBuilder, simulate,
    simulate_many,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn lines<M: Data>(world: &World<M>, config: &SimulationConfig) -> (Vec<String>, Simulation) {
    let mut lines = Vec::new();
    let run = simulate(world, config, &mut |event| lines.push(event.to_string()));
    (lines, run)
}

/// The world takes the trace step by step and ends in the same state.
fn assert_replays<M: Data>(world: &World<M>, run: &Simulation) {
    let trace: Vec<String> = run.trace.iter().map(ToString::to_string).collect();
    let trace: Vec<&str> = trace.iter().map(String::as_str).collect();
    assert_eq!(common::run(world, &trace), run.state, "seed {}", run.seed);
}

#[test]
fn a_seed_decides_everything() {
    let rough = |seed| SimulationConfig {
        seed,
        loss: 0.2,
        duplication: 0.2,
        latency: Latency::LongTail { min: ms(1), typical: ms(3) },
        ..SimulationConfig::default()
    };
    let (first, run) = lines(&ping_world(2, 5), &rough(7));
    let (again, _) = lines(&ping_world(2, 5), &rough(7));
    assert_eq!(first, again, "in another world with other ids");
    assert_ne!(first, lines(&ping_world(2, 5), &rough(8)).0);
    assert_eq!(run.end, SimulationEnd::Stopped("all done".to_owned()));
    assert!(run.n_lost > 0, "the retry timer is of use");
}

#[test]
fn runs_of_a_set_network_replay_whatever_happens_to_messages() {
    let world = ping_world(2, 4);
    let (mut retries, mut lost) = (0, 0);
    for seed in 0..50 {
        let config =
            SimulationConfig { seed, loss: 0.3, duplication: 0.3, ..SimulationConfig::default() };
        let (_, run) = lines(&world, &config);
        assert!(run.replayable && run.broken.is_none());
        assert_replays(&world, &run);
        lost += run.n_lost;
        let timers = run.trace.iter().filter(|label| label.to_string().starts_with("timer"));
        retries += timers.count();
    }
    assert!(lost > 50 && retries > 50, "{lost} {retries}");
}

/// Counts down with the other side, has timers with bounds, cancels and sets some again.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Busy {
    other: Address,
    n: u32,
    fired: u32,
}

impl Node for Busy {
    type Message = u32;
    type Timer = char;
    fn init(&mut self, context: &mut Context<u32, char>) {
        context.send(self.other, 5);
        context.set_timer_between('a', ms(5), ms(30));
        context.set_timer_between('b', ms(10), ms(10));
        context.set_timer_between('a', ms(5), ms(30));
    }
    fn on_message(&mut self, _from: Address, left: u32, context: &mut Context<u32, char>) {
        self.n += left;
        if left > 0 {
            context.send(self.other, left - 1);
            context.send(self.other, 0);
        }
        if left == 3 {
            context.cancel_timer('b');
            context.set_timer_between('b', ms(10), ms(20));
        }
    }
    fn on_timer(&mut self, timer: char, context: &mut Context<u32, char>) {
        self.fired += 1;
        if timer == 'a' && self.fired < 4 {
            context.set_timer_between('c', ms(1), ms(9));
        }
    }
}

fn busy_world(network: Network, faults: Faults) -> World<u32> {
    let [a, b] = [Address::new("a"), Address::new("b")];
    let mut world = WorldBuilder::new("busy");
    world.add(a, Busy { other: b, n: 0, fired: 0 });
    world.add(b, Busy { other: a, n: 0, fired: 0 });
    world.network(network).faults(faults);
    world.build()
}

fn all_faults() -> Faults {
    Faults {
        drops: 100,
        duplicates: 100,
        crashes: 1,
        restarts: 1,
        partitions: 1,
        splits: Splits::SmallerSideUpTo(1),
        ..Faults::default()
    }
}

#[test]
fn runs_with_every_fault_replay_where_the_budgets_allow() {
    let at = |n, what| Scheduled { at: ms(n), what };
    let [a, b] = [Address::new("a"), Address::new("b")];
    let schedule = vec![
        at(6, Disturbance::Partition(vec![a])),
        at(12, Disturbance::Heal),
        at(13, Disturbance::Crash(b)),
        at(20, Disturbance::Restart(b)),
    ];
    for network in Network::ALL {
        let mut faults = all_faults();
        if !network.has_message_faults() {
            (faults.drops, faults.duplicates) = (0, 0);
        }
        let world = busy_world(network, faults.clone());
        let poor = busy_world(network, Faults { crashes: 0, ..faults });
        let mut verbs = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let schedule = schedule.clone();
            let (loss, duplication) = (0.2, 0.2);
            let config = SimulationConfig {
                seed,
                loss,
                duplication,
                schedule,
                ..SimulationConfig::default()
            };
            let (_, run) = lines(&world, &config);
            assert!(run.replayable, "{network:?} seed {seed}");
            assert_eq!(run.end, SimulationEnd::Quiet);
            assert_replays(&world, &run);
            verbs.extend(run.trace.iter().map(|label| label.verb));
            assert!(!lines(&poor, &config).1.replayable, "there is no budget for the crash");
        }
        let expected = match network {
            Network::Set | Network::ExactlyOnce => 6,
            Network::Multiset => 7,
            _ => 8,
        };
        assert_eq!(verbs.len(), expected, "{network:?} {verbs:?}");
    }
}

#[test]
fn an_exactly_once_network_delivers_everything_once() {
    let world = busy_world(Network::ExactlyOnce, Faults::default());
    let partition = Disturbance::Partition(vec![Address::new("b")]);
    let schedule = vec![
        Scheduled { at: ms(2), what: partition },
        Scheduled { at: ms(100), what: Disturbance::Heal },
    ];
    for seed in 0..20 {
        let config = SimulationConfig {
            seed,
            loss: 0.9,
            duplication: 0.9,
            schedule: schedule.clone(),
            ..SimulationConfig::default()
        };
        let mut delivered = 0;
        let run = simulate(&world, &config, &mut |event| {
            delivered += u64::from(event.label.to_string().starts_with("deliver"));
        });
        assert_eq!((run.n_lost, delivered), (0, run.n_sent), "held up, not lost");
        assert!(!run.replayable, "the world knows of no partition");
    }
}

#[test]
fn queues_keep_order_and_other_networks_need_not() {
    let heard = |network: Network, reordering: bool, seed: u64| {
        let mut world = WorldBuilder::new("order");
        let listener = Address::new("listener");
        let sends = "abcdefgh".chars().map(|c| (listener, c)).collect();
        world.add("sender", Sender { sends });
        world.add(listener, Listener::default());
        world.network(network);
        let world = world.build();
        let config = SimulationConfig { seed, reordering, ..SimulationConfig::default() };
        let run = simulate(&world, &config, &mut |_| {});
        world.view(&run.state).node::<Listener>(listener).heard.clone()
    };
    for seed in 0..20 {
        assert_eq!(heard(Network::Fifo, true, seed), "abcdefgh");
        let mut letters: Vec<char> = heard(Network::Multiset, true, seed).chars().collect();
        letters.sort_unstable();
        assert_eq!(letters, "abcdefgh".chars().collect::<Vec<_>>());
    }
    assert!((0..20).any(|seed| heard(Network::Multiset, true, seed) != "abcdefgh"));
}

/// Hears and says nothing.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Silent;

impl Node for Silent {
    type Message = u32;
    type Timer = ();
    fn on_message(&mut self, _: Address, _: u32, _: &mut Context<u32, ()>) {}
}

#[test]
fn timers_fire_when_they_are_due() {
    let mut world = WorldBuilder::new("alone");
    let other = world.add("silent", Silent);
    world.add("a", Busy { other, n: 0, fired: 0 });
    let mut times = Vec::new();
    let run = simulate(&world.build(), &SimulationConfig::default(), &mut |event| {
        times.push((event.time, event.label.to_string()));
    });
    let at =
        |label: &str| times.iter().filter(|it| it.1 == label).map(|it| it.0).collect::<Vec<_>>();
    assert_eq!(at("timer a 'b'"), [ms(10)]);
    assert!(at("timer a 'a'").iter().all(|time| (ms(5)..=ms(30)).contains(time)));
    assert_eq!(at("timer a 'a'").len(), 2);
    assert!(times.is_sorted_by_key(|it| it.0));
    assert_eq!(run.time, times.last().unwrap().0);
}

#[test]
fn limits_and_goals_end_a_run() {
    let world = ping_world(1, 1000);
    let end = |config: SimulationConfig| simulate(&world, &config, &mut |_| {}).end;
    let base = SimulationConfig::default();
    let short = SimulationConfig { time_max: ms(50), ..base.clone() };
    assert_eq!(end(short), SimulationEnd::TimeUp);
    assert_eq!(end(SimulationConfig { events_max: 10, ..base.clone() }), SimulationEnd::EventsUp);
    let client = Address::new("client1");
    let until = world.predicate("third ping", Scope::nodes([client]), move |view, _| {
        view.node::<PingClient>(client).current == 3
    });
    let config = SimulationConfig { until: Some(until), ..base };
    assert_eq!(end(config), SimulationEnd::Stopped("third ping".to_owned()));
}

#[test]
fn what_breaks_is_told_and_counted() {
    let client = Address::new("client1");
    let mut world = WorldBuilder::new("ping");
    let server = world.add("server", common::PingServer);
    world.add(client, PingClient { server, n_pings: 9, current: 0 });
    world.invariant("at most one timer", Scope::nodes([client]), move |view, why| {
        let n = view.timers::<PingClient>(client).len();
        why.because(format_args!("{client} has {n} timers"));
        n <= 1
    });
    world.reachable("second ping", Scope::nodes([client]), move |view, _| {
        view.node::<PingClient>(client).current == 2
    });
    let world = world.build();
    let slow = SimulationConfig {
        latency: Latency::Uniform { min: ms(3), max: ms(8) },
        ..SimulationConfig::default()
    };
    let summary = simulate_many(&world, &slow, 50, |_, run| run.outcome());
    let violated = summary.outcomes.iter().find(|it| it.outcome == "violated: at most one timer");
    let violated = violated.expect("a pong that comes in time leaves the old timer");
    let seed = violated.seed;
    let run = simulate(&world, &SimulationConfig { seed, ..slow }, &mut |_| {});
    let broken = run.broken.clone().expect("this seed breaks it");
    assert_eq!(broken.kind, ViolationKind::Invariant);
    assert_eq!(broken.message, "client1 has 2 timers");
    assert_eq!(run.reached, ["second ping"]);
    assert_replays(&world, &run);
    assert!(!world.properties()[0].predicate.holds(&run.state));
    assert_eq!(summary.outcomes.iter().map(|it| it.n_runs).sum::<u64>(), 50);
}

#[test]
fn a_message_that_is_ignored_is_told_but_is_no_step() {
    let mut world = WorldBuilder::new("ignored");
    let listener = Address::new("listener");
    world.add("sender", Sender { sends: vec![(listener, 'z')] });
    world.add(listener, Listener::default());
    world.network(Network::Multiset);
    let world = world.build();
    let mut fates = Vec::new();
    let run = simulate(&world, &SimulationConfig::default(), &mut |event| fates.push(event.fate));
    assert_eq!((fates, run.trace.len()), (vec![Fate::Ignored], 0));
    assert_replays(&world, &run);
}
