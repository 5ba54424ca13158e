//! Part 2: shards go from group to group while clients work.

use super::scene::{Scene, Setting};
use super::{appends, at, commands, cut, minorities, own_keys};
use crate::Held::{Awaited, Leaving, Served};
use crate::ShardedStore;
use foresee::{Address, Disturbance, Latency};
use foresee_labs::{Ending, Lab, Plan, RunPlan, SearchPlan};
use foresee_stateful::Phase;
use std::time::Duration;

/// Groups come and go, and one shard, the one with the key `log`, goes round.
const MANY_MOVES: &str = "JOIN:1; JOIN:2; MOVE:2:2; MOVE:2:1; JOIN:3; MOVE:2:3; MOVE:2:2; MOVE:2:1; LEAVE:2; MOVE:5:1; MOVE:5:3; MOVE:2:3; JOIN:2; LEAVE:3; LEAVE:1";

pub(super) fn runs<S: ShardedStore>(lab: Lab, solution: &S) -> Lab {
    let groups = |n_groups| Setting::new(solution).masters(3).groups(n_groups, 3);
    let within =
        |seconds| RunPlan { wait_max: Some(Duration::from_secs(seconds)), ..RunPlan::default() };
    let crash = |name: &str| at(0, Disturbance::Crash(Address::new(name)));
    lab.with(
        2,
        "one group, one client, few messages",
        5,
        Plan::Run(
            groups(1).operator("JOIN:1").clients(1, own_keys(20)).run(),
            RunPlan { messages_max: Some(40), ..within(2) },
        ),
    )
    .with(
        2,
        "a group joins and one leaves",
        5,
        Plan::Run(
            groups(2).operator("JOIN:1; JOIN:2; LEAVE:1").every(400).clients(3, own_keys(15)).run(),
            within(2),
        ),
    )
    .with(
        2,
        "a shard goes round while clients append to a key in it",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).every(100).clients(3, appends(25)).run(),
            RunPlan { runs: 2, ..within(3) },
        ),
    )
    .with(
        2,
        "groups come and go every tenth of a second",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).every(100).clients(4, own_keys(20)).run(),
            RunPlan { messages_max: Some(80), ..within(3) },
        ),
    )
    .with(
        2,
        "the operator does not wait at all",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).clients(3, own_keys(10)).run(),
            RunPlan { runs: 2, ..within(4) },
        ),
    )
    .with(
        2,
        "majorities are enough",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).every(100).clients(3, own_keys(10)).run(),
            RunPlan {
                schedule: vec![
                    crash("master1"),
                    crash("server1-1"),
                    crash("server2-2"),
                    crash("server3-3"),
                ],
                ..within(4)
            },
        ),
    )
    .with(
        2,
        "without a majority of the group that has the key, nobody is told anything",
        5,
        Plan::Run(
            groups(1).operator("JOIN:1").clients(2, appends(1)).nothing_told().run(),
            RunPlan {
                schedule: vec![cut(0, &["server1-1", "server1-2"])],
                time_max: Duration::from_secs(5),
                ending: Ending::TimeUp { results_min: 0 },
                ..RunPlan::default()
            },
        ),
    )
    .with(
        2,
        "a minority of every group is cut off, then another, while shards move",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).every(150).clients(4, own_keys(20)).run(),
            RunPlan { schedule: minorities(10, 400), ..within(5) },
        ),
    )
    .with(
        2,
        "a shard that has left is forgotten",
        10,
        Plan::Run(
            groups(2)
                .operator("JOIN:1; QUERY; JOIN:2; LEAVE:1")
                .every(2_000)
                .clients(2, large_values())
                .small(1, 15_000)
                .run(),
            RunPlan {
                time_max: Duration::from_secs(20),
                ending: Ending::TimeUp { results_min: 20 },
                ..RunPlan::default()
            },
        ),
    )
}

/// 60,000 bytes under a few keys of each client.
fn large_values() -> super::Commands {
    commands(&format!("PUT:%a-%i:{}", "x".repeat(3_000)), "OK").repeat(20)
}

