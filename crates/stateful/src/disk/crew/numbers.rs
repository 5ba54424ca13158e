//! What workers say to each other as numbers: how far they are, and why they stop.

use crate::engine::Stop;
use foresee_lts::StoppedBy;
use foresee_search::{Varint, put_varint};

/// How far a worker is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) frontier: u64,
    pub(super) memory: u64,
    pub(super) disk: u64,
    pub(super) sent: u64,
}

impl Figures {
    pub(super) fn numbers(self) -> [u64; 6] {
        [self.states, self.transitions, self.frontier, self.memory, self.disk, self.sent]
    }

    pub(super) fn of(numbers: &[u64]) -> Option<Figures> {
        let [states, transitions, frontier, memory, disk, sent] = *numbers.first_chunk::<6>()?;
        Some(Figures { states, transitions, frontier, memory, disk, sent })
    }
}

const LIMITS: [StoppedBy; 5] =
    [StoppedBy::Time, StoppedBy::Memory, StoppedBy::Interrupt, StoppedBy::Disk, StoppedBy::States];

/// A reason to stop, as a number from 1; 0 for none.
pub(super) fn number_of(stop: Option<Stop>) -> u64 {
    match stop {
        Some(Stop::Limit(limit)) => {
            LIMITS.iter().position(|it| *it == limit).unwrap_or(2) as u64 + 1
        }
        _ => 0,
    }
}

pub(super) fn limit_of(number: u64) -> Option<StoppedBy> {
    LIMITS.get((number as usize).checked_sub(1)?).copied()
}

pub(super) fn put_numbers(out: &mut Vec<u8>, numbers: &[u64]) {
    numbers.iter().for_each(|number| put_varint(out, *number));
}

pub(super) fn take_numbers(bytes: &[u8]) -> Option<Vec<u64>> {
    let (mut at, mut numbers) = (0, Vec::new());
    while at < bytes.len() {
        numbers.push(Varint::take(bytes, &mut at)?);
    }
    Some(numbers)
}
