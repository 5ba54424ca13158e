//! Rust nodes under the engine of interleavings, held against brute force and against the engine of states.
//! For small parameters every interleaving is enumerated by independent code: the engine must run each trace exactly once. And
//! whatever properties a system states, both engines give the same verdict.

use foresee_lts::{Action, Claims, Footprint, Path, Reading, Relation, State, System};
use foresee_session::{
    BuildOptions, CheckRequest, Diagnostic, Engine, Loaded, NoFiles, NoMeter, NodesSource, Outcome,
    Registry, Report, Silent, StoppedBy, check, open,
};
use foresee_stateless::{Config, Dpor, explore};
use std::collections::BTreeSet;
use std::sync::Arc;

fn words(text: &str) -> (&str, Vec<&str>) {
    let mut words = text.split(' ');
    (words.next().expect("a name"), words.collect())
}

fn built(name: &str, parameters: &[&str], options: &BuildOptions) -> Result<Loaded, Diagnostic> {
    let parameters = parameters.iter().map(|word| (*word).to_owned()).collect();
    let source = NodesSource { name: name.to_owned(), parameters, options: options.clone() };
    open(&source.into(), &Registry::stock(), &NoFiles)
}

fn loaded(text: &str, options: &BuildOptions) -> Loaded {
    let (name, parameters) = words(text);
    built(name, &parameters, options).expect("a system")
}

/// Two runs are one trace if their events are the same and stand in the same order wherever the order matters.
type Trace = Vec<(u64, u32, Vec<(u64, u32)>)>;

struct Referee<'a> {
    system: &'a Loaded,
    run: Vec<(Action, Footprint)>,
    traces: BTreeSet<Trace>,
    n_runs: usize,
}

impl Referee<'_> {
    fn visit(&mut self, state: &State, runs_max: usize) {
        let mut actions = Vec::new();
        self.system.enabled(state, &mut actions);
        if self.run.len() > 100 {
            self.n_runs = usize::MAX; // it has no end
            return;
        }
        if actions.is_empty() {
            self.n_runs += 1;
            let trace = self.trace();
            self.traces.insert(trace);
        }
        for action in actions {
            if self.n_runs > runs_max {
                return;
            }
            self.run.push((action, self.system.footprint(state, action)));
            self.visit(&self.system.step(state, action), runs_max);
            self.run.pop();
        }
    }

    fn trace(&self) -> Trace {
        let prints: Vec<&Footprint> = self.run.iter().map(|(_, print)| print).collect();
        let key = |at: usize| {
            let thread = prints[at].thread.expect("every event has a thread");
            let earlier = prints[..at].iter().filter(|it| it.thread == Some(thread)).count();
            (thread, earlier as u32)
        };
        let depends = |a: &Footprint, b: &Footprint| {
            a.thread == b.thread || a.relation(b) != Relation::Independent
        };
        let keys: Vec<(u64, u32)> = (0..prints.len()).map(key).collect();
        let mut trace: Trace = (0..prints.len())
            .map(|at| {
                let before = (0..at).filter(|it| depends(prints[*it], prints[at]));
                let mut before: Vec<_> = before.map(|it| keys[it]).collect();
                before.sort_unstable();
                (keys[at].0, keys[at].1, before)
            })
            .collect();
        trace.sort_unstable();
        trace
    }
}

fn n_traces(system: &Loaded, runs_max: usize) -> Option<usize> {
    let mut referee = Referee { system, run: Vec::new(), traces: BTreeSet::new(), n_runs: 0 };
    referee.visit(&system.initial()[0], runs_max);
    (referee.n_runs <= runs_max).then_some(referee.traces.len())
}

fn faults(change: impl FnOnce(&mut BuildOptions)) -> BuildOptions {
    let mut options = BuildOptions { reading: Reading::Exact, ..BuildOptions::default() };
    change(&mut options);
    options
}

const SYSTEMS: [&str; 14] = [
    "ping pings=1",
    "ping pings=2",
    "ping pings=1 network=fifo retry=off",
    "ping clients=2 pings=1",
    "ping clients=2 pings=1 network=multiset retry=off",
    "ping clients=2 pings=1 network=fifo retry=off",
    "ping clients=2 pings=1 network=exactly-once retry=off",
    "ping pings=2 bug=any-pong retry=off network=multiset",
    "two-phase-commit rms=1",
    "two-phase-commit rms=2 network=multiset",
    "two-phase-commit rms=2 network=fifo",
    "single-copy-register clients=2",
    "single-copy-register clients=2 network=fifo",
    "single-copy-register clients=1 servers=2 network=set",
];

