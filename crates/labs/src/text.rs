//! Results for people: a line for each test, and for one that failed what was looked for, what was seen, and what to type next.

use crate::{Results, Status, TestResult};
use std::fmt::Write as _;

/// What came of one test. `again` is how the user would run it again, `look` how to see the failure.
pub fn result_text(test: &TestResult, again: &str, look: &str) -> String {
    let categories: Vec<&str> = test.categories.iter().map(|category| category.word()).collect();
    let mut text = format!(
        "  {:<5} {:<62} {:>2}/{:<2} {}\n",
        test.number.to_string(),
        format!("{} ({})", test.name, categories.join(", ")),
        test.earned(),
        test.points,
        match test.status {
            Status::Passed => "passed",
            Status::Failed => "FAILED",
            Status::Unfinished => "unfinished",
            Status::Error => "ERROR",
        }
    );
    if test.status == Status::Passed {
        return text;
    }
    if let Some(property) = &test.property {
        let _ = writeln!(text, "        violated: {property}");
    }
    for line in test.message.lines() {
        let _ = writeln!(text, "        {}", shortened(line));
    }
    if let (Some(trace), Some(file)) = (&test.trace, &test.trace_file) {
        let events = trace.events.iter().take(EVENTS_SHOWN).enumerate();
        for (number, event) in events {
            let _ = writeln!(
                text,
                "        {:>3}  {}",
                number + 1,
                shortened(&event.label.to_string())
            );
        }
        if trace.events.len() > EVENTS_SHOWN {
            let _ = writeln!(text, "             … {} more", trace.events.len() - EVENTS_SHOWN);
        }
        let _ = writeln!(text, "        trace: {file}   look: {look}");
    }
    let _ = writeln!(text, "        again: {again}");
    text
}

/// Values may be long; their beginning and end say most.
fn shortened(line: &str) -> String {
    let n = line.chars().count();
    if n <= LINE_MAX {
        return line.to_owned();
    }
    let head: String = line.chars().take(LINE_MAX / 2).collect();
    let tail: String = line.chars().skip(n - LINE_MAX / 2).collect();
    format!("{head} … {tail}")
}

const LINE_MAX: usize = 400;
/// Longer runs are for the debugger.
const EVENTS_SHOWN: usize = 24;

/// The last line.
pub fn summary_text(results: &Results) -> String {
    let passed = results.tests.iter().filter(|test| test.status == Status::Passed).count();
    format!(
        "{}: {} of {} tests passed, {} of {} points\n",
        results.lab,
        passed,
        results.tests.len(),
        results.earned(),
        results.points()
    )
}
