//! Where lines break. The same walk is made twice: first only to see whether a way to indent leaves room everywhere,
//! then to write. Names: `column` counts from 1; `closers` is the number of closing brackets that must still fit on the
//! line after a part; `used` is what the line holds already apart from its indentation.

use super::measure::{Pair, Part, Parts, Rest, Shape};

pub(super) struct Layout<'o> {
    width: i64,
    /// The length of the whole term on one line: no line gets longer than that.
    total: i64,
    /// How tagged tuples indent: -1 by their tag, else by so much.
    tag_indent: i64,
    /// Where to write; nothing is written while trying.
    out: Option<&'o mut String>,
    /// Whether this way to indent leaves at least half a line.
    good: bool,
}

/// A place on a line: where the elements of this level start, where the next one would, how many spaces go before
/// the former.
#[derive(Clone, Copy)]
struct Cursor {
    start: i64,
    column: i64,
    indent: i64,
}

impl Layout<'_> {
    pub(super) fn text(part: &Part, column: i64, width: i64) -> String {
        if part.len < width - column {
            return part.flat();
        }
        let leaves_room = |tag_indent: i64| {
            let mut layout = Layout { width, total: part.len, tag_indent, out: None, good: true };
            layout.part(part, column, column - 1, 0, 0);
            layout.good
        };
        let tag_indent = [-1, 4].into_iter().find(|indent| leaves_room(*indent)).unwrap_or(1);
        let mut out = String::new();
        let mut layout =
            Layout { width, total: part.len, tag_indent, out: Some(&mut out), good: true };
        layout.part(part, column, column - 1, 0, 0);
        out
    }

    fn is_trying(&self) -> bool {
        self.out.is_none()
    }

    fn push(&mut self, text: &str) {
        if let Some(out) = &mut self.out {
            out.push_str(text);
        }
    }

    fn new_line(&mut self, indent: i64) {
        if let Some(out) = &mut self.out {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent as usize));
        }
    }

    fn fits(&self, len: i64, column: i64, closers: i64, used: i64) -> bool {
        len < self.width - column - closers && len + used + closers <= self.total
    }

    /// Whether something of `len` goes on the line after a comma; if it is not the last, another comma must fit too.
    fn follows(&self, len: i64, column: i64, closers: i64, used: i64) -> bool {
        let after = closers.max(1);
        len + 1 < self.width - column - after && used + len + 1 + after <= self.total
    }

    fn part(&mut self, part: &Part, column: i64, indent: i64, closers: i64, used: i64) {
        if self.fits(part.len, column, closers, used) {
            if let Some(out) = &mut self.out {
                part.write_flat(out);
            }
            return;
        }
        let inside = Cursor { start: column + 1, column: column + 1, indent: indent + 1 };
        match &part.shape {
            Shape::Flat(text) => self.push(text),
            Shape::List(parts) => {
                self.push("[");
                self.elements(&parts.elements, &parts.rest, inside, closers, used + 1, "|");
                self.push("]");
            }
            Shape::Tuple(parts) => {
                self.push("{");
                self.elements(&parts.elements, &parts.rest, inside, closers, used + 1, ",");
                self.push("}");
            }
            Shape::Tagged(parts) => {
                self.push("{");
                self.tagged(parts, column, indent, closers, used + 1);
                self.push("}");
            }
            Shape::Map { pairs, cut } => {
                self.push("#{");
                let used = used + if self.is_trying() { 2 } else { 1 };
                let inside = Cursor { start: column + 2, column: column + 2, indent: indent + 2 };
                self.pairs(pairs, *cut, inside, closers, used);
                self.push("}");
            }
            Shape::Binary(bytes) => self.bytes(bytes, column + 2, indent + 2, closers, used),
        }
    }

    fn tagged(&mut self, parts: &Parts, column: i64, indent: i64, closers: i64, used: i64) {
        let Some((tag, elements)) = parts.elements.split_first() else {
            return self.push("...");
        };
        if let Some(out) = &mut self.out {
            tag.write_flat(out);
        }
        let by_tag = tag.len + 2;
        let after_tag = column + by_tag;
        if self.tag_indent > 0 && by_tag > self.tag_indent {
            let start = column + self.tag_indent;
            self.good &= self.total + start <= self.width || start <= self.width / 2;
            let at = Cursor { start, column: after_tag, indent: indent + self.tag_indent };
            self.more(elements, &parts.rest, at, closers, used + tag.len, ",");
        } else {
            self.good &= self.total + after_tag < self.width || after_tag < self.width / 2;
            self.push(",");
            let at = Cursor { start: after_tag, column: after_tag, indent: indent + by_tag };
            self.elements(elements, &parts.rest, at, closers, used + tag.len + 1, ",");
        }
    }

    /// The elements of a list or tuple, from the first.
    fn elements(
        &mut self,
        elements: &[Part],
        rest: &Rest,
        mut at: Cursor,
        closers: i64,
        used: i64,
        before_rest: &str,
    ) {
        let Some((first, others)) = elements.split_first() else {
            return self.push("...");
        };
        let last = if others.is_empty() { closers + 1 } else { 0 };
        let width = self.element(first, at, last, used);
        at.column = at.start + width;
        self.more(others, rest, at, closers, used + width, before_rest);
    }

    /// The elements after the first, and what follows them.
    fn more(
        &mut self,
        elements: &[Part],
        rest: &Rest,
        mut at: Cursor,
        closers: i64,
        mut used: i64,
        before_rest: &str,
    ) {
        for (i, part) in elements.iter().enumerate() {
            let last = if i + 1 == elements.len() { closers + 1 } else { 0 };
            self.push(",");
            if part.is_flat() && self.follows(part.len, at.column, last, used) {
                if let Some(out) = &mut self.out {
                    part.write_flat(out);
                }
                at.column += part.len + 1;
                used += part.len + 1;
            } else {
                self.new_line(at.indent);
                used = self.element(part, at, last, 0);
                at.column = at.start + used;
            }
        }
        match rest {
            Rest::Nothing => {}
            Rest::Cut => {
                self.push(before_rest);
                self.push("...");
            }
            Rest::Improper(part) => {
                self.push(before_rest);
                if part.is_flat() && self.fits(part.len + 1, at.column, closers + 1, used) {
                    if let Some(out) = &mut self.out {
                        part.write_flat(out);
                    }
                } else {
                    self.new_line(at.indent);
                    let column = if self.is_trying() { at.column } else { at.start };
                    self.part(part, column, at.indent, closers + 1, 0);
                }
            }
        }
    }

    /// One element; its width, or the whole line's so that nothing follows a broken one.
    fn element(&mut self, part: &Part, at: Cursor, closers: i64, used: i64) -> i64 {
        let stays = part.is_flat() && self.fits(part.len, at.start, closers, used);
        self.part(part, at.start, at.indent, closers, used);
        if stays { part.len } else { self.width }
    }

    fn pairs(&mut self, pairs: &[Pair], cut: bool, mut at: Cursor, closers: i64, mut used: i64) {
        for (i, pair) in pairs.iter().enumerate() {
            let last = if i + 1 == pairs.len() { closers + 1 } else { 0 };
            if i > 0 {
                self.push(",");
                if pair.is_flat() && self.follows(pair.len, at.column, last, used) {
                    if let Some(out) = &mut self.out {
                        pair.write_flat(out);
                    }
                    at.column += pair.len + 1;
                    used += pair.len + 1;
                    continue;
                }
                self.new_line(at.indent);
            }
            let before = if i > 0 { 0 } else { used };
            let width = self.pair(pair, at, last, before);
            at.column = at.start + width;
            used = if i == 0 && self.is_trying() { used + width } else { width };
        }
        if cut {
            self.push(if pairs.is_empty() { "..." } else { ",..." });
        }
    }

    fn pair(&mut self, pair: &Pair, at: Cursor, closers: i64, used: i64) -> i64 {
        if self.fits(pair.len, at.start, closers, used) {
            if let Some(out) = &mut self.out {
                pair.write_flat(out);
            }
            return if pair.is_flat() { pair.len } else { self.width };
        }
        self.part(&pair.key, at.start, at.indent, closers, used);
        self.push(" =>");
        let more = if self.tag_indent > 0 { self.tag_indent } else { 4 };
        self.new_line(at.indent + more);
        self.part(&pair.value, at.start + more, at.indent + more, closers, 0);
        self.width
    }

    fn bytes(&mut self, bytes: &[String], column: i64, indent: i64, closers: i64, used: i64) {
        let room = (self.width - column).min(self.total - 4 - used) - closers;
        let room = room.max(8);
        let mut left = room;
        self.push("<<");
        for (i, byte) in bytes.iter().enumerate() {
            let is_last = i + 1 == bytes.len();
            let len = byte.len() as i64 + i64::from(!is_last);
            if len > left {
                self.new_line(indent);
                left = room;
            }
            left -= len;
            self.push(byte);
            self.push(if is_last { "" } else { "," });
        }
        self.push(">>");
    }
}
