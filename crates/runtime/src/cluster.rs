//! A cluster on this machine: every node a process, a proxy between them, and a script that kills and restarts them.
//! Why: "kill a minority of the servers every few seconds and see whether anything is lost" should be one command. What processes do is
//! the business of their own command line; here they are started, killed with SIGKILL, started again, and told to stop at the end.
//! Invariant: no child outlives [`Cluster::run`].

use crate::faults::{Deed, FaultScript};
use foresee_node::Address;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often the supervisor looks at its children.
const LOOK: Duration = Duration::from_millis(5);
/// How long the proxy may take to begin, and a process to end when it is told to.
const PATIENCE: Duration = Duration::from_secs(20);

/// What to run.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The binary that every process runs.
    pub program: PathBuf,
    /// Where logs go, one for each process.
    pub folder: PathBuf,
    /// The command lines of the processes that run until they are told to stop, by name; scripts name these.
    pub servers: Vec<(Address, Vec<String>)>,
    /// The process that runs to its end, and with it the cluster.
    pub clients: Vec<String>,
    /// The proxy's command line and the file that it writes when it is ready.
    pub proxy: Option<(Vec<String>, PathBuf)>,
    /// How long the clients run.
    pub duration: Duration,
}

/// How it went.
#[derive(Clone, Debug)]
pub struct ClusterReport {
    pub n_kills: usize,
    pub n_restarts: usize,
    /// How the clients' process ended.
    pub code: Option<i32>,
    /// What it wrote to its standard output.
    pub output: String,
}

/// Why it did not run.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    NotStarted {
        name: String,
        reason: std::io::Error,
    },
    /// A process ended that was not told to; its log says why.
    Ended {
        name: String,
        status: String,
        log: PathBuf,
        last: String,
    },
    /// The clients did not end in time.
    TooLong,
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::NotStarted { name, reason } => {
                write!(f, "{name} cannot be started: {reason}")
            }
            ClusterError::Ended { name, status, last, .. } => {
                write!(f, "the process of {name} has ended by itself ({status}): {last}")
            }
            ClusterError::TooLong => f.write_str("the clients do not end"),
        }
    }
}

impl std::error::Error for ClusterError {}

/// So many places on this host where nobody listens. They are outside of the range from which systems take ports for outgoing connections, so that
/// a process that is restarted finds its port free.
///
/// # Panics
/// If there are none.
pub fn free_places(n: usize, seed: u64) -> Vec<SocketAddr> {
    let mut random =
        foresee_stdx::Random::new(foresee_stdx::mix(seed ^ u64::from(std::process::id())));
    let mut held: Vec<TcpListener> = Vec::new();
    for _ in 0..10_000 {
        if held.len() == n {
            break;
        }
        let port = 10_000 + random.below(22_000) as u16;
        held.extend(TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
    }
    assert_eq!(held.len(), n, "there are not so many free ports");
    held.iter().map(|it| it.local_addr().expect("it is bound")).collect()
}

impl Cluster {
    /// Runs the clients to their end while the script does its deeds.
    pub fn run(&self, script: &FaultScript, seed: u64) -> Result<ClusterReport, ClusterError> {
        let mut children = Children { cluster: self, running: BTreeMap::new() };
        if let Some((line, ready)) = &self.proxy {
            let _ = std::fs::remove_file(ready);
            children.start("proxy", line)?;
            children.wait_for(ready)?;
        }
        for (name, line) in &self.servers {
            children.start(name.name(), line)?;
        }
        let mut clients = self.spawn("clients", &self.clients, true)?;
        let result = self.attend(&mut children, &mut clients, script, seed);
        if result.is_err() {
            let _ = clients.kill();
        }
        let output = clients.wait_with_output();
        children.stop();
        let (n_kills, n_restarts) = result?;
        let not_read = |reason| ClusterError::NotStarted { name: "clients".to_owned(), reason };
        let output = output.map_err(not_read)?;
        Ok(ClusterReport {
            n_kills,
            n_restarts,
            code: output.status.code(),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
        })
    }

    /// Does the deeds until the clients have ended; how many kills and restarts there were.
    fn attend(
        &self,
        children: &mut Children<'_>,
        clients: &mut Child,
        script: &FaultScript,
        seed: u64,
    ) -> Result<(usize, usize), ClusterError> {
        let (begun, mut done) = (Instant::now(), (0, 0));
        let mut deeds = script.deeds(seed, self.duration).into_iter().peekable();
        loop {
            while let Some((_, deed)) = deeds.next_if(|(at, _)| *at <= begun.elapsed()) {
                match deed {
                    Deed::Crash(node) => done.0 += usize::from(children.kill(node.name())),
                    Deed::Restart(node) => done.1 += usize::from(children.restart(node)?),
                }
            }
            if let Ok(Some(_)) = clients.try_wait() {
                return Ok(done);
            }
            children.check()?;
            if begun.elapsed() > self.duration + PATIENCE {
                return Err(ClusterError::TooLong);
            }
            std::thread::sleep(LOOK);
        }
    }

    fn log(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.log"))
    }

    fn spawn(&self, name: &str, line: &[String], is_piped: bool) -> Result<Child, ClusterError> {
        let spawned = || {
            let log = File::options().create(true).append(true).open(self.log(name))?;
            let output = if is_piped { Stdio::piped() } else { Stdio::from(log.try_clone()?) };
            let mut command = Command::new(&self.program);
            command.args(line).stdin(Stdio::null()).stdout(output).stderr(log).spawn()
        };
        spawned().map_err(|reason| ClusterError::NotStarted { name: name.to_owned(), reason })
    }
}

/// The processes that run until they are told to stop.
struct Children<'a> {
    cluster: &'a Cluster,
    running: BTreeMap<String, Child>,
}

