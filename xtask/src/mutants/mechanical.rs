//! Bugs drawn by a seed from all the places where a token can be changed.
//! Each crate gives the same share, whatever its size, so that the subtlest are not drowned in tables. Within a crate the
//! places are ranked by a number made from the seed, the file, the line's text and the change, and the first that compile
//! are taken: the same commit and seed give the same bugs, and an edit elsewhere leaves most of them as they were.
//! Not here: finding the places (`scan`).

use super::scan::{self, Change};
use super::tree::tracked;
use super::{Mutant, results};
use anyhow::Result;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A crate to draw from, and the tests that are to notice, from near to far.
pub(super) struct Source {
    pub(super) room: &'static str,
    tests: &'static [&'static str],
}

const CORPUS: &str = "-p foresee-tests --test cases";

pub(super) const SOURCES: [Source; 6] = [
    Source {
        room: "stateless",
        tests: &[
            "-p foresee-stateless",
            "-p foresee-session --test interleavings --test interleavings_of_nodes --test generated --test workers",
            CORPUS,
        ],
    },
    Source { room: "erlang", tests: &["-p foresee-erlang", CORPUS, "-p foresee-session"] },
    Source { room: "trace", tests: &["-p foresee-trace", "-p foresee-session --lib", CORPUS, CLI] },
    Source { room: "session", tests: &["-p foresee-session", PAGE, CORPUS, CLI] },
    Source { room: "algebra", tests: &["-p foresee-algebra", "-p foresee-translate", CLI] },
    Source { room: "translate", tests: &["-p foresee-translate", "-p foresee-session", CLI] },
];

/// What the debugger's page asks.
const PAGE: &str = "-p foresee-debugger --test sessions --test snapshots --test front_ends";

/// The tests of the command line that do not wait for time to pass.
const CLI: &str = "-p foresee --test commands --test models --test erlang --test erlang_models --test translate \
     --test exports --test runs --test bad_input --test model_input --test documents";

/// How many of `n` bugs a crate gives.
pub(super) fn share(n: usize, place: usize) -> usize {
    n / SOURCES.len() + usize::from(place < n % SOURCES.len())
}

/// All the bugs that a crate offers, in the order in which they are drawn.
pub(super) fn candidates(root: &Path, source: &Source, seed: u64) -> Result<Vec<Mutant>> {
    let folder = format!("crates/{}/src/", source.room);
    let mut ranked = Vec::new();
    for file in tracked(root)?.iter().filter(|it| it.starts_with(&folder) && it.ends_with(".rs")) {
        let text = fs::read_to_string(root.join(file))?;
        let mut seen = HashMap::new();
        for change in scan::changes(&text) {
            let mutant = mutant(file, &text, change, source, &mut seen);
            ranked.push((results::digest([seed.to_string().as_str(), mutant.id.as_str()]), mutant));
        }
    }
    ranked.sort_by(|a, b| (a.0, &a.1.id).cmp(&(b.0, &b.1.id)));
    Ok(ranked.into_iter().map(|it| it.1).collect())
}

fn mutant(
    file: &str,
    text: &str,
    change: Change,
    source: &Source,
    seen: &mut HashMap<String, usize>,
) -> Mutant {
    let at = change.at.start;
    let number = text[..at].matches('\n').count() + 1;
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let line = line_at(text, at);
    let column = at - start;
    let same = format!("{file}|{line}|{column}|{}", change.what);
    let n_before = seen.entry(same.clone()).or_default();
    let id = format!("{same}|{n_before}");
    *n_before += 1;
    Mutant {
        name: format!("{file}:{number}"),
        id,
        file: file.to_owned(),
        at,
        find: text[change.at].to_owned(),
        replace: change.replace,
        breaks: change.what,
        tests: source.tests.iter().map(|it| (*it).to_owned()).collect(),
    }
}

/// The line of a text at a byte, without the blanks around it.
pub(super) fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..].find('\n').map_or(text.len(), |it| at + it);
    text[start..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_what_is_asked_for() {
        for n in [0, 1, 6, 99, 100] {
            assert_eq!((0..SOURCES.len()).map(|place| share(n, place)).sum::<usize>(), n);
        }
    }

    #[test]
    fn equal_lines_of_a_file_are_told_apart() {
        let text = "fn f() {\n    g(1);\n    g(1);\n}\n";
        let mut seen = HashMap::new();
        let all = scan::changes(text);
        let made = all.into_iter().map(|it| mutant("f.rs", text, it, &SOURCES[0], &mut seen));
        let mut ids: Vec<String> = made.map(|it| it.id).collect();
        let n = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), n), (6, 6));
    }
}
