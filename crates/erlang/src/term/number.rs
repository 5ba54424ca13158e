//! Exact arithmetic: integers of any size, floats without infinities.
//! Every operation answers `None` where Erlang says `badarith`.

use super::Term;
use super::large;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

/// An integer term of any size, in its shortest form.
pub fn integer(big: BigInt) -> Term {
    match big.to_i64() {
        Some(n) => Term::Int(n),
        None => Term::Big(Arc::new(big)),
    }
}

pub fn is_integer(term: &Term) -> bool {
    matches!(term, Term::Int(_) | Term::Big(_))
}

pub fn is_number(term: &Term) -> bool {
    matches!(term, Term::Int(_) | Term::Big(_) | Term::Float(_))
}

/// The value of an integer term.
pub fn to_big(term: &Term) -> Option<BigInt> {
    match term {
        Term::Int(n) => Some(BigInt::from(*n)),
        Term::Big(big) => Some((**big).clone()),
        _ => None,
    }
}

/// The value of a number as a float; `None` if it is too large.
pub fn to_float(term: &Term) -> Option<f64> {
    let value = match term {
        Term::Int(n) => *n as f64,
        Term::Big(big) => big.to_f64()?,
        Term::Float(x) => *x,
        _ => return None,
    };
    value.is_finite().then_some(value)
}

/// A float term, unless the result has left the range of floats.
pub fn float(value: f64) -> Option<Term> {
    value.is_finite().then_some(Term::Float(value))
}

macro_rules! arithmetic {
    ($name:ident, $checked:ident, $op:tt, $large:path) => {
        #[inline]
        pub fn $name(a: &Term, b: &Term) -> Option<Term> {
            if let (Term::Int(x), Term::Int(y)) = (a, b)
                && let Some(result) = x.$checked(*y)
            {
                return Some(Term::Int(result));
            }
            match (a, b) {
                (Term::Float(_), _) | (_, Term::Float(_)) => float(to_float(a)? $op to_float(b)?),
                _ => Some(integer($large(&to_big(a)?, &to_big(b)?))),
            }
        }
    };
}

arithmetic!(add, checked_add, +, large::sum);
arithmetic!(subtract, checked_sub, -, large::difference);
arithmetic!(multiply, checked_mul, *, large::product);

/// `/`: always a float.
pub fn divide(a: &Term, b: &Term) -> Option<Term> {
    let divisor = to_float(b)?;
    if divisor == 0.0 { None } else { float(to_float(a)? / divisor) }
}

/// `div`: towards zero.
pub fn quotient(a: &Term, b: &Term) -> Option<Term> {
    if let (Term::Int(x), Term::Int(y)) = (a, b)
        && let Some(result) = x.checked_div(*y)
    {
        return Some(Term::Int(result));
    }
    let (x, y) = (to_big(a)?, to_big(b)?);
    if y.is_zero() { None } else { Some(integer(large::divided(&x, &y).0)) }
}

/// `rem`: with the sign of the dividend.
pub fn remainder(a: &Term, b: &Term) -> Option<Term> {
    if let (Term::Int(x), Term::Int(y)) = (a, b)
        && let Some(result) = x.checked_rem(*y)
    {
        return Some(Term::Int(result));
    }
    let (x, y) = (to_big(a)?, to_big(b)?);
    if y.is_zero() { None } else { Some(integer(large::divided(&x, &y).1)) }
}

pub fn negate(a: &Term) -> Option<Term> {
    match a {
        Term::Float(x) => Some(Term::Float(-x)),
        _ => subtract(&Term::Int(0), a),
    }
}

pub fn absolute(a: &Term) -> Option<Term> {
    match a {
        // As OTP 25: a zero keeps its sign.
        Term::Float(x) => Some(Term::Float(if *x < 0.0 { -x } else { *x })),
        _ => Some(integer(to_big(a)?.abs())),
    }
}

pub fn bit_and(a: &Term, b: &Term) -> Option<Term> {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => Some(Term::Int(x & y)),
        _ => Some(integer(to_big(a)? & to_big(b)?)),
    }
}

pub fn bit_or(a: &Term, b: &Term) -> Option<Term> {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => Some(Term::Int(x | y)),
        _ => Some(integer(to_big(a)? | to_big(b)?)),
    }
}

pub fn bit_xor(a: &Term, b: &Term) -> Option<Term> {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => Some(Term::Int(x ^ y)),
        _ => Some(integer(to_big(a)? ^ to_big(b)?)),
    }
}

