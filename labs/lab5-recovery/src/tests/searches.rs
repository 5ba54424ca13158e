//! Searches: small groups exhaustively, servers that crash at chosen moments, disks that are slow, torn or lost, and as far as it goes.

use super::scene::Has::{ChosenOf, CommandOf, Nothing};
use super::scene::{Scene, Setting};
use super::{appends, one_append};
use crate::Recovery;
use foresee_labs::{Lab, Plan, SearchPlan};
use foresee_stateful::Phase;

/// What is finite is explored to its end.
pub(super) fn small<S: Recovery>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers);
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    lab.with(
        3,
        "a group of one crashes, in every order of events",
        10,
        Plan::Search(
            group(1).clients(2, appends(2)).restarts(1).torn(1).searched(),
            exhaust(50_000),
        ),
    )
    .with(
        3,
        "the same with a snapshot after every command",
        10,
        Plan::Search(
            group(1).clients(2, appends(2)).snapshot_every(1).restarts(1).torn(1).searched(),
            exhaust(50_000),
        ),
    )
    .with(
        3,
        "a group of one: after every crash the client can still finish",
        10,
        Plan::Search(
            group(1).clients(1, appends(2)).snapshot_every(2).restarts(2).torn(1).searched(),
            SearchPlan::AlwaysPossible { states_max: 50_000 },
        ),
    )
    .with(
        3,
        "one leader, one command, and the leader's disk is slow",
        10,
        Plan::Search(
            group(3)
                .clients(1, one_append())
                .searched_within(|scene| scene.only(&[1, 2], &[1], &[1])),
            exhaust(100_000),
        ),
    )
    .with(
        3,
        "one leader: whenever its follower crashes, the client can still finish",
        10,
        Plan::Search(
            group(3).clients(1, one_append()).restarts(1).searched_within(|scene| {
                scene.only(&[1, 2], &[1], &[1]).crashes_of([scene.server(2)])
            }),
            SearchPlan::AlwaysPossible { states_max: 100_000 },
        ),
    )
}

/// Servers crash when everything is on disk, and come back.
pub(super) fn restarts<S: Recovery>(lab: Lab, solution: &S) -> Lab {
    let three = || Setting::new(solution, 3).clients(2, one_append()).restarts(1);
    let five = || Setting::new(solution, 5).clients(2, one_append()).restarts(1);
    let guided = |set_up| Plan::Search(set_up, SearchPlan::Guided);
    lab.with(3, "a vote outlives a crash", 10, guided(three().guided(vote_survives)))
        .with(3, "a promise outlives a crash", 15, guided(three().guided(promise_survives)))
        .with(3, "a promise for slots that hold nothing", 15, guided(three().guided(empty_slots)))
        .with(
            3,
            "a leader that crashes uses no ballot twice",
            15,
            guided(three().guided(new_ballot)),
        )
        .with(3, "a leader that crashes asks again", 15, guided(three().guided(asks_again)))
        .with(3, "a promise that came with a vote", 15, guided(five().guided(with_a_vote)))
        .with(
            3,
            "a store that was restored does nothing twice",
            10,
            guided(
                Setting::new(solution, 3)
                    .clients(2, appends(2))
                    .snapshot_every(1)
                    .restarts(1)
                    .guided(nothing_twice),
            ),
        )
}

/// Server 1's command is chosen with server 3's vote; server 3 crashes, and then it is all that server 2 has.
fn vote_survives<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let [crash, back] = scene.restart(3);
    vec![
        scene
            .phase("server1 leads", scene.only(&[1, 3], &[1], &[1]))
            .goal(scene.told(&[1], 1).and(scene.settled(3))),
        crash,
        back,
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[2], &[2]))
            .goal(scene.told(&[2], 1)),
        scene.look_around("afterwards", scene.timers_of(&[1, 2]), 5_000),
    ]
}

