//! Erlang to process algebra: the tree that a supervisor starts, of generic servers and clients, as a specification of
//! `foresee-algebra`, which prints it as muCRL or mCRL2 and explores it.
//! Paper: Benac Earle, Fredlund, Derrick, "Verifying Fault-Tolerant Erlang Programs" (Erlang 2005), and the translation it
//! stands on; its names for actions are ours, its places where clients crash too.
//! The way of a program: `supervision` finds the processes (by running the supervisor on the machine of `foresee-erlang`),
//! `program` tells functions that only compute from those that others notice; the former become rewrite rules (`value`,
//! `condition`, `pattern`, `builtin`, `function`, `comprehension`), the latter process equations (`instance`, `process`,
//! `branch`, `each`, `communicate`, `death`, `server`); `protocol` has
//! what stands between processes, `data` the rules that every program needs, `assemble` puts it together.
//! What has no translation is refused with its line (`diagnostic`), never approximated in silence; what is modelled in a
//! special way is said in notes.
//! Known limits: a registered name and the process it names are one value; a call that no clause fits stays as it is in a
//! value (`raised(…)`), and is `failure(Process,Reason)` in a process; two replies to one call of the same place in the
//! text cannot be told from replies to two calls where replies are no handshake; a client that has called several servers
//! tells them of its end one after the other.
//! Not here: files, printing, exploring.

mod addressed;
mod assemble;
mod branch;
mod builtin;
mod communicate;
mod comprehension;
mod condition;
mod data;
mod death;
mod diagnostic;
mod effect_loop;
mod function;
mod instance;
mod label;
mod names;
mod options;
mod pattern;
mod process;
mod program;
mod protocol;
mod server;
mod shape;
mod spelling;
mod sugar;
mod supervision;
mod terms;
mod tidy;
mod translator;
mod value;
mod walk;

pub use assemble::translate;
pub use diagnostic::{ALL_CODES, Diagnostic};
pub use label::erlang_label;
pub use options::{Buffer, Options, Translation};
