//! Part 3: commands on keys of several groups.

use super::scene::{Scene, Setting};
use super::{Commands, commands, cut, minorities};
use crate::Held::{Awaited, Leaving, Served};
use crate::ShardedStore;
use foresee::Latency;
use foresee_labs::{Ending, Lab, Plan, RunPlan, SearchPlan};
use foresee_lts::Predicate;
use foresee_stateful::Phase;
use std::time::Duration;

const MOVES: &str = "JOIN:1; JOIN:2; MOVE:7:2; MOVE:7:1; JOIN:3; MOVE:8:3; MOVE:8:2; MOVE:8:1; LEAVE:2; JOIN:2; LEAVE:3; LEAVE:1";

pub(super) fn runs<S: ShardedStore>(lab: Lab, solution: &S) -> Lab {
    let groups = |n_groups| Setting::new(solution).masters(3).groups(n_groups, 3).transactions();
    let within =
        |seconds| RunPlan { wait_max: Some(Duration::from_secs(seconds)), ..RunPlan::default() };
    let slow =
        Latency::LongTail { min: Duration::from_millis(1), typical: Duration::from_millis(10) };
    let lab = lab
        .with(
            3,
            "every kind of command in one group",
            5,
            Plan::Run(groups(1).operator("JOIN:1").clients(1, mixed()).run(), within(2)),
        )
        .with(
            3,
            "every kind of command over two groups",
            5,
            Plan::Run(groups(2).operator("JOIN:1; JOIN:2").clients(1, mixed()).run(), within(2)),
        )
        .with(
            3,
            "a transaction takes few messages",
            5,
            Plan::Run(
                groups(2).operator("JOIN:1; JOIN:2").clients(1, own_pairs(15)).run(),
                RunPlan { messages_max: Some(80), ..within(2) },
            ),
        )
        .with(
            3,
            "a command that needs a group which is cut off waits",
            5,
            Plan::Run(
                groups(2).operator("JOIN:1; JOIN:2").clients(1, wide()).nothing_told().run(),
                RunPlan {
                    schedule: vec![cut(0, &["server2-1", "server2-2", "server2-3"])],
                    time_max: Duration::from_secs(5),
                    ending: Ending::TimeUp { results_min: 0 },
                    ..RunPlan::default()
                },
            ),
        )
        .with(
            3,
            "nobody sees half a write",
            10,
            Plan::Run(
                groups(3)
                    .operator("JOIN:1; JOIN:2; JOIN:3")
                    .clients(2, writes(8))
                    .clients(2, reads(8))
                    .run(),
                RunPlan { runs: 2, ..within(10) },
            ),
        )
        .with(
            3,
            "swaps lose nothing",
            10,
            Plan::Run(
                groups(3).operator("JOIN:1; JOIN:2; JOIN:3").clients(3, swaps(6)).run(),
                RunPlan { runs: 2, ..within(10) },
            ),
        )
        .with(
            3,
            "transactions that want each other's keys",
            10,
            Plan::Run(
                groups(2)
                    .shards(2)
                    .operator("JOIN:1; JOIN:2")
                    .clients(1, commands("MULTIPUT:b:%i:d:%i:e:%i", "OK").repeat(15))
                    .clients(1, commands("MULTIPUT:c:%i:d:%i:e:%i", "OK").repeat(15))
                    .run(),
                RunPlan { runs: 2, ..within(20) },
            ),
        );
    lab.with(
        3,
        "transactions while groups come and go",
        10,
        Plan::Run(
            groups(3)
                .operator(MOVES)
                .every(150)
                .clients(2, writes(7))
                .clients(1, swaps(7))
                .clients(1, reads(7))
                .run(),
            RunPlan { runs: 2, ..within(20) },
        ),
    )
    .with(
        3,
        "nobody sees half a write, messages lost",
        10,
        Plan::Run(
            groups(3)
                .operator("JOIN:1; JOIN:2; JOIN:3")
                .clients(2, writes(8))
                .clients(2, reads(8))
                .run(),
            RunPlan { runs: 2, ..RunPlan::unreliable(0.2) },
        ),
    )
    .with(
        3,
        "transactions while groups come and go, messages lost and late",
        15,
        Plan::Run(
            groups(3)
                .operator(MOVES)
                .every(150)
                .clients(2, writes(6))
                .clients(1, swaps(6))
                .clients(1, reads(6))
                .run(),
            RunPlan { latency: slow, ..RunPlan::unreliable(0.1) },
        ),
    )
    .with(
        3,
        "minorities are cut off, shards move, messages lost",
        15,
        Plan::Run(
            groups(3)
                .operator(MOVES)
                .every(200)
                .clients(1, writes(8))
                .clients(1, swaps(8))
                .clients(1, reads(8))
                .run(),
            RunPlan { schedule: minorities(10, 400), ..RunPlan::unreliable(0.1) },
        ),
    )
    .with(
        3,
        "groups of one server, messages lost",
        5,
        Plan::Run(
            groups(3)
                .groups(3, 1)
                .operator(MOVES)
                .every(100)
                .clients(2, writes(6))
                .clients(1, swaps(6))
                .clients(1, reads(6))
                .run(),
            RunPlan { runs: 3, ..RunPlan::unreliable(0.2) },
        ),
    )
}