pub(super) fn unreliable<S: ShardedStore>(lab: Lab, solution: &S) -> Lab {
    let groups = |n_groups| Setting::new(solution).masters(3).groups(n_groups, 3);
    let slow =
        Latency::LongTail { min: Duration::from_millis(1), typical: Duration::from_millis(10) };
    lab.with(
        2,
        "a group joins and one leaves, messages lost",
        5,
        Plan::Run(
            groups(2).operator("JOIN:1; JOIN:2; LEAVE:1").every(400).clients(3, own_keys(10)).run(),
            RunPlan::unreliable(0.3),
        ),
    )
    .with(
        2,
        "groups come and go, messages lost",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).every(100).clients(4, own_keys(10)).run(),
            RunPlan::unreliable(0.2),
        ),
    )
    .with(
        2,
        "a shard goes round while clients append, messages lost and late",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).every(100).clients(3, appends(15)).run(),
            RunPlan { latency: slow, runs: 5, ..RunPlan::unreliable(0.2) },
        ),
    )
    .with(
        2,
        "minorities are cut off, shards move, messages lost",
        10,
        Plan::Run(
            groups(3).operator(MANY_MOVES).every(150).clients(3, appends(15)).run(),
            RunPlan { schedule: minorities(10, 400), ..RunPlan::unreliable(0.1) },
        ),
    )
    .with(
        2,
        "groups of one server, which have nobody to fall back on, messages lost",
        5,
        Plan::Run(
            groups(3).groups(3, 1).operator(MANY_MOVES).every(50).clients(3, appends(15)).run(),
            RunPlan { runs: 10, ..RunPlan::unreliable(0.3) },
        ),
    )
}

pub(super) fn searches<S: ShardedStore>(lab: Lab, solution: &S) -> Lab {
    let world = || Setting::new(solution).groups(2, 1).shards(1);
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    let guided = |set_up| Plan::Search(set_up, SearchPlan::Guided);
    let there = "JOIN:1; JOIN:2; MOVE:0:2";
    let and_back = "JOIN:1; JOIN:2; MOVE:0:2; MOVE:0:1";
    let lab = lab
        .with(
            2,
            "one group, two clients, in every order of messages",
            10,
            Plan::Search(
                world().groups(1, 1).operator("JOIN:1").clients(2, appends(2)).without_timers(),
                exhaust(200_000),
            ),
        )
        .with(
            2,
            "a shard moves while a client appends, in every order of messages",
            10,
            Plan::Search(
                world().operator(there).clients(1, appends(2)).without_timers(),
                exhaust(300_000),
            ),
        )
        .with(
            2,
            "a shard moves while two clients append, in every order of messages",
            15,
            Plan::Search(
                world().operator(there).clients(2, appends(1)).without_timers(),
                exhaust(2_000_000),
            ),
        )
        .with(
            2,
            "two shards, two groups join and one leaves, in every order of messages",
            10,
            Plan::Search(
                world()
                    .shards(2)
                    .operator("JOIN:1; JOIN:2; LEAVE:1")
                    .clients(1, commands("PUT:b:1; GET:b", "OK; VALUE:1"))
                    .without_timers(),
                exhaust(2_000_000),
            ),
        )
        .with(
            2,
            "a shard moves: from every state everybody can still finish",
            10,
            Plan::Search(
                world().operator(there).clients(1, appends(1)).without_timers(),
                SearchPlan::AlwaysPossible { states_max: 100_000 },
            ),
        );
    lab.with(
        2,
        "whatever is lost, a shard that goes there and back can still arrive",
        10,
        guided(world().operator(and_back).every(1).clients(1, appends(1)).losing(1).guided(lost)),
    )
    .with(
        2,
        "a shard that goes on before it has come",
        10,
        guided(
            world()
                .groups(3, 1)
                .operator("JOIN:1; JOIN:2; JOIN:3; MOVE:0:2; MOVE:0:3")
                .every(1)
                .clients(1, commands("PUT:k:1; GET:k", "OK; VALUE:1"))
                .guided(goes_on),
        ),
    )
    .with(
        2,
        "the leader of the old owner fails when the shard is to leave",
        15,
        guided(
            world()
                .groups(2, 3)
                .operator(there)
                .every(1)
                .clients(1, commands("PUT:k:1", "OK"))
                .clients(1, commands("GET:k", ""))
                .guided(old_leader_fails),
        ),
    )
    .with(
        2,
        "the leader of the new owner fails when the shard has come and has changed",
        15,
        guided(
            world()
                .groups(2, 3)
                .operator(there)
                .every(1)
                .clients(1, commands("PUT:k:1; APPEND:k:2", "OK; APPENDED:12"))
                .clients(1, commands("GET:k", "VALUE:12"))
                .guided(new_leader_fails),
        ),
    )
    .with(
        2,
        "two of a group of three, as far as it goes",
        10,
        Plan::Search(
            world().groups(1, 3).operator("JOIN:1").clients(1, appends(1)).searched_within(
                |scene| scene.timers_of(&[scene.server(1, 1)]).nodes_off([scene.server(1, 3)]),
            ),
            SearchPlan::Explore { states_max: 300_000 },
        ),
    )
    .with(
        2,
        "random walks, groups of one",
        10,
        Plan::Search(
            world().shards(2).operator("JOIN:1; JOIN:2; LEAVE:1").clients(2, appends(2)).searched(),
            SearchPlan::Walks { walks: 700, depth_max: 150 },
        ),
    )
    .with(
        2,
        "random walks, groups of three",
        10,
        Plan::Search(
            world().groups(2, 3).operator(there).clients(2, appends(1)).searched(),
            SearchPlan::Walks { walks: 400, depth_max: 300 },
        ),
    )
    .with(
        2,
        "handlers are functions of the state and the event",
        5,
        Plan::Search(
            world()
                .shards(4)
                .operator("JOIN:1; JOIN:2")
                .clients(1, appends(1))
                .checked()
                .without_timers(),
            exhaust(300_000),
        ),
    )
}

