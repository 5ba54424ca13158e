//! A group of servers with disks, their clients, what is always asked of them, and the words in which searches say where they want to go.
//! Every server is looked at twice: as it is, if nothing of it waits for its disk, and as it would come back from a crash at this moment.

use super::Commands;
use crate::{Recovery, Slot};
use foresee::{
    Address, BuildOptions, ClientWorker, Clients, Crashable, Faults, KeyValueStore, Scope,
    Switches, View, World, WorldBuilder,
};
use foresee_labs::{
    Arena, SetUp, appends_in_one_order, judged_linearizable, restored, size_of_disk,
};
use foresee_lts::{Predicate, Why};
use foresee_search::Limits;
use foresee_stateful::{Guide, Phase};
use std::sync::Arc;

/// Who is there, and what is asked of them.
#[derive(Clone)]
pub(super) struct Setting<S: Recovery> {
    solution: S,
    n_servers: usize,
    snapshot_every: u64,
    /// One for each client.
    commands: Vec<Commands>,
    judge: Judge,
    ends: Vec<End>,
    checks_code: bool,
    faults: Faults,
}

/// How results of runs are judged; searches follow linearizability through every state.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Judge {
    Linearizable,
    /// Appends of many clients to one key: each extends the one before.
    Chain,
}

/// What must hold when a run is over.
#[derive(Clone, Copy, Eq, PartialEq)]
enum End {
    LogsCleared,
    SmallDisks { bytes_max: usize },
}

/// A world, and who is who in it.
pub(super) struct Scene<S: Recovery> {
    pub(super) world: World<S::Message>,
    servers: Vec<Address>,
    clients: Clients<S::Client>,
}

/// What a server should have in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Has {
    Nothing,
    /// The command of the client with this number, accepted or chosen.
    CommandOf(usize),
    /// The same, chosen.
    ChosenOf(usize),
}

impl<S: Recovery> Setting<S> {
    pub(super) fn new(solution: &S, n_servers: usize) -> Self {
        Setting {
            solution: solution.clone(),
            n_servers,
            snapshot_every: 1_000,
            commands: Vec::new(),
            judge: Judge::Linearizable,
            ends: Vec::new(),
            checks_code: false,
            faults: Faults::default(),
        }
    }

    /// With clients that all have this workload.
    pub(super) fn clients(mut self, n_clients: usize, commands: Commands) -> Self {
        self.commands.extend(vec![commands; n_clients]);
        self
    }

    pub(super) fn snapshot_every(self, snapshot_every: u64) -> Self {
        Setting { snapshot_every, ..self }
    }

    pub(super) fn chained(self) -> Self {
        Setting { judge: Judge::Chain, ..self }
    }

    pub(super) fn checked(self) -> Self {
        Setting { checks_code: true, ..self }
    }

    /// So many times a server crashes and comes back.
    pub(super) fn restarts(mut self, n: u32) -> Self {
        (self.faults.crashes, self.faults.restarts) = (n, n);
        self
    }

    /// So many of the crashes leave a part of what was not synced.
    pub(super) fn torn(mut self, torn_writes: u32) -> Self {
        self.faults.torn_writes = torn_writes;
        self
    }

    /// So many disks are lost.
    pub(super) fn losing_disks(mut self, lost_disks: u32) -> Self {
        self.faults.lost_disks = lost_disks;
        self
    }

    /// All servers have forgotten all slots when the run is over.
    pub(super) fn logs_cleared(mut self) -> Self {
        self.ends.push(End::LogsCleared);
        self
    }

    /// No server has more than this on disk when the run is over.
    pub(super) fn small_disks(mut self, bytes_max: usize) -> Self {
        self.ends.push(End::SmallDisks { bytes_max });
        self
    }

