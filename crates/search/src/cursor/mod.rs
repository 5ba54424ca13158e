//! The cursor: a system stepped by hand, with every place visited kept in a tree.
//! Why: a replay, a random walk, a guided script and a debugger all ask the same of a system: where am I, what can happen,
//! do that, go back, try another way. Without a tree each of them has a stepping loop of its own, and none can come back.
//! A place is where a run has led: two runs to the same state are two places, because how one got there is what a person
//! looks at. Taking the same action twice from one place leads to the same place.
//! Not here: words, judgements and files (`foresee-session`'s `Stage`). Where next: `forward` (exploring from a place),
//! `until` (the shortest way to something), `outlook` (what can still go wrong from here).
//!
//! ```
//! use foresee_lts::{System, toy::Counters};
//! use foresee_search::Cursor;
//! let system = Counters::new(2, 3);
//! let mut cursor = Cursor::new(&system as &dyn System);
//! let first = cursor.take(0, 0).unwrap().place;
//! let other = cursor.take(0, 1).unwrap().place;
//! assert_eq!(cursor.state(first).unwrap(), [1, 0]);
//! assert_eq!(cursor.state(other).unwrap(), [0, 1]);
//! let again = cursor.take(0, 0).unwrap();
//! assert!(again.place == first && !again.new);
//! assert_eq!(cursor.back(), Some(0));
//! ```

mod forward;
mod outlook;
mod region;
mod until;

pub use outlook::{ChoiceOutlook, Decisive, GoodRun, Outlook, Prospect};
pub use region::Wrongs;
pub use until::{Goal, Until};

use foresee_lts::{Action, Path, State, System};
use foresee_stdx::Random;
use region::Region;
use std::fmt;

/// The number of a place in its cursor: 0 is the first initial state. Numbers are never used again.
pub type PlaceId = u32;

/// Whoever holds a system and lends it to a cursor: a reference, or something that owns it.
pub trait Lends {
    fn system(&self) -> &dyn System;
}

impl Lends for &dyn System {
    fn system(&self) -> &dyn System {
        *self
    }
}

/// A tree of places in one system, and the place where one stands.
pub struct Cursor<L> {
    lender: L,
    places: Vec<Place>,
    here: PlaceId,
    region: Option<Region>,
}

/// Where a run has led.
#[derive(Clone, Debug)]
pub struct Place {
    /// The place before, and what happened there; `None` where a run starts.
    pub before: Option<(PlaceId, Action)>,
    pub state: State,
    /// How many steps from the start of the run.
    pub depth: u32,
    /// The places that were reached from here in one step, in the order in which they were visited first.
    pub after: Vec<PlaceId>,
}

/// What taking a step came to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Taken {
    pub place: PlaceId,
    /// The place was not there before.
    pub new: bool,
}

/// What a cursor cannot do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum CursorError {
    NoSuchPlace(PlaceId),
    /// The place has only so many choices.
    NoSuchChoice {
        choice: usize,
        n_choices: usize,
    },
    /// The system has only so many initial states.
    NoSuchStart {
        start: usize,
        n_starts: usize,
    },
}

impl<L: Lends> Cursor<L> {
    /// A cursor at the system's first initial state.
    pub fn new(lender: L) -> Self {
        let first = lender.system().initial().into_iter().next();
        let state = first.expect("a system has at least one initial state");
        let start = Place { before: None, state, depth: 0, after: Vec::new() };
        Cursor { lender, places: vec![start], here: 0, region: None }
    }

    pub fn lender(&self) -> &L {
        &self.lender
    }

    pub fn system(&self) -> &dyn System {
        self.lender.system()
    }

    pub fn here(&self) -> PlaceId {
        self.here
    }

    /// The number of places visited.
    pub fn n_places(&self) -> usize {
        self.places.len()
    }

    pub fn place(&self, place: PlaceId) -> Result<&Place, CursorError> {
        self.places.get(place as usize).ok_or(CursorError::NoSuchPlace(place))
    }

    pub fn state(&self, place: PlaceId) -> Result<&[u32], CursorError> {
        Ok(&self.place(place)?.state)
    }

    pub fn go_to(&mut self, place: PlaceId) -> Result<(), CursorError> {
        self.place(place)?;
        self.here = place;
        Ok(())
    }

    /// One step back; `None` where the run starts.
    pub fn back(&mut self) -> Option<PlaceId> {
        let (before, _) = self.places[self.here as usize].before?;
        self.here = before;
        Some(before)
    }

    /// Goes to an initial state, from 0.
    pub fn start(&mut self, start: usize) -> Result<PlaceId, CursorError> {
        let initial = self.system().initial();
        let n_starts = initial.len();
        let state = initial.into_iter().nth(start);
        let state = state.ok_or(CursorError::NoSuchStart { start, n_starts })?;
        let is_it = |place: &Place| place.before.is_none() && place.state == state;
        let known = self.places.iter().position(is_it).map(|at| at as PlaceId);
        self.here = known.unwrap_or_else(|| {
            self.add(Place { before: None, state, depth: 0, after: Vec::new() })
        });
        Ok(self.here)
    }

