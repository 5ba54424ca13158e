//! Small functions of module `erlang` that older or closer programs call: packets, iovecs, sizes, the
//! system's own process; and input, which nobody gives.

use super::{Builtin, Outcome, arg, pure, truth};
use crate::machine::{Local, Raise};
use crate::term::Term;

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "iolist_to_iovec", 1, iolist_to_iovec),
    pure("erlang", "is_builtin", 3, is_builtin),
    pure("erlang", "decode_packet", 3, decode_packet),
    pure("erlang", "external_size", 1, external_size),
    pure("erlang", "append", 2, append),
    pure("lists", "enumerate", 3, enumerate),
    pure("io", "foresee_is_system", 1, is_system),
    pure("io", "foresee_input", 0, input),
];

fn iolist_to_iovec(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let binary = super::convert::iolist(&args[0])?;
    let empty = binary.as_bits().is_none_or(|bits| bits.is_empty());
    Ok(if empty { Term::Nil } else { Term::list([binary]) })
}

/// Whether Erlang itself has the function in C; here, whether it is native.
fn is_builtin(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (module, name) = (arg(args[0].as_atom())?, arg(args[1].as_atom())?);
    let arity = arg(args[2].as_usize())? as u32;
    truth(local.program.builtins.find((module, name, arity)).is_some())
}

fn decode_packet(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bits = arg(args[1].as_bits().filter(|bits| bits.is_binary()))?;
    let bytes = bits.to_bytes();
    let whole = |skip: usize, end: usize| {
        let packet = Term::binary(&bytes[skip..end]);
        Ok(Term::tuple([a!("ok"), packet, Term::binary(&bytes[end..])]))
    };
    let more = |length: Option<usize>| {
        let length = length.map_or(a!("undefined"), Term::from);
        Ok(Term::tuple([a!("more"), length]))
    };
    let header = match (&args[0], args[0].as_atom().map(|kind| kind.text())) {
        (Term::Int(n @ (1 | 2 | 4)), _) => *n as usize,
        (Term::Int(0), _) | (_, Some("raw")) if bytes.is_empty() => return more(None),
        (Term::Int(0), _) | (_, Some("raw")) => return whole(0, bytes.len()),
        (_, Some("line")) => {
            return match bytes.iter().position(|byte| *byte == b'\n') {
                Some(at) => whole(0, at + 1),
                None => more(None),
            };
        }
        (kind, _) => {
            return Err(Raise::unmodelled(format!("erlang:decode_packet({kind}, …)")));
        }
    };
    let Some(length) = bytes.get(..header) else { return more(None) };
    let length = length.iter().fold(0usize, |length, byte| length << 8 | usize::from(*byte));
    if bytes.len() < header + length {
        more(Some(header + length))
    } else {
        whole(header, header + length)
    }
}

/// The size of the external form; Erlang promises no less than that.
fn external_size(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let key = (atom!("erlang"), atom!("term_to_binary"), 1);
    let number = arg(local.program.builtins.find(key))?;
    let super::Run::Pure(encode) = local.program.builtins.get(number).run else {
        return Err(Raise::badarg());
    };
    let binary = encode(local, &args[..1])?;
    Ok(Term::from(arg(binary.as_bits())?.len() / 8))
}

fn append(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::list_with_tail(arg(args[0].to_vec())?, args[1].clone()))
}

fn enumerate(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    super::lists::numbered(&args[0], &args[1], &args[2])
}

fn is_system(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    truth(args[0].as_pid().is_some_and(crate::term::Pid::is_system))
}

fn input(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Err(Raise::unmodelled("reading from standard input".to_owned()))
}
