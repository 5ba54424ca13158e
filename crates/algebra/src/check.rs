//! Tree to model: every name found, every sort right, communication a function, recursion guarded.
//! Everything wrong is collected; a model comes out only when nothing is.
//! `check/data.rs` has terms and rules, `check/process.rs` process equations, `check/communication.rs` the rest of `comm`.

mod communication;
mod data;
mod guard;
mod process;

use crate::diagnostic::{DECLARED_TWICE, Diagnostic, NO_INIT, UNKNOWN_NAME, WRONG_SORTS};
use crate::model::{Action, ActionId, Fate, Model, ProcessId, Sort, SortId, Symbol, SymbolId};
use crate::tree::{Name, Specification};
use foresee_text::Span;
use rustc_hash::FxHashMap;

/// A model and the tables of its `encap`, `hide` and `rename`.
pub(crate) struct Checked {
    pub(crate) model: Model,
    pub(crate) filters: Vec<Vec<Fate>>,
}

pub(crate) fn check(specification: &Specification) -> Result<Checked, Vec<Diagnostic>> {
    let mut checker = Checker::default();
    checker.sorts(specification);
    checker.functions(specification);
    checker.actions(specification);
    checker.rules(specification);
    checker.communications(specification);
    checker.process_heads(specification);
    checker.process_bodies(specification);
    if specification.init.is_none() {
        let problem = Diagnostic::error(NO_INIT, Span::NONE, "there is no `init`")
            .help("end the text with `init` and the process to start with");
        checker.problems.push(problem);
    }
    if checker.problems.is_empty() {
        checker.guardedness();
    }
    if checker.problems.is_empty() {
        Ok(Checked { model: checker.model, filters: checker.filters })
    } else {
        Err(checker.problems)
    }
}

#[derive(Default)]
struct Checker {
    model: Model,
    filters: Vec<Vec<Fate>>,
    sort_ids: FxHashMap<String, SortId>,
    symbol_ids: FxHashMap<String, Vec<SymbolId>>,
    action_ids: FxHashMap<String, Vec<ActionId>>,
    process_ids: FxHashMap<String, Vec<ProcessId>>,
    problems: Vec<Diagnostic>,
}

impl Checker {
    fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    fn sorts(&mut self, specification: &Specification) {
        let declares_bool = specification.sorts.iter().any(|name| name.text == "Bool");
        if !declares_bool {
            self.add_sort(&Name::from("Bool"));
        }
        for name in &specification.sorts {
            self.add_sort(name);
        }
    }

    fn add_sort(&mut self, name: &Name) {
        let id = self.model.sorts.len() as SortId;
        if self.sort_ids.contains_key(&name.text) {
            let message = format!("the sort `{}` is declared twice", name.text);
            return self.report(Diagnostic::error(DECLARED_TWICE, name.span, message));
        }
        self.sort_ids.insert(name.text.clone(), id);
        let sort = Sort { name: name.text.clone(), constructors: Vec::new(), is_finite: false };
        self.model.sorts.push(sort);
    }

    fn functions(&mut self, specification: &Specification) {
        // `T` and `F` belong to `Bool` whether or not they are declared.
        for truth in ["T", "F"] {
            let is_declared = |it: &crate::tree::Function| {
                it.name.text == truth && it.arguments.is_empty() && it.result.text == "Bool"
            };
            if !specification.functions.iter().any(is_declared) {
                self.add_symbol(&Name::from(truth), Vec::new(), self.sort_ids["Bool"], true);
            }
        }
        for function in &specification.functions {
            let arguments: Vec<_> =
                function.arguments.iter().filter_map(|name| self.sort(name)).collect();
            let result = self.sort(&function.result);
            let Some(result) = result.filter(|_| arguments.len() == function.arguments.len())
            else {
                continue;
            };
            self.add_symbol(&function.name, arguments, result, function.is_constructor);
        }
        let truth = |checker: &Checker, name: &str| {
            let known = checker.symbol_ids.get(name).into_iter().flatten();
            known.copied().find(|id| checker.model.symbol(*id).arguments.is_empty())
        };
        self.model.true_symbol = truth(self, "T").unwrap_or_default();
        self.model.false_symbol = truth(self, "F").unwrap_or_default();
        self.finite_sorts();
    }

