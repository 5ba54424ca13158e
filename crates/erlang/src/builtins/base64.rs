//! Module `base64`: encoding, strict decoding, and the lenient decoding of mail.
//! Errors are those of OTP 25: a character outside of the alphabet is `badarg`, a wrong end `function_clause`.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Map, Term};

pub(super) const TABLE: &[Builtin] = &[
    pure("base64", "encode", 1, encode),
    pure("base64", "encode", 2, encode),
    pure("base64", "encode_to_string", 1, encode_to_string),
    pure("base64", "encode_to_string", 2, encode_to_string),
    pure("base64", "decode", 1, decode),
    pure("base64", "decode", 2, decode),
    pure("base64", "decode_to_string", 1, decode_to_string),
    pure("base64", "decode_to_string", 2, decode_to_string),
    pure("base64", "mime_decode", 1, mime_decode),
    pure("base64", "mime_decode", 2, mime_decode),
    pure("base64", "mime_decode_to_string", 1, mime_decode_to_string),
    pure("base64", "mime_decode_to_string", 2, mime_decode_to_string),
];

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What the options of OTP 26 choose.
struct Mode {
    url_safe: bool,
    padding: bool,
}

impl Mode {
    fn of(options: Option<&Term>) -> Result<Mode, Raise> {
        let empty = Term::map(Map::new());
        let map = arg(options.unwrap_or(&empty).as_map())?;
        let mode = map.get(&a!("mode")).cloned().unwrap_or(a!("standard"));
        let url_safe = match arg(mode.as_atom())?.text() {
            "standard" => false,
            "urlsafe" => true,
            _ => return Err(Raise::badarg()),
        };
        let padding = map.get(&a!("padding")).map_or(Some(true), Term::as_bool);
        Ok(Mode { url_safe, padding: arg(padding)? })
    }

    fn letter(&self, value: u8) -> u8 {
        match (STANDARD[usize::from(value)], self.url_safe) {
            (b'+', true) => b'-',
            (b'/', true) => b'_',
            (letter, _) => letter,
        }
    }

    fn value(&self, letter: u8) -> Option<u8> {
        (0..64).find(|value| self.letter(*value) == letter)
    }
}

/// The bytes of a binary or of a flat list.
fn data(term: &Term) -> Result<Vec<u8>, Raise> {
    if let Some(bits) = term.as_bits().filter(|bits| bits.is_binary()) {
        return Ok(bits.to_bytes());
    }
    let items = term.to_vec().ok_or_else(function_clause)?;
    arg(items.iter().map(|item| u8::try_from(item.as_int()?).ok()).collect())
}

fn function_clause() -> Raise {
    Raise::error(a!("function_clause"))
}

fn encoded(args: &[Term]) -> Result<Vec<u8>, Raise> {
    let mode = Mode::of(args.get(1))?;
    let mut letters = Vec::new();
    for chunk in data(&args[0])?.chunks(3) {
        let word = (0..3)
            .fold(0u32, |word, i| word << 8 | chunk.get(i).map_or(0, |byte| u32::from(*byte)));
        for i in 0..4 {
            if i <= chunk.len() {
                letters.push(mode.letter((word >> (18 - 6 * i) & 0x3F) as u8));
            } else if mode.padding {
                letters.push(b'=');
            }
        }
    }
    Ok(letters)
}

fn text(bytes: &[u8]) -> Term {
    Term::list(bytes.iter().map(|byte| Term::Int(i64::from(*byte))).collect::<Vec<_>>())
}

fn encode(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::binary(&encoded(args)?))
}

fn encode_to_string(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(text(&encoded(args)?))
}

/// The bytes behind some letters. White space never counts; `lenient` leaves out all else that is no letter.
fn decoded(args: &[Term], lenient: bool) -> Result<Vec<u8>, Raise> {
    let mode = Mode::of(args.get(1))?;
    let mut bytes = Vec::new();
    let (mut word, mut n_letters, mut n_pads, mut done) = (0u32, 0, 0, false);
    for letter in data(&args[0])? {
        let value = mode.value(letter);
        match value {
            None if matches!(letter, b' ' | b'\t' | b'\r' | b'\n') => {}
            Some(value) if done && !lenient => {
                let reason = Term::tuple([a!("case_clause"), Term::Int(i64::from(value))]);
                return Err(Raise::error(reason));
            }
            None if letter == b'=' && n_letters + n_pads >= 2 && !done => {
                n_pads += 1;
                if n_letters + n_pads == 4 {
                    bytes.extend(last(word, n_letters));
                    (word, n_letters, n_pads, done) = (0, 0, 0, true);
                }
            }
            None if letter == b'=' && !lenient => return Err(function_clause()),
            None if lenient => {}
            None => return Err(Raise::badarg()),
            Some(_) if n_pads > 0 => return Err(function_clause()),
            Some(value) => {
                word = word << 6 | u32::from(value);
                n_letters += 1;
                if n_letters == 4 {
                    bytes.extend([(word >> 16) as u8, (word >> 8) as u8, word as u8]);
                    (word, n_letters) = (0, 0);
                }
            }
        }
    }
    match (n_letters, n_pads) {
        (0, _) => Ok(bytes),
        (2 | 3, 0) if !mode.padding => {
            bytes.extend(last(word, n_letters));
            Ok(bytes)
        }
        _ => Err(function_clause()),
    }
}

/// The bytes of two or three letters.
fn last(word: u32, n_letters: u32) -> Vec<u8> {
    let word = word << (6 * (4 - n_letters));
    [(word >> 16) as u8, (word >> 8) as u8][..n_letters as usize - 1].to_vec()
}

fn decode(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::binary(&decoded(args, false)?))
}

fn decode_to_string(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(text(&decoded(args, false)?))
}

fn mime_decode(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::binary(&decoded(args, true)?))
}

fn mime_decode_to_string(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(text(&decoded(args, true)?))
}
