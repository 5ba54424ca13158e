//! Bad input: each code is produced, with its place and help. The pages are tests: the example on each page of
//! `docs/diagnostics` gives the message printed below it.

mod support;

use foresee_algebra::{ALL_CODES, Diagnostic, Options, load, parse};
use foresee_lts::System;
use support::explore;

fn problems(text: &str) -> Vec<Diagnostic> {
    load(text, Options::default()).err().unwrap_or_default()
}

/// The one problem of a text: code, the text under its place, and help.
fn problem(text: &str) -> (&'static str, String, String) {
    let found = problems(text);
    assert_eq!(found.len(), 1, "{found:?}");
    let span = found[0].span;
    let place = text.get(span.start as usize..span.end as usize).unwrap_or("").to_owned();
    (found[0].code.0, place, found[0].help.join("; "))
}

#[test]
fn each_page_shows_what_really_happens() {
    for (code, title) in ALL_CODES {
        let path = format!("{}/../../docs/diagnostics/{code}.md", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(&path).expect("a page for each code");
        assert!(page.starts_with(&format!("# {code}: {title}\n")), "{code}");
        let mut blocks = page.split("```\n").skip(1).step_by(2);
        let (text, message) =
            (blocks.next().expect("an example"), blocks.next().expect("a message"));
        let found = match load(text, Options::default()) {
            Err(found) => found,
            Ok(system) => {
                let space = explore(&system, 1000);
                assert!(!space.faults.is_empty(), "{code}");
                let broken = |state: &Vec<u32>| system.problem(state);
                find_problem(&system, broken)
            }
        };
        let shown: Vec<_> = found.iter().map(|it| it.render("spec.mcrl", text)).collect();
        for line in message.lines() {
            assert!(shown.iter().any(|it| it.contains(line)), "{code}: {line}\n{shown:?}");
        }
        assert!(found.iter().all(|it| it.code == *code), "{code}: {found:?}");
    }
}

fn find_problem(
    system: &foresee_algebra::Algebra,
    broken: impl Fn(&Vec<u32>) -> Option<Diagnostic>,
) -> Vec<Diagnostic> {
    use foresee_lts::System;
    let mut states = system.initial();
    let mut at = 0;
    while at < states.len() {
        if let Some(problem) = broken(&states[at]) {
            return vec![problem];
        }
        let mut actions = Vec::new();
        system.enabled(&states[at], &mut actions);
        for action in actions {
            let next = system.step(&states[at], action);
            if !states.contains(&next) {
                states.push(next);
            }
        }
        at += 1;
    }
    Vec::new()
}

#[test]
fn several_mistakes_are_all_reported() {
    let text = "act a b\nproc P = a..b\n  Q = a + + b\n  R = (a\ncomm a | = b\ninit P";
    let found = parse(text).diagnostics;
    let lines = foresee_algebra::Lines::new(text);
    let places: Vec<_> = found.iter().map(|it| lines.line_column(text, it.span.start)).collect();
    assert_eq!(places, [(2, 12), (3, 11), (5, 1), (5, 10)]);
    let text = "sort D func d: -> E\nact a: G\nproc P = b.P\ninit Q";
    let found = problems(text);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.iter().all(|it| it.code.0 == "E0502"));
}

#[test]
fn names_that_are_near_are_suggested() {
    let head = "sort Data func d1, d2: -> Data map invert: Data -> Data act send: Data ";
    let (code, place, help) = problem(&format!("{head} init send(invret(d1))"));
    assert_eq!(
        (code, place.as_str(), help.as_str()),
        ("E0502", "invret(d1)", "did you mean `invert`?")
    );
    let (code, place, help) = problem(&format!("{head} init send(d3)"));
    assert_eq!((code, place.as_str()), ("E0508", "d3"));
    assert!(help.contains("`d1`"), "{help}");
    let (code, place, help) = problem(&format!("{head} init encap({{sent}}, send(d1))"));
    assert_eq!((code, place.as_str(), help.as_str()), ("E0502", "sent", "did you mean `send`?"));
}

#[test]
fn operators_without_an_order_need_parentheses() {
    let (code, place, help) = problem("act a init a || a | a");
    assert_eq!((code, place.as_str()), ("E0501", "|"));
    assert!(help.contains("parentheses"));
}

