//! Sites of one run in threads of this process: what happens to messages, whatever happens to connections.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

use foresee_node::{Address, Context, Deployment, Node};
use foresee_runtime::{
    Config, Ended, FaultScript, Peers, RunError, RunReport, WhenFull, run_here, run_proxy, run_site,
};
use serde::{Deserialize, Serialize};
use std::net::TcpListener;
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Message {
    Ask(u32),
    Answer(u32),
    Large(Vec<u8>),
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Server {
    panics_at: Option<u32>,
}

impl Node for Server {
    type Message = Message;
    type Timer = ();
    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        if let Message::Ask(n) = message {
            assert!(self.panics_at != Some(n), "the server cannot count to {n}");
            context.send(from, Message::Answer(n));
        }
    }
}

/// Asks `n` times, one after another or all at once.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Client {
    server: Address,
    n: u32,
    at_once: bool,
    size: usize,
}

impl Node for Client {
    type Message = Message;
    type Timer = ();
    fn init(&mut self, context: &mut Context<Message, ()>) {
        if self.size > 0 {
            context.send(self.server, Message::Large(vec![0; self.size]));
        }
        let first = if self.at_once { self.n } else { 1 };
        (1..=first).for_each(|n| self.ask(n, context));
    }
    fn on_message(&mut self, _from: Address, message: Message, context: &mut Context<Message, ()>) {
        let Message::Answer(n) = message else { return };
        context.returned(n);
        if !self.at_once && n < self.n {
            self.ask(n + 1, context);
        }
    }
}

impl Client {
    fn ask(&self, n: u32, context: &mut Context<Message, ()>) {
        context.invoked(n);
        context.send(self.server, Message::Ask(n));
    }
}

fn deployment(client: Client, panics_at: Option<u32>) -> Deployment<Message> {
    let mut deployment = Deployment::new("asking");
    deployment.add("server", Server { panics_at });
    deployment.add_client("client", client);
    deployment
}

fn client(n: u32) -> Client {
    Client { server: Address::new("server"), n, at_once: false, size: 0 }
}

fn peers(host: &str) -> Peers {
    peers_in_order(host, true)
}

/// Who has the smaller place decides by which of two connections messages go.
fn peers_in_order(host: &str, server_is_smaller: bool) -> Peers {
    let held: Vec<_> = (0..2).map(|_| TcpListener::bind((host, 0)).expect("a free port")).collect();
    let mut at: Vec<_> = held.iter().map(|it| it.local_addr().expect("bound")).collect();
    at.sort();
    if !server_is_smaller {
        at.reverse();
    }
    Peers::parse(&format!("server {}\nclient {}\n", at[0], at[1])).expect("a good file")
}

fn config(ms: u64) -> Config {
    let duration = Some(Duration::from_millis(ms));
    Config { duration, listens_for_signals: false, ..Config::default() }
}

fn site(
    node: &str,
    peers: &Peers,
    config: Config,
    client: Client,
    panics_at: Option<u32>,
) -> JoinHandle<Result<RunReport, RunError>> {
    let (node, peers) = (Address::new(node), peers.clone());
    spawn(move || run_site(&deployment(client, panics_at), &peers, node, &config, None))
}

#[test]
fn answers_come_back_whoever_starts_first_and_over_ipv6_too() {
    for (host, server_is_smaller) in [("127.0.0.1", true), ("127.0.0.1", false), ("::1", true)] {
        for server_first in [true, false] {
            let peers = peers_in_order(host, server_is_smaller);
            let start = |node: &str| site(node, &peers, config(1500), client(500), None);
            let order = if server_first { ["server", "client"] } else { ["client", "server"] };
            let first = start(order[0]);
            sleep(Duration::from_millis(200));
            let reports = [first, start(order[1])].map(|it| it.join().unwrap().unwrap());
            let client = reports.iter().find(|it| it.members[0].is_client).unwrap();
            assert_eq!((client.operations, client.ended), (500, Ended::Duration), "{host}");
            assert_eq!((client.messages_sent, client.messages_received), (500, 500));
            assert_eq!(client.history.len(), 1000);
        }
    }
}

