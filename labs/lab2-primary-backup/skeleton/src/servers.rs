//! Parts 2 and 3: primary, backup, and their clients.

use crate::views::ViewServer;
use foresee::{Address, Client, Context, KeyValueCommand, KeyValueResult, KeyValueStore, Node};
use foresee_lab2::{PING_EVERY, PrimaryBackup, RETRY_AFTER, View, ViewMessage};
use serde::{Deserialize, Serialize};

/// Everything that nodes say to each other. There will be more kinds of message, between servers above all.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    Views(ViewMessage),
    Request { number: u64, command: KeyValueCommand },
    Reply { number: u64, result: KeyValueResult },
}

impl From<ViewMessage> for Message {
    fn from(message: ViewMessage) -> Self {
        Message::Views(message)
    }
}

/// Primary, backup or idle.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    view_server: Address,
    view: View,
    store: KeyValueStore,
    // Your fields.
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Ping;

impl Node for Server {
    type Message = Message;
    type Timer = Ping;

    fn init(&mut self, context: &mut Context<Message, Ping>) {
        let _ = (context, self.view_server, PING_EVERY);
        todo!("part 2: tell the view server that you are there, and do so again and again")
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Ping>,
    ) {
        let _ = (from, message, context, &mut self.view, &mut self.store);
        todo!("part 2: views, requests, and what servers say to each other")
    }

    fn on_timer(&mut self, timer: Ping, context: &mut Context<Message, Ping>) {
        let _ = (timer, context);
        todo!("part 2: ping, and send again what may have been lost")
    }
}

/// The client's timer. What must it name?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    // Your fields.
}

/// A client.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Caller {
    view_server: Address,
    result: Option<KeyValueResult>,
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
        todo!("part 2: the client learns of a view, or takes the reply that it waits for")
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        let _ = (timer, context, RETRY_AFTER);
        todo!("part 2: perhaps there is another primary by now")
    }
}

impl Client for Caller {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, Retry>) {
        let _ = (command, context, self.view_server);
        todo!("part 2: the client sends the command to the primary, or finds out who that is")
    }

    fn result(&self) -> Option<KeyValueResult> {
        self.result.clone()
    }
}

/// Tells the tests how to make the nodes, and what the view server is at.
#[derive(Clone, Default)]
pub struct Solution {}

impl PrimaryBackup for Solution {
    type Message = Message;
    type ViewServer = ViewServer;
    type Server = Server;
    type Client = Caller;

    fn view_server(&self) -> ViewServer {
        ViewServer::default()
    }

    fn server(&self, view_server: Address) -> Server {
        Server { view_server, view: View::default(), store: KeyValueStore::default() }
    }

    fn client(&self, view_server: Address) -> Caller {
        Caller { view_server, result: None }
    }

    fn view_message(message: &Message) -> Option<ViewMessage> {
        match message {
            Message::Views(message) => Some(*message),
            _ => None,
        }
    }

    fn view(view_server: &ViewServer) -> View {
        view_server.view
    }

    fn is_acknowledged(view_server: &ViewServer) -> bool {
        view_server.is_acknowledged
    }
}
