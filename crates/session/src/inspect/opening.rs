//! The opening: what is said before anything is shown. What went wrong in one sentence, why, where it was decided.

use super::{Errand, Inspection, headline};
use crate::{
    FormulaPart, Found, Loaded, Outcome, ReplayReport, Report, Stopped, Trace, open_recorded,
};
use foresee_lts::{Standing, ViolationKind};
use foresee_search::PlaceId;
use foresee_trace::Event;

/// Fewer steps are not folded.
const QUIET_MIN: usize = 4;
/// As many of those who wait for each other are named in a sentence after the first.
const PAIRS_MAX: usize = 3;
/// As many members are named in a sentence.
const MEMBERS_MAX: usize = 8;

/// Why an inspection begins where it does.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Reason {
    #[default]
    Start,
    Violation,
    Holds,
    Goal,
    Trace,
    Session,
    Simulation,
}

impl Reason {
    pub const ALL: [(Reason, &'static str); 7] = [
        (Reason::Start, "start"),
        (Reason::Violation, "violation"),
        (Reason::Holds, "holds"),
        (Reason::Goal, "goal"),
        (Reason::Trace, "trace"),
        (Reason::Session, "session"),
        (Reason::Simulation, "simulation"),
    ];

    pub fn word(self) -> &'static str {
        Reason::ALL.iter().find(|(it, _)| *it == self).map(|(_, word)| *word).expect("listed")
    }

    pub fn parse(word: &str) -> Option<Self> {
        Reason::ALL.iter().find(|(_, own)| *own == word).map(|(it, _)| *it)
    }
}

/// What is said first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opening {
    pub place: PlaceId,
    pub reason: Reason,
    /// The number of the property that is violated.
    pub property: Option<u32>,
    pub verdict: String,
    /// One sentence.
    pub headline: String,
    pub why: Vec<String>,
    /// The place after whose step every run goes wrong.
    pub decisive: Option<PlaceId>,
    pub decisive_why: String,
    pub suspect: Option<PlaceId>,
    pub suspect_why: String,
    pub restrictions: Vec<Restriction>,
    pub operations: Vec<ClientOperations>,
    pub cycle: Option<Vec<String>>,
    /// Where the run comes back to for ever.
    pub lasso: Option<PlaceId>,
    pub races: Vec<RaceView>,
    /// What is said of is a formula: looking ahead knows nothing of it.
    pub formula: Option<FormulaPart>,
    /// The command that shows it again.
    pub replay: String,
    /// How it was checked and what else was found: a name and a text each.
    pub facts: Vec<(String, String)>,
}

/// Where explorations do not go, with a switch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Restriction {
    pub name: String,
    pub on: bool,
}

/// What one client asked for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClientOperations {
    pub member: String,
    pub operations: Vec<Operation>,
}

/// From the step that invoked it to the step that answered it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Operation {
    pub what: String,
    pub from: u32,
    pub to: Option<u32>,
    pub result: Option<String>,
    /// No order of the operations explains its result.
    pub impossible: bool,
}

/// Two places whose steps raced.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RaceView {
    pub first: PlaceId,
    pub second: PlaceId,
    pub text: String,
    /// The other order was tried, and nothing goes wrong in it.
    pub decides: bool,
}

impl Inspection {
    /// On what a check, a verification or a replay has found.
    pub fn of_report(loaded: &Loaded, report: &Report, home: super::Home) -> Self {
        let found = report.violations.iter().find(|found| found.run.is_some());
        match found {
            Some(found) => {
                // An engine may have built the system in a way of its own, which the run's header says.
                let run = found.run.as_ref().expect("just looked for");
                let recorded = open_recorded(run, &home.registry, &*home.files);
                Inspection::of_found(recorded.as_ref().unwrap_or(loaded), found, home)
            }
            None => Inspection::without_violation(loaded, report, home),
        }
    }

