//! The tree of a formula, as written: the same for both notations.
//! Macros are gone by now, names of variables are not yet resolved (`check`), and negation stands where the user put it
//! (`solve::core` pushes it inwards).

use super::data::Data;
use super::pattern::Pattern;
use crate::Span;

/// A formula about a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) kind: StateKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StateKind {
    True,
    False,
    /// A data expression that is true or false.
    Value(Data),
    Not(Box<State>),
    And(Box<State>, Box<State>),
    Or(Box<State>, Box<State>),
    Implies(Box<State>, Box<State>),
    Iff(Box<State>, Box<State>),
    /// After every such sequence.
    Box(Regular, Box<State>),
    /// After some such sequence.
    Diamond(Regular, Box<State>),
    Fixpoint {
        sign: Sign,
        name: String,
        parameters: Vec<Parameter>,
        body: Box<State>,
    },
    Variable {
        name: String,
        arguments: Vec<Data>,
    },
    Quantified {
        quantifier: Quantifier,
        variables: Vec<Variable>,
        body: Box<State>,
    },
}

impl State {
    /// Shows every set of actions in the formula to `look`, outermost first.
    pub(crate) fn each_action(&mut self, look: &mut dyn FnMut(&mut Action)) {
        match &mut self.kind {
            StateKind::True
            | StateKind::False
            | StateKind::Value(_)
            | StateKind::Variable { .. } => {}
            StateKind::Not(inside)
            | StateKind::Fixpoint { body: inside, .. }
            | StateKind::Quantified { body: inside, .. } => inside.each_action(look),
            StateKind::And(left, right)
            | StateKind::Or(left, right)
            | StateKind::Implies(left, right)
            | StateKind::Iff(left, right) => {
                left.each_action(look);
                right.each_action(look);
            }
            StateKind::Box(regular, inside) | StateKind::Diamond(regular, inside) => {
                regular.each_action(look);
                inside.each_action(look);
            }
        }
    }
}

/// Which fixpoint.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Sign {
    Least,
    Greatest,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Quantifier {
    All,
    Some,
}

/// A variable of a quantifier and the values it takes; `None`: whatever stands on the label (in action formulas only).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) sort: String,
    pub(crate) domain: Option<Vec<super::data::Value>>,
}

/// A parameter of a fixpoint variable and its first value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) sort: String,
    pub(crate) initial: Data,
}

/// A set of sequences of actions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Regular {
    pub(crate) kind: RegularKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RegularKind {
    Action(Action),
    /// The sequence of no actions.
    Empty,
    Sequence(Box<Regular>, Box<Regular>),
    Choice(Box<Regular>, Box<Regular>),
    Star(Box<Regular>),
    Plus(Box<Regular>),
    Optional(Box<Regular>),
}

impl Regular {
    pub(super) fn each_action(&mut self, look: &mut dyn FnMut(&mut Action)) {
        match &mut self.kind {
            RegularKind::Action(action) => look(action),
            RegularKind::Empty => {}
            RegularKind::Sequence(a, b) | RegularKind::Choice(a, b) => {
                a.each_action(look);
                b.each_action(look);
            }
            RegularKind::Star(a) | RegularKind::Plus(a) | RegularKind::Optional(a) => {
                a.each_action(look);
            }
        }
    }

    /// Whether the sequence of no actions is one of these.
    pub(crate) fn may_be_empty(&self) -> bool {
        match &self.kind {
            RegularKind::Action(_) => false,
            RegularKind::Empty | RegularKind::Star(_) | RegularKind::Optional(_) => true,
            RegularKind::Sequence(a, b) => a.may_be_empty() && b.may_be_empty(),
            RegularKind::Choice(a, b) => a.may_be_empty() || b.may_be_empty(),
            RegularKind::Plus(a) => a.may_be_empty(),
        }
    }
}

/// A set of actions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Action {
    pub(crate) kind: ActionKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ActionKind {
    Any,
    Nothing,
    Tau,
    /// In single quotes: a pattern that the whole label matches.
    Pattern(Pattern),
    /// In double quotes: the label itself.
    Text(String),
    /// `name(arguments)`, several at once with `|` between them.
    Terms(Vec<Term>),
    Value(Data),
    Not(Box<Action>),
    And(Box<Action>, Box<Action>),
    Or(Box<Action>, Box<Action>),
    Quantified {
        quantifier: Quantifier,
        variables: Vec<Variable>,
        body: Box<Action>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Data>,
}
