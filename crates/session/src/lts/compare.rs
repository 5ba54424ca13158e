//! `lts compare`: are two models the same, as far as one can tell from the outside?
//! A difference is reported only after it was looked at again: the formula that tells them apart is solved on both.

use super::space::{Held, held};
use crate::watched::Watched;
use crate::{Code, Diagnostic, Found, LabelOptions, Loaded, Outcome, Report};
use foresee_logic::formula::{Notation, parse};
use foresee_logic::{Comparison, Equivalence, Lts, compare, solve};
use foresee_lts::{System, ViolationKind};
use foresee_search::{Limits, Meter, NoMeter, Observer, Silent};
use foresee_stdx::halt;
use serde::Serialize;

/// A formula longer than this is neither checked again nor of use to anybody.
const FORMULA_MAX: usize = 4_000;

/// How to compare.
#[derive(Clone, Debug)]
pub struct CompareRequest {
    pub equivalence: Equivalence,
    pub labels: LabelOptions,
    pub limits: Limits,
}

/// One of the two.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Side {
    pub file: String,
    pub states: u64,
    pub transitions: u64,
}

/// The answer. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonReport {
    /// `holds` if they are equivalent, `violated` if not; `states` and `transitions` are those of both together.
    #[serde(flatten)]
    pub report: Report,
    pub equivalence: &'static str,
    /// Null if it could not be decided.
    pub equivalent: Option<bool>,
    pub left: Side,
    pub right: Side,
    /// A shortest sequence of labels that only one of the two can do, where there is one.
    pub trace: Option<Vec<String>>,
    /// Which of the two can: `left` or `right`.
    pub trace_of: Option<&'static str>,
    /// Internal steps are passed over in the sequence.
    #[serde(skip)]
    pub trace_is_weak: bool,
    /// A formula that holds for the left one only.
    pub formula: Option<String>,
}

/// Compares two models.
///
/// ```
/// use foresee_logic::Equivalence;
/// use foresee_session::*;
/// use std::collections::BTreeMap;
/// let files = BTreeMap::from([
///     ("a.mcrl".to_owned(), "act a, b init a.tau.b.delta".to_owned()),
///     ("b.mcrl".to_owned(), "act a, b init a.b.delta".to_owned()),
/// ]);
/// let (left, right) = (open(&Source::model_file("a.mcrl"), &Registry::new(), &files).unwrap(), open(&Source::model_file("b.mcrl"), &Registry::new(), &files).unwrap());
/// let ask = |equivalence| {
///     let (labels, limits) = (LabelOptions::default(), Limits::none());
///     let request = CompareRequest { equivalence, labels, limits };
///     compare_models(&left, &right, &request, &NoMeter, &mut Silent)
/// };
/// assert_eq!(ask(Equivalence::Branching).report.verdict, Outcome::Holds);
/// let strong = ask(Equivalence::Strong);
/// assert_eq!((strong.report.verdict, strong.trace.unwrap().len()), (Outcome::Violated, 2));
/// ```
pub fn compare_models(
    left: &Loaded,
    right: &Loaded,
    request: &CompareRequest,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> ComparisonReport {
    let start = meter.elapsed();
    let report = Report::new("lts", format!("{} {}", left.name(), right.name()));
    let mut done = ComparisonReport::new(report, request.equivalence);
    let _watching = halt::watch(meter.probe());
    let decided = halt::until_halted(|| done.decide(left, right, request, meter, observer));
    let decided = decided.unwrap_or_else(|halted| {
        done.report.halt(halted);
        Ok(())
    });
    if let Err(diagnostic) = decided {
        done.report.fail(*diagnostic);
    }
    done.report.seconds = (meter.elapsed() - start).as_secs_f64();
    done
}

impl ComparisonReport {
    fn new(mut report: Report, equivalence: Equivalence) -> Self {
        (report.engine, report.strategy) = ("comparison", equivalence.word());
        ComparisonReport {
            report,
            equivalence: equivalence.word(),
            equivalent: None,
            left: Side::default(),
            right: Side::default(),
            trace: None,
            trace_of: None,
            trace_is_weak: false,
            formula: None,
        }
    }

    /// The report of something that could not be compared.
    pub fn error(system: String, equivalence: Equivalence, diagnostic: Diagnostic) -> Self {
        ComparisonReport::new(Report::error("lts", system, diagnostic), equivalence)
    }

    fn decide(
        &mut self,
        left: &Loaded,
        right: &Loaded,
        request: &CompareRequest,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<(), Box<Diagnostic>> {
        let mut space = |loaded: &Loaded| {
            held(loaded, &Watched::new(loaded), &request.labels, &request.limits, meter, observer)
        };
        let (one, other) = (space(left)?, space(right)?);
        self.left = side(left, &one);
        self.right = side(right, &other);
        let report = &mut self.report;
        report.states = self.left.states + self.right.states;
        report.transitions = self.left.transitions + self.right.transitions;
        report.depth = one.made.depth.max(other.made.depth);
        report.stopped_by = one.made.stopped_by.or(other.made.stopped_by);
        if report.stopped_by.is_some() {
            return Ok(());
        }
        report.warnings.extend(request.labels.warnings(left));
        report.warnings.extend(request.labels.warnings(right));
        let found = compare(&one.lts, &other.lts, request.equivalence);
        if let Some(formula) = found.formula.as_ref().filter(|text| text.len() <= FORMULA_MAX) {
            confirm(formula, &one.lts, &other.lts)?;
        }
        self.tell(found);
        Ok(())
    }

    fn tell(&mut self, found: Comparison) {
        self.equivalent = found.equivalent;
        self.report.verdict = match found.equivalent {
            Some(true) => Outcome::Holds,
            Some(false) => Outcome::Violated,
            None => Outcome::Inconclusive,
        };
        self.formula = found.formula.filter(|text| text.len() <= FORMULA_MAX);
        if let Some(trace) = found.trace {
            self.trace_of = Some(if trace.only_left { "left" } else { "right" });
            self.trace_is_weak = trace.is_weak;
            self.trace = Some(trace.labels);
        }
        if found.equivalent == Some(false) {
            let (left, right) = (&self.left.file, &self.right.file);
            let message = format!("{left} and {right} are not {} equivalent", self.equivalence);
            let name = Some(self.equivalence.to_owned());
            let mut violation = Found::without_run(ViolationKind::Property, name, message);
            violation.steps = self.trace.as_ref().map_or(0, Vec::len);
            self.report.violations.push(violation);
        }
    }
}

fn side(loaded: &Loaded, held: &Held) -> Side {
    let (states, transitions) = (held.made.states, held.made.transitions);
    Side { file: loaded.name(), states, transitions }
}

/// The formula must hold for the left one and not for the right one.
fn confirm(text: &str, left: &Lts, right: &Lts) -> Result<(), Box<Diagnostic>> {
    let wrong = |what: &str| {
        Box::new(Diagnostic::new(
            Code::Internal,
            format!("the formula that tells them apart {what}: {text}"),
        ))
    };
    let formula = parse(text, Notation::Paper).formula.ok_or_else(|| wrong("cannot be read"))?;
    for (lts, expected) in [(left, true), (right, false)] {
        let labels = lts.label_function();
        let solved = solve(lts, &*labels, &formula, &Limits::none(), &NoMeter, &mut Silent);
        if solved.ok().and_then(|solution| solution.holds) != Some(expected) {
            return Err(wrong("does not"));
        }
    }
    Ok(())
}
