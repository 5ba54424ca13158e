//! Signals between processes, and what a process leaves behind when it ends.
//! With instant delivery a signal has its effect in the step that sends it; otherwise it joins the channel between the
//! two processes, and each arrival is a step of its own. Signals of one process to another keep their order.

use crate::component::{AliasEnds, Channel, Component, Control, Monitor, Signal, Stage, Watcher};
use crate::slots::SlotKey;
use crate::step::{Event, Step};
use crate::term::{Atom, Pid, Reference, Term};

impl Step<'_> {
    /// Sends a signal: into effect, or on its way.
    pub(crate) fn signal(&mut self, from: Pid, to: Pid, signal: Signal) {
        if self.core.instant_delivery || from == to {
            return self.arrive(from, to, signal);
        }
        if to.is_system() || !self.is_known(to) {
            return;
        }
        let slot = self.core.slots.of(SlotKey::Channel(from, to));
        let mut channel =
            self.take_channel(slot).unwrap_or(Channel { from, to, signals: Vec::new() });
        channel.signals.push(signal);
        self.put(slot, Some(Component::Channel(channel)));
    }

    fn is_known(&self, pid: Pid) -> bool {
        self.process(pid).is_some_and(|process| !matches!(process.control, Control::Ended { .. }))
    }

    fn take_channel(&self, slot: u32) -> Option<Channel> {
        let mut found = None;
        self.for_each_component(|key, component| {
            if self.core.slots.find(key) == Some(slot)
                && let Component::Channel(channel) = component
            {
                found = Some(channel.clone());
            }
        });
        found
    }

    /// The oldest signal of a channel arrives.
    pub(crate) fn arrive_from(&mut self, mut channel: Channel) {
        let signal = channel.signals.remove(0);
        let (from, to) = (channel.from, channel.to);
        let slot = self.core.slots.of(SlotKey::Channel(from, to));
        let rest = (!channel.signals.is_empty()).then_some(Component::Channel(channel));
        self.put(slot, rest);
        self.arrive(from, to, signal);
    }

    /// A signal has its effect.
    fn arrive(&mut self, from: Pid, to: Pid, signal: Signal) {
        match signal {
            Signal::Message(message) => self.deliver(from, to, message),
            Signal::AliasMessage(reference, message) => {
                let Some(inbox) = self.inbox_mut(to) else { return };
                let Some(at) = inbox.aliases.iter().position(|a| a.reference == reference) else {
                    return;
                };
                if inbox.aliases[at].ends == AliasEnds::WithReply {
                    inbox.aliases.remove(at);
                    inbox.monitors.retain(|monitor| monitor.reference != reference);
                    self.forget_watcher(reference);
                }
                self.deliver(from, to, message);
            }
            Signal::Exit(reason) => self.exit_signal(from, to, reason),
            Signal::LinkExit(reason) => {
                let Some(inbox) = self.inbox_mut(to) else { return };
                let Some(at) = inbox.links.iter().position(|pid| *pid == from) else { return };
                inbox.links.remove(at);
                self.link_exit(from, to, reason);
            }
            Signal::Down { reference, object, tag, reason } => {
                let Some(inbox) = self.inbox_mut(to) else { return };
                let Some(at) = inbox.monitors.iter().position(|m| m.reference == reference) else {
                    return;
                };
                inbox.monitors.remove(at);
                inbox.aliases.retain(|alias| {
                    alias.reference != reference || alias.ends == AliasEnds::Explicitly
                });
                let message =
                    Term::tuple([tag, Term::reference(reference), a!("process"), object, reason]);
                self.deliver(from, to, message);
            }
        }
    }

    /// A message comes into an inbox; one to a process that has ended is lost.
    pub(crate) fn deliver(&mut self, from: Pid, to: Pid, message: Term) {
        if !self.process(to).is_some_and(crate::component::Process::is_running) {
            return;
        }
        if let Some(inbox) = self.inbox_mut(to) {
            inbox.messages.push(message.clone());
            self.events.push(Event::Delivered { from, to, message });
        }
    }

    /// The effect of `exit(To, Reason)`.
    fn exit_signal(&mut self, from: Pid, to: Pid, reason: Term) {
        let Some(trap) = self.inbox(to).map(|inbox| inbox.trap_exit) else { return };
        if reason.is_atom(atom!("kill")) {
            self.kill(to, a!("killed"));
        } else if trap {
            self.deliver(from, to, exit_message(from, reason));
        } else if !reason.is_atom(atom!("normal")) || from == to {
            self.kill(to, reason);
        }
    }

    fn link_exit(&mut self, from: Pid, to: Pid, reason: Term) {
        let Some(trap) = self.inbox(to).map(|inbox| inbox.trap_exit) else { return };
        if trap {
            self.deliver(from, to, exit_message(from, reason));
        } else if !reason.is_atom(atom!("normal")) {
            self.kill(to, reason);
        }
    }

    /// A process that still runs is going to end.
    fn kill(&mut self, pid: Pid, reason: Term) {
        if self.process(pid).is_some_and(crate::component::Process::is_running) {
            self.end(pid, reason, false);
        }
    }

    pub(crate) fn link(&mut self, a: Pid, b: Pid) {
        for (own, other) in [(a, b), (b, a)] {
            if let Some(inbox) = self.inbox_mut(own)
                && let Err(at) = inbox.links.binary_search(&other)
            {
                inbox.links.insert(at, other);
            }
        }
    }

    pub(crate) fn unlink(&mut self, a: Pid, b: Pid) {
        for (own, other) in [(a, b), (b, a)] {
            if self.inbox(own).is_some_and(|inbox| inbox.links.contains(&other))
                && let Some(inbox) = self.inbox_mut(own)
            {
                inbox.links.retain(|pid| *pid != other);
            }
        }
    }

    /// `watcher` will be told when `target` ends; at once if it has.
    pub(crate) fn monitor(
        &mut self,
        watcher: Pid,
        target: Option<Pid>,
        object: Term,
        tag: Term,
        reference: Reference,
    ) {
        let alive = target.filter(|pid| self.is_alive(*pid));
        let named = alive.or(target).unwrap_or(watcher);
        if let Some(inbox) = self.inbox_mut(watcher) {
            inbox.monitors.push(Monitor { reference, target: named });
            inbox.monitors.sort_unstable();
        }
        match alive {
            Some(target) => {
                let entry = Watcher { reference, pid: watcher, object, tag };
                if let Some(inbox) = self.inbox_mut(target) {
                    let at = inbox.watchers.partition_point(|own| own.reference < reference);
                    inbox.watchers.insert(at, entry);
                }
            }
            None => {
                let down = Signal::Down { reference, object, tag, reason: a!("noproc") };
                self.arrive(named, watcher, down);
            }
        }
    }

    /// Takes a monitor back; whether it was still there.
    pub(crate) fn demonitor(&mut self, reference: Reference) -> bool {
        let Some(inbox) = self.inbox_mut(reference.owner) else { return false };
        let before = inbox.monitors.len();
        inbox.monitors.retain(|monitor| monitor.reference != reference);
        let found = inbox.monitors.len() < before;
        inbox
            .aliases
            .retain(|alias| alias.reference != reference || alias.ends == AliasEnds::Explicitly);
        self.forget_watcher(reference);
        found
    }

    /// Removes the far side of a monitor, wherever it is.
    fn forget_watcher(&mut self, reference: Reference) {
        let mut watched = None;
        self.for_each_component(|_, component| {
            if let Component::Inbox(inbox) = component
                && inbox.watchers.iter().any(|watcher| watcher.reference == reference)
            {
                watched = Some(inbox.pid);
            }
        });
        if let Some(inbox) = watched.and_then(|pid| self.inbox_mut(pid)) {
            inbox.watchers.retain(|watcher| watcher.reference != reference);
        }
    }

    /// One event of an ending process, then on to the next that has something to do.
    pub(crate) fn end_stage(&mut self, pid: Pid) {
        let Some(process) = self.process(pid) else { return };
        let Control::Ending { reason, stage } = process.control.clone() else { return };
        match stage {
            Stage::Exit => self.events.push(Event::Exited { pid, reason: reason.clone() }),
            Stage::Tables => self.leave_tables(pid),
            Stage::Name => self.forget_name_of(pid),
            Stage::Links => {
                let links = self.inbox(pid).map_or(Vec::new(), |inbox| inbox.links.clone());
                for other in links {
                    self.signal(pid, other, Signal::LinkExit(reason.clone()));
                }
            }
            Stage::Monitors => self.tell_watchers(pid, &reason),
        }
        let stages = [Stage::Tables, Stage::Name, Stage::Links, Stage::Monitors];
        let next = stages.into_iter().find(|next| *next > stage && self.has_stage(pid, *next));
        let control = match next {
            Some(stage) => Control::Ending { reason, stage },
            None => {
                self.forget_watching(pid);
                self.remove_inbox(pid);
                Control::Ended { reason }
            }
        };
        if let Some(process) = self.process_mut(pid) {
            process.control = control;
        }
        if next.is_some() && self.core.ends_in_one_step {
            self.end_stage(pid);
        }
    }

    fn has_stage(&self, pid: Pid, stage: Stage) -> bool {
        match stage {
            Stage::Exit => true,
            Stage::Tables => self
                .tables()
                .iter()
                .any(|id| self.table(*id).is_some_and(|table| table.owner == pid)),
            Stage::Name => self.shared().name_of(pid).is_some(),
            Stage::Links => self.inbox(pid).is_some_and(|inbox| !inbox.links.is_empty()),
            Stage::Monitors => self.inbox(pid).is_some_and(|inbox| !inbox.watchers.is_empty()),
        }
    }

    fn forget_name_of(&mut self, pid: Pid) {
        self.shared_mut().names.retain(|(_, own)| *own != pid);
    }

    fn tell_watchers(&mut self, pid: Pid, reason: &Term) {
        let watchers = self.inbox(pid).map_or(Vec::new(), |inbox| inbox.watchers.clone());
        for Watcher { reference, pid: watcher, object, tag } in watchers {
            let down = Signal::Down { reference, object, tag, reason: reason.clone() };
            self.signal(pid, watcher, down);
        }
    }

    /// A process that has ended watches nobody.
    fn forget_watching(&mut self, pid: Pid) {
        let monitors = self.inbox(pid).map_or(Vec::new(), |inbox| inbox.monitors.clone());
        for Monitor { reference, .. } in monitors {
            self.forget_watcher(reference);
        }
    }

    /// Tables whose owner has ended go to the heir or away.
    fn leave_tables(&mut self, pid: Pid) {
        for id in self.tables() {
            let Some(table) = self.table(id).filter(|table| table.owner == pid) else { continue };
            let heir = table.heir.clone().filter(|(heir, _)| self.is_alive(*heir) && *heir != pid);
            match heir {
                Some((heir, data)) => self.transfer(id, pid, heir, data),
                None => self.drop_table(id),
            }
        }
    }

    /// The pid of a destination: a pid, a registered name, `{Name, Node}`.
    pub fn pid_of(&self, destination: &Term) -> Option<Pid> {
        match destination {
            Term::Pid(pid) => Some(*pid),
            Term::Atom(name) => self.whereis(*name),
            Term::Tuple(pair) => match pair.items() {
                [Term::Atom(name), Term::Atom(node)] if *node == atom!("nonode@nohost") => {
                    self.whereis(*name)
                }
                _ => None,
            },
            _ => None,
        }
    }

    pub fn whereis(&self, name: Atom) -> Option<Pid> {
        self.shared().whereis(name).or_else(|| system_process(name))
    }
}

/// Processes of the system that programs know by name.
fn system_process(name: Atom) -> Option<Pid> {
    match name.text() {
        "user" => Some(Pid::system("user")),
        "init" => Some(Pid::system("init")),
        "logger" => Some(Pid::system("logger")),
        "error_logger" => Some(Pid::system("error_logger")),
        _ => None,
    }
}

pub(crate) fn exit_message(from: Pid, reason: Term) -> Term {
    Term::tuple([a!("EXIT"), Term::Pid(from), reason])
}
