//! Which functions a text calls, by a look at its words: `m:f(…)`, `f(…)`, `fun m:f/n`, `fun f/n`, and `apply(m, f, […])`
//! with all names written out. A call without a module counts as one of `erlang`.
//! Why not the parser: cases of expressions are pieces of text, and what guards compile to are no calls any more.

use std::collections::BTreeSet;

pub(crate) type Function = (String, String, usize);

/// Every function called in `text`.
pub(crate) fn calls(text: &str) -> BTreeSet<Function> {
    let words = words(text);
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let mut calls = BTreeSet::new();
    for i in 0..words.len() {
        if !is_name(word(i)) || word(i + 1) == ":" {
            continue;
        }
        let module = if i >= 2 && word(i - 1) == ":" { word(i - 2) } else { "erlang" };
        if word(i + 1) == "(" {
            let arguments = arguments(&words, i + 1);
            if word(i) == "apply" {
                calls.extend(applied(&words, &arguments));
            }
            calls.insert((bare(module), bare(word(i)), arguments.len()));
        } else if word(i + 1) == "/"
            && let Ok(n) = word(i + 2).parse()
        {
            calls.insert((bare(module), bare(word(i)), n));
        }
    }
    calls
}

/// `apply(m, f, [a, b])`: the function behind it.
fn applied(words: &[String], arguments: &[(usize, usize)]) -> Option<Function> {
    let [module, name, list] = arguments else { return None };
    let one = |(start, end): (usize, usize)| (end == start + 1).then(|| words[start].clone());
    let (module, name) = (one(*module)?, one(*name)?);
    (words[list.0] == "[" && is_name(&module) && is_name(&name))
        .then(|| (bare(&module), bare(&name), self::arguments(words, list.0).len()))
}

/// The ranges of words between the commas of a bracket that opens at `open`.
fn arguments(words: &[String], open: usize) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let (mut depth, mut start) = (1, open + 1);
    for i in open + 1..words.len() {
        match words[i].as_str() {
            "(" | "[" | "{" | "<<" | "begin" | "case" | "if" | "receive" | "try" | "maybe" => {
                depth += 1;
            }
            "fun" if words.get(i + 1).is_some_and(|next| next == "(" || !is_name(next)) => {
                depth += 1;
            }
            "," if depth == 1 => {
                ranges.push((start, i));
                start = i + 1;
            }
            ")" | "]" | "}" | ">>" | "end" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            if i > start {
                ranges.push((start, i));
            }
            break;
        }
    }
    ranges
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase()) || (word.len() > 2 && word.starts_with('\''))
}

fn bare(word: &str) -> String {
    word.trim_matches('\'').to_owned()
}

/// Names, numbers and signs, without comments and with strings and characters as one word each.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            '%' => {
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            '"' | '\'' => quoted(rest, c),
            '$' => {
                let after = rest[1..].chars().next().map_or(0, char::len_utf8);
                if rest[1..].starts_with('\\') {
                    2 + rest[2..].chars().next().map_or(0, char::len_utf8)
                } else {
                    1 + after
                }
            }
            '<' if rest.starts_with("<<") => 2,
            '>' if rest.starts_with(">>") => 2,
            c if c.is_alphanumeric() || c == '_' => rest
                .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '@')
                .unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        if !c.is_whitespace() {
            words.push(rest[..len].to_owned());
        }
        rest = &rest[len..];
    }
    words
}

/// The length of a quoted stretch at the start of `text`.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}
