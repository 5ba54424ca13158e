//! What a formula may speak of: the actions, sorts and values of a specification, where these are known beforehand.
//! Why: a misspelt action matches nothing, so a box over it holds and a diamond over it fails, for no other reason. Where
//! the specification declares its actions, such a formula is refused with its place instead of answered.
//! Of quoted labels with wildcards only the name is looked at; exact labels and actions with arguments are checked whole.
//! Not here: labels that could occur and never do (`solve::alphabet` warns of these).

use super::construct::{counted, error};
use super::data::{Data, Value};
use super::label::{split, term};
use super::tree::{Action, ActionKind, State, StateKind, Term, Variable};
use crate::{Diagnostic, Span, codes};
use foresee_stdx::nearest_name;

/// What is known of a system's labels before it is explored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vocabulary {
    /// Labels that are other spellings of the internal step.
    pub internal: Vec<String>,
    /// Every action there is; `None` if that is not known.
    pub actions: Option<Vec<Signature>>,
    /// The sorts of their arguments, as far as they are known.
    pub sorts: Vec<Sort>,
}

/// An action and the sorts of its arguments.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Signature {
    pub name: String,
    pub sorts: Vec<String>,
}

/// A sort of data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sort {
    pub name: String,
    /// What its values are built from; `None` if labels spell them in another way.
    pub constructors: Option<Vec<Signature>>,
    /// All its values, if they are few.
    pub values: Option<Vec<Value>>,
}

/// Terms nested deeper than this are not looked at.
const DEPTH_MAX: usize = 100;

impl Vocabulary {
    pub(super) fn sort(&self, name: &str) -> Option<&Sort> {
        self.sorts.iter().find(|sort| sort.name == name)
    }

    /// News if a specification is known and has no such sort; `own` are those that the formula declares.
    pub(super) fn require_sort<'a>(
        &'a self,
        name: &str,
        own: impl Iterator<Item = &'a str>,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        const BUILT_IN: [&str; 5] = ["Bool", "Pos", "Nat", "Int", "Real"];
        let known: Vec<&str> =
            own.chain(self.sorts.iter().map(|sort| sort.name.as_str())).collect();
        let is_known = known.contains(&name) || BUILT_IN.contains(&name) || name.contains('(');
        if self.sorts.is_empty() || is_known {
            return Ok(());
        }
        let help = suggestion(name, known.iter().copied(), "the sorts are");
        let message = format!("there is no sort `{name}`");
        Err(error(codes::UNKNOWN_DATA, message, span, help))
    }
}

/// Everything that a formula speaks of and the system does not have. Truth values are spelt as the system spells them.
pub(super) fn check(formula: &mut State, vocabulary: &Vocabulary) -> Vec<Diagnostic> {
    let Some(actions) = &vocabulary.actions else { return Vec::new() };
    let mut check = Check { vocabulary, actions, scope: Vec::new(), news: Vec::new() };
    check.state(formula);
    check.news
}

struct Check<'a> {
    vocabulary: &'a Vocabulary,
    actions: &'a [Signature],
    /// Data variables around, with their sorts.
    scope: Vec<(String, String)>,
    news: Vec<Diagnostic>,
}

