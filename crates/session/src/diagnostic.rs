//! Diagnostics: what is wrong with what the user gave us, as data.
//! Why: the same news is printed, put into JSON, and looked up with `foresee explain`. So each kind of news has one row
//! in [`DIAGNOSTICS`] (code, title, page), and everything else refers to the row.
//! Invariant: one row per [`Code`], in the order of the codes; each page starts with its code and title (tested below).
//! Not here: verdicts about the checked system (`report`), and how any of it is printed (`cli`).

use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// Something that kept us from doing what was asked: what, where, and what to do.
///
/// ```
/// use foresee_session::{Code, Diagnostic};
/// let news = Diagnostic::new(Code::UnknownSystem, "there is no system `pong`").help("did you mean `ping`?");
/// assert_eq!(news.to_string(), "error[E0001]: there is no system `pong`\n  help: did you mean `ping`?");
/// ```
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Diagnostic {
    pub code: Code,
    pub message: String,
    /// A file, a line of a file, a parameter, a property: whatever the user can find again.
    pub location: Option<String>,
    pub help: Option<String>,
    /// The source it is about, for those who can show it.
    #[serde(skip)]
    pub excerpts: Box<[Excerpt]>,
    /// The calls that lead there, outermost first, where it is known only from a run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// What else is wrong: a text is read to its end, and everything that is wrong with it is told at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Diagnostic>,
}

/// A text and the places in it that matter.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Excerpt {
    pub path: String,
    pub text: Arc<str>,
    pub marks: Vec<Mark>,
}

/// A place in a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mark {
    /// In bytes.
    pub range: Range<usize>,
    pub label: String,
    /// What it is about, not only what has to do with it.
    pub is_main: bool,
}

