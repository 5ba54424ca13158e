//! Kinds of accesses: which of them commute whatever the object and whatever else they say.
//! Why: most of what events have in common is harmless (two that use one process, two that read one name), and whether two
//! events clash is asked far more often than anything else. So harmless pairs are told by their kind, without looking at
//! the accesses: of two steps by a few bits, of an object's past by going over a whole row of one kind at once.
//! Invariant: what this calls harmless is [`Relation::Independent`](foresee_lts::Relation::Independent) for the footprint.

use crate::index::Idx;
use crate::numbers::Numbered;
use foresee_lts::{Footprint, Mode};

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Looks,
    Adds,
    Uses,
    /// What need not commute with its own kind.
    Rest,
}

impl Kind {
    pub(crate) fn of(mode: Mode) -> Kind {
        match mode {
            Mode::Read | Mode::Look(_) => Kind::Looks,
            Mode::Add | Mode::Change(_) => Kind::Adds,
            Mode::Use => Kind::Uses,
            Mode::Write | Mode::Put(_) | Mode::Create => Kind::Rest,
        }
    }

    pub(crate) fn commutes_with(self, other: Kind) -> bool {
        self == other && self != Kind::Rest
    }
}

pub(crate) fn bit(of: impl Idx) -> u64 {
    1 << (of.get() % 64)
}

/// What an event touches as bits: its objects by kind, and its mailboxes. Two of them may have one bit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits {
    looks: u64,
    adds: u64,
    uses: u64,
    rest: u64,
    delivered: u64,
    received: u64,
    /// Where it has given up waiting.
    given_up: u64,
}

impl Bits {
    #[inline]
    pub(crate) fn of(footprint: &Footprint, numbered: &Numbered) -> Self {
        let mut bits = Bits::default();
        for access in &numbered.objects {
            let objects = match access.kind {
                Kind::Looks => &mut bits.looks,
                Kind::Adds => &mut bits.adds,
                Kind::Uses => &mut bits.uses,
                Kind::Rest => &mut bits.rest,
            };
            *objects |= bit(access.object);
        }
        for &mailbox in &numbered.mailboxes {
            bits.delivered |= bit(mailbox);
        }
        if let Some(mailbox) = numbered.received_from {
            bits.received = bit(mailbox);
        }
        bits.taking(footprint.receive.and_then(|receive| receive.message))
    }

    /// The same if the receive takes this message, or none.
    pub(crate) fn taking(self, message: Option<u64>) -> Self {
        Bits { given_up: if message.is_none() { self.received } else { 0 }, ..self }
    }

    /// What either touches.
    pub(crate) fn join(&mut self, other: &Bits) {
        self.looks |= other.looks;
        self.adds |= other.adds;
        self.uses |= other.uses;
        self.rest |= other.rest;
        self.delivered |= other.delivered;
        self.received |= other.received;
        self.given_up |= other.given_up;
    }

    /// False only if no two accesses of one object are of kinds that need not commute.
    pub(crate) fn may_clash(&self, other: &Bits) -> bool {
        self.clashing(other) != 0
    }

    /// The bits of all objects that both touch in kinds that need not commute.
    pub(crate) fn clashing(&self, other: &Bits) -> u64 {
        let all = |it: &Bits| it.looks | it.adds | it.uses | it.rest;
        self.rest & all(other)
            | other.rest & all(self)
            | self.looks & (other.adds | other.uses)
            | self.adds & (other.looks | other.uses)
            | self.uses & (other.looks | other.adds)
    }

    /// What clashes with this, to be asked of many.
    pub(crate) fn rivals(&self) -> Rivals {
        Rivals {
            looks: self.rest | self.adds | self.uses,
            adds: self.rest | self.looks | self.uses,
            uses: self.rest | self.looks | self.adds,
            rest: self.rest | self.looks | self.adds | self.uses,
        }
    }

    pub(crate) fn has_given_up(&self) -> bool {
        self.given_up != 0
    }

    /// False only if no mailbox makes the order of this and something later matter: it delivers nothing where that receives,
    /// nor, without observers, where that delivers; and has not given up waiting where that delivers.
    pub(crate) fn may_meet(&self, later: &Bits, has_observers: bool) -> bool {
        let beside = if has_observers { 0 } else { later.delivered };
        self.delivered & (later.received | beside) | self.given_up & later.delivered != 0
    }
}

/// The bits of the objects of which an access of each kind need not commute with those of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rivals {
    looks: u64,
    adds: u64,
    uses: u64,
    rest: u64,
}

impl Rivals {
    /// As [`Bits::may_clash`].
    #[inline]
    pub(crate) fn may_clash(&self, other: &Bits) -> bool {
        self.looks & other.looks
            | self.adds & other.adds
            | self.uses & other.uses
            | self.rest & other.rest
            != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::{Actor, Relation};

    #[test]
    fn what_is_called_harmless_is_independent() {
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
        let bits = |footprint: &Footprint| {
            let numbers = crate::numbers::Numbers::default();
            Bits::of(footprint, &numbers.of(footprint))
        };
        for a in modes {
            for b in modes {
                let is_harmless = Kind::of(a).commutes_with(Kind::of(b));
                assert!(!is_harmless || a.relation(b) == Relation::Independent, "{a:?} {b:?}");
                let one = Footprint::of(Actor(0)).touches(5, a);
                let other = Footprint::of(Actor(1)).touches(5, b);
                assert_eq!(bits(&one).may_clash(&bits(&other)), !is_harmless, "{a:?} {b:?}");
                assert_eq!(bits(&one).rivals().may_clash(&bits(&other)), !is_harmless);
            }
        }
    }
}
