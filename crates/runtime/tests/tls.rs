//! Sites that talk by mutual TLS, and those that are not let in.

#![cfg(feature = "tls")]
#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

use foresee_node::{Address, Context, Deployment, Node};
use foresee_runtime::{Config, Peers, RunError, RunReport, Tls, run_site};
use serde::{Deserialize, Serialize};
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

/// Counts down with its friend.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
struct Player {
    friend: Address,
    starts: bool,
}

impl Node for Player {
    type Message = (u32, Vec<u8>);
    type Timer = ();
    fn init(&mut self, context: &mut Context<Self::Message, ()>) {
        if self.starts {
            context.send(self.friend, (20, vec![1; 20_000]));
        }
    }
    fn on_message(
        &mut self,
        from: Address,
        (n, ball): Self::Message,
        context: &mut Context<Self::Message, ()>,
    ) {
        if n > 0 {
            context.send(from, (n - 1, ball));
        }
    }
}

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "certificates", name].iter().collect()
}

fn tls(name: &str, authority: &str) -> Option<Tls> {
    let [certificate, key] = ["pem", "key"].map(|end| file(&format!("{name}.{end}")));
    Some(Tls::from_files(&certificate, &key, &file(authority)).expect("good files"))
}

/// What the sites of `a`, who starts, and `b` see when they have these certificates.
fn play(host: &str, a: Option<Tls>, b: Option<Tls>) -> [Result<RunReport, RunError>; 2] {
    let held = [0, 1].map(|_| TcpListener::bind((host, 0)).expect("a free port"));
    let at = held.each_ref().map(|it| it.local_addr().expect("bound").port());
    drop(held);
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    let peers = Peers::parse(&format!("a {host}:{}\nb {host}:{}\n", at[0], at[1])).expect("good");
    let site = |node: &str, tls: Option<Tls>| {
        let (peers, node) = (peers.clone(), Address::new(node));
        std::thread::spawn(move || {
            let mut deployment = Deployment::new("table tennis");
            deployment.add("a", Player { friend: "b".into(), starts: true });
            deployment.add("b", Player { friend: "a".into(), starts: false });
            let duration = Some(Duration::from_millis(3_000));
            let config = Config { tls, duration, listens_for_signals: false, ..Config::default() };
            run_site(&deployment, &peers, node, &config, None)
        })
    };
    [site("a", a), site("b", b)].map(|it| it.join().expect("no panic"))
}

#[test]
fn peers_with_certificates_of_one_authority_talk() {
    for host in ["127.0.0.1", "::1", "localhost"] {
        let own = || tls("here", "authority.pem");
        let [a, b] = play(host, own(), own()).map(|it| it.expect("it runs"));
        assert_eq!((a.messages_sent, b.messages_sent), (11, 10), "{host}: {:?}", a.notes);
        assert!(a.bytes_sent > 11 * 20_000);
    }
}

/// Nothing is handed over, and at least one side ends with the reason.
#[track_caller]
fn are_strangers(a: Option<Tls>, b: Option<Tls>) {
    let reports = play("127.0.0.1", a, b);
    let mut reasons = Vec::new();
    for report in reports {
        match report {
            Ok(report) => {
                assert_eq!(report.messages_received, 0, "{:?}", report.notes);
                reasons.extend(report.notes);
            }
            Err(RunError::Refused { reason, .. }) => reasons.push(format!("refused: {reason}")),
            Err(error) => panic!("{error}"),
        }
    }
    let is_told = |reason: &String| reason.starts_with("refused: ");
    assert!(reasons.iter().any(is_told), "{reasons:?}");
}

#[test]
fn strangers_are_not_let_in() {
    let own = || tls("here", "authority.pem");
    are_strangers(own(), tls("stranger", "authority.pem"));
    are_strangers(tls("stranger", "stranger-authority.pem"), own());
    are_strangers(own(), tls("elsewhere", "authority.pem"));
    are_strangers(own(), None);
    are_strangers(None, own());
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let of = |certificate: &str, key: &str, authority: &str| {
        let error = Tls::from_files(&file(certificate), &file(key), &file(authority)).unwrap_err();
        error.file.file_name().expect("a name").to_string_lossy().into_owned()
    };
    assert_eq!(of("absent.pem", "here.key", "authority.pem"), "absent.pem");
    assert_eq!(of("here.key", "here.key", "authority.pem"), "here.key");
    assert_eq!(of("here.pem", "here.pem", "authority.pem"), "here.pem");
    assert_eq!(of("here.pem", "elsewhere.key", "authority.pem"), "here.pem");
    assert_eq!(of("here.pem", "here.key", "README.md"), "README.md");
}
