//! Multi-instance Paxos. One server leads: it has asked a quorum what may have been chosen before, and then only has to get each command
//! accepted by a quorum in the next slot of the log. Commands are carried out in the order of the log, once each.
//!
//! What keeps the state space small: a server has one timer, which hearing from the leader sets anew without a trace; a retry sends what
//! was sent before, under the same ballot; followers learn what is chosen from heartbeats, so that there is no message for it; what a
//! leader knows of others it forgets when it no longer leads.
//! [`Replica`] takes any [`Application`]. As a part of another node it is driven through `Context::within`; that node looks at
//! [`Replica::application`] and [`Replica::leads`], puts commands of its own into the log ([`Replica::submit`]), and takes what came of
//! them ([`Replica::take_results`]).

use foresee::{
    Address, Application, Client, Context, KeyValueCommand, KeyValueResult, KeyValueStore, Node,
};
use foresee_lab3::{ELECTION_AFTER, HEARTBEAT_EVERY, Paxos, RETRY_AFTER, Slot};
// zoo:
use foresee::Access;
use foresee_labs::Switch;
// :zoo
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An attempt to lead: ordered by round, then by who attempts.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Ballot {
    pub round: u64,
    pub leader: Address,
}

/// A command, and whose it is. A client's numbers rise with its commands.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Request<C> {
    pub client: Address,
    pub number: u64,
    pub command: C,
}

/// The number of commands that no client has sent: numbers of clients begin with 1.
const OWN: u64 = 0;

/// What a slot may hold; `None` does nothing.
pub type Value<C> = Option<Request<C>>;

/// What a server knows of a slot.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Entry<C> {
    Accepted { ballot: Ballot, value: Value<C> },
    Chosen { value: Value<C> },
}

impl<C> Entry<C> {
    fn value(&self) -> &Value<C> {
        match self {
            Entry::Accepted { value, .. } | Entry::Chosen { value } => value,
        }
    }

    fn is_chosen(&self) -> bool {
        matches!(self, Entry::Chosen { .. })
    }

    /// Whether a new leader must propose this and not the other: what is chosen first, then what was accepted last.
    fn is_better_than(&self, other: &Entry<C>) -> bool {
        match (self, other) {
            (_, Entry::Chosen { .. }) => false,
            (Entry::Chosen { .. }, _) => true,
            (Entry::Accepted { ballot: mine, .. }, Entry::Accepted { ballot: its, .. }) => {
                mine > its
            }
        }
    }
}

pub type Log<C> = BTreeMap<u64, Entry<C>>;

/// What nodes say to each other.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message<C, R> {
    /// A client to every server.
    Request {
        number: u64,
        command: C,
    },
    /// The leader to the client.
    Reply {
        number: u64,
        result: R,
    },
    /// "I want to lead": asks for what was accepted from this slot on.
    Prepare {
        ballot: Ballot,
        from: u64,
    },
    /// The answer, and the promise to accept nothing of lower ballots.
    Promise {
        ballot: Ballot,
        log: Log<C>,
    },
    Accept {
        ballot: Ballot,
        slot: u64,
        value: Value<C>,
    },
    Accepted {
        ballot: Ballot,
        slot: u64,
        // zoo: 3a
        value: Value<C>,
        // :zoo
    },
    /// The leader is there. All slots below `chosen` are, and all servers have carried out those below `cleared`.
    Heartbeat {
        ballot: Ballot,
        chosen: u64,
        cleared: u64,
    },
    /// A follower to its leader: I have carried out all slots below this one.
    CarriedOut {
        below: u64,
    },
    /// A leader to a follower that misses these: what is chosen from this slot on.
    CatchUp {
        from: u64,
        values: Vec<Value<C>>,
    },
}

