//! A register held in one copy by each server, as Stateright actors.

use stateright::Expectation;
use stateright::actor::register::{RegisterActor, RegisterMsg};
use stateright::actor::{Actor, ActorModel, Id, Network, Out};
use stateright::semantics::LinearizabilityTester;
use stateright::semantics::register::Register;
use std::borrow::Cow;

#[derive(Clone)]
pub(crate) struct Server;

impl Actor for Server {
    type Msg = RegisterMsg<u64, char, ()>;
    type State = char;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _me: Id, _storage: &Option<()>, _out: &mut Out<Self>) -> char {
        '\0'
    }

    fn on_msg(
        &self,
        _me: Id,
        state: &mut Cow<char>,
        from: Id,
        message: Self::Msg,
        out: &mut Out<Self>,
    ) {
        match message {
            RegisterMsg::Put(request, value) => {
                *state = Cow::Owned(value);
                out.send(from, RegisterMsg::PutOk(request));
            }
            RegisterMsg::Get(request) => out.send(from, RegisterMsg::GetOk(request, **state)),
            _ => {}
        }
    }
}

pub(crate) type Model =
    ActorModel<RegisterActor<Server>, (), LinearizabilityTester<Id, Register<char>>>;

pub(crate) fn model(servers: usize, clients: usize) -> Model {
    let client = RegisterActor::Client { put_count: 1, server_count: servers };
    ActorModel::new((), LinearizabilityTester::new(Register('\0')))
        .actors((0..servers).map(|_| RegisterActor::Server(Server)))
        .actors(std::iter::repeat_n(client, clients))
        .init_network(Network::new_unordered_nonduplicating([]))
        .record_msg_in(RegisterMsg::record_returns)
        .record_msg_out(RegisterMsg::record_invocations)
        .property(Expectation::Always, "linearizable", |_, state| {
            state.history.serialized_history().is_some()
        })
        .property(Expectation::Sometimes, "value chosen", |_, state| {
            let mut envelopes = state.network.iter_deliverable();
            envelopes.any(
                |envelope| matches!(envelope.msg, RegisterMsg::GetOk(_, value) if *value != '\0'),
            )
        })
}
