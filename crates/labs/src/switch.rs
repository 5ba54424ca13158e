//! `Switch`: which bug of its zoo a reference solution has.
//! Why not an ordinary field: a bug is not part of what a node knows. Two nodes that differ only in it are equal, hash alike and look
//! alike, so the state space of a solution with a bug is the one a student's code with that mistake would have.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A bug that is switched on, or none; invisible to `Eq`, `Hash`, `Debug` and serde.
///
/// ```
/// use foresee_labs::Switch;
/// let bug = Switch::on("1a");
/// assert!(bug.is("1a") && !bug.is("1b") && !Switch::off().is("1a"));
/// assert_eq!(bug, Switch::off(), "nobody can tell from the outside");
/// ```
#[derive(Clone, Copy, Default)]
pub struct Switch(Option<&'static str>);

impl Switch {
    /// No bug.
    pub const fn off() -> Self {
        Switch(None)
    }

    /// The bug or variant with this name.
    pub const fn on(id: &'static str) -> Self {
        Switch(Some(id))
    }

    /// Whether it is this one.
    pub fn is(self, id: &str) -> bool {
        self.0 == Some(id)
    }

    /// Its name.
    pub fn id(self) -> Option<&'static str> {
        self.0
    }
}

impl PartialEq for Switch {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
impl Eq for Switch {}

impl Hash for Switch {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

impl fmt::Debug for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("-")
    }
}

impl Serialize for Switch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for Switch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer)?;
        Ok(Switch::off())
    }
}
