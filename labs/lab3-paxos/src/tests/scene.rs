//! A group of servers with clients, what is always asked of it, and the words in which searches say where they want to go.

use super::Commands;
use crate::{Paxos, Slot};
use foresee::{
    Address, BuildOptions, ClientWorker, Clients, Faults, KeyValueStore, Network, Scope, Switches,
    View, World, WorldBuilder,
};
use foresee_labs::{
    Arena, SetUp, appends_in_one_order, few_copies, judged_linearizable, size_of_node,
};
use foresee_lts::{Predicate, Why};
use foresee_search::Limits;
use foresee_stateful::{Guide, Phase};
use std::sync::Arc;

/// Who is there, and what is asked of them.
#[derive(Clone)]
pub(super) struct Setting<S: Paxos> {
    solution: S,
    n_servers: usize,
    /// One for each client.
    commands: Vec<Commands>,
    judge: Judge,
    ends: Vec<End>,
    checks_code: bool,
    /// How many messages may be lost, in searches in which those that arrive are used up.
    drops: Option<u32>,
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
    NothingTold,
    LogsCleared,
    Small { bytes_max: usize },
}

/// A world, and who is who in it.
pub(super) struct Scene<S: Paxos> {
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

impl<S: Paxos> Setting<S> {
    pub(super) fn new(solution: &S, n_servers: usize) -> Self {
        Setting {
            solution: solution.clone(),
            n_servers,
            commands: Vec::new(),
            judge: Judge::Linearizable,
            ends: Vec::new(),
            checks_code: false,
            drops: None,
        }
    }

    /// With clients that all have this workload.
    pub(super) fn clients(mut self, n_clients: usize, commands: Commands) -> Self {
        self.commands.extend(vec![commands; n_clients]);
        self
    }

    pub(super) fn chained(self) -> Self {
        Setting { judge: Judge::Chain, ..self }
    }

    pub(super) fn checked(self) -> Self {
        Setting { checks_code: true, ..self }
    }

    /// A message arrives once, and so many are lost.
    pub(super) fn losing(self, drops: u32) -> Self {
        Setting { drops: Some(drops), ..self }
    }

    /// Nobody has been told anything when the run is over.
    pub(super) fn nothing_told(mut self) -> Self {
        self.ends.push(End::NothingTold);
        self
    }

    /// All servers have forgotten all slots when the run is over.
    pub(super) fn logs_cleared(mut self) -> Self {
        self.ends.push(End::LogsCleared);
        self
    }

