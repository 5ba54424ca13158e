//! The tests of lab 1.
//! Searches are exhaustive: a solution whose retries lead back to the same state has few states, and all of them are visited.

use crate::ExactlyOnce;
use foresee::{
    Address, Application, BuildOptions, ClientWorker, Clients, Faults, KeyValueCommand,
    KeyValueResult, KeyValueStore, Network, Scope, Switches, Workload, World, WorldBuilder,
};
use foresee_labs::{
    Arena, Ending, Lab, Part, Plan, RunPlan, SearchPlan, SetUp, appends_in_one_order, few_copies,
    judged_linearizable, size_of_node,
};
use foresee_lts::Predicate;
use foresee_search::Limits;
use foresee_stateful::{Guide, Phase};
use std::sync::Arc;
use std::time::Duration;

type Commands = Workload<KeyValueCommand, KeyValueResult>;

/// The lab on a solution of it.
pub fn lab<S: ExactlyOnce>(solution: S) -> Lab {
    let standard = Setting::new(&solution).clients(2, same_key(1)).linearizable();
    let parts = vec![
        Part { number: 1, title: "the key-value application" },
        Part { number: 2, title: "at least once" },
        Part { number: 3, title: "exactly once" },
    ];
    let lab = Lab {
        id: "lab1",
        title: "exactly-once remote procedure calls",
        parts,
        tests: Vec::new(),
        standard: standard.searched(),
    };
    let lab = application(lab, &solution);
    let lab = at_least_once(lab, &solution);
    let lab = exactly_once_runs(lab, &solution);
    exactly_once_searches(lab, &solution)
}

fn application<S: ExactlyOnce>(lab: Lab, solution: &S) -> Lab {
    let (first, second) = (solution.clone(), solution.clone());
    lab.with(
        1,
        "a fixed table of commands and results",
        5,
        Plan::unit(move || fixed_table(first.store())),
    )
    .with(
        1,
        "2,000 commands beside a model",
        5,
        Plan::unit(move || beside_a_model(second.store())),
    )
}

fn at_least_once<S: ExactlyOnce>(lab: Lab, solution: &S) -> Lab {
    let setting = Setting::new(solution);
    let reliable = || RunPlan { messages_max: Some(3), ..RunPlan::default() };
    let idempotent = || commands("PUT:k:1; PUT:k:2; GET:k", "OK; OK; VALUE:2");
    lab.with(
        2,
        "one client, every kind of command",
        5,
        Plan::Run(setting.clients(1, mixed()).run(), reliable()),
    )
    .with(
        2,
        "ten clients, each with its own key",
        5,
        Plan::Run(setting.clients(10, own_key(10)).run(), reliable()),
    )
    .with(
        2,
        "ten clients append to one key",
        5,
        Plan::Run(setting.clients(10, same_key(5)).chained().run(), reliable()),
    )
    .with(
        2,
        "25 appends finish although half of the messages are lost",
        5,
        Plan::Run(setting.clients(1, appends(25)).without_judge().run(), RunPlan::unreliable(0.5)),
    )
    .with(
        2,
        "nobody is told anything while no message arrives, and everybody when they do",
        5,
        Plan::Search(setting.clients(2, same_key(2)).without_judge().silent(), SearchPlan::Guided),
    )
    .with(
        2,
        "whatever is lost, the client can still finish",
        10,
        Plan::Search(
            setting.clients(1, idempotent()).lossy(),
            SearchPlan::AlwaysPossible { states_max: 30_000 },
        ),
    )
}

