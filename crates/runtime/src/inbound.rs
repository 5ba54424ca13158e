//! Messages that arrive: connections from peers, and a bounded queue of what they bring.
//! A reader stops reading while the queue is full, so that the peer's own queue fills and its policy decides.
//! Bytes that are no frame, no message or from a stranger end their connection and are counted; nobody else is disturbed.

use crate::config::Config;
use crate::frame::{
    Answer, Hello, codec, datagram, ends, is_whole, message, next_frame, read_handshake,
    write_handshake,
};
use crate::metrics::Counters;
use crate::stream::{Doorkeeper, Stream};
use bytes::{Bytes, BytesMut};
use foresee_node::{Address, Schema};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::sync::Notify;

const HANDSHAKE_TIME: Duration = Duration::from_secs(5);
/// Handshakes under way at a time; who comes later waits.
const HANDSHAKES_MAX: usize = 64;

/// What has arrived and waits for its node.
pub(crate) struct Inbox {
    queue: RefCell<VecDeque<Arrived>>,
    n_bytes: Cell<usize>,
    room: Notify,
    messages_max: usize,
    bytes_max: usize,
    /// Connections that were refused, for the report; the first few.
    pub(crate) refusals: RefCell<Vec<String>>,
}

/// One message.
pub(crate) struct Arrived {
    pub(crate) from: Address,
    pub(crate) to: u32,
    frame: Bytes,
    connection: Rc<Connection>,
}

/// The connection a message came by, to be ended if it brings nonsense.
struct Connection {
    name: String,
    is_bad: Cell<bool>,
    end: Notify,
}

impl Arrived {
    pub(crate) fn message(&self) -> &[u8] {
        message(&self.frame)
    }
}

impl Inbox {
    pub(crate) fn new(config: &Config) -> Self {
        Inbox {
            queue: RefCell::default(),
            n_bytes: Cell::new(0),
            room: Notify::new(),
            messages_max: config.messages_max,
            bytes_max: config.bytes_max,
            refusals: RefCell::default(),
        }
    }

    /// The oldest message.
    pub(crate) fn take(&self) -> Option<Arrived> {
        let arrived = self.queue.borrow_mut().pop_front()?;
        self.n_bytes.set(self.n_bytes.get() - arrived.frame.len());
        Some(arrived)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.borrow().is_empty()
    }

    /// Readers that wait may go on.
    pub(crate) fn made_room(&self) {
        self.room.notify_waiters();
    }

    /// Waits for a message. Nobody is woken for it: the loop of a site looks after every turn of its readers.
    pub(crate) async fn arrives(&self) {
        std::future::poll_fn(|_| match self.is_empty() {
            true => Poll::Pending,
            false => Poll::Ready(()),
        })
        .await;
    }

    /// The message was none of ours: its connection is closed.
    pub(crate) fn refuse(&self, arrived: &Arrived, reason: &str) {
        arrived.connection.is_bad.set(true);
        arrived.connection.end.notify_one();
        self.refused(&format!(
            "{} sent a frame that is no message: {reason}",
            arrived.connection.name
        ));
    }

    fn refused(&self, note: &str) {
        tracing::warn!("{note}");
        let mut refusals = self.refusals.borrow_mut();
        if refusals.len() < 10 {
            refusals.push(note.to_owned());
        }
    }

    fn is_full(&self) -> bool {
        self.queue.borrow().len() >= self.messages_max || self.n_bytes.get() >= self.bytes_max
    }

    fn put(&self, arrived: Arrived) {
        self.n_bytes.set(self.n_bytes.get() + arrived.frame.len());
        self.queue.borrow_mut().push_back(arrived);
    }
}

/// What a listener must know to say who is welcome.
pub(crate) struct Door {
    pub(crate) schema: Schema,
    /// The nodes of this process, in the order of its host.
    pub(crate) members: Vec<Address>,
    pub(crate) frame_max: usize,
    pub(crate) counters: Rc<Counters>,
    pub(crate) inbox: Rc<Inbox>,
    pub(crate) doorkeeper: Doorkeeper,
    /// The connections there are, by the number that their datagrams begin with.
    pub(crate) connections: RefCell<BTreeMap<u64, Rc<Route>>>,
}

/// Who is who on a connection.
pub(crate) struct Route {
    number: u64,
    senders: Vec<Address>,
    receivers: Vec<u32>,
    connection: Rc<Connection>,
}

impl Route {
    fn ends(&self, frame: &[u8]) -> Option<(Address, u32)> {
        let (from, to) = ends(frame)?;
        Some((*self.senders.get(from as usize)?, *self.receivers.get(to as usize)?))
    }
}

/// Takes datagrams for ever. One of a connection that is no more, one that was changed on its way and one for which there is no room is
/// lost and counted.
pub(crate) async fn catch(socket: Rc<UdpSocket>, door: Rc<Door>) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let Ok((n, _)) = socket.recv_from(&mut buffer).await else {
            // An earlier datagram of ours found nobody, for instance.
            tokio::task::yield_now().await;
            continue;
        };
        door.counters.bytes_received.add(n as u64);
        let taken = datagram(&buffer[..n]).and_then(|(number, frame)| {
            let route = door.connections.borrow().get(&number).cloned()?;
            let (from, to) = route.ends(frame)?;
            let connection = Rc::clone(&route.connection);
            Some(Arrived { from, to, frame: Bytes::copy_from_slice(frame), connection })
        });
        match taken {
            None => door.counters.messages_refused.add(1),
            Some(_) if door.inbox.is_full() => door.counters.messages_lost_full.add(1),
            Some(arrived) => door.inbox.put(arrived),
        }
    }
}

