//! Terms of the target, built so that what is known already is not asked again: the head of a list that was just put
//! together is that head, two different atoms are not equal, and a condition that is decided disappears.
//! Why: patterns become tests and selections of parts; without this the text would be full of answered questions.
//! Invariant: every simplification holds by the rules of `library/data.mcrl`.

use foresee_algebra::Term;

pub(crate) fn constant(name: &str) -> Term {
    Term::name(name)
}

pub(crate) fn yes() -> Term {
    constant("T")
}

pub(crate) fn no() -> Term {
    constant("F")
}

pub(crate) fn nil() -> Term {
    constant("nil")
}

pub(crate) fn cons(head: Term, tail: Term) -> Term {
    Term::apply("cons", vec![head, tail])
}

pub(crate) fn list(items: impl IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>) -> Term {
    items.into_iter().rev().fold(nil(), |tail, head| cons(head, tail))
}

pub(crate) fn tuple(items: impl IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>) -> Term {
    let mut items = items.into_iter().rev();
    let Some(last) = items.next() else { return constant("tuple0") };
    let last = Term::apply("tuplenil", vec![last]);
    items.fold(last, |rest, it| Term::apply("tuple", vec![it, rest]))
}

/// The elements of a tuple that is written out.
pub(crate) fn elements(term: &Term) -> Option<Vec<&Term>> {
    let mut items = Vec::new();
    let mut rest = term;
    loop {
        match (rest.name.as_str(), &rest.arguments[..]) {
            ("tuple", [first, more]) => {
                items.push(first);
                rest = more;
            }
            ("tuplenil", [last]) => {
                items.push(last);
                return Some(items);
            }
            ("tuple0", []) => return Some(items),
            _ => return None,
        }
    }
}

pub(crate) fn integer(value: i64) -> Term {
    let unary = |n: u64| (0..n).fold(constant("0"), |it, _| Term::apply("s", vec![it]));
    let size = unary(value.unsigned_abs());
    if value < 0 { Term::apply("neg", vec![size]) } else { size }
}

/// The number that a term writes out.
pub(crate) fn as_integer(term: &Term) -> Option<i64> {
    match (term.name.as_str(), &term.arguments[..]) {
        ("0", []) => Some(0),
        ("s", [it]) => Some(as_integer(it)? + 1),
        ("neg", [it]) => Some(-as_integer(it)?),
        _ => None,
    }
}

pub(crate) fn is_yes(term: &Term) -> bool {
    term.name == "T" && term.arguments.is_empty()
}

pub(crate) fn is_no(term: &Term) -> bool {
    term.name == "F" && term.arguments.is_empty()
}

pub(crate) fn and(left: Term, right: Term) -> Term {
    if is_yes(&left) || is_no(&right) {
        return right;
    }
    if is_no(&left) || is_yes(&right) {
        return left;
    }
    Term::apply("and", vec![left, right])
}

pub(crate) fn all(
    conditions: impl IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
) -> Term {
    conditions.into_iter().rev().fold(yes(), |rest, it| and(it, rest))
}

pub(crate) fn or(left: Term, right: Term) -> Term {
    if is_no(&left) || is_yes(&right) {
        return right;
    }
    if is_yes(&left) || is_no(&right) {
        return left;
    }
    Term::apply("or", vec![left, right])
}

pub(crate) fn any(
    conditions: impl IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
) -> Term {
    conditions.into_iter().rev().fold(no(), |rest, it| or(it, rest))
}

pub(crate) fn not(term: Term) -> Term {
    match (term.name.as_str(), term.arguments.len()) {
        ("T", 0) => no(),
        ("F", 0) => yes(),
        ("not", 1) => term.arguments.into_iter().next().expect("one argument"),
        _ => Term::apply("not", vec![term]),
    }
}

/// A truth as the atom `true` or `false`.
pub(crate) fn bool(truth: Term) -> Term {
    match (truth.name.as_str(), truth.arguments.len()) {
        ("T", 0) => constant("true"),
        ("F", 0) => constant("false"),
        _ => Term::apply("bool", vec![truth]),
    }
}

/// Whether a value is the atom `true`.
pub(crate) fn is_true(value: Term) -> Term {
    eq(value, constant("true"))
}

