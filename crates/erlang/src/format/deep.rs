//! The nested lists that `io_lib` functions give: brackets and separators are characters, each element a list.

use super::text_of_binary;
use crate::term::Term;
use crate::term::print::{Style, printable_string, text};

/// What `io_lib:write` gives, or `io_lib:print` for what fits on a line.
pub(crate) fn term(term: &Term, style: Style) -> Term {
    foresee_stdx::halt::pace();
    match term {
        Term::Trace(trace) => self::term(&trace.to_term(), style),
        Term::Cons(_) if style.strings && printable_string(term, style.wide).is_some() => {
            Term::string(&text(term, style))
        }
        Term::Cons(_) => {
            let mut cells = term.cells();
            let mut items = separated(cells.by_ref().map(|item| self::term(item, style)));
            if !matches!(cells.rest(), Term::Nil) {
                items.push(character('|'));
                let rest = self::term(cells.rest(), style);
                match rest.to_vec() {
                    // As `print` has it, the last is not a list of its own.
                    Some(rest) if style.strings => items.extend(rest),
                    _ => items.push(rest),
                }
            }
            between("[", items, "]")
        }
        Term::Tuple(tuple) if !tuple.items().is_empty() => {
            between("{", separated(tuple.items().iter().map(|item| self::term(item, style))), "}")
        }
        Term::Map(map) if !map.is_empty() => {
            let pair = |(key, value): &(Term, Term)| {
                let arrow = Term::string(" => ");
                Term::list([self::term(key, style), arrow, self::term(value, style)])
            };
            between("#{", separated(map.entries().iter().map(pair)), "}")
        }
        Term::Bits(bits) if !bits.is_empty() => binary(&text(term, style)),
        _ => Term::string(&text(term, style)),
    }
}

/// The parts of a printed binary.
fn binary(shown: &str) -> Term {
    let inner = shown[2..].strip_suffix(">>").unwrap_or_default();
    let (open, close) = (character('<'), character('>'));
    if let Some(string) = inner.strip_suffix("/utf8") {
        let parts = [open.clone(), open, Term::string(string), Term::string("/utf8>>")];
        return Term::list(parts);
    }
    let inner = if inner.starts_with('"') {
        Term::string(inner)
    } else {
        let mut bytes = separated(inner.split(',').map(Term::string));
        if let Some((bits, size)) = inner.rsplit(',').next().and_then(|last| last.split_once(':')) {
            bytes.pop();
            bytes.extend([Term::string(bits), character(':'), Term::string(size)]);
        }
        Term::list(bytes)
    };
    Term::list([open.clone(), open, inner, close.clone(), close])
}

/// The characters of a nested list, nested alike; binaries are lists of theirs.
pub(super) fn characters(term: &Term, unicode: bool) -> Term {
    match term {
        Term::Bits(bits) => Term::string(&text_of_binary(&bits.to_bytes(), unicode)),
        Term::Cons(_) => {
            let mut cells = term.cells();
            let items: Vec<Term> = cells.by_ref().map(|item| characters(item, unicode)).collect();
            Term::list_with_tail(items, characters(cells.rest(), unicode))
        }
        _ => term.clone(),
    }
}

fn character(c: char) -> Term {
    Term::Int(i64::from(u32::from(c)))
}

fn separated(items: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut out = Vec::new();
    for item in items {
        if !out.is_empty() {
            out.push(character(','));
        }
        out.push(item);
    }
    out
}

fn between(open: &str, items: Vec<Term>, close: &str) -> Term {
    let mut parts: Vec<Term> = open.chars().map(character).collect();
    parts.push(Term::list(items));
    parts.extend(close.chars().map(character));
    Term::list(parts)
}
