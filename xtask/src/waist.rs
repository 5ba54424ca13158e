//! The waist stays narrow: a system around another one is an `Around`, and what `Around` hands on is everything there is.
//! Why: a wrapper that forwards by hand compiles when a method is forgotten, and then answers with a default.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A trait of the waist, the file it stands in, and the trait that hands it on.
const HANDED_ON: [(&str, &str, &str); 3] = [
    ("System", "crates/lts/src/system.rs", "Around"),
    ("Interleaved", "crates/lts/src/interleaved.rs", "InterleavedAround"),
    ("Telling", "crates/lts/src/telling.rs", "TellingAround"),
];

const AROUND: &str = "crates/lts/src/around.rs";

/// What every system must say; who hands two of these on by hand is a wrapper.
const REQUIRED: [&str; 3] = ["initial", "enabled", "step"];

/// Adds a sentence to `problems` for each method that is not handed on, and each wrapper that does it by hand.
pub(crate) fn check(root: &Path, files: &[PathBuf], problems: &mut Vec<String>) -> Result<()> {
    let around = fs::read_to_string(root.join(AROUND)).context(AROUND)?;
    for (name, file, by) in HANDED_ON {
        let text = fs::read_to_string(root.join(file)).context(file)?;
        let (asked, handed) = (methods(&text, name), methods(&around, by));
        for method in asked.difference(&handed) {
            problems.push(format!("{AROUND}: `{by}` does not hand on `{name}::{method}`"));
        }
        let implemented = block(&around, &format!("{name} for A {{")).unwrap_or_default();
        for method in asked.iter().filter(|it| !implemented.contains(&format!("fn {it}("))) {
            problems.push(format!("{AROUND}: `{name} for A` forgets `{method}`"));
        }
    }
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "rs")) {
        let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        if path == AROUND || path.starts_with("xtask/") {
            continue;
        }
        let text = fs::read_to_string(file)?;
        for system in wrappers(&text) {
            problems.push(format!(
                "{path}: `{system}` hands on what another system says by hand; implement `foresee_lts::Around`"
            ));
        }
    }
    Ok(())
}

/// The names of a trait's methods.
fn methods(text: &str, name: &str) -> BTreeSet<String> {
    let body = block(text, &format!("pub trait {name}: ")).unwrap_or_default();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    fn "));
    let names = lines.filter_map(|line| line.split(['(', '<']).next());
    names.filter(|it| !["inner", "threads"].contains(it)).map(str::to_owned).collect()
}

/// The text from the line that has `start` to the brace that closes it.
fn block<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let from = text.find(start)?;
    let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let indent = text[line..].len() - text[line..].trim_start_matches(' ').len();
    let close = format!("\n{}}}\n", " ".repeat(indent));
    let to = text[from..].find(&close)?;
    Some(&text[from..from + to])
}

/// The types whose `impl System` only hands on what every system must say.
fn wrappers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, start) in text.match_indices("System for ") {
        let line = &text[text[..at].rfind('\n').map_or(0, |it| it + 1)..at];
        if !line.trim_start().starts_with("impl") {
            continue;
        }
        let name = text[at + start.len()..].split([' ', '<']).next().unwrap_or_default();
        let body = block(&text[at..], "System for ").map_or("", |it| it);
        let n_handed = REQUIRED.iter().filter(|method| hands_on(body, method)).count();
        if n_handed >= 2 {
            found.push(name.to_owned());
        }
    }
    found
}

/// Whether a method does nothing but ask something inside for the same.
fn hands_on(body: &str, method: &str) -> bool {
    let Some(from) = body.find(&format!("fn {method}(")) else { return false };
    let mut lines = body[from..].lines().skip_while(|line| !line.ends_with('{')).skip(1);
    let (asked, closes) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let asks = asked.trim_start().starts_with("self.");
    asks && asked.contains(&format!(".{method}(")) && closes.trim() == "}"
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPER: &str = "
impl System for Outer {
    fn initial(&self) -> Vec<State> {
        self.inner.initial()
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.inner.enabled(state, actions);
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        self.count();
        self.inner.step(state, action)
    }
}
";

    #[test]
    fn who_hands_on_by_hand_is_found() {
        assert_eq!(wrappers(WRAPPER), ["Outer"]);
        let own = WRAPPER.replace("self.inner.initial()", "vec![self.core.initial.clone()]");
        assert!(wrappers(&own).is_empty());
    }

    #[test]
    fn methods_of_a_trait_are_listed() {
        let text = "pub trait System: Send {\n    fn initial(&self);\n\n    fn step(&self) {\n        fn inside() {}\n    }\n}\n";
        assert_eq!(methods(text, "System").into_iter().collect::<Vec<_>>(), ["initial", "step"]);
    }
}
