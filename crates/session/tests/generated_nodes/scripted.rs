//! A generated system of Rust nodes: what each node does is drawn from a seed.
//! Every reaction moves its node on (its place only grows) or uses up one of its effects, so every run ends, whatever
//! the network repeats and however often timers are set; crashes and restarts have budgets.
//! A seed stands for one system on every machine: the draws are those of `foresee_stdx::Random`.

use foresee_lts::Reading;
use foresee_nodes::{
    Address, Context, Crashable, Faults, Linearizable, Network, Node, Register, RegisterOperation,
    RegisterResult, Scope, Splits, Stored, World, WorldBuilder,
};
use foresee_stdx::{Random, mix};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const PLACES: u64 = 4;
const MESSAGES: u64 = 2;
const TIMERS: u64 = 2;

/// What a system is made of, drawn from its seed.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) network: Network,
    pub(crate) faults: Faults,
    n_nodes: usize,
    n_clients: usize,
    /// Invariants: these two nodes are never both at these places.
    claims: Vec<[(usize, u8); 2]>,
    /// Effects that each node has.
    effects: Vec<u8>,
    /// Whether nodes have a disk.
    pub(crate) has_disks: bool,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Scripted {
    seed: u64,
    place: u8,
    effects_left: u8,
    /// What survives a crash.
    stored: u8,
    peers: Vec<Address>,
    /// Whether its operations are kept, and what it is waiting for.
    is_client: bool,
    waits: bool,
    /// Whether what survives a crash is what it has written.
    has_disk: bool,
}

impl Scripted {
    /// What the node does at something that happens to it.
    fn react(&mut self, what: u64, context: &mut Context<u8, u8>) {
        let mut random = Random::new(mix(self.seed ^ mix(what)) ^ u64::from(self.place));
        if random.chance(0.2) {
            return; // ignored here
        }
        let place = self.place.max(random.below(PLACES) as u8);
        let moved = place != self.place;
        self.place = place;
        if random.chance(0.3) {
            self.stored = place;
        }
        self.operate(moved, &mut random, context);
        for _ in 0..random.between(0, 2) {
            if self.effects_left == 0 {
                return;
            }
            self.effects_left -= 1;
            self.act(&mut random, context);
        }
    }

    /// A client returns from its operation, and may begin another.
    fn operate(&mut self, moved: bool, random: &mut Random, context: &mut Context<u8, u8>) {
        if !self.is_client || !moved {
            return;
        }
        if self.waits {
            context.returned(match random.below(2) {
                0 => RegisterResult::WriteOk,
                _ => RegisterResult::ReadOk(random.below(2) as u8),
            });
        }
        self.waits = self.place < PLACES as u8 - 1;
        if self.waits {
            let write = random.chance(0.5);
            context.invoked(match write {
                true => RegisterOperation::Write(random.below(2) as u8),
                false => RegisterOperation::Read,
            });
        }
    }

    fn act(&self, random: &mut Random, context: &mut Context<u8, u8>) {
        match random.below(10) {
            3..=5 if self.has_disk => {
                match random.chance(0.7) {
                    true => context.append(&self.place),
                    false => context.snapshot(&self.place),
                }
                if random.chance(0.7) {
                    context.sync();
                }
                let to = self.peers[random.below(self.peers.len() as u64) as usize];
                context.send(to, random.below(MESSAGES) as u8);
            }
            0 => context.cancel_timer(random.below(TIMERS) as u8),
            1 | 2 => {
                let min = random.between(1, 3) * 10;
                let max = min + random.below(2) * 10;
                let timer = random.below(TIMERS) as u8;
                let [min, max] = [min, max].map(Duration::from_millis);
                context.set_timer_between(timer, min, max);
            }
            _ => {
                let to = self.peers[random.below(self.peers.len() as u64) as usize];
                context.send(to, random.below(MESSAGES) as u8);
            }
        }
    }
}

impl Node for Scripted {
    type Message = u8;
    type Timer = u8;

    fn init(&mut self, context: &mut Context<u8, u8>) {
        if self.is_client && !self.waits {
            self.waits = true;
            context.invoked(RegisterOperation::<u8>::Read);
        }
        self.react(1, context);
    }

    fn on_message(&mut self, from: Address, message: u8, context: &mut Context<u8, u8>) {
        let from = self.peers.iter().position(|peer| *peer == from).expect("a peer");
        self.react(100 + 10 * from as u64 + u64::from(message), context);
    }

