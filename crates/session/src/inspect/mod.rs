//! An inspection: one session of somebody who looks at runs of a system, with branches, notes, and what the page says first.
//! Why beside the stage: a stage is a tree of places in one system. A person sees runs in it: a main one, and branches off it
//! that have names; and some branches go on in the same system with more faults allowed, which is another stage. Here places
//! have one numbering over all of that.
//!
//! Reading order: `spots` (the numbering), `branches` (which run a place belongs to, the order of the list), `ask` (a stage's
//! answers in this numbering), `opening` (what is said first), `scout` (exploring beside it), `faults` (more than the check
//! allowed); then what is told of a run: `caption`, `story`, `blame`, `mattered`, `suspect`, `history`, `headline`, `good`; and `file` (a
//! session as text), `export`, `graph`.
//! Invariants: place 0 is the start of the main branch; numbers of places and branches are never used again.
//! Not here: sockets and JSON (`foresee-debugger`).

mod ask;
mod blame;
mod branches;
mod caption;
mod export;
mod faults;
mod file;
mod good;
mod graph;
mod headline;
mod history;
mod look;
mod mattered;
mod opening;
mod scout;
mod spots;
mod story;
mod suspect;

pub use ask::Chosen;
pub use blame::BlameLink;
pub use branches::Branch;
pub use good::GoodBranch;
pub use graph::{GraphNode, Neighbourhood};
pub use look::Wanted;
pub use opening::{ClientOperations, Opening, Operation, RaceView, Reason, Restriction};
pub use scout::{Errand, Good, Scout, Sought, Way};
pub use story::Sentence;

use crate::{Files, Loaded, Registry, Stage, Trace};
use foresee_lts::{Predicate, ViolationKind};
use foresee_search::PlaceId;
use spots::Spots;
use std::sync::Arc;

/// Where the systems of an inspection come from, so that they can be loaded again.
#[derive(Clone)]
pub struct Home {
    pub registry: Registry,
    pub files: Arc<dyn Files + Send + Sync>,
    /// What the user types to start us, for the commands that are suggested.
    pub program: String,
}

/// A session of somebody who looks at runs of a system.
pub struct Inspection {
    home: Home,
    spots: Spots,
    branches: Vec<Branch>,
    /// The main branch is a run that was found, and not one that is made up step by step.
    is_main_recorded: bool,
    opening: Opening,
    /// What the main run shows, as it was found: it may be more than its last state shows.
    claimed: Option<(ViolationKind, Option<String>, String)>,
    /// If it is about formulas: what the head of a trace says of them.
    options: Vec<(String, String)>,
    /// Where a phase of a guided search did not go on, beside the system's own restrictions.
    phase_prunes: Vec<Predicate>,
    /// As many steps at the start of the main branch are folded, under this name.
    fold: Option<(u32, String)>,
    mattered: mattered::Mattered,
    pub notes: Vec<(PlaceId, String)>,
    pub pins: Vec<String>,
    pub watches: Vec<String>,
    /// Where one looks, and whether only at what mattered.
    pub view: (PlaceId, bool),
}

impl Inspection {
    /// At the start of a system, with nothing done yet.
    pub fn at_start(loaded: &Loaded, home: Home) -> Self {
        let mut inspection = Inspection::empty(loaded, home);
        inspection.opening = inspection.opening_at_start();
        inspection
    }

    /// With a run on the main branch. Says nothing yet of what the run is.
    fn with_run(loaded: &Loaded, run: &Trace, home: Home) -> (Self, crate::Followed) {
        let mut inspection = Inspection::empty(loaded, home);
        let followed = inspection.spots.follow_first(run);
        inspection.adopt();
        inspection.is_main_recorded = true;
        let claims_formula =
            run.violation.as_ref().is_some_and(|it| it.kind == ViolationKind::Property);
        if claims_formula {
            inspection.options.clone_from(&run.options);
        }
        (inspection, followed)
    }

    fn empty(loaded: &Loaded, home: Home) -> Self {
        let spots = Spots::new(Stage::open(loaded));
        Inspection {
            home,
            spots,
            branches: vec![Branch::main()],
            is_main_recorded: false,
            opening: Opening::default(),
            claimed: None,
            options: Vec::new(),
            phase_prunes: Vec::new(),
            fold: None,
            mattered: mattered::Mattered::new(),
            notes: Vec::new(),
            pins: Vec::new(),
            watches: Vec::new(),
            view: (0, false),
        }
    }

    pub fn home(&self) -> &Home {
        &self.home
    }

    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The system as it was asked for.
    pub fn loaded(&self) -> &Loaded {
        self.spots.first().loaded()
    }
}
