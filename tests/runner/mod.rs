//! Runs one case file: reads it, has every engine answer, compares the whole text.

mod case;
mod erlang;
mod referee;

use case::Case;
use std::path::Path;

/// Runs a file; with `UPDATE_EXPECT` set it rewrites the expectations instead of comparing.
pub(crate) fn run_file(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    if path.extension().is_some_and(|extension| extension == "erl") {
        let rewritten = erlang::run(path, &text, update)?.filter(|rewritten| *rewritten != text);
        return rewritten
            .map_or(Ok(()), |text| std::fs::write(path, text).map_err(|error| error.to_string()));
    }
    let mut case = Case::parse(&text)?;
    for run in &mut case.runs {
        let actual =
            referee::answer(&run.words).map_err(|error| format!("run: {}\n{error}", run.words))?;
        if update {
            run.expected = actual;
        } else if run.expected.is_empty() {
            return Err(format!(
                "run: {}\nhas no expectations; the answer is\n{}",
                run.words,
                actual.join("\n")
            ));
        } else if run.expected != actual {
            return Err(difference(&run.words, &run.expected, &actual));
        }
    }
    let rewritten = case.to_string();
    if update && rewritten != text {
        std::fs::write(path, rewritten).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn difference(words: &str, expected: &[String], actual: &[String]) -> String {
    let mut text = format!("run: {words}\n");
    for line in expected.iter().filter(|line| !actual.contains(line)) {
        text += &format!("- {line}\n");
    }
    for line in actual.iter().filter(|line| !expected.contains(line)) {
        text += &format!("+ {line}\n");
    }
    text + "(-: expected, +: actual; UPDATE_EXPECT=1 rewrites the case)"
}
