//! What a formula must be besides well formed: variables bound, given as many arguments as they have parameters, and under
//! an even number of negations. A variable under no modality is only worth a warning: it has a meaning, just not much of one.

use super::construct::counted;
use super::tree::{State, StateKind};
use crate::{Diagnostic, codes};
use foresee_stdx::nearest_name;

/// Everything wrong with a formula, in the order of the text.
pub(super) fn check(formula: &State) -> Vec<Diagnostic> {
    let mut check = Check { scope: Vec::new(), news: Vec::new() };
    check.state(formula, Polarity::Positive);
    check.news
}

struct Check {
    scope: Vec<Binding>,
    news: Vec<Diagnostic>,
}

/// A fixpoint variable around the place looked at.
struct Binding {
    name: String,
    n_parameters: usize,
    polarity: Polarity,
    is_guarded: bool,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Polarity {
    Positive,
    Negative,
    /// Inside `<=>`, which is both.
    Both,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}

impl Check {
    fn state(&mut self, formula: &State, polarity: Polarity) {
        match &formula.kind {
            StateKind::True | StateKind::False | StateKind::Value(_) => {}
            StateKind::Not(inside) => self.state(inside, polarity.flipped()),
            StateKind::And(left, right) | StateKind::Or(left, right) => {
                self.state(left, polarity);
                self.state(right, polarity);
            }
            StateKind::Implies(left, right) => {
                self.state(left, polarity.flipped());
                self.state(right, polarity);
            }
            StateKind::Iff(left, right) => {
                self.state(left, Polarity::Both);
                self.state(right, Polarity::Both);
            }
            StateKind::Box(regular, inside) | StateKind::Diamond(regular, inside) => {
                let guards: Vec<bool> = self.scope.iter().map(|one| one.is_guarded).collect();
                if !regular.may_be_empty() {
                    self.scope.iter_mut().for_each(|one| one.is_guarded = true);
                }
                self.state(inside, polarity);
                for (binding, is_guarded) in self.scope.iter_mut().zip(guards) {
                    binding.is_guarded = is_guarded;
                }
            }
            StateKind::Fixpoint { name, parameters, body, .. } => {
                self.scope.push(Binding {
                    name: name.clone(),
                    n_parameters: parameters.len(),
                    polarity,
                    is_guarded: false,
                });
                self.state(body, polarity);
                self.scope.pop();
            }
            StateKind::Variable { name, arguments } => {
                self.variable(formula, name, arguments.len(), polarity);
            }
            StateKind::Quantified { body, .. } => self.state(body, polarity),
        }
    }

    fn variable(&mut self, at: &State, name: &str, n_arguments: usize, polarity: Polarity) {
        let Some(binding) = self.scope.iter().rev().find(|one| one.name == name) else {
            let names = self.scope.iter().map(|one| one.name.as_str());
            let help = match nearest_name(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("bind it with `mu {name} . …` or `nu {name} . …`"),
            };
            let message = format!("the variable `{name}` is not bound");
            let news = Diagnostic::error(codes::UNBOUND_VARIABLE, at.span, message);
            self.news.push(news.help(help));
            return;
        };
        if binding.n_parameters != n_arguments {
            let message = format!(
                "the variable `{name}` takes {} and is given {n_arguments}",
                counted(binding.n_parameters)
            );
            self.news.push(Diagnostic::error(codes::ARGUMENTS, at.span, message));
        }
        if polarity == Polarity::Both || binding.polarity != polarity {
            let message = format!("the fixpoint variable `{name}` stands under a negation");
            let help = "move the negation inwards: `not [a] X` is `<a> not X`";
            let news = Diagnostic::error(codes::NEGATED_VARIABLE, at.span, message);
            self.news.push(news.help(help));
        } else if !binding.is_guarded {
            let message = format!("the variable `{name}` stands under no modality here");
            let help = "as it is, this occurrence adds nothing; did you mean `<-> X` or `[-] X`?";
            let news = Diagnostic::warning(codes::UNGUARDED, at.span, message);
            self.news.push(news.help(help));
        }
    }
}
