//! The core of a formula: negation pushed inwards, sequences of actions turned into fixpoints, variables resolved.
//! `[R*] f` is `nu X . f and [R] X`, `<R*> f` is `mu X . f or <R> X`; sequences nest, alternatives become `and` under a box
//! and `or` under a diamond. What several parts need is shared, so the core is no longer than the formula.
//! Every data variable has a name of its own (`c#1`), so that values of different bindings never meet.
//! Priorities are those of parity games: even for greatest fixpoints, odd for least, growing outwards.

mod names;

use crate::Span;
use crate::formula::data::Data;
use crate::formula::tree::{
    Action, Quantifier, Regular, RegularKind, Sign, State, StateKind, Variable,
};
use std::collections::BTreeSet;

pub(super) type CoreId = usize;
pub(super) type BinderId = usize;
pub(super) type ActionId = usize;

#[derive(Clone, Debug)]
pub(super) enum Core {
    Constant(bool),
    /// A data expression that must have this value.
    Value {
        data: Data,
        wanted: bool,
    },
    /// All of these (`is_all`), or any of them.
    Several {
        is_all: bool,
        parts: Vec<CoreId>,
    },
    /// After every such action (`is_all`), or after some.
    Modal {
        is_all: bool,
        action: ActionId,
        inside: CoreId,
    },
    /// A fixpoint, where it is written.
    Fixpoint(BinderId),
    /// Its variable.
    Reference {
        binder: BinderId,
        arguments: Vec<Data>,
    },
    Quantified {
        is_all: bool,
        variables: Vec<Variable>,
        inside: CoreId,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Binder {
    pub(super) parameters: Vec<String>,
    pub(super) initial: Vec<Data>,
    pub(super) body: CoreId,
    pub(super) priority: u32,
    pub(super) span: Span,
    /// Data variables known where the fixpoint is written.
    pub(super) outer: BTreeSet<String>,
}

/// A formula ready to be solved.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) cores: Vec<Core>,
    pub(super) spans: Vec<Span>,
    /// The data variables that a core's meaning depends on.
    pub(super) free: Vec<BTreeSet<String>>,
    pub(super) binders: Vec<Binder>,
    pub(super) actions: Vec<Action>,
    pub(super) action_names: Vec<BTreeSet<String>>,
    pub(super) root: CoreId,
    /// Whether a cycle can decide before everything is explored: a least fixpoint under "all", or a greatest under "some".
    pub(super) cycles_decide: bool,
}

impl Program {
    pub(super) fn of(formula: &State) -> Program {
        let mut builder = Builder::default();
        let root = builder.state(formula, false);
        let has = |wanted: bool| {
            builder.cores.iter().any(|core| {
                matches!(core, Core::Several { is_all, .. } | Core::Modal { is_all, .. }
                    | Core::Quantified { is_all, .. } if *is_all == wanted)
            })
        };
        let has_sign =
            |parity: u32| builder.binders.iter().any(|binder| binder.priority % 2 == parity);
        let cycles_decide = (has_sign(1) && has(true)) || (has_sign(0) && has(false));
        Program {
            root,
            cycles_decide,
            cores: builder.cores,
            spans: builder.spans,
            free: builder.free,
            binders: builder.binders,
            actions: builder.actions,
            action_names: builder.action_names,
        }
    }
}

#[derive(Default)]
struct Builder {
    cores: Vec<Core>,
    spans: Vec<Span>,
    free: Vec<BTreeSet<String>>,
    /// The highest priority inside each core.
    priorities: Vec<u32>,
    binders: Vec<Binder>,
    actions: Vec<Action>,
    action_names: Vec<BTreeSet<String>>,
    /// Fixpoint variables around, innermost last.
    variables: Vec<(String, BinderId)>,
    /// Data variables around: as written, and the name of their own.
    data: Vec<(String, String)>,
    n_names: usize,
}

impl Builder {
    /// The core of a formula, or of its negation.
    fn state(&mut self, formula: &State, negated: bool) -> CoreId {
        let span = formula.span;
        match &formula.kind {
            StateKind::True => self.add(Core::Constant(!negated), span),
            StateKind::False => self.add(Core::Constant(negated), span),
            StateKind::Value(data) => {
                let data = self.resolve(data);
                self.add(Core::Value { data, wanted: !negated }, span)
            }
            StateKind::Not(inside) => self.state(inside, !negated),
            StateKind::And(left, right) => {
                self.two(!negated, (left, negated), (right, negated), span)
            }
            StateKind::Or(left, right) => {
                self.two(negated, (left, negated), (right, negated), span)
            }
            StateKind::Implies(left, right) => {
                self.two(negated, (left, !negated), (right, negated), span)
            }
            StateKind::Iff(left, right) => {
                // Both or neither; negated, exactly one.
                let both = self.two(true, (left, false), (right, negated), span);
                let neither = self.two(true, (left, true), (right, !negated), span);
                self.several(false, vec![both, neither], span)
            }
            StateKind::Box(regular, inside) => {
                self.modality(regular, !negated, inside, (negated, span))
            }
            StateKind::Diamond(regular, inside) => {
                self.modality(regular, negated, inside, (negated, span))
            }
            StateKind::Fixpoint { sign, name, parameters, body } => {
                let initial = parameters.iter().map(|one| self.resolve(&one.initial)).collect();
                let is_greatest = (*sign == Sign::Greatest) != negated;
                let binder = self.open_binder(span);
                let n_data = self.data.len();
                let names = parameters.iter().map(|one| self.bind(&one.name)).collect();
                self.variables.push((name.clone(), binder));
                let body = self.state(body, negated);
                self.variables.pop();
                self.data.truncate(n_data);
                (self.binders[binder].parameters, self.binders[binder].initial) = (names, initial);
                self.close_binder(binder, is_greatest, body, span)
            }
            StateKind::Variable { name, arguments } => {
                let arguments = arguments.iter().map(|one| self.resolve(one)).collect();
                let known = self.variables.iter().rev().find(|(known, _)| known == name);
                let binder = known.expect("checked: every variable is bound").1;
                self.add(Core::Reference { binder, arguments }, span)
            }
            StateKind::Quantified { quantifier, variables, body } => {
                let is_all = (*quantifier == Quantifier::All) != negated;
                let n_data = self.data.len();
                let variables = self.bind_all(variables);
                let inside = self.state(body, negated);
                self.data.truncate(n_data);
                self.add(Core::Quantified { is_all, variables, inside }, span)
            }
        }
    }

