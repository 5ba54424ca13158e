//! Histories: what each client has asked and been told, and in what order as far as anybody can tell.
//! Why: keeping all events of all clients in one list would split states that no client can tell apart. So each client
//! has a history of its own, and each operation in it says how many operations of every *other* client had returned when
//! it was invoked. From these counts follows exactly which operation finished before which began, and nothing more.
//! Invariant: interned histories form a tree, a child being its parent plus one note. Equal histories have equal ids.
//! Not here: judging histories (`linearizability`, `monitor`).

use crate::intern::Arena;
use crate::{Note, Recorded, Recorder, Value};
use foresee_stdx::{mix, stable_hash};
use hashbrown::HashTable;
use parking_lot::{Mutex, RwLock};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

/// The operations of one client, oldest first.
///
/// A client has at most one operation that it waits for, the last one. An earlier operation without a result was given
/// up (the client invoked another before it returned, as after a crash): it may take effect at any later time, or never.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct ClientHistory {
    operations: Vec<Recorded>,
    /// The result that arrived when no operation was pending: the client's own code is wrong.
    stray: Option<Value>,
}

impl ClientHistory {
    pub fn operations(&self) -> &[Recorded] {
        &self.operations
    }

    /// How many operations have returned.
    pub fn completed(&self) -> u32 {
        self.operations.iter().filter(|recorded| recorded.result.is_some()).count() as u32
    }

    /// The operation the client waits for.
    pub fn pending(&self) -> Option<&Recorded> {
        self.operations.last().filter(|recorded| recorded.result.is_none())
    }

    /// What is wrong with the history in itself: a result that nobody waited for.
    pub fn fault(&self) -> Option<String> {
        let stray = self.stray.as_ref()?;
        Some(format!("{stray:?} was returned, but no operation was waiting for a result"))
    }

    /// The history of client number `client` that has these operations.
    pub(crate) fn of(client: usize, operations: Vec<Recorded>) -> Self {
        let mut history = ClientHistory::default();
        for recorded in operations {
            history.add(client, &Note::Invoked(recorded.operation), &recorded.completed_before);
            if let Some(result) = recorded.result {
                history.add(client, &Note::Returned(result), &[]);
            }
        }
        history
    }

    /// Adds a note of client number `client`; `completed` counts the operations of each client that have returned.
    /// After a fault nothing more is kept.
    pub fn add(&mut self, client: usize, note: &Note, completed: &[u32]) {
        if self.stray.is_some() {
            return;
        }
        match note {
            Note::Invoked(operation) => {
                let mut completed_before = completed.to_vec();
                if let Some(own) = completed_before.get_mut(client) {
                    *own = 0;
                }
                let operation = operation.clone();
                self.operations.push(Recorded { operation, result: None, completed_before });
            }
            Note::Returned(result) => match self.operations.last_mut() {
                Some(last) if last.result.is_none() => last.result = Some(result.clone()),
                _ => self.stray = Some(result.clone()),
            },
        }
    }
}

/// The histories of several clients, written down as things happen.
///
/// ```
/// use foresee_nodes::{Register, RegisterOperation::*, RegisterResult::*, Recording, check};
/// let mut recording = Recording::new(2);
/// recording.invoked(0, Write('b'));
/// recording.returned(0, WriteOk::<char>);
/// recording.invoked(1, Read::<char>);
/// recording.returned(1, ReadOk('a')); // the old value, after the write has returned
/// let explanation = check(recording.histories(), &Register::new('a')).unwrap_err();
/// assert_eq!(
///     explanation.to_string(),
///     "client2's Read returned ReadOk('a'), which no order of the operations explains: it could only be ReadOk('b')\n\
///      (client1's Write('b') had returned before it was invoked)\n\
///      client1 |Write('b') -> WriteOk|\n\
///      client2                        |Read -> ReadOk('a')|  <- impossible\n"
/// );
/// ```
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Recording {
    histories: Vec<ClientHistory>,
}

