//! A tree as muCRL text. Reading it back gives an equal tree: parentheses stand exactly where grouping needs them.

use crate::parser::names_in;
use crate::tree::{Name, Process, ProcessKind, Rule, Specification, Term, Variable};
use std::fmt::Write;

impl Specification {
    /// The specification as muCRL.
    pub fn to_mucrl(&self) -> String {
        let mut out = String::new();
        if !self.sorts.is_empty() {
            let names: Vec<_> = self.sorts.iter().map(|it| it.text.as_str()).collect();
            let _ = writeln!(out, "sort\n  {}", names.join("\n  "));
        }
        self.write_functions(&mut out);
        self.write_rules(&mut out);
        if !self.actions.is_empty() {
            out.push_str("act\n");
            for action in &self.actions {
                let sorts = join(&action.sorts, " # ");
                let separator = if sorts.is_empty() { "" } else { ": " };
                let _ = writeln!(out, "  {}{separator}{sorts}", action.name.text);
            }
        }
        if !self.communications.is_empty() {
            out.push_str("comm\n");
            for it in &self.communications {
                let _ =
                    writeln!(out, "  {} | {} = {}", it.left.text, it.right.text, it.result.text);
            }
        }
        if !self.processes.is_empty() {
            out.push_str("proc\n");
            for it in &self.processes {
                let parameters: Vec<_> = it.parameters.iter().map(variable).collect();
                let parameters = if parameters.is_empty() {
                    String::new()
                } else {
                    format!("({})", parameters.join(", "))
                };
                let _ = write!(out, "  {}{parameters} =\n    ", it.name.text);
                write_process(&it.body, Strength::Choice, 2, &mut out);
                out.push('\n');
            }
        }
        if let Some(init) = &self.init {
            out.push_str("init\n  ");
            write_process(init, Strength::Choice, 1, &mut out);
            out.push('\n');
        }
        out
    }

    fn write_functions(&self, out: &mut String) {
        let mut section = None;
        for it in &self.functions {
            if section != Some(it.is_constructor) {
                out.push_str(if it.is_constructor { "func\n" } else { "map\n" });
                section = Some(it.is_constructor);
            }
            let arguments = join(&it.arguments, " # ");
            let space = if arguments.is_empty() { "" } else { " " };
            let _ = writeln!(out, "  {}: {arguments}{space}-> {}", it.name.text, it.result.text);
        }
    }

    /// Rules that agree about their variables share a `var` section.
    fn write_rules(&self, out: &mut String) {
        let mut rest = &self.rules[..];
        while !rest.is_empty() {
            let mut variables: Vec<&Variable> = Vec::new();
            let mut constants: Vec<&str> = Vec::new();
            let n = rest.iter().take_while(|it| agree(it, &mut variables, &mut constants)).count();
            if !variables.is_empty() {
                out.push_str("var\n");
            }
            for it in &variables {
                let _ = writeln!(out, "  {}", variable(it));
            }
            out.push_str("rew\n");
            for rule in &rest[..n] {
                let _ = writeln!(out, "  {} = {}", rule.left, rule.right);
            }
            rest = &rest[n..];
        }
    }
}

/// Adds a rule's variables and constants, unless a name would mean two things.
fn agree<'a>(
    rule: &'a Rule,
    variables: &mut Vec<&'a Variable>,
    constants: &mut Vec<&'a str>,
) -> bool {
    let mut own = Vec::new();
    names_in(&rule.left, &mut own);
    names_in(&rule.right, &mut own);
    own.retain(|name| rule.variables.iter().all(|it| it.name.text != *name));
    let clashes = |it: &Variable| {
        constants.contains(&it.name.text.as_str())
            || variables.iter().any(|known| known.name == it.name && known.sort != it.sort)
    };
    let hides = |name: &&str| variables.iter().any(|known| known.name.text == *name);
    if rule.variables.iter().any(clashes) || own.iter().any(hides) {
        return false;
    }
    for it in &rule.variables {
        if !variables.contains(&it) {
            variables.push(it);
        }
    }
    constants.extend(own);
    true
}

fn variable(it: &Variable) -> String {
    format!("{}: {}", it.name.text, it.sort.text)
}

