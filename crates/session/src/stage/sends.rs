//! Which step sent what is delivered at a place, and what is pending there.
//! The finding is `foresee-trace`'s `Sends`, step by step along a run; here it is kept for some places, so that the next
//! step, and a step on another branch, need not begin at the start. What is found of a place never changes.

use super::{Scene, Stage, StageError};
use foresee_lts::{Description, Footprint, Label, Pending, Verb};
use foresee_nodes::is_message_object;
use foresee_search::PlaceId;
use foresee_trace::{Sends, Sent, member_identity, sent};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// At so many places it is kept what is in flight; of a long run, every so many steps.
const KEPT_MAX: usize = 48;
const KEEP_EVERY: u32 = 64;

/// Where the message of a step comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SentAt {
    pub(super) place: Option<PlaceId>,
    pub(super) again: bool,
}

/// What is in flight at some places, the place asked for last at the end.
#[derive(Default)]
pub(super) struct Tracked {
    kept: VecDeque<(PlaceId, Arc<Track>)>,
}

/// Which steps took up and sent which messages, by the objects of their footprints.
#[derive(Default)]
pub(super) struct Touches {
    /// As many places are known.
    n_known: u32,
    taken_at: BTreeMap<PlaceId, u64>,
    taken: BTreeMap<u64, Vec<PlaceId>>,
    sent: BTreeMap<u64, Vec<PlaceId>>,
}

#[derive(Clone, Default)]
struct Track {
    sends: Sends,
    /// What was delivered, and the step that had sent it.
    delivered: BTreeSet<(Sent, usize)>,
    /// Copies that faults have made: the step of the fault, and the step that had sent the message.
    copies: BTreeMap<(Sent, usize), usize>,
}

/// Where what is pending at a place comes from.
#[derive(Default)]
pub(super) struct PendingAt {
    line: Vec<PlaceId>,
    /// Who acted at each place of the line.
    actors: Vec<String>,
    track: Arc<Track>,
}

/// What is known of something pending.
pub(super) struct PendingOrigin {
    pub(super) place: PlaceId,
    pub(super) sender: String,
    pub(super) delivered: bool,
}

/// The origins of one member's messages, in the order of its inbox.
pub(super) struct OfMember<'p> {
    at: &'p PendingAt,
    member: &'p str,
    taken: BTreeMap<Sent, usize>,
}

impl PendingAt {
    pub(super) fn of<'p>(&'p self, member: &'p str) -> OfMember<'p> {
        OfMember { at: self, member, taken: BTreeMap::new() }
    }
}

impl OfMember<'_> {
    /// The origin of the next message of the inbox.
    pub(super) fn next(&mut self, item: &Pending) -> Option<PendingOrigin> {
        let message = keyed(sent(self.member, item));
        let nth = self.taken.entry(message.clone()).or_default();
        let step = self.at.track.sends.steps_of(&message).nth(*nth)?;
        *nth += 1;
        let step = self.at.track.first_send(&message, step);
        let sender = self.at.actors.get(step).cloned().unwrap_or_default();
        let delivered = self.at.track.delivered.contains(&(message, step));
        Some(PendingOrigin { place: *self.at.line.get(step)?, sender, delivered })
    }
}

impl Stage {
    /// Where the message of the step to a place comes from.
    pub(super) fn sent_at(&mut self, place: PlaceId) -> Result<SentAt, StageError> {
        if self.scene(place).sent.is_none() {
            if self.is_large {
                let sent = self.sent_by_footprints(place)?;
                self.scene(place).sent = Some(sent);
            } else {
                self.track(place)?;
            }
        }
        Ok(self.scene(place).sent.unwrap_or_default())
    }

    /// Where everything that is pending at a place comes from.
    pub(super) fn pending_at(&mut self, place: PlaceId) -> Result<PendingAt, StageError> {
        if self.is_large {
            return Ok(PendingAt::default());
        }
        let track = self.track(place)?;
        let line = self.cursor.line(place)?;
        let mut actors = Vec::with_capacity(line.len());
        for at in &line {
            let label = self.event(*at)?.map(|(label, _)| label);
            actors.push(label.and_then(|it| it.to).unwrap_or_default());
        }
        Ok(PendingAt { line, actors, track })
    }

