//! Fuzzing of everything that reads text from users: no input may panic, overflow the stack, take for ever or take all memory.
//! `targets` has an entry for each reader, `mutate` makes new inputs out of the corpus by splicing its tokens, `corpus` reads
//! the files, `hunt` runs a target for a while and watches time and memory, `supervise` starts hunts as processes of their
//! own, so that an input that kills one is kept and the next hunt goes on.
//! The corpora under `corpus/` are written by hand; what was found stands under `regressions/` and stays a test.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an edge: it reads files and the clock and prints"
)]

mod corpus;
mod hunt;
mod mutate;
mod supervise;
mod targets;

pub use corpus::{corpus, regressions};
pub use hunt::{Hunt, hunt};
pub use mutate::Mutator;
pub use supervise::{Order, supervise};
pub use targets::{TARGETS, Target};
