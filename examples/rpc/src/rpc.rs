//! Exactly-once remote procedure calls: a client sends a command again until it is answered, the server carries out each command once.
//! Every command has the number of its client's call. The server keeps the last answer for each client: a command that comes again
//! gets the same answer and does nothing. One answer a client is enough, because a client has one call open at a time.

use foresee::{
    Address, Application, ArgumentError, Arguments, BuildOptions, Client, ClientWorker, Context,
    Entry, KeyValueCommand, KeyValueResult, KeyValueStore, Network, Node, Parameter, Runnable,
    Scope, Workload, WorldBuilder,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

const RETRY_AFTER: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) enum Message {
    Request { call: u64, command: KeyValueCommand },
    Reply { call: u64, result: KeyValueResult },
}

#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Retry {
    call: u64,
}

/// Carries out each command once.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Server {
    store: KeyValueStore,
    /// For each client its last call and what it was answered.
    answered: BTreeMap<Address, (u64, KeyValueResult)>,
    /// The mistake: it carries out whatever comes.
    is_forgetful: bool,
}

impl Node for Server {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        let Message::Request { call, command } = message else { return };
        let known = if self.is_forgetful { None } else { self.answered.get(&from) };
        let result = match known {
            Some((last, _)) if call < *last => return, // an old one: its client has moved on
            Some((last, result)) if call == *last => result.clone(),
            _ => {
                let result = self.store.execute(&command);
                self.answered.insert(from, (call, result.clone()));
                result
            }
        };
        context.send(from, Message::Reply { call, result });
    }
}

/// Sends a command until it is answered.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Caller {
    server: Address,
    call: u64,
    command: Option<KeyValueCommand>,
    result: Option<KeyValueResult>,
}

impl Caller {
    pub(crate) fn new(server: Address) -> Self {
        Caller { server, call: 0, command: None, result: None }
    }

    fn ask(&self, context: &mut Context<Message, Retry>) {
        let Some(command) = self.command.clone() else { return };
        context.send(self.server, Message::Request { call: self.call, command });
        context.set_timer(Retry { call: self.call }, RETRY_AFTER);
    }
}

impl Node for Caller {
    type Message = Message;
    type Timer = Retry;

    fn on_message(
        &mut self,
        _from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        if let Message::Reply { call, result } = message
            && call == self.call
            && self.result.is_none()
        {
            self.command = None;
            context.cancel_timer(Retry { call });
            self.result = Some(result);
        }
    }

    fn on_timer(&mut self, Retry { call }: Retry, context: &mut Context<Message, Retry>) {
        if call == self.call && self.result.is_none() {
            self.ask(context);
        }
    }
}

impl Client for Caller {
    type Command = KeyValueCommand;
    type Result = KeyValueResult;

    fn send_command(&mut self, command: KeyValueCommand, context: &mut Context<Message, Retry>) {
        self.call += 1;
        self.command = Some(command);
        self.result = None;
        self.ask(context);
    }

    fn result(&self) -> Option<KeyValueResult> {
        self.result.clone()
    }
}

/// The system, its parameters, and what it does under load.
pub(crate) fn entry() -> Entry {
    Entry::new("rpc", "clients call a key-value store; every call happens exactly once")
        .parameter(Parameter::number("clients", 2, 1..=4, "clients, each with two calls"))
        .parameter(Parameter::word(
            "bug",
            &["none", "forgetful"],
            "forgetful: calls that come again are carried out again",
        ))
        .build_with(build)
        .load_with(build_load)
}

type Built = Result<Box<dyn Runnable>, ArgumentError>;

/// Every client appends to one key, so that a call that happens twice is seen.
fn build(arguments: &Arguments, options: &BuildOptions) -> Built {
    let (mut world, server) = world(arguments, options);
    let clients = Address::numbered("client", arguments.number("clients") as usize);
    for &client in &clients {
        let commands = [KeyValueCommand::append("log", client.name()), KeyValueCommand::get("log")];
        world.add_client(client, ClientWorker::new(Caller::new(server), Workload::new(commands)));
    }
    world.linearizable(KeyValueStore::default());
    world.reachable("all clients are done", Scope::nodes(clients.clone()), move |view, _| {
        clients.iter().all(|client| view.node::<ClientWorker<Caller>>(*client).is_done())
    });
    Ok(Box::new(world.build()))
}

/// Clients that put 64 bytes under ten keys of their own and one that all share, again and again.
fn build_load(arguments: &Arguments, options: &BuildOptions) -> Built {
    let (mut world, server) = world(arguments, options);
    // A real network does not deliver everything again for ever, and a long run would remember all of it.
    world.network(Network::Multiset);
    for (index, client) in
        Address::numbered("client", arguments.number("load") as usize).into_iter().enumerate()
    {
        world.add_client(client, Putter::new(server, index as u64));
    }
    world.judged(KeyValueStore::default());
    Ok(Box::new(world.build()))
}

fn world(arguments: &Arguments, options: &BuildOptions) -> (WorldBuilder<Message>, Address) {
    let mut world = WorldBuilder::new(arguments.to_string());
    world.network(Network::Set);
    world.options(options);
    let is_forgetful = arguments.word("bug") == "forgetful";
    let server = world.add("server", Server { is_forgetful, ..Server::default() });
    (world, server)
}

/// A client of a load: it makes up its commands as it goes.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub(crate) struct Putter {
    caller: Caller,
    index: u64,
}

impl Putter {
    pub(crate) fn new(server: Address, index: u64) -> Self {
        Putter { caller: Caller::new(server), index }
    }

    /// The next command: keys have eight letters, values sixty-four; no value comes twice.
    fn command(&self) -> KeyValueCommand {
        let call = self.caller.call;
        let key = match call % 16 {
            0 => format!("shared{:02}", call / 16 % 10),
            _ => format!("k{:04}{:03}", self.index % 10_000, call % 10),
        };
        if call % 16 == 15 {
            return KeyValueCommand::get(key);
        }
        KeyValueCommand::put(key, value(self.index, call))
    }

    fn next(&mut self, context: &mut Context<Message, Retry>) {
        let command = self.command();
        context.invoked(command.clone());
        self.caller.send_command(command, context);
    }
}

impl Node for Putter {
    type Message = Message;
    type Timer = Retry;

    fn init(&mut self, context: &mut Context<Message, Retry>) {
        self.next(context);
    }

    fn on_message(
        &mut self,
        from: Address,
        message: Message,
        context: &mut Context<Message, Retry>,
    ) {
        self.caller.on_message(from, message, context);
        if let Some(result) = self.caller.result.take() {
            context.returned(result);
            self.next(context);
        }
    }

    fn on_timer(&mut self, timer: Retry, context: &mut Context<Message, Retry>) {
        self.caller.on_timer(timer, context);
    }
}

/// Sixty-four letters that nobody else writes, and that cost little to make.
pub(crate) fn value(index: u64, call: u64) -> String {
    const REST: &str = "................................................................";
    let mut value = format!("{index}/{call}/");
    value.push_str(&REST[value.len()..]);
    value
}
