//! Messages that arrive: connections from peers, and a bounded queue of what they bring.
//! What one read brings stays together as a parcel, because work for each message costs more than the message itself: one copy of its bytes, one look
//! at who sent it. A reader stops reading while the queue is full, so that the peer's own queue fills and its policy decides.
//! Bytes that are no frame, no message or from a stranger end their connection and are counted; nobody else is disturbed.

use crate::back::{Back, Backs};
use crate::config::Config;
use crate::frame::{
    Answer, Arriving, Hello, LENGTH, datagram, ends, is_whole, length, message, read_handshake,
    write_handshake,
};
use crate::metrics::Counters;
use crate::stream::{Doorkeeper, Stream};
use foresee_node::{Address, Schema};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::ops::Range;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;
use tokio::io::AsyncRead;
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::sync::Notify;

const HANDSHAKE_TIME: Duration = Duration::from_secs(5);
/// Handshakes under way at a time; who comes later waits.
const HANDSHAKES_MAX: usize = 64;

/// Memory of parcels that is kept for the next, at most so many times and so much each.
const SPARE_MAX: usize = 16;
const SPARE_BYTES_MAX: usize = 64 << 10;

/// What has arrived and waits for its node.
pub(crate) struct Inbox {
    queue: RefCell<VecDeque<Parcel>>,
    n_messages: Cell<usize>,
    n_bytes: Cell<usize>,
    spare: RefCell<Vec<Vec<u8>>>,
    room: Notify,
    messages_max: usize,
    bytes_max: usize,
    /// Connections that were refused, for the report; the first few.
    pub(crate) refusals: RefCell<Vec<String>>,
}

/// Messages that came together, each a whole frame of a sender and a receiver that are known.
pub(crate) struct Parcel {
    route: Rc<Route>,
    bytes: Vec<u8>,
    /// Where the next frame begins.
    at: usize,
    n_messages: usize,
}

/// A message of a parcel.
pub(crate) struct Arrived {
    pub(crate) from: Address,
    pub(crate) to: u32,
    frame: Range<usize>,
}

/// The connection a message came by, to be ended if it brings nonsense.
pub(crate) struct Connection {
    name: String,
    is_bad: Cell<bool>,
    end: Notify,
}

impl Connection {
    pub(crate) fn new(name: String) -> Rc<Self> {
        Rc::new(Connection { name, is_bad: Cell::new(false), end: Notify::new() })
    }

    /// Its reader is to stop.
    pub(crate) fn end(&self) {
        self.is_bad.set(true);
        self.end.notify_one();
    }
}

impl Parcel {
    /// The next message.
    pub(crate) fn next(&mut self) -> Option<Arrived> {
        if self.n_messages == 0 {
            return None; // what may follow is the beginning of nonsense
        }
        let start = self.at + LENGTH;
        let end = start + length(&self.bytes[self.at..])?;
        let (from, to) = self.route.ends(&self.bytes[start..end])?;
        (self.at, self.n_messages) = (end, self.n_messages - 1);
        Some(Arrived { from, to, frame: start..end })
    }

    pub(crate) fn message(&self, arrived: &Arrived) -> &[u8] {
        message(&self.bytes[arrived.frame.clone()])
    }
}

impl Inbox {
    pub(crate) fn new(config: &Config) -> Self {
        Inbox {
            queue: RefCell::default(),
            n_messages: Cell::new(0),
            n_bytes: Cell::new(0),
            spare: RefCell::default(),
            room: Notify::new(),
            messages_max: config.messages_max,
            bytes_max: config.bytes_max,
            refusals: RefCell::default(),
        }
    }

    /// The oldest parcel; to be given to [`Inbox::done`].
    pub(crate) fn take(&self) -> Option<Parcel> {
        let parcel = self.queue.borrow_mut().pop_front()?;
        self.n_messages.set(self.n_messages.get() - parcel.n_messages);
        self.n_bytes.set(self.n_bytes.get() - parcel.bytes.len());
        Some(parcel)
    }

