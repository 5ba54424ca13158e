//! The body of one function while it is compiled: registers, labels, constants, and which variables are bound.
//! Registers are handed out like a stack. A variable keeps its register to the end of the function, so a variable bound
//! in several branches is found in one place afterwards; temporaries are given back.
//! Invariant: at a call every register that is still needed lies below the first argument (`Body::call_window`).

use super::Unit;
use crate::program::code::{Function, Handler, Instruction, Label, RAISE, Reg, Segment};
use crate::program::liveness;
use crate::term::{Atom, Term};
use foresee_erlang_syntax::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Body<'u, 'a> {
    pub(super) unit: &'u mut Unit<'a>,
    pub(super) name: Atom,
    pub(super) scope: Scope,
    /// Where errors go: `RAISE`, or in a guard the label of its failure.
    pub(super) fail: Label,
    pub(super) line: u32,
    code: Vec<Instruction>,
    lines: Vec<u32>,
    constants: Vec<Term>,
    pub(super) segments: Vec<Segment>,
    handlers: Vec<Handler>,
    /// Label to place; patched in at the end.
    labels: Vec<Label>,
    next: Reg,
    /// One past the highest register of a variable.
    variables_top: Reg,
    max: Reg,
}

/// What a function's variables are called and where they are.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) registers: FxHashMap<Name, Reg>,
    pub(super) bound: FxHashSet<Name>,
}

/// Arguments and caught variables of one function.
const PARAMETERS_MAX: u32 = 4096;

/// Parts of one value that are not constants.
const PARTS_MAX: usize = 60_000;

/// Among so many constants before it one is looked for.
const CONSTANTS_NEAR: usize = 500;

impl<'u, 'a> Body<'u, 'a> {
    pub(super) fn new(unit: &'u mut Unit<'a>, name: Atom, n_parameters: u32) -> Self {
        unit.is_too_large |= n_parameters > PARAMETERS_MAX;
        let n_parameters = n_parameters.min(PARAMETERS_MAX);
        Body {
            unit,
            name,
            scope: Scope::default(),
            fail: RAISE,
            line: 0,
            code: Vec::new(),
            lines: Vec::new(),
            constants: Vec::new(),
            segments: Vec::new(),
            handlers: Vec::new(),
            labels: Vec::new(),
            next: n_parameters as Reg,
            variables_top: n_parameters as Reg,
            max: n_parameters as Reg + 1,
        }
    }

    pub(super) fn finish(mut self, arity: u32, n_caught: u32, exported: bool) -> Function {
        let labels = std::mem::take(&mut self.labels);
        let place = |label: &mut Label| {
            if *label != RAISE {
                *label = labels[*label as usize];
            }
        };
        for instruction in &mut self.code {
            instruction.for_each_label(place);
        }
        for handler in &mut self.handlers {
            place(&mut handler.target);
        }
        let mut function = Function {
            module: self.unit.module,
            name: self.name,
            arity,
            n_caught,
            exported,
            n_registers: self.max + 1,
            code: self.code,
            lines: self.lines,
            file: self.unit.file,
            constants: self.constants,
            segments: self.segments,
            handlers: self.handlers,
            live: FxHashMap::default(),
        };
        // Code that is too large is refused, and does not make sense.
        if !self.unit.is_too_large {
            liveness::analyse(&mut function);
        }
        function
    }

    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.code.push(instruction);
        self.lines.push(self.line);
    }

    pub(super) fn at(&mut self, span: Span) {
        self.line = self.unit.line(span);
    }

    pub(super) fn here(&self) -> Label {
        self.code.len() as Label
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(RAISE);
        self.labels.len() as Label - 1
    }

    pub(super) fn place(&mut self, label: Label) {
        self.labels[label as usize] = self.code.len() as Label;
    }

    pub(super) fn handler(&mut self, handler: Handler) {
        if handler.start < handler.end {
            self.handlers.push(handler);
        }
    }

    /// Whether a value has too many parts; the function is then refused.
    pub(super) fn is_too_large(&mut self, n: usize) -> bool {
        self.unit.is_too_large |= n > PARTS_MAX;
        n > PARTS_MAX
    }

    pub(super) fn fresh(&mut self) -> Reg {
        self.fresh_block(1)
    }

    /// `n` consecutive registers.
    pub(super) fn fresh_block(&mut self, n: usize) -> Reg {
        let n = Some(n).filter(|n| *n <= PARTS_MAX).and_then(|n| u16::try_from(n).ok());
        let end = n.and_then(|n| self.next.checked_add(n));
        // Code for a function that is too large is never run: the program is refused.
        let Some(end) = end.filter(|end| *end < Reg::MAX) else {
            self.unit.is_too_large = true;
            self.next = 0;
            return 0;
        };
        let start = std::mem::replace(&mut self.next, end);
        self.max = self.max.max(self.next);
        start
    }

    pub(super) fn mark(&self) -> Reg {
        self.next
    }

    /// Gives back the temporaries since `mark`.
    pub(super) fn release(&mut self, mark: Reg) {
        self.next = mark.max(self.variables_top);
    }

    /// The arguments in the `n` registers from `start`, in a place above every variable.
    pub(super) fn call_window(&mut self, start: Reg, n: usize) -> Reg {
        if self.variables_top <= start {
            return start;
        }
        let window = self.fresh_block(n.max(1));
        for i in 0..n as Reg {
            self.emit(Instruction::Move { dst: window + i, src: start + i });
        }
        window
    }

    pub(super) fn is_bound(&self, name: &Name) -> bool {
        self.scope.bound.contains(name)
    }

    /// Binds a variable to what is in `src`. A `temporary` that is the pattern's own becomes the variable.
    pub(super) fn bind(&mut self, name: &Name, src: Reg, temporary: bool) {
        match self.scope.registers.get(name) {
            Some(&dst) => {
                if dst != src {
                    self.emit(Instruction::Move { dst, src });
                }
            }
            None if temporary => self.own(name, src),
            None => {
                let dst = self.fresh();
                self.own(name, dst);
                self.emit(Instruction::Move { dst, src });
            }
        }
        self.scope.bound.insert(name.clone());
    }

    fn own(&mut self, name: &Name, register: Reg) {
        self.scope.registers.insert(name.clone(), register);
        self.variables_top = self.variables_top.max(register + 1);
    }

    pub(super) fn constant(&mut self, dst: Reg, term: Term) {
        let index = self.constant_index(term);
        self.emit(Instruction::Constant { dst, index });
    }

    pub(super) fn constant_index(&mut self, term: Term) -> u32 {
        // Functions that are tables have thousands of constants; what is the same is mostly near.
        let near = self.constants.len().saturating_sub(CONSTANTS_NEAR);
        if let Some(at) = self.constants[near..].iter().position(|known| *known == term) {
            return (near + at) as u32;
        }
        self.constants.push(term);
        self.constants.len() as u32 - 1
    }

    /// Runs `inner` with names that hide those outside: afterwards the old ones are back.
    pub(super) fn shadowing(&mut self, hidden: &[Name], inner: impl FnOnce(&mut Self)) {
        let saved = self.scope.clone();
        for name in hidden {
            self.scope.registers.remove(name);
            self.scope.bound.remove(name);
        }
        inner(self);
        self.scope = saved;
    }
}
