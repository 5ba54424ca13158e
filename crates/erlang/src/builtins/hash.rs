//! Hash functions: `phash2`, checksums, message digests (`erlang`, `crypto`).
//! `phash2` gives the very numbers of OTP for numbers, atoms, lists, tuples, maps, binaries and external funs: programs
//! spread work by them. Pids, references and closures have no such numbers in Erlang either; theirs are of our making.
//! Paper: Bob Jenkins, "Hash functions" (Dr. Dobb's, 1997); `mix` is its mixing step.
//! Not here: ciphers, signatures and all else of `crypto`, which loading reports.

use super::{Builtin, Outcome, arg, pure};
use crate::builtins::convert::iolist;
use crate::machine::{Local, Raise};
use crate::term::{Atom, Fun, FunKind, Term};
use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "phash2", 1, phash2),
    pure("erlang", "phash2", 2, phash2),
    pure("erlang", "crc32", 1, crc32),
    pure("erlang", "crc32", 2, crc32),
    pure("erlang", "adler32", 1, adler32),
    pure("erlang", "adler32", 2, adler32),
    pure("erlang", "md5", 1, md5),
    pure("erlang", "md5_init", 0, md5_init),
    pure("erlang", "md5_update", 2, md5_update),
    pure("erlang", "md5_final", 1, md5),
    pure("crypto", "hash", 2, crypto_hash),
    pure("crypto", "hash_init", 1, crypto_hash_init),
    pure("crypto", "hash_update", 2, crypto_hash_update),
    pure("crypto", "hash_final", 1, crypto_hash_final),
];

fn phash2(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let range = match args.get(1) {
        Some(range) => arg(range.as_int().filter(|range| (1..=1 << 32).contains(range)))?,
        None => 1 << 27,
    };
    Ok(Term::Int(i64::from(portable(&args[0])) % range))
}

/// The hash of a term before it is cut to a range.
fn portable(term: &Term) -> u32 {
    let mut hasher = Hasher { hash: 0 };
    hasher.term(term);
    hasher.hash
}

const GOLDEN: u32 = 0x9E37_79B9;

/// The constant that sets one kind of term apart from another.
const fn kind(n: u32) -> u32 {
    GOLDEN.wrapping_mul(n)
}

fn mix(mut a: u32, mut b: u32, mut c: u32) -> (u32, u32, u32) {
    for (first, second, third) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
        a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> first);
        b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << second);
        c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> third);
    }
    (a, b, c)
}

struct Hasher {
    hash: u32,
}

impl Hasher {
    fn words(&mut self, one: u32, two: u32, kind: u32) {
        self.hash = mix(kind.wrapping_add(one), kind.wrapping_add(two), self.hash).2;
    }

    fn word(&mut self, word: u32, kind: u32) {
        self.words(word, 0, kind);
    }

    fn term(&mut self, term: &Term) {
        foresee_stdx::halt::pace();
        match term {
            Term::Int(n) => self.integer(*n),
            Term::Big(big) => {
                let sign = big.sign() == num_bigint::Sign::Minus;
                for digit in big.magnitude().iter_u64_digits() {
                    self.words(
                        digit as u32,
                        (digit >> 32) as u32,
                        kind(if sign { 10 } else { 11 }),
                    );
                }
            }
            Term::Float(x) => {
                let bits = if *x == 0.0 { 0 } else { x.to_bits() };
                self.words((bits >> 32) as u32, bits as u32, kind(12));
            }
            Term::Atom(atom) if self.hash == 0 => self.hash = atom_hash(*atom),
            Term::Atom(atom) => self.word(atom_hash(*atom), kind(3)),
            Term::Nil if self.hash == 0 => self.hash = 3_468_870_702,
            Term::Nil => self.word(2, kind(2)),
            Term::Cons(_) => self.list(term),
            Term::Trace(trace) => self.term(&trace.to_term()),
            Term::Tuple(tuple) => {
                self.word(tuple.items().len() as u32, kind(9));
                tuple.items().iter().for_each(|item| self.term(item));
            }
            Term::Map(map) => {
                self.word(map.len() as u32, kind(16));
                let pairs = map.entries().iter().fold(0, |all, (key, value)| {
                    let mut pair = Hasher { hash: 0 };
                    pair.term(key);
                    pair.term(value);
                    all ^ pair.hash
                });
                if !map.is_empty() {
                    self.word(pairs, kind(19));
                }
            }
            Term::Bits(bits) => self.bits(bits),
            Term::Fun(fun) => self.fun(fun),
            Term::Pid(_) | Term::Ref(..) => {
                let content = term.content_hash();
                self.words(content as u32, (content >> 32) as u32, kind(5));
            }
        }
    }

