//! The machine: runs one process until its next visible operation.
//! Everything between two visible operations (arithmetic, calls, matching, the process dictionary) depends on the
//! process alone, so it happens in one go; what others can see or influence is left to `step`. A process rests *before*
//! a visible operation: the rest is a value ([`Suspended`]) that keeps only registers still needed.
//! Not here: what visible operations do (`crate::world::step`), which functions are built in (`crate::builtins`).
//! Reading order: `run` (the loop), `call`, `operate`, `raise` (exceptions), `bits`, `observer`.

mod bits;
mod call;
mod observer;
mod operate;
mod raise;
mod run;

pub(crate) use operate::operate;

pub(crate) use observer::Observer;
pub(crate) use observer::{Raising, Shadow, Site};
pub(crate) use raise::{Class, Exception, Raise};

use crate::program::Program;
use crate::program::code::{Function, Instruction, Reg};
use crate::program::compile::Mfa;
use crate::tell::stuck::Gap;
use crate::term::{Atom, Map, Pid, Reference, Term, Trace};
use foresee_stdx::halt;

/// Why the machine has stopped.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// Before a visible built-in.
    Visible { builtin: u32, arguments: Vec<Term> },
    /// Before a receive.
    Receive { timeout: Term },
    /// The first function has returned.
    Finished,
    /// An exception nobody caught.
    Raised(Exception),
    /// Too many calls without a visible operation.
    Diverged { what: &'static str, function: u32, line: u32 },
    /// Holds more than a process may.
    Grown,
    /// A function that we cannot run faithfully.
    Unmodelled { gap: Gap },
    /// A call of a function that Erlang has and that cannot be run here.
    Absent(Absent),
    /// A message was tried and does not match; only while trying.
    Rejected,
    /// A message was tried and matches; only while trying.
    Accepted,
}

/// A function that is called, is not `undef` in Erlang, and is not here.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Absent {
    pub function: Mfa,
    /// Its module is one of the program's and could not be loaded; else it is one of OTP's without a model.
    pub is_unloaded: bool,
}

/// What a process knows of itself while it runs.
pub struct Local<'a> {
    pub program: &'a Program,
    pub pid: Pid,
    pub group_leader: Pid,
    pub dictionary: Map,
    /// How many unique integers were handed out.
    pub n_unique: u32,
    /// Virtual time in milliseconds.
    pub now_ms: u64,
    /// To read the clock is an event.
    pub clock_moves: bool,
    /// The state of `rand` and the like is in the dictionary; this is where it starts.
    pub seed: u64,
    /// How many references the process has made, where they are not used again.
    pub n_references: Option<u32>,
    /// Otherwise the numbers of its references that somebody may still hold; asked for when one is made.
    pub in_use: &'a mut dyn FnMut() -> Vec<u32>,
    pub new_references: Vec<u32>,
    /// The monitors of those who asked the process to end and to whom it now agrees.
    pub agreed: Vec<Reference>,
}

impl Local<'_> {
    /// A reference that nobody holds.
    pub fn new_reference(&mut self) -> Reference {
        if let Some(n_made) = &mut self.n_references {
            *n_made += 1;
            return Reference { owner: self.pid, n: *n_made };
        }
        let used = (self.in_use)();
        let taken = |n: &u32| used.contains(n) || self.new_references.contains(n);
        let n = (1..).find(|n| !taken(n)).expect("numbers do not end");
        self.new_references.push(n);
        Reference { owner: self.pid, n }
    }
}

/// A process at rest: where each of its calls stands and what they still need.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Suspended {
    /// Outermost first: function and place.
    pub frames: Box<[(u32, u32)]>,
    /// The live registers of each frame in turn.
    pub values: Box<[Term]>,
}

