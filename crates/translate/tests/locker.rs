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

/// Every variant in every way to translate it.
fn variants() -> Vec<Translation> {
    let mut all = Vec::new();
    for defines in [&[][..], &[IGNORING], &[WRONG], &[ACTIONS]] {
        for crash in [Vec::new(), vec!["all".to_owned()]] {
            for buffer in [Buffer::Unbounded, Buffer::Bounded(2), Buffer::None] {
                for async_reply in [false, true] {
                    let options =
                        Options { crash: crash.clone(), buffer, async_reply, ..Options::default() };
                    all.push(locker(defines, &options));
                }
            }
        }
    }
    all
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
