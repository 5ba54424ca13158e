//! Bounds: exploring the simplest schedules only.
//! A bound is a policy in a file of its own: what running a thread next costs, what it asks of the engine, and its words. The
//! engine asks the policy and knows none of them; the command line and the attributes of Erlang modules list what is listed here.
//! What a bound cuts is never silent: the verdict is then inconclusive at best.

mod delay;
mod preemption;
mod ubpor;

/// How far from the simplest schedules to go.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Bound {
    pub kind: BoundKind,
    pub max: u32,
}

/// What costs.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum BoundKind {
    /// Taking a later branch of the exploration tree.
    Delay,
    /// Switching away from a thread that could go on.
    Preemption,
    /// The same, without the branches that make sure that nothing within the bound is missed.
    Ubpor,
}

impl BoundKind {
    pub const ALL: &'static [BoundKind] =
        &[BoundKind::Delay, BoundKind::Preemption, BoundKind::Ubpor];

    /// What this kind of bound asks and answers.
    pub fn policy(self) -> &'static dyn Policy {
        match self {
            BoundKind::Delay => &delay::Delay,
            BoundKind::Preemption => &preemption::Preemption,
            BoundKind::Ubpor => &ubpor::Ubpor,
        }
    }

    /// The kind with this word on the command line.
    pub fn parse(word: &str) -> Option<BoundKind> {
        BoundKind::ALL.iter().copied().find(|kind| kind.policy().word() == word)
    }

    /// The kind that an attribute of a module calls so.
    pub fn of_attribute(word: &str) -> Option<BoundKind> {
        BoundKind::ALL.iter().copied().find(|kind| kind.policy().attributes().contains(&word))
    }
}

/// One kind of bound.
pub trait Policy: Sync {
    /// Its word on the command line.
    fn word(&self) -> &'static str;

    /// What it counts, for people, in one line.
    fn about(&self) -> &'static str;

    /// What a verdict says that there are at most so many of.
    fn unit(&self) -> &'static str;

    /// Its words in attributes of Erlang modules, Concuerror's among them.
    fn attributes(&self) -> &'static [&'static str];

    /// What this choice costs.
    fn cost(&self, choice: &Choice) -> u32;

    /// Whether a run within the bound may need an order that is otherwise left out as a repetition. Then a *conservative* branch
    /// is added where a thread was last scheduled, and neither sleep sets nor receives as observers leave anything out.
    fn needs_every_order(&self) -> bool {
        false
    }
}

/// Which thread runs next, and where.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub thread: u64,
    /// How many branches of the exploration tree were taken here before.
    pub n_done: u32,
    /// The thread that ran before.
    pub previous: Option<Previous>,
}

/// The thread of the event before a choice.
#[derive(Clone, Copy, Debug)]
pub struct Previous {
    pub thread: u64,
    pub could_go_on: bool,
}

impl Choice {
    /// Whether it switches away from a thread that could go on.
    pub fn is_preemption(&self) -> bool {
        self.previous.is_some_and(|it| it.could_go_on && it.thread != self.thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_switching_away_from_a_thread_that_could_go_on_is_a_preemption() {
        let choice = |previous: Option<(u64, bool)>| {
            let previous = previous.map(|(thread, could_go_on)| Previous { thread, could_go_on });
            Choice { thread: 1, n_done: 3, previous }
        };
        let cost = |kind: BoundKind, previous| kind.policy().cost(&choice(previous));
        assert_eq!(cost(BoundKind::Preemption, None), 0);
        assert_eq!(cost(BoundKind::Preemption, Some((1, true))), 0);
        assert_eq!(cost(BoundKind::Preemption, Some((2, false))), 0);
        assert_eq!(cost(BoundKind::Preemption, Some((2, true))), 1);
        assert_eq!(cost(BoundKind::Delay, None), 3);
    }

    #[test]
    fn words_are_different_and_find_their_kind() {
        for &kind in BoundKind::ALL {
            assert_eq!(BoundKind::parse(kind.policy().word()), Some(kind));
            for word in kind.policy().attributes() {
                assert_eq!(BoundKind::of_attribute(word), Some(kind), "{word}");
            }
        }
    }
}
