//! The linearizability monitor: an automaton that follows a run and knows at every moment whether it can be explained.
//! Why: a search asks about millions of states, and most of them differ from their parents by nothing that a client has
//! seen. So the question is answered step by step: a monitor is the set of all configurations (the object's state, and
//! which pending operations have already taken effect with which result) that agree with everything returned so far. It
//! is interned, and its steps are memoised: following it costs one table look-up.
//! An operation takes effect only when a return forces it ("just in time", Lowe 2017): at a return of client `c`, any
//! pending operations may take effect first, the last of them being the one of `c`. That loses nothing, and makes the
//! monitor independent of the order of two returns or two invocations: it is a function of the histories.
//! Invariant: monitor 0 is the start, monitor 1 has no configuration: it cannot be explained, now or later.

use crate::history::Histories;
use crate::linearizability::is_linearizable;
use crate::{
    Address, Data, Judgement, Note, Recorded, Recorder, Sequential, Value, World, WorldBuilder,
    explanation, judge,
};
use foresee_lts::{Predicate, Reads};
use foresee_node::{Observed, Operation};
use foresee_stdx::{mix, stable_hash};
use hashbrown::HashTable;
use parking_lot::{RwLock, RwLockReadGuard};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::fmt::{self, Display};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// Keeps the histories of clients and follows them with a linearizability monitor.
pub struct Linearizable<S> {
    initial: S,
    histories: Histories,
    automaton: Automaton<S>,
}

impl<S: Sequential> Linearizable<S> {
    pub fn new(initial: S) -> Self {
        let automaton = Automaton::new(initial.clone());
        Linearizable { initial, histories: Histories::default(), automaton }
    }
}

impl<S: Sequential> Recorder for Linearizable<S> {
    fn record(&self, client: usize, history: u32, note: &Note, completed: &[u32]) -> u32 {
        self.histories.record(client, history, note, completed)
    }

    fn advance(&self, monitor: u32, client: usize, note: &Note) -> u32 {
        self.automaton.advance(monitor, client, note)
    }

    fn completed(&self, client: usize, history: u32) -> u32 {
        self.histories.completed(client, history)
    }

    fn fault(&self, client: usize, history: u32) -> Option<String> {
        self.histories.fault(client, history)
    }

    fn history_hash(&self, client: usize, history: u32) -> u64 {
        self.histories.history_hash(client, history)
    }

    fn monitor_hash(&self, monitor: u32) -> u64 {
        self.automaton.content_hash(monitor)
    }

    fn operations(&self, client: usize, history: u32) -> Vec<Recorded> {
        self.histories.operations(client, history)
    }

    fn accepts(&self, monitor: u32) -> bool {
        monitor != DEAD
    }

    fn property_name(&self) -> Option<String> {
        Some("linearizable".to_owned())
    }

    fn refuses_for_good(&self) -> bool {
        true
    }

    fn explain(&self, monitor: u32, histories: &[u32], clients: &[Address]) -> String {
        let histories = histories.iter().enumerate();
        let histories = histories.map(|(client, &id)| self.histories.get(client, id));
        let histories: Vec<_> = histories.collect();
        let names: Vec<_> = clients.iter().map(|name| name.to_string()).collect();
        if self.accepts(monitor) {
            return format!(
                "every result is explained:\n{}",
                explanation::draw(&histories, &names)
            );
        }
        explanation::explain(&histories, &self.initial, &names).to_string()
    }

    fn judge(&self, history: &[Observed]) -> Option<Judgement> {
        Some(judge(history, &self.initial))
    }

    fn words(&self, what: &Operation) -> Option<String> {
        match what {
            Operation::Invoked(operation) => S::operation_text(operation.get()?),
            Operation::Returned(result) => S::result_text(result.get()?),
        }
    }

    fn histories(&self) -> Option<&Histories> {
        Some(&self.histories)
    }

    fn memory_bytes(&self) -> usize {
        self.histories.memory_bytes() + self.automaton.memory_bytes()
    }
}

