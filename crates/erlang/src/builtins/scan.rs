//! Erlang text as tokens: `erl_scan:string`. Tokens and errors have the shapes of OTP's.
//! Places are lines, or `{Line, Column}` when the first place given is such a pair.

use super::{Builtin, Outcome, pure};
use crate::machine::{Local, Raise};
use crate::term::{Term, number};

pub(super) const TABLE: &[Builtin] = &[
    pure("erl_scan", "string", 1, string),
    pure("erl_scan", "string", 2, string),
    pure("erl_scan", "string", 3, string),
    pure("erl_scan", "reserved_word", 1, reserved_word),
    pure("erl_scan", "format_error", 1, scan_error),
];

const RESERVED: [&str; 27] = [
    "after", "begin", "case", "try", "cond", "catch", "andalso", "orelse", "end", "fun", "if",
    "let", "of", "receive", "when", "bnot", "not", "div", "rem", "band", "and", "bor", "bxor",
    "bsl", "bsr", "or", "xor",
];

fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Symbols, longer ones first.
const SYMBOLS: [&str; 47] = [
    "=:=", "=/=", "<<", ">>", "->", "<-", "<=", "=>", ":=", "::", "...", "..", "==", "/=", "=<",
    ">=", "++", "--", "||", "(", ")", "{", "}", "[", "]", ",", ";", ":", "|", "#", "?", "!", "=",
    "<", ">", "+", "-", "*", "/", ".", "@", "&", "~", "`", "^", "%", "\\",
];

#[derive(Clone, Copy)]
struct Place {
    line: i64,
    /// 0 if columns are not wanted.
    column: i64,
}

impl Place {
    fn term(self) -> Term {
        if self.column == 0 {
            return Term::Int(self.line);
        }
        Term::tuple([Term::Int(self.line), Term::Int(self.column)])
    }
}

struct Scanner {
    text: Vec<char>,
    at: usize,
    place: Place,
    tokens: Vec<Term>,
}

/// The reason, and where the token starts that is wrong.
type Wrong = (Term, Place);

