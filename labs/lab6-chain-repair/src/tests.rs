//! The tests of lab 6.
//! Searches for harm let every order of messages happen and no timer fire: retries repeat what is explored anyway. Where the chain of
//! events is long, a guide leads the search to where it gets interesting: a writer half way down the chain, a repair under way.

use crate::{ChainRepair, Layout, Log, LogCommand, LogResult, Part, Task};
use foresee::{
    Address, BuildOptions, Client, ClientWorker, Clients, Data, Envelope, Faults, Network, Scope,
    Switches, View, Workload, World, WorldBuilder,
};
use foresee_labs::{
    Arena, Lab, Part as LabPart, Plan, RunPlan, SearchPlan, SetUp, few_copies, judged_linearizable,
};
use foresee_lts::{Predicate, Why};
use foresee_search::Limits;
use foresee_stateful::{Guide, Phase};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Commands = Workload<LogCommand, LogResult>;

/// The lab on a solution of it.
pub fn lab<S: ChainRepair>(solution: S) -> Lab {
    let parts = vec![
        LabPart { number: 1, title: "a chain" },
        LabPart { number: 2, title: "repair in a chain of two" },
        LabPart { number: 3, title: "repair in a chain of one" },
    ];
    let standard = Setting::new(&solution, 2).client(write("a")).client(reads(2)).repair();
    let lab = Lab {
        id: "lab6",
        title: "chain replication with repair",
        parts,
        tests: Vec::new(),
        standard: standard.searched(),
    };
    let lab = chain_runs(lab, &solution);
    let lab = chain_searches(lab, &solution);
    let lab = repair_runs(lab, &solution);
    let lab = repair_searches(lab, &solution);
    one_server(lab, &solution)
}

fn chain_runs<S: ChainRepair>(lab: Lab, solution: &S) -> Lab {
    let chain = || Setting::new(solution, 3);
    // A write visits three servers, a read one.
    let thrifty = RunPlan { messages_max: Some(6), ..RunPlan::default() };
    lab.with(
        1,
        "one client writes, reads, and finds keys taken",
        5,
        Plan::Run(chain().client(mixed()).run(), thrifty.clone()),
    )
    .with(
        1,
        "ten clients, each with its own keys",
        5,
        Plan::Run(chain().clients(10, own_keys(5)).run(), thrifty),
    )
    .with(
        1,
        "ten clients want the same keys",
        5,
        Plan::Run(chain().clients(10, same_keys(5)).run(), RunPlan::default()),
    )
    .with(
        1,
        "the same, a third of the messages lost",
        10,
        Plan::Run(chain().clients(10, same_keys(5)).run(), RunPlan::unreliable(0.3)),
    )
}

fn chain_searches<S: ChainRepair>(lab: Lab, solution: &S) -> Lab {
    let chain = || Setting::new(solution, 2);
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    lab.with(
        1,
        "two writers of one key in every order of events",
        10,
        Plan::Search(
            chain().client(write_then_read("a")).client(write_then_read("b")).searched(),
            exhaust(60_000),
        ),
    )
    .with(
        1,
        "a writer and a reader, messages late and doubled",
        10,
        Plan::Search(chain().client(write("a")).client(reads(2)).doubled(), exhaust(60_000)),
    )
    .with(
        1,
        "whatever is lost, writer and reader can still finish",
        10,
        Plan::Search(
            chain().client(write_then_read("a")).lossy(),
            SearchPlan::AlwaysPossible { states_max: 60_000 },
        ),
    )
    .with(
        1,
        "a writer falls silent half way; others finish and agree",
        10,
        Plan::Search(
            chain().client(write("a")).client(write_then_read("b")).silent_writer(),
            SearchPlan::Guided,
        ),
    )
    .with(
        1,
        "handlers are functions of the state and the event",
        5,
        Plan::Search(
            chain().client(write("a")).client(reads(1)).repair().checked(),
            exhaust(100_000),
        ),
    )
}

