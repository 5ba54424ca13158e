//! A source in a trace's header and back: the one codec, so that whatever is checked can be opened again from its trace.
//! Every option is one row of a table, which writes its lines and reads them. The keys are the names of the flags without
//! their dashes; an option that has its default writes no line. Keys that no row has are about the search and are passed over.
//! Invariant: reading what was written gives the same source. The tests hold an example in which every field differs from its
//! default against this, so a field without a row fails.

use super::{Kind, ModelFile, NodesSource, Source, system_kind};
use crate::{ClockMode, Code, CrashPoints, Crashes, Diagnostic, ErlangSource, Ignored, LabelKind};
use foresee_lts::Reading;
use foresee_trace::Trace;

/// One option of a source.
struct Row<T> {
    key: &'static str,
    /// The values of its lines; none for the default.
    write: fn(&T) -> Vec<String>,
    /// Takes one value in; an error says what was expected.
    read: fn(&mut T, &str) -> Result<(), &'static str>,
}

impl Source {
    /// The options of a trace's header that name this source, beside the line `system:`.
    pub fn header_options(&self) -> Vec<(&'static str, String)> {
        match self {
            Source::Nodes(nodes) => written(NODES, nodes),
            Source::Erlang(program) => written(ERLANG, program),
            Source::ModelFile(file) => written(MODEL_FILE, file),
        }
    }

    /// The source that a trace's header names. A trace without a line `kind:` is of an Erlang program if it names source
    /// files, of a model if its system is a model's file, and of a registered system otherwise.
    pub fn of_trace(trace: &Trace) -> Result<Source, Diagnostic> {
        match kind_of(trace)? {
            Kind::Nodes | Kind::Model => {
                let mut words = trace.system.split_whitespace().map(str::to_owned);
                let name = words.next().unwrap_or_default();
                let nodes = NodesSource { name, ..NodesSource::default() };
                let mut nodes = read(NODES, nodes, trace)?;
                if nodes.parameters.is_empty() {
                    nodes.parameters = words.collect();
                }
                Ok(Source::Nodes(nodes))
            }
            Kind::Erlang => Ok(Source::Erlang(read(ERLANG, ErlangSource::default(), trace)?)),
            Kind::Algebra | Kind::Lts => {
                let file = ModelFile { path: trace.system.clone(), merge_positions: false };
                Ok(Source::ModelFile(read(MODEL_FILE, file, trace)?))
            }
        }
    }
}

fn kind_of(trace: &Trace) -> Result<Kind, Diagnostic> {
    let names_files = || trace.option("file").is_some();
    match trace.kind.as_str() {
        "" => Ok(match system_kind::of_model_file(&trace.system) {
            Some(kind) => kind,
            None if names_files() => Kind::Erlang,
            None => Kind::Nodes,
        }),
        word => Kind::parse(word).ok_or_else(|| {
            let known: Vec<&str> = Kind::ALL.iter().map(|(_, word, _)| *word).collect();
            Diagnostic::new(Code::TraceDamaged, format!("`{word}` is not a kind of system"))
                .at(format!("kind: {word}"))
                .help(format!("kinds are {}", known.join(", ")))
        }),
    }
}

fn written<T>(rows: &[Row<T>], source: &T) -> Vec<(&'static str, String)> {
    let lines = rows.iter().flat_map(|row| (row.write)(source).into_iter().map(|it| (row.key, it)));
    lines.collect()
}

fn read<T>(rows: &[Row<T>], mut source: T, trace: &Trace) -> Result<T, Diagnostic> {
    for (key, value) in &trace.options {
        let Some(row) = rows.iter().find(|row| row.key == key) else { continue };
        (row.read)(&mut source, value).map_err(|expected| {
            Diagnostic::new(Code::TraceDamaged, format!("`{value}` is not {expected}"))
                .at(format!("option: {key} = {value}"))
                .help("correct the line in the trace's header")
        })?;
    }
    Ok(source)
}

