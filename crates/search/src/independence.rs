//! Independence, checked: events whose footprints do not clash must commute.
//! Why: an engine that leaves orders out believes every footprint. Where one says too little, an error is missed and the
//! verdict is a wrong `holds`, and nothing else in an exploration shows it. So this carries out both orders and compares.
//! In a state, for every two actions of different threads that do not clash: neither takes the other away, and both orders
//! lead to one state. For every action and one after it that do not clash: the second could have come first, with the same
//! result. For every action and one after it of which the first makes what the second needs: the second could not have come
//! first. For every two actions that do not clash: neither stops a thread that the other has let go on. An engine learns that
//! a thread was stopped from a run in which it could go on; where only the other order of the two is run, there is none.
//! What is left out of the comparison, each for a reason:
//! - The order of messages in a mailbox to which both events deliver. Whether that order matters is told by the receive that
//!   takes one of them (`Interleaved::would_take`), and an engine that does not ask takes any two deliveries to race.
//! - A receive and the delivery of what it takes, or of what it would have taken where it gives up waiting: an engine orders
//!   these by the numbers of messages, not by objects.
//!
//! Nothing else: what a process can look at is part of the state, and so is what it will see if it looks later.
//! Not here: which states are looked at ([`Checked`] looks at those that an engine visits), what the user is told (`session`).

use foresee_lts::{Action, Footprint, Interleaved, Label, Relation, State, System};

/// What is wrong with a pair of events that were said to be independent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unlike {
    /// One takes the other away.
    TakenAway,
    /// The two orders lead to different states.
    States,
    /// The second could not have come first.
    NotFirst,
    /// The second could have come first, with another result.
    InTurn,
    /// The second was said to need the first, and could have come without it.
    NotNeeded,
    /// One lets a thread go on, and the other stops it.
    Stopped,
}

impl Unlike {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Unlike::TakenAway => "one takes the other away",
            Unlike::States => "the two orders lead to different states",
            Unlike::NotFirst => "the second needs the first",
            Unlike::InTurn => "the other order has another result",
            Unlike::NotNeeded => "the second does not need the first",
            Unlike::Stopped => "the first lets a thread go on, and the second stops it",
        }
    }
}

/// Two events that were said to be independent and are not.
#[derive(Clone, Debug)]
pub struct Difference {
    pub state: State,
    pub unlike: Unlike,
    pub first: Label,
    pub second: Label,
}

/// Checks all pairs of events that begin in a state; gives the number of independent ones.
///
/// ```
/// use foresee_lts::{System, toy::Counters};
/// use foresee_search::check_independence;
/// let system = Counters::new(2, 3);
/// let state = system.initial().remove(0);
/// let mut differences = Vec::new();
/// check_independence(&system, &state, &mut differences);
/// assert!(differences.is_empty());
/// ```
pub fn check_independence(
    system: &dyn System,
    state: &[u32],
    differences: &mut Vec<Difference>,
) -> u64 {
    let Some(system) = system.interleaving() else { return 0 };
    let mut enabled = Vec::new();
    system.enabled_threads(state, &mut enabled);
    let events: Vec<Event> =
        enabled.iter().map(|(action, thread)| Event::of(system, state, *action, *thread)).collect();
    let mut check = Check { system, state, events: &events, n_pairs: 0, differences };
    for (at, first) in events.iter().enumerate() {
        for second in &events[at + 1..] {
            check.side_by_side(first, second);
        }
        check.in_turn(first);
    }
    check.n_pairs
}

/// An action, what it touches, and where it leads.
struct Event {
    action: Action,
    thread: u64,
    footprint: Footprint,
    after: State,
}

impl Event {
    fn of(system: &dyn Interleaved, state: &[u32], action: Action, thread: u64) -> Event {
        let footprint = system.footprint(state, action);
        Event { action, thread, footprint, after: system.step(state, action) }
    }
}

struct Check<'c> {
    system: &'c dyn Interleaved,
    state: &'c [u32],
    events: &'c [Event],
    n_pairs: u64,
    differences: &'c mut Vec<Difference>,
}

fn label_of(system: &dyn System, state: &[u32], action: Action) -> Label {
    system.label(state, action)
}

