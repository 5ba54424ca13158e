//! Module `unicode`: text in lists and binaries, in five encodings, and its normal forms.
//! Reading goes as far as the data is good; what is left is given back the way Erlang does, because programs that read
//! from a stream keep it for the next round.
//! Not here: graphemes and case (`string`).

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::Term;
use unicode_normalization::UnicodeNormalization;

pub(super) const TABLE: &[Builtin] = &[
    pure("string", "foresee_case", 2, case),
    pure("unicode", "characters_to_list", 1, to_list),
    pure("unicode", "characters_to_list", 2, to_list),
    pure("unicode", "characters_to_binary", 1, to_binary),
    pure("unicode", "characters_to_binary", 2, to_binary),
    pure("unicode", "characters_to_binary", 3, to_binary),
    pure("unicode", "bom_to_encoding", 1, bom_to_encoding),
    pure("unicode", "encoding_to_bom", 1, encoding_to_bom),
    pure("unicode", "characters_to_nfc_list", 1, |_, args| normal(args, Form::Nfc, false)),
    pure("unicode", "characters_to_nfd_list", 1, |_, args| normal(args, Form::Nfd, false)),
    pure("unicode", "characters_to_nfkc_list", 1, |_, args| normal(args, Form::Nfkc, false)),
    pure("unicode", "characters_to_nfkd_list", 1, |_, args| normal(args, Form::Nfkd, false)),
    pure("unicode", "characters_to_nfc_binary", 1, |_, args| normal(args, Form::Nfc, true)),
    pure("unicode", "characters_to_nfd_binary", 1, |_, args| normal(args, Form::Nfd, true)),
    pure("unicode", "characters_to_nfkc_binary", 1, |_, args| normal(args, Form::Nfkc, true)),
    pure("unicode", "characters_to_nfkd_binary", 1, |_, args| normal(args, Form::Nfkd, true)),
];

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Latin1,
    Utf8,
    Utf16 { little: bool },
    Utf32 { little: bool },
}

impl Encoding {
    fn of(term: &Term) -> Result<Encoding, Raise> {
        let little = match term.as_tuple() {
            Some([_, order]) if order.is_atom(atom!("little")) => true,
            Some([_, order]) if order.is_atom(atom!("big")) => false,
            Some(_) => return Err(Raise::badarg()),
            None => false,
        };
        let name = term.as_tuple().map_or(term, |pair| &pair[0]);
        match (arg(name.as_atom())?.text(), term.as_tuple().is_some()) {
            ("latin1", false) => Ok(Encoding::Latin1),
            ("unicode" | "utf8", false) => Ok(Encoding::Utf8),
            ("utf16", _) => Ok(Encoding::Utf16 { little }),
            ("utf32", _) => Ok(Encoding::Utf32 { little }),
            _ => Err(Raise::badarg()),
        }
    }

    /// The first character of some bytes and its length.
    fn first(self, bytes: &[u8]) -> Result<(char, usize), Bad> {
        match self {
            Encoding::Latin1 => Ok((char::from(bytes[0]), 1)),
            Encoding::Utf8 => first_utf8(bytes),
            Encoding::Utf16 { little } => {
                let unit = |at: usize| {
                    let pair = bytes.get(at..at + 2).ok_or(Bad::Incomplete)?;
                    let pair = [pair[0], pair[1]];
                    Ok(if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
                };
                let high = unit(0)?;
                let units = if (0xD800..0xDC00).contains(&high) { 2 } else { 1 };
                let all = if units == 2 { vec![high, unit(2)?] } else { vec![high] };
                let c = char::decode_utf16(all).next().and_then(Result::ok).ok_or(Bad::Wrong)?;
                Ok((c, units * 2))
            }
            Encoding::Utf32 { little } => {
                let four = bytes.get(..4).ok_or(Bad::Incomplete)?;
                let four = [four[0], four[1], four[2], four[3]];
                let code = if little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) };
                char::from_u32(code).map(|c| (c, 4)).ok_or(Bad::Wrong)
            }
        }
    }

    /// Appends a character; `None` if the encoding has none such.
    fn push(self, c: char, bytes: &mut Vec<u8>) -> Option<()> {
        match self {
            Encoding::Latin1 => bytes.push(u8::try_from(u32::from(c)).ok()?),
            Encoding::Utf8 => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            Encoding::Utf16 { little } => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    bytes.extend(if little { unit.to_le_bytes() } else { unit.to_be_bytes() });
                }
            }
            Encoding::Utf32 { little } => {
                let code = u32::from(c);
                bytes.extend(if little { code.to_le_bytes() } else { code.to_be_bytes() });
            }
        }
        Some(())
    }
}

