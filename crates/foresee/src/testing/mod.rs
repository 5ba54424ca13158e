//! Checks as tests: a world or an entry is checked in a plain `#[test]`, and a test that fails tells the story as the command line
//! does.
//! Why not `search` and `assert_eq!`: a test that fails with a list of action numbers helps nobody. Here the failure is the
//! report, the run is saved as a trace, and the message ends in the command that replays it.
//!
//! Reading order: [`check`](fn@check) and [`Check`] (what is asked), `checked` (what came of it), `recorded` (exported regression
//! tests), `solo` (handlers on their own).

mod advice;
mod checked;
mod meter;
mod recorded;
mod solo;
mod trace_file;

pub use checked::Checked;
pub use recorded::{Recorded, recorded};
pub use solo::{Done, Solo};

use crate::{Entry, World};
use foresee_nodes::{BuildOptions, Data, Runnable};
use foresee_session::{
    CheckRequest, Code, Diagnostic, Engine, Guide, Limits, Loaded, NoFiles, NodesSource, Registry,
    Report, Silent, SimulateRequest, SimulatedNetwork, Strategy,
};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A check of a world that is built already.
///
/// ```
/// # use foresee::{Address, Context, Node, Scope, WorldBuilder};
/// # #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// # struct Counter { n: u8 }
/// # impl Node for Counter {
/// #     type Message = u8;
/// #     type Timer = ();
/// #     fn init(&mut self, context: &mut Context<u8, ()>) { context.send(context.me(), 1); }
/// #     fn on_message(&mut self, _: Address, n: u8, _: &mut Context<u8, ()>) { self.n = n; }
/// # }
/// let mut world = WorldBuilder::new("counter");
/// let counter = world.add("counter", Counter { n: 0 });
/// world.invariant("small", Scope::nodes([counter]), move |view, _| view.node::<Counter>(counter).n < 2);
/// world.invariant("zero", Scope::nodes([counter]), move |view, _| view.node::<Counter>(counter).n == 0);
/// let world = world.build();
/// foresee::check(&world).invariant("small").assert_holds();
/// foresee::check(&world).assert_violated("zero");
/// ```
pub fn check<M: Data>(world: &World<M>) -> Check {
    Check::of(Subject::Built(Arc::new(world.clone())))
}

/// A check of a system by its entry, with parameters as on the command line: built anew whenever a fresh one is wanted, and with
/// the faults that the check asks for.
///
/// ```
/// # let ping = foresee::stock_systems().into_iter().find(|entry| entry.name == "ping").unwrap();
/// foresee::check_entry(&ping, &["clients=1"]).drops_max(1).assert_holds();
/// ```
pub fn check_entry<W: AsRef<str>>(entry: &Entry, parameters: &[W]) -> Check {
    let parameters = parameters.iter().map(|word| word.as_ref().to_owned()).collect();
    Check::of(Subject::Named { entry: entry.clone(), parameters })
}

enum Subject {
    Built(Arc<dyn Runnable>),
    Named { entry: Entry, parameters: Vec<String> },
}

/// What to check and how; nothing happens until [`Check::run`] or an assertion. Methods are named as the flags of `foresee check`.
#[must_use = "nothing is checked until `run` or an assertion"]
pub struct Check {
    subject: Subject,
    options: BuildOptions,
    request: CheckRequest,
    guide: Option<Guide>,
    simulation: Option<SimulateRequest>,
    trace: Option<PathBuf>,
}

impl Check {
    fn of(subject: Subject) -> Self {
        Check {
            subject,
            options: BuildOptions::default(),
            request: CheckRequest::default(),
            guide: None,
            simulation: None,
            trace: None,
        }
    }

