//! Functions without effects as rewrite rules.
//! Clauses whose patterns exclude each other become a rule each; otherwise rules, which have no order, could not say
//! which clause comes first, and the function becomes one rule with a chain of `if`.

use crate::program::FunctionId;
use crate::terms::{cons, constant};
use crate::translator::{Scope, Translator};
use foresee_algebra::{Rule, Term, Variable};
use foresee_erlang_syntax::tree::{Clause, Expr, ExprKind};
use foresee_erlang_syntax::{Name, Span};

impl Translator<'_> {
    /// The name of a function's rules, which are made later.
    pub(crate) fn function_name(&mut self, id: FunctionId) -> String {
        if let Some(name) = self.function_names.get(&id) {
            return name.clone();
        }
        let known = &self.program.functions[id];
        let plain = known.tree.name.name.to_string();
        let arity = known.tree.arity;
        let module = &self.program.modules[known.module].name;
        let has_name = |it: &&crate::program::Known| it.tree.name.name == plain.as_str();
        let n_same = self.program.functions.iter().filter(has_name).count();
        let mut wanted = if n_same == 1 { plain } else { format!("{module}_{plain}") };
        let shares_arity = |it: &&crate::program::Known| {
            it.module == known.module && it.tree.name.name == known.tree.name.name
        };
        if arity == 0 || self.program.functions.iter().filter(shares_arity).count() > 1 {
            wanted = format!("{wanted}_{arity}");
        }
        let name = self.names.fresh(&wanted);
        self.function_names.insert(id, name.clone());
        self.functions_due.push_back(id);
        let known = &self.program.functions[id];
        let comment = self.comment(id, known.tree.name.span);
        self.comments.insert(name.clone(), comment);
        name
    }

    /// What a function was in Erlang, and where.
    pub(crate) fn comment(&self, id: FunctionId, span: Span) -> String {
        let sources = &self.program.modules[self.program.functions[id].module].parse.sources;
        let file = &sources.file(span.file).path;
        format!("{}, {file}:{}", self.program.title(id), sources.line(span))
    }

    /// The rules of a function.
    pub(crate) fn rules_of(&mut self, id: FunctionId) {
        self.names.start_definition();
        let known = &self.program.functions[id];
        let (module, tree) = (known.module, known.tree.clone());
        let name = self.function_name(id);
        self.maps.push((name.clone(), tree.arity as usize));
        if tree.clauses.len() > 1 && exclude_each_other(&tree.clauses) {
            for clause in &tree.clauses {
                self.names.start_definition();
                self.clause_rule(&name, clause, module);
            }
            return;
        }
        let parameters = self.parameters(&tree.name.name, &tree.clauses, tree.arity as usize);
        let values: Vec<Term> = parameters.iter().map(|it| constant(it)).collect();
        let mut scope =
            Scope { module, environment: Default::default(), own_pid: None, owner: name.clone() };
        let right = self.choice(&tree.clauses, &values, "function_clause", &mut scope);
        self.add_rule(&parameters, Term::apply(&name, values), right);
    }

    pub(crate) fn add_rule(&mut self, variables: &[String], left: Term, right: Term) {
        let variables = variables.iter().map(|it| Variable::new(it, "Term")).collect();
        self.rules.push(Rule { variables, left, right });
    }

    /// Names for parameters: what the clauses call them, where they do.
    pub(crate) fn parameters(
        &mut self,
        function: &str,
        clauses: &[Clause],
        n: usize,
    ) -> Vec<String> {
        let usual: &[&str] = match (function, n) {
            ("handle_call", 3) => &["Message", "From", "State"],
            ("handle_cast" | "handle_info" | "handle_continue", 2) => &["Message", "State"],
            _ => &[],
        };
        let name_of = |at: usize| {
            let named = clauses.iter().filter_map(|it| match &it.patterns[at].kind {
                ExprKind::Var(name) if !name.trim_start_matches('_').is_empty() => {
                    Some(name.to_string())
                }
                ExprKind::Match { pattern, value } => {
                    pattern.as_var().or(value.as_var()).map(Name::to_string)
                }
                _ => None,
            });
            named.into_iter().next()
        };
        (0..n)
            .map(|at| {
                let usual = || usual.get(at).map(|it| (*it).to_owned());
                let wanted = name_of(at).or_else(usual).unwrap_or_else(|| format!("Arg{}", at + 1));
                self.names.variable(&wanted)
            })
            .collect()
    }

    fn clause_rule(&mut self, name: &str, clause: &Clause, module: usize) {
        let mut scope = Scope {
            module,
            environment: Default::default(),
            own_pid: None,
            owner: name.to_owned(),
        };
        let mut variables = Vec::new();
        let left: Vec<Term> =
            clause.patterns.iter().map(|it| self.left(it, &mut scope, &mut variables)).collect();
        let right = self.body(&clause.body, &mut scope);
        self.add_rule(&variables, Term::apply(name, left), right);
    }

    /// A pattern as the left side of a rule.
    fn left(&mut self, pattern: &Expr, scope: &mut Scope, variables: &mut Vec<String>) -> Term {
        match &pattern.kind {
            ExprKind::Var(name) => {
                let variable = self.names.variable(name);
                let term = constant(&variable);
                if *name != "_" {
                    scope.environment.insert(name.clone(), term.clone());
                }
                variables.push(variable);
                term
            }
            ExprKind::Match { pattern, value } => {
                // One of the two is a variable (`is_simple`), which stands for what the other builds.
                let (name, built) = match (pattern.as_var(), value.as_var()) {
                    (Some(name), _) => (name, value),
                    (None, Some(name)) => (name, pattern),
                    _ => unreachable!("the patterns are simple"),
                };
                let term = self.left(built, scope, variables);
                scope.environment.insert(name.clone(), term.clone());
                term
            }
            ExprKind::Tuple(items) => {
                let items: Vec<_> =
                    items.iter().map(|it| self.left(it, scope, variables)).collect();
                crate::terms::tuple(items)
            }
            ExprKind::List { elements, tail } => {
                let elements: Vec<_> =
                    elements.iter().map(|it| self.left(it, scope, variables)).collect();
                let end = match tail {
                    Some(it) => self.left(it, scope, variables),
                    None => constant("nil"),
                };
                elements.into_iter().rev().fold(end, |rest, it| cons(it, rest))
            }
            _ => self.value(pattern, scope),
        }
    }

    pub(crate) fn variables_in(&self, term: &Term) -> std::collections::BTreeSet<String> {
        let mut found = std::collections::BTreeSet::new();
        crate::shape::names_in(term, &mut |name| {
            if self.names.is_variable(name) {
                found.insert(name.to_owned());
            }
        });
        found
    }
}

