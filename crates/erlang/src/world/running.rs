//! Code that runs within a step: from a start or a reply to the next visible operation, or to the end.
//! Not here: the instructions (`crate::machine`), what visible operations do (`crate::builtins`), what a process leaves
//! behind when it has ended (`crate::world::signal`).

use crate::machine::{Absent, Class, Exception, Local, Machine, Observer, Raise, Shadow, Stop};
use crate::program::Program;
use crate::tell::stuck::{Stuck, StuckBy};
use crate::term::{Atom, Fun, FunKind, Map, Pid, Reference, Term};
use crate::world::annotation::Annotation;
use crate::world::clock::ClockMode;
use crate::world::component::{Component, Control, Inbox, Missing, Process, Stage};
use crate::world::edit::Edit;
use crate::world::limits::Limit;
use crate::world::slots::SlotKey;
use crate::world::step::{Event, Reply, Step};
use foresee_stdx::halt;

impl<'a> Step<'a> {
    /// Starts a process that calls a fun or function, up to its first visible operation.
    pub(crate) fn start(&mut self, pid: Pid, group_leader: Pid, start: Start) {
        let slot = self.core.slots.of(SlotKey::Process(pid));
        let process = Process {
            pid,
            control: Control::Ended { reason: Term::Nil },
            dictionary: Map::new(),
            group_leader,
            initial_call: start.initial_call(),
            n_children: 0,
            n_unique: 0,
            n_references: 0,
            flags: Map::new(),
            mark: Annotation::default(),
        };
        self.touched.starts(pid);
        self.put(slot, Some(Component::Process(Box::new(process))));
        self.put(slot + 1, Some(Component::Inbox(Inbox::new(pid))));
        match start.resolve(self.program()) {
            Ok((function, arguments)) => {
                let core = self.core;
                let machine = Machine::call(&core.program, function, &arguments, core.budget);
                self.run(pid, machine);
            }
            Err(Unstarted::Ended(reason)) => {
                if let Some(recorder) = &mut self.recorder {
                    recorder.note_false_start(pid, &reason);
                }
                self.end(pid, reason, true);
            }
            Err(Unstarted::Absent(absent)) => self.absent(pid, &absent, None, Box::default()),
        }
    }

    /// Wakes the caller with the reply of its visible operation.
    pub(crate) fn resume(&mut self, pid: Pid, reply: Reply) {
        let Some(process) = self.process(pid) else { return };
        // It may have been killed by its own operation.
        let Control::Calling { rest, builtin, arguments } = process.control.clone() else {
            return;
        };
        let core = self.core;
        let mut machine = Machine::restore(&core.program, &rest, core.budget);
        let raised = match reply {
            Ok(value) => {
                machine.give(value);
                Ok(())
            }
            Err(Raise::Exception { class, reason, trace }) => {
                match self.recorder.as_mut().map(|recorder| recorder.take(pid)) {
                    None => machine.raise_from(builtin, &arguments, class, reason, trace),
                    Some(shadow) => {
                        let mut watched = machine.watched(shadow);
                        let raised = watched.raise_from(builtin, &arguments, class, reason, trace);
                        machine = self.unwatched(pid, watched);
                        raised
                    }
                }
            }
            Err(Raise::Unmodelled(gap)) => {
                let place = machine.place();
                return self.stuck(pid, StuckBy::Gap(gap), place);
            }
        };
        match raised {
            Ok(()) => self.run(pid, machine),
            Err(exception) => self.crash(pid, &exception),
        }
    }

    /// Runs a process to its next rest.
    pub(crate) fn run(&mut self, pid: Pid, mut machine: Machine<'_>) {
        let stop = match self.recorder.as_mut().map(|recorder| recorder.take(pid)) {
            None => self.advance(pid, &mut machine),
            Some(shadow) => {
                let mut watched = machine.watched(shadow);
                let stop = self.advance(pid, &mut watched);
                machine = self.unwatched(pid, watched);
                stop
            }
        };
        if let Some(stop) = stop {
            self.rest(pid, &machine, stop);
        }
    }

