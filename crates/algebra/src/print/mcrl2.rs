//! A tree as mCRL2 text, for the tools of that language.
//! Differences that matter: mCRL2's `||` makes multi-actions, so each parallel composition is wrapped in `comm` (which
//! joins what communicates) and `allow` (which forbids the rest); blocking right around it becomes part of `allow`. An
//! action may stand on the left of one communication only, so communications that share one are nested. `T` and `F` are
//! `true` and `false`, an equality without rules is `==` of a `struct`, and names that mCRL2 does not allow get others.
//! No component has a `tau`: in mCRL2 `tau | a = a`, so an internal step of one component could happen together with a
//! step of another and look like that one alone, which muCRL does not have. Internal steps are an action with a name, which
//! no communication joins and every `allow` lets through alone; it is hidden around everything. Then a multi-action of two
//! components is two actions or more, and `allow` lets it through only if `comm` made one of it: as in muCRL.

use super::internal::Internal;
use super::names::Names;
use crate::check::{self, Checked};
use crate::diagnostic::Diagnostic;
use crate::tree::{Function, Name, Process, ProcessKind, Specification, Term, Variable};
use std::fmt::Write;

impl Specification {
    /// The specification as mCRL2, or what is wrong with it.
    ///
    /// ```
    /// let text = "act a, b, c comm a | b = c proc P = a.P Q = b.Q init encap({a, b}, P || Q)";
    /// let mcrl2 = foresee_algebra::parse(text).specification.to_mcrl2().unwrap();
    /// assert!(mcrl2.contains("allow({c}, comm({a | b -> c}, P || Q))"));
    /// ```
    pub fn to_mcrl2(&self) -> Result<String, Vec<Diagnostic>> {
        let checked = check::check(self)?;
        let mut out = String::new();
        let printer = Printer {
            specification: self,
            names: Names::new(self),
            layers: layers(self),
            internal: Internal::of(self),
        };
        printer.data(&checked, &mut out);
        printer.actions(&mut out);
        printer.processes(&mut out);
        Ok(out)
    }
}

struct Printer<'a> {
    specification: &'a Specification,
    names: Names,
    /// Communications in groups that share no action, innermost first.
    layers: Vec<Vec<&'a crate::tree::Communication>>,
    internal: Internal,
}

