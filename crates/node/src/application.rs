//! Applications: deterministic state machines that a protocol replicates, and one that everybody knows.
//! An application is its own sequential specification, so `world.linearizable(KeyValueStore::default())` checks a
//! replicated store against a single copy of itself.

use crate::{Access, Data, Sequential};
use foresee_stdx::stable_hash;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::str::FromStr;

/// A state machine that executes commands one after another.
pub trait Application:
    Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    type Command: Data;
    type Result: Data;

    /// Executes a command; the same result for the same state and command, always.
    fn execute(&mut self, command: &Self::Command) -> Self::Result;

    /// A command in the words of history files (see [`Sequential::operation_text`]).
    fn command_text(command: &Self::Command) -> Option<String> {
        let _ = command;
        None
    }

    /// A result in the words of history files.
    fn result_text(result: &Self::Result) -> Option<String> {
        let _ = result;
        None
    }

    /// What a command does to a cell (see [`Sequential::access`]).
    fn access(command: &Self::Command, result: Option<&Self::Result>) -> Option<Access> {
        let _ = (command, result);
        None
    }

    /// The value that every part has now, if parts are cells (see [`Sequential::cell`]).
    fn cell(&self) -> Option<u64> {
        None
    }

    /// The part of the state that a command is about (see [`Sequential::part`]).
    fn part(command: &Self::Command) -> Option<&str> {
        let _ = command;
        None
    }
}

impl<A: Application> Sequential for A {
    type Operation = A::Command;
    type Result = A::Result;

    fn apply(&mut self, command: &A::Command) -> A::Result {
        self.execute(command)
    }

    fn part(command: &A::Command) -> Option<&str> {
        <A as Application>::part(command)
    }

    fn operation_text(command: &A::Command) -> Option<String> {
        A::command_text(command)
    }

    fn result_text(result: &A::Result) -> Option<String> {
        <A as Application>::result_text(result)
    }

    fn access(command: &A::Command, result: Option<&A::Result>) -> Option<Access> {
        <A as Application>::access(command, result)
    }

    fn cell(&self) -> Option<u64> {
        <A as Application>::cell(self)
    }
}

/// A map from text to text.
///
/// ```
/// use foresee_node::{Application, KeyValueCommand, KeyValueResult, KeyValueStore};
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

    fn part(command: &KeyValueCommand) -> Option<&str> {
        Some(command.key())
    }

    fn command_text(command: &KeyValueCommand) -> Option<String> {
        Some(command.to_string())
    }

    fn result_text(result: &KeyValueResult) -> Option<String> {
        Some(result.to_string())
    }

    fn access(command: &KeyValueCommand, result: Option<&KeyValueResult>) -> Option<Access> {
        let number = |value: Option<&str>| stable_hash(&value);
        match (command, result) {
            (KeyValueCommand::Get { .. }, None) => Some(Access::Read(None)),
            (KeyValueCommand::Get { .. }, Some(KeyValueResult::GetResult(value))) => {
                Some(Access::Read(Some(number(Some(value)))))
            }
            (KeyValueCommand::Get { .. }, Some(KeyValueResult::KeyNotFound)) => {
                Some(Access::Read(Some(number(None))))
            }
            (KeyValueCommand::Put { value, .. }, None | Some(KeyValueResult::PutOk)) => {
                Some(Access::Write(number(Some(value))))
            }
            _ => None,
        }
    }

    fn cell(&self) -> Option<u64> {
        self.values.is_empty().then(|| stable_hash(&None::<&str>))
    }

    fn execute(&mut self, command: &KeyValueCommand) -> KeyValueResult {
        match command {
            KeyValueCommand::Get { key } => match self.values.get(key) {
                Some(value) => KeyValueResult::GetResult(value.clone()),
                None => KeyValueResult::KeyNotFound,
            },
            KeyValueCommand::Put { key, value } => {
                // The room of the old value is used again, where there is one.
                match self.values.get_mut(key) {
                    Some(known) => known.clone_from(value),
                    None => drop(self.values.insert(key.clone(), value.clone())),
                }
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

impl fmt::Display for KeyValueCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyValueCommand::Get { key } => write!(f, "GET:{key}"),
            KeyValueCommand::Put { key, value } => write!(f, "PUT:{key}:{value}"),
            KeyValueCommand::Append { key, value } => write!(f, "APPEND:{key}:{value}"),
            KeyValueCommand::Swap { key, expected, new } => {
                write!(f, "SWAP:{key}:{expected}:{new}")
            }
        }
    }
}

impl fmt::Display for KeyValueResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyValueResult::GetResult(value) => write!(f, "VALUE:{value}"),
            KeyValueResult::KeyNotFound => f.write_str("MISSING"),
            KeyValueResult::PutOk => f.write_str("OK"),
            KeyValueResult::AppendResult(value) => write!(f, "APPENDED:{value}"),
            KeyValueResult::SwapResult(is_swapped) => write!(f, "SWAPPED:{is_swapped}"),
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
        for text in ["GET:k", "PUT:k:a:b", "APPEND:k:", "SWAP:k:a:b:c"] {
            assert_eq!(text.parse::<KeyValueCommand>().unwrap().to_string(), text);
        }
        for text in ["VALUE:", "VALUE:a:b", "MISSING", "OK", "APPENDED:x", "SWAPPED:false"] {
            assert_eq!(text.parse::<KeyValueResult>().unwrap().to_string(), text);
        }
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
