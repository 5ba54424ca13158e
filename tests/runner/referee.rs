//! Engines referee each other: a run is answered by every strategy, store and number of threads, and they must agree.
//! What must be equal: the verdict, everywhere. Where all states were explored, the numbers of states and transitions too,
//! whatever the order. Between breadth-first with one thread, with two, with three: everything that is reported. With fingerprints: every word of
//! the answer.
//! A violation in an answer has been replayed on a fresh instance by `check` itself; a replay that shows something else
//! is the verdict `error` and so never agrees.

use foresee_session::{
    CheckRequest, NoFiles, NoMeter, NodesSource, Outcome, Registry, Report, Silent, Source,
    Strategy, VisitedKind, check, open,
};

/// What a run says.
struct Request {
    source: NodesSource,
    check: CheckRequest,
    /// Only this strategy was asked for, so there is nobody to disagree.
    only: Option<Strategy>,
}

/// The answer of every engine, as the lines of a case file.
pub(crate) fn answer(words: &str) -> Result<Vec<String>, String> {
    let request = parse(words)?;
    if let Some(strategy) = request.only {
        let report = explore(&request, |check| check.strategy = strategy)?;
        if matches!(strategy, Strategy::BreadthFirst | Strategy::Random) {
            agree_for_any_number_of_threads(&report, |threads| {
                explore(&request, |check| (check.strategy, check.threads) = (strategy, threads))
            })?;
        }
        return Ok(lines(&report, true));
    }
    let bfs = explore(&request, |_| {})?;
    let answer = lines(&bfs, true);
    let twice = explore(&request, |_| {})?;
    agree("a second run", &answer, &lines(&twice, true))?;
    agree_for_any_number_of_threads(&bfs, |threads| {
        explore(&request, |check| check.threads = threads)
    })?;
    let fingerprint = explore(&request, |check| check.visited = VisitedKind::Fingerprint)?;
    agree("fingerprints", &answer, &lines(&fingerprint, true))?;
    let reduced = explore(&request, |check| check.reduction.por = true)?;
    agree_on_verdict("with local steps at once", &request, &bfs, &reduced)?;

    let dfs = explore(&request, |check| check.strategy = Strategy::DepthFirst)?;
    agree_on_size("depth-first", &request, &bfs, &dfs)?;
    let best = explore(&request, |check| check.strategy = Strategy::BestFirst)?;
    if best.error.is_none() {
        agree_on_size("best-first", &request, &bfs, &best)?;
    }
    Ok(answer.into_iter().chain(lines(&dfs, false)).collect())
}

/// Builds the system anew and checks it: nothing is shared between two engines.
fn explore(request: &Request, adjust: impl FnOnce(&mut CheckRequest)) -> Result<Report, String> {
    let source = Source::Nodes(request.source.clone());
    let loaded =
        open(&source, &Registry::stock(), &NoFiles).map_err(|diagnostic| diagnostic.to_string())?;
    let mut check_request = request.check.clone();
    adjust(&mut check_request);
    Ok(check(&loaded, &check_request, &NoMeter, &mut Silent))
}

/// Two threads and three say all that one says, but for how many they were and what it cost.
pub(super) fn agree_for_any_number_of_threads(
    alone: &Report,
    explore: impl Fn(usize) -> Result<Report, String>,
) -> Result<(), String> {
    for threads in [2, 3] {
        let (alone, several) = (whole(alone), whole(&explore(threads)?));
        if alone != several {
            return Err(format!("{threads} threads disagree.\n{alone}\n{several}"));
        }
    }
    Ok(())
}

fn whole(report: &Report) -> String {
    let mut report = report.clone();
    (report.threads, report.seconds, report.peak_memory_bytes) = (1, 0.0, 0);
    (report.extras.search_bytes, report.extras.store_bytes) = (0, 0);
    // Threads that are ahead when the search stops have run handlers in vain.
    report.extras.handler_calls = 0;
    format!("{report:?}")
}

fn agree(who: &str, expected: &[String], actual: &[String]) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    Err(format!(
        "{who} disagrees.\nbreadth-first:\n{}\n{who}:\n{}",
        expected.join("\n"),
        actual.join("\n")
    ))
}