fn repair_runs<S: ChainRepair>(lab: Lab, solution: &S) -> Lab {
    let chain = || Setting::new(solution, 2).repair();
    lab.with(
        2,
        "a server is repaired while a client works",
        5,
        Plan::Run(chain().client(own_keys(10)).run(), RunPlan::default()),
    )
    .with(
        2,
        "ten clients want the same keys meanwhile",
        5,
        Plan::Run(
            chain().clients(10, same_keys(5)).run(),
            RunPlan { runs: 5, ..RunPlan::default() },
        ),
    )
    .with(
        2,
        "the same, a third of the messages lost",
        10,
        Plan::Run(
            chain().clients(10, same_keys(5)).run(),
            RunPlan { runs: 10, ..RunPlan::unreliable(0.3) },
        ),
    )
    .with(
        2,
        "two servers are repaired by two operators",
        10,
        Plan::Run(
            chain().repair().clients(3, same_keys(5)).run(),
            RunPlan { runs: 10, ..RunPlan::unreliable(0.2) },
        ),
    )
}

fn repair_searches<S: ChainRepair>(lab: Lab, solution: &S) -> Lab {
    let chain = || Setting::new(solution, 2).repair();
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    lab.with(
        2,
        "repair, a writer and a reader in every order of messages",
        15,
        Plan::Search(chain().client(write("a")).client(reads(2)).searched(), exhaust(400_000)),
    )
    .with(
        2,
        "repair and two writers in every order of messages",
        15,
        Plan::Search(chain().client(write("a")).client(write("b")).searched(), exhaust(600_000)),
    )
    .with(
        2,
        "repair, two writers and a reader in every order of messages",
        15,
        Plan::Search(
            chain().client(write("a")).client(write("b")).client(reads(2)).searched(),
            exhaust(1_000_000),
        ),
    )
    .with(
        2,
        "a writer from before the repair goes on after it",
        10,
        Plan::Search(chain().client(write("a")).client(reads(1)).slow_writer(), SearchPlan::Guided),
    )
    .with(
        2,
        "nothing is copied that the tail has not",
        10,
        Plan::Search(chain().client(write("a")).only_from_the_tail(), SearchPlan::Guided),
    )
    .with(
        2,
        "whatever is lost, a repair can still finish",
        10,
        Plan::Search(chain().lossy(), SearchPlan::AlwaysPossible { states_max: 200_000 }),
    )
    .with(
        2,
        "two operators at once in every order of messages",
        10,
        Plan::Search(chain().repair().client(write("a")).searched_without_end(), exhaust(600_000)),
    )
}

fn one_server<S: ChainRepair>(lab: Lab, solution: &S) -> Lab {
    let chain = || Setting::new(solution, 1).repair();
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    lab.with(
        3,
        "ten clients want the same keys meanwhile, messages lost",
        10,
        Plan::Run(
            chain().clients(10, same_keys(5)).run(),
            RunPlan { runs: 10, ..RunPlan::unreliable(0.3) },
        ),
    )
    .with(
        3,
        "a repair is begun and abandoned, messages lost",
        5,
        Plan::Run(
            chain().abandon().clients(5, same_keys(5)).run(),
            RunPlan { runs: 10, ..RunPlan::unreliable(0.3) },
        ),
    )
    .with(
        3,
        "repair, a writer and a reader in every order of messages",
        15,
        Plan::Search(chain().client(write("a")).client(reads(2)).searched(), exhaust(400_000)),
    )
    .with(
        3,
        "the repair is abandoned while a writer is half way",
        15,
        Plan::Search(
            chain().abandon().client(write("a")).client(reads(2)).client(reads(1)).abandoned(),
            SearchPlan::Guided,
        ),
    )
}

/// Who is there, and what is asked of them.
#[derive(Clone)]
struct Setting<S: ChainRepair> {
    solution: S,
    /// Of the first layout.
    n_servers: usize,
    tasks: Vec<Task>,
    clients: Vec<Commands>,
}

/// How messages travel, and what else the world is made for.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Made {
    Runs,
    /// Messages arrive once each, in any order; no timer fires.
    Search,
    /// The same, and not everybody need finish.
    SearchWithoutEnd,
    /// Messages may come again.
    Doubled,
    /// Two messages may be lost.
    Losses,
    /// Handlers are called twice.
    Code,
}

