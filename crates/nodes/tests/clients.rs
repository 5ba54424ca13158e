//! Clients at work in worlds: a replicated-by-nobody key-value store, right and wrong, judged in every reachable state.

mod common;

use foresee_lts::{Claims, Predicate, State, System};
use foresee_nodes::{
    Address, Application, Client, ClientWorker, Clients, Context, Faults, KeyValueCommand,
    KeyValueResult, KeyValueStore, Network, Node, Register, RegisterOperation, RegisterResult,
    Workload, World, WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::time::Duration;

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Message {
    Request(u32, KeyValueCommand),
    Reply(u32, KeyValueResult),
}

/// Executes requests; remembers the last reply to each client, unless it is forgetful.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Server {
    store: KeyValueStore,
    replies: BTreeMap<Address, (u32, KeyValueResult)>,
    forgetful: bool,
}

impl Node for Server {
    type Message = Message;
    type Timer = ();
    fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
        let Message::Request(n, command) = message else { return };
        let last = self.replies.get(&from).filter(|_| !self.forgetful);
        let reply = match last {
            Some((m, _)) if *m > n => return,
            Some((m, reply)) if *m == n => reply.clone(),
            _ => self.store.execute(&command),
        };
        if !self.forgetful {
            self.replies.insert(from, (n, reply.clone()));
        }
        context.send(from, Message::Reply(n, reply));
    }
}

/// Asks, and asks again if no reply comes in time.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct StoreClient {
    server: Address,
    n: u32,
    command: Option<KeyValueCommand>,
    result: Option<KeyValueResult>,
}

impl StoreClient {
    fn new(server: Address) -> Self {
        StoreClient { server, n: 0, command: None, result: None }
    }

    fn ask(&self, context: &mut Context<Message, u32>) {
        let command = self.command.clone().expect("there is a command");
        context.send(self.server, Message::Request(self.n, command));
        context.set_timer(self.n, Duration::from_millis(50));
    }
}

impl Node for StoreClient {
    type Message = Message;
    type Timer = u32;
    fn on_message(&mut self, _from: Address, message: Message, _: &mut Context<Message, u32>) {
        if let Message::Reply(n, result) = message
            && n == self.n
        {
            self.result = Some(result);
        }
    }
    fn on_timer(&mut self, n: u32, context: &mut Context<Message, u32>) {
        if n == self.n && self.result.is_none() {
            self.ask(context);
        }
    }
    fn recover(&self, fresh: Self) -> Self {
        StoreClient { n: self.n, ..fresh }
    }
}

impl Client for StoreClient {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;
    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, u32>) {
        self.n += 1;
        (self.command, self.result) = (Some(command), None);
        self.ask(context);
    }
    fn result(&self) -> Option<KeyValueResult> {
        self.result.clone()
    }
}

type StoreWorkload = Workload<KeyValueCommand, KeyValueResult>;

fn store_builder(
    forgetful: bool,
    workloads: Vec<StoreWorkload>,
) -> (WorldBuilder<Message>, Clients<StoreClient>) {
    let mut world = WorldBuilder::new("store");
    let server = world.add("server", Server { forgetful, ..Server::default() });
    let names = Address::numbered("client", workloads.len());
    for (name, workload) in names.iter().zip(workloads) {
        world.add_client(*name, ClientWorker::new(StoreClient::new(server), workload));
    }
    let clients = Clients::new(names);
    world.prune("all done", clients.scope(), clients.all_done());
    (world, clients)
}

fn reachable(world: &World<Message>, states_max: usize) -> Vec<State> {
    let prunes = world.prunes();
    let mut seen: HashSet<State> = world.initial().into_iter().collect();
    let mut queue: VecDeque<State> = seen.iter().cloned().collect();
    let mut states = Vec::new();
    while let Some(state) = queue.pop_front() {
        if !prunes.iter().any(|prune| prune.holds(&state)) && states.len() < states_max {
            for action in common::enabled(world, &state) {
                let next = world.step(&state, action);
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        states.push(state);
    }
    states
}

fn first_broken<'a>(states: &'a [State], invariant: &Predicate) -> Option<&'a State> {
    states.iter().find(|state| !invariant.holds(state))
}

