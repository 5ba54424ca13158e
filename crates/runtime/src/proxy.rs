//! A proxy between sites that lets things go wrong: delay, loss, duplication, reordering, corruption and partitions, from a script and a seed.
//! It listens once for each site and hands connections on. Handshakes pass untouched; from then on it sees frames, and from the handshake whose they
//! are. A message that is lost is lost for good, as in every model of a network that loses messages.
//! A frame that is corrupted has one bit changed after its length; its receiver sees that and ends the connection.

use crate::faults::FaultScript;
use crate::frame::{Arriving, Hello, LENGTH, ends};
use crate::stop::Stop;
use crate::{Peers, RunError};
use bytes::Bytes;
use foresee_node::Address;
use foresee_stdx::{Random, mix};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::LocalSet;

/// Messages that one connection may hold back; beyond that it reads no more.
const HELD_MAX: usize = 65_536;

/// What a proxy did.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ProxyReport {
    pub passed: u64,
    pub lost: u64,
    pub duplicated: u64,
    pub reordered: u64,
    /// Passed on with one bit changed; the receiver refuses them.
    pub corrupted: u64,
    /// Lost because a partition was between.
    pub cut: u64,
}

#[derive(Default)]
struct Counts {
    passed: Cell<u64>,
    lost: Cell<u64>,
    duplicated: Cell<u64>,
    reordered: Cell<u64>,
    corrupted: Cell<u64>,
    cut: Cell<u64>,
}

fn add(count: &Cell<u64>) {
    count.set(count.get() + 1);
}

/// Runs a proxy for the sites of `peers` until it is told to stop or the time is up. `ready` is told the places to dial instead.
pub fn run_proxy(
    peers: &Peers,
    script: &FaultScript,
    seed: u64,
    duration: Option<Duration>,
    ready: &mut dyn FnMut(&Peers),
) -> Result<ProxyReport, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|reason| RunError::NoLoop { reason })?;
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let stop = Stop::listen(true)?;
        let proxy = Rc::new(Proxy {
            script: script.clone(),
            begun: Instant::now(),
            seed,
            n_connections: Cell::new(0),
            counts: Counts::default(),
        });
        let mut places: Vec<(SocketAddr, SocketAddr)> = Vec::new();
        for site in peers.sites() {
            let at = SocketAddr::new(site.ip(), 0);
            let cannot = |reason| RunError::CannotListen { at, what_for: "peers", reason };
            let listener = TcpListener::bind(at).await.map_err(cannot)?;
            places.push((site, listener.local_addr().map_err(cannot)?));
            tokio::task::spawn_local(accept(Rc::clone(&proxy), listener, site));
        }
        ready(&peers.moved(|_, site| {
            places.iter().find(|(known, _)| *known == site).map_or(site, |(_, at)| *at)
        }));
        let time_is_up = async {
            match duration {
                Some(duration) => tokio::time::sleep(duration).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = stop.told_more_than(0) => {}
            () = time_is_up => {}
        }
        let counts = &proxy.counts;
        Ok(ProxyReport {
            passed: counts.passed.get(),
            lost: counts.lost.get(),
            duplicated: counts.duplicated.get(),
            reordered: counts.reordered.get(),
            corrupted: counts.corrupted.get(),
            cut: counts.cut.get(),
        })
    })
}

struct Proxy {
    script: FaultScript,
    begun: Instant,
    seed: u64,
    n_connections: Cell<u64>,
    counts: Counts,
}

