//! Monitors.

use super::{Builtin, Outcome, arg, truth, visible};
use crate::events::footprint::Touched;
use crate::machine::Raise;
use crate::term::{Reference, Term};
use crate::world::component::{Alias, AliasEnds};
use crate::world::edit::Edit;
use crate::world::step::Step;

pub(super) const TABLE: &[Builtin] = &[
    visible("erlang", "monitor", 2, monitor, touches_monitor),
    visible("erlang", "monitor", 3, monitor, touches_monitor),
    visible("erlang", "demonitor", 1, demonitor, touches_demonitor),
    visible("erlang", "demonitor", 2, demonitor, touches_demonitor),
];

fn touches_monitor(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    match &args[1] {
        Term::Pid(_) => {}
        name => super::process::touches_name(name, touched),
    }
    if let Some(pid) = step.pid_of(&args[1]) {
        touched.reads_life(pid);
        if !step.core.instant_delivery && !step.is_alive(pid) {
            touched.reads_presence_of(pid);
        }
    }
}

/// An alias that ends with the monitor; an answer that has come may have ended it. Whether the DOWN message has come is
/// noted where the monitor is taken back (`Step::demonitor`).
fn touches_demonitor(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(reference) = args[0].as_reference() else { return };
    let is_own = reference.owner == step.caller;
    if is_own && step.alias(step.caller, reference) != Some(AliasEnds::Explicitly) {
        touched.ends_alias(reference);
    }
}

fn monitor(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    if !args[0].is_atom(atom!("process")) {
        return Err(match args[0].as_atom() {
            Some(kind) if matches!(kind.text(), "port" | "time_offset") => {
                Raise::unmodelled(format!("a monitor of a {}", kind.text()))
            }
            _ => Raise::badarg(),
        });
    }
    super::trouble::on_this_node(&args[1])?;
    let object = match &args[1] {
        Term::Pid(_) => args[1].clone(),
        Term::Atom(_) => Term::tuple([args[1].clone(), a!("nonode@nohost")]),
        Term::Tuple(pair) if pair.items().len() == 2 => args[1].clone(),
        _ => return Err(Raise::badarg()),
    };
    let mut tag = a!("DOWN");
    let mut ends = None;
    for option in args.get(2).map_or(Some(Vec::new()), Term::to_vec).ok_or_else(Raise::badarg)? {
        match option.as_tuple() {
            Some([Term::Atom(name), value]) if name.text() == "tag" => tag = value.clone(),
            Some([Term::Atom(name), value]) if name.text() == "alias" => {
                ends = Some(match arg(value.as_atom())?.text() {
                    "explicit_unalias" => AliasEnds::Explicitly,
                    "demonitor" => AliasEnds::WithMonitor,
                    "reply_demonitor" => AliasEnds::WithReply,
                    _ => return Err(Raise::badarg()),
                });
            }
            _ => return Err(Raise::badarg()),
        }
    }
    let reference = step.new_reference();
    let own = step.caller;
    if let Some(ends) = ends {
        step.edit(own, Edit::Alias(Alias { reference, ends }));
    }
    let target = step.pid_of(&args[1]);
    // A process that watches itself is never told.
    if target != Some(own) {
        step.monitor(own, target, object, tag, reference);
    }
    Ok(Term::reference(reference))
}

fn demonitor(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let reference = arg(args[0].as_reference())?;
    let options = match args.get(1) {
        Some(options) => arg(options.to_vec())?,
        None => Vec::new(),
    };
    let flush = options.iter().any(|option| option.is_atom(atom!("flush")));
    let info = options.iter().any(|option| option.is_atom(atom!("info")));
    let is_known = |option: &Term| option.is_atom(atom!("flush")) || option.is_atom(atom!("info"));
    arg(options.iter().all(is_known).then_some(()))?;
    if reference.owner != step.caller {
        return truth(true);
    }
    let found = step.demonitor(reference, flush && !info);
    if flush && !found {
        flush_down(step, reference);
    }
    truth(!info || found)
}

/// Removes the DOWN message of a monitor, if it has come.
pub(super) fn flush_down(step: &mut Step<'_>, reference: Reference) {
    let is_down = |message: &Term| match message.as_tuple() {
        Some([_, found, kind, _, _]) => {
            *found == Term::reference(reference) && kind.is_atom(atom!("process"))
        }
        _ => false,
    };
    let own = step.caller;
    let at = step.inbox(own).and_then(|inbox| inbox.messages.iter().position(is_down));
    if let (Some(at), Some(inbox)) = (at, step.inbox_mut(own)) {
        inbox.messages.remove(at);
        step.touched.changes_mailbox(own);
    }
}
