//! Faults between and to the nodes of one process, in the words of the same script that a proxy takes.
//! Where a script only loses messages and cuts links, messages are handed over at once, as values. Where it delays, doubles, reorders or corrupts, they are
//! written down as for another process and wait here until they are due. One that is corrupted is noticed, as a checksum would, and so is lost.
//! A node that crashes loses its memory, what waits for it, and what it has written and not synced; disks are in memory, and a sync is done at once.

use crate::faults::{Deed, FaultScript, Weather};
use foresee_node::{Address, Disk, Stored, Write};
use foresee_stdx::{Random, mix};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::time::Duration;

pub(crate) struct InProcess {
    script: FaultScript,
    weather: Weather,
    deeds: VecDeque<(Duration, Deed)>,
    random: Random,
    disks: Vec<Disk>,
    /// Whether messages wait here.
    pub(crate) holds_messages: bool,
    held: BinaryHeap<Reverse<Held>>,
    n_held: u64,
    /// When the last message from one to another arrives that does not overtake.
    last: BTreeMap<(u32, u32), Duration>,
    messages_max: usize,
    pub(crate) n_lost: u64,
}

/// A message on its way.
#[derive(Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Held {
    due: Duration,
    number: u64,
    from: u32,
    to: u32,
    bytes: Vec<u8>,
}

/// A message that arrives.
#[derive(Debug)]
pub(crate) struct Letter {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) bytes: Vec<u8>,
}

impl InProcess {
    /// At most `messages_max` messages wait for each node.
    pub(crate) fn new(
        script: &FaultScript,
        seed: u64,
        until: Duration,
        n_nodes: usize,
        messages_max: usize,
    ) -> Self {
        InProcess {
            script: script.clone(),
            weather: script.at(Duration::ZERO),
            deeds: script.deeds(seed, until).into(),
            random: Random::new(mix(seed ^ 0xFA17)),
            disks: (0..n_nodes).map(|_| Disk::default()).collect(),
            holds_messages: script.holds_messages(),
            held: BinaryHeap::new(),
            n_held: 0,
            last: BTreeMap::new(),
            messages_max: messages_max.saturating_mul(n_nodes),
            n_lost: 0,
        }
    }

    /// Looks at the clock: the weather may have changed, and something may be to be done.
    pub(crate) fn at(&mut self, now: Duration) -> Option<Deed> {
        self.weather = self.script.at(now);
        self.deeds.pop_front_if(|(at, _)| *at <= now).map(|(_, deed)| deed)
    }

    /// When something is to be done next.
    pub(crate) fn next_deed(&self) -> Option<Duration> {
        self.deeds.front().map(|(at, _)| *at)
    }

    /// When something is to be done or arrives next.
    pub(crate) fn next_due(&self) -> Option<Duration> {
        let letter = self.held.peek().map(|Reverse(held)| held.due);
        [self.next_deed(), letter].into_iter().flatten().min()
    }

    /// Sends a message on its way, if it is to arrive.
    pub(crate) fn post(&mut self, now: Duration, [from, to]: [(u32, Address); 2], bytes: Vec<u8>) {
        let is_cut = !self.weather.connects(from.1, to.1);
        let passage = if is_cut { None } else { self.weather.pass(&mut self.random) };
        let passage = passage.filter(|it| !it.is_corrupted && self.held.len() < self.messages_max);
        let Some(passage) = passage else {
            self.n_lost += 1;
            return;
        };
        for (delay, waits) in passage.copies {
            let mut due = now + delay;
            if waits {
                let last = self.last.entry((from.0, to.0)).or_default();
                due = due.max(*last);
                *last = due;
            }
            self.n_held += 1;
            let (number, bytes) = (self.n_held, bytes.clone());
            self.held.push(Reverse(Held { due, number, from: from.0, to: to.0, bytes }));
        }
    }

    /// A message that has arrived.
    pub(crate) fn take(&mut self, now: Duration) -> Option<Letter> {
        let Reverse(first) = self.held.peek()?;
        if first.due > now {
            return None;
        }
        let Reverse(Held { from, to, bytes, .. }) = self.held.pop()?;
        Some(Letter { from, to, bytes })
    }

    /// Whether a message arrives.
    pub(crate) fn delivers(&mut self, from: Address, to: Address) -> bool {
        let delivers = self.weather.connects(from, to) && !self.random.chance(self.weather.loss);
        self.n_lost += u64::from(!delivers);
        delivers
    }

    pub(crate) fn write(&mut self, member: u32, write: Write) {
        self.disks[member as usize].write(write);
    }

    pub(crate) fn sync(&mut self, member: u32) {
        let disk = &mut self.disks[member as usize];
        let n_writes = disk.unsynced().len();
        disk.sync(n_writes);
    }

    /// A node crashes: what was not synced is lost, and so is what was on its way to it.
    pub(crate) fn crash(&mut self, member: u32) {
        self.disks[member as usize].crash(0);
        let n_before = self.held.len();
        self.held.retain(|Reverse(held)| held.to != member);
        self.n_lost += (n_before - self.held.len()) as u64;
    }

    pub(crate) fn stored(&self, member: u32) -> Stored {
        self.disks[member as usize].stored().clone()
    }
}
