//! Data in formulas: values on labels, expressions over them, and what an expression is worth.
//! There are booleans, whole numbers, and terms, which are just text without white space: sorts are not checked, so a
//! mistake shows as "no value" when an operator meets values it is not for.

use super::label::opens_quote;
use std::collections::BTreeMap;
use std::fmt;

/// A value.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Value {
    Bool(bool),
    Number(i64),
    /// Anything else, as it is written, without white space outside of quotes.
    Term(String),
}

impl Value {
    /// The value that a text on a label stands for.
    ///
    /// ```
    /// use foresee_logic::formula::Value;
    /// assert_eq!(Value::of(" 12 "), Value::Number(12));
    /// assert_eq!(Value::of("pair(a, b)"), Value::of("pair(a,b)"));
    /// ```
    pub fn of(text: &str) -> Value {
        let text = without_spaces(text.trim());
        match text.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => text.parse().map_or(Value::Term(text), Value::Number),
        }
    }
}

impl Value {
    /// The truth value that this is: `T` and `F` are how muCRL spells them.
    fn truth(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            Value::Term(text) if text == "T" => Some(true),
            Value::Term(text) if text == "F" => Some(false),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(value) => write!(f, "{value}"),
            Value::Term(text) => f.write_str(text),
        }
    }
}

/// The values of variables.
pub(crate) type Environment = BTreeMap<String, Value>;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    Value(Value),
    /// A variable, or a constant of that name if no such variable is bound.
    Name(String),
    /// A constructor or function, which stands for itself: its text is built from its arguments.
    Term {
        open: String,
        arguments: Vec<Data>,
        close: &'static str,
    },
    Not(Box<Data>),
    Negative(Box<Data>),
    Binary(Operator, Box<Data>, Box<Data>),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Operator {
    And,
    Or,
    Implies,
    Equal,
    Different,
    Less,
    AtMost,
    Plus,
    Minus,
    Times,
    Div,
    Mod,
}

impl Data {
    /// The value; the error says what has none.
    pub(crate) fn evaluate(&self, environment: &Environment) -> Result<Value, String> {
        match self {
            Data::Value(value) => Ok(value.clone()),
            Data::Name(name) => {
                Ok(environment.get(name).cloned().unwrap_or_else(|| Value::Term(name.clone())))
            }
            Data::Term { open, arguments, close } => {
                let arguments: Result<Vec<String>, String> = arguments
                    .iter()
                    .map(|one| Ok(one.evaluate(environment)?.to_string()))
                    .collect();
                Ok(Value::Term(format!("{open}{}{close}", arguments?.join(","))))
            }
            Data::Not(inside) => match inside.evaluate(environment)? {
                value if value.truth().is_some() => Ok(Value::Bool(value.truth() == Some(false))),
                other => Err(format!("`!{other}` has no value: `{other}` is not a boolean")),
            },
            Data::Negative(inside) => match inside.evaluate(environment)? {
                Value::Number(value) => Ok(Value::Number(-value)),
                other => Err(format!("`-{other}` has no value: `{other}` is not a number")),
            },
            Data::Binary(operator, left, right) => {
                operator.apply(left.evaluate(environment)?, right.evaluate(environment)?)
            }
        }
    }

    /// The value of an expression that must be true or false.
    pub(crate) fn holds(&self, environment: &Environment) -> Result<bool, String> {
        let value = self.evaluate(environment)?;
        value.truth().ok_or_else(|| format!("`val({value})` is neither true nor false"))
    }

    /// Adds every name in the expression to `names`.
    pub(crate) fn collect_names(&self, names: &mut Vec<String>) {
        match self {
            Data::Value(_) => {}
            Data::Name(name) => names.push(name.clone()),
            Data::Term { arguments, .. } => {
                arguments.iter().for_each(|one| one.collect_names(names));
            }
            Data::Not(inside) | Data::Negative(inside) => inside.collect_names(names),
            Data::Binary(_, left, right) => {
                left.collect_names(names);
                right.collect_names(names);
            }
        }
    }
}

