//! The machine that evaluates: a stack of values, a stack of frames, a budget.
//! An open term stays as it is when the value of a variable could decide which rule applies; so a rule that is meant as
//! "otherwise" never applies too early.

use super::code::{Entry, Instruction, Program};
use super::matcher::{Step, StepId};
use super::terms::{TermId, Terms};
use crate::model::{Model, SymbolId};
use foresee_stdx::halt;

/// Rewriting went on for too long; the rule that was applied last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Diverged {
    pub(crate) rule: u32,
}

#[derive(Debug)]
struct Frame {
    at: Entry,
    /// Where this frame's registers start.
    base: usize,
    /// What the result is the normal form of.
    redex: TermId,
}

/// Rules applied between two looks at the limits.
const LOOK_EVERY: u64 = 1 << 10;

/// Frames hold what is still to do; so many at once only a loop needs.
const FRAMES_MAX: usize = 1 << 20;

#[derive(Debug, Default)]
pub(crate) struct Machine {
    values: Vec<TermId>,
    registers: Vec<TermId>,
    frames: Vec<Frame>,
    /// The registers of the match that is going on.
    matched: Vec<TermId>,
    budget: u64,
    pub(crate) n_applied: u64,
}

impl Machine {
    pub(crate) fn new(budget: u64) -> Machine {
        Machine { budget, ..Machine::default() }
    }

    /// The normal form of the term with code at `entry`, for these values of its variables.
    pub(crate) fn evaluate(
        &mut self,
        model: &Model,
        program: &Program,
        terms: &mut Terms,
        entry: Entry,
        environment: &[TermId],
    ) -> Result<TermId, Diverged> {
        self.registers.extend_from_slice(environment);
        self.frames.push(Frame { at: entry, base: 0, redex: 0 });
        self.run(model, program, terms)
    }

    /// The normal form of `symbol` applied to normal forms.
    pub(crate) fn reduce(
        &mut self,
        model: &Model,
        program: &Program,
        terms: &mut Terms,
        symbol: SymbolId,
        arguments: &[TermId],
    ) -> Result<TermId, Diverged> {
        self.values.extend_from_slice(arguments);
        let left = self.n_applied + self.budget;
        if self.apply(model, program, terms, symbol, arguments.len(), left)? {
            return Ok(self.values.pop().expect("just pushed"));
        }
        self.run(model, program, terms)
    }

    fn run(
        &mut self,
        model: &Model,
        program: &Program,
        terms: &mut Terms,
    ) -> Result<TermId, Diverged> {
        let limit = self.n_applied + self.budget;
        let mut frame = self.frames.pop().expect("something to run");
        loop {
            let instruction = &program.code[frame.at as usize];
            frame.at += 1;
            match instruction {
                Instruction::Register(slot) => {
                    self.values.push(self.registers[frame.base + *slot as usize]);
                }
                Instruction::Constant(term) => self.values.push(*term),
                Instruction::Build(symbol, n) => {
                    let start = self.values.len() - *n as usize;
                    let term = terms.value(*symbol, &self.values[start..]);
                    self.values.truncate(start);
                    self.values.push(term);
                }
                Instruction::Reduce(symbol, n) => {
                    let n_frames = self.frames.len();
                    self.frames.push(frame);
                    let is_done = self.apply(model, program, terms, *symbol, *n as usize, limit)?;
                    debug_assert_eq!(self.frames.len(), n_frames + if is_done { 1 } else { 2 });
                    frame = self.frames.pop().expect("at least the one just pushed");
                }
                Instruction::Select(cases) => {
                    let symbol = terms.symbol(*self.values.last().expect("evaluated"));
                    if let Some((_, entry)) = cases.iter().find(|it| it.0 == symbol) {
                        self.values.pop();
                        frame.at = *entry;
                    }
                }
                Instruction::Jump(entry) => frame.at = *entry,
                Instruction::Return => {
                    let result = *self.values.last().expect("a result");
                    terms.set_normal(result, result);
                    if frame.redex != 0 {
                        terms.set_normal(frame.redex, result);
                    }
                    self.registers.truncate(frame.base);
                    match self.frames.pop() {
                        Some(caller) => frame = caller,
                        None => return Ok(self.values.pop().expect("a result")),
                    }
                }
            }
        }
    }