/// What a world is made of.
struct Stage<S: ChainRepair> {
    arena: Arena,
    world: World<S::Message>,
    clients: Clients<S::Client>,
    operators: Vec<Address>,
    servers: Vec<Address>,
    solution: S,
}

const LAYOUTS: &str = "layout";
/// So many clients can be judged quickly.
const FEW: usize = 3;
/// The only key of searches.
const KEY: &str = "k";

impl<S: ChainRepair> Setting<S> {
    fn new(solution: &S, n_servers: usize) -> Self {
        let solution = solution.clone();
        Setting { solution, n_servers, tasks: Vec::new(), clients: Vec::new() }
    }

    fn client(mut self, commands: Commands) -> Self {
        self.clients.push(commands);
        self
    }

    fn clients(mut self, n: usize, commands: Commands) -> Self {
        self.clients.extend(std::iter::repeat_n(commands, n));
        self
    }

    /// One more server, and an operator who gets it into the chain.
    fn repair(mut self) -> Self {
        let number = self.n_servers + self.n_repairs() + 1;
        self.tasks.push(Task::Repair(Address::new(&format!("server{number}"))));
        self
    }

    fn abandon(mut self) -> Self {
        self.tasks.push(Task::Abandon);
        self
    }

    fn n_repairs(&self) -> usize {
        self.tasks.iter().filter(|task| matches!(task, Task::Repair(_))).count()
    }

    fn run(self) -> SetUp {
        self.set_up(Made::Runs, |stage| stage.arena)
    }

    fn searched(self) -> SetUp {
        self.set_up(Made::Search, |stage| stage.arena)
    }

    fn searched_without_end(self) -> SetUp {
        self.set_up(Made::SearchWithoutEnd, |stage| stage.arena)
    }

    fn doubled(self) -> SetUp {
        self.set_up(Made::Doubled, |stage| stage.arena)
    }

    fn lossy(self) -> SetUp {
        self.set_up(Made::Losses, |stage| stage.arena)
    }

    fn checked(self) -> SetUp {
        self.set_up(Made::Code, |stage| stage.arena)
    }

    /// The first client falls silent when the head has its value and the tail has not; everybody else finishes.
    fn silent_writer(self) -> SetUp {
        self.set_up(Made::SearchWithoutEnd, |stage| {
            let half_way = stage.half_way();
            let others = Clients::<S::Client>::new([stage.clients.addresses()[1]]);
            let finished = stage.world.predicate(
                "the others have finished",
                others.scope(),
                others.all_done(),
            );
            let without = Switches::all_on().nodes_off([stage.writer()]).all_timers_off();
            let without = without.filter(&stage.world);
            stage.guided([
                half_way,
                Phase::new("the writer is silent").allow(without).goal(finished),
            ])
        })
    }

    /// The first client gets to the head, the repair happens, and only then does the client go on.
    fn slow_writer(self) -> SetUp {
        self.set_up(Made::SearchWithoutEnd, |stage| {
            let half_way = stage.half_way();
            let repaired = stage.operators_done();
            let without = Switches::all_on().nodes_off([stage.writer()]).all_timers_off();
            let (during, after) = (without.filter(&stage.world), stage.no_timers());
            stage.guided([
                half_way,
                Phase::new("the repair, without the writer").allow(during).goal(repaired),
                Phase::new("the writer goes on").allow(after).limits(states(100_000)),
            ])
        })
    }

