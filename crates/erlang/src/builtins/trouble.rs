//! Trouble that only a run can get into: what our own texts of library modules say they do not do, and other nodes.

use super::{Builtin, Outcome, pure};
use crate::machine::{Local, Raise};
use crate::tell::stuck::Gap;
use crate::term::Term;

pub(super) const TABLE: &[Builtin] = &[pure("erlang", "$not_modelled", 3, not_modelled)];

/// Module, function, number of arguments.
fn not_modelled(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Err(Raise::unmodelled(format!("{}:{}/{}", args[0], args[1], args[2])))
}

/// Trouble if a destination is on another node: there is only one.
pub(super) fn on_this_node(destination: &Term) -> Result<(), Raise> {
    match destination.as_tuple() {
        Some([Term::Atom(_), Term::Atom(node)]) if *node != atom!("nonode@nohost") => {
            let what = format!("a message to node {}", node.text());
            Err(Raise::Unmodelled(Gap::OtherNode(what)))
        }
        _ => Ok(()),
    }
}
