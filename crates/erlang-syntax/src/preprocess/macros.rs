//! The table of macros: `-define`, `-undef`, overloads by number of arguments, predefined names.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::conditionals::macro_name;
use super::{Preprocessor, form_span};
use crate::codes;
use crate::name::{Name, Names};
use crate::source::Span;
use crate::token::{Sym, Tok, Token};
use foresee_text::Diagnostic;

/// One definition of a macro.
#[derive(Clone)]
pub(super) struct Macro {
    /// `None` for a macro without parentheses.
    pub(super) params: Option<Vec<Name>>,
    pub(super) body: Arc<[Token]>,
    pub(super) defined_at: Span,
}

/// Macros whose text depends on where they are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Predefined {
    Module,
    ModuleString,
    File,
    Line,
    Machine,
    Beam,
    OtpRelease,
    FunctionName,
    FunctionArity,
    FeatureAvailable,
    FeatureEnabled,
}

const PREDEFINED: &[(&str, Predefined)] = &[
    ("MODULE", Predefined::Module),
    ("MODULE_STRING", Predefined::ModuleString),
    ("FILE", Predefined::File),
    ("LINE", Predefined::Line),
    ("MACHINE", Predefined::Machine),
    ("BEAM", Predefined::Beam),
    ("OTP_RELEASE", Predefined::OtpRelease),
    ("FUNCTION_NAME", Predefined::FunctionName),
    ("FUNCTION_ARITY", Predefined::FunctionArity),
    ("FEATURE_AVAILABLE", Predefined::FeatureAvailable),
    ("FEATURE_ENABLED", Predefined::FeatureEnabled),
];

#[derive(Default)]
pub(super) struct Macros {
    user: FxHashMap<Name, Vec<Macro>>,
    predefined: FxHashMap<Name, Predefined>,
}

impl Macros {
    pub(super) fn predefine(&mut self, names: &mut Names) {
        for (name, which) in PREDEFINED {
            self.predefined.insert(names.intern(name), *which);
        }
    }

    pub(super) fn define_constant(&mut self, name: Name, body: Vec<Token>) {
        let defined_at = body.first().map_or(Span::default(), |token| token.span);
        let definition = Macro { params: None, body: body.into(), defined_at };
        self.user.insert(name, vec![definition]);
    }

    pub(super) fn user(&self, name: &str) -> Option<&[Macro]> {
        self.user.get(name).map(Vec::as_slice)
    }

    pub(super) fn predefined(&self, name: &str) -> Option<Predefined> {
        self.predefined.get(name).copied()
    }

    /// All names, for "did you mean"; the caller must not depend on their order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.user.keys().chain(self.predefined.keys()).map(Name::as_str)
    }
}

const DEFINE_HELP: &str = "write `-define(NAME, text).` or `-define(NAME(Arg), text).`";

impl Preprocessor<'_> {
    pub(super) fn is_defined(&self, name: &str) -> bool {
        match self.macros.predefined(name) {
            Some(Predefined::Module | Predefined::ModuleString) => self.module.is_some(),
            Some(_) => true,
            None => self.macros.user(name).is_some(),
        }
    }

    pub(super) fn define(&mut self, raw: &[Token]) {
        match self.read_define(raw) {
            Ok((name, definition)) => self.add_macro(name, definition, raw),
            Err(problem) => self.bad_directive(raw, problem, DEFINE_HELP),
        }
    }

    fn read_define(&self, raw: &[Token]) -> Result<(Name, Macro), String> {
        let open = raw.get(2).is_some_and(|token| token.kind.is(Sym::Open));
        let name = raw.get(3).and_then(|token| macro_name(&token.kind)).filter(|_| open);
        let name = name.ok_or("a macro's name is an atom or a variable")?;
        let body_end = match raw {
            [.., close, dot] if dot.kind == Tok::Dot && close.kind.is(Sym::Close) => raw.len() - 2,
            [.., close] if close.kind.is(Sym::Close) => raw.len() - 1,
            _ => return Err("the closing `)` of this definition is missing".to_string()),
        };
        let mut at = 4;
        let mut params = None;
        if raw.get(at).is_some_and(|token| token.kind.is(Sym::Open)) {
            let (read, next) = read_params(raw, at + 1)?;
            params = Some(read);
            at = next;
        }
        if !raw.get(at).is_some_and(|token| token.kind.is(Sym::Comma)) {
            return Err(format!("`,` is missing after `{name}`"));
        }
        let body = raw.get(at + 1..body_end).unwrap_or(&[]);
        Ok((name, Macro { params, body: body.into(), defined_at: form_span(raw) }))
    }

    fn add_macro(&mut self, name: Name, definition: Macro, raw: &[Token]) {
        if self.macros.predefined(&name).is_some() {
            let problem = format!("`?{name}` is predefined and cannot be defined");
            let diagnostic = Diagnostic::error(codes::MACRO_REDEFINED, raw[3].span, problem);
            self.diagnostics.push(diagnostic);
            return;
        }
        let arity = |definition: &Macro| definition.params.as_ref().map(Vec::len);
        let overloads = self.macros.user.entry(name.clone()).or_default();
        match overloads.iter().find(|other| arity(other) == arity(&definition)) {
            None => overloads.push(definition),
            Some(other) => {
                let problem = format!("macro `{name}` is already defined");
                self.diagnostics.push(
                    Diagnostic::error(codes::MACRO_REDEFINED, raw[3].span, problem)
                        .also(other.defined_at, "first defined here")
                        .help(format!("put `-undef({name}).` before it to replace the definition")),
                );
            }
        }
    }

    pub(super) fn undefine(&mut self, raw: &[Token]) {
        match raw.get(3).and_then(|token| macro_name(&token.kind)) {
            Some(name) => {
                self.macros.user.remove(&name);
            }
            None => self.bad_directive(raw, "the macro's name is missing", "write `-undef(NAME).`"),
        }
    }
}

/// The parameters after `(`; returns where the text goes on after `)`.
fn read_params(raw: &[Token], mut at: usize) -> Result<(Vec<Name>, usize), String> {
    let mut params: Vec<Name> = Vec::new();
    if raw.get(at).is_some_and(|token| token.kind.is(Sym::Close)) {
        return Ok((params, at + 1));
    }
    loop {
        match raw.get(at).map(|token| &token.kind) {
            Some(Tok::Var(name)) if params.contains(name) => {
                return Err(format!("parameter `{name}` occurs twice"));
            }
            Some(Tok::Var(name)) => params.push(name.clone()),
            _ => return Err("the parameters of a macro are variables".to_string()),
        }
        match raw.get(at + 1).map(|token| &token.kind) {
            Some(tok) if tok.is(Sym::Comma) => at += 2,
            Some(tok) if tok.is(Sym::Close) => return Ok((params, at + 2)),
            _ => return Err("`,` or `)` is missing between the parameters".to_string()),
        }
    }
}
