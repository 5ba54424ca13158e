//! What an event of a world reads and writes: nodes, single messages, clients' progress, budgets.
//! Two events that touch nothing in common happen in either order with the same result; what stands here is what trace
//! reordering and partial-order reduction believe, so in doubt an event touches more.

use crate::Note;
use crate::core::Core;
use crate::event::Event;
use crate::network::Queue;
use foresee_lts::{Actor, Footprint, Origin};

/// Kinds of objects, in the high bits of their numbers; a message's number is its content hash.
const MESSAGE: u64 = 1 << 63;
const CHANNEL: u64 = 1 << 62;
const CLIENT: u64 = 1 << 61;
const BUDGET: u64 = 1 << 60;
const SPLIT: u64 = 1 << 59;

/// Whether a number in a footprint stands for a message.
pub fn is_message_object(object: u64) -> bool {
    object & MESSAGE != 0
}

/// Nodes act for themselves; what happens to messages and to the network as a whole is done by one more actor.
pub(crate) fn actor(core: &Core, event: Event) -> Actor {
    match event {
        Event::Deliver { to: node, .. }
        | Event::Timer { node, .. }
        | Event::Crash { node }
        | Event::Restart { node }
        | Event::Sync { node }
        | Event::Torn { node, .. }
        | Event::LoseDisk { node } => Actor(node),
        Event::Drop { .. } | Event::Duplicate { .. } | Event::Partition { .. } | Event::Heal => {
            Actor(core.n_nodes() as u32)
        }
    }
}

/// Whose event it is and whose message; what is lost, doubled, fails or fires was asked for by nobody.
pub(crate) fn origin(core: &Core, event: Event) -> Origin {
    let of_node = |node: u32| Origin::of(u64::from(node));
    match event {
        Event::Deliver { from, to, .. } => of_node(to).from(u64::from(from)),
        Event::Drop { from, to, .. } | Event::Duplicate { from, to, .. } => {
            of_node(to).from(u64::from(from)).unasked()
        }
        Event::Sync { node } => of_node(node),
        Event::Timer { node, .. }
        | Event::Crash { node }
        | Event::Torn { node, .. }
        | Event::Restart { node }
        | Event::LoseDisk { node } => of_node(node).unasked(),
        Event::Partition { .. } | Event::Heal => of_node(core.n_nodes() as u32).unasked(),
    }
}

pub(crate) fn footprint(core: &Core, state: &[u32], event: Event) -> Footprint {
    let message = |envelope: u32| core.envelopes().hash(envelope) | MESSAGE;
    let channel = |(from, to): Queue| CHANNEL | (u64::from(from) << 20) | u64::from(to);
    let mut print = Footprint::of(actor(core, event));
    match event {
        Event::Deliver { from, to, envelope } => {
            print = print.writes(u64::from(to));
            print = if core.network.consumes() {
                print.writes(message(envelope))
            } else {
                print.reads(message(envelope))
            };
            if let Some(queue) = core.network.queue(from, to) {
                print = print.writes(channel(queue));
            }
            if !core.splits.is_empty() && from != to {
                print = print.reads(SPLIT);
            }
        }
        Event::Timer { node, .. }
        | Event::Restart { node }
        | Event::Sync { node }
        | Event::LoseDisk { node } => print = print.writes(u64::from(node)),
        Event::Crash { node } | Event::Torn { node, .. } => {
            print = print.writes(u64::from(node));
            if core.network.dies_with_connection() {
                let senders = 0..core.n_nodes() as u32;
                let queues = senders.filter_map(|from| core.network.queue(from, node));
                print = queues.fold(print, |print, queue| print.writes(channel(queue)));
            }
        }
        Event::Drop { from, to, envelope } | Event::Duplicate { from, to, envelope } => {
            print = print.writes(message(envelope));
            if let Some(queue) = core.network.queue(from, to) {
                print = print.writes(channel(queue));
            }
        }
        Event::Partition { .. } | Event::Heal => print = print.writes(SPLIT),
    }
    if let Some(kind) = event.kind() {
        print = print.writes(BUDGET | kind as u64);
    }
    let Some(node) = event.node() else { return print };
    let component = state[core.component_slot(node)];
    let it = core.move_of(node, component, state[core.inbox_slot(node)], event);
    let Some(it) = it else { return print };
    for &(to, bundle) in it.sends {
        for &envelope in core.members[to as usize].bundles.get(bundle) {
            print = print.writes(message(envelope));
        }
        let touched = core.network.sending_touches(node, to, core.faults.crashes > 0);
        if let Some(queue) = touched {
            print = print.writes(channel(queue));
        }
    }
    for note in core.notes.get(it.notes) {
        // An invocation looks at how far the other clients are; a return moves its own client on.
        print = match note {
            Note::Returned(_) => {
                let own = core.members[node as usize].client.expect("only clients make notes");
                print.writes(CLIENT | u64::from(own))
            }
            Note::Invoked(_) => {
                let clients = 0..core.clients.len() as u64;
                clients.fold(print, |print, client| print.reads(CLIENT | client))
            }
        };
    }
    print
}
