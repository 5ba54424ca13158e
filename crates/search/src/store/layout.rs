//! The layout: how the slots of a state are packed into 64-bit words.
//! Each slot has a field just wide enough for the ids seen in it; a field never straddles words, so reading one is a
//! shift and a mask, and a successor is its parent's words with a few fields patched.
//! Bits left over in a word widen its fields (those that have grown most first), so that most new ids fit and the
//! layout changes rarely: with ids of n bits in use, no more than about n times per slot in a whole search.
//! Invariant: a slot with a field of no bits holds id 0 in every state; a slot that no state has yet does not fit.

use foresee_lts::Field;

/// So many slots are given room for ids to come.
const ROOMY_MAX: usize = 32;
/// A slot with so many bits has many ids.
const WIDE: u32 = 6;

/// How the slots of every state are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    n_words: usize,
    version: u32,
}

/// An id for which the layout has no room.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Misfit {
    pub slot: u32,
    pub id: u32,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { fields: Vec::new(), n_words: 1, version: 0 }
    }
}

impl Layout {
    pub fn n_slots(&self) -> usize {
        self.fields.len()
    }

    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// Changes with every layout of a store.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Writes `id` into its field; false, and nothing written, if it does not fit.
    #[inline]
    pub fn patch(&self, words: &mut [u64], slot: u32, id: u32) -> bool {
        let Some(field) = self.fields.get(slot as usize) else { return false };
        if u64::from(id) > field.mask {
            return false;
        }
        let word = &mut words[field.word as usize];
        *word = *word & !(field.mask << field.shift) | u64::from(id) << field.shift;
        true
    }

    /// Packs a whole state; false if an id does not fit.
    pub fn encode(&self, slots: &[u32], words: &mut [u64]) -> bool {
        words.fill(0);
        (0u32..).zip(slots).all(|(slot, id)| self.patch(words, slot, *id))
    }

    /// Unpacks a state; missing slots are there with id 0.
    #[inline]
    pub fn decode(&self, words: &[u64], slots: &mut Vec<u32>) {
        slots.clear();
        slots.extend(self.fields.iter().map(|field| field.read(words)));
    }

    /// Where each slot is found.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Where `slot` is found; `None` if no state has it yet.
    pub fn field(&self, slot: usize) -> Option<Field> {
        self.fields.get(slot).copied()
    }

    /// The bits of all words that belong to these slots.
    pub fn mask_of(&self, slots: &[usize]) -> Vec<u64> {
        let mut mask = vec![0; self.n_words];
        for field in slots.iter().filter_map(|slot| self.fields.get(*slot)) {
            mask[field.word as usize] |= field.mask << field.shift;
        }
        mask
    }

    /// What does not fit among these ids.
    pub fn misfits(&self, slots: &[u32]) -> Vec<Misfit> {
        let fits = |slot: u32, id: u32| {
            self.fields.get(slot as usize).is_some_and(|field| u64::from(id) <= field.mask)
        };
        (0u32..)
            .zip(slots)
            .filter(|(slot, id)| !fits(*slot, **id))
            .map(|(slot, id)| Misfit { slot, id: *id })
            .collect()
    }

    /// A layout with room for the ids in use and for `misfits`. `used` is the bitwise or of all packed states that must
    /// have room; it becomes that of the new layout, misfits included, so that no later layout takes the room away.
    pub(super) fn widened(&self, used: &mut Vec<u64>, misfits: &[Misfit]) -> Layout {
        let mut ids = Vec::new();
        self.decode(used, &mut ids);
        for misfit in misfits {
            let slot = misfit.slot as usize;
            ids.resize(ids.len().max(slot + 1), 0);
            ids[slot] |= misfit.id;
        }
        let bits: Vec<u32> = ids.iter().map(|id| u32::BITS - id.leading_zeros()).collect();
        let layout = Layout::pack(&roomy(bits), self.version + 1);
        *used = vec![0; layout.n_words()];
        layout.encode(&ids, used);
        layout
    }

