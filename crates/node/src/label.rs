//! The name of a message on its way: who sends what to whom, as people and trace files read it.
//! Why here: a run on real machines has no world to ask, and its record must use the words of a search, so that a trace
//! of one can be followed in the other.

use crate::Address;
use std::fmt::{self, Debug};

/// A message in words.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct MessageLabel {
    pub from: Address,
    pub to: Address,
    /// The message as `Debug` writes it.
    pub what: String,
}

/// Names a message.
///
/// ```
/// use foresee_node::{Address, label_of};
/// let label = label_of(Address::new("client1"), Address::new("server"), &Some(7));
/// assert_eq!(label.to_string(), "client1 -> server Some(7)");
/// ```
pub fn label_of<M: Debug>(from: Address, to: Address, message: &M) -> MessageLabel {
    MessageLabel { from, to, what: format!("{message:?}") }
}

impl MessageLabel {
    /// The name of the message's type or variant: `Ping` of `Ping { n: 1 }`.
    pub fn type_name(&self) -> Option<String> {
        type_name(&self.what)
    }
}

/// The name with which a value begins that `Debug` has written, as derived `Debug` writes structs and variants.
///
/// ```
/// use foresee_node::type_name;
/// assert_eq!(type_name("Ping { n: 1 }").as_deref(), Some("Ping"));
/// assert_eq!(type_name("(1, 2)"), None);
/// ```
pub fn type_name(debug: &str) -> Option<String> {
    let end = debug.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(debug.len());
    let is_name = debug.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name.then(|| debug[..end].to_owned())
}

impl fmt::Display for MessageLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} {}", self.from, self.to, self.what)
    }
}
