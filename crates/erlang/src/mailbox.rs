//! The messages of a process, as a list that shares its tail with the mailbox before the last message came.
//! Why: every mailbox that ever was stays interned. With a vector each, a flood of n messages would take memory and time of
//! n²; so a message costs one cell, and its hash one step.
//! Order: positions count from the oldest, 0.

use crate::term::Term;
use smallvec::SmallVec;

/// Messages, oldest first.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Mailbox {
    newest_first: Term,
    n: usize,
}

impl Default for Mailbox {
    fn default() -> Self {
        Mailbox { newest_first: Term::Nil, n: 0 }
    }
}

impl Mailbox {
    pub fn len(&self) -> usize {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Term> {
        let messages: SmallVec<[&Term; 8]> = self.newest_first.cells().collect();
        messages.into_iter().rev()
    }

    pub fn get(&self, at: usize) -> Option<&Term> {
        self.newest_first.cells().nth(self.n.checked_sub(at + 1)?)
    }

    pub fn newest(&self) -> Option<&Term> {
        self.newest_first.cells().next()
    }

    /// A message comes in.
    pub fn push(&mut self, message: Term) {
        let rest = std::mem::replace(&mut self.newest_first, Term::Nil);
        self.newest_first = Term::cons(message, rest);
        self.n += 1;
    }

    /// Takes the message at a position out.
    pub fn remove(&mut self, at: usize) -> Term {
        let mut cells = self.newest_first.cells();
        let newer: SmallVec<[Term; 8]> = cells.by_ref().take(self.n - 1 - at).cloned().collect();
        let message = cells.next().expect("a position in the mailbox").clone();
        self.newest_first = Term::list_with_tail(newer, cells.rest().clone());
        self.n -= 1;
        message
    }

    pub fn retain(&mut self, keep: impl FnMut(&&Term) -> bool) {
        let kept: Vec<Term> = self.iter().filter(keep).cloned().collect();
        *self = kept.into_iter().collect();
    }

    pub fn clear(&mut self) {
        *self = Mailbox::default();
    }

    /// The hash of the messages, and of those before the newest came.
    pub(crate) fn hashes(&self) -> (u64, u64) {
        let before = match &self.newest_first {
            Term::Cons(cell) => cell.tail.content_hash(),
            _ => 0,
        };
        (self.newest_first.content_hash(), before)
    }
}

impl FromIterator<Term> for Mailbox {
    fn from_iter<I: IntoIterator<Item = Term>>(messages: I) -> Mailbox {
        let mut mailbox = Mailbox::default();
        messages.into_iter().for_each(|message| mailbox.push(message));
        mailbox
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_and_go_as_in_a_queue() {
        let mut mailbox: Mailbox = (0..10).map(Term::Int).collect();
        assert_eq!(mailbox.remove(0), Term::Int(0));
        assert_eq!(mailbox.remove(8), Term::Int(9));
        assert_eq!(mailbox.remove(2), Term::Int(3));
        let left: Vec<i64> = mailbox.iter().filter_map(Term::as_int).collect();
        assert_eq!((left, mailbox.len()), (vec![1, 2, 4, 5, 6, 7, 8], 7));
        assert_eq!((mailbox.get(0), mailbox.get(6)), (Some(&Term::Int(1)), Some(&Term::Int(8))));
        assert_eq!((mailbox.get(7), mailbox.newest()), (None, Some(&Term::Int(8))));
        mailbox.retain(|message| message.as_int() > Some(6));
        assert_eq!(mailbox, [7, 8].map(Term::Int).into_iter().collect());
        mailbox.clear();
        assert!(mailbox.is_empty() && mailbox.get(0).is_none());
    }
}
