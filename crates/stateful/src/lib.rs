//! Stateful search: every reachable state once, or as many as the limits allow.
//!
//! Reading order: [`Config`] and [`Report`]; `bfs.rs`, the plainest strategy; `engine.rs`, what all strategies share;
//! `monitor/`, how properties are evaluated rarely; `path.rs` and `findings.rs`, how a run is recovered and checked
//! before it is reported; `ordered.rs` with `dfs.rs` and `best_first.rs`; `walk.rs`, `habit.rs`, `ahead.rs` and `swarm.rs`; `parallel.rs`; `disk/`, breadth-first
//! on disk; `guided/` and `paired.rs`; `quotient.rs` and `local/`, fewer states.
//! Not here: how states are stored (`foresee-search`), what states mean (front ends), clocks and output (the edges).

mod ahead;
mod best_first;
mod bfs;
mod closing;
mod config;
mod dfs;
mod disk;
mod engine;
mod expander;
mod findings;
mod guided;
mod habit;
mod local;
mod monitor;
mod ordered;
mod outcome;
mod paired;
mod parallel;
mod path;
mod quotient;
mod report;
mod start;
mod swarm;
mod walk;

pub use config::{Allow, Config, Score, Strategy};
pub use disk::{
    CrewError, CrewReport, DiskReport, OfWorker, OnDisk, WORKERS_MAX, search_in_crew,
    search_on_disk,
};
pub use foresee_lts::BrokenProperty;
pub use guided::{
    Chooser, Guide, GuideReport, Phase, PhaseFailure, PhaseReport, Step, matches_pattern, run_guide,
};
pub use local::why_no_por;
pub use paired::{PairFailure, PairedReport, paired};
pub use quotient::check_symmetry;
pub use report::Report;
pub use swarm::{SeedTried, SeedsTried, SwarmReport, first_seed, walk_in_swarm};

use engine::Engine;
use foresee_lts::System;
use foresee_search::{Meter, Observer};
use foresee_stdx::halt;

/// Searches `system` as `config` says.
///
/// ```
/// use foresee_lts::{Verdict, toy::Counters};
/// use foresee_search::{NoMeter, Silent};
/// use foresee_stateful::{Config, search};
/// let report = search(&Counters::new(3, 2), &Config::default(), &NoMeter, &mut Silent);
/// assert_eq!(report.verdict, Verdict::Holds);
/// assert_eq!((report.states, report.transitions, report.depth), (27, 54, 6));
/// ```
pub fn search(
    system: &dyn System,
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Report {
    if let Some(reduced) = local::search(system, config, meter, observer) {
        return reduced;
    }
    let mut engine = Engine::new(system, config, meter, observer);
    run(&mut engine);
    engine.into_report()
}

/// Explores until there is nothing left or a reason to stop.
fn run(engine: &mut Engine<'_>) {
    let strategy = engine.config.strategy;
    let searched = halt::until_halted(|| match strategy {
        Strategy::BreadthFirst => bfs::run(engine),
        Strategy::DepthFirst => dfs::run(engine),
        Strategy::BestFirst => best_first::run(engine),
        Strategy::Random => walk::run(engine),
    });
    if let Err(halted) = searched {
        engine.halt(halted);
    }
}