pub(crate) fn choose(condition: Term, then: Term, otherwise: Term) -> Term {
    if is_yes(&condition) || then == otherwise {
        return then;
    }
    if is_no(&condition) {
        return otherwise;
    }
    Term::apply("if", vec![condition, then, otherwise])
}

pub(crate) fn head(list: Term) -> Term {
    select(list, "cons", 0, "hd")
}

pub(crate) fn tail(list: Term) -> Term {
    select(list, "cons", 1, "tl")
}

/// The part of a built value, or the function that selects it.
fn select(term: Term, constructor: &str, at: usize, selector: &str) -> Term {
    if term.name == constructor && term.arguments.len() > at {
        return term.arguments.into_iter().nth(at).expect("counted");
    }
    Term::apply(selector, vec![term])
}

/// Element `at` of a tuple, from 1.
pub(crate) fn element(at: usize, tuple: Term) -> Term {
    if let Some(items) = elements(&tuple)
        && let Some(item) = items.get(at - 1)
    {
        return (*item).clone();
    }
    Term::apply(&format!("element_{at}"), vec![tuple])
}

pub(crate) fn is_cons(term: Term) -> Term {
    match shape(&term) {
        Some(("cons", _)) => yes(),
        Some(_) => no(),
        None => Term::apply("is_cons", vec![term]),
    }
}

/// Whether a value is a tuple of `n`.
pub(crate) fn is_tuple(n: usize, term: Term) -> Term {
    if n == 0 {
        return eq(term, constant("tuple0"));
    }
    match shape(&term) {
        Some(_) => match elements(&term) {
            Some(items) if items.len() == n => yes(),
            _ => no(),
        },
        None => Term::apply(&format!("is_tuple_{n}"), vec![term]),
    }
}

/// How a value is built, if that can be seen: not for variables and functions still to be computed.
fn shape(term: &Term) -> Option<(&str, usize)> {
    let n = term.arguments.len();
    let name = term.name.as_str();
    let is_built = match n {
        0 => !name.starts_with(|it: char| it.is_ascii_uppercase()) && !name.ends_with("_0"),
        1 => matches!(name, "tuplenil" | "s" | "neg"),
        2 => matches!(name, "cons" | "tuple"),
        _ => false,
    };
    is_built.then_some((name, n))
}

/// Whether a value is a list, a tuple, a number or the like, and nothing else.
pub(crate) fn is_built(term: &Term) -> bool {
    shape(term).is_some()
}

pub(crate) fn eq(left: Term, right: Term) -> Term {
    if left == right {
        return yes();
    }
    for (value, truth) in [(&left, &right), (&right, &left)] {
        if value.name == "bool" && value.arguments.len() == 1 && truth.arguments.is_empty() {
            match truth.name.as_str() {
                "true" => return value.arguments[0].clone(),
                "false" => return not(value.arguments[0].clone()),
                _ => {}
            }
        }
    }
    match (shape(&left), shape(&right)) {
        (Some(a), Some(b)) if a != b => no(),
        (Some(_), Some(_)) => {
            let pairs = left.arguments.into_iter().zip(right.arguments);
            all(pairs.map(|(a, b)| eq(a, b)).collect::<Vec<_>>())
        }
        _ => Term::apply("eq", vec![left, right]),
    }
}

/// A function of the data library, computed if it is about numbers that are written out.
pub(crate) fn apply(name: &str, args: Vec<Term>) -> Term {
    let numbers: Option<Vec<i64>> = args.iter().map(as_integer).collect();
    let truth = |it: bool| if it { yes() } else { no() };
    match (name, numbers.as_deref(), args.first().and_then(shape)) {
        ("plus", Some([a, b]), _) => integer(a + b),
        ("minus", Some([a, b]), _) => integer(a - b),
        ("less", Some([a, b]), _) => truth(a < b),
        ("atmost", Some([a, b]), _) => truth(a <= b),
        ("is_integer", Some([_]), _) => yes(),
        ("is_integer", None, Some((built, n)))
            if (built, n) != ("s", 1) && (built, n) != ("neg", 1) =>
        {
            no()
        }
        ("is_list", _, Some((built, n))) => {
            truth((built, n) == ("nil", 0) || (built, n) == ("cons", 2))
        }
        ("append", _, Some(("nil", 0))) => args.into_iter().nth(1).expect("two arguments"),
        _ => Term::apply(name, args),
    }
}
