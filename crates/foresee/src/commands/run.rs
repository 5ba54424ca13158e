//! `foresee run`: the nodes of a system for real, in one process or one process of several.
//! Exit codes: 0 it ran and nothing was seen to be wrong, 1 clients saw what no single copy could have told them or a handler
//! panicked, 2 it could not run, 3 it was ended at once.

use super::merge::merge;
use super::proxy::read_script;
use super::run_text;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use foresee_cli::{Desk, Extension, bytes, duration};
use foresee_node::{Address, Deploy};
use foresee_nodes::{Judgement, Runnable};
use foresee_runtime::{
    Config, Ended, FaultScript, Peers, RunError, RunReport, StorageConfig, WhenFull, run_here,
    run_site,
};
use foresee_session::{
    Code, Diagnostic, Found, Loaded, NoFiles, Outcome, Report, Source, ViolationKind, open,
};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Run the nodes of a system for real: in one process, or one process of several over TCP
///
/// In one process the run ends when nothing is left to happen, or after --duration. With --node and --peers it is one process of
/// several; it runs until --duration or SIGTERM, whichever comes first. What clients saw is judged at the end: a history that is
/// not linearizable is exit code 1.
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// The name of a system (`systems` lists the names there are)
    #[arg(value_name = "NAME")]
    name: String,

    /// The system's parameters; each has a default
    #[arg(value_name = "KEY=VALUE")]
    parameters: Vec<String>,

    /// Put so many closed-loop clients in the place of the system's own; only for systems that declare a load [default: its own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    clients: Option<u64>,

    /// Stop after this time, as 10s or 500ms [default: 10s; with --node no limit]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,

    /// The node to run; others at the same HOST:PORT of the peers file run in the same process [default: all, without sockets]
    #[arg(long, value_name = "ADDRESS", requires = "peers")]
    node: Option<String>,

    /// Which node is where: one `ADDRESS HOST:PORT` a line, `#` comments [default: none]
    #[arg(long, value_name = "FILE", requires = "node")]
    peers: Option<PathBuf>,

    /// Dial other processes where this peers file says, as `proxy` has written it [default: where --peers says]
    #[arg(long, value_name = "FILE", requires = "peers")]
    through: Option<PathBuf>,

    /// Send what fits one datagram (1200 bytes) by UDP: such messages may be lost or overtake each other [default: all by TCP]
    #[arg(long, requires = "peers", conflicts_with = "through")]
    udp: bool,

    /// Secure connections by mutual TLS: files with our certificate, its key and the authority that all certificates are from [default: no]
    #[cfg(feature = "tls")]
    #[arg(long, value_name = "CERT,KEY,CA", requires = "peers", conflicts_with_all = ["udp", "through"], value_delimiter = ',')]
    tls: Option<Vec<PathBuf>>,

    /// Log to standard error: errors and warnings, connections (info), a span for every message and timer (debug), what is in them (trace)
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Log::Off)]
    log: Log,

    /// Record what happens. Without --node FILE becomes a trace that `replay` steps; with it, a record for `merge` [default: no]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// What goes wrong in one process, from a script as `proxy` takes it, crashes and restarts included (docs/guide/run.md) [default: nothing]
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["node", "storage"])]
    faults: Option<PathBuf>,

    /// Keep what nodes write to stable storage in a file for each in this folder, and start from what is there [default: no]
    #[arg(long, value_name = "DIR")]
    storage: Option<PathBuf>,

    /// For tests: at the start discard everything in the storage that was never synced, as a power cut would
    #[arg(long, requires = "storage")]
    discard_unsynced: bool,

    /// Do not wait for the device at each sync: faster, and only crashes of the process are survived
    #[arg(long, requires = "storage")]
    no_fsync: bool,

    /// Go on with the record of a process that was killed; one that finds its storage always does
    #[arg(long, requires = "record")]
    record_append: bool,

    /// Write what clients of this process saw, for `histories` [default: no]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// Serve counters as Prometheus text [default: no]
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics: Option<SocketAddr>,

    /// Where random choices (how long timers take) come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// What to do with a message for a peer whose queue is full: lose it, or wait with everything
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Full::Drop)]
    when_full: Full,

    /// Messages that may wait for one peer or one node
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    queue_messages_max: u64,

    /// Bytes that may wait for one peer
    #[arg(long, value_name = "SIZE", default_value = "8MiB", value_parser = bytes)]
    queue_bytes_max: u64,

    /// The largest message
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = bytes)]
    message_max: u64,

    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Log {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Full {
    Drop,
    Wait,
}

pub(crate) fn extension() -> Extension {
    let command = Run::augment_args(Command::new("run"));
    Extension::new(command, run)
}

fn run(desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let arguments = match Run::from_arg_matches(matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    let words =
        [std::slice::from_ref(&arguments.name), &arguments.parameters[..]].concat().join(" ");
    match ran(desk, &arguments) {
        Ok(done) => show(desk, &arguments, &done),
        Err(diagnostic) => {
            let report = Report::error("run", words, diagnostic);
            desk.show(&report, arguments.format == Format::Json)
        }
    }
}

/// A run and what was thought of it.
pub(super) struct Done {
    pub(super) system: String,
    pub(super) run: RunReport,
    pub(super) judgement: Option<Judgement>,
}

fn ran(desk: &Desk<'_>, arguments: &Run) -> Result<Done, Diagnostic> {
    start_log(arguments.log);
    let (loaded, runnable) =
        loaded_with_load(desk, &arguments.name, &arguments.parameters, arguments.clients)?;
    let Some(deployment) = runnable.deployment() else {
        let message = format!("`{}` is not made of nodes: there is nothing to run", arguments.name);
        return Err(Diagnostic::new(Code::OptionDoesNotApply, message)
            .help("`check` and `simulate` can look at it"));
    };
    let system = foresee_lts::System::name(&loaded);
    let record = arguments.record.as_ref().map(|file| match arguments.node {
        Some(_) => file.clone(),
        None => PathBuf::from(format!("{}.record", file.display())),
    });
    let config = Config {
        faults: arguments.faults.as_deref().map(|file| faults(file, &*deployment)).transpose()?,
        through: arguments.through.as_deref().map(read_peers).transpose()?,
        record: record.clone().map(|file| (file, system.clone())),
        #[cfg(feature = "tls")]
        tls: arguments.tls.as_deref().map(tls).transpose()?,
        ..config(arguments)
    };
    let run = match (&arguments.node, &arguments.peers) {
        (Some(node), Some(file)) => {
            let peers = read_peers(file)?;
            run_site(&*deployment, &peers, address(node)?, &config, None)
        }
        _ => run_here(&*deployment, &config, None),
    };
    let run = run.map_err(|error| refusal(&error, arguments))?;
    let has_clients = run.members.iter().any(|member| member.is_client);
    let sees_all = deployment.members().iter().all(|it| !it.is_client || run.members.contains(it));
    // What clients of other processes did is not known here, and so is no judgement.
    let mut run = run;
    let judges = has_clients && sees_all && !run.history.is_empty() && !run.has_restored;
    if has_clients && run.has_restored {
        run.notes.push(
            "what clients saw is not judged: nodes began with what an earlier run had stored"
                .to_owned(),
        );
    }
    let judgement = judges.then(|| runnable.judge(&run.history)).flatten();
    if let Some(file) = &arguments.history {
        write_history(file, runnable.history_text(&run.history), &arguments.name)?;
    }
    if let (Some(record), Some(file), None) = (&record, &arguments.record, &arguments.node) {
        merge(desk.registry(), std::slice::from_ref(record), file)?;
        // The trace says the same.
        let _ = std::fs::remove_file(record);
    }
    Ok(Done { system, run, judgement })
}

/// From now on what the runtime and handlers log goes to standard error. A program that has a subscriber of its own keeps it.
fn start_log(level: Log) {
    use tracing_subscriber::filter::LevelFilter;
    let level = match level {
        Log::Off => return,
        Log::Error => LevelFilter::ERROR,
        Log::Warn => LevelFilter::WARN,
        Log::Info => LevelFilter::INFO,
        Log::Debug => LevelFilter::DEBUG,
        Log::Trace => LevelFilter::TRACE,
    };
    let log = tracing_subscriber::fmt().with_max_level(level).with_target(false).with_ansi(false);
    let log = log.with_span_events(tracing_subscriber::fmt::format::FmtSpan::NEW);
    let _ = log.with_writer(std::io::stderr).try_init();
}

#[cfg(feature = "tls")]
fn tls(files: &[PathBuf]) -> Result<foresee_runtime::Tls, Diagnostic> {
    let [certificate, key, authority] = files else {
        let message = format!("{} files were given where three are needed", files.len());
        return Err(Diagnostic::new(Code::Certificates, message)
            .at("--tls")
            .help("write --tls CERT,KEY,CA: three PEM files with commas between them"));
    };
    foresee_runtime::Tls::from_files(certificate, key, authority).map_err(|error| {
        Diagnostic::new(Code::Certificates, error.to_string())
            .at(error.file.display().to_string())
            .help("give PEM files: our certificate, its key, and the certificate of the authority that has signed all of them")
    })
}

/// A script that can be carried out in one process.
fn faults(file: &Path, deployment: &dyn Deploy) -> Result<FaultScript, Diagnostic> {
    let members = deployment.members();
    read_script(file, &|node| members.iter().any(|it| it.address == node))
}

fn write_history(file: &Path, text: Option<String>, name: &str) -> Result<(), Diagnostic> {
    let Some(text) = text else {
        let message = format!("`{name}` has no words for what its clients do");
        return Err(Diagnostic::new(Code::OptionDoesNotApply, message).at("--history").help(
            "its specification can give them by `Sequential::operation_text` and `result_text`",
        ));
    };
    std::fs::write(file, text).map_err(|error| {
        Diagnostic::new(Code::FileNotWritten, format!("the history cannot be written: {error}"))
            .at(file.display().to_string())
    })
}

/// The system, with so many clients of its load if that is asked for.
pub(super) fn loaded_with_load(
    desk: &Desk<'_>,
    name: &str,
    parameters: &[String],
    clients: Option<u64>,
) -> Result<(Loaded, Arc<dyn Runnable>), Diagnostic> {
    let entry = desk.registry().find(name)?;
    let mut parameters = parameters.to_vec();
    if let Some(clients) = clients {
        if !entry.has_load() {
            let message = format!("`{name}` declares no load");
            return Err(Diagnostic::new(Code::OptionDoesNotApply, message)
                .at(format!("--clients {clients}"))
                .help("without --clients it runs with its own clients; its entry can declare a load by `load_with`"));
        }
        parameters.push(format!("load={clients}"));
    }
    let source = Source::nodes(name, &parameters);
    let loaded = open(&source, desk.registry(), &NoFiles)?;
    let runnable = loaded.runnable().expect("a system of the registry");
    Ok((loaded, runnable))
}

fn config(arguments: &Run) -> Config {
    let usual = arguments.node.is_none().then_some(Duration::from_secs(10));
    let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX).max(1);
    Config {
        seed: arguments.seed,
        duration: arguments.duration.or(usual),
        messages_max: size(arguments.queue_messages_max),
        bytes_max: size(arguments.queue_bytes_max),
        // A length has 32 bits on the wire.
        frame_max: size(arguments.message_max).min(u32::MAX as usize - 8),
        when_full: match arguments.when_full {
            Full::Drop => WhenFull::Drop,
            Full::Wait => WhenFull::Wait,
        },
        udp: arguments.udp,
        metrics: arguments.metrics,
        record_goes_on: arguments.record_append,
        storage: arguments.storage.as_ref().map(|folder| StorageConfig {
            folder: folder.clone(),
            syncs: !arguments.no_fsync,
            discards_unsynced: arguments.discard_unsynced,
        }),
        ..Config::default()
    }
}

fn address(node: &str) -> Result<Address, Diagnostic> {
    if node.is_empty() || node.contains(char::is_whitespace) {
        return Err(Diagnostic::new(Code::UnknownNode, format!("{node:?} is no address"))
            .at("--node")
            .help("an address is a word, as `server1`"));
    }
    Ok(Address::new(node))
}

pub(super) fn read_peers(file: &std::path::Path) -> Result<Peers, Diagnostic> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| {
        Diagnostic::new(Code::PeersFile, format!("the peers file cannot be read: {error}"))
            .at(shown.to_string())
            .help("give a text file with one `ADDRESS HOST:PORT` a line")
    })?;
    Peers::parse(&text).map_err(|error| {
        Diagnostic::new(Code::PeersFile, error.to_string())
            .at(format!("{shown}:{}", error.line))
            .help("one `ADDRESS HOST:PORT` a line, each address once; `#` begins a comment")
    })
}

