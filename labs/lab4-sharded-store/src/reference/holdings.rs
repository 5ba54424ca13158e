//! Part 2: what the servers of a group replicate: their configuration, their shards, and which of them are on their way.
//! Everything here happens when a command of the group's log is carried out, so it happens on all servers at the same place.

use super::transactions::{Attempt, Transactions, Values};
use foresee::{Address, Application};
use foresee_lab4::{Configuration, Held, Store, StoreCommand, StoreResult};
// zoo:
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What is in a shard. It travels whole: who has the keys must know which commands on them were carried out.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Shard {
    pub(super) store: Store,
    /// For each client the number and the result of its last command here.
    answered: BTreeMap<Address, (u64, StoreResult)>,
}

/// Shards on their way to the group that owns them in this configuration.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Parcel {
    pub number: u64,
    /// The servers that wait to hear that it has arrived.
    pub from: Vec<Address>,
    pub shards: BTreeMap<usize, Shard>,
}

/// What stands in a group's log.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Command {
    /// A client's command; its numbers rise.
    Client { client: Address, number: u64, command: StoreCommand },
    /// The group goes on to this configuration.
    Configure(Configuration),
    /// Shards have arrived.
    Install(Parcel),
    /// Their new owner has these shards.
    Release { number: u64, shards: BTreeSet<usize> },
    /// Lock the keys of this transaction that are this group's.
    Prepare { attempt: Attempt, command: StoreCommand },
    /// The transaction that this group coordinates commits, having read this elsewhere, or does not.
    Decide { attempt: Attempt, read: Option<Values> },
    /// A transaction that another group coordinates is over: these values are written, or nothing.
    Finish { attempt: Attempt, writes: Option<Values> },
    /// A group has heard how the transaction ended.
    Finished { attempt: Attempt, group: u32 },
}

/// What the node around is told of a command that was carried out.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Told {
    Nothing,
    Result(StoreResult),
    WrongGroup,
    /// What the keys of a transaction hold, or a refusal.
    Vote(Option<Values>),
}

/// What is to be done with a client's command.
pub enum Verdict {
    /// It was carried out before; without a result if the client has since asked for more.
    Known(Option<StoreResult>),
    WrongGroup,
    /// Keys are locked: not now.
    Busy,
    Ready,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Place {
    Awaited,
    Served(Shard),
    /// The new owner, and what it is to get.
    Leaving(u32, Shard),
}

/// What a group replicates.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Holdings {
    pub(super) group: u32,
    pub(super) configuration: Configuration,
    /// The next configuration, if it waits for transactions to end. None begins meanwhile.
    pub(super) next: Option<Configuration>,
    places: BTreeMap<usize, Place>,
    pub(super) transactions: Transactions,
    // zoo:
    #[serde(skip)]
    pub(super) bug: Switch,
    // :zoo
}

impl Holdings {
    pub fn new(group: u32, n_shards: usize) -> Self {
        Holdings {
            group,
            configuration: Configuration::first(n_shards),
            next: None,
            places: BTreeMap::new(),
            transactions: Transactions::default(),
            // zoo:
            bug: Switch::off(),
            // :zoo
        }
    }
    // zoo:

    pub(crate) fn with_bug(mut self, bug: Switch) -> Self {
        self.bug = bug;
        self
    }
    // :zoo

    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    pub fn held(&self, shard: usize) -> Held {
        match self.places.get(&shard) {
            None => Held::Elsewhere,
            Some(Place::Awaited) => Held::Awaited,
            Some(Place::Served(_)) => Held::Served,
            Some(Place::Leaving(..)) => Held::Leaving,
        }
    }

    /// The shard of a key, if commands on it are carried out here.
    pub(super) fn shard(&self, key: &str) -> Option<&Shard> {
        match self.places.get(&self.configuration.shard_of(key)) {
            Some(Place::Served(shard)) => Some(shard),
            _ => None,
        }
    }

