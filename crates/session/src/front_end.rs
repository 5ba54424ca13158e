//! The seam between the door and the front ends: what a check, a replay and a report need to know of whatever is checked.
//! Why beside `System`: a system is explored; a front end also says how it was made, so that it can be made again (on a fresh
//! instance, from a trace's header), and what the user should be told about it.
//! A new front end is one implementation of [`FrontEnd`], a [`Kind`] with its rows in `source::support`, and a variant of
//! [`Source`] with its rows in `source::header`.

#[cfg(feature = "languages")]
use crate::erlang::ErlangProgram;
use crate::held::HeldBack;
use crate::nodes::NodesSystem;
use crate::simulate::{SimulateRequest, SimulatedRun, Watching, WrongRun};
use crate::{Diagnostic, InterleavingOptions, Kind, Loaded, Report, Source, walk};
use foresee_logic::Lts;
use foresee_logic::formula::Vocabulary;
use foresee_lts::{
    Action, Call, Coverage, Description, End, Path, Reading, StoppedBy, System, ViolationKind,
};
use foresee_search::Meter;
use foresee_stateless::Party;
use foresee_trace::{Changed, Run};
use std::sync::Arc;

pub(crate) trait FrontEnd: Send + Sync {
    fn system(&self) -> &dyn System;

    /// What kind of system it is, which decides what may be asked of it (`source::support`).
    fn kind(&self) -> Kind;

    /// What it was opened from; opened again it is the same system.
    fn source(&self) -> Source;

    /// The state as a person sees it who steps through the system; reports tell less.
    fn describe(&self, state: &[u32]) -> Description {
        self.system().describe(state)
    }

    /// The same without what is pending, where that is much.
    fn outline(&self, state: &[u32]) -> Description {
        self.describe(state)
    }

    /// As the user would type it, and as reports name it.
    fn name(&self) -> String;

    /// What files are called after.
    fn short_name(&self) -> &str;

    /// Built once more, sharing nothing that a search could have changed.
    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic>;

    /// The same, built with this reading of its states; `None` if it has one reading only.
    fn read_as(&self, reading: Reading) -> Result<Option<Arc<dyn FrontEnd>>, Diagnostic> {
        let _ = reading;
        Ok(None)
    }

    /// One run with random choices from `seed`; the default, for what has neither time nor a network, is a walk.
    fn simulate(
        &self,
        seed: u64,
        request: &SimulateRequest,
        meter: &dyn Meter,
        watching: &mut Watching<'_>,
    ) -> Result<SimulatedRun, Diagnostic> {
        Ok(walk::simulate(self, seed, request, meter, watching))
    }

    /// Puts a run of [`FrontEnd::simulate`] that broke something into the report; `loaded` is this system.
    fn show_run(
        &self,
        loaded: &Loaded,
        seed: u64,
        request: &SimulateRequest,
        wrong: WrongRun,
        report: &mut Report,
    ) -> Result<(), Diagnostic> {
        let _ = request;
        walk::show(loaded, seed, wrong, report)
    }

