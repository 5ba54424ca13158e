//! A group of servers that agree on a log, and their clients.

use foresee::{
    Address, Application, Client, Context, KeyValueCommand, KeyValueResult, KeyValueStore, Node,
};
use foresee_lab3::{ELECTION_AFTER, HEARTBEAT_EVERY, Paxos, RETRY_AFTER, Slot};
use serde::{Deserialize, Serialize};

/// An attempt to lead. What must it be made of, so that no two servers ever use the same one?
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Ballot {
    // Your fields.
}

/// Everything that servers and clients say to each other. There will be more kinds of message.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message<C, R> {
    Request { number: u64, command: C },
    Reply { number: u64, result: R },
}

/// A server's timers.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Timer {
    Election,
    Heartbeat,
}

/// A server that replicates `A`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Replica<A: Application> {
    /// All servers, this one among them.
    group: Vec<Address>,
    application: A,
    // Your fields.
}

impl<A: Application> Node for Replica<A> {
    type Message = Message<A::Command, A::Result>;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Self::Message, Timer>) {
        let _ = (context, &self.group, ELECTION_AFTER, HEARTBEAT_EVERY);
        todo!("part 1: wait for a leader, and then try to lead (`set_timer_between`)")
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Self::Message,
        context: &mut Context<Self::Message, Timer>,
    ) {
        let _ = (from, message, context, &mut self.application);
        todo!("part 1: the server answers what it is asked")
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Self::Message, Timer>) {
        let _ = (timer, context);
        todo!("part 1: try to lead, or say again that you do")
    }
}

/// The client's timer. What must it name?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    // Your fields.
}

/// A client of the group.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Caller<A: Application> {
    group: Vec<Address>,
    result: Option<A::Result>,
    // Your fields.
}

impl<A: Application> Node for Caller<A> {
    type Message = Message<A::Command, A::Result>;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Self::Message,
        context: &mut Context<Self::Message, Retry>,
    ) {
        let _ = (from, message, context);
        todo!("part 1: the client takes the reply to the command that it waits for")
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Self::Message, Retry>) {
        let _ = (timer, context, RETRY_AFTER);
        todo!("part 1: the client sends its command again, if it still waits for the result")
    }
}

impl<A: Application> Client for Caller<A> {
    type Command = A::Command;
    type Result = A::Result;

    fn send_command(&mut self, command: A::Command, context: &mut Context<Self::Message, Retry>) {
        let _ = (command, context, &self.group);
        todo!("part 1: the client sends the command to whoever may lead, and sets a timer")
    }

    fn result(&self) -> Option<A::Result> {
        self.result.clone()
    }
}

/// Tells the tests how to make servers and clients, and what is in a server's log.
#[derive(Clone, Default)]
pub struct Solution {}

impl Paxos for Solution {
    type Message = Message<KeyValueCommand, KeyValueResult>;
    type Server = Replica<KeyValueStore>;
    type Client = Caller<KeyValueStore>;

    fn server(&self, group: &[Address]) -> Self::Server {
        Replica { group: group.to_vec(), application: KeyValueStore::default() }
    }

    fn client(&self, group: &[Address]) -> Self::Client {
        Caller { group: group.to_vec(), result: None }
    }

    /// What the server knows of a slot. As long as this says nothing, most searches fail.
    fn slot(server: &Self::Server, slot: u64) -> Slot {
        let _ = (server, slot);
        Slot::Empty
    }

    fn last_slot(server: &Self::Server) -> u64 {
        let _ = server;
        0
    }
}
