//! Masters, groups, an operator and clients; what is always asked of them, and the words in which searches say where they want to go.

use super::Commands;
use super::operator::Paced;
use crate::{Held, MasterCommand, ShardedStore, Store};
use foresee::{
    Address, BuildOptions, ClientWorker, Clients, Data, Envelope, Faults, Network, Scope,
    Sequential, Switches, View, World, WorldBuilder,
};
use foresee_labs::{Arena, SetUp, judged_linearizable, size_of_node};
use foresee_lts::{Predicate, Why};
use foresee_search::Limits;
use foresee_stateful::{Guide, Phase};
use std::sync::Arc;
use std::time::Duration;

/// Who is there, and what is asked of them.
#[derive(Clone)]
pub(super) struct Setting<S: ShardedStore> {
    solution: S,
    n_masters: usize,
    n_groups: usize,
    /// Of each group.
    n_servers: usize,
    n_shards: usize,
    operator: Vec<MasterCommand>,
    pause: Duration,
    /// One for each client.
    commands: Vec<Commands>,
    has_transactions: bool,
    ends: Vec<End>,
    checks_code: bool,
    /// How many messages may be lost, in searches in which those that arrive are used up.
    drops: Option<u32>,
}

/// What must hold when a run is over.
#[derive(Clone, Copy, Eq, PartialEq)]
enum End {
    /// Servers of this group keep little.
    Small { group: usize, bytes_max: usize },
    /// Nobody has been told anything.
    NothingTold,
}

/// A world, and who is who in it.
pub(super) struct Scene<S: ShardedStore> {
    pub(super) world: World<S::Message>,
    masters: Vec<Address>,
    /// By group.
    servers: Vec<Vec<Address>>,
    clients: Clients<S::Client>,
    n_shards: usize,
}

const OPERATOR: &str = "operator";

/// A store whose histories are judged whole, not key by key: some commands are on several keys.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
struct Whole(Store);

impl Sequential for Whole {
    type Operation = crate::StoreCommand;
    type Result = crate::StoreResult;

    fn apply(&mut self, command: &crate::StoreCommand) -> crate::StoreResult {
        self.0.apply(command)
    }
}

pub(super) fn server_name(group: usize, number: usize) -> Address {
    Address::new(&format!("server{group}-{number}"))
}

impl<S: ShardedStore> Setting<S> {
    /// One master, one group of one server, ten shards, nobody who asks for anything.
    pub(super) fn new(solution: &S) -> Self {
        Setting {
            solution: solution.clone(),
            n_masters: 1,
            n_groups: 1,
            n_servers: 1,
            n_shards: 10,
            operator: Vec::new(),
            pause: Duration::ZERO,
            commands: Vec::new(),
            has_transactions: false,
            ends: Vec::new(),
            checks_code: false,
            drops: None,
        }
    }

    pub(super) fn masters(self, n_masters: usize) -> Self {
        Setting { n_masters, ..self }
    }

    pub(super) fn groups(self, n_groups: usize, n_servers: usize) -> Self {
        Setting { n_groups, n_servers, ..self }
    }

    pub(super) fn shards(self, n_shards: usize) -> Self {
        Setting { n_shards, ..self }
    }

    /// The operator's commands, separated by `;`. A group joins with all its servers: `JOIN:2`.
    pub(super) fn operator(mut self, commands: &str) -> Self {
        let commands = commands.split(';').map(str::trim).filter(|it| !it.is_empty());
        self.operator = commands.map(|it| self.master_command(it)).collect();
        self
    }

    fn master_command(&self, text: &str) -> MasterCommand {
        match text.strip_prefix("JOIN:").and_then(|group| group.parse::<usize>().ok()) {
            Some(group) => {
                let servers = (1..=self.n_servers).map(|number| server_name(group, number));
                MasterCommand::Join { group: group as u32, servers: servers.collect() }
            }
            None => text.parse().expect("a command of the master"),
        }
    }

    /// The operator waits so long after each result.
    pub(super) fn every(self, ms: u64) -> Self {
        Setting { pause: Duration::from_millis(ms), ..self }
    }

    pub(super) fn clients(mut self, n_clients: usize, commands: Commands) -> Self {
        self.commands.extend(vec![commands; n_clients]);
        self
    }

    /// Some commands are on several keys.
    pub(super) fn transactions(self) -> Self {
        Setting { has_transactions: true, ..self }
    }

    pub(super) fn checked(self) -> Self {
        Setting { checks_code: true, ..self }
    }

    /// A message arrives once, and so many are lost.
    pub(super) fn losing(self, drops: u32) -> Self {
        Setting { drops: Some(drops), ..self }
    }

    pub(super) fn nothing_told(mut self) -> Self {
        self.ends.push(End::NothingTold);
        self
    }

    /// Servers of this group keep no more than this when the run is over.
    pub(super) fn small(mut self, group: usize, bytes_max: usize) -> Self {
        self.ends.push(End::Small { group, bytes_max });
        self
    }

