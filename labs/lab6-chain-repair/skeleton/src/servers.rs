//! The layout service and the servers. Neither begins anything: they answer.

use crate::message::Message;
use foresee::{Address, Context, Node};
use foresee_lab6::{Layout, Part};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Gives out the layout, and takes a new one from operators.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Layouts {
    pub layout: Layout,
}

impl Node for Layouts {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let _ = (from, message, context, &mut self.layout);
        todo!(
            "part 1: the layout service answers questions; part 2: it takes a new layout, if it follows on the one there is"
        )
    }
}

/// Holds values. A key takes one value, for ever.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    /// The newest epoch that it has heard of.
    pub epoch: u64,
    pub disk: BTreeMap<String, String>,
    // Your fields. Part 3: what does the first half of a server that is split in two keep, and where?
}

impl Server {
    /// What this part of the server holds under a key.
    pub fn value(&self, part: Part, key: &str) -> Option<&String> {
        let _ = part;
        self.disk.get(key)
    }
}

impl Node for Server {
    type Message = Message;
    type Timer = ();

    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let _ = (from, message, context, self.epoch);
        todo!(
            "part 1: a server stores a value unless it has one, and says what it has; part 2: it refuses epochs that are over"
        )
    }
}
