//! Hosts: the nodes of one process, as a machine without clock, wires or threads.
//! Whoever has those drives a host: it starts members, hands in bytes that have arrived and timers that are due, lets messages
//! between members be delivered, and takes what leaves the process through a [`Wire`].
//! Why so: the same machine runs under an event loop on sockets, in one process, and in a replay that has no time at all.
//! Invariant: messages from one member to another are delivered in the order of sending. A member that has panicked is left
//! alone from then on; the others go on.

use crate::actor::{Actor, Described, Outlet};
use crate::deployment::Member;
use crate::{Address, Data, Stored, Value, Write};
use foresee_stdx::{StableHasher, stable_hash};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::BuildHasherDefault;
use std::time::Duration;

/// What happens to a member, told before it happens.
pub enum Cause<'a> {
    Start,
    /// It comes back, and finds this on its stable storage.
    Restart {
        stored: &'a Stored,
    },
    Message {
        from: Address,
        message: &'a dyn Described,
    },
    Timer {
        timer: &'a dyn Described,
    },
    /// Its oldest sync under way is done.
    Synced,
}

/// What is outside of a host. Members are named by their position in the host.
pub trait Wire {
    /// Whether [`Wire::begins`] wants to be told.
    fn watches(&self) -> bool {
        false
    }
    /// A handler of `member` is about to run.
    fn begins(&mut self, member: u32, cause: Cause<'_>) {
        let _ = (member, cause);
    }
    /// The handler has run; `has_changed` is known only to hosts that were asked to watch.
    fn ends(&mut self, member: u32, has_changed: bool) {
        let _ = (member, has_changed);
    }
    /// A message to a node of another process; `encode` appends its bytes.
    fn send(&mut self, from: u32, to: Address, encode: &dyn Fn(&mut Vec<u8>));
    /// Whether messages between members are handed to [`Wire::send`], too, as those to nodes of other processes are.
    fn carries(&self) -> bool {
        false
    }
    /// A message to a member of this host; `false` loses it.
    fn keeps(&mut self, from: u32, to: u32, n_waiting: usize) -> bool {
        let _ = (from, to, n_waiting);
        true
    }
    fn set_timer(&mut self, member: u32, ticket: u64, min: Duration, max: Duration);
    fn invoked(&mut self, member: u32, operation: Value);
    fn returned(&mut self, member: u32, result: Value);
    /// Something for the member's stable storage. By default it is forgotten.
    fn write(&mut self, member: u32, write: Write) {
        let _ = (member, write);
    }
    /// Everything that the member has written is to be made durable; `false` if that takes time, and then [`Host::synced`] is
    /// to be called when it is done, once for each time.
    fn sync(&mut self, member: u32) -> bool {
        let _ = member;
        true
    }
    /// A handler of `member` has panicked; nothing more happens to it.
    fn broken(&mut self, member: u32, message: String);
}

/// Bytes that are no message of this system.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NotAMessage {
    pub reason: String,
}

impl fmt::Display for NotAMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "these bytes are no message of the system: {}", self.reason)
    }
}

impl std::error::Error for NotAMessage {}

/// The nodes of one process, their message type forgotten.
pub trait Host: Send {
    fn members(&self) -> &[Member];

    /// Runs a member's `init`; one that has crashed begins as new, without what its stable storage held.
    fn start(&mut self, member: u32, wire: &mut dyn Wire);

    /// Hands a member the bytes of a message from a node of another process.
    fn receive(
        &mut self,
        member: u32,
        from: Address,
        bytes: &[u8],
        wire: &mut dyn Wire,
    ) -> Result<(), NotAMessage>;

    /// Fires a timer; `false` if it was cancelled.
    fn fire(&mut self, member: u32, ticket: u64, wire: &mut dyn Wire) -> bool;

    /// Delivers at most `n_max` messages between members and says how many were.
    fn turn(&mut self, n_max: usize, wire: &mut dyn Wire) -> usize;

