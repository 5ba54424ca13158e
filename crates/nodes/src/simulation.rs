//! A simulated run: a queue of things that are due, and a state of the world that follows them.
//! The state is one of the world's own, so that its predicates can be asked at any time. A lost message of an unordered
//! network stays in it for ever, because to the world losing a message is never delivering it; in a `Fifo` network it must
//! make way for those behind it, so there it is an event. What would be lost elsewhere waits in an exactly-once or `Fifo`
//! network until the partition heals or the receiver is back.
//! Timers: each draws the moment it fires when it is set. `Ticket`s keep those moments beside the node's own queue.

use crate::code_check::Call;
use crate::component::{Ran, Status};
use crate::core::Core;
use crate::event::Event;
use crate::fault::Split;
use crate::network::{MessageFaults, Queue};
use crate::simulate::{
    Disturbance, Fate, Latency, Simulation, SimulationConfig, SimulationEnd, SimulationEvent,
};
use crate::world::Built;
use crate::{Address, describe};
use foresee_lts::{Finding, Label, Property, PropertyKind, Reads, Verb, ViolationKind};
use foresee_stdx::{Random, mix, stable_hash};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// How long a simulated disk takes to make writes durable.
const SYNC_LATENCY: Latency =
    Latency::Uniform { min: Duration::from_millis(1), max: Duration::from_millis(5) };

