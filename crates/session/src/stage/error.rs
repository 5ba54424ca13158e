//! What a stage cannot do, with a word for programs and a sentence for people.

use foresee_search::CursorError;
use serde::Serialize;
use std::fmt;

/// Something asked of a stage that cannot be done.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StageError {
    /// `no-such-place`, `no-such-choice`, `no-such-start`, `no-such-property`, `no-such-member`, `label-disagrees`.
    pub code: &'static str,
    pub message: String,
    pub help: Option<String>,
}

impl StageError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        StageError { code, message: message.into(), help: None }
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<CursorError> for StageError {
    fn from(error: CursorError) -> Self {
        let code = match error {
            CursorError::NoSuchPlace(_) => "no-such-place",
            CursorError::NoSuchChoice { .. } => "no-such-choice",
            CursorError::NoSuchStart { .. } => "no-such-start",
            _ => "not-possible",
        };
        StageError::new(code, error.to_string())
    }
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for StageError {}
