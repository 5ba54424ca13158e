//! Any typed model as a system: the whole state is interned into one slot.
//! Why: a quick model should need no knowledge of slots. It pays for that with one table look-up and one clone per new
//! state; nodes (`foresee-nodes`) are the fast way.

use crate::{Action, Claims, Label, Predicate, Property, Reads, State, System, Telling, Verb};
use foresee_stdx::{mix, stable_hash};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, RwLock};

/// A model with a state type of its own.
///
/// ```
/// use foresee_lts::{System, typed::{Model, Typed}};
/// /// A lamp that can be switched.
/// struct Lamp;
/// impl Model for Lamp {
///     type State = bool;
///     type Action = ();
///     fn initial(&self) -> Vec<bool> { vec![false] }
///     fn actions(&self, _on: &bool) -> Vec<()> { vec![()] }
///     fn next(&self, on: &bool, _: &()) -> bool { !on }
/// }
/// let system = Typed::new(Lamp);
/// let start = &system.initial()[0];
/// let mut actions = Vec::new();
/// system.enabled(start, &mut actions);
/// let after = system.step(start, actions[0]);
/// assert_eq!(*system.state(after[0]), true);
/// ```
pub trait Model: Send + Sync + 'static {
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    type Action: Clone + Debug;

    fn initial(&self) -> Vec<Self::State>;
    /// What can happen, in a stable order.
    fn actions(&self, state: &Self::State) -> Vec<Self::Action>;
    fn next(&self, state: &Self::State, action: &Self::Action) -> Self::State;
}

/// The system made of a [`Model`]. Cloning shares the interned states.
pub struct Typed<M: Model> {
    inner: Arc<Inner<M>>,
    properties: Vec<Property>,
}

struct Inner<M: Model> {
    model: M,
    states: RwLock<Interned<M::State>>,
}

struct Interned<S> {
    ids: HashMap<Arc<S>, u32>,
    states: Vec<(Arc<S>, u64)>,
}

impl<M: Model> Typed<M> {
    pub fn new(model: M) -> Self {
        let states = RwLock::new(Interned { ids: HashMap::new(), states: Vec::new() });
        Typed { inner: Arc::new(Inner { model, states }), properties: Vec::new() }
    }

    /// Adds an invariant.
    #[must_use]
    pub fn invariant(
        mut self,
        name: &str,
        test: impl Fn(&M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        let predicate = self.predicate(name, test);
        self.properties.push(Property::invariant(predicate));
        self
    }

    /// A predicate on typed states, for goals, prunes and invariants of one search.
    pub fn predicate(
        &self,
        name: &str,
        test: impl Fn(&M::State) -> bool + Send + Sync + 'static,
    ) -> Predicate {
        let inner = Arc::clone(&self.inner);
        Predicate::new(name, Reads::All, move |state, why| {
            let state = inner.get(state[0]);
            why.because(format_args!("{state:?}"));
            test(&state)
        })
    }

    /// The typed state behind an id.
    pub fn state(&self, id: u32) -> Arc<M::State> {
        self.inner.get(id)
    }
}

impl<M: Model> Inner<M> {
    fn get(&self, id: u32) -> Arc<M::State> {
        Arc::clone(&self.states.read().expect("not poisoned").states[id as usize].0)
    }

    fn intern(&self, state: M::State) -> u32 {
        if let Some(id) = self.states.read().expect("not poisoned").ids.get(&state) {
            return *id;
        }
        let mut states = self.states.write().expect("not poisoned");
        if let Some(id) = states.ids.get(&state) {
            return *id;
        }
        let id = states.states.len() as u32;
        let hash = mix(stable_hash(&state) ^ 1);
        let state = Arc::new(state);
        states.states.push((Arc::clone(&state), hash));
        states.ids.insert(state, id);
        id
    }
}

impl<M: Model> System for Typed<M> {
    fn initial(&self) -> Vec<State> {
        self.inner.model.initial().into_iter().map(|state| vec![self.inner.intern(state)]).collect()
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        let n = self.inner.model.actions(&self.state(state[0])).len();
        actions.extend((0..n as u64).map(Action));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let state = self.state(state[0]);
        let action = &self.inner.model.actions(&state)[action.0 as usize];
        vec![self.inner.intern(self.inner.model.next(&state, action))]
    }

    fn content_hash(&self, _slot: usize, id: u32) -> u64 {
        self.inner.states.read().expect("not poisoned").states[id as usize].1
    }

    fn claims(&self) -> Option<&dyn Claims> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl<M: Model> Claims for Typed<M> {
    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }
}

impl<M: Model> Telling for Typed<M> {
    fn label(&self, state: &[u32], action: Action) -> Label {
        let actions = self.inner.model.actions(&self.state(state[0]));
        Label::of_actor(Verb::Step, "model", format!("{:?}", actions[action.0 as usize]))
    }

    fn describe(&self, state: &[u32]) -> crate::Description {
        let state = crate::Tree::leaf(format!("{:?}", self.state(state[0])));
        crate::Description { shared: vec![("state".to_owned(), state)], ..Default::default() }
    }
}
