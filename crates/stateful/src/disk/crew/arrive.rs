//! What is done with parcels, and when they are looked for.

use super::channel::Origin;
use super::{
    CANDIDATES, FIGURES, Figures, PAUSE, Parcel, SAID, STATE, STOP, Search, Trouble, limit_of,
    parent, put_numbers, senseless, take_numbers,
};
use crate::engine::Stop;
use foresee_lts::Change;
use foresee_search::{ClusterError, Shape, Varint};
use std::time::Duration;

/// A round ends when so many bytes wait to be sent, or after so many expansions.
const ROUND_BYTES: usize = 1 << 20;
const ROUND_EXPANSIONS: usize = 1 << 14;
/// Between two looks at what has arrived.
const POLL_EXPANSIONS: usize = 1 << 11;
const POLL_EVERY: Duration = Duration::from_millis(20);

impl Search<'_, '_> {
    /// After some expansions: ends the round if it is time, and takes in what has arrived.
    pub(in super::super) fn trade(&mut self, n_expanded: usize) -> Result<(), Trouble> {
        let Some(crew) = &mut self.crew else { return Ok(()) };
        let now = self.meter.elapsed();
        crew.round_expansions += n_expanded;
        crew.expansions_since_poll += n_expanded;
        let is_round = crew.round_bytes >= ROUND_BYTES || crew.round_expansions >= ROUND_EXPANSIONS;
        let is_poll = crew.expansions_since_poll >= POLL_EXPANSIONS
            || now.saturating_sub(crew.polled_at) >= POLL_EVERY;
        if !is_round && !is_poll {
            return Ok(());
        }
        // Figures are not for nothing: what a system holds is in many tables.
        self.note_total();
        let Some(crew) = &mut self.crew else { return Ok(()) };
        let figures = crew.figures[crew.index];
        let parcels = if is_round {
            crew.send_waiting();
            crew.tell_figures(figures);
            crew.exchange.end_round()?
        } else {
            crew.exchange.poll()?
        };
        (crew.expansions_since_poll, crew.polled_at) = (0, now);
        self.take_all_in(parcels)?;
        if let Some(limit) = self.crew.as_ref().and_then(|crew| crew.stop) {
            self.engine.stop(Stop::Limit(limit));
        }
        self.pause_if_due();
        Ok(())
    }

    pub(super) fn own_figures(&self) -> Figures {
        Figures {
            states: self.states,
            transitions: self.engine.transitions,
            frontier: self.levels.last().map_or(0, |it| it.states.saturating_sub(self.position)),
            memory: self.engine.own_bytes() + self.bytes() as u64,
            disk: self.volume.bytes(),
            sent: self.crew.as_ref().map_or(0, |crew| crew.sent),
        }
    }

    pub(super) fn take_all_in(&mut self, parcels: Vec<Parcel>) -> Result<(), Trouble> {
        for Parcel { from, bytes } in parcels {
            let (kind, rest) = bytes.split_first().ok_or_else(|| senseless(from))?;
            self.take_in(from, *kind, rest)?;
        }
        Ok(())
    }

    fn take_in(&mut self, from: usize, kind: u8, bytes: &[u8]) -> Result<(), Trouble> {
        let crew = self.crew.as_mut().expect("parcels come to a crew");
        match kind {
            CANDIDATES => return self.take_states(from, bytes, false),
            STATE => return self.take_states(from, bytes, true),
            SAID => crew.said[from] = take_numbers(bytes).ok_or_else(|| senseless(from))?,
            FIGURES => {
                let figures = take_numbers(bytes).and_then(|numbers| Figures::of(&numbers));
                crew.figures[from] = figures.ok_or_else(|| senseless(from))?;
            }
            STOP => {
                let limit = take_numbers(bytes).and_then(|numbers| limit_of(*numbers.first()?));
                crew.stop = crew.stop.or(Some(limit.ok_or_else(|| senseless(from))?));
            }
            PAUSE => crew.is_pausing = true,
            _ => return Err(senseless(from)),
        }
        Ok(())
    }

