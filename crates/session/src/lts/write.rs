//! From a system to a file of its state space.
//! Plain generation of `.aut` streams: transitions are written as they are found, so tens of millions of them need no more
//! memory than their states. Reduction, drawing and a target that cannot seek (a pipe; the header has the counts) need the
//! whole of it.

use super::INCOMPLETE;
use super::space::held;
use crate::crashes::crashes_only_of;
use crate::watched::Watched;
use crate::{Code, Diagnostic, LabelOptions, Loaded, Outcome, Report, coverage};
use foresee_logic::aut::{self, Tau, Writer};
use foresee_logic::{
    Equivalence, Generated, LabelId, Labels, Lts, Nowhere, Sink, dot, generate, reduce,
};
use foresee_lts::System;
use foresee_search::{Limits, Meter, Observer};
use foresee_stdx::compare_naturally;
use foresee_stdx::halt;
use serde::Serialize;
use std::io::{self, Seek, Write};

/// What is wanted of a state space.
#[derive(Clone, Debug, Default)]
pub struct LtsRequest {
    pub labels: LabelOptions,
    pub limits: Limits,
    /// Only these nodes may crash; any if empty.
    pub crash: Vec<String>,
    /// The quotient instead of the whole.
    pub reduce: Option<Equivalence>,
    /// How the internal step is spelt in `.aut`.
    pub tau: Tau,
}

/// Something that the header of a file can be written to at the end.
pub trait WriteSeek: Write + Seek {}
impl<W: Write + Seek> WriteSeek for W {}

