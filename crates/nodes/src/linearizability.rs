//! Linearizability from scratch: is there one order of all operations that explains every result?
//! An order explains a history when each operation stands after all operations that had returned before it was invoked,
//! and a single copy of the object, asked in that order, gives the results that were seen. An operation without a result
//! may stand anywhere after its invocation, or nowhere.
//! Why besides `monitor`, which follows a run step by step: this one needs nothing but the histories, so it judges
//! recordings of any origin, and it referees the monitor in tests.
//! Paper: Wing and Gong, "Testing and Verifying Concurrent Objects" (1993), with the memory of failed configurations of
//! Lowe, "Testing for Linearizability" (2017): a configuration (how far each client is, the object's state) that has
//! failed once is not tried again. Worst case still exponential in the clients, as the problem is.

use crate::explanation::{Explanation, explain};
use crate::{ClientHistory, Recorded, Sequential};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::borrow::Borrow;
use std::hash::Hash;

/// An order of operations that explains a history: for each, the client and the operation's position in its history.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Linearization {
    pub order: Vec<(usize, usize)>,
}

/// Finds an order that explains every result, or says which result has no explanation.
///
/// ```
/// use foresee_nodes::{Register, RegisterOperation::*, RegisterResult::*, Recording, check};
/// let mut recording = Recording::new(2);
/// recording.invoked(0, Write('b')); // not returned yet: may have happened or not
/// recording.invoked(1, Read::<char>);
/// recording.returned(1, ReadOk('b'));
/// let found = check(recording.histories(), &Register::new('a')).unwrap();
/// assert_eq!(found.order, [(0, 0), (1, 0)]);
/// ```
pub fn check<S: Sequential, H: Borrow<ClientHistory>>(
    histories: &[H],
    initial: &S,
) -> Result<Linearization, Explanation> {
    search(histories, initial)
        .map(|found| Linearization {
            order: found.iter().map(|&(client, index)| (client as usize, index as usize)).collect(),
        })
        .ok_or_else(|| {
            let names: Vec<_> = (1..=histories.len()).map(|n| format!("client{n}")).collect();
            explain(histories, initial, &names)
        })
}

/// Whether [`check`] finds an order; made to be asked of every state of a search.
pub fn is_linearizable<S: Sequential, H: Borrow<ClientHistory>>(
    histories: &[H],
    initial: &S,
) -> bool {
    search(histories, initial).is_some()
}

type Order = SmallVec<[(u32, u32); 16]>;

fn search<S: Sequential, H: Borrow<ClientHistory>>(histories: &[H], initial: &S) -> Option<Order> {
    let histories: SmallVec<[&ClientHistory; 8]> = histories.iter().map(Borrow::borrow).collect();
    if Packed::fits(&histories) {
        Search::<S, Packed>::new(&histories)?.run(initial)
    } else {
        Search::<S, Wide>::new(&histories)?.run(initial)
    }
}

/// How many operations of each lane have taken effect. A lane is a list of operations that take effect one after another:
/// those of a client that have returned, then the one it waits for. An operation that was given up has a lane of its own,
/// because it may take effect at any later time.
trait Progress: Clone + Eq + Hash {
    fn new(lanes: usize) -> Self;
    fn get(&self, lane: usize) -> usize;
    fn add(&mut self, lane: usize, n: u32);
    /// Whether every lane is at least as far as in `other`.
    fn has_reached(&self, other: &Self) -> bool;
}

/// At most 8 lanes of at most 127 operations, a byte each, so that [`Progress::has_reached`] is one subtraction: the high
/// bit of each byte is the borrow that must not happen.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
struct Packed(u64);

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

impl Packed {
    fn fits(histories: &[&ClientHistory]) -> bool {
        let given_up = |history: &&ClientHistory| {
            let operations = history.operations();
            let unfinished = operations.iter().filter(|op| op.result.is_none()).count();
            unfinished - usize::from(history.pending().is_some())
        };
        let lanes = histories.len() + histories.iter().map(given_up).sum::<usize>();
        lanes <= 8 && histories.iter().all(|history| history.operations().len() < 128)
    }
}

impl Progress for Packed {
    fn new(_lanes: usize) -> Self {
        Packed(0)
    }
    fn get(&self, lane: usize) -> usize {
        (self.0 >> (8 * lane)) as usize & 0x7F
    }
    fn add(&mut self, lane: usize, n: u32) {
        self.0 += u64::from(n) << (8 * lane);
    }
    fn has_reached(&self, other: &Self) -> bool {
        ((self.0 | HIGH_BITS) - other.0) & HIGH_BITS == HIGH_BITS
    }
}

