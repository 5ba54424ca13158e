//! Simulation: one run with random choices, told as it goes, or many, counted by how they end; the first run that broke
//! something becomes evidence.
//! Every kind of system is simulated through here: the loop over seeds, the limits, the counting and the report are the same.
//! What a run *is* differs and is the front end's own (`FrontEnd::simulate`): nodes and Erlang programs run in virtual time,
//! a model takes one enabled action after the other (`walk`).
//! Invariant: a seed decides a run. The verdict `holds` says only that none of these runs broke anything.

use crate::telling::{tell, unmodelled};
use crate::{CheckRequest, Diagnostic, Found, Loaded, Outcome, Report, Strategy, coverage};
use foresee_lts::{Label, Path, StoppedBy, System, Violation, ViolationKind};
use foresee_nodes::{Latency, SimulationConfig};
use foresee_search::Meter;
use foresee_stdx::halt::{self, Halted};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// What to simulate. A field that a kind of system has no use for is not looked at; `source::support` refuses it beforehand.
#[derive(Clone, Debug)]
pub struct SimulateRequest {
    /// Of the first run; the seeds follow each other.
    pub seed: u64,
    pub runs: u64,
    /// A run is stopped after so many events [default: 100,000; of a model in a file, 100].
    pub events_max: Option<u64>,
    /// A run is stopped at this virtual time [default: 60 s; of an Erlang program, 60 s after the first process has ended].
    pub virtual_time_max: Option<Duration>,
    /// No run is begun after this time on the meter.
    pub time_max: Option<Duration>,
    pub network: SimulatedNetwork,
    /// Only what the program prints is wanted: nothing is waited for when the first process has ended, and a failing run is
    /// not shown.
    pub output_only: bool,
    /// In the first run of an Erlang program the processes take turns, as on a quiet machine with one processor.
    pub in_turns: bool,
}

/// The network between nodes.
#[derive(Clone, Debug)]
pub struct SimulatedNetwork {
    pub latency: Latency,
    /// How likely a message is lost.
    pub loss: f64,
    /// How likely a message arrives twice.
    pub duplication: f64,
}

impl Default for SimulatedNetwork {
    fn default() -> Self {
        let SimulationConfig { latency, loss, duplication, .. } = SimulationConfig::default();
        SimulatedNetwork { latency, loss, duplication }
    }
}

impl Default for SimulateRequest {
    fn default() -> Self {
        SimulateRequest {
            seed: 0,
            runs: 1,
            events_max: None,
            virtual_time_max: None,
            time_max: None,
            network: SimulatedNetwork::default(),
            output_only: false,
            in_turns: false,
        }
    }
}

/// Runs in virtual time are stopped after so many events, if nothing else is asked for.
pub(crate) const EVENTS_MAX: u64 = 100_000;

/// Something that happens in a run, in the order of time.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Scene {
    /// Virtual time; zero where there is none.
    pub time: Duration,
    /// How many events there have been, this one included; zero where nobody counts.
    pub number: u64,
    /// Who acts: `<P.1/server>`.
    pub who: String,
    pub kind: SceneKind,
    pub what: String,
    /// `bank.erl:12`.
    pub place: Option<String>,
    /// The library that keeps its own books by this, on behalf of who acts: `application`.
    pub books_of: Option<String>,
}

/// Kinds of scenes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SceneKind {
    /// What a process does.
    Step,
    /// What happens when a process ends, beyond the end itself.
    Aftermath,
    /// A timeout or a timer.
    Timer,
    /// Text that the program prints; all of it, with its line breaks.
    Output,
    /// An exception that nobody caught: the reason, then a line for each call on the stack.
    Crash,
    /// An event among nodes: a whole line, with its time.
    Network,
    /// A transition of a model with its label.
    Transition,
    /// A transition without a label.
    Internal,
}

/// What came of it. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationReport {
    /// `interleavings` counts the runs, `transitions` the events of all, `depth` the events of the longest.
    #[serde(flatten)]
    pub report: Report,
    /// How runs ended, the most frequent first.
    pub outcomes: Vec<Ending>,
    /// Of systems with a network.
    #[serde(flatten)]
    pub messages: Option<Messages>,
    /// The virtual time of all runs together, where there is such a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_seconds: Option<f64>,
}

/// What the network did in all runs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Messages {
    #[serde(rename = "messages_sent")]
    pub sent: u64,
    #[serde(rename = "messages_lost")]
    pub lost: u64,
}