    pub(super) fn run(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let scene = self.scene(name, options, false);
            let arena = scene.arena();
            self.ends.iter().fold(arena, |arena, end| arena.at_end(scene.end(*end)))
        })
    }

    pub(super) fn searched(self) -> SetUp {
        self.searched_within(|_| Switches::all_on())
    }

    /// A search in which no timer fires.
    pub(super) fn without_timers(self) -> SetUp {
        self.searched_within(|_| Switches::all_on().all_timers_off())
    }

    /// A search in which not everything may happen.
    pub(super) fn searched_within(
        self,
        switches: impl Fn(&Scene<S>) -> Switches + Send + Sync + 'static,
    ) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let scene = self.scene(name, options, true);
            let allow = switches(&scene).filter(&scene.world);
            scene.arena().allowing(allow)
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
            scene.arena().guided(guide)
        })
    }

    fn scene(&self, name: &str, options: &BuildOptions, is_search: bool) -> Scene<S> {
        let mut world = WorldBuilder::new(name);
        let masters = Address::numbered("master", self.n_masters);
        let groups = 1..=self.n_groups;
        let servers: Vec<Vec<Address>> = groups
            .map(|group| (1..=self.n_servers).map(|number| server_name(group, number)).collect())
            .collect();
        let names = Address::numbered("client", self.commands.len());
        self.populate(&mut world, &masters, &servers, &names);
        let clients = Clients::<S::Client>::new(names.clone());
        world.invariant("results as expected", clients.scope(), clients.results_ok());
        match (is_search, self.has_transactions) {
            (true, _) => drop(world.linearizable(Whole::default())),
            (false, false) => judged_linearizable(&mut world, &names, Store::default()),
            (false, true) => judged_linearizable(&mut world, &names, Whole::default()),
        }
        let done = all_done::<S>(&names);
        let everybody = || Scope::nodes(names.iter().copied().chain([Address::new(OPERATOR)]));
        if is_search {
            world.prune("everybody has finished", everybody(), done.clone());
        }
        if is_search {
            world.reachable("everybody has finished", everybody(), done);
        }
        if self.n_servers == 1 {
            one_owner::<S>(&mut world, &servers, self.n_shards);
        }
        if let Some(drops) = self.drops {
            world.network(Network::Multiset).faults(Faults { drops, ..Faults::default() });
            no_copies(&mut world);
        }
        world.check_code(self.checks_code);
        world.options(options);
        let n_shards = self.n_shards;
        Scene { world: world.build(), masters, servers, clients, n_shards }
    }

    fn populate(
        &self,
        world: &mut WorldBuilder<S::Message>,
        masters: &[Address],
        servers: &[Vec<Address>],
        clients: &[Address],
    ) {
        for &master in masters {
            world.add(master, self.solution.master_server(masters, self.n_shards));
        }
        for (group, names) in servers.iter().enumerate() {
            for &name in names {
                let server = self.solution.server(group as u32 + 1, names, masters, self.n_shards);
                world.add(name, server);
            }
        }
        let operator = self.solution.operator(masters);
        world.add(OPERATOR, Paced::new(operator, self.operator.clone(), self.pause));
        for (&client, commands) in clients.iter().zip(&self.commands) {
            let worker = self.solution.client(masters, self.n_shards);
            world.add_client(client, ClientWorker::new(worker, commands.clone()));
        }
    }
}

/// Holds back states in which some message is on its way twice: what is lost is sent again all the same.
fn no_copies<M: Data>(world: &mut WorldBuilder<M>) {
    world.prune("a message is on its way twice", Scope::network(), |view, _| {
        let all: Vec<&Envelope<M>> = view.messages().collect();
        all.windows(2).any(|pair| pair[0] == pair[1])
    });
}

/// In groups of one server, nobody lags behind: no shard is served by two.
fn one_owner<S: ShardedStore>(
    world: &mut WorldBuilder<S::Message>,
    servers: &[Vec<Address>],
    n_shards: usize,
) {
    let names: Vec<Address> = servers.iter().flatten().copied().collect();
    let scope = Scope::nodes(names.iter().copied());
    world.invariant("a shard is served by one group at a time", scope, move |view, why| {
        (0..n_shards).all(|shard| {
            let serves =
                |name: &&Address| S::held(view.node::<S::Server>(**name), shard) == Held::Served;
            let who: Vec<String> = names.iter().filter(serves).map(ToString::to_string).collect();
            why.because(format_args!("shard {shard} is served by {}", who.join(" and by ")));
            who.len() <= 1
        })
    });
}

