//! How something was checked, as names and texts for the page: the command, figures, what was claimed and assumed, warnings.
//! Invariant: a function of the report and the command line; nothing that is measured is in it, so that the page is the same again.

use crate::{render, units};
use foresee_session::{Found, Outcome, Report};

/// `line` is what the user has typed.
pub(crate) fn facts(report: &Report, line: &str) -> Vec<(String, String)> {
    let mut facts = vec![("command", line.to_owned()), ("verdict", lead(report))];
    let mut count = |name, number: u64| {
        if number > 0 {
            facts.push((name, units::grouped(number)));
        }
    };
    if report.engine == "stateless" {
        count("interleavings", report.interleavings);
        count("erroneous", report.erroneous_interleavings);
        count("known to be left", report.interleavings_planned);
        count("events", report.transitions);
        count("longest run", u64::from(report.depth));
    } else {
        count("states", report.states);
        count("walks", report.interleavings);
        count("transitions", report.transitions);
        count("depth", u64::from(report.depth));
    }
    facts.push(("engine", [report.engine, report.strategy].join(", ")));
    facts.push(("seed", report.seed.to_string()));
    if !report.checked.is_empty() {
        facts.push(("checked", render::claims(&report.checked)));
    }
    if !report.assumed.is_empty() {
        facts.push(("assumed", render::assumptions(report)));
    }
    for (name, steps) in &report.extras.reached {
        facts.push(("reached", format!("{name}, after {}", units::counted(*steps as u64, "step"))));
    }
    // The first is what the page shows.
    for found in report.violations.iter().skip(1) {
        facts.push(("also violated", other(found)));
    }
    if let Some(error) = &report.error {
        let all = std::iter::once(error).chain(&error.also);
        facts.extend(all.map(|it| ("error", format!("{}: {}", it.code, it.message))));
    }
    facts.extend(report.warnings.iter().map(|warning| ("warning", warning.clone())));
    facts.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}

/// The verdict in a few words.
fn lead(report: &Report) -> String {
    match report.verdict {
        Outcome::Violated => {
            let n = units::counted(report.violations.len() as u64, "violation");
            format!("violated ({n})")
        }
        Outcome::Holds => "holds".to_owned(),
        Outcome::Inconclusive => format!("inconclusive: {}", render::why_inconclusive(report)),
        Outcome::Error => "error: nothing can be said of it".to_owned(),
    }
}

fn other(found: &Found) -> String {
    let name = found.property.clone().unwrap_or_else(|| found.kind.word().replace('_', " "));
    let first = found.message.lines().next().unwrap_or_default();
    match &found.trace {
        Some(trace) => format!("{name}: {first} (debug {trace})"),
        None => format!("{name}: {first}"),
    }
}
