//! An Erlang program as plain data: where its texts are, where it starts, how it runs, and what counts as an error.

use crate::LabelOptions;
use foresee_erlang_options::{ClockMode, Crashes, LabelKind};
use foresee_lts::Reading;
use serde::{Deserialize, Serialize};

/// An Erlang program: where its text is and where it starts. Paths are the edge's own; they come back in messages and traces.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct ErlangSource {
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

impl ErlangSource {
    /// A macro as it is typed: `NAME` or `NAME=TEXT`.
    pub fn define(text: &str) -> (String, Option<String>) {
        match text.split_once('=') {
            Some((name, text)) => (name.to_owned(), Some(text.to_owned())),
            None => (text.to_owned(), None),
        }
    }
}

/// How it runs and what counts as an error.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct ErlangOptions {
    /// A message is in the mailbox as soon as it is sent; so it is if nothing is said.
    pub instant_delivery: Option<bool>,
    /// Timeouts of at least so many milliseconds never fire.
    pub after_timeout: Option<u64>,
    /// Timers of at least so many milliseconds never fire.
    pub send_after_timeout: Option<u64>,
    /// Timers fire at most so often for one process; what comes later is not looked at.
    pub timer_firings_max: Option<u32>,
    /// Whether clocks move when they are read; they do if nothing is said.
    pub clock: Option<ClockMode>,
    /// Exit reasons that are no error, as Erlang terms; `normal` never is.
    pub normal_reasons: Vec<String>,
    pub ignored: Vec<Ignored>,
    /// Of abnormal exits, only failed assertions are errors.
    pub assertions_only: bool,
    /// Only what befalls the first process is an error.
    pub first_process_errors_only: bool,
    /// How finely states are told apart; in the exact reading references are never used twice and the dead keep their
    /// mailboxes, so that events which do not race commute.
    pub reading: Reading,
    /// Which processes may die at any time; `None` for nobody.
    pub crashes: Option<Crashes>,
    /// Every event has at most one label of those that `Loaded::visible_label` gives; labels of these kinds are shown beside
    /// the usual ones. `None` for the labels of a check.
    pub labels: Option<Vec<LabelKind>>,
}

impl ErlangOptions {
    /// For questions about labels: every event has one at most, the kinds of events that are asked for have one too, and
    /// nothing happens that the program or a crash does not do.
    pub fn show_labels(&mut self, labels: &LabelOptions) {
        let kinds = labels.show.iter().filter_map(|word| LabelKind::parse(word));
        self.labels = Some(kinds.collect());
        if let Some(crashes) = &mut self.crashes {
            crashes.may_cease = false;
        }
    }
}

/// A kind of error that may be left out.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
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
