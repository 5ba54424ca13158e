//! The loop over instructions.

use super::operate::{holds, operate};
use super::{Class, Exception, Frame, LOOK_EVERY, Local, Machine, Observer, Raise, Stop, bits};
use crate::builtins::{Run, not_too_deep};
use crate::program::code::{Instruction, Label, Operation, RAISE, Reg};
use crate::term::{Atom, Fun, Term, order};
use foresee_stdx::halt;

/// Whether to go on, or to leave the loop.
pub(super) enum Flow {
    Go,
    Leave(Stop),
}

impl<W: Observer> Machine<'_, W> {
    /// Runs until the process stops.
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    pub(crate) fn run(&mut self, local: &mut Local<'_>) -> Stop {
        use Instruction as I;
        let program = self.program;
        let mut function = self.function();
        loop {
            let base = self.current.base;
            macro_rules! reg {
                ($r:expr) => {
                    self.stack[base + usize::from($r)]
                };
            }
            macro_rules! next {
                () => {{
                    self.current.pc += 1;
                    continue;
                }};
            }
            macro_rules! go {
                ($label:expr) => {{
                    self.current.pc = $label;
                    continue;
                }};
            }
            macro_rules! flow {
                ($flow:expr) => {{
                    match $flow {
                        Flow::Go => {
                            function = self.function();
                            continue;
                        }
                        Flow::Leave(stop) => return stop,
                    }
                }};
            }
            macro_rules! fail {
                ($label:expr, $exception:expr) => {{
                    if $label == RAISE {
                        let exception = $exception;
                        flow!(self.raised(exception))
                    }
                    go!($label)
                }};
            }
            self.n_instructions += 1;
            match function.code[self.current.pc as usize] {
                I::Move { dst, src } => {
                    reg!(dst) = reg!(src).clone();
                    next!()
                }
                I::Take { dst, src } => {
                    reg!(dst) = std::mem::replace(&mut reg!(src), Term::Nil);
                    next!()
                }
                I::Constant { dst, index } => {
                    reg!(dst) = function.constants[index as usize].clone();
                    next!()
                }
                I::Cons { dst, head, tail } => {
                    reg!(dst) = Term::cons(reg!(head).clone(), reg!(tail).clone());
                    next!()
                }
                I::Tuple { dst, start, n } => {
                    let at = base + usize::from(start);
                    let items = self.stack[at..at + usize::from(n)].iter().cloned().collect();
                    reg!(dst) = Term::tuple_of(items);
                    next!()
                }
                I::MapPut { dst, map, key, value, exact, fail } => {
                    let (key, value) = (reg!(key).clone(), reg!(value).clone());
                    match &reg!(map) {
                        Term::Map(old) if !exact || old.contains(&key) => {
                            halt::ask(old.len() * 2 * size_of::<Term>());
                            let mut new = (**old).clone();
                            new.insert(key, value);
                            reg!(dst) = Term::map(new);
                            next!()
                        }
                        Term::Map(_) => {
                            let reason = Term::tuple([a!("badkey"), key]);
                            fail!(fail, self.exception(Class::Error, reason))
                        }
                        other => {
                            let reason = Term::tuple([a!("badmap"), other.clone()]);
                            fail!(fail, self.exception(Class::Error, reason))
                        }
                    }
                }
                I::Closure { dst, function: code, start, n } => {
                    let at = base + usize::from(start);
                    let environment = self.stack[at..at + usize::from(n)].into();
                    let lifted = program.function(code);
                    let (module, name, arity) = (lifted.module, lifted.name, lifted.arity);
                    reg!(dst) = Term::fun(Fun::closure(module, name, code, arity, environment));
                    next!()
                }
                I::BitsBuild { dst, first, n, start, fail } => {
                    let segments = &function.segments[first as usize..][..usize::from(n)];
                    match bits::build(segments, &self.stack[base + usize::from(start)..]) {
                        Some(term) => {
                            reg!(dst) = term;
                            next!()
                        }
                        None => fail!(fail, self.exception(Class::Error, a!("badarg"))),
                    }
                }
                I::Jump { to } => {
                    if to <= self.current.pc {
                        if self.budget <= self.next_look
                            && let Some(stop) = self.look()
                        {
                            return stop;
                        }
                        self.budget -= 1;
                    }
                    go!(to)
                }
                I::IsTrue { src, fail } => {
                    if reg!(src).is_atom(atom!("true")) {
                        next!()
                    }
                    go!(fail)
                }
                I::ShortCut { src, on, to, fail } => match reg!(src).as_bool() {
                    Some(value) if value == on => go!(to),
                    Some(_) => next!(),
                    None => {
                        let reason = Term::tuple([a!("badarg"), reg!(src).clone()]);
                        fail!(fail, self.exception(Class::Error, reason))
                    }
                },
                I::IsOrdered { op, left, right, fail } => {
                    if holds(op, &reg!(left), &reg!(right)) {
                        next!()
                    }
                    go!(fail)
                }
                I::Compare { op, dst, left, right } => {
                    reg!(dst) = Term::bool(holds(op, &reg!(left), &reg!(right)));
                    next!()
                }
                I::Arithmetic { op, dst, left, right, fail } => {
                    match operate(op, &reg!(left), &reg!(right)) {
                        Some(term) => {
                            reg!(dst) = term;
                            next!()
                        }
                        None => fail!(fail, self.arithmetic_error(op, left, right)),
                    }
                }
                I::IsType { of, src, fail } => {
                    if of.holds(&reg!(src)) {
                        next!()
                    }
                    if fail == RAISE {
                        let exception =
                            self.failure(crate::program::code::Failure::BadMap, reg!(src).clone());
                        flow!(self.raised(exception))
                    }
                    go!(fail)
                }
                I::IsConstant { src, index, fail } => {
                    if order::exactly_equal(&reg!(src), &function.constants[index as usize]) {
                        next!()
                    }
                    go!(fail)
                }
                I::IsSmall { src, value, fail } => {
                    if matches!(reg!(src), Term::Int(n) if n == i64::from(value)) {
                        next!()
                    }
                    go!(fail)
                }
                I::IsNil { src, fail } => match &reg!(src) {
                    Term::Nil => next!(),
                    Term::Trace(trace) if trace.entries.is_empty() => next!(),
                    _ => go!(fail),
                },
                I::IsCons { src, head, tail, fail } => {
                    let (first, rest) = match &reg!(src) {
                        Term::Cons(cell) => (cell.head.clone(), cell.tail.clone()),
                        Term::Trace(trace) => match trace.to_term() {
                            Term::Cons(cell) => (cell.head.clone(), cell.tail.clone()),
                            _ => go!(fail),
                        },
                        _ => go!(fail),
                    };
                    reg!(head) = first;
                    reg!(tail) = rest;
                    next!()
                }
                I::IsTuple { src, n, fail } => match &reg!(src) {
                    Term::Tuple(tuple) if tuple.items().len() == usize::from(n) => next!(),
                    _ => go!(fail),
                },
                I::Element { dst, src, index } => {
                    let Term::Tuple(tuple) = &reg!(src) else {
                        unreachable!("tested to be a tuple")
                    };
                    reg!(dst) = tuple.items()[usize::from(index)].clone();
                    next!()
                }
                I::MapGet { dst, map, key, fail } => {
                    let found = match &reg!(map) {
                        Term::Map(entries) => entries.get(&reg!(key)).cloned(),
                        _ => None,
                    };
                    match found {
                        Some(value) => {
                            reg!(dst) = value;
                            next!()
                        }
                        None => go!(fail),
                    }
                }
                I::BitsGet { dst, src, position, segment, size, fail } => {
                    let segment = &function.segments[segment as usize];
                    let size = reg!(size).clone();
                    let at = reg!(position).as_usize().unwrap_or(0);
                    let Term::Bits(source) = &reg!(src) else {
                        unreachable!("tested to be a bit string")
                    };
                    match bits::take(segment, source, at, &size) {
                        Some((value, after)) => {
                            reg!(dst) = value;
                            reg!(position) = Term::Int(after as i64);
                            next!()
                        }
                        None => go!(fail),
                    }
                }
                I::BitsEnd { src, position, fail } => match (&reg!(src), reg!(position).as_usize())
                {
                    (Term::Bits(bits), Some(at)) if at == bits.len() => next!(),
                    _ => go!(fail),
                },

                I::Call { function: callee, start, .. } => {
                    self.frames.push(self.current);
                    self.observer.called(self.frames.len());
                    self.current =
                        Frame { function: callee, pc: 0, base: base + usize::from(start) };
                    if let Some(stop) = self.entered() {
                        return stop;
                    }
                    function = program.function(callee);
                }
                I::TailCall { function: callee, start, n } => {
                    let Frame { function: caller, pc, .. } = self.current;
                    self.observer.called_last(self.frames.len(), caller, pc);
                    self.slide_down(start, n);
                    self.current.function = callee;
                    self.current.pc = 0;
                    if let Some(stop) = self.entered() {
                        return stop;
                    }
                    function = program.function(callee);
                }
                I::Builtin { builtin, start, n, fail } => {
                    let entry = program.builtins.get(builtin);
                    let at = base + usize::from(start);
                    match entry.run {
                        Run::Pure(native) => {
                            let arguments = &self.stack[at..at + usize::from(n)];
                            let too_deep = if entry.walks {
                                not_too_deep(entry, arguments).err()
                            } else {
                                None
                            };
                            let answer = match too_deep {
                                None => native(local, arguments),
                                Some(raise) => Err(raise),
                            };
                            match answer {
                                Ok(value) => {
                                    self.stack[at] = value;
                                    next!()
                                }
                                Err(raise) => {
                                    flow!(self.builtin_raised(builtin, start, n, fail, raise))
                                }
                            }
                        }
                        Run::Visible(..) if fail == RAISE => {
                            if entry.module == "io"
                                && let Some(function) = self.redirected(entry.name, at, n, local)
                            {
                                let tail = self.is_followed_by_return(start);
                                flow!(self.enter(function, start, n, tail))
                            }
                            let arguments = self.stack[at..at + usize::from(n)].to_vec();
                            return Stop::Visible { builtin, arguments };
                        }
                        Run::Visible(..) => go!(fail),
                        Run::Either { is_event, pure, .. } => {
                            let arguments = &self.stack[at..at + usize::from(n)];
                            if is_event(local.clock_moves, arguments) {
                                let arguments = arguments.to_vec();
                                return Stop::Visible { builtin, arguments };
                            }
                            match pure(local, arguments) {
                                Ok(value) => {
                                    self.stack[at] = value;
                                    next!()
                                }
                                Err(raise) => {
                                    flow!(self.builtin_raised(builtin, start, n, fail, raise))
                                }
                            }
                        }
                        Run::Control(control) => {
                            flow!(self.control(control, builtin, start, n))
                        }
                    }
                }
                I::CallFun { fun, start, n, tail } => {
                    let fun = reg!(fun).clone();
                    flow!(self.call_fun(&fun, start, n, tail))
                }
                I::Apply { module, start, n, tail } => {
                    let (module, name) = (reg!(module).clone(), reg!(module + 1).clone());
                    flow!(self.apply(&module, &name, start, n, tail))
                }
                I::Return { src } => {
                    let value = std::mem::replace(&mut reg!(src), Term::Nil);
                    self.stack[base] = value;
                    match self.frames.pop() {
                        Some(frame) => {
                            self.current = frame;
                            self.current.pc += 1;
                            function = program.function(frame.function);
                        }
                        None => return Stop::Finished,
                    }
                }

                I::Receive { timeout, .. } => {
                    let timeout = reg!(timeout).clone();
                    if valid_timeout(&timeout) {
                        return Stop::Receive { timeout };
                    }
                    let exception = self.exception(Class::Error, a!("timeout_value"));
                    flow!(self.raised(exception))
                }
                I::Accept => {
                    if self.trying {
                        return Stop::Accepted;
                    }
                    next!()
                }
                I::Reject => return Stop::Rejected,

                I::Fail { kind, src } => {
                    let value = reg!(src).clone();
                    let exception = self.failure(kind, value);
                    flow!(self.raised(exception))
                }
                I::Reraise { start } => {
                    let class = Class::of(&reg!(start)).unwrap_or(Class::Error);
                    let (reason, trace) = (reg!(start + 1).clone(), reg!(start + 2).clone());
                    self.observer.goes_on();
                    flow!(self.on_its_way(Exception { class, reason, trace }))
                }
                I::CatchValue { dst, start } => {
                    let class = Class::of(&reg!(start)).unwrap_or(Class::Error);
                    let (reason, trace) = (reg!(start + 1).clone(), reg!(start + 2).clone());
                    reg!(dst) = Exception { class, reason, trace }.catch_value();
                    next!()
                }
            }
        }
    }

    pub(super) fn raised(&mut self, exception: Exception) -> Flow {
        self.observer.raised(&self.frames, self.current, &exception);
        self.on_its_way(exception)
    }

    fn on_its_way(&mut self, exception: Exception) -> Flow {
        if self.unwind(&exception) { Flow::Go } else { Flow::Leave(Stop::Raised(exception)) }
    }

    /// Accounts for a call; stops a process that calls without end.
    #[inline]
    pub(super) fn entered(&mut self) -> Option<Stop> {
        self.make_room();
        if self.budget <= self.next_look
            && let Some(stop) = self.look()
        {
            return Some(stop);
        }
        self.budget -= 1;
        if self.stack.len() > self.stack_max { self.too_deep() } else { None }
    }

    /// Whether the process may go on. A limit that the user has set wins over our own idea of what has no end.
    #[cold]
    fn look(&mut self) -> Option<Stop> {
        halt::look();
        if self.budget == 0 {
            if !halt::is_time_limited() {
                return Some(self.diverged("loop"));
            }
            self.budget = u64::MAX / 2;
            self.next_measure = self.budget - self.measured;
        }
        if self.budget <= self.next_measure && self.has_grown() {
            return Some(Stop::Grown);
        }
        self.next_look = self.next_measure.max(self.budget.saturating_sub(LOOK_EVERY));
        None
    }

    /// Whether the process holds too much; to be asked again after twice as many calls.
    fn has_grown(&mut self) -> bool {
        self.next_measure = (self.budget - 1).saturating_sub(self.measured);
        self.measured = self.measured.saturating_mul(2);
        !halt::is_growth_limited()
            && crate::world::limits::is_larger(self.stack.iter(), self.heap_max)
    }

    #[cold]
    fn too_deep(&mut self) -> Option<Stop> {
        if halt::is_growth_limited() {
            self.stack_max = usize::MAX;
            return None;
        }
        Some(self.diverged("recursion"))
    }

    fn diverged(&self, what: &'static str) -> Stop {
        let line = self.function().line(self.current.pc);
        Stop::Diverged { what, function: self.current.function, line }
    }

    /// Moves the arguments of a tail call to the bottom of the window.
    pub(super) fn slide_down(&mut self, start: Reg, n: u16) {
        let base = self.current.base;
        for i in 0..usize::from(n) {
            let from = base + usize::from(start) + i;
            self.stack[base + i] = std::mem::replace(&mut self.stack[from], Term::Nil);
        }
    }

    fn arithmetic_error(&self, op: Operation, left: Reg, right: Reg) -> Exception {
        let base = self.current.base;
        let mut arguments = vec![self.stack[base + usize::from(left)].clone()];
        if !op.is_unary() {
            arguments.push(self.stack[base + usize::from(right)].clone());
        }
        let reason = match op {
            Operation::Append
            | Operation::ListSubtract
            | Operation::And
            | Operation::Or
            | Operation::Xor
            | Operation::Not => a!("badarg"),
            _ => a!("badarith"),
        };
        // A division is made of instructions for floats, which leave no trace of their own.
        if op == Operation::Divide {
            return self.exception(Class::Error, reason);
        }
        self.builtin_exception(atom!("erlang"), op.name(), &arguments, Class::Error, reason)
    }

    pub(super) fn builtin_raised(
        &mut self,
        builtin: u32,
        start: Reg,
        n: u16,
        fail: Label,
        raise: Raise,
    ) -> Flow {
        if fail != RAISE {
            self.current.pc = fail;
            return Flow::Go;
        }
        match raise {
            Raise::Unmodelled(gap) => Flow::Leave(Stop::Unmodelled { gap }),
            Raise::Exception { class, reason, trace } => {
                let at = self.current.base + usize::from(start);
                let arguments = self.stack[at..at + usize::from(n)].to_vec();
                let entry = self.program.builtins.get(builtin);
                let mut exception = if entry.raises {
                    self.exception(class, reason)
                } else {
                    let module = Atom::new(entry.module);
                    self.builtin_exception(module, entry.name, &arguments, class, reason)
                };
                if let Some(trace) = trace {
                    exception.trace = trace;
                }
                self.raised(exception)
            }
        }
    }
}

fn valid_timeout(timeout: &Term) -> bool {
    match timeout {
        Term::Int(n) => (0..=0xFFFF_FFFF).contains(n),
        Term::Atom(atom) => *atom == atom!("infinity"),
        _ => false,
    }
}