    /// Packs fields of the given numbers of bits, wide ones first, each into the first word with room.
    fn pack(bits: &[u32], version: u32) -> Layout {
        let mut words: Vec<(u32, Vec<usize>)> = vec![(64, Vec::new())];
        for slot in widest_first(bits) {
            let width = bits[slot];
            match words.iter_mut().find(|(room, _)| *room >= width) {
                Some((room, slots)) => {
                    *room -= width;
                    slots.push(slot);
                }
                None => words.push((64 - width, vec![slot])),
            }
        }
        let mut fields = vec![Field::default(); bits.len()];
        for (word, (room, slots)) in words.iter().enumerate() {
            place_fields(&mut fields, bits, word as u32, *room, slots);
        }
        Layout { fields, n_words: words.len(), version }
    }
}

/// The slots that have bits at all.
fn widest_first(bits: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..bits.len()).filter(|slot| bits[*slot] > 0).collect();
    order.sort_by_key(|slot| std::cmp::Reverse(bits[*slot]));
    order
}

/// How many words fields of these widths take, the widest first.
fn n_words_for(widths: impl Iterator<Item = u32>, rooms: &mut Vec<u32>) -> usize {
    rooms.clear();
    for width in widths {
        match rooms.iter_mut().find(|room| **room >= width) {
            Some(room) => *room -= width,
            None => rooms.push(64 - width),
        }
    }
    rooms.len()
}

/// Bits to spare for the widest slots, as long as they take no further word: two for those with many ids already, which go on to become more at about
/// the same time, then one for the others. A slot that runs out of room costs a pass over all states.
fn roomy(mut bits: Vec<u32>) -> Vec<u32> {
    let order = widest_first(&bits);
    let mut rooms = Vec::new();
    let n_words = n_words_for(order.iter().map(|slot| bits[*slot]), &mut rooms);
    let is_wide = |slot: &usize| bits[*slot] >= WIDE;
    let wide: Vec<usize> = order.iter().copied().filter(is_wide).take(ROOMY_MAX).collect();
    let others = order.iter().copied().filter(|slot| !is_wide(slot)).take(ROOMY_MAX);
    let turns: Vec<usize> = wide.iter().chain(&wide).copied().chain(others).collect();
    for slot in turns {
        if bits[slot] == 32 {
            continue;
        }
        bits[slot] += 1;
        let widths = widest_first(&bits).into_iter().map(|it| bits[it]);
        if n_words_for(widths, &mut rooms) > n_words {
            bits[slot] -= 1;
        }
    }
    bits
}

/// How words of one layout become those of a wider one: the fields that move by the same distance from one word to another move together.
pub(super) struct Transcoder {
    moves: Vec<Move>,
}

#[derive(Clone, Copy)]
struct Move {
    from: u32,
    into: u32,
    /// To the left.
    rotation: u32,
    mask: u64,
}

impl Transcoder {
    pub(super) fn new(old: &Layout, new: &Layout) -> Self {
        let mut moves: Vec<Move> = Vec::new();
        for (from, into) in old.fields.iter().zip(&new.fields).filter(|(from, _)| from.mask != 0) {
            // A field may be narrower than it was, but not than the ids in it.
            let mask = (from.mask & into.mask) << from.shift;
            let rotation = into.shift.wrapping_sub(from.shift) % 64;
            let same = |it: &&mut Move| {
                (it.from, it.into, it.rotation) == (from.word, into.word, rotation)
            };
            match moves.iter_mut().find(same) {
                Some(it) => it.mask |= mask,
                None => moves.push(Move { from: from.word, into: into.word, rotation, mask }),
            }
        }
        Transcoder { moves }
    }

    /// The words of a state in the new layout.
    #[inline]
    pub(super) fn transcode(&self, from: &[u64], into: &mut [u64]) {
        into.fill(0);
        for it in &self.moves {
            into[it.into as usize] |= (from[it.from as usize] & it.mask).rotate_left(it.rotation);
        }
    }
}

