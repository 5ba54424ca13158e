//! Conversions between types, in module `erlang`.

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Atom, Fun, Pid, Term, binary::Builder, number, print};
use foresee_stdx::halt;

pub(super) const TABLE: &[Builtin] = &[
    pure("erlang", "atom_to_list", 1, atom_to_list),
    pure("erlang", "list_to_atom", 1, list_to_atom),
    pure("erlang", "list_to_existing_atom", 1, list_to_existing_atom),
    pure("erlang", "atom_to_binary", 1, atom_to_binary),
    pure("erlang", "atom_to_binary", 2, atom_to_binary),
    pure("erlang", "binary_to_atom", 1, binary_to_atom),
    pure("erlang", "binary_to_atom", 2, binary_to_atom),
    pure("erlang", "binary_to_existing_atom", 1, binary_to_existing_atom),
    pure("erlang", "binary_to_existing_atom", 2, binary_to_existing_atom),
    pure("erlang", "integer_to_list", 1, integer_to_list),
    pure("erlang", "integer_to_list", 2, integer_to_list),
    pure("erlang", "list_to_integer", 1, list_to_integer),
    pure("erlang", "list_to_integer", 2, list_to_integer),
    pure("erlang", "integer_to_binary", 1, integer_to_binary),
    pure("erlang", "integer_to_binary", 2, integer_to_binary),
    pure("erlang", "binary_to_integer", 1, binary_to_integer),
    pure("erlang", "binary_to_integer", 2, binary_to_integer),
    pure("erlang", "float_to_list", 1, float_to_list),
    pure("erlang", "float_to_list", 2, float_to_list),
    pure("erlang", "float_to_binary", 1, float_to_binary),
    pure("erlang", "float_to_binary", 2, float_to_binary),
    pure("erlang", "list_to_float", 1, list_to_float),
    pure("erlang", "binary_to_float", 1, binary_to_float),
    pure("erlang", "tuple_to_list", 1, tuple_to_list),
    pure("erlang", "list_to_tuple", 1, list_to_tuple),
    pure("erlang", "make_tuple", 2, make_tuple),
    pure("erlang", "make_tuple", 3, make_tuple),
    pure("erlang", "append_element", 2, append_element),
    pure("erlang", "delete_element", 2, delete_element),
    pure("erlang", "insert_element", 3, insert_element),
    pure("erlang", "binary_to_list", 1, binary_to_list),
    pure("erlang", "binary_to_list", 3, binary_to_list),
    pure("erlang", "bitstring_to_list", 1, bitstring_to_list),
    pure("erlang", "list_to_binary", 1, list_to_binary),
    pure("erlang", "iolist_to_binary", 1, iolist_to_binary),
    pure("erlang", "iolist_size", 1, iolist_size),
    pure("erlang", "list_to_bitstring", 1, list_to_bitstring),
    pure("erlang", "pid_to_list", 1, shown),
    pure("erlang", "ref_to_list", 1, shown),
    pure("erlang", "fun_to_list", 1, shown),
    pure("erlang", "list_to_pid", 1, list_to_pid),
    pure("erlang", "make_fun", 3, make_fun),
    pure("erlang", "fun_info", 2, fun_info),
];

/// The text of a list of characters.
pub(super) fn text(term: &Term) -> Result<String, Raise> {
    arg(term.to_text())
}

/// The text of a binary.
fn binary_text(term: &Term) -> Result<String, Raise> {
    let bits = arg(term.as_bits().filter(|bits| bits.is_binary()))?;
    arg(String::from_utf8(bits.to_bytes()).ok())
}

fn atom_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::string(arg(args[0].as_atom())?.text()))
}

fn list_to_atom(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    new_atom(&text(&args[0])?)
}

/// Atoms have at most 255 characters.
fn new_atom(text: &str) -> Outcome {
    if text.chars().nth(255).is_some() {
        return Err(Raise::error(a!("system_limit")));
    }
    Ok(Term::atom(text))
}

fn list_to_existing_atom(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(Atom::existing(&text(&args[0])?).map(Term::Atom))
}

fn atom_to_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let text = arg(args[0].as_atom())?.text();
    let latin1 = encoding_of(args)? == "latin1";
    if latin1 {
        let bytes: Option<Vec<u8>> =
            text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        return Ok(Term::binary(&arg(bytes)?));
    }
    Ok(Term::binary(text.as_bytes()))
}

/// The encoding that is asked for.
fn encoding_of(args: &[Term]) -> Result<&'static str, Raise> {
    let Some(encoding) = args.get(1) else { return Ok("utf8") };
    let text = arg(encoding.as_atom())?.text();
    arg(["latin1", "utf8", "unicode"].contains(&text).then_some(text))
}

