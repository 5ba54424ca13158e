//! States and events of a world in words and trees, for people and trace files.

use crate::component::Status;
use crate::core::Core;
use crate::event::Event;
use crate::fault::Split;
use crate::{Data, tree_of};
use foresee_lts::{Action, Description, Label, Member, Pending, Tree, Verb};

/// What stands on the arrow of `event`.
pub(crate) fn label<M: Data>(core: &Core<M>, state: &[u32], event: Event) -> Label {
    let name = |node: u32| core.address(node).name();
    let message = |verb: Verb, envelope: u32| {
        let envelope = core.envelopes.get(envelope);
        let payload = format!("{:?}", envelope.message);
        Label::message(verb, envelope.from.name(), envelope.to.name(), payload)
    };
    match event {
        Event::Deliver { envelope, .. } => message(Verb::Deliver, envelope),
        Event::Drop { envelope, .. } => message(Verb::Drop, envelope),
        Event::Duplicate { envelope, .. } => message(Verb::Duplicate, envelope),
        Event::Timer { node, position } => {
            let component = state[core.component_slot(node)];
            Label::of_actor(Verb::Timer, name(node), timer(core, node, component, position))
        }
        Event::Crash { node } => Label::of_actor(Verb::Crash, name(node), ""),
        Event::Restart { node } => Label::of_actor(Verb::Restart, name(node), ""),
        Event::Partition { way } => {
            Label::of_network(Verb::Partition, sides(core, &core.splits[way as usize]))
        }
        Event::Heal => Label::of_network(Verb::Heal, ""),
    }
}

/// A pending timer in words: its value, and its bounds if another with the same value but other bounds is pending.
fn timer<M: Data>(core: &Core<M>, node: u32, component: u32, position: u32) -> String {
    let components = &core.members[node as usize].components;
    let (texts, bounds) =
        (components.describe_timers(component), components.timer_bounds(component));
    let (text, (min, max)) = (&texts[position as usize].0, bounds[position as usize]);
    let mut pending = texts.iter().zip(&bounds);
    let has_twin = pending.any(|((other, _), their)| other == text && *their != (min, max));
    if has_twin { format!("{text} after {min:?}..{max:?}") } else { text.clone() }
}

/// `{a} {b c}`: the two sides of a split.
pub(crate) fn sides<M: Data>(core: &Core<M>, split: &Split) -> String {
    let side = |first: bool| {
        let split = split.iter().zip(&core.members);
        let names = split.filter(|(on, _)| **on == first).map(|(_, member)| member.name.name());
        names.collect::<Vec<_>>().join(" ")
    };
    format!("{{{}}} {{{}}}", side(false), side(true))
}

/// The whole state.
pub(crate) fn describe<M: Data>(core: &Core<M>, state: &[u32]) -> Description {
    let members = (0..core.n_nodes() as u32).map(|node| member(core, state, node));
    let mut shared = Vec::new();
    if let Some(recorder) = &core.recorder {
        for (client, node) in core.clients.iter().enumerate() {
            let history = state[core.history_slot(client as u32)];
            let name = format!("history of {}", core.address(*node));
            shared.push((name, recorder.describe(client, history)));
        }
    }
    if let Some(environment) = core.environment(state) {
        let names = ["drops", "duplicates", "crashes", "restarts", "partitions"];
        let left = names.iter().zip(environment.left).zip(core.faults.budgets());
        let left = left.filter(|(_, budget)| *budget > 0);
        let fields =
            left.map(|((name, left), _)| ((*name).to_owned(), Tree::leaf(left.to_string())));
        let fields = fields.collect();
        shared.push(("faults left".to_owned(), Tree::Record { name: String::new(), fields }));
        if let Some(way) = environment.split {
            shared.push((
                "partition".to_owned(),
                Tree::leaf(sides(core, &core.splits[way as usize])),
            ));
        }
    }
    Description { members: members.collect(), shared }
}

fn member<M: Data>(core: &Core<M>, state: &[u32], node: u32) -> Member {
    let member = &core.members[node as usize];
    let (component, inbox) = (state[core.component_slot(node)], state[core.inbox_slot(node)]);
    let status = match member.components.status(component) {
        Status::Up => String::new(),
        Status::Crashed => "crashed".to_owned(),
        Status::Broken { message, .. } => message.clone(),
    };
    // The events of a broken world are not enabled, whatever the inboxes hold.
    let moves = match core.fault(state) {
        None => core.moves_of(node, component, inbox),
        Some(_) => Vec::new(),
    };
    let environment = core.environment(state);
    let action = |event: Event| -> Option<Action> {
        let mut events = moves.iter().map(|it| it.event);
        let is_enabled = events.any(|it| it == event) && core.is_allowed(event, environment);
        is_enabled.then(|| event.action())
    };
    let messages = core.inbox(state, node).iter().map(|&id| {
        let envelope = core.envelopes.get(id);
        let event = Event::Deliver { from: envelope.from_node, to: node, envelope: id };
        let (from, content) = (envelope.from.to_string(), tree_of(&envelope.message));
        Pending { from, content, action: action(event) }
    });
    let timers = member.components.describe_timers(component).into_iter().enumerate();
    let timers = timers.map(|(position, (_, content))| {
        let event = Event::Timer { node, position: position as u32 };
        Pending { from: String::new(), content, action: action(event) }
    });
    Member {
        name: member.name.to_string(),
        status,
        state: member.components.describe(component),
        inbox: messages.collect(),
        timers: timers.collect(),
    }
}
