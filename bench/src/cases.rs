//! What is measured: each case is one system of ours, the same system of the peer, and the number of states of both.

use crate::Counts;
use crate::peer::{self, Search};
use foresee_lts::Verdict;
use foresee_nodes::BuildOptions;
use foresee_search::{NoMeter, Silent};
use foresee_stateful::{Config, Strategy, search};

pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The system and its parameters, as typed after `foresee check`.
    words: &'static [&'static str],
    pub(crate) search: Search,
    pub(crate) unique: u64,
    pub(crate) ours: fn(&Case) -> Counts,
    pub(crate) theirs: fn(&Case) -> Counts,
}

pub(crate) const CASES: &[Case] = &[
    Case {
        name: "2pc-8",
        words: &["two-phase-commit", "rms=8"],
        search: Search::BreadthFirst,
        unique: 1_745_408,
        ours,
        theirs: |case| {
            peer::explore(peer::two_phase_commit::TwoPhaseCommit { rms: 8 }, case.search)
        },
    },
    Case {
        name: "paxos-3",
        words: &["paxos", "clients=3"],
        search: Search::BreadthFirst,
        unique: 1_194_428,
        ours,
        theirs: |case| peer::explore(peer::paxos::model(3), case.search),
    },
    Case {
        name: "paxos-3-opaque",
        words: &["paxos", "clients=3", "properties=opaque"],
        search: Search::BreadthFirst,
        unique: 1_194_428,
        ours,
        theirs: |case| peer::explore(peer::paxos::model(3), case.search),
    },
    Case {
        name: "single-copy-register-4",
        words: &["single-copy-register", "servers=1", "clients=4"],
        search: Search::DepthFirst,
        unique: 400_233,
        ours,
        theirs: |case| peer::explore(peer::single_copy_register::model(1, 4), case.search),
    },
];

/// Our side: the built-in system, the same strategy as the peer's, exact states, one thread.
fn ours(case: &Case) -> Counts {
    let strategy = match case.search {
        Search::BreadthFirst => Strategy::BreadthFirst,
        Search::DepthFirst => Strategy::DepthFirst,
    };
    explore(case.words, strategy)
}

fn explore(words: &[&str], strategy: Strategy) -> Counts {
    let entries = foresee_systems::all();
    let entry = entries.iter().find(|entry| entry.name == words[0]).expect("a built-in system");
    let built = entry.build(&words[1..], &BuildOptions::default()).expect("good parameters");
    let system = built.system();
    let config = Config { strategy, ..Config::of(system) };
    let report = search(system, &config, &NoMeter, &mut Silent);
    assert_eq!(report.verdict, Verdict::Holds, "{words:?}");
    Counts {
        unique: report.states,
        transitions: report.transitions,
        store_bytes: Some(report.store_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The small sizes of each case, so that tests notice what only the benchmark would.
    #[test]
    fn both_sides_explore_the_same_states() {
        use peer::{paxos, single_copy_register, two_phase_commit::TwoPhaseCommit};
        let bfs = Search::BreadthFirst;
        for (words, unique, theirs) in [
            (
                &["two-phase-commit", "rms=3"][..],
                288,
                peer::explore(TwoPhaseCommit { rms: 3 }, bfs),
            ),
            (&["two-phase-commit", "rms=5"], 8_832, peer::explore(TwoPhaseCommit { rms: 5 }, bfs)),
            (
                &["single-copy-register", "clients=2"],
                93,
                peer::explore(single_copy_register::model(1, 2), bfs),
            ),
            (
                &["single-copy-register", "clients=3"],
                4_243,
                peer::explore(single_copy_register::model(1, 3), bfs),
            ),
            (&["paxos", "clients=2"], 16_668, peer::explore(paxos::model(2), bfs)),
        ] {
            assert_eq!(theirs.unique, unique, "{words:?}, theirs");
            for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
                assert_eq!(explore(words, strategy).unique, unique, "{words:?} {strategy:?}");
            }
        }
    }
}
