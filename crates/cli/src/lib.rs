//! The command line: words in, words out, an exit code.
//! Why a library: a user's crate calls it from its own `main` and has every command for its own systems.
//! Only here do we read clocks and files, catch Ctrl-C, and know of colours. Everything else is behind `foresee-session`.
//!
//! Reading order: `args` (what can be typed), `extension` (what other edges add to it), `check`, `render` (what is printed), `files` (traces), `out`, then `meter`, `progress`,
//! `crash` (the outside world).

#![allow(clippy::disallowed_methods, reason = "an edge: clocks and files live here")]

mod args;
mod blocks;
mod check;
mod cluster;
mod complete;
mod crash;
mod debug;
mod disk;
mod erlang;
mod extension;
mod facts;
mod files;
mod folder;
mod in_tests;
mod junit;
mod last_words;
mod lts;
mod meter;
mod model_args;
mod out;
mod progress;
mod render;
mod replay;
mod run_text;
mod scene_text;
mod simulate;
mod style;
mod systems;
mod tested;
#[cfg(feature = "languages")]
mod translate;
mod units;
mod verify;
mod what;
mod why;
mod width;

pub use debug::{DebugOptions, Debugger, Storyteller};
pub use extension::{Desk, Extension, bytes, duration};
pub use in_tests::{report_text, save_traces};
pub use meter::memory_bytes;
pub use render::quoted;

use args::{Arguments, Command, Output, What};
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use foresee_session::{Code, Diagnostic, Entry, Registry, Report, explain};
use model_args::Lts;
use out::{complain, note, print};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// The command line of one binary.
///
/// ```no_run
/// use std::process::ExitCode;
/// fn main() -> ExitCode {
///     foresee_cli::cli().stock_systems().run()
/// }
/// ```
#[derive(Default)]
pub struct Cli {
    registry: Registry,
    extensions: Vec<Extension>,
    debugger: Option<Debugger>,
    storyteller: Option<Storyteller>,
}

/// A command line without any system.
pub fn cli() -> Cli {
    Cli::default()
}

impl Cli {
    /// Adds a system of one's own.
    #[must_use]
    pub fn system(mut self, entry: Entry) -> Self {
        self.registry = self.registry.with(entry);
        self
    }

    /// Adds several systems of one's own, as the function `systems` of a crate lists them.
    #[must_use]
    pub fn systems(self, entries: impl IntoIterator<Item = Entry>) -> Self {
        entries.into_iter().fold(self, Cli::system)
    }

    /// Adds the systems that the stock binary has.
    #[cfg(feature = "systems")]
    #[must_use]
    pub fn stock_systems(self) -> Self {
        self.systems(Registry::stock().entries().iter().cloned())
    }

    /// Adds a command of another edge; the facade does this, so that edges do not know each other.
    #[must_use]
    pub fn extension(mut self, extension: Extension) -> Self {
        self.extensions.push(extension);
        self
    }

    /// Adds the visual debugger.
    #[must_use]
    pub fn debugger(mut self, debugger: Debugger) -> Self {
        self.debugger = Some(debugger);
        self
    }

    /// Adds what makes a page of a run, for `--report`.
    #[must_use]
    pub fn storyteller(mut self, storyteller: Storyteller) -> Self {
        self.storyteller = Some(storyteller);
        self
    }

    /// Does what the process's arguments ask for. To be called once, from `main`: it takes over Ctrl-C and the panic hook.
    pub fn run(self) -> ExitCode {
        let words: Vec<OsString> = std::env::args_os().collect();
        let line: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        crash::install_hook(line.join(" "));
        let name = program_name(&words);
        let line = std::iter::once(name.clone())
            .chain(line.iter().skip(1).map(|word| render::quoted(word)))
            .collect::<Vec<_>>()
            .join(" ");
        let Cli { registry, extensions, debugger, storyteller } = self;
        let program = Program { registry, extensions, debugger, storyteller, name, line };
        ExitCode::from(program.run(words))
    }
}

/// What every command needs to know.
struct Program {
    registry: Registry,
    extensions: Vec<Extension>,
    debugger: Option<Debugger>,
    storyteller: Option<Storyteller>,
    /// What the user types to start us, for the commands we suggest.
    name: String,
    /// What the user has typed, for the page.
    line: String,
}

fn program_name(words: &[OsString]) -> String {
    let path = words.first().map(std::path::Path::new);
    let name =
        path.and_then(|path| path.file_stem()).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "foresee".to_owned())
}

