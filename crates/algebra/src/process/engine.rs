//! The engine: a model with its compiled data, the tables of terms and component states, and the helpers they share.

use super::offers::Offer;
use super::store::{DELTA, DONE, Proc, ProcId, Procs};
use crate::check::Checked;
use crate::diagnostic::{Diagnostic, NO_NORMAL_FORM};
use crate::model::{Fate, Model, NodeId, NodeKind, SymbolId};
use crate::rewrite::{Diverged, Entry, Machine, Program, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Rules applied in one evaluation after which rewriting is taken not to end.
    pub rewrite_budget: u64,
    /// Values tried for one sum after which it is taken to be infinite.
    pub sum_budget: u64,
    /// Components are told apart by what they will do instead of where they stand: a condition that is decided is its
    /// branch, an action to come is known by its data, unused parameters do not count. Fewer states, which behave the same.
    pub merge_positions: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { rewrite_budget: 1_000_000, sum_budget: 100_000, merge_positions: false }
    }
}

/// Why a component cannot go on faithfully.
pub(crate) type Failure = Box<Diagnostic>;

#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) model: Arc<Model>,
    pub(crate) filters: Arc<Vec<Vec<Fate>>>,
    pub(crate) terms: Terms,
    pub(crate) procs: Procs,
    pub(crate) options: Options,
    /// Code of the terms at each node, in order.
    entries: Vec<Vec<Entry>>,
    program: Program,
    machine: Machine,
    pub(super) offers: FxHashMap<ProcId, Arc<[Offer]>>,
}

impl Engine {
    pub(crate) fn new(checked: Checked, options: Options) -> Engine {
        let Checked { mut model, filters } = checked;
        if !options.merge_positions {
            // The start of a process is told apart by all its parameters, whether it uses them or not.
            for process in &model.processes {
                let n = process.parameters.len() as u32;
                model.nodes[process.root as usize].live = (0..n).collect();
            }
        }
        let mut terms = Terms::default();
        let mut program = Program::new(&model, &mut terms);
        let entries = model.nodes.iter().map(|node| match &node.kind {
            NodeKind::Action(_, arguments) | NodeKind::Call(_, arguments) => {
                arguments.iter().map(|it| program.compile(&model, &mut terms, it)).collect()
            }
            NodeKind::Condition(_, condition, _) => {
                vec![program.compile(&model, &mut terms, condition)]
            }
            _ => Vec::new(),
        });
        let entries = entries.collect();
        let machine = Machine::new(options.rewrite_budget);
        Engine {
            model: Arc::new(model),
            filters: Arc::new(filters),
            terms,
            procs: Procs::default(),
            options,
            entries,
            program,
            machine,
            offers: FxHashMap::default(),
        }
    }

    /// The values of the terms at a node.
    pub(crate) fn evaluate_all(
        &mut self,
        node: NodeId,
        environment: &[TermId],
    ) -> Result<Vec<TermId>, Failure> {
        let entries = self.entries[node as usize].len();
        (0..entries).map(|at| self.evaluate(node, at, environment)).collect()
    }

    pub(crate) fn evaluate(
        &mut self,
        node: NodeId,
        at: usize,
        environment: &[TermId],
    ) -> Result<TermId, Failure> {
        let entry = self.entries[node as usize][at];
        self.machine
            .evaluate(&self.model, &self.program, &mut self.terms, entry, environment)
            .map_err(|diverged| self.diverged(diverged))
    }

    /// The normal form of an open term once some variables have values (0: none yet).
    pub(crate) fn substitute(
        &mut self,
        term: TermId,
        values: &[TermId],
    ) -> Result<TermId, Failure> {
        if !self.terms.is_open(term) {
            return Ok(term);
        }
        if let Some(number) = self.terms.as_variable(term) {
            let value = values.get(number as usize).copied().unwrap_or(0);
            return Ok(if value == 0 { term } else { value });
        }
        let (symbol, arguments) = (self.terms.symbol(term), self.terms.arguments(term).to_vec());
        let arguments = self.substitute_all(&arguments, values)?;
        self.reduce(symbol, &arguments)
    }

