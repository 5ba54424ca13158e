//! Tables: objects with a key, shared between processes.
//! Objects are kept sorted by key, so that equal tables are equal values. A `set` has no order of its own in Erlang;
//! here it is the order of terms, one of those a program must be able to live with.
//! Invariant: for `set` and `ordered_set` keys are unique; in bags objects of one key are in order of insertion.

pub(crate) mod match_spec;
pub(crate) mod spec_check;

use crate::term::{Atom, Pid, Reference, Term, order};
use crate::world::component::Signal;
use crate::world::edit::Edit;
use crate::world::step::Step;
use std::cmp::Ordering;

/// A table.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Table {
    pub id: Reference,
    pub name: Atom,
    pub named: bool,
    pub kind: TableKind,
    pub protection: Protection,
    pub owner: Pid,
    pub heir: Option<(Pid, Term)>,
    /// Counted from 1.
    pub key_position: usize,
    pub(crate) objects: Vec<Term>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum TableKind {
    Set,
    OrderedSet,
    Bag,
    DuplicateBag,
}

impl TableKind {
    pub fn name(self) -> &'static str {
        match self {
            TableKind::Set => "set",
            TableKind::OrderedSet => "ordered_set",
            TableKind::Bag => "bag",
            TableKind::DuplicateBag => "duplicate_bag",
        }
    }

    pub fn is_bag(self) -> bool {
        matches!(self, TableKind::Bag | TableKind::DuplicateBag)
    }
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Protection {
    Public,
    Protected,
    Private,
}

impl Protection {
    pub fn name(self) -> &'static str {
        match self {
            Protection::Public => "public",
            Protection::Protected => "protected",
            Protection::Private => "private",
        }
    }
}

impl Table {
    pub fn objects(&self) -> &[Term] {
        &self.objects
    }

    /// The key of an object, if it is long enough to have one.
    pub fn key_of<'t>(&self, object: &'t Term) -> Option<&'t Term> {
        object.as_tuple()?.get(self.key_position - 1)
    }

    pub fn compare_keys(&self, a: &Term, b: &Term) -> Ordering {
        match self.kind {
            TableKind::OrderedSet => order::compare(a, b),
            _ => order::compare_exact(a, b),
        }
    }

    /// Where the objects of a key are.
    pub fn range(&self, key: &Term) -> std::ops::Range<usize> {
        let order = |object: &Term| {
            self.compare_keys(self.key_of(object).expect("objects in a table have a key"), key)
        };
        let start = self.objects.partition_point(|object| order(object) == Ordering::Less);
        let n = self.objects[start..].partition_point(|object| order(object) == Ordering::Equal);
        start..start + n
    }

    pub fn lookup(&self, key: &Term) -> &[Term] {
        &self.objects[self.range(key)]
    }

    pub fn contains(&self, key: &Term) -> bool {
        !self.range(key).is_empty()
    }

    /// Inserts an object known to have a key.
    pub fn insert(&mut self, object: Term) {
        let range = self.range(self.key_of(&object).expect("checked"));
        match self.kind {
            TableKind::Set | TableKind::OrderedSet => {
                if range.is_empty() {
                    self.objects.insert(range.start, object);
                } else {
                    self.objects[range.start] = object;
                }
            }
            TableKind::Bag => {
                if !self.objects[range.clone()].contains(&object) {
                    self.objects.insert(range.end, object);
                }
            }
            TableKind::DuplicateBag => self.objects.insert(range.end, object),
        }
    }

    /// Inserts the objects of one call. A bag takes those of a list from the last on, as OTP does.
    pub fn insert_all(&mut self, mut objects: Vec<Term>) {
        if self.kind == TableKind::Bag {
            objects.reverse();
        }
        objects.into_iter().for_each(|object| self.insert(object));
    }

    pub fn delete(&mut self, key: &Term) {
        let range = self.range(key);
        self.objects.drain(range);
    }

    pub fn retain(&mut self, keep: impl FnMut(&Term) -> bool) {
        self.objects.retain(keep);
    }

    /// The key of the object at an index.
    pub fn key_at(&self, index: usize) -> Option<Term> {
        self.objects.get(index).and_then(|object| self.key_of(object)).cloned()
    }

    pub fn readable_by(&self, pid: Pid) -> bool {
        self.owner == pid || self.protection != Protection::Private
    }

    pub fn writable_by(&self, pid: Pid) -> bool {
        self.owner == pid || self.protection == Protection::Public
    }
}

impl Step<'_> {
    /// The id of a table given by name or id.
    pub fn table_id(&self, table: &Term) -> Option<Reference> {
        match table {
            Term::Atom(name) => {
                let names = &self.shared().table_names;
                names.iter().find(|(own, _)| own == name).map(|(_, id)| *id)
            }
            _ => table.as_reference().filter(|id| self.table(*id).is_some()),
        }
    }

    pub(crate) fn drop_table(&mut self, id: Reference) {
        if let Some(owner) = self.table(id).map(|table| table.owner) {
            self.owns(owner, id, false);
        }
        self.put_table(id, None);
        if self.shared().table_names.iter().any(|(_, own)| *own == id) {
            self.shared_mut().table_names.retain(|(_, own)| *own != id);
        }
    }

    /// Notes that a process owns a table, or does so no longer.
    pub(crate) fn owns(&mut self, owner: Pid, id: Reference, owned: bool) {
        self.edit(owner, if owned { Edit::Own(id) } else { Edit::Disown(id) });
    }

    /// Gives a table to another process, which is told.
    pub(crate) fn transfer(&mut self, id: Reference, from: Pid, to: Pid, data: Term) {
        self.owns(from, id, false);
        self.owns(to, id, true);
        let Some(table) = self.table_mut(id) else { return };
        table.owner = to;
        let shown = if table.named { Term::Atom(table.name) } else { Term::reference(id) };
        let message = Term::tuple([a!("ETS-TRANSFER"), shown, Term::Pid(from), data]);
        self.signal(from, to, Signal::Message(message));
    }
}
