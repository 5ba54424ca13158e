//! Places in texts: ranges of bytes. Lines and columns are computed only when a person looks (`source`).
//! A tree that was built by code has no text: its places are [`Span::NONE`], which no message points at.

/// Index of a file among those that are read together ([`crate::Sources`]).
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct FileId(pub u32);

/// A range of bytes in one file; of a language whose texts are single files, in the first.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Span {
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The place of what was never written down.
    pub const NONE: Span = Span { file: FileId(0), start: u32::MAX, end: u32::MAX };

    /// Of the only file.
    pub fn new(start: usize, end: usize) -> Span {
        Span::in_file(FileId(0), start, end)
    }

    pub fn in_file(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    pub fn is_none(self) -> bool {
        self == Span::NONE
    }

    /// The smallest range that covers both; what is in different files, or in none, does not merge, and `self` wins.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file || self.is_none() || other.is_none() {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// An empty range just after this one.
    #[must_use]
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The range, cut to a text and to whole characters.
    pub fn within(self, text: &str) -> std::ops::Range<usize> {
        let clip = |at: u32| {
            let at = (at as usize).min(text.len());
            (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
        };
        clip(self.start)..clip(self.end.max(self.start))
    }

    /// What stands there.
    ///
    /// ```
    /// assert_eq!(foresee_text::Span::new(1, 3).text("abcd"), "bc");
    /// ```
    pub fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_different_files_and_of_none_do_not_merge() {
        let here = Span::in_file(FileId(0), 3, 5);
        assert_eq!(here.to(Span::in_file(FileId(1), 0, 9)), here);
        assert_eq!(here.to(Span::NONE), here);
        assert_eq!(Span::NONE.to(here), Span::NONE);
        assert_eq!(here.to(Span::new(8, 9)), Span::new(3, 9));
    }

    #[test]
    fn a_range_is_cut_to_whole_characters_of_its_text() {
        assert_eq!(Span::new(2, 99).within("aé\nbc\n"), 1..7);
        assert_eq!(Span::NONE.within("ab"), 2..2);
    }
}
