//! Simulation of an Erlang program: one run told as it goes, or many, counted by how they end.
//! What makes an outcome: how the run ended, which processes failed with which reasons, and how every process stands at the
//! end. Not: the order of events on the way, what was printed, the virtual time.
//! A server that waits for requests when everything is over has done nothing wrong: a run in which the first process has
//! ended and others wait is *idle*. If the first process itself waits, it is a deadlock.

use super::program::ErlangProgram;
use super::waits::place;
use crate::evidence::{Evidence, STORY_PARTS_MAX, evidence};
use crate::front_end::FrontEnd as _;
use crate::{CheckRequest, Code, Diagnostic, Found, Loaded, Outcome, Report, coverage};
use foresee_erlang::component::Control;
use foresee_erlang::{
    Atom, Event, Limits, News, Outcome as Ended, Pid, Run, Term, simulate, words,
};
use foresee_lts::{Label, StoppedBy, System, Verb, Violation, ViolationKind};
use foresee_search::Meter;
use foresee_stdx::halt::{self, Halted};
use foresee_trace::{Event as TraceEvent, Trace, replay};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// What to simulate.
#[derive(Clone, Debug)]
pub struct ErlangSimulateRequest {
    pub seed: u64,
    /// How many runs; the seeds follow each other.
    pub runs: u64,
    /// A run is stopped after so many events.
    pub events_max: u64,
    /// A run is stopped at this virtual time.
    pub virtual_time_max: Option<Duration>,
    /// How long, in virtual time, the others may go on when the first process has ended.
    pub grace: Duration,
    /// Stop beginning runs after this time on the meter.
    pub time_max: Option<Duration>,
    /// Whether the first failing run is to be shown; its trace and its story take longer than the run.
    pub evidence: bool,
}

impl Default for ErlangSimulateRequest {
    fn default() -> Self {
        ErlangSimulateRequest {
            seed: 0,
            runs: 1,
            events_max: 100_000,
            virtual_time_max: None,
            grace: Duration::from_secs(60),
            time_max: None,
            evidence: true,
        }
    }
}

/// Something that happens in a run, in the order of time.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Scene {
    /// Virtual time.
    pub time: Duration,
    /// `<P.1/server>`.
    pub who: String,
    pub kind: SceneKind,
    pub what: String,
    /// `bank.erl:12`.
    pub place: Option<String>,
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
}

/// What came of it. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct ErlangSimulationReport {
    /// `interleavings` counts the runs, `transitions` the events of all, `depth` the events of the longest.
    #[serde(flatten)]
    pub report: Report,
    /// The most frequent first.
    pub outcomes: Vec<ErlangOutcome>,
    /// The virtual time of all runs together.
    pub virtual_seconds: f64,
}

/// One way in which runs ended.
#[derive(Clone, Debug, Serialize)]
pub struct ErlangOutcome {
    #[serde(flatten)]
    pub run: ErlangRun,
    pub runs: u64,
    /// The first seed that ends like this.
    pub seed: u64,
}

/// How a run ended.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct ErlangRun {
    /// `finished`, `idle`, `deadlock`, …
    pub outcome: String,
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

/// Runs the program `request.runs` times. `observer` sees the scenes of a single run as they happen; many runs are silent.
pub fn simulate_erlang(
    loaded: &Loaded,
    request: &ErlangSimulateRequest,
    meter: &dyn Meter,
    observer: &mut dyn FnMut(&Scene),
) -> Result<ErlangSimulationReport, Diagnostic> {
    let front = loaded.front();
    let Some(program) = front.as_erlang() else {
        let message = format!("`{}` is no Erlang program", loaded.name());
        return Err(Diagnostic::new(Code::OptionDoesNotApply, message));
    };
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
        let mut names = Names::default();
        let mut n_events = 0;
        let ended = halt::until_halted(|| {
            simulate(program.erlang(), seed, limits(request), |news| {
                n_events += u64::from(matches!(news, News::Step { .. }));
                halt::look();
                names.note(&news);
                if request.runs == 1
                    && let Some(scene) = scene(&news, &names)
                {
                    observer(&scene);
                }
            })
        });
        match ended {
            Ok(ended) => totals.add(program, seed, &ended, &names),
            Err(halted) => {
                totals.halt(halted, n_events);
                break;
            }
        }
        if totals.report.error.is_some() {
            break;
        }
    }
    let mut report = totals.finish(loaded, program, request)?;
    report.report.seconds = (meter.elapsed() - start).as_secs_f64();
    Ok(report)
}

