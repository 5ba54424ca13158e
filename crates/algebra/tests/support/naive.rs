//! An independent, naive reading of muCRL: states are process expressions with values put in, steps follow the rules of
//! the operational semantics one by one, sums run over all values, data is rewritten by walking trees.
//! It shares nothing with the crate but the tree, and is only fit for small specifications over finite sorts.

use super::Space;
use foresee_algebra::{Name, Process, ProcessKind, Rule, Specification, Term, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// An action with its data, or `None` for tau.
type Label = Option<(String, Vec<Term>)>;
/// What is left; `None` when the process has ended.
type Rest = Option<Process>;

pub(crate) struct Naive<'a> {
    pub(crate) specification: &'a Specification,
}

impl Naive<'_> {
    /// The state space, or `None` beyond `max` states. A state that has ended has a loop labelled `end`.
    pub(crate) fn explore(&self, max: usize) -> Option<Space> {
        let first: Rest = Some(self.specification.init.clone().expect("an init"));
        let mut states = vec![first];
        let mut index = BTreeMap::from([(key(&states[0]), 0)]);
        let mut edges = Vec::new();
        let mut at = 0;
        while at < states.len() {
            let mut outgoing: Vec<(String, usize)> = Vec::new();
            let steps = states[at].as_ref().map_or(Vec::new(), |it| self.steps(it));
            for (label, rest) in steps {
                let fresh = states.len();
                let to = *index.entry(key(&rest)).or_insert(fresh);
                if to == fresh {
                    states.push(rest);
                }
                let edge = (text(&label), to);
                if !outgoing.contains(&edge) {
                    outgoing.push(edge);
                }
            }
            if states[at].is_none() {
                outgoing.push(("end".to_owned(), at));
            }
            edges.push(outgoing);
            at += 1;
            if states.len() > max {
                return None;
            }
        }
        Some(Space { edges, faults: Vec::new() })
    }

    /// The steps of a process, each once.
    fn steps(&self, process: &Process) -> Vec<(Label, Rest)> {
        let mut steps = self.all_steps(process);
        if steps.len() > 1 {
            let mut seen = BTreeSet::new();
            steps.retain(|(label, rest)| seen.insert((text(label), key(rest))));
        }
        steps
    }

    fn all_steps(&self, process: &Process) -> Vec<(Label, Rest)> {
        match &process.kind {
            ProcessKind::Delta => Vec::new(),
            ProcessKind::Tau => vec![(None, None)],
            ProcessKind::Named(term) => self.named(term),
            ProcessKind::Choice(a, b) => [self.steps(a), self.steps(b)].concat(),
            ProcessKind::Sequence(a, b) => {
                let then = |rest| Some(sequence(rest, b));
                self.steps(a).into_iter().map(|(label, rest)| (label, then(rest))).collect()
            }
            ProcessKind::Condition(then, condition, otherwise) => {
                let truth = self.normal(condition).name;
                assert!(truth == "T" || truth == "F", "{truth}");
                self.steps(if truth == "T" { then } else { otherwise })
            }
            ProcessKind::Sum(variable, body) => {
                let values = self.values(&variable.sort.text);
                let instances = values.iter().map(|it| put(body, &[(&variable.name.text, it)]));
                instances.flat_map(|it| self.steps(&it)).collect()
            }
            ProcessKind::Parallel(a, b) => {
                let mut steps = self.left(a, b);
                steps.extend(
                    self.steps(b)
                        .into_iter()
                        .map(|(label, rest)| (label, both(Some((**a).clone()), rest))),
                );
                steps.extend(self.together(a, b));
                steps
            }
            ProcessKind::LeftMerge(a, b) => self.left(a, b),
            ProcessKind::Communication(a, b) => self.together(a, b),
            ProcessKind::Encap(names, body) => {
                let kept = |label: &Label| label.as_ref().is_none_or(|it| !contains(names, &it.0));
                let steps = self.steps(body).into_iter().filter(|(label, _)| kept(label));
                let wrap = |it: Process| ProcessKind::Encap(names.clone(), Box::new(it)).into();
                steps.map(|(label, rest)| (label, rest.map(wrap))).collect()
            }
            ProcessKind::Hide(names, body) => {
                let seen = |label: Label| label.filter(|it| !contains(names, &it.0));
                let wrap = |it: Process| ProcessKind::Hide(names.clone(), Box::new(it)).into();
                self.steps(body)
                    .into_iter()
                    .map(|(label, rest)| (seen(label), rest.map(wrap)))
                    .collect()
            }
            ProcessKind::Rename(pairs, body) => {
                let new = |name: String| {
                    let pair = pairs.iter().find(|it| it.0.text == name);
                    pair.map_or(name, |it| it.1.text.clone())
                };
                let renamed = |label: Label| label.map(|(name, data)| (new(name), data));
                let wrap = |it: Process| ProcessKind::Rename(pairs.clone(), Box::new(it)).into();
                self.steps(body)
                    .into_iter()
                    .map(|(label, rest)| (renamed(label), rest.map(wrap)))
                    .collect()
            }
        }
    }

    fn named(&self, term: &Term) -> Vec<(Label, Rest)> {
        let arguments: Vec<Term> = term.arguments.iter().map(|it| self.normal(it)).collect();
        if self.specification.actions.iter().any(|it| it.name.text == term.name) {
            return vec![(Some((term.name.clone(), arguments)), None)];
        }
        let definition = self
            .specification
            .processes
            .iter()
            .find(|it| it.name.text == term.name && it.parameters.len() == arguments.len())
            .expect("a process");
        let names: Vec<&str> =
            definition.parameters.iter().map(|it| it.name.text.as_str()).collect();
        let pairs: Vec<_> = names.into_iter().zip(&arguments).collect();
        self.steps(&put(&definition.body, &pairs))
    }

    fn left(&self, a: &Process, b: &Process) -> Vec<(Label, Rest)> {
        let steps = self.steps(a).into_iter();
        steps.map(|(label, rest)| (label, both(rest, Some(b.clone())))).collect()
    }

    fn together(&self, a: &Process, b: &Process) -> Vec<(Label, Rest)> {
        let mut steps = Vec::new();
        for (left, rest_left) in self.steps(a) {
            for (right, rest_right) in self.steps(b) {
                let (Some(left), Some(right)) = (&left, &right) else { continue };
                let Some(result) = self.communicate(&left.0, &right.0) else { continue };
                if left.1 == right.1 {
                    let label = Some((result, left.1.clone()));
                    steps.push((label, both(rest_left.clone(), rest_right)));
                }
            }
        }
        steps
    }

    fn communicate(&self, a: &str, b: &str) -> Option<String> {
        let fits = |left: &Name, right: &Name| left.text == a && right.text == b;
        let found = self.specification.communications.iter();
        let mut found = found.filter(|it| fits(&it.left, &it.right) || fits(&it.right, &it.left));
        found.next().map(|it| it.result.text.clone())
    }

    /// All values of a finite sort.
    fn values(&self, sort: &str) -> Vec<Term> {
        if sort == "Bool" {
            return vec![Term::name("T"), Term::name("F")];
        }
        let mut values = Vec::new();
        for it in &self.specification.functions {
            if it.is_constructor && it.result.text == sort {
                let mut tuples = vec![Vec::new()];
                for argument in &it.arguments {
                    let values = self.values(&argument.text);
                    let longer = tuples.iter().flat_map(|tuple| {
                        values
                            .iter()
                            .map(move |value| [&tuple[..], std::slice::from_ref(value)].concat())
                    });
                    tuples = longer.collect();
                }
                values.extend(tuples.into_iter().map(|it_| Term::apply(&it.name.text, it_)));
            }
        }
        values
    }

    pub(crate) fn normal(&self, term: &Term) -> Term {
        let arguments: Vec<Term> = term.arguments.iter().map(|it| self.normal(it)).collect();
        let term = Term::apply(&term.name, arguments);
        for rule in &self.specification.rules {
            let mut bound = Vec::new();
            if matches(&rule.left, &term, rule, &mut bound) {
                let pairs: Vec<_> = bound.iter().map(|(name, value)| (*name, value)).collect();
                return self.normal(&replace(&rule.right, &pairs));
            }
        }
        let has_rules = self.specification.rules.iter().any(|rule| rule.left.name == "eq");
        if term.name == "eq" && term.arguments.len() == 2 && !has_rules {
            return Term::name(if term.arguments[0] == term.arguments[1] { "T" } else { "F" });
        }
        term
    }
}

