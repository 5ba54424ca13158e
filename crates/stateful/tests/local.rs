//! Local steps at once where what speaks against them is rare: a lock with seven dials opens for one order of 5,040, and only behind it
//! does somebody touch what was taken to be nobody else's. A search that believes its first impression misses what goes wrong there.

use foresee_lts::{
    Action, Actor, Fault, FaultKind, Footprint, Happened, Interleaved, Predicate, Property, Reads,
    Receive, State, System, Verdict,
};
use foresee_search::{NoMeter, Silent};
use foresee_stateful::{Config, Report, search, why_no_por};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a thread does next.
#[derive(Clone, Debug)]
enum Op {
    Write(usize, u32),
    /// Into the thread's register.
    Read(usize),
    /// Can happen only where the variable has this value.
    Wait(usize, u32),
    /// One step of the combination, or the lock stays closed.
    Dial(u32),
    Send(u32),
    /// One of these messages, the first in the mailbox, into the register; 0 where it gives up waiting.
    Receive(&'static [u32], bool),
    /// Fails unless the register has this value.
    Expect(u32),
    Again,
}

use Op::{Again, Dial, Expect, Read, Receive as Take, Send, Wait, Write};

const N_VARIABLES: usize = 3;
const LOCK: usize = 2;
const MAILBOX: u64 = 99;
const FAILED: u32 = 1_000;
const BROKEN: u32 = 500;

/// Threads with a place and a register each, some variables, and one mailbox (a number with a digit for each message).
struct Script {
    threads: Vec<Vec<Op>>,
    footprints: Mutex<BTreeMap<(usize, u32, u32), Arc<Footprint>>>,
}

impl Script {
    fn new(threads: &[&[Op]]) -> Script {
        let threads = threads.iter().map(|ops| ops.to_vec()).collect();
        Script { threads, footprints: Mutex::default() }
    }

    fn variable(&self, at: usize) -> usize {
        2 * self.threads.len() + at
    }

    fn mailbox(&self) -> usize {
        self.variable(N_VARIABLES)
    }

    fn op(&self, state: &[u32], thread: usize) -> Option<&Op> {
        self.threads[thread].get(state[2 * thread] as usize)
    }

    /// The message that a receive takes.
    fn taken(&self, state: &[u32], wanted: &[u32]) -> Option<u32> {
        let messages = digits(state[self.mailbox()]);
        messages.into_iter().find(|message| wanted.contains(message))
    }

    fn can_act(&self, state: &[u32], thread: usize) -> bool {
        match self.op(state, thread) {
            None => false,
            Some(Wait(at, value)) => state[self.variable(*at)] == *value,
            Some(Take(wanted, gives_up)) => *gives_up || self.taken(state, wanted).is_some(),
            Some(_) => true,
        }
    }

    fn print_of(&self, state: &[u32], thread: usize) -> Footprint {
        let print = Footprint::of(Actor(thread as u32)).on_thread(thread as u64 + 1);
        match self.op(state, thread).expect("it acts") {
            Write(at, _) => print.writes(*at as u64),
            Read(at) | Wait(at, _) => print.reads(*at as u64),
            Dial(_) => print.writes(LOCK as u64),
            Send(message) => print.delivers(MAILBOX, u64::from(*message)),
            Take(wanted, may_time_out) => {
                let message = self.taken(state, wanted).map(u64::from);
                let may_time_out = *may_time_out;
                print.receives(Receive { mailbox: MAILBOX, message, may_time_out })
            }
            Expect(_) | Again => print,
        }
    }
}

fn digits(mut number: u32) -> Vec<u32> {
    let mut digits = Vec::new();
    while number > 0 {
        digits.push(number % 8);
        number /= 8;
    }
    digits
}

fn number(digits: &[u32]) -> u32 {
    digits.iter().rev().fold(0, |number, digit| number * 8 + digit)
}

impl System for Script {
    fn initial(&self) -> Vec<State> {
        vec![vec![0; self.mailbox() + 1]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        let threads = 0..self.threads.len();
        actions.extend(threads.filter(|it| self.can_act(state, *it)).map(|it| Action(it as u64)));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let (mut next, thread) = (state.to_vec(), action.0 as usize);
        let (place, register) = (2 * thread, 2 * thread + 1);
        next[place] += 1;
        match self.op(state, thread).expect("it acts") {
            Write(at, value) => next[self.variable(*at)] = *value,
            Read(at) => next[register] = state[self.variable(*at)],
            Wait(..) => {}
            Dial(at) => {
                let lock = &mut next[self.variable(LOCK)];
                *lock = if *lock == *at { at + 1 } else { BROKEN };
            }
            Send(message) => {
                let mut messages = digits(state[self.mailbox()]);
                messages.push(*message);
                next[self.mailbox()] = number(&messages);
            }
            Take(wanted, _) => {
                let taken = self.taken(state, wanted);
                next[register] = taken.unwrap_or(0);
                let mut messages = digits(state[self.mailbox()]);
                if let Some(at) = messages.iter().position(|it| Some(*it) == taken) {
                    messages.remove(at);
                }
                next[self.mailbox()] = number(&messages);
            }
            Expect(value) if state[register] != *value => next[place] = FAILED,
            Expect(_) => {}
            Again => next[place] = 0,
        }
        next
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        let failed = (0..self.threads.len()).find(|thread| state[2 * thread] == FAILED)?;
        Some(Fault { kind: FaultKind::Assertion, message: format!("thread {failed} failed") })
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }
}

impl Interleaved for Script {
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        self.print_of(state, action.0 as usize)
    }

