//! Linearizability of one whole history of one part, by depth-first search: for histories in which much is open at once.
//! Paper: Wing and Gong, "Testing and Verifying Concurrent Objects" (1993), with the memory of Lowe, "Testing for
//! Linearizability" (2017). A configuration is the set of operations that have taken effect and the state; one that was tried is
//! not tried again. Operations that were given up are tried last, and a configuration with more of them than a tried one that is
//! equal otherwise is not tried: it can do nothing that the other could not.
//! The set is remembered by a 128-bit sum of random numbers, one for each operation. Two sets with one sum would be
//! taken for one; among the configurations of one search that is less likely than a fault of the machine.

use crate::Sequential;
use foresee_stdx::{mix, stable_hash};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// One operation of a history, with the places of its two events in the order of all events.
#[derive(Clone, Debug)]
pub(crate) struct Timed<O, R> {
    pub(crate) operation: O,
    pub(crate) invoked: u32,
    /// `None` if nobody saw what came of it.
    pub(crate) returned: Option<(u32, R)>,
}

/// What was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Found {
    Order,
    /// No order; the operation that returned first among those that no order reached.
    NoOrder(usize),
    TooHard,
}

/// Given-up operations that are told apart.
const GIVEN_UP_MAX: usize = 128;

/// Whether some order explains the operations of a part, trying at most `steps_max` applications of the specification.
pub(crate) fn search<S, O, R>(operations: &[Timed<O, R>], initial: &S, steps_max: u64) -> Found
where
    S: Sequential,
    O: std::borrow::Borrow<S::Operation>,
    R: std::borrow::Borrow<S::Result>,
{
    let (returned, given_up): (Vec<usize>, Vec<usize>) =
        (0..operations.len()).partition(|&it| operations[it].returned.is_some());
    if given_up.len() > GIVEN_UP_MAX {
        return Found::TooHard;
    }
    let mut open = List::new(operations, &returned);
    let mut taken_given_up: u128 = 0;
    let mut sum: u128 = 0;
    let mut object = initial.clone();
    let mut tried: FxHashMap<(u128, u64), SmallVec<[u128; 1]>> = FxHashMap::default();
    let mut stack: Vec<(Choice, S)> = Vec::new();
    let mut next = Choice::first(&open);
    let (mut n_steps, mut farthest) = (0, usize::MAX);
    let mut farthest_return = 0;
    while !open.is_empty() {
        n_steps += 1;
        if n_steps > steps_max {
            return Found::TooHard;
        }
        let (limit, blocker) = open.first_return(operations);
        if limit >= farthest_return {
            (farthest_return, farthest) = (limit, blocker);
        }
        let chosen = match next {
            Choice::Returned(position) if position != List::END => {
                let it = open.operation_at(position);
                (operations[it].invoked < limit).then_some(it)
            }
            _ => None,
        };
        if let (Some(it), Choice::Returned(position)) = (chosen, next) {
            let mut after = object.clone();
            let got = after.apply(operations[it].operation.borrow());
            let wanted = operations[it].returned.as_ref().expect("it has returned");
            if got == *wanted.1.borrow() {
                let new_sum = sum.wrapping_add(token(it));
                if is_new(&mut tried, new_sum, &after, taken_given_up) {
                    stack.push((next, std::mem::replace(&mut object, after)));
                    open.remove(position);
                    sum = new_sum;
                    next = Choice::first(&open);
                    continue;
                }
            }
            next = Choice::Returned(open.after(position));
            continue;
        }
        // No operation that has returned comes next: one that was given up may.
        let from = if let Choice::GivenUp(place) = next { place } else { 0 };
        let candidate = (from..given_up.len()).find(|&place| {
            taken_given_up & (1 << place) == 0 && operations[given_up[place]].invoked < limit
        });
        if let Some(place) = candidate {
            let mut after = object.clone();
            after.apply(operations[given_up[place]].operation.borrow());
            let taken = taken_given_up | 1 << place;
            if after != object && is_new(&mut tried, sum, &after, taken) {
                stack.push((Choice::GivenUp(place), std::mem::replace(&mut object, after)));
                taken_given_up = taken;
                next = Choice::first(&open);
            } else {
                next = Choice::GivenUp(place + 1);
            }
            continue;
        }
        let Some((choice, before)) = stack.pop() else { return Found::NoOrder(farthest) };
        object = before;
        next = match choice {
            Choice::Returned(position) => {
                open.restore(position);
                sum = sum.wrapping_sub(token(open.operation_at(position)));
                Choice::Returned(open.after(position))
            }
            Choice::GivenUp(place) => {
                taken_given_up &= !(1 << place);
                Choice::GivenUp(place + 1)
            }
        };
    }
    Found::Order
}

