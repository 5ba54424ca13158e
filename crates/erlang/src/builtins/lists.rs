//! Module `lists`, as far as it calls no funs (those are in `prelude/lists.erl`). Order is in `sorting`.

use super::{Builtin, Outcome, arg, pure, truth};
use crate::machine::{Local, Raise};
use crate::term::{CELL_BYTES, Term, number, order, print};
use foresee_stdx::halt;
use num_bigint::{BigInt, Sign};
use num_traits::Zero;
use std::cmp::Ordering;

pub(super) const TABLE: &[Builtin] = &[
    pure("lists", "reverse", 1, reverse),
    pure("lists", "reverse", 2, reverse),
    pure("lists", "append", 1, append),
    pure("lists", "append", 2, append_two),
    pure("lists", "subtract", 2, subtract),
    pure("erlang", "subtract", 2, subtract),
    pure("lists", "member", 2, member),
    pure("lists", "seq", 2, seq),
    pure("lists", "seq", 3, seq),
    pure("lists", "nth", 2, nth),
    pure("lists", "nthtail", 2, nthtail),
    pure("lists", "last", 1, last),
    pure("lists", "droplast", 1, droplast),
    pure("lists", "sum", 1, sum),
    pure("lists", "max", 1, max),
    pure("lists", "min", 1, min),
    pure("lists", "delete", 2, delete),
    pure("lists", "uniq", 1, uniq),
    pure("lists", "keyfind", 3, keyfind),
    pure("lists", "keysearch", 3, keysearch),
    pure("lists", "keymember", 3, keymember),
    pure("lists", "keydelete", 3, keydelete),
    pure("lists", "keyreplace", 4, keyreplace),
    pure("lists", "keystore", 4, keystore),
    pure("lists", "keytake", 3, keytake),
    pure("lists", "flatten", 1, flatten),
    pure("lists", "flatten", 2, flatten),
    pure("lists", "flatlength", 1, flatlength),
    pure("lists", "duplicate", 2, duplicate),
    pure("lists", "sublist", 2, sublist),
    pure("lists", "sublist", 3, sublist_from),
    pure("lists", "split", 2, split),
    pure("lists", "zip", 2, zip),
    pure("lists", "zip3", 3, zip3),
    pure("lists", "unzip", 1, unzip),
    pure("lists", "unzip3", 1, unzip3),
    pure("lists", "prefix", 2, prefix),
    pure("lists", "suffix", 2, suffix),
    pure("lists", "concat", 1, concat),
    pure("lists", "enumerate", 1, enumerate),
    pure("lists", "enumerate", 2, enumerate),
    pure("lists", "join", 2, join),
];

/// What a function of `lists` says to arguments none of its clauses takes.
pub(super) fn clause<T>(value: Option<T>) -> Result<T, Raise> {
    value.ok_or_else(function_clause)
}

fn function_clause() -> Raise {
    Raise::error(a!("function_clause"))
}

pub(super) fn items(term: &Term) -> Result<Vec<Term>, Raise> {
    clause(term.to_vec())
}

/// Before a list of so many elements is made, from a vector of them.
fn ask_for_list(n: usize) {
    halt::ask(n.saturating_mul(CELL_BYTES + size_of::<Term>()));
}

pub(super) fn list(items: Vec<Term>) -> Outcome {
    Ok(Term::list(items))
}

fn reverse(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    if let Term::Trace(trace) = &args[0] {
        return list(trace.to_term().to_vec().unwrap_or_default().into_iter().rev().collect());
    }
    let mut result = args.get(1).cloned().unwrap_or(Term::Nil);
    let mut cells = args[0].cells();
    let mut n = 0;
    for item in cells.by_ref() {
        result = Term::cons(item.clone(), result);
        n += 1;
    }
    match cells.rest() {
        Term::Nil => Ok(result),
        // Two elements and more are turned by the form with two arguments.
        _ if args.len() == 2 || n >= 2 => Err(Raise::badarg()),
        _ => clause(None),
    }
}

fn append(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let lists = items(&args[0])?;
    let Some((last, others)) = lists.split_last() else { return Ok(Term::Nil) };
    let mut result = last.clone();
    for item in others.iter().rev() {
        result = Term::list_with_tail(arg(item.to_vec())?, result);
    }
    Ok(result)
}

fn append_two(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::list_with_tail(arg(args[0].to_vec())?, args[1].clone()))
}

fn subtract(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(crate::machine::operate(crate::program::code::Operation::ListSubtract, &args[0], &args[1]))
}

fn member(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut cells = args[1].cells();
    if cells.by_ref().any(|item| *item == args[0]) {
        return truth(true);
    }
    arg(matches!(cells.rest(), Term::Nil).then_some(a!("false")))
}

