//! Searches: small groups exhaustively, leaders that change in chosen ways, and as far as it goes.

use super::scene::Has::{ChosenOf, CommandOf, Nothing};
use super::scene::{Scene, Setting};
use super::{appends, commands, one_append};
use crate::Paxos;
use foresee_labs::{Lab, Plan, SearchPlan};
use foresee_stateful::Phase;

/// What is finite is explored to its end.
pub(super) fn small<S: Paxos>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers);
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    lab.with(
        2,
        "a group of one, three commands in every order of events",
        10,
        Plan::Search(group(1).clients(2, appends(3)).searched(), exhaust(50_000)),
    )
    .with(
        2,
        "a group of one needs two events for a command",
        5,
        Plan::Search(group(1).clients(1, appends(3)).guided(six_steps), SearchPlan::Guided),
    )
    .with(
        2,
        "while no message arrives, timers lead nowhere",
        10,
        Plan::Search(
            group(3)
                .clients(1, one_append())
                .silent_within(|scene| scene.timers_of(&[1, 2, 3]).network_off()),
            exhaust(2_000),
        ),
    )
    .with(
        2,
        "one of three servers decides nothing",
        5,
        Plan::Search(
            group(3).clients(1, one_append()).silent_within(|scene| scene.only(&[1], &[1], &[1])),
            exhaust(5_000),
        ),
    )
    .with(
        2,
        "two of four servers decide nothing",
        10,
        Plan::Search(
            group(4)
                .clients(1, one_append())
                .silent_within(|scene| scene.only(&[1, 2], &[1], &[1])),
            exhaust(20_000),
        ),
    )
    .with(
        2,
        "two of five servers decide nothing",
        10,
        Plan::Search(
            group(5)
                .clients(1, one_append())
                .silent_within(|scene| scene.only(&[1, 2], &[1], &[1])),
            exhaust(20_000),
        ),
    )
    .with(
        2,
        "one leader, one command, in every order of events",
        10,
        Plan::Search(
            group(3).clients(1, one_append()).searched_within(|scene| scene.timers_of(&[1])),
            exhaust(100_000),
        ),
    )
    .with(
        2,
        "one leader: from every state the client can still finish",
        10,
        Plan::Search(
            group(3).clients(1, one_append()).searched_within(|scene| scene.timers_of(&[1])),
            SearchPlan::AlwaysPossible { states_max: 100_000 },
        ),
    )
}

fn six_steps<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let mut phase = scene.phase("six events", scene.timers_of(&[]));
    phase.limits.depth_max = Some(6);
    vec![phase.goal(scene.all_told())]
}

/// Leaders change in chosen ways.
pub(super) fn leaders<S: Paxos>(lab: Lab, solution: &S) -> Lab {
    let three = |commands: &[super::Commands]| {
        commands
            .iter()
            .fold(Setting::new(solution, 3), |it, commands| it.clients(1, commands.clone()))
    };
    let five = Setting::new(solution, 5).clients(2, one_append());
    let one_each = || three(&[one_append(), one_append()]);
    let guided = |set_up| Plan::Search(set_up, SearchPlan::Guided);
    lab.with(
        2,
        "a second leader keeps what the first has chosen",
        10,
        guided(three(&[appends(2), appends(2)]).guided(second_keeps_chosen)),
    )
    .with(
        2,
        "a second leader keeps what may have been chosen",
        10,
        guided(one_each().guided(second_keeps_accepted)),
    )
    .with(2, "two leaders at the same time", 10, guided(one_each().guided(two_at_once)))
    .with(
        2,
        "a leader loses its command and leads again",
        10,
        guided(one_each().guided(leads_again)),
    )
    .with(2, "a promise that comes late", 10, guided(one_each().guided(late_promise)))
    .with(
        2,
        "five servers, the leader changes again and again",
        20,
        guided(five.guided(again_and_again)),
    )
    .with(2, "a log with a hole", 10, guided(one_each().guided(hole)))
    .with(
        2,
        "a command that two leaders have put into two slots",
        15,
        guided(one_each().guided(two_slots)),
    )
    .with(
        2,
        "a server that missed the election is enough",
        10,
        guided(three(&[appends(2)]).losing(2).guided(missed_election)),
    )
    .with(
        2,
        "what comes late to catch up changes nothing",
        10,
        guided(one_each().guided(late_catch_up)),
    )
    .with(
        2,
        "a leader that was deposed answers no reads",
        10,
        guided(
            three(&[
                commands("PUT:k:1; PUT:k:2", "OK; OK"),
                commands("APPEND:other:x; GET:k", "APPENDED:x; VALUE:2"),
            ])
            .guided(deposed),
        ),
    )
}

