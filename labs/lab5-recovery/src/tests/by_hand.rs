//! A group of one, moved by hand: what it writes before it answers, and what it finds again.

use crate::Recovery;
use foresee::{Address, Client, Context, Effect, KeyValueCommand, KeyValueResult, Node, Stored};
use foresee_labs::{Lab, Plan, restored};

pub(super) fn tests<S: Recovery>(lab: Lab, solution: &S) -> Lab {
    let unit = |test: fn(&S) -> Result<(), String>| {
        let solution = solution.clone();
        Plan::unit(move || test(&solution))
    };
    lab.with(1, "a server that finds nothing is as new", 5, unit(as_new))
        .with(1, "what it has carried out, it has carried out after a crash", 5, unit(comes_back))
        .with(1, "the same with snapshots, which keep the disk small", 5, unit(snapshots))
        .with(1, "nothing is told that is not on disk", 5, unit(writes_first))
        .with(1, "whatever part of the writes is left, it can be read", 10, unit(any_prefix))
        .with(
            1,
            "after a crash, a command that comes again is not carried out again",
            10,
            unit(again),
        )
}

/// A server, a client, and what has come on the disk.
struct Hand<S: Recovery> {
    solution: S,
    snapshot_every: u64,
    me: Address,
    client_name: Address,
    server: S::Server,
    client: S::Client,
    stored: Stored,
    /// The disk after each write.
    disks: Vec<Stored>,
    /// What of it is synced.
    durable: Stored,
    /// What was last sent to the server.
    last: Vec<S::Message>,
}

impl<S: Recovery> Hand<S> {
    fn new(solution: &S, snapshot_every: u64) -> Result<Self, String> {
        let [me, client_name] = [Address::new("server1"), Address::new("client1")];
        let mut hand = Hand {
            solution: solution.clone(),
            snapshot_every,
            me,
            client_name,
            server: solution.server(&[me], snapshot_every),
            client: solution.client(&[me]),
            stored: Stored::default(),
            disks: vec![Stored::default()],
            durable: Stored::default(),
            last: Vec::new(),
        };
        let mut context = Context::new(me);
        hand.server.init(&mut context);
        hand.take(context)?;
        Ok(hand)
    }

    /// The client's next command, and what it is told.
    fn command(&mut self, command: KeyValueCommand) -> Result<KeyValueResult, String> {
        let mut context = Context::new(self.client_name);
        self.client.send_command(command.clone(), &mut context);
        self.last = context.sent().into_iter().map(|(_, message)| message).collect();
        self.deliver()?;
        let told = self.client.result();
        told.ok_or_else(|| format!("a group of one has not answered {command:?} at once"))
    }

    /// What was sent last arrives, once more perhaps.
    fn deliver(&mut self) -> Result<(), String> {
        for message in self.last.clone() {
            let mut context = Context::new(self.me);
            self.server.on_message(self.client_name, message, &mut context);
            self.take(context)?;
        }
        Ok(())
    }

