//! The monitor: properties, goals and prunes on new states, evaluated as rarely as possible.
//! Why: on many systems evaluating properties costs more than exploring. Two savings: a predicate whose slots a step did
//! not change has the answer it had before the step (parent and child are compared as packed words under the mask of
//! the predicate's slots); if they changed, the answer may be in the memo of their combination (`memo.rs`). Of a conjunction each
//! part has its own memo.
//! Invariant: a watch that is active has never been *hit* in a state that was expanded (an invariant that failed is
//! retired, pruned and goal states are not expanded), so "unchanged" always means "not hit".

mod memo;
mod panics;

pub(crate) use panics::quietly;

use foresee_lts::{Predicate, PropertyKind, Reads};
use foresee_search::Layout;
use memo::{Cache, Memo};

use crate::Config;

/// What a predicate is watched for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Role {
    /// Hit when false.
    Invariant,
    /// Hit when true.
    Reachable,
    Goal,
    Prune,
}

/// One predicate under watch.
#[derive(Clone)]
struct Watch {
    role: Role,
    predicate: Predicate,
    active: bool,
    /// It holds where all of these hold.
    parts: Vec<Part>,
}

/// A predicate that is no conjunction.
#[derive(Clone)]
struct Part {
    predicate: Predicate,
    /// The bits of its slots in the present layout, and answers by their ids; `None` if it reads everything.
    memory: Option<(Vec<u64>, Memo)>,
}

/// A watch that has something to say of a state.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) watch: usize,
    /// The predicate panicked with this message.
    pub(crate) panic: Option<String>,
}

/// All predicates of a search; each worker has its own copy, with its own memos.
#[derive(Clone, Default)]
pub(crate) struct Monitor {
    watches: Vec<Watch>,
    layout_version: Option<u32>,
    /// The bits of all slots that any active watch reads, in the present layout.
    mask: Vec<u64>,
    /// Where several active watches read the same slots and no others are read: what is known of all of them together. True where none is hit.
    quiet: Option<Cache>,
    slots: Vec<u32>,
}

impl Monitor {
    pub(crate) fn new(config: &Config) -> Self {
        let properties = config.properties.iter().map(|property| {
            let role = match property.kind {
                PropertyKind::Reachable => Role::Reachable,
                _ => Role::Invariant,
            };
            (role, &property.predicate)
        });
        let goals = config.goals.iter().map(|goal| (Role::Goal, goal));
        let prunes = config.prunes.iter().map(|prune| (Role::Prune, prune));
        let watch = |(role, predicate): (Role, &Predicate)| Watch {
            role,
            predicate: predicate.clone(),
            active: true,
            parts: match predicate.conjuncts() {
                [] => vec![Part::new(predicate)],
                parts => parts.iter().map(Part::new).collect(),
            },
        };
        let watches = properties.chain(goals).chain(prunes).map(watch).collect();
        Monitor { watches, ..Monitor::default() }
    }

    pub(crate) fn role(&self, watch: usize) -> Role {
        self.watches[watch].role
    }

    pub(crate) fn predicate(&self, watch: usize) -> &Predicate {
        &self.watches[watch].predicate
    }

    pub(crate) fn is_active(&self, watch: usize) -> bool {
        self.watches[watch].active
    }

    /// Stops watching: an invariant known to fail, a reachable property known to be reached.
    pub(crate) fn retire(&mut self, watch: usize) {
        self.watches[watch].active = false;
        self.set_mask();
    }