/// A server has one of them set at any time.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Timer {
    /// Nothing was heard of a leader.
    Election,
    /// The leader says again that it is there.
    Heartbeat,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Role<C> {
    Follower,
    /// Has sent `Prepare`.
    Candidate {
        ballot: Ballot,
        promised_by: BTreeSet<Address>,
        /// The best that they have accepted, by slot.
        found: Log<C>,
    },
    Leader {
        ballot: Ballot,
        /// Who has accepted, for each slot that is not chosen yet.
        accepted_by: BTreeMap<u64, BTreeSet<Address>>,
        /// Below which slot others have carried out everything, as far as they have told.
        carried_out_by: BTreeMap<Address, u64>,
    },
}

/// A server of a group that replicates `A`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Replica<A: Application> {
    group: Vec<Address>,
    /// Nothing of lower ballots is accepted.
    promised: Option<Ballot>,
    /// From the first slot that not every server has carried out.
    log: Log<A::Command>,
    /// The first slot that is not carried out here.
    next: u64,
    application: A,
    /// For each client the number and the result of its last command.
    answered: BTreeMap<Address, (u64, A::Result)>,
    role: Role<A::Command>,
    /// What came of commands of the node around this one, until it takes them.
    results: Vec<(A::Command, A::Result)>,
    // zoo:
    #[serde(skip)]
    bug: Switch,
    // zoo: 3j
    seen: BTreeSet<(Address, u64)>,
    // zoo: accepted-to-all
    heard: BTreeMap<(u64, Ballot), BTreeSet<Address>>,
    // :zoo
}

/// What a server cannot do without after a crash; lab 5 writes it down.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Kept<A: Application> {
    pub promised: Option<Ballot>,
    pub log: Log<A::Command>,
    pub next: u64,
    pub application: A,
    pub answered: BTreeMap<Address, (u64, A::Result)>,
}

type Say<A> = Context<Message<<A as Application>::Command, <A as Application>::Result>, Timer>;

impl<A: Application> Replica<A> {
    /// One of `group`, before anything has happened.
    pub fn new(group: &[Address], application: A) -> Self {
        Replica {
            group: group.to_vec(),
            promised: None,
            log: Log::new(),
            next: 1,
            application,
            answered: BTreeMap::new(),
            role: Role::Follower,
            results: Vec::new(),
            // zoo:
            bug: Switch::off(),
            seen: BTreeSet::new(),
            heard: BTreeMap::new(),
            // :zoo
        }
    }
    // zoo:

    pub(crate) fn with_bug(mut self, bug: Switch) -> Self {
        self.bug = bug;
        self
    }

    pub(crate) fn round(&self) -> u64 {
        self.promised.map_or(0, |ballot| ballot.round)
    }
    // :zoo

    /// The state after every command that is carried out here.
    pub fn application(&self) -> &A {
        &self.application
    }

    // zoo:

    /// The same, to be changed without the log: only a mistake does that.
    pub fn application_mut(&mut self) -> &mut A {
        &mut self.application
    }
    // :zoo

    /// Whether this server leads, as far as it knows.
    pub fn leads(&self) -> bool {
        matches!(self.role, Role::Leader { .. })
    }

    /// Nothing of lower ballots is accepted.
    pub fn promised(&self) -> Option<Ballot> {
        self.promised
    }

    /// The first slot that is not carried out here.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// What must be found again after a crash.
    pub fn kept(&self) -> Kept<A> {
        Kept {
            promised: self.promised,
            log: self.log.clone(),
            next: self.next,
            application: self.application.clone(),
            answered: self.answered.clone(),
        }
    }

    /// Goes on from what was found after a crash, as a follower, and carries out what is known to be chosen.
    pub fn go_on_from(&mut self, kept: Kept<A>) {
        let Kept { promised, log, next, application, answered } = kept;
        (self.promised, self.log, self.next) = (promised, log, next);
        (self.application, self.answered, self.role) = (application, answered, Role::Follower);
        // A follower tells nobody what it carries out.
        self.carry_out(&mut Context::new(self.group[0]));
    }
    // zoo: 5e

