//! The one door for the edges: plain data in, plain data out, in the user's words.
//! Why: the command line, a debugger and tests all want the same thing: name a system, check it, get a report with evidence. None
//! of them should know which engine ran or which front end built the system.
//!
//! Reading order: [`Source`] (what to check, as plain data), [`open`](fn@open) (a source to a system), [`Registry`] (the
//! systems that have names), `front_end` (the seam behind which systems stand) with `nodes`, `erlang`, `algebra` and
//! `explicit`, [`check`](fn@check) (a system to a [`Report`]), `evidence` (what makes a violation believable),
//! [`replay`](fn@replay), [`Stage`] (stepping by hand), [`Diagnostic`] (bad news about what we were given).
//! Not here: files, clocks, colours, flags (`cli`); searching (`stateful`, `stateless`).
//!
//! ```
//! use foresee_session::{CheckRequest, NoFiles, NoMeter, Outcome, Registry, Silent, Source, check, open};
//! let register = Source::nodes("single-copy-register", &["servers=2", "clients=2"]);
//! let register = open(&register, &Registry::stock(), &NoFiles).unwrap();
//! let report = check(&register, &CheckRequest::default(), &NoMeter, &mut Silent);
//! assert_eq!(report.verdict, Outcome::Violated);
//! let found = &report.violations[0];
//! assert_eq!(found.property.as_deref(), Some("linearizable"));
//! assert_eq!(found.run.as_ref().unwrap().events.len(), found.steps);
//! ```

#[cfg(feature = "languages")]
mod algebra;
mod check;
mod checked_code;
mod cluster;
mod coverage;
mod crashes;
mod deciding;
mod diagnostic;
mod eras;
mod erlang;
mod evidence;
mod explained;
mod explicit;
mod export;
mod front_end;
mod graph;
mod guided;
mod halting;
mod held;
mod hints;
mod in_text;
mod independence;
mod inspect;
mod interleave;
mod late;
mod loaded;
mod lts;
mod nearest;
mod nodes;
mod non_racing;
mod on_disk;
mod reduction;
mod registry;
mod replay;
mod report;
mod simulate;
mod source;
mod stage;
mod telling;
mod tested;
#[cfg(feature = "languages")]
mod translate;
mod turns;
mod verify;
mod visible;
mod walk;
mod watched;

pub use check::{CheckRequest, Engine, Reduction, check, strategy_word};
pub use checked_code::{in_checked_code, observe_panic};
pub use cluster::{ClusterRequest, Folders};
pub use diagnostic::{
    About, Code, DIAGNOSTICS, Diagnostic, Excerpt, Mark, all_diagnostics, explain,
};
#[cfg(feature = "languages")]
pub use erlang::Project;
pub use erlang::{
    ClockMode, CrashPoints, Crashes, ErlangOptions, ErlangSource, Ignored, LabelKind,
};
pub use export::{Export, endings, export, export_kind};
pub use front_end::Waits;
pub use guided::{check_guided, check_with_guide};
pub use halting::until_halted;
pub use held::HeldBack;
pub use inspect::{
    BlameLink, Branch, Chosen, ClientOperations, Errand, Good, GoodBranch, GraphNode, Home,
    Inspection, Neighbourhood, Opening, Operation, RaceView, Reason, Restriction, Scout, Sentence,
    Sought, Wanted, Way,
};
pub use interleave::{BoundKind, Dpor, InterleavingOptions, Scheduling, dpor_word};
pub use loaded::Loaded;
pub use lts::{
    CompareRequest, ComparisonReport, INCOMPLETE, InfoReport, LabelCount, LtsReport, LtsRequest,
    LtsTarget, Side, Size, WriteSeek, compare_models, model_info, write_lts,
};
pub use on_disk::DiskRequest;
pub use registry::Registry;
pub use replay::{ReplayReport, read_trace, replay};
pub use report::{
    AlsoChecked, Details, EventData, Extras, FormulaPart, Found, Missed, Outcome, PhaseStart,
    Report,
};
pub use simulate::{
    Ending, Messages, ProcessEnd, ProcessEnds, RunEnd, Scene, SceneKind, SimulateRequest,
    SimulatedNetwork, SimulationReport, simulate,
};
pub use source::{
    Feature, Files, Kind, ModelFile, NoFiles, NodesSource, Refusal, Source, open, open_recorded,
};
pub use stage::{
    ChangeView, ChoiceOutlook, ChoiceView, Choices, Comparison, Condition, FaultBudget,
    FindingView, Followed, KindCount, LabelView, MemberInfo, MemberView, NotPossible, Outlook,
    PartKey, PendingView, PropertyInfo, PropertyView, Prospect, Row, SourcePlace, Stage,
    StageError, StageInfo, StateView, Stopped, Taken, Toward, Until,
};
pub use tested::{InTime, Test, TestKind, TestReport, each_test, in_time, tests};
#[cfg(feature = "languages")]
pub use translate::{
    AlgebraNotation, Buffer, TranslateOptions, TranslateRequest, TranslationReport,
    translate_erlang,
};
pub use verify::{
    PropertySource, Verified, VerifyReport, VerifyRequest, pattern, verify, write_part,
};
pub use visible::LabelOptions;

// What requests and reports are made of, so that an edge needs no other crate.
pub use foresee_logic::aut::Tau;
pub use foresee_logic::{Equivalence, Lts, Run, patterns};
pub use foresee_lts::{
    Assumption, Call, Claim, Coverage, Label, Place, Raised, StoppedBy, Tree, Verb, Violation,
    ViolationKind, Whose, Words,
};
pub use foresee_nodes::{BuildOptions, Entry, Latency};
pub use foresee_search::{
    Cluster, ClusterError, Disk, DiskError, Exchange, Interleavings, Limits, Meter, NoMeter,
    Observer, PlaceId, Progress, Silent, VisitedKind, checksum,
};
pub use foresee_stateful::{Guide, Strategy};
pub use foresee_stdx::halt::{Cause, Halted, Probe};
pub use foresee_stdx::{escaped_markup, panic_text};
pub use foresee_trace::{
    Life, Race, Story, StoryStep, Trace, call_words, more_words, outcome_words,
};
