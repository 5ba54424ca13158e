//! Symmetry between interchangeable nodes: the verdict of a search that uses it is that of one that does not, the states are one for each
//! orbit, and nodes that are not alike are found out.

use foresee_lts::System;
use foresee_nodes::{Address, Context, Network, Node, Scope, World, WorldBuilder};
use foresee_session::{
    CheckRequest, Loaded, NoFiles, NoMeter, Outcome, Reduction, Registry, Report, Silent, Source,
    VisitedKind, check, open,
};
use foresee_stdx::mix;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

fn with_symmetry() -> CheckRequest {
    CheckRequest {
        reduction: Reduction { symmetry: true, ..Reduction::default() },
        ..CheckRequest::default()
    }
}

fn explored(loaded: &Loaded, request: &CheckRequest) -> Report {
    let report = check(loaded, request, &NoMeter, &mut Silent);
    assert!(report.error.is_none(), "{:?}", report.error);
    report
}

fn two_phase_commit(parameters: &[&str]) -> Loaded {
    let source = Source::nodes("two-phase-commit", parameters);
    open(&source, &Registry::stock(), &NoFiles).expect("a system")
}

#[test]
fn two_phase_commit_has_one_state_for_each_orbit() {
    for rms in 2..=5 {
        let loaded = two_phase_commit(&[&format!("rms={rms}")]);
        let report = explored(&loaded, &with_symmetry());
        assert_eq!(report.verdict, Outcome::Holds, "rms={rms}");
        assert_eq!(report.states as usize, orbits(&loaded), "rms={rms}");
        let fingerprints = CheckRequest { visited: VisitedKind::Fingerprint, ..with_symmetry() };
        assert_eq!(explored(&loaded, &fingerprints).states, report.states);
        let threads = CheckRequest { threads: 3, ..with_symmetry() };
        assert_eq!(explored(&loaded, &threads).states, report.states);
    }
}

/// Every orbit once, of 1,745,408 states.
#[test]
fn eight_resource_managers_are_few() {
    let report = explored(&two_phase_commit(&["rms=8"]), &with_symmetry());
    assert_eq!((report.verdict, report.states), (Outcome::Holds, 1_461));
}

/// How many representatives the reachable states have.
fn orbits(system: &dyn System) -> usize {
    let symmetry = system.symmetry().expect("interchangeable nodes");
    let mut renamer = symmetry.renamer();
    let mut found = system.initial();
    let mut known: BTreeSet<Vec<u32>> = found.iter().cloned().collect();
    let mut orbits: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut actions = Vec::new();
    while let Some(state) = found.pop() {
        orbits.insert(renamer.representative(&state));
        actions.clear();
        system.enabled(&state, &mut actions);
        for action in &actions {
            let next = system.step(&state, *action);
            if known.insert(next.clone()) {
                found.push(next);
            }
        }
    }
    orbits.len()
}

/// A counterexample is told in the system's own names, is as short as without, and happens again (`check` sees to that).
#[test]
fn what_goes_wrong_is_found_and_as_short() {
    for bug in ["bug=eager-commit", "bug=broken-promise"] {
        for network in ["network=set", "network=fifo", "network=multiset"] {
            let loaded = two_phase_commit(&["rms=3", bug, network]);
            let plain = explored(&loaded, &CheckRequest::default());
            let reduced = explored(&loaded, &with_symmetry());
            assert_eq!(plain.verdict, Outcome::Violated, "{bug} {network}");
            assert_eq!(reduced.verdict, Outcome::Violated, "{bug} {network}");
            assert_eq!(reduced.violations[0].steps_found, plain.violations[0].steps_found);
            assert_eq!(reduced.violations[0].property, plain.violations[0].property);
            assert!(reduced.states < plain.states, "{} {}", reduced.states, plain.states);
        }
    }
}

/// A node whose code is drawn from a seed. It tells its likes apart by what they sent, never by name.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Drawn {
    seed: u64,
    hub: Address,
    likes: BTreeSet<Address>,
    phase: u64,
    heard: BTreeSet<Address>,
}

impl Drawn {
    fn act(&mut self, what: u64, from: Option<Address>, context: &mut Context<u8, u8>) {
        let is_hub = from == Some(self.hub);
        let draw = mix(self.seed ^ mix(what ^ self.phase << 8 ^ u64::from(is_hub) << 16));
        if self.phase < 2 && draw.is_multiple_of(3) {
            self.phase += 1;
        }
        if let Some(from) = from
            && draw & 16 != 0
        {
            self.heard.insert(from);
        }
        let message = (draw >> 8) as u8 % 2;
        match (draw >> 20) % 5 {
            0 => context.send(self.hub, message),
            1 => self.likes.iter().for_each(|like| context.send(*like, message)),
            2 => from.into_iter().for_each(|from| context.send(from, message)),
            3 => self.heard.iter().for_each(|heard| context.send(*heard, message)),
            _ => {}
        }
    }
}

impl Node for Drawn {
    type Message = u8;
    type Timer = u8;

    fn init(&mut self, context: &mut Context<u8, u8>) {
        context.set_timer(1, std::time::Duration::from_millis(10));
    }

    fn on_message(&mut self, from: Address, message: u8, context: &mut Context<u8, u8>) {
        self.act(u64::from(message), Some(from), context);
    }

    fn on_timer(&mut self, timer: u8, context: &mut Context<u8, u8>) {
        self.act(100 + u64::from(timer), None, context);
    }
}

