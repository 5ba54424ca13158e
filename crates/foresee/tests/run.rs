//! `foresee run`: every built-in system in one process and as processes on loopback, and every kind of bad input.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use common::{Place, Said};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ports that nobody has at the moment, and that nobody is given for an outgoing connection. Tests that run at the same time draw differently.
fn free_ports(n: usize) -> Vec<u16> {
    static DRAWN: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let drawn = DRAWN.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    foresee::runtime::free_places(n, drawn).iter().map(std::net::SocketAddr::port).collect()
}

fn start(place: &Place, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foresee"));
    command.args(line.split_whitespace()).current_dir(place.path());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

fn end(child: Child) -> Said {
    Said::from(child.wait_with_output().expect("it ends"))
}

fn tell(child: &Child, signal: &str) {
    let told = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(told.expect("kill runs").success());
}

#[test]
fn every_built_in_system_runs_in_one_process() {
    let place = Place::new();
    for (line, operations, linearizable) in [
        ("ping", 0, "null"),
        ("ping clients=3 pings=50", 0, "null"),
        ("two-phase-commit rms=5", 0, "null"),
        ("single-copy-register clients=3", 6, "true"),
        ("paxos clients=1", 2, "true"),
    ] {
        let said = place.foresee(&format!("run {line} --format json"));
        said.expect(0, &[], &[]);
        let json = said.json();
        assert_eq!(json["verdict"], "holds", "{line}");
        assert_eq!(json["operations"], operations, "{line}");
        assert_eq!(json["linearizable"].to_string(), linearizable, "{line}");
        assert!(json["seconds"].as_f64().is_some_and(|it| it < 5.0), "{line}: it ends when quiet");
    }
    place.foresee("run paxos").expect(0, &["linearizable: yes", "messages"], &[]);
}

#[test]
fn the_fields_of_a_run_are_there() {
    let said =
        Place::new().foresee("run single-copy-register --clients 5 --duration 200ms --format json");
    let json = said.json();
    assert_eq!((json["command"].as_str(), said.code), (Some("run"), 0));
    for field in ["operations", "operations_per_second", "messages_per_operation", "cpu_seconds"] {
        assert!(json[field].as_f64().is_some_and(|it| it > 0.0), "{field}: {json}");
    }
    for field in ["p50", "p99", "p999", "max"] {
        assert!(json["latency_us"][field].as_f64().is_some_and(|it| it > 0.0), "{field}: {json}");
    }
    assert_eq!(json["linearizable"], true);
    assert_eq!(json["messages_per_operation"], 2.0);
}

#[test]
fn a_load_that_is_not_linearizable_is_a_violation() {
    let place = Place::new();
    let said = place.foresee("run single-copy-register servers=2 --clients 4 --duration 300ms");
    said.expect(1, &["linearizable: no", "which no order of the operations explains"], &[]);
    place.foresee("run paxos --clients 3").expect(2, &[], &["E0007", "`paxos` declares no load"]);
}

/// Every node a process of its own, clients together so that their history can be judged.
#[test]
fn every_built_in_system_runs_as_processes_on_loopback() {
    for (system, alone, clients) in [
        ("ping", &["server"][..], &["client1"][..]),
        ("two-phase-commit rms=2", &["manager", "rm1", "rm2"], &[]),
        ("single-copy-register", &["server1"], &["client1", "client2"]),
        ("paxos clients=1", &["server1", "server2", "server3"], &["client1"]),
    ] {
        let place = Place::new();
        let ports = free_ports(alone.len() + 1);
        let mut peers = "# who is where\n".to_owned();
        for (node, port) in alone.iter().zip(&ports) {
            peers += &format!("{node} 127.0.0.1:{port}\n");
        }
        for node in clients {
            peers += &format!("{node} 127.0.0.1:{} # together\n", ports[alone.len()]);
        }
        place.write("peers", &peers);
        let line = |node: &str| {
            format!("run {system} --node {node} --peers peers --duration 2500ms --format json")
        };
        // Clients first: the order of starting does not matter.
        let firsts = clients.first().into_iter().chain(alone);
        let started: Vec<_> = firsts.map(|node| (*node, start(&place, &line(node)))).collect();
        let mut sent = 0;
        for (node, child) in started {
            let said = end(child);
            said.expect(0, &[], &[]);
            let json = said.json();
            sent += json["messages_sent"].as_u64().expect("a number");
            if node == "client1" && system != "ping" {
                assert_eq!(json["linearizable"], true, "{system}: {json}");
                let n_done = json["operations"].as_u64().expect("a number");
                let n_all = 2 * clients.len() as u64;
                // A read that overtakes the news of a decision is not answered by these servers.
                let n_least = if system.starts_with("paxos") { n_all / 2 } else { n_all };
                assert!((n_least..=n_all).contains(&n_done), "{system}: {json}");
            }
        }
        assert!(sent >= 2, "{system}: {sent} messages in all");
    }
}

#[test]
fn a_load_over_tcp_is_judged() {
    let place = Place::new();
    let ports = free_ports(2);
    let mut peers = format!("server1 127.0.0.1:{}\n", ports[0]);
    for client in 1..=10 {
        peers += &format!("client{client} 127.0.0.1:{}\n", ports[1]);
    }
    place.write("peers", &peers);
    let line = "run single-copy-register --clients 10 --peers peers --format json --node";
    let server = start(&place, &format!("{line} server1"));
    let clients = end(start(&place, &format!("{line} client1 --duration 1s")));
    clients.expect(0, &[], &[]);
    let json = clients.json();
    assert_eq!(json["linearizable"], true, "{json}");
    assert!(json["operations"].as_u64().is_some_and(|it| it > 1000), "{json}");
    tell(&server, "-TERM");
    let server = end(server);
    server.expect(0, &[], &[]);
    assert_eq!(server.json()["operations"], 0, "a server has no clients");
}

#[test]
fn a_node_stops_when_it_is_told_to() {
    let place = Place::new();
    let ports = free_ports(3);
    place.write(
        "peers",
        &format!("server 127.0.0.1:{}\nclient1 127.0.0.1:{}\n", ports[0], ports[1]),
    );
    let metrics = format!("127.0.0.1:{}", ports[2]);
    let line = format!("run ping --node server --peers peers --metrics {metrics}");
    let server = start(&place, &line);
    let begun = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(&metrics) {
            Ok(stream) => break stream,
            Err(_) if begun.elapsed() < Duration::from_secs(10) => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) => panic!("metrics: {error}"),
        }
    };
    stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("answered");
    assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
    assert!(text.contains("\nforesee_messages_sent_total 0\n"), "{text}");
    let asked = Instant::now();
    tell(&server, "-TERM");
    end(server).expect(0, &["until it was told to stop"], &[]);
    assert!(asked.elapsed() < Duration::from_secs(5));
}

