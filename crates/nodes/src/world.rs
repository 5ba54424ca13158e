//! `World`: nodes and a network as a `System` that engines explore.
//! Invariant: nothing visible depends on ids, which are handed out in the order of asking: moves come by node, then by the
//! content of messages, then by the order of timers.
//! Where next: `moves` (what can happen), `explore` (the same, fast), `builder` (how a world is made).

use crate::core::Core;
use crate::event::Event;
use crate::explore::Remembering;
use crate::symmetry::Names;
use crate::view::Sight;
use crate::{Address, Data, Network, Recorder, Scope, View, describe, footprint, named, races};
use foresee_lts::{
    Action, Actor, Claims, Description, Explorer, Fault, Footprint, Interleaved, Label, Origin,
    Predicate, Property, Reads, Renamer, State, Symmetry, System, Telling, Why, plain_explorer,
};
use foresee_node::{Deployment, Member, Plan};
use std::marker::PhantomData;
use std::sync::Arc;

/// A system of nodes. Cloning is cheap and shares everything.
///
/// ```
/// use foresee_nodes::{Address, Context, Network, Node, Scope, WorldBuilder};
/// use foresee_lts::{Claims, System, Telling};
///
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Counter { friend: Address, n: u32 }
///
/// impl Node for Counter {
///     type Message = u32;
///     type Timer = ();
///     fn init(&mut self, context: &mut Context<u32, ()>) {
///         context.send(self.friend, 1);
///     }
///     fn on_message(&mut self, _from: Address, n: u32, _context: &mut Context<u32, ()>) {
///         self.n += n;
///     }
/// }
///
/// let [a, b] = [Address::new("a"), Address::new("b")];
/// let mut world = WorldBuilder::<u32>::new("counters");
/// world.add(a, Counter { friend: b, n: 0 });
/// world.add(b, Counter { friend: a, n: 0 });
/// world.network(Network::Fifo);
/// world.invariant("at most one", Scope::nodes([a]), move |view, _why| view.node::<Counter>(a).n <= 1);
/// let world = world.build();
///
/// let start = &world.initial()[0];
/// let mut actions = Vec::new();
/// world.enabled(start, &mut actions);
/// assert_eq!(world.label(start, actions[0]).to_string(), "deliver b -> a 1");
/// let next = world.step(start, actions[0]);
/// assert!(world.properties()[0].predicate.holds(&next));
/// ```
pub struct World<M: Data> {
    pub(crate) built: Built,
    messages: PhantomData<fn() -> M>,
}

/// All of a world; its messages' type is forgotten.
#[derive(Clone)]
pub(crate) struct Built {
    pub(crate) core: Arc<Core>,
    pub(crate) properties: Arc<Vec<Property>>,
    pub(crate) prunes: Arc<Vec<Predicate>>,
    pub(crate) score: Option<Arc<Score>>,
    pub(crate) warnings: Arc<Vec<String>>,
    pub(crate) referee: Option<Arc<dyn Recorder>>,
    /// Interchangeable nodes, by group.
    pub(crate) symmetric: Arc<Vec<Vec<u32>>>,
}

pub(crate) type Score = dyn Fn(&Core, &[u32]) -> i64 + Send + Sync;

/// A question about states, asked through a view with the user's types.
pub(crate) type Test = dyn Fn(&Core, &[u32], Option<&Sight>, &mut Why) -> bool + Send + Sync;

impl<M: Data> Clone for World<M> {
    fn clone(&self) -> Self {
        World::of(self.built.clone())
    }
}

impl<M: Data> World<M> {
    pub(crate) fn of(built: Built) -> Self {
        World { built, messages: PhantomData }
    }

