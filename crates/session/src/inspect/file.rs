//! Session files: an inspection as text, line by line like a trace, so that it merges, greps and survives changes of code.
//! The head is that of a trace of the main run, so the system can be loaded and the run judged again; then one `run` for each
//! branch with the steps that are its own, then notes, pins and the view. Places are `branch:step`.
//! A session of other code is followed as far as it applies; each branch says where it stops.

use super::{Home, Inspection, Reason};
use crate::{
    Code, Diagnostic, LabelOptions, Loaded, NoMeter, PropertySource, Silent, StageError,
    VerifyReport, VerifyRequest, open_recorded, read_trace, replay, verify,
};
use foresee_search::{Limits, PlaceId};
use foresee_trace::{Event, Trace};
use std::fmt::Write as _;

/// The first line, up to the version.
const MARK: &str = "foresee session";
const VERSION: u32 = 1;
/// A branch in which more faults may happen than the check allowed.
const MORE_FAULTS: &str = "with-more-faults";

/// What a trace's head calls the formulas that it is about.
const FORMULA_KEYS: [&str; 3] = ["formula", "property", "pattern"];
/// So many states are looked at when a file was saved: somebody waits.
const VERIFIED_MAX: u64 = 100_000;

/// A session as it was read.
#[derive(Default)]
struct Read {
    /// The lines of the main run's trace.
    head: String,
    runs: Vec<ReadRun>,
    marks: Vec<(usize, String)>,
    is_ended: bool,
}

struct ReadRun {
    line: usize,
    name: String,
    from: Option<String>,
    has_more_faults: bool,
    steps: String,
}

impl Inspection {
    /// The session as text.
    pub fn to_session(&mut self) -> String {
        let tip = self.branches[0].tip;
        let mut head = self.head();
        if let Some((kind, property, message)) = &self.claimed {
            head.violation = Some(foresee_trace::Finding {
                kind: *kind,
                property: property.clone(),
                message: message.clone(),
            });
        }
        let head = head.to_string();
        let head = head.lines().skip(1).take_while(|line| !line.is_empty());
        let mut text = format!("{MARK} {VERSION}\n");
        head.for_each(|line| text.extend([line, "\n"]));
        let reason = self.opening.reason.word();
        let _ = writeln!(text, "opening: {reason} at {}\n", self.step_of(tip));
        for branch in 0..self.branches.len() {
            self.write_run(&mut text, branch);
        }
        for (place, note) in &self.notes {
            let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(text, "note {} {note}", self.name_of(*place));
        }
        for pin in &self.pins {
            let _ = writeln!(text, "pin {pin}");
        }
        for watch in &self.watches {
            let _ = writeln!(text, "watch {watch}");
        }
        let (place, only_mattered) = self.view;
        let only = if only_mattered { "on" } else { "off" };
        let _ = writeln!(text, "view step={} only-what-mattered={only}", self.name_of(place));
        text + "end\n"
    }

    fn write_run(&mut self, text: &mut String, number: usize) {
        let branch = self.branches[number].clone();
        let _ = write!(text, "run {}", branch.name);
        if let Some(from) = branch.from {
            let _ = write!(text, " from {}", self.name_of(from));
        }
        let own = self.spots.line(branch.tip).into_iter();
        let own = own.filter(|at| self.spots.spots[*at as usize].branch == number as u32);
        let own: Vec<PlaceId> = own.collect();
        let begins_more =
            own.first().is_some_and(|at| self.spots.spots[*at as usize].is_same_state);
        let _ = writeln!(
            text,
            "{}",
            if begins_more { format!(" {MORE_FAULTS}") } else { String::new() }
        );
        for place in own {
            let spot = self.spots.spots[place as usize];
            if let Some(event) = self.spots.stage_mut(spot.stage).event_of(spot.local)
                && !spot.is_same_state
            {
                text.push_str(&step_line(spot.step, event));
            }
        }
        // What could not be followed is kept: the code may change back.
        for (at, label) in branch.stopped.iter().flat_map(|(stopped, rest)| {
            let first = self.step_of(branch.tip) + 1;
            let _ = stopped;
            (first..).zip(rest)
        }) {
            let _ = writeln!(text, "{at}  {label}");
        }
    }

