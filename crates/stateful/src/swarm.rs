//! Swarms: random walks, and guided searches with many seeds, by several workers, in one process or on several machines.
//! How: walks are numbered, and the n-th draws from the seed and n alone, so they can be dealt out. They are dealt in *batches* of
//! neighbours. A batch is a search of its own with its own states, so what becomes of it depends on the system, the settings
//! and its number, and never on the worker that has it. Workers take batches in turn, and after each round all say to
//! all what became of theirs; the first batch that decides, in the order of batches, decides for all.
//! Why batches and not walks: beginning a search costs as much as several steps, and states that are met again within a batch are
//! judged once. Rounds grow, so that workers seldom wait for each other.
//! A guided search with a seed is a batch by itself ([`first_seed`]).
//! Invariants: the report is the same for every number of workers, unless a limit on time or memory, or the user, ended it; it counts
//! the batches up to the one that decided and no other. Only the first worker reports: it repeats the batch whose runs it tells, since actions
//! have a meaning only where they were found.
//! Not here: states known to all workers. A state that two batches meet is counted twice.

use crate::{Config, Report, Strategy, search};
use foresee_lts::{StoppedBy, System, Verdict, Violation};
use foresee_search::{
    Adding, ClusterError, Exchange, Limits, Meter, NoMeter, Observer, Progress, Silent, Varint,
    put_varint,
};
use foresee_stdx::halt;
use std::time::Duration;

/// Walks of a batch. Part of what a swarm reports: with another number other states are counted twice.
const BATCH: u64 = 32;
/// A worker takes twice as many batches in the next round, if nobody took longer than this for the last: a limit that strikes
/// one worker is heard of by the others at the end of a round.
const ROUND: Duration = Duration::from_millis(100);
/// The limits that end a batch before its walks are done, besides their number.
const LIMITS: [StoppedBy; 3] = [StoppedBy::Time, StoppedBy::Memory, StoppedBy::Interrupt];

/// What became of a swarm.
#[derive(Clone, Debug)]
pub struct SwarmReport {
    /// Of all walks, at the first worker.
    pub report: Report,
    /// Bytes that workers have sent each other.
    pub bytes_exchanged: u64,
}

/// Takes part in a swarm: each worker calls this with the same system and settings.
///
/// ```
/// use foresee_lts::{Verdict, toy::Counters};
/// use foresee_search::{Limits, LocalExchange, NoMeter, Silent};
/// use foresee_stateful::{Config, Strategy, walk_in_swarm};
/// let system = Counters::new(3, 2);
/// let limits = Limits { interleavings_max: Some(100), ..Limits::none() };
/// let config = Config { strategy: Strategy::Random, limits, ..Config::default() };
/// let mut alone = LocalExchange::group(1).remove(0);
/// let found = walk_in_swarm(&system, &config, &mut alone, &NoMeter, &mut Silent).unwrap();
/// assert_eq!((found.report.walks, found.report.depth), (100, 6));
/// assert!(matches!(found.report.verdict, Verdict::Inconclusive(_)));
/// ```
///
/// # Errors
/// When a worker is lost or gives up.
pub fn walk_in_swarm(
    system: &dyn System,
    config: &Config,
    exchange: &mut dyn Exchange,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Result<SwarmReport, ClusterError> {
    assert_eq!(config.strategy, Strategy::Random, "a swarm walks");
    let _watching = halt::watch(meter.probe());
    let swarm = Swarm { system, config, meter, start: meter.elapsed() };
    let mut post = Post { exchange, bytes: 0 };
    let n_walks = config.limits.interleavings_max.unwrap_or(u64::MAX);
    let until = Until { n_batches: n_walks.div_ceil(BATCH), states_max: config.limits.states_max };
    let total =
        rounds(&mut post, meter, until, &mut |batch, so_far| swarm.walk(batch, so_far, observer))?;
    let bytes_exchanged = post.all_bytes()?;
    let report = match post.exchange.index() {
        0 => swarm.report(total, observer),
        _ => total.into_report(),
    };
    Ok(SwarmReport { report, bytes_exchanged })
}

/// What a guided search with one seed came to.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SeedTried {
    /// It found what the seeds are tried for.
    pub decides: bool,
    /// The limit that cut it short.
    pub stopped_by: Option<StoppedBy>,
}

/// The seeds that were tried.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SeedsTried {
    /// The first that decides, counted from 0.
    pub first: Option<u64>,
    pub stopped_by: Option<StoppedBy>,
    /// Up to the one that decides.
    pub n_tried: u64,
    /// Bytes that workers have sent each other.
    pub bytes_exchanged: u64,
}