    /// For each watch whether it is active.
    pub(crate) fn are_active(&self) -> impl Iterator<Item = bool> + '_ {
        self.watches.iter().map(|watch| watch.active)
    }

    /// Stops watching what another monitor of the same search does not watch any more.
    pub(crate) fn retire_but(&mut self, is_active: &[bool]) {
        if !self.are_active().eq(is_active.iter().copied()) {
            let watches = self.watches.iter_mut().zip(is_active);
            watches.for_each(|(watch, active)| watch.active &= active);
            self.set_mask();
        }
    }

    fn set_mask(&mut self) {
        self.mask.fill(0);
        for part in self.watches.iter().filter(|it| it.active).flat_map(|it| &it.parts) {
            match &part.memory {
                Some((own, _)) => self.mask.iter_mut().zip(own).for_each(|(all, own)| *all |= own),
                None => self.mask.fill(u64::MAX),
            }
        }
        let parts = || self.watches.iter().filter(|it| it.active).flat_map(|it| &it.parts);
        let is_common = |part: &Part| part.memory.as_ref().is_some_and(|it| it.0 == self.mask);
        self.quiet = (parts().count() > 1 && parts().all(is_common)).then(|| {
            let mut quiet = Cache::default();
            quiet.follow(&self.mask);
            quiet
        });
    }

    /// Whether any watch may say something of a state that it did not say of the one before it.
    #[inline]
    pub(crate) fn is_concerned(&self, state: &[u64], parent: &[u64]) -> bool {
        match (state, parent, self.mask.as_slice()) {
            ([new], [old], [mask]) => (new ^ old) & mask != 0,
            ([new, new1], [old, old1], [mask, mask1]) => {
                ((new ^ old) & mask) | ((new1 ^ old1) & mask1) != 0
            }
            (_, _, masks) => {
                let mut words = state.iter().zip(parent).zip(masks);
                words.any(|((new, old), mask)| (new ^ old) & mask != 0)
            }
        }
    }

    /// The watches of a role that are still active.
    pub(crate) fn active(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        let wanted = move |i: &usize| self.watches[*i].role == role && self.watches[*i].active;
        (0..self.watches.len()).filter(wanted)
    }

    /// Must be called before `examine` whenever the layout may have changed.
    #[inline]
    pub(crate) fn follow(&mut self, layout: &Layout) {
        if self.layout_version != Some(layout.version()) {
            self.follow_new(layout);
        }
    }

    /// What is examined next may be of another store.
    pub(crate) fn forget_layout(&mut self) {
        self.layout_version = None;
    }

    #[cold]
    fn follow_new(&mut self, layout: &Layout) {
        self.layout_version = Some(layout.version());
        for part in self.watches.iter_mut().flat_map(|watch| &mut watch.parts) {
            if let (Some((mask, memo)), Reads::Slots(slots)) =
                (&mut part.memory, part.predicate.reads())
            {
                *mask = layout.mask_of(slots);
                memo.follow(layout, mask);
            }
        }
        self.mask.resize(layout.n_words(), 0);
        self.set_mask();
    }

    /// Appends what the watches have to say of a new state. `parent` is the state it was reached from, which was
    /// examined before; `None` where a search starts.
    pub(crate) fn examine(
        &mut self,
        layout: &Layout,
        state: &[u64],
        parent: Option<&[u64]>,
        hits: &mut Vec<Hit>,
    ) {
        debug_assert_eq!(self.layout_version, Some(layout.version()));
        if let Some(quiet) = &mut self.quiet
            && quiet.is_true(state)
        {
            return;
        }
        let n_hits = hits.len();
        let mut is_decoded = false;
        for (number, watch) in self.watches.iter_mut().enumerate() {
            if !watch.active || watch.is_unchanged(state, parent) {
                continue;
            }
            let slots = &mut self.slots;
            let mut evaluate = |predicate: &Predicate| {
                if !is_decoded {
                    layout.decode(state, slots);
                    is_decoded = true;
                }
                quietly(|| predicate.holds(slots))
            };
            let mut answer = Ok(true);
            for part in &mut watch.parts {
                answer = match &mut part.memory {
                    None => evaluate(&part.predicate),
                    Some((_, memo)) => memo.answer(state, || evaluate(&part.predicate)),
                };
                if answer != Ok(true) {
                    break;
                }
            }
            let hit_when = watch.role != Role::Invariant;
            match answer {
                Ok(answer) if answer == hit_when => hits.push(Hit { watch: number, panic: None }),
                Ok(_) => {}
                Err(message) => hits.push(Hit { watch: number, panic: Some(message) }),
            }
        }
        if let Some(quiet) = &mut self.quiet
            && hits.len() == n_hits
        {
            quiet.set_true(state);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.watches.is_empty()
    }

    pub(crate) fn bytes(&self) -> usize {
        let parts = self.watches.iter().flat_map(|watch| &watch.parts);
        let memos = parts.filter_map(|part| part.memory.as_ref()).map(|(_, memo)| memo.bytes());
        memos.sum::<usize>() + self.quiet.as_ref().map_or(0, Cache::bytes)
    }
}

impl Watch {
    #[inline]
    fn is_unchanged(&self, state: &[u64], parent: Option<&[u64]>) -> bool {
        parent.is_some_and(|parent| self.parts.iter().all(|part| part.is_unchanged(state, parent)))
    }
}

impl Part {
    fn new(predicate: &Predicate) -> Self {
        let memory = match predicate.reads() {
            Reads::All => None,
            Reads::Slots(slots) => Some((Vec::new(), Memo::new(slots))),
        };
        Part { predicate: predicate.clone(), memory }
    }