    /// The normal form of a function applied to normal forms.
    pub(crate) fn reduce(
        &mut self,
        symbol: SymbolId,
        arguments: &[TermId],
    ) -> Result<TermId, Failure> {
        self.machine
            .reduce(&self.model, &self.program, &mut self.terms, symbol, arguments)
            .map_err(|diverged| self.diverged(diverged))
    }

    pub(crate) fn substitute_all(
        &mut self,
        terms: &[TermId],
        values: &[TermId],
    ) -> Result<Vec<TermId>, Failure> {
        terms.iter().map(|term| self.substitute(*term, values)).collect()
    }

    pub(crate) fn substitute_proc(
        &mut self,
        proc: ProcId,
        values: &[TermId],
    ) -> Result<ProcId, Failure> {
        if !self.procs.is_open(proc) {
            return Ok(proc);
        }
        Ok(match self.procs.get(proc).clone() {
            Proc::At(node, data) => {
                let data = self.substitute_all(&data, values)?;
                let at = self.model.node(node);
                let is_start = self.model.processes[at.process as usize].root == node;
                let is_decided = matches!(at.kind, NodeKind::Condition(..));
                if self.options.merge_positions && (!is_start || is_decided) {
                    // What was not known when the component came here may be known now.
                    let environment = self.environment(node, &data);
                    return self.behaviour(node, &environment);
                }
                self.procs.at(&self.terms, node, &data)
            }
            Proc::Prefix(action, arguments, then) => {
                let arguments = self.substitute_all(&arguments, values)?;
                let then = self.substitute_proc(then, values)?;
                self.procs.prefix(&self.terms, action, &arguments, then)
            }
            Proc::Sequence(a, b) => {
                let (a, b) = (self.substitute_proc(a, values)?, self.substitute_proc(b, values)?);
                self.procs.sequence(a, b)
            }
            Proc::Parallel(a, b) => {
                let (a, b) = (self.substitute_proc(a, values)?, self.substitute_proc(b, values)?);
                self.procs.parallel(a, b)
            }
            Proc::Filter(filter, inside) => {
                let inside = self.substitute_proc(inside, values)?;
                self.procs.filter(filter, inside)
            }
            Proc::Nothing | Proc::Delta | Proc::Done => proc,
        })
    }

    /// The state of a component that stands at `node`. A call, also one with something after it, is resolved to the
    /// beginning of what it calls; anything else keeps its own position even if all it does is behave like another.
    pub(crate) fn instantiate(
        &mut self,
        node: NodeId,
        environment: &[TermId],
    ) -> Result<ProcId, Failure> {
        let model = Arc::clone(&self.model);
        let at = model.node(node);
        Ok(match &at.kind {
            NodeKind::Delta => DELTA,
            NodeKind::Call(process, _) => {
                let arguments = self.evaluate_all(node, environment)?;
                let root = model.processes[*process as usize].root;
                // A definition that is nothing but `delta` is dead as well.
                match model.node(root).kind {
                    NodeKind::Delta => DELTA,
                    // Definitions are guarded, so this ends.
                    NodeKind::Condition(..) if self.options.merge_positions => {
                        self.behaviour(root, &arguments)?
                    }
                    _ => self.rest(root, &arguments),
                }
            }
            NodeKind::Sequence(a, b) if is_entered(&model.node(*a).kind) => {
                let first = self.instantiate(*a, environment)?;
                let then = self.instantiate(*b, environment)?;
                self.procs.sequence(first, then)
            }
            NodeKind::Parallel(a, b) => {
                let left = self.instantiate(*a, environment)?;
                let right = self.instantiate(*b, environment)?;
                self.procs.parallel(left, right)
            }
            NodeKind::Filter(filter, body) => {
                let inside = self.instantiate(*body, environment)?;
                self.procs.filter(*filter, inside)
            }
            _ if self.options.merge_positions => self.behaviour(node, environment)?,
            _ => self.rest(node, environment),
        })
    }

