//! Patterns of labels: text in which `*` stands for any text.

/// Whether `text` matches `pattern`, in which `*` stands for any number of any characters.
///
/// ```
/// use foresee_stateful::matches_pattern;
/// assert!(matches_pattern("deliver * -> server *", "deliver client1 -> server Ping(1)"));
/// assert!(!matches_pattern("deliver * -> server", "deliver client1 -> server Ping(1)"));
/// ```
pub fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let tail = parts.pop().expect("split gives at least one part");
    for part in parts {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn stars_match_any_text_and_nothing_else_does() {
        for (pattern, text, expected) in [
            ("", "", true),
            ("*", "", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*b*b", "ab", false),
            ("*b*b", "abxb", true),
            ("a**c", "abc", true),
            ("abc", "abcd", false),
            ("*abc", "ababc", true),
        ] {
            assert_eq!(matches_pattern(pattern, text), expected, "{pattern:?} {text:?}");
        }
    }
}