    fn integer(&mut self, n: i64) {
        if (-(1 << 27)..1 << 27).contains(&n) {
            if n < 0 {
                self.word(n.unsigned_abs() as u32, GOLDEN);
            }
            return self.word(n as u32, GOLDEN);
        }
        let size = n.unsigned_abs();
        self.words(size as u32, (size >> 32) as u32, kind(if n < 0 { 10 } else { 11 }));
    }

    /// Bytes at the front of a list count four at a time, whatever follows.
    fn list(&mut self, list: &Term) {
        let mut rest = list;
        while let Term::Cons(cell) = rest {
            let Some(byte) = byte(&cell.head) else {
                self.term(&cell.head);
                rest = &cell.tail;
                continue;
            };
            let (mut word, mut n) = (byte, 1);
            rest = &cell.tail;
            while let Term::Cons(cell) = rest
                && let Some(byte) = self::byte(&cell.head)
                && n < 4
            {
                (word, n) = (word << 8 | byte, n + 1);
                rest = &cell.tail;
            }
            self.word(word, kind(4));
        }
        self.term(rest);
    }

    fn bits(&mut self, bits: &crate::term::Bits) {
        let start = kind(13).wrapping_add(self.hash);
        let (bytes, rest) = (bits.to_bytes(), bits.len() % 8);
        let whole = bits.len() / 8;
        self.hash = if bits.is_empty() { start } else { block(&bytes[..whole], start) };
        if rest > 0 {
            self.words(rest as u32, u32::from(bytes[whole] >> (8 - rest)), kind(15));
        }
    }

    fn fun(&mut self, fun: &Fun) {
        match &fun.kind {
            FunKind::External { module, name } => {
                self.words(fun.arity, atom_hash(*module), GOLDEN);
                self.word(atom_hash(*name), kind(14));
            }
            FunKind::Closure { .. } => {
                let content = fun.content_hash();
                self.words(content as u32, (content >> 32) as u32, GOLDEN);
            }
        }
    }
}

fn byte(term: &Term) -> Option<u32> {
    u8::try_from(term.as_int()?).ok().map(u32::from)
}

/// The hash by which Erlang keeps its atoms: that of Weinberger's compiler, over Latin-1 where it can.
fn atom_hash(atom: Atom) -> u32 {
    let mut hash = 0u32;
    let mut add = |value: u32| {
        hash = (hash << 4).wrapping_add(value);
        let high = hash & 0xF000_0000;
        hash ^= high >> 24;
        hash ^= high;
    };
    for c in atom.text().chars() {
        if u32::from(c) <= 0xFF {
            add(u32::from(c));
        } else {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| add(u32::from(byte)));
        }
    }
    hash
}

fn block(bytes: &[u8], start: u32) -> u32 {
    let word =
        |bytes: &[u8]| bytes.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
    let (mut a, mut b, mut c) = (GOLDEN, GOLDEN, start);
    let mut chunks = bytes.chunks_exact(12);
    for chunk in chunks.by_ref() {
        a = a.wrapping_add(word(&chunk[0..4]));
        b = b.wrapping_add(word(&chunk[4..8]));
        c = c.wrapping_add(word(&chunk[8..12]));
        (a, b, c) = mix(a, b, c);
    }
    let mut last = [0; 12];
    // The lowest byte of the third word is kept for the length.
    let rest = chunks.remainder();
    let low = rest.len().min(8);
    last[..low].copy_from_slice(&rest[..low]);
    last[low.max(9)..][..rest.len() - low].copy_from_slice(&rest[low..]);
    a = a.wrapping_add(word(&last[0..4]));
    b = b.wrapping_add(word(&last[4..8]));
    c = c.wrapping_add(bytes.len() as u32).wrapping_add(word(&last[8..12]));
    mix(a, b, c).2
}