impl Recording {
    pub fn new(clients: usize) -> Self {
        Recording { histories: vec![ClientHistory::default(); clients] }
    }

    pub fn invoked<O: Eq + Hash + Debug + Send + Sync + 'static>(
        &mut self,
        client: usize,
        operation: O,
    ) {
        self.add(client, &Note::Invoked(Value::new(operation)));
    }

    pub fn returned<R: Eq + Hash + Debug + Send + Sync + 'static>(
        &mut self,
        client: usize,
        result: R,
    ) {
        self.add(client, &Note::Returned(Value::new(result)));
    }

    pub fn add(&mut self, client: usize, note: &Note) {
        let completed: Vec<u32> = self.histories.iter().map(ClientHistory::completed).collect();
        self.histories[client].add(client, note, &completed);
    }

    pub fn histories(&self) -> &[ClientHistory] {
        &self.histories
    }
}

/// Interned histories of all clients. As a [`Recorder`] it keeps them and judges nothing.
/// What is there is read without a lock: properties of histories look at it in every state, on every thread.
pub struct Histories {
    tables: Arena<Table>,
    /// How many tables there are; held while one is made.
    n_tables: Mutex<u32>,
}

impl Default for Histories {
    fn default() -> Self {
        Histories { tables: Arena::new(), n_tables: Mutex::new(0) }
    }
}

impl Histories {
    /// The history behind an id.
    pub fn get(&self, client: usize, history: u32) -> Arc<ClientHistory> {
        self.with(client, history, |entry| Arc::clone(&entry.history))
    }

    /// The same, without counting who looks at it.
    pub(crate) fn look(&self, client: usize, history: u32) -> Cow<'_, ClientHistory> {
        match self.table(client) {
            Some(table) => Cow::Borrowed(&*table.entries.get(history).history),
            None => Cow::default(),
        }
    }

    /// Looks at one history of each client at once.
    pub(crate) fn with_all<R>(&self, ids: &[u32], read: impl FnOnce(&[&ClientHistory]) -> R) -> R {
        let empty = ClientHistory::default();
        let found = ids.iter().enumerate().map(|(client, id)| match self.table(client) {
            Some(table) => &*table.entries.get(*id).history,
            None => &empty,
        });
        read(&found.collect::<SmallVec<[&ClientHistory; 8]>>())
    }

    fn with<R>(&self, client: usize, history: u32, read: impl FnOnce(&Entry) -> R) -> R {
        match self.table(client) {
            Some(table) => read(table.entries.get(history)),
            None => {
                assert_eq!(history, 0, "client {client} has no history but the empty one");
                read(&Entry::empty())
            }
        }
    }

    fn table(&self, client: usize) -> Option<&Table> {
        self.tables.find(client as u32)
    }

    fn table_made(&self, client: usize) -> &Table {
        let mut n_tables = self.n_tables.lock();
        while *n_tables as usize <= client {
            self.tables.set(*n_tables, Table::new());
            *n_tables += 1;
        }
        self.tables.get(client as u32)
    }
}

impl Recorder for Histories {
    fn record(&self, client: usize, history: u32, note: &Note, completed: &[u32]) -> u32 {
        if self.with(client, history, |entry| entry.history.stray.is_some()) {
            return history;
        }
        let hash = edge_hash(client, history, note, completed);
        let table = match self.table(client) {
            Some(table) => table,
            None => self.table_made(client),
        };
        let known = table.child(&table.children.read(), hash, client, history, note, completed);
        if let Some(child) = known {
            return child;
        }
        let mut children = table.children.write();
        match table.child(&children, hash, client, history, note, completed) {
            Some(child) => child,
            None => table.add(&mut children, hash, client, history, note, completed),
        }
    }

    fn advance(&self, monitor: u32, _client: usize, _note: &Note) -> u32 {
        monitor
    }

    fn completed(&self, client: usize, history: u32) -> u32 {
        self.with(client, history, |entry| entry.completed)
    }