    /// What is left of a parcel waits on; one that is empty leaves its memory.
    pub(crate) fn done(&self, parcel: Parcel) {
        if parcel.n_messages > 0 {
            self.count(&parcel);
            return self.queue.borrow_mut().push_front(parcel);
        }
        let (mut bytes, mut spare) = (parcel.bytes, self.spare.borrow_mut());
        if spare.len() < SPARE_MAX && bytes.capacity() <= SPARE_BYTES_MAX {
            bytes.clear();
            spare.push(bytes);
        }
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
    pub(crate) fn refuse(&self, parcel: &Parcel, reason: &str) {
        let connection = &parcel.route.connection;
        connection.end();
        self.refused(&format!("{} sent a frame that is no message: {reason}", connection.name));
    }

    fn refused(&self, note: &str) {
        tracing::warn!("{note}");
        let mut refusals = self.refusals.borrow_mut();
        if refusals.len() < 10 {
            refusals.push(note.to_owned());
        }
    }

    fn is_full(&self) -> bool {
        self.n_messages.get() >= self.messages_max || self.n_bytes.get() >= self.bytes_max
    }

    /// Takes in the frames of a connection, written by `fill`.
    fn put(&self, route: &Rc<Route>, n_messages: usize, fill: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.spare.borrow_mut().pop().unwrap_or_default();
        fill(&mut bytes);
        let parcel = Parcel { route: Rc::clone(route), bytes, at: 0, n_messages };
        self.count(&parcel);
        self.queue.borrow_mut().push_back(parcel);
    }

    fn count(&self, parcel: &Parcel) {
        self.n_messages.set(self.n_messages.get() + parcel.n_messages);
        self.n_bytes.set(self.n_bytes.get() + parcel.bytes.len());
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
    pub(crate) backs: Backs,
}

/// Who is who on a connection.
pub(crate) struct Route {
    number: u64,
    senders: Vec<Address>,
    receivers: Vec<u32>,
    connection: Rc<Connection>,
}

impl Route {
    /// The same nodes by another connection.
    pub(crate) fn by(&self, connection: &Rc<Connection>) -> Route {
        let (senders, receivers) = (self.senders.clone(), self.receivers.clone());
        Route { number: self.number, senders, receivers, connection: Rc::clone(connection) }
    }

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
            route.ends(frame)?;
            Some((route, frame))
        });
        match taken {
            None => door.counters.messages_refused.add(1),
            Some(_) if door.inbox.is_full() => door.counters.messages_lost_full.add(1),
            Some((route, frame)) => door.inbox.put(&route, 1, |bytes| {
                bytes.extend_from_slice(&(frame.len() as u32).to_le_bytes());
                bytes.extend_from_slice(frame);
            }),
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
            let welcome = welcome(stream, at, &door);
            let welcomed = tokio::time::timeout(HANDSHAKE_TIME, welcome).await;
            drop(permit);
            match welcomed {
                Ok(Ok(guest)) => {
                    door.counters.connections_accepted.add(1);
                    let number = guest.route.number;
                    door.connections.borrow_mut().insert(number, Rc::clone(&guest.route));
                    guest.read(&door).await;
                    door.connections.borrow_mut().remove(&number);
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

/// Somebody who was let in.
struct Guest {
    stream: Stream,
    route: Rc<Route>,
    /// What would send by this connection, too.
    back: Option<Rc<Back>>,
}

impl Guest {
    async fn read(self, door: &Door) {
        let Guest { stream, route, back } = self;
        let connection = Rc::clone(&route.connection);
        let known = || Some(Rc::clone(&route));
        match (stream, back) {
            (Stream::Plain(stream), Some(back)) => {
                let (reader, writer) = stream.into_split();
                let offer = back.offer(writer, &connection);
                read(reader, &connection, known, door).await;
                back.withdraw(&offer);
            }
            (stream, _) => read(stream, &connection, known, door).await,
        }
    }
}

/// The handshake of the one who is dialled.
async fn welcome(stream: TcpStream, at: SocketAddr, door: &Door) -> Result<Guest, String> {
    let _ = stream.set_nodelay(true);
    let secured = door.doorkeeper.secure(stream).await;
    let mut stream = secured.map_err(|error| error.to_string())?;
    let read = read_handshake::<Hello>(&mut stream).await;
    let judged = read.map_err(|bad| bad.to_string()).and_then(|hello| {
        let route = Rc::new(judge(&hello, at, door)?);
        Ok((hello, route))
    });
    let answer = match &judged {
        Ok((hello, route)) => match door.backs.grants(hello) {
            Some(back) => {
                back.expects(Rc::clone(route));
                Answer::GoBack
            }
            None => Answer::Welcome,
        },
        Err(reason) => Answer::Refused(reason.clone()),
    };
    write_handshake(&mut stream, &answer).await.map_err(|error| error.to_string())?;
    judged.map(|(hello, route)| {
        let back = door.backs.of_hello(&hello).filter(|back| back.asks);
        Guest { stream, route, back }
    })
}

fn judge(hello: &Hello, at: SocketAddr, door: &Door) -> Result<Route, String> {
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
    let connection = Connection::new(format!("{} ({at})", hello.from.join(", ")));
    Ok(Route { number: hello.datagrams, senders, receivers, connection })
}

/// Reads messages until the connection ends; `route` says who is who in them.
pub(crate) async fn read(
    mut stream: impl AsyncRead + Unpin,
    connection: &Connection,
    mut route: impl FnMut() -> Option<Rc<Route>>,
    door: &Door,
) {
    let inbox = &door.inbox;
    let mut arriving = Arriving::new(door.frame_max);
    let mut end = pin!(connection.end.notified());
    loop {
        tokio::select! {
            biased;
            read = arriving.read(&mut stream) => match read {
                Ok(n) if n > 0 => door.counters.bytes_received.add(n as u64),
                _ => return,
            },
            () = &mut end => return,
        }
        let Some(route) = route() else { return };
        loop {
            let begun = arriving.place();
            let (n, problem) = good_frames(&mut arriving, &route, inbox.messages_max);
            if n > 0 {
                while inbox.is_full() {
                    inbox.room.notified().await;
                }
                inbox.put(&route, n, |bytes| bytes.extend_from_slice(arriving.since(begun)));
            }
            if let Some(problem) = problem {
                door.counters.messages_refused.add(1);
                return inbox.refused(&format!("{} sent a frame {problem}", connection.name));
            }
            if connection.is_bad.get() {
                return;
            }
            if n < inbox.messages_max {
                break;
            }
        }
    }
}

/// Passes over at most `n_max` frames that are whole and have a sender and a receiver; how many there were, and what is wrong with the next.
fn good_frames(arriving: &mut Arriving, route: &Route, n_max: usize) -> (usize, Option<String>) {
    let frame_max = arriving.frame_max();
    for n in 0..n_max {
        let problem = match arriving.next() {
            Ok(None) => return (n, None),
            Ok(Some(frame)) if !is_whole(frame) => "that was changed on its way".to_owned(),
            Ok(Some(frame)) if route.ends(frame).is_none() => {
                "without a sender or receiver".to_owned()
            }
            Ok(Some(_)) => continue,
            Err(_) => format!("over the limit of {frame_max} bytes"),
        };
        return (n, Some(problem));
    }
    (n_max, None)
}
