//! The stage, driven as a debugger drives it: list what can happen, do it, branch, come back, look ahead, look back.
//! Every kind of system goes through the same motions; what is special to one has a test of its own.

use foresee_lts::{PropertyKind, State, System};
use foresee_session::{
    CheckRequest, Comparison, Condition, Limits, Loaded, NoFiles, NoMeter, Prospect, Registry,
    Silent, Source, Stage, StateView, Trace, Tree, check, open,
};
use std::collections::{BTreeMap, BTreeSet};

fn nodes(name: &str, parameters: &[&str]) -> Loaded {
    open(&Source::nodes(name, parameters), &Registry::stock(), &NoFiles).expect("a system")
}

fn forgetful() -> Loaded {
    nodes("paxos", &["clients=2", "bug=forgetful"])
}

/// The run that a check reports.
fn violating_run(loaded: &Loaded) -> Trace {
    let report = check(loaded, &CheckRequest::default(), &NoMeter, &mut Silent);
    report.violations[0].run.clone().expect("a run")
}

fn limits() -> Limits {
    Limits { states_max: Some(200_000), ..Limits::none() }
}

/// The text of a part of a member.
fn field(stage: &mut Stage, state: &StateView, member: &str, path: &[&str]) -> String {
    let member = state.members.iter().find(|it| it.name == member).expect("a member");
    let mut tree = stage.part(member.state).expect("a part").clone();
    for word in path {
        let Tree::Record { fields, .. } = tree else { panic!("no record before {word}") };
        tree = fields.into_iter().find(|(name, _)| name == word).expect("a field").1;
    }
    tree.one_line()
}

#[test]
fn a_violating_run_is_followed_row_by_row() {
    let loaded = forgetful();
    let trace = violating_run(&loaded);
    let mut stage = Stage::open(&loaded);
    let followed = stage.follow(0, &trace);
    assert_eq!((followed.places.len(), &followed.stopped), (17, &None));
    let last = *followed.places.last().expect("places");
    assert_eq!(stage.path(last).len(), 18);
    let rows: Vec<_> = stage.path(last).iter().map(|at| stage.row(*at).expect("a row")).collect();
    assert!(rows[0].label.is_none() && rows[0].findings.is_empty());
    for (row, event) in rows[1..].iter().zip(&trace.events) {
        let label = row.label.as_ref().expect("a label");
        assert_eq!(label.text, event.label.to_string());
        let sent_at = row.sent_at.expect("every message was sent");
        assert!(sent_at < row.place, "{row:?}");
        let (sender, from) = (&rows[sent_at as usize], label.from.clone());
        let is_of_sender = sender.label.as_ref().is_none_or(|it| it.to == from);
        assert!(is_of_sender, "{label:?} was sent at {sender:?}");
    }
    let wrong: Vec<_> = rows.iter().filter(|row| !row.findings.is_empty()).collect();
    assert_eq!(wrong.len(), 1);
    assert_eq!((wrong[0].step, &*wrong[0].findings[0].name), (17, "invariant linearizable"));
    assert_eq!(wrong[0].findings[0].property, Some(0));
}

#[test]
fn the_decisive_step_is_the_first_after_which_every_run_violates() {
    let loaded = forgetful();
    let trace = violating_run(&loaded);
    let mut stage = Stage::open(&loaded);
    let last = *stage.follow(0, &trace).places.last().expect("places");
    let path = stage.path(last);
    let decisive = stage.decisive(&path, &limits(), &NoMeter).expect("an answer");
    let step = decisive.map(|place| stage.row(place).expect("a row").step);
    assert_eq!(step, Some(11));
    let cut = Limits { states_max: Some(50), ..Limits::none() };
    let mut other = Stage::open(&loaded);
    other.follow(0, &trace);
    assert_eq!(other.decisive(&path[..8], &cut, &NoMeter), Ok(None), "not known");
}

#[test]
fn the_outlook_from_the_start_is_complete_and_fast() {
    let loaded = forgetful();
    let mut stage = Stage::open(&loaded);
    let outlook = stage.outlook(0, &limits(), &NoMeter).expect("an outlook");
    assert!(outlook.complete && outlook.here == Prospect::Some, "{outlook:?}");
    assert_eq!(outlook.shortest, Some(17));
    let fenced = nodes("paxos", &["clients=2"]);
    let outlook = Stage::open(&fenced).outlook(0, &limits(), &NoMeter).expect("an outlook");
    assert!(outlook.complete && outlook.here == Prospect::None && outlook.states == 16_668);
    assert!(outlook.choices.iter().all(|it| it.verdict == Prospect::None));
    let cut = Limits { states_max: Some(1_000), ..Limits::none() };
    let outlook = Stage::open(&fenced).outlook(0, &cut, &NoMeter).expect("an outlook");
    assert!(!outlook.complete && outlook.here == Prospect::Unknown);
}

