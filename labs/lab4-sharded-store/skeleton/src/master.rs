//! Part 1: the master, which decides who owns which shard. The servers that replicate it and its clients are ready.

use crate::message::Message;
use crate::paxos::{Caller, Replica, Retry, Timer};
use foresee::{Address, Application, Client, Context, Node};
use foresee_lab4::{Configuration, MasterCommand, MasterResult};
use serde::{Deserialize, Serialize};

/// What must it remember, besides the latest configuration?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Master {
    pub latest: Configuration,
}

impl Application for Master {
    type Command = MasterCommand;
    type Result = MasterResult;

    fn execute(&mut self, command: &MasterCommand) -> MasterResult {
        let _ = (command, &mut self.latest);
        todo!("part 1: the master makes the next configuration, or refuses, or answers a query")
    }
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct MasterServer {
    pub replica: Replica<Master>,
}

impl Node for MasterServer {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Message, Timer>) {
        context.within(Message::Master, |timer| timer, |inner| self.replica.init(inner));
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        match message {
            Message::Master(message) => context.within(
                Message::Master,
                |timer| timer,
                |inner| self.replica.on_message(from, message, inner),
            ),
            Message::Ask { number } => {
                let _ = number;
                todo!("part 2: answer, if this configuration is there")
            }
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Message, Timer>) {
        context.within(Message::Master, |timer| timer, |inner| self.replica.on_timer(timer, inner));
    }
}

/// A client of the master.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Operator {
    pub caller: Caller<Master>,
}

impl Node for Operator {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        let Message::Master(message) = message else { return };
        context.within(
            Message::Master,
            |timer| timer,
            |inner| self.caller.on_message(from, message, inner),
        );
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        context.within(Message::Master, |timer| timer, |inner| self.caller.on_timer(timer, inner));
    }
}

impl Client for Operator {
    type Command = MasterCommand;
    type Result = MasterResult;

    fn send_command(&mut self, command: MasterCommand, context: &mut Context<Message, Retry>) {
        context.within(
            Message::Master,
            |timer| timer,
            |inner| self.caller.send_command(command, inner),
        );
    }

    fn result(&self) -> Option<MasterResult> {
        self.caller.result()
    }
}
