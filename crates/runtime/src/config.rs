//! What can be chosen about a run.

use crate::{FaultScript, Peers, StorageConfig};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// What to do with a message when the queue of its link is full.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum WhenFull {
    /// Lose the newest message and count it: the network may lose messages.
    #[default]
    Drop,
    /// Run no handler until there is room again.
    Wait,
}

#[derive(Clone, Debug)]
pub struct Config {
    /// Where random choices (how long a timer takes) come from.
    pub seed: u64,
    /// When to stop; `None`: when nothing is left to happen, or when told to.
    pub duration: Option<Duration>,
    /// Messages that wait for one connection, or for one node of this process.
    pub messages_max: usize,
    /// Bytes that wait for one connection.
    pub bytes_max: usize,
    /// The largest message that is sent or taken, in bytes.
    pub frame_max: usize,
    pub when_full: WhenFull,
    /// Whether messages that fit one datagram go by UDP while their peer is connected; the others, and all before that, go by TCP.
    pub udp: bool,
    /// Certificates, if connections are to be secured and peers to prove who they are.
    #[cfg(feature = "tls")]
    pub tls: Option<crate::Tls>,
    /// Where to serve counters as Prometheus text.
    pub metrics: Option<SocketAddr>,
    /// How long to flush what waits when told to stop.
    pub stop_max: Duration,
    /// Where to dial other sites instead, as when a proxy stands between.
    pub through: Option<Peers>,
    /// Where to record what happens, and the name by which the system is found again.
    pub record: Option<(PathBuf, String)>,
    /// Whether an existing record of the same process goes on, as when it comes back without stable storage. One that comes
    /// back with it always does.
    pub record_goes_on: bool,
    /// Where nodes keep what they write; `None`: nowhere, and a sync is done at once.
    pub storage: Option<StorageConfig>,
    /// What goes wrong in a run in one process.
    pub faults: Option<FaultScript>,
    /// Whether clients' operations are kept for judging.
    pub keeps_history: bool,
    /// Whether SIGTERM and Ctrl-C are taken as requests to stop.
    pub listens_for_signals: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 0,
            duration: None,
            messages_max: 4_096,
            bytes_max: 8 << 20,
            frame_max: crate::FRAME_MAX,
            when_full: WhenFull::Drop,
            udp: false,
            #[cfg(feature = "tls")]
            tls: None,
            metrics: None,
            stop_max: Duration::from_secs(4),
            through: None,
            record: None,
            record_goes_on: false,
            storage: None,
            faults: None,
            keeps_history: true,
            listens_for_signals: true,
        }
    }
}