fn refusal(error: &RunError, arguments: &Run) -> Diagnostic {
    let message = error.to_string();
    let file = arguments.peers.as_ref().map(|file| file.display().to_string());
    match error {
        RunError::NotAMember { address, .. } => Diagnostic::new(Code::UnknownNode, message)
            .at(if Some(address) == arguments.node.as_ref() { "--node".to_owned() } else { file.unwrap_or_default() })
            .help("name a node of the system; the nodes depend on its parameters"),
        RunError::MissingPeers { .. } => Diagnostic::new(Code::PeersFile, message)
            .at(file.unwrap_or_default())
            .help("every node of the system needs a line; the nodes depend on its parameters and on --clients"),
        RunError::CannotListen { .. } => Diagnostic::new(Code::CannotListen, message)
            .help("end the process that has the port, or change the port in the peers file"),
        RunError::Refused { .. } => Diagnostic::new(Code::PeerRefuses, message)
            .help("processes of one run need the same system, the same version and the same peers file"),
        RunError::NotRecorded { .. } => Diagnostic::new(Code::RecordFile, message)
            .at(arguments.record.as_ref().map_or_else(String::new, |file| file.display().to_string()))
            .help("make room or choose another file: nothing that was not recorded has left the process"),
        RunError::Storage { .. } => Diagnostic::new(Code::StableStorage, message)
            .at("--storage")
            .help("nothing that was acknowledged is lost; mend the file or the disk and start again"),
        _ => Diagnostic::new(Code::CannotListen, message),
    }
}

