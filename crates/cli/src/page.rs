//! The report as one page of HTML that needs nothing else: no network, no script to read it.
//! The verdict first, then figures, how it was asked for, warnings, and for each violation a picture, the story with the source,
//! each process's part, the races, and the trace with the command that replays it.
//! Invariant: the page is a function of the report and the command line; all that comes from outside is escaped (`html`).
//! Not here: writing the file (`files`), drawing (`foresee-trace`).

mod html;
mod violation;

use crate::units;
use foresee_session::{Diagnostic, Outcome, Report};
use html::{element, folded, text};
use std::fmt::Write;

/// What the first bytes of a page are.
pub(crate) const MARK: &str = "<!DOCTYPE html>\n<!-- foresee report -->\n";

/// The whole page. `line` is what the user typed, `program` how the binary is called.
pub(crate) fn page(report: &Report, line: &str, program: &str) -> String {
    let mut body = String::new();
    body.push_str(&figures(report));
    body.push_str(&troubles(report));
    for (i, found) in report.violations.iter().enumerate() {
        body.push_str(&violation::section(report, found, i + 1, program));
    }
    if let Some(found) = &report.extras.how_far {
        body.push_str(&violation::how_far(report, found));
    }
    body.push_str(&options(report, line));
    let title = text(&format!("{}: {}", report.verdict.word(), report.system));
    let style = include_str!("page/style.css");
    let script = include_str!("page/script.js");
    format!(
        "{MARK}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{}<main>\n{body}</main>\n\
         <footer><p>Written by foresee {}. The page is complete in itself.</p></footer>\n\
         <script>\n{script}</script>\n</body>\n</html>\n",
        top(report),
        text(report.version),
    )
}

fn top(report: &Report) -> String {
    let word = report.verdict.word();
    format!(
        "<header class=\"top\">\n<p class=\"tool\">foresee {}</p>\n\
         <h1><span class=\"badge {word}\">{word}</span> {}</h1>\n{}\n</header>\n",
        text(report.command),
        text(&report.system),
        element("p", "lead", &lead(report)),
    )
}

/// The verdict in a sentence.
fn lead(report: &Report) -> String {
    match report.verdict {
        Outcome::Violated => {
            let what: Vec<String> = report.violations.iter().map(violation::title).collect();
            format!("{}: {}", units::counted(what.len() as u64, "violation"), what.join(", "))
        }
        Outcome::Holds if report.command == "verify" => "Every formula holds.".to_owned(),
        Outcome::Holds if report.extras.invariants.is_empty() => {
            "Everything was explored, and nothing is wrong.".to_owned()
        }
        Outcome::Holds => {
            let names = report.extras.invariants.join(", ");
            format!("Everything was explored. In every reachable state: {names}.")
        }
        Outcome::Inconclusive => {
            let why = crate::render::why_inconclusive(report);
            format!("{}{}.", why[..1].to_uppercase(), &why[1..])
        }
        Outcome::Error => "Nothing can be said of it.".to_owned(),
    }
}

fn figures(report: &Report) -> String {
    let mut figures: Vec<(&str, String)> = Vec::new();
    let mut count = |name, number: u64| {
        if number > 0 {
            figures.push((name, units::grouped(number)));
        }
    };
    if report.engine == "stateless" {
        count("interleavings", report.interleavings);
        count("erroneous", report.erroneous_interleavings);
        count("known to be left", report.interleavings_planned);
        count("given up as repetitions", report.sleep_set_blocked);
        count("events", report.transitions);
        count("longest run", u64::from(report.depth));
    } else {
        count("states", report.states);
        count("walks", report.interleavings);
        count("transitions", report.transitions);
        count("depth", u64::from(report.depth));
    }
    figures.push(("time", units::duration(report.seconds)));
    if report.peak_memory_bytes > 0 {
        figures.push(("memory", units::bytes(report.peak_memory_bytes)));
    }
    let items = figures.iter().map(|(name, value)| {
        format!("<div>{}{}</div>\n", element("dt", "", name), element("dd", "", value))
    });
    format!("<dl class=\"figures\">\n{}</dl>\n", items.collect::<String>())
}

/// What the reader must know before believing the rest.
fn troubles(report: &Report) -> String {
    let mut html = String::new();
    if let Some(error) = &report.error {
        for diagnostic in std::iter::once(error).chain(&error.also) {
            html.push_str(&trouble(diagnostic));
        }
    }
    for warning in &report.warnings {
        let _ = writeln!(html, "<div class=\"note\">{}</div>", element("p", "", warning));
    }
    html
}

fn trouble(diagnostic: &Diagnostic) -> String {
    let mut html = element("p", "", &format!("{}: {}", diagnostic.code, diagnostic.message));
    if let Some(location) = &diagnostic.location {
        html.push_str(&element("pre", "", location));
    }
    if let Some(help) = &diagnostic.help {
        html.push_str(&element("p", "", help));
    }
    format!("<div class=\"note bad\">{html}</div>\n")
}

fn options(report: &Report, line: &str) -> String {
    let mut rows = vec![
        ("command", line.to_owned()),
        ("engine", format!("{}, {}", report.engine, report.strategy)),
        ("threads", report.threads.to_string()),
        ("seed", report.seed.to_string()),
    ];
    if !report.checked.is_empty() {
        rows.push(("checked", crate::render::claims(&report.checked)));
    }
    if !report.assumed.is_empty() {
        rows.push(("assumed", crate::render::assumptions(report)));
    }
    if let Some(by) = report.stopped_by {
        rows.push(("stopped by", by.word().to_owned()));
    }
    if !report.extras.properties.is_empty() {
        rows.push(("properties", report.extras.properties.join(", ")));
    }
    for (name, steps) in &report.extras.reached {
        rows.push(("reached", format!("{name}, after {steps} steps")));
    }
    let rows = rows.iter().map(|(name, value)| {
        format!("<tr>{}{}</tr>\n", element("th", "", name), element("td", "mono", value))
    });
    let table = format!("<table class=\"options\">\n{}</table>\n", rows.collect::<String>());
    let is_open = report.violations.is_empty();
    format!("<div class=\"card\">{}</div>\n", folded("fold", "How it was checked", &table, is_open))
}
