//! What must hold of every reachable state: the four safety claims of the paper (figure 3), on servers as they are.

use super::log::Log;
use super::message::Message;
use super::server::Server;
use foresee::{Address, Scope, View, WorldBuilder};

/// Adds the claims about these servers.
pub(crate) fn claim(world: &mut WorldBuilder<Message>, servers: &[Address]) {
    let scope = || Scope::nodes(servers.iter().copied());
    let names = servers.to_vec();
    world.invariant("election safety", scope(), move |view, why| {
        let all = all(view, &names);
        pairs(&all).all(|((a, one), (b, other))| {
            let is_one = !(one.is_leader() && other.is_leader() && one.term == other.term);
            if !is_one {
                why.because(format_args!("{a} and {b} both lead in term {}", one.term));
            }
            is_one
        })
    });
    let names = servers.to_vec();
    world.invariant("log matching", scope(), move |view, why| {
        let all = all(view, &names);
        pairs(&all).all(|((a, one), (b, other))| {
            let differs = first_mismatch(&one.log, &other.log);
            if let Some(index) = differs {
                why.because(format_args!(
                    "the logs of {a} and {b} agree after entry {index}, but not in it"
                ));
            }
            differs.is_none()
        })
    });
    let names = servers.to_vec();
    world.invariant("leader completeness", scope(), move |view, why| {
        let all = all(view, &names);
        let leaders = all.iter().filter(|(_, server)| server.is_leader());
        leaders.clone().all(|(leader_name, leader)| {
            all.iter().filter(|(_, it)| it.term <= leader.term).all(|(name, server)| {
                let missing = missing_entry(server, leader);
                if let Some(index) = missing {
                    why.because(format_args!(
                        "{leader_name} leads in term {} without entry {index}, which {name} knows to be committed",
                        leader.term
                    ));
                }
                missing.is_none()
            })
        })
    });
    let names = servers.to_vec();
    world.invariant("state machine safety", scope(), move |view, why| {
        let all = all(view, &names);
        pairs(&all).all(|((a, one), (b, other))| {
            let both = one.commit.min(other.commit);
            let indices = one.log.base.index.max(other.log.base.index) + 1..=both;
            let unequal = indices.into_iter().find(|it| one.log.entry(*it) != other.log.entry(*it));
            if let Some(index) = unequal {
                why.because(format_args!("{a} and {b} have carried out different entries {index}"));
            }
            let same_machine = one.commit != other.commit || one.machine == other.machine;
            if !same_machine {
                why.because(format_args!("{a} and {b} differ after entry {both}"));
            }
            unequal.is_none() && same_machine
        })
    });
}

type Named<'a> = (Address, &'a Server);

fn all<'a>(view: &View<'a, Message>, servers: &[Address]) -> Vec<Named<'a>> {
    servers.iter().map(|server| (*server, view.node::<Server>(*server))).collect()
}

fn pairs<'a, 's>(
    all: &'s [Named<'a>],
) -> impl Iterator<Item = (Named<'a>, Named<'a>)> + use<'a, 's> {
    all.iter().enumerate().flat_map(|(i, one)| all[i + 1..].iter().map(|other| (*one, *other)))
}

/// An entry in which two logs differ although a later one has the same term in both.
fn first_mismatch(one: &Log, other: &Log) -> Option<u64> {
    let first = one.base.index.max(other.base.index) + 1;
    let last = one.last().index.min(other.last().index);
    let agreed = (first..=last).rev().find(|index| one.term(*index) == other.term(*index))?;
    (first..=agreed).find(|index| one.entry(*index) != other.entry(*index))
}

/// An entry that a server knows to be committed and a leader does not have.
fn missing_entry(server: &Server, leader: &Server) -> Option<u64> {
    let first = server.log.base.index.max(leader.log.base.index) + 1;
    (first..=server.commit).find(|index| server.log.entry(*index) != leader.log.entry(*index))
}
