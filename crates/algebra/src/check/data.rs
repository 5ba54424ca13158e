//! Data terms and rewrite rules. Functions may share a name; the sorts of the arguments tell them apart, so a term's
//! sort follows from the inside out.

use super::Checker;
use crate::diagnostic::{
    BAD_RULE, Diagnostic, NO_NORMAL_FORM, UNBOUND_VARIABLE, UNKNOWN_NAME, WRONG_SORTS,
};
use crate::model::{Expr, Rule, SortId, SymbolId};
use crate::tree::{Rule as TreeRule, Specification, Term};

/// The variables in scope: name, sort, slot; later ones hide earlier ones.
pub(super) type Scope = Vec<(String, SortId, u32)>;

impl Checker {
    pub(super) fn rules(&mut self, specification: &Specification) {
        for rule in &specification.rules {
            if let Some(rule) = self.rule(rule) {
                let head = &mut self.model.symbols[rule.head as usize];
                (head.is_free, head.is_equality) = (false, false);
                self.model.rules.push(rule);
            }
        }
        let lazy: Vec<_> = (0..self.model.symbols.len() as u32)
            .map(|it| crate::rewrite::is_lazy(&self.model, it))
            .collect();
        for at in 0..self.model.rules.len() {
            let rule = &self.model.rules[at];
            if repeats(rule, &rule.right, &lazy) {
                let name = &self.model.symbol(rule.head).name;
                let message =
                    format!("the right side of this rule of `{name}` contains its own left side");
                let problem = Diagnostic::error(NO_NORMAL_FORM, rule.span, message)
                    .help("rewriting replaces left by right, so it would never end");
                self.report(problem);
            }
        }
    }

    fn rule(&mut self, rule: &TreeRule) -> Option<Rule> {
        let n_problems = self.problems.len();
        let mut scope = Scope::new();
        for (slot, variable) in rule.variables.iter().enumerate() {
            let sort = self.sort(&variable.sort)?;
            scope.push((variable.name.text.clone(), sort, slot as u32));
        }
        let (left, left_sort) = self.term(&rule.left, &scope)?;
        let (right, right_sort) = self.term(&rule.right, &scope)?;
        let span = rule.left.span.to(rule.right.span);
        if left_sort != right_sort {
            let name = |sort: SortId| self.model.sorts[sort as usize].name.clone();
            let message = format!(
                "the left side is a {}, the right side a {}",
                name(left_sort),
                name(right_sort)
            );
            self.report(Diagnostic::error(BAD_RULE, span, message));
        }
        let Expr::Apply(head, patterns) = left else {
            let message = "the left side is a variable: the rule would rewrite everything";
            self.report(Diagnostic::error(BAD_RULE, rule.left.span, message));
            return None;
        };
        let mut bound = Vec::new();
        patterns.iter().for_each(|it| slots_of(it, &mut bound));
        let mut used = Vec::new();
        slots_of(&right, &mut used);
        if let Some(free) = used.iter().find(|it| !bound.contains(it)) {
            let name = &scope[*free as usize].0;
            let message = format!("`{name}` is on the right of the rule but not on the left");
            let span = find(&rule.right, name).map_or(rule.right.span, |it| it.span);
            let problem = Diagnostic::error(UNBOUND_VARIABLE, span, message)
                .help("a rule can only use what its left side matches");
            self.report(problem);
        }
        (self.problems.len() == n_problems).then_some(Rule { head, patterns, right, span })
    }

    /// A term with its sort; `None` when something was wrong and reported.
    pub(super) fn term(&mut self, term: &Term, scope: &Scope) -> Option<(Expr, SortId)> {
        if term.arguments.is_empty()
            && let Some((_, sort, slot)) = scope.iter().rev().find(|it| it.0 == term.name)
        {
            return Some((Expr::Variable(*slot), *sort));
        }
        let arguments: Vec<_> =
            term.arguments.iter().filter_map(|argument| self.term(argument, scope)).collect();
        if arguments.len() != term.arguments.len() {
            return None;
        }
        let (arguments, sorts): (Vec<_>, Vec<_>) = arguments.into_iter().unzip();
        let symbol = self.symbol(term, &sorts, scope)?;
        Some((Expr::Apply(symbol, arguments), self.model.symbol(symbol).result))
    }