    /// Leads under a new ballot without having asked anybody.
    pub fn lead_unasked(&mut self, context: &mut Say<A>) {
        let round = self.promised.map_or(0, |ballot| ballot.round) + 1;
        let ballot = Ballot { round, leader: context.me() };
        self.promised = Some(ballot);
        let found = self.log.range(self.next..).map(|(slot, entry)| (*slot, entry.clone()));
        let (found, promised_by) = (found.collect(), self.group.iter().copied().collect());
        self.role = Role::Candidate { ballot, promised_by, found };
        self.lead_if_promised(context);
    }
    // zoo: stands-after-restart

    /// Tries to lead now.
    pub fn stand_now(&mut self, context: &mut Say<A>) {
        Self::wait_for_leader(context);
        self.stand(context);
    }
    // :zoo

    /// If this server leads: puts a command of the node around it into the log, unless the same waits there. It is carried out as often as
    /// it stands in the log.
    pub fn submit(&mut self, command: A::Command, context: &mut Say<A>) {
        let mut waiting = self.log.range(self.next..).filter_map(|(_, it)| it.value().as_ref());
        if self.leads() && !waiting.any(|it| it.number == OWN && it.command == command) {
            let request = Request { client: self.group[0], number: OWN, command };
            self.propose(self.end(), Some(request), context);
            self.carry_out(context);
        }
    }

    /// What was submitted on any server and is carried out here since this was asked last, in the order of the log. In a group of one it is
    /// then carried out everywhere, and the log forgets it.
    pub fn take_results(&mut self) -> Vec<(A::Command, A::Result)> {
        if self.group.len() == 1 {
            self.clear(self.next);
        }
        std::mem::take(&mut self.results)
    }

    /// The log from the first slot on that is not cleared.
    pub fn log(&self) -> &Log<A::Command> {
        &self.log
    }

    /// Every slot below is cleared, and this one is not.
    pub fn first(&self) -> u64 {
        self.log.first_key_value().map_or(self.next, |(slot, _)| self.next.min(*slot))
    }

    /// The first slot after the end of the log.
    pub fn end(&self) -> u64 {
        self.log.last_key_value().map_or(self.next, |(slot, _)| (slot + 1).max(self.next))
    }

    fn is_quorum(&self, n: usize) -> bool {
        // zoo: 3d
        if self.bug.is("3d") {
            return n >= self.group.len().div_ceil(2);
        }
        // zoo: 3s
        if self.bug.is("3s") && self.group.len() == 1 {
            return false;
        }
        // :zoo
        n > self.group.len() / 2
    }

    fn tell_others(&self, message: &Message<A::Command, A::Result>, context: &mut Say<A>) {
        let me = context.me();
        for &server in self.group.iter().filter(|server| **server != me) {
            context.send(server, message.clone());
        }
    }

    fn wait_for_leader(context: &mut Say<A>) {
        context.cancel_timer(Timer::Heartbeat);
        context.cancel_timer(Timer::Election);
        context.set_timer_between(Timer::Election, ELECTION_AFTER.0, ELECTION_AFTER.1);
    }

    /// Somebody leads, or wants to, under a ballot that is not below the promise.
    fn follow(&mut self, ballot: Ballot, context: &mut Say<A>) {
        if Some(ballot) > self.promised {
            self.promised = Some(ballot);
            // zoo: 3o
            if self.bug.is("3o") && self.leads() {
                return;
            }
            // :zoo
            self.role = Role::Follower;
        }
        // zoo: 3e, 3o
        if self.leads() {
            return;
        }
        // :zoo
        Self::wait_for_leader(context);
    }

    /// Asks a quorum to be followed, under a ballot higher than any seen.
    fn stand(&mut self, context: &mut Say<A>) {
        let round = self.promised.map_or(0, |ballot| ballot.round) + 1;
        let ballot = Ballot { round, leader: context.me() };
        // zoo: 3e, ballots-skip-numbers
        let ballot = match self.bug.id() {
            Some("3e") => Ballot { round, leader: self.group[0] },
            Some("ballots-skip-numbers") => Ballot { round: round + 2, ..ballot },
            _ => ballot,
        };
        // :zoo
        self.promised = Some(ballot);
        let found = self.log.range(self.next..).map(|(slot, entry)| (*slot, entry.clone()));
        let found = found.collect();
        let promised_by = BTreeSet::from([context.me()]);
        self.role = Role::Candidate { ballot, promised_by, found };
        self.ask_to_lead(context);
        self.lead_if_promised(context);
    }

