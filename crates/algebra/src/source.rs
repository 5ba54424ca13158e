//! Places in a specification's text: byte ranges, and lines and columns when a person looks.
//! Trees built by code have no text; their places are [`Span::NONE`], which no message points at.

/// A range of bytes in the text.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The place of what was never written down.
    pub const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest range that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self == Span::NONE || other == Span::NONE {
            return self;
        }
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl Default for Span {
    fn default() -> Self {
        Span::NONE
    }
}

/// Where the lines of a text start.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub fn new(text: &str) -> Lines {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines { starts: std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect() }
    }

    /// The line of the start of `span`, from 1; `None` where there is no text.
    pub fn line(&self, span: Span) -> Option<u32> {
        let has_text = span != Span::NONE && !self.starts.is_empty();
        has_text.then(|| self.starts.partition_point(|start| *start <= span.start) as u32)
    }

    /// Line and column (in characters) of the start of `span` in `text`, both from 1.
    pub fn line_column(&self, text: &str, span: Span) -> Option<(u32, u32)> {
        let line = self.line(span)?;
        let start = self.starts[line as usize - 1] as usize;
        let before = text.get(start..span.start as usize).unwrap_or("");
        Some((line, before.chars().count() as u32 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let text = "aé\nb";
        let lines = Lines::new(text);
        assert_eq!(lines.line_column(text, Span::new(3, 4)), Some((1, 3)));
        assert_eq!(lines.line_column(text, Span::new(4, 5)), Some((2, 1)));
        assert_eq!(lines.line(Span::NONE), None);
    }
}
