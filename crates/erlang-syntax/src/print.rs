//! Printing: literals and expressions as Erlang writes them.
//! Why here: messages quote the user's terms, and stringified macro arguments must read as Erlang's do. The term
//! printer of the evaluator uses the same functions for atoms, strings, characters and floats.
//! Invariant: printing and parsing again gives the same tree (a property test); parentheses are minimal.
//! Not here: layout. Everything comes out on one line.

mod blocks;
mod exprs;

pub use exprs::print_expr;
pub(crate) use exprs::segment_option;

use crate::token::Keyword;

/// An atom, in quotes where needed: `ok`, `'Hello'`, `'end'`.
pub fn atom(name: &str) -> String {
    if is_bare_atom(name) { name.to_string() } else { quoted_atom(name) }
}

/// An atom in quotes.
pub(crate) fn quoted_atom(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    out.push('\'');
    name.chars().for_each(|c| push_escaped(&mut out, c, '\''));
    out.push('\'');
    out
}

fn is_bare_atom(name: &str) -> bool {
    let lower = |c: char| c.is_ascii_lowercase() || matches!(c, 'ß'..='ö' | 'ø'..='ÿ');
    let inner = |c: char| {
        c.is_ascii_alphanumeric()
            || c == '_'
            || c == '@'
            || matches!(c, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ')
    };
    name.chars().next().is_some_and(lower) && name.chars().all(inner) && !is_reserved(name)
}

/// Words that are atoms only in quotes, as of OTP 27.
pub fn is_reserved(word: &str) -> bool {
    Keyword::ALL.iter().any(|keyword| keyword.text() == word)
}

/// A string in double quotes.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    text.chars().for_each(|c| push_escaped(&mut out, c, '"'));
    out.push('"');
    out
}

/// A character: `$a`, `$\n`, `$\s`.
pub fn character(c: char) -> String {
    let mut out = String::from("$");
    match c {
        ' ' => out.push_str("\\s"),
        '\'' | '"' => out.push(c),
        c => push_escaped(&mut out, c, '\\'),
    }
    out
}

fn push_escaped(out: &mut String, c: char, quote: char) {
    let escape = match c {
        '\n' => 'n',
        '\t' => 't',
        '\r' => 'r',
        '\u{b}' => 'v',
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        '\u{1b}' => 'e',
        '\u{7f}' => 'd',
        '\\' => '\\',
        c if c == quote => c,
        c if c < ' ' || ('\u{80}'..'\u{a0}').contains(&c) => {
            out.push_str(&format!("\\{:03o}", c as u32));
            return;
        }
        c => return out.push(c),
    };
    out.push('\\');
    out.push(escape);
}

/// A float with the fewest digits that read back as the same number: `1.0`, `0.1`, `1.0e22`.
pub fn float(value: f64) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.0" } else { "0.0" }.to_string();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let (digits, place) = shortest_digits(value.abs());
    // From 2^53 on not every integer is a float, and Erlang stops pretending with decimal notation.
    let decimal = if value.abs() < (1u64 << 53) as f64 { decimal(&digits, place) } else { None };
    let text = decimal.unwrap_or_else(|| exponential(&digits, place - 1));
    format!("{sign}{text}")
}

/// The fewest digits that read back as `value`, and how many of them stand before the point. Where two last digits
/// are equally near, Erlang takes the even one and Rust the larger.
fn shortest_digits(value: f64) -> (String, i32) {
    let (digits, exponent) = scientific(&format!("{value:e}"));
    let (exact, exact_exponent) = scientific(&format!("{value:.60e}"));
    let (kept, rest) = exact.split_at(digits.len().min(exact.len()));
    let tie = rest.strip_prefix('5').is_some_and(|zeros| zeros.bytes().all(|byte| byte == b'0'));
    let even = kept.as_bytes().last().is_some_and(|digit| digit % 2 == 0);
    if tie && even && exact_exponent == exponent && kept != digits {
        let text = format!("{}.{}e{exponent}", &kept[..1], &kept[1..]);
        if text.parse() == Ok(value) {
            return (kept.to_string(), exponent + 1);
        }
    }
    (digits, exponent + 1)
}

/// Digits and exponent of `1.25e3`.
fn scientific(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` writes an exponent");
    (mantissa.replace('.', ""), exponent.parse().expect("the exponent is a number"))
}

/// Without exponent, unless that is longer.
fn decimal(digits: &str, place: i32) -> Option<String> {
    let length = digits.len() as i32;
    if place > 0 && place < length {
        let (whole, fraction) = digits.split_at(place as usize);
        return Some(format!("{whole}.{fraction}"));
    }
    if place == 0 {
        return Some(format!("0.{digits}"));
    }
    let exponent_cost = (place - 1).to_string().len() as i32 + 1 + if length == 1 { 2 } else { 1 };
    if place < 0 {
        let zeros = -place;
        return (2 + zeros <= exponent_cost)
            .then(|| format!("0.{}{digits}", "0".repeat(zeros as usize)));
    }
    let zeros = place - length;
    (zeros + 2 <= exponent_cost).then(|| format!("{digits}{}.0", "0".repeat(zeros as usize)))
}

fn exponential(digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    format!("{first}.{rest}e{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_quoted_only_where_needed() {
        for (name, text) in [
            ("ok", "ok"),
            ("hello_World@1", "hello_World@1"),
            ("Hello", "'Hello'"),
            ("", "''"),
            ("end", "'end'"),
            ("maybe", "'maybe'"),
            ("it's", "'it\\'s'"),
            ("a b", "'a b'"),
            ("é", "é"),
            ("日本", "'日本'"),
            ("a\n", "'a\\n'"),
        ] {
            assert_eq!(atom(name), text);
        }
    }

    #[test]
    fn floats_are_short_and_look_like_floats() {
        for (value, text) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1.0e22, "1.0e22"),
            (123456.789, "123456.789"),
            (1.0e-5, "1.0e-5"),
            (0.001, "0.001"),
            (-2.5, "-2.5"),
            (100000.0, "1.0e5"),
            (12345678.0, "12345678.0"),
            (-0.0, "-0.0"),
            (1820756637777787.0 + 0.25, "1820756637777787.2"),
        ] {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn strings_and_characters_escape_what_they_must() {
        assert_eq!(string("a\"b\\\n\u{1}é"), "\"a\\\"b\\\\\\n\\001é\"");
        assert_eq!(character(' '), "$\\s");
        assert_eq!(character('\''), "$'");
        assert_eq!(character('\\'), "$\\\\");
    }
}
