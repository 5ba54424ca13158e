//! `foresee translate`: an Erlang supervision tree as a specification of process algebra.

use crate::args::{Format, Output, Sources};
use crate::disk::Disk;
use crate::erlang::supervisor;
use crate::style::{BOLD, CYAN, DIM};
use crate::{Program, check, files, note, print, render};
use clap::{Args, ValueEnum};
use foresee_session::{
    AlgebraNotation, Buffer, Diagnostic, ErlangSource, TranslateOptions, TranslateRequest,
    TranslationReport, translate_erlang,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Translate an Erlang supervision tree of generic servers and clients to muCRL or mCRL2
///
/// The supervisor is run up to the start of its children; each generic server and each client becomes a process, what only computes
/// becomes rewrite rules. What has no translation is refused with its line. The muCRL text is what `lts`, `verify` and `check` take.
#[derive(Args, Debug)]
pub(crate) struct Translate {
    /// Erlang files, or a rebar3 project's folder
    #[arg(value_name = "FILE.erl", required = true)]
    pub(crate) files: Vec<String>,

    /// The function that starts the supervision tree; it has no arguments [default: none, it is needed]
    #[arg(long, value_name = "MODULE:FUNCTION", required = true)]
    pub(crate) supervisor: String,

    /// The language to translate to
    #[arg(long, value_enum, default_value_t = Language::Mucrl)]
    pub(crate) to: Language,

    /// Where to write it [default: standard output]
    #[arg(long = "output", short = 'o', value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// A client that may crash: its child id in the supervisor (client_1 for {client,1}), with * for anything, or `all`; give it
    /// several times for several [default: none]
    #[arg(long, value_name = "CLIENT", help_heading = "Model")]
    pub(crate) crash: Vec<String>,

    /// Hide crashes, as the paper does: they are seen only when a server learns of them
    #[arg(long, help_heading = "Model")]
    pub(crate) hide_crashes: bool,

    /// Clients may also crash right after a marked action [default: true]
    #[arg(long, value_name = "BOOL", help_heading = "Model")]
    pub(crate) crash_at_actions: Option<bool>,

    /// How many messages a server's queue holds before `bufferfull(Server)` happens; `none`: senders wait for the server
    /// [default: no limit]
    #[arg(long, value_name = "N|none", value_parser = parse_buffer, help_heading = "Model")]
    pub(crate) buffer: Option<Buffer>,

    /// Servers do not wait for their replies to be taken, as in Erlang; without it a reply is a handshake, as in the paper
    #[arg(long, help_heading = "Model")]
    pub(crate) async_reply: bool,

    #[command(flatten)]
    pub(crate) sources: Sources,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Language {
    /// For this tool, and CWI's toolset
    Mucrl,
    /// For mCRL2
    Mcrl2,
}

fn parse_buffer(text: &str) -> Result<Buffer, String> {
    match (text, text.parse()) {
        ("none", _) => Ok(Buffer::None),
        (_, Ok(n)) => Ok(Buffer::Bounded(n)),
        _ => Err(format!("`{text}` is neither a number nor `none`")),
    }
}

pub(crate) fn run(program: &Program, arguments: &Translate) -> u8 {
    let done = translated(arguments).unwrap_or_else(|diagnostic| {
        TranslationReport::error(arguments.supervisor.clone(), notation(arguments), diagnostic)
    });
    show(&done, arguments, program)
}

fn notation(arguments: &Translate) -> AlgebraNotation {
    match arguments.to {
        Language::Mucrl => AlgebraNotation::Mucrl,
        Language::Mcrl2 => AlgebraNotation::Mcrl2,
    }
}

fn translated(arguments: &Translate) -> Result<TranslationReport, Diagnostic> {
    let request = TranslateRequest {
        program: ErlangSource { files: arguments.files.clone(), ..arguments.sources.to_source() },
        supervisor: supervisor(&arguments.supervisor)?,
        options: TranslateOptions {
            crash: arguments.crash.clone(),
            crash_visible: !arguments.hide_crashes,
            crash_at_actions: arguments.crash_at_actions.unwrap_or(true),
            buffer: arguments.buffer.unwrap_or_default(),
            async_reply: arguments.async_reply,
            ..TranslateOptions::default()
        },
        notation: notation(arguments),
    };
    let mut done = translate_erlang(&request, &Disk);
    if done.report.error.is_none() {
        done.text = format!("{}{}", origin(arguments), done.text);
        if let Some(file) = &arguments.file {
            files::write_over_own(file, done.text.as_bytes(), is_translation)?;
            done.file = Some(file.display().to_string());
        }
    }
    Ok(done)
}

const ORIGIN: &str = "% foresee translate ";

/// A first line that says how the text was made.
fn origin(arguments: &Translate) -> String {
    let mut words: Vec<String> = arguments.files.iter().map(|it| render::quoted_file(it)).collect();
    words.extend(["--supervisor".to_owned(), render::quoted(&arguments.supervisor)]);
    words.extend(
        arguments.crash.iter().flat_map(|name| ["--crash".to_owned(), render::quoted(name)]),
    );
    words.extend(arguments.hide_crashes.then(|| "--hide-crashes".to_owned()));
    words.extend(arguments.crash_at_actions.map(|it| format!("--crash-at-actions {it}")));
    words.extend(arguments.buffer.map(|buffer| match buffer {
        Buffer::Bounded(n) => format!("--buffer {n}"),
        Buffer::Unbounded | Buffer::None => "--buffer none".to_owned(),
    }));
    words.extend(arguments.async_reply.then(|| "--async-reply".to_owned()));
    words.extend(arguments.sources.words());
    words.extend(["--to".to_owned(), notation(arguments).word().to_owned()]);
    format!("{ORIGIN}{}\n", words.join(" ").replace(['\n', '\r'], " "))
}

fn is_translation(start: &[u8]) -> bool {
    start.starts_with(ORIGIN.as_bytes())
}

fn show(done: &TranslationReport, arguments: &Translate, program: &Program) -> u8 {
    let (report, output) = (&done.report, &arguments.output);
    match output.format {
        Format::Junit => return check::show(report, output, program),
        Format::Json => {
            print(&format!("{}\n", serde_json::to_string(done).expect("plain data")));
            return report.verdict.exit_code();
        }
        Format::Text => {}
    }
    if report.error.is_none() {
        print(&match &done.file {
            None => done.text.clone(),
            Some(file) => wrote(done, file, arguments, program),
        });
    }
    if !output.quiet {
        done.notes.iter().for_each(|text| note(&format!("{CYAN}note{CYAN:#}: {text}")));
    }
    report.warnings.iter().for_each(|warning| note(&render::warning(warning)));
    if let Some(error) = &report.error {
        note(&render::diagnostic(error, &program.name));
    }
    report.verdict.exit_code()
}

fn wrote(done: &TranslationReport, file: &str, arguments: &Translate, program: &Program) -> String {
    let mut text = format!("wrote {BOLD}{file}{BOLD:#}\n");
    if arguments.output.quiet {
        return text;
    }
    let list = |what: &str, names: &[String]| match names {
        [] => format!("no {what}s"),
        [one] => format!("{what} {one}"),
        many => format!("{what}s {}", many.join(", ")),
    };
    let _ =
        writeln!(text, "  {}; {}", list("server", &done.servers), list("client", &done.clients));
    let is_read_here = Path::new(file).extension().is_some_and(|ending| ending == "mcrl");
    if is_read_here && arguments.to == Language::Mucrl {
        let (name, file) = (&program.name, render::quoted_file(file));
        let _ = writeln!(text, "{DIM}explore:{DIM:#} {name} lts {file}");
    }
    text
}
