//! Part 3: searches. Without failures everything is explored; with failures, views change in chosen ways.

use super::scene::{Scene, Setting};
use super::{appends, commands, counted, one_append};
use crate::PrimaryBackup;
use foresee_labs::{Lab, Plan, SearchPlan};
use foresee_stateful::Phase;

/// What is finite is explored to its end.
pub(super) fn small<S: PrimaryBackup>(lab: Lab, solution: &S) -> Lab {
    let servers = |n_servers| Setting::new(solution, n_servers);
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    lab.with(
        3,
        "one server, six commands in every order of events",
        10,
        Plan::Search(servers(1).clients(1, counted(6)).searched(), exhaust(50_000)),
    )
    .with(
        3,
        "one server: whatever is lost, the client can still finish",
        10,
        Plan::Search(
            servers(1).clients(1, counted(1)).losing(1).searched_without_checks(),
            SearchPlan::AlwaysPossible { states_max: 200_000 },
        ),
    )
    .with(
        3,
        "primary and backup, one command, nobody fails, in every order of events",
        10,
        Plan::Search(servers(2).clients(1, counted(1)).searched_without_checks(), exhaust(500_000)),
    )
}

/// Views change in chosen ways.
pub(super) fn views<S: PrimaryBackup>(lab: Lab, solution: &S) -> Lab {
    let servers = |n_servers| Setting::new(solution, n_servers);
    let guided = |set_up| Plan::Search(set_up, SearchPlan::Guided);
    let one_each = |n_servers| servers(n_servers).clients(2, one_append());
    lab.with(
        3,
        "three servers, four views",
        15,
        guided(servers(3).clients(1, counted(4)).guided(four_views)),
    )
    .with(
        3,
        "nobody is answered while the backup hears nothing",
        10,
        guided(one_each(2).guided(silent_backup)),
    )
    .with(
        3,
        "a primary that does not know that it was deposed",
        15,
        guided(one_each(2).guided(deposed)),
    )
    .with(
        3,
        "a primary that was deposed answers no reads",
        15,
        guided(
            servers(2)
                .clients(1, commands("APPEND:other:x; GET:k", "APPENDED:x; VALUE:1"))
                .clients(1, commands("PUT:k:1", "OK"))
                .guided(old_reads),
        ),
    )
    .with(
        3,
        "commands that come while the state is transferred",
        15,
        guided(servers(2).clients(1, counted(3)).guided(transfer)),
    )
    .with(
        3,
        "a view is not acknowledged before the backup has the state",
        10,
        guided(servers(2).clients(1, counted(2)).guided(early_acknowledgement)),
    )
    .with(
        3,
        "a command whose answer was lost, and a new primary",
        15,
        guided(servers(2).clients(1, counted(2)).guided(lost_answer)),
    )
    .with(
        3,
        "forwarded commands that overtake each other",
        15,
        guided(servers(2).clients(3, one_append()).guided(overtaking)),
    )
    .with(3, "views that come late", 15, guided(one_each(2).guided(late_views)))
    .with(
        3,
        "one take-over after the other",
        15,
        guided(servers(3).clients(1, counted(5)).clients(1, one_append()).guided(take_overs)),
    )
}

fn first_view<S: PrimaryBackup>(scene: &Scene<S>) -> Phase {
    let name = "server1 is primary, server2 is backup";
    scene.phase(name, scene.only(&[1, 2], &[], false)).goal(scene.established(1, Some(2)))
}

fn alone<S: PrimaryBackup>(scene: &Scene<S>) -> Phase {
    scene
        .phase("server1 is primary, alone", scene.only(&[1], &[], false))
        .goal(scene.established(1, None))
}

/// Server 1 is not heard any more, and server 2 becomes primary.
fn second_takes_over<S: PrimaryBackup>(scene: &Scene<S>) -> Phase {
    scene
        .phase("server1 is silent, server2 takes over", scene.only(&[2], &[], true))
        .goal(scene.established(2, None))
}

