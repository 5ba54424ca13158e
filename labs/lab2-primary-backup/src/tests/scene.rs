//! A view server, servers and clients, and the words in which searches say where they want to go.

use super::Commands;
use crate::PrimaryBackup;
use foresee::{
    Address, BuildOptions, ClientWorker, Clients, Faults, KeyValueStore, Network, Scope, Switches,
    World, WorldBuilder,
};
use foresee_labs::{Arena, SetUp, appends_in_one_order, few_copies, judged_linearizable};
use foresee_lts::Predicate;
use foresee_search::Limits;
use foresee_stateful::{Guide, Phase};
use std::sync::Arc;

/// Who is there, and what is asked of them.
#[derive(Clone)]
pub(super) struct Setting<S: PrimaryBackup> {
    solution: S,
    n_servers: usize,
    /// One for each client.
    commands: Vec<Commands>,
    is_chain: bool,
    tells_nothing: bool,
    checks_code: bool,
    /// How many messages may be lost, in searches in which those that arrive are used up.
    drops: Option<u32>,
}

/// A world, and who is who in it.
pub(super) struct Scene<S: PrimaryBackup> {
    world: World<S::Message>,
    views: Address,
    servers: Vec<Address>,
    clients: Clients<S::Client>,
}

impl<S: PrimaryBackup> Setting<S> {
    pub(super) fn new(solution: &S, n_servers: usize) -> Self {
        Setting {
            solution: solution.clone(),
            n_servers,
            commands: Vec::new(),
            is_chain: false,
            tells_nothing: false,
            checks_code: false,
            drops: None,
        }
    }

    /// With clients that all have this workload.
    pub(super) fn clients(mut self, n_clients: usize, commands: Commands) -> Self {
        self.commands.extend(vec![commands; n_clients]);
        self
    }

    /// Appends of many clients to one key: each extends the one before.
    pub(super) fn chained(self) -> Self {
        Setting { is_chain: true, ..self }
    }

    pub(super) fn checked(self) -> Self {
        Setting { checks_code: true, ..self }
    }

    /// A message arrives once, and so many are lost.
    pub(super) fn losing(self, drops: u32) -> Self {
        Setting { drops: Some(drops), ..self }
    }

    /// Nobody has been told anything when the run is over.
    pub(super) fn nothing_told(self) -> Self {
        Setting { tells_nothing: true, ..self }
    }

    pub(super) fn run(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let scene = self.scene(name, options, false);
            let arena = Arena::new(&scene.world, &scene.clients);
            if self.tells_nothing { arena.at_end(scene.nobody_told()) } else { arena }
        })
    }

    pub(super) fn searched(self) -> SetUp {
        self.searched_within(|_| Switches::all_on())
    }

    /// The view server never looks who is silent, so that nobody ever fails.
    pub(super) fn searched_without_checks(self) -> SetUp {
        self.searched_within(|scene| Switches::all_on().timers_off([scene.views]))
    }

    fn searched_within(
        self,
        switches: impl Fn(&Scene<S>) -> Switches + Send + Sync + 'static,
    ) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let scene = self.scene(name, options, true);
            let allow = switches(&scene).filter(&scene.world);
            Arena::new(&scene.world, &scene.clients).allowing(allow)
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
        let mut world = WorldBuilder::new(name);
        let views = world.add("views", self.solution.view_server());
        let servers = Address::numbered("server", self.n_servers);
        for &server in &servers {
            world.add(server, self.solution.server(views));
        }
        let names = Address::numbered("client", self.commands.len());
        for (&client, commands) in names.iter().zip(&self.commands) {
            let worker = ClientWorker::new(self.solution.client(views), commands.clone());
            world.add_client(client, worker);
        }
        let clients = Clients::<S::Client>::new(names.clone());
        world.invariant("results as expected", clients.scope(), clients.results_ok());
        if is_search {
            world.linearizable(KeyValueStore::default());
            world.prune("every client has finished", clients.scope(), clients.all_done());
        } else if self.is_chain {
            let test = appends_in_one_order(&clients);
            world.invariant("appends happen once each, in one order", clients.scope(), test);
        } else {
            judged_linearizable(&mut world, &names, KeyValueStore::default());
        }
        if let Some(drops) = self.drops {
            world.network(Network::Multiset).faults(Faults { drops, ..Faults::default() });
            few_copies(&mut world);
        }
        world.check_code(self.checks_code);
        world.options(options);
        Scene { world: world.build(), views, servers, clients }
    }
}