fn mixed() -> Commands {
    commands(
        "MULTIPUT:a:1:b:2:c:3; MULTIGET:a:b:c:d; SWAP:a:b; GET:a; APPEND:a:x; SWAP:a:d; MULTIGET:d:a:c; GET:d; MULTIPUT:d:; PUT:a:0; SWAP:a:a; MULTIGET:a:a",
        "OK; VALUES:=1:=2:=3:; OK; VALUE:2; APPENDED:2x; OK; VALUES:=2x::=3; VALUE:2x; OK; OK; OK; VALUES:=0:=0",
    )
}

fn own_pairs(rounds: usize) -> Commands {
    commands(
        "MULTIPUT:a:%i:b:-%i; SWAP:a:b; MULTIGET:a:b; GET:b",
        "OK; OK; VALUES:=-%i:=%i; VALUE:%i",
    )
    .repeat(rounds)
}

/// Keys of every shard.
fn wide() -> Commands {
    commands("MULTIPUT:a:1:b:1:c:1:d:1:e:1:f:1:g:1:h:1:i:1:j:1", "OK")
}

fn writes(rounds: usize) -> Commands {
    commands("MULTIPUT:a:%a.%i:b:%a.%i:c:%a.%i", "OK").repeat(rounds)
}

fn reads(rounds: usize) -> Commands {
    commands("MULTIGET:a:b:c; GET:b", "").repeat(rounds)
}

fn swaps(rounds: usize) -> Commands {
    commands("PUT:%a:%i; SWAP:%a:a; SWAP:a:b; MULTIGET:a:b:%a", "").repeat(rounds)
}

