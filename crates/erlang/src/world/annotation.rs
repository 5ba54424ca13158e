//! What faults and labels have to know of a process, beside what it does: its name in a supervision tree, whether it may
//! crash, and whether it has.
//! Why part of the state: whom a supervisor starts as which child, and who gets which name, may differ from run to run.
//! Invariant: nothing a program can ask for; without crashes, supervisors, `gen:stop` and hibernation all of it is as at the
//! beginning.

use crate::term::{Atom, Pid, Reference, Term};

/// What is remembered of a process for faults and labels.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Annotation {
    /// The id under which its supervisor started it; when it has ended, the name it had.
    pub known_as: Option<Atom>,
    /// A supervisor has started it, which is its parent.
    pub is_child: bool,
    pub is_supervisor: bool,
    /// A crash was asked for by a name that it has or had.
    pub may_crash: bool,
    /// It has ended by a crash.
    pub crashed: bool,
    /// Its crash has happened, with effect or without; only where no event may take another away.
    pub crash_is_over: bool,
    /// A signal has killed it, so that others have no effect; only where no event may take another away.
    pub is_killed: bool,
    /// It rests at one of the places of `CrashPoints::Calls`.
    pub at_crash_point: bool,
    /// The servers that it has called, where they count as linked.
    pub called: Vec<Pid>,
    /// References of calls and timers whose messages it has taken back without a receive; only where `Rules::keeps_settled`.
    pub silenced: Vec<Reference>,
    /// The monitors of those who asked it to end and to whom it has agreed.
    pub agreed: Vec<Reference>,
    /// The oldest message of its mailbox has woken it from hibernation, so whether it comes before others is settled; only
    /// where `Rules::keeps_settled`.
    pub woken_by: Option<Term>,
}

/// What has crashed so far; part of what is shared.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Crashed {
    /// How many crashes there were, where they are limited.
    pub n: u32,
    /// Otherwise the names that have crashed, sorted.
    pub names: Vec<Atom>,
    /// There are no more crashes.
    pub is_over: bool,
}

/// A child's id as a name: `client` of `client`, `client_1` of `{client,1}`.
pub(crate) fn name_of_id(id: &Term) -> Option<Atom> {
    let text = flat(id);
    (!text.is_empty() && text != "undefined").then(|| Atom::new(&text))
}

fn flat(id: &Term) -> String {
    if let Some(parts) = id.as_tuple() {
        return parts.iter().map(flat).collect::<Vec<_>>().join("_");
    }
    match id {
        Term::Atom(name) => name.text().to_owned(),
        Term::Bits(bits) if bits.is_binary() => {
            let quoted = id.to_string();
            quoted.trim_matches(|c| "<>\"".contains(c)).to_owned()
        }
        _ => id.to_text().filter(|text| !text.is_empty()).unwrap_or_else(|| id.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_children_become_names() {
        let name = |id: Term| name_of_id(&id).map(Atom::text);
        assert_eq!(name(Term::atom("locker")), Some("locker"));
        assert_eq!(name(Term::tuple([Term::atom("client"), Term::Int(1)])), Some("client_1"));
        assert_eq!(name(Term::string("db")), Some("db"));
        assert_eq!(name(Term::binary(b"db")), Some("db"));
        assert_eq!(name(Term::atom("undefined")), None);
    }
}
