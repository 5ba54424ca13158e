//! A client of the store: it knows a configuration, perhaps an old one, and sends each command to the group that owns its key there.

use super::Message;
use foresee::{Address, Client, Context, Node};
use foresee_lab4::{Configuration, RETRY_AFTER, StoreCommand, StoreResult};
// zoo:
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};

/// The client's timer: it names the command that it is about.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    number: u64,
}

/// Sends a command until it is answered.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct StoreClient {
    masters: Vec<Address>,
    configuration: Configuration,
    /// Of the last command.
    number: u64,
    /// The command that waits for its result.
    command: Option<StoreCommand>,
    result: Option<StoreResult>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

impl StoreClient {
    pub fn new(masters: &[Address], n_shards: usize) -> Self {
        StoreClient {
            masters: masters.to_vec(),
            configuration: Configuration::first(n_shards),
            number: 0,
            command: None,
            result: None,
            // zoo:
            bug: Switch::off(),
            // :zoo
        }
    }
    // zoo:

    pub(crate) fn with_bug(mut self, bug: Switch) -> Self {
        self.bug = bug;
        self
    }
    // :zoo

    /// To the servers of the group that owns the first of the command's keys.
    fn send(&self, context: &mut Context<Message, Retry>) {
        let Some(command) = &self.command else { return };
        let keys = command.keys().into_iter();
        let key = keys.min().expect("a command has a key");
        // zoo: coordinator-last
        let last = command.keys().into_iter().max();
        let key = last.filter(|_| self.bug.is("coordinator-last")).unwrap_or(key);
        // :zoo
        if let Some(group) = self.configuration.owner_of(key) {
            let message = Message::Request { number: self.number, command: command.clone() };
            context.broadcast(self.configuration.servers(group), &message);
        }
    }

    /// Clients whose transactions were in each other's way do not come back at the same time.
    fn wait(timer: Retry, context: &mut Context<Message, Retry>) {
        context.set_timer_between(timer, RETRY_AFTER, 2 * RETRY_AFTER);
    }

    fn ask(&self, context: &mut Context<Message, Retry>) {
        context.broadcast(&self.masters, &Message::Ask { number: None });
    }
}

impl Node for StoreClient {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        match message {
            Message::Reply { number, result }
                if number == self.number && self.command.is_some() =>
            {
                self.command = None;
                self.result = Some(result);
            }
            // zoo: 4l
            Message::WrongGroup { number } if number == self.number && self.bug.is("4l") => {
                self.command = None;
            }
            // :zoo
            Message::WrongGroup { number } if number == self.number && self.command.is_some() => {
                self.ask(context);
            }
            Message::Configuration(newer) if newer.number > self.configuration.number => {
                self.configuration = newer;
                self.send(context);
            }
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        if timer.number == self.number && self.command.is_some() {
            self.send(context);
            self.ask(context);
            Self::wait(timer, context);
        }
    }
}

impl Client for StoreClient {
    type Command = StoreCommand;
    type Result = StoreResult;

    fn send_command(&mut self, command: StoreCommand, context: &mut Context<Message, Retry>) {
        self.number += 1;
        self.command = Some(command);
        self.result = None;
        match self.configuration.number {
            0 => self.ask(context),
            _ => self.send(context),
        }
        Self::wait(Retry { number: self.number }, context);
    }

    fn result(&self) -> Option<StoreResult> {
        self.result.clone()
    }
}
