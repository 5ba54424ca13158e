//! Checks in plain tests: what passes, what fails, and what a failure tells.

use foresee::nodes::{BuildOptions, Runnable};
use foresee::session::{Engine, Outcome, SimulatedNetwork};
use foresee::{
    Address, Check, Context, Entry, Guide, Node, Parameter, Phase, Scope, Strategy, World,
    WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Message {
    Acquire,
    Granted,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Server {
    careful: bool,
    holder: Option<Address>,
}

impl Node for Server {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let is_free = self.holder.is_none() || !self.careful;
        if message == Message::Acquire && is_free {
            self.holder = Some(from);
            context.send(from, Message::Granted);
        }
    }
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Client {
    server: Address,
    holds: bool,
}

impl Node for Client {
    type Message = Message;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Message, ()>) {
        context.send(self.server, Message::Acquire);
    }

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        _context: &mut Context<Message, ()>,
    ) {
        self.holds |= message == Message::Granted;
    }
}

fn lock(careful: bool, options: &BuildOptions) -> World<Message> {
    let bug = if careful { "none" } else { "careless" };
    let mut world = WorldBuilder::new(format!("lock bug={bug}"));
    world.options(options);
    let server = world.add("server", Server { careful, holder: None });
    let clients = Address::numbered("client", 2);
    for &client in &clients {
        world.add(client, Client { server, holds: false });
    }
    let holders = clients.clone();
    world.invariant("mutual exclusion", Scope::nodes(clients.clone()), move |view, why| {
        let holding: Vec<_> =
            holders.iter().filter(|client| view.node::<Client>(**client).holds).collect();
        why.because(format_args!("{holding:?} hold the lock"));
        holding.len() <= 1
    });
    let all = clients.clone();
    world.invariant("nobody holds it", Scope::nodes(clients), move |view, _| {
        !all.iter().any(|client| view.node::<Client>(*client).holds)
    });
    world.build()
}

fn built(careful: bool) -> World<Message> {
    lock(careful, &BuildOptions::default())
}

fn entry() -> Entry {
    Entry::new("lock", "clients that want a lock")
        .parameter(Parameter::word("bug", &["none", "careless"], "a mistake to make"))
        .build_with(|arguments, options| {
            let world: Box<dyn Runnable> = Box::new(lock(arguments.word("bug") == "none", options));
            Ok(world)
        })
        .guide("two asked", |world: &World<Message>, _arguments| two_asked(world))
}

fn two_asked(world: &World<Message>) -> Guide {
    let server = Address::new("server");
    let is_held = world.predicate("somebody holds it", Scope::nodes([server]), move |view, _| {
        view.node::<Server>(server).holder.is_some()
    });
    Guide::new([Phase::new("the first asks").goal(is_held), Phase::new("the second asks")])
}

/// What a failing assertion says.
fn failure(assertion: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(assertion)).expect_err("the assertion fails");
    panic.downcast_ref::<String>().expect("a message").clone()
}

fn careless() -> Check {
    foresee::check_entry(&entry(), &["bug=careless"])
}

#[test]
fn what_holds_passes_and_what_is_violated_is_named() {
    foresee::check(&built(true)).invariant("mutual exclusion").assert_holds();
    let checked = foresee::check(&built(false)).assert_violated("mutual exclusion");
    assert_eq!(checked.violation("mutual exclusion").unwrap().steps, 4);
    // Without a choice the shorter violation of another property comes first; the assertion looks for the one it names.
    let first = foresee::check(&built(false)).run();
    assert_eq!(first.report.violations[0].property.as_deref(), Some("nobody holds it"));
    let both = careless().keep_going().run();
    assert_eq!(both.report.violations.len(), 2);
    both.assert_violated("nobody holds it").assert_violated("mutual exclusion");
}

