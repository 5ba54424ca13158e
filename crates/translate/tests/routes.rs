//! Three routes, one truth: what the Erlang machine explores, what the translation explores as muCRL, and what a tool for
//! mCRL2 would write about it have the same visible behaviour, up to branching bisimulation, when replies are no handshakes;
//! and the same labels.

mod support;

use foresee_algebra::load;
use foresee_erlang::{CrashPoints, Crashes, Entry, Erlang, Labels, Options as Run, link};
use foresee_erlang_syntax::Parse;
use foresee_logic::{Equivalence, Lts, aut, compare, generate_lts, reduce, without_blanks};
use foresee_translate::{Options, Translation, erlang_label, translate};
use std::collections::BTreeSet;
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

fn translation(modules: &[Parse], supervisor: &str, crash: &[&str]) -> Translation {
    let crash = crash.iter().map(|it| (*it).to_owned()).collect();
    let options = Options { async_reply: true, crash, ..Options::default() };
    expect(translate(modules, (supervisor, "start_link"), &options))
}

/// The text is read again: what is compared is what a user has in a file.
fn translated(translation: &Translation) -> Lts {
    let system = load(&translation.to_mucrl(), translation.algebra_options()).unwrap();
    generate_lts(&system, &|_, action| {
        system.visible_text(action).map(|it| erlang_label(&it).into_owned())
    })
}

/// What a tool for mCRL2 writes: the same names, and blanks between arguments. It has no other names than the muCRL text if
/// the printer changed none of those that stand on labels.
fn as_mcrl2_writes_it(translation: &Translation) -> Lts {
    let text = translation.to_mcrl2().unwrap();
    let words: BTreeSet<&str> =
        text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_' && it != '\'').collect();
    assert!(!words.contains("tau"), "{text}");
    assert_eq!(text.matches("hide(").count(), 1, "{text}");
    let spec = &translation.specification;
    let constructors = spec.functions.iter().filter(|it| it.is_constructor);
    let constructors = constructors.filter(|it| it.result.text != "Bool").map(|it| &it.name);
    for name in constructors.chain(spec.actions.iter().map(|it| &it.name)) {
        assert!(words.contains(name.text.as_str()), "{} is called otherwise", name.text);
    }
    let system = load(&translation.to_mucrl(), translation.algebra_options()).unwrap();
    let blanks = |text: String| text.replace(',', ", ");
    let lts = generate_lts(&system, &|_, action| system.visible_text(action).map(blanks));
    let bytes = aut::write(&lts, aut::Tau::Mcrl2, Vec::new()).unwrap();
    let read = aut::read(&bytes[..]).unwrap();
    read.with_labels(|label| erlang_label(&without_blanks(label)).into_owned())
}

#[track_caller]
fn agree(modules: &[Parse], supervisor: &str, crash: &[&str]) -> (usize, usize) {
    let one = direct(modules, supervisor, crash);
    let translation = translation(modules, supervisor, crash);
    for other in [translated(&translation), as_mcrl2_writes_it(&translation)] {
        let comparison = compare(&one, &other, Equivalence::Branching);
        assert_eq!(comparison.equivalent, Some(true), "{supervisor} {crash:?}: {comparison:#?}");
    }
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
        "adder",
        "barrier",
        "bbuf",
        "census",
        "chat",
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
