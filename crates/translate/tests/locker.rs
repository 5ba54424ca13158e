//! The locker of the examples, translated: the numbers of the paper and of its variants come out exactly.

mod support;

use foresee_algebra::{Algebra, load};
use foresee_logic::{Equivalence, generate_lts, reduce};
use foresee_translate::{Buffer, Options, Translation};
use merc_syntax::UntypedProcessSpecification;
use support::{explore, explore_system, locker};

const ACTIONS: (&str, &str) = ("ACTIONS", "true");
const IGNORING: (&str, &str) = ("IGNORING", "true");
const WRONG: (&str, &str) = ("WRONG", "true");

fn crashing() -> Options {
    Options { crash: vec!["client_*".to_owned()], ..Options::default() }
}

fn size(translation: &Translation) -> (usize, usize) {
    let space = explore(translation);
    assert_eq!(space.faults, Vec::<String>::new());
    assert!(space.labels().iter().all(|it| !it.starts_with("failure")), "{:?}", space.labels());
    space.size()
}

#[test]
fn two_clients_without_crashes() {
    let translation = locker(&[], &Options::default());
    assert_eq!(size(&translation), (33, 48), "{}", translation.to_mucrl());
    assert_eq!(explore(&translation).n_deadlocks(), 0);
    assert_eq!(size(&locker(&[ACTIONS], &Options::default())), (49, 76));
}

#[test]
fn two_crashing_clients() {
    for crash_visible in [false, true] {
        let options = Options { crash_visible, ..crashing() };
        assert_eq!(size(&locker(&[], &options)), (326, 584));
    }
    let options = Options { crash: vec!["client_1".to_owned()], ..Options::default() };
    assert!(size(&locker(&[], &options)).0 < 326);
}

#[test]
fn two_crashing_clients_reduced() {
    let translation = locker(&[], &Options { crash_visible: false, ..crashing() });
    let system = Algebra::new(&translation.specification, translation.algebra_options()).unwrap();
    let lts = generate_lts(&system, &|_, action| system.visible_text(action));
    let size = |equivalence| {
        let quotient = reduce(&lts, equivalence).lts;
        (quotient.n_states(), quotient.n_transitions())
    };
    assert_eq!(size(Equivalence::Strong), (229, 448));
    assert_eq!(size(Equivalence::Branching), (217, 426));
}

#[test]
fn servers_that_ignore_exits_or_handle_them_wrongly() {
    assert_eq!(size(&locker(&[IGNORING], &crashing())), (324, 574));
    assert_eq!(size(&locker(&[WRONG], &crashing())), (362, 640));
}

#[test]
fn crashing_clients_that_say_when_they_use_it() {
    let options = Options { crash_at_actions: false, ..crashing() };
    assert_eq!(size(&locker(&[ACTIONS], &options)), (378, 684));
    assert_eq!(size(&locker(&[ACTIONS], &crashing())), (378, 736));
}

#[test]
fn positions_can_be_merged() {
    let options = Options { normalised: true, ..crashing() };
    assert_eq!(size(&locker(&[], &options)), (283, 528));
}

/// Every variant, and every way to translate it.
fn variants() -> Vec<Translation> {
    let all = || vec!["all".to_owned()];
    let options = [
        Options::default(),
        crashing(),
        Options { crash: all(), crash_visible: false, ..Options::default() },
        Options { crash: all(), async_reply: true, ..Options::default() },
        Options { crash: all(), buffer: Buffer::Bounded(2), ..Options::default() },
        Options { crash: all(), buffer: Buffer::None, ..Options::default() },
        Options { async_reply: true, buffer: Buffer::Bounded(0), ..Options::default() },
        Options { async_reply: true, buffer: Buffer::None, ..Options::default() },
    ];
    let mut translations = Vec::new();
    for (at, options) in options.iter().enumerate() {
        let defines = [&[][..], &[ACTIONS], &[IGNORING], &[WRONG]][at % 4];
        translations.push(locker(defines, options));
        translations.push(locker(&[ACTIONS], options));
    }
    translations
}

#[test]
fn one_client_has_one_way_to_go() {
    let translation = locker(&[("CLIENTS", "1")], &Options::default());
    // Asking, being asked, answering; twice.
    assert_eq!(size(&translation), (6, 6));
    let labels: Vec<_> = explore(&translation).edges.into_iter().flatten().map(|it| it.0).collect();
    assert_eq!(
        labels,
        [
            "tau",
            "call(locker,request,client_1)",
            "reply(client_1,ok,locker)",
            "tau",
            "call(locker,release,client_1)",
            "reply(client_1,done,locker)"
        ]
    );
}

#[test]
fn buffers_have_sizes() {
    let bounded = |n| Options { buffer: Buffer::Bounded(n), ..Options::default() };
    let full = |n| explore(&locker(&[], &bounded(n))).labels().contains("bufferfull(locker)");
    assert!(full(0) && full(1));
    // Each of two clients has at most one call on its way.
    assert!(!full(2));
    assert_eq!(explore(&locker(&[], &bounded(2))).size(), (33, 48));
    let none = Options { buffer: Buffer::None, ..Options::default() };
    let space = explore(&locker(&[], &none));
    assert!(!space.labels().contains("tau"));
    assert!(space.size().0 < 33);
}

#[test]
fn what_is_modelled_in_a_special_way_is_said() {
    let notes = locker(&[], &crashing()).notes;
    let expected = [
        "locker.erl:11: a server that stops does nothing more",
        "locker.erl:21: process_flag/2: servers are taken to trap exits",
        "locker.erl:25: link/1: a client",
    ];
    for (note, expected) in notes.iter().zip(expected) {
        assert!(note.contains(expected), "{note}");
    }
    assert_eq!(notes.len(), 3, "{notes:?}");
}

#[test]
fn mucrl_reads_back_to_the_same_state_space() {
    for translation in variants() {
        let text = translation.to_mucrl();
        let read = load(&text, translation.algebra_options()).unwrap_or_else(|problems| {
            let texts: Vec<_> = problems.iter().map(|it| it.render("text", &text)).collect();
            panic!("{}\n{text}", texts.join("\n"))
        });
        assert_eq!(explore_system(&read, 100_000).aut(), explore(&translation).aut());
    }
}

#[test]
fn mcrl2_is_accepted_by_another_parser() {
    for translation in variants() {
        let text = translation.to_mcrl2().expect("no problems");
        if let Err(error) = UntypedProcessSpecification::parse(&text) {
            panic!("{error}\n{text}");
        }
    }
}
