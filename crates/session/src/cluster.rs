//! A check by several processes: what is refused, who takes part, and what is said when processes do not come together.
//! Not here: the search (`foresee_stateful::search_in_crew`, and `walk_in_swarm` for random walks), and sockets and processes, which the edge lends.

use crate::on_disk::{identity, refused};
use crate::{CheckRequest, Code, Diagnostic, DiskRequest, Loaded, Report};
use foresee_lts::{StoppedBy, Verdict};
use foresee_search::{Cluster, ClusterError, Disk, Exchange, Limits, Meter, Observer, Silent};
use foresee_stateful::{
    Config, CrewError, CrewReport, Guide, OnDisk, SeedTried, SeedsTried, Strategy, WORKERS_MAX,
    first_seed, run_guide, search_in_crew, walk_in_swarm,
};
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

/// Walks at random with the other processes, and puts into the report what only a swarm has.
pub(crate) fn walk(
    loaded: &Loaded,
    (request, cluster): (&CheckRequest, &ClusterRequest),
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    report: &mut Report,
) -> Result<foresee_stateful::Report, Diagnostic> {
    if config.keep_going {
        let why = "the walks of several processes end at the first finding";
        return Err(Diagnostic::does_not_apply("--keep-going", why));
    }
    let mut identity = identity(loaded, request, &cluster.program, config);
    let Limits { states_max, depth_max, interleavings_max, .. } = &config.limits;
    let walks = format!("{} {interleavings_max:?} {depth_max:?} {states_max:?}", config.seed);
    identity.push(("seed or limit".to_owned(), walks));
    let found = together(
        (request, cluster),
        &identity,
        |exchange| walk_in_swarm(loaded, config, exchange, meter, observer),
        |exchange| walk_in_swarm(loaded, config, exchange, meter, &mut Silent),
    )?;
    report.bytes_exchanged = Some(found.bytes_exchanged);
    Ok(found.report)
}

/// Tries a guide with its seed and those after it, together with the other processes, until one finds something wrong or time is
/// over; the guide has the first such seed afterwards. Only a guide that walks at random goes another way with another seed.
pub(crate) fn try_seeds(
    loaded: &Loaded,
    (request, cluster): (&CheckRequest, &ClusterRequest),
    guide: &mut Guide,
    meter: &dyn Meter,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    let refuse = |why: &str| Err(Diagnostic::does_not_apply(cluster.flag, why));
    if !guide.phases.iter().any(|phase| phase.strategy == Strategy::Random) {
        return refuse("no phase of this guide walks at random, so every seed goes the same way");
    }
    let Some(time_max) = guide.limits.time_max else {
        return refuse("seeds are tried until time is over: say --time-max");
    };
    let config = Config { properties: guide.properties.clone(), ..Config::default() };
    let mut identity = identity(loaded, request, &cluster.program, &config);
    identity.push(("guide or seed".to_owned(), format!("{:?} {}", request.guide, guide.seed)));
    let start = meter.elapsed();
    let wanted = &*guide;
    let work = |exchange: &mut dyn Exchange| {
        let mut guide = wanted.clone();
        let seed = guide.seed;
        first_seed(exchange, u64::MAX, meter, &mut |number| {
            let left = time_max.saturating_sub(meter.elapsed().saturating_sub(start));
            (guide.seed, guide.limits.time_max) = (seed.wrapping_add(number), Some(left));
            let tried = run_guide(loaded, &guide, meter, &mut Silent);
            let is_over = meter.elapsed().saturating_sub(start) >= time_max;
            SeedTried {
                decides: matches!(tried.verdict, Verdict::Violated | Verdict::Error),
                stopped_by: match tried.verdict {
                    Verdict::Inconclusive(by @ (StoppedBy::Interrupt | StoppedBy::Memory)) => {
                        Some(by)
                    }
                    _ if meter.interrupted() => Some(StoppedBy::Interrupt),
                    _ => is_over.then_some(StoppedBy::Time),
                },
            }
        })
    };
    let found: SeedsTried = together((request, cluster), &identity, work, work)?;
    report.bytes_exchanged = Some(found.bytes_exchanged);
    let (n_tried, seed) = (found.n_tried, guide.seed);
    guide.seed = seed.wrapping_add(found.first.unwrap_or(0));
    // The seed that found something has ended before; another one may have been cut short.
    let left = time_max.saturating_sub(meter.elapsed().saturating_sub(start));
    guide.limits.time_max = found.first.is_none().then_some(left);
    report.warnings.push(match found.first {
        Some(_) => format!(
            "of the seeds from {seed} on, {} is the first that finds something wrong",
            guide.seed
        ),
        None => format!(
            "{n_tried} seeds from {seed} on found nothing wrong; what follows is of seed {seed}"
        ),
    });
    Ok(())
}

/// Has the workers of this process meet the others and work; gives what the first came to. Why another cannot go on is told by the
/// first, which hears of it.
fn together<T>(
    (request, cluster): (&CheckRequest, &ClusterRequest),
    identity: &[(String, String)],
    mut first: impl FnMut(&mut dyn Exchange) -> Result<T, ClusterError>,
    others: impl Fn(&mut dyn Exchange) -> Result<T, ClusterError> + Sync,
) -> Result<T, Diagnostic> {
    let mut found = None;
    let met =
        cluster.cluster.run(identity, &mut |exchange| found = Some(first(exchange)), &|exchange| {
            drop(others(exchange))
        });
    let found = met.and_then(|()| found.expect("the first worker has worked"));
    found.map_err(|error| apart(&error, None, request))
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
