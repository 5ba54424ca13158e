//! The words: what to say when a token does not fit.

use super::{Closer, Opener, Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok};
use foresee_text::Diagnostic;

impl Parser<'_> {
    /// "expected …, found …"
    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        if let Some(reported) = self.reserved_word() {
            return Err(reported);
        }
        let found = self.tok();
        let problem = format!("expected {wanted}, found {found}");
        let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem);
        Err(self.report(diagnostic.label(format!("expected {wanted}"))))
    }

    /// An expression should start at the cursor and does not.
    pub(super) fn no_expression<T>(&mut self) -> Parsed<T> {
        let previous = self.previous();
        let after_separator = previous.is_some_and(|token| {
            matches!(token.kind, Tok::Sym(Sym::Comma | Sym::Semicolon | Sym::Bar))
        });
        let closing = Closer::of(self.tok()).is_some()
            || matches!(
                self.tok(),
                Tok::Dot | Tok::Sym(Sym::Semicolon | Sym::Bar | Sym::Comma | Sym::Arrow)
            )
            || (self.continues_block() && !self.used_as_name());
        if let (Some(token), true, true) = (previous, after_separator, closing) {
            return Err(self.stray_before(token.span, self.at - 1));
        }
        if previous.is_some_and(|token| token.kind.is(Sym::Arrow)) && closing {
            let problem = "this clause has no body".to_string();
            let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
                .label("expected an expression after `->`");
            return Err(self.report(diagnostic));
        }
        let in_bracket = self.open.last().is_some_and(|open| open.closer != Closer::End);
        if *self.tok() == Tok::Dot && in_bracket {
            return self.unclosed();
        }
        if let Some(reported) = self.reserved_word() {
            return Err(reported);
        }
        if self.is(Sym::Less) && previous.is_some_and(|token| token.kind.is(Sym::LessEqual)) {
            let problem = "`=<<` reads as `=<` and `<`".to_string();
            let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
                .help("put a space between `=` and `<<`");
            return Err(self.report(diagnostic));
        }
        if Closer::of(self.tok()).is_some()
            && previous.is_some_and(|t| super::exprs::binary_op(&t.kind).is_none())
        {
            return self.unclosed_or_extra();
        }
        let found = self.tok();
        let mut diagnostic = Diagnostic::error(
            codes::UNEXPECTED,
            self.span(),
            format!("expected an expression, found {found}"),
        );
        if let Some(op) = previous.and_then(|t| super::exprs::binary_op(&t.kind)) {
            diagnostic = diagnostic.also(self.previous_span(), format!("`{op}` needs an operand"));
        }
        Err(self.report(diagnostic.label("expected an expression")))
    }

    /// `,` before `.`, `;` before `end` and the like; the separator is blamed.
    pub(super) fn stray_before(&mut self, separator: Span, at: usize) -> super::Reported {
        let written = match &self.tokens[at].kind {
            Tok::Sym(sym) => sym.text(),
            _ => ",",
        };
        let found = match self.tok() {
            Tok::Dot => "the final `.`".to_string(),
            tok => tok.to_string(),
        };
        let problem = format!("`{written}` stands before {found}");
        let mut diagnostic = Diagnostic::error(codes::STRAY_SEPARATOR, separator, problem)
            .label(format!("remove this `{written}`"));
        if *self.tok() == Tok::Dot && self.open.last().is_some_and(|o| o.closer == Closer::End) {
            let open = self.open.last().expect("just seen");
            diagnostic =
                diagnostic.also(open.span, format!("this `{}` also lacks its `end`", open.text));
        }
        if self.reported_at != Some(self.at) {
            self.report_at(at, diagnostic);
        }
        self.reported_at = Some(self.at);
        super::Reported
    }

    /// A reserved word where a name was meant.
    fn reserved_word(&mut self) -> Option<super::Reported> {
        let Tok::Keyword(keyword) = self.tok() else { return None };
        if !self.used_as_name() {
            return None;
        }
        let word = keyword.text();
        let problem = format!("`{word}` is a reserved word");
        let help = format!("write `'{word}'` in quotes to use it as an atom");
        let diagnostic = Diagnostic::error(codes::RESERVED_WORD, self.span(), problem).help(help);
        Some(self.report(diagnostic.label("not an atom")))
    }

    /// A word surrounded by what surrounds an atom: `{end, 1}`, `after => x`, `fun receive/1`.
    pub(super) fn used_as_name(&self) -> bool {
        let before = self.previous().map(|token| &token.kind);
        let opens = matches!(
            before,
            Some(Tok::Sym(
                Sym::Open
                    | Sym::BraceOpen
                    | Sym::ListOpen
                    | Sym::Comma
                    | Sym::Match
                    | Sym::Bar
                    | Sym::Hash
                    | Sym::Dot
                    | Sym::Bang
                    | Sym::Assign
                    | Sym::FatArrow
                    | Sym::Colon
            ))
        );
        let closes = matches!(
            self.ahead(1).kind,
            Tok::Sym(
                Sym::Close
                    | Sym::BraceClose
                    | Sym::ListClose
                    | Sym::Comma
                    | Sym::FatArrow
                    | Sym::Assign
                    | Sym::Bar
                    | Sym::Match
            )
        );
        let is_end = self.is_keyword(Keyword::End);
        let inside_block = self.open.last().is_some_and(|open| open.closer == Closer::End);
        opens && closes && !(is_end && inside_block)
    }

    /// The innermost opener is not closed here.
    pub(super) fn unclosed<T>(&mut self) -> Parsed<T> {
        let Some(opener) = self.open.last().copied() else {
            return self.unexpected("something to close");
        };
        let Opener { text, closer, span } = opener;
        if Closer::of(self.tok()).is_none() && self.starts_expression() && !self.at_function_head()
            || self.is(Sym::Colon)
        {
            let wanted = match closer {
                Closer::Sym(Sym::Close) => "an operator, `,` or `)`".to_string(),
                closer => format!("an operator, `,` or `{}`", closer.text()),
            };
            let found = self.tok();
            let problem = format!("expected {wanted}, found {found}");
            let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
                .label(format!("expected {wanted}"))
                .also(span, format!("inside this `{text}`"));
            return Err(self.report(diagnostic));
        }
        let found = self.tok();
        let problem = format!("this `{text}` is never closed");
        let diagnostic = Diagnostic::error(codes::UNBALANCED, span, problem)
            .label("opened here")
            .also(self.span(), format!("expected `{}` before {found}", closer.text()));
        Err(self.report(diagnostic))
    }

    /// A closing bracket with nothing (or something else) open.
    fn unclosed_or_extra<T>(&mut self) -> Parsed<T> {
        let found = Closer::of(self.tok()).expect("called at a closer");
        match self.open.last() {
            Some(open) if open.closer == Closer::End && found != Closer::End => {
                self.missing_end(open.span).and_then(|()| Err(super::Reported))
            }
            Some(open) if open.closer != found && self.open.iter().any(|o| o.closer == found) => {
                self.unclosed()
            }
            Some(open) if open.closer == found => {
                let wanted = "an expression";
                let problem = format!("expected {wanted}, found `{}`", found.text());
                let diagnostic = Diagnostic::error(codes::UNEXPECTED, self.span(), problem)
                    .label(format!("expected {wanted}"));
                Err(self.report(diagnostic))
            }
            _ => Err(self.extra_closer(found)),
        }
    }

    pub(super) fn extra_closer(&mut self, found: Closer) -> super::Reported {
        if let Some(open) = self.open.last() {
            let problem = format!("`{}` does not close this `{}`", found.text(), open.text);
            let diagnostic = Diagnostic::error(codes::UNBALANCED, self.span(), problem)
                .label(format!("expected `{}`", open.closer.text()))
                .also(open.span, "opened here");
            return self.report(diagnostic);
        }
        let problem = format!("`{}` closes nothing", found.text());
        let code = if found == Closer::End { codes::MISSING_END } else { codes::UNBALANCED };
        let diagnostic = Diagnostic::error(code, self.span(), problem);
        let help = "remove it, or add what it should close";
        self.report(diagnostic.label("nothing is open here").help(help))
    }

    pub(super) fn missing_end(&mut self, start: Span) -> Parsed<()> {
        let word = self.open.last().map_or("block", |open| open.text);
        if self.reported_at == Some(self.at) {
            self.open.pop();
            return if *self.tok() == Tok::Dot { Ok(()) } else { Err(super::Reported) };
        }
        let found = self.tok();
        let (problem, place) = if *found == Tok::Dot {
            (format!("`end` is missing: this `{word}` is never closed"), "the form ends here")
        } else {
            (format!("`end` is missing before {found}"), "expected `end` here")
        };
        let diagnostic = Diagnostic::error(codes::MISSING_END, start, problem)
            .label(format!("this `{word}` needs an `end`"))
            .also(self.span(), place);
        self.report(diagnostic);
        if *self.tok() == Tok::Dot {
            self.open.pop();
            return Ok(());
        }
        Err(super::Reported)
    }

    pub(super) fn missing_arrow<T>(&mut self) -> Parsed<T> {
        let found = self.tok();
        if self.is(Sym::FatArrow) || self.is(Sym::Match) || self.is(Sym::LeftArrow) {
            let problem = format!("a clause's body starts with `->`, not {found}");
            let diagnostic = Diagnostic::error(codes::MISSING_ARROW, self.span(), problem);
            return Err(self.report(diagnostic.label("write `->`")));
        }
        let problem = format!("`->` is missing before {found}");
        let diagnostic =
            Diagnostic::error(codes::MISSING_ARROW, self.previous_span().after(), problem)
                .label("expected `->`");
        Err(self.report(diagnostic))
    }
}
