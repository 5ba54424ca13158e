//! A scout explores for an inspection, on another thread, while the inspection answers other questions.
//! It has stages of its own on the same systems: states are the same numbers in both, so an [`Errand`] is a state to start
//! from, and what is found comes back as actions to take there.

use super::Inspection;
use crate::{Condition, Loaded, Outlook, Stage, StageError, Toward, Until};
use foresee_lts::{Action, Predicate, State, StoppedBy};
use foresee_search::{Limits, Meter, Observer, PlaceId};
use std::collections::BTreeSet;

/// What a scout needs to know of a place.
#[derive(Clone)]
pub struct Errand {
    pub place: PlaceId,
    stage: usize,
    loaded: Loaded,
    state: State,
    restrictions: Vec<bool>,
    /// Those that are not the system's own.
    prunes: Vec<Predicate>,
}

/// A way from a place, found by a scout.
#[derive(Clone, Debug)]
pub struct Way {
    pub from: PlaceId,
    actions: Vec<Action>,
}

/// What came of running until something.
pub struct Sought {
    pub way: Option<Way>,
    pub states: u64,
    pub stopped_by: Option<StoppedBy>,
    /// For a field: some of the values that it has in the states that were looked at.
    pub seen: Vec<String>,
}

/// A run that ends well: where it leaves another one, and how it goes on.
#[derive(Clone, Debug, Default)]
pub struct Good {
    pub way: Option<Way>,
    pub stopped_by: Option<StoppedBy>,
}

/// Explores for an inspection.
#[derive(Default)]
pub struct Scout {
    stages: Vec<(usize, Loaded, Stage)>,
}

impl Inspection {
    /// What a scout needs to explore from a place.
    pub fn errand(&self, place: PlaceId) -> Result<Errand, StageError> {
        let spot = self.spots.get(place)?;
        let stage = self.spots.stage(spot.stage);
        Ok(Errand {
            place,
            stage: spot.stage,
            loaded: stage.loaded().clone(),
            state: stage.state_of(spot.local)?,
            restrictions: self.opening.restrictions.iter().map(|it| it.on).collect(),
            prunes: self.phase_prunes.clone(),
        })
    }

    /// Takes a way that a scout has found; the places on it.
    pub fn take_way(&mut self, way: &Way) -> Result<Vec<PlaceId>, StageError> {
        let spot = self.spots.get(way.from)?;
        let (stage, local) = self.spots.at(way.from)?;
        let tip = stage.take_actions(local, &way.actions)?;
        self.adopt();
        let tip = self.spots.number(spot.stage, tip);
        let line = self.spots.line(tip);
        let n = line.len() - way.actions.len();
        Ok(line[n..].to_vec())
    }
}

impl Scout {
    /// The scout's own stage for an errand, and the place there.
    fn stage(&mut self, errand: &Errand) -> (&mut Stage, PlaceId) {
        let known = self.stages.iter().position(|(number, ..)| *number == errand.stage);
        let at = known.unwrap_or_else(|| {
            let loaded = errand.loaded.clone();
            let mut stage = Stage::open(&loaded);
            stage.restrict(&errand.prunes);
            self.stages.push((errand.stage, loaded, stage));
            self.stages.len() - 1
        });
        let stage = &mut self.stages[at].2;
        stage.set_restrictions(&errand.restrictions);
        let place = stage.visit(&errand.state);
        (stage, place)
    }

