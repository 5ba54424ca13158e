//! Two engines in turns: where nobody chose an engine and either could answer, the interleavings of a program and its states are
//! explored side by side, and the first answer is taken.
//! Why: which of the two is fast is seen only when one of them has ended. A program whose events hardly race has few interleavings and
//! many states; one with long runs that meet again has many interleavings and few states.
//! How: a turn is so many events. Interleavings are explored alone at first, so that whatever they answer at once costs nothing more.
//! From then on neither engine is more than one turn ahead of the other: the one that is waits ([`Meter::reached`]). An answer belongs to
//! the turn in which its search ended. The lower turn wins; interleavings win where both are in the same.
//! States are looked for in up to three searches, one after the other: all of them for a while, so that a small program is answered in full
//! counts; then with local steps at once (`reduction`), in the exact reading, in which a program may have more states or even endlessly many; and
//! if that does not end, all of them again. Which of the three answers is decided by events, too.
//! Invariant: turns are counted in events, which follow from the program alone. So the report does not depend on the machine, on the number
//! of threads, or on who was faster: an engine is told to stop only when it can no longer win.
//! Not here: how an engine explores, or what its report says (`check`).

use crate::check::check_with;
use crate::{
    CheckRequest, Engine, Feature, InterleavingOptions, Loaded, Outcome, Reduction, Report,
    interleave, reduction,
};
use foresee_lts::{Assumption, StoppedBy};
use foresee_search::{Limits, Meter, Observer, Silent, VisitedKind};
use foresee_stateful::Strategy;
use foresee_stdx::halt::{self, Cause, Probe};
use foresee_stdx::stack;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Events that interleavings are explored for alone: a fraction of a second.
const ALONE: u64 = 1 << 20;
/// Events of a turn, by engine. They take about as long: most of a state's transitions are known already.
const TURN: [u64; 2] = [1 << 20, 1 << 21];
/// Events of the searches over states that are not the last: without reduction, and with it.
const PLAINLY: u64 = 1 << 20;
const REDUCED: u64 = 64 << 21;
/// Interleavings whose runs are too long to be followed to their end are no answer. So many turns the states get then, and as many again
/// as were taken.
const TURNS_MORE: u64 = 8;
/// A limit is noticed after so long by an engine that waits.
const PATIENCE: Duration = Duration::from_millis(10);

/// Numbers of the engines.
const RUNS: usize = 0;
const STATES: usize = 1;

/// Whether both engines do what is asked, and nothing is asked for that only one of them knows.
pub(crate) fn fit(loaded: &Loaded, request: &CheckRequest) -> bool {
    let is_plain = request.guide.is_none()
        && !request.check_independence
        && !request.keep_going
        && request.graph_max == 0
        && request.strategy == Strategy::BreadthFirst
        && request.visited == VisitedKind::Exact
        && request.limits.states_max.is_none();
    is_plain
        && loaded.kind().usual_engine() == Engine::Stateless
        && loaded.supports(Feature::Engine(Engine::Stateless))
        && asks_for_nothing(&interleave::wanted(loaded, request))
}

/// Whether all is left to us; a limit on time is one for both.
fn asks_for_nothing(options: &InterleavingOptions) -> bool {
    let time_max = options.time_max;
    let is_unbounded = options.is_unbounded;
    *options == InterleavingOptions { time_max, is_unbounded, ..Default::default() }
}

