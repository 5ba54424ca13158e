//! What a stage answers, in the numbering of an inspection.

use super::Inspection;
use crate::stage::is_fault;
use crate::{
    ChangeView, ChoiceView, Choices, Condition, Followed, MemberInfo, Outlook, PartKey, Row,
    StageError, StageInfo, StateView, Taken, Tree,
};
use foresee_lts::{Label, Verb};
use foresee_search::{Limits, Meter, Observer, PlaceId};

/// A choice with what the inspection knows of it.
pub struct Chosen {
    pub view: ChoiceView,
    /// It is the next step of the branch.
    pub recorded: bool,
    /// It delivers a message that was delivered before.
    pub delivered: bool,
}

impl Inspection {
    pub fn info(&self) -> &StageInfo {
        self.spots.first().info()
    }

    pub fn n_places(&self) -> u32 {
        self.spots.spots.len() as u32
    }

    pub fn members(&mut self, place: PlaceId) -> Result<Vec<MemberInfo>, StageError> {
        let stage = self.spots.get(place)?.stage;
        let (at, local) = self.spots.at(place)?;
        let mut members = at.members(local);
        for member in &mut members {
            member.born = self.spots.number(stage, member.born);
        }
        Ok(members)
    }

    pub fn row(&mut self, place: PlaceId) -> Result<Row, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let mut row = stage.row(local)?;
        row.place = place;
        row.after = spot.after;
        row.step = spot.step;
        row.sent_at = row.sent_at.map(|at| self.spots.number(spot.stage, at));
        row.branches = self.spots.after(place).to_vec();
        if spot.is_same_state {
            row.label = None;
            row.sent_at = None;
            row.again = false;
        }
        Ok(row)
    }

    /// The place after whose step the message of a step was there.
    pub fn sent_at(&mut self, place: PlaceId) -> Result<Option<PlaceId>, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let sent_at = stage.origin(local)?;
        Ok(sent_at.map(|at| self.spots.number(spot.stage, at)))
    }

    pub fn state(&mut self, place: PlaceId) -> Result<StateView, StageError> {
        self.state_up_to(place, usize::MAX)
    }

    /// The same with at most so many messages of each inbox.
    pub fn state_up_to(&mut self, place: PlaceId, most: usize) -> Result<StateView, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let mut state = stage.state_up_to(local, most)?;
        self.renumber(&mut state, spot.stage);
        state.place = place;
        Ok(state)
    }

    fn renumber(&self, state: &mut StateView, stage: usize) {
        let members = state.members.iter_mut();
        for item in members.flat_map(|it| it.inbox.iter_mut().chain(&mut it.timers)) {
            item.sent_at = item.sent_at.map(|at| self.spots.number(stage, at));
        }
    }

    /// Any part named by a state of this place that was asked for.
    pub fn part(&mut self, place: PlaceId, key: PartKey) -> Option<Tree> {
        self.spots.at(place).ok()?.0.part(key).cloned()
    }

    /// What the step to a place changed.
    pub fn changes_at(&mut self, place: PlaceId) -> Result<Vec<ChangeView>, StageError> {
        match self.spots.get(place)?.after {
            Some(before) => self.changes(before, place),
            None => Ok(Vec::new()),
        }
    }

    pub fn changes(
        &mut self,
        before: PlaceId,
        after: PlaceId,
    ) -> Result<Vec<ChangeView>, StageError> {
        let (from, to) = (self.spots.get(before)?, self.spots.get(after)?);
        if from.stage == to.stage {
            return self.spots.at(after)?.0.changes(from.local, to.local);
        }
        let (stage, local) = self.spots.at(before)?;
        let old = stage.outline(local);
        Ok(self.spots.at(after)?.0.changes_from(&old, to.local))
    }

    /// What can happen at a place, and what cannot; at most so many of one kind for one member.
    pub fn choices(
        &mut self,
        place: PlaceId,
        most: usize,
    ) -> Result<(Choices, Vec<Chosen>), StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let mut choices = stage.choices_up_to(local, most)?;
        let delivered = stage.delivered_before(local)?;
        let next = self.spots.after(place);
        let is_next = |at: PlaceId| {
            let branch = |place: PlaceId| self.spots.spots[place as usize].branch;
            next.contains(&at) && branch(at) == spot.branch
        };
        let list = std::mem::take(&mut choices.choices).into_iter().map(|mut view| {
            view.place = view.place.map(|at| self.spots.number(spot.stage, at));
            Chosen {
                recorded: view.place.is_some_and(is_next),
                delivered: delivered.contains(&view.choice),
                view,
            }
        });
        let list = list.collect();
        Ok((choices, list))
    }

    /// The state that a choice leads to, with at most so many messages of each inbox, and what changes.
    pub fn preview(
        &mut self,
        place: PlaceId,
        choice: u32,
        most: usize,
    ) -> Result<(StateView, Vec<ChangeView>), StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let (mut state, changes) = stage.preview(local, choice, most)?;
        self.renumber(&mut state, spot.stage);
        state.place = place;
        Ok((state, changes))
    }

    pub fn take(
        &mut self,
        place: PlaceId,
        choice: u32,
        label: Option<&str>,
    ) -> Result<Taken, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let taken = stage.take(local, choice, label)?;
        self.adopt();
        Ok(Taken { place: self.spots.number(spot.stage, taken.place), new: taken.new })
    }

    pub fn random(
        &mut self,
        place: PlaceId,
        steps: u32,
        seed: u64,
    ) -> Result<Vec<PlaceId>, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let places = stage.random(local, steps, seed)?;
        self.adopt();
        Ok(places.into_iter().map(|at| self.spots.number(spot.stage, at)).collect())
    }

    /// Follows labels from a place.
    pub fn follow(&mut self, place: PlaceId, labels: &[Label]) -> Result<Followed, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let mut followed = stage.follow_labels(local, labels);
        self.adopt();
        for at in &mut followed.places {
            *at = self.spots.number(spot.stage, *at);
        }
        Ok(followed)
    }

    /// The shortest run from a place to where a condition is met.
    pub fn run_until(
        &mut self,
        place: PlaceId,
        condition: &Condition,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<crate::Until, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let mut until = stage.run_until(local, condition, limits, meter, observer)?;
        self.adopt();
        until.place = until.place.map(|at| self.spots.number(spot.stage, at));
        Ok(until)
    }

    pub fn outlook(
        &mut self,
        place: PlaceId,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Outlook, StageError> {
        let (stage, local) = self.spots.at(place)?;
        stage.outlook_with(local, limits, meter, observer)
    }

    /// One character for each property: `h` holds, `v` violated, `?` not known.
    pub fn property_marks(&mut self, place: PlaceId) -> Result<String, StageError> {
        let (stage, local) = self.spots.at(place)?;
        stage.property_marks(local)
    }

    /// What is special about a place: `violation`, `decisive`, `suspect`, `fault`, `timer`.
    pub fn marks(&self, row: &Row) -> Vec<&'static str> {
        let verb = row.label.as_ref().map(|label| label.verb.as_str());
        self.marks_of(row.place, !row.findings.is_empty() && row.after.is_some(), verb)
    }

    /// The same without the rest of the row.
    pub fn marks_at(&mut self, place: PlaceId) -> Result<Vec<&'static str>, StageError> {
        let spot = self.spots.get(place)?;
        let (stage, local) = self.spots.at(place)?;
        let is_wrong = spot.after.is_some() && stage.is_wrong(local)?;
        let verb = stage.label_view(local)?.filter(|_| !spot.is_same_state).map(|it| it.verb);
        Ok(self.marks_of(place, is_wrong, verb.as_deref()))
    }

    fn marks_of(&self, place: PlaceId, is_wrong: bool, verb: Option<&str>) -> Vec<&'static str> {
        let verbs = Verb::ALL.iter().map(|(verb, _)| *verb);
        let is_fault_word =
            |word: &str| verbs.clone().any(|verb| verb.word() == word && is_fault(verb));
        // A formula is not seen in a state: the run is the reason, and its end stands for it.
        let is_reason = self.opening.reason == super::Reason::Violation
            && self.opening.formula.is_some()
            && place == self.opening.place
            && place != 0;
        let marks = [
            ("violation", is_wrong || is_reason),
            ("decisive", self.opening.decisive == Some(place)),
            ("suspect", self.opening.suspect == Some(place)),
            ("fault", verb.is_some_and(is_fault_word)),
            ("timer", verb == Some(Verb::Timer.word())),
        ];
        marks.into_iter().filter(|(_, is_so)| *is_so).map(|(mark, _)| mark).collect()
    }

    /// The texts that places in the source are about.
    pub fn sources(&self) -> Vec<(String, std::sync::Arc<str>)> {
        self.spots.first().sources()
    }
}
