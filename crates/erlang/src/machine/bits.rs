//! Building and taking apart bit strings, one segment at a time.

use crate::program::code::{Segment, SegmentKind, SegmentSize};
use crate::term::binary::{Bits, Builder};
use crate::term::{Term, number};
use num_bigint::BigInt;
use std::sync::Arc;

/// The bit string of `segments`, whose values (and sizes, each after its value) are in `registers`.
pub(super) fn build(segments: &[Segment], registers: &[Term]) -> Option<Term> {
    let mut builder = Builder::default();
    let mut registers = registers.iter();
    for segment in segments {
        let value = registers.next()?;
        let size = match segment.size {
            SegmentSize::All => None,
            SegmentSize::Fixed(n) => Some(n as usize),
            SegmentSize::Register => Some(registers.next()?.as_usize()?),
        };
        append(&mut builder, segment, value, size)?;
    }
    Some(Term::bits(builder.finish()))
}

fn append(
    builder: &mut Builder,
    segment: &Segment,
    value: &Term,
    size: Option<usize>,
) -> Option<()> {
    let bits = match size {
        Some(size) => Some(size.checked_mul(usize::from(segment.unit))?),
        None => None,
    };
    match segment.kind {
        SegmentKind::Integer => {
            let len = bits.unwrap_or(8);
            if let (Term::Int(n), 8) = (value, len) {
                builder.push_bits(*n as u8, 8);
            } else {
                builder.push_integer(&number::to_big(value)?, len, segment.little);
            }
        }
        SegmentKind::Float => {
            let x = number::to_float(value)?;
            let mut bytes = match bits.unwrap_or(64) {
                64 => x.to_be_bytes().to_vec(),
                32 => (x as f32).to_be_bytes().to_vec(),
                16 => half_from(x).to_be_bytes().to_vec(),
                _ => return None,
            };
            if segment.little {
                bytes.reverse();
            }
            builder.push_bytes(&bytes);
        }
        SegmentKind::Bits => {
            let source = value.as_bits()?;
            match bits {
                None if source.len().is_multiple_of(usize::from(segment.unit)) => {
                    builder.push(source);
                }
                Some(len) if len <= source.len() => builder.push(&source.slice(0, len)),
                _ => return None,
            }
        }
        SegmentKind::Utf8 => {
            let c = character(value)?;
            builder.push_bytes(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        SegmentKind::Utf16 => {
            for unit in character(value)?.encode_utf16(&mut [0; 2]) {
                let bytes = if segment.little { unit.to_le_bytes() } else { unit.to_be_bytes() };
                builder.push_bytes(&bytes);
            }
        }
        SegmentKind::Utf32 => {
            let code = u32::from(character(value)?);
            let bytes = if segment.little { code.to_le_bytes() } else { code.to_be_bytes() };
            builder.push_bytes(&bytes);
        }
    }
    Some(())
}

fn character(value: &Term) -> Option<char> {
    char::from_u32(u32::try_from(value.as_int()?).ok()?)
}

/// The value of a segment at bit `at`, and the bit after it.
pub(super) fn take(
    segment: &Segment,
    source: &Arc<Bits>,
    at: usize,
    size: &Term,
) -> Option<(Term, usize)> {
    let left = source.len() - at;
    let unit = usize::from(segment.unit);
    let bits = match segment.size {
        SegmentSize::All => None,
        SegmentSize::Fixed(n) => Some(n as usize * unit),
        SegmentSize::Register => Some(size.as_usize()?.checked_mul(unit)?),
    };
    if bits.is_some_and(|bits| bits > left) {
        return None;
    }
    match segment.kind {
        SegmentKind::Integer => {
            let len = bits.unwrap_or(8);
            let value = match source.small_integer(at, len, segment.signed, segment.little) {
                Some(small) => Term::Int(small),
                None => number::integer(source.integer(at, len, segment.signed, segment.little)),
            };
            Some((value, at + len))
        }
        SegmentKind::Float => {
            let len = bits.unwrap_or(64);
            let raw = source.integer(at, len, false, segment.little);
            let value = match len {
                64 => f64::from_bits(u64::try_from(raw).ok()?),
                32 => f64::from(f32::from_bits(u32::try_from(raw).ok()?)),
                16 => half_to(u16::try_from(raw).ok()?),
                _ => return None,
            };
            Some((number::float(value)?, at + len))
        }
        SegmentKind::Bits => {
            let len = bits.unwrap_or(left);
            if bits.is_none() && !left.is_multiple_of(unit) {
                return None;
            }
            Some((Term::bits(source.slice(at, len)), at + len))
        }
        SegmentKind::Utf8 => take_utf8(source, at),
        SegmentKind::Utf16 => take_utf16(source, at, segment.little),
        SegmentKind::Utf32 => {
            let code = word(source, at, 32, segment.little)?;
            char::from_u32(code)?;
            Some((Term::Int(i64::from(code)), at + 32))
        }
    }
}

fn word(source: &Bits, at: usize, len: usize, little: bool) -> Option<u32> {
    if at + len > source.len() {
        return None;
    }
    let value: BigInt = source.integer(at, len, false, little);
    u32::try_from(value).ok()
}

fn take_utf8(source: &Bits, at: usize) -> Option<(Term, usize)> {
    let first = word(source, at, 8, false)?;
    let n_bytes = match first {
        0..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let bytes: Option<Vec<u8>> =
        (0..n_bytes).map(|i| word(source, at + i * 8, 8, false).map(|byte| byte as u8)).collect();
    let bytes = bytes?;
    let c = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    Some((Term::Int(c as i64), at + n_bytes * 8))
}

fn take_utf16(source: &Bits, at: usize, little: bool) -> Option<(Term, usize)> {
    let first = word(source, at, 16, little)? as u16;
    if (0xD800..0xDC00).contains(&first) {
        let second = word(source, at + 16, 16, little)? as u16;
        let c = char::decode_utf16([first, second]).next()?.ok()?;
        return Some((Term::Int(c as i64), at + 32));
    }
    let c = char::from_u32(u32::from(first))?;
    Some((Term::Int(c as i64), at + 16))
}

/// The nearest 16-bit float, unless it would be infinite.
fn half_from(x: f64) -> u16 {
    let sign = if x.is_sign_negative() { 0x8000u16 } else { 0 };
    // Candidates are few enough to search: the nearest of all finite halves, ties to the even one.
    let magnitude = x.abs();
    // What is too large becomes infinity, which cannot be matched as a float again.
    if magnitude >= 65520.0 {
        return sign | 0x7C00;
    }
    let (mut low, mut high) = (0u16, 0x7BFFu16);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if half_to(middle) <= magnitude { low = middle } else { high = middle - 1 }
    }
    let above = low + 1;
    let (down, up) = (magnitude - half_to(low), half_to(above) - magnitude);
    let nearest = if down < up || (down == up && low.is_multiple_of(2)) { low } else { above };
    sign | nearest
}

fn half_to(half: u16) -> f64 {
    let sign = if half & 0x8000 != 0 { -1.0 } else { 1.0 };
    let exponent = i32::from(half >> 10 & 0x1F);
    let fraction = f64::from(half & 0x3FF);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}