#[test]
fn rules_are_checked() {
    let head = "sort D func d: -> D map f, g: D -> D var x, y: D ";
    assert_eq!(problem(&format!("{head} rew f(x) = y init delta")).0, "E0508");
    assert_eq!(problem(&format!("{head} rew x = f(x) init delta")).0, "E0505");
    assert_eq!(problem(&format!("{head} rew f(x) = g(f(x)) init delta")).0, "E0506");
    assert_eq!(problem(&format!("{head} rew f(d, x) = x init delta")).0, "E0503");
}

#[test]
fn rewriting_without_end_names_the_rule_when_it_happens() {
    let text = "sort N func 0: -> N s: N -> N map f, g: N -> N var x: N\nrew f(x) = g(s(x))\n g(x) = f(s(x))\nact a: N proc P = a(0).a(f(0)) init P";
    let options = Options { rewrite_budget: 10_000, ..Options::default() };
    let system = load(text, options).expect("nothing wrong with the text");
    let space = explore(&system, 100);
    assert_eq!(space.size(), (3, 2));
    assert_eq!(space.faults.len(), 1);
    let fault = &space.faults[0];
    assert!(
        fault.contains("E0506") && (fault.contains("line 2") || fault.contains("line 3")),
        "{fault}"
    );
    let deep = "sort N func 0: -> N s: N -> N map f: N -> N var x: N rew f(0) = 0 f(s(x)) = f(x) ";
    let n = |n: usize| format!("{}0{}", "s(".repeat(n), ")".repeat(n));
    support::space(&format!("{deep} act a: N init a(f({}))", n(150)));
}

#[test]
fn a_choosing_function_waits() {
    // `down` ends only because `if` does not evaluate the branch it does not take.
    let text = "sort N func 0: -> N s: N -> N map pred, down: N -> N eq: N # N -> Bool if: Bool # N # N -> N
        var x, y: N rew pred(0) = 0 pred(s(x)) = x if(T, x, y) = x if(F, x, y) = y
        down(x) = if(eq(x, 0), 0, down(pred(x)))
        act a: N init a(down(s(s(s(0)))))";
    assert_eq!(support::space(text).labels().into_iter().collect::<Vec<_>>(), ["a(0)"]);
}

#[test]
fn recursion_is_guarded_through_other_processes() {
    let (code, place, help) = problem("act a proc P = Q + a Q = (R || a) R = P.a init a.P");
    assert_eq!((code, place.as_str()), ("E0504", "Q"));
    assert!(help.contains("P -> Q -> R -> P"), "{help}");
    assert!(problems("act a proc P = a.P + (a || a).P init P").is_empty());
}

#[test]
fn communication_is_a_commutative_associative_function() {
    assert_eq!(problem("act a, b, c comm a | b = c b | a = c init delta_").0, "E0502");
    assert!(problems("act a, b, c comm a | b = c b | a = c init a").is_empty());
    assert_eq!(problem("act a, b, c, d comm a | b = c b | a = d init a").0, "E0509");
    assert_eq!(problem("act a, b, c, d, e comm a | b = c c | d = e init a").0, "E0509");
    assert_eq!(problem("sort D func d: -> D act a: D b c comm a | b = c init b").0, "E0509");
}

#[test]
fn infinite_sums_are_found_when_loading_or_when_they_happen() {
    let nat = "sort Nat func 0: -> Nat s: Nat -> Nat act a, b, c: Nat comm a | b = c ";
    let (code, place, _) = problem(&format!("{nat} init a(0).sum(n: Nat, b(n))"));
    assert_eq!((code, place.as_str()), ("E0507", "sum(n: Nat, b(n))"));
    // Neither partner knows the value.
    let text = format!("{nat} init encap({{a, b}}, sum(n: Nat, a(n)) || sum(m: Nat, b(m)))");
    let space = explore(&support::system(&text), 10);
    assert_eq!(space.labels().into_iter().collect::<Vec<_>>(), ["stuck(E0507)"]);
    assert!(
        space.faults[0].contains("`m`") && space.faults[0].contains("`Nat`"),
        "{}",
        space.faults[0]
    );
    // A condition that lets infinitely many through.
    let even =
        "map even: Nat -> Bool var n: Nat rew even(0) = T even(s(0)) = F even(s(s(n))) = even(n) ";
    let text = format!("{nat}{even} init sum(n: Nat, a(n) <| even(n) |> delta)");
    let options = Options { sum_budget: 100, ..Options::default() };
    let system = load(&text, options).expect("no problem yet");
    assert!(explore(&system, 10).faults[0].contains("E0507"));
}