impl Check<'_> {
    fn state(&mut self, formula: &mut State) {
        match &mut formula.kind {
            StateKind::True
            | StateKind::False
            | StateKind::Value(_)
            | StateKind::Variable { .. } => {}
            StateKind::Not(inside) => self.state(inside),
            StateKind::And(left, right)
            | StateKind::Or(left, right)
            | StateKind::Implies(left, right)
            | StateKind::Iff(left, right) => {
                self.state(left);
                self.state(right);
            }
            StateKind::Box(regular, inside) | StateKind::Diamond(regular, inside) => {
                regular.each_action(&mut |action| self.action(action));
                self.state(inside);
            }
            StateKind::Fixpoint { parameters, body, .. } => {
                let n = self.scope.len();
                let own = parameters.iter().map(|one| (one.name.clone(), one.sort.clone()));
                self.scope.extend(own);
                self.state(body);
                self.scope.truncate(n);
            }
            StateKind::Quantified { variables, body, .. } => {
                let n = self.bind(variables);
                self.state(body);
                self.scope.truncate(n);
            }
        }
    }

    fn bind(&mut self, variables: &[Variable]) -> usize {
        let n = self.scope.len();
        self.scope.extend(variables.iter().map(|one| (one.name.clone(), one.sort.clone())));
        n
    }

    fn action(&mut self, action: &mut Action) {
        let span = action.span;
        match &mut action.kind {
            ActionKind::Any | ActionKind::Nothing | ActionKind::Tau | ActionKind::Value(_) => {}
            ActionKind::Not(inside) => self.action(inside),
            ActionKind::And(left, right) | ActionKind::Or(left, right) => {
                self.action(left);
                self.action(right);
            }
            ActionKind::Quantified { variables, body, .. } => {
                let n = self.bind(variables);
                self.action(body);
                self.scope.truncate(n);
            }
            ActionKind::Terms(terms) => {
                for term in terms {
                    if let Err(news) = self.term(term, span) {
                        self.news.push(*news);
                    }
                }
            }
            ActionKind::Text(text) => {
                if let Err(news) = self.label(text, span) {
                    self.news.push(*news);
                }
            }
            ActionKind::Pattern(pattern) => {
                let fits = |one: &Signature| pattern.fits_action(&one.name, !one.sorts.is_empty());
                if !pattern.matches("tau") && !self.actions.iter().any(fits) {
                    let name = pattern.literal_start();
                    self.news.push(*self.unknown(&format!("'{}'", pattern.source()), name, span));
                }
            }
        }
    }

    /// An exact label, several actions at once included.
    fn label(&self, text: &str, span: Span) -> Result<(), Box<Diagnostic>> {
        if crate::labels::is_tau(text) {
            return Ok(());
        }
        for part in split(text, '|') {
            let (name, arguments) = term(part);
            let signature = self.signature(&name, arguments.len(), span)?;
            for (value, sort) in arguments.iter().zip(&signature.sorts) {
                self.value(value, sort, span, 0)?;
            }
        }
        Ok(())
    }

    fn term(&self, term: &mut Term, span: Span) -> Result<(), Box<Diagnostic>> {
        let sorts = self.signature(&term.name, term.arguments.len(), span)?.sorts.clone();
        for (data, sort) in term.arguments.iter_mut().zip(&sorts) {
            self.data(data, sort, span)?;
        }
        Ok(())
    }

    /// The action of that name with so many arguments.
    fn signature(&self, name: &str, n: usize, span: Span) -> Result<&Signature, Box<Diagnostic>> {
        let mut named = self.actions.iter().filter(|one| one.name == name).peekable();
        let Some(first) = named.peek().copied() else { return Err(self.unknown(name, name, span)) };
        named.find(|one| one.sorts.len() == n).ok_or_else(|| {
            let message =
                format!("the action `{name}` has {} and is given {n}", counted(first.sorts.len()));
            error(
                codes::UNKNOWN_ACTION,
                message,
                span,
                format!("it is declared as `{}`", first.shown()),
            )
        })
    }

    fn unknown(&self, shown: &str, name: &str, span: Span) -> Box<Diagnostic> {
        let names = self.actions.iter().map(|one| one.name.as_str());
        let help = suggestion(name, names, "the actions are");
        error(codes::UNKNOWN_ACTION, format!("there is no action like {shown}"), span, help)
    }

    /// An argument of an action must have the sort that the action wants.
    fn data(&self, data: &mut Data, sort: &str, span: Span) -> Result<(), Box<Diagnostic>> {
        match data {
            Data::Name(name) => match self.scope.iter().rev().find(|(known, _)| known == name) {
                Some((_, own)) if own != sort => {
                    let message = format!("`{name}` is a {own}, and a {sort} is expected");
                    let help = format!("declare it as `{name}: {sort}`");
                    Err(error(codes::UNKNOWN_DATA, message, span, help))
                }
                Some(_) => Ok(()),
                None => self.value(&Value::of(name), sort, span, 0),
            },
            Data::Value(Value::Bool(truth)) if sort == "Bool" => {
                let spelt = if *truth { "T" } else { "F" };
                if self.has(sort, spelt, 0) {
                    *data = Data::Value(Value::Term(spelt.to_owned()));
                }
                Ok(())
            }
            Data::Value(value) => self.value(value, sort, span, 0),
            Data::Term { open, arguments, .. } => {
                let Some(constructors) = self.constructors(sort) else { return Ok(()) };
                let name = open.trim_end_matches('(');
                let found = constructors
                    .iter()
                    .find(|one| one.name == name && one.sorts.len() == arguments.len());
                let Some(found) = found else { return Err(self.no_value(name, sort, span)) };
                let sorts = found.sorts.clone();
                for (argument, sort) in arguments.iter_mut().zip(&sorts) {
                    self.data(argument, sort, span)?;
                }
                Ok(())
            }
            // What is computed is compared as it comes out.
            Data::Not(_) | Data::Negative(_) | Data::Binary(..) => Ok(()),
        }
    }

    /// A value as a label has it must be one of its sort.
    fn value(
        &self,
        value: &Value,
        sort: &str,
        span: Span,
        depth: usize,
    ) -> Result<(), Box<Diagnostic>> {
        let text = value.to_string();
        let (name, arguments) = term(&text);
        if depth > DEPTH_MAX || self.constructors(sort).is_none() {
            return Ok(());
        }
        let constructors = self.constructors(sort).unwrap_or_default();
        let found =
            constructors.iter().find(|one| one.name == name && one.sorts.len() == arguments.len());
        let Some(found) = found else { return Err(self.no_value(&text, sort, span)) };
        for (argument, sort) in arguments.iter().zip(&found.sorts) {
            self.value(argument, sort, span, depth + 1)?;
        }
        Ok(())
    }

    fn no_value(&self, text: &str, sort: &str, span: Span) -> Box<Diagnostic> {
        let names = self.constructors(sort).unwrap_or_default().iter().map(|one| one.name.as_str());
        let help = suggestion(text, names, "its values are built from");
        let message = format!("`{text}` is no value of the sort {sort}");
        error(codes::UNKNOWN_DATA, message, span, help)
    }

    fn constructors(&self, sort: &str) -> Option<&[Signature]> {
        self.vocabulary.sort(sort)?.constructors.as_deref()
    }

    fn has(&self, sort: &str, name: &str, n: usize) -> bool {
        let mut own = self.constructors(sort).unwrap_or_default().iter();
        own.any(|one| one.name == name && one.sorts.len() == n)
    }
}

impl Signature {
    /// `use: Client # Nat`
    fn shown(&self) -> String {
        match self.sorts.is_empty() {
            true => self.name.clone(),
            false => format!("{}: {}", self.name, self.sorts.join(" # ")),
        }
    }
}

/// The name that was probably meant, or some that there are.
fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, what: &str) -> String {
    if let Some(near) = nearest_name(name, known.clone()) {
        return format!("did you mean `{near}`?");
    }
    let some: Vec<&str> = known.take(8).collect();
    match some.is_empty() {
        true => "there are none".to_owned(),
        false => format!("{what} {}, …", some.join(", ")),
    }
}
