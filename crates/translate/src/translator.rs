//! What a translation carries with it: the program, the names given, what has been built and what is still to do.
//! Values are in `value`, `pattern` and `function`; what processes do is in `process` and its neighbours; `assemble` puts
//! the parts together.

use crate::diagnostic::{Diagnostic, problem};
use crate::instance::{Instance, Key};
use crate::names::{Names, encode};
use crate::options::Options;
use crate::program::{FunctionId, ModuleId, Program};
use crate::supervision::Child;
use crate::terms::constant;
use foresee_algebra::{Process, ProcessDefinition, Rule, Term, Variable};
use foresee_erlang_syntax::{Code, Name, Span};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Erlang variables and what they stand for.
pub(crate) type Environment = BTreeMap<Name, Term>;

/// Where an expression stands.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) module: ModuleId,
    pub(crate) environment: Environment,
    /// The process that evaluates it, where there is one.
    pub(crate) own_pid: Option<Term>,
    /// Functions made for parts of the expression are named after this.
    pub(crate) owner: String,
}

pub(crate) struct Translator<'o> {
    pub(crate) program: Program,
    pub(crate) options: &'o Options,
    pub(crate) children: Vec<Child>,
    pub(crate) names: Names,
    pub(crate) rules: Vec<Rule>,
    /// Functions with rules: name and number of arguments.
    pub(crate) maps: Vec<(String, usize)>,
    pub(crate) processes: Vec<ProcessDefinition>,
    /// What a function or process equation was in Erlang.
    pub(crate) comments: BTreeMap<String, String>,
    /// Actions of the user: name and number of arguments.
    pub(crate) actions: BTreeSet<(String, usize)>,
    /// By file and line.
    pub(crate) notes: BTreeSet<(String, u32, String)>,
    pub(crate) problems: Vec<Diagnostic>,
    pub(crate) function_names: BTreeMap<FunctionId, String>,
    pub(crate) functions_due: VecDeque<FunctionId>,
    pub(crate) instances: BTreeMap<Key, Instance>,
    pub(crate) instances_due: VecDeque<Key>,
    pub(crate) loops: BTreeMap<String, String>,
    pub(crate) loops_due: VecDeque<String>,
    pub(crate) sites: Vec<crate::instance::Site>,
    /// Places of calls, which tell replies apart when these are not a handshake.
    pub(crate) tags: BTreeMap<(ModuleId, Span), usize>,
    pub(crate) uses_results: bool,
    /// Equations in which a client can come to its end.
    pub(crate) can_end: BTreeSet<String>,
}

impl Translator<'_> {
    /// The constant of an atom. A process that is not registered under its name is another value than that atom.
    pub(crate) fn atom(&mut self, text: &str) -> Term {
        let mut name = encode(text);
        if self.children.iter().any(|it| it.name == text && !it.is_registered) {
            name.push_str("''");
        }
        self.names.constants.insert(name.clone());
        constant(&name)
    }

    pub(crate) fn refuse(
        &mut self,
        code: Code,
        module: ModuleId,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let sources = &self.program.modules[module].parse.sources;
        let new = problem(code, sources, span, message, help);
        let is_same = |it: &Diagnostic| {
            it.diagnostic == new.diagnostic
                && it.sources.place(it.diagnostic.span) == new.sources.place(new.diagnostic.span)
        };
        if !self.problems.iter().any(is_same) {
            self.problems.push(new);
        }
    }

    /// Says how something is modelled, with its place.
    pub(crate) fn note(&mut self, module: ModuleId, span: Span, text: impl Into<String>) {
        let sources = &self.program.modules[module].parse.sources;
        let path = sources.file(span.file).path.to_string();
        let line = sources.line(span);
        self.notes.insert((path, line, text.into()));
    }

    /// The variables that occur free in a process, in the order of their names.
    pub(crate) fn free_variables(&self, process: &Process) -> BTreeSet<String> {
        let mut free = BTreeSet::new();
        crate::shape::free_names(process, &mut |name| {
            if self.names.is_variable(name) {
                free.insert(name.to_owned());
            }
        });
        free
    }

    pub(crate) fn define(
        &mut self,
        name: &str,
        parameters: &[String],
        body: Process,
        comment: String,
    ) {
        let parameters = parameters.iter().map(|it| Variable::new(it, "Term")).collect();
        self.processes.push(ProcessDefinition { name: name.into(), parameters, body });
        self.comments.insert(name.to_owned(), comment);
    }
}
