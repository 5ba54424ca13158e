//! Standard output and standard error.
//! Why its own module: an answer that did not reach its reader is no answer. What could not be written is remembered, ends
//! the work early, and gives exit code 2 whatever the verdict was. A reader who has seen enough and closed the pipe (`| head`) is
//! told nothing more; a full disk is an error that is told.

use crate::render;
use foresee_session::{Code, Diagnostic};
use std::io::{ErrorKind, Write as _};
use std::sync::OnceLock;

/// The first thing that could not be written, and why.
static FAILURE: OnceLock<(ErrorKind, String)> = OnceLock::new();

/// Text for standard output.
pub(crate) fn print(text: &str) -> u8 {
    if has_failed() {
        return 2;
    }
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => 0,
        Err(error) => {
            failed(&error);
            2
        }
    }
}

/// Standard output for what is no text for people: a file that is piped on.
pub(crate) struct Plain;

impl std::io::Write for Plain {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::io::stdout().write(bytes).inspect_err(failed)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stdout().flush().inspect_err(failed)
    }
}

/// Text for standard error.
pub(crate) fn note(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{text}");
}

/// A diagnostic on standard error, with where to read more.
pub(crate) fn complain(diagnostic: &Diagnostic, program: &str) -> u8 {
    note(&render::diagnostic(diagnostic, program));
    2
}

/// Remembers that standard output takes nothing any more.
pub(crate) fn failed(error: &std::io::Error) {
    let _ = FAILURE.set((error.kind(), error.to_string()));
}

/// Whether something could not be written: there is no point in finding out more.
pub(crate) fn has_failed() -> bool {
    FAILURE.get().is_some()
}

/// The exit code of a command that ended with `code`, if all it said was written.
pub(crate) fn conclude(code: u8, program: &str) -> u8 {
    match FAILURE.get() {
        None => code,
        Some((ErrorKind::BrokenPipe, _)) => 2,
        Some((_, reason)) => {
            let message = format!("cannot write to standard output: {reason}");
            let help = "make room, or send the output elsewhere: the verdict was not told";
            complain(&Diagnostic::new(Code::FileNotWritten, message).help(help), program)
        }
    }
}