    fn ask_to_lead(&self, context: &mut Say<A>) {
        if let Role::Candidate { ballot, .. } = self.role {
            self.tell_others(&Message::Prepare { ballot, from: self.next }, context);
        }
    }

    /// A quorum follows: proposes again what may have been chosen, and fills what nobody knows of.
    fn lead_if_promised(&mut self, context: &mut Say<A>) {
        let Role::Candidate { ballot, promised_by, found } = &self.role else { return };
        if !self.is_quorum(promised_by.len()) {
            return;
        }
        let (ballot, found) = (*ballot, found.clone());
        self.role =
            Role::Leader { ballot, accepted_by: BTreeMap::new(), carried_out_by: BTreeMap::new() };
        context.cancel_timer(Timer::Election);
        context.set_timer(Timer::Heartbeat, HEARTBEAT_EVERY);
        let end = found.last_key_value().map_or(self.next, |(slot, _)| slot + 1);
        for slot in self.next..end {
            match found.get(&slot) {
                Some(Entry::Chosen { value }) => self.choose(slot, value.clone()),
                // zoo: 3u
                Some(Entry::Accepted { ballot, value }) if self.bug.is("3u") => {
                    self.propose_under(*ballot, slot, value.clone(), context);
                }
                // :zoo
                Some(Entry::Accepted { value, .. }) => self.propose(slot, value.clone(), context),
                // zoo: 3i
                None if self.bug.is("3i") => {}
                // :zoo
                None => self.propose(slot, None, context),
            }
        }
        self.carry_out(context);
    }

    fn propose(&mut self, slot: u64, value: Value<A::Command>, context: &mut Say<A>) {
        let Role::Leader { ballot, .. } = self.role else { return };
        // zoo: 3o
        if self.bug.is("3o") && self.promised > Some(ballot) {
            return;
        }
        // zoo: 3u
        self.propose_under(ballot, slot, value, context);
    }

    fn propose_under(
        &mut self,
        ballot: Ballot,
        slot: u64,
        value: Value<A::Command>,
        context: &mut Say<A>,
    ) {
        // :zoo
        if let Role::Leader { accepted_by, .. } = &mut self.role {
            accepted_by.insert(slot, BTreeSet::from([context.me()]));
        }
        self.log.insert(slot, Entry::Accepted { ballot, value });
        self.ask_to_accept(slot, context);
        self.choose_if_accepted(slot);
    }

    fn ask_to_accept(&self, slot: u64, context: &mut Say<A>) {
        // zoo: accept-again
        if let (Role::Leader { ballot, .. }, Some(Entry::Chosen { value })) =
            (&self.role, self.log.get(&slot))
        {
            let (ballot, value) = (*ballot, value.clone());
            self.tell_others(&Message::Accept { ballot, slot, value }, context);
        }
        // :zoo
        if let Some(Entry::Accepted { ballot, value }) = self.log.get(&slot) {
            let (ballot, value) = (*ballot, value.clone());
            self.tell_others(&Message::Accept { ballot, slot, value }, context);
        }
    }

    fn choose_if_accepted(&mut self, slot: u64) {
        let Role::Leader { accepted_by, .. } = &self.role else { return };
        let n_accepted = accepted_by.get(&slot).map_or(0, BTreeSet::len);
        if let Some(entry) = self.log.get(&slot)
            && self.is_quorum(n_accepted)
        {
            self.choose(slot, entry.value().clone());
        }
    }

    /// The slot holds this for ever.
    fn choose(&mut self, slot: u64, value: Value<A::Command>) {
        if let Role::Leader { accepted_by, .. } = &mut self.role {
            accepted_by.remove(&slot);
        }
        if slot >= self.next {
            self.log.insert(slot, Entry::Chosen { value });
        }
    }

