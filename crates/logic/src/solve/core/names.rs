//! Names of data variables: each binding gets a name of its own, and every use is given that name.

use super::{ActionId, Builder};
use crate::formula::data::Data;
use crate::formula::tree::{Action, ActionKind, Term, Variable};

impl Builder {
    pub(super) fn action(&mut self, action: &Action) -> ActionId {
        let action = self.resolve_action(action);
        if let Some(known) = self.actions.iter().position(|known| known.kind == action.kind) {
            return known;
        }
        let mut names = Vec::new();
        collect_action_names(&action, &mut names);
        self.action_names.push(names.into_iter().filter(|name| name.contains('#')).collect());
        self.actions.push(action);
        self.actions.len() - 1
    }

    pub(super) fn bind(&mut self, name: &str) -> String {
        self.n_names += 1;
        let own = format!("{name}#{}", self.n_names);
        self.data.push((name.to_owned(), own.clone()));
        own
    }

    pub(super) fn bind_all(&mut self, variables: &[Variable]) -> Vec<Variable> {
        let bind = |one: &Variable| Variable { name: self.bind(&one.name), ..one.clone() };
        variables.iter().map(bind).collect()
    }

    /// The expression with variables by their own names.
    pub(super) fn resolve(&self, data: &Data) -> Data {
        match data {
            Data::Value(_) => data.clone(),
            Data::Name(name) => {
                let known = self.data.iter().rev().find(|(known, _)| known == name);
                Data::Name(known.map_or_else(|| name.clone(), |(_, own)| own.clone()))
            }
            Data::Term { open, arguments, close } => Data::Term {
                open: open.clone(),
                arguments: arguments.iter().map(|one| self.resolve(one)).collect(),
                close,
            },
            Data::Not(inside) => Data::Not(Box::new(self.resolve(inside))),
            Data::Negative(inside) => Data::Negative(Box::new(self.resolve(inside))),
            Data::Binary(operator, left, right) => {
                Data::Binary(*operator, Box::new(self.resolve(left)), Box::new(self.resolve(right)))
            }
        }
    }

    pub(super) fn resolve_action(&mut self, action: &Action) -> Action {
        let kind = match &action.kind {
            ActionKind::Terms(terms) => {
                let resolve = |term: &Term| Term {
                    name: term.name.clone(),
                    arguments: term.arguments.iter().map(|one| self.resolve(one)).collect(),
                };
                ActionKind::Terms(terms.iter().map(resolve).collect())
            }
            ActionKind::Value(data) => ActionKind::Value(self.resolve(data)),
            ActionKind::Not(inside) => ActionKind::Not(Box::new(self.resolve_action(inside))),
            ActionKind::And(left, right) => ActionKind::And(
                Box::new(self.resolve_action(left)),
                Box::new(self.resolve_action(right)),
            ),
            ActionKind::Or(left, right) => ActionKind::Or(
                Box::new(self.resolve_action(left)),
                Box::new(self.resolve_action(right)),
            ),
            ActionKind::Quantified { quantifier, variables, body } => {
                let n_data = self.data.len();
                let variables = self.bind_all(variables);
                let body = Box::new(self.resolve_action(body));
                self.data.truncate(n_data);
                ActionKind::Quantified { quantifier: *quantifier, variables, body }
            }
            other => other.clone(),
        };
        Action { kind, span: action.span }
    }
}

/// Every name in an action formula, those of its own quantifiers too.
fn collect_action_names(action: &Action, names: &mut Vec<String>) {
    match &action.kind {
        ActionKind::Terms(terms) => {
            for data in terms.iter().flat_map(|term| &term.arguments) {
                data.collect_names(names);
            }
        }
        ActionKind::Value(data) => data.collect_names(names),
        ActionKind::Not(inside) | ActionKind::Quantified { body: inside, .. } => {
            collect_action_names(inside, names);
        }
        ActionKind::And(left, right) | ActionKind::Or(left, right) => {
            collect_action_names(left, names);
            collect_action_names(right, names);
        }
        _ => {}
    }
}
