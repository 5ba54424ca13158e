//! `io_lib:fread`: reading values out of characters as a format says.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Term, number};

pub(super) const TABLE: &[Builtin] = &[pure("io_lib", "fread", 2, fread)];

/// Reads values out of characters, as a format says.
struct Reader {
    input: Vec<char>,
    at: usize,
    values: Vec<Term>,
}

enum Stop {
    /// The input ends before the format does.
    More,
    /// `{error, {fread, What}}`
    Wrong(&'static str),
    /// A directive that is not read here.
    Unknown(char),
}

fn fread(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let format: Vec<char> = arg(args[0].to_text())?.chars().collect();
    let input: Vec<char> = arg(args[1].to_text())?.chars().collect();
    let mut reader = Reader { input, at: 0, values: Vec::new() };
    let mut at = 0;
    loop {
        let before = at;
        match reader.step(&format, &mut at) {
            Ok(true) => {}
            Ok(false) => {
                let left: String = reader.input[reader.at..].iter().collect();
                let values = Term::list(reader.values);
                return Ok(Term::tuple([a!("ok"), values, Term::string(&left)]));
            }
            Err(Stop::More) => {
                let left: String = format[before..].iter().collect();
                let count = Term::from(reader.at);
                let values = Term::list(reader.values.into_iter().rev().collect::<Vec<_>>());
                return Ok(Term::tuple([a!("more"), Term::string(&left), count, values]));
            }
            Err(Stop::Wrong(what)) => {
                let reason = Term::tuple([a!("fread"), Term::atom(what)]);
                return Ok(Term::tuple([a!("error"), reason]));
            }
            Err(Stop::Unknown(c)) => {
                return Err(Raise::unmodelled(format!("io_lib:fread with ~{c}")));
            }
        }
    }
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.input.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// One item of the format; `false` at its end.
    fn step(&mut self, format: &[char], at: &mut usize) -> Result<bool, Stop> {
        let Some(&c) = format.get(*at) else { return Ok(false) };
        *at += 1;
        if c.is_whitespace() {
            self.skip_space();
            return Ok(true);
        }
        if c != '~' {
            return self.expect(c).map(|()| true);
        }
        let skip = format.get(*at) == Some(&'*');
        *at += usize::from(skip);
        let mut width: Option<usize> = None;
        while let Some(digit) = format.get(*at).and_then(|c| c.to_digit(10)) {
            width = Some(width.unwrap_or(0) * 10 + digit as usize);
            *at += 1;
        }
        if format.get(*at) == Some(&'t') {
            *at += 1;
        }
        let Some(&directive) = format.get(*at) else { return Err(Stop::Wrong("format")) };
        *at += 1;
        let value = self.directive(directive, width)?;
        if let Some(value) = value
            && !skip
        {
            self.values.push(value);
        }
        Ok(true)
    }

    fn expect(&mut self, c: char) -> Result<(), Stop> {
        match self.peek() {
            None => Err(Stop::More),
            Some(own) if own == c => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Stop::Wrong("input")),
        }
    }

    fn directive(&mut self, directive: char, width: Option<usize>) -> Result<Option<Term>, Stop> {
        match directive {
            'd' => self.integer(width, 10).map(Some),
            'u' => self.integer(None, width.unwrap_or(10) as u32).map(Some),
            'f' => self.float().map(Some),
            'a' => Ok(Some(Term::atom(&self.word(width, "atom")?))),
            's' => Ok(Some(Term::string(&self.word(width, "string")?))),
            'c' => {
                let end = self.at + width.unwrap_or(1);
                if end > self.input.len() {
                    return Err(Stop::More);
                }
                let text: String = self.input[self.at..end].iter().collect();
                self.at = end;
                Ok(Some(Term::string(&text)))
            }
            '-' => match self.peek() {
                Some(sign @ ('-' | '+')) => {
                    self.at += 1;
                    Ok(Some(Term::Int(if sign == '-' { -1 } else { 1 })))
                }
                _ => Ok(Some(Term::Int(1))),
            },
            'l' => Ok(Some(Term::from(self.at))),
            '~' => self.expect('~').map(|()| None),
            other => Err(Stop::Unknown(other)),
        }
    }

    /// The characters up to white space, at most so many.
    fn word(&mut self, width: Option<usize>, what: &'static str) -> Result<String, Stop> {
        self.skip_space();
        let mut word = String::new();
        while let Some(c) = self.peek().filter(|c| !c.is_whitespace()) {
            // What the format goes on with ends an atom or string only by its width.
            if width.is_some_and(|width| word.chars().count() >= width) {
                break;
            }
            word.push(c);
            self.at += 1;
        }
        match word.is_empty() {
            true if self.peek().is_none() => Err(Stop::More),
            true => Err(Stop::Wrong(what)),
            false => Ok(word),
        }
    }

    fn integer(&mut self, width: Option<usize>, base: u32) -> Result<Term, Stop> {
        self.skip_space();
        let mut text = String::new();
        if let Some(sign) = self.peek().filter(|c| matches!(c, '-' | '+')) {
            text.push(sign);
            self.at += 1;
        }
        let room = |text: &String| width.is_none_or(|width| text.chars().count() < width);
        while let Some(digit) = self.peek().filter(|c| c.is_digit(base))
            && room(&text)
        {
            text.push(digit);
            self.at += 1;
        }
        match number::parse_integer(&text, base) {
            Some(value) => Ok(value),
            None if self.peek().is_none() => Err(Stop::More),
            None => Err(Stop::Wrong("integer")),
        }
    }

    fn float(&mut self) -> Result<Term, Stop> {
        self.skip_space();
        let start = self.at;
        let rest: String = self.input[start..].iter().collect();
        let allowed = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
        let end = rest.find(|c: char| !allowed(c)).unwrap_or(rest.len());
        // The longest start that is a float.
        for len in (1..=end).rev() {
            if let Some(value) = number::parse_float(&rest[..len]) {
                self.at += len;
                return Ok(Term::Float(value));
            }
        }
        if rest.is_empty() { Err(Stop::More) } else { Err(Stop::Wrong("float")) }
    }
}
