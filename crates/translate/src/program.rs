//! The functions of the program: which there are, which a call means, and which do something others can notice.
//! A function that reaches a server call, a cast, a reply, a send, a marked action or its own pid becomes a process; all
//! others become rewrite rules. The difference is found here, over the whole call graph.

use crate::walk::everything;
use foresee_erlang_syntax::tree::{Expr, ExprKind, Function, RecordDef};
use foresee_erlang_syntax::{Name, Parse, no_includes, parse_file};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) type ModuleId = usize;
pub(crate) type FunctionId = usize;

pub(crate) struct Program {
    pub(crate) modules: Vec<Module>,
    pub(crate) functions: Vec<Known>,
    index: BTreeMap<(String, String, usize), FunctionId>,
}

pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) parse: Parse,
    /// Functions that stand for actions: `-foresee_actions([use/1])`.
    actions: BTreeSet<(String, usize)>,
    imports: BTreeMap<(String, usize), String>,
}

/// A function with a text.
pub(crate) struct Known {
    pub(crate) module: ModuleId,
    pub(crate) tree: Function,
    /// Others can notice that it ran, or it needs to know its own process.
    pub(crate) is_effectful: bool,
    /// It can call itself, directly or not.
    pub(crate) is_recursive: bool,
    calls: BTreeSet<FunctionId>,
}

/// What a call means.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Target {
    /// A function with a text.
    Function(FunctionId),
    /// A function whose calls are actions.
    Marked(String),
    /// Module, function; built in or unknown.
    Other(String, String),
    /// The function is computed.
    Computed,
}

impl Program {
    pub(crate) fn new(parses: &[Parse]) -> Program {
        let mut parses = parses.to_vec();
        let is_lists = |it: &Parse| it.module.name.as_ref().is_some_and(|it| it.name == "lists");
        if !parses.iter().any(is_lists) {
            let text = include_str!("library/lists.erl");
            parses.push(parse_file("lists.erl", text, &Default::default(), &mut no_includes));
        }
        let mut program =
            Program { modules: Vec::new(), functions: Vec::new(), index: BTreeMap::new() };
        parses.into_iter().for_each(|it| program.add(it));
        program.find_calls();
        program.find_effects();
        program.find_recursion();
        program
    }

    fn add(&mut self, parse: Parse) {
        let module = self.modules.len();
        let name = parse.module.name.as_ref().map_or(String::new(), |it| it.name.to_string());
        for tree in parse.module.functions() {
            let key = (name.clone(), tree.name.name.to_string(), tree.arity as usize);
            self.index.insert(key, self.functions.len());
            self.functions.push(Known {
                module,
                tree: tree.clone(),
                is_effectful: false,
                is_recursive: false,
                calls: BTreeSet::new(),
            });
        }
        let actions = parse.module.attributes("foresee_actions").flat_map(marked).collect();
        let imports = parse
            .module
            .imports()
            .map(|(from, it)| ((it.name.to_string(), it.arity as usize), from.name.to_string()))
            .collect();
        self.modules.push(Module { name, parse, actions, imports });
    }

    pub(crate) fn find(&self, module: &str, function: &str, arity: usize) -> Option<FunctionId> {
        self.index.get(&(module.to_owned(), function.to_owned(), arity)).copied()
    }

    pub(crate) fn record(&self, module: ModuleId, name: &Name) -> Option<&RecordDef> {
        self.modules[module].parse.module.records().find(|it| it.name.name == *name)
    }

    /// `module:function/arity`.
    pub(crate) fn title(&self, id: FunctionId) -> String {
        let it = &self.functions[id];
        format!("{}:{}/{}", self.modules[it.module].name, it.tree.name.name, it.tree.arity)
    }