/// Places the fields of one word, sharing out the bits that are left over, wide fields first.
fn place_fields(fields: &mut [Field], bits: &[u32], word: u32, room: u32, slots: &[usize]) {
    let mut widths: Vec<u32> = slots.iter().map(|slot| bits[*slot]).collect();
    let mut room = room;
    while room > 0 && widths.iter().any(|width| *width < 32) {
        for width in widths.iter_mut().filter(|width| **width < 32) {
            if room > 0 {
                *width += 1;
                room -= 1;
            }
        }
    }
    let mut shift = 0;
    for (slot, width) in slots.iter().zip(widths) {
        let mask = (1u64 << width) - 1;
        fields[*slot] = Field { word, shift, mask };
        shift += width;
    }
    debug_assert!(shift <= 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_stdx::Random;

    fn round_trip(layout: &Layout, slots: &[u32]) -> Vec<u32> {
        let mut words = vec![0; layout.n_words()];
        assert!(layout.encode(slots, &mut words));
        let mut back = Vec::new();
        layout.decode(&words, &mut back);
        back
    }

    #[test]
    fn random_states_come_back_under_the_layout_made_for_them() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let n = 1 + random.below(40) as usize;
            let slots: Vec<u32> =
                (0..n).map(|_| (random.next_u64() as u32) >> random.below(32)).collect();
            let layout = Layout::default();
            let layout = layout.widened(&mut vec![0], &layout.misfits(&slots));
            let mut back = round_trip(&layout, &slots);
            back.resize(n, 0);
            assert_eq!(back, slots);
            assert!(layout.misfits(&slots).is_empty());
        }
    }

    #[test]
    fn a_state_of_one_layout_becomes_the_same_state_of_a_wider_one() {
        let mut random = Random::new(9);
        for _ in 0..300 {
            let n = 1 + random.below(40) as usize;
            let id = |random: &mut Random| (random.next_u64() as u32) >> (8 + random.below(24));
            let states: Vec<Vec<u32>> =
                (0..5).map(|_| (0..n).map(|_| id(&mut random)).collect()).collect();
            let mut used = vec![0];
            let mut layout = Layout::default();
            for state in &states {
                let ids = (0..).zip(state).map(|(slot, id)| Misfit { slot, id: *id });
                layout = layout.widened(&mut used, &ids.collect::<Vec<_>>());
            }
            let slot = random.below(n as u64 + 2) as u32;
            let wider = layout.widened(&mut used, &[Misfit { slot, id: u32::MAX >> 2 }]);
            let transcoder = Transcoder::new(&layout, &wider);
            for state in &states {
                let (mut old, mut new) = (vec![0; layout.n_words()], vec![7; wider.n_words()]);
                assert!(layout.encode(state, &mut old));
                transcoder.transcode(&old, &mut new);
                let mut expected = vec![0; wider.n_words()];
                assert!(wider.encode(state, &mut expected));
                assert_eq!(new, expected, "{layout:?} {wider:?}");
            }
        }
    }

    #[test]
    fn small_ids_share_a_word_and_spare_bits_are_used() {
        let layout = Layout::pack(&[3; 18], 1);
        assert_eq!(layout.n_words(), 1);
        assert!(round_trip(&layout, &[7; 18]) == [7; 18]);
        let widest = layout.fields.iter().map(|f| f.mask).max();
        assert_eq!(widest, Some(15));
    }

    #[test]
    fn a_mask_covers_its_slots_only() {
        let layout = Layout::pack(&[4, 4, 0, 32, 32], 1);
        let (mask, mut words) = (layout.mask_of(&[1, 4, 9]), vec![0; layout.n_words()]);
        layout.encode(&[15, 0, 0, u32::MAX, 0], &mut words);
        assert!(mask.iter().zip(&words).all(|(m, w)| m & w == 0));
        layout.encode(&[0, 1, 0, 0, 1], &mut words);
        let seen: u32 = mask.iter().zip(&words).map(|(m, w)| (m & w).count_ones()).sum();
        assert_eq!(seen, 2);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let layout = Layout::pack(&[32, 32], 1);
        let mut words = vec![0; layout.n_words()];
        assert!(!layout.patch(&mut words, 2, 0) && layout.patch(&mut words, 1, u32::MAX));
        let layout = Layout::pack(&[0, 1], 1);
        assert_eq!(layout.misfits(&[1, 1]), [Misfit { slot: 0, id: 1 }]);
    }
}