const NODES: &[Row<NodesSource>] = &[
    Row {
        key: "drops-max",
        write: |it| count(it.options.drops),
        read: |it, text| number(text, &mut it.options.drops),
    },
    Row {
        key: "duplicates-max",
        write: |it| count(it.options.duplicates),
        read: |it, text| number(text, &mut it.options.duplicates),
    },
    Row {
        key: "crashes-max",
        write: |it| count(it.options.crashes),
        read: |it, text| number(text, &mut it.options.crashes),
    },
    Row {
        key: "restarts-max",
        write: |it| count(it.options.restarts),
        read: |it, text| number(text, &mut it.options.restarts),
    },
    Row {
        key: "partitions-max",
        write: |it| count(it.options.partitions),
        read: |it, text| number(text, &mut it.options.partitions),
    },
    Row {
        key: "torn-writes-max",
        write: |it| count(it.options.torn_writes),
        read: |it, text| number(text, &mut it.options.torn_writes),
    },
    Row {
        key: "lost-disks-max",
        write: |it| count(it.options.lost_disks),
        read: |it, text| number(text, &mut it.options.lost_disks),
    },
    Row {
        key: "check-code",
        write: |it| flag(it.options.check_code),
        read: |it, text| set(&mut it.options.check_code, text == "true"),
    },
    Row {
        key: "reading",
        write: |it| reading(it.options.reading),
        read: |it, text| read_reading(text, &mut it.options.reading),
    },
    // What traces said before readings had names.
    Row {
        key: "for-races",
        write: |_| Vec::new(),
        read: |it, text| set(&mut it.options.reading, older_reading(text)),
    },
    // The line `system:` is a list of words; a parameter with a blank in it is none of them.
    Row {
        key: "parameter",
        write: |it| match it.parameters.iter().any(|word| word.contains(char::is_whitespace)) {
            true => it.parameters.clone(),
            false => Vec::new(),
        },
        read: |it, text| push(&mut it.parameters, text),
    },
];

const MODEL_FILE: &[Row<ModelFile>] = &[Row {
    key: "merge-positions",
    write: |it| flag(it.merge_positions),
    read: |it, text| set(&mut it.merge_positions, text == "true"),
}];

const ERLANG: &[Row<ErlangSource>] = &[
    Row { key: "file", write: |it| it.files.clone(), read: |it, text| push(&mut it.files, text) },
    Row {
        key: "supervisor",
        write: |it| {
            let words =
                it.supervisor.iter().map(|(module, function)| format!("{module}:{function}"));
            words.collect()
        },
        read: |it, text| {
            let (module, function) = text.split_once(':').ok_or("MODULE:FUNCTION")?;
            set(&mut it.supervisor, Some((module.to_owned(), function.to_owned())))
        },
    },
    Row {
        key: "module",
        write: |it| listed(&it.module),
        read: |it, text| set(&mut it.module, Some(text.to_owned())),
    },
    Row {
        key: "test",
        write: |it| listed(&it.function),
        read: |it, text| set(&mut it.function, Some(text.to_owned())),
    },
    Row {
        key: "include",
        write: |it| it.includes.clone(),
        read: |it, text| push(&mut it.includes, text),
    },
    Row {
        key: "define",
        write: |it| it.defines.iter().map(define_text).collect(),
        read: |it, text| {
            it.defines.push(ErlangSource::define(text));
            Ok(())
        },
    },
    Row {
        key: "src",
        write: |it| it.sources.clone(),
        read: |it, text| push(&mut it.sources, text),
    },
    Row {
        key: "otp",
        write: |it| listed(&it.otp),
        read: |it, text| set(&mut it.otp, Some(text.to_owned())),
    },
    Row {
        key: "instant-delivery",
        write: |it| listed(&it.options.instant_delivery),
        read: |it, text| set(&mut it.options.instant_delivery, Some(text != "false")),
    },
    Row {
        key: "after-timeout",
        write: |it| listed(&it.options.after_timeout),
        read: |it, text| {
            let ms = text.parse().map_err(|_| "a number of milliseconds")?;
            set(&mut it.options.after_timeout, Some(ms))
        },
    },
    Row {
        key: "send-after-timeout",
        write: |it| listed(&it.options.send_after_timeout),
        read: |it, text| {
            let ms = text.parse().map_err(|_| "a number of milliseconds")?;
            set(&mut it.options.send_after_timeout, Some(ms))
        },
    },
    Row {
        key: "timer-firings-max",
        write: |it| listed(&it.options.timer_firings_max),
        read: |it, text| {
            let n = text.parse().map_err(|_| "a number of firings")?;
            set(&mut it.options.timer_firings_max, Some(n))
        },
    },
    Row {
        key: "clock",
        write: |it| listed(&it.options.clock.map(ClockMode::word)),
        read: |it, text| {
            let mode = ClockMode::parse(text).ok_or("`moving` or `frozen`")?;
            set(&mut it.options.clock, Some(mode))
        },
    },
    Row {
        key: "treat-as-normal",
        write: |it| it.options.normal_reasons.clone(),
        read: |it, text| push(&mut it.options.normal_reasons, text),
    },
    Row {
        key: "ignore-error",
        write: |it| it.options.ignored.iter().map(|kind| kind.word().to_owned()).collect(),
        read: |it, text| {
            it.options.ignored.push(Ignored::parse(text).ok_or("a kind of error")?);
            Ok(())
        },
    },
    Row {
        key: "assertions-only",
        write: |it| flag(it.options.assertions_only),
        read: |it, text| set(&mut it.options.assertions_only, text == "true"),
    },
    Row {
        key: "first-process-errors-only",
        write: |it| flag(it.options.first_process_errors_only),
        read: |it, text| set(&mut it.options.first_process_errors_only, text == "true"),
    },
    Row {
        key: "crash",
        write: |it| of_crashes(it, |crashes| crashes.processes.clone()),
        read: |it, text| push(&mut crashes(it).processes, text),
    },
    Row {
        key: "crashes-max",
        write: |it| of_crashes(it, |crashes| listed(&crashes.max)),
        read: |it, text| {
            let max = text.parse().map_err(|_| "a number of crashes")?;
            set(&mut crashes(it).max, Some(max))
        },
    },
    Row {
        key: "crash-points",
        write: |it| {
            of_crashes(it, |crashes| match crashes.points {
                CrashPoints::Every => Vec::new(),
                CrashPoints::Calls => vec!["calls".to_owned()],
            })
        },
        read: |it, text| match text {
            "calls" => set(&mut crashes(it).points, CrashPoints::Calls),
            _ => Ok(()),
        },
    },
    Row {
        key: "restart",
        write: |it| of_crashes(it, |crashes| unless(crashes.restart)),
        read: |it, text| set(&mut crashes(it).restart, text != "false"),
    },
    Row {
        key: "crashes-cease",
        write: |it| of_crashes(it, |crashes| unless(crashes.may_cease)),
        read: |it, text| set(&mut crashes(it).may_cease, text != "false"),
    },
    Row {
        key: "labels",
        write: |it| flag(it.options.labels.is_some()),
        read: |it, text| {
            if text == "true" {
                it.options.labels.get_or_insert_default();
            }
            Ok(())
        },
    },
    // A name to be shown may also be that of a label, which is of no concern here.
    Row {
        key: "show",
        write: |it| {
            let kinds = it.options.labels.iter().flatten();
            kinds.map(|kind| kind.word().to_owned()).collect()
        },
        read: |it, text| {
            it.options.labels.get_or_insert_default().extend(LabelKind::parse(text));
            Ok(())
        },
    },
    Row {
        key: "reading",
        write: |it| reading(it.options.reading),
        read: |it, text| read_reading(text, &mut it.options.reading),
    },
    // What traces said before readings had names.
    Row {
        key: "for-races",
        write: |_| Vec::new(),
        read: |it, text| set(&mut it.options.reading, older_reading(text)),
    },
];