impl Operator {
    fn apply(self, left: Value, right: Value) -> Result<Value, String> {
        use Operator::{
            And, AtMost, Different, Div, Equal, Implies, Less, Minus, Mod, Or, Plus, Times,
        };
        match (self, &left, &right) {
            (Equal, a, b) => Ok(Value::Bool(same(a, b))),
            (Different, a, b) => Ok(Value::Bool(!same(a, b))),
            (And | Or | Implies, a, b) => match (self, a.truth(), b.truth()) {
                (And, Some(a), Some(b)) => Ok(Value::Bool(a && b)),
                (Or, Some(a), Some(b)) => Ok(Value::Bool(a || b)),
                (_, Some(a), Some(b)) => Ok(Value::Bool(!a || b)),
                _ => Err(self.no_value(&left, &right)),
            },
            (Less, Value::Number(a), Value::Number(b)) => Ok(Value::Bool(a < b)),
            (AtMost, Value::Number(a), Value::Number(b)) => Ok(Value::Bool(a <= b)),
            (Plus | Minus | Times | Div | Mod, Value::Number(a), Value::Number(b)) => {
                let result = match self {
                    Plus => a.checked_add(*b),
                    Minus => a.checked_sub(*b),
                    Times => a.checked_mul(*b),
                    Div => a.checked_div_euclid(*b),
                    _ => a.checked_rem_euclid(*b),
                };
                result.map(Value::Number).ok_or_else(|| self.no_value(&left, &right))
            }
            _ => Err(self.no_value(&left, &right)),
        }
    }

    fn no_value(self, left: &Value, right: &Value) -> String {
        format!("`{left} {} {right}` has no value", self.symbol())
    }

    fn symbol(self) -> &'static str {
        match self {
            Operator::And => "&&",
            Operator::Or => "||",
            Operator::Implies => "=>",
            Operator::Equal => "==",
            Operator::Different => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Times => "*",
            Operator::Div => "div",
            Operator::Mod => "mod",
        }
    }
}

/// Equality; `true` is also `T`.
fn same(left: &Value, right: &Value) -> bool {
    let one_is_literal = matches!(left, Value::Bool(_)) || matches!(right, Value::Bool(_));
    left == right || (one_is_literal && left.truth().is_some() && left.truth() == right.truth())
}

fn without_spaces(text: &str) -> String {
    let (mut quote, mut before) = (None, ' ');
    text.chars()
        .filter(|character| {
            match quote {
                None if opens_quote(before, *character) => quote = Some(*character),
                Some(open) if open == *character => quote = None,
                _ => {}
            }
            before = *character;
            quote.is_some() || !character.is_whitespace()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_exact_and_say_when_they_have_no_value() {
        let number = |n| Box::new(Data::Value(Value::Number(n)));
        let value = |operator, a, b| {
            Data::Binary(operator, number(a), number(b)).evaluate(&Environment::new())
        };
        assert_eq!(value(Operator::Mod, -1, 3), Ok(Value::Number(2)));
        assert_eq!(value(Operator::AtMost, 3, 3), Ok(Value::Bool(true)));
        assert!(value(Operator::Div, 1, 0).is_err());
        assert!(value(Operator::Plus, i64::MAX, 1).is_err());
        let term = Box::new(Data::Name("c1".to_owned()));
        let less = Data::Binary(Operator::Less, term, number(3)).evaluate(&Environment::new());
        assert_eq!(less, Err("`c1 < 3` has no value".to_owned()));
    }

    #[test]
    fn names_are_variables_only_where_bound() {
        let term = Data::Term {
            open: "f(".to_owned(),
            arguments: vec![Data::Name("x".to_owned()), Data::Name("y".to_owned())],
            close: ")",
        };
        let environment = Environment::from([("x".to_owned(), Value::Number(2))]);
        assert_eq!(term.evaluate(&environment), Ok(Value::Term("f(2,y)".to_owned())));
    }
}
