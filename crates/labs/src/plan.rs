//! What a test does, as data.

use crate::{Category, SetUp};
use foresee_nodes::{Latency, Scheduled};
use std::sync::Arc;
use std::time::Duration;

/// A unit test: `Err` says what is wrong.
pub type UnitTest = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

/// What a test does.
#[derive(Clone)]
pub enum Plan {
    Unit(UnitTest),
    Run(SetUp, RunPlan),
    Search(SetUp, SearchPlan),
}

/// Runs in virtual time.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// How likely a message is lost.
    pub loss: f64,
    /// How likely it arrives twice.
    pub duplication: f64,
    pub latency: Latency,
    /// Crashes, restarts and partitions at set times.
    pub schedule: Vec<Scheduled>,
    /// Virtual time.
    pub time_max: Duration,
    pub events_max: u64,
    pub ending: Ending,
    /// No operation may take longer, in virtual time.
    pub wait_max: Option<Duration>,
    /// Messages sent, at most, for each operation that has returned.
    pub messages_max: Option<u64>,
    /// Syncs of disks, at most, for each operation that has returned.
    pub syncs_max: Option<u64>,
    /// So many runs, with consecutive seeds.
    pub runs: u64,
}

/// How a run should end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ending {
    /// Every client finishes.
    Done,
    /// The time is up; until then every client has at least so many results.
    TimeUp { results_min: usize },
}

/// Searches. Those that only look for harm ask in the end whether anybody is told anything in a run in which all goes well: who does nothing earns nothing.
#[derive(Clone, Debug)]
pub enum SearchPlan {
    /// Everything is explored. More states than this: the space is not as small as it should be.
    Exhaust { states_max: u64 },
    /// Breadth first, as far as so many states go. Before that, somebody must get somewhere: the arena's goal is found within the same limit.
    Explore { states_max: u64 },
    /// The phases of the arena's guide.
    Guided,
    /// Seeded random walks.
    Walks { walks: u64, depth_max: u32 },
    /// Everything is explored, and from every state the clients can still finish.
    AlwaysPossible { states_max: u64 },
}

impl Default for RunPlan {
    fn default() -> Self {
        RunPlan {
            loss: 0.0,
            duplication: 0.0,
            latency: Latency::Uniform {
                min: Duration::from_millis(1),
                max: Duration::from_millis(10),
            },
            schedule: Vec::new(),
            time_max: Duration::from_secs(60),
            events_max: 200_000,
            ending: Ending::Done,
            wait_max: None,
            messages_max: None,
            syncs_max: None,
            runs: 1,
        }
    }
}

impl RunPlan {
    /// A network that loses and doubles messages; several runs.
    pub fn unreliable(loss: f64) -> Self {
        RunPlan { loss, duplication: 0.1, runs: 3, ..RunPlan::default() }
    }

    pub fn is_unreliable(&self) -> bool {
        self.loss > 0.0 || self.duplication > 0.0
    }
}

impl Plan {
    /// A unit test.
    pub fn unit(test: impl Fn() -> Result<(), String> + Send + Sync + 'static) -> Self {
        Plan::Unit(Arc::new(test))
    }

    pub(crate) fn categories(&self) -> Vec<Category> {
        match self {
            Plan::Unit(_) => vec![Category::Unit],
            Plan::Run(_, plan) if plan.is_unreliable() => vec![Category::Run, Category::Unreliable],
            Plan::Run(..) => vec![Category::Run],
            Plan::Search(..) => vec![Category::Search],
        }
    }

    /// The world it is about, if it is about one.
    pub(crate) fn set_up(&self) -> Option<&SetUp> {
        match self {
            Plan::Unit(_) => None,
            Plan::Run(set_up, _) | Plan::Search(set_up, _) => Some(set_up),
        }
    }
}
