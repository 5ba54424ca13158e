//! One step: a state, seen through the changes made to it so far.
//! A visible built-in gets a `Step` and does to the world what it does; at the end the changed components are interned
//! and become the successor state.
//! Not here: which actions are enabled (`crate::system`), inboxes (`crate::world::inboxes`), signals (`crate::world::signal`), tables
//! (`crate::world::ets`), the code of processes that a step wakes (`crate::world::running`).

use crate::builtins::{Builtin, Run, not_too_deep};
use crate::events::footprint::{Meanings, Touched};
use crate::events::lookup::{Life, Lookups, life};
use crate::machine::Raise;
use crate::program::Program;
use crate::tell::recorder::Recorder;
use crate::term::{Atom, Pid, Reference, Term};
use crate::world::component::{Channel, Component, Process, Shared, Timers};
use crate::world::core::Core;
use crate::world::edit::Change;
use crate::world::ets::Table;
use crate::world::inboxes::Waiting;
use crate::world::slots::{SHARED, SlotKey, TIMERS};
use foresee_lts::Footprint;
use foresee_stdx::halt;
use std::cell::RefCell;

/// A state being changed.
pub struct Step<'a> {
    pub(crate) core: &'a Core,
    pub(crate) state: &'a [u32],
    /// Changed slots; `None` is a component that is gone.
    pub(crate) changed: Vec<(u32, Option<Component>)>,
    /// Inboxes that are not looked at, and what becomes of them.
    pub(crate) waiting: Vec<Waiting>,
    /// Who acts.
    pub caller: Pid,
    pub events: Vec<Event>,
    /// Virtual time in milliseconds, in a run that has one.
    pub virtual_ms: Option<u64>,
    /// References made in this step, which no component may hold yet.
    pub(crate) new_references: Vec<Reference>,
    /// So far the step has only taken a message, so the next operation may be part of it if it `joins`.
    pub(crate) may_join: bool,
    /// The step has got the process to one of the places where it may crash (`CrashPoints::Calls`).
    pub(crate) reaches_crash_point: bool,
    /// What the event touches, as far as it has come.
    pub(crate) touched: Touched,
    /// What was looked at in the state, on which alone the result depends.
    pub(crate) asked: RefCell<Lookups>,
    /// Who takes notes, when a finished run is told.
    pub(crate) recorder: Option<&'a mut Recorder>,
}

/// What came of a step.
pub(crate) struct Effect {
    /// The slots that differ afterwards, in order, and how.
    pub(crate) changes: Vec<(u32, Change)>,
    pub(crate) events: Vec<Event>,
    pub(crate) footprint: Footprint,
    pub(crate) meanings: Meanings,
    pub(crate) asked: Lookups,
}

/// Something that happened, for people.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The program has written text.
    Output {
        pid: Pid,
        text: String,
    },
    /// A process has ended because of an exception nobody caught.
    Crashed {
        pid: Pid,
        reason: Term,
    },
    /// A process has ended.
    Exited {
        pid: Pid,
        reason: Term,
    },
    Spawned {
        parent: Pid,
        child: Pid,
    },
    /// A message has come into an inbox.
    Delivered {
        from: Pid,
        to: Pid,
        message: Term,
    },
    /// A message has been taken out of an inbox.
    Received {
        pid: Pid,
        message: Term,
    },
    /// The program has stopped itself.
    Halted {
        pid: Pid,
        status: Term,
    },
}

/// What a visible built-in answers.
pub(crate) type Reply = Result<Term, Raise>;

impl<'a> Step<'a> {
    pub(crate) fn new(
        core: &'a Core,
        state: &'a [u32],
        caller: Pid,
        virtual_ms: Option<u64>,
        touched: Touched,
    ) -> Self {
        Step {
            core,
            state,
            changed: Vec::new(),
            waiting: Vec::new(),
            caller,
            events: Vec::new(),
            virtual_ms,
            new_references: Vec::new(),
            may_join: false,
            reaches_crash_point: false,
            touched,
            asked: RefCell::default(),
            recorder: None,
        }
    }