fn limits(request: &ErlangSimulateRequest) -> Limits {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Limits {
        steps_max: request.events_max,
        now_ms_max: request.virtual_time_max.map(ms),
        grace_ms: Some(ms(request.grace)),
    }
}

/// The names that processes had, also after they have ended and lost them.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    fn note(&mut self, news: &News<'_>) {
        let News::Step { label, .. } = news else { return };
        for name in label.from.iter().chain(&label.to) {
            if let Some((pid, _)) = name.split_once('/') {
                self.0.insert(format!("{pid}>"), name.clone());
            }
        }
    }

    fn of(&self, pid: Pid) -> String {
        let text = pid.to_string();
        self.0.get(&text).cloned().unwrap_or(text)
    }
}

/// What is worth telling of a piece of news.
fn scene(news: &News<'_>, names: &Names) -> Option<Scene> {
    let (now_ms, who, kind, what) = match news {
        News::Step { now_ms, label } => {
            let (what, place) = split_place(label);
            let kind = match label.verb {
                Verb::Timer => SceneKind::Timer,
                _ if what.starts_with("exit: ") => SceneKind::Aftermath,
                _ => SceneKind::Step,
            };
            let who = match (&label.from, &label.to) {
                (Some(from), Some(to)) => format!("{from} -> {to}"),
                (_, to) => to.clone().unwrap_or_default(),
            };
            let (what, place) = (what.to_owned(), place.map(str::to_owned));
            return Some(Scene { time: Duration::from_millis(*now_ms), who, kind, what, place });
        }
        News::Event { now_ms, event } => match event {
            Event::Output { pid, text } => {
                (*now_ms, names.of(*pid), SceneKind::Output, text.clone())
            }
            Event::Crashed { pid, reason } => {
                (*now_ms, names.of(*pid), SceneKind::Crash, crash_report(reason))
            }
            _ => return None,
        },
    };
    Some(Scene { time: Duration::from_millis(now_ms), who, kind, what, place: None })
}

fn split_place(label: &Label) -> (&str, Option<&str>) {
    let split = label.payload.rsplit_once(" [").and_then(|(what, place)| {
        let place = place.strip_suffix(']')?;
        place.contains(".erl:").then_some((what, place))
    });
    match split {
        Some((what, place)) => (what, Some(place)),
        None => (&label.payload, None),
    }
}

fn crash_report(reason: &Term) -> String {
    let mut text = words::reason(reason);
    let Some([_, Term::Trace(trace)]) = reason.as_tuple() else { return text };
    for entry in &trace.entries {
        let (module, function) = (entry.module.text(), entry.function.text());
        text.push_str(&format!("\nin {module}:{function}/{}", entry.arity));
        let is_users = |file: &Atom| {
            !file.text().is_empty() && !file.text().starts_with(foresee_erlang::prelude::PATH)
        };
        if let Some(file) = entry.file.filter(is_users) {
            let file = file.text().rsplit('/').next().unwrap_or_default();
            text.push_str(&format!(" ({file}:{})", entry.line));
        }
    }
    text
}

/// What runs add up to.
struct Totals {
    report: Report,
    outcomes: BTreeMap<ErlangRun, (u64, u64)>,
    time: Duration,
    /// The first seed whose run failed, and how.
    failed: Option<(u64, ViolationKind, String)>,
}

impl Totals {
    fn new(loaded: &Loaded, request: &ErlangSimulateRequest) -> Self {
        let mut report = Report::new("simulate", loaded.name());
        (report.engine, report.strategy) = ("simulation", "random");
        report.seed = request.seed;
        report.warnings = loaded.front().warnings();
        Totals { report, outcomes: BTreeMap::new(), time: Duration::ZERO, failed: None }
    }

