//! `foresee histories`: whether what clients saw, recorded in a file, is linearizable.
//! The file is read once, and only what is open is kept; parts in which too much was open at once are read again and judged whole.

use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use foresee_cli::{Desk, Extension};
use foresee_nodes::{
    HistoryEvent, HistoryJudge, HistoryReader, Judgement, KeyValueStore, Register,
    RegisterOperation, RegisterResult, Sequential,
};
use foresee_runtime::cpu_seconds;
use foresee_session::{Code, Diagnostic, Found, Outcome, Report, ViolationKind};
use serde_json::json;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Judge a recorded history of clients: is there one order of all operations that explains every result?
///
/// The file has one event a line (docs/guide/run.md); `run --history FILE` writes one. It is judged part by part (a store by key) as it
/// is read. Exit codes: 0 linearizable, 1 not, 2 the file is damaged, 3 too much was open at once to tell.
#[derive(Args, Debug)]
struct Histories {
    /// The history
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What clients talked to: a register (READ, WRITE:v; VALUE:v, MISSING, OK) or a key-value store (GET:k, PUT:k:v, APPEND:k:v,
    /// SWAP:k:expected:new; VALUE:v, MISSING, OK, APPENDED:v, SWAPPED:true)
    #[arg(long, value_enum, value_name = "NAME")]
    spec: Spec,

    /// How to print the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Spec {
    Register,
    Kv,
}

pub(crate) fn extension() -> Extension {
    Extension::new(Histories::augment_args(Command::new("histories")), run)
}

fn run(desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let arguments = match Histories::from_arg_matches(matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    let (begun, cpu) = (Instant::now(), cpu_seconds());
    let file = arguments.file.as_path();
    let judged = match arguments.spec {
        Spec::Kv => judge(file, KeyValueStore::default(), str::parse, str::parse),
        Spec::Register => judge(file, Register::new(None), register_operation, register_result),
    };
    let as_json = arguments.format == Format::Json;
    let judged = match judged {
        Ok(judged) => judged,
        Err(diagnostic) => {
            let report = Report::error("histories", file.display().to_string(), diagnostic);
            return desk.show(&report, as_json);
        }
    };
    let report = report(file, &judged, begun.elapsed().as_secs_f64());
    let printed = match as_json {
        true => desk.print(&format!("{}\n", in_json(&report, &judged, cpu_seconds() - cpu))),
        false => desk.print(&in_text(&judged, cpu_seconds() - cpu)),
    };
    if printed == 0 { report.verdict.exit_code() } else { printed }
}

/// What was read, and the answer.
struct Judged {
    operations: u64,
    unanswered: u64,
    clients: usize,
    judgement: Judgement,
}

fn judge<S: Sequential<Operation: Clone>>(
    file: &Path,
    initial: S,
    operation: fn(&str) -> Result<S::Operation, String>,
    result: fn(&str) -> Result<S::Result, String>,
) -> Result<Judged, Diagnostic> {
    let mut judge: HistoryJudge<S> = HistoryJudge::new(initial.clone());
    let mut wrong = None;
    let (reader, operations, unanswered) = read(file, &mut |client, event| {
        if wrong.is_none() {
            wrong = told(&mut judge, client, event, operation, result)?.map(|why| (client, why));
        }
        Ok(())
    })?;
    let name = |client: u32| reader.name(client).to_owned();
    let hard: Vec<String> = judge.hard_parts().map(str::to_owned).collect();
    let judgement = match wrong {
        Some((client, why)) => Judgement::NotLinearizable(format!("{}{why}", name(client))),
        None if hard.is_empty() => Judgement::Linearizable,
        None => {
            let mut again: HistoryJudge<S> = HistoryJudge::of_parts(initial, hard);
            read(file, &mut |client, event| {
                told(&mut again, client, event, operation, result).map(drop)
            })?;
            again.finish(name)
        }
    };
    Ok(Judged { operations, unanswered, clients: reader.n_clients(), judgement })
}

/// Hands an event on; `Err` is a word that means nothing, `Ok(Some)` a result that nothing explains.
fn told<S: Sequential<Operation: Clone>>(
    judge: &mut HistoryJudge<S>,
    client: u32,
    event: &HistoryEvent<'_>,
    operation: fn(&str) -> Result<S::Operation, String>,
    result: fn(&str) -> Result<S::Result, String>,
) -> Result<Option<String>, String> {
    match event {
        HistoryEvent::Invoke(text) => judge.invoked(client, operation(text)?),
        HistoryEvent::Return(text) => return Ok(judge.returned(client, result(text)?).err()),
        HistoryEvent::Lost => judge.given_up(client),
    }
    Ok(None)
}

type Hear<'a> = dyn FnMut(u32, &HistoryEvent<'_>) -> Result<(), String> + 'a;

/// Reads the whole file; how many operations were begun, and how many of them were not answered.
fn read(file: &Path, hear: &mut Hear<'_>) -> Result<(HistoryReader, u64, u64), Diagnostic> {
    let damaged = |line: usize, message: String| {
        Diagnostic::new(Code::HistoryFile, message)
            .at(format!("{}:{line}", file.display()))
            .help("see `Histories` in docs/guide/run.md for what a line looks like")
    };
    let cannot_read = |error: std::io::Error| {
        Diagnostic::new(Code::HistoryFile, format!("the history cannot be read: {error}"))
            .at(file.display().to_string())
            .help("give a text file that `run --history` or your own program has written")
    };
    let mut text = BufReader::with_capacity(1 << 20, File::open(file).map_err(cannot_read)?);
    let mut reader = HistoryReader::default();
    let (mut begun, mut answered, mut number) = (0, 0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if text.read_until(b'\n', &mut bytes).map_err(cannot_read)? == 0 {
            break;
        }
        number += 1;
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = std::str::from_utf8(line)
            .map_err(|_| damaged(number, "this is not UTF-8 text".to_owned()))?;
        let said = reader.line(line).map_err(|error| damaged(number, error))?;
        let Some(said) = said else { continue };
        match &said.event {
            HistoryEvent::Invoke(_) => begun += 1,
            HistoryEvent::Return(_) => answered += 1,
            HistoryEvent::Lost => {}
        }
        hear(said.client, &said.event).map_err(|error| damaged(number, error))?;
    }
    if !reader.has_begun() {
        return Err(damaged(1, "the file is empty".to_owned()));
    }
    Ok((reader, begun, begun.saturating_sub(answered)))
}

fn register_operation(text: &str) -> Result<RegisterOperation<Option<String>>, String> {
    match text.split_once(':') {
        None if text == "READ" => Ok(RegisterOperation::Read),
        Some(("WRITE", value)) => Ok(RegisterOperation::Write(Some(value.to_owned()))),
        _ => Err(format!("{text:?} is no operation of a register: READ and WRITE:value are")),
    }
}

fn register_result(text: &str) -> Result<RegisterResult<Option<String>>, String> {
    match text.split_once(':') {
        None if text == "OK" => Ok(RegisterResult::WriteOk),
        None if text == "MISSING" => Ok(RegisterResult::ReadOk(None)),
        Some(("VALUE", value)) => Ok(RegisterResult::ReadOk(Some(value.to_owned()))),
        _ => Err(format!("{text:?} is no result of a register: VALUE:value, MISSING and OK are")),
    }
}

fn report(file: &Path, judged: &Judged, seconds: f64) -> Report {
    let mut report = Report::new("histories", file.display().to_string());
    (report.engine, report.strategy) = ("histories", "");
    report.seconds = seconds;
    report.threads = 1;
    report.verdict = match &judged.judgement {
        Judgement::Linearizable => Outcome::Holds,
        Judgement::NotLinearizable(_) => Outcome::Violated,
        Judgement::Unknown(_) => Outcome::Inconclusive,
    };
    match &judged.judgement {
        Judgement::Linearizable => {}
        Judgement::NotLinearizable(why) => {
            let property = Some("linearizable".to_owned());
            let found = Found::without_run(ViolationKind::Invariant, property, why.clone());
            report.violations.push(found);
        }
        Judgement::Unknown(why) => report.warnings.push(why.clone()),
    }
    report
}

fn in_json(report: &Report, judged: &Judged, cpu_seconds: f64) -> serde_json::Value {
    let mut value = serde_json::to_value(report).expect("plain data");
    let linearizable = match &judged.judgement {
        Judgement::Linearizable => Some(true),
        Judgement::NotLinearizable(_) => Some(false),
        Judgement::Unknown(_) => None,
    };
    let more = json!({
        "operations": judged.operations,
        "operations_unanswered": judged.unanswered,
        "cpu_seconds": cpu_seconds,
        "linearizable": linearizable,
    });
    if let (serde_json::Value::Object(all), serde_json::Value::Object(more)) = (&mut value, more) {
        all.extend(more);
    }
    value
}

fn in_text(judged: &Judged, cpu_seconds: f64) -> String {
    let Judged { operations, unanswered, clients, judgement } = judged;
    let answer = match judgement {
        Judgement::Linearizable => "linearizable: yes\n".to_owned(),
        Judgement::NotLinearizable(why) => format!("linearizable: no\n  {why}\n"),
        Judgement::Unknown(why) => format!("linearizable: not known, {why}\n"),
    };
    let rate = *operations as f64 / cpu_seconds.max(1e-9);
    format!(
        "{answer}{operations} operations of {clients} clients, {unanswered} without an answer; {cpu_seconds:.3} s of processor time \
         ({rate:.0} operations a second)\n"
    )
}
