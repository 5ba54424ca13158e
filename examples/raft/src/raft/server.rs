//! A server of Raft: terms, votes, its log and what it has applied. How a leader leads is in `leader`.
//! Paper: Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm" (2014); `commit` is its commitIndex, `Progress` its nextIndex and matchIndex.
//! On stable storage: term, vote and log ([`Kept`]), and snapshots. Whatever a server says comes after `sync`, so nobody hears of what could be forgotten.

use super::leader::{Leader, Progress};
use super::log::{Entry, Log, Place};
use super::machine::{Machine, Snapshot};
use super::message::{Message, Timer};
use foresee::{Address, Context, Node, Stored};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

const ELECTION_MIN: Duration = Duration::from_millis(600);
const ELECTION_MAX: Duration = Duration::from_millis(1_200);
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(100);
/// Shorter than any wait for a leader, by more than clocks differ and events are late.
const LEASE: Duration = Duration::from_millis(350);
/// The mistake: nobody waits for so long.
const LONG_LEASE: Duration = Duration::from_secs(10);

/// Mistakes that a server can be given.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Bug {
    #[default]
    None,
    /// It answers before what it has written is on disk.
    Unsynced,
    /// A leader answers reads without asking whether it still leads.
    StaleReads,
    /// It votes for candidates whose log lacks what its own has.
    ShortLogs,
    /// A leader believes in its lease for longer than the others wait for it.
    LongLease,
    /// A leader counts copies of entries of earlier terms (figure 8 of the paper).
    OldTerms,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Server {
    pub(crate) others: Vec<Address>,
    /// Whether it ever stands for election.
    pub(crate) stands: bool,
    /// Entries after which it takes a snapshot.
    pub(crate) snapshot_every: u64,
    /// Entries that go in one message at most.
    pub(crate) batch: usize,
    pub(crate) bug: Bug,
    /// Whether a leader answers reads without asking, for a while after a majority has confirmed it.
    pub(crate) has_leases: bool,
    /// With leases: whether a leader was heard of so lately that it may hold one. Such a server votes for nobody.
    pub(crate) is_bound: bool,
    pub(crate) term: u64,
    pub(crate) voted_for: Option<Address>,
    pub(crate) log: Log,
    pub(crate) snapshot: Snapshot,
    /// Entries up to here are safe, and carried out.
    pub(crate) commit: u64,
    pub(crate) machine: Machine,
    pub(crate) leader: Option<Address>,
    pub(crate) role: Role,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Role {
    Follower,
    Candidate { votes: BTreeSet<Address> },
    Leader(Leader),
}

/// A record on stable storage.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Kept {
    Vote {
        term: u64,
        voted_for: Option<Address>,
    },
    /// The log after an index.
    Entries {
        after: u64,
        entries: Vec<Entry>,
    },
}

/// A snapshot on stable storage, with what comes after it.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Saved {
    term: u64,
    voted_for: Option<Address>,
    snapshot: Snapshot,
    entries: Vec<Entry>,
}

impl Server {
    pub(crate) fn new(others: Vec<Address>) -> Self {
        Server {
            others,
            stands: true,
            snapshot_every: u64::MAX,
            batch: usize::MAX,
            bug: Bug::None,
            has_leases: false,
            is_bound: false,
            term: 0,
            voted_for: None,
            log: Log::default(),
            snapshot: Snapshot::default(),
            commit: 0,
            machine: Machine::default(),
            leader: None,
            role: Role::Follower,
        }
    }

    /// Whether so many of all servers are more than half.
    pub(crate) fn is_majority(&self, n: usize) -> bool {
        2 * n > self.others.len() + 1
    }

    pub(crate) fn is_leader(&self) -> bool {
        matches!(self.role, Role::Leader(_))
    }

    fn wait_for_leader(&self, context: &mut Context<Message, Timer>) {
        context.cancel_timer(Timer::Election);
        if self.stands || self.has_leases {
            context.set_timer_between(Timer::Election, ELECTION_MIN, ELECTION_MAX);
        }
    }

    /// How long what a majority has confirmed is believed.
    pub(crate) fn lease(&self) -> Duration {
        if self.bug == Bug::LongLease { LONG_LEASE } else { LEASE }
    }

    /// Nobody leads, as far as it can be heard.
    fn miss_leader(&mut self, context: &mut Context<Message, Timer>) {
        self.is_bound = false;
        if self.stands {
            self.stand(context);
        }
    }

    /// Makes durable what was written, before anything that follows from it is said.
    pub(crate) fn settle(&self, context: &mut Context<Message, Timer>) {
        if self.bug != Bug::Unsynced {
            context.sync();
        }
    }