/// One way in which runs ended.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Ending {
    #[serde(flatten)]
    pub run: RunEnd,
    pub runs: u64,
    /// The first seed that ends like this.
    pub seed: u64,
}

/// How a run ended. Runs that are equal in this are counted together.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct RunEnd {
    /// `finished`, `idle`, `deadlock`, …
    pub outcome: String,
    #[serde(flatten)]
    pub processes: Option<ProcessEnds>,
}

/// How an Erlang program's processes stand at the end.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct ProcessEnds {
    /// What went wrong, one line each.
    pub failures: Vec<String>,
    pub processes: Vec<ProcessEnd>,
}

/// How a process stands at the end.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct ProcessEnd {
    pub name: String,
    /// `exited normal`, `waits at bank.erl:12`.
    pub status: String,
}

/// A run that a front end has carried out.
pub(crate) struct SimulatedRun {
    pub(crate) end: RunEnd,
    pub(crate) n_events: u64,
    pub(crate) messages: Option<Messages>,
    pub(crate) time: Option<Duration>,
    /// A limit of the run itself ended it.
    pub(crate) stopped_by: Option<StoppedBy>,
    /// What kept the front end from following the system; nothing is said of it then.
    pub(crate) trouble: Option<Diagnostic>,
    pub(crate) wrong: Option<WrongRun>,
}

/// A run that broke something.
pub(crate) struct WrongRun {
    pub(crate) kind: ViolationKind,
    pub(crate) property: Option<String>,
    pub(crate) message: String,
    pub(crate) kept: Kept,
}

/// What was kept of a run that broke something.
pub(crate) enum Kept {
    Path(Path),
    /// What happened, as the system labels it, and whether the system can take exactly this run.
    Labels {
        labels: Vec<Label>,
        is_replayable: bool,
    },
    /// Its seed is enough.
    Seed,
}

/// Who watches a run: it is counted, limits are looked at, and scenes are told if somebody wants them.
pub(crate) struct Watching<'a> {
    n_events: u64,
    observer: Option<&'a mut dyn FnMut(&Scene)>,
}

impl Watching<'_> {
    /// An event has happened.
    pub(crate) fn count(&mut self) {
        self.n_events += 1;
        halt::look();
    }

    pub(crate) fn tell(&mut self, scene: impl FnOnce(u64) -> Option<Scene>) {
        if let Some(observer) = &mut self.observer
            && let Some(scene) = scene(self.n_events)
        {
            observer(&scene);
        }
    }
}

/// Runs the system `request.runs` times. `observer` sees the scenes of a single run as they happen; many runs are silent.
///
/// ```
/// use foresee_session::{NoFiles, NoMeter, Outcome, Registry, SimulateRequest, Source, open, simulate};
/// let ping = open(&Source::nodes("ping", &["pings=2"]), &Registry::stock(), &NoFiles).unwrap();
/// let request = SimulateRequest { runs: 3, ..SimulateRequest::default() };
/// let report = simulate(&ping, &request, &NoMeter, &mut |_| {}).unwrap();
/// assert_eq!((report.report.verdict, report.report.interleavings), (Outcome::Holds, 3));
/// ```
pub fn simulate(
    loaded: &Loaded,
    request: &SimulateRequest,
    meter: &dyn Meter,
    observer: &mut dyn FnMut(&Scene),
) -> Result<SimulationReport, Diagnostic> {
    let start = meter.elapsed();
    let _watching = halt::watch(meter.probe());
    let mut totals = Totals::new(loaded, request);
    for run in 0..request.runs {
        let stopped = match request.time_max {
            _ if meter.interrupted() => Some(StoppedBy::Interrupt),
            Some(time_max) if meter.elapsed() - start >= time_max => Some(StoppedBy::Time),
            _ => None,
        };
        if stopped.is_some() {
            totals.report.stopped_by = stopped;
            break;
        }
        let seed = request.seed.wrapping_add(run);
        let observer: Option<&mut dyn FnMut(&Scene)> =
            if request.runs == 1 { Some(&mut *observer) } else { None };
        let mut watching = Watching { n_events: 0, observer };
        let front = loaded.front();
        let ended = halt::until_halted(|| front.simulate(seed, request, meter, &mut watching));
        match ended {
            Ok(run) => totals.add(seed, run?),
            Err(halted) => {
                totals.halt(halted, watching.n_events);
                break;
            }
        }
        if totals.report.error.is_some() {
            break;
        }
    }
    let mut report = totals.finish(loaded, request)?;
    report.report.seconds = (meter.elapsed() - start).as_secs_f64();
    Ok(report)
}

