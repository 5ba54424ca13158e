//! The clock of a run. It exists from the first time that somebody reads it: a program that reads none has none.
//! A read returns more than every earlier one, in its own unit, so readers are ordered; a timeout or timer that fires adds its
//! milliseconds, so two reads around it are at least that far apart. Adding commutes, as firing does.
//! Why not the deadline itself: to know it, every wait would have to look at the clock when it begins, and so race with all
//! that moves it. What is added is at least as late.
//! Values start at a round number, far from those that programs compute with, so that one who keeps a value of the clock is
//! known ([`kept`]). In a search of states the clock begins anew when it has moved often and nobody keeps one: a server that
//! reads the time and forgets it comes back to its states. docs/decisions/0108-clocks-that-move.md says why that is sound.
//! Not here: the functions that read it (`crate::builtins::clock`).

use crate::machine::Raise;
use crate::program::Program;
use crate::program::code::Function;
use crate::system::Erlang;
use crate::term::{Pid, Term};
use crate::world::component::{Component, Control, Process, Signal};
use crate::world::step::Step;
use parking_lot::Mutex;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use foresee_erlang_options::ClockMode;

/// What the clock shows when it is first read: 2001-09-09 01:46:40, a round number of seconds.
const START_NS: u64 = 1_000_000_000_000_000_000;

/// So often the clock moves before it may begin anew: runs that are shorter see the same values in every engine.
const MOVES_MAX: u32 = 100;

/// A number of this size may be a value of the clock or computed from one.
const LARGE: f64 = 1e6;

/// So many digits in a row may be the text of one.
const DIGITS: usize = 7;

/// The clock, once it has been read.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Clock {
    pub now_ns: u64,
    /// How often it has moved, as far as that is counted.
    n_moves: u32,
    /// Somebody has read it in parts, which are too small to be known for what they are.
    is_kept: bool,
    /// What `statistics(wall_clock)` and `statistics(runtime)` have last returned, in milliseconds.
    told_ms: [u64; 2],
}

impl Default for Clock {
    fn default() -> Self {
        Clock { now_ns: START_NS, n_moves: 0, is_kept: false, told_ms: [0; 2] }
    }
}

impl Clock {
    /// Milliseconds since the clock was first read.
    pub fn elapsed_ms(&self) -> u64 {
        (self.now_ns - START_NS) / 1_000_000
    }

    fn advance_to(&mut self, elapsed_ms: u64) {
        self.now_ns = self.now_ns.max(START_NS + elapsed_ms.saturating_mul(1_000_000));
    }
}

/// What is known of the clock beside the states.
#[derive(Clone)]
pub(crate) struct ClockUse {
    pub(crate) mode: ClockMode,
    /// Some function of the program reads it, and it moves.
    pub(crate) may_be_read: bool,
    was_read: Arc<AtomicBool>,
    kept: Arc<Mutex<Option<Kept>>>,
}

impl ClockUse {
    pub(crate) fn new(program: &Program, mode: ClockMode) -> ClockUse {
        let may_be_read = mode == ClockMode::Moving && program.may_read_clock();
        ClockUse { mode, may_be_read, was_read: Arc::default(), kept: Arc::default() }
    }

    fn has_been_read(&self) {
        self.was_read.store(true, Ordering::Relaxed);
    }

    /// Of several the first in the order of their texts, whoever found it first.
    fn is_kept_by(&self, kept: Kept) {
        let mut known = self.kept.lock();
        if known.as_ref().is_none_or(|known| kept.to_string() < known.to_string()) {
            *known = Some(kept);
        }
    }
}

impl Erlang {
    /// Whether some process has read the clock so far, where it moves.
    pub fn has_read_clock(&self) -> bool {
        self.core.clock.was_read.load(Ordering::Relaxed)
    }

    /// A value of the clock that somebody keeps after it has moved often: no state with it will come again.
    pub fn kept_clock_value(&self) -> Option<Kept> {
        self.core.clock.kept.lock().clone()
    }
}

/// One look at the clock.
pub(crate) struct Reading<'c> {
    clock: &'c mut Clock,
    moves: bool,
}

