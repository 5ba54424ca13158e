//! `System`: the three things a front end must say, the more it may say, and the roles it may lend.
//! Why roles: engines, judges and storytellers each ask for something else, and a wrapper should not have to know it all. Not here:
//! the roles (`claims`, `interleaved`, `telling`), systems around systems (`around`).

use crate::{
    Account, Action, Actor, Claims, Description, Field, Footprint, Interleaved, Label,
    PackedSuccessors, Path, Predicate, Property, Successors, Symmetry, Telling,
};
use foresee_stdx::mix;
use serde::{Deserialize, Serialize};

/// A global state: one interned component's id per slot. Systems that create components while they run may lengthen
/// it; a missing slot counts as id 0.
pub type State = Vec<u32>;

/// What is said of a state without successors by those who cannot say why.
pub const NOTHING_CAN_HAPPEN: &str = "nothing can happen any more";

/// A system of interacting components: what exploring needs.
///
/// Required: where it starts, what can happen, what happens then. Everything else has a default that is correct but
/// slow or plain; front ends override what they can do better. What only some ask for is in roles that a system lends:
/// [`Claims`] to whoever judges states, [`Interleaved`] to whoever orders events, [`Telling`] to whoever shows them. A `dyn
/// System` answers for its roles, with defaults for those that it does not lend.
///
/// Determinism is part of the contract: `enabled` gives the same actions in the same order for equal states, whatever
/// ids were handed out in between, and `step` is a function. Ids themselves may differ from run to run.
pub trait System: Send + Sync {
    /// The states in which a run can start; at least one.
    fn initial(&self) -> Vec<State>;

    /// Appends every action that can happen in `state`, in a stable order.
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>);

    /// The state that `action`, one of those `enabled` in `state`, leads to.
    fn step(&self, state: &[u32], action: Action) -> State;

    /// The system's name as the user would type it, parameters included.
    fn name(&self) -> String {
        "system".to_owned()
    }

    /// What its author claims about it; `None` for nothing.
    fn claims(&self) -> Option<&dyn Claims> {
        None
    }

    /// Its events as those of threads; `None` if nothing is known of who acts and what is touched.
    fn interleaving(&self) -> Option<&dyn Interleaved> {
        None
    }

    /// Its events and states in words; `None` if it has none.
    fn telling(&self) -> Option<&dyn Telling> {
        None
    }

    /// Which of its components are interchangeable; `None` if nobody says that any are.
    fn symmetry(&self) -> Option<&dyn Symmetry> {
        None
    }

    /// The same system for one more thread, with memories of its own, so that threads do not wait for each other: the same
    /// states, actions and numbers. `None` if it remembers nothing.
    fn for_thread(&self) -> Option<Box<dyn System + '_>> {
        None
    }

    /// One worker's way of computing successors; it may keep caches of its own.
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        plain_explorer(self)
    }

    /// The hash of what `id` stands for in `slot`; equal on every thread, in every run and on every machine when the
    /// component is equal. The default hashes the id, which is only as stable as the ids are.
    ///
    /// A slot whose value is a function of the other slots may return 0: it then costs nothing.
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        mix(mix(slot as u64 + 1) ^ u64::from(id))
    }

    /// The component's name to another process (`foresee_search::Components`): the content hash spread over 128 bits, so that
    /// sums of keys tell more states apart than sums of hashes. Equal on every machine when the component is equal; different for
    /// two components that are met in one exploration, also in slots whose content hash is 0 to save work.
    fn content_key(&self, slot: usize, id: u32) -> u128 {
        spread(self.content_hash(slot, id))
    }

    /// Whether nothing more needs to happen in `state`: having no successor here is an end, not a deadlock.
    fn is_final(&self, state: &[u32]) -> bool {
        let _ = state;
        false
    }

    /// What keeps a state without successors from going on, in the user's words: who waits for what.
    fn why_stuck(&self, state: &[u32]) -> String {
        let _ = state;
        NOTHING_CAN_HAPPEN.to_owned()
    }

    /// Whether `state` is broken in itself: a handler panicked, a process died.
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        let _ = state;
        None
    }

    /// The number of bytes the system itself holds on to (interned components, caches), about.
    fn memory_bytes(&self) -> usize {
        0
    }

    /// How many times code of the user has really run, for statistics; 0 if not counted.
    fn handler_calls(&self) -> u64 {
        0
    }
}

