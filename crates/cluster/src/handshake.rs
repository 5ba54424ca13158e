//! How the processes of a search meet: each connects with those before it and waits for those after it; both say who they are and what they search.
//! A greeting: a line of fixed text, then numbers and texts with their lengths, little-endian. The one who was called answers with its own
//! greeting, or with a refusal. When a process has met all others it says so to each, and timely gets the sockets when all have said it;
//! one that cannot go on says why in place of that, so that all end with the reason.

use crate::TcpCluster;
use foresee_search::ClusterError;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Before anything else; another version of the handshake has another line.
const FIRST: &[u8] = b"foresee cluster 1\n";
const AGREED: u8 = 1;
const REFUSED: u8 = 0;
/// A text longer than this was not written by us.
const TEXT_MAX: u32 = 1 << 20;
const RETRY_EVERY: Duration = Duration::from_millis(50);

/// Who a process is, and what it searches.
struct Greeting {
    process: usize,
    processes: usize,
    threads: usize,
    identity: Vec<(String, String)>,
}

/// A socket for every other process, once all have met.
pub(crate) fn meet(
    own: &TcpCluster,
    identity: &[(String, String)],
    listener: Option<TcpListener>,
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let deadline = Instant::now() + own.patience;
    let mut sockets: Vec<Option<TcpStream>> = own.hosts.iter().map(|_| None).collect();
    let greeting = Greeting {
        process: own.process,
        processes: own.hosts.len(),
        threads: own.threads,
        identity: identity.to_vec(),
    };
    let met = meet_all(own, &greeting, listener, deadline, &mut sockets)
        .and_then(|()| agree(own, &mut sockets, deadline));
    if let Err(error) = met {
        for socket in sockets.iter_mut().flatten() {
            let _ =
                socket.write_all(&[REFUSED]).and_then(|()| put_text(socket, &error.to_string()));
        }
        return Err(error);
    }
    for socket in sockets.iter().flatten() {
        let _ = socket.set_read_timeout(None);
        let _ = socket.set_nodelay(true);
    }
    Ok(sockets)
}

fn meet_all(
    own: &TcpCluster,
    greeting: &Greeting,
    listener: Option<TcpListener>,
    deadline: Instant,
    sockets: &mut [Option<TcpStream>],
) -> Result<(), ClusterError> {
    let address = &own.hosts[own.process];
    let listening = listener.map_or_else(|| TcpListener::bind(address), Ok);
    let listener = listening.map_err(|error| ClusterError::Address {
        address: address.clone(),
        reason: error.to_string(),
    })?;
    for (process, socket) in sockets.iter_mut().enumerate().take(own.process) {
        *socket = Some(call(own, greeting, process, deadline)?);
    }
    await_others(own, greeting, &listener, deadline, sockets)
}

/// Connects with a process that listens, and hears who it is.
fn call(
    own: &TcpCluster,
    greeting: &Greeting,
    process: usize,
    deadline: Instant,
) -> Result<TcpStream, ClusterError> {
    let address = &own.hosts[process];
    let mut reason = "nobody answers".to_owned();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ClusterError::Unreachable { process, address: address.clone(), reason });
        }
        match connect(address, left) {
            Ok(mut socket) => {
                let _ = socket.set_read_timeout(Some(left.max(RETRY_EVERY)));
                greeting.put(&mut socket).map_err(|_| gone(own, process))?;
                let stranger = || ClusterError::Stranger { address: address.clone() };
                if take_byte(&mut socket).ok_or_else(|| gone(own, process))? == REFUSED {
                    let reason = take_text(&mut socket).ok_or_else(stranger)?;
                    return Err(ClusterError::GaveUp { process, reason });
                }
                let other = Greeting::take(&mut socket).ok_or_else(stranger)?;
                if other.process != process {
                    return Err(stranger());
                }
                greeting.compare(&other)?;
                return Ok(socket);
            }
            Err(error) => reason = error.to_string(),
        }
        std::thread::sleep(RETRY_EVERY.min(left));
    }
}

