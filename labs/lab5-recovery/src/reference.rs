//! Paxos that survives crashes: the replica of lab 3, and a server around it that writes down what it must not forget.
//! A handler of the replica runs first, on a list of effects of its own. Whatever it has promised, accepted or learned is then written, and
//! only after that its messages are sent, behind a sync where they depend on what was written.
//!
//! What depends on what: a promise and a vote must be on disk before anybody hears of them. That a slot is chosen needs no disk (a
//! majority has it on theirs), except before others are told how far this server is: they forget what it claims to have carried out.
//! On disk are the last snapshot and a record for every change since. A record is one write, so a crash finds it whole or not at all.

use foresee::{
    Address, Application, Context, Effect, KeyValueCommand, KeyValueResult, KeyValueStore, Node,
    Stored,
};
use foresee_lab3::reference::{
    Ballot, Caller, Entry, Log, Message as PaxosMessage, Replica, Timer, Value,
};
use foresee_lab5::{Recovery, Slot};
use serde::{Deserialize, Serialize};
// zoo:
use foresee_lab3::reference::Kept;
use foresee_labs::Switch;
use std::collections::BTreeMap;
// :zoo

pub type Message<A> = PaxosMessage<<A as Application>::Command, <A as Application>::Result>;

/// One change, as it stands on disk after the last snapshot.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
enum Record<A: Application> {
    Promised(Ballot),
    /// Accepted, or known to be chosen.
    Slot {
        slot: u64,
        entry: Entry<A::Command>,
    },
    // zoo: 5e
    Leads(bool),
    // zoo: 5h
    CarriedOut {
        below: u64,
    },
    // zoo: 5i
    Whole(Kept<A>),
    // zoo: 5j
    Value {
        slot: u64,
        value: Value<A::Command>,
    },
    // zoo: 5n
    PromisedIn {
        slot: u64,
        ballot: Ballot,
    },
    // :zoo
}

/// A server of a group that replicates `A`, whatever happens to its process.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Server<A: Application> {
    replica: Replica<A>,
    snapshot_every: u64,
    /// The first slot that was not carried out at the time of the last snapshot.
    snapshot_at: u64,
    /// Whether it promises and accepts anything. One that lost its disk does not know what it has promised, so it only learns.
    votes: bool,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // zoo: 5e
    led: bool,
    // zoo: 5n
    promised_in: BTreeMap<u64, Ballot>,
    // :zoo
}

type Say<A> = Context<Message<A>, Timer>;

/// What a handler may change that must be written down.
struct Before<A: Application> {
    promised: Option<Ballot>,
    log: Log<A::Command>,
    // zoo: 5e
    leads: bool,
    // zoo: 5h
    next: u64,
    // :zoo
}

impl<A: Application> Server<A> {
    /// One of `group`, before anything has happened.
    pub fn new(group: &[Address], application: A, snapshot_every: u64) -> Self {
        Server {
            replica: Replica::new(group, application),
            snapshot_every,
            snapshot_at: 1,
            votes: true,
            // zoo:
            bug: Switch::off(),
            led: false,
            promised_in: BTreeMap::new(),
            // :zoo
        }
    }

    /// The same, for one that was a member before and has lost its disk.
    pub fn learning(mut self) -> Self {
        self.votes = false;
        self
    }

    /// The server without its disk.
    pub fn replica(&self) -> &Replica<A> {
        &self.replica
    }

    /// Runs a handler of the replica, writes down what has changed, and then sends what it has to say.
    fn run(&mut self, context: &mut Say<A>, handler: impl FnOnce(&mut Replica<A>, &mut Say<A>)) {
        let before = Before {
            promised: self.replica.promised(),
            log: self.replica.log().clone(),
            // zoo: 5e
            leads: self.replica.leads(),
            // zoo: 5h
            next: self.replica.next(),
            // :zoo
        };
        let mut inner = Context::new(context.me());
        handler(&mut self.replica, &mut inner);
        let effects = inner.into_effects();
        // zoo: 5c
        if self.bug.is("5c") {
            say_again::<A>(effects, context);
            self.write(&before, context);
            context.sync();
            return;
        }
        // :zoo
        let binds = self.write(&before, context);
        if binds || effects.iter().any(tells_how_far::<A>) {
            context.sync();
        }
        // zoo: 5o
        if self.comes_with_a_vote(&before)
            && let Some(promised) = self.replica.promised()
        {
            context.append(&Record::<A>::Promised(promised));
        }
        // :zoo
        say_again::<A>(effects, context);
    }

