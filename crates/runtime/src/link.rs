//! Messages that leave: one connection to each other process, with a bounded queue before it.
//! A message is encoded straight into the queue's bytes. When the handlers of a turn are done, all there is leaves by one write, without a
//! task in between; only if the socket takes no more does the link's writer wait for it, and what was sent meanwhile leaves in one go. A connection that breaks is made again, with longer and longer pauses; what was
//! being written is lost and counted, what waits is kept.
//! Invariant: a queue holds at most `messages_max` messages and `bytes_max` bytes, plus what one handler sends under `WhenFull::Wait`.

use crate::config::{Config, WhenFull};
use crate::frame::{
    Answer, BadHandshake, Hello, put_datagram, put_message, read_handshake, write_handshake,
};
use crate::inbound::{Connection, Door, read};
use crate::metrics::Counters;
use crate::stream::{Dialler, Stream};
use crate::{Peers, RunError};
use foresee_node::Address;
use foresee_stdx::{Random, StableHasher, stable_hash};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;
#[cfg(feature = "tls")]
use tokio::io::AsyncWriteExt;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpStream, UdpSocket};
use tokio::sync::Notify;

const PAUSE_MIN: Duration = Duration::from_millis(10);
const PAUSE_MAX: Duration = Duration::from_secs(1);
const HANDSHAKE_TIME: Duration = Duration::from_secs(5);

/// All links of a process.
pub(crate) struct Links {
    /// By the address of the name's one allocation: the link and the receiver's number on it.
    routes: HashMap<usize, (usize, u16), BuildHasherDefault<StableHasher>>,
    links: Vec<Rc<Link>>,
    counters: Rc<Counters>,
    frame_max: usize,
    /// Where datagrams leave, if there are to be any.
    udp: Option<Rc<UdpSocket>>,
}

/// The queue of one link, shared with its writer.
#[derive(Debug)]
pub(crate) struct Link {
    /// Where to dial.
    pub(crate) at: SocketAddr,
    /// Whom to reach.
    pub(crate) site: SocketAddr,
    pub(crate) name: String,
    queue: RefCell<Queue>,
    /// There is something to write.
    news: Notify,
    /// There is room again.
    room: Notify,
    is_connected: Cell<bool>,
    is_writing: Cell<bool>,
    /// Messages that are being written and may be lost.
    n_writing: Cell<u64>,
    /// The socket, while there is one.
    socket: RefCell<Option<Rc<OwnedWriteHalf>>>,
    /// Datagrams of the present turn.
    datagrams: RefCell<Datagrams>,
    /// What tells the other which connection a datagram belongs to; another one for each.
    connection: Cell<u64>,
    messages_max: usize,
    bytes_max: usize,
    when_full: WhenFull,
}

#[derive(Debug, Default)]
struct Datagrams {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

#[derive(Debug, Default)]
struct Queue {
    bytes: Vec<u8>,
    n_messages: usize,
    /// Whether it begins in the middle of a message, whose beginning has left.
    is_cut: bool,
}

impl Links {
    /// For a process that is all there is.
    pub(crate) fn none(counters: Rc<Counters>) -> Self {
        Links { routes: HashMap::default(), links: Vec::new(), counters, frame_max: 0, udp: None }
    }

    /// A link to every other process of the peers file.
    pub(crate) fn new(
        peers: &Peers,
        own: SocketAddr,
        config: &Config,
        counters: Rc<Counters>,
        udp: Option<Rc<UdpSocket>>,
    ) -> Self {
        let mut links = Links { frame_max: config.frame_max, udp, ..Links::none(counters) };
        for at in peers.sites().into_iter().filter(|at| *at != own) {
            let nodes = peers.at(at);
            for (number, node) in nodes.iter().enumerate() {
                let key = node.name().as_ptr() as usize;
                links.routes.insert(key, (links.links.len(), number as u16));
            }
            let names: Vec<&str> = nodes.iter().map(|node| node.name()).collect();
            let through = config.through.as_ref().and_then(|peers| peers.site_of(nodes[0]));
            links.links.push(Rc::new(Link {
                at: through.unwrap_or(at),
                site: at,
                name: names.join(", "),
                queue: RefCell::default(),
                news: Notify::new(),
                room: Notify::new(),
                is_connected: Cell::new(false),
                is_writing: Cell::new(false),
                n_writing: Cell::new(0),
                socket: RefCell::default(),
                datagrams: RefCell::default(),
                connection: Cell::new(0),
                messages_max: config.messages_max,
                bytes_max: config.bytes_max,
                when_full: config.when_full,
            }));
        }
        links
    }

