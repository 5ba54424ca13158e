//! `foresee systems`: what is built in.

use crate::args::{ListFormat, Systems};
use crate::style::{BOLD, DIM};
use foresee_session::{BuildOptions, Diagnostic, Entry, Registry, load};
use serde::Serialize;
use std::fmt::Write;

/// The list as text for standard output.
pub(crate) fn list(registry: &Registry, arguments: &Systems) -> Result<String, Diagnostic> {
    let all = registry.entries().iter();
    let wanted = arguments.name.as_deref();
    let entries: Vec<_> =
        all.filter(|entry| wanted.is_none_or(|part| entry.name.contains(part))).collect();
    if let (Some(name), true) = (wanted, entries.is_empty()) {
        return Err(registry.find(name).expect_err("no name contains it"));
    }
    let listed: Vec<_> = entries.into_iter().map(|entry| listed(registry, entry)).collect();
    Ok(match arguments.format {
        ListFormat::Text => text(&listed),
        ListFormat::Json => {
            let list =
                serde_json::json!({ "tool": "foresee", "command": "systems", "systems": listed });
            format!("{list}\n")
        }
    })
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<ListedParameter>,
    /// Of the system with its default parameters.
    properties: Vec<String>,
}

#[derive(Serialize)]
struct ListedParameter {
    name: &'static str,
    default: String,
    values: String,
    help: &'static str,
}

fn listed(registry: &Registry, entry: &Entry) -> Listed {
    // A system that cannot be built with its defaults is listed all the same: `check` will say why.
    let loaded = load(registry, entry.name, &[] as &[&str], &BuildOptions::default());
    let properties = loaded.and_then(|loaded| loaded.chosen_properties(&[])).unwrap_or_default();
    let parameters = entry.parameters.iter().map(|parameter| ListedParameter {
        name: parameter.name,
        default: parameter.default_text(),
        values: parameter.values_text(),
        help: parameter.help,
    });
    Listed {
        name: entry.name,
        summary: entry.summary,
        parameters: parameters.collect(),
        properties: properties.iter().map(|property| property.name().to_owned()).collect(),
    }
}

/// The width that the text keeps to.
const COLUMNS: usize = 100;

fn text(list: &[Listed]) -> String {
    let mut text = String::new();
    for (i, system) in list.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}  {}", system.name, system.summary);
        let word =
            |parameter: &ListedParameter| format!("{}={}", parameter.name, parameter.default);
        let width =
            system.parameters.iter().map(|parameter| word(parameter).len()).max().unwrap_or(0);
        for parameter in &system.parameters {
            let about = format!("{} ({})", parameter.help, parameter.values);
            for (i, line) in wrapped(&about, COLUMNS - width - 4).iter().enumerate() {
                let word = if i == 0 { word(parameter) } else { String::new() };
                let _ = writeln!(text, "  {word:width$}  {DIM}{line}{DIM:#}");
            }
        }
        let checks = format!("checks: {}", system.properties.join(", "));
        if !system.properties.is_empty() {
            for line in wrapped(&checks, COLUMNS - 2) {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text
}

/// Lines of at most `width` characters, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("never empty");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(super::wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(super::wrapped("incomprehensibly long", 4), ["incomprehensibly", "long"]);
    }
}
