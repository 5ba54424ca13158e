//! Test systems whose answers are known by other means: random graphs and a naive search to compare with.
#![allow(dead_code, reason = "each test file uses its own part")]

use foresee_lts::{Action, Claims, Label, Predicate, Reads, State, System, Telling, Verb};
use foresee_search::{NoMeter, Silent};
use foresee_stateful::{Config, Report, search};
use foresee_stdx::Random;
use std::collections::{HashMap, HashSet, VecDeque};

/// A random graph as a system. Its states are slot vectors chosen to be hard on a packed store: later states have more
/// slots and larger ids, so the layout changes again and again during a search.
pub(crate) struct RandomGraph {
    states: Vec<State>,
    numbers: HashMap<State, usize>,
    edges: Vec<Vec<usize>>,
    /// Nodes in which `System::fault` says something.
    pub(crate) faulty: HashSet<usize>,
    n_initial: usize,
}

impl RandomGraph {
    /// A deep graph: levels have a handful of states.
    pub(crate) fn new(seed: u64, n_states: usize) -> Self {
        Self::spread(seed, n_states, 1)
    }

    /// A wide graph: levels grow to hundreds of states, enough for a crew of threads.
    pub(crate) fn wide(seed: u64, n_states: usize) -> Self {
        Self::spread(seed, n_states, 2)
    }

    fn spread(seed: u64, n_states: usize, factor: u64) -> Self {
        let mut random = Random::new(seed);
        let n_slots_max = 1 + random.below(30);
        let degree = 1 + random.below(4);
        let mut states: Vec<State> = Vec::new();
        let mut numbers = HashMap::new();
        let mut n_taken = 0; // small ids run out: take larger ones
        while states.len() < n_states {
            let progress = (states.len() * 32 / n_states) as u64;
            let n_slots = 1 + random.below(1 + n_slots_max * (progress + 1) / 32);
            let bits = (3 + random.below(1 + progress) + n_taken).min(32);
            let state: State = (0..n_slots).map(|_| random.below(1 << bits) as u32).collect();
            if !numbers.contains_key(trimmed(&state)) {
                numbers.insert(trimmed(&state).to_vec(), states.len());
                states.push(state);
            } else {
                n_taken += 1;
            }
        }
        let n = n_states as u64;
        // Mostly forward; sometimes anywhere; loops and dead ends too.
        let mut target = |from: u64| match random.below(8) {
            0 => random.below(n),
            1 => from,
            _ => (factor * from + 1 + random.below(6)) % n,
        };
        let mut edges: Vec<Vec<usize>> = Vec::new();
        for from in 0..n {
            edges.push((0..degree).map(|_| target(from) as usize).collect());
        }
        for edges in &mut edges {
            if random.below(12) == 0 {
                edges.clear();
            }
        }
        let n_initial = 1 + random.below(2) as usize;
        RandomGraph { states, numbers, edges, faulty: HashSet::new(), n_initial }
    }

    pub(crate) fn number(&self, state: &[u32]) -> usize {
        self.numbers[trimmed(state)]
    }

    pub(crate) fn state(&self, number: usize) -> &State {
        &self.states[number]
    }

    /// Holds everywhere but in these nodes; looks at everything.
    pub(crate) fn never(&self, name: &str, nodes: impl IntoIterator<Item = usize>) -> Predicate {
        let bad: HashSet<State> =
            nodes.into_iter().map(|node| trimmed(&self.states[node]).to_vec()).collect();
        Predicate::new(name, Reads::All, move |state, why| {
            why.because(format_args!("{state:?} is forbidden"));
            !bad.contains(trimmed(state))
        })
    }

    /// What a naive breadth-first search finds, never stopping.
    pub(crate) fn naive(
        &self,
        depth_max: Option<u32>,
        is_pruned: impl Fn(&[u32]) -> bool,
    ) -> Naive {
        let mut naive = Naive::default();
        let mut queue = VecDeque::new();
        for node in 0..self.n_initial {
            naive.depths.insert(node, 0);
            queue.push_back(node);
        }
        while let Some(node) = queue.pop_front() {
            let depth = naive.depths[&node];
            naive.depth = naive.depth.max(depth);
            if Some(depth) == depth_max || is_pruned(&self.states[node]) {
                naive.is_cut |= Some(depth) == depth_max && !is_pruned(&self.states[node]);
                continue;
            }
            for &next in &self.edges[node] {
                naive.transitions += 1;
                naive.depths.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    depth + 1
                });
            }
        }
        naive
    }

    pub(crate) fn is_dead_end(&self, node: usize) -> bool {
        self.edges[node].is_empty()
    }
}

/// The result of a naive search.
#[derive(Default)]
pub(crate) struct Naive {
    pub(crate) depths: HashMap<usize, u32>,
    pub(crate) transitions: u64,
    pub(crate) depth: u32,
    pub(crate) is_cut: bool,
}

impl Naive {
    /// The counts that every search must agree with.
    pub(crate) fn counts(&self) -> (u64, u64, u32) {
        (self.depths.len() as u64, self.transitions, self.depth)
    }
}

pub(crate) fn counts(report: &Report) -> (u64, u64, u32) {
    (report.states, report.transitions, report.depth)
}

fn trimmed(state: &[u32]) -> &[u32] {
    let end = state.iter().rposition(|id| *id != 0).map_or(0, |last| last + 1);
    &state[..end]
}

impl System for RandomGraph {
    fn initial(&self) -> Vec<State> {
        self.states[..self.n_initial].to_vec()
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        actions.extend((0..self.edges[self.number(state)].len() as u64).map(Action));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        self.states[self.edges[self.number(state)][action.0 as usize]].clone()
    }

    fn fault(&self, state: &[u32]) -> Option<foresee_lts::Fault> {
        let node = self.number(state);
        self.faulty.contains(&node).then(|| foresee_lts::Fault {
            kind: foresee_lts::FaultKind::Panic,
            message: format!("node {node} panicked"),
        })
    }

    fn claims(&self) -> Option<&dyn Claims> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Claims for RandomGraph {
    fn score(&self, state: &[u32]) -> Option<i64> {
        Some(self.number(state) as i64 % 17)
    }
}

impl Telling for RandomGraph {
    fn label(&self, _state: &[u32], action: Action) -> Label {
        Label::of_actor(Verb::Step, "graph", format!("edge{}", action.0))
    }
}

/// Searches without a clock or a watcher.
pub(crate) fn run(system: &dyn System, config: &Config) -> Report {
    search(system, config, &NoMeter, &mut Silent)
}

/// A meter that steps on by a fixed time whenever it is read, and can interrupt or claim memory.
pub(crate) struct FakeMeter {
    pub(crate) step: std::time::Duration,
    pub(crate) reads: std::sync::atomic::AtomicU32,
    pub(crate) interrupt_after: Option<u32>,
    pub(crate) memory: Option<u64>,
}

impl FakeMeter {
    pub(crate) fn ticking(step: std::time::Duration) -> Self {
        FakeMeter { step, reads: 0.into(), interrupt_after: None, memory: None }
    }
}

impl foresee_search::Meter for FakeMeter {
    fn elapsed(&self) -> std::time::Duration {
        self.step * self.reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.memory
    }

    fn interrupted(&self) -> bool {
        let reads = self.reads.load(std::sync::atomic::Ordering::Relaxed);
        self.interrupt_after.is_some_and(|n| reads > n)
    }
}
