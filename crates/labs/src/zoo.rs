//! Bug zoos: the mistakes that a reference solution can be switched to make, and which test notices.

use crate::{ReferenceLab, Status, TestResult, carry_out};
use crate::{Switch, Test};

/// One mistake, or one way to do it that is unusual and right.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Specimen {
    /// `3a`; of an innocent variant a few words with hyphens.
    pub id: &'static str,
    /// What it does, in a sentence.
    pub sentence: &'static str,
    pub kind: SpecimenKind,
}

/// What kind of mistake it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SpecimenKind {
    /// Somebody is told what is not so.
    Safety,
    /// Somebody waits for ever.
    Liveness,
    /// It costs too much.
    Cost,
    /// It does not do the same thing twice.
    Determinism,
    /// No mistake at all: every test must pass.
    Innocent,
}

impl SpecimenKind {
    /// One letter for tables.
    pub fn letter(self) -> char {
        match self {
            SpecimenKind::Safety => 'S',
            SpecimenKind::Liveness => 'L',
            SpecimenKind::Cost => 'P',
            SpecimenKind::Determinism => 'D',
            SpecimenKind::Innocent => '-',
        }
    }
}

/// A test that noticed.
#[derive(Clone, Debug)]
pub struct Found {
    pub result: TestResult,
}

impl Found {
    /// The steps of the run that shows it; 0 where no run does.
    pub fn steps(&self) -> usize {
        self.result.trace.as_ref().map_or(0, |trace| trace.events.len())
    }
}

/// Runs the tests of a lab on its reference with this specimen until one does not pass. `wants` chooses the tests.
pub fn hunt(
    reference: &ReferenceLab,
    specimen: &Specimen,
    seed: u64,
    wants: impl Fn(&Test) -> bool,
) -> Option<Found> {
    let lab = (reference.make)(Switch::on(specimen.id));
    let system = reference.system_name(specimen);
    let mut tests = lab.tests.iter().filter(|test| wants(test));
    tests.find_map(|test| {
        let result = carry_out(&system, test, seed);
        (result.status != Status::Passed).then_some(Found { result })
    })
}

/// A solution's text without its zoo: the lines from a mark `// zoo: …` to the mark `// :zoo`, which a formatter may have moved to the end of the
/// last of them.
///
/// ```
/// let text = "let n = 1;\n// zoo: 1a\nlet n = 2;\n// :zoo\nlet m = n;\n";
/// assert_eq!(foresee_labs::without_zoo(text), "let n = 1;\nlet m = n;\n");
/// ```
pub fn without_zoo(text: &str) -> String {
    let mut is_zoo = false;
    let mut rest = String::new();
    for line in text.lines() {
        match line.trim() {
            "// :zoo" => is_zoo = false,
            last if is_zoo && last.ends_with("// :zoo") => is_zoo = false,
            mark if mark.starts_with("// zoo:") => is_zoo = true,
            _ if is_zoo => {}
            _ => {
                rest.push_str(line);
                rest.push('\n');
            }
        }
    }
    rest
}
