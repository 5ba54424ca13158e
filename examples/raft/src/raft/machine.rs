//! What is replicated: a key-value store, and the last answer of each client, so that a call that comes again happens once.

use super::log::{Call, Entry, Place};
use foresee::{Address, Application, KeyValueResult, KeyValueStore};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Machine {
    pub(crate) store: KeyValueStore,
    pub(crate) answered: BTreeMap<Address, (u64, KeyValueResult)>,
}

/// The machine after the entries up to a place.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Snapshot {
    pub(crate) place: Place,
    pub(crate) machine: Machine,
}

impl Machine {
    /// What a call was answered; `None` if it has not happened.
    pub(crate) fn answer(&self, client: Address, number: u64) -> Option<&KeyValueResult> {
        let (last, result) = self.answered.get(&client)?;
        (*last >= number).then_some(result)
    }

    /// Carries out an entry, once.
    pub(crate) fn apply(&mut self, entry: &Entry) {
        let Some(Call { client, number, command }) = &entry.call else { return };
        if self.answer(*client, *number).is_none() {
            let result = self.store.execute(command);
            self.answered.insert(*client, (*number, result));
        }
    }
}
