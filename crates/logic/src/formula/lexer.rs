//! Formula text to tokens, for both notations.
//! Signs with several spellings become one: `¬`, `~` and (in the paper's notation) `not` are `!`; likewise and, or,
//! implies. Comments are `(* … *)` and `%` to the end of the line.

use super::Notation;
use crate::{Diagnostic, Span, codes};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    Word(String),
    Number(i64),
    /// In single quotes.
    Pattern(String),
    /// In double quotes.
    Text(String),
    Sign(&'static str),
}

/// Signs, those that begin with others first, with the sign they stand for.
const SIGNS: &[(&str, &str)] = &[
    ("<=>", "<=>"),
    ("⇔", "<=>"),
    ("=>", "=>"),
    ("⇒", "=>"),
    ("==", "=="),
    ("!=", "!="),
    ("&&", "&&"),
    ("/\\", "&&"),
    ("∧", "&&"),
    ("||", "||"),
    ("\\/", "||"),
    ("∨", "||"),
    ("<=", "<="),
    (">=", ">="),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("<", "<"),
    ("⟨", "<"),
    (">", ">"),
    ("⟩", ">"),
    ("{", "{"),
    ("}", "}"),
    (".", "."),
    ("·", "."),
    (",", ","),
    (";", ";"),
    (":", ":"),
    ("=", "="),
    ("!", "!"),
    ("¬", "!"),
    ("~", "!"),
    ("*", "*"),
    ("+", "+"),
    ("?", "?"),
    ("|", "|"),
    ("-", "-"),
    ("@", "@"),
];

/// Words that are signs.
const WORDS: &[(&str, &str)] =
    &[("and", "&&"), ("or", "||"), ("not", "!"), ("implies", "=>"), ("iff", "<=>"), ("equ", "<=>")];

/// All tokens of a text.
pub(crate) fn tokens(text: &str, notation: Notation) -> Result<Vec<Token>, Diagnostic> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if character.is_whitespace() {
            at += character.len_utf8();
            continue;
        } else if character == '%' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("(*") {
            at += comment(rest).ok_or_else(|| unclosed("comment `(*`", at, 2))?;
            continue;
        } else if character == '\'' || character == '"' {
            let (inside, length) = quoted(rest, character)
                .ok_or_else(|| unclosed(&format!("quote `{character}`"), at, 1))?;
            let kind = match character {
                '"' => TokenKind::Text(inside),
                _ => TokenKind::Pattern(inside),
            };
            (kind, length)
        } else if character.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..length].parse().map_err(|_| {
                let message = format!("the number `{}` is too large", &rest[..length]);
                Diagnostic::error(codes::SYNTAX, Span::new(at, at + length), message)
            })?;
            (TokenKind::Number(number), length)
        } else if let Some((kind, length)) = word(rest, notation) {
            (kind, length)
        } else if let Some((sign, meaning)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))
        {
            (TokenKind::Sign(meaning), sign.len())
        } else {
            let message = format!("`{character}` has no meaning in a formula");
            let span = Span::new(at, at + character.len_utf8());
            return Err(Diagnostic::error(codes::SYNTAX, span, message));
        };
        found.push(Token { kind, span: Span::new(at, at + length) });
        at += length;
    }
    Ok(found)
}

fn word(rest: &str, notation: Notation) -> Option<(TokenKind, usize)> {
    let is_greek = |c: char| matches!(c, 'μ' | 'ν' | '∀' | '∃');
    let first = rest.chars().next()?;
    if is_greek(first) {
        let name = match first {
            'μ' => "mu",
            'ν' => "nu",
            '∀' => "forall",
            _ => "exists",
        };
        return Some((TokenKind::Word(name.to_owned()), first.len_utf8()));
    }
    if !(first.is_alphabetic() || first == '_') {
        return None;
    }
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    let length = rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
    let name = &rest[..length];
    let sign = WORDS.iter().find(|(word, _)| *word == name && notation == Notation::Paper);
    let kind = match sign {
        Some((_, sign)) => TokenKind::Sign(sign),
        None => TokenKind::Word(name.to_owned()),
    };
    Some((kind, length))
}

/// The length of a comment, which may hold others.
fn comment(rest: &str) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("(*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*)") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += rest[at..].chars().next()?.len_utf8();
        }
    }
    None
}

/// What stands between quotes, and its length with them. In double quotes a backslash takes the next character as it is;
/// in single quotes it is left for the pattern, save before a quote.
fn quoted(rest: &str, quote: char) -> Option<(String, usize)> {
    let mut inside = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            _ if character == quote => return Some((inside, at + 1)),
            '\n' => return None,
            '\\' => {
                let (_, next) = characters.next()?;
                if quote == '\'' && next != '\'' {
                    inside.push('\\');
                }
                inside.push(next);
            }
            other => inside.push(other),
        }
    }
    None
}

fn unclosed(what: &str, at: usize, length: usize) -> Diagnostic {
    let span = Span::new(at, at + length);
    Diagnostic::error(codes::SYNTAX, span, format!("the {what} is not closed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(text: &str) -> String {
        let show = |token: &Token| match &token.kind {
            TokenKind::Word(word) => word.clone(),
            TokenKind::Number(number) => number.to_string(),
            TokenKind::Pattern(inside) => format!("'{inside}'"),
            TokenKind::Text(inside) => format!("\"{inside}\""),
            TokenKind::Sign(sign) => (*sign).to_owned(),
        };
        let tokens = tokens(text, Notation::Paper).unwrap();
        tokens.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn spellings_become_one() {
        assert_eq!(signs("¬'a' ∨ not \"b\" or ~c"), "! 'a' || ! \"b\" || ! c");
        assert_eq!(signs("⟨-⟩true => μX.[-]X"), "< - > true => mu X . [ - ] X");
        assert_eq!(signs("a (* b (* c *) *) d % e\n f"), "a d f");
        assert_eq!(signs(r#"'it\'s \.' "a \"b\"""#), r#"'it's \.' "a "b"""#);
    }

    #[test]
    fn what_is_no_token_is_pointed_at() {
        for (text, start) in [("a # b", 2), ("[ 'a", 2), ("(* x", 0), ("99999999999999999999", 0)] {
            let error = tokens(text, Notation::Paper).unwrap_err();
            assert_eq!((error.code, error.span.start), (codes::SYNTAX, start), "{text}");
        }
    }
}
