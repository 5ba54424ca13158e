//! `~e`, `~f` and `~g`: decimal rounding of the 21 digits that `float_to_list/1` shows, halves away from zero.

use super::directive::Directive;

/// The text of a number without its field; `None` for a precision that makes no sense.
pub(super) fn text(x: f64, directive: &Directive) -> Option<String> {
    let precision = directive.precision.unwrap_or(6);
    match directive.control {
        'f' => fixed(x, precision),
        'e' => scientific(x, precision),
        _ => general(x, precision),
    }
}

/// Plain where that shows the wanted number of digits, for numbers from 0.1 up to 10000.
fn general(x: f64, precision: i64) -> Option<String> {
    let size = x.abs();
    let exponent = [0.1, 1.0, 10.0, 100.0, 1e3, 1e4].iter().position(|limit| size < *limit);
    let exponent = exponent.map(|position| position as i64 - 2);
    match exponent {
        _ if precision < 1 => None,
        Some(-1) => fixed(x, precision),
        Some(e) if e >= 0 && precision - 1 > e => fixed(x, precision - 1 - e),
        _ => scientific(x, precision.max(2)),
    }
}

fn fixed(x: f64, decimals: i64) -> Option<String> {
    let decimals = usize::try_from(decimals).ok().filter(|n| *n >= 1)?;
    let (mut digits, exponent) = digits(x);
    let mut before = exponent + 1;
    if before < 1 {
        digits.splice(0..0, std::iter::repeat_n(0, (1 - before) as usize));
        before = 1;
    }
    let (digits, carry) = rounded(digits, before as usize + decimals);
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let carry = if carry { "1" } else { "" };
    let (whole, fraction) = text.split_at(before as usize);
    Some(format!("{}{carry}{whole}.{fraction}", sign(x)))
}

fn scientific(x: f64, precision: i64) -> Option<String> {
    let precision = usize::try_from(precision).ok().filter(|n| *n >= 2)?;
    let (digits, mut exponent) = digits(x);
    let (mut digits, carry) = rounded(digits, precision);
    if carry {
        digits[0] = 1;
        exponent += 1;
    }
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let plus = if exponent < 0 { "" } else { "+" };
    Some(format!("{}{}.{}e{plus}{exponent}", sign(x), &text[..1], &text[1..]))
}

fn sign(x: f64) -> &'static str {
    if x.is_sign_negative() { "-" } else { "" }
}

/// The digits of `float_to_list/1` and the exponent of the first.
fn digits(x: f64) -> (Vec<u8>, i64) {
    let text = format!("{:.20e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').expect("scientific notation");
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    (digits, exponent.parse().expect("an exponent"))
}

/// The first `n` digits, rounded by the next; whether a one is carried out in front.
fn rounded(mut digits: Vec<u8>, n: usize) -> (Vec<u8>, bool) {
    let mut carry = digits.get(n).is_some_and(|digit| *digit >= 5);
    digits.resize(n, 0);
    for digit in digits.iter_mut().rev() {
        if !carry {
            break;
        }
        carry = *digit == 9;
        *digit = if carry { 0 } else { *digit + 1 };
    }
    (digits, carry)
}
