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

/// The number of insertions, deletions and replacements of one character that turn `a` into `b`.
///
/// ```
/// assert_eq!(foresee_stdx::edit_distance("Ping(1)", "Pong(1)"), 1);
/// ```
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // `row[j]` is the distance between the characters of `a` seen so far and the first `j` of `b`.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_known_pairs() {
        for (a, b, distance) in
            [("", "abc", 3), ("kitten", "sitting", 3), ("rms", "rms", 0), ("rm", "rms", 1)]
        {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }
}
