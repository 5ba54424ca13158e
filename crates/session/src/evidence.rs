//! From a violation to evidence: the run replayed on a fresh instance, shortened, told in causal order, and replayed again.
//! Why a fresh instance: the search remembers what handlers did. A handler that answers differently the second time would
//! go unnoticed in the instance that has its first answer in a table.

use crate::checked_code::{marked, marked_property};
use crate::crashes::crashes_only_of;
use crate::deciding::{missed, races};
use crate::explained::{elaborated, explain};
use crate::{CheckRequest, Code, Details, Diagnostic, Engine, Feature, Found, Kind, Loaded};
use foresee_lts::{StoppedBy, System, Violation, ViolationKind};
use foresee_stdx::halt;
use foresee_trace::{
    Allow, Finding, Judge, MinimiseConfig, Outcome, Replay, Run, SpaceTime, Story, Trace,
    causal_order_with, lives, minimise, more_words, outcome_words, replay_with,
};
use std::sync::Arc;

/// A run of more steps times parts of a state is not told with what changes in each step: that would take gigabytes, and
/// nobody would read it.
pub(crate) const STORY_PARTS_MAX: usize = 500_000;

pub(crate) enum Evidence {
    Confirmed(Box<Found>),
    /// The same events led somewhere else.
    Diverged {
        found: Box<Found>,
        diagnostic: Diagnostic,
    },
}

/// A violation's run, shown once more on a fresh instance.
pub(crate) struct Shown {
    pub(crate) fresh: Loaded,
    pub(crate) replay: Replay,
}

/// Replays a trace of a violation on a fresh instance of a system.
pub(crate) fn show_again(
    loaded: &Loaded,
    request: &CheckRequest,
    trace: &Trace,
) -> Result<Shown, Diagnostic> {
    let fresh = loaded.fresh()?;
    let judge = judge(&fresh, request)?;
    let replay = replay_with(&fresh, trace, &judge);
    Ok(Shown { fresh, replay })
}

impl Shown {
    /// Every event could happen again, and what was wrong is wrong there too.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.replay.is_confirmed() && self.replay.is_complete()
    }
}

/// The evidence for a violation; `shown` if its run has been confirmed on a fresh instance, to which its path belongs then.
pub(crate) fn evidence(
    loaded: &Loaded,
    request: &CheckRequest,
    strategy: &str,
    violation: &Violation,
    shown: Option<Shown>,
) -> Result<Evidence, Diagnostic> {
    // That it happens is shown in any case; how it is told best, within the limits.
    let undisturbed = halt::undisturbed();
    let shown = match shown {
        Some(shown) => shown,
        None => {
            let seen = Run::of(loaded, &violation.path);
            let trace = Trace::labelled(&seen).with_violation(Finding::from(violation));
            let shown = show_again(loaded, request, &trace)?;
            if !shown.is_confirmed() {
                let trace = trace.with_notes(seen.story());
                return Ok(diverged(loaded, request, strategy, violation, trace, &shown.replay));
            }
            shown
        }
    };
    let Shown { fresh, replay } = shown;
    let judge = judge(&fresh, request)?;
    let finding = Finding::from(violation);
    let (mut path, mut states) = (replay.path, replay.states);
    let steps_found = path.actions.len();
    drop(undisturbed);
    let mut cut = Vec::new();
    if request.minimise {
        let oracle = judge.oracle(&fresh, &finding);
        let config =
            MinimiseConfig { allow: Some(allow(&fresh, request)?), ..MinimiseConfig::default() };
        let mut is_cut = false;
        match halt::until_halted(|| minimise(&fresh, &path, &oracle, &config)) {
            Ok(shorter) => (path, states) = (shorter.path, shorter.states),
            Err(_) => is_cut = true,
        }
        let told = || causal_order_with(&fresh, &path, &oracle, config.allow.clone());
        match halt::until_halted(told) {
            Ok(told) => (path, states) = (told.path, told.states),
            Err(_) => is_cut = true,
        }
        if is_cut {
            cut.push("shortening the run and putting causes next to effects");
        }
    }
    let undisturbed = halt::undisturbed();
    let run = Run::with_states(&fresh, path, states);
    let message = judge.shows(&fresh, run.last(), &finding);
    let message = message.unwrap_or(finding.message).trim_end().to_owned();
    drop(undisturbed);
    let n_steps = run.path().actions.len();
    let is_long = n_steps.saturating_mul(run.last().len()) > STORY_PARTS_MAX;
    let story = match is_long {
        true => None,
        false => halt::until_halted(|| told(&fresh, run.story().clone())).ok(),
    };
    let undisturbed = halt::undisturbed();
    let message = match &story {
        Some(story) => elaborated(message, finding.kind, &fresh, run.last(), story),
        None => message,
    };
    let finding = Finding { message, ..finding };
    let trace = Trace::labelled(&run);
    let trace = if story.is_some() { trace.with_notes(run.story()) } else { trace };
    let trace = annotated(trace, loaded, request, strategy).with_violation(finding);

    let again = loaded.fresh()?;
    let replay = replay_with(&again, &trace, &self::judge(&again, request)?);
    if !(replay.is_confirmed() && replay.is_complete()) {
        return Ok(diverged(loaded, request, strategy, violation, trace, &replay));
    }
    let trace = story.iter().fold(trace, |trace, story| noted(&fresh, trace, story));
    let mut found = found(trace, story, steps_found);
    drop(undisturbed);
    let details = |story: &Story| details(&fresh, &run, story, true);
    match halt::until_halted(|| found.story.as_ref().map(details)) {
        Ok(Some(details)) => found.details = details,
        Ok(None) => cut.push("the story of the run"),
        Err(_) => cut.push("what raced in the run, and its picture"),
    }
    let undisturbed = halt::undisturbed();
    found.details.tips = fresh.front().tips_about(found.kind, &run);
    found.details.has_early_timeout = fresh.front().has_early_timeout(&run);
    drop(undisturbed);
    let why = match halt::struck() {
        Some(cause) => format!("a limit was reached ({})", StoppedBy::from(cause).word()),
        None => format!("it has {n_steps} steps in states of {} parts", run.last().len()),
    };
    found.details.cut =
        (!cut.is_empty()).then(|| format!("left out, for {why}: {}", cut.join("; ")));
    Ok(Evidence::Confirmed(Box::new(found)))
}

