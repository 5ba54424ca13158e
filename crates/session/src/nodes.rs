//! Rust nodes behind the door: an entry of the registry with its parameters, built into a world; or a world that somebody has
//! built already, as in a test. Such a world cannot be built once more: what wants a fresh instance is given the same one.

use crate::checked_code::{catch_in_checked_code, in_checked_code_do};
use crate::front_end::FrontEnd;
use crate::nearest::did_you_mean;
use crate::simulate::{
    EVENTS_MAX, Kept, Messages, RunEnd, Scene, SceneKind, SimulateRequest, SimulatedNetwork,
    SimulatedRun, Watching, WrongRun, show_path,
};
use crate::{Code, Diagnostic, Found, Kind, Loaded, NodesSource, Registry, Report, Source};
use foresee_lts::{Claim, Coverage, Description, Reading, System};
use foresee_nodes::{
    ArgumentError, Arguments, BuildOptions, Entry, Runnable, Simulation, SimulationConfig,
    SimulationEvent,
};
use foresee_search::Meter;
use foresee_stateful::Guide;
use foresee_stateless::Party;
use foresee_trace::{Event, Trace, replay};
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct NodesSystem {
    pub(crate) runnable: Arc<dyn Runnable>,
    /// `None`: it was handed in built.
    entry: Option<Entry>,
    /// With every parameter, as the catalogue completes it.
    name: String,
    source: NodesSource,
}

impl NodesSystem {
    pub(crate) fn open(source: &NodesSource, registry: &Registry) -> Result<Self, Diagnostic> {
        let entry = registry.find(&source.name)?.clone();
        let arguments = Arguments::parse(entry.name, &entry.parameters, &source.parameters);
        let name = arguments.map_err(|error| refusal(&entry, &error))?.to_string();
        NodesSystem::build(entry, name, source.clone())
    }

    fn build(entry: Entry, name: String, source: NodesSource) -> Result<Self, Diagnostic> {
        let runnable = build(&entry, &source.parameters, &source.options)?;
        Ok(NodesSystem { runnable, entry: Some(entry), name, source })
    }

    /// A world that is built already.
    pub(crate) fn of_built(runnable: Arc<dyn Runnable>) -> Self {
        let name = runnable.system().name();
        let mut words = name.split_whitespace().map(str::to_owned);
        let source = NodesSource {
            name: words.next().unwrap_or_default(),
            parameters: words.collect(),
            options: runnable.build_options(),
        };
        NodesSystem { runnable, entry: None, name, source }
    }

    fn built_as(&self, source: NodesSource) -> Result<Self, Diagnostic> {
        match &self.entry {
            Some(entry) => NodesSystem::build(entry.clone(), self.name.clone(), source),
            None => {
                let (runnable, name) = (Arc::clone(&self.runnable), self.name.clone());
                let options = self.source.options.clone();
                let source = NodesSource { options, ..source };
                Ok(NodesSystem { runnable, entry: None, name, source })
            }
        }
    }

    /// The crate that says how it is built.
    pub(crate) fn home(&self) -> Option<&'static str> {
        self.entry.as_ref().and_then(Entry::home)
    }

    /// The guided search that has this title.
    pub(crate) fn guide(&self, title: &str) -> Result<Guide, Diagnostic> {
        let asked = format!("--guide '{title}'");
        let guides = self.entry.as_ref().map_or(&[][..], Entry::guides);
        let Some(guide) = guides.iter().find(|guide| guide.title == title) else {
            let titles: Vec<&str> = guides.iter().map(|guide| guide.title).collect();
            let message = format!("`{}` has no guide `{title}`", self.source.name);
            let help = match titles.is_empty() {
                true => "it has no guides at all; `Entry::guide` gives a system one".to_owned(),
                false => did_you_mean(title, &titles),
            };
            return Err(Diagnostic::new(Code::UnknownGuide, message).at(asked).help(help));
        };
        let entry = self.entry.as_ref().expect("guides are an entry's");
        let arguments = Arguments::parse(entry.name, &entry.parameters, &self.source.parameters)
            .map_err(|error| refusal(entry, &error))?;
        let made = catch_in_checked_code(|| guide.make(&*self.runnable, &arguments));
        let not_made = |why: String| {
            let message = format!("the guide `{title}` of `{}` {why}", self.source.name);
            Diagnostic::new(Code::SystemNotBuilt, message).at(asked.clone())
        };
        let guidance = made
            .map_err(|panic| {
                not_made(format!("panicked: {panic}")).help("it may need other parameters")
            })?
            .ok_or_else(|| {
                not_made("is written for a world with other messages".to_owned())
                    .help("name the type that the world is built with: |world: &World<Message>, …|")
            })?;
        let guidance: Box<dyn std::any::Any> = guidance;
        guidance.downcast::<Guide>().map(|guide| *guide).map_err(|_| {
            not_made("is not made of phases".to_owned()).help("return a `foresee::stateful::Guide`")
        })
    }
}

