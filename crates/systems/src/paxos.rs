//! `paxos`: three servers agree on one value (single decree), and serve it to clients as a register.
//! Lamport, "Paxos Made Simple" (2001): `Prepare`/`Promise` is its phase 1, `Accept`/`Accepted` its phase 2; a server
//! is proposer, acceptor and learner at once, and what it would send to itself it does at once.
//! A client's put starts a ballot of its own. A server that does not know the decision leaves a get unanswered, because
//! a value may have been chosen elsewhere. The register is written once, so of several puts only one is acknowledged.
//! Known sizes: 16,668 states for 2 clients and 1,194,428 for 3.

use crate::register::{Client, Message, Stored};
use crate::setup::{self, Built};
use foresee_nodes::{
    Address, Arguments, BuildOptions, Context, Entry, Network, Node, Parameter, Scope, View, World,
    WorldBuilder,
};
use foresee_stateful::{Guide, Phase};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

const SERVERS: usize = 3;
const QUORUM: usize = SERVERS / 2 + 1;

/// Ordered by round, then by who leads it. Round 0 is before all ballots and has no leader.
#[derive(Clone, Copy, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
struct Ballot {
    round: u32,
    leader: Option<Address>,
}

impl fmt::Debug for Ballot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.leader {
            Some(leader) => write!(f, "{}@{leader}", self.round),
            None => f.write_str("none"),
        }
    }
}

/// What a client wants put.
#[derive(Clone, Copy, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
struct Proposal {
    client: Address,
    request: u32,
    value: char,
}

impl fmt::Debug for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.value, self.client)
    }
}

/// A proposal accepted, and in which ballot.
type Vote = Option<(Ballot, Proposal)>;

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Words {
    Prepare { ballot: Ballot },
    Promise { ballot: Ballot, vote: Vote },
    Accept { ballot: Ballot, proposal: Proposal },
    Accepted { ballot: Ballot },
    Decided { ballot: Ballot, proposal: Proposal },
}
use Words::{Accept, Accepted, Decided, Prepare, Promise};

type Say = Context<Message<Words>, ()>;

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
enum Bug {
    None,
    /// A proposer insists on its own value, whatever the promises say was accepted before.
    Stubborn,
    /// An acceptor accepts whatever it is asked to, even in a ballot it has promised to ignore.
    Forgetful,
    /// A proposer takes promises for votes: it announces a decision before anybody else has accepted it.
    Hasty,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Server {
    peers: Vec<Address>,
    bug: Bug,
    /// The highest ballot seen.
    ballot: Ballot,
    /// As acceptor: the last proposal accepted.
    vote: Vote,
    is_decided: bool,
    /// As proposer: what to propose, who has promised (and had accepted what), who has accepted.
    proposal: Option<Proposal>,
    promises: BTreeMap<Address, Vote>,
    accepts: BTreeSet<Address>,
}

impl Server {
    fn new(peers: Vec<Address>, bug: Bug) -> Self {
        Server {
            peers,
            bug,
            ballot: Ballot { round: 0, leader: None },
            vote: None,
            is_decided: false,
            proposal: None,
            promises: BTreeMap::new(),
            accepts: BTreeSet::new(),
        }
    }

    fn tell_peers(&self, words: Words, context: &mut Say) {
        context.broadcast(&self.peers, &Message::Peer(words));
    }

    /// Starts a ballot for a client's value.
    fn propose(&mut self, proposal: Proposal, context: &mut Say) {
        self.ballot = Ballot { round: self.ballot.round + 1, leader: Some(context.me()) };
        self.proposal = Some(proposal);
        self.promises.insert(context.me(), self.vote);
        self.tell_peers(Prepare { ballot: self.ballot }, context);
    }

    /// A quorum follows this ballot: propose what may already have been chosen, or else our own.
    fn lead(&mut self, context: &mut Say) {
        let latest = self.promises.values().flatten().max().map(|(_, proposal)| *proposal);
        let own = self.proposal.expect("only a proposer collects promises");
        let proposal = if self.bug == Bug::Stubborn { own } else { latest.unwrap_or(own) };
        self.proposal = Some(proposal);
        self.vote = Some((self.ballot, proposal));
        self.accepts.insert(context.me());
        self.tell_peers(Accept { ballot: self.ballot, proposal }, context);
        if self.bug == Bug::Hasty {
            self.decide(context);
        }
    }

    /// A quorum has accepted: the value is chosen.
    fn decide(&mut self, context: &mut Say) {
        self.is_decided = true;
        let proposal = self.proposal.expect("only a proposer collects votes");
        self.tell_peers(Decided { ballot: self.ballot, proposal }, context);
        context.send(proposal.client, Message::PutOk { request: proposal.request });
    }

    /// Whether `ballot` is the one this server leads. After a restart it leads none: what it wanted is forgotten.
    fn leads(&self, ballot: Ballot) -> bool {
        self.proposal.is_some() && ballot == self.ballot
    }

