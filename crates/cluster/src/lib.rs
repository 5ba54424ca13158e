//! One search by several processes: sockets between them, a handshake, and timely dataflow for the exchange.
//! Why timely: it moves bytes between threads and processes, and it knows when nothing of a phase is on its way any more, anywhere, which is what
//! a search by levels has to know. Why a handshake of ours before it gets the sockets: timely waits for ever for a process that does not come,
//! compares no versions, and panics when a process is lost.
//! Trust: there is no authentication and no encryption. Addresses are listened on as they are given, never all interfaces.
//! Reading order: this file, `handshake.rs` (how processes meet), `wire.rs` (sockets that notice a loss), `worker.rs` (timely behind
//! [`foresee_search::Exchange`]). Not here: the search (`foresee-stateful`) and how processes are started (the edges).

#![allow(clippy::disallowed_methods, reason = "an edge: processes wait for each other")]

mod handshake;
mod hosts;
mod wire;
mod worker;

pub use hosts::{HostsError, read_hosts};

use foresee_search::{Cluster, ClusterError, Exchange};
use foresee_stdx::stack;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;
use timely::communication::Hooks;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use wire::{Guarded, Shared};
use worker::TimelyExchange;

/// This process among those of a search.
#[derive(Debug)]
pub struct TcpCluster {
    /// Where every process listens, by number: `HOST:PORT`.
    pub hosts: Vec<String>,
    /// The number of this process.
    pub process: usize,
    /// Workers in each process.
    pub threads: usize,
    /// How long the others are waited for at the beginning.
    pub patience: Duration,
    /// Already listening, where the address could not be known before.
    pub listener: Mutex<Option<TcpListener>>,
}

impl TcpCluster {
    /// Threads of this process alone.
    pub fn alone(threads: usize) -> Self {
        TcpCluster {
            hosts: vec!["this process".to_owned()],
            process: 0,
            threads,
            patience: Duration::ZERO,
            listener: Mutex::new(None),
        }
    }

    /// Connects with all others; one builder of workers for each thread.
    fn connect(
        &self,
        identity: &[(String, String)],
        shared: &Arc<Shared>,
    ) -> Result<(Vec<TcpBuilder>, CommsGuard), ClusterError> {
        let hooks = Hooks::default();
        let here = ProcessBuilder::new_typed_vector(self.threads, hooks.refill.clone(), None);
        let listener = self.listener.lock().expect("nobody panics with it").take();
        let sockets = match self.hosts.len() {
            1 => vec![None],
            _ => handshake::meet(self, identity, listener)?,
        };
        let guarded = |(process, socket): (usize, Option<std::net::TcpStream>)| {
            socket.map(|socket| Guarded::new(socket, process, Arc::clone(shared)))
        };
        let sockets = sockets.into_iter().enumerate().map(guarded).collect();
        let built =
            initialize_networking_from_sockets(here, sockets, self.process, self.threads, hooks);
        built.map_err(|error| ClusterError::Address {
            address: self.hosts[self.process].clone(),
            reason: error.to_string(),
        })
    }
}

/// Whoever panics leaves the others waiting for ever, unless they are told.
struct Alarm<'s>(&'s Shared);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let reason = "one of its workers panicked".to_owned();
            self.0.note(ClusterError::GaveUp { process: self.0.process, reason });
        }
    }
}

impl Cluster for TcpCluster {
    fn process(&self) -> usize {
        self.process
    }

    fn processes(&self) -> usize {
        self.hosts.len()
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn run(
        &self,
        identity: &[(String, String)],
        first: &mut dyn FnMut(&mut dyn Exchange),
        others: &(dyn Fn(&mut dyn Exchange) + Sync),
    ) -> Result<(), ClusterError> {
        wire::silence_timely();
        let shared = Arc::new(Shared::new(self.hosts.clone(), self.process, self.threads));
        let (mut builders, guard) = self.connect(identity, &shared)?;
        let own = builders.remove(0);
        std::thread::scope(|scope| {
            for builder in builders {
                let shared = &shared;
                stack::spawn(scope, move || {
                    let _alarm = Alarm(shared);
                    let mut exchange =
                        TimelyExchange::new(builder, self.threads, Arc::clone(shared));
                    others(&mut exchange);
                    exchange.end();
                });
            }
            let _alarm = Alarm(&shared);
            let mut exchange = TimelyExchange::new(own, self.threads, Arc::clone(&shared));
            first(&mut exchange);
            exchange.end();
        });
        if shared.is_troubled() {
            // Its threads may wait for ever on a socket that is gone; they end with the process.
            std::mem::forget(guard);
        }
        Ok(())
    }
}
