//! One numbering of places over several stages: the system as it was asked for, and the same with more faults allowed.
//! A branch that allows more faults begins with a place of its own, which is where it forks from, seen in the other system; it
//! is no step. The way there is in both systems, under the numbers of the first.

use crate::{Followed, Stage, StageError, Trace};
use foresee_search::PlaceId;

/// A place: in which stage, and where there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) stage: usize,
    pub(super) local: PlaceId,
    /// The place before.
    pub(super) after: Option<PlaceId>,
    /// How many steps from the start.
    pub(super) step: u32,
    pub(super) branch: u32,
    /// The same state as the place before, in a system that allows more.
    pub(super) is_same_state: bool,
}

pub(super) struct Spots {
    stages: Vec<Stage>,
    /// For each stage, the numbers of its places; those of the second on the way to where it begins are the first's.
    numbers: Vec<Vec<PlaceId>>,
    pub(super) spots: Vec<Spot>,
    /// For each place those that were reached from it.
    next: Vec<Vec<PlaceId>>,
}

impl Spots {
    pub(super) fn new(stage: Stage) -> Self {
        let spot =
            Spot { stage: 0, local: 0, after: None, step: 0, branch: 0, is_same_state: false };
        Spots {
            stages: vec![stage],
            numbers: vec![vec![0]],
            spots: vec![spot],
            next: vec![Vec::new()],
        }
    }

    /// The places that were reached from a place that exists.
    pub(super) fn after(&self, place: PlaceId) -> &[PlaceId] {
        &self.next[place as usize]
    }

    fn push(&mut self, spot: Spot) {
        let number = self.spots.len() as PlaceId;
        if let Some(before) = spot.after {
            self.next[before as usize].push(number);
        }
        self.next.push(Vec::new());
        self.spots.push(spot);
    }

    pub(super) fn first(&self) -> &Stage {
        &self.stages[0]
    }

    pub(super) fn get(&self, place: PlaceId) -> Result<Spot, StageError> {
        let message = || format!("there is no place {place}");
        let found = self.spots.get(place as usize).copied();
        found.ok_or_else(|| StageError::new("no-such-place", message()))
    }

    /// The stage of a place, and the place in it.
    pub(super) fn at(&mut self, place: PlaceId) -> Result<(&mut Stage, PlaceId), StageError> {
        let spot = self.get(place)?;
        Ok((&mut self.stages[spot.stage], spot.local))
    }

    /// The number of a place of a stage, which is known.
    pub(super) fn number(&self, stage: usize, local: PlaceId) -> PlaceId {
        self.numbers[stage][local as usize]
    }

    pub(super) fn stage(&self, number: usize) -> &Stage {
        &self.stages[number]
    }

    pub(super) fn first_mut(&mut self) -> &mut Stage {
        &mut self.stages[0]
    }

    pub(super) fn stage_mut(&mut self, number: usize) -> &mut Stage {
        &mut self.stages[number]
    }

    pub(super) fn add_stage(&mut self, stage: Stage) -> usize {
        self.stages.push(stage);
        self.numbers.push(Vec::new());
        self.stages.len() - 1
    }

    /// Follows a run in another stage, whose places on the way are those of the first; where it ends there.
    pub(super) fn follow_in(&mut self, stage: usize, run: &Trace) -> Result<PlaceId, StageError> {
        let followed = self.stages[stage].follow(0, run);
        if let Some(stopped) = followed.stopped {
            let message = format!("step {} is not possible there: {}", stopped.step, stopped.why);
            return Err(StageError::new("not-possible", message));
        }
        Ok(followed.places.last().copied().unwrap_or(0))
    }

    /// Gives a number to the end of the way that was followed in a stage; the places before have those of the way itself.
    pub(super) fn add(&mut self, spot: Spot, local: PlaceId) -> PlaceId {
        let number = self.spots.len() as PlaceId;
        let way = spot.after.map(|after| self.line(after)).unwrap_or_default();
        let steps: Vec<PlaceId> =
            way.into_iter().filter(|at| !self.spots[*at as usize].is_same_state).collect();
        let own = self.stages[spot.stage].path(local);
        let mut numbers = vec![number; self.stages[spot.stage].n_places() as usize];
        for (local, place) in own.into_iter().zip(steps) {
            numbers[local as usize] = place;
        }
        numbers[local as usize] = number;
        self.numbers[spot.stage] = numbers;
        self.push(spot);
        number
    }

    /// Follows a run from the beginning of the first stage.
    pub(super) fn follow_first(&mut self, run: &Trace) -> Followed {
        self.stages[0].follow(0, run)
    }

    /// The places of stages that have no number yet: they get one. The places that are new.
    pub(super) fn adopt(&mut self) -> Vec<PlaceId> {
        let mut new = Vec::new();
        for stage in 0..self.stages.len() {
            for local in self.numbers[stage].len() as PlaceId..self.stages[stage].n_places() {
                let number = self.spots.len() as PlaceId;
                let before = self.stages[stage].before(local);
                let after = before.map(|before| self.number(stage, before));
                let step = after.map_or(0, |after| self.spots[after as usize].step + 1);
                let spot = Spot { stage, local, after, step, branch: 0, is_same_state: false };
                self.push(spot);
                self.numbers[stage].push(number);
                new.push(number);
            }
        }
        new
    }

    /// The places on the way to a place, both ends included.
    pub(super) fn line(&self, place: PlaceId) -> Vec<PlaceId> {
        let mut line = Vec::new();
        let mut at = Some(place).filter(|place| (*place as usize) < self.spots.len());
        while let Some(place) = at {
            line.push(place);
            at = self.spots[place as usize].after;
        }
        line.reverse();
        line
    }
}
