//! One way through a model, chosen at random: a simulation of what has neither time nor a network.
//! A run that gets stuck, or that cannot be followed any further, becomes evidence like any other.
//! Not here: nodes (`simulate`) and Erlang programs (`erlang::simulate`), which have a clock.

use crate::check::CheckRequest;
use crate::simulate::Ending;
use crate::telling::{self, unmodelled};
use crate::{Diagnostic, Loaded, Outcome, Report, coverage};
use foresee_lts::{FaultKind, Label, Path, StoppedBy, System, Violation, ViolationKind};
use foresee_search::Meter;
use foresee_stdx::Random;
use foresee_stdx::halt;
use serde::Serialize;
use std::time::Duration;

/// What to walk through.
#[derive(Clone, Debug)]
pub struct WalkRequest {
    pub seed: u64,
    /// How many walks; the seeds follow each other.
    pub runs: u64,
    /// A walk is stopped after so many steps.
    pub steps_max: u64,
    /// No walk is begun after this time on the meter.
    pub time_max: Option<Duration>,
}

/// One step of a walk, as it happens.
#[derive(Clone, Debug)]
pub struct WalkStep {
    pub number: u64,
    /// Who acts.
    pub who: String,
    /// What stands on the arrow; `None` is an internal step.
    pub label: Option<String>,
}

/// What came of it. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct WalkReport {
    /// `interleavings` counts the walks, `transitions` the steps of all, `depth` those of the longest.
    #[serde(flatten)]
    pub report: Report,
    /// How walks ended, the most frequent first.
    pub outcomes: Vec<Ending>,
}

/// Walks through a model. `observer` sees the steps of a single walk as they happen; many walks are silent.
///
/// ```
/// use foresee_session::{NoMeter, Outcome, WalkRequest, load_model, walk};
/// use std::collections::BTreeMap;
/// let text = "act a, b init a.b.delta".to_owned();
/// let model = load_model("m.mcrl", &BTreeMap::from([("m.mcrl".to_owned(), text)])).unwrap();
/// let request = WalkRequest { seed: 1, runs: 1, steps_max: 9, time_max: None };
/// let mut labels = Vec::new();
/// let done = walk(&model, &request, &NoMeter, &mut |step| labels.extend(step.label.clone())).unwrap();
/// assert_eq!(labels, ["a", "b"]);
/// assert_eq!((done.report.verdict, done.report.violations[0].steps), (Outcome::Violated, 2));
/// ```
pub fn walk(
    loaded: &Loaded,
    request: &WalkRequest,
    meter: &dyn Meter,
    observer: &mut dyn FnMut(&WalkStep),
) -> Result<WalkReport, Diagnostic> {
    let start = meter.elapsed();
    let _watching = halt::watch(meter.probe());
    let mut report = Report::new("simulate", loaded.name());
    (report.engine, report.strategy) = ("simulation", "random");
    report.seed = request.seed;
    let mut outcomes: Vec<Ending> = Vec::new();
    let mut broken: Option<(u64, Walk)> = None;
    for run in 0..request.runs {
        report.stopped_by = match request.time_max {
            _ if meter.interrupted() => Some(StoppedBy::Interrupt),
            Some(time_max) if meter.elapsed() - start >= time_max => Some(StoppedBy::Time),
            _ => None,
        };
        if report.stopped_by.is_some() {
            break;
        }
        let seed = request.seed.wrapping_add(run);
        let is_told = request.runs == 1;
        let walk = halt::until_halted(|| {
            Walk::take(loaded, seed, request.steps_max, meter, &mut |step| {
                halt::look();
                if is_told {
                    observer(step);
                }
            })
        });
        let walk = match walk {
            Ok(walk) => walk,
            Err(halted) => {
                report.halt(halted);
                break;
            }
        };
        report.interleavings += 1;
        report.transitions += walk.path.actions.len() as u64;
        report.depth = report.depth.max(walk.path.actions.len() as u32);
        let outcome = walk.outcome();
        match outcomes.iter_mut().find(|ending| ending.outcome == outcome) {
            Some(ending) => ending.runs += 1,
            None => outcomes.push(Ending { outcome, runs: 1, seed }),
        }
        if walk.wrong.is_some() {
            report.erroneous_interleavings += 1;
            broken.get_or_insert((seed, walk));
        }
    }
    report.verdict = match (&broken, report.stopped_by) {
        (Some(_), _) => Outcome::Violated,
        (None, Some(_)) => Outcome::Inconclusive,
        (None, None) => Outcome::Holds,
    };
    report.cover(coverage::of_runs(loaded, report.interleavings, request.seed));
    if let Some((seed, walk)) = broken {
        tell(loaded, seed, walk, &mut report)?;
    }
    outcomes.sort_by(|a, b| (b.runs, a.seed).cmp(&(a.runs, b.seed)));
    report.seconds = (meter.elapsed() - start).as_secs_f64();
    Ok(WalkReport { report, outcomes })
}

/// Puts the first walk in which something was wrong into the report.
fn tell(loaded: &Loaded, seed: u64, walk: Walk, report: &mut Report) -> Result<(), Diagnostic> {
    report.seed = seed;
    let (kind, message) = walk.wrong.expect("only for what is wrong");
    let violation = Violation { kind, property: None, message, path: walk.path };
    if kind == ViolationKind::Unmodelled {
        report.fail(unmodelled(loaded, &violation));
        return Ok(());
    }
    let strategy = foresee_stateful::Strategy::Random;
    let request = CheckRequest { strategy, seed, ..CheckRequest::default() };
    telling::tell(loaded, &request, &violation, 0, report)
}

struct Walk {
    path: Path,
    wrong: Option<(ViolationKind, String)>,
    has_ended: bool,
}

impl Walk {
    fn take(
        loaded: &Loaded,
        seed: u64,
        steps_max: u64,
        meter: &dyn Meter,
        observer: &mut dyn FnMut(&WalkStep),
    ) -> Walk {
        let mut random = Random::new(seed);
        let mut starts = loaded.initial();
        let mut state = starts.swap_remove(random.below(starts.len() as u64) as usize);
        let path = Path { initial: state.clone(), actions: Vec::new() };
        let mut walk = Walk { path, wrong: None, has_ended: false };
        let mut actions = Vec::new();
        for number in 1..=steps_max {
            actions.clear();
            loaded.enabled(&state, &mut actions);
            if actions.is_empty() || meter.interrupted() {
                break;
            }
            let action = actions[random.below(actions.len() as u64) as usize];
            let Label { to, .. } = loaded.label(&state, action);
            let label = loaded.front().visible_label(&state, action);
            observer(&WalkStep { number, who: to.unwrap_or_default(), label });
            walk.path.actions.push(action);
            state = loaded.step(&state, action);
            if let Some(fault) = loaded.fault(&state) {
                walk.wrong = Some((fault.kind.into(), fault.message));
                if fault.kind == FaultKind::Unmodelled {
                    return walk;
                }
            }
        }
        actions.clear();
        loaded.enabled(&state, &mut actions);
        walk.has_ended = actions.is_empty();
        if actions.is_empty() && walk.wrong.is_none() && !loaded.is_final(&state) {
            walk.wrong = Some((ViolationKind::Deadlock, loaded.why_stuck(&state)));
        }
        walk
    }

    fn outcome(&self) -> String {
        match (&self.wrong, self.has_ended) {
            (Some((ViolationKind::Unmodelled, _)), _) => "could not be followed".to_owned(),
            (Some((kind, _)), _) => kind.word().to_owned(),
            (None, true) => "ended".to_owned(),
            (None, false) => "stopped on the way".to_owned(),
        }
    }
}
