//! Arithmetic with integers of millions of digits that can be halted on the way.
//! Why: a product or a quotient of such numbers takes longer than any limit, and the library does each in one go. Here it
//! is put together from pieces that take milliseconds, with a look at the limits between them. Small operands, which is all
//! that most programs have, go to the library as they are.
//! Names: a *word* is 64 bits; costs are counted in products of two words.

use foresee_stdx::halt;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// Operands of at most so many bits are multiplied in one go: some milliseconds.
const PIECE_BITS: u64 = 1 << 20;
/// A division of at most this cost is done in one go.
const COST_MAX: u64 = 1 << 23;
/// Digits that are read or written in one go.
const DIGITS_MAX: usize = 1 << 13;

fn words(value: &BigInt) -> u64 {
    value.bits() / 64 + 1
}

/// Asks for room for a result of so many bits, and as much on the way.
fn ask(bits: u64) {
    halt::ask(usize::try_from(bits / 4).unwrap_or(usize::MAX));
}

pub(super) fn sum(a: &BigInt, b: &BigInt) -> BigInt {
    ask(a.bits().max(b.bits()));
    a + b
}

pub(super) fn difference(a: &BigInt, b: &BigInt) -> BigInt {
    ask(a.bits().max(b.bits()));
    a - b
}

/// `a * b`. Halves are multiplied as Karatsuba does it, three products instead of four.
pub(super) fn product(a: &BigInt, b: &BigInt) -> BigInt {
    ask(a.bits() + b.bits());
    let (short, long) = if a.bits() <= b.bits() { (a, b) } else { (b, a) };
    if long.bits() <= PIECE_BITS {
        return a * b;
    }
    if short.is_negative() || long.is_negative() {
        let size = product(&short.abs(), &long.abs());
        return if short.is_negative() == long.is_negative() { size } else { -size };
    }
    halt::look();
    let middle = long.bits() / 2;
    let (high, low) = split(long, middle);
    if short.bits() <= middle {
        return (product(&high, short) << middle) + product(&low, short);
    }
    let (short_high, short_low) = split(short, middle);
    let (top, bottom) = (product(&high, &short_high), product(&low, &short_low));
    let crossed = product(&(high + low), &(short_high + short_low)) - &top - &bottom;
    (top << (2 * middle)) + (crossed << middle) + bottom
}

/// The bits from `middle` on and those below it, of a number that is not negative.
fn split(value: &BigInt, middle: u64) -> (BigInt, BigInt) {
    let high = value >> middle;
    let low = value - (&high << middle);
    (high, low)
}

/// Quotient, towards zero, and remainder; the divisor is not zero.
pub(super) fn divided(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let n_quotient = words(a).saturating_sub(words(b)) + 1;
    if n_quotient.saturating_mul(words(b)) <= COST_MAX {
        return a.div_rem(b);
    }
    ask(a.bits());
    let (quotient, remainder) = divided_sizes(&a.abs(), &b.abs());
    let is_negative = a.is_negative() != b.is_negative();
    let quotient = if is_negative { -quotient } else { quotient };
    (quotient, if a.is_negative() { -remainder } else { remainder })
}

/// By hand, as at school: so many bits of the dividend at a time that each step is short.
fn divided_sizes(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let step = (COST_MAX / words(b)).max(1) * 64;
    let n_steps = a.bits().div_ceil(step);
    let (mut digits, mut rest) = (Vec::new(), BigInt::zero());
    let mut left = a.clone();
    for i in (0..n_steps).rev() {
        halt::look();
        let (high, low) = split(&left, i * step);
        left = low;
        let (digit, remainder) = ((rest << step) + high).div_rem(b);
        rest = remainder;
        digits.push(digit);
    }
    // Each digit has `step` bits at most, a multiple of eight.
    let n_bytes = (step / 8) as usize;
    let mut bytes = Vec::with_capacity(digits.len() * n_bytes);
    for digit in digits.iter().rev() {
        let (_, own) = digit.to_bytes_le();
        let end = bytes.len() + n_bytes;
        bytes.extend(own);
        bytes.resize(end.max(bytes.len()), 0);
    }
    (BigInt::from_bytes_le(Sign::Plus, &bytes), rest)
}

