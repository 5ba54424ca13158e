//! What an edge asks for when it names an Erlang program, and how it reads files for us.

use crate::LabelOptions;
use foresee_erlang::{ClockMode, Crashes, LabelKind, Labels};
use std::collections::BTreeMap;

/// An Erlang program: where its text is and where it starts. Paths are the edge's own; they come back in messages and traces.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ErlangRequest {
    /// Source files, or one folder of a project.
    pub files: Vec<String>,
    /// Where it starts; the first file's module if absent.
    pub module: Option<String>,
    /// A function without arguments; `test` if absent.
    pub function: Option<String>,
    /// Start from a supervision tree instead: the module and the function, which gives `{ok, Pid}`.
    pub supervisor: Option<(String, String)>,
    /// Folders of headers.
    pub includes: Vec<String>,
    /// Macros: name and text.
    pub defines: Vec<(String, Option<String>)>,
    /// Folders in which modules that are named and not given are looked for.
    pub sources: Vec<String>,
    /// An installed OTP, for library modules that are not built in.
    pub otp: Option<String>,
    pub options: ErlangOptions,
}

/// How it runs and what counts as an error.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ErlangOptions {
    /// A message is in the mailbox as soon as it is sent; so it is if nothing is said.
    pub instant_delivery: Option<bool>,
    /// Timeouts of at least so many milliseconds never fire.
    pub after_timeout: Option<u64>,
    /// Whether clocks move when they are read; they do if nothing is said.
    pub clock: Option<ClockMode>,
    /// Exit reasons that are no error, as Erlang terms; `normal` never is.
    pub normal_reasons: Vec<String>,
    pub ignored: Vec<Ignored>,
    /// Of abnormal exits, only failed assertions are errors.
    pub assertions_only: bool,
    /// Only what befalls the first process is an error.
    pub first_process_errors_only: bool,
    /// References are never used twice and the dead keep their mailboxes, so that events commute exactly: for engines that
    /// reorder events. States that differ in nothing else are then kept apart.
    pub for_races: bool,
    /// Which processes may die at any time; `None` for nobody.
    pub crashes: Option<Crashes>,
    /// Every event has at most one label of those that `Loaded::visible_label` gives, and this is shown of them.
    pub labels: Option<Labels>,
}

impl ErlangOptions {
    /// For questions about labels: every event has one at most, the kinds of events that are asked for have one too, and
    /// nothing happens that the program or a crash does not do.
    pub fn show_labels(&mut self, labels: &LabelOptions) {
        let kinds = labels.show.iter().filter_map(|word| LabelKind::parse(word)).collect();
        self.labels = Some(Labels { show: kinds, hide: Vec::new() });
        if let Some(crashes) = &mut self.crashes {
            crashes.may_cease = false;
        }
    }
}

/// A kind of error that may be left out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ignored {
    AbnormalExit,
    AbnormalHalt,
    Deadlock,
    /// A run that is longer than runs may be.
    DepthBound,
}

impl Ignored {
    /// Every kind with its word.
    pub const ALL: [(Ignored, &'static str); 4] = [
        (Ignored::AbnormalExit, "abnormal_exit"),
        (Ignored::AbnormalHalt, "abnormal_halt"),
        (Ignored::Deadlock, "deadlock"),
        (Ignored::DepthBound, "depth_bound"),
    ];

    pub fn word(self) -> &'static str {
        Ignored::ALL.iter().find(|(kind, _)| *kind == self).map(|(_, word)| *word).expect("listed")
    }

    pub fn parse(word: &str) -> Option<Ignored> {
        Ignored::ALL.iter().find(|(_, own)| *own == word).map(|(kind, _)| *kind)
    }
}

/// Files as the edge sees them; we open none ourselves. A map from paths to texts is one, for tests and for texts that are
/// in no file.
pub trait Files {
    /// The text of a file, or why there is none.
    fn read(&self, path: &str) -> Result<String, String>;

    /// The names in a folder, sorted; `None` if it is no folder.
    fn list(&self, folder: &str) -> Option<Vec<String>>;
}

/// Nothing can be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<String, String> {
        Err("no files can be read here".to_owned())
    }

    fn list(&self, _: &str) -> Option<Vec<String>> {
        None
    }
}

impl Files for BTreeMap<String, String> {
    fn read(&self, path: &str) -> Result<String, String> {
        self.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let prefix = match folder {
            "" | "." => String::new(),
            folder => format!("{}/", folder.trim_end_matches('/')),
        };
        let inside = self.keys().filter_map(|path| path.strip_prefix(&prefix));
        let mut names: Vec<String> =
            inside.map(|rest| rest.split('/').next().unwrap_or(rest).to_owned()).collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }
}