    pub fn program(&self) -> &'a Program {
        &self.core.program
    }

    /// Interns what has changed.
    pub(crate) fn finish(self) -> Effect {
        let asked = self.asked.into_inner();
        let mut changes = Vec::with_capacity(self.changed.len() + self.waiting.len());
        for (slot, component) in self.changed {
            let id = component.map_or(0, |component| self.core.intern(component));
            changes.push((slot, Change::Put(id)));
        }
        let before = |slot: u32| self.state.get(slot as usize).copied().unwrap_or(0);
        for Waiting { slot, edits, .. } in self.waiting {
            let mut change = Change::Edit(self.core.edits.number(edits));
            // All of it was looked at, so what becomes of it is part of the result.
            if asked.has_seen(slot) {
                change = Change::Put(self.core.changed(before(slot), change));
            }
            changes.push((slot, change));
        }
        changes.retain(|&(slot, change)| change != Change::Put(before(slot)));
        changes.sort_unstable();
        let (footprint, meanings) = self.touched.finish();
        Effect { changes, events: self.events, footprint, meanings, asked }
    }

    /// Carries out a visible built-in of the caller.
    pub(crate) fn operate(&mut self, builtin: u32, arguments: &[Term]) -> Reply {
        let entry = self.program().builtins.get(builtin);
        let (Run::Visible(run, touches) | Run::Either { visible: run, touches, .. }) = entry.run
        else {
            unreachable!("processes rest before visible built-ins")
        };
        if entry.walks {
            not_too_deep(entry, arguments)?;
        }
        let first = self.touched.n_accesses();
        let mut touched = std::mem::take(&mut self.touched);
        touches(self, arguments, &mut touched);
        self.touched = touched;
        let reply = halt::about(
            self,
            |step| run(step, arguments),
            |step| {
                let Builtin { module, name, arity, .. } = step.program().builtins.get(builtin);
                format!("{} carries out {module}:{name}/{arity}", step.caller)
            },
        );
        if reply.is_err() {
            self.touched.failed(first);
        }
        if self.recorder.is_some() {
            self.note_reply(builtin, arguments, &reply);
        }
        reply
    }

    pub(crate) fn component(&self, slot: u32) -> Option<&Component> {
        if let Some((_, component)) = self.changed.iter().find(|(own, _)| *own == slot) {
            return component.as_ref();
        }
        let id = self.state.get(slot as usize).copied().unwrap_or(0);
        self.asked.borrow_mut().slot(slot, id);
        let before = (id != 0).then(|| self.core.get(id))?;
        match self.waiting.iter().find(|waiting| waiting.slot == slot) {
            Some(waiting) => Some(waiting.see(before)),
            None => Some(before),
        }
    }

    pub(crate) fn component_mut(&mut self, slot: u32) -> Option<&mut Component> {
        let at = match self.changed.iter().position(|(own, _)| *own == slot) {
            Some(at) => at,
            None => {
                let component = self.component(slot)?.clone();
                self.waiting.retain(|waiting| waiting.slot != slot);
                self.changed.push((slot, Some(component)));
                self.changed.len() - 1
            }
        };
        self.changed[at].1.as_mut()
    }

    pub(crate) fn put(&mut self, slot: u32, component: Option<Component>) {
        match self.changed.iter_mut().find(|(own, _)| *own == slot) {
            Some(entry) => entry.1 = component,
            None => {
                let id = self.state.get(slot as usize).copied().unwrap_or(0);
                self.asked.borrow_mut().slot(slot, id);
                self.waiting.retain(|waiting| waiting.slot != slot);
                self.changed.push((slot, component));
            }
        }
    }

    pub fn shared(&self) -> &Shared {
        match self.component(SHARED) {
            Some(Component::Shared(shared)) => shared,
            _ => unreachable!("slot 0 is what is shared"),
        }
    }

    pub fn shared_mut(&mut self) -> &mut Shared {
        match self.component_mut(SHARED) {
            Some(Component::Shared(shared)) => shared,
            _ => unreachable!("slot 0 is what is shared"),
        }
    }

    pub fn timers(&self) -> &Timers {
        match self.component(TIMERS) {
            Some(Component::Timers(timers)) => timers,
            _ => unreachable!("slot 1 is the timers"),
        }
    }

    pub fn timers_mut(&mut self) -> &mut Timers {
        match self.component_mut(TIMERS) {
            Some(Component::Timers(timers)) => timers,
            _ => unreachable!("slot 1 is the timers"),
        }
    }

    pub fn process(&self, pid: Pid) -> Option<&Process> {
        match self.component(self.core.slots.of(SlotKey::Process(pid))) {
            Some(Component::Process(process)) => Some(process),
            _ => None,
        }
    }

    pub fn process_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        match self.component_mut(self.core.slots.of(SlotKey::Process(pid))) {
            Some(Component::Process(process)) => Some(process),
            _ => None,
        }
    }

    /// Whether others see a process as alive.
    pub fn is_alive(&self, pid: Pid) -> bool {
        pid.is_system() || self.life(pid) >= Life::Alive
    }

    /// Whether others see a process as dead though it is still in the table of processes.
    pub(crate) fn is_dying(&self, pid: Pid) -> bool {
        self.life(pid) == Life::Dying
    }

    /// Who is registered under a name.
    pub(crate) fn registered(&self, name: Atom) -> Option<Pid> {
        match self.unchanged_shared() {
            Some(shared) => self.asked.borrow_mut().whereis(shared, name),
            None => self.shared().whereis(name),
        }
    }

    /// The name under which a process is registered.
    pub(crate) fn name_of(&self, pid: Pid) -> Option<Atom> {
        match self.unchanged_shared() {
            Some(shared) => self.asked.borrow_mut().registered(shared, pid),
            None => self.shared().name_of(pid),
        }
    }

    /// What is shared, if the step has left it as it was; who looks asks for what it needs of it.
    fn unchanged_shared(&self) -> Option<&'a Shared> {
        let core = self.core;
        let is_changed = self.changed.iter().any(|(own, _)| *own == SHARED);
        match core.get(self.state[SHARED as usize]) {
            Component::Shared(shared) if !is_changed => Some(shared),
            _ => None,
        }
    }

    /// How much a process is alive; who asks no more than this does the same whatever the process is about to do.
    pub(crate) fn life(&self, pid: Pid) -> Life {
        let slot = self.core.slots.of(SlotKey::Process(pid));
        if let Some((_, component)) = self.changed.iter().find(|(own, _)| *own == slot) {
            return Life::of(component.as_ref());
        }
        let life = life(self.core, self.state, slot);
        self.asked.borrow_mut().life(slot, life);
        life
    }

    pub fn table(&self, id: Reference) -> Option<&Table> {
        match self.component(self.core.slots.of(SlotKey::Table(id))) {
            Some(Component::Table(table)) => Some(table),
            _ => None,
        }
    }

    pub fn table_mut(&mut self, id: Reference) -> Option<&mut Table> {
        match self.component_mut(self.core.slots.of(SlotKey::Table(id))) {
            Some(Component::Table(table)) => Some(table),
            _ => None,
        }
    }

    pub(crate) fn put_table(&mut self, id: Reference, table: Option<Table>) {
        let slot = self.core.slots.of(SlotKey::Table(id));
        self.put(slot, table.map(Component::Table));
    }

    pub(crate) fn channel(&self, from: Pid, to: Pid) -> Option<&Channel> {
        match self.component(self.core.slots.of(SlotKey::Channel(from, to))) {
            Some(Component::Channel(channel)) => Some(channel),
            _ => None,
        }
    }

    /// Calls `visit` with every component of the changed state.
    pub(crate) fn for_each_component(&self, mut visit: impl FnMut(&Component)) {
        self.asked.borrow_mut().everything();
        let top = self.changed.iter().map(|(slot, _)| *slot as usize + 1).max().unwrap_or(0);
        for slot in 0..self.state.len().max(top) as u32 {
            if let Some(component) = self.component(slot) {
                visit(component);
            }
        }
    }

    /// Every process that is alive or not yet gone, in the order of pids.
    pub fn processes(&self) -> Vec<Pid> {
        let mut pids = Vec::new();
        self.for_each_component(|component| {
            if let Component::Process(process) = component
                && process.is_there()
            {
                pids.push(process.pid);
            }
        });
        pids.sort_unstable();
        pids
    }

    /// Every table, in the order of ids.
    pub fn tables(&self) -> Vec<Reference> {
        let mut ids = Vec::new();
        self.for_each_component(|component| {
            if let Component::Table(table) = component {
                ids.push(table.id);
            }
        });
        ids.sort_unstable();
        ids
    }

    /// A reference of the caller that nobody holds.
    pub fn new_reference(&mut self) -> Reference {
        let owner = self.caller;
        if self.core.rules.numbers_references
            && let Some(process) = self.process_mut(owner)
        {
            process.n_references += 1;
            return Reference { owner, n: process.n_references };
        }
        let used = self.references_of(owner);
        let n = (1..).find(|n| !used.contains(n)).expect("numbers do not end");
        let reference = Reference { owner, n };
        self.new_references.push(reference);
        reference
    }

    /// The numbers of a process's references that somebody may hold.
    pub(crate) fn references_of(&self, owner: Pid) -> Vec<u32> {
        let changed = self.changed.iter().map(|(slot, _)| *slot);
        let edited = self.waiting.iter().map(|waiting| waiting.slot);
        let except: Box<[u32]> = changed.chain(edited.clone()).collect();
        let mut used = references_in(self.core, self.state, owner, &except);
        self.asked.borrow_mut().references(owner, except, &used);
        used.extend(self.new_references.iter().filter(|r| r.owner == owner).map(|r| r.n));
        let changed = self.changed.iter().filter_map(|(_, component)| component.as_ref());
        for component in changed.chain(edited.filter_map(|slot| self.component(slot))) {
            component.references(&mut |reference| {
                if reference.owner == owner {
                    used.push(reference.n);
                }
            });
        }
        used
    }
}

/// The numbers of a process's references in the components of a state, but for some slots; sorted.
pub(crate) fn references_in(core: &Core, state: &[u32], owner: Pid, except: &[u32]) -> Vec<u32> {
    let mut used = Vec::new();
    for (slot, &id) in state.iter().enumerate() {
        if id != 0 && !except.contains(&(slot as u32)) {
            let own = core.references(id).iter().filter(|reference| reference.owner == owner);
            used.extend(own.map(|reference| reference.n));
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}
