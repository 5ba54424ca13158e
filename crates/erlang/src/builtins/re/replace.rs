//! `re:replace`: replacements that are text, and the pieces between which a fun's results go.

use super::options::{Kind, Settings};
use super::{Found, Subject, bytes_of, find, find_all, list_of, pattern};
use crate::builtins::{Outcome, arg};
use crate::machine::{Local, Raise};
use crate::regex::Regex;
use crate::term::Term;

/// A replacement taken apart.
enum Part {
    Text(Vec<u8>),
    Group(usize),
}

fn parts(replacement: &[u8]) -> Result<Vec<Part>, Raise> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut at = 0;
    let number = |mut at: usize| {
        let start = at;
        while replacement.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        let digits = std::str::from_utf8(&replacement[start..at]).ok()?;
        Some((digits.parse::<usize>().ok()?, at))
    };
    while let Some(&byte) = replacement.get(at) {
        let group = match (byte, replacement.get(at + 1)) {
            (b'&', _) => Some((0, at + 1)),
            (b'\\', Some(b'1'..=b'9')) => number(at + 1),
            (b'\\', Some(b'g')) if replacement.get(at + 2) == Some(&b'{') => number(at + 3)
                .filter(|(_, end)| replacement.get(*end) == Some(&b'}'))
                .map(|(number, end)| (number, end + 1)),
            (b'\\', Some(b'g')) => number(at + 2),
            _ => None,
        };
        if let Some((number, end)) = group {
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(Part::Group(number));
            at = end;
        } else if byte == b'\\' && replacement.get(at + 1) == Some(&b'g') {
            return Err(Raise::badarg());
        } else if byte == b'\\' && at + 1 < replacement.len() {
            text.push(replacement[at + 1]);
            at += 2;
        } else {
            text.push(byte);
            at += 1;
        }
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(parts)
}

/// All matches, or the first one only.
fn matches_of(regex: &Regex, subject: &Subject, settings: &Settings) -> Result<Vec<Found>, Raise> {
    if settings.global {
        return find_all(regex, subject, settings);
    }
    let start = subject.unit_at(settings.offset)?;
    Ok(find(regex, subject, start, settings.matching)?.into_iter().collect())
}

/// Binaries in a list, as the kind of text that was asked for.
fn returned(pieces: Vec<Term>, tail: Term, kind: Kind, unicode: bool) -> Outcome {
    let iodata = Term::list_with_tail(pieces, tail);
    match kind {
        Kind::Iodata | Kind::Index => Ok(iodata),
        Kind::Binary => crate::builtins::convert::iolist(&iodata),
        Kind::List => {
            let binary = crate::builtins::convert::iolist(&iodata)?;
            let bytes = arg(binary.as_bits())?.to_bytes();
            text_list(&bytes, unicode)
        }
    }
}

fn text_list(bytes: &[u8], unicode: bool) -> Outcome {
    if unicode {
        return Ok(Term::string(arg(std::str::from_utf8(bytes).ok())?));
    }
    Ok(list_of(&bytes.iter().map(|byte| u32::from(*byte)).collect::<Vec<_>>()))
}

/// `re:replace/4` for replacements that are text.
pub(super) fn replace(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let settings = Settings::of(Some(&args[3]), Kind::Iodata)?;
    let regex = pattern(&args[1], &settings)?;
    let unicode = regex.options().unicode;
    let subject = Subject::of(&args[0], unicode)?;
    let parts = parts(&bytes_of(&args[2], unicode)?)?;
    let literal = matches!(parts[..], [Part::Text(_)]);
    let all = matches_of(&regex, &subject, &settings)?;
    if all.is_empty() && settings.kind == Kind::Iodata {
        return Ok(args[0].clone());
    }
    let mut pieces = Vec::new();
    let mut at = 0;
    for found in &all {
        let (from, to) = found[0].expect("the whole");
        if at < from {
            pieces.push(subject.piece(at, from, Kind::Binary));
        }
        let mut filled: Vec<Term> = parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => Term::binary(text),
                Part::Group(number) => match found.get(*number).copied().flatten() {
                    Some((from, to)) => subject.piece(from, to, Kind::Binary),
                    None => Term::binary(&[]),
                },
            })
            .collect();
        let only = if literal { filled.pop() } else { None };
        pieces.push(only.unwrap_or_else(|| Term::list(filled)));
        at = to;
    }
    let rest = subject.piece(at, subject.units.len(), Kind::Binary);
    let tail = if at < subject.units.len() { rest } else { Term::Nil };
    returned(pieces, tail, settings.kind, unicode)
}

/// For replacements by funs: `{Pieces, Kind}`, where a piece is text between matches or `{match, Whole, Groups}`.
pub(super) fn pieces(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let settings = Settings::of(Some(&args[2]), Kind::Iodata)?;
    let regex = pattern(&args[1], &settings)?;
    let subject = Subject::of(&args[0], regex.options().unicode)?;
    let mut pieces = Vec::new();
    let mut at = 0;
    for found in matches_of(&regex, &subject, &settings)? {
        let (from, to) = found[0].expect("the whole");
        pieces.push(subject.piece(at, from, Kind::Binary));
        let text = |group: Option<(usize, usize)>| match group {
            Some((from, to)) => subject.piece(from, to, Kind::Binary),
            None => Term::binary(&[]),
        };
        let groups: Vec<Term> = (1..=regex.n_groups())
            .map(|number| text(found.get(number).copied().flatten()))
            .collect();
        pieces.push(Term::tuple([a!("match"), text(found[0]), Term::list(groups)]));
        at = to;
    }
    pieces.push(subject.piece(at, subject.units.len(), Kind::Binary));
    let kind = match settings.kind {
        Kind::List if subject.unicode => a!("characters"),
        Kind::List => a!("list"),
        Kind::Binary => a!("binary"),
        _ => a!("iodata"),
    };
    Ok(Term::tuple([Term::list(pieces), kind]))
}