fn show(desk: &Desk<'_>, arguments: &Run, done: &Done) -> u8 {
    let report = report(done);
    let code = report.verdict.exit_code();
    for note in &done.run.notes {
        desk.note(&format!("note: {note}"));
    }
    let printed = match arguments.format {
        Format::Text => desk.print(&run_text::text(done)),
        Format::Json => desk.print(&format!("{}\n", run_text::json(&report, done))),
    };
    if printed == 0 { code } else { printed }
}

fn report(done: &Done) -> Report {
    let Done { system, run, judgement } = done;
    let mut report = Report::new("run", system.clone());
    (report.engine, report.strategy) = ("runtime", "");
    report.seed = run.seed;
    report.threads = 1;
    report.seconds = run.elapsed.as_secs_f64();
    for (node, message) in &run.failures {
        let message = format!("{node} panicked: {message}");
        report.violations.push(Found::without_run(ViolationKind::Panic, None, message));
    }
    if let Some(Judgement::NotLinearizable(why)) = judgement {
        let property = Some("linearizable".to_owned());
        report.violations.push(Found::without_run(ViolationKind::Invariant, property, why.clone()));
    }
    if let Some(Judgement::Unknown(why)) = judgement {
        report.warnings.push(format!("linearizability is not known: {why}"));
    }
    if run.operations_not_kept > 0 {
        let n = run.operations_not_kept;
        report.warnings.push(format!("the last {n} operations were measured, but not judged"));
    }
    report.warnings.extend(run.notes.iter().cloned());
    report.verdict = match (report.violations.is_empty(), run.ended, judgement) {
        (false, ..) => Outcome::Violated,
        (true, Ended::Killed, _) | (true, _, Some(Judgement::Unknown(_))) => Outcome::Inconclusive,
        _ => Outcome::Holds,
    };
    report
}
