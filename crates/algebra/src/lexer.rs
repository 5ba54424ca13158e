//! Text to tokens. Comments run from `%` to the end of the line; layout separates names and means nothing else.
//! Names are what muCRL allows: letters, digits, `_`, `'`, `^`, and `-` between two of them (`s-and-r`), so `0` is a name.

use crate::diagnostic::{Diagnostic, SYNTAX};
use foresee_text::Span;

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Kind {
    Name,
    Keyword,
    Mark,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    pub(crate) span: Span,
    /// First on its line.
    pub(crate) starts_line: bool,
}

/// Words that open a section.
pub(crate) const SECTIONS: [&str; 9] =
    ["sort", "func", "map", "var", "rew", "act", "comm", "proc", "init"];

const WORDS: [&str; 6] = ["sum", "delta", "tau", "encap", "hide", "rename"];

/// Longest first, so that the first that fits is the right one.
const MARKS: [&str; 18] = [
    "||_", "||", "|_", "|>", "<|", "->", "|", ":", "#", "=", ",", "(", ")", "{", "}", "+", ".", "@",
];

/// Whether a name would be read as a word of the language.
pub(crate) fn is_reserved(name: &str) -> bool {
    SECTIONS.contains(&name) || WORDS.contains(&name)
}

pub(crate) fn tokens<'a>(text: &'a str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    let (mut at, mut starts_line) = (0, true);
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("not at the end");
        if first.is_whitespace() {
            starts_line |= first == '\n';
            at += first.len_utf8();
            continue;
        }
        if first == '%' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = match name_length(rest) {
            0 => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => (Kind::Mark, mark.len()),
                None => {
                    let span = Span::new(at, at + first.len_utf8());
                    let message = format!("`{first}` starts nothing in muCRL");
                    diagnostics.push(Diagnostic::error(SYNTAX, span, message));
                    at += first.len_utf8();
                    continue;
                }
            },
            length if is_reserved(&rest[..length]) => (Kind::Keyword, length),
            length => (Kind::Name, length),
        };
        let span = Span::new(at, at + length);
        tokens.push(Token { kind, text: &rest[..length], span, starts_line });
        starts_line = false;
        at += length;
    }
    let span = Span::new(text.len(), text.len());
    tokens.push(Token { kind: Kind::End, text: "", span, starts_line: true });
    tokens
}

/// The length in bytes of the name that `text` starts with; 0 if it starts with none.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| {
        bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\'' | b'^'))
    };
    let mut length = 0;
    while is_letter(length)
        || (length > 0 && bytes.get(length) == Some(&b'-') && is_letter(length + 1))
    {
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_longest_first_and_hyphens_join_names() {
        let mut diagnostics = Vec::new();
        let read = tokens("a||b ||_ c|d <|e|> f-g->h % no\n0", &mut diagnostics);
        let texts: Vec<_> = read.iter().map(|token| token.text).collect();
        let expected =
            ["a", "||", "b", "||_", "c", "|", "d", "<|", "e", "|>", "f-g", "->", "h", "0", ""];
        assert_eq!(texts, expected);
        assert!(diagnostics.is_empty() && read[13].starts_line);
        tokens("a ; b", &mut diagnostics);
        assert_eq!(diagnostics.len(), 1);
    }
}