impl Reading<'_> {
    /// The time in parts of a second.
    pub(crate) fn in_parts(&mut self, parts_per_second: i64) -> i128 {
        const NS: u128 = 1_000_000_000;
        let parts = u128::from(parts_per_second.unsigned_abs());
        let now = u128::from(self.clock.now_ns) * parts / NS;
        if !self.moves {
            return now as i128;
        }
        let next = now + 1;
        let next_ns = u64::try_from((next * NS).div_ceil(parts)).unwrap_or(u64::MAX);
        self.clock.now_ns = next_ns.max(self.clock.now_ns.saturating_add(1));
        (u128::from(self.clock.now_ns) * parts / NS) as i128
    }

    /// The same as a small number, of which nobody could tell later that it came from the clock.
    pub(crate) fn in_small_parts(&mut self, parts_per_second: i64) -> i64 {
        self.clock.is_kept = true;
        self.in_parts(parts_per_second) as i64
    }

    /// Milliseconds since the start, and how many of them have passed since this was last asked; there are two such accounts.
    pub(crate) fn account(&mut self, which: usize) -> (i64, i64) {
        let base = if self.moves { START_NS / 1_000_000 } else { 0 };
        let now = (self.in_small_parts(1000) as u64).saturating_sub(base);
        let told = std::mem::replace(&mut self.clock.told_ms[which], now);
        (now as i64, now.saturating_sub(told) as i64)
    }
}

/// A look at a clock that others do not move, so many milliseconds after it began.
pub(crate) fn still<T>(now_ms: u64, look: impl FnOnce(&mut Reading<'_>) -> T) -> T {
    let now_ns = now_ms.saturating_mul(1_000_000);
    let mut clock = Clock { now_ns, ..Clock::default() };
    look(&mut Reading { clock: &mut clock, moves: false })
}

impl Step<'_> {
    /// Reads the clock, which moves it. Waits say that they take time only if the program names a clock somewhere.
    pub(crate) fn read_clock<T>(
        &mut self,
        look: impl FnOnce(&mut Reading<'_>) -> T,
    ) -> Result<T, Raise> {
        if !self.core.clock.may_be_read && self.virtual_ms.is_none() {
            let what = "a clock, read by a name that is put together at run time";
            return Err(Raise::unmodelled(what.to_owned()));
        }
        let mut clock = self.timers().clock.clone().unwrap_or_default();
        self.core.clock.has_been_read();
        match self.virtual_ms {
            Some(ms) => clock.advance_to(ms),
            None if self.core.rules.clocks_begin_anew => self.count_move(&mut clock),
            None => {}
        }
        let answer = look(&mut Reading { clock: &mut clock, moves: true });
        self.timers_mut().clock = Some(clock);
        Ok(answer)
    }

    /// So many milliseconds have passed for somebody who waited.
    pub(crate) fn pass_time(&mut self, milliseconds: u64) {
        if milliseconds == 0 || !self.core.clock.may_be_read || self.virtual_ms.is_some() {
            return;
        }
        self.touched.moves_clock();
        let Some(mut clock) = self.timers().clock.clone() else { return };
        if self.core.rules.clocks_begin_anew {
            self.count_move(&mut clock);
        }
        clock.now_ns = clock.now_ns.saturating_add(milliseconds.saturating_mul(1_000_000));
        self.timers_mut().clock = Some(clock);
    }

    /// What the clock shows, without moving it.
    pub(crate) fn clock_ms(&self) -> u64 {
        let elapsed = self.timers().clock.as_ref().map_or(0, Clock::elapsed_ms);
        let base = if self.core.clock.mode == ClockMode::Moving { START_NS / 1_000_000 } else { 0 };
        base + elapsed.max(self.virtual_ms.unwrap_or(0))
    }

    /// A clock that has moved often begins anew, unless somebody keeps a value of it.
    fn count_move(&self, clock: &mut Clock) {
        if clock.n_moves < MOVES_MAX {
            clock.n_moves += 1;
            return;
        }
        if clock.is_kept {
            return;
        }
        match self.kept_value() {
            Some(kept) => self.core.clock.is_kept_by(kept),
            None => *clock = Clock::default(),
        }
    }

    /// The first component that may hold a value of the clock.
    fn kept_value(&self) -> Option<Kept> {
        let mut found = None;
        self.for_each_component(|component| {
            if found.is_none() {
                found = kept(self, component);
            }
        });
        found
    }
}

/// Who keeps a value of the clock, and which.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Kept {
    pub holder: Holder,
    pub value: Term,
}

/// Where a value is kept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Holder {
    /// By a process in what it computes with; the function, the file and the line where it rests.
    Process(Pid, Option<(String, String, u32)>),
    /// In its dictionary, under a key.
    Dictionary(Pid, Term),
    Mailbox(Pid),
    /// In a table, by its name.
    Table(String),
    Timer,
    PersistentTerm(Term),
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.holder {
            Holder::Process(pid, Some((function, file, line))) => {
                write!(f, "{} in {pid}, {function} at {file}:{line}", self.value)
            }
            Holder::Process(pid, None) => write!(f, "{} in {pid}", self.value),
            Holder::Dictionary(pid, key) => {
                write!(f, "{} in the dictionary of {pid} under {key}", self.value)
            }
            Holder::Mailbox(pid) => write!(f, "{} in a message to {pid}", self.value),
            Holder::Table(name) => write!(f, "{} in the table {name}", self.value),
            Holder::Timer => write!(f, "{} in the message of a timer", self.value),
            Holder::PersistentTerm(key) => write!(f, "{} in persistent_term {key}", self.value),
        }
    }
}