/// The roles of a system that may not lend them.
impl dyn System + '_ {
    /// See [`Claims::properties`].
    pub fn properties(&self) -> Vec<Property> {
        self.claims().map_or(Vec::new(), Claims::properties)
    }

    /// See [`Claims::prunes`].
    pub fn prunes(&self) -> Vec<Predicate> {
        self.claims().map_or(Vec::new(), Claims::prunes)
    }

    /// See [`Claims::score`].
    pub fn score(&self, state: &[u32]) -> Option<i64> {
        self.claims()?.score(state)
    }

    /// See [`Interleaved::actor`]; one actor for everything if that is not known.
    pub fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.interleaving().map_or(Actor(0), |it| it.actor(state, action))
    }

    /// See [`Interleaved::footprint`]; dependent on every other event if that is not known.
    pub fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        let unknown = || Footprint::of(Actor(0)).writes(0);
        self.interleaving().map_or_else(unknown, |it| it.footprint(state, action))
    }

    /// See [`Interleaved::thread`]; one thread for everything if that is not known.
    pub fn thread(&self, state: &[u32], action: Action) -> u64 {
        let unknown = || Footprint::of(Actor(0)).thread_key();
        self.interleaving().map_or_else(unknown, |it| it.thread(state, action))
    }

    /// See [`Telling::label`]; the action's number if it has no words.
    pub fn label(&self, state: &[u32], action: Action) -> Label {
        self.telling().map_or_else(|| Label::of_number(action), |it| it.label(state, action))
    }

    /// See [`Telling::enabled_with_label`].
    pub fn enabled_with_label(&self, state: &[u32], label: &Label, actions: &mut Vec<Action>) {
        if let Some(telling) = self.telling() {
            return telling.enabled_with_label(state, label, actions);
        }
        let mut enabled = Vec::new();
        self.enabled(state, &mut enabled);
        let has_label = |it: &Action| Label::of_number(*it).same_but_for_place(label);
        actions.extend(enabled.into_iter().filter(has_label));
    }

    /// See [`Telling::describe`].
    pub fn describe(&self, state: &[u32]) -> Description {
        self.telling().map_or_else(Description::default, |it| it.describe(state))
    }

    /// See [`Telling::outline`].
    pub fn outline(&self, state: &[u32]) -> Description {
        self.telling().map_or_else(Description::default, |it| it.outline(state))
    }

    /// See [`Telling::account`].
    pub fn account(&self, path: &Path) -> Account {
        self.telling().map_or_else(Account::default, |it| it.account(path))
    }
}

/// One worker's view of a system: successors as differences.
pub trait Explorer {
    /// Clears `successors` and fills it with every successor of `state`, in the order of [`System::enabled`].
    fn expand(&mut self, state: &[u32], successors: &mut Successors);

    /// Clears `successors` and fills it with those of `states`, whose words stand one after the other; `fields` says where each slot is, and a slot
    /// beyond them has id 0. False if this explorer, or one for states of this width, only lists changes.
    fn expand_packed(
        &mut self,
        fields: &[Field],
        width: usize,
        states: &[u64],
        successors: &mut PackedSuccessors,
    ) -> bool {
        let _ = (fields, width, states, successors);
        false
    }

    /// The number of bytes in this worker's own caches, about.
    fn memory_bytes(&self) -> usize {
        0
    }
}

/// Something broken in a state itself.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Fault {
    pub kind: FaultKind,
    /// In the user's words: who, what.
    pub message: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A handler of a Rust node panicked.
    Panic,
    /// A handler gave different results for equal inputs.
    Nondeterminism,
    /// A process ended with an abnormal reason.
    AbnormalExit,
    /// An assertion in the checked code failed.
    Assertion,
    /// The program stopped itself with a status other than success.
    AbnormalHalt,
    /// The front end cannot go on faithfully: a loop without end, or something that is not modelled.
    Unmodelled,
}

/// The hash of a whole state: the sum of its slots' hashes.
pub fn content_hash_of<S: System + ?Sized>(system: &S, state: &[u32]) -> u64 {
    state
        .iter()
        .enumerate()
        .fold(0, |sum: u64, (slot, id)| sum.wrapping_add(system.content_hash(slot, *id)))
}

/// A hash as a key of 128 bits.
pub fn spread(hash: u64) -> u128 {
    u128::from(mix(hash ^ 0x5BF0_3635_D1F3_97A1)) << 64 | u128::from(mix(!hash))
}

/// The default explorer of a system, for those that have a better one and cannot use it.
pub fn plain_explorer<S: System + ?Sized>(system: &S) -> Box<dyn Explorer + '_> {
    Box::new(Plain { system, actions: Vec::new() })
}

/// The default explorer: `enabled` and `step`, then the difference.
struct Plain<'a, S: ?Sized> {
    system: &'a S,
    actions: Vec<Action>,
}

impl<S: System + ?Sized> Explorer for Plain<'_, S> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.actions.clear();
        self.system.enabled(state, &mut self.actions);
        for &action in &self.actions {
            let next = self.system.step(state, action);
            successors.push_step(self.system, state, action, &next);
        }
    }
}

/// Advice for a search that a front end's user has written for an engine, as phases of a guided search. A front end hands it
/// through without knowing what is in it, because front ends and engines do not see each other.
pub trait Guidance: std::any::Any + Send {}
