//! What came of tests.

use crate::{Category, Lab, Test};
use foresee_trace::Trace;

/// How a test ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    Passed,
    /// The solution is wrong, or costs too much.
    Failed,
    /// A limit of time or memory ended it: nothing is known.
    Unfinished,
    /// The test could not be carried out.
    Error,
}

impl Status {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Unfinished => "unfinished",
            Status::Error => "error",
        }
    }
}

/// What came of one test.
#[derive(Clone, Debug)]
pub struct TestResult {
    pub number: crate::Number,
    pub name: &'static str,
    pub categories: Vec<Category>,
    pub points: u32,
    pub is_hidden: bool,
    pub status: Status,
    /// What is violated.
    pub property: Option<String>,
    /// Why, or how far it came.
    pub message: String,
    /// States visited by searches, events of runs.
    pub states: u64,
    /// The run that shows a failure.
    pub trace: Option<Trace>,
    /// The file the trace was written to; the edge fills it in.
    pub trace_file: Option<String>,
}

impl TestResult {
    pub fn earned(&self) -> u32 {
        if self.status == Status::Passed { self.points } else { 0 }
    }

    pub(crate) fn of(test: &Test, outcome: Outcome) -> Self {
        TestResult {
            number: test.number,
            name: test.name,
            categories: test.categories.clone(),
            points: test.points,
            is_hidden: test.is_hidden,
            status: outcome.status,
            property: outcome.property,
            message: outcome.message,
            states: outcome.states,
            trace: outcome.trace,
            trace_file: None,
        }
    }
}

/// What came of a lab's tests.
#[derive(Clone, Debug)]
pub struct Results {
    pub lab: &'static str,
    pub title: &'static str,
    pub parts: Vec<crate::Part>,
    pub seed: u64,
    pub tests: Vec<TestResult>,
}

impl Results {
    pub fn new(lab: &Lab, seed: u64) -> Self {
        Results { lab: lab.id, title: lab.title, parts: lab.parts.clone(), seed, tests: Vec::new() }
    }

    pub fn points(&self) -> u32 {
        self.tests.iter().map(|test| test.points).sum()
    }

    pub fn earned(&self) -> u32 {
        self.tests.iter().map(TestResult::earned).sum()
    }

    /// 0 all passed, 1 something is wrong, 2 a test could not be carried out, 3 something is not known.
    pub fn exit_code(&self) -> u8 {
        let has = |status| self.tests.iter().any(|test| test.status == status);
        match () {
            () if has(Status::Failed) => 1,
            () if has(Status::Error) => 2,
            () if has(Status::Unfinished) => 3,
            () => 0,
        }
    }
}

/// What came of carrying out a plan.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: Status,
    pub(crate) property: Option<String>,
    pub(crate) message: String,
    pub(crate) states: u64,
    pub(crate) trace: Option<Trace>,
}

impl Outcome {
    pub(crate) fn passed(states: u64, message: String) -> Self {
        Outcome { status: Status::Passed, property: None, message, states, trace: None }
    }

    pub(crate) fn failed(states: u64, property: &str, message: String) -> Self {
        let property = Some(property.to_owned());
        Outcome { status: Status::Failed, property, message, states, trace: None }
    }

    pub(crate) fn with_trace(mut self, trace: Trace) -> Self {
        self.trace = Some(trace);
        self
    }
}