/// The text of a number in a base from 2 to 36.
pub(super) fn digits(value: &BigInt, base: u32) -> String {
    let n_digits_about = value.bits() as usize / (32 - (base - 1).leading_zeros()) as usize;
    if n_digits_about <= DIGITS_MAX {
        return value.to_str_radix(base);
    }
    halt::ask(n_digits_about.saturating_mul(3));
    let modulus = power(base);
    let (mut left, mut pieces) = (value.abs(), Vec::new());
    while !left.is_zero() {
        halt::look();
        let (more, piece) = divided(&left, &modulus);
        pieces.push(piece.to_str_radix(base));
        left = more;
    }
    let mut text = String::from(if value.is_negative() { "-" } else { "" });
    text.push_str(&pieces.pop().unwrap_or_default());
    for piece in pieces.iter().rev() {
        text.extend(std::iter::repeat_n('0', DIGITS_MAX - piece.len()));
        text.push_str(piece);
    }
    text
}

/// The number with this text: digits only.
pub(super) fn parsed(text: &str, base: u32) -> Option<BigInt> {
    if text.len() <= DIGITS_MAX {
        return BigInt::parse_bytes(text.as_bytes(), base);
    }
    let modulus = power(base);
    let (first, rest) = text.split_at(text.len() % DIGITS_MAX);
    let mut value = BigInt::parse_bytes(first.as_bytes(), base).unwrap_or_default();
    for piece in rest.as_bytes().chunks(DIGITS_MAX) {
        halt::look();
        value = value * &modulus + BigInt::parse_bytes(piece, base)?;
    }
    Some(value)
}

/// What `DIGITS_MAX` digits can count.
fn power(base: u32) -> BigInt {
    let (mut power, mut square, mut left) = (BigInt::one(), BigInt::from(base), DIGITS_MAX);
    while left > 0 {
        if left % 2 == 1 {
            power *= &square;
        }
        square = &square * &square;
        left /= 2;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of about so many bits, with a sign.
    fn number(bits: u64, seed: u64) -> BigInt {
        let mut random = foresee_stdx::Random::new(seed);
        let bytes: Vec<u8> = (0..bits / 8 + 1).map(|_| random.below(256) as u8).collect();
        let sign = if seed.is_multiple_of(3) { Sign::Minus } else { Sign::Plus };
        BigInt::from_bytes_le(sign, &bytes)
    }

    #[test]
    fn large_products_are_those_of_the_library() {
        for (i, (a, b)) in [(3, 3), (5, 2), (9, 4), (2, 9)].into_iter().enumerate() {
            let a = number(a * PIECE_BITS / 2 + 17, 3 + i as u64);
            let b = number(b * PIECE_BITS / 2 + 5, 10 + i as u64);
            assert!(product(&a, &b) == &a * &b, "{i}");
        }
    }

    #[test]
    fn large_quotients_are_those_of_the_library() {
        for (i, (a, b)) in
            [(900_000, 300_000), (900_001, 64), (700_000, 699_000)].iter().enumerate()
        {
            let (a, b) = (number(*a, 3 + i as u64), number(*b, 5 + i as u64));
            assert!(divided(&a, &b) == a.div_rem(&b), "{i}");
            assert!(divided_sizes(&a.abs(), &b.abs()) == a.abs().div_rem(&b.abs()), "{i}");
        }
    }

    #[test]
    fn long_texts_are_those_of_the_library() {
        for base in [2, 10, 16, 36] {
            let value = number(400_000, 3 + u64::from(base));
            let text = digits(&value, base);
            assert!(text == value.to_str_radix(base), "base {base}");
            assert!(parsed(text.trim_start_matches('-'), base) == Some(value.abs()), "base {base}");
        }
    }
}