    pub(crate) fn counters(&self) -> Rc<Counters> {
        Rc::clone(&self.counters)
    }

    pub(crate) fn all(&self) -> &[Rc<Link>] {
        &self.links
    }

    /// Appends a message to the queue of its link; `from` is the sender's number in this process.
    pub(crate) fn send(&self, from: u32, to: Address, encode: &dyn Fn(&mut Vec<u8>)) {
        let Some(&(link, to)) = self.routes.get(&(to.name().as_ptr() as usize)) else {
            self.counters.messages_lost_unknown.add(1);
            tracing::warn!(%to, "a message to an address that nobody has is lost");
            return;
        };
        let link = &self.links[link];
        if self.udp.is_some() && link.is_connected.get() {
            let mut datagrams = link.datagrams.borrow_mut();
            if datagrams.ends.len() >= link.messages_max {
                self.counters.messages_lost_full.add(1);
                return;
            }
            let number = link.connection.get();
            if put_datagram(&mut datagrams.bytes, number, from as u16, to, encode) {
                let end = datagrams.bytes.len();
                datagrams.ends.push(end);
                return;
            }
        }
        let mut queue = link.queue.borrow_mut();
        if link.when_full == WhenFull::Drop && link.is_full(&queue) {
            self.counters.messages_lost_full.add(1);
            return;
        }
        match put_message(&mut queue.bytes, from as u16, to, self.frame_max, encode) {
            Some(_) => queue.n_messages += 1,
            None => {
                self.counters.messages_lost_large.add(1);
                tracing::warn!(to = link.name, "a message over the size limit is lost");
            }
        }
    }

    /// Writes what was sent, or lets writers have it.
    pub(crate) fn release(&self) {
        if let Some(udp) = &self.udp {
            self.links.iter().for_each(|link| link.throw(udp, &self.counters));
        }
        for link in self.links.iter().filter(|link| !link.is_writing.get()) {
            let mut queue = link.queue.borrow_mut();
            if queue.n_messages > 0 && !link.write_now(&mut queue, &self.counters) {
                link.news.notify_one();
            }
        }
    }

    /// Waits until no queue is over its bounds, where the user wants to wait.
    pub(crate) async fn wait_for_room(&self) {
        for link in self.links.iter().filter(|link| link.when_full == WhenFull::Wait) {
            while link.is_full(&link.queue.borrow()) {
                link.room.notified().await;
            }
        }
    }

    /// Waits until all that was sent has been written; peers that are not there are not waited for.
    pub(crate) async fn flushed(&self) {
        for link in &self.links {
            while link.is_connected.get()
                && (link.queue.borrow().n_messages > 0 || link.is_writing.get())
            {
                link.news.notify_one();
                let _ = tokio::time::timeout(Duration::from_millis(5), link.room.notified()).await;
            }
        }
    }

    /// Counts what will never leave.
    pub(crate) fn count_unsent(&self) -> u64 {
        let unsent = self.links.iter().map(|link| link.queue.borrow().n_messages as u64).sum();
        self.counters.messages_lost_disconnected.add(unsent);
        unsent
    }
}

impl Link {
    /// Writes the queue to the socket; `false` if something is left for the writer.
    fn write_now(&self, queue: &mut Queue, counters: &Counters) -> bool {
        let socket = self.socket.borrow();
        let Some(Ok(n)) = socket.as_ref().map(|socket| socket.try_write(&queue.bytes)) else {
            return false;
        };
        counters.bytes_sent.add(n as u64);
        if n < queue.bytes.len() {
            queue.bytes.drain(..n);
            queue.is_cut = true;
            return false;
        }
        queue.bytes.clear();
        (queue.n_messages, queue.is_cut) = (0, false);
        self.room.notify_waiters();
        true
    }