    /// The repair of a chain whose head has a value that the tail has not.
    fn only_from_the_tail(self) -> SetUp {
        self.set_up(Made::SearchWithoutEnd, |stage| {
            let half_way = stage.half_way();
            let repaired = stage.operators_done();
            let (solution, server) = (stage.solution.clone(), stage.servers[stage.servers.len() - 1]);
            let title = "the repaired server holds nothing that the tail has not";
            let nothing = stage.world.predicate(title, Scope::nodes([server]), move |view, why| {
                let held = solution.stored(view.node::<S::Server>(server), Part::Whole, KEY);
                why.because(format_args!(
                    "{server} holds {held:?} under {KEY:?}, which was only at the head, from a writer that has not gone on"
                ));
                held.is_none()
            });
            let without = Switches::all_on().nodes_off([stage.writer()]).all_timers_off();
            let during = without.filter(&stage.world);
            stage.guided([
                half_way,
                Phase::new("the repair, without the writer")
                    .allow(during)
                    .invariant(nothing)
                    .goal(repaired),
            ])
        })
    }

    /// A repair begins, a writer gets half way, and the repair is abandoned.
    fn abandoned(self) -> SetUp {
        self.set_up(Made::SearchWithoutEnd, |stage| {
            let abandoner = stage.operators[1];
            let solution = stage.solution.clone();
            let layouts = Address::new(LAYOUTS);
            let begun = stage.world.predicate(
                "a repair is under way",
                Scope::nodes([layouts]),
                move |view, _| {
                    solution.current(view.node::<S::Layouts>(layouts)).repairing().is_some()
                },
            );
            let half_way = stage.half_way();
            let without = Switches::all_on().nodes_off([abandoner]).all_timers_off();
            let writers_wait = stage.clients.addresses().iter().copied().chain([abandoner]);
            let before = Switches::all_on().nodes_off(writers_wait).all_timers_off();
            let after = stage.no_timers();
            let (before, without) = (before.filter(&stage.world), without.filter(&stage.world));
            stage.guided([
                Phase::new("a repair begins").allow(before).goal(begun),
                Phase { allow: Some(without), ..half_way },
                Phase::new("the repair is abandoned, or not").allow(after).limits(states(300_000)),
            ])
        })
    }

    fn set_up(self, made: Made, end: impl Fn(Stage<S>) -> Arena + Send + Sync + 'static) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| end(self.stage(name, options, made)))
    }

    fn stage(&self, name: &str, options: &BuildOptions, made: Made) -> Stage<S> {
        let solution = self.solution.clone();
        let mut world = WorldBuilder::new(name);
        let servers = Address::numbered("server", self.n_servers + self.n_repairs());
        let first = Layout::first(&servers[..self.n_servers]);
        let layouts = world.add(LAYOUTS, solution.layouts(first.clone()));
        for &server in &servers {
            world.add(server, solution.server());
        }
        let names = Address::numbered("client", self.clients.len());
        for (&client, commands) in names.iter().zip(&self.clients) {
            let made = solution.client(layouts, first.clone());
            world.add_client(client, ClientWorker::new(made, commands.clone()));
        }
        let operators = Address::numbered("operator", self.tasks.len());
        for (&operator, &task) in operators.iter().zip(&self.tasks) {
            world.add(operator, solution.operator(layouts, task));
        }
        let clients = Clients::<S::Client>::new(names.clone());
        world.invariant("results as expected", clients.scope(), clients.results_ok());
        match made {
            // Judging many clients on one key takes too long; that all agree on its value does not.
            Made::Runs if names.len() > FEW => {
                let title = "each key has one value, and who has seen it sees it";
                world.judged(Log::default());
                world.invariant(title, clients.scope(), one_value::<S::Client>(&clients));
            }
            Made::Runs => judged_linearizable(&mut world, &names, Log::default()),
            _ => {
                world.linearizable(Log::default());
            }
        }
        chain_in_order(&mut world, &solution, &servers);
        match made {
            Made::Search | Made::SearchWithoutEnd | Made::Code => {
                world.network(Network::ExactlyOnce);
            }
            Made::Losses => {
                world.network(Network::Multiset).faults(Faults { drops: 2, ..Faults::default() });
                match self.tasks.is_empty() {
                    true => few_copies(&mut world),
                    false => no_copies(&mut world),
                }
            }
            Made::Runs | Made::Doubled => {}
        }
        let (scope, all) =
            (everybody(&names, &operators), all_done(&solution, &clients, &operators));
        if matches!(made, Made::Search | Made::Doubled) {
            world.reachable("every client has finished", scope.clone(), all.clone());
        }
        if made != Made::Runs {
            world.prune("every client has finished", scope.clone(), all.clone());
        }
        world.check_code(made == Made::Code);
        world.options(options);
        let world = world.build();
        let mut arena = Arena::new(&world, &clients);
        arena.done = world.predicate("every client has finished", scope, all);
        if matches!(made, Made::Search | Made::SearchWithoutEnd | Made::Code) {
            arena = arena.allowing(Switches::all_on().all_timers_off().filter(&world));
        }
        Stage { arena, world, clients, operators, servers, solution }
    }
}

