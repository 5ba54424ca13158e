//! Finding a place to go on after an error.

use super::{Closer, Opener, Parser};
use crate::token::{Keyword, Sym, Tok};

impl Parser<'_> {
    /// Skips to the `,`, `;` or closer of the construct that had `base` openers around it.
    pub(super) fn skip_to_separator(&mut self, base: usize) {
        self.skip(base, |parser| {
            matches!(parser.tok(), Tok::Sym(Sym::Comma | Sym::Semicolon))
                || parser.continues_block()
        });
    }

    /// Skips to the `;` or closer of the construct that had `base` openers around it.
    pub(super) fn skip_to_clause(&mut self, base: usize) {
        self.skip(base, |parser| parser.is(Sym::Semicolon) || parser.continues_block());
    }

    /// Skips to a function's head at the start of a line, or to the end of the form.
    pub(super) fn skip_to_form(&mut self) {
        while *self.tok() != Tok::Dot && !self.at_function_head() {
            self.bump();
        }
        self.open.clear();
    }

    fn skip(&mut self, base: usize, stop: impl Fn(&Self) -> bool) {
        let start = self.at;
        loop {
            let level = self.open.len();
            if *self.tok() == Tok::Dot || (level <= base && stop(self)) {
                break;
            }
            if self.at_function_head() && self.at > start {
                break;
            }
            if let Some((text, closer)) = self.opener_here() {
                self.open.push(Opener { text, closer, span: self.span() });
            } else if let Some(found) = Closer::of(self.tok()) {
                match self.open.iter().rposition(|open| open.closer == found) {
                    Some(at) if at >= base => self.open.truncate(at),
                    Some(_) => break,
                    None => {}
                }
            }
            self.bump();
        }
        self.open.truncate(base);
    }

    fn opener_here(&self) -> Option<(&'static str, Closer)> {
        Some(match self.tok() {
            Tok::Sym(Sym::Open) => ("(", Closer::Sym(Sym::Close)),
            Tok::Sym(Sym::ListOpen) => ("[", Closer::Sym(Sym::ListClose)),
            Tok::Sym(Sym::BraceOpen) => ("{", Closer::Sym(Sym::BraceClose)),
            Tok::Sym(Sym::BinaryOpen) => ("<<", Closer::Sym(Sym::BinaryClose)),
            Tok::Keyword(keyword) if keyword.opens_block() => (keyword.text(), Closer::End),
            Tok::Keyword(Keyword::Fun) => {
                let named = matches!(self.ahead(1).kind, Tok::Var(_));
                let open = self.ahead(1 + usize::from(named)).kind.is(Sym::Open);
                return open.then_some(("fun", Closer::End));
            }
            _ => return None,
        })
    }

    /// Words that continue the construct around: `of`, `after`, `catch` of `try`, `else` of `maybe`.
    pub(super) fn continues_block(&self) -> bool {
        let inside = self.open.last().map_or("", |open| open.text);
        match self.tok() {
            Tok::Keyword(Keyword::Of) => matches!(inside, "try" | "case"),
            Tok::Keyword(Keyword::After) => matches!(inside, "try" | "receive"),
            Tok::Keyword(Keyword::Catch) => inside == "try",
            Tok::Keyword(Keyword::Else) => inside == "maybe",
            Tok::Keyword(Keyword::End) => true,
            _ => false,
        }
    }

    /// Nothing more can come in a list of clauses.
    pub(super) fn closes_clauses(&self) -> bool {
        *self.tok() == Tok::Dot || Closer::of(self.tok()).is_some() || self.continues_block()
    }

    /// Whether an expression can start here.
    pub(super) fn starts_expression(&self) -> bool {
        match self.tok() {
            Tok::Dot => false,
            Tok::Sym(sym) => matches!(
                sym,
                Sym::Open | Sym::ListOpen | Sym::BraceOpen | Sym::BinaryOpen | Sym::Hash
            ),
            Tok::Keyword(Keyword::Catch) => !self.continues_block(),
            Tok::Keyword(keyword) => keyword.opens_block() || *keyword == Keyword::Fun,
            _ => true,
        }
    }

    /// `name(` in the first column: a function's clause, in all likelihood.
    pub(super) fn at_function_head(&self) -> bool {
        self.at > 0
            && self.token().line_start
            && self.tok().atom().is_some()
            && self.ahead(1).kind.is(Sym::Open)
            && !self.ahead(1).spaced
    }

    /// Whether the token is the first on its line.
    pub(super) fn new_line_before(&self) -> bool {
        self.token().first_on_line
    }
}
