//! The memo of one predicate: its answers for combinations of ids in the slots it reads.
//! Its shape follows what is read. One slot: a table by id, for ever, as far as ids are small. Several: a cache with one place for each hash, because there may be
//! as many combinations as states, and a table of them all would cost a wait for memory where neighbours in a search mostly ask the same.
//! The cache grows while it often does not know, up to a bound, and is never given up: what is new in the first states of a search is
//! old later.

use foresee_lts::Field;
use foresee_search::Layout;

/// Places of a cache: at first and at most.
const PLACES_MIN: usize = 1 << 10;
const PLACES_MAX: usize = 1 << 16;

/// Ids from this on have no place in a table.
const TABLE_MAX: usize = 1 << 20;

/// Remembered answers.
#[derive(Clone)]
pub(super) enum Memo {
    /// Reads one slot at most.
    Table(Table),
    Cache(Cache),
}

#[derive(Clone, Default)]
pub(super) struct Table {
    slot: Option<usize>,
    field: Field,
    answers: Vec<u8>,
    /// For ids that are too large.
    others: Cache,
}

#[derive(Clone, Default)]
pub(super) struct Cache {
    /// Which words matter, and which of their bits.
    masks: Vec<(usize, u64)>,
    /// For each place the masked words of what was asked there last.
    keys: Vec<u64>,
    answers: Vec<u8>,
    n_asked: usize,
    n_unknown: usize,
}

const UNKNOWN: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;

impl Memo {
    /// For a predicate that reads these slots.
    pub(super) fn new(slots: &[usize]) -> Self {
        match slots {
            [] => Memo::Table(Table::default()),
            [slot] => Memo::Table(Table { slot: Some(*slot), ..Table::default() }),
            _ => Memo::Cache(Cache::default()),
        }
    }

    /// The answer for `state`. Errors are not remembered.
    #[inline]
    pub(super) fn answer<E>(
        &mut self,
        state: &[u64],
        evaluate: impl FnOnce() -> Result<bool, E>,
    ) -> Result<bool, E> {
        let known = match self {
            Memo::Table(table) => table.place(state),
            Memo::Cache(cache) => cache.place(state),
        };
        match *known {
            UNKNOWN => {
                let answer = evaluate()?;
                *known = if answer { TRUE } else { FALSE };
                Ok(answer)
            }
            known => Ok(known == TRUE),
        }
    }

    /// Must be called when the meaning of words has changed. Ids mean what they meant, so a table stays.
    pub(super) fn follow(&mut self, layout: &Layout, mask: &[u64]) {
        match self {
            Memo::Table(table) => {
                table.field = table.slot.and_then(|slot| layout.field(slot)).unwrap_or_default();
                table.others.follow(mask);
            }
            Memo::Cache(cache) => cache.follow(mask),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Memo::Table(table) => table.answers.capacity() + table.others.bytes(),
            Memo::Cache(cache) => cache.bytes(),
        }
    }
}

impl Table {
    #[inline]
    fn place(&mut self, state: &[u64]) -> &mut u8 {
        let id = self.field.read(state) as usize;
        if id >= TABLE_MAX {
            return self.others.place(state);
        }
        if id >= self.answers.len() {
            self.answers.resize((id + 1).next_power_of_two(), UNKNOWN);
        }
        &mut self.answers[id]
    }
}

impl Cache {
    /// Whether the answer for `state` is known to be true.
    #[inline]
    pub(super) fn is_true(&mut self, state: &[u64]) -> bool {
        *self.place(state) == TRUE
    }

    pub(super) fn set_true(&mut self, state: &[u64]) {
        *self.place(state) = TRUE;
    }

    pub(super) fn follow(&mut self, mask: &[u64]) {
        let masks = mask.iter().copied().enumerate().filter(|(_, mask)| *mask != 0);
        self.masks = masks.collect();
        self.make_places(self.answers.len());
    }

    pub(super) fn bytes(&self) -> usize {
        self.answers.capacity() + self.keys.capacity() * 8
    }

    fn make_places(&mut self, n: usize) {
        (self.keys, self.answers) = (vec![0; n * self.masks.len()], vec![UNKNOWN; n]);
        (self.n_asked, self.n_unknown) = (0, 0);
    }

    /// Where the answer for `state` is, or belongs.
    #[inline]
    fn place(&mut self, state: &[u64]) -> &mut u8 {
        self.n_asked += 1;
        if self.n_asked > 2 * self.answers.len() {
            self.judge();
        }
        let hash = self.masks.iter().fold(0u64, |hash, (word, mask)| {
            // Both halves of the product: every bit of the word counts.
            let key = hash ^ (state[*word] & mask) ^ 0x2D35_8DCC_AA6C_78A5;
            let product = u128::from(key) * 0x9E37_79B9_7F4A_7C15_u128;
            (product >> 64) as u64 ^ product as u64
        });
        let place = hash as usize & (self.answers.len() - 1);
        let keys = &mut self.keys[place * self.masks.len()..][..self.masks.len()];
        let answer = &mut self.answers[place];
        let masked = self.masks.iter().map(|(word, mask)| state[*word] & mask);
        if *answer == UNKNOWN || keys.iter().zip(masked.clone()).any(|(key, word)| *key != word) {
            keys.iter_mut().zip(masked).for_each(|(key, word)| *key = word);
            *answer = UNKNOWN;
            self.n_unknown += 1;
        }
        answer
    }

