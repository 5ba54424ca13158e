//! The messages of a process, as a queue that shares what it can with the mailboxes before and after it.
//! Why: every mailbox that ever was stays interned. With a vector each, n messages that come and go would take memory and time
//! of n². So the older messages are a list from the oldest on, the newer ones a list from the newest on: one that comes costs a
//! cell, and taking the oldest nothing, but for turning the newer ones round once.
//! Order: positions count from the oldest, 0.
//! Invariant: the hash and equality are those of the messages in order, however they are spread over the two lists. The hash is
//! a polynomial in `BASE`, the newest message its lowest term, so that it can be had after a change without looking at all.

use crate::term::Term;
use foresee_stdx::mix;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Messages, oldest first.
#[derive(Clone, Debug)]
pub struct Mailbox {
    oldest_first: Term,
    n_older: usize,
    newest_first: Term,
    n_newer: usize,
    sum: u64,
}

/// Sums are counted modulo this prime, 2^61 - 1: then nearly all changes of order show in them.
const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x1E37_79B9_7F4A_7C15;
/// `BASE * INVERSE` is 1.
const INVERSE: u64 = power_of(BASE, PRIME - 2);

const fn product(a: u64, b: u64) -> u64 {
    let whole = a as u128 * b as u128;
    let folded = (whole & PRIME as u128) as u64 + (whole >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

const fn power_of(base: u64, exponent: u64) -> u64 {
    let (mut power, mut square, mut left) = (1, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        left /= 2;
    }
    power
}

fn sum_of(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn difference(a: u64, b: u64) -> u64 {
    sum_of(a, PRIME - b)
}

/// What a message adds to the sum, before its place.
fn weight(message: &Term) -> u64 {
    mix(message.content_hash()) % PRIME
}

impl Default for Mailbox {
    fn default() -> Self {
        let (oldest_first, newest_first) = (Term::Nil, Term::Nil);
        Mailbox { oldest_first, n_older: 0, newest_first, n_newer: 0, sum: 0 }
    }
}

impl PartialEq for Mailbox {
    fn eq(&self, other: &Mailbox) -> bool {
        if self.sum != other.sum || self.len() != other.len() {
            return false;
        }
        // Where both are spread alike their lists mostly share their tails.
        if self.n_older == other.n_older {
            return self.oldest_first == other.oldest_first
                && self.newest_first == other.newest_first;
        }
        self.iter().eq(other.iter())
    }
}

impl Eq for Mailbox {}

impl Hash for Mailbox {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_of(self.sum, self.len()));
    }
}

impl Mailbox {
    pub fn len(&self) -> usize {
        self.n_older + self.n_newer
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Term> {
        // Who finds what it looks for among the older ones does not pay for the others.
        let newer = std::iter::once(&self.newest_first).flat_map(|newest_first| {
            let messages: SmallVec<[&Term; 8]> = newest_first.cells().collect();
            messages.into_iter().rev()
        });
        self.oldest_first.cells().chain(newer)
    }

    pub fn get(&self, at: usize) -> Option<&Term> {
        if at < self.n_older {
            return self.oldest_first.cells().nth(at);
        }
        self.newest_first.cells().nth(self.len().checked_sub(at + 1)?)
    }

    pub fn newest(&self) -> Option<&Term> {
        match self.n_newer {
            0 => self.oldest_first.cells().last(),
            _ => self.newest_first.cells().next(),
        }
    }

    /// A message comes in.
    pub fn push(&mut self, message: Term) {
        self.sum = sum_of(product(self.sum, BASE), weight(&message));
        let rest = std::mem::replace(&mut self.newest_first, Term::Nil);
        self.newest_first = Term::cons(message, rest);
        self.n_newer += 1;
    }

    /// Takes the message at a position out.
    pub fn remove(&mut self, at: usize) -> Term {
        if self.n_older == 0 {
            let newer = std::mem::replace(&mut self.newest_first, Term::Nil);
            self.oldest_first =
                newer.cells().fold(Term::Nil, |list, it| Term::cons(it.clone(), list));
            (self.n_older, self.n_newer) = (self.n_newer, 0);
        }
        let message = self.get(at).expect("a position in the mailbox").clone();
        self.sum = self.sum_without(at, &message);
        if at < self.n_older {
            self.oldest_first = without(&self.oldest_first, at);
            self.n_older -= 1;
        } else {
            self.newest_first = without(&self.newest_first, self.len() - 1 - at);
            self.n_newer -= 1;
        }
        message
    }

    /// The sum without the message at a position: the older ones move down by one power.
    fn sum_without(&self, at: usize, message: &Term) -> u64 {
        let n_newer = (self.len() - 1 - at) as u64;
        let place = power_of(BASE, n_newer);
        let older = self.iter().take(at);
        let older = older.fold(0, |sum, it| sum_of(product(sum, BASE), weight(it)));
        let moved = product(older, place);
        let newer =
            difference(self.sum, sum_of(product(moved, BASE), product(weight(message), place)));
        sum_of(moved, newer)
    }

    pub fn retain(&mut self, keep: impl FnMut(&&Term) -> bool) {
        let kept: Vec<Term> = self.iter().filter(keep).cloned().collect();
        *self = kept.into_iter().collect();
    }

    pub fn clear(&mut self) {
        *self = Mailbox::default();
    }

    /// The hash of the messages, and of those before the newest came, if that is easily known.
    pub(crate) fn hashes(&self) -> (u64, Option<u64>) {
        let before = self.newest_first.cells().next().map(|newest| {
            let sum = product(difference(self.sum, weight(newest)), INVERSE);
            hash_of(sum, self.len() - 1)
        });
        (hash_of(self.sum, self.len()), before)
    }
}

fn hash_of(sum: u64, n: usize) -> u64 {
    mix(sum ^ mix(n as u64))
}

/// A list without the cell at a position; those after it are shared.
fn without(list: &Term, at: usize) -> Term {
    let mut cells = list.cells();
    let before: SmallVec<[Term; 8]> = cells.by_ref().take(at).cloned().collect();
    cells.next();
    Term::list_with_tail(before, cells.rest().clone())
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
    use foresee_stdx::Random;

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

    /// Any history gives the mailbox that its messages alone give, hash included.
    #[test]
    fn only_the_messages_count() {
        for seed in 0..200 {
            let (mut random, mut mailbox, mut plain) =
                (Random::new(seed), Mailbox::default(), Vec::new());
            for _ in 0..60 {
                if plain.is_empty() || random.below(5) > 1 {
                    let message = Term::Int(random.below(4) as i64);
                    mailbox.push(message.clone());
                    plain.push(message);
                } else {
                    let at = random.below(plain.len().min(3) as u64) as usize;
                    assert_eq!(mailbox.remove(at), plain.remove(at));
                }
                let anew: Mailbox = plain.iter().cloned().collect();
                assert_eq!(mailbox, anew, "seed {seed}");
                assert_eq!(mailbox.hashes().0, anew.hashes().0, "seed {seed}");
                assert!(mailbox.iter().eq(plain.iter()) && mailbox.newest() == plain.last());
                assert!((0..=plain.len()).all(|at| mailbox.get(at) == plain.get(at)));
                if let (Some(before), [others @ .., _]) = (mailbox.hashes().1, &plain[..]) {
                    let earlier: Mailbox = others.iter().cloned().collect();
                    assert_eq!(earlier.hashes().0, before, "seed {seed}");
                }
            }
        }
    }
}
