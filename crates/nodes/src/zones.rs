//! Linearizability of one cell that is read and written, every value being written once: decided by the values' zones.
//! Paper: Gibbons and Korach, "Testing Shared Memories" (1997). The write of a value and its reads must stand together in every
//! order. A value must have been current from the first return among them to the last invocation among them: if that comes
//! later, it is a forward zone, in which no other value was current; otherwise there is room for the value anywhere between, a
//! backward zone. An order exists if and only if no two forward zones overlap and no backward zone lies within a forward one.
//! Why: with many clients on one cell the other ways try sets of open writes, of which there are too many; this one sorts.

use crate::deep::{Found, Timed};
use crate::{Access, Sequential};
use rustc_hash::FxHashMap;
use std::borrow::Borrow;

struct Value {
    write: Option<usize>,
    written_at: i64,
    first_return: i64,
    last_invocation: i64,
    /// The operation whose invocation is the last.
    last: Option<usize>,
}

/// Whether some order explains the operations; `None` if they are not reads and writes of values that are written once.
pub(crate) fn decide<S, O, R>(operations: &[Timed<O, R>], initial: &S) -> Option<Found>
where
    S: Sequential,
    O: Borrow<S::Operation>,
    R: Borrow<S::Result>,
{
    let mut values: FxHashMap<u64, Value> = FxHashMap::default();
    let start =
        Value { write: None, written_at: -1, first_return: -1, last_invocation: -1, last: None };
    values.insert(initial.cell()?, start);
    let mut reads = Vec::new();
    for (number, it) in operations.iter().enumerate() {
        let result = it.returned.as_ref().map(|(_, result)| result.borrow());
        let invoked = i64::from(it.invoked);
        match S::access(it.operation.borrow(), result)? {
            Access::Read(None) => {}
            Access::Read(Some(value)) => reads.push((number, value)),
            Access::Write(value) => {
                let written = Value {
                    write: Some(number),
                    written_at: invoked,
                    first_return: it.returned.as_ref().map_or(i64::MAX, |(at, _)| i64::from(*at)),
                    last_invocation: invoked,
                    last: Some(number),
                };
                if values.insert(value, written).is_some() {
                    return None;
                }
            }
        }
    }
    let mut is_read = FxHashMap::default();
    for (number, value) in reads {
        let it = &operations[number];
        let (invoked, returned) = (i64::from(it.invoked), it.returned.as_ref().map(|(at, _)| *at));
        let returned = i64::from(returned.expect("a read with a value has returned"));
        let Some(known) = values.get_mut(&value).filter(|known| known.written_at < returned) else {
            return Some(Found::NoOrder(number)); // read before it was written, or never written
        };
        is_read.insert(value, ());
        known.first_return = known.first_return.min(returned);
        if invoked > known.last_invocation {
            (known.last_invocation, known.last) = (invoked, Some(number));
        }
    }
    // A write that nobody saw return or saw at all need not have happened.
    values.retain(|value, it| it.first_return < i64::MAX || is_read.contains_key(value));
    Some(zones(&values))
}

fn zones(values: &FxHashMap<u64, Value>) -> Found {
    let (mut forward, backward): (Vec<&Value>, Vec<&Value>) =
        values.values().partition(|it| it.first_return < it.last_invocation);
    forward.sort_by_key(|it| it.first_return);
    let blame = |it: &Value| Found::NoOrder(it.last.or(it.write).unwrap_or(0));
    for pair in forward.windows(2) {
        if pair[1].first_return < pair[0].last_invocation {
            return blame(pair[1].max_by_last(pair[0]));
        }
    }
    for it in backward.iter().filter(|it| it.write.is_some()) {
        let before = forward.partition_point(|zone| zone.first_return < it.last_invocation);
        if before > 0 && it.first_return < forward[before - 1].last_invocation {
            return blame(forward[before - 1]);
        }
    }
    Found::Order
}

impl Value {
    fn max_by_last<'a>(&'a self, other: &'a Value) -> &'a Value {
        if self.last_invocation > other.last_invocation { self } else { other }
    }
}
