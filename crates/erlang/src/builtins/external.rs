//! The external term format: `term_to_binary` and `binary_to_term`.
//! Bytes are those of OTP 25: atoms of Latin-1 letters are written the old way unless `{minor_version, 2}` asks for
//! UTF-8. Pids, references and closures keep their tags and lengths, but name what they mean here (a path of spawns, a
//! function's number), so they come back only into the program that wrote them.
//! Invariant: decoding what was encoded gives the same term; anything else is `badarg`, never a guess.
//! Not here: writing compressed terms, whose bytes depend on the library that packs them, and text floats (minor version 0);
//! both are reported.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::program::Program;
use crate::term::binary::Builder;
use crate::term::{Atom, Fun, FunKind, Map, Pid, Term, number};
use num_bigint::{BigInt, Sign};

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "term_to_binary", 1, term_to_binary),
    pure("erlang", "term_to_binary", 2, term_to_binary),
    pure("erlang", "term_to_iovec", 1, term_to_iovec),
    pure("erlang", "term_to_iovec", 2, term_to_iovec),
    pure("erlang", "binary_to_term", 1, binary_to_term),
    pure("erlang", "binary_to_term", 2, binary_to_term),
];

const VERSION: u8 = 131;
const COMPRESSED: u8 = 80;
const NEW_FLOAT: u8 = 70;
const BIT_BINARY: u8 = 77;
const NEW_PID: u8 = 88;
const NEWER_REFERENCE: u8 = 90;
const SMALL_INTEGER: u8 = 97;
const INTEGER: u8 = 98;
const FLOAT_TEXT: u8 = 99;
const ATOM: u8 = 100;
const SMALL_TUPLE: u8 = 104;
const LARGE_TUPLE: u8 = 105;
const NIL: u8 = 106;
const STRING: u8 = 107;
const LIST: u8 = 108;
const BINARY: u8 = 109;
const SMALL_BIG: u8 = 110;
const LARGE_BIG: u8 = 111;
const NEW_FUN: u8 = 112;
const EXPORT: u8 = 113;
const SMALL_ATOM: u8 = 115;
const MAP: u8 = 116;
const ATOM_UTF8: u8 = 118;
const SMALL_ATOM_UTF8: u8 = 119;

/// The length of what stands between a closure's size and its module.
const FUN_FIXED: usize = 4 + 1 + 16 + 4 + 4;

fn term_to_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut utf8 = false;
    for option in args.get(1).map_or(Some(Vec::new()), Term::to_vec).ok_or_else(Raise::badarg)? {
        match (&option, option.as_tuple()) {
            (Term::Atom(atom), _) if atom.text() == "deterministic" => {}
            (Term::Atom(atom), _) if atom.text() == "local" => {}
            (Term::Atom(atom), _) if atom.text() == "compressed" => return Err(compressed()),
            (_, Some([Term::Atom(kind), Term::Int(level)])) if kind.text() == "compressed" => {
                arg((0..=9).contains(level).then_some(()))?;
                if *level > 0 {
                    return Err(compressed());
                }
            }
            (_, Some([Term::Atom(kind), version])) if kind.text() == "minor_version" => {
                match arg(version.as_int())? {
                    0 => return Err(Raise::unmodelled("{minor_version, 0}".to_owned())),
                    1 => utf8 = false,
                    2 => utf8 = true,
                    _ => return Err(Raise::badarg()),
                }
            }
            _ => return Err(Raise::badarg()),
        }
    }
    let mut encoder = Encoder { bytes: vec![VERSION], utf8 };
    encoder.term(&args[0]);
    Ok(Term::binary(&encoder.bytes))
}

fn compressed() -> Raise {
    Raise::unmodelled("a compressed external term".to_owned())
}

fn term_to_iovec(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::list([term_to_binary(local, args)?]))
}

struct Encoder {
    bytes: Vec<u8>,
    utf8: bool,
}

impl Encoder {
    fn tag_u8(&mut self, tag: u8, n: usize) {
        self.bytes.extend([tag, n as u8]);
    }

    fn u16(&mut self, n: usize) {
        self.bytes.extend((n as u16).to_be_bytes());
    }

    fn u32(&mut self, n: usize) {
        self.bytes.extend((n as u32).to_be_bytes());
    }

    fn tag_u32(&mut self, tag: u8, n: usize) {
        self.bytes.push(tag);
        self.u32(n);
    }

