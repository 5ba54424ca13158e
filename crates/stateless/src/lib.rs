//! Stateless model checking: every interleaving that can make a difference, once.
//!
//! Reading order: [`Config`] and [`Report`]; `index.rs`, the types of all numbers; `explore`, the loop, and the three parts of an
//! explorer: `stack`, the run and its states, `known.rs` with `graph.rs`, what need not be asked of the system again, `plan`, what
//! becomes of races. `run.rs`, `access_kinds.rs`, `race.rs`, `observer.rs` and `observed.rs`, what depends on what;
//! `sequence.rs`, `initial.rs`, `wakeup_tree.rs` and `sleep_set.rs`, what is pending and what would repeat; `settled.rs`, what was
//! planned before; `bound`, a file for each policy; `engine.rs`, counting and limits; `shared_branches.rs` and `pool.rs`, several workers.
//! Not here: what events touch (front ends, by `Interleaved::footprint`), clocks and output (the edges).
//!
//! What the engine believes of a system: footprints are true, and an event changes only what its footprint says; a thread has
//! at most one action in a state; a thread that another can stop for good while it waits has an event of its own afterwards
//! (its end), without which nothing would tell that it had more to do; mailboxes are empty when a run begins. Where one of
//! these is not so, traces may be missed. Invariants on states are looked at where the configuration says so (`watched.rs`): a trace has
//! more states than its run.

mod access_kinds;
mod bound;
mod clock;
mod config;
mod engine;
mod estimate;
mod explore;
mod findings;
mod graph;
mod index;
mod initial;
mod known;
mod numbers;
mod observed;
mod observer;
mod plan;
mod pool;
mod race;
mod races_of_run;
mod report;
mod run;
mod schedule;
mod sequence;
mod settled;
mod setup;
mod shared_branches;
mod sleep_set;
mod stack;
mod step;
mod wakeup_tree;
mod watched;

#[cfg(test)]
#[path = "../tests/lab/mod.rs"]
mod lab;

pub use bound::{Bound, BoundKind, Choice, Policy, Previous};
pub use config::{Allow, Config, Dpor, Ignore, NonRacing, Party, Scheduling};
pub use races_of_run::{races, races_of};
pub use report::{ErrorInRun, Report, Run, RunEnd};
pub use watched::Watch;

use engine::Engine;
use foresee_lts::System;
use foresee_search::{Meter, Observer};
use foresee_stdx::halt;

/// Explores the interleavings of `system` as `config` says.
///
/// ```
/// use foresee_lts::{Verdict, toy::Counters};
/// use foresee_search::{NoMeter, Silent};
/// use foresee_stateless::{Config, Dpor, explore};
/// // Three counters that never meet: one run stands for all of them. They never end well: nothing is said to be final.
/// let ignore: foresee_stateless::Ignore = std::sync::Arc::new(|_, _| true);
/// let config = Config { ignore: Some(ignore), ..Config::default() };
/// let report = explore(&Counters::new(3, 2), &config, &NoMeter, &mut Silent);
/// assert_eq!((report.verdict, report.interleavings, report.depth), (Verdict::Holds, 1, 6));
/// let every = Config { dpor: Dpor::None, sleep_sets: false, ..config };
/// let report = explore(&Counters::new(3, 2), &every, &NoMeter, &mut Silent);
/// assert_eq!(report.interleavings, 90);
/// ```
pub fn explore(
    system: &dyn System,
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Report {
    if system.interleaving().is_none() {
        return Report::without_threads();
    }
    let mut engine = Engine::new(system, config, meter, observer);
    if let Err(halted) = halt::until_halted(|| engine.explore()) {
        engine.halt(halted);
    }
    engine.into_report()
}
