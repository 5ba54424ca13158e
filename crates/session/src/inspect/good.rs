//! The nearest good run: the same as a run that went wrong for as long as possible, and it ends well.
//! It becomes a branch, and one sentence says where the two part: what happens instead of what.

use super::{Errand, Inspection, Way};
use crate::StageError;
use foresee_search::PlaceId;

/// The branch's name.
const NAME: &str = "nearest-good-run";

/// A run that ends well, as a branch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GoodBranch {
    pub branch: u32,
    /// Where it leaves the run that went wrong.
    pub from: PlaceId,
    /// Its first step of its own.
    pub place: PlaceId,
    pub tip: PlaceId,
    pub text: String,
}

impl Inspection {
    /// What a scout needs to look for it: a place and all before it.
    pub fn good_errands(&self, place: PlaceId) -> Result<Vec<Errand>, StageError> {
        let stage = self.spots.get(place)?.stage;
        let line = self.spots.line(place).into_iter();
        // A branch with more faults is another system: what lies before it is not of its kind.
        let own = line.filter(|at| self.spots.spots[*at as usize].stage == stage);
        own.map(|at| self.errand(at)).collect()
    }

    /// Takes the run that a scout has found, beside the run to `wrong`.
    pub fn take_good(&mut self, wrong: PlaceId, way: &Way) -> Result<GoodBranch, StageError> {
        let places = self.take_way(way)?;
        let tip = places.last().copied().unwrap_or(way.from);
        let place = places.first().copied().unwrap_or(way.from);
        let branch = self.branch_of(tip)?;
        if branch > 0 && !self.branches.iter().any(|it| it.name == NAME) {
            NAME.clone_into(&mut self.branches[branch as usize].name);
        }
        let text = self.good_words(wrong, way.from, place, tip)?;
        Ok(GoodBranch { branch, from: way.from, place, tip, text })
    }

    fn good_words(
        &mut self,
        wrong: PlaceId,
        from: PlaceId,
        place: PlaceId,
        tip: PlaceId,
    ) -> Result<String, StageError> {
        let (step, last) = (self.step_of(from), self.step_of(tip));
        let line = self.spots.line(wrong);
        let at = line.iter().position(|at| *at == from);
        let instead = at.and_then(|at| line.get(at + 1)).copied();
        let until = match step {
            0 => "From the start".to_owned(),
            step => format!("The same until step {step}"),
        };
        let Some(taken) = self.words_of(place)?.filter(|_| place != from) else {
            return Ok(format!("{until}: the run could have ended there, and well."));
        };
        Ok(match instead {
            Some(instead) => {
                let other = self.words_of(instead)?.unwrap_or_default();
                format!(
                    "{until}; then `{taken}` instead of `{other}`, and the run ends well after step {last}."
                )
            }
            None => format!("{until}; then `{taken}`, and the run ends well after step {last}."),
        })
    }

    fn words_of(&mut self, place: PlaceId) -> Result<Option<String>, StageError> {
        Ok(self.row(place)?.label.map(|label| match (&label.from, &label.to) {
            (Some(from), Some(to)) => format!("{from} -> {to} {}", label.short),
            (None, Some(to)) => format!("{to} {}", label.short),
            _ => label.short,
        }))
    }
}
