//! A specification as a `System`: one slot for each parallel component, and one more only when something went wrong.
//! Order: what components do alone, in the order of `init`; then what pairs do together; within these the order of the
//! text and of the constructors. So the order depends on content only.
//! An action is the number of an event (label and new component states), the same number wherever it happens.
//! What cannot be explored faithfully (rewriting without end, a sum without end) is a step `stuck(E…)` to a broken state.

use crate::check::{self, Checked};
use crate::describe;
use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::moves::{Explored, LabelId, Spelling};
use crate::network::{self, Network};
use crate::parser::parse;
use crate::process::{DONE, Engine, Options, ProcId};
use crate::tree::Specification;
use foresee_lts::{
    Action, Actor, Description, Explorer, Fault, FaultKind, Footprint, Interleaved, Label, Origin,
    State, Successors, System, Telling,
};
use foresee_stdx::{mix, stable_hash};
use foresee_text::Lines;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// A specification that can be explored.
pub struct Algebra {
    pub(crate) model: Arc<Model>,
    pub(crate) network: Network,
    pub(crate) lines: Lines,
    /// Who may act together: each component alone, then the pairs.
    groups: Vec<SmallVec<[usize; 2]>>,
    pub(crate) shared: Mutex<Shared>,
    name: String,
}

pub(crate) struct Shared {
    pub(crate) explored: Explored,
    events: Vec<Event>,
    numbers: FxHashMap<Event, u64>,
    /// By group and the states of its members.
    ready: FxHashMap<GroupState, Arc<[Ready]>>,
}

type GroupState = (u32, SmallVec<[ProcId; 2]>);

/// A label and what it changes.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct Event {
    label: LabelId,
    /// Slot and new state of each component that takes part, or the slot of problems.
    parts: SmallVec<[(u32, u32); 2]>,
}

/// An event in given states of those who take part.
#[derive(Clone, Debug)]
struct Ready {
    number: u64,
    label: LabelId,
    hash_delta: u64,
    is_faulty: bool,
    /// Only what really changes.
    changes: SmallVec<[(u32, u32); 2]>,
}

/// Reads, checks and loads a text.
///
/// ```
/// use foresee_lts::System;
/// let system = foresee_algebra::load("act a proc P = a.P init P", Default::default()).unwrap();
/// let state = &system.initial()[0];
/// let mut actions = Vec::new();
/// system.enabled(state, &mut actions);
/// assert_eq!(system.action_text(actions[0]), "a");
/// assert_eq!(system.step(state, actions[0]), *state);
/// ```
pub fn load(text: &str, options: Options) -> Result<Algebra, Vec<Diagnostic>> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    Algebra::with_lines(&parsed.specification, Lines::new(text), options)
}

impl Algebra {
    /// The system of a tree that was built by code.
    pub fn new(
        specification: &Specification,
        options: Options,
    ) -> Result<Algebra, Vec<Diagnostic>> {
        Algebra::with_lines(specification, Lines::default(), options)
    }

    fn with_lines(
        specification: &Specification,
        lines: Lines,
        options: Options,
    ) -> Result<Algebra, Vec<Diagnostic>> {
        let checked: Checked = check::check(specification)?;
        let n_filters = checked.filters.len();
        let mut engine = Engine::new(checked, options);
        let (network, n_outside) = Network::new(&mut engine).map_err(|problem| vec![*problem])?;
        let model = Arc::clone(&engine.model);
        let endless = network::endless_sums(&model, &network, n_filters - n_outside);
        if !endless.is_empty() {
            return Err(endless);
        }
        let alone = (0..network.names.len()).map(|at| smallvec![at]);
        let pairs = network.pairs.iter().map(|(i, j)| smallvec![*i, *j]);
        let groups = alone.chain(pairs).collect();
        let shared = Shared {
            explored: Explored::new(engine),
            events: Vec::new(),
            numbers: FxHashMap::default(),
            ready: FxHashMap::default(),
        };
        let shared = Mutex::new(shared);
        Ok(Algebra { model, network, lines, groups, shared, name: "specification".to_owned() })
    }

    /// Sets the name under which the system is reported.
    #[must_use]
    pub fn named(mut self, name: &str) -> Algebra {
        name.clone_into(&mut self.name);
        self
    }

    /// Labels are called otherwise outside: as another front end spells the same. To be said before anything is explored.
    #[must_use]
    pub fn spelt(self, spelling: Spelling) -> Algebra {
        self.shared.lock().explored.spelling = Some(spelling);
        self
    }

    /// The names of the parallel components, in the order of the slots.
    pub fn components(&self) -> &[String] {
        &self.network.names
    }

