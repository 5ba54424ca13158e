//! Small questions about texts that more than one room asks: wildcards, markup, what a panic said.

use std::any::Any;

/// Whether `text` matches `pattern`, in which `*` stands for any number of any characters.
///
/// ```
/// use foresee_stdx::matches_pattern;
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

/// Text for the inside of an element or an attribute in double quotes, of XML and HTML: no markup, no characters that they cannot
/// hold, and none that turn the direction of what follows. Line breaks and tabs stay.
///
/// ```
/// assert_eq!(foresee_stdx::escaped_markup("1 < \"2\" & \u{1b}"), "1 &lt; &quot;2&quot; &amp; \u{fffd}");
/// ```
pub fn escaped_markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// What a panic said.
///
/// ```
/// let payload = std::panic::catch_unwind(|| std::panic::panic_any("no way")).unwrap_err();
/// assert_eq!(foresee_stdx::panic_text(&*payload), "no way");
/// ```
pub fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_text_and_nothing_else_does() {
        for (pattern, text, expected) in [
            ("", "", true),
            ("*", "", true),
            ("use", "user", false),
            ("us*", "user", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*b*b", "ab", false),
            ("*b*b", "abxb", true),
            ("a**c", "abc", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abcd", false),
            ("abc", "abcd", false),
            ("*abc", "ababc", true),
        ] {
            assert_eq!(matches_pattern(pattern, text), expected, "{pattern:?} {text:?}");
        }
    }

    #[test]
    fn a_panic_with_any_payload_has_a_text() {
        assert_eq!(panic_text(&"a"), "a");
        assert_eq!(panic_text(&"b".to_owned()), "b");
        assert_eq!(panic_text(&7), "a panic without a message");
    }
}