    fn add(&mut self, program: &ErlangProgram, seed: u64, run: &Run, names: &Names) {
        let report = &mut self.report;
        report.interleavings += 1;
        report.transitions += run.steps;
        report.depth = report.depth.max(u32::try_from(run.steps).unwrap_or(u32::MAX));
        self.time += Duration::from_millis(run.now_ms);
        if let Some(diagnostic) = program.trouble(&run.state) {
            report.seed = seed;
            report.fail(diagnostic);
        }
        let failures = program.failures_of(run);
        if let Some(failure) = failures.first() {
            report.erroneous_interleavings += 1;
            self.failed.get_or_insert((seed, failure.kind, failure.text(names)));
        }
        match run.outcome {
            Ended::Unfinished => report.stopped_by = Some(StoppedBy::Depth),
            Ended::OutOfTime => report.stopped_by = Some(StoppedBy::Time),
            _ => {}
        }
        let ended = ErlangRun {
            outcome: outcome_words(run),
            processes: processes(program, run, names, &failures),
            failures: failures.iter().map(|failure| failure.text(names)).collect(),
        };
        self.outcomes.entry(ended).or_insert((0, seed)).0 += 1;
    }

    /// A limit has struck in the middle of a run.
    fn halt(&mut self, halted: Halted, n_events: u64) {
        let report = &mut self.report;
        report.transitions += n_events;
        report.depth = report.depth.max(u32::try_from(n_events).unwrap_or(u32::MAX));
        report.halt(halted);
    }

    fn finish(
        mut self,
        loaded: &Loaded,
        program: &ErlangProgram,
        request: &ErlangSimulateRequest,
    ) -> Result<ErlangSimulationReport, Diagnostic> {
        self.report.cover(coverage::of_runs(loaded, self.report.interleavings, request.seed));
        if self.report.error.is_none() {
            self.report.verdict = match (&self.failed, self.report.stopped_by) {
                (Some(_), _) => Outcome::Violated,
                (None, Some(_)) => Outcome::Inconclusive,
                (None, None) => Outcome::Holds,
            };
        }
        if let (Some((seed, kind, message)), None) = (self.failed.take(), &self.report.error) {
            self.report.seed = seed;
            let report = &mut self.report;
            let told = halt::until_halted(|| {
                tell(loaded, program, request, (seed, kind, message.clone()), report)
            });
            match told {
                Ok(told) => told?,
                Err(halted) => {
                    self.report.violations.push(Found::without_run(kind, None, message));
                    self.report.halt(halted);
                }
            }
        }
        let mut outcomes: Vec<ErlangOutcome> = self
            .outcomes
            .into_iter()
            .map(|(run, (runs, seed))| ErlangOutcome { run, runs, seed })
            .collect();
        outcomes.sort_by(|a, b| (b.runs, a.seed).cmp(&(a.runs, b.seed)));
        let virtual_seconds = self.time.as_secs_f64();
        Ok(ErlangSimulationReport { report: self.report, outcomes, virtual_seconds })
    }
}

/// Processes that failed with one reason: a link takes others along.
struct Failure {
    kind: ViolationKind,
    /// The first in time first.
    who: Vec<Pid>,
    what: String,
}

impl ErlangProgram {
    /// What went wrong in a run, as far as the request asks for it, in the order of time.
    fn failures_of(&self, run: &Run) -> Vec<Failure> {
        let mut failures: Vec<Failure> = Vec::new();
        let wanted = self.wanted_faults(&run.state);
        let is_wanted = |pid: Pid| wanted.iter().find(|(who, ..)| *who == Some(pid));
        for (pid, reason) in &run.failures {
            let Some((_, _, fault)) = is_wanted(*pid) else { continue };
            let place = words::raised_at(reason).map_or(String::new(), |it| format!(", {it}"));
            let what = format!("exited abnormally: {}{place}", words::reason(reason));
            match failures.iter_mut().find(|failure| failure.what == what) {
                Some(failure) => failure.who.push(*pid),
                None => failures.push(Failure { kind: fault.kind.into(), who: vec![*pid], what }),
            }
        }
        for (_, _, fault) in wanted.iter().filter(|(who, ..)| who.is_none()) {
            let (kind, what) = (fault.kind.into(), fault.message.clone());
            failures.push(Failure { kind, who: Vec::new(), what });
        }
        if let Ended::Deadlock(blocked) = &run.outcome
            && blocked.contains(&Pid::first())
            && !self.is_final(&run.state)
        {
            let (kind, who) = (ViolationKind::Deadlock, vec![Pid::first()]);
            failures.push(Failure { kind, who, what: "waits for ever".to_owned() });
        }
        failures
    }
}

