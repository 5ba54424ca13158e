//! The preprocessor: directives, conditionals, includes and macros, from raw tokens to the tokens of one form.
//! Why form by form: `-define` and `-feature` change how the following text reads, and an error in one form must
//! not hide the next. The parser asks for a form at a time and never sees a directive.
//! Missing full stops are repaired here where a directive or attribute plainly starts a new line; inside functions
//! the parser does it, because it knows more.
//! Not here: the grammar. Conditions of `-if` are parsed by the ordinary parser and evaluated in `evaluate`.

mod conditionals;
mod evaluate;
mod expand;
mod include;
mod macros;
mod maybe;
mod substitute;

pub(crate) use expand::with_expansions;

use std::collections::BTreeSet;
use std::sync::Arc;

use conditionals::Conditional;
use macros::Macros;
use maybe::MaybeWords;

use crate::codes;
use crate::diagnostic::Expansion;
use crate::lexer::lex;
use crate::name::{Name, Names};
use crate::source::{FileId, Sources, Span};
use crate::token::{Sym, Tok, Token};
use foresee_text::Diagnostic;
pub use include::{IncludeRequest, IncludedFile, Includes, no_includes};

/// A file with so many mistakes is not read further: nobody reads more of them, and telling them takes long.
pub(crate) const MISTAKES_MAX: usize = 200;

/// What the edge may set.
#[derive(Clone, Debug)]
pub struct Options {
    /// The release whose rules apply, 25 to 28: `?OTP_RELEASE`, triple-quoted strings and `maybe` depend on it.
    pub otp: u32,
    /// Macros defined from outside: name and text (`-D NAME=text`); no text means `true`.
    pub defines: Vec<(String, Option<String>)>,
}

impl Default for Options {
    fn default() -> Options {
        Options { otp: 27, defines: Vec::new() }
    }
}

pub(crate) struct Preprocessor<'a> {
    pub(crate) sources: Sources,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) expansions: Vec<Expansion>,
    /// Some include was not found, so undefined records are no news, and undefined macros may be in it.
    pub(crate) include_missing: bool,
    otp: u32,
    names: Names,
    macros: Macros,
    /// Undefined macros that were reported; once is enough.
    undefined: BTreeSet<Name>,
    module: Option<Name>,
    maybe: MaybeWords,
    files: Vec<OpenFile>,
    conditionals: Vec<Conditional>,
    includes: Includes<'a>,
}

/// A file being read: its tokens and how far we are.
struct OpenFile {
    id: FileId,
    tokens: Arc<[Token]>,
    at: usize,
    /// How many conditionals were open when the file was entered.
    conditionals_outside: usize,
    /// As changed by `-file`.
    path: Arc<str>,
    line_offset: i64,
}

