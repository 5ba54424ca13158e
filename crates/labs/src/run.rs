//! Carrying out runs in virtual time.
//! What a run is asked is looked at whenever a client has a new result, and at the end: the judging of long histories costs more than
//! the run itself otherwise. A failure of a property is shown by a shortened trace; a run that does not end well, by the run as it was.

use crate::arena::Counts;
use crate::evidence::{Evidence, shown};
use crate::results::Outcome;
use crate::{Arena, Ending, RunPlan, SetUp};
use foresee_lts::{Finding, Label, Predicate, PropertyKind, Verb, ViolationKind};
use foresee_nodes::{BuildOptions, Simulation, SimulationConfig, SimulationEnd};
use foresee_trace::{Event, Trace};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) fn carry_out(
    name: &str,
    set_up: &SetUp,
    plan: &RunPlan,
    seed: u64,
    options: &BuildOptions,
) -> Outcome {
    let (mut events, mut n_sent, mut n_results) = (0, 0, 0);
    for run in 0..plan.runs.max(1) {
        let arena = set_up(name, options);
        let seed = seed.wrapping_add(run);
        let ran = simulate(&arena, plan, seed);
        events += ran.simulation.n_events;
        n_sent += ran.simulation.n_sent;
        n_results += ran.counts.iter().sum::<usize>();
        if let Some(wrong) = ran.wrong(&arena, plan) {
            let outcome = fail(name, set_up, &arena, &ran, wrong, seed);
            return Outcome { states: events, ..outcome };
        }
    }
    if n_results == 0
        && let Some(outcome) = idle(name, set_up, seed, options)
    {
        return Outcome { states: events, ..outcome };
    }
    let runs = if plan.runs > 1 { format!("{} runs, ", plan.runs) } else { String::new() };
    let message = format!("{runs}{events} events, {n_results} results, {n_sent} messages");
    Outcome::passed(events, message)
}

/// What is said of a solution with which nothing wrong was found and no client is told anything, not even in a run in which all goes well: whoever does
/// nothing does nothing wrong, and earns nothing. `None` if somebody is told something, or there is nobody to tell.
pub(crate) fn idle(
    name: &str,
    set_up: &SetUp,
    seed: u64,
    options: &BuildOptions,
) -> Option<Outcome> {
    let (arena, plan) = (set_up(name, options), RunPlan::default());
    let ran = simulate(&arena, &plan, seed);
    let counts = (arena.counts)(&ran.simulation.state);
    if counts.is_empty() || counts.iter().any(|n_results| *n_results > 0) {
        return None;
    }
    let wrong = ran.broken().or_else(|| ran.unfinished(&arena, &plan))?;
    let message = format!(
        "nothing wrong was found, but nobody is told anything in a run in which no message is lost: {}",
        wrong.message
    );
    let wrong = Wrong { property: "somebody is told something".to_owned(), ..wrong };
    Some(Outcome { message, ..fail(name, set_up, &arena, &ran, wrong, seed) })
}

/// A run, and what was seen of its clients.
struct Ran {
    simulation: Simulation,
    counts: Vec<usize>,
    finding: Option<Finding>,
    /// The longest wait for a result, and whose.
    longest: (Duration, usize),
    n_syncs: u64,
}

/// What is wrong with a run: the property, and why.
struct Wrong {
    property: String,
    message: String,
    kind: ViolationKind,
}

