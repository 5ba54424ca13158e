//! The engine of interleavings behind the door: its options, where they come from, and its report in the door's words.
//! Options come from three sides: the command line, a module's own wishes, and wishes that a module insists on. A later side
//! yields to an earlier one in the order insisted, typed, wished, default.
//! Not here: which engine fits (`check`), how runs are chosen (`foresee-stateless`).

use crate::checked_code::{marked, marked_property};
use crate::crashes::crashes_only_of;
use crate::graph::graph;
use crate::held;
use crate::hints::hints;
use crate::independence::{exploring, tell_independence};
use crate::non_racing::Declared;
use crate::telling::{tell, tell_broken, tell_shown};
use crate::{CheckRequest, Diagnostic, Engine, Feature, Loaded, Outcome, Report, coverage};
use foresee_lts::{
    Path, Property, PropertyKind, Reading, System, Verdict, Violation, ViolationKind,
};
use foresee_search::{Limits, Meter, Observer};
use foresee_stateless::{Bound, Config, Ignore, Run, Watch};
use foresee_stdx::halt;
use std::sync::Arc;
use std::time::Duration;

pub use foresee_stateless::{BoundKind, Dpor, Scheduling};

/// How interleavings are explored, as far as somebody has said it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct InterleavingOptions {
    pub dpor: Option<Dpor>,
    pub bound: Option<u32>,
    pub bound_kind: Option<BoundKind>,
    /// Deliveries race only if some receive tells them apart.
    pub observers: Option<bool>,
    pub scheduling: Option<Scheduling>,
    pub strict_scheduling: Option<bool>,
    pub sleep_sets: Option<bool>,
    pub keep_going: Option<bool>,
    pub depth_max: Option<u32>,
    pub interleavings_max: Option<u64>,
    pub time_max: Option<Duration>,
    /// Somebody has said that there is to be no bound.
    pub is_unbounded: bool,
    /// Names of processes or nodes that do not race.
    pub non_racing: Vec<String>,
}

/// A run that is longer is taken to be one without end, unless the user says otherwise.
pub(crate) const DEPTH_MAX: u32 = 5_000;

/// A search with fewer runs needs no advice on how to make it shorter; of a longer one, so many are looked at for that.
const RUNS_MANY: usize = 100;

impl InterleavingOptions {
    /// These, and where they say nothing, `others`.
    #[must_use]
    pub fn or(self, others: &InterleavingOptions) -> Self {
        InterleavingOptions {
            dpor: self.dpor.or(others.dpor),
            is_unbounded: self.is_unbounded || (self.bound.is_none() && others.is_unbounded),
            bound: self.bound.or(others.bound.filter(|_| !self.is_unbounded)),
            bound_kind: self.bound_kind.or(others.bound_kind),
            observers: self.observers.or(others.observers),
            scheduling: self.scheduling.or(others.scheduling),
            strict_scheduling: self.strict_scheduling.or(others.strict_scheduling),
            sleep_sets: self.sleep_sets.or(others.sleep_sets),
            keep_going: self.keep_going.or(others.keep_going),
            depth_max: self.depth_max.or(others.depth_max),
            interleavings_max: self.interleavings_max.or(others.interleavings_max),
            time_max: self.time_max.or(others.time_max),
            non_racing: [self.non_racing, others.non_racing.clone()].concat(),
        }
    }

    /// What the request says, in these words.
    fn typed(request: &CheckRequest) -> Self {
        let limits = &request.limits;
        InterleavingOptions {
            keep_going: request.keep_going.then_some(true),
            depth_max: limits.depth_max,
            interleavings_max: limits.interleavings_max,
            time_max: limits.time_max,
            ..request.interleavings.clone()
        }
    }