    /// Carries out what is chosen, in the order of the log, up to the first slot of which that is not known.
    fn carry_out(&mut self, context: &mut Say<A>) {
        // zoo: 3h
        let mut later = self.log.range(self.next..).filter(|(_, entry)| entry.is_chosen());
        if let (true, Some((slot, _))) = (self.bug.is("3h"), later.next()) {
            self.next = *slot;
        }
        // :zoo
        while let Some(Entry::Chosen { value }) = self.log.get(&self.next) {
            let value = value.clone();
            self.next += 1;
            if let Some(request) = value {
                self.execute(request, context);
            }
        }
    }

    /// The same command may be in two slots: it came to two leaders. It is carried out once.
    fn execute(&mut self, request: Request<A::Command>, context: &mut Say<A>) {
        let Request { client, number, command } = request;
        if number == OWN {
            let result = self.application.execute(&command);
            self.results.push((command, result));
            return;
        }
        let last = self.answered.get(&client).map_or(0, |(number, _)| *number);
        let is_new = number > last;
        // zoo: 3k
        let is_new = is_new || self.bug.is("3k");
        // :zoo
        if is_new {
            let result = self.application.execute(&command);
            self.answered.insert(client, (number, result));
        }
        self.answer(client, number, context);
    }

    /// Whether the client's command is carried out; if this server leads, the client is told.
    fn answer(&self, client: Address, number: u64, context: &mut Say<A>) -> bool {
        let Some((last, result)) = self.answered.get(&client) else { return false };
        if *last == number && self.leads() {
            context.send(client, Message::Reply { number, result: result.clone() });
        }
        *last >= number
    }

    fn on_request(&mut self, request: Request<A::Command>, context: &mut Say<A>) {
        if !self.leads() || self.answer(request.client, request.number, context) {
            return;
        }
        // zoo: 3l
        if self.bug.is("3l") && A::access(&request.command, None) == Some(Access::Read(None)) {
            let result = self.application.clone().execute(&request.command);
            let number = request.number;
            context.send(request.client, Message::Reply { number, result });
            return;
        }
        // zoo: 3j
        let key = (request.client, request.number);
        if self.bug.is("3j") && !self.seen.insert(key) {
            return;
        }
        // :zoo
        let mut waiting = self.log.range(self.next..).filter_map(|(_, it)| it.value().as_ref());
        let is_waiting =
            waiting.any(|it| (it.client, it.number) == (request.client, request.number));
        if !is_waiting {
            self.propose(self.end(), Some(request), context);
            self.carry_out(context);
        }
    }

    fn on_promise(
        &mut self,
        from: Address,
        ballot: Ballot,
        log: Log<A::Command>,
        context: &mut Say<A>,
    ) {
        // zoo: 3b, 3c, 3g
        let bug = self.bug;
        // :zoo
        let Role::Candidate { ballot: mine, promised_by, found } = &mut self.role else { return };
        let is_answer = ballot == *mine;
        // zoo: 3b
        let is_answer = is_answer || bug.is("3b");
        // :zoo
        if !is_answer {
            return;
        }
        // zoo: 3c
        if bug.is("3c") && promised_by.contains(&from) {
            promised_by.insert(once_more(from));
        }
        // :zoo
        promised_by.insert(from);
        // zoo: 3g
        let log = if bug.is("3g") { Log::new() } else { log };
        // :zoo
        for (slot, entry) in log {
            if found.get(&slot).is_none_or(|known| entry.is_better_than(known)) {
                found.insert(slot, entry);
            }
        }
        self.lead_if_promised(context);
    }