pub(super) fn searches<S: ShardedStore>(lab: Lab, solution: &S) -> Lab {
    let world = || {
        let setting = Setting::new(solution).groups(2, 1).shards(2).transactions();
        setting.operator("JOIN:1; JOIN:2")
    };
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    let guided = |set_up| Plan::Search(set_up, SearchPlan::Guided);
    let both = |results: &str| commands("MULTIGET:b:c", results);
    let put = |value: u32| commands(&format!("MULTIPUT:b:{value}:c:{value}"), "OK");
    let lab = lab
        .with(
            3,
            "one group, a writer and a reader, in every order of messages",
            10,
            Plan::Search(
                world()
                    .groups(1, 1)
                    .operator("JOIN:1")
                    .clients(1, put(1))
                    .clients(1, both(""))
                    .without_timers(),
                exhaust(200_000),
            ),
        )
        .with(
            3,
            "a client writes over two groups, in every order of messages",
            10,
            Plan::Search(world().clients(1, put(1)).without_timers(), exhaust(50_000)),
        )
        .with(
            3,
            "a writer and a reader over two groups",
            10,
            guided(
                world().clients(1, put(1)).clients(1, both("").repeat(2)).guided(settled_then_all),
            ),
        )
        .with(
            3,
            "two writers over two groups, and then a reader",
            10,
            guided(
                world()
                    .clients(1, commands("MULTIPUT:b:1:c:1; MULTIGET:b:c", ""))
                    .clients(1, put(2))
                    .guided(settled_then_all),
            ),
        )
        .with(
            3,
            "a swap and a writer",
            10,
            guided(
                world()
                    .clients(1, commands("SWAP:b:c; MULTIGET:b:c", ""))
                    .clients(1, commands("MULTIPUT:c:1:d:1; PUT:b:2", "OK; OK"))
                    .guided(settled_then_all),
            ),
        )
        .with(
            3,
            "three groups, a writer that reads and another",
            15,
            guided(
                world()
                    .groups(3, 1)
                    .shards(3)
                    .operator("JOIN:1; JOIN:2; JOIN:3")
                    .clients(1, commands("MULTIPUT:c:1:d:1:e:1; MULTIGET:c:d:e", ""))
                    .clients(1, commands("MULTIPUT:d:2:e:2", "OK"))
                    .guided(three_settled),
            ),
        );
    let lab = lab
        .with(
            3,
            "timers do no harm",
            10,
            guided(world().clients(1, put(1)).clients(1, both("")).guided(settled_then_timers)),
        )
        .with(
            3,
            "a group leaves while a client writes",
            15,
            guided(
                world()
                    .operator("JOIN:1; JOIN:2; LEAVE:1")
                    .every(1)
                    .clients(
                        1,
                        commands("PUT:b:0; MULTIPUT:b:1:c:1; MULTIGET:b:c", "OK; OK; VALUES:=1:=1"),
                    )
                    .guided(leaves),
            ),
        )
        .with(
            3,
            "a client writes: from every state it can still finish",
            10,
            Plan::Search(
                world().clients(1, put(1)).without_timers(),
                SearchPlan::AlwaysPossible { states_max: 50_000 },
            ),
        );
    lab.with(
        3,
        "the leaders fail when a client has been told that it has written",
        20,
        guided(
            world()
                .groups(2, 3)
                .clients(1, put(1))
                .clients(1, commands("GET:b; GET:b", ""))
                .clients(1, commands("GET:c; GET:c", ""))
                .guided(leaders_fail),
        ),
    )
    .with(
        3,
        "random walks, groups of one",
        10,
        Plan::Search(
            world()
                .operator("JOIN:1; JOIN:2; LEAVE:1")
                .clients(1, put(1))
                .clients(1, commands("SWAP:b:c; MULTIGET:b:c", ""))
                .searched(),
            SearchPlan::Walks { walks: 700, depth_max: 200 },
        ),
    )
    .with(
        3,
        "random walks, groups of three",
        10,
        Plan::Search(
            world().groups(2, 3).clients(1, put(1)).clients(1, both("")).searched(),
            SearchPlan::Walks { walks: 200, depth_max: 400 },
        ),
    )
    .with(
        3,
        "handlers are functions of the state and the event",
        5,
        Plan::Search(world().clients(1, put(1)).checked().without_timers(), exhaust(100_000)),
    )
}

/// Every group has a shard and nothing is on its way.
fn settled<S: ShardedStore>(scene: &Scene<S>, n_groups: usize) -> Predicate {
    let all = (1..=n_groups).map(|group| settled_at(scene, group, 1)).reduce(Predicate::and);
    let all = all.expect("there are groups");
    all.named("every group has a shard, and none is on its way")
}

/// The same, as far as this server knows.
fn settled_at<S: ShardedStore>(scene: &Scene<S>, group: usize, number: usize) -> Predicate {
    let on_its_way = [Leaving, Awaited].map(|held| scene.some_held(group, number, held).not());
    on_its_way.into_iter().fold(scene.some_held(group, number, Served), Predicate::and)
}