    pub(super) fn run(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let scene = self.scene(name, options, false);
            let arena = Arena::new(&scene.world, &scene.clients);
            self.ends.iter().fold(arena, |arena, end| arena.at_end(scene.end(*end)))
        })
    }

    pub(super) fn searched(self) -> SetUp {
        self.searched_within(|_| Switches::all_on())
    }

    /// A search in which not everything may happen.
    pub(super) fn searched_within(
        self,
        switches: impl Fn(&Scene<S>) -> Switches + Send + Sync + 'static,
    ) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let scene = self.scene(name, options, true);
            let allow = switches(&scene).filter(&scene.world);
            Arena::new(&scene.world, &scene.clients).allowing(allow)
        })
    }

    /// A search that goes no further where some server `is_beyond`.
    #[cfg(feature = "solutions")]
    pub(super) fn searched_until(
        self,
        name: &'static str,
        is_beyond: impl Fn(&S::Server) -> bool + Clone + Send + Sync + 'static,
    ) -> SetUp {
        Arc::new(move |world: &str, options: &BuildOptions| {
            let servers = Address::numbered("server", self.n_servers);
            let is_beyond = is_beyond.clone();
            let scene = self.scene_with(world, options, true, |world| {
                let scope = Scope::nodes(servers.iter().copied());
                world.prune(name, scope, move |view, _| {
                    servers.iter().any(|server| is_beyond(view.node(*server)))
                });
            });
            Arena::new(&scene.world, &scene.clients)
        })
    }

    /// A search in phases.
    pub(super) fn guided(
        self,
        phases: impl Fn(&Scene<S>) -> Vec<Phase> + Send + Sync + 'static,
    ) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let scene = self.scene(name, options, true);
            let guide = Guide::new(phases(&scene));
            Arena::new(&scene.world, &scene.clients).guided(guide)
        })
    }

    fn scene(&self, name: &str, options: &BuildOptions, is_search: bool) -> Scene<S> {
        self.scene_with(name, options, is_search, |_| {})
    }

    fn scene_with(
        &self,
        name: &str,
        options: &BuildOptions,
        is_search: bool,
        more: impl FnOnce(&mut WorldBuilder<S::Message>),
    ) -> Scene<S> {
        let mut world = WorldBuilder::new(name);
        let servers = Address::numbered("server", self.n_servers);
        for &server in &servers {
            world.add(server, self.solution.server(&servers, self.snapshot_every));
            if self.faults.lost_disks > 0 {
                let replacement = self.solution.replacement(&servers, self.snapshot_every);
                world.replacement(server, replacement);
            }
        }
        let names = Address::numbered("client", self.commands.len());
        for (&client, commands) in names.iter().zip(&self.commands) {
            let worker = ClientWorker::new(self.solution.client(&servers), commands.clone());
            world.add_client(client, worker);
        }
        let clients = Clients::<S::Client>::new(names.clone());
        world.invariant("results as expected", clients.scope(), clients.results_ok());
        match (is_search, self.judge) {
            (true, _) => {
                world.linearizable(KeyValueStore::default());
                world.prune("every client has finished", clients.scope(), clients.all_done());
            }
            (false, Judge::Linearizable) => {
                judged_linearizable(&mut world, &names, KeyValueStore::default());
            }
            (false, Judge::Chain) => {
                let test = appends_in_one_order(&clients);
                world.invariant("appends happen once each, in one order", clients.scope(), test);
            }
        }
        let group = Group::<S> {
            servers: servers.clone(),
            fresh: self.solution.server(&servers, self.snapshot_every),
            loses_disks: self.faults.lost_disks > 0,
        };
        group.claims(&mut world);
        let crashable = Crashable::Only(servers.clone());
        world.faults(Faults { crashable, ..self.faults.clone() });
        more(&mut world);
        world.check_code(self.checks_code);
        world.options(options);
        Scene { world: world.build(), servers, clients }
    }
}

/// The servers, and how one of them starts.
struct Group<S: Recovery> {
    servers: Vec<Address>,
    fresh: S::Server,
    loses_disks: bool,
}

impl<S: Recovery> Clone for Group<S> {
    fn clone(&self) -> Self {
        Group { servers: self.servers.clone(), fresh: self.fresh.clone(), ..*self }
    }
}

