//! The stage: a system stepped by hand, told as plain data, for whoever shows runs to people.
//! Why: a debugger, a script and a test ask the same: what is here, what can happen, what cannot and why, what changed, what is
//! wrong, what can still go wrong. They get it in the user's words, without engines, ids or front ends.
//! The tree of places is `foresee-search`'s `Cursor`; a stage puts words on it. Places are numbers that stay; parts of states
//! are named by keys that depend on their content alone ([`PartKey`]).
//!
//! Reading order: `view` (the data), `state`, `choices`, `row`, `changes`; `sends` (which step sent what); `follow` (labels
//! become places again); `until` and `outlook` (looking ahead).
//!
//! ```
//! use foresee_session::{NoFiles, Registry, Source, Stage, open};
//! let ping = open(&Source::nodes("ping", &["clients=1"]), &Registry::stock(), &NoFiles).unwrap();
//! let mut stage = Stage::open(&ping);
//! let choices = stage.choices(0).unwrap().choices;
//! let taken = stage.take(0, 0, Some(&choices[0].label.text)).unwrap();
//! assert_eq!(stage.row(taken.place).unwrap().label.unwrap(), choices[0].label);
//! assert_eq!(stage.back(), Some(0));
//! ```

mod changes;
mod choices;
mod error;
mod follow;
mod info;
mod members;
mod outlook;
mod row;
mod sends;
mod state;
mod until;
mod view;

pub(crate) use choices::is_fault;
pub use error::StageError;
pub use outlook::{ChoiceOutlook, Outlook, Prospect};
pub(crate) use until::part_at;
pub use until::{Comparison, Condition, Toward, Until};
pub use view::{
    ChangeView, ChoiceView, Choices, FaultBudget, FindingView, Followed, KindCount, LabelView,
    MemberInfo, MemberView, NotPossible, PartKey, PendingView, PropertyInfo, PropertyView, Row,
    SourcePlace, StageInfo, StateView, Stopped, Taken,
};

use crate::Loaded;
use foresee_lts::{
    Action, Description, Footprint, Label, Predicate, Property, State, System, Tree,
};
use foresee_search::{Cursor, Lends, PlaceId};
use foresee_stdx::halt;
use foresee_trace::Judge;
use members::Members;
use sends::{Touches, Tracked};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// As many states are kept described.
const DESCRIBED_MAX: usize = 64;

/// The same of states in which very much is pending.
const LARGE_DESCRIBED_MAX: usize = 4;
/// So many things that can happen at the start are many.
const MANY: usize = 200;

fn is_large(loaded: &Loaded) -> bool {
    let mut actions = Vec::new();
    let first = loaded.initial().into_iter().next().unwrap_or_default();
    loaded.enabled(&first, &mut actions);
    loaded.front().as_nodes().is_some() && actions.len() > MANY
}

/// A system on the stage, with every place that was visited.
pub struct Stage {
    cursor: Cursor<Loaded>,
    info: StageInfo,
    properties: Vec<Property>,
    prunes: Vec<Predicate>,
    /// Which of the prunes are in force.
    restrictions: Vec<bool>,
    judge: Judge,
    members: Members,
    parts: BTreeMap<PartKey, Tree>,
    scenes: Vec<Scene>,
    /// The states described last, the latest at the end.
    described: VecDeque<(PlaceId, Arc<Description>)>,
    /// The same without what is pending.
    outlined: VecDeque<(PlaceId, Arc<Description>)>,
    /// So much is pending that it is not followed from where it was sent.
    is_large: bool,
    tracked: Tracked,
    touches: Touches,
}

/// What was found out about a place.
#[derive(Clone, Default)]
struct Scene {
    members: Option<Vec<(u32, String)>>,
    findings: Option<Vec<FindingView>>,
    /// What happened, and which of the choices with this label it was.
    event: Option<(Label, usize)>,
    sent: Option<sends::SentAt>,
    footprint: Option<Arc<Footprint>>,
}

impl Lends for Loaded {
    fn system(&self) -> &dyn System {
        self
    }
}

impl Stage {
    /// A stage at the first initial state.
    pub fn open(loaded: &Loaded) -> Stage {
        let (properties, prunes) = info::claims(loaded);
        let judge = Judge::of(loaded).with_properties(properties.clone());
        Stage {
            info: info::info(loaded, &properties, &prunes),
            cursor: Cursor::new(loaded.clone()),
            properties,
            restrictions: vec![true; prunes.len()],
            prunes,
            judge,
            members: Members::default(),
            parts: BTreeMap::new(),
            scenes: Vec::new(),
            described: VecDeque::new(),
            outlined: VecDeque::new(),
            is_large: is_large(loaded),
            tracked: Tracked::default(),
            touches: Touches::default(),
        }
    }

