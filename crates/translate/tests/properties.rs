//! The property files of the locker, over its translated text: which server has which property, and how short the stories
//! are that refute it. The guide's chapter on the locker has the same table.

mod support;

use foresee_algebra::Algebra;
use foresee_logic::formula::{Notation, parse};
use foresee_logic::{Solution, patterns, solve};
use foresee_search::{Limits, NoMeter, Silent};
use foresee_translate::Options;
use support::{locker, read};

/// A server: how many clients, what is defined, whether clients crash.
#[derive(Clone, Copy)]
struct Server(&'static str, Option<&'static str>, bool);

/// Correct, ignoring, wrong with two clients and with three, and without crashes.
const SERVERS: [Server; 5] = [
    Server("2", None, true),
    Server("2", Some("IGNORING"), true),
    Server("2", Some("WRONG"), true),
    Server("3", Some("WRONG"), true),
    Server("2", None, false),
];

fn solved(server: Server, hidden: bool, text: &str) -> Solution {
    solved_in(Notation::Paper, server, hidden, text)
}

fn solved_in(notation: Notation, server: Server, hidden: bool, text: &str) -> Solution {
    let Server(n_clients, define, crashes) = server;
    let mut defines = vec![("ACTIONS", "true"), ("CLIENTS", n_clients)];
    defines.extend(define.map(|name| (name, "true")));
    let crash = if crashes { vec!["all".to_owned()] } else { Vec::new() };
    let options = Options { crash, crash_visible: !hidden, ..Options::default() };
    let translation = locker(&defines, &options);
    let system = Algebra::new(&translation.specification, translation.algebra_options()).unwrap();
    let label = |_: &[u32], action| system.visible_text(action);
    let formula = parse(text, notation).into_result().unwrap();
    solve(&system, &label, &formula, &Limits::none(), &NoMeter, &mut Silent).unwrap()
}

fn property(name: &str) -> String {
    read(&format!("../../examples/locker/properties/{name}.mcl"))
}

fn verdicts(name: &str) -> [bool; 5] {
    SERVERS.map(|server| solved(server, false, &property(name)).holds.expect("no limits"))
}

#[test]
fn safety_tells_the_wrong_server_from_the_others() {
    assert_eq!(verdicts("deadlock"), [false, false, false, false, true]);
    assert_eq!(verdicts("mutex"), [false, true, false, false, true]);
    assert_eq!(verdicts("ft-mutex"), [true, true, true, false, true]);
    assert_eq!(verdicts("ft-mutex-as-printed"), verdicts("mutex"));
    let three = Server("3", None, true);
    assert_eq!(solved(three, false, &property("ft-mutex")).holds, Some(true));
}

#[test]
fn progress_tells_the_ignoring_server_from_the_correct_one() {
    assert_eq!(verdicts("ft-deadlock-as-printed"), [true, true, false, false, true]);
    assert_eq!(verdicts("ft-non-starvation"), [true, false, true, false, true]);
    let [correct, ignoring, wrong, _, calm] = verdicts("ft-deadlock");
    assert_eq!([correct, ignoring, wrong, calm], [true, false, true, true]);
    // With three clients, two may be dead.
    let two_dead = patterns::formula("deadlock-freedom-while-crashed(2, 'crash(.*)')").unwrap();
    assert_eq!(solved(SERVERS[3], false, &two_dead).holds, Some(false));
    let correct = Server("3", None, true);
    assert_eq!(solved(correct, false, &two_dead).holds, Some(true));
}

#[test]
fn the_two_notations_agree() {
    for name in ["mutex", "ft-mutex"] {
        for server in SERVERS {
            let paper = solved(server, false, &property(name));
            let text = read(&format!("../../examples/locker/properties/{name}.mcf"));
            let mcf = solved_in(Notation::Mcf, server, false, &text);
            assert_eq!(mcf.holds, paper.holds, "{name}");
        }
    }
}

#[test]
fn stories_are_as_short_as_known() {
    let steps = |server, name: &str| {
        let solution = solved(server, true, &property(name));
        let evidence = solution.evidence.expect("a refutation has a story");
        assert_eq!((solution.holds, evidence.is_linear), (Some(false), true));
        (evidence.labels.iter().flatten().count(), evidence.labels.len(), solution.states)
    };
    let (visible, ..) = steps(SERVERS[0], "mutex");
    assert_eq!(visible, 7);
    let (visible, all, states) = steps(SERVERS[3], "ft-mutex");
    assert_eq!((visible, all), (13, 19));
    assert!(states < 21_503, "{states}: the rest is not explored");
}
