//! mCRL2's notation of state formulas (`.mcf`), with what is known of the specification it belongs to.
//! Read: `[R]`, `<R>` with `.`, `+`, `*`, postfix `+`; `mu X(n: Nat = 0) . …`; `forall`, `exists` over finite sorts, and
//! over any sort inside action formulas; `val(b)`; actions with arguments, multi-actions; `sort S = struct a | b;`, `act …;`
//! and `form …;`. Besides, labels in quotes as in the paper's notation. Not read: time, quantities, mappings, equations.

mod action;
mod expression;

use super::Vocabulary;
use super::construct::{error, joined};
use super::cursor::{Cursor, Operators, Parsing};
use super::data::{Data, Value};
use super::lexer::TokenKind;
use super::tree::{Parameter, Quantifier, Sign, State, StateKind, Variable};
use super::vocabulary::Sort;
use crate::{Diagnostic, Span, codes};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Mcf<'a> {
    cursor: Cursor<'a>,
    /// The values of sorts that quantifiers may range over.
    domains: BTreeMap<String, Vec<Value>>,
    vocabulary: &'a Vocabulary,
}

/// Parses a whole text.
pub(super) fn parse<'a>(cursor: Cursor<'a>, vocabulary: &'a Vocabulary) -> Parsing<State> {
    let truths = vec![Value::Bool(false), Value::Bool(true)];
    let mut domains = BTreeMap::from([("Bool".to_owned(), truths)]);
    let known = |sort: &Sort| Some((sort.name.clone(), sort.values.clone()?));
    domains.extend(vocabulary.sorts.iter().filter_map(known));
    let mut mcf = Mcf { cursor, domains, vocabulary };
    let formula = mcf.specification()?;
    match mcf.cursor.peek() {
        None => Ok(formula),
        Some(_) => Err(mcf.cursor.expected("the end of the formula, or an operator before this,")),
    }
}

/// Words of the notation that are no names of actions.
const NOT_SUPPORTED: [&str; 8] = ["delay", "yaled", "inf", "sup", "sum", "map", "eqn", "cons"];

impl<'a> Operators<'a> for Mcf<'a> {
    fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }
}

