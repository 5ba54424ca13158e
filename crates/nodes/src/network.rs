//! Network models: what an inbox holds, what may be delivered from it, and what delivering leaves.
//! An inbox is a slice of envelope ids in a canonical order, so that equal inboxes are equal slices: by content hash for
//! `Set`, `Multiset` (copies side by side) and `ExactlyOnce`; by sender, then by age, for `Fifo`.
//! Not here: handlers and what they send (`moves`), losing and doubling messages as events (`fault`).

use crate::Address;
use crate::intern::Interner;
use foresee_lts::Assumption;
use foresee_stdx::mix;

/// How messages travel.
///
/// ```
/// use foresee_nodes::Network;
/// assert!(!Network::Set.consumes() && Network::Fifo.consumes());
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Network {
    /// Asynchronous: messages are a set, and one that is delivered stays, so it may arrive again, late or never. Every
    /// delivery is an event, even one that changes nothing.
    #[default]
    Set,
    /// Unordered, copies counted: a delivery takes one copy away. A message that its receiver would ignore (no change, no
    /// message, no timer) is not delivered but stays; nothing is lost by that, and it keeps the space small.
    Multiset,
    /// One queue for each sender and receiver: only the oldest message is delivered, and ignored messages are used up.
    Fifo,
    /// As `Multiset`, by a network that neither loses nor doubles: such faults are refused.
    ExactlyOnce,
}

/// A message on its way.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Envelope<M> {
    pub from: Address,
    pub to: Address,
    pub message: M,
    pub(crate) from_node: u32,
    pub(crate) to_node: u32,
}

pub(crate) type Envelopes<M> = Interner<Envelope<M>>;

impl Network {
    /// Whether an envelope can be in flight more than once.
    pub fn counts_copies(self) -> bool {
        self != Network::Set
    }

    /// Whether a delivery takes the message out of the inbox.
    pub fn consumes(self) -> bool {
        self != Network::Set
    }

    /// What a verdict takes for granted of it.
    pub(crate) fn assumption(self) -> Assumption {
        let (model, meaning) = match self {
            Network::Set => ("set", "messages in any order, again, late or never"),
            Network::Multiset => ("multiset", "messages in any order"),
            Network::Fifo => ("fifo", "messages of one sender in their order"),
            Network::ExactlyOnce => ("exactly-once", "messages in any order, each once"),
        };
        Assumption::Network { model, meaning }
    }

    /// Whether it can lose or double messages by faults with a budget.
    pub(crate) fn has_message_faults(self) -> bool {
        matches!(self, Network::Multiset | Network::Fifo)
    }

    /// Whether a delivery that changes nothing is no event.
    pub(crate) fn skips_ignored(self) -> bool {
        matches!(self, Network::Multiset | Network::ExactlyOnce)
    }

