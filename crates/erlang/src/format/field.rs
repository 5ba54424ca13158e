//! Text in a field: padded, cut, or replaced by stars where it does not fit.

use super::directive::Directive;
use foresee_stdx::halt;

/// Where the text stands in its field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Numbers and terms: too long is all stars.
pub(super) fn term(
    text: &str,
    width: Option<i64>,
    precision: Option<i64>,
    directive: &Directive,
) -> Option<String> {
    let Some(width) = width.or(precision) else { return Some(text.to_owned()) };
    let len = text.chars().count() as i64;
    let shown = len.min(precision.unwrap_or(width).min(width));
    if len > shown {
        let shown = usize::try_from(shown).ok()?;
        halt::ask(shown);
        aligned(&"*".repeat(shown), width, directive)
    } else {
        aligned(text, width, directive)
    }
}

/// Strings: cut to the precision, or the field.
pub(super) fn string(text: &str, directive: &Directive) -> Option<String> {
    let (width, precision, side) = match (directive.width, directive.precision) {
        (None, None) => return Some(text.to_owned()),
        (Some(width), None) => (width, width, directive.side),
        (None, Some(precision)) => (precision, precision, Side::Left),
        (Some(width), Some(precision)) if width >= precision => (width, precision, directive.side),
        _ => return None,
    };
    let cut: String = text.chars().take(usize::try_from(precision).ok()?).collect();
    // A text shorter than the precision is first filled up to that, always on the right.
    let inner = if width > precision { Side::Left } else { side };
    let cut = aligned(&cut, precision, &Directive { side: inner, ..*directive })?;
    aligned(&cut, width, &Directive { side, ..*directive })
}

/// One character many times.
pub(super) fn repeated(c: char, directive: &Directive) -> Option<String> {
    let n = directive.precision.or(directive.width).unwrap_or(1);
    let n_times = usize::try_from(n).ok()?;
    halt::ask(n_times.saturating_mul(2 * c.len_utf8()));
    let text = String::from_iter(std::iter::repeat_n(c, n_times));
    match directive.width {
        Some(width) if width < n => None,
        Some(width) => aligned(&text, width, directive),
        None => Some(text),
    }
}

/// At most `n` characters and three dots; what is only three longer stays whole.
pub(super) fn shortened(text: String, n: usize) -> String {
    if text.chars().count() <= n + 3 {
        return text;
    }
    let mut short: String = text.chars().take(n).collect();
    short.push_str("...");
    short
}

fn aligned(text: &str, width: i64, directive: &Directive) -> Option<String> {
    let len = text.chars().count() as i64;
    let n = usize::try_from(width.max(len) - len).ok()?;
    halt::ask(n.saturating_mul(3 * directive.pad.len_utf8()));
    let padding = String::from_iter(std::iter::repeat_n(directive.pad, n));
    Some(match directive.side {
        Side::Left => format!("{text}{padding}"),
        Side::Right => format!("{padding}{text}"),
    })
}
