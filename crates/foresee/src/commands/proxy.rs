//! `foresee proxy`: faults between the processes of a run, from a script and a seed.

use super::run::read_peers;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use foresee_cli::{Desk, Extension, duration};
use foresee_node::Address;
use foresee_runtime::{FaultScript, RunError, run_proxy};
use foresee_session::{Code, Diagnostic};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Stand between the processes of a run and let things go wrong: delay, loss, duplicates, reordering, corruption, partitions
///
/// It listens once for each process of the peers file and writes where to a second file; `run --peers FILE --through OUT` then goes by way of
/// the proxy. It runs until --duration or SIGTERM and says what it did.
#[derive(Args, Debug)]
struct Proxy {
    /// Which node is where, as for `run`
    #[arg(long, value_name = "FILE")]
    peers: PathBuf,

    /// What goes wrong and when (docs/guide/run.md)
    #[arg(long, value_name = "SCRIPT")]
    faults: PathBuf,

    /// The peers file to write, for `run --through`
    #[arg(long, value_name = "OUT")]
    out: PathBuf,

    /// Where random choices come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Stop after this time [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,
}

pub(crate) fn extension() -> Extension {
    Extension::new(Proxy::augment_args(Command::new("proxy")), run)
}

fn run(desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let arguments = match Proxy::from_arg_matches(matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match ran(&arguments) {
        Ok(text) => desk.print(&text),
        Err(diagnostic) => desk.complain(&diagnostic),
    }
}

fn ran(arguments: &Proxy) -> Result<String, Diagnostic> {
    let peers = read_peers(&arguments.peers)?;
    let script = read_script(&arguments.faults, &|node| peers.site_of(node).is_some())?;
    let mut not_written = None;
    let report = run_proxy(&peers, &script, arguments.seed, arguments.duration, &mut |through| {
        not_written = std::fs::write(&arguments.out, through.to_string()).err();
    });
    if let Some(error) = not_written {
        let message = format!("the peers file cannot be written: {error}");
        return Err(
            Diagnostic::new(Code::FileNotWritten, message).at(arguments.out.display().to_string())
        );
    }
    let report = report.map_err(|error: RunError| {
        Diagnostic::new(Code::CannotListen, error.to_string())
            .help("the proxy listens on the hosts of the peers file")
    })?;
    Ok(format!(
        "passed {} messages; lost {}, cut {}, duplicated {}, reordered {}, corrupted {}; seed {}\n",
        report.passed,
        report.lost,
        report.cut,
        report.duplicated,
        report.reordered,
        report.corrupted,
        arguments.seed
    ))
}

/// Reads a script whose nodes must all be known.
pub(super) fn read_script(
    file: &Path,
    knows: &dyn Fn(Address) -> bool,
) -> Result<FaultScript, Diagnostic> {
    let wrong = |line: Option<usize>, message: String| {
        let at = line.map_or_else(String::new, |line| format!(":{line}"));
        Diagnostic::new(Code::FaultScript, message)
            .at(format!("{}{at}", file.display()))
            .help("see `Faults on real sockets` in docs/guide/run.md for what a line looks like")
    };
    let text = std::fs::read_to_string(file)
        .map_err(|error| wrong(None, format!("the script of faults cannot be read: {error}")))?;
    let script =
        FaultScript::parse(&text).map_err(|error| wrong(Some(error.line), error.to_string()))?;
    if let Some(stranger) = script.nodes().find(|node| !knows(*node)) {
        let message =
            format!("`{stranger}` has no line in the peers file, or is no node of the system");
        return Err(wrong(None, message));
    }
    Ok(script)
}
