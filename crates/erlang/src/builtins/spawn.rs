//! Making processes.

use super::foresee::child_key;
use super::process::{default_flag, flag_value};
use super::{Builtin, Outcome, arg, pure, visible};
use crate::events::footprint::nothing;
use crate::machine::{Local, Raise};
use crate::tell::stuck::Gap;
use crate::term::{Map, Pid, Reference, Term};
use crate::world::annotation::name_of_id;
use crate::world::running::Start;
use crate::world::step::{Event, Step};

pub(super) const TABLE: &[Builtin] = &[
    visible("erlang", "spawn", 1, spawn, nothing),
    visible("erlang", "spawn", 2, spawn_on_node, nothing),
    visible("erlang", "spawn", 3, spawn, nothing),
    visible("erlang", "spawn", 4, spawn_on_node, nothing),
    visible("erlang", "spawn_link", 1, spawn_link, nothing),
    visible("erlang", "spawn_link", 2, spawn_link_on_node, nothing),
    visible("erlang", "spawn_link", 3, spawn_link, nothing),
    visible("erlang", "spawn_link", 4, spawn_link_on_node, nothing),
    visible("erlang", "spawn_monitor", 1, spawn_monitor, nothing),
    visible("erlang", "spawn_monitor", 3, spawn_monitor, nothing),
    visible("erlang", "spawn_opt", 2, spawn_opt, nothing),
    visible("erlang", "spawn_opt", 4, spawn_opt, nothing),
    visible("erlang", "spawn_request", 1, spawn_request, nothing),
    visible("erlang", "spawn_request", 2, spawn_request, nothing),
    visible("erlang", "spawn_request", 3, spawn_request, nothing),
    visible("erlang", "spawn_request", 4, spawn_request, nothing),
    pure("erlang", "spawn_request_abandon", 1, spawn_request_abandon),
];

fn next_child(step: &Step<'_>) -> Pid {
    let n_children = step.process(step.caller).map_or(0, |process| process.n_children);
    step.caller.child(n_children + 1)
}

/// What to start: a fun, or module, function and arguments.
fn start_of(args: &[Term]) -> Result<Start, Raise> {
    match args {
        [fun @ Term::Fun(_)] => Ok(Start::Fun(fun.clone())),
        [Term::Atom(module), Term::Atom(name), arguments] => Ok(Start::Function {
            module: *module,
            name: *name,
            arguments: arg(arguments.to_vec())?,
        }),
        _ => Err(Raise::badarg()),
    }
}

#[derive(Default)]
pub(super) struct Options {
    link: bool,
    monitor: bool,
    tag: Option<Term>,
    reply_tag: Option<Term>,
    reply: bool,
    /// What `process_flag` would set, and `process_info` tells.
    flags: Vec<(Term, Term)>,
    /// It will say itself when it has started.
    pub(super) acknowledges: bool,
    pub(super) is_supervisor: bool,
}

pub(super) fn options_of(options: &Term) -> Result<Options, Raise> {
    let mut result = Options { reply: true, ..Options::default() };
    for option in arg(options.to_vec())? {
        match (option.as_atom(), option.as_tuple()) {
            (Some(atom), _) if atom.text() == "link" => result.link = true,
            (Some(atom), _) if atom.text() == "monitor" => result.monitor = true,
            (_, Some([Term::Atom(name), value])) => match name.text() {
                "monitor" => {
                    result.monitor = true;
                    for inner in arg(value.to_vec())? {
                        if let Some([Term::Atom(kind), tag]) = inner.as_tuple()
                            && kind.text() == "tag"
                        {
                            result.tag = Some(tag.clone());
                        }
                    }
                }
                "reply_tag" => result.reply_tag = Some(value.clone()),
                "reply" => {
                    result.reply = matches!(
                        value.as_atom().map(crate::term::Atom::text),
                        Some("yes" | "success_only")
                    );
                }
                flag @ ("priority" | "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size"
                | "max_heap_size" | "message_queue_data" | "async_dist") => {
                    let default = arg(default_flag(flag))?;
                    let value = arg(flag_value(flag, value, &default))?;
                    if value != default {
                        result.flags.push((Term::Atom(*name), value));
                    }
                }
                // Which scheduler it is bound to nobody can tell.
                "scheduler" if value.as_usize().is_some() => {}
                _ => return Err(Raise::badarg()),
            },
            _ => return Err(Raise::badarg()),
        }
    }
    Ok(result)
}

