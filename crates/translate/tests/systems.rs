//! Systems of different shapes: each translates, has the state space that it is known to have, and does what its text
//! says on every run. The texts are in `systems/`, a folder each.

mod support;

use foresee_algebra::load;
use foresee_translate::{Options, Translation, erlang_label};
use merc_syntax::UntypedProcessSpecification;
use std::collections::BTreeSet;
use support::{Space, explore, explore_system, system};

/// States and transitions.
type Size = (usize, usize);

/// Name, size with replies as handshakes, and without.
const SIZES: [(&str, Size, Size); 11] = [
    ("barrier", (24, 32), (49, 78)),
    ("census", (96, 161), (136, 240)),
    ("counter", (74, 118), (153, 286)),
    ("ping_pong", (85, 128), (126, 206)),
    ("pool", (58, 94), (127, 228)),
    ("queue", (175, 304), (293, 578)),
    ("relay", (48, 66), (78, 112)),
    ("rooms", (498, 974), (1776, 4420)),
    ("semaphore", (332, 607), (740, 1650)),
    ("store", (206, 347), (523, 1026)),
    ("tally", (507, 892), (1008, 1860)),
];

fn plain(name: &str) -> Translation {
    system(name, &[], &Options::default())
}

fn without_handshakes(name: &str) -> Translation {
    system(name, &[], &Options { async_reply: true, ..Options::default() })
}

/// The state space with labels as Erlang writes them.
fn space(translation: &Translation) -> Space {
    let mut space = explore(translation);
    assert_eq!(space.faults, Vec::<String>::new());
    for edge in space.edges.iter_mut().flatten() {
        edge.0 = erlang_label(&edge.0).into_owned();
        assert!(!edge.0.starts_with("failure"), "{}", edge.0);
    }
    space
}

/// Both ways to reply.
fn both(name: &str) -> [Space; 2] {
    [space(&plain(name)), space(&without_handshakes(name))]
}

#[test]
fn sizes() {
    for (name, handshake, mailbox) in SIZES {
        let found = (space(&plain(name)).size(), space(&without_handshakes(name)).size());
        assert_eq!(found, (handshake, mailbox), "{name}");
    }
}

#[test]
fn both_languages_take_them() {
    for (name, ..) in SIZES {
        // The state spaces of the others with crashes are large and say nothing new here.
        let is_small = ["counter", "pool", "relay"].contains(&name);
        let crash = if is_small { vec!["all".to_owned()] } else { Vec::new() };
        let translation = system(name, &[], &Options { crash, ..Options::default() });
        let text = translation.to_mucrl();
        let read = load(&text, translation.algebra_options())
            .unwrap_or_else(|problems| panic!("{}\n{text}", problems[0].render("text", &text)));
        assert_eq!(explore_system(&read, 100_000).aut(), explore(&translation).aut(), "{name}");
        let text = translation.to_mcrl2().expect("no problems");
        UntypedProcessSpecification::parse(&text).unwrap_or_else(|it| panic!("{it}\n{text}"));
    }
}

#[test]
fn a_barrier_opens_for_all() {
    let one = [("RUNNERS", "1")];
    // Asking, being asked, opening, the reply; and from then on the server stands behind its loop over nobody, so the
    // first two are there once more.
    assert_eq!(explore(&system("barrier", &one, &Options::default())).size(), (6, 6));
    let normalised = Options { normalised: true, ..Options::default() };
    assert_eq!(explore(&system("barrier", &one, &normalised)).size(), (4, 4));
    for space in both("barrier") {
        assert_eq!(space.n_deadlocks(), 0);
        // Two arrive, it opens, two are let go.
        space.always((0, 0), |label, (here, free)| {
            Some(match label {
                "opened(2)" if (*here, *free) == (2, 0) => (0, 2),
                "opened(2)" => return None,
                _ if label.starts_with("call(barrier,arrive,") => (here + 1, *free),
                _ if label.starts_with("reply(") && *free == 0 => return None,
                _ if label.starts_with("reply(") => (*here, free - 1),
                _ => (*here, *free),
            })
        });
    }
}

#[test]
fn a_clerk_counts_who_is_there() {
    for space in both("census") {
        let labels = space.labels();
        let found: Vec<&str> = labels.into_iter().filter(|it| it.starts_with("found(")).collect();
        assert_eq!(found, ["found([1,0])", "found([1,1])", "found([2,0])", "found([2,1])"]);
        // Who arrives before the count is counted.
        space.always([1, 0], |label, here| {
            let mut here = *here;
            for (at, town) in ["north", "south"].iter().enumerate() {
                if label == format!("cast({town},{{arrives,bob}})") {
                    here[at] += 1;
                } else if label.starts_with("reply(") && label.ends_with(&format!(",{town})")) {
                    return (label == format!("reply(clerk,{},{town})", here[at])).then_some(here);
                }
            }
            Some(here)
        });
    }
}

#[test]
fn a_counter_counts() {
    for space in both("counter") {
        let replies: BTreeSet<&str> =
            space.labels().into_iter().filter(|it| it.starts_with("reply(")).collect();
        let expected = ["reply(add,-1,counter)", "reply(add,2,counter)"];
        let expected = expected
            .into_iter()
            .chain(["reply(subtract,-1,counter)", "reply(subtract,-3,counter)"]);
        assert_eq!(replies, expected.collect());
        space.always(0, |label, n| {
            Some(match label {
                "cast(counter,{add,2})" => n + 2,
                "cast(counter,{subtract,3})" => n - 3,
                _ if label.starts_with("reply(") => {
                    return label.contains(&format!(",{n},")).then_some(*n);
                }
                _ => *n,
            })
        });
    }
}

