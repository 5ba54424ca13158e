//! Changes of an inbox that are made without looking at it.
//! Why: what a process does rarely depends on what else is in the inbox to which it adds a message or a monitor. A step that
//! looked at the whole of it would be computed anew for every order in which others have sent theirs. So it says what is to
//! become of the inbox, and asks only for what it needs to know (`crate::events::lookup`); what that makes of each inbox is remembered
//! here.
//! Invariant: an edit has the same effect on equal inboxes, and none on a process without one.
//! Not here: who edits what (`crate::world::signal`), how a step sees an inbox with its own edits (`crate::world::inboxes`).

use crate::term::{Pid, Reference, Term};
use crate::world::component::{Alias, AliasEnds, Component, Inbox, Monitor, Watcher};
use crate::world::core::Core;
use crate::world::intern::Interner;
use foresee_stdx::stable_hash;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One change of an inbox.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Edit {
    /// A message comes in.
    Push(Term),
    /// The oldest message that is equal to this one is taken out.
    Take(Term),
    /// All messages go.
    Clear,
    Link(Pid),
    Unlink(Pid),
    /// It watches somebody.
    Monitor(Monitor),
    /// It watches nobody any more with this reference.
    Forget(Reference),
    /// Somebody watches it.
    Watch(Watcher),
    Unwatch(Reference),
    /// The monitor was taken back, but its message is still to be sent.
    TakeBack(Reference),
    /// It gets a name.
    Name,
    Alias(Alias),
    Unalias(Reference),
    /// The monitor of an alias is gone, and the alias too unless it ends only explicitly.
    EndAlias(Reference),
    Own(Reference),
    Disown(Reference),
}

impl Edit {
    /// Whether it bears on a monitor or an alias of this reference.
    pub(crate) fn is_of(&self, reference: Reference) -> bool {
        match self {
            Edit::Monitor(monitor) => monitor.reference == reference,
            Edit::Alias(alias) => alias.reference == reference,
            Edit::Forget(own) | Edit::Unalias(own) | Edit::EndAlias(own) => *own == reference,
            _ => false,
        }
    }

    /// Whether it bears on a link with this process.
    pub(crate) fn is_link_with(&self, pid: Pid) -> bool {
        matches!(self, Edit::Link(own) | Edit::Unlink(own) if *own == pid)
    }
}

impl Inbox {
    pub(crate) fn edit(&mut self, edit: &Edit) {
        match edit {
            Edit::Push(message) => self.messages.push(message.clone()),
            Edit::Take(message) => {
                let at = self.messages.iter().position(|own| own == message);
                at.into_iter().for_each(|at| drop(self.messages.remove(at)));
            }
            Edit::Clear => self.messages.clear(),
            Edit::Link(pid) => {
                self.linked = true;
                insert(&mut self.links, *pid);
            }
            Edit::Unlink(pid) => self.links.retain(|own| own != pid),
            Edit::Monitor(monitor) => {
                self.monitors.push(monitor.clone());
                self.monitors.sort_unstable();
            }
            Edit::Forget(reference) => self.monitors.retain(|own| own.reference != *reference),
            Edit::Watch(watcher) => {
                self.watched = true;
                let at = self.watchers.partition_point(|own| own.reference < watcher.reference);
                self.watchers.insert(at, watcher.clone());
            }
            Edit::Unwatch(reference) => self.watchers.retain(|own| own.reference != *reference),
            Edit::TakeBack(reference) => {
                let own = self.watchers.iter_mut().filter(|own| own.reference == *reference);
                own.for_each(|own| own.is_taken_back = true);
            }
            Edit::Name => self.named = true,
            Edit::Alias(alias) => {
                self.aliases.push(*alias);
                self.aliases.sort_unstable();
            }
            Edit::Unalias(reference) => self.aliases.retain(|own| own.reference != *reference),
            Edit::EndAlias(reference) => {
                let stays = |own: &Alias| own.ends == AliasEnds::Explicitly;
                self.aliases.retain(|own| own.reference != *reference || stays(own));
            }
            Edit::Own(table) => insert(&mut self.tables, *table),
            Edit::Disown(table) => self.tables.retain(|own| own != table),
        }
    }
}

/// Into a sorted list, once.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
}

/// What becomes of a slot.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Change {
    /// It holds the component with this id.
    Put(u32),
    /// Its inbox is changed by the edits with this number.
    Edit(u32),
}

/// Lists of edits, numbered, and what they have made of inboxes.
#[derive(Default)]
pub(crate) struct Edits {
    lists: Arc<Interner<Box<[Edit]>>>,
    made: RwLock<FxHashMap<(u32, u32), u32>>,
}

/// More results than this are forgotten all at once.
const MADE_MAX: usize = 1 << 21;

impl Edits {
    /// The same numbers, with nothing made yet.
    pub(crate) fn for_thread(&self) -> Edits {
        Edits { lists: Arc::clone(&self.lists), made: RwLock::default() }
    }

    pub(crate) fn number(&self, edits: Vec<Edit>) -> u32 {
        self.lists.intern(stable_hash(&edits), edits.into())
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.lists.len() * 128 + self.made.read().capacity() * 16
    }
}

impl Core {
    /// What a change makes of the component with this id.
    pub(crate) fn changed(&self, id: u32, change: Change) -> u32 {
        match change {
            Change::Put(new) => new,
            Change::Edit(_) if id == 0 => 0,
            Change::Edit(edits) => {
                let key = (edits, id);
                if let Some(&new) = self.edits.made.read().get(&key) {
                    return new;
                }
                let new = self.intern(edited(self.get(id), self.edits.lists.get(edits)));
                let mut made = self.edits.made.write();
                if made.len() > MADE_MAX {
                    made.clear();
                }
                made.insert(key, new);
                new
            }
        }
    }
}

/// An inbox after some edits.
pub(crate) fn edited(component: &Component, edits: &[Edit]) -> Component {
    let Component::Inbox(inbox) = component else { unreachable!("only inboxes are edited") };
    let mut inbox = inbox.clone();
    edits.iter().for_each(|edit| inbox.edit(edit));
    Component::Inbox(inbox)
}
