//! The systems of one binary, by name.

use crate::nearest::{did_you_mean, nearest};
use crate::{Code, Diagnostic};
use foresee_nodes::Entry;

/// Systems that can be named on a command line.
///
/// ```
/// # #[cfg(feature = "systems")] {
/// use foresee_session::Registry;
/// let registry = Registry::stock();
/// assert!(registry.find("ping").is_ok());
/// assert!(registry.find("pimg").unwrap_err().help.unwrap().contains("`ping`"));
/// assert_eq!(Registry::new().entries().len(), 0);
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// Without any system.
    pub fn new() -> Self {
        Registry::default()
    }

    /// The systems of the stock binary.
    #[cfg(feature = "systems")]
    pub fn stock() -> Self {
        foresee_systems::all().into_iter().fold(Registry::new(), Registry::with)
    }

    /// Adds a system; it takes the place of one with the same name.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Self {
        self.entries.retain(|known| known.name != entry.name);
        self.entries.push(entry);
        self
    }

    /// In the order they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The name of a system that is near enough to be meant.
    pub(crate) fn nearest(&self, name: &str) -> Option<&'static str> {
        let known: Vec<_> = self.entries.iter().map(|entry| entry.name).collect();
        nearest(name, &known)
    }

    /// The system of this name, or what the user probably meant.
    pub fn find(&self, name: &str) -> Result<&Entry, Diagnostic> {
        self.entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let known: Vec<_> = self.entries.iter().map(|entry| entry.name).collect();
            Diagnostic::new(Code::UnknownSystem, format!("there is no system `{name}`"))
                .help(did_you_mean(name, &known))
        })
    }
}
