//! Partial-order reduction: steps that nothing else can get in the way of are taken at once.
//! A step is *local* if no event of another thread, now or later, touches what it touches in a way that races with it
//! (`foresee_lts::Footprint`), no receive tells its messages from those of others or gives up waiting for them, and it changes nothing
//! that a property reads. Whether such a step comes before or after the others makes no difference, so from each state local steps
//! are taken, one after the other, until there are none; only the last state is stored, and there everything is explored. Nothing is put
//! off for ever: a state that is stored is expanded in full.
//!
//! What other threads will ever touch is not known beforehand. It is learned: by a few random runs, then from every event that is
//! explored. A step is taken to be local as long as nothing learned speaks against it. If something is learned that speaks against
//! a step that was taken so, the search begins anew with what it knows now. Why this is right: call an event that contradicts what was
//! assumed an error. In the system that ends at such errors the assumption is true, so the reduced search finds an error of that kind if
//! there is one; if it finds none, there is none, and the assumption is true of the whole system. That needs what the engine of
//! interleavings needs, too: the exact reading ([`foresee_lts::Reading`]), in which an event that takes another away leaves one that
//! touches the same. docs/decisions/0133 has the argument in full.
//! Paper: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (1996); a local step is a persistent set of one.
//! Kept: faults of components, deadlocks, invariants that say what they read. Not kept: lengths of runs, numbers of states and
//! transitions, what can be reached.
//! Reading order: this file, `learned`, `mailboxes`, `steps`.

mod learned;
mod mailboxes;
mod steps;

pub(crate) use learned::Learned;
pub(crate) use steps::{Collapse, Collapsed};

use crate::engine::{Engine, Stop};
use crate::{Config, Report, Strategy};
use foresee_lts::{Interleaved, PropertyKind, Reads, State, System};
use foresee_search::{Meter, Observer};
use foresee_stdx::{Random, halt};
use learned::Event;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Random runs from which is learned who touches what, and how long each is.
const N_RUNS: u64 = 16;
const N_STEPS: usize = 400;
/// A search that has begun anew so often goes on without reduction.
const ATTEMPTS_MAX: u32 = 64;

/// What a reduced search shares with those who take its steps.
#[derive(Default)]
pub(crate) struct Shared {
    learned: Mutex<Learned>,
    /// The slots that properties read, sorted.
    visible: Vec<usize>,
    /// Steps that were taken at once, and those of the states that are being expanded.
    n_taken: AtomicU64,
    n_new: AtomicU64,
    /// Events of searches that turned out void.
    n_in_vain: AtomicU64,
}

impl Shared {
    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something speaks against a step that was taken at once.
    pub(crate) fn is_void(&self) -> bool {
        self.learned().is_void()
    }

    /// Events that were explored beside the transitions between states that are stored.
    pub(crate) fn n_events(&self) -> u64 {
        self.n_in_vain.load(Relaxed) + self.n_taken()
    }

    /// States are about to be expanded, perhaps for the second time because something did not fit.
    pub(crate) fn begin(&self) {
        self.n_new.store(0, Relaxed);
    }

    /// They were expanded.
    pub(crate) fn end(&self) {
        self.n_taken.fetch_add(self.n_new.load(Relaxed), Relaxed);
    }

    /// How many steps were taken at once.
    pub(crate) fn n_taken(&self) -> u64 {
        self.n_taken.load(Relaxed)
    }

    /// Bytes of what was learned.
    pub(crate) fn bytes(&self) -> usize {
        self.learned().bytes()
    }
}

/// Why a search of this kind does not take local steps at once; `None` if it does.
pub fn why_no_por(system: &dyn System, config: &Config) -> Option<&'static str> {
    let asks_to_reach = config.properties.iter().any(|it| it.kind == PropertyKind::Reachable)
        || !config.goals.is_empty();
    if system.interleaving().is_none() {
        Some("nothing is known of what its events touch")
    } else if asks_to_reach {
        Some("whether a state can be reached is asked, also of states on the way")
    } else if visible_slots(config).is_none() {
        Some("a property does not say which nodes it looks at, so every step may matter to it")
    } else if config.symmetry {
        Some("names are exchanged as well")
    } else if config.limits.depth_max.is_some() {
        Some(
            "steps that are taken at once are not counted one by one, and --depth-max counts steps",
        )
    } else if config.allow.is_some() {
        Some("some of its events are left out")
    } else if matches!(config.strategy, Strategy::Random | Strategy::BestFirst) {
        Some("the strategy does not explore all states")
    } else {
        None
    }
}

/// The slots that properties and prunes read; `None` if one of them may read anything.
fn visible_slots(config: &Config) -> Option<Vec<usize>> {
    let asked = config.properties.iter().map(|it| &it.predicate).chain(&config.prunes);
    let all = asked.fold(Reads::slots([]), |all, it| all.union(it.reads()));
    match all {
        Reads::Slots(slots) => Some(slots),
        Reads::All => None,
    }
}

/// A search in which local steps are taken at once; `None` if it is to go without.
pub(crate) fn search(
    system: &dyn System,
    config: &Config,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> Option<Report> {
    if !config.por || why_no_por(system, config).is_some() {
        return None;
    }
    let threads = system.interleaving()?;
    let visible = visible_slots(config)?;
    let config = Config { por: false, threads: 1, ..config.clone() };
    let learned = halt::until_halted(|| of_runs(system, threads, config.seed));
    // A limit strikes again in the search itself, which tells of it.
    let learned = Mutex::new(learned.unwrap_or_default());
    let shared = Arc::new(Shared { learned, visible, ..Shared::default() });
    for _ in 0..ATTEMPTS_MAX {
        let mut engine = Engine::new(system, &config, meter, observer);
        engine.expander.collapse(Collapse::new(system, &shared)?);
        engine.shared = Some(Arc::clone(&shared));
        crate::run(&mut engine);
        let is_void = shared.is_void();
        // What was found is real whatever was assumed, and a limit is a limit.
        let is_open = matches!(engine.stop, None | Some(Stop::Void));
        if !(is_void && is_open && engine.findings.violations.is_empty()) {
            return Some(engine.into_report());
        }
        shared.learned().begin_anew();
        shared.n_in_vain.fetch_add(engine.transitions + shared.n_taken(), Relaxed);
        shared.n_taken.store(0, Relaxed);
    }
    None
}

/// What some random runs show.
fn of_runs(system: &dyn System, threads: &dyn Interleaved, seed: u64) -> Learned {
    let mut learned = Learned::default();
    let mut random = Random::new(seed);
    let (mut enabled, mut next) = (Vec::new(), State::new());
    for _ in 0..N_RUNS {
        let starts = system.initial();
        let mut state = starts[random.below(starts.len() as u64) as usize].clone();
        for _ in 0..N_STEPS {
            enabled.clear();
            threads.enabled_threads(&state, &mut enabled);
            if enabled.is_empty() || system.fault(&state).is_some() {
                break;
            }
            let (action, thread) = enabled[random.below(enabled.len() as u64) as usize];
            let happened = threads.happen(&state, action, &mut next);
            let event = Event { state: &state, action, thread, happened: &happened };
            learned.learn(threads, &event);
            std::mem::swap(&mut state, &mut next);
        }
    }
    learned
}