    /// Lets the datagrams of this turn go. One that the system does not take at once is lost: the network may lose messages.
    fn throw(&self, udp: &UdpSocket, counters: &Counters) {
        let mut datagrams = self.datagrams.borrow_mut();
        let Datagrams { bytes, ends } = &mut *datagrams;
        let mut start = 0;
        for end in ends.drain(..) {
            match udp.try_send_to(&bytes[start..end], self.at) {
                Ok(n) => {
                    counters.bytes_sent.add(n as u64);
                    counters.datagrams_sent.add(1);
                }
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    counters.messages_lost_full.add(1);
                }
                Err(_) => counters.messages_lost_disconnected.add(1),
            }
            start = end;
        }
        bytes.clear();
    }

    /// The connection is gone: a queue that begins in the middle of a message is of no use to the next.
    fn drop_cut(&self) -> u64 {
        *self.socket.borrow_mut() = None;
        let mut queue = self.queue.borrow_mut();
        if !queue.is_cut {
            return 0;
        }
        std::mem::take(&mut *queue).n_messages as u64
    }

    fn is_full(&self, queue: &Queue) -> bool {
        queue.n_messages >= self.messages_max || queue.bytes.len() >= self.bytes_max
    }
}

/// Keeps a link connected and writes what is in its queue, for ever. An error is a peer that will never want us.
pub(crate) async fn write(
    link: Rc<Link>,
    mut hello: Hello,
    door: Rc<Door>,
    dialler: Dialler,
) -> Result<(), RunError> {
    let counters = &door.counters;
    let mut random = Random::new(stable_hash(&(&hello.from, &link.name)));
    // A process that comes back must not use the numbers of its last life.
    let born = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let born = born.map_or(0, |it| it.as_nanos() as u64) ^ u64::from(std::process::id());
    let mut pause = PAUSE_MIN;
    for number in 0u64.. {
        hello.datagrams = stable_hash(&(&hello.from, &link.name, born, number));
        link.connection.set(hello.datagrams);
        match connect(&link, &hello, &dialler).await {
            Ok((stream, goes_back)) => {
                pause = PAUSE_MIN;
                counters.connections_made.add(1);
                tracing::info!(peer = link.name, at = %link.at, goes_back, "connected");
                match goes_back {
                    false => write_all(&link, stream, &door).await,
                    true => write_back(&link, stream, &door).await,
                }
                let n_lost = link.n_writing.take() + link.drop_cut();
                link.is_connected.set(false);
                link.is_writing.set(false);
                link.room.notify_waiters();
                counters.messages_lost_disconnected.add(n_lost);
                tracing::info!(peer = link.name, at = %link.at, n_lost, "disconnected");
            }
            Err(Unreachable::Refused(reason)) => {
                let peer = link.name.clone();
                return Err(RunError::Refused { peer, at: link.at, reason });
            }
            Err(Unreachable::NotThere(reason)) => {
                counters.connections_failed.add(1);
                tracing::debug!(peer = link.name, at = %link.at, reason, "not there yet");
            }
        }
        // A little chance, so that processes that were started together do not knock together.
        let most = pause.as_millis() as u64;
        tokio::time::sleep(Duration::from_millis(random.between(most / 2, most))).await;
        pause = (2 * pause).min(PAUSE_MAX);
    }
    unreachable!("nobody connects so often")
}

enum Unreachable {
    NotThere(String),
    Refused(String),
}

/// A connection, and whether messages go by the one that the other dials.
async fn connect(
    link: &Link,
    hello: &Hello,
    dialler: &Dialler,
) -> Result<(Stream, bool), Unreachable> {
    let attempt = async {
        let stream = TcpStream::connect(link.at).await.map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        let mut stream = dialler.secure(stream).await.map_err(failed)?;
        write_handshake(&mut stream, hello).await.map_err(failed)?;
        match read_handshake::<Answer>(&mut stream).await {
            Ok(Answer::Welcome) => Ok((stream, false)),
            Ok(Answer::GoBack) => Ok((stream, true)),
            Ok(Answer::Refused(reason)) => Err(Unreachable::Refused(reason)),
            Err(BadHandshake::Broken(error)) => Err(failed(error)),
            Err(BadHandshake::NotOurs(reason)) => Err(Unreachable::Refused(reason)),
        }
    };
    match tokio::time::timeout(HANDSHAKE_TIME, attempt).await {
        Ok(result) => result,
        Err(_) => Err(Unreachable::NotThere("no answer to the handshake".to_owned())),
    }
}

