//! How a leader leads: entries go out, copies are counted, reads are confirmed.
//! One message is under way to each follower; what comes meanwhile goes with the next, so that batches grow with the load. A heartbeat sends again.
//! Safe reads (section 8 of the paper): a read is answered when a majority has confirmed, after the read came, that the leader still leads, and the leader
//! knows what was committed before its term, that is, has committed an entry of its own.
//! With leases (section 6.4.1 of Ongaro's dissertation) a confirmation counts for a while: whoever has confirmed votes for nobody until it has waited
//! longer than that. This leans on clocks that run alike and timers that are not late; a search takes it for granted (`super::clocks_differ`).

use super::log::{Call, Entry, Place};
use super::message::{Message, Timer};
use super::server::{Bug, HEARTBEAT, Role, Server};
use foresee::{Address, Application, Context, KeyValueCommand, KeyValueResult};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Leader {
    pub(crate) followers: BTreeMap<Address, Progress>,
    /// The last round of confirmations that was begun.
    round: u64,
    /// What was confirmed in rounds up to this one has lasted its time.
    pub(crate) expired: u64,
    reads: Vec<Read>,
    /// The last read of each client and its answer, for a request that comes again.
    answered: BTreeMap<Address, (u64, KeyValueResult)>,
}

/// How far a follower is.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Progress {
    /// The entry to send next.
    pub(crate) next: u64,
    /// Its log is the leader's up to here.
    pub(crate) matched: u64,
    /// The message under way, if there is one: where its entries end, and its round.
    pub(crate) awaits: Option<(u64, u64)>,
    /// The last round that it has confirmed.
    pub(crate) round: u64,
}

/// A read that waits for its round.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Read {
    client: Address,
    call: u64,
    command: KeyValueCommand,
    round: u64,
}

impl Server {
    /// Begins to lead.
    pub(crate) fn lead(&mut self, context: &mut Context<Message, Timer>) {
        let last = self.log.last().index;
        let followers = self.others.iter().map(|other| (*other, Progress::at(last))).collect();
        self.role = Role::Leader(Leader {
            followers,
            round: 0,
            expired: 0,
            reads: Vec::new(),
            answered: BTreeMap::new(),
        });
        self.leader = Some(context.me());
        self.put_entries(last, vec![Entry { term: self.term, call: None }], context);
        self.settle(context);
        self.send_to_all(context);
        self.count_copies(context);
        context.set_timer(Timer::Heartbeat, HEARTBEAT);
    }

    pub(crate) fn on_heartbeat(&mut self, context: &mut Context<Message, Timer>) {
        let Role::Leader(leader) = &mut self.role else { return };
        leader.followers.values_mut().for_each(|it| it.awaits = None);
        if self.has_leases {
            self.begin_round(context);
        }
        self.settle(context);
        self.send_to_all(context);
        context.set_timer(Timer::Heartbeat, HEARTBEAT);
    }

    /// Asks, from the next message on, whether it still leads.
    fn begin_round(&mut self, context: &mut Context<Message, Timer>) {
        let lease = self.lease();
        let Role::Leader(leader) = &mut self.role else { return };
        leader.round += 1;
        if self.has_leases {
            context.set_timer(Timer::Lease { round: leader.round }, lease);
        }
    }

    pub(crate) fn on_lease_over(&mut self, round: u64) {
        if let Role::Leader(leader) = &mut self.role {
            leader.expired = leader.expired.max(round);
        }
    }

    /// The round that enough followers have confirmed, so that with the leader they are a majority.
    fn confirmed(&self) -> u64 {
        let Role::Leader(leader) = &self.role else { return 0 };
        let mut rounds: Vec<u64> = leader.followers.values().map(|it| it.round).collect();
        rounds.sort_unstable();
        let n_needed = self.others.len().div_ceil(2);
        let at = rounds.len().checked_sub(n_needed);
        at.and_then(|at| rounds.get(at)).copied().unwrap_or(u64::MAX)
    }

    /// How many times it has asked whether it still leads.
    pub(crate) fn rounds_begun(&self) -> u64 {
        if let Role::Leader(leader) = &self.role { leader.round } else { 0 }
    }

    /// Whether it would answer a read at once.
    pub(crate) fn may_read(&self) -> bool {
        self.is_leader() && (self.holds_lease() || self.bug == Bug::StaleReads)
    }

    /// Whether reads need not be confirmed.
    fn holds_lease(&self) -> bool {
        let Role::Leader(leader) = &self.role else { return false };
        self.has_leases && self.confirmed() > leader.expired
    }

    fn send_to_all(&mut self, context: &mut Context<Message, Timer>) {
        for other in self.others.clone() {
            self.send_entries(other, context);
        }
    }

    /// Sends a follower what it lacks, unless it has not answered the last message.
    fn send_entries(&mut self, to: Address, context: &mut Context<Message, Timer>) {
        let Role::Leader(leader) = &mut self.role else { return };
        let round = leader.round;
        let progress = leader.followers.get_mut(&to).expect("a follower");
        if progress.awaits.is_some() {
            return;
        }
        let index = progress.next - 1;
        let (message, end) = match self.log.term(index) {
            Some(term) => {
                let entries = self.log.after(index).iter().take(self.batch);
                let entries: Vec<Entry> = entries.cloned().collect();
                let (end, before) = (index + entries.len() as u64, Place { term, index });
                let commit = self.commit;
                (Message::Append { term: self.term, before, entries, commit, round }, end)
            }
            None => {
                let snapshot = self.snapshot.clone();
                let end = snapshot.place.index;
                (Message::Install { term: self.term, snapshot, round }, end)
            }
        };
        progress.awaits = Some((end, round));
        context.send(to, message);
    }