    fn fault(&self, client: usize, history: u32) -> Option<String> {
        self.with(client, history, |entry| entry.history.fault())
    }

    fn history_hash(&self, client: usize, history: u32) -> u64 {
        self.with(client, history, |entry| entry.content_hash)
    }

    fn operations(&self, client: usize, history: u32) -> Vec<Recorded> {
        self.with(client, history, |entry| entry.history.operations.clone())
    }

    fn histories(&self) -> Option<&Histories> {
        Some(self)
    }

    fn memory_bytes(&self) -> usize {
        let bytes_of = |entry: &Entry| {
            let operations = entry.history.operations.iter();
            let counts = operations.map(|recorded| 4 * recorded.completed_before.capacity());
            size_of::<Entry>()
                + size_of::<ClientHistory>()
                + entry.history.operations.capacity() * size_of::<Recorded>()
                + counts.sum::<usize>()
        };
        let n_tables = *self.n_tables.lock();
        let bytes_of_table = |table: &Table| {
            let children = table.children.read();
            // Every entry but the first is a child.
            let entries = (0..=children.len() as u32).map(|id| table.entries.get(id));
            entries.map(bytes_of).sum::<usize>() + children.capacity() * 16
        };
        (0..n_tables).map(|client| bytes_of_table(self.tables.get(client))).sum()
    }
}

/// The tree of one client's histories. Entry 0 is the empty history.
struct Table {
    entries: Arena<Entry>,
    children: RwLock<Children>,
}

/// Every entry but the first, found by what it adds to which parent.
type Children = HashTable<(u64, u32)>;

struct Entry {
    history: Arc<ClientHistory>,
    parent: u32,
    content_hash: u64,
    completed: u32,
}

impl Entry {
    fn empty() -> Self {
        let history = Arc::new(ClientHistory::default());
        Entry { history, parent: 0, content_hash: mix(1), completed: 0 }
    }
}

impl Table {
    fn new() -> Self {
        let entries = Arena::new();
        entries.set(0, Entry::empty());
        Table { entries, children: RwLock::default() }
    }

    fn child(
        &self,
        children: &Children,
        hash: u64,
        client: usize,
        parent: u32,
        note: &Note,
        completed: &[u32],
    ) -> Option<u32> {
        let same = |&(_, child): &(u64, u32)| {
            let child = self.entries.get(child);
            let before = &self.entries.get(parent).history;
            child.parent == parent && child.history.is_after(before, client, note, completed)
        };
        children.find(hash, same).map(|&(_, child)| child)
    }

    fn add(
        &self,
        children: &mut Children,
        hash: u64,
        client: usize,
        parent: u32,
        note: &Note,
        completed: &[u32],
    ) -> u32 {
        let id = children.len() as u32 + 1;
        let before = self.entries.get(parent);
        let mut history = ClientHistory::clone(&before.history);
        history.add(client, note, completed);
        // The edge's hash must not contain the parent's id, which differs from run to run.
        let added = edge_hash(client, 0, note, completed);
        let content_hash = mix(before.content_hash.rotate_left(17) ^ added);
        let completed = history.completed();
        let history = Arc::new(history);
        self.entries.set(id, Entry { history, parent, content_hash, completed });
        children.insert_unique(hash, (hash, id), |&(hash, _)| hash);
        id
    }
}

impl ClientHistory {
    /// Whether this history, a child of `before`, was made by adding this note.
    fn is_after(
        &self,
        before: &ClientHistory,
        client: usize,
        note: &Note,
        completed: &[u32],
    ) -> bool {
        match note {
            Note::Invoked(operation) => {
                self.operations.len() > before.operations.len()
                    && self.operations.last().is_some_and(|last| {
                        last.operation == *operation
                            && same_counts(client, &last.completed_before, completed)
                    })
            }
            Note::Returned(result) if before.pending().is_some() => {
                self.operations.len() == before.operations.len()
                    && self
                        .operations
                        .last()
                        .is_some_and(|last| last.result.as_ref() == Some(result))
            }
            Note::Returned(result) => self.stray.as_ref() == Some(result),
        }
    }
}

