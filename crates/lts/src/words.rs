//! `Words`: text made for people, which no code reads.
//! Why a type: a message that a person reads today is reworded tomorrow. Code that looked into it would change its behaviour
//! with the wording, and no test of the wording would say why. So words can be shown, compared as a whole, ordered and
//! stored, but nothing here gives access to their characters; what code must know travels in fields and enums beside them.
//! The edges turn words into strings with `Display`, to wrap and colour them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Text for people.
///
/// ```
/// use foresee_lts::Words;
/// let words = Words::from("<P.1> waits at bank.erl:12");
/// assert_eq!(format!("why: {words}"), "why: <P.1> waits at bank.erl:12");
/// ```
#[derive(Clone, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Words(String);

impl Words {
    /// There is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In at most `chars_max` characters, the last of them an ellipsis where something is left out.
    pub fn shortened(&self, chars_max: usize) -> String {
        match self.0.char_indices().nth(chars_max) {
            Some(_) => self.0.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect(),
            None => self.0.clone(),
        }
    }

    /// For a narrow place: without brackets and names of fields, and cut after `chars_max` characters.
    ///
    /// ```
    /// use foresee_lts::Words;
    /// assert_eq!(Words::from("Accept { ballot: 1, value: \"a\" }").brief(9), "Accept 1…");
    /// ```
    pub fn brief(&self, chars_max: usize) -> String {
        let spaced = self.0.replace(['{', '}', '(', ')', '[', ']', ','], " ");
        let words = spaced.split_whitespace().filter(|word| !is_field_name(word));
        let text = words.collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(chars_max) {
            Some((end, _)) => format!("{}…", text[..end].trim_end()),
            None => text,
        }
    }

    /// How alike two texts are, for guessing which one was meant: the distance of their beginnings, since a few long
    /// messages must not take seconds.
    pub fn distance(&self, other: &Words) -> usize {
        const BEGINNING: usize = 100;
        let beginning = |words: &Words| words.0.chars().take(BEGINNING).collect::<String>();
        foresee_stdx::edit_distance(&beginning(self), &beginning(other))
    }

    /// On one line, without blanks at the ends.
    pub fn one_line(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.contains(['\n', '\r']) {
            Words(text.split_whitespace().collect::<Vec<_>>().join(" "))
        } else {
            Words(text.trim().to_owned())
        }
    }
}

/// `ballot:` in `Accept { ballot: 1 }`.
fn is_field_name(word: &str) -> bool {
    word.strip_suffix(':').is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Words(text)
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Words(text.to_owned())
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stored_as_plain_text() {
        let words = Words::from("a \"b\"");
        let text = serde_json::to_string(&words).expect("text");
        assert_eq!(text, "\"a \\\"b\\\"\"");
        assert_eq!(serde_json::from_str::<Words>(&text).expect("words"), words);
    }

    #[test]
    fn words_are_cut_where_they_do_not_fit() {
        let words = Words::from("ééé b");
        assert_eq!((words.shortened(5), words.shortened(4)), ("ééé b".into(), "ééé…".into()));
        assert_eq!(words.brief(3), "ééé…");
    }
}
