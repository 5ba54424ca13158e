//! What to explore and how: all the choices of one exploration.

use crate::bound::Bound;
use crate::watched::Watch;
use foresee_lts::{Actor, Predicate, ViolationKind};
use foresee_search::Limits;
use std::fmt;
use std::sync::Arc;

/// How the runs to explore are chosen.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Dpor {
    /// Every order that makes a difference exactly once (Optimal-DPOR: source sets and wakeup trees).
    #[default]
    Optimal,
    /// Every order that makes a difference; some runs are begun and given up (source sets).
    Source,
    /// The classic reduction by persistent sets; more runs than source sets.
    Persistent,
    /// Every order.
    None,
}

/// Which thread runs first where it does not matter.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Scheduling {
    /// The first in the system's own order.
    Oldest,
    /// The last in the system's own order.
    Newest,
    /// The one that has not run for longest.
    #[default]
    RoundRobin,
}

/// Who takes part in an event: the actor whose event it is, or the mailbox that it delivers to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Party {
    Actor(Actor),
    Mailbox(u64),
}

/// In a state, actors whose events are not reordered, and mailboxes whose messages are not.
pub type NonRacing = Arc<dyn Fn(&[u32], Party) -> bool + Send + Sync>;
pub use foresee_lts::Allow;
/// Errors that are none, by kind and message.
pub type Ignore = Arc<dyn Fn(ViolationKind, &str) -> bool + Send + Sync>;

/// The settings of one exploration.
#[derive(Clone)]
pub struct Config {
    pub dpor: Dpor,
    /// Two deliveries to one mailbox are dependent only if a receive tells them apart. Only optimal exploration can make use
    /// of it, because only wakeup trees lead a run all the way to that receive; for the others any two are dependent.
    pub observers: bool,
    /// Give up runs that repeat others; always on under [`Dpor::Optimal`].
    pub sleep_sets: bool,
    pub bound: Option<Bound>,
    pub scheduling: Scheduling,
    /// Choose anew before every event, instead of letting a thread run until it waits.
    pub strict_scheduling: bool,
    /// Explore everything and report the first run with each error, instead of ending with the first erroneous run.
    pub keep_going: bool,
    /// `depth_max` is the length of a run, `interleavings_max` the number of runs; `states_max` has no meaning here.
    pub limits: Limits,
    /// How many threads explore. The report is the same for any number; more than one is of use only to an exploration that
    /// [can be shared](Config::is_shareable).
    pub threads: usize,
    /// So many runs are explored by one thread before others join: an error found by then costs nothing twice.
    pub runs_alone: u64,
    pub non_racing: Option<NonRacing>,
    /// Properties to look at in every state.
    pub watches: Vec<Watch>,
    /// States after which nothing is looked at any more.
    pub prunes: Vec<Predicate>,
    /// Only these actions can happen.
    pub allow: Option<Allow>,
    pub ignore: Option<Ignore>,
    /// A run that reaches `depth_max` is an error of its own ([`ViolationKind::DepthBound`]), not only inconclusive.
    pub depth_is_error: bool,
    /// A run that reaches `depth_max` counts as one that has ended: the verdict is about runs of that length.
    pub ignores_depth: bool,
    /// How many runs of the exploration tree to keep for the report; 0 keeps none.
    pub tree_max: usize,
}

impl Config {
    /// Whether several threads can explore with the same outcome as one: every trace exactly once, in whatever order.
    pub fn is_shareable(&self) -> bool {
        self.dpor == Dpor::Optimal
            && self.bound.is_none()
            && self.limits.interleavings_max.is_none()
            && self.watches.is_empty()
            && self.prunes.is_empty()
    }
}

impl Config {
    /// Whether its bound, if it has one, must see orders that are otherwise repetitions.
    pub(crate) fn needs_every_order(&self) -> bool {
        self.bound.is_some_and(|bound| bound.kind.policy().needs_every_order())
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            dpor: Dpor::Optimal,
            observers: true,
            sleep_sets: true,
            bound: None,
            scheduling: Scheduling::RoundRobin,
            strict_scheduling: false,
            keep_going: false,
            limits: Limits::none(),
            threads: 1,
            runs_alone: 2_000,
            non_racing: None,
            watches: Vec::new(),
            prunes: Vec::new(),
            allow: None,
            ignore: None,
            depth_is_error: false,
            ignores_depth: false,
            tree_max: 0,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("dpor", &self.dpor)
            .field("observers", &self.observers)
            .field("sleep_sets", &self.sleep_sets)
            .field("bound", &self.bound)
            .field("scheduling", &self.scheduling)
            .field("strict_scheduling", &self.strict_scheduling)
            .field("keep_going", &self.keep_going)
            .field("limits", &self.limits)
            .field("threads", &self.threads)
            .field("runs_alone", &self.runs_alone)
            .field("non_racing", &self.non_racing.is_some())
            .field("watches", &self.watches)
            .field("prunes", &self.prunes)
            .field("allow", &self.allow.is_some())
            .field("ignore", &self.ignore.is_some())
            .field("depth_is_error", &self.depth_is_error)
            .field("ignores_depth", &self.ignores_depth)
            .field("tree_max", &self.tree_max)
            .finish()
    }
}
