//! What is done with parcels, and when they are looked for.

use super::channel::{Mirror, Origin, Unlearned};
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

/// States that have arrived and are looked up together.
const CHUNK: usize = 128;

/// States of another worker, in its numbers, one after the other.
struct Arrived {
    numbers: Vec<u32>,
    heads: Vec<Head>,
}

/// One of them.
struct Head {
    key: u128,
    link: u64,
    is_seen: bool,
}

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
        if is_of_run {
            return self.take_run(from, &shape, n_states, bytes.get(at..).unwrap_or_default());
        }
        let mut arrived = Arrived { numbers: Vec::new(), heads: Vec::new() };
        for n in 0..n_states {
            let link = Varint::take(bytes, &mut at).ok_or_else(broken)?;
            shape.unpack(bytes, &mut at, &mut arrived.numbers).ok_or_else(broken)?;
            let crew = self.crew.as_mut().expect("parcels come to a crew");
            let first = arrived.heads.len() * shape.n_slots();
            let key = crew.mirrors[from].key_of(&arrived.numbers[first..]);
            let (position, flags) = (link >> 2, link & 3);
            let link = parent(from, position) << 2 | flags;
            let is_seen = false;
            arrived.heads.push(Head { key: key.ok_or_else(broken)?, link, is_seen });
            if arrived.heads.len() == CHUNK || n + 1 == n_states {
                self.take_arrived(from, shape.n_slots(), &mut arrived)?;
            }
        }
        Ok(self.spill_if_full()?)
    }

    /// Makes states that have arrived candidates, unless they are known. The table is first looked at for all of them in a row.
    fn take_arrived(
        &mut self,
        from: usize,
        n_numbers: usize,
        arrived: &mut Arrived,
    ) -> Result<(), Trouble> {
        if let Some(known) = &self.known {
            for head in &mut arrived.heads {
                head.is_seen = known.is_old(head.key);
            }
        }
        let (mut state, mut words) = (Vec::new(), Vec::new());
        for (n, head) in arrived.heads.iter().enumerate() {
            let known = &mut self.known;
            if head.is_seen || known.as_mut().is_some_and(|known| !known.meet_arrived(head.key)) {
                continue;
            }
            let numbers = &arrived.numbers[n * n_numbers..(n + 1) * n_numbers];
            let crew = self.crew.as_mut().expect("parcels come to a crew");
            let n_slots = self.engine.store.layout().n_slots();
            let known = crew.mirrors[from].state_of(numbers, n_slots, &mut state);
            known.ok_or_else(|| senseless(from))?;
            debug_assert_eq!(self.names.key_of(&state), head.key);
            self.pack_arrived(&state, &mut words);
            self.buffer.push(head.key, head.link, &words);
        }
        arrived.numbers.clear();
        arrived.heads.clear();
        Ok(())
    }

    /// Takes in states of a run that is told.
    fn take_run(
        &mut self,
        from: usize,
        shape: &Shape,
        n_states: u64,
        bytes: &[u8],
    ) -> Result<(), Trouble> {
        let (mut at, mut numbers) = (0, Vec::new());
        for _ in 0..n_states {
            let _ = Varint::take(bytes, &mut at).ok_or_else(|| senseless(from))?;
            numbers.clear();
            shape.unpack(bytes, &mut at, &mut numbers).ok_or_else(|| senseless(from))?;
            let crew = self.crew.as_mut().expect("parcels come to a crew");
            let (n_slots, mut state) = (self.engine.store.layout().n_slots(), Vec::new());
            let known = crew.mirrors[from].state_of(&numbers, n_slots, &mut state);
            known.ok_or_else(|| senseless(from))?;
            crew.run.push(state);
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
        let mut mirror = std::mem::take(&mut crew.mirrors[from]);
        let learned = self.learn_into(&mut mirror, origin);
        self.crew.as_mut().expect("it is still there").mirrors[from] = mirror;
        learned.map_err(|it| match it {
            Unlearned::Senseless => senseless(from),
            Unlearned::Different => {
                let reason = format!(
                    "a step of worker {from} leads to another component here: the system is not deterministic, or programs differ"
                );
                Trouble::Cluster(ClusterError::GaveUp { process, reason })
            }
        })
    }

    /// The same for one whose numbers a mirror has.
    pub(super) fn learn_into(
        &mut self,
        mirror: &mut Mirror,
        origin: &Origin,
    ) -> Result<(), Unlearned> {
        let states = match origin.place {
            None => self.engine.system.initial(),
            Some(place) => {
                let n_slots = self.engine.store.layout().n_slots();
                let mut before = Vec::new();
                let known = mirror.state_of(&origin.before, n_slots, &mut before);
                known.ok_or(Unlearned::Senseless)?;
                let next = self.names.step(&before, place).ok_or(Unlearned::Different)?;
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
            let here = self.names.locate(&states, *key).ok_or(Unlearned::Different)?;
            let learned = mirror.learn((*slot, *number), here, *key);
            learned.ok_or(Unlearned::Different)?;
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