impl<S: ChainRepair> Stage<S> {
    fn writer(&self) -> Address {
        self.clients.addresses()[0]
    }

    fn no_timers(&self) -> foresee_lts::Allow {
        Switches::all_on().all_timers_off().filter(&self.world)
    }

    /// The first server has the first client's value, the last of the first layout has not.
    fn half_way(&self) -> Phase {
        let (solution, layouts) = (self.solution.clone(), Address::new(LAYOUTS));
        let title = "the head has the writer's value, the tail has not";
        let scope = Scope::nodes(self.servers.iter().copied().chain([layouts]));
        let goal = self.world.predicate(title, scope, move |view, _| {
            let layout = solution.current(view.node::<S::Layouts>(layouts));
            let head = layout.chain.iter().find(|place| place.part != Part::Repaired);
            let at = |place: &crate::Place| {
                solution.stored(view.node::<S::Server>(place.server), place.part, KEY)
            };
            head.and_then(at).as_deref() == Some("a") && at(&layout.tail).is_none()
        });
        let others = self.clients.addresses()[1..].iter().chain(&self.operators).copied();
        let alone = Switches::all_on().nodes_off(others).all_timers_off();
        Phase::new("a writer gets to the head").allow(alone.filter(&self.world)).goal(goal)
    }

    fn operators_done(&self) -> Predicate {
        let clients = Clients::<S::Client>::new([]);
        let all = all_done(&self.solution, &clients, &self.operators);
        self.world.predicate("the repair is done", everybody(&[], &self.operators), all)
    }

    fn guided<const N: usize>(self, phases: [Phase; N]) -> Arena {
        self.arena.guided(Guide::new(phases))
    }
}

fn everybody(clients: &[Address], operators: &[Address]) -> Scope {
    Scope::nodes(clients.iter().chain(operators).copied())
}

