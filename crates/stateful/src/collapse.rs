//! Partial-order reduction: steps that nothing else can get in the way of are taken at once.
//! A step is *local* if no event of another thread, now or later, touches what it touches in a way that races with it
//! (`foresee_lts::Footprint`), and what it sends goes to a mailbox to which nobody else sends and whose owner never gives up waiting. Whether
//! such a step comes before or after the others makes no difference, so from each state local steps are taken, one after the other,
//! until there are none; only the last state is stored, and there everything is explored. Nothing is put off for ever: a state that
//! is stored is expanded in full.
//!
//! What other threads will ever touch is not known beforehand. It is learned: by a few random runs, then from every event that is
//! explored. A step is taken to be local as long as nothing learned speaks against it. If something is learned that speaks against
//! a step that was taken so, the search begins anew with what it knows now. Why this is right: call an event that contradicts what was
//! assumed an error. In the system that ends at such errors the assumption is true, so the reduced search finds an error of that kind if
//! there is one; if it finds none, there is none, and the assumption is true of the whole system.
//! Paper: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (1996); a local step is a persistent set of one.
//! Kept: faults of components and deadlocks. Not kept: what holds in states on the way, lengths of runs, numbers of transitions.

use crate::engine::{Engine, Stop};
use crate::{Config, Report, Strategy};
use foresee_lts::{
    Action, Change, Explorer, Footprint, Interleaved, Mode, Relation, State, Successors, System,
};
use foresee_search::{Meter, Observer};
use foresee_stdx::{Random, halt};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Local steps in a row; a state after so many is stored, so that nothing goes on for ever in between.
const CHAIN_MAX: usize = 256;
/// Random runs from which is learned who touches what, and how long each is.
const N_RUNS: u64 = 16;
const N_STEPS: usize = 400;

/// Why a search of this kind does not take local steps at once; `None` if it does.
pub fn why_no_por(system: &dyn System, config: &Config) -> Option<&'static str> {
    let asks_of_states =
        !(config.properties.is_empty() && config.goals.is_empty() && config.prunes.is_empty());
    if system.interleaving().is_none() {
        Some("nothing is known of what its events touch")
    } else if asks_of_states {
        Some("a property is asked of every state, also of those on the way")
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
    let config = Config { por: false, threads: 1, ..config.clone() };
    let learned = halt::until_halted(|| Learned::of_runs(system, threads, config.seed));
    // A limit strikes again in the search itself, which tells of it.
    let learned = Arc::new(Mutex::new(learned.unwrap_or_default()));
    loop {
        let mut engine = Engine::new(system, &config, meter, observer);
        engine.expander.collapse(Collapse::new(system, &learned)?);
        engine.learned = Some(Arc::clone(&learned));
        crate::run(&mut engine);
        let is_void = learned.lock().unwrap_or_else(PoisonError::into_inner).take_void();
        // What was found is real whatever was assumed, and a limit is a limit.
        let is_open = matches!(engine.stop, None | Some(Stop::Void));
        if !(is_void && is_open && engine.findings.violations.is_empty()) {
            return Some(engine.into_report());
        }
    }
}

/// Whether something speaks against a step that was taken at once.
pub(crate) fn is_void(learned: &Mutex<Learned>) -> bool {
    learned.lock().unwrap_or_else(PoisonError::into_inner).is_void
}

/// Who touches what, as far as is known.
#[derive(Default)]
pub(crate) struct Learned {
    objects: FxHashMap<u64, Vec<(u64, Mode)>>,
    mailboxes: FxHashMap<u64, Mailbox>,
    /// Objects and mailboxes of steps that were taken to be local.
    relied: FxHashSet<u64>,
    relied_mailboxes: FxHashSet<u64>,
    is_void: bool,
}

#[derive(Default)]
struct Mailbox {
    senders: Vec<u64>,
    /// Its owner gives up waiting now and then.
    times_out: bool,
}

