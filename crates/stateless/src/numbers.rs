//! Small numbers for threads, objects and mailboxes, in the order in which they are first seen.
//! Why: a run asks of every event what else has touched its objects. A step carries its numbers, so that is an index and not
//! a search by name. All explorers of one exploration share their numbers, so that they can go on from each other's runs.

use crate::access_kinds::Kind;
use foresee_lts::{Footprint, Mode};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub(crate) struct Numbers {
    tables: Mutex<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    threads: FxHashMap<u64, u32>,
    objects: FxHashMap<u64, u32>,
    mailboxes: FxHashMap<u64, u32>,
}

/// The numbers of what one event touches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbered {
    pub(crate) thread: u32,
    /// As the accesses of the footprint.
    pub(crate) objects: Box<[Access]>,
    /// As its deliveries.
    pub(crate) mailboxes: SmallVec<[u32; 2]>,
    /// The mailbox from which it receives, if it does.
    pub(crate) received_from: u32,
    /// More than the greatest numbers of its objects and of its mailboxes.
    pub(crate) n_objects: u32,
    pub(crate) n_mailboxes: u32,
}

/// A touch of the object with that number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) object: u32,
    pub(crate) kind: Kind,
    pub(crate) mode: Mode,
}

impl Numbers {
    pub(crate) fn thread(&self, thread: u64) -> u32 {
        number(&mut self.lock().threads, thread)
    }

    pub(crate) fn of(&self, footprint: &Footprint) -> Numbered {
        let Tables { threads, objects, mailboxes } = &mut *self.lock();
        let accesses = footprint.accesses.iter().map(|it| {
            let object = number(objects, it.object);
            Access { object, kind: Kind::of(it.mode), mode: it.mode }
        });
        Numbered {
            thread: number(threads, footprint.thread_key()),
            objects: accesses.collect(),
            mailboxes: footprint
                .deliveries
                .iter()
                .map(|it| number(mailboxes, it.mailbox))
                .collect(),
            received_from: footprint.receive.map_or(0, |it| number(mailboxes, it.mailbox)),
            n_objects: objects.len() as u32,
            n_mailboxes: mailboxes.len() as u32,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn number(numbers: &mut FxHashMap<u64, u32>, name: u64) -> u32 {
    let n = numbers.len() as u32;
    *numbers.entry(name).or_insert(n)
}