fn second_keeps_chosen<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    vec![
        scene.phase("server1 leads", scene.only(&[1, 3], &[1], &[1])).goal(scene.told(&[1], 1)),
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[2], &[2]))
            .goal(scene.told(&[2], 1)),
        scene.look_around("afterwards", scene.timers_of(&[1, 2, 3]), 20_000),
    ]
}

fn second_keeps_accepted<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let accepted = scene.slots(
        "server1 and server3 hold client1's command in slot 1, and server1 does not know that it is chosen",
        &[(1, 1, CommandOf(1)), (3, 1, CommandOf(1)), (2, 1, Nothing)],
    );
    let unknown = accepted.and(scene.slots("chosen", &[(1, 1, ChosenOf(1))]).not());
    vec![
        scene.phase("server1 leads", scene.only(&[1, 3], &[1], &[1])).goal(unknown),
        scene.look_around("server2 wants to lead", scene.timers_of(&[2]), 20_000),
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[1, 2], &[2]))
            .goal(scene.all_told()),
    ]
}

fn two_at_once<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, s2] = [scene.servers([1])[0], scene.servers([2])[0]];
    let both = scene.slots(
        "server1 holds client1's command in slot 1, server2 holds client2's, server3 nothing",
        &[(1, 1, CommandOf(1)), (2, 1, CommandOf(2)), (3, 1, Nothing)],
    );
    let apart = scene.timers_of(&[1, 2]).link_off(s1, s2).link_off(s2, s1);
    vec![
        scene.phase("server1 and server2 do not hear each other", apart.clone()).goal(both),
        scene.look_around("they still do not", apart, 20_000),
        scene.look_around("they do again", scene.timers_of(&[1, 2]), 20_000),
    ]
}

/// Server 1's proposal is lost, the slot goes to another command, and then server 1 is all that its client has.
fn leads_again<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let [client] = scene.clients([1])[..] else { unreachable!("asked for one") };
    let [_, s2, s3] = scene.servers([1, 2, 3])[..] else { unreachable!("asked for three") };
    let alone = scene.slots(
        "server1 alone holds client1's command in slot 1",
        &[(1, 1, CommandOf(1)), (2, 1, Nothing), (3, 1, Nothing)],
    );
    vec![
        scene.phase("server1 leads", scene.only(&[1, 3], &[1], &[1])).goal(alone),
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[2], &[2]))
            .goal(scene.told(&[2], 1)),
        scene
            .phase(
                "server1 is back; client1 reaches only server1, and only server1's timers fire",
                scene.timers_of(&[1]).link_off(client, s2).link_off(client, s3),
            )
            .goal(scene.told(&[1], 1)),
    ]
}

fn late_promise<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, s2] = [scene.servers([1])[0], scene.servers([2])[0]];
    let asks = scene.timers_of(&[1]).network_off().link_on(s1, s2);
    vec![
        scene
            .phase("server1 wants to lead, and the answer is late", asks)
            .goal(scene.message(2, 1)),
        scene.phase("server2 leads", scene.only(&[2, 3], &[2], &[2])).goal(scene.told(&[2], 1)),
        scene.look_around("server1 is back", scene.timers_of(&[1]), 30_000),
        scene.phase("server1 leads", scene.timers_of(&[1])).goal(scene.all_told()),
    ]
}