    /// What a call in `module` means.
    pub(crate) fn target(&self, module: ModuleId, target: &Expr, arity: usize) -> Target {
        let own = &self.modules[module];
        let (of, function) = match &target.kind {
            ExprKind::Atom(function) => {
                let key = (function.to_string(), arity);
                let is_own = self.find(&own.name, function, arity).is_some();
                match own.imports.get(&key) {
                    _ if is_own => (own.name.as_str(), function),
                    Some(from) => (from.as_str(), function),
                    None => ("erlang", function),
                }
            }
            ExprKind::Remote { module, function } => {
                let (Some(module), Some(function)) = (module.as_atom(), function.as_atom()) else {
                    return Target::Computed;
                };
                (module.as_str(), function)
            }
            _ => return Target::Computed,
        };
        let is_marked =
            |it: &&Module| it.name == of && it.actions.contains(&(function.to_string(), arity));
        if self.modules.iter().any(|it| is_marked(&it)) {
            return Target::Marked(function.to_string());
        }
        match self.find(of, function, arity) {
            Some(id) => Target::Function(id),
            None => Target::Other(of.to_owned(), function.to_string()),
        }
    }

    /// Whether evaluating an expression of `module` is something others can notice. To know one's own pid is not, for a
    /// process; but a function that asks for it must be one.
    pub(crate) fn is_effectful(&self, module: ModuleId, expr: &Expr) -> bool {
        let mut found = false;
        everything(expr, &mut |it| found = found || (self.is_effect(module, it) && !is_self(it)));
        found
    }

    fn is_effect(&self, module: ModuleId, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call { target, args } => match self.target(module, target, args.len()) {
                Target::Function(id) => self.functions[id].is_effectful,
                Target::Marked(_) => true,
                Target::Other(of, function) => is_effect(&of, &function, args.len()),
                Target::Computed => false,
            },
            ExprKind::Binary2 { op, .. } => *op == foresee_erlang_syntax::tree::BinaryOp::Send,
            _ => false,
        }
    }

    fn find_calls(&mut self) {
        for id in 0..self.functions.len() {
            let mut calls = BTreeSet::new();
            let module = self.functions[id].module;
            self.in_function(id, &mut |it| {
                if let ExprKind::Call { target, args } = &it.kind
                    && let Target::Function(called) = self.target(module, target, args.len())
                {
                    calls.insert(called);
                }
            });
            self.functions[id].calls = calls;
        }
    }

    fn in_function<'p>(&'p self, id: FunctionId, see: &mut dyn FnMut(&'p Expr)) {
        for clause in &self.functions[id].tree.clauses {
            clause.body.iter().for_each(|it| everything(it, see));
        }
    }

    fn find_effects(&mut self) {
        loop {
            let mut changed = false;
            for id in 0..self.functions.len() {
                let module = self.functions[id].module;
                let mut found = false;
                self.in_function(id, &mut |it| found = found || self.is_effect(module, it));
                changed |= found && !self.functions[id].is_effectful;
                self.functions[id].is_effectful = found;
            }
            if !changed {
                return;
            }
        }
    }

    fn find_recursion(&mut self) {
        for id in 0..self.functions.len() {
            let mut seen = BTreeSet::new();
            let mut todo: Vec<FunctionId> = self.functions[id].calls.iter().copied().collect();
            while let Some(it) = todo.pop() {
                if seen.insert(it) {
                    todo.extend(&self.functions[it].calls);
                }
            }
            self.functions[id].is_recursive = seen.contains(&id);
        }
    }

    /// Whether a module calls this built-in function anywhere.
    pub(crate) fn uses(&self, module: &str, function: &str) -> bool {
        (0..self.functions.len()).any(|id| {
            let known = &self.functions[id];
            let mut found = false;
            self.in_function(id, &mut |it| {
                if let ExprKind::Call { target, args } = &it.kind {
                    let other = Target::Other("erlang".to_owned(), function.to_owned());
                    found = found || self.target(known.module, target, args.len()) == other;
                }
            });
            found && self.modules[known.module].name == module
        })
    }

    /// Every atom of the program's functions, for choosing names that are free.
    pub(crate) fn atoms(&self) -> BTreeSet<String> {
        let mut atoms = BTreeSet::new();
        for known in &self.functions {
            for clause in &known.tree.clauses {
                let guards = clause.guard.iter().flatten();
                clause
                    .patterns
                    .iter()
                    .chain(guards)
                    .chain(&clause.body)
                    .for_each(|it| atoms_in(it, &mut atoms));
            }
        }
        for record in self.modules.iter().flat_map(|it| it.parse.module.records()) {
            atoms.insert(record.name.name.to_string());
            record
                .fields
                .iter()
                .filter_map(|it| it.default.as_ref())
                .for_each(|it| atoms_in(it, &mut atoms));
        }
        atoms
    }
}