impl Mcf<'_> {
    /// Declarations around `form f;`, or just a formula.
    fn specification(&mut self) -> Parsing<State> {
        let mut formula = None;
        loop {
            if self.cursor.eat_word("sort") {
                self.sorts()?;
            } else if self.cursor.eat_word("act") {
                while !self.cursor.eat_sign(";") {
                    if self.cursor.peek().is_none() {
                        return Err(self.cursor.expected("`;` after the actions"));
                    }
                    self.cursor.at += 1;
                }
            } else if formula.is_none() && self.cursor.eat_word("form") {
                formula = Some(self.state()?);
                self.cursor.expect_sign(";", "after the formula")?;
            } else {
                break;
            }
        }
        match formula {
            Some(formula) => Ok(formula),
            None => {
                let formula = self.state()?;
                self.cursor.eat_sign(";");
                Ok(formula)
            }
        }
    }

    /// `S = struct a | b;`, several of them.
    fn sorts(&mut self) -> Parsing<()> {
        while let Some(TokenKind::Word(_)) = self.cursor.peek() {
            let is_declaration = matches!(self.cursor.peek_at(1), Some(TokenKind::Sign("=" | ";")));
            if !is_declaration {
                break;
            }
            let span = self.cursor.span();
            let name = self.cursor.expect_name("the name of a sort")?;
            if self.cursor.eat_sign(";") {
                continue;
            }
            self.cursor.expect_sign("=", "after the sort")?;
            if !self.cursor.eat_word("struct") {
                let other = self.cursor.expect_name("`struct` or the name of a sort")?;
                if let Some(values) = self.domains.get(&other).cloned() {
                    self.domains.insert(name, values);
                }
                self.cursor.expect_sign(";", "after the sort")?;
                continue;
            }
            let (mut values, mut known) = (Vec::new(), BTreeSet::new());
            loop {
                let span = self.cursor.span();
                let constructor = self.cursor.expect_name("a constructor")?;
                if !known.insert(constructor.clone()) {
                    let message =
                        format!("`{constructor}` stands twice among the values of `{name}`");
                    return Err(error(codes::SYNTAX, message, span, "name each value once"));
                }
                if self.cursor.is_sign("(") {
                    return Err(self.not_supported("constructors with arguments are"));
                }
                if self.cursor.eat_sign("?") {
                    self.cursor.expect_name("the name of a recogniser")?;
                }
                values.push(Value::of(&constructor));
                if !self.cursor.eat_sign("|") {
                    break;
                }
            }
            self.cursor.expect_sign(";", "after the sort")?;
            self.require_same(&name, &values, span)?;
            self.domains.insert(name, values);
        }
        Ok(())
    }

    /// A sort of the specification may be declared again, with the values it has there.
    fn require_same(&self, name: &str, values: &[Value], span: Span) -> Parsing<()> {
        let Some(sort) = self.vocabulary.sort(name) else { return Ok(()) };
        let is_same = |own: &[Value]| {
            own.len() == values.len() && own.iter().all(|value| values.contains(value))
        };
        if sort.values.as_deref().is_some_and(is_same) {
            return Ok(());
        }
        let message = format!("the specification has a sort `{name}` with other values");
        let help =
            "leave the declaration out: quantifiers range over the specification's own sorts";
        Err(error(codes::UNKNOWN_DATA, message, span, help))
    }

    fn not_supported(&self, what: &str) -> Box<Diagnostic> {
        let message = format!("{what} not supported");
        Box::new(Diagnostic::error(codes::NOT_SUPPORTED, self.cursor.span(), message))
    }

    fn state(&mut self) -> Parsing<State> {
        self.cursor.nested()?;
        let left = self.disjunction()?;
        let state = if self.cursor.eat_sign("=>") {
            let height = self.cursor.height;
            let right = self.state()?;
            self.cursor.taller(height)?;
            joined(StateKind::Implies, left, right)
        } else {
            left
        };
        self.cursor.nesting -= 1;
        Ok(state)
    }

    fn disjunction(&mut self) -> Parsing<State> {
        let join = |left, right| Ok(joined(StateKind::Or, left, right));
        self.chain("||", Self::conjunction, join)
    }

    fn conjunction(&mut self) -> Parsing<State> {
        let join = |left, right| Ok(joined(StateKind::And, left, right));
        self.chain("&&", Self::prefix, join)
    }

    fn prefix(&mut self) -> Parsing<State> {
        self.cursor.nested()?;
        let start = self.cursor.span();
        let kind = self.prefix_kind()?;
        self.cursor.nesting -= 1;
        Ok(State { kind, span: self.cursor.span_from(start) })
    }

    fn prefix_kind(&mut self) -> Parsing<StateKind> {
        if self.cursor.eat_sign("!") {
            let inside = Box::new(self.prefix()?);
            self.cursor.taller(0)?;
            return Ok(StateKind::Not(inside));
        }
        if self.cursor.eat_sign("[") {
            let (regular, height) = (self.regular()?, self.cursor.height);
            self.cursor.expect_sign("]", "after the actions")?;
            let inside = Box::new(self.prefix()?);
            self.cursor.taller(height)?;
            return Ok(StateKind::Box(regular, inside));
        }
        if self.cursor.eat_sign("<") {
            let (regular, height) = (self.regular()?, self.cursor.height);
            self.cursor.expect_sign(">", "after the actions")?;
            let inside = Box::new(self.prefix()?);
            self.cursor.taller(height)?;
            return Ok(StateKind::Diamond(regular, inside));
        }
        if self.cursor.eat_sign("(") {
            let inside = self.state()?;
            self.cursor.expect_sign(")", "to close the parenthesis")?;
            return Ok(inside.kind);
        }
        let Some(TokenKind::Word(word)) = self.cursor.peek() else {
            return Err(self.cursor.expected("a formula"));
        };
        if NOT_SUPPORTED.contains(&word.as_str()) {
            return Err(self.not_supported(&format!("`{word}` is")));
        }
        self.cursor.at += 1;
        self.cursor.leaf();
        match word.as_str() {
            "true" => Ok(StateKind::True),
            "false" => Ok(StateKind::False),
            "mu" => self.fixpoint(Sign::Least),
            "nu" => self.fixpoint(Sign::Greatest),
            "forall" => self.quantified(Quantifier::All),
            "exists" => self.quantified(Quantifier::Some),
            "val" => Ok(StateKind::Value(self.value_in_parentheses()?)),
            name => {
                let arguments = self.arguments()?;
                Ok(StateKind::Variable { name: name.to_owned(), arguments })
            }
        }
    }

    fn fixpoint(&mut self, sign: Sign) -> Parsing<StateKind> {
        let name = self.cursor.expect_name("the name of a variable")?;
        let mut parameters = Vec::new();
        if self.cursor.eat_sign("(") {
            loop {
                let name = self.cursor.expect_name("the name of a parameter")?;
                self.cursor.expect_sign(":", "and the parameter's sort")?;
                let sort = self.known_sort()?;
                self.cursor.expect_sign("=", "and the parameter's first value")?;
                let initial = self.data()?;
                parameters.push(Parameter { name, sort, initial });
                if !self.cursor.eat_sign(",") {
                    break;
                }
            }
            self.cursor.expect_sign(")", "after the parameters")?;
        }
        self.cursor.expect_sign(".", "after the variable")?;
        let body = Box::new(self.state()?);
        self.cursor.taller(0)?;
        Ok(StateKind::Fixpoint { sign, name, parameters, body })
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsing<StateKind> {
        let variables = self.variables()?;
        for (name, sort, span) in &variables {
            if !self.domains.contains_key(sort) {
                let message =
                    format!("`{name}` ranges over `{sort}`, which is not known to be finite");
                let help = match self.vocabulary.sort(sort) {
                    Some(_) => {
                        "quantify inside an action formula, where only the values on labels matter"
                            .to_owned()
                    }
                    None => format!(
                        "declare it: `sort {sort} = struct a | b; form …;`, or quantify inside an action formula"
                    ),
                };
                return Err(Box::new(
                    Diagnostic::error(codes::INFINITE_SORT, *span, message).help(help),
                ));
            }
        }
        let variables = self.with_domains(variables);
        let body = Box::new(self.state()?);
        self.cursor.taller(0)?;
        Ok(StateKind::Quantified { quantifier, variables, body })
    }

    fn with_domains(&self, variables: Vec<(String, String, Span)>) -> Vec<Variable> {
        let domain = |sort: &str| self.domains.get(sort).cloned();
        variables
            .into_iter()
            .map(|(name, sort, _)| Variable { name, domain: domain(&sort), sort })
            .collect()
    }

    /// `x, y: S, z: T .`
    fn variables(&mut self) -> Parsing<Vec<(String, String, Span)>> {
        let (mut variables, mut known) = (Vec::new(), BTreeSet::new());
        loop {
            let mut names = Vec::new();
            loop {
                names.push(self.new_variable(&mut known)?);
                if !self.cursor.eat_sign(",") {
                    break;
                }
            }
            self.cursor.expect_sign(":", "and the variable's sort")?;
            let span = self.cursor.span();
            let sort = self.known_sort()?;
            variables.extend(names.into_iter().map(|name| (name, sort.clone(), span)));
            if !self.cursor.eat_sign(",") {
                break;
            }
        }
        self.cursor.expect_sign(".", "after the variables")?;
        Ok(variables)
    }

    /// The name of a variable that its quantifier does not have yet.
    fn new_variable(&mut self, known: &mut BTreeSet<String>) -> Parsing<String> {
        let span = self.cursor.span();
        let name = self.cursor.expect_name("the name of a variable")?;
        if known.insert(name.clone()) {
            return Ok(name);
        }
        let message = format!("`{name}` stands twice among the variables of one quantifier");
        Err(error(codes::SYNTAX, message, span, "name each variable once"))
    }

    /// A sort that the specification or the formula has.
    fn known_sort(&mut self) -> Parsing<String> {
        let span = self.cursor.span();
        let sort = self.sort()?;
        self.vocabulary.require_sort(&sort, self.domains.keys().map(String::as_str), span)?;
        Ok(sort)
    }

    /// A sort, as text: `Nat`, `List(Client)`.
    fn sort(&mut self) -> Parsing<String> {
        let mut sort = self.cursor.expect_name("the name of a sort")?;
        if self.cursor.eat_sign("(") {
            self.cursor.nested()?;
            sort = format!("{sort}({})", self.sort()?);
            self.cursor.nesting -= 1;
            self.cursor.expect_sign(")", "after the sort")?;
        }
        Ok(sort)
    }

    fn value_in_parentheses(&mut self) -> Parsing<Data> {
        self.cursor.expect_sign("(", "after `val`")?;
        let data = self.data()?;
        self.cursor.expect_sign(")", "after the expression")?;
        Ok(data)
    }

    fn arguments(&mut self) -> Parsing<Vec<Data>> {
        let (mut arguments, mut height) = (Vec::new(), 0);
        if self.cursor.eat_sign("(") {
            loop {
                arguments.push(self.data()?);
                height = self.cursor.height.max(height);
                if !self.cursor.eat_sign(",") {
                    break;
                }
            }
            self.cursor.expect_sign(")", "after the arguments")?;
        }
        self.cursor.height = height;
        self.cursor.taller(0)?;
        Ok(arguments)
    }
}
