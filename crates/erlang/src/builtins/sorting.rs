//! Sorting and merging, of module `lists`.
//! All of it is stable but `sort/1`, which in Erlang puts terms that compare equal without being the same (1 and 1.0)
//! in an order of its own; where there are such, we take the same way.

use super::lists::{clause_position, items, list};
use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Term, order};
use std::cmp::Ordering;

pub(super) const TABLE: &[Builtin] = &[
    pure("lists", "sort", 1, sort),
    pure("lists", "usort", 1, usort),
    pure("lists", "merge", 1, merge),
    pure("lists", "merge", 2, merge_two),
    pure("lists", "umerge", 1, umerge),
    pure("lists", "umerge", 2, umerge_two),
    pure("lists", "keysort", 2, keysort),
    pure("lists", "ukeysort", 2, ukeysort),
    pure("lists", "keymerge", 3, keymerge),
];

fn sort(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let all = items(&args[0])?;
    let mut sorted = all.clone();
    sorted.sort_by(order::compare);
    let looks_equal = |pair: &[Term]| order::equal(&pair[0], &pair[1]) && pair[0] != pair[1];
    let ambiguous = sorted.len() > 3 && sorted.windows(2).any(looks_equal);
    let first_step = all.windows(2).map(|pair| order::compare(&pair[0], &pair[1]));
    let descends = first_step.into_iter().find(|step| *step != Ordering::Equal);
    if ambiguous && descends == Some(Ordering::Greater) {
        sorted = descending_runs(&all);
        sorted.sort_by(order::compare);
    }
    list(sorted)
}

/// The elements in the order in which a list that starts downwards is taken apart: in runs, the last run first. A run
/// grows at its start, or at the place after that; what fits neither place waits to start the next run.
fn descending_runs(all: &[Term]) -> Vec<Term> {
    let not_after = |a: &Term, b: &Term| order::compare(a, b) != Ordering::Greater;
    let n_equal = all.windows(2).take_while(|pair| order::equal(&pair[0], &pair[1])).count();
    // The two smallest of the run, and the rest of it.
    let (mut second, mut first) = (all[n_equal].clone(), all[n_equal + 1].clone());
    let mut above: Vec<Term> = all[..n_equal].to_vec();
    let mut waiting: Option<Term> = None;
    let mut runs: Vec<Vec<Term>> = Vec::new();
    let run = |first: &Term, second: &Term, above: &[Term]| {
        let mut run = vec![first.clone(), second.clone()];
        run.extend(above.iter().rev().cloned());
        run
    };
    for item in &all[n_equal + 2..] {
        if not_after(item, &first) {
            above.push(std::mem::replace(&mut second, std::mem::replace(&mut first, item.clone())));
        } else if not_after(item, &second) {
            above.push(std::mem::replace(&mut second, item.clone()));
        } else if above.is_empty() {
            above.push(item.clone());
        } else if let Some(start) = waiting.take() {
            runs.push(run(&first, &second, &above));
            above.clear();
            (first, second) =
                if not_after(&start, item) { (start, item.clone()) } else { (item.clone(), start) };
        } else {
            waiting = Some(item.clone());
        }
    }
    runs.push(run(&first, &second, &above));
    runs.extend(waiting.map(|item| vec![item]));
    runs.into_iter().rev().flatten().collect()
}

fn usort(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut all = items(&args[0])?;
    all.sort_by(order::compare);
    all.dedup_by(|a, b| order::equal(a, b));
    list(all)
}

/// Two lists that are in order, as one; of equal elements those of the first come first.
fn merged(a: Vec<Term>, b: Vec<Term>, before: &dyn Fn(&Term, &Term) -> bool) -> Vec<Term> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        out.extend(if before(x, y) { a.next() } else { b.next() });
    }
    out.extend(a);
    out.extend(b);
    out
}

/// As [`merged`], without what compares equal to the element before it.
fn merged_once(a: Vec<Term>, b: Vec<Term>) -> Vec<Term> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match order::compare(x, y) {
            Ordering::Less => out.extend(a.next()),
            Ordering::Equal => drop(b.next()),
            Ordering::Greater => out.extend(b.next()),
        }
    }
    out.extend(a);
    out.extend(b);
    out
}

fn not_after(a: &Term, b: &Term) -> bool {
    order::compare(a, b) != Ordering::Greater
}

fn merge(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut all = Vec::new();
    for one in items(&args[0])? {
        all = merged(all, items(&one)?, &not_after);
    }
    list(all)
}

fn merge_two(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    list(merged(items(&args[0])?, items(&args[1])?, &not_after))
}

fn umerge(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut all = Vec::new();
    for one in items(&args[0])? {
        all = merged_once(all, items(&one)?);
    }
    list(all)
}

fn umerge_two(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    list(merged_once(items(&args[0])?, items(&args[1])?))
}

fn by_key(at: usize) -> impl Fn(&Term, &Term) -> Ordering {
    move |a, b| {
        let key = |term: &Term| term.as_tuple().map(|items| items[at].clone());
        match (key(a), key(b)) {
            (Some(a), Some(b)) => order::compare(&a, &b),
            _ => Ordering::Equal,
        }
    }
}

fn keyed(at: &Term, term: &Term) -> Result<(usize, Vec<Term>), Raise> {
    let at = clause_position(at)?;
    let no_list = || Raise::error(Term::tuple([a!("case_clause"), term.clone()]));
    let all = match term {
        Term::Cons(_) | Term::Nil => items(term)?,
        _ => return Err(no_list()),
    };
    let good = all.iter().all(|item| item.as_tuple().is_some_and(|items| at < items.len()));
    arg(good.then_some((at, all)))
}

/// A single element is in order whatever it is.
fn is_alone(at: &Term, term: &Term) -> bool {
    clause_position(at).is_ok()
        && matches!(term, Term::Cons(cell) if matches!(cell.tail, Term::Nil))
}

fn keysort(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    if is_alone(&args[0], &args[1]) {
        return Ok(args[1].clone());
    }
    let (at, mut all) = keyed(&args[0], &args[1])?;
    all.sort_by(by_key(at));
    list(all)
}

fn ukeysort(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    if is_alone(&args[0], &args[1]) {
        return Ok(args[1].clone());
    }
    let (at, mut all) = keyed(&args[0], &args[1])?;
    let compare = by_key(at);
    all.sort_by(&compare);
    all.dedup_by(|a, b| compare(a, b) == Ordering::Equal);
    list(all)
}

fn keymerge(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (at, a) = keyed(&args[0], &args[1])?;
    let (_, b) = keyed(&args[0], &args[2])?;
    let compare = by_key(at);
    list(merged(a, b, &|x, y| compare(x, y) != Ordering::Greater))
}