    /// What a component at `node` will do, if that can be told without its position.
    fn behaviour(&mut self, node: NodeId, environment: &[TermId]) -> Result<ProcId, Failure> {
        let model = Arc::clone(&self.model);
        let (action, then) = match &model.node(node).kind {
            NodeKind::Condition(then, _, otherwise) => {
                let condition = self.evaluate(node, 0, environment)?;
                return match self.truth(condition) {
                    Some(true) => self.instantiate(*then, environment),
                    Some(false) => self.instantiate(*otherwise, environment),
                    None => Ok(self.rest(node, environment)),
                };
            }
            NodeKind::Sequence(a, b) => (*a, Some(*b)),
            _ => (node, None),
        };
        let NodeKind::Action(name, _) = model.node(action).kind else {
            return Ok(self.rest(node, environment));
        };
        let arguments = self.evaluate_all(action, environment)?;
        let then = then.map_or(Ok(DONE), |it| self.instantiate(it, environment))?;
        Ok(self.procs.prefix(&self.terms, name, &arguments, then))
    }

    fn rest(&mut self, node: NodeId, environment: &[TermId]) -> ProcId {
        let live = &self.model.node(node).live;
        let data: Vec<TermId> = live.iter().map(|slot| environment[*slot as usize]).collect();
        self.procs.at(&self.terms, node, &data)
    }

    /// The values of all slots of the process that `node` belongs to; those that are not live are 0.
    pub(crate) fn environment(&self, node: NodeId, data: &[TermId]) -> Vec<TermId> {
        let at = self.model.node(node);
        let mut environment = vec![0; self.model.processes[at.process as usize].slots.len()];
        for (slot, value) in at.live.iter().zip(data) {
            environment[*slot as usize] = *value;
        }
        environment
    }

    pub(crate) fn text(&self, term: TermId) -> String {
        let mut text = String::new();
        self.terms.write(&self.model, term, &mut text);
        text
    }

    /// Rules applied so far.
    pub(crate) fn n_applied(&self) -> u64 {
        self.machine.n_applied
    }

    fn diverged(&self, diverged: Diverged) -> Failure {
        let rule = &self.model.rules[diverged.rule as usize];
        let name = &self.model.symbol(rule.head).name;
        let budget = self.options.rewrite_budget;
        let message = format!(
            "rewriting does not end: {budget} rules applied to one term, the last one a rule of `{name}`"
        );
        Box::new(
            Diagnostic::error(NO_NORMAL_FORM, rule.span, message)
                .help("arguments are rewritten first; only functions that choose by their first argument wait"),
        )
    }

    /// Calls `see` with the number of each variable in a component state.
    pub(super) fn proc_variables(&self, proc: ProcId, see: &mut impl FnMut(u32)) {
        if !self.procs.is_open(proc) {
            return;
        }
        match self.procs.get(proc) {
            Proc::At(_, data) => data.iter().for_each(|it| self.terms.variables(*it, see)),
            Proc::Prefix(_, arguments, then) => {
                arguments.iter().for_each(|it| self.terms.variables(*it, see));
                self.proc_variables(*then, see);
            }
            Proc::Sequence(a, b) | Proc::Parallel(a, b) => {
                self.proc_variables(*a, see);
                self.proc_variables(*b, see);
            }
            Proc::Filter(_, inside) => self.proc_variables(*inside, see),
            Proc::Nothing | Proc::Delta | Proc::Done => {}
        }
    }
}

/// Whether coming here already means being somewhere else.
fn is_entered(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Call(..) | NodeKind::Parallel(..) | NodeKind::Filter(..))
}
