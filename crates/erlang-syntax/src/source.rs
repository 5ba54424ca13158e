//! Places in source text: files, byte spans, lines and columns.
//! Why: every token, tree node and diagnostic says where it comes from. A span is three words and `Copy`; lines
//! and columns are computed only when a person looks.
//! Invariant: tokens that come out of a macro's body carry the span of the macro's *use* (the outermost one), as
//! Erlang reports them; where the body was written is kept beside, in [`crate::Expansion`].
//! Not here: reading files. The edge passes text in and resolves includes.

use std::sync::Arc;

/// Index of a file in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end` in `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both; spans of different files do not merge and `self` wins.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// An empty span just after this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// One source file: its path as the edge named it, its text, and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path as given; used in messages and by `?FILE`.
    pub path: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Indexes the lines of `text`.
    pub fn new(path: &str, text: &str) -> SourceFile {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        SourceFile { path: path.into(), text: text.into(), line_starts }
    }

    /// Line number, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    /// Line and column in characters, both from 1.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.line_starts[line as usize - 1] as usize;
        let before = self.text.get(start..offset as usize).unwrap_or("");
        (line, before.chars().count() as u32 + 1)
    }
}

/// All files that took part in one parse: the module first, then its includes in order of reading.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
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
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// `path:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        let file = self.file(span.file);
        let (line, column) = file.line_column(span.start);
        format!("{}:{line}:{column}", file.path)
    }
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
    }

    #[test]
    fn spans_of_different_files_do_not_merge() {
        let here = Span::new(FileId(0), 3, 5);
        assert_eq!(here.to(Span::new(FileId(1), 0, 9)), here);
        assert_eq!(here.to(Span::new(FileId(0), 8, 9)), Span::new(FileId(0), 3, 9));
    }
}
