//! Patterns as trees.

use super::class::Class;

/// A pattern or a part of one.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    /// One unit out of a set.
    Class(Class),
    Literal(u32),
    Assert(Assertion),
    Concat(Vec<Node>),
    Alternate(Vec<Node>),
    /// A group with a number.
    Capture(usize, Box<Node>),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        kind: Greed,
    },
    /// What the group matched; `true` if case does not matter.
    Back(usize, bool),
    Look {
        behind: bool,
        negated: bool,
        node: Box<Node>,
    },
    Atomic(Box<Node>),
    /// The group's pattern again; 0 is the whole.
    Recurse(usize),
    If(Condition, Box<Node>, Box<Node>),
    /// `\K`: the match starts here.
    Keep,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The group has matched.
    Group(usize),
    Look(Box<Node>),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Assertion {
    /// `\A`
    Start,
    /// `^` with `multiline`
    LineStart,
    /// `^`
    Circumflex,
    /// `\z`
    End,
    /// `\Z`
    EndOrNewline,
    /// `$`; `true` with `dollar_endonly`
    Dollar(bool),
    /// `$` with `multiline`
    LineEnd,
    /// `\G`
    First,
    /// `\b`, or `\B` if `false`; the second field says that words follow Unicode
    Word(bool, bool),
}

impl Node {
    /// The number of units it matches, if that is always the same.
    pub(super) fn width(&self) -> Option<usize> {
        match self {
            Node::Empty | Node::Assert(_) | Node::Look { .. } | Node::Keep => Some(0),
            Node::Class(_) | Node::Literal(_) => Some(1),
            Node::Concat(nodes) => nodes.iter().map(Node::width).sum(),
            Node::Alternate(nodes) => {
                let first = nodes.first()?.width()?;
                nodes.iter().all(|node| node.width() == Some(first)).then_some(first)
            }
            Node::Capture(_, node) | Node::Atomic(node) => node.width(),
            Node::Repeat { node, min, max, .. } => {
                (Some(*min) == *max).then_some(node.width()? * *min as usize)
            }
            Node::If(_, yes, no) => yes.width().filter(|width| no.width() == Some(*width)),
            Node::Back(..) | Node::Recurse(_) => None,
        }
    }

    /// Whether it may match nothing.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Node::Class(_) | Node::Literal(_) => false,
            Node::Concat(nodes) => nodes.iter().all(Node::may_be_empty),
            Node::Alternate(nodes) => nodes.iter().any(Node::may_be_empty),
            Node::Capture(_, node) | Node::Atomic(node) => node.may_be_empty(),
            Node::Repeat { node, min, .. } => *min == 0 || node.may_be_empty(),
            _ => true,
        }
    }
}
