//! The loop of a crew: level after level, all workers together.

use super::{STOP, Search, Trouble, limit_of, number_of, put_numbers};
use crate::engine::Stop;
use foresee_lts::StoppedBy;
use foresee_search::{DiskError, Noted};

use super::super::merge::{self, Find};

/// How the expansion of a level has ended, at all workers alike.
enum Expanded {
    Whole,
    /// To be gone on with, once what is done is saved.
    Paused,
    Stopped,
}

/// What a worker says when it has expanded its part of a level: a limit, whether it can be saved, a pause, and by place and one
/// the first deadlock and the first panic of a filter, whose message follows.
struct Said {
    stop: u64,
    is_full: bool,
    is_pausing: bool,
    stuck: Option<u64>,
    broken: Option<(u64, String)>,
}

impl Said {
    fn numbers(&self) -> Vec<u64> {
        let place = |place: Option<u64>| place.map_or(0, |place| place + 1);
        let broken = self.broken.as_ref();
        let mut numbers = vec![
            self.stop,
            u64::from(self.is_full),
            u64::from(self.is_pausing),
            place(self.stuck),
            place(broken.map(|(place, _)| *place)),
        ];
        numbers.extend(broken.iter().flat_map(|(_, message)| message.bytes().map(u64::from)));
        numbers
    }

    fn of(numbers: &[u64]) -> Said {
        let at = |n: usize| numbers.get(n).copied().unwrap_or(0);
        let text: Vec<u8> = numbers.iter().skip(5).map(|byte| *byte as u8).collect();
        let text = String::from_utf8_lossy(&text).into_owned();
        Said {
            stop: at(0),
            is_full: at(1) == 1,
            is_pausing: at(2) == 1,
            stuck: at(3).checked_sub(1),
            broken: at(4).checked_sub(1).map(|place| (place, text)),
        }
    }
}

impl Search<'_, '_> {
    /// The whole search, with the others.
    pub(super) fn work_together(&mut self) -> Result<(), Trouble> {
        self.prepare_together()?;
        self.tell_found_together()?;
        while !self.engine.is_stopped() && self.level_states() > 0 {
            if self.engine.config.limits.depth_max == Some(self.depth()) {
                self.close_together()?;
                return self.end_together();
            }
            self.expand_level(true)?;
            match self.end_expansion()? {
                Expanded::Stopped => return self.end_together(),
                Expanded::Paused => continue,
                Expanded::Whole => {}
            }
            self.merge_together()?;
        }
        if !self.engine.is_stopped() || self.is_at_level_end() {
            self.save_together()?;
        }
        self.end_together()
    }

    fn level_states(&self) -> u64 {
        self.crew.as_ref().map_or(0, |crew| crew.level_states)
    }

    /// Nothing of the last level is expanded, so that nothing would be lost.
    fn is_at_level_end(&self) -> bool {
        self.buffer.is_empty() && self.candidates.is_empty()
    }

    /// All that others have sent has come; why everybody has stopped expanding.
    fn end_expansion(&mut self) -> Result<Expanded, Trouble> {
        self.meter.saving(true);
        let said = self.say_expanded()?;
        if let Some(worker) = said.iter().position(|it| it.broken.is_some()) {
            let (place, message) = said[worker].broken.clone().expect("just found");
            self.tell_broken_together(worker, place, &message)?;
            return Ok(Expanded::Stopped);
        }
        self.note_stuck(&said);
        let is_paused = said.iter().any(|it| it.is_pausing);
        if let Some(limit) = said.iter().find_map(|it| limit_of(it.stop)) {
            self.engine.stop(Stop::Limit(limit));
            if said.iter().all(|it| !it.is_full) {
                self.save_candidates()?;
            }
            return Ok(Expanded::Stopped);
        }
        if let Some(crew) = &mut self.crew {
            crew.is_pausing = false;
        }
        if is_paused {
            self.save_candidates()?;
            return Ok(Expanded::Paused);
        }
        Ok(Expanded::Whole)
    }

    fn say_expanded(&mut self) -> Result<Vec<Said>, Trouble> {
        let stop = number_of(self.engine.stop);
        let own = Said {
            stop,
            is_full: self.engine.stop == Some(Stop::Limit(StoppedBy::Disk)),
            is_pausing: self.crew.as_ref().is_some_and(|crew| crew.is_pausing),
            stuck: self.stuck,
            broken: self.crew.as_ref().and_then(|crew| crew.broken.clone()),
        };
        if let (Some(crew), 1..) = (&mut self.crew, stop) {
            let mut parcel = vec![STOP];
            put_numbers(&mut parcel, &[stop]);
            crew.send_all(&parcel);
        }
        let said = self.gather(&own.numbers())?;
        Ok(said.iter().map(|numbers| Said::of(numbers)).collect())
    }

