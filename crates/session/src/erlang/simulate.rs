//! A simulated run of an Erlang program: what happens in it, how it ends, and how a failing one is shown.
//! What makes an outcome: how the run ended, which processes failed with which reasons, and how every process stands at the
//! end. Not: the order of events on the way, what was printed, the virtual time.
//! A server that waits for requests when everything is over has done nothing wrong: a run in which the first process has
//! ended and others wait is *idle*. If the first process itself waits, it is a deadlock.

use super::program::ErlangProgram;
use super::waits::place;
use crate::evidence::{Evidence, STORY_PARTS_MAX, evidence};
use crate::front_end::FrontEnd as _;
use crate::simulate::{
    EVENTS_MAX, Kept, ProcessEnd, ProcessEnds, RunEnd, Scene, SceneKind, SimulateRequest,
    SimulatedRun, Watching, WrongRun, as_check,
};
use crate::{CheckRequest, Diagnostic, Found, Loaded, Report};
use foresee_erlang::world::component::Control;
use foresee_erlang::{
    Atom, Event, Limits, News, Outcome as Ended, Pid, Run, Term, simulate, words,
};
use foresee_lts::{Place, StoppedBy, System, Verb, Violation, ViolationKind};
use foresee_stdx::halt;
use foresee_trace::{Event as TraceEvent, Trace, member_identity, replay};
use std::collections::BTreeMap;
use std::time::Duration;

impl ErlangProgram {
    /// One run in virtual time.
    pub(super) fn simulated(
        &self,
        seed: u64,
        request: &SimulateRequest,
        watching: &mut Watching<'_>,
    ) -> SimulatedRun {
        let mut names = Names::default();
        let run = simulate(self.erlang(), seed, limits(request, seed), |news| {
            if matches!(news, News::Step { .. }) {
                watching.count();
            } else {
                halt::look();
            }
            names.note(&news);
            watching.tell(|number| scene(&news, &names, number));
        });
        let failures = self.failures_of(&run);
        let wrong = failures.first().map(|failure| WrongRun {
            kind: failure.kind,
            property: None,
            message: failure.text(&names),
            kept: Kept::Seed,
        });
        let processes = ProcessEnds {
            failures: failures.iter().map(|failure| failure.text(&names)).collect(),
            processes: processes(self, &run, &names, &failures),
        };
        SimulatedRun {
            end: RunEnd { outcome: outcome_words(&run), processes: Some(processes) },
            n_events: run.steps,
            messages: None,
            time: Some(Duration::from_millis(run.now_ms)),
            stopped_by: match run.outcome {
                Ended::Unfinished => Some(StoppedBy::Depth),
                Ended::OutOfTime => Some(StoppedBy::Time),
                _ => None,
            },
            trouble: self.trouble(&run.state),
            wrong,
        }
    }
}

/// How long, in virtual time, the others may go on when the first process has ended.
const GRACE: Duration = Duration::from_secs(60);

fn limits(request: &SimulateRequest, seed: u64) -> Limits {
    let grace = if request.output_only { Duration::ZERO } else { GRACE };
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Limits {
        steps_max: request.events_max.unwrap_or(EVENTS_MAX),
        now_ms_max: request.virtual_time_max.map(ms),
        grace_ms: Some(ms(grace)),
        in_turns: request.in_turns && seed == request.seed,
    }
}

/// The names that processes had, also after they have ended and lost them.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    fn note(&mut self, news: &News<'_>) {
        let News::Step { label, .. } = news else { return };
        for name in label.from.iter().chain(&label.to) {
            let identity = member_identity(name);
            if format!("{identity}>") != *name {
                self.0.insert(format!("{identity}>"), name.clone());
            }
        }
    }

    fn of(&self, pid: Pid) -> String {
        let text = pid.to_string();
        self.0.get(&text).cloned().unwrap_or(text)
    }
}

