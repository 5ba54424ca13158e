//! Typed models: the whole state in one slot whose ids grow with the search.

mod common;

use common::{counts, run};
use foresee_lts::typed::{Model, Typed};
use foresee_lts::{Verdict, ViolationKind};
use foresee_search::VisitedKind;
use foresee_stateful::{Config, Strategy};

/// Two jugs of three and five litres; the question is how to have four.
struct Jugs;

#[derive(Clone, Copy, Debug)]
enum Move {
    FillSmall,
    FillLarge,
    EmptySmall,
    EmptyLarge,
    SmallToLarge,
    LargeToSmall,
}

impl Model for Jugs {
    type State = (u8, u8);
    type Action = Move;

    fn initial(&self) -> Vec<(u8, u8)> {
        vec![(0, 0)]
    }

    fn actions(&self, _: &(u8, u8)) -> Vec<Move> {
        use Move::*;
        vec![FillSmall, FillLarge, EmptySmall, EmptyLarge, SmallToLarge, LargeToSmall]
    }

    fn next(&self, &(small, large): &(u8, u8), action: &Move) -> (u8, u8) {
        match action {
            Move::FillSmall => (3, large),
            Move::FillLarge => (small, 5),
            Move::EmptySmall => (0, large),
            Move::EmptyLarge => (small, 0),
            Move::SmallToLarge => {
                let poured = small.min(5 - large);
                (small - poured, large + poured)
            }
            Move::LargeToSmall => {
                let poured = large.min(3 - small);
                (small + poured, large - poured)
            }
        }
    }
}

#[test]
fn sixteen_states_can_be_poured_and_four_litres_take_six_moves() {
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst] {
        for visited in [VisitedKind::Exact, VisitedKind::Fingerprint] {
            let config = Config { strategy, visited, ..Config::default() };
            let report = run(&Typed::new(Jugs), &config);
            assert_eq!((report.states, report.transitions), (16, 96));
        }
    }
    let system = Typed::new(Jugs).invariant("never four", |(_, large)| *large != 4);
    let report = run(&system, &Config::of(&system));
    assert_eq!(report.verdict, Verdict::Violated);
    let violation = &report.violations[0];
    assert_eq!(violation.kind, ViolationKind::Invariant);
    assert_eq!(violation.message, "(3, 4)");
    assert_eq!(violation.path.actions.len(), 6);
}

/// Every number reaches two others: one slot, a hundred thousand ids.
struct Numbers;

impl Model for Numbers {
    type State = u64;
    type Action = u64;

    fn initial(&self) -> Vec<u64> {
        vec![1]
    }

    fn actions(&self, _: &u64) -> Vec<u64> {
        vec![0, 1]
    }

    fn next(&self, n: &u64, bit: &u64) -> u64 {
        (2 * n + bit) % 100_003
    }
}

#[test]
fn ids_of_seventeen_bits_and_results_equal_for_any_number_of_threads() {
    // Multiplication by two permutes the residues of a prime; adding a bit makes everything reachable.
    for threads in [1, 2, 3, 8] {
        let report = run(&Typed::new(Numbers), &Config { threads, ..Config::default() });
        assert_eq!((report.states, report.transitions), (100_003, 200_006));
        assert_eq!(counts(&report), counts(&run(&Typed::new(Numbers), &Config::default())));
        assert!(report.store_bytes / report.states < 32);
    }
}