fn four_views<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let next = |name: &str, servers: &[usize], n_results| {
        scene.phase(name, scene.only(servers, &[1], false)).goal(scene.told(&[1], n_results))
    };
    vec![
        alone(scene),
        next("the client is served", &[1], 1),
        scene
            .phase("server2 is backup", scene.only(&[1, 2], &[], false))
            .goal(scene.established(1, Some(2))),
        next("the client is served by both", &[1, 2], 2),
        scene
            .phase("server1 is silent; server2 and server3", scene.only(&[2, 3], &[], true))
            .goal(scene.established(2, Some(3))),
        next("the client is served by the new primary", &[2, 3], 3),
        scene
            .phase("server2 is silent; server3 is left", scene.only(&[3], &[], true))
            .goal(scene.established(3, None)),
        next("the client is served by the last one", &[3], 4),
    ]
}

fn silent_backup<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    vec![
        first_view(scene),
        scene
            .look_around("server2 hears nothing", scene.only(&[1], &[1, 2], false), 20_000)
            .invariant(scene.nobody_told()),
        scene
            .phase("server2 hears again", scene.only(&[1, 2], &[1, 2], false))
            .goal(scene.all_told()),
    ]
}

fn deposed<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let [views, s1, c1] = [scene.views(), scene.server(1), scene.client(1)];
    let asked = scene.message(c1, s1);
    vec![
        first_view(scene),
        scene
            .phase("client1 sends its command to server1", scene.only(&[], &[1], false))
            .goal(asked),
        second_takes_over(scene),
        scene
            .phase("client2 is served by server2", scene.only(&[2], &[2], false))
            .goal(scene.told(&[2], 1)),
        scene.look_around(
            "server1 does not hear of it",
            scene.without_views(&[1, 2], &[1]),
            20_000,
        ),
        scene.look_around("server1 hears of it", scene.all(false).link_off(c1, views), 30_000),
        scene
            .phase("client1 is served", scene.only(&[2], &[1], false).link_off(c1, s1))
            .goal(scene.all_told()),
    ]
}

fn old_reads<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, c1] = [scene.server(1), scene.client(1)];
    vec![
        first_view(scene),
        scene
            .phase(
                "client1's first command is answered, and the answer is late",
                scene.only(&[1, 2], &[1], false).link_off(s1, c1),
            )
            .goal(scene.message(s1, c1)),
        second_takes_over(scene),
        scene
            .phase("client2 is served by server2", scene.only(&[2], &[2], false))
            .goal(scene.told(&[2], 1)),
        scene
            .phase("the late answer comes to client1", scene.without_views(&[1], &[1]))
            .goal(scene.told(&[1], 1)),
        scene.look_around("client1 hears only server1", scene.without_views(&[1], &[1]), 20_000),
        scene.phase("all hear each other", scene.all(false)).goal(scene.all_told()),
    ]
}

/// The first that is sent to the backup is all that ever comes of the transfer.
fn transfer<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, s2] = [scene.server(1), scene.server(2)];
    vec![
        alone(scene),
        scene
            .phase("the client is served", scene.only(&[1], &[1], false))
            .goal(scene.told(&[1], 1)),
        scene
            .phase("server2 becomes backup", scene.only(&[1, 2], &[], false))
            .goal(scene.at(1, Some(2)).and(scene.message(s1, s2))),
        scene
            .phase("the client goes on", scene.only(&[1, 2], &[1], false))
            .goal(scene.told(&[1], 2)),
        scene
            .phase("the view is acknowledged", scene.only(&[1, 2], &[], false))
            .goal(scene.established(1, Some(2))),
        second_takes_over(scene),
        scene
            .phase("the client is served by server2", scene.only(&[2], &[1], false))
            .goal(scene.all_told()),
    ]
}

fn early_acknowledgement<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, s2] = [scene.server(1), scene.server(2)];
    let apart = scene.only(&[1, 2], &[], false).link_off(s1, s2);
    let early = scene.established(1, Some(2)).not();
    vec![
        alone(scene),
        scene
            .phase("the client is served", scene.only(&[1], &[1], false))
            .goal(scene.told(&[1], 1)),
        scene.phase("server2 becomes backup", apart.clone()).goal(scene.at(1, Some(2))),
        scene
            .look_around("nothing of server1 comes to server2", apart, 20_000)
            .invariant(early.named("a view is acknowledged when the backup has the state")),
        scene
            .phase("the view is acknowledged", scene.only(&[1, 2], &[], false))
            .goal(scene.established(1, Some(2))),
        second_takes_over(scene),
        scene
            .phase("the client is served by server2", scene.only(&[2], &[1], false))
            .goal(scene.all_told()),
    ]
}