#[test]
fn a_server_that_comes_back_is_found_again() {
    for server_is_smaller in [true, false] {
        let peers = peers_in_order("127.0.0.1", server_is_smaller);
        let asking = site("client", &peers, config(3000), client(1_000_000_000), None);
        let first = site("server", &peers, config(700), client(0), None).join().unwrap().unwrap();
        assert!(first.messages_received > 10);
        // The client waits for an answer that was lost with the server; what it sends next is what a new connection would carry.
        let second = site("server", &peers, config(1000), client(0), None).join().unwrap();
        assert!(second.is_ok(), "the port is free again");
        let client = asking.join().unwrap().unwrap();
        assert!(client.operations > 10);
    }
}

#[test]
fn a_client_that_comes_back_goes_on() {
    for server_is_smaller in [true, false] {
        let peers = peers_in_order("127.0.0.1", server_is_smaller);
        let server = site("server", &peers, config(3500), client(0), None);
        for _ in 0..3 {
            let asked = site("client", &peers, config(900), client(200), None).join().unwrap();
            assert_eq!(asked.unwrap().operations, 200, "{server_is_smaller}");
        }
        assert_eq!(server.join().unwrap().unwrap().messages_received, 600);
    }
}

/// Only one of the two has a proxy before it: each direction then has a connection of its own.
#[test]
fn one_side_may_dial_somebody_between() {
    for server_is_smaller in [true, false] {
        for node in ["server", "client"] {
            let peers = peers_in_order("127.0.0.1", server_is_smaller);
            let (tell, told) = std::sync::mpsc::channel();
            let proxied = peers.clone();
            let proxy = spawn(move || {
                let duration = Some(Duration::from_millis(2200));
                let ready = &mut |through: &Peers| tell.send(through.clone()).expect("awaited");
                run_proxy(&proxied, &FaultScript::default(), 0, duration, ready)
            });
            let through = told.recv().unwrap();
            let config =
                |name| Config { through: (name == node).then(|| through.clone()), ..config(1500) };
            let server = site("server", &peers, config("server"), client(300), None);
            let asked = site("client", &peers, config("client"), client(300), None);
            let asked = asked.join().unwrap().unwrap();
            assert_eq!(asked.operations, 300, "{node} {server_is_smaller}");
            assert_eq!(server.join().unwrap().unwrap().messages_received, 300);
            assert_eq!(proxy.join().unwrap().unwrap().passed, 300, "one direction");
        }
    }
}

#[test]
fn a_full_queue_loses_the_newest_and_counts() {
    // Nobody is there to take the messages.
    let peers = peers("127.0.0.1");
    let small = Config { messages_max: 10, ..config(300) };
    let all = Client { at_once: true, ..client(100) };
    let report = site("client", &peers, small, all.clone(), None).join().unwrap().unwrap();
    assert_eq!((report.messages_sent, report.messages_lost), (100, 100), "90 full, 10 unsent");
    assert!(report.notes.iter().any(|note| note.starts_with("10 messages")), "{:?}", report.notes);

    let bytes = Config { bytes_max: 100, ..config(300) };
    let report = site("client", &peers, bytes, all, None).join().unwrap().unwrap();
    let unsent: u64 = report.notes[0].split(' ').next().unwrap().parse().unwrap();
    assert!((8..=12).contains(&unsent), "100 bytes hold about ten frames: {unsent}");
}

#[test]
fn waiting_for_room_loses_nothing() {
    let peers = peers("127.0.0.1");
    let waits = Config { messages_max: 10, when_full: WhenFull::Wait, ..config(1500) };
    let all = Client { at_once: true, ..client(5000) };
    let server = site("server", &peers, waits.clone(), all.clone(), None);
    let client = site("client", &peers, waits, all, None).join().unwrap().unwrap();
    let server = server.join().unwrap().unwrap();
    assert_eq!((server.messages_received, server.messages_lost), (5000, 0));
    assert_eq!((client.messages_received, client.messages_lost), (5000, 0));
}

