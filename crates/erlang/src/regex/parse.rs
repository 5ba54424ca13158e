//! From the text of a pattern to its tree.
//! Flags are settled here: a letter under `(?i)` becomes a set, `.` under `(?s)` another set, `^` under `(?m)` another
//! assertion; the matcher knows none of them. Groups are numbered as they open, names are collected first, because a
//! reference may stand before its group.
//! Places in errors are counted in bytes of the pattern, as PCRE does.

use super::class::Class;
use super::tree::{Assertion, Greed, Node};
use super::{Error, Options};
use std::collections::BTreeMap;

/// A pattern understood.
pub(super) struct Parsed {
    pub(super) node: Node,
    pub(super) options: Options,
    pub(super) n_groups: usize,
    pub(super) names: BTreeMap<String, usize>,
}

pub(super) fn parse(pattern: &[u32], options: Options) -> Result<Parsed, Error> {
    let (start, options) = leading(pattern, options)?;
    let mut parser = Parser {
        pattern,
        at: start,
        flags: options,
        n_groups: 0,
        names: BTreeMap::new(),
        highest_reference: 0,
        learning: true,
        n_groups_all: 0,
        all_names: BTreeMap::new(),
        depth: 0,
    };
    // Once to learn the groups, once for good.
    parser.alternatives()?;
    let (n_groups, names) = (parser.n_groups, std::mem::take(&mut parser.names));
    (parser.all_names, parser.n_groups_all, parser.learning) = (names, n_groups, false);
    (parser.at, parser.flags, parser.n_groups) = (start, options, 0);
    let node = parser.alternatives()?;
    if parser.at < pattern.len() {
        return Err(parser.wrong_at("unmatched parentheses", parser.at));
    }
    if parser.highest_reference > parser.n_groups {
        return Err(parser.wrong("reference to non-existent subpattern"));
    }
    Ok(Parsed { node, options, n_groups: parser.n_groups, names: parser.names })
}

/// `(*UTF8)` and `(*UCP)` at the start of a pattern.
fn leading(pattern: &[u32], mut options: Options) -> Result<(usize, Options), Error> {
    let mut at = 0;
    for (text, unicode) in [("(*UTF8)", true), ("(*UCP)", false)] {
        let units: Vec<u32> = text.chars().map(u32::from).collect();
        if pattern[at..].starts_with(&units) {
            at += units.len();
            options.unicode |= unicode;
            options.properties |= !unicode;
        }
    }
    Ok((at, options))
}

pub(super) struct Parser<'a> {
    pub(super) pattern: &'a [u32],
    pub(super) at: usize,
    pub(super) flags: Options,
    pub(super) n_groups: usize,
    pub(super) names: BTreeMap<String, usize>,
    /// The highest group referred to.
    highest_reference: usize,
    /// While the groups are still being learnt.
    pub(super) learning: bool,
    /// What the first reading found.
    n_groups_all: usize,
    all_names: BTreeMap<String, usize>,
    pub(super) depth: usize,
}

