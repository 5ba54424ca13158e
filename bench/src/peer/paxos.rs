//! Single-decree Paxos as Stateright actors: three servers, clients that put once and then get.

use stateright::Expectation;
use stateright::actor::register::{RegisterActor, RegisterMsg};
use stateright::actor::{Actor, ActorModel, Id, Network, Out};
use stateright::semantics::LinearizabilityTester;
use stateright::semantics::register::Register;
use stateright::util::{HashableHashMap, HashableHashSet};
use std::borrow::Cow;

const SERVERS: usize = 3;
const QUORUM: usize = SERVERS / 2 + 1;

type Ballot = (u32, Id);
/// The request, the client who made it, the value to put.
type Proposal = (u64, Id, char);
type Vote = Option<(Ballot, Proposal)>;

#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) enum Message {
    Prepare(Ballot),
    Promise(Ballot, Vote),
    Accept(Ballot, Proposal),
    Accepted(Ballot),
    Decided(Ballot, Proposal),
}
use Message::{Accept, Accepted, Decided, Prepare, Promise};
use RegisterMsg::{Get, GetOk, Internal, Put, PutOk};

#[derive(Clone)]
pub(crate) struct Server;

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct State {
    ballot: Ballot,
    vote: Vote,
    decided: bool,
    proposal: Option<Proposal>,
    promises: HashableHashMap<Id, Vote>,
    accepts: HashableHashSet<Id>,
}

fn peers(me: Id) -> Vec<Id> {
    (0..SERVERS).map(Id::from).filter(|id| *id != me).collect()
}

impl Actor for Server {
    type Msg = RegisterMsg<u64, char, Message>;
    type State = State;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _me: Id, _storage: &Option<()>, _out: &mut Out<Self>) -> State {
        State {
            ballot: (0, Id::from(0)),
            vote: None,
            decided: false,
            proposal: None,
            promises: HashableHashMap::default(),
            accepts: HashableHashSet::default(),
        }
    }

    fn on_msg(
        &self,
        me: Id,
        state: &mut Cow<State>,
        from: Id,
        message: Self::Msg,
        out: &mut Out<Self>,
    ) {
        match message {
            Get(request) if state.decided => {
                let (_, (_, _, value)) = state.vote.expect("a decided server has voted");
                out.send(from, GetOk(request, value));
            }
            _ if state.decided => {}
            Put(request, value) if state.proposal.is_none() => {
                let state = state.to_mut();
                state.proposal = Some((request, from, value));
                state.ballot = (state.ballot.0 + 1, me);
                state.promises.insert(me, state.vote);
                out.broadcast(&peers(me), &Internal(Prepare(state.ballot)));
            }
            Internal(Prepare(ballot)) if state.ballot < ballot => {
                state.to_mut().ballot = ballot;
                out.send(from, Internal(Promise(ballot, state.vote)));
            }
            Internal(Promise(ballot, vote)) if state.ballot == ballot => {
                let state = state.to_mut();
                state.promises.insert(from, vote);
                if state.promises.len() == QUORUM {
                    let latest = state.promises.values().flatten().max();
                    let proposal = latest.map(|(_, proposal)| *proposal).or(state.proposal);
                    let proposal = proposal.expect("only a proposer prepares");
                    state.proposal = Some(proposal);
                    state.vote = Some((ballot, proposal));
                    state.accepts.insert(me);
                    out.broadcast(&peers(me), &Internal(Accept(ballot, proposal)));
                }
            }
            Internal(Accept(ballot, proposal)) if state.ballot <= ballot => {
                let state = state.to_mut();
                state.ballot = ballot;
                state.vote = Some((ballot, proposal));
                out.send(from, Internal(Accepted(ballot)));
            }
            Internal(Accepted(ballot)) if state.ballot == ballot => {
                let state = state.to_mut();
                state.accepts.insert(from);
                if state.accepts.len() == QUORUM {
                    state.decided = true;
                    let proposal = state.proposal.expect("only a proposer asks for votes");
                    out.broadcast(&peers(me), &Internal(Decided(ballot, proposal)));
                    out.send(proposal.1, PutOk(proposal.0));
                }
            }
            Internal(Decided(ballot, proposal)) => {
                let state = state.to_mut();
                state.ballot = ballot;
                state.vote = Some((ballot, proposal));
                state.decided = true;
            }
            _ => {}
        }
    }
}

pub(crate) type Model =
    ActorModel<RegisterActor<Server>, (), LinearizabilityTester<Id, Register<char>>>;

pub(crate) fn model(clients: usize) -> Model {
    let client = RegisterActor::Client { put_count: 1, server_count: SERVERS };
    ActorModel::new((), LinearizabilityTester::new(Register('\0')))
        .actors((0..SERVERS).map(|_| RegisterActor::Server(Server)))
        .actors(std::iter::repeat_n(client, clients))
        .init_network(Network::new_unordered_nonduplicating([]))
        .record_msg_in(RegisterMsg::record_returns)
        .record_msg_out(RegisterMsg::record_invocations)
        .property(Expectation::Always, "linearizable", |_, state| {
            state.history.serialized_history().is_some()
        })
        .property(Expectation::Sometimes, "value chosen", |_, state| {
            state
                .network
                .iter_deliverable()
                .any(|envelope| matches!(envelope.msg, GetOk(_, value) if *value != '\0'))
        })
}