    fn on_accept(
        &mut self,
        from: Address,
        ballot: Ballot,
        slot: u64,
        value: Value<A::Command>,
        context: &mut Say<A>,
    ) {
        let is_refused = Some(ballot) < self.promised;
        // zoo: 3f, 3t
        let is_refused = match self.bug.id() {
            Some("3f") => false,
            Some("3t") => Some(ballot) != self.promised,
            _ => is_refused,
        };
        // :zoo
        if is_refused {
            return;
        }
        self.follow(ballot, context);
        // zoo: 3a
        let sent = value.clone();
        // :zoo
        if slot >= self.next && !self.log.get(&slot).is_some_and(Entry::is_chosen) {
            self.log.insert(slot, Entry::Accepted { ballot, value });
        }
        // zoo: 3a
        if self.bug.is("3a") {
            let nothing = Ballot { round: 0, leader: self.group[0] };
            context.send(from, Message::Accepted { ballot: nothing, slot, value: sent });
            return;
        }
        // zoo: accepted-to-all
        if self.bug.is("accepted-to-all") {
            self.tell_others(&Message::Accepted { ballot, slot, value: None }, context);
            for server in [from, context.me()] {
                self.hear(server, ballot, slot, context);
            }
            return;
        }
        // :zoo
        context.send(
            from,
            Message::Accepted {
                ballot,
                slot,
                // zoo: 3a
                value: None,
                // :zoo
            },
        );
    }
    // zoo: accepted-to-all

    /// A vote that is told to everybody.
    fn hear(&mut self, server: Address, ballot: Ballot, slot: u64, context: &mut Say<A>) {
        if slot < self.next || self.leads() {
            return;
        }
        let voters = self.heard.entry((slot, ballot)).or_default();
        voters.insert(server);
        let n_voters = voters.len();
        let mine = self.log.get(&slot).cloned();
        if let Some(Entry::Accepted { ballot: its, value }) = mine
            && its == ballot
            && self.is_quorum(n_voters)
        {
            self.choose(slot, value);
            self.carry_out(context);
            let next = self.next;
            self.heard.retain(|(slot, _), _| *slot >= next);
        }
    }
    // :zoo

    fn on_accepted(&mut self, from: Address, ballot: Ballot, slot: u64, context: &mut Say<A>) {
        // zoo: 3a, 3c
        let bug = self.bug;
        // :zoo
        let Role::Leader { ballot: mine, accepted_by, .. } = &mut self.role else { return };
        let is_answer = ballot == *mine;
        // zoo: 3a
        let is_answer = is_answer || bug.is("3a");
        // :zoo
        if let Some(accepted_by) = accepted_by.get_mut(&slot).filter(|_| is_answer) {
            // zoo: 3c
            if bug.is("3c") && accepted_by.contains(&from) {
                accepted_by.insert(once_more(from));
            }
            // :zoo
            accepted_by.insert(from);
            self.choose_if_accepted(slot);
            self.carry_out(context);
        }
    }

    fn on_heartbeat(
        &mut self,
        from: Address,
        ballot: Ballot,
        chosen: u64,
        cleared: u64,
        context: &mut Say<A>,
    ) {
        if Some(ballot) < self.promised {
            return;
        }
        // zoo: 3t
        if self.bug.is("3t") && Some(ballot) != self.promised {
            return;
        }
        // :zoo
        self.follow(ballot, context);
        let to_learn = self.log.range(self.next..chosen.max(self.next)).filter_map(|(slot, it)| {
            match it {
                // What the leader has proposed here is what it knows to be chosen.
                Entry::Accepted { ballot: its, value } if *its == ballot => {
                    Some((*slot, value.clone()))
                }
                _ => None,
            }
        });
        for (slot, value) in to_learn.collect::<Vec<_>>() {
            self.choose(slot, value);
        }
        self.carry_out(context);
        self.clear(cleared);
        // Nothing to say if the leader has nothing to clear, and nothing to catch up on.
        if (cleared, chosen) != (self.next, self.next) {
            context.send(from, Message::CarriedOut { below: self.next });
        }
    }

    fn on_carried_out(&mut self, from: Address, below: u64, context: &mut Say<A>) {
        let Role::Leader { carried_out_by, .. } = &mut self.role else { return };
        let known = carried_out_by.entry(from).or_insert(1);
        *known = below.max(*known);
        let everywhere = self.carried_out_everywhere(context.me());
        self.clear(everywhere);
        if below >= self.first() && below < self.next {
            let missing = self.log.range(below..self.next).map(|(_, it)| it.value().clone());
            let values = missing.collect();
            context.send(from, Message::CatchUp { from: below, values });
        }
    }

