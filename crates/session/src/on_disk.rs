//! A check with its states on disk: what is refused, who may take a search up again, and what is said when files are in the way.
//! Not here: the search (`foresee_stateful::search_on_disk`) and real files, which the edge lends.

use crate::cluster::Folders;
use crate::{CheckRequest, Code, Diagnostic, Engine, Loaded, Reduction, Report};
use foresee_lts::{StoppedBy, System};
use foresee_search::{Disk, DiskError, Meter, Observer};
use foresee_stateful::{Config, DiskReport, OnDisk, Strategy, search_on_disk};
use foresee_stdx::stable_hash;
use std::fmt;
use std::sync::Arc;

/// Where a check keeps its states, if not in memory.
#[derive(Clone)]
pub struct DiskRequest {
    pub disk: Arc<dyn Disk>,
    /// The same, where several workers each have files of their own.
    pub folders: Arc<dyn Folders>,
    /// As the user named it.
    pub directory: String,
    /// Take up the search that is there, instead of beginning one.
    pub resume: bool,
    /// Bytes of all files together.
    pub bytes_max: Option<u64>,
    /// Which program this is: only the same may take up its searches.
    pub program: String,
}

impl fmt::Debug for DiskRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiskRequest")
            .field("directory", &self.directory)
            .field("resume", &self.resume)
            .field("bytes_max", &self.bytes_max)
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

/// Refuses what a search on disk, or by several processes, does not do.
pub(crate) fn require(engine: Engine, request: &CheckRequest) -> Result<(), Diagnostic> {
    let flag = match (&request.cluster, &request.disk) {
        (Some(cluster), _) => cluster.flag,
        (None, Some(disk)) if disk.resume => "--resume",
        (None, Some(_)) => "--disk",
        (None, None) => return Ok(()),
    };
    let refuse = |why: &str| Err(Diagnostic::does_not_apply(flag, why));
    if engine == Engine::Stateless {
        return refuse("the stateless engine keeps no states; leave out --engine stateless");
    }
    let is_swarm = request.cluster.is_some()
        && (request.strategy == Strategy::Random || request.guide.is_some());
    if is_swarm && request.disk.is_some() {
        let why = "random walks and guided searches are kept in memory";
        return Err(Diagnostic::does_not_apply("--disk", why));
    }
    if request.guide.is_some() && !is_swarm {
        return refuse("a guided search is kept in memory");
    }
    if request.strategy != Strategy::BreadthFirst && !is_swarm {
        return refuse("only --strategy bfs explores level by level");
    }
    if request.reduction != Reduction::default() {
        return refuse("--reduction explores states in memory");
    }
    if request.check_independence {
        return refuse("--check-independence looks at states in memory");
    }
    if request.visited != crate::VisitedKind::Exact && !is_swarm {
        return refuse(
            "states are told apart by keys of 128 bits there, and --visited has no other way",
        );
    }
    Ok(())
}

/// Searches on disk, and puts into the report what only such a search has.
pub(crate) fn search(
    loaded: &Loaded,
    (request, disk): (&CheckRequest, &DiskRequest),
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    report: &mut Report,
) -> Result<foresee_stateful::Report, Diagnostic> {
    let identity = identity(loaded, request, &disk.program, config);
    let place = OnDisk {
        disk: &*disk.disk,
        resume: disk.resume,
        bytes_max: disk.bytes_max,
        identity: &identity,
        of_worker: None,
    };
    let found = search_on_disk(loaded, config, &place, meter, observer);
    let DiskReport { report: searched, disk_bytes, resumed_at, .. } =
        found.map_err(|error| refused(&error, disk))?;
    report.disk_bytes = Some(disk_bytes);
    advise(&searched, resumed_at, disk, report);
    Ok(searched)
}

/// What a user may want to know of a search that keeps its states.
pub(crate) fn advise(
    searched: &foresee_stateful::Report,
    resumed_at: Option<u32>,
    disk: &DiskRequest,
    report: &mut Report,
) {
    if let Some(level) = resumed_at {
        report.warnings.push(format!("resumed at depth {level} from {}", disk.directory));
    }
    let again = |what: &str| format!("{what}; --resume {} goes on from here", disk.directory);
    match searched.stopped_by {
        Some(StoppedBy::Memory) => report.warnings.push(format!(
            "{}: memory ran out under --memory-max though states are on disk: components and memo tables alone take it; give it \
             more and --resume {}",
            Code::ComponentsExceedMemory,
            disk.directory
        )),
        Some(StoppedBy::Disk) => {
            report.warnings.push(again("the disk is full, or --disk-max is used up: make room or give it more"));
        }
        Some(StoppedBy::Interrupt | StoppedBy::Time) => {
            report.warnings.push(again("what was explored is kept"));
        }
        _ => {}
    }
}

/// What must be the same when a search is taken up: limits and threads may change, what is explored may not.
pub(crate) fn identity(
    loaded: &Loaded,
    request: &CheckRequest,
    program: &str,
    config: &Config,
) -> Vec<(String, String)> {
    let names = |names: Vec<&str>| names.join(", ");
    let options = loaded.source().header_options();
    let options = options.iter().map(|(key, value)| format!("{key}={value}"));
    let texts: Vec<(String, Arc<str>)> = loaded.front().source_texts();
    let mut identity = vec![
        ("program".to_owned(), program.to_owned()),
        ("system".to_owned(), loaded.name()),
        ("options".to_owned(), options.collect::<Vec<_>>().join(" ")),
        (
            "properties".to_owned(),
            names(config.properties.iter().map(|property| property.name()).collect()),
        ),
        ("prunes".to_owned(), names(config.prunes.iter().map(|prune| prune.name()).collect())),
        ("crash".to_owned(), request.crash.join(", ")),
        ("deadlock".to_owned(), config.deadlock.to_string()),
        ("keep-going".to_owned(), config.keep_going.to_string()),
    ];
    for (path, text) in texts {
        let name = path.rsplit('/').next().unwrap_or_default();
        identity.push(("source".to_owned(), format!("{name} {:016x}", stable_hash(&*text))));
    }
    identity
}

/// What is said when files are in the way.
pub(crate) fn refused(error: &DiskError, disk: &DiskRequest) -> Diagnostic {
    let directory = &disk.directory;
    let said = |code: Code, message: String, help: &str| {
        Diagnostic::new(code, message).at(directory.clone()).help(help)
    };
    match error {
        DiskError::InUse => said(
            Code::DirectoryInUse,
            format!("another run is using `{directory}`"),
            "wait until it has ended, stop it, or give this one a directory of its own",
        ),
        DiskError::Nothing => said(
            Code::NothingToResume,
            format!("there is no search to resume in `{directory}`"),
            "--disk begins one there",
        ),
        DiskError::Taken => said(
            Code::SearchInTheWay,
            format!("there is a search in `{directory}` already"),
            "--resume goes on with it; for a new one name another directory, or remove this one",
        ),
        DiskError::Other { what, then, now } => said(
            Code::OtherSearch,
            format!("the search in `{directory}` has another {what}: `{then}` there, `{now}` here"),
            "resume it with the program, system and options it was begun with, or begin one of your own with --disk",
        ),
        DiskError::Damaged { file, reason } => said(
            Code::SegmentDamaged,
            format!("`{file}` in `{directory}` is damaged: {reason}"),
            "bring the directory back from a copy, or begin again with --disk in another one",
        ),
        other => said(
            Code::DirectoryNotUsable,
            format!("`{directory}` is not usable: {other}"),
            "choose a directory that can be written to, on a disk that works",
        ),
    }
}
