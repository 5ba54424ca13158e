//! `~p` with line breaks: as much as fits on a line, compound elements on lines of their own, the elements of a tagged
//! tuple under the second one.
//! The layout is that of Erlang's own pretty printer, found by experiment and described here in our words: a first pass
//! measures every part; then, from the outside in, a part that fits the rest of its line is written flat, and one that
//! does not is broken between elements. Tagged tuples indent by the length of their tag unless that would leave less
//! than half a line somewhere, then by 4, then by 1.

use super::print::{Style, printable_string, text, write_term};
use super::{Bits, Term};

/// The text of `term` when it starts in column `column` (counted from 0) of lines `width` wide.
pub fn pretty(term: &Term, column: usize, width: usize, style: Style) -> String {
    let part = measure(term, style);
    let column = column as i64 + 1;
    let layout = Layout { width: width as i64, total: part.len, tag_indent: 0 };
    if width == 0 || matches!(part.shape, Shape::Flat(_)) || part.len < layout.width - column {
        return part.flat();
    }
    let works = |indent: i64| {
        let layout = Layout { tag_indent: indent, ..layout };
        layout.check(&part, column, 0, 0).then_some(layout)
    };
    let layout = works(-1).or_else(|| works(4)).unwrap_or(Layout { tag_indent: 1, ..layout });
    let mut out = String::new();
    layout.write(&mut out, &part, column, (column - 1) as usize, 0, 0);
    out
}

struct Part {
    len: i64,
    shape: Shape,
}

enum Shape {
    Flat(String),
    /// Elements between brackets; the last one after `|` if `improper`.
    List {
        elements: Vec<Part>,
        improper: bool,
    },
    Tuple(Vec<Part>),
    /// A tuple whose first element is an atom.
    Tagged(Vec<Part>),
    Map(Vec<(Part, Part, i64)>),
    Binary(Vec<String>),
}

fn measure(term: &Term, style: Style) -> Part {
    let flat = |text: String| Part { len: text.chars().count() as i64, shape: Shape::Flat(text) };
    match term {
        Term::Trace(trace) => measure(&trace.to_term(), style),
        Term::Cons(_) if printable_string(term, style.wide).is_some() => flat(text(term, style)),
        Term::Cons(_) => {
            let mut cells = term.cells();
            let mut elements: Vec<Part> =
                cells.by_ref().map(|element| measure(element, style)).collect();
            let improper = !matches!(cells.rest(), Term::Nil);
            if improper {
                elements.push(measure(cells.rest(), style));
            }
            Part { len: length_of(&elements) + 2, shape: Shape::List { elements, improper } }
        }
        Term::Tuple(tuple) if !tuple.items().is_empty() => {
            let items = tuple.items();
            let parts: Vec<Part> = items.iter().map(|item| measure(item, style)).collect();
            let len = length_of(&parts) + 2;
            let tagged = items.len() > 1 && matches!(items[0], Term::Atom(_));
            Part { len, shape: if tagged { Shape::Tagged(parts) } else { Shape::Tuple(parts) } }
        }
        Term::Map(map) if !map.is_empty() => {
            let pairs: Vec<(Part, Part, i64)> = map
                .entries()
                .iter()
                .map(|(key, value)| {
                    let (key, value) = (measure(key, style), measure(value, style));
                    let len = key.len + value.len + 4;
                    (key, value, len)
                })
                .collect();
            let len = pairs.iter().map(|pair| pair.2 + 1).sum::<i64>() - 1 + 3;
            Part { len, shape: Shape::Map(pairs) }
        }
        Term::Bits(bits) => measure_binary(term, bits, style),
        _ => flat(text(term, style)),
    }
}

fn measure_binary(term: &Term, bits: &Bits, style: Style) -> Part {
    let whole = text(term, style);
    let len = whole.chars().count() as i64;
    if whole.starts_with("<<\"") || bits.is_empty() {
        return Part { len, shape: Shape::Flat(whole) };
    }
    let inner = &whole[2..whole.len() - 2];
    Part { len, shape: Shape::Binary(inner.split(',').map(str::to_owned).collect()) }
}

fn length_of(parts: &[Part]) -> i64 {
    parts.iter().map(|part| part.len + 1).sum::<i64>() - 1
}

impl Part {
    fn is_flat(&self) -> bool {
        matches!(self.shape, Shape::Flat(_))
    }

    fn flat(&self) -> String {
        let mut out = String::new();
        self.write_flat(&mut out);
        out
    }

