//! How a step sees inboxes, and changes them.
//! An edit waits until the step is over, or until somebody looks at the whole inbox. Who needs to know only one thing of it
//! asks for that, so that its result holds for every inbox of which the same is true.
//! Invariant: a step sees its own edits; an inbox is in `changed` or has edits waiting, never both.

use crate::events::lookup::{Lookups, Tie};
use crate::term::{Pid, Reference, Term};
use crate::world::component::{AliasEnds, Component, Inbox};
use crate::world::edit::{Edit, edited};
use crate::world::slots::SlotKey;
use crate::world::step::Step;
use std::cell::{OnceCell, RefMut};

/// Edits of the inbox in a slot, which wait.
pub(crate) struct Waiting {
    pub(crate) slot: u32,
    pub(crate) edits: Vec<Edit>,
    /// The inbox after them, if somebody has looked.
    seen: OnceCell<Component>,
}

impl Waiting {
    pub(crate) fn see(&self, before: &Component) -> &Component {
        self.seen.get_or_init(|| edited(before, &self.edits))
    }
}

impl Step<'_> {
    pub fn inbox(&self, pid: Pid) -> Option<&Inbox> {
        match self.component(self.inbox_slot(pid)) {
            Some(Component::Inbox(inbox)) => Some(inbox),
            _ => None,
        }
    }

    pub fn inbox_mut(&mut self, pid: Pid) -> Option<&mut Inbox> {
        match self.component_mut(self.inbox_slot(pid)) {
            Some(Component::Inbox(inbox)) => Some(inbox),
            _ => None,
        }
    }

    pub(crate) fn remove_inbox(&mut self, pid: Pid) {
        self.put(self.inbox_slot(pid), None);
    }

    /// Changes an inbox without looking at it.
    pub(crate) fn edit(&mut self, pid: Pid, edit: Edit) {
        if pid.is_system() {
            return;
        }
        let slot = self.inbox_slot(pid);
        if let Some((_, component)) = self.changed.iter_mut().find(|(own, _)| *own == slot) {
            if let Some(Component::Inbox(inbox)) = component {
                inbox.edit(&edit);
            }
            return;
        }
        match self.waiting.iter_mut().find(|waiting| waiting.slot == slot) {
            Some(waiting) => {
                waiting.edits.push(edit);
                waiting.seen.take();
            }
            None => self.waiting.push(Waiting { slot, edits: vec![edit], seen: OnceCell::new() }),
        }
    }

    /// Whether one more message has room in an inbox; nothing if there is no inbox.
    pub(crate) fn has_room(&self, pid: Pid) -> Option<bool> {
        let n_max = self.core.messages_max;
        let has_room = |inbox: &Inbox| inbox.messages.len() < n_max;
        let Some((mut asked, slot)) = self.unseen(pid, |edit| *edit == Edit::Clear) else {
            return self.inbox(pid).map(has_room);
        };
        let n_more = self.edits_in(slot).iter().fold(1, |n, edit| match edit {
            Edit::Push(_) => n + 1,
            Edit::Take(_) => n - 1,
            _ => n,
        });
        asked.room(self.core, self.state, slot, n_more)
    }

    /// The message that a process in a receive takes next, if its inbox is as it was before the step.
    pub(crate) fn first_match(&self, pid: Pid) -> Option<Term> {
        let (mut asked, slot) = self.unseen(pid, |_| true)?;
        let at = asked.first_match(self.core, self.state, slot)?;
        drop(asked);
        let id = self.state[slot as usize];
        let Component::Inbox(inbox) = self.core.get(id) else { return None };
        inbox.messages.get(at).cloned()
    }

    /// Makes the result hold only where the process may hear of the same monitors: what its receive would take depends on that.
    pub(crate) fn asks_of_monitors(&self, pid: Pid) {
        if self.core.rules.keeps_taken_back {
            let slot = self.inbox_slot(pid);
            self.asked.borrow_mut().open_monitors(self.core, self.state, slot);
        }
    }

    /// Whether a process traps exits; nothing if it has no inbox.
    pub(crate) fn traps(&self, pid: Pid) -> Option<bool> {
        match self.unseen(pid, |_| false) {
            Some((mut asked, slot)) => asked.traps(self.core, self.state, slot),
            None => self.inbox(pid).map(|inbox| inbox.trap_exit),
        }
    }

    pub(crate) fn is_linked(&self, pid: Pid, other: Pid) -> bool {
        match self.unseen(pid, |edit| edit.is_link_with(other)) {
            Some((mut asked, slot)) => asked.linked(self.core, self.state, slot, other),
            None => self.inbox(pid).is_some_and(|inbox| inbox.links.contains(&other)),
        }
    }

    /// When an alias of a process ends, if there is such an alias.
    pub(crate) fn alias(&self, pid: Pid, reference: Reference) -> Option<AliasEnds> {
        self.tie(pid, reference).alias
    }

    /// Whom a process watches with a monitor.
    pub(crate) fn watched_by(&self, pid: Pid, reference: Reference) -> Option<Pid> {
        self.tie(pid, reference).target
    }

    fn tie(&self, pid: Pid, reference: Reference) -> Tie {
        match self.unseen(pid, |edit| edit.is_of(reference)) {
            Some((mut asked, slot)) => asked.tie(self.core, self.state, slot, reference),
            None => self.inbox(pid).map_or(Tie::default(), |inbox| Tie::of(inbox, reference)),
        }
    }

    fn inbox_slot(&self, pid: Pid) -> u32 {
        self.core.slots.of(SlotKey::Process(pid)) + 1
    }

    fn edits_in(&self, slot: u32) -> &[Edit] {
        let waiting = self.waiting.iter().find(|waiting| waiting.slot == slot);
        waiting.map_or(&[], |waiting| &waiting.edits)
    }

    /// The slot of an inbox of which something can be asked as it was before the step; nothing if the step has changed it, or
    /// edited it in a way that `matters`.
    fn unseen(
        &self,
        pid: Pid,
        matters: impl Fn(&Edit) -> bool,
    ) -> Option<(RefMut<'_, Lookups>, u32)> {
        let slot = self.inbox_slot(pid);
        let is_changed = self.changed.iter().any(|(own, _)| *own == slot);
        let is_as_before = !is_changed && !self.edits_in(slot).iter().any(matters);
        is_as_before.then(|| (self.asked.borrow_mut(), slot))
    }
}