/// What a run shows beyond its story: who sent what when, what raced, and each member's part with what it waits for at the end.
pub(crate) fn details(loaded: &Loaded, run: &Run<'_>, story: &Story, with_races: bool) -> Details {
    let lives = lives(story);
    let diagram = Some(SpaceTime::of_story(run, story));
    // Whether a run ends well can be said only of systems that end.
    let front = loaded.front();
    let races = match with_races && loaded.supports(Feature::Engine(Engine::Stateless)) {
        true => races(run, front.looks_for_deadlocks()),
        false => Vec::new(),
    };
    let is_decided = races.iter().any(|race| race.decides);
    let missed = match with_races && front.looks_for_deadlocks() && !is_decided {
        true => missed(run),
        false => None,
    };
    let mut details = Details { diagram, races, missed, lives, ..Details::default() };
    explain(&mut details, loaded, run.last(), story);
    details
}

/// The story without what the front end does not find worth telling.
pub(crate) fn told(loaded: &Loaded, mut story: Story) -> Story {
    let front = loaded.front();
    for step in &mut story.steps {
        step.changes.retain(|change| front.is_worth_telling(change));
    }
    story
}

/// The same for a trace's notes.
pub(crate) fn noted(loaded: &Loaded, mut trace: Trace, story: &Story) -> Trace {
    if loaded.kind() == Kind::Erlang {
        for (event, step) in trace.events.iter_mut().zip(&story.steps) {
            let outcome = outcome_words(&step.told, 60).into_iter();
            let more = more_words(&step.told, 60, false, None);
            let changes = step.changes.iter().map(|it| it.one_line(60));
            let lines: Vec<String> = outcome.chain(more).chain(changes).collect();
            event.note = (!lines.is_empty()).then(|| lines.join("\n"));
        }
    }
    trace
}

/// Judges by the properties that the check looks at.
fn judge(loaded: &Loaded, request: &CheckRequest) -> Result<Judge, Diagnostic> {
    let properties = loaded.chosen_properties(&request.invariants)?;
    let properties = properties.into_iter().map(marked_property).collect();
    let allow = allow(loaded, request)?;
    Ok(Judge::of(loaded).with_properties(properties).with_allow(Some(allow)))
}