fn lost_answer<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, c1] = [scene.server(1), scene.client(1)];
    vec![
        alone(scene),
        scene
            .phase(
                "client1 is answered, and the answer is lost",
                scene.only(&[1], &[1], false).link_off(s1, c1),
            )
            .goal(scene.message(s1, c1)),
        scene
            .phase("server2 is backup", scene.only(&[1, 2], &[], false))
            .goal(scene.established(1, Some(2))),
        second_takes_over(scene),
        scene
            .phase("client1 is served by server2", scene.only(&[2], &[1], false))
            .goal(scene.all_told()),
    ]
}

/// Two commands are on their way to the backup at once; many ways for them to get there are followed.
fn overtaking<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    vec![
        first_view(scene),
        scene
            .phase("two clients are served", scene.only(&[1, 2], &[1, 2], false))
            .goal(scene.told(&[1, 2], 1))
            .goals_max(60),
        second_takes_over(scene).goals_max(1_000),
        scene
            .phase("client3 is served by server2", scene.only(&[2], &[3], false))
            .goal(scene.all_told())
            .goals_max(1_000),
    ]
}

fn late_views<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let [views, c1] = [scene.views(), scene.client(1)];
    vec![
        first_view(scene),
        scene
            .phase("client1 learns of the view", scene.only(&[], &[1], false))
            .goal(scene.message(c1, scene.server(1))),
        second_takes_over(scene),
        scene
            .phase("client2 is served by server2", scene.only(&[2], &[2], false))
            .goal(scene.told(&[2], 1)),
        scene.look_around(
            "what was said before comes again",
            scene.all(false).link_off(c1, views),
            50_000,
        ),
        scene.phase("client1 is served", scene.only(&[1, 2], &[1], false)).goal(scene.all_told()),
    ]
}

fn take_overs<S: PrimaryBackup>(scene: &Scene<S>) -> Vec<Phase> {
    let served = |servers: &[usize], n_results| {
        scene
            .phase(format!("client1 is served, {n_results}"), scene.only(servers, &[1], false))
            .goal(scene.told(&[1], n_results))
    };
    let change = |name: &str, servers: &[usize], primary, backup| {
        scene.phase(name, scene.only(servers, &[], true)).goal(scene.established(primary, backup))
    };
    vec![
        first_view(scene),
        served(&[1, 2], 1),
        change("server1 is silent, server2 takes over", &[2, 3], 2, Some(3)),
        served(&[2, 3], 2),
        change("server2 is silent, server3 takes over", &[1, 3], 3, Some(1)),
        served(&[1, 3], 3),
        change("server3 is silent, server1 takes over", &[1, 2], 1, Some(2)),
        served(&[1, 2], 4),
        scene.look_around("all hear each other", scene.all(false), 30_000),
        scene.phase("all are served", scene.only(&[1, 2], &[1, 2], false)).goal(scene.all_told()),
    ]
}

/// As far as it goes.
pub(super) fn broad<S: PrimaryBackup>(lab: Lab, solution: &S) -> Lab {
    let servers = |n_servers| Setting::new(solution, n_servers);
    lab.with(
        3,
        "two servers, one command, as far as it goes",
        10,
        Plan::Search(
            servers(2).clients(1, one_append()).searched(),
            SearchPlan::Explore { states_max: 300_000 },
        ),
    )
    .with(
        3,
        "random walks, three servers",
        10,
        Plan::Search(
            servers(3).clients(2, appends(2)).searched(),
            SearchPlan::Walks { walks: 1_200, depth_max: 300 },
        ),
    )
    .with(
        3,
        "primary and backup, three commands, nobody fails, as far as it goes",
        10,
        Plan::Search(
            servers(2).clients(1, counted(3)).searched_without_checks(),
            SearchPlan::Explore { states_max: 500_000 },
        ),
    )
    .with(
        3,
        "handlers are functions of the state and the event",
        5,
        Plan::Search(
            servers(2).clients(2, one_append()).checked().searched(),
            SearchPlan::Walks { walks: 50, depth_max: 150 },
        ),
    )
}
