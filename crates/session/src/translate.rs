//! Erlang to process algebra behind the door: the files of a program become a specification as text.
//! What cannot be translated is told with its place in the Erlang text, all of it at once.
//! Not here: translating (`foresee-translate`), writing the file.

use crate::erlang::errors_and_warnings;
use crate::{Code, Diagnostic, ErlangSource, Files, Outcome, Report, erlang};
use foresee_lts::Assumption;
use foresee_translate::translate;
use serde::Serialize;

pub use foresee_translate::{Buffer, Options as TranslateOptions};

/// What to translate.
#[derive(Clone, Debug)]
pub struct TranslateRequest {
    /// Where the program is; where it starts is the supervisor.
    pub program: ErlangSource,
    /// The function without arguments that starts the supervision tree, and its module.
    pub supervisor: (String, String),
    pub options: TranslateOptions,
    pub notation: AlgebraNotation,
}

/// The language of the specification.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum AlgebraNotation {
    #[default]
    Mucrl,
    Mcrl2,
}

impl AlgebraNotation {
    pub fn word(self) -> &'static str {
        match self {
            AlgebraNotation::Mucrl => "mucrl",
            AlgebraNotation::Mcrl2 => "mcrl2",
        }
    }
}

/// What came of it. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct TranslationReport {
    #[serde(flatten)]
    pub report: Report,
    /// The file written; the edge fills it in.
    pub file: Option<String>,
    pub to: &'static str,
    /// Processes by the names they have in labels.
    pub servers: Vec<String>,
    pub clients: Vec<String>,
    /// How things are modelled that have no translation of their own.
    pub notes: Vec<String>,
    /// The specification.
    pub text: String,
}

/// Translates a program.
///
/// ```
/// use foresee_session::*;
/// use std::collections::BTreeMap;
/// let text = "-module(tree).
/// -export([start_link/0, init/1, bell/0, guest/0, ring/0, handle_call/3, handle_cast/2]).
/// start_link() -> supervisor:start_link(tree, sup).
/// init(sup) -> {ok, {#{}, [#{id => bell, start => {tree, bell, []}},
///                          #{id => guest, start => {tree, guest, []}}]}};
/// init(_) -> {ok, quiet}.
/// handle_call(ring, _, S) -> {reply, ding, S}.
/// handle_cast(_, S) -> {noreply, S}.
/// bell() -> gen_server:start_link({local, bell}, tree, [], []).
/// guest() -> {ok, spawn_link(tree, ring, [])}.
/// ring() -> gen_server:call(bell, ring, infinity), ring().
/// ";
/// let files = BTreeMap::from([("tree.erl".to_owned(), text.to_owned())]);
/// let program = ErlangSource { files: vec!["tree.erl".to_owned()], ..ErlangSource::default() };
/// let supervisor = ("tree".to_owned(), "start_link".to_owned());
/// let (options, notation) = (TranslateOptions::default(), AlgebraNotation::Mucrl);
/// let request = TranslateRequest { program, supervisor, options, notation };
/// let done = translate_erlang(&request, &files);
/// assert_eq!((done.report.verdict, done.servers[0].as_str()), (Outcome::Holds, "bell"));
/// assert!(done.text.contains("gen_server_call(bell,ring,Self)"));
/// ```
pub fn translate_erlang(request: &TranslateRequest, files: &dyn Files) -> TranslationReport {
    let (module, function) = &request.supervisor;
    let report = Report::new("translate", format!("{module}:{function}/0"));
    let mut done = TranslationReport::new(report, request.notation);
    if let Err(diagnostic) = done.translate(request, files) {
        done.report.fail(*diagnostic);
    }
    done
}

impl TranslationReport {
    fn new(mut report: Report, notation: AlgebraNotation) -> Self {
        (report.engine, report.strategy) = ("translation", notation.word());
        TranslationReport {
            report,
            file: None,
            to: notation.word(),
            servers: Vec::new(),
            clients: Vec::new(),
            notes: Vec::new(),
            text: String::new(),
        }
    }

    /// The report of something that could not be translated.
    pub fn error(system: String, notation: AlgebraNotation, diagnostic: Diagnostic) -> Self {
        TranslationReport::new(Report::error("translate", system, diagnostic), notation)
    }

    fn translate(
        &mut self,
        request: &TranslateRequest,
        files: &dyn Files,
    ) -> Result<(), Box<Diagnostic>> {
        let (module, function) = &request.supervisor;
        let program = ErlangSource {
            supervisor: Some(request.supervisor.clone()),
            ..request.program.clone()
        };
        let erlang = erlang::open(&program, files)?;
        self.report.warnings = erlang.texts.warnings.clone();
        let translated = translate(&erlang.texts.parses, (module, function), &request.options);
        let translation = translated.map_err(|problems| {
            let (error, _) = errors_and_warnings(&problems);
            Box::new(error.unwrap_or_else(|| unexplained("the translation was refused")))
        })?;
        self.text = match request.notation {
            AlgebraNotation::Mucrl => translation.to_mucrl(),
            AlgebraNotation::Mcrl2 => translation.to_mcrl2().map_err(|news| {
                let messages: Vec<&str> = news.iter().map(|one| one.message.as_str()).collect();
                Box::new(unexplained(&messages.join("; ")))
            })?,
        };
        self.notes.clone_from(&translation.notes);
        self.report.assumed = assumed(&request.options);
        self.servers.clone_from(&translation.servers);
        self.clients.clone_from(&translation.clients);
        self.report.verdict = Outcome::Holds;
        Ok(())
    }
}

/// What the specification does not have of the program.
fn assumed(options: &TranslateOptions) -> Vec<Assumption> {
    let queues = match options.buffer {
        Buffer::Unbounded => "queues of servers have no end".to_owned(),
        Buffer::Bounded(n) => format!("queues of servers hold at most {n} messages"),
        Buffer::None => "senders wait for the server".to_owned(),
    };
    let replies = match options.async_reply {
        true => "replies do not wait to be taken",
        false => "servers wait for their replies to be taken",
    };
    [queues, replies.to_owned()].into_iter().map(Assumption::Translated).collect()
}

fn unexplained(message: &str) -> Diagnostic {
    Diagnostic::new(Code::Internal, message)
}