    pub(super) fn shard_mut(&mut self, key: &str) -> Option<&mut Shard> {
        match self.places.get_mut(&self.configuration.shard_of(key)) {
            Some(Place::Served(shard)) => Some(shard),
            _ => None,
        }
    }

    /// Whether the group may go on to the configuration after this one: what has to come has come, and what has to go is there.
    pub fn is_settled(&self) -> bool {
        // zoo: 4k
        if self.bug.is("4k") {
            return true;
        }
        // :zoo
        self.places.values().all(|place| matches!(place, Place::Served(_)))
    }

    /// Whether this is the configuration that the group may go on to.
    pub fn wants(&self, configuration: &Configuration) -> bool {
        let is_next = configuration.number == self.configuration.number + 1;
        // zoo: 4f
        let is_next =
            is_next || self.bug.is("4f") && configuration.number > self.configuration.number;
        // :zoo
        is_next && self.next.is_none() && self.is_settled()
    }

    /// What other groups are still to get, by group.
    pub fn parcels(&self, from: &[Address]) -> BTreeMap<u32, Parcel> {
        let mut parcels = BTreeMap::new();
        for (number, place) in &self.places {
            let Place::Leaving(to, shard) = place else { continue };
            let parcel = parcels.entry(*to).or_insert_with(|| Parcel {
                number: self.configuration.number,
                from: from.to_vec(),
                shards: BTreeMap::new(),
            });
            parcel.shards.insert(*number, shard.clone());
        }
        parcels
    }

    /// Whether something in a parcel has not arrived yet.
    pub fn awaits(&self, parcel: &Parcel) -> bool {
        parcel.number == self.configuration.number
            && parcel.shards.keys().any(|shard| self.awaits_shard(*shard))
    }
    // zoo: pull

    pub fn awaits_any(&self, number: u64, shards: &BTreeSet<usize>) -> bool {
        number == self.configuration.number && shards.iter().any(|shard| self.awaits_shard(*shard))
    }
    // :zoo

    fn awaits_shard(&self, shard: usize) -> bool {
        // zoo: 4d, 4h
        if matches!(self.bug.id(), Some("4d" | "4h")) {
            return self.configuration.owners[shard] == Some(self.group);
        }
        // :zoo
        self.held(shard) == Held::Awaited
    }

    /// Whether the new owner of some of these shards is not known to have them.
    pub fn keeps(&self, number: u64, shards: &BTreeSet<usize>) -> bool {
        number == self.configuration.number
            && shards.iter().any(|shard| self.held(*shard) == Held::Leaving)
    }

    /// What is to be done with a client's command. What it says of commands that were carried out is so for ever; the rest may change.
    pub fn verdict(&self, client: Address, number: u64, command: &StoreCommand) -> Verdict {
        let Some(shard) = self.shard(self.first_key(command)) else { return Verdict::WrongGroup };
        match shard.answered.get(&client) {
            Some((last, result)) if *last == number => Verdict::Known(Some(result.clone())),
            Some((last, _)) if *last > number => Verdict::Known(None),
            _ if self.is_free(client, number, command) => Verdict::Ready,
            _ => Verdict::Busy,
        }
    }

    /// The client's command is carried out, and this is what it is told whenever it asks again.
    pub(super) fn remember(
        &mut self,
        client: Address,
        number: u64,
        command: &StoreCommand,
        result: &StoreResult,
    ) {
        let key = self.first_key(command).to_owned();
        if let Some(shard) = self.shard_mut(&key) {
            shard.answered.insert(client, (number, result.clone()));
        }
    }

    fn on_client(&mut self, client: Address, number: u64, command: &StoreCommand) -> Told {
        match self.verdict(client, number, command) {
            Verdict::Known(Some(result)) => return Told::Result(result),
            Verdict::WrongGroup => return Told::WrongGroup,
            Verdict::Known(None) | Verdict::Busy => return Told::Nothing,
            Verdict::Ready => {}
        }
        let result = match command {
            StoreCommand::Get { key }
            | StoreCommand::Put { key, .. }
            | StoreCommand::Append { key, .. } => {
                let shard = self.shard_mut(key).expect("it is served here");
                shard.store.execute(command)
            }
            _ if self.is_mine_alone(command) => self.carry_out_alone(command),
            _ => {
                self.begin(client, number, command);
                return Told::Nothing;
            }
        };
        self.remember(client, number, command, &result);
        Told::Result(result)
    }