    /// Below this slot every server has carried out everything.
    fn carried_out_everywhere(&self, me: Address) -> u64 {
        let Role::Leader { carried_out_by, .. } = &self.role else { return self.first() };
        let others = self.group.iter().filter(|server| **server != me);
        let told = others.map(|server| carried_out_by.get(server).copied().unwrap_or(1));
        // zoo: 3m, 3n
        if self.bug.is("3m") {
            let mut told: Vec<u64> = told.chain([self.next]).collect();
            told.sort_unstable();
            return told[(self.group.len() - 1) / 2];
        }
        if self.bug.is("3n") {
            return carried_out_by.values().copied().fold(self.next, u64::min);
        }
        // :zoo
        told.fold(self.next, u64::min)
    }

    fn clear(&mut self, below: u64) {
        if below > self.first() {
            self.log = self.log.split_off(&below);
        }
    }

    fn on_catch_up(&mut self, from: u64, values: Vec<Value<A::Command>>, context: &mut Say<A>) {
        // zoo: 3r
        if self.bug.is("3r") {
            self.log.split_off(&from);
            for (slot, value) in (from..).zip(values.iter().cloned()) {
                self.log.insert(slot, Entry::Chosen { value });
            }
        }
        // :zoo
        for (slot, value) in (from..).zip(values) {
            self.choose(slot, value);
        }
        self.carry_out(context);
    }
}
// zoo: 3c

/// The same server, counted twice.
fn once_more(server: Address) -> Address {
    Address::new(&format!("{server}-again"))
}
// :zoo

impl<A: Application> Node for Replica<A> {
    type Message = Message<A::Command, A::Result>;
    type Timer = Timer;

    fn init(&mut self, context: &mut Say<A>) {
        Self::wait_for_leader(context);
        // A group of one needs nobody's promise.
        if self.group.len() == 1 {
            self.stand(context);
        }
    }

    fn on_message(&mut self, from: Address, message: Self::Message, context: &mut Say<A>) {
        // zoo: 3p
        if self.bug.is("3p") && !self.leads() {
            Self::wait_for_leader(context);
        }
        // :zoo
        match message {
            Message::Request { number, command } => {
                self.on_request(Request { client: from, number, command }, context);
            }
            Message::Prepare { ballot, from: slot } => {
                if Some(ballot) >= self.promised {
                    self.follow(ballot, context);
                    let accepted = self.log.range(slot..).map(|(slot, it)| (*slot, it.clone()));
                    let log = accepted.collect();
                    context.send(from, Message::Promise { ballot, log });
                }
            }
            Message::Promise { ballot, log } => self.on_promise(from, ballot, log, context),
            Message::Accept { ballot, slot, value } => {
                self.on_accept(from, ballot, slot, value, context);
            }
            // zoo: 3a
            Message::Accepted { slot, value, .. }
                if self.bug.is("3a") && self.log.get(&slot).map(Entry::value) != Some(&value) => {}
            // zoo: accepted-to-all
            Message::Accepted { ballot, slot, .. }
                if self.bug.is("accepted-to-all") && !self.leads() =>
            {
                self.hear(from, ballot, slot, context);
            }
            // :zoo
            Message::Accepted { ballot, slot, .. } => self.on_accepted(from, ballot, slot, context),
            Message::Heartbeat { ballot, chosen, cleared } => {
                self.on_heartbeat(from, ballot, chosen, cleared, context);
            }
            Message::CarriedOut { below } => self.on_carried_out(from, below, context),
            Message::CatchUp { from: slot, values } => self.on_catch_up(slot, values, context),
            Message::Reply { .. } => {}
        }
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Say<A>) {
        match timer {
            Timer::Election => {
                Self::wait_for_leader(context);
                let is_candidate = matches!(self.role, Role::Candidate { .. });
                // zoo: 3q
                let is_candidate = is_candidate && !self.bug.is("3q");
                // :zoo
                match is_candidate {
                    true => self.ask_to_lead(context),
                    false => self.stand(context),
                }
            }
            Timer::Heartbeat => {
                let Role::Leader { ballot, accepted_by, .. } = &self.role else { return };
                let (chosen, cleared) = (self.next, self.first());
                self.tell_others(&Message::Heartbeat { ballot: *ballot, chosen, cleared }, context);
                for &slot in accepted_by.keys() {
                    self.ask_to_accept(slot, context);
                }
                // zoo: accept-again
                if self.bug.is("accept-again") {
                    let chosen = self.log.iter().rev().filter(|(_, entry)| entry.is_chosen());
                    chosen.take(3).for_each(|(slot, _)| self.ask_to_accept(*slot, context));
                }
                // :zoo
                context.set_timer(Timer::Heartbeat, HEARTBEAT_EVERY);
            }
        }
    }
}

