//! Labelled transition systems in files (`.aut`, `.dot`) behind the door.
//! A file never changes while it is looked at, so a fresh instance is the same one.
//! Labels are spelt as elsewhere, whichever tool wrote the file: no blanks between arguments (mCRL2 writes them), and the
//! data of translated programs as Erlang terms.

use crate::front_end::FrontEnd;
use crate::lts::INCOMPLETE;
use crate::source::stem;
use crate::{Diagnostic, Kind, ModelFile, Source, in_text};
use foresee_logic::{Lts, aut, dot, without_blanks};
use foresee_lts::{Action, Assumption, Claim, Coverage, System, Whose};
use foresee_text::Sources;
use std::sync::Arc;

/// A file of transitions may be larger than memory should be.
const SHOWN_MAX: usize = 16 << 20;

/// A transition system and the file it came from.
pub(crate) struct ExplicitFile {
    lts: Arc<Lts>,
    file: ModelFile,
    short_name: String,
}

/// Reads the text of a file; the ending of its name says how.
pub(crate) fn open(file: &ModelFile, text: String) -> Result<ExplicitFile, Diagnostic> {
    let lts = Arc::new(read(&file.path, text)?);
    Ok(ExplicitFile { lts, file: file.clone(), short_name: stem(&file.path) })
}

fn read(path: &str, text: String) -> Result<Lts, Diagnostic> {
    let lts = if path.ends_with(".dot") { dot::read(&text) } else { aut::read(text.as_bytes()) };
    let lts = lts.map_err(|news| {
        // The text of a large file is not shown, and not kept.
        let text = if text.len() > SHOWN_MAX { String::new() } else { text };
        in_text::diagnostic(&news, &Sources::of_one(path, text))
    })?;
    Ok(lts.with_labels(|label| spelt(&without_blanks(label))))
}

/// A label of a translated program as its text spells it.
fn spelt(label: &str) -> String {
    #[cfg(feature = "languages")]
    let label = foresee_translate::erlang_label(label);
    #[cfg(not(feature = "languages"))]
    let label = std::borrow::Cow::Borrowed(label);
    label.into_owned()
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

    fn kind(&self) -> Kind {
        Kind::Lts
    }

    fn source(&self) -> Source {
        Source::ModelFile(self.file.clone())
    }

    fn name(&self) -> String {
        self.file.path.clone()
    }

    fn short_name(&self) -> &str {
        &self.short_name
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        let (lts, file) = (Arc::clone(&self.lts), self.file.clone());
        Ok(Arc::new(ExplicitFile { lts, file, short_name: self.short_name.clone() }))
    }

    fn coverage(&self) -> Coverage {
        let missing = self.is_incomplete().then_some(Assumption::MissingTransitions);
        let checked = vec![Claim::NoDeadlock(Whose::Anybody)];
        Coverage { checked, assumed: missing.into_iter().collect() }
    }

    fn warnings(&self) -> Vec<String> {
        let text = format!(
            "{} is incomplete: transitions are missing (label {INCOMPLETE})",
            self.file.path
        );
        if self.is_incomplete() { vec![text] } else { Vec::new() }
    }

    fn looks_for_deadlocks(&self) -> bool {
        true
    }

    fn visible_label(&self, _state: &[u32], action: Action) -> Option<String> {
        self.lts.label_of(action).map(str::to_owned)
    }

    fn as_lts(&self) -> Option<&Lts> {
        Some(&self.lts)
    }
}
