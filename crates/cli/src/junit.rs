//! The report as JUnit XML, which continuous integration shows: one test case for each property.
//! A property that was not looked at to the end, because another one was violated first, is *skipped*; one that a limit or an
//! error stopped is an *error*: neither is a pass.

use foresee_session::{Found, Outcome, Report, TestReport, escaped_markup};
use std::fmt::Write;

/// The whole document; `story` tells the run of a violation as text.
pub(crate) fn junit(report: &Report, story: impl Fn(&Found) -> String) -> String {
    let cases = cases(report, story);
    let count = |tag: &str| {
        cases.iter().filter(|case| case.outcome.as_ref().is_some_and(|o| o.tag == tag)).count()
    };
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\"",
        cases.len(),
        count("failure"),
        count("error"),
        count("skipped"),
        report.seconds
    );
    let system = escaped_markup(&report.system);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites name=\"foresee\" {totals}>");
    let _ = writeln!(xml, "  <testsuite name=\"{system}\" {totals}>\n    <properties>");
    let facts = [
        ("verdict", report.verdict.word().to_owned()),
        ("states", report.states.to_string()),
        ("transitions", report.transitions.to_string()),
        ("depth", report.depth.to_string()),
        ("seed", report.seed.to_string()),
    ];
    for (name, value) in facts {
        let _ =
            writeln!(xml, "      <property name=\"{name}\" value=\"{}\"/>", escaped_markup(&value));
    }
    xml.push_str("    </properties>\n");
    for case in cases {
        let _ = write!(
            xml,
            "    <testcase classname=\"{system}\" name=\"{}\" time=\"0\"",
            escaped_markup(&case.name)
        );
        match case.outcome {
            None => xml.push_str("/>\n"),
            Some(bad) => {
                let _ = writeln!(xml, ">\n      {}\n    </testcase>", bad.element());
            }
        }
    }
    if !report.warnings.is_empty() {
        let _ = writeln!(
            xml,
            "    <system-err>{}</system-err>",
            escaped_markup(&report.warnings.join("\n"))
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

struct Case {
    name: String,
    outcome: Option<Bad>,
}

struct Bad {
    tag: &'static str,
    kind: String,
    message: String,
    text: String,
}

impl Bad {
    /// An attribute has no line breaks (a reader turns them into blanks), so the first line of the message stands there; the whole
    /// message and the story are the body, each line on a line of its own.
    fn element(&self) -> String {
        let Bad { tag, kind, message, text } = self;
        let first = escaped_markup(message.lines().next().unwrap_or_default());
        if *tag == "skipped" {
            return format!("<skipped message=\"{kind}: {first}\"/>", kind = escaped_markup(kind));
        }
        let is_told = |line: &str| text.contains(line);
        let rest = message.lines().skip(1).filter(|line| !is_told(line));
        let mut body: String = rest.map(|line| format!("{line}\n")).collect();
        body.push_str(text);
        let body = escaped_markup(body.trim_end());
        let body = if body.is_empty() { body } else { format!("\n{body}\n") };
        format!("<{tag} type=\"{}\" message=\"{first}\">{body}</{tag}>", escaped_markup(kind))
    }
}

fn cases(report: &Report, story: impl Fn(&Found) -> String) -> Vec<Case> {
    if !report.tests.is_empty() {
        return report.tests.iter().map(|test| of_test(report, test, &story)).collect();
    }
    let mut cases = Vec::new();
    for property in &report.extras.properties {
        let broken =
            report.violations.iter().find(|found| found.property.as_ref() == Some(property));
        cases.push(Case {
            name: property.clone(),
            outcome: broken.map(|found| failure(found, &story)),
        });
    }
    let listed = |name: &String| report.extras.properties.contains(name);
    for found in
        report.violations.iter().filter(|found| !found.property.as_ref().is_some_and(listed))
    {
        let name = found.property.clone().unwrap_or_else(|| found.kind.word().to_owned());
        cases.push(Case { name, outcome: Some(failure(found, &story)) });
    }
    if cases.is_empty() {
        cases.push(Case { name: "explore".to_owned(), outcome: None });
    }
    if let Some(bad) = not_checked(report) {
        for case in cases.iter_mut().filter(|case| case.outcome.is_none()) {
            let Bad { tag, kind, message, text } = &bad;
            let (kind, message, text) = (kind.clone(), message.clone(), text.clone());
            case.outcome = Some(Bad { tag, kind, message, text });
        }
    }
    cases
}

/// One test of a project. A budget is there to be used up: a test that it stopped is skipped, not broken.
fn of_test(report: &Report, test: &TestReport, story: impl Fn(&Found) -> String) -> Case {
    let found =
        report.violations.iter().find(|found| found.trace.is_some() && found.trace == test.trace);
    let message = test.message.clone().unwrap_or_default();
    let plain = |tag, kind: &str, message: String, text: String| {
        Some(Bad { tag, kind: kind.to_owned(), message, text })
    };
    let outcome = match test.verdict {
        Outcome::Holds => None,
        Outcome::Violated => match found {
            Some(found) => Some(failure(found, story)),
            None => plain("failure", "violated", message, String::new()),
        },
        Outcome::Inconclusive => {
            let by = test.stopped_by.map_or("a limit", |by| by.word());
            let words = format!("stopped by {by} after {} interleavings", test.interleavings);
            plain("skipped", "inconclusive", words, String::new())
        }
        Outcome::Error => {
            let text = test.error.as_ref().map(ToString::to_string).unwrap_or_default();
            let code = test.error.as_ref().map_or("error", |error| error.code.id());
            plain("error", code, message, text)
        }
    };
    Case { name: test.name.clone(), outcome }
}

fn failure(found: &Found, story: impl Fn(&Found) -> String) -> Bad {
    Bad {
        tag: "failure",
        kind: found.kind.word().to_owned(),
        message: found.message.clone(),
        text: story(found),
    }
}

/// What to say of properties that no violation was found for, if they cannot be said to hold.
fn not_checked(report: &Report) -> Option<Bad> {
    let (kind, message) = match (report.verdict, &report.error) {
        (Outcome::Holds, _) => return None,
        (_, Some(error)) => (error.code.id().to_owned(), error.message.clone()),
        (Outcome::Violated, None) => {
            let message = "the search stopped at the violation of another property".to_owned();
            return Some(Bad {
                tag: "skipped",
                kind: "not explored".to_owned(),
                message,
                text: String::new(),
            });
        }
        (_, None) => {
            let by = report.stopped_by.map_or("a limit", |by| by.word());
            ("inconclusive".to_owned(), format!("stopped by {by}"))
        }
    };
    let text = report.error.as_ref().map(ToString::to_string).unwrap_or_default();
    Some(Bad { tag: "error", kind, message, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_session::ViolationKind;

    fn found(property: Option<&str>, message: &str) -> Found {
        let property = property.map(str::to_owned);
        Found::without_run(ViolationKind::Invariant, property, message.to_owned())
    }

    #[test]
    fn text_is_escaped_everywhere() {
        let mut report = Report::new("check", "a<b>&\"c\"");
        report.verdict = Outcome::Violated;
        report.extras.properties = vec!["x < y".to_owned()];
        report.violations.push(found(Some("x < y"), "1 < \"2\" & \u{1b}[0m"));
        let xml = junit(&report, |_| "a -> b\n".to_owned());
        assert!(xml.contains("name=\"a&lt;b&gt;&amp;&quot;c&quot;\""), "{xml}");
        assert!(
            xml.contains(
                "message=\"1 &lt; &quot;2&quot; &amp; \u{fffd}[0m\">\na -&gt; b\n</failure>"
            ),
            "{xml}"
        );
    }

    #[test]
    fn every_property_is_a_case_and_only_what_holds_passes() {
        let mut report = Report::new("check", "s");
        report.extras.properties = vec!["p".to_owned(), "q".to_owned()];
        for (verdict, errors, passes) in [(Outcome::Holds, 0, 2), (Outcome::Inconclusive, 2, 0)] {
            report.verdict = verdict;
            let xml = junit(&report, |_| String::new());
            assert!(
                xml.contains(&format!("tests=\"2\" failures=\"0\" errors=\"{errors}\"")),
                "{xml}"
            );
            assert_eq!(xml.matches("time=\"0\"/>").count(), passes, "{xml}");
        }
    }

    #[test]
    fn what_was_not_explored_is_skipped_and_lines_stay_lines() {
        let mut report = Report::new("check", "s");
        report.verdict = Outcome::Violated;
        report.extras.properties = vec!["p".to_owned(), "q".to_owned()];
        report.violations.push(found(Some("p"), "first\nsecond"));
        let xml = junit(&report, |_| "  1  a\n  2  b\n".to_owned());
        assert!(xml.contains("failures=\"1\" errors=\"0\" skipped=\"1\""), "{xml}");
        assert!(xml.contains("message=\"first\">\nsecond\n  1  a\n  2  b\n</failure>"), "{xml}");
        assert!(xml.contains("<skipped message=\"not explored: the search stopped"), "{xml}");
    }

    #[test]
    fn a_violation_without_a_property_is_a_case_of_its_own() {
        let mut report = Report::new("check", "s");
        report.verdict = Outcome::Violated;
        report.violations.push(found(None, "boom"));
        let xml = junit(&report, |_| String::new());
        assert!(xml.contains("name=\"invariant\"") && xml.contains("failures=\"1\""), "{xml}");
    }
}