#[test]
fn a_message_over_the_limit_is_lost_and_the_rest_arrives() {
    let peers = peers("127.0.0.1");
    let small = Config { frame_max: 1000, ..config(1200) };
    let large = Client { size: 1001, ..client(5) };
    let server = site("server", &peers, small.clone(), large.clone(), None);
    let client =
        site("client", &peers, small.clone(), large.clone(), None).join().unwrap().unwrap();
    assert_eq!((client.operations, client.messages_lost), (5, 1));
    assert!(server.join().unwrap().is_ok());

    // One side allows it, the other does not: the connection is closed, and the note says why.
    let peers = self::peers("127.0.0.1");
    let server = site("server", &peers, small, large.clone(), None);
    let client = site("client", &peers, config(1200), large, None).join().unwrap().unwrap();
    let server = server.join().unwrap().unwrap();
    assert!(server.notes[0].contains("over the limit of 1000 bytes"), "{:?}", server.notes);
    assert_eq!(client.operations, 0, "what was behind it on the connection is lost");
}

#[test]
fn a_panic_is_contained_and_reported() {
    let mut deployment = deployment(client(5), Some(3));
    deployment.add_client("other", Client { server: Address::new("client"), ..client(1) });
    let report = run_here(&deployment, &config(500), None).unwrap();
    assert_eq!(report.ended, Ended::Quiet);
    assert_eq!(report.operations, 2);
    let (node, message) = &report.failures[0];
    assert_eq!(node.name(), "server");
    assert!(message.contains("the server cannot count to 3"), "{message}");
}

#[test]
fn a_panic_in_one_process_is_reported_by_that_process() {
    let peers = peers("127.0.0.1");
    let server = site("server", &peers, config(800), client(5), Some(2));
    let client = site("client", &peers, config(800), client(5), None).join().unwrap().unwrap();
    let server = server.join().unwrap().unwrap();
    assert_eq!((server.failures.len(), client.failures.len(), client.operations), (1, 0, 1));
}

#[test]
fn what_fits_goes_by_datagram_and_the_rest_by_tcp() {
    for host in ["127.0.0.1", "::1"] {
        let peers = peers(host);
        let udp = |ms| Config { udp: true, ..config(ms) };
        let large = Client { size: 5_000, ..client(500) };
        let server = site("server", &peers, udp(2_500), large.clone(), None);
        let client = site("client", &peers, udp(2_000), large, None).join().unwrap().unwrap();
        let server = server.join().unwrap().unwrap();
        assert_eq!((client.operations, client.messages_lost), (500, 0), "{host}");
        assert_eq!(server.messages_received, 501, "the large one too");
        // The first may leave before the connection stands.
        assert!((499..=500).contains(&client.datagrams_sent), "{}", client.datagrams_sent);
        assert!((499..=500).contains(&server.datagrams_sent), "{}", server.datagrams_sent);
    }
}

#[test]
fn a_datagram_of_a_stranger_is_counted_and_nothing_else() {
    let peers = peers("127.0.0.1");
    let udp = |ms| Config { udp: true, ..config(ms) };
    let server = site("server", &peers, udp(2_000), client(0), None);
    sleep(Duration::from_millis(100));
    let stranger = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    for bytes in [&b""[..], b"hello", &[0; 64], &[7; 2_000]] {
        let _ = stranger.send_to(bytes, peers.sites()[0]);
    }
    let client = site("client", &peers, udp(1_500), client(50), None).join().unwrap().unwrap();
    let server = server.join().unwrap().unwrap();
    assert_eq!((client.operations, server.messages_received), (50, 50), "{:?}", server.notes);
}