/// Takes part in trying seeds 0, 1, … `n_seeds - 1`: each worker calls this, has `attempt` try some of them, and learns the first that
/// decides, which does not depend on the number of workers.
///
/// # Errors
/// When a worker is lost or gives up.
pub fn first_seed(
    exchange: &mut dyn Exchange,
    n_seeds: u64,
    meter: &dyn Meter,
    attempt: &mut dyn FnMut(u64) -> SeedTried,
) -> Result<SeedsTried, ClusterError> {
    let _watching = halt::watch(meter.probe());
    let mut post = Post { exchange, bytes: 0 };
    let until = Until { n_batches: n_seeds, states_max: None };
    let total = rounds(&mut post, meter, until, &mut |seed, _| {
        let SeedTried { decides, stopped_by } = attempt(seed);
        Outcome { decides, stopped_by, walks: 1, ..Outcome::default() }
    })?;
    let (first, stopped_by) = match total.end {
        Some(End::Batch(seed, stopped_by)) => (Some(seed), stopped_by),
        Some(End::Limit(limit)) => (None, Some(limit)),
        None => (None, None),
    };
    let n_tried = total.outcome.walks;
    Ok(SeedsTried { first, stopped_by, n_tried, bytes_exchanged: post.all_bytes()? })
}

/// How far a swarm goes.
#[derive(Clone, Copy, Debug)]
struct Until {
    n_batches: u64,
    states_max: Option<u64>,
}

/// Has all workers work through batches, until one decides or a limit is reached. `work` gets the number of a batch and what was
/// done before.
fn rounds(
    post: &mut Post<'_>,
    meter: &dyn Meter,
    until: Until,
    work: &mut dyn FnMut(u64, &Outcome) -> Outcome,
) -> Result<Total, ClusterError> {
    let (index, workers) = (post.exchange.index() as u64, post.exchange.workers() as u64);
    let mut total = Total::default();
    let mut size = 1;
    while total.end.is_none() {
        let began = meter.elapsed();
        let own = own_round(&total, (index, workers, size), until, work);
        let took = meter.elapsed().saturating_sub(began);
        let (all, longest) = post.gather(&own, took)?;
        total.take(&all, size, until);
        size = if longest < ROUND { size * 2 } else { (size / 2).max(1) };
    }
    Ok(total)
}

/// One worker's batches of a round, from the first on, until one decides or is cut short.
fn own_round(
    total: &Total,
    (index, workers, size): (u64, u64, u64),
    until: Until,
    work: &mut dyn FnMut(u64, &Outcome) -> Outcome,
) -> Vec<Outcome> {
    let mut done = Vec::new();
    let mut so_far = total.outcome.clone();
    for turn in 0..size {
        let batch = total.n_batches + turn * workers + index;
        if batch >= until.n_batches {
            break;
        }
        let outcome = work(batch, &so_far);
        so_far.add(&outcome);
        let is_last = outcome.decides || outcome.stopped_by.is_some();
        done.push(outcome);
        if is_last {
            break;
        }
    }
    done
}

/// What became of one batch, in numbers that mean the same to all workers.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Outcome {
    /// It found something wrong, or has nothing left to look for.
    decides: bool,
    stopped_by: Option<StoppedBy>,
    walks: u64,
    states: u64,
    transitions: u64,
    depth: u64,
    memory: u64,
    /// Properties that were reached, by their places in the settings.
    reached: Vec<u64>,
}

/// Where the swarm stands, the same at all workers.
#[derive(Clone, Debug, Default)]
struct Total {
    n_batches: u64,
    outcome: Outcome,
    /// The batches in which properties were first reached, and the properties.
    reached: Vec<(u64, u64)>,
    end: Option<End>,
}

/// Why it is over.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum End {
    /// This batch decides; a limit may have struck as well.
    Batch(u64, Option<StoppedBy>),
    Limit(StoppedBy),
}

struct Swarm<'s> {
    system: &'s dyn System,
    config: &'s Config,
    meter: &'s dyn Meter,
    start: Duration,
}