/// The text of a binary in the encoding that is asked for.
fn encoded_text(args: &[Term]) -> Result<String, Raise> {
    if encoding_of(args)? == "latin1" {
        let bits = arg(args[0].as_bits().filter(|bits| bits.is_binary()))?;
        return Ok(bits.to_bytes().iter().map(|byte| char::from(*byte)).collect());
    }
    binary_text(&args[0])
}

fn binary_to_atom(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    new_atom(&encoded_text(args)?)
}

fn binary_to_existing_atom(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(Atom::existing(&encoded_text(args)?).map(Term::Atom))
}

fn base(args: &[Term]) -> Result<u32, Raise> {
    match args.get(1) {
        None => Ok(10),
        Some(base) => {
            arg(base.as_int().filter(|base| (2..=36).contains(base)).map(|base| base as u32))
        }
    }
}

fn integer_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::string(&arg(number::to_base(&args[0], base(args)?))?))
}

fn integer_to_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::binary(arg(number::to_base(&args[0], base(args)?))?.as_bytes()))
}

fn list_to_integer(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::parse_integer(&text(&args[0])?, base(args)?))
}

fn binary_to_integer(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::parse_integer(&binary_text(&args[0])?, base(args)?))
}

/// The text of a float under the options of `float_to_list/2`.
fn float_text(args: &[Term]) -> Result<String, Raise> {
    let Term::Float(x) = args[0] else { return Err(Raise::badarg()) };
    let Some(options) = args.get(1) else { return Ok(scientific(x, 20)) };
    let mut compact = false;
    let mut result = scientific(x, 20);
    for option in arg(options.to_vec())? {
        match (option.as_atom(), option.as_tuple()) {
            (Some(atom), _) if atom.text() == "compact" => compact = true,
            (Some(atom), _) if atom.text() == "short" => result = print::float(x),
            (_, Some([Term::Atom(kind), digits])) if kind.text() == "decimals" => {
                let digits = arg(digits.as_usize().filter(|digits| *digits <= 253))?;
                result = arg(fixed(x, digits))?;
            }
            (_, Some([Term::Atom(kind), digits])) if kind.text() == "scientific" => {
                let digits = arg(digits.as_usize().filter(|digits| *digits <= 249))?;
                result = scientific(x, digits);
            }
            _ => return Err(Raise::badarg()),
        }
    }
    if compact && result.contains('.') && !result.contains('e') {
        let trimmed = result.trim_end_matches('0');
        let zero = if trimmed.ends_with('.') { "0" } else { "" };
        result = format!("{trimmed}{zero}");
    }
    Ok(result)
}

/// A number with so many decimals. Up to 18 of them come from the fraction times a power of ten, halves upwards; more are
/// exact. What is longer than Erlang's buffer is refused.
fn fixed(x: f64, digits: usize) -> Option<String> {
    let exact = || Some(format!("{x:.digits$}")).filter(|text| text.len() < 256);
    if digits > 18 || x.abs() >= 1.8e19 {
        return exact();
    }
    let power = 10u64.pow(digits as u32);
    let (mut whole, scaled) = (x.abs().trunc() as u64, x.abs().fract() * power as f64);
    let mut fraction = scaled as u64;
    fraction += u64::from(scaled - fraction as f64 >= 0.5);
    if fraction >= power {
        fraction -= power;
        whole += 1;
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let fraction = if digits == 0 { String::new() } else { format!(".{fraction:0>digits$}") };
    Some(format!("{sign}{whole}{fraction}"))
}

/// `d.ddde+xx`
pub(crate) fn scientific(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').expect("scientific notation");
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{exponent:0>2}")
}

fn float_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::string(&float_text(args)?))
}

fn float_to_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::binary(float_text(args)?.as_bytes()))
}

fn list_to_float(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::parse_float(&text(&args[0])?).map(Term::Float))
}

fn binary_to_float(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(number::parse_float(&binary_text(&args[0])?).map(Term::Float))
}

fn tuple_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::list(arg(args[0].as_tuple())?.to_vec()))
}

fn list_to_tuple(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::tuple(arg(args[0].to_vec())?))
}

fn make_tuple(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let n = arg(args[0].as_usize().filter(|n| *n < 1 << 24))?;
    halt::ask(3 * n * size_of::<Term>());
    let mut items = vec![args[1].clone(); n];
    let given = args.get(2).map_or(Ok(Vec::new()), |given| arg(given.to_vec()))?;
    // Of two values for one place the last counts.
    for pair in &given {
        let [at, value] = arg(pair.as_tuple())? else { return Err(Raise::badarg()) };
        let at = arg(at.as_usize().and_then(|at| at.checked_sub(1)).filter(|at| *at < n))?;
        items[at] = value.clone();
    }
    Ok(Term::tuple(items))
}