pub fn bit_not(a: &Term) -> Option<Term> {
    match a {
        Term::Int(x) => Some(Term::Int(!x)),
        _ => Some(integer(!to_big(a)?)),
    }
}

/// The largest shift to the left that we carry out; beyond it Erlang has a `system_limit` too.
const SHIFT_MAX: i64 = 1 << 26;

pub fn shift_left(a: &Term, b: &Term) -> Option<Term> {
    let value = to_big(a)?;
    match b {
        Term::Int(n) if *n >= 0 && (*n <= SHIFT_MAX || value.is_zero()) => {
            if value.is_zero() {
                return Some(Term::Int(0));
            }
            foresee_stdx::halt::ask((value.bits() as usize + *n as usize) / 4);
            Some(integer(value << *n as u64))
        }
        // Shifting to the right rounds towards minus infinity.
        Term::Int(n) if *n < 0 => Some(integer(value >> n.unsigned_abs())),
        Term::Big(n) if n.sign() == Sign::Plus && value.is_zero() => Some(Term::Int(0)),
        Term::Big(n) if n.sign() == Sign::Minus => {
            Some(Term::Int(if value.is_negative() { -1 } else { 0 }))
        }
        _ => None,
    }
}

pub fn shift_right(a: &Term, b: &Term) -> Option<Term> {
    shift_left(a, &negate(b).filter(is_integer)?)
}

/// `trunc`, `round`, `floor`, `ceil` of a number.
pub fn to_integer(a: &Term, rounding: fn(f64) -> f64) -> Option<Term> {
    match a {
        Term::Float(x) => Some(integer(BigInt::from_f64(rounding(*x))?)),
        _ if is_integer(a) => Some(a.clone()),
        _ => None,
    }
}

/// Compares two numbers by value, exactly.
pub fn compare(a: &Term, b: &Term) -> Ordering {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => x.cmp(y),
        (Term::Float(x), Term::Float(y)) => x.partial_cmp(y).expect("floats are finite"),
        (Term::Float(x), _) => compare_with_float(b, *x).reverse(),
        (_, Term::Float(y)) => compare_with_float(a, *y),
        _ => to_big(a).cmp(&to_big(b)),
    }
}

/// Integers before floats; floats of one value by sign bit, so that the order agrees with exact equality.
pub fn compare_exact(a: &Term, b: &Term) -> Ordering {
    match (a, b) {
        (Term::Float(x), Term::Float(y)) => {
            x.partial_cmp(y).expect("floats are finite").then_with(|| x.total_cmp(y))
        }
        (Term::Float(_), _) => Ordering::Greater,
        (_, Term::Float(_)) => Ordering::Less,
        _ => compare(a, b),
    }
}

fn compare_with_float(integer: &Term, x: f64) -> Ordering {
    const EXACT: i64 = 1 << 53;
    if let Term::Int(n) = integer
        && (-EXACT..=EXACT).contains(n)
    {
        return (*n as f64).partial_cmp(&x).expect("floats are finite");
    }
    let whole = x.trunc();
    let by_whole = to_big(integer).cmp(&BigInt::from_f64(whole));
    by_whole.then_with(|| 0.0f64.partial_cmp(&(x - whole)).expect("floats are finite"))
}

/// The text of an integer in a base from 2 to 36, with capital letters.
pub fn to_base(term: &Term, base: u32) -> Option<String> {
    match term {
        Term::Int(n) if base == 10 => Some(n.to_string()),
        _ => Some(large::digits(&to_big(term)?, base).to_uppercase()),
    }
}

/// The integer with this text.
pub fn parse_integer(text: &str, base: u32) -> Option<Term> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    let value = large::parsed(digits, base)?;
    Some(integer(if text.starts_with('-') { -value } else { value }))
}

/// The float with this text: digits, a point, digits, perhaps an exponent.
pub fn parse_float(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], Some(&body[at + 1..])),
        None => (body, None),
    };
    let (whole, fraction) = mantissa.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let exponent_ok = exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)));
    if !digits(whole) || !digits(fraction) || !exponent_ok {
        return None;
    }
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

/// The greatest common divisor, used by nothing in the language but by `math`-like preludes.
pub fn gcd(a: &Term, b: &Term) -> Option<Term> {
    Some(integer(to_big(a)?.gcd(&to_big(b)?)))
}

/// The low `bits` bits of an integer as a non-negative integer.
pub fn low_bits(term: &Term, bits: usize) -> Option<BigInt> {
    let value = to_big(term)?;
    let modulus = BigInt::from(1) << bits;
    Some(value.mod_floor(&modulus))
}
