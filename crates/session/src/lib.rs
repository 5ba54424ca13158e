//! The one door for the edges: plain data in, plain data out, in the user's words.
//! Why: the command line, a debugger and tests all want the same thing: name a system, check it, get a report with evidence. None
//! of them should know which engine ran or which front end built the system.
//!
//! Reading order: [`Registry`] (what there is), [`load`](fn@load) (words to a system), `front_end` (the seam behind which systems
//! stand), `nodes` and `erlang` ([`load_erlang`]: files to a program), [`check`](fn@check) (a system to a
//! [`Report`]), `evidence` (what makes a violation believable), [`replay`](fn@replay), [`Diagnostic`] (bad news about what we
//! were given).
//! Not here: files, clocks, colours, flags (`cli`); searching (`stateful`).
//!
//! ```
//! use foresee_session::{BuildOptions, CheckRequest, NoMeter, Outcome, Registry, Silent, check, load};
//! let register = load(
//!     &Registry::stock(),
//!     "single-copy-register",
//!     &["servers=2", "clients=2"],
//!     &BuildOptions::default(),
//! )
//! .unwrap();
//! let report = check(&register, &CheckRequest::default(), &NoMeter, &mut Silent);
//! assert_eq!(report.verdict, Outcome::Violated);
//! let found = &report.violations[0];
//! assert_eq!(found.property.as_deref(), Some("linearizable"));
//! assert_eq!(found.run.as_ref().unwrap().events.len(), found.steps);
//! ```

mod algebra;
mod check;
mod checked_code;
mod coverage;
mod crashes;
mod deciding;
mod diagnostic;
mod erlang;
mod evidence;
mod explained;
mod explicit;
mod export;
mod front_end;
mod graph;
mod guided;
mod held;
mod hints;
mod in_text;
mod independence;
mod interleave;
mod load;
mod lts;
mod model_file;
mod nearest;
mod nodes;
mod non_racing;
mod options;
mod registry;
mod replay;
mod report;
mod simulate;
mod telling;
mod translate;
mod verify;
mod visible;
mod walk;
mod watched;

pub use check::{CheckRequest, Engine, check, strategy_word};
pub use checked_code::{in_checked_code, observe_panic};
pub use diagnostic::{
    About, Code, DIAGNOSTICS, Diagnostic, Excerpt, Mark, all_diagnostics, explain,
};
pub use erlang::{
    ClockMode, CrashPoints, Crashes, ErlangOptions, ErlangOutcome, ErlangRequest, ErlangRun,
    ErlangSimulateRequest, ErlangSimulationReport, Files, Ignored, LabelKind, Labels, NoFiles,
    ProcessEnd, Project, Scene, SceneKind, load_erlang, simulate_erlang,
};
pub use export::{Export, export, export_kind};
pub use front_end::Waits;
pub use guided::check_guided;
pub use interleave::{BoundKind, Dpor, InterleavingOptions, Scheduling, dpor_word};
pub use load::{Loaded, load};
pub use lts::{
    CompareRequest, ComparisonReport, INCOMPLETE, InfoReport, LabelCount, LtsReport, LtsRequest,
    LtsTarget, Side, Size, WriteSeek, compare_models, model_info, write_lts,
};
pub use model_file::{
    ModelOptions, is_model_file, load_model, load_model_with, require_model_file,
};
pub use registry::Registry;
pub use replay::{ReplayReport, load_for, load_with_files, read_trace, replay, replay_with_files};
pub use report::{Details, Extras, Found, Missed, Outcome, Report};
pub use simulate::{Ending, SimulateRequest, SimulationReport, simulate};
pub use translate::{
    AlgebraNotation, Buffer, TranslateOptions, TranslateRequest, TranslationReport,
    translate_erlang,
};
pub use verify::{
    PropertySource, Verified, VerifyReport, VerifyRequest, pattern, verify, write_part,
};
pub use visible::LabelOptions;
pub use walk::{WalkReport, WalkRequest, WalkStep, walk};

// What requests and reports are made of, so that an edge needs no other crate.
pub use foresee_logic::aut::Tau;
pub use foresee_logic::{Equivalence, Lts, Run, patterns};
pub use foresee_lts::{
    Assumption, Call, Claim, Coverage, Raised, StoppedBy, Violation, ViolationKind, Whose,
};
pub use foresee_nodes::{BuildOptions, Entry, Latency, SimulationConfig, SimulationEvent};
pub use foresee_search::{
    Interleavings, Limits, Meter, NoMeter, Observer, Progress, Silent, VisitedKind,
};
pub use foresee_stateful::Strategy;
pub use foresee_stdx::halt::{Cause, Probe};
pub use foresee_trace::{
    Life, Race, Story, StoryStep, Trace, call_words, more_words, outcome_words,
};
