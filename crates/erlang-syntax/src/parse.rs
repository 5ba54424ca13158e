//! The way in: text to [`Parse`], a tree with everything that was said about it.

use crate::diagnostic::Expansion;
use crate::parser::Parser;
use crate::preprocess::{Includes, MISTAKES_MAX, Options, Preprocessor, no_includes};
use crate::source::Sources;
use crate::token::{Tok, Token};
use crate::tree::{Expr, FormKind, Module};
use foresee_text::{Diagnostic, Severity};

/// A parsed file. There is always a tree; `diagnostics` says how far to trust it.
#[derive(Clone, Debug)]
pub struct Parse {
    /// The tree.
    pub module: Module,
    /// All files that took part; the given one has id 0.
    pub sources: Sources,
    /// What is wrong, in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// The uses of macros.
    pub expansions: Vec<Expansion>,
    /// An include was not found, so undefined records and functions may be its.
    pub include_missing: bool,
}

impl Parse {
    /// Whether the module can be used.
    pub fn is_usable(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
    }
}

/// Parses a file. The text comes from the caller, included files through `includes`.
///
/// ```
/// use foresee_erlang_syntax::{Options, no_includes, parse_file};
/// let text = "-module(hello).\n-export([f/1]).\nf(X) -> X + 1.\n";
/// let parse = parse_file("hello.erl", text, &Options::default(), &mut no_includes);
/// assert!(parse.is_usable());
/// assert_eq!(parse.module.functions().count(), 1);
/// ```
pub fn parse_file(path: &str, text: &str, options: &Options, includes: Includes<'_>) -> Parse {
    let mut preprocessor = Preprocessor::new(options, includes);
    preprocessor.open(path, text);
    preprocessor.define_from_outside(options);
    let mut module = Module::default();
    while let Some(tokens) = preprocessor.next_form() {
        if !tokens.last().is_some_and(|token| token.kind == Tok::Dot) {
            continue;
        }
        let Preprocessor { expansions, diagnostics, .. } = &mut preprocessor;
        let mut parser = Parser::new(&tokens, expansions, diagnostics);
        module.forms.append(&mut parser.forms());
    }
    module.name = module.forms.iter().find_map(|form| match &form.kind {
        FormKind::Module(name) => Some(name.clone()),
        _ => None,
    });
    let Preprocessor { sources, mut diagnostics, expansions, include_missing, .. } = preprocessor;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics.truncate(MISTAKES_MAX);
    Parse { module, sources, diagnostics, expansions, include_missing }
}

/// Parses expressions separated by `,`, as typed at a shell; the final `.` may be missing.
///
/// ```
/// use foresee_erlang_syntax::{parse_exprs, print_expr};
/// let exprs = parse_exprs("X = 1, (X + (2 * 3))").unwrap();
/// assert_eq!(print_expr(&exprs[1]), "X + 2 * 3");
/// ```
pub fn parse_exprs(text: &str) -> Result<Vec<Expr>, Vec<Diagnostic>> {
    with_tokens(text, |parser| parser.whole_body())
}

/// Parses one expression; the final `.` may be missing.
pub fn parse_expr(text: &str) -> Result<Expr, Vec<Diagnostic>> {
    with_tokens(text, |parser| parser.whole_expression())
}

fn with_tokens<T>(
    text: &str,
    read: impl FnOnce(&mut Parser<'_>) -> crate::parser::Parsed<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut includes = no_includes;
    let mut preprocessor = Preprocessor::new(&Options::default(), &mut includes);
    let tokens = preprocessor.loose_tokens(text);
    let Preprocessor { expansions, diagnostics, .. } = &mut preprocessor;
    let result = read(&mut Parser::new(&tokens, expansions, diagnostics));
    match result {
        Ok(tree) if diagnostics.is_empty() => Ok(tree),
        _ => Err(std::mem::take(diagnostics)),
    }
}

/// A full stop at the end of loose text.
pub(crate) fn dot_after(tokens: &[Token]) -> Token {
    let span = tokens.last().map_or_else(Default::default, |token| token.span.after());
    Token {
        kind: Tok::Dot,
        span,
        expansion: 0,
        line_start: false,
        first_on_line: false,
        spaced: false,
    }
}