    /// Replaces the topmost `n` values by the normal form of the application (true), or pushes the frame that will.
    fn apply(
        &mut self,
        model: &Model,
        program: &Program,
        terms: &mut Terms,
        symbol: SymbolId,
        n: usize,
        limit: u64,
    ) -> Result<bool, Diverged> {
        let start = self.values.len() - n;
        let redex = terms.intern(symbol, &self.values[start..]);
        let mut normal = terms.normal(redex);
        if normal == 0 && model.symbol(symbol).is_equality {
            normal = equality(model, terms, self.values[start], self.values[start + 1], redex);
        }
        if normal == 0 {
            let tree = program.trees[symbol as usize];
            let found = tree.and_then(|tree| self.find(model, program, terms, tree, start));
            match found {
                None => normal = redex,
                Some((rule, entry, bindings)) => {
                    self.n_applied += 1;
                    if self.n_applied.is_multiple_of(LOOK_EVERY)
                        && let Some(cause) = halt::struck()
                    {
                        self.clear();
                        halt::halt(cause);
                    }
                    if self.n_applied >= limit || self.frames.len() >= FRAMES_MAX {
                        self.has_no_end(limit, rule)?;
                    }
                    let base = self.registers.len();
                    self.registers.extend(bindings.iter().map(|it| self.matched[*it as usize]));
                    self.values.truncate(start);
                    self.frames.push(Frame { at: entry, base, redex });
                    return Ok(false);
                }
            }
        }
        terms.set_normal(redex, normal);
        self.values.truncate(start);
        self.values.push(normal);
        Ok(true)
    }

    /// A limit that the user has set wins over our own idea of what has no end.
    #[cold]
    fn has_no_end(&mut self, limit: u64, rule: u32) -> Result<(), Diverged> {
        let is_long = self.n_applied >= limit && !halt::is_time_limited();
        let is_deep = self.frames.len() >= FRAMES_MAX && !halt::is_growth_limited();
        if is_long || is_deep {
            self.clear();
            return Err(Diverged { rule });
        }
        Ok(())
    }

    /// The first rule that applies to the values from `start` on, with the registers of its variables.
    fn find<'p>(
        &mut self,
        model: &Model,
        program: &'p Program,
        terms: &Terms,
        tree: StepId,
        start: usize,
    ) -> Option<(u32, Entry, &'p [u32])> {
        self.matched.clear();
        self.matched.extend_from_slice(&self.values[start..]);
        let mut step = tree;
        loop {
            match &program.steps[step as usize] {
                Step::Fail => return None,
                Step::Switch { register, cases, otherwise } => {
                    let term = self.matched[*register as usize];
                    let symbol = terms.symbol(term);
                    match cases.iter().find(|it| it.0 == symbol) {
                        Some((_, inside)) => {
                            self.matched.extend_from_slice(terms.arguments(term));
                            step = *inside;
                        }
                        None if is_undecided(model, terms, term) => return None,
                        None => step = *otherwise,
                    }
                }
                Step::Apply { rule, entry, bindings, equal, otherwise } => {
                    let mut unequal = equal
                        .iter()
                        .map(|(a, b)| (self.matched[*a as usize], self.matched[*b as usize]))
                        .filter(|(a, b)| a != b)
                        .peekable();
                    if unequal.peek().is_none() {
                        return Some((*rule, *entry, bindings));
                    }
                    if !unequal.any(|(a, b)| terms.differ(model, a, b)) {
                        return None;
                    }
                    step = *otherwise;
                }
            }
        }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.registers.clear();
        self.frames.clear();
    }
}

/// Whether the symbol at the head of an open term may still change.
fn is_undecided(model: &Model, terms: &Terms, term: TermId) -> bool {
    terms.is_open(term)
        && (terms.as_variable(term).is_some() || !model.symbol(terms.symbol(term)).is_free)
}

/// Equality of normal forms; stays open while a variable decides.
fn equality(model: &Model, terms: &mut Terms, a: TermId, b: TermId, redex: TermId) -> TermId {
    if a == b {
        terms.value(model.true_symbol, &[])
    } else if terms.differ(model, a, b) {
        terms.value(model.false_symbol, &[])
    } else {
        redex
    }
}
