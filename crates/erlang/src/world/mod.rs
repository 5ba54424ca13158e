//! The world that processes live in, as components of a state: processes, mailboxes, signals under way, timers, names, tables,
//! clocks; and what one event does to it.
//! Reading order: `component` (what there is), `slots` and `intern` (how a state holds it), `core` (what all states share),
//! `step` (an event at work), `running` (a process up to its next visible operation), `perform` and `signal` (what that operation
//! does), `inboxes` and `edit` (mailboxes changed without being read), `crash`, `clock`, `firing`.
//! Not here: which events there are (`crate::events`), and words for people (`crate::tell`).

pub(crate) mod annotation;
pub(crate) mod clock;
pub mod component;
pub(crate) mod core;
pub(crate) mod crash;
pub(crate) mod edit;
pub(crate) mod ets;
pub(crate) mod firing;
pub(crate) mod inboxes;
pub(crate) mod intern;
pub(crate) mod limits;
pub(crate) mod mailbox;
pub(crate) mod perform;
pub(crate) mod running;
pub(crate) mod signal;
pub(crate) mod slots;
pub(crate) mod step;
pub(crate) mod system_processes;
