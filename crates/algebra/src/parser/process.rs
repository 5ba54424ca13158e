//! Process expressions. From weakest to strongest: `+`; then `||`, `||_` (also `|_`) and `|`; then `<| |>`; then `.`.
//! `+` and the parallel operators group to the left, `<| |>` and `.` to the right. Different parallel operators have no
//! order among each other in muCRL, so a mixture needs parentheses.

use super::{Parser, Read};
use crate::diagnostic::{Diagnostic, SYNTAX};
use crate::lexer::Kind;
use crate::tree::{Name, Process, ProcessKind, Term, Variable};
use foresee_text::Span;

const PARALLEL: [&str; 4] = ["||", "||_", "|_", "|"];

impl Parser<'_> {
    pub(super) fn process(&mut self) -> Read<Process> {
        self.deeper(|parser| {
            let mut left = parser.parallel()?;
            while parser.eat("+") {
                let height = parser.height;
                let right = parser.parallel()?;
                parser.taller(height)?;
                left = both(left, right, ProcessKind::Choice);
            }
            Ok(left)
        })
    }

    fn parallel(&mut self) -> Read<Process> {
        let mut left = self.condition()?;
        let mut first = None;
        while PARALLEL.iter().any(|mark| self.is_at(mark)) {
            let token = self.peek();
            let mark = if token.text == "|_" { "||_" } else { token.text };
            if *first.get_or_insert(mark) != mark {
                let message =
                    format!("`{}` after `{}` without parentheses", mark, first.unwrap_or(mark));
                let problem = Diagnostic::error(SYNTAX, token.span, message)
                    .help("say with parentheses which of the two comes first");
                return self.fail(problem);
            }
            self.at += 1;
            let height = self.height;
            let right = self.condition()?;
            self.taller(height)?;
            left = both(
                left,
                right,
                match mark {
                    "||" => ProcessKind::Parallel,
                    "|" => ProcessKind::Communication,
                    _ => ProcessKind::LeftMerge,
                },
            );
        }
        Ok(left)
    }

    fn condition(&mut self) -> Read<Process> {
        let then = self.sequence()?;
        if !self.eat("<|") {
            return Ok(then);
        }
        let height = self.height;
        self.deeper(|parser| {
            let condition = parser.term()?;
            let height = parser.height.max(height);
            parser.expect("|>")?;
            let otherwise = parser.condition()?;
            parser.taller(height)?;
            let span = then.span.to(otherwise.span);
            let kind = ProcessKind::Condition(Box::new(then), condition, Box::new(otherwise));
            Ok(Process { kind, span })
        })
    }

    fn sequence(&mut self) -> Read<Process> {
        let mut parts = vec![self.basic()?];
        let mut height = self.height;
        while self.eat(".") {
            parts.push(self.basic()?);
            height = self.height.max(height);
            // The first part ends up on top, the last one at the bottom.
            self.height = height + parts.len() - 2;
            self.taller(0)?;
        }
        let last = parts.pop().expect("at least one part");
        Ok(parts.into_iter().rev().fold(last, |rest, part| both(part, rest, ProcessKind::Sequence)))
    }

    fn basic(&mut self) -> Read<Process> {
        let token = self.peek();
        self.height = 1;
        if token.kind == Kind::Name {
            let Term { name, arguments, span } = self.term()?;
            let kind = ProcessKind::Named(Term { name, arguments, span });
            return Ok(Process { kind, span });
        }
        let kind = match token.text {
            "(" => {
                self.at += 1;
                let mut inner = self.process()?;
                inner.span = token.span.to(self.expect(")")?);
                return Ok(inner);
            }
            "delta" => {
                self.at += 1;
                ProcessKind::Delta
            }
            "tau" => {
                self.at += 1;
                ProcessKind::Tau
            }
            "sum" => self.sum()?,
            "encap" | "hide" => self.named_set(token.text)?,
            "rename" => self.renaming()?,
            _ => return self.expected("a process"),
        };
        self.taller(0)?;
        let last: Span = self.tokens[self.at - 1].span;
        Ok(Process { kind, span: token.span.to(last) })
    }

    fn sum(&mut self) -> Read<ProcessKind> {
        self.at += 1;
        self.expect("(")?;
        let name = self.name("a variable")?;
        self.expect(":")?;
        let sort = self.name("a sort")?;
        self.expect(",")?;
        let body = self.process()?;
        self.expect(")")?;
        Ok(ProcessKind::Sum(Variable { name, sort }, Box::new(body)))
    }

    fn named_set(&mut self, word: &str) -> Read<ProcessKind> {
        self.at += 1;
        self.expect("(")?;
        self.expect("{")?;
        let names = if self.is_at("}") { Vec::new() } else { self.names("an action")? };
        self.expect("}")?;
        let body = self.rest_of_operator()?;
        Ok(if word == "hide" {
            ProcessKind::Hide(names, body)
        } else {
            ProcessKind::Encap(names, body)
        })
    }

    fn renaming(&mut self) -> Read<ProcessKind> {
        self.at += 1;
        self.expect("(")?;
        self.expect("{")?;
        let mut pairs: Vec<(Name, Name)> = Vec::new();
        while !self.is_at("}") {
            if !pairs.is_empty() {
                self.expect(",")?;
            }
            let old = self.name("an action")?;
            self.expect("->")?;
            pairs.push((old, self.name("an action")?));
        }
        self.expect("}")?;
        Ok(ProcessKind::Rename(pairs, self.rest_of_operator()?))
    }

    fn rest_of_operator(&mut self) -> Read<Box<Process>> {
        self.expect(",")?;
        let body = self.process()?;
        self.expect(")")?;
        Ok(Box::new(body))
    }
}

fn both(
    left: Process,
    right: Process,
    make: impl FnOnce(Box<Process>, Box<Process>) -> ProcessKind,
) -> Process {
    let span = left.span.to(right.span);
    Process { kind: make(Box::new(left), Box::new(right)), span }
}
