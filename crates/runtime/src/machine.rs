//! What every run shares: a host, the clock, timers, and where what nodes ask for goes.
//! Invariant: a handler sees one time; it is read when something asks for it, at most once a handler.

use crate::RunError;
use crate::client_log::{ClientLog, Wants};
use crate::config::Config;
use crate::disk::{Disks, Opened};
use crate::faults::Deed;
use crate::in_process::InProcess;
use crate::link::Links;
use crate::metrics::Counters;
use crate::record::Recorder;
use crate::report::{Ended, RunReport, cpu_seconds};
use crate::timers::Timers;
use foresee_node::{Address, Cause, Host, Stored, Value, Wire, Write};
use foresee_stdx::{mix, stable_hash};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The nodes of this process at work.
pub(crate) struct Machine {
    pub(crate) host: Box<dyn Host>,
    pub(crate) outside: Outside,
    /// What each member finds on its stable storage when it starts; `None` if there is none.
    found: Vec<Option<Stored>>,
}

/// Everything around the nodes.
pub(crate) struct Outside {
    started: Instant,
    now: Option<Duration>,
    cpu_at_start: f64,
    timers: Timers,
    seed: u64,
    messages_max: usize,
    addresses: Vec<Address>,
    pub(crate) links: Links,
    pub(crate) counters: Rc<Counters>,
    client_log: ClientLog,
    failures: Vec<(Address, String)>,
    pub(crate) notes: Vec<String>,
    is_traced: bool,
    /// The span of the handler that runs, so that whatever its code logs says where it was.
    span: Option<tracing::span::EnteredSpan>,
    recorder: Option<Recorder>,
    received: u64,
    disks: Option<Disks>,
    faults: Option<InProcess>,
    /// Whether a member began with what its stable storage held.
    has_restored: bool,
    /// Whether anything was written that nobody keeps.
    has_forgotten: bool,
}

impl Machine {
    pub(crate) fn new(
        host: Box<dyn Host>,
        config: &Config,
        wants: Option<Wants>,
        links: Links,
    ) -> Result<Self, RunError> {
        let counters = links.counters();
        let addresses: Vec<Address> = host.members().iter().map(|it| it.address).collect();
        let names: Vec<&str> = addresses.iter().map(|address| address.name()).collect();
        // Processes of one run are given one seed, but must not draw the same durations.
        let timers = Timers::new(mix(config.seed ^ stable_hash(&names)));
        let opened = config.storage.as_ref().map(|config| Disks::open(config, &addresses));
        let (disks, found, notes) = match opened.transpose()? {
            Some(Opened { disks, stored, notes }) => (Some(disks), stored, notes),
            None => (None, addresses.iter().map(|_| None).collect(), Vec::new()),
        };
        // The record of a process that comes back goes on where it was cut.
        let goes_on = config.record_goes_on || found.iter().any(Option::is_some);
        let recorder = config.record.as_ref().map(|(path, system)| {
            Recorder::open(path, system, config.seed, &addresses, goes_on)
                .map_err(|reason| RunError::NotRecorded { reason })
        });
        let outside = Outside {
            started: Instant::now(),
            now: None,
            cpu_at_start: cpu_seconds(),
            timers,
            seed: config.seed,
            messages_max: config.messages_max,
            client_log: ClientLog::new(&addresses, config.keeps_history, wants),
            addresses,
            links,
            counters,
            failures: Vec::new(),
            notes,
            is_traced: tracing::enabled!(tracing::Level::DEBUG),
            span: None,
            recorder: recorder.transpose()?,
            received: 0,
            disks,
            faults: None,
            has_restored: found.iter().any(Option::is_some),
            has_forgotten: false,
        };
        Ok(Machine { host, outside, found })
    }

    /// Starts every member, in the order of the deployment: with what it finds on its stable storage, or as new.
    pub(crate) fn start(&mut self) {
        for (member, found) in (0..).zip(std::mem::take(&mut self.found)) {
            match found {
                Some(stored) => self.host.restart(member, &stored, &mut self.outside),
                None => self.host.start(member, &mut self.outside),
            }
        }
    }

    /// Lets go of what has waited for disks that are done; how many syncs were done.
    pub(crate) fn finish_syncs(&mut self) -> Result<usize, RunError> {
        let Some(disks) = &self.outside.disks else { return Ok(0) };
        let done = disks.take_done();
        let n = done.len();
        for report in done {
            match report {
                Ok(member) => {
                    self.host.synced(member, &mut self.outside);
                }
                Err((member, problem)) => {
                    let node = self.outside.addresses[member as usize];
                    let folder = disks_folder(&self.outside);
                    return Err(RunError::Storage { node, folder, problem });
                }
            }
        }
        Ok(n)
    }

    /// From now on things go wrong between the nodes of this process.
    pub(crate) fn let_go_wrong(&mut self, faults: InProcess) {
        self.outside.faults = Some(faults);
    }

