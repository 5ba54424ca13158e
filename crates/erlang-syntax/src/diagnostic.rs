//! Diagnostics as data: what is wrong with the text, where, and what to do about it.
//! Why: the same news is shown on a terminal, in an editor and in tests, so nothing here knows about rendering.
//! A diagnostic is one primary span with a short label, further labelled spans (the opener of a bracket, the use of
//! a macro), and help lines. Codes are data too: see `codes`.

use crate::codes::Code;
use crate::source::Span;

/// How bad it is. Only errors make a module unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The module cannot be used as it is.
    Error,
    /// Worth a look.
    Warning,
}

/// A place with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there, in lower case without a full stop.
    pub message: String,
}

/// One piece of bad news about the user's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code; `codes::explain` has a page about it.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// The main place.
    pub span: Span,
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
}

/// Where a macro was used and defined; lets diagnostics name the macro behind a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The macro, without the question mark.
    pub name: crate::Name,
    /// The use, in the text the user wrote (`?NAME(…)`).
    pub used_at: Span,
    /// The definition; `None` for predefined macros.
    pub defined_at: Option<Span>,
    /// The expansion this use came out of, if it was inside another macro's body.
    pub inside: Option<u32>,
}

/// The names that look most like `wanted`, for "did you mean".
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = wanted.chars().count();
    let allowed = if length <= 2 { 0 } else { (length / 3).max(1) };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != wanted)
        .map(|candidate| (edit_distance(wanted, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edits (insert, delete, replace, swap of neighbours) between two names, ignoring case at no cost.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("hadnle_call", ["handle_cast", "handle_call"]), Some("handle_call"));
        assert_eq!(nearest("x", ["handle_call"]), None);
        assert_eq!(nearest("Timeout", ["timeout"]), Some("timeout"));
    }
}