    pub(crate) fn on_appended(
        &mut self,
        from: Address,
        matches: Result<u64, u64>,
        round: u64,
        context: &mut Context<Message, Timer>,
    ) {
        let last = self.log.last().index;
        let Role::Leader(leader) = &mut self.role else { return };
        let begun = leader.round;
        let Some(progress) = leader.followers.get_mut(&from) else { return };
        progress.round = progress.round.max(round);
        match matches {
            Ok(end) => {
                progress.matched = progress.matched.max(end);
                progress.next = progress.matched + 1;
                // An answer to an older message, sent again by a heartbeat, is no reason to send another.
                progress.awaits.take_if(|awaited| *awaited == (end, round));
            }
            // An old answer says nothing about what has been matched since.
            Err(hint) if hint + 1 < progress.next => {
                progress.next = (hint + 1).max(progress.matched + 1);
                progress.awaits = None;
            }
            Err(_) => {}
        }
        let lacks = progress.matched < last || matches.is_err() || progress.round < begun;
        self.settle(context);
        self.count_copies(context);
        self.answer_reads(context);
        if lacks {
            self.send_entries(from, context);
        }
    }

    /// Commits what a majority has.
    fn count_copies(&mut self, context: &mut Context<Message, Timer>) {
        let Role::Leader(leader) = &self.role else { return };
        let mut copies: Vec<u64> = leader.followers.values().map(|it| it.matched).collect();
        copies.push(self.log.last().index);
        copies.sort_unstable();
        let index = copies[(copies.len() - 1) / 2];
        let is_own = self.log.term(index) == Some(self.term);
        if index > self.commit && (is_own || self.bug == Bug::OldTerms) {
            self.commit_to(index, context);
            self.answer_reads(context);
        }
    }

    pub(crate) fn on_request(
        &mut self,
        client: Address,
        call: u64,
        command: KeyValueCommand,
        context: &mut Context<Message, Timer>,
    ) {
        if !self.is_leader() {
            let leader = self.leader;
            return context.send(client, Message::Elsewhere { call, leader });
        }
        if let KeyValueCommand::Get { .. } = command {
            return self.on_read(client, call, command, context);
        }
        if let Some(result) = self.machine.answer(client, call) {
            let result = result.clone();
            self.settle(context);
            return context.send(client, Message::Reply { call, result });
        }
        let is_same = |it: &Call| (it.client, it.number) == (client, call);
        let waiting = self.log.after(self.commit);
        if waiting.iter().any(|entry| entry.call.as_ref().is_some_and(is_same)) {
            return;
        }
        let call = Some(Call { client, number: call, command });
        self.put_entries(self.log.last().index, vec![Entry { term: self.term, call }], context);
        self.settle(context);
        self.send_to_all(context);
        self.count_copies(context);
    }

    fn on_read(
        &mut self,
        client: Address,
        call: u64,
        command: KeyValueCommand,
        context: &mut Context<Message, Timer>,
    ) {
        let holds_lease = self.holds_lease();
        let Role::Leader(leader) = &mut self.role else { return };
        if leader.reads.iter().any(|read| (read.client, read.call) == (client, call)) {
            return;
        }
        match leader.answered.get(&client) {
            Some((last, _)) if *last > call => return,
            Some((last, result)) if *last == call => {
                let result = result.clone();
                self.settle(context);
                return context.send(client, Message::Reply { call, result });
            }
            _ => {}
        }
        // A round that is under way was begun before the read came.
        let is_idle = leader.reads.is_empty();
        let round = leader.round + 1;
        leader.reads.push(Read { client, call, command, round });
        if is_idle && !holds_lease {
            self.begin_round(context);
            self.send_to_all(context);
        }
        self.answer_reads(context);
    }

    /// Answers the reads whose round is confirmed, and begins the round of the others.
    fn answer_reads(&mut self, context: &mut Context<Message, Timer>) {
        let knows_the_past = self.log.term(self.commit) == Some(self.term);
        let is_stale = self.bug == Bug::StaleReads;
        let confirmed = match is_stale || self.holds_lease() {
            true => u64::MAX,
            false => self.confirmed(),
        };
        let Role::Leader(leader) = &mut self.role else { return };
        if leader.reads.is_empty() || !(knows_the_past || is_stale) {
            return;
        }
        let (ready, waiting) = leader.reads.drain(..).partition(|read| read.round <= confirmed);
        let ready: Vec<Read> = ready;
        leader.reads = waiting;
        let begins = !leader.reads.is_empty() && confirmed >= leader.round;
        for Read { client, call, command, .. } in ready {
            let result = self.machine.store.execute(&command);
            if let Role::Leader(leader) = &mut self.role {
                leader.answered.insert(client, (call, result.clone()));
            }
            self.settle(context);
            context.send(client, Message::Reply { call, result });
        }
        if begins {
            self.begin_round(context);
            self.send_to_all(context);
        }
    }
}