    /// Delivers one message: the first with this hash that waits from `from` to `to`, or one that was delivered before if
    /// `again`. `false` if there is none. Only for hosts that were asked to watch.
    fn deliver(
        &mut self,
        from: Address,
        to: u32,
        hash: u64,
        again: bool,
        wire: &mut dyn Wire,
    ) -> bool;

    /// The ticket of the first timer with this hash that a member has pending.
    fn timer_with(&self, member: u32, hash: u64) -> Option<u64>;

    /// How many messages between members wait.
    fn n_waiting(&self) -> usize;

    /// How many timers are pending, of all members.
    fn n_timers(&self) -> usize;

    /// Whether a member runs: it was started, has not crashed and has not panicked.
    fn is_up(&self, member: u32) -> bool;

    /// Crashes a member: its memory is lost, with its timers, what it holds back and, if `loses_inbox`, what waits for it.
    fn crash(&mut self, member: u32, loses_inbox: bool, wire: &mut dyn Wire);

    /// Starts a crashed member again, or one that ran in another process before, with what its stable storage holds.
    fn restart(&mut self, member: u32, stored: &Stored, wire: &mut dyn Wire);

    /// A member's oldest sync under way is done: what waited for it leaves. `false` if it has none.
    fn synced(&mut self, member: u32, wire: &mut dyn Wire) -> bool;

    /// How many syncs of a member are under way.
    fn n_syncs(&self, member: u32) -> usize;

    /// Asks for [`Wire::ends`] to say whether states change, and for messages to be found by their hash; slower. To be called
    /// before anything is sent.
    fn watch(&mut self);

    /// A member's state as `Debug` writes it.
    fn state_text(&self, member: u32) -> String;
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Status {
    New,
    Up,
    Down,
    Broken,
}

struct Seat<M> {
    actor: Box<dyn Actor<M>>,
    status: Status,
    /// Messages that wait for it.
    n_waiting: usize,
}

/// A host of nodes with messages `M`.
pub(crate) struct Hosted<M: Data> {
    members: Vec<Member>,
    seats: Vec<Seat<M>>,
    places: Places,
    queue: VecDeque<Waiting<M>>,
    /// Where messages wait in the place of the queue if they are to be found by their hash.
    filed: Option<Filed<M>>,
}

/// Messages by sender, receiver and hash: how many wait. One that was delivered is kept, because it may come again.
type Filed<M> = HashMap<(u32, u32, u64), (M, usize)>;

struct Waiting<M> {
    from: u32,
    to: u32,
    message: M,
}

/// Members by the address of their name's one allocation: a name is never hashed for a message.
type Places = HashMap<usize, u32, BuildHasherDefault<StableHasher>>;

fn key(address: Address) -> usize {
    address.name().as_ptr() as usize
}

impl<M: Data> Hosted<M> {
    pub(crate) fn new(actors: Vec<(Member, Box<dyn Actor<M>>)>) -> Self {
        let (members, actors): (Vec<Member>, Vec<_>) = actors.into_iter().unzip();
        let places = members.iter().zip(0..).map(|(member, i)| (key(member.address), i)).collect();
        let seat = |actor| Seat { actor, status: Status::New, n_waiting: 0 };
        let seats = actors.into_iter().map(seat).collect();
        Hosted { members, seats, places, queue: VecDeque::new(), filed: None }
    }

