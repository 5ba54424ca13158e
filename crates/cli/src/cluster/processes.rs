//! Processes of this machine: started, told of each other, and ended.
//! The first process starts the others with its own command line and their numbers in the environment. Each listens on a port of the loopback
//! interface that the system chooses, and writes its address to its standard output, a pipe; the first process writes all addresses to their
//! standard inputs. So nobody else can take a port in between.

use super::{MEMBER, PROGRAM};
use foresee_cluster::TcpCluster;
use foresee_session::{Cluster, ClusterError, Exchange};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// How long a process may take to end when the search is over.
const END_MAX: Duration = Duration::from_secs(5);

/// `--processes N`: the one that the user has started, or one that it has started.
pub(super) struct Processes {
    pub(super) processes: usize,
    pub(super) member: Option<usize>,
    pub(super) threads: usize,
    pub(super) patience: Duration,
}

/// Processes that were started; none outlives this one.
#[derive(Default)]
struct Started(Vec<Child>);

impl Cluster for Processes {
    fn process(&self) -> usize {
        self.member.unwrap_or(0)
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn run(
        &self,
        identity: &[(String, String)],
        first: &mut dyn FnMut(&mut dyn Exchange),
        others: &(dyn Fn(&mut dyn Exchange) + Sync),
    ) -> Result<(), ClusterError> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| cannot(&error))?;
        let own = listener.local_addr().map_err(|error| cannot(&error))?.to_string();
        let mut started = Started::default();
        let hosts = match self.member {
            Some(_) => self.hear_hosts(&own)?,
            None => self.start_others(own, &mut started)?,
        };
        let cluster = TcpCluster {
            hosts,
            process: self.process(),
            threads: self.threads,
            patience: self.patience,
            listener: Mutex::new(Some(listener)),
        };
        let done = cluster.run(identity, first, others);
        started.end();
        done
    }
}

impl Processes {
    /// Starts the other processes, hears where they listen, and tells each of all.
    fn start_others(
        &self,
        own: String,
        started: &mut Started,
    ) -> Result<Vec<String>, ClusterError> {
        let program = std::env::current_exe().map_err(|error| cannot(&error))?;
        let mut hosts = vec![own];
        let (sender, receiver) = mpsc::channel();
        for process in 1..self.processes {
            let mut child = Command::new(&program)
                .args(std::env::args_os().skip(1))
                .env(MEMBER, process.to_string())
                .env(PROGRAM, crate::folder::program())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| cannot(&error))?;
            let output = child.stdout.take();
            started.0.push(child);
            let sender = sender.clone();
            std::thread::spawn(move || {
                let mut line = String::new();
                let _ = output.map(|output| BufReader::new(output).read_line(&mut line));
                let _ = sender.send((process, line.trim().to_owned()));
            });
            hosts.push(String::new());
        }
        let deadline = Instant::now() + self.patience;
        for _ in 1..self.processes {
            let left = deadline.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(left) {
                Ok((process, line)) if line.is_empty() => {
                    return Err(silent(process, "it ended at once"));
                }
                Ok((process, address)) => hosts[process] = address,
                Err(_) => {
                    let missing = hosts.iter().position(String::is_empty).unwrap_or(0);
                    return Err(silent(missing, "it says nothing"));
                }
            }
        }
        let all = hosts.join("\n") + "\n";
        for child in &mut started.0 {
            // One that is gone is missed at the handshake.
            let _ = child.stdin.as_mut().map(|input| input.write_all(all.as_bytes()));
        }
        Ok(hosts)
    }

    /// Says where this process listens, and hears where all do.
    fn hear_hosts(&self, own: &str) -> Result<Vec<String>, ClusterError> {
        let mut output = std::io::stdout().lock();
        let said = writeln!(output, "{own}").and_then(|()| output.flush());
        said.map_err(|error| cannot(&error))?;
        let lines = std::io::stdin().lock().lines().take(self.processes);
        let hosts = lines.collect::<Result<Vec<String>, _>>().map_err(|error| cannot(&error))?;
        if hosts.len() < self.processes {
            return Err(silent(0, "it ended before the search began"));
        }
        Ok(hosts)
    }
}

impl Started {
    /// Waits for them to end by themselves, which takes no time; what does not is ended.
    fn end(&mut self) {
        let deadline = Instant::now() + END_MAX;
        for child in &mut self.0 {
            while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        self.kill();
    }

    fn kill(&mut self) {
        for mut child in self.0.drain(..) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.kill();
    }
}

fn cannot(error: &std::io::Error) -> ClusterError {
    ClusterError::Address { address: "127.0.0.1".to_owned(), reason: error.to_string() }
}

fn silent(process: usize, reason: &str) -> ClusterError {
    let address = "on this machine".to_owned();
    ClusterError::Unreachable { process, address, reason: reason.to_owned() }
}