impl Children<'_> {
    fn start(&mut self, name: &str, line: &[String]) -> Result<(), ClusterError> {
        let child = self.cluster.spawn(name, line, false)?;
        self.running.insert(name.to_owned(), child);
        Ok(())
    }

    /// Kills a process that runs, as a power cut would.
    fn kill(&mut self, name: &str) -> bool {
        let Some(mut child) = self.running.remove(name) else { return false };
        let _ = child.kill();
        let _ = child.wait();
        true
    }

    /// Starts a process that does not run.
    fn restart(&mut self, node: Address) -> Result<bool, ClusterError> {
        let servers = &self.cluster.servers;
        let line = servers.iter().find(|(name, _)| *name == node).map(|(_, line)| line);
        match line {
            Some(line) if !self.running.contains_key(node.name()) => {
                self.start(node.name(), line).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Nobody has ended.
    fn check(&mut self) -> Result<(), ClusterError> {
        for (name, child) in &mut self.running {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(ended(name, status, self.cluster.log(name)));
            }
        }
        Ok(())
    }

    fn wait_for(&mut self, file: &Path) -> Result<(), ClusterError> {
        let begun = Instant::now();
        while !std::fs::read_to_string(file).is_ok_and(|text| text.ends_with('\n')) {
            self.check()?;
            if begun.elapsed() > PATIENCE {
                return Err(ClusterError::TooLong);
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Tells everybody to stop; whoever does not is killed.
    fn stop(&mut self) {
        for child in self.running.values() {
            let _ = kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM);
        }
        let begun = Instant::now();
        for child in self.running.values_mut() {
            while matches!(child.try_wait(), Ok(None)) && begun.elapsed() < PATIENCE {
                std::thread::sleep(LOOK);
            }
        }
        self.running.values_mut().for_each(|child| drop(child.kill()));
        self.running.values_mut().for_each(|child| drop(child.wait()));
        self.running.clear();
    }
}

impl Drop for Children<'_> {
    fn drop(&mut self) {
        self.running.values_mut().for_each(|child| drop(child.kill()));
        self.running.values_mut().for_each(|child| drop(child.wait()));
    }
}

fn ended(name: &str, status: ExitStatus, log: PathBuf) -> ClusterError {
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    let said = text.lines().rev().find(|line| line.contains("error"));
    let last = said.or_else(|| text.lines().last()).unwrap_or_default().trim().to_owned();
    ClusterError::Ended { name: name.to_owned(), status: status.to_string(), log, last }
}
