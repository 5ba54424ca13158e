//! How finely a front end tells states apart.
//! Why two readings: a search that remembers states wants as few of them as possible, so whatever nobody in the system can
//! notice any more should not tell two states apart. Reordering events wants the opposite: two events that do not touch the
//! same things must lead to the very same state in either order, and neither may take the other away. No reading does both.
//! A front end is built for one of them and does not learn who explores it; `session` chooses. What a reading means for a
//! front end is said there, reason by reason (`foresee_erlang::Rules`, `foresee_nodes` in its module `races`).

use serde::{Deserialize, Serialize};

/// What tells two states apart.
///
/// ```
/// use foresee_lts::Reading;
/// assert_eq!(Reading::parse("exact"), Some(Reading::Exact));
/// assert_eq!(Reading::default().word(), "merged");
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// States that differ only in what nobody can notice any more are one state: names that nobody holds are used again, what
    /// the dead leave behind is forgotten, messages that their receiver would ignore are passed over.
    #[default]
    Merged,
    /// Every event keeps a name of its own and takes no other event away, so independent events lead to one state in either
    /// order.
    Exact,
}

impl Reading {
    /// Every reading, with its word.
    pub const ALL: [(Reading, &'static str); 2] =
        [(Reading::Merged, "merged"), (Reading::Exact, "exact")];

    pub fn parse(word: &str) -> Option<Reading> {
        Reading::ALL.iter().find(|(_, own)| *own == word).map(|(reading, _)| *reading)
    }

    pub fn word(self) -> &'static str {
        match self {
            Reading::Merged => "merged",
            Reading::Exact => "exact",
        }
    }
}
