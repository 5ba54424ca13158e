//! What a step asks of a state, and the answers by which its result is found again (`crate::events::memo`).
//! The less a question asks for, the more states give the same answer: whether a process is alive and not what it does,
//! what a reference means to it and not all that is in its inbox.
//! Invariant: whatever the result of a step depends on was asked, and what is asked next depends only on the answers before.

use crate::events::receives::Match;
use crate::term::{Atom, Pid, Reference};
use crate::world::component::{AliasEnds, Component, Inbox, Shared};
use crate::world::core::Core;
use crate::world::slots::SHARED;
use crate::world::step::references_in;
use foresee_stdx::mix;

/// Something a step wants to know of a state.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Lookup {
    /// The component in a slot.
    Slot(u32),
    /// The name under which the process in a slot is known.
    Name(u32),
    /// How much the process in a slot is alive, whatever it does.
    Life(u32),
    /// Who is registered under a name.
    Whereis(Atom),
    /// Under which name a process is registered.
    Registered(Pid),
    /// Which references of a process are held anywhere, but for components that the step has replaced.
    References { owner: Pid, except: Box<[u32]> },
    /// Of the inbox in a slot: whether so many more messages have room.
    Room(u32, i32),
    /// Whether its owner traps exits.
    Traps(u32),
    /// Whether its owner is linked to a process.
    Linked(u32, Pid),
    /// What a reference means to its owner.
    Tie(u32, Reference),
    /// Which message the process to which it belongs takes.
    FirstMatch(u32),
    /// Of which monitors its owner may still hear.
    OpenMonitors(u32),
}

impl Lookup {
    pub(crate) fn answer(&self, core: &Core, state: &[u32]) -> u64 {
        match self {
            Lookup::Slot(slot) => u64::from(state.get(*slot as usize).copied().unwrap_or(0)),
            Lookup::Name(slot) => name_in(core, state, *slot),
            Lookup::Life(slot) => life(core, state, *slot) as u64,
            Lookup::Whereis(name) => hash_of_pid(names_in(core, state).whereis(*name)),
            Lookup::Registered(pid) => hash_of_name(names_in(core, state).name_of(*pid)),
            Lookup::References { owner, except } => {
                digest(&references_in(core, state, *owner, except))
            }
            Lookup::Room(slot, n) => {
                three(inbox_in(core, state, *slot).map(|inbox| has_room(core, inbox, *n)))
            }
            Lookup::Traps(slot) => three(inbox_in(core, state, *slot).map(|inbox| inbox.trap_exit)),
            Lookup::Linked(slot, pid) => {
                u64::from(inbox_in(core, state, *slot).is_some_and(|it| it.links.contains(pid)))
            }
            Lookup::Tie(slot, reference) => {
                let inbox = inbox_in(core, state, *slot);
                inbox.map_or(Tie::default(), |inbox| Tie::of(inbox, *reference)).digest()
            }
            Lookup::FirstMatch(slot) => {
                match_in(core, state, *slot).map_or(0, |found| found.message)
            }
            Lookup::OpenMonitors(slot) => {
                core.open_monitors(state.get(*slot as usize).copied().unwrap_or(0))
            }
        }
    }

    /// The slot whose component gives the answer, if one alone does.
    fn slot(&self) -> Option<u32> {
        match self {
            Lookup::Slot(slot)
            | Lookup::Name(slot)
            | Lookup::Life(slot)
            | Lookup::Room(slot, _)
            | Lookup::Traps(slot)
            | Lookup::Linked(slot, _)
            | Lookup::Tie(slot, _)
            | Lookup::FirstMatch(slot)
            | Lookup::OpenMonitors(slot) => Some(*slot),
            Lookup::Whereis(_) | Lookup::Registered(_) | Lookup::References { .. } => None,
        }
    }
}

/// What a reference means to a process.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Tie {
    /// Whom it watches.
    pub(crate) target: Option<Pid>,
    /// When the alias ends, if it is one.
    pub(crate) alias: Option<AliasEnds>,
}

