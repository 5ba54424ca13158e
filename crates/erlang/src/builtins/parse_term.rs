//! Terms from tokens, and from and to the abstract forms of literals: `erl_parse`, as far as terms go.
//! Errors have the shapes of OTP's, because configuration readers show them. Expressions as data (`parse_exprs`,
//! `erl_eval`) would be a second evaluator.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::binary::Builder;
use crate::term::{Fun, Map, Term, number, print};
use num_bigint::BigInt;

pub(super) const TABLE: &[Builtin] = &[
    pure("erl_parse", "parse_term", 1, parse_term),
    pure("erl_parse", "normalise", 1, normalise),
    pure("erl_parse", "abstract", 1, abstraction),
    pure("erl_parse", "abstract", 2, abstraction),
    pure("erl_parse", "format_error", 1, parse_error),
];

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
