//! Bit strings: bytes and a number of bits, possibly a window on a larger one.
//! Why windows: matching `<<Head, Rest/binary>>` in a loop would otherwise copy the rest each time.
//! Invariant: two bit strings are equal when their bits are, wherever their windows start.

use foresee_stdx::{halt, mix};
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as Memory};

/// A bit string; a binary when its length is a multiple of eight.
#[derive(Debug)]
pub struct Bits {
    data: Arc<[u8]>,
    start: usize,
    len: usize,
    /// 0 until asked for: a parser makes many windows that nobody hashes.
    hash: AtomicU64,
}

impl Bits {
    pub fn from_bytes(bytes: &[u8]) -> Bits {
        Bits { data: bytes.into(), start: 0, len: bytes.len() * 8, hash: AtomicU64::new(0) }
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn is_binary(&self) -> bool {
        self.len.is_multiple_of(8)
    }

    /// The window of `len` bits from bit `start`.
    pub fn slice(&self, start: usize, len: usize) -> Bits {
        debug_assert!(start + len <= self.len);
        Bits {
            data: Arc::clone(&self.data),
            start: self.start + start,
            len,
            hash: AtomicU64::new(0),
        }
    }

    /// The bit at `index`, 0 or 1.
    fn bit(&self, index: usize) -> u8 {
        let at = self.start + index;
        self.data[at / 8] >> (7 - at % 8) & 1
    }

    /// Up to eight bits from `index`, right-aligned.
    fn byte(&self, index: usize, width: usize) -> u8 {
        if width == 8 && (self.start + index).is_multiple_of(8) {
            return self.data[(self.start + index) / 8];
        }
        (0..width).fold(0, |byte, i| byte << 1 | self.bit(index + i))
    }

    /// The bytes of a binary; of a bit string the whole bytes, then the last bits left-aligned.
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.start.is_multiple_of(8) && self.is_binary() {
            return self.data[self.start / 8..(self.start + self.len) / 8].to_vec();
        }
        let whole = self.len / 8;
        let mut bytes: Vec<u8> = (0..whole).map(|i| self.byte(i * 8, 8)).collect();
        if !self.is_binary() {
            let rest = self.len % 8;
            bytes.push(self.byte(whole * 8, rest) << (8 - rest));
        }
        bytes
    }

    /// The bits from `start` as an unsigned or signed integer.
    pub fn integer(&self, start: usize, len: usize, signed: bool, little: bool) -> BigInt {
        let mut bytes: Vec<u8>;
        if little {
            // The first byte is the least significant; a last partial byte holds the most significant bits.
            let window = self.slice(start, len);
            bytes = (0..len / 8).map(|i| window.byte(i * 8, 8)).collect();
            if !len.is_multiple_of(8) {
                bytes.push(window.byte(len / 8 * 8, len % 8));
            }
            bytes.reverse();
        } else {
            let first = len % 8;
            bytes = Vec::with_capacity(len / 8 + 1);
            if first != 0 {
                bytes.push(self.byte(start, first));
            }
            bytes.extend((0..len / 8).map(|i| self.byte(start + first + i * 8, 8)));
        }
        let value = BigInt::from_bytes_be(Sign::Plus, &bytes);
        let negative = signed && len > 0 && value.bit(len as u64 - 1);
        if negative { value - (BigInt::from(1) << len) } else { value }
    }

    /// As [`Bits::integer`], for at most 64 bits that fit an `i64`.
    pub fn small_integer(
        &self,
        start: usize,
        len: usize,
        signed: bool,
        little: bool,
    ) -> Option<i64> {
        if len == 8 && !signed {
            return Some(i64::from(self.byte(start, 8)));
        }
        if len > 56 || little {
            return None;
        }
        let mut value: i64 = 0;
        let mut at = 0;
        while at < len {
            let width = (len - at).min(8);
            value = value << width | i64::from(self.byte(start + at, width));
            at += width;
        }
        let negative = signed && len > 0 && value >> (len - 1) & 1 == 1;
        Some(if negative { value - (1 << len) } else { value })
    }

    pub fn content_hash(&self) -> u64 {
        let known = self.hash.load(Memory::Relaxed);
        if known != 0 {
            return known;
        }
        let mut hash = 0x6269_6E00 ^ self.len as u64;
        let mut at = 0;
        while at < self.len {
            let width = (self.len - at).min(8);
            hash = mix(hash.rotate_left(9) ^ u64::from(self.byte(at, width)));
            at += width;
        }
        let hash = hash.max(1);
        self.hash.store(hash, Memory::Relaxed);
        hash
    }

