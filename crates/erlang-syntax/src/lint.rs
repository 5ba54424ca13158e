//! Checks that need a whole module: names that are not defined, variables that have no value, clauses that clash.
//! Why here and not in the evaluator: these are mistakes of the text, known without running anything, and a person
//! wants them all at once with their places.
//! What is checked follows Erlang's own linter: the order of evaluation inside a call is unspecified, so `f(X = 1, X)`
//! uses an unbound `X`; variables of some branches only are unsafe after them.
//! Quiet where we cannot know: a function that was unreadable, a module with a parse transform, records when an include is
//! missing.
//! Rooms: `facts` (what the module defines), `scope` (variables), `exprs`, `patterns`, `guards`, `builtins`.

mod branches;
mod builtins;
mod exprs;
mod facts;
mod guards;
mod patterns;
mod records;
mod scope;

use std::collections::BTreeSet;

use facts::Facts;
use rustc_hash::FxHashMap;
use scope::Scope;

use crate::codes;
use crate::name::Name;
use crate::parse::Parse;
use crate::preprocess::with_expansions;
use crate::source::Span;
use crate::tree::{Clause, FormKind};
use foresee_text::Diagnostic;

/// The mistakes of a parsed module that are not mistakes of grammar, in order of place.
pub fn lint(parse: &Parse) -> Vec<Diagnostic> {
    check(parse).0
}

/// The calls that name a module and a function of it, in order of reading; those in guards and patterns are not among
/// them, nor those whose names are computed.
pub fn remote_calls(parse: &Parse) -> Vec<RemoteCall> {
    check(parse).1
}

/// `module:function(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteCall {
    /// The module.
    pub module: Name,
    /// The function.
    pub function: Name,
    /// Number of arguments.
    pub arity: u32,
    /// The whole call.
    pub span: Span,
}

fn check(parse: &Parse) -> (Vec<Diagnostic>, Vec<RemoteCall>) {
    let mut diagnostics = Vec::new();
    let facts = Facts::collect(parse, &mut diagnostics);
    let mut checker = Checker {
        facts: &facts,
        scope: Scope::default(),
        undefined_records: BTreeSet::new(),
        remote_calls: Vec::new(),
        diagnostics,
    };
    for form in &parse.module.forms {
        match &form.kind {
            FormKind::Function(function) => {
                function.clauses.iter().for_each(|clause| checker.function_clause(clause));
            }
            FormKind::Record(record) => {
                let defaults = record.fields.iter().filter_map(|field| field.default.as_ref());
                defaults.for_each(|default| checker.alone(default));
            }
            _ => {}
        }
    }
    let Checker { diagnostics, remote_calls, .. } = checker;
    let mut diagnostics = name_macros(diagnostics, parse);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    (diagnostics, remote_calls)
}

struct Checker<'a> {
    facts: &'a Facts<'a>,
    scope: Scope,
    /// Undefined records that were reported; once is enough.
    undefined_records: BTreeSet<Name>,
    remote_calls: Vec<RemoteCall>,
    diagnostics: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn function_clause(&mut self, clause: &Clause) {
        self.scope = Scope::default();
        self.clause(clause);
    }

    /// An expression outside of any function.
    fn alone(&mut self, expr: &crate::tree::Expr) {
        self.scope = Scope::default();
        self.expr(expr);
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// A place that is the use of a macro: the trouble is in the macro's text.
fn name_macros(diagnostics: Vec<Diagnostic>, parse: &Parse) -> Vec<Diagnostic> {
    let mut uses: FxHashMap<Span, u32> = FxHashMap::default();
    for (at, expansion) in parse.expansions.iter().enumerate() {
        uses.entry(expansion.used_at).or_insert(at as u32 + 1);
    }
    let mut seen: Vec<(codes::Code, Span, String)> = Vec::new();
    let mut named = Vec::new();
    for diagnostic in diagnostics {
        let Some(expansion) = uses.get(&diagnostic.span) else {
            named.push(diagnostic);
            continue;
        };
        // A macro that repeats its mistake says so once per use.
        let key = (diagnostic.code, diagnostic.span, diagnostic.message.clone());
        if !seen.contains(&key) {
            seen.push(key);
            named.push(with_expansions(diagnostic, &parse.expansions, *expansion));
        }
    }
    named
}
