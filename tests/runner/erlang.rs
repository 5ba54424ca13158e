//! Erlang cases: the program is the case, and its first lines say what is run and what the answer is.
//!
//! ```text
//! %! run: two_locks:test/0
//! %! verdict: deadlock
//! %! stateful(bfs): deadlock, states = 17, transitions = 20, depth = 9
//! ```
//! `verdict` is what a person derived; every engine must come to it. A line for an engine is its whole answer, counts included;
//! such lines are written by `UPDATE_EXPECT=1` where a file has one already. For interleavings the line reads
//! `%! stateless(optimal): deadlock, interleavings = 3`: explored until the first error, or all if there is none.
//! A supervision tree is named with `%! supervisor: locker_sup:start_link/0` in place of `run`; who may crash, and how, with
//! `%! crash: client_1 client_2`, `%! crashes-max: 1`, `%! crash-points: calls` and `%! restart: false`.
//! `%! verdict: error E0302` is for what cannot be checked: every engine stops with that diagnostic.
//! A violation is replayed here from the text of its trace, as `foresee replay` would.

use foresee_session::{
    CheckRequest, CrashPoints, Crashes, Dpor, Engine, ErlangOptions, ErlangSource, Files, Loaded,
    NoMeter, Outcome, Registry, Report, Silent, Strategy, Trace, check, open, replay,
};
use std::path::Path;

/// More states than any case has; a case that grows beyond is told, not waited for.
const STATES_MAX: u64 = 200_000;

/// More runs than any case has, with source sets too.
const INTERLEAVINGS_MAX: u64 = 50_000;

/// The sources beside the case, by their names.
struct Beside<'p>(&'p Path);

impl Files for Beside<'_> {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(self.0.join(path)).map_err(|error| error.to_string())
    }

    /// A case is one file: nothing is found that it does not hold or include.
    fn list(&self, _: &str) -> Option<Vec<String>> {
        None
    }
}

/// Runs a case; with `update`, answers the text with its engines' lines rewritten.
pub(crate) fn run(path: &Path, text: &str, update: bool) -> Result<Option<String>, String> {
    let header = Header::parse(text)?;
    let folder = path.parent().ok_or("a file is in a folder")?;
    let name = path.file_name().ok_or("a file has a name")?.to_string_lossy().into_owned();
    let case = Case { header: &header, files: &Beside(folder), name };
    if let Some(code) = header.verdict.strip_prefix("error ") {
        return case.stops_with(code).map(|()| None);
    }
    let bfs = case.check(|_| {})?;
    let answer = line(&bfs);
    case.agrees_with_the_person("breadth-first", &bfs)?;
    case.replay(&bfs)?;
    let dfs = case.check(|request| request.strategy = Strategy::DepthFirst)?;
    if (bfs.verdict == Outcome::Holds) != (dfs.verdict == Outcome::Holds) {
        return Err(format!("breadth-first: {answer}\ndepth-first: {}", line(&dfs)));
    }
    if bfs.verdict == Outcome::Holds && size(&bfs) != size(&dfs) {
        return Err(format!("breadth-first: {answer}\ndepth-first: {}", line(&dfs)));
    }
    let reduced = case.check(|request| request.reduction.por = true)?;
    case.agrees_with_the_person("with local steps at once", &reduced)?;
    case.replay(&reduced)?;
    super::referee::agree_for_any_number_of_threads(&bfs, |threads| {
        case.check(|request| request.threads = threads)
    })?;
    let interleavings = case.interleavings()?;
    let answers =
        [(STATEFUL, &header.stateful, answer), (STATELESS, &header.stateless, interleavings)];
    let mut rewritten = None;
    for (key, expected, answer) in &answers {
        match expected {
            Some(expected) if update && expected != answer => {
                let text = rewritten.as_deref().unwrap_or(text);
                rewritten = Some(with_line(text, key, answer));
            }
            Some(expected) if expected != answer => {
                return Err(format!(
                    "- {expected}\n+ {answer}\n(-: expected, +: actual; UPDATE_EXPECT=1 rewrites the case)"
                ));
            }
            _ => {}
        }
    }
    Ok(rewritten)
}

