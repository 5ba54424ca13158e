//! Simulation: the same nodes in virtual time, once or many times, and the first run that broke something.
//! A run that broke something is a run of the system, so it becomes evidence like any other: replayed on a fresh instance,
//! shortened, saved as a trace. Only where the simulated network did what the world has no budget for is it told as it was.

use crate::check::CheckRequest;
use crate::{Code, Diagnostic, Found, Loaded, Outcome, Report, coverage, telling};
use foresee_lts::{StoppedBy, System, Violation};
use foresee_nodes::{Simulation, SimulationConfig, SimulationEvent};
use foresee_search::Meter;
use foresee_stdx::halt;
use foresee_trace::{Event, Trace, replay};
use serde::Serialize;
use std::time::Duration;

/// What to simulate.
#[derive(Clone, Debug)]
pub struct SimulateRequest {
    /// The network, the limits of one run, and the first seed.
    pub config: SimulationConfig,
    /// How many runs; the seeds follow each other.
    pub runs: u64,
    /// Stop beginning runs after this time on the meter.
    pub time_max: Option<Duration>,
}

/// What came of it. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationReport {
    /// `interleavings` counts the runs, `transitions` the events of all, `depth` the events of the longest. The verdict `holds`
    /// says only that none of these runs broke anything.
    #[serde(flatten)]
    pub report: Report,
    /// How runs ended, the most frequent first.
    pub outcomes: Vec<Ending>,
    pub messages_sent: u64,
    pub messages_lost: u64,
    /// The virtual time of all runs together.
    pub virtual_seconds: f64,
}

/// One way in which runs ended.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Ending {
    pub outcome: String,
    pub runs: u64,
    /// The first seed that ends like this.
    pub seed: u64,
}

/// Runs the system `request.runs` times. `observer` sees the events of a single run as they happen; many runs are silent.
///
/// ```
/// use foresee_session::{BuildOptions, NoMeter, Outcome, Registry, SimulateRequest, load, simulate};
/// let ping = load(&Registry::stock(), "ping", &["pings=2"], &BuildOptions::default()).unwrap();
/// let request = SimulateRequest { runs: 3, ..SimulateRequest::default() };
/// let report = simulate(&ping, &request, &NoMeter, &mut |_| {}).unwrap();
/// assert_eq!((report.report.verdict, report.report.interleavings), (Outcome::Holds, 3));
/// ```
pub fn simulate(
    loaded: &Loaded,
    request: &SimulateRequest,
    meter: &dyn Meter,
    observer: &mut dyn FnMut(&SimulationEvent),
) -> Result<SimulationReport, Diagnostic> {
    let start = meter.elapsed();
    let _watching = halt::watch(meter.probe());
    let mut totals = Totals::new(loaded, request);
    for run in 0..request.runs {
        let elapsed = meter.elapsed() - start;
        let stopped = match request.time_max {
            _ if meter.interrupted() => Some(StoppedBy::Interrupt),
            Some(time_max) if elapsed >= time_max => Some(StoppedBy::Time),
            _ => None,
        };
        if stopped.is_some() {
            totals.report.stopped_by = stopped;
            break;
        }
        let seed = request.config.seed.wrapping_add(run);
        let config = SimulationConfig { seed, ..request.config.clone() };
        let runnable = loaded.runnable().ok_or_else(|| cannot_simulate(loaded))?;
        let simulation = halt::until_halted(|| {
            runnable.simulate(&config, &mut |event| {
                halt::look();
                if request.runs == 1 {
                    observer(event);
                }
            })
        });
        let simulation = match simulation {
            Ok(simulation) => simulation,
            Err(halted) => {
                totals.report.halt(halted);
                break;
            }
        };
        totals.add(simulation.ok_or_else(|| cannot_simulate(loaded))?);
    }
    let mut report = totals.finish(loaded)?;
    report.report.seconds = (meter.elapsed() - start).as_secs_f64();
    Ok(report)
}

