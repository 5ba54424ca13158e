//! A server of a group: a part of it replicates the group's holdings, and what is around it talks to clients, masters and other groups.
//! Only the server that leads its group speaks. Whatever it is told that changes the holdings goes into the log first, and it answers
//! when that is carried out; whatever must happen and has not is said again at every tick.

use super::Message;
use super::holdings::{Command, Holdings, Parcel, Told, Verdict};
use super::transactions::{Attempt, Values, Vote};
use foresee::{Address, Context, Node};
use foresee_lab3::reference::{Message as PaxosMessage, Replica, Timer as PaxosTimer};
use foresee_lab4::{Configuration, StoreCommand, TICK_EVERY};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Timer {
    Group(PaxosTimer),
    Tick,
}

/// A server of a group.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Server {
    servers: Vec<Address>,
    masters: Vec<Address>,
    replica: Replica<Holdings>,
    /// What other groups have said to attempts that this one has not decided about. A new leader asks again.
    votes: BTreeMap<Attempt, BTreeMap<u32, Values>>,
    // zoo: 4u
    confirmed: BTreeMap<Attempt, std::collections::BTreeSet<u32>>,
    // :zoo
}

type Say = Context<Message, Timer>;
type Inner = Context<PaxosMessage<Command, Told>, PaxosTimer>;

impl Server {
    pub fn new(servers: &[Address], masters: &[Address], holdings: Holdings) -> Self {
        Server {
            servers: servers.to_vec(),
            masters: masters.to_vec(),
            replica: Replica::new(servers, holdings),
            votes: BTreeMap::new(),
            // zoo: 4u
            confirmed: BTreeMap::new(),
            // :zoo
        }
    }

    pub fn holdings(&self) -> &Holdings {
        self.replica.application()
    }

    fn configuration(&self) -> &Configuration {
        self.holdings().configuration()
    }

    /// Something happens to the part that replicates; what is carried out by it is told to whom it concerns.
    fn drive(&mut self, context: &mut Say, event: impl FnOnce(&mut Replica<Holdings>, &mut Inner)) {
        let led = self.replica.leads();
        context.within(Message::Group, Timer::Group, |inner| event(&mut self.replica, inner));
        let results = self.replica.take_results();
        if !self.replica.leads() {
            self.votes.clear();
            return;
        }
        let mut is_due = !led;
        for (command, told) in results {
            is_due |= !matches!(told, Told::Result(_) | Told::WrongGroup | Told::Vote(_))
                || matches!(command, Command::Decide { .. });
            self.tell(command, told, context);
        }
        let holdings = self.replica.application();
        self.votes.retain(|attempt, _| holdings.undecided(*attempt).is_some());
        if is_due {
            self.do_duties(context);
            // zoo: 4i
            if self.holdings().bug.is("4i") {
                self.replica.application_mut().forget_leaving();
            }
            // :zoo
        }
    }

    fn submit(&mut self, command: Command, context: &mut Say) {
        self.drive(context, |replica, inner| replica.submit(command, inner));
    }

    /// A command of the log was carried out.
    fn tell(&self, command: Command, told: Told, context: &mut Say) {
        match (command, told) {
            (Command::Client { client, number, .. }, Told::Result(result)) => {
                context.send(client, Message::Reply { number, result });
            }
            (Command::Client { client, number, .. }, Told::WrongGroup) => {
                context.send(client, Message::WrongGroup { number });
            }
            (Command::Install(parcel), _) => Self::confirm(&parcel, context),
            (Command::Prepare { attempt, .. }, Told::Vote(values)) => {
                self.send_vote(attempt, values, context);
            }
            (Command::Decide { attempt, .. }, Told::Result(result)) => {
                context.send(attempt.client, Message::Reply { number: attempt.number, result });
            }
            (Command::Finish { attempt, .. }, _) => {
                let (group, servers) = (self.holdings().group, self.configuration());
                let servers = servers.servers(attempt.coordinator);
                context.broadcast(servers, &Message::Finished { attempt, group });
            }
            _ => {}
        }
    }

    /// Says whatever must be said until it is heard.
    fn do_duties(&self, context: &mut Say) {
        let holdings = self.holdings();
        if holdings.is_settled() && holdings.next.is_none() {
            let number = Some(self.configuration().number + 1);
            // zoo: 4f
            let number = number.filter(|_| !holdings.bug.is("4f"));
            // :zoo
            context.broadcast(&self.masters, &Message::Ask { number });
        }
        for (group, parcel) in holdings.parcels(&self.servers) {
            self.send_parcel(group, parcel, context);
        }
        for (attempt, coordinated) in holdings.coordinated() {
            let voted = self.votes.get(&attempt);
            for group in &coordinated.open {
                let message = match &coordinated.end {
                    None if voted.is_some_and(|voted| voted.contains_key(group)) => continue,
                    None => Message::Prepare { attempt, command: coordinated.command.clone() },
                    Some(writes) => Message::Finish { attempt, writes: writes.clone() },
                };
                context.broadcast(self.configuration().servers(*group), &message);
            }
        }
    }