fn drawn(seed: u64) -> World<u8> {
    let n = 2 + (seed % 2) as usize;
    let network = [Network::Set, Network::Fifo, Network::Multiset][(seed / 2 % 3) as usize];
    let (hub, likes) = (Address::new("hub"), Address::numbered("w", n));
    let mut world = WorldBuilder::<u8>::new(format!("drawn {seed}"));
    world.network(network);
    if seed.is_multiple_of(5) {
        world.faults(foresee_nodes::Faults { crashes: 1, ..foresee_nodes::Faults::default() });
    }
    let node = |seed: u64| Drawn {
        seed,
        hub,
        likes: likes.iter().copied().collect(),
        phase: 0,
        heard: BTreeSet::new(),
    };
    world.add(hub, node(mix(seed)));
    for like in &likes {
        world.add(*like, node(mix(seed + 7)));
    }
    world.symmetric(likes.iter().copied());
    let all = likes.clone();
    world.invariant("not all there", Scope::nodes(likes.clone()), move |view, _| {
        !all.iter().all(|like| view.node::<Drawn>(*like).phase == 2)
    });
    let all = likes.clone();
    world.reachable("one hears another", Scope::nodes(likes), move |view, _| {
        all.iter().any(|like| view.node::<Drawn>(*like).heard.len() == 2)
    });
    world.build()
}

#[test]
fn generated_systems_have_the_verdict_of_the_unreduced_search() {
    let (mut n_violated, mut n_held, mut n_fewer) = (0, 0, 0);
    for seed in 0..150 {
        let loaded = Loaded::of_built(Arc::new(drawn(seed)));
        let mut request =
            CheckRequest { keep_going: true, minimise: false, ..CheckRequest::default() };
        request.limits.states_max = Some(3_000);
        let plain = explored(&loaded, &request);
        if plain.verdict == Outcome::Inconclusive || plain.stopped_by.is_some() {
            continue;
        }
        request.reduction.symmetry = true;
        let reduced = explored(&loaded, &request);
        assert_eq!(reduced.verdict, plain.verdict, "seed {seed}");
        let shown = |report: &Report| -> BTreeSet<(String, usize)> {
            let found = report.violations.iter();
            found.map(|it| (format!("{:?} {:?}", it.kind, it.property), it.steps_found)).collect()
        };
        assert_eq!(shown(&reduced), shown(&plain), "seed {seed}");
        // Where nodes of one signature are not alike, several states stand for an orbit, and not all of them are met.
        assert!(reduced.states as usize <= orbits(&loaded), "seed {seed}");
        n_violated += u32::from(plain.verdict == Outcome::Violated);
        n_held += u32::from(plain.verdict == Outcome::Holds);
        n_fewer += u32::from(reduced.states < plain.states);
    }
    assert!(n_violated > 5 && n_held > 3 && n_fewer > 20, "{n_violated} {n_held} {n_fewer}");
}

/// Two nodes, each of which has an opinion.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Opinion {
    all: Vec<Address>,
    best: Option<Address>,
    compares: bool,
}

impl Node for Opinion {
    type Message = u8;
    type Timer = ();

    fn init(&mut self, context: &mut Context<u8, ()>) {
        let me = context.me();
        let others: Vec<Address> = self.all.iter().copied().filter(|it| *it != me).collect();
        others.iter().for_each(|other| context.send(*other, 1));
    }

    fn on_message(&mut self, from: Address, _: u8, _: &mut Context<u8, ()>) {
        self.best = match self.best {
            Some(best) if self.compares => Some(best.max(from)),
            _ => Some(from),
        };
    }
}

/// What a search with symmetry says to nodes with opinions.
fn refusal(lists: bool, compares: bool, asks_one: bool) -> Option<String> {
    let names = Address::numbered("n", 3);
    let mut world = WorldBuilder::<u8>::new("opinions");
    world.network(Network::Multiset);
    for name in &names {
        // In the order of a set if nobody is to notice.
        let all = if lists { names.clone() } else { Vec::new() };
        world.add(*name, Opinion { all, best: None, compares });
    }
    if !lists {
        world.add("teller", Opinion { all: names.clone(), best: None, compares: false });
    }
    world.symmetric(names.iter().copied());
    let asked = if asks_one { vec![names[0]] } else { names.clone() };
    world.invariant("nobody is the best", Scope::nodes(names.clone()), move |view, _| {
        asked.iter().all(|name| view.node::<Opinion>(*name).best.is_none())
    });
    let loaded = Loaded::of_built(Arc::new(world.build()));
    let report = check(&loaded, &with_symmetry(), &NoMeter, &mut Silent);
    report.error.map(|error| error.message)
}

#[test]
fn nodes_that_are_not_alike_are_found_out() {
    let list = refusal(true, false, false).expect("a list is in an order");
    assert!(list.contains("where the system starts") && list.contains("n1"), "{list}");
    let teller = refusal(false, false, false).expect("the teller has a list");
    assert!(teller.contains("teller has"), "{teller}");
}

#[test]
fn who_has_no_interchangeable_nodes_is_told_so() {
    let source = Source::nodes("ping", &["clients=1"]);
    let loaded = open(&source, &Registry::stock(), &NoFiles).expect("a system");
    let report = check(&loaded, &with_symmetry(), &NoMeter, &mut Silent);
    let error = report.error.expect("refused");
    assert!(error.message.contains("nobody says which nodes"), "{error}");
}
