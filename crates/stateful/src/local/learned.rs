//! Who touches what, as far as is known, and which steps are taken to be local because of it.
//! Facts only grow: a step that something speaks against is never local again. A step that was taken to be local is relied upon; a
//! fact that speaks against it makes the search void (`local`), and what was learned is kept for the next one.
//! Events that come again are known by the address of their footprint ([`Happened::comes_again`]), so most questions are one look-up.
//! Not here: what a mailbox adds to it (`mailboxes`), who takes the steps (`local`).

use super::mailboxes::{Mailboxes, Taker};
use foresee_lts::{Access, Action, Footprint, Happened, Interleaved, Mode, Relation};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An event that could happen, and what is known of it.
pub(crate) struct Event<'e> {
    pub(crate) state: &'e [u32],
    pub(crate) action: Action,
    pub(crate) thread: u64,
    pub(crate) happened: &'e Happened,
}

/// What was learned.
#[derive(Default)]
pub(crate) struct Learned {
    objects: FxHashMap<u64, Object>,
    mailboxes: Mailboxes,
    /// Events that come again, by the address of their footprint.
    known: FxHashMap<usize, Known>,
    is_void: bool,
}

/// An event that was seen.
struct Known {
    /// Kept, so that its address stays its own.
    _footprint: Arc<Footprint>,
    is_local: Option<bool>,
}

/// An object, and who touches it how.
#[derive(Default)]
struct Object {
    touched: Vec<(u64, Mode)>,
    /// By steps that were taken to be local.
    relied: Vec<(u64, Mode)>,
}

impl Object {
    /// Whether a touch races with one of `others` of another thread.
    fn races(others: &[(u64, Mode)], thread: u64, mode: Mode) -> bool {
        others.iter().any(|(other, its)| *other != thread && its.relation(mode) == Relation::Race)
    }
}

impl Learned {
    pub(crate) fn is_void(&self) -> bool {
        self.is_void
    }

    /// Forgets which steps were relied upon and keeps the facts; whether something spoke against one of them.
    pub(crate) fn begin_anew(&mut self) -> bool {
        self.objects.values_mut().for_each(|object| object.relied.clear());
        self.mailboxes.forget_relied();
        self.known.values_mut().for_each(|known| known.is_local = None);
        std::mem::take(&mut self.is_void)
    }

    /// Takes note of an event that can happen.
    pub(crate) fn learn(&mut self, threads: &dyn Interleaved, event: &Event<'_>) {
        let happened = event.happened;
        if happened.comes_again {
            let address = address_of(happened);
            if self.known.contains_key(&address) {
                return;
            }
            let footprint = Arc::clone(&happened.footprint);
            self.known.insert(address, Known { _footprint: footprint, is_local: None });
        }
        for access in &happened.footprint.accesses {
            self.learn_access(event.thread, *access);
        }
        for delivery in &happened.footprint.deliveries {
            self.is_void |= self.mailboxes.learn_delivery(threads, event.thread, *delivery);
        }
        if let Some(receive) = happened.footprint.receive {
            self.is_void |= self.mailboxes.learn_taker(threads, &Taker::of(event, receive));
        }
    }

    fn learn_access(&mut self, thread: u64, access: Access) {
        let object = self.objects.entry(access.object).or_default();
        if !object.touched.contains(&(thread, access.mode)) {
            self.is_void |= Object::races(&object.relied, thread, access.mode);
            object.touched.push((thread, access.mode));
        }
    }

    /// Whether nothing known speaks against taking a step at once; if so, that is relied upon from now on.
    pub(crate) fn is_local(&mut self, threads: &dyn Interleaved, event: &Event<'_>) -> bool {
        self.learn(threads, event);
        let address = address_of(event.happened);
        if event.happened.comes_again
            && let Some(Known { is_local: Some(is_local), .. }) = self.known.get(&address)
        {
            return *is_local;
        }
        let is_local = self.is_unopposed(threads, event);
        if is_local {
            self.rely_on(event);
        }
        if event.happened.comes_again
            && let Some(known) = self.known.get_mut(&address)
        {
            known.is_local = Some(is_local);
        }
        is_local
    }

    /// What is relied upon stays so until the search begins anew, so that a run can be told again as it was found.
    fn is_unopposed(&self, threads: &dyn Interleaved, event: &Event<'_>) -> bool {
        let footprint = &event.happened.footprint;
        // Whoever gives up waiting would not if a message came before.
        let gives_up = footprint.receive.is_some_and(|receive| receive.message.is_none());
        let is_alone = |access: &Access| {
            let object = self.objects.get(&access.object);
            object.is_none_or(|it| {
                it.relied.contains(&(event.thread, access.mode))
                    || !Object::races(&it.touched, event.thread, access.mode)
            })
        };
        !gives_up
            && footprint.accesses.iter().all(is_alone)
            && footprint
                .deliveries
                .iter()
                .all(|delivery| !self.mailboxes.opposes(threads, event.thread, *delivery))
    }

    fn rely_on(&mut self, event: &Event<'_>) {
        let footprint = &event.happened.footprint;
        for access in &footprint.accesses {
            let object = self.objects.entry(access.object).or_default();
            if !object.relied.contains(&(event.thread, access.mode)) {
                object.relied.push((event.thread, access.mode));
            }
        }
        for delivery in &footprint.deliveries {
            self.mailboxes.rely_on(event.thread, *delivery);
        }
    }

    /// About how many bytes all of it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.objects.capacity() * 96 + self.known.capacity() * 32 + self.mailboxes.bytes()
    }
}

fn address_of(happened: &Happened) -> usize {
    Arc::as_ptr(&happened.footprint) as usize
}