    /// The action as muCRL writes it, `send(d1,T)`; `tau` if it is hidden.
    pub fn action_text(&self, action: Action) -> String {
        let shared = self.shared.lock();
        let event = &shared.events[action.0 as usize];
        shared.explored.text(event.label).to_string()
    }

    /// The text of an action that can be seen; `None` if it is hidden.
    pub fn visible_text(&self, action: Action) -> Option<String> {
        let text = self.action_text(action);
        (text != "tau").then_some(text)
    }

    /// What went wrong on the way to a broken state, with its place in the text.
    pub fn problem(&self, state: &[u32]) -> Option<Diagnostic> {
        let number = *state.get(self.problem_slot())?;
        self.shared.lock().explored.problem(number).cloned()
    }

    /// The number of rewrite rules applied so far.
    pub fn n_rewrites(&self) -> u64 {
        self.shared.lock().explored.engine.n_applied()
    }

    fn problem_slot(&self) -> usize {
        self.network.names.len()
    }

    /// What a group of components can do in these states.
    fn ready(&self, group: usize, state: &[u32]) -> Arc<[Ready]> {
        let members = &self.groups[group];
        self.ready_of(group as u32, members, state)
    }

    fn ready_of(&self, group: u32, members: &[usize], state: &[u32]) -> Arc<[Ready]> {
        let mut shared = self.shared.lock();
        let states: SmallVec<[ProcId; 2]> = members.iter().map(|it| state[*it]).collect();
        let is_known = group != NO_GROUP;
        if is_known && let Some(ready) = shared.ready.get(&(group, states.clone())) {
            return Arc::clone(ready);
        }
        let moves = shared.explored.moves(&states, &self.network.fates);
        let ready = moves.iter().map(|it| {
            let parts: SmallVec<[(u32, u32); 2]> = if it.problem == 0 {
                members.iter().zip(&it.next).map(|(slot, next)| (*slot as u32, *next)).collect()
            } else {
                smallvec![(self.problem_slot() as u32, it.problem)]
            };
            let changes: SmallVec<[(u32, u32); 2]> = parts
                .iter()
                .filter(|(slot, next)| state.get(*slot as usize) != Some(next))
                .copied()
                .collect();
            let hash_delta = changes.iter().fold(0u64, |sum, (slot, next)| {
                let slot = *slot as usize;
                let old = state.get(slot).map_or(0, |old| self.hash_in(&shared, slot, *old));
                sum.wrapping_add(self.hash_in(&shared, slot, *next)).wrapping_sub(old)
            });
            let number = shared.number(Event { label: it.label, parts });
            Ready { number, label: it.label, hash_delta, is_faulty: it.problem != 0, changes }
        });
        let ready: Arc<[Ready]> = ready.collect::<Vec<_>>().into();
        if is_known {
            shared.ready.insert((group, states), Arc::clone(&ready));
        }
        ready
    }

    fn hash_in(&self, shared: &Shared, slot: usize, id: u32) -> u64 {
        if slot == self.problem_slot() {
            let problem = shared.explored.problem(id);
            return problem.map_or(0, |it| mix(stable_hash(&(it.code.0, &it.message))));
        }
        mix(mix(slot as u64 + 1) ^ shared.explored.engine.procs.hash(id))
    }

    /// Steps in which three or more components meet, for specifications where results of communication communicate.
    fn larger_groups(&self, state: &[u32], members: &[usize], found: &mut Vec<Arc<[Ready]>>) {
        for next in members.last().map_or(0, |it| it + 1)..self.network.names.len() {
            let mut longer = members.to_vec();
            longer.push(next);
            let states: SmallVec<[ProcId; 2]> = longer.iter().map(|it| state[*it]).collect();
            if longer.len() > 1 && !self.shared.lock().explored.can_meet(&states) {
                continue;
            }
            if longer.len() > 2 {
                found.push(self.ready_of(NO_GROUP, &longer, state));
            }
            self.larger_groups(state, &longer, found);
        }
    }
}

/// The group of three or more, found anew each time.
const NO_GROUP: u32 = u32::MAX;

impl Shared {
    fn number(&mut self, event: Event) -> u64 {
        if let Some(number) = self.numbers.get(&event) {
            return *number;
        }
        let number = self.events.len() as u64;
        self.events.push(event.clone());
        self.numbers.insert(event, number);
        number
    }
}

