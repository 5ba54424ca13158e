//! Timely dataflow behind the exchange of a search.
//! The dataflow is one input, an exchange by receiver, and an operator that puts what arrives into a queue. A timestamp is a phase and a round
//! within it, in one number, so that times are totally ordered. What a probe says of the frontier is all that is asked: rounds and
//! phases are over when timely knows that nobody can send anything of them any more.

use crate::wire::Shared;
use foresee_search::{Arrivals, ClusterError, Exchange, Parcel};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::dataflow::channels::pact;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// Rounds of a phase have so many bits of a timestamp.
const ROUND_BITS: u32 = 24;
/// Somebody who waits for the end looks this often whether a process was lost.
const PARK: Duration = Duration::from_millis(5);
/// How long the end of the others is waited for when the search is over.
const END_MAX: Duration = Duration::from_secs(5);
/// Looks before somebody who waits lets others go first, and before it goes to sleep; for how long, the first time and at most.
const SPINS: u32 = 8;
const YIELDS: u32 = 24;
const NAP_FIRST: Duration = Duration::from_micros(10);
const NAP: Duration = Duration::from_micros(200);
/// How long others may take to hear that this worker gives up.
const FAREWELL: Duration = Duration::from_millis(200);

/// What travels.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Letter {
    to: u32,
    from: u32,
    /// The sender gives up, and the bytes say why.
    is_last: bool,
    bytes: Bytes,
}

/// Bytes that are written in one piece; a list of numbers would be written one by one.
#[derive(Clone, Debug)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
            fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Visitor)
    }
}

type Queue = Rc<RefCell<VecDeque<(u64, Letter)>>>;

/// One worker's end of the exchange.
pub(crate) struct TimelyExchange {
    worker: Worker,
    /// `None` once the worker has nothing more to send.
    input: Option<InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Letter>>>>,
    probe: ProbeHandle<u64>,
    arrived: Queue,
    phase: u64,
    round: u64,
    is_waiting: bool,
    workers_here: usize,
    shared: Arc<Shared>,
}

fn time(phase: u64, round: u64) -> u64 {
    phase << ROUND_BITS | round
}

impl TimelyExchange {
    pub(crate) fn new(builder: TcpBuilder, workers_here: usize, shared: Arc<Shared>) -> Self {
        let mut worker =
            Worker::new(WorkerConfig::default(), Allocator::Tcp(builder.build()), None);
        let mut input = InputHandle::new();
        let probe = ProbeHandle::new();
        let arrived = Queue::default();
        let queue = Rc::clone(&arrived);
        worker.dataflow::<u64, _, _>(|scope| {
            let letters = scope.input_from(&mut input);
            let by_receiver = pact::Exchange::new(|letter: &Letter| u64::from(letter.to));
            let delivered = letters.unary(by_receiver, "deliver", move |_, _| {
                move |input,
                      _output: &mut timely::dataflow::operators::generic::OutputBuilderSession<
                    '_,
                    u64,
                    timely::container::CapacityContainerBuilder<Vec<()>>,
                >| {
                    input.for_each(|capability, letters| {
                        let phase = *capability.time() >> ROUND_BITS;
                        let letters = letters.drain(..).map(|letter| (phase, letter));
                        queue.borrow_mut().extend(letters);
                    });
                }
            });
            delivered.probe_with(&probe);
        });
        TimelyExchange {
            worker,
            input: Some(input),
            probe,
            arrived,
            phase: 0,
            round: 0,
            is_waiting: false,
            workers_here,
            shared,
        }
    }

    /// Waits until `is_enough`, or somebody is lost.
    fn wait(&mut self, is_enough: impl Fn(&Self) -> bool) -> Result<(), ClusterError> {
        for n_looks in 0u32.. {
            self.look()?;
            if is_enough(self) {
                break;
            }
            self.worker.step();
            // What is awaited often comes at once. After that others may need the processor more than this worker, which timely would not
            // let sleep: its own messages count as something to do.
            match n_looks {
                ..SPINS => {}
                SPINS..YIELDS => std::thread::yield_now(),
                _ => std::thread::sleep(NAP.min(NAP_FIRST * (n_looks - YIELDS + 1))),
            }
        }
        Ok(())
    }