    /// On a report without a run that shows something wrong: at the start, or as far as the system could be followed.
    fn without_violation(loaded: &Loaded, report: &Report, home: super::Home) -> Self {
        let phase = report.extras.phase_start.as_deref();
        let far = report.extras.how_far.as_ref().and_then(|far| far.run.as_ref());
        let far = far.or(phase.map(|phase| &phase.run)).filter(|run| !run.events.is_empty());
        let mut inspection = match far {
            Some(run) => {
                let recorded = open_recorded(run, &home.registry, &*home.files);
                Inspection::with_run(recorded.as_ref().unwrap_or(loaded), run, home).0
            }
            None => Inspection::at_start(loaded, home),
        };
        if let Some(phase) = phase {
            inspection.phase_prunes.clone_from(&phase.prunes);
            inspection.spots.first_mut().restrict(&phase.prunes);
        }
        inspection.options.clone_from(&report.extras.formulas);
        inspection.opening = inspection.opening_of_verdict(report);
        inspection.opening.place = inspection.branches[0].tip;
        inspection.view = (inspection.opening.place, false);
        inspection
    }

    /// Says how it was checked, and what else was found.
    pub fn set_facts(&mut self, facts: Vec<(String, String)>) {
        self.opening.facts = facts;
    }

    /// On a trace that was replayed, whether or not it still shows something wrong.
    pub fn of_replay(replayed: &ReplayReport, trace: &Trace, home: super::Home) -> Self {
        let loaded = &replayed.loaded;
        if replayed.report.violations.iter().any(|found| found.run.is_some()) {
            return Inspection::of_report(loaded, &replayed.report, home);
        }
        let (mut inspection, followed) = Inspection::with_run(loaded, trace, home);
        inspection.note_stop(0, followed.stopped, &trace.events);
        inspection.opening = inspection.opening_of_trace(trace);
        inspection.opening.formula = inspection.recorded_formula();
        if replayed.report.verdict == Outcome::Inconclusive && inspection.opening.formula.is_some()
        {
            let reason = replayed.report.warnings.first().cloned().unwrap_or_default();
            inspection.opening.headline = sentence(&reason);
            "not known".clone_into(&mut inspection.opening.verdict);
        }
        inspection.view = (inspection.opening.place, false);
        inspection
    }

    fn opening_of_trace(&self, trace: &Trace) -> Opening {
        let stopped = self.branches[0].stopped.as_ref();
        let headline = match (stopped, &trace.violation) {
            (Some((stopped, _)), _) => format!(
                "This step is no longer possible: step {} {}.",
                stopped.step, stopped.label.text
            ),
            (None, Some(claimed)) => format!("The run no longer shows: {}.", claimed.title()),
            (None, None) => format!("A recorded run of {} steps.", trace.events.len()),
        };
        let why = stopped.map(|(stopped, _)| stopped.why.clone());
        Opening {
            place: self.branches[0].tip,
            reason: Reason::Trace,
            verdict: "nothing wrong on this run".to_owned(),
            headline,
            why: why.into_iter().collect(),
            replay: format!("{} debug {}", self.home.program, self.info().system),
            ..Opening::default()
        }
    }

    /// A branch could not be followed to its end.
    pub(super) fn note_stop(&mut self, branch: u32, stopped: Option<Stopped>, events: &[Event]) {
        let Some(stopped) = stopped else { return };
        let rest = events.iter().skip(stopped.step as usize - 1);
        let rest = rest.map(|event| event.label.to_string()).collect();
        self.branches[branch as usize].stopped = Some((stopped, rest));
    }

    /// On a run that shows something wrong.
    pub fn of_found(loaded: &Loaded, found: &Found, home: super::Home) -> Self {
        let run =
            found.run.clone().unwrap_or_else(|| Trace::new(foresee_lts::System::name(loaded)));
        let (mut inspection, _) = Inspection::with_run(loaded, &run, home);
        inspection.opening = inspection.opening_of_found(found);
        inspection.claimed = Some((found.kind, found.property.clone(), found.message.clone()));
        inspection.explain(found);
        inspection.view = (inspection.opening.place, false);
        inspection
    }