fn simulate(arena: &Arena, plan: &RunPlan, seed: u64) -> Ran {
    let system = arena.world.system();
    let invariants: Vec<Predicate> = system
        .properties()
        .into_iter()
        .filter(|property| property.kind == PropertyKind::Invariant)
        .map(|property| property.predicate)
        .collect();
    let watch = Arc::new(Watch {
        counts: Arc::clone(&arena.counts),
        invariants,
        done: arena.done.clone(),
        stops_when_done: plan.ending == Ending::Done,
        seen: Mutex::new(Seen::default()),
    });
    let asked = Arc::clone(&watch);
    let reads = watch
        .invariants
        .iter()
        .fold(arena.done.reads().clone(), |reads, invariant| reads.union(invariant.reads()));
    let config = SimulationConfig {
        seed,
        latency: plan.latency,
        loss: plan.loss,
        duplication: plan.duplication,
        schedule: plan.schedule.clone(),
        time_max: plan.time_max,
        events_max: plan.events_max,
        until: Some(Predicate::new("over", reads, move |state, _| asked.is_over(state))),
        checks_invariants: false,
        stops_at_prunes: false,
        ..SimulationConfig::default()
    };
    let mut observer = |event: &foresee_nodes::SimulationEvent| {
        let mut seen = watch.seen.lock().expect("not poisoned");
        seen.now = event.time;
        seen.n_syncs += u64::from(event.label.verb == Verb::Sync);
    };
    let simulation = arena.world.simulate(&config, &mut observer);
    let simulation = simulation.expect("an arena's world is made of nodes");
    watch.finish(&simulation);
    let seen = watch.seen.lock().expect("not poisoned");
    Ran {
        counts: seen.counts.clone(),
        finding: seen.finding.clone().or_else(|| simulation.broken.clone()),
        longest: seen.longest,
        n_syncs: seen.n_syncs,
        simulation,
    }
}

/// Looks at a run as it goes.
struct Watch {
    counts: Counts,
    invariants: Vec<Predicate>,
    done: Predicate,
    stops_when_done: bool,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    now: Duration,
    counts: Vec<usize>,
    /// When each client had its last result.
    since: Vec<Duration>,
    longest: (Duration, usize),
    n_syncs: u64,
    finding: Option<Finding>,
}

impl Watch {
    fn is_over(&self, state: &[u32]) -> bool {
        let counts = (self.counts)(state);
        let mut seen = self.seen.lock().expect("not poisoned");
        if seen.counts == counts {
            // Somebody who is no client may be the last to finish.
            return self.stops_when_done && self.done.holds(state);
        }
        seen.take(counts);
        seen.finding = self.broken(state);
        seen.finding.is_some() || self.stops_when_done && self.done.holds(state)
    }

    fn finish(&self, simulation: &Simulation) {
        let mut seen = self.seen.lock().expect("not poisoned");
        seen.now = simulation.time;
        if seen.finding.is_none() && simulation.broken.is_none() {
            seen.finding = self.broken(&simulation.state);
        }
        if !self.done.holds(&simulation.state) {
            (0..seen.counts.len()).for_each(|client| seen.waited(client));
        }
    }

    fn broken(&self, state: &[u32]) -> Option<Finding> {
        let broken = self.invariants.iter().find(|invariant| !invariant.holds(state))?;
        let (property, message) = (Some(broken.name().to_owned()), broken.explain(state));
        Some(Finding { kind: ViolationKind::Invariant, property, message })
    }
}

impl Seen {
    fn take(&mut self, counts: Vec<usize>) {
        self.since.resize(counts.len(), Duration::ZERO);
        for (client, count) in counts.iter().enumerate() {
            if self.counts.get(client).copied().unwrap_or(0) != *count {
                self.waited(client);
                self.since[client] = self.now;
            }
        }
        self.counts = counts;
    }

    fn waited(&mut self, client: usize) {
        let wait = self.now.saturating_sub(self.since[client]);
        if wait > self.longest.0 {
            self.longest = (wait, client);
        }
    }
}

impl Ran {
    fn wrong(&self, arena: &Arena, plan: &RunPlan) -> Option<Wrong> {
        self.broken()
            .or_else(|| self.unfinished(arena, plan))
            .or_else(|| self.too_costly(arena, plan))
    }

    fn broken(&self) -> Option<Wrong> {
        let Finding { kind, property, message } = self.finding.clone()?;
        let property = property.unwrap_or_else(|| format!("no {}", kind.word()));
        Some(Wrong { property, message, kind })
    }