/// Server 2 has promised itself to server 3, and crashes. What server 3 then holds alone must not win over what is chosen after that.
fn promise_survives<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let alone = scene.slots(
        "server3 alone holds client1's command in slot 1",
        &[(1, 1, Nothing), (2, 1, Nothing), (3, 1, CommandOf(1))],
    );
    let [crash, back] = scene.restart(2);
    vec![
        scene
            .phase("server3 leads", scene.only(&[2, 3], &[1], &[3]))
            .goal(alone.and(scene.settled(2)).and(scene.settled(3))),
        crash,
        back,
        scene
            .phase("server3 is gone, server2 leads", scene.only(&[1, 2], &[2], &[2]))
            .goal(scene.told(&[2], 1)),
        scene.look_around(
            "what server3 has sent arrives at server2",
            scene.only(&[2, 3], &[1], &[]),
            5_000,
        ),
        scene
            .phase("server2 is gone, server1 leads", scene.only(&[1, 3], &[1], &[1]))
            .goal(scene.all_told()),
    ]
}

/// Server 3 has promised itself to server 2 in all slots, those that it has a vote in and those that it has none in.
fn empty_slots<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let proposed = scene.slots(
        "server1 alone holds client1's command in slot 1",
        &[(1, 1, CommandOf(1)), (2, 1, Nothing), (3, 1, Nothing)],
    );
    let chosen = scene
        .slots("server2 knows that client2's command is chosen in slot 1", &[(2, 1, ChosenOf(2))]);
    let [crash, back] = scene.restart(3);
    vec![
        scene
            .phase("server1 leads, and its proposal is late", scene.only(&[1, 3], &[1], &[1]))
            .goal(proposed.and(scene.message(1, 3)).and(scene.settled(1)).and(scene.settled(3))),
        scene
            .phase("server2 wants to lead, with server3's promise", scene.only(&[2, 3], &[2], &[2]))
            .goal(
                scene
                    .slots("server2 leads", &[(2, 1, CommandOf(2))])
                    .and(scene.settled(3))
                    .and(scene.settled(2)),
            ),
        crash,
        back,
        scene.look_around(
            "what server1 has sent arrives at server3",
            scene.only(&[1, 3], &[1], &[]),
            10_000,
        ),
        scene.phase("server2 goes on", scene.only(&[2, 3], &[2], &[2])).goal(chosen),
        scene.look_around("everything arrives", scene.timers_of(&[]), 10_000),
    ]
}

/// Server 1 has proposed client 1's command, server 2 has accepted it, and server 1 crashes before it knows.
fn new_ballot<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let accepted =
        scene.slots("server2 holds client1's command in slot 1", &[(2, 1, CommandOf(1))]);
    let unknown = scene.slots("chosen", &[(1, 1, ChosenOf(1))]).not();
    let [crash, back] = scene.restart(1);
    vec![
        scene
            .phase("server1 leads", scene.only(&[1, 2], &[1], &[1]))
            .goal(accepted.and(unknown).and(scene.settled(1)).and(scene.settled(2))),
        crash,
        back,
        scene
            .phase("server2 is gone, server1 leads again", scene.only(&[1, 3], &[2], &[1]))
            .goal(scene.told(&[2], 1)),
        scene.look_around("server2 is back", scene.timers_of(&[1]), 10_000),
    ]
}

/// Server 3 leads and crashes; while it is away another command is chosen, and then it comes back.
fn asks_again<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let leads = scene.slots(
        "server3 alone holds client1's command in slot 1",
        &[(1, 1, Nothing), (2, 1, Nothing), (3, 1, CommandOf(1))],
    );
    vec![
        scene
            .phase("server3 leads", scene.only(&[2, 3], &[1], &[3]))
            .goal(leads.and(scene.settled(3)).and(scene.settled(2))),
        scene.crash(3),
        scene
            .phase("server3 is away, server2 leads", scene.only(&[1, 2], &[2], &[2]))
            .goal(scene.told(&[2], 1)),
        scene.comes_back(3),
        scene.look_around("server3 and server1 alone", scene.only(&[1, 3], &[1], &[3]), 10_000),
        scene
            .phase("server2 is gone, server3 leads", scene.only(&[1, 3], &[1], &[3]))
            .goal(scene.all_told()),
    ]
}