    /// The choices at a place that deliver a message which was delivered before on the way there.
    pub(crate) fn delivered_before(&mut self, place: PlaceId) -> Result<BTreeSet<u32>, StageError> {
        let mut found = BTreeSet::new();
        let pending = self.pending_at(place)?;
        if pending.track.delivered.is_empty() {
            return Ok(found);
        }
        let choices = self.choices_of(self.cursor.state(place)?);
        for member in &self.describe(place).members {
            let mut origins = pending.of(&member.name);
            for item in &member.inbox {
                let is_delivered = origins.next(item).is_some_and(|it| it.delivered);
                let choice = item.action.and_then(|action| choices.get(&action));
                found.extend(choice.filter(|_| is_delivered));
            }
        }
        Ok(found)
    }

    /// Where the message of a step comes from, if too much is in flight to compare states: the latest step of the sender whose footprint writes the
    /// message. A message that was there from the start comes from there.
    fn sent_by_footprints(&mut self, place: PlaceId) -> Result<SentAt, StageError> {
        self.learn_touches()?;
        let Some(&message) = self.touches.taken_at.get(&place) else {
            return Ok(SentAt::default());
        };
        let line = self.cursor.line(place)?;
        let label = self.plain_label(place)?;
        let sender = label.as_ref().and_then(|label| label.from.clone());
        // Places have larger numbers than those before them.
        let is_before = |at: PlaceId| at < place && line.binary_search(&at).is_ok();
        let mut sent_at = line.first().copied();
        for &at in self.touches.sent.get(&message).into_iter().flatten().rev() {
            if is_before(at) && self.plain_label(at)?.is_some_and(|it| it.to == sender) {
                sent_at = Some(at);
                break;
            }
        }
        let mut again = false;
        for &at in self.touches.taken.get(&message).into_iter().flatten() {
            again |= Some(at) > sent_at && is_before(at) && self.plain_label(at)? == label;
        }
        Ok(SentAt { place: sent_at, again })
    }

    /// Notes of every place that is new which message its step took up, and which it sent.
    fn learn_touches(&mut self) -> Result<(), StageError> {
        for place in self.touches.n_known..self.n_places() {
            let has_sender = self.plain_label(place)?.is_some_and(|label| label.from.is_some());
            let footprint = self.footprint(place)?;
            let mut messages = messages(&footprint).into_iter().peekable();
            // An event about a message touches it first; what it sends comes after.
            if let Some(message) = messages.next_if(|_| has_sender) {
                self.touches.taken_at.insert(place, message);
                self.touches.taken.entry(message).or_default().push(place);
            }
            for message in messages {
                self.touches.sent.entry(message).or_default().push(place);
            }
        }
        self.touches.n_known = self.n_places();
        Ok(())
    }

    /// What happened on the step to a place, without asking which of several with this label it was.
    pub(super) fn plain_label(&self, place: PlaceId) -> Result<Option<Label>, StageError> {
        Ok(match self.cursor.place(place)?.before {
            Some((before, action)) => Some(self.loaded().label(self.cursor.state(before)?, action)),
            None => None,
        })
    }

    /// The place after whose step the message of a step was there.
    pub(crate) fn origin(&mut self, place: PlaceId) -> Result<Option<PlaceId>, StageError> {
        Ok(self.sent_at(place)?.place)
    }

    /// What is in flight at a place, found from the nearest place before it where it is known.
    fn track(&mut self, place: PlaceId) -> Result<Arc<Track>, StageError> {
        let line = self.cursor.line(place)?;
        let is_kept = |at: &PlaceId| self.tracked.kept.iter().any(|(kept, _)| kept == at);
        let (start, mut track) = match line.iter().rposition(is_kept) {
            Some(at) => (at, self.tracked.take(line[at], (at as u32).is_multiple_of(KEEP_EVERY))),
            None => {
                let description = self.describe(line[0]);
                let sends = Sends::new(&in_flight(&description));
                self.scene(line[0]).sent = Some(SentAt::default());
                let track = Arc::new(Track { sends, ..Track::default() });
                self.tracked.keep(line[0], &track);
                (0, track)
            }
        };
        for at in start + 1..line.len() {
            self.advance(&line, at, Arc::make_mut(&mut track))?;
            if (at as u32).is_multiple_of(KEEP_EVERY) {
                self.tracked.keep(line[at], &track);
            }
        }
        self.tracked.keep(place, &track);
        Ok(track)
    }