    /// What the run itself shows of what is wrong: operations, races, circles, what is suspect.
    fn explain(&mut self, found: &Found) {
        self.opening.races = self.races_of(found);
        if let Some(missed) = &found.details.missed {
            let (label, before) = (&missed.label, missed.before);
            let text = format!("Had `{label}` happened before step {before}, all had gone well.");
            self.opening.why.push(text);
        }
        let tip = self.branches[0].tip;
        self.opening.lasso = self.lasso_of(found);
        if found.kind == ViolationKind::Property {
            let known = found.details.formula.clone();
            self.opening.formula = known.or_else(|| self.recorded_formula());
        }
        self.opening.operations = self.operations(tip, true).unwrap_or_default();
        if let Some(words) = headline::of_operations(&self.opening.operations, &found.message) {
            let first = std::mem::replace(&mut self.opening.headline, words);
            self.opening.why.insert(0, sentence_end(&first));
        }
        if let Ok(Some((place, why))) = self.find_suspect(tip) {
            (self.opening.suspect, self.opening.suspect_why) = (Some(place), why);
        }
        self.fold = self.quiet_start(found);
        if found.kind == ViolationKind::Deadlock {
            self.explain_deadlock(found, tip);
        }
    }

    /// The races of the main run, those first whose order decides.
    fn races_of(&self, found: &Found) -> Vec<RaceView> {
        let line = self.spots.line(self.branches[0].tip);
        let what = |step: usize| {
            let story = found.story.as_ref();
            let step = story.and_then(|story| story.steps.get(step - 1));
            step.map_or(String::new(), |it| format!("{} {}", it.who(), it.label.payload))
        };
        let races = found.details.races.iter().filter_map(|race| {
            let end = if race.decides { "; the other way round all goes well." } else { "." };
            let (first, second) = (race.first, race.second);
            let text = format!(
                "Step {first} ({}) came before step {second} ({}){end}",
                what(first),
                what(second),
            );
            let (first, second) = (*line.get(first)?, *line.get(second)?);
            Some(RaceView { first, second, text, decides: race.decides })
        });
        let mut races: Vec<RaceView> = races.collect();
        races.sort_by_key(|race| !race.decides);
        races
    }

    /// Where a run that goes on for ever comes back to: the earlier place with the state of its end.
    fn lasso_of(&self, found: &Found) -> Option<PlaceId> {
        if !matches!(found.kind, ViolationKind::Property | ViolationKind::Liveness) {
            return None;
        }
        let line = self.spots.line(self.branches[0].tip);
        let (last, earlier) = line.split_last()?;
        let state = |place: PlaceId| {
            let spot = self.spots.get(place).ok()?;
            self.spots.stage(spot.stage).state_of(spot.local).ok()
        };
        let end = state(*last);
        earlier.iter().copied().find(|place| state(*place) == end)
    }

    /// The formula that the head of the run's trace names, as far as it can be read.
    fn recorded_formula(&self) -> Option<FormulaPart> {
        let value = |wanted: &str| {
            let lines = self.options.iter().filter(|(key, _)| key == wanted);
            let lines: Vec<&str> = lines.map(|(_, value)| value.as_str()).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        };
        let file = || self.home.files.read(&value("property")?).ok();
        let text = value("formula").or_else(|| value("pattern")).or_else(file)?;
        Some(FormulaPart::new(&text, None))
    }

    fn circle_at(&mut self, place: PlaceId) -> Option<Vec<String>> {
        let (stage, local) = self.spots.at(place).ok()?;
        let state = stage.state_of(local).ok()?;
        stage.loaded().front().circle_names(&state)
    }

    /// Who waits for whom, for those who see only that nothing can happen.
    fn explain_deadlock(&mut self, found: &Found, place: PlaceId) {
        self.opening.cycle = self.circle_at(place);
        let Ok((stage, local)) = self.spots.at(place) else { return };
        let description = stage.outline(local);
        let here = description.members.iter().filter(|it| it.standing != Standing::Ended);
        let stuck = found.details.stuck.iter().filter(|it| it.is_stuck);
        let waiting: Vec<&str> = stuck.clone().map(|it| it.member.as_str()).collect();
        let says_why = found.message != foresee_lts::NOTHING_CAN_HAPPEN;
        let words = match (&self.opening.cycle, waiting.as_slice()) {
            (Some(circle), _) => circle_words(circle),
            (None, [one]) => {
                let words = stuck.clone().next().map_or("waits", |it| it.words.as_str());
                format!("{NOTHING}: {one} {words}.")
            }
            (None, [_, ..]) => {
                format!("{NOTHING}: {} wait for messages that never come.", listed(&waiting))
            }
            (None, []) if says_why => sentence(&self.opening.headline),
            (None, []) => {
                let names: Vec<&str> = here.clone().map(|it| it.name.as_str()).collect();
                format!("{NOTHING}: {} all wait.", listed(&names))
            }
        };
        self.opening.headline = words;
        if self.opening.why.is_empty() {
            let lines = here.take(MEMBERS_MAX).map(|it| match it.status.as_str() {
                "" => format!("{}: {}", it.name, it.state.one_line()),
                status => format!("{}: {status}", it.name),
            });
            self.opening.why = lines.collect();
        }
    }

