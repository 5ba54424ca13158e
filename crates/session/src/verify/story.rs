//! From a solver's evidence to a run that a person can believe.
//! Before it is told, the run is replayed on a fresh instance, and where it is the whole reason for the verdict, the formula is
//! solved again there with nothing but the states of the run looked at. A replay of a saved trace does the same.

use super::{NamedFormula, PropertySource, VerifyRequest};
use crate::evidence::{details, noted, told};
use crate::{Code, Diagnostic, FormulaPart, Found, LabelOptions, Loaded};
use foresee_logic::formula::parse;
use foresee_logic::{Evidence, Formula, Notation, solve_within};
use foresee_lts::{Path, System, ViolationKind};
use foresee_trace::{Finding, Run, Trace, replay};
use std::collections::BTreeSet;

/// The run with its labels, confirmed.
pub(super) fn tell(
    loaded: &Loaded,
    request: &VerifyRequest,
    named: &NamedFormula,
    holds: bool,
    evidence: &Evidence,
) -> Result<Found, Box<Diagnostic>> {
    let message = message(named, holds, evidence);
    let finding = Finding {
        kind: ViolationKind::Property,
        property: Some(named.name.clone()),
        message: message.clone(),
    };
    let trace = Trace::labelled(&Run::of(loaded, &evidence.path));
    let trace = annotated(trace, loaded, request, named);
    let trace = if holds { trace } else { trace.with_violation(finding) };
    let fresh = loaded.fresh()?;
    let replayed = replay(&fresh, &trace);
    let is_confirmed = replayed.is_complete()
        && (!evidence.is_linear
            || decides(&fresh, &request.labels, &named.formula, &replayed.path)? == Some(holds));
    if !is_confirmed {
        return Err(Box::new(not_confirmed(loaded, named)));
    }
    let run = Run::with_states(&fresh, replayed.path, replayed.states);
    let story = told(&fresh, run.story().clone());
    let trace = noted(&fresh, trace.with_notes(run.story()), &story);
    // A reason that branches from the start on has no run to speak of.
    let is_run = evidence.is_linear || !trace.events.is_empty();
    let mut details = details(&fresh, &run, &story, false);
    let part = evidence.at.map(|span| (span.start as usize, span.end as usize));
    details.formula = Some(FormulaPart::new(named.text(), part));
    Ok(Found {
        kind: ViolationKind::Property,
        property: Some(named.name.clone()),
        message,
        steps: evidence.path.actions.len(),
        interleaving: 0,
        trace: None,
        events: None,
        steps_found: evidence.path.actions.len(),
        run: is_run.then_some(trace),
        details,
        story: is_run.then_some(story),
        visible: evidence.labels.clone(),
    })
}

/// What the states of a run alone decide about a formula, whatever the others do.
pub(crate) fn decides(
    loaded: &Loaded,
    labels: &LabelOptions,
    formula: &Formula,
    path: &Path,
) -> Result<Option<bool>, Diagnostic> {
    let states: BTreeSet<Vec<u32>> = path.states(loaded).into_iter().map(trimmed).collect();
    let within = |state: &[u32]| states.contains(&trimmed(state.to_vec()));
    let labels = labels.of(loaded);
    solve_within(loaded, &*labels, formula, &within)
        .map_err(|news| Diagnostic::new(Code::Internal, news.message))
}

/// A missing slot counts as 0.
fn trimmed(mut state: Vec<u32>) -> Vec<u32> {
    while state.last() == Some(&0) {
        state.pop();
    }
    state
}

/// The trace with what is needed to build the system and to read the formula again.
fn annotated(
    trace: Trace,
    loaded: &Loaded,
    request: &VerifyRequest,
    named: &NamedFormula,
) -> Trace {
    let trace = loaded.named_in(trace);
    // The source of an Erlang program has the kinds of labels that are shown.
    let is_said = |(key, value): &(&str, String)| {
        trace.options.iter().any(|(own, text)| own == key && text == value)
    };
    let labels: Vec<_> = request.labels.to_pairs().filter(|pair| !is_said(pair)).collect();
    let crash = loaded.front().nodes_to_crash(&request.crash).iter();
    let crash = crash.map(|node| ("crash", node.clone()));
    let all = crash.chain(labels).chain(named.to_pairs());
    all.fold(trace, |trace, (key, value)| trace.with_option(key, value))
}

/// Why, in words.
fn message(named: &NamedFormula, holds: bool, evidence: &Evidence) -> String {
    let is = if holds { "holds" } else { "does not hold" };
    let is_start = evidence.path.actions.is_empty();
    let part = decided_part(named, evidence);
    let is_run_itself = |part: &str| match holds {
        true => part.starts_with('<') && part.ends_with("true"),
        false => part.starts_with('[') && part.ends_with("false"),
    };
    let what = part.clone().unwrap_or_else(|| named.name.clone());
    match (evidence.is_linear, evidence.loops_to) {
        (true, None) if is_start => format!("`{what}` {is} at the start"),
        (true, None) if part.as_deref().is_some_and(is_run_itself) => {
            let does = if holds { "asks for" } else { "forbids" };
            format!("this is a run that `{what}` {does}")
        }
        (true, None) if part.is_none() => format!("this run is the reason that `{what}` {is}"),
        (true, None) => format!("`{what}` {is} at the end of this run"),
        (true, Some(step)) => {
            let back = match step {
                0 => "to the start".to_owned(),
                step => format!("to after step {step}"),
            };
            format!("the run goes on for ever, from its end back {back}: `{what}` {is}")
        }
        (false, _) if is_start => {
            format!("`{what}` {is}, for a reason that branches from the start on")
        }
        (false, _) => {
            format!("after this run `{what}` {is}, for a reason that branches from there on")
        }
    }
}

/// The part of the formula that is decided at the end of the run, if it can stand for itself; else the whole, unless that is in
/// a file, whose name says more.
fn decided_part(named: &NamedFormula, evidence: &Evidence) -> Option<String> {
    let stands_alone = |part: &&str| {
        let notations = [Notation::Paper, Notation::Mcf].into_iter();
        !part.is_empty() && notations.map(|it| parse(part, it)).any(|it| it.formula.is_some())
    };
    let part = evidence.at.map(|span| named.text.text(span).trim()).filter(stands_alone);
    let whole = match &named.source {
        PropertySource::File(_) => None,
        PropertySource::Formula(_) | PropertySource::Pattern(_) => Some(named.text()),
    };
    Some(part.or(whole)?.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn not_confirmed(loaded: &Loaded, named: &NamedFormula) -> Diagnostic {
    let message = format!(
        "the reason found for `{}` is none on a fresh copy of `{}`",
        named.name,
        loaded.name()
    );
    Diagnostic::new(Code::NondeterministicCode, message)
        .at(loaded.name())
        .help("check the system with --check-code to find what is not deterministic")
}
