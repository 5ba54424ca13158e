//! A group of servers that agree on a log and survive restarts, and their clients. Start from your lab 3.

use foresee::{
    Address, Application, Client, Context, KeyValueCommand, KeyValueResult, KeyValueStore, Node,
    Stored,
};
use foresee_lab5::{ELECTION_AFTER, HEARTBEAT_EVERY, RETRY_AFTER, Recovery, Slot};
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

/// One change, as it is written to disk (`Context::append`). What must a server find again after a crash?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Record<C> {
    /// A command in a slot; there will be more kinds of records, and this one may need more fields.
    Slot { slot: u64, command: Option<C> },
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
    /// A snapshot is due whenever so many slots were carried out since the last one.
    snapshot_every: u64,
    // Your fields.
}

impl<A: Application> Node for Replica<A> {
    type Message = Message<A::Command, A::Result>;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Self::Message, Timer>) {
        let _ = (context, &self.group, ELECTION_AFTER, HEARTBEAT_EVERY);
        todo!("part 1: as in lab 3; a group of one leads from the start")
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Self::Message,
        context: &mut Context<Self::Message, Timer>,
    ) {
        let _ = (from, message, context, &mut self.application, self.snapshot_every);
        todo!("part 1: as in lab 3, but write, sync, and then answer")
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Self::Message, Timer>) {
        let _ = (timer, context);
        todo!("part 1: as in lab 3: try to lead, or say again that you do")
    }

    fn restore(&mut self, stored: &Stored) {
        let _ = stored.records::<Record<A::Command>>();
        todo!("part 1: read the last snapshot, if there is one, and the records after it")
    }

    fn on_restart(&mut self, context: &mut Context<Self::Message, Timer>) {
        // Timers do not survive a crash.
        self.init(context);
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
        todo!("part 1: as in lab 3: the client takes the reply to the command that it waits for")
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Self::Message, Retry>) {
        let _ = (timer, context, RETRY_AFTER);
        todo!(
            "part 1: as in lab 3: the client sends its command again, if it still waits for the result"
        )
    }
}

impl<A: Application> Client for Caller<A> {
    type Command = A::Command;
    type Result = A::Result;

    fn send_command(&mut self, command: A::Command, context: &mut Context<Self::Message, Retry>) {
        let _ = (command, context, &self.group);
        todo!(
            "part 1: as in lab 3: the client sends the command to whoever may lead, and sets a timer"
        )
    }

    fn result(&self) -> Option<A::Result> {
        self.result.clone()
    }
}

/// Tells the tests how to make servers and clients, and what is in a server's log and store.
#[derive(Clone, Default)]
pub struct Solution {}

impl Recovery for Solution {
    type Message = Message<KeyValueCommand, KeyValueResult>;
    type Server = Replica<KeyValueStore>;
    type Client = Caller<KeyValueStore>;

    fn server(&self, group: &[Address], snapshot_every: u64) -> Self::Server {
        Replica { group: group.to_vec(), application: KeyValueStore::default(), snapshot_every }
    }

    /// A server that was a member before and has lost its disk. What may it do, and what not?
    fn replacement(&self, group: &[Address], snapshot_every: u64) -> Self::Server {
        self.server(group, snapshot_every)
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

    fn carried_out(server: &Self::Server) -> u64 {
        let _ = server;
        0
    }

    fn store(server: &Self::Server) -> &KeyValueStore {
        &server.application
    }
}
