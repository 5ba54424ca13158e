//! What can happen to one node, and what it leads to: the moves of a node and its inbox.
//! Why: what an event does is a function of the component and the event, whatever the rest of the world is like. So a
//! handler runs once per pair ([`Outcome`], kept for the life of the world), and all moves of a (component, inbox) pair
//! can be computed without looking at the rest ([`moves_of`]).
//! Not here: remembering moves (`explore`); budgets and partitions decide afterwards which moves are allowed (`is_allowed`).

use crate::component::{Ran, Status};
use crate::core::Core;
use crate::event::Event;
use crate::fault::{Environment, Kind};
use crate::races;
use foresee_lts::{Action, State};
use foresee_stdx::{mix, stable_hash};
use smallvec::SmallVec;
use std::sync::atomic::Ordering;

/// What a handler did, in ids.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) component: u32,
    /// For each node that was sent something: the node and the bundle of messages.
    pub(crate) sends: SmallVec<[(u32, u32); 2]>,
    /// The list of notes made; 0 for none.
    pub(crate) notes: u32,
}

impl Outcome {
    /// Nothing came of it in this component.
    fn is_nothing(&self, component: u32) -> bool {
        self.component == component && self.sends.is_empty() && self.notes == 0
    }
}

/// One move of a node: the event, what the node and its inbox become, and what it does to others.
#[derive(Clone, Debug)]
pub(crate) struct Move<'a> {
    pub(crate) event: Event,
    pub(crate) component: u32,
    pub(crate) inbox: u32,
    /// All sends; what the node sends itself is in `inbox` already.
    pub(crate) sends: &'a [(u32, u32)],
    pub(crate) notes: u32,
}

impl Event {
    /// The kind of fault that the event is, if it is one with a budget.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Event::Drop { .. } => Some(Kind::Drop),
            Event::Duplicate { .. } => Some(Kind::Duplicate),
            Event::Crash { .. } => Some(Kind::Crash),
            Event::Restart { .. } => Some(Kind::Restart),
            Event::Partition { .. } => Some(Kind::Partition),
            Event::Torn { .. } => Some(Kind::Torn),
            Event::LoseDisk { .. } => Some(Kind::LoseDisk),
            Event::Deliver { .. } | Event::Timer { .. } | Event::Heal | Event::Sync { .. } => None,
        }
    }
}

