//! Progress on a terminal: what the search has done, how fast, and about how much is left.
//! Silent when standard error is not a terminal, and with `--quiet`.

use crate::{last_words, units, width};
use foresee_session::{Found, Interleavings, Limits, Observer, Progress, Violation};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// An observer that draws one line on standard error.
pub(crate) struct Line {
    bar: ProgressBar,
    limits: Limits,
    outlook: Outlook,
    memory_bytes: u64,
    disk_bytes: Option<u64>,
    /// How the workers of a search by several processes are doing.
    crew: Option<String>,
    /// `phase 2 of 3, server2 replaces it`
    phase: Option<String>,
}

impl Line {
    pub(crate) fn new(quiet: bool, limits: Limits) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let target = if visible {
            ProgressDrawTarget::stderr_with_hz(8)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}")
            .expect("a fixed template");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(200));
        Line {
            bar,
            limits,
            outlook: Outlook::default(),
            memory_bytes: 0,
            disk_bytes: None,
            crew: None,
            phase: None,
        }
    }

    /// Takes the line away, so that the report stands alone.
    pub(crate) fn finish(self) {
        last_words::told();
        self.bar.finish_and_clear();
    }
}

impl Observer for Line {
    fn progress(&mut self, progress: &Progress) {
        last_words::note_progress(progress);
        self.outlook.see(progress);
        self.memory_bytes = progress.memory_bytes;
        if !self.bar.is_hidden() {
            let phase = self.phase.iter().cloned();
            let disk = self.disk_bytes.map(|bytes| format!("disk {}", units::bytes(bytes)));
            let parts = parts(progress, &self.limits, &self.outlook);
            let crew = self.crew.iter().cloned();
            let parts = phase.chain(disk).chain(parts).chain(crew).collect();
            self.bar.set_message(line(parts, room()));
        }
    }

    fn disk(&mut self, bytes: u64) {
        self.disk_bytes = Some(bytes).filter(|bytes| *bytes > 0);
    }

    fn crew(&mut self, workers: usize, bytes_exchanged: u64, skew: f64) {
        let exchanged = units::bytes(bytes_exchanged);
        self.crew = Some(format!("{workers} workers · {exchanged} exchanged · skew {skew:.2}"));
    }

    fn phase(&mut self, name: &str, number: usize, n_phases: usize) {
        self.phase = Some(format!("phase {number} of {n_phases}, {name}"));
        self.outlook = Outlook::default();
    }

    fn violation(&mut self, violation: &Violation) {
        let Violation { kind, property, message, .. } = violation.clone();
        last_words::note_violation(Found::without_run(kind, property, message));
    }

    fn interleavings(&mut self, interleavings: &Interleavings) {
        last_words::note_interleavings(interleavings);
        if !self.bar.is_hidden() {
            let parts = parts_of_interleavings(interleavings, self.memory_bytes);
            self.bar.set_message(line(parts, room()));
        }
    }
}

fn parts_of_interleavings(progress: &Interleavings, memory_bytes: u64) -> Vec<String> {
    let seconds = progress.elapsed.as_secs_f64().max(1e-6);
    let rate = progress.explored as f64 / seconds;
    let mut parts = vec![
        units::counted(progress.explored, "interleaving"),
        units::rate(rate),
        format!("{} erroneous", units::grouped(progress.erroneous)),
        format!("at least {} planned", units::grouped(progress.planned)),
        units::bytes(memory_bytes),
    ];
    if progress.estimated.is_finite() && rate > 0.0 {
        let left = (progress.estimated - progress.explored as f64).max(0.0) / rate;
        let total = units::grouped(progress.estimated as u64);
        parts.push(format!("about {total} in all, {} to go", units::duration(left)));
    }
    parts
}

/// Columns for the message: what the spinner and the time leave.
fn room() -> usize {
    const BEFORE: usize = 14;
    width::of_errors().unwrap_or(80).saturating_sub(BEFORE)
}

/// As many parts as fit, the first ones first; a line that is too long would leave pieces of itself behind.
fn line(parts: Vec<String>, room: usize) -> String {
    let mut text = String::new();
    for part in parts {
        let n = text.chars().count() + 3 + part.chars().count();
        if !text.is_empty() && n > room {
            break;
        }
        if !text.is_empty() {
            text.push_str(" · ");
        }
        text.push_str(&part);
    }
    units::shortened(&text, room)
}

