//! Foresee explores every possible future of a message-passing system: every order of messages, timers and faults.
//!
//! You write a protocol as plain Rust structs with handlers ([`Node`]), put them into a world ([`WorldBuilder`]), and say what
//! must hold. One call explores every reachable state and shows the shortest run that breaks it.
//!
//! # A node, an invariant, a check
//!
//! Two clients want a lock. The server answers whoever asks, and forgets to look whether the lock is free:
//!
//! ```
//! use foresee::{Address, Context, Node, Scope, WorldBuilder};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
//! enum Message { Acquire, Granted }
//!
//! #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
//! struct Server { holder: Option<Address> }
//!
//! impl Node for Server {
//!     type Message = Message;
//!     type Timer = ();
//!     fn on_message(&mut self, from: Address, message: Message, context: &mut Context<Message, ()>) {
//!         if message == Message::Acquire {
//!             self.holder = Some(from); // the mistake: it may have a holder already
//!             context.send(from, Message::Granted);
//!         }
//!     }
//! }
//!
//! #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
//! struct Client { server: Address, holds: bool }
//!
//! impl Node for Client {
//!     type Message = Message;
//!     type Timer = ();
//!     fn init(&mut self, context: &mut Context<Message, ()>) {
//!         context.send(self.server, Message::Acquire);
//!     }
//!     fn on_message(&mut self, _from: Address, message: Message, _context: &mut Context<Message, ()>) {
//!         self.holds |= message == Message::Granted;
//!     }
//! }
//!
//! let mut world = WorldBuilder::new("lock");
//! let server = world.add("server", Server { holder: None });
//! let clients = Address::numbered("client", 2);
//! for &client in &clients {
//!     world.add(client, Client { server, holds: false });
//! }
//! world.invariant("mutual exclusion", Scope::nodes(clients.clone()), move |view, why| {
//!     let holders: Vec<_> = clients.iter().filter(|client| view.node::<Client>(**client).holds).collect();
//!     why.because(format_args!("{holders:?} hold the lock"));
//!     holders.len() <= 1
//! });
//! let world = world.build();
//!
//! let checked = foresee::check(&world).assert_violated("mutual exclusion");
//! println!("{checked}"); // the story, as the command line tells it
//! let violation = &checked.report.violations[0];
//! assert_eq!(violation.message, "[client1, client2] hold the lock");
//! assert_eq!(violation.steps, 4, "the shortest run: two requests, two answers");
//! ```
//!
//! In a `#[test]`, `foresee::check(&world).assert_holds()` fails with that story and saves the run ([`Check`]).
//!
//! # The whole command line for your own systems
//!
//! Give the system a name and its parameters ([`Entry`]), and let [`cli`] do the rest: `check`, `simulate`, `replay`, `systems`
//! and all their flags.
//!
//! ```no_run
//! # use foresee::{Address, Context, Node};
//! # #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
//! # struct Client;
//! # impl Node for Client {
//! #     type Message = u8;
//! #     type Timer = ();
//! #     fn on_message(&mut self, _: Address, _: u8, _: &mut Context<u8, ()>) {}
//! # }
//! use foresee::{Entry, Parameter, WorldBuilder};
//! use std::process::ExitCode;
//!
//! fn lock() -> Entry {
//!     Entry::new("lock", "clients that want a lock")
//!         .parameter(Parameter::number("clients", 2, 1..=5, "how many clients"))
//!         .build_with(|arguments, options| {
//!             let mut world = WorldBuilder::new(arguments.to_string());
//!             world.options(options); // fault budgets and code checks from the command line
//!             for client in Address::numbered("client", arguments.number("clients") as usize) {
//!                 world.add(client, Client);
//!             }
//!             Ok(Box::new(world.build()))
//!         })
//! }
//!
//! fn main() -> ExitCode {
//!     foresee::cli().system(lock()).run()
//! }
//! ```
//!
//! # Features
//! All are on by default. A crate that checks Rust nodes needs neither Erlang nor muCRL:
//! `foresee = { version = "…", default-features = false, features = ["nodes", "cli"] }`, with `"runtime"` to run them on
//! sockets and `"debugger"` for the page to step in. `"languages"` is Erlang and muCRL.
//!
//! # Where next
//! The guide in `docs/guide` goes from the first node to guided searches; [`nodes`] holds the whole node API, [`stateful`] the
//! engine and guided search, [`trace`] what can be done with a run, [`session`] the door that the command line uses.