/// What may be a value of the clock in a component.
fn kept(step: &Step<'_>, component: &Component) -> Option<Kept> {
    let keeps = |holder: Holder, value: Term| Some(Kept { holder, value });
    match component {
        Component::Process(process) => kept_by_process(step, process),
        Component::Inbox(inbox) => {
            keeps(Holder::Mailbox(inbox.pid), inbox.messages.iter().find_map(large)?)
        }
        Component::Table(table) => keeps(
            Holder::Table(table.name.text().to_owned()),
            table.objects().iter().find_map(large)?,
        ),
        Component::Timers(timers) => {
            keeps(Holder::Timer, timers.timers.iter().find_map(|timer| large(&timer.message))?)
        }
        Component::Shared(shared) => {
            let mut all = shared.persistent.entries().iter();
            let (key, value) = all.find_map(|(key, value)| Some((key, large(value)?)))?;
            keeps(Holder::PersistentTerm(key.clone()), value)
        }
        Component::Channel(channel) => {
            let mut all = channel.signals.iter();
            keeps(Holder::Mailbox(channel.to), all.find_map(|it| large(term_of(it)))?)
        }
    }
}

fn term_of(signal: &Signal) -> &Term {
    match signal {
        Signal::Message(term) | Signal::AliasMessage(_, term) => term,
        Signal::Exit(reason) | Signal::LinkExit(reason) | Signal::Down { reason, .. } => reason,
    }
}

fn kept_by_process(step: &Step<'_>, process: &Process) -> Option<Kept> {
    let pid = process.pid;
    let mut dictionary = process.dictionary.entries().iter();
    if let Some((key, value)) = dictionary.find_map(|(key, value)| Some((key, large(value)?))) {
        return Some(Kept { holder: Holder::Dictionary(pid, key.clone()), value });
    }
    let (rest, arguments): (_, &[Term]) = match &process.control {
        Control::Calling { rest, arguments, .. } => (rest, arguments),
        Control::Receiving { rest, .. } => (rest, &[]),
        _ => return None,
    };
    let value = rest.values.iter().chain(arguments).find_map(large)?;
    let frames = rest.frames.iter().rev();
    let own = frames.map(|&(number, pc)| (step.core.program.function(number), pc));
    let place = |(function, pc): (&Function, u32)| {
        let name = format!("{}/{}", function.name.text(), function.arity);
        let file = crate::tell::label::base_name(function.file.text()).to_owned();
        (name, file, function.line(pc))
    };
    let place =
        own.filter(|(function, _)| crate::tell::label::is_users(function.file)).map(place).next();
    Some(Kept { holder: Holder::Process(pid, place), value })
}

/// The first part of a term that may be a value of the clock, or its text.
fn large(term: &Term) -> Option<Term> {
    match term {
        Term::Int(n) => ((*n as f64).abs() >= LARGE).then(|| term.clone()),
        Term::Big(_) => Some(term.clone()),
        Term::Float(x) => (x.abs() >= LARGE).then(|| term.clone()),
        Term::Tuple(tuple) => tuple.items().iter().find_map(large),
        Term::Cons(_) => {
            let mut cells = term.cells();
            let (mut digits, mut found) = (0, None);
            for item in cells.by_ref() {
                let is_digit = matches!(item, Term::Int(48..=57));
                digits = if is_digit { digits + 1 } else { 0 };
                if digits >= DIGITS {
                    return Some(term.clone());
                }
                found = found.or_else(|| large(item));
            }
            found.or_else(|| large(cells.rest()))
        }
        Term::Map(map) => {
            map.entries().iter().find_map(|(key, value)| large(key).or_else(|| large(value)))
        }
        Term::Fun(fun) => fun.environment().iter().find_map(large),
        Term::Bits(bits) => {
            let bytes = bits.to_bytes();
            let has_text = bytes.windows(DIGITS).any(|it| it.iter().all(u8::is_ascii_digit));
            has_text.then(|| term.clone())
        }
        Term::Atom(atom) => {
            let has_text =
                atom.text().as_bytes().windows(DIGITS).any(|it| it.iter().all(u8::is_ascii_digit));
            has_text.then(|| term.clone())
        }
        _ => None,
    }
}
