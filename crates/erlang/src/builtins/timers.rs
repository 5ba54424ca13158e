//! Timers of module `erlang`. A timer is an actor of its own: once set it may fire at any later point until cancelled.

use super::{Builtin, Outcome, arg, visible};
use crate::events::footprint::{Touched, nothing};
use crate::machine::Raise;
use crate::term::{Reference, Term};
use crate::world::component::Timer;
use crate::world::step::Step;
use crate::world::system_processes;

pub(super) const TABLE: &[Builtin] = &[
    visible("erlang", "send_after", 3, send_after, nothing),
    visible("erlang", "send_after", 4, send_after, touches_absolute),
    visible("erlang", "start_timer", 3, start_timer, nothing),
    visible("erlang", "start_timer", 4, start_timer, touches_absolute),
    visible("erlang", "cancel_timer", 1, cancel_timer, touches_cancel),
    visible("erlang", "cancel_timer", 2, cancel_timer, touches_cancel),
    visible("erlang", "read_timer", 1, read_timer, touches_read),
    visible("erlang", "read_timer", 2, read_timer, touches_read),
    visible("timer", "foresee_set", 3, set_from_module, nothing),
    visible("timer", "foresee_cancel", 1, cancel_timer, touches_cancel),
];

/// A time of the clock is so far away as the clock says.
fn touches_absolute(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if is_absolute(args) {
        touched.looks_at_clock();
    }
}

fn is_absolute(args: &[Term]) -> bool {
    let options = args.get(3).and_then(Term::to_vec).unwrap_or_default();
    options.contains(&Term::tuple([a!("abs"), a!("true")]))
}

/// One that has fired, or was cancelled before, is only looked at.
fn touches_cancel(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let Some(reference) = args[0].as_reference() else { return };
    match step.timer(reference) {
        Some(_) => touched.writes_timer(reference),
        None => touched.reads_timer(reference),
    }
}

fn touches_read(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    if let Some(reference) = args[0].as_reference() {
        touched.reads_timer(reference);
    }
}

impl Step<'_> {
    /// A timer that is set and not cancelled.
    fn timer(&self, reference: Reference) -> Option<&Timer> {
        let is_it = |timer: &&Timer| timer.reference == reference && !timer.cancelled;
        self.timers().timers.iter().find(is_it)
    }

    /// A timer will not fire, or not with an effect.
    pub(super) fn cancel_timer(&mut self, reference: Reference) {
        if self.timer(reference).is_none() {
            return;
        }
        let keeps = self.core.rules.cancelled_timers_fire;
        self.timers_mut().timers.retain_mut(|timer| {
            let is_it = timer.reference == reference;
            timer.cancelled |= is_it;
            !is_it || keeps
        });
    }
}

fn milliseconds(term: &Term) -> Result<u64, Raise> {
    arg(term.as_int().and_then(|n| u64::try_from(n).ok()))
}

pub(super) fn set(
    step: &mut Step<'_>,
    time: &Term,
    target: &Term,
    repeats: bool,
    message: impl FnOnce(Reference) -> Term,
) -> Outcome {
    let milliseconds = milliseconds(time)?;
    arg(matches!(target, Term::Pid(_) | Term::Atom(_)).then_some(()))?;
    if let Some(pid) = step.pid_of(target) {
        system_processes::refuse("a timer for", pid)?;
    }
    let reference = step.new_reference();
    let timer = Timer {
        reference,
        target: target.clone(),
        message: message(reference),
        milliseconds,
        set_at_ms: step.virtual_ms.unwrap_or(0),
        repeats,
        cancelled: false,
    };
    step.touched.sets_timer(reference);
    let timers = &mut step.timers_mut().timers;
    let at = timers.partition_point(|own| own.reference < reference);
    timers.insert(at, timer);
    Ok(Term::reference(reference))
}

/// How long a timer runs: the time given, or as long as it is until then.
fn time_of(step: &Step<'_>, args: &[Term]) -> Result<Term, Raise> {
    check_options(&args[2..], &["abs"])?;
    match is_absolute(args) {
        true => {
            let then = arg(args[0].as_int())?;
            Ok(Term::Int(then.saturating_sub(step.clock_ms() as i64).max(0)))
        }
        false => Ok(args[0].clone()),
    }
}

fn send_after(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let time = time_of(step, args)?;
    set(step, &time, &args[1], false, |_| args[2].clone())
}

fn start_timer(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let time = time_of(step, args)?;
    set(step, &time, &args[1], false, |reference| {
        Term::tuple([a!("timeout"), Term::reference(reference), args[2].clone()])
    })
}

/// For module `timer`: time, message to the caller, whether it repeats.
fn set_from_module(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (target, message) = match args[1].as_tuple() {
        Some([target, message]) => (target.clone(), message.clone()),
        _ => return Err(Raise::badarg()),
    };
    let repeats = arg(args[2].as_bool())?;
    set(step, &args[0], &target, repeats, |_| message)
}

/// The time left, or `false` for a timer that has fired. In a search, where any time may have passed, it is all of it.
fn time_left(step: &Step<'_>, reference: Reference) -> Term {
    let Some(timer) = step.timer(reference) else { return a!("false") };
    let passed = step.virtual_ms.map_or(0, |now| now.saturating_sub(timer.set_at_ms));
    Term::Int(timer.milliseconds.saturating_sub(passed) as i64)
}

/// Options are pairs of a name and a truth value.
fn check_options(args: &[Term], names: &[&str]) -> Result<(), Raise> {
    let is_known = |option: &Term| match option.as_tuple() {
        Some([Term::Atom(name), value]) => {
            names.contains(&name.text()) && value.as_bool().is_some()
        }
        _ => false,
    };
    match args.get(1) {
        Some(options) => arg(arg(options.to_vec())?.iter().all(is_known).then_some(())),
        None => Ok(()),
    }
}

fn option(args: &[Term], name: &str) -> bool {
    let options = args.get(1).and_then(Term::to_vec).unwrap_or_default();
    let wanted = Term::tuple([Term::atom(name), a!("false")]);
    !options.contains(&wanted)
}

fn cancel_timer(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let reference = arg(args[0].as_reference())?;
    check_options(args, &["async", "info"])?;
    let left = time_left(step, reference);
    step.cancel_timer(reference);
    let options = args.get(1).and_then(Term::to_vec).unwrap_or_default();
    let asynchronous = options.contains(&Term::tuple([a!("async"), a!("true")]));
    if asynchronous && option(args, "info") {
        let message = Term::tuple([a!("cancel_timer"), args[0].clone(), left]);
        let own = Term::Pid(step.caller);
        super::process::post(step, &own, &message)?;
        return Ok(a!("ok"));
    }
    Ok(if option(args, "info") { left } else { a!("ok") })
}

fn read_timer(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let reference = arg(args[0].as_reference())?;
    check_options(args, &["async"])?;
    Ok(time_left(step, reference))
}
