//! Forms: attributes and functions, and what to do when one runs into the next.

use super::{Parsed, Parser};
use crate::codes;
use crate::token::{Keyword, Sym, Tok};
use crate::tree::{Clause, Form, FormKind, Function, Ident};
use foresee_text::Diagnostic;

/// A clause of a function with its name.
struct Head {
    name: Ident,
    clause: Clause,
}

impl Parser<'_> {
    /// All forms in the tokens: one, or more when a full stop is missing or clauses do not belong together.
    pub(crate) fn forms(&mut self) -> Vec<Form> {
        let mut forms = Vec::new();
        loop {
            let start = self.span();
            let at = self.at;
            if self.is(Sym::Minus) {
                if let Ok(kind) = self.attribute() {
                    forms.push(Form { kind, span: start.to(self.previous_span()) });
                }
                if *self.tok() != Tok::Dot && self.reported_at != Some(self.at) {
                    let _: Parsed<()> = self.end_of_form();
                }
            } else {
                self.functions(&mut forms);
            }
            self.skip_to_form();
            if *self.tok() == Tok::Dot {
                return forms;
            }
            assert!(self.at > at, "recovery makes progress");
        }
    }

    /// The clauses up to the full stop; usually one function.
    fn functions(&mut self, forms: &mut Vec<Form>) {
        let first = forms.len();
        let mut unreadable = false;
        loop {
            let start = self.span();
            let name = self.tok().atom().cloned();
            let base = self.open.len();
            match self.function_clause() {
                Ok(head) => self.add_clause(head, forms, first),
                Err(_) => {
                    unreadable = true;
                    self.mark_broken(name, start, forms);
                    self.skip_to_clause(base);
                }
            }
            let semicolon = self.span();
            if self.eat(Sym::Semicolon) {
                if *self.tok() == Tok::Dot {
                    self.stray_before(semicolon, self.at - 1);
                    return;
                }
            } else if std::mem::take(&mut self.semicolon_assumed) {
                continue;
            } else {
                break;
            }
        }
        // A clause that made no sense may have lost its end, too.
        if *self.tok() != Tok::Dot && !(unreadable && self.at_function_head()) {
            let _: Parsed<()> = self.end_of_form();
        }
    }

    /// `name(Args) when Guard -> Body`
    fn function_clause(&mut self) -> Parsed<Head> {
        let start = self.span();
        if *self.tok() == Tok::Poison {
            self.bump();
            return Err(super::Reported);
        }
        if self.tok().atom().is_none() {
            return self.no_form();
        }
        let name = self.ident("a function's name")?;
        self.function = Some(name.name.clone());
        if !self.is(Sym::Open) {
            let found = self.tok();
            let problem =
                format!("expected `(` and arguments after `{}`, found {found}", name.name);
            let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
                .help("a form is an attribute `-name(…).` or a function `name(Args) -> Body.`");
            return Err(self.report(diagnostic));
        }
        let patterns = self.arguments()?;
        let clause = self.rest_of_clause(start, patterns)?;
        Ok(Head { name, clause })
    }

    fn no_form<T>(&mut self) -> Parsed<T> {
        let found = self.tok();
        let mut diagnostic = Diagnostic::error(
            codes::UNEXPECTED,
            self.span(),
            format!("expected a function or an attribute, found {found}"),
        );
        diagnostic = match self.tok() {
            Tok::Var(_) => diagnostic.help("names of functions start with a lower-case letter"),
            Tok::Keyword(keyword) if self.ahead(1).kind.is(Sym::Open) => diagnostic.help(format!(
                "`{0}` is a reserved word; a function of this name is written `'{0}'(…)`",
                keyword.text()
            )),
            Tok::Keyword(Keyword::End) => diagnostic.help("this `end` closes nothing"),
            _ => diagnostic,
        };
        Err(self.report(diagnostic))
    }

    /// Adds a clause to the function being read, or starts another when the head does not fit. Forms before
    /// `first` were ended, except that a function with unreadable clauses goes on.
    fn add_clause(&mut self, head: Head, forms: &mut Vec<Form>, first: usize) {
        let arity = head.clause.patterns.len() as u32;
        let span = head.clause.span;
        let started_here = forms.len() > first;
        if let Some(Form { kind: FormKind::Function(function), span: form }) = forms.last_mut() {
            let same_name = function.name.name == head.name.name;
            let fits = same_name && (function.arity == arity || function.clauses.is_empty());
            if fits && (started_here || function.broken) {
                function.arity = arity;
                function.clauses.push(head.clause);
                *form = form.to(span);
                return;
            }
            if started_here && (!function.broken || same_name) {
                let problem = format!(
                    "`{}/{arity}` cannot be a clause of `{}/{}`",
                    head.name.name, function.name.name, function.arity
                );
                let diagnostic = Diagnostic::error(codes::HEAD_MISMATCH, head.name.span, problem)
                    .also(function.name.span, "the function starts here")
                    .help("end the previous function with `.` instead of `;` to start another");
                self.diagnostics.push(diagnostic);
            }
        }
        let function =
            Function { name: head.name, arity, clauses: vec![head.clause], broken: false };
        forms.push(Form { kind: FormKind::Function(function), span });
    }

    /// Remembers that a clause of this function was unreadable, so that later checks keep quiet about it.
    fn mark_broken(
        &mut self,
        name: Option<crate::Name>,
        span: crate::source::Span,
        forms: &mut Vec<Form>,
    ) {
        let Some(name) = name else { return };
        match forms.last_mut().map(|form| &mut form.kind) {
            Some(FormKind::Function(function)) if function.name.name == name => {
                function.broken = true;
            }
            _ => {
                let function = Function {
                    name: Ident { name, span },
                    arity: 0,
                    clauses: Vec::new(),
                    broken: true,
                };
                forms.push(Form { kind: FormKind::Function(function), span });
            }
        }
    }

    /// Nothing may follow but the full stop.
    pub(super) fn end_of_form(&mut self) -> Parsed<()> {
        if *self.tok() == Tok::Dot {
            return Ok(());
        }
        if self.at_function_head() {
            if self.previous().is_some_and(|token| token.kind == Tok::Poison) {
                return Err(super::Reported);
            }
            let diagnostic = Diagnostic::error(
                codes::MISSING_DOT,
                self.previous_span().after(),
                "the previous function does not end with a full stop",
            )
            .label("add `.` here")
            .also(self.span(), "another function starts here")
            .help("use `;` instead if this is another clause of the same function");
            return Err(self.report(diagnostic));
        }
        if let Some(found) = super::Closer::of(self.tok()) {
            return Err(self.extra_closer(found));
        }
        self.unexpected("`,`, `;` or `.`")
    }
}
