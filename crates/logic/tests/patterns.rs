//! Patterns: each page's formula is the pattern's, and each page's example has the verdict that the page says.

use foresee_logic::formula::{Notation, parse};
use foresee_logic::patterns::{self, ALL, ArgumentKind};
use foresee_logic::{Lts, Solution, aut, codes, solve};
use foresee_search::{Limits, NoMeter, Silent};

fn solved(lts: &Lts, formula: &str) -> Solution {
    let parsed = parse(formula, Notation::Paper);
    assert!(parsed.diagnostics.is_empty(), "{formula}: {:?}", parsed.diagnostics);
    let labels = lts.label_function();
    let formula = parsed.formula.unwrap();
    solve(lts, &*labels, &formula, &Limits::none(), &NoMeter, &mut Silent).unwrap()
}

/// The fenced block of a page after a heading.
fn block<'a>(page: &'a str, fence: &str) -> &'a str {
    let start = page.find(fence).unwrap() + fence.len();
    page[start..].split("```").next().unwrap().trim()
}

/// What a page says of an example: "holds", or "violated by" and the labels, and where it goes back to.
fn verdict(solution: &Solution) -> String {
    if solution.holds == Some(true) {
        return "holds".to_owned();
    }
    let evidence = solution.evidence.as_ref().unwrap();
    let name = |label: &Option<String>| label.clone().unwrap_or_else(|| "tau".to_owned());
    let labels: Vec<String> = evidence.labels.iter().map(name).collect();
    let back = evidence.loops_to.map_or(String::new(), |n| format!(", back to {n}"));
    format!("violated by {}{back}", labels.join(", ")).trim_end().to_owned()
}

#[test]
fn pages_tell_the_truth() {
    for pattern in ALL {
        let page = pattern.page;
        assert_eq!(page.lines().next().unwrap(), format!("# {}", pattern.usage()));
        let lts = aut::read(block(page, "```aut\n").as_bytes()).unwrap();
        let mut n_examples = 0;
        for line in page.lines().filter_map(|line| line.strip_prefix("- `")) {
            let (typed, said) = line.split_once("`: ").unwrap();
            let formula = patterns::formula(typed).unwrap_or_else(|e| panic!("{typed}: {e}"));
            assert_eq!(verdict(&solved(&lts, &formula)), said, "{typed}: {formula}");
            n_examples += usize::from(typed.starts_with(pattern.name));
        }
        assert!(n_examples > 0, "{}: no example", pattern.name);
        let arguments: Vec<&str> = pattern
            .arguments
            .iter()
            .map(|argument| if argument.kind == ArgumentKind::Number { "2" } else { argument.name })
            .collect();
        let formula = pattern.formula(&arguments).unwrap().replace('"', "");
        assert_eq!(block(page, "## Formula\n```\n"), formula);
    }
}

#[test]
fn the_list_of_patterns_has_every_pattern() {
    let list = include_str!("../../../docs/patterns/README.md");
    for pattern in ALL {
        let row = format!("| [{0}]({0}.md) | {1} |", pattern.name, pattern.summary);
        assert!(list.contains(&row), "{row}");
    }
}

#[test]
fn arguments_are_labels_however_they_are_written() {
    let formula = |typed: &str| patterns::formula(typed).unwrap();
    assert_eq!(formula("inevitable(use(c1))"), formula("inevitable('use(c1)')"));
    assert_eq!(formula("inevitable(a_b)"), "mu X . (<-> true and [not \"a_b\"] X)");
    assert_eq!(formula("always_possible('a' or 'b')"), "[-*] <('a' or 'b')> true");
    assert_eq!(
        formula("always-possible(call(locker, {a,b}))"),
        "[-*] <'call(locker, {a,b})'> true"
    );
    assert_eq!(formula("deadlock-freedom"), formula("deadlock-freedom()"));
}

#[test]
fn wrong_arguments_are_refused() {
    for typed in [
        "inevitable()",
        "inevitable(a, b)",
        "inevitable('a' . 'b')",
        "inevitable([)",
        "mutual-exclusion(a, )",
        "deadlock-freedom-while-crashed(crash, 2)",
        "deadlock-freedom-while-crashed(5000, crash)",
    ] {
        let error = patterns::formula(typed).expect_err(typed);
        assert_eq!(error.code, codes::PATTERN_ARGUMENTS, "{typed}");
        assert!(error.help.len() == 1);
    }
    let error = patterns::formula("deadlock_fredom()").unwrap_err();
    assert_eq!(error.code, codes::UNKNOWN_PATTERN);
}