/// A server as it is, or as it would come back.
struct Seen<T> {
    who: String,
    server: T,
    /// Whether this is what is on disk.
    is_stored: bool,
}

impl<S: Recovery> Group<S> {
    /// What holds of every group, whatever happens to its servers.
    fn claims(self, world: &mut WorldBuilder<S::Message>) {
        let scope = Scope::nodes(self.servers.iter().copied());
        let group = self.clone();
        world.invariant("what is on disk can be read", scope.clone(), move |view, why| {
            group.seen(view, why).is_some()
        });
        let group = self.clone();
        let name = match self.loses_disks {
            true => "what is chosen in a slot is chosen everywhere",
            false => "what is chosen in a slot, a majority has on disk",
        };
        world.invariant(name, scope.clone(), move |view, why| {
            group.seen(view, why).is_none_or(|seen| group.is_agreed(&seen, why))
        });
        world.invariant(
            "servers that are equally far have equal stores",
            scope,
            move |view, why| {
                self.seen(view, why).is_none_or(|seen| has_equal_stores::<S>(&seen, why))
            },
        );
    }

    /// Every server that nothing waits for, and every disk; `None` if one of them cannot be read.
    fn seen(&self, view: &View<'_, S::Message>, why: &mut Why) -> Option<Vec<Seen<S::Server>>> {
        let mut seen = Vec::new();
        for &name in &self.servers {
            if view.is_up(name) && !view.awaits_disk(name) {
                let server = view.node::<S::Server>(name).clone();
                seen.push(Seen { who: name.to_string(), server, is_stored: false });
            }
            match restored(&self.fresh, view.stored(name)) {
                Ok(server) => {
                    let who = format!("{name} after a crash now");
                    seen.push(Seen { who, server, is_stored: true });
                }
                Err(panic) => {
                    why.because(format_args!("{name} cannot be restored from its disk: {panic}"));
                    return None;
                }
            }
        }
        Some(seen)
    }

    /// What is chosen in a slot is the same everywhere, and a majority holds it.
    fn is_agreed(&self, seen: &[Seen<S::Server>], why: &mut Why) -> bool {
        let last = seen.iter().map(|it| S::last_slot(&it.server)).max().unwrap_or(0);
        (1..=last).all(|slot| {
            let slots: Vec<(&Seen<S::Server>, Slot)> =
                seen.iter().map(|it| (it, S::slot(&it.server, slot))).collect();
            self.is_agreed_in(slot, &slots, why)
        })
    }

    fn is_agreed_in(&self, slot: u64, slots: &[(&Seen<S::Server>, Slot)], why: &mut Why) -> bool {
        let mut chosen = slots.iter().filter_map(|(it, slot)| match slot {
            Slot::Chosen(command) => Some((&it.who, command)),
            _ => None,
        });
        let Some((first, command)) = chosen.next() else { return true };
        let text = |command: &Option<_>| match command {
            Some(command) => format!("{command:?}"),
            None => "nothing to do".to_owned(),
        };
        if let Some((other, its)) = chosen.find(|(_, its)| *its != command) {
            why.because(format_args!(
                "slot {slot}: {first} says that {} is chosen, {other} says {}",
                text(command),
                text(its)
            ));
            return false;
        }
        let is_held = |it: &Slot| match it {
            Slot::Accepted(held) | Slot::Chosen(held) => held == command,
            Slot::Cleared => true,
            Slot::Empty => false,
        };
        let disks = slots.iter().filter(|(it, _)| it.is_stored);
        let n_holders = disks.filter(|(_, slot)| is_held(slot)).count();
        let is_held_by_most = self.loses_disks || n_holders > self.servers.len() / 2;
        if !is_held_by_most {
            why.because(format_args!(
                "slot {slot}: {first} says that {} is chosen, and {n_holders} of {} servers would find it on their disks after a crash",
                text(command),
                self.servers.len(),
            ));
        }
        is_held_by_most
    }
}