fn crashes(source: &mut ErlangSource) -> &mut Crashes {
    source.options.crashes.get_or_insert_default()
}

fn of_crashes(source: &ErlangSource, write: fn(&Crashes) -> Vec<String>) -> Vec<String> {
    source.options.crashes.as_ref().map(write).unwrap_or_default()
}

fn define_text((name, text): &(String, Option<String>)) -> String {
    match text {
        Some(text) => format!("{name}={text}"),
        None => name.clone(),
    }
}

fn reading(reading: Reading) -> Vec<String> {
    listed(&(reading != Reading::default()).then(|| reading.word()))
}

fn read_reading(text: &str, reading: &mut Reading) -> Result<(), &'static str> {
    *reading = Reading::parse(text).ok_or("a reading, `merged` or `exact`")?;
    Ok(())
}

fn older_reading(text: &str) -> Reading {
    if text == "true" { Reading::Exact } else { Reading::Merged }
}

fn listed<V: ToString>(value: &Option<V>) -> Vec<String> {
    value.iter().map(V::to_string).collect()
}

fn flag(is_set: bool) -> Vec<String> {
    listed(&is_set.then_some("true"))
}

/// For what is on by default.
fn unless(is_set: bool) -> Vec<String> {
    listed(&(!is_set).then_some("false"))
}

fn count(n: u32) -> Vec<String> {
    listed(&(n > 0).then_some(n))
}

fn number(text: &str, place: &mut u32) -> Result<(), &'static str> {
    set(place, text.parse().map_err(|_| "a number")?)
}

fn set<V>(place: &mut V, value: V) -> Result<(), &'static str> {
    *place = value;
    Ok(())
}

fn push(list: &mut Vec<String>, text: &str) -> Result<(), &'static str> {
    list.push(text.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests;