impl FrontEnd for NodesSystem {
    fn system(&self) -> &dyn System {
        self.runnable.system()
    }

    /// A system of the registry need not be made of nodes.
    fn kind(&self) -> Kind {
        if self.runnable.is_world() { Kind::Nodes } else { Kind::Model }
    }

    fn source(&self) -> Source {
        Source::Nodes(self.source.clone())
    }

    /// The name alone, as in the registry.
    fn short_name(&self) -> &str {
        self.entry.as_ref().map_or(&self.source.name, |entry| entry.name)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        Ok(Arc::new(self.built_as(self.source.clone())?))
    }

    fn read_as(&self, reading: Reading) -> Result<Option<Arc<dyn FrontEnd>>, Diagnostic> {
        let mut source = self.source.clone();
        source.options.reading = reading;
        let system = self.built_as(source)?;
        if system.runnable.reading() != reading {
            let message = format!("`{}` cannot be built for --engine stateless", self.short_name());
            let help = match self.entry {
                Some(_) => {
                    "its builder should hand on the options it is given: `world.options(options)`"
                }
                None => "build the world with `reading(Reading::Exact)`, or check its `Entry`",
            };
            return Err(Diagnostic::new(Code::OptionDoesNotApply, message)
                .at("--engine stateless")
                .help(help));
        }
        Ok(Some(Arc::new(system)))
    }

    fn outline(&self, state: &[u32]) -> Description {
        self.system().outline(state)
    }

    fn with_more_faults(&self, more: u32) -> Option<Arc<dyn FrontEnd>> {
        self.entry.as_ref()?;
        let mut crashes = self.source.clone();
        crashes.options.crashes += more;
        crashes.options.restarts += more;
        crashes.options.partitions += more;
        let mut all = crashes.clone();
        all.options.drops += more;
        all.options.duplicates += more;
        // A network that never loses a message refuses to.
        let built = [all, crashes].into_iter().find_map(|source| self.built_as(source).ok())?;
        Some(Arc::new(built))
    }

    /// By the node's name: its events, which are all that happens to it.
    fn is_called(&self, state: &[u32], party: Party, name: &str) -> bool {
        let Party::Actor(actor) = party else { return false };
        let nodes = self.system().describe(state).members;
        nodes.get(actor.0 as usize).is_some_and(|member| member.name == name)
    }

    fn coverage(&self) -> Coverage {
        let mut checked = vec![Claim::NoPanic];
        if self.source.options.check_code {
            checked.push(Claim::DeterministicCode);
        }
        Coverage { checked, assumed: self.runnable.assumptions() }
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.runnable.warnings();
        if in_checked_code_do(|| self.system().properties()).is_empty() {
            let text = "the system states no property: only panics are looked for";
            warnings.insert(0, text.to_owned());
        }
        warnings
    }

    fn not_idempotent(&self) -> Vec<(String, String)> {
        self.runnable.not_idempotent()
    }

    fn simulate(
        &self,
        seed: u64,
        request: &SimulateRequest,
        _: &dyn Meter,
        watching: &mut Watching<'_>,
    ) -> Result<SimulatedRun, Diagnostic> {
        let run = self.runnable.simulate(&config(seed, request), &mut |event| {
            watching.count();
            watching.tell(|number| Some(scene(number, event)));
        });
        run.map(simulated).ok_or_else(|| cannot_simulate(&self.name))
    }

