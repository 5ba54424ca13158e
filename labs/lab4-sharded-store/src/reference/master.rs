//! Part 1: the master, which decides who owns which shard.

use super::Message;
use foresee::{Address, Application, Client, Context, Node};
use foresee_lab3::reference::{Caller, Replica, Retry, Timer};
use foresee_lab4::{Configuration, MasterCommand, MasterResult};
// zoo:
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// All configurations so far; each is at the place of its number.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Master {
    configurations: Vec<Configuration>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // :zoo
}

impl Master {
    pub fn new(n_shards: usize) -> Self {
        Master {
            configurations: vec![Configuration::first(n_shards)],
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

    pub fn latest(&self) -> &Configuration {
        self.configurations.last().expect("number 0 at least")
    }

    pub fn configuration(&self, number: u64) -> Option<&Configuration> {
        self.configurations.get(number as usize)
    }

    /// The next configuration, if the command makes sense.
    fn after(&self, command: &MasterCommand) -> Option<Configuration> {
        let mut next = self.latest().clone();
        next.number += 1;
        match command {
            MasterCommand::Join { group, servers } => {
                if next.groups.contains_key(group) || servers.is_empty() {
                    return None;
                }
                next.groups.insert(*group, servers.clone());
                self.balance(&mut next);
            }
            MasterCommand::Leave { group } => {
                // What the last group has could go nowhere.
                if !next.groups.contains_key(group) || next.groups.len() == 1 {
                    return None;
                }
                next.groups.remove(group);
                self.balance(&mut next);
            }
            MasterCommand::Move { shard, group } => {
                let owner = next.owners.get_mut(*shard)?;
                if !next.groups.contains_key(group) || *owner == Some(*group) {
                    return None;
                }
                *owner = Some(*group);
            }
            MasterCommand::Query { .. } => return None,
        }
        Some(next)
    }

    /// Gives every group its share, and moves as few shards as possible: the groups that have most now are those that may have one more.
    fn balance(&self, configuration: &mut Configuration) {
        let Configuration { groups, owners, .. } = configuration;
        let mut held: BTreeMap<u32, Vec<usize>> =
            groups.keys().map(|group| (*group, Vec::new())).collect();
        let mut homeless = Vec::new();
        for (shard, owner) in owners.iter().enumerate() {
            match owner.and_then(|group| held.get_mut(&group)) {
                Some(shards) => shards.push(shard),
                None => homeless.push(shard),
            }
        }
        let mut order: Vec<u32> = held.keys().copied().collect();
        order.sort_by_key(|group| Reverse(held[group].len()));
        // zoo: 4a
        if self.bug.is("4a") {
            let by_hash: std::collections::HashSet<u32> = order.iter().copied().collect();
            order = by_hash.into_iter().collect();
            order.sort_by_key(|group| Reverse(held[group].len()));
        }
        // zoo: 4b
        if self.bug.is("4b") {
            let mut turn = order.iter().cycle();
            owners.iter_mut().for_each(|owner| *owner = turn.next().copied());
            return;
        }
        // :zoo
        let (least, n_larger) = (owners.len() / order.len(), owners.len() % order.len());
        let share = |place: usize| least + usize::from(place < n_larger);
        for (place, group) in order.iter().enumerate() {
            let shards = held.get_mut(group).expect("made for every group");
            homeless.extend(shards.drain(share(place).min(shards.len())..));
        }
        for (place, group) in order.iter().enumerate() {
            let missing = share(place).saturating_sub(held[group].len());
            for shard in homeless.drain(homeless.len() - missing..) {
                owners[shard] = Some(*group);
            }
        }
    }
}

impl Application for Master {
    type Command = MasterCommand;
    type Result = MasterResult;

    fn execute(&mut self, command: &MasterCommand) -> MasterResult {
        if let MasterCommand::Query { number } = command {
            let asked = number.and_then(|number| self.configuration(number));
            return MasterResult::Configuration(asked.unwrap_or(self.latest()).clone());
        }
        let Some(next) = self.after(command) else { return MasterResult::Refused };
        // zoo: 4c
        if self.bug.is("4c")
            && let Some(last) = self.configurations.last_mut()
            && last.number > 0
        {
            last.owners = next.owners.clone();
        }
        // :zoo
        self.configurations.push(next);
        MasterResult::Done
    }
}

/// A server of the group that replicates the master.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct MasterServer {
    replica: Replica<Master>,
}

impl MasterServer {
    pub fn new(masters: &[Address], master: Master) -> Self {
        MasterServer { replica: Replica::new(masters, master) }
    }
}

impl Node for MasterServer {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Message, Timer>) {
        context.within(Message::Master, |timer| timer, |inner| self.replica.init(inner));
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        match message {
            Message::Master(message) => context.within(
                Message::Master,
                |timer| timer,
                |inner| self.replica.on_message(from, message, inner),
            ),
            Message::Ask { number } => {
                let master = self.replica.application();
                let asked = match number {
                    Some(number) => master.configuration(number),
                    None => Some(master.latest()),
                };
                if let Some(configuration) = asked.filter(|it| it.number > 0) {
                    context.send(from, Message::Configuration(configuration.clone()));
                }
            }
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Message, Timer>) {
        context.within(Message::Master, |timer| timer, |inner| self.replica.on_timer(timer, inner));
    }
}

/// A client of the master: a client of lab 3.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Operator {
    caller: Caller<Master>,
}

impl Operator {
    pub fn new(masters: &[Address]) -> Self {
        Operator { caller: Caller::new(masters) }
    }
}

impl Node for Operator {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        let Message::Master(message) = message else { return };
        context.within(
            Message::Master,
            |timer| timer,
            |inner| self.caller.on_message(from, message, inner),
        );
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        context.within(Message::Master, |timer| timer, |inner| self.caller.on_timer(timer, inner));
    }
}

impl Client for Operator {
    type Command = MasterCommand;
    type Result = MasterResult;

    fn send_command(&mut self, command: MasterCommand, context: &mut Context<Message, Retry>) {
        context.within(
            Message::Master,
            |timer| timer,
            |inner| self.caller.send_command(command, inner),
        );
    }

    fn result(&self) -> Option<MasterResult> {
        self.caller.result()
    }
}