    /// Of the names that may crash, those that a search must hold the system to; none if its source names them itself.
    fn nodes_to_crash<'a>(&self, names: &'a [String]) -> &'a [String] {
        names
    }

    /// What is looked for in it, and what is taken for granted of the world around it.
    fn coverage(&self) -> Coverage;

    /// What the user should know before believing a verdict.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Handlers that do more when a message comes twice, with an example each.
    fn not_idempotent(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// How its text wants interleavings to be explored: what it insists on, and what it wishes.
    fn interleaving_options(&self) -> (InterleavingOptions, InterleavingOptions) {
        Default::default()
    }

    /// Whether a state without successors is looked at: is it an end, or a deadlock?
    fn looks_for_deadlocks(&self) -> bool {
        false
    }

    /// What stands on an arrow of the state space, for formulas and files; `None` is an internal step.
    fn visible_label(&self, state: &[u32], action: Action) -> Option<String> {
        Some(self.system().label(state, action).to_string())
    }

    /// What formulas may speak of, as far as that is known before anything is explored.
    fn vocabulary(&self) -> Vocabulary {
        Vocabulary::default()
    }

    /// What keeps us from following the system any further in `state`, if it is us.
    fn trouble(&self, state: &[u32]) -> Option<Diagnostic> {
        let _ = state;
        None
    }

    /// The same program with messages that take their time; nothing if that was decided, or means nothing here.
    fn with_late_messages(&self) -> Option<Arc<dyn FrontEnd>> {
        None
    }

    /// Something that this instance has held back while it was explored: what comes after it is not known.
    fn left_out(&self) -> Option<StoppedBy> {
        None
    }

    /// Whether runs that are longer than runs may be count as ended.
    fn ignores_depth(&self) -> bool {
        false
    }

    /// Whether a party to an event in `state` has this name.
    fn is_called(&self, state: &[u32], party: Party, name: &str) -> bool {
        let _ = (state, party, name);
        false
    }

    /// Whether a change belongs into the story of a run.
    fn is_worth_telling(&self, change: &Changed) -> bool {
        let _ = change;
        true
    }

    /// Whether an event is one of those: an error that needs one is held back (`held`).
    fn is_doubtful(&self, held_back: HeldBack, state: &[u32], action: Action) -> bool {
        let _ = (held_back, state, action);
        false
    }

    /// The same, built so that nothing doubtful happens; `None` if nothing ever does.
    fn without_doubtful(&self, held_back: HeldBack) -> Option<Arc<dyn FrontEnd>> {
        let _ = held_back;
        None
    }

    /// The same for runs in virtual time, where every timeout fires when its time has come and none has to be kept from firing;
    /// `None` where time means nothing.
    fn in_virtual_time(&self) -> Option<Arc<dyn FrontEnd>> {
        None
    }

    /// Whether a timeout or a timer fires in a run while somebody could go on, or while a shorter one waits.
    fn has_early_timeout(&self, run: &Run<'_>) -> bool {
        let _ = run;
        false
    }

    /// What an error of this kind at the end of a run often means, and what to type next.
    fn tips_about(&self, kind: ViolationKind, run: &Run<'_>) -> Vec<String> {
        let _ = (kind, run);
        Vec::new()
    }

    /// Hints about a report, for the next try.
    fn tips(&self, report: &Report) -> Vec<String> {
        let _ = report;
        Vec::new()
    }

    /// A hint about the first runs of many.
    fn tip_about_runs(&self, runs: &[Path]) -> Option<String> {
        let _ = runs;
        None
    }

    /// The member whose end is what is wrong with `state`.
    fn failed(&self, state: &[u32]) -> Option<String> {
        let _ = state;
        None
    }

    /// The members that wait in `state`, which a run has led to with these ends.
    fn waits(&self, state: &[u32], ends: &[End]) -> Vec<Waits> {
        let _ = (state, ends);
        Vec::new()
    }

    /// Where each member stands in its text, and what it waits for.
    fn standings(&self, state: &[u32]) -> Vec<Standing> {
        let _ = state;
        Vec::new()
    }

    /// Those that wait for each other in a circle in `state`, the first once more at the end.
    fn circle_names(&self, state: &[u32]) -> Option<Vec<String>> {
        let _ = state;
        None
    }

    /// The same system with more faults allowed, if it has faults that are counted.
    fn with_more_faults(&self, more: u32) -> Option<Arc<dyn FrontEnd>> {
        let _ = more;
        None
    }

    /// How those that wait in vain in `state` wait for each other, if they do so in a circle.
    fn circle(&self, state: &[u32]) -> Option<String> {
        let _ = state;
        None
    }

    /// The texts that places in labels are about: path and content.
    fn source_texts(&self) -> Vec<(String, Arc<str>)> {
        Vec::new()
    }

    /// What turned out while it was explored, and the user should know.
    fn warnings_after(&self) -> Vec<String> {
        Vec::new()
    }

    fn as_nodes(&self) -> Option<&NodesSystem> {
        None
    }

    #[cfg(feature = "languages")]
    fn as_erlang(&self) -> Option<&ErlangProgram> {
        None
    }

    /// The whole transition system, if it is one already.
    fn as_lts(&self) -> Option<&Lts> {
        None
    }
}

/// Where a member stands in its text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Standing {
    pub(crate) member: String,
    /// The file and the line.
    pub(crate) place: Option<(String, u32)>,
    /// The patterns that it waits for; `None` if it does not wait.
    pub(crate) waits_for: Option<Vec<String>>,
}

/// A member that waits at the end of a run.
#[derive(Clone, Debug)]
pub struct Waits {
    pub member: String,
    /// Where and for what, in the user's words: `waits at bank.erl:12 for {ok, X}; its mailbox is empty`.
    pub words: String,
    /// The calls that led there, innermost first.
    pub calls: Vec<Call>,
    /// In vain, and that is what is wrong.
    pub is_stuck: bool,
}