    /// The steps before anything races, which start processes.
    fn quiet_start(&mut self, found: &Found) -> Option<(u32, String)> {
        let quiet = found.quiet_steps();
        if self.info().front_end != "erlang" || quiet < QUIET_MIN {
            return None;
        }
        let line = self.spots.line(self.branches[0].tip);
        let members = self.members(*line.get(quiet)?).ok()?;
        let born = members.iter().filter(|it| it.born != line[0]).count();
        let processes = if born == 1 { "process" } else { "processes" };
        Some((quiet as u32, format!("start of {born} {processes}, {quiet} steps")))
    }

    /// The fold that a place belongs to.
    pub fn fold_of(&self, place: PlaceId) -> Option<&str> {
        let (steps, name) = self.fold.as_ref()?;
        let spot = self.spots.get(place).ok()?;
        let is_in = spot.branch == 0 && spot.step > 0 && spot.step <= *steps;
        is_in.then_some(name.as_str())
    }

    /// What a scout needs to find the decisive step of the main run; empty where nothing went wrong on it.
    pub fn decisive_errands(&self) -> Vec<Errand> {
        // What is wrong with a formula is not seen in states.
        let is_wrong = self.opening.reason == Reason::Violation && self.opening.formula.is_none();
        let line = if is_wrong { self.spots.line(self.branches[0].tip) } else { Vec::new() };
        line.into_iter().filter_map(|place| self.errand(place).ok()).collect()
    }

    /// Takes over what a scout has found: the number of the decisive place on the main run.
    pub fn set_decisive(&mut self, at: Option<usize>) {
        let line = self.spots.line(self.branches[0].tip);
        let place = at.and_then(|at| line.get(at).copied());
        self.opening.decisive = place;
        self.opening.decisive_why = match place.map(|place| self.step_of(place)) {
            Some(0) => "Every run of this system goes wrong.".to_owned(),
            Some(step) => format!(
                "Until step {} all could still end well; after step {step} every run goes wrong.",
                step - 1
            ),
            None => String::new(),
        };
    }

    /// Switches restrictions on or off; unknown names are passed over.
    pub fn set_restrictions(&mut self, switches: &[Restriction]) {
        for own in &mut self.opening.restrictions {
            if let Some(switch) = switches.iter().find(|it| it.name == own.name) {
                own.on = switch.on;
            }
        }
    }

    /// Where explorations do not go on, all in force.
    fn restrictions(&self) -> Vec<Restriction> {
        let names = self.info().restrictions.iter();
        names.map(|name| Restriction { name: name.clone(), on: true }).collect()
    }

    pub(super) fn opening_at_start(&self) -> Opening {
        let name = &self.info().system;
        Opening {
            headline: format!("{name} at its start. Nothing has happened yet."),
            verdict: "nothing is checked yet".to_owned(),
            restrictions: self.restrictions(),
            replay: format!("{} debug {name}", self.home.program),
            ..Opening::default()
        }
    }

