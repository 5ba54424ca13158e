//! Data expressions of `.mcf`: operators by level of precedence, and what stands for itself.

use super::Mcf;
use crate::formula::cursor::Parsing;
use crate::formula::data::{Data, Operator, Value};
use crate::formula::lexer::TokenKind;

impl Mcf<'_> {
    pub(super) fn data(&mut self) -> Parsing<Data> {
        self.data_level(0)
    }

    /// Binary operators of one level of precedence, loosest first.
    pub(super) fn data_level(&mut self, level: usize) -> Parsing<Data> {
        const LEVELS: [&[(&str, Operator, bool)]; 6] = [
            &[("=>", Operator::Implies, false)],
            &[("||", Operator::Or, false)],
            &[("&&", Operator::And, false)],
            &[
                ("==", Operator::Equal, false),
                ("!=", Operator::Different, false),
                ("<", Operator::Less, false),
                ("<=", Operator::AtMost, false),
                (">", Operator::Less, true),
                (">=", Operator::AtMost, true),
            ],
            &[("+", Operator::Plus, false), ("-", Operator::Minus, false)],
            &[
                ("*", Operator::Times, false),
                ("div", Operator::Div, false),
                ("mod", Operator::Mod, false),
            ],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.data_primary() };
        let mut left = self.data_level(level + 1)?;
        loop {
            let next = operators
                .iter()
                .find(|(sign, ..)| self.cursor.is_sign(sign) || self.cursor.is_word(sign));
            let Some((_, operator, is_swapped)) = next else { return Ok(left) };
            self.cursor.at += 1;
            let height = self.cursor.height;
            let right = if level == 0 { self.implied_data()? } else { self.data_level(level + 1)? };
            self.cursor.taller(height)?;
            let (a, b) = if *is_swapped { (right, left) } else { (left, right) };
            left = Data::Binary(*operator, Box::new(a), Box::new(b));
        }
    }

    /// The right side of `=>`, which groups to the right.
    fn implied_data(&mut self) -> Parsing<Data> {
        self.cursor.nested()?;
        let right = self.data_level(0)?;
        self.cursor.nesting -= 1;
        Ok(right)
    }

    pub(super) fn data_primary(&mut self) -> Parsing<Data> {
        self.cursor.nested()?;
        let Some(token) = self.cursor.peek() else {
            return Err(self.cursor.expected("an expression"));
        };
        self.cursor.at += 1;
        self.cursor.leaf();
        let data = match token {
            TokenKind::Number(number) => Data::Value(Value::Number(*number)),
            TokenKind::Text(text) => Data::Value(Value::Term(format!("\"{text}\""))),
            TokenKind::Pattern(atom) => Data::Value(Value::Term(format!("'{atom}'"))),
            TokenKind::Word(word) if word == "true" => Data::Value(Value::Bool(true)),
            TokenKind::Word(word) if word == "false" => Data::Value(Value::Bool(false)),
            TokenKind::Word(word) if self.cursor.is_sign("(") => {
                let arguments = self.arguments()?;
                Data::Term { open: format!("{word}("), arguments, close: ")" }
            }
            TokenKind::Word(word) => Data::Name(word.clone()),
            TokenKind::Sign("!") => Data::Not(Box::new(self.taller_primary()?)),
            TokenKind::Sign("-") => Data::Negative(Box::new(self.taller_primary()?)),
            TokenKind::Sign("(") => {
                let inside = self.data()?;
                self.cursor.expect_sign(")", "to close the parenthesis")?;
                inside
            }
            TokenKind::Sign("[") => self.collection("[", "]")?,
            TokenKind::Sign("{") => self.collection("{", "}")?,
            _ => {
                self.cursor.at -= 1;
                return Err(self.cursor.expected("an expression"));
            }
        };
        self.cursor.nesting -= 1;
        Ok(data)
    }

    fn taller_primary(&mut self) -> Parsing<Data> {
        let inside = self.data_primary()?;
        self.cursor.taller(0)?;
        Ok(inside)
    }

    pub(super) fn collection(&mut self, open: &str, close: &'static str) -> Parsing<Data> {
        let (mut arguments, mut height) = (Vec::new(), 0);
        while !self.cursor.eat_sign(close) {
            if !arguments.is_empty() {
                self.cursor.expect_sign(",", "between elements")?;
            }
            arguments.push(self.data()?);
            height = self.cursor.height.max(height);
        }
        self.cursor.height = height;
        self.cursor.taller(0)?;
        Ok(Data::Term { open: open.to_owned(), arguments, close })
    }
}