    /// Grows if an eighth of the answers or more were not known.
    #[cold]
    fn judge(&mut self) {
        let n_places = self.answers.len();
        let grows = n_places < PLACES_MAX && self.n_unknown >= self.n_asked / 8;
        (self.n_asked, self.n_unknown) = (0, 0);
        if grows || n_places == 0 {
            self.make_places((4 * n_places).max(PLACES_MIN));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_search::{Misfit, StateStore, VisitedKind};
    use foresee_stdx::Random;

    fn store(ids: &[u32]) -> StateStore {
        let mut store = StateStore::new(VisitedKind::Exact, None);
        let misfits: Vec<_> = (0..).zip(ids).map(|(slot, id)| Misfit { slot, id: *id }).collect();
        store.widen(&misfits);
        store
    }

    /// How many of these questions were evaluated; all answers are compared with the truth.
    fn ask(memo: &mut Memo, store: &StateStore, slots: &[usize], questions: &[Vec<u32>]) -> usize {
        memo.follow(store.layout(), &store.layout().mask_of(slots));
        let truth = |ids: &[u32]| slots.iter().map(|slot| ids[*slot]).sum::<u32>() % 3 == 1;
        let mut n_evaluated = 0;
        for ids in questions {
            let mut words = vec![0; store.layout().n_words()];
            assert!(store.layout().encode(ids, &mut words));
            let answer: Result<bool, ()> = memo.answer(&words, || {
                n_evaluated += 1;
                Ok(truth(ids))
            });
            assert_eq!(answer, Ok(truth(ids)), "{ids:?}");
        }
        n_evaluated
    }

    fn questions(random: &mut Random, n: usize, bounds: &[u64]) -> Vec<Vec<u32>> {
        let question =
            |random: &mut Random| bounds.iter().map(|b| random.below(*b) as u32).collect();
        (0..n).map(|_| question(random)).collect()
    }

    #[test]
    fn what_is_not_read_does_not_count() {
        let mut random = Random::new(4);
        for slots in [&[][..], &[1], &[0, 2], &[0, 1, 2, 3]] {
            let store = store(&[7, 7, 7, 1 << 31]);
            let mut memo = Memo::new(slots);
            let asked = questions(&mut random, 3000, &[5, 5, 5, 2]);
            let n_combinations: u64 = slots.iter().map(|slot| [5, 5, 5, 2][*slot]).product();
            let n = ask(&mut memo, &store, slots, &asked) as u64;
            // Two combinations that share a place are asked about in turns.
            let n_max = if slots.len() > 1 { 1000 } else { n_combinations };
            assert!(n >= n_combinations && n <= n_max, "{slots:?}: {n}");
        }
    }

    #[test]
    fn another_layout_changes_no_answer_and_a_table_is_kept() {
        let mut random = Random::new(5);
        for slots in [&[1][..], &[0, 1]] {
            let mut store = store(&[7, 7, 7]);
            let mut memo = Memo::new(slots);
            let asked = questions(&mut random, 500, &[8, 8, 8]);
            ask(&mut memo, &store, slots, &asked);
            store.widen(&[Misfit { slot: 2, id: u32::MAX }, Misfit { slot: 3, id: u32::MAX }]);
            let n = ask(&mut memo, &store, slots, &asked);
            assert_eq!(n == 0, slots.len() == 1, "{slots:?}: {n}");
        }
    }

    #[test]
    fn large_ids_take_no_large_table() {
        let store = store(&[u32::MAX, 7]);
        let mut memo = Memo::new(&[0]);
        let asked: Vec<Vec<u32>> =
            (0..3000u32).map(|n| vec![u32::MAX - n % 10 * 77_777, n % 8]).collect();
        let n = ask(&mut memo, &store, &[0], &asked);
        assert!((10..1000).contains(&n), "{n}");
        assert!(memo.bytes() < 1 << 20, "{}", memo.bytes());
    }

    #[test]
    fn a_cache_is_bounded_and_not_given_up_for_a_bad_start() {
        let store = store(&[u32::MAX, u32::MAX]);
        let (mut memo, mut random) = (Memo::new(&[0, 1]), Random::new(6));
        let new: Vec<Vec<u32>> = (0..300_000).map(|n| vec![n, 7 * n]).collect();
        assert_eq!(ask(&mut memo, &store, &[0, 1], &new), new.len());
        assert!(memo.bytes() <= PLACES_MAX * 17, "{}", memo.bytes());
        let old = questions(&mut random, 100_000, &[50, 50]);
        let n = ask(&mut memo, &store, &[0, 1], &old);
        assert!(n < 10_000, "{n} of {}", old.len());
    }
}
