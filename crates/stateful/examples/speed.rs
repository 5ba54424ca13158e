//! The engine alone at full speed: two-phase commit straight over slots, with hardly any cost of its own.
//! `cargo run --release -p foresee-stateful --example speed -- [RMS] [bfs|dfs|best|disk|crew] [exact|fingerprint] [THREADS]`
//! `disk` works level by level as on disk, with files in memory; `crew` shares that among so many threads, as processes would.
//! With 8 resource managers: 1,745,408 states, as in the well-known specification (messages form a set).

use foresee_lts::{
    Action, Change, Explorer, Predicate, Property, Reads, State, Successors, System,
};
use foresee_search::{LocalExchange, MemoryDisk, Meter, Silent, VisitedKind};
use foresee_stateful::{Config, OnDisk, Report, Strategy, search, search_in_crew, search_on_disk};
use foresee_stdx::mix;
use std::time::{Duration, Instant};

/// Slots: a state per resource manager; which of them the manager knows prepared (one slot each, 0 or 1); the manager's
/// own state; and what is in flight: one bit per `Prepared` message, one for `Commit`, one for `Abort`.
struct TwoPhaseCommit {
    n: usize,
}

const WORKING: u32 = 0;
const PREPARED: u32 = 1;
const COMMITTED: u32 = 2;
const ABORTED: u32 = 3;

impl TwoPhaseCommit {
    fn manager(&self) -> usize {
        2 * self.n
    }
    fn messages(&self) -> usize {
        2 * self.n + 1
    }
    fn commit(&self) -> u32 {
        1 << self.n
    }
    fn abort(&self) -> u32 {
        2 << self.n
    }

    /// Calls `emit` with the changes of every transition.
    fn transitions(&self, state: &[u32], mut emit: impl FnMut(u64, &[Change])) {
        let n = self.n;
        let (manager, messages) = (state[self.manager()], state[self.messages()]);
        let change = |slot: usize, id: u32| Change { slot: slot as u32, id };
        let sent = |message: u32| change(self.messages(), messages | message);
        if manager == 0 {
            if (0..n).all(|rm| state[n + rm] == 1) {
                emit(0, &[change(self.manager(), 1), sent(self.commit())]);
            }
            emit(1, &[change(self.manager(), 2), sent(self.abort())]);
        }
        for rm in 0..n {
            let action = |kind: u64| 2 + rm as u64 * 8 + kind;
            if manager == 0 && messages & 1 << rm != 0 {
                emit(action(0), effective(state, &[change(n + rm, 1)]));
            }
            if state[rm] == WORKING {
                emit(action(1), &[change(rm, PREPARED), sent(1 << rm)]);
                emit(action(2), &[change(rm, ABORTED)]);
            }
            if messages & self.commit() != 0 {
                emit(action(3), effective(state, &[change(rm, COMMITTED)]));
            }
            if messages & self.abort() != 0 {
                emit(action(4), effective(state, &[change(rm, ABORTED)]));
            }
        }
    }

    fn consistent(&self) -> Predicate {
        let n = self.n;
        Predicate::new("consistent", Reads::slots(0..n), move |state, _| {
            !(state[..n].contains(&ABORTED) && state[..n].contains(&COMMITTED))
        })
    }
}

/// No change at all if the slot has that id already.
fn effective<'c>(state: &[u32], changes: &'c [Change; 1]) -> &'c [Change] {
    if state[changes[0].slot as usize] == changes[0].id { &[] } else { changes }
}

impl System for TwoPhaseCommit {
    fn initial(&self) -> Vec<State> {
        vec![vec![0; 2 * self.n + 2]]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.transitions(state, |action, _| actions.push(Action(action)));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let mut next = state.to_vec();
        self.transitions(state, |offered, changes| {
            if Action(offered) == action {
                changes.iter().for_each(|change| next[change.slot as usize] = change.id);
            }
        });
        next
    }

    fn explorer(&self) -> Box<dyn Explorer + '_> {
        Box::new(Fast(self))
    }

    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        mix((slot as u64) << 32 | u64::from(id))
    }
}

struct Fast<'a>(&'a TwoPhaseCommit);

impl Explorer for Fast<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.0.transitions(state, |action, changes| {
            let delta = changes.iter().fold(0u64, |sum, change| {
                let slot = change.slot as usize;
                let (old, new) = (state[slot], change.id);
                sum.wrapping_add(self.0.content_hash(slot, new))
                    .wrapping_sub(self.0.content_hash(slot, old))
            });
            successors.push(Action(action), delta, false, changes);
        });
    }
}

/// One search by as many workers as there are threads.
fn crew(system: &TwoPhaseCommit, config: &Config, clock: &Clock) -> Report {
    std::thread::scope(|scope| {
        let work = |mut own: LocalExchange| {
            search_in_crew(system, config, &mut own, None, clock, &mut Silent)
        };
        let workers = LocalExchange::group(config.threads).into_iter();
        let workers: Vec<_> = workers.map(|own| scope.spawn(move || work(own))).collect();
        let mut found = workers.into_iter().map(|it| it.join().expect("it works to the end"));
        found.next().expect("there is a worker").expect("nobody is lost").report
    })
}

struct Clock(Instant);

impl Meter for Clock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[expect(clippy::print_stdout, reason = "an example prints its result")]
#[expect(clippy::disallowed_methods, reason = "an example is an edge: it brings the clock")]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, default: &str| args.get(i).map_or(default, String::as_str).to_owned();
    let system = TwoPhaseCommit { n: word(0, "8").parse().expect("a number of managers") };
    let config = Config {
        strategy: match word(1, "bfs").as_str() {
            "dfs" => Strategy::DepthFirst,
            "best" => Strategy::BestFirst,
            _ => Strategy::BreadthFirst,
        },
        visited: match word(2, "exact").as_str() {
            "fingerprint" => VisitedKind::Fingerprint,
            _ => VisitedKind::Exact,
        },
        threads: word(3, "1").parse().expect("a number of threads"),
        properties: vec![Property::invariant(system.consistent())],
        ..Config::default()
    };
    let clock = Clock(Instant::now());
    let report = match word(1, "bfs").as_str() {
        "disk" => {
            let disk = MemoryDisk::default();
            let place = OnDisk {
                disk: &disk,
                resume: false,
                bytes_max: None,
                identity: &[],
                of_worker: None,
            };
            let found = search_on_disk(&system, &config, &place, &clock, &mut Silent);
            found.expect("files in memory").report
        }
        "crew" => crew(&system, &config, &clock),
        _ => search(&system, &config, &clock, &mut Silent),
    };
    let seconds = clock.0.elapsed().as_secs_f64();
    println!(
        "{:?}: {} states, {} transitions, depth {}; {seconds:.3} s, {:.2} M states/s, {:.1} M transitions/s, {:.1} bytes/state",
        report.verdict,
        report.states,
        report.transitions,
        report.depth,
        report.states as f64 / seconds / 1e6,
        report.transitions as f64 / seconds / 1e6,
        report.store_bytes as f64 / report.states as f64,
    );
}
