//! A cursor over tokens: what both parsers need.
//! A formula nested too deeply is refused instead of running out of stack.

use super::lexer::{Token, TokenKind};
use crate::{Diagnostic, Span, codes};

/// Parentheses, modalities and operators inside each other; no person writes more.
const NESTING_MAX: usize = 150;

pub(crate) struct Cursor<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) at: usize,
    /// Reading stops here, which is before the end of the text while a macro is expanded.
    pub(crate) end: usize,
    pub(crate) nesting: usize,
    text_length: usize,
}

pub(crate) type Parsing<T> = Result<T, Box<Diagnostic>>;

impl<'a> Cursor<'a> {
    pub(crate) fn new(tokens: &'a [Token], text_length: usize) -> Self {
        Cursor { tokens, at: 0, end: tokens.len(), nesting: 0, text_length }
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
        Box::new(Diagnostic::error(codes::SYNTAX, message).at(self.span()))
    }

    /// Runs `inside` one level deeper.
    pub(crate) fn nested(&mut self) -> Parsing<()> {
        self.nesting += 1;
        if self.nesting > NESTING_MAX {
            let message = "the formula is nested too deeply";
            return Err(Box::new(Diagnostic::error(codes::SYNTAX, message).at(self.span())));
        }
        Ok(())
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