    fn unfinished(&self, arena: &Arena, plan: &RunPlan) -> Option<Wrong> {
        let (state, kind) = (&self.simulation.state, ViolationKind::Liveness);
        let when = match &self.simulation.end {
            SimulationEnd::Quiet => format!("after {} nothing can happen any more", self.spent()),
            SimulationEnd::EventsUp => format!("{} events did not suffice", plan.events_max),
            _ => format!("after {} of virtual time", self.spent()),
        };
        let (events, sent) = (self.simulation.n_events, self.simulation.n_sent);
        let wrong = |property: &str, who: String| {
            let message = format!("{when} ({events} events, {sent} messages sent): {who}");
            Some(Wrong { property: property.to_owned(), message, kind })
        };
        match plan.ending {
            Ending::Done if !arena.done.holds(state) => wrong(
                arena.done.name(),
                format!("{}; {}", arena.done.explain(state), self.progress()),
            ),
            Ending::TimeUp { results_min } if self.counts.iter().any(|n| *n < results_min) => {
                wrong(&format!("every client has {results_min} results"), self.progress())
            }
            _ => None,
        }
    }

    fn too_costly(&self, arena: &Arena, plan: &RunPlan) -> Option<Wrong> {
        let (longest, client) = self.longest;
        let kind = ViolationKind::Property;
        if let Some(max) = plan.wait_max.filter(|max| longest > *max) {
            let property = format!("no operation takes longer than {max:?}");
            let message = format!("client {} waited {longest:?} of virtual time", client + 1);
            return Some(Wrong { property, message, kind });
        }
        let n_results = self.counts.iter().sum::<usize>() as u64;
        if let Some(max) = plan.messages_max.filter(|max| self.simulation.n_sent > max * n_results)
        {
            let property = format!("at most {max} messages for each operation");
            let message =
                format!("{} messages were sent for {n_results} operations", self.simulation.n_sent);
            return Some(Wrong { property, message, kind });
        }
        if let Some(max) = plan.syncs_max.filter(|max| self.n_syncs > max * n_results) {
            let property = format!("at most {max} syncs for each operation");
            let message = format!("{} syncs were done for {n_results} operations", self.n_syncs);
            return Some(Wrong { property, message, kind });
        }
        let state = &self.simulation.state;
        let broken = arena.at_end.iter().find(|predicate| !predicate.holds(state))?;
        let message = format!("at the end of the run, {}", broken.explain(state));
        Some(Wrong { property: broken.name().to_owned(), message, kind })
    }

    fn spent(&self) -> String {
        format!("{:.1} s", self.simulation.time.as_secs_f64())
    }

    fn progress(&self) -> String {
        let counts: Vec<String> = self.counts.iter().map(ToString::to_string).collect();
        format!("results so far, by client: {}", counts.join(", "))
    }
}

/// The run without partitions and crashes: the test's world, which has no budget for them, can take it, because what they stopped just does
/// not happen. Where a node comes back without its memory, its crash is a part of the run.
fn steps(run: &[Label]) -> impl Iterator<Item = &Label> {
    let keeps_crashes = run.iter().any(|label| label.verb == Verb::Restart);
    run.iter().filter(move |label| match label.verb {
        Verb::Partition | Verb::Heal => false,
        Verb::Crash => keeps_crashes,
        _ => true,
    })
}

fn fail(name: &str, set_up: &SetUp, arena: &Arena, ran: &Ran, wrong: Wrong, seed: u64) -> Outcome {
    let mut trace = Trace::new(name);
    let events = steps(&ran.simulation.trace).cloned();
    trace.events = events.map(Event::new).collect();
    let finding = Finding {
        kind: wrong.kind,
        property: Some(wrong.property.clone()),
        message: wrong.message.clone(),
    };
    if matches!(wrong.kind, ViolationKind::Liveness | ViolationKind::Property) {
        trace.kind = "nodes".to_owned();
        let trace = trace.with_seed(seed).with_violation(finding);
        return Outcome::failed(0, &wrong.property, wrong.message).with_trace(trace);
    }
    let found = ran.finding.clone().expect("a property is broken");
    let path = foresee_trace::replay(arena.world.system(), &trace).path;
    match shown(name, set_up, arena.world.system(), &path, &found, seed) {
        Evidence::Confirmed(trace, message) => {
            Outcome::failed(0, &wrong.property, message).with_trace(trace)
        }
        Evidence::Diverged(trace, message) => {
            Outcome::failed(0, "handlers are deterministic", message).with_trace(trace)
        }
    }
}