#[test]
fn bad_peers_files_are_explained() {
    let place = Place::new();
    let line = "run ping --peers peers --node";
    place.foresee(&format!("{line} server")).expect(2, &[], &["E0031", "cannot be read"]);
    place.write("peers", "server 127.0.0.1:7001\n");
    let said = place.foresee(&format!("{line} server"));
    said.expect(2, &[], &["E0031", "the peers file has no line for `client1`"]);
    place.write("peers", "server 127.0.0.1:7001\nclient1 127.0.0.1:7002\nserver 127.0.0.1:7003\n");
    let said = place.foresee(&format!("{line} server"));
    said.expect(2, &[], &["E0031", "peers:3", "`server` stands on line 1 already"]);
    place.write("peers", "server 127.0.0.1\n");
    place.foresee(&format!("{line} server")).expect(2, &[], &["E0031", "the port is missing"]);
    place.write("peers", "server 127.0.0.1:7001\nclient1 127.0.0.1:7002\n");
    let said = place.foresee(&format!("{line} servr"));
    said.expect(2, &[], &["E0005", "no node `servr`", "server, client1"]);
    place.foresee("run ping --node server").expect(2, &[], &["--peers"]);
    let said = place.foresee(&format!("{line} servr --format json"));
    assert_eq!((said.code, said.json()["verdict"].as_str()), (2, Some("error")));
}

#[test]
fn a_port_in_use_is_explained() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let at = taken.local_addr().expect("bound");
    place.write("peers", &format!("server {at}\nclient1 127.0.0.1:1\n"));
    let said = place.foresee("run ping --peers peers --node server");
    said.expect(2, &[], &["E0032", &format!("cannot listen on {at} for peers")]);
    place.foresee(&format!("run ping --metrics {at}")).expect(2, &[], &["E0032", "for metrics"]);
}

