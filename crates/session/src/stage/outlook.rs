//! Looking ahead: what can still go wrong from a place, choice by choice, and where along a run it was decided.

use super::until::is_pruned;
use super::{Stage, StageError};
use foresee_lts::{Predicate, StoppedBy, System};
use foresee_search::{self as search, Limits, Meter, Observer, PlaceId, Silent, Wrongs};
use serde::{Deserialize, Serialize};

/// Which of the runs from a state go wrong.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Prospect {
    None,
    /// At least one; others may go well, or are not known.
    Some,
    All,
    /// None that is known, and not all are known.
    Unknown,
}

impl From<search::Prospect> for Prospect {
    fn from(prospect: search::Prospect) -> Self {
        match prospect {
            search::Prospect::None => Prospect::None,
            search::Prospect::Some => Prospect::Some,
            search::Prospect::All => Prospect::All,
            search::Prospect::Unknown => Prospect::Unknown,
        }
    }
}

/// What can still go wrong from a place.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Outlook {
    /// Everything that can happen from the place is explored.
    pub complete: bool,
    /// How many states are known, those of earlier questions included.
    pub states: u64,
    pub choices: Vec<ChoiceOutlook>,
    pub here: Prospect,
    /// The number of steps from here to the nearest state in which something is wrong.
    pub shortest: Option<u32>,
    pub stopped_by: Option<StoppedBy>,
}

/// What can still go wrong after a choice.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct ChoiceOutlook {
    pub choice: u32,
    pub verdict: Prospect,
    /// Counted from the place, so at least 1.
    pub shortest: Option<u32>,
}

impl Stage {
    /// Explores from a place as far as the limits allow, and says what can go wrong.
    pub fn outlook(
        &mut self,
        place: PlaceId,
        limits: &Limits,
        meter: &dyn Meter,
    ) -> Result<Outlook, StageError> {
        self.outlook_with(place, limits, meter, &mut Silent)
    }

    /// The same, watched.
    pub fn outlook_with(
        &mut self,
        place: PlaceId,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Outlook, StageError> {
        let found = self.looking_ahead(|cursor, wrongs| {
            cursor.outlook(place, wrongs, limits, meter, observer)
        })?;
        let choices = (0u32..).zip(found.choices).map(|(choice, it)| ChoiceOutlook {
            choice,
            verdict: it.prospect.into(),
            shortest: it.shortest,
        });
        Ok(Outlook {
            complete: found.complete,
            states: found.states,
            choices: choices.collect(),
            here: found.here.into(),
            shortest: found.shortest,
            stopped_by: found.stopped_by,
        })
    }

    /// The first of the places of a run, given in order, from which every run goes wrong; `None` if there is none, or if it
    /// is not known.
    pub fn decisive(
        &mut self,
        path: &[PlaceId],
        limits: &Limits,
        meter: &dyn Meter,
    ) -> Result<Option<PlaceId>, StageError> {
        let found = self.looking_ahead(|cursor, wrongs| {
            cursor.decisive(path, wrongs, limits, meter, &mut Silent)
        })?;
        Ok(found.place)
    }

    /// Of all runs that end well, one that shares most with a run given place by place: where it leaves that run, and what
    /// happens from there to its end.
    pub fn nearest_good(
        &mut self,
        path: &[PlaceId],
        limits: &Limits,
        meter: &dyn Meter,
    ) -> Result<search::GoodRun, StageError> {
        self.looking_ahead(|cursor, wrongs| {
            cursor.nearest_good(path, wrongs, limits, meter, &mut Silent)
        })
    }

    /// Restrictions beside those of the system itself, as of a phase of a guided search.
    pub(crate) fn restrict(&mut self, prunes: &[Predicate]) {
        let names = prunes.iter().map(super::info::restriction);
        self.info.restrictions.extend(names);
        self.prunes.extend(prunes.iter().cloned());
        self.restrictions.resize(self.prunes.len(), true);
        self.cursor.forget_region();
    }

    /// Whether explorations go on from where the system's author says that runs need not be followed. They do not, unless
    /// they are told to; steps by hand may go anywhere. One switch for each of [`super::StageInfo::restrictions`].
    pub fn set_restrictions(&mut self, restrictions: &[bool]) {
        let all = restrictions.iter().copied().chain(std::iter::repeat(true));
        let all: Vec<bool> = all.take(self.prunes.len()).collect();
        if self.restrictions != all {
            self.restrictions = all;
            self.cursor.forget_region();
        }
    }

    pub(super) fn prunes_in_force(&self) -> Vec<Predicate> {
        let prunes = self.prunes.iter().zip(&self.restrictions);
        prunes.filter(|(_, on)| **on).map(|(prune, _)| prune.clone()).collect()
    }

    fn looking_ahead<R>(
        &mut self,
        look: impl FnOnce(
            &mut search::Cursor<crate::Loaded>,
            &Wrongs<'_>,
        ) -> Result<R, search::CursorError>,
    ) -> Result<R, StageError> {
        let (loaded, judge) = (self.loaded().clone(), self.judge.clone());
        let prunes = self.prunes_in_force();
        let front = loaded.front();
        let wrongs = Wrongs {
            is_wrong: &|state| !judge.findings(&loaded, state).is_empty(),
            is_stuck: &|state| front.looks_for_deadlocks() && !loaded.is_final(state),
            is_pruned: &|state| is_pruned(&prunes, state),
        };
        Ok(look(&mut self.cursor, &wrongs)?)
    }
}
