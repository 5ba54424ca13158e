//! Internal steps in mCRL2 text: which there are inside components, and the name they get (`mcrl2` says why they have one).

use super::names::unused;
use crate::tree::{Name, Process, ProcessKind, Specification};

/// The internal steps of components.
pub(super) struct Internal {
    /// A name that nothing else has.
    pub(super) name: String,
    has_tau: bool,
    /// Actions that are hidden inside, not around everything.
    hidden: Vec<Name>,
}

impl Internal {
    pub(super) fn of(specification: &Specification) -> Internal {
        let name = unused("internal", specification);
        let mut found = Internal { name, has_tau: false, hidden: Vec::new() };
        specification.processes.iter().for_each(|it| found.collect(&it.body));
        if let Some(init) = &specification.init {
            found.collect(below_spine(init));
        }
        found
    }

    pub(super) fn is_needed(&self) -> bool {
        self.has_tau || !self.hidden.is_empty()
    }

    /// Whether an action becomes internal inside a component.
    pub(super) fn hides(&self, action: &Name) -> bool {
        self.hidden.contains(action)
    }

    fn collect(&mut self, process: &Process) {
        match &process.kind {
            ProcessKind::Tau => self.has_tau = true,
            ProcessKind::Hide(names, _) => self.hidden.extend(names.iter().cloned()),
            _ => {}
        }
        process.parts().for_each(|part| self.collect(part));
    }
}

/// What the operators around all components stand around.
fn below_spine(init: &Process) -> &Process {
    match &init.kind {
        ProcessKind::Hide(_, body) | ProcessKind::Encap(_, body) | ProcessKind::Rename(_, body) => {
            below_spine(body)
        }
        _ => init,
    }
}