/// What the search itself may do: it does not go on from pruned states, and only some nodes may crash.
fn allow(loaded: &Loaded, request: &CheckRequest) -> Result<Allow, Diagnostic> {
    let prunes: Vec<_> = loaded.prunes().into_iter().map(marked).collect();
    let crashes = crashes_only_of(loaded, &request.crash)?;
    Ok(Arc::new(move |state, action| {
        !prunes.iter().any(|prune| prune.holds(state))
            && crashes.as_ref().is_none_or(|allow| allow(state, action))
    }))
}

/// A run that cannot be judged again, just as the search saw it.
pub(crate) fn as_seen(
    loaded: &Loaded,
    request: &CheckRequest,
    strategy: &str,
    violation: &Violation,
) -> Found {
    let run = Run::of(loaded, &violation.path);
    let trace = Trace::labelled(&run).with_notes(run.story());
    let trace = trace.with_violation(Finding::from(violation));
    let trace = annotated(trace, loaded, request, strategy);
    let story = told(loaded, run.story().clone());
    found(trace, Some(story), violation.path.actions.len())
}

/// The trace with what is needed to build the system again, and how it was found.
fn annotated(trace: Trace, loaded: &Loaded, request: &CheckRequest, strategy: &str) -> Trace {
    let trace = trace.with_seed(request.seed).with_option("strategy", strategy);
    let crash = loaded.front().nodes_to_crash(&request.crash).iter();
    crash.fold(loaded.named_in(trace), |trace, node| trace.with_option("crash", node))
}

fn found(trace: Trace, story: Option<Story>, steps_found: usize) -> Found {
    let finding = trace.violation.clone().expect("a trace of a violation");
    Found {
        kind: finding.kind,
        property: finding.property,
        message: finding.message,
        steps: trace.events.len(),
        interleaving: 0,
        trace: None,
        events: None,
        steps_found,
        run: Some(trace),
        story,
        visible: Vec::new(),
        details: Details::default(),
    }
}

fn diverged(
    loaded: &Loaded,
    request: &CheckRequest,
    strategy: &str,
    violation: &Violation,
    seen: Trace,
    replay: &Replay,
) -> Evidence {
    let what = Finding::from(violation).title();
    let other = match (&replay.stop, &replay.outcome) {
        (Some(stop), _) => format!("step {} (`{}`) could not happen there", stop.step, stop.label),
        (None, Outcome::Different { step, finding }) => {
            format!("after step {step} something else was wrong: {}", finding.title())
        }
        (None, outcome) => outcome.to_string(),
    };
    let message = format!(
        "the search found `{what}`, but on a fresh copy the same events did not show it: {other}"
    );
    let diagnostic = Diagnostic::new(Code::NondeterministicCode, message.clone())
        .at(loaded.name())
        .help("run again with --check-code to find the handler; look for HashMap iteration, clocks, random numbers, statics");
    let finding = Finding {
        kind: ViolationKind::Nondeterminism,
        property: violation.property.clone(),
        message,
    };
    let steps_found = seen.events.len();
    let trace = annotated(seen, loaded, request, strategy).with_violation(finding);
    Evidence::Diverged { found: Box::new(found(trace, None, steps_found)), diagnostic }
}

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::*;
    use crate::loaded::counted;
    use crate::{ErlangSource, NoMeter, Registry, Silent, check, open};
    use std::collections::BTreeMap;

    /// Once for its labels, twice on fresh instances, and once by the front end for what it tells beyond labels; the story once.
    /// Two other runs, which need the default timeout of a call and are held back, are looked at once each.
    #[test]
    fn a_violation_is_stepped_four_times_and_told_once() {
        let text = include_str!("../../../examples/bank.erl").to_owned();
        let files = BTreeMap::from([("bank.erl".to_owned(), text)]);
        let source = ErlangSource {
            files: vec!["bank.erl".to_owned()],
            function: Some("race_test".to_owned()),
            ..ErlangSource::default()
        };
        let loaded = open(&source.into(), &Registry::new(), &files).expect("a program");
        for minimise in [false, true] {
            let request = CheckRequest { minimise, ..CheckRequest::default() };
            let check = || check(&loaded, &request, &NoMeter, &mut Silent);
            let (report, counts) = counted::during(check);
            assert_eq!(report.violations.len(), 1);
            assert_eq!(counts.told, 1, "{counts:?}");
            // Shorter runs and other orders that are tried are steps of their own.
            assert!(minimise || counts.stepped == 4 + 2, "{counts:?}");
        }
    }
}
