//! The order in which people expect names: `server2` before `server10`.

use std::cmp::Ordering;

/// Compares two names, taking runs of digits as numbers.
///
/// ```
/// use foresee_stdx::compare_naturally;
/// use std::cmp::Ordering;
/// assert_eq!(compare_naturally("server2", "server10"), Ordering::Less);
/// assert_eq!(compare_naturally("client", "server"), Ordering::Less);
/// assert_eq!(compare_naturally("a07", "a7"), Ordering::Less); // equal as numbers: then as text
/// ```
pub fn compare_naturally(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    loop {
        match (a.chars().next(), b.chars().next()) {
            (None, None) => return left.cmp(right),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let (number_a, rest_a) = split_number(a);
                let (number_b, rest_b) = split_number(b);
                let by_value =
                    number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b));
                if by_value != Ordering::Equal {
                    return by_value;
                }
                (a, b) = (rest_a, rest_b);
            }
            (Some(x), Some(y)) => {
                if x != y {
                    return x.cmp(&y);
                }
                (a, b) = (&a[x.len_utf8()..], &b[y.len_utf8()..]);
            }
        }
    }
}

/// The leading number of `text` without leading zeros, and what follows it.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].trim_start_matches('0'), &text[end..])
}
