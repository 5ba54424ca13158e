//! The run with every state, as data.

use super::{Exported, Format};
use crate::Diagnostic;
use foresee_trace::to_json;

pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn ending(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "data"
    }

    fn write(&self, run: &Exported<'_>) -> Result<String, Diagnostic> {
        Ok(to_json(&run.replayed.run(), run.trace))
    }
}
