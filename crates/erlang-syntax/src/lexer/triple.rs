//! Triple-quoted strings (OTP 27): lines between two lines of quotes, with the indentation of the closing one removed.

use std::sync::Arc;

use super::Lexer;
use super::literals::Escapes;
use crate::codes;
use crate::source::Span;
use foresee_text::Diagnostic;

impl Lexer<'_> {
    /// Reads the literal whose quotes start at the cursor; `start` is where the token (perhaps a sigil) starts.
    pub(super) fn triple_quoted(&mut self, start: usize, escapes: Escapes) -> Option<Arc<str>> {
        let open = self.at;
        let n_quotes = self.bytes[open..].iter().take_while(|byte| **byte == b'"').count();
        let quotes = "\"".repeat(n_quotes);
        self.at += n_quotes;
        let rest = &self.text[self.at..];
        let first_line = rest.find('\n').unwrap_or(rest.len());
        if !rest[..first_line].trim().is_empty() {
            let problem = "text after the opening quotes of a triple-quoted string";
            self.skip_line();
            let diagnostic = Diagnostic::error(codes::BAD_TRIPLE_QUOTED, self.span(open), problem)
                .help("start the text on the next line");
            self.error(diagnostic);
            self.find_closing_line(&quotes);
            return None;
        }
        self.at += first_line;
        let body_at = (self.at + 1).min(self.text.len());
        let Some((close_line, close)) = self.find_closing_line(&quotes) else {
            self.unterminated = true;
            self.at = open + n_quotes;
            let span = Span::in_file(self.file, start, open + n_quotes);
            self.error(
                Diagnostic::error(codes::UNTERMINATED, span, "this string is never closed")
                    .help(format!("close it with `{quotes}` on a line of its own")),
            );
            return None;
        };
        let indent = self.text[close_line..close].to_string();
        let body = &self.text[body_at.min(close_line)..close_line];
        let lines = self.unindent(body, body_at, &indent, close)?;
        match escapes {
            Escapes::Verbatim => Some(lines.into()),
            Escapes::Decoded => self.decode(lines, body_at),
        }
    }

    /// Moves past the closing quotes; returns where their line and the quotes start.
    fn find_closing_line(&mut self, quotes: &str) -> Option<(usize, usize)> {
        let mut line = self.at;
        loop {
            line += self.text[line..].find('\n')? + 1;
            let rest = &self.text[line..];
            let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            if rest[indent..].starts_with(quotes) {
                self.at = line + indent + quotes.len();
                return Some((line, line + indent));
            }
        }
    }

    fn unindent(&mut self, body: &str, at: usize, indent: &str, close: usize) -> Option<String> {
        let body = body.strip_suffix('\n').unwrap_or(body);
        let mut lines = Vec::new();
        let mut line_at = at;
        let mut good = true;
        for line in body.split('\n') {
            let bare = line.strip_suffix('\r').unwrap_or(line);
            match line.strip_prefix(indent) {
                Some(text) => lines.push(text),
                None if bare.trim().is_empty() => lines.push(""),
                None => {
                    good = false;
                    let span = Span::in_file(self.file, line_at, line_at + bare.len());
                    let problem = "this line is indented less than the closing quotes";
                    let quotes = Span::in_file(self.file, close, self.at);
                    self.error(
                        Diagnostic::error(codes::BAD_TRIPLE_QUOTED, span, problem)
                            .also(quotes, "the closing quotes set the indentation"),
                    );
                }
            }
            line_at += line.len() + 1;
        }
        good.then(|| lines.join("\n"))
    }

    /// Decodes escapes of `~b"""` and `~s"""`; spans inside point at the start of the body.
    fn decode(&mut self, lines: String, at: usize) -> Option<Arc<str>> {
        if !lines.contains('\\') {
            return Some(lines.into());
        }
        let mut inner = Lexer::new(&lines, self.file, self.otp, self.names, false);
        let mut text = String::new();
        let mut good = true;
        while let Some(c) = inner.char_at(inner.at) {
            if c == '\\' {
                match inner.escape() {
                    Some(c) => text.push(c),
                    None => good = false,
                }
            } else {
                text.push(c);
                inner.at += c.len_utf8();
            }
        }
        for mut diagnostic in std::mem::take(&mut inner.diagnostics) {
            diagnostic.span = Span::in_file(self.file, at, at + 1);
            self.diagnostics.push(diagnostic);
        }
        good.then(|| text.into())
    }
}
