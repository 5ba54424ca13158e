//! Part 3: commands on keys of several groups, by two-phase commit.
//! The group of the first key coordinates. It locks its own keys when it begins, asks the others to lock theirs and to say what they hold,
//! and commits when all have, or gives up when one refuses; nobody waits for a lock, so nobody waits for ever. The decision stands in the
//! coordinator's log before anybody hears of it. Nothing of this outlives a configuration: a group goes on only when no key is locked.

use super::holdings::{Holdings, Told};
use foresee::{Address, Application};
use foresee_lab4::{Store, StoreCommand, StoreResult};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One attempt to carry out a client's command on several groups. What belongs to one counts for no other.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Attempt {
    pub client: Address,
    /// Of the client's command.
    pub number: u64,
    pub coordinator: u32,
    pub configuration: u64,
    pub attempt: u64,
}

/// What keys hold, or are to hold; `None` is nothing.
pub type Values = BTreeMap<String, Option<String>>;

/// A transaction that this group coordinates.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Coordinated {
    pub command: StoreCommand,
    /// The other groups that have not confirmed how it ended.
    pub open: BTreeSet<u32>,
    /// How it ended: what is to be written, or nothing.
    pub end: Option<Option<Values>>,
}

/// The transactions that a group has to do with.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(super) struct Transactions {
    locks: BTreeMap<String, Attempt>,
    coordinated: BTreeMap<Attempt, Coordinated>,
    /// For each client its last command and attempt that this group has begun or has seen the end of.
    last: BTreeMap<Address, (u64, u64)>,
    // zoo: 4r
    read_first: BTreeMap<(Address, u64), Values>,
    // :zoo
}

/// What a group says to `Prepare`.
pub enum Vote {
    /// It holds its keys for this attempt; this is what is in them.
    Locked(Values),
    Refused,
    /// It could lock them.
    Free,
    /// It is not there yet, and will be: what is asked again will be answered.
    NotYet,
}

impl Transactions {
    /// A new configuration: attempts of older ones are refused by its number.
    pub(super) fn forget(&mut self) {
        self.last.clear();
        // zoo: 4s
        self.locks.clear();
        // :zoo
    }

    fn is_last(&self, attempt: Attempt) -> bool {
        let last = self.last.get(&attempt.client).copied().unwrap_or_default();
        last >= (attempt.number, attempt.attempt)
    }

    fn unlock(&mut self, attempt: Attempt) {
        self.locks.retain(|_, holder| *holder != attempt);
    }
}