impl<M: Data> WorldBuilder<M> {
    /// Keeps the histories of the clients (`add_client`) and claims that they are linearizable: all that they were told
    /// could come from a single copy, starting as `initial`, that serves one operation at a time.
    ///
    /// ```
    /// # use foresee_nodes::{Address, Context, Node, Register, RegisterOperation, RegisterResult, WorldBuilder};
    /// # use foresee_lts::{Claims, System};
    /// # #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
    /// # struct Confused;
    /// # impl Node for Confused {
    /// #     type Message = ();
    /// #     type Timer = ();
    /// #     fn init(&mut self, context: &mut Context<(), ()>) {
    /// #         context.invoked(RegisterOperation::<u32>::Read);
    /// #         context.send(context.me(), ());
    /// #     }
    /// #     fn on_message(&mut self, _: Address, _: (), context: &mut Context<(), ()>) {
    /// #         context.returned(RegisterResult::ReadOk(7));
    /// #     }
    /// # }
    /// // `Confused` is a client that reads a 7 that nobody wrote.
    /// let mut world = WorldBuilder::<()>::new("confused");
    /// world.add_client("client1", Confused);
    /// world.linearizable(Register::new(0u32));
    /// let world = world.build();
    /// let start = &world.initial()[0];
    /// let mut actions = Vec::new();
    /// world.enabled(start, &mut actions);
    /// let next = world.step(start, actions[0]);
    /// let linearizable = &world.properties()[0].predicate;
    /// assert!(linearizable.holds(start) && !linearizable.holds(&next));
    /// assert!(linearizable.explain(&next).contains("it could only be ReadOk(0)"));
    /// ```
    pub fn linearizable<S: Sequential>(&mut self, initial: S) -> &mut Self {
        self.recorder(move |_clients| Arc::new(Linearizable::new(initial)))
    }

    /// Says what clients should see of a real run, and keeps no histories in states: for worlds under load, whose clients never stop.
    ///
    /// ```
    /// use foresee_nodes::{Register, WorldBuilder};
    /// let mut world = WorldBuilder::<()>::new("under load");
    /// world.judged(Register::new('a'));
    /// ```
    pub fn judged<S: Sequential>(&mut self, initial: S) -> &mut Self {
        self.referee(Arc::new(Linearizable::new(initial)))
    }

    /// Keeps the histories of the clients and claims nothing about them.
    pub fn histories(&mut self) -> &mut Self {
        self.recorder(|_clients| Arc::new(Histories::default()))
    }
}

impl<M: Data> World<M> {
    /// The clients' histories are linearizable, decided from scratch in every state and not by following the run: slower
    /// than the invariant of [`WorldBuilder::linearizable`], for measurements and to referee it.
    ///
    /// # Panics
    /// If the world keeps no histories.
    pub fn linearizable_from_scratch<S: Sequential>(&self, initial: S) -> Predicate {
        let core = Arc::clone(&self.built.core);
        let recorder = core.recorder.clone().filter(|recorder| recorder.histories().is_some());
        let recorder = recorder.expect("the world keeps histories (`histories`, `linearizable`)");
        let slots = core.history_slot(0)..core.history_slot(core.clients.len() as u32);
        let reads = Reads::slots(slots.clone());
        let clients: Vec<_> = self.clients().iter().map(Address::to_string).collect();
        Predicate::new("linearizable from scratch", reads, move |state, why| {
            let histories = recorder.histories().expect("asked above");
            histories.with_all(&state[slots.clone()], |histories| {
                let answer = is_linearizable(histories, &initial);
                if !answer {
                    why.because(format_args!(
                        "{}",
                        fmt::from_fn(|f| {
                            explanation::explain(histories, &initial, &clients).fmt(f)
                        })
                    ));
                }
                answer
            })
        })
    }
}

const DEAD: u32 = 1;

/// The automaton of one specification.
pub(crate) struct Automaton<S> {
    tables: RwLock<Tables<S>>,
}

impl<S: Sequential> Automaton<S> {
    pub(crate) const INITIAL: u32 = 0;
    pub(crate) const DEAD: u32 = DEAD;

