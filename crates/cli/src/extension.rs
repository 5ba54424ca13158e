//! Commands of other edges: the facade hands them in, so that no edge leans on another.
//! Why: running nodes on sockets, a debugger and labs each have commands of their own. They need what every command needs (the
//! systems of the binary, somewhere to print, a way to complain) and nothing else of this crate: that is a [`Desk`].
//! Invariant: a command that was added is parsed, completed and shown by `--help` like one of our own.

use crate::units::{parse_bytes, parse_duration};
use crate::{Program, out};
use clap::ArgMatches;
use foresee_session::{Diagnostic, Registry, Report};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A command that another edge adds.
///
/// ```no_run
/// use foresee_cli::{Extension, cli};
/// let hello = clap::Command::new("hello").about("Says hello");
/// let _ = cli().extension(Extension::new(hello, |desk, _matches| desk.print("hello\n"))).run();
/// ```
#[derive(Clone)]
pub struct Extension {
    command: clap::Command,
    run: Arc<Run>,
}

type Run = dyn Fn(&Desk<'_>, &ArgMatches) -> u8 + Send + Sync;

impl Extension {
    /// A command, and what it does with its flags; the number is the exit code.
    pub fn new(
        command: clap::Command,
        run: impl Fn(&Desk<'_>, &ArgMatches) -> u8 + Send + Sync + 'static,
    ) -> Self {
        Extension { command, run: Arc::new(run) }
    }

    pub(crate) fn name(&self) -> &str {
        self.command.get_name()
    }

    pub(crate) fn command(&self) -> clap::Command {
        self.command.clone()
    }

    pub(crate) fn run(&self, desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
        (self.run)(desk, matches)
    }
}

impl fmt::Debug for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Extension").field(&self.name()).finish()
    }
}

/// What a command of another edge works with.
pub struct Desk<'a> {
    program: &'a Program,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Desk { program }
    }

    /// The systems of this binary.
    pub fn registry(&self) -> &Registry {
        &self.program.registry
    }

    /// The whole command line, as data: for manual pages.
    pub fn command(&self) -> clap::Command {
        self.program.clap()
    }

    /// What the user types to start the binary.
    pub fn program(&self) -> &str {
        &self.program.name
    }

    /// Text for standard output; the exit code is 0, or 2 if nobody takes it.
    pub fn print(&self, text: &str) -> u8 {
        out::print(text)
    }

    /// A line for standard error.
    pub fn note(&self, text: &str) {
        out::note(text);
    }

    /// A diagnostic on standard error; the exit code is 2.
    pub fn complain(&self, diagnostic: &Diagnostic) -> u8 {
        out::complain(diagnostic, &self.program.name)
    }

    /// A report as `--format json` or as text; the exit code is its verdict's.
    pub fn show(&self, report: &Report, as_json: bool) -> u8 {
        use crate::args::{Format, Output};
        let format = if as_json { Format::Json } else { Format::Text };
        crate::check::show(report, &Output::of_format(format), self.program)
    }
}

/// Reads `10s`, `500ms` and the like, for flags.
pub fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text)
}

/// Reads `8MiB` and the like, for flags.
pub fn bytes(text: &str) -> Result<u64, String> {
    parse_bytes(text)
}