impl Holdings {
    /// The key whose group coordinates, and keeps the result.
    pub(super) fn first_key<'a>(&self, command: &'a StoreCommand) -> &'a str {
        let keys = command.keys().into_iter();
        // zoo: coordinator-last
        if self.bug.is("coordinator-last") {
            return keys.max().expect("a command has a key");
        }
        // :zoo
        keys.min().expect("a command has a key")
    }

    fn is_mine(&self, key: &str) -> bool {
        self.configuration.owner_of(key) == Some(self.group)
    }

    fn my_keys<'a>(&self, command: &'a StoreCommand) -> impl Iterator<Item = &'a str> {
        command.keys().into_iter().filter(|key| self.is_mine(key))
    }

    pub(super) fn is_mine_alone(&self, command: &StoreCommand) -> bool {
        command.keys().iter().all(|key| self.is_mine(key))
    }

    /// Whether the keys that are here can be had now.
    pub(super) fn is_free(&self, client: Address, number: u64, command: &StoreCommand) -> bool {
        let is_one = command.keys().len() == 1;
        let is_open = |attempt: &Attempt| (attempt.client, attempt.number) == (client, number);
        let is_begun = self.transactions.coordinated.keys().any(is_open);
        if !is_one && (self.next.is_some() || is_begun) {
            return false;
        }
        // zoo: 4m
        if self.bug.is("4m") && matches!(command, StoreCommand::Get { .. }) {
            return true;
        }
        // :zoo
        self.my_keys(command).all(|key| self.is_unlocked(key))
    }

    fn is_unlocked(&self, key: &str) -> bool {
        // zoo: abort-on-any-conflict
        if self.bug.is("abort-on-any-conflict") && !self.transactions.locks.is_empty() {
            return false;
        }
        // :zoo
        self.shard(key).is_some() && !self.transactions.locks.contains_key(key)
    }

    fn read(&self, command: &StoreCommand) -> Values {
        let held = |key: &str| self.shard(key).and_then(|shard| shard.store.get(key)).cloned();
        self.my_keys(command).map(|key| (key.to_owned(), held(key))).collect()
    }

    fn write(&mut self, values: &Values) {
        for (key, value) in values {
            if let Some(shard) = self.shard_mut(key) {
                shard.store.set(key, value.clone());
            }
        }
    }

    /// A command on several keys of this group alone.
    pub(super) fn carry_out_alone(&mut self, command: &StoreCommand) -> StoreResult {
        let (result, writes) = outcome(command, self.read(command));
        self.write(&writes);
        result
    }

    fn lock(&mut self, attempt: Attempt, command: &StoreCommand) {
        // zoo: 4q
        if self.bug.is("4q") && matches!(command, StoreCommand::MultiGet { .. }) {
            return;
        }
        // :zoo
        let keys: Vec<String> = self.my_keys(command).map(str::to_owned).collect();
        self.transactions.locks.extend(keys.into_iter().map(|key| (key, attempt)));
    }

    /// This group coordinates a client's command.
    pub(super) fn begin(&mut self, client: Address, number: u64, command: &StoreCommand) {
        let groups = command.keys().into_iter().filter_map(|key| self.configuration.owner_of(key));
        let open = groups.filter(|group| *group != self.group).collect();
        let attempt = match self.transactions.last.get(&client) {
            Some((last, attempt)) if *last == number => attempt + 1,
            _ => 1,
        };
        // zoo: 4p
        let attempt = if self.bug.is("4p") { 1 } else { attempt };
        // :zoo
        self.transactions.last.insert(client, (number, attempt));
        let configuration = self.configuration.number;
        let attempt = Attempt { client, number, coordinator: self.group, configuration, attempt };
        self.lock(attempt, command);
        // zoo: 4r
        if self.bug.is("4r") {
            let values = self.read(command);
            self.transactions.read_first.entry((client, number)).or_insert(values);
        }
        // :zoo
        let coordinated = Coordinated { command: command.clone(), open, end: None };
        self.transactions.coordinated.insert(attempt, coordinated);
    }

    pub fn coordinated(&self) -> impl Iterator<Item = (Attempt, &Coordinated)> {
        self.transactions.coordinated.iter().map(|(attempt, it)| (*attempt, it))
    }

    /// The transaction, if this group coordinates it and has not decided yet.
    pub fn undecided(&self, attempt: Attempt) -> Option<&Coordinated> {
        self.transactions.coordinated.get(&attempt).filter(|it| it.end.is_none())
    }

    /// What this group says to `Prepare`. That it holds its keys is so until it hears the end; the rest may change.
    pub fn vote(&self, attempt: Attempt, command: &StoreCommand) -> Vote {
        let transactions = &self.transactions;
        let is_known = transactions.is_last(attempt);
        // zoo: 4p
        let is_known = is_known && !self.bug.is("4p");
        // zoo: 4q
        if self.bug.is("4q") && matches!(command, StoreCommand::MultiGet { .. }) {
            return match self.my_keys(command).all(|key| self.shard(key).is_some()) {
                true => Vote::Locked(self.read(command)),
                false => Vote::Refused,
            };
        }
        // :zoo
        if attempt.configuration < self.configuration.number {
            return Vote::Refused;
        }
        if attempt.configuration > self.configuration.number {
            return Vote::NotYet;
        }
        if self.my_keys(command).all(|key| transactions.locks.get(key) == Some(&attempt)) {
            return Vote::Locked(self.read(command));
        }
        if self.next.is_some() || is_known {
            return Vote::Refused;
        }
        if !self.my_keys(command).all(|key| self.shard(key).is_some()) {
            return Vote::NotYet;
        }
        match self.my_keys(command).all(|key| self.is_unlocked(key)) {
            true => Vote::Free,
            // zoo: 4t
            false if self.bug.is("4t") => Vote::NotYet,
            // :zoo
            false => Vote::Refused,
        }
    }

    pub(super) fn prepare(&mut self, attempt: Attempt, command: &StoreCommand) -> Option<Values> {
        match self.vote(attempt, command) {
            Vote::Locked(values) => Some(values),
            Vote::Free => {
                self.lock(attempt, command);
                let values = self.read(command);
                // zoo: 4m
                if self.bug.is("4m") && matches!(command, StoreCommand::MultiPut { .. }) {
                    let (_, mut writes) = outcome(command, values.clone());
                    writes.retain(|key, _| self.is_mine(key));
                    self.write(&writes);
                }
                // :zoo
                Some(values)
            }
            Vote::Refused | Vote::NotYet => None,
        }
    }

    /// The first decision about an attempt is the one that counts.
    pub(super) fn decide(&mut self, attempt: Attempt, read: Option<&Values>) -> Told {
        let Some(coordinated) = self.undecided(attempt) else { return Told::Nothing };
        let command = coordinated.command.clone();
        let (told, end) = match read {
            None => (Told::Nothing, None),
            Some(read) => {
                let mut values = read.clone();
                values.extend(self.read(&command));
                // zoo: 4r
                let request = (attempt.client, attempt.number);
                values.extend(self.transactions.read_first.remove(&request).unwrap_or_default());
                // :zoo
                let (result, writes) = outcome(&command, values);
                let mut mine = writes.clone();
                mine.retain(|key, _| self.is_mine(key));
                self.write(&mine);
                self.remember(attempt.client, attempt.number, &command, &result);
                (Told::Result(result), Some(writes))
            }
        };
        self.transactions.unlock(attempt);
        if let Some(coordinated) = self.transactions.coordinated.get_mut(&attempt) {
            coordinated.end = Some(end);
        }
        told
    }

    /// Whether this group has done what follows from the end of an attempt that another coordinates.
    pub fn is_over(&self, attempt: Attempt) -> bool {
        let is_locked = self.transactions.locks.values().any(|holder| *holder == attempt);
        attempt.configuration < self.configuration.number
            || attempt.configuration == self.configuration.number
                && self.transactions.is_last(attempt)
                && !is_locked
    }

    pub(super) fn finish(&mut self, attempt: Attempt, writes: Option<&Values>) {
        if attempt.configuration != self.configuration.number {
            return;
        }
        let is_locked = self.transactions.locks.values().any(|holder| *holder == attempt);
        if let Some(writes) = writes.filter(|_| is_locked) {
            let mut mine = writes.clone();
            mine.retain(|key, _| self.is_mine(key));
            self.write(&mine);
        }
        self.transactions.unlock(attempt);
        if !self.transactions.is_last(attempt) {
            self.transactions.last.insert(attempt.client, (attempt.number, attempt.attempt));
        }
    }

    pub fn is_open(&self, attempt: Attempt, group: u32) -> bool {
        let coordinated = self.transactions.coordinated.get(&attempt);
        coordinated.is_some_and(|it| it.end.is_some() && it.open.contains(&group))
    }

    pub(super) fn finished(&mut self, attempt: Attempt, group: u32) {
        let transactions = &mut self.transactions;
        if let Some(coordinated) = transactions.coordinated.get_mut(&attempt) {
            coordinated.open.remove(&group);
            if coordinated.open.is_empty() && coordinated.end.is_some() {
                transactions.coordinated.remove(&attempt);
            }
        }
    }

    /// Whether some transaction still needs this configuration.
    pub(super) fn are_transactions_open(&self) -> bool {
        // zoo: 4s
        if self.bug.is("4s") {
            return false;
        }
        // :zoo
        !self.transactions.locks.is_empty() || !self.transactions.coordinated.is_empty()
    }
    // zoo: 4n

    pub(super) fn locked_for_others(&self) -> BTreeSet<Attempt> {
        let attempts = self.transactions.locks.values();
        attempts.filter(|attempt| attempt.coordinator != self.group).copied().collect()
    }
    // :zoo
}

/// What a command returns where the keys hold these values, and what they hold afterwards.
fn outcome(command: &StoreCommand, values: Values) -> (StoreResult, Values) {
    let mut store = Store::default();
    values.iter().for_each(|(key, value)| store.set(key, value.clone()));
    let result = store.execute(command);
    let writes = match command {
        StoreCommand::MultiGet { .. } => Values::new(),
        _ => values.into_keys().map(|key| (key.clone(), store.get(&key).cloned())).collect(),
    };
    (result, writes)
}
