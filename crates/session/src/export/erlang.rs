//! A run of an Erlang program as an EUnit test that forces its schedule.

use super::{AS_DATA, Exported};
use crate::Diagnostic;
use crate::erlang::ErlangProgram;
use foresee_lts::{Label, Verb, ViolationKind};
use foresee_trace::{ErlangStep, ErlangTest, Finding, StoryStep, lives, outcome_words};

/// What a real Erlang cannot be made to do.
fn require_erlang_schedule(run: &Exported<'_>, program: &ErlangProgram) -> Result<(), Diagnostic> {
    let trace = run.trace;
    let halts = |finding: &Finding| finding.kind == ViolationKind::AbnormalHalt;
    let has = |verb: Verb| trace.events.iter().any(|event| event.label.verb == verb);
    let texts = &program.texts;
    let message = if trace.violation.as_ref().is_some_and(halts) {
        "this run stops the whole Erlang system, and a test of it would stop the tests"
    } else if has(Verb::Crash) {
        "processes crash in this run, and a test cannot make them crash at the same place"
    } else if texts.options.instant_delivery == Some(false) {
        "in this run deliveries are events of their own, and a test cannot hold a message back on its way"
    } else if texts.source.supervisor.is_some() {
        "this run starts from a supervision tree, and the first process of a test would end and take the tree with it"
    } else {
        return Ok(());
    };
    Err(run.cannot(message, AS_DATA))
}

/// What the test's own runtime calls the kind of operation that an event is.
fn kind_of(label: &Label) -> &'static str {
    match (label.verb, label.about.operation) {
        (Verb::Spawn, Some(("erlang", _))) => "spawn",
        (Verb::Send, _) => "send",
        (_, Some((module @ ("ets" | "gen"), _))) => module,
        (_, Some((_, name))) => name,
        (verb, None) => verb.word(),
    }
}

/// A test that forces the schedule of the run as far as the program's own text goes.
pub(super) fn erlang_test_of(run: &Exported<'_>) -> Result<ErlangTest, Diagnostic> {
    let Exported { file, replayed, .. } = run;
    let front = replayed.loaded.front();
    let program = front.as_erlang().expect("only Erlang programs take this export");
    require_erlang_schedule(run, program)?;
    let texts = &program.texts;
    let name = file.rsplit('/').next().and_then(|name| name.strip_suffix(".erl"));
    let path = |parse: &foresee_erlang_syntax::Parse| {
        parse.sources.files().first().map(|source| source.path.to_string())
    };
    let story = replayed.story_at_any_length();
    let lives = lives(&story);
    let step = |step: &StoryStep| ErlangStep {
        process: step.label.to.clone().unwrap_or_default(),
        what: step.label.payload.clone(),
        kind: kind_of(&step.label).to_owned(),
        place: step.place().map(|(file, line)| (file.to_owned(), line)),
        outcome: outcome_words(&step.told, 60),
        is_held: program.is_in_text(&step.label),
    };
    Ok(ErlangTest {
        name: name.unwrap_or_default().to_owned(),
        entry: (texts.module.clone(), texts.function.clone()),
        sources: texts.parses.iter().filter_map(path).collect(),
        includes: texts.source.includes.clone(),
        defines: texts.source.defines.clone(),
        steps: story.steps.iter().map(step).collect(),
        violation: replayed.report.violations.first().map(|found| Finding {
            kind: found.kind,
            property: None,
            message: found.message.clone(),
        }),
        stuck: lives.into_iter().filter(|life| life.is_waiting).map(|life| life.name).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::About;

    #[test]
    fn operations_have_the_kinds_that_the_runtime_of_a_test_knows() {
        let label = |verb, operation| {
            let about = About { operation, ..About::default() };
            Label::of_actor(verb, "<P>", "").about(about)
        };
        let cases = [
            (Verb::Receive, None, "receive"),
            (Verb::Timeout, None, "timeout"),
            (Verb::Send, Some(("erlang", "!")), "send"),
            (Verb::Spawn, Some(("erlang", "spawn_link")), "spawn"),
            (Verb::Spawn, Some(("gen", "foresee_spawn")), "gen"),
            (Verb::Call, Some(("gen", "foresee_request")), "gen"),
            (Verb::Step, Some(("ets", "insert")), "ets"),
            (Verb::Step, Some(("erlang", "register")), "register"),
            (Verb::Step, Some(("persistent_term", "put")), "put"),
        ];
        for (verb, operation, kind) in cases {
            assert_eq!(kind_of(&label(verb, operation)), kind, "{operation:?}");
        }
    }
}