    /// The order of bit strings: bit by bit, a prefix first.
    pub fn compare(&self, other: &Bits) -> Ordering {
        let common = self.len.min(other.len);
        let mut at = 0;
        while at < common {
            let width = (common - at).min(8);
            let order = self.byte(at, width).cmp(&other.byte(at, width));
            if order != Ordering::Equal {
                return order;
            }
            at += width;
        }
        self.len.cmp(&other.len)
    }
}

impl PartialEq for Bits {
    fn eq(&self, other: &Bits) -> bool {
        self.len == other.len && self.compare(other) == Ordering::Equal
    }
}

/// Builds a bit string from left to right.
#[derive(Debug, Default)]
pub struct Builder {
    bytes: Vec<u8>,
    len: usize,
}

impl Builder {
    pub fn finish(self) -> Bits {
        Bits { len: self.len, data: self.bytes.into(), start: 0, hash: AtomicU64::new(0) }
    }

    /// Appends the low `width` bits (at most 8) of `byte`.
    pub fn push_bits(&mut self, byte: u8, width: usize) {
        if self.bytes.len() == self.bytes.capacity() {
            halt::ask(self.bytes.capacity());
        }
        if width == 8 && self.len.is_multiple_of(8) {
            self.bytes.push(byte);
            self.len += 8;
            return;
        }
        for i in (0..width).rev() {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("just pushed");
            *last |= (byte >> i & 1) << (7 - self.len % 8);
            self.len += 1;
        }
    }

    pub fn push_bytes(&mut self, bytes: &[u8]) {
        if self.bytes.capacity() - self.bytes.len() < bytes.len() {
            halt::ask(bytes.len().max(self.bytes.capacity()));
        }
        if self.len.is_multiple_of(8) {
            self.bytes.extend_from_slice(bytes);
            self.len += bytes.len() * 8;
        } else {
            bytes.iter().for_each(|byte| self.push_bits(*byte, 8));
        }
    }

    pub fn push(&mut self, bits: &Bits) {
        if bits.is_binary() {
            return self.push_bytes(&bits.to_bytes());
        }
        let mut at = 0;
        while at < bits.len {
            let width = (bits.len - at).min(8);
            self.push_bits(bits.byte(at, width), width);
            at += width;
        }
    }

    /// Appends `value` modulo 2^`len`.
    pub fn push_integer(&mut self, value: &BigInt, len: usize, little: bool) {
        use num_integer::Integer;
        if len == 0 {
            return;
        }
        let n_bytes = len.div_ceil(8);
        halt::ask(n_bytes.saturating_mul(5));
        let low = match value.sign() {
            Sign::Minus => value.mod_floor(&(BigInt::from(1) << len)),
            _ if value.bits() <= len as u64 => value.clone(),
            _ => value & ((BigInt::from(1) << len) - 1),
        };
        let (_, mut bytes) = low.to_bytes_be();
        bytes.splice(0..0, std::iter::repeat_n(0, n_bytes - bytes.len().min(n_bytes)));
        if little {
            bytes.reverse();
            let rest = len % 8;
            for (i, byte) in bytes.iter().enumerate() {
                let width = if rest != 0 && i == n_bytes - 1 { rest } else { 8 };
                self.push_bits(*byte, width);
            }
        } else {
            let first = if len.is_multiple_of(8) { 8 } else { len % 8 };
            self.push_bits(bytes[0], first);
            bytes[1..].iter().for_each(|byte| self.push_bits(*byte, 8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_equals_a_copy() {
        let all = Bits::from_bytes(&[0xAB, 0xCD, 0xEF]);
        let window = all.slice(4, 12);
        let mut builder = Builder::default();
        builder.push_integer(&BigInt::from(0xBCD), 12, false);
        let copy = builder.finish();
        assert_eq!(window, copy);
        assert_eq!(window.content_hash(), copy.content_hash());
        assert_eq!(window.integer(0, 12, false, false), BigInt::from(0xBCD));
    }

    #[test]
    fn integers_read_back_in_every_width_and_order() {
        for len in 1..70usize {
            for little in [false, true] {
                let value = BigInt::from(0x0001_2345_6789_ABCD_EF01_u128);
                let mut builder = Builder::default();
                builder.push_bits(1, 3);
                builder.push_integer(&value, len, little);
                let bits = builder.finish();
                let expected = value & ((BigInt::from(1) << len) - 1);
                assert_eq!(bits.integer(3, len, false, little), expected, "{len} {little}");
                if let Some(small) = bits.small_integer(3, len, false, little) {
                    assert_eq!(BigInt::from(small), expected);
                }
            }
        }
    }
}
