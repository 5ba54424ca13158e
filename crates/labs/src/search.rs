//! Carrying out searches, and the words of what they found: which phase, which property, what was looked for, how far it came.

use crate::always::{Answer, always_possible};
use crate::evidence::{Evidence, as_it_was, shown};
use crate::results::Outcome;
use crate::run::idle;
use crate::{Arena, SearchPlan, SetUp, Status};
use foresee_lts::{Finding, Path, StoppedBy, System, Verdict, Violation, ViolationKind};
use foresee_nodes::BuildOptions;
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stateful::{
    Config, Guide, GuideReport, PhaseFailure, Report, Strategy, run_guide, search,
};

/// What a search works on.
struct Task<'a> {
    name: &'a str,
    set_up: &'a SetUp,
    arena: &'a Arena,
    seed: u64,
}

pub(crate) fn carry_out(
    name: &str,
    set_up: &SetUp,
    plan: &SearchPlan,
    seed: u64,
    options: &BuildOptions,
) -> Outcome {
    let arena = set_up(name, options);
    let task = Task { name, set_up, arena: &arena, seed };
    match *plan {
        SearchPlan::Exhaust { states_max } => task.exhaust(states_max),
        SearchPlan::Explore { states_max } => task.explore(states_max),
        SearchPlan::Guided => task.guided(),
        SearchPlan::Walks { walks, depth_max } => task.walks(walks, depth_max),
        SearchPlan::AlwaysPossible { states_max } => task.always_possible(states_max),
    }
}