    /// Writes down what has changed; whether nobody may hear anything before it is on disk.
    fn write(&mut self, before: &Before<A>, context: &mut Say<A>) -> bool {
        let promised = self.replica.promised().filter(|it| Some(*it) != before.promised);
        let log = self.replica.log();
        let is_new = |slot: &u64, entry: &Entry<A::Command>| before.log.get(slot) != Some(entry);
        let changed: Vec<(u64, Entry<A::Command>)> = log
            .iter()
            .filter(|(slot, entry)| is_new(slot, entry))
            .map(|(slot, entry)| (*slot, entry.clone()))
            .collect();
        // In a group of one, a leader's own vote is all that it takes: the slot is chosen at once.
        let is_vote = |(slot, entry): &(u64, Entry<A::Command>)| match entry {
            Entry::Accepted { .. } => true,
            Entry::Chosen { .. } => self.replica.leads() && !before.log.contains_key(slot),
        };
        let binds = promised.is_some() || changed.iter().any(is_vote);
        if self.replica.next() >= self.snapshot_at.saturating_add(self.snapshot_every) {
            self.write_snapshot(context);
            return binds;
        }
        // zoo: 5e
        if self.bug.is("5e") && self.replica.leads() != before.leads {
            context.append(&Record::<A>::Leads(self.replica.leads()));
        }
        // zoo: 5h
        if self.bug.is("5h") && self.replica.next() != before.next {
            context.append(&Record::<A>::CarriedOut { below: self.replica.next() });
        }
        // zoo: stores-more
        if self.bug.is("stores-more")
            && let Some(promised) = self.replica.promised()
            && binds
        {
            context.append(&Record::<A>::Promised(promised));
        }
        // :zoo
        // zoo: 5o
        let promised = promised.filter(|_| !self.comes_with_a_vote(before));
        // :zoo
        if let Some(promised) = promised {
            self.write_promise(promised, context);
        }
        for (slot, entry) in changed {
            self.write_slot(slot, entry, context);
        }
        binds
    }

    // zoo: 5o
    /// Whether a promise is written after the vote that it came with, and nobody waits for it.
    fn comes_with_a_vote(&self, before: &Before<A>) -> bool {
        let [is_new, is_vote] =
            [self.replica.promised() != before.promised, *self.replica.log() != before.log];
        self.bug.is("5o") && is_new && is_vote
    }

    // :zoo
    fn write_promise(&mut self, promised: Ballot, context: &mut Say<A>) {
        // zoo: 5a, 5d, 5n
        match self.bug.id() {
            Some("5a") => return,
            Some("5d") if promised.leader == context.me() => return,
            Some("5n") => {
                for &slot in self.replica.log().keys() {
                    context.append(&Record::<A>::PromisedIn { slot, ballot: promised });
                }
                return;
            }
            _ => {}
        }
        // :zoo
        context.append(&Record::<A>::Promised(promised));
    }

    fn write_slot(&mut self, slot: u64, entry: Entry<A::Command>, context: &mut Say<A>) {
        // zoo: 5b, 5d, 5j
        if let Entry::Accepted { ballot, value } = &entry {
            let without = Entry::Accepted { ballot: *ballot, value: None };
            match self.bug.id() {
                Some("5b") => {
                    context.append(&Record::<A>::Slot { slot, entry: without });
                    return;
                }
                Some("5d") if ballot.leader == context.me() => return,
                Some("5j") => {
                    context.append(&Record::<A>::Slot { slot, entry: without });
                    context.append(&Record::<A>::Value { slot, value: value.clone() });
                    return;
                }
                _ => {}
            }
        }
        // :zoo
        context.append(&Record::<A>::Slot { slot, entry });
    }

    /// Everything, in the place of what is on disk.
    fn write_snapshot(&mut self, context: &mut Say<A>) {
        self.snapshot_at = self.replica.next();
        // zoo: 5i
        if self.bug.is("5i") {
            context.snapshot(&Kept { next: 0, ..self.replica.kept() });
            context.append(&Record::<A>::Whole(self.replica.kept()));
            return;
        }
        // :zoo
        context.snapshot(&self.replica.kept());
        // zoo: 5e
        if self.bug.is("5e") && self.replica.leads() {
            context.append(&Record::<A>::Leads(true));
        }
        // :zoo
    }
}

/// Whether others may forget something because of this: what it says was carried out must be found again after a crash.
fn tells_how_far<A: Application>(effect: &Effect<Message<A>, Timer>) -> bool {
    use PaxosMessage::{CarriedOut, Heartbeat};
    matches!(effect, Effect::Send { message: CarriedOut { .. } | Heartbeat { .. }, .. })
}

fn say_again<A: Application>(effects: Vec<Effect<Message<A>, Timer>>, context: &mut Say<A>) {
    for effect in effects {
        match effect {
            Effect::Send { to, message } => context.send(to, message),
            Effect::SetTimer { timer, min, max } => context.set_timer_between(timer, min, max),
            Effect::CancelTimer { timer } => context.cancel_timer(timer),
            other => unreachable!("a replica does not ask for {other:?}"),
        }
    }
}

impl<A: Application> Node for Server<A> {
    type Message = Message<A>;
    type Timer = Timer;

    fn init(&mut self, context: &mut Say<A>) {
        if self.votes {
            self.run(context, Replica::init);
        }
    }

    fn on_message(&mut self, from: Address, message: Message<A>, context: &mut Say<A>) {
        let is_lesson =
            matches!(message, PaxosMessage::Heartbeat { .. } | PaxosMessage::CatchUp { .. });
        if !self.votes && !is_lesson {
            return;
        }
        // zoo: 5n
        if let PaxosMessage::Accept { ballot, slot, .. } = &message
            && self.promised_in.get(slot).is_some_and(|promised| promised > ballot)
        {
            return;
        }
        // :zoo
        self.run(context, |replica, inner| replica.on_message(from, message, inner));
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Say<A>) {
        if self.votes {
            self.run(context, |replica, inner| replica.on_timer(timer, inner));
        }
    }

