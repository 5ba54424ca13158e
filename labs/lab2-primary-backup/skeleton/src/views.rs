//! Part 1: the view server.

use crate::servers::Message;
use foresee::{Address, Context, Node};
use foresee_lab2::{CHECK_EVERY, View, ViewMessage};
use serde::{Deserialize, Serialize};

/// Says who is primary and who is backup.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct ViewServer {
    pub view: View,
    pub is_acknowledged: bool,
    // Your fields.
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Check;

impl Node for ViewServer {
    type Message = Message;
    type Timer = Check;

    fn init(&mut self, context: &mut Context<Message, Check>) {
        context.set_timer(Check, CHECK_EVERY);
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Check>,
    ) {
        let Message::Views(message) = message else { return };
        let _ = (from, context);
        match message {
            ViewMessage::Ping { number } => {
                let _ = number;
                todo!(
                    "part 1: this server is there; perhaps it acknowledges the view; perhaps there is a new one; answer it"
                )
            }
            ViewMessage::Get => todo!("part 1: answer with the view"),
            ViewMessage::View(_) => {}
        }
    }

    fn on_timer(&mut self, timer: Check, context: &mut Context<Message, Check>) {
        let _ = (timer, context);
        todo!("part 1: who has been silent for two checks? is there a new view?")
    }
}