/// The log decides what the store is.
fn has_equal_stores<S: Recovery>(seen: &[Seen<S::Server>], why: &mut Why) -> bool {
    seen.iter().enumerate().all(|(i, it)| {
        let far = S::carried_out(&it.server);
        seen[..i].iter().all(|other| {
            let is_equal = S::carried_out(&other.server) != far
                || S::store(&other.server) == S::store(&it.server);
            if !is_equal {
                why.because(format_args!(
                    "{} slots are carried out at {} and at {}; the stores are {:?} and {:?}",
                    far,
                    other.who,
                    it.who,
                    S::store(&other.server),
                    S::store(&it.server)
                ));
            }
            is_equal
        })
    })
}

impl<S: Recovery> Scene<S> {
    /// The server with this number.
    pub(super) fn server(&self, number: usize) -> Address {
        self.servers[number - 1]
    }

    /// The clients with these numbers.
    pub(super) fn clients(&self, numbers: &[usize]) -> Vec<Address> {
        let clients = self.clients.addresses();
        numbers.iter().map(|number| clients[number - 1]).collect()
    }

    /// Only these servers and clients hear each other, and only the timers of these servers fire. Nobody crashes.
    pub(super) fn only(&self, servers: &[usize], clients: &[usize], timers: &[usize]) -> Switches {
        let mut group: Vec<Address> = servers.iter().map(|number| self.server(*number)).collect();
        group.extend(self.clients(clients));
        self.timers_of(timers).partition([group])
    }

    /// Everybody hears everybody, and only the timers of these servers fire. Nobody crashes.
    pub(super) fn timers_of(&self, timers: &[usize]) -> Switches {
        let fire: Vec<Address> = timers.iter().map(|number| self.server(*number)).collect();
        let off = self.world.addresses().into_iter().filter(|name| !fire.contains(name));
        Switches::all_on().timers_off(off).crashes_of([])
    }

    /// A phase in which these switches hold. Its limit is far above what a simple solution needs.
    pub(super) fn phase(&self, name: impl Into<String>, switches: Switches) -> Phase {
        let limits = Limits { states_max: Some(500_000), ..Limits::none() };
        Phase::new(name).allow(switches.filter(&self.world)).limits(limits)
    }

    /// A phase that looks at this many states, nearest first, for anything wrong.
    pub(super) fn look_around(&self, name: &str, switches: Switches, states_max: u64) -> Phase {
        let limits = Limits { states_max: Some(states_max), ..Limits::none() };
        Phase::new(name).allow(switches.filter(&self.world)).limits(limits)
    }

    /// This server crashes, whatever is left of what it was writing, and comes back; nothing else happens.
    pub(super) fn restart(&self, number: usize) -> [Phase; 2] {
        [self.crash(number), self.comes_back(number)]
    }

    /// This server crashes; the next phase starts from everything that may be left of what it was writing.
    pub(super) fn crash(&self, number: usize) -> Phase {
        let name = self.server(number);
        self.phase(format!("{name} crashes"), self.quiet_but(number))
            .goal(self.world.node_is_up(name).not().named(format!("{name} is down")))
            .goals_max(8)
    }

    pub(super) fn comes_back(&self, number: usize) -> Phase {
        let name = self.server(number);
        self.phase(format!("{name} is back"), self.quiet_but(number))
            .step(format!("restart {name}"))
    }

    /// Nothing happens, except to this server.
    pub(super) fn quiet_but(&self, number: usize) -> Switches {
        let quiet = Switches::all_on().network_off().all_timers_off();
        quiet.syncs_off(self.servers.iter().copied()).crashes_of([self.server(number)])
    }

    /// Nothing of this server waits for its disk.
    pub(super) fn settled(&self, number: usize) -> Predicate {
        let server = self.server(number);
        let name = format!("nothing of {server} waits for its disk");
        self.world.predicate(name, Scope::nodes([server]), move |view, _| {
            view.is_up(server) && !view.awaits_disk(server)
        })
    }

