//! Two routes, one truth: what the Erlang machine explores and what the translation explores have the same visible
//! behaviour, up to branching bisimulation, when replies are no handshakes.

mod support;

use foresee_algebra::Algebra;
use foresee_erlang::{CrashPoints, Crashes, Entry, Erlang, Labels, Options as Run, link};
use foresee_erlang_syntax::Parse;
use foresee_logic::{Equivalence, Lts, compare, generate_lts, reduce};
use foresee_translate::{Options, erlang_label, translate};
use support::{expect, locker_modules, system_modules};

/// The state space of the program itself. Clients crash where the translation lets them, and stay dead.
fn direct(modules: &[Parse], supervisor: &str, crash: &[&str]) -> Lts {
    let loaded = link(modules.to_vec());
    let Some(program) = loaded.program else { panic!("{:?}", loaded.problems) };
    let processes = crash.iter().map(|it| (*it).to_owned()).collect();
    let points = CrashPoints::Calls;
    let crashes =
        Crashes { processes, points, restart: false, may_cease: false, ..Crashes::default() };
    let options = Run {
        labels: Some(Labels::default()),
        crashes: (!crash.is_empty()).then_some(crashes),
        ..Run::default()
    };
    let system = Erlang::new(program, Entry::supervisor(supervisor, "start_link"), options);
    generate_lts(&system, &|state, action| system.visible_label(state, action))
}

fn translated(modules: &[Parse], supervisor: &str, crash: &[&str]) -> Lts {
    let crash = crash.iter().map(|it| (*it).to_owned()).collect();
    let options = Options { async_reply: true, crash, ..Options::default() };
    let translation = expect(translate(modules, (supervisor, "start_link"), &options));
    let system = Algebra::new(&translation.specification, translation.algebra_options()).unwrap();
    generate_lts(&system, &|_, action| system.visible_text(action).map(|it| erlang_label(&it)))
}

#[track_caller]
fn agree(modules: &[Parse], supervisor: &str, crash: &[&str]) -> (usize, usize) {
    let (one, other) = (direct(modules, supervisor, crash), translated(modules, supervisor, crash));
    let comparison = compare(&one, &other, Equivalence::Branching);
    assert_eq!(comparison.equivalent, Some(true), "{supervisor} {crash:?}: {comparison:#?}");
    let quotient = reduce(&one, Equivalence::Branching).lts;
    (quotient.n_states(), quotient.n_transitions())
}

#[test]
fn the_locker() {
    let clients = &["client_*"];
    for (defines, plain, crashing) in [
        (&[][..], (29, 42), (217, 426)),
        (&[("ACTIONS", "true")], (45, 70), (253, 542)),
        (&[("IGNORING", "true")], (29, 42), (249, 484)),
        (&[("WRONG", "true")], (29, 42), (225, 440)),
    ] {
        let modules = locker_modules(defines);
        assert_eq!(agree(&modules, "locker_sup", &[]), plain);
        assert_eq!(agree(&modules, "locker_sup", clients), crashing);
    }
}

#[test]
fn systems() {
    for name in [
        "barrier",
        "census",
        "counter",
        "ping_pong",
        "pool",
        "queue",
        "relay",
        "rooms",
        "semaphore",
        "store",
        "tally",
    ] {
        agree(&system_modules(name, &[]), &format!("{name}_sup"), &[]);
    }
}

/// Only servers that link to their clients and trap exits are told of a death in both routes.
#[test]
fn systems_whose_clients_crash() {
    agree(&system_modules("pool", &[]), "pool_sup", &["client_*"]);
    agree(&system_modules("rooms", &[]), "rooms_sup", &["writer"]);
}
