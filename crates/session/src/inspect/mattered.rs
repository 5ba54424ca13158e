//! What mattered: the steps of a run that are in the causal past of its end, by what events read and write.
//! The end is the first step after which something is wrong, or else the last step.

use super::Inspection;
use crate::StageError;
use foresee_lts::{Actor, Footprint};
use foresee_search::PlaceId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// For each branch: the tip it was found for, and the places that mattered.
pub(super) type Mattered = BTreeMap<u32, (PlaceId, BTreeSet<PlaceId>)>;

impl Inspection {
    /// Whether a place is in the causal past of what is wrong on its branch, or of the branch's tip.
    pub fn mattered(&mut self, place: PlaceId) -> Result<bool, StageError> {
        let branch = self.branch_of(place)?;
        let tip = self.branches[branch as usize].tip;
        if self.mattered.get(&branch).is_none_or(|(known, _)| *known != tip) {
            let places = self.causal_past(tip)?;
            self.mattered.insert(branch, (tip, places));
        }
        Ok(self.mattered[&branch].1.contains(&place))
    }

    /// The places of a branch's run that mattered.
    pub fn that_mattered(&mut self, branch: u32) -> Result<BTreeSet<PlaceId>, StageError> {
        let line = self.run_of(branch)?;
        self.mattered(line.last().copied().unwrap_or(0))?;
        let known = self.mattered.get(&branch).map(|(_, places)| places.clone());
        Ok(known.unwrap_or_default())
    }

    /// The numbers of the members that act or are sent to in a step that mattered.
    pub fn members_that_mattered(&mut self, line: &[PlaceId]) -> Result<BTreeSet<u32>, StageError> {
        let mut members = BTreeSet::new();
        let Some(tip) = line.last() else { return Ok(members) };
        let branch = self.branch_of(*tip)?;
        let places = self.that_mattered(branch)?;
        for place in line.iter().filter(|place| places.contains(place)) {
            let (stage, local) = self.spots.at(*place)?;
            members.extend(stage.parties(local)?);
        }
        Ok(members)
    }

    /// The places whose steps are in the causal past of the end of a run.
    pub(super) fn causal_past(&mut self, tip: PlaceId) -> Result<BTreeSet<PlaceId>, StageError> {
        let mut line = self.spots.line(tip);
        for at in 0..line.len() {
            let (stage, local) = self.spots.at(line[at])?;
            if stage.is_wrong(local)? {
                line.truncate(at + 1);
                break;
            }
        }
        let mut past: BTreeSet<PlaceId> = line.first().copied().into_iter().collect();
        let mut kept = Kept::default();
        for (at, place) in line.iter().enumerate().skip(1).rev() {
            let (stage, local) = self.spots.at(*place)?;
            let footprint = stage.footprint(local)?;
            let is_end = at + 1 == line.len();
            if is_end || kept.needs(&footprint) {
                kept.keep(footprint);
                past.insert(*place);
            }
        }
        Ok(past)
    }
}

/// Footprints of events, found by what they have in common with another: in a long run most have nothing.
#[derive(Default)]
struct Kept {
    all: Vec<Arc<Footprint>>,
    actors: BTreeSet<Actor>,
    /// By object: who touches it.
    objects: BTreeMap<u64, Vec<usize>>,
    /// By mailbox: who delivers to it or receives from it.
    mailboxes: BTreeMap<u64, Vec<usize>>,
}

impl Kept {
    fn keep(&mut self, footprint: Arc<Footprint>) {
        let number = self.all.len();
        self.actors.extend(footprint.actor);
        for access in &footprint.accesses {
            self.objects.entry(access.object).or_default().push(number);
        }
        for mailbox in mailboxes(&footprint) {
            self.mailboxes.entry(mailbox).or_default().push(number);
        }
        self.all.push(footprint);
    }

    /// Whether one of them depends on an earlier event.
    fn needs(&self, footprint: &Footprint) -> bool {
        let objects = footprint.accesses.iter().filter_map(|it| self.objects.get(&it.object));
        let mailboxes = mailboxes(footprint).filter_map(|it| self.mailboxes.get(&it));
        let mut near = objects.chain(mailboxes).flatten();
        footprint.actor.is_some_and(|actor| self.actors.contains(&actor))
            || near.any(|number| self.all[*number].depends_on(footprint))
    }
}

fn mailboxes(footprint: &Footprint) -> impl Iterator<Item = u64> {
    let deliveries = footprint.deliveries.iter().map(|it| it.mailbox);
    deliveries.chain(footprint.receive.map(|it| it.mailbox))
}
