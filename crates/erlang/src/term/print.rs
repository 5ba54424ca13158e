//! Terms as text: `~w` (everything spelled out) and `~p` on one line (strings as strings).
//! Line breaks of `~p` are in `pretty`; format strings in `crate::format`.

use super::{Atom, Bits, FunKind, Reference, Term, deep, number};
use foresee_stdx::halt;
use std::fmt::Write;

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Show lists of printable characters as strings (`~p`).
    pub strings: bool,
    /// Characters beyond Latin-1 may appear as themselves (`~tp`).
    pub unicode: bool,
    /// Characters beyond Latin-1 make strings too; Erlang needs `+pc unicode` for that, people never do.
    pub wide: bool,
}

/// As `~w`.
pub fn quoted(term: &Term) -> String {
    text(term, Style::default())
}

/// As `~tp` if lines were endless.
pub fn readable(term: &Term) -> String {
    text(term, Style { strings: true, unicode: true, wide: true })
}

pub fn text(term: &Term, style: Style) -> String {
    let mut out = String::new();
    // Who must have all of it asks before (`Builtin::walks`); to people the rest says nothing.
    match deep::is_deeper(term, deep::DONE_MAX) {
        true => write_to_depth(&mut out, term, deep::DONE_MAX as i64, style),
        false => write_term(&mut out, term, style),
    }
    out
}

pub fn write_term(out: &mut String, term: &Term, style: Style) {
    halt::pace();
    match term {
        Term::Int(n) => {
            let _ = write!(out, "{n}");
        }
        Term::Big(_) => out.push_str(&number::to_base(term, 10).expect("an integer")),
        Term::Float(x) => out.push_str(&float(*x)),
        Term::Atom(atom) => write_atom(out, *atom, style.unicode),
        Term::Nil => out.push_str("[]"),
        Term::Pid(pid) => {
            let _ = write!(out, "{pid}");
        }
        Term::Ref(owner, n) => {
            let _ = write!(out, "{}", Reference { owner: *owner, n: *n });
        }
        Term::Cons(_) => write_list(out, term, style),
        Term::Tuple(tuple) => {
            out.push('{');
            write_separated(out, tuple.items().iter(), style);
            out.push('}');
        }
        Term::Map(map) => {
            out.push_str("#{");
            for (i, (key, value)) in map.entries().iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_term(out, key, style);
                out.push_str(" => ");
                write_term(out, value, style);
            }
            out.push('}');
        }
        Term::Bits(bits) => write_bits(out, bits, style),
        Term::Fun(fun) => match &fun.kind {
            FunKind::External { module, name } => {
                out.push_str("fun ");
                write_atom(out, *module, style.unicode);
                out.push(':');
                write_atom(out, *name, style.unicode);
                let _ = write!(out, "/{}", fun.arity);
            }
            FunKind::Closure { module, name, .. } => {
                let _ = write!(out, "#Fun<{}.{}>", module.text(), name.text().trim_matches('-'));
            }
        },
        Term::Trace(trace) => write_term(out, &trace.to_term(), style),
    }
}

/// As `~W`: `...` for what is deeper than `depth`; below zero there is no limit.
pub fn write_to_depth(out: &mut String, term: &Term, depth: i64, style: Style) {
    match term {
        _ if depth == 0 => out.push_str("..."),
        _ if depth < 0 => write_term(out, term, style),
        Term::Trace(trace) => write_to_depth(out, &trace.to_term(), depth, style),
        Term::Cons(_) if depth == 1 => out.push_str("[...]"),
        Term::Cons(_) => {
            let mut left = depth;
            let mut cells = term.cells();
            for (i, item) in cells.by_ref().enumerate() {
                if left == 1 {
                    return out.push_str("|...]");
                }
                out.push_str(if i == 0 { "[" } else { "," });
                left -= 1;
                write_to_depth(out, item, left, style);
            }
            if left == 1 && !matches!(cells.rest(), Term::Nil) {
                out.push_str("|...");
            } else if !matches!(cells.rest(), Term::Nil) {
                out.push('|');
                write_to_depth(out, cells.rest(), left - 1, style);
            }
            out.push(']');
        }
        Term::Tuple(tuple) if !tuple.items().is_empty() => {
            if depth == 1 {
                return out.push_str("{...}");
            }
            let mut left = depth;
            for (i, item) in tuple.items().iter().enumerate() {
                if left == 1 {
                    return out.push_str(",...}");
                }
                out.push_str(if i == 0 { "{" } else { "," });
                left -= 1;
                write_to_depth(out, item, left, style);
            }
            out.push('}');
        }
        Term::Map(map) if !map.is_empty() => write_map_to_depth(out, map.entries(), depth, style),
        Term::Bits(bits) if !bits.is_empty() => {
            let whole = text(term, Style::default());
            let inner: Vec<&str> = whole[2..whole.len() - 2].split(',').collect();
            let shown = (depth as usize - 1).min(inner.len());
            let cut: &[&str] = if shown < inner.len() { &["..."] } else { &[] };
            let all: Vec<&str> = inner[..shown].iter().chain(cut).copied().collect();
            let _ = write!(out, "<<{}>>", all.join(","));
        }
        _ => write_term(out, term, style),
    }
}

