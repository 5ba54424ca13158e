//! The steps of the generic behaviours (`crate::otp`) that others can notice, each one scheduling point.
//! Why not the plain built-ins: a call would be a monitor, a send and a receive, and a server's answer a step of its
//! own. Joining them loses no outcome (docs/decisions/0102-native-behaviours.md says why) and leaves far fewer orders.
//! Those listed with `joined` happen together with the receive before them, if nothing visible came between.

use super::process::{post, send_to, touches_name, touches_send};
use super::spawn::{make, options_of, result};
use super::timers::set;
use super::{Builtin, Outcome, arg, ok, pure, visible};
use crate::events::footprint::{Touched, nothing};
use crate::machine::Local;
use crate::term::{Reference, Term};
use crate::world::component::{Alias, AliasEnds, Signal};
use crate::world::edit::Edit;
use crate::world::running::Start;
use crate::world::step::Step;
use crate::world::system_processes;

pub(super) const TABLE: &[Builtin] = &[
    visible("gen", "foresee_spawn", 5, spawn, touches_spawn),
    visible("gen", "foresee_acknowledge", 3, acknowledge, touches_acknowledge),
    visible("gen", "foresee_request", 3, request, touches_request),
    visible("gen", "foresee_request", 4, request_without_timeout, touches_request),
    visible("gen", "foresee_send_request", 3, send_request, touches_request),
    visible("gen", "foresee_abandon", 1, abandon, touches_abandon),
    visible("gen", "foresee_stop", 2, stop, touches_request),
    visible("gen", "foresee_shut_down", 2, shut_down, touches_shut_down),
    joined(visible("gen", "foresee_alive", 1, alive, touches_alive)),
    joined(visible("gen", "foresee_cast", 2, cast, touches_send)),
    joined(visible("gen", "foresee_reply", 2, reply, touches_reply)),
    joined(visible("gen", "foresee_demonitor", 1, demonitor, nothing)),
    joined(visible("gen", "foresee_timers", 2, timers, touches_timers)),
    pure("gen", "foresee_agree", 1, agree),
];

const fn joined(builtin: Builtin) -> Builtin {
    Builtin { joins: true, ..builtin }
}

fn name(term: &Term) -> Option<crate::term::Atom> {
    term.as_atom().filter(|name| *name != atom!("undefined"))
}

fn touches_spawn(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touched.reads_name_of(step.caller);
    match name(&args[1]) {
        Some(name) if step.whereis(name).is_some() => touched.reads_name(name),
        Some(name) => touched.writes_name(name),
        None => {}
    }
}

/// Options, a name or `undefined`, and what to call. The name is taken in the same step.
fn spawn(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let mut options = options_of(&args[0])?;
    (options.acknowledges, options.is_supervisor) = behaviour_of(args);
    let name = name(&args[1]);
    if let Some(pid) = name.and_then(|name| step.whereis(name)) {
        let already = Term::tuple([a!("already_started"), Term::Pid(pid)]);
        return Ok(Term::tuple([a!("error"), already]));
    }
    let initial = initial_call(&args[2], &args[3], &arg(args[4].to_vec())?);
    let arguments =
        vec![ancestors(step), initial, args[2].clone(), args[3].clone(), args[4].clone()];
    let start =
        Start::Function { module: atom!("proc_lib"), name: atom!("foresee_init"), arguments };
    let made = make(step, start, &options);
    if let Some(name) = name {
        let names = &mut step.shared_mut().names;
        names.push((name, made.0));
        names.sort_unstable();
        if step.core.rules.keeps_named {
            step.edit(made.0, Edit::Name);
        }
    }
    Ok(result(made))
}

/// What the process is said to have been started with: of a behaviour, the callback module's own `init/1`.
fn initial_call(module: &Term, function: &Term, arguments: &[Term]) -> Term {
    match arguments {
        [_, _, _, _, callback @ Term::Atom(_), ..] if *module == a!("gen") => {
            Term::tuple([callback.clone(), a!("init"), Term::Int(1)])
        }
        _ => {
            let arity = Term::Int(arguments.len() as i64);
            Term::tuple([module.clone(), function.clone(), arity])
        }
    }
}

/// Whether what is started is a behaviour, and whether it is a supervisor.
fn behaviour_of(args: &[Term]) -> (bool, bool) {
    let is_behaviour = args[2].is_atom(atom!("gen")) && args[3].is_atom(atom!("init_it"));
    let module = args[4].to_vec().and_then(|rest| rest.into_iter().nth(4));
    (is_behaviour, is_behaviour && module.is_some_and(|it| it.is_atom(atom!("supervisor"))))
}

/// Who started the caller's children: the caller, by its name if it has one, and its own ancestors.
fn ancestors(step: &Step<'_>) -> Term {
    let own = step.caller;
    let first = step.shared().name_of(own).map_or(Term::Pid(own), Term::Atom);
    let older = step
        .process(own)
        .and_then(|process| process.dictionary.get(&a!("$ancestors")).cloned())
        .filter(|older| older.to_vec().is_some())
        .unwrap_or(Term::Nil);
    Term::cons(first, older)
}

