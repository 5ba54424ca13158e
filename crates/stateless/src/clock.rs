//! Vector clocks: which events happened before which.
//! The row of an event has a column per thread, with one more than the number of that thread's latest event that happened
//! before it (or is it); so `e` happened before `x` exactly if the row of `x` is greater than `e` in the column of `e`'s
//! thread. Rows stand in one vector and are copied, never allocated one by one. A row that is completed afterwards is put
//! aside first, on a stack of its own, because the event that completes it may be undone.
//! Invariant: a row is at least the row of everything that happened before its event.

/// The rows of the events of a run, in order.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    width: usize,
    words: Vec<u32>,
    /// Rows put aside: of which events, and their words.
    saved: Vec<u32>,
    saved_words: Vec<u32>,
}

impl Clocks {
    pub(crate) fn new() -> Self {
        Clocks { width: 8, words: Vec::new(), saved: Vec::new(), saved_words: Vec::new() }
    }

    /// Makes room for a column.
    pub(crate) fn reserve(&mut self, thread: usize) {
        if thread < self.width {
            return;
        }
        let width = (thread + 1).next_power_of_two();
        self.words = widened(&self.words, self.width, width);
        self.saved_words = widened(&self.saved_words, self.width, width);
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

    /// Puts a row aside, for [`Clocks::restore`].
    pub(crate) fn save(&mut self, event: usize) {
        let start = event * self.width;
        self.saved.push(event as u32);
        self.saved_words.extend_from_slice(&self.words[start..start + self.width]);
    }

    /// How many rows are put aside.
    pub(crate) fn n_saved(&self) -> usize {
        self.saved.len()
    }

    /// Puts rows back as they were when only so many were put aside.
    pub(crate) fn restore(&mut self, n_saved: usize) {
        while self.saved.len() > n_saved {
            let start = self.saved.pop().expect("more than none") as usize * self.width;
            let words = self.saved_words.len() - self.width;
            self.words[start..start + self.width].copy_from_slice(&self.saved_words[words..]);
            self.saved_words.truncate(words);
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
        clocks.save(0);
        clocks.reserve(20);
        clocks.push(Some(0));
        clocks.mark(3, 20);
        clocks.join(3, 2);
        assert!(clocks.knows(3, 2, 2) && clocks.knows(3, 20, 3));
        clocks.truncate(3);
        clocks.mark(0, 20);
        assert!(clocks.knows(0, 20, 0) && clocks.n_saved() == 1);
        clocks.restore(0);
        assert!(clocks.knows(2, 0, 0) && clocks.knows(0, 0, 0) && !clocks.knows(0, 20, 0));
    }
}
