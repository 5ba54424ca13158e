//! Part 1: the application, a map from text to text.

use foresee::{Application, KeyValueCommand, KeyValueResult};
use serde::{Deserialize, Serialize};

/// A map from text to text. Use a `BTreeMap`: a `HashMap` can be neither compared as a whole nor gone through in a fixed order.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Store {
    // Your fields.
}

impl Application for Store {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn execute(&mut self, command: &KeyValueCommand) -> KeyValueResult {
        match command {
            KeyValueCommand::Get { key } => todo!("part 1: look up {key}"),
            KeyValueCommand::Put { key, value } => todo!("part 1: store {value} under {key}"),
            KeyValueCommand::Append { key, value } => todo!("part 1: append {value} to {key}"),
            KeyValueCommand::Swap { key, expected, new } => {
                todo!("part 1: if {key} holds {expected}, let it hold {new}")
            }
        }
    }
}
