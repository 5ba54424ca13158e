//! From trees to instructions of the matcher.
//! Counted repeats are written out, as PCRE does. A loop whose body may match nothing ends when it does
//! (`Again`), or it would not end at all.

use super::Error;
use super::class::{self, Class};
use super::parse::Parsed;
use super::tree::{Assertion, Condition, Greed, Node};

/// A compiled pattern. Slots `2 n` and `2 n + 1` hold where group `n` starts and ends; further ones belong to loops.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) code: Vec<Op>,
    pub(super) n_groups: usize,
    pub(super) n_slots: usize,
    pub(super) word: [Class; 2],
}

#[derive(Clone, Debug)]
pub(super) enum Op {
    Unit(u32),
    Class(Class),
    Assert(Assertion),
    /// Go on here; if that fails, there.
    Split(usize, usize),
    Jump(usize),
    Save(usize),
    /// Fails if the group has not matched or its text does not follow.
    Back(usize, bool),
    /// Matches what follows up to its `Accept` once and for all, then goes on at the place.
    Atomic(usize),
    /// As `Atomic`, but stays where it was; if `true`, only when that fails.
    Look(bool, usize),
    /// Moves back, or fails at the start.
    Rewind(usize),
    /// Calls the code at the place up to its `Accept`.
    Call(usize),
    /// Goes on at the place unless the group has matched.
    UnlessGroup(usize, usize),
    /// Another round of the loop at the place, unless the last one, which began where the slot says, matched nothing.
    Again(usize, usize),
    Accept,
}

/// More instructions than this are refused, as PCRE refuses patterns beyond its link size.
const CODE_MAX: usize = 200_000;

pub(super) fn compile(parsed: &Parsed) -> Result<Program, Error> {
    let mut compiler = Compiler {
        code: Vec::new(),
        n_slots: 2 * (parsed.n_groups + 1),
        calls: Vec::new(),
        groups: vec![None; parsed.n_groups + 1],
    };
    compiler.groups[0] = Some(&parsed.node);
    compiler.find_groups(&parsed.node);
    compiler.emit(Op::Save(0))?;
    compiler.node(&parsed.node)?;
    compiler.emit(Op::Save(1))?;
    compiler.emit(Op::Accept)?;
    compiler.bodies_of_calls()?;
    Ok(Program {
        code: compiler.code,
        n_groups: parsed.n_groups,
        n_slots: compiler.n_slots,
        word: [class::word(false), class::word(true)],
    })
}

struct Compiler<'a> {
    code: Vec<Op>,
    n_slots: usize,
    /// Calls whose place is not known yet: the instruction and the group.
    calls: Vec<(usize, usize)>,
    /// The tree of each group, for calls.
    groups: Vec<Option<&'a Node>>,
}

impl<'a> Compiler<'a> {
    fn find_groups(&mut self, node: &'a Node) {
        match node {
            Node::Capture(number, inner) => {
                self.groups[*number].get_or_insert(node);
                self.find_groups(inner);
            }
            Node::Concat(nodes) | Node::Alternate(nodes) => {
                nodes.iter().for_each(|node| self.find_groups(node));
            }
            Node::Repeat { node, .. } | Node::Look { node, .. } | Node::Atomic(node) => {
                self.find_groups(node);
            }
            Node::If(condition, yes, no) => {
                if let Condition::Look(look) = condition {
                    self.find_groups(look);
                }
                self.find_groups(yes);
                self.find_groups(no);
            }
            _ => {}
        }
    }

    fn emit(&mut self, op: Op) -> Result<usize, Error> {
        if self.code.len() >= CODE_MAX {
            return Err(Error::Wrong("regular expression is too large", 0));
        }
        self.code.push(op);
        Ok(self.code.len() - 1)
    }

    fn here(&self) -> usize {
        self.code.len()
    }

    /// The code of every group that is called, once each.
    fn bodies_of_calls(&mut self) -> Result<(), Error> {
        let mut places: Vec<Option<usize>> = vec![None; self.groups.len()];
        while let Some((at, group)) = self.calls.pop() {
            let place = match places[group] {
                Some(place) => place,
                None => {
                    let place = self.here();
                    places[group] = Some(place);
                    let body = self.groups[group].unwrap_or(&Node::Empty);
                    self.node(body)?;
                    self.emit(Op::Accept)?;
                    place
                }
            };
            self.code[at] = Op::Call(place);
        }
        Ok(())
    }