    fn symbol(&mut self, term: &Term, sorts: &[SortId], scope: &Scope) -> Option<SymbolId> {
        let known = self.symbol_ids.get(&term.name).map_or(&[][..], Vec::as_slice);
        if let Some(id) = known.iter().find(|id| self.model.symbol(**id).arguments == sorts) {
            return Some(*id);
        }
        let problem = match known.first() {
            Some(id) if term.arguments.is_empty() => {
                let message = format!("`{}` needs arguments", term.name);
                let problem = Diagnostic::error(WRONG_SORTS, term.span, message);
                problem.help(format!("it is declared as {}", self.model.signature(*id)))
            }
            Some(_) => {
                let found = self.model.sort_list(sorts);
                let message = format!("`{}` does not take ({found})", term.name);
                known.iter().fold(Diagnostic::error(WRONG_SORTS, term.span, message), |it, id| {
                    it.help(format!("it is declared as {}", self.model.signature(*id)))
                })
            }
            None => self.unknown_in_term(term, scope),
        };
        self.report(problem);
        None
    }

    fn unknown_in_term(&self, term: &Term, scope: &Scope) -> Diagnostic {
        let mut names: Vec<&str> = self.symbol_ids.keys().map(String::as_str).collect();
        names.extend(scope.iter().map(|it| it.0.as_str()));
        names.sort_unstable();
        let name = &term.name;
        let problem = if term.arguments.is_empty() {
            let message = format!("nothing binds `{name}`: no variable in scope, no constant");
            Diagnostic::error(UNBOUND_VARIABLE, term.span, message)
        } else {
            let message = format!("there is no function `{name}`");
            Diagnostic::error(UNKNOWN_NAME, term.span, message)
        };
        problem.suggest(name, names)
    }
}

/// Collects the slots of the variables of a term.
pub(super) fn slots_of(expr: &Expr, slots: &mut Vec<u32>) {
    match expr {
        Expr::Variable(slot) => slots.push(*slot),
        Expr::Apply(_, arguments) => arguments.iter().for_each(|it| slots_of(it, slots)),
    }
}

/// The first place of a name in a term.
fn find<'t>(term: &'t Term, name: &str) -> Option<&'t Term> {
    if term.name == name && term.arguments.is_empty() {
        return Some(term);
    }
    term.arguments.iter().find_map(|argument| find(argument, name))
}

/// Whether evaluating `right` certainly evaluates an instance of the rule's own left side.
fn repeats(rule: &Rule, right: &Expr, lazy: &[bool]) -> bool {
    let Expr::Apply(symbol, arguments) = right else { return false };
    let mut bound = Vec::new();
    let is_instance = *symbol == rule.head
        && rule
            .patterns
            .iter()
            .zip(arguments)
            .all(|(it, argument)| matches(it, argument, &mut bound));
    let evaluated = if lazy[*symbol as usize] { &arguments[..1] } else { &arguments[..] };
    is_instance || evaluated.iter().any(|argument| repeats(rule, argument, lazy))
}

/// One-sided matching; the variables of `term` are taken as constants.
fn matches<'e>(pattern: &Expr, term: &'e Expr, bound: &mut Vec<(u32, &'e Expr)>) -> bool {
    match (pattern, term) {
        (Expr::Variable(slot), _) => match bound.iter().find(|it| it.0 == *slot) {
            Some((_, earlier)) => *earlier == term,
            None => {
                bound.push((*slot, term));
                true
            }
        },
        (Expr::Apply(a, left), Expr::Apply(b, right)) => {
            a == b && left.iter().zip(right).all(|(it, argument)| matches(it, argument, bound))
        }
        _ => false,
    }
}
