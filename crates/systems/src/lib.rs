//! The systems built into the stock binary: small protocols that are known well, with mistakes to switch on.
//! Why: a tool that shows something the minute it is installed is understood sooner; and sizes that are known exactly
//! are the first test of every engine. The systems follow those of the same names among Stateright's examples in
//! behaviour, so that counts can be compared; the code is our own.
//! Each file is one system and reads as an example of how to write one: start with `ping`.

mod paxos;
mod ping;
mod register;
mod setup;
mod single_copy_register;
mod two_phase_commit;

use foresee_nodes::Entry;

/// Every built-in system, in the order a newcomer should meet them.
///
/// ```
/// use foresee_nodes::BuildOptions;
/// let ping = &foresee_systems::all()[0];
/// let world = ping.build(&["clients=2"], &BuildOptions::default()).unwrap();
/// assert!(world.system().name().starts_with("ping clients=2"));
/// ```
pub fn all() -> Vec<Entry> {
    vec![ping::entry(), two_phase_commit::entry(), single_copy_register::entry(), paxos::entry()]
}
