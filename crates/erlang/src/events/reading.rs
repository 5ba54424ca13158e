//! What a reading of a program means for Erlang, rule by rule.
//! Why: with the merged reading a program that loops comes back to the states it has been in. With the exact one, two events
//! that do not depend on each other lead to the same state in either order, and no event takes another away. Each rule
//! says what is kept for that and why; code asks for the rule that it is about, never for the reading as a whole.
//! Where to look: `docs/decisions/0103-what-races-in-erlang.md`; `tests/dependencies_commute.rs` leaves rules out.

use foresee_lts::Reading;

/// What states keep, and what events there are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own, with its reason")]
pub struct Rules {
    /// A reference gets a number that was never used. Otherwise it gets the least that nobody holds, which depends on what
    /// others have let go of before.
    pub numbers_references: bool,
    /// A channel counts the signals that it has carried, so a signal has a name before it is sent. Otherwise a signal is
    /// known by what it says, and an empty channel is forgotten.
    pub numbers_signals: bool,
    /// A process that has ended keeps its inbox, links, monitors and aliases, and what comes too late is noted: it could have
    /// come in time. Otherwise nothing is left of the dead.
    pub keeps_the_dead: bool,
    /// What a process has settled without a receive stays known: that a signal has killed it, which messages it has taken
    /// back, which one has woken it. Otherwise two signals that kill are told apart only by their order.
    pub keeps_settled: bool,
    /// A monitor that is taken back leaves its other side marked until its target ends, so taking it back and the end of the
    /// target are independent.
    pub keeps_taken_back: bool,
    /// That a process had a name is kept in its inbox, so that its end has the same stages whoever took the name away.
    pub keeps_named: bool,
    /// A timer that was cancelled still fires, without effect, so cancelling it takes no event away.
    pub cancelled_timers_fire: bool,
    /// Every crash that was asked for is one event, with effect or without. Otherwise only crashes with an effect are offered.
    pub crashes_without_effect: bool,
    /// A server's answer is an event of its own. Otherwise it may be one with the event that takes the request.
    pub answers_apart: bool,
    /// A clock that has moved often begins anew, so that a program that reads it in a loop comes back to its states.
    pub clocks_begin_anew: bool,
}

impl Rules {
    pub const MERGED: Rules = Rules {
        numbers_references: false,
        numbers_signals: false,
        keeps_the_dead: false,
        keeps_settled: false,
        keeps_taken_back: false,
        keeps_named: false,
        cancelled_timers_fire: false,
        crashes_without_effect: false,
        answers_apart: false,
        clocks_begin_anew: true,
    };

    pub const EXACT: Rules = Rules {
        numbers_references: true,
        numbers_signals: true,
        keeps_the_dead: true,
        keeps_settled: true,
        keeps_taken_back: true,
        keeps_named: true,
        cancelled_timers_fire: true,
        crashes_without_effect: true,
        answers_apart: true,
        clocks_begin_anew: false,
    };

    pub const fn of(reading: Reading) -> Rules {
        match reading {
            Reading::Merged => Rules::MERGED,
            Reading::Exact => Rules::EXACT,
        }
    }
}

impl From<Reading> for Rules {
    fn from(reading: Reading) -> Rules {
        Rules::of(reading)
    }
}
