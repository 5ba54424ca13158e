//! Clients: one that sends a call until it is answered, and one that makes up calls for as long as it runs.

use super::message::{Message, Timer};
use foresee::{Address, Client, Context, KeyValueCommand, KeyValueResult, Node};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const RETRY_AFTER: Duration = Duration::from_millis(400);

/// Sends a call until it is answered, to whoever leads.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Caller {
    servers: Vec<Address>,
    /// Who it thinks leads, by number.
    leader: usize,
    /// Whether it asks again, and somebody else, when nobody answers.
    retries: bool,
    call: u64,
    command: Option<KeyValueCommand>,
    result: Option<KeyValueResult>,
}

impl Caller {
    pub(crate) fn new(servers: &[Address], retries: bool) -> Self {
        let servers = servers.to_vec();
        Caller { servers, leader: 0, retries, call: 0, command: None, result: None }
    }

    fn ask(&self, context: &mut Context<Message, Timer>) {
        let Some(command) = self.command.clone() else { return };
        context.send(self.servers[self.leader], Message::Request { call: self.call, command });
    }
}

impl Node for Caller {
    type Message = Message;
    type Timer = Timer;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        match message {
            Message::Reply { call, result } if call == self.call && self.command.is_some() => {
                self.command = None;
                context.cancel_timer(Timer::Retry { call });
                self.result = Some(result);
            }
            Message::Elsewhere { call, leader: Some(leader) }
                if call == self.call && from == self.servers[self.leader] && leader != from =>
            {
                let known = self.servers.iter().position(|server| *server == leader);
                self.leader = known.unwrap_or(self.leader);
                self.ask(context);
            }
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Message, Timer>) {
        if timer == (Timer::Retry { call: self.call }) && self.command.is_some() {
            self.leader = (self.leader + 1) % self.servers.len();
            self.ask(context);
            context.set_timer(timer, RETRY_AFTER);
        }
    }
}

impl Client for Caller {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, Timer>) {
        self.call += 1;
        self.command = Some(command);
        self.result = None;
        self.ask(context);
        if self.retries {
            context.set_timer(Timer::Retry { call: self.call }, RETRY_AFTER);
        }
    }

    fn result(&self) -> Option<KeyValueResult> {
        self.result.clone()
    }
}

/// A client of a load: it puts 64 bytes under ten keys of its own and ten that all share, and reads now and then.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Putter {
    caller: Caller,
    index: u64,
    /// Whether it does nothing but read what all share.
    only_reads: bool,
}

impl Putter {
    pub(crate) fn new(servers: &[Address], index: u64, only_reads: bool) -> Self {
        Putter { caller: Caller::new(servers, true), index, only_reads }
    }

    /// The next command: keys have eight letters, values sixty-four; no value comes twice.
    fn command(&self) -> KeyValueCommand {
        let call = self.caller.call;
        if self.only_reads {
            return KeyValueCommand::get(format!("shared{:02}", call % 10));
        }
        let key = match call % 16 {
            0 | 15 => format!("shared{:02}", call / 16 % 10),
            _ => format!("k{:04}{:03}", self.index % 10_000, call % 10),
        };
        match call % 16 {
            7 | 15 => KeyValueCommand::get(key),
            _ => KeyValueCommand::put(key, value(self.index, call)),
        }
    }

    fn next(&mut self, context: &mut Context<Message, Timer>) {
        let command = self.command();
        context.invoked(command.clone());
        self.caller.send_command(command, context);
    }
}

impl Node for Putter {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Message, Timer>) {
        self.next(context);
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        self.caller.on_message(from, message, context);
        if let Some(result) = self.caller.result.take() {
            context.returned(result);
            self.next(context);
        }
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Message, Timer>) {
        self.caller.on_timer(timer, context);
    }
}

/// Sixty-four letters that nobody else writes, and that cost little to make.
fn value(index: u64, call: u64) -> String {
    const REST: &str = "................................................................";
    let mut value = format!("{index}/{call}/");
    value.push_str(&REST[value.len()..]);
    value
}