    /// Where the simulated network did what the world has no budget for, the run is told without a trace.
    fn show_run(
        &self,
        loaded: &Loaded,
        seed: u64,
        _: &SimulateRequest,
        wrong: WrongRun,
        report: &mut Report,
    ) -> Result<(), Diagnostic> {
        let Kept::Labels { labels, is_replayable } = &wrong.kept else {
            unreachable!("a run of nodes keeps its labels")
        };
        let mut trace = Trace::new(self.name.clone());
        trace.events = labels.iter().cloned().map(Event::new).collect();
        let replayed = replay(loaded, &trace);
        if replayed.stop.is_none() && *is_replayable {
            return show_path(loaded, seed, wrong, replayed.path, report);
        }
        let faults = "the simulated network did more than the system's fault budgets allow, so there is no trace to replay";
        report.warnings.push(faults.to_owned());
        let steps = labels.len();
        let found = Found::without_run(wrong.kind, wrong.property, wrong.message);
        report.violations.push(Found { steps, steps_found: steps, ..found });
        Ok(())
    }

    fn as_nodes(&self) -> Option<&NodesSystem> {
        Some(self)
    }
}

fn build(
    entry: &Entry,
    parameters: &[String],
    options: &BuildOptions,
) -> Result<Arc<dyn Runnable>, Diagnostic> {
    match catch_in_checked_code(|| entry.build(parameters, options)) {
        Ok(Ok(runnable)) => Ok(Arc::from(runnable)),
        Ok(Err(error)) => Err(refusal(entry, &error)),
        Err(panic) => Err(Diagnostic::new(
            Code::SystemNotBuilt,
            format!("building `{}` panicked: {panic}", entry.name),
        )
        .help("the builder should return an error for what it cannot build")),
    }
}

fn config(seed: u64, request: &SimulateRequest) -> SimulationConfig {
    let SimulatedNetwork { latency, loss, duplication } = request.network.clone();
    SimulationConfig {
        seed,
        latency,
        loss,
        duplication,
        time_max: request.virtual_time_max.unwrap_or(Duration::from_secs(60)),
        events_max: request.events_max.unwrap_or(EVENTS_MAX),
        ..SimulationConfig::default()
    }
}

fn scene(number: u64, event: &SimulationEvent) -> Scene {
    let (time, who) = (event.time, String::new());
    Scene {
        time,
        number,
        who,
        kind: SceneKind::Network,
        what: event.to_string(),
        place: None,
        books_of: None,
    }
}

fn simulated(run: Simulation) -> SimulatedRun {
    let end = RunEnd { outcome: run.outcome(), processes: None };
    let kept = Kept::Labels { labels: run.trace, is_replayable: run.replayable };
    SimulatedRun {
        end,
        n_events: run.n_events,
        messages: Some(Messages { sent: run.n_sent, lost: run.n_lost }),
        time: Some(run.time),
        stopped_by: None,
        trouble: None,
        wrong: run.broken.map(|broken| WrongRun {
            kind: broken.kind,
            property: broken.property,
            message: broken.message.trim_end().to_owned(),
            kept,
        }),
    }
}

fn cannot_simulate(name: &str) -> Diagnostic {
    let message = format!("`{name}` is not made of nodes, so it has no virtual time");
    Diagnostic::new(Code::OptionDoesNotApply, message).help("check it instead")
}

/// The diagnostic for what the catalogue says is wrong.
fn refusal(entry: &Entry, error: &ArgumentError) -> Diagnostic {
    let code = match error {
        ArgumentError::NotKeyValue { .. }
        | ArgumentError::UnknownParameter { .. }
        | ArgumentError::GivenTwice { .. } => Code::UnknownParameter,
        ArgumentError::NotANumber { .. }
        | ArgumentError::OutOfRange { .. }
        | ArgumentError::UnknownWord { .. } => Code::BadParameterValue,
        _ => Code::SystemNotBuilt,
    };
    let help = match (code, entry.parameters.is_empty()) {
        (Code::SystemNotBuilt, _) => {
            "change the parameter or the fault that it speaks of".to_owned()
        }
        (_, true) => format!("`{}` has no parameters", entry.name),
        _ => format!("`{}` takes {}", entry.name, parameters_of(entry)),
    };
    Diagnostic::new(code, error.to_string()).help(help)
}

fn parameters_of(entry: &Entry) -> String {
    let parameters = entry.parameters.iter();
    let words =
        parameters.map(|it| format!("{}={} ({})", it.name, it.default_text(), it.values_text()));
    words.collect::<Vec<_>>().join(", ")
}