fn all_done<S: ShardedStore>(
    clients: &[Address],
) -> impl Fn(&View<'_, S::Message>, &mut Why) -> bool + Clone + Send + Sync + 'static {
    let clients = clients.to_vec();
    move |view, why| {
        let operator = Address::new(OPERATOR);
        let is_open = |name: &&Address| !view.node::<ClientWorker<S::Client>>(**name).is_done();
        let mut open: Vec<Address> = clients.iter().filter(is_open).copied().collect();
        open.extend((!view.node::<Paced<S::Operator>>(operator).is_done()).then_some(operator));
        why.because(format_args!("{open:?} have not finished"));
        open.is_empty()
    }
}

impl<S: ShardedStore> Scene<S> {
    fn arena(&self) -> Arena {
        let mut arena = Arena::new(&self.world, &self.clients);
        arena.done = self.all_told();
        arena
    }

    /// A server of a group.
    pub(super) fn server(&self, group: usize, number: usize) -> Address {
        self.servers[group - 1][number - 1]
    }

    pub(super) fn group(&self, group: usize) -> &[Address] {
        &self.servers[group - 1]
    }

    /// All servers of all groups.
    pub(super) fn all_servers(&self) -> Vec<Address> {
        self.servers.concat()
    }

    pub(super) fn client(&self, number: usize) -> Address {
        self.clients.addresses()[number - 1]
    }

    pub(super) fn clients(&self) -> Vec<Address> {
        self.clients.addresses().to_vec()
    }

    pub(super) fn operator(&self) -> Address {
        Address::new(OPERATOR)
    }

    /// Only the timers of these nodes fire.
    pub(super) fn timers_of(&self, fire: &[Address]) -> Switches {
        let off = self.world.addresses().into_iter().filter(|name| !fire.contains(name));
        Switches::all_on().timers_off(off)
    }

    /// Only these nodes take part, and only the timers of some of them fire.
    pub(super) fn only(&self, nodes: &[&[Address]], fire: &[Address]) -> Switches {
        let nodes = nodes.concat();
        let off = self.world.addresses().into_iter().filter(|name| !nodes.contains(name));
        self.timers_of(fire).nodes_off(off)
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

    /// What a server has to do with a shard.
    pub(super) fn held(&self, group: usize, number: usize, shard: usize, held: Held) -> Predicate {
        let name = self.server(group, number);
        let title = format!("for {name}, shard {shard} is {held:?}");
        self.world.predicate(title, Scope::nodes([name]), move |view, why| {
            let found = S::held(view.node(name), shard);
            why.because(format_args!("for {name}, shard {shard} is {found:?}"));
            found == held
        })
    }

    /// The same of some shard.
    pub(super) fn some_held(&self, group: usize, number: usize, held: Held) -> Predicate {
        let (name, n_shards) = (self.server(group, number), self.n_shards);
        let title = format!("for {name}, some shard is {held:?}");
        self.world.predicate(title, Scope::nodes([name]), move |view, why| {
            let found = |shard| S::held(view.node(name), shard);
            let all: Vec<String> =
                (0..n_shards).map(|shard| format!("{:?}", found(shard))).collect();
            why.because(format_args!("for {name}, the shards are {}", all.join(", ")));
            (0..n_shards).any(|shard| found(shard) == held)
        })
    }

    /// A server has come to this configuration.
    pub(super) fn at(&self, group: usize, number: usize, configuration: u64) -> Predicate {
        let name = self.server(group, number);
        let title = format!("{name} is at configuration {configuration}");
        self.world.predicate(title, Scope::nodes([name]), move |view, why| {
            let found = S::configuration(view.node(name));
            why.because(format_args!("{name} is at configuration {found}"));
            found == configuration
        })
    }

    /// The operator has this many results.
    pub(super) fn operated(&self, n_results: usize) -> Predicate {
        let name = self.operator();
        let title = format!("{n_results} of the operator's commands are done");
        self.world.predicate(title, Scope::nodes([name]), move |view, why| {
            let found = view.node::<Paced<S::Operator>>(name).n_results();
            why.because(format_args!("{found} of the operator's commands are done"));
            found == n_results
        })
    }

    /// A client has at least this many results.
    pub(super) fn told(&self, client: usize, n_results: usize) -> Predicate {
        let name = self.client(client);
        let some = Clients::<S::Client>::new([name]);
        let results = if n_results == 1 { "result" } else { "results" };
        let title = format!("{name} has {n_results} {results}");
        self.world.predicate(title, some.scope(), some.have_results(n_results))
    }

    pub(super) fn all_told(&self) -> Predicate {
        let names = self.clients.addresses().to_vec();
        let scope = Scope::nodes(names.iter().copied().chain([self.operator()]));
        self.world.predicate("everybody has finished", scope, all_done::<S>(&names))
    }

    pub(super) fn masters(&self) -> &[Address] {
        &self.masters
    }

    fn end(&self, end: End) -> Predicate {
        match end {
            End::Small { group, bytes_max } => {
                let names = self.group(group).to_vec();
                let scope = Scope::nodes(names.iter().copied());
                let title = "servers keep nothing of shards that have left";
                self.world.predicate(title, scope, move |view, why| {
                    names.iter().all(|name| {
                        let bytes = size_of_node(view.node::<S::Server>(*name));
                        why.because(format_args!(
                            "{name} holds {bytes} bytes, at most {bytes_max} are allowed"
                        ));
                        bytes <= bytes_max
                    })
                })
            }
            End::NothingTold => {
                let (scope, test) = (self.clients.scope(), self.clients.no_results());
                self.world.predicate("nobody is told anything", scope, test)
            }
        }
    }
}