/// Three elections, after which the first command is held by two servers of five under different ballots, and so is the second.
fn again_and_again<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, s5] = [scene.servers([1])[0], scene.servers([5])[0]];
    let first = scene.slots(
        "server1 and server2 hold client1's command in slot 1, the others nothing",
        &[
            (1, 1, CommandOf(1)),
            (2, 1, CommandOf(1)),
            (3, 1, Nothing),
            (4, 1, Nothing),
            (5, 1, Nothing),
        ],
    );
    let second = scene.slots(
        "server2 and server5 hold client2's command in slot 1, server3 and server4 nothing",
        &[
            (1, 1, CommandOf(1)),
            (2, 1, CommandOf(2)),
            (3, 1, Nothing),
            (4, 1, Nothing),
            (5, 1, CommandOf(2)),
        ],
    );
    let third = scene.slots(
        "server1 and server4 hold client1's command in slot 1, server2 and server5 client2's",
        &[
            (1, 1, CommandOf(1)),
            (2, 1, CommandOf(2)),
            (3, 1, Nothing),
            (4, 1, CommandOf(1)),
            (5, 1, CommandOf(2)),
        ],
    );
    vec![
        scene.phase("server1 leads", scene.only(&[1, 2, 3], &[1], &[1])).goal(first),
        scene.phase("server5 leads", scene.only(&[2, 3, 4, 5], &[2], &[5])).goal(second),
        scene
            .phase("server1 leads again", scene.only(&[1, 3, 4], &[1], &[1]).link_on(s5, s1))
            .goal(third),
        scene.look_around(
            "what was sent to server1 arrives",
            scene.only(&[1, 2, 3, 4], &[1], &[1]),
            30_000,
        ),
        scene
            .phase("server5 leads again", scene.only(&[2, 3, 5], &[2], &[5]).link_on(s1, s5))
            .goal(scene.told(&[2], 1)),
        scene.look_around(
            "what was sent to server5 arrives",
            scene.only(&[1, 2, 3, 5], &[1], &[5]),
            10_000,
        ),
        scene
            .phase("server1 leads once more", scene.only(&[1, 3, 4], &[1], &[1]).link_on(s5, s1))
            .goal(scene.all_told()),
    ]
}

fn hole<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let hole = scene.slots(
        "server1 holds client1's command in slot 1 and client2's in slot 2, server2 only the second",
        &[(1, 1, CommandOf(1)), (1, 2, CommandOf(2)), (2, 1, Nothing), (2, 2, CommandOf(2)), (3, 1, Nothing), (3, 2, Nothing)],
    );
    vec![
        scene.phase("server1 leads", scene.only(&[1, 2], &[1, 2], &[1])).goal(hole),
        scene
            .look_around("server1 goes on", scene.only(&[1, 2], &[1, 2], &[1]), 20_000)
            .invariant(no_holes(scene)),
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[2], &[2]))
            .goal(scene.told(&[2], 1)),
        scene
            .phase("client1 comes to server2", scene.only(&[2, 3], &[1, 2], &[2]))
            .goal(scene.all_told()),
    ]
}

/// Before client 2 is told anything, slot 1 is chosen.
fn no_holes<S: Paxos>(scene: &Scene<S>) -> foresee_lts::Predicate {
    let first = scene.slots("slot 1 is chosen at server1", &[(1, 1, ChosenOf(1))]);
    scene
        .told(&[2], 1)
        .not()
        .or(first)
        .named("client2's command is carried out after the one before it in the log")
}