/// The groups share the shards while clients wait; then everything may happen, but no timer fires.
fn settled_then_all<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let without = scene.timers_of(&[]).nodes_off(scene.clients());
    vec![
        scene.phase("both groups have a shard", without).goal(settled(scene, 2)),
        scene.look_around("everything happens", scene.timers_of(&[]), 100_000),
        scene.phase("everybody finishes", scene.timers_of(&[])).goal(scene.all_told()),
    ]
}

fn three_settled<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let without = scene.timers_of(&[]).nodes_off(scene.clients());
    vec![
        scene.phase("all groups have a shard", without).goal(settled(scene, 3)),
        scene.look_around("everything happens", scene.timers_of(&[]), 150_000),
        scene.phase("everybody finishes", scene.timers_of(&[])).goal(scene.all_told()),
    ]
}

fn settled_then_timers<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let without = scene.timers_of(&[]).nodes_off(scene.clients());
    let timers = || scene.timers_of(&scene.all_servers());
    vec![
        scene.phase("both groups have a shard", without).goal(settled(scene, 2)),
        scene.look_around("everything happens", timers(), 50_000),
        scene.phase("everybody finishes", timers()).goal(scene.all_told()),
    ]
}

/// The operator goes on when the client has begun.
fn leaves<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let operator = [scene.operator()];
    let without = scene.timers_of(&operator).nodes_off(scene.clients());
    let goal = settled(scene, 2).and(scene.operated(2));
    vec![
        scene.phase("both groups have a shard", without).goal(goal),
        scene
            .phase("client1 begins", scene.timers_of(&[]).nodes_off(operator))
            .goal(scene.told(1, 1)),
        scene
            .phase("group 1 leaves", scene.only(&[scene.masters(), &operator], &operator))
            .goal(scene.operated(3)),
        scene.look_around("everything happens", scene.timers_of(&[]), 150_000),
        scene.phase("everybody finishes", scene.timers_of(&[])).goal(scene.all_told()),
    ]
}

/// The first two servers of both groups have done it all; then the first are gone.
fn leaders_fail<S: ShardedStore>(scene: &Scene<S>) -> Vec<Phase> {
    let operator = [scene.operator()];
    let of = |group: usize, numbers: [usize; 2]| numbers.map(|it| scene.server(group, it));
    let (one, two) = (of(1, [1, 2]), of(2, [1, 2]));
    let masters = scene.masters();
    let client1 = [scene.client(1)];
    let readers = [scene.client(2), scene.client(3)];
    let rest = of(1, [2, 3]);
    let after = || scene.only(&[&rest, &two, &readers], &[rest[0]]);
    let read = scene.told(2, 2).or(scene.told(3, 2)).named("somebody has read what group 1 has");
    vec![
        scene
            .phase("both groups join", scene.only(&[masters, &operator], &[]))
            .goal(scene.operated(2)),
        scene
            .phase("server1-1 leads, and a shard leaves", scene.only(&[masters, &one], &[one[0]]))
            .goal(scene.some_held(1, 1, Leaving)),
        scene
            .phase("server2-1 leads, and waits for it", scene.only(&[masters, &two], &[two[0]]))
            .goal(scene.some_held(2, 1, Awaited)),
        scene.phase("it comes", scene.only(&[&one, &two], &[])).goal(settled(scene, 2)),
        scene
            .phase("the others hear of it", scene.only(&[&one, &two], &[one[0], two[0]]))
            .goal(settled_at(scene, 1, 2).and(settled_at(scene, 2, 2))),
        scene
            .phase("others read", scene.only(&[masters, &one, &two, &readers], &[]))
            .goal(scene.told(2, 1)),
        scene
            .phase("others read, too", scene.only(&[masters, &one, &two, &readers], &[]))
            .goal(scene.told(2, 1).and(scene.told(3, 1))),
        scene
            .phase("client1 writes", scene.only(&[masters, &one, &two, &client1], &[]))
            .goal(scene.told(1, 1)),
        scene.phase("server1-1 is gone, server1-2 leads; somebody reads", after()).goal(read),
    ]
}
