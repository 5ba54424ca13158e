//! A trace as a Rust regression test: paste it into a crate's tests and the bug stays fixed.
//! The emitted function needs only the facade crate (`foresee::recorded`) and an expression that gives the systems of the crate.

use crate::Trace;

/// What the emitted test demands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Expect {
    /// The violation is gone. A trace that no longer applies passes, because it is no longer a run of the system.
    #[default]
    Fixed,
    /// The violation is still there: a test of the checker, or of a known bug.
    Violated,
}

/// How the test is to be written.
#[derive(Clone, Debug)]
pub struct RustTest {
    /// The test function's name; made an identifier if it is none.
    pub name: String,
    /// A Rust expression whose value is a list of entries, the trace's system among them: `my_crate::systems()`.
    pub systems: String,
    pub expect: Expect,
}

/// The source of a test that replays `trace`.
///
/// ```
/// use foresee_trace::{Expect, RustTest, Trace, rust_test};
/// let test = RustTest { name: "two holders".into(), systems: "locks::systems()".into(), expect: Expect::Fixed };
/// let source = rust_test(&Trace::new("locks clients=2"), &test);
/// assert!(source.contains("fn two_holders()"));
/// assert!(source.contains("locks::systems(),"));
/// ```
pub fn rust_test(trace: &Trace, test: &RustTest) -> String {
    let text = trace.to_string();
    let fence = fence(&text);
    let claim = match &trace.violation {
        Some(finding) => finding.title(),
        None => "nothing".to_owned(),
    };
    let (doc, assertion) = match test.expect {
        Expect::Fixed => ("must not come back", "assert_fixed"),
        Expect::Violated => ("is known and still there", "assert_violated"),
    };
    let name = identifier(&test.name);
    let systems = test.systems.trim();
    let comment = format!("{} in {}", claim, trace.system).replace(['\n', '\r'], " ");
    format!(
        "/// Recorded by foresee: {comment}; {doc}.\n\
         #[test]\n\
         fn {name}() {{\n    \
             foresee::recorded(\n        \
                 {systems},\n        \
                 r{fence}\"\n{text}\"{fence},\n    \
             )\n    \
             .{assertion}();\n\
         }}\n"
    )
}

/// As many `#` as a raw string needs to hold `text`.
fn fence(text: &str) -> String {
    let mut longest = 0;
    for (i, _) in text.match_indices('"') {
        let hashes = text[i + 1..].bytes().take_while(|byte| *byte == b'#').count();
        longest = longest.max(hashes + 1);
    }
    "#".repeat(longest.max(1))
}

fn identifier(name: &str) -> String {
    let mut identifier = String::new();
    for c in name.trim().chars() {
        let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        if c != '_' || !identifier.ends_with('_') {
            identifier.push(c);
        }
    }
    let identifier = identifier.trim_matches('_');
    if identifier.is_empty()
        || identifier.starts_with(|c: char| c.is_ascii_digit())
        || is_keyword(identifier)
    {
        format!("trace_{identifier}").trim_end_matches('_').to_owned()
    } else {
        identifier.to_owned()
    }
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else enum extern \
        false final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static \
        struct super trait true try type typeof unsafe unsized use virtual where while yield";
    KEYWORDS.split_whitespace().any(|keyword| keyword == word)
}