    /// A whole modality, brackets and all.
    fn modality(
        &mut self,
        regular: &Regular,
        is_all: bool,
        inside: &State,
        (negated, span): (bool, Span),
    ) -> CoreId {
        let inside = self.state(inside, negated);
        let modal = self.modal(regular, is_all, inside);
        if modal != inside {
            self.spans[modal] = span;
            if let Core::Fixpoint(binder) = self.cores[modal] {
                self.binders[binder].span = span;
            }
        }
        modal
    }

    fn two(
        &mut self,
        is_all: bool,
        (left, left_negated): (&State, bool),
        (right, right_negated): (&State, bool),
        span: Span,
    ) -> CoreId {
        let left = self.state(left, left_negated);
        let right = self.state(right, right_negated);
        self.several(is_all, vec![left, right], span)
    }

    fn several(&mut self, is_all: bool, parts: Vec<CoreId>, span: Span) -> CoreId {
        self.add(Core::Several { is_all, parts }, span)
    }

    fn modal(&mut self, regular: &Regular, is_all: bool, inside: CoreId) -> CoreId {
        let span = regular.span.to(self.spans[inside]);
        match &regular.kind {
            RegularKind::Empty => inside,
            RegularKind::Action(action) => {
                let action = self.action(action);
                self.add(Core::Modal { is_all, action, inside }, span)
            }
            RegularKind::Sequence(first, second) => {
                let after = self.modal(second, is_all, inside);
                self.modal(first, is_all, after)
            }
            RegularKind::Choice(left, right) => {
                let left = self.modal(left, is_all, inside);
                let right = self.modal(right, is_all, inside);
                self.several(is_all, vec![left, right], span)
            }
            RegularKind::Optional(once) => {
                let once = self.modal(once, is_all, inside);
                self.several(is_all, vec![inside, once], span)
            }
            RegularKind::Plus(once) => {
                let star = self.star(once, is_all, inside, span);
                self.modal(once, is_all, star)
            }
            RegularKind::Star(once) => self.star(once, is_all, inside, span),
        }
    }

    fn star(&mut self, once: &Regular, is_all: bool, inside: CoreId, span: Span) -> CoreId {
        let binder = self.open_binder(span);
        let again = self.add(Core::Reference { binder, arguments: Vec::new() }, span);
        let once = self.modal(once, is_all, again);
        let body = self.several(is_all, vec![inside, once], span);
        self.close_binder(binder, is_all, body, span)
    }

    fn open_binder(&mut self, span: Span) -> BinderId {
        self.binders.push(Binder {
            parameters: Vec::new(),
            initial: Vec::new(),
            body: 0,
            priority: 0,
            span,
            outer: self.data.iter().map(|(_, own)| own.clone()).collect(),
        });
        self.binders.len() - 1
    }

    fn close_binder(
        &mut self,
        binder: BinderId,
        is_greatest: bool,
        body: CoreId,
        span: Span,
    ) -> CoreId {
        let inside = self.priorities[body];
        let parity = u32::from(!is_greatest);
        self.binders[binder].priority = inside + u32::from(inside % 2 != parity);
        self.binders[binder].body = body;
        self.add(Core::Fixpoint(binder), span)
    }

    fn add(&mut self, core: Core, span: Span) -> CoreId {
        let mut names = Vec::new();
        let mut free = BTreeSet::new();
        let mut priority = 0;
        match &core {
            Core::Constant(_) => {}
            Core::Value { data, .. } => data.collect_names(&mut names),
            Core::Several { parts, .. } => {
                for part in parts {
                    free.extend(self.free[*part].iter().cloned());
                    priority = priority.max(self.priorities[*part]);
                }
            }
            Core::Modal { action, inside, .. } => {
                free.extend(self.action_names[*action].iter().cloned());
                free.extend(self.free[*inside].iter().cloned());
                priority = self.priorities[*inside];
            }
            Core::Fixpoint(binder) => {
                let binder = &self.binders[*binder];
                binder.initial.iter().for_each(|data| data.collect_names(&mut names));
                free.extend(binder.outer.iter().cloned());
                priority = binder.priority;
            }
            Core::Reference { binder, arguments } => {
                arguments.iter().for_each(|data| data.collect_names(&mut names));
                free.extend(self.binders[*binder].outer.iter().cloned());
            }
            Core::Quantified { variables, inside, .. } => {
                free.extend(self.free[*inside].iter().cloned());
                variables.iter().for_each(|one| _ = free.remove(&one.name));
                priority = self.priorities[*inside];
            }
        }
        // A name without `#` is a constant.
        free.extend(names.into_iter().filter(|name| name.contains('#')));
        self.cores.push(core);
        self.spans.push(span);
        self.free.push(free);
        self.priorities.push(priority);
        self.cores.len() - 1
    }
}
