//! Parts 2 and 3: a server of a group. A part of it replicates the group; what is around it talks to clients, masters and other groups.

use crate::group::Group;
use crate::message::Message;
use crate::paxos::{self, Replica};
use foresee::{Address, Context, Node};
use foresee_lab4::TICK_EVERY;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Timer {
    Group(paxos::Timer),
    Tick,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    pub servers: Vec<Address>,
    pub masters: Vec<Address>,
    pub replica: Replica<Group>,
}

impl Node for Server {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Message, Timer>) {
        context.set_timer(Timer::Tick, TICK_EVERY);
        context.within(Message::Group, Timer::Group, |inner| self.replica.init(inner));
        let _ = (&self.servers, &self.masters);
        todo!("part 2: find out about configurations")
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        let _ = (from, message, context);
        todo!("part 2: put it into the log if it changes something, and answer when it is done")
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Message, Timer>) {
        let _ = (timer, context);
        todo!("part 2: what must be said again?")
    }
}