impl Learned {
    /// What some random runs show.
    pub(crate) fn of_runs(system: &dyn System, threads: &dyn Interleaved, seed: u64) -> Self {
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
                learned.learn(thread, &happened.footprint);
                std::mem::swap(&mut state, &mut next);
            }
        }
        learned
    }

    /// Whether something speaks against a step that was taken to be local; forgets which steps these were.
    pub(crate) fn take_void(&mut self) -> bool {
        self.relied.clear();
        self.relied_mailboxes.clear();
        std::mem::take(&mut self.is_void)
    }

    fn learn(&mut self, thread: u64, footprint: &Footprint) {
        for access in &footprint.accesses {
            let known = self.objects.entry(access.object).or_default();
            if !known.contains(&(thread, access.mode)) {
                let races = |(other, mode): &(u64, Mode)| {
                    *other != thread && mode.relation(access.mode) == Relation::Race
                };
                self.is_void |= self.relied.contains(&access.object) && known.iter().any(races);
                known.push((thread, access.mode));
            }
        }
        for delivery in &footprint.deliveries {
            let mailbox = self.mailboxes.entry(delivery.mailbox).or_default();
            if !mailbox.senders.contains(&thread) {
                mailbox.senders.push(thread);
                self.is_void |=
                    self.relied_mailboxes.contains(&delivery.mailbox) && mailbox.senders.len() > 1;
            }
        }
        if let Some(receive) = &footprint.receive
            && (receive.may_time_out || receive.message.is_none())
        {
            self.mailboxes.entry(receive.mailbox).or_default().times_out = true;
            self.is_void |= self.relied_mailboxes.contains(&receive.mailbox);
        }
    }

    /// Whether nothing known speaks against taking a step at once; from now on that is relied upon.
    fn takes_at_once(&mut self, thread: u64, footprint: &Footprint) -> bool {
        let gives_up = footprint.receive.is_some_and(|receive| receive.message.is_none());
        let is_alone = |object: u64, mode: Mode| {
            self.objects.get(&object).is_none_or(|known| {
                known
                    .iter()
                    .all(|(other, its)| *other == thread || its.relation(mode) != Relation::Race)
            })
        };
        let is_only_sender = |mailbox: u64| {
            self.mailboxes
                .get(&mailbox)
                .is_none_or(|it| !it.times_out && it.senders.iter().all(|sender| *sender == thread))
        };
        let is_local = !gives_up
            && footprint.accesses.iter().all(|access| is_alone(access.object, access.mode))
            && footprint.deliveries.iter().all(|delivery| is_only_sender(delivery.mailbox));
        if is_local {
            self.relied.extend(footprint.accesses.iter().map(|access| access.object));
            let mailboxes = footprint.deliveries.iter().map(|delivery| delivery.mailbox);
            self.relied_mailboxes.extend(mailboxes);
            self.learn(thread, footprint);
        }
        is_local
    }
}

/// Takes local steps.
pub(crate) struct Collapse<'a> {
    system: &'a dyn System,
    threads: &'a dyn Interleaved,
    learned: Arc<Mutex<Learned>>,
    enabled: Vec<(Action, u64)>,
    next: State,
}

impl<'a> Collapse<'a> {
    /// `None` if nothing is known of threads.
    pub(crate) fn new(system: &'a dyn System, learned: &Arc<Mutex<Learned>>) -> Option<Self> {
        let threads = system.interleaving()?;
        let (enabled, next) = (Vec::new(), State::new());
        Some(Collapse { system, threads, learned: Arc::clone(learned), enabled, next })
    }

    /// Takes local steps from `state` on until there are none; the actions that were taken.
    pub(crate) fn settle(&mut self, state: &mut State) -> Vec<Action> {
        let mut taken = Vec::new();
        while taken.len() < CHAIN_MAX && self.system.fault(state).is_none() {
            let Some(action) = self.local_step(state) else { break };
            taken.push(action);
            std::mem::swap(state, &mut self.next);
        }
        taken
    }

    /// The first local step in `state`, whose result is then `next`.
    fn local_step(&mut self, state: &State) -> Option<Action> {
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.clear();
        self.threads.enabled_threads(state, &mut enabled);
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let local = enabled.iter().find(|(action, thread)| {
            let happened = self.threads.happen(state, *action, &mut self.next);
            learned.takes_at_once(*thread, &happened.footprint)
        });
        let local = local.map(|(action, _)| *action);
        drop(learned);
        self.enabled = enabled;
        local
    }

    fn learn(&self, state: &[u32], action: Action) {
        let (thread, footprint) =
            (self.threads.thread(state, action), self.threads.footprint(state, action));
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        learned.learn(thread, &footprint);
    }
}

/// An explorer of states without local steps.
pub(crate) struct Collapsed<'a> {
    collapse: Collapse<'a>,
    inner: Box<dyn Explorer + 'a>,
    successors: Successors,
}

impl<'a> Collapsed<'a> {
    pub(crate) fn new(collapse: Collapse<'a>, inner: Box<dyn Explorer + 'a>) -> Self {
        Collapsed { collapse, inner, successors: Successors::default() }
    }
}

impl Explorer for Collapsed<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.inner.expand(state, &mut self.successors);
        let system = self.collapse.system;
        for successor in self.successors.iter() {
            self.collapse.learn(state, successor.action);
            let mut next = state.to_vec();
            self.successors.apply(successor, &mut next);
            let mut faulty = successor.faulty;
            if !faulty && !self.collapse.settle(&mut next).is_empty() {
                faulty = system.fault(&next).is_some();
            }
            let mut delta = 0u64;
            let mut changes: Vec<Change> = Vec::new();
            for slot in 0..next.len().max(state.len()) {
                let (before, after) =
                    (state.get(slot).copied(), next.get(slot).copied().unwrap_or(0));
                if before != Some(after) {
                    let hash = |id: u32| system.content_hash(slot, id);
                    delta = delta.wrapping_add(hash(after)).wrapping_sub(before.map_or(0, hash));
                    changes.push(Change { slot: slot as u32, id: after });
                }
            }
            successors.push(successor.action, delta, faulty, &changes);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.inner.memory_bytes()
    }
}