fn acknowledgement(step: &Step<'_>, args: &[Term]) -> Term {
    Term::tuple([a!("ack"), Term::Pid(step.caller), args[2].clone()])
}

fn touches_acknowledge(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touches_name(&args[0], touched);
    if let Some(name) = name(&args[1]) {
        touched.writes_name(name);
        touched.writes_name_of(step.caller);
    }
}

/// The starter, a name to give up or `undefined`, and what `start` is to return.
fn acknowledge(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let own = step.caller;
    if let Some(name) = name(&args[1]) {
        step.shared_mut().names.retain(|entry| *entry != (name, own));
    }
    let message = acknowledgement(step, args);
    if let Some(to) = step.pid_of(&args[0]) {
        step.signal(own, to, Signal::Message(message));
    }
    step.consider_victim(own);
    ok()
}

/// Whom it asks is watched, too.
fn touches_request(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touches_name(&args[0], touched);
    if let Some(pid) = step.pid_of(&args[0]) {
        touched.reads_life(pid);
    }
}

fn request_message(step: &Step<'_>, tag: Term, args: &[Term]) -> Term {
    let from = Term::tuple([Term::Pid(step.caller), tag]);
    Term::tuple([args[1].clone(), from, args[2].clone()])
}

/// The call or timer that has brought a message.
pub(crate) fn brought_by(message: &Term) -> Option<Reference> {
    match message.as_tuple()? {
        [Term::Cons(tag), _] => tag.tail.as_reference(),
        [tag, reference, _] if tag.is_atom(atom!("timeout")) => reference.as_reference(),
        _ => None,
    }
}

/// `[alias | Reference]`, by which an answer is known.
fn tag_of(reference: Reference) -> Term {
    Term::cons(a!("alias"), Term::reference(reference))
}

/// Watches a process, and asks it, in one step.
fn request(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    request_by(step, args, AliasEnds::WithReply)
}

/// As [`request`], of a caller that waits for ever: no alias, the tag of the request is the reference itself. An answer that
/// comes after the first stays in the mailbox.
fn request_without_timeout(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    request_by(step, args, AliasEnds::Awaited)
}

fn request_by(step: &mut Step<'_>, args: &[Term], ends: AliasEnds) -> Outcome {
    super::trouble::on_this_node(&args[0])?;
    match step.pid_of(&args[0]) {
        None => Ok(a!("noproc")),
        Some(pid) if pid == step.caller => Ok(a!("calling_self")),
        Some(_) => ask(step, args, ends),
    }
}

fn send_request(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    ask(step, args, AliasEnds::WithReply)
}

fn ask(step: &mut Step<'_>, args: &[Term], ends: AliasEnds) -> Outcome {
    super::trouble::on_this_node(&args[0])?;
    let own = step.caller;
    let target = step.pid_of(&args[0]);
    if let Some(pid) = target {
        system_processes::refuse("a call of", pid)?;
    }
    let reference = step.new_reference();
    step.edit(own, Edit::Alias(Alias { reference, ends }));
    if target != Some(own) {
        let object = target.map_or(args[0].clone(), Term::Pid);
        step.monitor(own, target, object, a!("DOWN"), reference);
    }
    if let Some(pid) = target {
        step.note_called(own, pid);
        let tag = match ends {
            AliasEnds::Awaited => Term::reference(reference),
            _ => tag_of(reference),
        };
        let message = request_message(step, tag, args);
        step.signal(own, pid, Signal::Message(message));
    }
    Ok(Term::reference(reference))
}

/// Whether the answer has come makes a difference.
fn touches_abandon(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(reference) = args[0].as_reference() {
        touched.ends_alias(reference);
    }
}

/// No longer waits for an answer, unless it has come.
fn abandon(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let reference = arg(args[0].as_reference())?;
    demonitor(step, args)?;
    let tag = tag_of(reference);
    let own = step.caller;
    let inbox = arg(step.inbox_mut(own))?;
    inbox.aliases.retain(|alias| alias.reference != reference);
    let is_answer =
        |message: &Term| message.as_tuple().is_some_and(|t| t.len() == 2 && t[0] == tag);
    let Some(at) = inbox.messages.iter().position(is_answer) else { return Ok(a!("none")) };
    let message = inbox.messages.remove(at);
    let answer = arg(message.as_tuple())?[1].clone();
    step.silence(own, reference);
    Ok(Term::tuple([a!("reply"), answer]))
}

fn demonitor(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let reference = arg(args[0].as_reference())?;
    if !step.demonitor(reference, true) {
        super::monitors::flush_down(step, reference);
    }
    Ok(a!("true"))
}

fn stop_message(step: &Step<'_>, reference: Reference, args: &[Term]) -> Term {
    let from = Term::tuple([Term::Pid(step.caller), Term::reference(reference)]);
    let what = Term::tuple([a!("terminate"), args[1].clone()]);
    Term::tuple([a!("system"), from, what])
}