    fn on_timer(&mut self, timer: u8, context: &mut Context<u8, u8>) {
        self.react(50 + u64::from(timer), context);
    }

    fn recover(&self, fresh: Self) -> Self {
        // A client that forgets its operation would invoke twice, which is a mistake of its own kind.
        let waits = self.waits;
        if self.has_disk {
            return Scripted { waits, ..fresh };
        }
        Scripted { place: self.stored, stored: self.stored, waits, ..fresh }
    }

    fn restore(&mut self, stored: &Stored) {
        let written = stored.snapshot().into_iter().chain(stored.records::<u8>());
        self.place = written.last().unwrap_or(self.place);
    }

    fn on_restart(&mut self, context: &mut Context<u8, u8>) {
        self.react(2, context);
    }
}

impl Plan {
    pub(crate) fn new(seed: u64) -> Plan {
        let mut random = Random::new(seed);
        let network = Network::ALL[random.below(Network::ALL.len() as u64) as usize];
        let n_nodes = random.between(2, 4) as usize;
        let n_clients = if random.chance(0.3) { random.between(1, 2) as usize } else { 0 };
        let n_claims = random.below(3);
        let claims = (0..n_claims).map(|_| {
            let mut part = || {
                let node = random.below(n_nodes as u64) as usize;
                (node, random.between(1, PLACES - 1) as u8)
            };
            [part(), part()]
        });
        let claims = claims.collect();
        let effects = (0..n_nodes).map(|_| random.between(0, 3) as u8).collect();
        let mut faults = faults(&mut random, network, n_nodes);
        // Drawn apart, so that a system without disks is the one that its seed always stood for.
        let mut random = Random::new(mix(seed ^ 0xD15C));
        let has_disks = random.chance(0.4);
        if has_disks && faults.crashes > 0 {
            faults.torn_writes = u32::from(random.chance(0.5));
            // A client that forgets its operation would invoke twice.
            faults.lost_disks = u32::from(n_clients == 0 && random.chance(0.5));
        }
        Plan { seed, network, faults, n_nodes, n_clients, claims, effects, has_disks }
    }

    /// The system, in the reading of an engine that reorders events or in the plain one.
    pub(crate) fn world(&self, reading: Reading) -> World<u8> {
        let mut world = WorldBuilder::<u8>::new(format!("generated seed={}", self.seed));
        let peers = addresses(self.n_nodes);
        for (i, name) in peers.iter().enumerate() {
            let node = Scripted {
                seed: mix(self.seed) ^ mix(i as u64),
                place: 0,
                effects_left: self.effects[i],
                stored: 0,
                peers: peers.clone(),
                is_client: i < self.n_clients,
                waits: false,
                has_disk: self.has_disks,
            };
            match node.is_client {
                true => world.add_client(*name, node),
                false => world.add(*name, node),
            };
        }
        world.network(self.network).faults(self.faults.clone()).reading(reading);
        if self.n_clients > 0 {
            world.recorder(|_| std::sync::Arc::new(Linearizable::new(Register::new(0u8))));
        }
        for (n, claim) in self.claims.iter().enumerate() {
            let claim = claim.map(|(node, place)| (peers[node], place));
            let scope = Scope::nodes(claim.map(|(node, _)| node));
            world.invariant(format!("claim {n}"), scope, move |view, _| {
                !claim.iter().all(|(node, place)| view.node::<Scripted>(*node).place == *place)
            });
        }
        world.build()
    }
}

fn addresses(n: usize) -> Vec<Address> {
    Address::numbered("node", n)
}

/// Each kind of fault in a third of the systems; small budgets, or nothing could be explored whole.
fn faults(random: &mut Random, network: Network, n_nodes: usize) -> Faults {
    let mut budget = |allowed: bool| u32::from(allowed && random.chance(0.33));
    let (drops, duplicates) =
        (budget(network != Network::ExactlyOnce), budget(network != Network::ExactlyOnce));
    let crashes = budget(true) * 2;
    let (restarts, partitions) = (budget(crashes > 0), budget(true));
    let crashes = crashes.min(1 + u32::from(random.chance(0.3)));
    let only = Crashable::Only(vec![addresses(n_nodes)[0]]);
    let crashable = if random.chance(0.5) { Crashable::AnyNode } else { only };
    Faults {
        drops,
        duplicates,
        crashes,
        restarts,
        partitions,
        crashable,
        splits: Splits::default(),
        ..Faults::default()
    }
}