/// Which of the runs from a state go wrong, by a search of its own: every state that can follow is found, then those are
/// dropped from which no run ends well, and those kept from which one goes wrong.
fn found_separately(loaded: &Loaded, start: &State) -> Prospect {
    let properties = loaded.properties();
    let invariants = || properties.iter().filter(|it| it.kind == PropertyKind::Invariant);
    let is_wrong = |state: &State| {
        loaded.fault(state).is_some() || invariants().any(|it| !it.predicate.holds(state))
    };
    let mut next: BTreeMap<State, Vec<State>> = BTreeMap::new();
    let mut open = vec![start.clone()];
    while let Some(state) = open.pop() {
        if next.contains_key(&state) {
            continue;
        }
        let mut actions = Vec::new();
        if !is_wrong(&state) {
            loaded.enabled(&state, &mut actions);
        }
        let after: Vec<State> = actions.iter().map(|it| loaded.step(&state, *it)).collect();
        open.extend(after.iter().cloned());
        next.insert(state, after);
    }
    let mut goes_well: BTreeSet<&State> = next.keys().filter(|it| !is_wrong(it)).collect();
    let mut goes_wrong: BTreeSet<&State> = next.keys().filter(|it| is_wrong(it)).collect();
    loop {
        let before = (goes_well.len(), goes_wrong.len());
        let ends_well = |it: &&State| {
            next[*it].is_empty() || next[*it].iter().any(|after| goes_well.contains(after))
        };
        goes_well = goes_well.iter().copied().filter(ends_well).collect();
        for (state, after) in &next {
            if after.iter().any(|it| goes_wrong.contains(it)) {
                goes_wrong.insert(state);
            }
        }
        if before == (goes_well.len(), goes_wrong.len()) {
            break;
        }
    }
    match (goes_well.contains(start), goes_wrong.contains(start)) {
        (true, true) => Prospect::Some,
        (true, false) => Prospect::None,
        (false, _) => Prospect::All,
    }
}

#[test]
fn the_outlook_of_every_choice_equals_a_separate_search() {
    let loaded = forgetful();
    let trace = violating_run(&loaded);
    let mut stage = Stage::open(&loaded);
    assert!(stage.info().restrictions.is_empty(), "everything is followed");
    let places = stage.follow(0, &trace).places;
    let mut seen = BTreeMap::new();
    for step in [0, 6, 9, 10, 11, 12, 14, 16] {
        let place = if step == 0 { 0 } else { places[step - 1] };
        let outlook = stage.outlook(place, &limits(), &NoMeter).expect("an outlook");
        assert!(outlook.complete, "step {step}");
        let path = trace_states(&loaded, &trace, step);
        let mut actions = Vec::new();
        loaded.enabled(&path, &mut actions);
        assert_eq!(outlook.choices.len(), actions.len());
        for (choice, action) in outlook.choices.iter().zip(actions) {
            let verdict = found_separately(&loaded, &loaded.step(&path, action));
            assert_eq!(choice.verdict, verdict, "step {step}, choice {}", choice.choice);
            *seen.entry(format!("{verdict:?}")).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.keys().map(String::as_str).collect::<Vec<_>>(), ["All", "None", "Some"]);
}

/// The state after so many steps of a trace.
fn trace_states(loaded: &Loaded, trace: &Trace, steps: usize) -> State {
    trace.events[..steps].iter().fold(loaded.initial().remove(0), |state, event| {
        let mut actions = Vec::new();
        loaded.enabled(&state, &mut actions);
        let mut same = actions.into_iter().filter(|it| loaded.label(&state, *it) == event.label);
        loaded.step(&state, same.nth(event.choice).expect("it can happen"))
    })
}

#[test]
fn what_a_step_changes_is_told_part_by_part() {
    let loaded = forgetful();
    let mut stage = Stage::open(&loaded);
    let places = stage.follow(0, &violating_run(&loaded)).places;
    let back = places.iter().zip(&places[1..]).find_map(|(before, after)| {
        let changes = stage.changes(*before, *after).expect("changes");
        let round = |tree: &Option<Tree>| tree.as_ref().map(Tree::one_line);
        let is_round = |path: &[String]| path == ["ballot", "round"];
        let change = changes.into_iter().find(|it| is_round(&it.path))?;
        let falls = round(&change.before) > round(&change.after);
        falls.then_some((*after, change))
    });
    let (place, change) = back.expect("a server forgets its promise");
    let state = stage.state(place).expect("a state");
    let member = state.members.iter().find(|it| Some(it.member) == change.member);
    let name = member.expect("the one that changed").name.clone();
    let now = change.after.expect("still there").one_line();
    assert_eq!(field(&mut stage, &state, &name, &["ballot", "round"]), now);
}

#[test]
fn run_until_is_shortest_and_obeys_its_limits() {
    let loaded = forgetful();
    let mut stage = Stage::open(&loaded);
    let condition = Condition::Field {
        member: "server3".to_owned(),
        path: vec!["ballot".to_owned(), "round".to_owned()],
        is: Comparison::Equal,
        value: "2".to_owned(),
    };
    let few = Limits { states_max: Some(10), ..Limits::none() };
    let until = stage.run_until(0, &condition, &few, &NoMeter, &mut Silent).expect("an answer");
    assert_eq!((until.place, until.stopped_by.map(|it| it.word())), (None, Some("states")));
    assert_eq!(stage.here(), 0, "nothing moved");
    let until =
        stage.run_until(0, &condition, &limits(), &NoMeter, &mut Silent).expect("an answer");
    let place = until.place.expect("a place");
    let rounds: Vec<String> = stage
        .path(place)
        .iter()
        .map(|at| {
            let state = stage.state(*at).expect("a state");
            field(&mut stage, &state, "server3", &["ballot", "round"])
        })
        .collect();
    assert_eq!(rounds.iter().position(|it| it == "2"), Some(rounds.len() - 1), "{rounds:?}");
    let wrong = Condition::Finding;
    let until = stage.run_until(0, &wrong, &limits(), &NoMeter, &mut Silent).expect("an answer");
    assert_eq!(stage.row(until.place.expect("a place")).expect("a row").step, 17);
    let nobody = Condition::Field {
        member: "sever3".to_owned(),
        path: Vec::new(),
        is: Comparison::Equal,
        value: String::new(),
    };
    let refused =
        stage.run_until(0, &nobody, &limits(), &NoMeter, &mut Silent).expect_err("nobody");
    assert_eq!(refused.code, "no-such-member");
    assert!(refused.help.expect("help").contains("server3"));
}
