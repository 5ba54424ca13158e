//! Following records: the handlers are run again in an order that the records of all processes allow, without any clock.
//! An event of a record can happen when what it is about is there: a message that was sent to the node, a timer that is pending, a sync under way.
//! Records are taken in turn, each as far as it goes. If none can go on, a message that was delivered before is taken to have arrived twice, as
//! networks do; if that does not help, the code that runs now is not the code that was recorded, or a record is missing: the first
//! event that cannot happen is the divergence.
//! A node that starts again was killed in between. What it found on its disk says how many of its unsynced writes had got there.

use crate::record::{Record, RecordedEvent};
use foresee_node::{Address, Cause, Deploy, Disk, Host, Value, Wire, Write};
use foresee_stdx::stable_hash;
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// What happened, as the runs of handlers tell it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Followed {
    pub node: Address,
    pub what: What,
    /// Whether it changed nothing and sent nothing.
    pub is_ignored: bool,
}

#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum What {
    Start,
    Message {
        from: Address,
        text: String,
        /// Whether it had arrived before.
        is_again: bool,
    },
    Timer {
        text: String,
    },
    /// A sync of the node is done.
    Synced,
    /// The node was killed; so many of its unsynced writes were found again.
    Crash {
        n_kept: usize,
        n_unsynced: usize,
    },
    /// Its disk was not found again.
    LostDisk,
    Restart,
}

/// The first recorded event that does not happen again.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Divergence {
    pub node: Address,
    /// Which event of its record, from 1.
    pub event: usize,
    pub why: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} of the record of {}: {}", self.event, self.node, self.why)
    }
}

/// Runs the records again and tells what happens; how many events there were.
pub fn follow(
    deployment: &dyn Deploy,
    records: &[Record],
    tell: &mut dyn FnMut(Followed),
) -> Result<usize, Divergence> {
    let all: Vec<Address> = deployment.members().iter().map(|member| member.address).collect();
    let mut host = deployment.host(&all);
    host.watch();
    let mut told = Told {
        drives: all.iter().map(|_| Drive::default()).collect(),
        addresses: all,
        happening: None,
        has_begun: false,
        is_again: false,
        n_asked: 0,
        failed: None,
        tell,
    };
    // What a node does at its start depends on nothing, so all start first, in the order of a search.
    for member in 0..told.addresses.len() as u32 {
        host.start(member, &mut told);
    }
    told.has_begun = true;
    let mut cursors = vec![0; records.len()];
    let mut n_events = 0;
    loop {
        let mut has_moved = false;
        for (record, cursor) in records.iter().zip(&mut cursors) {
            while let Some(event) = record.events.get(*cursor) {
                if !happens(&mut *host, record, event, &mut told) {
                    break;
                }
                has_moved = true;
                *cursor += 1;
                n_events += 1;
            }
        }
        if !has_moved && !happens_again(&mut *host, records, &mut cursors, &mut told) {
            break;
        }
        n_events += usize::from(!has_moved);
    }
    let stuck =
        records.iter().zip(&cursors).find(|(record, cursor)| **cursor < record.events.len());
    match stuck {
        None => Ok(n_events),
        Some((record, cursor)) => Err(divergence(record, *cursor, told.failed)),
    }
}

/// Lets a recorded event happen, if it can.
fn happens(
    host: &mut dyn Host,
    record: &Record,
    event: &RecordedEvent,
    told: &mut Told<'_>,
) -> bool {
    let place = |told: &Told<'_>, member: u32| told.place(record.nodes[member as usize]);
    match event {
        RecordedEvent::Start { member } => place(told, *member).is_some_and(|member| {
            match std::mem::replace(&mut told.drives[member as usize].has_started, true) {
                false => true,
                true => comes_back(host, member, None, told),
            }
        }),
        RecordedEvent::Restart { member, hash } => place(told, *member).is_some_and(|member| {
            told.drives[member as usize].has_started = true;
            comes_back(host, member, Some(*hash), told)
        }),
        RecordedEvent::Message { member, from, hash } => {
            place(told, *member).is_some_and(|to| host.deliver(*from, to, *hash, false, told))
        }
        RecordedEvent::Synced { member } => {
            place(told, *member).is_some_and(|member| host.synced(member, told))
        }
        RecordedEvent::Timer { member, hash } => place(told, *member).is_some_and(|member| {
            let ticket = host.timer_with(member, *hash);
            ticket.is_some_and(|ticket| host.fire(member, ticket, told))
        }),
    }
}

/// Lets a message arrive once more, if that is what the record of a process is waiting for.
fn happens_again(
    host: &mut dyn Host,
    records: &[Record],
    cursors: &mut [usize],
    told: &mut Told<'_>,
) -> bool {
    told.is_again = true;
    let moved = records.iter().zip(cursors).any(|(record, cursor)| {
        let Some(RecordedEvent::Message { member, from, hash }) = record.events.get(*cursor) else {
            return false;
        };
        let to = told.place(record.nodes[*member as usize]);
        let arrived = to.is_some_and(|to| host.deliver(*from, to, *hash, true, told));
        *cursor += usize::from(arrived);
        arrived
    });
    told.is_again = false;
    moved
}

