//! A laboratory for engines: tiny programs of threads with shared cells and mailboxes, as a `System`.
//! Why an interpreter of its own: the oracles must not depend on any front end, and every kind of dependency (cells in all
//! modes, selective receives, timeouts, starting and killing threads) must be easy to write down and to generate.
//! A state is the cells, then two slots for each thread (place, register), then a mailbox for each thread, packed with the
//! oldest message in the lowest four bits.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

pub mod programs;
pub mod sharing;
pub mod traces;

use foresee_lts::{
    Action, Actor, Fault, FaultKind, Footprint, Interleaved, Label, Mode, Receive, State, System,
    Telling, Verb,
};

/// What a thread can do. Jumps and checks are local and happen at once with the event before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Register := cell.
    Read(usize),
    Write(usize, u32),
    /// Cell := register + 1.
    WriteNext(usize),
    /// Writes the value to each of these cells, a bit for each.
    WriteAll(u32, u32),
    /// A write that says what it writes.
    Put(usize, u32),
    /// Cell += 1, in any order with other additions.
    Add(usize),
    /// Register := which of these members, a bit for each, the cell has, if it is taken for a collection.
    Look(usize, u32),
    /// Puts a member into the collection, or takes it out if it is there.
    Change(usize, u32),
    Send(usize, u32),
    /// Sends to the thread whose number is in the register.
    Reply(u32),
    /// Register := the oldest message whose bit is set; with `after`, may give up and go there.
    Receive {
        accepts: u16,
        after: Option<usize>,
    },
    /// Takes the oldest message whose bit is set and, in the same event, sends to the thread of that number.
    Answer {
        accepts: u16,
        with: u32,
    },
    /// Writes 1 to each of these cells, a bit for each; can only happen while all of them are 0. So others disable it.
    Take(u32),
    Spawn(usize),
    /// Makes a thread die, which is an event of its own: without one, nothing would tell that it had more to do.
    Kill(usize),
    Die,
    JumpIfZero(usize),
    Goto(usize),
    FailIf(u32),
}

const UNBORN: u32 = 1000;
const DEAD: u32 = 1001;
const FAILED: u32 = 1002;
const DYING: u32 = 1003;

pub const ANY: u16 = u16::MAX;

/// A program: the operations of each thread; the threads that run from the start.
#[derive(Clone, Debug)]
pub struct Lab {
    pub n_cells: usize,
    pub threads: Vec<Vec<Op>>,
    pub is_born: Vec<bool>,
    /// A cell and its value, for each initial state besides the one in which all cells are zero. It comes before that one.
    pub starts: Vec<(usize, u32)>,
    has_life: bool,
    has_births: bool,
    has_takes: bool,
}

const LIFE: u64 = 1 << 40;
const BIRTH: u64 = 1 << 41;

impl Lab {
    pub fn new(n_cells: usize, threads: Vec<Vec<Op>>) -> Self {
        let ops = || threads.iter().flatten();
        let mut is_born = vec![true; threads.len()];
        for op in ops() {
            if let Op::Spawn(thread) = op {
                is_born[*thread] = false;
            }
        }
        let has_life = ops().any(|op| matches!(op, Op::Kill(_)));
        let has_births = is_born.contains(&false);
        let has_takes = ops().any(|op| matches!(op, Op::Take(_)));
        let starts = Vec::new();
        Lab { n_cells, threads, is_born, starts, has_life, has_births, has_takes }
    }

    /// The state without the order of messages that nobody took, which nobody can see.
    pub fn unordered(&self, mut state: State) -> State {
        for thread in 0..self.threads.len() {
            let mail = &mut state[self.mailbox(thread)];
            let mut messages: Vec<u32> = (0..8).map(|at| *mail >> (4 * at) & 15).collect();
            messages.sort_unstable();
            *mail = messages.iter().fold(0, |mail, message| mail << 4 | message);
        }
        state
    }

    fn place(&self, thread: usize) -> usize {
        self.n_cells + 2 * thread
    }

    fn mailbox(&self, thread: usize) -> usize {
        self.n_cells + 2 * self.threads.len() + thread
    }

    fn op(&self, state: &[u32], thread: usize) -> Option<Op> {
        match state[self.place(thread)] {
            DYING => Some(Op::Die),
            place => self.threads[thread].get(place as usize).copied(),
        }
    }

    /// The place in the mailbox and the number of the message that a receive takes.
    fn matching(&self, state: &[u32], thread: usize, accepts: u16) -> Option<(u32, u32)> {
        let mail = state[self.mailbox(thread)];
        (0..8)
            .map(|at| (at, mail >> (4 * at) & 15))
            .take_while(|(_, message)| *message != 0)
            .find(|(_, message)| accepts >> message & 1 == 1)
    }