/// Any number of lanes of any length.
#[derive(Clone, Eq, Hash, PartialEq)]
struct Wide(SmallVec<[u32; 8]>);

impl Progress for Wide {
    fn new(lanes: usize) -> Self {
        Wide(SmallVec::from_elem(0, lanes))
    }
    fn get(&self, lane: usize) -> usize {
        self.0[lane] as usize
    }
    fn add(&mut self, lane: usize, n: u32) {
        self.0[lane] += n;
    }
    fn has_reached(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, others)| mine >= others)
    }
}

/// The operations to be ordered, lane by lane.
struct Search<'a, S: Sequential, P> {
    steps: SmallVec<[Step<'a, S, P>; 8]>,
    lanes: SmallVec<[Lane; 8]>,
    /// What must have taken effect in the end: all operations that have returned.
    required: P,
}

struct Lane {
    client: u32,
    /// Where the lane's steps begin and end.
    start: usize,
    end: usize,
}

struct Step<'a, S: Sequential, P> {
    /// The operation's position in its client's history.
    index: u32,
    operation: &'a S::Operation,
    result: Option<&'a S::Result>,
    /// What must have taken effect before: all operations that had returned.
    before: P,
}

/// A configuration on the stack, and the next choice to try in it.
struct Frame<S, P> {
    progress: P,
    object: S,
    choice: usize,
}

impl<'a, S: Sequential, P: Progress> Search<'a, S, P> {
    /// `None` if this is no history of clients of such an object at all.
    fn new(histories: &[&'a ClientHistory]) -> Option<Self> {
        let given_up = |history: &&'a ClientHistory| {
            let operations = history.operations();
            let last = operations.len().saturating_sub(1);
            operations[..last].iter().filter(|op| op.result.is_none()).count()
        };
        let n_lanes = histories.len() + histories.iter().map(given_up).sum::<usize>();
        let mut search =
            Search { steps: SmallVec::new(), lanes: SmallVec::new(), required: P::new(n_lanes) };
        // The lanes of the clients come first, so that a client's number is its lane's.
        for given_up in [false, true] {
            for (client, history) in histories.iter().enumerate() {
                if history.fault().is_some() {
                    return None;
                }
                search.add_lanes(client, history.operations(), given_up, n_lanes)?;
            }
        }
        Some(search)
    }

    fn add_lanes(
        &mut self,
        client: usize,
        operations: &'a [Recorded],
        given_up: bool,
        n_lanes: usize,
    ) -> Option<()> {
        let (start, mut returned) = (self.steps.len(), 0);
        for (index, recorded) in operations.iter().enumerate() {
            let is_given_up = recorded.result.is_none() && index + 1 < operations.len();
            if is_given_up == given_up {
                let mut before = P::new(n_lanes);
                for (other, &count) in recorded.completed_before.iter().enumerate() {
                    before.add(other, if other == client { 0 } else { count });
                }
                before.add(client, if given_up { returned } else { 0 });
                let operation = recorded.operation.get::<S::Operation>()?;
                let result = match &recorded.result {
                    Some(result) => Some(result.get::<S::Result>()?),
                    None => None,
                };
                let step = Step { index: index as u32, operation, result, before };
                self.steps.push(step);
                if given_up {
                    let end = self.steps.len();
                    self.lanes.push(Lane { client: client as u32, start: end - 1, end });
                }
            }
            returned += u32::from(recorded.result.is_some());
        }
        if !given_up {
            self.required.add(client, returned);
            self.lanes.push(Lane { client: client as u32, start, end: self.steps.len() });
        }
        Some(())
    }

    /// Depth first over configurations; one that has failed is not tried again.
    fn run(&self, initial: &S) -> Option<Order> {
        let mut failed = Failed::default();
        let mut order = Order::new();
        let mut stack: SmallVec<[Frame<S, P>; 12]> = SmallVec::new();
        let progress = P::new(self.lanes.len());
        stack.push(Frame { progress, object: initial.clone(), choice: 0 });
        while let Some(frame) = stack.last_mut() {
            if frame.progress.has_reached(&self.required) {
                return Some(order);
            }
            match self.next_choice(frame, &failed) {
                Some((place, frame)) => {
                    order.push(place);
                    stack.push(frame);
                }
                None => {
                    order.pop();
                    let frame = stack.pop().expect("looked at just now");
                    failed.insert(frame.progress, frame.object);
                }
            }
        }
        None
    }

