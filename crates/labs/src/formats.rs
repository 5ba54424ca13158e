//! Results as files that programs read: our JSON, JUnit, Gradescope. None of them has a time in it, so that grading twice gives the same bytes.

use crate::{Results, Status, TestResult};
use foresee_stdx::escaped_markup;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// One object with every test.
///
/// ```
/// use foresee_labs::{Arena, Lab, Part, Plan, run_tests, to_json};
/// # fn standard(_: &str, _: &foresee_nodes::BuildOptions) -> Arena { unreachable!() }
/// let lab = Lab {
///     id: "lab9",
///     title: "counting",
///     parts: vec![Part { number: 1, title: "numbers" }],
///     tests: Vec::new(),
///     standard: std::sync::Arc::new(standard),
/// };
/// let lab = lab.with(1, "one and one", 5, Plan::unit(|| Err("1 + 1 is 2, not 3".to_owned())));
/// let results = run_tests(&lab, "lab9", &lab.tests.iter().collect::<Vec<_>>(), 0, |_| {});
/// assert!(to_json(&results).contains(r#""number":"1.1","name":"one and one","categories":["unit"],"points":5,"earned":0,"status":"failed""#));
/// ```
pub fn to_json(results: &Results) -> String {
    let tests = results.tests.iter().map(|test| TestJson::new(results.lab, test));
    let object = ResultsJson {
        tool: "foresee",
        version: env!("CARGO_PKG_VERSION"),
        schema: 1,
        command: "labs test",
        lab: results.lab,
        seed: results.seed,
        points: results.points(),
        earned: results.earned(),
        tests: tests.collect(),
    };
    serde_json::to_string(&object).expect("plain data")
}

/// The documented fields, in their order.
#[derive(Serialize)]
struct ResultsJson<'a> {
    tool: &'a str,
    version: &'a str,
    schema: u32,
    command: &'a str,
    lab: &'a str,
    seed: u64,
    points: u32,
    earned: u32,
    tests: Vec<TestJson<'a>>,
}

#[derive(Serialize)]
struct TestJson<'a> {
    lab: &'a str,
    number: String,
    name: &'a str,
    categories: Vec<&'a str>,
    points: u32,
    earned: u32,
    status: &'a str,
    property: Option<&'a str>,
    message: &'a str,
    states: u64,
    trace: Option<&'a str>,
}

impl<'a> TestJson<'a> {
    fn new(lab: &'a str, test: &'a TestResult) -> Self {
        TestJson {
            lab,
            number: test.number.to_string(),
            name: test.name,
            categories: test.categories.iter().map(|category| category.word()).collect(),
            points: test.points,
            earned: test.earned(),
            status: test.status.word(),
            property: test.property.as_deref(),
            message: &test.message,
            states: test.states,
            trace: test.trace_file.as_deref(),
        }
    }
}

/// The `results.json` of a Gradescope autograder.
pub fn to_gradescope(results: &Results) -> String {
    let tests: Vec<Value> = results.tests.iter().map(gradescope_test).collect();
    let object = json!({
        "score": results.earned(),
        "output": format!("{}: {}", results.lab, results.title),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    });
    object.to_string()
}

fn gradescope_test(test: &TestResult) -> Value {
    let categories: Vec<&str> = test.categories.iter().map(|category| category.word()).collect();
    json!({
        "name": test.name,
        "number": test.number.to_string(),
        "score": test.earned(),
        "max_score": test.points,
        "status": if test.status == Status::Passed { "passed" } else { "failed" },
        "output": output(test),
        "tags": categories,
        "visibility": if test.is_hidden { "after_published" } else { "visible" },
    })
}

/// One test suite, for everything that reads JUnit's XML.
pub fn to_junit(results: &Results) -> String {
    let count = |status| results.tests.iter().filter(|test| test.status == status).count();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites><testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
        results.lab,
        results.tests.len(),
        count(Status::Failed),
        count(Status::Error),
        count(Status::Unfinished)
    );
    for test in &results.tests {
        let name = escaped_markup(test.name);
        let _ =
            write!(text, "<testcase classname=\"{}\" name=\"{} {name}\"", results.lab, test.number);
        let told = escaped_markup(&output(test)).to_string();
        let element = match test.status {
            Status::Passed => None,
            Status::Failed => Some("failure"),
            Status::Error => Some("error"),
            Status::Unfinished => Some("skipped"),
        };
        match element {
            None => text.push_str("/>\n"),
            Some(element) => {
                let message =
                    escaped_markup(test.property.as_deref().unwrap_or_default()).to_string();
                let _ = writeln!(
                    text,
                    "><{element} message=\"{message}\">{told}</{element}></testcase>"
                );
            }
        }
    }
    text.push_str("</testsuite></testsuites>\n");
    text
}

fn output(test: &TestResult) -> String {
    match &test.property {
        Some(property) => format!("{}: {property}\n{}", test.status.word(), test.message),
        None => test.message.clone(),
    }
}
