//! What an event touches, in the words of this front end.
//! An event is carried out once, and what it touches is collected on the way: what a built-in looks at and changes by its
//! own `touches` function before it runs, messages and exit signals where they have their effect (`crate::world::signal`), because
//! only there is known whether a message arrives and whether a signal kills. An operation that fails has only read.
//! Objects are numbered by hashing what they are (a name, a key of a table), so numbers are the same in every run. A clash of
//! the numbers of two objects only makes independent events look dependent. A clash of the 64-bit hashes that stand for
//! contents (what is put, a message, an answer) would hide a dependency; that is taken to be as unlikely as it is
//! (docs/ARCHITECTURE.md, "Invariants worth knowing").
//! Invariant: an event that would find a thing gone touches the same object as the event that takes it away, in either
//! order, or a search that saw one order would never try the other.
//! Not here: what the pairs mean (`foresee_lts::Mode`); messages and mailboxes (`foresee_lts::Delivery`).
//! docs/decisions/0103-what-races-in-erlang.md has the table of pairs and why it is so.

use crate::term::{Atom, Pid, Reference, Term};
use crate::world::ets::match_spec::MatchSpec;
use foresee_lts::{Access, Actor, Footprint, Mode, Receive};
use foresee_stdx::mix;

/// Collects a footprint.
#[derive(Default)]
pub struct Touched {
    footprint: Footprint,
    /// What the numbers of messages, questions and changes stand for.
    pub(crate) meanings: Meanings,
    /// Somebody may look at whole mailboxes.
    watches_mailboxes: bool,
    /// Somebody may see in which order messages came into a mailbox.
    watches_order: bool,
    /// Processes may crash.
    may_crash: bool,
}

/// What numbers in a footprint stand for.
#[derive(Default)]
pub(crate) struct Meanings {
    pub(crate) messages: Vec<Term>,
    /// Messages of monitors, by their numbers.
    pub(crate) downs: Vec<(u64, Reference)>,
    pub(crate) looks: Vec<(u64, MatchSpec)>,
    pub(crate) changes: Vec<(u64, Vec<Term>)>,
}

/// The number of a message: the same for equal messages.
pub(crate) fn message_number(message: &Term) -> u64 {
    message.content_hash()
}

/// The number of a process's mailbox.
pub fn mailbox(pid: Pid) -> u64 {
    object(MAILBOX, pid.content_hash())
}

fn object(kind: u64, what: u64) -> u64 {
    mix(mix(kind) ^ what)
}

const RUN: u64 = 1;
const LIFE: u64 = 2;
const NAME: u64 = 3;
const MAILBOX: u64 = 4;
const NAMES: u64 = 5;
const TABLE: u64 = 6;
const KEY: u64 = 7;
const TIMER: u64 = 8;
const TRAP: u64 = 9;
const COUNTER: u64 = 10;
const PERSISTENT: u64 = 11;
const TABLE_NAME: u64 = 12;
const PROCESSES: u64 = 13;
const MONITOR: u64 = 14;
const NAME_OF: u64 = 15;
const LINK: u64 = 16;
const LINKS: u64 = 17;
const WATCHERS: u64 = 18;
const ALIAS: u64 = 19;
const TIMER_SET: u64 = 20;
const CONTENT: u64 = 21;
const OWNED: u64 = 22;
const PERSISTENT_ALL: u64 = 23;
const CHANNEL: u64 = 24;
const TABLES: u64 = 25;
const RELATIONS: u64 = 26;
const HALT: u64 = 27;
const VICTIM: u64 = 28;
const CRASH: u64 = 29;
const CRASHES: u64 = 30;
const CRASHES_OVER: u64 = 31;
const KILL: u64 = 32;
const PRESENCE: u64 = 33;
const CLOCK: u64 = 34;
const UNIQUE: u64 = 35;
const ORDER: u64 = 36;
const PRESENT: u64 = 37;

/// What a link becomes, beside made (1) and taken away (0).
const BROKEN: u64 = 2;

/// What a key has when nothing is there.
const ABSENT: u64 = 0x6162_7365_6E74;

impl Touched {
    pub(crate) fn by(actor: Actor, thread: u64, watches_mailboxes: bool) -> Touched {
        let footprint = Footprint::of(actor).on_thread(thread);
        Touched { footprint, watches_mailboxes, ..Touched::default() }
    }

    /// The same where a process may ask for the messages of a mailbox, which it sees in their order.
    pub(crate) fn in_order(self, watches_order: bool) -> Touched {
        Touched { watches_order, ..self }
    }

