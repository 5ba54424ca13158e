//! A check by several processes: what is refused, who takes part, and what is said when processes do not come together.
//! Not here: the search (`foresee_stateful::search_in_crew`), and sockets and processes, which the edge lends.

use crate::on_disk::{identity, refused};
use crate::{CheckRequest, Code, Diagnostic, DiskRequest, Loaded, Report};
use foresee_search::{Cluster, ClusterError, Disk, Exchange, Meter, Observer, Silent};
use foresee_stateful::{Config, CrewError, CrewReport, OnDisk, WORKERS_MAX, search_in_crew};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The processes that search together.
#[derive(Clone)]
pub struct ClusterRequest {
    pub cluster: Arc<dyn Cluster>,
    /// As the user asked for it: `--processes` or `--cluster`.
    pub flag: &'static str,
    /// Which program this is: all processes must have the same.
    pub program: String,
}

impl ClusterRequest {
    /// Whether another process reports.
    pub fn is_member(&self) -> bool {
        self.cluster.process() != 0
    }
}

impl fmt::Debug for ClusterRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterRequest").field("program", &self.program).finish_non_exhaustive()
    }
}

/// A place on disk for each worker, under the user's directory.
pub trait Folders: Send + Sync {
    fn of_worker(&self, worker: usize) -> Arc<dyn Disk>;
}

/// Searches with the other processes, and puts into the report what only such a search has.
pub(crate) fn search(
    loaded: &Loaded,
    (request, cluster): (&CheckRequest, &ClusterRequest),
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    report: &mut Report,
) -> Result<foresee_stateful::Report, Diagnostic> {
    let processes = &cluster.cluster;
    let workers = processes.processes() * processes.threads();
    if workers > WORKERS_MAX {
        let why = format!("{workers} workers are more than the {WORKERS_MAX} there may be");
        return Err(Diagnostic::does_not_apply(cluster.flag, &why));
    }
    let identity = identity(loaded, request, &cluster.program, config);
    let work = |exchange: &mut dyn Exchange, observer: &mut dyn Observer| {
        let worker = (exchange.index(), exchange.workers());
        let disk = request.disk.as_ref().map(|disk| (disk, disk.folders.of_worker(worker.0)));
        let of_worker = |worker: usize| {
            let request = request.disk.as_ref().expect("it is there if anybody asks");
            request.folders.of_worker(worker)
        };
        let place = disk.as_ref().map(|(request, disk)| OnDisk {
            disk: &**disk,
            resume: request.resume,
            bytes_max: request.bytes_max.map(|bytes| bytes / worker.1 as u64),
            identity: &identity,
            of_worker: Some(&of_worker),
        });
        search_in_crew(loaded, config, exchange, place.as_ref(), meter, observer)
    };
    let (mut first, failed) = (None, Mutex::new(None));
    let met = processes.run(
        &identity,
        &mut |exchange| first = Some(work(exchange, observer)),
        &|exchange| {
            if let Err(CrewError::Disk(error)) = work(exchange, &mut Silent) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        },
    );
    met.map_err(|error| apart(&error, None, request))?;
    // What went wrong in another thread of this process is the reason for what this one says.
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        first = Some(Err(CrewError::Disk(error)));
    }
    let found = first.expect("the first worker has worked");
    let found = found.map_err(|error| match (error, &request.disk) {
        (CrewError::Disk(error), Some(disk)) => refused(&error, disk),
        (CrewError::Disk(error), None) => {
            Diagnostic::new(Code::Internal, format!("files in memory failed: {error}"))
        }
        (CrewError::Cluster(error, saved_at), _) => apart(&error, saved_at, request),
    })?;
    Ok(take(found, request, report))
}

fn take(
    found: CrewReport,
    request: &CheckRequest,
    report: &mut Report,
) -> foresee_stateful::Report {
    report.disk_bytes = found.disk_bytes;
    report.bytes_exchanged = Some(found.bytes_exchanged);
    if let Some(disk) = &request.disk {
        crate::on_disk::advise(&found.report, found.resumed_at, disk, report);
    }
    found.report
}

/// What is said when processes do not come together, or not stay together.
fn apart(error: &ClusterError, saved_at: Option<u32>, request: &CheckRequest) -> Diagnostic {
    let said = |code: Code, help: &str| Diagnostic::new(code, error.to_string()).help(help);
    match error {
        ClusterError::Address { .. } => said(
            Code::CannotListen,
            "the hosts file names an address of this machine for each process; another process with this number may be running",
        ),
        ClusterError::Unreachable { .. } => said(
            Code::ProcessUnreachable,
            "start all processes within --cluster-wait of each other, and let the network pass their ports",
        ),
        ClusterError::Twice { .. }
        | ClusterError::Different { .. }
        | ClusterError::Stranger { .. } => said(
            Code::ProcessDiffers,
            "start every process once, with the same binary, the same hosts file and the same command line but for --process",
        ),
        _ => said(Code::ProcessLost, &after_loss(saved_at, request.disk.as_ref())),
    }
}

fn after_loss(saved_at: Option<u32>, disk: Option<&DiskRequest>) -> String {
    match (saved_at, disk) {
        (Some(level), Some(disk)) => format!(
            "start all processes again with --resume {} in place of --disk: they go on from level {level}",
            disk.directory
        ),
        (None, Some(_)) => "nothing was saved yet: start all processes again".to_owned(),
        _ => {
            "start all processes again; with --disk DIR they could go on where they were".to_owned()
        }
    }
}
