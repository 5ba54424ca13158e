//! Outlook: what can still go wrong from a place, for each of its choices.
//! *All* runs go wrong from a state if it is wrong, or if it has successors and all runs go wrong from each of them: the
//! least fixpoint, so a run that goes on for ever without anything wrong counts as a good one, and so does a run that ends.
//! What lies beyond the open frontier is not known and is never guessed: *none* is said only when everything before the
//! place is explored, *all* only when no run leads to the frontier before it goes wrong.
//! Not here: what is wrong with a state (`Wrongs`), which is the caller's to say.

use super::forward::Ended;
use super::region::{Graph, Mark, Region, Reversed, Wrongs};
use super::{Cursor, CursorError, Lends, PlaceId};
use crate::{Limits, Meter, Observer};
use foresee_lts::{Action, StoppedBy};
use std::collections::VecDeque;

/// Which of the runs from a state go wrong.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Prospect {
    None,
    /// At least one; others may go well, or are not known.
    Some,
    All,
    /// None that is known, and not all are known.
    Unknown,
}

/// What can still go wrong from a place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Outlook {
    /// Everything that can happen from the place is explored.
    pub complete: bool,
    /// How many states are known, those of earlier questions included.
    pub states: u64,
    pub here: Prospect,
    /// The number of steps to the nearest state in which something is wrong.
    pub shortest: Option<u32>,
    /// In the order of the place's choices.
    pub choices: Vec<ChoiceOutlook>,
    pub stopped_by: Option<StoppedBy>,
}

/// What can still go wrong after a choice.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ChoiceOutlook {
    pub prospect: Prospect,
    /// Counted from the place, so at least 1.
    pub shortest: Option<u32>,
}

/// Where along a run good ends cease to be possible.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Decisive {
    /// The first place from which every run goes wrong, if it is known to be the first.
    pub place: Option<PlaceId>,
    /// Whether every place of the run is known to have good runs or to have none.
    pub is_known: bool,
    pub stopped_by: Option<StoppedBy>,
}

/// The run that ends well and is the same as another one for as long as possible.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GoodRun {
    /// Where it leaves the other run, and what happens from there to its end; `None` if no run is known that ends well.
    pub way: Option<(PlaceId, Vec<Action>)>,
    pub stopped_by: Option<StoppedBy>,
}

impl<L: Lends> Cursor<L> {
    /// Explores from `place` as far as the limits allow, and says what can go wrong.
    pub fn outlook(
        &mut self,
        place: PlaceId,
        wrongs: &Wrongs<'_>,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Outlook, CursorError> {
        let state = self.state(place)?.to_vec();
        let actions = self.choices(place)?;
        let next = actions.iter().map(|action| self.system().step(&state, *action));
        let next: Vec<_> = next.collect();
        let mut region = self.take_region(&state);
        // A wrong state is not expanded, so what its choices lead to is asked for by itself.
        let mut stopped_by = None;
        for start in std::iter::once(&state).chain(&next) {
            let system = self.lender.system();
            let ended = region.grow(system, start, wrongs, limits, meter, observer);
            stopped_by = stopped_by.or(limit_of(ended));
            if stopped_by.is_some() {
                break;
            }
        }
        let solution = Solution::of(&region.graph);
        let answer = |state: &[u32]| region.forward.find(state).map(|it| it.0 as usize);
        let here = answer(&state);
        let choices = next.iter().map(|state| {
            let at = answer(state);
            let prospect = at.map_or(Prospect::Unknown, |at| solution.prospect(at));
            let shortest = at.and_then(|at| solution.distance(at)).map(|steps| steps + 1);
            ChoiceOutlook { prospect, shortest }
        });
        let choices: Vec<ChoiceOutlook> = choices.collect();
        let is_explored = |state: &Vec<u32>| answer(state).is_some_and(|at| !solution.is_open[at]);
        let complete = is_explored(&state) && next.iter().all(is_explored);
        let is_cut = !complete && stopped_by.is_none();
        let stopped_by = if is_cut { Some(StoppedBy::Depth) } else { stopped_by };
        let outlook = Outlook {
            complete,
            states: region.n_states() as u64,
            here: here.map_or(Prospect::Unknown, |at| solution.prospect(at)),
            shortest: here.and_then(|at| solution.distance(at)),
            choices,
            stopped_by,
        };
        self.region = Some(region);
        Ok(outlook)
    }

    /// The first of the places of a run, given in order, from which every run goes wrong.
    pub fn decisive(
        &mut self,
        line: &[PlaceId],
        wrongs: &Wrongs<'_>,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Decisive, CursorError> {
        let states = line.iter().map(|place| self.state(*place).map(<[u32]>::to_vec));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let Some(last) = states.last() else {
            return Ok(Decisive { place: None, is_known: true, stopped_by: None });
        };
        let mut region = self.take_region(last);
        // From the end backwards: what lies before a later place is a part of what lies before an earlier one.
        let mut stopped_by = None;
        for start in states.iter().rev() {
            let system = self.lender.system();
            let ended = region.grow(system, start, wrongs, limits, meter, observer);
            stopped_by = limit_of(ended);
            if stopped_by.is_some() {
                break;
            }
        }
        let solution = Solution::of(&region.graph);
        let at = |state: &Vec<u32>| region.forward.find(state).map(|it| it.0 as usize);
        let found: Vec<Option<usize>> = states.iter().map(at).collect();
        self.region = Some(region);
        let is_lost = |at: &Option<usize>| at.is_some_and(|at| solution.all[at]);
        let is_good = |at: &Option<usize>| at.is_some_and(|at| !solution.not_good[at]);
        let first = found.iter().position(is_lost);
        let is_first = |at: &usize| *at == 0 || is_good(&found[*at - 1]);
        Ok(Decisive {
            place: first.filter(is_first).map(|at| line[at]),
            is_known: found.iter().all(|it| is_lost(it) || is_good(it)),
            stopped_by,
        })
    }

