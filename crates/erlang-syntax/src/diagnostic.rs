//! What diagnostics about Erlang text need beside those of every language ([`foresee_text`]): the macro behind a token, and the
//! name that was probably meant.

use crate::source::Span;
use foresee_text::edit_distance;

/// Where a macro was used and defined; lets diagnostics name the macro behind a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The macro, without the question mark.
    pub name: crate::Name,
    /// The use, in the text the user wrote (`?NAME(…)`).
    pub used_at: Span,
    /// The definition; `None` for predefined macros.
    pub defined_at: Option<Span>,
    /// The expansion this use came out of, if it was inside another macro's body.
    pub inside: Option<u32>,
}

/// The names that look most like `wanted`, for "did you mean".
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = wanted.chars().count();
    let allowed = if length <= 2 { 0 } else { (length / 3).max(1) };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != wanted)
        .map(|candidate| (edit_distance(&folded(wanted), &folded(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Case is no difference between names that somebody mistypes.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("hadnle_call", ["handle_cast", "handle_call"]), Some("handle_call"));
        assert_eq!(nearest("x", ["handle_call"]), None);
        assert_eq!(nearest("Timeout", ["timeout"]), Some("timeout"));
    }
}
