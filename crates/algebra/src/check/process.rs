//! Process equations: names resolved, every expression made a numbered position with the variables it can still use.

use super::Checker;
use super::data::{Scope, slots_of};
use crate::diagnostic::{DECLARED_TWICE, Diagnostic, UNKNOWN_NAME, WRONG_SORTS};
use crate::model::{Expr, Fate, Node, NodeId, NodeKind, Process, ProcessId, SortId, TAU};
use crate::tree::{Name, Process as Tree, ProcessKind, Specification, Term};
use foresee_text::Span;

impl Checker {
    pub(super) fn process_heads(&mut self, specification: &Specification) {
        for definition in &specification.processes {
            let parameters: Vec<_> =
                definition.parameters.iter().filter_map(|it| self.sort(&it.sort)).collect();
            let id = self.model.processes.len() as ProcessId;
            let name = &definition.name;
            let known = self.process_ids.entry(name.text.clone()).or_default();
            let is_twice =
                known.iter().any(|it| self.model.processes[*it as usize].parameters == parameters);
            known.push(id);
            if is_twice {
                let message =
                    format!("the process `{}` is defined twice for these sorts", name.text);
                self.problems.push(Diagnostic::error(DECLARED_TWICE, name.span, message));
            }
            if self.action_ids.contains_key(&name.text) {
                let message = format!("`{}` is an action and a process", name.text);
                self.problems.push(Diagnostic::error(DECLARED_TWICE, name.span, message));
            }
            let slots = definition.parameters.iter().map(|it| it.name.text.clone()).collect();
            let name = name.text.clone();
            self.model.processes.push(Process { name, parameters, slots, root: 0 });
        }
    }

    pub(super) fn process_bodies(&mut self, specification: &Specification) {
        for (id, definition) in specification.processes.iter().enumerate() {
            let id = id as ProcessId;
            let sorts = self.model.processes[id as usize].parameters.clone();
            if sorts.len() != definition.parameters.len() {
                continue;
            }
            let mut scope = Scope::new();
            for (slot, (parameter, sort)) in definition.parameters.iter().zip(sorts).enumerate() {
                let name = &parameter.name;
                if scope.iter().any(|it| it.0 == name.text) {
                    let message = format!("the parameter `{}` occurs twice", name.text);
                    self.report(Diagnostic::error(DECLARED_TWICE, name.span, message));
                }
                scope.push((name.text.clone(), sort, slot as u32));
            }
            let root = self.process(&definition.body, id, &mut scope);
            self.model.processes[id as usize].root = root;
        }
        let Some(init) = &specification.init else { return };
        let id = self.model.processes.len() as ProcessId;
        let (name, parameters, slots) = ("init".to_owned(), Vec::new(), Vec::new());
        let process = Process { name, parameters, slots, root: 0 };
        self.model.processes.push(process);
        self.model.init = self.process(init, id, &mut Scope::new());
        self.model.processes[id as usize].root = self.model.init;
    }

    fn process(&mut self, tree: &Tree, process: ProcessId, scope: &mut Scope) -> NodeId {
        let mut live = Vec::new();
        let kind = match &tree.kind {
            ProcessKind::Delta => NodeKind::Delta,
            ProcessKind::Tau => NodeKind::Tau,
            ProcessKind::Named(term) => self.named(term, scope, &mut live),
            ProcessKind::Choice(..) => return self.choice(tree, process, scope),
            ProcessKind::Sequence(..) => return self.sequence(tree, process, scope),
            ProcessKind::Parallel(a, b) => {
                self.two(a, b, process, scope, &mut live, NodeKind::Parallel)
            }
            ProcessKind::LeftMerge(a, b) => {
                self.two(a, b, process, scope, &mut live, NodeKind::LeftMerge)
            }
            ProcessKind::Communication(a, b) => {
                self.two(a, b, process, scope, &mut live, NodeKind::Communication)
            }
            ProcessKind::Condition(then, condition, otherwise) => {
                let condition = self.condition(condition, scope, &mut live);
                self.two(then, otherwise, process, scope, &mut live, |then, otherwise| {
                    NodeKind::Condition(then, condition, otherwise)
                })
            }
            ProcessKind::Sum(variable, body) => {
                let sort = self.sort(&variable.sort).unwrap_or_default();
                let slots = &mut self.model.processes[process as usize].slots;
                let slot = slots.len() as u32;
                slots.push(variable.name.text.clone());
                scope.push((variable.name.text.clone(), sort, slot));
                let body = self.one(body, process, scope, &mut live);
                scope.pop();
                live.retain(|it| *it != slot);
                NodeKind::Sum(slot, sort, body)
            }
            ProcessKind::Encap(names, body) => {
                let filter = self.filter(names, Fate::Blocked);
                NodeKind::Filter(filter, self.one(body, process, scope, &mut live))
            }
            ProcessKind::Hide(names, body) => {
                let filter = self.filter(names, Fate::Becomes(TAU));
                NodeKind::Filter(filter, self.one(body, process, scope, &mut live))
            }
            ProcessKind::Rename(pairs, body) => {
                let filter = self.renaming(pairs);
                NodeKind::Filter(filter, self.one(body, process, scope, &mut live))
            }
        };
        self.add(kind, process, live, tree.span)
    }

