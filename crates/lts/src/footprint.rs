//! Footprints: what an event reads and writes, from which races, independence and causal order follow.
//! Why more than reading and writing: an engine that reverses races pays for every pair it takes to be dependent. Putting
//! the same value twice commutes; adding to a set commutes with adding; creating an object is ordered before using it and
//! cannot race with it; and two deliveries to one mailbox matter only if some receive could have taken either
//! ([`crate::Interleaved::would_take`]).
//! Not here: who came first in a run, and which orders to try (`stateless`); causal order of a told run (`trace`).

use crate::Actor;

/// How an event touches an object.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Mode {
    Read,
    Write,
    /// Makes the object have this value: commutes with putting the same value.
    Put(u64),
    /// Adds to a collection, or takes something out of it, that only a reader of the whole would notice.
    Add,
    /// Makes the object: what uses it comes after, and never could come before.
    Create,
    /// Needs the object to have been made.
    Use,
    /// Looks in a collection for what fits a question, numbered by the front end.
    Look(u64),
    /// Changes members of a collection, numbered by the front end. Changes of one collection commute with each other; what
    /// does not commute (two changes of one member) is said with an object of its own. Whether a look notices a change is
    /// for the front end to say ([`crate::Interleaved::notices`]); without an answer it is taken to notice.
    Change(u64),
}

/// What the order of two events means.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Relation {
    /// Either order gives the same.
    Independent,
    /// One needs the other: there is only one order.
    Ordered,
    /// The other order is possible and may give something else.
    Race,
}

impl Mode {
    /// What it means that one event touches an object in this mode and another in that.
    pub fn relation(self, other: Mode) -> Relation {
        match (self, other) {
            (Mode::Read | Mode::Look(_), Mode::Read | Mode::Look(_))
            | (Mode::Add | Mode::Change(_), Mode::Add | Mode::Change(_))
            | (Mode::Use, Mode::Use) => Relation::Independent,
            (Mode::Put(a), Mode::Put(b)) if a == b => Relation::Independent,
            (Mode::Create, Mode::Use) | (Mode::Use, Mode::Create) => Relation::Ordered,
            _ => Relation::Race,
        }
    }
}

/// One touch of one object. Objects are numbered by the front end: a node's state, one message in one inbox, a name.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Access {
    pub object: u64,
    pub mode: Mode,
}

/// A message put into a mailbox. Both are numbered by the front end, by content; two equal messages have one number.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Delivery {
    pub mailbox: u64,
    pub message: u64,
}

/// A receive from a mailbox.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Receive {
    pub mailbox: u64,
    /// The message taken; `None` if the receive has given up waiting.
    pub message: Option<u64>,
    /// The receive could give up waiting.
    pub may_time_out: bool,
}

/// Everything one event touches, and who acts.
///
/// ```
/// use foresee_lts::{Actor, Footprint, Relation};
/// let send = Footprint::of(Actor(0)).writes(7);
/// let receive = Footprint::of(Actor(1)).reads(7).writes(1);
/// let other = Footprint::of(Actor(2)).writes(2);
/// assert!(send.depends_on(&receive) && !send.depends_on(&other));
/// let (put, same) = (Footprint::of(Actor(0)).puts(7, 1), Footprint::of(Actor(1)).puts(7, 1));
/// assert_eq!(put.relation(&same), Relation::Independent);
/// assert_eq!(put.relation(&receive), Relation::Race);
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Footprint {
    pub actor: Option<Actor>,
    /// The sequential thing of which this is the next event, where that is finer than the actor: a node is one actor, but
    /// each message on its way to it is a thread. A thread has at most one action in a state.
    pub thread: Option<u64>,
    pub accesses: Vec<Access>,
    pub deliveries: Vec<Delivery>,
    pub receive: Option<Receive>,
}

impl Footprint {
    pub fn of(actor: Actor) -> Self {
        Footprint { actor: Some(actor), ..Footprint::default() }
    }

    #[must_use]
    pub fn on_thread(mut self, thread: u64) -> Self {
        self.thread = Some(thread);
        self
    }

    /// The thread, or else the actor: events with one key never overtake each other.
    pub fn thread_key(&self) -> u64 {
        self.thread.unwrap_or_else(|| self.actor.map_or(0, |actor| u64::from(actor.0)))
    }

    #[must_use]
    pub fn reads(self, object: u64) -> Self {
        self.touches(object, Mode::Read)
    }

