//! Run until: the shortest way from a place to where something is the case.
//! Breadth-first, so the first place found is a nearest one; the way there becomes places of the cursor.

use super::forward::{Ended, Forward, Found, Visitor};
use super::{Cursor, CursorError, Lends, PlaceId};
use crate::{Limits, Meter, Observer, StateIndex};
use foresee_lts::{Action, StoppedBy};

/// What is looked for. The default of each answer is "this is not it".
pub trait Goal {
    /// Whether a state is one.
    fn state(&mut self, state: &[u32]) -> bool {
        let _ = state;
        false
    }
    /// Whether a state in which nothing can happen is one.
    fn end(&mut self, state: &[u32]) -> bool {
        let _ = state;
        false
    }
    /// Whether what happens is what is waited for.
    fn step(&mut self, before: &[u32], action: Action) -> bool {
        let _ = (before, action);
        false
    }
    /// Whether to go on from a state that is not the goal.
    fn expands(&mut self, state: &[u32]) -> bool {
        let _ = state;
        true
    }
}

/// What came of a run until something.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Until {
    /// A nearest place where it is the case; the place it started from if it is the case there.
    pub place: Option<PlaceId>,
    /// How many states were looked at.
    pub states: u64,
    /// What kept it from looking further; `None` with no place means that there is none.
    pub stopped_by: Option<StoppedBy>,
}

impl<L: Lends> Cursor<L> {
    /// Explores from `place` until the goal is met, and goes there.
    pub fn run_until(
        &mut self,
        place: PlaceId,
        goal: &mut dyn Goal,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Until, CursorError> {
        let start = self.state(place)?.to_vec();
        let mut forward = Forward::new();
        let mut seeker = Seeker { goal };
        let mut ended = forward.add_start(&start, &mut seeker);
        if ended == Ended::Explored {
            ended = forward.explore(self.system(), limits, meter, observer, &mut seeker);
        }
        let states = forward.store.len() as u64;
        match ended {
            Ended::Visitor(state, last) => {
                let place = self.follow(place, &forward, state, last)?;
                Ok(Until { place: Some(place), states, stopped_by: None })
            }
            Ended::Limit(limit) => Ok(Until { place: None, states, stopped_by: Some(limit) }),
            Ended::Explored => {
                let stopped_by = (!forward.is_complete()).then_some(StoppedBy::Depth);
                Ok(Until { place: None, states, stopped_by })
            }
        }
    }

    /// Takes the way to a state that was found, and one more step if there is one.
    fn follow(
        &mut self,
        place: PlaceId,
        forward: &Forward,
        state: StateIndex,
        last: Option<Action>,
    ) -> Result<PlaceId, CursorError> {
        let actions = forward.actions_to(self.system(), state);
        let mut at = place;
        for action in actions.into_iter().chain(last) {
            at = self.take_action(at, action)?.place;
        }
        self.go_to(at)?;
        Ok(at)
    }
}

struct Seeker<'g> {
    goal: &'g mut dyn Goal,
}

impl Visitor for Seeker<'_> {
    fn found(&mut self, state: &[u32]) -> Found {
        match self.goal.state(state) {
            true => Found::Stop,
            false if self.goal.expands(state) => Found::Expand,
            false => Found::Close,
        }
    }

    fn step(&mut self, before: &[u32], action: Action) -> bool {
        !self.goal.step(before, action)
    }

    fn expanded(&mut self, state: &[u32], successors: &[StateIndex]) -> bool {
        !(successors.is_empty() && self.goal.end(state))
    }
}