impl Swarm<'_> {
    /// Takes the walks of a batch.
    fn walk(&self, batch: u64, so_far: &Outcome, observer: &mut dyn Observer) -> Outcome {
        let (start, meter) = (self.start, self.meter);
        let so_far = Progress {
            states: so_far.states,
            transitions: so_far.transitions,
            depth: so_far.depth as u32,
            walks: so_far.walks,
            ..Progress::default()
        };
        let mut progress = Adding { so_far, start, meter, to: observer };
        let report = search(self.system, &self.settings(batch), meter, &mut progress);
        self.outcome(&report)
    }

    /// The search that a batch is.
    fn settings(&self, batch: u64) -> Config {
        let first_walk = batch * BATCH;
        let n_walks = self.config.limits.interleavings_max.unwrap_or(u64::MAX);
        let spent = self.meter.elapsed().saturating_sub(self.start);
        let limits = Limits {
            interleavings_max: Some((n_walks - first_walk).min(BATCH)),
            time_max: self.config.limits.time_max.map(|max| max.saturating_sub(spent)),
            // Of all batches, which no worker knows before the end of a round.
            states_max: None,
            ..self.config.limits.clone()
        };
        Config { first_walk, limits, threads: 1, ..self.config.clone() }
    }

    fn outcome(&self, report: &Report) -> Outcome {
        let place = |name: &str| {
            let names = self.config.properties.iter().map(|property| property.name());
            names.into_iter().position(|own| own == name).map(|at| at as u64)
        };
        Outcome {
            decides: !matches!(report.verdict, Verdict::Inconclusive(_)),
            stopped_by: report.stopped_by.filter(|limit| LIMITS.contains(limit)),
            walks: report.walks,
            states: report.states,
            transitions: report.transitions,
            depth: u64::from(report.depth),
            memory: report.memory_bytes,
            reached: report.reached.iter().filter_map(|(name, _)| place(name)).collect(),
        }
    }

    /// What the first worker tells: figures of all, and runs of batches that it repeats.
    fn report(&self, total: Total, observer: &mut dyn Observer) -> Report {
        let _undisturbed = halt::undisturbed();
        let (end, reached) = (total.end, total.reached.clone());
        let mut report = total.into_report();
        let again = |batch: u64| {
            let mut config = self.settings(batch);
            (config.limits.time_max, config.limits.memory_max) = (None, None);
            search(self.system, &config, &NoMeter, &mut Silent)
        };
        for (batch, place) in reached {
            let name = self.config.properties[place as usize].name();
            report.reached.extend(again(batch).reached.into_iter().find(|it| it.0 == name));
        }
        if let Some(End::Batch(batch, stopped_by)) = end {
            let decided = again(batch);
            report.verdict = decided.verdict;
            report.stopped_by = stopped_by;
            report.violations = decided.violations;
            report.goal = decided.goal;
            report.goals = decided.goals;
            report.warnings = decided.warnings;
            report.broken_property = decided.broken_property;
            report
                .violations
                .iter()
                .for_each(|violation: &Violation| observer.violation(violation));
        }
        report
    }
}

impl Outcome {
    fn add(&mut self, other: &Outcome) {
        self.walks += other.walks;
        self.states += other.states;
        self.transitions += other.transitions;
        self.depth = self.depth.max(other.depth);
        self.memory = self.memory.max(other.memory);
    }

    fn put(&self, out: &mut Vec<u8>) {
        let limit = |limit| LIMITS.iter().position(|it| *it == limit).unwrap_or(0) as u64 + 1;
        let fixed = [
            u64::from(self.decides),
            self.stopped_by.map_or(0, limit),
            self.walks,
            self.states,
            self.transitions,
            self.depth,
            self.memory,
            self.reached.len() as u64,
        ];
        fixed.iter().chain(&self.reached).for_each(|number| put_varint(out, *number));
    }

    fn take(bytes: &[u8], at: &mut usize) -> Option<Outcome> {
        let mut number = || Varint::take(bytes, at);
        let (decides, limit) = (number()? != 0, number()?);
        let (walks, states, transitions) = (number()?, number()?, number()?);
        let (depth, memory, n_reached) = (number()?, number()?, number()?);
        let reached: Option<Vec<u64>> = (0..n_reached).map(|_| number()).collect();
        let stopped_by = (limit as usize).checked_sub(1).and_then(|at| LIMITS.get(at)).copied();
        Some(Outcome {
            decides,
            stopped_by,
            walks,
            states,
            transitions,
            depth,
            memory,
            reached: reached?,
        })
    }
}

