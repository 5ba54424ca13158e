//! The store: what clients ask, and what a single copy would answer.

use foresee::Application;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What clients ask. As text: `GET:k`, `PUT:k:v`, `APPEND:k:v`, and over several keys `MULTIGET:k:l`, `MULTIPUT:k:v:l:w`, `SWAP:k:l`.
///
/// ```
/// use foresee::Application;
/// use foresee_lab4::{Store, StoreCommand};
/// let mut store = Store::default();
/// let mut ask = |text: &str| store.execute(&text.parse().unwrap()).to_string();
/// assert_eq!([ask("GET:k"), ask("APPEND:k:a"), ask("APPEND:k:b"), ask("GET:k")], ["MISSING", "APPENDED:a", "APPENDED:ab", "VALUE:ab"]);
/// assert_eq!([ask("MULTIPUT:k:1:l:2"), ask("SWAP:k:l"), ask("MULTIGET:k:l:m")], ["OK", "OK", "VALUES:=2:=1:"]);
/// let command: StoreCommand = "SWAP:k:l".parse().unwrap();
/// assert_eq!(command.keys(), ["k", "l"]);
/// ```
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum StoreCommand {
    Get {
        key: String,
    },
    Put {
        key: String,
        value: String,
    },
    /// Append to the value (a missing one counts as empty) and get the whole.
    Append {
        key: String,
        value: String,
    },
    /// The values of several keys at one moment.
    MultiGet {
        keys: Vec<String>,
    },
    /// Several keys get their values at one moment.
    MultiPut {
        values: BTreeMap<String, String>,
    },
    /// Two keys exchange their values; a missing value is exchanged, too.
    Swap {
        first: String,
        second: String,
    },
}

/// What clients are told. As text: `VALUE:v`, `MISSING`, `OK`, `APPENDED:v`, `VALUES:=v::=w` (the second is missing).
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum StoreResult {
    Value(String),
    Missing,
    Ok,
    /// The value after appending.
    Appended(String),
    /// In the order of the keys that were asked for.
    Values(Vec<Option<String>>),
}

impl StoreCommand {
    /// The keys that it is about.
    pub fn keys(&self) -> Vec<&str> {
        match self {
            StoreCommand::Get { key }
            | StoreCommand::Put { key, .. }
            | StoreCommand::Append { key, .. } => vec![key],
            StoreCommand::MultiGet { keys } => keys.iter().map(String::as_str).collect(),
            StoreCommand::MultiPut { values } => values.keys().map(String::as_str).collect(),
            StoreCommand::Swap { first, second } => vec![first, second],
        }
    }
}

/// A single copy of the store.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Store {
    values: BTreeMap<String, String>,
}

impl Store {
    pub fn get(&self, key: &str) -> Option<&String> {
        self.values.get(key)
    }

    /// Puts a value under a key, or takes it away.
    pub fn set(&mut self, key: &str, value: Option<String>) {
        match value {
            Some(value) => self.values.insert(key.to_owned(), value),
            None => self.values.remove(key),
        };
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Application for Store {
    type Command = StoreCommand;
    type Result = StoreResult;

    fn execute(&mut self, command: &StoreCommand) -> StoreResult {
        match command {
            StoreCommand::Get { key } => match self.get(key) {
                Some(value) => StoreResult::Value(value.clone()),
                None => StoreResult::Missing,
            },
            StoreCommand::Put { key, value } => {
                self.set(key, Some(value.clone()));
                StoreResult::Ok
            }
            StoreCommand::Append { key, value } => {
                let whole = self.values.entry(key.clone()).or_default();
                whole.push_str(value);
                StoreResult::Appended(whole.clone())
            }
            StoreCommand::MultiGet { keys } => {
                StoreResult::Values(keys.iter().map(|key| self.get(key).cloned()).collect())
            }
            StoreCommand::MultiPut { values } => {
                values.iter().for_each(|(key, value)| self.set(key, Some(value.clone())));
                StoreResult::Ok
            }
            StoreCommand::Swap { first, second } => {
                let (one, other) = (self.get(first).cloned(), self.get(second).cloned());
                self.set(first, other);
                self.set(second, one);
                StoreResult::Ok
            }
        }
    }

    /// Commands on one key have nothing to do with other keys. Histories with commands on several are not judged key by key.
    fn part(command: &StoreCommand) -> Option<&str> {
        match command {
            StoreCommand::Get { key }
            | StoreCommand::Put { key, .. }
            | StoreCommand::Append { key, .. } => Some(key),
            _ => None,
        }
    }
}

impl fmt::Display for StoreCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreCommand::Get { key } => write!(f, "GET:{key}"),
            StoreCommand::Put { key, value } => write!(f, "PUT:{key}:{value}"),
            StoreCommand::Append { key, value } => write!(f, "APPEND:{key}:{value}"),
            StoreCommand::MultiGet { keys } => write!(f, "MULTIGET:{}", keys.join(":")),
            StoreCommand::MultiPut { values } => {
                f.write_str("MULTIPUT")?;
                values.iter().try_for_each(|(key, value)| write!(f, ":{key}:{value}"))
            }
            StoreCommand::Swap { first, second } => write!(f, "SWAP:{first}:{second}"),
        }
    }
}

impl FromStr for StoreCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["GET", key] => Ok(StoreCommand::Get { key: key.into() }),
            ["PUT", key, value] => Ok(StoreCommand::Put { key: key.into(), value: value.into() }),
            ["APPEND", key, value] => {
                Ok(StoreCommand::Append { key: key.into(), value: value.into() })
            }
            ["MULTIGET", _, ..] => {
                let keys = parts[1..].iter().map(|key| (*key).to_owned()).collect();
                Ok(StoreCommand::MultiGet { keys })
            }
            ["MULTIPUT", _, _, ..] if parts.len() % 2 == 1 => {
                let pairs = parts[1..].chunks(2);
                let values = pairs.map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect();
                Ok(StoreCommand::MultiPut { values })
            }
            ["SWAP", first, second] => {
                Ok(StoreCommand::Swap { first: first.into(), second: second.into() })
            }
            _ => Err(format!(
                "`{text}` is none of GET:KEY, PUT:KEY:VALUE, APPEND:KEY:VALUE, MULTIGET:KEY:KEY, MULTIPUT:KEY:VALUE:KEY:VALUE and SWAP:KEY:KEY"
            )),
        }
    }
}

impl fmt::Display for StoreResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreResult::Value(value) => write!(f, "VALUE:{value}"),
            StoreResult::Missing => f.write_str("MISSING"),
            StoreResult::Ok => f.write_str("OK"),
            StoreResult::Appended(value) => write!(f, "APPENDED:{value}"),
            StoreResult::Values(values) => {
                f.write_str("VALUES")?;
                values.iter().try_for_each(|value| match value {
                    Some(value) => write!(f, ":={value}"),
                    None => f.write_str(":"),
                })
            }
        }
    }
}

impl FromStr for StoreResult {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["VALUE", value] => Ok(StoreResult::Value(value.into())),
            ["MISSING"] => Ok(StoreResult::Missing),
            ["OK"] => Ok(StoreResult::Ok),
            ["APPENDED", value] => Ok(StoreResult::Appended(value.into())),
            ["VALUES", _, ..] => {
                let values =
                    parts[1..].iter().map(|part| part.strip_prefix('=').map(str::to_owned));
                Ok(StoreResult::Values(values.collect()))
            }
            _ => Err(format!("`{text}` is no result of the store")),
        }
    }
}