#[test]
fn a_store_that_remembers_its_replies_is_linearizable_everywhere() {
    let workloads = vec![
        Workload::parse("APPEND:k:%a; GET:k", "").unwrap(),
        Workload::parse("APPEND:k:%a", "").unwrap(),
    ];
    let (mut world, clients) = store_builder(false, workloads);
    world.linearizable(KeyValueStore::default());
    let world = world.build();
    let states = reachable(&world, 20_000);
    let followed = &world.properties()[0].predicate;
    let from_scratch = world.linearizable_from_scratch(KeyValueStore::default());
    let explained = clients.results_explained_by(KeyValueStore::default());
    let explained = world.predicate("explained", clients.scope(), explained);
    for state in &states {
        assert!(followed.holds(state) && from_scratch.holds(state) && explained.holds(state));
    }
    let done = world.predicate("done", clients.scope(), clients.all_done());
    assert!(states.iter().any(|state| done.holds(state)));
    assert!(states.len() > 50, "{}", states.len());
}

#[test]
fn a_store_that_appends_twice_is_caught_by_every_judge() {
    let workloads = vec![
        Workload::parse("APPEND:k:a; GET:k", "APPENDED:a; VALUE:a").unwrap(),
        Workload::new([KeyValueCommand::get("k")]),
    ];
    let (mut world, clients) = store_builder(true, workloads);
    world.linearizable(KeyValueStore::default());
    world.invariant("results ok", clients.scope(), clients.results_ok());
    let world = world.build();
    let states = reachable(&world, 3000);
    let from_scratch = world.linearizable_from_scratch(KeyValueStore::default());
    let followed = &world.properties()[0].predicate;
    for state in &states {
        assert_eq!(followed.holds(state), from_scratch.holds(state));
    }
    let broken = first_broken(&states, followed).expect("the same append happens twice");
    let text = followed.explain(broken);
    assert!(text.contains("which no order of the operations explains"), "{text}");
    assert_eq!(text, from_scratch.explain(broken));
    let results_ok = &world.properties()[1].predicate;
    let broken = first_broken(&states, results_ok).expect("an unexpected result");
    let text = results_ok.explain(broken);
    assert!(text.starts_with("client1's "), "{text}");
    assert!(text.contains(", expected "), "{text}");
    let explained = clients.results_explained_by(KeyValueStore::default());
    let explained = world.predicate("explained", clients.scope(), explained);
    let broken = first_broken(&states, &explained).expect("a result that nothing explains");
    assert!(explained.explain(broken).starts_with("no order of the operations explains"));
}

