//! Parts 2 and 3: a server that carries out commands, and a client that calls it.

use crate::store::Store;
use foresee::{Address, Client, Context, KeyValueCommand, KeyValueResult, Node};
use foresee_lab1::{ExactlyOnce, RETRY_AFTER};
use serde::{Deserialize, Serialize};

/// Everything that servers and clients say to each other. Both kinds of message will need more than this.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    Request { command: KeyValueCommand },
    Reply { result: KeyValueResult },
}

/// The server.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    store: Store,
    // Your fields.
}

impl Node for Server {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let _ = (from, message, context, &mut self.store);
        todo!(
            "part 2: the server carries out a request and sends its result back; part 3: each command once"
        )
    }
}

/// The client's timer. What must it name, so that an old one can be told from the one that counts?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    // Your fields.
}

/// The client.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Caller {
    server: Address,
    // Your fields.
}

impl Node for Caller {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        let _ = (from, message, context);
        todo!("part 2: the client takes the reply to the command that it waits for")
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        let _ = (timer, context);
        todo!("part 2: the client sends its command again, if it still waits for the result")
    }
}

impl Client for Caller {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, Retry>) {
        let _ = (command, context, self.server, RETRY_AFTER);
        todo!("part 2: the client sends the command to its server and sets a timer")
    }

    fn result(&self) -> Option<KeyValueResult> {
        todo!("part 2: the result of the last command, once there is one")
    }
}

/// Tells the tests how to make the store, a server and a client.
#[derive(Clone, Default)]
pub struct Solution {}

impl ExactlyOnce for Solution {
    type Store = Store;
    type Message = Message;
    type Server = Server;
    type Client = Caller;

    fn store(&self) -> Store {
        Store::default()
    }

    fn server(&self) -> Server {
        Server::default()
    }

    fn client(&self, server: Address) -> Caller {
        Caller { server }
    }
}