    fn is_enabled(&self, state: &[u32], thread: usize) -> bool {
        match self.op(state, thread) {
            None => false,
            Some(Op::Receive { accepts, after }) => {
                after.is_some() || self.matching(state, thread, accepts).is_some()
            }
            Some(Op::Answer { accepts, .. }) => self.matching(state, thread, accepts).is_some(),
            Some(Op::Take(cells)) => self.members(cells).all(|cell| state[cell] == 0),
            Some(_) => true,
        }
    }

    /// The cells whose bits are set.
    fn members(&self, cells: u32) -> impl Iterator<Item = usize> + use<> {
        (0..self.n_cells).filter(move |cell| cells >> cell & 1 == 1)
    }

    /// Does the local operations that follow.
    fn settle(&self, state: &mut State, thread: usize) {
        let place = self.place(thread);
        while let Some(op) = self.op(state, thread) {
            let register = state[place + 1];
            match op {
                Op::JumpIfZero(to) if register == 0 => state[place] = to as u32,
                Op::Goto(to) => state[place] = to as u32,
                Op::FailIf(value) if register == value => state[place] = FAILED,
                Op::JumpIfZero(_) | Op::FailIf(_) => state[place] += 1,
                _ => return,
            }
        }
    }

    fn send(&self, state: &mut State, to: usize, message: u32) {
        let mail = &mut state[self.mailbox(to)];
        let at = (0..8).find(|at| *mail >> (4 * at) & 15 == 0).expect("mailboxes hold eight");
        *mail |= message << (4 * at);
    }

    /// Takes a message out of a mailbox.
    fn take(&self, state: &mut State, thread: usize, (at, message): (u32, u32)) {
        let mail = &mut state[self.mailbox(thread)];
        let (low, high) = ((1u64 << (4 * at)) - 1, u64::from(*mail) >> (4 * (at + 1)));
        *mail = (u64::from(*mail) & low | high << (4 * at)) as u32;
        state[self.place(thread) + 1] = message;
    }

    /// The cells that threads want to take after an event and did not before. The event reads them, as engines demand: what
    /// disables a thread depends on the event that would have enabled it.
    fn coming_takes(&self, state: &[u32], action: Action) -> impl Iterator<Item = usize> + use<> {
        let is_moving = self.has_takes.then(|| self.step(state, action));
        let wanted = is_moving.map_or(0, |next| {
            let threads = 0..self.threads.len();
            let moved = threads.filter(|it| state[self.place(*it)] != next[self.place(*it)]);
            moved.fold(0, |all, thread| match self.op(&next, thread) {
                Some(Op::Take(cells)) => all | cells,
                _ => all,
            })
        });
        self.members(wanted)
    }

    fn delivery(&self, state: &[u32], thread: usize) -> Option<(usize, u32)> {
        match self.op(state, thread)? {
            Op::Send(to, message) => Some((to, message)),
            Op::Reply(message) => Some((state[self.place(thread) + 1] as usize, message)),
            Op::Answer { accepts, with } => {
                let (_, message) = self.matching(state, thread, accepts)?;
                Some((message as usize % self.threads.len(), with))
            }
            _ => None,
        }
    }
}

impl System for Lab {
    fn initial(&self) -> Vec<State> {
        let mut state = vec![0; self.n_cells + 3 * self.threads.len()];
        for thread in 0..self.threads.len() {
            if self.is_born[thread] {
                self.settle(&mut state, thread);
            } else {
                state[self.place(thread)] = UNBORN;
            }
        }
        let with = |(cell, value): &(usize, u32)| {
            let mut other = state.clone();
            other[*cell] = *value;
            other
        };
        self.starts.iter().map(with).chain([state.clone()]).collect()
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        let threads = (0..self.threads.len()).filter(|thread| self.is_enabled(state, *thread));
        actions.extend(threads.map(|thread| Action(thread as u64)));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let thread = action.0 as usize;
        let place = self.place(thread);
        let mut next = state.to_vec();
        next[place] += 1;
        let register = state[place + 1];
        match self.op(state, thread).expect("enabled") {
            Op::Read(cell) => next[place + 1] = state[cell],
            Op::Write(cell, value) | Op::Put(cell, value) => next[cell] = value,
            Op::WriteNext(cell) => next[cell] = register + 1,
            Op::WriteAll(cells, value) => {
                self.members(cells).for_each(|cell| next[cell] = value);
            }
            Op::Add(cell) => next[cell] += 1,
            Op::Look(cell, members) => next[place + 1] = state[cell] & members,
            Op::Change(cell, member) => next[cell] ^= 1 << member,
            Op::Send(to, message) => self.send(&mut next, to, message),
            Op::Reply(message) => self.send(&mut next, register as usize, message),
            Op::Receive { accepts, after } => match self.matching(state, thread, accepts) {
                Some(found) => self.take(&mut next, thread, found),
                None => next[place] = after.expect("enabled") as u32,
            },
            Op::Answer { accepts, with } => {
                let found = self.matching(state, thread, accepts).expect("enabled");
                let (to, _) = self.delivery(state, thread).expect("an answer");
                self.take(&mut next, thread, found);
                self.send(&mut next, to, with);
            }
            Op::Take(cells) => self.members(cells).for_each(|cell| next[cell] = 1),
            Op::Spawn(child) => {
                if next[self.place(child)] == UNBORN {
                    next[self.place(child)] = 0;
                    self.settle(&mut next, child);
                }
            }
            Op::Kill(victim) => {
                if self.op(&next, victim).is_some() {
                    next[self.place(victim)] = DYING;
                }
            }
            Op::Die => next[place] = DEAD,
            Op::JumpIfZero(_) | Op::Goto(_) | Op::FailIf(_) => unreachable!("local"),
        }
        self.settle(&mut next, thread);
        next
    }

