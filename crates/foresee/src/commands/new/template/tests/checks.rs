//! Every order of messages and timers, as tests. One that fails tells the run that went wrong and how to replay it.

use foresee::check_entry;
use {{crate}}::register;

#[test]
fn the_register_looks_like_one_copy() {
    check_entry(&register(), &["replicas=3", "clients=2"]).assert_holds();
}

#[test]
fn even_if_a_replica_crashes_and_comes_back() {
    let check = check_entry(&register(), &["replicas=2", "clients=2"]);
    check.crash("replica1").restarts_max(1).assert_holds();
}

/// Without its second step a read may return less than an earlier one did: the check finds it.
#[test]
fn a_read_must_store_what_it_has_found() {
    check_entry(&register(), &["reads=2", "bug=hasty"]).assert_violated("linearizable");
}

/// Larger than can be explored: some runs of it, each from its seed.
#[test]
fn five_replicas_and_four_clients() {
    check_entry(&register(), &["replicas=5", "clients=4"]).simulate(0..50).assert_holds();
}