/// A node that was killed comes back with a disk of this hash, or without one. `false` if its disk cannot have looked so.
fn comes_back(host: &mut dyn Host, member: u32, found: Option<u64>, told: &mut Told<'_>) -> bool {
    let drive = &mut told.drives[member as usize];
    let n_unsynced = drive.disk.unsynced().len();
    let after = |n_kept: usize| {
        let mut disk = drive.disk.clone();
        disk.crash(n_kept);
        disk
    };
    let fits =
        |n_kept: &usize| found.is_none_or(|hash| stable_hash(after(*n_kept).stored()) == hash);
    let Some(n_kept) = (0..=n_unsynced).find(fits) else { return false };
    let (disk, is_lost) = (after(n_kept), found.is_none() && !after(n_kept).is_empty());
    drive.syncs.clear();
    drive.n_written = 0;
    drive.disk = if is_lost { Disk::default() } else { disk };
    let stored = drive.disk.stored().clone();
    host.crash(member, false, told);
    told.say(member, What::Crash { n_kept, n_unsynced });
    if is_lost {
        told.say(member, What::LostDisk);
    }
    match found {
        Some(_) => host.restart(member, &stored, told),
        None => host.start(member, told),
    }
    true
}

fn divergence(record: &Record, cursor: usize, failed: Option<(Address, String)>) -> Divergence {
    let event = &record.events[cursor];
    let (member, why) = match event {
        RecordedEvent::Start { member } => (*member, "the system has no such node now".to_owned()),
        RecordedEvent::Restart { member, .. } => {
            (*member, "it did not write what it found on its disk".to_owned())
        }
        RecordedEvent::Message { member, from, .. } => {
            (*member, format!("{from} does not send it the message that it got"))
        }
        RecordedEvent::Synced { member } => (*member, "it does not wait for its disk".to_owned()),
        RecordedEvent::Timer { member, .. } => {
            (*member, "the timer that fired is not pending".to_owned())
        }
    };
    let why = match failed {
        Some((node, panic)) => format!("{why}; {node} panicked before: {panic}"),
        None => why,
    };
    Divergence { node: record.nodes[member as usize], event: cursor + 1, why }
}

/// A member's disk.
#[derive(Default)]
struct Drive {
    disk: Disk,
    /// Writes that each sync under way covers, and those after the last.
    syncs: VecDeque<usize>,
    n_written: usize,
    has_started: bool,
}

struct Told<'a> {
    addresses: Vec<Address>,
    drives: Vec<Drive>,
    happening: Option<What>,
    /// Whether every node has started for the first time.
    has_begun: bool,
    is_again: bool,
    n_asked: usize,
    failed: Option<(Address, String)>,
    tell: &'a mut dyn FnMut(Followed),
}

impl Told<'_> {
    fn place(&self, address: Address) -> Option<u32> {
        self.addresses.iter().position(|known| *known == address).map(|place| place as u32)
    }

    fn say(&mut self, member: u32, what: What) {
        let node = self.addresses[member as usize];
        (self.tell)(Followed { node, what, is_ignored: false });
    }
}

impl Wire for Told<'_> {
    fn watches(&self) -> bool {
        true
    }

    fn begins(&mut self, member: u32, cause: Cause<'_>) {
        self.n_asked = 0;
        self.happening = Some(match cause {
            Cause::Start if !self.has_begun => What::Start,
            Cause::Start | Cause::Restart { .. } => What::Restart,
            Cause::Message { from, message } => {
                What::Message { from, text: message.text(), is_again: self.is_again }
            }
            Cause::Timer { timer } => What::Timer { text: timer.text() },
            Cause::Synced => {
                let drive = &mut self.drives[member as usize];
                let n_writes = drive.syncs.pop_front().unwrap_or(0);
                drive.disk.sync(n_writes);
                What::Synced
            }
        });
    }

    fn ends(&mut self, member: u32, has_changed: bool) {
        if let Some(what) = self.happening.take() {
            let is_ignored = !has_changed && self.n_asked == 0;
            let node = self.addresses[member as usize];
            (self.tell)(Followed { node, what, is_ignored });
        }
    }

    fn send(&mut self, _from: u32, _to: Address, _encode: &dyn Fn(&mut Vec<u8>)) {
        self.n_asked += 1;
    }

    fn keeps(&mut self, _from: u32, _to: u32, _n_waiting: usize) -> bool {
        self.n_asked += 1;
        true
    }

    fn set_timer(&mut self, _member: u32, _ticket: u64, _min: Duration, _max: Duration) {}

    fn invoked(&mut self, _member: u32, _operation: Value) {
        self.n_asked += 1;
    }

    fn returned(&mut self, _member: u32, _result: Value) {
        self.n_asked += 1;
    }

    fn write(&mut self, member: u32, write: Write) {
        self.n_asked += 1;
        let drive = &mut self.drives[member as usize];
        drive.disk.write(write);
        drive.n_written += 1;
    }

    fn sync(&mut self, member: u32) -> bool {
        self.n_asked += 1;
        let drive = &mut self.drives[member as usize];
        drive.syncs.push_back(std::mem::take(&mut drive.n_written));
        false // done where the record says so
    }

    fn broken(&mut self, member: u32, message: String) {
        let node = self.addresses[member as usize];
        self.failed.get_or_insert((node, message));
        if let Some(what) = self.happening.take() {
            (self.tell)(Followed { node, what, is_ignored: false });
        }
    }
}