fn first_utf8(bytes: &[u8]) -> Result<(char, usize), Bad> {
    let len = match bytes[0] {
        0..0x80 => return Ok((char::from(bytes[0]), 1)),
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0..0xF5 => 4,
        _ => return Err(Bad::Wrong),
    };
    match std::str::from_utf8(&bytes[..len.min(bytes.len())]) {
        Ok(text) => text.chars().next().map(|c| (c, len)).ok_or(Bad::Wrong),
        Err(error) if error.error_len().is_none() && bytes.len() < len => Err(Bad::Incomplete),
        Err(_) => Err(Bad::Wrong),
    }
}

enum Bad {
    Wrong,
    Incomplete,
}

/// Why reading has stopped.
enum Stop {
    /// What is left starts with something that is no character.
    Error(Term),
    /// It is no text at all.
    NoText,
}

/// Reads text as far as it is good.
struct Reader {
    encoding: Encoding,
    /// Characters above are refused.
    highest: u32,
    characters: Vec<char>,
    /// The bytes of a character whose rest may follow in the next binary.
    pending: Vec<u8>,
}

impl Reader {
    fn read(&mut self, data: &Term) -> Result<(), Stop> {
        match data {
            Term::Bits(bits) if bits.is_binary() => self.bytes(&bits.to_bytes()),
            Term::Nil => Ok(()),
            Term::Cons(_) => {
                foresee_stdx::halt::pace();
                self.list(data)
            }
            _ => Err(Stop::NoText),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let mut all = std::mem::take(&mut self.pending);
        all.extend(bytes);
        let mut at = 0;
        while at < all.len() {
            match self.encoding.first(&all[at..]) {
                Ok((c, len)) if u32::from(c) <= self.highest => {
                    self.characters.push(c);
                    at += len;
                }
                Err(Bad::Incomplete) => {
                    self.pending = all[at..].to_vec();
                    return Ok(());
                }
                _ => return Err(Stop::Error(Term::binary(&all[at..]))),
            }
        }
        Ok(())
    }

    fn list(&mut self, list: &Term) -> Result<(), Stop> {
        let mut rest = list;
        while let Term::Cons(cell) = rest {
            match &cell.head {
                Term::Int(code) if self.pending.is_empty() => {
                    let c = u32::try_from(*code).ok().and_then(char::from_u32);
                    match c.filter(|c| u32::from(*c) <= self.highest) {
                        Some(c) => self.characters.push(c),
                        None => return Err(self.unless_no_text(rest, rest.clone())),
                    }
                }
                Term::Int(_) => {
                    let stop = self.cut_short(rest);
                    return Err(self.unless_no_text(rest, stop));
                }
                // A list inside a list whose characters cannot follow the bytes before.
                inner @ Term::Cons(_) if !self.pending.is_empty() && starts_with_code(inner) => {
                    let stop = self.cut_short(rest);
                    return Err(self.unless_no_text(rest, stop));
                }
                inner => match self.read(inner) {
                    Ok(()) => {}
                    Err(Stop::Error(left)) => {
                        let left = Term::cons(left, cell.tail.clone());
                        return Err(self.unless_no_text(&cell.tail, left));
                    }
                    Err(Stop::NoText) => return Err(Stop::NoText),
                },
            }
            rest = &cell.tail;
        }
        match rest {
            Term::Int(_) => Err(Stop::NoText),
            rest => self.read(rest),
        }
    }

    /// What is left when the rest of a character does not follow.
    fn cut_short(&mut self, rest: &Term) -> Term {
        let pending = Term::binary(&std::mem::take(&mut self.pending));
        match self.encoding {
            Encoding::Utf8 => Term::list([pending, rest.clone()]),
            _ => Term::cons(pending, rest.clone()),
        }
    }

    /// Data whose remainder is not even made of text is an error of the caller.
    fn unless_no_text(&self, rest: &Term, left: Term) -> Stop {
        if is_text(rest) { Stop::Error(left) } else { Stop::NoText }
    }
}

fn starts_with_code(list: &Term) -> bool {
    match list.cells().next() {
        Some(Term::Int(_)) => true,
        Some(inner) => starts_with_code(inner),
        None => false,
    }
}

/// Made of integers, binaries and lists of such.
fn is_text(term: &Term) -> bool {
    foresee_stdx::halt::pace();
    let mut cells = term.cells();
    let heads = cells.by_ref().all(|item| match item {
        Term::Int(_) | Term::Big(_) => true,
        Term::Bits(bits) => bits.is_binary(),
        inner => is_text(inner),
    });
    heads
        && match cells.rest() {
            Term::Bits(bits) => bits.is_binary(),
            rest => matches!(rest, Term::Nil),
        }
}

/// What reading gave: all of it, or as far as it went and what is left.
enum Read {
    All(Vec<char>),
    Error(Vec<char>, Term),
    Incomplete(Vec<char>, Term),
}

fn read(data: &Term, encoding: Encoding) -> Result<Read, Raise> {
    let text = matches!(data, Term::Bits(_) | Term::Nil | Term::Cons(_));
    arg(text.then_some(()))?;
    let highest = if encoding == Encoding::Latin1 { 0xFF } else { 0x10_FFFF };
    let mut reader = Reader { encoding, highest, characters: Vec::new(), pending: Vec::new() };
    match reader.read(data) {
        Ok(()) if reader.pending.is_empty() => Ok(Read::All(reader.characters)),
        Ok(()) => Ok(Read::Incomplete(reader.characters, Term::binary(&reader.pending))),
        Err(Stop::Error(left)) => Ok(Read::Error(reader.characters, left)),
        Err(Stop::NoText) => Err(Raise::badarg()),
    }
}

/// The text of characters that must all be good.
pub(super) fn text(data: &Term) -> Result<String, Raise> {
    match read(data, Encoding::Utf8)? {
        Read::All(characters) => Ok(characters.into_iter().collect()),
        _ => Err(Raise::badarg()),
    }
}

fn list(characters: Vec<char>) -> Term {
    Term::list(
        characters.into_iter().map(|c| Term::Int(i64::from(u32::from(c)))).collect::<Vec<_>>(),
    )
}

fn encoding(args: &[Term], at: usize) -> Result<Encoding, Raise> {
    args.get(at).map_or(Ok(Encoding::Utf8), Encoding::of)
}

fn to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(match read(&args[0], encoding(args, 1)?)? {
        Read::All(text) => list(text),
        Read::Error(text, left) => Term::tuple([a!("error"), list(text), left]),
        Read::Incomplete(text, left) => Term::tuple([a!("incomplete"), list(text), left]),
    })
}