    fn happen(&self, state: &[u32], action: Action, next: &mut State) -> Happened {
        *next = self.step(state, action);
        let (thread, print) = (action.0 as usize, self.footprint(state, action));
        let taken = print.receive.and_then(|it| it.message).unwrap_or(0) as u32;
        let mut known = self.footprints.lock().unwrap_or_else(PoisonError::into_inner);
        let footprint = known.entry((thread, state[2 * thread], taken)).or_insert(Arc::new(print));
        let footprint = Arc::clone(footprint);
        Happened { footprint, may_bring_fault: true, comes_again: true }
    }

    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        match self.op(state, action.0 as usize) {
            Some(Take(wanted, _)) => wanted.contains(&(message as u32)),
            _ => true,
        }
    }
}

const OPEN: Op = Wait(LOCK, 7);

/// These threads beside those that turn the dials.
fn behind_the_lock(threads: &[&[Op]]) -> Script {
    let dials: Vec<[Op; 1]> = (0..7).map(|at| [Dial(at)]).collect();
    let all: Vec<&[Op]> = dials.iter().map(|it| &it[..]).chain(threads.iter().copied()).collect();
    Script::new(&all)
}

fn explored(system: &Script, por: bool) -> Report {
    search(system, &Config { por, ..Config::default() }, &NoMeter, &mut Silent)
}

/// What is wrong is found with local steps at once as well, from fewer states if nothing is.
fn agree(system: &Script, expected: Verdict) -> (Report, Report) {
    let (plain, reduced) = (explored(system, false), explored(system, true));
    assert_eq!((plain.verdict, plain.at_once), (expected, None));
    assert_eq!(reduced.verdict, expected);
    assert!(reduced.at_once.is_some());
    (plain, reduced)
}

#[test]
fn who_reads_behind_the_lock_is_noticed() {
    let [a, b]: [&[Op]; 2] = [&[Write(0, 1)], &[OPEN, Read(0), Expect(1)]];
    agree(&behind_the_lock(&[a, b]), Verdict::Violated);
    let late: &[Op] = &[OPEN, Read(0), Expect(0)];
    agree(&behind_the_lock(&[a, late]), Verdict::Violated);
    // Nobody else does.
    let other: &[Op] = &[OPEN, Read(1), Expect(0)];
    let (plain, reduced) = agree(&behind_the_lock(&[a, other]), Verdict::Holds);
    assert!(reduced.states < plain.states, "{} {}", reduced.states, plain.states);
}

#[test]
fn a_rival_message_behind_the_lock_is_noticed() {
    let owner: &[Op] = &[Take(&[1, 2], false), Expect(1)];
    agree(&behind_the_lock(&[&[Send(1)], owner, &[OPEN, Send(2)]]), Verdict::Violated);
    // A message that this receive leaves alone is none.
    let picky: &[Op] = &[Take(&[1], false), Expect(1)];
    agree(&behind_the_lock(&[&[Send(1)], picky, &[OPEN, Send(2)]]), Verdict::Holds);
}