    /// `main:7`
    pub fn name_of(&self, place: PlaceId) -> String {
        match self.spots.get(place) {
            Ok(spot) => format!("{}:{}", self.branches[spot.branch as usize].name, spot.step),
            Err(_) => "main:0".to_owned(),
        }
    }

    /// The place that `main:7` means.
    pub fn place_named(&self, name: &str) -> Option<PlaceId> {
        let (branch, step) = name.rsplit_once(':')?;
        let step: u32 = step.parse().ok()?;
        let number = self.branches.iter().position(|it| it.name == branch)?;
        let line = self.spots.line(self.branches[number].tip);
        // Of the two places with one step where more faults begin, the branch's own.
        line.into_iter().rev().find(|at| self.spots.spots[*at as usize].step == step)
    }

    /// A session from its text.
    pub fn of_session(text: &str, home: Home) -> Result<Inspection, Diagnostic> {
        let read = read(text)?;
        let main = read.runs.first().map(|run| run.steps.as_str()).unwrap_or_default();
        let whole = format!("foresee trace {}\n{}\n{main}end\n", Trace::VERSION, read.head);
        let trace = read_trace("the session", whole.as_bytes())?;
        let mut inspection = if trace.events.is_empty() {
            let loaded = open_recorded(&trace, &home.registry, &*home.files)?;
            let mut inspection = Inspection::at_start(&loaded, home);
            inspection.take_options(&trace);
            inspection
        } else {
            let replayed = replay(&trace, &home.registry, &*home.files)?;
            Inspection::of_replay(&replayed, &trace, home)
        };
        if inspection.opening.reason == Reason::Trace && inspection.branches[0].stopped.is_none() {
            inspection.opening.reason = Reason::Session;
        }
        for run in read.runs.iter().skip(1) {
            inspection.read_run(run)?;
        }
        for (line, mark) in &read.marks {
            inspection.read_mark(*line, mark)?;
        }
        Ok(inspection)
    }

    fn read_run(&mut self, run: &ReadRun) -> Result<(), Diagnostic> {
        let whole = format!("foresee trace 1\nsystem: x\n\n{}end\n", run.steps);
        let events = read_trace("the session", whole.as_bytes())?.events;
        let from = run.from.as_deref().unwrap_or("main:0");
        let Some(mut place) = self.place_named(from) else {
            // What it forks from is no longer reached.
            return Ok(());
        };
        let begun = self.branches.len();
        if run.has_more_faults {
            let refused = |error: StageError| damaged(run.line, &error.message);
            let branch = self.allow_faults(place).map_err(refused)?;
            place = self.branches[branch as usize].tip;
        }
        let stopped = self.follow_recorded(place, &events);
        if self.branches.len() > begun {
            self.branches[begun].name.clone_from(&run.name);
            self.note_stop(begun as u32, stopped, &events);
        }
        Ok(())
    }

    fn follow_recorded(&mut self, place: PlaceId, events: &[Event]) -> Option<crate::Stopped> {
        let (stage, local) = self.spots.at(place).ok()?;
        let followed = stage.follow_recorded(local, events);
        self.adopt();
        followed.stopped
    }