    /// The first deadlock of all workers is the one that counts.
    fn note_stuck(&mut self, said: &[Said]) {
        let first = said.iter().position(|it| it.stuck.is_some());
        let own = self.crew.as_ref().map(|crew| crew.index);
        if first.is_some() && first != own {
            self.stuck = None;
        }
    }

    /// Makes what is new the next level, at all workers, and tells what it has brought.
    fn merge_together(&mut self) -> Result<(), Trouble> {
        let merged = match self.merge_level() {
            Ok(finds) => Some(finds.expect("limits wait for a crew to merge")),
            Err(DiskError::Full) => None,
            Err(error) => return Err(error.into()),
        };
        let stuck = self.stuck.take().map(|position| Find { what: merge::DEADLOCK, position });
        let finds = merged.iter().flatten().copied();
        let finds: Vec<Find> = stuck.into_iter().chain(finds).collect();
        let mut own = vec![
            u64::from(merged.is_none()),
            self.last_level().states,
            u64::from(self.is_save_due()),
            self.states,
        ];
        own.extend(finds.iter().flat_map(|find| [find.what, find.position]));
        let said = self.gather(&own)?;
        if said.iter().any(|it| it[0] == 1) {
            self.engine.stop(Stop::Limit(StoppedBy::Disk));
            return Ok(());
        }
        let level_states = said.iter().map(|it| it[1]).sum();
        if let Some(crew) = &mut self.crew {
            crew.level_states = level_states;
        }
        let is_due = said[0][2] == 1;
        let level = self.depth();
        let finds = said.iter().enumerate().flat_map(|(worker, numbers)| {
            let (pairs, _) = numbers[4..].as_chunks::<2>();
            pairs.iter().map(move |[what, position]| (worker, *what, *position))
        });
        let noted = |(worker, what, position): (usize, u64, u64)| {
            let level = if what == merge::DEADLOCK { level - 1 } else { level };
            (worker, Noted { what, level, position })
        };
        let mut finds: Vec<(usize, Noted)> = finds.map(noted).collect();
        // A deadlock is told first; the rest is in the order of keys, because workers are.
        finds.sort_by_key(|(_, noted)| noted.what != merge::DEADLOCK);
        self.tell_together(&finds, true)?;
        if level_states > 0 {
            self.engine.depth = level;
        }
        self.note_total();
        let states: u64 = said.iter().map(|it| it[3]).sum();
        if self.states_max.is_some_and(|max| states > max) {
            self.engine.stop(Stop::Limit(StoppedBy::States));
        }
        if is_due && !self.engine.is_stopped() {
            self.save_together()?;
        }
        Ok(())
    }

    /// At the limit on depth: whether it cuts anything off. Nothing is counted or kept.
    fn close_together(&mut self) -> Result<(), Trouble> {
        self.save_together()?;
        let (transitions, position) = (self.engine.transitions, self.position);
        self.expand_level(false)?;
        let said = self.say_expanded()?;
        self.engine.transitions = transitions;
        if let Some(limit) = said.iter().find_map(|it| limit_of(it.stop)) {
            self.engine.stop(Stop::Limit(limit));
            return Ok(());
        }
        if let Some(worker) = said.iter().position(|it| it.broken.is_some()) {
            let (place, message) = said[worker].broken.clone().expect("just found");
            return self.tell_broken_together(worker, place, &message);
        }
        let is_cut = self.has_new()?;
        self.position = position;
        let cut = self.gather(&[u64::from(is_cut)])?;
        let stuck = said.iter().enumerate().find_map(|(worker, it)| Some((worker, it.stuck?)));
        self.stuck = None;
        if let Some((worker, position)) = stuck {
            let noted = Noted { what: merge::DEADLOCK, level: self.depth(), position };
            self.tell_together(&[(worker, noted)], false)?;
        }
        if cut.iter().any(|it| it[0] == 1) {
            self.engine.stop(Stop::Limit(StoppedBy::Depth));
        }
        Ok(())
    }

    /// The figures of all workers become those of the search. All workers end together.
    fn end_together(&mut self) -> Result<(), Trouble> {
        self.gather(&[])?;
        self.note_total();
        if let Some(crew) = &self.crew {
            self.engine.transitions = crew.total().transitions;
            self.engine.elsewhere = None;
        }
        Ok(())
    }

    /// Tells the engine what it says of the search to those who watch it.
    pub(in super::super) fn note_total(&mut self) {
        let figures = self.own_figures();
        let own_bytes = self.bytes();
        let Some(crew) = &mut self.crew else { return };
        crew.figures[crew.index] = figures;
        let total = crew.total();
        let disk = if crew.is_kept { total.disk } else { 0 };
        self.engine.on_disk = Some((total.states, disk));
        self.engine.frontier = total.frontier;
        self.engine.crew_bytes = own_bytes;
        self.engine.elsewhere = Some(crate::engine::Elsewhere {
            transitions: total.transitions - figures.transitions,
            memory: total.memory - figures.memory,
            workers: crew.workers,
            exchanged: total.sent,
            skew: crew.skew(),
        });
    }
}
