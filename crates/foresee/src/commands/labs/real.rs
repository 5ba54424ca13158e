//! `labs test --real`: a lab's run tests on the clock of this machine and over its sockets, through the runtime.
//! Each server is a site of its own with a port of its own; the clients share one, so that one clock orders what they see. A proxy between them loses
//! and doubles what the test's plan asks for. What is looked at is what can be seen of a real run: that clients finish, that no node panics, that
//! what clients were told is linearizable. A run that has not finished is given more time, up to half a minute, since how long it takes says nothing
//! about the solution on a loaded machine.
//! A plan with crashes is run in one process, where a node can be taken away; it has no sockets then.

use foresee_labs::{BuildOptions, Ending, Number, Plan, RunPlan, SetUp, Status, Test, TestResult};
use foresee_node::Deploy;
use foresee_nodes::{Disturbance, Judgement, Latency};
use foresee_runtime::{
    Config, FaultScript, Peers, RunError, RunReport, free_places, run_here, run_proxy, run_site,
};
use std::fmt::Write as _;
use std::time::Duration;

/// Seconds for the first attempt, the second, the last.
const ATTEMPTS_S: [u64; 3] = [2, 8, 30];

/// Carries out one test for real; `None` if it is no run.
pub(super) fn carry_out(system: &str, test: &Test, seed: u64) -> Option<TestResult> {
    let Plan::Run(set_up, plan) = &test.plan else { return None };
    let (lab, rest) = system.split_once(' ').unwrap_or((system, ""));
    let name = format!("{lab} test={} {rest}", test.number).trim_end().to_owned();
    let outcome = last_attempt(&name, set_up, plan, seed, test.number);
    let (status, property, message, operations) = match outcome {
        Ok(ran) => ran.outcome(plan),
        Err(error) => (Status::Error, None, error.to_string(), 0),
    };
    Some(TestResult {
        number: test.number,
        name: test.name,
        categories: test.categories.clone(),
        points: test.points,
        is_hidden: test.is_hidden,
        status,
        property,
        message,
        states: operations,
        trace: None,
        trace_file: None,
    })
}

struct Ran {
    operations: u64,
    pending: u64,
    n_clients: u64,
    messages: u64,
    elapsed: Duration,
    failure: Option<String>,
    judgement: Option<Judgement>,
}

fn last_attempt(
    name: &str,
    set_up: &SetUp,
    plan: &RunPlan,
    seed: u64,
    number: Number,
) -> Result<Ran, RunError> {
    let disturbed = plan.schedule.iter().map(|it| it.at).max().unwrap_or(Duration::ZERO);
    let mut ran = None;
    for (attempt, seconds) in (0u64..).zip(ATTEMPTS_S) {
        let duration = disturbed + Duration::from_secs(seconds);
        // Ports differ from test to test and from attempt to attempt.
        let ports = seed ^ u64::from(number.part) << 32 ^ u64::from(number.index) << 16 ^ attempt;
        let this = run(name, set_up, plan, duration, seed, ports)?;
        let is_over = this.failure.is_some() || this.has_finished(plan);
        ran = Some(this);
        if is_over {
            break;
        }
    }
    Ok(ran.expect("there are attempts"))
}

fn run(
    name: &str,
    set_up: &SetUp,
    plan: &RunPlan,
    duration: Duration,
    seed: u64,
    ports: u64,
) -> Result<Ran, RunError> {
    let arena = set_up(name, &BuildOptions::default());
    let deployment = arena.world.deployment().expect("an arena's world is made of nodes");
    let crashes = plan.schedule.iter().any(|it| matches!(it.what, Disturbance::Crash(_)));
    let config = Config {
        seed,
        duration: Some(duration),
        stop_max: Duration::from_millis(200),
        listens_for_signals: false,
        ..Config::default()
    };
    let reports = match crashes {
        true => {
            let script = FaultScript::parse(&script(plan, &*deployment, false));
            let faults = Some(script.expect("our own words"));
            vec![run_here(&*deployment, &Config { faults, ..config }, None)?]
        }
        false => on_sockets(&*deployment, plan, &config, duration, ports)?,
    };
    let clients = reports.iter().max_by_key(|report| report.history.len()).expect("a report");
    let failures = reports.iter().flat_map(|report| &report.failures);
    let failure = failures.map(|(node, said)| format!("{node} panicked: {said}")).next();
    let n_clients = deployment.members().iter().filter(|member| member.is_client).count() as u64;
    Ok(Ran {
        operations: reports.iter().map(|report| report.operations).sum(),
        pending: reports.iter().map(|report| report.pending).sum(),
        n_clients,
        messages: reports.iter().map(|report| report.messages_sent).sum(),
        elapsed: clients.elapsed,
        failure,
        judgement: arena.world.judge(&clients.history),
    })
}

