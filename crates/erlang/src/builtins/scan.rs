//! Erlang text as data: `erl_scan:string` and `erl_parse:parse_term`.
//! Tokens and errors have the shapes of OTP's, because configuration readers look at them. Only terms are parsed;
//! expressions as data (`parse_exprs`, `erl_eval`) would be a second evaluator.
//! Places are lines, or `{Line, Column}` when the first place given is such a pair.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::binary::Builder;
use crate::term::{Fun, Map, Term, number, print};
use num_bigint::BigInt;

pub(super) const TABLE: &[Builtin] = &[
    pure("erl_scan", "string", 1, string),
    pure("erl_scan", "string", 2, string),
    pure("erl_scan", "string", 3, string),
    pure("erl_scan", "reserved_word", 1, reserved_word),
    pure("erl_scan", "format_error", 1, scan_error),
    pure("erl_parse", "parse_term", 1, parse_term),
    pure("erl_parse", "normalise", 1, normalise),
    pure("erl_parse", "abstract", 1, abstraction),
    pure("erl_parse", "abstract", 2, abstraction),
    pure("erl_parse", "format_error", 1, parse_error),
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
        return Err(Raise::Unmodelled("erl_scan:string with options".to_owned()));
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

/// Reads a term from tokens.
struct Parser {
    tokens: Vec<Term>,
    at: usize,
}

/// What a token is: its kind and, if it has one, its value.
fn token(term: &Term) -> Option<(&'static str, Option<&Term>)> {
    match term.as_tuple()? {
        [Term::Atom(kind), _] => Some((kind.text(), None)),
        [Term::Atom(kind), _, value] => Some((kind.text(), Some(value))),
        _ => None,
    }
}

impl Parser {
    fn peek(&self) -> Option<(&'static str, Option<&Term>)> {
        self.tokens.get(self.at).and_then(token)
    }

    fn eat(&mut self, kind: &str) -> Option<()> {
        (self.peek()?.0 == kind).then(|| self.at += 1)
    }

    fn term(&mut self) -> Option<Term> {
        let (kind, value) = self.peek()?;
        let value = value.cloned();
        match kind {
            "atom" | "integer" | "float" | "char" => {
                self.at += 1;
                value
            }
            "string" => self.text(),
            "-" | "+" => {
                self.at += 1;
                let (inner, value) = self.peek()?;
                let value =
                    value.filter(|_| matches!(inner, "integer" | "float" | "char")).cloned();
                let value = value?;
                self.at += 1;
                if kind == "-" { number::negate(&value) } else { Some(value) }
            }
            "{" => {
                self.at += 1;
                Some(Term::tuple(self.sequence("}")?))
            }
            "[" => self.list(),
            "#" => self.map(),
            "<<" => self.binary(),
            "fun" => self.fun(),
            _ => None,
        }
    }

    /// Strings that follow each other are one.
    fn text(&mut self) -> Option<Term> {
        let mut all = String::new();
        while let Some(("string", Some(text))) = self.peek() {
            all.push_str(&text.to_text()?);
            self.at += 1;
        }
        Some(Term::string(&all))
    }

    fn sequence(&mut self, end: &str) -> Option<Vec<Term>> {
        let mut items = Vec::new();
        if self.eat(end).is_some() {
            return Some(items);
        }
        loop {
            items.push(self.term()?);
            if self.eat(end).is_some() {
                return Some(items);
            }
            self.eat(",")?;
        }
    }

    fn list(&mut self) -> Option<Term> {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat("]").is_some() {
            return Some(Term::Nil);
        }
        loop {
            items.push(self.term()?);
            if self.eat("]").is_some() {
                return Some(Term::list(items));
            }
            if self.eat("|").is_some() {
                let tail = self.term()?;
                self.eat("]")?;
                return Some(Term::list_with_tail(items, tail));
            }
            self.eat(",")?;
        }
    }

    fn map(&mut self) -> Option<Term> {
        self.at += 1;
        self.eat("{")?;
        let mut map = Map::new();
        if self.eat("}").is_some() {
            return Some(Term::map(map));
        }
        loop {
            let key = self.term()?;
            self.eat("=>")?;
            map.insert(key, self.term()?);
            if self.eat("}").is_some() {
                return Some(Term::map(map));
            }
            self.eat(",")?;
        }
    }

    fn fun(&mut self) -> Option<Term> {
        self.at += 1;
        let module = self.term()?.as_atom()?;
        self.eat(":")?;
        let name = self.term()?.as_atom()?;
        self.eat("/")?;
        let arity = self.term()?.as_usize()?;
        Some(Term::fun(Fun::external(module, name, arity as u32)))
    }

    fn binary(&mut self) -> Option<Term> {
        self.at += 1;
        let mut builder = Builder::default();
        if self.eat(">>").is_some() {
            return Some(Term::bits(builder.finish()));
        }
        loop {
            self.segment(&mut builder)?;
            if self.eat(">>").is_some() {
                return Some(Term::bits(builder.finish()));
            }
            self.eat(",")?;
        }
    }

    fn segment(&mut self, builder: &mut Builder) -> Option<()> {
        let value = self.term()?;
        let size = if self.eat(":").is_some() { Some(self.term()?.as_usize()?) } else { None };
        let (mut kind, mut little, mut unit) = ("integer", false, None);
        if self.eat("/").is_some() {
            loop {
                match self.term()?.as_atom()?.text() {
                    "little" | "native" => little = true,
                    "big" | "signed" | "unsigned" => {}
                    "unit" => {
                        self.eat(":")?;
                        unit = Some(self.term()?.as_usize()?);
                    }
                    name @ ("integer" | "float" | "utf8" | "binary" | "bytes") => kind = name,
                    _ => return None,
                }
                if self.eat("-").is_none() {
                    break;
                }
            }
        }
        let items = match &value {
            Term::Cons(_) => value.to_vec()?,
            Term::Nil => Vec::new(),
            _ => vec![value.clone()],
        };
        for item in items {
            match (kind, &item) {
                ("utf8", Term::Int(code)) => {
                    let c = char::from_u32(u32::try_from(*code).ok()?)?;
                    builder.push_bytes(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                ("integer", _) => {
                    let size = size.unwrap_or(8) * unit.unwrap_or(1);
                    builder.push_integer(&number::to_big(&item)?, size, little);
                }
                ("float", _) => {
                    let bits = number::to_float(&item)?.to_bits();
                    (size.unwrap_or(64) == 64).then_some(())?;
                    builder.push_integer(&BigInt::from(bits), 64, little);
                }
                (_, Term::Bits(bits)) if size.is_none() => builder.push(bits),
                _ => return None,
            }
        }
        Some(())
    }
}

/// The source of a token, near enough to be read again.
fn source(term: &Term) -> String {
    match token(term) {
        Some(("dot", _)) => ".".to_owned(),
        Some(("var", Some(Term::Atom(name)))) => name.text().to_owned(),
        Some(("char", Some(Term::Int(code)))) => format!("{code}"),
        Some((_, Some(value))) => print::readable(value),
        Some((kind, None)) => kind.to_owned(),
        None => String::new(),
    }
}

/// How an error names a token.
fn named(term: &Term) -> String {
    match token(term) {
        Some(("dot", _)) => "'.'".to_owned(),
        Some(("var", Some(Term::Atom(name)))) => name.text().to_owned(),
        Some((_, Some(value))) => print::readable(value),
        Some((kind, None)) if kind.chars().all(|c| c.is_ascii_lowercase()) => format!("'{kind}'"),
        Some((kind, None)) => print::readable(&Term::atom(kind)),
        None => String::new(),
    }
}

fn parse_term(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let tokens = arg(args[0].to_vec())?;
    let mut parser = Parser { tokens, at: 0 };
    let term = parser.term();
    let end = parser.peek().is_some_and(|(kind, _)| kind == "dot");
    if let Some(term) = term
        && end
        && parser.at + 1 == parser.tokens.len()
    {
        return Ok(Term::tuple([a!("ok"), term]));
    }
    let failed = |place: Term, what: Term| {
        let info = Term::tuple([place, a!("erl_parse"), what]);
        Ok(Term::tuple([a!("error"), info]))
    };
    let place = |token: &Term| token.as_tuple().map_or(Term::Int(0), |token| token[1].clone());
    // An expression that is no term is told from text that is nothing at all.
    let text: Vec<String> = parser.tokens.iter().map(source).collect();
    let body = text.join(" ");
    let whole = body.ends_with('.');
    let expression = foresee_erlang_syntax::parse_exprs(body.trim_end_matches(['.', ' ']));
    if whole && expression.is_ok() {
        return failed(parser.tokens.first().map_or(Term::Int(0), place), Term::string("bad term"));
    }
    let before = |name: Term| Term::list([Term::string("syntax error before: "), name]);
    match parser.tokens.get(parser.at) {
        Some(token) => failed(place(token), before(Term::string(&named(token)))),
        None => failed(parser.tokens.last().map_or(Term::Int(0), place), before(Term::Nil)),
    }
}

/// The term that an abstract form of a literal stands for.
fn normalise(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    normal(&args[0]).ok_or_else(|| Raise::error(Term::tuple([a!("badarg"), args[0].clone()])))
}

fn normal(form: &Term) -> Option<Term> {
    let parts = form.as_tuple()?;
    let kind = parts.first()?.as_atom()?.text();
    match (kind, parts) {
        ("atom" | "integer" | "float" | "char" | "string", [_, _, value]) => Some(value.clone()),
        ("nil", _) => Some(Term::Nil),
        ("cons", [_, _, head, tail]) => Some(Term::cons(normal(head)?, normal(tail)?)),
        ("tuple", [_, _, items]) => {
            let items: Option<Vec<Term>> = items.to_vec()?.iter().map(normal).collect();
            Some(Term::tuple(items?))
        }
        ("map", [_, _, fields]) => {
            let mut map = Map::new();
            for field in fields.to_vec()? {
                match field.as_tuple()? {
                    [kind, _, key, value] if kind.is_atom(atom!("map_field_assoc")) => {
                        map.insert(normal(key)?, normal(value)?);
                    }
                    _ => return None,
                }
            }
            Some(Term::map(map))
        }
        ("op", [_, _, sign, inner]) if sign.is_atom(atom!("-")) => number::negate(&normal(inner)?),
        ("op", [_, _, sign, inner]) if sign.is_atom(atom!("+")) => normal(inner),
        _ => None,
    }
}

fn parse_error(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(args[0].clone())
}

/// The abstract form of a literal, all of it at one place.
fn abstraction(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let place = match args.get(1) {
        None => Term::Int(0),
        Some(line @ Term::Int(_)) => line.clone(),
        Some(options) => {
            let options = arg(options.to_vec())?;
            let place = options.iter().find_map(|option| match option.as_tuple() {
                Some([Term::Atom(key), place]) if matches!(key.text(), "line" | "location") => {
                    Some(place.clone())
                }
                _ => None,
            });
            place.unwrap_or(Term::Int(0))
        }
    };
    form(&args[0], &place).ok_or_else(|| Raise::error(a!("function_clause")))
}

fn form(term: &Term, place: &Term) -> Option<Term> {
    let node = |kind: &str, rest: Vec<Term>| {
        Term::tuple([Term::atom(kind), place.clone()].into_iter().chain(rest))
    };
    Some(match term {
        Term::Int(_) | Term::Big(_) => node("integer", vec![term.clone()]),
        Term::Float(_) => node("float", vec![term.clone()]),
        Term::Atom(_) => node("atom", vec![term.clone()]),
        Term::Nil => node("nil", vec![]),
        Term::Cons(_) if print::printable_string(term, true).is_some() => {
            node("string", vec![term.clone()])
        }
        Term::Cons(cell) => node("cons", vec![form(&cell.head, place)?, form(&cell.tail, place)?]),
        Term::Tuple(tuple) => {
            let items: Option<Vec<Term>> =
                tuple.items().iter().map(|item| form(item, place)).collect();
            node("tuple", vec![Term::list(items?)])
        }
        Term::Map(map) => {
            let field = |(key, value): &(Term, Term)| {
                Some(node("map_field_assoc", vec![form(key, place)?, form(value, place)?]))
            };
            let fields: Option<Vec<Term>> = map.entries().iter().map(field).collect();
            node("map", vec![Term::list(fields?)])
        }
        Term::Bits(bits) => {
            let default = a!("default");
            let element = |value: u8, size: Term| {
                let value = node("integer", vec![Term::Int(i64::from(value))]);
                node("bin_element", vec![value, size, default.clone()])
            };
            let (bytes, rest) = (bits.to_bytes(), bits.len() % 8);
            let whole = bytes[..bits.len() / 8].iter();
            let mut elements: Vec<Term> =
                whole.map(|byte| element(*byte, default.clone())).collect();
            if rest > 0 {
                let size = node("integer", vec![Term::from(rest)]);
                elements.push(element(bytes[bits.len() / 8] >> (8 - rest), size));
            }
            node("bin", vec![Term::list(elements)])
        }
        Term::Fun(fun) if matches!(fun.kind, crate::term::FunKind::External { .. }) => {
            let part = |term: Term| form(&term, place);
            let parts = [
                a!("function"),
                part(Term::Atom(fun.module()))?,
                part(Term::Atom(fun.name()))?,
                part(Term::Int(i64::from(fun.arity)))?,
            ];
            node("fun", vec![Term::tuple(parts)])
        }
        _ => return None,
    })
}
