//! `foresee debug`, and `--debug` of other commands: an inspection is handed to whoever serves it, and its address printed.
//! Why handed on: the server is an edge of its own, and edges do not lean on each other. The facade brings them together
//! ([`Cli::debugger`](crate::Cli::debugger)).

use crate::args::{Debug, DebugFlag, Format, Replay, Serving};
use crate::disk::Disk;
use crate::out::{complain, note, print};
use crate::{Program, facts, files, meter};
use foresee_session::{
    CheckRequest, Code, Diagnostic, Home, Inspection, Loaded, NoMeter, ReplayReport, Report,
    Silent, Source, Trace, check, open, open_recorded, replay,
};
use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How an inspection is to be served.
#[derive(Clone, Debug)]
pub struct DebugOptions {
    pub listen: SocketAddr,
    /// What the page has to know; made up if it is not given.
    pub token: Option<String>,
    /// The session's file.
    pub file: Option<PathBuf>,
    /// Replay the session when a file of the system is saved.
    pub watches: bool,
}

/// Serves an inspection until the flag is raised; is told the address by calling the last argument with it.
pub type Debugger =
    fn(Inspection, DebugOptions, &Arc<AtomicBool>, &mut dyn FnMut(&str)) -> io::Result<()>;

/// Makes one page, complete in itself, of what an inspection shows first; or says why it cannot.
pub type Storyteller = fn(&mut Inspection) -> Result<String, String>;

/// What `debug` without a name shows: a run that goes wrong.
const EXAMPLE: (&str, [&str; 2]) = ("paxos", ["clients=2", "bug=forgetful"]);

pub(crate) fn run(program: &Program, arguments: &Debug) -> u8 {
    meter::listen_for_interrupt();
    let opened = opened(program, arguments);
    let (inspection, file) = match opened {
        Ok(opened) => opened,
        Err(diagnostic) => return complain(&diagnostic, &program.name),
    };
    serve(program, inspection, &arguments.serving, file, &|line| {
        print(line);
    })
}

/// After a report: serves what it found, if that was asked for. The exit code stays the report's.
pub(crate) fn after(
    program: &Program,
    flag: &DebugFlag,
    format: Format,
    reopen: &dyn Fn() -> Result<Loaded, Diagnostic>,
    report: &Report,
    code: u8,
) -> u8 {
    if !flag.debug {
        return code;
    }
    match of_report(program, reopen, report) {
        Ok(inspection) => serve_after(program, flag, format, inspection, code),
        Err(diagnostic) => {
            complain(&diagnostic, &program.name);
            code
        }
    }
}

/// The same after a replay, which is shown whether or not anything is wrong.
pub(crate) fn after_replay(
    program: &Program,
    arguments: &Replay,
    trace: &Trace,
    replayed: &ReplayReport,
    code: u8,
) -> u8 {
    if !arguments.debug.debug {
        return code;
    }
    let inspection = Inspection::of_replay(replayed, trace, home(program));
    serve_after(program, &arguments.debug, arguments.output.format, inspection, code)
}

fn serve_after(
    program: &Program,
    flag: &DebugFlag,
    format: Format,
    inspection: Inspection,
    code: u8,
) -> u8 {
    let say = |line: &str| match format {
        Format::Text => {
            print(line);
        }
        _ => note(line.trim_end()),
    };
    match serve(program, inspection, &flag.serving, None, &say) {
        0 => code,
        failed => failed,
    }
}

/// What a report has found is opened as its trace says; without a run, as it was asked for.
fn of_report(
    program: &Program,
    reopen: &dyn Fn() -> Result<Loaded, Diagnostic>,
    report: &Report,
) -> Result<Inspection, Diagnostic> {
    if let Some(error) = report.error.as_ref().filter(|_| report.violations.is_empty()) {
        return Err(error.clone());
    }
    inspection(program, reopen, report)
}