    pub fn outlook(
        &mut self,
        errand: &Errand,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Outlook, StageError> {
        let (stage, place) = self.stage(errand);
        stage.outlook_with(place, limits, meter, observer)
    }

    pub fn run_until(
        &mut self,
        errand: &Errand,
        condition: &Condition,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Sought, StageError> {
        let (stage, place) = self.stage(errand);
        let until = stage.run_until(place, condition, limits, meter, observer)?;
        let way = until.place.map(|at| Way { from: errand.place, actions: stage.actions(at) });
        let Until { states, stopped_by, seen, .. } = until;
        Ok(Sought { way, states, stopped_by, seen })
    }

    /// How far from a place everything is that is said to be possible.
    pub fn compass(
        &mut self,
        errand: &Errand,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Toward>, StageError> {
        let (stage, place) = self.stage(errand);
        stage.compass(place, limits, meter, observer)
    }

    /// The first of some places of a run, given in order, from which every run goes wrong, by its number among them.
    pub fn decisive(
        &mut self,
        run: &[Errand],
        limits: &Limits,
        meter: &dyn Meter,
    ) -> Result<Option<usize>, StageError> {
        let Some(first) = run.first() else { return Ok(None) };
        let mut places = Vec::new();
        for errand in run {
            places.push(self.stage(errand).1);
        }
        let decisive = self.stage(first).0.decisive(&places, limits, meter)?;
        Ok(decisive.and_then(|at| places.iter().position(|place| *place == at)))
    }

    /// The run that ends well and shares most with a run given in order; `None` if none is known.
    pub fn nearest_good(
        &mut self,
        run: &[Errand],
        limits: &Limits,
        meter: &dyn Meter,
    ) -> Result<Good, StageError> {
        let Some(first) = run.first() else { return Ok(Good::default()) };
        let mut places = Vec::new();
        for errand in run {
            places.push(self.stage(errand).1);
        }
        let found = self.stage(first).0.nearest_good(&places, limits, meter)?;
        let way = found.way.and_then(|(at, actions)| {
            let number = places.iter().position(|place| *place == at)?;
            Some(Way { from: run[number].place, actions })
        });
        Ok(Good { way, stopped_by: found.stopped_by })
    }

    /// Random steps from a place.
    pub fn random(&mut self, errand: &Errand, steps: u32, seed: u64) -> Result<Way, StageError> {
        let (stage, place) = self.stage(errand);
        let places = stage.random(place, steps, seed)?;
        let actions = places.last().map(|at| stage.actions(*at)).unwrap_or_default();
        Ok(Way { from: errand.place, actions })
    }

    /// Runs from a place in which nothing goes wrong, each as unlike the others as can be found: random runs are made, and
    /// those are taken that have the most labels which no run taken before has.
    pub fn diverse(
        &mut self,
        errand: &Errand,
        runs: u32,
        seed: u64,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<Way>, StageError> {
        let mut found: Vec<(Vec<Action>, BTreeSet<String>)> = Vec::new();
        for number in 0..u64::from(runs) * TRIES_FOR_EACH {
            if is_over() {
                break;
            }
            // A stage of its own: its places are of no use afterwards, and random steps know no restrictions.
            let mut stage = Stage::open(&errand.loaded);
            let start = stage.visit(&errand.state);
            let places = stage.random(start, STEPS_MAX, seed.wrapping_add(number))?;
            let mut labels = BTreeSet::new();
            let mut is_good = true;
            for place in &places {
                let row = stage.row(*place)?;
                is_good &= row.findings.is_empty();
                labels.extend(row.label.map(|label| label.text));
            }
            let actions = places.last().map(|at| stage.actions(*at)).unwrap_or_default();
            if is_good && !actions.is_empty() && !found.iter().any(|(it, _)| *it == actions) {
                found.push((actions, labels));
            }
        }
        Ok(unlike(found, runs)
            .into_iter()
            .map(|actions| Way { from: errand.place, actions })
            .collect())
    }
}

/// So many random runs are made for each that is wanted.
const TRIES_FOR_EACH: u64 = 8;
/// A run of more steps nobody compares with others.
const STEPS_MAX: u32 = 200;

/// The runs that add most to those taken before, the one with most labels first.
fn unlike(mut found: Vec<(Vec<Action>, BTreeSet<String>)>, runs: u32) -> Vec<Vec<Action>> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut chosen = Vec::new();
    while chosen.len() < runs as usize && !found.is_empty() {
        let news = |labels: &BTreeSet<String>| labels.difference(&seen).count();
        let most = found.iter().map(|(_, labels)| news(labels)).max().unwrap_or(0);
        let at = found.iter().position(|(_, labels)| news(labels) == most).expect("one has most");
        let (actions, labels) = found.remove(at);
        seen.extend(labels);
        chosen.push(actions);
    }
    chosen
}
