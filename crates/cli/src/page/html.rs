//! Text and elements of a page. Every word that comes from outside goes through [`text`]; nothing else makes it safe.

/// Text for the inside of an element or an attribute: no markup, no characters that a page cannot hold, and none that turn the
/// direction of what follows.
pub(super) fn text(raw: &str) -> String {
    let mut escaped = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// `<tag class="class">text</tag>`
pub(super) fn element(tag: &str, class: &str, raw: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<{tag}{class}>{}</{tag}>", text(raw))
}

/// Something that is closed until it is asked for.
pub(super) fn folded(class: &str, summary: &str, body: &str, is_open: bool) -> String {
    let open = if is_open { " open=\"open\"" } else { "" };
    format!(
        "<details class=\"{class}\"{open}><summary>{}</summary>\n{body}</details>\n",
        text(summary)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_element() {
        let hostile = "</pre><script>alert('x')</script>\u{202e}\u{7}\"&";
        let safe = text(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{202e}', '\u{7}']), "{safe}");
        assert_eq!(text("a\n b"), "a\n b");
    }
}