    fn run(
        &mut self,
        member: u32,
        wire: &mut dyn Wire,
        handler: impl FnOnce(&mut dyn Actor<M>, &mut Exit<'_, M>) -> Result<(), String>,
    ) {
        let (before, rest) = self.seats.split_at_mut(member as usize);
        let (seat, after) = rest.split_first_mut().expect("a member of this host");
        let mut n_own = seat.n_waiting;
        let mut exit = Exit {
            member,
            places: &self.places,
            queue: &mut self.queue,
            filed: self.filed.as_mut(),
            before,
            after,
            n_own: &mut n_own,
            wire,
        };
        let result = handler(&mut *seat.actor, &mut exit);
        seat.n_waiting = n_own;
        match result {
            Ok(()) => wire.ends(member, seat.actor.has_changed()),
            Err(panic) => {
                seat.status = Status::Broken;
                wire.broken(member, panic);
            }
        }
    }

    fn hand(&mut self, waiting: Waiting<M>, wire: &mut dyn Wire) {
        let Waiting { from, to, message } = waiting;
        let seat = &mut self.seats[to as usize];
        seat.n_waiting -= 1;
        if seat.status != Status::Up {
            return;
        }
        let from = self.members[from as usize].address;
        self.message(to, from, message, wire);
    }

    fn message(&mut self, to: u32, from: Address, message: M, wire: &mut dyn Wire) {
        if wire.watches() {
            wire.begins(to, Cause::Message { from, message: &message });
        }
        self.run(to, wire, |actor, exit| actor.message(from, message, exit));
    }
}

/// Where what one handler asks for goes: to a member's queue, or out.
struct Exit<'a, M> {
    member: u32,
    places: &'a Places,
    queue: &'a mut VecDeque<Waiting<M>>,
    filed: Option<&'a mut Filed<M>>,
    before: &'a mut [Seat<M>],
    after: &'a mut [Seat<M>],
    n_own: &'a mut usize,
    wire: &'a mut dyn Wire,
}

impl<M: Data> Outlet<M> for Exit<'_, M> {
    fn send(&mut self, to: Address, message: M) {
        let place = self.places.get(&key(to)).filter(|_| !self.wire.carries());
        let Some(&to) = place else {
            let encode = |bytes: &mut Vec<u8>| encode(&message, bytes);
            return self.wire.send(self.member, to, &encode);
        };
        let n_before = self.before.len();
        let n_waiting = match to as usize {
            place if place < n_before => &mut self.before[place].n_waiting,
            place if place == n_before => &mut *self.n_own,
            place => &mut self.after[place - n_before - 1].n_waiting,
        };
        if self.wire.keeps(self.member, to, *n_waiting) {
            *n_waiting += 1;
            match &mut self.filed {
                None => self.queue.push_back(Waiting { from: self.member, to, message }),
                Some(filed) => {
                    let key = (self.member, to, stable_hash(&message));
                    filed.entry(key).or_insert((message, 0)).1 += 1;
                }
            }
        }
    }

    fn set_timer(&mut self, ticket: u64, min: Duration, max: Duration) {
        self.wire.set_timer(self.member, ticket, min, max);
    }

    fn invoked(&mut self, operation: Value) {
        self.wire.invoked(self.member, operation);
    }

    fn returned(&mut self, result: Value) {
        self.wire.returned(self.member, result);
    }

    fn write(&mut self, write: Write) {
        self.wire.write(self.member, write);
    }

    fn sync(&mut self) -> bool {
        self.wire.sync(self.member)
    }
}

/// Appends the bytes of a message.
fn encode<M: Data>(message: &M, bytes: &mut Vec<u8>) {
    let taken = std::mem::take(bytes);
    *bytes = postcard::to_extend(message, taken)
        .unwrap_or_else(|error| panic!("a message cannot be written down ({error}): {message:?}"));
}

impl<M: Data> Host for Hosted<M> {
    fn members(&self) -> &[Member] {
        &self.members
    }

    fn start(&mut self, member: u32, wire: &mut dyn Wire) {
        let seat = &mut self.seats[member as usize];
        assert!(
            matches!(seat.status, Status::New | Status::Down),
            "a node that runs starts no more"
        );
        if seat.status == Status::Down {
            seat.actor.renew();
        }
        seat.status = Status::Up;
        if wire.watches() {
            wire.begins(member, Cause::Start);
        }
        self.run(member, wire, |actor, exit| actor.init(exit));
    }

    fn receive(
        &mut self,
        member: u32,
        from: Address,
        bytes: &[u8],
        wire: &mut dyn Wire,
    ) -> Result<(), NotAMessage> {
        let message = match postcard::take_from_bytes::<M>(bytes) {
            Ok((message, [])) => message,
            Ok((_, rest)) => {
                return Err(NotAMessage { reason: format!("{} bytes are left over", rest.len()) });
            }
            Err(error) => return Err(NotAMessage { reason: error.to_string() }),
        };
        if self.seats[member as usize].status == Status::Up {
            self.message(member, from, message, wire);
        }
        Ok(())
    }