    /// The machine alone, and its shadow back with the recorder.
    fn unwatched<'p>(&mut self, pid: Pid, machine: Machine<'p, Shadow>) -> Machine<'p> {
        let (machine, shadow) = machine.unwatched();
        if let Some(recorder) = &mut self.recorder {
            recorder.put(pid, shadow);
        }
        machine
    }

    /// Runs a process until it stops; `None` if it is not there.
    fn advance<W: Observer>(&mut self, pid: Pid, machine: &mut Machine<'_, W>) -> Option<Stop> {
        let process = self.process(pid)?;
        let (dictionary, group_leader) = (process.dictionary.clone(), process.group_leader);
        let (n_unique, n_references) = (process.n_unique, process.n_references);
        let mut in_use = || self.references_of(pid);
        let mut local = Local {
            program: &self.core.program,
            pid,
            group_leader,
            dictionary,
            n_unique,
            now_ms: self.virtual_ms.unwrap_or(0),
            clock_moves: self.core.clock.mode == ClockMode::Moving,
            seed: self.core.seed,
            n_references: self.core.rules.numbers_references.then_some(n_references),
            in_use: &mut in_use,
            new_references: Vec::new(),
            agreed: Vec::new(),
        };
        machine.heap_max = self.core.heap_max;
        let stop = halt::about(
            machine,
            |machine| machine.run(&mut local),
            |machine| machine.whereabouts(pid),
        );
        let Local { dictionary, n_unique, n_references, new_references, agreed, .. } = local;
        self.core.count(machine.n_instructions);
        self.new_references.extend(new_references.iter().map(|n| Reference { owner: pid, n: *n }));
        let process = self.process_mut(pid).expect("it was there before it ran");
        process.dictionary = dictionary;
        process.n_unique = n_unique;
        process.n_references = n_references.unwrap_or(0);
        process.mark.agreed.extend(agreed);
        Some(stop)
    }

    /// What becomes of a process that has stopped.
    fn rest(&mut self, pid: Pid, machine: &Machine<'_>, stop: Stop) {
        let process = self.process_mut(pid).expect("it was there before it ran");
        match stop {
            Stop::Visible { builtin, arguments } => {
                let arguments: Box<[Term]> = arguments.into();
                process.control = Control::Calling {
                    rest: machine.suspend(),
                    builtin,
                    arguments: arguments.clone(),
                };
                self.measure(pid);
                self.note_crash_point(pid);
                self.join(pid, builtin, arguments);
            }
            Stop::Receive { timeout } => {
                process.control = Control::Receiving { rest: machine.suspend(), timeout };
                self.measure(pid);
                self.note_crash_point(pid);
            }
            Stop::Finished => self.end(pid, a!("normal"), false),
            Stop::Raised(exception) => self.crash(pid, &exception),
            Stop::Diverged { what, function, line } => {
                let function = self.program().function(function);
                let by = StuckBy::NoEnd { what, function: function.name, arity: function.arity };
                self.stuck(pid, by, Some((function.file, line)));
            }
            Stop::Grown => {
                let place = machine.place();
                self.exceeds_at(pid, Limit::Heap(self.core.heap_max), place);
            }
            Stop::Unmodelled { gap } => {
                let place = machine.place();
                self.stuck(pid, StuckBy::Gap(gap), place);
            }
            Stop::Absent(absent) => {
                let (place, calls) = (machine.place(), machine.calls());
                self.absent(pid, &absent, place, calls);
            }
            Stop::Rejected | Stop::Accepted => unreachable!("nothing was offered"),
        }
    }

    /// An operation that may be part of the receive before it happens at once.
    fn join(&mut self, pid: Pid, builtin: u32, arguments: Box<[Term]>) {
        if self.core.joins(builtin) && std::mem::take(&mut self.may_join) {
            let reply = self.operate(builtin, &arguments);
            self.resume(pid, reply);
        }
    }

    /// A machine for the process at rest in a receive, and what it needs to try messages.
    pub(crate) fn offer(&self, pid: Pid, message: &Term) -> Option<Machine<'a>> {
        let process = self.process(pid)?;
        self.core.offer(process, message)
    }

    fn crash(&mut self, pid: Pid, exception: &Exception) {
        let reason = exception.exit_reason();
        self.end(pid, reason, exception.class != Class::Exit);
    }

    /// The process cannot go on. One that runs a test before the one that is wanted (`eunit`) ends where it comes to something that
    /// has no model, because its outcome is nobody's.
    pub(crate) fn stuck(&mut self, pid: Pid, by: StuckBy, place: Option<(Atom, u32)>) {
        let is_gap = matches!(by, StuckBy::Gap(_) | StuckBy::Absent(_));
        if is_gap && self.process(pid).is_some_and(Process::may_break_off) {
            return self.end(pid, a!("not_modelled"), false);
        }
        if let Some(process) = self.process_mut(pid) {
            process.control = Control::Stuck(Box::new(Stuck { by, place }));
        }
    }

    /// The process calls a function that Erlang would have and that is not here.
    fn absent(
        &mut self,
        pid: Pid,
        absent: &Absent,
        place: Option<(Atom, u32)>,
        calls: Box<[(u32, u32)]>,
    ) {
        let &Absent { function: (module, name, arity), is_unloaded } = absent;
        let missing = Missing { module, name, arity, is_unloaded, calls };
        self.stuck(pid, StuckBy::Absent(missing), place);
    }

    /// The process has nothing more to do but to end.
    pub(crate) fn end(&mut self, pid: Pid, reason: Term, crashed: bool) {
        self.end_at(pid, reason.clone(), Stage::Exit, 0);
        if crashed {
            self.events.push(Event::Crashed { pid, reason });
        }
    }

    pub(crate) fn end_at(&mut self, pid: Pid, reason: Term, stage: Stage, left: u8) {
        if let Some(process) = self.process_mut(pid) {
            process.control = Control::Ending { reason, stage, left };
            process.dictionary = Map::new();
        }
        // It will read no more messages, and those still to come are dropped; but others may count them while it is alive.
        if stage != Stage::Exit || !self.core.watches_mailboxes {
            self.edit(pid, Edit::Clear);
        }
    }
}

