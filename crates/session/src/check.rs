//! The check itself: picks the engine, runs it, and turns what it found into a report in the user's words.
//! Not here: how what was found enters the report (`telling`).

use crate::checked_code::{marked, marked_property};
use crate::cluster::{self, ClusterRequest};
use crate::crashes::crashes_only_of;
use crate::eras;
use crate::guided;
use crate::held::{self, HeldBack};
use crate::independence::{exploring, tell_independence};
use crate::interleave::{self, InterleavingOptions};
use crate::late;
use crate::on_disk::{self, DiskRequest};
use crate::reduction;
use crate::telling::{tell_broken, tell_shown};
use crate::turns;
use crate::{Code, Diagnostic, Loaded, Outcome, Report, coverage};
use foresee_lts::{Assumption, Property, PropertyKind, Reading, StoppedBy, System};
use foresee_search::{Limits, Meter, Observer, VisitedKind};
use foresee_stateful::{Allow, Config, Strategy};
use foresee_stdx::halt;

/// Who explores. A new engine is a variant here, an arm in [`check`](fn@check), and a word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Engine {
    /// Remembers every state and visits each once.
    Stateful,
    /// Explores every interleaving that can make a difference, once.
    Stateless,
}

impl Engine {
    /// The name on the command line and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Engine::Stateful => "stateful",
            Engine::Stateless => "stateless",
        }
    }
}

/// Ways to explore fewer states; none by default.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Reduction {
    /// One of all states that differ only in the names of interchangeable nodes.
    pub symmetry: bool,
    /// Of orders of events that make no difference fewer than all.
    pub por: bool,
}

/// What to check and how.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// Where none is chosen: for programs whose runs can be listed, both in turns unless something is asked for that only one
    /// of them does; else the one that fits.
    pub engine: Option<Engine>,
    /// For the engine of interleavings.
    pub interleavings: InterleavingOptions,
    pub strategy: Strategy,
    pub visited: VisitedKind,
    pub limits: Limits,
    pub threads: usize,
    pub seed: u64,
    pub keep_going: bool,
    /// How the engine of states may explore fewer of them.
    pub reduction: Reduction,
    /// Only these properties; all if empty.
    pub invariants: Vec<String>,
    /// Only these nodes may crash; any if empty. How often is a matter of the build options.
    pub crash: Vec<String>,
    /// Carry out independent events in both orders, in every state that is visited.
    pub check_independence: bool,
    /// Shorten and reorder the runs that are shown.
    pub minimise: bool,
    /// How many interleavings to keep for a graph of the exploration; 0 makes none.
    pub graph_max: usize,
    /// Which errors are held back while others are looked for.
    pub held_back: HeldBack,
    /// Where a small search held with messages that arrive at once, look once more with messages that take their time.
    pub also_late: bool,
    /// The title of a guided search of the system, to be carried out in place of an engine's own search.
    pub guide: Option<String>,
    /// States go to disk, and a search may be taken up again; in memory if absent.
    pub disk: Option<DiskRequest>,
    /// Processes that search together; this one alone if absent.
    pub cluster: Option<ClusterRequest>,
}

impl Default for CheckRequest {
    fn default() -> Self {
        CheckRequest {
            engine: None,
            interleavings: InterleavingOptions::default(),
            strategy: Strategy::BreadthFirst,
            visited: VisitedKind::Exact,
            limits: Limits::default(),
            threads: 1,
            seed: 0,
            keep_going: false,
            reduction: Reduction::default(),
            invariants: Vec::new(),
            crash: Vec::new(),
            check_independence: false,
            minimise: true,
            graph_max: 0,
            held_back: HeldBack::default(),
            also_late: false,
            guide: None,
            disk: None,
            cluster: None,
        }
    }
}

/// The strategy's name on the command line and in reports.
pub fn strategy_word(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::BreadthFirst => "bfs",
        Strategy::DepthFirst => "dfs",
        Strategy::BestFirst => "best-first",
        Strategy::Random => "random",
    }
}