fn to_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (from, to) = (encoding(args, 1)?, encoding(args, 2)?);
    let (text, left) = match read(&args[0], from)? {
        Read::All(text) => (text, None),
        Read::Error(text, left) => (text, Some(("error", left))),
        Read::Incomplete(text, left) => (text, Some(("incomplete", left))),
    };
    let mut bytes = Vec::new();
    for (i, c) in text.iter().enumerate() {
        if to.push(*c, &mut bytes).is_none() {
            let rest = Term::list([list(text[i..].to_vec())]);
            return Ok(Term::tuple([a!("error"), Term::binary(&bytes), rest]));
        }
    }
    Ok(match left {
        None => Term::binary(&bytes),
        Some((kind, left)) => Term::tuple([Term::atom(kind), Term::binary(&bytes), left]),
    })
}

const MARKS: [(&[u8], &str, Option<&str>); 5] = [
    (&[0xEF, 0xBB, 0xBF], "utf8", None),
    (&[0xFF, 0xFE, 0, 0], "utf32", Some("little")),
    (&[0, 0, 0xFE, 0xFF], "utf32", Some("big")),
    (&[0xFE, 0xFF], "utf16", Some("big")),
    (&[0xFF, 0xFE], "utf16", Some("little")),
];

fn bom_to_encoding(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bits = args[0].as_bits().filter(|bits| bits.is_binary());
    let bytes = bits.ok_or_else(|| Raise::error(a!("function_clause")))?.to_bytes();
    let Some((mark, name, order)) = MARKS.iter().find(|(mark, ..)| bytes.starts_with(mark)) else {
        return Ok(Term::tuple([a!("latin1"), Term::Int(0)]));
    };
    let name = match order {
        Some(order) => Term::tuple([Term::atom(name), Term::atom(order)]),
        None => Term::atom(name),
    };
    Ok(Term::tuple([name, Term::from(mark.len())]))
}

