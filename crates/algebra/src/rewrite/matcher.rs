//! The rules of one function as a decision tree: each argument's symbol is looked at once at most.
//! Registers hold the arguments and, as the tree looks inside them, their arguments in turn; which register holds what is
//! known when the tree is built. Rules are tried in the order of the text, though muCRL gives that no meaning.

use super::code::Entry;
use crate::model::{Expr, Model, SymbolId};

pub(crate) type StepId = u32;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// No rule applies.
    Fail,
    /// Goes on by the symbol in a register, whose arguments become the next registers.
    Switch { register: u32, cases: Box<[(SymbolId, StepId)]>, otherwise: StepId },
    /// The rule applies if these pairs of registers are equal; `bindings` are the registers of its variables.
    Apply {
        rule: u32,
        entry: Entry,
        bindings: Box<[u32]>,
        equal: Box<[(u32, u32)]>,
        otherwise: StepId,
    },
}

struct Row<'a> {
    rule: u32,
    /// What the registers must still be.
    patterns: Vec<(u32, &'a Expr)>,
    bindings: Vec<(u32, u32)>,
    equal: Vec<(u32, u32)>,
}

pub(super) fn compile(
    model: &Model,
    rules: &[u32],
    entries: &[Entry],
    steps: &mut Vec<Step>,
) -> StepId {
    let rows = rules.iter().map(|&rule| {
        let (patterns, bindings, equal) = (Vec::new(), Vec::new(), Vec::new());
        let mut row = Row { rule, patterns, bindings, equal };
        let patterns = &model.rules[rule as usize].patterns;
        patterns.iter().enumerate().for_each(|(register, it)| row.add(register as u32, it));
        row
    });
    let rows: Vec<_> = rows.collect();
    let n_registers = model.rules[rules[0] as usize].patterns.len() as u32;
    tree(&rows, n_registers, entries, steps)
}

fn tree(rows: &[Row<'_>], n_registers: u32, entries: &[Entry], steps: &mut Vec<Step>) -> StepId {
    let Some(first) = rows.first() else { return push(steps, Step::Fail) };
    let Some(&(register, _)) = first.patterns.first() else {
        let otherwise = if first.equal.is_empty() { &[] } else { &rows[1..] };
        let otherwise = tree(otherwise, n_registers, entries, steps);
        let step = Step::Apply {
            rule: first.rule,
            entry: entries[first.rule as usize],
            bindings: bindings(&first.bindings),
            equal: first.equal.clone().into(),
            otherwise,
        };
        return push(steps, step);
    };
    let mut symbols: Vec<(SymbolId, u32)> = Vec::new();
    for row in rows {
        if let Some(Expr::Apply(symbol, arguments)) = row.at(register)
            && !symbols.iter().any(|it| it.0 == *symbol)
        {
            symbols.push((*symbol, arguments.len() as u32));
        }
    }
    let cases = symbols.into_iter().map(|(symbol, n)| {
        let rows: Vec<_> =
            rows.iter().filter_map(|row| row.inside(register, symbol, n_registers)).collect();
        (symbol, tree(&rows, n_registers + n, entries, steps))
    });
    let cases = cases.collect();
    let rest: Vec<_> =
        rows.iter().filter(|row| row.at(register).is_none()).map(Row::copy).collect();
    let otherwise = tree(&rest, n_registers, entries, steps);
    push(steps, Step::Switch { register, cases, otherwise })
}

fn push(steps: &mut Vec<Step>, step: Step) -> StepId {
    steps.push(step);
    steps.len() as StepId - 1
}

/// Slot to register; a slot that the left side does not use is never read.
fn bindings(pairs: &[(u32, u32)]) -> Box<[u32]> {
    let n = pairs.iter().map(|it| it.0 + 1).max().unwrap_or(0);
    let register = |slot| pairs.iter().find(|it| it.0 == slot).map_or(0, |it| it.1);
    (0..n).map(register).collect()
}

impl<'a> Row<'a> {
    fn add(&mut self, register: u32, pattern: &'a Expr) {
        match pattern {
            Expr::Apply(..) => self.patterns.push((register, pattern)),
            Expr::Variable(slot) => match self.bindings.iter().find(|it| it.0 == *slot) {
                Some((_, earlier)) => self.equal.push((*earlier, register)),
                None => self.bindings.push((*slot, register)),
            },
        }
    }

    fn at(&self, register: u32) -> Option<&'a Expr> {
        self.patterns.iter().find(|it| it.0 == register).map(|it| it.1)
    }

    fn copy(&self) -> Row<'a> {
        let (patterns, bindings) = (self.patterns.clone(), self.bindings.clone());
        Row { rule: self.rule, patterns, bindings, equal: self.equal.clone() }
    }

    /// The row once `register` is known to hold `symbol`, whose arguments start at `first`; `None` if it needs another.
    fn inside(&self, register: u32, symbol: SymbolId, first: u32) -> Option<Row<'a>> {
        let mut row = self.copy();
        let Some(at) = row.patterns.iter().position(|it| it.0 == register) else {
            return Some(row);
        };
        let Expr::Apply(wanted, arguments) = row.patterns.remove(at).1 else { return None };
        if *wanted != symbol {
            return None;
        }
        arguments.iter().enumerate().for_each(|(n, it)| row.add(first + n as u32, it));
        Some(row)
    }
}
