//! Ping: a client sends a text until the server has sent it back.
//! This is the whole solution. Read it, run the tests, then break it as the handout suggests and look at what the tests say.

use foresee::{Address, Client, Context, Node};
use foresee_lab0::Ping;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long the client waits before it sends its ping again.
const RETRY_AFTER: Duration = Duration::from_millis(20);

/// What nodes say to each other.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    Ping(String),
    Pong(String),
}

/// The client's timer; it names the ping that it is about.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry(String);

/// Answers every ping. It has nothing to remember.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server;

impl Node for Server {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        if let Message::Ping(text) = message {
            context.send(from, Message::Pong(text));
        }
    }
}

/// Sends one ping at a time, again and again until it is answered.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Pinger {
    server: Address,
    /// The ping that waits for its answer, or was answered last.
    ping: Option<String>,
    answer: Option<String>,
}

impl Pinger {
    fn send(&self, context: &mut Context<Message, Retry>) {
        let Some(ping) = &self.ping else { return };
        context.send(self.server, Message::Ping(ping.clone()));
        context.set_timer(Retry(ping.clone()), RETRY_AFTER);
    }
}

impl Node for Pinger {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        _context: &mut Context<Message, Retry>,
    ) {
        let Message::Pong(text) = message else { return };
        let is_mine = self.ping.as_ref() == Some(&text);
        if is_mine {
            self.answer = Some(text);
        }
    }

    fn on_timer(&mut self, Retry(ping): Retry, context: &mut Context<Message, Retry>) {
        if self.answer.is_none() && self.ping == Some(ping) {
            self.send(context);
        }
    }
}

impl Client for Pinger {
    type Command = String;
    type Result = String;

    fn send_command(&mut self, text: String, context: &mut Context<Message, Retry>) {
        self.ping = Some(text);
        self.answer = None;
        self.send(context);
    }

    fn result(&self) -> Option<String> {
        self.answer.clone()
    }
}

/// Tells the tests how to make a server and a client.
#[derive(Clone, Default)]
pub struct Solution {}

impl Ping for Solution {
    type Message = Message;
    type Server = Server;
    type Client = Pinger;

    fn server(&self) -> Server {
        Server
    }

    fn client(&self, server: Address) -> Pinger {
        Pinger { server, ping: None, answer: None }
    }
}
