//! Switches as filters of a search: what is off does not happen, and nothing else is touched.

mod common;

use common::{enabled, labels, ping_world};
use foresee_lts::{State, System, Telling};
use foresee_nodes::{Address, Switches, World};

/// The labels of what the switches leave of the start of ping with two clients.
fn left(world: &World<common::Ping>, state: &State, switches: &Switches) -> Vec<String> {
    let allow = switches.filter(world);
    let actions = enabled(world, state).into_iter();
    let actions = actions.filter(|action| allow(state, *action));
    let mut labels: Vec<_> = actions.map(|action| world.label(state, action).to_string()).collect();
    labels.sort_unstable();
    labels
}

#[test]
fn each_switch_takes_away_what_it_names() {
    let world = ping_world(2, 2);
    let start = world.initial().remove(0);
    let [server, one, two] = ["server", "client1", "client2"].map(Address::new);
    let [ping1, ping2, timer1, timer2] = [
        "deliver client1 -> server Ping(1)",
        "deliver client2 -> server Ping(1)",
        "timer client1 1",
        "timer client2 1",
    ];
    let on = Switches::all_on;
    for (switches, expected) in [
        (on(), vec![ping1, ping2, timer1, timer2]),
        (on().link_off(one, server), vec![ping2, timer1, timer2]),
        (on().link_off(server, one), vec![ping1, ping2, timer1, timer2]),
        (on().senders_off([two]), vec![ping1, timer1, timer2]),
        (on().receivers_off([server]), vec![timer1, timer2]),
        (on().receivers_off([server]).link_on(two, server), vec![ping2, timer1, timer2]),
        (on().timers_off([one]), vec![ping1, ping2, timer2]),
        (on().all_timers_off(), vec![ping1, ping2]),
        (on().network_off(), vec![timer1, timer2]),
        (on().nodes_off([one]), vec![ping2, timer2]),
        (on().partition([vec![server, one], vec![two]]), vec![ping1, timer1, timer2]),
        (on().partition([vec![server, one]]), vec![ping1, timer1, timer2]),
    ] {
        assert_eq!(left(&world, &start, &switches), expected, "{switches:?}");
    }
    assert_eq!(labels(&world, &start).len(), 4, "the world itself is as it was");
}
