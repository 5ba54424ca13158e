//! What to search for and how: all the choices of one search.

use foresee_lts::{Path, Predicate, Property, System};
use foresee_search::{Limits, VisitedKind};
use std::fmt;
use std::sync::Arc;

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Strategy {
    /// Nearest first: the shortest violation. Uses several threads.
    #[default]
    BreadthFirst,
    /// Latest first.
    DepthFirst,
    /// Highest score first.
    BestFirst,
    /// Seeded random walks; never exhaustive. Uses several threads.
    Random,
}

pub use foresee_lts::Allow;
/// How promising a state is.
pub type Score = Arc<dyn Fn(&[u32]) -> i64 + Send + Sync>;

/// The settings of one search.
///
/// ```
/// use foresee_lts::{Verdict, toy::Counters};
/// use foresee_search::{NoMeter, Silent};
/// use foresee_stateful::{Config, search};
/// let system = Counters::new(2, 3).forbid_sum(5);
/// let report = search(&system, &Config::of(&system), &NoMeter, &mut Silent);
/// assert_eq!(report.verdict, Verdict::Violated);
/// assert_eq!(report.violations[0].path.actions.len(), 5);
/// ```
#[derive(Clone)]
pub struct Config {
    pub strategy: Strategy,
    /// What is claimed; exactly these, not also the system's own (see [`Config::of`]).
    pub properties: Vec<Property>,
    /// A state in which one of these holds is what the search is for: see [`Config::goals_max`].
    pub goals: Vec<Predicate>,
    /// The search ends when this many goal states were found; a goal state is not expanded. 1 by default.
    pub goals_max: usize,
    /// A state in which one of these holds is counted and checked, and not expanded; exactly these, as with properties.
    pub prunes: Vec<Predicate>,
    /// Other actions are as if they were not enabled.
    pub allow: Option<Allow>,
    pub limits: Limits,
    /// Threads for breadth-first search and random walks; other strategies use one and say so. Results do not depend on it.
    pub threads: usize,
    /// For random walks.
    pub seed: u64,
    /// The number of the first random walk: walks draw from the seed and their numbers.
    pub first_walk: u64,
    /// Explore everything and report the first violation of each property, instead of ending at the first of all.
    pub keep_going: bool,
    pub visited: VisitedKind,
    /// For best-first search; [`foresee_lts::Claims::score`] if absent.
    pub score: Option<Score>,
    /// Start at the ends of these runs instead of at the initial states; reported paths begin with them.
    pub from: Option<Vec<Path>>,
    /// Report a state in which nothing can happen.
    pub deadlock: bool,
    /// Explore one of all states that differ only in the names of interchangeable components. To be believed only after
    /// [`crate::check_symmetry`]; random walks and filters go without.
    pub symmetry: bool,
    /// Take steps at once that nothing else can get in the way of. Keeps faults, deadlocks and invariants that say what they read; a
    /// search that asks for more goes without ([`why_no_por`](crate::why_no_por), [`Report::at_once`](crate::Report)). For systems in
    /// the exact reading ([`foresee_lts::Reading`]). One thread.
    pub por: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            strategy: Strategy::BreadthFirst,
            properties: Vec::new(),
            goals: Vec::new(),
            goals_max: 1,
            prunes: Vec::new(),
            allow: None,
            limits: Limits::none(),
            threads: 1,
            seed: 0,
            first_walk: 0,
            keep_going: false,
            visited: VisitedKind::Exact,
            score: None,
            from: None,
            deadlock: false,
            symmetry: false,
            por: false,
        }
    }
}

impl Config {
    /// The default settings with the system's own properties and prunes.
    pub fn of<S: System + ?Sized>(system: &S) -> Self {
        let claims = system.claims();
        let properties = claims.map_or(Vec::new(), |it| it.properties());
        let prunes = claims.map_or(Vec::new(), |it| it.prunes());
        Config { properties, prunes, ..Config::default() }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("strategy", &self.strategy)
            .field("properties", &self.properties)
            .field("goals", &self.goals)
            .field("goals_max", &self.goals_max)
            .field("prunes", &self.prunes)
            .field("allow", &self.allow.is_some())
            .field("limits", &self.limits)
            .field("threads", &self.threads)
            .field("seed", &self.seed)
            .field("first_walk", &self.first_walk)
            .field("keep_going", &self.keep_going)
            .field("visited", &self.visited)
            .field("score", &self.score.is_some())
            .field("from", &self.from.as_ref().map(Vec::len))
            .field("deadlock", &self.deadlock)
            .field("symmetry", &self.symmetry)
            .field("por", &self.por)
            .finish()
    }
}