fn join(names: &[Name], separator: &str) -> String {
    names.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(separator)
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        for (at, argument) in self.arguments.iter().enumerate() {
            write!(f, "{}{argument}", if at == 0 { "(" } else { "," })?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl std::fmt::Display for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = String::new();
        write_process(self, Strength::Choice, 0, &mut out);
        let words: Vec<_> = out.split_whitespace().collect();
        f.write_str(&words.join(" "))
    }
}

/// How strongly an expression holds together.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Strength {
    Choice,
    Parallel,
    Condition,
    Sequence,
    Basic,
}

fn strength(process: &Process) -> Strength {
    match &process.kind {
        ProcessKind::Choice(..) => Strength::Choice,
        ProcessKind::Parallel(..) | ProcessKind::LeftMerge(..) | ProcessKind::Communication(..) => {
            Strength::Parallel
        }
        ProcessKind::Condition(..) => Strength::Condition,
        ProcessKind::Sequence(..) => Strength::Sequence,
        _ => Strength::Basic,
    }
}

/// Writes an expression where at least `least` is needed.
fn write_process(process: &Process, least: Strength, indent: usize, out: &mut String) {
    let is_weak = strength(process) < least;
    if is_weak {
        out.push('(');
    }
    let line = |out: &mut String| {
        out.push('\n');
        out.push_str(&"  ".repeat(indent));
    };
    match &process.kind {
        ProcessKind::Delta => out.push_str("delta"),
        ProcessKind::Tau => out.push_str("tau"),
        ProcessKind::Named(term) => {
            let _ = write!(out, "{term}");
        }
        ProcessKind::Choice(a, b) => {
            write_process(a, Strength::Choice, indent, out);
            line(out);
            out.push_str("+ ");
            write_process(b, Strength::Parallel, indent + 1, out);
        }
        ProcessKind::Sequence(a, b) => {
            write_process(a, Strength::Basic, indent, out);
            out.push('.');
            write_process(b, Strength::Sequence, indent, out);
        }
        ProcessKind::Parallel(a, b) => parallel(a, "||", b, indent, out),
        ProcessKind::LeftMerge(a, b) => parallel(a, "||_", b, indent, out),
        ProcessKind::Communication(a, b) => parallel(a, "|", b, indent, out),
        ProcessKind::Condition(then, condition, otherwise) => {
            write_process(then, Strength::Sequence, indent + 1, out);
            line(out);
            let _ = write!(out, "<| {condition} |> ");
            write_process(otherwise, Strength::Condition, indent + 1, out);
        }
        ProcessKind::Sum(it, body) => {
            let _ = write!(out, "sum({}, ", variable(it));
            write_process(body, Strength::Choice, indent + 1, out);
            out.push(')');
        }
        ProcessKind::Encap(names, body) => operator("encap", &join(names, ", "), body, indent, out),
        ProcessKind::Hide(names, body) => operator("hide", &join(names, ", "), body, indent, out),
        ProcessKind::Rename(pairs, body) => {
            let pairs: Vec<_> =
                pairs.iter().map(|(old, new)| format!("{} -> {}", old.text, new.text)).collect();
            operator("rename", &pairs.join(", "), body, indent, out);
        }
    }
    if is_weak {
        out.push(')');
    }
}

/// Parallel operators group to the left, and only with their own kind.
fn parallel(a: &Process, mark: &str, b: &Process, indent: usize, out: &mut String) {
    let is_same = match &a.kind {
        ProcessKind::Parallel(..) => mark == "||",
        ProcessKind::LeftMerge(..) => mark == "||_",
        ProcessKind::Communication(..) => mark == "|",
        _ => true,
    };
    let least = if is_same { Strength::Parallel } else { Strength::Condition };
    write_process(a, least, indent, out);
    let _ = write!(out, " {mark} ");
    write_process(b, Strength::Condition, indent, out);
}

fn operator(word: &str, names: &str, body: &Process, indent: usize, out: &mut String) {
    let _ = write!(out, "{word}({{{names}}}, ");
    write_process(body, Strength::Choice, indent + 1, out);
    out.push(')');
}
