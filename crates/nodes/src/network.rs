//! Network models: what an inbox holds, what may be delivered from it, what delivering leaves, what a crash and a partition do to
//! it, and which events about it depend on each other.
//! An inbox is a slice of envelope ids in a canonical order, so that equal inboxes are equal slices: by content hash for
//! `Set`, `Multiset` (copies side by side) and `ExactlyOnce`; by sender, then by age, for `Fifo`; by age for `Mailbox`.
//! Invariant: nobody else compares variants of [`Network`]. A new model is a variant here, an answer to each question below
//! (the compiler asks for them), and its line in the guide; its word, the parameter of built-in systems, the generated tests
//! and the simulation follow from that.
//! Not here: handlers and what they send (`moves`), losing and doubling messages as events (`fault`).

use crate::envelopes::Envelopes;
use crate::event::NODES_MAX;
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
    /// One queue for each receiver: messages arrive in the order in which they were sent, whoever sent them, as from a broker
    /// or a log that each node reads; so causes arrive before their effects. The queue outlives a crash of its node, and a
    /// message that a partition holds up holds up those behind it.
    Mailbox,
}

/// Losing and doubling messages by events with a budget.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MessageFaults {
    /// They are such events.
    Budgeted,
    /// They need no events: the network does so anyway.
    Always,
    /// It never does.
    Never,
}

/// One of the things that a network keeps besides single messages: the queue between two nodes, or one end of it. Numbers
/// that are no node's stand for more than one node.
pub(crate) type Queue = (u32, u32);

/// The sender of a queue that has many, and the end of such a queue where they meet.
const ANYBODY: u32 = NODES_MAX as u32;
const LAST_IN_QUEUE: u32 = NODES_MAX as u32 + 1;

const N_MODELS: usize = Network::ALL.len();

/// For each model the words of all, its own first.
static WORDS: [[&str; N_MODELS]; N_MODELS] = words_by_default();

