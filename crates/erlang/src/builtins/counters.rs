//! Modules `counters` and `atomics`: arrays of 64-bit numbers that processes share.

use super::{Builtin, Outcome, arg, ok, visible};
use crate::events::footprint::{Touched, nothing};
use crate::machine::Raise;
use crate::term::{Map, Term};
use crate::world::step::Step;
use foresee_lts::Mode;

pub(super) const TABLE: &[Builtin] = &[
    visible("counters", "new", 2, new, nothing),
    visible("counters", "get", 2, get, reads),
    visible("counters", "put", 3, put, puts),
    visible("counters", "add", 3, add, adds),
    visible("counters", "sub", 3, sub, adds),
    visible("counters", "info", 1, info, nothing),
    visible("atomics", "new", 2, new_atomics, nothing),
    visible("atomics", "get", 2, get, reads),
    visible("atomics", "put", 3, put, puts),
    visible("atomics", "add", 3, add, adds),
    visible("atomics", "sub", 3, sub, adds),
    visible("atomics", "add_get", 3, add_get, writes),
    visible("atomics", "sub_get", 3, sub_get, writes),
    visible("atomics", "exchange", 3, exchange, writes),
    visible("atomics", "compare_exchange", 4, compare_exchange, compares),
    visible("atomics", "info", 1, atomics_info, nothing),
];

fn touches(args: &[Term], mode: Mode, touched: &mut Touched) {
    if let Some(reference) = args[0].as_reference() {
        touched.touches_counter(reference, &args[1], mode);
    }
}

fn reads(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touches(args, Mode::Read, touched);
}

fn puts(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touches(args, Mode::Put(args[2].content_hash()), touched);
}

/// Adding without looking at the sum commutes.
fn adds(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touches(args, Mode::Add, touched);
}

fn writes(_: &Step<'_>, args: &[Term], touched: &mut Touched) {
    touches(args, Mode::Write, touched);
}

/// One that finds something else only reads.
fn compares(step: &Step<'_>, args: &[Term], touched: &mut Touched) {
    let found = value(step, args).is_some_and(|value| args[2].as_int() == Some(value));
    touches(args, if found { Mode::Write } else { Mode::Read }, touched);
}

fn value(step: &Step<'_>, args: &[Term]) -> Option<i64> {
    let reference = args[0].as_reference()?;
    let index = args[1].as_usize()?.checked_sub(1)?;
    let (_, cells) = step.shared().counters.iter().find(|(own, _)| *own == reference)?;
    cells.get(index).copied()
}

fn new(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let n = arg(args[0].as_usize().filter(|n| (1..1 << 20).contains(n)))?;
    arg(args[1].to_vec())?;
    let reference = step.new_reference();
    let counters = &mut step.shared_mut().counters;
    counters.push((reference, vec![0; n]));
    counters.sort_unstable();
    Ok(Term::reference(reference))
}

/// Values that wrap at 2^64 instead of 2^63 are not modelled.
fn new_atomics(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let unsigned = Term::tuple([a!("signed"), a!("false")]);
    if args[1].to_vec().is_some_and(|options| options.contains(&unsigned)) {
        return Err(Raise::unmodelled("atomics without a sign".to_owned()));
    }
    new(step, args)
}

fn cell<'s>(step: &'s mut Step<'_>, args: &[Term]) -> Result<&'s mut i64, Raise> {
    let reference = arg(args[0].as_reference())?;
    let index = arg(args[1].as_usize().and_then(|n| n.checked_sub(1)))?;
    let counters = &mut step.shared_mut().counters;
    let (_, cells) = arg(counters.iter_mut().find(|(own, _)| *own == reference))?;
    arg(cells.get_mut(index))
}

fn get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::Int(*cell(step, args)?))
}

fn change(step: &mut Step<'_>, args: &[Term], f: fn(i64, i64) -> i64) -> Result<(i64, i64), Raise> {
    let value = arg(args[2].as_int())?;
    let cell = cell(step, args)?;
    let old = *cell;
    *cell = f(old, value);
    Ok((old, *cell))
}

fn put(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    change(step, args, |_, value| value)?;
    ok()
}

fn add(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    change(step, args, i64::wrapping_add)?;
    ok()
}

fn sub(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    change(step, args, i64::wrapping_sub)?;
    ok()
}

fn add_get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::Int(change(step, args, i64::wrapping_add)?.1))
}

fn sub_get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::Int(change(step, args, i64::wrapping_sub)?.1))
}

fn exchange(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::Int(change(step, args, |_, value| value)?.0))
}

fn compare_exchange(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (expected, desired) = (arg(args[2].as_int())?, arg(args[3].as_int())?);
    let cell = cell(step, args)?;
    if *cell == expected {
        *cell = desired;
        return ok();
    }
    Ok(Term::Int(*cell))
}

fn info(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::map(Map::from_pairs(size_of(step, args)?)))
}

fn atomics_info(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let limits = [(a!("max"), Term::Int(i64::MAX)), (a!("min"), Term::Int(i64::MIN))];
    Ok(Term::map(Map::from_pairs(size_of(step, args)?.into_iter().chain(limits))))
}

fn size_of(step: &Step<'_>, args: &[Term]) -> Result<[(Term, Term); 2], Raise> {
    let reference = arg(args[0].as_reference())?;
    let counters = &step.shared().counters;
    let (_, cells) = arg(counters.iter().find(|(own, _)| *own == reference))?;
    Ok([(a!("size"), Term::from(cells.len())), (a!("memory"), Term::Int(0))])
}