fn every_kind_of_fault() -> Vec<BuildOptions> {
    vec![
        faults(|_| {}),
        faults(|it| it.drops = 1),
        faults(|it| it.duplicates = 1),
        faults(|it| it.crashes = 1),
        faults(|it| (it.crashes, it.restarts) = (1, 1)),
        faults(|it| it.partitions = 1),
        faults(|it| (it.drops, it.crashes) = (1, 1)),
    ]
}

#[test]
fn each_trace_is_run_once() {
    let mut n_checked = 0;
    for text in SYSTEMS {
        for options in every_kind_of_fault() {
            let (name, parameters) = words(text);
            let Ok(system) = built(name, &parameters, &options) else {
                continue; // a network that cannot lose or double
            };
            let Some(n_traces) = n_traces(&system, 1_500) else { continue };
            let ignore: foresee_stateless::Ignore = Arc::new(|_, _| true);
            for dpor in [Dpor::Optimal, Dpor::Source] {
                let config = Config { dpor, ignore: Some(ignore.clone()), ..Config::default() };
                let report = explore(&system, &config, &NoMeter, &mut Silent);
                let n_complete = report.interleavings - report.sleep_set_blocked;
                assert_eq!(n_complete, n_traces as u64, "{text} {options:?} {dpor:?}");
                assert!(
                    dpor == Dpor::Source || report.sleep_set_blocked == 0,
                    "{text} {options:?}"
                );
            }
            n_checked += 1;
        }
    }
    assert!(n_checked > 50, "{n_checked}");
}

/// The states of a world for races are those of the plain one, marks apart.
#[test]
fn nothing_is_added_and_nothing_lost() {
    for text in SYSTEMS {
        for options in every_kind_of_fault() {
            let (name, parameters) = words(text);
            let plain = BuildOptions { reading: Reading::Merged, ..options.clone() };
            let build = |options| built(name, &parameters, options);
            let (Ok(plain), Ok(races)) = (build(&plain), build(&options)) else { continue };
            let n_slots = plain.initial()[0].len();
            let Some(plain) = states(&plain, n_slots, 30_000) else { continue };
            let races = states(&races, n_slots, 300_000).expect("finitely many");
            assert_eq!(plain, races, "{text} {options:?}");
        }
    }
}