    fn read_mark(&mut self, line: usize, text: &str) -> Result<(), Diagnostic> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "note" => {
                let (name, note) = rest.split_once(' ').unwrap_or((rest, ""));
                if let Some(place) = self.place_named(name) {
                    self.notes.push((place, note.to_owned()));
                }
            }
            "pin" => self.pins.push(rest.to_owned()),
            "watch" => self.watches.push(rest.to_owned()),
            "view" => {
                for word in rest.split_whitespace() {
                    match word.split_once('=') {
                        Some(("step", name)) => {
                            self.view.0 = self.place_named(name).unwrap_or(self.view.0);
                        }
                        Some(("only-what-mattered", value)) => self.view.1 = value == "on",
                        _ => {
                            return Err(damaged(line, &format!("`{word}` says nothing of a view")));
                        }
                    }
                }
            }
            _ => return Err(damaged(line, &format!("`{word}` is nothing that a session has"))),
        }
        Ok(())
    }

    /// What a trace's head says of formulas.
    fn take_options(&mut self, trace: &Trace) {
        let is_formula = |(key, _): &(String, String)| FORMULA_KEYS.contains(&key.as_str());
        if trace.options.iter().any(is_formula) {
            self.options.clone_from(&trace.options);
        }
    }

    /// What became of the formulas of the session on what is in the files now; `None` if it has none.
    fn verified_again(&self) -> Option<Result<(Loaded, VerifyReport), Diagnostic>> {
        let of_key = |key: &'static str| {
            let own = self.options.iter().filter(move |(own, _)| own == key);
            own.map(|(_, value)| value.clone())
        };
        let typed: Vec<String> = of_key("formula").collect();
        let typed = (!typed.is_empty()).then(|| PropertySource::Formula(typed.join("\n")));
        let files = of_key("property").map(PropertySource::File);
        let patterns = of_key("pattern").map(PropertySource::Pattern);
        let properties: Vec<PropertySource> =
            typed.into_iter().chain(files).chain(patterns).collect();
        if properties.is_empty() {
            return None;
        }
        let head = self.head();
        let labels = LabelOptions::of_trace(&head);
        let limits = Limits { states_max: Some(VERIFIED_MAX), ..Limits::none() };
        let request = VerifyRequest { properties, labels, limits, ..VerifyRequest::default() };
        let loaded = open_recorded(&head, &self.home.registry, &*self.home.files);
        Some(loaded.map(|loaded| {
            let report = verify(&loaded, &request, &*self.home.files, &NoMeter, &mut Silent);
            (loaded, report)
        }))
    }

    /// The same session on what is in the files now, and what became of what was wrong.
    pub fn reloaded(&mut self) -> Result<(Inspection, String), Diagnostic> {
        match self.verified_again().transpose()? {
            Some((loaded, verified)) => self.reverified(&loaded, &verified),
            None => self.replayed_again(),
        }
    }

    /// A formula is judged anew, for another run may be the reason now, or none.
    fn reverified(
        &mut self,
        loaded: &Loaded,
        verified: &VerifyReport,
    ) -> Result<(Inspection, String), Diagnostic> {
        if let Some(error) = verified.report.error.clone() {
            return Err(error);
        }
        let was_wrong = self.opening.reason == Reason::Violation;
        let names = verified.formulas.iter().map(|it| format!("`{}`", it.property));
        let names = names.collect::<Vec<_>>().join(", ");
        let states = verified.report.states;
        let (inspection, text) = match verified.holds {
            Some(true) => (
                None,
                format!(
                    "{names} holds{}: {states} states were enough.",
                    if was_wrong { " now" } else { "" }
                ),
            ),
            Some(false) => {
                let (inspection, _) = self.replayed_again()?;
                let is_same_run = inspection.opening.reason == Reason::Violation;
                let text =
                    format!("{}violated: {names}.", if was_wrong { "Still " } else { "Now " });
                (is_same_run.then_some(inspection), text)
            }
            None => {
                (None, format!("It is not known whether {names} holds: more than {states} states."))
            }
        };
        let inspection = inspection
            .unwrap_or_else(|| Inspection::of_report(loaded, &verified.report, self.home.clone()));
        Ok((inspection, text))
    }

    /// The runs are followed as far as they still apply.
    fn replayed_again(&mut self) -> Result<(Inspection, String), Diagnostic> {
        let inspection = Inspection::of_session(&self.to_session(), self.home.clone())?;
        let before = &self.opening;
        let now = &inspection.opening;
        let is_wrong = |reason: Reason| reason == Reason::Violation;
        let stopped = inspection.branches[0].stopped.as_ref();
        let text = match (is_wrong(before.reason), is_wrong(now.reason), stopped) {
            (_, _, Some((stopped, _))) => {
                format!(
                    "Step {} is now refused: {}. {}",
                    stopped.step, stopped.label.text, stopped.why
                )
            }
            (true, true, _) => format!("Still {}.", now.verdict),
            (true, false, _) => format!("This run is no longer {}.", before.verdict),
            (false, true, _) => format!("Now {}.", now.verdict),
            (false, false, _) => "Nothing is wrong on this run.".to_owned(),
        };
        Ok((inspection, text))
    }

    /// The files of the system, for whoever watches them.
    pub fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = self.sources().into_iter().map(|(path, _)| path).collect();
        if let crate::Source::ModelFile(model) = self.loaded().front().source() {
            files.push(model.path);
        }
        let formulas = self.options.iter().filter(|(key, _)| key == "property");
        files.extend(formulas.map(|(_, file)| file.clone()));
        files
    }

    /// The head of the main run's trace: the system, and what the run was found with.
    fn head(&self) -> Trace {
        let mut head = self.spots.first().loaded().header();
        for (key, value) in &self.options {
            if !head.options.iter().any(|(own, text)| own == key && text == value) {
                head.options.push((key.clone(), value.clone()));
            }
        }
        head
    }
}

