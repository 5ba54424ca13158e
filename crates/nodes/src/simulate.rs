//! Simulation in virtual time: one run of a world, as it might happen on a real network, decided by a seed.
//! Why: a search visits every state but knows no durations. A run with latencies, losses and timers that fire when they
//! are due shows how a system usually behaves, is fast on systems too large to search, and tells a story with times in it.
//! The nodes are those of the world, handlers and all, and what happens is written down in labels: the trace can be
//! replayed in the same world, unless the run used a fault that the world's budgets do not have ([`Simulation::replayable`]).
//! Invariant: the run is a function of the world, the configuration and its seed, to the last digit.
//! Not here: the run itself (`simulation`).

use crate::simulation::Run;
use crate::{Address, Data, World};
use foresee_lts::{Finding, Label, Predicate, State};
use foresee_stdx::Random;
use std::fmt;
use std::time::Duration;

/// How a simulated network behaves, what is done to it, and when to stop.
#[derive(Clone, Debug)]
pub struct SimulationConfig {
    pub seed: u64,
    pub latency: Latency,
    /// How likely a message is lost; never in an exactly-once network.
    pub loss: f64,
    /// How likely a message arrives once more; never in an exactly-once network.
    pub duplication: f64,
    /// Whether a later message may overtake an earlier one of the same sender; never in a `Fifo` network.
    pub reordering: bool,
    /// Crashes, restarts and partitions at set times.
    pub schedule: Vec<Scheduled>,
    /// The virtual time at which to stop.
    pub time_max: Duration,
    pub events_max: u64,
    /// Stop when this holds.
    pub until: Option<Predicate>,
    /// Whether the world's invariants are checked after every event.
    pub checks_invariants: bool,
    /// Whether to stop where the world says that nothing of interest follows (its prunes).
    pub stops_at_prunes: bool,
}

impl Default for SimulationConfig {
    fn default() -> Self {
        SimulationConfig {
            seed: 0,
            latency: Latency::Uniform {
                min: Duration::from_millis(1),
                max: Duration::from_millis(10),
            },
            loss: 0.0,
            duplication: 0.0,
            reordering: true,
            schedule: Vec::new(),
            time_max: Duration::from_secs(60),
            events_max: 100_000,
            until: None,
            checks_invariants: true,
            stops_at_prunes: true,
        }
    }
}

/// How long messages take.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Latency {
    Fixed(Duration),
    /// Anything between, equally likely.
    Uniform {
        min: Duration,
        max: Duration,
    },
    /// At least `min`; half of the messages take at most `typical` more, half of the others at most twice that, and so on.
    LongTail {
        min: Duration,
        typical: Duration,
    },
}

impl Latency {
    pub(crate) fn draw(self, random: &mut Random) -> Duration {
        let within = |random: &mut Random, width: Duration| {
            let nanos = u64::try_from(width.as_nanos()).unwrap_or(u64::MAX);
            Duration::from_nanos(random.between(0, nanos))
        };
        match self {
            Latency::Fixed(latency) => latency,
            Latency::Uniform { min, max } => min + within(random, max.saturating_sub(min)),
            Latency::LongTail { min, typical } => {
                let doublings = random.next_u64().trailing_zeros().min(16);
                min + typical * doublings + within(random, typical)
            }
        }
    }
}

/// Something that is done to the system at a set time.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Scheduled {
    pub at: Duration,
    pub what: Disturbance,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Disturbance {
    Crash(Address),
    Restart(Address),
    /// These nodes against all others; messages between the sides are lost (or wait, where the network loses none).
    Partition(Vec<Address>),
    Heal,
}

/// One thing that happened.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SimulationEvent {
    pub time: Duration,
    pub label: Label,
    pub fate: Fate,
}

/// What became of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Fate {
    /// It is a step of the run, and in its trace.
    Step,
    /// A message arrived and its receiver ignored it, which the network model does not count as a step.
    Ignored,
    /// A message was lost; to the world it is on its way for ever.
    Lost,
}

/// ` 12.345ms  deliver client1 -> server Ping(1)`.
impl fmt::Display for SimulationEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.time.as_micros();
        write!(f, "{:>6}.{:03}ms  {}", micros / 1000, micros % 1000, self.label)?;
        match self.fate {
            Fate::Step => Ok(()),
            Fate::Ignored => f.write_str("  (ignored)"),
            Fate::Lost => f.write_str("  (lost)"),
        }
    }
}