    fn config(&self, request: &CheckRequest) -> Config {
        let plain = Config::default();
        let kind = self.bound_kind.unwrap_or(BoundKind::Delay);
        // A bound that needs to see every reordering goes with source sets and without observers.
        let sees_all = self.bound.is_some() && kind.policy().needs_every_order();
        let dpor = if sees_all { Dpor::Source } else { plain.dpor };
        Config {
            dpor: self.dpor.unwrap_or(dpor),
            observers: self.observers.unwrap_or(!sees_all),
            sleep_sets: self.sleep_sets.unwrap_or(true),
            bound: self.bound.map(|max| Bound { kind, max }),
            scheduling: self.scheduling.unwrap_or(plain.scheduling),
            strict_scheduling: self.strict_scheduling.unwrap_or(false),
            keep_going: self.keep_going.unwrap_or(false),
            limits: Limits {
                depth_max: Some(self.depth_max.unwrap_or(DEPTH_MAX)),
                interleavings_max: self.interleavings_max,
                time_max: self.time_max,
                memory_max: request.limits.memory_max,
                states_max: None,
            },
            threads: request.threads.max(1),
            ..plain
        }
    }
}

/// What is wanted in the end: what the program's text insists on, what was typed, what its text wishes.
pub(crate) fn wanted(loaded: &Loaded, request: &CheckRequest) -> InterleavingOptions {
    let (insisted, wished) = loaded.front().interleaving_options();
    insisted.or(&InterleavingOptions::typed(request)).or(&wished)
}

/// The name of a choice of runs on the command line and in reports.
pub fn dpor_word(dpor: Dpor) -> &'static str {
    match dpor {
        Dpor::Optimal => "optimal",
        Dpor::Source => "source",
        Dpor::Persistent => "persistent",
        Dpor::None => "none",
    }
}

/// Explores the interleavings of what is loaded.
pub(crate) fn run(
    loaded: &Loaded,
    request: &CheckRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    report: &mut Report,
) -> Result<(), Diagnostic> {
    loaded.require(Feature::Engine(Engine::Stateless), "--engine stateless")?;
    // Events are reordered here, so independent ones must lead to one state.
    let loaded = &loaded.read_as(Reading::Exact)?;
    let options = wanted(loaded, request);
    let declared = Declared::new(&options.non_racing);
    let properties = properties(loaded, request, report)?;
    let config = Config {
        non_racing: declared.rule(loaded),
        ignores_depth: loaded.front().ignores_depth(),
        ignore: ignore(loaded),
        allow: crashes_only_of(loaded, &request.crash)?,
        tree_max: RUNS_MANY.max(request.graph_max),
        ..options.config(request)
    };
    let config = watching(loaded, properties, config);
    report.engine = "stateless";
    report.strategy = dpor_word(config.dpor);
    report.warnings.extend(loaded.front().warnings());
    report.cover(coverage::of_check(loaded, request)?);
    let start = meter.elapsed();
    let ((runs, unreached), independence) = exploring(loaded, request, meter, |system, meter| {
        explore(system, &config, meter, observer)
    });
    let mut explored = runs.explored(&config);
    let as_much = (&config.limits, u64::from(runs.depth), meter.elapsed() - start);
    let again = |plain: &Loaded, limits| {
        let config = Config { limits, non_racing: declared.rule(plain), ..config.clone() };
        foresee_stateless::explore(plain, &config, meter, observer).explored(&config)
    };
    let mut shown = None;
    let whole = (loaded, request);
    if config.keep_going {
        held::prefer_plain(whole, &mut explored, as_much, again);
    } else {
        shown = held::second_search(whole, &mut explored, as_much, report, again);
    }

    report.take_explored(loaded, &explored);
    report.interleavings_planned = runs.planned;
    report.sleep_set_blocked = runs.sleep_set_blocked;
    report.erroneous_interleavings = runs.erroneous_interleavings;
    report.warnings.extend(declared.unmet());
    coverage::add_interleavings(report, loaded, &options, &config, runs.cut_short);
    if request.graph_max > 0 {
        // What was explored before a limit struck is shown; it is no longer than was asked for.
        let _undisturbed = halt::undisturbed();
        report.extras.graph = Some(graph(loaded, &runs.tree, runs.interleavings));
    }
    if tell_independence(loaded, request, independence, report) {
        return Ok(());
    }
    // The first error of a run brings others in its train: whoever is linked dies too.
    let n_shown = if config.keep_going { explored.errors.len() } else { 1 };
    for found in held::plain_first(whole, explored.errors).into_iter().take(n_shown) {
        let (violation, number) = (&found.violation, found.interleaving);
        tell_shown(loaded, request, violation, shown.take(), number, report)?;
    }
    for name in unreached {
        report.verdict = Outcome::Violated;
        let message = format!("`{name}` is not reached in any state");
        let (kind, property) = (ViolationKind::Property, Some(name));
        let path = Path { initial: loaded.initial().swap_remove(0), actions: Vec::new() };
        tell(loaded, request, &Violation { kind, property, message, path }, 0, report)?;
    }
    if let Some(broken) = &explored.broken {
        tell_broken(loaded, request, broken, report)?;
    }
    report.warnings.extend(hints(&options, &config, &runs, report));
    let tips = loaded.front().tips(report);
    report.warnings.extend(tips);
    if runs.interleavings >= RUNS_MANY as u64 {
        let _undisturbed = halt::undisturbed();
        let paths = paths(loaded, &runs.tree);
        report.warnings.extend(loaded.front().tip_about_runs(&paths));
    }
    Ok(())
}

