//! The operator: gets a server into the chain while clients go on, or ends a repair.

use crate::message::Message;
use foresee::{Address, Context, Node};
use foresee_lab6::{RETRY_AFTER, Task};
use serde::{Deserialize, Serialize};

/// The operator's timer.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Again {}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Operator {
    pub layouts: Address,
    pub task: Task,
    pub is_done: bool,
    // Your fields: how far it is.
}

impl Node for Operator {
    type Message = Message;
    type Timer = Again;

    fn init(&mut self, context: &mut Context<Message, Again>) {
        let _ = (context, self.layouts, RETRY_AFTER);
        todo!("part 2: the operator begins with its task")
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Again>,
    ) {
        let _ = (from, message, context);
        todo!(
            "part 2: the operator goes on with its task; part 3: a chain of one, and a repair that is abandoned"
        )
    }

    fn on_timer(&mut self, timer: Again, context: &mut Context<Message, Again>) {
        let _ = (timer, context);
        todo!("part 2: the operator sends again what it waits for")
    }
}
