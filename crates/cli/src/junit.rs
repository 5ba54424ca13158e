//! The report as JUnit XML, which continuous integration shows: one test case for each property.
//! A property that was not fully explored is an *error* there, never a pass and never a quiet "skipped".

use foresee_session::{Found, Outcome, Report};
use std::fmt::Write;

/// The whole document; `story` tells the run of a violation as text.
pub(crate) fn junit(report: &Report, story: impl Fn(&Found) -> String) -> String {
    let cases = cases(report, story);
    let count = |tag: &str| {
        cases.iter().filter(|case| case.outcome.as_ref().is_some_and(|o| o.tag == tag)).count()
    };
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\"",
        cases.len(),
        count("failure"),
        count("error"),
        report.seconds
    );
    let system = escape(&report.system);
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
        let _ = writeln!(xml, "      <property name=\"{name}\" value=\"{}\"/>", escape(&value));
    }
    xml.push_str("    </properties>\n");
    for case in cases {
        let _ = write!(
            xml,
            "    <testcase classname=\"{system}\" name=\"{}\" time=\"0\"",
            escape(&case.name)
        );
        match case.outcome {
            None => xml.push_str("/>\n"),
            Some(Bad { tag, kind, message, text }) => {
                let _ = writeln!(
                    xml,
                    ">\n      <{tag} type=\"{}\" message=\"{}\">{}</{tag}>\n    </testcase>",
                    escape(&kind),
                    escape(&message),
                    escape(&text)
                );
            }
        }
    }
    if !report.warnings.is_empty() {
        let _ =
            writeln!(xml, "    <system-err>{}</system-err>", escape(&report.warnings.join("\n")));
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

fn cases(report: &Report, story: impl Fn(&Found) -> String) -> Vec<Case> {
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
            ("not_explored".to_owned(), "stopped at the first violation".to_owned())
        }
        (_, None) => {
            let by = report.stopped_by.map_or("a limit", |by| by.word());
            ("inconclusive".to_owned(), format!("stopped by {by}"))
        }
    };
    let text = report.error.as_ref().map(ToString::to_string).unwrap_or_default();
    Some(Bad { tag: "error", kind, message, text })
}

/// Text as XML character data or attribute value; what XML 1.0 cannot hold at all becomes U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c < ' ' || ('\u{fffe}'..='\u{ffff}').contains(&c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
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
                "message=\"1 &lt; &quot;2&quot; &amp; \u{fffd}[0m\">a -&gt; b\n</failure>"
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
    fn a_violation_without_a_property_is_a_case_of_its_own() {
        let mut report = Report::new("check", "s");
        report.verdict = Outcome::Violated;
        report.violations.push(found(None, "boom"));
        let xml = junit(&report, |_| String::new());
        assert!(xml.contains("name=\"invariant\"") && xml.contains("failures=\"1\""), "{xml}");
    }
}