/// Data that makes no sense comes from somebody who will not make more of it next time: another protocol, a certificate that is not
/// taken. Everything else may pass.
fn failed(error: std::io::Error) -> Unreachable {
    match error.kind() {
        std::io::ErrorKind::InvalidData => Unreachable::Refused(error.to_string()),
        _ => Unreachable::NotThere(error.to_string()),
    }
}

/// Writes until the connection breaks, and reads what may come back by it.
async fn write_all(link: &Link, stream: Stream, door: &Door) {
    link.is_connected.set(true);
    match stream {
        Stream::Plain(stream) => {
            let (reader, writer) = stream.into_split();
            let back = door.backs.of(link.site);
            let connection = Connection::new(format!("{} ({})", link.name, link.at));
            let reading = read(reader, &connection, back.routes(&connection), door);
            tokio::select! {
                () = reading => {}
                () = write_plain(link, Rc::new(writer), &door.counters) => {}
            }
        }
        #[cfg(feature = "tls")]
        Stream::Secured(stream) => {
            let (mut reader, mut writer) = tokio::io::split(stream);
            let write = async |bytes: &[u8]| {
                writer.write_all(bytes).await?;
                writer.flush().await
            };
            tokio::select! {
                () = gone(&mut reader) => {}
                () = write_turns(link, write, &door.counters) => {}
            }
        }
    }
}

/// Writes to the connection that the other has dialled, until one of the two breaks.
async fn write_back(link: &Link, mut stream: Stream, door: &Door) {
    let back = door.backs.of(link.site);
    let writing = async {
        let offer = back.offered().await;
        link.is_connected.set(true);
        tokio::select! {
            () = back.withdrawn(&offer) => {}
            () = write_plain(link, Rc::clone(&offer.socket), &door.counters) => {}
        }
    };
    tokio::select! {
        () = gone(&mut stream) => {}
        () = writing => {}
    }
    back.withdraw_all();
}

/// Waits for the end of a connection by which nothing is ever sent to us: whatever comes is the end.
async fn gone(reader: &mut (impl AsyncRead + Unpin)) {
    let _ = reader.read(&mut [0; 1]).await;
}

async fn write_plain(link: &Link, writer: Rc<OwnedWriteHalf>, counters: &Counters) {
    // What fits leaves from `release`, without a task in between.
    *link.socket.borrow_mut() = Some(Rc::clone(&writer));
    let write = async |bytes: &[u8]| {
        let mut n_written = 0;
        while n_written < bytes.len() {
            writer.writable().await?;
            match writer.try_write(&bytes[n_written..]) {
                Ok(n) => n_written += n,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    };
    write_turns(link, write, counters).await;
}

/// Writes what did not leave at once, until that fails.
async fn write_turns(
    link: &Link,
    mut write: impl AsyncFnMut(&[u8]) -> std::io::Result<()>,
    counters: &Counters,
) {
    let mut writing = Vec::new();
    loop {
        let n_messages = {
            let mut queue = link.queue.borrow_mut();
            std::mem::swap(&mut queue.bytes, &mut writing);
            queue.is_cut = false;
            std::mem::take(&mut queue.n_messages)
        };
        if n_messages == 0 {
            link.is_writing.set(false);
            link.news.notified().await;
            continue;
        }
        link.is_writing.set(true);
        link.n_writing.set(n_messages as u64);
        if write(&writing).await.is_err() {
            return;
        }
        link.n_writing.set(0);
        counters.bytes_sent.add(writing.len() as u64);
        writing.clear();
        link.room.notify_waiters();
    }
}
