//! Everything that nodes say to each other.

use foresee_lab6::{Layout, Part};
use serde::{Deserialize, Serialize};

/// A beginning: you will need more kinds, and more in each. What must a reply say, so that an old one is not taken for the one that is waited for?
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum Message {
    /// To a server.
    Write { epoch: u64, part: Part, key: String, value: String },
    /// To the layout service.
    Ask,
    /// From the layout service.
    Current { layout: Layout },
}
