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
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub(crate) struct Client<P> {
    servers: Vec<Address>,
    /// Counted from 0; decides the letter and the servers asked.
    index: usize,
    awaiting: Awaiting,
    #[serde(skip)]
    protocol: std::marker::PhantomData<fn() -> P>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
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

/// A client of a load: it writes and reads in turn, a server after another, for ever.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
pub(crate) struct Loader<P> {
    servers: Vec<Address>,
    /// Counted from 0, of so many.
    index: u32,
    n_clients: u32,
    /// The number of the request that it waits for; odd ones are writes.
    request: u32,
    #[serde(skip)]
    protocol: std::marker::PhantomData<fn() -> P>,
}

impl<P: Data> Loader<P> {
    pub(crate) fn new(index: u32, n_clients: u32, servers: &[Address]) -> Self {
        let protocol = std::marker::PhantomData;
        Loader { servers: servers.to_vec(), index, n_clients, request: 0, protocol }
    }

    /// A letter that comes again only after more than a million writes of all clients.
    fn letter(&self) -> char {
        let number = (self.request / 2 * self.n_clients + self.index) % 0x10_0000;
        char::from_u32(0xE000 + number).unwrap_or('\u{A000}')
    }

    fn ask(&mut self, context: &mut Context<Message<P>, ()>) {
        self.request = self.request.wrapping_add(1);
        let request = self.request;
        let server =
            self.servers[(self.index.wrapping_add(request / 2)) as usize % self.servers.len()];
        if request % 2 == 1 {
            let value = self.letter();
            context.invoked(RegisterOperation::Write(Stored::Value(value)));
            context.send(server, Message::Put { request, value });
        } else {
            context.invoked(RegisterOperation::<Stored>::Read);
            context.send(server, Message::Get { request });
        }
    }
}

impl<P: Data> Node for Loader<P> {
    type Message = Message<P>;
    type Timer = ();

    fn init(&mut self, context: &mut Context<Message<P>, ()>) {
        self.ask(context);
    }

    fn on_message(
        &mut self,
        _from: Address,
        message: Message<P>,
        context: &mut Context<Message<P>, ()>,
    ) {
        match message {
            Message::PutOk { request } if request == self.request => {
                context.returned(RegisterResult::<Stored>::WriteOk);
            }
            Message::GetOk { request, value } if request == self.request => {
                context.returned(RegisterResult::ReadOk(value));
            }
            _ => return,
        }
        self.ask(context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_a_load_are_unique_for_long() {
        let mut letters = std::collections::BTreeSet::new();
        let mut clients: Vec<Loader<()>> = (0..20).map(|i| Loader::new(i, 20, &[])).collect();
        for n in 0..20_000 {
            for client in &mut clients {
                client.request = 2 * n + 1;
                assert!(letters.insert(client.letter()), "{client:?}");
            }
        }
    }

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
