//! Data terms to code for the machine: arguments first, then the application; a choosing function evaluates its first
//! argument, then only the argument it chooses.

use super::matcher::{self, Step, StepId};
use super::terms::{TermId, Terms};
use crate::model::{Expr, Model, SymbolId};

/// Where the code of a term starts.
pub(crate) type Entry = u32;

#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// Pushes a register: a variable of the rule or process.
    Register(u32),
    Constant(TermId),
    /// Makes a value of the topmost terms; no rule can apply.
    Build(SymbolId, u32),
    /// Applies a function to the topmost terms.
    Reduce(SymbolId, u32),
    /// Jumps by the symbol of the topmost term and drops it; if it is none of these, keeps it and goes on.
    Select(Box<[(SymbolId, Entry)]>),
    Jump(Entry),
    Return,
}

/// Everything compiled.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(super) code: Vec<Instruction>,
    pub(super) steps: Vec<Step>,
    /// The decision tree of each symbol; `None` when nothing applies to it.
    pub(super) trees: Vec<Option<StepId>>,
    lazy: Vec<bool>,
}

impl Program {
    pub(crate) fn new(model: &Model, terms: &mut Terms) -> Program {
        let n = model.symbols.len() as SymbolId;
        let lazy = (0..n).map(|symbol| is_lazy(model, symbol)).collect();
        let mut program = Program { lazy, ..Program::default() };
        let entries: Vec<Entry> =
            model.rules.iter().map(|rule| program.compile(model, terms, &rule.right)).collect();
        for symbol in 0..n {
            let rules: Vec<u32> = (0..model.rules.len() as u32)
                .filter(|rule| model.rules[*rule as usize].head == symbol)
                .collect();
            let tree = (!rules.is_empty())
                .then(|| matcher::compile(model, &rules, &entries, &mut program.steps));
            program.trees.push(tree);
        }
        program
    }

    /// Compiles a term whose variables are registers.
    pub(crate) fn compile(&mut self, model: &Model, terms: &mut Terms, expr: &Expr) -> Entry {
        let entry = self.code.len() as Entry;
        self.emit(model, terms, expr);
        self.code.push(Instruction::Return);
        entry
    }

    fn emit(&mut self, model: &Model, terms: &mut Terms, expr: &Expr) {
        let (symbol, arguments) = match expr {
            Expr::Variable(slot) => return self.code.push(Instruction::Register(*slot)),
            Expr::Apply(symbol, arguments) => (*symbol, arguments),
        };
        let is_free = model.symbol(symbol).is_free;
        if self.lazy[symbol as usize] {
            return self.emit_lazy(model, terms, symbol, arguments);
        }
        if is_free && arguments.is_empty() {
            return self.code.push(Instruction::Constant(terms.value(symbol, &[])));
        }
        arguments.iter().for_each(|argument| self.emit(model, terms, argument));
        let n = arguments.len() as u32;
        self.code.push(if is_free {
            Instruction::Build(symbol, n)
        } else {
            Instruction::Reduce(symbol, n)
        });
    }

    fn emit_lazy(
        &mut self,
        model: &Model,
        terms: &mut Terms,
        symbol: SymbolId,
        arguments: &[Expr],
    ) {
        self.emit(model, terms, &arguments[0]);
        let select = self.code.len();
        self.code.push(Instruction::Return);
        // Not decided yet: evaluate the rest and keep the application, which no rule can rewrite.
        arguments[1..].iter().for_each(|argument| self.emit(model, terms, argument));
        self.code.push(Instruction::Build(symbol, arguments.len() as u32));
        let mut jumps = vec![self.code.len()];
        self.code.push(Instruction::Return);
        let mut cases = Vec::new();
        for rule in model.rules.iter().filter(|rule| rule.head == symbol) {
            let Expr::Apply(constructor, _) = rule.patterns[0] else { unreachable!("is lazy") };
            cases.push((constructor, self.code.len() as Entry));
            let chosen = rule.patterns.iter().position(|pattern| *pattern == rule.right);
            self.emit(model, terms, chosen.map_or(&rule.right, |at| &arguments[at]));
            jumps.push(self.code.len());
            self.code.push(Instruction::Return);
        }
        let end = self.code.len() as Entry;
        self.code[select] = Instruction::Select(cases.into());
        for jump in jumps {
            self.code[jump] = Instruction::Jump(end);
        }
    }
}

/// Whether a function only chooses: each rule has a different constant as its first argument, variables for the others,
/// and one of these variables or a constant on the right. Then only the chosen argument need be evaluated.
pub(crate) fn is_lazy(model: &Model, symbol: SymbolId) -> bool {
    let rules: Vec<_> = model.rules.iter().filter(|rule| rule.head == symbol).collect();
    let is_constant = |expr: &Expr| matches!(expr, Expr::Apply(it, arguments) if arguments.is_empty() && model.symbol(*it).is_free);
    let chooses = |rule: &&&crate::model::Rule| {
        let Some((first, rest)) = rule.patterns.split_first() else { return false };
        let are_variables = rest.iter().enumerate().all(|(at, pattern)| {
            matches!(pattern, Expr::Variable(_)) && !rest[..at].contains(pattern)
        });
        is_constant(first)
            && are_variables
            && (is_constant(&rule.right) || rest.contains(&rule.right))
    };
    let are_different = (0..rules.len()).all(|at| {
        rules[..at].iter().all(|rule| rule.patterns.first() != rules[at].patterns.first())
    });
    !rules.is_empty() && are_different && rules.iter().filter(chooses).count() == rules.len()
}
