//! The run as a picture: a space-time diagram.

use super::{Exported, Format};
use crate::{Diagnostic, Kind};
use foresee_trace::Drawing;

pub(super) struct Svg;

impl Format for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn ending(&self) -> &'static str {
        "svg"
    }

    fn about(&self) -> &'static str {
        "a space-time diagram"
    }

    fn write(&self, run: &Exported<'_>) -> Result<String, Diagnostic> {
        let found = run.replayed.report.violations.first();
        let drawing = Drawing {
            run: &run.replayed.run(),
            trace: run.trace,
            races: found.map_or(&[], |found| &found.details.races),
            // What an Erlang process holds is how far its interpreter is, and no part of the story.
            tells_members: run.replayed.loaded.kind() != Kind::Erlang,
        };
        Ok(drawing.to_svg())
    }
}