/// Whether no value fits two clauses, and each pattern can stand on the left of a rule.
fn exclude_each_other(clauses: &[Clause]) -> bool {
    let is_fine = |it: &Clause| {
        let mut seen = Vec::new();
        it.guard.is_empty() && it.patterns.iter().all(|it| is_simple(it, &mut seen))
    };
    clauses.iter().all(is_fine)
        && clauses.iter().enumerate().all(|(at, a)| {
            let overlaps =
                |b: &Clause| a.patterns.iter().zip(&b.patterns).all(|(a, b)| overlap(a, b));
            !clauses[at + 1..].iter().any(overlaps)
        })
}

/// Constructors and variables that occur once.
fn is_simple(pattern: &Expr, seen: &mut Vec<Name>) -> bool {
    match &pattern.kind {
        ExprKind::Var(name) if *name == "_" => true,
        ExprKind::Var(name) => {
            let is_new = !seen.contains(name);
            seen.push(name.clone());
            is_new
        }
        ExprKind::Atom(_) | ExprKind::Integer(_) => true,
        ExprKind::Tuple(items) => items.iter().all(|it| is_simple(it, seen)),
        ExprKind::List { elements, tail } => {
            elements.iter().chain(tail.as_deref()).all(|it| is_simple(it, seen))
        }
        ExprKind::Match { pattern, value } => {
            (pattern.as_var().is_some() || value.as_var().is_some())
                && is_simple(pattern, seen)
                && is_simple(value, seen)
        }
        _ => false,
    }
}

/// Whether some value may fit both.
fn overlap(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Match { pattern, value }, _) => overlap(pattern, b) && overlap(value, b),
        (_, ExprKind::Match { pattern, value }) => overlap(a, pattern) && overlap(a, value),
        (ExprKind::Var(_), _) | (_, ExprKind::Var(_)) => true,
        (ExprKind::Atom(a), ExprKind::Atom(b)) => a == b,
        (ExprKind::Integer(a), ExprKind::Integer(b)) => a == b,
        (ExprKind::Tuple(a), ExprKind::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| overlap(a, b))
        }
        (ExprKind::List { elements: a, tail: at }, ExprKind::List { elements: b, tail: bt }) => {
            let n = a.len().min(b.len());
            // The shorter one's end may be anything only if it has a tail of its own.
            let lengths = match a.len().cmp(&b.len()) {
                std::cmp::Ordering::Less => at.is_some(),
                std::cmp::Ordering::Greater => bt.is_some(),
                std::cmp::Ordering::Equal => true,
            };
            lengths && a[..n].iter().zip(&b[..n]).all(|(a, b)| overlap(a, b))
        }
        _ => false,
    }
}
