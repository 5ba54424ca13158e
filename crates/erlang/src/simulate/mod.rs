//! One run of a program: a seeded scheduler and a virtual clock over the system.
//! At every step one of the things that can happen now is drawn; a timeout or a timer can happen when its time has come,
//! and when nothing else can happen the clock jumps to the next deadline. So a run needs no time to wait, and the same
//! seed gives the same run. Instead of drawing, the processes may take turns (`turns`).

mod turns;

use self::turns::{Party, Turns};
use crate::builtins::BUILTINS;
use crate::events::actions::Move;
use crate::events::offers::Offers;
use crate::system::Erlang;
use crate::term::{Pid, Reference, Term};
use crate::world::component::{Control, Process};
use crate::world::step::Event;
use foresee_lts::{Action, Label, State, System, Telling};
use foresee_stdx::mix;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How long to run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub steps_max: u64,
    /// Virtual time at which a run is stopped.
    pub now_ms_max: Option<u64>,
    /// Virtual time that the others still get when the first process has ended; a program whose timers never stop would
    /// otherwise not end at all.
    pub grace_ms: Option<u64>,
    /// The processes take turns, as on a quiet machine with one processor; nothing is drawn then.
    pub in_turns: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps_max: 1_000_000, now_ms_max: None, grace_ms: None, in_turns: false }
    }
}