/// A search that leaves states out finds the same wrong, on as short a run; a limit may strike one of the two.
fn agree_on_verdict(
    who: &str,
    request: &Request,
    bfs: &Report,
    other: &Report,
) -> Result<(), String> {
    let is_cut = [bfs, other].iter().any(|it| it.verdict == Outcome::Inconclusive);
    let steps = |report: &Report| match request.check.keep_going {
        true => None,
        false => report.violations.first().map(|found| found.steps_found),
    };
    let is_same = bfs.verdict == other.verdict && steps(bfs) == steps(other);
    if is_same || is_cut && bfs.verdict != Outcome::Violated {
        return Ok(());
    }
    let (expected, actual) = (lines(bfs, true), lines(other, true));
    Err(format!(
        "{who} disagrees.\nbreadth-first:\n{}\n{who}:\n{}",
        expected.join("\n"),
        actual.join("\n")
    ))
}

/// Another order of exploration finds the same verdict and, if nothing stopped it, the same space.
fn agree_on_size(who: &str, request: &Request, bfs: &Report, other: &Report) -> Result<(), String> {
    let everything = bfs.verdict == Outcome::Holds || request.check.keep_going;
    let size = |report: &Report| everything.then_some((report.states, report.transitions));
    if bfs.verdict == other.verdict && size(bfs) == size(other) {
        return Ok(());
    }
    let (expected, actual) = (lines(bfs, true), lines(other, true));
    Err(format!(
        "{who} disagrees.\nbreadth-first:\n{}\n{who}:\n{}",
        expected.join("\n"),
        actual.join("\n")
    ))
}

/// An answer as text: no times, no sizes in bytes, nothing that differs between machines.
fn lines(report: &Report, with_trace: bool) -> Vec<String> {
    let mut first = format!("stateful({}): {}", report.strategy, report.verdict.word());
    if let Some(stopped_by) = report.stopped_by {
        first += &format!(" by {}", stopped_by.word());
    }
    if let Some(error) = &report.error {
        first += &format!(" {}", error.code);
    }
    first += &format!(", states = {}, transitions = {}", report.states, report.transitions);
    if report.strategy == "bfs" {
        first += &format!(", depth = {}", report.depth);
    }
    let mut lines = vec![first];
    for found in &report.violations {
        let what = [Some(found.kind.word()), found.property.as_deref()];
        let what: Vec<&str> = what.into_iter().flatten().collect();
        lines.push(format!("  {} in {} steps", what.join(" "), found.steps));
        let events = found.run.iter().flat_map(|trace| &trace.events);
        if with_trace {
            lines.extend(events.map(|event| format!("    {}", event.label)));
            lines.extend(found.message.lines().map(|line| format!("    = {line}")));
        }
    }
    lines
}

fn parse(words: &str) -> Result<Request, String> {
    let mut words = words.split_whitespace();
    if words.next() != Some("check") {
        return Err("only `check` can be run".to_owned());
    }
    let name = words.next().ok_or("nothing to check")?.to_owned();
    let mut request = Request {
        source: NodesSource { name, ..NodesSource::default() },
        check: CheckRequest::default(),
        only: None,
    };
    while let Some(word) = words.next() {
        match word.strip_prefix("--") {
            None => request.source.parameters.push(word.to_owned()),
            Some("keep-going") => request.check.keep_going = true,
            Some("check-code") => request.source.options.check_code = true,
            Some(flag) => {
                let value = words.next().ok_or_else(|| format!("--{flag} lacks its value"))?;
                set_flag(&mut request, flag, value)?;
            }
        }
    }
    Ok(request)
}

fn set_flag(request: &mut Request, flag: &str, value: &str) -> Result<(), String> {
    let number = || value.parse::<u32>().map_err(|_| format!("--{flag} {value}: not a number"));
    match flag {
        "drops-max" => request.source.options.drops = number()?,
        "duplicates-max" => request.source.options.duplicates = number()?,
        "crashes-max" => request.source.options.crashes = number()?,
        "restarts-max" => request.source.options.restarts = number()?,
        "partitions-max" => request.source.options.partitions = number()?,
        "depth-max" => request.check.limits.depth_max = Some(number()?),
        "states-max" => request.check.limits.states_max = Some(u64::from(number()?)),
        "interleavings-max" => request.check.limits.interleavings_max = Some(u64::from(number()?)),
        "seed" => request.check.seed = u64::from(number()?),
        "invariant" => request.check.invariants.push(value.replace('_', " ")),
        "strategy" => request.only = Some(strategy(value)?),
        _ => return Err(format!("the runner does not know --{flag}")),
    }
    Ok(())
}

fn strategy(word: &str) -> Result<Strategy, String> {
    match word {
        "bfs" => Ok(Strategy::BreadthFirst),
        "dfs" => Ok(Strategy::DepthFirst),
        "best-first" => Ok(Strategy::BestFirst),
        "random" => Ok(Strategy::Random),
        _ => Err(format!("there is no strategy {word}")),
    }
}
