//! Programs whose numbers are known from papers or by arithmetic.

mod lab;

use foresee_search::{NoMeter, Silent};
use foresee_stateless::{Config, Dpor, Report, explore};
use lab::{Lab, programs};

fn run(lab: &Lab, dpor: Dpor) -> Report {
    let config = Config { dpor, ..Config::default() };
    explore(lab, &config, &NoMeter, &mut Silent)
}

fn optimal(lab: &Lab) -> u64 {
    let report = run(lab, Dpor::Optimal);
    assert_eq!(report.sleep_set_blocked, 0);
    assert_eq!(report.planned, 0);
    report.interleavings
}

#[test]
fn senders_to_one_receiver() {
    for n in 3..=7 {
        assert_eq!(optimal(&programs::senders(n)), (1..=n as u64).product(), "{n} senders");
    }
}

#[test]
fn senders_received_one_by_one() {
    for n in 3..=7 {
        assert_eq!(optimal(&programs::selective(n)), 1, "{n} senders");
    }
}

#[test]
fn clients_of_one_server() {
    for n in 2..=6 {
        assert_eq!(optimal(&programs::clients(n)), (1..=n as u64).product(), "{n} clients");
    }
}

#[test]
fn clients_that_give_up() {
    for n in 1..=4 {
        let n_traces = (1..=n as u64).product::<u64>() * 2u64.pow(n as u32);
        assert_eq!(optimal(&programs::impatient_clients(n)), n_traces, "{n} clients");
    }
}

#[test]
fn readers_of_one_cell() {
    for n in 1..=12 {
        assert_eq!(optimal(&programs::readers(n)), 1 << n, "{n} readers");
    }
}

#[test]
fn the_last_zero() {
    for n in 2..=8 {
        assert_eq!(optimal(&programs::last_zero(n)), (n as u64 + 3) << (n - 2), "{n} cells");
    }
    assert_eq!(optimal(&programs::last_zero(8)), 704);
    let source = run(&programs::last_zero(8), Dpor::Source);
    assert_eq!((source.interleavings, source.sleep_set_blocked), (1349, 645));
}
