//! Guided searches: runs that are known from the literature, phase by phase, on servers as they are. Without the mistake that a guide is about, a phase
//! misses its goal, and the search says which. In each phase only some nodes hear each other, and only some have timers that fire.

use crate::raft::{Caller, Message, Server};
use foresee::nodes::{ActionFilter, Switches};
use foresee::stateful::{Guide, Phase};
use foresee::{Address, Arguments, ClientWorker, Entry, Predicate, Scope, World};

type Raft = World<Message>;

/// Raft with its guides.
pub(crate) fn entry() -> Entry {
    crate::raft::entry()
        .guide("figure 8", figure_8)
        .guide("a vote cast twice", vote_cast_twice)
        .guide("two leaders and a read", two_leaders_and_a_read)
}

/// Figure 8 of the paper with three servers: an entry of an earlier term is on a majority, and gone all the same.
/// `check raft bug=old-terms candidates=2 terms=4 batch=1 --guide 'figure 8'`
fn figure_8(world: &Raft, _arguments: &Arguments) -> Guide {
    let [one, two, three, _] = nodes();
    let has_only = |name: Address, term: u64| {
        let what = format!("has an entry of term {term} alone");
        server(world, name, &what, move |it| {
            it.log.entries.len() == 1 && it.log.last().term == term
        })
    };
    let has_nothing =
        |name: Address| server(world, name, "has no entry", |it| it.log.entries.is_empty());
    let commits_old = server(world, one, "takes the entry of term 1 for committed", |it| {
        it.commit == 1 && it.log.term(1) == Some(1)
    });
    let kept = has_only(three, 1).and(has_only(two, 2));
    Guide::new([
        Phase::new("server1 leads and keeps an entry to itself")
            .allow(only(world, &[one, three], &[one]))
            .goal(leads(world, one, 1).and(has_nothing(three))),
        Phase::new("server2 leads and keeps one to itself, too")
            .allow(only(world, &[two, three], &[two]))
            .goal(leads(world, two, 2).and(has_nothing(three))),
        Phase::new("server1 leads again and copies its old entry")
            .allow(only(world, &[one, three], &[one]))
            .goal(leads(world, one, 3).and(kept.clone())),
        Phase::new("the old entry is on a majority, and taken for committed")
            .allow(only(world, &[one, three], &[]))
            .goal(commits_old.and(kept)),
        Phase::new("server2 leads without it").allow(only(world, &[two, three], &[two])),
    ])
}

/// A server votes, crashes, and votes for somebody else in the same term.
/// `check raft bug=unsynced candidates=2 crashes=1 --guide 'a vote cast twice'`
fn vote_cast_twice(world: &Raft, _arguments: &Arguments) -> Guide {
    let [one, two, three, _] = nodes();
    let stands = server(world, two, "has voted for itself in term 1", move |it| {
        it.term == 1 && it.voted_for == Some(two)
    });
    let forgot = server(world, three, "knows of no vote", |it| it.voted_for.is_none());
    Guide::new([
        Phase::new("both stand, and server3 makes server1 the leader")
            .allow(only(world, &[one, three], &[one, two]))
            .goal(leads(world, one, 1).and(stands)),
        Phase::new("server3 comes back without its vote")
            .allow(only(world, &[], &[]))
            .step("crash server3")
            .step("restart server3")
            .goal(forgot),
        Phase::new("server3 hears server2, too").allow(only(world, &[two, three], &[])),
    ])
}

/// Two leaders, of which only one knows that there are two, and a client that asks one after the other.
/// `check raft reads=leases bug=long-lease candidates=2 terms=2 calls=2 retries=1 --guide 'two leaders and a read'`
fn two_leaders_and_a_read(world: &Raft, _arguments: &Arguments) -> Guide {
    let [one, two, three, client] = nodes();
    let knows_past = |name: Address, term: u64| {
        server(world, name, "has committed an entry of its term", move |it| {
            it.log.term(it.commit) == Some(term)
        })
    };
    let may_read = server(world, one, "would answer a read", Server::may_read);
    let has_entry = server(world, two, "has an entry", |it| !it.log.entries.is_empty());
    let has_put =
        world.predicate("client1 has its first answer", Scope::nodes([client]), move |view, _| {
            view.node::<ClientWorker<Caller>>(client).results().count() == 1
        });
    let old = leads(world, one, 1).and(knows_past(one, 1)).and(may_read);
    let both = old.clone().and(leads(world, two, 2));
    Guide::new([
        Phase::new("server1 leads, and a majority has confirmed it")
            .allow(only(world, &[one, two, three], &[one]))
            .goal(old.and(has_entry)),
        Phase::new("server2 leads, and server1 does not know")
            .allow(only(world, &[two, three], &[two, three]))
            .goal(both.clone()),
        Phase::new("server2 carries out a call")
            .allow(only(world, &[two, three, client], &[client]))
            .goal(both.and(knows_past(two, 2)).and(has_put)),
        Phase::new("the client asks server1").allow(only(world, &[one, client], &[client])),
    ])
}

/// Three servers and a client.
fn nodes() -> [Address; 4] {
    ["server1", "server2", "server3", "client1"].map(Address::new)
}

/// Only these nodes hear each other, and only of these timers fire.
fn only(world: &Raft, talking: &[Address], waking: &[Address]) -> ActionFilter {
    let asleep = nodes().into_iter().filter(|name| !waking.contains(name));
    let mut switches = Switches::all_on().network_off().timers_off(asleep);
    for &from in talking {
        for &to in talking {
            switches = switches.link_on(from, to);
        }
    }
    switches.filter(world)
}

/// A predicate about one server.
fn server(
    world: &Raft,
    name: Address,
    what: &str,
    holds: impl Fn(&Server) -> bool + Send + Sync + 'static,
) -> Predicate {
    world.predicate(format!("{name} {what}"), Scope::nodes([name]), move |view, _| {
        holds(view.node::<Server>(name))
    })
}

fn leads(world: &Raft, name: Address, term: u64) -> Predicate {
    let what = format!("leads in term {term}");
    server(world, name, &what, move |it| it.is_leader() && it.term == term)
}