impl Diagnostic {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            location: None,
            help: None,
            excerpts: Box::default(),
            path: Vec::new(),
            also: Vec::new(),
        }
    }

    /// Several at once: the first, with the others beside it; `None` if there are none.
    pub fn all(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Option<Diagnostic> {
        let mut diagnostics = diagnostics.into_iter();
        let mut first = diagnostics.next()?;
        first.also.extend(diagnostics);
        Some(first)
    }

    /// A flag, or what it asks for, means nothing here.
    ///
    /// ```
    /// use foresee_session::Diagnostic;
    /// let refused = Diagnostic::does_not_apply("--loss", "a model has no network");
    /// assert_eq!(refused.message, "--loss does not apply: a model has no network");
    /// ```
    pub fn does_not_apply(flag: &str, why: &str) -> Self {
        Diagnostic::new(Code::OptionDoesNotApply, format!("{flag} does not apply: {why}"))
            .at(flag)
            .help("leave it out")
    }

    #[must_use]
    pub fn at(mut self, location: impl Into<String>) -> Self {
        self.location = Some(location.into());
        self
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}", self.code, self.message)?;
        if let Some(location) = &self.location {
            write!(f, "\n  at: {location}")?;
        }
        for call in &self.path {
            write!(f, "\n  by way of {call}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// Every kind of diagnostic.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Code {
    UnknownSystem,
    UnknownParameter,
    BadParameterValue,
    UnknownProperty,
    UnknownNode,
    SystemNotBuilt,
    OptionDoesNotApply,
    NoSuchStart,
    SourceNotReadable,
    TraceNotReadable,
    TraceDamaged,
    TraceOfOtherSystem,
    TraceNoLongerApplies,
    FileNotWritten,
    UnknownExport,
    NotAModel,
    UnknownGuide,
    NoNewCrate,
    NondeterministicCode,
    PropertyPanicked,
    MemoryExhausted,
    PeersFile,
    CannotListen,
    PeerRefuses,
    HistoryFile,
    RecordFile,
    FaultScript,
    StableStorage,
    ClusterFailed,
    /// A certificate or its key is not usable.
    Certificates,
    DirectoryInUse,
    NothingToResume,
    SearchInTheWay,
    OtherSearch,
    SegmentDamaged,
    DirectoryNotUsable,
    /// Components and memo tables alone take the memory that is allowed.
    ComponentsExceedMemory,
    HostsFile,
    ProcessUnreachable,
    ProcessDiffers,
    ProcessLost,
    UnknownCode,
    Internal,
    /// One about a text in a language of its own (Erlang, muCRL, formulas, `.aut`), by its number: 110 is `E0110`.
    Program(u16),
}

/// A row of the table of diagnostics.
#[derive(Debug)]
pub struct About {
    pub code: Code,
    /// `E0001`: what is printed and what `foresee explain` takes.
    pub id: &'static str,
    pub title: &'static str,
    /// The page that explains it, as Markdown.
    pub page: &'static str,
}

macro_rules! rows {
    ($($code:ident $id:literal $title:literal),* $(,)?) => {
        &[$(About {
            code: Code::$code,
            id: $id,
            title: $title,
            page: include_str!(concat!("../../../docs/diagnostics/", $id, ".md")),
        }),*]
    };
}

/// Every diagnostic of the door. 000x: naming what to check; 001x: traces and files; 002x: the checked code makes checking
/// impossible; 003x: running for real; 005x: searches on disk; 006x: searches by several processes; 009x: the tool itself. 01xx–03xx are those of Erlang programs, 04xx of transition systems and formulas, 05xx of
/// specifications, 06xx of translations: the crates that read such texts have them.
pub static DIAGNOSTICS: &[About] = rows![
    UnknownSystem "E0001" "there is no such system",
    UnknownParameter "E0002" "the system has no such parameter",
    BadParameterValue "E0003" "a parameter's value is not acceptable",
    UnknownProperty "E0004" "the system has no such property",
    UnknownNode "E0005" "the system has no such node",
    SystemNotBuilt "E0006" "the system could not be built",
    OptionDoesNotApply "E0007" "an option does not apply to this system",
    NoSuchStart "E0008" "there is no such function to start with",
    SourceNotReadable "E0009" "a source file cannot be read",
    TraceNotReadable "E0011" "the trace file cannot be read",
    TraceDamaged "E0012" "the trace file is damaged",
    TraceOfOtherSystem "E0013" "the trace belongs to a system this binary does not have",
    TraceNoLongerApplies "E0014" "the trace no longer applies",
    FileNotWritten "E0015" "a file or standard output was not written",
    UnknownExport "E0016" "there is no such export of this run",
    NotAModel "E0017" "this is not a model in a file",
    UnknownGuide "E0018" "the system has no such guide",
    NoNewCrate "E0019" "a new crate cannot be made like this",
    NondeterministicCode "E0021" "the checked code is not deterministic",
    PropertyPanicked "E0022" "a property panicked",
    MemoryExhausted "E0023" "memory ran out under --memory-max",
    PeersFile "E0031" "the peers file is not usable",
    CannotListen "E0032" "nobody can listen there",
    PeerRefuses "E0033" "a peer refuses to talk",
    HistoryFile "E0034" "the history file is not usable",
    RecordFile "E0035" "a record of a run is not usable",
    FaultScript "E0036" "the script of faults is not usable",
    StableStorage "E0038" "the stable storage of a node is not usable",
    ClusterFailed "E0039" "a process of a cluster has ended by itself",
    Certificates "E0040" "a certificate or its key is not usable",
    DirectoryInUse "E0051" "another run is using the directory",
    NothingToResume "E0052" "there is no search to resume there",
    SearchInTheWay "E0053" "there is a search in the directory already",
    OtherSearch "E0054" "the search on disk is one of something else",
    SegmentDamaged "E0055" "a file of a search on disk is damaged",
    DirectoryNotUsable "E0056" "the directory for a search is not usable",
    ComponentsExceedMemory "E0057" "components alone take the memory that is allowed",
    HostsFile "E0061" "the hosts file is not usable",
    ProcessUnreachable "E0062" "a process of the search cannot be reached",
    ProcessDiffers "E0063" "processes do not search the same",
    ProcessLost "E0064" "a process of the search is lost",
    UnknownCode "E0091" "there is no such diagnostic",
    Internal "E0092" "an error in Foresee itself",
];

/// The pages of what can be wrong with a text that is checked, in the order of their codes.
macro_rules! pages {
    ($($id:literal)*) => {
        &[$(($id, include_str!(concat!("../../../docs/diagnostics/", $id, ".md")))),*]
    };
}

static PROGRAM_PAGES: &[(&str, &str)] = pages![
    "E0101" "E0102" "E0103" "E0104" "E0105" "E0106" "E0110" "E0111" "E0112" "E0113" "E0114" "E0115" "E0116"
    "E0117" "E0118" "E0119" "E0120" "E0121" "E0122" "E0123" "E0124" "E0125" "E0126" "E0127" "E0128" "E0129"
    "E0130" "E0132" "E0133" "E0134" "E0135" "E0136" "E0137" "E0150" "E0151" "E0152" "E0153" "E0154" "E0155" "E0156"
    "E0157" "E0158" "E0159" "E0161" "E0201" "E0202" "E0203" "E0204" "E0301" "E0302" "E0303" "E0304" "E0305"
    "E0401" "E0402" "E0403" "E0404" "E0405" "E0406" "E0411" "E0412" "E0413" "E0414" "E0415" "E0416" "E0417"
    "E0418" "E0419" "E0420" "E0421" "E0422" "E0423" "E0424" "E0425" "E0426" "E0441" "E0442"
    "E0501" "E0502" "E0503" "E0504" "E0505" "E0506" "E0507" "E0508" "E0509" "E0510" "E0511" "E0512" "E0513"
    "E0601" "E0602" "E0603" "E0604" "E0605" "E0606" "E0607" "E0608" "E0609" "E0610"
];

static PROGRAM_DIAGNOSTICS: LazyLock<Vec<About>> = LazyLock::new(|| {
    let about = |(id, page): &(&'static str, &'static str)| {
        let first = page.lines().next().unwrap_or_default();
        let title = first.split_once(": ").map_or(first, |(_, title)| title);
        About { code: Code::Program(number_of(id)), id, title, page }
    };
    PROGRAM_PAGES.iter().map(about).collect()
});

fn number_of(id: &str) -> u16 {
    id.trim_start_matches('E').parse().unwrap_or(0)
}

/// Every diagnostic that can be explained: those of the door, then those of programs.
pub fn all_diagnostics() -> impl Iterator<Item = &'static About> {
    DIAGNOSTICS.iter().chain(PROGRAM_DIAGNOSTICS.iter())
}

impl Code {
    /// The code of a program's diagnostic, if there is a page about it.
    pub fn of_program(id: &str) -> Option<Code> {
        let is_known = PROGRAM_PAGES.iter().any(|(known, _)| *known == id);
        is_known.then(|| Code::Program(number_of(id)))
    }

    /// The row of the table.
    pub fn about(self) -> &'static About {
        all_diagnostics().find(|about| about.code == self).expect("every code has a row")
    }

    /// `E0001`.
    pub fn id(self) -> &'static str {
        self.about().id
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// The row for what the user typed: `E0001`, `e0001`, `1`.
///
/// ```
/// use foresee_session::explain;
/// assert_eq!(explain("e0001").unwrap().title, "there is no such system");
/// assert!(explain("E0010").unwrap_err().help.unwrap().contains("E00"));
/// ```
pub fn explain(typed: &str) -> Result<&'static About, Diagnostic> {
    let digits = typed.trim().trim_start_matches(['E', 'e']);
    let wanted = format!("E{digits:0>4}");
    if let Some(about) = all_diagnostics().find(|about| about.id == wanted) {
        return Ok(about);
    }
    let ids: Vec<_> = all_diagnostics().map(|about| about.id).collect();
    let help = match crate::nearest::nearest(&wanted, &ids) {
        Some(id) => format!("the nearest is {id}: foresee explain {id}"),
        None => format!("there are: {}", ids.join(", ")),
    };
    Err(Diagnostic::new(Code::UnknownCode, format!("there is no diagnostic `{typed}`")).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_starts_with_its_code_and_title_and_says_what_to_do() {
        for about in DIAGNOSTICS {
            let first = about.page.lines().next().unwrap_or_default();
            assert_eq!(first, format!("# {}: {}", about.id, about.title));
            for heading in ["## What happened", "## What to do"] {
                assert!(about.page.contains(heading), "{}: {heading}", about.id);
            }
        }
    }

    /// The front end's own lists of codes are the pages that can be explained.
    #[cfg(feature = "languages")]
    #[test]
    fn every_code_of_a_program_has_its_page() {
        let syntax = foresee_erlang_syntax::ALL_CODES.iter();
        let codes = syntax
            .chain(foresee_erlang::CODES)
            .chain(foresee_erlang::RUN_CODES)
            .chain(foresee_erlang::LOAD_CODES);
        let logic = foresee_logic::codes::ALL_CODES.iter();
        for (code, title) in logic.clone() {
            let page = Code::of_program(code.0).expect("a page").about().page;
            assert!(page.starts_with(&format!("# {code}: {title}\n")), "{code}");
            assert!(page.contains("## What to do"), "{code}");
        }
        let logic = logic.map(|(code, _)| code.0);
        let algebra = foresee_algebra::ALL_CODES.iter().map(|(code, _)| code.0);
        let translate = foresee_translate::ALL_CODES.iter().map(|(code, _)| code.0);
        let own = codes.map(|entry| entry.code.0);
        let mut ids: Vec<_> = own.chain(logic).chain(algebra).chain(translate).collect();
        ids.sort_unstable();
        let pages: Vec<_> = PROGRAM_PAGES.iter().map(|(id, _)| *id).collect();
        assert_eq!(pages, ids);
        for about in PROGRAM_DIAGNOSTICS.iter() {
            assert!(about.page.starts_with(&format!("# {}: ", about.id)), "{}", about.id);
            assert!(about.page.contains("## What happened"), "{}", about.id);
        }
    }

    #[test]
    fn the_table_is_in_order_and_has_no_code_twice() {
        let ids: Vec<_> = DIAGNOSTICS.iter().map(|about| about.id).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
        for about in DIAGNOSTICS {
            assert!(std::ptr::eq(about.code.about(), about), "{}", about.id);
        }
    }
}
