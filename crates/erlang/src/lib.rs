//! Erlang programs as systems, with no Erlang installed.
//! A program's modules are parsed (`foresee-erlang-syntax`), compiled to bytecode and linked (`program`), and run by a machine
//! that stops before every operation others can notice (`machine`). What such operations do is the table of built-ins
//! (`builtins`) and the world of processes, mailboxes, timers and tables (`world`); what can happen next and what it depends on
//! is `events`; what a person is told of it is `tell`. All of it as the states of a search is `system`, one run of it `simulate`.
//! Reading order: `term`, `program`, `machine`, `world`, `builtins`, `events`, `system`, `simulate`, `tell`; beside them `format`
//! (what `io:format` does) and `regex` (what `re` does).
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
pub mod builtins;
mod events;
mod format;
mod fuzz;
mod machine;
mod options;
pub mod program;
pub mod regex;
mod simulate;
mod system;
mod tell;
pub mod term;
pub mod world;

pub use events::actions::Move;
pub use events::footprint;
pub use events::reading::Rules;
pub use fuzz::read_anything;
pub use options::{CrashPoints, Crashes, Entry, LabelKind, Labels, Options};
pub use program::beam::beam_text;
pub use program::compile::CODES;
pub use program::unparse::{read_term, unparse};
pub use program::{Loaded, Problem, Program, SourceText, Surroundings, link, link_within, load};
pub use simulate::{Limits, News, Outcome, Run, simulate};
pub use system::Erlang;
pub use tell::deeds::Deed;
pub use tell::describe::tree;
pub use tell::stuck::{Gap, Stuck, StuckBy};
pub use tell::trouble::{AbsentCall, LOAD_CODES, RUN_CODES, Trouble};
pub use tell::words;
pub use term::{Atom, Map, Pid, Reference, Term};
pub use world::clock::{ClockMode, Holder, Kept};
pub use world::step::{Event, Step};
