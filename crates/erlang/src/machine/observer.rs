//! Who watches a machine: nobody while a program is explored, a [`Shadow`] when a finished run is told.
//! Why a type and not a flag: the loop over instructions is the hottest of all; with `()` nothing of this is compiled into it.
//! A shadow keeps what the stack forgets, the calls in tail position, and every exception with the calls that led to it.
//! Invariant: the tail calls of a shadow are in the order of their depth; those deeper than the stack are stale and dropped
//! before the next is noted.

use super::{Exception, Frame};
use crate::program::code::{Handler, HandlerKind};
use crate::tell::recorder::Refused;

/// What is noticed while a process runs.
pub(crate) trait Observer {
    /// A call was made; there are now `depth` callers below the running function.
    #[inline(always)]
    fn called(&mut self, depth: usize) {
        let _ = depth;
    }

    /// The running function, with `depth` callers, makes its last call.
    #[inline(always)]
    fn called_last(&mut self, depth: usize, function: u32, pc: u32) {
        let _ = (depth, function, pc);
    }

    /// An exception is raised.
    #[inline(always)]
    fn raised(&mut self, below: &[Frame], current: Frame, exception: &Exception) {
        let _ = (below, current, exception);
    }

    /// The exception on its way continues at a handler of a function.
    #[inline(always)]
    fn caught(&mut self, function: u32, handler: &Handler) {
        let _ = (function, handler);
    }

    /// Nobody wanted what was caught last; it is on its way again.
    #[inline(always)]
    fn goes_on(&mut self) {}
}

impl Observer for () {}

/// Calls of a stack that are kept, from the innermost on.
const CALLS_MAX: usize = 40;

/// What is kept of a process beyond its state.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    tails: Vec<Tail>,
    /// Every exception so far.
    pub(crate) raised: Vec<Raising>,
    /// The event that is being told.
    pub(crate) step: usize,
    /// What is known of the exception that comes next, if a visible built-in raises it.
    pub(crate) refused: Option<Refused>,
}

/// A call that was a function's last act.
#[derive(Debug)]
struct Tail {
    depth: usize,
    function: u32,
    pc: u32,
    rounds: u32,
}

/// An exception and the way it takes.
#[derive(Debug)]
pub(crate) struct Raising {
    /// The event in which it was raised.
    pub(crate) step: usize,
    pub(crate) exception: Exception,
    /// Innermost first.
    pub(crate) calls: Vec<Site>,
    /// Who caught it so far: the function, the line, and how.
    pub(crate) caught: Option<(u32, u32, HandlerKind)>,
    /// What is known of it, if a visible built-in raised it.
    pub(crate) refused: Refused,
}

/// Where a call stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Site {
    pub(crate) function: u32,
    pub(crate) pc: u32,
    pub(crate) is_tail: bool,
    pub(crate) rounds: u32,
}

impl Shadow {
    /// The calls of a stack given outermost first, with those that were last acts; innermost first.
    pub(crate) fn calls(&self, frames: &[(u32, u32)]) -> Vec<Site> {
        let mut calls = Vec::new();
        for (depth, &(function, pc)) in frames.iter().enumerate().rev() {
            calls.push(Site { function, pc, is_tail: false, rounds: 1 });
            let tails = self.tails.iter().rev().filter(|tail| tail.depth == depth);
            calls.extend(tails.map(|tail| Site {
                function: tail.function,
                pc: tail.pc,
                is_tail: true,
                rounds: tail.rounds,
            }));
            if calls.len() >= CALLS_MAX {
                calls.truncate(CALLS_MAX);
                break;
            }
        }
        calls
    }

    /// Notes an exception, raised after these calls.
    pub(crate) fn note(&mut self, exception: Exception, calls: Vec<Site>) {
        let refused = self.refused.take().unwrap_or_default();
        self.raised.push(Raising { step: self.step, exception, calls, caught: None, refused });
    }

    /// Forgets the tail calls of functions with at least `depth` callers.
    fn forget(&mut self, depth: usize) {
        while self.tails.last().is_some_and(|tail| tail.depth >= depth) {
            self.tails.pop();
        }
    }
}

impl Observer for Shadow {
    fn called(&mut self, depth: usize) {
        self.forget(depth);
    }

    fn called_last(&mut self, depth: usize, function: u32, pc: u32) {
        self.forget(depth + 1);
        let is_same =
            |tail: &Tail| tail.depth == depth && (tail.function, tail.pc) == (function, pc);
        match self.tails.iter().position(is_same) {
            // A loop: what came since the last round is told by the next.
            Some(at) => {
                self.tails.truncate(at + 1);
                self.tails[at].rounds = self.tails[at].rounds.saturating_add(1);
            }
            None => self.tails.push(Tail { depth, function, pc, rounds: 1 }),
        }
    }

    fn raised(&mut self, below: &[Frame], current: Frame, exception: &Exception) {
        let frames: Vec<(u32, u32)> =
            below.iter().chain([&current]).map(|frame| (frame.function, frame.pc)).collect();
        self.note(exception.clone(), self.calls(&frames));
    }

    fn caught(&mut self, function: u32, handler: &Handler) {
        // Who only tidies up lets it go on.
        if handler.kind != HandlerKind::After
            && let Some(last) = self.raised.last_mut()
        {
            last.caught = Some((function, handler.line, handler.kind));
        }
    }

    fn goes_on(&mut self) {
        if let Some(last) = self.raised.last_mut() {
            last.caught = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(shadow: &Shadow, frames: &[(u32, u32)]) -> Vec<(u32, bool, u32)> {
        shadow.calls(frames).iter().map(|it| (it.function, it.is_tail, it.rounds)).collect()
    }

    #[test]
    fn calls_in_tail_position_are_kept_until_their_frame_returns() {
        let mut shadow = Shadow::default();
        shadow.called_last(0, 1, 10); // 1 ends in 2
        shadow.called(1); // 2 calls 3
        shadow.called_last(1, 3, 30); // which ends in 4
        let stack = [(2, 20), (4, 40)];
        assert_eq!(
            functions(&shadow, &stack),
            [(4, false, 1), (3, true, 1), (2, false, 1), (1, true, 1)]
        );
        shadow.called(1); // 4 has returned, and 2 calls 5
        assert_eq!(
            functions(&shadow, &[(2, 21), (5, 50)]),
            [(5, false, 1), (2, false, 1), (1, true, 1)]
        );
    }

    #[test]
    fn a_loop_is_told_once_with_its_rounds() {
        let mut shadow = Shadow::default();
        for _ in 0..3 {
            shadow.called_last(0, 1, 10);
            shadow.called_last(0, 2, 20);
        }
        assert_eq!(functions(&shadow, &[(1, 10)]), [(1, false, 1), (2, true, 1), (1, true, 3)]);
    }
}
