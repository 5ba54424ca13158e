//! An Erlang request as the options of a trace's header and back, so that a trace can be replayed where its files are.
//! The keys are those of the command line without their dashes; `file` stands once for each file.

use super::{CrashPoints, Crashes, ErlangOptions, ErlangRequest, Ignored, LabelKind, Labels};
use crate::{Code, Diagnostic};
use foresee_trace::Trace;

/// Everything needed to load the program again.
pub(crate) fn to_pairs(
    request: &ErlangRequest,
    module: &str,
    function: &str,
) -> Vec<(&'static str, String)> {
    // Every field is named, so that a new one does not compile until it has its line.
    let ErlangRequest {
        files,
        module: _,
        function: _,
        supervisor,
        includes,
        defines,
        sources,
        otp,
        options,
    } = request;
    let mut pairs: Vec<(&'static str, String)> = Vec::new();
    pairs.extend(files.iter().map(|file| ("file", file.clone())));
    match supervisor {
        Some((module, function)) => pairs.push(("supervisor", format!("{module}:{function}"))),
        None => {
            pairs.push(("module", module.to_owned()));
            pairs.push(("test", function.to_owned()));
        }
    }
    pairs.extend(includes.iter().map(|folder| ("include", folder.clone())));
    pairs.extend(defines.iter().map(|(name, text)| match text {
        Some(text) => ("define", format!("{name}={text}")),
        None => ("define", name.clone()),
    }));
    pairs.extend(sources.iter().map(|folder| ("src", folder.clone())));
    pairs.extend(otp.iter().map(|folder| ("otp", folder.clone())));
    pairs.extend(pairs_of_options(options));
    pairs
}

fn pairs_of_options(options: &ErlangOptions) -> Vec<(&'static str, String)> {
    let ErlangOptions {
        instant_delivery,
        after_timeout,
        clock,
        normal_reasons,
        ignored,
        assertions_only,
        first_process_errors_only,
        for_races,
        crashes,
        labels,
    } = options;
    let flag = |key: &'static str, is_set: bool| is_set.then(|| (key, "true".to_owned()));
    let mut pairs: Vec<(&'static str, String)> = Vec::new();
    pairs.extend(instant_delivery.map(|it| ("instant-delivery", it.to_string())));
    pairs.extend(after_timeout.map(|ms| ("after-timeout", ms.to_string())));
    pairs.extend(clock.map(|mode| ("clock", super::attributes::word_of(mode).to_owned())));
    pairs.extend(normal_reasons.iter().map(|it| ("treat-as-normal", it.clone())));
    pairs.extend(ignored.iter().map(|it| ("ignore-error", it.word().to_owned())));
    pairs.extend(flag("assertions-only", *assertions_only));
    pairs.extend(flag("first-process-errors-only", *first_process_errors_only));
    pairs.extend(crashes.iter().flat_map(pairs_of_crashes));
    pairs.extend(flag("labels", labels.is_some()));
    pairs.extend(flag("for-races", *for_races));
    pairs
}

fn pairs_of_crashes(crashes: &Crashes) -> Vec<(&'static str, String)> {
    let Crashes { processes, max, points, restart, may_cease } = crashes;
    let mut pairs: Vec<(&'static str, String)> = Vec::new();
    pairs.extend(processes.iter().map(|name| ("crash", name.clone())));
    pairs.extend(max.map(|max| ("crashes-max", max.to_string())));
    if *points == CrashPoints::Calls {
        pairs.push(("crash-points", "calls".to_owned()));
    }
    if !restart {
        pairs.push(("restart", "false".to_owned()));
    }
    if !may_cease {
        pairs.push(("crashes-cease", "false".to_owned()));
    }
    pairs
}

/// Whether a trace is of an Erlang program.
pub(crate) fn is_erlang(trace: &Trace) -> bool {
    trace.options.iter().any(|(key, _)| key == "file")
}

/// The request that a trace's header holds.
pub(crate) fn request_of(trace: &Trace) -> Result<ErlangRequest, Diagnostic> {
    let mut request = ErlangRequest::default();
    for (key, value) in &trace.options {
        let damaged = |expected: &str| {
            Diagnostic::new(Code::TraceDamaged, format!("`{value}` is not {expected}"))
                .at(format!("option: {key} = {value}"))
                .help("correct the line in the trace's header")
        };
        let text = || value.clone();
        let options: &mut ErlangOptions = &mut request.options;
        match key.as_str() {
            "file" => request.files.push(text()),
            "module" => request.module = Some(text()),
            "test" => request.function = Some(text()),
            "include" => request.includes.push(text()),
            "define" => request.defines.push(define(value)),
            "src" => request.sources.push(text()),
            "otp" => request.otp = Some(text()),
            "instant-delivery" => options.instant_delivery = Some(value != "false"),
            "after-timeout" => {
                let ms = value.parse().map_err(|_| damaged("a number of milliseconds"))?;
                options.after_timeout = Some(ms);
            }
            "clock" => {
                let mode = super::attributes::CLOCKS.iter().find(|(word, _)| word == value);
                options.clock = Some(mode.ok_or_else(|| damaged("`moving` or `frozen`"))?.1);
            }
            "treat-as-normal" => options.normal_reasons.push(text()),
            "ignore-error" => {
                let kind = Ignored::parse(value).ok_or_else(|| damaged("a kind of error"))?;
                options.ignored.push(kind);
            }
            "assertions-only" => options.assertions_only = value == "true",
            "first-process-errors-only" => options.first_process_errors_only = value == "true",
            "supervisor" => {
                let pair = value.split_once(':').ok_or_else(|| damaged("MODULE:FUNCTION"))?;
                request.supervisor = Some((pair.0.to_owned(), pair.1.to_owned()));
            }
            "crash" => crashes(options).processes.push(text()),
            "crashes-max" => {
                let max = value.parse().map_err(|_| damaged("a number of crashes"))?;
                crashes(options).max = Some(max);
            }
            "crash-points" if value == "calls" => crashes(options).points = CrashPoints::Calls,
            "restart" => crashes(options).restart = value != "false",
            "crashes-cease" => crashes(options).may_cease = value != "false",
            "labels" if value == "true" => _ = labels(options),
            "show" => labels(options).show.extend(LabelKind::parse(value)),
            "for-races" => options.for_races = value == "true",
            _ => {}
        }
    }
    Ok(request)
}

fn crashes(options: &mut ErlangOptions) -> &mut Crashes {
    options.crashes.get_or_insert_default()
}

fn labels(options: &mut ErlangOptions) -> &mut Labels {
    options.labels.get_or_insert_default()
}

/// `NAME` or `NAME=TEXT`.
fn define(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, text)) => (name.to_owned(), Some(text.to_owned())),
        None => (text.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_survives_the_way_into_a_trace_and_back() {
        let request = ErlangRequest {
            files: vec!["a b.erl".to_owned(), " -c\n.erl".to_owned()],
            module: Some("m".to_owned()),
            function: Some("race_test".to_owned()),
            supervisor: None,
            includes: vec!["include".to_owned()],
            defines: vec![("A".to_owned(), None), ("B".to_owned(), Some("x = 1".to_owned()))],
            sources: vec!["src".to_owned()],
            otp: Some("otp".to_owned()),
            options: ErlangOptions {
                instant_delivery: Some(false),
                after_timeout: Some(50),
                clock: Some(foresee_erlang::ClockMode::Frozen),
                normal_reasons: vec!["shutdown".to_owned(), "'a\tb\n'".to_owned(), " ".to_owned()],
                ignored: Ignored::ALL.iter().map(|(kind, _)| *kind).collect(),
                assertions_only: true,
                first_process_errors_only: true,
                for_races: true,
                crashes: Some(Crashes {
                    processes: vec!["client_*".to_owned(), "locker".to_owned()],
                    max: Some(2),
                    points: CrashPoints::Calls,
                    restart: false,
                    may_cease: false,
                }),
                labels: Some(Labels::default()),
            },
        };
        let trace = to_pairs(&request, "m", "race_test")
            .into_iter()
            .fold(Trace::new("m:race_test/0"), |trace, (key, value)| trace.with_option(key, value));
        let trace = Trace::parse(&trace.to_string()).expect("our own text");
        assert!(is_erlang(&trace));
        assert_eq!(request_of(&trace), Ok(request));
        let tree = ErlangRequest {
            files: vec!["m_sup.erl".to_owned()],
            supervisor: Some(("m_sup".to_owned(), "start_link".to_owned())),
            ..ErlangRequest::default()
        };
        let trace = to_pairs(&tree, "m_sup", "start_link")
            .into_iter()
            .fold(Trace::new("m_sup:start_link/0"), |it, (key, value)| it.with_option(key, value));
        assert_eq!(request_of(&trace), Ok(tree));
        let damaged = Trace::new("m:f/0").with_option("after-timeout", "soon");
        assert!(request_of(&damaged).is_err() && !is_erlang(&damaged));
    }
}
