//! What a run was like.

use foresee_node::{Address, Member, Observed};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::time::Duration;

/// Why a run ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// Nothing was left to happen.
    Quiet,
    /// Its time was up.
    Duration,
    /// It was told to stop.
    Stopped,
    /// It was told to stop at once.
    Killed,
}

/// How long operations took, in microseconds, as clients saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latency {
    pub p50: f64,
    pub p99: f64,
    pub p999: f64,
    pub max: f64,
}

/// What a process saw of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    pub ended: Ended,
    /// The nodes of this process.
    pub members: Vec<Member>,
    pub seed: u64,
    pub elapsed: Duration,
    /// Operations of this process's clients that have returned.
    pub operations: u64,
    /// Operations that were begun and have not returned.
    pub pending: u64,
    pub latency: Latency,
    pub messages_sent: u64,
    pub messages_received: u64,
    pub messages_lost: u64,
    pub bytes_sent: u64,
    /// Messages that left as a datagram.
    pub datagrams_sent: u64,
    pub timers_fired: u64,
    /// Nodes whose code has panicked, with what it said.
    pub failures: Vec<(Address, String)>,
    /// What clients reported, in order.
    pub history: Vec<Observed>,
    /// Whether a node of this process began with what an earlier run had stored, so that clients may see what nobody here has done.
    pub has_restored: bool,
    /// Operations that were measured but are not in the history.
    pub operations_not_kept: u64,
    /// Processor time of this process from the start of the run to its end.
    pub cpu_seconds: f64,
    /// What people should know: peers that were refused, messages that were lost.
    pub notes: Vec<String>,
}

impl RunReport {
    pub fn operations_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.operations as f64 / seconds } else { 0.0 }
    }

    /// Messages that nodes of this process have sent or got from elsewhere, for each operation.
    pub fn messages_per_operation(&self) -> f64 {
        match self.operations {
            0 => 0.0,
            n => (self.messages_sent + self.messages_received) as f64 / n as f64,
        }
    }
}

/// Processor time of this process so far, user and system.
pub fn cpu_seconds() -> f64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        micros as f64 / 1e6
    })
}
