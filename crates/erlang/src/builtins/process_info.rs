//! Looking at processes.

use super::{Builtin, Outcome, arg, visible};
use crate::events::footprint::Touched;
use crate::machine::Raise;
use crate::term::{Pid, Term};
use crate::world::component::{Control, Monitor};
use crate::world::step::Step;
use crate::world::system_processes;

pub(super) const TABLE: &[Builtin] = &[
    visible("erlang", "process_info", 1, all_info, touches_info),
    visible("erlang", "process_info", 2, info, touches_info),
    visible("proc_lib", "foresee_dictionary", 1, dictionary, touches_dictionary),
    visible("erlang", "processes", 0, processes, |_, _, touched| touched.reads_all_processes()),
];

fn touches_info(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(pid) = args[0].as_pid() else { return };
    touched.reads_life(pid);
    // Of the dead nothing is told, whatever they still have to leave.
    if !step.is_alive(pid) || pid.is_system() {
        return;
    }
    let items = match args.get(1) {
        Some(items) => items.to_vec().unwrap_or_else(|| vec![items.clone()]),
        None => ITEMS.iter().chain(&["registered_name"]).map(|item| Term::atom(item)).collect(),
    };
    for item in &items {
        touches_item(step, pid, item, touched);
    }
}

fn touches_item(step: &Step<'_>, pid: Pid, item: &Term, touched: &mut Touched) {
    match item.as_atom().map_or("", crate::term::Atom::text) {
        "registered_name" => touched.reads_name_of(pid),
        "message_queue_len" => touched.reads_mailbox(pid),
        "messages" => touched.reads_order(pid),
        "links" => {
            touched.reads_links(pid);
            // Only the living are shown.
            let links = step.inbox(pid).map_or(&[][..], |inbox| &inbox.links);
            links.iter().for_each(|other| touched.reads_life(*other));
        }
        "monitored_by" => {
            touched.reads_relations(pid);
            let watchers = step.inbox(pid).map_or(&[][..], |inbox| &inbox.watchers);
            watchers.iter().for_each(|watcher| touched.reads_life(watcher.pid));
        }
        "monitors" => touched.reads_relations(pid),
        "trap_exit" => touched.reads_trap(pid),
        "initial_call" | "memory" | "heap_size" | "stack_size" | "total_heap_size"
        | "reductions" => {}
        // It may set these flags itself.
        "message_queue_data" | "min_heap_size" | "min_bin_vheap_size" | "fullsweep_after"
        | "error_handler" => touched.reads_run(pid),
        name if fixed(name).is_some() => {}
        // The others change with what the process does.
        _ => touched.reads_run(pid),
    }
}

fn processes(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    let system = system_processes::all().map(|(_, pid)| pid);
    Ok(Term::list(system.chain(step.processes()).map(Term::Pid).collect::<Vec<_>>()))
}

/// What is the same for every process: limits and accounts that mean nothing here.
fn fixed(item: &str) -> Option<Term> {
    Some(match item {
        "error_handler" => a!("error_handler"),
        "message_queue_data" => a!("on_heap"),
        "async_dist" | "last_calls" => a!("false"),
        "suspending" | "sequential_trace_token" | "binary" => Term::Nil,
        "catchlevel" | "trace" => Term::Int(0),
        "min_heap_size" => Term::Int(233),
        "min_bin_vheap_size" => Term::Int(46_422),
        "fullsweep_after" => Term::Int(65_535),
        "garbage_collection" => {
            let entry = |name: &str, n: i64| Term::tuple([Term::atom(name), Term::Int(n)]);
            Term::list([
                entry("min_bin_vheap_size", 46_422),
                entry("min_heap_size", 233),
                entry("fullsweep_after", 65_535),
                entry("minor_gcs", 0),
            ])
        }
        _ => return None,
    })
}

const ITEMS: [&str; 16] = [
    "current_function",
    "initial_call",
    "status",
    "message_queue_len",
    "links",
    "dictionary",
    "trap_exit",
    "error_handler",
    "priority",
    "group_leader",
    "total_heap_size",
    "heap_size",
    "stack_size",
    "reductions",
    "garbage_collection",
    "suspending",
];