async fn accept(proxy: Rc<Proxy>, listener: TcpListener, site: SocketAddr) {
    loop {
        let Ok((from, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let number = proxy.n_connections.get();
        proxy.n_connections.set(number + 1);
        let proxy = Rc::clone(&proxy);
        tokio::task::spawn_local(async move {
            // A connection that breaks is made again by the one who dialled.
            let _ = connection(&proxy, from, site, number).await;
        });
    }
}

/// Hands one connection on.
async fn connection(
    proxy: &Proxy,
    mut from: TcpStream,
    site: SocketAddr,
    number: u64,
) -> std::io::Result<()> {
    let mut to = TcpStream::connect(site).await?;
    from.set_nodelay(true)?;
    to.set_nodelay(true)?;
    let hello = pass_handshake(&mut from, &mut to).await?;
    pass_handshake(&mut to, &mut from).await?;
    let names = hello.and_then(|bytes| postcard::from_bytes::<Hello>(bytes.get(6..)?).ok());
    let addresses = |names: &[String]| names.iter().map(|name| Address::new(name)).collect();
    let (senders, receivers): (Vec<Address>, Vec<Address>) =
        names.map_or_else(Default::default, |it| (addresses(&it.from), addresses(&it.to)));
    let held = Held::default();
    let (mut reader, _back) = from.into_split();
    let (mut back, mut writer) = to.into_split();
    let read = async {
        let mut random = Random::new(mix(proxy.seed).wrapping_add(number));
        let mut arriving = Arriving::new(u32::MAX as usize);
        loop {
            while let Ok(Some(frame)) = arriving.next() {
                let frame = Bytes::copy_from_slice(frame);
                proxy.weather(frame, &senders, &receivers, &held, &mut random);
            }
            while held.n.get() >= HELD_MAX {
                held.room.notified().await;
            }
            if arriving.read(&mut reader).await? == 0 {
                return std::io::Result::Ok(());
            }
        }
    };
    let write = async {
        let mut out = Vec::new();
        loop {
            held.next(proxy.begun, &mut out).await;
            writer.write_all(&out).await?;
            out.clear();
        }
    };
    let gone = async {
        // The receiver never says anything: whatever comes is its end.
        let mut byte = [0; 1];
        let _ = back.read(&mut byte).await;
        std::io::Result::Ok(())
    };
    tokio::select! {
        ended = read => ended,
        ended = write => ended,
        ended = gone => ended,
    }
}

/// Passes one frame on as it is and gives its content.
async fn pass_handshake(
    from: &mut TcpStream,
    to: &mut TcpStream,
) -> std::io::Result<Option<Vec<u8>>> {
    let mut length = [0; LENGTH];
    from.read_exact(&mut length).await?;
    let n = u32::from_le_bytes(length) as usize;
    if n > 1 << 20 {
        return Err(std::io::Error::other("not a handshake"));
    }
    let mut body = vec![0; n];
    from.read_exact(&mut body).await?;
    to.write_all(&length).await?;
    to.write_all(&body).await?;
    Ok(Some(body))
}

impl Proxy {
    /// The frame with one bit changed.
    fn corrupted(&self, frame: &Bytes, random: &mut Random) -> Bytes {
        add(&self.counts.corrupted);
        let mut bytes = frame.to_vec();
        if !bytes.is_empty() {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << random.below(8);
        }
        bytes.into()
    }

    /// Decides what becomes of a message.
    fn weather(
        &self,
        frame: Bytes,
        senders: &[Address],
        receivers: &[Address],
        held: &Held,
        random: &mut Random,
    ) {
        let now = self.begun.elapsed();
        let weather = self.script.at(now);
        let ends = ends(&frame).and_then(|(from, to)| {
            Some((*senders.get(from as usize)?, *receivers.get(to as usize)?))
        });
        if ends.is_some_and(|(from, to)| !weather.connects(from, to)) {
            return add(&self.counts.cut);
        }
        let Some(passage) = weather.pass(random) else { return add(&self.counts.lost) };
        let frame = match passage.is_corrupted {
            true => self.corrupted(&frame, random),
            false => frame,
        };
        if passage.copies.len() > 1 {
            add(&self.counts.duplicated);
        }
        for (delay, waits) in passage.copies {
            add(&self.counts.passed);
            if !waits {
                add(&self.counts.reordered);
            }
            held.put(now + delay, !waits, frame.clone());
        }
    }
}

/// Messages on their way, by when they arrive.
#[derive(Default)]
struct Held {
    heap: RefCell<BinaryHeap<Reverse<(Duration, u64, Bytes)>>>,
    n: Cell<usize>,
    n_put: Cell<u64>,
    /// When the last of those in order arrives.
    last: Cell<Duration>,
    news: Notify,
    room: Notify,
}

impl Held {
    fn put(&self, due: Duration, overtakes: bool, frame: Bytes) {
        let due = if overtakes {
            due
        } else {
            let due = due.max(self.last.get());
            self.last.set(due);
            due
        };
        self.n_put.set(self.n_put.get() + 1);
        self.heap.borrow_mut().push(Reverse((due, self.n_put.get(), frame)));
        self.n.set(self.n.get() + 1);
        self.news.notify_one();
    }

    /// Waits until something has arrived, and appends all that has.
    async fn next(&self, begun: Instant, out: &mut Vec<u8>) {
        loop {
            let now = begun.elapsed();
            while let Some(frame) = self.take(now) {
                out.extend_from_slice(&(frame.len() as u32).to_le_bytes());
                out.extend_from_slice(&frame);
            }
            if !out.is_empty() {
                self.room.notify_waiters();
                return;
            }
            let due = self.heap.borrow().peek().map(|Reverse((due, ..))| *due);
            match due {
                None => self.news.notified().await,
                Some(due) => {
                    let at = tokio::time::Instant::from_std(begun + due);
                    tokio::select! {
                        () = tokio::time::sleep_until(at) => {}
                        () = self.news.notified() => {}
                    }
                }
            }
        }
    }

    fn take(&self, now: Duration) -> Option<Bytes> {
        let mut heap = self.heap.borrow_mut();
        let Reverse((due, ..)) = heap.peek()?;
        if *due > now {
            return None;
        }
        self.n.set(self.n.get() - 1);
        heap.pop().map(|Reverse((_, _, frame))| frame)
    }
}