#[test]
fn a_peer_of_another_system_is_refused() {
    let place = Place::new();
    let ports = free_ports(2);
    // Both think that they run the same nodes, but their messages differ.
    place.write("one", &format!("server 127.0.0.1:{}\nclient1 127.0.0.1:{}\n", ports[0], ports[1]));
    place.write("other", &format!("manager 127.0.0.1:{}\nrm1 127.0.0.1:{}\n", ports[1], ports[0]));
    let server = start(&place, "run ping --peers one --node server --duration 5s");
    let other =
        end(start(&place, "run two-phase-commit rms=1 --peers other --node manager --duration 5s"));
    let server = end(server);
    // Whoever is refused first ends at once. The one that refused it may find nobody to talk to afterwards; then it
    // goes on, and its note says who was refused.
    let is_refused = |said: &Said| said.code == 2;
    assert!(is_refused(&server) || is_refused(&other), "{}\n{}", server.err, other.err);
    for said in [server, other] {
        assert!(said.err.contains("messages differ"), "{}", said.err);
        assert!(said.err.contains("two_phase_commit::Message"), "{}", said.err);
        match said.code {
            2 => said.expect(2, &[], &["E0033", "refuses to talk"]),
            _ => said.expect(0, &[], &["was refused"]),
        }
    }
}