    /// Who explores; the stateful engine, if nothing is said.
    pub fn engine(mut self, engine: Engine) -> Self {
        self.request.engine = Some(engine);
        self
    }

    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.request.strategy = strategy;
        self
    }

    /// The report is the same for any number of threads.
    pub fn threads(mut self, threads: usize) -> Self {
        self.request.threads = threads.max(1);
        self
    }

    /// Where random choices come from.
    pub fn seed(mut self, seed: u64) -> Self {
        self.request.seed = seed;
        self
    }

    /// Does not stop at the first violation.
    pub fn keep_going(mut self) -> Self {
        self.request.keep_going = true;
        self
    }

    /// Checks only this property; call it several times for several.
    pub fn invariant(mut self, name: impl Into<String>) -> Self {
        self.request.invariants.push(name.into());
        self
    }

    /// All limits at once.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.request.limits = limits;
        self
    }

    pub fn depth_max(mut self, steps: u32) -> Self {
        self.request.limits.depth_max = Some(steps);
        self
    }

    pub fn states_max(mut self, states: u64) -> Self {
        self.request.limits.states_max = Some(states);
        self
    }

    /// A test that depends on the time it takes fails on a slow machine: better is [`Check::states_max`] or [`Check::depth_max`].
    pub fn time_max(mut self, time: Duration) -> Self {
        self.request.limits.time_max = Some(time);
        self
    }

    pub fn memory_max(mut self, bytes: u64) -> Self {
        self.request.limits.memory_max = Some(bytes);
        self
    }

    /// How many crashes may happen in one run. Faults are for [`check_entry`]; a world that is built already has those of its
    /// builder.
    pub fn crashes_max(mut self, crashes: u32) -> Self {
        self.options.crashes = crashes;
        self
    }

    /// Only these nodes may crash; without [`Check::crashes_max`], once.
    pub fn crash(mut self, node: impl Into<String>) -> Self {
        self.request.crash.push(node.into());
        self
    }

    pub fn restarts_max(mut self, restarts: u32) -> Self {
        self.options.restarts = restarts;
        self
    }

    pub fn drops_max(mut self, drops: u32) -> Self {
        self.options.drops = drops;
        self
    }

    pub fn duplicates_max(mut self, duplicates: u32) -> Self {
        self.options.duplicates = duplicates;
        self
    }

    pub fn partitions_max(mut self, partitions: u32) -> Self {
        self.options.partitions = partitions;
        self
    }

    /// Also checks that handlers are deterministic, and that equality, hash and clone agree.
    pub fn check_code(mut self) -> Self {
        self.options.check_code = true;
        self
    }

    /// A guided search in place of a search of everything; made of the same world. It never says `holds`.
    pub fn guide(mut self, guide: Guide) -> Self {
        self.guide = Some(guide);
        self
    }

    /// The guided search that the entry has this title for.
    pub fn guide_named(mut self, title: impl Into<String>) -> Self {
        self.request.guide = Some(title.into());
        self
    }

    /// Runs with these seeds in virtual time, in place of a search: `holds` then says that none of them broke anything.
    pub fn simulate(mut self, seeds: Range<u64>) -> Self {
        let runs = seeds.end.saturating_sub(seeds.start);
        let before = self.simulation.unwrap_or_default();
        self.simulation = Some(SimulateRequest { seed: seeds.start, runs, ..before });
        self
    }

    /// The network of a simulation.
    pub fn network(mut self, network: SimulatedNetwork) -> Self {
        let before = self.simulation.unwrap_or_default();
        self.simulation = Some(SimulateRequest { network, ..before });
        self
    }

    /// Where the trace of a violation is saved if an assertion fails [default: `target/foresee/SYSTEM.TEST.trace`].
    pub fn trace(mut self, file: impl Into<PathBuf>) -> Self {
        self.trace = Some(file.into());
        self
    }

    /// Checks, and gives what came of it, whatever it is.
    pub fn run(self) -> Checked {
        let short_name = match &self.subject {
            Subject::Built(runnable) => {
                let name = runnable.system().name();
                name.split_whitespace().next().unwrap_or("system").to_owned()
            }
            Subject::Named { entry, .. } => entry.name.to_owned(),
        };
        let known = self.opened().map(|loaded| self.reported(&loaded));
        let (report, properties) = known.unwrap_or_else(|diagnostic| {
            (Report::error("check", short_name.clone(), diagnostic), Vec::new())
        });
        Checked::new(report, properties, short_name, self.trace)
    }

    /// Fails the test unless nothing can go wrong.
    ///
    /// # Panics
    /// With the report, if the verdict is not `holds`.
    #[track_caller]
    pub fn assert_holds(self) -> Checked {
        self.run().assert_holds()
    }

    /// Fails the test unless `property` can be violated. `property` may also be a kind of violation: `panic`, `deadlock`.
    /// Without a choice of properties only this one is looked for, so that another one that breaks earlier does not hide it.
    ///
    /// # Panics
    /// With the report, if no violation of `property` is found.
    #[track_caller]
    pub fn assert_violated(mut self, property: &str) -> Checked {
        let has_it = |loaded: Loaded| loaded.chosen_properties(&[property.to_owned()]).is_ok();
        let is_choice = self.request.invariants.is_empty() && self.simulation.is_none();
        if is_choice && self.opened().is_ok_and(has_it) {
            self.request.invariants.push(property.to_owned());
        }
        self.run().assert_violated(property)
    }

    /// Fails the test unless a limit, a missed goal or the end of the guide stops the check before anything wrong is found;
    /// `stopped_by` is the word in the report: `states`, `depth`, `time`, `goal`, `guide` and so on.
    ///
    /// # Panics
    /// With the report, if the verdict is another one.
    #[track_caller]
    pub fn assert_inconclusive(self, stopped_by: &str) -> Checked {
        self.run().assert_inconclusive(stopped_by)
    }

    fn opened(&self) -> Result<Loaded, Diagnostic> {
        let mut options = self.options.clone();
        if options.crashes == 0 && !self.request.crash.is_empty() {
            options.crashes = 1;
        }
        match &self.subject {
            Subject::Named { entry, parameters } => {
                let source = NodesSource {
                    name: entry.name.to_owned(),
                    parameters: parameters.clone(),
                    options,
                };
                let registry = Registry::new().with(entry.clone());
                foresee_session::open(&source.into(), &registry, &NoFiles)
            }
            Subject::Built(_) if self.options != BuildOptions::default() => {
                let message =
                    "faults and code checks are asked for, and the world is built already";
                Err(Diagnostic::new(Code::OptionDoesNotApply, message)
                    .help("give them to its builder (`world.faults(…)`, `world.check_code(true)`), or use `check_entry`"))
            }
            Subject::Built(runnable) => Ok(Loaded::of_built(Arc::clone(runnable))),
        }
    }

    /// The report and the names of the system's properties.
    fn reported(&self, loaded: &Loaded) -> (Report, Vec<String>) {
        let properties = loaded.chosen_properties(&[]).unwrap_or_default();
        let properties = properties.iter().map(|it| it.name().to_owned()).collect();
        let meter = meter::TestMeter::start(&self.request.limits);
        let report = match (&self.simulation, &self.guide) {
            (Some(request), _) => {
                let time_max = self.request.limits.time_max;
                let request = SimulateRequest { time_max, ..request.clone() };
                foresee_session::simulate(loaded, &request, &meter, &mut |_| {})
                    .map(|simulated| simulated.report)
                    .unwrap_or_else(|news| {
                        use foresee_lts::System as _;
                        Report::error("simulate", loaded.name(), news)
                    })
            }
            (None, Some(guide)) => {
                foresee_session::check_with_guide(loaded, guide, &self.request, &meter, &mut Silent)
            }
            (None, None) => foresee_session::check(loaded, &self.request, &meter, &mut Silent),
        };
        (report, properties)
    }
}