/// Erlang shows nothing of a map at depth 1, and dots after the last pair that fits even if it is the last of all.
fn write_map_to_depth(out: &mut String, entries: &[(Term, Term)], depth: i64, style: Style) {
    out.push_str("#{");
    let shown = entries.len().min(depth as usize - 1);
    for (i, (key, value)) in entries[..shown].iter().enumerate() {
        out.push_str(if i == 0 { "" } else { "," });
        write_to_depth(out, key, depth - 1, style);
        out.push_str(" => ");
        write_to_depth(out, value, depth - 1, style);
    }
    if depth > 1 && entries.len() as i64 >= depth - 1 {
        out.push_str(",...");
    }
    out.push('}');
}

fn write_separated<'a>(out: &mut String, items: impl Iterator<Item = &'a Term>, style: Style) {
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_term(out, item, style);
    }
}

fn write_list(out: &mut String, list: &Term, style: Style) {
    if style.strings
        && let Some(text) = printable_string(list, style.wide)
    {
        return write_string(out, &text, '"', style.unicode);
    }
    out.push('[');
    let mut cells = list.cells();
    write_separated(out, cells.by_ref(), style);
    if !matches!(cells.rest(), Term::Nil) {
        out.push('|');
        write_term(out, cells.rest(), style);
    }
    out.push(']');
}

/// The text of a non-empty list that consists of printable characters.
pub fn printable_string(list: &Term, unicode: bool) -> Option<String> {
    let mut cells = list.cells();
    let mut text = String::new();
    for item in cells.by_ref() {
        let c = char::from_u32(u32::try_from(item.as_int()?).ok()?)?;
        if !is_printable(c, unicode) {
            return None;
        }
        text.push(c);
    }
    (matches!(cells.rest(), Term::Nil) && !text.is_empty()).then_some(text)
}

pub fn is_printable(c: char, unicode: bool) -> bool {
    match u32::from(c) {
        8..=13 | 27 | 32..=126 | 160..=255 => true,
        code => unicode && code > 255 && !(0xFFFE..=0xFFFF).contains(&code),
    }
}

fn write_bits(out: &mut String, bits: &Bits, style: Style) {
    out.push_str("<<");
    let bytes = bits.to_bytes();
    if style.strings
        && bits.is_binary()
        && !bits.is_empty()
        && let Some((text, encoding)) = printable_bytes(&bytes, style)
    {
        write_string(out, &text, '"', true);
        out.push_str(encoding);
        return out.push_str(">>");
    }
    let whole = bits.len() / 8;
    for (i, byte) in bytes.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        if i < whole {
            let _ = write!(out, "{byte}");
        } else {
            let rest = bits.len() % 8;
            let _ = write!(out, "{}:{rest}", byte >> (8 - rest));
        }
    }
    out.push_str(">>");
}

/// The text of a binary that is printable, and what says how it is encoded. Where Unicode may be shown, bytes that are
/// UTF-8 are taken for that.
fn printable_bytes(bytes: &[u8], style: Style) -> Option<(String, &'static str)> {
    if style.unicode
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        let encoding = if text.is_ascii() { "" } else { "/utf8" };
        let printable = text.chars().all(|c| is_printable(c, style.wide));
        return printable.then(|| (text.to_owned(), encoding));
    }
    let printable = bytes.iter().all(|byte| is_printable(char::from(*byte), false));
    printable.then(|| (bytes.iter().map(|byte| char::from(*byte)).collect(), ""))
}

