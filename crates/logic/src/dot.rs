//! DOT: drawings of small LTSs with Graphviz, out and, simply, in.
//! What is read: one statement a line, `a -> b [label="x"];`, in a `digraph`; other attributes and statements about nodes
//! are passed over. The initial state is where an edge from a node without label text leads that is named `init` or
//! `start`, or else the first node named.

use crate::{Diagnostic, Lts, LtsBuilder, Span, codes};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// Names of a node that only points at the initial state.
const POINTERS: [&str; 4] = ["init", "start", "__init", "__start"];

/// Writes an LTS as a directed graph.
pub fn write(lts: &Lts, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "digraph lts {{")?;
    writeln!(output, "  init [shape=point, label=\"\"];")?;
    writeln!(output, "  init -> {};", lts.initial())?;
    for state in lts.states().filter(|state| lts.edges(*state).is_empty()) {
        writeln!(output, "  {state} [peripheries=2];")?;
    }
    for (from, label, to) in lts.transitions() {
        let text = lts.labels().name(label).replace('\\', "\\\\").replace('"', "\\\"");
        let style = if label.is_tau() { ", style=dashed" } else { "" };
        writeln!(output, "  {from} -> {to} [label=\"{text}\"{style}];")?;
    }
    writeln!(output, "}}")
}

/// Reads what `write` writes, and graphs like it.
///
/// ```
/// let lts = foresee_logic::dot::read("digraph { off -> on [label=\"press\"]; }").unwrap();
/// assert_eq!((lts.n_states(), lts.initial()), (2, 0));
/// ```
pub fn read(text: &str) -> Result<Lts, Diagnostic> {
    let mut builder = LtsBuilder::default();
    let mut nodes = Nodes::default();
    let mut initial = None;
    let body = body_of(text)?;
    for (line, statement) in statements(text, body) {
        let (head, attributes) = split_attributes(statement);
        let Some((from, to)) = split_arrow(head) else {
            let word = head.split('=').next().unwrap_or_default().trim();
            if is_node_name(word) || head.is_empty() {
                continue;
            }
            return Err(not_understood(line, statement));
        };
        let names = (unquoted(from), unquoted(to));
        let (Some(from), Some(to)) = names else { return Err(not_understood(line, statement)) };
        let label = label_in(attributes);
        if label.is_none() && POINTERS.contains(&from.as_str()) {
            initial = Some(nodes.number(&to));
            continue;
        }
        let (from, to) = (nodes.number(&from), nodes.number(&to));
        builder.add(from, Some(label.as_deref().unwrap_or("tau")), to);
    }
    if nodes.numbers.is_empty() {
        let message = "the graph has no edges, so it has no states";
        return Err(Diagnostic::error(codes::DOT_LINE, Span::NONE, message).on_line(1));
    }
    builder.at_least_states(nodes.numbers.len() as u32);
    Ok(builder.build(initial.unwrap_or(0)))
}

/// Numbers of nodes in the order in which they are named.
#[derive(Default)]
struct Nodes {
    numbers: FxHashMap<String, u32>,
}

impl Nodes {
    fn number(&mut self, name: &str) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(name.to_owned()).or_insert(next)
    }
}

fn not_understood(line: u64, statement: &str) -> Diagnostic {
    let shown: String = statement.chars().take(60).collect();
    Diagnostic::error(codes::DOT_LINE, Span::NONE, format!("`{shown}` is not understood"))
        .on_line(line)
        .help("an edge looks like: 0 -> 1 [label=\"use(c1)\"];")
}

/// The range of the text between the outer braces.
fn body_of(text: &str) -> Result<std::ops::Range<usize>, Diagnostic> {
    let head = text.trim_start();
    let is_graph = head.starts_with("digraph") || head.starts_with("strict digraph");
    match (text.find('{'), text.rfind('}')) {
        (Some(open), Some(close)) if is_graph && open < close => Ok(open + 1..close),
        _ => {
            let message = "this is no `digraph { … }`, or its end is missing";
            let line = text.lines().count().max(1) as u64;
            Err(Diagnostic::error(codes::DOT_LINE, Span::NONE, message).on_line(line))
        }
    }
}

