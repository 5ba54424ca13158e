//! Traces: a run of a system as text that lasts, and what can be done with it.
//! Why: a violation is worth only as much as its story. A [`Path`](foresee_lts::Path) holds ids that die with the
//! system instance; a [`Trace`] holds labels, so it can be saved, read, edited, sent, and replayed on other code.
//!
//! Reading order: [`Trace`] (the data) and its text format (`format`), [`replay`](fn@replay) (labels back to actions),
//! [`Judge`] (is this state wrong in the way we are looking for?), [`minimise`](fn@minimise), [`causal_order`], then what
//! is made for people and other tools: [`Story`], [`lives`](fn@lives), [`to_json`], [`to_svg`], [`rust_test`](fn@rust_test),
//! [`erlang_test`](fn@erlang_test).
//! Not here: files (the edges read and write them), searching (engines).
//!
//! ```
//! use foresee_lts::{System, toy::Counters};
//! use foresee_trace::{Trace, replay};
//! let system = Counters::new(2, 3).forbid_sum(2);
//! let text = "foresee trace 1\n\
//!             system: counters n=2 max=3\n\
//!             violation: invariant sum\n\
//!             \n\
//!             1  step counter1 increment\n\
//!             2  step counter2 increment\n\
//!             end\n";
//! let trace = Trace::parse(text).unwrap();
//! assert!(replay(&system, &trace).is_confirmed());
//! ```

mod causal;
mod diff;
mod erlang_test;
mod error;
mod escape;
mod format;
mod json;
mod judge;
mod lives;
mod matching;
mod minimise;
mod outcome;
mod replay;
mod run;
mod rust_test;
mod sends;
mod spacetime;
mod story;
mod svg;
mod trace;

pub use causal::{Reordered, causal_order, causal_order_with, context_switches};
pub use diff::{Changed, TreeChange, TreePart, differences, tree_changes};
pub use erlang_test::{ErlangStep, ErlangTest, erlang_test};
pub use error::{ParseError, Problem};
pub use json::{JsonEvent, JsonMember, JsonState, JsonTrace, to_json};
pub use judge::Judge;
pub use lives::{Life, lives, member_identity};
pub use matching::{Allow, Oracle};
pub use minimise::{MinimiseConfig, Minimised, minimise};
pub use outcome::{call_words, more_words, outcome_words, raised_at};
pub use replay::{Outcome, Replay, Stop, find_event, replay, replay_with};
pub use run::{Run, RunEvent};
pub use rust_test::{Expect, RustTest, rust_test};
pub use sends::{Origin, Sends, in_flight, sent};
pub use spacetime::{Lane, Mark, Race, SpaceTime};
pub use story::{Sent, Story, StoryStep};
pub use svg::{Drawing, to_svg};
pub use trace::{Event, Finding, Trace};
