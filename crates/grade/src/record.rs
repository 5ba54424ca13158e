//! What the program in a cell reports: lines of JSON in a file that was opened before any code of the solution ran.

use foresee_labs::{Category, Lab, Number, Part, Results, Status, Test, TestResult};
use foresee_lts::{Verb, ViolationKind};
use serde::{Deserialize, Serialize};

/// What the program is asked to do; on its standard input, so that it stands in no argument that the solution could read.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Order {
    /// The file of records, as seen from inside.
    pub(crate) records: std::path::PathBuf,
    pub(crate) seed: u64,
    /// The tests to run, by their place in the lab; `None`: only list them.
    pub(crate) tests: Option<Vec<usize>>,
    /// Processor seconds for one test.
    pub(crate) cpu_s: u64,
    /// Whether every handler is called several times to see whether it is a function.
    pub(crate) checks_code: bool,
}

/// One line.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) enum Record {
    Lab(Listing),
    /// The solution could not even be made.
    Broken {
        message: String,
    },
    Began {
        test: usize,
    },
    Ended {
        test: usize,
        result: Reported,
    },
    Finished,
}

/// A lab and its tests.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Listing {
    pub id: String,
    pub title: String,
    pub parts: Vec<(u32, String)>,
    pub tests: Vec<Listed>,
}

/// A test, before it is run.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Listed {
    pub part: u32,
    pub index: u32,
    pub name: String,
    pub categories: Vec<String>,
    pub points: u32,
    pub is_hidden: bool,
}

/// What came of a test.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Reported {
    pub(crate) status: String,
    pub(crate) property: Option<String>,
    pub(crate) message: String,
    pub(crate) states: u64,
    pub(crate) trace: Option<String>,
    /// The handler that did something else the second time: `on_message of server`.
    pub(crate) nondeterministic: Option<String>,
}

impl Listing {
    pub(crate) fn of(lab: &Lab) -> Self {
        let parts = lab.parts.iter().map(|part| (part.number, part.title.to_owned()));
        let tests = lab.tests.iter().map(Listed::of);
        Listing {
            id: lab.id.to_owned(),
            title: lab.title.to_owned(),
            parts: parts.collect(),
            tests: tests.collect(),
        }
    }

    /// Results without any test. Names live as long as the program: a class has one lab.
    pub(crate) fn results(&self, seed: u64) -> Results {
        let part =
            |(number, title): &(u32, String)| Part { number: *number, title: title.clone().leak() };
        Results {
            lab: self.id.clone().leak(),
            title: self.title.clone().leak(),
            parts: self.parts.iter().map(part).collect(),
            seed,
            tests: Vec::new(),
        }
    }
}

impl Listed {
    fn of(test: &Test) -> Self {
        Listed {
            part: test.number.part,
            index: test.number.index,
            name: test.name.to_owned(),
            categories: test.categories.iter().map(|it| it.word().to_owned()).collect(),
            points: test.points,
            is_hidden: test.is_hidden,
        }
    }

    pub(crate) fn number(&self) -> Number {
        Number { part: self.part, index: self.index }
    }

    /// Whether its verdict is of handlers, which may fail to be functions.
    pub(crate) fn is_about_handlers(&self) -> bool {
        !self.categories.iter().any(|word| word == Category::Unit.word())
    }

    pub(crate) fn result(&self, reported: &Reported) -> TestResult {
        let category = |word: &String| Category::ALL.into_iter().find(|it| it.word() == word);
        let status = [Status::Passed, Status::Failed, Status::Unfinished, Status::Error]
            .into_iter()
            .find(|status| status.word() == reported.status);
        TestResult {
            number: self.number(),
            name: self.name.clone().leak(),
            categories: self.categories.iter().filter_map(category).collect(),
            points: self.points,
            is_hidden: self.is_hidden,
            status: status.unwrap_or(Status::Error),
            property: reported.property.clone(),
            message: reported.message.clone(),
            states: reported.states,
            trace: None,
            trace_file: None,
        }
    }
}

impl Reported {
    pub(crate) fn of(result: &TestResult) -> Self {
        Reported {
            status: result.status.word().to_owned(),
            property: result.property.clone(),
            message: result.message.clone(),
            states: result.states,
            trace: result.trace.as_ref().filter(|_| !result.is_hidden).map(ToString::to_string),
            nondeterministic: nondeterministic(result),
        }
    }

    /// What is known only from outside.
    pub(crate) fn told(status: Status, property: Option<&str>, message: String) -> Self {
        let property = property.map(str::to_owned);
        let status = status.word().to_owned();
        Reported { status, property, message, states: 0, trace: None, nondeterministic: None }
    }
}

/// The handler of the last event, in words without numbers or values: which of several clients it was found at is chance.
fn nondeterministic(result: &TestResult) -> Option<String> {
    let trace = result.trace.as_ref()?;
    if trace.violation.as_ref()?.kind != ViolationKind::Nondeterminism {
        return None;
    }
    let Some(label) = trace.events.last().map(|event| &event.label) else {
        return Some("init".to_owned());
    };
    let handler = match label.verb {
        Verb::Timer => "on_timer",
        Verb::Restart => "on_restart",
        Verb::Crash => "recover",
        _ => "on_message",
    };
    let who = label.to.as_deref().unwrap_or_default();
    Some(format!("{handler} of {}", who.trim_end_matches(|c: char| c.is_ascii_digit())))
}
