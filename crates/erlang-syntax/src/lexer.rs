//! Text to tokens, for Erlang/OTP 25 to 27.
//! Why our own: messages need exact spans inside literals, an unclosed quote must not swallow the file, integers
//! are unbounded, and a full stop differs from a dot (see `docs/decisions/0101-erlang-lexer.md`).
//! An unclosed quote is found in two passes: if something is wrong, the text is lexed again in a mode where a literal
//! may not run over a line that looks like the start of a form; that finds the guilty quote rather than the last one.
//! Not here: macros (`preprocess`), `maybe` as a keyword (there too).

mod literals;
mod numbers;
mod triple;

use crate::codes;
use crate::name::Names;
use crate::source::{FileId, Span};
use crate::token::{Keyword, Sym, Tok, Token};
use foresee_text::Diagnostic;

/// Lexes a whole file. Literals that make no sense become `Tok::Poison` after being reported.
pub(crate) fn lex(
    text: &str,
    file: FileId,
    otp: u32,
    names: &mut Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let mut lexer = Lexer::new(text, file, otp, names, false);
    lexer.run();
    let Lexer { mut tokens, diagnostics: mut found, unterminated, .. } = lexer;
    if !found.is_empty() {
        // A quote too many shifts the inside and the outside of all later strings.
        let mut cautious = Lexer::new(text, file, otp, names, true);
        cautious.run();
        if unterminated || cautious.diagnostics.len() < found.len() {
            (tokens, found) = (cautious.tokens, cautious.diagnostics);
        }
    }
    diagnostics.append(&mut found);
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    file: FileId,
    otp: u32,
    names: &'a mut Names,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    /// Second pass: literals end before lines that look like forms.
    cautious: bool,
    unterminated: bool,
}

impl<'a> Lexer<'a> {
    fn new(
        text: &'a str,
        file: FileId,
        otp: u32,
        names: &'a mut Names,
        cautious: bool,
    ) -> Lexer<'a> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            file,
            otp,
            names,
            tokens: Vec::with_capacity(text.len() / 4),
            diagnostics: Vec::new(),
            cautious,
            unterminated: false,
        }
    }

    fn run(&mut self) {
        if self.text.starts_with("#!") {
            self.skip_line();
        }
        loop {
            let before = self.at;
            self.skip_blank();
            if self.at >= self.bytes.len() {
                return;
            }
            let start = self.at;
            let line_start = start == 0 || self.bytes[start - 1] == b'\n';
            if let Some(kind) = self.token() {
                let span = self.span(start);
                let spaced = start > before;
                let first_on_line = before == 0 || self.bytes[before..start].contains(&b'\n');
                self.tokens.push(Token {
                    kind,
                    span,
                    expansion: 0,
                    line_start,
                    first_on_line,
                    spaced,
                });
            }
        }
    }

    fn token(&mut self) -> Option<Tok> {
        let start = self.at;
        let first = self.char_at(start)?;
        match first {
            'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ' => Some(self.atom_or_keyword()),
            'A'..='Z' | '_' | 'À'..='Ö' | 'Ø'..='Þ' => {
                self.skip_name();
                Some(Tok::Var(self.names.intern(&self.text[start..self.at])))
            }
            '0'..='9' => Some(self.number()),
            '"' => Some(self.string()),
            '\'' => Some(self.quoted_atom()),
            '$' => Some(self.character()),
            '~' => Some(self.sigil()),
            '.' if self.ends_form(start + 1) => {
                self.at += 1;
                Some(Tok::Dot)
            }
            _ => self.symbol(first),
        }
    }

    fn atom_or_keyword(&mut self) -> Tok {
        let start = self.at;
        self.skip_name();
        let text = &self.text[start..self.at];
        match Keyword::from_text(text) {
            Some(keyword) => Tok::Keyword(keyword),
            None => Tok::Atom(self.names.intern(text)),
        }
    }

    fn symbol(&mut self, first: char) -> Option<Tok> {
        if let Some(sym) = Sym::at_start(&self.bytes[self.at..]) {
            self.at += sym.text().len();
            return Some(Tok::Sym(sym));
        }
        let start = self.at;
        self.at += first.len_utf8();
        let problem = format!("`{first}` starts no Erlang token");
        let help = match first {
            '&' => Some("logical and is `andalso`, bitwise and is `band`".to_string()),
            '^' => Some("bitwise exclusive or is `bxor`; powers are `math:pow/2`".to_string()),
            '“' | '”' => Some("strings are written in straight quotes: `\"`".to_string()),
            '‘' | '’' | '`' => {
                Some("quoted atoms are written in straight quotes: `'`".to_string())
            }
            c if c.is_lowercase() => Some(format!("write the atom in quotes: `'{first}…'`")),
            _ => None,
        };
        self.error(
            Diagnostic::error(codes::BAD_CHARACTER, self.span(start), problem).help_if(help),
        );
        None
    }

    /// A full stop ends a form when white space, a comment or the end of the file follows.
    fn ends_form(&self, at: usize) -> bool {
        match self.char_at(at) {
            None => true,
            Some(c) => is_blank(c) || c == '%',
        }
    }

    fn skip_blank(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'%' => self.skip_line(),
                0..=b' ' => self.at += 1,
                0xC2 if self.char_at(self.at).is_some_and(is_blank) => self.at += 2,
                0xEF if self.text[self.at..].starts_with('\u{feff}') => self.at += 3,
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    fn skip_name(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'@' => self.at += 1,
                0xC3 if !matches!(self.char_at(self.at), Some('×' | '÷') | None) => self.at += 2,
                _ => return,
            }
        }
    }

    fn char_at(&self, at: usize) -> Option<char> {
        match self.bytes.get(at) {
            Some(&byte) if byte < 0x80 => Some(byte as char),
            Some(_) => self.text[at..].chars().next(),
            None => None,
        }
    }

    fn span(&self, start: usize) -> Span {
        Span::in_file(self.file, start, self.at)
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// Erlang's white space: control characters, space, and the Latin-1 controls up to no-break space.
fn is_blank(c: char) -> bool {
    c <= ' ' || ('\u{80}'..='\u{a0}').contains(&c)
}

#[cfg(test)]
mod tests;
