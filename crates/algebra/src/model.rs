//! A checked specification: names are numbers, every term has a sort, every process expression is a numbered position.
//! Positions are what states are made of: a component rests at a position with the values of the variables that the
//! position can still use (`Node::live`), nothing else.

use foresee_text::Span;
use rustc_hash::FxHashMap;

pub(crate) type SortId = u32;
pub(crate) type SymbolId = u32;
pub(crate) type ActionId = u32;
pub(crate) type ProcessId = u32;
pub(crate) type NodeId = u32;

/// The internal action.
pub(crate) const TAU: ActionId = 0;

#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) sorts: Vec<Sort>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) rules: Vec<Rule>,
    /// Number 0 is tau.
    pub(crate) actions: Vec<Action>,
    /// Both orders of each pair.
    pub(crate) communications: FxHashMap<(ActionId, ActionId), ActionId>,
    pub(crate) processes: Vec<Process>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) init: NodeId,
    pub(crate) true_symbol: SymbolId,
    pub(crate) false_symbol: SymbolId,
}

#[derive(Clone, Debug)]
pub(crate) struct Sort {
    pub(crate) name: String,
    pub(crate) constructors: Vec<SymbolId>,
    pub(crate) is_finite: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) arguments: Vec<SortId>,
    pub(crate) result: SortId,
    /// A constructor without rules: different arguments make different values.
    pub(crate) is_free: bool,
    /// `eq` of two values of one sort without any rule: equality of normal forms.
    pub(crate) is_equality: bool,
    pub(crate) span: Span,
}

/// A data term whose variables are slots of the surrounding process or rule.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Expr {
    Variable(u32),
    Apply(SymbolId, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) head: SymbolId,
    pub(crate) patterns: Vec<Expr>,
    pub(crate) right: Expr,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) sorts: Vec<SortId>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) parameters: Vec<SortId>,
    /// The names of all slots: parameters first, then one for each `sum`.
    pub(crate) slots: Vec<String>,
    pub(crate) root: NodeId,
}

/// A position: a process expression in its equation.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) process: ProcessId,
    /// The slots whose values this expression uses, in order.
    pub(crate) live: Box<[u32]>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Delta,
    Tau,
    Action(ActionId, Vec<Expr>),
    Call(ProcessId, Vec<Expr>),
    Choice(NodeId, NodeId),
    Sequence(NodeId, NodeId),
    Parallel(NodeId, NodeId),
    LeftMerge(NodeId, NodeId),
    Communication(NodeId, NodeId),
    Condition(NodeId, Expr, NodeId),
    Sum(u32, SortId, NodeId),
    /// What becomes of each action, by number.
    Filter(FilterId, NodeId),
}

pub(crate) type FilterId = u32;

/// What `encap`, `hide` and `rename` do to one action.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fate {
    Blocked,
    Becomes(ActionId),
}

impl Model {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id as usize]
    }

    /// `name: A # B -> C`, for messages.
    pub(crate) fn signature(&self, id: SymbolId) -> String {
        let symbol = self.symbol(id);
        let sorts = self.sort_list(&symbol.arguments);
        format!("{}: {sorts} -> {}", symbol.name, self.sorts[symbol.result as usize].name)
    }

    pub(crate) fn sort_list(&self, sorts: &[SortId]) -> String {
        let names: Vec<_> = sorts.iter().map(|it| self.sorts[*it as usize].name.as_str()).collect();
        names.join(" # ")
    }
}