#[derive(Debug)]
struct Header {
    module: String,
    function: String,
    is_supervisor: bool,
    crashes: Option<Crashes>,
    verdict: String,
    stateful: Option<String>,
    stateless: Option<String>,
}

const STATEFUL: &str = "%! stateful(bfs):";
const STATELESS: &str = "%! stateless(optimal):";

impl Header {
    fn parse(text: &str) -> Result<Self, String> {
        let value = |key: &str| {
            let mut lines = text.lines().take_while(|line| line.starts_with("%!"));
            lines.find_map(|line| Some(line.strip_prefix(key)?.trim().to_owned()))
        };
        let tree = value("%! supervisor:");
        let is_supervisor = tree.is_some();
        let run = tree.or_else(|| value("%! run:"));
        let run = run.ok_or("nothing is run: write `%! run: module:function/0`")?;
        let start = run.strip_suffix("/0").and_then(|run| run.split_once(':'));
        let (module, function) = start.ok_or_else(|| format!("`{run}` is no module:function/0"))?;
        let verdict = value("%! verdict:");
        let verdict =
            verdict.ok_or("what is the answer? Write `%! verdict: holds` or a kind of error")?;
        let (module, function) = (module.to_owned(), function.to_owned());
        let (stateful, stateless) = (value(STATEFUL), value(STATELESS));
        let crashes = crashes(value)?;
        Ok(Header { module, function, is_supervisor, crashes, verdict, stateful, stateless })
    }
}

/// Who may crash, if anybody.
fn crashes(value: impl Fn(&str) -> Option<String>) -> Result<Option<Crashes>, String> {
    let Some(names) = value("%! crash:") else { return Ok(None) };
    let max = value("%! crashes-max:").map(|max| max.parse()).transpose();
    Ok(Some(Crashes {
        processes: names.split_whitespace().map(str::to_owned).collect(),
        max: max.map_err(|_| "`crashes-max` is a number")?,
        points: match value("%! crash-points:").as_deref() {
            Some("calls") => CrashPoints::Calls,
            None | Some("every") => CrashPoints::Every,
            Some(other) => return Err(format!("`{other}` is neither `every` nor `calls`")),
        },
        restart: value("%! restart:").is_none_or(|restart| restart != "false"),
        ..Crashes::default()
    }))
}

/// The text with the line of an engine rewritten.
fn with_line(text: &str, key: &str, answer: &str) -> String {
    let lines = text.lines().map(|line| match line.starts_with(key) {
        true => format!("{key} {answer}\n"),
        false => format!("{line}\n"),
    });
    lines.collect()
}

struct Case<'c> {
    header: &'c Header,
    files: &'c Beside<'c>,
    name: String,
}