#[test]
fn a_failure_tells_the_story_and_saves_a_trace_that_replays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lock.trace");
    let check = || careless().invariant("mutual exclusion").trace(&file);
    let told = failure(|| {
        check().assert_holds();
    });
    let expected = [
        "expected that it holds; it is violated\n\nviolated: mutual exclusion   4 steps\n",
        "  1  client1 -> server   Acquire\n",
        "why: [client1, client2] hold the lock\n",
        &format!("replay:  cargo run -- replay {}\n", file.display()),
    ];
    for part in expected {
        assert!(told.contains(part), "{part:?} is not in\n{told}");
    }
    assert!(!told.contains("Action") && !told.contains('\u{1b}'), "{told}");
    assert!(told.contains(&check().run().to_string().lines().next().unwrap().to_owned()));
    let trace = std::fs::read_to_string(&file).unwrap();
    foresee::recorded([entry()], &trace).assert_violated();
    foresee::recorded([entry()], &trace.replace("bug=careless", "bug=none")).assert_fixed();
    let back = failure(|| foresee::recorded([entry()], &trace).assert_fixed());
    assert!(back.starts_with("the bug is back\n\nviolated: mutual exclusion"), "{back}");
    let other = failure(|| foresee::recorded([], &trace).assert_fixed());
    assert!(other.contains("there is no system `lock`"), "{other}");
}

/// Beside what cargo builds, under the names of the system and the test.
#[test]
fn without_a_name_the_trace_is_saved_under_that_of_the_test() {
    let told = failure(|| {
        foresee::check(&built(false)).invariant("mutual exclusion").assert_holds();
    });
    let line = told.lines().find(|line| line.starts_with("replay:")).expect("a command");
    let file = line.rsplit(' ').next().unwrap();
    assert!(
        file.ends_with(
            "foresee/lock.without_a_name_the_trace_is_saved_under_that_of_the_test.trace"
        ),
        "{file}"
    );
    assert!(Path::new(file).is_file());
}

#[test]
fn what_was_expected_and_what_came_is_said() {
    type Assertion = Box<dyn FnOnce()>;
    let cases: [(&str, Assertion); 5] = [
        (
            "expected a violation of `mutual exclusion`; it is holds",
            Box::new(|| {
                foresee::check(&built(true)).assert_violated("mutual exclusion");
            }),
        ),
        (
            "expected a violation of `mutual exlusion`; the system has no such property; it has `mutual exclusion`, `nobody holds it`",
            Box::new(|| {
                careless().assert_violated("mutual exlusion");
            }),
        ),
        (
            "expected to be inconclusive, stopped by `states`; it is violated",
            Box::new(|| {
                careless().assert_inconclusive("states");
            }),
        ),
        (
            "expected that it holds; it is inconclusive\n\ninconclusive: lock bug=none",
            Box::new(|| {
                let it = foresee::check(&built(true)).invariant("mutual exclusion");
                it.states_max(2).assert_holds();
            }),
        ),
        (
            "expected that it holds; it is not checked\n\nerror[E0007]: faults and code checks are asked for",
            Box::new(|| {
                foresee::check(&built(true)).crashes_max(1).assert_holds();
            }),
        ),
    ];
    for (expected, assertion) in cases {
        let told = failure(assertion);
        assert!(told.starts_with(expected), "{expected:?} is not at the start of\n{told}");
    }
}

#[test]
fn limits_strategies_engines_and_faults() {
    let careful = || foresee::check_entry(&entry(), &["bug=none"]).invariant("mutual exclusion");
    let states = careful().assert_holds().report.states;
    careful().strategy(Strategy::DepthFirst).assert_holds();
    careful().engine(Engine::Stateless).assert_holds();
    careful().threads(2).check_code().assert_holds();
    careful().states_max(2).assert_inconclusive("states");
    careful().depth_max(1).assert_inconclusive("depth");
    assert!(careful().crashes_max(1).assert_holds().report.states > states);
    let crashes = careful().crash("server").assert_holds().report.states;
    assert!(crashes > states, "a node that may crash does so once");
}

#[test]
fn guides_and_simulations() {
    let world = built(false);
    let guided = foresee::check(&world).guide(two_asked(&world)).invariant("mutual exclusion");
    guided.assert_violated("mutual exclusion");
    let named = || foresee::check_entry(&entry(), &["bug=none"]).guide_named("two asked");
    named().invariant("mutual exclusion").assert_inconclusive("guide");
    let unknown = foresee::check_entry(&entry(), &["bug=none"]).guide_named("to asked").run();
    assert_eq!(unknown.verdict(), Outcome::Error);
    assert!(unknown.to_string().contains("did you mean `two asked`?"), "{unknown}");
    careless().simulate(0..20).assert_violated("nobody holds it");
    let lossy = SimulatedNetwork { loss: 1.0, ..SimulatedNetwork::default() };
    let silent = careless().network(lossy).simulate(0..20).assert_holds();
    assert_eq!(silent.report.interleavings, 20);
}
