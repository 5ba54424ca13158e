//! Does this label belong to that set of actions?
//! A label is text; an action formula of `.mcf` sees its structure, `name(argument,…)`, several at once joined by `|`. A
//! quantifier over values that are not listed ranges over those on the label and one that is on no label, which is all
//! that can make a difference.

use super::data::{Environment, Value};
use super::tree::{Action, ActionKind, Quantifier, Variable};
use crate::{Diagnostic, codes, without_blanks};

/// A label taken apart.
#[derive(Clone, Debug)]
pub(crate) struct LabelText {
    /// `None` is the internal step.
    text: Option<String>,
    terms: Vec<(String, Vec<Value>)>,
}

impl LabelText {
    pub(crate) fn new(text: Option<&str>) -> Self {
        let terms =
            text.map_or(Vec::new(), |text| split(text, '|').into_iter().map(term).collect());
        LabelText { text: text.map(str::to_owned), terms }
    }

    /// Whether the label is one of these actions.
    pub(crate) fn is_in(
        &self,
        action: &Action,
        environment: &Environment,
    ) -> Result<bool, Box<Diagnostic>> {
        Ok(match &action.kind {
            ActionKind::Any => true,
            ActionKind::Nothing => false,
            ActionKind::Tau => self.text.is_none(),
            ActionKind::Pattern(pattern) => {
                let own = self.text.as_deref().unwrap_or("tau");
                pattern.matches(own) || pattern.matches(&without_blanks(own))
            }
            ActionKind::Text(text) => match &self.text {
                Some(own) => own == text || without_blanks(own) == *text,
                None => crate::labels::is_tau(text),
            },
            ActionKind::Terms(terms) => {
                let mut wanted = Vec::new();
                for term in terms {
                    let arguments: Result<Vec<Value>, String> =
                        term.arguments.iter().map(|one| one.evaluate(environment)).collect();
                    let arguments = arguments.map_err(|wrong| no_value(wrong, action))?;
                    wanted.push((term.name.clone(), arguments));
                }
                let mut own = self.terms.clone();
                wanted.sort();
                own.sort();
                wanted == own
            }
            ActionKind::Value(data) => {
                data.holds(environment).map_err(|wrong| no_value(wrong, action))?
            }
            ActionKind::Not(inside) => !self.is_in(inside, environment)?,
            ActionKind::And(left, right) => {
                self.is_in(left, environment)? && self.is_in(right, environment)?
            }
            ActionKind::Or(left, right) => {
                self.is_in(left, environment)? || self.is_in(right, environment)?
            }
            ActionKind::Quantified { quantifier, variables, body } => {
                self.is_in_quantified(*quantifier, variables, body, &mut environment.clone())?
            }
        })
    }

    /// Whether the label is of this shape, whatever the values of variables.
    pub(crate) fn could_be_in(&self, action: &Action) -> bool {
        match &action.kind {
            ActionKind::Terms(terms) => {
                let mut wanted: Vec<_> =
                    terms.iter().map(|term| (term.name.as_str(), term.arguments.len())).collect();
                let mut own: Vec<_> =
                    self.terms.iter().map(|(name, values)| (name.as_str(), values.len())).collect();
                wanted.sort_unstable();
                own.sort_unstable();
                wanted == own
            }
            _ => self.is_in(action, &Environment::new()).unwrap_or(true),
        }
    }

    fn is_in_quantified(
        &self,
        quantifier: Quantifier,
        variables: &[Variable],
        body: &Action,
        environment: &mut Environment,
    ) -> Result<bool, Box<Diagnostic>> {
        let Some((variable, rest)) = variables.split_first() else {
            return self.is_in(body, environment);
        };
        let decides = quantifier == Quantifier::Some;
        for value in self.values_of(variable) {
            let outer = environment.insert(variable.name.clone(), value);
            let result = self.is_in_quantified(quantifier, rest, body, environment);
            match outer {
                Some(outer) => environment.insert(variable.name.clone(), outer),
                None => environment.remove(&variable.name),
            };
            if result? == decides {
                return Ok(decides);
            }
        }
        Ok(!decides)
    }

    fn values_of(&self, variable: &Variable) -> Vec<Value> {
        if let Some(domain) = &variable.domain {
            return domain.clone();
        }
        let mut values: Vec<Value> =
            self.terms.iter().flat_map(|(_, arguments)| arguments.iter().cloned()).collect();
        values.sort();
        values.dedup();
        // No label has an argument with a space in it outside of quotes.
        values.push(Value::Term("something else".to_owned()));
        values
    }
}

fn no_value(wrong: String, action: &Action) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::NO_VALUE, action.span, wrong))
}

/// `name(a,b)` taken apart; text of any other shape is a name without arguments.
pub(super) fn term(text: &str) -> (String, Vec<Value>) {
    let text = text.trim();
    let inside = text.find('(').filter(|_| text.ends_with(')'));
    match inside {
        Some(open) => {
            let arguments = &text[open + 1..text.len() - 1];
            let values = match arguments.trim() {
                "" => Vec::new(),
                arguments => split(arguments, ',').into_iter().map(Value::of).collect(),
            };
            (text[..open].trim_end().to_owned(), values)
        }
        None => (text.to_owned(), Vec::new()),
    }
}

/// Whether a character opens a quoted part; inside a word a quote is a letter of it (`x'`, `atom'EXIT`).
pub(super) fn opens_quote(before: char, character: char) -> bool {
    let is_in_word = before.is_alphanumeric() || before == '_' || before == '\'';
    character == '"' || (character == '\'' && !is_in_word)
}

/// The parts of a text between separators outside of brackets and quotes.
pub(super) fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quote, mut before) = (0i32, 0, None, ' ');
    for (at, character) in text.char_indices() {
        let opens = opens_quote(before, character);
        before = character;
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, _) if opens => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) if character == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + separator.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_apart_at_the_top_only() {
        let parts = |text: &str| {
            let label = LabelText::new(Some(text));
            label
                .terms
                .iter()
                .map(|(name, args)| format!("{name}/{}", args.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(parts("call(locker, {a,[b,c]}, \"x,y\")"), ["call/3"]);
        assert_eq!(parts("a(1)|b|c(f(2|3))"), ["a/1", "b/0", "c/1"]);
        assert_eq!(parts("deliver a -> b Ping(1)"), ["deliver a -> b Ping/1"]);
        assert_eq!(parts("ok()"), ["ok/0"]);
        assert_eq!(parts("info(s',tuple'1(atom'EXIT,x),'a, b')"), ["info/3"]);
        assert!(LabelText::new(None).terms.is_empty());
    }
}