fn on_sockets(
    deployment: &dyn Deploy,
    plan: &RunPlan,
    config: &Config,
    duration: Duration,
    ports: u64,
) -> Result<Vec<RunReport>, RunError> {
    let members = deployment.members();
    let servers = members.iter().filter(|member| !member.is_client);
    let places = free_places(servers.clone().count() + 1, ports);
    let (of_clients, of_servers) = places.split_first().expect("one for the clients");
    let mut text = String::new();
    for (member, place) in servers.clone().zip(of_servers) {
        let _ = writeln!(text, "{} {place}", member.address);
    }
    for client in members.iter().filter(|member| member.is_client) {
        let _ = writeln!(text, "{} {of_clients}", client.address);
    }
    let peers = Peers::parse(&text).expect("our own words");
    let script = FaultScript::parse(&script(plan, deployment, true)).expect("our own words");
    let firsts: Vec<_> = peers.sites().iter().map(|site| peers.at(*site)[0]).collect();
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let (between, seed) = (&peers, config.seed);
        let proxy = scope.spawn(move || {
            let more = Some(duration + Duration::from_millis(500));
            run_proxy(between, &script, seed, more, &mut |moved| drop(tell.send(moved.clone())))
        });
        // If the proxy has failed there is nothing to wait for, and its error is told below.
        let through = told.recv().ok();
        let sites: Vec<_> = firsts
            .iter()
            .filter(|_| through.is_some())
            .map(|&node| {
                let config = Config { through: through.clone(), ..config.clone() };
                let peers = &peers;
                scope.spawn(move || run_site(deployment, peers, node, &config, None))
            })
            .collect();
        let reports: Vec<_> =
            sites.into_iter().map(|site| site.join().expect("a site does not panic")).collect();
        proxy.join().expect("a proxy does not panic")?;
        reports.into_iter().collect()
    })
}

/// The plan in the words of fault scripts.
fn script(plan: &RunPlan, deployment: &dyn Deploy, has_proxy: bool) -> String {
    let mut text = format!("loss {}%\n", plan.loss * 100.0);
    if has_proxy {
        let _ = writeln!(text, "duplicate {}%", plan.duplication * 100.0);
        if let Latency::Uniform { min, max } = plan.latency {
            let _ = writeln!(text, "delay {}us..{}us", min.as_micros(), max.as_micros());
        }
    }
    for scheduled in &plan.schedule {
        let at = format!("at {}ms", scheduled.at.as_millis());
        let _ = match &scheduled.what {
            Disturbance::Crash(node) => writeln!(text, "{at} crash {node}"),
            Disturbance::Restart(node) => writeln!(text, "{at} restart {node}"),
            Disturbance::Heal => writeln!(text, "{at} heal"),
            Disturbance::Partition(side) => {
                let all = deployment.members().into_iter().map(|member| member.address);
                let words = |nodes: Vec<foresee_node::Address>| {
                    nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
                };
                let others = words(all.filter(|node| !side.contains(node)).collect());
                writeln!(text, "{at} partition {} | {others}", words(side.clone()))
            }
        };
    }
    text
}

impl Ran {
    fn has_finished(&self, plan: &RunPlan) -> bool {
        match plan.ending {
            Ending::Done => self.pending == 0 && self.operations > 0,
            Ending::TimeUp { results_min } => {
                self.operations >= results_min as u64 * self.n_clients
            }
        }
    }

    fn outcome(&self, plan: &RunPlan) -> (Status, Option<String>, String, u64) {
        let seconds = self.elapsed.as_secs_f64();
        let figures = format!("{} operations, {} messages", self.operations, self.messages);
        let wrong = |property: &str, message: String| {
            (Status::Failed, Some(property.to_owned()), message, self.operations)
        };
        if let Some(failure) = &self.failure {
            return wrong("no panic", failure.clone());
        }
        if let Some(Judgement::NotLinearizable(reason)) = &self.judgement {
            return wrong("linearizable", reason.clone());
        }
        if !self.has_finished(plan) {
            let message = format!(
                "after {seconds:.0} s on the clock: {figures}, {} clients wait",
                self.pending
            );
            return (
                Status::Unfinished,
                Some("every client has finished".to_owned()),
                message,
                self.operations,
            );
        }
        (Status::Passed, None, format!("for real: {figures}"), self.operations)
    }
}