impl<S: PrimaryBackup> Scene<S> {
    pub(super) fn server(&self, number: usize) -> Address {
        self.servers[number - 1]
    }

    pub(super) fn client(&self, number: usize) -> Address {
        self.clients.addresses()[number - 1]
    }

    pub(super) fn views(&self) -> Address {
        self.views
    }

    /// Only the view server, these servers and these clients hear each other. The view server checks or does not; servers ping.
    pub(super) fn only(&self, servers: &[usize], clients: &[usize], checks: bool) -> Switches {
        let mut group: Vec<Address> = servers.iter().map(|number| self.server(*number)).collect();
        group.extend(clients.iter().map(|number| self.client(*number)));
        group.push(self.views);
        self.all(checks).partition([group])
    }

    /// The same without the view server.
    pub(super) fn without_views(&self, servers: &[usize], clients: &[usize]) -> Switches {
        let servers = servers.iter().map(|number| self.server(*number));
        let clients = clients.iter().map(|number| self.client(*number));
        self.all(false).partition([servers.chain(clients).collect()])
    }

    /// Everybody hears everybody. Clients' timers are off: what they send again is on its way already.
    pub(super) fn all(&self, checks: bool) -> Switches {
        let off = self.clients.addresses().iter().copied();
        Switches::all_on().timers_off(off.chain((!checks).then_some(self.views)))
    }

    /// A phase in which these switches hold. Its limit is far above what a simple solution needs.
    pub(super) fn phase(&self, name: impl Into<String>, switches: Switches) -> Phase {
        self.look_around(name, switches, 500_000)
    }

    /// A phase that looks at this many states, nearest first, for anything wrong.
    pub(super) fn look_around(
        &self,
        name: impl Into<String>,
        switches: Switches,
        states_max: u64,
    ) -> Phase {
        let limits = Limits { states_max: Some(states_max), ..Limits::none() };
        Phase::new(name).allow(switches.filter(&self.world)).limits(limits)
    }

    /// The view server is at a view with this primary and this backup.
    pub(super) fn at(&self, primary: usize, backup: Option<usize>) -> Predicate {
        let (primary, backup) = (self.server(primary), backup.map(|it| self.server(it)));
        let second = backup.map_or("no backup".to_owned(), |it| format!("backup {it}"));
        let (views, name) = (self.views, format!("a view with primary {primary}, {second}"));
        self.world.predicate(name, Scope::nodes([views]), move |view, why| {
            let found = S::view(view.node(views));
            why.because(format_args!("the view server is at {found:?}"));
            (found.primary, found.backup) == (Some(primary), backup)
        })
    }

    /// The same, and the primary has acknowledged it.
    pub(super) fn established(&self, primary: usize, backup: Option<usize>) -> Predicate {
        let views = self.views;
        let name = "the primary has acknowledged the view";
        let is_acknowledged =
            self.world.predicate(name, Scope::nodes([views]), move |view, why| {
                let is = S::is_acknowledged(view.node(views));
                why.because(format_args!("the view is acknowledged: {is}"));
                is
            });
        let at = self.at(primary, backup);
        let name = format!("{}, which is acknowledged", at.name());
        at.and(is_acknowledged).named(name)
    }

    /// The clients with these numbers have at least this many results.
    pub(super) fn told(&self, clients: &[usize], n_results: usize) -> Predicate {
        let names: Vec<Address> = clients.iter().map(|number| self.client(*number)).collect();
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

    pub(super) fn nobody_told(&self) -> Predicate {
        let (scope, test) = (self.clients.scope(), self.clients.no_results());
        self.world.predicate("nobody is told anything", scope, test)
    }

    /// Something is on its way from one node to another.
    pub(super) fn message(&self, from: Address, to: Address) -> Predicate {
        let name = format!("{from} has sent something to {to}");
        self.world.message_in_network(name, move |it| (it.from, it.to) == (from, to))
    }
}
