//! What a person is shown of a system: a role that a [`System`] may lend.
//! Why a role: exploring needs none of it. Whoever shows a run asks for labels and descriptions; a system that has none is
//! still explored, and its events are called by their numbers.

use crate::{Account, Action, Description, Label, Path, System};

/// A system that can be shown.
pub trait Telling: System {
    /// What stands on the arrow.
    fn label(&self, state: &[u32], action: Action) -> Label {
        let _ = state;
        Label::of_number(action)
    }

    /// Appends the actions that can happen in `state` and have this label, places apart, in the order of [`System::enabled`].
    /// Asked at every step of a replay, so a front end that can tell most of the others without putting them into words does.
    fn enabled_with_label(&self, state: &[u32], label: &Label, actions: &mut Vec<Action>) {
        let mut enabled = Vec::new();
        self.enabled(state, &mut enabled);
        let has_label = |action: &Action| self.label(state, *action).same_but_for_place(label);
        actions.extend(enabled.into_iter().filter(has_label));
    }

    /// The state as a person sees it.
    fn describe(&self, state: &[u32]) -> Description {
        let _ = state;
        Description::default()
    }

    /// The same without what is pending, for whoever looks at many states: there may be thousands of messages in each.
    fn outline(&self, state: &[u32]) -> Description {
        self.describe(state)
    }

    /// What a run of this instance tells beyond its labels: values, exceptions, calls. The run is stepped again for it.
    fn account(&self, path: &Path) -> Account {
        let _ = path;
        Account::default()
    }
}