/// Accepts connections for ever.
pub(crate) async fn accept(listener: TcpListener, door: Rc<Door>) {
    let handshakes = std::sync::Arc::new(tokio::sync::Semaphore::new(HANDSHAKES_MAX));
    loop {
        let Ok(permit) = std::sync::Arc::clone(&handshakes).acquire_owned().await else { return };
        let Ok((stream, at)) = listener.accept().await else {
            // Out of file descriptors, for instance: others may end meanwhile.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let door = Rc::clone(&door);
        tokio::task::spawn_local(async move {
            let welcomed = tokio::time::timeout(HANDSHAKE_TIME, welcome(stream, &door)).await;
            drop(permit);
            match welcomed {
                Ok(Ok((stream, welcomed))) => {
                    door.counters.connections_accepted.add(1);
                    let route = Rc::new(welcomed.route(&at.to_string()));
                    door.connections.borrow_mut().insert(route.number, Rc::clone(&route));
                    read(stream, &route, &door).await;
                    door.connections.borrow_mut().remove(&route.number);
                }
                Ok(Err(reason)) => {
                    door.counters.connections_refused.add(1);
                    door.inbox.refused(&format!("a connection from {at} was refused: {reason}"));
                }
                Err(_) => {
                    door.counters.connections_refused.add(1);
                    door.inbox.refused(&format!("a connection from {at} said nothing"));
                }
            }
        });
    }
}

/// Somebody who was let in: their number, and the senders and receivers (numbers of members) of their frames.
struct Welcomed {
    number: u64,
    senders: Vec<Address>,
    receivers: Vec<u32>,
}

impl Welcomed {
    fn route(self, at: &str) -> Route {
        let names: Vec<&str> = self.senders.iter().map(|sender| sender.name()).collect();
        let name = format!("{} ({at})", names.join(", "));
        let connection = Rc::new(Connection { name, is_bad: Cell::new(false), end: Notify::new() });
        let Welcomed { number, senders, receivers } = self;
        Route { number, senders, receivers, connection }
    }
}

/// The handshake of the one who is dialled.
async fn welcome(stream: TcpStream, door: &Door) -> Result<(Stream, Welcomed), String> {
    let _ = stream.set_nodelay(true);
    let secured = door.doorkeeper.secure(stream).await;
    let mut stream = secured.map_err(|error| error.to_string())?;
    let read = read_handshake::<Hello>(&mut stream).await;
    let judged = read.map_err(|bad| bad.to_string()).and_then(|hello| judge(&hello, door));
    let answer = match &judged {
        Ok(_) => Answer::Welcome,
        Err(reason) => Answer::Refused(reason.clone()),
    };
    write_handshake(&mut stream, &answer).await.map_err(|error| error.to_string())?;
    judged.map(|welcomed| (stream, welcomed))
}

fn judge(hello: &Hello, door: &Door) -> Result<Welcomed, String> {
    if hello.schema != door.schema.hash {
        let (theirs, ours) = (hello.schema, door.schema.hash);
        return Err(format!(
            "messages differ: `{}` with schema {theirs:016x} on one side, `{}` with schema {ours:016x} on the other; run the same \
             version on both",
            hello.type_name, door.schema.type_name
        ));
    }
    let is_name = |name: &String| !name.is_empty() && !name.contains(char::is_whitespace);
    if let Some(bad) = hello.from.iter().find(|name| !is_name(name)) {
        return Err(format!("{bad:?} is no address"));
    }
    let mut receivers = Vec::new();
    for name in &hello.to {
        let Some(place) = door.members.iter().position(|member| member.name() == name) else {
            let here: Vec<&str> = door.members.iter().map(|member| member.name()).collect();
            return Err(format!(
                "`{name}` is not in this process, which runs {}: the peers files differ",
                here.join(", ")
            ));
        };
        receivers.push(place as u32);
    }
    let senders = hello.from.iter().map(|name| Address::new(name)).collect();
    Ok(Welcomed { number: hello.datagrams, senders, receivers })
}

/// Reads messages until the connection ends.
async fn read(mut stream: Stream, route: &Route, door: &Door) {
    let connection = &route.connection;
    let (mut codec, mut arrived) = (codec(door.frame_max), BytesMut::with_capacity(64 << 10));
    let inbox = &door.inbox;
    loop {
        loop {
            let frame = match next_frame(&mut codec, &mut arrived) {
                Ok(Some(frame)) => frame.freeze(),
                Ok(None) => break,
                Err(_) => {
                    door.counters.messages_refused.add(1);
                    let max = door.frame_max;
                    let name = &connection.name;
                    return inbox
                        .refused(&format!("{name} sent a frame over the limit of {max} bytes"));
                }
            };
            if !is_whole(&frame) {
                door.counters.messages_refused.add(1);
                let name = &connection.name;
                return inbox.refused(&format!("{name} sent a frame that was changed on its way"));
            }
            let Some((from, to)) = route.ends(&frame) else {
                door.counters.messages_refused.add(1);
                let name = &connection.name;
                return inbox.refused(&format!("{name} sent a frame without a sender or receiver"));
            };
            while inbox.is_full() {
                inbox.room.notified().await;
            }
            inbox.put(Arrived { from, to, frame, connection: Rc::clone(connection) });
        }
        if connection.is_bad.get() {
            return;
        }
        tokio::select! {
            read = stream.read_buf(&mut arrived) => match read {
                Ok(n) if n > 0 => door.counters.bytes_received.add(n as u64),
                _ => return,
            },
            () = connection.end.notified() => return,
        }
    }
}