    /// A place in a state that somebody else has reached: how is not known here.
    pub fn visit(&mut self, state: &[u32]) -> PlaceId {
        let is_it = |place: &Place| place.before.is_none() && place.state == state;
        let known = self.places.iter().rposition(is_it).map(|at| at as PlaceId);
        known.unwrap_or_else(|| {
            self.add(Place { before: None, state: state.to_vec(), depth: 0, after: Vec::new() })
        })
    }

    /// What can happen at a place, in the system's order: a choice is an index into it.
    pub fn choices(&self, place: PlaceId) -> Result<Vec<Action>, CursorError> {
        let mut actions = Vec::new();
        self.system().enabled(self.state(place)?, &mut actions);
        Ok(actions)
    }

    /// Takes one of the choices of a place and goes where it leads.
    pub fn take(&mut self, place: PlaceId, choice: usize) -> Result<Taken, CursorError> {
        let action = self.choice(place, choice)?;
        self.take_action(place, action)
    }

    /// The same for an action that is known to be enabled there.
    pub fn take_action(&mut self, place: PlaceId, action: Action) -> Result<Taken, CursorError> {
        if let Some(known) = self.after(place, action)? {
            self.here = known;
            return Ok(Taken { place: known, new: false });
        }
        let from = self.place(place)?;
        let (state, depth) = (self.system().step(&from.state, action), from.depth + 1);
        let new =
            self.add(Place { before: Some((place, action)), state, depth, after: Vec::new() });
        self.here = new;
        Ok(Taken { place: new, new: true })
    }

    /// The place that an action has led to, if it was taken before.
    pub fn after(&self, place: PlaceId, action: Action) -> Result<Option<PlaceId>, CursorError> {
        let mut after = self.place(place)?.after.iter().copied();
        let is_it = |at: &PlaceId| {
            self.places[*at as usize].before.is_some_and(|(_, taken)| taken == action)
        };
        Ok(after.find(is_it))
    }

    /// The state that a choice leads to; no place is added.
    pub fn preview(&self, place: PlaceId, choice: usize) -> Result<State, CursorError> {
        let action = self.choice(place, choice)?;
        Ok(self.system().step(self.state(place)?, action))
    }

    /// So many steps chosen at random, or fewer if nothing can happen any more; the places in order.
    pub fn random(
        &mut self,
        place: PlaceId,
        steps: u32,
        random: &mut Random,
    ) -> Result<Vec<PlaceId>, CursorError> {
        let mut places = Vec::new();
        let mut at = place;
        for _ in 0..steps {
            let actions = self.choices(at)?;
            if actions.is_empty() {
                break;
            }
            let action = actions[random.below(actions.len() as u64) as usize];
            at = self.take_action(at, action)?.place;
            places.push(at);
        }
        Ok(places)
    }

    /// The places from the start of the run to a place, both included.
    pub fn line(&self, place: PlaceId) -> Result<Vec<PlaceId>, CursorError> {
        let mut line = vec![place];
        let mut at = self.place(place)?;
        while let Some((before, _)) = at.before {
            line.push(before);
            at = &self.places[before as usize];
        }
        line.reverse();
        Ok(line)
    }

    /// The run to a place.
    pub fn path(&self, place: PlaceId) -> Result<Path, CursorError> {
        let line = self.line(place)?;
        let initial = self.places[line[0] as usize].state.clone();
        let actions = line.iter().filter_map(|at| self.places[*at as usize].before);
        Ok(Path { initial, actions: actions.map(|(_, action)| action).collect() })
    }

    fn choice(&self, place: PlaceId, choice: usize) -> Result<Action, CursorError> {
        let actions = self.choices(place)?;
        let n_choices = actions.len();
        actions.get(choice).copied().ok_or(CursorError::NoSuchChoice { choice, n_choices })
    }

    fn add(&mut self, place: Place) -> PlaceId {
        let number = self.places.len() as PlaceId;
        if let Some((before, _)) = place.before {
            self.places[before as usize].after.push(number);
        }
        self.places.push(place);
        number
    }
}

impl fmt::Display for CursorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CursorError::NoSuchPlace(place) => write!(f, "there is no place {place}"),
            CursorError::NoSuchChoice { choice, n_choices } => {
                write!(f, "there is no choice {choice}: the place has {n_choices}, from 0")
            }
            CursorError::NoSuchStart { start, n_starts } => {
                write!(f, "there is no initial state {start}: the system has {n_starts}, from 0")
            }
        }
    }
}

impl std::error::Error for CursorError {}
