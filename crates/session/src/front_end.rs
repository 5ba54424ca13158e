//! The seam between the door and the front ends: what a check, a replay and a report need to know of whatever is checked.
//! Why beside `System`: a system is explored; a front end also says how it was made, so that it can be made again (on a fresh
//! instance, from a trace's header), and what the user should be told about it.
//! A new front end is one implementation of [`FrontEnd`] and a way to load it; nothing else here knows of it.

use crate::erlang::ErlangProgram;
use crate::nodes::NodesSystem;
use crate::{Diagnostic, InterleavingOptions, Report};
use foresee_logic::Lts;
use foresee_logic::formula::Vocabulary;
use foresee_lts::{Action, Call, Coverage, End, Path, System};
use foresee_stateless::Party;
use foresee_trace::Changed;
use std::sync::Arc;

pub(crate) trait FrontEnd: Send + Sync {
    fn system(&self) -> &dyn System;

    /// As the user would type it, and as reports name it.
    fn name(&self) -> String;

    /// What files are called after.
    fn short_name(&self) -> &str;

    /// Built once more, sharing nothing that a search could have changed.
    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic>;

    /// The same, built so that events which do not race commute exactly, if that makes a difference.
    fn for_races(&self) -> Result<Option<Arc<dyn FrontEnd>>, Diagnostic> {
        Ok(None)
    }

    /// What a trace's header must hold, beside the name, to load it again.
    fn trace_options(&self) -> Vec<(&'static str, String)>;

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

    /// Whether each event is the next one of a sequential thread, which is what an engine of interleavings builds on.
    fn has_threads(&self) -> bool {
        true
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

    /// Whether an event hardly ever happens and nobody has written it down: an error that needs one is held back (`held`).
    fn is_doubtful(&self, state: &[u32], action: Action) -> bool {
        let _ = (state, action);
        false
    }

    /// The same, built so that nothing doubtful happens; `None` if nothing ever does.
    fn without_doubtful(&self) -> Option<Arc<dyn FrontEnd>> {
        None
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

    fn as_erlang(&self) -> Option<&ErlangProgram> {
        None
    }

    /// The whole transition system, if it is one already.
    fn as_lts(&self) -> Option<&Lts> {
        None
    }
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
