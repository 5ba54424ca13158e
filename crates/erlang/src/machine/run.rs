//! The loop over instructions.

use super::{Class, Exception, Frame, Local, Machine, Raise, STACK_MAX, Stop, bits};
use crate::builtins::{Control, Run};
use crate::code::{Comparison, Instruction, Label, Operation, RAISE, Reg};
use crate::term::{Atom, Fun, FunKind, Term, number, order};
use std::cmp::Ordering;
use std::sync::Arc;

/// Whether to go on, or to leave the loop.
enum Flow {
    Go,
    Leave(Stop),
}

impl Machine<'_> {
    /// Runs until the process stops.
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    pub fn run(&mut self, local: &mut Local<'_>) -> Stop {
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
                        if self.budget == 0 {
                            return self.diverged("loop");
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
                            self.failure(crate::code::Failure::BadMap, reg!(src).clone());
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
                    self.current =
                        Frame { function: callee, pc: 0, base: base + usize::from(start) };
                    if let Some(stop) = self.entered() {
                        return stop;
                    }
                    function = program.function(callee);
                }
                I::TailCall { function: callee, start, n } => {
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
                            match native(local, &self.stack[at..at + usize::from(n)]) {
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
                        Run::Control(control) => {
                            flow!(self.control(control, builtin, start, n, local))
                        }
                    }
                }
                I::CallFun { fun, start, n, tail } => {
                    let fun = reg!(fun).clone();
                    flow!(self.call_fun(&fun, start, n, tail, local))
                }
                I::Apply { module, start, n, tail } => {
                    let (module, name) = (reg!(module).clone(), reg!(module + 1).clone());
                    flow!(self.apply(&module, &name, start, n, tail, local))
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
                    flow!(self.raised(Exception { class, reason, trace }))
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

    fn raised(&mut self, exception: Exception) -> Flow {
        if self.unwind(&exception) { Flow::Go } else { Flow::Leave(Stop::Raised(exception)) }
    }

    /// Accounts for a call; stops a process that calls without end.
    #[inline]
    fn entered(&mut self) -> Option<Stop> {
        self.make_room();
        if self.budget == 0 {
            return Some(self.diverged("loop"));
        }
        self.budget -= 1;
        if self.budget < self.next_measure && self.measure() {
            return Some(Stop::Grown);
        }
        (self.stack.len() > STACK_MAX).then(|| self.diverged("recursion"))
    }

    /// Whether the process holds too much; to be asked again after twice as many calls.
    #[cold]
    fn measure(&mut self) -> bool {
        self.next_measure = self.budget.saturating_sub(self.measured);
        self.measured *= 2;
        crate::limits::is_larger(self.stack.iter(), self.heap_max)
    }

    fn diverged(&self, what: &'static str) -> Stop {
        let line = self.function().line(self.current.pc);
        Stop::Diverged { what, function: self.current.function, line }
    }

    /// Moves the arguments of a tail call to the bottom of the window.
    fn slide_down(&mut self, start: Reg, n: u16) {
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
        self.builtin_exception(atom!("erlang"), op.name(), &arguments, Class::Error, reason)
    }

    fn builtin_raised(
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
            Raise::Unmodelled(what) => {
                let line = self.function().line(self.current.pc);
                Flow::Leave(Stop::Unmodelled { what, line })
            }
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

    /// `apply` in its shapes, whose arguments are terms.
    fn control(
        &mut self,
        control: Control,
        builtin: u32,
        start: Reg,
        n: u16,
        local: &mut Local<'_>,
    ) -> Flow {
        let at = self.current.base + usize::from(start);
        let arguments = self.stack[at..at + usize::from(n)].to_vec();
        let list = arguments.last().and_then(Term::to_vec);
        let Some(list) = list else {
            return self.builtin_raised(builtin, start, n, RAISE, Raise::badarg());
        };
        let (at, start) = if control == Control::Hibernate {
            self.frames.clear();
            self.current.base = 0;
            (0, 0)
        } else {
            (at, start)
        };
        let needed = at + list.len().max(1);
        if self.stack.len() < needed {
            self.stack.resize(needed, Term::Nil);
        }
        let n_arguments = list.len() as u16;
        for (i, argument) in list.into_iter().enumerate() {
            self.stack[at + i] = argument;
        }
        let tail = self.is_followed_by_return(start);
        match control {
            Control::Apply if arguments.len() == 2 => {
                self.call_fun(&arguments[0], start, n_arguments, tail, local)
            }
            Control::Hibernate => {
                self.apply(&arguments[0], &arguments[1], 0, n_arguments, true, local)
            }
            Control::Apply => {
                self.apply(&arguments[0], &arguments[1], start, n_arguments, tail, local)
            }
        }
    }

    fn is_followed_by_return(&self, start: Reg) -> bool {
        let function = self.function();
        let pc = self.current.pc;
        matches!(function.code.get(pc as usize + 1), Some(Instruction::Return { src }) if *src == start)
            && function.handler(pc).is_none()
    }

    fn call_fun(
        &mut self,
        fun: &Term,
        start: Reg,
        n: u16,
        tail: bool,
        local: &mut Local<'_>,
    ) -> Flow {
        let Term::Fun(fun) = fun else {
            let exception = self.exception(Class::Error, Term::tuple([a!("badfun"), fun.clone()]));
            return self.raised(exception);
        };
        let at = self.current.base + usize::from(start);
        if fun.arity != u32::from(n) {
            let arguments = Term::list(self.stack[at..at + usize::from(n)].to_vec());
            let pair = Term::tuple([Term::Fun(Arc::clone(fun)), arguments]);
            let exception = self.exception(Class::Error, Term::tuple([a!("badarity"), pair]));
            return self.raised(exception);
        }
        match &fun.kind {
            FunKind::External { module, name } => {
                self.apply(&Term::Atom(*module), &Term::Atom(*name), start, n, tail, local)
            }
            FunKind::Closure { function, environment, .. } => {
                let end = at + usize::from(n) + environment.len();
                if self.stack.len() < end {
                    self.stack.resize(end, Term::Nil);
                }
                for (i, term) in environment.iter().enumerate() {
                    self.stack[at + usize::from(n) + i] = term.clone();
                }
                self.enter(*function, start, n + environment.len() as u16, tail)
            }
        }
    }

    /// Output to a process that is not the system's own goes by messages: what to call for it instead.
    fn redirected(&self, name: &str, at: usize, n: u16, local: &Local<'_>) -> Option<u32> {
        let has_device = matches!((name, n), ("format" | "fwrite", 3) | ("put_chars" | "write", 2))
            || (name, n) == ("nl", 1);
        let device = has_device.then(|| &self.stack[at]);
        let is_system = match device {
            None => local.group_leader.is_system(),
            Some(Term::Pid(pid)) => pid.is_system(),
            Some(Term::Atom(name)) => match name.text() {
                "standard_io" => local.group_leader.is_system(),
                "user" | "standard_error" => true,
                _ => false,
            },
            Some(_) => true,
        };
        if is_system {
            return None;
        }
        let name = Atom::new(&format!("foresee_{name}"));
        self.program.find((atom!("io"), name, u32::from(n)))
    }

    /// The function that every module has without writing it.
    fn module_info(&mut self, module: Atom, start: Reg, n: u16, tail: bool) -> Flow {
        let at = self.current.base + usize::from(start);
        if self.stack.len() < at + 2 {
            self.stack.resize(at + 2, Term::Nil);
        }
        if n == 1 {
            self.stack.swap(at, at + 1);
        }
        self.stack[at] = Term::Atom(module);
        let key = (atom!("erlang"), atom!("get_module_info"), u32::from(n) + 1);
        let stub = self.program.builtins.find(key).and_then(|builtin| self.program.stub(builtin));
        self.enter(stub.expect("a built-in of the language"), start, n + 1, tail)
    }

    /// Calls a function whose arguments are in place.
    fn enter(&mut self, function: u32, start: Reg, n: u16, tail: bool) -> Flow {
        if tail {
            self.slide_down(start, n);
            self.current.function = function;
            self.current.pc = 0;
        } else {
            self.frames.push(self.current);
            let base = self.current.base + usize::from(start);
            self.current = Frame { function, pc: 0, base };
        }
        match self.entered() {
            Some(stop) => Flow::Leave(stop),
            None => Flow::Go,
        }
    }

    fn apply(
        &mut self,
        module: &Term,
        name: &Term,
        start: Reg,
        n: u16,
        tail: bool,
        local: &mut Local<'_>,
    ) -> Flow {
        let (Term::Atom(module), Term::Atom(name)) = (module, name) else {
            let exception = self.exception(Class::Error, a!("badarg"));
            return self.raised(exception);
        };
        let key = (*module, *name, u32::from(n));
        if let Some(function) = self.program.exported(key) {
            return self.enter(function, start, n, tail);
        }
        if *name == atom!("module_info") && n <= 1 && self.program.has_module(*module) {
            return self.module_info(*module, start, n, tail);
        }
        let Some(builtin) = self.program.builtins.find(key) else {
            return self.undefined(*module, *name, start, n);
        };
        // A built-in by a computed name is run through a stub, so that it rests like any other.
        match self.program.stub(builtin) {
            Some(stub) => self.enter(stub, start, n, tail),
            None => {
                let _ = local;
                self.undefined(*module, *name, start, n)
            }
        }
    }

    fn undefined(&mut self, module: Atom, name: Atom, start: Reg, n: u16) -> Flow {
        let at = self.current.base + usize::from(start);
        let arguments = self.stack[at..at + usize::from(n)].to_vec();
        let exception =
            self.builtin_exception(module, name.text(), &arguments, Class::Error, a!("undef"));
        self.raised(exception)
    }
}

fn valid_timeout(timeout: &Term) -> bool {
    match timeout {
        Term::Int(n) => (0..=0xFFFF_FFFF).contains(n),
        Term::Atom(atom) => *atom == atom!("infinity"),
        _ => false,
    }
}

#[inline]
fn holds(op: Comparison, left: &Term, right: &Term) -> bool {
    if let (Term::Int(a), Term::Int(b)) = (left, right) {
        return match op {
            Comparison::Equal | Comparison::ExactEqual => a == b,
            Comparison::NotEqual | Comparison::ExactNotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
        };
    }
    match op {
        Comparison::ExactEqual => order::exactly_equal(left, right),
        Comparison::ExactNotEqual => !order::exactly_equal(left, right),
        Comparison::Equal => order::equal(left, right),
        Comparison::NotEqual => !order::equal(left, right),
        Comparison::Less => order::compare(left, right) == Ordering::Less,
        Comparison::LessEqual => order::compare(left, right) != Ordering::Greater,
        Comparison::Greater => order::compare(left, right) == Ordering::Greater,
        Comparison::GreaterEqual => order::compare(left, right) != Ordering::Less,
    }
}

/// The value of an operator, or `None` for an error.
#[inline]
pub(crate) fn operate(op: Operation, left: &Term, right: &Term) -> Option<Term> {
    let both = || Some((left.as_bool()?, right.as_bool()?));
    match op {
        Operation::Add => number::add(left, right),
        Operation::Subtract => number::subtract(left, right),
        Operation::Multiply => number::multiply(left, right),
        Operation::Divide => number::divide(left, right),
        Operation::Quotient => number::quotient(left, right),
        Operation::Remainder => number::remainder(left, right),
        Operation::And => both().map(|(a, b)| Term::bool(a && b)),
        Operation::Or => both().map(|(a, b)| Term::bool(a || b)),
        Operation::Xor => both().map(|(a, b)| Term::bool(a != b)),
        Operation::BitAnd => number::bit_and(left, right),
        Operation::BitOr => number::bit_or(left, right),
        Operation::BitXor => number::bit_xor(left, right),
        Operation::ShiftLeft => number::shift_left(left, right),
        Operation::ShiftRight => number::shift_right(left, right),
        Operation::Append => append(left, right),
        Operation::ListSubtract => subtract(left, right),
        Operation::Negate => number::negate(left).filter(|_| number::is_number(left)),
        Operation::Plus => number::is_number(left).then(|| left.clone()),
        Operation::BitNot => number::bit_not(left),
        Operation::Not => left.as_bool().map(|value| Term::bool(!value)),
    }
}

fn append(left: &Term, right: &Term) -> Option<Term> {
    if matches!(left, Term::Nil) {
        return Some(right.clone());
    }
    Some(Term::list_with_tail(left.to_vec()?, right.clone()))
}

/// Removes the first occurrence of each element of `right`.
fn subtract(left: &Term, right: &Term) -> Option<Term> {
    let mut removed = right.to_vec()?;
    let mut kept = left.to_vec()?;
    kept.retain(|item| match removed.iter().position(|other| other == item) {
        Some(at) => {
            removed.swap_remove(at);
            false
        }
        None => true,
    });
    Some(Term::list(kept))
}
