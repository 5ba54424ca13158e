//! One place of a run as a line of a list: what happened, who acted, where the message came from, what is wrong now.

use super::{LabelView, Row, SourcePlace, Stage, StageError};
use foresee_lts::{Action, Label, System};
use foresee_search::PlaceId;
use foresee_stdx::halt;
use foresee_trace::{Event, Run, Trace};

impl Stage {
    pub fn row(&mut self, place: PlaceId) -> Result<Row, StageError> {
        let here = self.cursor.place(place)?;
        let (after, step) = (here.before.map(|(before, _)| before), here.depth);
        let (hash, branches) = (self.hash_of(&here.state), here.after.clone());
        let label = self.plain_label(place)?;
        self.members_at(after.unwrap_or(place));
        self.members_at(place);
        let member = label.as_ref().and_then(|label| self.members.find(label.to.as_deref()?));
        let sent = self.sent_at(place)?;
        Ok(Row {
            place,
            after,
            step,
            source: label.as_ref().and_then(|label| self.source(label)),
            label: label.as_ref().map(LabelView::from),
            member,
            sent_at: sent.place,
            again: sent.again,
            hash,
            findings: self.findings(place)?,
            branches,
        })
    }

    /// What happened on the step to a place.
    pub(crate) fn label_view(&mut self, place: PlaceId) -> Result<Option<LabelView>, StageError> {
        Ok(self.plain_label(place)?.as_ref().map(LabelView::from))
    }

    /// The event that led to a place, as a trace has it; `None` at a start.
    pub(crate) fn event_of(&mut self, place: PlaceId) -> Option<Event> {
        let (label, choice) = self.event(place).ok()??;
        Some(Event { label, choice, note: None })
    }

    /// The numbers of those between whom the step to a place happened.
    pub(crate) fn parties(&mut self, place: PlaceId) -> Result<Vec<u32>, StageError> {
        self.members_at(place);
        let Some(label) = self.plain_label(place)? else { return Ok(Vec::new()) };
        let names = [label.from, label.to].into_iter().flatten();
        Ok(names.filter_map(|name| self.members.find(&name)).collect())
    }

    /// Whether something is wrong at a place.
    pub(crate) fn is_wrong(&mut self, place: PlaceId) -> Result<bool, StageError> {
        Ok(!self.findings(place)?.is_empty())
    }

    /// The labels on the way to a place, without notes.
    pub(crate) fn trace_labels(&self, place: PlaceId) -> Trace {
        let Ok(path) = self.cursor.path(place) else { return Trace::new(self.loaded().name()) };
        Trace::labelled(&Run::of(self.loaded(), &path))
    }

    /// The run to a place, as a trace that can be replayed. It says what is wrong at its end, if anything is.
    pub fn trace(&mut self, place: PlaceId) -> Trace {
        let Ok(path) = self.cursor.path(place) else { return Trace::new(self.loaded().name()) };
        let states = self.cursor.line(place).unwrap_or_default().into_iter();
        let states = states.filter_map(|at| self.cursor.state(at).ok().map(<[u32]>::to_vec));
        let run = Run::with_states(self.loaded(), path, states.collect());
        let trace = self.loaded().named_in(Trace::labelled(&run).with_notes(run.story()));
        let state = self.cursor.state(place).unwrap_or_default();
        match self.judged(state).into_iter().next() {
            Some(finding) => trace.with_violation(finding),
            None => trace,
        }
    }

    /// What happened on the step to a place, and which of the choices with that label it was; `None` at a start.
    pub(super) fn event(&mut self, place: PlaceId) -> Result<Option<(Label, usize)>, StageError> {
        if let Some(known) = &self.scene(place).event {
            return Ok(Some(known.clone()));
        }
        let Some((before, action)) = self.cursor.place(place)?.before else { return Ok(None) };
        halt::advance();
        let (system, state) = (self.loaded(), self.cursor.state(before)?);
        let label = system.label(state, action);
        let actions = self.cursor.choices(before)?;
        let earlier = actions.into_iter().take_while(|other| *other != action);
        // Of thousands of messages, those to other nodes have other labels.
        let is_nodes = system.front().as_nodes().is_some();
        let actor = is_nodes.then(|| system.actor(state, action));
        let may_be_same = |other: &Action| actor.is_none_or(|it| it == system.actor(state, *other));
        let same = earlier.filter(may_be_same).filter(|it| system.label(state, *it) == label);
        let choice = same.count();
        self.scene(place).event = Some((label.clone(), choice));
        Ok(Some((label, choice)))
    }

    /// The line that an event speaks of, with the whole path of the file where it is known.
    fn source(&self, label: &Label) -> Option<SourcePlace> {
        let place = label.place.as_ref()?;
        let base = |path: &str| path.rsplit(['/', '\\']).next() == Some(&place.file);
        let known = self.sources().into_iter().map(|(path, _)| path).find(|path| base(path));
        Some(SourcePlace { file: known.unwrap_or_else(|| place.file.clone()), line: place.line })
    }
}