fn append_element(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut items = arg(args[0].as_tuple())?.to_vec();
    items.push(args[1].clone());
    Ok(Term::tuple(items))
}

fn delete_element(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut items = arg(args[1].as_tuple())?.to_vec();
    let index = arg(args[0].as_usize().and_then(|n| n.checked_sub(1)))?;
    arg((index < items.len()).then(|| items.remove(index)))?;
    Ok(Term::tuple(items))
}

fn insert_element(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut items = arg(args[1].as_tuple())?.to_vec();
    let index = arg(args[0].as_usize().and_then(|n| n.checked_sub(1)))?;
    arg((index <= items.len()).then(|| items.insert(index, args[2].clone())))?;
    Ok(Term::tuple(items))
}

fn bytes(term: &Term) -> Result<Vec<u8>, Raise> {
    Ok(arg(term.as_bits().filter(|bits| bits.is_binary()))?.to_bytes())
}

fn list_of_bytes(bytes: &[u8]) -> Term {
    Term::list(bytes.iter().map(|byte| Term::Int(i64::from(*byte))))
}

fn binary_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bytes = bytes(&args[0])?;
    let (start, stop) = match args {
        [_, start, stop] => (arg(start.as_usize())?, arg(stop.as_usize())?),
        _ => (1, bytes.len()),
    };
    arg(bytes.get(start.wrapping_sub(1)..stop)).map(list_of_bytes)
}

fn bitstring_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bits = arg(args[0].as_bits())?;
    let whole = bits.len() / 8 * 8;
    let mut items: Vec<Term> =
        bits.slice(0, whole).to_bytes().iter().map(|byte| Term::Int(i64::from(*byte))).collect();
    if whole < bits.len() {
        items.push(Term::bits(bits.slice(whole, bits.len() - whole)));
    }
    Ok(Term::list(items))
}

/// Appends an iolist (or a list of bit strings).
fn push_iolist(builder: &mut Builder, term: &Term, bit_strings: bool) -> Option<()> {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        match term {
            Term::Nil => {}
            Term::Bits(bits) if bits.is_binary() || bit_strings => builder.push(bits),
            Term::Cons(_) => {
                halt::pace();
                let mut rest = term;
                while let Term::Cons(cell) = rest {
                    rest = &cell.tail;
                    match &cell.head {
                        Term::Int(byte) => builder.push_bits(u8::try_from(*byte).ok()?, 8),
                        inner => {
                            left.extend([rest, inner]);
                            rest = &Term::Nil;
                        }
                    }
                }
                left.push(rest);
            }
            _ => return None,
        }
    }
    Some(())
}

/// The bytes of an iolist.
pub(super) fn iolist(term: &Term) -> Result<Term, Raise> {
    let mut builder = Builder::default();
    arg(push_iolist(&mut builder, term, false))?;
    Ok(Term::bits(builder.finish()))
}

fn list_to_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(matches!(args[0], Term::Nil | Term::Cons(_)).then_some(()))?;
    iolist(&args[0])
}

fn iolist_to_binary(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    iolist(&args[0])
}

fn iolist_size(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let binary = iolist(&args[0])?;
    Ok(Term::from(binary.as_bits().map_or(0, |bits| bits.len() / 8)))
}

fn list_to_bitstring(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(matches!(args[0], Term::Nil | Term::Cons(_)).then_some(()))?;
    let mut builder = Builder::default();
    arg(push_iolist(&mut builder, &args[0], true))?;
    Ok(Term::bits(builder.finish()))
}

fn shown(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(matches!(args[0], Term::Pid(_) | Term::Ref(..) | Term::Fun(_)).then_some(()))?;
    Ok(Term::string(&print::quoted(&args[0])))
}

fn list_to_pid(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(Pid::parse(&text(&args[0])?).map(Term::Pid))
}

fn make_fun(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (module, name) = (arg(args[0].as_atom())?, arg(args[1].as_atom())?);
    let arity = arg(args[2].as_usize().filter(|arity| *arity <= 255))?;
    Ok(Term::fun(Fun::external(module, name, arity as u32)))
}

fn fun_info(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let Term::Fun(fun) = &args[0] else { return Err(Raise::badarg()) };
    let external = matches!(fun.kind, crate::term::FunKind::External { .. });
    let value = match arg(args[1].as_atom())?.text() {
        "arity" => Term::Int(i64::from(fun.arity)),
        "module" => Term::Atom(fun.module()),
        "name" => Term::Atom(fun.name()),
        "type" => Term::atom(if external { "external" } else { "local" }),
        "env" => Term::list(fun.environment().to_vec()),
        _ => return Err(Raise::badarg()),
    };
    Ok(Term::tuple([args[1].clone(), value]))
}
