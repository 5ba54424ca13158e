//! Part 2: a client of the store.

use crate::message::Message;
use foresee::{Address, Client, Context, Node};
use foresee_lab4::{Configuration, RETRY_AFTER, StoreCommand, StoreResult};
use serde::{Deserialize, Serialize};

/// The client's timer. What must it name?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    // Your fields.
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct StoreClient {
    pub masters: Vec<Address>,
    /// The newest that it has heard of.
    pub configuration: Configuration,
    pub result: Option<StoreResult>,
    // Your fields.
}

impl Node for StoreClient {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        let _ = (from, message, context);
        todo!("part 2: a result, a new configuration, or news that this was the wrong group")
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        let _ = (timer, context, RETRY_AFTER);
        todo!("part 2: the client sends its command again, if it still waits for the result")
    }
}

impl Client for StoreClient {
    type Command = StoreCommand;
    type Result = StoreResult;

    fn send_command(&mut self, command: StoreCommand, context: &mut Context<Message, Retry>) {
        let _ = (command, context, &self.masters, &self.configuration);
        todo!("part 2: to the group that owns the key's shard; who is that?")
    }

    fn result(&self) -> Option<StoreResult> {
        self.result.clone()
    }
}
