//! The tree of a specification: what the reader makes, what the printers write, and what a translator builds by code.
//! Names are text; sorts are checked later (`check`). A tree that was read says where each part stood; a tree built by
//! code has no places. Equality of trees looks at the words, not at the places.
//!
//! ```
//! use foresee_algebra::{Process, Specification, Term};
//! let mut spec = Specification::default();
//! spec.sort("D").constructor("d1", &[], "D").constructor("d2", &[], "D").action("send", &["D"]);
//! let send = Process::action("send", vec![Term::name("x")]);
//! spec.process("P", &[], Process::sum("x", "D", send.then(Process::call("P", vec![]))));
//! spec.init = Some(Process::call("P", vec![]));
//! assert!(spec.to_mucrl().contains("sum(x: D, send(x).P)"));
//! ```

use foresee_text::Span;

/// A whole specification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Specification {
    pub sorts: Vec<Name>,
    pub functions: Vec<Function>,
    pub rules: Vec<Rule>,
    pub actions: Vec<ActionDeclaration>,
    pub communications: Vec<Communication>,
    pub processes: Vec<ProcessDefinition>,
    pub init: Option<Process>,
}

/// A word and where it stands.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A constructor (`func`) or a defined function (`map`).
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Name,
    pub arguments: Vec<Name>,
    pub result: Name,
    pub is_constructor: bool,
}

/// `left = right`, for all values of the variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub variables: Vec<Variable>,
    pub left: Term,
    pub right: Term,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: Name,
    pub sort: Name,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ActionDeclaration {
    pub name: Name,
    pub sorts: Vec<Name>,
}

/// `left | right = result`.
#[derive(Clone, Debug, PartialEq)]
pub struct Communication {
    pub left: Name,
    pub right: Name,
    pub result: Name,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ProcessDefinition {
    pub name: Name,
    pub parameters: Vec<Variable>,
    pub body: Process,
}

/// A data term: a variable, a constant, or a function applied to arguments.
#[derive(Clone, Debug)]
pub struct Term {
    pub name: String,
    pub arguments: Vec<Term>,
    pub span: Span,
}

/// A process expression.
#[derive(Clone, Debug)]
pub struct Process {
    pub kind: ProcessKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ProcessKind {
    Delta,
    Tau,
    /// An action or a call of a process; declarations tell which.
    Named(Term),
    Choice(Box<Process>, Box<Process>),
    Sequence(Box<Process>, Box<Process>),
    Parallel(Box<Process>, Box<Process>),
    LeftMerge(Box<Process>, Box<Process>),
    Communication(Box<Process>, Box<Process>),
    /// `then <| condition |> otherwise`.
    Condition(Box<Process>, Term, Box<Process>),
    Sum(Variable, Box<Process>),
    Encap(Vec<Name>, Box<Process>),
    Hide(Vec<Name>, Box<Process>),
    /// Pairs of an old and a new name.
    Rename(Vec<(Name, Name)>, Box<Process>),
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.text == other.text
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.name == other.name && self.arguments == other.arguments
    }
}

impl PartialEq for Process {
    fn eq(&self, other: &Process) -> bool {
        self.kind == other.kind
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name { text: text.to_owned(), span: Span::NONE }
    }
}

impl Variable {
    pub fn new(name: &str, sort: &str) -> Variable {
        Variable { name: name.into(), sort: sort.into() }
    }
}

impl Term {
    /// A variable or a constant.
    pub fn name(name: &str) -> Term {
        Term::apply(name, Vec::new())
    }

    pub fn apply(name: &str, arguments: Vec<Term>) -> Term {
        Term { name: name.to_owned(), arguments, span: Span::NONE }
    }
}

impl Process {
    /// The processes directly inside, from left to right.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Process> {
        let (first, second) = match &self.kind {
            ProcessKind::Choice(a, b)
            | ProcessKind::Sequence(a, b)
            | ProcessKind::Parallel(a, b)
            | ProcessKind::LeftMerge(a, b)
            | ProcessKind::Communication(a, b)
            | ProcessKind::Condition(a, _, b) => (Some(a), Some(b)),
            ProcessKind::Sum(_, body)
            | ProcessKind::Encap(_, body)
            | ProcessKind::Hide(_, body)
            | ProcessKind::Rename(_, body) => (Some(body), None),
            ProcessKind::Delta | ProcessKind::Tau | ProcessKind::Named(_) => (None, None),
        };
        first.into_iter().chain(second).map(|part| &**part)
    }

    pub fn delta() -> Process {
        ProcessKind::Delta.into()
    }

