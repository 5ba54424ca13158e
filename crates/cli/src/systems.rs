//! `foresee systems`: what is built in.

use crate::args::{ListFormat, Systems};
use crate::style::{BOLD, DIM};
use crate::width::{self, wrapped};
use foresee_session::{Diagnostic, Entry, NoFiles, Registry, Source, open};
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
    /// Titles of guided searches, for `check NAME --guide TITLE`.
    guides: Vec<&'static str>,
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
    let loaded = open(&Source::nodes(entry.name, &[""; 0]), registry, &NoFiles);
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
        guides: entry.guides().iter().map(|guide| guide.title).collect(),
    }
}

/// The width that the text keeps to where there is no terminal.
const COLUMNS: usize = 100;

fn text(list: &[Listed]) -> String {
    let columns = width::of_output().unwrap_or(COLUMNS);
    let mut text = String::new();
    for (i, system) in list.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        let head = format!("{BOLD}{}{BOLD:#}  {}", system.name, system.summary);
        let _ = writeln!(text, "{}", wrapped(&head, columns).join("\n    "));
        let word =
            |parameter: &ListedParameter| format!("{}={}", parameter.name, parameter.default);
        let width =
            system.parameters.iter().map(|parameter| word(parameter).len()).max().unwrap_or(0);
        for parameter in &system.parameters {
            let about = format!("{} ({})", parameter.help, parameter.values);
            for (i, line) in
                wrapped(&about, columns.saturating_sub(width + 4).max(20)).iter().enumerate()
            {
                let word = if i == 0 { word(parameter) } else { String::new() };
                let _ = writeln!(text, "  {word:width$}  {DIM}{line}{DIM:#}");
            }
        }
        let lists =
            [("checks: ", system.properties.join(", ")), ("guides: ", system.guides.join(", "))];
        for (lead, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
            for line in wrapped(&format!("{lead}{list}"), columns - 2) {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text
}