    /// Something of this server waits for its disk.
    pub(super) fn writing(&self, number: usize) -> Predicate {
        let server = self.server(number);
        let name = format!("something of {server} waits for its disk");
        self.world.predicate(name, Scope::nodes([server]), move |view, _| view.awaits_disk(server))
    }

    /// Of each (server, slot): what it has there.
    pub(super) fn slots(&self, name: &str, table: &[(usize, u64, Has)]) -> Predicate {
        let of = |&(server, slot, has): &(usize, u64, Has)| (self.server(server), slot, has);
        let table: Vec<(Address, u64, Has)> = table.iter().map(of).collect();
        let scope = Scope::nodes(table.iter().map(|(server, ..)| *server));
        self.world.predicate(name, scope, move |view, why| {
            table.iter().all(|&(server, slot, has)| {
                let found = S::slot(view.node(server), slot);
                why.because(format_args!("{server} has {found:?} in slot {slot}"));
                has.is(&found)
            })
        })
    }

    /// The clients with these numbers have at least this many results.
    pub(super) fn told(&self, clients: &[usize], n_results: usize) -> Predicate {
        let names = self.clients(clients);
        let some = Clients::<S::Client>::new(names.clone());
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let results = if n_results == 1 { "result" } else { "results" };
        let name = format!("{} told {n_results} {results}", names.join(" and "));
        self.world.predicate(name, some.scope(), some.have_results(n_results))
    }

    pub(super) fn all_told(&self) -> Predicate {
        let (scope, done) = (self.clients.scope(), self.clients.all_done());
        self.world.predicate("every client has finished", scope, done)
    }

    /// Something is on its way from one server to another.
    pub(super) fn message(&self, from: usize, to: usize) -> Predicate {
        let (from, to) = (self.server(from), self.server(to));
        let name = format!("{from} has sent something to {to}");
        self.world.message_in_network(name, move |it| (it.from, it.to) == (from, to))
    }

    fn end(&self, end: End) -> Predicate {
        match end {
            End::LogsCleared => self.logs_cleared(),
            End::SmallDisks { bytes_max } => self.small_disks(bytes_max),
        }
    }

    fn logs_cleared(&self) -> Predicate {
        let (scope, names) = (Scope::nodes(self.servers.iter().copied()), self.servers.clone());
        let name = "all servers have forgotten the log";
        self.world.predicate(name, scope, move |view: &View<'_, S::Message>, why: &mut Why| {
            names.iter().all(|name| {
                let server = view.node::<S::Server>(*name);
                let last = S::last_slot(server);
                let kept = (1..=last).find(|slot| S::slot(server, *slot) != Slot::Cleared);
                if let Some(slot) = kept {
                    let found = S::slot(server, slot);
                    why.because(format_args!(
                        "{name} has {found:?} in slot {slot} of {last}, although every server could have carried it out"
                    ));
                }
                kept.is_none() && last > 0
            })
        })
    }

    fn small_disks(&self, bytes_max: usize) -> Predicate {
        let (scope, names) = (Scope::nodes(self.servers.iter().copied()), self.servers.clone());
        let name = "servers have little on their disks";
        self.world.predicate(name, scope, move |view: &View<'_, S::Message>, why: &mut Why| {
            names.iter().all(|name| {
                let bytes = view.stored(*name).map_or(0, size_of_disk);
                why.because(format_args!(
                    "{name} has {bytes} bytes on disk, at most {bytes_max} are allowed"
                ));
                bytes <= bytes_max
            })
        })
    }
}

impl Has {
    fn is(self, found: &Slot) -> bool {
        let is_of = |command: &Option<foresee::KeyValueCommand>, client: usize| {
            command.as_ref().is_some_and(|it| it.to_string().contains(&format!("<client{client}.")))
        };
        match (self, found) {
            (Has::Nothing, Slot::Empty) => true,
            (Has::CommandOf(client), Slot::Accepted(command) | Slot::Chosen(command))
            | (Has::ChosenOf(client), Slot::Chosen(command)) => is_of(command, client),
            _ => false,
        }
    }
}
