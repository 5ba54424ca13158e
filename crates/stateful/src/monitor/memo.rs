//! The memo of one predicate: its answer for each combination of ids in the slots it reads.
//! A memo that seldom knows the answer is a waste of memory and is given up.

use rustc_hash::FxHashMap;

/// So many questions are asked before a memo is judged.
const TRIAL: u32 = 4096;

#[derive(Clone, Default)]
pub(crate) struct Memo {
    /// By the masked bits, where they lie in one word.
    narrow: FxHashMap<u64, bool>,
    wide: FxHashMap<Box<[u64]>, bool>,
    key: Vec<u64>,
    n_asked: u32,
    n_known: u32,
    is_given_up: bool,
}

impl Memo {
    /// The answer for `state`, of which only the bits in `mask` matter. Errors are not remembered.
    pub(super) fn answer<E>(
        &mut self,
        mask: &[u64],
        state: &[u64],
        evaluate: impl FnOnce() -> Result<bool, E>,
    ) -> Result<bool, E> {
        if self.is_given_up {
            return evaluate();
        }
        self.key.clear();
        let masked = mask.iter().zip(state).filter(|(mask, _)| **mask != 0);
        self.key.extend(masked.map(|(mask, word)| mask & word));
        self.n_asked += 1;
        let known = match self.key.as_slice() {
            [word] => self.narrow.get(word),
            key => self.wide.get(key),
        };
        if let Some(answer) = known {
            self.n_known += 1;
            return Ok(*answer);
        }
        let answer = evaluate()?;
        match self.key.as_slice() {
            [word] => self.narrow.insert(*word, answer),
            key => self.wide.insert(key.into(), answer),
        };
        self.judge();
        Ok(answer)
    }

    /// Forgets everything, because the meaning of words has changed.
    pub(super) fn clear(&mut self) {
        self.narrow.clear();
        self.wide.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        // A table has a byte of its own per place, and a box some bytes beside its content.
        let boxed = self.key.len() * size_of::<u64>() + 16;
        self.narrow.capacity() * 17 + self.wide.capacity() * 25 + self.wide.len() * boxed
    }

    fn judge(&mut self) {
        if self.n_asked < TRIAL {
            return;
        }
        if self.n_known < self.n_asked / 4 {
            self.is_given_up = true;
            (self.narrow, self.wide) = (FxHashMap::default(), FxHashMap::default());
        }
        (self.n_asked, self.n_known) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(memo: &mut Memo, word: u64, n_evaluated: &mut u32) -> bool {
        let answer: Result<bool, ()> = memo.answer(&[0xFF, 0], &[word, word], || {
            *n_evaluated += 1;
            Ok(word & 1 == 1)
        });
        answer.unwrap()
    }

    #[test]
    fn only_the_masked_bits_count() {
        let (mut memo, mut n) = (Memo::default(), 0);
        assert!(ask(&mut memo, 0x101, &mut n) && ask(&mut memo, 0x201, &mut n));
        assert!(!ask(&mut memo, 0x202, &mut n));
        assert_eq!(n, 2);
        memo.clear();
        assert!(ask(&mut memo, 0x101, &mut n));
        assert_eq!(n, 3);
    }

    #[test]
    fn a_memo_that_never_knows_is_given_up() {
        let mut memo = Memo::default();
        for word in 0..10_000 {
            let answer: Result<bool, ()> = memo.answer(&[u64::MAX], &[word], || Ok(true));
            assert_eq!(answer, Ok(true));
        }
        assert!(memo.is_given_up && memo.bytes() < 100);
    }
}