/// Explores with both.
pub(crate) fn check(
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Report {
    let start = meter.elapsed();
    let time_max = interleave::wanted(loaded, request).time_max;
    let limits = Limits { time_max, ..request.limits.clone() };
    let turns = Turns { table: Mutex::default(), news: Condvar::new() };
    let seat = |engine| Seat {
        turns: &turns,
        meter,
        engine,
        lost: Arc::default(),
        start,
        time_max,
        before: 0,
        events_max: u64::MAX,
        has_exceeded: Arc::default(),
    };
    let mut states = None;
    let mut runs = std::thread::scope(|scope| {
        let (states, seat_of_states) = (&mut states, seat(STATES));
        let (limits, turns) = (&limits, &turns);
        let _leaving = Leaving(turns, RUNS);
        stack::spawn(scope, move || {
            let _leaving = Leaving(turns, STATES);
            if seat_of_states.begin() {
                *states = Some(by_states(loaded, request, limits, seat_of_states));
            }
        });
        let seat_of_runs = seat(RUNS);
        let report = check_with(Engine::Stateless, loaded, request, &seat_of_runs, observer);
        seat_of_runs.end(&report);
        report
    });
    let Some(mut states) = states else { return runs };
    let is_by_states = match turns.lock().ended.map(Option::flatten) {
        [Some(runs), Some(states)] => states < runs,
        [None, Some(_)] => true,
        _ => false,
    };
    runs.seconds = (meter.elapsed() - start).as_secs_f64();
    if !is_by_states {
        return runs;
    }
    states.seconds = runs.seconds;
    states.warnings.push(
        "the states were all known before the interleavings were all explored, so this is the stateful engine's answer; --engine stateless goes on \
         with the interleavings"
            .to_owned(),
    );
    states
}

/// Explores the states, and says when it has ended.
fn by_states(
    loaded: &Loaded,
    request: &CheckRequest,
    limits: &Limits,
    mut seat: Seat<'_>,
) -> Report {
    let por = Reduction { por: true, ..Reduction::default() };
    let reduced = CheckRequest { reduction: por, ..request.clone() };
    let searches = match reduction::takes_at_once(loaded, &reduced) {
        Ok(true) => vec![(request, PLAINLY), (&reduced, REDUCED), (request, u64::MAX)],
        _ => vec![(request, u64::MAX)],
    };
    let mut last = None;
    for (request, events_max) in searches {
        (seat.events_max, seat.has_exceeded) = (events_max, Arc::default());
        let spent = seat.meter.elapsed() - seat.start;
        let time_max = limits.time_max.map(|max| max.saturating_sub(spent));
        let limits = Limits { time_max, ..limits.clone() };
        let request = CheckRequest { limits, ..request.clone() };
        let report = check_with(Engine::Stateful, loaded, &request, &seat, &mut Silent);
        let events = events_of(&report);
        // One that came to its end beyond the limit might have been stopped before, on a machine that looks more often.
        let is_over = events > events_max || seat.has_exceeded.load(Relaxed);
        let is_stopped = seat.lost.load(Relaxed) || seat.is_over();
        last = Some(report);
        if !is_over || is_stopped {
            break;
        }
        seat.before += events_max;
    }
    let report = last.expect("there is always one search");
    seat.end(&report);
    report
}

/// How many events a search has explored.
fn events_of(report: &Report) -> u64 {
    let at_once = report.assumed.iter().find_map(|it| match it {
        Assumption::AtOnce { steps } => Some(*steps),
        _ => None,
    });
    report.transitions + at_once.unwrap_or(0)
}

/// Who is where.
struct Turns {
    table: Mutex<Table>,
    news: Condvar,
}

#[derive(Clone, Copy, Default)]
struct Table {
    /// The turn that each engine is in.
    turn: [u64; 2],
    /// Engines that have ended, and the turn of their answer if they have one.
    ended: [Option<Option<u64>>; 2],
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("nobody panics while it is locked")
    }
}

impl Table {
    /// Whether an engine can no longer win.
    fn has_lost(&self, engine: usize) -> bool {
        match (engine, self.ended[1 - engine]) {
            (_, None) => false,
            (RUNS, Some(Some(other))) => self.turn[RUNS] > other,
            (_, Some(Some(other))) => self.turn[engine] >= other,
            (STATES, Some(None)) => self.turn[STATES] > 2 * self.turn[RUNS] + TURNS_MORE,
            (_, Some(None)) => false,
        }
    }

    fn is_ahead(&self, engine: usize) -> bool {
        self.ended[1 - engine].is_none() && self.turn[engine] > self.turn[1 - engine]
    }
}

/// Says that an engine has ended when its thread leaves, also by a panic: the other would wait for it for ever.
struct Leaving<'a>(&'a Turns, usize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let mut table = self.0.table.lock().unwrap_or_else(PoisonError::into_inner);
        let Leaving(turns, engine) = *self;
        if table.ended[engine].is_none() {
            table.ended[engine] = Some(None);
            turns.news.notify_all();
        }
    }
}

/// The turn in which an engine has explored so many events.
fn turn_of(engine: usize, events: u64) -> u64 {
    match engine {
        RUNS => events.checked_sub(ALONE).map_or(0, |more| 1 + more / TURN[RUNS]),
        _ => 1 + events / TURN[STATES],
    }
}

/// The meter of one of the two engines.
struct Seat<'a> {
    turns: &'a Turns,
    meter: &'a dyn Meter,
    engine: usize,
    lost: Arc<AtomicBool>,
    start: Duration,
    time_max: Option<Duration>,
    /// Events of earlier searches, and how many this one may explore.
    before: u64,
    events_max: u64,
    has_exceeded: Arc<AtomicBool>,
}