    pub(crate) fn new(initial: S) -> Self {
        let mut tables = Tables {
            objects: Interner::default(),
            operations: Interner::default(),
            results: Interner::default(),
            monitors: Interner::default(),
            steps: FxHashMap::default(),
            applied: FxHashMap::default(),
        };
        let object = tables.objects.intern(initial);
        let start = Configuration { object, pending: SmallVec::new() };
        assert_eq!(tables.monitors.intern(Arc::from([start])), Self::INITIAL);
        assert_eq!(tables.monitors.intern(Arc::from([])), DEAD);
        Automaton { tables: RwLock::new(tables) }
    }

    pub(crate) fn advance(&self, monitor: u32, client: usize, note: &Note) -> u32 {
        if monitor == DEAD {
            return DEAD;
        }
        let known = |tables: RwLockReadGuard<'_, Tables<S>>| {
            let value = match note {
                Note::Invoked(operation) => tables.operations.find(operation)?,
                Note::Returned(result) => tables.results.find(result)? | RETURNED,
            };
            tables.steps.get(&(monitor, client as u32, value)).copied()
        };
        if let Some(next) = known(self.tables.read()) {
            return next;
        }
        let mut tables = self.tables.write();
        match note {
            Note::Invoked(operation) => tables.invoke(monitor, client as u32, operation),
            Note::Returned(result) => tables.finish(monitor, client as u32, result),
        }
    }

    /// Everything that the pending operation of `client` could return, in no particular order.
    pub(crate) fn possible_results(&self, monitor: u32, client: usize) -> Vec<Value> {
        let mut tables = self.tables.write();
        let mut possible = FxHashSet::default();
        tables.each_effect(monitor, client as u32, |_, outcome| {
            possible.insert(outcome);
        });
        possible.into_iter().map(|result| tables.results.values[result as usize].clone()).collect()
    }

    /// A hash of what the ids in a monitor stand for; the order of configurations is that of ids, so it does not count.
    pub(crate) fn content_hash(&self, monitor: u32) -> u64 {
        let tables = self.tables.read();
        let configurations = tables.monitors.values[monitor as usize].iter();
        let hashes = configurations.map(|it| tables.configuration_hash(it));
        hashes.fold(1, |sum: u64, hash| sum.wrapping_add(mix(hash))).max(1)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let tables = self.tables.read();
        let configurations: usize = tables.monitors.values.iter().map(|set| set.len()).sum();
        configurations * size_of::<Configuration>()
            + (tables.monitors.values.len() + tables.objects.values.len()) * 48
            + (tables.steps.capacity() + tables.applied.capacity()) * 24
    }
}

/// One way in which things may stand.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct Configuration {
    object: u32,
    /// Operations that have not returned, sorted.
    pending: SmallVec<[Pending; 4]>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct Pending {
    client: u32,
    /// The client does not wait for it any more.
    given_up: bool,
    operation: u32,
    /// The result, if the operation has taken effect.
    outcome: Option<u32>,
}

/// Marks the id of a result in a key of `steps`.
const RETURNED: u32 = 1 << 31;

struct Tables<S> {
    objects: Interner<S>,
    operations: Interner<Value>,
    results: Interner<Value>,
    /// Sorted sets of configurations.
    monitors: Interner<Arc<[Configuration]>>,
    /// (monitor, client, operation or result) to monitor.
    steps: FxHashMap<(u32, u32, u32), u32>,
    /// (object, operation) to (object, result).
    applied: FxHashMap<(u32, u32), (u32, u32)>,
}

impl<S: Sequential> Tables<S> {
    fn configuration_hash(&self, configuration: &Configuration) -> u64 {
        let object = stable_hash(&self.objects.values[configuration.object as usize]);
        let pending = configuration.pending.iter().map(|it| {
            let operation = &self.operations.values[it.operation as usize];
            let outcome = it.outcome.map(|result| &self.results.values[result as usize]);
            mix(stable_hash(&(it.client, it.given_up, operation, outcome)))
        });
        pending.fold(mix(object), u64::wrapping_add)
    }

