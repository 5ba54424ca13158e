//! Labels of a translated program as the direct route prints them: terms of muCRL become Erlang terms.

use crate::names::decode;
use crate::terms::{as_integer, elements};
use foresee_algebra::Term;
use foresee_erlang_syntax::print_atom;

/// The text that the direct route prints for a label of the translated program.
///
/// ```
/// use foresee_translate::erlang_label;
/// assert_eq!(
///     erlang_label("info(locker,tuple(EXIT,tuple(client_1,tuplenil(crash))))"),
///     "info(locker,{'EXIT',client_1,crash})"
/// );
/// assert_eq!(erlang_label("cast(counter,s(s(0)))"), "cast(counter,2)");
/// assert_eq!(erlang_label("tau"), "tau");
/// ```
pub fn erlang_label(label: &str) -> String {
    let Some(term) = read(label) else { return label.to_owned() };
    let name = decode(&term.name);
    if term.arguments.is_empty() {
        return name;
    }
    let data: Vec<String> = term.arguments.iter().map(erlang).collect();
    format!("{name}({})", data.join(","))
}

/// A term as Erlang writes it.
pub(crate) fn erlang(term: &Term) -> String {
    if let Some(value) = as_integer(term) {
        return value.to_string();
    }
    if let Some(items) = elements(term) {
        let items: Vec<String> = items.into_iter().map(erlang).collect();
        return format!("{{{}}}", items.join(","));
    }
    match (term.name.as_str(), &term.arguments[..]) {
        ("nil", []) => "[]".to_owned(),
        ("cons", [..]) => list(term),
        (name, []) => print_atom(&decode(name)),
        (name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(erlang).collect();
            format!("{name}({})", arguments.join(","))
        }
    }
}

fn list(term: &Term) -> String {
    let mut items = Vec::new();
    let mut rest = term;
    while let ("cons", [head, tail]) = (rest.name.as_str(), &rest.arguments[..]) {
        items.push(erlang(head));
        rest = tail;
    }
    match (rest.name.as_str(), rest.arguments.len()) {
        ("nil", 0) => format!("[{}]", items.join(",")),
        _ => format!("[{}|{}]", items.join(","), erlang(rest)),
    }
}

/// Reads `name(argument,…)`; `None` if it is something else.
fn read(text: &str) -> Option<Term> {
    let mut rest = text;
    let term = read_term(&mut rest)?;
    rest.is_empty().then_some(term)
}

fn read_term(rest: &mut &str) -> Option<Term> {
    *rest = rest.trim_start();
    let end = rest.find(['(', ')', ',', ' ']).unwrap_or(rest.len());
    let name = &rest[..end];
    if name.is_empty() {
        return None;
    }
    *rest = &rest[end..];
    let mut arguments = Vec::new();
    if let Some(inside) = rest.strip_prefix('(') {
        *rest = inside;
        loop {
            arguments.push(read_term(rest)?);
            *rest = rest.trim_start();
            if let Some(more) = rest.strip_prefix(',') {
                *rest = more;
                continue;
            }
            *rest = rest.strip_prefix(')')?;
            break;
        }
    }
    Some(Term::apply(name, arguments))
}