    fn keep_vote(&self, context: &mut Context<Message, Timer>) {
        context.append(&Kept::Vote { term: self.term, voted_for: self.voted_for });
    }

    /// Puts entries after an index, in the place of what was there.
    pub(crate) fn put_entries(
        &mut self,
        after: u64,
        entries: Vec<Entry>,
        context: &mut Context<Message, Timer>,
    ) {
        context.append(&Kept::Entries { after, entries: entries.clone() });
        self.log.truncate(after);
        self.log.entries.extend(entries);
    }

    /// Hears of a term; `false` if it is over.
    fn hear_of(&mut self, term: u64, context: &mut Context<Message, Timer>) -> bool {
        if term > self.term {
            self.term = term;
            self.voted_for = None;
            self.leader = None;
            self.keep_vote(context);
            self.follow(context);
        }
        term == self.term
    }

    fn follow(&mut self, context: &mut Context<Message, Timer>) {
        if self.is_leader() {
            context.cancel_timer(Timer::Heartbeat);
            self.wait_for_leader(context);
        }
        self.role = Role::Follower;
    }

    fn stand(&mut self, context: &mut Context<Message, Timer>) {
        self.term += 1;
        self.voted_for = Some(context.me());
        self.leader = None;
        self.role = Role::Candidate { votes: [context.me()].into() };
        self.keep_vote(context);
        self.settle(context);
        let vote = Message::Vote { term: self.term, last: self.log.last() };
        context.broadcast(&self.others, &vote);
        self.wait_for_leader(context);
        self.count_votes(context);
    }

    fn count_votes(&mut self, context: &mut Context<Message, Timer>) {
        if let Role::Candidate { votes } = &self.role
            && self.is_majority(votes.len())
        {
            context.cancel_timer(Timer::Election);
            self.lead(context);
        }
    }

    fn on_vote(
        &mut self,
        from: Address,
        term: u64,
        last: Place,
        context: &mut Context<Message, Timer>,
    ) {
        if self.is_bound {
            return; // whoever leads may be answering reads by its lease; the candidate will ask again
        }
        let is_free = self.hear_of(term, context) && self.voted_for.is_none_or(|it| it == from);
        let knows_enough = last >= self.log.last() || self.bug == Bug::ShortLogs;
        let granted = is_free && knows_enough;
        if granted && self.voted_for.is_none() {
            self.voted_for = Some(from);
            self.keep_vote(context);
            self.wait_for_leader(context);
        }
        self.settle(context);
        context.send(from, Message::Voted { term: self.term, granted });
    }

    fn on_voted(
        &mut self,
        from: Address,
        term: u64,
        granted: bool,
        context: &mut Context<Message, Timer>,
    ) {
        if self.hear_of(term, context)
            && granted
            && let Role::Candidate { votes } = &mut self.role
        {
            votes.insert(from);
            self.count_votes(context);
        }
    }

    /// Something from the leader of the present term.
    fn hear_leader(&mut self, from: Address, context: &mut Context<Message, Timer>) {
        if matches!(self.role, Role::Candidate { .. }) {
            self.role = Role::Follower;
        }
        self.leader = Some(from);
        self.is_bound = self.has_leases;
        self.wait_for_leader(context);
    }

    /// Takes over a leader's entries; up to where the log is now the leader's, or where the leader should try.
    fn take(
        &mut self,
        before: Place,
        mut entries: Vec<Entry>,
        context: &mut Context<Message, Timer>,
    ) -> Result<u64, u64> {
        let end = before.index + entries.len() as u64;
        let mut before = before;
        if before.index < self.log.base.index {
            // What the snapshot has is safe, and so the same everywhere.
            let n_known = (self.log.base.index - before.index).min(entries.len() as u64);
            entries.drain(..n_known as usize);
            before = self.log.base;
        }
        if self.log.term(before.index) != Some(before.term) {
            return Err(self.log.last().index.min(before.index.saturating_sub(1)));
        }
        let n_same = (before.index + 1..)
            .zip(&entries)
            .take_while(|(index, entry)| self.log.term(*index) == Some(entry.term))
            .count();
        if n_same < entries.len() {
            self.put_entries(before.index + n_same as u64, entries.split_off(n_same), context);
        }
        Ok(end)
    }