fn key(rest: &Rest) -> String {
    rest.as_ref().map_or("ended".to_owned(), ToString::to_string)
}

fn text(label: &Label) -> String {
    match label {
        None => "tau".to_owned(),
        Some((name, data)) => Term::apply(name, data.clone()).to_string(),
    }
}

fn contains(names: &[Name], name: &str) -> bool {
    names.iter().any(|it| it.text == name)
}

fn sequence(rest: Rest, then: &Process) -> Process {
    match rest {
        None => then.clone(),
        Some(first) => first.then(then.clone()),
    }
}

fn both(left: Rest, right: Rest) -> Rest {
    match (left, right) {
        (None, other) | (other, None) => other,
        (Some(left), Some(right)) => Some(left.beside(right)),
    }
}

fn matches<'r>(
    pattern: &'r Term,
    term: &Term,
    rule: &Rule,
    bound: &mut Vec<(&'r str, Term)>,
) -> bool {
    let is_variable = |it: &Variable| it.name.text == pattern.name && pattern.arguments.is_empty();
    if rule.variables.iter().any(is_variable) {
        if let Some((_, earlier)) = bound.iter().find(|it| it.0 == pattern.name) {
            return earlier == term;
        }
        bound.push((&pattern.name, term.clone()));
        return true;
    }
    pattern.name == term.name
        && pattern.arguments.len() == term.arguments.len()
        && pattern.arguments.iter().zip(&term.arguments).all(|(a, b)| matches(a, b, rule, bound))
}