impl System for Algebra {
    fn initial(&self) -> Vec<State> {
        vec![self.network.initial.clone()]
    }

    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        let mut successors = Successors::default();
        self.explorer().expand(state, &mut successors);
        actions.extend(successors.iter().map(|it| it.action));
    }

    fn step(&self, state: &[u32], action: Action) -> State {
        let shared = self.shared.lock();
        let mut next = state.to_vec();
        for (slot, id) in &shared.events[action.0 as usize].parts {
            let slot = *slot as usize;
            next.resize(next.len().max(slot + 1), 0);
            next[slot] = *id;
        }
        next
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn explorer(&self) -> Box<dyn Explorer + '_> {
        Box::new(Worker { system: self, known: FxHashMap::default(), seen: Vec::new() })
    }

    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.hash_in(&self.shared.lock(), slot, id)
    }

    fn is_final(&self, state: &[u32]) -> bool {
        state[..self.problem_slot()].iter().all(|it| *it == DONE)
    }

    fn why_stuck(&self, state: &[u32]) -> String {
        self.waiting_words(state)
    }

    fn fault(&self, state: &[u32]) -> Option<Fault> {
        let problem = self.problem(state)?;
        let place =
            self.lines.line(problem.span).map_or(String::new(), |line| format!("line {line}: "));
        let message = format!("{place}{}: {}", problem.code, problem.message);
        Some(Fault { kind: FaultKind::Unmodelled, message })
    }

    fn memory_bytes(&self) -> usize {
        let shared = self.shared.lock();
        let events = shared.events.capacity() * 2 * size_of::<Event>();
        shared.explored.bytes() + events + shared.ready.capacity() * 64
    }

    fn handler_calls(&self) -> u64 {
        self.n_rewrites()
    }

    fn interleaving(&self) -> Option<&dyn Interleaved> {
        Some(self)
    }

    fn telling(&self) -> Option<&dyn Telling> {
        Some(self)
    }
}

impl Interleaved for Algebra {
    fn actor(&self, _state: &[u32], action: Action) -> Actor {
        let shared = self.shared.lock();
        Actor(shared.events[action.0 as usize].parts[0].0)
    }

    fn origin(&self, state: &[u32], action: Action) -> Origin {
        Origin::of(u64::from(self.actor(state, action).0))
    }

    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        let actor = self.actor(state, action);
        let shared = self.shared.lock();
        let parts = &shared.events[action.0 as usize].parts;
        parts.iter().fold(Footprint::of(actor), |it, (slot, _)| it.writes(u64::from(*slot)))
    }
}

impl Telling for Algebra {
    fn label(&self, _state: &[u32], action: Action) -> Label {
        let shared = self.shared.lock();
        let event = &shared.events[action.0 as usize];
        let names =
            event.parts.iter().filter_map(|(slot, _)| self.network.names.get(*slot as usize));
        let names: Vec<_> = names.map(String::as_str).collect();
        let actors = if names.is_empty() { "specification".to_owned() } else { names.join("+") };
        network::label(&actors, shared.explored.text(event.label))
    }

    fn describe(&self, state: &[u32]) -> Description {
        let shared = self.shared.lock();
        describe::state(self, &shared.explored.engine, state)
    }
}

/// One thread's view: it asks the shared tables once for each group of component states.
struct Worker<'a> {
    system: &'a Algebra,
    known: FxHashMap<(u32, ProcId, ProcId), Arc<[Ready]>>,
    /// What was pushed for the current state: label and hash difference.
    seen: Vec<(LabelId, u64)>,
}

impl Explorer for Worker<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) {
        successors.clear();
        self.seen.clear();
        // An engine may hand in a state with empty slots at its end.
        if state.get(self.system.problem_slot()).is_some_and(|it| *it != 0) {
            return;
        }
        for (group, members) in self.system.groups.iter().enumerate() {
            let second = members.get(1).map_or(0, |it| state[*it]);
            let key = (group as u32, state[members[0]], second);
            let ready = self.known.entry(key).or_insert_with(|| self.system.ready(group, state));
            push(ready, &mut self.seen, successors);
        }
        if self.system.network.chains {
            let mut found = Vec::new();
            self.system.larger_groups(state, &[], &mut found);
            found.iter().for_each(|ready| push(ready, &mut self.seen, successors));
        }
    }

    fn memory_bytes(&self) -> usize {
        self.known.capacity() * 32
    }
}

/// Appends what is not there yet: transitions are a set, so two ways of doing the same with the same result are one.
fn push(ready: &[Ready], seen: &mut Vec<(LabelId, u64)>, successors: &mut Successors) {
    for it in ready {
        let key = (it.label, it.hash_delta);
        if seen.contains(&key) {
            let same = successors.iter().zip(&*seen).any(|(earlier, seen)| {
                let changes = successors.changes(earlier);
                *seen == key
                    && changes.len() == it.changes.len()
                    && changes.iter().zip(&it.changes).all(|(a, b)| (a.slot, a.id) == *b)
            });
            if same {
                continue;
            }
        }
        seen.push(key);
        for (slot, id) in &it.changes {
            successors.change(*slot, *id);
        }
        successors.finish(Action(it.number), it.hash_delta, it.is_faulty);
    }
}
