//! The backtracking matcher.
//! One stack holds what to do when the match fails: places still to try, and slots to put back. An assertion or atomic
//! group runs on top of that stack; when it succeeds its places are dropped but the slots to put back stay.

use super::compile::{Op, Program};
use super::tree::Assertion;
use super::{Groups, MatchOptions, TooHard};
use foresee_stdx::halt;

/// Steps after which a match is given up, unless a limit on time will end it.
const STEPS_MAX: u64 = 2_000_000;
/// How deep patterns may call themselves.
const DEPTH_MAX: usize = 400;
const NEWLINE: u32 = 0x0A;
const NOWHERE: usize = usize::MAX;

/// Tries to match at one place; `start` is where the search began.
pub(super) fn match_at(
    program: &Program,
    subject: &[u32],
    start: usize,
    at: usize,
    options: MatchOptions,
) -> Result<Option<Groups>, TooHard> {
    let mut matcher = Matcher {
        program,
        subject,
        start,
        first: at,
        options,
        slots: vec![NOWHERE; program.n_slots],
        stack: Vec::new(),
        n_steps: 0,
        steps_max: if halt::is_time_limited() { u64::MAX } else { STEPS_MAX },
        depth: 0,
    };
    if matcher.run(0, at)?.is_none() {
        return Ok(None);
    }
    let group = |n: usize| {
        let (from, to) = (matcher.slots[2 * n], matcher.slots[2 * n + 1]);
        // `\K` inside a look-ahead may move the start behind the end.
        (from != NOWHERE && to != NOWHERE).then_some((from, to.max(from)))
    };
    Ok(Some((0..=program.n_groups).map(group).collect()))
}

enum Back {
    Try { pc: usize, at: usize },
    Restore { slot: usize, value: usize },
}

struct Matcher<'a> {
    program: &'a Program,
    subject: &'a [u32],
    start: usize,
    first: usize,
    options: MatchOptions,
    slots: Vec<usize>,
    stack: Vec<Back>,
    n_steps: u64,
    steps_max: u64,
    depth: usize,
}

