//! `foresee cluster`: every node of a system a process on this machine, faults between them, crashes and restarts, from one script.

use super::merge::merge;
use super::proxy::read_script;
use super::run::loaded_with_load;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use foresee_cli::{Desk, Extension, duration};
use foresee_node::{Address, Member};
use foresee_runtime::{Cluster, ClusterError, ClusterReport, Peers, free_places};
use foresee_session::{Code, Diagnostic};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Run every node of a system as a process on this machine, and kill and restart them as a script says
///
/// Clients share one process, every other node has its own; a proxy stands between them if there is a script. Nodes keep what they write in FOLDER/storage, so a process that
/// was killed comes back with what it had synced. Ends when the clients do; the exit code is theirs.
#[derive(Args, Debug)]
struct Arguments {
    /// The name of a system (`systems` lists the names there are)
    #[arg(value_name = "NAME")]
    name: String,

    /// The system's parameters; each has a default
    #[arg(value_name = "KEY=VALUE")]
    parameters: Vec<String>,

    /// Where storage, logs, records and peers files go; it must be new or empty
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// What goes wrong and when, crashes and restarts included (docs/guide/run.md) [default: nothing]
    #[arg(long, value_name = "SCRIPT")]
    faults: Option<PathBuf>,

    /// Put so many closed-loop clients in the place of the system's own; only for systems that declare a load [default: its own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    clients: Option<u64>,

    /// How long the clients run
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    duration: Duration,

    /// A process that was killed finds nothing that was not synced, as after a power cut
    #[arg(long)]
    discard_unsynced: bool,

    /// Record what happens and make a trace of it, FOLDER/run.trace
    #[arg(long)]
    record: bool,