impl Core {
    /// Appends what can happen in a state.
    pub(crate) fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        if self.marks_deliveries() {
            return races::enabled(self, state, actions);
        }
        if self.fault(state).is_some() {
            return;
        }
        let environment = self.environment(state);
        for node in 0..self.n_nodes() as u32 {
            let component = state[self.component_slot(node)];
            let events = self.moving_events(node, component, state[self.inbox_slot(node)]);
            let events = events.into_iter();
            let allowed = events.filter(|event| self.is_allowed(*event, environment));
            actions.extend(allowed.map(Event::action));
        }
        let network = self.network_events().filter(|event| self.is_allowed(*event, environment));
        actions.extend(network.map(Event::action));
    }

    /// Where an event leads, marks apart.
    pub(crate) fn step_plainly(&self, state: &[u32], event: Event) -> State {
        let mut next = state.to_vec();
        if let Some(node) = event.node() {
            let (component, inbox) = (self.component_slot(node), self.inbox_slot(node));
            let it = self.move_of(node, state[component], state[inbox], event);
            let it = it.unwrap_or_else(|| panic!("{event:?} is not enabled"));
            (next[component], next[inbox]) = (it.component, it.inbox);
            for &(to, bundle) in it.sends.iter().filter(|(to, _)| *to != node) {
                let slot = self.inbox_slot(to);
                next[slot] = self.put(to, next[slot], bundle);
            }
            if let Some(client) = self.members[node as usize].client {
                self.note(&mut next, client, it.notes);
            }
        }
        if let Some(slot) = self.environment_slot() {
            let environment: &Environment = self.environments.get(state[slot]);
            next[slot] = self.intern_environment(self.environment_after(environment, event));
        }
        next
    }

    /// What the handler for `event` does to `component` of `node`; it runs only the first time.
    pub(crate) fn outcome(&self, node: u32, component: u32, event: Event) -> &Outcome {
        let member = &self.members[node as usize];
        let code = event.action().0;
        let hash = mix(stable_hash(&(component, code)));
        let is_same = |known: &(u32, u64, Outcome)| (known.0, known.1) == (component, code);
        if let Some(known) = member.outcomes.find(hash, is_same) {
            return &member.outcomes.get(known).2;
        }
        let handlers = &member.components;
        let ran = match event {
            Event::Deliver { envelope, .. } => handlers.message(component, envelope, &self.around),
            Event::Timer { position, .. } => {
                handlers.timer(component, position as usize, &self.around)
            }
            Event::Crash { .. } => handlers.crash(component, 0, &self.around),
            Event::Torn { n_kept, .. } => handlers.crash(component, n_kept as usize, &self.around),
            Event::Sync { .. } => handlers.sync(component, &self.around),
            Event::LoseDisk { .. } => handlers.lose_disk(component),
            Event::Restart { .. } => handlers.restart(component, &self.around),
            _ => unreachable!("{event:?} runs no handler"),
        };
        let outcome = self.outcome_of(ran);
        let id = member.outcomes.intern_with(hash, is_same, || (component, code, outcome));
        &member.outcomes.get(id).2
    }

    /// Interns what a handler asked for.
    pub(crate) fn outcome_of(&self, ran: Ran) -> Outcome {
        let mut bundles: SmallVec<[(u32, Vec<u32>); 4]> = SmallVec::new();
        for (to, envelope) in ran.sends {
            match bundles.iter_mut().find(|(known, _)| *known == to) {
                Some((_, bundle)) => bundle.push(envelope),
                None => bundles.push((to, vec![envelope])),
            }
        }
        let sends = bundles.into_iter().map(|(to, mut bundle)| {
            if !self.network.keeps_order() {
                bundle.sort_by_key(|envelope| (self.envelopes().hash(*envelope), *envelope));
            }
            let hash = stable_hash(&bundle);
            (to, self.members[to as usize].bundles.intern_slice(mix(hash), &bundle))
        });
        let sends = sends.collect();
        let notes = self.notes.intern(mix(stable_hash(&ran.notes)), ran.notes);
        Outcome { component: ran.component, sends, notes }
    }

    /// Every move of `node` with this component and this inbox, as far as they alone decide, in a stable order.
    pub(crate) fn moves_of(&self, node: u32, component: u32, inbox: u32) -> Vec<Move<'_>> {
        let events = self.events_of(node, component, inbox).into_iter();
        events.filter_map(|event| self.move_of(node, component, inbox, event)).collect()
    }

    /// The events of these moves, without what they lead to: of a full inbox each leads to another one.
    pub(crate) fn moving_events(&self, node: u32, component: u32, inbox: u32) -> Vec<Event> {
        let mut events = self.events_of(node, component, inbox);
        events.retain(|event| !self.is_skipped(node, component, *event));
        events
    }

    /// Whether the network does not count `event` as one because its receiver ignores the message. Calls the handler.
    pub(crate) fn is_skipped(&self, node: u32, component: u32, event: Event) -> bool {
        self.network.skips_ignored()
            && matches!(event, Event::Deliver { .. })
            && self.outcome(node, component, event).is_nothing(component)
    }

    /// Everything that can happen to `node` with this component and this inbox, messages that would be ignored included.
    pub(crate) fn events_of(&self, node: u32, component: u32, inbox: u32) -> Vec<Event> {
        let member = &self.members[node as usize];
        let mut events: Vec<Event> = Vec::new();
        let in_flight = || self.network.deliverable(member.inboxes.get(inbox), self.envelopes());
        let from = |envelope: u32| self.envelopes().sender(envelope);
        match member.components.status(component) {
            Status::Broken { .. } => return Vec::new(),
            Status::Up => {
                let deliver = |id| Event::Deliver { from: from(id), to: node, envelope: id };
                events.extend(in_flight().map(deliver));
                let timers = member.components.may_fire(component).into_iter();
                events.extend(timers.map(|at| Event::Timer { node, position: at as u32 }));
                if member.components.n_syncs(component) > 0 {
                    events.push(Event::Sync { node });
                }
            }
            Status::Crashed => {}
        }
        if self.network.counts_copies() && self.faults.drops > 0 {
            events.extend(in_flight().map(|id| Event::Drop {
                from: from(id),
                to: node,
                envelope: id,
            }));
        }
        if self.network.counts_copies() && self.faults.duplicates > 0 {
            let double = |id| Event::Duplicate { from: from(id), to: node, envelope: id };
            events.extend(in_flight().map(double));
        }
        let is_up = *member.components.status(component) == Status::Up;
        if is_up && self.faults.crashes > 0 && self.crashable[node as usize] {
            events.push(Event::Crash { node });
            if self.faults.torn_writes > 0 {
                let n_unsynced = member.components.n_unsynced(component) as u32;
                events.extend((1..=n_unsynced).map(|n_kept| Event::Torn { node, n_kept }));
            }
        }
        if !is_up && self.faults.restarts > 0 {
            events.push(Event::Restart { node });
        }
        if self.faults.lost_disks > 0 && member.components.can_lose_disk(component) {
            events.push(Event::LoseDisk { node });
        }
        events
    }

    /// The move for `event`; `None` if the network does not count it as an event.
    pub(crate) fn move_of(
        &self,
        node: u32,
        component: u32,
        inbox: u32,
        event: Event,
    ) -> Option<Move<'_>> {
        let before = self.members[node as usize].inboxes.get(inbox);
        let mut after = before.to_vec();
        let outcome = match event {
            Event::Deliver { envelope, .. } => {
                if self.network.consumes() {
                    self.network.take(&mut after, envelope);
                }
                let outcome = self.outcome(node, component, event);
                if outcome.is_nothing(component) && self.network.skips_ignored() {
                    return None;
                }
                Some(outcome)
            }
            Event::Drop { envelope, .. } => {
                self.network.take(&mut after, envelope);
                None
            }
            Event::Duplicate { envelope, .. } => {
                self.network.double(&mut after, envelope);
                None
            }
            Event::Crash { .. } | Event::Torn { .. } => {
                self.network.crash(&mut after);
                Some(self.outcome(node, component, event))
            }
            Event::Timer { .. }
            | Event::Restart { .. }
            | Event::Sync { .. }
            | Event::LoseDisk { .. } => Some(self.outcome(node, component, event)),
            Event::Partition { .. } | Event::Heal => unreachable!("no move of a node"),
        };
        let sends: &[(u32, u32)] = outcome.map_or(&[], |outcome| &outcome.sends);
        for &(_, bundle) in sends.iter().filter(|(to, _)| *to == node) {
            for &envelope in self.members[node as usize].bundles.get(bundle) {
                self.network.put(&mut after, envelope, self.envelopes());
            }
        }
        let inbox = if after == **before { inbox } else { self.intern_inbox(node, &after) };
        let component = outcome.map_or(component, |outcome| outcome.component);
        let notes = outcome.map_or(0, |outcome| outcome.notes);
        Some(Move { event, component, inbox, sends, notes })
    }

    /// Whether the budgets and the present split of the network allow an event.
    pub(crate) fn is_allowed(&self, event: Event, environment: Option<&Environment>) -> bool {
        let Some(environment) = environment else { return true };
        match event {
            Event::Deliver { from, to, .. } => !self.is_split(environment.split, from, to),
            Event::Heal => environment.split.is_some(),
            Event::Partition { .. } if environment.split.is_some() => false,
            _ => event.kind().is_none_or(|kind| environment.allows(kind)),
        }
    }

    pub(crate) fn is_split(&self, split: Option<u32>, from: u32, to: u32) -> bool {
        split.is_some_and(|way| {
            let side = &self.splits[way as usize];
            side[from as usize] != side[to as usize]
        })
    }

    /// The events of the network as a whole, allowed or not.
    pub(crate) fn network_events(&self) -> impl Iterator<Item = Event> {
        let ways = self.splits.len() as u32;
        let heal = (ways > 0).then_some(Event::Heal);
        (0..ways).map(|way| Event::Partition { way }).chain(heal)
    }

    /// The environment after an event.
    pub(crate) fn environment_after(&self, environment: &Environment, event: Event) -> Environment {
        let mut after =
            event.kind().map_or_else(|| environment.clone(), |kind| environment.after(kind));
        match event {
            Event::Partition { way } => after.split = Some(way),
            Event::Heal => after.split = None,
            _ => {}
        }
        after
    }

    /// Adds what a client has noted to the histories and the monitor of `state`.
    pub(crate) fn note(&self, state: &mut State, client: u32, notes: u32) {
        let Some(monitor) = self.monitor_slot() else { return };
        state[self.history_slot(client)] = self.history_after(state, client, notes);
        state[monitor] = self.monitor_after(state[monitor], client, notes);
    }

    /// The history of `client` after its notes.
    pub(crate) fn history_after(&self, state: &[u32], client: u32, notes: u32) -> u32 {
        let recorder = self.recorder.as_ref().expect("histories are kept");
        let mut own = state[self.history_slot(client)];
        for note in self.notes.get(notes) {
            let completed = (0..self.clients.len() as u32).map(|other| {
                let history = if other == client { own } else { state[self.history_slot(other)] };
                recorder.completed(other as usize, history)
            });
            let completed: SmallVec<[u32; 8]> = completed.collect();
            own = recorder.record(client as usize, own, note, &completed);
        }
        if recorder.fault(client as usize, own).is_some() {
            self.saw_faulty_history.store(true, Ordering::Relaxed);
        }
        own
    }

    /// The monitor after the notes of `client`.
    pub(crate) fn monitor_after(&self, monitor: u32, client: u32, notes: u32) -> u32 {
        let recorder = self.recorder.as_ref().expect("histories are kept");
        let notes = self.notes.get(notes).iter();
        notes.fold(monitor, |monitor, note| recorder.advance(monitor, client as usize, note))
    }
}
