//! Searches by several processes: which ones take part, and those of this machine started and ended (`processes.rs`).
//! `--cluster FILE --process K`: the user starts every process, and the file says where they listen.
//! `--processes N`: the first process starts the others.
//! A process that is not the first prints nothing but errors, and ends with exit code 0 when the search has come to an end.

use crate::args::ClusterFlags;
use crate::folder;
use foresee_session::{Cluster, ClusterRequest, Diagnostic};
use std::sync::Arc;

#[cfg(feature = "cluster")]
mod processes;

/// The number of a process that another one has started: a variable of the environment.
pub(crate) const MEMBER: &str = "FORESEE_CLUSTER_MEMBER";

/// Which program it is, as the process that started it knows.
pub(crate) const PROGRAM: &str = "FORESEE_CLUSTER_PROGRAM";

/// Whether another process has started this one to search with it.
pub(crate) fn member() -> Option<usize> {
    std::env::var(MEMBER).ok()?.parse().ok()
}

/// The processes that the user wants to search together, if any.
pub(crate) fn request(
    flags: &ClusterFlags,
    threads: usize,
) -> Result<Option<ClusterRequest>, Diagnostic> {
    let flag = match (flags.processes, &flags.cluster) {
        (Some(_), _) => "--processes",
        (None, Some(_)) => "--cluster",
        (None, None) => return Ok(None),
    };
    let cluster = cluster(flags, threads)?;
    Ok(Some(ClusterRequest { cluster, flag, program: folder::program() }))
}

#[cfg(not(feature = "cluster"))]
fn cluster(flags: &ClusterFlags, _threads: usize) -> Result<Arc<dyn Cluster>, Diagnostic> {
    let flag = if flags.processes.is_some() { "--processes" } else { "--cluster" };
    let why = "this program was built without the feature `cluster`";
    Err(Diagnostic::does_not_apply(flag, why))
}

#[cfg(feature = "cluster")]
fn cluster(flags: &ClusterFlags, threads: usize) -> Result<Arc<dyn Cluster>, Diagnostic> {
    use foresee_session::Code;
    use std::sync::Mutex;
    let patience = flags.cluster_wait.unwrap_or(std::time::Duration::from_secs(60));
    let Some(path) = &flags.cluster else {
        let processes = flags.processes.unwrap_or(1);
        let member = member();
        return Ok(Arc::new(processes::Processes { processes, member, threads, patience }));
    };
    let file = path.display().to_string();
    let unusable = |reason: &str| {
        Diagnostic::new(Code::HostsFile, format!("`{file}` is not usable: {reason}"))
            .at(file.clone())
            .help("one HOST:PORT a line, the first is process 0")
    };
    let text = std::fs::read_to_string(path).map_err(|error| unusable(&error.to_string()))?;
    let hosts = foresee_cluster::read_hosts(&text).map_err(|error| unusable(&error.to_string()))?;
    let process = flags.process.unwrap_or(0);
    if process >= hosts.len() {
        let n = hosts.len();
        return Err(unusable(&format!(
            "it names {n} processes, and there is no process {process}"
        )));
    }
    let listener = Mutex::new(None);
    Ok(Arc::new(foresee_cluster::TcpCluster { hosts, process, threads, patience, listener }))
}