fn string(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let place = match args.get(1) {
        None => Place { line: 1, column: 0 },
        Some(Term::Int(line)) => Place { line: *line, column: 0 },
        Some(pair) => match pair.as_tuple() {
            Some([Term::Int(line), Term::Int(column)]) => Place { line: *line, column: *column },
            _ => return Err(Raise::badarg()),
        },
    };
    if args.get(2).is_some_and(|options| !matches!(options, Term::Nil)) {
        return Err(Raise::unmodelled("erl_scan:string with options".to_owned()));
    }
    let text = args[0].to_text().ok_or_else(|| Raise::error(a!("function_clause")))?;
    let mut scanner = Scanner { text: text.chars().collect(), at: 0, place, tokens: Vec::new() };
    Ok(match scanner.all() {
        Ok(()) => Term::tuple([a!("ok"), Term::list(scanner.tokens), scanner.place.term()]),
        Err((reason, place)) => {
            let info = Term::tuple([place.term(), a!("erl_scan"), reason]);
            Term::tuple([a!("error"), info, scanner.place.term()])
        }
    })
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        if c == '\n' {
            self.place.line += 1;
            self.place.column = self.place.column.min(1);
        } else if self.place.column > 0 {
            self.place.column += 1;
        }
        Some(c)
    }

    fn all(&mut self) -> Result<(), Wrong> {
        while let Some(c) = self.peek(0) {
            let start = self.place;
            match c {
                '\0'..=' ' | '\u{80}'..='\u{A0}' => {
                    self.advance();
                }
                '%' => {
                    while self.peek(0).is_some_and(|c| c != '\n') {
                        self.advance();
                    }
                }
                'a'..='z' | '\u{DF}'..='\u{F6}' | '\u{F8}'..='\u{FF}' => self.word(start),
                'A'..='Z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{DE}' => {
                    let name = self.name();
                    self.token(start, "var", Term::atom(&name));
                }
                '0'..='9' => self.number(start)?,
                '"' => {
                    let text = self.quoted('"', start)?;
                    self.token(start, "string", Term::string(&text));
                }
                '\'' => {
                    let text = self.quoted('\'', start)?;
                    self.token(start, "atom", Term::atom(&text));
                }
                '$' => self.character(start)?,
                _ => self.symbol(start)?,
            }
        }
        Ok(())
    }

    fn token(&mut self, place: Place, kind: &str, value: Term) {
        self.tokens.push(Term::tuple([Term::atom(kind), place.term(), value]));
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.peek(0) {
            let letter = c.is_ascii_alphanumeric() || matches!(c, '_' | '@');
            let accented = ('\u{C0}'..='\u{FF}').contains(&c) && !matches!(c, '×' | '÷');
            if !(letter || accented) {
                break;
            }
            name.push(c);
            self.advance();
        }
        name
    }

    fn word(&mut self, start: Place) {
        let name = self.name();
        if is_reserved(&name) {
            self.tokens.push(Term::tuple([Term::atom(&name), start.term()]));
        } else {
            self.token(start, "atom", Term::atom(&name));
        }
    }

    fn digits(&mut self, base: u32) -> String {
        let mut digits = String::new();
        while let Some(c) = self.peek(0) {
            let separator = c == '_' && self.peek(1).is_some_and(|c| c.is_digit(base));
            let goes_on = c.is_digit(base) || separator && !digits.is_empty();
            if !goes_on {
                break;
            }
            if c != '_' {
                digits.push(c);
            }
            self.advance();
        }
        digits
    }

    fn number(&mut self, start: Place) -> Result<(), Wrong> {
        let whole = self.digits(10);
        if self.peek(0) == Some('#') {
            let base = whole.parse::<u32>().ok().filter(|base| (2..=36).contains(base));
            let base = base.ok_or((illegal("base"), start))?;
            self.advance();
            let digits = self.digits(base);
            let value = number::parse_integer(&digits, base).ok_or((illegal("integer"), start))?;
            self.token(start, "integer", value);
            return Ok(());
        }
        if self.peek(0) != Some('.') || !self.peek(1).is_some_and(|c| c.is_ascii_digit()) {
            let value = number::parse_integer(&whole, 10).ok_or((illegal("integer"), start))?;
            self.token(start, "integer", value);
            return Ok(());
        }
        self.advance();
        let mut text = format!("{whole}.{}", self.digits(10));
        if matches!(self.peek(0), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.peek(1), Some('+' | '-')));
            if self.peek(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
                for _ in 0..=sign {
                    text.extend(self.advance());
                }
                text.push_str(&self.digits(10));
            }
        }
        let value = number::parse_float(&text).ok_or((illegal("float"), start))?;
        self.token(start, "float", Term::Float(value));
        Ok(())
    }

    fn quoted(&mut self, quote: char, start: Place) -> Result<String, Wrong> {
        self.advance();
        let mut text = String::new();
        loop {
            match self.peek(0) {
                None => {
                    let shown: String = text.chars().take(16).collect();
                    let parts = [
                        a!("string"),
                        Term::Int(i64::from(u32::from(quote))),
                        Term::string(&shown),
                    ];
                    return Err((Term::tuple(parts), start));
                }
                Some(c) if c == quote => {
                    self.advance();
                    return Ok(text);
                }
                Some('\\') => text.push(self.escape().ok_or((illegal("character"), start))?),
                Some(c) => {
                    text.push(c);
                    self.advance();
                }
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        self.advance();
        let c = self.advance()?;
        Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            's' => ' ',
            'b' => '\u{8}',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'e' => '\u{1b}',
            'd' => '\u{7f}',
            '0'..='7' => {
                let mut code = c.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = self.peek(0).and_then(|c| c.to_digit(8)) else { break };
                    code = code * 8 + digit;
                    self.advance();
                }
                char::from_u32(code)?
            }
            'x' if self.peek(0) == Some('{') => {
                self.advance();
                let mut code = 0u32;
                while let Some(digit) = self.peek(0).and_then(|c| c.to_digit(16)) {
                    code = code.checked_mul(16)?.checked_add(digit)?;
                    self.advance();
                }
                (self.advance() == Some('}')).then_some(())?;
                char::from_u32(code)?
            }
            'x' => {
                let high = self.advance()?.to_digit(16)?;
                char::from_u32(high * 16 + self.advance()?.to_digit(16)?)?
            }
            '^' => char::from_u32(u32::from(self.advance()?) & 31)?,
            c => c,
        })
    }

    fn character(&mut self, start: Place) -> Result<(), Wrong> {
        self.advance();
        let c = match self.peek(0) {
            Some('\\') if self.peek(1).is_some() => self.escape(),
            Some('\\') | None => None,
            Some(_) => self.advance(),
        };
        let c = c.ok_or((a!("char"), start))?;
        self.token(start, "char", Term::Int(i64::from(u32::from(c))));
        Ok(())
    }

    fn symbol(&mut self, start: Place) -> Result<(), Wrong> {
        let dot = self.peek(0) == Some('.');
        if dot && self.peek(1).is_none_or(|c| c.is_whitespace() || c == '%') {
            self.advance();
            // The dot takes one space or line end with it.
            if self.peek(0).is_some_and(|c| c != '%') {
                self.advance();
            }
            self.tokens.push(Term::tuple([a!("dot"), start.term()]));
            return Ok(());
        }
        let found = SYMBOLS
            .iter()
            .find(|symbol| symbol.chars().enumerate().all(|(i, c)| self.peek(i) == Some(c)));
        let symbol = found.ok_or((illegal("character"), start))?;
        symbol.chars().for_each(|_| {
            self.advance();
        });
        self.tokens.push(Term::tuple([Term::atom(symbol), start.term()]));
        Ok(())
    }
}

fn illegal(what: &str) -> Term {
    Term::tuple([a!("illegal"), Term::atom(what)])
}

fn reserved_word(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::bool(args[0].as_atom().is_some_and(|atom| is_reserved(atom.text()))))
}

fn scan_error(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let text = match (&args[0], args[0].as_tuple()) {
        (_, Some([kind, Term::Int(34), text])) if kind.is_atom(atom!("string")) => {
            format!("unterminated string starting with {text}")
        }
        (_, Some([kind, Term::Int(_), text])) if kind.is_atom(atom!("string")) => {
            format!("unterminated atom starting with {text}")
        }
        (_, Some([kind, what])) if kind.is_atom(atom!("illegal")) => format!("illegal {what}"),
        (Term::Atom(atom), _) if atom.text() == "char" => "unterminated character".to_owned(),
        (other, _) => format!("{other}"),
    };
    Ok(Term::string(&text))
}
