//! Typed indices: the number of an event, of a thread, of a mailbox, each a type of its own, and vectors that only the right type opens.
//! Why: an event, the thread that ran it and the mailbox it delivers to are all small numbers, and the algorithms here pass
//! several of them to one function. With bare integers the compiler cannot see that two were exchanged, nor that a number which
//! stands for "none" was used as a place.
//! Invariant: an index holds twice its place and one, so that 0 is free: `Option` of an index is as small as the index, and
//! the order of `Option`s puts `None` before every place. One more than the place would do as well, but cannot be made without
//! asking whether it is 0.
//! Not here: names of threads, objects and mailboxes that systems give (`numbers` turns them into indices), and plain counts.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut, Range};

/// A place in a vector of one kind of thing.
pub(crate) trait Idx: Copy + Default + Ord {
    fn new(place: usize) -> Self;

    fn get(self) -> usize;

    /// A word that is greater for later places, and never 0.
    fn word(self) -> u32;

    /// The place after this one.
    fn next(self) -> Self {
        Self::new(self.get() + 1)
    }

    /// The place before this one.
    fn previous(self) -> Option<Self> {
        self.get().checked_sub(1).map(Self::new)
    }

    /// The places from this one on, before `end`.
    fn until(self, end: Self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (self.get()..end.get()).map(Self::new)
    }
}

/// Half of what fits in a word.
const PLACE_MAX: usize = (u32::MAX >> 1) as usize;

macro_rules! index_types {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
        pub(crate) struct $name(NonZeroU32);

        impl Idx for $name {
            #[inline]
            fn new(place: usize) -> Self {
                debug_assert!(place <= PLACE_MAX, "a place that an index can hold");
                $name(NonZeroU32::MIN | (place as u32) << 1)
            }

            #[inline]
            fn get(self) -> usize {
                (self.0.get() >> 1) as usize
            }

            #[inline]
            fn word(self) -> u32 {
                self.0.get()
            }
        }

        /// The first place.
        impl Default for $name {
            fn default() -> Self {
                Idx::new(0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.get().fmt(f)
            }
        }
    )*};
}

index_types! {
    /// An event of the run. The state in which it happens, and the frame of that state, have the same number: the last frame
    /// has that of the event to come.
    EventIdx;
    /// A thread, as `numbers` counts them.
    ThreadIdx;
    /// An object that events access, as `numbers` counts them.
    ObjectIdx;
    /// A mailbox, as `numbers` counts them.
    MailboxIdx;
    /// An access of an object, among all accesses of the run.
    TouchIdx;
    /// A message among those that reached one mailbox.
    ArrivalIdx;
    /// A state of the graph of known states.
    NodeIdx;
    /// A step between two states of that graph.
    EdgeIdx;
    /// A step among those that were explored from the frames of the stack.
    DoneIdx;
    /// A step of a sequence.
    StepIdx;
    /// A branch among those that workers have taken from a state that they share.
    BranchIdx;
}

/// Places of a vector that is not typed, in half the space of a [`Range`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    start: u32,
    end: u32,
}

impl Places {
    pub(crate) fn new(start: usize, end: usize) -> Places {
        debug_assert!(end <= u32::MAX as usize, "places that can be held");
        Places { start: start as u32, end: end as u32 }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A vector that is indexed by `I`.
#[derive(Clone, Debug)]
pub(crate) struct Table<I, T> {
    items: Vec<T>,
    index: PhantomData<I>,
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Table { items: Vec::new(), index: PhantomData }
    }
}

impl<I: Idx, T> Table<I, T> {
    /// The same item at all places before `end`.
    pub(crate) fn filled(item: T, end: I) -> Self
    where
        T: Clone,
    {
        Table { items: vec![item; end.get()], index: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Where the next item will be.
    pub(crate) fn end(&self) -> I {
        I::new(self.items.len())
    }

    /// Adds an item and gives its place.
    pub(crate) fn push(&mut self, item: T) -> I {
        let place = self.end();
        self.items.push(item);
        place
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Keeps what is before `end`.
    pub(crate) fn truncate(&mut self, end: I) {
        self.items.truncate(end.get());
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
    }

    /// Makes sure that there are items at all places before `end`.
    pub(crate) fn reserve(&mut self, end: I, new: impl FnMut() -> T) {
        if self.items.len() < end.get() {
            self.items.resize_with(end.get(), new);
        }
    }

    pub(crate) fn get(&self, at: I) -> Option<&T> {
        self.items.get(at.get())
    }

    pub(crate) fn last(&self) -> Option<&T> {
        self.items.last()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The items from a place on.
    pub(crate) fn from(&self, start: I) -> &[T] {
        &self.items[start.get()..]
    }

    /// The items before a place.
    pub(crate) fn before(&self, end: I) -> &[T] {
        &self.items[..end.get()]
    }

    /// The items from a place on, before `end`.
    pub(crate) fn between(&self, start: I, end: I) -> &[T] {
        &self.items[start.get()..end.get()]
    }
}

impl<I: Idx, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, at: I) -> &T {
        &self.items[at.get()]
    }
}

impl<I: Idx, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, at: I) -> &mut T {
        &mut self.items[at.get()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_index_costs_no_space() {
        assert_eq!(size_of::<Option<EventIdx>>(), 4);
        assert_eq!(size_of::<EventIdx>(), 4);
        assert!(None < Some(EventIdx::default()));
    }

    #[test]
    fn places_come_back_and_follow_each_other() {
        let mut table: Table<EventIdx, char> = Table::default();
        let (a, b) = (table.push('a'), table.push('b'));
        assert_eq!((a.get(), b.get(), a.previous()), (0, 1, None));
        assert!(0 < a.word() && a.word() < b.word());
        assert_eq!((a.next(), b.previous(), table.end()), (b, Some(a), b.next()));
        assert_eq!(a.until(table.end()).map(|at| table[at]).collect::<String>(), "ab");
        table.reserve(EventIdx::new(4), || 'c');
        assert_eq!(
            (table.len(), table.from(b), table.between(a, b)),
            (4, &['b', 'c', 'c'][..], &['a'][..])
        );
    }
}
