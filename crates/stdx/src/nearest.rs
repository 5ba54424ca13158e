//! The name somebody probably meant.

/// The candidate nearest to `name` by edit distance, if any is near enough to be a slip of the finger.
///
/// ```
/// use foresee_stdx::nearest_name;
/// assert_eq!(nearest_name("client", ["clients", "pings"]), Some("clients"));
/// assert_eq!(nearest_name("colour", ["clients", "pings"]), None);
/// ```
pub fn nearest_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = 1 + name.chars().count() / 3;
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions and replacements of one character and of swaps of neighbours that turn `a` into `b`.
///
/// ```
/// assert_eq!(foresee_stdx::edit_distance("Ping(1)", "Pong(1)"), 1);
/// assert_eq!(foresee_stdx::edit_distance("clinet", "client"), 1);
/// ```
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // `row[j]` is the distance between the characters of `a` seen so far and the first `j` of `b`; the two rows before it
    // stand beside it.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut above = row.clone();
    let mut two_above = row.clone();
    for i in 0..a.len() {
        std::mem::swap(&mut two_above, &mut above);
        std::mem::swap(&mut above, &mut row);
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = above[j] + usize::from(a[i] != b[j]);
            row[j + 1] = replaced.min(row[j] + 1).min(above[j + 1] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(two_above[j - 1] + 1);
            }
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_known_pairs() {
        for (a, b, distance) in [
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("rms", "rms", 0),
            ("rm", "rms", 1),
            ("hadnle", "handle", 1),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }
}
