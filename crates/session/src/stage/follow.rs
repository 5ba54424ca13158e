//! Following labels: a trace, or lines that somebody has pasted, become places again as far as they apply.

use super::{Followed, LabelView, Stage, StageError, Stopped};
use foresee_lts::Label;
use foresee_search::PlaceId;
use foresee_stdx::halt;
use foresee_trace::{Event, Trace, find_event};

impl Stage {
    /// Follows the events of a trace from a place. A trace that starts in another initial state is followed from there if
    /// `from` is the first place.
    pub fn follow(&mut self, from: PlaceId, trace: &Trace) -> Followed {
        let from = match trace.initial {
            initial if initial > 0 && from == 0 => self.cursor.start(initial).unwrap_or(from),
            _ => from,
        };
        self.follow_events(from, &trace.events)
    }

    /// Follows labels from a place; of several choices with one label the first is taken.
    pub fn follow_labels(&mut self, from: PlaceId, labels: &[Label]) -> Followed {
        let events: Vec<Event> = labels.iter().cloned().map(Event::new).collect();
        self.follow_events(from, &events)
    }

    /// Follows events as a trace has them.
    pub(crate) fn follow_recorded(&mut self, from: PlaceId, events: &[Event]) -> Followed {
        self.follow_events(from, events)
    }

    pub(super) fn follow_events(&mut self, from: PlaceId, events: &[Event]) -> Followed {
        let mut followed = Followed { places: Vec::new(), stopped: None };
        let mut at = from;
        for (i, event) in events.iter().enumerate() {
            match self.follow_one(at, event) {
                Ok(place) => at = place,
                Err(why) => {
                    let (step, label) = (i as u32 + 1, LabelView::from(&event.label));
                    followed.stopped = Some(Stopped { step, label, why: why.message });
                    break;
                }
            }
            followed.places.push(at);
        }
        followed
    }

    fn follow_one(&mut self, at: PlaceId, event: &Event) -> Result<PlaceId, StageError> {
        halt::advance();
        let state = self.cursor.state(at)?;
        let depth = self.cursor.place(at)?.depth as usize;
        let found = find_event(self.loaded(), state, event, depth + 1);
        let action = found.map_err(|stop| StageError::new("not-possible", stop.to_string()))?;
        Ok(self.cursor.take_action(at, action)?.place)
    }
}
