//! The peer: the same exactly-once calls as Stateright's actors, spawned over UDP by its own runtime, with the encoding that ours use.
//! A client is a thread there, and nothing that was spawned can be stopped: when the time is up clients ask no more, and their threads wait
//! until this process ends.

use super::rpc::{Message, value};
use foresee::{Application, KeyValueCommand, KeyValueResult, KeyValueStore};
use stateright::actor::{Actor, Id, Out, spawn};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const RETRY: std::ops::Range<Duration> = Duration::from_millis(100)..Duration::from_millis(100);

/// How many calls so many closed-loop clients got answered.
pub(crate) fn measure(clients: usize, duration: Duration) -> f64 {
    let ids = free_ids(clients + 1);
    let score = Arc::new(Score::default());
    let server = ids[0];
    let client = |index: usize| Role::Client { server, index, score: Arc::clone(&score) };
    let roles = std::iter::once(Role::Server).chain((0..clients).map(client));
    let actors: Vec<(Id, Role)> = ids.into_iter().zip(roles).collect();
    std::thread::spawn(move || {
        spawn(
            |message: &Message| postcard::to_stdvec(message),
            |bytes| postcard::from_bytes(bytes),
            |(): &()| Ok(Vec::new()),
            |_| Ok(()),
            actors,
        )
    });
    std::thread::sleep(duration);
    score.is_over.store(true, Ordering::Relaxed);
    score.answered.load(Ordering::Relaxed) as f64
}

#[derive(Default)]
struct Score {
    answered: AtomicU64,
    is_over: AtomicBool,
}

enum Role {
    Server,
    Client { server: Id, index: usize, score: Arc<Score> },
}

#[derive(Clone, Debug, Hash, PartialEq)]
enum State {
    Server { store: KeyValueStore, answered: BTreeMap<Id, (u64, KeyValueResult)> },
    Client { call: u64 },
}

impl Actor for Role {
    type Msg = Message;
    type Timer = ();
    type State = State;
    type Storage = ();
    type Random = ();

    fn on_start(&self, _id: Id, _storage: &Option<()>, out: &mut Out<Self>) -> State {
        match self {
            Role::Server => State::Server { store: Default::default(), answered: BTreeMap::new() },
            Role::Client { server, index, .. } => {
                ask(*server, *index, 0, out);
                State::Client { call: 0 }
            }
        }
    }

    fn on_msg(
        &self,
        _id: Id,
        state: &mut Cow<'_, State>,
        from: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        match (self, state.to_mut(), message) {
            (_, State::Server { store, answered }, Message::Request { call, command }) => {
                let result = match answered.get(&from) {
                    Some((last, _)) if call < *last => return,
                    Some((last, result)) if call == *last => result.clone(),
                    _ => {
                        let result = store.execute(&command);
                        answered.insert(from, (call, result.clone()));
                        result
                    }
                };
                out.send(from, Message::Reply { call, result });
            }
            (
                Role::Client { server, index, score },
                State::Client { call: open },
                Message::Reply { call, .. },
            ) if call == *open => {
                out.cancel_timer(());
                score.answered.fetch_add(1, Ordering::Relaxed);
                if !score.is_over.load(Ordering::Relaxed) {
                    *open += 1;
                    ask(*server, *index, *open, out);
                }
            }
            _ => {}
        }
    }

    fn on_timeout(&self, _id: Id, state: &mut Cow<'_, State>, _timer: &(), out: &mut Out<Self>) {
        if let (Role::Client { server, index, .. }, State::Client { call }) = (self, &**state) {
            ask(*server, *index, *call, out);
        }
    }
}

/// The commands of the example's own load.
fn ask(server: Id, index: usize, call: u64, out: &mut Out<Role>) {
    let key = match call % 16 {
        0 => format!("shared{:02}", call / 16 % 10),
        _ => format!("k{:04}{:03}", index % 10_000, call % 10),
    };
    let command = match call % 16 {
        15 => KeyValueCommand::get(key),
        _ => KeyValueCommand::put(key, value(index as u64, call)),
    };
    out.send(server, Message::Request { call, command });
    out.set_timer((), RETRY);
}

fn free_ids(n: usize) -> Vec<Id> {
    let held: Vec<UdpSocket> =
        (0..n).map(|_| UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port")).collect();
    let port = |socket: &UdpSocket| socket.local_addr().expect("bound").port();
    held.iter().map(|it| Id::from(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port(it)))).collect()
}