    fn node(&mut self, node: &'a Node) -> Result<(), Error> {
        match node {
            Node::Empty => {}
            Node::Literal(unit) => {
                self.emit(Op::Unit(*unit))?;
            }
            Node::Class(class) => {
                self.emit(Op::Class(class.clone()))?;
            }
            Node::Assert(assertion) => {
                self.emit(Op::Assert(*assertion))?;
            }
            Node::Concat(nodes) => {
                for node in nodes {
                    self.node(node)?;
                }
            }
            Node::Alternate(nodes) => self.alternatives(nodes)?,
            Node::Capture(number, node) => {
                self.emit(Op::Save(2 * number))?;
                self.node(node)?;
                self.emit(Op::Save(2 * number + 1))?;
            }
            Node::Repeat { node, min, max, kind: Greed::Possessive } => {
                let start = self.emit(Op::Accept)?;
                self.repeat(node, *min, *max, true)?;
                self.emit(Op::Accept)?;
                self.code[start] = Op::Atomic(self.here());
            }
            Node::Repeat { node, min, max, kind } => {
                self.repeat(node, *min, *max, *kind == Greed::Greedy)?;
            }
            Node::Back(group, caseless) => {
                self.emit(Op::Back(*group, *caseless))?;
            }
            Node::Look { behind, negated, node } => self.look(*behind, *negated, node)?,
            Node::Atomic(node) => {
                let start = self.emit(Op::Accept)?;
                self.node(node)?;
                self.emit(Op::Accept)?;
                self.code[start] = Op::Atomic(self.here());
            }
            Node::Recurse(group) => {
                let at = self.emit(Op::Accept)?;
                self.calls.push((at, *group));
            }
            Node::If(condition, yes, no) => self.condition(condition, yes, no)?,
            Node::Keep => {
                self.emit(Op::Save(0))?;
            }
        }
        Ok(())
    }

    fn alternatives(&mut self, nodes: &'a [Node]) -> Result<(), Error> {
        let mut ends = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            if i + 1 == nodes.len() {
                self.node(node)?;
                break;
            }
            let split = self.emit(Op::Accept)?;
            self.node(node)?;
            ends.push(self.emit(Op::Accept)?);
            self.code[split] = Op::Split(split + 1, self.here());
        }
        for end in ends {
            self.code[end] = Op::Jump(self.here());
        }
        Ok(())
    }

    fn split(&mut self, greedy: bool, inside: usize, outside: usize) -> Op {
        if greedy { Op::Split(inside, outside) } else { Op::Split(outside, inside) }
    }

    fn repeat(
        &mut self,
        node: &'a Node,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    ) -> Result<(), Error> {
        for _ in 0..min {
            self.node(node)?;
        }
        let Some(max) = max else { return self.star(node, greedy) };
        let mut splits = Vec::new();
        for _ in min..max {
            splits.push(self.emit(Op::Accept)?);
            self.node(node)?;
        }
        for at in splits {
            let end = self.here();
            self.code[at] = self.split(greedy, at + 1, end);
        }
        Ok(())
    }

    fn star(&mut self, node: &'a Node, greedy: bool) -> Result<(), Error> {
        let start = self.emit(Op::Accept)?;
        let slot = node.may_be_empty().then(|| {
            self.n_slots += 1;
            self.n_slots - 1
        });
        if let Some(slot) = slot {
            self.emit(Op::Save(slot))?;
        }
        self.node(node)?;
        if let Some(slot) = slot {
            self.emit(Op::Again(slot, start))?;
        } else {
            self.emit(Op::Jump(start))?;
        }
        let end = self.here();
        self.code[start] = self.split(greedy, start + 1, end);
        Ok(())
    }

    fn look(&mut self, behind: bool, negated: bool, node: &'a Node) -> Result<(), Error> {
        let start = self.emit(Op::Accept)?;
        match node {
            Node::Alternate(nodes) if behind => {
                let mut ends = Vec::new();
                for (i, node) in nodes.iter().enumerate() {
                    let split =
                        if i + 1 < nodes.len() { Some(self.emit(Op::Accept)?) } else { None };
                    self.emit(Op::Rewind(node.width().unwrap_or(0)))?;
                    self.node(node)?;
                    if let Some(split) = split {
                        ends.push(self.emit(Op::Accept)?);
                        self.code[split] = Op::Split(split + 1, self.here());
                    }
                }
                for end in ends {
                    self.code[end] = Op::Jump(self.here());
                }
            }
            _ => {
                if behind {
                    self.emit(Op::Rewind(node.width().unwrap_or(0)))?;
                }
                self.node(node)?;
            }
        }
        self.emit(Op::Accept)?;
        self.code[start] = Op::Look(negated, self.here());
        Ok(())
    }

    fn condition(
        &mut self,
        condition: &'a Condition,
        yes: &'a Node,
        no: &'a Node,
    ) -> Result<(), Error> {
        match condition {
            Condition::Group(group) => {
                let test = self.emit(Op::Accept)?;
                self.node(yes)?;
                let jump = self.emit(Op::Accept)?;
                self.code[test] = Op::UnlessGroup(*group, self.here());
                self.node(no)?;
                self.code[jump] = Op::Jump(self.here());
            }
            Condition::Look(look) => {
                let Node::Look { behind, negated, node } = &**look else {
                    unreachable!("a condition is an assertion")
                };
                // (?(?=x)y|n) is (?=x)y or (?!x)n, whichever assertion holds.
                let split = self.emit(Op::Accept)?;
                self.look(*behind, *negated, node)?;
                self.node(yes)?;
                let jump = self.emit(Op::Accept)?;
                self.code[split] = Op::Split(split + 1, self.here());
                self.look(*behind, !*negated, node)?;
                self.node(no)?;
                self.code[jump] = Op::Jump(self.here());
            }
        }
        Ok(())
    }
}