fn encoding_to_bom(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let encoding = Encoding::of(&args[0]).map_err(|_| Raise::error(a!("function_clause")))?;
    let mut bytes = Vec::new();
    if encoding != Encoding::Latin1 {
        encoding.push('\u{FEFF}', &mut bytes);
    }
    Ok(Term::binary(&bytes))
}

enum Form {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

fn normal(args: &[Term], form: Form, binary: bool) -> Outcome {
    let change = |text: Vec<char>| -> Vec<char> {
        let text = text.into_iter();
        match form {
            Form::Nfc => text.nfc().collect(),
            Form::Nfd => text.nfd().collect(),
            Form::Nfkc => text.nfkc().collect(),
            Form::Nfkd => text.nfkd().collect(),
        }
    };
    let shown = |text: Vec<char>| {
        let text = change(text);
        if binary {
            Term::binary(text.into_iter().collect::<String>().as_bytes())
        } else {
            list(text)
        }
    };
    Ok(match read(&args[0], Encoding::Utf8)? {
        Read::All(text) => shown(text),
        Read::Error(text, left) | Read::Incomplete(text, left) => {
            Term::tuple([a!("error"), shown(text), left])
        }
    })
}

/// A code point in another case: a code point, or a list of several.
fn case(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let Some(c) = args[0].as_int().and_then(|n| u32::try_from(n).ok()).and_then(char::from_u32)
    else {
        return Ok(args[0].clone());
    };
    if is_younger(c) {
        return Ok(args[0].clone());
    }
    let folded =
        |c: char| c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    // The capitals of Cherokee are older than its small letters: they are what both become.
    let is_cherokee = matches!(u32::from(c), 0x13A0..=0x13FD | 0xAB70..=0xABBF);
    let turned: Vec<char> = match arg(args[1].as_atom())?.text() {
        "upper" => c.to_uppercase().collect(),
        "fold" if is_cherokee => c.to_uppercase().collect(),
        "lower" => c.to_lowercase().collect(),
        "fold" => folded(c).collect(),
        _ => title(c),
    };
    let mut terms = turned.into_iter().map(|c| Term::Int(i64::from(u32::from(c))));
    match terms.len() {
        1 => Ok(terms.next().unwrap_or(Term::Nil)),
        _ => Ok(Term::list(terms.collect::<Vec<_>>())),
    }
}

/// Letters that have had a second case only since Unicode 16; Erlang is told of 14 (OTP 25) and 15.
fn is_younger(c: char) -> bool {
    matches!(u32::from(c),
        0x19B | 0x264 | 0x1C89..=0x1C8A | 0xA7CB..=0xA7CF | 0xA7D2..=0xA7D5 | 0xA7DA..=0xA7DC
        | 0x10D50..=0x10D65 | 0x10D70..=0x10D85 | 0x16EA0..=0x16EB8 | 0x16EBB..=0x16ED3)
}

/// The small iota below a vowel, a sign of its own.
const IOTA_BELOW: char = '\u{345}';

/// The letters that are written as two have a form of their own, and so have most Greek vowels with an iota below; of others only
/// the first letter is a capital, and an iota stays below.
fn title(c: char) -> Vec<char> {
    match u32::from(c) {
        0x1C4..=0x1C6 => vec!['\u{1C5}'],
        0x1C7..=0x1C9 => vec!['\u{1C8}'],
        0x1CA..=0x1CC => vec!['\u{1CB}'],
        0x1F1..=0x1F3 => vec!['\u{1F2}'],
        0x10D0..=0x10FF | 0x1FBC | 0x1FCC | 0x1FFC => vec![c],
        n @ 0x1F80..=0x1FAF => char::from_u32(n | 8).into_iter().collect(),
        n @ (0x1FB3 | 0x1FC3 | 0x1FF3) => char::from_u32(n + 9).into_iter().collect(),
        _ => {
            let mut upper = c.to_uppercase();
            let small = |c: char| match c {
                '\u{399}' => vec![IOTA_BELOW],
                c => c.to_lowercase().collect(),
            };
            upper.next().into_iter().chain(upper.flat_map(small)).collect()
        }
    }
}