    /// Does what a handler has asked for.
    fn take(
        &mut self,
        context: Context<S::Message, <S::Server as Node>::Timer>,
    ) -> Result<(), String> {
        for effect in context.into_effects() {
            match effect {
                Effect::Write(write) => {
                    self.stored.apply(write);
                    self.disks.push(self.stored.clone());
                }
                Effect::Sync => self.durable = self.stored.clone(),
                Effect::Send { to, message } if to == self.me => {
                    let mut context = Context::new(self.me);
                    self.server.on_message(self.me, message, &mut context);
                    self.take(context)?;
                }
                Effect::Send { message, .. } => {
                    let [log, disk] =
                        [S::last_slot(&self.server), S::last_slot(&self.restored(&self.durable)?)];
                    if disk < log {
                        return Err(format!(
                            "{message:?} is sent while the log ends with slot {log}, and what is on disk for sure with slot {disk}"
                        ));
                    }
                    let mut context = Context::new(self.client_name);
                    self.client.on_message(self.me, message, &mut context);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The server as it comes back with this on its disk.
    fn restored(&self, stored: &Stored) -> Result<S::Server, String> {
        let fresh = self.solution.server(&[self.me], self.snapshot_every);
        restored(&fresh, Some(stored))
    }

    /// A crash, and a restart.
    fn crash(&mut self) -> Result<(), String> {
        self.server = self.restored(&self.stored)?;
        let mut context = Context::new(self.me);
        self.server.on_restart(&mut context);
        self.take(context)
    }
}

fn append(i: u64) -> KeyValueCommand {
    KeyValueCommand::append("k", format!("{i}."))
}

fn as_new<S: Recovery>(solution: &S) -> Result<(), String> {
    let hand = Hand::new(solution, 3)?;
    let server = hand.restored(&Stored::default())?;
    let found = (S::last_slot(&server), S::carried_out(&server));
    match found == (0, 0) {
        true => Ok(()),
        false => Err(format!(
            "nothing was on disk, and the last slot and what is carried out are {found:?}"
        )),
    }
}

/// After some commands, a server that comes back is as far as the one that has crashed, with the same store.
fn after_commands<S: Recovery>(solution: &S, snapshot_every: u64) -> Result<Hand<S>, String> {
    let mut hand = Hand::new(solution, snapshot_every)?;
    for i in 1..=7 {
        hand.command(append(i))?;
        let back = hand.restored(&hand.stored)?;
        let (was, is) = (S::carried_out(&hand.server), S::carried_out(&back));
        if was != is {
            return Err(format!(
                "{was} slots were carried out before the crash, and {is} after it"
            ));
        }
        let (was, is) = (S::store(&hand.server), S::store(&back));
        if was != is {
            return Err(format!("before the crash the store was {was:?}, and after it {is:?}"));
        }
    }
    Ok(hand)
}

fn comes_back<S: Recovery>(solution: &S) -> Result<(), String> {
    after_commands(solution, 1_000).map(|_| ())
}

fn snapshots<S: Recovery>(solution: &S) -> Result<(), String> {
    let hand = after_commands(solution, 3)?;
    let (snapshot, records) = hand.stored.contents();
    if snapshot.is_none() {
        return Err("7 slots are carried out, and no snapshot was written, although one is due after every 3".to_owned());
    }
    let n_records = records.len();
    match n_records <= 20 {
        true => Ok(()),
        false => Err(format!(
            "after the last snapshot there are {n_records} records for at most 3 commands"
        )),
    }
}

fn writes_first<S: Recovery>(solution: &S) -> Result<(), String> {
    let mut hand = Hand::new(solution, 2)?;
    (1..=5).try_for_each(|i| hand.command(append(i)).map(|_| ()))
}

fn any_prefix<S: Recovery>(solution: &S) -> Result<(), String> {
    let mut hand = Hand::new(solution, 2)?;
    let mut stores = vec![S::store(&hand.server).clone()];
    for i in 1..=5 {
        hand.command(append(i))?;
        stores.push(S::store(&hand.server).clone());
    }
    let mut before = 0;
    for (n_writes, disk) in hand.disks.iter().enumerate() {
        let back = hand.restored(disk).map_err(|panic| {
            format!("of all that was written the first {n_writes} are left, and restoring panics: {panic}")
        })?;
        let carried_out = S::carried_out(&back);
        if carried_out < before {
            return Err(format!(
                "with the first {n_writes} writes {carried_out} slots are carried out, with one write less {before}"
            ));
        }
        before = carried_out;
        if !stores.contains(S::store(&back)) {
            return Err(format!(
                "with the first {n_writes} writes the store is {:?}, which it never was",
                S::store(&back)
            ));
        }
    }
    Ok(())
}

fn again<S: Recovery>(solution: &S) -> Result<(), String> {
    for snapshot_every in [1, 2, 1_000] {
        let mut hand = Hand::new(solution, snapshot_every)?;
        for i in 1..=4 {
            hand.command(append(i))?;
            let before = S::store(&hand.server).clone();
            hand.crash()?;
            hand.deliver()?;
            let after = S::store(&hand.server);
            if *after != before {
                return Err(format!(
                    "the last command came once more after the crash, and made {before:?} into {after:?}"
                ));
            }
        }
    }
    Ok(())
}