fn all_done<S: ChainRepair>(
    solution: &S,
    clients: &Clients<S::Client>,
    operators: &[Address],
) -> impl Fn(&View<'_, S::Message>, &mut Why) -> bool + Clone + Send + Sync + 'static {
    let (solution, clients, operators) =
        (solution.clone(), clients.addresses().to_vec(), operators.to_vec());
    move |view, why| {
        let is_idle = |name: &&Address| !view.node::<ClientWorker<S::Client>>(**name).is_done();
        let works = |name: &&Address| !solution.is_done(view.node::<S::Operator>(**name));
        let open: Vec<Address> =
            clients.iter().filter(is_idle).chain(operators.iter().filter(works)).copied().collect();
        why.because(format_args!("{open:?} have not finished"));
        open.is_empty()
    }
}

/// Holds back states in which some message is on its way twice: a repair takes many messages, and what is lost is sent again all the same.
fn no_copies<M: Data>(world: &mut WorldBuilder<M>) {
    world.prune("a message is on its way twice", Scope::network(), |view, _| {
        let all: Vec<&Envelope<M>> = view.messages().collect();
        all.windows(2).any(|pair| pair[0] == pair[1])
    });
}

/// All clients have seen the same value of each key, somebody has asked for it to be written, and who has seen it does not find the key
/// empty later.
fn one_value<C: Client<Command = LogCommand, Result = LogResult>>(
    clients: &Clients<C>,
) -> impl Fn(&View<'_, C::Message>, &mut Why) -> bool + Send + Sync + 'static {
    let names = clients.addresses().to_vec();
    move |view, why| {
        let mut values: BTreeMap<String, (String, Address)> = BTreeMap::new();
        for &name in &names {
            let mut seen = BTreeSet::new();
            for outcome in view.node::<ClientWorker<C>>(name).outcomes() {
                let (key, value) = match (&outcome.command, &outcome.result) {
                    (LogCommand::Write { key, value }, Some(LogResult::Written)) => (key, value),
                    (LogCommand::Write { key, .. }, Some(LogResult::Taken(value)))
                    | (LogCommand::Read { key }, Some(LogResult::Value(value))) => (key, value),
                    (LogCommand::Read { key }, Some(LogResult::Nothing)) if seen.contains(key) => {
                        why.because(format_args!(
                            "{name} has seen a value under {key:?}, and then none"
                        ));
                        return false;
                    }
                    _ => continue,
                };
                seen.insert(key.clone());
                let known = values.entry(key.clone()).or_insert_with(|| (value.clone(), name));
                if known.0 != *value {
                    let (other, who) = known;
                    why.because(format_args!(
                        "under {key:?} {who} was told of {other:?}, and {name} of {value:?}"
                    ));
                    return false;
                }
            }
        }
        true
    }
}

/// In every layout, what a server holds stands on every server before it, and is the same value there; a server that is being repaired does
/// not count yet.
fn chain_in_order<S: ChainRepair>(
    world: &mut WorldBuilder<S::Message>,
    solution: &S,
    servers: &[Address],
) {
    let (solution, layouts) = (solution.clone(), Address::new(LAYOUTS));
    let scope = Scope::nodes(servers.iter().copied().chain([layouts]));
    world.invariant("each key stands on a first part of the chain", scope, move |view, why| {
        let layout = solution.current(view.node::<S::Layouts>(layouts));
        let places = layout.chain.iter().filter(|place| place.part != Part::Repaired);
        let held: Vec<Option<String>> = places
            .clone()
            .map(|place| solution.stored(view.node::<S::Server>(place.server), place.part, KEY))
            .collect();
        let is_ordered = held.windows(2).all(|pair| pair[1].is_none() || pair[0] == pair[1]);
        if !is_ordered {
            let told: Vec<String> = places
                .zip(&held)
                .map(|(place, held)| match held {
                    Some(value) => format!("{} holds {value:?}", place.server),
                    None => format!("{} holds nothing", place.server),
                })
                .collect();
            why.because(format_args!(
                "in the chain of epoch {}, under {KEY:?}: {}",
                layout.epoch,
                told.join(", ")
            ));
        }
        is_ordered
    });
}

fn states(states_max: u64) -> Limits {
    Limits { states_max: Some(states_max), ..Limits::none() }
}

fn commands(commands: &str, results: &str) -> Commands {
    Workload::parse(commands, results).expect("a workload")
}

fn mixed() -> Commands {
    commands(
        "READ:k; WRITE:k:a; READ:k; WRITE:k:b; WRITE:k:a; READ:l; WRITE:l:c; READ:l; READ:k",
        "NOTHING; WRITTEN; VALUE:a; TAKEN:a; WRITTEN; NOTHING; WRITTEN; VALUE:c; VALUE:a",
    )
}

/// Each client writes keys of its own and reads them back.
fn own_keys(rounds: usize) -> Commands {
    commands("WRITE:%a-%i:%i; READ:%a-%i", "WRITTEN; VALUE:%i").repeat(rounds)
}

/// All clients want the same keys.
fn same_keys(rounds: usize) -> Commands {
    commands("READ:k; WRITE:k:%a; READ:k; READ:k%i; WRITE:k%i:%a; READ:k%i", "").repeat(rounds)
}

fn write(value: &str) -> Commands {
    commands(&format!("WRITE:{KEY}:{value}"), "")
}

fn write_then_read(value: &str) -> Commands {
    commands(&format!("WRITE:{KEY}:{value}; READ:{KEY}"), "")
}

fn reads(n: usize) -> Commands {
    commands(&format!("READ:{KEY}"), "").repeat(n)
}