impl Failure {
    /// `<P.3> exited abnormally: …; <P> and <P.1/bank> with it`.
    fn text(&self, names: &Names) -> String {
        let mut who = self.who.iter().map(|pid| names.of(*pid));
        let Some(first) = who.next() else { return self.what.clone() };
        let mut others: Vec<String> = who.collect();
        others.sort();
        match others.as_slice() {
            [] => format!("{first} {}", self.what),
            others => format!("{first} {}; with it {}", self.what, others.join(", ")),
        }
    }
}

fn outcome_words(run: &Run) -> String {
    match &run.outcome {
        Ended::Finished => "finished".to_owned(),
        Ended::Deadlock(blocked) if blocked.contains(&Pid::first()) => "deadlock".to_owned(),
        Ended::Deadlock(_) => "idle".to_owned(),
        Ended::Halted(status) => format!("halted with status {status}"),
        Ended::Stuck(..) => "could not go on".to_owned(),
        Ended::Unfinished => "stopped by --depth-max".to_owned(),
        Ended::OutOfTime => "stopped by --virtual-time-max".to_owned(),
        Ended::GoesOn => "the first process has ended, others go on".to_owned(),
    }
}

/// How every process stands.
fn processes(
    program: &ErlangProgram,
    run: &Run,
    names: &Names,
    failures: &[Failure],
) -> Vec<ProcessEnd> {
    let erlang = program.erlang();
    let status = |process: &foresee_erlang::component::Process| match &process.control {
        // The failure itself has been told with its reason.
        Control::Ended { .. } | Control::Ending { .. }
            if failures.iter().any(|failure| failure.who.contains(&process.pid)) =>
        {
            "exited abnormally".to_owned()
        }
        Control::Ended { reason } | Control::Ending { reason, .. } => {
            format!("exited {}", words::reason(reason))
        }
        Control::Stuck { what, .. } => what.clone(),
        control => {
            let verb = match control {
                Control::Receiving { .. } => "waits",
                _ => "runs",
            };
            let place = place(erlang, process).map_or(String::new(), |place| format!(" {place}"));
            let unread = erlang.inbox(&run.state, process.pid).map_or(0, |it| it.messages.len());
            let unread = match unread {
                0 => String::new(),
                1 => ", 1 message unread".to_owned(),
                n => format!(", {n} messages unread"),
            };
            format!("{verb}{place}{unread}")
        }
    };
    let end = |process: &foresee_erlang::component::Process| {
        let now = erlang.name_of(&run.state, process.pid);
        let name = if now.contains('/') { now } else { names.of(process.pid) };
        ProcessEnd { name, status: status(process) }
    };
    erlang.processes(&run.state).into_iter().map(end).collect()
}

/// Longer runs are told as they were: shortening them would take longer than reading them.
const MINIMISED_EVENTS_MAX: usize = 400;

/// Puts the first failing run into the report, with a trace if the run can be repeated without the clock.
fn tell(
    loaded: &Loaded,
    program: &ErlangProgram,
    request: &ErlangSimulateRequest,
    (seed, kind, message): (u64, ViolationKind, String),
    report: &mut Report,
) -> Result<(), Diagnostic> {
    if !request.evidence {
        report.violations.push(Found::without_run(kind, None, message));
        return Ok(());
    }
    let mut trace = Trace::new(loaded.name());
    let run = simulate(program.erlang(), seed, limits(request), |news| {
        if let News::Step { label, .. } = news {
            trace.events.push(TraceEvent::new(label.clone()));
        }
    });
    let n_events = trace.events.len();
    if n_events * run.state.len() > STORY_PARTS_MAX {
        let note = format!(
            "the failing run is too long to be told step by step ({n_events} events, {} processes); its seed shows it again",
            run.processes.len()
        );
        report.warnings.push(note);
        report.violations.push(Found::without_run(kind, None, message));
        return Ok(());
    }
    let replayed = replay(loaded, &trace);
    let check = CheckRequest {
        strategy: foresee_stateful::Strategy::Random,
        seed,
        minimise: n_events <= MINIMISED_EVENTS_MAX,
        ..CheckRequest::default()
    };
    if replayed.stop.is_none() {
        let path = replayed.path;
        let violation = Violation { kind, property: None, message: message.clone(), path };
        if let Evidence::Confirmed(found) = evidence(loaded, &check, "random", &violation)? {
            report.violations.push(*found);
            return Ok(());
        }
    }
    let note = "the failing run depends on the virtual clock, so there is no trace of it; its seed shows it again";
    report.warnings.push(note.to_owned());
    report.violations.push(Found::without_run(kind, None, message));
    Ok(())
}
