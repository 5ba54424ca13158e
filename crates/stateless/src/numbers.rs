//! Small numbers for threads, objects and mailboxes, in the order in which they are first seen.
//! Why: a run asks of every event what else has touched its objects. A step carries its numbers, so that is an index and not
//! a search by name. All explorers of one exploration share their numbers, so that they can go on from each other's runs.

use foresee_lts::Footprint;
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
    pub(crate) objects: SmallVec<[u32; 8]>,
    /// As its deliveries.
    pub(crate) mailboxes: SmallVec<[u32; 2]>,
    /// The mailbox from which it receives, if it does.
    pub(crate) received_from: u32,
}

impl Numbers {
    pub(crate) fn thread(&self, thread: u64) -> u32 {
        number(&mut self.lock().threads, thread)
    }

    pub(crate) fn of(&self, footprint: &Footprint) -> Numbered {
        let Tables { threads, objects, mailboxes } = &mut *self.lock();
        Numbered {
            thread: number(threads, footprint.thread_key()),
            objects: footprint.accesses.iter().map(|it| number(objects, it.object)).collect(),
            mailboxes: footprint
                .deliveries
                .iter()
                .map(|it| number(mailboxes, it.mailbox))
                .collect(),
            received_from: footprint.receive.map_or(0, |it| number(mailboxes, it.mailbox)),
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
