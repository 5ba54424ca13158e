//! `~p`: as much as fits on a line, compound elements on lines of their own, the elements of a tagged tuple under the
//! second one.
//! The layout is that of Erlang's own pretty printer, described here in our words. A first pass (`measure`) takes a term
//! apart and measures every part, with `...` beyond a depth or a number of characters; then, from the outside in, a
//! part that fits the rest of its line is written flat, and one that does not is broken between elements (`layout`).
//! Tagged tuples indent by the length of their tag unless that would leave less than half a line somewhere, then by 4,
//! then by 1.

mod layout;
mod measure;

use super::Term;
use super::print::Style;
use layout::Layout;
use measure::{Part, measure};

/// Where and how much to print. Limits below zero are none.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Where the text starts, counted from 1.
    pub column: i64,
    /// The length of lines; 0 puts all on one.
    pub width: i64,
    /// Deeper terms are shown as `...`.
    pub depth: i64,
    /// About so many characters in all.
    pub chars: i64,
}

impl Default for Page {
    fn default() -> Self {
        Page { column: 1, width: 80, depth: -1, chars: -1 }
    }
}

/// The text of `term`.
pub fn pretty(term: &Term, page: Page, style: Style) -> String {
    if page.depth == 0 || page.chars == 0 {
        return "...".to_owned();
    }
    let is_deep = page.depth < 0 && super::deep::is_deeper(term, super::deep::DONE_MAX);
    let depth = if is_deep { super::deep::DONE_MAX as i64 } else { page.depth };
    let part = limited(term, depth, page.chars, style);
    if part.is_flat() || page.width == 0 {
        return part.flat();
    }
    Layout::text(&part, page.column.max(1), page.width)
}

/// The text of `term` on one line, of about so many characters.
pub fn flat_limited(term: &Term, depth: i64, chars: i64, style: Style) -> String {
    if depth == 0 || chars == 0 {
        return "...".to_owned();
    }
    limited(term, depth, chars, style).flat()
}

/// The parts of a term. With a limit of characters the depth is the largest that keeps to it: found by doubling, then
/// by halving.
fn limited(term: &Term, depth: i64, chars: i64, style: Style) -> Part {
    let at = |depth: i64| measure(term, depth, chars, style);
    if chars < 0 {
        return at(depth);
    }
    let mut lower = at(1);
    if lower.dots == 0 || lower.len > chars || depth == 1 {
        return lower;
    }
    let (mut low, mut step) = (1, 2);
    loop {
        step *= 2;
        let high = if depth < 0 { low + step } else { depth.min(low + step) };
        let upper = at(high);
        if upper.dots == 0 || upper.len == lower.len {
            return upper;
        }
        if upper.len > chars || (depth >= 0 && high >= depth) {
            return between(at, (low, lower), (high, upper), chars);
        }
        (low, lower) = (high, upper);
    }
}

fn between(at: impl Fn(i64) -> Part, low: (i64, Part), high: (i64, Part), chars: i64) -> Part {
    let ((mut low, mut lower), (mut high, mut upper)) = (low, high);
    while high - low > 1 {
        let middle = (low + high) / 2;
        let part = at(middle);
        if part.len > chars {
            (high, upper) = (middle, part);
        } else {
            (low, lower) = (middle, part);
        }
    }
    if lower.len == chars { lower } else { upper }
}