/// For `proc_lib`, which looks at nothing else: so a program that only has it in its libraries does not look at mailboxes.
fn dictionary(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let pid = arg(args[0].as_pid())?;
    if !step.is_alive(pid) {
        return Ok(a!("undefined"));
    }
    let item = a!("dictionary");
    Ok(Term::tuple([item.clone(), one(step, pid, &item)?]))
}

fn touches_dictionary(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(pid) = args[0].as_pid() else { return };
    touched.reads_life(pid);
    if step.is_alive(pid) {
        touches_item(step, pid, &a!("dictionary"), touched);
    }
}

/// Events say what they do to mailboxes and monitors only if the program names `process_info` somewhere.
fn is_expected(step: &Step<'_>) -> Result<(), Raise> {
    let what = "process_info, called by a name that is put together at run time";
    step.core.watches_mailboxes.then_some(()).ok_or_else(|| Raise::unmodelled(what.to_owned()))
}

/// Deliveries say in which order they come only if the program names `messages` somewhere.
fn is_order_expected(step: &Step<'_>, items: &Term) -> Result<(), Raise> {
    let is_messages = |item: &Term| item.is_atom(atom!("messages"));
    let is_asked = is_messages(items) || items.cells().any(is_messages);
    let what = "process_info of messages, an item that is put together at run time";
    (step.core.watches_order || !is_asked)
        .then_some(())
        .ok_or_else(|| Raise::unmodelled(what.to_owned()))
}

fn all_info(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    is_expected(step)?;
    let pid = arg(args[0].as_pid())?;
    if !step.is_alive(pid) {
        return Ok(a!("undefined"));
    }
    let mut entries = Vec::new();
    if let Some(name) = step.shared().name_of(pid) {
        entries.push(Term::tuple([a!("registered_name"), Term::Atom(name)]));
    }
    for item in ITEMS {
        let item = Term::atom(item);
        entries.push(Term::tuple([item.clone(), one(step, pid, &item)?]));
    }
    Ok(Term::list(entries))
}

/// An item that the OTP we follow does not have yet.
const SINCE_25_3: &str = "async_dist";

/// Whether there is such an item; what is wrong is so of the dead, too.
fn is_item(item: &Term) -> bool {
    const MORE: [&str; 8] = [
        "registered_name",
        "messages",
        "monitors",
        "monitored_by",
        "current_stacktrace",
        "memory",
        "current_location",
        "garbage_collection_info",
    ];
    match item.as_atom() {
        Some(atom) => {
            ITEMS.contains(&atom.text())
                || MORE.contains(&atom.text())
                || fixed(atom.text()).is_some() && atom.text() != SINCE_25_3
        }
        None => {
            matches!(item.as_tuple(), Some([Term::Atom(kind), _]) if kind.text() == "dictionary")
        }
    }
}

fn info(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    is_expected(step)?;
    let pid = arg(args[0].as_pid())?;
    let are_items = match args[1].to_vec() {
        Some(items) => items.iter().all(is_item),
        None => is_item(&args[1]),
    };
    arg(are_items.then_some(()))?;
    is_order_expected(step, &args[1])?;
    if !step.is_alive(pid) {
        return Ok(a!("undefined"));
    }
    if let Some(items) = args[1].to_vec() {
        let entries: Result<Vec<Term>, Raise> = items
            .iter()
            .map(|item| Ok(Term::tuple([item.clone(), one(step, pid, item)?])))
            .collect();
        return Ok(Term::list(entries?));
    }
    let value = one(step, pid, &args[1])?;
    // A process without a name has no such entry at all.
    if args[1].is_atom(atom!("registered_name")) && matches!(value, Term::Nil) {
        return Ok(Term::Nil);
    }
    Ok(Term::tuple([args[1].clone(), value]))
}