impl Total {
    /// Takes in a round, by worker; batches in the order of their numbers, up to the one that decides.
    fn take(&mut self, all: &[Vec<Outcome>], size: u64, until: Until) {
        let workers = all.len() as u64;
        let first = self.n_batches;
        self.n_batches += size * workers;
        let mut cut = None;
        for place in 0..size * workers {
            let (turn, worker) = (place / workers, place % workers);
            let Some(outcome) = all[worker as usize].get(turn as usize) else { continue };
            let batch = first + place;
            self.outcome.add(outcome);
            for property in &outcome.reached {
                if !self.reached.iter().any(|it| it.1 == *property) {
                    self.reached.push((batch, *property));
                }
            }
            cut = cut.or(outcome.stopped_by);
            if outcome.decides {
                self.end = Some(End::Batch(batch, cut));
                return;
            }
            if until.states_max.is_some_and(|max| self.outcome.states >= max) {
                self.end = Some(End::Limit(StoppedBy::States));
                return;
            }
        }
        let is_done = self.n_batches >= until.n_batches;
        let limit = cut.or(is_done.then_some(StoppedBy::Interleavings));
        self.end = limit.map(End::Limit);
    }

    fn into_report(self) -> Report {
        let stopped_by = match self.end {
            Some(End::Limit(limit) | End::Batch(_, Some(limit))) => limit,
            _ => StoppedBy::Interleavings,
        };
        Report {
            verdict: Verdict::Inconclusive(stopped_by),
            stopped_by: Some(stopped_by),
            states: self.outcome.states,
            transitions: self.outcome.transitions,
            depth: self.outcome.depth as u32,
            violations: Vec::new(),
            goal: None,
            goals: Vec::new(),
            reached: Vec::new(),
            walks: self.outcome.walks,
            memory_bytes: self.outcome.memory,
            store_bytes: 0,
            warnings: Vec::new(),
            collision_probability: None,
            at_once: None,
            broken_property: None,
        }
    }
}

/// What workers say to each other.
struct Post<'e> {
    exchange: &'e mut dyn Exchange,
    /// Sent by this worker.
    bytes: u64,
}

impl Post<'_> {
    /// Says to all what became of this worker's batches and how long they took; gives what all have said, by worker, and the
    /// longest time.
    fn gather(
        &mut self,
        own: &[Outcome],
        took: Duration,
    ) -> Result<(Vec<Vec<Outcome>>, Duration), ClusterError> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, took.as_millis() as u64);
        own.iter().for_each(|outcome| outcome.put(&mut bytes));
        let said = self.say(bytes)?;
        let (mut all, mut longest) = (Vec::new(), 0);
        for (worker, bytes) in said.iter().enumerate() {
            let (took, outcomes) = read(bytes).ok_or_else(|| self.garbled(worker))?;
            longest = longest.max(took);
            all.push(outcomes);
        }
        Ok((all, Duration::from_millis(longest)))
    }

    /// The bytes that all workers have sent until now.
    fn all_bytes(&mut self) -> Result<u64, ClusterError> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, self.bytes);
        let said = self.say(bytes)?;
        let numbers = said.iter().map(|bytes| Varint::take(bytes, &mut 0).unwrap_or(0));
        Ok(numbers.sum())
    }

    /// Sends some bytes to all and ends the phase; gives what each has sent, by worker.
    fn say(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, ClusterError> {
        let (index, workers) = (self.exchange.index(), self.exchange.workers());
        let mut said = vec![Vec::new(); workers];
        for worker in (0..workers).filter(|it| *it != index) {
            self.bytes += bytes.len() as u64;
            self.exchange.send(worker, bytes.clone());
        }
        said[index] = bytes;
        loop {
            let arrivals = self.exchange.end_phase()?;
            for parcel in arrivals.parcels {
                said[parcel.from].extend(parcel.bytes);
            }
            if arrivals.is_over {
                return Ok(said);
            }
        }
    }

    fn garbled(&self, worker: usize) -> ClusterError {
        let process = worker / self.exchange.workers_here();
        ClusterError::GaveUp { process, reason: "it sent something unreadable".to_owned() }
    }
}

/// What a worker says at the end of a round: how many milliseconds it took, and what became of its batches.
fn read(bytes: &[u8]) -> Option<(u64, Vec<Outcome>)> {
    let mut at = 0;
    let took = Varint::take(bytes, &mut at)?;
    let mut outcomes = Vec::new();
    while at < bytes.len() {
        outcomes.push(Outcome::take(bytes, &mut at)?);
    }
    Some((took, outcomes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_what_is_heard() {
        let outcome = Outcome {
            decides: true,
            stopped_by: Some(StoppedBy::Interrupt),
            walks: 32,
            states: 1 << 40,
            transitions: 7,
            depth: 1000,
            memory: 0,
            reached: vec![3, 300],
        };
        let mut bytes = Vec::new();
        put_varint(&mut bytes, 250);
        outcome.put(&mut bytes);
        Outcome::default().put(&mut bytes);
        assert_eq!(read(&bytes), Some((250, vec![outcome, Outcome::default()])));
        assert_eq!(read(&bytes[..bytes.len() - 1]), None);
    }
}
