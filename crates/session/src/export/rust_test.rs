//! The run as a regression test of a system that is registered in a Rust binary.

use super::{AS_DATA, AS_ERLANG, Exported, Format, no_test};
use crate::{Diagnostic, Kind, Refusal, ReplayReport};
use foresee_lts::ViolationKind;
use foresee_trace::{RustTest, Trace, rust_test};

pub(super) struct RustTests;

impl Format for RustTests {
    fn name(&self) -> &'static str {
        "rust-test"
    }

    fn ending(&self) -> &'static str {
        "rs"
    }

    fn about(&self) -> &'static str {
        "a regression test of Rust nodes"
    }

    fn refusal(&self, kind: Kind) -> Option<Refusal> {
        let of = "a Rust test is for systems of Rust nodes";
        match kind {
            Kind::Nodes | Kind::Model => None,
            Kind::Erlang => no_test(of, kind, AS_ERLANG),
            Kind::Algebra | Kind::Lts => no_test(of, kind, AS_DATA),
        }
    }

    fn write(&self, run: &Exported<'_>) -> Result<String, Diagnostic> {
        run.require_no_formula()?;
        let message = match run.trace.violation.as_ref().map(|finding| finding.kind) {
            None => "the trace claims nothing wrong, so a test of it could not fail",
            Some(ViolationKind::Nondeterminism) => {
                "the run could not be shown again when it was found, so a test of it could not fail"
            }
            Some(_) => return Ok(rust_test(run.trace, &rust_test_of(run.trace, run.replayed))),
        };
        Err(run.cannot(message, AS_DATA))
    }
}

/// A test that builds the system as the trace says, from the list of systems it came from: that of the stock binary, or the
/// function `systems` of the crate that says how the system is built.
fn rust_test_of(trace: &Trace, replayed: &ReplayReport) -> RustTest {
    let front = replayed.loaded.front();
    let home = front.as_nodes().and_then(|nodes| nodes.home());
    let systems = match home {
        Some("foresee_systems") => "foresee::stock_systems()".to_owned(),
        Some(home) => format!("{home}::systems()"),
        None => "crate::systems()".to_owned(),
    };
    let name = match &trace.violation {
        Some(finding) => format!("{} {}", replayed.loaded.short_name(), finding.title()),
        None => replayed.loaded.short_name().to_owned(),
    };
    RustTest { name, systems, expect: foresee_trace::Expect::default() }
}