/// What a new process calls.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    Fun(Term),
    Function { module: Atom, name: Atom, arguments: Vec<Term> },
}

/// Why a process does not begin.
enum Unstarted {
    /// It ends at once with this reason.
    Ended(Term),
    /// What it should call is not here.
    Absent(Absent),
}

impl Start {
    fn initial_call(&self) -> (Atom, Atom, u32) {
        match self {
            Start::Fun(Term::Fun(fun)) => (fun.module(), fun.name(), fun.arity),
            Start::Fun(_) => (atom!("erlang"), atom!("apply"), 2),
            Start::Function { module, name, arguments } => (*module, *name, arguments.len() as u32),
        }
    }

    /// The function and its arguments, or why the process does not even begin.
    fn resolve(self, program: &Program) -> Result<(u32, Vec<Term>), Unstarted> {
        let (module, name, arguments) = match self {
            Start::Fun(Term::Fun(fun)) => match &*fun {
                Fun { kind: FunKind::Closure { function, environment, .. }, arity: 0, .. } => {
                    return Ok((*function, environment.to_vec()));
                }
                Fun { kind: FunKind::External { module, name }, arity: 0, .. } => {
                    (*module, *name, Vec::new())
                }
                _ => {
                    let pair = Term::tuple([Term::Fun(fun.clone()), Term::Nil]);
                    let reason = Term::tuple([a!("badarity"), pair]);
                    return Err(Unstarted::Ended(Term::tuple([reason, Term::Nil])));
                }
            },
            Start::Fun(other) => {
                let reason = Term::tuple([a!("badfun"), other]);
                return Err(Unstarted::Ended(Term::tuple([reason, Term::Nil])));
            }
            Start::Function { module, name, arguments } => (module, name, arguments),
        };
        let key = (module, name, arguments.len() as u32);
        let function = program
            .exported(key)
            .or_else(|| program.builtins.find(key).and_then(|builtin| program.stub(builtin)));
        match function {
            Some(function) => Ok((function, arguments)),
            None => {
                if let Some(absent) = program.absent(key) {
                    return Err(Unstarted::Absent(absent));
                }
                let entry = Term::tuple([
                    Term::Atom(module),
                    Term::Atom(name),
                    Term::list(arguments),
                    Term::Nil,
                ]);
                Err(Unstarted::Ended(Term::tuple([a!("undef"), Term::list([entry])])))
            }
        }
    }
}
