//! Kinds of accesses: which of them commute whatever the object and whatever else they say.
//! Why: most of what events have in common is harmless (two that use one process, two that read one name), and whether two
//! events clash is asked far more often than anything else. So harmless pairs are told by their kind, without looking at
//! the accesses: of two steps by a few bits, of an object's past by going over a whole row of one kind at once.
//! Invariant: what this calls harmless is [`Relation::Independent`](foresee_lts::Relation::Independent) for the footprint.

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

/// The objects of an event as bits, by kind. Two objects may have one bit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Objects {
    looks: u64,
    adds: u64,
    uses: u64,
    rest: u64,
}

impl Objects {
    pub(crate) fn of(footprint: &Footprint, numbered: &Numbered) -> Self {
        let mut objects = Objects::default();
        for (access, number) in footprint.accesses.iter().zip(&numbered.objects) {
            let bits = match Kind::of(access.mode) {
                Kind::Looks => &mut objects.looks,
                Kind::Adds => &mut objects.adds,
                Kind::Uses => &mut objects.uses,
                Kind::Rest => &mut objects.rest,
            };
            *bits |= 1 << (number % 64);
        }
        objects
    }

    /// False only if no two accesses of one object are of kinds that need not commute.
    pub(crate) fn may_clash(&self, other: &Objects) -> bool {
        let all = |it: &Objects| it.looks | it.adds | it.uses | it.rest;
        let clashing = self.rest & all(other)
            | other.rest & all(self)
            | self.looks & (other.adds | other.uses)
            | self.adds & (other.looks | other.uses)
            | self.uses & (other.looks | other.adds);
        clashing != 0
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
        let objects = |footprint: &Footprint| {
            let numbers = crate::numbers::Numbers::default();
            Objects::of(footprint, &numbers.of(footprint))
        };
        for a in modes {
            for b in modes {
                let is_harmless = Kind::of(a).commutes_with(Kind::of(b));
                assert!(!is_harmless || a.relation(b) == Relation::Independent, "{a:?} {b:?}");
                let one = Footprint::of(Actor(0)).touches(5, a);
                let other = Footprint::of(Actor(1)).touches(5, b);
                assert_eq!(objects(&one).may_clash(&objects(&other)), !is_harmless, "{a:?} {b:?}");
            }
        }
    }
}