    /// Goes on to the next configuration, once no transaction holds it back.
    pub fn configure(&mut self, configuration: &Configuration) {
        if self.wants(configuration) {
            self.next = Some(configuration.clone());
        }
    }

    fn go_on(&mut self) {
        if self.are_transactions_open() {
            return;
        }
        let Some(next) = self.next.take() else { return };
        for shard in 0..next.owners.len() {
            let is_mine = next.owners[shard] == Some(self.group);
            let before = self.places.remove(&shard);
            // zoo: 4k
            let before = match before {
                Some(Place::Awaited) if self.bug.is("4k") => Some(Place::Served(Shard::default())),
                before => before,
            };
            // :zoo
            let place = match (before, next.owners[shard]) {
                (Some(place), _) if is_mine => place,
                (Some(Place::Served(shard)), Some(owner)) => Place::Leaving(owner, shard),
                // Nobody's until now: there is nothing in it.
                (None, _) if is_mine && self.configuration.owners[shard].is_none() => {
                    Place::Served(Shard::default())
                }
                // zoo: 4d
                (None, _) if is_mine && self.bug.is("4d") => Place::Served(Shard::default()),
                // :zoo
                (None, _) if is_mine => Place::Awaited,
                _ => continue,
            };
            // zoo: 4g
            let place = match place {
                Place::Leaving(owner, mut shard) if self.bug.is("4g") => {
                    shard.answered.clear();
                    Place::Leaving(owner, shard)
                }
                place => place,
            };
            // :zoo
            self.places.insert(shard, place);
        }
        self.configuration = next;
        self.transactions.forget();
    }

    fn install(&mut self, parcel: &Parcel) {
        if parcel.number != self.configuration.number {
            return;
        }
        for (number, shard) in &parcel.shards {
            if self.awaits_shard(*number) {
                self.places.insert(*number, Place::Served(shard.clone()));
            }
        }
    }

    fn release(&mut self, number: u64, shards: &BTreeSet<usize>) {
        if number == self.configuration.number {
            let is_kept = |shard: &usize, place: &mut Place| {
                !(shards.contains(shard) && matches!(place, Place::Leaving(..)))
            };
            self.places.retain(is_kept);
        }
    }
    // zoo: 4e

    pub(super) fn adopt(&mut self, configuration: &Configuration) {
        self.configure(configuration);
        self.go_on();
    }
    // zoo: 4i

    pub(super) fn forget_leaving(&mut self) {
        self.places.retain(|_, place| !matches!(place, Place::Leaving(..)));
    }
    // :zoo
}

impl Application for Holdings {
    type Command = Command;
    type Result = Told;

    fn execute(&mut self, command: &Command) -> Told {
        let told = match command {
            Command::Client { client, number, command } => {
                self.on_client(*client, *number, command)
            }
            Command::Configure(configuration) => {
                self.configure(configuration);
                Told::Nothing
            }
            Command::Install(parcel) => {
                self.install(parcel);
                Told::Nothing
            }
            Command::Release { number, shards } => {
                self.release(*number, shards);
                Told::Nothing
            }
            Command::Prepare { attempt, command } => Told::Vote(self.prepare(*attempt, command)),
            Command::Decide { attempt, read } => self.decide(*attempt, read.as_ref()),
            Command::Finish { attempt, writes } => {
                self.finish(*attempt, writes.as_ref());
                Told::Nothing
            }
            Command::Finished { attempt, group } => {
                self.finished(*attempt, *group);
                Told::Nothing
            }
        };
        self.go_on();
        told
    }
}
