//! "Did you mean …?": the known name nearest to what was typed.

use foresee_stdx::nearest_name;

/// The nearest of `known`, if it is near enough to be meant: a slip of the finger, or a part of the name.
pub(crate) fn nearest<'a>(typed: &str, known: &[&'a str]) -> Option<&'a str> {
    nearest_name(typed, known.iter().copied()).or_else(|| {
        let part = |name: &&&str| typed.len() >= 3 && name.contains(typed);
        known.iter().find(part).copied()
    })
}

/// Help for an unknown name: the one that was probably meant, or all of them.
pub(crate) fn did_you_mean(typed: &str, known: &[&str]) -> String {
    match nearest(typed, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_a_part_and_nonsense() {
        let known = ["ping", "paxos", "single-copy-register"];
        assert_eq!(did_you_mean("pimg", &known), "did you mean `ping`?");
        assert_eq!(nearest("register", &known), Some("single-copy-register"));
        assert_eq!(did_you_mean("zebra", &known), "there are: ping, paxos, single-copy-register");
    }
}
