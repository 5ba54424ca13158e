//! Blame: where a value comes from. The step that last changed it, the message that made it do so, the step that sent the
//! message, the message that made it send, and so on back to the start.

use super::Inspection;
use super::caption::{change_words, sentence};
use crate::{ChangeView, StageError};
use foresee_search::PlaceId;

/// One link of the chain, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct BlameLink {
    pub place: PlaceId,
    pub reason: String,
    pub member: Option<u32>,
    pub path: Vec<String>,
}

/// A longer chain says no more.
const LINKS_MAX: usize = 40;

impl Inspection {
    /// Why a part of a member, or of what is shared, has the value it has at a place.
    pub fn blame(
        &mut self,
        place: PlaceId,
        member: Option<u32>,
        path: &[String],
    ) -> Result<Vec<BlameLink>, StageError> {
        self.spots.get(place)?;
        let line = self.spots.line(place);
        for at in line.iter().skip(1).rev() {
            let changes = self.changes_at(*at)?;
            let found = changes.iter().find(|it| it.member == member && overlaps(&it.path, path));
            let Some(change) = found else { continue };
            return self.chain(*at, change);
        }
        let reason = "It has been so from the start.".to_owned();
        let place = line[0];
        Ok(vec![BlameLink { place, reason, member, path: path.to_vec() }])
    }

    fn chain(&mut self, place: PlaceId, change: &ChangeView) -> Result<Vec<BlameLink>, StageError> {
        let row = self.row(place)?;
        let name = self.members(place)?.into_iter().find(|it| Some(it.member) == change.member);
        let what = change_words(change, name.as_ref().map(|it| it.name.as_str()));
        let why = row.label.as_ref().map_or(String::new(), sentence);
        let first = BlameLink {
            place,
            reason: format!("Step {}: {what}. {why}", row.step),
            member: change.member,
            path: change.path.clone(),
        };
        let mut chain = vec![first];
        let mut at = row;
        while let Some(sent_at) = at.sent_at.filter(|sent_at| *sent_at != at.place) {
            let message = at.label.as_ref().map(|it| it.short.clone()).unwrap_or_default();
            let before = self.row(sent_at)?;
            let reason = match &before.label {
                Some(label) => {
                    format!("Step {}: {message} was sent when {}", before.step, sentence(label))
                }
                None => format!("{message} was there from the start."),
            };
            let (member, place) = (before.member, before.place);
            chain.push(BlameLink { place, reason, member, path: Vec::new() });
            if chain.len() == LINKS_MAX {
                break;
            }
            at = before;
        }
        Ok(chain)
    }
}

/// Whether one path leads to a part of the other.
fn overlaps(one: &[String], other: &[String]) -> bool {
    one.iter().zip(other).all(|(a, b)| a == b)
}
