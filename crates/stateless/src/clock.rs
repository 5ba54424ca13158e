//! Vector clocks: which events happened before which.
//! The row of an event has a column per thread, with one more than the number of that thread's latest event that happened
//! before it (or is it); so `e` happened before `x` exactly if the row of `x` is greater than `e` in the column of `e`'s
//! thread. Rows stand in one vector and are copied, never allocated one by one.
//! Invariant: a row is at least the row of everything that happened before its event.

/// The rows of the events of a run, in order.
#[derive(Debug)]
pub(crate) struct Clocks {
    width: usize,
    words: Vec<u32>,
}

impl Clocks {
    pub(crate) fn new() -> Self {
        Clocks { width: 8, words: Vec::new() }
    }

    /// Makes room for a column.
    pub(crate) fn reserve(&mut self, thread: usize) {
        if thread < self.width {
            return;
        }
        let width = (thread + 1).next_power_of_two();
        let n_rows = self.words.len() / self.width;
        let mut words = vec![0; n_rows * width];
        for (row, old) in self.words.chunks(self.width).enumerate() {
            words[row * width..row * width + self.width].copy_from_slice(old);
        }
        (self.words, self.width) = (words, width);
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

    /// A copy of the rows from `first` on, for [`Clocks::restore`].
    pub(crate) fn save(&self, first: usize) -> Saved {
        Saved { first, width: self.width, words: self.words[first * self.width..].to_vec() }
    }

    /// Puts rows back as they were.
    pub(crate) fn restore(&mut self, saved: &Saved) {
        for (row, words) in saved.words.chunks(saved.width).enumerate() {
            let start = (saved.first + row) * self.width;
            self.words[start..start + saved.width].copy_from_slice(words);
            self.words[start + saved.width..start + self.width].fill(0);
        }
    }
}

/// Rows put aside.
#[derive(Debug)]
pub(crate) struct Saved {
    first: usize,
    width: usize,
    words: Vec<u32>,
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
        let saved = clocks.save(1);
        clocks.reserve(20);
        clocks.push(Some(0));
        clocks.mark(3, 20);
        clocks.join(3, 2);
        assert!(clocks.knows(3, 2, 2) && clocks.knows(3, 20, 3));
        clocks.truncate(3);
        clocks.restore(&saved);
        assert!(clocks.knows(2, 0, 0) && !clocks.knows(2, 20, 0));
    }
}