    fn is_final(&self, state: &[u32]) -> bool {
        (0..self.threads.len()).all(|thread| self.op(state, thread).is_none())
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        let failed: Vec<_> =
            (0..self.threads.len()).filter(|it| state[self.place(*it)] == FAILED).collect();
        let message = || format!("failed: {failed:?}");
        (!failed.is_empty()).then(|| Fault { kind: FaultKind::Assertion, message: message() })
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Interleaved for Lab {
    fn actor(&self, _state: &[u32], action: Action) -> Actor {
        Actor(action.0 as u32)
    }

    fn thread(&self, _state: &[u32], action: Action) -> u64 {
        action.0
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        let thread = action.0 as usize;
        let mut print = Footprint::of(Actor(thread as u32));
        match self.op(state, thread).expect("enabled") {
            Op::Read(cell) => print = print.reads(cell as u64),
            Op::Write(cell, _) | Op::WriteNext(cell) => print = print.writes(cell as u64),
            Op::Put(cell, value) => print = print.puts(cell as u64, u64::from(value)),
            Op::Add(cell) => print = print.touches(cell as u64, Mode::Add),
            Op::Look(cell, members) => {
                print = print.touches(cell as u64, Mode::Look(u64::from(members)));
            }
            Op::Change(cell, member) => {
                let change = Mode::Change(u64::from(member));
                print = print.touches(cell as u64, change);
            }
            Op::Send(..) | Op::Reply(_) => {
                let (to, message) = self.delivery(state, thread).expect("a send");
                print = print.delivers(to as u64, u64::from(message));
            }
            Op::Receive { accepts, after } => {
                let message = self.matching(state, thread, accepts).map(|it| u64::from(it.1));
                let (mailbox, may_time_out) = (thread as u64, after.is_some());
                print = print.receives(Receive { mailbox, message, may_time_out });
            }
            Op::Answer { accepts, .. } => {
                let (to, answer) = self.delivery(state, thread).expect("an answer");
                let message = self.matching(state, thread, accepts).map(|it| u64::from(it.1));
                let receive = Receive { mailbox: thread as u64, message, may_time_out: false };
                print = print.receives(receive).delivers(to as u64, u64::from(answer));
            }
            Op::Take(cells) | Op::WriteAll(cells, _) => {
                print = self.members(cells).fold(print, |print, cell| print.writes(cell as u64));
            }
            Op::Spawn(child) => {
                print = print.touches(BIRTH + child as u64, Mode::Create);
                if self.has_life {
                    print = print.writes(LIFE + child as u64);
                }
            }
            Op::Kill(victim) => print = print.writes(LIFE + victim as u64),
            Op::Die => {}
            Op::JumpIfZero(_) | Op::Goto(_) | Op::FailIf(_) => unreachable!("local"),
        }
        print =
            self.coming_takes(state, action).fold(print, |print, cell| print.reads(cell as u64));
        if self.has_births && !self.is_born[thread] {
            print = print.touches(BIRTH + thread as u64, Mode::Use);
        }
        if self.has_life {
            print = print.reads(LIFE + thread as u64);
        }
        print
    }

    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        match self.op(state, action.0 as usize) {
            Some(Op::Receive { accepts, .. } | Op::Answer { accepts, .. }) => {
                accepts >> message & 1 == 1
            }
            other => panic!("asked about a receive, which this is not: {other:?}"),
        }
    }

    fn only_receives(&self, state: &[u32], action: Action) -> bool {
        matches!(self.op(state, action.0 as usize), Some(Op::Receive { .. }))
    }

    fn notices(&self, look: u64, change: u64) -> bool {
        look >> change & 1 == 1
    }
}

impl Telling for Lab {
    fn label(&self, state: &[u32], action: Action) -> Label {
        let thread = action.0 as usize;
        Label::of_actor(Verb::Step, &format!("t{thread}"), format!("{:?}", self.op(state, thread)))
    }
}