/// Starts a child; with a reference if it is monitored.
pub(super) fn make(
    step: &mut Step<'_>,
    start: Start,
    options: &Options,
) -> (Pid, Option<Reference>) {
    let parent = step.caller;
    let child = next_child(step);
    let (group_leader, child_id) = match step.process_mut(parent) {
        Some(process) => {
            process.n_children += 1;
            (process.group_leader, process.dictionary.remove(&child_key()))
        }
        None => (Pid::system("user"), None),
    };
    let reference = options.monitor.then(|| step.new_reference());
    step.events.push(Event::Spawned { parent, child });
    step.start(child, group_leader, start);
    if !options.flags.is_empty()
        && let Some(process) = step.process_mut(child)
    {
        process.flags = Map::from_pairs(options.flags.iter().cloned());
    }
    if (child_id.is_some() || options.is_supervisor)
        && let Some(process) = step.process_mut(child)
    {
        process.mark.is_child = child_id.is_some();
        process.mark.known_as = child_id.as_ref().and_then(name_of_id);
        process.mark.is_supervisor = options.is_supervisor;
    }
    if !options.acknowledges {
        step.consider_victim(child);
    }
    if options.link {
        step.touched.changes_links(parent);
        step.link(parent, child);
    }
    if let Some(reference) = reference {
        let tag = options.tag.clone().unwrap_or(a!("DOWN"));
        step.monitor(parent, Some(child), Term::Pid(child), tag, reference);
    }
    (child, reference)
}

pub(super) fn result((child, reference): (Pid, Option<Reference>)) -> Term {
    match reference {
        Some(reference) => Term::tuple([Term::Pid(child), Term::reference(reference)]),
        None => Term::Pid(child),
    }
}

fn spawn(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(result(make(step, start_of(args)?, &Options::default())))
}

fn spawn_on_node(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    on_this_node(args)?;
    spawn(step, &args[1..])
}

fn spawn_link_on_node(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    on_this_node(args)?;
    spawn_link(step, &args[1..])
}

fn on_this_node(args: &[Term]) -> Result<(), Raise> {
    if args[0].is_atom(atom!("nonode@nohost")) {
        return Ok(());
    }
    Err(Raise::Unmodelled(Gap::OtherNode(format!("a process on node {}", args[0]))))
}

fn spawn_link(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let options = Options { link: true, ..Options::default() };
    Ok(result(make(step, start_of(args)?, &options)))
}

fn spawn_monitor(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let options = Options { monitor: true, ..Options::default() };
    Ok(result(make(step, start_of(args)?, &options)))
}

fn spawn_opt(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (options, rest) = arg(args.split_last())?;
    let options = options_of(options)?;
    Ok(result(make(step, start_of(rest)?, &options)))
}

/// A request has been answered when it is made, so there is never one to give up.
fn spawn_request_abandon(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[0].as_reference())?;
    Ok(a!("false"))
}

/// Asks for a process and gets the answer as a message.
fn spawn_request(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let has_options = matches!(args.len(), 2 | 4);
    let (options, rest) = match args.split_last() {
        Some((options, rest)) if has_options => (options_of(options)?, rest),
        _ => (Options { reply: true, ..Options::default() }, args),
    };
    let (child, reference) = make(step, start_of(rest)?, &options);
    let reference = reference.unwrap_or_else(|| step.new_reference());
    if options.reply {
        let tag = options.reply_tag.unwrap_or(a!("spawn_reply"));
        let message = Term::tuple([tag, Term::reference(reference), a!("ok"), Term::Pid(child)]);
        step.deliver(child, step.caller, message);
    }
    Ok(Term::reference(reference))
}
