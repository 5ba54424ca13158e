//! Faults that the check did not allow: a branch that goes on in the same system with larger budgets.
//! Why another stage: what is left of the budgets is part of a state, so a state with more of them is one of another system. The
//! run to the place is followed there by its labels, which do not speak of budgets.

use super::Inspection;
use super::spots::Spot;
use crate::{Stage, StageError};
use foresee_search::PlaceId;

/// So many more faults of each kind are allowed.
const MORE: u32 = 3;

impl Inspection {
    /// Opens a branch at a place in which more faults may happen; its number.
    pub fn allow_faults(&mut self, place: PlaceId) -> Result<u32, StageError> {
        let from = self.spots.get(place)?;
        if self.branches[from.branch as usize].allows_more_faults {
            return Ok(from.branch);
        }
        let stage = self.lenient_stage()?;
        let run = self.spots.first().trace_labels(from.local);
        let local = self.spots.follow_in(stage, &run)?;
        let spot = Spot { stage, local, after: Some(place), is_same_state: true, ..from };
        let number = self.spots.add(spot, local);
        let branch = self.begin_branch(Some(place), number);
        self.branches[branch as usize].allows_more_faults = true;
        self.spots.spots[number as usize].branch = branch;
        Ok(branch)
    }

    /// The branch that a branch with more faults was opened from; itself if it has no more.
    pub fn branch_without_faults(&self, branch: u32) -> Result<u32, StageError> {
        self.run_of(branch)?;
        let mut at = branch;
        while self.branches[at as usize].allows_more_faults {
            let Some(from) = self.branches[at as usize].from else { break };
            at = self.branch_of(from)?;
        }
        Ok(at)
    }

    /// The stage of the system with more faults, made when it is first asked for.
    fn lenient_stage(&mut self) -> Result<usize, StageError> {
        let Some(loaded) = self.loaded().with_more_faults(MORE) else {
            let message = "this system has no faults that are counted";
            return Err(StageError::new("no-faults", message));
        };
        // Each such branch has a stage of its own: in a shared one two branches could meet, and a place be on both.
        Ok(self.spots.add_stage(Stage::open(&loaded)))
    }
}
