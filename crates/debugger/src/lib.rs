//! The visual debugger: an HTTP server on this machine, a page in the browser, and one session behind it that any number of
//! tabs share. A thin edge over `foresee-session`'s `Inspection`, which knows everything that is shown.
//!
//! Reading order: `protocol` (all that is said), `server` (who may speak: hosts, origins, the token), `socket` (one
//! connection), `hub` (sessions and who listens), `worker` (the thread that owns an inspection), `errands` (what takes long,
//! on a thread of its own), `answers` (from a session's data to the protocol's), `page` (exports, and the story as one file).
//! Invariant: nothing of a system runs on a thread that serves connections, so a handler that loops keeps nobody else waiting.

#![allow(clippy::disallowed_methods, reason = "an edge: clocks, files and sockets live here")]

mod answers;
mod assets;
mod clock;
mod errands;
mod hub;
mod page;
pub mod protocol;
mod server;
mod socket;
mod watch;
mod worker;

pub use page::story_page;
pub use server::{Options, Served, serve};
