//! What clients' notes do to histories and to the monitor, remembered by one worker.
//! Why: a recorder's methods are functions of ids, and in a search the same few questions are asked over and over. A note
//! of an invocation depends on how far the other clients are; their counts are packed into one word to be part of a key.

use crate::core::Core;
use crate::probe::{ProbeTable, pair};
use rustc_hash::FxHashMap;

pub(crate) struct NoteMemo {
    clients: Vec<ClientMemo>,
    /// How many bits a count of completed operations gets in a packed word.
    count_bits: u32,
    n_entries: usize,
}

struct ClientMemo {
    /// For each history: how many operations have returned.
    completed: Vec<Option<u32>>,
    /// From history, notes and the other clients' counts to the history after.
    histories: FxHashMap<(u64, u128), After>,
    /// From monitor and notes to the monitor after.
    monitors: ProbeTable<u32>,
}

/// The history after a client's notes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct After {
    pub(crate) history: u32,
    /// The difference it makes to the state's hash.
    pub(crate) hash_delta: u64,
    pub(crate) is_faulty: bool,
}

impl NoteMemo {
    pub(crate) fn new(core: &Core) -> Self {
        let n_clients = if core.recorder.is_some() { core.clients.len() } else { 0 };
        let empty = || ClientMemo {
            completed: Vec::new(),
            histories: FxHashMap::default(),
            monitors: ProbeTable::new(),
        };
        NoteMemo {
            clients: (0..n_clients).map(|_| empty()).collect(),
            count_bits: (128 / n_clients.max(1)).min(32) as u32,
            n_entries: 0,
        }
    }

    /// The history of `client` after `notes`.
    pub(crate) fn history_after(
        &mut self,
        core: &Core,
        state: &[u32],
        client: u32,
        notes: u32,
        has_invocation: bool,
    ) -> After {
        let history = state[core.history_slot(client)];
        let counts = if has_invocation { self.other_counts(core, state, client) } else { Some(0) };
        let Some(counts) = counts else { return history_after(core, state, client, notes) };
        let memo = &mut self.clients[client as usize].histories;
        let key = (pair(history, notes), counts);
        *memo.entry(key).or_insert_with(|| {
            self.n_entries += 1;
            history_after(core, state, client, notes)
        })
    }

    /// The monitor after `notes` of `client`.
    pub(crate) fn monitor_after(
        &mut self,
        core: &Core,
        monitor: u32,
        client: u32,
        notes: u32,
    ) -> u32 {
        let memo = &mut self.clients[client as usize].monitors;
        let key = pair(monitor, notes);
        memo.get(key).unwrap_or_else(|| {
            let after = core.monitor_after(monitor, client, notes);
            memo.insert(key, after);
            self.n_entries += 1;
            after
        })
    }

    /// How many answers are remembered.
    pub(crate) fn n_entries(&self) -> usize {
        self.n_entries
    }

    pub(crate) fn forget(&mut self) {
        self.n_entries = 0;
        for client in &mut self.clients {
            client.histories.clear();
            client.monitors.clear();
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let clients = self.clients.iter().map(|client| {
            client.histories.capacity() * size_of::<((u64, u128), After)>()
                + client.monitors.memory_bytes()
                + client.completed.capacity() * size_of::<Option<u32>>()
        });
        clients.sum()
    }

    /// How many operations of each client but `own` have returned, in one word, if they fit.
    fn other_counts(&mut self, core: &Core, state: &[u32], own: u32) -> Option<u128> {
        let mut packed = 0u128;
        for (client, memo) in self.clients.iter_mut().enumerate() {
            let mut count = 0;
            if client != own as usize {
                let history = state[core.history_slot(client as u32)];
                let known = memo.completed.get(history as usize).copied().flatten();
                count = known.unwrap_or_else(|| memo.count_completed(core, client, history));
            }
            if u64::from(count) >> self.count_bits != 0 {
                return None;
            }
            packed = (packed << self.count_bits) | u128::from(count);
        }
        Some(packed)
    }
}

impl ClientMemo {
    #[cold]
    fn count_completed(&mut self, core: &Core, client: usize, history: u32) -> u32 {
        let recorder = core.recorder.as_ref().expect("there are histories");
        let count = recorder.completed(client, history);
        if self.completed.len() <= history as usize {
            self.completed.resize(history as usize + 1, None);
        }
        self.completed[history as usize] = Some(count);
        count
    }
}

#[cold]
fn history_after(core: &Core, state: &[u32], client: u32, notes: u32) -> After {
    let slot = core.history_slot(client);
    let history = core.history_after(state, client, notes);
    let hash_delta =
        core.content_hash(slot, history).wrapping_sub(core.content_hash(slot, state[slot]));
    let recorder = core.recorder.as_ref().expect("there are histories");
    let is_faulty = recorder.fault(client as usize, history).is_some();
    After { history, hash_delta, is_faulty }
}