/// Server 3 knows of server 5's ballot only by what it has accepted under it. After a crash, server 1's older proposal arrives.
fn with_a_vote<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let first = scene.slots(
        "server1 alone holds client1's command in slot 1",
        &[(1, 1, CommandOf(1)), (2, 1, Nothing), (3, 1, Nothing), (4, 1, Nothing), (5, 1, Nothing)],
    );
    let second = scene.slots(
        "server5 alone holds client2's command in slot 1",
        &[
            (1, 1, CommandOf(1)),
            (2, 1, Nothing),
            (3, 1, Nothing),
            (4, 1, Nothing),
            (5, 1, CommandOf(2)),
        ],
    );
    let third = scene.slots(
        "server5 and server3 hold client2's command in slot 1",
        &[(3, 1, CommandOf(2)), (4, 1, Nothing), (5, 1, CommandOf(2))],
    );
    let settled = |numbers: &[usize]| {
        let each = numbers.iter().map(|number| scene.settled(*number));
        each.reduce(|all, it| all.and(it)).expect("some")
    };
    let [s3, s5] = [scene.server(3), scene.server(5)];
    let [crash, back] = scene.restart(3);
    vec![
        scene
            .phase("server1 leads, and its proposals are late", scene.only(&[1, 2, 3], &[1], &[1]))
            .goal(first.and(scene.message(1, 3)).and(settled(&[1, 2, 3]))),
        scene
            .phase("server5 leads", scene.only(&[2, 4, 5], &[2], &[5]))
            .goal(second.and(settled(&[2, 4, 5]))),
        scene
            .phase(
                "server3 hears of server5 only what it proposes",
                scene.only(&[], &[], &[]).network_off().link_on(s5, s3),
            )
            .goal(third.and(settled(&[3]))),
        crash,
        back,
        scene.look_around(
            "what server1 has sent arrives at server3",
            scene.only(&[], &[], &[]).network_off().link_on(scene.server(1), s3),
            2_000,
        ),
        scene
            .phase("server5 goes on", scene.only(&[3, 4, 5], &[2], &[5]))
            .goal(scene.told(&[2], 1)),
        scene.look_around("server1 is back", scene.timers_of(&[1]), 5_000),
    ]
}

/// Every command is in a snapshot. Server 2 restarts from one, leads, and gets commands that were carried out before.
fn nothing_twice<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let knows = scene.slots("server2 knows that slot 1 is chosen", &[(2, 1, ChosenOf(1))]);
    let [crash, back] = scene.restart(2);
    vec![
        scene.phase("server1 leads", scene.only(&[1, 2], &[1], &[1])).goal(scene.told(&[1], 1)),
        scene
            .phase("server2 learns what is chosen", scene.only(&[1, 2], &[], &[1]))
            .goal(knows.and(scene.settled(2))),
        crash,
        back,
        scene.look_around("server2 leads", scene.only(&[2, 3], &[1], &[2]), 20_000),
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[1, 2], &[2]))
            .goal(scene.told(&[1, 2], 1)),
    ]
}

/// Crashes while something is being written, torn writes, lost disks.
pub(super) fn disks<S: Recovery>(lab: Lab, solution: &S) -> Lab {
    let three = || Setting::new(solution, 3).clients(2, one_append()).restarts(1);
    let guided = |set_up| Plan::Search(set_up, SearchPlan::Guided);
    lab.with(3, "a crash before the disk is done", 15, guided(three().guided(too_early)))
        .with(3, "a vote of which a part is on disk", 15, guided(three().torn(1).guided(torn_vote)))
        .with(
            3,
            "a snapshot of which a part is on disk",
            10,
            guided(three().snapshot_every(1).torn(1).guided(torn_snapshot)),
        )
        .with(
            3,
            "a server that has lost its disk does not vote",
            15,
            guided(three().losing_disks(1).guided(lost_disk)),
        )
}

fn too_early<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let s3 = scene.server(3);
    let leads = scene.slots("server1 holds client1's command in slot 1", &[(1, 1, CommandOf(1))]);
    let hears = scene.only(&[1, 3], &[1], &[1]);
    let s3_off = || scene.only(&[1, 3], &[1], &[]).syncs_off([s3]);
    let [crash, back] = scene.restart(3);
    vec![
        scene
            .phase("server1 leads", hears)
            .goal(leads.and(scene.message(1, 3)).and(scene.settled(1)).and(scene.settled(3))),
        scene.phase("server3 has accepted, and its disk is slow", s3_off()).goal(scene.writing(3)),
        scene.look_around("its disk is still slow", s3_off(), 5_000),
        crash,
        back,
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[2], &[2]))
            .goal(scene.told(&[2], 1)),
        scene.look_around("server1 is back", scene.timers_of(&[1]), 5_000),
    ]
}