impl Seat<'_> {
    /// Waits for the engine's first turn; false if there is none, since the other has answered.
    fn begin(&self) -> bool {
        self.wait(1);
        let table = self.turns.lock();
        table.ended[1 - self.engine].is_none_or(|answer| answer.is_none()) && !self.is_over()
    }

    /// Waits until the other is in this turn too, or has ended, or a limit strikes.
    fn wait(&self, turn: u64) {
        let mut table = self.turns.lock();
        // A second search counts from nothing again.
        table.turn[self.engine] = table.turn[self.engine].max(turn);
        self.turns.news.notify_all();
        while table.is_ahead(self.engine) && !self.is_over() {
            let waited = self.turns.news.wait_timeout(table, PATIENCE);
            table = waited.expect("nobody panics while it is locked").0;
        }
        if table.has_lost(self.engine) {
            self.lost.store(true, Relaxed);
        }
    }

    fn is_over(&self) -> bool {
        let out_of_time = |max| self.meter.elapsed().saturating_sub(self.start) >= max;
        self.meter.interrupted()
            || halt::struck().is_some()
            || self.time_max.is_some_and(out_of_time)
    }

    fn end(&self, report: &Report) {
        let is_answer = report.verdict != Outcome::Inconclusive && !self.lost.load(Relaxed);
        let turn = turn_of(self.engine, self.before + events_of(report));
        let mut table = self.turns.lock();
        table.ended[self.engine] = Some(is_answer.then_some(turn));
        table.turn[self.engine] = table.turn[self.engine].max(turn);
        if !is_answer && report.stopped_by != Some(StoppedBy::Depth) {
            // The limit is one of the other, too; where it is not, its answer counts.
            table.turn[self.engine] = u64::MAX / 4;
        }
        self.turns.news.notify_all();
    }
}

impl Meter for Seat<'_> {
    fn elapsed(&self) -> Duration {
        self.meter.elapsed()
    }
    fn memory_bytes(&self) -> Option<u64> {
        self.meter.memory_bytes()
    }
    fn interrupted(&self) -> bool {
        self.lost.load(Relaxed) || self.has_exceeded.load(Relaxed) || self.meter.interrupted()
    }
    fn reached(&self, events: u64) {
        if events > self.events_max {
            self.has_exceeded.store(true, Relaxed);
        }
        self.wait(turn_of(self.engine, self.before + events.min(self.events_max)));
    }
    fn probe(&self) -> Option<Arc<dyn Probe>> {
        let stops = [Arc::clone(&self.lost), Arc::clone(&self.has_exceeded)];
        Some(Arc::new(Stopper { inner: self.meter.probe(), stops }))
    }
}

/// Halts the work of an engine that can no longer win.
struct Stopper {
    inner: Option<Arc<dyn Probe>>,
    stops: [Arc<AtomicBool>; 2],
}

impl Probe for Stopper {
    fn struck(&self) -> Option<Cause> {
        let is_stopped = || self.stops.iter().any(|stop| stop.load(Relaxed));
        let stopped = || is_stopped().then_some(Cause::Interrupt);
        self.inner.as_ref().and_then(|inner| inner.struck()).or_else(stopped)
    }
    fn grants(&self, bytes: u64) -> bool {
        self.inner.as_ref().is_none_or(|inner| inner.grants(bytes))
    }
    fn limits_time(&self) -> bool {
        self.inner.as_ref().is_some_and(|inner| inner.limits_time())
    }
    fn limits_memory(&self) -> bool {
        self.inner.as_ref().is_some_and(|inner| inner.limits_memory())
    }
    fn advanced(&self) {
        self.inner.iter().for_each(|inner| inner.advanced());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoMeter;

    fn seat(turns: &Turns, engine: usize) -> Seat<'_> {
        Seat {
            turns,
            meter: &NoMeter,
            engine,
            lost: Arc::default(),
            start: Duration::ZERO,
            time_max: None,
            before: 0,
            events_max: u64::MAX,
            has_exceeded: Arc::default(),
        }
    }

    /// An engine that panics leaves its turn to the other, which would wait for ever otherwise.
    #[test]
    fn nobody_waits_for_an_engine_that_has_panicked() {
        for (gone, other) in [(RUNS, STATES), (STATES, RUNS)] {
            let turns = Turns { table: Mutex::default(), news: Condvar::new() };
            let waits = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        let _leaving = Leaving(&turns, gone);
                        std::panic::resume_unwind(Box::new("an engine's mistake"));
                    });
                    seat(&turns, other).wait(5);
                });
            }));
            assert!(waits.is_err(), "the panic is passed on");
            assert!(turns.lock().ended[gone] == Some(None) && turns.lock().turn[other] == 5);
        }
    }
}
