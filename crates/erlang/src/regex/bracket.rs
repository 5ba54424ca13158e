//! Classes in brackets: `[a-z]`, `[^[:digit:]_]`.

use super::Error;
use super::class::{self, Class};
use super::parse::Parser;
use super::tree::Node;

/// What a class may hold.
pub(super) enum Item {
    Unit(u32),
    Set(Class),
}

impl Parser<'_> {
    /// A class in brackets, after its opening one.
    pub(super) fn bracket(&mut self) -> Result<Node, Error> {
        let start = self.at - 1;
        if matches!(self.peek(), Some(':' | '.' | '=')) && self.posix_ahead(start) {
            let what = "POSIX named classes are supported only within a class";
            return Err(self.wrong_at(what, start));
        }
        let negated = self.eat("^");
        let mut class = Class::default();
        let mut first = true;
        loop {
            if self.at >= self.pattern.len() {
                return Err(self.wrong("missing terminating ] for character class"));
            }
            if !first && self.eat("]") {
                break;
            }
            first = false;
            if self.eat("\\E") {
                continue;
            }
            if self.eat("\\Q") {
                while self.at < self.pattern.len() && !self.eat("\\E") {
                    let unit = self.next().expect("not at the end");
                    class.add_range(unit, unit);
                }
                continue;
            }
            self.member(&mut class)?;
        }
        if self.flags.caseless {
            class = class.caseless(self.flags.unicode);
        }
        Ok(Node::Class(class.negated_if(negated)))
    }

    /// One member of a class: a character, a range, or a named set.
    fn member(&mut self, class: &mut Class) -> Result<(), Error> {
        let low = match self.item()? {
            Item::Set(set) => {
                class.add(&set);
                if self.peek() == Some('-') && self.peek_at(1).is_some_and(|c| c != ']') {
                    return Err(self.wrong_at("invalid range in character class", self.at));
                }
                return Ok(());
            }
            Item::Unit(unit) => unit,
        };
        if self.peek() != Some('-') || matches!(self.peek_at(1), Some(']') | None) {
            class.add_range(low, low);
            return Ok(());
        }
        self.at += 1;
        match self.item()? {
            Item::Set(_) => Err(self.wrong_at("invalid range in character class", self.at - 1)),
            Item::Unit(high) if high < low => {
                Err(self.wrong_at("range out of order in character class", self.at - 1))
            }
            Item::Unit(high) => {
                class.add_range(low, high);
                Ok(())
            }
        }
    }

    fn item(&mut self) -> Result<Item, Error> {
        let start = self.at;
        if self.eat("[:") {
            if self.posix_ahead(start) {
                let negated = self.eat("^");
                let mut name = String::new();
                while let Some(c) = self.peek().filter(|c| *c != ':') {
                    name.push(c);
                    self.at += 1;
                }
                self.at += 2;
                let class = class::posix(&name, self.flags.properties)
                    .ok_or_else(|| self.wrong_at("unknown POSIX class name", start + 2))?;
                return Ok(Item::Set(class.negated_if(negated)));
            }
            self.at = start;
        }
        match self.next() {
            Some(0x5C) => self.escaped_in_class(),
            Some(unit) => Ok(Item::Unit(unit)),
            None => Err(self.wrong("missing terminating ] for character class")),
        }
    }

    /// Whether the bracket at `start` opens `[:name:]`.
    fn posix_ahead(&self, start: usize) -> bool {
        let Some(mark) = self.pattern.get(start + 1).copied() else { return false };
        let rest = &self.pattern[start + 2..];
        let end = rest.iter().position(|unit| {
            let letter = char::from_u32(*unit).is_some_and(|c| c.is_ascii_alphabetic());
            !letter && *unit != u32::from('^')
        });
        end.is_some_and(|end| rest[end] == mark && rest.get(end + 1) == Some(&u32::from(']')))
    }
}