    /// A question about states of this world, for goals, prunes and invariants of one search.
    ///
    /// # Panics
    /// If the scope names a node that this world does not have.
    pub fn predicate(
        &self,
        name: impl Into<String>,
        scope: Scope,
        test: impl Fn(&View<'_, M>, &mut Why) -> bool + Send + Sync + 'static,
    ) -> Predicate {
        let name = name.into();
        let reads = scope.reads(&self.built.core);
        let reads = reads.unwrap_or_else(|stranger| {
            panic!("the scope of `{name}` names {stranger}, which is no node of this system")
        });
        predicate_on(&self.built.core, name, reads, untyped(test))
    }

    /// A state with the user's types.
    pub fn view<'a>(&'a self, state: &'a [u32]) -> View<'a, M> {
        View::new(&self.built.core, state, None)
    }

    /// The addresses of all nodes, in the order of adding.
    pub fn addresses(&self) -> Vec<Address> {
        self.built.core.members.iter().map(|member| member.name).collect()
    }

    /// The addresses of the clients, in the order of adding.
    pub fn clients(&self) -> Vec<Address> {
        self.built.core.clients.iter().map(|node| self.built.core.address(*node)).collect()
    }

    /// Who judges what clients saw.
    pub(crate) fn judges(&self) -> Option<&Arc<dyn Recorder>> {
        self.built.referee.as_ref().or(self.built.core.recorder.as_ref())
    }

    /// The nodes as they were built, ready to be run on machines.
    pub fn deployment(&self) -> Deployment<M> {
        let mut deployment = Deployment::new(self.built.core.name.clone());
        for member in &self.built.core.members {
            let is_client = member.client.is_some();
            let plan = member.components.plan().downcast::<Arc<dyn Plan<M>>>();
            let plan = *plan.expect("a node of a world has its messages");
            deployment.add_plan(Member { address: member.name, is_client }, plan);
        }
        deployment
    }

    pub fn network(&self) -> Network {
        self.built.core.network
    }

    /// Handlers whose second call with one message changes the state again, each with the shortest example met; known only
    /// if the world was built with `check_code(true)`, and only for states explored so far. For information: a protocol
    /// need not be idempotent, but one that is has fewer states.
    pub fn not_idempotent(&self) -> Vec<(String, String)> {
        self.built
            .core
            .members
            .iter()
            .flat_map(|member| member.components.not_idempotent())
            .collect()
    }

    /// What was asked of the builder and means nothing.
    pub fn warnings(&self) -> &[String] {
        &self.built.warnings
    }
}

/// Forgets the type of messages: the view is made where the question is asked.
pub(crate) fn untyped<M: Data>(
    test: impl Fn(&View<'_, M>, &mut Why) -> bool + Send + Sync + 'static,
) -> Box<Test> {
    Box::new(move |core, state, sight, why| test(&View::new(core, state, sight), why))
}

pub(crate) fn predicate_on(
    core: &Arc<Core>,
    name: String,
    reads: Reads,
    test: Box<Test>,
) -> Predicate {
    let (core, sight) = (Arc::clone(core), Sight::of(&reads));
    let test = move |state: &[u32], why: &mut Why| test(&core, state, sight.as_ref(), why);
    Predicate::new(name, reads, test)
}

impl<M: Data> System for World<M> {
    fn initial(&self) -> Vec<State> {
        vec![self.built.core.initial.clone()]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.built.core.enabled(state, actions);
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let event = Event::of(action);
        if self.built.core.marks_deliveries() {
            return races::step(&self.built.core, state, event, || {
                self.built.core.step_plainly(state, event)
            });
        }
        self.built.core.step_plainly(state, event)
    }

    fn name(&self) -> String {
        self.built.core.name.clone()
    }

    fn explorer(&self) -> Box<dyn Explorer + '_> {
        if self.built.core.marks_deliveries() {
            return plain_explorer(self);
        }
        Box::new(Remembering::new(&self.built.core))
    }

    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.built.core.content_hash(slot, id)
    }

    fn content_key(&self, slot: usize, id: u32) -> u128 {
        self.built.core.content_key(slot, id)
    }

    fn why_stuck(&self, state: &[u32]) -> String {
        describe::why_stuck(&self.built.core, state)
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.built.core.fault(state)
    }

    fn memory_bytes(&self) -> usize {
        self.built.core.memory_bytes()
    }

    fn handler_calls(&self) -> u64 {
        // Counted by what is remembered, so that the number does not depend on threads that ask at the same time.
        let calls = self.built.core.members.iter().map(|member| member.outcomes.len());
        (calls.sum::<usize>() + self.built.core.n_nodes()) as u64
    }

    fn claims(&self) -> Option<&dyn Claims> {
        Some(self)
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }

    fn symmetry(&self) -> Option<&dyn Symmetry> {
        // Marks of deliveries are not renamed.
        (!self.built.symmetric.is_empty() && !self.built.core.marks_deliveries()).then_some(self)
    }
}

impl<M: Data> Symmetry for World<M> {
    fn groups(&self) -> Vec<Vec<String>> {
        let name = |node: &u32| self.built.core.address(*node).to_string();
        self.built.symmetric.iter().map(|group| group.iter().map(name).collect()).collect()
    }

    fn renamer(&self) -> Box<dyn Renamer + '_> {
        Box::new(Names::new(&self.built.core, &self.built.symmetric))
    }
}

impl<M: Data> Claims for World<M> {
    fn properties(&self) -> Vec<Property> {
        self.built.properties.to_vec()
    }

    fn prunes(&self) -> Vec<Predicate> {
        self.built.prunes.to_vec()
    }

    fn score(&self, state: &[u32]) -> Option<i64> {
        self.built.score.as_ref().map(|score| score(&self.built.core, state))
    }
}

impl<M: Data> Interleaved for World<M> {
    fn actor(&self, _state: &[u32], action: Action) -> Actor {
        footprint::actor(&self.built.core, Event::of(action))
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        let event = Event::of(action);
        match self.built.core.marks_deliveries() {
            true => races::footprint(&self.built.core, state, event),
            false => footprint::footprint(&self.built.core, state, event),
        }
    }

    fn origin(&self, _state: &[u32], action: Action) -> Origin {
        footprint::origin(&self.built.core, Event::of(action))
    }

    fn thread(&self, state: &[u32], action: Action) -> u64 {
        match self.built.core.marks_deliveries() {
            true => races::thread(&self.built.core, state, Event::of(action)),
            false => self.footprint(state, action).thread_key(),
        }
    }
}

impl<M: Data> Telling for World<M> {
    fn label(&self, state: &[u32], action: Action) -> Label {
        describe::label(&self.built.core, state, Event::of(action))
    }

    fn enabled_with_label(&self, state: &[u32], label: &Label, actions: &mut Vec<Action>) {
        named::enabled(&self.built.core, state, label, actions);
    }

    fn describe(&self, state: &[u32]) -> Description {
        describe::describe(&self.built.core, state)
    }

    fn outline(&self, state: &[u32]) -> Description {
        describe::outline(&self.built.core, state)
    }
}
