//! Sending, links, exits and flags.

use super::{Builtin, Outcome, arg, truth, visible};
use crate::events::footprint::{Touched, nothing};
use crate::machine::Raise;
use crate::term::{Map, Pid, Term};
use crate::world::component::{Alias, AliasEnds, Signal};
use crate::world::edit::Edit;
use crate::world::signal::exit_message;
use crate::world::step::Step;
use crate::world::system_processes;

pub(super) const TABLE: &[Builtin] = &[
    visible("erlang", "!", 2, send, touches_send),
    visible("erlang", "send", 2, send, touches_send),
    visible("erlang", "send", 3, send_with_options, touches_send),
    visible("erlang", "send_nosuspend", 2, send_nosuspend, touches_send),
    visible("erlang", "link", 1, link, touches_link),
    visible("erlang", "unlink", 1, unlink, touches_unlink),
    visible("erlang", "exit", 2, exit, nothing),
    visible("erlang", "process_flag", 2, process_flag, touches_flag),
    visible("erlang", "group_leader", 2, group_leader, touches_leader),
    visible("erlang", "alias", 0, alias, nothing),
    visible("erlang", "alias", 1, alias, nothing),
    visible("erlang", "unalias", 1, unalias, touches_unalias),
    visible("erlang", "is_process_alive", 1, is_process_alive, touches_life),
];

/// What a name stands for is looked up; a pid is not, and what arrives is noted where it does.
pub(super) fn touches_send(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touches_name(&args[0], touched);
}

/// A destination by name.
pub(super) fn touches_name(destination: &Term, touched: &mut Touched) {
    match (destination, destination.as_tuple()) {
        (Term::Atom(name), _) | (_, Some([Term::Atom(name), _])) => touched.reads_name(*name),
        _ => {}
    }
}

fn touches_life(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(pid) = args[0].as_pid() {
        touched.reads_life(pid);
    }
}

fn touches_link(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(pid) = args[0].as_pid().filter(|pid| *pid != step.caller) {
        touched.reads_life(pid);
        let is_alive = step.is_alive(pid);
        if !is_alive {
            touched.reads_presence_of(pid);
        }
        if is_alive || step.is_dying(pid) && !step.core.instant_delivery {
            touched.puts_link(step.caller, pid, true);
        }
    }
}

fn touches_unlink(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(pid) = args[0].as_pid() {
        touched.puts_link(step.caller, pid, false);
    }
}

fn touches_flag(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let old = step.traps(step.caller) == Some(true);
    if args[0].is_atom(atom!("trap_exit")) && args[1].as_bool() != Some(old) {
        touched.writes_trap(step.caller);
    }
}

/// Who it is for may ask for its group leader at any time.
fn touches_leader(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(pid) = args[1].as_pid() {
        touched.reads_life(pid);
        if pid != step.caller {
            touched.diverts(pid, &args[0]);
        }
    }
}

fn touches_unalias(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(reference) = args[0].as_reference() {
        touched.writes_alias(reference);
    }
}

/// Sends; `badarg` for a name that nobody has.
pub(super) fn post(step: &mut Step<'_>, to: &Term, message: &Term) -> Result<(), Raise> {
    let from = step.caller;
    match to {
        Term::Ref(..) => {
            let reference = arg(to.as_reference())?;
            let signal = Signal::AliasMessage(reference, message.clone());
            step.signal(from, reference.owner, signal);
        }
        Term::Tuple(pair) if pair.items().len() == 2 => {
            // To a name on a node: nobody there is no error.
            arg(pair.items()[0].as_atom().and(pair.items()[1].as_atom()))?;
            super::trouble::on_this_node(to)?;
            match step.pid_of(to) {
                Some(pid) => return send_to(step, pid, message),
                None => return Ok(()),
            }
        }
        _ => {
            let pid = arg(step.pid_of(to))?;
            return send_to(step, pid, message);
        }
    }
    Ok(())
}

/// A message to a process of the program or of the system.
pub(super) fn send_to(step: &mut Step<'_>, to: Pid, message: &Term) -> Result<(), Raise> {
    if to.is_system() {
        return step.tell_system(to, message);
    }
    step.signal(step.caller, to, Signal::Message(message.clone()));
    Ok(())
}

fn send(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    post(step, &args[0], &args[1])?;
    Ok(args[1].clone())
}

fn send_with_options(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let is_known = |option: &Term| {
        option.as_atom().is_some_and(|it| matches!(it.text(), "nosuspend" | "noconnect"))
    };
    arg(arg(args[2].to_vec())?.iter().all(is_known).then_some(()))?;
    post(step, &args[0], &args[1])?;
    Ok(a!("ok"))
}

fn send_nosuspend(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    post(step, &args[0], &args[1])?;
    truth(true)
}

fn link(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let other = arg(args[0].as_pid())?;
    system_processes::refuse("a link to", other)?;
    let own = step.caller;
    if other == own {
        return truth(true);
    }
    if step.is_alive(other) {
        step.link(own, other);
        return truth(true);
    }
    if step.has_told_of_crash(other) {
        return truth(true);
    }
    if step.is_dying(other) {
        step.link_to_dying(own, other);
        return truth(true);
    }
    if step.traps(own) == Some(true) {
        step.deliver(other, own, exit_message(other, a!("noproc")));
        return truth(true);
    }
    Err(Raise::error(a!("noproc")))
}