#[test]
fn predicates_about_results_say_why() {
    let workloads = vec![
        Workload::new([KeyValueCommand::put("k", "1")]),
        Workload::new([KeyValueCommand::get("k")]),
    ];
    let (world, clients) = store_builder(false, workloads);
    let world = world.build();
    let none = world.predicate("none", clients.scope(), clients.no_results());
    let same = world.predicate("same", clients.scope(), clients.results_same());
    let one = world.predicate("one", clients.scope(), clients.have_results(1));
    let done = world.predicate("done", clients.scope(), clients.all_done());

    let put = "Request(1, Put { key: \"k\", value: \"1\" })";
    let get = "Request(1, Get { key: \"k\" })";
    let to_server = |client: &str, what: &str| format!("deliver {client} -> server {what}");
    let to_client = |client: &str, what: &str| format!("deliver server -> {client} {what}");
    let mut events = Vec::new();
    let at = |events: &[String]| {
        common::run(&world, &events.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let state = at(&events);
    assert!(none.holds(&state) && same.holds(&state) && !one.holds(&state) && !done.holds(&state));
    assert_eq!(one.explain(&state), "client1 has 0 of 1 results");
    events.push(to_server("client1", put));
    events.push(to_client("client1", "Reply(1, PutOk)"));
    let state = at(&events);
    assert!(!none.holds(&state) && same.holds(&state));
    assert_eq!(none.explain(&state), "client1 has a result: PutOk");
    assert_eq!(done.explain(&state), "client1 is done; client2 waits for Get { key: \"k\" }");
    events.push(to_server("client2", get));
    events.push(to_client("client2", "Reply(1, GetResult(\"1\"))"));
    let state = at(&events);
    assert!(one.holds(&state) && done.holds(&state) && !same.holds(&state));
    assert_eq!(same.explain(&state), "client1 was told PutOk, client2 was told GetResult(\"1\")");
}

#[test]
fn a_client_that_crashes_leaves_an_operation_that_may_have_happened() {
    let workloads = vec![
        Workload::parse("APPEND:k:a; APPEND:k:b", "").unwrap(),
        Workload::new([KeyValueCommand::get("k")]),
    ];
    let (mut world, _) = store_builder(false, workloads);
    world.linearizable(KeyValueStore::default());
    let crashable = foresee_nodes::Crashable::Only(vec![Address::new("client1")]);
    world.faults(Faults { crashes: 1, restarts: 1, crashable, ..Faults::default() });
    let world = world.build();
    let states = reachable(&world, 20_000);
    let followed = &world.properties()[0].predicate;
    let from_scratch = world.linearizable_from_scratch(KeyValueStore::default());
    let broken = states.iter().find(|state| !followed.holds(state) || !from_scratch.holds(state));
    assert_eq!(broken.map(|state| followed.explain(state)), None);
    let lost = world.predicate("lost", foresee_nodes::Scope::Everything, |view, _| {
        let history = view.history(Address::new("client1"));
        history.len() == 2 && history[0].result.is_none() && history[1].result.is_some()
    });
    assert!(states.iter().any(|state| lost.holds(state)), "some run loses the first append");
}

/// A register client as Stateright has it: it writes once to a server and then reads from the next, without a worker.
#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Writer {
    server: Address,
    next: Address,
    value: char,
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum RegisterMessage {
    Put(char),
    Get,
    Answer(RegisterResult<char>),
}

impl Node for Writer {
    type Message = RegisterMessage;
    type Timer = ();
    fn init(&mut self, context: &mut Context<RegisterMessage, ()>) {
        context.invoked(RegisterOperation::Write(self.value));
        context.send(self.server, RegisterMessage::Put(self.value));
    }
    fn on_message(
        &mut self,
        _from: Address,
        message: RegisterMessage,
        context: &mut Context<RegisterMessage, ()>,
    ) {
        let RegisterMessage::Answer(result) = message else { return };
        let is_write = result == RegisterResult::WriteOk;
        context.returned(result);
        if is_write {
            context.invoked(RegisterOperation::<char>::Read);
            context.send(self.next, RegisterMessage::Get);
        }
    }
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
struct Cell(char);

impl Node for Cell {
    type Message = RegisterMessage;
    type Timer = ();
    fn on_message(
        &mut self,
        from: Address,
        message: RegisterMessage,
        context: &mut Context<RegisterMessage, ()>,
    ) {
        let answer = match message {
            RegisterMessage::Put(value) => {
                self.0 = value;
                RegisterResult::WriteOk
            }
            RegisterMessage::Get => RegisterResult::ReadOk(self.0),
            RegisterMessage::Answer(_) => return,
        };
        context.send(from, RegisterMessage::Answer(answer));
    }
}

fn register_world(n_servers: usize) -> World<RegisterMessage> {
    let mut world = WorldBuilder::new("single copy");
    let servers = Address::numbered("server", n_servers);
    for server in &servers {
        world.add(*server, Cell('0'));
    }
    for (i, client) in Address::numbered("client", 2).into_iter().enumerate() {
        let value = ['A', 'B'][i];
        let (server, next) = (servers[i % n_servers], servers[(i + 1) % n_servers]);
        world.add_client(client, Writer { server, next, value });
    }
    world.network(Network::Multiset);
    world.linearizable(Register::new('0'));
    world.build()
}

#[test]
fn one_copy_is_linearizable_and_two_are_not() {
    let check = |world: &World<RegisterMessage>| {
        let property = world.properties()[0].predicate.clone();
        let from_scratch = world.linearizable_from_scratch(Register::new('0'));
        let mut seen: HashSet<State> = world.initial().into_iter().collect();
        let mut queue: VecDeque<State> = seen.iter().cloned().collect();
        let mut broken = Vec::new();
        while let Some(state) = queue.pop_front() {
            assert_eq!(property.holds(&state), from_scratch.holds(&state));
            if !property.holds(&state) {
                broken.push(property.explain(&state));
            }
            for action in common::enabled(world, &state) {
                let next = world.step(&state, action);
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        (seen.len(), broken)
    };
    // Stateright's single-copy register with 2 clients and 1 server has 93 states.
    let (n_states, broken) = check(&register_world(1));
    assert_eq!((n_states, broken), (93, Vec::new()));
    let (_, broken) = check(&register_world(2));
    assert_eq!(
        broken[0],
        "client1's Read returned ReadOk('0'), which no order of the operations explains: it could only be \
         ReadOk('A') or ReadOk('B')\n\
         client1 |Write('A') -> WriteOk||Read -> ReadOk('0')|  <- impossible\n\
         client2  |Write('B') …\n"
    );
}
