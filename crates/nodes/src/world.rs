//! `World`: nodes and a network as a `System` that engines explore.
//! Invariant: nothing visible depends on ids, which are handed out in the order of asking: moves come by node, then by the
//! content of messages, then by the order of timers.
//! Where next: `moves` (what can happen), `explore` (the same, fast), `builder` (how a world is made).

use crate::core::Core;
use crate::event::Event;
use crate::explore::Remembering;
use crate::fault::Environment;
use crate::symmetry::Names;
use crate::view::Sight;
use crate::{Address, Data, Network, Recorder, Scope, View, describe, footprint, named, races};
use foresee_lts::{
    Action, Actor, Claims, Description, Explorer, Fault, Footprint, Interleaved, Label, Predicate,
    Property, Reads, Renamer, State, Symmetry, System, Telling, Why, plain_explorer,
};
use foresee_node::{Deployment, Member};
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
    pub(crate) core: Arc<Core<M>>,
    pub(crate) properties: Arc<Vec<Property>>,
    pub(crate) prunes: Arc<Vec<Predicate>>,
    pub(crate) score: Option<Arc<Score<M>>>,
    pub(crate) warnings: Arc<Vec<String>>,
    pub(crate) referee: Option<Arc<dyn Recorder>>,
    /// Interchangeable nodes, by group.
    pub(crate) symmetric: Arc<Vec<Vec<u32>>>,
}

pub(crate) type Score<M> = dyn Fn(&View<'_, M>) -> i64 + Send + Sync;

impl<M: Data> Clone for World<M> {
    fn clone(&self) -> Self {
        World {
            core: Arc::clone(&self.core),
            properties: Arc::clone(&self.properties),
            prunes: Arc::clone(&self.prunes),
            score: self.score.clone(),
            warnings: Arc::clone(&self.warnings),
            referee: self.referee.clone(),
            symmetric: Arc::clone(&self.symmetric),
        }
    }
}

impl<M: Data> World<M> {
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
        let reads = scope.reads(&self.core);
        let reads = reads.unwrap_or_else(|stranger| {
            panic!("the scope of `{name}` names {stranger}, which is no node of this system")
        });
        predicate_on(&self.core, name, reads, test)
    }

    /// A state with the user's types.
    pub fn view<'a>(&'a self, state: &'a [u32]) -> View<'a, M> {
        View::new(&self.core, state, None)
    }

    /// The addresses of all nodes, in the order of adding.
    pub fn addresses(&self) -> Vec<Address> {
        self.core.members.iter().map(|member| member.name).collect()
    }

    /// The addresses of the clients, in the order of adding.
    pub fn clients(&self) -> Vec<Address> {
        self.core.clients.iter().map(|node| self.core.address(*node)).collect()
    }

    /// Who judges what clients saw.
    pub(crate) fn judges(&self) -> Option<&Arc<dyn Recorder>> {
        self.referee.as_ref().or(self.core.recorder.as_ref())
    }

    /// The nodes as they were built, ready to be run on machines.
    pub fn deployment(&self) -> Deployment<M> {
        let mut deployment = Deployment::new(self.core.name.clone());
        for member in &self.core.members {
            let is_client = member.client.is_some();
            let plan = member.components.plan();
            deployment.add_plan(Member { address: member.name, is_client }, plan);
        }
        deployment
    }

    pub fn network(&self) -> Network {
        self.core.network
    }

    /// Handlers whose second call with one message changes the state again, each with the shortest example met; known only
    /// if the world was built with `check_code(true)`, and only for states explored so far. For information: a protocol
    /// need not be idempotent, but one that is has fewer states.
    pub fn not_idempotent(&self) -> Vec<(String, String)> {
        self.core.members.iter().flat_map(|member| member.components.not_idempotent()).collect()
    }

    /// Where an event leads, marks apart.
    fn step_plainly(&self, state: &[u32], event: Event) -> State {
        let core = &*self.core;
        let mut next = state.to_vec();
        if let Some(node) = event.node() {
            let (component, inbox) = (core.component_slot(node), core.inbox_slot(node));
            let it = core.move_of(node, state[component], state[inbox], event);
            let it = it.unwrap_or_else(|| panic!("{event:?} is not enabled"));
            (next[component], next[inbox]) = (it.component, it.inbox);
            for &(to, bundle) in it.sends.iter().filter(|(to, _)| *to != node) {
                let slot = core.inbox_slot(to);
                next[slot] = core.put(to, next[slot], bundle);
            }
            if let Some(client) = core.members[node as usize].client {
                core.note(&mut next, client, it.notes);
            }
        }
        if let Some(slot) = core.environment_slot() {
            let environment: &Environment = core.environments.get(state[slot]);
            next[slot] = core.intern_environment(core.environment_after(environment, event));
        }
        next
    }

    /// What was asked of the builder and means nothing.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

pub(crate) fn predicate_on<M: Data>(
    core: &Arc<Core<M>>,
    name: String,
    reads: Reads,
    test: impl Fn(&View<'_, M>, &mut Why) -> bool + Send + Sync + 'static,
) -> Predicate {
    let (core, sight) = (Arc::clone(core), Sight::of(&reads));
    let test =
        move |state: &[u32], why: &mut Why| test(&View::new(&core, state, sight.as_ref()), why);
    Predicate::new(name, reads, test)
}

impl<M: Data> System for World<M> {
    fn initial(&self) -> Vec<State> {
        vec![self.core.initial.clone()]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        let core = &*self.core;
        if core.marks_deliveries() {
            return races::enabled(core, state, actions);
        }
        if core.fault(state).is_some() {
            return;
        }
        let environment = core.environment(state);
        for node in 0..core.n_nodes() as u32 {
            let component = state[core.component_slot(node)];
            let events = core.moving_events(node, component, state[core.inbox_slot(node)]);
            let events = events.into_iter();
            let allowed = events.filter(|event| core.is_allowed(*event, environment));
            actions.extend(allowed.map(Event::action));
        }
        let network = core.network_events().filter(|event| core.is_allowed(*event, environment));
        actions.extend(network.map(Event::action));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let event = Event::of(action);
        if self.core.marks_deliveries() {
            return races::step(&self.core, state, event, || self.step_plainly(state, event));
        }
        self.step_plainly(state, event)
    }

    fn name(&self) -> String {
        self.core.name.clone()
    }

    fn explorer(&self) -> Box<dyn Explorer + '_> {
        if self.core.marks_deliveries() {
            return plain_explorer(self);
        }
        Box::new(Remembering::new(&self.core))
    }

    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.core.content_hash(slot, id)
    }

    fn content_key(&self, slot: usize, id: u32) -> u128 {
        self.core.content_key(slot, id)
    }

    fn why_stuck(&self, state: &[u32]) -> String {
        describe::why_stuck(&self.core, state)
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.core.fault(state)
    }

    fn memory_bytes(&self) -> usize {
        self.core.memory_bytes()
    }

    fn handler_calls(&self) -> u64 {
        // Counted by what is remembered, so that the number does not depend on threads that ask at the same time.
        let calls = self.core.members.iter().map(|member| member.outcomes.len());
        (calls.sum::<usize>() + self.core.n_nodes()) as u64
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
        (!self.symmetric.is_empty() && !self.core.marks_deliveries()).then_some(self)
    }
}

