//! What an event touches, in the words of this front end.
//! Objects are numbered by hashing what they are (a name, a mailbox, a key of a table), so numbers are the same in every
//! run. A clash of hashes would only make two independent events look dependent.

use crate::term::{Atom, Pid, Reference, Term};
use foresee_lts::{Actor, Footprint};
use foresee_stdx::mix;

/// Collects a footprint.
pub struct Touched {
    footprint: Footprint,
}

fn object(kind: u64, what: u64) -> u64 {
    mix(mix(kind) ^ what)
}

const START: u64 = 1;
const LIFE: u64 = 2;
const NAME: u64 = 3;
const MAILBOX: u64 = 4;
const MESSAGE: u64 = 5;
const TABLE: u64 = 6;
const KEY: u64 = 7;
const TIMER: u64 = 8;
const TRAP: u64 = 9;
const COUNTER: u64 = 10;
const PERSISTENT: u64 = 11;
const OUTPUT: u64 = 12;
const PROCESSES: u64 = 13;
const MONITOR: u64 = 14;

impl Touched {
    /// By `actor`, which is process `pid`: after the event that started it.
    pub(crate) fn by(actor: Actor, pid: Pid) -> Touched {
        Touched { footprint: Footprint::of(actor) }.read(START, pid.content_hash())
    }

    pub(crate) fn finish(self) -> Footprint {
        self.footprint
    }

    fn read(mut self, kind: u64, what: u64) -> Self {
        self.reads(kind, what);
        self
    }

    fn reads(&mut self, kind: u64, what: u64) {
        let footprint = std::mem::take(&mut self.footprint);
        self.footprint = footprint.reads(object(kind, what));
    }

    fn writes(&mut self, kind: u64, what: u64) {
        let footprint = std::mem::take(&mut self.footprint);
        self.footprint = footprint.writes(object(kind, what));
    }

    pub fn starts(&mut self, pid: Pid) {
        self.writes(START, pid.content_hash());
        self.reads(PROCESSES, 0);
    }

    /// Whether a process is alive.
    pub fn reads_life(&mut self, pid: Pid) {
        self.reads(LIFE, pid.content_hash());
    }

    pub fn writes_life(&mut self, pid: Pid) {
        self.writes(LIFE, pid.content_hash());
        self.reads(PROCESSES, 0);
    }

    pub fn reads_all_processes(&mut self) {
        self.writes(PROCESSES, 0);
    }

    pub fn reads_name(&mut self, name: Atom) {
        self.reads(NAME, name.content_hash());
    }

    pub fn writes_name(&mut self, name: Atom) {
        self.writes(NAME, name.content_hash());
    }

    /// A message is put into a mailbox.
    pub fn delivers(&mut self, to: Pid, message: &Term) {
        self.writes(MAILBOX, to.content_hash());
        self.writes(MESSAGE, mix(to.content_hash()) ^ message.content_hash());
    }

    /// A message is taken out of the actor's own mailbox: after it was put there.
    pub fn takes(&mut self, pid: Pid, message: &Term) {
        self.reads(MESSAGE, mix(pid.content_hash()) ^ message.content_hash());
    }

    /// The whole mailbox is looked at: nothing matches, or its length is asked for.
    pub fn reads_mailbox(&mut self, pid: Pid) {
        self.reads(MAILBOX, pid.content_hash());
    }

    pub fn reads_trap(&mut self, pid: Pid) {
        self.reads(TRAP, pid.content_hash());
    }

    pub fn writes_trap(&mut self, pid: Pid) {
        self.writes(TRAP, pid.content_hash());
    }

    pub fn writes_monitor(&mut self, reference: Reference) {
        self.writes(MONITOR, reference.content_hash());
    }

    /// A key of a table.
    pub fn reads_key(&mut self, table: Reference, key: &Term) {
        self.reads(TABLE, table.content_hash());
        self.reads(KEY, mix(table.content_hash()) ^ key.content_hash());
    }

    pub fn writes_key(&mut self, table: Reference, key: &Term) {
        self.reads(TABLE, table.content_hash());
        self.writes(KEY, mix(table.content_hash()) ^ key.content_hash());
        // Whoever looks at all keys depends on this one.
        self.reads(TABLE, !table.content_hash());
    }

    /// All keys of a table.
    pub fn reads_table(&mut self, table: Reference) {
        self.reads(TABLE, table.content_hash());
        self.writes(TABLE, !table.content_hash());
    }

    /// The table as a whole: made, deleted, renamed, given away.
    pub fn writes_table(&mut self, table: Reference) {
        self.writes(TABLE, table.content_hash());
    }

    pub fn writes_timer(&mut self, reference: Reference) {
        self.writes(TIMER, reference.content_hash());
    }

    pub fn reads_counter(&mut self, reference: Reference) {
        self.reads(COUNTER, reference.content_hash());
    }

    pub fn writes_counter(&mut self, reference: Reference) {
        self.writes(COUNTER, reference.content_hash());
    }

    pub fn reads_persistent(&mut self, key: &Term) {
        self.reads(PERSISTENT, key.content_hash());
    }

    pub fn writes_persistent(&mut self, key: &Term) {
        self.writes(PERSISTENT, key.content_hash());
    }

    pub fn writes_output(&mut self) {
        self.writes(OUTPUT, 0);
    }
}

/// Touches nothing that others touch.
pub fn nothing(_: &crate::step::Step<'_>, _: &[Term], _: &mut Touched) {}