fn replace(term: &Term, pairs: &[(&str, &Term)]) -> Term {
    if term.arguments.is_empty()
        && let Some((_, value)) = pairs.iter().find(|it| it.0 == term.name)
    {
        return (*value).clone();
    }
    let arguments = term.arguments.iter().map(|it| replace(it, pairs)).collect();
    Term::apply(&term.name, arguments)
}

/// Puts values for variables, except where a sum binds the same name again.
fn put(process: &Process, pairs: &[(&str, &Term)]) -> Process {
    let go = |it: &Process| Box::new(put(it, pairs));
    let kind = match &process.kind {
        ProcessKind::Delta => ProcessKind::Delta,
        ProcessKind::Tau => ProcessKind::Tau,
        ProcessKind::Named(term) => {
            let arguments = term.arguments.iter().map(|it| replace(it, pairs)).collect();
            ProcessKind::Named(Term::apply(&term.name, arguments))
        }
        ProcessKind::Choice(a, b) => ProcessKind::Choice(go(a), go(b)),
        ProcessKind::Sequence(a, b) => ProcessKind::Sequence(go(a), go(b)),
        ProcessKind::Parallel(a, b) => ProcessKind::Parallel(go(a), go(b)),
        ProcessKind::LeftMerge(a, b) => ProcessKind::LeftMerge(go(a), go(b)),
        ProcessKind::Communication(a, b) => ProcessKind::Communication(go(a), go(b)),
        ProcessKind::Condition(a, condition, b) => {
            ProcessKind::Condition(go(a), replace(condition, pairs), go(b))
        }
        ProcessKind::Sum(variable, body) => {
            let inner: Vec<_> =
                pairs.iter().filter(|it| it.0 != variable.name.text).copied().collect();
            ProcessKind::Sum(variable.clone(), Box::new(put(body, &inner)))
        }
        ProcessKind::Encap(names, body) => ProcessKind::Encap(names.clone(), go(body)),
        ProcessKind::Hide(names, body) => ProcessKind::Hide(names.clone(), go(body)),
        ProcessKind::Rename(pairs_, body) => ProcessKind::Rename(pairs_.clone(), go(body)),
    };
    kind.into()
}
