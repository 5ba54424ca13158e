//! Formulas behind the door: does what a system does, seen from the outside, satisfy them?
//! Each formula is solved on the fly and stops at its first verdict; `property` reads it, `story` turns the evidence into
//! something a person can believe: a run that was checked again on a fresh instance, or a part of the state space.
//! Not here: solving (`foresee-logic`), files.

mod property;
mod story;

pub(crate) use property::{NamedFormula, of_trace};
pub use property::{PropertySource, pattern};
pub(crate) use story::decides;

use crate::crashes::crashes_only_of;
use crate::lts::INCOMPLETE;
use crate::watched::Watched;
use crate::{Diagnostic, Files, Found, LabelOptions, Loaded, Outcome, Report, coverage, in_text};
use foresee_logic::{
    Evidence, LabelOf, Lts, Solution, aut, dot, solve, solve_within, unmatched_labels,
};
use foresee_lts::{Claim, StoppedBy, System};
use foresee_search::{Limits, Meter, Observer};
use foresee_stdx::halt;
use serde::Serialize;
use std::io::{self, Write};

/// What to verify.
#[derive(Clone, Debug, Default)]
pub struct VerifyRequest {
    pub properties: Vec<PropertySource>,
    pub labels: LabelOptions,
    pub limits: Limits,
    /// Only these nodes may crash; any if empty.
    pub crash: Vec<String>,
}

/// The answer. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct VerifyReport {
    /// `violated` if one formula does not hold. `states`, `transitions` and `depth` are those of the formula that needed most.
    #[serde(flatten)]
    pub report: Report,
    /// The text of the formula, of the first if there are several.
    pub formula: Option<String>,
    /// Whether all hold; null if that is not known.
    pub holds: Option<bool>,
    pub formulas: Vec<Verified>,
}

/// What came of one formula.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    /// A file's name, a pattern, or the formula itself.
    pub property: String,
    pub formula: String,
    pub verdict: Outcome,
    pub holds: Option<bool>,
    pub stopped_by: Option<StoppedBy>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    /// The run alone is the whole reason.
    pub linear: bool,
    /// The file with the part of the state space that is the reason; the edge fills it in.
    pub evidence: Option<String>,
    /// The run that is the reason, or that leads to where the reason branches.
    #[serde(skip)]
    pub found: Option<Found>,
    /// The run goes on for ever, back to the state after so many steps.
    #[serde(skip)]
    pub loops_to: Option<usize>,
    /// Everything the reason needs; absent if it is too large to be of use.
    #[serde(skip)]
    pub part: Option<Lts>,
}