    fn restore(&mut self, stored: &Stored) {
        let mut kept = stored.snapshot().unwrap_or_else(|| self.replica.kept());
        // zoo: 5i
        if kept.next == 0 {
            kept = self.replica.kept();
        }
        // :zoo
        self.snapshot_at = kept.next;
        // zoo: 5f
        if self.bug.is("5f") {
            kept.answered.clear();
        }
        // zoo: 5g
        if self.bug.is("5g") && self.snapshot_at > 1 {
            kept.answered.clear();
            kept.next =
                kept.log.first_key_value().map_or(kept.next, |(slot, _)| kept.next.min(*slot));
        }
        // zoo: replays-twice
        if self.bug.is("replays-twice") {
            kept.next =
                kept.log.first_key_value().map_or(kept.next, |(slot, _)| kept.next.min(*slot));
        }
        // :zoo
        for record in stored.records::<Record<A>>() {
            match record {
                // zoo: 5e
                Record::Leads(leads) => self.led = leads,
                // zoo: 5h
                Record::CarriedOut { below } => kept.next = below,
                // zoo: 5i
                Record::Whole(whole) => {
                    self.snapshot_at = whole.next;
                    kept = whole;
                }
                // zoo: 5j
                Record::Value { slot, value } => {
                    if let Some(Entry::Accepted { value: missing, .. }) = kept.log.get_mut(&slot) {
                        *missing = value;
                    }
                }
                // zoo: 5n
                Record::PromisedIn { slot, ballot } => {
                    self.promised_in.insert(slot, ballot);
                }
                // :zoo
                Record::Promised(ballot) => kept.promised = kept.promised.max(Some(ballot)),
                Record::Slot { slot, entry } => {
                    // Who has accepted under a ballot has promised it, too.
                    if let Entry::Accepted { ballot, .. } = &entry
                        // zoo: 5d, 5n, 5o
                        && !matches!(self.bug.id(), Some("5d" | "5n" | "5o"))
                    // :zoo
                    {
                        kept.promised = kept.promised.max(Some(*ballot));
                    }
                    // zoo: 5n
                    if let (true, Entry::Accepted { ballot, .. }) = (self.bug.is("5n"), &entry) {
                        self.promised_in.insert(slot, *ballot);
                    }
                    // :zoo
                    kept.log.insert(slot, entry);
                }
            }
        }
        // zoo: 5l
        if self.bug.is("5l") {
            kept.promised = None;
        }
        // :zoo
        self.replica.go_on_from(kept);
    }

    fn on_restart(&mut self, context: &mut Say<A>) {
        // zoo: 5e
        match self.bug.id() {
            Some("5e") if self.led => return self.run(context, Replica::lead_unasked),
            // zoo: 5k
            Some("5k") => return,
            // zoo: stands-after-restart
            Some("stands-after-restart") if self.votes => {
                return self.run(context, Replica::stand_now);
            }
            _ => {}
        }
        // :zoo
        self.init(context);
    }
}

/// Tells the tests how to make servers and clients, and what a server has in its log and in its store.
#[derive(Clone, Default)]
pub struct Solution {
    // zoo:
    pub(crate) bug: Switch,
    // :zoo
}

impl Recovery for Solution {
    type Message = PaxosMessage<KeyValueCommand, KeyValueResult>;
    type Server = Server<KeyValueStore>;
    type Client = Caller<KeyValueStore>;

    fn server(&self, group: &[Address], snapshot_every: u64) -> Self::Server {
        let server = Server::new(group, KeyValueStore::default(), snapshot_every);
        // zoo:
        let server = Server { bug: self.bug, ..server };
        // :zoo
        server
    }

    fn replacement(&self, group: &[Address], snapshot_every: u64) -> Self::Server {
        // zoo: 5m
        if self.bug.is("5m") {
            return self.server(group, snapshot_every);
        }
        // :zoo
        self.server(group, snapshot_every).learning()
    }

    fn client(&self, group: &[Address]) -> Self::Client {
        Caller::new(group)
    }

    fn slot(server: &Self::Server, slot: u64) -> Slot {
        let command = |value: &Value<KeyValueCommand>| value.clone().map(|it| it.command);
        match server.replica().log().get(&slot) {
            Some(Entry::Accepted { value, .. }) => Slot::Accepted(command(value)),
            Some(Entry::Chosen { value }) => Slot::Chosen(command(value)),
            None if slot < server.replica().first() => Slot::Cleared,
            None => Slot::Empty,
        }
    }

    fn last_slot(server: &Self::Server) -> u64 {
        server.replica().end() - 1
    }

    fn carried_out(server: &Self::Server) -> u64 {
        server.replica().next() - 1
    }

    fn store(server: &Self::Server) -> &KeyValueStore {
        server.replica().application()
    }
}