    /// Goes on by the step that leads to `line[at]`.
    fn advance(
        &mut self,
        line: &[PlaceId],
        at: usize,
        track: &mut Track,
    ) -> Result<(), StageError> {
        let place = line[at];
        let label = self.event(place)?.map(|(label, _)| keyed_label(label));
        let label = label.expect("a place after another has an event");
        let footprint = self.footprint(place)?;
        let in_flight = in_flight(&self.describe(place));
        let scenes = &self.scenes;
        let earlier = |step: usize| known_event(&scenes[*line.get(step)? as usize]);
        let origin = track.sends.step(&label, &footprint, &in_flight, &earlier);
        let message = message_of(&label);
        let step = match (&message, origin.sent_at) {
            (Some(message), Some(step)) => Some(track.first_send(message, step)),
            (_, sent_at) => sent_at.or(origin.put_at),
        };
        let again = match (message, step) {
            (Some(message), Some(step)) => track.note(label.verb, message, at, step),
            _ => false,
        };
        let scene = self.scene(place);
        scene.sent = Some(SentAt { place: step.map(|step| line[step]), again });
        scene.footprint = Some(footprint);
        Ok(())
    }

    /// What the step to a place reads and writes.
    pub(crate) fn footprint(&self, place: PlaceId) -> Result<Arc<Footprint>, StageError> {
        Ok(match self.cursor.place(place)?.before {
            Some((before, action)) => {
                Arc::new(self.loaded().footprint(self.cursor.state(before)?, action))
            }
            None => Arc::default(),
        })
    }
}

/// The messages that an event touches.
fn messages(footprint: &Footprint) -> Vec<u64> {
    let objects = footprint.accesses.iter().map(|access| access.object);
    objects.filter(|object| is_message_object(*object)).collect()
}

fn known_event(scene: &Scene) -> Option<(&Label, &Footprint)> {
    Some((&scene.event.as_ref()?.0, scene.footprint.as_deref()?))
}

impl Tracked {
    /// What is kept of a place; it stays there too if it is to be kept for others.
    fn take(&mut self, place: PlaceId, stays: bool) -> Arc<Track> {
        let at = self.kept.iter().position(|(kept, _)| *kept == place).expect("is kept");
        match stays {
            true => Arc::clone(&self.kept[at].1),
            false => self.kept.remove(at).expect("just found").1,
        }
    }

    fn keep(&mut self, place: PlaceId, track: &Arc<Track>) {
        self.kept.retain(|(kept, _)| *kept != place);
        if self.kept.len() == KEPT_MAX {
            self.kept.pop_front();
        }
        self.kept.push_back((place, Arc::clone(track)));
    }
}

impl Track {
    /// The step that sent a message, if the one found only doubled it.
    fn first_send(&self, message: &Sent, step: usize) -> usize {
        self.copies.get(&(message.clone(), step)).copied().unwrap_or(step)
    }

    /// Notes what became of a message that `step` had sent; whether it was delivered before.
    fn note(&mut self, verb: Verb, message: Sent, at: usize, step: usize) -> bool {
        match verb {
            Verb::Deliver => !self.delivered.insert((message, step)),
            Verb::Duplicate => {
                self.copies.insert((message, at), step);
                false
            }
            _ => false,
        }
    }
}

/// Everything in flight, by what stays of members' names.
fn in_flight(description: &Description) -> Vec<Sent> {
    foresee_trace::in_flight(description).into_iter().map(keyed).collect()
}

fn keyed(sent: Sent) -> Sent {
    let stays = |name: &str| member_identity(name).to_owned();
    Sent { from: stays(&sent.from), to: stays(&sent.to), payload: sent.payload }
}

fn keyed_label(label: Label) -> Label {
    let stays = |name: Option<String>| name.map(|name| member_identity(&name).to_owned());
    Label { from: stays(label.from), to: stays(label.to), ..label }
}

fn message_of(label: &Label) -> Option<Sent> {
    let (from, to) = (label.from.clone()?, label.to.clone()?);
    Some(Sent { from, to, payload: label.payload.clone() })
}