impl Printer<'_> {
    fn data(&self, checked: &Checked, out: &mut String) {
        let spec = self.specification;
        let sorts: Vec<_> = spec.sorts.iter().filter(|it| it.text != "Bool").collect();
        let structured = self.structured(checked);
        if !sorts.is_empty() {
            out.push_str("sort\n");
            for it in sorts {
                let _ = match structured.contains(&it.text.as_str()) {
                    true => writeln!(
                        out,
                        "  {} = struct {};",
                        self.name(&it.text),
                        self.constructors(it)
                    ),
                    false => writeln!(out, "  {};", self.name(&it.text)),
                };
            }
        }
        let is_bool = |it: &&Function| it.result.text == "Bool";
        let is_truth = |it: &&Function| {
            is_bool(it) && it.arguments.is_empty() && matches!(it.name.text.as_str(), "T" | "F")
        };
        let known: Vec<_> = spec.functions.iter().filter(|it| !is_truth(it)).collect();
        let (constructors, maps): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|it| it.is_constructor && !is_bool(it));
        let is_apart = |it: &&Function| !structured.contains(&it.result.text.as_str());
        let constructors: Vec<_> = constructors.into_iter().filter(is_apart).collect();
        self.functions("cons", &constructors, out);
        self.functions("map", &maps, out);
        for rule in &spec.rules {
            if !rule.variables.is_empty() {
                let variables: Vec<_> = rule.variables.iter().map(|it| self.variable(it)).collect();
                let _ = writeln!(out, "var\n  {};", variables.join("; "));
            }
            let _ = writeln!(out, "eqn\n  {} = {};", self.term(&rule.left), self.term(&rule.right));
        }
        for symbol in checked.model.symbols.iter().filter(|it| it.is_equality) {
            let sort = self.name(&checked.model.sorts[symbol.arguments[0] as usize].name);
            let _ = writeln!(
                out,
                "var\n  x_, y_: {sort};\neqn\n  {}(x_, y_) = x_ == y_;",
                self.name("eq")
            );
        }
    }

    /// Sorts with an equality that has no rules: mCRL2 decides `==` only for sorts whose constructors are known to build
    /// different values, and that is what `struct` says. Its constructors must have different names.
    fn structured(&self, checked: &Checked) -> Vec<&str> {
        let spec = self.specification;
        let of = |sort: &str| {
            let all = spec.functions.iter().filter(move |it| it.is_constructor);
            all.filter(|it| it.result.text == sort)
                .map(|it| it.name.text.as_str())
                .collect::<Vec<_>>()
        };
        let is_structured = |sort: &&str| {
            let mut names = of(sort);
            let n = names.len();
            names.sort_unstable();
            names.dedup();
            let is_compared = checked.model.symbols.iter().any(|it| {
                it.is_equality && checked.model.sorts[it.arguments[0] as usize].name == **sort
            });
            is_compared && n > 0 && names.len() == n
        };
        spec.sorts
            .iter()
            .map(|it| it.text.as_str())
            .filter(|it| *it != "Bool")
            .filter(is_structured)
            .collect()
    }

    /// The constructors of a sort, as in a `struct`.
    fn constructors(&self, sort: &Name) -> String {
        let all = self
            .specification
            .functions
            .iter()
            .filter(|it| it.is_constructor && it.result == *sort);
        let texts = all.map(|it| {
            let name = self.name(&it.name.text);
            if it.arguments.is_empty() {
                return name.to_owned();
            }
            let sorts: Vec<_> = it.arguments.iter().map(|it| self.name(&it.text)).collect();
            format!("{name}({})", sorts.join(", "))
        });
        texts.collect::<Vec<_>>().join(" | ")
    }

    fn functions(&self, section: &str, functions: &[&Function], out: &mut String) {
        if !functions.is_empty() {
            let _ = writeln!(out, "{section}");
        }
        for it in functions {
            let sorts: Vec<_> = it.arguments.iter().map(|name| self.name(&name.text)).collect();
            let arrow =
                if sorts.is_empty() { String::new() } else { format!("{} -> ", sorts.join(" # ")) };
            let _ = writeln!(
                out,
                "  {}: {arrow}{};",
                self.name(&it.name.text),
                self.name(&it.result.text)
            );
        }
    }

    fn actions(&self, out: &mut String) {
        if !self.specification.actions.is_empty() {
            out.push_str("act\n");
        }
        for it in &self.specification.actions {
            let sorts: Vec<_> = it.sorts.iter().map(|name| self.name(&name.text)).collect();
            let colon = if sorts.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "  {}{colon}{};", self.name(&it.name.text), sorts.join(" # "));
        }
        self.internal_actions(out);
    }

    /// The named internal step, with the sorts of every action that becomes one.
    fn internal_actions(&self, out: &mut String) {
        if !self.internal.is_needed() {
            return;
        }
        if self.specification.actions.is_empty() {
            out.push_str("act\n");
        }
        let hidden = self.specification.actions.iter().filter(|it| self.internal.hides(&it.name));
        let mut sorts: Vec<Vec<&str>> =
            hidden.map(|it| it.sorts.iter().map(|name| self.name(&name.text)).collect()).collect();
        sorts.push(Vec::new());
        sorts.sort();
        sorts.dedup();
        for sorts in sorts {
            let colon = if sorts.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "  {}{colon}{};", self.internal.name, sorts.join(" # "));
        }
    }

    fn processes(&self, out: &mut String) {
        if !self.specification.processes.is_empty() {
            out.push_str("proc\n");
        }
        for it in &self.specification.processes {
            let parameters: Vec<_> = it.parameters.iter().map(|it| self.variable(it)).collect();
            let parameters = if parameters.is_empty() {
                String::new()
            } else {
                format!("({})", parameters.join(", "))
            };
            let body = self.process(&it.body);
            let _ = writeln!(out, "  {}{parameters} =\n    {body};", self.name(&it.name.text));
        }
        if let Some(init) = &self.specification.init {
            let _ = writeln!(out, "init\n  {};", self.outermost(init));
        }
    }

    /// The initial process, with internal steps hidden around everything.
    fn outermost(&self, init: &Process) -> String {
        match (&init.kind, self.internal.is_needed()) {
            (_, false) => self.spine(init),
            (ProcessKind::Hide(names, body), true) => {
                let comma = if names.is_empty() { "" } else { ", " };
                let names = format!("{}{comma}{}", self.list(names), self.internal.name);
                format!("hide({{{names}}}, {})", self.spine(body))
            }
            _ => format!("hide({{{}}}, {})", self.internal.name, self.spine(init)),
        }
    }

    /// What stands around all components: here a hidden action may be `tau`, since nothing is beside it.
    fn spine(&self, process: &Process) -> String {
        match &process.kind {
            ProcessKind::Hide(names, body) => {
                format!("hide({{{}}}, {})", self.list(names), self.spine(body))
            }
            ProcessKind::Encap(names, body) if self.side_by_side(&body.kind).is_none() => {
                format!("block({{{}}}, {})", self.list(names), self.spine(body))
            }
            ProcessKind::Rename(pairs, body) => self.renamed(pairs, &self.spine(body)),
            _ => self.process(process),
        }
    }

    fn renamed(&self, pairs: &[(Name, Name)], body: &str) -> String {
        let pair = |(old, new): &(Name, Name)| {
            format!("{} -> {}", self.name(&old.text), self.name(&new.text))
        };
        let pairs: Vec<_> = pairs.iter().map(pair).collect();
        format!("rename({{{}}}, {body})", pairs.join(", "))
    }

    fn process(&self, process: &Process) -> String {
        match &process.kind {
            ProcessKind::Delta => "delta".to_owned(),
            ProcessKind::Tau => self.internal.name.clone(),
            ProcessKind::Named(term) => self.term(term),
            ProcessKind::Choice(a, b) => {
                // A choice groups to the left without parentheses.
                let left = if matches!(a.kind, ProcessKind::Choice(..)) {
                    self.process(a)
                } else {
                    self.part(a)
                };
                format!("{left}\n    + {}", self.part(b))
            }
            ProcessKind::Sequence(a, b) => {
                let right = if matches!(b.kind, ProcessKind::Sequence(..)) {
                    self.process(b)
                } else {
                    self.part(b)
                };
                format!("{} . {right}", self.part(a))
            }
            ProcessKind::Condition(then, condition, otherwise) => {
                let (then, otherwise) = (self.part(then), self.part(otherwise));
                format!("({}) -> {then} <> {otherwise}", self.term(condition))
            }
            ProcessKind::Sum(it, body) => {
                format!("sum {} . {}", self.variable(it), self.part(body))
            }
            ProcessKind::Encap(names, body) => match self.side_by_side(&body.kind) {
                Some(inside) => self.wrapped(names, &inside),
                None => format!("block({{{}}}, {})", self.list(names), self.process(body)),
            },
            ProcessKind::Hide(names, body) => {
                let internal = &self.internal.name;
                let pairs: Vec<_> = names
                    .iter()
                    .map(|it| format!("{} -> {internal}", self.name(&it.text)))
                    .collect();
                format!("rename({{{}}}, {})", pairs.join(", "), self.process(body))
            }
            ProcessKind::Rename(pairs, body) => self.renamed(pairs, &self.process(body)),
            kind => {
                let inside = self.side_by_side(kind).expect("only parallel operators are left");
                self.wrapped(&[], &inside)
            }
        }
    }

    /// An expression inside another.
    fn part(&self, process: &Process) -> String {
        let text = self.process(process);
        match process.kind {
            ProcessKind::Choice(..)
            | ProcessKind::Sequence(..)
            | ProcessKind::Condition(..)
            | ProcessKind::Sum(..) => format!("({text})"),
            _ => text,
        }
    }

    /// What stands side by side, without `comm` and `allow`.
    fn side_by_side(&self, kind: &ProcessKind) -> Option<String> {
        let (a, mark, b) = match kind {
            ProcessKind::Parallel(a, b) => (a, "||", b),
            ProcessKind::LeftMerge(a, b) => (a, "||_", b),
            ProcessKind::Communication(a, b) => (a, "|", b),
            _ => return None,
        };
        let inner = |it: &Process| match (&it.kind, mark) {
            (ProcessKind::Parallel(..), "||") => self.side_by_side(&it.kind).expect("is parallel"),
            _ => self.part(it),
        };
        Some(format!("{} {mark} {}", inner(a), inner(b)))
    }

    fn wrapped(&self, blocked: &[Name], inside: &str) -> String {
        let mut text = inside.to_owned();
        for layer in &self.layers {
            let pairs: Vec<_> = layer
                .iter()
                .map(|it| {
                    let [a, b, c] = [&it.left, &it.right, &it.result].map(|it| self.name(&it.text));
                    format!("{a} | {b} -> {c}")
                })
                .collect();
            text = format!("comm({{{}}}, {text})", pairs.join(", "));
        }
        let mut allowed: Vec<&str> = Vec::new();
        for it in &self.specification.actions {
            let name = self.name(&it.name.text);
            if !blocked.contains(&it.name) && !allowed.contains(&name) {
                allowed.push(name);
            }
        }
        if self.internal.is_needed() {
            allowed.push(&self.internal.name);
        }
        format!("allow({{{}}}, {text})", allowed.join(", "))
    }

    fn term(&self, term: &Term) -> String {
        let name = self.name(&term.name).to_owned();
        if term.arguments.is_empty() {
            return name;
        }
        let arguments: Vec<_> = term.arguments.iter().map(|it| self.term(it)).collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn variable(&self, it: &Variable) -> String {
        format!("{}: {}", self.name(&it.name.text), self.name(&it.sort.text))
    }

    fn list(&self, names: &[Name]) -> String {
        names.iter().map(|it| self.name(&it.text)).collect::<Vec<_>>().join(", ")
    }

    fn name<'n>(&'n self, name: &'n str) -> &'n str {
        self.names.get(name)
    }
}

/// Groups of communications without common operands; a communication comes after those whose results it joins.
fn layers(specification: &Specification) -> Vec<Vec<&crate::tree::Communication>> {
    let all = &specification.communications;
    let mut layers: Vec<Vec<&crate::tree::Communication>> = Vec::new();
    for it in all {
        let operands = [&it.left, &it.right];
        let shares = |other: &&crate::tree::Communication| {
            operands.iter().any(|name| [&other.left, &other.right].contains(name))
        };
        let feeds = |other: &&crate::tree::Communication| operands.contains(&&other.result);
        let first = layers.iter().rposition(|layer| layer.iter().any(feeds)).map_or(0, |at| at + 1);
        match (first..layers.len()).find(|at| !layers[*at].iter().any(shares)) {
            Some(at) => layers[at].push(it),
            None => layers.push(vec![it]),
        }
    }
    layers
}
