//! Modules `counters` and `atomics`: arrays of 64-bit numbers that processes share.

use super::{Builtin, Outcome, arg, ok, visible};
use crate::events::footprint::{Touched, nothing};
use crate::machine::Raise;
use crate::term::{Map, Term, number};
use crate::world::step::Step;
use foresee_lts::Mode;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The cells of an array. Those without a sign have the same bits; only what is told of them differs.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Cells {
    is_unsigned: bool,
    values: Vec<i64>,
}

impl Cells {
    /// What each cell holds, as the program reads it.
    pub fn values(&self) -> impl Iterator<Item = Term> {
        self.values.iter().map(|it| self.told(*it))
    }

    fn told(&self, value: i64) -> Term {
        match self.is_unsigned {
            true => number::integer(BigInt::from(value as u64)),
            false => Term::Int(value),
        }
    }

    /// The bits of a value that a caller gives.
    fn bits(&self, given: &Term) -> Option<i64> {
        self.difference(given).filter(|_| !self.is_unsigned || !matches!(given, Term::Int(..0)))
    }

    /// The bits of a number that is added, which may have a sign anywhere.
    fn difference(&self, given: &Term) -> Option<i64> {
        match (self.is_unsigned, given) {
            (_, Term::Int(value)) => Some(*value),
            (true, Term::Big(big)) => big.to_u64().map(|value| value as i64),
            _ => None,
        }
    }
}

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
    let found = value(step, args).is_some_and(|(cells, value)| cells.bits(&args[2]) == Some(value));
    touches(args, if found { Mode::Write } else { Mode::Read }, touched);
}

fn value<'s>(step: &'s Step<'_>, args: &[Term]) -> Option<(&'s Cells, i64)> {
    let reference = args[0].as_reference()?;
    let index = args[1].as_usize()?.checked_sub(1)?;
    let (_, cells) = step.shared().counters.iter().find(|(own, _)| *own == reference)?;
    cells.values.get(index).map(|value| (cells, *value))
}

fn made(step: &mut Step<'_>, args: &[Term], is_unsigned: bool) -> Outcome {
    let n = arg(args[0].as_usize().filter(|n| (1..1 << 20).contains(n)))?;
    arg(args[1].to_vec())?;
    let reference = step.new_reference();
    let counters = &mut step.shared_mut().counters;
    counters.push((reference, Cells { is_unsigned, values: vec![0; n] }));
    counters.sort_unstable();
    Ok(Term::reference(reference))
}

fn new(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    made(step, args, false)
}

fn new_atomics(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let unsigned = Term::tuple([a!("signed"), a!("false")]);
    let is_unsigned = args[1].to_vec().is_some_and(|options| options.contains(&unsigned));
    made(step, args, is_unsigned)
}

fn cells<'s>(step: &'s mut Step<'_>, args: &[Term]) -> Result<(&'s mut Cells, usize), Raise> {
    let reference = arg(args[0].as_reference())?;
    let index = arg(args[1].as_usize().and_then(|n| n.checked_sub(1)))?;
    let counters = &mut step.shared_mut().counters;
    let (_, cells) = arg(counters.iter_mut().find(|(own, _)| *own == reference))?;
    arg((index < cells.values.len()).then_some(()))?;
    Ok((cells, index))
}

fn get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (cells, index) = cells(step, args)?;
    Ok(cells.told(cells.values[index]))
}

/// The value before and after.
fn change(
    step: &mut Step<'_>,
    args: &[Term],
    f: Option<fn(i64, i64) -> i64>,
) -> Result<(Term, Term), Raise> {
    let (cells, index) = cells(step, args)?;
    let value = arg(if f.is_some() { cells.difference(&args[2]) } else { cells.bits(&args[2]) })?;
    let old = cells.values[index];
    cells.values[index] = f.map_or(value, |f| f(old, value));
    Ok((cells.told(old), cells.told(cells.values[index])))
}

fn put(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    change(step, args, None)?;
    ok()
}

fn add(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    change(step, args, Some(i64::wrapping_add))?;
    ok()
}

fn sub(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    change(step, args, Some(i64::wrapping_sub))?;
    ok()
}

fn add_get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(change(step, args, Some(i64::wrapping_add))?.1)
}

fn sub_get(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(change(step, args, Some(i64::wrapping_sub))?.1)
}

fn exchange(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(change(step, args, None)?.0)
}

fn compare_exchange(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (cells, index) = cells(step, args)?;
    let (expected, desired) = (arg(cells.bits(&args[2]))?, arg(cells.bits(&args[3]))?);
    let old = cells.values[index];
    if old == expected {
        cells.values[index] = desired;
        return ok();
    }
    Ok(cells.told(old))
}

fn info(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    Ok(Term::map(Map::from_pairs(size_of(step, args)?.1)))
}

fn atomics_info(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let (is_unsigned, size) = size_of(step, args)?;
    let (max, min) = match is_unsigned {
        true => (number::integer(BigInt::from(u64::MAX)), 0),
        false => (Term::Int(i64::MAX), i64::MIN),
    };
    let limits = [(a!("max"), max), (a!("min"), Term::Int(min))];
    Ok(Term::map(Map::from_pairs(size.into_iter().chain(limits))))
}

type Size = (bool, [(Term, Term); 2]);

fn size_of(step: &Step<'_>, args: &[Term]) -> Result<Size, Raise> {
    let reference = arg(args[0].as_reference())?;
    let counters = &step.shared().counters;
    let (_, cells) = arg(counters.iter().find(|(own, _)| *own == reference))?;
    let size = [(a!("size"), Term::from(cells.values.len())), (a!("memory"), Term::Int(0))];
    Ok((cells.is_unsigned, size))
}