/// Checks formulas on a system.
///
/// ```
/// use foresee_session::*;
/// use std::collections::BTreeMap;
/// let text = "act ask, answer, lose proc P = ask.(answer.P + lose.delta) init P".to_owned();
/// let files = BTreeMap::from([("m.mcrl".to_owned(), text)]);
/// let model = open(&Source::model_file("m.mcrl"), &Registry::new(), &files).unwrap();
/// let properties = vec![PropertySource::Pattern("response(ask, answer)".to_owned())];
/// let request = VerifyRequest { properties, ..VerifyRequest::default() };
/// let report = verify(&model, &request, &NoFiles, &NoMeter, &mut Silent);
/// assert_eq!((report.holds, report.report.verdict), (Some(false), Outcome::Violated));
/// let labels: Vec<_> = report.report.violations[0].visible.iter().flatten().collect();
/// assert_eq!(labels, ["ask", "lose"]);
/// ```
pub fn verify(
    loaded: &Loaded,
    request: &VerifyRequest,
    files: &dyn Files,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> VerifyReport {
    let start = meter.elapsed();
    let mut report = Report::new("verify", loaded.name());
    (report.engine, report.strategy) = ("logic", "bfs");
    let mut done = VerifyReport { report, formula: None, holds: None, formulas: Vec::new() };
    let _watching = halt::watch(meter.probe());
    match halt::until_halted(|| done.decide(loaded, request, files, meter, observer)) {
        Ok(Ok(())) => {}
        Ok(Err(diagnostic)) => {
            done.report.fail(*diagnostic);
            done.holds = None;
        }
        Err(halted) => {
            done.report.halt(halted);
            done.holds = None;
        }
    }
    done.report.seconds = (meter.elapsed() - start).as_secs_f64();
    done
}

type Fallible<T> = Result<T, Box<Diagnostic>>;

impl VerifyReport {
    fn decide(
        &mut self,
        loaded: &Loaded,
        request: &VerifyRequest,
        files: &dyn Files,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Fallible<()> {
        let formulas =
            property::read_all(&request.properties, &request.labels.vocabulary(loaded), files)?;
        self.formula = formulas.first().map(|named| named.text().to_owned());
        self.report.extras.properties = formulas.iter().map(|named| named.name.clone()).collect();
        self.report.extras.invariants.clone_from(&self.report.extras.properties);
        let labels = request.labels.to_pairs().map(|(key, value)| (key.to_owned(), value));
        let named = formulas.iter().flat_map(NamedFormula::to_pairs);
        let named = named.map(|(key, value)| (key.to_owned(), value));
        self.report.extras.formulas = labels.chain(named).collect();
        self.report.warnings = request.labels.warnings(loaded);
        self.report.cover(coverage::of_labels(loaded, &request.crash));
        self.report.checked = formulas.iter().map(|it| Claim::Formula(it.name.clone())).collect();
        for named in &formulas {
            self.report.warnings.extend(named.warnings.iter().cloned());
            let verified = self.one(loaded, request, named, meter, observer)?;
            self.report.violations.extend(verified.violation().cloned());
            self.formulas.push(verified);
        }
        self.conclude();
        Ok(())
    }

    fn one(
        &mut self,
        loaded: &Loaded,
        request: &VerifyRequest,
        named: &NamedFormula,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Fallible<Verified> {
        let watched = Watched::new(loaded).allowing(crashes_only_of(loaded, &request.crash)?);
        let labels = request.labels.of(loaded);
        let meter = watched.meter(meter);
        let solved = solve(&watched, &*labels, &named.formula, &request.limits, &meter, observer);
        let mut solution = solved.map_err(|news| in_text::diagnostic(&news, &named.text))?;
        if let Some(trouble) = watched.trouble() {
            return Err(Box::new(trouble));
        }
        if matters_what_is_missing(loaded, &*labels, named, solution.holds)? {
            solution.holds = None;
        }
        if let Some(left_out) = loaded.front().left_out() {
            (solution.holds, solution.stopped_by) = (None, Some(left_out));
        }
        let warnings = unmatched(loaded, request, named, solution.warnings.clone());
        let warnings = warnings.iter().map(|news| in_text::warning(news, &named.text));
        self.report.warnings.extend(warnings);
        self.report.warnings.extend(watched.warning());
        self.report.warnings.extend(loaded.front().warnings_after());
        self.report.warnings.dedup();
        let mut verified = Verified::new(named, &solution);
        if let (Some(holds), Some(evidence)) = (solution.holds, &solution.evidence) {
            let found = story::tell(loaded, request, named, holds, evidence)?;
            verified.take(found, evidence);
        }
        Ok(verified)
    }

    fn conclude(&mut self) {
        let verdicts: Vec<Outcome> = self.formulas.iter().map(|one| one.verdict).collect();
        let report = &mut self.report;
        report.verdict = [Outcome::Violated, Outcome::Inconclusive]
            .into_iter()
            .find(|worse| verdicts.contains(worse))
            .unwrap_or(Outcome::Holds);
        if report.verdict == Outcome::Inconclusive {
            report.stopped_by = self.formulas.iter().find_map(|one| one.stopped_by);
        }
        self.holds = match report.verdict {
            Outcome::Holds => Some(true),
            Outcome::Violated => Some(false),
            _ => None,
        };
        if let Some(most) = self.formulas.iter().max_by_key(|one| (one.states, one.transitions)) {
            (report.states, report.transitions) = (most.states, most.transitions);
            report.depth = most.depth;
        }
    }

    /// The report of something that could not be verified.
    pub fn error(system: String, diagnostic: Diagnostic) -> Self {
        let report = Report::error("verify", system, diagnostic);
        VerifyReport { report, formula: None, holds: None, formulas: Vec::new() }
    }
}

impl Verified {
    fn new(named: &NamedFormula, solution: &Solution) -> Self {
        Verified {
            property: named.name.clone(),
            formula: named.text().to_owned(),
            verdict: match solution.holds {
                Some(true) => Outcome::Holds,
                Some(false) => Outcome::Violated,
                None => Outcome::Inconclusive,
            },
            holds: solution.holds,
            stopped_by: solution.stopped_by,
            states: solution.states,
            transitions: solution.transitions,
            depth: solution.depth,
            linear: false,
            evidence: None,
            found: None,
            loops_to: None,
            part: None,
        }
    }

    fn take(&mut self, found: Found, evidence: &Evidence) {
        self.linear = evidence.is_linear;
        self.loops_to = evidence.loops_to;
        self.part = evidence.sub_lts.as_ref().map(|part| part.lts.clone());
        self.found = Some(found);
    }

    fn violation(&self) -> Option<&Found> {
        self.found.as_ref().filter(|_| self.verdict == Outcome::Violated)
    }
}

/// Whether a verdict about a file that is incomplete could be another one if it were complete.
fn matters_what_is_missing(
    loaded: &Loaded,
    labels: &LabelOf<'_>,
    named: &NamedFormula,
    holds: Option<bool>,
) -> Fallible<bool> {
    let front = loaded.front();
    let Some(lts) = front.as_lts() else { return Ok(false) };
    let Some(missing) = lts.labels().find(INCOMPLETE) else { return Ok(false) };
    let is_complete = |state: &[u32]| lts.edges(state[0]).iter().all(|edge| edge.label != missing);
    let decided = solve_within(loaded, labels, &named.formula, &is_complete);
    Ok(decided.map_err(|news| in_text::diagnostic(&news, &named.text))? != holds)
}

/// Labels of the formula that match nothing. Of a file all labels are known, however little of it was looked at.
fn unmatched(
    loaded: &Loaded,
    request: &VerifyRequest,
    named: &NamedFormula,
    met: Vec<foresee_logic::Diagnostic>,
) -> Vec<foresee_logic::Diagnostic> {
    let front = loaded.front();
    let Some(lts) = front.as_lts() else { return met };
    let visible = lts.labels().iter().skip(1).map(|(_, name)| name);
    unmatched_labels(&named.formula, visible.filter(|label| !request.labels.hides(label)))
}

/// Writes a part of a state space, as DOT or as `.aut`.
pub fn write_part(part: &Lts, is_drawing: bool, output: &mut dyn Write) -> io::Result<()> {
    match is_drawing {
        true => dot::write(part, output),
        false => aut::write(part, aut::Tau::default(), output).map(|_| ()),
    }
}