impl Matcher<'_> {
    /// Runs up to `Accept`; where it stands then. Failing puts everything back.
    fn run(&mut self, pc: usize, at: usize) -> Result<Option<usize>, TooHard> {
        let base = self.stack.len();
        let (mut pc, mut at) = (pc, at);
        loop {
            self.n_steps += 1;
            if self.n_steps.is_multiple_of(1 << 14) {
                halt::look();
            }
            if self.n_steps > self.steps_max {
                return Err(TooHard);
            }
            let program = self.program;
            let next = match &program.code[pc] {
                Op::Unit(unit) => (self.subject.get(at) == Some(unit)).then_some((pc + 1, at + 1)),
                Op::Class(class) => {
                    let inside = self.subject.get(at).is_some_and(|unit| class.contains(*unit));
                    inside.then_some((pc + 1, at + 1))
                }
                Op::Assert(assertion) => self.holds(*assertion, at).then_some((pc + 1, at)),
                Op::Split(first, second) => {
                    self.stack.push(Back::Try { pc: *second, at });
                    Some((*first, at))
                }
                Op::Jump(to) => Some((*to, at)),
                Op::Save(slot) => {
                    self.save(*slot, at);
                    Some((pc + 1, at))
                }
                Op::Back(group, caseless) => {
                    self.back(*group, *caseless, at).map(|at| (pc + 1, at))
                }
                Op::Atomic(to) => self.atomic(pc + 1, at)?.map(|at| (*to, at)),
                Op::Look(negated, to) => {
                    let found = if *negated {
                        self.tried(pc + 1, at)?.is_some()
                    } else {
                        self.atomic(pc + 1, at)?.is_some()
                    };
                    (found != *negated).then_some((*to, at))
                }
                Op::Rewind(n) => at.checked_sub(*n).map(|at| (pc + 1, at)),
                Op::Call(to) => self.tried(*to, at)?.map(|at| (pc + 1, at)),
                Op::UnlessGroup(group, to) => {
                    let matched = self.slots[2 * group + 1] != NOWHERE;
                    Some((if matched { pc + 1 } else { *to }, at))
                }
                Op::Again(slot, start) => {
                    let moved = self.slots[*slot] != at;
                    Some((if moved { *start } else { pc + 1 }, at))
                }
                Op::Accept if self.depth == 0 && self.is_unwanted(at) => None,
                Op::Accept => return Ok(Some(at)),
            };
            match next {
                Some(next) => (pc, at) = next,
                None => match self.retreat(base) {
                    Some(next) => (pc, at) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    fn is_unwanted(&self, at: usize) -> bool {
        let empty = self.slots[0] == at;
        empty
            && (self.options.not_empty
                || self.options.not_empty_at_start && at == self.start && self.first == self.start)
    }

    fn save(&mut self, slot: usize, at: usize) {
        self.stack.push(Back::Restore { slot, value: self.slots[slot] });
        self.slots[slot] = at;
    }

    /// The last place still to try above `base`.
    fn retreat(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.stack.len() > base {
            match self.stack.pop()? {
                Back::Try { pc, at } => return Some((pc, at)),
                Back::Restore { slot, value } => self.slots[slot] = value,
            }
        }
        None
    }

    fn inner(&mut self, pc: usize, at: usize) -> Result<Option<usize>, TooHard> {
        if self.depth >= DEPTH_MAX {
            return Err(TooHard);
        }
        self.depth += 1;
        let end = self.run(pc, at);
        self.depth -= 1;
        end
    }

    /// Matches a part for good: nothing inside of it is tried again, its groups stay set.
    fn atomic(&mut self, pc: usize, at: usize) -> Result<Option<usize>, TooHard> {
        let base = self.stack.len();
        let end = self.inner(pc, at)?;
        if end.is_some() {
            let kept: Vec<Back> = self
                .stack
                .drain(base..)
                .filter(|entry| matches!(entry, Back::Restore { .. }))
                .collect();
            self.stack.extend(kept);
        }
        Ok(end)
    }

    /// Matches a part and forgets its groups: a call, or an assertion that must fail.
    fn tried(&mut self, pc: usize, at: usize) -> Result<Option<usize>, TooHard> {
        let base = self.stack.len();
        let end = self.inner(pc, at)?;
        while self.retreat(base).is_some() {}
        Ok(end)
    }

    fn back(&self, group: usize, caseless: bool, at: usize) -> Option<usize> {
        let (from, to) = (self.slots[2 * group], self.slots[2 * group + 1]);
        if from == NOWHERE || to == NOWHERE {
            return None;
        }
        let text = self.subject.get(from..to)?;
        let here = self.subject.get(at..at + text.len())?;
        let same = text.iter().zip(here).all(|(a, b)| {
            a == b || caseless && super::class::Class::one(*a).caseless(true).contains(*b)
        });
        same.then_some(at + text.len())
    }

    fn holds(&self, assertion: Assertion, at: usize) -> bool {
        let len = self.subject.len();
        let last_newline = at + 1 == len && self.subject[at] == NEWLINE;
        match assertion {
            Assertion::Start => at == 0,
            Assertion::Circumflex => at == 0 && !self.options.not_bol,
            Assertion::LineStart => {
                at == 0 && !self.options.not_bol
                    || at > 0 && at < len && self.subject[at - 1] == NEWLINE
            }
            Assertion::End => at == len,
            Assertion::EndOrNewline => at == len || last_newline,
            Assertion::Dollar(end_only) => {
                !self.options.not_eol && (at == len || last_newline && !end_only)
            }
            Assertion::LineEnd => {
                at == len && !self.options.not_eol || at < len && self.subject[at] == NEWLINE
            }
            Assertion::First => at == self.start,
            Assertion::Word(boundary, properties) => {
                let word = &self.program.word[usize::from(properties)];
                let is_word = |unit: Option<&u32>| unit.is_some_and(|unit| word.contains(*unit));
                let before = at.checked_sub(1).and_then(|at| self.subject.get(at));
                (is_word(before) != is_word(self.subject.get(at))) == boundary
            }
        }
    }
}
