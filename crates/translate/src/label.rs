//! Labels of a translated program as the direct route prints them: terms of muCRL become Erlang terms.

use crate::names::decode;
use crate::spelling::{is_marked, unspelt};
use crate::terms::{as_integer, elements};
use foresee_algebra::Term;
use foresee_erlang_syntax::print_atom;
use std::borrow::Cow;

/// A label with terms that are nested deeper is not taken apart; an integer is as deep as it is large.
const DEPTH_MAX: usize = 2_000;

/// The text that the direct route prints for a label of the translated program, whichever tool wrote it; a label of anything
/// else stays as it is.
///
/// ```
/// use foresee_translate::erlang_label;
/// assert_eq!(
///     erlang_label("info(locker, tuple'cons(atom'EXIT, tuple'cons(client_1, tuple'1(crash))))"),
///     "info(locker,{'EXIT',client_1,crash})"
/// );
/// assert_eq!(erlang_label("cast(counter,int's(int's(int'0)))"), "cast(counter,2)");
/// assert_eq!(erlang_label("reply(c1,s(0),x')"), "reply(c1,s(0),x')");
/// assert_eq!(erlang_label("say(a,list'cons(alist'nil))"), "say(a,cons(alistnil))");
/// ```
pub fn erlang_label(label: &str) -> Cow<'_, str> {
    let term = is_marked(label).then(|| read(label)).flatten();
    let Some(term) = term else { return Cow::Borrowed(label) };
    let name = decode(&term.name);
    if term.arguments.is_empty() {
        return Cow::Owned(name);
    }
    let data: Vec<String> = term.arguments.iter().map(erlang).collect();
    Cow::Owned(format!("{name}({})", data.join(",")))
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
        ("cons", [_, _]) => list(term),
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
    let term = read_term(&mut rest, 0)?;
    rest.is_empty().then_some(term)
}

fn read_term(rest: &mut &str, depth: usize) -> Option<Term> {
    if depth > DEPTH_MAX {
        return None;
    }
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
            arguments.push(read_term(rest, depth + 1)?);
            *rest = rest.trim_start();
            if let Some(more) = rest.strip_prefix(',') {
                *rest = more;
                continue;
            }
            *rest = rest.strip_prefix(')')?;
            break;
        }
    }
    Some(Term::apply(&unspelt(name), arguments))
}
