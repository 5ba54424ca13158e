//! Formulas: text to tree, in two notations, with everything wrong pointed at.
//! [`parse`] reads the paper's notation (`paper`) or mCRL2's (`mcf`) into one tree (`tree`); `check` looks at variables.
//! Not here: what a formula means over a system (`solve`), ready formulas (`patterns`).

mod check;
mod construct;
mod cursor;
pub(crate) mod data;
mod internal;
pub(crate) mod label;
mod lexer;
mod macros;
mod mcf;
mod paper;
mod pattern;
pub(crate) mod tree;
mod vocabulary;
mod weight;

pub use data::Value;
pub use vocabulary::{Signature, Sort, Vocabulary};

use crate::Diagnostic;
use cursor::Cursor;
use tree::State;

/// How a formula is written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Notation {
    /// `[-* . 'use(.*)' . (not 'free(.*)')* . 'use(.*)'] false`
    #[default]
    Paper,
    /// `[true* . (exists c: Client . use(c)) . (!(exists c: Client . free(c)))*] …`
    Mcf,
}

impl Notation {
    /// The notation that a file's name stands for.
    pub fn of_file(name: &str) -> Notation {
        if name.ends_with(".mcf") { Notation::Mcf } else { Notation::Paper }
    }
}

/// A formula that can be solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    pub(crate) root: State,
    text: String,
}

impl Formula {
    /// The text that was parsed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What parsing gave: a formula unless there are errors, and all there is to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    pub formula: Option<Formula>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// The formula, or the first error.
    pub fn into_result(self) -> Result<Formula, Diagnostic> {
        let error = self.diagnostics.into_iter().find(Diagnostic::is_error);
        self.formula.ok_or_else(|| error.expect("without a formula there is an error"))
    }
}

/// Parses a formula.
///
/// ```
/// use foresee_logic::formula::{Notation, parse};
/// let text = "BETWEEN(a1, a2, a3) = [-* . a1 . (not a2)* . a3] false
///             BETWEEN('use(.*)', 'free(.*)', 'use(.*)')";
/// assert!(parse(text, Notation::Paper).formula.is_some());
/// let parsed = parse("[-* . USE()] false", Notation::Paper);
/// assert_eq!(parsed.diagnostics[0].code.to_string(), "E0412");
/// assert!(parse("nu X . <true>true && [true]X", Notation::Mcf).formula.is_some());
/// ```
pub fn parse(text: &str, notation: Notation) -> Parsed {
    parse_with(text, notation, &Vocabulary::default())
}

/// Parses a formula about a system of which something is known beforehand: quantifiers range over its sorts, and what it does
/// not have is refused.
///
/// ```
/// use foresee_logic::formula::{Notation, Signature, Vocabulary, parse_with};
/// let ask = Signature { name: "ask".to_owned(), sorts: Vec::new() };
/// let vocabulary = Vocabulary { actions: Some(vec![ask]), ..Vocabulary::default() };
/// let parsed = parse_with("[-* . 'aks'] false", Notation::Paper, &vocabulary);
/// assert_eq!(parsed.diagnostics[0].code.to_string(), "E0425");
/// ```
pub fn parse_with(text: &str, notation: Notation, vocabulary: &Vocabulary) -> Parsed {
    let tokens = match lexer::tokens(text, notation) {
        Ok(tokens) => tokens,
        Err(error) => return Parsed { formula: None, diagnostics: vec![error] },
    };
    let cursor = Cursor::new(&tokens, text.len());
    let (root, mut diagnostics) = match notation {
        Notation::Paper => paper::parse(cursor),
        Notation::Mcf => (mcf::parse(cursor, vocabulary), Vec::new()),
    };
    let mut root = match root {
        Ok(root) => root,
        Err(error) => {
            diagnostics.insert(0, *error);
            return Parsed { formula: None, diagnostics };
        }
    };
    root.each_action(&mut |action| internal::respell(action, &vocabulary.internal));
    diagnostics.extend(check::check(&root));
    diagnostics.extend(vocabulary::check(&mut root, vocabulary));
    diagnostics.extend(weight::too_heavy(&root));
    let is_usable = !diagnostics.iter().any(Diagnostic::is_error);
    let formula = is_usable.then(|| Formula { root, text: text.to_owned() });
    Parsed { formula, diagnostics }
}