impl Case<'_> {
    fn load(&self) -> Result<Loaded, String> {
        let Header { module, function, is_supervisor, crashes, .. } = self.header;
        let start = (module.clone(), function.clone());
        let request = ErlangSource {
            files: vec![self.name.clone()],
            module: (!is_supervisor).then(|| module.clone()),
            function: (!is_supervisor).then(|| function.clone()),
            supervisor: is_supervisor.then_some(start),
            options: ErlangOptions { crashes: crashes.clone(), ..ErlangOptions::default() },
            ..ErlangSource::default()
        };
        open(&request.into(), &Registry::new(), self.files).map_err(|diagnostic| {
            let all = std::iter::once(&diagnostic).chain(&diagnostic.also);
            all.map(ToString::to_string).collect::<Vec<_>>().join("\n")
        })
    }

    /// Loads the program anew and checks it: nothing is shared between two engines.
    fn check(&self, adjust: impl FnOnce(&mut CheckRequest)) -> Result<Report, String> {
        let mut request =
            CheckRequest { engine: Some(Engine::Stateful), ..CheckRequest::default() };
        request.limits.states_max = Some(STATES_MAX);
        adjust(&mut request);
        let report = check(&self.load()?, &request, &NoMeter, &mut Silent);
        match &report.error {
            Some(error) => Err(error.to_string()),
            None => Ok(report),
        }
    }

    /// Loading the program or checking it, by either engine, ends in a diagnostic with this code.
    fn stops_with(&self, code: &str) -> Result<(), String> {
        for engine in [Engine::Stateful, Engine::Stateless] {
            let request = CheckRequest { engine: Some(engine), ..CheckRequest::default() };
            let found = match self.load() {
                Err(diagnostics) => diagnostics,
                Ok(loaded) => {
                    let report = check(&loaded, &request, &NoMeter, &mut Silent);
                    let error = report.error.as_ref().map(ToString::to_string);
                    error.ok_or_else(|| format!("{engine:?} says {}", line(&report)))?
                }
            };
            if !found.contains(&format!("[{code}]")) {
                return Err(format!("{engine:?} says\n{found}\nand {code} is right"));
            }
        }
        Ok(())
    }

    /// The engine of interleavings comes to the person's verdict too, however runs are chosen, and its runs are replayed.
    fn interleavings(&self) -> Result<String, String> {
        let stateless = |dpor: Option<Dpor>| {
            self.check(|request| {
                request.engine = Some(Engine::Stateless);
                request.interleavings.dpor = dpor;
                request.limits.interleavings_max = Some(INTERLEAVINGS_MAX);
            })
        };
        let with_threads = |threads: usize| {
            self.check(|request| {
                (request.engine, request.threads) = (Some(Engine::Stateless), threads);
            })
        };
        super::referee::agree_for_any_number_of_threads(&with_threads(1)?, with_threads)?;
        let optimal = stateless(None)?;
        self.agrees_with_the_person("every interleaving", &optimal)?;
        self.replay(&optimal)?;
        if optimal.sleep_set_blocked > 0 {
            return Err(format!("{} runs were begun in vain", optimal.sleep_set_blocked));
        }
        self.agrees_with_the_person("by source sets", &stateless(Some(Dpor::Source))?)?;
        Ok(format!("{}, interleavings = {}", verdict(&optimal), optimal.interleavings))
    }

    fn agrees_with_the_person(&self, who: &str, report: &Report) -> Result<(), String> {
        if verdict(report) == self.header.verdict {
            return Ok(());
        }
        let expected = &self.header.verdict;
        let story: String = report
            .violations
            .iter()
            .flat_map(|found| {
                let events = found.run.iter().flat_map(|run| &run.events);
                let events = events.map(|event| format!("  {}\n", event.label));
                events.chain([format!("  = {}\n", found.message)])
            })
            .collect();
        Err(format!("{who} says {}, and {expected} is right\n{story}", line(report)))
    }

    /// Replays each violation from the text of its trace.
    fn replay(&self, report: &Report) -> Result<(), String> {
        for found in &report.violations {
            let text = found.run.as_ref().ok_or("a violation without a run")?.to_string();
            let trace = Trace::parse(&text).map_err(|error| format!("{error}\n{text}"))?;
            let replayed = replay(&trace, &Registry::new(), self.files)
                .map_err(|diagnostic| diagnostic.to_string())?;
            let again = replayed.report.violations.first();
            let same = again
                .is_some_and(|again| (again.kind, &again.message) == (found.kind, &found.message));
            if !same {
                let again = again.map_or("nothing wrong".to_owned(), |it| it.message.clone());
                return Err(format!("found: {}\nreplayed: {again}\n{text}", found.message));
            }
        }
        Ok(())
    }
}

/// `holds`, the kind of the violation, or what stopped the search.
fn verdict(report: &Report) -> &'static str {
    match report.violations.first() {
        Some(found) => found.kind.word(),
        None => report.verdict.word(),
    }
}

fn size(report: &Report) -> (u64, u64) {
    (report.states, report.transitions)
}

/// An answer with its counts; no times, no sizes in bytes.
fn line(report: &Report) -> String {
    let (states, transitions) = size(report);
    format!(
        "{}, states = {states}, transitions = {transitions}, depth = {}",
        verdict(report),
        report.depth
    )
}
