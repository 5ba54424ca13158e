//! Formulas as the user gives them: a file, a text on the command line, a pattern with arguments; and as a trace's header has them.

use crate::source::stem;
use crate::{Code, Diagnostic, Files, in_text};
use foresee_logic::formula::{Parsed, Vocabulary, parse, parse_with};
use foresee_logic::{Formula, Notation, codes, patterns};
use foresee_text::Sources;
use foresee_trace::Trace;

/// Where a formula comes from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PropertySource {
    /// A file; `.mcf` is read in mCRL2's notation.
    File(String),
    /// The text itself. Read in the paper's notation, or in mCRL2's if it is none in that.
    Formula(String),
    /// `name(argument, …)`.
    Pattern(String),
}

/// A formula that was read, and how to call it.
pub(crate) struct NamedFormula {
    /// A file's name without its ending, a pattern as it was typed, or the formula itself.
    pub(crate) name: String,
    pub(crate) source: PropertySource,
    pub(crate) formula: Formula,
    /// Its text, for messages about places in it.
    pub(crate) text: Sources,
    pub(crate) warnings: Vec<String>,
}

impl NamedFormula {
    pub(crate) fn text(&self) -> &str {
        self.formula.text()
    }

    /// The lines of a trace's header from which the formula can be read again.
    pub(crate) fn to_pairs(&self) -> Vec<(&'static str, String)> {
        match &self.source {
            PropertySource::File(path) => vec![("property", path.clone())],
            PropertySource::Pattern(typed) => vec![("pattern", typed.clone())],
            PropertySource::Formula(text) => {
                text.lines().map(|line| ("formula", line.trim().to_owned())).collect()
            }
        }
    }
}

/// The pattern of that name.
///
/// ```
/// assert_eq!(foresee_session::pattern("response").unwrap().usage(), "response(request, answer)");
/// assert!(foresee_session::pattern("responce").err().unwrap().help.unwrap().contains("response"));
/// ```
pub fn pattern(name: &str) -> Result<&'static patterns::Pattern, Diagnostic> {
    let wanted = name.split('(').next().unwrap_or_default().trim().replace('_', "-");
    patterns::ALL.iter().find(|pattern| pattern.name == wanted).ok_or_else(|| {
        let news = patterns::formula(name).expect_err("there is no such pattern");
        in_text::diagnostic(&news, &Sources::of_one("patterns", name))
    })
}

/// Reads all, and tells everything that is wrong with any of them.
pub(crate) fn read_all(
    sources: &[PropertySource],
    vocabulary: &Vocabulary,
    files: &dyn Files,
) -> Result<Vec<NamedFormula>, Box<Diagnostic>> {
    let mut formulas = Vec::new();
    let mut problems = Vec::new();
    for source in sources {
        match read(source, vocabulary, files) {
            Ok(named) => formulas.push(named),
            Err(news) => problems.extend(news),
        }
    }
    match Diagnostic::all(problems) {
        Some(diagnostic) => Err(Box::new(diagnostic)),
        None => Ok(formulas),
    }
}

/// The formula that a trace is about, if it is about one.
pub(crate) fn of_trace(
    trace: &Trace,
    vocabulary: &Vocabulary,
    files: &dyn Files,
) -> Result<Option<NamedFormula>, Diagnostic> {
    let lines = trace.options.iter().filter(|(key, _)| key == "formula");
    let text: Vec<&str> = lines.map(|(_, value)| value.as_str()).collect();
    let source = match (trace.option("property"), trace.option("pattern")) {
        (Some(path), _) => PropertySource::File(path.to_owned()),
        (_, Some(typed)) => PropertySource::Pattern(typed.to_owned()),
        _ if !text.is_empty() => PropertySource::Formula(text.join("\n")),
        _ => return Ok(None),
    };
    let mut all = read_all(&[source], vocabulary, files).map_err(|diagnostic| *diagnostic)?;
    Ok(all.pop())
}

fn read(
    source: &PropertySource,
    vocabulary: &Vocabulary,
    files: &dyn Files,
) -> Result<NamedFormula, Vec<Diagnostic>> {
    match source {
        PropertySource::File(path) => {
            let text = files.read(path).map_err(|reason| {
                let message = format!("cannot read the formula `{path}`: {reason}");
                let news = Diagnostic::new(Code::SourceNotReadable, message).at(path);
                vec![news.help("paths are relative to the current directory")]
            })?;
            let text = Sources::of_one(path, text);
            named(stem(path), source, text, Notation::of_file(path), vocabulary)
        }
        PropertySource::Formula(typed) => {
            let text = Sources::of_one("--formula", typed.as_str());
            let is_only_mcf = parse(typed, Notation::Paper).formula.is_none()
                && is_well_formed(&parse_with(typed, Notation::Mcf, &sorts_only(vocabulary)));
            let notation = if is_only_mcf { Notation::Mcf } else { Notation::Paper };
            named(on_one_line(typed), source, text, notation, vocabulary)
        }
        PropertySource::Pattern(typed) => {
            let formula = patterns::formula(typed).map_err(|news| {
                let news =
                    in_text::diagnostic(&news, &Sources::of_one("--pattern", typed.as_str()));
                vec![news.at(format!("--pattern '{typed}'"))]
            })?;
            let text = Sources::of_one("--pattern", formula);
            named(on_one_line(typed), source, text, Notation::Paper, vocabulary)
        }
    }
}

/// Whether a text is a formula in a notation, though it may name what is not there.
fn is_well_formed(parsed: &Parsed) -> bool {
    parsed.formula.is_some() || parsed.diagnostics.iter().all(|it| it.code != codes::SYNTAX)
}

fn named(
    name: String,
    source: &PropertySource,
    text: Sources,
    notation: Notation,
    vocabulary: &Vocabulary,
) -> Result<NamedFormula, Vec<Diagnostic>> {
    let parsed = parse_with(&text.files()[0].text, notation, vocabulary);
    let warned = parsed.diagnostics.iter().filter(|news| !news.is_error());
    let warnings: Vec<String> = warned.map(|news| in_text::warning(news, &text)).collect();
    match parsed.formula {
        Some(formula) => Ok(NamedFormula { name, source: source.clone(), formula, text, warnings }),
        None => {
            let errors = parsed.diagnostics.iter().filter(|news| news.is_error());
            Err(errors.map(|news| in_text::diagnostic(news, &text)).collect())
        }
    }
}

/// Enough to tell whether a text is well formed: quantifiers need their sorts. That it speaks of what is not there is told later.
fn sorts_only(vocabulary: &Vocabulary) -> Vocabulary {
    Vocabulary { actions: None, ..vocabulary.clone() }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