    /// The next configuration to try after `frame`, and the operation that takes effect. Operations with results are
    /// tried before pending ones, which need not take effect at all.
    fn next_choice(
        &self,
        frame: &mut Frame<S, P>,
        failed: &Failed<S, P>,
    ) -> Option<((u32, u32), Frame<S, P>)> {
        let n_lanes = self.lanes.len();
        while frame.choice < 2 * n_lanes {
            let pending = frame.choice >= n_lanes;
            let lane_idx = if pending { frame.choice - n_lanes } else { frame.choice };
            frame.choice += 1;
            let lane = &self.lanes[lane_idx];
            let place = lane.start + frame.progress.get(lane_idx);
            let Some(step) = self.steps[..lane.end].get(place) else { continue };
            if step.result.is_none() != pending || !frame.progress.has_reached(&step.before) {
                continue;
            }
            let mut object = frame.object.clone();
            let result = object.apply(step.operation);
            if step.result.is_some_and(|seen| *seen != result) {
                continue;
            }
            let mut progress = frame.progress.clone();
            progress.add(lane_idx, 1);
            if !failed.contains(&progress, &object) {
                let next = Frame { progress, object, choice: 0 };
                return Some(((lane.client, step.index), next));
            }
        }
        None
    }
}

/// Configurations from which no order was found: a short list while it is short.
struct Failed<S, P> {
    few: SmallVec<[(P, S); 16]>,
    many: FxHashSet<(P, S)>,
}

impl<S, P> Default for Failed<S, P> {
    fn default() -> Self {
        Failed { few: SmallVec::new(), many: FxHashSet::default() }
    }
}

impl<S: Clone + Eq + Hash, P: Progress> Failed<S, P> {
    fn contains(&self, progress: &P, object: &S) -> bool {
        self.few.iter().any(|failed| failed.0 == *progress && failed.1 == *object)
            || !self.many.is_empty() && self.many.contains(&(progress.clone(), object.clone()))
    }

    fn insert(&mut self, progress: P, object: S) {
        if self.few.len() < self.few.inline_size() {
            self.few.push((progress, object));
        } else {
            self.many.insert((progress, object));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recording, Register, RegisterOperation, RegisterResult};
    use foresee_stdx::Random;

    #[test]
    fn both_ways_to_keep_progress_agree() {
        let mut random = Random::new(23);
        let mut n_found = 0;
        for _ in 0..5000 {
            let mut recording = Recording::new(3);
            for _ in 0..random.between(1, 16) {
                let client = random.below(3) as usize;
                let waits = recording.histories()[client].pending().is_some();
                match random.below(5) {
                    0 => recording.invoked(client, RegisterOperation::Write(random.below(2))),
                    1 => recording.invoked(client, RegisterOperation::<u64>::Read),
                    _ if !waits => {}
                    2 => recording.returned(client, RegisterResult::ReadOk(random.below(2))),
                    _ => recording.returned(client, RegisterResult::<u64>::WriteOk),
                }
            }
            let histories: Vec<&ClientHistory> = recording.histories().iter().collect();
            if !Packed::fits(&histories) {
                continue;
            }
            let initial = Register::new(0u64);
            let packed = Search::<_, Packed>::new(&histories).and_then(|s| s.run(&initial));
            let wide = Search::<_, Wide>::new(&histories).and_then(|s| s.run(&initial));
            assert_eq!(packed, wide, "{recording:#?}");
            n_found += usize::from(packed.is_some());
        }
        assert!((500..4500).contains(&n_found), "too one-sided: {n_found}");
    }

    #[test]
    fn packed_progress_compares_lane_by_lane() {
        let packed = |counts: [u32; 8]| {
            let mut progress = Packed::new(8);
            counts.iter().enumerate().for_each(|(lane, n)| progress.add(lane, *n));
            progress
        };
        let some = packed([0, 127, 3, 0, 1, 5, 0, 127]);
        assert!(some.has_reached(&some) && some.has_reached(&packed([0; 8])));
        assert_eq!((some.get(1), some.get(6), some.get(7)), (127, 0, 127));
        for lane in 0..8 {
            let mut less = packed([127; 8]);
            less.0 -= 1 << (8 * lane);
            assert!(!less.has_reached(&packed([127; 8])) && packed([127; 8]).has_reached(&less));
        }
    }
}
