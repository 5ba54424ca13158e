//! What stands in parentheses: groups with and without numbers, assertions, conditions, calls, settings.

use super::Error;
use super::parse::Parser;
use super::tree::{Condition, Node};

/// How deep groups may nest.
const DEPTH_MAX: usize = 250;

impl Parser<'_> {
    pub(super) fn group(&mut self) -> Result<Option<Node>, Error> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong("parentheses are too deeply nested"));
        }
        let node = self.group_inside()?;
        self.depth -= 1;
        Ok(node)
    }

    fn group_inside(&mut self) -> Result<Option<Node>, Error> {
        if self.eat("*") {
            return self.verb();
        }
        if !self.eat("?") {
            if self.flags.no_auto_capture {
                return self.closed(Parser::alternatives).map(Some);
            }
            return self.capture(None).map(Some);
        }
        let look = |behind, negated, node| Node::Look { behind, negated, node: Box::new(node) };
        let node = if self.eat(":") {
            self.closed(Parser::alternatives)?
        } else if self.eat("|") {
            self.closed(Parser::branch_reset)?
        } else if self.eat(">") {
            Node::Atomic(Box::new(self.closed(Parser::alternatives)?))
        } else if self.eat("=") {
            look(false, false, self.closed(Parser::alternatives)?)
        } else if self.eat("!") {
            look(false, true, self.closed(Parser::alternatives)?)
        } else if self.eat("<=") {
            look(true, false, self.behind()?)
        } else if self.eat("<!") {
            look(true, true, self.behind()?)
        } else if self.eat("P<") || self.eat("<") {
            let name = self.name('>')?;
            self.capture(Some(name))?
        } else if self.eat("'") {
            let name = self.name('\'')?;
            self.capture(Some(name))?
        } else if self.eat("P=") {
            let (name, at) = (self.name(')')?, self.at);
            self.named_back(&name, at)?
        } else if self.eat("P>") || self.eat("&") {
            let (name, at) = (self.name(')')?, self.at);
            Node::Recurse(self.group_named(&name, at - 1)?)
        } else if self.eat("(") {
            self.condition()?
        } else if self.eat("C") {
            return Err(Error::Unmodelled("a callout (?C) in a regular expression".to_owned()));
        } else if let Some(node) = self.recursion()? {
            node
        } else {
            return self.setting();
        };
        Ok(Some(node))
    }

    fn verb(&mut self) -> Result<Option<Node>, Error> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            self.at += 1;
        }
        let text: String =
            self.pattern[start..self.at].iter().filter_map(|unit| char::from_u32(*unit)).collect();
        let known = ["ACCEPT", "FAIL", "F", "COMMIT", "PRUNE", "SKIP", "THEN", "MARK", ""];
        if known.contains(&text.as_str()) {
            return Err(Error::Unmodelled(format!("(*{text}) in a regular expression")));
        }
        Err(self.wrong("(*VERB) not recognized or malformed"))
    }

    /// What is inside a group, and its closing parenthesis.
    fn closed(&mut self, inside: fn(&mut Self) -> Result<Node, Error>) -> Result<Node, Error> {
        let node = inside(self)?;
        if self.eat(")") { Ok(node) } else { Err(self.wrong("missing )")) }
    }

    fn capture(&mut self, name: Option<String>) -> Result<Node, Error> {
        self.n_groups += 1;
        let number = self.n_groups;
        if let Some(name) = name {
            if self.names.get(&name).is_some_and(|own| *own != number) {
                return Err(self.wrong_at("two named subpatterns have the same name", self.at - 1));
            }
            self.names.insert(name, number);
        }
        Ok(Node::Capture(number, Box::new(self.closed(Parser::alternatives)?)))
    }

    /// The inside of a look-behind: alternatives that each have one length.
    fn behind(&mut self) -> Result<Node, Error> {
        let node = self.closed(Parser::alternatives)?;
        let parts = match &node {
            Node::Alternate(nodes) => nodes.as_slice(),
            node => std::slice::from_ref(node),
        };
        if parts.iter().any(|part| part.width().is_none()) {
            return Err(self.wrong_at("lookbehind assertion is not fixed length", self.at - 1));
        }
        Ok(node)
    }

    /// `(?R)`, `(?1)`, `(?+1)`, `(?-1)`.
    fn recursion(&mut self) -> Result<Option<Node>, Error> {
        if self.eat("R)") {
            return Ok(Some(Node::Recurse(0)));
        }
        let start = self.at;
        let sign = match self.peek() {
            Some(c @ ('+' | '-')) => {
                self.at += 1;
                Some(c)
            }
            _ => None,
        };
        let mut number: Option<usize> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize));
            self.at += 1;
        }
        let Some(number) = number else {
            self.at = start;
            return Ok(None);
        };
        let group = match sign {
            Some('+') => self.n_groups + number,
            Some(_) => (self.n_groups + 1).saturating_sub(number),
            None => number,
        };
        self.refer_now(group)?;
        if !self.eat(")") {
            return Err(self.wrong("(?R or (?[+-]digits must be followed by )"));
        }
        Ok(Some(Node::Recurse(group)))
    }

    fn condition(&mut self) -> Result<Node, Error> {
        let condition = if matches!(self.peek(), Some('?')) {
            match self.group_inside()? {
                Some(node @ Node::Look { .. }) => Condition::Look(Box::new(node)),
                _ => return Err(self.wrong("assertion expected after (?(")),
            }
        } else if let Some(first) = self.peek().filter(|c| c.is_ascii_digit()) {
            let mut number = first.to_digit(10).unwrap_or(0) as usize;
            self.at += 1;
            while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
                number = number * 10 + digit as usize;
                self.at += 1;
            }
            self.eat(")");
            self.refer_now(number)?;
            Condition::Group(number)
        } else {
            let end = if self.eat("<") {
                '>'
            } else if self.eat("'") {
                '\''
            } else {
                ')'
            };
            let name = self.name(end)?;
            if name == "R" || name == "DEFINE" && end == ')' {
                return Err(Error::Unmodelled(format!("(?({name}) in a regular expression")));
            }
            if end != ')' {
                self.eat(")");
            }
            Condition::Group(self.group_named(&name, self.at - 1)?)
        };
        let inside = self.closed(Parser::alternatives)?;
        let (yes, no) = match inside {
            Node::Alternate(mut nodes) if nodes.len() == 2 => {
                let no = nodes.pop().unwrap_or(Node::Empty);
                (nodes.pop().unwrap_or(Node::Empty), no)
            }
            Node::Alternate(_) if !self.learning => {
                let what = "conditional group contains more than two branches";
                return Err(self.wrong_at(what, self.at - 1));
            }
            other => (other, Node::Empty),
        };
        Ok(Node::If(condition, Box::new(yes), Box::new(no)))
    }

    /// `(?i)`, `(?i-m)`, `(?i:…)`.
    fn setting(&mut self) -> Result<Option<Node>, Error> {
        let outer = self.flags;
        let mut on = true;
        loop {
            match self.next().and_then(char::from_u32) {
                Some('i') => self.flags.caseless = on,
                Some('m') => self.flags.multiline = on,
                Some('s') => self.flags.dotall = on,
                Some('x') => self.flags.extended = on,
                Some('U') => self.flags.ungreedy = on,
                Some('J') => {
                    let what = "duplicate names in a regular expression";
                    return Err(Error::Unmodelled(what.to_owned()));
                }
                Some('-') => on = false,
                Some(')') => return Ok(None),
                Some(':') => {
                    let node = self.closed(Parser::alternatives)?;
                    self.flags = outer;
                    return Ok(Some(node));
                }
                Some(_) => {
                    let at = self.at - 1;
                    return Err(self.wrong_at("unrecognized character after (? or (?-", at));
                }
                None => return Err(self.wrong("unrecognized character after (? or (?-")),
            }
        }
    }
}
