//! Trouble that only a run can get into: other nodes.

use crate::machine::Raise;
use crate::term::Term;

/// Trouble if a destination is on another node: there is only one.
pub(super) fn on_this_node(destination: &Term) -> Result<(), Raise> {
    match destination.as_tuple() {
        Some([Term::Atom(_), Term::Atom(node)]) if *node != atom!("nonode@nohost") => {
            Err(Raise::Unmodelled(format!("a message to node {}", node.text())))
        }
        _ => Ok(()),
    }
}