    fn send_parcel(&self, group: u32, parcel: Parcel, context: &mut Say) {
        let servers = self.configuration().servers(group);
        // zoo: pull
        if self.holdings().bug.is("pull") {
            let (number, shards) = (parcel.number, parcel.shards.keys().copied().collect());
            context.broadcast(servers, &Message::Offer { number, shards });
            return;
        }
        // zoo: empty-shards
        if self.holdings().bug.is("empty-shards") {
            for (shard, what) in &parcel.shards {
                let shards = BTreeMap::from([(*shard, what.clone())]);
                let alone = Parcel { shards, ..parcel.clone() };
                context.broadcast(servers, &Message::Parcel(alone));
            }
            return;
        }
        // :zoo
        context.broadcast(servers, &Message::Parcel(parcel));
    }

    fn confirm(parcel: &Parcel, context: &mut Say) {
        let (number, shards) = (parcel.number, parcel.shards.keys().copied().collect());
        context.broadcast(&parcel.from, &Message::Taken { number, shards });
    }

    fn send_vote(&self, attempt: Attempt, values: Option<Values>, context: &mut Say) {
        let servers = self.configuration().servers(attempt.coordinator);
        let group = self.holdings().group;
        context.broadcast(servers, &Message::Vote { attempt, group, values });
    }

    fn on_request(
        &mut self,
        client: Address,
        number: u64,
        command: StoreCommand,
        context: &mut Say,
    ) {
        match self.holdings().verdict(client, number, &command) {
            Verdict::Known(Some(result)) => context.send(client, Message::Reply { number, result }),
            Verdict::WrongGroup => context.send(client, Message::WrongGroup { number }),
            Verdict::Known(None) | Verdict::Busy => {}
            Verdict::Ready => self.submit(Command::Client { client, number, command }, context),
        }
    }

    fn on_parcel(&mut self, parcel: Parcel, context: &mut Say) {
        if self.holdings().awaits(&parcel) {
            self.submit(Command::Install(parcel), context);
        // zoo: 4j
        } else if self.holdings().bug.is("4j") && !self.holdings().is_settled() {
            // Its own shards first.
            // :zoo
        } else if parcel.number <= self.configuration().number {
            Self::confirm(&parcel, context);
        }
    }

    fn on_prepare(&mut self, attempt: Attempt, command: StoreCommand, context: &mut Say) {
        match self.holdings().vote(attempt, &command) {
            Vote::Locked(values) => self.send_vote(attempt, Some(values), context),
            Vote::Refused => self.send_vote(attempt, None, context),
            Vote::Free => self.submit(Command::Prepare { attempt, command }, context),
            Vote::NotYet => {}
        }
    }

    fn on_vote(&mut self, attempt: Attempt, group: u32, values: Option<Values>, context: &mut Say) {
        let Some(coordinated) = self.holdings().undecided(attempt) else { return };
        let open = coordinated.open.clone();
        // zoo: 4o
        let n_groups = open.len() + 1;
        if self.holdings().bug.is("4o") && values.is_none() && n_groups > 2 {
            return;
        }
        // :zoo
        let Some(values) = values else {
            return self.submit(Command::Decide { attempt, read: None }, context);
        };
        let votes = self.votes.entry(attempt).or_default();
        votes.insert(group, values);
        let is_agreed = open.iter().all(|group| votes.contains_key(group));
        let read: Values =
            votes.values().flatten().map(|(key, it)| (key.clone(), it.clone())).collect();
        // zoo: 4o
        let n_yes = votes.len() + 1;
        let is_agreed = is_agreed || self.holdings().bug.is("4o") && 2 * n_yes > n_groups;
        // zoo: 4u
        if self.holdings().bug.is("4u") && is_agreed {
            return self.decide_in_memory(attempt, read, context);
        }
        // :zoo
        if is_agreed {
            self.submit(Command::Decide { attempt, read: Some(read) }, context);
        }
    }
    // zoo: 4u

