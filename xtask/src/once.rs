//! Things that exist once: a second copy of them is a defect, because a change to one would miss the other.
//! Each row is a declaration, the only file that may have it, and what to use instead.

use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};

/// What is declared once, where, and why nowhere else.
const ONCE: &[(&str, &[&str], &str)] = &[
    (
        "struct Diagnostic ",
        &["crates/text/src/diagnostic.rs", "crates/session/src/diagnostic.rs"],
        "news about a text is `foresee_text::Diagnostic`, what the user is told is the door's",
    ),
    ("struct Span ", &["crates/text/src/span.rs"], "use `foresee_text::Span`"),
    ("struct Code(", &["crates/text/src/code.rs"], "use `foresee_text::Code`"),
    ("fn edit_distance(", &["crates/stdx/src/nearest.rs"], "use `foresee_stdx::edit_distance`"),
    (
        "struct Finding ",
        &["crates/lts/src/verdict.rs", "crates/debugger/src/protocol.rs"],
        "use `foresee_lts::Finding`; the debugger's protocol has a form of its own",
    ),
    ("struct BrokenProperty ", &["crates/lts/src/verdict.rs"], "use `foresee_lts::BrokenProperty`"),
    ("type Allow ", &["crates/lts/src/verdict.rs"], "use `foresee_lts::Allow`"),
    ("downcast_ref::<&str>()", &["crates/stdx/src/texts.rs"], "use `foresee_stdx::panic_text`"),
    ("split_once('*')", &["crates/stdx/src/texts.rs"], "use `foresee_stdx::matches_pattern`"),
    ("\"&amp;\"", &["crates/stdx/src/texts.rs"], "use `foresee_stdx::escaped_markup`"),
    ("struct SimulateRequest ", &["crates/session/src/simulate.rs"], "there is one simulation"),
];

/// Adds a sentence to `problems` for each second copy.
pub(crate) fn check(root: &Path, files: &[PathBuf], problems: &mut Vec<String>) -> Result<()> {
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "rs")) {
        let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        if !path.starts_with("crates/") || !path.contains("/src/") {
            continue;
        }
        let text = fs::read_to_string(file)?;
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (declaration, homes, instead) in ONCE {
            let is_home = homes.contains(&path.as_str());
            if !is_home && text.lines().any(|line| declares(line, declaration)) {
                problems
                    .push(format!("{path}: declares `{}` again: {instead}", declaration.trim()));
            }
        }
    }
    Ok(())
}

/// Whether a line of code has the declaration; a comment does not count.
fn declares(line: &str, declaration: &str) -> bool {
    let line = line.trim_start();
    !line.starts_with("//") && line.contains(declaration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_other_names_do_not_count() {
        assert!(declares("pub struct Diagnostic {", "struct Diagnostic "));
        assert!(!declares("/// pub struct Diagnostic {", "struct Diagnostic "));
        assert!(!declares("pub struct DiagnosticView {", "struct Diagnostic "));
    }
}