    /// Of all runs that end well, one that shares most of its steps with a run given place by place; among those one of the
    /// shortest. A run that goes on for ever does not end, so it is not looked for.
    pub fn nearest_good(
        &mut self,
        line: &[PlaceId],
        wrongs: &Wrongs<'_>,
        limits: &Limits,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<GoodRun, CursorError> {
        let states = line.iter().map(|place| self.state(*place).map(<[u32]>::to_vec));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let mut region = Region::new();
        let mut found = GoodRun::default();
        // From the end backwards: the first place from which a good end can be reached shares most.
        for (place, start) in line.iter().zip(&states).rev() {
            let system = self.lender.system();
            let ended = region.grow(system, start, wrongs, limits, meter, observer);
            let ends = region.graph.marked(&[Mark::End]);
            let far = distances(&region.graph.reversed(), region.graph.marks.len(), &ends);
            let at = |state: &[u32]| region.forward.find(state).map(|it| it.0 as usize);
            let steps = |state: &[u32]| at(state).and_then(|at| far[at]);
            // A wrong state has no successors in a region, so a way to a good end never leads through one.
            if steps(start).is_some() {
                found.way = Some((*place, self.descend(start, &steps)));
                break;
            }
            found.stopped_by = limit_of(ended);
            if found.stopped_by.is_some() {
                break;
            }
        }
        Ok(found)
    }

    /// The actions of a shortest way from a state to one with distance 0.
    fn descend(&self, from: &[u32], steps: &dyn Fn(&[u32]) -> Option<u32>) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut state = from.to_vec();
        while let Some(left) = steps(&state).filter(|left| *left > 0) {
            let mut enabled = Vec::new();
            self.system().enabled(&state, &mut enabled);
            let next = enabled.into_iter().find_map(|action| {
                let next = self.system().step(&state, action);
                (steps(&next) == Some(left - 1)).then_some((action, next))
            });
            let Some((action, next)) = next else { break };
            actions.push(action);
            state = next;
        }
        actions
    }

    /// Forgets what was explored: what is wrong has another meaning from now on.
    pub fn forget_region(&mut self) {
        self.region = None;
    }

    /// What is known, if all is known that lies before this state; else nothing, so that exploring starts at the state.
    fn take_region(&mut self, state: &[u32]) -> Region {
        match self.region.take() {
            Some(region) if region.is_about(state) => region,
            _ => Region::new(),
        }
    }
}

fn limit_of(ended: Ended) -> Option<StoppedBy> {
    match ended {
        Ended::Limit(limit) => Some(limit),
        Ended::Explored | Ended::Visitor(..) => None,
    }
}

/// What is known of each state of a region.
struct Solution {
    /// Every run goes wrong.
    all: Vec<bool>,
    /// Every run goes wrong or leads to where it is not known.
    not_good: Vec<bool>,
    /// Some run leads to where it is not known, before anything goes wrong.
    is_open: Vec<bool>,
    /// Steps to the nearest wrong state.
    distances: Vec<Option<u32>>,
}

impl Solution {
    fn of(graph: &Graph) -> Self {
        let reversed = graph.reversed();
        let wrong = graph.marked(&[Mark::Wrong]);
        let open = distances(&reversed, graph.marks.len(), &graph.marked(&[Mark::Open]));
        Solution {
            all: unavoidable(graph, &reversed, &wrong),
            not_good: unavoidable(graph, &reversed, &graph.marked(&[Mark::Wrong, Mark::Open])),
            is_open: open.iter().map(Option::is_some).collect(),
            distances: distances(&reversed, graph.marks.len(), &wrong),
        }
    }

    fn prospect(&self, state: usize) -> Prospect {
        match (self.all[state], self.distances[state], self.is_open[state]) {
            (true, ..) => Prospect::All,
            (false, Some(_), _) => Prospect::Some,
            (false, None, true) => Prospect::Unknown,
            (false, None, false) => Prospect::None,
        }
    }

    fn distance(&self, state: usize) -> Option<u32> {
        self.distances[state]
    }
}

/// The states from which every run leads to one of `seeds`: the least set that has them, and every state that has
/// successors and whose successors are all in it.
fn unavoidable(graph: &Graph, reversed: &Reversed, seeds: &[usize]) -> Vec<bool> {
    let mut is_in = vec![false; graph.marks.len()];
    let mut n_out: Vec<u32> =
        (0..graph.marks.len()).map(|state| graph.successors(state).len() as u32).collect();
    let mut work = seeds.to_vec();
    work.iter().for_each(|seed| is_in[*seed] = true);
    while let Some(state) = work.pop() {
        for &before in reversed.predecessors(state) {
            let before = before as usize;
            n_out[before] -= 1;
            if n_out[before] == 0 && !is_in[before] {
                is_in[before] = true;
                work.push(before);
            }
        }
    }
    is_in
}

/// How many steps each state is from the nearest of `targets`; `None` if none can be reached.
fn distances(reversed: &Reversed, n_states: usize, targets: &[usize]) -> Vec<Option<u32>> {
    let mut distances = vec![None; n_states];
    targets.iter().for_each(|target| distances[*target] = Some(0));
    let mut work: VecDeque<usize> = targets.iter().copied().collect();
    while let Some(state) = work.pop_front() {
        let next = distances[state].map(|steps: u32| steps + 1);
        for &before in reversed.predecessors(state) {
            let before = before as usize;
            if distances[before].is_none() {
                distances[before] = next;
                work.push_back(before);
            }
        }
    }
    distances
}
