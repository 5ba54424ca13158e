//! What follows a backslash.

use super::Error;
use super::bracket::Item;
use super::class::{self, Class};
use super::parse::Parser;
use super::tree::{Assertion, Node};

const NOT_THERE: &str =
    "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number";

impl Parser<'_> {
    /// An escape outside of a class, after its backslash.
    pub(super) fn escaped(&mut self) -> Result<Node, Error> {
        let start = self.at;
        let Some(c) = self.peek() else { return Err(self.wrong("\\ at end of pattern")) };
        if let Some(set) = self.set(c)? {
            return Ok(Node::Class(set));
        }
        let assertion = match c {
            'A' => Some(Assertion::Start),
            'z' => Some(Assertion::End),
            'Z' => Some(Assertion::EndOrNewline),
            'G' => Some(Assertion::First),
            'b' => Some(Assertion::Word(true, self.flags.properties)),
            'B' => Some(Assertion::Word(false, self.flags.properties)),
            _ => None,
        };
        if let Some(assertion) = assertion {
            self.at += 1;
            return Ok(Node::Assert(assertion));
        }
        match c {
            'K' => {
                self.at += 1;
                Ok(Node::Keep)
            }
            'R' => {
                self.at += 1;
                Ok(newline())
            }
            'N' => {
                self.at += 1;
                Ok(Node::Class(Class::one(0x0A).negated()))
            }
            'X' | 'C' => Err(Error::Unmodelled(format!("\\{c} in a regular expression"))),
            'g' => self.numbered_reference(),
            'k' => {
                self.at += 1;
                let end = if self.eat("<") {
                    '>'
                } else if self.eat("'") {
                    '\''
                } else if self.eat("{") {
                    '}'
                } else {
                    let what = "\\k is not followed by a braced, angle-bracketed, or quoted name";
                    return Err(self.wrong(what));
                };
                let (name, at) = (self.name(end)?, self.at);
                self.named_back(&name, at)
            }
            '1'..='9' => {
                let number = self.decimal();
                // One digit is a reference; more are octal unless there are so many groups.
                if number < 8 || number <= self.n_groups_all() {
                    let group = self.refer(number);
                    return Ok(Node::Back(group, self.flags.caseless));
                }
                self.at = start;
                let unit =
                    if matches!(c, '8' | '9') { self.nothing_octal() } else { self.octal(3)? };
                Ok(self.literal(unit))
            }
            _ => {
                let unit = self.character()?;
                Ok(self.literal(unit))
            }
        }
    }

    /// An escape inside of a class, after its backslash.
    pub(super) fn escaped_in_class(&mut self) -> Result<Item, Error> {
        let Some(c) = self.peek() else { return Err(self.wrong("\\ at end of pattern")) };
        if let Some(set) = self.set(c)? {
            return Ok(Item::Set(set));
        }
        match c {
            'b' => {
                self.at += 1;
                Ok(Item::Unit(8))
            }
            'N' => Err(self.wrong_at("\\N is not supported in a class", self.at + 1)),
            'B' | 'R' | 'X' => {
                let what = "escape sequence is invalid in character class";
                Err(self.wrong_at(what, self.at + 1))
            }
            '1'..='7' => self.octal(3).map(Item::Unit),
            _ => self.character().map(Item::Unit),
        }
    }

    /// The set that a letter stands for.
    fn set(&mut self, c: char) -> Result<Option<Class>, Error> {
        let properties = self.flags.properties;
        let class = match c.to_ascii_lowercase() {
            'd' => class::digit(properties),
            's' => class::space(properties),
            'w' => class::word(properties),
            'h' => class::horizontal(),
            'v' => class::vertical(),
            'p' => return self.property(c == 'P').map(Some),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(class.negated_if(c.is_ascii_uppercase())))
    }

    /// `\pL`, `\p{Lu}`, `\p{^Greek}`.
    fn property(&mut self, negated: bool) -> Result<Class, Error> {
        self.at += 1;
        let (mut name, mut negated) = (String::new(), negated);
        if self.eat("{") {
            if self.eat("^") {
                negated = !negated;
            }
            while let Some(c) = self.peek().filter(|c| *c != '}') {
                name.push(c);
                self.at += 1;
            }
            if !self.eat("}") {
                return Err(self.wrong("malformed \\P or \\p sequence"));
            }
        } else {
            name.extend(self.next().and_then(char::from_u32));
        }
        let known = name.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '&'));
        // Names of Unicode that PCRE does not have (`alphabetic`) start with a small letter or are long.
        let shape = name.starts_with(|c: char| c.is_ascii_uppercase());
        let class = if known && shape { class::property(&name) } else { None };
        match class {
            Some(class) => Ok(class.negated_if(negated)),
            None => Err(self.wrong_at("unknown property name after \\P or \\p", self.at - 1)),
        }
    }

    fn decimal(&mut self) -> usize {
        let mut number: usize = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(digit as usize);
            self.at += 1;
        }
        number
    }

    /// `\81` in a pattern with few groups is the two characters.
    fn nothing_octal(&mut self) -> u32 {
        self.next().unwrap_or(0)
    }

    fn octal(&mut self, n_digits: usize) -> Result<u32, Error> {
        let mut value = 0;
        for _ in 0..n_digits {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
            value = value * 8 + digit;
            self.at += 1;
        }
        if value > 0xFF && !self.flags.unicode {
            let what = "octal value is greater than \\377 in 8-bit non-UTF-8 mode";
            return Err(self.wrong_at(what, self.at - 1));
        }
        Ok(value)
    }

    /// A single character written with a backslash.
    fn character(&mut self) -> Result<u32, Error> {
        let Some(unit) = self.next() else { return Err(self.wrong("\\ at end of pattern")) };
        Ok(match char::from_u32(unit) {
            Some('a') => 7,
            Some('e') => 27,
            Some('f') => 12,
            Some('n') => 10,
            Some('r') => 13,
            Some('t') => 9,
            Some('0') => {
                self.at -= 1;
                self.octal(3)?
            }
            Some('o') => self.braced(8)?,
            Some('x') if self.peek() == Some('{') => self.braced(16)?,
            Some('x') => {
                let mut value = 0;
                for _ in 0..2 {
                    let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else { break };
                    value = value * 16 + digit;
                    self.at += 1;
                }
                value
            }
            Some('c') => {
                let Some(c) = self.peek() else { return Err(self.wrong("\\c at end of pattern")) };
                if !c.is_ascii() {
                    return Err(self.wrong("\\c must be followed by an ASCII character"));
                }
                self.at += 1;
                u32::from(c.to_ascii_uppercase()) ^ 0x40
            }
            Some('L' | 'l' | 'U' | 'u') => {
                let what = "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u";
                return Err(self.wrong(what));
            }
            _ => unit,
        })
    }

    /// `{1F600}`
    fn braced(&mut self, base: u32) -> Result<u32, Error> {
        let start = self.at;
        self.at += 1;
        let mut value: u32 = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(base)) {
            value = value.saturating_mul(base).saturating_add(digit);
            self.at += 1;
        }
        let highest = if self.flags.unicode { 0x10_FFFF } else { 0xFF };
        if value > highest {
            let what = "character value in \\x{} or \\o{} is too large";
            return Err(self.wrong_at(what, self.at));
        }
        if !self.eat("}") {
            if base == 16 {
                // Not closed: `\x` alone is a zero, the brace stands for itself.
                self.at = start;
                return Ok(0);
            }
            return Err(self.wrong("non-octal character in \\o{} (closing brace missing?)"));
        }
        Ok(value)
    }

    /// `\g1`, `\g{1}`, `\g{-1}`, `\g{name}`; `\g<1>` and `\g'name'` are calls.
    fn numbered_reference(&mut self) -> Result<Node, Error> {
        self.at += 1;
        let (end, call) = if self.eat("{") {
            (Some('}'), false)
        } else if self.eat("<") {
            (Some('>'), true)
        } else if self.eat("'") {
            (Some('\''), true)
        } else {
            (None, false)
        };
        let sign = self.peek().filter(|c| matches!(c, '-' | '+'));
        self.at += usize::from(sign.is_some());
        let digits = self.peek().is_some_and(|c| c.is_ascii_digit());
        let group = match (digits, end) {
            (true, _) => {
                let number = self.decimal();
                let group = match sign {
                    Some('-') => (self.n_groups + 1).saturating_sub(number),
                    Some(_) => self.n_groups + number,
                    None => number,
                };
                if let Some(end) = end
                    && !self.eat(end.encode_utf8(&mut [0; 4]))
                {
                    return Err(self.wrong(NOT_THERE));
                }
                self.refer(group)
            }
            (false, Some(end)) if sign.is_none() && self.peek().is_some() => {
                let (name, at) = (self.name(end)?, self.at);
                self.group_named(&name, at - 1)?
            }
            _ => return Err(self.wrong(NOT_THERE)),
        };
        if call { Ok(Node::Recurse(group)) } else { Ok(Node::Back(group, self.flags.caseless)) }
    }
}

/// `\R`: any end of a line, whole.
fn newline() -> Node {
    let both = Node::Concat(vec![Node::Literal(0x0D), Node::Literal(0x0A)]);
    Node::Atomic(Box::new(Node::Alternate(vec![both, Node::Class(class::vertical())])))
}