/// What is worth telling of a piece of news.
fn scene(news: &News<'_>, names: &Names, number: u64) -> Option<Scene> {
    let (now_ms, who, kind, what) = match news {
        News::Step { now_ms, label } => {
            let kind = match label.verb {
                Verb::Timer | Verb::Timeout => SceneKind::Timer,
                _ if label.about.is_aftermath => SceneKind::Aftermath,
                _ => SceneKind::Step,
            };
            let who = match (&label.from, &label.to) {
                (Some(from), Some(to)) => format!("{from} -> {to}"),
                (_, to) => to.clone().unwrap_or_default(),
            };
            let (what, place) = (label.payload.to_string(), label.place.as_ref());
            let (time, place) = (Duration::from_millis(*now_ms), place.map(Place::to_string));
            let books_of = label.about.keeps_books.clone();
            return Some(Scene { time, number, who, kind, what, place, books_of });
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
    let time = Duration::from_millis(now_ms);
    Some(Scene { time, number, who, kind, what, place: None, books_of: None })
}

fn crash_report(reason: &Term) -> String {
    let mut text = words::reason(reason);
    let Some([_, Term::Trace(trace)]) = reason.as_tuple() else { return text };
    for entry in &trace.entries {
        let (module, function) = (entry.module.text(), entry.function.text());
        text.push_str(&format!("\nin {module}:{function}/{}", entry.arity));
        let is_users = |file: &Atom| {
            !file.text().is_empty()
                && !file.text().starts_with(foresee_erlang::program::prelude::PATH)
        };
        if let Some(file) = entry.file.filter(is_users) {
            let file = file.text().rsplit('/').next().unwrap_or_default();
            text.push_str(&format!(" ({file}:{})", entry.line));
        }
    }
    text
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
    let status = |process: &foresee_erlang::world::component::Process| match &process.control {
        // The failure itself has been told with its reason.
        Control::Ended { .. } | Control::Ending { .. }
            if failures.iter().any(|failure| failure.who.contains(&process.pid)) =>
        {
            "exited abnormally".to_owned()
        }
        Control::Ended { reason } | Control::Ending { reason, .. } => {
            format!("exited {}", words::reason(reason))
        }
        Control::Stuck(stuck) => stuck.to_string(),
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
    let end = |process: &foresee_erlang::world::component::Process| {
        let now = erlang.name_of(&run.state, process.pid);
        let name = if now.contains('/') { now } else { names.of(process.pid) };
        ProcessEnd { name, status: status(process) }
    };
    erlang.processes(&run.state).into_iter().map(end).collect()
}

/// Longer runs are told as they were: shortening them would take longer than reading them.
const MINIMISED_EVENTS_MAX: usize = 400;

/// Puts the first failing run into the report, with a trace if the run can be repeated without the clock.
pub(super) fn show(
    loaded: &Loaded,
    program: &ErlangProgram,
    request: &SimulateRequest,
    (seed, wrong): (u64, WrongRun),
    report: &mut Report,
) -> Result<(), Diagnostic> {
    let WrongRun { kind, message, .. } = wrong;
    if request.output_only {
        report.violations.push(Found::without_run(kind, None, message));
        return Ok(());
    }
    let mut trace = Trace::new(loaded.name());
    let run = simulate(program.erlang(), seed, limits(request, seed), |news| {
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
    let check = CheckRequest { minimise: n_events <= MINIMISED_EVENTS_MAX, ..as_check(seed) };
    if replayed.stop.is_none() {
        let path = replayed.path;
        let violation = Violation { kind, property: None, message: message.clone(), path };
        if let Evidence::Confirmed(found) = evidence(loaded, &check, "random", &violation, None)? {
            report.violations.push(*found);
            return Ok(());
        }
    }
    let note = "the failing run depends on the virtual clock, so there is no trace of it; its seed shows it again";
    report.warnings.push(note.to_owned());
    report.violations.push(Found::without_run(kind, None, message));
    Ok(())
}
