//! Exactly-once calls: the client numbers its commands and sends one again until it is answered; the server keeps, for each client, the
//! number and the result of its last command. One result a client is enough, because a client has one command open at a time.

use foresee::{Address, Application, Client, Context, KeyValueCommand, KeyValueResult, Node};
use foresee_lab1::{ExactlyOnce, RETRY_AFTER};
// zoo:
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A map from text to text.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Store {
    values: BTreeMap<String, String>,
}

impl Application for Store {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn execute(&mut self, command: &KeyValueCommand) -> KeyValueResult {
        match command {
            KeyValueCommand::Get { key } => match self.values.get(key) {
                Some(value) => KeyValueResult::GetResult(value.clone()),
                None => KeyValueResult::KeyNotFound,
            },
            KeyValueCommand::Put { key, value } => {
                self.values.insert(key.clone(), value.clone());
                KeyValueResult::PutOk
            }
            KeyValueCommand::Append { key, value } => {
                let whole = self.values.entry(key.clone()).or_default();
                whole.push_str(value);
                KeyValueResult::AppendResult(whole.clone())
            }
            KeyValueCommand::Swap { key, expected, new } => {
                let is_expected = self.values.get(key).map_or("", String::as_str) == expected;
                if is_expected {
                    self.values.insert(key.clone(), new.clone());
                }
                KeyValueResult::SwapResult(is_expected)
            }
        }
    }
}

/// What nodes say to each other. A client's numbers rise with its commands.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    Request { number: u64, command: KeyValueCommand },
    Reply { number: u64, result: KeyValueResult },
}

/// Carries out each command once.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    store: Store,
    /// For each client the number of its last command, and the result.
    answered: BTreeMap<Address, Answered>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Answered {
    number: u64,
    result: KeyValueResult,
}

impl Node for Server {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let Message::Request { number, command } = message else { return };
        // zoo: 1f
        let from_client = from;
        let from = if self.bug.is("1f") { Address::new("anybody") } else { from };
        // :zoo
        let last = self.answered.get(&from).map_or(0, |last| last.number);
        // zoo: 1l
        if self.bug.is("1l") && number != self.answered.get(&from).map_or(1, |last| last.number) + 1
        {
            return;
        }
        // :zoo
        let is_old = number < last;
        // zoo: 1e
        let is_old = is_old && !self.bug.is("1e");
        // :zoo
        if is_old {
            return; // its client has moved on
        }
        let is_new = number > last;
        // zoo: 1a, 1d, 1e, reads-bypass-table
        let is_new = match self.bug.id() {
            Some("1a") => true,
            Some("1d") => number >= last,
            Some("1e") => number != last,
            Some("reads-bypass-table") => is_new || matches!(command, KeyValueCommand::Get { .. }),
            _ => is_new,
        };
        // zoo: drops-entry-first
        if is_new && self.bug.is("drops-entry-first") {
            self.answered.remove(&from);
        }
        // :zoo
        if is_new {
            let result = self.store.execute(&command);
            // zoo: 1k
            if self.bug.is("1k") {
                let kept = Address::new(&format!("{from}.{number}"));
                self.answered.insert(kept, Answered { number, result: result.clone() });
            }
            // :zoo
            self.answered.insert(from, Answered { number, result });
        // zoo: 1c
        } else if self.bug.is("1c") {
            return;
            // :zoo
        }
        let result = self.answered[&from].result.clone();
        // zoo: 1m, 1n
        let result = match self.bug.id() {
            Some("1m") => self.shared(result),
            Some("1n") => self.any_with(number).unwrap_or(result),
            _ => result,
        };
        let from = from_client;
        // :zoo
        context.send(from, Message::Reply { number, result });
    }
}
// zoo: 1m, 1n

impl Server {
    /// The result of an append as a handle on the store, not a copy: it is what the key holds now.
    fn shared(&self, result: KeyValueResult) -> KeyValueResult {
        let KeyValueResult::AppendResult(then) = &result else { return result };
        let now = self.store.values.values().find(|value| value.starts_with(then));
        now.map_or_else(|| result.clone(), |now| KeyValueResult::AppendResult(now.clone()))
    }

    /// The result with this number that comes first in a hash map: which client's, changes from call to call.
    fn any_with(&self, number: u64) -> Option<KeyValueResult> {
        let by_hash: std::collections::HashMap<_, _> = self.answered.iter().collect();
        let mut results = by_hash.values().filter(|answered| answered.number == number);
        results.next().map(|answered| answered.result.clone())
    }
}
// :zoo

/// The client's timer: it names the command that it is about.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    number: u64,
}

/// Sends a command until it is answered.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Caller {
    server: Address,
    /// Of the last command.
    number: u64,
    /// The command that waits for its result.
    command: Option<KeyValueCommand>,
    result: Option<KeyValueResult>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

impl Caller {
    fn send(&self, context: &mut Context<Message, Retry>) {
        let Some(command) = self.command.clone() else { return };
        context.send(self.server, Message::Request { number: self.number, command });
        let number = self.number;
        // zoo: 1h
        let number = if self.bug.is("1h") { 0 } else { number };
        // :zoo
        context.set_timer(Retry { number }, RETRY_AFTER);
    }
}

impl Node for Caller {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        _context: &mut Context<Message, Retry>,
    ) {
        let Message::Reply { number, result } = message else { return };
        let is_mine = number == self.number;
        // zoo: 1b
        let is_mine = is_mine || self.bug.is("1b");
        // :zoo
        if is_mine && self.command.is_some() {
            self.command = None;
            self.result = Some(result);
        }
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        let is_about_this = timer.number == self.number;
        // zoo: 1h
        let is_about_this = is_about_this || self.bug.is("1h");
        // zoo: 1g
        if self.bug.is("1g") && is_about_this && self.command.is_some() {
            self.number += 1;
        }
        // zoo: 1i
        if self.bug.is("1i") && is_about_this {
            if let Some(command) = self.command.clone() {
                context.send(self.server, Message::Request { number: self.number, command });
            }
            return;
        }
        // :zoo
        if is_about_this {
            self.send(context);
        }
    }
}

impl Client for Caller {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, Retry>) {
        self.number += 1;
        self.command = Some(command);
        // zoo: 1j
        let last = self.result.take();
        // :zoo
        self.result = None;
        // zoo: 1j
        if self.bug.is("1j") {
            self.result = last;
        }
        // :zoo
        self.send(context);
    }

    fn result(&self) -> Option<KeyValueResult> {
        self.result.clone()
    }
}

/// Tells the tests how to make the store, the server and a client.
#[derive(Clone, Default)]
pub struct Solution {
    // zoo:
    pub(crate) bug: Switch,
    // :zoo
}

impl ExactlyOnce for Solution {
    type Store = Store;
    type Message = Message;
    type Server = Server;
    type Client = Caller;

    fn store(&self) -> Store {
        Store::default()
    }

    fn server(&self) -> Server {
        Server {
            // zoo:
            bug: self.bug,
            // :zoo
            ..Server::default()
        }
    }

    fn client(&self, server: Address) -> Caller {
        Caller {
            server,
            number: 0,
            command: None,
            result: None,
            // zoo:
            bug: self.bug,
            // :zoo
        }
    }
}