/// The shard is moved and moved back; at each step one message in all may be lost.
fn lost<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let all = || scene.timers_of(&scene.world.addresses());
    let still = || scene.timers_of(&scene.all_servers());
    vec![
        scene.phase("group 1 has the shard", all()).goal(scene.held(1, 1, 0, Served)),
        scene.phase("the shard leaves", all()).goal(scene.held(1, 1, 0, Leaving)),
        scene
            .phase("it has come", still())
            .goal(scene.held(2, 1, 0, Served).and(scene.held(1, 1, 0, Leaving))),
        scene
            .phase("it leaves again", all())
            .goal(scene.held(2, 1, 0, Leaving).and(scene.held(1, 1, 0, Leaving))),
        scene.phase("it is back", still()).goal(scene.held(1, 1, 0, Served)),
        scene.phase("everybody finishes", all()).goal(scene.all_told()),
    ]
}

/// Group 2 hears of the second move before the shard has come.
fn goes_on<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, s2, s3] = [1, 2, 3].map(|group| scene.server(group, 1));
    let operator = [scene.operator()];
    let masters = scene.masters();
    let all = || scene.timers_of(&[]);
    let apart = || all().link_off(s1, s2).link_off(s1, s3);
    let operates = || scene.only(&[masters, &operator], &operator);
    let hears = |server: Address| scene.only(&[masters, &[server]], &[]);
    vec![
        scene.phase("three groups join", operates()).goal(scene.operated(3)),
        scene.phase("group 1 has the shard", hears(s1)).goal(scene.at(1, 1, 3)),
        scene
            .phase("client1 has put", scene.only(&[masters, &[s1, scene.client(1)]], &[]))
            .goal(scene.told(1, 1)),
        scene.phase("the shard is moved", operates()).goal(scene.operated(4)),
        scene.phase("it leaves", hears(s1)).goal(scene.held(1, 1, 0, Leaving)),
        scene.phase("group 2 waits for it", hears(s2)).goal(scene.held(2, 1, 0, Awaited)),
        scene.phase("it is moved once more", operates()).goal(scene.operated(5)),
        scene.look_around("it does not arrive", apart(), 50_000),
        scene.look_around("it may arrive", all(), 100_000),
        scene.phase("client1 reads it", all()).goal(scene.all_told()),
    ]
}

