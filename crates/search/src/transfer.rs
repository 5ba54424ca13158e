//! Components that travel: a state of one process is made known to another one that explores the same system.
//! Why: the ids in a state are numbers of one instance of a system. Another instance, on another machine or started later, has
//! handed out other numbers, and a system that makes components while it runs has given them other slots too. So a state travels
//! as the *keys* of its components ([`System::content_key`]), 128 bits each, and a component that the receiver does not know
//! is defined once.
//! How a component is defined: by how it came to be, the components of the state before and which of the enabled actions
//! made it. The receiver takes that step itself and has the component; handlers are functions, so it is the same one. That needs
//! no way to write a component down (a closure, a Rust value without `Deserialize`), works for every front end, and checks on
//! the way that the system is deterministic: the step must give the key that was asked for.
//! Invariants: two components of one instance never share a key (`learn` asserts it); equal components have equal keys in every
//! instance; a slot that is left out holds id 0.
//! Not here: who sends what to whom. Decision: `docs/decisions/0121-components-travel-by-origin.md`.

use foresee_lts::{State, System};
use std::collections::BTreeMap;
use std::fmt;

/// The name of a component in every instance of its system.
pub type Key = u128;

/// What one instance of a system knows of components: their keys, and how they came to be.
///
/// ```
/// use foresee_lts::{System, toy::Counters};
/// use foresee_search::Components;
/// let (here, there) = (Counters::new(2, 3), Counters::new(2, 3));
/// let mut sender = Components::of(&here);
/// let mut receiver = Components::of(&there);
/// let start = here.initial().remove(0);
/// let next = sender.successors(&start).remove(0);
/// let keys = sender.keys(&next);
/// let missing = receiver.state(&keys).unwrap_err();
/// receiver.import(&sender.export(missing).unwrap()).unwrap();
/// assert_eq!(receiver.state(&keys), Ok(next));
/// ```
pub struct Components<'a> {
    system: &'a dyn System,
    places: BTreeMap<Key, Place>,
    origins: BTreeMap<Key, Origin>,
}

/// Where a component stands in states of this instance.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Place {
    slot: u32,
    id: u32,
}

/// How a component came to be.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Origin {
    /// It is in an initial state.
    Initial,
    /// It is there after the action with this number, of those enabled in the state with these components.
    Step { before: Box<[Key]>, action: u32 },
}

/// Why a definition is not taken in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ImportError {
    /// It is made of a component that is not known here: import that one first.
    Missing(Key),
    /// These are not the bytes of a definition.
    Damaged,
    /// The step that is said to make the component makes another one: it is another system, or one that is not a function.
    Different(Key),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Missing(key) => write!(f, "the component {key:032x} is not known here"),
            ImportError::Damaged => f.write_str("this defines no component"),
            ImportError::Different(key) => {
                write!(f, "the step that made the component {key:032x} makes another one here")
            }
        }
    }
}

impl std::error::Error for ImportError {}

impl<'a> Components<'a> {
    /// Knows the components of the initial states.
    pub fn of(system: &'a dyn System) -> Self {
        let (places, origins) = (BTreeMap::new(), BTreeMap::new());
        let mut own = Components { system, places, origins };
        for state in system.initial() {
            own.learn(&state, || Origin::Initial);
        }
        own
    }

    /// The successors of a state, in the order of the enabled actions; remembers how what is new in them came to be.
    pub fn successors(&mut self, state: &[u32]) -> Vec<State> {
        let mut actions = Vec::new();
        self.system.enabled(state, &mut actions);
        let mut successors = Vec::with_capacity(actions.len());
        for (number, action) in actions.into_iter().enumerate() {
            let next = self.system.step(state, action);
            self.reached(state, number as u32, &next);
            successors.push(next);
        }
        successors
    }

    /// Remembers how what is new in `next` came to be: by the action with this number, of those enabled in `state`.
    pub fn reached(&mut self, state: &[u32], action: u32, next: &[u32]) {
        let before = self.keys(state);
        self.learn(next, || Origin::Step { before: before.clone().into(), action });
    }

    /// What a state is made of, in no particular order. Slots that hold nothing are left out.
    pub fn keys(&self, state: &[u32]) -> Vec<Key> {
        parts(self.system, state).map(|(key, _)| key).collect()
    }

    /// The state that is made of these components; an error names one that is not known here.
    pub fn state(&self, keys: &[Key]) -> Result<State, Key> {
        let mut state = vec![0; self.system.initial().first().map_or(0, Vec::len)];
        for key in keys {
            let place = self.places.get(key).ok_or(*key)?;
            let slot = place.slot as usize;
            state.resize(state.len().max(slot + 1), 0);
            state[slot] = place.id;
        }
        Ok(state)
    }

