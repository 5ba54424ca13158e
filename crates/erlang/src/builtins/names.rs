//! Registered names.

use super::{Builtin, Outcome, arg, truth, visible};
use crate::events::footprint::Touched;
use crate::machine::Raise;
use crate::term::Term;
use crate::world::edit::Edit;
use crate::world::step::Step;
use crate::world::system_processes;

pub(super) const TABLE: &[Builtin] = &[
    visible("erlang", "register", 2, register, touches_register),
    visible("erlang", "unregister", 1, unregister, touches_unregister),
    visible("erlang", "whereis", 1, whereis, touches_read),
    visible("erlang", "registered", 0, registered, |_, _, touched| touched.reads_all_names()),
];

fn touches_register(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let (Some(name), Some(pid)) = (args[0].as_atom(), args[1].as_pid()) {
        touched.writes_name(name);
        touched.writes_name_of(pid);
        touched.reads_life(pid);
    }
}

fn touches_unregister(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(name) = args[0].as_atom() else { return };
    touched.writes_name(name);
    if let Some(pid) = step.shared().whereis(name) {
        touched.writes_name_of(pid);
    }
}

fn touches_read(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(name) = args[0].as_atom() {
        touched.reads_name(name);
    }
}

fn register(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let name = arg(args[0].as_atom())?;
    let pid = arg(args[1].as_pid())?;
    let free = name != atom!("undefined")
        && step.is_alive(pid)
        && step.whereis(name).is_none()
        && step.shared().name_of(pid).is_none()
        && !pid.is_system();
    if !free {
        return Err(Raise::badarg());
    }
    let names = &mut step.shared_mut().names;
    names.push((name, pid));
    names.sort_unstable();
    if step.core.rules.keeps_named {
        step.edit(pid, Edit::Name);
    }
    step.consider_victim(pid);
    truth(true)
}

fn unregister(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let name = arg(args[0].as_atom())?;
    if let Some(pid) = system_processes::whereis(name) {
        system_processes::refuse("unregister of", pid)?;
    }
    arg(step.shared().whereis(name))?;
    step.shared_mut().names.retain(|(own, _)| *own != name);
    truth(true)
}

fn whereis(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let name = arg(args[0].as_atom())?;
    Ok(step.whereis(name).map_or(a!("undefined"), Term::Pid))
}

fn registered(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    let own = step.shared().names.iter().map(|(name, _)| *name);
    let names = own.chain(system_processes::all().map(|(name, _)| name)).map(Term::Atom);
    Ok(Term::list(names.collect::<Vec<_>>()))
}