const fn words_by_default() -> [[&'static str; N_MODELS]; N_MODELS] {
    let mut table = [[""; N_MODELS]; N_MODELS];
    let mut first = 0;
    while first < N_MODELS {
        table[first][0] = Network::ALL[first].word();
        let (mut at, mut other) = (1, 0);
        while other < N_MODELS {
            if other != first {
                table[first][at] = Network::ALL[other].word();
                at += 1;
            }
            other += 1;
        }
        first += 1;
    }
    table
}

impl Network {
    /// Every model.
    pub const ALL: [Network; 5] =
        [Network::Set, Network::Multiset, Network::Fifo, Network::ExactlyOnce, Network::Mailbox];

    /// What a user types for it.
    pub const fn word(self) -> &'static str {
        match self {
            Network::Set => "set",
            Network::Multiset => "multiset",
            Network::Fifo => "fifo",
            Network::ExactlyOnce => "exactly-once",
            Network::Mailbox => "mailbox",
        }
    }

    /// The model that a user has typed.
    ///
    /// ```
    /// use foresee_nodes::Network;
    /// assert_eq!(Network::of_word("fifo"), Some(Network::Fifo));
    /// assert_eq!(Network::of_word("telepathy"), None);
    /// ```
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|network| network.word() == word)
    }

    /// The words of all models, this one first: the values of a parameter whose default it is.
    ///
    /// ```
    /// use foresee_nodes::{Network, Parameter};
    /// let parameter = Parameter::word("network", Network::Fifo.words(), "how messages travel");
    /// assert_eq!(parameter.default_text(), "fifo");
    /// ```
    pub fn words(self) -> &'static [&'static str] {
        let index = Self::ALL.iter().position(|network| *network == self);
        &WORDS[index.expect("every model is listed")]
    }

    /// Whether an envelope can be in flight more than once.
    pub fn counts_copies(self) -> bool {
        match self {
            Network::Set => false,
            Network::Multiset | Network::Fifo | Network::ExactlyOnce | Network::Mailbox => true,
        }
    }

    /// Whether a delivery takes the message out of the inbox.
    pub fn consumes(self) -> bool {
        self.counts_copies()
    }

    /// What a verdict takes for granted of it.
    pub(crate) fn assumption(self) -> Assumption {
        let meaning = match self {
            Network::Set => "messages in any order, again, late or never",
            Network::Multiset => "messages in any order",
            Network::Fifo => "messages of one sender in their order",
            Network::ExactlyOnce => "messages in any order, each once",
            Network::Mailbox => "messages to one receiver in the order of sending",
        };
        Assumption::Network { model: self.word(), meaning }
    }

    /// Whether it loses or doubles messages by events with a budget.
    pub(crate) fn message_faults(self) -> MessageFaults {
        match self {
            Network::Set => MessageFaults::Always,
            Network::Multiset | Network::Fifo | Network::Mailbox => MessageFaults::Budgeted,
            Network::ExactlyOnce => MessageFaults::Never,
        }
    }

    /// Whether drops and duplicates can have a budget in it.
    pub fn has_message_faults(self) -> bool {
        self.message_faults() == MessageFaults::Budgeted
    }

    /// Whether a delivery that changes nothing is no event.
    pub(crate) fn skips_ignored(self) -> bool {
        match self {
            Network::Set | Network::Fifo | Network::Mailbox => false,
            Network::Multiset | Network::ExactlyOnce => true,
        }
    }

    /// The queue in which a message from `from` to `to` stands; `None` if messages have no order.
    pub(crate) fn queue(self, from: u32, to: u32) -> Option<Queue> {
        match self {
            Network::Fifo => Some((from, to)),
            Network::Mailbox => Some((ANYBODY, to)),
            Network::Set | Network::Multiset | Network::ExactlyOnce => None,
        }
    }

    /// Whether messages of several senders stand in one queue.
    pub(crate) fn mixes_senders(self) -> bool {
        self.queue(0, 0).is_some_and(|(from, _)| from == ANYBODY)
    }

    /// Whether messages stand in queues at all.
    pub(crate) fn keeps_order(self) -> bool {
        self.queue(0, 0).is_some()
    }

    /// What sending from `from` to `to` touches besides the message, so that another event that touches it comes before or
    /// after. A delivery touches the message's `queue`: it takes the oldest and a sending adds the newest, which
    /// do not disturb each other. `crashes`: a crash may come, and would take what stands in the queue.
    pub(crate) fn sending_touches(self, from: u32, to: u32, crashes: bool) -> Option<Queue> {
        match self {
            Network::Fifo => crashes.then_some((from, to)),
            // Who sends first stands first.
            Network::Mailbox => Some((LAST_IN_QUEUE, to)),
            Network::Set | Network::Multiset | Network::ExactlyOnce => None,
        }
    }

    /// Whether what is on its way to a node is lost when the node crashes: connections break, datagrams stay.
    pub(crate) fn dies_with_connection(self) -> bool {
        match self {
            Network::Fifo => true,
            Network::Set | Network::Multiset | Network::ExactlyOnce | Network::Mailbox => false,
        }
    }

    /// Whether a message that finds its receiver down or cut off waits, in a simulation; otherwise it is lost.
    pub(crate) fn waits_for_receiver(self) -> bool {
        match self {
            Network::Fifo | Network::ExactlyOnce | Network::Mailbox => true,
            Network::Set | Network::Multiset => false,
        }
    }

    /// The distinct envelopes that may be delivered, in a stable order.
    pub(crate) fn deliverable<'a>(
        self,
        inbox: &'a [u32],
        envelopes: &'a Envelopes,
    ) -> impl Iterator<Item = u32> + 'a {
        let from = move |envelope: u32| envelopes.sender(envelope);
        let is_first = move |position: usize| match (position.checked_sub(1), self) {
            (None, _) => true,
            (Some(before), Network::Fifo) => from(inbox[before]) != from(inbox[position]),
            (Some(_), Network::Mailbox) => false,
            (Some(before), Network::Set | Network::Multiset | Network::ExactlyOnce) => {
                inbox[before] != inbox[position]
            }
        };
        (0..inbox.len()).filter(move |position| is_first(*position)).map(|position| inbox[position])
    }

    /// The inbox after `envelope`, one of the deliverable ones, was taken out.
    pub(crate) fn take(self, inbox: &mut Vec<u32>, envelope: u32) {
        let position = inbox.iter().position(|known| *known == envelope);
        inbox.remove(position.expect("the envelope is in the inbox"));
    }

    /// The inbox after `envelope` was sent.
    pub(crate) fn put(self, inbox: &mut Vec<u32>, envelope: u32, envelopes: &Envelopes) {
        if !self.counts_copies() && inbox.contains(&envelope) {
            return;
        }
        let from = envelopes.sender(envelope);
        let place = |id: u32| (envelopes.hash(id), id);
        let position = match self {
            Network::Fifo => inbox.partition_point(|known| envelopes.sender(*known) <= from),
            Network::Mailbox => inbox.len(),
            Network::Set | Network::Multiset | Network::ExactlyOnce => {
                inbox.partition_point(|known| place(*known) <= place(envelope))
            }
        };
        inbox.insert(position, envelope);
    }

    /// Doubles `envelope`, one of the deliverable ones: its copy is right behind it.
    pub(crate) fn double(self, inbox: &mut Vec<u32>, envelope: u32) {
        let position = inbox.iter().position(|known| *known == envelope);
        inbox.insert(position.expect("the envelope is in the inbox"), envelope);
    }

    /// The inbox after its node has crashed.
    pub(crate) fn crash(self, inbox: &mut Vec<u32>) {
        if self.dies_with_connection() {
            inbox.clear();
        }
    }

    /// A hash of the content: of a queue in order, of anything else by a sum.
    pub(crate) fn hash(self, inbox: &[u32], envelopes: &Envelopes, salt: u64) -> u64 {
        let hashes = inbox.iter().map(|envelope| envelopes.hash(*envelope));
        let sum = if self.keeps_order() {
            hashes.fold(0u64, |sum, hash| mix(sum.rotate_left(23) ^ hash))
        } else {
            hashes.fold(0u64, |sum, hash| sum.wrapping_add(mix(hash)))
        };
        mix(sum ^ salt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Address;
    use crate::envelopes::Route;

    /// Envelopes to `z` from `a` (ids 0, 1, 2) and from `b` (ids 3, 4, 5) with messages 0, 1, 2.
    fn envelopes() -> Envelopes {
        let envelopes = Envelopes::new::<u32>();
        for (from_node, from) in ["a", "b"].into_iter().enumerate() {
            for message in 0..3u32 {
                let (from, to) = (Address::new(from), Address::new("z"));
                let from_node = from_node as u32;
                let route = Route { from, to, from_node, to_node: 2 };
                envelopes.typed().intern(route, message);
            }
        }
        envelopes
    }

    fn inbox(network: Network, sent: &[u32], envelopes: &Envelopes) -> Vec<u32> {
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
    fn every_model_has_a_word_that_reads_back_and_stands_first_among_its_own() {
        for network in Network::ALL {
            assert_eq!(Network::of_word(network.word()), Some(network));
            assert_eq!(network.words()[0], network.word());
            let mut words = network.words().to_vec();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), Network::ALL.len());
        }
    }

    #[test]
    fn a_set_collapses_copies_and_the_others_count_them() {
        let envelopes = envelopes();
        for (network, n) in [
            (Network::Set, 2),
            (Network::Multiset, 3),
            (Network::ExactlyOnce, 3),
            (Network::Fifo, 3),
            (Network::Mailbox, 3),
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
        let mailbox = |sent| inbox(Network::Mailbox, sent, &envelopes);
        assert_ne!(mailbox(&[0, 4]), mailbox(&[4, 0]), "two senders: order kept as well");
        let hash = |inbox: Vec<u32>| Network::Fifo.hash(&inbox, &envelopes, 1);
        assert_ne!(hash(fifo(&[0, 1])), hash(fifo(&[1, 0])));
    }

    #[test]
    fn only_heads_of_queues_are_deliverable() {
        assert_eq!(deliverable(Network::Fifo, &[1, 0, 5, 4]), [1, 5]);
        assert_eq!(deliverable(Network::Mailbox, &[1, 0, 5, 4]), [1]);
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