    /// Does what the script of faults says for now; how many nodes crashed or came back.
    pub(crate) fn go_wrong(&mut self) -> usize {
        let now = self.outside.fresh_now();
        let mut n = 0;
        while let Some(deed) = self.outside.faults.as_mut().and_then(|it| it.at(now)) {
            let (Deed::Crash(node) | Deed::Restart(node)) = deed;
            let place = self.outside.addresses.iter().position(|known| *known == node);
            let Some(member) = place.map(|place| place as u32) else { continue };
            let faults = self.outside.faults.as_mut().expect("looked at just now");
            match deed {
                Deed::Crash(_) => {
                    faults.crash(member);
                    self.host.crash(member, true, &mut self.outside);
                }
                Deed::Restart(_) => {
                    let stored = faults.stored(member);
                    self.host.restart(member, &stored, &mut self.outside);
                }
            }
            n += 1;
        }
        n
    }

    /// Hands over messages that were held back on their way; how many.
    pub(crate) fn hand_letters(&mut self) -> usize {
        let now = self.outside.fresh_now();
        let mut n = 0;
        while let Some(letter) = self.outside.faults.as_mut().and_then(|it| it.take(now)) {
            let from = self.outside.addresses[letter.from as usize];
            let taken = self.host.receive(letter.to, from, &letter.bytes, &mut self.outside);
            taken.expect("it was written by this process");
            n += 1;
        }
        self.outside.counters.messages_delivered.add(n as u64);
        n
    }

    /// Whether a member waits for its disk.
    pub(crate) fn is_syncing(&self) -> bool {
        (0..self.host.members().len() as u32).any(|member| self.host.n_syncs(member) > 0)
    }

    /// Fires what is due; the number of timers.
    pub(crate) fn fire_due(&mut self) -> usize {
        if self.outside.timers.next_due().is_none() {
            // Nobody waits for the clock; a handler that wants to know the time looks itself.
            self.outside.now = None;
            return 0;
        }
        let now = self.outside.fresh_now();
        let mut n = 0;
        while let Some((member, ticket)) = self.outside.timers.take_due(now) {
            n += usize::from(self.host.fire(member, ticket, &mut self.outside));
        }
        self.outside.counters.timers_fired.add(n as u64);
        n
    }

    /// Delivers messages between members; how many.
    pub(crate) fn turn(&mut self, n_max: usize) -> usize {
        let n = self.host.turn(n_max, &mut self.outside);
        self.outside.counters.messages_delivered.add(n as u64);
        n
    }

    /// Hands in a message from another process.
    pub(crate) fn receive(
        &mut self,
        member: u32,
        from: Address,
        bytes: &[u8],
    ) -> Result<(), String> {
        self.outside.received += 1;
        self.outside.counters.messages_delivered.add(1);
        let taken = self.host.receive(member, from, bytes, &mut self.outside);
        taken.map_err(|error| error.to_string())
    }

    /// Writes what was recorded; to be called before anything leaves the process.
    pub(crate) fn flush_record(&mut self) -> Result<(), RunError> {
        match &mut self.outside.recorder {
            Some(recorder) => recorder.flush().map_err(|reason| RunError::NotRecorded { reason }),
            None => Ok(()),
        }
    }

    /// Whether messages between members wait.
    pub(crate) fn is_busy(&self) -> bool {
        self.host.n_waiting() > 0
    }

    /// Whether nothing more can happen unless somebody else sends something.
    pub(crate) fn is_quiet(&self) -> bool {
        self.host.n_waiting() == 0
            && self.host.n_timers() == 0
            && !self.is_syncing()
            && self.outside.faults.as_ref().is_none_or(|it| it.next_due().is_none())
    }

    /// When something is due next, on the clock of the event loop.
    pub(crate) fn next_due(&self) -> Option<tokio::time::Instant> {
        let fault = self.outside.faults.as_ref().and_then(InProcess::next_due);
        let due = [self.outside.timers.next_due(), fault].into_iter().flatten().min()?;
        let at = self.outside.started.checked_add(due)?;
        Some(tokio::time::Instant::from_std(at))
    }

    pub(crate) fn elapsed(&mut self) -> Duration {
        self.outside.fresh_now()
    }

    pub(crate) fn report(self, ended: Ended) -> RunReport {
        let Outside { client_log, counters, failures, mut notes, seed, started, received, .. } =
            self.outside;
        if self.outside.has_forgotten {
            notes.push(
                "what nodes wrote to stable storage is gone with this process; --storage DIR keeps it"
                    .to_owned(),
            );
        }
        let lost = [
            &counters.messages_lost_full,
            &counters.messages_lost_large,
            &counters.messages_lost_disconnected,
            &counters.messages_lost_unknown,
        ];
        let operations = counters.operations_returned.get();
        RunReport {
            ended,
            members: self.host.members().to_vec(),
            seed,
            elapsed: started.elapsed(),
            operations,
            pending: counters.operations_invoked.get() - operations,
            latency: client_log.latency(),
            messages_sent: counters.messages_sent.get(),
            messages_received: received,
            messages_lost: lost.iter().map(|count| count.get()).sum::<u64>()
                + self.outside.faults.map_or(0, |faults| faults.n_lost),
            bytes_sent: counters.bytes_sent.get(),
            datagrams_sent: counters.datagrams_sent.get(),
            timers_fired: counters.timers_fired.get(),
            failures,
            has_restored: self.outside.has_restored,
            operations_not_kept: client_log.n_not_kept,
            history: client_log.history,
            cpu_seconds: cpu_seconds() - self.outside.cpu_at_start,
            notes,
        }
    }
}