/// What runs add up to.
struct Totals {
    report: Report,
    /// For each end, how many runs and the first seed.
    ends: BTreeMap<RunEnd, (u64, u64)>,
    messages: Option<Messages>,
    time: Option<Duration>,
    /// The first run that broke something.
    wrong: Option<(u64, WrongRun)>,
}

impl Totals {
    fn new(loaded: &Loaded, request: &SimulateRequest) -> Self {
        let mut report = Report::new("simulate", loaded.name());
        (report.engine, report.strategy) = ("simulation", "random");
        report.seed = request.seed;
        report.warnings = loaded.warnings_about_text();
        Totals { report, ends: BTreeMap::new(), messages: None, time: None, wrong: None }
    }

    fn add(&mut self, seed: u64, run: SimulatedRun) {
        let SimulatedRun { end, n_events, messages, time, stopped_by, trouble, wrong } = run;
        self.report.interleavings += 1;
        self.count(n_events);
        if let Some(run) = messages {
            let all = self.messages.get_or_insert_default();
            *all = Messages { sent: all.sent + run.sent, lost: all.lost + run.lost };
        }
        if let Some(time) = time {
            *self.time.get_or_insert_default() += time;
        }
        if stopped_by.is_some() {
            self.report.stopped_by = stopped_by;
        }
        if let Some(diagnostic) = trouble {
            self.report.seed = seed;
            self.report.fail(diagnostic);
        }
        if let Some(wrong) = wrong {
            self.report.erroneous_interleavings += 1;
            self.wrong.get_or_insert((seed, wrong));
        }
        self.ends.entry(end).or_insert((0, seed)).0 += 1;
    }

    fn count(&mut self, n_events: u64) {
        self.report.transitions += n_events;
        let length = u32::try_from(n_events).unwrap_or(u32::MAX);
        self.report.depth = self.report.depth.max(length);
    }

    /// A limit has struck in the middle of a run.
    fn halt(&mut self, halted: Halted, n_events: u64) {
        self.count(n_events);
        self.report.halt(halted);
    }

    fn finish(
        mut self,
        loaded: &Loaded,
        request: &SimulateRequest,
    ) -> Result<SimulationReport, Diagnostic> {
        let report = &mut self.report;
        report.cover(coverage::of_runs(loaded, report.interleavings, request.seed));
        report.stopped_by = report.stopped_by.or(loaded.front().left_out());
        if report.error.is_none() {
            report.verdict = match (&self.wrong, report.stopped_by) {
                (Some(_), _) => Outcome::Violated,
                (None, Some(_)) => Outcome::Inconclusive,
                (None, None) => Outcome::Holds,
            };
            if let Some((seed, wrong)) = self.wrong.take() {
                show(loaded, request, seed, wrong, report)?;
            }
        }
        let ending = |(run, (runs, seed))| Ending { run, runs, seed };
        let mut outcomes: Vec<Ending> = self.ends.into_iter().map(ending).collect();
        outcomes.sort_by(|a, b| (b.runs, a.seed).cmp(&(a.runs, b.seed)));
        Ok(SimulationReport {
            report: self.report,
            outcomes,
            messages: self.messages,
            virtual_seconds: self.time.map(|time| time.as_secs_f64()),
        })
    }
}

/// Puts the first run that broke something into the report, with its trace where there is one.
fn show(
    loaded: &Loaded,
    request: &SimulateRequest,
    seed: u64,
    wrong: WrongRun,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    report.seed = seed;
    let found = Found::without_run(wrong.kind, wrong.property.clone(), wrong.message.clone());
    let shown =
        halt::until_halted(|| loaded.front().show_run(loaded, seed, request, wrong, report));
    shown.unwrap_or_else(|halted| {
        report.violations.push(found);
        report.halt(halted);
        Ok(())
    })
}

/// The request by which a run of a simulation is shown again.
pub(crate) fn as_check(seed: u64) -> CheckRequest {
    CheckRequest { strategy: Strategy::Random, seed, ..CheckRequest::default() }
}

/// Shows a run whose path is known, as any violation is shown.
pub(crate) fn show_path(
    loaded: &Loaded,
    seed: u64,
    wrong: WrongRun,
    path: Path,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    let WrongRun { kind, property, message, .. } = wrong;
    let violation = Violation { kind, property, message, path };
    if kind == ViolationKind::Unmodelled {
        report.fail(unmodelled(loaded, &violation));
        return Ok(());
    }
    tell(loaded, &as_check(seed), &violation, 0, report)
}
