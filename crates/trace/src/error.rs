//! What can be wrong with the text of a trace, where, and what to do about it.

use std::error::Error;
use std::fmt;

/// Why a text is not a trace.
///
/// ```
/// use foresee_trace::{Problem, Trace};
/// let error = Trace::parse("foresee trace 1\nsystem: ping\n\n1  fly away\nend\n").unwrap_err();
/// assert_eq!((error.line, &error.problem), (4, &Problem::NotAnEvent));
/// assert!(error.to_string().starts_with("line 4: expected an event"));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct ParseError {
    /// Counted from 1.
    pub line: usize,
    /// The offending line, shortened.
    pub text: String,
    pub problem: Problem,
}

/// Kinds of problems.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes are not UTF-8.
    NotText,
    /// The first line is not `foresee trace 1`.
    NotATrace,
    /// Written by a later version of the tool.
    UnknownVersion,
    /// A line of the header is not `key: value` with a known key.
    NotAHeader,
    /// A header that may stand once stands twice.
    RepeatedHeader,
    /// There is no line `system: …`.
    NoSystem,
    /// A header's value is not what it should be; says what it should be.
    BadValue(String),
    /// A line among the events is not one.
    NotAnEvent,
    /// A note stands before the first event.
    StrayNote,
    /// The text ends without the line `end`.
    Truncated,
    /// Something follows the line `end`.
    AfterEnd,
}

impl ParseError {
    pub(crate) fn new(line: usize, text: &str, problem: Problem) -> Self {
        let text = text.trim();
        let mut short: String = text.chars().take(60).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        ParseError { line, text: short, problem }
    }

    /// What was expected.
    pub fn expected(&self) -> String {
        match &self.problem {
            Problem::NotText => "UTF-8 text".into(),
            Problem::NotATrace => "the line `foresee trace 1`".into(),
            Problem::UnknownVersion => "version 1 of the trace format".into(),
            Problem::NotAHeader => {
                "a header such as `seed: 7`, or an empty line before the events".into()
            }
            Problem::RepeatedHeader => "this header only once".into(),
            Problem::NoSystem => "a header `system: NAME key=value …`".into(),
            Problem::BadValue(what) => what.clone(),
            Problem::NotAnEvent => "an event such as `3  deliver client1 -> server Ping(1)`".into(),
            Problem::StrayNote => "an event before the first indented note".into(),
            Problem::Truncated => "the line `end` after the last event".into(),
            Problem::AfterEnd => "nothing after the line `end`".into(),
        }
    }

    /// A way forward.
    pub fn help(&self) -> &'static str {
        match self.problem {
            Problem::NotText => "save the file as UTF-8, or record the trace again",
            Problem::NotATrace => "is this the right file? a trace is written by `--trace FILE`",
            Problem::UnknownVersion => {
                "replay it with the version of foresee that wrote it, or newer"
            }
            Problem::NotAHeader => {
                "known headers: system, initial, option, seed, violation, message; \
                 a comment starts with `#`"
            }
            Problem::RepeatedHeader => "delete one of the two lines",
            Problem::NoSystem => "add the line; `foresee systems` lists names and parameters",
            Problem::BadValue(_) => "correct the line, or delete it where it is not needed",
            Problem::NotAnEvent => {
                "an event starts with its number, then one of: deliver, timer, drop, duplicate, \
                 crash, restart, partition, heal, step; a note is indented, a comment starts with `#`"
            }
            Problem::StrayNote => "start a comment with `#`, or move the note below its event",
            Problem::Truncated => {
                "the file was cut off: record it again; or, if you shortened it on purpose, \
                 remove a half line at its end and add the line `end`"
            }
            Problem::AfterEnd => {
                "one file holds one trace: remove what follows, or start it with `#`"
            }
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected())?;
        if !self.text.is_empty() {
            write!(f, ", found `{}`", self.text)?;
        }
        write!(f, "\nhelp: {}", self.help())
    }
}

impl Error for ParseError {}