impl<M: Data> Symmetry for World<M> {
    fn groups(&self) -> Vec<Vec<String>> {
        let name = |node: &u32| self.core.address(*node).to_string();
        self.symmetric.iter().map(|group| group.iter().map(name).collect()).collect()
    }

    fn renamer(&self) -> Box<dyn Renamer + '_> {
        Box::new(Names::new(&self.core, &self.symmetric))
    }
}

impl<M: Data> Claims for World<M> {
    fn properties(&self) -> Vec<Property> {
        self.properties.to_vec()
    }

    fn prunes(&self) -> Vec<Predicate> {
        self.prunes.to_vec()
    }

    fn score(&self, state: &[u32]) -> Option<i64> {
        self.score.as_ref().map(|score| score(&self.view(state)))
    }
}

impl<M: Data> Interleaved for World<M> {
    fn actor(&self, _state: &[u32], action: Action) -> Actor {
        footprint::actor(&self.core, Event::of(action))
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        let event = Event::of(action);
        match self.core.marks_deliveries() {
            true => races::footprint(&self.core, state, event),
            false => footprint::footprint(&self.core, state, event),
        }
    }

    fn thread(&self, state: &[u32], action: Action) -> u64 {
        match self.core.marks_deliveries() {
            true => races::thread(&self.core, state, Event::of(action)),
            false => self.footprint(state, action).thread_key(),
        }
    }
}

impl<M: Data> Telling for World<M> {
    fn label(&self, state: &[u32], action: Action) -> Label {
        describe::label(&self.core, state, Event::of(action))
    }

    fn enabled_with_label(&self, state: &[u32], label: &Label, actions: &mut Vec<Action>) {
        named::enabled(&self.core, state, label, actions);
    }

    fn describe(&self, state: &[u32]) -> Description {
        describe::describe(&self.core, state)
    }

    fn outline(&self, state: &[u32]) -> Description {
        describe::outline(&self.core, state)
    }
}