#[test]
fn a_ball_is_hit_until_the_rally_is_over() {
    for space in both("ping_pong") {
        space.always(4, |label, left| match label.split_once("{ball,") {
            Some((player, n)) => {
                let n: i32 = n.trim_end_matches("})").parse().expect("a number");
                let to = if n % 2 == 1 { "cast(ping," } else { "cast(pong," };
                (n == left - 1 && player == to).then_some(n)
            }
            None => Some(*left),
        });
    }
}

/// At most so many inside, by the label that lets in and the one that lets out.
fn at_most(space: &Space, max: usize, enters: &str, leaves: &str) {
    space.always(0, |label, inside| {
        if label.starts_with(enters) {
            return (*inside < max).then_some(inside + 1);
        }
        Some(if label.starts_with(leaves) { inside - 1 } else { *inside })
    });
}

#[test]
fn a_pool_lends_what_it_has() {
    for space in both("pool") {
        assert_eq!(space.n_deadlocks(), 0);
        space.always(0, |label, lent| match label {
            _ if label.contains(",{ok,1},") => (*lent == 0).then_some(1),
            _ if label.starts_with("call(pool,{release,1}") => Some(lent - 1),
            _ => Some(*lent),
        });
    }
    // Who dies gives back what it had; only the dead of all clients stop the pool.
    let options =
        Options { crash: vec!["client_1".to_owned()], async_reply: true, ..Options::default() };
    assert_eq!(space(&system("pool", &[], &options)).n_deadlocks(), 0);
}

#[test]
fn a_semaphore_lets_one_in() {
    for space in both("semaphore") {
        at_most(&space, 1, "enter(", "leave(");
        assert_eq!(space.n_deadlocks(), 0);
    }
}

#[test]
fn a_room_has_readers_or_a_writer() {
    for space in both("rooms") {
        assert_eq!(space.n_deadlocks(), 0);
        let inside = |label: &str| label.starts_with("inside(");
        space.always(BTreeSet::<String>::new(), |label, here| {
            let mut here = here.clone();
            if let Some(who) = label.strip_prefix("call(rooms,leave,") {
                here.remove(who.trim_end_matches(')'));
            } else if inside(label) {
                here.insert(label["inside(".len()..label.len() - 1].to_owned());
            }
            (here.len() < 2 || !here.contains("writer")).then_some(here)
        });
    }
}

#[test]
fn a_queue_gives_everything_once_and_in_order() {
    for space in both("queue") {
        space.always(Vec::<String>::new(), |label, given| {
            let Some(rest) = label.strip_prefix("reply(consumer_") else {
                return Some(given.clone());
            };
            let thing = rest.split(',').nth(1).expect("a thing").to_owned();
            let mut given = given.clone();
            given.push(thing);
            (given == ["a"] || given == ["a", "b"]).then_some(given)
        });
    }
}

#[test]
fn a_front_asks_behind() {
    for space in both("relay") {
        let replies: BTreeSet<&str> =
            space.labels().into_iter().filter(|it| it.starts_with("reply(buyer,")).collect();
        let expected = ["reply(buyer,{price,2},front)", "reply(buyer,{price,3},front)"];
        assert_eq!(
            replies,
            expected.into_iter().chain(["reply(buyer,{price,unknown},front)"]).collect()
        );
    }
}

#[test]
fn a_store_says_what_was_put() {
    for space in both("store") {
        // What the server has taken decides what it says.
        space.always((false, false), |label, (has, asked)| {
            Some(match label {
                "call(store,{put,x,1},writer)" => (true, *asked),
                "cast(store,{delete,x})" => (false, *asked),
                "reply(reader,{ok,1},store)" => return has.then_some((*has, true)),
                "reply(reader,none,store)" => return (!has).then_some((*has, *asked)),
                "seen" => return asked.then_some((*has, *asked)),
                _ => (*has, *asked),
            })
        });
    }
}

#[test]
fn sums_are_those_of_the_replies() {
    for space in both("tally") {
        // Only the first so many rolls of a player count: one of player_1, two of player_2.
        space.always(([0, 0], [1, 2]), |label, (sums, left)| {
            let (mut sums, mut left) = (*sums, *left);
            for (at, player) in ["player_1", "player_2"].iter().enumerate() {
                if let Some(rest) = label.strip_prefix(&format!("reply({player},")) {
                    let n: i32 = rest.split(',').next()?.parse().ok()?;
                    sums[at] += if left[at] > 0 { n } else { 0 };
                    left[at] = (left[at] - 1).max(0);
                } else if label.starts_with(&format!("total({player},")) {
                    return (label == format!("total({player},{})", sums[at]))
                        .then_some((sums, left));
                }
            }
            Some((sums, left))
        });
    }
}

#[test]
fn names_of_processes_and_atoms_of_the_same_text_are_told_apart() {
    let text = plain("store").to_mucrl();
    assert!(text.contains("store_sup_reader(reader)"), "{text}");
    assert_eq!(plain("counter").clients, ["add", "subtract"]);
    // The atom `add` is not the process `add`.
    assert!(
        plain("counter")
            .to_mucrl()
            .contains("counter_sup_client(add,atom'add,int's(int's(int'0)))")
    );
}
