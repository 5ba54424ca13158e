//! The suspect step: the first step in the causal past of what is wrong that takes something back.
//! What it means: a number in a member's state falls that had only risen before, as a promise for ballot 2 that becomes one for
//! ballot 1. Protocols mostly let such numbers rise; one that falls is where a reader looks first. It is a hint, and no proof:
//! the step may be right, and what is wrong may have another cause.

use super::Inspection;
use super::caption::change_words;
use crate::{ChangeView, StageError, Tree};
use foresee_search::PlaceId;
use std::collections::BTreeMap;

/// A member's number and the path to a part of it.
type Part = (Option<u32>, Vec<String>);

impl Inspection {
    /// The suspect step of a run, and why in a sentence.
    pub(super) fn find_suspect(
        &mut self,
        tip: PlaceId,
    ) -> Result<Option<(PlaceId, String)>, StageError> {
        if self.info().front_end != "nodes" {
            return Ok(None);
        }
        let past = self.causal_past(tip)?;
        // Where each number rose last.
        let mut risen: BTreeMap<Part, PlaceId> = BTreeMap::new();
        for place in self.spots.line(tip) {
            let changes = self.changes_at(place)?;
            for change in changes.iter().filter(|it| it.member.is_some()) {
                let Some((before, after)) = numbers(change) else { continue };
                let part = (change.member, change.path.clone());
                let earlier = risen.get(&part).copied();
                match earlier {
                    Some(earlier) if after < before && past.contains(&place) => {
                        return Ok(Some((place, self.words(place, earlier, change))));
                    }
                    _ if after > before => {
                        risen.insert(part, place);
                    }
                    _ => {}
                }
            }
        }
        Ok(None)
    }

    fn words(&mut self, place: PlaceId, earlier: PlaceId, change: &ChangeView) -> String {
        let members = self.members(place).unwrap_or_default();
        let member = members.into_iter().find(|it| Some(it.member) == change.member);
        let what = change_words(change, member.as_ref().map(|it| it.name.as_str()));
        let (step, earlier) = (self.step_of(place), self.step_of(earlier));
        format!("Step {step} takes back what step {earlier} had set: {what}.")
    }
}

fn numbers(change: &ChangeView) -> Option<(i128, i128)> {
    let number = |tree: &Option<Tree>| match tree {
        Some(Tree::Leaf(text)) => text.parse::<i128>().ok(),
        _ => None,
    };
    Some((number(&change.before)?, number(&change.after)?))
}