fn connect(address: &str, left: Duration) -> std::io::Result<TcpStream> {
    let mut failed = std::io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, left) {
            Ok(socket) => return Ok(socket),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Answers the processes after this one until all are there.
fn await_others(
    own: &TcpCluster,
    greeting: &Greeting,
    listener: &TcpListener,
    deadline: Instant,
    sockets: &mut [Option<TcpStream>],
) -> Result<(), ClusterError> {
    let cannot = |error: std::io::Error| ClusterError::Address {
        address: own.hosts[own.process].clone(),
        reason: error.to_string(),
    };
    listener.set_nonblocking(true).map_err(cannot)?;
    loop {
        let missing = (own.process + 1..own.hosts.len()).find(|it| sockets[*it].is_none());
        let Some(missing) = missing else { return Ok(()) };
        if Instant::now() >= deadline {
            let (address, reason) = (own.hosts[missing].clone(), "it did not come".to_owned());
            return Err(ClusterError::Unreachable { process: missing, address, reason });
        }
        match listener.accept() {
            Ok((socket, _)) => {
                if let Some((process, socket)) = answer(greeting, socket, deadline, sockets)? {
                    sockets[process] = Some(socket);
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(RETRY_EVERY / 5);
            }
            Err(error) => return Err(cannot(error)),
        }
    }
}

/// Hears who is calling; a stranger is left alone, and one that does not fit is told why.
fn answer(
    greeting: &Greeting,
    mut socket: TcpStream,
    deadline: Instant,
    sockets: &[Option<TcpStream>],
) -> Result<Option<(usize, TcpStream)>, ClusterError> {
    let left = deadline.saturating_duration_since(Instant::now()).max(RETRY_EVERY);
    // Somebody who connects and says nothing must not keep the others waiting for long.
    let _ = socket.set_nonblocking(false);
    let _ = socket.set_read_timeout(Some(left.min(Duration::from_secs(2))));
    let Some(other) = Greeting::take(&mut socket) else { return Ok(None) };
    let mut refuse = |error: &ClusterError| {
        let _ = socket.write_all(&[REFUSED]);
        let _ = put_text(&mut socket, &error.to_string());
    };
    let is_there = sockets.get(other.process).is_none_or(Option::is_some);
    if other.process <= greeting.process || is_there {
        // The first that came is believed; whoever comes later with its number is sent away.
        refuse(&ClusterError::Twice { process: other.process });
        return Ok(None);
    }
    if let Err(error) = greeting.compare(&other) {
        refuse(&error);
        return Err(error);
    }
    let _ = socket.set_read_timeout(Some(left));
    let answered = socket.write_all(&[AGREED]).and_then(|()| greeting.put(&mut socket));
    Ok(answered.ok().map(|()| (other.process, socket)))
}

/// Everybody says that it has met everybody.
fn agree(
    own: &TcpCluster,
    sockets: &mut [Option<TcpStream>],
    deadline: Instant,
) -> Result<(), ClusterError> {
    for socket in sockets.iter_mut().flatten() {
        // One that is gone is noticed below.
        let _ = socket.write_all(&[AGREED]);
    }
    for (process, socket) in sockets.iter_mut().enumerate() {
        let Some(socket) = socket else { continue };
        let left = deadline.saturating_duration_since(Instant::now()).max(RETRY_EVERY);
        let _ = socket.set_read_timeout(Some(left));
        match take_byte(socket) {
            Some(AGREED) => {}
            Some(_) => {
                let reason = take_text(socket).unwrap_or_else(|| "it does not say why".to_owned());
                return Err(ClusterError::GaveUp { process, reason });
            }
            None => return Err(gone(own, process)),
        }
    }
    Ok(())
}

fn gone(own: &TcpCluster, process: usize) -> ClusterError {
    ClusterError::Lost { process, address: own.hosts[process].clone() }
}

impl Greeting {
    fn put(&self, socket: &mut TcpStream) -> std::io::Result<()> {
        let mut bytes = FIRST.to_vec();
        let counts = [self.process, self.processes, self.threads, self.identity.len()];
        counts.iter().for_each(|count| bytes.extend((*count as u32).to_le_bytes()));
        for text in self.identity.iter().flat_map(|(name, value)| [name, value]) {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        socket.write_all(&bytes)
    }

    fn take(socket: &mut TcpStream) -> Option<Greeting> {
        let mut first = [0; FIRST.len()];
        socket.read_exact(&mut first).ok()?;
        if first != *FIRST {
            return None;
        }
        let mut number = || take_number(socket).map(|it| it as usize);
        let (process, processes, threads, n) = (number()?, number()?, number()?, number()?);
        let mut identity = Vec::new();
        for _ in 0..n.min(TEXT_MAX as usize) {
            identity.push((take_text(socket)?, take_text(socket)?));
        }
        Some(Greeting { process, processes, threads, identity })
    }

    /// Whether another process searches the same, in the same way.
    fn compare(&self, other: &Greeting) -> Result<(), ClusterError> {
        let process = other.process;
        let different = |what: &str, there: String, here: String| {
            Err(ClusterError::Different { process, what: what.to_owned(), there, here })
        };
        if self.processes != other.processes {
            let (there, here) = (other.processes.to_string(), self.processes.to_string());
            return different("number of processes", there, here);
        }
        if self.threads != other.threads {
            let (there, here) = (other.threads.to_string(), self.threads.to_string());
            return different("number of threads", there, here);
        }
        let value = |of: &[(String, String)], name: &str| {
            let values = of.iter().filter(|it| it.0 == name).map(|it| it.1.as_str());
            values.collect::<Vec<_>>().join(", ")
        };
        for (name, _) in self.identity.iter().chain(&other.identity) {
            let (there, here) = (value(&other.identity, name), value(&self.identity, name));
            if there != here {
                return different(name, there, here);
            }
        }
        Ok(())
    }
}

fn take_byte(socket: &mut TcpStream) -> Option<u8> {
    let mut byte = [0];
    socket.read_exact(&mut byte).ok()?;
    Some(byte[0])
}

fn take_number(socket: &mut TcpStream) -> Option<u32> {
    let mut bytes = [0; 4];
    socket.read_exact(&mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

fn take_text(socket: &mut TcpStream) -> Option<String> {
    let length = take_number(socket).filter(|length| *length <= TEXT_MAX)?;
    let mut bytes = vec![0; length as usize];
    socket.read_exact(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn put_text(socket: &mut TcpStream, text: &str) -> std::io::Result<()> {
    socket.write_all(&(text.len() as u32).to_le_bytes())?;
    socket.write_all(text.as_bytes())
}