/// Explores the system and reports. Never panics over the user's code and never fails: what could not be checked is a report
/// with the verdict `error`.
///
/// ```
/// use foresee_session::{CheckRequest, NoFiles, NoMeter, Outcome, Registry, Silent, Source, check, open};
/// let ping = Source::nodes("ping", &["clients=1", "pings=10"]);
/// let ping = open(&ping, &Registry::stock(), &NoFiles).unwrap();
/// let report = check(&ping, &CheckRequest::default(), &NoMeter, &mut Silent);
/// assert_eq!((report.verdict, report.states, report.transitions), (Outcome::Holds, 120, 1595));
/// ```
pub fn check(
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Report {
    let mut report = match request.engine {
        Some(engine) => check_with(engine, loaded, request, meter, observer),
        None if request.disk.is_some()
            || request.cluster.is_some()
            || request.reduction != Reduction::default() =>
        {
            check_with(Engine::Stateful, loaded, request, meter, observer)
        }
        None if turns::fit(loaded, request) => turns::check(loaded, request, meter, observer),
        None => check_with(loaded.kind().usual_engine(), loaded, request, meter, observer),
    };
    let is_of_runs = report.engine == Engine::Stateless.word();
    if request.also_late && request.guide.is_none() && is_of_runs {
        late::look(loaded, request, meter, &mut report);
    }
    report
}

/// The same with one engine.
pub(crate) fn check_with(
    engine: Engine,
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Report {
    reported(loaded, request, meter, |report| {
        report.engine = engine.word();
        on_disk::require(engine, request)?;
        if request.guide.is_some() {
            reduction::refuse(request, "a guided search has states of its own to find")?;
        } else if engine == Engine::Stateless {
            reduction::refuse(request, "--engine stateless has --dpor instead")?;
        }
        match (&request.guide, engine) {
            (Some(title), _) => guided::named(loaded, title, request, meter, observer, report),
            (None, Engine::Stateful) => stateful(loaded, request, meter, observer, report),
            (None, Engine::Stateless) => interleave::run(loaded, request, meter, observer, report),
        }
    })
}

/// A report about what `explore` does, whatever stops it, with the time and memory it took.
pub(crate) fn reported(
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    explore: impl FnOnce(&mut Report) -> Result<(), Diagnostic>,
) -> Report {
    let mut report = Report::new("check", loaded.name());
    report.strategy = strategy_word(request.strategy);
    report.seed = request.seed;
    report.threads = request.threads;
    let start = meter.elapsed();
    let _watching = halt::watch(meter.probe());
    let done = halt::until_halted(|| explore(&mut report));
    match done {
        Ok(Ok(())) => {}
        Ok(Err(diagnostic)) => report.fail(diagnostic),
        Err(halted) => report.halt(halted),
    }
    report.seconds = (meter.elapsed() - start).as_secs_f64();
    let measured = meter.memory_bytes().unwrap_or(0);
    report.peak_memory_bytes = measured.max(report.extras.search_bytes);
    report
}

/// Has the stateful engine explore, and tells what it found.
fn stateful(
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    // Only in the exact reading do independent events lead to one state.
    let is_exact = request.check_independence || reduction::takes_at_once(loaded, request)?;
    let exact = match is_exact {
        true => Some(loaded.read_as(Reading::Exact)?),
        false => None,
    };
    let loaded = exact.as_ref().unwrap_or(loaded);
    let properties = loaded.chosen_properties(&request.invariants)?;
    let name = |property: &Property| property.name().to_owned();
    let invariants = properties.iter().filter(|property| property.kind == PropertyKind::Invariant);
    report.extras.invariants = invariants.map(name).collect();
    report.extras.properties = properties.iter().map(name).collect();
    report.warnings.extend(loaded.front().warnings());
    report.cover(coverage::of_check(loaded, request)?);
    require_score(loaded, request.strategy)?;
    let wanted = interleave::wanted(loaded, request);
    if !wanted.non_racing.is_empty() {
        report
            .warnings
            .push("--non-racing is for --engine stateless and has no effect here".to_owned());
    }
    let config = settings(loaded, request, properties)?;
    let config = reduction::apply(loaded, request, config, report)?;
    let start = meter.elapsed();
    let (searched, independence) = match (&request.cluster, &request.disk) {
        (Some(cluster), _) => {
            let search = match config.strategy {
                Strategy::Random => cluster::walk,
                _ => cluster::search,
            };
            (search(loaded, (request, cluster), &config, meter, observer, report)?, None)
        }
        (None, Some(disk)) => {
            let request = (request, disk);
            (on_disk::search(loaded, request, &config, meter, observer, report)?, None)
        }
        (None, None) if eras::takes_eras(&config, request) => {
            (eras::walk((loaded, request), &config, eras::ERAS, meter, observer)?, None)
        }
        (None, None) => exploring(loaded, request, meter, |system, meter| {
            reduction::search(system, &config, meter, observer)
        }),
    };
    if request.cluster.as_ref().is_some_and(ClusterRequest::is_member) {
        // The first process tells what was found.
        return Ok(());
    }
    let mut explored = searched.explored();
    let as_much = (&config.limits, 1, meter.elapsed() - start);
    let again = |plain: &Loaded, limits| {
        let config = Config { limits, ..config.clone() };
        foresee_stateful::search(plain, &config, meter, observer).explored()
    };
    let mut shown = None;
    let whole = (loaded, request);
    match (request.strategy, config.keep_going) {
        // Walks go on until a limit: as much again would be as long.
        (Strategy::Random, _) => {}
        (_, true) => held::prefer_plain(whole, &mut explored, as_much, again),
        (_, false) => {
            shown = held::second_search(whole, &mut explored, as_much, report, again);
        }
    }

    report.take_explored(loaded, &explored);
    report.states = searched.states;
    report.extras.store_bytes = searched.store_bytes;
    report.extras.not_idempotent = loaded.front().not_idempotent();
    report.extras.collision_probability = searched.collision_probability;
    if report.stopped_by == Some(StoppedBy::Depth) && loaded.front().ignores_depth() {
        report.stopped_by = None;
        if report.verdict == Outcome::Inconclusive {
            report.verdict = Outcome::Holds;
        }
        let max = wanted.depth_max.unwrap_or(0);
        report.assumed.push(Assumption::CutAfter(max));
        report.warnings.push(format!(
            "what comes after {max} events was not looked at: the verdict leaves that out, as --ignore-error depth_bound says"
        ));
    }
    coverage::add_states(report, request);
    reduction::cover(loaded, &config, searched.at_once, report);
    if report.stopped_by == Some(StoppedBy::Memory)
        && request.disk.is_none()
        && request.cluster.is_none()
    {
        report.warnings.push(out_of_memory(request));
    }
    if request.strategy == Strategy::Random {
        report.erroneous_interleavings = explored.errors.len() as u64;
    }
    if tell_independence(loaded, request, independence, report) {
        return Ok(());
    }
    for found in held::plain_first(whole, explored.errors) {
        tell_shown(loaded, request, &found.violation, shown.take(), 0, report)?;
    }
    let tips = loaded.front().tips(report);
    report.warnings.extend(tips);
    match &explored.broken {
        Some(broken) => tell_broken(loaded, request, broken, report),
        None => Ok(()),
    }
}

/// The engine's settings, without reductions.
pub(crate) fn settings(
    loaded: &Loaded,
    request: &CheckRequest,
    properties: Vec<Property>,
) -> Result<Config, Diagnostic> {
    let wanted = interleave::wanted(loaded, request);
    let config = config(loaded, request, properties, crashes_only_of(loaded, &request.crash)?);
    let keep_going = wanted.keep_going.unwrap_or(false);
    let limits = Limits { depth_max: wanted.depth_max, ..config.limits.clone() };
    Ok(Config { keep_going, limits, ..config })
}

/// The engine's settings; closures of the user are marked as such.
fn config(
    loaded: &Loaded,
    request: &CheckRequest,
    properties: Vec<Property>,
    allow: Option<Allow>,
) -> Config {
    Config {
        allow,
        strategy: request.strategy,
        properties: properties.into_iter().map(marked_property).collect(),
        prunes: loaded.prunes().into_iter().map(marked).collect(),
        limits: request.limits.clone(),
        threads: request.threads.max(1),
        seed: request.seed,
        keep_going: request.keep_going,
        visited: request.visited,
        deadlock: loaded.front().looks_for_deadlocks(),
        ..Config::default()
    }
}

fn require_score(loaded: &Loaded, strategy: Strategy) -> Result<(), Diagnostic> {
    let has_score = || loaded.initial().first().is_some_and(|state| loaded.score(state).is_some());
    if strategy == Strategy::BestFirst && !has_score() {
        let message =
            format!("`{}` has no score, so no state is better than another", loaded.name());
        return Err(Diagnostic::new(Code::OptionDoesNotApply, message)
            .at("--strategy best-first")
            .help("use --strategy bfs or dfs; a system of your own gets a score with `WorldBuilder::score`"));
    }
    Ok(())
}

fn out_of_memory(request: &CheckRequest) -> String {
    let limit = request.limits.memory_max.unwrap_or(0);
    format!(
        "{}: memory ran out under --memory-max ({} MiB); give it more, smaller parameters, or --visited fingerprint",
        Code::MemoryExhausted,
        limit >> 20
    )
}