/// What a run tells as it goes.
#[derive(Debug)]
pub enum News<'n> {
    /// An action is about to happen.
    Step { now_ms: u64, label: &'n Label },
    /// Something happened in it.
    Event { now_ms: u64, event: &'n Event },
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Every process has ended.
    Finished,
    /// Nothing can happen, and these wait for messages.
    Deadlock(Vec<Pid>),
    /// The program has stopped itself with this status.
    Halted(Term),
    /// A process cannot go on, for a reason that is ours.
    Stuck(Pid, String),
    /// The limit of steps was reached.
    Unfinished,
    /// The limit of time was reached.
    OutOfTime,
    /// The first process has ended, and the others go on and on.
    GoesOn,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    pub steps: u64,
    pub now_ms: u64,
    pub state: State,
    /// Processes that ended abnormally, with their reasons, in order of time.
    pub failures: Vec<(Pid, Term)>,
    /// How each process ended or stands, in the order of pids.
    pub processes: Vec<(String, String)>,
}

/// Runs a program once.
pub fn simulate(system: &Erlang, seed: u64, limits: Limits, mut tell: impl FnMut(News<'_>)) -> Run {
    let (state, events) = system.start();
    let (own, state) = system.renewed(&state);
    let mut scheduler = Scheduler {
        system: Arc::new(own),
        state,
        n_steps_kept: 0,
        random: mix(seed ^ 0x5EED),
        now_ms: 0,
        receives: FxHashMap::default(),
        timers: FxHashMap::default(),
        first_ended_ms: None,
        failures: Vec::new(),
        offers: Offers::default(),
        turns: limits.in_turns.then(Turns::default),
    };
    scheduler.offers = Offers::of(&scheduler.system, &scheduler.state);
    events.iter().for_each(|event| tell(News::Event { now_ms: 0, event }));
    let (mut steps, mut n_looked_up) = (0, 0u64);
    let outcome = loop {
        if let Some(outcome) = scheduler.stopped() {
            break outcome;
        }
        if steps >= limits.steps_max {
            break Outcome::Unfinished;
        }
        let Some(action) = scheduler.choose() else { break scheduler.quiet() };
        if let Some(outcome) = scheduler.is_late(&limits) {
            break outcome;
        }
        // A call that asks which code a module has now is a step where races are looked for, and none to who watches a run.
        let looks_up = scheduler.looks_up_code(action);
        n_looked_up += u64::from(looks_up);
        if !looks_up {
            let label = scheduler.system.label(&scheduler.state, action);
            tell(News::Step { now_ms: scheduler.now_ms, label: &label });
        }
        for event in scheduler.perform(action) {
            tell(News::Event { now_ms: scheduler.now_ms, event: &event });
        }
        steps += u64::from(!looks_up || n_looked_up % LOOK_UPS == 0);
        scheduler.forget_the_past();
    };
    let Scheduler { system: own, state, now_ms, failures, .. } = scheduler;
    let state: State = system.core.adopt(&own.core, &state);
    let processes = final_states(system, &state);
    Run { outcome, steps, now_ms, state, failures, processes }
}

/// So many look-ups of code count as one step, so that a run of nothing else comes to its limit, too.
const LOOK_UPS: u64 = 16;

/// Longer lists of actions are not compared with what they should be.
const SHORT: usize = 32;

/// So many steps, or as many as a state has slots, are kept before a run forgets the states behind it.
const STEPS_KEPT: usize = 64;

struct Scheduler {
    /// The program as it runs here. States are made of numbered components that are never given up, so a run that goes on
    /// changing a large term would need memory for each of its versions: now and then it goes on in a system without a past.
    system: Arc<Erlang>,
    state: State,
    n_steps_kept: usize,
    random: u64,
    now_ms: u64,
    /// When the receive in which a process waits times out; forgotten when the process moves.
    receives: FxHashMap<Pid, u64>,
    /// When a timer is due.
    timers: FxHashMap<Reference, u64>,
    first_ended_ms: Option<u64>,
    failures: Vec<(Pid, Term)>,
    offers: Offers,
    turns: Option<Turns>,
}

impl Scheduler {
    fn forget_the_past(&mut self) {
        self.n_steps_kept += 1;
        if self.n_steps_kept < STEPS_KEPT.max(self.state.len()) {
            return;
        }
        let (system, state) = self.system.renewed(&self.state);
        self.offers = Offers::of(&system, &state);
        (self.system, self.state, self.n_steps_kept) = (Arc::new(system), state, 0);
    }

    /// Whether an action only asks for the code that a module has now (`foresee_code:resolve/3`).
    fn looks_up_code(&self, action: Action) -> bool {
        let Move::Process(pid) = self.system.decode(&self.state, action) else { return false };
        let process = self.system.process(&self.state, pid);
        let Some(Control::Calling { builtin, arguments, .. }) = process.map(|it| &it.control)
        else {
            return false;
        };
        let key = arguments.first().and_then(Term::as_tuple).and_then(|key| key.first());
        key.is_some_and(|tag| *tag == a!("foresee_code")) && BUILTINS.get(*builtin).name == "get"
    }

    /// An action that can happen now, after letting time pass if none can.
    fn choose(&mut self) -> Option<Action> {
        let has_crashes = self.system.core.crashes.is_some();
        if !has_crashes && self.offers.are_timeless(&self.system, &self.state) {
            let n = self.offers.actions.len();
            debug_assert!(n > SHORT || self.offers.actions == self.enabled(), "kept up to date");
            if n == 0 {
                return None;
            }
            let actions = std::mem::take(&mut self.offers.actions);
            let index = self.pick(&actions);
            self.offers.actions = actions;
            return self.offers.actions.get(index).copied();
        }
        let enabled = self.enabled();
        let due: Vec<(Action, u64)> =
            enabled.into_iter().map(|action| (action, self.due(action))).collect();
        let earliest = due.iter().map(|(_, due)| *due).min()?;
        self.now_ms = self.now_ms.max(earliest);
        let ready: Vec<Action> =
            due.iter().filter(|(_, due)| *due <= self.now_ms).map(|(a, _)| *a).collect();
        let index = self.pick(&ready);
        ready.get(index).copied()
    }

    /// The index of the action that happens now; there is at least one.
    fn pick(&mut self, ready: &[Action]) -> usize {
        let Some(turns) = &mut self.turns else { return self.draw(ready.len()) };
        let timers = &self.system.timers(&self.state).timers;
        let timer = |index: usize| timers.get(index).map(|timer| timer.reference);
        let party = |action: &Action| Party::of(self.system.decode(&self.state, *action), timer);
        turns.next(&ready.iter().map(party).collect::<Vec<Party>>())
    }

    fn enabled(&self) -> Vec<Action> {
        let mut enabled = Vec::new();
        self.system.enabled(&self.state, &mut enabled);
        enabled
    }

    fn draw(&mut self, n: usize) -> usize {
        self.random = mix(self.random.wrapping_add(0x9E37_79B9_7F4A_7C15));
        ((u128::from(self.random) * n as u128) >> 64) as usize
    }

    fn due(&mut self, action: Action) -> u64 {
        let now = self.now_ms;
        match self.system.decode(&self.state, action) {
            Move::Process(_) | Move::Deliver(..) | Move::Crash(_) | Move::NoMoreCrashes => 0,
            Move::Timeout(pid) => {
                let wait = self.system.process(&self.state, pid).map_or(0, timeout_of);
                *self.receives.entry(pid).or_insert(now + wait)
            }
            Move::Timer(index) => match self.system.timers(&self.state).timers.get(index) {
                Some(timer) => {
                    *self.timers.entry(timer.reference).or_insert(now + timer.milliseconds)
                }
                None => now,
            },
        }
    }

    fn perform(&mut self, action: Action) -> Vec<Event> {
        match self.system.decode(&self.state, action) {
            Move::Process(pid) | Move::Timeout(pid) | Move::Crash(pid) => {
                self.receives.remove(&pid);
            }
            Move::Timer(index) => {
                if let Some(timer) = self.system.timers(&self.state).timers.get(index) {
                    self.timers.remove(&timer.reference);
                }
            }
            Move::Deliver(..) | Move::NoMoreCrashes => {}
        }
        let (events, changed) = self.system.perform_in_place(&mut self.state, action, self.now_ms);
        self.offers.follow(&self.system, &self.state, changed);
        // To read the clock takes time.
        if let Some(clock) = &self.system.timers(&self.state).clock {
            self.now_ms = self.now_ms.max(clock.elapsed_ms());
        }
        let set = &self.system.timers(&self.state).timers;
        self.timers.retain(|reference, _| set.iter().any(|timer| timer.reference == *reference));
        for event in &events {
            let Event::Exited { pid, reason } = event else { continue };
            if *pid == Pid::first() {
                self.first_ended_ms = Some(self.now_ms);
            }
            if self.system.is_abnormal(reason) {
                self.failures.push((*pid, reason.clone()));
            }
        }
        events
    }

    /// Whether the clock has passed a limit.
    fn is_late(&self, limits: &Limits) -> Option<Outcome> {
        if limits.now_ms_max.is_some_and(|limit| self.now_ms >= limit) {
            return Some(Outcome::OutOfTime);
        }
        let grace = limits.grace_ms.zip(self.first_ended_ms);
        grace.filter(|(grace, ended)| self.now_ms > ended + grace).map(|_| Outcome::GoesOn)
    }

    fn stopped(&self) -> Option<Outcome> {
        if let Some(status) = &self.system.shared(&self.state).halted {
            return Some(Outcome::Halted(status.clone()));
        }
        self.offers.stuck.clone().map(|(pid, stuck)| Outcome::Stuck(pid, stuck.to_string()))
    }

    fn quiet(&self) -> Outcome {
        match self.system.blocked(&self.state) {
            blocked if blocked.is_empty() => Outcome::Finished,
            blocked => Outcome::Deadlock(blocked),
        }
    }
}

fn timeout_of(process: &Process) -> u64 {
    match &process.control {
        Control::Receiving { timeout, .. } => timeout.as_int().map_or(0, |ms| ms as u64),
        _ => 0,
    }
}

fn final_states(system: &Erlang, state: &[u32]) -> Vec<(String, String)> {
    system
        .processes(state)
        .into_iter()
        .map(|process| {
            let how = match &process.control {
                Control::Ended { reason } => format!("exited {reason}"),
                _ => {
                    let what = system.intention(state, process).words;
                    match system.place(process) {
                        Some((file, line)) => format!("{what} at {}:{line}", file.text()),
                        None => what,
                    }
                }
            };
            (system.name_of(state, process.pid), how)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Entry, Options};
    use crate::program::{SourceText, load};
    use foresee_erlang_syntax::no_includes;

    #[test]
    fn a_run_keeps_no_more_than_its_last_states() {
        let text = "-module(m).\n-export([main/0]).\nmain() -> grow(500, #{}).\n\
                    grow(0, _) -> receive never -> ok end;\n\
                    grow(N, All) -> self() ! N, receive N -> grow(N - 1, All#{N => []}) end.\n";
        let file = SourceText { path: "m.erl", text };
        let program = load(&[file], &Default::default(), &mut no_includes).program;
        let system =
            Erlang::new(program.expect("a program"), Entry::new("m", "main"), Options::default());
        let run = simulate(&system, 0, Limits::default(), |_| {});
        assert!(matches!(run.outcome, Outcome::Deadlock(_)), "{:?}", run.outcome);
        assert!(run.steps >= 1_000, "{} steps", run.steps);
        let kept = system.core.components.len();
        assert!(kept <= 2 * STEPS_KEPT, "{kept} components of {} steps", run.steps);
        assert!(system.process(&run.state, Pid::first()).is_some(), "the last state is readable");
    }
}