impl Program {
    fn typed(&self) -> render::Typed<'_> {
        render::Typed { program: &self.name, has_debugger: self.debugger.is_some() }
    }

    fn run(&self, words: Vec<OsString>) -> u8 {
        let matches = match self.clap().try_get_matches_from(words) {
            Ok(matches) => matches,
            Err(error) => return self.refused(&error),
        };
        if let Some((extension, matches)) = self.extended(&matches) {
            let code = catch_unwind(AssertUnwindSafe(|| extension.run(&Desk::new(self), matches)));
            let code = code.unwrap_or_else(|_| complain(&itself_failed(), &self.name));
            return out::conclude(code, &self.name);
        }
        let arguments = match Arguments::from_arg_matches(&matches) {
            Ok(arguments) => arguments,
            Err(error) => return self.refused(&error),
        };
        let code = match catch_unwind(AssertUnwindSafe(|| self.command(&arguments.command))) {
            Ok(code) => code,
            Err(_) => self.panicked(&arguments.command),
        };
        out::conclude(code, &self.name)
    }

    /// Our own commands and those of other edges.
    fn clap(&self) -> clap::Command {
        let own = Arguments::command().bin_name(self.name.clone());
        self.extensions.iter().fold(own, |all, extension| all.subcommand(extension.command()))
    }

    /// The words were not understood, or ask for help.
    fn refused(&self, error: &clap::Error) -> u8 {
        if let Err(error) = error.print() {
            out::failed(&error);
        }
        out::conclude(error.exit_code().try_into().unwrap_or(2), &self.name)
    }

    /// The command of another edge, if that is what was typed.
    fn extended<'a>(&'a self, matches: &'a ArgMatches) -> Option<(&'a Extension, &'a ArgMatches)> {
        let (typed, matches) = matches.subcommand()?;
        let extension = self.extensions.iter().find(|extension| extension.name() == typed)?;
        Some((extension, matches))
    }

    fn command(&self, command: &Command) -> u8 {
        if let Some((name, what, output)) = reporting(command) {
            last_words::prepare(Report::new(name, what.words()), output, &self.name);
        }
        match command {
            Command::Check(arguments) => check::run(self, arguments),
            Command::Simulate(arguments) => simulate::run(self, arguments),
            Command::Lts(arguments) => lts::run(self, arguments),
            Command::Verify(arguments) => verify::run(self, arguments),
            #[cfg(feature = "languages")]
            Command::Translate(arguments) => translate::run(self, arguments),
            Command::Replay(arguments) => replay::run(self, arguments),
            Command::Debug(arguments) => debug::run(self, arguments),
            Command::Patterns(arguments) => verify::patterns(self, arguments),
            Command::Systems(arguments) => match systems::list(&self.registry, arguments) {
                Ok(text) => print(&text),
                Err(diagnostic) => complain(&diagnostic, &self.name),
            },
            Command::Explain(arguments) => match &arguments.code {
                None => print(&all_codes()),
                Some(code) => match explain(code) {
                    Ok(about) => print(about.page),
                    Err(diagnostic) => complain(&diagnostic, &self.name),
                },
            },
            Command::Completions(arguments) => {
                print(&complete::script(arguments.shell, &mut self.clap(), &self.name))
            }
            Command::Complete(arguments) => {
                let words = complete::candidates(&self.registry, &arguments.line);
                print(&words.iter().map(|word| format!("{word}\n")).collect::<String>())
            }
        }
    }

    /// We are wrong. Whoever waits for a report gets one that says so.
    fn panicked(&self, command: &Command) -> u8 {
        let diagnostic = itself_failed();
        let Some((name, what, output)) = reporting(command) else {
            return complain(&diagnostic, &self.name);
        };
        check::report_error(name, what, output, diagnostic, self)
    }
}

fn itself_failed() -> Diagnostic {
    Diagnostic::new(Code::Internal, "foresee itself has failed; this is a bug in it")
        .at(crash::first_panic())
        .help("please report it with that file: it says how to see the error again")
}

/// The name of a command that reports on a system, what it is about, and how it prints.
fn reporting(command: &Command) -> Option<(&'static str, &What, &Output)> {
    Some(match command {
        Command::Check(arguments) => ("check", &arguments.what, &arguments.output),
        Command::Simulate(arguments) => ("simulate", &arguments.what, &arguments.output),
        Command::Lts(Lts::Generate(arguments)) => ("lts", &arguments.what, &arguments.output),
        Command::Verify(arguments) => ("verify", &arguments.what, &arguments.output),
        _ => return None,
    })
}

fn all_codes() -> String {
    let mut text = String::new();
    for about in foresee_session::all_diagnostics() {
        let _ = writeln!(text, "{}  {}", about.id, about.title);
    }
    text
}
