//! News about a text, whatever its language, in the door's words: the same codes, with the source beside them.
//! The crates that read texts say what is wrong as ranges of bytes or as lines ([`foresee_text::Diagnostic`]); here these
//! become places that a person can find.

use crate::{Code, Diagnostic, Excerpt, Mark};
use foresee_text::{Diagnostic as News, FileId, SourceFile, Sources, Span, line_range};
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a place that are shown.
const SHOWN_MAX: usize = 4000;

/// A piece of news about these texts.
pub(crate) fn diagnostic(news: &News, sources: &Sources) -> Diagnostic {
    let code = Code::of_program(news.code.0).unwrap_or(Code::Internal);
    let help = match news.help.is_empty() {
        true => usual_help(news.code.0).to_owned(),
        false => news.help.join("\n"),
    };
    Diagnostic {
        location: Some(location(news, sources)),
        help: (!help.is_empty()).then_some(help),
        excerpts: excerpts(news, sources).into(),
        ..Diagnostic::new(code, &news.message)
    }
}

/// News that stops nothing, on one line: place, code, what, and what to do.
pub(crate) fn warning(news: &News, sources: &Sources) -> String {
    let said = std::iter::once(&news.message).chain(&news.help).map(String::as_str);
    let said: Vec<&str> = said.collect();
    format!("{}: {}: {}", location(news, sources), news.code, said.join("; "))
}

/// `path:line:column`, columns in characters; the path alone where no more is known.
fn location(news: &News, sources: &Sources) -> String {
    let file = sources.file(news.span.file);
    match (main_range(news, file), news.line) {
        (_, Some(line)) if file.text.is_empty() => format!("{}:{line}:1", file.path),
        (Some(range), _) => file.place(range.start as u32),
        (None, _) => file.path.to_string(),
    }
}

fn main_range(news: &News, file: &SourceFile) -> Option<Range<usize>> {
    match news.line {
        _ if !news.span.is_none() => Some(news.span.within(&file.text)),
        line => line.map(|line| line_range(&file.text, line)),
    }
}

/// One excerpt for each file that has a part in it, the main one first.
fn excerpts(news: &News, sources: &Sources) -> Vec<Excerpt> {
    let mut found: Vec<(FileId, Excerpt)> = Vec::new();
    let mut add = |id: FileId, range: Range<usize>, label: &str, is_main: bool| {
        let file = sources.file(id);
        if file.text.is_empty() {
            return;
        }
        let mark = Mark { range: shortened(&file.text, range), label: label.to_owned(), is_main };
        match found.iter_mut().find(|(known, _)| *known == id) {
            Some((_, excerpt)) => excerpt.marks.push(mark),
            None => found.push((id, excerpt(file, mark))),
        }
    };
    let Span { file, .. } = news.span;
    if let Some(range) = main_range(news, sources.file(file)) {
        add(file, range, &news.label, true);
    }
    for other in news.secondary.iter().filter(|other| !other.span.is_none()) {
        let range = other.span.within(&sources.file(other.span.file).text);
        add(other.span.file, range, &other.message, false);
    }
    found.into_iter().map(|(_, excerpt)| excerpt).collect()
}

pub(crate) fn excerpt(file: &SourceFile, mark: Mark) -> Excerpt {
    Excerpt { path: file.path.to_string(), text: Arc::clone(&file.text), marks: vec![mark] }
}

/// A place that can be shown: of one that is very long, its beginning.
fn shortened(text: &str, range: Range<usize>) -> Range<usize> {
    if range.len() <= SHOWN_MAX {
        return range;
    }
    let end = (range.start..range.start + SHOWN_MAX).rev().find(|at| text.is_char_boundary(*at));
    range.start..end.unwrap_or(range.end)
}

/// What to do where the reader of a text has nothing more particular to say.
fn usual_help(code: &str) -> &'static str {
    match code {
        "E0411" => "a formula looks like: [-* . 'use(.*)' . (not 'free(.*)')* . 'use(.*)'] false",
        "E0501" => {
            "a specification is made of sort, func, map, var, rew, act, comm, proc and init, which is needed"
        }
        _ => "",
    }
}

/// Everything that is wrong with a text that could not be read.
#[cfg(feature = "languages")]
pub(crate) fn all(news: &[News], sources: &Sources) -> Diagnostic {
    let unexplained = || {
        let path = sources.files().first().map_or("", |file| &file.path);
        Diagnostic::new(Code::Internal, "a text was refused without a reason").at(path)
    };
    let all = news.iter().map(|one| diagnostic(one, sources));
    Diagnostic::all(all).unwrap_or_else(unexplained)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_range_and_by_line() {
        let sources = Sources::of_one("a.mcrl", "aé\nbc\n");
        let code = foresee_text::Code("E0502");
        let at = |span| diagnostic(&News::error(code, span, "wrong"), &sources);
        assert_eq!(at(Span::new(5, 6)).location.as_deref(), Some("a.mcrl:2:2"));
        assert_eq!(at(Span::new(2, 99)).excerpts[0].marks[0].range, 1..7);
        let none = at(Span::NONE);
        assert_eq!((none.location.as_deref(), none.excerpts.len()), (Some("a.mcrl"), 0));
        let line = diagnostic(&News::error(code, Span::NONE, "wrong").on_line(2), &sources);
        assert_eq!(line.location.as_deref(), Some("a.mcrl:2:1"));
        assert_eq!(line.excerpts[0].marks[0].range, 4..6);
    }
}