fn exactly_once_runs<S: ExactlyOnce>(lab: Lab, solution: &S) -> Lab {
    let setting = Setting::new(solution);
    let load = RunPlan {
        wait_max: Some(Duration::from_secs(1)),
        messages_max: Some(3),
        ..RunPlan::default()
    };
    let slow = RunPlan {
        time_max: Duration::from_secs(30),
        ending: Ending::TimeUp { results_min: 5 },
        wait_max: Some(Duration::from_secs(10)),
        ..RunPlan::unreliable(0.3)
    };
    lab.with(
        3,
        "every kind of command, half of the messages lost",
        5,
        Plan::Run(setting.clients(1, mixed()).run(), RunPlan::unreliable(0.5)),
    )
    .with(
        3,
        "50 appends happen once each",
        5,
        Plan::Run(setting.clients(1, appends(50)).run(), RunPlan::unreliable(0.5)),
    )
    .with(
        3,
        "ten clients, each with its own key, messages lost",
        5,
        Plan::Run(setting.clients(10, own_key(10)).run(), RunPlan::unreliable(0.3)),
    )
    .with(
        3,
        "ten clients append to one key, messages lost",
        10,
        Plan::Run(setting.clients(10, same_key(5)).chained().run(), RunPlan::unreliable(0.3)),
    )
    .with(
        3,
        "the server forgets results that nobody needs",
        10,
        Plan::Run(setting.clients(1, large_values()).small().run(), RunPlan::default()),
    )
    .with(
        3,
        "five clients under load wait less than a second",
        5,
        Plan::Run(setting.clients(5, own_key(100)).run(), load),
    )
    .with(
        3,
        "a steady load over a bad network",
        5,
        Plan::Run(setting.clients(3, own_key(1000)).run(), slow),
    )
}

fn exactly_once_searches<S: ExactlyOnce>(lab: Lab, solution: &S) -> Lab {
    let setting = Setting::new(solution);
    let exhaust = |states_max| SearchPlan::Exhaust { states_max };
    let put_append_get = || commands("PUT:k:a; APPEND:k:b; GET:k", "OK; APPENDED:ab; VALUE:ab");
    lab.with(
        3,
        "put, append, get in every order of events",
        10,
        Plan::Search(setting.clients(1, put_append_get()).searched(), exhaust(20_000)),
    )
    .with(
        3,
        "three appends in every order of events",
        10,
        Plan::Search(setting.clients(1, appends(3)).searched(), exhaust(20_000)),
    )
    .with(
        3,
        "two clients, each with its own key",
        10,
        Plan::Search(setting.clients(2, own_key(2)).searched(), exhaust(50_000)),
    )
    .with(
        3,
        "two clients append to one key",
        15,
        Plan::Search(setting.clients(2, same_key(2)).linearizable().searched(), exhaust(100_000)),
    )
    .with(
        3,
        "whatever is lost, appends can still finish, once each",
        10,
        Plan::Search(
            setting.clients(1, appends(2)).lossy(),
            SearchPlan::AlwaysPossible { states_max: 30_000 },
        ),
    )
    .with(
        3,
        "handlers are functions of the state and the event",
        5,
        Plan::Search(setting.clients(2, same_key(1)).checked(), exhaust(20_000)),
    )
}

/// Who is there, and what is asked of them.
struct Setting<S: ExactlyOnce> {
    solution: S,
    n_clients: usize,
    commands: Commands,
    judge: Judge,
    /// Whether the server must be small at the end.
    is_small: bool,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Judge {
    /// Results are those that the workload expects.
    Expected,
    /// And linearizable, which is followed through every state.
    Followed,
    /// Appends of many clients to one key: each extends the one before.
    Chain,
    Nothing,
}

/// How messages travel, and what else the world is made for.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Made {
    Runs,
    Search,
    /// Two messages may be lost.
    Losses,
    /// Handlers are called twice.
    Code,
}

impl<S: ExactlyOnce> Setting<S> {
    fn new(solution: &S) -> Self {
        let solution = solution.clone();
        Setting {
            solution,
            n_clients: 0,
            commands: Workload::empty(),
            judge: Judge::Expected,
            is_small: false,
        }
    }

    fn clients(&self, n_clients: usize, commands: Commands) -> Self {
        let solution = self.solution.clone();
        Setting { solution, n_clients, commands, judge: self.judge, is_small: self.is_small }
    }

    fn linearizable(self) -> Self {
        Setting { judge: Judge::Followed, ..self }
    }

    fn chained(self) -> Self {
        Setting { judge: Judge::Chain, ..self }
    }