    fn term(&mut self, term: &Term) {
        foresee_stdx::halt::pace();
        match term {
            Term::Int(n) => self.integer(*n),
            Term::Big(big) => self.big(big),
            Term::Float(x) => {
                self.bytes.push(NEW_FLOAT);
                self.bytes.extend(x.to_be_bytes());
            }
            Term::Atom(atom) => self.atom(*atom),
            Term::Nil => self.bytes.push(NIL),
            Term::Cons(_) => self.list(term),
            Term::Trace(trace) => self.term(&trace.to_term()),
            Term::Tuple(tuple) => {
                match tuple.items().len() {
                    n @ 0..=255 => self.tag_u8(SMALL_TUPLE, n),
                    n => self.tag_u32(LARGE_TUPLE, n),
                }
                tuple.items().iter().for_each(|item| self.term(item));
            }
            Term::Bits(bits) => {
                let bytes = bits.to_bytes();
                if bits.is_binary() {
                    self.tag_u32(BINARY, bytes.len());
                } else {
                    self.tag_u32(BIT_BINARY, bytes.len());
                    self.bytes.push((bits.len() % 8) as u8);
                }
                self.bytes.extend(bytes);
            }
            Term::Map(map) => {
                self.tag_u32(MAP, map.len());
                for (key, value) in map.entries() {
                    self.term(key);
                    self.term(value);
                }
            }
            Term::Pid(pid) => self.pid(*pid),
            Term::Ref(owner, n) => {
                self.bytes.push(NEWER_REFERENCE);
                self.u16(1);
                self.atom(Atom::new(&owner.to_string()));
                self.u32(0);
                self.u32(*n as usize);
            }
            Term::Fun(fun) => self.fun(fun),
        }
    }

    fn integer(&mut self, n: i64) {
        if let Ok(n) = u8::try_from(n) {
            self.bytes.extend([SMALL_INTEGER, n]);
        } else if let Ok(n) = i32::try_from(n) {
            self.bytes.push(INTEGER);
            self.bytes.extend(n.to_be_bytes());
        } else {
            self.big(&BigInt::from(n));
        }
    }

    fn big(&mut self, big: &BigInt) {
        let (sign, bytes) = big.to_bytes_le();
        match bytes.len() {
            n @ 0..=255 => self.tag_u8(SMALL_BIG, n),
            n => self.tag_u32(LARGE_BIG, n),
        }
        self.bytes.push(u8::from(sign == Sign::Minus));
        self.bytes.extend(bytes);
    }

    fn atom(&mut self, atom: Atom) {
        let text = atom.text();
        let latin1: Option<Vec<u8>> =
            text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        match latin1 {
            Some(bytes) if !self.utf8 => {
                self.bytes.push(ATOM);
                self.u16(bytes.len());
                self.bytes.extend(bytes);
            }
            _ => {
                match text.len() {
                    n @ 0..=255 => self.tag_u8(SMALL_ATOM_UTF8, n),
                    n => {
                        self.bytes.push(ATOM_UTF8);
                        self.u16(n);
                    }
                }
                self.bytes.extend(text.bytes());
            }
        }
    }

    fn list(&mut self, list: &Term) {
        let mut cells = list.cells();
        let items: Vec<&Term> = cells.by_ref().collect();
        let bytes: Option<Vec<u8>> =
            items.iter().map(|item| u8::try_from(item.as_int()?).ok()).collect();
        match (bytes, cells.rest()) {
            (Some(bytes), Term::Nil) if bytes.len() <= 0xFFFF => {
                self.bytes.push(STRING);
                self.u16(bytes.len());
                self.bytes.extend(bytes);
            }
            (_, rest) => {
                self.tag_u32(LIST, items.len());
                items.iter().for_each(|item| self.term(item));
                self.term(rest);
            }
        }
    }

    fn pid(&mut self, pid: Pid) {
        self.bytes.push(NEW_PID);
        self.atom(Atom::new(&pid.to_string()));
        (0..3).for_each(|_| self.u32(0));
    }

    fn fun(&mut self, fun: &Fun) {
        match &fun.kind {
            FunKind::External { module, name } => {
                self.bytes.push(EXPORT);
                self.atom(*module);
                self.atom(*name);
                self.integer(i64::from(fun.arity));
            }
            FunKind::Closure { module, function, environment, .. } => {
                self.bytes.push(NEW_FUN);
                let start = self.bytes.len();
                self.u32(0);
                self.bytes.push(fun.arity as u8);
                self.bytes.extend([0; 16]);
                self.u32(*function as usize);
                self.u32(environment.len());
                self.atom(*module);
                self.integer(i64::from(*function));
                self.integer(0);
                self.pid(Pid::first());
                environment.iter().for_each(|value| self.term(value));
                let size = (self.bytes.len() - start) as u32;
                self.bytes[start..start + 4].copy_from_slice(&size.to_be_bytes());
            }
        }
    }
}

