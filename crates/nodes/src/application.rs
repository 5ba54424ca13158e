//! Applications: deterministic state machines that a protocol replicates, and one that everybody knows.
//! An application is its own sequential specification, so `world.linearizable(KeyValueStore::default())` checks a
//! replicated store against a single copy of itself.

use crate::{Data, Sequential};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::str::FromStr;

/// A state machine that executes commands one after another.
pub trait Application: Clone + Eq + Hash + Debug + Serialize + Send + Sync + 'static {
    type Command: Data;
    type Result: Data;

    /// Executes a command; the same result for the same state and command, always.
    fn execute(&mut self, command: &Self::Command) -> Self::Result;
}

impl<A: Application> Sequential for A {
    type Operation = A::Command;
    type Result = A::Result;

    fn apply(&mut self, command: &A::Command) -> A::Result {
        self.execute(command)
    }
}

/// A map from text to text.
///
/// ```
/// use foresee_nodes::{Application, KeyValueCommand, KeyValueResult, KeyValueStore};
/// let mut store = KeyValueStore::default();
/// assert_eq!(store.execute(&KeyValueCommand::get("a")), KeyValueResult::KeyNotFound);
/// assert_eq!(store.execute(&KeyValueCommand::append("a", "x")), KeyValueResult::AppendResult("x".into()));
/// assert_eq!(store.execute(&KeyValueCommand::append("a", "y")), KeyValueResult::AppendResult("xy".into()));
/// assert_eq!(store.execute(&KeyValueCommand::put("a", "z")), KeyValueResult::PutOk);
/// assert_eq!(store.execute(&"GET:a".parse().unwrap()), KeyValueResult::GetResult("z".into()));
/// ```
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct KeyValueStore {
    values: BTreeMap<String, String>,
}

/// What can be asked of a [`KeyValueStore`]; read from text as `GET:key`, `PUT:key:value`, `APPEND:key:value` and
/// `SWAP:key:expected:new` (the last part may contain colons).
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum KeyValueCommand {
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
    /// Put `new` if the value is `expected` (a missing one counts as empty).
    Swap {
        key: String,
        expected: String,
        new: String,
    },
}

/// What a [`KeyValueStore`] answers; read from text as `VALUE:value`, `MISSING`, `OK`, `APPENDED:value`,
/// `SWAPPED:true`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum KeyValueResult {
    GetResult(String),
    KeyNotFound,
    PutOk,
    /// The value after appending.
    AppendResult(String),
    SwapResult(bool),
}

impl KeyValueCommand {
    pub fn get(key: impl Into<String>) -> Self {
        KeyValueCommand::Get { key: key.into() }
    }

    pub fn put(key: impl Into<String>, value: impl Into<String>) -> Self {
        let (key, value) = (key.into(), value.into());
        KeyValueCommand::Put { key, value }
    }

    pub fn append(key: impl Into<String>, value: impl Into<String>) -> Self {
        let (key, value) = (key.into(), value.into());
        KeyValueCommand::Append { key, value }
    }

    pub fn swap(
        key: impl Into<String>,
        expected: impl Into<String>,
        new: impl Into<String>,
    ) -> Self {
        let (key, expected, new) = (key.into(), expected.into(), new.into());
        KeyValueCommand::Swap { key, expected, new }
    }

    /// The key the command is about.
    pub fn key(&self) -> &str {
        match self {
            KeyValueCommand::Get { key }
            | KeyValueCommand::Put { key, .. }
            | KeyValueCommand::Append { key, .. }
            | KeyValueCommand::Swap { key, .. } => key,
        }
    }
}