/// The properties to look at; their names go into the report.
fn properties(
    loaded: &Loaded,
    request: &CheckRequest,
    report: &mut Report,
) -> Result<Vec<Property>, Diagnostic> {
    let properties = loaded.chosen_properties(&request.invariants)?;
    let name = |property: &Property| property.name().to_owned();
    let invariants = properties.iter().filter(|it| it.kind == PropertyKind::Invariant);
    report.extras.invariants = invariants.map(name).collect();
    report.extras.properties = properties.iter().map(name).collect();
    Ok(properties)
}

/// Ends are no errors where nobody looks for deadlocks.
fn ignore(loaded: &Loaded) -> Option<Ignore> {
    (!loaded.front().looks_for_deadlocks())
        .then(|| -> Ignore { Arc::new(|kind, _| kind == ViolationKind::Deadlock) })
}

/// The settings with properties and prunes, closures of the user marked as such.
fn watching(loaded: &Loaded, properties: Vec<Property>, config: Config) -> Config {
    let prunes: Vec<_> = loaded.prunes().into_iter().map(marked).collect();
    let properties = properties.into_iter().map(marked_property);
    let watches = properties.map(|it| Watch::new(it, !prunes.is_empty())).collect();
    Config { watches, prunes, ..config }
}

/// Explores; answers also what should be reachable and is not. That a reachable property was not seen may be because the order
/// that shows it was not run: then everything is explored once more, with events that it notices told apart.
fn explore(
    system: &dyn System,
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> (foresee_stateless::Report, Vec<String>) {
    let explored = foresee_stateless::explore(system, config, meter, observer);
    let is_missing = |config: &Config, report: &foresee_stateless::Report, number: usize| {
        config.watches[number].property.kind == PropertyKind::Reachable
            && report.reached[number].is_none()
    };
    let all = 0..config.watches.len();
    let missing: Vec<usize> = all.filter(|it| is_missing(config, &explored, *it)).collect();
    if missing.is_empty() || explored.verdict != Verdict::Holds {
        return (explored, Vec::new());
    }
    let mut config = config.clone();
    missing.iter().for_each(|it| config.watches[*it].is_ordering = true);
    let explored = foresee_stateless::explore(system, &config, meter, observer);
    let is_complete = explored.verdict == Verdict::Holds;
    let missing =
        missing.into_iter().filter(|it| is_complete && is_missing(&config, &explored, *it));
    let names = missing.map(|it| config.watches[it].property.name().to_owned()).collect();
    (explored, names)
}

/// The runs of an exploration tree, each from its beginning.
fn paths(loaded: &Loaded, tree: &[Run]) -> Vec<Path> {
    let initial = loaded.initial().swap_remove(0);
    let mut actions = Vec::new();
    let run = |branch: &Run| {
        actions.truncate(branch.shares);
        actions.extend_from_slice(&branch.actions);
        Path { initial: initial.clone(), actions: actions.clone() }
    };
    tree.iter().map(run).collect()
}