impl Check<'_> {
    /// Two actions of one state.
    fn side_by_side(&mut self, a: &Event, b: &Event) {
        let (system, state) = (self.system, self.state);
        if self.relation(a, b) != Relation::Independent
            || self.gives_up_for(a, &b.footprint)
            || self.gives_up_for(b, &a.footprint)
        {
            return;
        }
        self.n_pairs += 1;
        let label = label_of(system, state, b.action);
        let b_then = system.action_of(&a.after, b.thread);
        let a_then = system.action_of(&b.after, a.thread);
        let (Some(b_then), Some(a_then)) = (b_then, a_then) else {
            return self.tell(Unlike::TakenAway, a, label);
        };
        let one = system.step(&a.after, b_then);
        let other = system.step(&b.after, a_then);
        if !self.is_same(&one, &other, &a.footprint, &b.footprint) {
            return self.tell(Unlike::States, a, label);
        }
        if self.stops(b, a, &one) {
            self.tell(Unlike::Stopped, a, label);
        } else if self.stops(a, b, &other) {
            self.tell(Unlike::Stopped, b, label_of(system, state, a.action));
        }
    }

    /// Whether `first` lets a thread go on that `second` stops; `both` is the state after the two.
    fn stops(&self, second: &Event, first: &Event, both: &[u32]) -> bool {
        let system = self.system;
        let mut enabled = Vec::new();
        system.enabled_threads(&first.after, &mut enabled);
        let mut threads = enabled.iter().map(|it| it.1);
        threads.any(|thread| {
            // What the second stops by itself depends on it alone.
            let is_stopped_anyway = || {
                thread != first.thread
                    && self.events.iter().any(|own| own.thread == thread)
                    && system.action_of(&second.after, thread).is_none()
            };
            thread != second.thread
                && system.action_of(both, thread).is_none()
                && !is_stopped_anyway()
        })
    }

    /// An action of the state and those after it.
    fn in_turn(&mut self, a: &Event) {
        let system = self.system;
        let mut enabled = Vec::new();
        system.enabled_threads(&a.after, &mut enabled);
        for (action, thread) in enabled {
            if thread == a.thread {
                continue;
            }
            let b = Event::of(system, &a.after, action, thread);
            if takes_from(&b.footprint, &a.footprint) || self.gives_up_for(a, &b.footprint) {
                continue;
            }
            let before = self.events.iter().find(|own| own.thread == thread);
            match self.relation(a, &b) {
                Relation::Race => {}
                Relation::Ordered if before.is_none() => {}
                Relation::Ordered => {
                    let label = label_of(system, &a.after, action);
                    self.tell(Unlike::NotNeeded, a, label);
                }
                Relation::Independent => self.could_come_first(a, &b, before),
            }
        }
    }

    fn could_come_first(&mut self, a: &Event, b: &Event, before: Option<&Event>) {
        let system = self.system;
        self.n_pairs += 1;
        let label = || label_of(system, &a.after, b.action);
        let Some(b_first) = before else {
            return self.tell(Unlike::NotFirst, a, label());
        };
        let both = system.action_of(&b_first.after, a.thread);
        let both = both.map(|a_then| system.step(&b_first.after, a_then));
        let is_same =
            both.is_some_and(|both| self.is_same(&b.after, &both, &a.footprint, &b.footprint));
        if !is_same {
            self.tell(Unlike::InTurn, a, label());
        }
    }

    fn tell(&mut self, unlike: Unlike, first: &Event, second: Label) {
        let first = label_of(self.system, self.state, first.action);
        self.differences.push(Difference { state: self.state.to_vec(), unlike, first, second });
    }

    /// What the accesses say.
    fn relation(&self, a: &Event, b: &Event) -> Relation {
        a.footprint.relation_by(&b.footprint, |look, change| self.system.notices(look, change))
    }

    /// Whether an action of the state gives up waiting for what another event delivers.
    fn gives_up_for(&self, event: &Event, other: &Footprint) -> bool {
        let Some(receive) = event.footprint.receive else { return false };
        let mut delivered = other.deliveries.iter().filter(|it| it.mailbox == receive.mailbox);
        receive.message.is_none()
            && delivered.any(|it| self.system.would_take(self.state, event.action, it.message))
    }

    /// Whether two states are one, but for the order of messages in mailboxes that both events deliver to.
    fn is_same(&self, one: &[u32], other: &[u32], a: &Footprint, b: &Footprint) -> bool {
        let common: Vec<u64> = a
            .deliveries
            .iter()
            .map(|own| own.mailbox)
            .filter(|mailbox| b.deliveries.iter().any(|its| its.mailbox == *mailbox))
            .collect();
        let hash = |state: &[u32]| self.system.content_hash_unordered(state, &common);
        one == other || hash(one) == hash(other)
    }
}

/// Whether an event receives what another delivers.
fn takes_from(receiver: &Footprint, sender: &Footprint) -> bool {
    receiver.receive.is_some_and(|receive| {
        let is_it =
            |mailbox, message| receive.mailbox == mailbox && receive.message == Some(message);
        sender.deliveries.iter().any(|its| is_it(its.mailbox, its.message))
    })
}