impl Task<'_> {
    fn system(&self) -> &dyn System {
        self.arena.world.system()
    }

    fn search(&self, change: impl FnOnce(&mut Config)) -> Report {
        let allow = self.arena.allow.clone();
        let mut config = Config { seed: self.seed, allow, ..Config::of(self.system()) };
        change(&mut config);
        search(self.system(), &config, &NoMeter, &mut Silent)
    }

    fn exhaust(&self, states_max: u64) -> Outcome {
        let report = self.search(|config| config.limits = states(states_max));
        if let Some(outcome) = self.wrong(&report.violations, report.states) {
            return outcome;
        }
        match report.verdict {
            Verdict::Holds => self.harmless(
                report.states,
                format!(
                    "everything explored: {} states, {} steps deep",
                    report.states, report.depth
                ),
            ),
            Verdict::Inconclusive(_) => self.too_many(&report, states_max),
            _ => self.broken(&report),
        }
    }

    /// First progress, then harm, within the same limit.
    fn explore(&self, states_max: u64) -> Outcome {
        let limits = states(states_max);
        let progress = self.search(|config| {
            (config.goals, config.limits) = (vec![self.arena.done.clone()], limits.clone());
            // What is wrong on the way is for the second search, which looks at everything.
            config.properties.clear();
        });
        if progress.goal.is_none() && progress.violations.is_empty() {
            let property = format!("reachable: {}", self.arena.done.name());
            let message = format!(
                "looked for a state in which {}; found none in {} states, {} steps deep ({})",
                self.arena.done.name(),
                progress.states,
                progress.depth,
                ended(progress.verdict)
            );
            return Outcome::failed(progress.states, &property, message);
        }
        let report = self.search(|config| config.limits = limits);
        if let Some(outcome) = self.wrong(&report.violations, report.states) {
            return outcome;
        }
        if report.verdict == Verdict::Error {
            return self.broken(&report);
        }
        let message = format!(
            "{} states, {} steps deep ({})",
            report.states,
            report.depth,
            ended(report.verdict)
        );
        Outcome::passed(report.states, message)
    }

    fn walks(&self, walks: u64, depth_max: u32) -> Outcome {
        let report = self.search(|config| {
            config.strategy = Strategy::Random;
            config.limits = Limits {
                interleavings_max: Some(walks),
                depth_max: Some(depth_max),
                ..Limits::none()
            };
        });
        let violations: Vec<Violation> = report
            .violations
            .iter()
            .filter(|it| it.kind != ViolationKind::Property)
            .cloned()
            .collect();
        if let Some(outcome) = self.wrong(&violations, report.states) {
            return outcome;
        }
        if report.verdict == Verdict::Error {
            return self.broken(&report);
        }
        self.harmless(
            report.states,
            format!("{} random walks of up to {depth_max} steps", report.walks),
        )
    }

    /// Nothing wrong was found. Is anything done?
    fn harmless(&self, n_states: u64, message: String) -> Outcome {
        let wrong = idle(self.name, self.set_up, self.seed, &BuildOptions::default());
        wrong.map_or_else(
            || Outcome::passed(n_states, message),
            |outcome| Outcome { states: n_states, ..outcome },
        )
    }

    fn guided(&self) -> Outcome {
        let mut guide = self.arena.guide.clone().expect("the arena of a guided search has a guide");
        guide.seed = self.seed;
        if guide.properties.is_empty() {
            guide.properties = self.system().properties();
        }
        if guide.prunes.is_empty() {
            guide.prunes = self.system().prunes();
        }
        let report = run_guide(self.system(), &guide, &NoMeter, &mut Silent);
        let n_states = visited(&report);
        if let Some(outcome) = self.wrong(&report.violations, n_states) {
            let phase = report.failed.as_ref().map_or("", |(phase, _)| phase);
            let message = format!("in the phase `{phase}`: {}", outcome.message);
            return Outcome { message, ..outcome };
        }
        match &report.failed {
            None => Outcome::passed(n_states, how_far(&guide, &report)),
            Some((phase, failure)) => self.missed(&guide, &report, phase, failure),
        }
    }

    /// A phase did not do what it should.
    fn missed(
        &self,
        guide: &Guide,
        report: &GuideReport,
        phase: &str,
        failure: &PhaseFailure,
    ) -> Outcome {
        let n_states = visited(report);
        if let Some(broken) = &report.broken_property {
            return self.failed_itself(n_states, &broken.property, &broken.message);
        }
        let goal = guide.phases.iter().find(|it| it.name == phase).and_then(|it| it.goal.as_ref());
        let looked_for = goal.map_or_else(|| "its steps".to_owned(), |goal| goal.name().to_owned());
        let searched = report.phases.last().and_then(|it| it.search.as_ref());
        let (states, depth) = searched.map_or((0, 0), |search| (search.states, search.depth));
        let why = match failure {
            PhaseFailure::Exhausted { .. } => {
                "everything that the phase allows was explored".to_owned()
            }
            PhaseFailure::Limit(limit) => format!("stopped by the limit on {}", limit.word()),
            other => other.to_string(),
        };
        let message = format!(
            "phase {} of {}, `{phase}`: looked for `{looked_for}`, found it nowhere in {states} states, {depth} steps deep ({why}); {}; \
             the trace ends where the phase began",
            report.phases.len(),
            guide.phases.len(),
            how_far(guide, report),
        );
        let mut outcome = Outcome::failed(n_states, &looked_for, message);
        if let Some(start) = report.paths.first() {
            outcome.trace = Some(as_it_was(self.name, self.system(), start, self.seed));
        }
        outcome
    }

    fn always_possible(&self, states_max: u64) -> Outcome {
        let property = format!("it is always possible that {}", self.arena.done.name());
        let answer = always_possible(
            self.system(),
            &self.system().prunes(),
            self.arena.allow.as_ref(),
            &self.arena.done,
            states_max as usize,
        );
        match answer {
            Answer::Holds { n_states } => Outcome::passed(
                n_states as u64,
                format!("everything explored: {n_states} states, and all lead to the end"),
            ),
            Answer::TooMany { n_states } => {
                Outcome::failed(n_states as u64, "the state space is small", grows(n_states as u64))
            }
            Answer::Fault { path, finding, n_states } => {
                self.evidence(&path, &finding, n_states as u64)
            }
            Answer::Stuck { path, n_after, n_states } => {
                let last = path.states(self.system()).pop().expect("the initial state at least");
                let message = format!(
                    "after these {} steps {}, and nothing that can happen from there ({n_after} states, all explored) leads to an end",
                    path.actions.len(),
                    self.arena.done.explain(&last)
                );
                let kind = ViolationKind::Liveness;
                let finding =
                    Finding { kind, property: Some(property.clone()), message: message.clone() };
                let trace = as_it_was(self.name, self.system(), &path, self.seed);
                Outcome::failed(n_states as u64, &property, message)
                    .with_trace(trace.with_violation(finding))
            }
        }
    }

    /// The first violation, with its trace.
    fn wrong(&self, violations: &[Violation], n_states: u64) -> Option<Outcome> {
        let violation = violations.first()?;
        if violation.kind == ViolationKind::Property {
            let property = violation.property.clone().unwrap_or_default();
            let property = format!("reachable: {property}");
            return Some(Outcome::failed(n_states, &property, violation.message.clone()));
        }
        Some(self.evidence(&violation.path, &Finding::from(violation), n_states))
    }

    fn evidence(&self, path: &Path, finding: &Finding, n_states: u64) -> Outcome {
        let property = finding.property.clone();
        let property = property.unwrap_or_else(|| format!("no {}", finding.kind.word()));
        match shown(self.name, self.set_up, self.system(), path, finding, self.seed) {
            Evidence::Confirmed(trace, message) => {
                Outcome::failed(n_states, &property, message).with_trace(trace)
            }
            Evidence::Diverged(trace, message) => {
                Outcome::failed(n_states, "handlers are deterministic", message).with_trace(trace)
            }
        }
    }

    fn too_many(&self, report: &Report, states_max: u64) -> Outcome {
        Outcome::failed(report.states, "the state space is small", grows(states_max))
    }

    /// A closure of the test panicked on the solution's states.
    fn broken(&self, report: &Report) -> Outcome {
        match &report.broken_property {
            Some(broken) => self.failed_itself(report.states, &broken.property, &broken.message),
            None => self.failed_itself(report.states, "the search", "no reason was given"),
        }
    }

    fn failed_itself(&self, states: u64, what: &str, message: &str) -> Outcome {
        let message = format!("`{what}` panicked: {message}");
        Outcome { status: Status::Error, property: None, message, states, trace: None }
    }
}

fn states(states_max: u64) -> Limits {
    Limits { states_max: Some(states_max), ..Limits::none() }
}

fn grows(states_max: u64) -> String {
    format!(
        "there are more than {states_max} states, where a few should do: something grows without end. Usual causes: a retry that sends \
         something new each time, timers that multiply, counters that nobody reads. `Do the same thing again` should lead to the same state"
    )
}

fn ended(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Inconclusive(StoppedBy::States) => "as many states as the test allows",
        Verdict::Inconclusive(_) => "stopped by a limit",
        _ => "everything explored",
    }
}

fn visited(report: &GuideReport) -> u64 {
    report.phases.iter().filter_map(|phase| phase.search.as_ref()).map(|search| search.states).sum()
}

/// What each phase that was begun did.
fn how_far(guide: &Guide, report: &GuideReport) -> String {
    let told = report.phases.iter().map(|phase| match &phase.search {
        Some(search) => format!("`{}` {} states", phase.name, search.states),
        None => format!("`{}`", phase.name),
    });
    let steps = report.paths.first().map_or(0, |path| path.actions.len());
    let told: Vec<String> = told.collect();
    format!(
        "phases: {} of {} ({steps} steps to the last): {}",
        told.len(),
        guide.phases.len(),
        told.join(", ")
    )
}
