//! Integers in any base and floats, with underscores between digits.

use super::Lexer;
use crate::codes;
use crate::name::Integer;
use crate::token::Tok;
use foresee_text::Diagnostic;

impl Lexer<'_> {
    pub(super) fn number(&mut self) -> Tok {
        let start = self.at;
        let whole = self.digits(|byte| byte.is_ascii_digit());
        match self.bytes.get(self.at) {
            Some(b'#') if self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphanumeric) => {
                self.based(start, &whole)
            }
            Some(b'.') if self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit) => {
                self.float(start, whole)
            }
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'@') => {
                self.skip_name();
                let problem =
                    format!("`{}` is neither a number nor a name", &self.text[start..self.at]);
                let help = "names start with a letter; a separator may be missing after the digits";
                self.error(
                    Diagnostic::error(codes::BAD_NUMBER, self.span(start), problem).help(help),
                );
                Tok::Poison
            }
            _ => Integer::parse(&whole, 10).map_or(Tok::Poison, Tok::Integer),
        }
    }

    fn based(&mut self, start: usize, base: &str) -> Tok {
        self.at += 1;
        let base: u32 = base.parse().unwrap_or(0);
        let digits = self.digits(|byte| byte.is_ascii_alphanumeric());
        if !(2..=36).contains(&base) {
            let problem = format!("{base} is not a base; bases go from 2 to 36");
            return self.report_number(start, problem);
        }
        match Integer::parse(&digits, base) {
            Some(value) => Tok::Integer(value),
            None => {
                let bad = digits.chars().find(|c| !c.is_digit(base)).unwrap_or('_');
                self.report_number(start, format!("`{bad}` is no digit in base {base}"))
            }
        }
    }

    fn float(&mut self, start: usize, mut text: String) -> Tok {
        self.at += 1;
        text.push('.');
        text += &self.digits(|byte| byte.is_ascii_digit());
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            let signed = matches!(self.bytes.get(self.at + 1), Some(b'+' | b'-'));
            let digits_at = self.at + 1 + usize::from(signed);
            if !self.bytes.get(digits_at).is_some_and(u8::is_ascii_digit) {
                self.at = digits_at;
                return self.report_number(start, "the exponent has no digits".to_string());
            }
            text += &self.text[self.at..digits_at];
            self.at = digits_at;
            text += &self.digits(|byte| byte.is_ascii_digit());
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Tok::Float(value),
            _ => self.report_number(start, "this float does not fit in 64 bits".to_string()),
        }
    }

    /// Digits without their underscores; an underscore counts only between two digits.
    fn digits(&mut self, accept: impl Fn(&u8) -> bool) -> String {
        let mut digits = String::new();
        while let Some(byte) = self.bytes.get(self.at) {
            if accept(byte) {
                digits.push(*byte as char);
                self.at += 1;
            } else if *byte == b'_'
                && !digits.is_empty()
                && self.bytes.get(self.at + 1).is_some_and(&accept)
            {
                self.at += 1;
            } else {
                break;
            }
        }
        digits
    }

    fn report_number(&mut self, start: usize, problem: String) -> Tok {
        let diagnostic = Diagnostic::error(codes::BAD_NUMBER, self.span(start), problem);
        self.error(diagnostic);
        Tok::Poison
    }
}
