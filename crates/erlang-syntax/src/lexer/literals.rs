//! Literals in quotes: strings, quoted atoms, characters, sigils, and the escapes inside them.

use super::Lexer;
use crate::codes;
use crate::token::Tok;
use foresee_text::Diagnostic;

/// Whether backslashes mean something.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Escapes {
    Decoded,
    Verbatim,
}

impl Lexer<'_> {
    pub(super) fn string(&mut self) -> Tok {
        if self.otp >= 27 && self.text[self.at..].starts_with("\"\"\"") {
            return self.triple_quoted(self.at, Escapes::Verbatim).map_or(Tok::Poison, Tok::Str);
        }
        let start = self.at;
        self.at += 1;
        self.quoted(start, '"', "string", Escapes::Decoded)
            .map_or(Tok::Poison, |text| Tok::Str(text.into()))
    }

    pub(super) fn quoted_atom(&mut self) -> Tok {
        let start = self.at;
        self.at += 1;
        match self.quoted(start, '\'', "quoted atom", Escapes::Decoded) {
            Some(text) => Tok::Quoted(self.names.intern(&text)),
            None => Tok::Poison,
        }
    }

    pub(super) fn character(&mut self) -> Tok {
        let start = self.at;
        self.at += 1;
        match self.char_at(self.at) {
            Some('\\') => self.escape().map_or(Tok::Poison, Tok::Char),
            Some(c) => {
                self.at += c.len_utf8();
                Tok::Char(c)
            }
            None => {
                let problem = "the file ends after `$`, where a character should stand";
                self.error(Diagnostic::error(codes::UNTERMINATED, self.span(start), problem));
                Tok::Poison
            }
        }
    }

    pub(super) fn sigil(&mut self) -> Tok {
        let start = self.at;
        self.at += 1;
        let prefix_at = self.at;
        self.skip_name();
        let prefix = &self.text[prefix_at..self.at];
        let Some(closer) = self.char_at(self.at).and_then(sigil_closer) else {
            let problem = "`~` starts a sigil, but no delimiter follows".to_string();
            let help = "write for example `~\"text\"` or `~b\"text\"`";
            self.error(Diagnostic::error(codes::BAD_SIGIL, self.span(start), problem).help(help));
            return Tok::Poison;
        };
        let triple = self.text[self.at..].starts_with("\"\"\"");
        let escapes = match prefix {
            "b" | "s" => Escapes::Decoded,
            "" if !triple => Escapes::Decoded,
            _ => Escapes::Verbatim,
        };
        let text = if triple {
            self.triple_quoted(start, escapes)
        } else {
            self.at += 1;
            self.quoted(start, closer, "sigil", escapes).map(|text| text.into())
        };
        match (text, prefix) {
            (None, _) => Tok::Poison,
            (Some(text), "s" | "S") => Tok::Str(text),
            (Some(text), "" | "b" | "B") => Tok::BinaryStr(text),
            (Some(_), other) => {
                let problem = format!("there is no sigil `~{other}`");
                let help = "the sigils are `~`, `~b`, `~B` for binaries and `~s`, `~S` for strings";
                self.error(
                    Diagnostic::error(codes::BAD_SIGIL, self.span(start), problem).help(help),
                );
                Tok::Poison
            }
        }
    }

    /// Reads up to `closer`; the opener is already consumed. `None` when something was reported.
    pub(super) fn quoted(
        &mut self,
        start: usize,
        closer: char,
        what: &str,
        escapes: Escapes,
    ) -> Option<String> {
        let mut text = String::new();
        let mut good = true;
        loop {
            let chunk = self.at;
            while self
                .bytes
                .get(self.at)
                .is_some_and(|byte| *byte != closer as u8 && *byte != b'\\' && *byte != b'\n')
            {
                self.at += 1;
            }
            text.push_str(&self.text[chunk..self.at]);
            match self.bytes.get(self.at) {
                None => return self.unclosed(start, closer, what),
                Some(b'\n') => {
                    if self.cautious && self.looks_like_form(self.at + 1) {
                        return self.unclosed(start, closer, what);
                    }
                    text.push('\n');
                    self.at += 1;
                }
                Some(b'\\') if escapes == Escapes::Decoded => match self.escape() {
                    Some(c) => text.push(c),
                    None => good = false,
                },
                Some(b'\\') if closer != '\\' => {
                    text.push('\\');
                    self.at += 1;
                }
                Some(_) => {
                    self.at += 1;
                    return good.then_some(text);
                }
            }
        }
    }

    /// The closer never came: blame the opener, and go on after its line.
    fn unclosed(&mut self, start: usize, closer: char, what: &str) -> Option<String> {
        self.unterminated = true;
        let rest = &self.text[start..];
        let line = rest.find('\n').unwrap_or(rest.len());
        self.at = start + line;
        let end = start + rest[..line].trim_end().len();
        let span = crate::source::Span::in_file(self.file, start, end.max(start + 1));
        let problem = format!("this {what} is never closed");
        let help = format!("add the closing `{closer}`");
        self.error(
            Diagnostic::error(codes::UNTERMINATED, span, problem)
                .label(format!("the {what} starts here"))
                .help(help),
        );
        None
    }

    /// A line such as `-export(`, `name(` or a comment in the first column.
    fn looks_like_form(&self, at: usize) -> bool {
        let line = self.text[at..].lines().next().unwrap_or("");
        let body = line.strip_prefix('-').unwrap_or(line);
        let name = body.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let lower = body.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        line.starts_with("%%") || (lower && body[name..].starts_with('('))
    }

    /// One escape, the cursor on the backslash.
    pub(super) fn escape(&mut self) -> Option<char> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.char_at(self.at) else {
            return self.bad_escape(start, "the file ends in the middle of an escape");
        };
        self.at += c.len_utf8();
        Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'v' => '\u{b}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'e' => '\u{1b}',
            's' => ' ',
            'd' => '\u{7f}',
            '0'..='7' => self.octal(c),
            'x' => return self.hexadecimal(start),
            '^' => {
                let c = self.char_at(self.at)?;
                self.at += c.len_utf8();
                match c {
                    '@'..='_' | 'a'..='z' => ((c as u8) & 31) as char,
                    '?' => '\u{7f}',
                    _ => return self.bad_escape(start, "`\\^` needs a letter or one of `@[\\]^_`"),
                }
            }
            other => other,
        })
    }

    fn octal(&mut self, first: char) -> char {
        let mut value = first as u32 - '0' as u32;
        for _ in 0..2 {
            let Some(digit @ b'0'..=b'7') = self.bytes.get(self.at) else { break };
            value = value * 8 + u32::from(digit - b'0');
            self.at += 1;
        }
        char::from_u32(value).expect("three octal digits are below the surrogates")
    }

    fn hexadecimal(&mut self, start: usize) -> Option<char> {
        let braced = self.bytes.get(self.at) == Some(&b'{');
        self.at += usize::from(braced);
        let digits_at = self.at;
        let limit = if braced { 8 } else { 2 };
        while self.at - digits_at < limit
            && self.bytes.get(self.at).is_some_and(u8::is_ascii_hexdigit)
        {
            self.at += 1;
        }
        let digits = &self.text[digits_at..self.at];
        let closed =
            if braced { self.bytes.get(self.at) == Some(&b'}') } else { digits.len() == 2 };
        if digits.is_empty() || !closed {
            if braced {
                let rest = &self.bytes[self.at..];
                let close = rest.iter().take(12).position(|byte| *byte == b'}');
                self.at += close.map_or(0, |close| close + 1);
            }
            return self.bad_escape(start, "`\\x` needs two hexadecimal digits or `{digits}`");
        }
        let value = u32::from_str_radix(digits, 16).ok();
        self.at += usize::from(braced);
        match value.and_then(char::from_u32) {
            Some(c) => Some(c),
            None => self.bad_escape(start, "no Unicode character has this number"),
        }
    }

    fn bad_escape(&mut self, start: usize, problem: &str) -> Option<char> {
        self.error(Diagnostic::error(codes::BAD_ESCAPE, self.span(start), problem));
        None
    }
}

fn sigil_closer(opener: char) -> Option<char> {
    Some(match opener {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        '/' | '|' | '\'' | '"' | '`' | '#' => opener,
        _ => return None,
    })
}