    /// Everybody is told how it ends; the log only when all have heard it.
    fn decide_in_memory(&mut self, attempt: Attempt, read: Values, context: &mut Say) {
        let mut after = self.holdings().clone();
        let Told::Result(result) = after.decide(attempt, Some(&read)) else { return };
        let ended = after.coordinated().find(|(it, _)| *it == attempt);
        let Some((_, coordinated)) = ended else { return };
        let confirmed = self.confirmed.entry(attempt).or_default();
        if coordinated.open.iter().all(|group| confirmed.contains(group)) {
            return self.submit(Command::Decide { attempt, read: Some(read) }, context);
        }
        context.send(attempt.client, Message::Reply { number: attempt.number, result });
        for group in &coordinated.open {
            let writes = coordinated.end.clone().flatten();
            let servers = self.configuration().servers(*group);
            context.broadcast(servers, &Message::Finish { attempt, writes });
        }
    }
    // :zoo

    fn on_finish(
        &mut self,
        from: Address,
        attempt: Attempt,
        writes: Option<Values>,
        context: &mut Say,
    ) {
        if self.holdings().is_over(attempt) {
            let group = self.holdings().group;
            context.send(from, Message::Finished { attempt, group });
        } else if attempt.configuration == self.configuration().number {
            self.submit(Command::Finish { attempt, writes }, context);
        }
    }

    fn on_finished(&mut self, attempt: Attempt, group: u32, context: &mut Say) {
        // zoo: 4u
        if self.holdings().bug.is("4u") && self.holdings().undecided(attempt).is_some() {
            self.confirmed.entry(attempt).or_default().insert(group);
            let votes = self.votes.get(&attempt).cloned().unwrap_or_default();
            return self.decide_in_memory(
                attempt,
                votes.into_values().flatten().collect(),
                context,
            );
        }
        // :zoo
        if self.holdings().is_open(attempt, group) {
            self.submit(Command::Finished { attempt, group }, context);
        }
    }
}

impl Node for Server {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Say) {
        context.set_timer(Timer::Tick, TICK_EVERY);
        self.drive(context, |replica, inner| replica.init(inner));
    }

    fn on_message(&mut self, from: Address, message: Message, context: &mut Say) {
        if let Message::Group(message) = message {
            return self.drive(context, |replica, inner| replica.on_message(from, message, inner));
        }
        // zoo: 4e
        if let (true, Message::Configuration(configuration)) =
            (self.holdings().bug.is("4e"), &message)
        {
            self.replica.application_mut().adopt(configuration);
            if self.replica.leads() {
                self.do_duties(context);
            }
            return;
        }
        // :zoo
        if !self.replica.leads() {
            return;
        }
        match message {
            Message::Request { number, command } => self.on_request(from, number, command, context),
            Message::Configuration(next) if self.holdings().wants(&next) => {
                self.submit(Command::Configure(next), context);
            }
            Message::Parcel(parcel) => self.on_parcel(parcel, context),
            Message::Taken { number, shards } if self.holdings().keeps(number, &shards) => {
                self.submit(Command::Release { number, shards }, context);
            }
            Message::Prepare { attempt, command } => self.on_prepare(attempt, command, context),
            Message::Vote { attempt, group, values } => {
                self.on_vote(attempt, group, values, context);
            }
            Message::Finish { attempt, writes } => self.on_finish(from, attempt, writes, context),
            Message::Finished { attempt, group } => self.on_finished(attempt, group, context),
            // zoo: pull
            Message::Offer { number, shards } => {
                match self.holdings().awaits_any(number, &shards) {
                    true => context.send(from, Message::Fetch { number }),
                    false if number <= self.configuration().number => {
                        context.send(from, Message::Taken { number, shards });
                    }
                    false => {}
                }
            }
            Message::Fetch { number } if number == self.configuration().number => {
                for (group, parcel) in self.holdings().parcels(&self.servers) {
                    if self.configuration().servers(group).contains(&from) {
                        context.send(from, Message::Parcel(parcel));
                    }
                }
            }
            // :zoo
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Say) {
        match timer {
            Timer::Group(timer) => {
                self.drive(context, |replica, inner| replica.on_timer(timer, inner));
            }
            Timer::Tick => {
                context.set_timer(Timer::Tick, TICK_EVERY);
                if self.replica.leads() {
                    self.do_duties(context);
                }
                // zoo: 4e
                if self.holdings().bug.is("4e") && !self.replica.leads() {
                    let number = Some(self.configuration().number + 1);
                    context.broadcast(&self.masters, &Message::Ask { number });
                }
                // zoo: 4n
                if self.holdings().bug.is("4n") && self.replica.leads() {
                    for attempt in self.holdings().locked_for_others() {
                        self.submit(Command::Finish { attempt, writes: None }, context);
                    }
                }
                // :zoo
            }
        }
    }
}
