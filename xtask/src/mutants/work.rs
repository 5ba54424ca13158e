//! Which bug is tried next, by which worker.
//! Bugs of one crate are tried one after the other in the same copy of the tree: changing to another crate means building
//! the one that was left as it was. A group of drawn bugs offers more than are wanted, because some do not compile.
//! Invariant: of a group those are counted that compile and come first in its order, however many workers there are: bugs
//! are taken in order, and never more of them than are still wanted.

use super::baseline::Baseline;
use super::mechanical::{self, SOURCES};
use super::options::Options;
use super::results::{Outcome, Results, Verdict};
use super::tree::Tree;
use super::trial::Worker;
use super::{Mutant, list};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// Bugs of one crate.
#[derive(Debug)]
pub(super) struct Group {
    room: String,
    is_listed: bool,
    waiting: VecDeque<(usize, Mutant)>,
    /// How many are still to be found that compile, without those being tried.
    n_wanted: usize,
}

/// A bug and what came of it.
#[derive(Debug)]
pub(super) struct Tried {
    pub(super) mutant: Mutant,
    /// Its place in the order of its group.
    pub(super) place: usize,
    pub(super) outcome: Outcome,
}

impl Tried {
    pub(super) fn name(&self) -> &str {
        &self.mutant.name
    }

    /// Missed, or not to be built.
    pub(super) fn is_wrong(&self) -> bool {
        matches!(self.outcome.verdict, Verdict::Missed | Verdict::Broken(_))
    }
}

/// What came of all.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) listed: Vec<Tried>,
    /// Crates one after the other, each in the order in which they were drawn.
    pub(super) mechanical: Vec<Tried>,
    /// Drawn, but they do not compile.
    pub(super) n_redrawn: usize,
    pub(super) n_left: usize,
}

/// The bugs that the options ask for.
pub(super) fn groups(root: &Path, options: &Options) -> Result<Vec<Group>> {
    let mut by_room: BTreeMap<String, VecDeque<(usize, Mutant)>> = BTreeMap::new();
    for (place, mutant) in list::read(root)?.into_iter().enumerate() {
        if options.has_name(&mutant.name) && options.has_room(mutant.room()) {
            by_room.entry(mutant.room().to_owned()).or_default().push_back((place, mutant));
        }
    }
    let of_list = |(room, waiting): (String, VecDeque<_>)| Group {
        room,
        is_listed: true,
        n_wanted: waiting.len(),
        waiting,
    };
    let mut groups: Vec<Group> = by_room.into_iter().map(of_list).collect();
    for (place, source) in SOURCES.iter().enumerate() {
        let n_wanted = mechanical::share(options.mechanical, place);
        if n_wanted == 0 || !options.has_room(source.room) {
            continue;
        }
        let waiting = mechanical::candidates(root, source, options.seed)?.into_iter().enumerate();
        let room = source.room.to_owned();
        groups.push(Group { room, is_listed: false, waiting: waiting.collect(), n_wanted });
    }
    Ok(groups)
}

/// Tries them all, or as many as fit the time.
pub(super) fn run(root: &Path, options: &Options, groups: Vec<Group>) -> Result<Summary> {
    let is_kept = options.resume || options.missed;
    let results = Results::open(root, is_kept)?;
    let baseline = Baseline::open(root, is_kept)?;
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_threads = (n_cores / options.jobs).max(1);
    let yard =
        Yard { groups: Mutex::new(groups), tried: Mutex::default(), results: &results, options };
    let deadline = options.time_max.map(|time| Instant::now() + time);
    let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..=options.jobs)
            .map(|number| {
                let (yard, baseline) = (&yard, &baseline);
                scope.spawn(move || -> Result<()> {
                    let tree = Tree::prepare(root, number)?;
                    yard.work(&Worker { tree, baseline, n_threads }, is_over)
                })
            })
            .collect();
        workers.into_iter().try_for_each(|it| it.join().expect("a worker does not panic"))
    })?;
    Ok(yard.close())
}

