//! Format strings: `~p`, `~5.2f` and the rest.
//! A directive is `~F.P.PadModC`: field width, precision, padding character, modifiers `t` and `l`, and the control
//! character. A negative width aligns to the left. Width, precision and padding may be `*`: taken from the arguments.
//! Two passes, as upstream: first everything whose length is its own business, then strings and terms, which share what
//! a limit of characters leaves and start in the column where the text before them ends.
//! Reading order: `directive`, this, `field` (padding), `float`, `deep` (the nested lists that `io_lib` gives).

mod deep;
mod directive;
mod field;
mod float;

pub(crate) use deep::term as deep_term;

use crate::term::pretty::{self, Page};
use crate::term::print;
use crate::term::{Term, number};
use directive::{Chars, Directive};
use field::Side;
use foresee_stdx::halt;

/// The text of `format` with `arguments`; `None` if they do not fit each other.
pub(crate) fn format(format: &str, arguments: &[Term]) -> Option<String> {
    let pieces = pieces(format, arguments, -1)?;
    Some(pieces.iter().map(Piece::text).collect())
}

/// As [`format()`], as the nested list of characters that `io_lib:format` gives, with a limit of characters; below zero
/// there is none.
pub(crate) fn format_deep(format: &str, arguments: &[Term], chars: i64) -> Option<Term> {
    let mut items = Vec::new();
    for piece in pieces(format, arguments, chars)? {
        match piece {
            Piece::Text(text) => {
                halt::ask(text.len().saturating_mul(size_of::<Term>()));
                items.extend(text.chars().map(|c| Term::Int(i64::from(u32::from(c)))));
            }
            Piece::Deep { list, .. } => items.push(list),
        }
    }
    Some(Term::list(items))
}

/// A stretch of the result.
enum Piece {
    Text(String),
    /// The result of a directive that gives a nested list.
    Deep {
        text: String,
        list: Term,
    },
}

impl Piece {
    fn text(&self) -> &str {
        match self {
            Piece::Text(text) | Piece::Deep { text, .. } => text,
        }
    }
}

/// What a first look makes of the format.
enum Item<'a> {
    Text(String),
    /// A string or term, to be written when it is known how much room there is.
    Large(Directive, &'a [Term]),
}

fn pieces(format: &str, arguments: &[Term], chars: i64) -> Option<Vec<Piece>> {
    let items = items(format, arguments)?;
    let mut n_large = items.iter().filter(|item| matches!(item, Item::Large(..))).count() as i64;
    let n_small: i64 = items
        .iter()
        .map(|item| if let Item::Text(text) = item { text.chars().count() as i64 } else { 0 })
        .sum();
    let mut room = if chars < 0 { chars } else { (chars - n_small).max(0) };
    let mut column = 0;
    let mut pieces = Vec::with_capacity(items.len());
    for item in items {
        let piece = match item {
            Item::Text(text) => Piece::Text(text),
            Item::Large(directive, arguments) => {
                let share = if room < 0 { room } else { room / n_large };
                let piece = large(&directive, arguments, share, column)?;
                if room >= 0 {
                    room = (room - piece.text().chars().count() as i64).max(0);
                }
                n_large -= 1;
                piece
            }
        };
        column = end_column(piece.text(), column);
        pieces.push(piece);
    }
    Some(pieces)
}

fn items<'a>(format: &str, arguments: &'a [Term]) -> Option<Vec<Item<'a>>> {
    let mut items = vec![Item::Text(String::new())];
    let mut arguments = arguments;
    let mut chars: Chars<'_> = format.chars().peekable();
    while let Some(c) = chars.next() {
        let text = if c == '~' {
            let directive = Directive::parse(&mut chars, &mut arguments)?;
            let n = directive.n_arguments()?;
            let (own, rest) = arguments.split_at_checked(n)?;
            arguments = rest;
            match small(&directive, own)? {
                Some(text) => text,
                None => {
                    items.push(Item::Large(directive, own));
                    items.push(Item::Text(String::new()));
                    continue;
                }
            }
        } else {
            c.to_string()
        };
        if let Some(Item::Text(last)) = items.last_mut() {
            last.push_str(&text);
        }
    }
    arguments.is_empty().then_some(items)
}

/// The column after `text` that starts in `column`; tabs stand every eight.
pub(crate) fn end_column(text: &str, column: i64) -> i64 {
    text.chars().fold(column, |column, c| match c {
        '\n' => 0,
        '\t' => (column + 8) / 8 * 8,
        _ => column + 1,
    })
}

