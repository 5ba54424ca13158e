//! How much one process may pile up before it is taken to grow without end.
//! A mailbox is counted at each message. A heap is not: walking a whole process at every step would cost more than the
//! step. It is measured now and then, at moments that depend on the contents alone, so that every run and every order of
//! exploration finds the same; what grows without end passes such a moment soon.

use crate::machine::Suspended;
use crate::tell::label::place_of;
use crate::tell::stuck::StuckBy;
use crate::term::{Atom, Map, Pid, Term};
use crate::world::component::Control;
use crate::world::step::Step;
use foresee_stdx::halt;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    Messages(usize),
    Heap(usize),
}

impl Step<'_> {
    /// The process cannot go on, for it holds too much.
    pub(crate) fn exceeds(&mut self, pid: Pid, limit: Limit) {
        let place = self.process(pid).and_then(|process| match &process.control {
            Control::Calling { rest, .. } | Control::Receiving { rest, .. } => {
                place_of(self.program(), rest)
            }
            _ => None,
        });
        self.exceeds_at(pid, limit, place);
    }

    pub(crate) fn exceeds_at(&mut self, pid: Pid, limit: Limit, place: Option<(Atom, u32)>) {
        let by = match limit {
            Limit::Messages(n) => StuckBy::Messages(n),
            Limit::Heap(n) => StuckBy::Heap(n),
        };
        self.stuck(pid, by, place);
    }

    /// Measures a process that has come to rest, if this is such a moment.
    pub(crate) fn measure(&mut self, pid: Pid) {
        let heap_max = self.core.heap_max;
        let Some(process) = self.process(pid) else { return };
        let (Control::Calling { rest, .. } | Control::Receiving { rest, .. }) = &process.control
        else {
            return;
        };
        let stored = process.dictionary.entries().iter().map(|(_, value)| value);
        if is_moment(rest, &process.dictionary)
            && !halt::is_growth_limited()
            && is_larger(rest.values.iter().chain(stored), heap_max)
        {
            self.exceeds(pid, Limit::Heap(heap_max));
        }
    }
}

fn is_moment(rest: &Suspended, dictionary: &Map) -> bool {
    let add = |hash: u64, term: &Term| hash.wrapping_add(term.content_hash());
    let hash = rest.values.iter().fold(dictionary.content_hash(), add);
    foresee_stdx::mix(hash).is_multiple_of(64)
}

/// Whether terms have more than so many parts; what is shared counts once.
pub(crate) fn is_larger<'t>(terms: impl Iterator<Item = &'t Term>, n_max: usize) -> bool {
    let mut seen = FxHashSet::default();
    let mut todo: Vec<&Term> = terms.collect();
    let mut n = 0;
    while let Some(term) = todo.pop() {
        n += 1;
        if n > n_max {
            return true;
        }
        let address = match term {
            Term::Cons(cell) => Arc::as_ptr(cell).addr(),
            Term::Tuple(tuple) => Arc::as_ptr(tuple).addr(),
            Term::Map(map) => Arc::as_ptr(map).addr(),
            Term::Fun(fun) => Arc::as_ptr(fun).addr(),
            Term::Bits(bits) => {
                n += bits.len() / 64;
                continue;
            }
            _ => continue,
        };
        if !seen.insert(address) {
            continue;
        }
        match term {
            Term::Cons(cell) => todo.extend([&cell.head, &cell.tail]),
            Term::Tuple(tuple) => todo.extend(tuple.items()),
            Term::Map(map) => todo.extend(map.entries().iter().flat_map(|(k, v)| [k, v])),
            Term::Fun(fun) => todo.extend(fun.environment()),
            _ => {}
        }
    }
    false
}