/// The client's timer: it names the command that it is about.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Retry {
    number: u64,
}

/// Sends a command to every server until one answers: whoever leads will.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Caller<A: Application> {
    group: Vec<Address>,
    /// Of the last command.
    number: u64,
    /// The command that waits for its result.
    command: Option<A::Command>,
    result: Option<A::Result>,
}

impl<A: Application> Caller<A> {
    pub fn new(group: &[Address]) -> Self {
        Caller { group: group.to_vec(), number: 0, command: None, result: None }
    }

    /// The same, whose commands have numbers above this one.
    pub fn after(mut self, number: u64) -> Self {
        self.number = number;
        self
    }

    fn send(&self, context: &mut Context<Message<A::Command, A::Result>, Retry>) {
        let Some(command) = self.command.clone() else { return };
        let number = self.number;
        context.broadcast(&self.group, &Message::Request { number, command });
        context.set_timer(Retry { number }, RETRY_AFTER);
    }
}

impl<A: Application> Node for Caller<A> {
    type Message = Message<A::Command, A::Result>;
    type Timer = Retry;

    fn on_message(
        &mut self,
        _from: Address,
        message: Self::Message,
        _context: &mut Context<Self::Message, Retry>,
    ) {
        let Message::Reply { number, result } = message else { return };
        if number == self.number && self.command.is_some() {
            self.command = None;
            self.result = Some(result);
        }
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Self::Message, Retry>) {
        if timer.number == self.number {
            self.send(context);
        }
    }
}

impl<A: Application> Client for Caller<A> {
    type Command = A::Command;
    type Result = A::Result;

    fn send_command(&mut self, command: A::Command, context: &mut Context<Self::Message, Retry>) {
        self.number += 1;
        self.command = Some(command);
        self.result = None;
        self.send(context);
    }

    fn result(&self) -> Option<A::Result> {
        self.result.clone()
    }
}

/// Tells the tests how to make servers and clients, and what is in a server's log.
#[derive(Clone, Default)]
pub struct Solution {
    // zoo:
    pub(crate) bug: Switch,
    // :zoo
}

impl Paxos for Solution {
    type Message = Message<KeyValueCommand, KeyValueResult>;
    type Server = Replica<KeyValueStore>;
    type Client = Caller<KeyValueStore>;

    fn server(&self, group: &[Address]) -> Self::Server {
        let replica = Replica::new(group, KeyValueStore::default());
        // zoo:
        let replica = replica.with_bug(self.bug);
        // :zoo
        replica
    }

    fn client(&self, group: &[Address]) -> Self::Client {
        Caller::new(group)
    }

    fn slot(server: &Self::Server, slot: u64) -> Slot {
        let command = |value: &Value<KeyValueCommand>| value.clone().map(|it| it.command);
        match server.log().get(&slot) {
            Some(Entry::Accepted { value, .. }) => Slot::Accepted(command(value)),
            Some(Entry::Chosen { value }) => Slot::Chosen(command(value)),
            None if slot < server.first() => Slot::Cleared,
            None => Slot::Empty,
        }
    }

    fn last_slot(server: &Self::Server) -> u64 {
        server.end() - 1
    }
}
