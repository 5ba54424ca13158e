//! Running a guide: script, search, hand on what was found.

use super::script::Scripted;
use super::{Guide, GuideReport, Phase, PhaseFailure, PhaseReport};
use crate::{Config, Report, Strategy, search};
use foresee_lts::{Path, Property, StoppedBy, System, Verdict, ViolationKind};
use foresee_search::{Limits, Meter, Observer};
use std::time::Duration;

/// Runs the phases one after the other, until one fails.
pub fn run_guide(
    system: &dyn System,
    guide: &Guide,
    meter: &dyn Meter,
    observer: &mut dyn Observer,
) -> GuideReport {
    let initial = system.initial().into_iter();
    let paths = initial.map(|initial| Path { initial, actions: Vec::new() }).collect();
    let mut run = Run {
        system,
        guide,
        started: meter.elapsed(),
        report: GuideReport {
            verdict: Verdict::Inconclusive(StoppedBy::Guide),
            paths,
            violations: Vec::new(),
            reached: Vec::new(),
            phases: Vec::new(),
            failed: None,
            broken_property: None,
        },
    };
    for (number, phase) in guide.phases.iter().enumerate() {
        observer.phase(&phase.name, number + 1, guide.phases.len());
        run.report.phases.push(PhaseReport {
            name: phase.name.clone(),
            starts: run.report.paths.len(),
            found: 0,
            search: None,
        });
        if let Err(failure) = run.phase(phase, meter, observer) {
            run.fail(phase, failure);
            break;
        }
        run.phase_report().found = run.report.paths.len();
    }
    run.report
}

struct Run<'a> {
    system: &'a dyn System,
    guide: &'a Guide,
    /// What the meter showed at the beginning.
    started: Duration,
    report: GuideReport,
}

impl Run<'_> {
    fn phase(
        &mut self,
        phase: &Phase,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<(), PhaseFailure> {
        if !phase.script.is_empty() {
            self.script(phase, meter, observer)?;
            if phase.goal.is_none() {
                return Ok(());
            }
        }
        let config = self.config(phase, self.report.paths.clone(), meter);
        let report = search(self.system, &config, meter, observer);
        self.phase_report().search = Some(report.clone());
        self.check(&report)?;
        match (&phase.goal, report.verdict) {
            (Some(_), _) if !report.goals.is_empty() => {
                self.report.paths = report.goals.into_iter().map(|(_, path)| path).collect();
                Ok(())
            }
            (Some(_), Verdict::Inconclusive(limit)) => Err(PhaseFailure::Limit(limit)),
            (Some(goal), _) => Err(PhaseFailure::Exhausted { goal: goal.name().to_owned() }),
            (None, Verdict::Inconclusive(limit)) => {
                self.report.verdict = Verdict::Inconclusive(limit);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    /// Takes the scripted steps from every start; those on which the script is stuck are left behind.
    fn script(
        &mut self,
        phase: &Phase,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<(), PhaseFailure> {
        let mut paths = Vec::new();
        let mut stuck = None;
        for start in std::mem::take(&mut self.report.paths) {
            let mut scripted = Scripted::new(self.system, start.clone());
            let outcome = phase.script.iter().enumerate().try_for_each(|(number, step)| {
                scripted.take(number, step)?;
                let report = self.look(phase, scripted.path(), meter, observer);
                self.check(&report)
            });
            match outcome {
                Ok(()) => paths.push(scripted.into_path()),
                Err(failure @ PhaseFailure::Stuck { .. }) => {
                    stuck.get_or_insert((failure, start));
                }
                Err(failure) => {
                    self.report.paths = vec![scripted.into_path()];
                    return Err(failure);
                }
            }
        }
        if let (true, Some((failure, start))) = (paths.is_empty(), stuck) {
            self.report.paths = vec![start];
            return Err(failure);
        }
        self.report.paths = paths;
        Ok(())
    }

    /// Checks the state at the end of a path, and goes nowhere.
    fn look(
        &self,
        phase: &Phase,
        path: &Path,
        meter: &dyn Meter,
        observer: &mut dyn Observer,
    ) -> Report {
        let mut config = self.config(phase, vec![path.clone()], meter);
        config.limits.depth_max = Some(0);
        config.strategy = Strategy::BreadthFirst;
        config.goals.clear();
        search(self.system, &config, meter, observer)
    }

    fn config(&self, phase: &Phase, from: Vec<Path>, meter: &dyn Meter) -> Config {
        let spent = meter.elapsed().saturating_sub(self.started);
        let time_left = self.guide.limits.time_max.map(|max| max.saturating_sub(spent));
        let of_guide = Limits { time_max: time_left, ..self.guide.limits.clone() };
        let invariants = phase.invariants.iter().cloned().map(Property::invariant);
        Config {
            strategy: phase.strategy,
            properties: self.guide.properties.iter().cloned().chain(invariants).collect(),
            goals: phase.goal.iter().cloned().collect(),
            goals_max: phase.goals_max.max(1),
            prunes: self.guide.prunes.iter().chain(&phase.prunes).cloned().collect(),
            allow: phase.allow.clone(),
            limits: phase.limits.clone().and(&of_guide),
            threads: self.guide.threads.max(1),
            seed: self.guide.seed,
            visited: self.guide.visited,
            score: phase.score.clone(),
            from: Some(from),
            ..Config::default()
        }
    }

    /// Takes over what is wrong, if anything is. That a reachable property was not reached is not: a phase shows only a part.
    fn check(&mut self, report: &Report) -> Result<(), PhaseFailure> {
        for reached in &report.reached {
            if !self.report.reached.iter().any(|(name, _)| *name == reached.0) {
                self.report.reached.push(reached.clone());
            }
        }
        let wrong = report.violations.iter().filter(|it| it.kind != ViolationKind::Property);
        self.report.violations.extend(wrong.cloned());
        match report.verdict {
            Verdict::Error => {
                self.report.broken_property.clone_from(&report.broken_property);
                Err(PhaseFailure::Broken)
            }
            _ if !self.report.violations.is_empty() => Err(PhaseFailure::Violation),
            _ => Ok(()),
        }
    }

    fn fail(&mut self, phase: &Phase, failure: PhaseFailure) {
        self.report.verdict = failure.verdict();
        self.report.failed = Some((phase.name.clone(), failure));
    }

    fn phase_report(&mut self) -> &mut PhaseReport {
        self.report.phases.last_mut().expect("a phase has begun")
    }
}