    fn without_judge(self) -> Self {
        Setting { judge: Judge::Nothing, ..self }
    }

    fn small(self) -> Self {
        Setting { is_small: true, ..self }
    }

    fn run(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| self.arena(name, options, Made::Runs).0)
    }

    fn searched(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            self.arena(name, options, Made::Search).0
        })
    }

    fn lossy(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            self.arena(name, options, Made::Losses).0
        })
    }

    fn checked(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| self.arena(name, options, Made::Code).0)
    }

    /// No message arrives, whatever timers fire.
    fn silent(self) -> SetUp {
        Arc::new(move |name: &str, options: &BuildOptions| {
            let (arena, world, clients) = self.arena(name, options, Made::Search);
            let told =
                world.predicate("nobody is told anything", clients.scope(), clients.no_results());
            let phase = Phase::new("only timers fire")
                .allow(Switches::all_on().network_off().filter(&world))
                .invariant(told)
                .limits(Limits { states_max: Some(5_000), ..Limits::none() });
            // Who never tells anybody anything earns nothing by it.
            let finished =
                world.predicate("every client has finished", clients.scope(), clients.all_done());
            let then = Phase::new("messages arrive")
                .goal(finished)
                .limits(Limits { states_max: Some(50_000), ..Limits::none() });
            arena.guided(Guide::new([phase, then]))
        })
    }

    fn arena(
        &self,
        name: &str,
        options: &BuildOptions,
        made: Made,
    ) -> (Arena, World<S::Message>, Clients<S::Client>) {
        let mut world = WorldBuilder::new(name);
        let server = world.add("server", self.solution.server());
        let names = Address::numbered("client", self.n_clients);
        for &client in &names {
            let worker = ClientWorker::new(self.solution.client(server), self.commands.clone());
            world.add_client(client, worker);
        }
        let clients = Clients::<S::Client>::new(names.clone());
        if self.judge != Judge::Nothing {
            world.invariant("results as expected", clients.scope(), clients.results_ok());
        }
        match (made, self.judge) {
            (_, Judge::Nothing) => {}
            (Made::Runs, Judge::Chain) => {
                let test = appends_in_one_order(&clients);
                world.invariant("appends happen once each, in one order", clients.scope(), test);
            }
            (Made::Runs, _) => judged_linearizable(&mut world, &names, KeyValueStore::default()),
            (_, Judge::Followed) => {
                world.linearizable(KeyValueStore::default());
            }
            _ => {}
        }
        if made == Made::Losses {
            world.network(Network::Multiset).faults(Faults { drops: 2, ..Faults::default() });
            few_copies(&mut world);
        }
        if made == Made::Search && self.judge != Judge::Nothing {
            world.reachable("every client has finished", clients.scope(), clients.all_done());
        }
        if made != Made::Runs {
            world.prune("every client has finished", clients.scope(), clients.all_done());
        }
        world.check_code(made == Made::Code);
        world.options(options);
        let world = world.build();
        let mut arena = Arena::new(&world, &clients);
        if self.is_small {
            arena = arena.at_end(small_server::<S>(&world, server));
        }
        (arena, world, clients)
    }
}

/// What the server keeps when all values but small ones are gone.
fn small_server<S: ExactlyOnce>(world: &World<S::Message>, server: Address) -> Predicate {
    const BYTES_MAX: usize = 20_000;
    world.predicate("the server keeps little", Scope::nodes([server]), move |view, why| {
        let bytes = size_of_node(view.node::<S::Server>(server));
        why.because(format_args!(
            "the server holds {bytes} bytes, at most {BYTES_MAX} are allowed: the store holds a few bytes by then, and each client \
             needs one result"
        ));
        bytes <= BYTES_MAX
    })
}

fn commands(commands: &str, results: &str) -> Commands {
    Workload::parse(commands, results).expect("a workload")
}

