//! Looking into a state: its processes, what is in their inboxes, what is shared, and who waits for what.

use crate::system::Erlang;
use crate::term::{Pid, Reference, Term};
use crate::world::component::{Channel, Component, Control, Inbox, Process, Shared, Timers};
use crate::world::ets::Table;
use crate::world::slots::{SHARED, SlotKey, TIMERS};
use foresee_lts::content_hash_of;

/// The event managers of the run-time system that a program may put handlers into.
const SERVICES: [&str; 2] = ["alarm_handler", "error_logger"];

impl Erlang {
    pub(crate) fn component(&self, state: &[u32], slot: u32) -> Option<&Component> {
        match state.get(slot as usize).copied().unwrap_or(0) {
            0 => None,
            id => Some(self.core.get(id)),
        }
    }

    /// A process of a state.
    pub fn process(&self, state: &[u32], pid: Pid) -> Option<&Process> {
        match self.component(state, self.core.slots.find(SlotKey::Process(pid))?) {
            Some(Component::Process(process)) => Some(process),
            _ => None,
        }
    }

    /// What is in a process's inbox.
    pub fn inbox(&self, state: &[u32], pid: Pid) -> Option<&Inbox> {
        match self.component(state, self.core.slots.find(SlotKey::Inbox(pid))?) {
            Some(Component::Inbox(inbox)) => Some(inbox),
            _ => None,
        }
    }

    /// A table of a state.
    pub fn table(&self, state: &[u32], id: Reference) -> Option<&Table> {
        match self.component(state, self.core.slots.find(SlotKey::Table(id))?) {
            Some(Component::Table(table)) => Some(table),
            _ => None,
        }
    }

    pub fn shared(&self, state: &[u32]) -> &Shared {
        match self.component(state, SHARED) {
            Some(Component::Shared(shared)) => shared,
            _ => unreachable!("slot 0 is what is shared"),
        }
    }

    pub fn timers(&self, state: &[u32]) -> &Timers {
        match self.component(state, TIMERS) {
            Some(Component::Timers(timers)) => timers,
            _ => unreachable!("slot 1 is the timers"),
        }
    }

    pub(crate) fn channel(&self, state: &[u32], from: Pid, to: Pid) -> Option<&Channel> {
        match self.component(state, self.core.slots.find(SlotKey::Channel(from, to))?) {
            Some(Component::Channel(channel)) => Some(channel),
            _ => None,
        }
    }

    /// All processes of a state, ended ones too, in the order of pids.
    pub fn processes(&self, state: &[u32]) -> Vec<&Process> {
        let mut processes: Vec<&Process> = (0..state.len() as u32)
            .filter_map(|slot| match self.component(state, slot) {
                Some(Component::Process(process)) => Some(&**process),
                _ => None,
            })
            .collect();
        processes.sort_by_key(|process| process.pid);
        processes
    }

    /// The hash of a state in which the order of messages in some processes' mailboxes does not count.
    pub fn hash_unordered(&self, state: &[u32], is_unordered: impl Fn(Pid) -> bool) -> u64 {
        let mut hash = content_hash_of(self, state);
        let processes = self.processes(state).into_iter().filter(|it| is_unordered(it.pid));
        for inbox in processes.filter_map(|process| self.inbox(state, process.pid)) {
            let mut messages: Vec<Term> = inbox.messages.iter().cloned().collect();
            messages.sort_by_key(Term::content_hash);
            let sorted = Inbox { messages: messages.into_iter().collect(), ..inbox.clone() };
            hash = hash
                .wrapping_sub(Component::Inbox(inbox.clone()).content_hash())
                .wrapping_add(Component::Inbox(sorted).content_hash());
        }
        hash
    }

    /// The index of the message that a process in a receive would take.
    pub fn first_match(&self, state: &[u32], pid: Pid) -> Option<usize> {
        let slot = self.core.slots.find(SlotKey::Process(pid))? as usize;
        let (process, inbox) = (state.get(slot).copied()?, state.get(slot + 1).copied()?);
        self.core.first_match(process, inbox).map(|found| found.at as usize)
    }