    fn fire(&mut self, member: u32, ticket: u64, wire: &mut dyn Wire) -> bool {
        let seat = &self.seats[member as usize];
        if seat.status != Status::Up {
            return false;
        }
        let Some(timer) = seat.actor.pending(ticket) else { return false };
        if wire.watches() {
            wire.begins(member, Cause::Timer { timer });
        }
        self.run(member, wire, |actor, exit| actor.timer(ticket, exit));
        true
    }

    fn turn(&mut self, n_max: usize, wire: &mut dyn Wire) -> usize {
        for n in 0..n_max {
            let Some(waiting) = self.queue.pop_front() else { return n };
            self.hand(waiting, wire);
        }
        n_max
    }

    fn deliver(
        &mut self,
        from: Address,
        to: u32,
        hash: u64,
        again: bool,
        wire: &mut dyn Wire,
    ) -> bool {
        let Some(&from) = self.places.get(&key(from)) else { return false };
        let filed = self.filed.as_mut().expect("a host that watches");
        let Some((message, n)) = filed.get_mut(&(from, to, hash)) else { return false };
        if *n == 0 {
            if !again {
                return false;
            }
            *n += 1;
            self.seats[to as usize].n_waiting += 1;
        }
        *n -= 1;
        let message = message.clone();
        self.hand(Waiting { from, to, message }, wire);
        true
    }

    fn timer_with(&self, member: u32, hash: u64) -> Option<u64> {
        self.seats[member as usize].actor.timer_with(hash)
    }

    fn n_waiting(&self) -> usize {
        self.queue.len()
    }

    fn n_timers(&self) -> usize {
        let up = self.seats.iter().filter(|seat| seat.status == Status::Up);
        up.map(|seat| seat.actor.n_pending()).sum()
    }

    fn is_up(&self, member: u32) -> bool {
        self.seats[member as usize].status == Status::Up
    }

    fn crash(&mut self, member: u32, loses_inbox: bool, wire: &mut dyn Wire) {
        if self.seats[member as usize].status != Status::Up {
            return;
        }
        let seat = &mut self.seats[member as usize];
        if loses_inbox {
            self.queue.retain(|waiting| waiting.to != member);
            self.filed
                .iter_mut()
                .flatten()
                .filter(|(key, _)| key.1 == member)
                .for_each(|it| it.1.1 = 0);
            seat.n_waiting = 0;
        }
        seat.status = Status::Down;
        if let Err(panic) = seat.actor.crash() {
            seat.status = Status::Broken;
            wire.broken(member, panic);
        }
    }

    fn restart(&mut self, member: u32, stored: &Stored, wire: &mut dyn Wire) {
        if !matches!(self.seats[member as usize].status, Status::Down | Status::New) {
            return;
        }
        self.seats[member as usize].status = Status::Up;
        if wire.watches() {
            wire.begins(member, Cause::Restart { stored });
        }
        self.run(member, wire, |actor, exit| actor.restart(stored, exit));
    }

    fn synced(&mut self, member: u32, wire: &mut dyn Wire) -> bool {
        let seat = &self.seats[member as usize];
        if seat.status != Status::Up || seat.actor.n_syncs() == 0 {
            return false;
        }
        if wire.watches() {
            wire.begins(member, Cause::Synced);
        }
        self.run(member, wire, |actor, exit| {
            actor.synced(exit);
            Ok(())
        });
        true
    }

    fn n_syncs(&self, member: u32) -> usize {
        self.seats[member as usize].actor.n_syncs()
    }

    fn watch(&mut self) {
        self.filed = Some(HashMap::new());
        self.seats.iter_mut().for_each(|seat| seat.actor.watch(true));
    }

    fn state_text(&self, member: u32) -> String {
        self.seats[member as usize].actor.state_text()
    }
}
