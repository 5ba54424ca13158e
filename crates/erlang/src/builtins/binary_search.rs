//! Searching, splitting and replacing in binaries, and the rest of module `binary`.
//! A compiled pattern is `{bm, Pattern}` or `{ac, Patterns}`, as in Erlang but for the pattern in the open.
//! Of several patterns that match at one place the longest wins; matches do not overlap.
//! Not here: the small accessors (`binary`), funs as replacements (they would have to run Erlang code).

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::term::{Bits, Term, number};
use num_bigint::{BigInt, Sign};
use std::sync::Arc;

pub(super) const TABLE: &[Builtin] = &[
    pure("binary", "match", 2, first_match),
    pure("binary", "match", 3, first_match),
    pure("binary", "matches", 2, all_matches),
    pure("binary", "matches", 3, all_matches),
    pure("binary", "compile_pattern", 1, compile_pattern),
    pure("binary", "split", 2, split),
    pure("binary", "split", 3, split),
    pure("binary", "replace", 3, replace),
    pure("binary", "replace", 4, replace),
    pure("binary", "longest_common_prefix", 1, longest_common_prefix),
    pure("binary", "longest_common_suffix", 1, longest_common_suffix),
    pure("binary", "bin_to_list", 2, bin_to_list),
    pure("binary", "bin_to_list", 3, bin_to_list),
    pure("binary", "encode_unsigned", 2, encode_unsigned),
    pure("binary", "decode_unsigned", 2, decode_unsigned),
    pure("binary", "encode_hex", 1, encode_hex),
    pure("binary", "encode_hex", 2, encode_hex),
    pure("binary", "decode_hex", 1, decode_hex),
    pure("binary", "referenced_byte_size", 1, byte_size),
];

fn binary(term: &Term) -> Result<&Arc<Bits>, Raise> {
    arg(term.as_bits().filter(|bits| bits.is_binary()))
}

fn bytes(term: &Term) -> Result<Vec<u8>, Raise> {
    Ok(binary(term)?.to_bytes())
}

/// What is looked for: one binary, a list of them, or either compiled; none may be empty.
fn patterns(term: &Term) -> Result<Vec<Vec<u8>>, Raise> {
    if let Some([Term::Atom(kind), inner]) = term.as_tuple()
        && matches!(kind.text(), "bm" | "ac")
    {
        return patterns(inner);
    }
    let patterns = match term.to_vec() {
        Some(list) => list.iter().map(bytes).collect::<Result<Vec<_>, _>>()?,
        None => vec![bytes(term)?],
    };
    let usable = !patterns.is_empty() && patterns.iter().all(|pattern| !pattern.is_empty());
    arg(usable.then_some(patterns))
}

fn compile_pattern(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    patterns(&args[0])?;
    let kind = if args[0].as_bits().is_some() { a!("bm") } else { a!("ac") };
    Ok(Term::tuple([kind, args[0].clone()]))
}

/// `{Start, Length}` as places; a negative length counts backwards.
fn part(term: &Term, size: usize) -> Result<(usize, usize), Raise> {
    let Some([start, len]) = term.as_tuple() else { return Err(Raise::badarg()) };
    window(start, len, size)
}

fn window(start: &Term, len: &Term, size: usize) -> Result<(usize, usize), Raise> {
    let (start, len) = (arg(start.as_int())?, arg(len.as_int())?);
    let end = arg(start.checked_add(len))?;
    let (from, to) = (start.min(end), start.max(end));
    arg((from >= 0 && to <= size as i64).then_some((from as usize, to as usize)))
}

#[derive(Default)]
struct Options {
    scope: Option<(usize, usize)>,
    global: bool,
    trim: bool,
    trim_all: bool,
    insert: Vec<usize>,
}

/// The options of a function that takes those in `allowed`.
fn options(term: Option<&Term>, size: usize, allowed: &[&str]) -> Result<Options, Raise> {
    let mut options = Options::default();
    for option in term.map_or(Some(Vec::new()), Term::to_vec).ok_or_else(Raise::badarg)? {
        let (name, value) = match (&option, option.as_tuple()) {
            (Term::Atom(name), _) => (*name, Term::Nil),
            (_, Some([Term::Atom(name), value])) => (*name, value.clone()),
            _ => return Err(Raise::badarg()),
        };
        arg(allowed.contains(&name.text()).then_some(()))?;
        match (name.text(), option.as_tuple().is_some()) {
            ("global", false) => options.global = true,
            ("trim", false) => options.trim = true,
            ("trim_all", false) => options.trim_all = true,
            ("scope", true) => options.scope = Some(part(&value, size)?),
            ("insert_replaced", true) => {
                let places = value.to_vec().unwrap_or_else(|| vec![value.clone()]);
                options.insert =
                    arg(places.iter().map(Term::as_usize).collect::<Option<Vec<_>>>())?;
            }
            _ => return Err(Raise::badarg()),
        }
    }
    Ok(options)
}

