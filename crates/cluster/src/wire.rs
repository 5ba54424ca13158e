//! Sockets that notice a loss and keep it from timely, whose threads would panic.
//! A read that fails, or ends before the search has, is a process that is lost: that is written down for the workers, and the
//! reading thread waits for the end of the process. What is written to a lost process is dropped.

use foresee_search::ClusterError;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// What the workers and sockets of this process tell each other.
#[derive(Debug)]
pub(crate) struct Shared {
    hosts: Vec<String>,
    pub(crate) process: usize,
    trouble: Mutex<Option<ClusterError>>,
    is_troubled: AtomicBool,
    /// Workers of this process for which the search is not over; when there are none, sockets may be closed.
    at_work: AtomicUsize,
}

impl Shared {
    pub(crate) fn new(hosts: Vec<String>, process: usize, threads: usize) -> Self {
        let (is_troubled, at_work) = (AtomicBool::new(false), AtomicUsize::new(threads));
        Shared { hosts, process, trouble: Mutex::new(None), is_troubled, at_work }
    }

    /// The first trouble is the one that is told.
    pub(crate) fn note(&self, error: ClusterError) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.get_or_insert(error);
        self.is_troubled.store(true, Ordering::Release);
    }

    pub(crate) fn is_troubled(&self) -> bool {
        self.is_troubled.load(Ordering::Acquire)
    }

    pub(crate) fn trouble(&self) -> Option<ClusterError> {
        if !self.is_troubled() {
            return None;
        }
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One worker less is at work.
    pub(crate) fn begin_to_end(&self) {
        self.at_work.fetch_sub(1, Ordering::AcqRel);
    }

    fn is_ending(&self) -> bool {
        self.at_work.load(Ordering::Acquire) == 0
    }

    fn lose(&self, process: usize) {
        self.note(ClusterError::Lost { process, address: self.hosts[process].clone() });
    }
}

/// A connection with another process.
pub(crate) struct Guarded {
    socket: TcpStream,
    process: usize,
    shared: Arc<Shared>,
}

impl Guarded {
    pub(crate) fn new(socket: TcpStream, process: usize, shared: Arc<Shared>) -> Self {
        Guarded { socket, process, shared }
    }
}

impl Read for Guarded {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.socket.read(into) {
            Ok(n) if n > 0 => Ok(n),
            done if self.shared.is_ending() && !self.shared.is_troubled() => done,
            _ => {
                self.shared.lose(self.process);
                loop {
                    std::thread::park_timeout(Duration::from_secs(3600));
                }
            }
        }
    }
}

impl Write for Guarded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.socket.write(bytes) {
            Ok(n) if n > 0 => Ok(n),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            _ => {
                self.shared.lose(self.process);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Guarded {
    fn try_clone(&self) -> io::Result<Self> {
        let shared = Arc::clone(&self.shared);
        Ok(Guarded { socket: self.socket.try_clone()?, process: self.process, shared })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.socket.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // One that is closed already is no mistake.
        let _ = self.socket.shutdown(how);
        Ok(())
    }
}

/// What timely's own threads would print when they panic is for nobody: the workers say what has happened.
pub(crate) fn silence_timely() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let thread = std::thread::current();
            if !thread.name().is_some_and(|name| name.starts_with("timely:")) {
                before(info);
            }
        }));
    });
}