impl Tie {
    pub(crate) fn of(inbox: &Inbox, reference: Reference) -> Tie {
        let monitor = inbox.monitors.iter().find(|own| own.reference == reference);
        let alias = inbox.aliases.iter().find(|own| own.reference == reference);
        Tie { target: monitor.map(|own| own.target), alias: alias.map(|own| own.ends) }
    }

    fn digest(self) -> u64 {
        mix(hash_of_pid(self.target)) ^ self.alias.map_or(0, |ends| ends as u64 + 1)
    }
}

/// How much a process is alive.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Life {
    /// There never was such a process.
    None,
    /// It has ended.
    Dead,
    /// Others see it as dead, but it is still in the table of processes.
    Dying,
    /// Others see it as alive.
    Alive,
    /// It still runs code.
    Running,
}

impl Life {
    pub(crate) fn of(component: Option<&Component>) -> Life {
        match component {
            Some(Component::Process(process)) if process.is_running() => Life::Running,
            Some(Component::Process(process)) if process.is_alive() => Life::Alive,
            Some(Component::Process(process)) if process.is_there() => Life::Dying,
            Some(Component::Process(_)) => Life::Dead,
            _ => Life::None,
        }
    }
}

/// The life of the process in a slot.
pub(crate) fn life(core: &Core, state: &[u32], slot: u32) -> Life {
    let id = state.get(slot as usize).copied().unwrap_or(0);
    Life::of((id != 0).then(|| core.get(id)))
}

/// The questions that a step has asked, with the answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookups {
    pub(crate) answers: Vec<(Lookup, u64)>,
    /// It has looked at all there is: its result is not worth keeping.
    everything: bool,
}

impl Lookups {
    pub(crate) fn slot(&mut self, slot: u32, id: u32) {
        self.once(Lookup::Slot(slot), u64::from(id));
    }

    /// Whether the whole of a slot was looked at.
    pub(crate) fn has_seen(&self, slot: u32) -> bool {
        self.answers.iter().any(|(question, _)| *question == Lookup::Slot(slot))
    }

    pub(crate) fn name(&mut self, core: &Core, state: &[u32], slot: u32) {
        self.once(Lookup::Name(slot), name_in(core, state, slot));
    }

    pub(crate) fn life(&mut self, slot: u32, life: Life) {
        self.once(Lookup::Life(slot), life as u64);
    }

    /// Whether `n` more messages have room in an inbox; nothing if it is not there.
    pub(crate) fn room(&mut self, core: &Core, state: &[u32], slot: u32, n: i32) -> Option<bool> {
        let room = inbox_in(core, state, slot).map(|inbox| has_room(core, inbox, n));
        self.once(Lookup::Room(slot, n), three(room));
        room
    }

    /// Whether the owner of an inbox traps exits; nothing if it is not there.
    pub(crate) fn traps(&mut self, core: &Core, state: &[u32], slot: u32) -> Option<bool> {
        let traps = inbox_in(core, state, slot).map(|inbox| inbox.trap_exit);
        self.once(Lookup::Traps(slot), three(traps));
        traps
    }

    pub(crate) fn linked(&mut self, core: &Core, state: &[u32], slot: u32, pid: Pid) -> bool {
        let linked = inbox_in(core, state, slot).is_some_and(|inbox| inbox.links.contains(&pid));
        self.once(Lookup::Linked(slot, pid), u64::from(linked));
        linked
    }

    /// What a reference means to the owner of an inbox.
    pub(crate) fn tie(
        &mut self,
        core: &Core,
        state: &[u32],
        slot: u32,
        reference: Reference,
    ) -> Tie {
        let inbox = inbox_in(core, state, slot);
        let tie = inbox.map_or(Tie::default(), |inbox| Tie::of(inbox, reference));
        self.once(Lookup::Tie(slot, reference), tie.digest());
        tie
    }