/// A running process, and who watches it.
pub(crate) struct Machine<'p, W = ()> {
    program: &'p Program,
    stack: Vec<Term>,
    frames: Vec<Frame>,
    /// The frame that runs.
    current: Frame,
    /// Calls left until the machine believes in an endless loop.
    pub budget: u64,
    /// Parts of terms that the process may hold.
    pub heap_max: usize,
    /// When this much of the budget is left, the machine looks whether it may go on.
    next_look: u64,
    /// When this much is left, what the process holds is measured as well.
    next_measure: u64,
    /// Calls until the measurement after that.
    measured: u64,
    /// Registers that the stack may have.
    stack_max: usize,
    /// Instructions carried out, for measurements.
    pub n_instructions: u64,
    /// Stop at `Accept` instead of going on.
    trying: bool,
    observer: W,
}

#[derive(Clone, Copy)]
pub(crate) struct Frame {
    function: u32,
    /// The running instruction; of a caller, its call.
    pc: u32,
    base: usize,
}

/// Calls after which what a process holds is first measured, then after twice as many.
const FIRST_MEASURE: u64 = 1 << 16;

/// Calls between two looks at the limits of whoever waits for the process.
const LOOK_EVERY: u64 = 1 << 7;

/// Registers of one process's stack; more is taken for endless recursion.
const STACK_MAX: usize = 16 << 20;

impl<'p> Machine<'p> {
    /// A process about to call a function with arguments.
    pub(crate) fn call(
        program: &'p Program,
        function: u32,
        arguments: &[Term],
        budget: u64,
    ) -> Self {
        let mut machine = Machine {
            program,
            stack: arguments.to_vec(),
            frames: Vec::new(),
            current: Frame { function, pc: 0, base: 0 },
            budget,
            heap_max: usize::MAX,
            next_look: budget.saturating_sub(LOOK_EVERY),
            next_measure: budget.saturating_sub(FIRST_MEASURE),
            measured: FIRST_MEASURE,
            stack_max: STACK_MAX,
            n_instructions: 0,
            trying: false,
            observer: (),
        };
        machine.make_room();
        machine
    }

    /// Wakes a process up, at the instruction where it rests.
    pub(crate) fn restore(program: &'p Program, rest: &Suspended, budget: u64) -> Self {
        let mut machine = Machine {
            program,
            stack: Vec::with_capacity(64),
            frames: Vec::with_capacity(rest.frames.len()),
            current: Frame { function: 0, pc: 0, base: 0 },
            budget,
            heap_max: usize::MAX,
            next_look: budget.saturating_sub(LOOK_EVERY),
            next_measure: budget.saturating_sub(FIRST_MEASURE),
            measured: FIRST_MEASURE,
            stack_max: STACK_MAX,
            n_instructions: 0,
            trying: false,
            observer: (),
        };
        let mut values = rest.values.iter();
        let mut base = 0;
        for (i, &(function, pc)) in rest.frames.iter().enumerate() {
            machine.current = Frame { function, pc, base };
            machine.make_room();
            for &register in machine.live() {
                let value = values.next().expect("a value for each live register");
                machine.stack[base + usize::from(register)] = value.clone();
            }
            if i + 1 < rest.frames.len() {
                machine.frames.push(machine.current);
                base += usize::from(machine.call_start());
            }
        }
        machine
    }

    /// The same process, watched by somebody.
    pub(crate) fn watched<W: Observer>(self, observer: W) -> Machine<'p, W> {
        self.handed_to(observer).0
    }

    /// Offers a message to the receive; whether it is taken.
    pub(crate) fn offer(&mut self, message: &Term, local: &mut Local<'_>) -> bool {
        let Instruction::Receive { dst, .. } = *self.instruction() else {
            unreachable!("only a process that rests in a receive is offered messages")
        };
        let at_rest = self.current;
        self.stack[self.current.base + usize::from(dst)] = message.clone();
        self.current.pc += 1;
        self.trying = true;
        let stop = self.run(local);
        self.trying = false;
        if matches!(stop, Stop::Accepted) {
            self.current.pc += 1;
            return true;
        }
        self.current = at_rest;
        false
    }
}

