//! Signals between processes, and what a process leaves behind when it ends.
//! With instant delivery a signal has its effect in the step that sends it; otherwise it joins the channel between the
//! two processes, and each arrival is a step of its own. Signals of one process to another keep their order.

use crate::events::lookup::Life;
use crate::term::{Atom, Pid, Reference, Term};
use crate::world::component::{
    AliasEnds, Channel, Component, Control, Monitor, Signal, Stage, Watcher,
};
use crate::world::edit::Edit;
use crate::world::limits::Limit;
use crate::world::slots::SlotKey;
use crate::world::step::{Event, Step};
use crate::world::system_processes;

impl Step<'_> {
    /// Sends a signal: into effect, or on its way.
    pub(crate) fn signal(&mut self, from: Pid, to: Pid, signal: Signal) {
        if self.core.instant_delivery || from == to {
            return self.arrive(from, to, signal);
        }
        if !to.is_system() && self.life(to) != Life::None {
            self.travel(from, to, signal);
        }
    }

    /// A signal is on its way, also one that a process has sent itself.
    fn travel(&mut self, from: Pid, to: Pid, signal: Signal) {
        let mut channel = self.channel(from, to).cloned().unwrap_or(Channel {
            from,
            to,
            signals: Vec::new(),
            n_arrived: 0,
        });
        let name = self.name_of_signal(&channel, channel.signals.len(), &signal);
        self.touched.sends_signal(from, to, name);
        channel.signals.push(signal);
        let slot = self.core.slots.of(SlotKey::Channel(from, to));
        self.put(slot, Some(Component::Channel(channel)));
    }

    /// What tells a signal from the others of its channel: which it is, or where that is not counted, what it is.
    fn name_of_signal(&self, channel: &Channel, at: usize, signal: &Signal) -> u64 {
        if self.core.rules.numbers_signals {
            u64::from(channel.n_arrived) + at as u64
        } else {
            foresee_stdx::stable_hash(signal)
        }
    }

    /// The oldest signal of a channel arrives.
    pub(crate) fn arrive_from(&mut self, mut channel: Channel) {
        let name = self.name_of_signal(&channel, 0, &channel.signals[0]);
        let signal = channel.signals.remove(0);
        let (from, to) = (channel.from, channel.to);
        self.touched.carries_signal(from, to, name);
        channel.n_arrived += u32::from(self.core.rules.numbers_signals);
        let stays = !channel.signals.is_empty() || self.core.rules.numbers_signals;
        let slot = self.core.slots.of(SlotKey::Channel(from, to));
        self.put(slot, stays.then_some(Component::Channel(channel)));
        self.arrive(from, to, signal);
    }

    /// A signal has its effect.
    fn arrive(&mut self, from: Pid, to: Pid, signal: Signal) {
        match signal {
            Signal::Message(message) => {
                self.settle_call(to, &message);
                self.deliver(from, to, message);
            }
            Signal::AliasMessage(reference, message) => {
                let ends = self.alias(to, reference).filter(|ends| *ends != AliasEnds::Awaited);
                match ends {
                    Some(AliasEnds::WithReply) => self.touched.writes_alias(reference),
                    _ => self.touched.reads_alias(reference),
                }
                if ends == Some(AliasEnds::WithReply) {
                    self.forget_monitor(to, reference);
                    self.edit(to, Edit::Unalias(reference));
                }
                if ends.is_some() {
                    self.deliver(from, to, message);
                }
            }
            Signal::Exit(reason) => self.exit_signal(from, to, reason),
            Signal::LinkExit(reason) => {
                if !self.core.instant_delivery {
                    self.touched.breaks_link(from, to);
                }
                if !self.is_linked(to, from) {
                    return;
                }
                // Where the dead are kept, the end of this one goes to them as well.
                if !self.core.rules.keeps_the_dead {
                    self.edit(to, Edit::Unlink(from));
                }
                self.link_exit(from, to, reason);
            }
            Signal::Down { reference, object, tag, reason, ends_alias } => {
                self.touched.writes_monitor(reference);
                // Also where the alias is gone already: who took it away was told that it was there.
                if ends_alias {
                    self.touched.ends_alias(reference);
                }
                let message = down_message(&tag, reference, &object, &reason);
                self.touched.tells_of(reference, &message);
                if self.watched_by(to, reference).is_none() {
                    if self.core.rules.keeps_the_dead {
                        self.touched.delivers(to, &message);
                    }
                    return;
                }
                self.touched.changes_relations(to);
                self.edit(to, Edit::Forget(reference));
                self.edit(to, Edit::EndAlias(reference));
                self.deliver(from, to, message);
            }
        }
    }

    /// A message `{Reference, _}` may be the answer to a call without a timeout: then its monitor is taken back. In Erlang who
    /// called does that when it takes the answer, and removes a DOWN message that came behind it: nobody can tell.
    fn settle_call(&mut self, to: Pid, message: &Term) {
        let Some([tag @ Term::Ref(..), _]) = message.as_tuple() else { return };
        let Some(reference) = tag.as_reference().filter(|reference| reference.owner == to) else {
            return;
        };
        if self.alias(to, reference) == Some(AliasEnds::Awaited) {
            self.touched.writes_alias(reference);
            self.forget_monitor(to, reference);
            self.edit(to, Edit::Unalias(reference));
        } else {
            self.touched.reads_alias(reference);
        }
    }

    /// Whether a message to a process is kept: while it runs code; where somebody may look at mailboxes, while it is alive.
    fn keeps_messages(&self, pid: Pid) -> bool {
        match self.core.watches_mailboxes {
            true => self.life(pid) >= Life::Alive,
            false => self.life(pid) == Life::Running,
        }
    }

    /// A message comes into an inbox; one to a process that has ended is lost. It would not have been before, and a receive that
    /// gave up, and with that ended the process, might have taken it: so where the dead are kept it is noted all the same.
    pub(crate) fn deliver(&mut self, from: Pid, to: Pid, message: Term) {
        if !self.keeps_messages(to) {
            if self.core.rules.keeps_the_dead && self.life(to) != Life::None {
                self.touched.delivers(to, &message);
            }
            return;
        }
        let Some(has_room) = self.has_room(to) else { return };
        self.edit(to, Edit::Push(message.clone()));
        self.touched.delivers(to, &message);
        self.events.push(Event::Delivered { from, to, message });
        if !has_room && !foresee_stdx::halt::is_growth_limited() {
            self.exceeds(to, Limit::Messages(self.core.messages_max));
        }
    }

    /// The effect of `exit(To, Reason)`.
    fn exit_signal(&mut self, from: Pid, to: Pid, reason: Term) {
        let trap = self.traps(to) == Some(true);
        if reason.is_atom(atom!("kill")) {
            return self.kill(to, a!("killed"));
        }
        self.touched.reads_trap(to);
        if trap {
            self.deliver(from, to, exit_message(from, reason));
        } else if !reason.is_atom(atom!("normal")) || from == to {
            self.kill(to, reason);
        }
    }

    fn link_exit(&mut self, from: Pid, to: Pid, reason: Term) {
        let Some(trap) = self.traps(to) else { return };
        self.touched.reads_trap(to);
        if trap {
            self.deliver(from, to, exit_message(from, reason));
        } else if !reason.is_atom(atom!("normal")) {
            self.kill(to, reason);
        }
    }

    /// A process that has not yet ended is dead: whatever it was about to do, it will not. A signal that comes later finds that
    /// it has been killed, or that it has come to its end.
    fn kill(&mut self, pid: Pid, reason: Term) {
        if pid.is_system() {
            return;
        }
        let (is_alive, is_killed) = match self.process(pid) {
            Some(process) => (process.is_alive(), process.mark.is_killed),
            None => (false, false),
        };
        match (is_alive, is_killed) {
            (_, true) => self.touched.comes_after_kill(pid),
            (false, false) => self.touched.reads_run(pid),
            (true, false) => {
                self.touched.diverts(pid, &reason);
                self.touched.kills(pid);
                self.touched.ends_life(pid);
                let left = self.stages_left(pid);
                self.end_at(pid, reason, Stage::Killed, left);
                let is_kept = self.core.rules.keeps_settled;
                if let Some(process) = self.process_mut(pid) {
                    process.mark.is_killed = is_kept;
                }
            }
        }
    }

    pub(crate) fn link(&mut self, a: Pid, b: Pid) {
        for (own, other) in [(a, b), (b, a)] {
            self.edit(own, Edit::Link(other));
        }
    }

    /// A link to a process that is dead but still there: nobody refuses it, and a signal tells that there is no such process.
    pub(crate) fn link_to_dying(&mut self, own: Pid, other: Pid) {
        if self.core.instant_delivery {
            return self.link_exit(other, own, a!("noproc"));
        }
        self.edit(own, Edit::Link(other));
        self.signal(other, own, Signal::LinkExit(a!("noproc")));
    }

    pub(crate) fn unlink(&mut self, a: Pid, b: Pid) {
        for (own, other) in [(a, b), (b, a)] {
            self.edit(own, Edit::Unlink(other));
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
        let name = object.as_tuple().and_then(|pair| pair.first()?.as_atom());
        let ends_alias = self.ends_with_monitor(watcher, reference);
        self.touched.changes_relations(watcher);
        self.edit(watcher, Edit::Monitor(Monitor { reference, target: named, name }));
        match alive {
            Some(target) => {
                self.touched.changes_relations(target);
                let pid = watcher;
                let is_taken_back = false;
                let entry = Watcher { reference, pid, object, tag, is_taken_back, ends_alias };
                self.edit(target, Edit::Watch(entry));
            }
            None => {
                let reason = a!("noproc");
                let down = Signal::Down { reference, object, tag, reason, ends_alias };
                // Who is dying answers itself, after all that it has sent; for who is gone the run-time system does.
                if self.core.instant_delivery {
                    self.arrive(named, watcher, down);
                } else if self.is_dying(named) {
                    self.travel(named, watcher, down);
                } else {
                    self.travel(watcher, watcher, down);
                }
            }
        }
    }

    /// Takes a monitor back; whether it was still there. If nobody can tell afterwards whether it had fired (`unnoticed`),
    /// the end of the other has the same events as ever: where that is kept it still sends its message, which is noted and
    /// lost, because a receive before this may have given up waiting for it. Who can look at mailboxes can tell.
    pub(crate) fn demonitor(&mut self, reference: Reference, unnoticed: bool) -> bool {
        let own = reference.owner;
        let found = self.watched_by(own, reference);
        let unnoticed = unnoticed && !self.core.watches_mailboxes;
        if !unnoticed {
            self.touched.writes_monitor(reference);
            found.into_iter().for_each(|target| self.touched.loses_watcher(target));
        }
        if self.ends_with_monitor(own, reference) {
            self.touched.ends_alias(reference);
            self.edit(own, Edit::EndAlias(reference));
        }
        if let Some(target) = found {
            if unnoticed && self.core.rules.keeps_taken_back {
                self.unwatch_unnoticed(own, target, reference);
            } else {
                self.unwatch(own, target, reference);
            }
        }
        found.is_some()
    }

    /// A process has taken out of its mailbox, without a receive, what came with this reference: where that is kept, no
    /// later receive could have taken it.
    pub(crate) fn silence(&mut self, pid: Pid, reference: Reference) {
        self.touched.changes_mailbox(pid);
        if self.core.rules.keeps_settled
            && let Some(process) = self.process_mut(pid)
        {
            process.mark.silenced.push(reference);
        }
    }

    /// Whether an alias goes when its monitor does.
    fn ends_with_monitor(&self, pid: Pid, reference: Reference) -> bool {
        self.alias(pid, reference).is_some_and(|ends| ends != AliasEnds::Explicitly)
    }

    /// A monitor that an answer has made needless.
    fn forget_monitor(&mut self, watcher: Pid, reference: Reference) {
        if let Some(target) = self.watched_by(watcher, reference) {
            self.touched.writes_monitor(reference);
            self.touched.loses_watcher(target);
            self.unwatch(watcher, target, reference);
        }
    }

    /// Removes both sides of a monitor. Where signals travel, there is one less on the way, even if nobody waits for it.
    fn unwatch(&mut self, watcher: Pid, target: Pid, reference: Reference) {
        self.touched.changes_relations(watcher);
        self.touched.changes_relations(target);
        if !self.core.instant_delivery {
            self.touched.loses_watcher(target);
        }
        self.edit(watcher, Edit::Forget(reference));
        self.edit(target, Edit::Unwatch(reference));
    }

    /// Removes the watcher's side of a monitor, and marks the other.
    fn unwatch_unnoticed(&mut self, watcher: Pid, target: Pid, reference: Reference) {
        self.edit(watcher, Edit::Forget(reference));
        self.edit(target, Edit::TakeBack(reference));
    }

    /// One event of an ending process, then on to the next that has something to do.
    pub(crate) fn end_stage(&mut self, pid: Pid) {
        let Some(process) = self.process(pid) else { return };
        let Control::Ending { reason, stage, mut left } = process.control.clone() else { return };
        match stage {
            Stage::Exit => {
                self.touched.runs(pid);
                self.touched.ends_life(pid);
                left = self.stages_left(pid);
                self.leave_life(pid, &reason);
                if self.core.watches_mailboxes {
                    self.edit(pid, Edit::Clear);
                }
            }
            Stage::Killed => {
                self.touched.runs(pid);
                self.leave_life(pid, &reason);
            }
            Stage::Tables => self.leave_tables(pid),
            Stage::Name => self.leave_name(pid),
            Stage::Links => self.tell_links(pid, &reason),
            Stage::Monitors => self.tell_watchers(pid, &reason),
        }
        let next = Stage::LEAVING.into_iter().find(|next| left & next.bit() != 0);
        if stage < Stage::Links && next.is_none_or(|next| next >= Stage::Links) {
            self.touched.leaves_processes(pid);
        }
        let control = match next {
            Some(stage) => Control::Ending { reason, stage, left: left & !stage.bit() },
            None => {
                if !self.core.rules.keeps_the_dead {
                    self.remove_inbox(pid);
                }
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

    /// What the end of a process will have to put in order, decided when it is no longer alive: later nothing is added,
    /// and what others take away leaves an event with less to do.
    pub(crate) fn stages_left(&self, pid: Pid) -> u8 {
        let Some(inbox) = self.inbox(pid) else { return 0 };
        let has = |stage: &Stage| match stage {
            Stage::Tables => !inbox.tables.is_empty(),
            Stage::Name => inbox.named || self.name_of(pid).is_some(),
            Stage::Links => inbox.linked,
            Stage::Monitors => inbox.watched,
            Stage::Exit | Stage::Killed => false,
        };
        Stage::LEAVING.iter().filter(|stage| has(stage)).fold(0, |left, stage| left | stage.bit())
    }

    /// A process that has ended watches nobody and answers to no alias. Where the dead are kept it stays as it was, so that
    /// what comes too late is known for what it was.
    fn leave_life(&mut self, pid: Pid, reason: &Term) {
        self.events.push(Event::Exited { pid, reason: reason.clone() });
        if self.core.rules.keeps_the_dead {
            return;
        }
        let monitors = self.inbox(pid).map_or(Vec::new(), |inbox| inbox.monitors.clone());
        for Monitor { reference, target, .. } in monitors {
            self.unwatch(pid, target, reference);
        }
        if let Some(inbox) = self.inbox_mut(pid) {
            inbox.aliases.clear();
            inbox.trap_exit = false;
        }
    }

    fn leave_name(&mut self, pid: Pid) {
        self.touched.writes_name_of(pid);
        if let Some(name) = self.shared().name_of(pid) {
            self.touched.writes_name(name);
            self.shared_mut().names.retain(|(_, own)| *own != pid);
            if let Some(process) = self.process_mut(pid) {
                process.mark.known_as = Some(name);
            }
        }
    }

    fn tell_links(&mut self, pid: Pid, reason: &Term) {
        self.touched.reads_links(pid);
        let keeps = self.core.rules.keeps_the_dead;
        let Some(inbox) = self.inbox_mut(pid) else { return };
        let links = if keeps { inbox.links.clone() } else { std::mem::take(&mut inbox.links) };
        for other in links {
            self.signal(pid, other, Signal::LinkExit(reason.clone()));
        }
    }

    fn tell_watchers(&mut self, pid: Pid, reason: &Term) {
        self.touched.reads_watchers(pid);
        let agreed = self.process(pid).map_or(Vec::new(), |process| process.mark.agreed.clone());
        let Some(inbox) = self.inbox_mut(pid) else { return };
        for Watcher { reference, pid: watcher, object, tag, ends_alias, .. } in
            std::mem::take(&mut inbox.watchers)
        {
            let tag = if agreed.contains(&reference) { a!("foresee_stopped") } else { tag };
            let reason = reason.clone();
            let down = Signal::Down { reference, object, tag, reason, ends_alias };
            self.signal(pid, watcher, down);
        }
    }

    /// Tables whose owner has ended go to the heir or away.
    fn leave_tables(&mut self, pid: Pid) {
        self.touched.writes_owned(pid);
        let tables = self.inbox(pid).map_or(Vec::new(), |inbox| inbox.tables.clone());
        for id in tables {
            let Some(table) = self.table(id) else { continue };
            let (name, heir) = (table.named.then_some(table.name), table.heir.clone());
            self.touched.writes_table(id);
            name.into_iter().for_each(|name| self.touched.writes_table_name(name));
            if let Some((heir, _)) = &heir {
                self.touched.reads_life(*heir);
            }
            match heir.filter(|(heir, _)| self.is_alive(*heir) && *heir != pid) {
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
        self.registered(name).or_else(|| system_processes::whereis(name))
    }
}

fn down_message(tag: &Term, reference: Reference, object: &Term, reason: &Term) -> Term {
    let reference = Term::reference(reference);
    Term::tuple([tag.clone(), reference, a!("process"), object.clone(), reason.clone()])
}

pub(crate) fn exit_message(from: Pid, reason: Term) -> Term {
    Term::tuple([a!("EXIT"), Term::Pid(from), reason])
}