#[test]
fn nesting_has_a_limit_and_nothing_panics() {
    let deep = format!("act a init {}a{}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(problems(&deep)[0].code.0, "E0501");
    // Long is not deep.
    let choice = vec!["a"; 3000].join(" + ");
    let sequence = vec!["a"; 3000].join(".");
    let space = support::space(&format!("act a, b proc P = {choice} init P.{sequence}"));
    assert_eq!(space.size(), (3002, 3001));
    let text = support::spec("locker_crash");
    // Any prefix of a text gives messages, never a panic.
    for end in (0..text.len()).step_by(31).filter(|end| text.is_char_boundary(*end)) {
        let _ = load(&text[..end], Options::default());
    }
}

/// Chains and nestings of every kind end in a diagnostic or in a system, on the stack that a program's main thread has.
#[test]
fn nothing_is_too_deep_for_a_diagnostic() {
    on_the_stack_of_a_main_thread(chains_and_nestings);
}

/// A test's own thread has a quarter of it.
fn on_the_stack_of_a_main_thread(test: fn()) {
    let main = std::thread::Builder::new().stack_size(8 << 20);
    main.spawn(test).expect("a thread").join().expect("no panic");
}

fn chains_and_nestings() {
    for n in [150, 3_000, 100_000] {
        let times = |part: &str| part.repeat(n);
        let around = |open: &str, inside: &str, close: &str| {
            format!("{}{inside}{}", open.repeat(n), close.repeat(n))
        };
        let processes = [
            format!("a{}", times(" + a")),
            format!("a{}", times(".a")),
            format!("a{}", times(" <| T |> a")),
            around("(", "a", ")"),
            around("hide({a}, ", "a", ")"),
            around("encap({b}, ", "a", ")"),
            around("rename({a -> b}, ", "a", ")"),
            around("sum(x: D, ", "a", ")"),
            format!("d({})", around("f(", "0", ")")),
            format!("a.delta <| {} |> delta", around("not(", "T", ")")),
            times("("),
            times("hide({a},"),
            times("a(\n"),
            times("a <| T |>"),
        ];
        for process in processes {
            let declared =
                "sort D N func 0: -> N f: N -> N map not: Bool -> Bool rew not(T) = F not(F) = T";
            let text = format!("{declared} act a b d: N\nproc P = {process}\ninit P\n");
            let parsed = foresee_algebra::parse(&text);
            let _ = parsed.clone();
            if let Ok(system) = foresee_algebra::load(&text, Default::default()) {
                let mut actions = Vec::new();
                system.enabled(&system.initial()[0], &mut actions);
                for action in actions {
                    let _ = system.step(&system.initial()[0], action);
                }
                let _ = parsed.specification.to_mucrl();
                let _ = parsed.specification.to_mcrl2();
            }
        }
        let wide = format!("act a proc P = a init P{}\n", times(" || P"));
        let _ = foresee_algebra::load(&wide, Default::default());
        let lines = format!("act a proc P = a\n{}", times("Q(\n"));
        assert!(!foresee_algebra::parse(&lines).diagnostics.is_empty());
        let rules = format!("map g: Bool -> Bool rew g({}) = T init delta", around("g(", "T", ")"));
        let _ = foresee_algebra::load(&rules, Default::default());
    }
}

#[test]
fn too_many_processes_within_one_component_are_told_at_once() {
    on_the_stack_of_a_main_thread(too_many_processes);
}

fn too_many_processes() {
    let labels = |n: usize| {
        let side_by_side = vec!["P"; n].join(" || ");
        let text = format!("act a, b proc P = a.P init b + hide({{b}}, {side_by_side})");
        let explored = explore(&support::system(&text), 100);
        explored.labels().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(labels(20), ["a", "b"]);
    assert_eq!(labels(2_000), ["stuck(E0513)"]);
}

/// The rules of a section share its variables; another section may use their names again.
#[test]
fn a_variable_is_declared_once_in_its_section() {
    let text = |variables: &str| {
        format!(
            "sort D func a, b: -> D map f: D -> D\nvar {variables} rew f(x) = x\nvar x: D rew f(a) = a\nact go\ninit go\n"
        )
    };
    assert!(problems(&text("x, y: D")).is_empty());
    for variables in ["x, x: D", "x: D x: D"] {
        let (code, place, _) = problem(&text(variables));
        assert_eq!((code, place.as_str()), ("E0510", "x"));
    }
}
