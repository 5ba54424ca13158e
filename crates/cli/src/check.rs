//! `foresee check`: from flags to a request, and from the report to the terminal and the trace files.

use crate::args::{Check, Dpor, Engine, Format, Interleavings, Output};
use crate::args::{Reduction, Scheduling, Strategy, Visited, What};
use crate::files::Traces;
use crate::progress::Line;
use crate::{
    Program, blocks, cluster, debug, files, folder, junit, last_words, meter, note, print, render,
    run_text, tested, width,
};
use foresee_session::{
    CheckRequest, ClusterRequest, Diagnostic, HeldBack, Limits, Report, VisitedKind, check,
};

/// More interleavings than this nobody looks at in a graph.
const GRAPH_MAX: usize = 1_000;

pub(crate) fn run(program: &Program, arguments: &Check) -> u8 {
    if let Some(code) = tested::checked(program, arguments) {
        return code;
    }
    let request = CheckRequest { disk: folder::request(&arguments.on_disk), ..request(arguments) };
    if request.disk.is_some() && request.limits.memory_max.is_some() {
        blocks::give_back();
    }
    meter::listen_for_interrupt();
    let failed =
        |diagnostic| report_error("check", &arguments.what, &arguments.output, diagnostic, program);
    let request = match together(arguments, request) {
        Ok(request) => request,
        Err(diagnostic) => return failed(diagnostic),
    };
    let is_member = request.cluster.as_ref().is_some_and(ClusterRequest::is_member);
    if is_member {
        last_words::be_silent();
    }
    let meter = meter::RealMeter::start(&request.limits);
    let loaded = match arguments.what.open(program, &arguments.faults, arguments.check_code) {
        Ok(loaded) => loaded,
        Err(diagnostic) => return failed(diagnostic),
    };
    let request = CheckRequest { also_late: true, ..request };
    let mut line = Line::new(arguments.output.quiet || is_member, request.limits.clone());
    let mut report = check(&loaded, &request, &meter, &mut line);
    line.finish();
    if is_member {
        return of_member(&report, program);
    }
    report.peak_memory_bytes = meter::peak_memory_bytes().unwrap_or(report.peak_memory_bytes);
    let which = if arguments.all_traces { Traces::All } else { Traces::OneOfAKind };
    files::save_traces(&mut report, loaded.short_name(), arguments.trace.as_deref(), which);
    if let Some(mut also) = report.also_checked.take() {
        // The second search is there only where the first has found nothing.
        std::mem::swap(&mut report.violations, &mut also.violations);
        files::save_traces(&mut report, loaded.short_name(), arguments.trace.as_deref(), which);
        std::mem::swap(&mut report.violations, &mut also.violations);
        report.also_checked = Some(also);
    }
    if arguments.output.steps {
        report.show_steps();
    }
    let graph = files::save_graph(&mut report, arguments.graph.as_deref());
    let reopen = || Ok(loaded.clone());
    let page = files::save_page(&mut report, arguments.report.as_deref(), program, &reopen);
    let code = show(&report, &arguments.output, program);
    if arguments.output.format == Format::Text && !arguments.output.quiet {
        print(&(graph + &page));
    }
    let (flag, format) = (&arguments.debug, arguments.output.format);
    debug::after(program, flag, format, &reopen, &report, code)
}

/// With the other processes, if there are any: each has its part of the memory, and as many threads as the others.
fn together(arguments: &Check, request: CheckRequest) -> Result<CheckRequest, Diagnostic> {
    let n = arguments.cluster.processes.unwrap_or(1);
    // Without a number, the cores of this machine are shared out among its processes.
    let threads = if arguments.threads == 0 { request.threads / n } else { request.threads };
    let cluster = cluster::request(&arguments.cluster, threads.max(1))?;
    let n = cluster.as_ref().map_or(1, |it| it.cluster.processes() as u64);
    let memory_max = request.limits.memory_max.map(|bytes| bytes / n);
    let limits = Limits { memory_max, ..request.limits.clone() };
    Ok(CheckRequest { cluster, limits, ..request })
}

/// The first process reports; another one says what went wrong with it, and nothing else.
fn of_member(report: &Report, program: &Program) -> u8 {
    match &report.error {
        None => 0,
        Some(error) => {
            note(&render::diagnostic(error, program.typed().program));
            report.verdict.exit_code()
        }
    }
}