    fn opening_of_verdict(&self, report: &Report) -> Opening {
        let states = report.states;
        let seen = match report.interleavings {
            0 => format!("all {states} states"),
            runs => format!("all {runs} interleavings"),
        };
        let broken = report.violations.first();
        let why_phase = report.extras.phase_start.as_ref().map(|phase| phase.why.clone());
        let mut lines = broken.iter().flat_map(|it| it.message.lines());
        let (reason, headline) = match (report.verdict, &report.phase) {
            (Outcome::Holds, _) => (Reason::Holds, format!("Everything holds: {seen}.")),
            (Outcome::Violated, _) => {
                (Reason::Violation, sentence(lines.next().unwrap_or("something is wrong")))
            }
            (Outcome::Error, _) => {
                let error = report.error.as_ref().map_or("", |error| error.message.as_str());
                (Reason::Start, sentence(&format!("it cannot be followed any further: {error}")))
            }
            (_, Some(phase)) => {
                let states = report.states;
                let words = format!("No run reached the goal of `{phase}` within {states} states.");
                (Reason::Goal, words)
            }
            _ => {
                (Reason::Start, "Nothing wrong was found, and not everything was seen.".to_owned())
            }
        };
        let property = broken.and_then(|it| it.property.as_ref());
        Opening {
            reason,
            headline,
            why: why_phase
                .map(|why| sentence(&why))
                .into_iter()
                .chain(lines.map(str::to_owned))
                .collect(),
            formula: match broken.and_then(|it| it.details.formula.clone()) {
                Some(known) => Some(known),
                None => self.recorded_formula(),
            },
            verdict: match property {
                Some(property) => format!("violated: {property}"),
                None => report.verdict.word().to_owned(),
            },
            restrictions: self.restrictions(),
            replay: format!("{} {} {}", self.home.program, report.command, report.system),
            ..Opening::default()
        }
    }

    fn opening_of_found(&self, found: &Found) -> Opening {
        let main = self.branches[0].tip;
        let name = found.property.clone().unwrap_or_else(|| found.kind.word().to_owned());
        let mut lines = found.message.lines().map(str::trim_end);
        let first = lines.next().unwrap_or_default().to_owned();
        let properties = self.info().properties.iter();
        let property =
            (0u32..).zip(properties).find(|(_, it)| Some(&it.name) == found.property.as_ref());
        Opening {
            place: main,
            reason: Reason::Violation,
            property: property.map(|(number, _)| number),
            verdict: format!("violated: {name}"),
            restrictions: self.restrictions(),
            headline: if found.kind == ViolationKind::Property { sentence(&first) } else { first },
            why: lines.map(str::to_owned).collect(),
            replay: match &found.trace {
                Some(file) => format!("{} replay {file}", self.home.program),
                None => format!("{} check {}", self.home.program, self.info().system),
            },
            ..Opening::default()
        }
    }
}

const NOTHING: &str = "Nothing can happen any more";

/// `a, b and c`, as many as fit a sentence.
fn listed(names: &[&str]) -> String {
    let shown = &names[..names.len().min(MEMBERS_MAX)];
    match shown {
        _ if names.len() > shown.len() => format!("{} and others", shown.join(", ")),
        [] => "all".to_owned(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// `a waits for b, b for c, and c for a`, for those who wait in a circle.
fn circle_words(circle: &[String]) -> String {
    let pairs = circle.windows(2).skip(1).map(|it| format!("{} for {}", it[0], it[1]));
    let mut pairs: Vec<String> = pairs.collect();
    // Of a large circle the beginning and the end are enough: the page draws all of it.
    if pairs.len() > PAIRS_MAX {
        pairs.splice(PAIRS_MAX - 1..pairs.len() - 1, ["…".to_owned()]);
    }
    let rest = match pairs.as_slice() {
        [] => "itself".to_owned(),
        [one] => format!("{} and {one}", circle[1]),
        [others @ .., last] => format!("{}, {} and {last}", circle[1], others.join(", ")),
    };
    format!("{NOTHING}, for they wait in a circle: {} waits for {rest}.", circle[0])
}

/// With a capital at its start and a full stop at its end.
fn sentence(words: &str) -> String {
    let mut letters = words.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

/// With a full stop at its end.
fn sentence_end(words: &str) -> String {
    format!("{}.", words.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_told_in_one_sentence() {
        let circle = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let words = circle_words(&circle(&["a", "b", "c", "a"]));
        let told = "they wait in a circle: a waits for b, b for c and c for a.";
        assert!(words.ends_with(told), "{words}");
        assert!(circle_words(&circle(&["a", "b", "a"])).ends_with("a waits for b and b for a."));
        assert!(circle_words(&circle(&["a", "a"])).ends_with("a waits for itself."));
        let six = circle_words(&circle(&["a", "b", "c", "d", "e", "f", "a"]));
        assert!(six.ends_with("a waits for b, b for c, c for d, … and f for a."), "{six}");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(sentence("no way"), "No way.");
    }
}
