//! Which events a label means, found without putting all others into words and without calling their handlers.
//! Why: a recorded run may have hundreds of thousands of steps, with messages in flight that nobody takes any more. Asking at
//! each step what could happen would call a handler for each of them in each state, and remember the answer.
//! Invariant: the same actions as those of `enabled` whose label is this one, in the same order.

use crate::core::Core;
use crate::event::Event;
use crate::{describe, races};
use foresee_lts::{Action, Label, Verb};
use foresee_stdx::stable_hash;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

/// Hashes of what messages say on labels, by envelope: each is put into words once, however long it is in flight.
#[derive(Default)]
pub(crate) struct Said(Mutex<FxHashMap<u32, u64>>);

/// Appends what can happen in `state` and has this label, places apart.
pub(crate) fn enabled(core: &Core, state: &[u32], label: &Label, actions: &mut Vec<Action>) {
    let has_label = |event: Event| describe::label(core, state, event).same_but_for_place(label);
    if core.marks_deliveries() {
        let mut all = Vec::new();
        races::enabled(core, state, &mut all);
        return actions.extend(all.into_iter().filter(|action| has_label(Event::of(*action))));
    }
    if core.fault(state).is_some() {
        return;
    }
    let environment = core.environment(state);
    let Some(name) = label.to.as_deref() else {
        let network = core.network_events().filter(|event| core.is_allowed(*event, environment));
        return actions.extend(network.filter(|event| has_label(*event)).map(Event::action));
    };
    let payload = stable_hash(&label.payload);
    for node in (0..core.n_nodes() as u32).filter(|node| core.address(*node).name() == name) {
        let component = state[core.component_slot(node)];
        let mut events = core.events_of(node, component, state[core.inbox_slot(node)]);
        events.retain(|&event| {
            may_mean(core, state, label, payload, event)
                && has_label(event)
                && !core.is_skipped(node, component, event)
                && core.is_allowed(event, environment)
        });
        actions.extend(events.into_iter().map(Event::action));
    }
}

/// Whether verb and sender are those of the label, and a message's words have the hash of its payload.
fn may_mean(core: &Core, state: &[u32], label: &Label, payload: u64, event: Event) -> bool {
    let message = |verb: Verb, from: u32, envelope: u32| {
        label.verb == verb
            && label.from.as_deref() == Some(core.address(from).name())
            && said(core, state, envelope, event) == payload
    };
    match event {
        Event::Deliver { from, envelope, .. } => message(Verb::Deliver, from, envelope),
        Event::Drop { from, envelope, .. } => message(Verb::Drop, from, envelope),
        Event::Duplicate { from, envelope, .. } => message(Verb::Duplicate, from, envelope),
        Event::Timer { .. } => label.verb.written() == Verb::Timer,
        Event::Crash { .. } | Event::Torn { .. } => label.verb == Verb::Crash,
        Event::Restart { .. } => label.verb == Verb::Restart,
        Event::Partition { .. } => label.verb == Verb::Partition,
        Event::Heal => label.verb == Verb::Heal,
        Event::Sync { .. } => label.verb == Verb::Sync,
        Event::LoseDisk { .. } => label.verb == Verb::LoseDisk,
    }
}

/// The hash of what stands on the labels of `event`, which is about `envelope`.
fn said(core: &Core, state: &[u32], envelope: u32, event: Event) -> u64 {
    if let Some(&known) = core.said.0.lock().get(&envelope) {
        return known;
    }
    // Not under the lock: the words are the user's code.
    let hash = stable_hash(&describe::label(core, state, event).payload);
    core.said.0.lock().insert(envelope, hash);
    hash
}
