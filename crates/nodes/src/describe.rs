//! States and events of a world in words and trees, for people and trace files.

use crate::component::Status;
use crate::core::Core;
use crate::event::Event;
use crate::fault::Split;
use crate::why_not;
use foresee_lts::{About, Description, History, Label, Member, Pending, Tree, Verb};

/// What stands on the arrow of `event`.
pub(crate) fn label(core: &Core, state: &[u32], event: Event) -> Label {
    let name = |node: u32| core.address(node).name();
    let message = |verb: Verb, envelope: u32| {
        let named = core.envelopes().label(envelope);
        let about = About { name: named.type_name(), ..About::default() };
        Label::message(verb, named.from.name(), named.to.name(), named.what).about(about)
    };
    match event {
        Event::Deliver { envelope, .. } => message(Verb::Deliver, envelope),
        Event::Drop { envelope, .. } => message(Verb::Drop, envelope),
        Event::Duplicate { envelope, .. } => message(Verb::Duplicate, envelope),
        Event::Timer { node, position } => {
            let component = state[core.component_slot(node)];
            let what = timer(core, node, component, position);
            let about = About { name: foresee_node::type_name(&what), ..About::default() };
            Label::of_actor(Verb::Timer, name(node), what).about(about)
        }
        Event::Crash { node } => Label::of_actor(Verb::Crash, name(node), ""),
        Event::Restart { node } => Label::of_actor(Verb::Restart, name(node), ""),
        Event::Partition { way } => {
            Label::of_network(Verb::Partition, sides(core, &core.splits[way as usize]))
        }
        Event::Heal => Label::of_network(Verb::Heal, ""),
        Event::Sync { node } => Label::of_actor(Verb::Sync, name(node), ""),
        Event::Torn { node, n_kept } => {
            let component = state[core.component_slot(node)];
            let n = core.members[node as usize].components.n_unsynced(component);
            let kept = format!("keeping {n_kept} of {n} unsynced writes");
            Label::of_actor(Verb::Crash, name(node), kept)
        }
        Event::LoseDisk { node } => Label::of_actor(Verb::LoseDisk, name(node), ""),
    }
}

/// A pending timer in words: its value, and its bounds if another with the same value but other bounds is pending.
pub(crate) fn timer(core: &Core, node: u32, component: u32, position: u32) -> String {
    let components = &core.members[node as usize].components;
    let (texts, bounds) =
        (components.describe_timers(component), components.timer_bounds(component));
    let (text, (min, max)) = (&texts[position as usize].0, bounds[position as usize]);
    let mut pending = texts.iter().zip(&bounds);
    let has_twin = pending.any(|((other, _), their)| other == text && *their != (min, max));
    if has_twin { format!("{text} after {min:?}..{max:?}") } else { text.clone() }
}

/// `{a} {b c}`: the two sides of a split.
pub(crate) fn sides(core: &Core, split: &Split) -> String {
    let side = |first: bool| {
        let split = split.iter().zip(&core.members);
        let names = split.filter(|(on, _)| **on == first).map(|(_, member)| member.name.name());
        names.collect::<Vec<_>>().join(" ")
    };
    format!("{{{}}} {{{}}}", side(false), side(true))
}

/// The whole state.
pub(crate) fn describe(core: &Core, state: &[u32]) -> Description {
    let mut whole = outline(core, state);
    for (node, member) in (0..).zip(&mut whole.members) {
        (member.inbox, member.timers) = pending_of(core, state, node);
    }
    whole
}