    #[inline]
    fn is_unchanged(&self, state: &[u64], parent: &[u64]) -> bool {
        let Some((mask, _)) = &self.memory else { return false };
        state.iter().zip(parent).zip(mask).all(|((new, old), mask)| (new ^ old) & mask == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_search::{Misfit, StateStore, VisitedKind};

    fn monitor(reads: Reads) -> Monitor {
        let never_five = Predicate::new("never five", reads, |state, _| state[0] != 5);
        let properties = vec![foresee_lts::Property::invariant(never_five)];
        Monitor::new(&Config { properties, ..Config::default() })
    }

    fn n_hits(monitor: &mut Monitor, store: &StateStore, state: &[u32], from: &[u32]) -> usize {
        let encoded = |slots: &[u32]| {
            let mut words = vec![0; store.layout().n_words()];
            assert!(store.layout().encode(slots, &mut words));
            words
        };
        let mut hits = Vec::new();
        monitor.follow(store.layout());
        let (state, from) = (encoded(state), encoded(from));
        monitor.examine(store.layout(), &state, Some(&from), &mut hits);
        hits.len()
    }

    #[test]
    fn answers_are_not_taken_over_into_another_layout() {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        store.widen(&[Misfit { slot: 0, id: 7 }, Misfit { slot: 1, id: 0 }]);
        let mut monitor = monitor(Reads::slots([0, 1]));
        assert_eq!(n_hits(&mut monitor, &store, &[5, 0], &[0, 0]), 1);
        // The wider slot comes first now: [0, 5] looks as [5, 0] did before.
        store.widen(&[Misfit { slot: 1, id: 1 << 20 }]);
        assert_eq!(n_hits(&mut monitor, &store, &[0, 5], &[0, 0]), 0);
        assert_eq!(n_hits(&mut monitor, &store, &[5, 5], &[0, 5]), 1);
    }

    #[test]
    fn watches_of_the_same_slots_are_each_hit() {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        store.widen(&[0, 1].map(|slot| Misfit { slot, id: 7 }));
        let is_not = |n: u32| {
            let predicate =
                Predicate::new(format!("not {n}"), Reads::slots([0]), move |s, _| s[0] != n);
            foresee_lts::Property::invariant(predicate)
        };
        let properties = vec![is_not(5), is_not(6), is_not(5)];
        let mut monitor = Monitor::new(&Config { properties, ..Config::default() });
        for round in 0..3 {
            for n in 1..8 {
                let expected = match n {
                    5 => 2 - usize::from(round == 2),
                    6 => usize::from(round < 1),
                    _ => 0,
                };
                assert_eq!(n_hits(&mut monitor, &store, &[n, 1], &[0, 0]), expected, "{round} {n}");
            }
            monitor.retire([1, 2, 0][round]);
        }
        assert!(monitor.quiet.is_none(), "there is one left at most");
    }

    #[test]
    fn a_conjunction_is_hit_as_one_predicate_would_be() {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        store.widen(&[0, 1, 2].map(|slot| Misfit { slot, id: 7 }));
        let below = |slot: usize, n: u32| {
            Predicate::new(format!("{slot} < {n}"), Reads::slots([slot]), move |s, _| s[slot] < n)
        };
        let all = below(0, 6).and(below(1, 5)).and(below(2, 4));
        assert_eq!(all.conjuncts().len(), 3);
        for is_prune in [false, true] {
            let config = match is_prune {
                true => Config { prunes: vec![all.clone()], ..Config::default() },
                false => Config {
                    properties: vec![foresee_lts::Property::invariant(all.clone())],
                    ..Config::default()
                },
            };
            let mut monitor = Monitor::new(&config);
            for n in 0..512u32 {
                let state = [n % 8, n / 8 % 8, n / 64];
                // A state that was expanded was not hit.
                let from = if is_prune { [7, 7, 7] } else { [0, 0, 0] };
                let expected = state != from && all.holds(&state) == is_prune;
                assert_eq!(
                    n_hits(&mut monitor, &store, &state, &from),
                    expected.into(),
                    "{state:?}"
                );
            }
        }
    }

    #[test]
    fn a_step_elsewhere_is_not_looked_at() {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        store.widen(&[Misfit { slot: 0, id: 7 }, Misfit { slot: 1, id: 7 }]);
        let mut monitor = monitor(Reads::slots([0]));
        for from in 0..8 {
            for to in 0..8 {
                let is_hit = to == 5 && from != to;
                assert_eq!(n_hits(&mut monitor, &store, &[to, 1], &[from, 0]), is_hit.into());
            }
        }
    }

    #[test]
    fn a_step_in_the_highest_bit_of_a_full_field_is_seen() {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        store.widen(&[Misfit { slot: 0, id: u32::MAX }, Misfit { slot: 1, id: u32::MAX }]);
        let mut monitor = monitor(Reads::slots([0]));
        assert_eq!(n_hits(&mut monitor, &store, &[5, 0], &[5 | 1 << 31, 0]), 1);
    }
}
