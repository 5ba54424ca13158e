//! The exact reading of a world: every event has a thread, and what one event does to what others can do is in footprints.
//! Why another reading: whoever reorders events learns of an order only from events that happen. A message that is passed over because
//! its receiver would ignore it *now* leaves no event, and that it could have come earlier would never be tried. So here a message that is there
//! for the first time is delivered in any case; if nothing comes of that it stays, *marked*, and is offered again only where it
//! has an effect. In a `Set`, where every message may come again for ever, a delivery marks it likewise, and only deliveries and
//! timers that change something come again: a step that leads back to where it started shows nothing new.
//! Threads: one for each message by its content, for each queue of a `Fifo`, for each timer by its content, for each node's syncs, for each fault.
//! Dependencies: all events of one node; sending a message and what becomes of it; a return and an invocation of clients. A fault
//! takes away what has not happened yet, also what comes of a message that is still to be sent; so faults depend on each other,
//! on whatever sends, and on whatever writes what a crash may tear. A partition holds up messages that are offered again, or
//! uncovered in a queue, by an event of their receiver; so it depends on such events. So does losing a message that is offered
//! again.
//! Marks are one more slot for each node, after all others.
//! Invariant: apart from the marks, the states are those of the merged reading.
//! Not here: events of properties that look at several nodes; the engine makes those dependent itself.

use crate::Note;
use crate::core::Core;
use crate::event::Event;
use crate::footprint::actor;
use crate::moves::Outcome;
use crate::network::Queue;
use foresee_lts::{Action, Footprint, State};
use foresee_stdx::mix;

const NODE: u64 = 1;
const MESSAGE: u64 = 2;
const QUEUE: u64 = 3;
const CLIENT: u64 = 4;
const FAULTS: u64 = 5;
const SPLIT: u64 = 6;
const DELIVERY: u64 = 7;
const TIMER: u64 = 8;
const DROP: u64 = 9;
const DUPLICATE: u64 = 10;
const CRASH: u64 = 11;
const RESTART: u64 = 12;
const PARTITION: u64 = 13;
const HEAL: u64 = 14;
const SYNC: u64 = 15;
const TORN: u64 = 16;
const LOSE_DISK: u64 = 17;

fn object(kind: u64, what: u64) -> u64 {
    mix(mix(kind) ^ what)
}

fn number((from, to): Queue) -> u64 {
    (u64::from(from) << 32) | u64::from(to)
}

pub(crate) fn enabled(core: &Core, state: &[u32], actions: &mut Vec<Action>) {
    if core.fault(state).is_some() {
        return;
    }
    let environment = core.environment(state);
    for node in 0..core.n_nodes() as u32 {
        let component = state[core.component_slot(node)];
        let events = core.events_of(node, component, state[core.inbox_slot(node)]);
        let events = events.into_iter().filter(|event| core.is_allowed(*event, environment));
        let events = events.filter(|event| is_offered(core, state, *event));
        actions.extend(events.map(Event::action));
    }
    let network = core.network_events().filter(|event| core.is_allowed(*event, environment));
    actions.extend(network.map(Event::action));
}

/// Whether an event is the first of its kind, or changes something.
fn is_offered(core: &Core, state: &[u32], event: Event) -> bool {
    match event {
        Event::Deliver { to, envelope, .. } => {
            core.network.keeps_order()
                || !marks(core, state, to).contains(&envelope)
                || has_effect(core, state, to, event)
        }
        Event::Timer { node, .. } => has_effect(core, state, node, event),
        _ => true,
    }
}

/// The messages that were delivered to a node and may come again.
fn marks<'c>(core: &'c Core, state: &[u32], node: u32) -> &'c [u32] {
    let slot = core.marks_slot(node).expect("the exact reading");
    core.members[node as usize].inboxes.get(state[slot])
}

