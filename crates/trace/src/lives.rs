//! `Life`: one member's part of a run: its own steps, and how it stands at the end.
//! Why beside the story: the story goes from one member to the next as causes go to effects; who looks for a mistake in the
//! text of one process wants to read what that process did, alone.

use crate::Story;
use foresee_lts::{Member, Standing, Tree, Words};

/// One member through a run.
///
/// ```
/// use foresee_lts::{Action, Path, toy::Counters};
/// use foresee_trace::{Story, lives};
/// let path = Path { initial: vec![0, 0], actions: vec![Action(0), Action(1), Action(0)] };
/// let story = Story::of(&Counters::new(2, 3), &path);
/// assert_eq!(lives(&story)[0].steps, [1, 3]);
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Life {
    /// Its latest name.
    pub name: String,
    /// What kind of member it is, where its description says so: a type, the function it started with.
    pub role: String,
    /// The numbers of the steps that it does or that happen to it.
    pub steps: Vec<usize>,
    /// How it stands at the end: `waits at bank.erl:12`, `exited normal`; empty when there is nothing to say.
    pub end: Words,
    /// What is in its inbox at the end.
    pub inbox: Vec<String>,
    /// `end` tells what is in its inbox.
    pub end_tells_inbox: bool,
    /// It waits for a message at the end.
    pub is_waiting: bool,
}

impl Life {
    fn named(name: &str) -> Self {
        Life {
            name: name.to_owned(),
            role: String::new(),
            steps: Vec::new(),
            end: Words::default(),
            inbox: Vec::new(),
            end_tells_inbox: false,
            is_waiting: false,
        }
    }

    /// Whether `name` is one of its names.
    pub fn is_called(&self, name: &str) -> bool {
        is_same_member(&self.name, name)
    }
}

/// Whether two names are of one member. A process may get a name while it runs: `<P.1>` is `<P.1/server>` later.
pub(crate) fn is_same_member(one: &str, other: &str) -> bool {
    member_identity(one) == member_identity(other)
}

/// What stays of a member's name when it gets another.
///
/// ```
/// use foresee_trace::member_identity;
/// assert_eq!(member_identity("<P.1/server>"), member_identity("<P.1>"));
/// assert_eq!(member_identity("client1"), "client1");
/// ```
pub fn member_identity(name: &str) -> &str {
    match name.split_once('/') {
        Some((pid, _)) if name.starts_with('<') => pid,
        _ => name.strip_suffix('>').filter(|_| name.starts_with('<')).unwrap_or(name),
    }
}

/// The part of each member, in the order in which they are described at the end; then those that only labels name.
pub fn lives(story: &Story) -> Vec<Life> {
    let last = story.steps.last().map_or(&story.start, |step| &step.state);
    let mut lives: Vec<Life> = last.members.iter().map(life).collect();
    for step in &story.steps {
        let Some(name) = &step.label.to else { continue };
        let known = lives.iter_mut().find(|life| is_same_member(&life.name, name));
        match known {
            Some(life) => life.steps.push(step.number),
            None => lives.push(Life { steps: vec![step.number], ..Life::named(name) }),
        }
    }
    lives
}

fn life(member: &Member) -> Life {
    let role = match &member.state {
        Tree::Record { name, .. } => name.clone(),
        _ => String::new(),
    };
    let is_waiting = member.standing == Standing::Waiting;
    let end = match (is_waiting, &member.place) {
        (true, Some(place)) => format!("waits at {place}"),
        (true, None) => "waits".to_owned(),
        (false, _) => member.status.clone(),
    };
    let inbox = member.inbox.iter().map(|item| item.content.one_line()).collect();
    Life { role, end: end.into(), inbox, is_waiting, ..Life::named(&member.name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_other_member() {
        assert!(is_same_member("<P.1>", "<P.1/server>") && is_same_member("a", "a"));
        assert!(!is_same_member("<P.1>", "<P.10/server>") && !is_same_member("<P.1>", "<P>"));
        assert!(!is_same_member("a/b", "a/c"), "only processes get names");
    }
}