/// What kind of message or timer a text tells of: its first word, as `Request` of `Request { call: 3 }`.
fn kind(text: &str) -> &str {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_part(letter)).next().unwrap_or_default()
}

fn disks_folder(outside: &Outside) -> PathBuf {
    outside.disks.as_ref().map_or_else(PathBuf::new, |disks| disks.folder.clone())
}

impl Outside {
    /// Waits until a disk has done something.
    pub(crate) async fn disk_news(&self) {
        match &self.disks {
            Some(disks) => disks.is_done().await,
            None => std::future::pending().await,
        }
    }

    /// The time since the start, read anew.
    fn fresh_now(&mut self) -> Duration {
        let now = self.started.elapsed();
        self.now = Some(now);
        now
    }

    /// The time of the present handler.
    fn now(&mut self) -> Duration {
        match self.now {
            Some(now) => now,
            None => self.fresh_now(),
        }
    }
}

impl Wire for Outside {
    fn watches(&self) -> bool {
        self.is_traced || self.recorder.is_some()
    }

    fn begins(&mut self, member: u32, cause: Cause<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.event(member, &cause);
        }
        if !self.is_traced {
            return;
        }
        let to = self.addresses[member as usize];
        let (span, text) = match cause {
            Cause::Start => (tracing::debug_span!("start", %to), None),
            Cause::Restart { .. } => (tracing::debug_span!("restart", %to), None),
            Cause::Message { from, message } => {
                let text = message.text();
                (tracing::debug_span!("message", %from, %to, kind = kind(&text)), Some(text))
            }
            Cause::Synced => (tracing::debug_span!("synced", %to), None),
            Cause::Timer { timer } => {
                let text = timer.text();
                (tracing::debug_span!("timer", %to, kind = kind(&text)), Some(text))
            }
        };
        let span = span.entered();
        match text {
            Some(text) => tracing::trace!("{text}"),
            None => tracing::trace!("begins"),
        }
        self.span = Some(span);
    }

    fn ends(&mut self, _member: u32, _has_changed: bool) {
        self.now = None;
        self.span = None;
    }

    fn carries(&self) -> bool {
        self.faults.as_ref().is_some_and(|faults| faults.holds_messages)
    }

    fn send(&mut self, from: u32, to: Address, encode: &dyn Fn(&mut Vec<u8>)) {
        self.counters.messages_sent.add(1);
        let to_member = match self.carries() {
            true => self.addresses.iter().position(|known| *known == to),
            false => None,
        };
        if let Some(member) = to_member {
            let now = self.now();
            let mut bytes = Vec::new();
            encode(&mut bytes);
            let from = (from, self.addresses[from as usize]);
            let faults = self.faults.as_mut().expect("what carries messages");
            return faults.post(now, [from, (member as u32, to)], bytes);
        }
        self.links.send(from, to, encode);
    }

    fn keeps(&mut self, from: u32, to: u32, n_waiting: usize) -> bool {
        self.counters.messages_sent.add(1);
        if let Some(faults) = &mut self.faults {
            let [from, to] = [from, to].map(|member| self.addresses[member as usize]);
            if !faults.delivers(from, to) {
                return false;
            }
        }
        let keeps = n_waiting < self.messages_max;
        if !keeps {
            self.counters.messages_lost_full.add(1);
        }
        keeps
    }

    fn set_timer(&mut self, member: u32, ticket: u64, min: Duration, max: Duration) {
        let now = self.now();
        self.timers.set(now, member, ticket, min, max);
    }

    fn invoked(&mut self, member: u32, operation: Value) {
        self.counters.operations_invoked.add(1);
        let now = self.now();
        self.client_log.invoked(now, member, operation);
    }

    fn returned(&mut self, member: u32, result: Value) {
        let now = self.now();
        if self.client_log.returned(now, member, result) {
            self.counters.operations_returned.add(1);
        }
    }

    fn write(&mut self, member: u32, write: Write) {
        match (&mut self.disks, &mut self.faults) {
            (Some(disks), _) => disks.write(member, write),
            (None, Some(faults)) => faults.write(member, write),
            (None, None) => self.has_forgotten = true,
        }
    }

    fn sync(&mut self, member: u32) -> bool {
        match (&mut self.disks, &mut self.faults) {
            (Some(disks), _) => {
                disks.sync(member);
                return false;
            }
            (None, Some(faults)) => faults.sync(member),
            (None, None) => {}
        }
        // Whoever follows the record waits for its disk until it is told.
        if let Some(recorder) = &mut self.recorder {
            recorder.event(member, &Cause::Synced);
        }
        true
    }

    fn broken(&mut self, member: u32, message: String) {
        let address = self.addresses[member as usize];
        tracing::error!(node = %address, %message, "a handler panicked; the node is left alone");
        self.counters.handlers_panicked.add(1);
        self.failures.push((address, message));
        self.now = None;
        self.span = None;
    }
}
