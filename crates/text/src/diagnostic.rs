//! News about a text as data: what is wrong, where, and what to do about it.
//! Why: the same news is shown on a terminal, in an editor and in tests, so nothing here knows about colours. A reader collects
//! its news beside a usable result and never stops at the first.
//! A diagnostic is one main place with a short label, further labelled places (the opener of a bracket, the use of a macro),
//! and help lines.

use crate::{Code, Lines, Span, nearest_name};
use std::fmt;

/// How bad it is. Only errors make a text unusable.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// The text cannot be used as it is.
    Error,
    /// Worth a look.
    Warning,
}

/// A place with a few words about it.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Label {
    pub span: Span,
    /// What is there, in lower case without a full stop.
    pub message: String,
}

/// One piece of news about a text.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// The main place; [`Span::NONE`] if there is none, or if only the line is known.
    pub span: Span,
    /// The line, from 1, where a text is read line by line and may be larger than a span can say.
    pub line: Option<u64>,
    /// The headline.
    pub message: String,
    /// Words beside the main place; may be empty.
    pub label: String,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// What to do, one line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span,
            line: None,
            message: message.into(),
            label: String::new(),
            secondary: Vec::new(),
            help: Vec::new(),
        }
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Sets the line, where no more is known.
    #[must_use]
    pub fn on_line(mut self, line: u64) -> Diagnostic {
        self.line = Some(line);
        self
    }

    /// Sets the words beside the main place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds another labelled place.
    #[must_use]
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// Adds a line of help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }

    /// Adds help when there is some.
    #[must_use]
    pub fn help_if(mut self, help: Option<String>) -> Diagnostic {
        self.help.extend(help);
        self
    }

    /// Adds "did you mean" when a known name is near.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        let near = nearest_name(name, known);
        self.help_if(near.map(|near| format!("did you mean `{near}`?")))
    }

    /// The whole message as plain text: `path:line:column: E0501: …`, the line itself, and help.
    pub fn render(&self, path: &str, text: &str) -> String {
        let lines = Lines::new(text);
        let place = |span: Span| match lines.line(span) {
            Some(_) => {
                let (line, column) = lines.line_column(text, span.start);
                format!("{path}:{line}:{column}")
            }
            None => path.to_owned(),
        };
        let mut out = format!("{}: {}: {}\n", place(self.span), self.code, self.message);
        if let Some(line) = lines.line(self.span) {
            let source = text.lines().nth(line as usize - 1).unwrap_or("");
            out += &format!("  | {}\n", source.trim_end());
        }
        for Label { span, message } in &self.secondary {
            out += &format!("  note: {}: {message}\n", place(*span));
        }
        for help in &self.help {
            out += &format!("  help: {help}\n");
        }
        out
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_error() { "error" } else { "warning" };
        write!(f, "{word}[{}]: {}", self.code, self.message)?;
        if let Some(line) = self.line {
            write!(f, "\n  at: line {line}")?;
        }
        self.help.iter().try_for_each(|help| write!(f, "\n  help: {help}"))
    }
}

impl std::error::Error for Diagnostic {}