/// Whether a delivery or a timer changes more than that a message is used up.
fn has_effect(core: &Core, state: &[u32], node: u32, event: Event) -> bool {
    let component = state[core.component_slot(node)];
    let outcome = core.outcome(node, component, event);
    outcome.component != component || outcome.notes != 0 || sends_new(core, state, outcome)
}

fn sends_new(core: &Core, state: &[u32], outcome: &Outcome) -> bool {
    sent(core, state, outcome).next().is_some()
}

/// What an event sends that is not there already.
fn sent<'c>(
    core: &'c Core,
    state: &'c [u32],
    outcome: &'c Outcome,
) -> impl Iterator<Item = (u32, u32)> + 'c {
    outcome.sends.iter().flat_map(move |&(to, bundle)| {
        let envelopes = core.members[to as usize].bundles.get(bundle).iter();
        let is_new = move |envelope: &&u32| {
            core.network.counts_copies() || !core.inbox(state, to).contains(envelope)
        };
        envelopes.filter(is_new).map(move |envelope| (to, *envelope))
    })
}

/// What an event leads to; `plainly` is what it leads to apart from the marks.
pub(crate) fn step(
    core: &Core,
    state: &[u32],
    event: Event,
    plainly: impl FnOnce() -> State,
) -> State {
    let Event::Deliver { to, envelope, .. } = event else { return plainly() };
    if core.network.keeps_order() {
        return plainly();
    }
    let has_effect = has_effect(core, state, to, event);
    let mut next = if has_effect { plainly() } else { state.to_vec() };
    let is_marked = !core.network.consumes() || !has_effect;
    let mut marks = marks(core, state, to).to_vec();
    let place = |id: &u32| (core.envelopes().hash(*id), *id);
    match marks.binary_search_by_key(&place(&envelope), place) {
        Ok(at) if !is_marked => {
            marks.remove(at);
        }
        Err(at) if is_marked => marks.insert(at, envelope),
        _ => {}
    }
    next[core.marks_slot(to).expect("the exact reading")] = core.intern_inbox(to, &marks);
    next
}

pub(crate) fn thread(core: &Core, state: &[u32], event: Event) -> u64 {
    let of_message =
        |kind: u64, from: u32, to: u32, envelope: u32| match core.network.queue(from, to) {
            Some(queue) => object(kind, number(queue)),
            None => object(kind, core.envelopes().hash(envelope)),
        };
    match event {
        Event::Deliver { from, to, envelope } => of_message(DELIVERY, from, to, envelope),
        Event::Drop { from, to, envelope } => of_message(DROP, from, to, envelope),
        Event::Duplicate { from, to, envelope } => of_message(DUPLICATE, from, to, envelope),
        Event::Timer { node, position } => {
            let component = state[core.component_slot(node)];
            let handlers = &core.members[node as usize].components;
            object(TIMER, mix(u64::from(node)) ^ handlers.timer_hash(component, position as usize))
        }
        Event::Crash { node } => object(CRASH, u64::from(node)),
        Event::Restart { node } => object(RESTART, u64::from(node)),
        Event::Partition { way } => object(PARTITION, u64::from(way)),
        Event::Heal => object(HEAL, 0),
        Event::Sync { node } => object(SYNC, u64::from(node)),
        Event::Torn { node, n_kept } => object(TORN, number((node, n_kept))),
        Event::LoseDisk { node } => object(LOSE_DISK, u64::from(node)),
    }
}

