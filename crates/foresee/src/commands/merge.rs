//! `foresee merge`: the records of all processes of a run become one trace, by running the handlers again.
//! The trace is one of the system as it is searched, so `replay` steps it and the debugger opens it.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use foresee_cli::{Desk, Extension};
use foresee_lts::{Label, Verb};
use foresee_runtime::{Followed, Record, What, follow};
use foresee_session::{Code, Diagnostic, Loaded, NoFiles, Registry, Source, Trace, open};
use foresee_trace::Event;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Make one trace of the records that `run --record` has written in each process of a run
///
/// The handlers are run again in an order that all records allow; the first event that does not happen again is named. `replay` steps
/// the trace in the search's own words, `debug` shows it.
#[derive(Args, Debug)]
struct Merge {
    /// The records, one of each process
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,

    /// Where the trace goes
    #[arg(long, short, value_name = "FILE.trace")]
    output: PathBuf,
}

pub(crate) fn extension() -> Extension {
    Extension::new(Merge::augment_args(Command::new("merge")), run)
}

fn run(desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let arguments = match Merge::from_arg_matches(matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match merge(desk.registry(), &arguments.records, &arguments.output) {
        Ok(n) => desk.print(&format!(
            "{n} events, {} in the trace\nreplay:  {} replay {}\n",
            n.in_trace,
            desk.program(),
            arguments.output.display()
        )),
        Err(diagnostic) => desk.complain(&diagnostic),
    }
}

/// How much was merged.
pub(super) struct Merged {
    events: usize,
    in_trace: usize,
}

impl std::fmt::Display for Merged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.events.fmt(f)
    }
}

/// Reads records, runs them again and writes the trace.
pub(super) fn merge(
    registry: &Registry,
    files: &[PathBuf],
    output: &Path,
) -> Result<Merged, Diagnostic> {
    let records = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let system = &records[0].system;
    if let Some(other) = records.iter().position(|record| record.system != *system) {
        let message =
            format!("the records are of two systems: `{system}` and `{}`", records[other].system);
        return Err(unusable(message, &files[other]));
    }
    let words: Vec<String> = system.split_whitespace().map(str::to_owned).collect();
    let mut source = Source::of_words(&words, registry, &NoFiles)?;
    let loaded = open(&source, registry, &NoFiles)?;
    let (told, events) = traced(&loaded, &records, &files[0])?;
    allow_what_happened(&mut source, &told);
    let mut trace = open(&source, registry, &NoFiles)?.header();
    trace.events = told;
    trace.seed = records[0].seed;
    let merged = Merged { events, in_trace: trace.events.len() };
    write(&trace, output)?;
    Ok(merged)
}

/// Faults of a run that was recorded are events of a search only if it has budgets for them.
fn allow_what_happened(source: &mut Source, events: &[Event]) {
    let Source::Nodes(source) = source else { return };
    let count = |is_it: &dyn Fn(&Label) -> bool| {
        let n = events.iter().filter(|event| is_it(&event.label)).count();
        u32::try_from(n).unwrap_or(u32::MAX)
    };
    let of = |verb: Verb| count(&|label| label.verb == verb);
    let torn = count(&|label| label.verb == Verb::Crash && !label.payload.is_empty());
    let options = &mut source.options;
    for (budget, n) in [
        (&mut options.duplicates, of(Verb::Duplicate)),
        (&mut options.crashes, of(Verb::Crash)),
        (&mut options.restarts, of(Verb::Restart)),
        (&mut options.torn_writes, torn),
        (&mut options.lost_disks, of(Verb::LoseDisk)),
    ] {
        *budget = n.max(*budget);
    }
}