    /// The same where processes may crash, which takes their events away.
    pub(crate) fn beside_crashes(self, may_crash: bool) -> Touched {
        Touched { may_crash, ..self }
    }

    /// The program may stop itself, which takes this event away if it has not happened yet.
    pub(crate) fn may_be_halted(&mut self) {
        self.touch(HALT, 0, Mode::Read);
    }

    pub(crate) fn halts(&mut self) {
        self.touch(HALT, 0, Mode::Write);
    }

    pub(crate) fn finish(self) -> (Footprint, Meanings) {
        (self.footprint, self.meanings)
    }

    pub(crate) fn n_accesses(&self) -> usize {
        self.footprint.accesses.len()
    }

    /// The operation whose touches start at `first` has failed: it has only looked.
    pub(crate) fn failed(&mut self, first: usize) {
        let mut at = 0;
        self.footprint.accesses.retain_mut(|access| {
            at += 1;
            if at <= first {
                return true;
            }
            match access.mode {
                Mode::Write | Mode::Put(_) => access.mode = Mode::Read,
                Mode::Add | Mode::Change(_) | Mode::Create => return false,
                Mode::Read | Mode::Use | Mode::Look(_) => {}
            }
            true
        });
    }

    fn touch(&mut self, kind: u64, what: u64, mode: Mode) {
        let access = Access { object: object(kind, what), mode };
        if !self.footprint.accesses.contains(&access) {
            self.footprint.accesses.push(access);
        }
    }
}

/// Processes: their lives, names, links and monitors.
impl Touched {
    /// An event of a process that runs: after its start, and taken away by what kills it.
    pub(crate) fn runs(&mut self, pid: Pid) {
        self.touch(RUN, pid.content_hash(), Mode::Use);
        if self.may_crash {
            self.touch(CRASH, pid.content_hash(), Mode::Use);
        }
    }

    pub(crate) fn starts(&mut self, pid: Pid) {
        self.touch(RUN, pid.content_hash(), Mode::Create);
        self.touch(PROCESSES, 0, Mode::Add);
    }

    /// Changes what the process itself will do: it is killed, or gets another group leader.
    pub(crate) fn diverts(&mut self, pid: Pid, how: &Term) {
        self.touch(RUN, pid.content_hash(), Mode::Put(how.content_hash()));
        if self.may_crash {
            self.touch(CRASH, pid.content_hash(), Mode::Write);
        }
    }

    /// A signal that decides how the process ends, unless another has.
    pub(crate) fn kills(&mut self, pid: Pid) {
        self.touch(KILL, pid.content_hash(), Mode::Write);
    }

    /// A signal that would have killed, had not another been first. What the process does or leaves behind, now or before,
    /// has no more to do with it than with that one.
    pub(crate) fn comes_after_kill(&mut self, pid: Pid) {
        self.touch(KILL, pid.content_hash(), Mode::Read);
    }

    /// Looks at what changes with every event of the process: its status, its dictionary.
    pub(crate) fn reads_run(&mut self, pid: Pid) {
        self.touch(RUN, pid.content_hash(), Mode::Read);
        if self.may_crash {
            self.touch(CRASH, pid.content_hash(), Mode::Read);
        }
    }

    /// Whether a process is alive.
    pub(crate) fn reads_life(&mut self, pid: Pid) {
        self.touch(LIFE, pid.content_hash(), Mode::Read);
    }

    pub(crate) fn ends_life(&mut self, pid: Pid) {
        self.touch(LIFE, pid.content_hash(), Mode::Write);
    }

    /// A dead process leaves the table of processes.
    pub(crate) fn leaves_processes(&mut self, pid: Pid) {
        self.touch(PRESENT, pid.content_hash(), Mode::Write);
        self.touch(PROCESSES, 0, Mode::Add);
    }

    /// Whether a dead process is still in the table of processes.
    pub(crate) fn reads_presence_of(&mut self, pid: Pid) {
        self.touch(PRESENT, pid.content_hash(), Mode::Read);
    }

    pub(crate) fn reads_all_processes(&mut self) {
        self.touch(PROCESSES, 0, Mode::Read);
    }

    pub(crate) fn reads_name(&mut self, name: Atom) {
        self.touch(NAME, name.content_hash(), Mode::Read);
    }

    pub(crate) fn writes_name(&mut self, name: Atom) {
        self.touch(NAME, name.content_hash(), Mode::Write);
        self.touch(NAMES, 0, Mode::Add);
    }