pub(crate) fn footprint(core: &Core, state: &[u32], event: Event) -> Footprint {
    let message = |envelope: u32| object(MESSAGE, core.envelopes().hash(envelope));
    let mut print = Footprint::of(actor(core, event)).on_thread(thread(core, state, event));
    match event {
        Event::Deliver { from, to, envelope } => {
            print = match core.network.consumes() {
                false => print.reads(message(envelope)),
                true => print.writes(message(envelope)),
            };
            if let Some(queue) = core.network.queue(from, to) {
                print = print.writes(object(QUEUE, number(queue)));
            }
            // Also where it uncovers, in its queue, a message of another sender.
            if !core.splits.is_empty() && (from != to || core.network.mixes_senders()) {
                print = print.reads(object(SPLIT, 0));
            }
        }
        Event::Drop { from, to, envelope } | Event::Duplicate { from, to, envelope } => {
            print = print.writes(message(envelope));
            if let Some(queue) = core.network.queue(from, to) {
                print = print.writes(object(QUEUE, number(queue)));
            }
        }
        Event::Partition { .. } | Event::Heal => print = print.writes(object(SPLIT, 0)),
        Event::Crash { node } | Event::Torn { node, .. } if core.network.dies_with_connection() => {
            let senders = 0..core.n_nodes() as u32;
            let queues = senders.filter_map(|from| core.network.queue(from, node));
            let queues = queues.map(|queue| object(QUEUE, number(queue)));
            print = queues.fold(print, Footprint::writes);
        }
        Event::Timer { .. }
        | Event::Crash { .. }
        | Event::Restart { .. }
        | Event::Sync { .. }
        | Event::Torn { .. }
        | Event::LoseDisk { .. } => {}
    }
    if event.kind().is_some() || event == Event::Heal {
        print = print.writes(object(FAULTS, 0));
    }
    match event {
        Event::Deliver { to: node, .. }
        | Event::Timer { node, .. }
        | Event::Crash { node }
        | Event::Restart { node }
        | Event::Sync { node }
        | Event::Torn { node, .. }
        | Event::LoseDisk { node } => of_handler(core, state, node, event, print),
        _ => print,
    }
}

/// What the handler for an event touches.
fn of_handler(core: &Core, state: &[u32], node: u32, event: Event, print: Footprint) -> Footprint {
    let outcome = core.outcome(node, state[core.component_slot(node)], event);
    let mut print = print.writes(object(NODE, u64::from(node)));
    // Whether a marked message is offered again depends on the node, on whether it is still there and, if it comes from another
    // node, on partitions.
    for &envelope in marks(core, state, node) {
        if core.faults.drops > 0 {
            print = print.reads(object(MESSAGE, core.envelopes().hash(envelope)));
        }
        if !core.splits.is_empty() && core.envelopes().sender(envelope) != node {
            print = print.reads(object(SPLIT, 0));
        }
    }
    let mut is_sending = false;
    for (to, envelope) in sent(core, state, outcome) {
        print = print.writes(object(MESSAGE, core.envelopes().hash(envelope)));
        // Crashes and sendings depend on each other by `FAULTS`.
        if let Some(queue) = core.network.sending_touches(node, to, false) {
            print = print.writes(object(QUEUE, number(queue)));
        }
        is_sending = true;
    }
    if is_sending && core.faults.any() || may_tear_more(core, state, node, outcome) {
        print = print.reads(object(FAULTS, 0));
    }
    for note in core.notes.get(outcome.notes) {
        // An invocation looks at how far the other clients are; a return moves its own client on.
        print = match note {
            Note::Returned(_) => {
                let own = core.members[node as usize].client.expect("only clients make notes");
                print.writes(object(CLIENT, u64::from(own)))
            }
            Note::Invoked(_) => {
                let clients = 0..core.clients.len() as u64;
                clients.fold(print, |print, client| print.reads(object(CLIENT, client)))
            }
        };
    }
    print
}

/// Whether a crash may tear more after an event than before it: any other fault that uses up what that needs keeps it from
/// happening.
fn may_tear_more(core: &Core, state: &[u32], node: u32, outcome: &Outcome) -> bool {
    let handlers = &core.members[node as usize].components;
    let before = state[core.component_slot(node)];
    core.faults.torn_writes > 0
        && core.crashable[node as usize]
        && handlers.n_unsynced(outcome.component) > handlers.n_unsynced(before)
}

/// The hash of a node's marks.
pub(crate) fn marks_hash(core: &Core, node: usize, id: u32) -> u64 {
    mix(core.members[node].inboxes.hash(id) ^ mix(DELIVERY))
}
