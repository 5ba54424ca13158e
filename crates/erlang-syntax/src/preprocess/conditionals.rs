//! `-ifdef`, `-ifndef`, `-if`, `-elif`, `-else`, `-endif`: which forms count.

use super::{Preprocessor, form_span};
use crate::codes;
use crate::name::Name;
use crate::parser::Parser;
use crate::source::Span;
use crate::token::{Sym, Tok, Token};
use foresee_text::Diagnostic;

/// One open conditional.
pub(super) struct Conditional {
    opened: Span,
    branch: Branch,
    seen_else: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Branch {
    /// The branch being read counts.
    Taken,
    /// No branch counted so far.
    Waiting,
    /// An earlier branch counted, or the conditional stands in skipped text.
    Done,
}

impl Preprocessor<'_> {
    /// Whether forms count here.
    pub(super) fn active(&self) -> bool {
        self.conditionals.iter().all(|conditional| conditional.branch == Branch::Taken)
    }

    /// Handles one of the six directives; false for any other.
    pub(super) fn conditional(&mut self, name: &str, raw: &[Token]) -> bool {
        match name {
            "ifdef" | "ifndef" => {
                let taken = self.active() && (self.defined(raw) == (name == "ifdef"));
                self.open_conditional(raw, taken);
            }
            "if" => {
                let taken = self.active() && self.condition(raw);
                self.open_conditional(raw, taken);
            }
            "elif" | "else" => self.next_branch(name, raw),
            "endif" => {
                let outside = self.files.last().map_or(0, |file| file.conditionals_outside);
                if self.conditionals.len() > outside {
                    self.conditionals.pop();
                } else {
                    self.stray(raw, "`-endif` closes nothing");
                }
            }
            _ => return false,
        }
        true
    }

    pub(super) fn report_open_conditionals(&mut self, outside: usize) {
        for conditional in self.conditionals.drain(outside..).take(super::MISTAKES_MAX) {
            let problem = "this conditional is never closed";
            self.diagnostics.push(
                Diagnostic::error(codes::BAD_CONDITIONAL, conditional.opened, problem)
                    .help("add `-endif.` after the last form it covers"),
            );
        }
    }

    fn open_conditional(&mut self, raw: &[Token], taken: bool) {
        let branch = match (self.active(), taken) {
            (false, _) => Branch::Done,
            (true, true) => Branch::Taken,
            (true, false) => Branch::Waiting,
        };
        self.conditionals.push(Conditional { opened: form_span(raw), branch, seen_else: false });
    }

    fn next_branch(&mut self, name: &str, raw: &[Token]) {
        let outside = self.files.last().map_or(0, |file| file.conditionals_outside);
        if self.conditionals.len() <= outside {
            return self.stray(raw, &format!("`-{name}` belongs to no conditional"));
        }
        let last = self.conditionals.last_mut().expect("checked above");
        let after_else = last.seen_else;
        last.seen_else |= name == "else";
        if after_else {
            return self.stray(raw, &format!("`-{name}` after `-else`"));
        }
        match last.branch {
            Branch::Taken | Branch::Done => last.branch = Branch::Done,
            Branch::Waiting => {
                // The condition is evaluated as if the branch counted, as everything around it does.
                last.branch = Branch::Taken;
                if name == "elif" && !self.condition(raw) {
                    self.conditionals.last_mut().expect("still open").branch = Branch::Waiting;
                }
            }
        }
    }

    /// The macro of `-ifdef(NAME)`.
    fn defined(&mut self, raw: &[Token]) -> bool {
        let name = match raw {
            [_, _, open, name, close, ..]
                if open.kind.is(Sym::Open) && close.kind.is(Sym::Close) =>
            {
                macro_name(&name.kind)
            }
            _ => None,
        };
        match name {
            Some(name) => self.is_defined(&name),
            None => {
                self.bad_directive(raw, "the name of a macro is missing", "write `-ifdef(NAME).`");
                false
            }
        }
    }

    /// Evaluates the condition of `-if(…)` or `-elif(…)`; anything but `true` means no.
    fn condition(&mut self, raw: &[Token]) -> bool {
        if raw.len() < 5 || !raw[2].kind.is(Sym::Open) {
            self.bad_directive(raw, "the condition is missing", "write `-if(Condition).`");
            return false;
        }
        let mut form = self.expand(&raw[2..]);
        // What a macro leaves open may have swallowed the full stop.
        if !form.last().is_some_and(|token| token.kind == Tok::Dot) {
            form.push(crate::parse::dot_after(&form));
        }
        let mut parser = Parser::new(&form, &self.expansions, &mut self.diagnostics);
        let Ok(condition) = parser.whole_expression() else { return false };
        self.evaluate(&condition).is_some_and(|value| value.is_true())
    }

    fn stray(&mut self, raw: &[Token], problem: &str) {
        let diagnostic = Diagnostic::error(codes::BAD_CONDITIONAL, form_span(raw), problem);
        self.diagnostics.push(diagnostic);
    }
}

pub(super) fn macro_name(tok: &Tok) -> Option<Name> {
    match tok {
        Tok::Atom(name) | Tok::Quoted(name) | Tok::Var(name) => Some(name.clone()),
        Tok::Keyword(keyword) => Some(keyword.text().into()),
        _ => None,
    }
}
