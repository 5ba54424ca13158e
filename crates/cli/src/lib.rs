//! The command line: words in, words out, an exit code.
//! Why a library: a user's crate calls it from its own `main` and has every command for its own systems.
//! Only here do we read clocks and files, catch Ctrl-C, and know of colours. Everything else is behind `foresee-session`.
//!
//! Reading order: `args` (what can be typed), `check`, `render` (what is printed), `files` (traces), `out`, then `meter`, `progress`,
//! `crash` (the outside world).

#![allow(clippy::disallowed_methods, reason = "an edge: clocks and files live here")]

mod args;
mod check;
mod crash;
mod erlang;
mod erlang_run;
mod files;
mod junit;
mod last_words;
mod lts;
mod meter;
mod model_args;
mod model_run;
mod out;
mod page;
mod progress;
mod render;
mod replay;
mod run_text;
mod simulate;
mod style;
mod systems;
mod translate;
mod units;
mod verify;
mod what;
mod why;

use args::{Arguments, Command, Output, What};
use clap::{CommandFactory, FromArgMatches};
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
#[derive(Debug, Default)]
pub struct Cli {
    registry: Registry,
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

    /// Adds the systems that the stock binary has.
    #[must_use]
    pub fn stock_systems(self) -> Self {
        Registry::stock().entries().iter().cloned().fold(self, Cli::system)
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
        let program = Program { registry: self.registry, name, line };
        ExitCode::from(program.run(words))
    }
}

/// What every command needs to know.
struct Program {
    registry: Registry,
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
    fn run(&self, words: Vec<OsString>) -> u8 {
        let command = Arguments::command().bin_name(self.name.clone());
        let parsed = command
            .try_get_matches_from(words)
            .and_then(|matches| Arguments::from_arg_matches(&matches));
        let arguments = match parsed {
            Ok(arguments) => arguments,
            Err(error) => {
                if let Err(error) = error.print() {
                    out::failed(&error);
                }
                return out::conclude(error.exit_code().try_into().unwrap_or(2), &self.name);
            }
        };
        let code = match catch_unwind(AssertUnwindSafe(|| self.command(&arguments.command))) {
            Ok(code) => code,
            Err(_) => self.panicked(&arguments.command),
        };
        out::conclude(code, &self.name)
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
            Command::Translate(arguments) => translate::run(self, arguments),
            Command::Replay(arguments) => replay::run(self, arguments),
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
                let mut script = Vec::new();
                clap_complete::generate(
                    arguments.shell,
                    &mut Arguments::command(),
                    &self.name,
                    &mut script,
                );
                print(&String::from_utf8_lossy(&script))
            }
        }
    }

    /// We are wrong. Whoever waits for a report gets one that says so.
    fn panicked(&self, command: &Command) -> u8 {
        let written = crash::first_panic();
        let diagnostic =
            Diagnostic::new(Code::Internal, "foresee itself has failed; this is a bug in it")
                .at(written)
                .help("please report it with that file: it says how to see the error again");
        let Some((name, what, output)) = reporting(command) else {
            return complain(&diagnostic, &self.name);
        };
        check::report_error(name, what, output, diagnostic, self)
    }
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