    /// Takes in states of another worker: candidates, or one of a run that is told.
    fn take_states(&mut self, from: usize, bytes: &[u8], is_of_run: bool) -> Result<(), Trouble> {
        let broken = || senseless(from);
        let mut at = 0;
        let n_definitions = Varint::take(bytes, &mut at).ok_or_else(broken)?;
        for _ in 0..n_definitions {
            let origin = Origin::take(bytes, &mut at).ok_or_else(broken)?;
            self.learn(from, &origin)?;
        }
        let shape = Shape::take(bytes, &mut at).ok_or_else(broken)?;
        let n_states = Varint::take(bytes, &mut at).ok_or_else(broken)?;
        let (mut numbers, mut state, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..n_states {
            let link = Varint::take(bytes, &mut at).ok_or_else(broken)?;
            shape.unpack(bytes, &mut at, &mut numbers).ok_or_else(broken)?;
            let crew = self.crew.as_mut().expect("parcels come to a crew");
            let n_slots = self.engine.store.layout().n_slots();
            crew.mirrors[from].state_of(&numbers, n_slots, &mut state).ok_or_else(broken)?;
            if is_of_run {
                crew.run.push(state.clone());
                continue;
            }
            let key = self.names.key_of(&state);
            self.pack_arrived(&state, &mut words);
            let (position, flags) = (link >> 2, link & 3);
            self.buffer.push(key, parent(from, position) << 2 | flags, &words);
        }
        if self.buffer.bytes() as u64 >= self.share.candidate_bytes {
            self.spill_or_stop()?;
        }
        Ok(())
    }

    fn pack_arrived(&mut self, state: &[u32], words: &mut Vec<u64>) {
        let mut worker = self.worker.take().expect("parcels come between expansions");
        worker.use_ids(state.iter().copied().enumerate());
        loop {
            let layout = self.engine.store.layout();
            words.resize(layout.n_words(), 0);
            if layout.encode(state, words) {
                break;
            }
            self.widen(&worker);
        }
        self.worker = Some(worker);
    }

    /// Takes the step that another worker has told of, and with it has its components here too.
    fn learn(&mut self, from: usize, origin: &Origin) -> Result<(), Trouble> {
        let crew = self.crew.as_mut().expect("parcels come to a crew");
        let process = crew.process_of(from);
        let different = || {
            let reason = format!(
                "a step of worker {from} leads to another component here: the system is not deterministic, or programs differ"
            );
            Trouble::Cluster(ClusterError::GaveUp { process, reason })
        };
        let states = match origin.place {
            None => self.engine.system.initial(),
            Some(place) => {
                let n_slots = self.engine.store.layout().n_slots();
                let mut before = Vec::new();
                let known = crew.mirrors[from].state_of(&origin.before, n_slots, &mut before);
                known.ok_or_else(|| senseless(from))?;
                let next = self.names.step(&before, place).ok_or_else(different)?;
                let changed = |(slot, id): (usize, &u32)| {
                    let is_same = before.get(slot).copied().unwrap_or(0) == *id;
                    (!is_same).then_some(Change { slot: slot as u32, id: *id })
                };
                let changes: Vec<Change> = next.iter().enumerate().filter_map(changed).collect();
                self.names.name_stepped(&before, place as usize, &changes);
                vec![next]
            }
        };
        for (slot, number, key) in &origin.new {
            let here = self.names.locate(&states, *key).ok_or_else(different)?;
            let learned = crew.mirrors[from].learn((*slot, *number), here);
            learned.ok_or_else(different)?;
        }
        Ok(())
    }

    /// Says something to all workers, ends the phase, and gives what each has said, by worker.
    pub(super) fn gather(&mut self, own: &[u64]) -> Result<Vec<Vec<u64>>, Trouble> {
        let figures = self.own_figures();
        let crew = self.crew.as_mut().expect("only a crew gathers");
        crew.send_waiting();
        crew.tell_figures(figures);
        let mut parcel = vec![SAID];
        put_numbers(&mut parcel, own);
        crew.send_all(&parcel);
        loop {
            let crew = self.crew.as_mut().expect("only a crew gathers");
            let arrivals = crew.exchange.end_phase()?;
            self.take_all_in(arrivals.parcels)?;
            if arrivals.is_over {
                break;
            }
        }
        let crew = self.crew.as_mut().expect("only a crew gathers");
        crew.said[crew.index] = own.to_vec();
        Ok(std::mem::replace(&mut crew.said, vec![Vec::new(); crew.workers]))
    }
}

impl super::Crew<'_> {
    fn process_of(&self, worker: usize) -> usize {
        worker / self.exchange.workers_here()
    }

    /// Tells the first worker how far this one is.
    fn tell_figures(&mut self, figures: Figures) {
        self.figures[self.index] = figures;
        if self.index != 0 {
            let mut parcel = vec![FIGURES];
            put_numbers(&mut parcel, &figures.numbers());
            self.send(0, parcel);
        }
    }
}