pub(crate) fn request(arguments: &Check) -> CheckRequest {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    CheckRequest {
        engine: match (arguments.engine, arguments.strategy) {
            (Some(Engine::Stateless), _) => Some(foresee_session::Engine::Stateless),
            (Some(Engine::Stateful), _) | (None | Some(Engine::Auto), Some(_)) => {
                Some(foresee_session::Engine::Stateful)
            }
            (None | Some(Engine::Auto), None) => None,
        },
        interleavings: interleavings(&arguments.interleavings),
        strategy: match arguments.strategy.unwrap_or(Strategy::Bfs) {
            Strategy::Bfs => foresee_session::Strategy::BreadthFirst,
            Strategy::Dfs => foresee_session::Strategy::DepthFirst,
            Strategy::Random => foresee_session::Strategy::Random,
            Strategy::BestFirst => foresee_session::Strategy::BestFirst,
        },
        visited: match arguments.visited {
            Visited::Exact => VisitedKind::Exact,
            Visited::Fingerprint => VisitedKind::Fingerprint,
        },
        limits: Limits {
            interleavings_max: arguments.interleavings_max,
            ..arguments.limits.to_search()
        },
        threads: if arguments.threads == 0 { cores() } else { arguments.threads },
        seed: arguments.seed,
        keep_going: arguments.keep_going,
        reduction: foresee_session::Reduction {
            symmetry: arguments.reduction.contains(&Reduction::Symmetry),
            por: arguments.reduction.contains(&Reduction::Por),
        },
        invariants: arguments.invariant.clone(),
        crash: arguments.faults.crash.clone(),
        check_independence: arguments.check_independence,
        minimise: !arguments.no_minimise,
        held_back: HeldBack::default(),
        also_late: false,
        graph_max: if arguments.graph.is_some() { GRAPH_MAX } else { 0 },
        guide: arguments.guide.clone(),
        disk: None,
        cluster: None,
    }
}

fn interleavings(arguments: &Interleavings) -> foresee_session::InterleavingOptions {
    foresee_session::InterleavingOptions {
        dpor: arguments.dpor.map(|dpor| match dpor {
            Dpor::Optimal => foresee_session::Dpor::Optimal,
            Dpor::Source => foresee_session::Dpor::Source,
            Dpor::Persistent => foresee_session::Dpor::Persistent,
            Dpor::None => foresee_session::Dpor::None,
        }),
        bound: arguments.bound,
        bound_kind: arguments.bound_type,
        observers: arguments.observers,
        scheduling: arguments.scheduling.map(|order| match order {
            Scheduling::Oldest => foresee_session::Scheduling::Oldest,
            Scheduling::Newest => foresee_session::Scheduling::Newest,
            Scheduling::RoundRobin => foresee_session::Scheduling::RoundRobin,
        }),
        non_racing: arguments.non_racing.clone(),
        ..Default::default()
    }
}

/// Prints a report in the format asked for and gives the exit code.
pub(crate) fn show(report: &Report, output: &Output, program: &Program) -> u8 {
    show_as(report, output, program.typed())
}

/// The same, for a program of this name.
pub(crate) fn show_as(report: &Report, output: &Output, typed: render::Typed<'_>) -> u8 {
    match output.format {
        Format::Text => {
            print(&render::report(report, output, typed));
            for warning in &report.warnings {
                note(&width::fitted(&render::warning(warning)));
            }
            if let Some(error) = &report.error {
                note(&render::diagnostic(error, typed.program));
            }
        }
        Format::Json => {
            print(&format!("{}\n", report.to_json()));
        }
        Format::Junit => {
            let story = |found: &_| {
                anstream::adapter::strip_str(&run_text::story(found, output)).to_string()
            };
            print(&junit::junit(report, story));
        }
    }
    report.verdict.exit_code()
}

/// Reports that nothing could be done, in the format asked for.
pub(crate) fn report_error(
    command: &'static str,
    what: &What,
    output: &Output,
    diagnostic: Diagnostic,
    program: &Program,
) -> u8 {
    show(&Report::error(command, what.words(), diagnostic), output, program)
}
