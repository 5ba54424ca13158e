//! Tests of the trace tooling on a small message-passing system, one topic a file.

mod causal;
mod exports;
mod format;
mod locks;
mod minimise;
mod replay;
mod script;
mod story;
mod svg;