    /// Whether somebody has given up or was lost; what was said before a loss is heard first.
    fn look(&mut self) -> Result<(), ClusterError> {
        if self.shared.is_troubled() {
            self.worker.step();
        }
        let last = self.arrived.borrow().iter().find(|(_, letter)| letter.is_last).cloned();
        if let Some((_, letter)) = last {
            let process = letter.from as usize / self.workers_here;
            let reason = String::from_utf8_lossy(&letter.bytes.0).into_owned();
            self.shared.note(ClusterError::GaveUp { process, reason: reason.clone() });
            return Err(ClusterError::GaveUp { process, reason });
        }
        self.shared.trouble().map_or(Ok(()), Err)
    }

    /// What has arrived in a phase.
    fn take(&self, phase: u64) -> Vec<Parcel> {
        let mut arrived = self.arrived.borrow_mut();
        let parcel = |letter: Letter| Parcel { from: letter.from as usize, bytes: letter.bytes.0 };
        if arrived.iter().all(|(sent, _)| *sent == phase) {
            return arrived.drain(..).map(|(_, letter)| parcel(letter)).collect();
        }
        let all = std::mem::take(&mut *arrived);
        let (now, later): (VecDeque<_>, VecDeque<_>) =
            all.into_iter().partition(|(sent, _)| *sent == phase);
        *arrived = later;
        now.into_iter().map(|(_, letter)| parcel(letter)).collect()
    }

    fn post(&mut self, to: usize, is_last: bool, bytes: Vec<u8>) {
        let (to, from) = (to as u32, self.worker.index() as u32);
        let input = self.input.as_mut().expect("the worker is at work");
        input.send(Letter { to, from, is_last, bytes: Bytes(bytes) });
    }

    /// Leaves the dataflow, together with the others unless one of them is lost.
    pub(crate) fn end(mut self) {
        self.shared.begin_to_end();
        drop(self.input.take());
        let start = Instant::now();
        while !self.shared.is_troubled() && self.worker.has_dataflows() {
            self.worker.step_or_park(Some(PARK));
            if start.elapsed() > END_MAX {
                let reason = "the others do not end".to_owned();
                self.shared.note(ClusterError::GaveUp { process: self.shared.process, reason });
            }
        }
        if self.shared.is_troubled() {
            // A dataflow that cannot be completed is left as it is; the process ends.
            std::mem::forget(self.worker);
        }
    }
}

impl Exchange for TimelyExchange {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn workers(&self) -> usize {
        self.worker.peers()
    }

    fn workers_here(&self) -> usize {
        self.workers_here
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        debug_assert!(!self.is_waiting, "the phase has ended");
        self.post(to, false, bytes);
    }

    fn poll(&mut self) -> Result<Vec<Parcel>, ClusterError> {
        self.worker.step();
        self.look()?;
        Ok(self.take(self.phase))
    }

    fn end_round(&mut self) -> Result<Vec<Parcel>, ClusterError> {
        self.round += 1;
        let (now, before) = (time(self.phase, self.round), time(self.phase, self.round - 1));
        self.input.as_mut().expect("the worker is at work").advance_to(now);
        self.wait(|own| !own.probe.less_than(&before))?;
        Ok(self.take(self.phase))
    }

    fn end_phase(&mut self) -> Result<Arrivals, ClusterError> {
        if !self.is_waiting {
            self.is_waiting = true;
            (self.phase, self.round) = (self.phase + 1, 0);
            let next = time(self.phase, 0);
            self.input.as_mut().expect("the worker is at work").advance_to(next);
        }
        let (before, next) = (self.phase - 1, time(self.phase, 0));
        self.wait(|own| {
            !own.probe.less_than(&next) || own.arrived.borrow().iter().any(|it| it.0 == before)
        })?;
        let is_over = !self.probe.less_than(&next);
        let parcels = self.take(before);
        self.is_waiting = !is_over;
        Ok(Arrivals { parcels, is_over })
    }

    fn give_up(&mut self, reason: &str) {
        let is_told = self.shared.is_troubled();
        let error =
            ClusterError::GaveUp { process: self.shared.process, reason: reason.to_owned() };
        self.shared.note(error);
        if is_told {
            return;
        }
        for to in
            (0..self.worker.peers()).filter(|to| *to != self.worker.index()).collect::<Vec<_>>()
        {
            self.post(to, true, reason.as_bytes().to_vec());
        }
        let next = time(self.phase + 2, 0);
        self.input.as_mut().expect("the worker is at work").advance_to(next);
        let start = Instant::now();
        while start.elapsed() < FAREWELL {
            self.worker.step_or_park(Some(PARK));
        }
    }
}
