//! `.aut` files: the text format of CADP and mCRL2 for labelled transition systems.
//! A header `des (first state, number of transitions, number of states)`, then one `(from, label, to)` a line; labels are
//! bare or in double quotes. The internal step is `i` to CADP and `tau` to mCRL2: `tau` is read as such, `i` only
//! where the caller says so, and the writer is told which to write.
//! A label may itself hold quotes and commas, since it ends at the last quote before the last comma of its line.

mod read;
mod write;

pub use read::read;
pub use write::{Tau, Writer, write};
