//! Vector clocks: which events happened before which.
//! The row of an event has a column per thread, with one more than the number of that thread's latest event that happened
//! before it (or is it); so `e` happened before `x` exactly if the row of `x` is greater than `e` in the column of `e`'s
//! thread. Rows stand in one vector and are copied, never allocated one by one. What a row is completed by afterwards is put
//! aside word by word, on a stack of its own, because the event that completes it may be undone; whole rows would be most of
//! the memory of a run with many racing messages.
//! Invariant: a row is at least the row of everything that happened before its event.

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
    event: u32,
    thread: u32,
    word: u32,
}

impl Clocks {
    pub(crate) fn new() -> Self {
        Clocks { width: EIGHT, words: Vec::new(), saved: Vec::new() }
    }

    /// Makes room for a column.
    pub(crate) fn reserve(&mut self, thread: usize) {
        if thread < self.width {
            return;
        }
        let width = (thread + 1).next_power_of_two();
        self.words = widened(&self.words, self.width, width);
        self.width = width;
    }

    /// Adds the row of a new event: what happened before the event it follows.
    pub(crate) fn push(&mut self, follows: Option<usize>) {
        match follows {
            Some(event) => {
                let start = event * self.width;
                self.words.extend_from_within(start..start + self.width);
            }
            None => self.words.resize(self.words.len() + self.width, 0),
        }
    }

    pub(crate) fn truncate(&mut self, n_events: usize) {
        self.words.truncate(n_events * self.width);
    }

    /// Whether event `e` of `thread` happened before `later`, or is it.
    pub(crate) fn knows(&self, later: usize, thread: usize, e: usize) -> bool {
        self.words[later * self.width + thread] > e as u32
    }

    /// Everything before `earlier` now happened before `later` too.
    pub(crate) fn join(&mut self, later: usize, earlier: usize) {
        let (head, tail) = self.words.split_at_mut(later * self.width);
        let from = &head[earlier * self.width..(earlier + 1) * self.width];
        for (word, &other) in tail[..self.width].iter_mut().zip(from) {
            *word = (*word).max(other);
        }
    }

    /// The event itself, in its own column.
    pub(crate) fn mark(&mut self, event: usize, thread: usize) {
        self.words[event * self.width + thread] = event as u32 + 1;
    }

    /// As [`Clocks::join`], to be undone by [`Clocks::restore`].
    pub(crate) fn complete(&mut self, later: usize, earlier: usize) {
        let (head, tail) = self.words.split_at_mut(later * self.width);
        let from = &head[earlier * self.width..(earlier + 1) * self.width];
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
                    let (event, thread) = (later as u32, (at * EIGHT + column) as u32);
                    self.saved.push(Saved { event, thread, word: words[column] });
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
            self.words[event as usize * self.width + thread as usize] = word;
        }
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
        for (event, thread) in [0, 1, 2].into_iter().enumerate() {
            clocks.push(None);
            clocks.mark(event, thread);
        }
        clocks.join(1, 0);
        clocks.join(2, 1);
        assert!(clocks.knows(2, 0, 0) && clocks.knows(2, 1, 1) && !clocks.knows(0, 1, 1));
        clocks.push(None);
        clocks.mark(3, 3);
        clocks.complete(3, 1);
        clocks.reserve(20);
        clocks.push(Some(0));
        clocks.mark(4, 20);
        clocks.join(4, 2);
        assert!(clocks.knows(4, 2, 2) && clocks.knows(4, 20, 4));
        clocks.truncate(4);
        assert!(clocks.knows(3, 1, 1) && clocks.knows(3, 0, 0) && clocks.n_saved() == 2);
        clocks.restore(0);
        assert!(clocks.knows(3, 3, 3) && !clocks.knows(3, 1, 1) && !clocks.knows(3, 0, 0));
    }
}
