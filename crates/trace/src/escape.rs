//! Texts that do not fit into a line, written so that they do.
//! Why not always: nearly every name and value fits as it is, and a trace is read by people. A backslash before a label, or
//! before the colon of a header, says that what follows is written like this; without it a backslash is a backslash.

/// Whether a name in a label has to be escaped: names end at white space there.
pub(crate) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(char::is_whitespace)
}

/// Whether the value of a header has to be escaped: it is one line, without white space around it.
pub(crate) fn is_plain_value(value: &str) -> bool {
    !value.contains(['\n', '\r']) && value.trim() == value
}

/// A name without white space.
pub(crate) fn escaped_name(name: &str) -> String {
    match name {
        "" => "\\e".to_owned(),
        name => name.chars().map(|c| escaped(c, char::is_whitespace)).collect(),
    }
}

/// A value on one line, with nothing around it that could be trimmed.
pub(crate) fn escaped_value(value: &str) -> String {
    let start = value.len() - value.trim_start().len();
    let end = value.trim_end().len();
    let is_outside = |at: usize| at < start || at >= end;
    let chars = value.char_indices();
    chars.map(|(at, c)| escaped(c, |c| is_outside(at) || matches!(c, '\n' | '\r'))).collect()
}

fn escaped(c: char, is_special: impl Fn(char) -> bool) -> String {
    match c {
        '\\' => "\\\\".to_owned(),
        c if !is_special(c) => c.to_string(),
        ' ' => "\\s".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
}

/// The text that was escaped; `None` if it is nothing that we write.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match rest.next()? {
            '\\' => plain.push('\\'),
            's' => plain.push(' '),
            'n' => plain.push('\n'),
            'r' => plain.push('\r'),
            't' => plain.push('\t'),
            'e' => {}
            'u' => {
                let (digits, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                plain.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                rest = after.chars();
            }
            _ => return None,
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_texts_read_back() {
        for text in ["", " ", "my server", "a\nb", "\\n", "\u{a0}x\u{2003}", "\t\r\n", "->", "é\\"]
        {
            let name = escaped_name(text);
            assert!(is_plain_name(&name), "{name}");
            assert_eq!(unescaped(&name).as_deref(), Some(text));
            let value = escaped_value(text);
            assert!(is_plain_value(&value), "{value}");
            assert_eq!(unescaped(&value).as_deref(), Some(text));
        }
        for damaged in ["\\", "\\x", "\\u{", "\\u{110000}", "\\u{zz}"] {
            assert_eq!(unescaped(damaged), None);
        }
    }
}