impl<'p, W: Observer> Machine<'p, W> {
    /// The same process with nobody watching, and who did.
    pub(crate) fn unwatched(self) -> (Machine<'p>, W) {
        self.handed_to(())
    }

    fn handed_to<V: Observer>(self, observer: V) -> (Machine<'p, V>, W) {
        let machine = Machine {
            program: self.program,
            stack: self.stack,
            frames: self.frames,
            current: self.current,
            budget: self.budget,
            heap_max: self.heap_max,
            next_measure: self.next_measure,
            next_look: self.next_look,
            stack_max: self.stack_max,
            measured: self.measured,
            n_instructions: self.n_instructions,
            trying: self.trying,
            observer,
        };
        (machine, self.observer)
    }

    /// The process at rest.
    pub(crate) fn suspend(&self) -> Suspended {
        let mut frames = Vec::with_capacity(self.frames.len() + 1);
        let mut values = Vec::new();
        for frame in self.frames.iter().chain([&self.current]) {
            frames.push((frame.function, frame.pc));
            let function = self.program.function(frame.function);
            let live = function.live.get(&frame.pc).map_or(&[][..], |live| live);
            values.extend(live.iter().map(|r| self.stack[frame.base + usize::from(*r)].clone()));
        }
        Suspended { frames: frames.into(), values: values.into() }
    }

    /// The result of the visible operation before which the process rested.
    pub(crate) fn give(&mut self, value: Term) {
        let start = self.call_start();
        self.stack[self.current.base + usize::from(start)] = value;
        self.current.pc += 1;
    }

    /// The receive's time is up.
    pub(crate) fn time_out(&mut self) {
        let Instruction::Receive { after, .. } = *self.instruction() else {
            unreachable!("only a process that rests in a receive times out")
        };
        self.current.pc = after;
    }

    /// Where each call stands, outermost first.
    pub(crate) fn calls(&self) -> Box<[(u32, u32)]> {
        self.frames.iter().chain([&self.current]).map(|frame| (frame.function, frame.pc)).collect()
    }

    /// The line where each call stands, innermost first.
    pub(crate) fn trace(&self) -> Trace {
        raise::trace_of(self.program, self.frames.iter().chain([&self.current]).rev().copied())
    }

    /// The innermost line of the user's own code.
    pub(crate) fn place(&self) -> Option<(Atom, u32)> {
        let frames = self.frames.iter().chain([&self.current]).rev();
        let here = |frame: &Frame| {
            let function = self.program.function(frame.function);
            (function.file, function.line(frame.pc))
        };
        frames.map(here).find(|(file, _)| crate::tell::label::is_users(*file))
    }

    /// Who runs what and where, in words.
    pub(crate) fn whereabouts(&self, pid: Pid) -> String {
        let function = self.function();
        let (module, name, arity) = (function.module.text(), function.name.text(), function.arity);
        let place = self.place().map(|(file, line)| format!(" at {}:{line}", file.text()));
        format!("{pid} computes {module}:{name}/{arity}{}", place.unwrap_or_default())
    }

    fn function(&self) -> &'p Function {
        self.program.function(self.current.function)
    }

    fn instruction(&self) -> &'p Instruction {
        &self.function().code[self.current.pc as usize]
    }

    fn live(&self) -> &'p [Reg] {
        self.function().live.get(&self.current.pc).map_or(&[], |live| live)
    }

    /// Where the result of the call at the current place goes.
    fn call_start(&self) -> Reg {
        match *self.instruction() {
            Instruction::Call { start, .. }
            | Instruction::CallFun { start, .. }
            | Instruction::Apply { start, .. }
            | Instruction::Builtin { start, .. } => start,
            other => unreachable!("a process rests at calls, not at {other:?}"),
        }
    }

    fn make_room(&mut self) {
        let needed = self.current.base + usize::from(self.function().n_registers);
        if self.stack.len() < needed {
            if self.stack.capacity() < needed {
                halt::ask(2 * self.stack.capacity() * size_of::<Term>());
            }
            self.stack.resize(needed, Term::Nil);
        }
    }
}
