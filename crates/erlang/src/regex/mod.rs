//! Regular expressions as Erlang's module `re` has them, which is PCRE 8.
//! Why not a crate of the field: `regex` and `fancy-regex` read another syntax (classes in classes, `$`, `\Z`, octal,
//! branch reset), match text but not bytes, and differ in corners nobody would find; a program checked here must see what
//! it sees in Erlang. What they know about Unicode comes from their sister `regex-syntax`.
//! A pattern is parsed (`parse`, `group`, `bracket`, `escape`, `class`) into a tree (`tree`), compiled (`compile`) to instructions for a
//! backtracking matcher (`run`), which is PCRE's own way, hence the same choices among possible matches.
//! What PCRE has and this has not is an [`Error::Unmodelled`] with its name, never another meaning: verbs such as
//! `(*SKIP)`, `\X`, `\C`, callouts, duplicate names, newlines other than a line feed.

mod bracket;
mod class;
mod compile;
mod escape;
mod group;
mod parse;
mod run;
mod tree;

use compile::Program;
use std::collections::BTreeMap;

/// Options that belong to a pattern.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Options {
    pub unicode: bool,
    /// `\w` and its like follow Unicode.
    pub properties: bool,
    pub anchored: bool,
    pub caseless: bool,
    pub dollar_endonly: bool,
    pub dotall: bool,
    pub extended: bool,
    pub firstline: bool,
    pub multiline: bool,
    pub no_auto_capture: bool,
    pub ungreedy: bool,
}

/// Options of one match.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatchOptions {
    pub anchored: bool,
    pub not_bol: bool,
    pub not_eol: bool,
    pub not_empty: bool,
    pub not_empty_at_start: bool,
}

/// Why a pattern cannot be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Error {
    /// PCRE's words, and the place in bytes.
    Wrong(&'static str, usize),
    /// PCRE has it, we have not.
    Unmodelled(String),
}

/// A pattern ready to match.
#[derive(Debug)]
pub struct Regex {
    options: Options,
    program: Program,
    names: BTreeMap<String, usize>,
}

/// Where the whole and each group matched, in units of the subject.
pub type Groups = Vec<Option<(usize, usize)>>;

/// Too many steps: the match is given up without an answer.
#[derive(Clone, Copy, Debug)]
pub struct TooHard;

impl Regex {
    /// Compiles a pattern of characters, or of bytes when `unicode` is off.
    pub fn new(pattern: &[u32], options: Options) -> Result<Regex, Error> {
        let parsed = parse::parse(pattern, options)?;
        let program = compile::compile(&parsed)?;
        Ok(Regex { options: parsed.options, program, names: parsed.names })
    }

    pub fn n_groups(&self) -> usize {
        self.program.n_groups
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// The named groups in the order of their names.
    pub fn names(&self) -> &BTreeMap<String, usize> {
        &self.names
    }

    /// The first match at or after `start`.
    pub fn find(
        &self,
        subject: &[u32],
        start: usize,
        options: MatchOptions,
    ) -> Result<Option<Groups>, TooHard> {
        let anchored = self.options.anchored || options.anchored;
        for at in start..=subject.len() {
            if let Some(groups) = run::match_at(&self.program, subject, start, at, options)? {
                return Ok(Some(groups));
            }
            let line_over = self.options.firstline && subject.get(at) == Some(&0x0A);
            if anchored || line_over {
                break;
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(pattern: &str, subject: &str) -> Option<String> {
        let units = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        let regex = Regex::new(&units(pattern), Options { unicode: true, ..Options::default() })
            .expect("a pattern");
        let groups = regex.find(&units(subject), 0, MatchOptions::default()).expect("easy")?;
        let (from, to) = groups[0].expect("the whole");
        Some(subject.chars().skip(from).take(to - from).collect())
    }

    #[test]
    fn the_first_alternative_wins_not_the_longest() {
        assert_eq!(first("a|ab", "ab").as_deref(), Some("a"));
        assert_eq!(first("(a|ab)(c|bcd)(d*)", "abcd").as_deref(), Some("abcd"));
    }

    #[test]
    fn balanced_parentheses_need_recursion() {
        assert_eq!(first(r"\((?:[^()]++|(?R))*\)", "x(a(b)c)y").as_deref(), Some("(a(b)c)"));
    }

    #[test]
    fn a_hopeless_pattern_is_given_up() {
        let units = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        let regex = Regex::new(&units("(a+)+$"), Options::default()).expect("a pattern");
        let subject = units(&format!("{}b", "a".repeat(40)));
        assert!(regex.find(&subject, 0, MatchOptions::default()).is_err());
    }
}