    pub(crate) fn reads_all_names(&mut self) {
        self.touch(NAMES, 0, Mode::Read);
    }

    /// The one name that a process may have.
    pub(crate) fn reads_name_of(&mut self, pid: Pid) {
        self.touch(NAME_OF, pid.content_hash(), Mode::Read);
    }

    pub(crate) fn writes_name_of(&mut self, pid: Pid) {
        self.touch(NAME_OF, pid.content_hash(), Mode::Write);
    }

    pub(crate) fn reads_trap(&mut self, pid: Pid) {
        self.touch(TRAP, pid.content_hash(), Mode::Read);
    }

    pub(crate) fn writes_trap(&mut self, pid: Pid) {
        self.touch(TRAP, pid.content_hash(), Mode::Write);
    }

    /// A link is made or taken away, from either side.
    pub(crate) fn puts_link(&mut self, a: Pid, b: Pid, linked: bool) {
        let pair = a.content_hash().wrapping_add(b.content_hash());
        self.touch(LINK, pair, Mode::Put(u64::from(linked)));
        self.touch(LINKS, a.content_hash(), Mode::Add);
        self.touch(LINKS, b.content_hash(), Mode::Add);
    }

    /// The news of the other's end arrives over a link.
    pub(crate) fn breaks_link(&mut self, from: Pid, to: Pid) {
        let pair = from.content_hash().wrapping_add(to.content_hash());
        self.touch(LINK, pair, Mode::Put(BROKEN));
        self.touch(LINKS, to.content_hash(), Mode::Add);
    }

    /// A process has a new child that it is linked to; only who asks for its links will notice.
    pub(crate) fn changes_links(&mut self, pid: Pid) {
        if self.watches_mailboxes {
            self.touch(LINKS, pid.content_hash(), Mode::Add);
        }
    }

    pub(crate) fn reads_links(&mut self, pid: Pid) {
        self.touch(LINKS, pid.content_hash(), Mode::Read);
    }

    /// A monitor fires, or is taken back where that makes a difference.
    pub(crate) fn writes_monitor(&mut self, reference: Reference) {
        self.touch(MONITOR, reference.content_hash(), Mode::Write);
    }

    /// One of those who watch a process does so no longer, so it may not be told.
    pub(crate) fn loses_watcher(&mut self, pid: Pid) {
        self.touch(WATCHERS, pid.content_hash(), Mode::Add);
    }

    pub(crate) fn reads_watchers(&mut self, pid: Pid) {
        self.touch(WATCHERS, pid.content_hash(), Mode::Read);
    }

    /// Who watches a process or is watched by it is other than before; only who asks for that will notice.
    pub(crate) fn changes_relations(&mut self, pid: Pid) {
        if self.watches_mailboxes {
            self.touch(RELATIONS, pid.content_hash(), Mode::Add);
        }
    }

    pub(crate) fn reads_relations(&mut self, pid: Pid) {
        self.touch(RELATIONS, pid.content_hash(), Mode::Read);
    }

    pub(crate) fn reads_alias(&mut self, reference: Reference) {
        self.touch(ALIAS, reference.content_hash(), Mode::Read);
    }

    pub(crate) fn writes_alias(&mut self, reference: Reference) {
        self.touch(ALIAS, reference.content_hash(), Mode::Write);
    }

    /// The alias is no more, whether it was or not.
    pub(crate) fn ends_alias(&mut self, reference: Reference) {
        self.touch(ALIAS, reference.content_hash(), Mode::Put(ABSENT));
    }
}

/// Crashes. Why not as a kill, by the object of the process's run: who makes a process makes that too, and nobody is in a
/// position to crash it before.
impl Touched {
    /// From here on a process may crash.
    pub(crate) fn becomes_victim(&mut self, pid: Pid) {
        self.touch(VICTIM, pid.content_hash(), Mode::Create);
    }

    /// The crash of a process comes up, unless there are no more.
    pub(crate) fn considers_crash(&mut self, pid: Pid) {
        self.touch(VICTIM, pid.content_hash(), Mode::Use);
        self.touch(CRASHES_OVER, 0, Mode::Read);
    }

    /// Whatever the process was about to do, it will not; `name` has one crash less to come.
    pub(crate) fn crashes(&mut self, pid: Pid, name: Option<Atom>) {
        self.touch(CRASH, pid.content_hash(), Mode::Put(1));
        self.touch(CRASHES, name.map_or(0, Atom::content_hash), Mode::Write);
    }

    pub(crate) fn ends_crashes(&mut self) {
        self.touch(CRASHES_OVER, 0, Mode::Write);
    }
}

