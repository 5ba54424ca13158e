//! One bug: planted, built, its tests run from near to far until one fails.

use super::Mutant;
use super::baseline::Baseline;
use super::binaries;
use super::results::{Outcome, Verdict};
use super::tree::Tree;
use anyhow::Result;
use std::time::Instant;

/// A worker: a copy of the tree and the threads it may use.
pub(super) struct Worker<'a> {
    pub(super) tree: Tree,
    pub(super) baseline: &'a Baseline,
    pub(super) n_threads: usize,
}

impl Worker<'_> {
    /// Plants a bug and sees which of its tests notice.
    pub(super) fn attempt(&self, mutant: &Mutant) -> Result<Outcome> {
        let (mut seconds, mut work_seconds, mut n_asked) = (0.0, 0.0, 0);
        let verdict = loop {
            let rest = &mutant.tests[n_asked..];
            let Some(next) = rest.first() else { break Verdict::Missed };
            if !self.baseline.has(next) {
                self.baseline.establish(&self.tree, next, self.n_threads)?;
            }
            // Taking the bug out and planting it again costs a build, so it stays for as long as possible.
            let n_known = rest.iter().take_while(|it| self.baseline.has(it)).count();
            let started = Instant::now();
            let verdict = self
                .tree
                .with(mutant, || self.ask(&rest[..n_known], &mut n_asked, &mut work_seconds));
            seconds += started.elapsed().as_secs_f64();
            match verdict? {
                Verdict::Missed => {}
                verdict => break verdict,
            }
        };
        Ok(Outcome { verdict, n_asked, seconds, work_seconds })
    }

    fn ask(&self, commands: &[String], n_asked: &mut usize, work: &mut f64) -> Result<Verdict> {
        for command in commands {
            *n_asked += 1;
            let built = binaries::build(&self.tree, command, self.n_threads)?;
            *work += built.work_seconds;
            let mut binaries = match built.binaries {
                Ok(binaries) => binaries,
                Err(message) => return Ok(Verdict::Broken(message)),
            };
            // What is quick is asked first: most bugs are noticed by it.
            binaries.sort_by(|a, b| self.baseline.seconds(a).total_cmp(&self.baseline.seconds(b)));
            for binary in &binaries {
                let time = self.baseline.time_max(binary);
                let ended = binaries::run(&self.tree, binary, time, self.n_threads)?;
                *work += ended.work_seconds;
                let by = binary.executable.name.clone();
                if ended.is_late {
                    return Ok(Verdict::Late { by });
                }
                if !ended.is_success {
                    let test = binaries::failed(&ended).map(str::to_owned);
                    return Ok(Verdict::Caught { by, test });
                }
            }
        }
        Ok(Verdict::Missed)
    }
}