/// Where it goes.
pub enum LtsTarget<'a> {
    /// Only figures are wanted.
    Nowhere,
    /// As `.aut`, while it is found.
    File(&'a mut dyn WriteSeek),
    /// As `.aut`, when it is complete.
    Pipe(&'a mut dyn Write),
    /// As DOT, when it is complete.
    Drawing(&'a mut dyn Write),
}

/// What came of it. In JSON: the fields of a [`Report`], then these.
#[derive(Clone, Debug, Serialize)]
pub struct LtsReport {
    /// `states` and `transitions` are those of the file: of the quotient, if one was asked for.
    #[serde(flatten)]
    pub report: Report,
    /// The file written; the edge fills it in.
    pub file: Option<String>,
    /// Every label that occurs, in the order of names; the internal step first, as `tau`.
    pub labels: Vec<String>,
    /// States without transitions that are no end by the system's own word; of a quotient, all without transitions.
    pub deadlocks: u64,
    /// States whose transitions are missing because a limit was reached; in the file each has a loop that says so.
    pub incomplete: u64,
    /// The equivalence by which it was reduced.
    pub reduced: Option<&'static str>,
    /// Before the reduction.
    pub generated: Option<Size>,
    /// How often each label occurs.
    #[serde(skip)]
    pub counts: Vec<(String, u64)>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Size {
    pub states: u64,
    pub transitions: u64,
}

/// Generates the state space of a system and writes it.
///
/// ```
/// use foresee_session::{LtsRequest, LtsTarget, NoMeter, Silent, Registry, Source, open, write_lts};
/// use std::collections::BTreeMap;
/// let text = "act a, b proc P = a.b.P + tau.P init P".to_owned();
/// let files = BTreeMap::from([("m.mcrl".to_owned(), text)]);
/// let model = open(&Source::model_file("m.mcrl"), &Registry::new(), &files).unwrap();
/// let mut out = std::io::Cursor::new(Vec::new());
/// let target = LtsTarget::File(&mut out);
/// let done = write_lts(&model, &LtsRequest::default(), target, &NoMeter, &mut Silent);
/// assert_eq!((done.report.states, done.report.transitions), (2, 3));
/// assert_eq!(done.labels, ["tau", "a", "b"]);
/// assert!(String::from_utf8(out.into_inner()).unwrap().ends_with("(1,\"b\",0)\n"));
/// ```
pub fn write_lts(
    loaded: &Loaded,
    request: &LtsRequest,
    target: LtsTarget<'_>,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> LtsReport {
    let start = meter.elapsed();
    let mut report = Report::new("lts", loaded.name());
    (report.engine, report.strategy) = ("generation", "bfs");
    report.warnings = request.labels.warnings(loaded);
    report.cover(coverage::of_labels(loaded, &request.crash));
    let mut done = LtsReport {
        report,
        file: None,
        labels: Vec::new(),
        deadlocks: 0,
        incomplete: 0,
        reduced: request.reduce.map(Equivalence::word),
        generated: None,
        counts: Vec::new(),
    };
    let is_streamed =
        request.reduce.is_none() && matches!(target, LtsTarget::Nowhere | LtsTarget::File(_));
    let _watching = halt::watch(meter.probe());
    let written = halt::until_halted(|| match is_streamed {
        true => streamed(loaded, request, target, meter, observer, &mut done),
        false => whole(loaded, request, target, meter, observer, &mut done),
    });
    match written {
        Ok(Ok(())) => done.report.warnings.extend(loaded.front().warnings_after()),
        Ok(Err(diagnostic)) => done.report.fail(*diagnostic),
        Err(halted) => done.report.halt(halted),
    }
    done.report.seconds = (meter.elapsed() - start).as_secs_f64();
    done
}

type Fallible = Result<(), Box<Diagnostic>>;

fn streamed(
    loaded: &Loaded,
    request: &LtsRequest,
    target: LtsTarget<'_>,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    done: &mut LtsReport,
) -> Fallible {
    let watched = Watched::new(loaded).allowing(crashes_only_of(loaded, &request.crash)?);
    let (labels, meter) = (request.labels.of(loaded), watched.meter(meter));
    let mut generated = |sink: &mut dyn Sink| {
        let mut counted = Counted { inner: sink, labels: Labels::default(), counts: vec![0] };
        let made = generate(&watched, &*labels, &request.limits, &meter, observer, &mut counted)?;
        counted.mark_incomplete(&made)?;
        Ok((made, counted.named()))
    };
    let (made, counts) = match target {
        LtsTarget::File(output) => {
            let mut writer = Writer::seekable(output, request.tau);
            let (made, counts) = generated(&mut writer).map_err(not_written)?;
            writer.finish(made.states).map_err(not_written)?;
            (made, counts)
        }
        _ => generated(&mut Nowhere).map_err(not_written)?,
    };
    if let Some(trouble) = watched.trouble() {
        return Err(Box::new(trouble));
    }
    done.report.warnings.extend(watched.warning());
    done.tell(loaded, &made);
    done.name(counts);
    Ok(())
}

fn whole(
    loaded: &Loaded,
    request: &LtsRequest,
    target: LtsTarget<'_>,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
    done: &mut LtsReport,
) -> Fallible {
    let watched = Watched::new(loaded).allowing(crashes_only_of(loaded, &request.crash)?);
    let held = held(loaded, &watched, &request.labels, &request.limits, meter, observer)?;
    done.report.warnings.extend(held.warning);
    done.tell(loaded, &held.made);
    let lts = match request.reduce {
        None => held.lts,
        Some(equivalence) => {
            let Generated { states, transitions, .. } = held.made;
            done.generated = Some(Size { states, transitions });
            reduce(&held.lts, equivalence).lts
        }
    };
    done.report.states = lts.n_states() as u64;
    done.report.transitions = lts.n_transitions() as u64;
    done.deadlocks = lts.states().filter(|state| lts.edges(*state).is_empty()).count() as u64;
    done.name(counts_of(&lts));
    match target {
        LtsTarget::Nowhere => Ok(()),
        LtsTarget::File(output) => aut::write(&lts, request.tau, output).map(|_| ()),
        LtsTarget::Pipe(output) => aut::write(&lts, request.tau, output).map(|_| ()),
        LtsTarget::Drawing(output) => dot::write(&lts, output),
    }
    .map_err(not_written)
}

impl LtsReport {
    fn tell(&mut self, loaded: &Loaded, made: &Generated) {
        let stopped_by = made.stopped_by.or(loaded.front().left_out());
        let report = &mut self.report;
        (report.states, report.transitions) = (made.states, made.transitions);
        report.depth = made.depth;
        report.stopped_by = stopped_by;
        report.verdict = match stopped_by {
            None => Outcome::Holds,
            Some(_) => Outcome::Inconclusive,
        };
        self.deadlocks = made.deadlocks;
        self.incomplete = made.states - made.expanded;
    }

    fn name(&mut self, counts: Vec<(String, u64)>) {
        self.labels = counts.iter().map(|(label, _)| label.clone()).collect();
        self.counts = counts;
    }
}

/// Counts labels on their way.
struct Counted<'a> {
    inner: &'a mut dyn Sink,
    labels: Labels,
    counts: Vec<u64>,
}

impl Counted<'_> {
    fn mark_incomplete(&mut self, made: &Generated) -> io::Result<()> {
        for state in made.expanded..made.states {
            self.transition(state as u32, Some(INCOMPLETE), state as u32)?;
        }
        Ok(())
    }

    fn named(self) -> Vec<(String, u64)> {
        let named =
            self.labels.iter().map(|(id, name)| (name.to_owned(), self.counts[id.0 as usize]));
        in_order(named.collect())
    }
}

impl Sink for Counted<'_> {
    fn transition(&mut self, from: u32, label: Option<&str>, to: u32) -> io::Result<()> {
        let LabelId(id) = self.labels.intern_option(label);
        if id as usize == self.counts.len() {
            self.counts.push(0);
        }
        self.counts[id as usize] += 1;
        self.inner.transition(from, label, to)
    }
}

pub(super) fn counts_of(lts: &Lts) -> Vec<(String, u64)> {
    let mut counts = vec![0; lts.labels().len()];
    for edge in lts.all_edges() {
        counts[edge.label.0 as usize] += 1;
    }
    in_order(
        lts.labels().iter().map(|(id, name)| (name.to_owned(), counts[id.0 as usize])).collect(),
    )
}

/// The internal step first, then by name; without what does not occur.
fn in_order(mut counts: Vec<(String, u64)>) -> Vec<(String, u64)> {
    counts.retain(|(_, count)| *count > 0);
    counts.sort_by(|(a, _), (b, _)| {
        (b == "tau").cmp(&(a == "tau")).then_with(|| compare_naturally(a, b))
    });
    counts
}

fn not_written(error: io::Error) -> Box<Diagnostic> {
    let message = format!("the state space was not written: {error}");
    Box::new(
        Diagnostic::new(Code::FileNotWritten, message).help("choose another name or directory"),
    )
}