    /// Where the message is that the owner of an inbox, of which all was asked, takes first.
    pub(crate) fn first_match(&mut self, core: &Core, state: &[u32], slot: u32) -> Option<usize> {
        debug_assert!(self.has_seen(slot - 1), "what is taken depends on who takes it");
        let found = match_in(core, state, slot);
        self.once(Lookup::FirstMatch(slot), found.map_or(0, |found| found.message));
        found.map(|found| found.at as usize)
    }

    /// Notes of which monitors the owner of an inbox may still hear.
    pub(crate) fn open_monitors(&mut self, core: &Core, state: &[u32], slot: u32) {
        let question = Lookup::OpenMonitors(slot);
        let answer = question.answer(core, state);
        self.once(question, answer);
    }

    /// Who is registered under a name, asked without the rest of what is shared.
    pub(crate) fn whereis(&mut self, shared: &Shared, name: Atom) -> Option<Pid> {
        let pid = shared.whereis(name);
        self.once(Lookup::Whereis(name), hash_of_pid(pid));
        pid
    }

    /// Under which name a process is registered, likewise.
    pub(crate) fn registered(&mut self, shared: &Shared, pid: Pid) -> Option<Atom> {
        let name = shared.name_of(pid);
        self.once(Lookup::Registered(pid), hash_of_name(name));
        name
    }

    /// Notes an answer, unless it is known: the same was asked, or all of the slot it is about.
    fn once(&mut self, question: Lookup, answer: u64) {
        let slot = question.slot().map(Lookup::Slot);
        let is_known = |asked: &Lookup| *asked == question || Some(asked) == slot.as_ref();
        if !self.answers.iter().any(|(asked, _)| is_known(asked)) {
            self.answers.push((question, answer));
        }
    }

    pub(crate) fn references(&mut self, owner: Pid, except: Box<[u32]>, used: &[u32]) {
        self.answers.push((Lookup::References { owner, except }, digest(used)));
    }

    pub(crate) fn everything(&mut self) {
        self.everything = true;
    }

    /// Whether it has looked at all there is.
    pub(crate) fn is_all(&self) -> bool {
        self.everything
    }
}

fn names_in<'c>(core: &'c Core, state: &[u32]) -> &'c Shared {
    match core.get(state[SHARED as usize]) {
        Component::Shared(shared) => shared,
        _ => unreachable!("slot 0 is what is shared"),
    }
}

fn inbox_in<'c>(core: &'c Core, state: &[u32], slot: u32) -> Option<&'c Inbox> {
    match state.get(slot as usize).copied().unwrap_or(0) {
        0 => None,
        id => match core.get(id) {
            Component::Inbox(inbox) => Some(inbox),
            _ => None,
        },
    }
}

/// What the process before an inbox takes out of it.
fn match_in(core: &Core, state: &[u32], slot: u32) -> Option<Match> {
    let inbox = *state.get(slot as usize)?;
    core.first_match(state[slot as usize - 1], inbox)
}

fn has_room(core: &Core, inbox: &Inbox, n: i32) -> bool {
    inbox.messages.len() as i64 + i64::from(n) <= core.messages_max as i64
}

fn three(answer: Option<bool>) -> u64 {
    answer.map_or(0, |answer| 1 + u64::from(answer))
}

fn hash_of_pid(pid: Option<Pid>) -> u64 {
    pid.map_or(0, Pid::content_hash)
}

fn hash_of_name(name: Option<Atom>) -> u64 {
    name.map_or(0, Atom::content_hash)
}

fn name_in(core: &Core, state: &[u32], slot: u32) -> u64 {
    match state.get(slot as usize).copied().unwrap_or(0) {
        0 => 0,
        id => match core.get(id) {
            Component::Process(process) => process.mark.known_as.map_or(0, Atom::content_hash),
            _ => 0,
        },
    }
}

/// A set of small numbers as one; those of more than a word are told apart by a hash.
fn digest(numbers: &[u32]) -> u64 {
    match numbers.last() {
        Some(63..) => numbers.iter().fold(1, |hash, n| mix(hash ^ u64::from(*n))),
        _ => numbers.iter().fold(0, |set, n| set | 1 << n),
    }
}