/// Watches a behaviour and asks it to end, in one step: `sys:terminate` with the reference of a monitor in place of the tag of
/// a call.
fn stop(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    super::trouble::on_this_node(&args[0])?;
    let own = step.caller;
    let Some(pid) = step.pid_of(&args[0]).filter(|pid| step.is_alive(*pid)) else {
        return Ok(a!("noproc"));
    };
    system_processes::refuse("a request to stop", pid)?;
    if pid == own {
        return Ok(a!("calling_self"));
    }
    let reference = step.new_reference();
    step.monitor(own, Some(pid), Term::Pid(pid), a!("DOWN"), reference);
    let message = stop_message(step, reference, args);
    step.signal(own, pid, Signal::Message(message));
    Ok(Term::tuple([Term::Pid(pid), Term::reference(reference)]))
}

/// The process will end because somebody who watches it has asked for that, and the message of its end will say so. Others see
/// nothing of it before, so it is no event.
fn agree(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    local.agreed.push(arg(args[0].as_reference())?);
    ok()
}

fn touches_alive(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    for pid in args[0].to_vec().unwrap_or_default().iter().filter_map(Term::as_pid) {
        touched.reads_life(pid);
    }
}

/// How many of some processes are alive.
fn alive(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let pids = arg(args[0].to_vec())?;
    let is_alive = |pid: &Term| pid.as_pid().is_some_and(|pid| step.is_alive(pid));
    Ok(Term::from(pids.iter().filter(|pid| is_alive(pid)).count()))
}

fn touches_shut_down(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(pid) = args[0].as_pid() {
        touched.reads_life(pid);
        touched.puts_link(step.caller, pid, false);
    }
}

/// Watches a child, is no longer linked to it, and sends it an exit signal; or says that and how it is gone.
fn shut_down(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let own = step.caller;
    let child = arg(args[0].as_pid())?;
    step.unlink(own, child);
    let inbox = arg(step.inbox_mut(own))?;
    let is_exit = |message: &Term| match message.as_tuple() {
        Some([tag, from, _]) => tag.is_atom(atom!("EXIT")) && *from == args[0],
        _ => false,
    };
    let found = inbox.messages.iter().position(is_exit);
    if let Some(at) = found {
        let message = inbox.messages.remove(at);
        step.touched.changes_mailbox(own);
        let reason = arg(message.as_tuple())?[2].clone();
        return Ok(Term::tuple([a!("gone"), reason]));
    }
    let reference = step.new_reference();
    step.monitor(own, Some(child), args[0].clone(), a!("DOWN"), reference);
    step.signal(own, child, Signal::Exit(args[1].clone()));
    Ok(Term::reference(reference))
}

/// Sends; a name that nobody has is no error.
fn cast(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    super::trouble::on_this_node(&args[0])?;
    if let Some(pid) = step.pid_of(&args[0]) {
        send_to(step, pid, &args[1])?;
    }
    step.reaches_crash_point = true;
    ok()
}

/// Where an answer goes, and as what.
fn answer(args: &[Term]) -> Option<(Term, Term)> {
    let [to, tag] = args[0].as_tuple()? else { return None };
    let message = Term::tuple([tag.clone(), args[1].clone()]);
    match tag {
        Term::Cons(cell) => {
            let alias = match &cell.head {
                Term::Cons(inner) => &inner.tail,
                _ => &cell.tail,
            };
            Some((alias.clone(), message))
        }
        _ => Some((to.clone(), message)),
    }
}

fn touches_reply(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some((to, _)) = answer(args) {
        touches_name(&to, touched);
    }
}

/// Answers a request; an answer that nobody waits for any more is lost.
fn reply(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (to, message) = arg(answer(args))?;
    // As in Erlang, who asked under a name that is gone gets nothing.
    let _ = post(step, &to, &message);
    ok()
}

fn touches_timers(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    for reference in args[0].to_vec().unwrap_or_default().iter().filter_map(Term::as_reference) {
        touched.writes_timer(reference);
    }
}

/// Cancels timers and takes back what they have sent, then sets timers: a list of `{Time, Message}`, of which it gives
/// the references. The messages are `{timeout, Reference, Message}`.
fn timers(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let own = step.caller;
    for old in arg(args[0].to_vec())? {
        let reference = arg(old.as_reference())?;
        step.cancel_timer(reference);
        let inbox = arg(step.inbox_mut(own))?;
        let n_messages = inbox.messages.len();
        inbox.messages.retain(|message| match message.as_tuple() {
            Some([tag, found, _]) => !(tag.is_atom(atom!("timeout")) && *found == old),
            _ => true,
        });
        if inbox.messages.len() < n_messages {
            step.silence(own, reference);
        }
    }
    let mut references = Vec::new();
    for new in arg(args[1].to_vec())? {
        let [time, message] = arg(new.as_tuple())? else {
            return Err(crate::machine::Raise::badarg());
        };
        references.push(set(step, time, &Term::Pid(own), false, |reference| {
            Term::tuple([a!("timeout"), Term::reference(reference), message.clone()])
        })?);
    }
    Ok(Term::list(references))
}