/// What takes effect next: a place in the list of open operations, or one that was given up.
#[derive(Clone, Copy)]
enum Choice {
    Returned(usize),
    GivenUp(usize),
}

impl Choice {
    fn first(open: &List) -> Self {
        Choice::Returned(open.after(List::HEAD))
    }
}

fn is_new<S: Sequential>(
    tried: &mut FxHashMap<(u128, u64), SmallVec<[u128; 1]>>,
    sum: u128,
    object: &S,
    given_up: u128,
) -> bool {
    let known = tried.entry((sum, stable_hash(object))).or_default();
    if known.iter().any(|fewer| fewer & !given_up == 0) {
        return false;
    }
    known.retain(|more| given_up & !*more != 0);
    known.push(given_up);
    true
}

fn token(operation: usize) -> u128 {
    let low = mix(operation as u64 + 1);
    u128::from(mix(!low)) << 64 | u128::from(low)
}

/// Operations that have returned and have not taken effect yet, in the order of invocation; what was removed last can be put
/// back where it was.
struct List {
    operations: Vec<usize>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// The same operations by when they returned, with a mark on those that have taken effect.
    by_return: Vec<usize>,
    is_removed: Vec<bool>,
    first_return: usize,
    /// For each operation its place in `by_return`.
    return_place: Vec<usize>,
}

impl List {
    const HEAD: usize = 0;
    const END: usize = usize::MAX;

    fn new<O, R>(all: &[Timed<O, R>], returned: &[usize]) -> Self {
        let mut operations = returned.to_vec();
        operations.sort_by_key(|it| all[*it].invoked);
        let n = operations.len();
        let next = (1..=n + 1).map(|i| if i > n { List::END } else { i }).collect();
        let previous = (0..=n).map(|i: usize| i.saturating_sub(1)).collect();
        let mut by_return = operations.clone();
        by_return.sort_by_key(|it| all[*it].returned.as_ref().map(|(at, _)| *at));
        let mut return_place = vec![0; all.len()];
        by_return.iter().enumerate().for_each(|(place, it)| return_place[*it] = place);
        let is_removed = vec![false; n];
        List { operations, next, previous, by_return, is_removed, first_return: 0, return_place }
    }

    fn is_empty(&self) -> bool {
        self.next[List::HEAD] == List::END
    }

    fn after(&self, position: usize) -> usize {
        self.next[position]
    }

    fn operation_at(&self, position: usize) -> usize {
        self.operations[position - 1]
    }

    /// The first return among those that have not taken effect, and whose it is: nothing invoked later may come before.
    fn first_return<O, R>(&self, all: &[Timed<O, R>]) -> (u32, usize) {
        let it = self.by_return[self.first_return];
        (all[it].returned.as_ref().map_or(u32::MAX, |(at, _)| *at), it)
    }

    fn remove(&mut self, position: usize) {
        let (before, after) = (self.previous[position], self.next[position]);
        self.next[before] = after;
        if after != List::END {
            self.previous[after] = before;
        }
        let place = self.return_place[self.operation_at(position)];
        self.is_removed[place] = true;
        while self.is_removed.get(self.first_return) == Some(&true) {
            self.first_return += 1;
        }
    }

    fn restore(&mut self, position: usize) {
        let (before, after) = (self.previous[position], self.next[position]);
        self.next[before] = position;
        if after != List::END {
            self.previous[after] = position;
        }
        let place = self.return_place[self.operation_at(position)];
        self.is_removed[place] = false;
        self.first_return = self.first_return.min(place);
    }
}