/// Where workers fetch bugs and leave what came of them.
struct Yard<'a> {
    groups: Mutex<Vec<Group>>,
    tried: Mutex<Vec<(bool, Tried)>>,
    results: &'a Results,
    options: &'a Options,
}

impl Yard<'_> {
    fn work(&self, worker: &Worker<'_>, is_over: impl Fn() -> bool) -> Result<()> {
        let mut room = String::new();
        while let Some((group, place, mutant)) = self.take(&room) {
            let known = self.results.of(&mutant, self.options.missed);
            if known.is_none() && is_over() {
                self.give_back(group, place, mutant);
                return Ok(());
            }
            let outcome = match known {
                Some(outcome) => outcome,
                None => {
                    room = mutant.room().to_owned();
                    let context = || format!("{} ({})", mutant.name, mutant.breaks);
                    let outcome = worker.attempt(&mutant).with_context(context)?;
                    self.results.note(&mutant, &outcome)?;
                    say(&mutant, &outcome);
                    outcome
                }
            };
            self.put(group, Tried { mutant, place, outcome });
        }
        Ok(())
    }

    /// The next bug, of the same crate if there is one, and the number of its group.
    fn take(&self, room: &str) -> Option<(usize, usize, Mutant)> {
        let mut groups = self.groups.lock().expect("nobody panics with it");
        let open = |group: &Group| group.n_wanted > 0 && !group.waiting.is_empty();
        let same = groups.iter().position(|it| it.room == room && open(it));
        let largest = || {
            let numbers = (0..groups.len()).filter(|it| open(&groups[*it]));
            numbers.max_by_key(|it| groups[*it].n_wanted)
        };
        let number = same.or_else(largest)?;
        let group = &mut groups[number];
        group.n_wanted -= 1;
        let (place, mutant) = group.waiting.pop_front()?;
        Some((number, place, mutant))
    }

    fn give_back(&self, group: usize, place: usize, mutant: Mutant) {
        let group = &mut self.groups.lock().expect("nobody panics with it")[group];
        group.n_wanted += 1;
        group.waiting.push_front((place, mutant));
    }

    fn put(&self, group: usize, tried: Tried) {
        let group = &mut self.groups.lock().expect("nobody panics with it")[group];
        if !group.is_listed && matches!(tried.outcome.verdict, Verdict::Broken(_)) {
            group.n_wanted += 1;
        }
        self.tried.lock().expect("nobody panics with it").push((group.is_listed, tried));
    }

    fn close(self) -> Summary {
        let groups = self.groups.into_inner().expect("nobody panics with it");
        let n_left = groups.iter().map(|it| it.n_wanted.min(it.waiting.len())).sum();
        let tried = self.tried.into_inner().expect("nobody panics with it");
        let (listed, mechanical): (Vec<_>, Vec<_>) = tried.into_iter().partition(|it| it.0);
        let mut listed: Vec<Tried> = listed.into_iter().map(|it| it.1).collect();
        listed.sort_by_key(|it| it.place);
        let (redrawn, mechanical): (Vec<_>, Vec<_>) = mechanical
            .into_iter()
            .map(|it| it.1)
            .partition(|it| matches!(it.outcome.verdict, Verdict::Broken(_)));
        let mut mechanical = mechanical;
        let crate_of = |it: &Tried| SOURCES.iter().position(|s| s.room == it.mutant.room());
        mechanical.sort_by_key(|it| (crate_of(it), it.place));
        Summary { listed, mechanical, n_redrawn: redrawn.len(), n_left }
    }
}

/// A line for each bug as soon as it is known.
fn say(mutant: &Mutant, outcome: &Outcome) {
    let seconds = outcome.seconds;
    let (word, by) = match &outcome.verdict {
        Verdict::Caught { by, test } => {
            ("caught", format!("{by} {}", test.as_deref().unwrap_or_default()))
        }
        Verdict::Late { by } => ("caught", format!("{by}, which did not end")),
        Verdict::Missed => ("MISSED", String::new()),
        Verdict::Broken(message) => ("does not compile", message.clone()),
    };
    println!("{word:8} {seconds:>5.0} s  {}  ({})  {by}", mutant.name, mutant.breaks);
}