fn binary_to_term(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bits = arg(args[0].as_bits().filter(|bits| bits.is_binary()))?;
    let bytes = bits.to_bytes();
    let (mut safe, mut used) = (false, false);
    for option in args.get(1).map_or(Some(Vec::new()), Term::to_vec).ok_or_else(Raise::badarg)? {
        match arg(option.as_atom())?.text() {
            "safe" => safe = true,
            "used" => used = true,
            _ => return Err(Raise::badarg()),
        }
    }
    let program = Some(local.program);
    if let Some(packed) = bytes.strip_prefix(&[VERSION, COMPRESSED]) {
        // How many bytes were used, the library that unpacks does not tell.
        if used {
            return Err(compressed());
        }
        let unpacked = arg(unpacked(packed))?;
        return arg(Decoder { program, bytes: &unpacked, at: 0, safe }.term());
    }
    let mut decoder = Decoder { program, bytes: &bytes, at: 0, safe };
    arg((decoder.u8() == Some(VERSION)).then_some(()))?;
    let term = arg(decoder.term())?;
    if used {
        return Ok(Term::tuple([term, Term::from(decoder.at)]));
    }
    Ok(term)
}

/// A term as Erlang's external format has it.
#[cfg(test)]
pub(crate) fn encode_term(term: &Term) -> Vec<u8> {
    let mut encoder = Encoder { bytes: vec![VERSION], utf8: true };
    encoder.term(term);
    encoder.bytes
}

/// A term in the external format outside of any program: of funs it has none.
pub(crate) fn decode_term(bytes: &[u8]) -> Option<Term> {
    let unpacked = match bytes.strip_prefix(&[VERSION, COMPRESSED]) {
        Some(packed) => Some(unpacked(packed)?),
        None => None,
    };
    let bytes = unpacked.as_deref().or_else(|| bytes.strip_prefix(&[VERSION]))?;
    Decoder { program: None, bytes, at: 0, safe: false }.term()
}

/// What stands behind the mark of a compressed term: its size, and its bytes as zlib packs them.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let (size, packed) = packed.split_first_chunk::<4>()?;
    let size = u32::from_be_bytes(*size) as usize;
    foresee_stdx::halt::ask(size);
    inflate(packed, true, size).filter(|bytes| bytes.len() == size)
}

/// What a packed text is, if that is no more than so many bytes; in the format of zlib or without its frame.
pub(crate) fn inflate(packed: &[u8], is_zlib: bool, bytes_max: usize) -> Option<Vec<u8>> {
    use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};
    let unpack =
        if is_zlib { decompress_to_vec_zlib_with_limit } else { decompress_to_vec_with_limit };
    unpack(packed, bytes_max).ok()
}

struct Decoder<'a> {
    program: Option<&'a Program>,
    bytes: &'a [u8],
    at: usize,
    /// Makes no atoms.
    safe: bool,
}

