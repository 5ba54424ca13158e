//! Diagnostics as data: what is wrong with a file or a formula, where, and what to do about it.
//! Not here: how any of it is shown (`cli`), and verdicts about a system (`solve`).

use crate::codes::Code;
use std::fmt;

/// A range of bytes of a formula's text.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// From the beginning of one to the end of the other.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Line and column of the beginning, both from 1; columns count characters.
    ///
    /// ```
    /// use foresee_logic::Span;
    /// assert_eq!(Span::new(5, 6).position("ab\ncd"), (2, 3));
    /// ```
    pub fn position(self, text: &str) -> (usize, usize) {
        let before = text.get(..self.start as usize).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }

    /// The text in this range.
    pub fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// Nothing can be done with the text.
    Error,
    /// Worth a look.
    Warning,
}

/// One piece of news about the user's text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// Where in a formula.
    pub span: Option<Span>,
    /// Where in a file, lines from 1.
    pub line: Option<u64>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Diagnostic { code, severity: Severity::Error, message, span: None, line: None, help: None }
    }

    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    #[must_use]
    pub fn on_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    #[must_use]
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_error() { "error" } else { "warning" };
        write!(f, "{word}[{}]: {}", self.code, self.message)?;
        if let Some(line) = self.line {
            write!(f, "\n  at: line {line}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
