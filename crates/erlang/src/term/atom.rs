//! Atoms: interned texts that are compared by address and ordered by text.
//! Why: an atom is looked at (hash, order, printing) far more often than it is made, so it is a pointer to data that
//! lives as long as the program; no table is consulted to read one.
//! Invariant: two atoms with one text are one pointer.

use foresee_stdx::stable_hash;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

/// An atom.
#[derive(Clone, Copy)]
pub struct Atom(&'static Data);

struct Data {
    text: &'static str,
    hash: u64,
}

static TABLE: LazyLock<Mutex<FxHashMap<&'static str, Atom>>> =
    LazyLock::new(|| Mutex::new(FxHashMap::default()));

impl Atom {
    /// The atom with this text.
    pub fn new(text: &str) -> Atom {
        let mut table = TABLE.lock();
        if let Some(atom) = table.get(text) {
            return *atom;
        }
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        let atom = Atom(Box::leak(Box::new(Data { text, hash: stable_hash(text) })));
        table.insert(text, atom);
        atom
    }

    /// The atom with this text, if the text is an atom already (`list_to_existing_atom`).
    pub fn existing(text: &str) -> Option<Atom> {
        TABLE.lock().get(text).copied()
    }

    pub fn text(self) -> &'static str {
        self.0.text
    }

    /// Depends on the text only.
    pub fn content_hash(self) -> u64 {
        self.0.hash
    }
}

impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Atom {}

impl Hash for Atom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl Ord for Atom {
    fn cmp(&self, other: &Atom) -> Ordering {
        if self == other { Ordering::Equal } else { self.0.text.cmp(other.0.text) }
    }
}

impl PartialOrd for Atom {
    fn partial_cmp(&self, other: &Atom) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.text)
    }
}
