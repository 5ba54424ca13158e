//! The readers: each takes any bytes and must come back, with a diagnostic or with something usable. What was read is used
//! once (explored a little, printed, read again), because what comes after a parser walks the same trees.

use foresee_erlang_syntax::{Options as Syntax, lint, no_includes, parse_file, print_expr};
use foresee_logic::formula::{Notation, Signature, Sort, Value, Vocabulary, parse_with};
use foresee_logic::{Equivalence, Lts, aut, dot, patterns, reduce, solve, without_blanks};
use foresee_lts::System;
use foresee_search::{Limits, NoMeter, Silent};
use foresee_session::{Registry, Source, open};
use foresee_trace::Trace;
use std::collections::BTreeMap;

/// A reader with its name, which is also that of its corpus.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "mucrl", run: mucrl },
    Target { name: "formula", run: formula },
    Target { name: "mcf", run: mcf },
    Target { name: "aut", run: transitions },
    Target { name: "dot", run: drawing },
    Target { name: "trace", run: trace },
    Target { name: "attributes", run: attributes },
    Target { name: "erlang", run: erlang },
];

/// Larger state spaces are not looked at further.
const STATES_MAX: usize = 2_000;

/// Specifications with more processes side by side are read and printed, and not explored: where each may communicate with each, one
/// state of a thousand has half a million moves and takes hundreds of megabytes, which only a limit ends (`--memory-max`).
const PARALLEL_MAX: usize = 300;

fn mucrl(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let parsed = foresee_algebra::parse(&text);
    let options = foresee_algebra::Options {
        rewrite_budget: 20_000,
        sum_budget: 1_000,
        ..foresee_algebra::Options::default()
    };
    let Ok(system) = foresee_algebra::load(&text, options) else { return };
    if text.matches("||").count() <= PARALLEL_MAX {
        explore(&system);
    }
    let _ = (system.declared_actions(), system.declared_sorts());
    let printed = parsed.specification.to_mucrl();
    let again = foresee_algebra::parse(&printed);
    assert!(again.specification == parsed.specification, "what is printed reads back:\n{printed}");
    assert!(parsed.specification.to_mcrl2().is_ok(), "what loads can be printed");
}

/// A few states of a system, breadth-first.
fn explore(system: &dyn System) {
    let (mut states, mut actions) = (system.initial(), Vec::new());
    let mut at = 0;
    while at < states.len() && at < 20 {
        let state = states[at].clone();
        system.enabled(&state, &mut actions);
        for action in actions.drain(..).take(20) {
            let next = system.step(&state, action);
            let _ = (system.label(&state, action), system.fault(&next));
            if states.len() < 60 && !states.contains(&next) {
                states.push(next);
            }
        }
        at += 1;
    }
}

fn formula(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    read_formula(&text, Notation::Paper);
    let _ = patterns::formula(&text);
}

fn mcf(input: &[u8]) {
    read_formula(&String::from_utf8_lossy(input), Notation::Mcf);
}

fn read_formula(text: &str, notation: Notation) {
    let lts = aut::read(&b"des (0,3,2)\n(0,\"use(c1)\",1)\n(1,tau,0)\n(1,\"ok\",1)\n"[..]);
    let lts = lts.expect("a transition system");
    for vocabulary in [Vocabulary::default(), clients()] {
        let parsed = parse_with(text, notation, &vocabulary);
        let is_told = parsed.diagnostics.iter().any(|news| news.is_error());
        assert_ne!(parsed.formula.is_some(), is_told, "a formula or an error");
        for news in &parsed.diagnostics {
            let _ = (news.span.text(text), news.span.within(text), news.render("formula", text));
        }
        let Some(formula) = parsed.formula else { continue };
        let limits = Limits { states_max: Some(100), ..Limits::none() };
        let labels = lts.label_function();
        let _ = solve(&lts, &*labels, &formula, &limits, &NoMeter, &mut Silent);
    }
}

fn clients() -> Vocabulary {
    let signature = |name: &str, sorts: &[&str]| Signature {
        name: name.to_owned(),
        sorts: sorts.iter().map(|sort| (*sort).to_owned()).collect(),
    };
    let client = Sort {
        name: "Client".to_owned(),
        constructors: Some(vec![signature("c1", &[]), signature("c2", &[])]),
        values: Some(vec![Value::of("c1"), Value::of("c2")]),
    };
    let actions = vec![signature("use", &["Client"]), signature("ok", &[])];
    Vocabulary { internal: vec!["i".to_owned()], actions: Some(actions), sorts: vec![client] }
}

fn transitions(input: &[u8]) {
    let Ok(lts) = aut::read(input) else { return };
    use_lts(&lts);
    let bytes = aut::write(&lts, aut::Tau::Mcrl2, Vec::new()).expect("memory takes it");
    let again = aut::read(&bytes[..]).expect("what is written reads back");
    assert_eq!((again.n_states(), again.n_transitions()), (lts.n_states(), lts.n_transitions()));
}

fn drawing(input: &[u8]) {
    let Ok(lts) = dot::read(&String::from_utf8_lossy(input)) else { return };
    use_lts(&lts);
    let mut bytes = Vec::new();
    dot::write(&lts, &mut bytes).expect("memory takes it");
    let again = dot::read(&String::from_utf8_lossy(&bytes)).expect("what is written reads back");
    assert_eq!(again.n_transitions(), lts.n_transitions());
}

fn use_lts(lts: &Lts) {
    for (_, label) in lts.labels().iter() {
        let _ = foresee_translate::erlang_label(&without_blanks(label));
    }
    if lts.n_states() > STATES_MAX || lts.n_transitions() > STATES_MAX {
        return;
    }
    let _ = foresee_logic::info(lts);
    let _ = reduce(lts, Equivalence::Strong);
    let _ = reduce(lts, Equivalence::Branching);
}

fn trace(input: &[u8]) {
    let Ok(trace) = Trace::from_bytes(input) else { return };
    let text = trace.to_string();
    let again = Trace::parse(&text).expect("what is written reads back");
    assert_eq!(again.to_string(), text, "and is written the same");
}

fn attributes(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let module = format!("-module(m).\n-export([test/0]).\n{text}\ntest() -> ok.\n");
    let files = BTreeMap::from([("m.erl".to_owned(), module)]);
    let _ = open(&Source::erlang(&["m.erl"]), &Registry::new(), &files).map(|loaded| loaded.name());
}

fn erlang(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let parse = parse_file("m.erl", &text, &Syntax::default(), &mut no_includes);
    let _ = lint(&parse);
    for function in parse.module.functions() {
        for expr in function.clauses.iter().flat_map(|clause| &clause.body) {
            let _ = print_expr(expr);
        }
    }
}