fn inspection(
    program: &Program,
    reopen: &dyn Fn() -> Result<Loaded, Diagnostic>,
    report: &Report,
) -> Result<Inspection, Diagnostic> {
    let run = report.violations.iter().find_map(|found| found.run.clone());
    let loaded = match run {
        Some(run) => open_recorded(&run, &program.registry, &Disk)?,
        None => reopen()?,
    };
    let mut inspection = Inspection::of_report(&loaded, report, home(program));
    inspection.set_facts(facts::facts(report, &program.line));
    Ok(inspection)
}

/// The page of a report: what the debugger would show of it, in one file.
pub(crate) fn page(
    program: &Program,
    reopen: &dyn Fn() -> Result<Loaded, Diagnostic>,
    report: &Report,
) -> Result<String, Diagnostic> {
    let refused = |message: String| {
        let help = "call `foresee::cli()` in its `main`, which can write pages";
        Diagnostic::new(Code::OptionDoesNotApply, message).at("--report").help(help)
    };
    let tell =
        program.storyteller.ok_or_else(|| refused("this binary writes no pages".to_owned()))?;
    let mut inspection = inspection(program, reopen, report)?;
    tell(&mut inspection).map_err(refused)
}

/// What is to be looked at, and the session's file if it is one.
fn opened(
    program: &Program,
    arguments: &Debug,
) -> Result<(Inspection, Option<PathBuf>), Diagnostic> {
    let Some(what) = arguments.what() else { return Ok((example(program)?, None)) };
    let path = Path::new(&what.name);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("trace") => {
            let trace = files::read_trace(path)?;
            let mut replayed = replay(&trace, &program.registry, &Disk)?;
            for found in &mut replayed.report.violations {
                found.trace = Some(what.name.clone());
            }
            Ok((Inspection::of_replay(&replayed, &trace, home(program)), None))
        }
        Some("session") => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                Diagnostic::new(Code::TraceNotReadable, format!("cannot read the session: {error}"))
                    .at(what.name.clone())
                    .help("`save` in the debugger prints the name of each session it writes")
            })?;
            let inspection = Inspection::of_session(&text, home(program))?;
            Ok((inspection, Some(path.to_owned())))
        }
        _ => {
            let loaded = what.open(program, &arguments.faults, false)?;
            Ok((Inspection::at_start(&loaded, home(program)), None))
        }
    }
}

fn example(program: &Program) -> Result<Inspection, Diagnostic> {
    let (name, parameters) = EXAMPLE;
    let loaded = open(&Source::nodes(name, &parameters), &program.registry, &Disk)?;
    let report = check(&loaded, &CheckRequest::default(), &NoMeter, &mut Silent);
    Ok(Inspection::of_report(&loaded, &report, home(program)))
}

fn home(program: &Program) -> Home {
    Home {
        registry: program.registry.clone(),
        files: Arc::new(Disk),
        program: program.name.clone(),
    }
}

fn serve(
    program: &Program,
    inspection: Inspection,
    serving: &Serving,
    file: Option<PathBuf>,
    say: &dyn Fn(&str),
) -> u8 {
    let Some(debugger) = program.debugger else {
        let message = "this binary has no debugger";
        let help = "call `foresee::cli()` in its `main`, which has one";
        let news = Diagnostic::new(Code::OptionDoesNotApply, message).at("debug").help(help);
        return complain(&news, &program.name);
    };
    let options = DebugOptions {
        listen: serving.listen,
        token: serving.token.clone(),
        file,
        watches: serving.watch,
    };
    let stop = meter::until_interrupted();
    let mut ready = |url: &str| {
        say(&format!("{url}\n"));
        if !serving.no_open && io::stdout().is_terminal() {
            open_in_browser(url);
        }
    };
    match debugger(inspection, options, &stop, &mut ready) {
        Ok(()) => 0,
        Err(error) => {
            let message = format!("cannot serve on {}: {error}", serving.listen);
            let help = "another port may be free: --listen 127.0.0.1:0 picks one";
            let news = Diagnostic::new(Code::OptionDoesNotApply, message)
                .at(format!("--listen {}", serving.listen))
                .help(help);
            complain(&news, &program.name)
        }
    }
}

/// Opens the page in the user's browser, if there is a way to.
fn open_in_browser(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
