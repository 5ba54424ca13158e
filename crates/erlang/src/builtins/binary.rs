//! Built-ins on binaries of module `erlang`, and the basics of module `binary`.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Bits, Term};
use std::sync::Arc;

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "binary_part", 2, binary_part),
    pure("erlang", "binary_part", 3, binary_part),
    pure("erlang", "split_binary", 2, split_binary),
    pure("binary", "part", 2, binary_part),
    pure("binary", "part", 3, binary_part),
    pure("binary", "copy", 1, copy),
    pure("binary", "copy", 2, copy),
    pure("binary", "at", 2, at),
    pure("binary", "first", 1, first),
    pure("binary", "last", 1, last),
    pure("binary", "bin_to_list", 1, bin_to_list),
    pure("binary", "list_to_bin", 1, list_to_bin),
    pure("binary", "encode_unsigned", 1, encode_unsigned),
    pure("binary", "decode_unsigned", 1, decode_unsigned),
];

fn binary(term: &Term) -> Result<&Arc<Bits>, Raise> {
    arg(term.as_bits().filter(|bits| bits.is_binary()))
}

fn binary_part(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bits = binary(&args[0])?;
    let (start, len) = match args {
        [_, start, len] => (start, len),
        [_, pair] => match pair.as_tuple() {
            Some([start, len]) => (start, len),
            _ => return Err(Raise::badarg()),
        },
        _ => return Err(Raise::badarg()),
    };
    let (start, len) = (arg(start.as_int())?, arg(len.as_int())?);
    // A negative length counts backwards from the start.
    let (start, len) = if len < 0 { (start + len, -len) } else { (start, len) };
    let end = arg(start.checked_add(len))?;
    arg((start >= 0 && end <= (bits.len() / 8) as i64).then_some(()))?;
    Ok(Term::bits(bits.slice(start as usize * 8, len as usize * 8)))
}

fn split_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bits = binary(&args[0])?;
    let at = arg(args[1].as_usize().filter(|at| at * 8 <= bits.len()))? * 8;
    let (left, right) = (bits.slice(0, at), bits.slice(at, bits.len() - at));
    Ok(Term::tuple([Term::bits(left), Term::bits(right)]))
}

fn copy(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let n = match args.get(1) {
        Some(n) => arg(n.as_usize())?,
        None => 1,
    };
    let bytes = binary(&args[0])?.to_bytes();
    // Once as a vector and once as it is kept.
    foresee_stdx::halt::ask(bytes.len().saturating_mul(n).saturating_mul(2));
    Ok(Term::binary(&bytes.repeat(n)))
}

fn byte_at(term: &Term, index: Option<usize>) -> Outcome {
    let bytes = binary(term)?.to_bytes();
    let byte = arg(index.and_then(|index| bytes.get(index)))?;
    Ok(Term::Int(i64::from(*byte)))
}

fn at(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    byte_at(&args[0], args[1].as_usize())
}

fn first(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    byte_at(&args[0], Some(0))
}

fn last(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let n = binary(&args[0])?.len() / 8;
    byte_at(&args[0], n.checked_sub(1))
}

fn bin_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bytes = binary(&args[0])?.to_bytes();
    Ok(Term::list(bytes.iter().map(|byte| Term::Int(i64::from(*byte))).collect::<Vec<_>>()))
}

fn list_to_bin(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    super::convert::iolist(&args[0])
}

fn encode_unsigned(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let big = arg(crate::term::number::to_big(&args[0]))?;
    let (sign, bytes) = big.to_bytes_be();
    arg((sign != num_bigint::Sign::Minus).then_some(()))?;
    Ok(Term::binary(&bytes))
}

fn decode_unsigned(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bits = binary(&args[0])?;
    Ok(crate::term::number::integer(bits.integer(0, bits.len(), false, false)))
}
