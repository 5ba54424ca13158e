//! Texts, and where their lines start.
//! Why: every token, tree node and diagnostic says where it comes from. A span is three words and `Copy`; lines and columns
//! are computed only when a person looks.
//! Not here: reading files. The edge passes text in and resolves includes.

use crate::{FileId, Span};
use std::ops::Range;
use std::sync::Arc;

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

    /// The line of a byte, from 1; 0 where there is no text.
    pub fn line_at(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    /// The line of the start of `span`, from 1; `None` where there is no text.
    pub fn line(&self, span: Span) -> Option<u32> {
        (!span.is_none() && !self.starts.is_empty()).then(|| self.line_at(span.start))
    }

    /// Line and column (in characters) of a byte of `text`, both from 1.
    pub fn line_column(&self, text: &str, offset: u32) -> (u32, u32) {
        let line = self.line_at(offset);
        let start = self.starts[line as usize - 1] as usize;
        let before = text.get(start..offset as usize).unwrap_or("");
        (line, before.chars().count() as u32 + 1)
    }
}

/// One source file: its path as the edge named it, its text, and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As given; used in messages.
    pub path: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    lines: Lines,
}

impl SourceFile {
    /// Indexes the lines of `text`.
    pub fn new(path: &str, text: impl Into<Arc<str>>) -> SourceFile {
        let text = text.into();
        SourceFile { path: path.into(), lines: Lines::new(&text), text }
    }

    /// Line number, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.lines.line_at(offset)
    }

    /// Line and column in characters, both from 1.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        self.lines.line_column(&self.text, offset)
    }

    /// `path:line:column` of a byte.
    pub fn place(&self, offset: u32) -> String {
        let (line, column) = self.line_column(offset);
        format!("{}:{line}:{column}", self.path)
    }
}

/// All files that were read together: the main one first, then its includes in order of reading.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// A text that is in one file.
    pub fn of_one(path: &str, text: impl Into<Arc<str>>) -> Sources {
        Sources { files: vec![SourceFile::new(path, text)] }
    }

    /// Adds a file and returns its id.
    pub fn add(&mut self, path: &str, text: &str) -> FileId {
        self.files.push(SourceFile::new(path, text));
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of an id handed out by [`Sources::add`].
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files in order.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Line of the first byte of a span, from 1.
    pub fn line(&self, span: Span) -> u32 {
        self.file(span.file).line(span.start)
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        span.text(&self.file(span.file).text)
    }

    /// `path:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        self.file(span.file).place(span.start)
    }
}

/// The bytes of a line, from 1, without its end; of a line that is not there, the end of the text.
///
/// ```
/// assert_eq!(foresee_text::line_range("ab\ncd\n", 2), 3..5);
/// ```
pub fn line_range(text: &str, line: u64) -> Range<usize> {
    let before = usize::try_from(line.max(1) - 1).unwrap_or(usize::MAX);
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let line = text[start..].lines().next().unwrap_or_default();
    start..start + line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let file = SourceFile::new("a.erl", "aé\nb");
        assert_eq!(file.line_column(0), (1, 1));
        assert_eq!(file.line_column(3), (1, 3));
        assert_eq!(file.line_column(4), (2, 1));
        assert_eq!(file.place(4), "a.erl:2:1");
        let lines = Lines::new("a\nb");
        assert_eq!((lines.line(Span::new(2, 3)), lines.line(Span::NONE)), (Some(2), None));
        assert_eq!(Lines::default().line(Span::new(0, 1)), None);
    }

    #[test]
    fn a_line_that_is_not_there_is_the_end_of_the_text() {
        assert_eq!(line_range("ab\n", 9), 3..3);
        assert_eq!(line_range("", 1), 0..0);
    }
}