fn same_counts(client: usize, stored: &[u32], completed: &[u32]) -> bool {
    stored.len() == completed.len()
        && (0..stored.len()).all(|other| other == client || stored[other] == completed[other])
}

fn edge_hash(client: usize, parent: u32, note: &Note, completed: &[u32]) -> u64 {
    let hash = match note {
        Note::Invoked(operation) => {
            let others = completed.iter().enumerate().filter(|(other, _)| *other != client);
            others.fold(stable_hash(operation), |hash, (_, count)| {
                mix(hash.rotate_left(9) ^ u64::from(*count))
            })
        }
        Note::Returned(result) => !stable_hash(result),
    };
    mix(hash ^ mix(u64::from(parent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invoked(operation: &'static str) -> Note {
        Note::Invoked(Value::new(operation))
    }
    fn returned(result: u32) -> Note {
        Note::Returned(Value::new(result))
    }

    #[test]
    fn equal_histories_have_equal_ids_and_hashes() {
        let (a, b) = (Histories::default(), Histories::default());
        let first = a.record(1, 0, &invoked("x"), &[2, 0]);
        assert_eq!(first, a.record(1, 0, &invoked("x"), &[2, 7]), "the own count does not matter");
        assert_ne!(first, a.record(1, 0, &invoked("x"), &[3, 0]), "another's count does");
        assert_ne!(first, a.record(1, 0, &invoked("y"), &[2, 0]));
        let done = a.record(1, first, &returned(5), &[2, 0]);
        assert_eq!(done, a.record(1, first, &returned(5), &[9, 9]), "no counts at a return");
        assert_eq!((a.completed(1, first), a.completed(1, done)), (0, 1));

        b.record(1, 0, &invoked("z"), &[0, 0]); // other ids in the other table
        let first_b = b.record(1, 0, &invoked("x"), &[2, 0]);
        let done_b = b.record(1, first_b, &returned(5), &[2, 0]);
        assert_ne!(done, done_b);
        assert_eq!(a.history_hash(1, done), b.history_hash(1, done_b));
        assert_ne!(a.history_hash(1, done), a.history_hash(1, first));
        assert_eq!(*a.get(1, done), *b.get(1, done_b));
    }

    #[test]
    fn random_notes_intern_by_content() {
        let histories = Histories::default();
        let mut random = foresee_stdx::Random::new(5);
        let mut seen: Vec<(ClientHistory, u32, u64)> = Vec::new();
        for _ in 0..2000 {
            let (mut id, mut plain) = (0, ClientHistory::default());
            for _ in 0..random.between(1, 5) {
                let note = match random.below(3) {
                    0 => returned(random.below(2) as u32),
                    _ => invoked(["x", "y"][random.below(2) as usize]),
                };
                let completed = [0, random.below(2) as u32];
                id = histories.record(0, id, &note, &completed);
                plain.add(0, &note, &completed);
                assert_eq!(*histories.get(0, id), plain);
            }
            seen.push((plain, id, histories.history_hash(0, id)));
        }
        let mut n_equal = 0;
        for (a, id_a, hash_a) in &seen[..200] {
            for (b, id_b, hash_b) in &seen {
                if a == b {
                    n_equal += 1;
                    assert_eq!((id_a, hash_a), (id_b, hash_b));
                } else {
                    assert!(id_a != id_b && hash_a != hash_b);
                }
            }
        }
        assert!(n_equal > 1000, "the test compares too little: {n_equal}");
    }

    #[test]
    fn a_result_nobody_waits_for_is_a_fault() {
        let histories = Histories::default();
        let stray = histories.record(0, 0, &returned(7), &[0]);
        let fault = histories.fault(0, stray).unwrap();
        assert!(fault.starts_with("7 was returned"), "{fault}");
        assert_eq!(histories.fault(0, 0), None);
        assert_eq!(histories.fault(3, 0), None, "a client that never spoke");
    }
}
