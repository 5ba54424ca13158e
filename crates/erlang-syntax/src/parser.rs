//! The parser: tokens of one form to trees, by recursive descent with a Pratt loop for operators.
//! Why by hand: the messages. Each construct knows what opened it and what may follow, so a missing `end`, a stray
//! `;` or a foreign operator is named as such, and parsing goes on behind it.
//! How errors travel: whoever notices a problem records a diagnostic and returns `Err(Reported)`; the nearest
//! construct that can resynchronise (a body at `,`, a clause at `;`, a form at a function's head) goes on from there.
//! `open` is the stack of brackets and blocks around the cursor, so skipping ahead knows how deep it is.
//! Invariant: two diagnostics never come from the same token (`reported_at`).
//! Read next: `forms`, then `exprs`.

mod attributes;
mod blocks;
mod bodies;
mod collections;
mod complain;
mod exprs;
mod forms;
mod funs;
mod primary;
mod records;
mod recover;
mod segments;
mod types;

use crate::diagnostic::Expansion;
use crate::name::Name;
use crate::preprocess::with_expansions;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok, Token};
use crate::tree::{Expr, ExprKind, Ident};
use foresee_text::Diagnostic;

/// A diagnostic has been recorded; nothing more to say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Nesting of expressions beyond which we stop; generated code stays far below it.
const DEPTH_MAX: usize = 500;

/// Operators or suffixes in a row; they nest in the tree, which later passes walk recursively.
const CHAIN_MAX: usize = 2000;

/// Height of an expression's or type's tree, whether by brackets or by operators in a row; later passes walk it recursively.
const HEIGHT_MAX: usize = 2000;

pub(crate) struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    expansions: &'a [Expansion],
    diagnostics: &'a mut Vec<Diagnostic>,
    open: Vec<Opener>,
    reported_at: Option<usize>,
    /// `||`, `<=` and `=>` may legally follow the expression being read.
    separators_follow: bool,
    /// `:` belongs to the construct around (a `catch` clause), not to the expression.
    colon_follows: bool,
    /// A missing `;` was reported; the next clause starts right here.
    semicolon_assumed: bool,
    /// The function whose clauses are being read.
    function: Option<Name>,
    depth: usize,
    /// The height of the highest tree read so far inside the expression or type that is being read.
    height: usize,
}

/// Something open around the cursor.
#[derive(Clone, Copy)]
struct Opener {
    /// As written: `(`, `case`, …
    text: &'static str,
    closer: Closer,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closer {
    Sym(Sym),
    End,
}

impl Closer {
    fn text(self) -> &'static str {
        match self {
            Closer::Sym(sym) => sym.text(),
            Closer::End => "end",
        }
    }

    fn of(tok: &Tok) -> Option<Closer> {
        match tok {
            Tok::Sym(sym @ (Sym::Close | Sym::ListClose | Sym::BraceClose | Sym::BinaryClose)) => {
                Some(Closer::Sym(*sym))
            }
            Tok::Keyword(Keyword::End) => Some(Closer::End),
            _ => None,
        }
    }
}

impl<'a> Parser<'a> {
    /// A parser over the tokens of one form, the last of which is a full stop.
    pub(crate) fn new(
        tokens: &'a [Token],
        expansions: &'a [Expansion],
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Parser<'a> {
        assert!(tokens.last().is_some_and(|token| token.kind == Tok::Dot), "forms end in a dot");
        Parser {
            tokens,
            at: 0,
            expansions,
            diagnostics,
            open: Vec::new(),
            reported_at: None,
            separators_follow: false,
            colon_follows: false,
            semicolon_assumed: false,
            function: None,
            depth: 0,
            height: 0,
        }
    }

    /// The whole text is one expression.
    pub(crate) fn whole_expression(&mut self) -> Parsed<Expr> {
        let expr = self.expression()?;
        self.end_of_form()?;
        Ok(expr)
    }

    /// The whole text is a sequence of expressions.
    pub(crate) fn whole_body(&mut self) -> Parsed<Vec<Expr>> {
        let exprs = self.body();
        self.end_of_form()?;
        Ok(exprs)
    }

    fn token(&self) -> &'a Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn tok(&self) -> &'a Tok {
        &self.token().kind
    }

    fn ahead(&self, n: usize) -> &'a Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    fn previous(&self) -> Option<&'a Token> {
        self.at.checked_sub(1).map(|at| &self.tokens[at])
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The place of the last token read.
    fn previous_span(&self) -> Span {
        self.previous().map_or(self.span(), |token| token.span)
    }

    fn bump(&mut self) -> &'a Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len());
        token
    }

    fn is(&self, sym: Sym) -> bool {
        self.tok().is(sym)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        *self.tok() == Tok::Keyword(keyword)
    }

    fn eat(&mut self, sym: Sym) -> bool {
        let found = self.is(sym);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, sym: Sym, what: &str) -> Parsed<Span> {
        if self.is(sym) {
            return Ok(self.bump().span);
        }
        self.unexpected(&format!("`{}` {what}", sym.text()))
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        match self.tok().atom() {
            Some(name) => Ok(Ident { name: name.clone(), span: self.bump().span }),
            None => self.unexpected(what),
        }
    }

    /// Steps over an opening bracket or word and remembers it.
    fn open(&mut self, text: &'static str, closer: Closer) -> Span {
        let span = self.bump().span;
        self.open.push(Opener { text, closer, span });
        span
    }

    fn open_sym(&mut self, opener: Sym, closer: Sym) -> Span {
        self.open(opener.text(), Closer::Sym(closer))
    }

    /// Steps over the closing bracket of the innermost opener.
    fn close(&mut self, closer: Sym) -> Parsed<Span> {
        if self.is(closer) {
            self.open.pop();
            return Ok(self.bump().span);
        }
        self.unclosed()
    }

    /// Reads with the flags that say what may follow set afresh; restores them afterwards.
    fn nested<T>(&mut self, separators_follow: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.separators_follow, self.colon_follows);
        self.separators_follow = separators_follow;
        self.colon_follows = false;
        let result = read(self);
        (self.separators_follow, self.colon_follows) = outer;
        result
    }

    /// Reads an expression or type that stands inside another, unless it is nested too deeply.
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        let outside = std::mem::take(&mut self.height);
        let result = if self.depth > DEPTH_MAX { self.too_deep() } else { read(self) };
        self.depth -= 1;
        self.height = outside.max(self.height + 1);
        result
    }

    /// What has been read becomes a part of the next operator or suffix in the row.
    fn taller(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height > HEIGHT_MAX { self.too_deep() } else { Ok(()) }
    }

    /// Records a diagnostic for the current token, with the macros it came out of, unless one was there already.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.report_at(self.at, diagnostic)
    }

    fn report_at(&mut self, at: usize, diagnostic: Diagnostic) -> Reported {
        if self.reported_at != Some(at) && *self.tok() != Tok::Poison {
            let expansion = self.tokens[at.min(self.tokens.len() - 1)].expansion;
            self.diagnostics.push(with_expansions(diagnostic, self.expansions, expansion));
        }
        self.reported_at = Some(at);
        Reported
    }

    fn expr_from(&self, start: Span, kind: ExprKind) -> Expr {
        Expr { kind, span: start.to(self.previous_span()) }
    }
}
