//! The client: replication is its work, since servers do not talk to each other.

use crate::message::Message;
use foresee::{Address, Client, Context, Node};
use foresee_lab6::{Layout, LogCommand, LogResult, RETRY_AFTER};
use serde::{Deserialize, Serialize};

/// The client's timer. What must it name?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    // Your fields.
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Caller {
    /// The layout service.
    pub layouts: Address,
    /// The layout that the client knows.
    pub layout: Layout,
    // Your fields: the command that is open, and how far it is.
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
        let _ = (from, message, context, self.layouts);
        todo!(
            "part 1: the client goes on to the next server, or has its result; part 2: its layout may be old"
        )
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        let _ = (timer, context);
        todo!("part 1: the client sends again what it waits for")
    }
}

impl Client for Caller {
    type Command = LogCommand;
    type Result = LogResult;

    fn send_command(&mut self, command: LogCommand, context: &mut Context<Message, Retry>) {
        let _ = (command, context, &self.layout, RETRY_AFTER);
        todo!("part 1: a write begins at the head of the chain, a read asks its tail")
    }

    fn result(&self) -> Option<LogResult> {
        todo!("part 1: the result of the last command, once there is one")
    }
}
