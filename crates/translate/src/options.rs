//! What may be chosen about a translation, and what comes of it.

use foresee_algebra::Specification;
use std::collections::BTreeMap;

/// How to translate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Clients that may crash: their names, with `*` for any letters, or `all`.
    pub crash: Vec<String>,
    /// A crash is seen as `crash(Client)`; otherwise it is hidden and seen only when the server learns of it, as in the
    /// paper.
    pub crash_visible: bool,
    /// Clients may also crash right after a marked action.
    pub crash_at_actions: bool,
    pub buffer: Buffer,
    /// Servers do not wait for their replies to be taken; otherwise a reply is a handshake, as in the paper.
    pub async_reply: bool,
    /// States that differ only in where a process stands, not in what it will do, are one.
    pub normalised: bool,
}

/// What stands between a server and those who send to it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Buffer {
    /// A queue without end.
    #[default]
    Unbounded,
    /// A queue; with more than so many messages in it, `bufferfull(Server)` happens and then one is taken.
    Bounded(usize),
    /// Nothing: whoever sends waits until the server takes it.
    None,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            crash: Vec::new(),
            crash_visible: true,
            crash_at_actions: true,
            buffer: Buffer::Unbounded,
            async_reply: false,
            normalised: false,
        }
    }
}

/// A program as a specification.
#[derive(Clone, Debug)]
pub struct Translation {
    pub specification: Specification,
    /// How things are modelled that have no translation of their own, each with its place.
    pub notes: Vec<String>,
    /// The processes by the names they have in labels.
    pub servers: Vec<String>,
    pub clients: Vec<String>,
    /// What the functions and equations of the specification were in Erlang.
    pub(crate) comments: BTreeMap<String, String>,
    pub(crate) normalised: bool,
}

impl Translation {
    /// How to explore the specification.
    pub fn algebra_options(&self) -> foresee_algebra::Options {
        foresee_algebra::Options {
            merge_positions: self.normalised,
            ..foresee_algebra::Options::default()
        }
    }

    /// As muCRL, with a comment above each function and equation that says what it was in Erlang.
    pub fn to_mucrl(&self) -> String {
        self.commented(&self.specification.to_mucrl())
    }

    /// As mCRL2, with the same comments.
    pub fn to_mcrl2(&self) -> Result<String, Vec<foresee_algebra::Diagnostic>> {
        Ok(self.commented(&self.specification.to_mcrl2()?))
    }

    /// Definitions start a line at depth two with their name; each gets its comment once.
    fn commented(&self, text: &str) -> String {
        let mut out = String::new();
        let (mut section, mut last) = ("", "");
        for line in text.lines() {
            if !line.starts_with(' ') {
                section = line;
            }
            let name = line
                .strip_prefix("  ")
                .filter(|it| !it.starts_with(' '))
                .map(|it| it.find(['(', ' ', ':', ';']).map_or(it, |end| &it[..end]));
            if let ("proc" | "rew" | "eqn", Some(name)) = (section, name)
                && name != last
            {
                if let Some(comment) = self.comments.get(name) {
                    out.push_str(&format!("  % {comment}\n"));
                }
                last = name;
            }
            out.push_str(line);
            out.push('\n');
        }
        out
    }
}