    /// Whether a receive's patterns and guards would take a message, wherever it is.
    pub fn would_receive(&self, state: &[u32], pid: Pid, message: &Term) -> bool {
        self.process(state, pid).is_some_and(|process| self.core.offer(process, message).is_some())
    }

    pub(crate) fn may_time_out(&self, timeout: &Term) -> bool {
        match timeout.as_int() {
            Some(ms) => self.options.after_timeout.is_none_or(|limit| (ms as u64) < limit),
            None => false,
        }
    }

    /// Whether a process waits for nothing but the time to pass. That is no timeout that could be switched off: nothing else ends it.
    pub(crate) fn sleeps(&self, process: &Process, timeout: &Term) -> bool {
        timeout.as_int().is_some() && self.core.receives_nothing(process)
    }

    /// Whether every process has ended, or the program has stopped itself.
    pub(crate) fn has_ended(&self, state: &[u32]) -> bool {
        let ended = |slot: u32| match self.component(state, slot) {
            Some(Component::Process(process)) => matches!(process.control, Control::Ended { .. }),
            _ => true,
        };
        self.shared(state).halted.is_some() || (0..state.len() as u32).all(ended)
    }

    /// Who waits, and where, in a state that cannot go on.
    pub(crate) fn who_waits(&self, state: &[u32]) -> String {
        let waiting = |pid: Pid| {
            let name = self.name_of(state, pid);
            match self.process(state, pid).and_then(|process| self.place(process)) {
                Some((file, line)) => {
                    format!("{name} at {}:{line}", crate::tell::label::base_name(file.text()))
                }
                None => name,
            }
        };
        let blocked: Vec<String> = self.blocked(state).into_iter().map(waiting).collect();
        match blocked.is_empty() {
            true => foresee_lts::NOTHING_CAN_HAPPEN.to_owned(),
            false => format!("waiting for a message: {}", blocked.join(", ")),
        }
    }

    /// Whether a process waits as it should when there is nothing to do: in a supervision tree a server without work, or the first one;
    /// elsewhere only a service of the run-time system.
    fn waits_for_work(&self, state: &[u32], process: &Process) -> bool {
        let serves = |module: &&str| self.core.waits_in(process, module, &["loop"]);
        let is_in_tree = self.entry.is_supervisor
            && (process.pid == Pid::first()
                || ["gen_server", "gen_statem", "gen_event"].iter().any(serves));
        is_in_tree || self.is_service(state, process)
    }

    /// Whether a process is an event manager that `kernel` and `sasl` keep running: here it is started when a program first needs
    /// it, and no program is to stop it.
    fn is_service(&self, state: &[u32], process: &Process) -> bool {
        let name = self.shared(state).name_of(process.pid);
        name.is_some_and(|name| SERVICES.contains(&name.text()))
            && self.core.waits_in(process, "gen_event", &["loop"])
    }

    fn holds_timers_back(&self, state: &[u32]) -> bool {
        let (firing, timers) = (&self.core.firing, self.timers(state));
        firing.counts() && timers.timers.iter().any(|timer| firing.is_cut(timers, timer))
    }

    /// Whether some timer was not followed because it had fired as often as timers may.
    pub fn has_cut_timers(&self) -> bool {
        self.core.firing.has_cut()
    }

    /// The processes that wait for a message when nothing can happen: a deadlock, unless there are none.
    pub fn blocked(&self, state: &[u32]) -> Vec<Pid> {
        // A timer that is held back would go on.
        if self.shared(state).halted.is_some() || self.holds_timers_back(state) {
            return Vec::new();
        }
        let waiting = |process: &&&Process| {
            matches!(process.control, Control::Receiving { .. })
                && !self.waits_for_work(state, process)
        };
        self.processes(state).iter().filter(waiting).map(|process| process.pid).collect()
    }
}
