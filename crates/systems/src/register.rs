//! Clients of a replicated register: each puts one value, then gets.
//! Why: `paxos` and `single-copy-register` promise the same thing to the same clients, so both are judged by one history.
//! Each client asks a different server next (`client + operation`, modulo the servers), so that what one server
//! acknowledged must be visible at another.

use foresee_nodes::{Address, Context, Data, Node, RegisterOperation, RegisterResult};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is stored; nothing at first.
#[derive(Clone, Copy, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Stored {
    Nothing,
    Value(char),
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stored::Nothing => f.write_str("nothing"),
            Stored::Value(value) => write!(f, "{value}"),
        }
    }
}

/// What clients and servers say to each other, and `P` what servers say among themselves.
#[derive(Clone, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Message<P> {
    Put { request: u32, value: char },
    PutOk { request: u32 },
    Get { request: u32 },
    GetOk { request: u32, value: Stored },
    Peer(P),
}

/// The words of the protocol, without the wrapping of `Peer`.
impl<P: fmt::Debug> fmt::Debug for Message<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Put { request, value } => write!(f, "Put({request}, {value})"),
            Message::PutOk { request } => write!(f, "PutOk({request})"),
            Message::Get { request } => write!(f, "Get({request})"),
            Message::GetOk { request, value } => write!(f, "GetOk({request}, {value:?})"),
            Message::Peer(message) => message.fmt(f),
        }
    }
}

/// A client that puts its own letter and, once that is acknowledged, gets.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Client<P> {
    servers: Vec<Address>,
    /// Counted from 0; decides the letter and the servers asked.
    index: usize,
    awaiting: Awaiting,
    #[serde(skip)]
    protocol: std::marker::PhantomData<fn() -> P>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize)]
enum Awaiting {
    PutOk,
    GetOk,
    Nothing,
}

const PUT: u32 = 1;
const GET: u32 = 2;

impl<P> Client<P> {
    pub(crate) fn new(index: usize, servers: &[Address]) -> Self {
        Client {
            servers: servers.to_vec(),
            index,
            awaiting: Awaiting::PutOk,
            protocol: std::marker::PhantomData,
        }
    }

    /// The number of operations that have returned.
    pub(crate) fn completed(&self) -> i64 {
        match self.awaiting {
            Awaiting::PutOk => 0,
            Awaiting::GetOk => 1,
            Awaiting::Nothing => 2,
        }
    }

    /// The server for a request. Servers come before clients in the numbering, so client 0 of three servers is number
    /// 3 and starts with server 0.
    fn server(&self, request: u32) -> Address {
        let n = self.servers.len();
        self.servers[(n + self.index + request as usize - 1) % n]
    }
}

impl<P: Data> Node for Client<P> {
    type Message = Message<P>;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Message<P>, ()>) {
        let value = char::from(b'A' + self.index as u8);
        context.invoked(RegisterOperation::Write(Stored::Value(value)));
        context.send(self.server(PUT), Message::Put { request: PUT, value });
    }

    fn on_message(
        &mut self,
        _from: Address,
        message: Message<P>,
        context: &mut Context<Message<P>, ()>,
    ) {
        match (self.awaiting, message) {
            (Awaiting::PutOk, Message::PutOk { request: PUT }) => {
                context.returned(RegisterResult::<Stored>::WriteOk);
                context.invoked(RegisterOperation::<Stored>::Read);
                context.send(self.server(GET), Message::Get { request: GET });
                self.awaiting = Awaiting::GetOk;
            }
            (Awaiting::GetOk, Message::GetOk { request: GET, value }) => {
                context.returned(RegisterResult::ReadOk(value));
                self.awaiting = Awaiting::Nothing;
            }
            // An answer that comes a second time says nothing new.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_puts_then_gets_from_the_next_server() {
        let servers = Address::numbered("server", 3);
        let me = Address::new("client2");
        let mut client = Client::<()>::new(1, &servers);
        let mut context = Context::new(me);
        client.init(&mut context);
        assert_eq!(context.sent(), [(servers[1], Message::Put { request: 1, value: 'B' })]);

        let mut context = Context::new(me);
        client.on_message(servers[1], Message::PutOk { request: 1 }, &mut context);
        assert_eq!(context.sent(), [(servers[2], Message::Get { request: 2 })]);

        let again = client.clone();
        client.on_message(servers[1], Message::PutOk { request: 1 }, &mut Context::new(me));
        assert_eq!(client, again, "a second acknowledgement changes nothing");
        client.on_message(
            servers[2],
            Message::GetOk { request: 2, value: Stored::Nothing },
            &mut Context::new(me),
        );
        assert_eq!(client.completed(), 2);
    }
}
