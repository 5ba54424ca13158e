//! Terms taken apart: what is printed of each part and how long it is.

use super::super::print::{Style, is_printable, printable_string, text, write_string};
use super::super::{Bits, Term};

/// A part of a term, as wide as it is on one line.
pub(super) struct Part {
    pub(super) len: i64,
    /// How many dots stand in it for what is not shown.
    pub(super) dots: i64,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    Flat(String),
    List(Parts),
    Tuple(Parts),
    /// A tuple of at least two elements that starts with an atom.
    Tagged(Parts),
    Map {
        pairs: Vec<Pair>,
        cut: bool,
    },
    /// The bytes of a binary; the last may be bits or `...`.
    Binary(Vec<String>),
}

/// Elements, and what comes after them.
pub(super) struct Parts {
    pub(super) elements: Vec<Part>,
    pub(super) rest: Rest,
}

pub(super) enum Rest {
    Nothing,
    Improper(Box<Part>),
    Cut,
}

pub(super) struct Pair {
    pub(super) key: Part,
    pub(super) value: Part,
    pub(super) len: i64,
}

impl Pair {
    pub(super) fn is_flat(&self) -> bool {
        self.key.is_flat() && self.value.is_flat()
    }

    pub(super) fn write_flat(&self, out: &mut String) {
        self.key.write_flat(out);
        out.push_str(" => ");
        self.value.write_flat(out);
    }
}

/// The parts of `term` down to `depth`, in about `room` characters; limits below zero are none.
pub(super) fn measure(term: &Term, depth: i64, room: i64, style: Style) -> Part {
    foresee_stdx::halt::pace();
    match term {
        Term::Trace(trace) => measure(&trace.to_term(), depth, room, style),
        Term::Cons(_) => string(term, depth, room, style)
            .unwrap_or_else(|| list(term, depth, less(room, 2), style)),
        Term::Tuple(tuple) if tuple.items().is_empty() => flat("{}"),
        Term::Tuple(_) if depth == 1 => cut("{...}"),
        Term::Tuple(tuple) => {
            let items = tuple.items();
            let parts = elements(items.iter(), &Term::Nil, depth, less(room, 2), style);
            let tagged = items.len() > 1 && matches!(items[0], Term::Atom(_));
            bracketed(parts, if tagged { Shape::Tagged } else { Shape::Tuple })
        }
        Term::Map(map) if map.is_empty() => flat("#{}"),
        Term::Map(_) if depth == 1 => cut("#{...}"),
        Term::Map(map) => pairs(map.entries(), depth, less(room, 3), style),
        Term::Bits(bits) if bits.is_empty() => flat("<<>>"),
        Term::Bits(_) if depth == 1 => cut("<<...>>"),
        Term::Bits(bits) => binary(bits, depth, room, style),
        _ => flat(text(term, style)),
    }
}

fn flat(text: impl Into<String>) -> Part {
    let text = text.into();
    Part { len: text.chars().count() as i64, dots: 0, shape: Shape::Flat(text) }
}

/// Something of which only the outside is shown.
fn cut(text: impl Into<String>) -> Part {
    Part { dots: 3, ..flat(text) }
}

/// What is left of a limit.
fn less(room: i64, n: i64) -> i64 {
    if room < 0 { room } else { (room - n).max(0) }
}

/// A list of characters as a string, cut to the room there is.
fn string(term: &Term, depth: i64, room: i64, style: Style) -> Option<Part> {
    if !style.strings || depth == 1 {
        return None;
    }
    let shown = |text: &str| {
        let mut out = String::new();
        write_string(&mut out, text, '"', style.unicode);
        out
    };
    let n = less(room, 2);
    if let Some(text) = printable_string(term, style.wide)
        && (room < 0 || text.chars().count() as i64 <= n)
    {
        return Some(flat(shown(&text)));
    }
    // With a limit only as much is looked at as will be shown.
    let n = usize::try_from(n).ok().filter(|n| *n > 0 || !style.unicode)?;
    term.cells().nth(n)?;
    let start = Term::list(term.cells().take(n).cloned().collect::<Vec<_>>());
    let prefix = if n == 0 { String::new() } else { printable_string(&start, style.wide)? };
    Some(flat(shown(&prefix) + "..."))
}