impl<'a> Preprocessor<'a> {
    pub(crate) fn new(options: &Options, includes: Includes<'a>) -> Preprocessor<'a> {
        let mut this = Preprocessor {
            sources: Sources::default(),
            diagnostics: Vec::new(),
            expansions: Vec::new(),
            include_missing: false,
            otp: options.otp,
            names: Names::default(),
            macros: Macros::default(),
            undefined: BTreeSet::new(),
            module: None,
            maybe: if options.otp >= 27 { MaybeWords::Guessed } else { MaybeWords::Atoms },
            files: Vec::new(),
            conditionals: Vec::new(),
            includes,
        };
        // The main file must be file 0; definitions from outside get files of their own after it.
        this.macros.predefine(&mut this.names);
        this
    }

    pub(crate) fn open(&mut self, path: &str, text: &str) {
        let id = self.sources.add(path, text);
        let tokens = lex(text, id, self.otp, &mut self.names, &mut self.diagnostics);
        self.files.push(OpenFile {
            id,
            tokens: tokens.into(),
            at: 0,
            conditionals_outside: self.conditionals.len(),
            path: path.into(),
            line_offset: 0,
        });
    }

    /// Defines the macros given from outside; called after the main file is opened.
    pub(crate) fn define_from_outside(&mut self, options: &Options) {
        for (name, text) in &options.defines {
            let text = text.as_deref().unwrap_or("true");
            let id = self.sources.add(&format!("-D{name}"), text);
            let body = lex(text, id, self.otp, &mut self.names, &mut self.diagnostics);
            let name = self.names.intern(name);
            self.macros.define_constant(name, body);
        }
    }

    /// The tokens of the next form, macros expanded, ending in a full stop.
    pub(crate) fn next_form(&mut self) -> Option<Vec<Token>> {
        loop {
            if self.diagnostics.len() >= MISTAKES_MAX {
                return None;
            }
            let file = self.files.last_mut()?;
            if file.at >= file.tokens.len() {
                self.close_file();
                continue;
            }
            let tokens = file.tokens.clone();
            let start = file.at;
            let end = form_end(&tokens, start);
            file.at = end;
            let raw = &tokens[start..end];
            let terminated = raw.last().is_some_and(|token| token.kind == Tok::Dot);
            let handled = self.directive(raw);
            if !terminated && (handled || self.active()) {
                self.missing_dot(raw);
            }
            if handled || !self.active() {
                if !handled {
                    self.forget_lexical_errors(&tokens, start, end);
                }
                continue;
            }
            let mut form = self.expand(raw);
            self.mark_words(&mut form);
            if !terminated {
                form.push(crate::parse::dot_after(raw));
            }
            return Some(form);
        }
    }

    /// The tokens of text that is no file of forms, macros expanded, up to the first full stop.
    pub(crate) fn loose_tokens(&mut self, text: &str) -> Vec<Token> {
        let id = self.sources.add("", text);
        let mut raw = lex(text, id, self.otp, &mut self.names, &mut self.diagnostics);
        let end = raw.iter().position(|token| token.kind == Tok::Dot).unwrap_or(raw.len());
        raw.truncate(end);
        let mut tokens = self.expand(&raw);
        self.mark_words(&mut tokens);
        tokens.push(crate::parse::dot_after(&tokens));
        tokens
    }

    fn mark_words(&self, form: &mut [Token]) {
        if self.maybe == MaybeWords::Guessed {
            maybe::mark(form);
        }
    }

    /// Skipped text need not make sense.
    fn forget_lexical_errors(&mut self, tokens: &[Token], start: usize, end: usize) {
        let Span { file, end: to, .. } = tokens[end - 1].span;
        let from = start.checked_sub(1).map_or(0, |before| tokens[before].span.end);
        self.diagnostics.retain(|diagnostic| {
            let Span { file: other, start, .. } = diagnostic.span;
            other != file || start < from || start >= to
        });
    }

    fn close_file(&mut self) {
        let file = self.files.pop().expect("called with an open file");
        self.report_open_conditionals(file.conditionals_outside);
    }

    /// Handles a directive; false when the form is something else.
    fn directive(&mut self, raw: &[Token]) -> bool {
        let [minus, word, ..] = raw else { return false };
        if !minus.kind.is(Sym::Minus) {
            return false;
        }
        let Some(name) = directive_name(word) else { return false };
        if self.conditional(&name, raw) {
            return true;
        }
        if !self.active() {
            return false;
        }
        match name.as_str() {
            "define" => self.define(raw),
            "undef" => self.undefine(raw),
            "include" => self.include(raw, false),
            "include_lib" => self.include(raw, true),
            "error" => self.message(raw, true),
            "warning" => self.message(raw, false),
            "module" => {
                self.note_module(raw);
                return false;
            }
            "feature" => {
                self.feature(raw);
                return false;
            }
            "file" => {
                self.change_file(raw);
                return false;
            }
            _ => return false,
        }
        true
    }

    fn note_module(&mut self, raw: &[Token]) {
        if let Some(name) = raw.get(3).and_then(|token| token.kind.atom()) {
            self.module = Some(name.clone());
        }
    }

    fn feature(&mut self, raw: &[Token]) {
        let atom = |at: usize| raw.get(at).and_then(|token| token.kind.atom()).map(Name::as_str);
        if atom(3) == Some("maybe_expr") {
            self.maybe = match atom(5) {
                Some("disable") => MaybeWords::Atoms,
                _ => MaybeWords::Keywords,
            };
        }
    }

    fn change_file(&mut self, raw: &[Token]) {
        let form = self.expand(raw);
        let (Some(Tok::Str(path)), Some(Tok::Integer(line))) =
            (form.get(3).map(|token| &token.kind), form.get(5).map(|token| &token.kind))
        else {
            return;
        };
        let here = i64::from(self.sources.line(raw[0].span));
        let file = self.files.last_mut().expect("a form comes from an open file");
        file.path = path.clone();
        file.line_offset = line.to_i64().unwrap_or(here) - here - 1;
    }

    /// `-error(Term).` and `-warning(Term).`
    fn message(&mut self, raw: &[Token], fatal: bool) {
        let form = self.expand(raw);
        let inner = form.get(3..form.len().saturating_sub(2)).unwrap_or(&[]);
        let text = match inner {
            [Token { kind: Tok::Str(text), .. }] => text.to_string(),
            tokens => substitute::stringify(tokens),
        };
        let span = form_span(raw);
        self.diagnostics.push(if fatal {
            Diagnostic::error(codes::ERROR_DIRECTIVE, span, format!("-error: {text}"))
        } else {
            Diagnostic::warning(codes::WARNING_DIRECTIVE, span, format!("-warning: {text}"))
        });
    }

    fn bad_directive(&mut self, raw: &[Token], problem: impl Into<String>, help: &str) {
        let diagnostic = Diagnostic::error(codes::BAD_DIRECTIVE, form_span(raw), problem);
        self.diagnostics.push(diagnostic.help(help));
    }

    fn missing_dot(&mut self, raw: &[Token]) {
        let last = raw.last().expect("forms have tokens");
        self.diagnostics.push(
            Diagnostic::error(
                codes::MISSING_DOT,
                last.span.after(),
                "this form does not end with a full stop",
            )
            .label("add `.` here")
            .also(raw[0].span, "the form starts here"),
        );
    }
}

/// The name after the minus sign; `if` and `else` are words of the language elsewhere.
fn directive_name(word: &Token) -> Option<Name> {
    match &word.kind {
        Tok::Atom(name) | Tok::Quoted(name) => Some(name.clone()),
        Tok::Keyword(keyword) => Some(keyword.text().into()),
        _ => None,
    }
}

/// Past the full stop, or before an attribute that plainly starts a new form.
fn form_end(tokens: &[Token], start: usize) -> usize {
    for at in start..tokens.len() {
        if tokens[at].kind == Tok::Dot {
            return at + 1;
        }
        if at > start && starts_attribute(&tokens[at..]) {
            return at;
        }
    }
    tokens.len()
}

fn starts_attribute(tokens: &[Token]) -> bool {
    const KNOWN: &[&str] = &[
        "behavior",
        "behaviour",
        "callback",
        "compile",
        "define",
        "doc",
        "elif",
        "else",
        "endif",
        "export",
        "export_type",
        "feature",
        "if",
        "ifdef",
        "ifndef",
        "import",
        "include",
        "include_lib",
        "module",
        "moduledoc",
        "opaque",
        "record",
        "spec",
        "type",
        "undef",
        "vsn",
    ];
    let [minus, word, ..] = tokens else { return false };
    minus.line_start
        && minus.kind.is(Sym::Minus)
        && !word.spaced
        && directive_name(word).is_some_and(|name| KNOWN.contains(&name.as_str()))
}

fn form_span(raw: &[Token]) -> Span {
    raw[0].span.to(raw[raw.len() - 1].span)
}