fn seq(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let wrong = || if args.len() == 3 { Raise::badarg() } else { function_clause() };
    if args.iter().any(|number| matches!(number, Term::Big(_))) {
        return big_seq(args, wrong);
    }
    let number = |i: usize| args.get(i).map_or(Some(1), Term::as_int).ok_or_else(wrong);
    let (from, to, step) = (number(0)?, number(1)?, number(2)?);
    if step == 0 {
        return if from == to { Ok(Term::list([Term::Int(from)])) } else { Err(Raise::badarg()) };
    }
    let (from, to, step) = (i128::from(from), i128::from(to), i128::from(step));
    let reaches = if step > 0 { from - step <= to } else { from - step >= to };
    reaches.then_some(()).ok_or_else(wrong)?;
    let n = (to - from + step) / step;
    ask_for_list(usize::try_from(n.max(0)).unwrap_or(usize::MAX));
    list((0..n.max(0)).map(|i| Term::Int((from + i * step) as i64)).collect())
}

/// The same where a number has more than 64 bits.
fn big_seq(args: &[Term], wrong: impl Fn() -> Raise) -> Outcome {
    let one = Term::Int(1);
    let number = |i: usize| number::to_big(args.get(i).unwrap_or(&one)).ok_or_else(&wrong);
    let (mut from, to, step) = (number(0)?, number(1)?, number(2)?);
    if step.is_zero() {
        return if from == to { list(vec![args[0].clone()]) } else { Err(Raise::badarg()) };
    }
    let upwards = step.sign() == Sign::Plus;
    let is_within = |at: &BigInt| if upwards { *at <= to } else { *at >= to };
    is_within(&(&from - &step)).then_some(()).ok_or_else(&wrong)?;
    let n = (&to - &from + &step) / &step;
    ask_for_list(usize::try_from(n).unwrap_or(usize::MAX));
    let mut all = Vec::new();
    while is_within(&from) {
        all.push(number::integer(from.clone()));
        from += &step;
    }
    list(all)
}

/// How far to go into a list: what is no number fails where it is counted down.
fn distance(n: &Term, all: &Term) -> Result<usize, Raise> {
    match (n, all) {
        (Term::Int(_) | Term::Big(_) | Term::Float(_), _) => clause(n.as_usize()),
        (_, Term::Cons(_)) => Err(Raise::badarith()),
        _ => clause(None),
    }
}

fn nth(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let n = clause(distance(&args[0], &args[1])?.checked_sub(1))?;
    clause(args[1].cells().nth(n).cloned())
}

fn nthtail(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut rest = args[1].clone();
    for _ in 0..distance(&args[0], &args[1])? {
        rest = match &rest {
            Term::Cons(cell) => cell.tail.clone(),
            _ => return clause(None),
        };
    }
    let is_given = args[0].as_usize() == Some(0);
    clause((!is_given || matches!(rest, Term::Cons(_) | Term::Nil)).then_some(rest))
}

fn last(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    clause(items(&args[0])?.pop())
}

fn droplast(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut all = items(&args[0])?;
    clause(all.pop())?;
    list(all)
}

fn sum(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut sum = Term::Int(0);
    let mut cells = args[0].cells();
    for item in cells.by_ref() {
        sum = number::add(&sum, item).ok_or_else(Raise::badarith)?;
    }
    clause(matches!(cells.rest(), Term::Nil).then_some(sum))
}

fn extreme(term: &Term, better: Ordering) -> Outcome {
    let mut all = items(term)?.into_iter();
    let mut best = clause(all.next())?;
    for item in all {
        if order::compare(&item, &best) == better {
            best = item;
        }
    }
    Ok(best)
}

fn max(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    extreme(&args[0], Ordering::Greater)
}

fn min(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    extreme(&args[0], Ordering::Less)
}

fn delete(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut all = items(&args[1])?;
    if let Some(at) = all.iter().position(|item| *item == args[0]) {
        all.remove(at);
    }
    list(all)
}

#[expect(clippy::mutable_key_type, reason = "only a cached hash changes inside a term")]
fn uniq(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut all = items(&args[0])?;
    all.retain(|item| seen.insert(item.clone()));
    list(all)
}

fn index(term: &Term) -> Option<usize> {
    match term {
        Term::Big(n) if n.sign() == Sign::Plus => Some(usize::MAX),
        _ => term.as_usize()?.checked_sub(1),
    }
}

/// A position in tuples, for a function that Erlang has natively too.
fn position(term: &Term) -> Result<usize, Raise> {
    arg(index(term))
}

/// A position in tuples, for a function whose clauses ask for one.
pub(super) fn clause_position(term: &Term) -> Result<usize, Raise> {
    clause(index(term))
}

