//! Fuzzing the reader of Erlang text: a mutator with a fixed seed over the corpus, and every input that once went wrong.
//! The whole test runs a few thousand inputs; `FUZZ_SECONDS=600 cargo test -p foresee-erlang --test fuzz -- --ignored` runs as long
//! as it is told, printing the seed of each round, from which the round can be run again.
#![allow(clippy::disallowed_methods, reason = "an edge: it reads files and the environment")]

use foresee_erlang::read_anything;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Words of the language and bits of text that go wrong together.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<<",
    ">>",
    "#{",
    "#r{",
    "||",
    "|",
    "<-",
    "<=",
    "->",
    ";",
    ",",
    ".\n",
    ":",
    "::",
    ":=",
    "=>",
    "=",
    "?=",
    "!",
    "?",
    "??X",
    "?MODULE",
    "?M(",
    "?LINE",
    "$",
    "$\\",
    "\"",
    "'",
    "\\x{",
    "16#",
    "1.0e",
    "0",
    "65536#1",
    "fun ",
    "fun(",
    "end ",
    "begin ",
    "case X of ",
    "if true -> ",
    "receive ",
    "after 0 -> ",
    "try ",
    "catch ",
    "of ",
    "maybe ",
    "else ",
    "when ",
    "andalso ",
    "orelse ",
    "not ",
    "bnot ",
    "- ",
    "+ ",
    "++ ",
    "-- ",
    "/",
    "/integer-unit:8",
    ":8",
    "X",
    "_",
    "a",
    "m:f",
    "f()",
    "\n-define(M, ?N).\n",
    "\n-define(M(X), X ?M(X)).\n",
    "\n-ifdef(M).\n",
    "\n-else.\n",
    "\n-endif.\n",
    "\n-if(",
    "\n-include(\"x\").\n",
    "\n-record(r, {a = 1, b :: x()}).\n",
    "\n-spec f(a) -> b.\n",
    "\n-type t() :: ",
    "\n-export([f/0]).\n",
    "\n-file(\"x\", 1).\n",
    "\n-compile({parse_transform, eunit_autoexport}).\n",
    "\n-feature(maybe_expr, enable).\n",
    "\"\"\"\n",
    "%",
    "\0",
    "\u{feff}",
    "\u{10ffff}",
];

/// Numbers from a seed (`xorshift64*`).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }
}

fn mutated(seeds: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let mut text = seeds[chance.below(seeds.len())].clone();
    for _ in 0..=chance.below(6) {
        let at = chance.below(text.len() + 1);
        let end = (at + chance.below(40)).min(text.len());
        match chance.below(9) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..end)),
            2 => drop(text.splice(at..at, text[at..end].to_vec())),
            3 if at < text.len() => text[at] ^= 1 << chance.below(8),
            4 => {
                let other = &seeds[chance.below(seeds.len())];
                let from = chance.below(other.len() + 1);
                let to = (from + chance.below(200)).min(other.len());
                drop(text.splice(at..end, other[from..to].iter().copied()));
            }
            5 => {
                let times = 1 << chance.below(13);
                let word = WORDS[chance.below(WORDS.len())].repeat(times);
                drop(text.splice(at..at, word.into_bytes()));
            }
            _ => {
                let word = WORDS[chance.below(WORDS.len())];
                drop(text.splice(at..end.min(at + 3), word.bytes()));
            }
        }
    }
    text.truncate(200_000);
    text
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
    found.sort();
}

/// The programs of the corpus and the texts of our own modules.
fn seeds() -> Vec<Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in [
        "../../tests/cases/erlang",
        "../erlang-syntax/tests/cases",
        "src/prelude",
        "src/otp",
        "tests/fuzz",
    ] {
        files(&here.join(folder), &mut paths);
    }
    paths.retain(|path| path.extension().is_some_and(|it| it == "erl"));
    let mut texts: Vec<Vec<u8>> =
        paths.iter().filter_map(|path| std::fs::read(path).ok()).collect();
    texts.retain(|text| text.len() < 20_000);
    assert!(texts.len() > 100, "the corpus is there");
    texts
}

fn round(seeds: &[Vec<u8>], seed: u64, n: usize) {
    let mut chance = Chance(seed | 1);
    for i in 0..n {
        let text = mutated(seeds, &mut chance);
        let result = std::panic::catch_unwind(|| read_anything(&text));
        if result.is_err() {
            let path = std::env::temp_dir().join(format!("foresee-fuzz-{seed}-{i}.erl"));
            let _ = std::fs::write(&path, &text);
            panic!("round {seed}, input {i}: see {}", path.display());
        }
    }
}

#[test]
fn mutated_programs_are_read() {
    // Texts are read on the main thread, whose stack is larger than a test's.
    let main = std::thread::Builder::new().stack_size(8 << 20);
    let run = main.spawn(|| round(&seeds(), 0x5EED, 1500)).expect("a thread");
    run.join().expect("no panic");
}

/// Inputs that went wrong once.
#[test]
fn what_went_wrong_once_is_read() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz"), &mut paths);
    assert!(!paths.is_empty());
    paths.iter().for_each(|path| read_anything(&std::fs::read(path).expect("readable")));
}

#[test]
#[ignore = "runs as long as FUZZ_SECONDS says"]
#[expect(clippy::print_stdout, reason = "a long run says how far it is")]
fn for_long() {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    let (start, seeds) = (Instant::now(), seeds());
    let mut seed = std::env::var("FUZZ_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    while start.elapsed() < Duration::from_secs(seconds) {
        println!("round {seed}");
        round(&seeds, seed, 500);
        seed += 1;
    }
}
