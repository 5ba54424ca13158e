//! No text makes the parser panic, hang or overflow the stack, and what is wrong is always reported.

use foresee_erlang_syntax::*;

const SAMPLE: &str = include_str!("cases/forms/control.erl");
const MACROS: &str = include_str!("cases/forms/macros.erl");
const TYPES: &str = include_str!("cases/forms/types.erl");
const BROKEN: &str = include_str!("cases/errors/separators.erl");

fn read(text: &str) -> Vec<Diagnostic> {
    let mut parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
    let more = lint(&parse);
    parse.diagnostics.extend(more);
    for diagnostic in &parse.diagnostics {
        let file = parse.sources.file(diagnostic.span.file);
        assert!(diagnostic.span.end as usize <= file.text.len(), "{diagnostic:?}");
        assert!(diagnostic.span.start <= diagnostic.span.end, "{diagnostic:?}");
        parse.sources.place(diagnostic.span);
    }
    abstract_forms(&parse);
    parse.diagnostics
}

/// A small generator of our own, so that a failure names a seed that anybody can replay.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Cuts text into words and marks, white space kept.
fn pieces(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').count();
        let length = if word > 0 {
            rest.char_indices().nth(word).map_or(rest.len(), |(at, _)| at)
        } else {
            first.len_utf8()
        };
        all.push(&rest[..length]);
        rest = &rest[length..];
    }
    all
}

#[test]
fn damaged_programs_are_read_to_the_end() {
    const EXTRA: &[&str] = &[
        "end",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<<",
        ">>",
        ".",
        ". ",
        ",",
        ";",
        "->",
        "case",
        "fun",
        "\"",
        "'",
        "?",
        "#",
        "of",
        "when",
        "if",
        "try",
        "catch",
        "after",
        "receive",
        "-",
        "|",
        "||",
        "maybe",
        "else",
        "\n",
        ":",
        "::",
        "=>",
        ":=",
        "%",
        "$",
        "~",
        "\"\"\"",
        "begin",
        "-define(",
        "-if(",
        "-endif.\n",
        "1",
        "X",
    ];
    for text in [SAMPLE, MACROS, TYPES, BROKEN] {
        let pieces = pieces(text);
        for seed in 0..1500 {
            let mut random = Seeded(seed);
            let mut damaged = pieces.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(damaged.len());
                match random.below(4) {
                    0 => drop(damaged.remove(at)),
                    1 => damaged.insert(at, EXTRA[random.below(EXTRA.len())]),
                    2 => damaged[at] = EXTRA[random.below(EXTRA.len())],
                    _ => {
                        let other = random.below(damaged.len());
                        damaged.swap(at, other);
                    }
                }
            }
            read(&damaged.concat());
        }
    }
}

#[test]
fn every_prefix_is_read() {
    for text in [SAMPLE, MACROS, TYPES] {
        for (at, _) in text.char_indices() {
            read(&text[..at]);
        }
    }
}

#[test]
fn deep_nesting_is_refused_politely() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{", "}"), ("- ", ""), ("begin ", " end"), ("1 ++ ", "")]
    {
        let text = format!("f() -> {}1{}.", open.repeat(50_000), close.repeat(50_000));
        let found = read(&text);
        assert!(found.iter().any(|d| d.code.0 == "E0136"), "{open}: {:?}", found.first());
    }
    let text = format!("f() -> 1{}.", " + 1".repeat(50_000));
    assert!(read(&text).iter().any(|d| d.code.0 == "E0136"));
    for (open, close) in [("[", "]"), ("- ", ""), ("1 + ", ""), ("fun(() -> ", ")")] {
        let text = format!("-type t() :: {}a{}.", open.repeat(50_000), close.repeat(50_000));
        assert!(read(&text).iter().any(|d| d.code.0 == "E0136"), "{open}");
    }
    for suffix in ["#{}", "#r.a", "()", ":a"] {
        let text = format!("f() -> X{}.", suffix.repeat(50_000));
        assert!(read(&text).iter().any(|d| d.code.0 == "E0136"), "{suffix}");
    }
}

#[test]
fn long_chains_below_the_limit_are_fine() {
    let text = format!("-module(m).\nf(X) -> X{}.", " + X".repeat(1_900));
    assert!(read(&text).is_empty());
    let text = format!("-module(m).\nf(X) -> {}X{}.", "[".repeat(400), "]".repeat(400));
    assert!(read(&text).is_empty());
}

#[test]
fn strings_and_numbers_at_the_end_of_text() {
    for text in [
        "", " ", "%", "\"", "'", "$", "$\\", "\"\\", "1.", "1.0e", "16#", "~", "~b", "\"\"\"", "?",
        "-", "-define",
    ] {
        read(text);
        read(&format!("f() -> {text}"));
    }
}