fn data(term: &Term) -> Result<Vec<u8>, Raise> {
    let binary = iolist(term)?;
    Ok(arg(binary.as_bits())?.to_bytes())
}

/// The checksum so far, and the data to add.
fn sum_and_data(args: &[Term], empty: u32) -> Result<(u32, Vec<u8>), Raise> {
    match args {
        [old, more] => {
            let old = arg(old.as_int().and_then(|old| u32::try_from(old).ok()))?;
            Ok((old, data(more)?))
        }
        _ => Ok((empty, data(&args[0])?)),
    }
}

fn crc32(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (old, bytes) = sum_and_data(args, 0)?;
    let sum = bytes.iter().fold(!old, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 }
        })
    });
    Ok(Term::Int(i64::from(!sum)))
}

fn adler32(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (old, bytes) = sum_and_data(args, 1)?;
    let (low, high) = bytes.iter().fold((old & 0xFFFF, old >> 16), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    Ok(Term::Int(i64::from(high << 16 | low)))
}

fn md5(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::binary(&Md5::digest(data(&args[0])?)))
}

/// The context of a digest is what was put in so far: its content is nobody's business.
fn md5_init(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::binary(&[]))
}

fn md5_update(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut all = data(&args[0])?;
    all.extend(data(&args[1])?);
    Ok(Term::binary(&all))
}

fn digest(kind: &Term, bytes: &[u8]) -> Result<Vec<u8>, Raise> {
    Ok(match arg(kind.as_atom())?.text() {
        "md5" => Md5::digest(bytes).to_vec(),
        "sha" => Sha1::digest(bytes).to_vec(),
        "sha224" => Sha224::digest(bytes).to_vec(),
        "sha256" => Sha256::digest(bytes).to_vec(),
        "sha384" => Sha384::digest(bytes).to_vec(),
        "sha512" => Sha512::digest(bytes).to_vec(),
        other => return Err(Raise::unmodelled(format!("crypto:hash({other}, …)"))),
    })
}

fn crypto_hash(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::binary(&digest(&args[0], &data(&args[1])?)?))
}

fn crypto_hash_init(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    digest(&args[0], &[])?;
    Ok(Term::tuple([args[0].clone(), Term::binary(&[])]))
}

fn crypto_hash_update(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let Some([kind, before]) = args[0].as_tuple() else { return Err(Raise::badarg()) };
    let mut all = data(before)?;
    all.extend(data(&args[1])?);
    Ok(Term::tuple([kind.clone(), Term::binary(&all)]))
}

fn crypto_hash_final(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let Some([kind, before]) = args[0].as_tuple() else { return Err(Raise::badarg()) };
    Ok(Term::binary(&digest(kind, &data(before)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of FIPS 180 and RFC 1321.
    #[test]
    fn digests_are_those_of_the_standards() {
        let hex = |kind: &str, text: &str| -> String {
            let bytes = digest(&Term::atom(kind), text.as_bytes()).expect("a digest");
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        };
        assert_eq!(hex("md5", "abc"), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(hex("sha", "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert!(hex("sha224", "abc").starts_with("23097d223405d8228642a477bda255b3"));
        assert!(hex("sha256", "abc").starts_with("ba7816bf8f01cfea414140de5dae2223"));
        assert!(hex("sha384", "abc").starts_with("cb00753f45a35e8bb5a03d699ac65007"));
        assert!(hex("sha512", "abc").starts_with("ddaf35a193617abacc417349ae204131"));
        assert!(matches!(digest(&a!("blake2s"), b""), Err(Raise::Unmodelled(_))));
    }
}