/// The most important first.
fn parts(progress: &Progress, limits: &Limits, outlook: &Outlook) -> Vec<String> {
    let seconds = progress.elapsed.as_secs_f64().max(1e-6);
    let mut parts = vec![
        units::counted(progress.states, "state"),
        units::rate(progress.states as f64 / seconds),
        format!("frontier {}", units::grouped(progress.frontier)),
        format!("depth {}", progress.depth),
        units::bytes(progress.memory_bytes),
    ];
    parts.extend(outlook.text());
    parts.extend(share_of_limits(progress, limits));
    parts
}

/// How much of the nearest limit is used, from 1 % on.
fn share_of_limits(progress: &Progress, limits: &Limits) -> Option<String> {
    let of = |used: f64, limit: f64| if limit > 0.0 { used / limit } else { 1.0 };
    let shares = [
        limits.states_max.map(|max| ("states", of(progress.states as f64, max as f64))),
        limits.time_max.map(|max| ("time", of(progress.elapsed.as_secs_f64(), max.as_secs_f64()))),
        limits.memory_max.map(|max| ("memory", of(progress.memory_bytes as f64, max as f64))),
    ];
    let (name, share) = shares.into_iter().flatten().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (share >= 0.01).then(|| format!("{:.0}% of --{name}-max", (share * 100.0).min(100.0)))
}

/// An estimate of what is left, from how the frontier grows or shrinks from depth to depth.
/// A frontier that shrinks by the ratio `r` at each depth has `frontier * r / (1 - r)` states behind it. While it grows nobody
/// can tell, and we say so.
#[derive(Debug, Default)]
struct Outlook {
    depth: u32,
    /// The largest frontier seen at the current depth.
    frontier: u64,
    ratio: Option<f64>,
}

impl Outlook {
    fn see(&mut self, progress: &Progress) {
        if progress.depth == self.depth {
            self.frontier = self.frontier.max(progress.frontier);
            return;
        }
        if progress.depth == self.depth + 1 && self.frontier > 0 {
            self.ratio = Some(progress.frontier as f64 / self.frontier as f64);
        }
        (self.depth, self.frontier) = (progress.depth, progress.frontier);
    }

    fn text(&self) -> Option<String> {
        let ratio = self.ratio?;
        if ratio >= 0.98 {
            return Some("still growing".to_owned());
        }
        let left = self.frontier as f64 * ratio / (1.0 - ratio);
        Some(format!("about {} to go", units::counted(left as u64, "state")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(depth: u32, frontier: u64) -> Progress {
        Progress {
            states: 1000,
            depth,
            frontier,
            elapsed: Duration::from_secs(2),
            ..Progress::default()
        }
    }

    #[test]
    fn a_shrinking_frontier_gives_an_estimate_and_a_growing_one_does_not() {
        let mut outlook = Outlook::default();
        assert_eq!(outlook.text(), None);
        for (depth, frontier) in [(1, 100), (2, 200)] {
            outlook.see(&at(depth, frontier));
        }
        assert_eq!(outlook.text().as_deref(), Some("still growing"));
        outlook.see(&at(3, 100));
        assert_eq!(outlook.text().as_deref(), Some("about 100 states to go"));
    }

    #[test]
    fn a_line_has_as_many_parts_as_fit() {
        let parts = || vec!["1,000 states".to_owned(), "500/s".to_owned(), "depth 1".to_owned()];
        assert_eq!(line(parts(), 200), "1,000 states · 500/s · depth 1");
        assert_eq!(line(parts(), 22), "1,000 states · 500/s");
        assert_eq!(line(parts(), 8), "1,000 s…");
    }

    #[test]
    fn the_nearest_limit_is_shown() {
        let limits = Limits {
            states_max: Some(2000),
            time_max: Some(Duration::from_secs(200)),
            ..Limits::default()
        };
        let text = parts(&at(1, 7), &limits, &Outlook::default()).join(" · ");
        assert_eq!(text, "1,000 states · 500/s · frontier 7 · depth 1 · 0 B · 50% of --states-max");
    }
}
