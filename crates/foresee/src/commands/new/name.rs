//! What a crate may be called.

use super::no_crate;
use foresee_session::Diagnostic;

/// What the new crate depends on, and what Rust itself brings: a crate of this name would hide it.
const TAKEN: [&str; 8] =
    ["foresee", "serde", "std", "core", "alloc", "proc_macro", "test", "build"];

/// Words that cannot name a crate, as cargo has it.
const WORDS: &str = "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen \
    if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try type \
    typeof unsafe unsized use virtual where while yield";

/// Refuses what is no name of a crate.
pub(super) fn require(name: &str) -> Result<(), Diagnostic> {
    match reason(name) {
        None => Ok(()),
        Some(reason) => Err(no_crate(
            format!("`{name}` is no name for this crate: {reason}"),
            "for example: foresee new my-register DIR",
        )),
    }
}

/// The name in Rust: `my_register`.
pub(super) fn in_rust(name: &str) -> String {
    name.replace('-', "_")
}

fn reason(name: &str) -> Option<String> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let bad = name.chars().find(|c| !is_good(*c));
    match (name.chars().next(), bad) {
        (None, _) => Some("it is empty".to_owned()),
        (_, Some(c)) => {
            Some(format!("`{}` is neither a letter nor a digit nor - nor _", c.escape_debug()))
        }
        (Some(c), _) if c.is_ascii_digit() => Some("it begins with a digit".to_owned()),
        (Some('-' | '_'), _) => Some("it does not begin with a letter".to_owned()),
        _ if WORDS.split_whitespace().any(|word| word == name) => {
            Some("it is a word of Rust".to_owned())
        }
        _ if TAKEN.contains(&in_rust(name).as_str()) => {
            Some("another crate or folder of this name is needed".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for good in ["register", "my-register", "raft2", "r_1"] {
            assert_eq!(reason(good), None, "{good}");
        }
        for bad in
            ["", "2phase", "my register", "../x", "fn", "foresee", "serde", "-x", "é", "a\u{1b}b"]
        {
            assert!(reason(bad).is_some(), "{bad}");
        }
    }
}