/// Server 1-2 is not there yet when the shard is to leave, and then all that is left of group 1 with server 1-3.
fn old_leader_fails<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let operator = [scene.operator()];
    let [s11, s12, s13] = [1, 2, 3].map(|number| scene.server(1, number));
    let s21 = scene.server(2, 1);
    let masters = scene.masters();
    let [client1, client2] = [[scene.client(1)], [scene.client(2)]];
    let two = [s11, s12];
    vec![
        scene
            .phase("both groups join", scene.only(&[masters, &operator], &operator))
            .goal(scene.operated(2)),
        scene
            .phase(
                "server1-1 leads, and group 1 has the shard",
                scene.only(&[masters, &two], &[s11]),
            )
            .goal(scene.held(1, 1, 0, Served).and(scene.held(1, 2, 0, Served))),
        scene
            .phase("client1 has put", scene.only(&[masters, &two, &client1], &[]))
            .goal(scene.told(1, 1)),
        scene
            .phase("server2-1 leads", scene.only(&[masters, scene.group(2)], &[s21]))
            .goal(scene.at(2, 1, 2)),
        scene
            .phase("the shard is moved", scene.only(&[masters, &operator], &operator))
            .goal(scene.operated(3)),
        scene
            .phase(
                "server1-1 is gone, server1-2 takes over",
                scene.only(&[masters, &[s12, s13]], &[s12]),
            )
            .goal(scene.held(1, 2, 0, Leaving)),
        scene
            .phase("group 2 waits for the shard", scene.only(&[masters, scene.group(2)], &[s21]))
            .goal(scene.held(2, 1, 0, Awaited)),
        scene
            .phase("the shard comes", scene.only(&[&[s12, s13], scene.group(2)], &[s12]))
            .goal(scene.held(2, 1, 0, Served)),
        scene
            .phase("client2 reads it", scene.only(&[masters, scene.group(2), &client2], &[]))
            .goal(scene.told(2, 1)),
    ]
}

/// The old owner sends the shard again when it has changed at the new one, whose leader then fails.
fn new_leader_fails<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let operator = [scene.operator()];
    let [s11, s12] = [1, 2].map(|number| scene.server(1, number));
    let [s21, s22, s23] = [1, 2, 3].map(|number| scene.server(2, number));
    let masters = scene.masters();
    let [client1, client2] = [[scene.client(1)], [scene.client(2)]];
    let (one, two) = ([s11, s12], [s21, s22]);
    vec![
        scene
            .phase("both groups join", scene.only(&[masters, &operator], &operator))
            .goal(scene.operated(2)),
        scene
            .phase(
                "server1-1 leads, and group 1 has the shard",
                scene.only(&[masters, &one], &[s11]),
            )
            .goal(scene.held(1, 1, 0, Served)),
        scene
            .phase("client1 has put", scene.only(&[masters, &one, &client1], &[]))
            .goal(scene.told(1, 1)),
        scene
            .phase("the shard is moved", scene.only(&[masters, &operator], &operator))
            .goal(scene.operated(3)),
        scene
            .phase("the shard leaves", scene.only(&[masters, &one], &[s11]))
            .goal(scene.held(1, 1, 0, Leaving)),
        scene
            .phase("server2-1 leads, and waits for it", scene.only(&[masters, &two], &[s21]))
            .goal(scene.held(2, 1, 0, Awaited)),
        scene.phase("it comes", scene.only(&[&[s11], &two], &[])).goal(scene.held(2, 1, 0, Served)),
        scene
            .phase("client1 appends", scene.only(&[masters, &two, &client1], &[]))
            .goal(scene.told(1, 2)),
        scene.look_around(
            "the shard comes again",
            scene.only(&[&[s11], &two, &client2], &[s11]),
            20_000,
        ),
        scene
            .phase("server2-2 has heard of it", scene.only(&[&two], &[s21]))
            .goal(scene.held(2, 2, 0, Served)),
        scene
            .phase(
                "server2-1 is gone, server2-2 leads",
                scene.only(&[masters, &[s11, s22, s23], &client2], &[s22]),
            )
            .goal(scene.told(2, 1)),
    ]
}
