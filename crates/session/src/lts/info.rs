//! `lts info`: what can be said of a transition system at a glance.

use super::INCOMPLETE;
use super::space::held;
use crate::watched::Watched;
use crate::{Diagnostic, LabelOptions, Loaded, Outcome, Report};
use foresee_logic::{Info, Run, info};
use foresee_lts::System;
use foresee_search::{Limits, Meter, Observer};
use serde::Serialize;

/// The facts. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct InfoReport {
    #[serde(flatten)]
    pub report: Report,
    pub file: Option<String>,
    /// Every label that occurs; the internal step first.
    pub labels: Vec<String>,
    pub label_counts: Vec<LabelCount>,
    pub deadlocks: u64,
    /// Cycles of internal steps.
    pub livelocks: u64,
    pub deterministic: bool,
    pub unreachable: u64,
    /// States whose transitions are missing because a limit was reached when they were generated.
    pub incomplete: u64,
    /// Shortest runs to the first few.
    #[serde(skip)]
    pub deadlock_runs: Vec<Run>,
    #[serde(skip)]
    pub livelock_runs: Vec<Run>,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LabelCount {
    pub label: String,
    pub transitions: u64,
}

/// Looks at a whole model.
///
/// ```
/// use foresee_session::{LabelOptions, Limits, NoMeter, Silent, Registry, Source, open, model_info};
/// use std::collections::BTreeMap;
/// let text = "des (0, 2, 2)\n(0, a, 1)\n(0, tau, 0)\n".to_owned();
/// let files = BTreeMap::from([("m.aut".to_owned(), text)]);
/// let model = open(&Source::model_file("m.aut"), &Registry::new(), &files).unwrap();
/// let info = model_info(&model, &LabelOptions::default(), &Limits::none(), &NoMeter, &mut Silent);
/// assert_eq!((info.deadlocks, info.livelocks, info.deterministic), (1, 1, false));
/// ```
pub fn model_info(
    loaded: &Loaded,
    labels: &LabelOptions,
    limits: &Limits,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> InfoReport {
    let start = meter.elapsed();
    let mut report = Report::new("lts", loaded.name());
    (report.engine, report.strategy) = ("generation", "bfs");
    report.warnings = labels.warnings(loaded);
    let mut done = match held(loaded, &Watched::new(loaded), labels, limits, meter, observer) {
        Ok(held) => {
            report.warnings.extend(held.warning);
            report.stopped_by = held.made.stopped_by;
            report.verdict = match held.made.stopped_by {
                None => Outcome::Holds,
                Some(_) => Outcome::Inconclusive,
            };
            InfoReport::new(report, info(&held.lts))
        }
        Err(diagnostic) => InfoReport::error(report, *diagnostic),
    };
    done.file = Some(loaded.name());
    done.report.seconds = (meter.elapsed() - start).as_secs_f64();
    done
}

impl InfoReport {
    fn new(mut report: Report, info: Info) -> Self {
        (report.states, report.transitions) = (info.states, info.transitions);
        report.depth = info.depth;
        let count = |(label, transitions): &(String, u64)| LabelCount {
            label: label.clone(),
            transitions: *transitions,
        };
        let incomplete = info.labels.iter().find(|(label, _)| label == INCOMPLETE);
        let incomplete = incomplete.map_or(0, |(_, count)| *count);
        InfoReport {
            file: None,
            labels: info.labels.iter().map(|(label, _)| label.clone()).collect(),
            label_counts: info.labels.iter().map(count).collect(),
            deadlocks: info.deadlocks,
            livelocks: info.livelocks,
            deterministic: info.is_deterministic,
            unreachable: info.unreachable,
            incomplete,
            deadlock_runs: info.deadlock_runs,
            livelock_runs: info.livelock_runs,
            report,
        }
    }

    /// The report of something that could not be looked at.
    pub fn error(mut report: Report, diagnostic: Diagnostic) -> Self {
        report.fail(diagnostic);
        InfoReport::new(report, Info::default())
    }
}
