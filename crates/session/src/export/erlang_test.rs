//! The run as an EUnit test of an Erlang program.

use super::{AS_DATA, Exported, Format, no_test};
use crate::{Diagnostic, Kind, Refusal};

pub(super) struct ErlangTests;

impl Format for ErlangTests {
    fn name(&self) -> &'static str {
        "erlang-test"
    }

    fn ending(&self) -> &'static str {
        "erl"
    }

    fn about(&self) -> &'static str {
        "a regression test of an Erlang program"
    }

    fn refusal(&self, kind: Kind) -> Option<Refusal> {
        match kind {
            Kind::Erlang => None,
            _ => no_test("an Erlang test is for Erlang programs", kind, AS_DATA),
        }
    }

    fn file_name(&self, stem: &str) -> String {
        format!("{stem}_run_tests.erl")
    }

    #[cfg(feature = "languages")]
    fn write(&self, run: &Exported<'_>) -> Result<String, Diagnostic> {
        run.require_no_formula()?;
        Ok(foresee_trace::erlang_test(&super::erlang::erlang_test_of(run)?))
    }

    #[cfg(not(feature = "languages"))]
    fn write(&self, _: &Exported<'_>) -> Result<String, Diagnostic> {
        unreachable!("there are no Erlang programs here")
    }
}