impl Decoder<'_> {
    fn take(&mut self, n: usize) -> Option<&[u8]> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(n)?)?;
        self.at += n;
        Some(bytes)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Option<usize> {
        self.take(2).map(|b| usize::from(b[0]) << 8 | usize::from(b[1]))
    }

    fn u32(&mut self) -> Option<usize> {
        let bytes = self.take(4)?;
        Some(bytes.iter().fold(0, |n, byte| n << 8 | usize::from(*byte)))
    }

    fn terms(&mut self, n: usize) -> Option<Vec<Term>> {
        // Every term takes a byte: a length beyond the end is a lie that must not be allocated.
        (n <= self.bytes.len() - self.at).then_some(())?;
        (0..n).map(|_| self.term()).collect()
    }

    fn term(&mut self) -> Option<Term> {
        let tag = self.u8()?;
        Some(match tag {
            SMALL_INTEGER => Term::Int(i64::from(self.u8()?)),
            INTEGER => Term::Int(i64::from(self.u32()? as u32 as i32)),
            NEW_FLOAT => {
                let bits = self.take(8)?.iter().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
                Term::Float(Some(f64::from_bits(bits)).filter(|x| x.is_finite())?)
            }
            FLOAT_TEXT => {
                let text = self.take(31)?;
                let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
                Term::Float(number::parse_float(std::str::from_utf8(&text[..end]).ok()?)?)
            }
            ATOM | SMALL_ATOM | ATOM_UTF8 | SMALL_ATOM_UTF8 => Term::Atom(self.atom(tag)?),
            SMALL_TUPLE => {
                let n = usize::from(self.u8()?);
                Term::tuple(self.terms(n)?)
            }
            LARGE_TUPLE => {
                let n = self.u32()?;
                Term::tuple(self.terms(n)?)
            }
            NIL => Term::Nil,
            STRING => {
                let n = self.u16()?;
                let bytes = self.take(n)?;
                Term::list(bytes.iter().map(|byte| Term::Int(i64::from(*byte))).collect::<Vec<_>>())
            }
            LIST => {
                let n = self.u32()?;
                let items = self.terms(n)?;
                Term::list_with_tail(items, self.term()?)
            }
            BINARY => {
                let n = self.u32()?;
                Term::binary(self.take(n)?)
            }
            BIT_BINARY => self.bit_string()?,
            SMALL_BIG => {
                let n = usize::from(self.u8()?);
                self.big(n)?
            }
            LARGE_BIG => {
                let n = self.u32()?;
                self.big(n)?
            }
            MAP => self.map()?,
            NEW_PID => Term::Pid(self.pid()?),
            NEWER_REFERENCE => self.reference()?,
            EXPORT => {
                let (module, name) = (self.named()?, self.named()?);
                let arity = self.term()?.as_int().filter(|n| (0..=255).contains(n))?;
                Term::fun(Fun::external(module, name, arity as u32))
            }
            NEW_FUN => self.closure()?,
            _ => return None,
        })
    }

    fn atom(&mut self, tag: u8) -> Option<Atom> {
        let n = match tag {
            SMALL_ATOM | SMALL_ATOM_UTF8 => usize::from(self.u8()?),
            ATOM | ATOM_UTF8 => self.u16()?,
            _ => return None,
        };
        let bytes = self.take(n)?;
        let text = match tag {
            ATOM | SMALL_ATOM => bytes.iter().map(|byte| char::from(*byte)).collect(),
            _ => String::from_utf8(bytes.to_vec()).ok()?,
        };
        (text.chars().count() <= 255).then_some(())?;
        if self.safe { Atom::existing(&text) } else { Some(Atom::new(&text)) }
    }

    fn named(&mut self) -> Option<Atom> {
        let tag = self.u8()?;
        self.atom(tag)
    }

    fn bit_string(&mut self) -> Option<Term> {
        let (n, rest) = (self.u32()?, usize::from(self.u8()?));
        (n > 0 && (1..=8).contains(&rest)).then_some(())?;
        let bytes = self.take(n)?;
        let mut builder = Builder::default();
        builder.push_bytes(&bytes[..n - 1]);
        builder.push_bits(bytes[n - 1] >> (8 - rest), rest);
        Some(Term::bits(builder.finish()))
    }

    fn big(&mut self, n: usize) -> Option<Term> {
        let sign = if self.u8()? == 0 { Sign::Plus } else { Sign::Minus };
        Some(number::integer(BigInt::from_bytes_le(sign, self.take(n)?)))
    }

    fn map(&mut self) -> Option<Term> {
        let n = self.u32()?;
        let items = self.terms(n.checked_mul(2)?)?;
        let mut map = Map::new();
        for pair in items.chunks(2) {
            // A key written twice is a mistake of the writer.
            (!map.contains(&pair[0])).then_some(())?;
            map.insert(pair[0].clone(), pair[1].clone());
        }
        Some(Term::map(map))
    }

    fn pid(&mut self) -> Option<Pid> {
        let text = self.named()?.text();
        self.take(12)?;
        Pid::parse(text)
    }

    fn reference(&mut self) -> Option<Term> {
        (self.u16()? == 1).then_some(())?;
        let owner = Pid::parse(self.named()?.text())?;
        self.u32()?;
        Some(Term::Ref(owner, self.u32()? as u32))
    }

    fn closure(&mut self) -> Option<Term> {
        let fixed = self.take(FUN_FIXED)?;
        let arity = u32::from(fixed[4]);
        let number_at = |at: usize| fixed[at..at + 4].iter().fold(0, |n, b| n << 8 | u32::from(*b));
        let (function, n_caught) = (number_at(21), number_at(25));
        let module = self.named()?;
        let (_, _) = (self.term()?, self.term()?);
        (self.u8()? == NEW_PID).then_some(())?;
        self.pid()?;
        let environment = self.terms(n_caught as usize)?;
        let code = self.program?.get(function)?;
        let fits = code.module == module && code.arity == arity && code.n_caught == n_caught;
        fits.then_some(())?;
        let fun = Fun::closure(module, code.name, function, arity, environment.into());
        Some(Term::fun(fun))
    }
}