/// What all reachable states look like in their first slots.
fn states(system: &Loaded, n_slots: usize, max: usize) -> Option<BTreeSet<Vec<u64>>> {
    let start = system.initial().remove(0);
    let (mut known, mut todo) = (BTreeSet::from([start.clone()]), vec![start]);
    let mut actions = Vec::new();
    while let Some(state) = todo.pop() {
        if known.len() > max {
            return None;
        }
        actions.clear();
        system.enabled(&state, &mut actions);
        for action in &actions {
            let next = system.step(&state, *action);
            if known.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    let seen = |state: &State| {
        (0..n_slots).map(|slot| system.content_hash(slot, state[slot])).collect::<Vec<u64>>()
    };
    Some(known.iter().map(seen).collect())
}

fn checked(text: &str, options: &BuildOptions, engine: Engine) -> Report {
    let request = CheckRequest { engine: Some(engine), ..CheckRequest::default() };
    let report = check(&loaded(text, options), &request, &NoMeter, &mut Silent);
    assert!(report.error.is_none(), "{text} {:?}", report.error);
    report
}

#[test]
fn both_engines_give_the_same_verdict() {
    let none = BuildOptions::default();
    let crash = BuildOptions { crashes: 1, ..BuildOptions::default() };
    let drop = BuildOptions { drops: 1, ..BuildOptions::default() };
    let cases = [
        ("ping pings=2", &none),
        ("ping clients=2 pings=1", &none),
        ("ping pings=2 bug=any-pong", &none),
        ("ping clients=2 pings=2 bug=any-pong retry=off", &none),
        ("ping pings=2 retry=off network=multiset", &drop),
        ("two-phase-commit rms=2", &none),
        ("two-phase-commit rms=2", &crash),
        ("two-phase-commit rms=2 bug=eager-commit", &none),
        ("two-phase-commit rms=3 network=multiset", &none),
        ("single-copy-register clients=2", &none),
        ("single-copy-register clients=2 servers=2", &none),
        ("single-copy-register clients=2", &crash),
        ("single-copy-register clients=2 properties=opaque", &none),
        ("single-copy-register clients=2 servers=2 properties=opaque", &none),
        ("paxos clients=1", &none),
    ];
    let mut verdicts = BTreeSet::new();
    for (text, options) in cases {
        let (name, parameters) = words(text);
        if let Err(error) = built(name, &parameters, options) {
            panic!("{text}: {error:?}");
        }
        let stateful = checked(text, options, Engine::Stateful);
        let stateless = checked(text, options, Engine::Stateless);
        assert_eq!(stateful.verdict, stateless.verdict, "{text} {options:?}");
        let what = |report: &Report| -> BTreeSet<_> {
            report.violations.iter().map(|it| (it.kind.word(), it.property.clone())).collect()
        };
        assert_eq!(what(&stateful), what(&stateless), "{text} {options:?}");
        assert_eq!((stateless.engine, stateless.sleep_set_blocked), ("stateless", 0));
        verdicts.insert(stateful.verdict.word());
    }
    assert_eq!(verdicts, BTreeSet::from(["holds", "violated"]));
}

#[test]
fn a_run_without_end_is_inconclusive_and_says_so() {
    let endless = loaded("ping network=multiset pings=1", &BuildOptions::default());
    let mut request = CheckRequest { engine: Some(Engine::Stateless), ..CheckRequest::default() };
    request.limits.depth_max = Some(12);
    let report = check(&endless, &request, &NoMeter, &mut Silent);
    assert_eq!(
        (report.verdict, report.stopped_by),
        (Outcome::Inconclusive, Some(StoppedBy::Depth))
    );
    let told =
        report.warnings.iter().any(|it| it.contains("cut after 12 events: a run may have no end"));
    assert!(told, "{:?}", report.warnings);
}

#[test]
fn a_trace_of_an_interleaving_replays() {
    let text = "single-copy-register clients=2 servers=2";
    let report = checked(text, &BuildOptions::default(), Engine::Stateless);
    let trace = report.violations[0].run.clone().expect("a run");
    let replayed =
        foresee_session::replay(&trace, &Registry::stock(), &NoFiles).expect("a system").report;
    assert_eq!(replayed.verdict, Outcome::Violated);
}

/// Any end of any run is an end of a run that was explored: what nodes and clients have come to does not depend on luck.
#[test]
fn the_ends_are_those_of_all_interleavings() {
    for text in ["ping clients=2 pings=1", "two-phase-commit rms=2 network=multiset"] {
        let system = loaded(text, &faults(|_| {}));
        let config = Config { tree_max: usize::MAX, ..Config::default() };
        let ignore: foresee_stateless::Ignore = Arc::new(|_, _| true);
        let config = Config { ignore: Some(ignore), ..config };
        let report = explore(&system, &config, &NoMeter, &mut Silent);
        let (mut actions, mut ends) = (Vec::new(), BTreeSet::new());
        for run in &report.tree {
            actions.truncate(run.shares);
            actions.extend_from_slice(&run.actions);
            let path = Path { initial: system.initial().remove(0), actions: actions.clone() };
            ends.insert(path.states(&system).pop().expect("a state"));
        }
        let mut all = BTreeSet::new();
        let mut todo = system.initial();
        let mut known: BTreeSet<State> = todo.iter().cloned().collect();
        while let Some(state) = todo.pop() {
            let mut actions = Vec::new();
            system.enabled(&state, &mut actions);
            if actions.is_empty() {
                all.insert(state.clone());
            }
            for action in actions {
                let next = system.step(&state, action);
                if known.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        assert_eq!(ends, all, "{text}");
    }
}

mod of_several_nodes {
    //! An invariant of two nodes may fail only between two events that commute.

    use super::*;
    use foresee_lts::{Predicate, Reads, Verdict, ViolationKind};
    use foresee_nodes::{Address, Context, Node, Scope, World, WorldBuilder};
    use foresee_stateless::Watch;

    /// Sends itself a message and counts what comes.
    #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Counter {
        n: u32,
        last: u32,
    }

    impl Node for Counter {
        type Message = ();
        type Timer = ();
        fn init(&mut self, context: &mut Context<(), ()>) {
            context.send(context.me(), ());
        }
        fn on_message(&mut self, _: Address, (): (), context: &mut Context<(), ()>) {
            self.n += 1;
            if self.n < self.last {
                context.send(context.me(), ());
            }
        }
    }

    /// Claims that `a` is never further than `b` by more than `lead`.
    fn world(lead: u32) -> World<()> {
        let mut world = WorldBuilder::<()>::new("counters");
        let [a, b] = ["a", "b"].map(|name| world.add(name, Counter { n: 0, last: 2 }));
        world.network(foresee_nodes::Network::Multiset).reading(Reading::Exact);
        world.invariant("not far ahead", Scope::nodes([a, b]), move |view, _| {
            view.node::<Counter>(a).n <= view.node::<Counter>(b).n + lead
        });
        world.build()
    }

    fn explored(world: &World<()>, change: impl FnOnce(&mut Config)) -> foresee_stateless::Report {
        let ignore: foresee_stateless::Ignore = Arc::new(|kind, _| kind == ViolationKind::Deadlock);
        let watches = world.properties().into_iter().map(|it| Watch::new(it, false)).collect();
        let mut config = Config { ignore: Some(ignore), watches, ..Config::default() };
        config.scheduling = foresee_stateless::Scheduling::Newest;
        change(&mut config);
        explore(world, &config, &NoMeter, &mut Silent)
    }

    #[test]
    fn it_is_found_because_events_that_it_notices_are_told_apart() {
        let careless = explored(&world(1), |config| config.watches[0].is_ordering = false);
        assert_eq!((careless.verdict, careless.interleavings), (Verdict::Holds, 1));
        let report = explored(&world(1), |config| config.keep_going = true);
        assert_eq!((report.verdict, report.interleavings), (Verdict::Violated, 6));
        assert_eq!(report.findings[0].violation.property.as_deref(), Some("not far ahead"));
        let report = explored(&world(2), |_| {});
        assert_eq!((report.verdict, report.interleavings), (Verdict::Holds, 6));
    }

    #[test]
    fn what_comes_after_a_pruned_state_does_not_count_and_nothing_else_is_lost() {
        for (pruned, verdict) in [(1, Verdict::Holds), (2, Verdict::Violated)] {
            let world = world(1);
            let [a, b] = ["a", "b"].map(Address::new);
            let prune = world.predicate("enough", Scope::nodes([a, b]), move |view, _| {
                view.node::<Counter>(a).n + view.node::<Counter>(b).n >= pruned
            });
            let report = explored(&world, |config| config.prunes = vec![prune]);
            assert_eq!(report.verdict, verdict, "{pruned}");
        }
    }

    #[test]
    fn one_that_lasts_orders_nothing() {
        let slots = Reads::slots([0, 2]);
        let lasting = Predicate::new("lasting", slots, |_, _| true).lasting();
        let property = foresee_lts::Property::invariant(lasting);
        assert!(!Watch::new(property.clone(), false).is_ordering);
        assert!(Watch::new(property, true).is_ordering, "unless states are pruned");
    }

    #[test]
    fn a_property_that_panics_is_shown_with_its_run() {
        let world = world(2);
        let bad = world.predicate("bad", Scope::nodes([Address::new("a")]), |view, _| {
            let n = view.node::<Counter>(Address::new("a")).n;
            if n == 2 {
                std::panic::resume_unwind(Box::new("no such number"));
            }
            true
        });
        let watch = Watch::new(foresee_lts::Property::invariant(bad), false);
        let report = explored(&world, |config| config.watches = vec![watch]);
        let broken = report.broken.expect("it panicked");
        assert_eq!((report.verdict, broken.message.as_str()), (Verdict::Error, "no such number"));
        let end = broken.path.states(&world).pop().expect("a state");
        assert_eq!(world.view(&end).node::<Counter>(Address::new("a")).n, 2);
    }
}

#[test]
fn what_should_be_reachable_is_looked_for_until_it_is_certain() {
    let none = BuildOptions::default();
    let report = checked("ping pings=1 retry=off network=multiset", &none, Engine::Stateless);
    assert_eq!(report.extras.reached, [("all clients are done".to_owned(), 2)]);
}
