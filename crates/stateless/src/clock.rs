//! Vector clocks: which events happened before which.
//! The row of an event has a column per thread, with the word of that thread's latest event that happened before it (or is
//! it), and 0 if there is none; so `e` happened before `x` exactly if the row of `x` has at least the word of `e` in the column
//! of `e`'s thread. Rows stand in one vector and are copied, never allocated one by one. What a row is completed by afterwards is put
//! aside word by word, on a stack of its own, because the event that completes it may be undone; whole rows would be most of
//! the memory of a run with many racing messages.
//! Invariant: a row is at least the row of everything that happened before its event.

use crate::index::{EventIdx, Idx, ThreadIdx};
use std::ops::Range;

/// Columns are a multiple of this.
const EIGHT: usize = 8;

/// The rows of the events of a run, in order.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    width: usize,
    words: Vec<u32>,
    /// Words put aside.
    saved: Vec<Saved>,
}

/// What stood in the column of a thread in the row of an event.
#[derive(Clone, Copy, Debug)]
struct Saved {
    event: EventIdx,
    thread: ThreadIdx,
    word: u32,
}

impl Clocks {
    pub(crate) fn new() -> Self {
        Clocks { width: EIGHT, words: Vec::new(), saved: Vec::new() }
    }

    /// Makes room for a column.
    pub(crate) fn reserve(&mut self, thread: ThreadIdx) {
        if thread.get() < self.width {
            return;
        }
        let width = (thread.get() + 1).next_power_of_two();
        self.words = widened(&self.words, self.width, width);
        self.width = width;
    }

    /// Adds the row of a new event: what happened before the event it follows.
    pub(crate) fn push(&mut self, follows: Option<EventIdx>) {
        match follows {
            Some(event) => {
                let row = self.row(event);
                self.words.extend_from_within(row);
            }
            None => self.words.resize(self.words.len() + self.width, 0),
        }
    }

    /// Keeps the rows before that of `end`.
    pub(crate) fn truncate(&mut self, end: EventIdx) {
        self.words.truncate(self.row(end).start);
    }

    /// Whether event `e` of `thread` happened before `later`, or is it.
    pub(crate) fn knows(&self, later: EventIdx, thread: ThreadIdx, e: EventIdx) -> bool {
        self.words[self.word(later, thread)] >= e.word()
    }

    /// Everything before `earlier` now happened before `later` too.
    pub(crate) fn join(&mut self, later: EventIdx, earlier: EventIdx) {
        let (from, to) = (self.row(earlier), self.row(later));
        let (head, tail) = self.words.split_at_mut(to.start);
        let from = &head[from];
        for (word, &other) in tail[..self.width].iter_mut().zip(from) {
            *word = (*word).max(other);
        }
    }

    /// The event itself, in its own column.
    pub(crate) fn mark(&mut self, event: EventIdx, thread: ThreadIdx) {
        let word = self.word(event, thread);
        self.words[word] = event.word();
    }

    /// As [`Clocks::join`], to be undone by [`Clocks::restore`].
    pub(crate) fn complete(&mut self, later: EventIdx, earlier: EventIdx) {
        let (from, to) = (self.row(earlier), self.row(later));
        let (head, tail) = self.words.split_at_mut(to.start);
        let from = &head[from];
        let (rows, _) = tail[..self.width].as_chunks_mut::<EIGHT>();
        let (others, _) = from.as_chunks::<EIGHT>();
        for (at, (words, others)) in rows.iter_mut().zip(others).enumerate() {
            // Mostly nothing is new in eight columns, which is seen at once.
            let mut is_new = false;
            for column in 0..EIGHT {
                is_new |= words[column] < others[column];
            }
            if !is_new {
                continue;
            }
            for column in 0..EIGHT {
                if words[column] < others[column] {
                    let thread = ThreadIdx::new(at * EIGHT + column);
                    self.saved.push(Saved { event: later, thread, word: words[column] });
                    words[column] = others[column];
                }
            }
        }
    }

    /// How many words are put aside.
    pub(crate) fn n_saved(&self) -> usize {
        self.saved.len()
    }

    /// Puts words back as they were when only `n_saved` were put aside.
    pub(crate) fn restore(&mut self, n_saved: usize) {
        for Saved { event, thread, word } in self.saved.drain(n_saved..).rev() {
            self.words[event.get() * self.width + thread.get()] = word;
        }
    }

    /// Where the row of an event stands.
    fn row(&self, event: EventIdx) -> Range<usize> {
        let start = event.get() * self.width;
        start..start + self.width
    }

    /// Where the column of a thread stands in the row of an event.
    fn word(&self, event: EventIdx, thread: ThreadIdx) -> usize {
        event.get() * self.width + thread.get()
    }
}

fn widened(words: &[u32], width: usize, wider: usize) -> Vec<u32> {
    let mut all = vec![0; words.len() / width * wider];
    for (row, old) in words.chunks(width).enumerate() {
        all[row * wider..row * wider + width].copy_from_slice(old);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_before_is_known_through_others() {
        let mut clocks = Clocks::new();
        let (event, thread) = (EventIdx::new, ThreadIdx::new);
        let knows =
            |clocks: &Clocks, later, by, e| clocks.knows(event(later), thread(by), event(e));
        for number in [0, 1, 2] {
            clocks.push(None);
            clocks.mark(event(number), thread(number));
        }
        clocks.join(event(1), event(0));
        clocks.join(event(2), event(1));
        assert!(knows(&clocks, 2, 0, 0) && knows(&clocks, 2, 1, 1) && !knows(&clocks, 0, 1, 1));
        clocks.push(None);
        clocks.mark(event(3), thread(3));
        clocks.complete(event(3), event(1));
        clocks.reserve(thread(20));
        clocks.push(Some(event(0)));
        clocks.mark(event(4), thread(20));
        clocks.join(event(4), event(2));
        assert!(knows(&clocks, 4, 2, 2) && knows(&clocks, 4, 20, 4));
        clocks.truncate(event(4));
        assert!(knows(&clocks, 3, 1, 1) && knows(&clocks, 3, 0, 0) && clocks.n_saved() == 2);
        clocks.restore(0);
        assert!(knows(&clocks, 3, 3, 3) && !knows(&clocks, 3, 1, 1) && !knows(&clocks, 3, 0, 0));
    }
}
