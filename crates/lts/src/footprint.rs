//! Footprints: what an event reads and writes, from which races, independence and causal order follow.

use crate::Actor;

/// How an event touches an object.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Mode {
    Read,
    Write,
}

/// One touch of one object. Objects are numbered by the front end: a node's state, one message in one inbox, a name.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Access {
    pub object: u64,
    pub mode: Mode,
}

/// Everything one event touches, and who acts.
///
/// ```
/// use foresee_lts::{Actor, Footprint};
/// let send = Footprint::of(Actor(0)).writes(7);
/// let receive = Footprint::of(Actor(1)).reads(7).writes(1);
/// let other = Footprint::of(Actor(2)).writes(2);
/// assert!(send.depends_on(&receive) && !send.depends_on(&other));
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Footprint {
    pub actor: Option<Actor>,
    pub accesses: Vec<Access>,
}

impl Footprint {
    pub fn of(actor: Actor) -> Self {
        Footprint { actor: Some(actor), accesses: Vec::new() }
    }

    #[must_use]
    pub fn reads(mut self, object: u64) -> Self {
        self.accesses.push(Access { object, mode: Mode::Read });
        self
    }

    #[must_use]
    pub fn writes(mut self, object: u64) -> Self {
        self.accesses.push(Access { object, mode: Mode::Write });
        self
    }

    /// Two events are dependent when they have one actor, or touch one object and at least one of them writes it.
    pub fn depends_on(&self, other: &Footprint) -> bool {
        if self.actor.is_some() && self.actor == other.actor {
            return true;
        }
        self.accesses.iter().any(|a| {
            other
                .accesses
                .iter()
                .any(|b| a.object == b.object && (a.mode == Mode::Write || b.mode == Mode::Write))
        })
    }
}
