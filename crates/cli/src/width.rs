//! How wide the terminal is, and text that keeps to it.
//! Only what goes to a terminal is fitted: in a file or a pipe lines are as long as they are, so that scripts see the same text
//! wherever they run. `COLUMNS` says otherwise.

use std::io::IsTerminal;

/// Columns for a text on standard output; `None` if nobody looks at it there.
pub(crate) fn of_output() -> Option<usize> {
    of(|| std::io::stdout().is_terminal(), || terminal_size::terminal_size_of(std::io::stdout()))
}

/// The same of standard error, for progress.
pub(crate) fn of_errors() -> Option<usize> {
    of(|| std::io::stderr().is_terminal(), || terminal_size::terminal_size_of(std::io::stderr()))
}

type Size = Option<(terminal_size::Width, terminal_size::Height)>;

fn of(is_terminal: impl Fn() -> bool, size: impl Fn() -> Size) -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse::<usize>().ok());
    let measured =
        || if is_terminal() { size().map(|(width, _)| usize::from(width.0)) } else { None };
    asked.or_else(measured).filter(|columns| *columns > 0).map(|columns| columns.max(MIN))
}

/// In less no text can be read.
const MIN: usize = 30;

/// Lines of at most `width` characters, broken between words; a word that is longer stands alone. Escape sequences take no room.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let n = seen(word);
        let line = lines.last_mut().expect("never empty");
        if used > 0 && used + 1 + n > width {
            lines.push(word.to_owned());
            used = n;
        } else {
            if used > 0 || !line.is_empty() {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += n;
        }
    }
    lines
}

/// Every line of `text` fitted to the terminal: what is too long goes on below, indented as far as the line's own text.
pub(crate) fn fitted(text: &str) -> String {
    match of_output() {
        Some(columns) => fitted_to(text, columns),
        None => text.to_owned(),
    }
}

fn fitted_to(text: &str, columns: usize) -> String {
    let mut all = String::new();
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        if seen(content) <= columns {
            all.push_str(line);
            continue;
        }
        let indent = indent_of(content, columns);
        let start = content.len() - content.trim_start().len();
        let lead = " ".repeat(indent);
        // The first line may use what the indent of the others leaves.
        let first_room = columns - start.min(columns / 2);
        let mut parts = wrapped(content.trim_start(), first_room).into_iter();
        let first = parts.next().unwrap_or_default();
        let rest: Vec<String> = parts.collect();
        all.push_str(&content[..start]);
        all.push_str(&first);
        all.push('\n');
        if !rest.is_empty() {
            for part in wrapped(&rest.join(" "), columns.saturating_sub(indent).max(MIN / 2)) {
                all.push_str(&lead);
                all.push_str(&part);
                all.push('\n');
            }
        }
        if !line.ends_with('\n') {
            all.pop();
        }
    }
    all
}

/// Where the lines that follow begin: below the text after `why:`, `checked:` or a step's number, at most a third of the line.
fn indent_of(line: &str, columns: usize) -> usize {
    let start = line.len() - line.trim_start().len();
    let plain = anstream::adapter::strip_str(line).to_string();
    let text = plain.trim_start();
    let lead = match text.split_once(' ') {
        Some((first, rest))
            if first.ends_with(':') || first.chars().all(|c| c.is_ascii_digit()) =>
        {
            first.chars().count() + 1 + (rest.len() - rest.trim_start().len())
        }
        _ => 2,
    };
    (start + lead).min(columns / 3)
}

/// How many columns a text takes: without escape sequences.
fn seen(text: &str) -> usize {
    match text.contains('\u{1b}') {
        true => anstream::adapter::strip_str(text).to_string().chars().count(),
        false => text.chars().count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensibly long", 4), ["incomprehensibly", "long"]);
        assert_eq!(wrapped("\u{1b}[1mone\u{1b}[0m two", 7), ["\u{1b}[1mone\u{1b}[0m two"]);
    }

    #[test]
    fn what_is_too_long_goes_on_below_its_own_text() {
        let text = "short\n  checked: one, two, three, four, five, six, seven\nwhy: a b\n";
        assert_eq!(
            fitted_to(text, 36),
            "short\n  checked: one, two, three, four,\n           five, six, seven\nwhy: a b\n"
        );
        assert_eq!(fitted_to(text, 200), text);
        let step = format!("  1  a -> b   {}\n", "word ".repeat(40).trim_end());
        for columns in [40, 80, 120] {
            let fitted = fitted_to(&step, columns);
            assert!(fitted.lines().all(|line| line.chars().count() <= columns), "{fitted}");
            assert_eq!(fitted.split_whitespace().count(), step.split_whitespace().count());
        }
    }
}
