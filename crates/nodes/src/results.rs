//! What clients were told: predicates about workers, each with its reasons.
//! They are closures of a view, so they fit wherever a world takes a test: invariants, goals, prunes, reachability.

use crate::explanation::Explanation;
use crate::linearizability::is_linearizable;
use crate::{Address, Client, ClientHistory, ClientWorker, Note, Scope, Sequential, Value, View};
use foresee_lts::Why;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

/// Some clients of one type, all of them [`ClientWorker`]s.
///
/// ```
/// # use foresee_nodes::{Address, Client, ClientWorker, Clients, Context, Node, Workload, WorldBuilder};
/// # use foresee_lts::System;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Debug, Eq, Hash, PartialEq, Serialize, Deserialize)]
/// # struct Echo { me: Option<u32> }
/// # impl Node for Echo {
/// #     type Message = u32;
/// #     type Timer = ();
/// #     fn on_message(&mut self, _from: Address, answer: u32, _: &mut Context<u32, ()>) { self.me = Some(answer); }
/// # }
/// # impl Client for Echo {
/// #     type Command = u32;
/// #     type Result = u32;
/// #     fn send_command(&mut self, number: u32, context: &mut Context<u32, ()>) {
/// #         self.me = None;
/// #         context.send(context.me(), number);
/// #     }
/// #     fn result(&self) -> Option<u32> { self.me }
/// # }
/// // `Echo` is a client that sends its command to itself and takes what arrives for the result.
/// let mut world = WorldBuilder::<u32>::new("echo");
/// let workload = Workload::new([1, 2]).expecting([1, 2]);
/// let client = world.add("client1", ClientWorker::new(Echo { me: None }, workload));
/// let clients = Clients::<Echo>::new([client]);
/// world.invariant("results as expected", clients.scope(), clients.results_ok());
/// let world = world.build();
/// let done = world.predicate("all done", clients.scope(), clients.all_done());
/// let start = &world.initial()[0];
/// assert!(!done.holds(start));
/// assert_eq!(done.explain(start), "client1 waits for 1");
/// ```
pub struct Clients<C> {
    addresses: Arc<[Address]>,
    client: PhantomData<fn() -> C>,
}

impl<C> Clone for Clients<C> {
    fn clone(&self) -> Self {
        Clients { addresses: Arc::clone(&self.addresses), client: PhantomData }
    }
}

impl<C: Client> Clients<C> {
    pub fn new(addresses: impl IntoIterator<Item = Address>) -> Self {
        Clients { addresses: addresses.into_iter().collect(), client: PhantomData }
    }

    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// What these predicates read.
    pub fn scope(&self) -> Scope {
        Scope::nodes(self.addresses.iter().copied())
    }

    /// Every result is what the workload expects of it.
    pub fn results_ok(&self) -> impl Test<C> {
        self.every(|name, worker, why| match worker.unexpected() {
            Some(wrong) => {
                why.because(format_args!(
                    "{name}'s {:?} returned {:?}, expected {:?}",
                    wrong.command, wrong.result, wrong.expected
                ));
                false
            }
            None => true,
        })
    }

    /// Every client has finished its workload.
    pub fn all_done(&self) -> impl Test<C> {
        self.every(|name, worker, why| {
            match worker.waits_for() {
                Some(command) => why.because(format_args!("{name} waits for {command:?}")),
                None if worker.is_done() => why.because(format_args!("{name} is done")),
                None => why.because(format_args!("{name} has not begun its next command")),
            }
            worker.is_done()
        })
    }

    /// No client has been told anything yet.
    pub fn no_results(&self) -> impl Test<C> {
        self.every(|name, worker, why| match worker.results().next() {
            Some(result) => {
                why.because(format_args!("{name} has a result: {result:?}"));
                false
            }
            None => true,
        })
    }

    /// Every client has at least `n` results: how far a search for progress should come.
    pub fn have_results(&self, n: usize) -> impl Test<C> {
        self.every(move |name, worker, why| {
            let found = worker.results().count();
            why.because(format_args!("{name} has {found} of {n} results"));
            found >= n
        })
    }

    /// All results of all clients are one and the same.
    pub fn results_same(&self) -> impl Test<C> {
        let addresses = Arc::clone(&self.addresses);
        move |view: &View<'_, C::Message>, why: &mut Why| {
            let workers = addresses.iter().map(|name| (name, worker::<C>(view, *name)));
            let mut results = workers
                .flat_map(|(name, worker)| worker.results().map(move |result| (name, result)));
            let Some((first, result)) = results.next() else { return true };
            let other = results.find(|(_, other)| *other != result);
            if let Some((name, other)) = other {
                why.because(format_args!("{first} was told {result:?}, {name} was told {other:?}"));
            }
            other.is_none()
        }
    }

    /// Some order of all commands that keeps each client's own order explains every result, asked of a single copy that
    /// starts as `initial` (sequential consistency; commands without a result may have happened or not).
    ///
    /// This needs no histories. For append-and-get workloads it is as good as linearizability: a result that breaks only
    /// the real-time order would have to show a value before it was appended.
    pub fn results_explained_by<S>(&self, initial: S) -> impl Test<C>
    where
        S: Sequential<Operation = C::Command, Result = C::Result>,
    {
        let addresses = Arc::clone(&self.addresses);
        move |view: &View<'_, C::Message>, why: &mut Why| {
            let workers = addresses.iter().map(|name| worker::<C>(view, *name));
            let histories: Vec<ClientHistory> = workers.map(history_of).collect();
            let explained = is_linearizable(&histories, &initial);
            if !explained {
                let names: Vec<_> = addresses.iter().map(Address::to_string).collect();
                why.because(format_args!("{}", Explanation::of_no_order(&histories, &names)));
            }
            explained
        }
    }

    fn every(
        &self,
        test: impl Fn(Address, &ClientWorker<C>, &mut Why) -> bool + Send + Sync + 'static,
    ) -> impl Test<C> {
        let addresses = Arc::clone(&self.addresses);
        move |view: &View<'_, C::Message>, why: &mut Why| {
            addresses.iter().all(|name| test(*name, worker::<C>(view, *name), why))
        }
    }
}

/// A test of a state, as `WorldBuilder::invariant`, `World::predicate` and the like take it.
pub trait Test<C: Client>:
    Fn(&View<'_, C::Message>, &mut Why) -> bool + Send + Sync + 'static
{
}
impl<C: Client, F: Fn(&View<'_, C::Message>, &mut Why) -> bool + Send + Sync + 'static> Test<C>
    for F
{
}

fn worker<'a, C: Client>(view: &View<'a, C::Message>, name: Address) -> &'a ClientWorker<C> {
    view.node::<ClientWorker<C>>(name)
}

/// The worker's commands as a history in which nothing is known of the order between clients.
fn history_of<C: Client>(worker: &ClientWorker<C>) -> ClientHistory
where
    C::Command: Debug,
{
    let mut history = ClientHistory::default();
    for outcome in worker.outcomes() {
        history.add(0, &Note::Invoked(Value::new(outcome.command.clone())), &[]);
        if let Some(result) = &outcome.result {
            history.add(0, &Note::Returned(Value::new(result.clone())), &[]);
        }
    }
    history
}