/// Why a run ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SimulationEnd {
    /// Nothing was on its way and no timer was set.
    Quiet,
    TimeUp,
    EventsUp,
    /// What was waited for happened; its name.
    Stopped(String),
    Violated,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub seed: u64,
    pub end: SimulationEnd,
    pub broken: Option<Finding>,
    /// The virtual time at the end.
    pub time: Duration,
    pub n_events: u64,
    pub n_sent: u64,
    pub n_lost: u64,
    /// The names of the world's `reachable` properties that held at some moment.
    pub reached: Vec<String>,
    /// What happened, as the world itself would label it.
    pub trace: Vec<Label>,
    /// Whether the world can take exactly this run: no fault was used beyond its budgets.
    pub replayable: bool,
    /// The last state.
    pub state: State,
}

impl Simulation {
    /// How the run ended, in a few words; runs that ended alike say the same.
    pub fn outcome(&self) -> String {
        match (&self.end, &self.broken) {
            (_, Some(Finding { property: Some(name), .. })) => format!("violated: {name}"),
            (_, Some(broken)) => format!("violated: {}", broken.kind.word()),
            (SimulationEnd::Quiet, _) => "quiet".to_owned(),
            (SimulationEnd::TimeUp, _) => "time is up".to_owned(),
            (SimulationEnd::EventsUp, _) => "too many events".to_owned(),
            (SimulationEnd::Stopped(name), _) => name.clone(),
            (SimulationEnd::Violated, None) => unreachable!("a violation is kept"),
        }
    }
}

/// Runs a world once; `observer` sees every event as it happens.
///
/// ```
/// use foresee_nodes::{Address, Context, Latency, Node, SimulationConfig, SimulationEnd, WorldBuilder, simulate};
/// use std::time::Duration;
/// # #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Player { other: Address, serves: bool }
/// # impl Node for Player {
/// #     type Message = u32;
/// #     type Timer = ();
/// #     fn init(&mut self, context: &mut Context<u32, ()>) { if self.serves { context.send(self.other, 3); } }
/// #     fn on_message(&mut self, _: Address, left: u32, context: &mut Context<u32, ()>) {
/// #         if left > 0 { context.send(self.other, left - 1); }
/// #     }
/// # }
/// // Two players send a ball that counts down to 0.
/// let [a, b] = [Address::new("a"), Address::new("b")];
/// let mut world = WorldBuilder::<u32>::new("ball");
/// world.add(a, Player { other: b, serves: true });
/// world.add(b, Player { other: a, serves: false });
/// let config = SimulationConfig { latency: Latency::Fixed(Duration::from_millis(2)), ..Default::default() };
/// let mut lines = Vec::new();
/// let run = simulate(&world.build(), &config, &mut |event| lines.push(event.to_string()));
/// assert_eq!(lines[1], "     4.000ms  deliver b -> a 2");
/// assert_eq!((run.end, run.n_events, run.time), (SimulationEnd::Quiet, 4, Duration::from_millis(8)));
/// ```
pub fn simulate<M: Data>(
    world: &World<M>,
    config: &SimulationConfig,
    observer: &mut dyn FnMut(&SimulationEvent),
) -> Simulation {
    Run::new(&world.built, config, observer).finish()
}

/// What many runs came to.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Summary {
    pub n_runs: u64,
    pub n_events: u64,
    /// The most frequent first.
    pub outcomes: Vec<OutcomeCount>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OutcomeCount {
    pub outcome: String,
    pub n_runs: u64,
    /// The smallest seed that leads here.
    pub seed: u64,
}

impl Summary {
    /// Counts one more run, whose outcome is told in these words.
    pub fn add(&mut self, run: &Simulation, outcome: String) {
        self.n_runs += 1;
        self.n_events += run.n_events;
        match self.outcomes.iter_mut().find(|known| known.outcome == outcome) {
            Some(known) => {
                known.n_runs += 1;
                known.seed = known.seed.min(run.seed);
            }
            None => self.outcomes.push(OutcomeCount { outcome, n_runs: 1, seed: run.seed }),
        }
        self.outcomes.sort_by(|a, b| (b.n_runs, a.seed).cmp(&(a.n_runs, b.seed)));
    }
}

/// Runs a world `n_runs` times with seeds from `config.seed` on. Runs are told apart by what `outcome` says of them; pass
/// `|_, run| run.outcome()` for how they ended.
pub fn simulate_many<M: Data>(
    world: &World<M>,
    config: &SimulationConfig,
    n_runs: u64,
    mut outcome: impl FnMut(&World<M>, &Simulation) -> String,
) -> Summary {
    let mut summary = Summary::default();
    for i in 0..n_runs {
        let config = SimulationConfig { seed: config.seed.wrapping_add(i), ..config.clone() };
        let run = simulate(world, &config, &mut |_| {});
        summary.add(&run, outcome(world, &run));
    }
    summary
}