    fn invoke(&mut self, monitor: u32, client: u32, operation: &Value) -> u32 {
        let operation_id = self.operations.intern(operation.clone());
        let next = if operation.get::<S::Operation>().is_some() {
            let set = Arc::clone(&self.monitors.values[monitor as usize]);
            self.settle(set.iter().map(|before| before.with(client, operation_id)).collect())
        } else {
            DEAD
        };
        self.steps.insert((monitor, client, operation_id), next);
        next
    }

    fn finish(&mut self, monitor: u32, client: u32, result: &Value) -> u32 {
        let result = self.results.intern(result.clone());
        let mut after = Vec::new();
        self.each_effect(monitor, client, |configuration, outcome| {
            if outcome == result {
                after.push(configuration);
            }
        });
        let next = self.settle(after);
        self.steps.insert((monitor, client, result | RETURNED), next);
        next
    }

    fn settle(&mut self, mut set: Vec<Configuration>) -> u32 {
        set.sort_unstable();
        set.dedup();
        self.monitors.intern(Arc::from(set))
    }

    /// Calls `visit` with each configuration in which the operation of `client` has taken effect and is taken out, and
    /// with its result. Nothing is visited if the client waits for nothing.
    fn each_effect(
        &mut self,
        monitor: u32,
        client: u32,
        mut visit: impl FnMut(Configuration, u32),
    ) {
        let mut stack = self.monitors.values[monitor as usize].to_vec();
        let mut seen: FxHashSet<Configuration> = FxHashSet::default();
        while let Some(configuration) = stack.pop() {
            let awaited = configuration.awaited(client);
            if let Some((place, outcome)) = awaited.and_then(|p| Some((p, p.1.outcome?))) {
                let mut after = configuration.clone();
                after.pending.remove(place.0);
                visit(after, outcome);
                continue;
            }
            if awaited.is_none() || !seen.insert(configuration.clone()) {
                continue;
            }
            for (place, pending) in configuration.pending.iter().enumerate() {
                if pending.outcome.is_some() {
                    continue;
                }
                let (object, result) = self.apply(configuration.object, pending.operation);
                let mut after = configuration.clone();
                after.object = object;
                if pending.given_up {
                    after.pending.remove(place);
                } else {
                    after.pending[place].outcome = Some(result);
                }
                stack.push(after);
            }
        }
    }

    fn apply(&mut self, object: u32, operation: u32) -> (u32, u32) {
        if let Some(known) = self.applied.get(&(object, operation)) {
            return *known;
        }
        let mut after = self.objects.values[object as usize].clone();
        let typed = self.operations.values[operation as usize].get::<S::Operation>();
        let result = after.apply(typed.expect("looked at when it was invoked"));
        let step = (self.objects.intern(after), self.results.intern(Value::new(result)));
        self.applied.insert((object, operation), step);
        step
    }
}

impl Configuration {
    /// The place of the operation that the client waits for.
    fn awaited(&self, client: u32) -> Option<(usize, Pending)> {
        let mut pending = self.pending.iter().copied().enumerate();
        pending.find(|(_, pending)| pending.client == client && !pending.given_up)
    }

    /// This configuration after one more invocation; what the client waited for until now is given up.
    fn with(&self, client: u32, operation: u32) -> Configuration {
        let mut after = self.clone();
        if let Some((place, pending)) = after.awaited(client) {
            if pending.outcome.is_some() {
                after.pending.remove(place);
            } else {
                after.pending[place].given_up = true;
            }
        }
        after.pending.push(Pending { client, given_up: false, operation, outcome: None });
        after.pending.sort_unstable();
        after
    }
}

/// Values with dense ids.
struct Interner<T> {
    ids: HashTable<u32>,
    values: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { ids: HashTable::new(), values: Vec::new() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    fn find(&self, value: &T) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(value);
        self.ids.find(hash, |&id| self.values[id as usize] == *value).copied()
    }

    fn intern(&mut self, value: T) -> u32 {
        if let Some(id) = self.find(&value) {
            return id;
        }
        let id = self.values.len() as u32;
        assert!(id < RETURNED, "more distinct values than ids");
        let hash = FxBuildHasher.hash_one(&value);
        self.values.push(value);
        let values = &self.values;
        self.ids.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&values[id as usize]));
        id
    }
}