#![allow(clippy::disallowed_methods, reason = "an edge: its commands read files")]

#[cfg(feature = "cli")]
mod commands;
#[cfg(all(doctest, feature = "cli"))]
mod guide;
#[cfg(feature = "labs")]
pub mod labs;
#[cfg(feature = "cli")]
mod testing;

/// The waist: systems of any kind, labels, predicates, verdicts.
pub use foresee_lts as lts;

/// The node API: nodes, worlds, networks, faults, clients, histories.
pub use foresee_nodes as nodes;
/// Nodes for real: in one process, or one process a node over TCP.
#[cfg(feature = "runtime")]
pub use foresee_runtime as runtime;
/// The door that the command line uses: systems by name, checks, reports, diagnostics.
pub use foresee_session as session;
/// The stateful engine and guided search.
pub use foresee_stateful as stateful;
/// Traces: replay, minimisation, causal order, exports.
pub use foresee_trace as trace;

/// The visual debugger's server.
#[cfg(feature = "debugger")]
pub use foresee_debugger as debugger;

#[cfg(feature = "cli")]
pub use foresee_cli::Cli;
pub use foresee_lts::{
    Claims, Interleaved, Predicate, Property, Reading, System, Telling, Verdict, Violation, Why,
};
pub use foresee_nodes::{
    Address, Application, ArgumentError, Arguments, BuildOptions, Client, ClientWorker, Context,
    Crashable, Entry, Faults, Judgement, KeyValueCommand, KeyValueResult, KeyValueStore, Network,
    Node, Parameter, Runnable, Scope, Sequential, Splits, Stored, View, Workload, World,
    WorldBuilder,
};
pub use foresee_stateful::{Config, Guide, Phase, Report, Strategy};
#[cfg(feature = "cli")]
pub use testing::{Check, Checked, Done, Recorded, Solo, check, check_entry, recorded};

/// A command line without any system, with every command that the features of this crate give it: the visual debugger
/// (`debugger`) and the runtime (`runtime`) are edges of their own, and put in here.
#[cfg(feature = "cli")]
pub fn cli() -> Cli {
    let cli = foresee_cli::cli();
    #[cfg(feature = "debugger")]
    let cli = cli.storyteller(foresee_debugger::story_page).debugger(
        |inspection, options, stop, ready| {
            let foresee_cli::DebugOptions { listen, token, file, watches } = options;
            let options = foresee_debugger::Options { listen, token, file, watches };
            foresee_debugger::serve(inspection, options, stop, &mut |served| ready(&served.url))
        },
    );
    commands::with_all(cli)
}

/// The systems of the stock binary: `ping`, `paxos` and so on.
#[cfg(feature = "systems")]
pub fn stock_systems() -> Vec<Entry> {
    foresee_session::Registry::stock().entries().to_vec()
}

/// Explores a system breadth first, with its own properties and prunes, and without limits. For anything else there is
/// [`stateful::search`] with a [`Config`].
///
/// ```
/// use foresee::{Verdict, lts::toy::Counters};
/// let report = foresee::search(&Counters::new(2, 3));
/// assert_eq!((report.verdict, report.states), (Verdict::Holds, 16));
/// ```
pub fn search(system: &dyn System) -> Report {
    use foresee_session::{NoMeter, Silent};
    foresee_stateful::search(system, &Config::of(system), &NoMeter, &mut Silent)
}