fn list(term: &Term, depth: i64, room: i64, style: Style) -> Part {
    let mut cells = term.cells();
    let items: Vec<&Term> = cells.by_ref().collect();
    let parts = elements(items.into_iter(), cells.rest(), depth, room, style);
    bracketed(parts, Shape::List)
}

fn elements<'t>(
    items: impl ExactSizeIterator<Item = &'t Term>,
    tail: &Term,
    mut depth: i64,
    mut room: i64,
    style: Style,
) -> Parts {
    let mut elements = Vec::with_capacity(items.len());
    let proper = matches!(tail, Term::Nil);
    let n = items.len();
    for (i, item) in items.enumerate() {
        if depth == 1 || room == 0 {
            return Parts { elements, rest: Rest::Cut };
        }
        if i + 1 < n || !proper {
            room = less(room, 1);
        }
        depth -= 1;
        let part = measure(item, depth, room, style);
        room = less(room, part.len);
        elements.push(part);
    }
    let rest = if proper {
        Rest::Nothing
    } else if depth == 1 || room == 0 {
        Rest::Cut
    } else {
        Rest::Improper(Box::new(measure(tail, depth - 1, room, style)))
    };
    Parts { elements, rest }
}

/// Parts between two brackets.
fn bracketed(parts: Parts, shape: fn(Parts) -> Shape) -> Part {
    let mut len: i64 = parts.elements.iter().map(|part| part.len + 1).sum::<i64>() + 1;
    let mut dots: i64 = parts.elements.iter().map(|part| part.dots).sum();
    match &parts.rest {
        Rest::Nothing => {}
        Rest::Improper(part) => {
            len += part.len + 1;
            dots += part.dots;
        }
        Rest::Cut => {
            len += 4;
            dots += 3;
        }
    }
    Part { len, dots, shape: shape(parts) }
}

fn pairs(entries: &[(Term, Term)], mut depth: i64, mut room: i64, style: Style) -> Part {
    let inner = depth - 1;
    let (mut pairs, mut len, mut dots) = (Vec::with_capacity(entries.len()), 2, 0);
    for (i, (key, value)) in entries.iter().enumerate() {
        if depth == 1 || room == 0 {
            return Part { len: len + 4, dots: dots + 3, shape: Shape::Map { pairs, cut: true } };
        }
        if i + 1 < entries.len() {
            room = less(room, 1);
        }
        let key = measure(key, inner, room, style);
        let value = measure(value, inner, less(room, key.len + 4), style);
        dots += key.dots + value.dots;
        let pair = Pair { len: key.len + 4 + value.len, key, value };
        len += pair.len + 1;
        room = less(room, pair.len);
        depth -= 1;
        pairs.push(pair);
    }
    Part { len, dots, shape: Shape::Map { pairs, cut: false } }
}

fn binary(bits: &Bits, depth: i64, room: i64, style: Style) -> Part {
    if style.strings && bits.is_binary() {
        let bytes = bits.to_bytes();
        let depth = depth - 1;
        let n = if depth >= 0 {
            // Four characters count as one step of depth.
            let n = (4 * depth).min(bytes.len() as i64);
            if room < 0 { n } else { n.min(less(room, 6)) }
        } else if room < 0 {
            bytes.len() as i64
        } else {
            less(room, 6)
        };
        if let Some(shown) = text_of_bytes(&bytes, n as usize, depth, style) {
            return shown;
        }
    }
    bytes(bits, depth, less(room, 4))
}

