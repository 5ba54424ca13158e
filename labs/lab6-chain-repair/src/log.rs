//! The log: what clients ask, and what a single copy would answer. A key takes one value, for ever.

use foresee::Sequential;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What clients ask. As text: `WRITE:k:v`, `READ:k`.
///
/// ```
/// use foresee_lab6::{Log, LogCommand, LogResult};
/// use foresee::Sequential;
/// let mut log = Log::default();
/// let mut ask = |text: &str| log.apply(&text.parse().unwrap()).to_string();
/// assert_eq!([ask("READ:k"), ask("WRITE:k:a"), ask("WRITE:k:b"), ask("READ:k")], ["NOTHING", "WRITTEN", "TAKEN:a", "VALUE:a"]);
/// assert_eq!(ask("WRITE:k:a"), "WRITTEN", "the same value again");
/// ```
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum LogCommand {
    Write { key: String, value: String },
    Read { key: String },
}

/// What clients are told. As text: `WRITTEN`, `TAKEN:v`, `VALUE:v`, `NOTHING`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum LogResult {
    /// The key holds the value that was to be written.
    Written,
    /// The key holds another.
    Taken(String),
    Value(String),
    Nothing,
}

/// A single copy of the log.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Log {
    values: BTreeMap<String, String>,
}

impl Sequential for Log {
    type Operation = LogCommand;
    type Result = LogResult;

    fn apply(&mut self, command: &LogCommand) -> LogResult {
        match command {
            LogCommand::Write { key, value } => {
                let there = self.values.entry(key.clone()).or_insert_with(|| value.clone());
                if there == value { LogResult::Written } else { LogResult::Taken(there.clone()) }
            }
            LogCommand::Read { key } => match self.values.get(key) {
                Some(value) => LogResult::Value(value.clone()),
                None => LogResult::Nothing,
            },
        }
    }

    fn part(command: &LogCommand) -> Option<&str> {
        match command {
            LogCommand::Write { key, .. } | LogCommand::Read { key } => Some(key),
        }
    }
}

impl fmt::Display for LogCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogCommand::Write { key, value } => write!(f, "WRITE:{key}:{value}"),
            LogCommand::Read { key } => write!(f, "READ:{key}"),
        }
    }
}

impl FromStr for LogCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["WRITE", key, value] => Ok(LogCommand::Write { key: key.into(), value: value.into() }),
            ["READ", key] => Ok(LogCommand::Read { key: key.into() }),
            _ => Err(format!("`{text}` is neither WRITE:KEY:VALUE nor READ:KEY")),
        }
    }
}

impl fmt::Display for LogResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogResult::Written => f.write_str("WRITTEN"),
            LogResult::Taken(value) => write!(f, "TAKEN:{value}"),
            LogResult::Value(value) => write!(f, "VALUE:{value}"),
            LogResult::Nothing => f.write_str("NOTHING"),
        }
    }
}

impl FromStr for LogResult {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["WRITTEN"] => Ok(LogResult::Written),
            ["TAKEN", value] => Ok(LogResult::Taken(value.into())),
            ["VALUE", value] => Ok(LogResult::Value(value.into())),
            ["NOTHING"] => Ok(LogResult::Nothing),
            _ => Err(format!("`{text}` is no result of the log")),
        }
    }
}