/// A process that stands still, as one that was stopped or a machine that was asleep, finds that its clock has jumped. What was due meanwhile
/// comes before the messages that have waited: a lease that is over is over.
#[test]
fn what_was_due_while_a_process_stood_still_comes_before_what_waited() {
    let deployment = || {
        let mut deployment = Deployment::new("sleeping");
        deployment.add("server", Sleeper { lease: None, is_over: false, used: 0 });
        deployment.add_client("client", Client { at_once: true, ..client(20) });
        deployment
    };
    let peers = peers("127.0.0.1");
    let start = |node: &str, ms| {
        let (deployment, peers, node) = (deployment(), peers.clone(), Address::new(node));
        spawn(move || run_site(&deployment, &peers, node, &config(ms), None).expect("it runs"))
    };
    let server = start("server", 1800);
    let asked = start("client", 1500).join().unwrap();
    let server = server.join().unwrap();
    assert_eq!((asked.messages_received, server.timers_fired), (20, 1), "{:?}", server.failures);
}

/// Its first handler takes so long that the lease which it has set is over for all that come after.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Sleeper {
    lease: Option<u32>,
    is_over: bool,
    used: u32,
}

impl Node for Sleeper {
    type Message = Message;
    type Timer = u32;
    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, u32>) {
        let Message::Ask(n) = message else { return };
        match self.lease {
            None => {
                self.lease = Some(n);
                context.set_timer(n, Duration::from_millis(20));
                self.used += 1;
            }
            // The timer counts from the end of the handler that set it; the one after that stands still.
            Some(_) if self.used == 1 => {
                sleep(Duration::from_millis(100));
                self.used += 1;
            }
            Some(_) => assert!(self.is_over, "a lease is used after its end, at {n}"),
        }
        context.send(from, Message::Answer(n));
    }
    fn on_timer(&mut self, timer: u32, _context: &mut Context<Message, u32>) {
        self.is_over = self.lease == Some(timer);
    }
}

/// One span for each message that is delivered, around all that its handler does.
#[test]
fn every_delivery_is_a_span() {
    let log = Log::default();
    let report = tracing::subscriber::with_default(log.clone(), || {
        run_here(&deployment(client(3), None), &config(500), None).unwrap()
    });
    assert_eq!(report.operations, 3);
    let lines = log.lines.lock().unwrap();
    let spans: Vec<&str> =
        lines.iter().map(String::as_str).filter(|it| it.starts_with("message")).collect();
    assert_eq!(spans.len(), 6, "{lines:?}");
    assert_eq!(spans[0], "message from=client to=server kind=\"Ask\"");
    assert_eq!(spans[1], "message from=server to=client kind=\"Answer\"");
    assert!(lines.iter().any(|it| it == "in message: Ask(2)"), "{lines:?}");
}

/// Writes down spans and events.
#[derive(Clone, Default)]
struct Log {
    lines: std::sync::Arc<std::sync::Mutex<Vec<String>>>,
    names: std::sync::Arc<std::sync::Mutex<Vec<&'static str>>>,
    inside: std::sync::Arc<std::sync::Mutex<Vec<u64>>>,
}

/// Fields as text.
struct Fields(String);

impl tracing::field::Visit for Fields {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        self.0 += &match field.name() {
            "message" => format!("{value:?}"),
            name => format!(" {name}={value:?}"),
        };
    }
}

impl tracing::Subscriber for Log {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        let mut fields = Fields(span.metadata().name().to_owned());
        span.record(&mut fields);
        self.lines.lock().unwrap().push(fields.0);
        let mut names = self.names.lock().unwrap();
        names.push(span.metadata().name());
        tracing::span::Id::from_u64(names.len() as u64)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        let inside = self.inside.lock().unwrap().last().copied();
        let name = inside.map_or("nothing", |id| self.names.lock().unwrap()[id as usize - 1]);
        self.lines.lock().unwrap().push(format!("in {name}: {}", fields.0));
    }
    fn enter(&self, span: &tracing::span::Id) {
        self.inside.lock().unwrap().push(span.into_u64());
    }
    fn exit(&self, _: &tracing::span::Id) {
        self.inside.lock().unwrap().pop();
    }
}