/// A tuple that was found, and what follows it.
type Found = Option<(Term, Term)>;

/// The part of a list before the first tuple whose element at `at` equals `key`, and that tuple with the rest, which need
/// not be a list; `None` if there is no such tuple and no end either.
fn find(key: &Term, at: usize, list: &Term) -> Option<(Vec<Term>, Found)> {
    let is_it = |item: &Term| {
        item.as_tuple().and_then(|items| items.get(at)).is_some_and(|own| order::equal(own, key))
    };
    if let Term::Trace(_) = list {
        // A stack trace is a list of tuples by another name.
        let mut all = list.to_vec()?;
        let Some(i) = all.iter().position(is_it) else { return Some((all, None)) };
        let rest = Term::list(all.split_off(i + 1));
        let found = all.pop()?;
        return Some((all, Some((found, rest))));
    }
    let (mut before, mut rest) = (Vec::new(), list);
    while let Term::Cons(cell) = rest {
        if is_it(&cell.head) {
            return Some((before, Some((cell.head.clone(), cell.tail.clone()))));
        }
        before.push(cell.head.clone());
        rest = &cell.tail;
    }
    matches!(rest, Term::Nil).then_some((before, None))
}

fn keyfind(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (_, found) = arg(find(&args[0], position(&args[1])?, &args[2]))?;
    Ok(found.map_or(a!("false"), |(found, _)| found))
}

fn keysearch(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (_, found) = arg(find(&args[0], position(&args[1])?, &args[2]))?;
    Ok(found.map_or(a!("false"), |(found, _)| Term::tuple([a!("value"), found])))
}

fn keymember(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (_, found) = arg(find(&args[0], position(&args[1])?, &args[2]))?;
    truth(found.is_some())
}

fn keydelete(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (before, found) = clause(find(&args[0], clause_position(&args[1])?, &args[2]))?;
    Ok(Term::list_with_tail(before, found.map_or(Term::Nil, |(_, rest)| rest)))
}

fn keyreplace(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let at = clause_position(&args[1])?;
    clause(args[3].as_tuple())?;
    let (before, found) = clause(find(&args[0], at, &args[2]))?;
    let rest = found.map_or(Term::Nil, |(_, rest)| Term::cons(args[3].clone(), rest));
    Ok(Term::list_with_tail(before, rest))
}

fn keystore(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let at = clause_position(&args[1])?;
    clause(args[3].as_tuple())?;
    let (before, found) = clause(find(&args[0], at, &args[2]))?;
    let rest = found.map_or(Term::Nil, |(_, rest)| rest);
    Ok(Term::list_with_tail(before, Term::cons(args[3].clone(), rest)))
}

fn keytake(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (before, found) = clause(find(&args[0], clause_position(&args[1])?, &args[2]))?;
    let Some((taken, rest)) = found else { return truth(false) };
    Ok(Term::tuple([a!("value"), taken, Term::list_with_tail(before, rest)]))
}

fn flatten_into(term: &Term, out: &mut Vec<Term>) -> Option<()> {
    let mut left = vec![term];
    while let Some(mut rest) = left.pop() {
        halt::pace();
        while let Term::Cons(cell) = rest {
            rest = &cell.tail;
            match &cell.head {
                Term::Nil => {}
                inner @ Term::Cons(_) => {
                    left.push(rest);
                    rest = inner;
                }
                item => out.push(item.clone()),
            }
        }
        if !matches!(rest, Term::Nil) {
            return None;
        }
    }
    Some(())
}

fn flatten(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut out = Vec::new();
    clause(flatten_into(&args[0], &mut out))?;
    clause(args.get(1).is_none_or(|tail| matches!(tail, Term::Nil | Term::Cons(_))).then_some(()))?;
    Ok(Term::list_with_tail(out, args.get(1).cloned().unwrap_or(Term::Nil)))
}

fn flatlength(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut out = Vec::new();
    clause(flatten_into(&args[0], &mut out))?;
    Ok(Term::from(out.len()))
}

fn duplicate(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let n = clause(args[0].as_usize())?;
    ask_for_list(n);
    list(vec![args[1].clone(); n])
}

fn sublist(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    clause(matches!(args[0], Term::Nil | Term::Cons(_) | Term::Trace(_)).then_some(()))?;
    let n = count(&args[1])?;
    if let Term::Trace(_) = args[0] {
        return list(items(&args[0])?.into_iter().take(n).collect());
    }
    let mut cells = args[0].cells();
    let taken: Vec<Term> = cells.by_ref().take(n).cloned().collect();
    clause((taken.len() == n || matches!(cells.rest(), Term::Nil)).then_some(()))?;
    list(taken)
}