    fn on_append(
        &mut self,
        from: Address,
        (term, round): (u64, u64),
        (before, entries, commit): (Place, Vec<Entry>, u64),
        context: &mut Context<Message, Timer>,
    ) {
        let mut matches = Err(self.log.last().index);
        if self.hear_of(term, context) {
            self.hear_leader(from, context);
            matches = self.take(before, entries, context);
            if let Ok(end) = matches {
                self.commit_to(commit.min(end), context);
            }
        }
        self.settle(context);
        context.send(from, Message::Appended { term: self.term, matches, round });
    }

    fn on_install(
        &mut self,
        from: Address,
        (term, round): (u64, u64),
        snapshot: Snapshot,
        context: &mut Context<Message, Timer>,
    ) {
        let mut matches = Err(self.log.last().index);
        if self.hear_of(term, context) {
            self.hear_leader(from, context);
            matches = Ok(snapshot.place.index);
            if snapshot.place.index > self.commit {
                self.commit = snapshot.place.index;
                self.machine = snapshot.machine.clone();
                self.save(snapshot, context);
            }
        }
        self.settle(context);
        context.send(from, Message::Appended { term: self.term, matches, round });
    }

    /// Keeps a snapshot and forgets the entries that it has.
    fn save(&mut self, snapshot: Snapshot, context: &mut Context<Message, Timer>) {
        self.log.compact(snapshot.place);
        self.snapshot = snapshot;
        context.snapshot(&Saved {
            term: self.term,
            voted_for: self.voted_for,
            snapshot: self.snapshot.clone(),
            entries: self.log.entries.clone(),
        });
    }

    /// Carries out entries up to an index; a leader answers.
    pub(crate) fn commit_to(&mut self, index: u64, context: &mut Context<Message, Timer>) {
        while self.commit < index {
            self.commit += 1;
            let entry = self.log.entry(self.commit).expect("what is committed is in the log");
            self.machine.apply(entry);
            if let Role::Leader(_) = self.role
                && let Some(call) = &entry.call
                && let Some(result) = self.machine.answer(call.client, call.number)
            {
                let (client, call, result) = (call.client, call.number, result.clone());
                self.settle(context);
                context.send(client, Message::Reply { call, result });
            }
        }
        if self.commit >= self.log.base.index + self.snapshot_every {
            let term = self.log.term(self.commit).expect("it is not in the snapshot");
            let place = Place { term, index: self.commit };
            self.save(Snapshot { place, machine: self.machine.clone() }, context);
        }
    }
}

impl Node for Server {
    type Message = Message;
    type Timer = Timer;

    fn init(&mut self, context: &mut Context<Message, Timer>) {
        self.wait_for_leader(context);
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Timer>,
    ) {
        match message {
            Message::Vote { term, last } => self.on_vote(from, term, last, context),
            Message::Voted { term, granted } => self.on_voted(from, term, granted, context),
            Message::Append { term, before, entries, commit, round } => {
                self.on_append(from, (term, round), (before, entries, commit), context);
            }
            Message::Install { term, snapshot, round } => {
                self.on_install(from, (term, round), snapshot, context);
            }
            Message::Appended { term, matches, round } => {
                if self.hear_of(term, context) {
                    self.on_appended(from, matches, round, context);
                }
            }
            Message::Request { call, command } => self.on_request(from, call, command, context),
            Message::Reply { .. } | Message::Elsewhere { .. } => {}
        }
    }

    fn on_timer(&mut self, timer: Timer, context: &mut Context<Message, Timer>) {
        match timer {
            Timer::Election => self.miss_leader(context),
            Timer::Heartbeat => self.on_heartbeat(context),
            Timer::Lease { round } => self.on_lease_over(round),
            Timer::Retry { .. } => {}
        }
    }

    fn restore(&mut self, stored: &Stored) {
        // It may have confirmed a leader just before the crash.
        self.is_bound = self.has_leases;
        if let Some(Saved { term, voted_for, snapshot, entries }) = stored.snapshot() {
            (self.term, self.voted_for) = (term, voted_for);
            self.log = Log { base: snapshot.place, entries };
            (self.commit, self.machine) = (snapshot.place.index, snapshot.machine.clone());
            self.snapshot = snapshot;
        }
        for kept in stored.records() {
            match kept {
                Kept::Vote { term, voted_for } => (self.term, self.voted_for) = (term, voted_for),
                Kept::Entries { after, entries } => {
                    self.log.truncate(after);
                    self.log.entries.extend(entries);
                }
            }
        }
    }
}

impl Progress {
    /// A follower of which nothing is known yet.
    pub(crate) fn at(last: u64) -> Self {
        Progress { next: last + 1, matched: 0, awaits: None, round: 0 }
    }
}
