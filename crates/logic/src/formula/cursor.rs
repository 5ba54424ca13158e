//! A cursor over tokens: what both parsers need.
//! A formula nested too deeply is refused instead of running out of stack: what stands in parentheses is counted on the way
//! in (`nesting`), the tree that comes out on the way back (`height`), since a chain `a && b && …` grows a tall tree without
//! any nesting. Everything after the parser walks trees by recursion and relies on this.

use super::lexer::{Token, TokenKind};
use crate::{Diagnostic, Span, codes};

/// Parentheses, modalities and operators inside each other; no person writes more.
const NESTING_MAX: usize = 150;
/// The height of the tree: how many operators may follow each other.
const HEIGHT_MAX: usize = 1_000;
/// Parts of a formula, those that macros write included.
const PARTS_MAX: usize = 200_000;

pub(crate) struct Cursor<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) at: usize,
    /// Reading stops here, which is before the end of the text while a macro is expanded.
    pub(crate) end: usize,
    pub(crate) nesting: usize,
    /// The height of the tree that was read last.
    pub(crate) height: usize,
    n_parts: usize,
    text_length: usize,
}

pub(crate) type Parsing<T> = Result<T, Box<Diagnostic>>;

impl<'a> Cursor<'a> {
    pub(crate) fn new(tokens: &'a [Token], text_length: usize) -> Self {
        Cursor { tokens, at: 0, end: tokens.len(), nesting: 0, height: 0, n_parts: 0, text_length }
    }

    pub(crate) fn peek(&self) -> Option<&'a TokenKind> {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<&'a TokenKind> {
        let at = self.at + ahead;
        (at < self.end).then(|| &self.tokens[at].kind)
    }

    /// Where the next token is; the end of the text if there is none.
    pub(crate) fn span(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(token) if self.at < self.end => token.span,
            _ if self.end > 0 && self.end < self.tokens.len() => {
                let end = self.tokens[self.end - 1].span.end as usize;
                Span::new(end, end)
            }
            _ => Span::new(self.text_length, self.text_length),
        }
    }

    /// From a token to the one before the next.
    pub(crate) fn span_from(&self, start: Span) -> Span {
        match self.at.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(last) if last.span.end >= start.start => start.to(last.span),
            _ => start,
        }
    }

    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(TokenKind::Sign(next)) if *next == sign)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(TokenKind::Word(next)) if next == word)
    }

    pub(crate) fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn expect_sign(&mut self, sign: &str, why: &str) -> Parsing<()> {
        if self.eat_sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}` {why}"))) }
    }

    pub(crate) fn expect_name(&mut self, what: &str) -> Parsing<String> {
        match self.peek() {
            Some(TokenKind::Word(name)) => {
                self.at += 1;
                Ok(name.clone())
            }
            _ => Err(self.expected(what)),
        }
    }

    /// News that something else was expected here.
    pub(crate) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.peek() {
            None => "the formula ends".to_owned(),
            Some(_) => {
                let token = &self.tokens[self.at];
                format!("`{}` stands", shown(&token.kind))
            }
        };
        let message = format!("{found} where {what} is expected");
        Box::new(Diagnostic::error(codes::SYNTAX, self.span(), message))
    }

    /// Runs `inside` one level deeper.
    pub(crate) fn nested(&mut self) -> Parsing<()> {
        self.nesting += 1;
        if self.nesting > NESTING_MAX {
            return Err(self.too_much("the formula is nested too deeply"));
        }
        self.n_parts += 1;
        if self.n_parts > PARTS_MAX {
            return Err(self.too_much("the formula is too large"));
        }
        Ok(())
    }

    /// The tree just read is a single part.
    pub(crate) fn leaf(&mut self) {
        self.height = 1;
    }

    /// The tree just read gets an operator above it, with a part of height `other` beside it.
    pub(crate) fn taller(&mut self, other: usize) -> Parsing<()> {
        self.height = self.height.max(other) + 1;
        match self.height > HEIGHT_MAX {
            true => Err(self.too_much("too many operators follow each other")),
            false => Ok(()),
        }
    }

    fn too_much(&self, message: &str) -> Box<Diagnostic> {
        let help = "verify parts of the formula one by one";
        Box::new(Diagnostic::error(codes::SYNTAX, self.span(), message).help(help))
    }
}

/// A parser that reads operators between what stands on their two sides.
pub(crate) trait Operators<'t>: Sized {
    fn cursor(&mut self) -> &mut Cursor<'t>;

    /// Operands with the same sign between them, joined from the left.
    fn chain<T>(
        &mut self,
        sign: &str,
        operand: fn(&mut Self) -> Parsing<T>,
        join: impl Fn(T, T) -> Parsing<T>,
    ) -> Parsing<T> {
        let mut left = operand(self)?;
        while self.cursor().eat_sign(sign) {
            let height = self.cursor().height;
            let right = operand(self)?;
            self.cursor().taller(height)?;
            left = join(left, right)?;
        }
        Ok(left)
    }
}

pub(crate) fn shown(token: &TokenKind) -> String {
    match token {
        TokenKind::Word(word) => word.clone(),
        TokenKind::Number(number) => number.to_string(),
        TokenKind::Pattern(inside) => format!("'{inside}'"),
        TokenKind::Text(inside) => format!("\"{inside}\""),
        TokenKind::Sign(sign) => (*sign).to_owned(),
    }
}