/// How many at most; no list is longer than the largest number here.
fn count(n: &Term) -> Result<usize, Raise> {
    match n {
        Term::Big(n) if n.sign() == Sign::Plus => Ok(usize::MAX),
        n => clause(n.as_usize()),
    }
}

fn sublist_from(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let start = clause(count(&args[1])?.checked_sub(1))?;
    let n = count(&args[2])?;
    if let Term::Trace(_) = args[0] {
        return list(items(&args[0])?.into_iter().skip(start).take(n).collect());
    }
    clause(matches!(args[0], Term::Nil | Term::Cons(_)).then_some(()))?;
    let mut cells = args[0].cells();
    let n_skipped = cells.by_ref().take(start).count();
    let taken: Vec<Term> = cells.by_ref().take(n).cloned().collect();
    let is_enough = n_skipped == start && taken.len() == n;
    clause((is_enough || matches!(cells.rest(), Term::Nil)).then_some(()))?;
    list(taken)
}

fn split(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let n = arg(args[0].as_usize())?;
    if let Term::Trace(_) = args[1] {
        let mut all = arg(args[1].to_vec())?;
        arg((n <= all.len()).then_some(()))?;
        let rest = all.split_off(n);
        return Ok(Term::tuple([Term::list(all), Term::list(rest)]));
    }
    arg(matches!(args[1], Term::Nil | Term::Cons(_)).then_some(()))?;
    let mut cells = args[1].cells();
    let first: Vec<Term> = cells.by_ref().take(n).cloned().collect();
    arg((first.len() == n).then_some(()))?;
    Ok(Term::tuple([Term::list(first), cells.rest().clone()]))
}

fn zip(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (a, b) = (items(&args[0])?, items(&args[1])?);
    clause((a.len() == b.len()).then_some(()))?;
    list(a.into_iter().zip(b).map(|(a, b)| Term::tuple([a, b])).collect())
}

fn zip3(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (a, b, c) = (items(&args[0])?, items(&args[1])?, items(&args[2])?);
    clause((a.len() == b.len() && b.len() == c.len()).then_some(()))?;
    list(a.into_iter().zip(b).zip(c).map(|((a, b), c)| Term::tuple([a, b, c])).collect())
}

fn columns(term: &Term, n: usize) -> Outcome {
    let mut columns: Vec<Vec<Term>> = vec![Vec::new(); n];
    for item in items(term)? {
        let fields = clause(item.as_tuple().filter(|fields| fields.len() == n))?;
        fields.iter().zip(&mut columns).for_each(|(field, column)| column.push(field.clone()));
    }
    Ok(Term::tuple(columns.into_iter().map(Term::list)))
}

fn unzip(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    columns(&args[0], 2)
}

fn unzip3(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    columns(&args[0], 3)
}

fn prefix(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (mut start, mut whole) = (args[0].cells(), args[1].cells());
    loop {
        let (own, rest) = (start.rest(), whole.rest());
        match (own, rest) {
            (Term::Nil, Term::Nil | Term::Cons(_)) => return truth(true),
            (Term::Cons(_), Term::Nil) => return truth(false),
            (Term::Cons(_), Term::Cons(_)) if start.next() != whole.next() => return truth(false),
            (Term::Cons(_), Term::Cons(_)) => {}
            _ => return clause(None),
        }
    }
}

fn suffix(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    truth(arg(args[1].to_vec())?.ends_with(&arg(args[0].to_vec())?))
}

fn concat(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut out = Vec::new();
    for item in items(&args[0])? {
        match &item {
            Term::Atom(atom) => out.extend(items(&Term::string(atom.text()))?),
            Term::Int(_) | Term::Big(_) => {
                out.extend(items(&Term::string(&print::quoted(&item)))?);
            }
            Term::Float(x) => {
                out.extend(items(&Term::string(&super::convert::scientific(*x, 20)))?);
            }
            other => out.extend(items(other)?),
        }
    }
    list(out)
}

fn enumerate(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    match args {
        [start, all] => numbered(start, &Term::Int(1), all),
        _ => numbered(&Term::Int(1), &Term::Int(1), &args[0]),
    }
}

/// Each item with its number, from `start` on in steps.
pub(super) fn numbered(start: &Term, step: &Term, all: &Term) -> Outcome {
    let mut next = clause(number::is_integer(start).then(|| start.clone()))?;
    clause(number::is_integer(step).then_some(()))?;
    let mut pairs = Vec::new();
    for item in items(all)? {
        let after = clause(number::add(&next, step))?;
        pairs.push(Term::tuple([std::mem::replace(&mut next, after), item]));
    }
    list(pairs)
}

fn join(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut out = Vec::new();
    for (i, item) in items(&args[1])?.into_iter().enumerate() {
        if i > 0 {
            out.push(args[0].clone());
        }
        out.push(item);
    }
    list(out)
}