impl Default for SimulateRequest {
    fn default() -> Self {
        SimulateRequest { config: SimulationConfig::default(), runs: 1, time_max: None }
    }
}

fn cannot_simulate(loaded: &Loaded) -> Diagnostic {
    let message = format!("`{}` is not made of nodes, so it has no virtual time", loaded.name());
    Diagnostic::new(Code::OptionDoesNotApply, message).help("check it instead")
}

/// What runs add up to.
struct Totals {
    report: Report,
    endings: Vec<Ending>,
    sent: u64,
    lost: u64,
    time: Duration,
    broken: Option<Simulation>,
}

impl Totals {
    fn new(loaded: &Loaded, request: &SimulateRequest) -> Self {
        let mut report = Report::new("simulate", loaded.name());
        (report.engine, report.strategy) = ("simulation", "random");
        report.seed = request.config.seed;
        Totals { report, endings: Vec::new(), sent: 0, lost: 0, time: Duration::ZERO, broken: None }
    }

    fn add(&mut self, run: Simulation) {
        self.report.interleavings += 1;
        self.report.transitions += run.n_events;
        self.report.depth = self.report.depth.max(u32::try_from(run.n_events).unwrap_or(u32::MAX));
        self.sent += run.n_sent;
        self.lost += run.n_lost;
        self.time += run.time;
        let outcome = run.outcome();
        match self.endings.iter_mut().find(|ending| ending.outcome == outcome) {
            Some(ending) => ending.runs += 1,
            None => self.endings.push(Ending { outcome, runs: 1, seed: run.seed }),
        }
        if run.broken.is_some() {
            self.report.erroneous_interleavings += 1;
            self.broken.get_or_insert(run);
        }
    }

    fn finish(mut self, loaded: &Loaded) -> Result<SimulationReport, Diagnostic> {
        self.report.verdict = match (&self.broken, self.report.stopped_by) {
            (Some(_), _) => Outcome::Violated,
            (None, Some(_)) => Outcome::Inconclusive,
            (None, None) => Outcome::Holds,
        };
        let (n, seed) = (self.report.interleavings, self.report.seed);
        self.report.cover(coverage::of_runs(loaded, n, seed));
        if let Some(run) = self.broken.take() {
            tell(loaded, &run, &mut self.report)?;
        }
        self.endings.sort_by(|a, b| (b.runs, a.seed).cmp(&(a.runs, b.seed)));
        Ok(SimulationReport {
            report: self.report,
            outcomes: self.endings,
            messages_sent: self.sent,
            messages_lost: self.lost,
            virtual_seconds: self.time.as_secs_f64(),
        })
    }
}

/// Puts the first broken run into the report.
fn tell(loaded: &Loaded, run: &Simulation, report: &mut Report) -> Result<(), Diagnostic> {
    let Some(broken) = &run.broken else { return Ok(()) };
    report.seed = run.seed;
    let mut trace = Trace::new(loaded.name());
    trace.events = run.trace.iter().cloned().map(Event::new).collect();
    let replayed = replay(loaded, &trace);
    let violation = Violation {
        kind: broken.kind,
        property: broken.property.clone(),
        message: broken.message.trim_end().to_owned(),
        path: replayed.path,
    };
    let request = CheckRequest {
        strategy: foresee_stateful::Strategy::Random,
        seed: run.seed,
        ..CheckRequest::default()
    };
    if replayed.stop.is_none() && run.replayable {
        return telling::tell(loaded, &request, &violation, 0, report);
    }
    let faults = "the simulated network did more than the system's fault budgets allow, so there is no trace to replay";
    report.warnings.push(faults.to_owned());
    let Violation { kind, property, message, .. } = violation;
    let steps = run.trace.len();
    let found = Found::without_run(kind, property, message);
    report.violations.push(Found { steps, steps_found: steps, ..found });
    Ok(())
}