    /// No server keeps more than this when the run is over.
    pub(super) fn small(mut self, bytes_max: usize) -> Self {
        self.ends.push(End::Small { bytes_max });
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

    /// Nobody is told anything, although everything is tried that these switches leave.
    pub(super) fn silent_within(
        self,
        switches: impl Fn(&Scene<S>) -> Switches + Send + Sync + 'static,
    ) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let names = Address::numbered("client", self.commands.len());
            let clients = Clients::<S::Client>::new(names);
            let scene = self.scene_with(name, options, true, |world| {
                world.invariant("nobody is told anything", clients.scope(), clients.no_results());
            });
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
            world.add(server, self.solution.server(&servers));
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
        slots_agree::<S>(&mut world, &servers);
        if let Some(drops) = self.drops {
            world.network(Network::Multiset).faults(Faults { drops, ..Faults::default() });
            few_copies(&mut world);
        }
        more(&mut world);
        world.check_code(self.checks_code);
        world.options(options);
        Scene { world: world.build(), servers, clients }
    }
}

/// What is chosen in a slot is the same everywhere, and a majority holds it.
fn slots_agree<S: Paxos>(world: &mut WorldBuilder<S::Message>, servers: &[Address]) {
    let (scope, names) = (Scope::nodes(servers.iter().copied()), servers.to_vec());
    world.invariant("what is chosen in a slot, a majority holds", scope, move |view, why| {
        let logs: Vec<&S::Server> = names.iter().map(|name| view.node(*name)).collect();
        let last = logs.iter().map(|log| S::last_slot(log)).max().unwrap_or(0);
        (1..=last).all(|slot| {
            let slots: Vec<Slot> = logs.iter().map(|log| S::slot(log, slot)).collect();
            is_agreed(&names, slot, &slots, why)
        })
    });
}

fn is_agreed(names: &[Address], slot: u64, slots: &[Slot], why: &mut Why) -> bool {
    let all = || names.iter().zip(slots);
    let mut chosen = all().filter_map(|(name, it)| match it {
        Slot::Chosen(command) => Some((*name, command)),
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
    let holders: Vec<String> =
        all().filter(|(_, it)| is_held(it)).map(|(name, _)| name.to_string()).collect();
    let is_held_by_most = holders.len() > names.len() / 2;
    if !is_held_by_most {
        why.because(format_args!(
            "slot {slot}: {first} says that {} is chosen, and of {} servers only {} hold it: {}",
            text(command),
            names.len(),
            holders.len(),
            holders.join(", ")
        ));
    }
    is_held_by_most
}

impl<S: Paxos> Scene<S> {
    /// The servers with these numbers.
    pub(super) fn servers(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<Address> {
        numbers.into_iter().map(|number| self.servers[number - 1]).collect()
    }

    /// The clients with these numbers.
    pub(super) fn clients(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<Address> {
        let clients = self.clients.addresses();
        numbers.into_iter().map(|number| clients[number - 1]).collect()
    }

    /// Only these servers and clients hear each other, and only the timers of these servers fire.
    pub(super) fn only(&self, servers: &[usize], clients: &[usize], timers: &[usize]) -> Switches {
        let mut group = self.servers(servers.iter().copied());
        group.extend(self.clients(clients.iter().copied()));
        self.timers_of(timers).partition([group])
    }

    /// Everybody hears everybody, and only the timers of these servers fire.
    pub(super) fn timers_of(&self, timers: &[usize]) -> Switches {
        let fire = self.servers(timers.iter().copied());
        let off = self.world.addresses().into_iter().filter(|name| !fire.contains(name));
        Switches::all_on().timers_off(off)
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

    /// Of each (server, slot): what it has there.
    pub(super) fn slots(&self, name: &str, table: &[(usize, u64, Has)]) -> Predicate {
        let of = |&(server, slot, has): &(usize, u64, Has)| (self.servers[server - 1], slot, has);
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
        let names = self.clients(clients.iter().copied());
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
        let (from, to) = (self.servers[from - 1], self.servers[to - 1]);
        let name = format!("{from} has sent something to {to}");
        self.world.message_in_network(name, move |it| (it.from, it.to) == (from, to))
    }

    fn end(&self, end: End) -> Predicate {
        match end {
            End::NothingTold => {
                let (scope, test) = (self.clients.scope(), self.clients.no_results());
                self.world.predicate("nobody is told anything", scope, test)
            }
            End::LogsCleared => {
                self.every_server("all servers have forgotten the log", |name, server, why| {
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
            }
            End::Small { bytes_max } => {
                self.every_server("servers keep little", move |name, server, why| {
                    let bytes = size_of_node(server);
                    why.because(format_args!("{name} holds {bytes} bytes, at most {bytes_max} are allowed"));
                    bytes <= bytes_max
                })
            }
        }
    }

    fn every_server(
        &self,
        name: &str,
        test: impl Fn(Address, &S::Server, &mut Why) -> bool + Send + Sync + 'static,
    ) -> Predicate {
        let (scope, names) = (Scope::nodes(self.servers.iter().copied()), self.servers.clone());
        self.world.predicate(name, scope, move |view: &View<'_, S::Message>, why: &mut Why| {
            names.iter().all(|name| test(*name, view.node(*name), why))
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