/// Text between quotes, with escapes for what cannot stand for itself.
pub fn write_string(out: &mut String, text: &str, quote: char, unicode: bool) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{7f}' => out.push_str("\\d"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if u32::from(c) < 32 || (128..160).contains(&u32::from(c)) => {
                let code = u32::from(c);
                let _ = write!(out, "\\{:o}{:o}{:o}", code >> 6, code >> 3 & 7, code & 7);
            }
            c if u32::from(c) > 255 && !unicode => {
                let _ = write!(out, "\\x{{{:X}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}

pub fn write_atom(out: &mut String, atom: Atom, unicode: bool) {
    if needs_quotes(atom.text()) {
        write_string(out, atom.text(), '\'', unicode);
    } else {
        out.push_str(atom.text());
    }
}

const RESERVED: [&str; 27] = [
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
    "catch", "cond", "div", "end", "fun", "if", "let", "not", "of", "or", "orelse", "receive",
    "rem", "try", "when", "xor",
];

fn needs_quotes(text: &str) -> bool {
    let mut chars = text.chars();
    let starts_well = chars.next().is_some_and(is_small_letter);
    !starts_well || !text.chars().all(is_name_character) || RESERVED.contains(&text)
}

fn is_small_letter(c: char) -> bool {
    c.is_ascii_lowercase() || (('\u{df}'..='\u{ff}').contains(&c) && c != '\u{f7}')
}

fn is_name_character(c: char) -> bool {
    let latin = ('\u{c0}'..='\u{ff}').contains(&c) && c != '\u{d7}' && c != '\u{f7}';
    c.is_ascii_alphanumeric() || c == '_' || c == '@' || latin
}

/// The shortest text that reads back as `x`: plain digits or with an exponent, whichever is shorter.
pub fn float(x: f64) -> String {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x == 0.0 {
        return format!("{sign}0.0");
    }
    // Rust gives the shortest digits that read back: `d.ddde±x`. Where two of that length are as near, the one that
    // exact rounding to even gives is Erlang's.
    let mut scientific = format!("{:e}", x.abs());
    let n_digits = scientific.bytes().take_while(|c| *c != b'e').filter(u8::is_ascii_digit).count();
    let even = format!("{:.*e}", n_digits - 1, x.abs());
    if even.parse() == Ok(x.abs()) {
        scientific = even;
    }
    let (mantissa, exponent) = scientific.split_once('e').expect("scientific notation");
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let exponent: i32 = exponent.parse().expect("an exponent");
    format!("{sign}{}", place_point(&digits, exponent, x.abs() >= 9_007_199_254_740_992.0))
}

/// `digits` is the mantissa `d.dd…` without its point.
fn place_point(digits: &str, exponent: i32, always_scientific: bool) -> String {
    let n = digits.len() as i32;
    let point = exponent + 1; // the number of digits before the point
    let scientific = || {
        let rest = if n == 1 { "0" } else { &digits[1..] };
        format!("{}.{rest}e{exponent}", &digits[..1])
    };
    if always_scientific {
        return scientific();
    }
    let scientific_extra = exponent.to_string().len() as i32 + 1 + if n == 1 { 2 } else { 1 };
    if point <= 0 {
        if 2 - point <= scientific_extra {
            format!("0.{}{digits}", "0".repeat(-point as usize))
        } else {
            scientific()
        }
    } else if point >= n {
        if point - n + 2 <= scientific_extra {
            format!("{digits}{}.0", "0".repeat((point - n) as usize))
        } else {
            scientific()
        }
    } else {
        format!("{}.{}", &digits[..point as usize], &digits[point as usize..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_erlang_prints_them() {
        let cases = [
            (1.0, "1.0"),
            (1e15 + 0.25, "1000000000000000.2"),
            (1e15 + 0.75, "1000000000000000.8"),
            (0.1, "0.1"),
            (100.0, "100.0"),
            (1.0e5, "1.0e5"),
            (123_456.0, "123456.0"),
            (1.0e-5, "1.0e-5"),
            (0.001, "0.001"),
            (0.0001, "0.0001"),
            (1.5e-7, "1.5e-7"),
            (9_007_199_254_740_992.0, "9.007199254740992e15"),
            (9_007_199_254_740_991.0, "9007199254740991.0"),
            (1.0e15, "1.0e15"),
            (-0.0, "-0.0"),
            (2.5e300, "2.5e300"),
            (5.0e-324, "5.0e-324"),
            (12345.678, "12345.678"),
        ];
        for (value, text) in cases {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn atoms_are_quoted_when_they_must_be() {
        for (text, printed) in [
            ("abc", "abc"),
            ("a@b_1", "a@b_1"),
            ("", "''"),
            ("Abc", "'Abc'"),
            ("when", "'when'"),
            ("it's", "'it\\'s'"),
        ] {
            assert_eq!(quoted(&Term::atom(text)), printed);
        }
    }
}