    fn on_words(&mut self, from: Address, words: Words, context: &mut Say) {
        match words {
            Prepare { ballot } if ballot > self.ballot => {
                self.ballot = ballot;
                context.send(from, Message::Peer(Promise { ballot, vote: self.vote }));
            }
            Promise { ballot, vote } if self.leads(ballot) => {
                self.promises.insert(from, vote);
                if self.promises.len() == QUORUM {
                    self.lead(context);
                }
            }
            Accept { ballot, proposal } if ballot >= self.ballot || self.bug == Bug::Forgetful => {
                self.ballot = ballot;
                self.vote = Some((ballot, proposal));
                context.send(from, Message::Peer(Accepted { ballot }));
            }
            Accepted { ballot } if self.leads(ballot) => {
                self.accepts.insert(from);
                if self.accepts.len() == QUORUM {
                    self.decide(context);
                }
            }
            Decided { ballot, proposal } => {
                self.ballot = ballot;
                self.vote = Some((ballot, proposal));
                self.is_decided = true;
            }
            // Of an older ballot: too late.
            _ => {}
        }
    }
}

impl Node for Server {
    type Message = Message<Words>;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message<Words>, context: &mut Say) {
        match message {
            Message::Get { request } if self.is_decided => {
                let (_, chosen) = self.vote.expect("who knows the decision has accepted it");
                let value = Stored::Value(chosen.value);
                context.send(from, Message::GetOk { request, value });
            }
            _ if self.is_decided => {}
            Message::Put { request, value } if self.proposal.is_none() => {
                self.propose(Proposal { client: from, request, value }, context);
            }
            Message::Peer(words) => self.on_words(from, words, context),
            _ => {}
        }
    }

    /// An acceptor must not forget what it has promised and accepted.
    fn recover(&self, fresh: Self) -> Self {
        Server { ballot: self.ballot, vote: self.vote, is_decided: self.is_decided, ..fresh }
    }
}

/// The entry of the catalogue.
pub(crate) fn entry() -> Entry {
    Entry::new("paxos", "three servers agree on one value and serve it as a register")
        .parameter(Parameter::number("clients", 2, 1..=4, "clients that each put once and then get"))
        .parameter(setup::network(Network::Multiset))
        .parameter(Parameter::word(
            "bug",
            &["none", "stubborn", "forgetful", "hasty"],
            "stubborn: propose one's own value always; forgetful: accept in any ballot; hasty: decide before the votes are in",
        ))
        .parameter(setup::properties())
        .build_with(build)
        .guide("a forgotten promise", forgotten_promise)
}

/// Two ballots that both have a quorum of promises, and the older one is decided first. An acceptor that keeps its promises
/// does not let that happen: the second phase misses its goal. One with `bug=forgetful` does, and two values are chosen.
fn forgotten_promise(world: &World<Message<Words>>, _arguments: &Arguments) -> Guide {
    let servers = Address::numbered("server", SERVERS);
    let [older, newer, acceptor] = [servers[0], servers[1], servers[2]];
    let led_by = |leader: Address, view: &View<'_, Message<Words>>| {
        let leads =
            view.node::<Server>(leader).vote.is_some_and(|(it, _)| it.leader == Some(leader));
        leads && !view.node::<Server>(leader).is_decided
    };
    let both_lead = world.predicate(
        "both proposers have a quorum of promises",
        Scope::nodes([older, newer]),
        move |view, _| led_by(older, view) && led_by(newer, view),
    );
    let newer_leads =
        world.predicate(format!("{newer} goes on"), Scope::nodes([newer]), move |view, _| {
            led_by(newer, view)
        });
    let is_promised = world.predicate(
        format!("{acceptor} has promised to follow {newer}"),
        Scope::nodes([acceptor]),
        move |view, _| {
            let server = view.node::<Server>(acceptor);
            server.ballot.leader == Some(newer) && server.vote.is_none()
        },
    );
    let older_decides = world.predicate(
        format!("{older} has decided its own ballot"),
        Scope::nodes([older]),
        move |view, _| {
            let server = view.node::<Server>(older);
            let is_own = server.vote.is_some_and(|(ballot, _)| ballot.leader == Some(older));
            server.is_decided && is_own
        },
    );
    Guide::new([
        Phase::new("two ballots have a quorum of promises each").goal(both_lead.and(is_promised)),
        Phase::new("the older ballot is decided all the same").goal(older_decides.and(newer_leads)),
        Phase::new("the newer ballot goes on"),
    ])
}

fn build(arguments: &Arguments, options: &BuildOptions) -> Built {
    let bug = match arguments.word("bug") {
        "stubborn" => Bug::Stubborn,
        "forgetful" => Bug::Forgetful,
        "hasty" => Bug::Hasty,
        _ => Bug::None,
    };
    let mut world = WorldBuilder::<Message<Words>>::new(arguments.to_string());
    let servers = Address::numbered("server", SERVERS);
    for &server in &servers {
        let peers = servers.iter().copied().filter(|peer| *peer != server).collect();
        world.add(server, Server::new(peers, bug));
    }
    let clients = setup::add_clients::<Words>(&mut world, arguments, &servers);
    setup::judge_register(&mut world, arguments, &clients);
    world.score(move |view| {
        let decided = |server: &&Address| view.node::<Server>(**server).is_decided;
        let completed = |client: &Address| view.node::<Client<Words>>(*client).completed();
        servers.iter().filter(decided).count() as i64 + clients.iter().map(completed).sum::<i64>()
    });
    setup::finish(world, arguments, options)
}