fn two_slots<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let [s1, s2] = [scene.servers([1])[0], scene.servers([2])[0]];
    let alone = scene.slots(
        "server1 alone holds client1's command in slot 1",
        &[(1, 1, CommandOf(1)), (2, 1, Nothing), (3, 1, Nothing)],
    );
    let twice = scene.slots(
        "server2 holds client2's command in slot 1 and client1's in slot 2, server3 only the second",
        &[(2, 1, CommandOf(2)), (2, 2, CommandOf(1)), (3, 1, Nothing), (3, 2, CommandOf(1))],
    );
    vec![
        scene.phase("server1 leads", scene.only(&[1, 3], &[1], &[1])).goal(alone),
        scene.phase("server2 leads", scene.only(&[2, 3], &[1, 2], &[2])).goal(twice),
        scene
            .phase("server1 leads again", scene.only(&[1, 3], &[1, 2], &[1]).link_on(s2, s1))
            .goal(scene.all_told()),
    ]
}

fn missed_election<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    vec![
        scene
            .phase(
                "server1 leads, what it sends to server3 is lost",
                scene.only(&[1, 2], &[1], &[1]),
            )
            .goal(scene.told(&[1], 1).and(scene.message(1, 3).not())),
        scene
            .phase("server2 is gone, server3 is there", scene.only(&[1, 3], &[1], &[1]))
            .goal(scene.told(&[1], 2)),
    ]
}

fn late_catch_up<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    let caught_up = scene.slots("server3 knows what is chosen in slot 1", &[(3, 1, ChosenOf(1))]);
    let second = scene.slots(
        "server1 and server3 hold client2's command in slot 2, server2 nothing",
        &[(1, 2, CommandOf(2)), (3, 2, CommandOf(2)), (2, 2, Nothing)],
    );
    vec![
        scene
            .phase("server1 leads, server3 hears nothing", scene.only(&[1, 2], &[1], &[1]))
            .goal(scene.told(&[1], 1)),
        scene.phase("server3 catches up", scene.only(&[1, 3], &[], &[1])).goal(caught_up),
        scene
            .phase("server2 hears nothing", scene.only(&[1, 3], &[2], &[1]))
            .goal(second.and(scene.slots("chosen", &[(1, 2, ChosenOf(2))]))),
        scene.look_around("messages come again", scene.only(&[1, 3], &[2], &[1]), 10_000),
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[1, 2], &[2]))
            .goal(scene.all_told()),
    ]
}

fn deposed<S: Paxos>(scene: &Scene<S>) -> Vec<Phase> {
    vec![
        scene.phase("server1 leads", scene.only(&[1, 2], &[1], &[1])).goal(scene.told(&[1], 1)),
        scene
            .phase("server1 is gone, server2 leads", scene.only(&[2, 3], &[1], &[2]))
            .goal(scene.told(&[1], 2)),
        scene.phase("client2 begins", scene.only(&[2, 3], &[2], &[2])).goal(scene.told(&[2], 1)),
        scene.look_around("client2 hears only server1", scene.only(&[1], &[2], &[1]), 10_000),
        scene.phase("all hear each other", scene.timers_of(&[2])).goal(scene.all_told()),
    ]
}

/// As far as it goes.
pub(super) fn broad<S: Paxos>(lab: Lab, solution: &S) -> Lab {
    let group = |n_servers| Setting::new(solution, n_servers);
    lab.with(
        2,
        "three servers, one command, as far as it goes",
        10,
        Plan::Search(
            group(3).clients(1, one_append()).searched(),
            SearchPlan::Explore { states_max: 300_000 },
        ),
    )
    .with(
        2,
        "random walks, three servers",
        10,
        Plan::Search(
            group(3).clients(2, appends(2)).searched(),
            SearchPlan::Walks { walks: 700, depth_max: 200 },
        ),
    )
    .with(
        2,
        "random walks, five servers",
        10,
        Plan::Search(
            group(5).clients(2, appends(2)).searched(),
            SearchPlan::Walks { walks: 800, depth_max: 300 },
        ),
    )
    .with(
        2,
        "handlers are functions of the state and the event",
        5,
        Plan::Search(
            group(3).clients(2, one_append()).checked().searched(),
            SearchPlan::Walks { walks: 50, depth_max: 150 },
        ),
    )
}
