//! Progress: what an engine tells whoever watches it.

use crate::Meter;
use foresee_lts::Violation;
use std::time::Duration;

/// Where a search stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    /// States found and not yet expanded.
    pub frontier: u64,
    /// The greatest distance from the start so far.
    pub depth: u32,
    /// Bytes held by the engine and the system.
    pub memory_bytes: u64,
    pub elapsed: Duration,
    /// Runs finished: random walks.
    pub walks: u64,
}

/// Where an exploration of interleavings stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interleavings {
    /// Runs explored, repetitions that were given up included.
    pub explored: u64,
    /// Runs known to be owed.
    pub planned: u64,
    pub erroneous: u64,
    /// About how many there will be in all, as far as can be told from what was explored.
    pub estimated: f64,
    pub elapsed: Duration,
}

/// Tells of a search that is a part as of the whole: adds what the parts before it did.
pub struct Adding<'o> {
    /// Of those parts: states, transitions, walks and the greatest depth.
    pub so_far: Progress,
    /// When the first of them began.
    pub start: Duration,
    pub meter: &'o dyn Meter,
    pub to: &'o mut dyn Observer,
}

impl Observer for Adding<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.to.progress(&Progress {
            states: self.so_far.states + progress.states,
            transitions: self.so_far.transitions + progress.transitions,
            depth: self.so_far.depth.max(progress.depth),
            walks: self.so_far.walks + progress.walks,
            elapsed: self.meter.elapsed().saturating_sub(self.start),
            ..progress.clone()
        });
    }
}

/// Watches a search. Engines call it from the thread that called them, a few times a second and once at the end.
pub trait Observer {
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
    /// Before `progress`, from searches on disk: the bytes of their files.
    fn disk(&mut self, bytes: u64) {
        let _ = bytes;
    }
    /// Before `progress`, from searches by several workers: how many there are, the bytes they have sent each other, and the states of
    /// the one that has most over the average.
    fn crew(&mut self, workers: usize, bytes_exchanged: u64, skew: f64) {
        let _ = (workers, bytes_exchanged, skew);
    }
    /// Beside `progress`, from engines that count runs and not states.
    fn interleavings(&mut self, interleavings: &Interleavings) {
        let _ = interleavings;
    }
    fn violation(&mut self, violation: &Violation) {
        let _ = violation;
    }
    /// A search in phases begins the phase called `name`, number `number` of `n_phases`; its progress starts anew.
    fn phase(&mut self, name: &str, number: usize, n_phases: usize) {
        let _ = (name, number, n_phases);
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