#[test]
fn garbage_on_a_port_disturbs_nobody() {
    let place = Place::new();
    let ports = free_ports(2);
    place.write(
        "peers",
        &format!("server 127.0.0.1:{}\nclient1 127.0.0.1:{}\n", ports[0], ports[1]),
    );
    let line = |node| format!("run ping --peers peers --duration 3s --format json --node {node}");
    let server = start(&place, &line("server"));
    let at = format!("127.0.0.1:{}", ports[0]);
    let begun = Instant::now();
    let mut garbage = 0;
    for bytes in
        [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xFF; 64], &[6, 0, 0, 0, b'F', b'R', b'S', b'E', 9, 0]]
    {
        while begun.elapsed() < Duration::from_secs(2) {
            if let Ok(mut stream) = TcpStream::connect(&at) {
                let _ = stream.write_all(bytes);
                garbage += 1;
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    assert_eq!(garbage, 3);
    let client = end(start(&place, &line("client1")));
    client.expect(0, &[], &[]);
    assert!(
        client.json()["messages_received"].as_u64().is_some_and(|it| it >= 10),
        "{}",
        client.out
    );
    let server = end(server);
    server.expect(0, &["this is not our protocol", "protocol version 9"], &["was refused"]);
}

/// Short of what is measured, a recorded run is the run.
#[test]
fn a_recorded_run_is_stepped_again() {
    let place = Place::new();
    for system in ["ping clients=2", "two-phase-commit", "paxos", "single-copy-register clients=3"]
    {
        place.foresee(&format!("run {system} --record run.trace")).expect(0, &[], &[]);
        assert_eq!(place.files(), ["run.trace"], "the record itself is gone");
        let said = place.foresee("replay run.trace --format json");
        assert_eq!(said.code, 0, "{system}: {}{}", said.out, said.err);
        assert_eq!(said.json()["verdict"], "holds", "{system}");
    }
    place.write("mine", "dear diary");
    let said = place.foresee("run ping --record mine");
    said.expect(2, &[], &["E0015", "it was left alone"]);
}

#[test]
fn a_long_recorded_load_is_stepped_again() {
    let place = Place::new();
    let line = "run single-copy-register --clients 4 --duration 40ms --record run.trace";
    place.foresee(line).expect(0, &[], &[]);
    let n_events = place.read("run.trace").lines().count();
    assert!(n_events > 100, "{n_events}");
    place.foresee("replay run.trace --quiet").expect(0, &[], &[]);
}

#[test]
fn records_of_processes_are_merged() {
    let place = Place::new();
    let ports = free_ports(4);
    let mut peers = String::new();
    for (node, port) in ["server1", "server2", "server3", "client1"].iter().zip(&ports) {
        peers += &format!("{node} 127.0.0.1:{port}\n");
    }
    place.write("peers", &peers);
    let line = "run paxos clients=1 --peers peers --duration 2s --node";
    let nodes = ["server1", "server2", "server3", "client1"];
    let started = nodes.map(|node| start(&place, &format!("{line} {node} --record {node}.record")));
    for child in started {
        end(child).expect(0, &[], &[]);
    }
    let all = "server1.record server2.record server3.record client1.record";
    place.foresee(&format!("merge {all} -o run.trace")).expect(0, &["replay run.trace"], &[]);
    place.foresee("replay run.trace").expect(0, &["GetOk(2, A)"], &[]);
    let said = place.foresee("merge server1.record client1.record -o other.trace");
    said.expect(
        2,
        &[],
        &["E0035", "the run does not happen again", "does not send it the message"],
    );
    place.foresee("merge peers -o other.trace").expect(2, &[], &["E0035", "no record of a run"]);
    place.foresee("merge nothing -o other.trace").expect(2, &[], &["E0035", "cannot be read"]);
    place.foresee("run ping --record ping.trace").expect(0, &[], &[]);
    assert!(!place.has("other.trace"));
}

#[test]
fn histories_are_judged() {
    let place = Place::new();
    place.foresee("run single-copy-register --clients 5 --duration 100ms --history good").expect(
        0,
        &[],
        &[],
    );
    place.foresee("histories good --spec register").expect(0, &["linearizable: yes"], &[]);
    place
        .foresee("run single-copy-register servers=2 --clients 5 --duration 100ms --history bad")
        .expect(1, &[], &[]);
    let said = place.foresee("histories bad --spec register --format json");
    assert_eq!((said.code, said.json()["linearizable"].as_bool()), (1, Some(false)));
    place.foresee("histories good --spec kv").expect(2, &[], &["E0034", "good:2"]);

    let store = "foresee history 1\n1 a invoke PUT:k:1\n2 b invoke GET:k\n3 b return VALUE:1\n\
                 4 b invoke GET:other\n5 b return MISSING\n6 a lost\n7 a invoke APPEND:k:2\n8 a return APPENDED:12\n";
    place.write("store", store);
    let said = place.foresee("histories store --spec kv --format json");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert_eq!(
        (said.json()["operations"].as_u64(), said.json()["operations_unanswered"].as_u64()),
        (Some(4), Some(1))
    );
    place.write("store", &format!("{store}9 b invoke GET:k\n10 b return VALUE:1\n"));
    let said = place.foresee("histories store --spec kv");
    said.expect(
        1,
        &["b's Get { key: \"k\" } returned GetResult(\"1\")", "it could be GetResult(\"12\")"],
        &[],
    );

    for (text, message) in [
        ("", "the file is empty"),
        ("1 a invoke GET:k\n", "begins with the line"),
        ("foresee history 1\n1 a invoke FETCH:k\n", "no command of a key-value store"),
        ("foresee history 1\n2 a invoke GET:k\n1 a return MISSING\n", "this happened before"),
    ] {
        place.write("damaged", text);
        place.foresee("histories damaged --spec kv").expect(2, &[], &["E0034", message]);
    }
    place.foresee("histories absent --spec kv").expect(2, &[], &["E0034", "cannot be read"]);
    place.foresee("histories good").expect(2, &[], &["--spec"]);
    place.foresee("run ping --history ping").expect(2, &[], &["E0007", "has no words"]);
}

/// Pings are sent again until they are answered, so they survive everything that the proxy does.
#[test]
fn a_proxy_lets_things_go_wrong() {
    let place = Place::new();
    let ports = free_ports(2);
    place.write(
        "peers",
        &format!("server 127.0.0.1:{}\nclient1 127.0.0.1:{}\n", ports[0], ports[1]),
    );
    place.write("script", "loss 20%\nduplicate 20%\ndelay 1ms..5ms\nreorder 10%\nat 100ms partition server | client1\nat 2s heal\n");
    let proxy = start(&place, "proxy --peers peers --faults script --out through --seed 3");
    let begun = Instant::now();
    while !place.has("through") || place.read("through").lines().count() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(10), "the proxy listens");
        std::thread::sleep(Duration::from_millis(10));
    }
    let line =
        "run ping pings=50 --peers peers --through through --duration 5s --format json --node";
    let server = start(&place, &format!("{line} server"));
    let client = end(start(&place, &format!("{line} client1")));
    client.expect(0, &[], &[]);
    end(server).expect(0, &[], &[]);
    let sent = client.json()["messages_sent"].as_u64().expect("a number");
    assert!(sent > 50, "some were sent again: {sent}");
    tell(&proxy, "-TERM");
    let said = end(proxy);
    said.expect(0, &["passed", "seed 3"], &[]);
    let numbers: Vec<u64> =
        said.out.split([' ', ',', ';']).filter_map(|it| it.parse().ok()).collect();
    assert!(numbers[..2].iter().all(|n| *n > 0), "passed and lost: {}", said.out);

    place.write("script", "loss much\n");
    let said = place.foresee("proxy --peers peers --faults script --out through");
    said.expect(2, &[], &["E0036", "script:1", "write 5%"]);
    place.write("script", "partition server | stranger\n");
    let said = place.foresee("proxy --peers peers --faults script --out through");
    said.expect(2, &[], &["E0036", "`stranger` has no line"]);
}

#[test]
fn storage_that_cannot_be_used_is_explained() {
    let place = Place::new();
    place.write("file", "in the way");
    place.foresee("run ping --storage file").expect(
        2,
        &[],
        &["E0038", "the folder cannot be made"],
    );
    place.foresee("run ping --storage kept").expect(0, &[], &[]);
    place.write("kept/server.store", "not what it should be, and long enough to be read");
    place.foresee("run ping --storage kept").expect(
        2,
        &[],
        &["E0038", "no stable storage of a node"],
    );
}

