//! Indices of threads, objects and mailboxes, in the order in which they are first seen.
//! Why: a run asks of every event what else has touched its objects. A step carries their indices, so that is a look into a vector
//! and not a search by name. All explorers of one exploration share their indices, so that they can go on from each other's runs.

use crate::access_kinds::Kind;
use crate::index::{Idx, MailboxIdx, ObjectIdx, ThreadIdx};
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
    threads: FxHashMap<u64, ThreadIdx>,
    objects: FxHashMap<u64, ObjectIdx>,
    mailboxes: FxHashMap<u64, MailboxIdx>,
}

/// The indices of what one event touches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbered {
    pub(crate) thread: ThreadIdx,
    /// As the accesses of the footprint.
    pub(crate) objects: Box<[Access]>,
    /// As its deliveries.
    pub(crate) mailboxes: SmallVec<[MailboxIdx; 2]>,
    /// The mailbox from which it receives, if it does.
    pub(crate) received_from: Option<MailboxIdx>,
    /// After all of its objects and all of its mailboxes.
    pub(crate) objects_end: ObjectIdx,
    pub(crate) mailboxes_end: MailboxIdx,
}

/// A touch of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) object: ObjectIdx,
    pub(crate) kind: Kind,
    pub(crate) mode: Mode,
}

impl Numbers {
    pub(crate) fn thread(&self, thread: u64) -> ThreadIdx {
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
            received_from: footprint.receive.map(|it| number(mailboxes, it.mailbox)),
            objects_end: ObjectIdx::new(objects.len()),
            mailboxes_end: MailboxIdx::new(mailboxes.len()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn number<I: Idx>(known: &mut FxHashMap<u64, I>, name: u64) -> I {
    let new = I::new(known.len());
    *known.entry(name).or_insert(new)
}