/// Messages and timers.
impl Touched {
    /// A message has come into a mailbox.
    pub(crate) fn delivers(&mut self, to: Pid, message: &Term) {
        let footprint = std::mem::take(&mut self.footprint);
        self.footprint = footprint.delivers(mailbox(to), message_number(message));
        self.meanings.messages.push(message.clone());
        self.changes_mailbox(to);
        if self.watches_order {
            self.touch(ORDER, to.content_hash(), Mode::Put(message_number(message)));
        }
    }

    /// The message is that of a monitor.
    pub(crate) fn tells_of(&mut self, monitor: Reference, message: &Term) {
        self.meanings.downs.push((message_number(message), monitor));
    }

    /// A receive has taken a message, or given up waiting.
    pub(crate) fn receives(&mut self, pid: Pid, message: Option<&Term>, may_time_out: bool) {
        let number = message.map(message_number);
        self.footprint.receive =
            Some(Receive { mailbox: mailbox(pid), message: number, may_time_out });
        self.meanings.messages.extend(message.cloned());
        self.changes_mailbox(pid);
    }

    /// Touched by deliveries, receives and ends only if the program can look at whole mailboxes.
    pub(crate) fn changes_mailbox(&mut self, pid: Pid) {
        if self.watches_mailboxes {
            self.touch(MAILBOX, pid.content_hash(), Mode::Add);
        }
    }

    /// The messages of a mailbox are seen one after the other. Deliveries of different messages race then even if no receive
    /// tells them apart.
    pub(crate) fn reads_order(&mut self, pid: Pid) {
        self.reads_mailbox(pid);
        self.touch(ORDER, pid.content_hash(), Mode::Read);
    }

    /// All messages of a mailbox are looked at, or counted.
    pub(crate) fn reads_mailbox(&mut self, pid: Pid) {
        self.touch(MAILBOX, pid.content_hash(), Mode::Read);
    }

    /// The `n`th signal of a channel, by which its arrival comes after its sending.
    pub(crate) fn sends_signal(&mut self, from: Pid, to: Pid, n: u64) {
        self.touch(CHANNEL, channel_signal(from, to, n), Mode::Create);
    }

    pub(crate) fn carries_signal(&mut self, from: Pid, to: Pid, n: u64) {
        self.touch(CHANNEL, channel_signal(from, to, n), Mode::Use);
    }

    /// The clock is read, and moves with it.
    pub(crate) fn reads_clock(&mut self) {
        self.touch(CLOCK, 0, Mode::Write);
    }

    /// Time has passed for somebody who waited; how much does not depend on what the clock shows.
    pub(crate) fn moves_clock(&mut self) {
        self.touch(CLOCK, 0, Mode::Add);
    }

    /// Something depends on the clock and leaves it as it is.
    pub(crate) fn looks_at_clock(&mut self) {
        self.touch(CLOCK, 0, Mode::Read);
    }

    /// Takes the next of the integers that count up.
    pub(crate) fn counts_up(&mut self) {
        self.touch(UNIQUE, 0, Mode::Write);
    }

    pub(crate) fn sets_timer(&mut self, reference: Reference) {
        self.touch(TIMER_SET, reference.content_hash(), Mode::Create);
    }

    pub(crate) fn fires_timer(&mut self, reference: Reference) {
        self.touch(TIMER_SET, reference.content_hash(), Mode::Use);
        self.touch(TIMER, reference.content_hash(), Mode::Write);
    }

    /// Of the firings that a target may have, one is used up.
    pub(crate) fn counts_firing(&mut self, target: &Term) {
        self.touch(TIMER, mix(target.content_hash()), Mode::Write);
    }

    pub(crate) fn writes_timer(&mut self, reference: Reference) {
        self.touch(TIMER, reference.content_hash(), Mode::Write);
    }

    pub(crate) fn reads_timer(&mut self, reference: Reference) {
        self.touch(TIMER, reference.content_hash(), Mode::Read);
    }
}

fn channel_signal(from: Pid, to: Pid, n: u64) -> u64 {
    mix(mix(from.content_hash()) ^ to.content_hash()) ^ mix(n)
}

/// Tables.
impl Touched {
    pub(crate) fn reads_table_name(&mut self, name: Atom) {
        self.touch(TABLE_NAME, name.content_hash(), Mode::Read);
    }

    pub(crate) fn writes_table_name(&mut self, name: Atom) {
        self.touch(TABLE_NAME, name.content_hash(), Mode::Write);
    }

