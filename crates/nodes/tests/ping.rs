//! Ping against the published sizes of its state space: every rule of the `Set` network and of timers takes part in them.

mod common;

use common::{count_by_explorer, labels, ping_world, run, sizes};
use foresee_lts::{System, Telling};

#[test]
fn one_client_has_120_states() {
    assert_eq!(sizes(&ping_world(1, 10)), (120, 1595));
}

#[test]
fn two_clients_have_14640_states() {
    assert_eq!(count_by_explorer(&ping_world(2, 10)), (14_640, 436_590));
}

#[test]
fn a_handler_runs_once_per_component_and_event() {
    let world = ping_world(2, 10);
    let before = world.handler_calls();
    count_by_explorer(&world);
    let calls = world.handler_calls() - before;
    assert!(calls < 3_000, "{calls} calls for 436590 transitions");
    count_by_explorer(&world);
    assert_eq!(world.handler_calls() - before, calls, "everything is remembered");
}

#[test]
fn labels_name_what_happens() {
    let world = ping_world(1, 2);
    let start = world.initial().remove(0);
    assert_eq!(labels(&world, &start), ["deliver client1 -> server Ping(1)", "timer client1 1"]);
    let end =
        run(&world, &["deliver client1 -> server Ping(1)", "deliver server -> client1 Pong(1)"]);
    assert_eq!(
        world.describe(&end).members[1].state.one_line(),
        "PingClient { server: server, n_pings: 2, current: 2 }"
    );
    assert_eq!(world.describe(&end).members[1].timers.len(), 2, "old timers stay pending");
}