pub(crate) struct Run<'a> {
    world: &'a Built,
    core: &'a Core,
    config: &'a SimulationConfig,
    observer: &'a mut dyn FnMut(&SimulationEvent),
    random: Random,
    now: Duration,
    /// What is due, by time and then by the order of planning.
    due: BinaryHeap<Reverse<(Duration, u64, Due)>>,
    n_planned: u64,
    /// Messages that wait for a node or the network to be whole again.
    held: Vec<Due>,
    /// For each node, the tickets of its pending timers in the order of setting.
    tickets: Vec<Vec<u64>>,
    /// How often each node has lost what was on its way to it.
    epochs: Vec<u32>,
    /// How often each node has crashed, and how many syncs it has planned since.
    syncs: Vec<(u32, usize)>,
    /// When the last message of each queue arrives, where order is kept.
    last_arrival: FxHashMap<Queue, Duration>,
    split: Option<Split>,
    /// The inboxes; their slots in `state` follow only if somebody reads them.
    inboxes: Vec<Vec<u32>>,
    inbox_is_read: Vec<bool>,
    properties: Vec<Property>,
    result: Simulation,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Due {
    Arrival {
        envelope: u32,
        epoch: u32,
    },
    Timer {
        node: u32,
        ticket: u64,
    },
    /// A sync is done, unless the node has crashed since.
    Sync {
        node: u32,
        crashes: u32,
    },
    Disturbance {
        number: usize,
    },
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        world: &'a Built,
        config: &'a SimulationConfig,
        observer: &'a mut dyn FnMut(&SimulationEvent),
    ) -> Self {
        let core = &*world.core;
        let properties =
            if config.checks_invariants { world.properties.to_vec() } else { Vec::new() };
        let mut run = Run {
            world,
            core,
            config,
            observer,
            random: Random::new(config.seed),
            now: Duration::ZERO,
            due: BinaryHeap::new(),
            n_planned: 0,
            held: Vec::new(),
            tickets: vec![Vec::new(); core.n_nodes()],
            epochs: vec![0; core.n_nodes()],
            syncs: vec![(0, 0); core.n_nodes()],
            last_arrival: FxHashMap::default(),
            split: None,
            inboxes: Vec::new(),
            inbox_is_read: Vec::new(),
            properties,
            result: Simulation {
                seed: config.seed,
                end: SimulationEnd::Quiet,
                broken: None,
                time: Duration::ZERO,
                n_events: 0,
                n_sent: 0,
                n_lost: 0,
                reached: Vec::new(),
                trace: Vec::new(),
                replayable: true,
                state: core.initial.clone(),
            },
        };
        run.inbox_is_read = run.which_inboxes_are_read();
        run.begin();
        run
    }

    /// Inboxes of a long run are long: interning each version of one that nobody looks at would fill the memory.
    fn which_inboxes_are_read(&self) -> Vec<bool> {
        let prunes = &self.world.prunes;
        let prunes = prunes.iter().filter(|_| self.config.stops_at_prunes);
        let asked = self.properties.iter().map(|property| &property.predicate);
        let asked: Vec<_> = asked.chain(prunes).chain(&self.config.until).collect();
        let reads = |slot: usize| {
            asked.iter().any(|predicate| match predicate.reads() {
                Reads::All => true,
                Reads::Slots(slots) => slots.contains(&slot),
            })
        };
        (0..self.core.n_nodes() as u32).map(|node| reads(self.core.inbox_slot(node))).collect()
    }

    /// Plans what the nodes' `init` has sent and set, and the disturbances.
    fn begin(&mut self) {
        for node in 0..self.core.n_nodes() as u32 {
            self.inboxes.push(self.core.inbox(&self.result.state, node).to_vec());
            let component = self.component(node);
            let bounds = self.core.members[node as usize].components.timer_bounds(component);
            self.plan_timers(node, &bounds);
            self.plan_syncs(node);
        }
        for inbox in self.inboxes.clone() {
            inbox.iter().for_each(|envelope| self.plan_arrival(*envelope));
        }
        for (number, scheduled) in self.config.schedule.iter().enumerate() {
            let name = match &scheduled.what {
                Disturbance::Crash(name) | Disturbance::Restart(name) => vec![*name],
                Disturbance::Partition(names) => names.clone(),
                Disturbance::Heal => Vec::new(),
            };
            name.iter().for_each(|name| {
                self.node(*name);
            });
            self.plan(scheduled.at, Due::Disturbance { number });
        }
    }

    pub(crate) fn finish(mut self) -> Simulation {
        let mut end = self.judge();
        while end.is_none() {
            end = self.next();
        }
        for node in 0..self.core.n_nodes() as u32 {
            self.inbox_is_read[node as usize] = true;
            self.show_inbox(node);
        }
        self.result.end = end.expect("the loop ends with it");
        self.result.time = self.now;
        self.result
    }

    /// Does what is due next; the reason if that is the end.
    fn next(&mut self) -> Option<SimulationEnd> {
        let Some(Reverse((time, _, due))) = self.due.pop() else {
            return Some(SimulationEnd::Quiet);
        };
        if time > self.config.time_max {
            self.now = self.config.time_max;
            return Some(SimulationEnd::TimeUp);
        }
        if self.result.n_events >= self.config.events_max {
            return Some(SimulationEnd::EventsUp);
        }
        self.now = time;
        let n_before = self.result.trace.len();
        match due {
            Due::Arrival { envelope, epoch } => self.arrive(envelope, epoch),
            Due::Timer { node, ticket } => self.fire(node, ticket),
            Due::Sync { node, crashes } => self.sync(node, crashes),
            Due::Disturbance { number } => self.disturb(&self.config.schedule[number].what),
        }
        if self.result.trace.len() == n_before { None } else { self.judge() }
    }

    /// Whether the present state ends the run.
    fn judge(&mut self) -> Option<SimulationEnd> {
        let state = &self.result.state;
        if let Some(fault) = self.core.fault(state) {
            let (kind, message) = (fault.kind.into(), fault.message);
            self.result.broken = Some(Finding { kind, property: None, message });
            return Some(SimulationEnd::Violated);
        }
        let (claims, hopes): (Vec<_>, Vec<_>) =
            self.properties.iter().partition(|it| it.kind == PropertyKind::Invariant);
        for hope in hopes.iter().filter(|hope| hope.predicate.holds(state)) {
            if !self.result.reached.iter().any(|known| known == hope.name()) {
                self.result.reached.push(hope.name().to_owned());
            }
        }
        if let Some(claim) = claims.iter().find(|claim| !claim.predicate.holds(state)) {
            self.result.broken = Some(Finding {
                kind: ViolationKind::Invariant,
                property: Some(claim.name().to_owned()),
                message: claim.predicate.explain(state),
            });
            return Some(SimulationEnd::Violated);
        }
        let prunes = self.world.prunes.iter().filter(|_| self.config.stops_at_prunes);
        let mut goals = self.config.until.iter().chain(prunes);
        let reached = goals.find(|goal| goal.holds(state));
        reached.map(|goal| SimulationEnd::Stopped(goal.name().to_owned()))
    }

    fn arrive(&mut self, id: u32, epoch: u32) {
        let route = self.core.envelopes().route(id);
        let (from, to) = (route.from_node, route.to_node);
        if epoch != self.epochs[to as usize] {
            return self.happen(Event::Drop { from, to, envelope: id }, Fate::Lost);
        }
        let is_up = *self.status(to) == Status::Up;
        let is_cut =
            self.split.as_ref().is_some_and(|split| split[from as usize] != split[to as usize]);
        let network = self.core.network;
        let loses = network.message_faults() != MessageFaults::Never;
        if !is_up || is_cut {
            match network.waits_for_receiver() {
                true => self.held.push(Due::Arrival { envelope: id, epoch }),
                false => self.happen(Event::Drop { from, to, envelope: id }, Fate::Lost),
            }
            return;
        }
        if self.is_behind(id, from, to) {
            // What holds its predecessor up holds it up as well; a predecessor that is due now goes first.
            let due = Due::Arrival { envelope: id, epoch };
            match self.is_held_up(from, to) {
                true => self.held.push(due),
                false => self.plan(self.now, due),
            }
            return;
        }
        if loses && self.random.chance(self.config.loss) {
            let event = Event::Drop { from, to, envelope: id };
            let is_step = network.keeps_order();
            self.happen(event, if is_step { Fate::Step } else { Fate::Lost });
            if is_step {
                network.take(&mut self.inboxes[to as usize], id);
                self.show_inbox(to);
            }
            return;
        }
        if loses && self.random.chance(self.config.duplication) {
            self.double(from, to, id);
        }
        self.deliver(from, to, id);
    }

    /// Whether an older message of the same queue has not been delivered yet.
    fn is_behind(&self, envelope: u32, from: u32, to: u32) -> bool {
        let (network, inbox) = (self.core.network, &self.inboxes[to as usize]);
        let mut heads = network.deliverable(inbox, self.core.envelopes());
        network.queue(from, to).is_some() && !heads.any(|head| head == envelope)
    }

    /// Whether a message of this queue waits for a node or for the network to be whole again.
    fn is_held_up(&self, from: u32, to: u32) -> bool {
        let network = self.core.network;
        self.held.iter().any(|due| {
            let Due::Arrival { envelope, .. } = due else { return false };
            let held = self.core.envelopes().route(*envelope);
            network.queue(held.from_node, held.to_node) == network.queue(from, to)
        })
    }

    /// One more copy of a message that is arriving now.
    fn double(&mut self, from: u32, to: u32, envelope: u32) {
        let network = self.core.network;
        if network.counts_copies() {
            self.happen(Event::Duplicate { from, to, envelope }, Fate::Step);
            network.double(&mut self.inboxes[to as usize], envelope);
            self.show_inbox(to);
        }
        if network.keeps_order() {
            // The copy stands right behind the message: nothing may come between.
            self.deliver(from, to, envelope);
        } else {
            let latency = self.config.latency.draw(&mut self.random);
            let epoch = self.epochs[to as usize];
            self.plan(self.now + latency, Due::Arrival { envelope, epoch });
        }
    }

    fn deliver(&mut self, from: u32, to: u32, id: u32) {
        if *self.status(to) != Status::Up {
            return;
        }
        let event = Event::Deliver { from, to, envelope: id };
        let component = self.component(to);
        let handlers = &self.core.members[to as usize].components;
        let ran = handlers.message(component, id, &self.core.around);
        let is_ignored = ran.component == component && ran.sends.is_empty() && ran.notes.is_empty();
        if is_ignored && self.core.network.skips_ignored() {
            self.happen(event, Fate::Ignored);
        } else {
            self.happen(event, Fate::Step);
            if self.core.network.consumes() {
                self.core.network.take(&mut self.inboxes[to as usize], id);
                self.show_inbox(to);
            }
        }
        self.follow(to, ran);
    }

    fn fire(&mut self, node: u32, ticket: u64) {
        let tickets = &mut self.tickets[node as usize];
        let Some(due) = tickets.iter().position(|known| *known == ticket) else {
            return; // cancelled, or lost in a crash
        };
        // Of timers that a handler cannot tell apart the world fires the one set first; so they change tickets.
        let component = self.result.state[self.core.component_slot(node)];
        let handlers = &self.core.members[node as usize].components;
        let may_fire = handlers.may_fire(component);
        let position = match may_fire.contains(&due) {
            true => due,
            false => {
                let texts = handlers.describe_timers(component);
                let bounds = handlers.timer_bounds(component);
                let same =
                    |other: usize| (&texts[other].0, bounds[other]) == (&texts[due].0, bounds[due]);
                let first = may_fire.iter().copied().find(|other| same(*other));
                first.or_else(|| may_fire.first().copied()).expect("the timer set first may fire")
            }
        };
        tickets.swap(position, due);
        tickets.remove(position);
        self.happen(Event::Timer { node, position: position as u32 }, Fate::Step);
        let ran = handlers.timer(component, position, &self.core.around);
        self.follow(node, ran);
    }

    fn sync(&mut self, node: u32, crashes: u32) {
        if self.syncs[node as usize].0 != crashes || *self.status(node) != Status::Up {
            return;
        }
        self.syncs[node as usize].1 -= 1;
        self.happen(Event::Sync { node }, Fate::Step);
        let handlers = &self.core.members[node as usize].components;
        let ran = handlers.sync(self.component(node), &self.core.around);
        self.follow(node, ran);
    }

    /// Plans the end of every sync that a node has started just now; those of one node end in the order of starting.
    fn plan_syncs(&mut self, node: u32) {
        let component = self.component(node);
        let n_syncs = self.core.members[node as usize].components.n_syncs(component);
        let (crashes, planned) = self.syncs[node as usize];
        for _ in planned..n_syncs {
            let latency = SYNC_LATENCY.draw(&mut self.random);
            self.plan(self.now + latency, Due::Sync { node, crashes });
        }
        self.syncs[node as usize].1 = n_syncs;
    }

    fn disturb(&mut self, what: &Disturbance) {
        match what {
            Disturbance::Crash(name) => self.crash_or_restart(*name, &Call::Crash { n_kept: 0 }),
            Disturbance::Restart(name) => self.crash_or_restart(*name, &Call::Restart),
            Disturbance::Partition(group) => {
                if self.split.is_some() {
                    self.disturb(&Disturbance::Heal);
                }
                self.partition(group);
            }
            Disturbance::Heal => {
                if self.split.take().is_some() {
                    self.happen(Event::Heal, Fate::Step);
                    self.release();
                }
            }
        }
    }

    fn crash_or_restart(&mut self, name: Address, call: &Call<()>) {
        let node = self.node(name);
        let component = self.component(node);
        let handlers = &self.core.members[node as usize].components;
        match (call, handlers.status(component)) {
            (Call::Crash { .. }, Status::Up) => {
                self.happen(Event::Crash { node }, Fate::Step);
                let inbox = &mut self.inboxes[node as usize];
                let n_before = inbox.len();
                self.core.network.crash(inbox);
                self.epochs[node as usize] += u32::from(inbox.len() < n_before);
                self.show_inbox(node);
                self.tickets[node as usize].clear();
                self.syncs[node as usize] = (self.syncs[node as usize].0 + 1, 0);
                let ran = handlers.crash(component, 0, &self.core.around);
                self.follow(node, ran);
            }
            (Call::Restart, Status::Crashed) => {
                self.happen(Event::Restart { node }, Fate::Step);
                let ran = handlers.restart(component, &self.core.around);
                self.follow(node, ran);
                self.release();
            }
            _ => {}
        }
    }

    fn partition(&mut self, group: &[Address]) {
        let members = self.core.members.iter();
        let side: Split = members.map(|member| group.contains(&member.name)).collect();
        let side: Split = if side[0] { side.iter().map(|on| !on).collect() } else { side };
        match self.core.splits.iter().position(|known| *known == side) {
            Some(way) => self.happen(Event::Partition { way: way as u32 }, Fate::Step),
            None => {
                self.result.replayable = false;
                let label = Label::of_network(Verb::Partition, describe::sides(self.core, &side));
                self.tell(label, Fate::Step);
            }
        }
        self.split = Some(side);
    }

    /// Plans again what was held up, in the old order.
    fn release(&mut self) {
        for due in std::mem::take(&mut self.held) {
            self.plan(self.now, due);
        }
    }

    /// Takes over what a handler has left, and plans what it has asked for.
    fn follow(&mut self, node: u32, ran: Ran) {
        let slot = self.core.component_slot(node);
        self.result.state[slot] = ran.component;
        let tickets = std::mem::take(&mut self.tickets[node as usize]);
        let kept = ran.timers_kept.iter().filter_map(|position| tickets.get(*position).copied());
        self.tickets[node as usize] = kept.collect();
        let handlers = &self.core.members[node as usize].components;
        let bounds = handlers.timer_bounds(ran.component);
        let n_kept = self.tickets[node as usize].len();
        if let Some(new) = bounds.get(n_kept..) {
            self.plan_timers(node, new);
        }
        self.plan_syncs(node);
        for (to, envelope) in ran.sends {
            self.core.network.put(&mut self.inboxes[to as usize], envelope, self.core.envelopes());
            self.show_inbox(to);
            self.plan_arrival(envelope);
        }
        if let Some(client) = self.core.members[node as usize].client {
            let notes = self.core.notes.intern(mix(stable_hash(&ran.notes)), ran.notes);
            self.core.note(&mut self.result.state, client, notes);
        }
    }

    fn plan_timers(&mut self, node: u32, bounds: &[(Duration, Duration)]) {
        for &(min, max) in bounds {
            let width = u64::try_from((max - min).as_nanos()).unwrap_or(u64::MAX);
            let after = min + Duration::from_nanos(self.random.between(0, width));
            let ticket = self.n_planned;
            self.tickets[node as usize].push(ticket);
            self.plan(self.now.saturating_add(after), Due::Timer { node, ticket });
        }
    }

    fn plan_arrival(&mut self, envelope: u32) {
        self.result.n_sent += 1;
        let route = self.core.envelopes().route(envelope);
        let (from, to) = (route.from_node, route.to_node);
        let mut at = self.now + self.config.latency.draw(&mut self.random);
        let pair = (!self.config.reordering).then_some((from, to));
        if let Some(queue) = self.core.network.queue(from, to).or(pair) {
            let last = self.last_arrival.entry(queue).or_insert(at);
            at = at.max(*last);
            *last = at;
        }
        let epoch = self.epochs[to as usize];
        self.plan(at, Due::Arrival { envelope, epoch });
    }

    fn plan(&mut self, at: Duration, due: Due) {
        self.due.push(Reverse((at, self.n_planned, due)));
        self.n_planned += 1;
    }

    /// Writes down an event of the world, before it changes anything, and takes it off the budgets.
    fn happen(&mut self, event: Event, fate: Fate) {
        let label = describe::label(self.core, &self.result.state, event);
        if fate == Fate::Step {
            match self.core.environment_slot() {
                Some(slot) => {
                    let environment = self.core.environments.get(self.result.state[slot]);
                    if self.is_possible(event) && self.core.is_allowed(event, Some(environment)) {
                        let after = self.core.environment_after(environment, event);
                        self.result.state[slot] = self.core.intern_environment(after);
                    } else {
                        self.result.replayable = false;
                    }
                }
                None => self.result.replayable &= event.kind().is_none() && event != Event::Heal,
            }
        }
        self.tell(label, fate);
    }

    fn is_possible(&self, event: Event) -> bool {
        match event {
            Event::Crash { node } => self.core.crashable[node as usize],
            _ => true,
        }
    }

    fn tell(&mut self, label: Label, fate: Fate) {
        self.result.n_events += 1;
        self.result.n_lost += u64::from(label.verb == Verb::Drop);
        (self.observer)(&SimulationEvent { time: self.now, label: label.clone(), fate });
        if fate == Fate::Step {
            self.result.trace.push(label);
        }
    }

    fn show_inbox(&mut self, node: u32) {
        if self.inbox_is_read[node as usize] {
            let id = self.core.intern_inbox(node, &self.inboxes[node as usize]);
            self.result.state[self.core.inbox_slot(node)] = id;
        }
    }

    fn component(&self, node: u32) -> u32 {
        self.result.state[self.core.component_slot(node)]
    }

    fn status(&self, node: u32) -> &'a Status {
        let core = self.core;
        core.members[node as usize].components.status(self.component(node))
    }

    fn node(&self, name: Address) -> u32 {
        let known = self.core.node(name);
        known
            .unwrap_or_else(|| panic!("the schedule names {name}, which is no node of this system"))
    }
}