    #[must_use]
    pub fn writes(self, object: u64) -> Self {
        self.touches(object, Mode::Write)
    }

    #[must_use]
    pub fn puts(self, object: u64, value: u64) -> Self {
        self.touches(object, Mode::Put(value))
    }

    #[must_use]
    pub fn touches(mut self, object: u64, mode: Mode) -> Self {
        self.accesses.push(Access { object, mode });
        self
    }

    #[must_use]
    pub fn delivers(mut self, mailbox: u64, message: u64) -> Self {
        self.deliveries.push(Delivery { mailbox, message });
        self
    }

    #[must_use]
    pub fn receives(mut self, receive: Receive) -> Self {
        self.receive = Some(receive);
        self
    }

    /// Two events are dependent when they have one actor, touch one object in modes that do not commute, deliver to one
    /// mailbox, or one receives from a mailbox what the other may have delivered. This looks at two events alone; in a
    /// whole run fewer deliveries are dependent.
    pub fn depends_on(&self, other: &Footprint) -> bool {
        (self.actor.is_some() && self.actor == other.actor)
            || self.relation(other) != Relation::Independent
            || self.shares_a_mailbox_with(other)
    }

    /// What the accesses alone say: neither actors nor mailboxes.
    pub fn relation(&self, other: &Footprint) -> Relation {
        self.relation_by(other, |_, _| true)
    }

    /// As [`Footprint::relation`], where `notices(look, change)` says whether a look in a collection would see a change of
    /// it: [`crate::Interleaved::notices`].
    ///
    /// ```
    /// use foresee_lts::{Actor, Footprint, Mode, Relation};
    /// let select = Footprint::of(Actor(0)).touches(7, Mode::Look(1));
    /// let insert = Footprint::of(Actor(1)).touches(7, Mode::Change(2));
    /// assert_eq!(select.relation(&insert), Relation::Race);
    /// assert_eq!(select.relation_by(&insert, |_, _| false), Relation::Independent);
    /// ```
    pub fn relation_by(&self, other: &Footprint, notices: impl Fn(u64, u64) -> bool) -> Relation {
        let mut strongest = Relation::Independent;
        for a in &self.accesses {
            for b in other.accesses.iter().filter(|b| a.object == b.object) {
                let relation = match (a.mode, b.mode) {
                    (Mode::Look(look), Mode::Change(change))
                    | (Mode::Change(change), Mode::Look(look))
                        if !notices(look, change) =>
                    {
                        Relation::Independent
                    }
                    (a, b) => a.relation(b),
                };
                strongest = strongest.max(relation);
            }
        }
        strongest
    }

    fn shares_a_mailbox_with(&self, other: &Footprint) -> bool {
        let receives = |receive: &Option<Receive>, delivery: &Delivery| {
            receive.is_some_and(|it| {
                it.mailbox == delivery.mailbox
                    && it.message.is_none_or(|message| message == delivery.message)
            })
        };
        self.deliveries.iter().any(|own| {
            receives(&other.receive, own)
                || other.deliveries.iter().any(|its| its.mailbox == own.mailbox)
        }) || other.deliveries.iter().any(|its| receives(&self.receive, its))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_relation_of_modes_is_symmetric() {
        let modes = [
            Mode::Read,
            Mode::Write,
            Mode::Put(1),
            Mode::Put(2),
            Mode::Add,
            Mode::Create,
            Mode::Use,
            Mode::Look(1),
            Mode::Change(2),
        ];
        for a in modes {
            for b in modes {
                assert_eq!(a.relation(b), b.relation(a), "{a:?} {b:?}");
            }
        }
        assert_eq!(Mode::Put(1).relation(Mode::Put(2)), Relation::Race);
        assert_eq!(Mode::Add.relation(Mode::Read), Relation::Race);
        assert_eq!(Mode::Create.relation(Mode::Use), Relation::Ordered);
    }

    #[test]
    fn a_receive_depends_on_the_delivery_of_what_it_takes() {
        let delivery = Footprint::of(Actor(1)).delivers(5, 77);
        let receive = |message| {
            let receive = Receive { mailbox: 5, message, may_time_out: true };
            Footprint::of(Actor(2)).receives(receive)
        };
        assert!(delivery.depends_on(&receive(Some(77))) && receive(Some(77)).depends_on(&delivery));
        assert!(!delivery.depends_on(&receive(Some(78))));
        assert!(delivery.depends_on(&receive(None)));
    }
}