    fn add(
        &mut self,
        kind: NodeKind,
        process: ProcessId,
        mut live: Vec<u32>,
        span: Span,
    ) -> NodeId {
        live.sort_unstable();
        live.dedup();
        self.model.nodes.push(Node { kind, process, live: live.into(), span });
        self.model.nodes.len() as NodeId - 1
    }

    /// A choice of many becomes a balanced tree, however it was written: long choices are common, deep trees are not good.
    fn choice(&mut self, tree: &Tree, process: ProcessId, scope: &mut Scope) -> NodeId {
        let mut parts = Vec::new();
        let mut rest = vec![tree];
        while let Some(it) = rest.pop() {
            match &it.kind {
                ProcessKind::Choice(a, b) => rest.extend([&**b, &**a]),
                _ => parts.push(self.process(it, process, scope)),
            }
        }
        while parts.len() > 1 {
            let pairs: Vec<NodeId> = parts
                .chunks(2)
                .map(|it| match it {
                    [a, b] => self.join(*a, *b, NodeKind::Choice(*a, *b), tree.span),
                    it => it[0],
                })
                .collect();
            parts = pairs;
        }
        parts[0]
    }

    /// A long sequence is built from its end, each rest being a position.
    fn sequence(&mut self, tree: &Tree, process: ProcessId, scope: &mut Scope) -> NodeId {
        let mut firsts = Vec::new();
        let mut last = tree;
        while let ProcessKind::Sequence(first, then) = &last.kind {
            firsts.push((&**first, last.span));
            last = then;
        }
        let mut node = self.process(last, process, scope);
        for (first, span) in firsts.into_iter().rev() {
            let first = self.process(first, process, scope);
            node = self.join(first, node, NodeKind::Sequence(first, node), span);
        }
        node
    }

    /// A node of two, with the variables of both.
    fn join(&mut self, a: NodeId, b: NodeId, kind: NodeKind, span: Span) -> NodeId {
        let (a, b) = (self.model.node(a), self.model.node(b));
        let (process, live) = (a.process, [&a.live[..], &b.live[..]].concat());
        self.add(kind, process, live, span)
    }

    fn one(
        &mut self,
        tree: &Tree,
        process: ProcessId,
        scope: &mut Scope,
        live: &mut Vec<u32>,
    ) -> NodeId {
        let node = self.process(tree, process, scope);
        live.extend_from_slice(&self.model.node(node).live);
        node
    }

    fn two(
        &mut self,
        left: &Tree,
        right: &Tree,
        process: ProcessId,
        scope: &mut Scope,
        live: &mut Vec<u32>,
        make: impl FnOnce(NodeId, NodeId) -> NodeKind,
    ) -> NodeKind {
        let left = self.one(left, process, scope, live);
        let right = self.one(right, process, scope, live);
        make(left, right)
    }