fn unlink(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let other = arg(args[0].as_pid())?;
    step.unlink(step.caller, other);
    truth(true)
}

fn exit(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let to = arg(args[0].as_pid())?;
    system_processes::refuse("an exit signal to", to)?;
    step.signal(step.caller, to, Signal::Exit(args[1].clone()));
    truth(true)
}

fn process_flag(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let flag = arg(args[0].as_atom())?;
    let own = step.caller;
    if flag == atom!("trap_exit") {
        let value = arg(args[1].as_bool())?;
        let inbox = arg(step.inbox_mut(own))?;
        return truth(std::mem::replace(&mut inbox.trap_exit, value));
    }
    let default = default_flag(flag.text()).ok_or_else(Raise::badarg)?;
    let process = arg(step.process_mut(own))?;
    let old = process.flags.get(&args[0]).cloned().unwrap_or(default);
    let new = arg(flag_value(flag.text(), &args[1], &old))?;
    let mut flags: Map = process.flags.clone();
    flags.insert(args[0].clone(), new);
    process.flags = flags;
    Ok(old)
}

/// What a flag of a new process is.
pub(super) fn default_flag(flag: &str) -> Option<Term> {
    Some(match flag {
        "priority" => a!("normal"),
        "message_queue_data" => a!("on_heap"),
        "sensitive" | "async_dist" => a!("false"),
        "save_calls" => Term::Int(0),
        "min_heap_size" => Term::Int(233),
        "min_bin_vheap_size" => Term::Int(46_422),
        "fullsweep_after" => Term::Int(65_535),
        "max_heap_size" => Term::map(Map::from_pairs([
            (a!("size"), Term::Int(0)),
            (a!("kill"), a!("true")),
            (a!("error_logger"), a!("true")),
        ])),
        "error_handler" => a!("error_handler"),
        _ => return None,
    })
}

/// What a flag becomes when it is set; nothing if it cannot be set to that.
pub(super) fn flag_value(flag: &str, value: &Term, old: &Term) -> Option<Term> {
    let one_of = |names: &[&str]| value.as_atom().is_some_and(|atom| names.contains(&atom.text()));
    let is_valid = match flag {
        "priority" => one_of(&["low", "normal", "high", "max"]),
        "message_queue_data" => one_of(&["on_heap", "off_heap"]),
        "sensitive" | "async_dist" => value.as_bool().is_some(),
        "save_calls" => value.as_int().is_some_and(|n| (0..=10_000).contains(&n)),
        "error_handler" => value.as_atom().is_some(),
        "max_heap_size" => {
            let mut limits = (**old.as_map()?).clone();
            match value {
                Term::Map(given) => {
                    given.get(&a!("size"))?;
                    for (key, value) in given.entries() {
                        limits.insert(key.clone(), value.clone());
                    }
                }
                _ => limits.insert(a!("size"), Term::Int(i64::try_from(value.as_usize()?).ok()?)),
            }
            return Some(Term::map(limits));
        }
        "min_heap_size" | "min_bin_vheap_size" => {
            let floor = default_flag(flag)?.as_usize()?;
            return Some(Term::Int(heap_size(value.as_usize()?.max(floor))?));
        }
        _ => value.as_usize().is_some(),
    };
    is_valid.then(|| value.clone())
}

/// The least size of a heap that holds so many words. Each is the sum of the two before it and one, and from the 23rd on a fifth more
/// than the one before.
fn heap_size(words: usize) -> Option<i64> {
    let (mut before, mut size) = (12_usize, 38);
    for n in 2.. {
        if size >= words {
            break;
        }
        let next = if n < 23 { before.checked_add(size)? + 1 } else { size.checked_add(size / 5)? };
        (before, size) = (size, next);
    }
    i64::try_from(size).ok()
}

fn group_leader(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (leader, pid) = (arg(args[0].as_pid())?, arg(args[1].as_pid())?);
    arg(step.is_alive(pid).then_some(()))?;
    system_processes::refuse("another group leader for", pid)?;
    if let Some(process) = step.process_mut(pid) {
        process.group_leader = leader;
    }
    truth(true)
}

fn alias(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let mut ends = AliasEnds::Explicitly;
    for option in args.first().map_or(Some(Vec::new()), Term::to_vec).ok_or_else(Raise::badarg)? {
        ends = match option.as_atom().map(crate::term::Atom::text) {
            Some("reply") => AliasEnds::WithReply,
            Some("explicit_unalias") => AliasEnds::Explicitly,
            _ => return Err(Raise::badarg()),
        };
    }
    let reference = step.new_reference();
    step.edit(step.caller, Edit::Alias(Alias { reference, ends }));
    Ok(Term::reference(reference))
}

fn unalias(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let reference = arg(args[0].as_reference())?;
    let inbox = arg(step.inbox_mut(step.caller))?;
    let before = inbox.aliases.len();
    inbox.aliases.retain(|alias| alias.reference != reference);
    truth(inbox.aliases.len() < before)
}

fn is_process_alive(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let pid = arg(args[0].as_pid())?;
    truth(step.is_alive(pid))
}