    pub fn info(&self) -> &StageInfo {
        &self.info
    }

    pub fn loaded(&self) -> &Loaded {
        self.cursor.lender()
    }

    /// The texts that places in the source are about: path and content.
    pub fn sources(&self) -> Vec<(String, Arc<str>)> {
        self.loaded().front().source_texts()
    }

    pub fn here(&self) -> PlaceId {
        self.cursor.here()
    }

    /// The number of places visited; they are numbered from 0.
    pub fn n_places(&self) -> u32 {
        self.cursor.n_places() as u32
    }

    pub fn go_to(&mut self, place: PlaceId) -> Result<(), StageError> {
        Ok(self.cursor.go_to(place)?)
    }

    /// One step back; `None` where the run starts.
    pub fn back(&mut self) -> Option<PlaceId> {
        self.cursor.back()
    }

    /// Goes to another initial state, from 0.
    pub fn start(&mut self, start: u32) -> Result<PlaceId, StageError> {
        Ok(self.cursor.start(start as usize)?)
    }

    /// A place in a state that another stage of the same system has reached.
    pub(crate) fn visit(&mut self, state: &[u32]) -> PlaceId {
        self.cursor.visit(state)
    }

    /// Takes actions that are known to be enabled, one after the other; where they lead.
    pub(crate) fn take_actions(
        &mut self,
        place: PlaceId,
        actions: &[Action],
    ) -> Result<PlaceId, StageError> {
        let mut at = place;
        for action in actions {
            at = self.cursor.take_action(at, *action)?.place;
        }
        Ok(at)
    }

    /// The actions on the way to a place.
    pub(crate) fn actions(&self, place: PlaceId) -> Vec<Action> {
        self.cursor.path(place).map(|path| path.actions).unwrap_or_default()
    }

    /// The places on the way to a place, both ends included; none if there is no such place.
    pub fn path(&self, place: PlaceId) -> Vec<PlaceId> {
        self.cursor.line(place).unwrap_or_default()
    }

    /// The place before; `None` where a run starts, or if there is no such place.
    pub fn before(&self, place: PlaceId) -> Option<PlaceId> {
        self.cursor.place(place).ok()?.before.map(|(before, _)| before)
    }

    /// Any part named by a state that was asked for.
    pub fn part(&mut self, key: PartKey) -> Option<&Tree> {
        self.parts.get(&key)
    }

    /// The key of a part, which is kept.
    fn keep(&mut self, tree: &Tree) -> PartKey {
        let key = PartKey::of(tree);
        self.parts.entry(key).or_insert_with(|| tree.clone());
        key
    }

    /// What is known of a place that exists.
    fn scene(&mut self, place: PlaceId) -> &mut Scene {
        self.scenes.resize(self.cursor.n_places(), Scene::default());
        &mut self.scenes[place as usize]
    }

    /// The state of a place that exists, as a person sees it.
    fn describe(&mut self, place: PlaceId) -> Arc<Description> {
        if let Some((_, known)) = self.described.iter().find(|(at, _)| *at == place) {
            return Arc::clone(known);
        }
        halt::advance();
        let state = self.cursor.state(place).unwrap_or_default();
        let description = Arc::new(self.description_of(state));
        let kept_max = if self.is_large { LARGE_DESCRIBED_MAX } else { DESCRIBED_MAX };
        if self.described.len() == kept_max {
            self.described.pop_front();
        }
        self.described.push_back((place, Arc::clone(&description)));
        description
    }

    /// The state of a place that exists, without what is pending.
    pub(crate) fn outline(&mut self, place: PlaceId) -> Arc<Description> {
        if let Some((_, known)) = self.outlined.iter().find(|(at, _)| *at == place) {
            return Arc::clone(known);
        }
        halt::advance();
        let state = self.cursor.state(place).unwrap_or_default();
        let outline = Arc::new(self.loaded().front().outline(state));
        if self.outlined.len() == DESCRIBED_MAX {
            self.outlined.pop_front();
        }
        self.outlined.push_back((place, Arc::clone(&outline)));
        outline
    }

    fn description_of(&self, state: &[u32]) -> Description {
        self.loaded().front().describe(state)
    }

    pub(crate) fn state_of(&self, place: PlaceId) -> Result<State, StageError> {
        Ok(self.cursor.state(place)?.to_vec())
    }
}