/// The state without what is pending.
pub(crate) fn outline(core: &Core, state: &[u32]) -> Description {
    let members = (0..core.n_nodes() as u32).map(|node| member(core, state, node));
    let mut shared = disks(core, state);
    if let Some(recorder) = &core.recorder {
        for (client, node) in core.clients.iter().enumerate() {
            let history = state[core.history_slot(client as u32)];
            let name = format!("history of {}", core.address(*node));
            shared.push((name, recorder.describe(client, history)));
        }
    }
    if let Some(environment) = core.environment(state) {
        let names = [
            "drops",
            "duplicates",
            "crashes",
            "restarts",
            "partitions",
            "torn writes",
            "lost disks",
        ];
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
    Description {
        members: members.collect(),
        shared,
        faults_left: faults_left(core, state),
        histories: histories(core, state),
    }
}

/// Why nothing can happen in a state: what is pending and cannot happen, and whose operations are not answered.
pub(crate) fn why_stuck(core: &Core, state: &[u32]) -> String {
    let mut unanswered = Vec::new();
    for history in histories(core, state) {
        let open = history.operations.iter().filter(|(_, result)| result.is_none());
        let open =
            open.map(|(what, _)| format!("{} waits for the answer to {what}", history.member));
        unanswered.extend(open);
    }
    let mut held = Vec::new();
    for node in 0..core.n_nodes() as u32 {
        let (messages, timers) = pending_of(core, state, node);
        for item in messages.into_iter().chain(timers) {
            let (Some(label), Some(why)) = (item.label, item.why_not) else { continue };
            let line = format!("{label} cannot happen: {why}");
            if !held.contains(&line) {
                held.push(line);
            }
        }
    }
    let mut first = match held.is_empty() {
        true => "no message is on its way and no timer is set".to_owned(),
        false => "nothing of what is on its way can arrive".to_owned(),
    };
    if !unanswered.is_empty() {
        first = format!("{first}, but {}", unanswered.join(" and "));
    }
    held.truncate(HELD_MAX);
    held.into_iter().fold(first, |text, line| format!("{text}\n{line}"))
}

/// As many pending events are told of.
const HELD_MAX: usize = 20;

/// What is on the disk of each node that has written anything, and what waits for it.
fn disks(core: &Core, state: &[u32]) -> Vec<(String, Tree)> {
    let disks = (0..).zip(&core.members).filter_map(|(node, member)| {
        let tree = member.components.describe_drive(state[core.component_slot(node)])?;
        Some((format!("disk of {}", member.name), tree))
    });
    disks.collect()
}

/// What each client has asked for.
fn histories(core: &Core, state: &[u32]) -> Vec<History> {
    let Some(recorder) = &core.recorder else { return Vec::new() };
    let history = |(client, node): (usize, &u32)| {
        let id = state[core.history_slot(client as u32)];
        let operations = recorder.operations(client, id).into_iter().map(|it| {
            (format!("{:?}", it.operation), it.result.map(|result| format!("{result:?}")))
        });
        History { member: core.address(*node).to_string(), operations: operations.collect() }
    };
    core.clients.iter().enumerate().map(history).collect()
}

/// What is left of each budget that there is.
fn faults_left(core: &Core, state: &[u32]) -> Vec<(Verb, u32)> {
    let Some(environment) = core.environment(state) else { return Vec::new() };
    // A torn write is a crash, and is counted there.
    let verbs = [
        Some(Verb::Drop),
        Some(Verb::Duplicate),
        Some(Verb::Crash),
        Some(Verb::Restart),
        Some(Verb::Partition),
        None,
        Some(Verb::LoseDisk),
    ];
    let left = verbs.into_iter().zip(environment.left).zip(core.faults.budgets());
    let left = left.filter(|(_, budget)| *budget > 0);
    left.filter_map(|((verb, left), _)| Some((verb?, left))).collect()
}

fn member(core: &Core, state: &[u32], node: u32) -> Member {
    let member = &core.members[node as usize];
    let component = state[core.component_slot(node)];
    let status = match member.components.status(component) {
        Status::Up => String::new(),
        Status::Crashed => "crashed".to_owned(),
        Status::Broken { message, .. } => message.clone(),
    };
    Member { status, ..Member::new(member.name.to_string(), member.components.describe(component)) }
}

/// The messages on their way to a node, and its timers.
fn pending_of(core: &Core, state: &[u32], node: u32) -> (Vec<Pending>, Vec<Pending>) {
    let member = &core.members[node as usize];
    let component = state[core.component_slot(node)];
    let moves = why_not::moves(core, state, node);
    let messages = core.inbox(state, node).iter().map(|&id| {
        let route = core.envelopes().route(id);
        let event = Event::Deliver { from: route.from_node, to: node, envelope: id };
        pending(core, state, event, &moves, route.from.name(), core.envelopes().content(id))
    });
    let timers = member.components.describe_timers(component).into_iter().enumerate();
    let timers = timers.map(|(position, (_, content))| {
        let event = Event::Timer { node, position: position as u32 };
        pending(core, state, event, &moves, "", content)
    });
    (messages.collect(), timers.collect())
}

/// A message in flight or a timer, with the event that takes it up.
fn pending(
    core: &Core,
    state: &[u32],
    event: Event,
    moves: &[Event],
    from: &str,
    content: Tree,
) -> Pending {
    let is_enabled = moves.contains(&event) && core.is_allowed(event, core.environment(state));
    Pending {
        action: is_enabled.then(|| event.action()),
        label: Some(label(core, state, event)),
        why_not: (!is_enabled).then(|| why_not::why_not(core, state, event)),
        ..Pending::new(from, content)
    }
}