/// Server 2 and server 1 have chosen; server 3's vote is half on its disk, and then it is half of what server 2 has.
fn torn_vote<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let s3 = scene.server(3);
    let [crash, back] = scene.restart(3);
    vec![
        scene
            .phase("server1 leads", scene.only(&[1, 2], &[1], &[1]))
            .goal(scene.told(&[1], 1).and(scene.settled(1)).and(scene.settled(2))),
        scene
            .phase(
                "server3 hears what server1 proposes, and its disk is slow",
                scene.only(&[1, 3], &[], &[]).syncs_off([s3]),
            )
            .goal(
                scene.slots("server3 holds client1's command in slot 1", &[(3, 1, CommandOf(1))]),
            ),
        crash,
        back,
        scene.look_around(
            "server1 is gone, server3 wants to lead",
            scene.only(&[2, 3], &[2], &[3]),
            20_000,
        ),
        scene.phase("server3 leads", scene.only(&[2, 3], &[2], &[3])).goal(scene.told(&[2], 1)),
    ]
}

fn torn_snapshot<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let s2 = scene.server(2);
    let slow = scene.only(&[1, 2], &[], &[1]).syncs_off([s2]);
    let [crash, back] = scene.restart(2);
    let knows = scene.slots("server2 knows that slot 1 is chosen", &[(2, 1, ChosenOf(1))]);
    vec![
        scene
            .phase("server1 leads", scene.only(&[1, 2], &[1], &[1]))
            .goal(scene.told(&[1], 1).and(scene.settled(1)).and(scene.settled(2))),
        scene.phase("server2 learns what is chosen, and its disk is slow", slow).goal(knows),
        crash,
        back,
        scene
            .phase("server1 is gone, server3 leads", scene.only(&[2, 3], &[2], &[3]))
            .goal(scene.told(&[2], 1)),
    ]
}

/// Server 1 and server 2 have chosen. Server 2 loses its disk, and server 3 knows nothing: together they are no majority.
fn lost_disk<S: Recovery>(scene: &Scene<S>) -> Vec<Phase> {
    let s2 = scene.server(2);
    vec![
        scene
            .phase("server1 leads", scene.only(&[1, 2], &[1], &[1]))
            .goal(scene.told(&[1], 1).and(scene.settled(1)).and(scene.settled(2))),
        scene
            .phase("server2 loses its disk", scene.quiet_but(2))
            .step(format!("crash {s2}"))
            .step(format!("lose-disk {s2}"))
            .step(format!("restart {s2}")),
        scene.look_around("server1 is gone", scene.only(&[2, 3], &[2], &[2, 3]), 20_000).invariant(
            scene
                .told(&[2], 1)
                .not()
                .named("two servers of which one has lost its disk decide nothing"),
        ),
        scene.phase("server1 is back, server3 leads", scene.timers_of(&[3])).goal(scene.all_told()),
    ]
}

/// As far as it goes.
pub(super) fn broad<S: Recovery>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers);
    lab.with(
        3,
        "three servers, one command, one crash, as far as it goes",
        10,
        Plan::Search(
            group(3).clients(1, one_append()).restarts(1).searched(),
            SearchPlan::Explore { states_max: 40_000 },
        ),
    )
    .with(
        3,
        "random walks with crashes and torn writes",
        10,
        Plan::Search(
            group(3).clients(2, appends(2)).snapshot_every(2).restarts(3).torn(2).searched(),
            SearchPlan::Walks { walks: 500, depth_max: 250 },
        ),
    )
    .with(
        3,
        "random walks, a disk is lost",
        10,
        Plan::Search(
            group(3)
                .clients(2, appends(2))
                .snapshot_every(2)
                .restarts(2)
                .losing_disks(1)
                .searched(),
            SearchPlan::Walks { walks: 500, depth_max: 250 },
        ),
    )
    .with(
        3,
        "handlers are functions of the state and the event",
        5,
        Plan::Search(
            group(3).clients(2, one_append()).restarts(2).torn(1).checked().searched(),
            SearchPlan::Walks { walks: 50, depth_max: 150 },
        ),
    )
}
