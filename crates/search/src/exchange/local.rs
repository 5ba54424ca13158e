//! An exchange between threads of one process, with nothing but a lock: for tests, and for simulated clusters.

use super::{Arrivals, ClusterError, Exchange, Parcel};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// One worker of a group.
pub struct LocalExchange {
    index: usize,
    /// Where this worker is: phase and round.
    at: (u64, u64),
    /// It has ended the phase and waits for the others.
    is_waiting: bool,
    group: Arc<Group>,
}

struct Group {
    inner: Mutex<Inner>,
    changed: Condvar,
}

struct Inner {
    at: Vec<(u64, u64)>,
    /// For each worker what is for it, with the phase.
    boxes: Vec<VecDeque<(u64, Parcel)>>,
    /// A worker has ended in the middle of its work.
    gone: Option<ClusterError>,
}

impl LocalExchange {
    /// So many workers.
    pub fn group(workers: usize) -> Vec<LocalExchange> {
        let inner = Inner {
            at: vec![(0, 0); workers],
            boxes: (0..workers).map(|_| VecDeque::new()).collect(),
            gone: None,
        };
        let group = Arc::new(Group { inner: Mutex::new(inner), changed: Condvar::new() });
        let worker = |index| LocalExchange {
            index,
            at: (0, 0),
            is_waiting: false,
            group: Arc::clone(&group),
        };
        (0..workers).map(worker).collect()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.group.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says where this worker is, and waits until nobody is behind `least`, or something has arrived if that is enough.
    fn wait(&mut self, least: (u64, u64), or_parcels: bool) -> Result<bool, ClusterError> {
        let mut inner = self.inner();
        inner.at[self.index] = self.at;
        self.group.changed.notify_all();
        loop {
            if let Some(error) = &inner.gone {
                return Err(error.clone());
            }
            let is_reached = inner.at.iter().all(|at| *at >= least);
            if is_reached || or_parcels && !inner.boxes[self.index].is_empty() {
                return Ok(is_reached);
            }
            inner = self.group.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What has arrived in a phase.
    fn take(&self, phase: u64) -> Vec<Parcel> {
        let own = &mut self.inner().boxes[self.index];
        let (now, later) = own.drain(..).partition(|(sent, _)| *sent == phase);
        *own = later;
        let now: VecDeque<(u64, Parcel)> = now;
        now.into_iter().map(|(_, parcel)| parcel).collect()
    }
}

impl Exchange for LocalExchange {
    fn index(&self) -> usize {
        self.index
    }

    fn workers(&self) -> usize {
        self.inner().at.len()
    }

    fn workers_here(&self) -> usize {
        self.workers()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        assert!(!self.is_waiting, "the phase has ended");
        let parcel = Parcel { from: self.index, bytes };
        self.inner().boxes[to].push_back((self.at.0, parcel));
        self.group.changed.notify_all();
    }

    fn poll(&mut self) -> Result<Vec<Parcel>, ClusterError> {
        self.wait((0, 0), false)?;
        Ok(self.take(self.at.0))
    }

    fn end_round(&mut self) -> Result<Vec<Parcel>, ClusterError> {
        let (phase, round) = self.at;
        self.at = (phase, round + 1);
        self.wait((phase, round), false)?;
        Ok(self.take(phase))
    }

    fn end_phase(&mut self) -> Result<Arrivals, ClusterError> {
        if !self.is_waiting {
            self.is_waiting = true;
            self.at = (self.at.0 + 1, 0);
        }
        // What is sent in the next phase already does not end the waiting.
        let is_over = loop {
            let is_over = self.wait(self.at, true)?;
            let phase = self.at.0 - 1;
            if is_over || self.inner().boxes[self.index].iter().any(|(sent, _)| *sent == phase) {
                break is_over;
            }
            std::thread::yield_now();
        };
        let parcels = self.take(self.at.0 - 1);
        self.is_waiting = !is_over;
        Ok(Arrivals { parcels, is_over })
    }

    fn give_up(&mut self, reason: &str) {
        let error = ClusterError::GaveUp { process: self.index, reason: reason.to_owned() };
        self.inner().gone.get_or_insert(error);
        self.group.changed.notify_all();
    }
}

impl Drop for LocalExchange {
    /// Whoever leaves in the middle of its work leaves the others waiting for ever, unless they are told.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.give_up("it panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_over_when_everything_has_arrived() {
        let workers = LocalExchange::group(3);
        let received: Vec<Vec<Vec<u8>>> = std::thread::scope(|scope| {
            let work = |mut own: LocalExchange| {
                let (index, mut by_phase) = (own.index, Vec::new());
                for phase in 0..50u8 {
                    let mut got = Vec::new();
                    for round in 0..index as u8 * 3 {
                        for to in (0..3).filter(|to| *to != index) {
                            own.send(to, vec![phase, round]);
                        }
                        got.extend(own.end_round().unwrap());
                    }
                    loop {
                        let arrivals = own.end_phase().unwrap();
                        got.extend(arrivals.parcels);
                        if arrivals.is_over {
                            break;
                        }
                    }
                    assert!(got.iter().all(|parcel| parcel.bytes[0] == phase));
                    got.sort_by_key(|parcel| parcel.from);
                    by_phase.push(got.iter().map(|parcel| parcel.bytes[1]).collect());
                }
                by_phase
            };
            let threads: Vec<_> =
                workers.into_iter().map(|own| scope.spawn(move || work(own))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        // Worker 0 hears of 1 and 2, each in order.
        assert_eq!(received[0], vec![vec![0, 1, 2, 0, 1, 2, 3, 4, 5]; 50]);
        assert_eq!(received[2], vec![vec![0, 1, 2]; 50]);
    }
}