/// The statements with their lines: parts between semicolons and line ends outside of quotes and brackets.
fn statements(text: &str, body: std::ops::Range<usize>) -> Vec<(u64, &str)> {
    let mut found = Vec::new();
    let mut line = text[..body.start].matches('\n').count() as u64 + 1;
    let (mut start, mut start_line) = (body.start, line);
    let (mut is_quoted, mut is_escaped, mut depth) = (false, false, 0i32);
    for (at, character) in text[body.clone()].char_indices() {
        let at = at + body.start;
        let ends = !is_quoted && depth == 0 && matches!(character, ';' | '\n');
        if ends {
            found.push((start_line, text[start..at].trim()));
            start = at + 1;
        }
        match character {
            '"' if !is_escaped => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth -= 1,
            '\n' => line += 1,
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
        if ends {
            start_line = line;
        }
    }
    found.push((start_line, text[start..body.end].trim()));
    found.retain(|(_, statement)| !statement.is_empty() && !statement.starts_with("//"));
    found
}

/// The part before the attributes in brackets, and these.
fn split_attributes(statement: &str) -> (&str, &str) {
    let mut is_quoted = false;
    for (at, character) in statement.char_indices() {
        match character {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => {
                let inside = statement[at + 1..].trim_end().trim_end_matches(']');
                return (statement[..at].trim(), inside);
            }
            _ => {}
        }
    }
    (statement, "")
}

fn split_arrow(head: &str) -> Option<(&str, &str)> {
    let mut is_quoted = false;
    for (at, character) in head.char_indices() {
        is_quoted ^= character == '"';
        if !is_quoted && head[at..].starts_with("->") {
            return Some((head[..at].trim(), head[at + 2..].trim()));
        }
    }
    None
}

fn unquoted(name: &str) -> Option<String> {
    if let Some(inside) = name.strip_prefix('"') {
        return Some(inside.strip_suffix('"')?.replace("\\\"", "\""));
    }
    is_node_name(name).then(|| name.to_owned())
}

fn is_node_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '-';
    let is_quoted = name.len() >= 2 && name.starts_with('"') && name.ends_with('"');
    is_quoted || (!name.is_empty() && name.chars().all(is_plain))
}

/// The text of the `label` attribute.
fn label_in(attributes: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        let at = rest.find("label")?;
        let before = rest[..at].chars().next_back();
        let after = rest[at + 5..].trim_start();
        rest = &rest[at + 5..];
        let is_whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if let (true, Some(value)) = (is_whole, after.strip_prefix('=')) {
            return Some(attribute_value(value.trim_start()));
        }
    }
}

fn attribute_value(text: &str) -> String {
    let Some(quoted) = text.strip_prefix('"') else {
        return text.split([',', ' ', ']', ';']).next().unwrap_or_default().to_owned();
    };
    let mut value = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => value.extend(characters.next()),
            other => value.push(other),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut builder = LtsBuilder::default();
        builder.add(0, Some("say(\"x; y\",\\z)"), 1);
        builder.add(1, None, 0);
        builder.add(1, Some("end[1]"), 2);
        let lts = builder.build(1);
        let mut bytes = Vec::new();
        write(&lts, &mut bytes).unwrap();
        let back = read(std::str::from_utf8(&bytes).unwrap()).unwrap();
        let names = |lts: &Lts| {
            let mut names: Vec<_> = lts
                .transitions()
                .map(|(_, label, _)| lts.labels().name(label).to_owned())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names(&back), names(&lts));
        assert_eq!(back.edges(back.initial()).len(), 2);
    }

    #[test]
    fn what_is_no_graph_is_refused_with_its_line() {
        for (text, line) in [
            ("graph { a -- b }", 1),
            ("digraph {\n a -> b [label=\"x\"];\n", 2),
            ("digraph {\n a -> ?;\n}", 2),
            ("digraph {\n a ! b\n}", 2),
            ("digraph {\n}", 1),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.code, error.line), (codes::DOT_LINE, Some(line)), "{text}");
        }
    }
}
