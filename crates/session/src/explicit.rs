//! Labelled transition systems in files (`.aut`, `.dot`) behind the door.
//! A file never changes while it is looked at, so a fresh instance is the same one.
//! Labels are spelt as elsewhere, whichever tool wrote the file: no blanks between arguments (mCRL2 writes them), and the
//! data of translated programs as Erlang terms.

use crate::front_end::FrontEnd;
use crate::in_text::NamedText;
use crate::lts::INCOMPLETE;
use crate::model_file::stem;
use crate::{Diagnostic, Loaded};
use foresee_logic::{Lts, aut, dot, without_blanks};
use foresee_lts::{Action, Assumption, Claim, Coverage, System, Whose};
use foresee_translate::erlang_label;
use std::sync::Arc;

/// A transition system and the file it came from.
pub(crate) struct ExplicitFile {
    lts: Arc<Lts>,
    path: String,
    short_name: String,
}

/// Reads the text of a file; the ending of its name says how.
pub(crate) fn load(path: &str, text: String) -> Result<Loaded, Diagnostic> {
    Ok(Loaded::new(ExplicitFile {
        lts: Arc::new(read(path, text)?),
        path: path.to_owned(),
        short_name: stem(path),
    }))
}

fn read(path: &str, text: String) -> Result<Lts, Diagnostic> {
    let lts = if path.ends_with(".dot") { dot::read(&text) } else { aut::read(text.as_bytes()) };
    let lts = lts.map_err(|news| NamedText::new(path, text).of_logic(&news))?;
    Ok(lts.with_labels(|label| erlang_label(&without_blanks(label)).into_owned()))
}

impl ExplicitFile {
    fn is_incomplete(&self) -> bool {
        self.lts.labels().find(INCOMPLETE).is_some()
    }
}

impl FrontEnd for ExplicitFile {
    fn system(&self) -> &dyn System {
        &*self.lts
    }

    fn name(&self) -> String {
        self.path.clone()
    }

    fn short_name(&self) -> &str {
        &self.short_name
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        let (lts, path, short_name) =
            (Arc::clone(&self.lts), self.path.clone(), self.short_name.clone());
        Ok(Arc::new(ExplicitFile { lts, path, short_name }))
    }

    fn trace_options(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn coverage(&self) -> Coverage {
        let missing = self.is_incomplete().then_some(Assumption::MissingTransitions);
        let checked = vec![Claim::NoDeadlock(Whose::Anybody)];
        Coverage { checked, assumed: missing.into_iter().collect() }
    }

    fn warnings(&self) -> Vec<String> {
        let text =
            format!("{} is incomplete: transitions are missing (label {INCOMPLETE})", self.path);
        if self.is_incomplete() { vec![text] } else { Vec::new() }
    }

    fn looks_for_deadlocks(&self) -> bool {
        true
    }

    fn has_threads(&self) -> bool {
        false
    }

    fn visible_label(&self, _state: &[u32], action: Action) -> Option<String> {
        self.lts.label_of(action).map(str::to_owned)
    }

    fn as_lts(&self) -> Option<&Lts> {
        Some(&self.lts)
    }
}