#[test]
fn a_receive_behind_the_lock_that_tells_is_noticed() {
    for first in [1, 2] {
        let owner: &[Op] = &[OPEN, Take(&[1, 2], false), Expect(first)];
        agree(&behind_the_lock(&[&[Send(1)], &[Send(2)], owner]), Verdict::Violated);
    }
    // The order of what one sends is no race.
    let owner: &[Op] = &[OPEN, Take(&[1, 2], false), Expect(1)];
    agree(&behind_the_lock(&[&[Send(1), Send(2)], owner]), Verdict::Holds);
}

#[test]
fn a_receive_behind_the_lock_that_gives_up_is_noticed() {
    let owner: &[Op] = &[OPEN, Take(&[1], true), Expect(1)];
    agree(&behind_the_lock(&[&[Send(1)], owner]), Verdict::Violated);
    let owner: &[Op] = &[OPEN, Take(&[1], true), Expect(0)];
    agree(&behind_the_lock(&[&[Send(1)], owner]), Verdict::Violated);
}

/// Giving up is one of two outcomes, though nobody else has done anything yet.
#[test]
fn giving_up_is_not_taken_at_once() {
    for expected in [0, 1] {
        let owner: &[Op] = &[Take(&[1], true), Expect(expected)];
        agree(&Script::new(&[&[Send(1)], owner]), Verdict::Violated);
    }
}

/// A thread that goes on for ever by itself keeps nobody from what they do.
#[test]
fn a_loop_of_local_steps_keeps_nobody_waiting() {
    let forever: &[Op] = &[Write(0, 1), Write(0, 2), Again];
    let wrong: &[Op] = &[Write(1, 1), Read(1), Expect(0)];
    agree(&Script::new(&[forever, wrong]), Verdict::Violated);
    let fine: &[Op] = &[Write(1, 1), Read(1), Expect(1)];
    agree(&Script::new(&[forever, fine]), Verdict::Holds);
}

/// A step that a property reads is seen, though nobody else touches it.
#[test]
fn what_a_property_reads_is_not_skipped() {
    let system = Script::new(&[&[Write(0, 1), Write(0, 2)], &[Write(1, 1), Write(1, 2)]]);
    let slots = [system.variable(0), system.variable(1)];
    let never_one = |reads: Reads| {
        Property::invariant(Predicate::new("never one", reads, move |state, _| {
            slots.iter().any(|slot| state[*slot] != 1)
        }))
    };
    let asked =
        |property: Property| Config { properties: vec![property], por: true, ..Config::default() };
    let scoped = asked(never_one(Reads::slots(slots)));
    let report = search(&system, &scoped, &NoMeter, &mut Silent);
    assert_eq!(report.verdict, Verdict::Violated);
    assert!(report.at_once.is_some());
    let unscoped = asked(never_one(Reads::All));
    let report = search(&system, &unscoped, &NoMeter, &mut Silent);
    assert_eq!((report.verdict, report.at_once), (Verdict::Violated, None));
}

#[test]
fn what_it_does_not_keep_is_done_without() {
    let system = Script::new(&[&[Write(0, 1), Write(0, 2)]]);
    let is_one = Predicate::new("is one", Reads::slots([2]), |state, _| state[2] == 1);
    let mut shallow = Config::default();
    shallow.limits.depth_max = Some(3);
    let cases = [
        Config { properties: vec![Property::reachable(is_one.clone())], ..Config::default() },
        Config { goals: vec![is_one.clone()], ..Config::default() },
        shallow,
        Config { allow: Some(Arc::new(|_, _| true)), ..Config::default() },
        Config { symmetry: true, ..Config::default() },
    ];
    for config in cases {
        assert!(why_no_por(&system, &config).is_some(), "{config:?}");
        let config = Config { por: true, ..config };
        assert_eq!(search(&system, &config, &NoMeter, &mut Silent).at_once, None);
    }
    assert_eq!(why_no_por(&system, &Config::default()), None);
}
