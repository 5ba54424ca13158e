//! Why something pending cannot happen now, in the user's words.
//! A message waits because its receiver is down or would ignore it, its link is cut, or an older message goes first; a timer
//! waits for one that was set earlier and must fire first. The rules are those of `moves`, `network` and `timers`; here they
//! are only told.

use crate::component::Status;
use crate::core::Core;
use crate::describe;
use crate::event::Event;
use crate::network::Queue;

/// What can happen to a node as far as it and its inbox decide; nothing in a broken world.
pub(crate) fn moves(core: &Core, state: &[u32], node: u32) -> Vec<Event> {
    if core.fault(state).is_some() {
        return Vec::new();
    }
    let (component, inbox) = (state[core.component_slot(node)], state[core.inbox_slot(node)]);
    core.moving_events(node, component, inbox)
}

/// Why an event about something pending, which is not enabled, is not.
pub(crate) fn why_not(core: &Core, state: &[u32], event: Event) -> String {
    if let Some(fault) = core.fault(state) {
        return format!("nothing happens any more: {}", fault.message);
    }
    match event {
        Event::Timer { node, position } => why_not_fire(core, state, node, position),
        Event::Deliver { from, to, envelope } => why_not_deliver(core, state, from, to, envelope),
        _ => String::new(),
    }
}

fn why_not_deliver(core: &Core, state: &[u32], from: u32, to: u32, envelope: u32) -> String {
    let (sender, receiver) = (core.address(from), core.address(to));
    let status = core.members[to as usize].components.status(state[core.component_slot(to)]);
    if *status == Status::Crashed {
        return format!("{receiver} has crashed");
    }
    if core.is_split(core.environment(state).and_then(|it| it.split), from, to) {
        return format!("the link from {sender} to {receiver} is cut");
    }
    match core.network.queue(from, to).and_then(|queue| first_of(core, state, queue, to)) {
        Some(first) if first != envelope => {
            let first = core.envelopes().label(first);
            format!("an earlier message of {} must arrive first: {}", first.from, first.what)
        }
        _ => format!("{receiver} would ignore it now, so it waits"),
    }
}

/// The oldest message of a queue.
fn first_of(core: &Core, state: &[u32], queue: Queue, to: u32) -> Option<u32> {
    let queue_of = |id: u32| core.network.queue(core.envelopes().sender(id), to);
    core.inbox(state, to).iter().copied().find(|id| queue_of(*id) == Some(queue))
}

fn why_not_fire(core: &Core, state: &[u32], node: u32, position: u32) -> String {
    let component = state[core.component_slot(node)];
    let bounds = core.members[node as usize].components.timer_bounds(component);
    let (own_min, own_max) = bounds[position as usize];
    let name = |at: usize| describe::timer(core, node, component, at as u32);
    let must_fire_first = |at: &usize| {
        let (min, max) = bounds[*at];
        let is_equal = (min, max) == (own_min, own_max) && name(*at) == name(position as usize);
        max <= own_min || is_equal
    };
    match (0..position as usize).find(must_fire_first) {
        Some(at) => {
            let (name, max) = (name(at), bounds[at].1);
            format!("an earlier {name} of at most {max:?} must fire first")
        }
        None => "it cannot fire now".to_owned(),
    }
}