#[test]
fn a_cluster_runs_to_its_end_and_says_who_ended_early() {
    let place = Place::new();
    let said =
        place.foresee("cluster single-copy-register --clients 2 --duration 500ms --folder one");
    said.expect(0, &["linearizable: yes", "0 kills, 0 restarts"], &[]);
    place.foresee("cluster single-copy-register --clients 2 --folder one").expect(
        2,
        &[],
        &["E0015", "not empty"],
    );
    // Without clients the last node runs to the end.
    let line = "cluster two-phase-commit rms=2 --duration 500ms --folder two";
    place.foresee(line).expect(0, &["until the time was up", "0 kills, 0 restarts"], &[]);
    let cluster =
        start(&place, "cluster single-copy-register --clients 2 --duration 60s --folder three");
    let begun = Instant::now();
    let server = loop {
        assert!(begun.elapsed() < Duration::from_secs(50), "its processes start");
        let path = format!("/proc/{0}/task/{0}/children", cluster.id());
        let children = std::fs::read_to_string(path).unwrap_or_default();
        let is_server = |pid: &&str| {
            let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.contains("--node\0server")
        };
        if let Some(pid) = children.split_whitespace().find(is_server) {
            break pid.to_owned();
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let killed = Command::new("kill").args(["-9", &server]).status();
    assert!(killed.expect("kill runs").success());
    end(cluster).expect(2, &[], &["E0039", "has ended by itself"]);
}

#[test]
fn datagrams_and_the_log_are_asked_for() {
    let place = Place::new();
    let ports = free_ports(2);
    place.write(
        "peers",
        &format!("server 127.0.0.1:{}\nclient1 127.0.0.1:{}\n", ports[0], ports[1]),
    );
    let line = "run ping --peers peers --udp --format json --node";
    let server = start(&place, &format!("{line} server --duration 4s"));
    let client = end(start(&place, &format!("{line} client1 --duration 3s --log trace")));
    client.expect(0, &[], &["connected", "message{from=server to=client1 kind=\"Pong\"}: Pong"]);
    assert!(client.json()["messages_received"].as_u64().is_some_and(|it| it >= 10));
    assert!(client.json()["datagrams_sent"].as_u64().is_some_and(|it| it >= 9), "{}", client.out);
    end(server).expect(0, &[], &[]);
    place.foresee("run ping --udp").expect(2, &[], &["--peers"]);
    let said = place.foresee("run ping --peers peers --node server --udp --through peers");
    said.expect(2, &[], &["cannot be used with"]);
}

/// For a binary with the feature; `cargo test -p foresee --features tls --test run`.
#[cfg(feature = "tls")]
#[test]
fn connections_are_secured_where_that_is_built_in() {
    let place = Place::new();
    let ports = free_ports(2);
    place.write(
        "peers",
        &format!("server 127.0.0.1:{}\nclient1 127.0.0.1:{}\n", ports[0], ports[1]),
    );
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/tests/certificates");
    let tls =
        |name: &str| format!("{folder}/{name}.pem,{folder}/{name}.key,{folder}/authority.pem");
    let line = "run ping --peers peers --duration 3s --format json --node";
    let server = start(&place, &format!("{line} server --tls {}", tls("here")));
    let client = end(start(&place, &format!("{line} client1 --tls {}", tls("here"))));
    client.expect(0, &[], &[]);
    assert!(client.json()["messages_received"].as_u64().is_some_and(|it| it >= 10));
    end(server).expect(0, &[], &[]);

    let server = start(&place, &format!("{line} server --tls {}", tls("here")));
    let client = end(start(&place, &format!("{line} client1 --tls {}", tls("stranger"))));
    // Each finds the other out; whoever does first ends, and the other may find nobody.
    let is_refused = |said: &Said| said.code == 2 && said.out.contains("E0033");
    let server = end(server);
    assert!(is_refused(&client) || is_refused(&server), "{}\n{}", client.out, server.out);
    assert!(
        [client, server].iter().all(|it| it.json()["messages_received"].as_u64().unwrap_or(0) == 0)
    );
    for (files, words) in [
        ("a.pem,b.key".to_owned(), "2 files were given where three are needed"),
        ("a.pem,b.key,c.pem".to_owned(), "a.pem"),
        (tls("here").replace("here.key", "elsewhere.key"), "here.pem"),
    ] {
        let said = place.foresee(&format!("run ping --peers peers --node server --tls {files}"));
        said.expect(2, &[], &["E0040", words]);
    }
}
