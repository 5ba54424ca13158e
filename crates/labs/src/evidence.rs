//! From a failure to a trace: shortened, told in causal order, and replayed on a fresh copy of the world.
//! Why a fresh copy: a world remembers what handlers did. One that answers differently the second time would go unnoticed in the world
//! that has its first answer in a table.

use crate::{Arena, SetUp};
use foresee_lts::{Finding, Path, System, ViolationKind};
use foresee_nodes::BuildOptions;
use foresee_trace::{Judge, MinimiseConfig, Replay, Run, Trace, causal_order, minimise, replay};

/// Events that shortening may look at.
const STEPS_MAX: u64 = 20_000;
/// A longer run is not told with what changes in each step.
const STORY_MAX: usize = 400;

/// A trace, and why it shows what it shows.
pub(crate) enum Evidence {
    Confirmed(Trace, String),
    /// On a fresh copy the same events show something else.
    Diverged(Trace, String),
}

/// The run at whose end `finding` is seen, as evidence.
pub(crate) fn shown(
    name: &str,
    set_up: &SetUp,
    system: &dyn System,
    path: &Path,
    finding: &Finding,
    seed: u64,
) -> Evidence {
    let judge = Judge::of(system);
    let oracle = judge.oracle(system, finding);
    let config = MinimiseConfig { steps_max: STEPS_MAX, ..MinimiseConfig::default() };
    let shorter = minimise(system, path, &oracle, &config);
    let told = causal_order(system, &shorter.path, &oracle);
    let run = Run::with_states(system, told.path, told.states);
    let message = judge.shows(system, run.last(), finding);
    let message = message.unwrap_or_else(|| finding.message.clone()).trim_end().to_owned();
    let trace = recorded(name, &run, seed);
    let finding = Finding { message: message.clone(), ..finding.clone() };
    let trace = trace.with_violation(finding.clone());
    let fresh = set_up(name, &BuildOptions::default());
    let again = replay(fresh.world.system(), &trace);
    if again.is_confirmed() || breaks_phase(&fresh, &again, &finding) {
        return Evidence::Confirmed(trace, message);
    }
    let message = format!(
        "`{}` was violated, but on a fresh copy the same events did not show it: some handler is not a function of its node's state \
         and the event (a HashMap that is iterated, a clock, a random number, a static)",
        finding.property.as_deref().unwrap_or(finding.kind.word())
    );
    let finding = Finding { kind: ViolationKind::Nondeterminism, property: None, message };
    let message = finding.message.clone();
    Evidence::Diverged(trace.with_violation(finding), message)
}

/// Whether the run ends where an invariant of this name does not hold that only phases of a guide ask for: the world itself knows nothing of it.
fn breaks_phase(arena: &Arena, again: &Replay, finding: &Finding) -> bool {
    let phases = arena.guide.iter().flat_map(|guide| &guide.phases);
    let mut invariants = phases.flat_map(|phase| &phase.invariants);
    let asked = invariants.find(|it| Some(it.name()) == finding.property.as_deref());
    let is_whole = again.stop.is_none();
    asked.zip(again.states.last()).is_some_and(|(it, last)| is_whole && !it.holds(last))
}

/// A run that shows how far a search came.
pub(crate) fn as_it_was(name: &str, system: &dyn System, path: &Path, seed: u64) -> Trace {
    recorded(name, &Run::of(system, path), seed)
}

fn recorded(name: &str, run: &Run<'_>, seed: u64) -> Trace {
    let mut trace = Trace::labelled(run).with_seed(seed);
    name.clone_into(&mut trace.system);
    trace.kind = "nodes".to_owned();
    if run.path().actions.len() <= STORY_MAX { trace.with_notes(run.story()) } else { trace }
}