    pub fn tau() -> Process {
        ProcessKind::Tau.into()
    }

    pub fn action(name: &str, arguments: Vec<Term>) -> Process {
        ProcessKind::Named(Term::apply(name, arguments)).into()
    }

    /// Calls a process. The same shape as an action; two names for readers of the code that builds it.
    pub fn call(name: &str, arguments: Vec<Term>) -> Process {
        Process::action(name, arguments)
    }

    /// `self . next`.
    #[must_use]
    pub fn then(self, next: Process) -> Process {
        ProcessKind::Sequence(Box::new(self), Box::new(next)).into()
    }

    /// `self + other`.
    #[must_use]
    pub fn or(self, other: Process) -> Process {
        ProcessKind::Choice(Box::new(self), Box::new(other)).into()
    }

    /// `self || other`.
    #[must_use]
    pub fn beside(self, other: Process) -> Process {
        ProcessKind::Parallel(Box::new(self), Box::new(other)).into()
    }

    /// `self <| condition |> otherwise`.
    #[must_use]
    pub fn when(self, condition: Term, otherwise: Process) -> Process {
        ProcessKind::Condition(Box::new(self), condition, Box::new(otherwise)).into()
    }

    pub fn sum(variable: &str, sort: &str, body: Process) -> Process {
        ProcessKind::Sum(Variable::new(variable, sort), Box::new(body)).into()
    }

    #[must_use]
    pub fn encap(self, names: &[&str]) -> Process {
        ProcessKind::Encap(names.iter().map(|it| Name::from(*it)).collect(), Box::new(self)).into()
    }

    #[must_use]
    pub fn hide(self, names: &[&str]) -> Process {
        ProcessKind::Hide(names.iter().map(|it| Name::from(*it)).collect(), Box::new(self)).into()
    }

    #[must_use]
    pub fn rename(self, pairs: &[(&str, &str)]) -> Process {
        let pairs = pairs.iter().map(|(old, new)| (Name::from(*old), Name::from(*new))).collect();
        ProcessKind::Rename(pairs, Box::new(self)).into()
    }

    /// All of them in parallel, the first outermost left; `None` of nothing.
    pub fn parallel(parts: impl IntoIterator<Item = Process>) -> Option<Process> {
        parts.into_iter().reduce(Process::beside)
    }

    /// A choice between all of them; `delta` of nothing.
    pub fn choice(parts: impl IntoIterator<Item = Process>) -> Process {
        parts.into_iter().reduce(Process::or).unwrap_or_else(Process::delta)
    }
}

impl From<ProcessKind> for Process {
    fn from(kind: ProcessKind) -> Process {
        Process { kind, span: Span::NONE }
    }
}

impl Specification {
    pub fn sort(&mut self, name: &str) -> &mut Self {
        self.sorts.push(name.into());
        self
    }

    pub fn constructor(&mut self, name: &str, arguments: &[&str], result: &str) -> &mut Self {
        self.function(name, arguments, result, true)
    }

    pub fn map(&mut self, name: &str, arguments: &[&str], result: &str) -> &mut Self {
        self.function(name, arguments, result, false)
    }

    fn function(&mut self, name: &str, from: &[&str], to: &str, is_constructor: bool) -> &mut Self {
        let arguments = from.iter().map(|it| Name::from(*it)).collect();
        let (name, result) = (name.into(), to.into());
        self.functions.push(Function { name, arguments, result, is_constructor });
        self
    }

    pub fn rule(&mut self, variables: &[(&str, &str)], left: Term, right: Term) -> &mut Self {
        let variables = variables.iter().map(|(name, sort)| Variable::new(name, sort)).collect();
        self.rules.push(Rule { variables, left, right });
        self
    }

    pub fn action(&mut self, name: &str, sorts: &[&str]) -> &mut Self {
        let sorts = sorts.iter().map(|it| Name::from(*it)).collect();
        self.actions.push(ActionDeclaration { name: name.into(), sorts });
        self
    }

    pub fn communicate(&mut self, left: &str, right: &str, result: &str) -> &mut Self {
        let (left, right, result) = (left.into(), right.into(), result.into());
        self.communications.push(Communication { left, right, result });
        self
    }

    pub fn process(&mut self, name: &str, parameters: &[(&str, &str)], body: Process) -> &mut Self {
        let parameters = parameters.iter().map(|(name, sort)| Variable::new(name, sort)).collect();
        self.processes.push(ProcessDefinition { name: name.into(), parameters, body });
        self
    }
}