    pub(crate) fn makes_table(&mut self) {
        self.touch(TABLES, 0, Mode::Add);
    }

    pub(crate) fn reads_all_tables(&mut self) {
        self.touch(TABLES, 0, Mode::Read);
    }

    /// Needs the table to be there, as it is.
    pub(crate) fn uses_table(&mut self, table: Reference) {
        self.touch(TABLE, table.content_hash(), Mode::Use);
    }

    /// The table as a whole: deleted, renamed, given away.
    pub(crate) fn writes_table(&mut self, table: Reference) {
        self.touch(TABLE, table.content_hash(), Mode::Write);
        self.touch(TABLES, 0, Mode::Add);
    }

    /// Which tables a process owns.
    pub(crate) fn writes_owned(&mut self, owner: Pid) {
        self.touch(OWNED, owner.content_hash(), Mode::Write);
    }

    /// A key of a table.
    pub(crate) fn reads_key(&mut self, table: Reference, key: &Term) {
        self.touch(KEY, key_of(table, key), Mode::Read);
    }

    /// Whether a key is there, whatever it has.
    pub(crate) fn reads_presence(&mut self, table: Reference, key: &Term) {
        self.touch(PRESENCE, key_of(table, key), Mode::Read);
    }

    /// The key has this object afterwards, whatever was there.
    pub(crate) fn puts_key(&mut self, table: Reference, key: &Term, object: &Term) {
        self.touch(KEY, key_of(table, key), Mode::Put(object.content_hash()));
        self.touch(PRESENCE, key_of(table, key), Mode::Put(1));
    }

    pub(crate) fn deletes_key(&mut self, table: Reference, key: &Term) {
        self.touch(KEY, key_of(table, key), Mode::Put(ABSENT));
        self.touch(PRESENCE, key_of(table, key), Mode::Put(0));
    }

    /// Objects of the key come or go, depending on what was there.
    pub(crate) fn writes_key(&mut self, table: Reference, key: &Term) {
        self.updates_key(table, key);
        self.touch(PRESENCE, key_of(table, key), Mode::Write);
    }

    /// What the key has becomes something else; it was there and still is.
    pub(crate) fn updates_key(&mut self, table: Reference, key: &Term) {
        self.touch(KEY, key_of(table, key), Mode::Write);
    }

    /// Objects that come into the table or go: who looks at all of it notices, who looks for something else does not.
    pub(crate) fn changes_content(&mut self, table: Reference, objects: Vec<Term>) {
        let fold = |hash: u64, object: &Term| mix(hash).wrapping_add(object.content_hash());
        let number = objects.iter().fold(table.content_hash(), fold);
        self.touch(CONTENT, table.content_hash(), Mode::Change(number));
        self.meanings.changes.push((number, objects));
    }

    /// Objects become others: whoever looks for anything may notice.
    pub(crate) fn adds_content(&mut self, table: Reference) {
        self.touch(CONTENT, table.content_hash(), Mode::Add);
    }

    /// Looks for the objects that match.
    pub(crate) fn looks_for(&mut self, table: Reference, spec: MatchSpec, number: u64) {
        self.touch(CONTENT, table.content_hash(), Mode::Look(number));
        self.meanings.looks.push((number, spec));
    }

    /// All objects of a table.
    pub(crate) fn reads_content(&mut self, table: Reference) {
        self.touch(CONTENT, table.content_hash(), Mode::Read);
    }

    pub(crate) fn writes_content(&mut self, table: Reference) {
        self.touch(CONTENT, table.content_hash(), Mode::Write);
    }
}

fn key_of(table: Reference, key: &Term) -> u64 {
    mix(table.content_hash()) ^ key.content_hash()
}

/// Cells and terms that processes share.
impl Touched {
    pub(crate) fn touches_counter(&mut self, reference: Reference, index: &Term, mode: Mode) {
        let cell = mix(reference.content_hash()) ^ index.content_hash();
        self.touch(COUNTER, cell, mode);
    }

    pub(crate) fn touches_persistent(&mut self, key: &Term, mode: Mode) {
        self.touch(PERSISTENT, key.content_hash(), mode);
        if mode != Mode::Read {
            self.touch(PERSISTENT_ALL, 0, Mode::Add);
        }
    }

    pub(crate) fn reads_all_persistent(&mut self) {
        self.touch(PERSISTENT_ALL, 0, Mode::Read);
    }
}

/// Touches nothing that others touch.
pub(crate) fn nothing(_: &crate::world::step::Step<'_>, _: &[Term], _: &mut Touched) {}
