//! Branches: which run a place belongs to, and the order in which a list shows all places.
//! A step from the tip of a branch lengthens it; a step from anywhere else, or from the end of a run that was found, begins a
//! new one. In the list a branch stands right after the row it forks from, before the rest of its parent.
//! Rails are the columns in which the list draws branches: a branch is right of its parent, and of branches that fork from the
//! same row the first in the list is the rightmost, so that no line crosses rows of another branch.

use super::Inspection;
use crate::{StageError, Stopped};
use foresee_search::PlaceId;

/// A run with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    pub name: String,
    /// The place it forks from; `None` for the main one.
    pub from: Option<PlaceId>,
    pub tip: PlaceId,
    pub allows_more_faults: bool,
    /// What could not be done of it when it was loaded, and the labels from there on.
    pub stopped: Option<(Stopped, Vec<String>)>,
}

impl Branch {
    pub(super) fn main() -> Self {
        Branch {
            name: "main".to_owned(),
            from: None,
            tip: 0,
            allows_more_faults: false,
            stopped: None,
        }
    }
}

impl Inspection {
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The places on the way to a branch's tip, both ends included.
    pub fn run_of(&self, branch: u32) -> Result<Vec<PlaceId>, StageError> {
        let found = self.branches.get(branch as usize);
        let message = || format!("there is no branch {branch}");
        let found = found.ok_or_else(|| StageError::new("no-such-branch", message()))?;
        Ok(self.spots.line(found.tip))
    }

    pub fn branch_of(&self, place: PlaceId) -> Result<u32, StageError> {
        Ok(self.spots.get(place)?.branch)
    }

    /// How many steps the run to a place has.
    pub fn step_of(&self, place: PlaceId) -> u32 {
        self.spots.get(place).map_or(0, |spot| spot.step)
    }

    /// Gives a branch a name, which has to be one word that no other branch has.
    pub fn name_branch(&mut self, branch: u32, name: &str) -> Result<(), StageError> {
        self.run_of(branch)?;
        let name: String = name.split_whitespace().collect::<Vec<_>>().join("-");
        let is_taken = self
            .branches
            .iter()
            .enumerate()
            .any(|(at, it)| at != branch as usize && it.name == name);
        if name.is_empty() || name.contains([':', '"']) || is_taken {
            let message = format!("`{name}` cannot be the name of this branch");
            return Err(StageError::new("bad-name", message)
                .help("a name is one word without `:` and `\"` that no other branch has"));
        }
        name.clone_into(&mut self.branches[branch as usize].name);
        Ok(())
    }

    /// Gives numbers and branches to places that are new; the branches that began.
    pub(super) fn adopt(&mut self) -> Vec<u32> {
        let mut begun = Vec::new();
        for place in self.spots.adopt() {
            let after = self.spots.spots[place as usize].after;
            let own = after.map(|after| self.spots.spots[after as usize].branch);
            let lengthens = own.filter(|own| {
                let is_free = *own > 0 || !self.is_main_recorded;
                is_free && Some(self.branches[*own as usize].tip) == after
            });
            let branch = lengthens.unwrap_or_else(|| {
                begun.push(self.branches.len() as u32);
                self.begin_branch(after, place)
            });
            self.branches[branch as usize].tip = place;
            self.spots.spots[place as usize].branch = branch;
        }
        begun
    }

    pub(super) fn begin_branch(&mut self, from: Option<PlaceId>, tip: PlaceId) -> u32 {
        let number = self.branches.len() as u32;
        let is_free = |name: &String| !self.branches.iter().any(|it| it.name == *name);
        let mut names = (number..).map(|n| format!("what-if-{n}"));
        let name = names.find(is_free).expect("numbers do not end");
        let mut branch = Branch { name, from, tip, ..Branch::main() };
        let own = from.map(|from| self.spots.spots[from as usize].branch as usize);
        branch.allows_more_faults = own.is_some_and(|own| self.branches[own].allows_more_faults);
        self.branches.push(branch);
        number
    }

    /// All places in the order of the list.
    pub fn list(&self) -> Vec<PlaceId> {
        let n = self.spots.spots.len();
        let mut order = Vec::with_capacity(n);
        // What is still to be listed, the next at the end.
        let roots = (0..n as PlaceId).filter(|at| self.spots.spots[*at as usize].after.is_none());
        let mut open: Vec<PlaceId> = roots.collect();
        open.reverse();
        while let Some(place) = open.pop() {
            order.push(place);
            let branch = self.spots.spots[place as usize].branch;
            let next = self.spots.after(place).iter().copied();
            let (own, others): (Vec<_>, Vec<_>) =
                next.partition(|at| self.spots.spots[*at as usize].branch == branch);
            open.extend(own.into_iter().chain(others.into_iter().rev()));
        }
        order
    }

    /// The rail of each branch.
    pub fn rails(&self) -> Vec<u32> {
        let mut rails = vec![0u32; self.branches.len()];
        for branch in 1..self.branches.len() {
            let from = self.branches[branch].from;
            let parent = from.map_or(0, |from| self.spots.spots[from as usize].branch as usize);
            let later = self.branches[branch + 1..].iter().filter(|it| it.from == from).count();
            rails[branch] = rails[parent] + 1 + later as u32;
        }
        rails
    }
}