/// What happened in the words of a search, and how many events of records that were.
fn traced(
    loaded: &Loaded,
    records: &[Record],
    file: &Path,
) -> Result<(Vec<Event>, usize), Diagnostic> {
    let runnable = loaded.runnable();
    let deployment = runnable.as_ref().and_then(|runnable| runnable.deployment());
    let (Some(runnable), Some(deployment)) = (runnable, deployment) else {
        return Err(unusable("the system is not made of nodes".to_owned(), file));
    };
    let skips = runnable.skips_ignored();
    let mut told = Vec::new();
    let mut doubled = Doubled::default();
    let events = follow(&*deployment, records, &mut |followed| {
        if let Some(label) = label(&followed, skips) {
            doubled.note(&followed, &label, told.len());
            told.push(Event::new(label));
        }
    });
    if runnable.counts_copies() {
        doubled.tell(&mut told);
    }
    let events = events.map_err(|divergence| {
        unusable(format!("the run does not happen again: {divergence}"), file)
    })?;
    Ok((told, events))
}

/// Messages that arrived twice: where copies are counted, a search doubles a message before it is delivered.
#[derive(Default)]
struct Doubled {
    /// Where each message was delivered last.
    last: BTreeMap<String, usize>,
    /// Where a copy is made.
    at: Vec<usize>,
}

impl Doubled {
    fn note(&mut self, followed: &Followed, label: &Label, at: usize) {
        let What::Message { is_again, .. } = &followed.what else { return };
        let before = self.last.insert(label.to_string(), at);
        if let (true, Some(before)) = (*is_again, before) {
            self.at.push(before);
        }
    }

    fn tell(mut self, events: &mut Vec<Event>) {
        self.at.sort_unstable();
        let mut at = self.at.into_iter().peekable();
        for (place, event) in std::mem::take(events).into_iter().enumerate() {
            while at.next_if_eq(&place).is_some() {
                let label = Label { verb: Verb::Duplicate, ..event.label.clone() };
                events.push(Event::new(label));
            }
            events.push(event);
        }
    }
}

/// The event in the words of a search; `None` if it is no event there.
fn label(followed: &Followed, skips_ignored: bool) -> Option<Label> {
    let node = followed.node.name();
    match &followed.what {
        What::Start => None,
        What::Message { .. } if followed.is_ignored && skips_ignored => None,
        What::Message { from, text, .. } => {
            Some(Label::message(Verb::Deliver, from.name(), node, text.clone()))
        }
        What::Timer { text } => Some(Label::of_actor(Verb::Timer, node, text.clone())),
        What::Synced => Some(Label::of_actor(Verb::Sync, node, "")),
        What::Crash { n_kept: 0, .. } => Some(Label::of_actor(Verb::Crash, node, "")),
        What::Crash { n_kept, n_unsynced } => {
            let kept = format!("keeping {n_kept} of {n_unsynced} unsynced writes");
            Some(Label::of_actor(Verb::Crash, node, kept))
        }
        What::LostDisk => Some(Label::of_actor(Verb::LoseDisk, node, "")),
        What::Restart => Some(Label::of_actor(Verb::Restart, node, "")),
        _ => None,
    }
}

fn read(file: &Path) -> Result<Record, Diagnostic> {
    let bytes = std::fs::read(file)
        .map_err(|error| unusable(format!("the record cannot be read: {error}"), file))?;
    Record::parse(&bytes).map_err(|error| unusable(error.to_string(), file))
}

fn unusable(message: String, file: &Path) -> Diagnostic {
    Diagnostic::new(Code::RecordFile, message)
        .at(file.display().to_string())
        .help("give the records of all processes of one run, to the binary that wrote them")
}

/// Writes a trace, unless something else is there.
fn write(trace: &Trace, output: &Path) -> Result<(), Diagnostic> {
    let refused = |reason: String| {
        Diagnostic::new(Code::FileNotWritten, reason)
            .at(output.display().to_string())
            .help("choose another name, or make room")
    };
    if let Ok(bytes) = std::fs::read(output)
        && !bytes.is_empty()
        && !bytes.starts_with(b"foresee trace")
    {
        return Err(refused("there is a file that is no trace; it was left alone".to_owned()));
    }
    let written = std::fs::File::create(output).and_then(|file| {
        let mut file = std::io::BufWriter::new(file);
        write!(file, "{trace}")?;
        file.flush()
    });
    written.map_err(|error| refused(format!("the trace cannot be written: {error}")))
}
