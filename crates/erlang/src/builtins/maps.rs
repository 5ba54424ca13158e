//! Module `maps`, as far as it calls no funs (those are in `prelude/maps.erl`).

use super::{Builtin, Outcome, arg, pure, truth};
use crate::machine::{Local, Raise};
use crate::term::{Map, Term};
use std::sync::Arc;

pub(super) const TABLE: &[Builtin] = &[
    pure("maps", "new", 0, new),
    pure("maps", "get", 2, get),
    pure("maps", "get", 3, get_default),
    pure("maps", "find", 2, find),
    pure("maps", "is_key", 2, is_key),
    pure("maps", "put", 3, put),
    pure("maps", "update", 3, update),
    pure("maps", "remove", 2, remove),
    pure("maps", "take", 2, take),
    pure("maps", "size", 1, size),
    pure("maps", "keys", 1, keys),
    pure("maps", "values", 1, values),
    pure("maps", "to_list", 1, to_list),
    pure("maps", "from_list", 1, from_list),
    pure("maps", "from_keys", 2, from_keys),
    pure("maps", "merge", 2, merge),
    pure("maps", "with", 2, with),
    pure("maps", "without", 2, without),
];

fn map(term: &Term) -> Result<&Arc<Map>, Raise> {
    term.as_map().ok_or_else(|| Raise::error(Term::tuple([a!("badmap"), term.clone()])))
}

fn bad_key(key: &Term) -> Raise {
    Raise::error(Term::tuple([a!("badkey"), key.clone()]))
}

fn new(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::map(Map::new()))
}

fn get(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    map(&args[1])?.get(&args[0]).cloned().ok_or_else(|| bad_key(&args[0]))
}

fn get_default(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(map(&args[1])?.get(&args[0]).unwrap_or(&args[2]).clone())
}

fn find(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let found = map(&args[1])?.get(&args[0]);
    Ok(found.map_or(a!("error"), |value| Term::tuple([a!("ok"), value.clone()])))
}

fn is_key(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    truth(map(&args[1])?.contains(&args[0]))
}

fn put(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut new = (**map(&args[2])?).clone();
    new.insert(args[0].clone(), args[1].clone());
    Ok(Term::map(new))
}

fn update(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    if !map(&args[2])?.contains(&args[0]) {
        return Err(bad_key(&args[0]));
    }
    put(local, args)
}

fn remove(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut new = (**map(&args[1])?).clone();
    new.remove(&args[0]);
    Ok(Term::map(new))
}

fn take(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut new = (**map(&args[1])?).clone();
    Ok(match new.remove(&args[0]) {
        Some(value) => Term::tuple([value, Term::map(new)]),
        None => a!("error"),
    })
}

fn size(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::from(map(&args[0])?.len()))
}

fn keys(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let entries = map(&args[0])?.entries();
    Ok(Term::list(entries.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>()))
}

fn values(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let entries = map(&args[0])?.entries();
    Ok(Term::list(entries.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>()))
}

fn to_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let entries = map(&args[0])?.entries().iter();
    Ok(Term::list(entries.map(|(k, v)| Term::tuple([k.clone(), v.clone()])).collect::<Vec<_>>()))
}

fn from_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let pairs: Option<Vec<(Term, Term)>> = arg(args[0].to_vec())?
        .iter()
        .map(|pair| match pair.as_tuple() {
            Some([key, value]) => Some((key.clone(), value.clone())),
            _ => None,
        })
        .collect();
    Ok(Term::map(Map::from_pairs(arg(pairs)?)))
}

fn from_keys(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let keys = arg(args[0].to_vec())?;
    Ok(Term::map(Map::from_pairs(keys.into_iter().map(|key| (key, args[1].clone())))))
}

fn merge(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (left, right) = (map(&args[0])?, map(&args[1])?);
    let pairs = left.entries().iter().chain(right.entries()).cloned();
    Ok(Term::map(Map::from_pairs(pairs)))
}

fn with(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let source = map(&args[1])?;
    let keys = arg(args[0].to_vec())?;
    let pairs = keys.into_iter().filter_map(|key| {
        let value = source.get(&key)?.clone();
        Some((key, value))
    });
    Ok(Term::map(Map::from_pairs(pairs)))
}

fn without(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut new = (**map(&args[1])?).clone();
    for key in arg(args[0].to_vec())? {
        new.remove(&key);
    }
    Ok(Term::map(new))
}