    pub fn is_known(&self, key: Key) -> bool {
        self.places.contains_key(&key)
    }

    /// How many components are known.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The definition of a component; `None` if it is not known here.
    pub fn export(&self, key: Key) -> Option<Vec<u8>> {
        let mut bytes = key.to_le_bytes().to_vec();
        if let Origin::Step { before, action } = self.origins.get(&key)? {
            bytes.extend(action.to_le_bytes());
            bytes.extend(before.iter().flat_map(|key| key.to_le_bytes()));
        }
        Some(bytes)
    }

    /// Takes in a definition and gives the component's key.
    pub fn import(&mut self, bytes: &[u8]) -> Result<Key, ImportError> {
        let (key, rest) = bytes.split_first_chunk::<16>().ok_or(ImportError::Damaged)?;
        let key = Key::from_le_bytes(*key);
        if self.is_known(key) {
            return Ok(key);
        }
        // Initial states are known from the start.
        let (action, rest) = match rest.split_first_chunk::<4>() {
            Some((action, rest)) => (u32::from_le_bytes(*action), rest),
            None if rest.is_empty() => return Err(ImportError::Different(key)),
            None => return Err(ImportError::Damaged),
        };
        let (before, []) = rest.as_chunks::<16>() else { return Err(ImportError::Damaged) };
        let before: Vec<Key> = before.iter().map(|key| Key::from_le_bytes(*key)).collect();
        let state = self.state(&before).map_err(ImportError::Missing)?;
        let mut actions = Vec::new();
        self.system.enabled(&state, &mut actions);
        let taken = actions.get(action as usize).ok_or(ImportError::Different(key))?;
        let next = self.system.step(&state, *taken);
        self.learn(&next, || Origin::Step { before: before.clone().into(), action });
        if self.is_known(key) { Ok(key) } else { Err(ImportError::Different(key)) }
    }

    fn learn(&mut self, state: &[u32], origin: impl Fn() -> Origin) {
        for (key, place) in parts(self.system, state) {
            let known = self.places.entry(key).or_insert_with(|| {
                self.origins.insert(key, origin());
                place
            });
            assert_eq!(*known, place, "two components have the key {key:032x}");
        }
    }
}

/// The components of a state with their keys. Id 0 with hash 0 is what a slot holds that is not there.
fn parts(system: &dyn System, state: &[u32]) -> impl Iterator<Item = (Key, Place)> {
    let is_there = |slot: usize, id: u32| id != 0 || system.content_hash(slot, id) != 0;
    let slots = state.iter().enumerate().filter(move |(slot, id)| is_there(*slot, **id));
    slots.map(|(slot, &id)| (system.content_key(slot, id), Place { slot: slot as u32, id }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::toy::Counters;

    #[test]
    fn what_a_component_is_made_of_is_asked_for_first() {
        let (here, there) = (Counters::new(2, 3), Counters::new(2, 3));
        let (mut sender, mut receiver) = (Components::of(&here), Components::of(&there));
        let once = sender.successors(&[0, 0]).remove(0);
        let twice = sender.successors(&once).remove(0);
        let [first, second] = [&once, &twice].map(|state| here.content_key(0, state[0]));
        let definition = sender.export(second).expect("known");
        assert_eq!(receiver.import(&definition), Err(ImportError::Missing(first)));
        let earlier = sender.export(first).expect("known");
        assert_eq!(receiver.import(&earlier), Ok(first));
        assert_eq!(receiver.import(&definition), Ok(second));
        assert_eq!(receiver.state(&sender.keys(&twice)), Ok(vec![2, 0]));
        assert_eq!(receiver.export(second), Some(definition));
    }

    #[test]
    fn another_system_and_damage_are_found_out() {
        let (here, there) = (Counters::new(2, 3), Counters::new(2, 0));
        let (mut sender, mut receiver) = (Components::of(&here), Components::of(&there));
        let next = sender.successors(&[0, 0]).remove(1);
        let key = here.content_key(1, next[1]);
        let definition = sender.export(key).expect("known");
        assert_eq!(receiver.import(&definition), Err(ImportError::Different(key)));
        for length in [0, 15, 18, 21, definition.len() - 1] {
            let cut = receiver.import(&definition[..length]);
            assert_eq!(cut, Err(ImportError::Damaged), "{length} bytes");
        }
        assert_eq!(sender.export(1), None);
    }
}
