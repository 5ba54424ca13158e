//! Carrying out a test: the plan decides who does it.

use crate::results::Outcome;
use crate::{Lab, Plan, Results, Status, Test, TestResult, run, search};
use foresee_node::run_checked;
use foresee_nodes::BuildOptions;

/// Carries out one test. `system` is what a user would type for the lab's world, without the test: `lab1` or `lab1 bug=1a`.
pub fn carry_out(system: &str, test: &Test, seed: u64) -> TestResult {
    carry_out_with(system, test, seed, &BuildOptions::default())
}

/// The same, on worlds that are built with these options.
pub fn carry_out_with(system: &str, test: &Test, seed: u64, options: &BuildOptions) -> TestResult {
    let name = named(system, test);
    let outcome = match run_checked(|| match &test.plan {
        Plan::Unit(unit) => unit_outcome(run_checked(|| unit())),
        Plan::Run(set_up, plan) => run::carry_out(&name, set_up, plan, seed, options),
        Plan::Search(set_up, plan) => search::carry_out(&name, set_up, plan, seed, options),
    }) {
        Ok(outcome) => outcome,
        Err(panic) => Outcome {
            status: Status::Error,
            property: None,
            message: format!("the test itself panicked: {panic}"),
            states: 0,
            trace: None,
        },
    };
    TestResult::of(test, outcome)
}

/// Carries out tests in order; `after` is told of each.
pub fn run_tests(
    lab: &Lab,
    system: &str,
    tests: &[&Test],
    seed: u64,
    mut after: impl FnMut(&mut TestResult),
) -> Results {
    let mut results = Results::new(lab, seed);
    for test in tests {
        let mut result = carry_out(system, test, seed);
        after(&mut result);
        results.tests.push(result);
    }
    results
}

/// `lab1 bug=1a` and test 2.3: `lab1 test=2.3 bug=1a`.
fn named(system: &str, test: &Test) -> String {
    let (lab, rest) = system.split_once(' ').unwrap_or((system, ""));
    format!("{lab} test={} {rest}", test.number).trim_end().to_owned()
}

fn unit_outcome(result: Result<Result<(), String>, String>) -> Outcome {
    match result {
        Ok(Ok(())) => Outcome::passed(0, String::new()),
        Ok(Err(message)) => Outcome::failed(0, "as the handout says", message),
        Err(panic) => {
            Outcome::failed(0, "no panic", format!("the code under test panicked: {panic}"))
        }
    }
}
