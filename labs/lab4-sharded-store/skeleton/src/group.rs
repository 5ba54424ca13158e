//! Parts 2 and 3: what the servers of a group replicate. Everything here happens at a place in the group's log.

use foresee::{Address, Application};
use foresee_lab4::{Configuration, Held, StoreCommand, StoreResult};
use serde::{Deserialize, Serialize};

/// What stands in the log of a group. There will be more: what else changes what a group has?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Command {
    Client { client: Address, number: u64, command: StoreCommand },
}

/// What came of it.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Told {
    Result(StoreResult),
    WrongGroup,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Group {
    pub number: u32,
    pub configuration: Configuration,
    // Your fields. What belongs to a shard, and travels with it?
}

impl Group {
    pub fn held(&self, shard: usize) -> Held {
        let _ = (shard, self.number);
        Held::Elsewhere
    }
}

impl Application for Group {
    type Command = Command;
    type Result = Told;

    fn execute(&mut self, command: &Command) -> Told {
        let _ = command;
        todo!("part 2: a client's command, if its shard is served here; part 3: transactions")
    }
}