/// A directive whose text does not depend on where it stands: `None` inside if it is none of those.
fn small(directive: &Directive, arguments: &[Term]) -> Option<Option<String>> {
    let number = |n: &Term, prefix: &str| {
        field::term(&in_base(n, directive, prefix)?, directive.width, None, directive)
    };
    let text = match (directive.control, arguments) {
        ('s', [Term::Atom(atom)]) => {
            let latin1 = atom.text().chars().all(|c| u32::from(c) < 256);
            (directive.unicode || latin1).then_some(())?;
            field::string(atom.text(), directive)?
        }
        ('e' | 'f' | 'g', [x]) => {
            let Term::Float(x) = x else { return None };
            let text = float::text(*x, directive)?;
            match directive.width {
                Some(width) => field::term(&text, Some(width), Some(width), directive)?,
                None => text,
            }
        }
        ('b' | 'B', [n]) => number(n, "")?,
        ('x' | 'X', [n, prefix]) => {
            let prefix = match prefix {
                Term::Atom(atom) => atom.text().to_owned(),
                Term::Nil | Term::Cons(_) => characters(prefix, true)?,
                _ => return None,
            };
            number(n, &prefix)?
        }
        ('#' | '+', [n]) => number(n, &format!("{}#", directive.precision.unwrap_or(10)))?,
        ('c', [c]) => {
            let c = c.as_int()?;
            let c = if directive.unicode { c } else { c & 0xFF };
            field::repeated(char::from_u32(u32::try_from(c).ok()?)?, directive)?
        }
        ('~', []) => field::repeated('~', directive)?,
        ('n', []) => match directive.width {
            None => "\n".to_owned(),
            Some(width) if directive.side == Side::Right => {
                let n = usize::try_from(width).ok()?;
                halt::ask(n);
                "\n".repeat(n)
            }
            Some(_) => return None,
        },
        ('i', [_]) => String::new(),
        _ => return Some(None),
    };
    Some(Some(text))
}

/// A number in the base that the precision says, with a prefix after its sign.
fn in_base(n: &Term, directive: &Directive, prefix: &str) -> Option<String> {
    let base = u32::try_from(directive.precision.unwrap_or(10)).ok()?;
    let digits = (2..=36).contains(&base).then(|| number::to_base(n, base))??;
    let digits = match directive.control {
        'b' | 'x' | '+' => digits.to_lowercase(),
        _ => digits,
    };
    Some(match digits.strip_prefix('-') {
        Some(digits) => format!("-{prefix}{digits}"),
        None => format!("{prefix}{digits}"),
    })
}

/// A string or term in `room` characters (below zero: as many as it takes) from `column` on.
fn large(directive: &Directive, arguments: &[Term], room: i64, column: i64) -> Option<Piece> {
    let term = arguments.first()?;
    let depth = arguments.get(1).map_or(Some(-1), Term::as_int)?;
    let whole = room < 0 && depth < 0;
    match directive.control {
        's' => string(directive, term, room),
        'w' | 'W' => {
            let style = directive.style(false);
            let mut text = String::new();
            if room < 0 {
                print::write_to_depth(&mut text, term, depth, style);
            } else {
                text = pretty::flat_limited(term, depth, room, style);
            }
            let padded = field::term(&text, directive.width, directive.precision, directive)?;
            if padded == text && whole {
                return Some(Piece::Deep { list: deep_term(term, style), text });
            }
            Some(flat(padded))
        }
        'p' | 'P' if directive.side == Side::Right => {
            let style = directive.style(true);
            let page = Page {
                column: directive.precision.unwrap_or(column + 1),
                width: directive.width.unwrap_or(80),
                depth,
                chars: room,
            };
            let text = pretty::pretty(term, page, style);
            if whole && !text.contains('\n') {
                return Some(Piece::Deep { list: deep_term(term, style), text });
            }
            Some(flat(text))
        }
        _ => None,
    }
}

fn string(directive: &Directive, term: &Term, room: i64) -> Option<Piece> {
    let mut text = characters_of_list(term, directive.unicode)?;
    let is_whole = room < 0 || directive.width.is_some_and(|width| room >= width);
    if !is_whole {
        text = field::shortened(text, (room - 3).max(0) as usize);
    }
    if is_whole && directive.width.is_none() && directive.precision.is_none() {
        return Some(Piece::Deep { list: deep::characters(term, directive.unicode), text });
    }
    let width = directive.width.map(|width| if room < 0 { width } else { width.min(room).max(3) });
    Some(flat(field::string(&text, &Directive { width, ..*directive })?))
}

fn flat(text: String) -> Piece {
    Piece::Deep { list: Term::string(&text), text }
}

/// The text of something printable: deep lists of characters and binaries, or an atom.
pub(crate) fn characters(term: &Term, unicode: bool) -> Option<String> {
    match term {
        Term::Atom(atom) => Some(atom.text().to_owned()),
        _ => characters_of_list(term, unicode),
    }
}

fn characters_of_list(term: &Term, unicode: bool) -> Option<String> {
    let mut out = String::new();
    push_characters(&mut out, term, unicode)?;
    Some(out)
}

fn push_characters(out: &mut String, term: &Term, unicode: bool) -> Option<()> {
    match term {
        Term::Nil => Some(()),
        Term::Bits(bits) if bits.is_binary() => {
            out.push_str(&text_of_binary(&bits.to_bytes(), unicode));
            Some(())
        }
        Term::Cons(_) => {
            let mut cells = term.cells();
            for item in cells.by_ref() {
                match item {
                    Term::Int(c) if !unicode && *c > 255 => return None,
                    Term::Int(c) => out.push(char::from_u32(u32::try_from(*c).ok()?)?),
                    _ => push_characters(out, item, unicode)?,
                }
            }
            push_characters(out, cells.rest(), unicode)
        }
        _ => None,
    }
}

/// The text of a binary: UTF-8 if it may be and is, else a character a byte.
fn text_of_binary(bytes: &[u8], unicode: bool) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if unicode => text.to_owned(),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}