fn one(step: &Step<'_>, pid: Pid, item: &Term) -> Outcome {
    if pid.is_system() {
        return system_processes::info(pid, item);
    }
    let process = arg(step.process(pid))?;
    let inbox = step.inbox(pid);
    let pids = |pids: Vec<Pid>| {
        let alive = pids.into_iter().filter(|pid| step.is_alive(*pid));
        Term::list(alive.map(Term::Pid).collect::<Vec<_>>())
    };
    let mfa = |(module, name, arity): (crate::term::Atom, crate::term::Atom, u32)| {
        Term::tuple([Term::Atom(module), Term::Atom(name), Term::Int(i64::from(arity))])
    };
    if let Some([Term::Atom(kind), key]) = item.as_tuple()
        && kind.text() == "dictionary"
    {
        return Ok(process.dictionary.get(key).cloned().unwrap_or(a!("undefined")));
    }
    Ok(match arg(item.as_atom())?.text() {
        "registered_name" => step.shared().name_of(pid).map_or(Term::Nil, Term::Atom),
        "message_queue_len" => Term::from(inbox.map_or(0, |inbox| inbox.messages.len())),
        "messages" => {
            Term::list(inbox.map_or(Vec::new(), |inbox| inbox.messages.iter().cloned().collect()))
        }
        "links" => pids(inbox.map_or(Vec::new(), |inbox| inbox.links.clone())),
        "monitors" => {
            let targets = inbox.map_or(Vec::new(), |inbox| inbox.monitors.clone());
            let entry = |monitor: Monitor| {
                let named = |name| Term::tuple([Term::Atom(name), a!("nonode@nohost")]);
                let whom = monitor.name.map_or(Term::Pid(monitor.target), named);
                Term::tuple([a!("process"), whom])
            };
            Term::list(targets.into_iter().map(entry).collect::<Vec<_>>())
        }
        "monitored_by" => {
            let watchers = inbox.map_or(&[][..], |inbox| &inbox.watchers);
            pids(watchers.iter().filter(|w| !w.is_taken_back).map(|w| w.pid).collect())
        }
        "trap_exit" => Term::bool(inbox.is_some_and(|inbox| inbox.trap_exit)),
        "group_leader" => Term::Pid(process.group_leader),
        "dictionary" => Term::list(
            process
                .dictionary
                .entries()
                .iter()
                .map(|(k, v)| Term::tuple([k.clone(), v.clone()]))
                .collect::<Vec<_>>(),
        ),
        "status" => match &process.control {
            _ if pid == step.caller => a!("running"),
            Control::Receiving { .. } => a!("waiting"),
            Control::Ending { .. } | Control::Ended { .. } => a!("exiting"),
            _ => a!("runnable"),
        },
        "initial_call" => mfa(process.initial_call),
        "current_function" => current_function(step, pid).map_or(a!("undefined"), mfa),
        "current_stacktrace" => Term::Nil,
        "priority" => process.flags.get(item).cloned().unwrap_or(a!("normal")),
        "memory" | "heap_size" | "stack_size" | "total_heap_size" | "reductions" => Term::Int(0),
        "current_location" => {
            let Some((module, name, arity)) = current_function(step, pid) else {
                return Ok(a!("undefined"));
            };
            let place =
                [Term::Atom(module), Term::Atom(name), Term::from(arity as usize), Term::Nil];
            Term::tuple(place)
        }
        name @ "garbage_collection_info" => {
            return Err(Raise::unmodelled(format!("process_info(…, {name})")));
        }
        name => return arg(process.flags.get(item).cloned().or_else(|| fixed(name))),
    })
}

fn current_function(
    step: &Step<'_>,
    pid: Pid,
) -> Option<(crate::term::Atom, crate::term::Atom, u32)> {
    let (Control::Calling { rest, .. } | Control::Receiving { rest, .. }) =
        &step.process(pid)?.control
    else {
        return None;
    };
    let (function, _) = *rest.frames.last()?;
    let function = step.program().function(function);
    // Who hibernates rests in a function of ours.
    let is_ours = function.module == atom!("foresee_supervision");
    let module = if is_ours { atom!("erlang") } else { function.module };
    Some((module, function.name, function.arity))
}
