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
pub fn check<S: Sequential>(
    histories: &[ClientHistory],
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
/// How many operations of each lane have taken effect.
type Progress = SmallVec<[u32; 8]>;

/// Operations that take effect one after another: those of a client that have returned, then the one it waits for. An
/// operation that was given up has a lane of its own, because it may take effect at any later time.
struct Lane<'a> {
    client: u32,
    operations: SmallVec<[(u32, &'a Recorded); 4]>,
    /// How many operations must take effect.
    required: u32,
    /// For a lane of an operation given up: how many of its client's own operations had returned before.
    own_before: u32,
}

/// A configuration on the stack, and the next choice to try in it.
struct Frame<S> {
    progress: Progress,
    object: S,
    choice: usize,
}

fn search<S: Sequential, H: Borrow<ClientHistory>>(histories: &[H], initial: &S) -> Option<Order> {
    if !histories.iter().all(|history| makes_sense::<S>(history.borrow())) {
        return None;
    }
    let lanes = lanes_of(histories);
    let mut failed = Failed::default();
    let mut order = Order::new();
    let progress = SmallVec::from_elem(0, lanes.len());
    let mut stack: SmallVec<[Frame<S>; 12]> = SmallVec::new();
    stack.push(Frame { progress, object: initial.clone(), choice: 0 });
    while let Some(frame) = stack.last_mut() {
        if lanes.iter().zip(&frame.progress).all(|(lane, done)| *done >= lane.required) {
            return Some(order);
        }
        match next_choice(&lanes, histories.len(), frame, &failed) {
            Some((lane, frame)) => {
                let (index, _) = lanes[lane].operations[frame.progress[lane] as usize - 1];
                order.push((lanes[lane].client, index));
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

/// Whether the history is one of clients of such an object at all.
fn makes_sense<S: Sequential>(history: &ClientHistory) -> bool {
    let mut operations = history.operations().iter();
    history.fault().is_none()
        && operations.all(|recorded| recorded.operation.get::<S::Operation>().is_some())
}

fn lanes_of<H: Borrow<ClientHistory>>(histories: &[H]) -> SmallVec<[Lane<'_>; 4]> {
    let mut lanes: SmallVec<[Lane<'_>; 4]> = SmallVec::new();
    let mut given_up: SmallVec<[Lane<'_>; 0]> = SmallVec::new();
    for (client, history) in histories.iter().enumerate() {
        let operations = history.borrow().operations();
        let mut lane =
            Lane { client: client as u32, operations: SmallVec::new(), required: 0, own_before: 0 };
        for (index, recorded) in operations.iter().enumerate() {
            let operation = (index as u32, recorded);
            if recorded.result.is_some() {
                lane.required += 1;
                lane.operations.push(operation);
            } else if index + 1 == operations.len() {
                lane.operations.push(operation);
            } else {
                given_up.push(Lane {
                    client: client as u32,
                    operations: SmallVec::from_slice(&[operation]),
                    required: 0,
                    own_before: lane.required,
                });
            }
        }
        lanes.push(lane);
    }
    lanes.extend(given_up);
    lanes
}

/// The next configuration to try after `frame`, and the lane whose operation takes effect. Operations with results are
/// tried before pending ones, which need not take effect at all.
fn next_choice<S: Sequential>(
    lanes: &[Lane<'_>],
    clients: usize,
    frame: &mut Frame<S>,
    failed: &Failed<S>,
) -> Option<(usize, Frame<S>)> {
    while frame.choice < 2 * lanes.len() {
        let (lane_idx, pending) = (frame.choice % lanes.len(), frame.choice >= lanes.len());
        frame.choice += 1;
        let lane = &lanes[lane_idx];
        let Some((_, recorded)) = lane.operations.get(frame.progress[lane_idx] as usize) else {
            continue;
        };
        if recorded.result.is_none() != pending || !lane.may_go(recorded, clients, &frame.progress)
        {
            continue;
        }
        let Some(operation) = recorded.operation.get::<S::Operation>() else { continue };
        let mut object = frame.object.clone();
        let result = object.apply(operation);
        if recorded.result.as_ref().is_some_and(|seen| seen.get() != Some(&result)) {
            continue;
        }
        let mut progress = frame.progress.clone();
        progress[lane_idx] += 1;
        if !failed.contains(&progress, &object) {
            return Some((lane_idx, Frame { progress, object, choice: 0 }));
        }
    }
    None
}

impl Lane<'_> {
    /// Whether everything that had returned before `recorded` was invoked has taken effect.
    fn may_go(&self, recorded: &Recorded, clients: usize, progress: &[u32]) -> bool {
        let before = recorded.completed_before.iter().take(clients);
        before.zip(progress).all(|(before, done)| done >= before)
            && progress[self.client as usize] >= self.own_before
    }
}

/// Configurations from which no order was found: a short list while it is short.
struct Failed<S> {
    few: SmallVec<[(Progress, S); 8]>,
    many: FxHashSet<(Progress, S)>,
}

impl<S> Default for Failed<S> {
    fn default() -> Self {
        Failed { few: SmallVec::new(), many: FxHashSet::default() }
    }
}

impl<S: Eq + Hash> Failed<S> {
    fn contains(&self, progress: &Progress, object: &S) -> bool
    where
        S: Clone,
    {
        self.few.iter().any(|failed| failed.0 == *progress && failed.1 == *object)
            || !self.many.is_empty() && self.many.contains(&(progress.clone(), object.clone()))
    }

    fn insert(&mut self, progress: Progress, object: S) {
        if self.few.len() < self.few.inline_size() {
            self.few.push((progress, object));
        } else {
            self.many.insert((progress, object));
        }
    }
}