    fn write_flat(&self, out: &mut String) {
        let separated = |out: &mut String, parts: &[Part], last: &str| {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push_str(if i + 1 == parts.len() { last } else { "," });
                }
                part.write_flat(out);
            }
        };
        match &self.shape {
            Shape::Flat(text) => out.push_str(text),
            Shape::List { elements, improper } => {
                out.push('[');
                separated(out, elements, if *improper { "|" } else { "," });
                out.push(']');
            }
            Shape::Tuple(parts) | Shape::Tagged(parts) => {
                out.push('{');
                separated(out, parts, ",");
                out.push('}');
            }
            Shape::Map(pairs) => {
                out.push_str("#{");
                for (i, (key, value, _)) in pairs.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    key.write_flat(out);
                    out.push_str(" => ");
                    value.write_flat(out);
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

/// `tag_indent` is how tagged tuples indent: -1 by their tag, else by so much.
#[derive(Clone, Copy)]
struct Layout {
    width: i64,
    total: i64,
    tag_indent: i64,
}

/// In all methods: `column` counts from 1, `closers` is the number of closing brackets that must still fit on the line
/// after the part, `used` what the line holds already (apart from indentation).
impl Layout {
    fn fits(&self, len: i64, column: i64, closers: i64, used: i64) -> bool {
        len < self.width - column - closers && len + used + closers <= self.total
    }

    fn value_indent(&self) -> i64 {
        if self.tag_indent > 0 { self.tag_indent } else { 4 }
    }

    /// Whether a following element of `len` (without its comma) goes on the same line.
    fn follows(&self, len: i64, column: i64, closers: i64, used: i64) -> bool {
        let len = len + 1;
        if closers == 0 {
            len + 1 < self.width - column && used + len < self.total
        } else {
            len < self.width - column - closers && used + len + closers <= self.total
        }
    }

    /// Whether this way to indent leaves room everywhere.
    fn check(&self, part: &Part, column: i64, closers: i64, used: i64) -> bool {
        if self.fits(part.len, column, closers, used) {
            return true;
        }
        match &part.shape {
            Shape::Flat(_) | Shape::Binary(_) => true,
            Shape::List { elements, .. } | Shape::Tuple(elements) => {
                self.check_list(elements, column + 1, closers, used + 1)
            }
            Shape::Tagged(parts) => self.check_tagged(parts, column, closers, used + 1),
            Shape::Map(pairs) => pairs.iter().enumerate().all(|(i, (key, value, len))| {
                let closers = if i + 1 == pairs.len() { closers + 1 } else { 0 };
                self.fits(*len, column + 2, closers, 0)
                    || (self.check(key, column + 2, closers, 0)
                        && self.check(value, column + 2 + self.value_indent(), closers, 0))
            }),
        }
    }

    fn check_tagged(&self, parts: &[Part], column: i64, closers: i64, used: i64) -> bool {
        let by_tag = parts[0].len + 2;
        if self.tag_indent > 0 && by_tag > self.tag_indent {
            let column = column + self.tag_indent;
            (self.total + column <= self.width || column <= self.width / 2)
                && self.check_list(&parts[1..], column, closers, used + parts[0].len)
        } else {
            let column = column + by_tag;
            (self.total + column < self.width || column < self.width / 2)
                && self.check_list(&parts[1..], column, closers, used + parts[0].len + 1)
        }
    }

    fn check_list(&self, parts: &[Part], column: i64, closers: i64, used: i64) -> bool {
        parts.iter().enumerate().all(|(i, part)| {
            let closers = if i + 1 == parts.len() { closers + 1 } else { 0 };
            self.check(part, column, closers, if i == 0 { used } else { 0 })
        })
    }

    fn write(
        &self,
        out: &mut String,
        part: &Part,
        column: i64,
        indent: usize,
        closers: i64,
        used: i64,
    ) {
        if self.fits(part.len, column, closers, used) {
            return part.write_flat(out);
        }
        match &part.shape {
            Shape::Flat(text) => out.push_str(text),
            Shape::List { elements, improper } => {
                out.push('[');
                self.write_list(
                    out,
                    elements,
                    column + 1,
                    indent + 1,
                    closers,
                    used + 1,
                    *improper,
                );
                out.push(']');
            }
            Shape::Tuple(parts) => {
                out.push('{');
                self.write_list(out, parts, column + 1, indent + 1, closers, used + 1, false);
                out.push('}');
            }
            Shape::Tagged(parts) => {
                out.push('{');
                self.write_tagged(out, parts, column, indent, closers, used + 1);
                out.push('}');
            }
            Shape::Map(pairs) => {
                out.push_str("#{");
                self.write_pairs(out, pairs, column + 2, indent + 2, closers, used + 1);
                out.push('}');
            }
            Shape::Binary(bytes) => {
                self.write_bytes(out, bytes, column + 2, indent + 2, closers);
            }
        }
    }

    fn write_tagged(
        &self,
        out: &mut String,
        parts: &[Part],
        column: i64,
        indent: usize,
        closers: i64,
        used: i64,
    ) {
        let tag = &parts[0];
        let by_tag = tag.len + 2;
        tag.write_flat(out);
        if self.tag_indent > 0 && by_tag > self.tag_indent {
            let first = Cursor { start: column + self.tag_indent, column: column + by_tag };
            let indent = indent + self.tag_indent as usize;
            self.write_tail(out, &parts[1..], first, indent, closers, used + tag.len, false);
        } else {
            out.push(',');
            let (column, indent) = (column + by_tag, indent + by_tag as usize);
            self.write_list(out, &parts[1..], column, indent, closers, used + tag.len + 1, false);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a line while it is filled")]
    fn write_list(
        &self,
        out: &mut String,
        parts: &[Part],
        column: i64,
        indent: usize,
        closers: i64,
        used: i64,
        improper: bool,
    ) {
        let last = if parts.len() == 1 { closers + 1 } else { 0 };
        let width = self.write_element(out, &parts[0], column, indent, last, used);
        let cursor = Cursor { start: column, column: column + width };
        self.write_tail(out, &parts[1..], cursor, indent, closers, used + width, improper);
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a line while it is filled")]
    fn write_tail(
        &self,
        out: &mut String,
        parts: &[Part],
        mut at: Cursor,
        indent: usize,
        closers: i64,
        mut used: i64,
        improper: bool,
    ) {
        for (i, part) in parts.iter().enumerate() {
            let is_last = i + 1 == parts.len();
            let last = if is_last { closers + 1 } else { 0 };
            out.push(if is_last && improper { '|' } else { ',' });
            if part.is_flat() && self.follows(part.len, at.column, last, used) {
                part.write_flat(out);
                at.column += part.len + 1;
                used += part.len + 1;
            } else {
                new_line(out, indent);
                used = self.write_element(out, part, at.start, indent, last, 0);
                at.column = at.start + used;
            }
        }
    }

    /// Writes one element; its width, or the whole line's so that nothing follows a broken one.
    fn write_element(
        &self,
        out: &mut String,
        part: &Part,
        column: i64,
        indent: usize,
        closers: i64,
        used: i64,
    ) -> i64 {
        if part.is_flat() && self.fits(part.len, column, closers, used) {
            part.write_flat(out);
            part.len
        } else {
            self.write(out, part, column, indent, closers, used);
            self.width
        }
    }

    fn write_pairs(
        &self,
        out: &mut String,
        pairs: &[(Part, Part, i64)],
        start: i64,
        indent: usize,
        closers: i64,
        mut used: i64,
    ) {
        let mut column = start;
        for (i, (key, value, len)) in pairs.iter().enumerate() {
            let last = if i + 1 == pairs.len() { closers + 1 } else { 0 };
            let flat = key.is_flat() && value.is_flat();
            if i > 0 {
                out.push(',');
                if flat && self.follows(*len, column, last, used) {
                    write_pair(out, key, value);
                    column += len + 1;
                    used += len + 1;
                    continue;
                }
                new_line(out, indent);
                used = 0;
            }
            if self.fits(*len, start, last, used) {
                write_pair(out, key, value);
                used += if flat { *len } else { self.width };
            } else {
                self.write(out, key, start, indent, last, used);
                out.push_str(" =>");
                let extra = self.value_indent();
                new_line(out, indent + extra as usize);
                self.write(out, value, start + extra, indent + extra as usize, last, 0);
                used = self.width;
            }
            column = start + used;
        }
    }

    fn write_bytes(
        &self,
        out: &mut String,
        bytes: &[String],
        start: i64,
        indent: usize,
        closers: i64,
    ) {
        out.push_str("<<");
        let mut column = start;
        for (i, byte) in bytes.iter().enumerate() {
            let len = byte.len() as i64;
            let room = if i + 1 == bytes.len() { closers + 1 } else { 0 };
            if i > 0 {
                out.push(',');
                column += 1;
                if column + len + room > self.width - 2 {
                    new_line(out, indent);
                    column = start;
                }
            }
            out.push_str(byte);
            column += len;
        }
        out.push_str(">>");
    }
}

#[derive(Clone, Copy)]
struct Cursor {
    start: i64,
    column: i64,
}

fn write_pair(out: &mut String, key: &Part, value: &Part) {
    key.write_flat(out);
    out.push_str(" => ");
    value.write_flat(out);
}

fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// `term` as `~w` or `~p` would show it without a column to start from.
pub fn flat(term: &Term, style: Style) -> String {
    let mut out = String::new();
    write_term(&mut out, term, style);
    out
}