    /// The distinct envelopes that may be delivered, in a stable order.
    pub(crate) fn deliverable<'a, M>(
        self,
        inbox: &'a [u32],
        envelopes: &'a Envelopes<M>,
    ) -> impl Iterator<Item = u32> + 'a {
        let from = move |envelope: u32| envelopes.get(envelope).from_node;
        let is_first = move |position: usize| match position.checked_sub(1) {
            None => true,
            Some(before) if self == Network::Fifo => from(inbox[before]) != from(inbox[position]),
            Some(before) => inbox[before] != inbox[position],
        };
        (0..inbox.len()).filter(move |position| is_first(*position)).map(|position| inbox[position])
    }

    /// The inbox after `envelope`, one of the deliverable ones, was taken out.
    pub(crate) fn take(self, inbox: &mut Vec<u32>, envelope: u32) {
        let position = inbox.iter().position(|known| *known == envelope);
        inbox.remove(position.expect("the envelope is in the inbox"));
    }

    /// The inbox after `envelope` was sent.
    pub(crate) fn put<M>(self, inbox: &mut Vec<u32>, envelope: u32, envelopes: &Envelopes<M>) {
        if self == Network::Set && inbox.contains(&envelope) {
            return;
        }
        let from = envelopes.get(envelope).from_node;
        let place = |id: u32| (envelopes.hash(id), id);
        let position = match self {
            Network::Fifo => inbox.partition_point(|known| envelopes.get(*known).from_node <= from),
            _ => inbox.partition_point(|known| place(*known) <= place(envelope)),
        };
        inbox.insert(position, envelope);
    }

    /// Doubles `envelope`, one of the deliverable ones: its copy is right behind it.
    pub(crate) fn double(self, inbox: &mut Vec<u32>, envelope: u32) {
        let position = inbox.iter().position(|known| *known == envelope);
        inbox.insert(position.expect("the envelope is in the inbox"), envelope);
    }

    /// The inbox after its node has crashed: connections break, datagrams stay.
    pub(crate) fn crash(self, inbox: &mut Vec<u32>) {
        if self == Network::Fifo {
            inbox.clear();
        }
    }

    /// A hash of the content: of a queue in order, of anything else by a sum.
    pub(crate) fn hash<M>(self, inbox: &[u32], envelopes: &Envelopes<M>, salt: u64) -> u64 {
        let hashes = inbox.iter().map(|envelope| envelopes.hash(*envelope));
        let sum = match self {
            Network::Fifo => hashes.fold(0u64, |sum, hash| mix(sum.rotate_left(23) ^ hash)),
            _ => hashes.fold(0u64, |sum, hash| sum.wrapping_add(mix(hash))),
        };
        mix(sum ^ salt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::stable_hash;

    /// Envelopes to `z` from `a` (ids 0, 1, 2) and from `b` (ids 3, 4, 5) with messages 0, 1, 2.
    fn envelopes() -> Envelopes<u32> {
        let envelopes = Interner::new();
        for (from_node, from) in ["a", "b"].into_iter().enumerate() {
            for message in 0..3 {
                let (from, to) = (Address::new(from), Address::new("z"));
                let from_node = from_node as u32;
                let envelope = Envelope { from, to, message, from_node, to_node: 2 };
                envelopes.intern(stable_hash(&envelope), envelope);
            }
        }
        envelopes
    }

    fn inbox(network: Network, sent: &[u32], envelopes: &Envelopes<u32>) -> Vec<u32> {
        let mut inbox = Vec::new();
        sent.iter().for_each(|envelope| network.put(&mut inbox, *envelope, envelopes));
        inbox
    }

    fn deliverable(network: Network, sent: &[u32]) -> Vec<u32> {
        let envelopes = envelopes();
        let inbox = inbox(network, sent, &envelopes);
        let mut ids: Vec<u32> = network.deliverable(&inbox, &envelopes).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn a_set_collapses_copies_and_the_others_count_them() {
        let envelopes = envelopes();
        for (network, n) in [
            (Network::Set, 2),
            (Network::Multiset, 3),
            (Network::ExactlyOnce, 3),
            (Network::Fifo, 3),
        ] {
            assert_eq!(inbox(network, &[1, 4, 1], &envelopes).len(), n, "{network:?}");
        }
    }

    #[test]
    fn the_order_of_sending_matters_only_to_queues() {
        let envelopes = envelopes();
        for network in [Network::Set, Network::Multiset, Network::ExactlyOnce] {
            let one = inbox(network, &[0, 4, 1, 4], &envelopes);
            let other = inbox(network, &[4, 1, 4, 0], &envelopes);
            assert_eq!(one, other, "{network:?}");
        }
        let fifo = |sent| inbox(Network::Fifo, sent, &envelopes);
        assert_ne!(fifo(&[0, 1]), fifo(&[1, 0]), "one sender: order kept");
        assert_eq!(fifo(&[0, 4, 1]), fifo(&[4, 0, 1]), "two senders: no order between them");
        let hash = |inbox: Vec<u32>| Network::Fifo.hash(&inbox, &envelopes, 1);
        assert_ne!(hash(fifo(&[0, 1])), hash(fifo(&[1, 0])));
    }

    #[test]
    fn only_heads_of_queues_are_deliverable() {
        assert_eq!(deliverable(Network::Fifo, &[1, 0, 5, 4]), [1, 5]);
        assert_eq!(deliverable(Network::Multiset, &[1, 0, 5, 4, 1]), [0, 1, 4, 5]);
    }

    #[test]
    fn taking_and_doubling_concern_one_copy() {
        let envelopes = envelopes();
        let mut queue = inbox(Network::Fifo, &[0, 1, 0, 3], &envelopes);
        Network::Fifo.take(&mut queue, 0);
        assert_eq!(queue, [1, 0, 3], "the oldest copy goes");
        Network::Fifo.double(&mut queue, 1);
        assert_eq!(queue, [1, 1, 0, 3]);
        Network::Fifo.crash(&mut queue);
        assert!(queue.is_empty());
        let mut bag = inbox(Network::Multiset, &[2, 2], &envelopes);
        Network::Multiset.take(&mut bag, 2);
        Network::Multiset.crash(&mut bag);
        assert_eq!(bag, [2]);
    }
}