impl Parser<'_> {
    /// The place in bytes of a place in units.
    pub(super) fn wrong_at(&self, what: &'static str, at: usize) -> Error {
        let units = &self.pattern[..at.min(self.pattern.len())];
        let bytes = units.iter().map(|unit| match char::from_u32(*unit) {
            Some(c) if self.flags.unicode => c.len_utf8(),
            _ => 1,
        });
        Error::Wrong(what, bytes.sum())
    }

    pub(super) fn wrong(&self, what: &'static str) -> Error {
        self.wrong_at(what, self.at)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.pattern.get(self.at).and_then(|unit| char::from_u32(*unit))
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.pattern.get(self.at + ahead).and_then(|unit| char::from_u32(*unit))
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let matches = text.chars().enumerate().all(|(i, c)| self.peek_at(i) == Some(c));
        if matches {
            self.at += text.chars().count();
        }
        matches
    }

    pub(super) fn next(&mut self) -> Option<u32> {
        let unit = self.pattern.get(self.at).copied();
        self.at += usize::from(unit.is_some());
        unit
    }

    /// `a|b|c`, up to a closing parenthesis or the end.
    pub(super) fn alternatives(&mut self) -> Result<Node, Error> {
        let flags = self.flags;
        let mut nodes = vec![self.sequence()?];
        while self.eat("|") {
            nodes.push(self.sequence()?);
        }
        self.flags = flags;
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Alternate(nodes) })
    }

    /// Alternatives that all number their groups from the same start.
    pub(super) fn branch_reset(&mut self) -> Result<Node, Error> {
        let flags = self.flags;
        let (start, mut highest) = (self.n_groups, self.n_groups);
        let mut nodes = Vec::new();
        loop {
            self.n_groups = start;
            nodes.push(self.sequence()?);
            highest = highest.max(self.n_groups);
            if !self.eat("|") {
                break;
            }
        }
        self.flags = flags;
        self.n_groups = highest;
        Ok(Node::Alternate(nodes))
    }

    fn sequence(&mut self) -> Result<Node, Error> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            if self.skipped(c)? {
                continue;
            }
            if self.eat("\\Q") {
                nodes.extend(self.quoted());
                // A quantifier behind a quotation belongs to its last character.
                if let Some(last) = nodes.pop() {
                    nodes.push(self.quantified(last)?);
                }
                continue;
            }
            if self.eat("\\E") {
                continue;
            }
            let start = self.at;
            if self.is_quantifier() {
                return Err(self.wrong("nothing to repeat"));
            }
            let atom = self.atom()?;
            // Settings such as (?i) cannot be repeated, and need not be.
            let Some(atom) = atom else {
                if self.is_quantifier() {
                    return Err(self.wrong_at("nothing to repeat", self.at.max(start)));
                }
                continue;
            };
            nodes.push(self.quantified(atom)?);
        }
        Ok(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.remove(0),
            _ => Node::Concat(nodes),
        })
    }

    /// Skips a comment, or white space under `extended`.
    fn skipped(&mut self, c: char) -> Result<bool, Error> {
        if self.eat("(?#") {
            while self.peek().is_some_and(|c| c != ')') {
                self.at += 1;
            }
            if self.eat(")") {
                return Ok(true);
            }
            return Err(self.wrong("missing ) after comment"));
        }
        if self.flags.extended && (matches!(c, '\t'..='\r' | ' ')) {
            self.at += 1;
            return Ok(true);
        }
        if self.flags.extended && c == '#' {
            while self.next().is_some_and(|unit| unit != 0x0A) {}
            return Ok(true);
        }
        Ok(false)
    }

    /// The characters up to `\E`.
    fn quoted(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        while self.at < self.pattern.len() && !self.eat("\\E") {
            let unit = self.next().expect("not at the end");
            nodes.push(self.literal(unit));
        }
        nodes
    }

    pub(super) fn literal(&self, unit: u32) -> Node {
        if self.flags.caseless {
            let class = Class::one(unit).caseless(self.flags.unicode);
            if class.single().is_none() {
                return Node::Class(class);
            }
        }
        Node::Literal(unit)
    }

    fn is_quantifier(&self) -> bool {
        match self.peek() {
            Some('*' | '+' | '?') => true,
            Some('{') => self.braces().is_some(),
            _ => false,
        }
    }

    /// `{2}`, `{2,}`, `{2,3}`: the bounds and the length; anything else is literal.
    fn braces(&self) -> Option<(u32, Option<u32>, usize)> {
        let number = |mut ahead: usize| {
            let mut value: Option<u32> = None;
            while let Some(digit) = self.peek_at(ahead).and_then(|c| c.to_digit(10)) {
                value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
                ahead += 1;
            }
            (value, ahead)
        };
        let (min, ahead) = number(1);
        let min = min?;
        match self.peek_at(ahead)? {
            '}' => Some((min, Some(min), ahead + 1)),
            ',' => {
                let (max, ahead) = number(ahead + 1);
                (self.peek_at(ahead) == Some('}')).then_some((min, max, ahead + 1))
            }
            _ => None,
        }
    }

    fn quantified(&mut self, mut node: Node) -> Result<Node, Error> {
        loop {
            while let Some(c) = self.peek()
                && self.flags.extended
                && self.skipped(c)?
            {}
            let (min, max, len) = match self.peek() {
                Some('*') => (0, None, 1),
                Some('+') => (1, None, 1),
                Some('?') => (0, Some(1), 1),
                Some('{') => match self.braces() {
                    Some(bounds) => bounds,
                    None => return Ok(node),
                },
                _ => return Ok(node),
            };
            self.at += len;
            if min > 65_535 || max.is_some_and(|max| max > 65_535) {
                return Err(self.wrong("number too big in {} quantifier"));
            }
            if max.is_some_and(|max| max < min) {
                return Err(self.wrong_at("numbers out of order in {} quantifier", self.at - 1));
            }
            let kind = if self.eat("+") {
                Greed::Possessive
            } else if self.eat("?") != self.flags.ungreedy {
                Greed::Lazy
            } else {
                Greed::Greedy
            };
            node = Node::Repeat { node: Box::new(node), min, max, kind };
            // What is repeated already cannot be repeated again without a group.
            let again = match self.peek() {
                Some('*' | '+' | '?') => Some(0),
                Some('{') => self.braces().map(|(.., len)| len - 1),
                _ => None,
            };
            if let Some(ahead) = again {
                return Err(self.wrong_at("nothing to repeat", self.at + ahead));
            }
        }
    }

    /// One thing that can be repeated; `None` for a setting.
    fn atom(&mut self) -> Result<Option<Node>, Error> {
        let flags = self.flags;
        let unit = self.next().expect("not at the end");
        Ok(Some(match char::from_u32(unit) {
            Some('(') => return self.group(),
            Some('[') => self.bracket()?,
            Some('\\') => self.escaped()?,
            Some('.') if flags.dotall => Node::Class(Class::all()),
            Some('.') => Node::Class(Class::one(0x0A).negated()),
            Some('^') if flags.multiline => Node::Assert(Assertion::LineStart),
            Some('^') => Node::Assert(Assertion::Circumflex),
            Some('$') if flags.multiline => Node::Assert(Assertion::LineEnd),
            Some('$') => Node::Assert(Assertion::Dollar(flags.dollar_endonly)),
            _ => self.literal(unit),
        }))
    }

    pub(super) fn name(&mut self, end: char) -> Result<String, Error> {
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(self.wrong("group name must start with a non-digit"));
        }
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
            self.at += 1;
        }
        if self.peek() == Some(end) {
            self.at += 1;
            return Ok(name);
        }
        Err(self.wrong("syntax error in subpattern name (missing terminator)"))
    }

    /// The number of a named group; while the groups are still being learnt, any.
    pub(super) fn group_named(&mut self, name: &str, at: usize) -> Result<usize, Error> {
        if self.learning {
            return Ok(0);
        }
        match self.all_names.get(name) {
            Some(number) => Ok(*number),
            None => Err(self.wrong_at("reference to non-existent subpattern", at)),
        }
    }

    pub(super) fn named_back(&mut self, name: &str, at: usize) -> Result<Node, Error> {
        let group = self.group_named(name, at - 1)?;
        Ok(Node::Back(group, self.flags.caseless))
    }

    /// A reference that is checked when all groups are known.
    pub(super) fn refer(&mut self, group: usize) -> usize {
        self.highest_reference = self.highest_reference.max(group);
        group
    }

    /// A call or condition, which must be of a group that is there.
    pub(super) fn refer_now(&self, group: usize) -> Result<(), Error> {
        if !self.learning && group > self.n_groups_all {
            return Err(self.wrong("reference to non-existent subpattern"));
        }
        Ok(())
    }

    /// How many groups the whole pattern has, as far as is known.
    pub(super) fn n_groups_all(&self) -> usize {
        self.n_groups_all.max(self.n_groups)
    }
}
