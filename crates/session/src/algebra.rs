//! muCRL specifications behind the door.
//! What is wrong with the text is told before anything runs; what rewriting meets on the way (a condition that is neither
//! true nor false, data without a normal form) is told when a search gets there, with its line.

use crate::front_end::FrontEnd;
use crate::in_text::NamedText;
use crate::model_file::{ModelOptions, stem};
use crate::{Diagnostic, Loaded};
use foresee_algebra::{Algebra, Options};
use foresee_lts::{Action, System};
use std::sync::Arc;

/// A specification and its text, from which it is built again.
pub(crate) struct AlgebraFile {
    algebra: Algebra,
    text: NamedText,
    options: ModelOptions,
    short_name: String,
}

pub(crate) fn load(path: &str, text: String, options: ModelOptions) -> Result<Loaded, Diagnostic> {
    Ok(Loaded::new(AlgebraFile::new(NamedText::new(path, text), options)?))
}

impl AlgebraFile {
    fn new(text: NamedText, options: ModelOptions) -> Result<Self, Diagnostic> {
        let merge_positions = options.merge_positions;
        let own = Options { merge_positions, ..Options::default() };
        let algebra = foresee_algebra::load(&text.text, own);
        let algebra = algebra.map_err(|news| text.of_algebra(&news))?;
        let short_name = stem(&text.name);
        Ok(AlgebraFile { algebra: algebra.named(&text.name), text, options, short_name })
    }
}

impl FrontEnd for AlgebraFile {
    fn system(&self) -> &dyn System {
        &self.algebra
    }

    fn name(&self) -> String {
        self.text.name.clone()
    }

    fn short_name(&self) -> &str {
        &self.short_name
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        Ok(Arc::new(AlgebraFile::new(self.text.clone(), self.options)?))
    }

    fn trace_options(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn looks_for_deadlocks(&self) -> bool {
        true
    }

    fn has_threads(&self) -> bool {
        false
    }

    fn visible_label(&self, _state: &[u32], action: Action) -> Option<String> {
        self.algebra.visible_text(action)
    }

    fn trouble(&self, state: &[u32]) -> Option<Diagnostic> {
        self.algebra.problem(state).map(|news| self.text.one_of_algebra(&news))
    }
}
