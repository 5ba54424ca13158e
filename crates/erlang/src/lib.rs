//! Erlang programs as systems, with no Erlang installed.
//! A program's modules are parsed (`foresee-erlang-syntax`), compiled to bytecode (`compile`), and run by a machine that
//! stops before every operation others can notice (`machine`). What such operations do to the world is `step`, `signal`,
//! `ets` and the table of built-ins (`builtins`); the world as states of a search is `system`, one run of it `simulate`.
//! Reading order: `term`, `code`, `compile`, `machine`, `component`, `step`, `running`, `signal`, `builtins`, `system`, `simulate`.
//! The OTP behaviours are Erlang texts in `otp/` over the built-ins of `builtins/behaviours.rs`.
//! Not here: files and clocks (the edges pass text in), searching (the engines).
//!
//! ```
//! use foresee_erlang::{Entry, Erlang, Limits, News, Options, SourceText, load, simulate};
//! let text = "-module(hello).\n-export([main/0]).\nmain() -> io:format(\"hello, ~p~n\", [world]).\n";
//! let file = SourceText { path: "hello.erl", text };
//! let loaded = load(&[file], &Default::default(), &mut foresee_erlang_syntax::no_includes);
//! let system = Erlang::new(loaded.program.unwrap(), Entry::new("hello", "main"), Options::default());
//! let mut output = String::new();
//! simulate(&system, 7, Limits::default(), |news| {
//!     if let News::Event { event: foresee_erlang::Event::Output { text, .. }, .. } = news {
//!         output.push_str(text);
//!     }
//! });
//! assert_eq!(output, "hello, world\n");
//! ```

#[macro_use]
mod macros;
mod account;
mod actions;
pub mod builtins;
mod cause;
mod clock;
pub mod code;
pub mod compile;
pub mod component;
mod core;
mod crash;
mod deeds;
mod describe;
mod edit;
pub mod ets;
mod explorer;
mod exports;
mod fault;
mod firing;
pub mod footprint;
pub mod format;
mod fuzz;
mod inboxes;
pub mod intern;
mod label;
mod limits;
mod liveness;
pub mod machine;
pub mod mailbox;
pub mod mark;
mod memo;
mod offers;
mod options;
mod perform;
pub mod prelude;
pub mod program;
mod question;
mod reach;
mod reading;
mod ready;
mod receives;
mod recorder;
pub mod regex;
mod running;
mod signal;
pub mod simulate;
mod slots;
pub mod step;
mod stuck;
mod surroundings;
pub mod system;
mod system_processes;
pub mod term;
mod trouble;
mod unparse;
mod view;
mod visible;
pub mod words;

pub use actions::Move;
pub use clock::{ClockMode, Holder, Kept};
pub use compile::CODES;
pub use deeds::Deed;
pub use describe::tree;
pub use fuzz::read_anything;
pub use options::{CrashPoints, Crashes, Entry, LabelKind, Labels, Options};
pub use program::{Loaded, Problem, Program, SourceText, Surroundings, link, link_within, load};
pub use reading::Rules;
pub use simulate::{Limits, News, Outcome, Run, simulate};
pub use step::{Event, Step};
pub use stuck::{Gap, Stuck, StuckBy};
pub use system::Erlang;
pub use term::{Atom, Map, Pid, Reference, Term};
pub use trouble::{AbsentCall, LOAD_CODES, RUN_CODES, Trouble};
pub use unparse::{read_term, unparse};