impl Application for KeyValueStore {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn execute(&mut self, command: &KeyValueCommand) -> KeyValueResult {
        match command {
            KeyValueCommand::Get { key } => match self.values.get(key) {
                Some(value) => KeyValueResult::GetResult(value.clone()),
                None => KeyValueResult::KeyNotFound,
            },
            KeyValueCommand::Put { key, value } => {
                self.values.insert(key.clone(), value.clone());
                KeyValueResult::PutOk
            }
            KeyValueCommand::Append { key, value } => {
                let whole = self.values.entry(key.clone()).or_default();
                whole.push_str(value);
                KeyValueResult::AppendResult(whole.clone())
            }
            KeyValueCommand::Swap { key, expected, new } => {
                let swap = self.values.get(key).map_or("", String::as_str) == expected;
                if swap {
                    self.values.insert(key.clone(), new.clone());
                }
                KeyValueResult::SwapResult(swap)
            }
        }
    }
}

impl FromStr for KeyValueCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        let two = || {
            rest.split_once(':')
                .ok_or_else(|| format!("{text:?} lacks a value: write {word}:key:value"))
        };
        match word {
            _ if rest.split(':').next() == Some("") => Err(format!(
                "{text:?} is no command: it names no key (GET:key, PUT:key:value, APPEND:key:value, \
                 SWAP:key:expected:new)"
            )),
            "GET" => Ok(KeyValueCommand::get(rest)),
            "PUT" => two().map(|(key, value)| KeyValueCommand::put(key, value)),
            "APPEND" => two().map(|(key, value)| KeyValueCommand::append(key, value)),
            "SWAP" => {
                let (key, values) = two()?;
                let (expected, new) = values
                    .split_once(':')
                    .ok_or_else(|| format!("{text:?} lacks the new value"))?;
                Ok(KeyValueCommand::swap(key, expected, new))
            }
            _ => Err(format!(
                "{word:?} is no command of a key-value store: GET, PUT, APPEND and SWAP are"
            )),
        }
    }
}

impl FromStr for KeyValueResult {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        match (word, rest) {
            ("VALUE", value) => Ok(KeyValueResult::GetResult(value.to_owned())),
            ("APPENDED", value) => Ok(KeyValueResult::AppendResult(value.to_owned())),
            ("MISSING", "") => Ok(KeyValueResult::KeyNotFound),
            ("OK", "") => Ok(KeyValueResult::PutOk),
            ("SWAPPED", "true") => Ok(KeyValueResult::SwapResult(true)),
            ("SWAPPED", "false") => Ok(KeyValueResult::SwapResult(false)),
            _ => Err(format!(
                "{text:?} is no result of a key-value store: VALUE:value, MISSING, OK, APPENDED:value, SWAPPED:true \
                 and SWAPPED:false are"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_needs_the_expected_value() {
        let mut store = KeyValueStore::default();
        let swap = |expected: &str, new: &str| KeyValueCommand::swap("k", expected, new);
        assert_eq!(store.execute(&swap("x", "y")), KeyValueResult::SwapResult(false));
        assert_eq!(store.execute(&swap("", "x")), KeyValueResult::SwapResult(true));
        assert_eq!(store.execute(&swap("x", "y")), KeyValueResult::SwapResult(true));
        assert_eq!(
            store.execute(&KeyValueCommand::get("k")),
            KeyValueResult::GetResult("y".into())
        );
    }

    #[test]
    fn text_is_read_and_nonsense_is_explained() {
        assert_eq!("PUT:k:a:b".parse(), Ok(KeyValueCommand::put("k", "a:b")));
        assert_eq!("SWAP:k:a:b".parse(), Ok(KeyValueCommand::swap("k", "a", "b")));
        assert_eq!("VALUE:".parse(), Ok(KeyValueResult::GetResult(String::new())));
        for wrong in ["", "GET", "GET:", "PUT:k", "SWAP:k:a", "DELETE:k", "get:k"] {
            assert!(wrong.parse::<KeyValueCommand>().is_err(), "{wrong}");
        }
        for wrong in ["", "OK:1", "SWAPPED", "value:x"] {
            assert!(wrong.parse::<KeyValueResult>().is_err(), "{wrong}");
        }
    }
}