/// A binary as a string, if what is shown of it is printable.
fn text_of_bytes(bytes: &[u8], n: usize, depth: i64, style: Style) -> Option<Part> {
    if n == 0 {
        return None;
    }
    let valid_up_to = match std::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    };
    let valid = std::str::from_utf8(&bytes[..valid_up_to]).unwrap_or_default();
    let is_utf8 =
        style.unicode && (valid_up_to == bytes.len() || valid.chars().nth(n - 1).is_some());
    let text: String = if is_utf8 {
        valid.chars().take(n).collect()
    } else {
        bytes.iter().take(n).map(|byte| char::from(*byte)).collect()
    };
    let wide = style.wide && is_utf8;
    let good: String = text.chars().take_while(|c| is_printable(*c, wide)).collect();
    let n_good = good.chars().count();
    let n_bytes = if is_utf8 { good.len() } else { n_good };
    let mut out = String::from("<<");
    write_string(&mut out, &good, '"', true);
    out.push_str(if n_bytes == n_good { "" } else { "/utf8" });
    if n_bytes == bytes.len() {
        out.push_str(">>");
        return Some(flat(out));
    }
    let all_shown = !is_utf8 && n_good == n;
    if all_shown || (depth > 0 && n_good as i64 >= depth) {
        out.push_str("...>>");
        return Some(cut(out));
    }
    None
}

fn bytes(bits: &Bits, mut depth: i64, mut room: i64) -> Part {
    let bytes = bits.to_bytes();
    let (whole, left) = (bits.len() / 8, bits.len() % 8);
    let (mut shown, mut dots) = (Vec::new(), 0);
    for (i, byte) in bytes.iter().enumerate() {
        if depth == 1 || room == 0 {
            shown.push("...".to_owned());
            dots = 3;
            break;
        }
        let text =
            if i < whole { byte.to_string() } else { format!("{}:{left}", byte >> (8 - left)) };
        room = less(room, text.len() as i64 + 1);
        depth -= 1;
        shown.push(text);
    }
    let len = shown.iter().map(|text| text.len() as i64 + 1).sum::<i64>() - 1 + 4;
    Part { len, dots, shape: Shape::Binary(shown) }
}

impl Part {
    /// Whether it is one piece of text that is never broken.
    pub(super) fn is_flat(&self) -> bool {
        matches!(self.shape, Shape::Flat(_))
    }

    pub(super) fn flat(&self) -> String {
        let mut out = String::new();
        self.write_flat(&mut out);
        out
    }

    pub(super) fn write_flat(&self, out: &mut String) {
        match &self.shape {
            Shape::Flat(text) => out.push_str(text),
            Shape::List(parts) => parts.write_flat(out, "[", "|", "]"),
            Shape::Tuple(parts) | Shape::Tagged(parts) => parts.write_flat(out, "{", ",", "}"),
            Shape::Map { pairs, cut } => {
                out.push_str("#{");
                for (i, pair) in pairs.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    pair.write_flat(out);
                }
                if *cut {
                    out.push_str(if pairs.is_empty() { "..." } else { ",..." });
                }
                out.push('}');
            }
            Shape::Binary(bytes) => {
                out.push_str("<<");
                out.push_str(&bytes.join(","));
                out.push_str(">>");
            }
        }
    }
}

impl Parts {
    fn write_flat(&self, out: &mut String, open: &str, before_rest: &str, close: &str) {
        out.push_str(open);
        for (i, part) in self.elements.iter().enumerate() {
            out.push_str(if i > 0 { "," } else { "" });
            part.write_flat(out);
        }
        let before_rest = if self.elements.is_empty() { "" } else { before_rest };
        match &self.rest {
            Rest::Nothing => {}
            Rest::Improper(part) => {
                out.push_str(before_rest);
                part.write_flat(out);
            }
            Rest::Cut => {
                out.push_str(before_rest);
                out.push_str("...");
            }
        }
        out.push_str(close);
    }
}
