//! Mistakes in a text other than Erlang (a specification, a transition system, a formula), in the door's words.
//! The crates that read such texts say what is wrong as ranges of bytes or as lines; here the ranges become places that a
//! person can find, with the source beside them.

use crate::{Code, Diagnostic, Excerpt, Mark};
use std::ops::Range;
use std::sync::Arc;

/// More of a text than this is not kept for excerpts: a file of transitions may be larger than memory should be.
const EXCERPT_MAX: usize = 16 << 20;

/// A text with the name under which the user knows it: a path, or the flag that it was typed after.
#[derive(Clone, Debug)]
pub(crate) struct NamedText {
    pub(crate) name: String,
    pub(crate) text: Arc<str>,
}

impl NamedText {
    pub(crate) fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        NamedText { name: name.into(), text: text.into() }
    }

    /// What is wrong with a specification, all of it.
    pub(crate) fn of_algebra(&self, news: &[foresee_algebra::Diagnostic]) -> Diagnostic {
        let all = news.iter().map(|one| self.one_of_algebra(one));
        Diagnostic::all(all).unwrap_or_else(|| unexplained(&self.name))
    }

    pub(crate) fn one_of_algebra(&self, news: &foresee_algebra::Diagnostic) -> Diagnostic {
        let main = (news.span, String::new(), true);
        let others = news.secondary.iter().map(|(span, text)| (*span, text.clone(), false));
        let marks = std::iter::once(main).chain(others).filter_map(|(span, label, is_main)| {
            let has_place = span != foresee_algebra::Span::NONE;
            let range = span.start as usize..span.end as usize;
            has_place.then(|| Mark { range: self.within(range), label, is_main })
        });
        let help =
            if news.help.is_empty() { usual_help(news.code.0) } else { news.help.join("\n") };
        self.diagnostic(news.code.0, &news.message, marks.collect(), help)
    }

    /// What is wrong with a formula or a file of transitions.
    pub(crate) fn of_logic(&self, news: &foresee_logic::Diagnostic) -> Diagnostic {
        let of_span = news.span.map(|span| span.start as usize..span.end as usize);
        let of_line = || news.line.map(|line| line_range(&self.text, line));
        let marks = of_span.or_else(of_line).map(|range| Mark {
            range: self.within(range),
            label: String::new(),
            is_main: true,
        });
        let help = news.help.clone().unwrap_or_else(|| usual_help(news.code.0));
        self.diagnostic(news.code.0, &news.message, marks.into_iter().collect(), help)
    }

    /// News that stops nothing, on one line: place, code, what, and what to do.
    pub(crate) fn warning(&self, news: &foresee_logic::Diagnostic) -> String {
        let place = news.span.map_or_else(
            || self.name.clone(),
            |span| self.place(self.within(span.start as usize..span.end as usize).start),
        );
        let help = news.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        format!("{place}: {}: {}{help}", news.code, news.message)
    }

    /// `name:line:column`, columns in characters.
    pub(crate) fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.name)
    }

    fn diagnostic(&self, code: &str, message: &str, marks: Vec<Mark>, help: String) -> Diagnostic {
        let code = Code::of_program(code).unwrap_or(Code::Internal);
        let location = match marks.first() {
            Some(mark) => self.place(mark.range.start),
            None => self.name.clone(),
        };
        let excerpts = if marks.is_empty() || self.text.len() > EXCERPT_MAX {
            Vec::new()
        } else {
            vec![Excerpt { path: self.name.clone(), text: Arc::clone(&self.text), marks }]
        };
        Diagnostic {
            location: Some(location),
            help: (!help.is_empty()).then_some(help),
            excerpts: excerpts.into(),
            ..Diagnostic::new(code, message)
        }
    }

    /// The range, cut to the text and to whole characters.
    fn within(&self, range: Range<usize>) -> Range<usize> {
        let clip = |at: usize| {
            let at = at.min(self.text.len());
            (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
        };
        clip(range.start)..clip(range.end.max(range.start))
    }
}

/// The bytes of a line, from 1, without its end.
fn line_range(text: &str, line: u64) -> Range<usize> {
    let before = (line.max(1) - 1) as usize;
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let line = text[start..].lines().next().unwrap_or_default();
    start..start + line.len()
}

/// What to do where the reader of a text has nothing more particular to say.
fn usual_help(code: &str) -> String {
    match code {
        "E0411" => "a formula looks like: [-* . 'use(.*)' . (not 'free(.*)')* . 'use(.*)'] false",
        "E0501" => "a specification is made of sort, func, map, var, rew, act, comm, proc and init, which is needed",
        _ => "",
    }
    .to_owned()
}

fn unexplained(name: &str) -> Diagnostic {
    Diagnostic::new(Code::Internal, "a text was refused without a reason").at(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let text = NamedText::new("a.mcrl", "aé\nbc\n");
        assert_eq!(
            (text.place(3), text.place(5)),
            ("a.mcrl:1:3".to_owned(), "a.mcrl:2:2".to_owned())
        );
        assert_eq!(text.within(2..99), 1..7);
        assert_eq!(&text.text[line_range(&text.text, 2)], "bc");
        assert_eq!(line_range(&text.text, 9), 7..7);
    }
}