/// A step as traces write it.
fn step_line(step: u32, event: Event) -> String {
    let mut trace = Trace::new("x");
    trace.events.push(Event { note: None, ..event });
    let text = trace.to_string();
    let line = text.lines().find_map(|line| line.strip_prefix("1  ")).unwrap_or_default();
    format!("{step}  {line}\n")
}

fn read(text: &str) -> Result<Read, Diagnostic> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let first = lines.next().map(|(_, line)| line.trim_end()).unwrap_or_default();
    let version = first.strip_prefix(MARK).map(str::trim);
    if version != Some("1") {
        return Err(damaged(1, "a session begins with `foresee session 1`"));
    }
    let mut read = Read::default();
    let mut is_head = true;
    for (at, line) in lines {
        let line = line.trim_end();
        if read.is_ended && !line.is_empty() {
            return Err(damaged(at, "nothing follows `end`"));
        }
        match () {
            () if line.is_empty() || line.starts_with('#') => is_head &= !line.is_empty(),
            () if is_head && line.starts_with("opening:") => {}
            () if is_head => read.head.extend([line, "\n"]),
            () if line == "end" => read.is_ended = true,
            () if first_word(line) == "run" => read.runs.push(read_run_line(at, line)?),
            () if line.starts_with(|c: char| c.is_ascii_digit()) => {
                let no_run = || damaged(at, "a step stands after the `run` it belongs to");
                let run = read.runs.last_mut().ok_or_else(no_run)?;
                // Steps are counted from where the run begins, in a trace from 1.
                let number = run.steps.lines().count() + 1;
                let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
                run.steps.push_str(&format!("{number}{rest}\n"));
            }
            () => read.marks.push((at, line.to_owned())),
        }
    }
    match read.is_ended {
        true => Ok(read),
        false => Err(damaged(text.lines().count() + 1, "the file is cut off: it ends with `end`")),
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// `run NAME [from PLACE] [with-more-faults]`
fn read_run_line(line: usize, text: &str) -> Result<ReadRun, Diagnostic> {
    let mut words = text.split_whitespace().skip(1);
    let name = words.next().ok_or_else(|| damaged(line, "a run has a name"))?.to_owned();
    let mut run = ReadRun { line, name, from: None, has_more_faults: false, steps: String::new() };
    while let Some(word) = words.next() {
        match word {
            "from" => run.from = words.next().map(str::to_owned),
            MORE_FAULTS => run.has_more_faults = true,
            // A title, as people write it.
            _ if word.starts_with('"') => break,
            _ => return Err(damaged(line, &format!("`{word}` says nothing of a run"))),
        }
    }
    Ok(run)
}

fn damaged(line: usize, expected: &str) -> Diagnostic {
    Diagnostic::new(Code::TraceDamaged, format!("no session: {expected}"))
        .at(format!("line {line}"))
        .help("a session is what the debugger's `save` writes; mend the line, or save it again")
}