    fn add_symbol(
        &mut self,
        name: &Name,
        arguments: Vec<SortId>,
        result: SortId,
        is_constructor: bool,
    ) {
        let id = self.model.symbols.len() as SymbolId;
        let known = self.symbol_ids.entry(name.text.clone()).or_default();
        let twice =
            known.iter().find(|it| self.model.symbols[**it as usize].arguments == arguments);
        if let Some(first) = twice {
            let first = self.model.symbols[*first as usize].span;
            let message = format!("the function `{}` is declared twice for these sorts", name.text);
            let problem = Diagnostic::error(DECLARED_TWICE, name.span, message);
            return self.report(problem.also(first, "first declared here"));
        }
        known.push(id);
        if is_constructor {
            self.model.sorts[result as usize].constructors.push(id);
        }
        let is_equality = name.text == "eq"
            && !is_constructor
            && arguments.len() == 2
            && arguments[0] == arguments[1]
            && result == self.sort_ids["Bool"];
        let (name, span) = (name.text.clone(), name.span);
        let symbol = Symbol { name, arguments, result, is_free: is_constructor, is_equality, span };
        self.model.symbols.push(symbol);
    }

    /// A sort is finite when its constructors take only arguments of sorts already known to be finite.
    fn finite_sorts(&mut self) {
        loop {
            let found = self.model.sorts.iter().position(|sort| {
                let takes_finite = |id: &SymbolId| {
                    let arguments = &self.model.symbols[*id as usize].arguments;
                    arguments.iter().all(|it| self.model.sorts[*it as usize].is_finite)
                };
                !sort.is_finite
                    && !sort.constructors.is_empty()
                    && sort.constructors.iter().all(takes_finite)
            });
            match found {
                Some(sort) => self.model.sorts[sort].is_finite = true,
                None => return,
            }
        }
    }

    fn actions(&mut self, specification: &Specification) {
        let tau = Action { name: "tau".to_owned(), sorts: Vec::new(), span: Span::NONE };
        self.model.actions.push(tau);
        for action in &specification.actions {
            let sorts: Vec<_> = action.sorts.iter().filter_map(|name| self.sort(name)).collect();
            if sorts.len() != action.sorts.len() {
                continue;
            }
            let id = self.model.actions.len() as ActionId;
            let known = self.action_ids.entry(action.name.text.clone()).or_default();
            if known.iter().any(|it| self.model.actions[*it as usize].sorts == sorts) {
                let message =
                    format!("the action `{}` is declared twice for these sorts", action.name.text);
                self.problems.push(Diagnostic::error(DECLARED_TWICE, action.name.span, message));
                continue;
            }
            known.push(id);
            let (name, span) = (action.name.text.clone(), action.name.span);
            self.model.actions.push(Action { name, sorts, span });
        }
    }

    fn sort(&mut self, name: &Name) -> Option<SortId> {
        if let Some(id) = self.sort_ids.get(&name.text) {
            return Some(*id);
        }
        let message = format!("there is no sort `{}`", name.text);
        let mut known: Vec<&str> = self.sort_ids.keys().map(String::as_str).collect();
        known.sort_unstable();
        let problem =
            Diagnostic::error(UNKNOWN_NAME, name.span, message).suggest(&name.text, known);
        self.report(problem);
        None
    }

    /// The actions of a name, in `encap`, `hide`, `rename` and `comm`.
    fn actions_named(&mut self, name: &Name) -> Vec<ActionId> {
        if let Some(ids) = self.action_ids.get(&name.text) {
            return ids.clone();
        }
        let message = format!("there is no action `{}`", name.text);
        let mut known: Vec<&str> = self.action_ids.keys().map(String::as_str).collect();
        known.sort_unstable();
        let problem =
            Diagnostic::error(UNKNOWN_NAME, name.span, message).suggest(&name.text, known);
        self.report(problem);
        Vec::new()
    }

    /// What an action becomes under another name: the action of that name with the same sorts.
    fn same_sorts(&mut self, id: ActionId, name: &Name) -> Option<ActionId> {
        let sorts = self.model.actions[id as usize].sorts.clone();
        let found = self.actions_named(name);
        let same = found.iter().find(|it| self.model.actions[**it as usize].sorts == sorts);
        if let (None, false) = (same, found.is_empty()) {
            let old = &self.model.actions[id as usize].name;
            let sorts = match self.model.sort_list(&sorts) {
                list if list.is_empty() => "without data".to_owned(),
                list => format!("of {list}"),
            };
            let message = format!("`{old}` is an action {sorts}, `{}` is not", name.text);
            let span = self.model.actions[id as usize].span;
            let problem = Diagnostic::error(WRONG_SORTS, name.span, message);
            self.report(problem.also(span, "declared here"));
            return None;
        }
        same.copied()
    }
}