fn mixed() -> Commands {
    commands(
        "GET:a; PUT:a:1; GET:a; APPEND:a:2; APPEND:b:3; SWAP:b:3:4; SWAP:b:3:5; GET:b; PUT:a:; GET:a; GET:c",
        "MISSING; OK; VALUE:1; APPENDED:12; APPENDED:3; SWAPPED:true; SWAPPED:false; VALUE:4; OK; VALUE:; MISSING",
    )
}

/// Each client puts and gets under a key of its own.
fn own_key(rounds: usize) -> Commands {
    commands("PUT:%a:%i; GET:%a", "OK; VALUE:%i").repeat(rounds)
}

/// All clients append to one key; what they get depends on the others.
fn same_key(rounds: usize) -> Commands {
    commands("APPEND:log:<%a.%i>", "").repeat(rounds)
}

/// One client appends, and knows what it should get.
fn appends(n: usize) -> Commands {
    let values: Vec<String> = (1..=n).map(|i| format!("{i},")).collect();
    let appends = values.iter().map(|value| KeyValueCommand::append("k", value.clone()));
    let results = (1..=n).map(|i| KeyValueResult::AppendResult(values[..i].concat()));
    Workload::new(appends.collect::<Vec<_>>()).expecting(results.collect::<Vec<_>>())
}

/// Large values under one key, read back each time; small ones at the end.
fn large_values() -> Commands {
    let mut all = Vec::new();
    for i in 0..20 {
        let value = format!("{i}").repeat(10_000);
        all.push((KeyValueCommand::put("k", value.clone()), KeyValueResult::PutOk));
        all.push((KeyValueCommand::get("k"), KeyValueResult::GetResult(value)));
    }
    all.push((KeyValueCommand::put("k", "x"), KeyValueResult::PutOk));
    all.push((KeyValueCommand::get("k"), KeyValueResult::GetResult("x".into())));
    let (commands, results): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    Workload::new(commands).expecting(results)
}

fn fixed_table<A: Application<Command = KeyValueCommand, Result = KeyValueResult>>(
    mut store: A,
) -> Result<(), String> {
    let table = [
        ("GET:a", "MISSING"),
        ("PUT:a:1", "OK"),
        ("GET:a", "VALUE:1"),
        ("APPEND:a:2", "APPENDED:12"),
        ("GET:a", "VALUE:12"),
        ("APPEND:b:x", "APPENDED:x"),
        ("PUT:a:", "OK"),
        ("GET:a", "VALUE:"),
        ("SWAP:a::new", "SWAPPED:true"),
        ("SWAP:a:old:newer", "SWAPPED:false"),
        ("GET:a", "VALUE:new"),
        ("SWAP:c::c", "SWAPPED:true"),
        ("SWAP:d:x:y", "SWAPPED:false"),
        ("GET:d", "MISSING"),
        ("GET:b", "VALUE:x"),
    ];
    let mut before = Vec::new();
    for (command, expected) in table {
        let result = store.execute(&command.parse()?);
        let expected: KeyValueResult = expected.parse()?;
        if result != expected {
            let before = if before.is_empty() {
                "first".to_owned()
            } else {
                format!("after {}", before.join(", "))
            };
            return Err(format!("{command} returned {result:?}, expected {expected:?} ({before})"));
        }
        before.push(command);
    }
    Ok(())
}

fn beside_a_model<A: Application<Command = KeyValueCommand, Result = KeyValueResult>>(
    mut store: A,
) -> Result<(), String> {
    let mut model = KeyValueStore::default();
    let mut number = 1_u32;
    let mut draw = |below: u32| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 16) % below
    };
    for i in 0..2_000 {
        let key = format!("key{}", draw(5));
        let command = match draw(4) {
            0 => KeyValueCommand::get(key),
            1 => KeyValueCommand::put(key, draw(3).to_string()),
            2 => KeyValueCommand::append(key, draw(3).to_string()),
            _ => KeyValueCommand::swap(key, draw(3).to_string(), draw(3).to_string()),
        };
        let (result, expected) = (store.execute(&command), model.execute(&command));
        if result != expected {
            return Err(format!(
                "command {i}: {command} returned {result:?}, expected {expected:?}"
            ));
        }
    }
    Ok(())
}