    /// Where random choices come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

pub(crate) fn extension() -> Extension {
    Extension::new(Arguments::augment_args(Command::new("cluster")), run)
}

fn run(desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let arguments = match Arguments::from_arg_matches(matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match ran(desk, &arguments) {
        Ok((report, merged)) => {
            let mut text = report.output;
            text += &format!("{} kills, {} restarts\n", report.n_kills, report.n_restarts);
            text += &merged.unwrap_or_default();
            let printed = desk.print(&text);
            let code = report.code.and_then(|code| u8::try_from(code).ok()).unwrap_or(2);
            if printed == 0 { code } else { printed }
        }
        Err(diagnostic) => desk.complain(&diagnostic),
    }
}

fn ran(
    desk: &Desk<'_>,
    arguments: &Arguments,
) -> Result<(ClusterReport, Option<String>), Diagnostic> {
    let runnable =
        loaded_with_load(desk, &arguments.name, &arguments.parameters, arguments.clients)?.1;
    let Some(deployment) = runnable.deployment() else {
        let message = format!("`{}` is not made of nodes: there is nothing to run", arguments.name);
        return Err(Diagnostic::new(Code::OptionDoesNotApply, message));
    };
    let members = deployment.members();
    let (mut clients, mut servers): (Vec<Member>, Vec<Member>) =
        members.into_iter().partition(|it| it.is_client);
    // Somebody must run to the end, and with it the cluster: the last node where there are no clients.
    clients.extend(servers.pop_if(|_| clients.is_empty()));
    let servers: Vec<Address> = servers.iter().map(|it| it.address).collect();
    let Some(client) = clients.first().map(|it| it.address) else {
        let message = format!("`{}` has no nodes: there is nothing to run", arguments.name);
        return Err(Diagnostic::new(Code::OptionDoesNotApply, message));
    };
    let places = free_places(servers.len() + 1, arguments.seed);
    let peers = peers_text(&servers, clients.iter().map(|it| it.address), &places);
    let files = Files::new(&arguments.folder, &peers)?;
    let parsed = Peers::parse(&peers).expect("it was written just now");
    let script = match &arguments.faults {
        Some(file) => read_script(file, &|node| parsed.site_of(node).is_some())?,
        None => Default::default(),
    };
    let program =
        std::env::current_exe().map_err(|reason| not_written(&arguments.folder, &reason))?;
    let cluster = Cluster {
        program,
        folder: arguments.folder.clone(),
        servers: servers.iter().map(|it| (*it, line(arguments, &files, *it, None))).collect(),
        clients: line(arguments, &files, client, Some(arguments.duration)),
        proxy: arguments
            .faults
            .as_ref()
            .map(|script| (files.proxy_line(script, arguments.seed), files.path("through"))),
        duration: arguments.duration,
    };
    let report = cluster.run(&script, arguments.seed).map_err(|error| failed(&error))?;
    let records = servers.iter().chain([&client]).map(|node| files.record(*node));
    let records: Vec<PathBuf> = records.collect();
    let merged = arguments.record.then(|| -> Result<String, Diagnostic> {
        let trace = files.path("run.trace");
        let merged = merge(desk.registry(), &records, &trace)?;
        Ok(format!("{merged} events\nreplay:  {} replay {}\n", desk.program(), trace.display()))
    });
    Ok((report, merged.transpose()?))
}

fn peers_text(
    servers: &[Address],
    clients: impl Iterator<Item = Address>,
    places: &[SocketAddr],
) -> String {
    let (own, theirs) = places.split_last().expect("one more than servers");
    let servers = servers.iter().zip(theirs).map(|(node, at)| format!("{node} {at}\n"));
    servers.chain(clients.map(|node| format!("{node} {own}\n"))).collect()
}

/// The command line of one process.
fn line(
    arguments: &Arguments,
    files: &Files,
    node: Address,
    time: Option<Duration>,
) -> Vec<String> {
    let mut line = vec!["run".to_owned(), arguments.name.clone()];
    line.extend(arguments.parameters.iter().cloned());
    let mut flag = |name: &str, value: String| line.extend([name.to_owned(), value]);
    flag("--node", node.to_string());
    flag("--peers", files.shown("peers"));
    flag("--seed", arguments.seed.to_string());
    if arguments.faults.is_some() {
        flag("--through", files.shown("through"));
    }
    if let Some(clients) = arguments.clients {
        flag("--clients", clients.to_string());
    }
    if arguments.record {
        flag("--record", files.record(node).display().to_string());
    }
    match time {
        Some(time) => flag("--duration", format!("{}ms", time.as_millis())),
        None => flag("--storage", files.shown("storage")),
    }
    if time.is_none() && arguments.discard_unsynced {
        line.push("--discard-unsynced".to_owned());
    }
    line
}

/// What is in the folder.
struct Files {
    folder: PathBuf,
}

impl Files {
    fn new(folder: &Path, peers: &str) -> Result<Self, Diagnostic> {
        std::fs::create_dir_all(folder).map_err(|reason| not_written(folder, &reason))?;
        let mut inside =
            std::fs::read_dir(folder).map_err(|reason| not_written(folder, &reason))?;
        if inside.next().is_some() {
            let message = "the folder is not empty; what is there was left alone".to_owned();
            return Err(Diagnostic::new(Code::FileNotWritten, message)
                .at(folder.display().to_string())
                .help("choose a folder that is not there yet"));
        }
        let files = Files { folder: folder.to_owned() };
        std::fs::write(files.path("peers"), peers)
            .map_err(|reason| not_written(folder, &reason))?;
        Ok(files)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn record(&self, node: Address) -> PathBuf {
        self.path(&format!("{node}.record"))
    }

    fn proxy_line(&self, script: &Path, seed: u64) -> Vec<String> {
        let (peers, out) = (self.shown("peers"), self.shown("through"));
        let script = script.display().to_string();
        let seed = seed.to_string();
        ["proxy", "--peers", &peers, "--faults", &script, "--out", &out, "--seed", &seed]
            .map(str::to_owned)
            .to_vec()
    }
}

fn not_written(folder: &Path, reason: &std::io::Error) -> Diagnostic {
    Diagnostic::new(Code::FileNotWritten, format!("the folder cannot be used: {reason}"))
        .at(folder.display().to_string())
}

fn failed(error: &ClusterError) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::ClusterFailed, error.to_string());
    match error {
        ClusterError::Ended { log, .. } => {
            diagnostic.at(log.display().to_string()).help("its log has everything that it has said")
        }
        _ => diagnostic,
    }
}
