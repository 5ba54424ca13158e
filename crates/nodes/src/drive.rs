//! The stable storage of one node as part of a state: what is durable, what is not yet, and what waits for it.
//! The rules are those of `foresee-node` (`storage`): writes become durable in their order, what is sent after asking for a sync waits for
//! it. Here they stand in a state, so that a crash can come between any two of them.
//! Invariant: a drive that holds nothing and holds nothing back is no drive at all (`None` in the component), so that a node that
//! has written nothing has the state it always had.

use crate::{Data, Network, Stored};
use foresee_lts::Tree;
use foresee_node::{Disk, Gate, Visible, Write};
use foresee_stdx::stable_hash;

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Drive<M> {
    disk: Disk,
    gate: Gate<M>,
    /// Whether it was lost with everything on it; only while the node is down.
    is_lost: bool,
}

impl<M> Default for Drive<M> {
    fn default() -> Self {
        Drive { disk: Disk::default(), gate: Gate::default(), is_lost: false }
    }
}

impl<M: Data> Drive<M> {
    pub(crate) fn lost() -> Self {
        Drive { is_lost: true, ..Drive::default() }
    }

    pub(crate) fn write(&mut self, write: Write) {
        self.disk.write(write);
        self.gate.wrote();
    }

    pub(crate) fn start_sync(&mut self) {
        self.gate.sync();
    }

    /// Lets something pass, or holds it back. Where the network knows no order, neither does what waits to be sent; where a
    /// message that was sent may arrive again and again, sending it again means nothing, and waits would only grow.
    pub(crate) fn pass(&mut self, visible: Visible<M>, network: Network) -> Option<Visible<M>> {
        if !network.consumes()
            && matches!(visible, Visible::Send { .. })
            && self.gate.held().any(|held| *held == visible)
        {
            return None;
        }
        let passed = self.gate.pass(visible);
        if passed.is_none()
            && !network.keeps_order()
            && let Some(held) = self.gate.held_last_mut()
        {
            held.sort_by_key(|visible| match visible {
                Visible::Send { .. } => stable_hash(visible),
                _ => 0,
            });
        }
        passed
    }

    /// The oldest sync under way is done: the drive after it, and what waited for it.
    pub(crate) fn synced(mut self: Box<Self>) -> (Option<Box<Self>>, Vec<Visible<M>>) {
        let (n_writes, released) = self.gate.synced().expect("a sync is under way");
        self.disk.sync(n_writes);
        (Some(self), released)
    }

    /// The drive after a crash that has left the first `n_kept` of the writes that were not durable.
    pub(crate) fn crashed(mut self: Box<Self>, n_kept: usize) -> Option<Box<Self>> {
        self.disk.crash(n_kept);
        self.gate = Gate::default();
        (!self.disk.is_empty()).then_some(self)
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    pub(crate) fn n_syncs(&self) -> usize {
        self.gate.n_syncs()
    }

    pub(crate) fn n_unsynced(&self) -> usize {
        self.disk.unsynced().len()
    }

    /// What is durable.
    pub(crate) fn stored(&self) -> &Stored {
        self.disk.stored()
    }

    pub(crate) fn describe(&self) -> Tree {
        if self.is_lost {
            return Tree::leaf("lost");
        }
        let mut fields = Vec::new();
        let mut list = |name: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let items = lines.into_iter().map(Tree::leaf).collect();
                fields.push((name.to_owned(), Tree::List { name: String::new(), items }));
            }
        };
        let (snapshot, records) = self.stored().contents();
        list("snapshot", snapshot.iter().map(|record| format!("{record:?}")).collect());
        list("records", records.iter().map(|record| format!("{record:?}")).collect());
        list("not synced", self.disk.unsynced().map(write_in_words).collect());
        list("waiting for the sync", self.gate.held().map(visible_in_words).collect());
        Tree::Record { name: String::new(), fields }
    }
}

fn write_in_words(write: &Write) -> String {
    match write {
        Write::Append(record) => format!("{record:?}"),
        Write::Snapshot(record) => format!("snapshot {record:?}"),
    }
}

fn visible_in_words<M: Data>(visible: &Visible<M>) -> String {
    match visible {
        Visible::Send { to, message } => format!("to {to}: {message:?}"),
        Visible::Invoked(operation) => format!("invokes {operation:?}"),
        Visible::Returned(result) => format!("returns {result:?}"),
    }
}