/// Where the patterns occur between two places, from left to right, at most `n_max` of them.
fn find(
    subject: &[u8],
    patterns: &[Vec<u8>],
    scope: Option<(usize, usize)>,
    n_max: usize,
) -> Vec<(usize, usize)> {
    let (mut at, end) = scope.unwrap_or((0, subject.len()));
    let mut found = Vec::new();
    while at < end && found.len() < n_max {
        let here = patterns.iter().filter(|pattern| subject[at..end].starts_with(pattern));
        match here.map(Vec::len).max() {
            Some(len) => {
                found.push((at, len));
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

fn pair((at, len): (usize, usize)) -> Term {
    Term::tuple([Term::from(at), Term::from(len)])
}

fn first_match(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (subject, patterns) = (bytes(&args[0])?, patterns(&args[1])?);
    let options = options(args.get(2), subject.len(), &["scope"])?;
    let found = find(&subject, &patterns, options.scope, 1);
    Ok(found.first().map_or(a!("nomatch"), |place| pair(*place)))
}

fn all_matches(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (subject, patterns) = (bytes(&args[0])?, patterns(&args[1])?);
    let options = options(args.get(2), subject.len(), &["scope"])?;
    let found = find(&subject, &patterns, options.scope, usize::MAX);
    Ok(Term::list(found.into_iter().map(pair).collect::<Vec<_>>()))
}

fn split(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (subject, patterns) = (bytes(&args[0])?, patterns(&args[1])?);
    let allowed = ["scope", "global", "trim", "trim_all"];
    let options = options(args.get(2), subject.len(), &allowed)?;
    let n_max = if options.global { usize::MAX } else { 1 };
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, len) in find(&subject, &patterns, options.scope, n_max) {
        parts.push((start, at));
        start = at + len;
    }
    parts.push((start, subject.len()));
    if options.trim_all {
        parts.retain(|(from, to)| from < to);
    } else if options.trim {
        while parts.last().is_some_and(|(from, to)| from == to) {
            parts.pop();
        }
    }
    let whole = binary(&args[0])?;
    let part = |(from, to): (usize, usize)| Term::bits(whole.slice(from * 8, (to - from) * 8));
    Ok(Term::list(parts.into_iter().map(part).collect::<Vec<_>>()))
}

fn replace(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (subject, patterns) = (bytes(&args[0])?, patterns(&args[1])?);
    let allowed = ["scope", "global", "insert_replaced"];
    let options = options(args.get(3), subject.len(), &allowed)?;
    if matches!(args[2], Term::Fun(_)) {
        return Err(Raise::unmodelled("binary:replace with a fun".to_owned()));
    }
    let replacement = bytes(&args[2])?;
    let mut places = options.insert;
    places.sort_unstable();
    arg(places.iter().all(|place| *place <= replacement.len()).then_some(()))?;
    let mut result = Vec::new();
    let mut start = 0;
    for (at, len) in
        find(&subject, &patterns, options.scope, if options.global { usize::MAX } else { 1 })
    {
        let n_more = replacement.len() + places.len() * len;
        if result.capacity() < result.len() + n_more {
            foresee_stdx::halt::ask(result.capacity().max(n_more));
        }
        result.extend(&subject[start..at]);
        let mut from = 0;
        for place in &places {
            result.extend(&replacement[from..*place]);
            result.extend(&subject[at..at + len]);
            from = *place;
        }
        result.extend(&replacement[from..]);
        start = at + len;
    }
    result.extend(&subject[start..]);
    Ok(Term::binary(&result))
}

fn list_of_bytes(term: &Term) -> Result<Vec<Vec<u8>>, Raise> {
    let list = arg(term.to_vec().filter(|list| !list.is_empty()))?;
    list.iter().map(bytes).collect()
}

/// How many bytes all have in common, from the front of what `ordered` makes of them.
fn common(lists: &[Vec<u8>]) -> usize {
    let (first, rest) = lists.split_first().expect("a list of one or more");
    let same = |i: &usize| rest.iter().all(|other| other.get(*i) == Some(&first[*i]));
    (0..first.len()).take_while(same).count()
}

fn longest_common_prefix(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::from(common(&list_of_bytes(&args[0])?)))
}

fn longest_common_suffix(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut lists = list_of_bytes(&args[0])?;
    lists.iter_mut().for_each(|list| list.reverse());
    Ok(Term::from(common(&lists)))
}

fn bin_to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let bytes = bytes(&args[0])?;
    let (from, to) = match args {
        [_, start, len] => window(start, len, bytes.len())?,
        _ => part(&args[1], bytes.len())?,
    };
    let items = bytes[from..to].iter().map(|byte| Term::Int(i64::from(*byte)));
    Ok(Term::list(items.collect::<Vec<_>>()))
}

fn is_little(term: &Term) -> Result<bool, Raise> {
    match arg(term.as_atom())?.text() {
        "little" => Ok(true),
        "big" => Ok(false),
        _ => Err(Raise::badarg()),
    }
}

fn encode_unsigned(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (sign, mut bytes) = arg(number::to_big(&args[0]))?.to_bytes_be();
    arg((sign != Sign::Minus).then_some(()))?;
    if is_little(&args[1])? {
        bytes.reverse();
    }
    Ok(Term::binary(&bytes))
}

fn decode_unsigned(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut bytes = bytes(&args[0])?;
    if is_little(&args[1])? {
        bytes.reverse();
    }
    Ok(number::integer(BigInt::from_bytes_be(Sign::Plus, &bytes)))
}

fn encode_hex(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let lower = match args.get(1) {
        None => false,
        Some(case) => match arg(case.as_atom())?.text() {
            "lowercase" => true,
            "uppercase" => false,
            _ => return Err(Raise::badarg()),
        },
    };
    let digit = |byte: &u8| if lower { format!("{byte:02x}") } else { format!("{byte:02X}") };
    Ok(Term::binary(bytes(&args[0])?.iter().map(digit).collect::<String>().as_bytes()))
}

fn decode_hex(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let digits = bytes(&args[0])?;
    arg(digits.len().is_multiple_of(2).then_some(()))?;
    let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    let pairs = digits.chunks(2).map(|pair| Some(value(pair[0])? << 4 | value(pair[1])?));
    Ok(Term::binary(&arg(pairs.collect::<Option<Vec<u8>>>())?))
}

fn byte_size(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::from(binary(&args[0])?.len() / 8))
}
