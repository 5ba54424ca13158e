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
    let (mut a, mut b) = after_common_start(left, right);
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

/// What is left of two names behind what both begin with. A number is not cut: it counts as a whole.
fn after_common_start<'a>(left: &'a str, right: &'a str) -> (&'a str, &'a str) {
    let pairs = left.bytes().zip(right.bytes());
    let mut n_same = pairs.take_while(|(x, y)| x == y).count();
    let bytes = left.as_bytes();
    while n_same > 0 && (bytes[n_same - 1].is_ascii_digit() || !left.is_char_boundary(n_same)) {
        n_same -= 1;
    }
    // The bytes before are the same, so it is a boundary of both.
    (&left[n_same..], &right[n_same..])
}

/// The leading number of `text` without leading zeros, and what follows it.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].trim_start_matches('0'), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without leaving out what both begin with.
    fn slowly(left: &str, right: &str) -> Ordering {
        let parts = |text: &str| -> Vec<(bool, String)> {
            let mut parts: Vec<(bool, String)> = Vec::new();
            for c in text.chars() {
                match parts.last_mut() {
                    Some((true, number)) if c.is_ascii_digit() => number.push(c),
                    _ => parts.push((c.is_ascii_digit(), c.to_string())),
                }
            }
            parts
        };
        let (a, b) = (parts(left), parts(right));
        for ((is_number, x), (other, y)) in a.iter().zip(&b) {
            let order = match *is_number && *other {
                true => x.parse::<u64>().unwrap().cmp(&y.parse::<u64>().unwrap()),
                false => x.chars().next().cmp(&y.chars().next()),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        a.len().cmp(&b.len()).then_with(|| left.cmp(right))
    }

    #[test]
    fn every_two_names_come_in_the_same_order() {
        let letters = ["", "a", "b", "0", "1", "10", "12", "01", "ä", "å", "-"];
        let mut names = Vec::new();
        for x in letters {
            for y in letters {
                letters.iter().for_each(|z| names.push(format!("{x}{y}{z}")));
            }
        }
        for left in &names {
            for right in &names {
                assert_eq!(compare_naturally(left, right), slowly(left, right), "{left} {right}");
            }
        }
    }
}