    fn condition(&mut self, condition: &Term, scope: &Scope, live: &mut Vec<u32>) -> Expr {
        let Some((expr, sort)) = self.term(condition, scope) else { return Expr::Apply(0, vec![]) };
        if self.model.sorts[sort as usize].name != "Bool" {
            let name = &self.model.sorts[sort as usize].name;
            let message = format!("a condition is a Bool, this is a {name}");
            self.report(Diagnostic::error(WRONG_SORTS, condition.span, message));
        }
        slots_of(&expr, live);
        expr
    }

    /// An action or a call.
    fn named(&mut self, term: &Term, scope: &Scope, live: &mut Vec<u32>) -> NodeKind {
        let arguments: Vec<_> =
            term.arguments.iter().filter_map(|argument| self.term(argument, scope)).collect();
        if arguments.len() != term.arguments.len() {
            return NodeKind::Delta;
        }
        let (arguments, sorts): (Vec<_>, Vec<_>) = arguments.into_iter().unzip();
        arguments.iter().for_each(|it| slots_of(it, live));
        let actions = self.action_ids.get(&term.name).map_or(&[][..], Vec::as_slice);
        if let Some(id) = actions.iter().find(|it| self.model.actions[**it as usize].sorts == sorts)
        {
            return NodeKind::Action(*id, arguments);
        }
        let processes = self.process_ids.get(&term.name).map_or(&[][..], Vec::as_slice);
        let fits = |it: &&ProcessId| self.model.processes[**it as usize].parameters == sorts;
        if let Some(id) = processes.iter().find(fits) {
            return NodeKind::Call(*id, arguments);
        }
        let problem = self.unknown_process(term, &sorts);
        self.report(problem);
        NodeKind::Delta
    }

    fn unknown_process(&self, term: &Term, sorts: &[SortId]) -> Diagnostic {
        let name = &term.name;
        let actions = self.action_ids.get(name).into_iter().flatten();
        let actions = actions.map(|it| ("an action", &self.model.actions[*it as usize].sorts));
        let processes = self.process_ids.get(name).into_iter().flatten();
        let processes =
            processes.map(|it| ("a process", &self.model.processes[*it as usize].parameters));
        let declared: Vec<_> = actions.chain(processes).collect();
        if declared.is_empty() {
            let mut known: Vec<&str> =
                self.action_ids.keys().chain(self.process_ids.keys()).map(String::as_str).collect();
            known.sort_unstable();
            let message = format!("there is no action or process `{name}`");
            return Diagnostic::error(UNKNOWN_NAME, term.span, message).suggest(name, known);
        }
        let message = match self.model.sort_list(sorts) {
            list if list.is_empty() => format!("`{name}` needs arguments"),
            list => format!("`{name}` does not take ({list})"),
        };
        let problem = Diagnostic::error(WRONG_SORTS, term.span, message);
        declared.iter().fold(problem, |it, (what, sorts)| match self.model.sort_list(sorts) {
            list if list.is_empty() => it.help(format!("there is {what} `{name}` without data")),
            list => it.help(format!("there is {what} `{name}` of {list}")),
        })
    }

    fn filter(&mut self, names: &[Name], fate: Fate) -> u32 {
        let mut fates = self.unchanged();
        for name in names {
            for id in self.actions_named(name) {
                fates[id as usize] = fate;
            }
        }
        self.filters.push(fates);
        self.filters.len() as u32 - 1
    }

    fn renaming(&mut self, pairs: &[(Name, Name)]) -> u32 {
        let mut fates = self.unchanged();
        let mut seen: Vec<&str> = Vec::new();
        for (old, new) in pairs {
            if seen.contains(&old.text.as_str()) {
                let message = format!("`{}` is renamed twice", old.text);
                self.report(Diagnostic::error(DECLARED_TWICE, old.span, message));
            }
            seen.push(&old.text);
            for id in self.actions_named(old) {
                if let Some(renamed) = self.same_sorts(id, new) {
                    fates[id as usize] = Fate::Becomes(renamed);
                }
            }
        }
        self.filters.push(fates);
        self.filters.len() as u32 - 1
    }

    fn unchanged(&self) -> Vec<Fate> {
        (0..self.model.actions.len() as u32).map(Fate::Becomes).collect()
    }
}