/// The atoms that are values, not names of functions that are called.
fn atoms_in(expr: &Expr, atoms: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Atom(name) => {
            atoms.insert(name.to_string());
        }
        ExprKind::Call { target, args } if !matches!(target.kind, ExprKind::Var(_)) => {
            args.iter().for_each(|it| atoms_in(it, atoms));
        }
        ExprKind::Record { name, .. } => {
            atoms.insert(name.name.to_string());
            crate::walk::parts(expr, &mut |it| atoms_in(it, atoms));
        }
        _ => crate::walk::parts(expr, &mut |it| atoms_in(it, atoms)),
    }
}

fn is_effect(module: &str, function: &str, arity: usize) -> bool {
    matches!(
        (module, function, arity),
        ("gen_server", "call", 2 | 3)
            | ("gen_server", "cast" | "reply", 2)
            | ("erlang", "self", 0)
            | ("erlang", "send", 2)
            | ("foresee", "action", 2)
    )
}

fn is_self(expr: &Expr) -> bool {
    let ExprKind::Call { target, args } = &expr.kind else { return false };
    let function = match &target.kind {
        ExprKind::Remote { function, .. } => function,
        _ => target,
    };
    args.is_empty() && function.as_atom().is_some_and(|it| *it == "self")
}

/// The entries of `-foresee_actions([f/1, g/0])`.
fn marked(value: &Expr) -> Vec<(String, usize)> {
    let ExprKind::List { elements, .. } = &value.kind else { return Vec::new() };
    let entry = |it: &Expr| match &it.kind {
        ExprKind::Binary2 { op, left, right, .. } if op.text() == "/" => {
            let ExprKind::Integer(arity) = &right.kind else { return None };
            Some((left.as_atom()?.to_string(), arity.to_i64()? as usize))
        }
        ExprKind::Tuple(parts) => match &parts[..] {
            [name, Expr { kind: ExprKind::Integer(arity), .. }] => {
                Some((name.as_atom()?.to_string(), arity.to_i64()? as usize))
            }
            _ => None,
        },
        _ => None,
    };
    elements.iter().filter_map(entry).collect()
}

impl Program {
    /// Whether a function calls those that can call it back only as the last thing it does, and they do too.
    pub(crate) fn recurses_last(&self, id: FunctionId) -> bool {
        let circle: Vec<FunctionId> = (0..self.functions.len())
            .filter(|other| self.reaches(id, *other) && self.reaches(*other, id))
            .collect();
        circle.iter().all(|member| {
            let known = &self.functions[*member];
            let is_inside = |it: &Expr| match &it.kind {
                ExprKind::Call { target, args } => {
                    let target = self.target(known.module, target, args.len());
                    matches!(target, Target::Function(called) if circle.contains(&called))
                }
                _ => false,
            };
            let mut n_calls = 0;
            self.in_function(*member, &mut |it| n_calls += usize::from(is_inside(it)));
            let mut n_last = 0;
            for clause in &known.tree.clauses {
                last_calls(&clause.body, &mut |it| n_last += usize::from(is_inside(it)));
            }
            n_calls == n_last
        })
    }

    fn reaches(&self, from: FunctionId, to: FunctionId) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<FunctionId> = self.functions[from].calls.iter().copied().collect();
        while let Some(it) = todo.pop() {
            if it == to {
                return true;
            }
            if seen.insert(it) {
                todo.extend(&self.functions[it].calls);
            }
        }
        false
    }
}

/// The calls that a body may end with.
fn last_calls<'e>(body: &'e [Expr], see: &mut dyn FnMut(&'e Expr)) {
    let Some(last) = body.last() else { return };
    match &last.kind {
        ExprKind::Call { .. } => see(last),
        ExprKind::Block(body) => last_calls(body, see),
        ExprKind::If(clauses) | ExprKind::Case { clauses, .. } => {
            clauses.iter().for_each(|it| last_calls(&it.body, see));
        }
        _ => {}
    }
}
