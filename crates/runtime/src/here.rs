//! A run in one process: all nodes in one host, messages handed over as values.

use crate::client_log::Wants;
use crate::in_process::InProcess;
use crate::link::Links;
use crate::machine::Machine;
use crate::metrics::{Counters, serve};
use crate::report::{Ended, RunReport};
use crate::stop::Stop;
use crate::{Config, RunError};
use foresee_node::{Address, Deploy};
use std::rc::Rc;
use std::time::Duration;
use tokio::task::LocalSet;

/// Messages delivered between two looks at the clock.
const BATCH: usize = 256;

/// Runs all nodes of a deployment in this process until nothing is left to happen, the time is up, or it is told to stop.
/// Of clients' operations those are kept for judging that `wants` accepts.
///
/// ```
/// use foresee_node::{Address, Context, Deployment, Node};
/// use foresee_runtime::{Config, Ended, run_here};
/// #[derive(Clone, Debug, Eq, Hash, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Player { friend: Address, starts: bool }
/// impl Node for Player {
///     type Message = u32;
///     type Timer = ();
///     fn init(&mut self, context: &mut Context<u32, ()>) {
///         if self.starts { context.send(self.friend, 9); }
///     }
///     fn on_message(&mut self, from: Address, n: u32, context: &mut Context<u32, ()>) {
///         if n > 0 { context.send(from, n - 1); }
///     }
/// }
/// let mut table = Deployment::new("table tennis");
/// table.add("a", Player { friend: "b".into(), starts: true });
/// table.add("b", Player { friend: "a".into(), starts: false });
/// let report = run_here(&table, &Config::default(), None).unwrap();
/// assert_eq!((report.ended, report.messages_sent), (Ended::Quiet, 10));
/// ```
pub fn run_here(
    deployment: &dyn Deploy,
    config: &Config,
    wants: Option<Wants>,
) -> Result<RunReport, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|reason| RunError::NoLoop { reason })?;
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let counters = Rc::new(Counters::default());
        let stop = Stop::listen(config.listens_for_signals)?;
        if let Some(at) = config.metrics {
            serve(at, Rc::clone(&counters)).await?;
        }
        let addresses: Vec<Address> =
            deployment.members().iter().map(|member| member.address).collect();
        let host = deployment.host(&addresses);
        let links = Links::none(counters);
        let mut machine = Machine::new(host, config, wants, links)?;
        if let Some(script) = &config.faults {
            let until = config.duration.unwrap_or(Duration::MAX);
            let n_nodes = addresses.len();
            let most = config.messages_max;
            machine.let_go_wrong(InProcess::new(script, config.seed, until, n_nodes, most));
        }
        let ended = drive(&mut machine, config, &stop).await?;
        machine.flush_record()?;
        Ok(machine.report(ended))
    })
}

async fn drive(machine: &mut Machine, config: &Config, stop: &Stop) -> Result<Ended, RunError> {
    machine.start();
    for round in 0u64.. {
        let n = machine.go_wrong()
            + machine.finish_syncs()?
            + machine.fire_due()
            + machine.turn(BATCH)
            + machine.hand_letters();
        if stop.is_asked() {
            return Ok(Ended::Stopped);
        }
        machine.flush_record()?;
        let elapsed = machine.elapsed();
        if config.duration.is_some_and(|duration| elapsed >= duration) {
            return Ok(Ended::Duration);
        }
        if n > 0 {
            // Signals and metrics have their turn, but not so often that it costs anything.
            if round.is_multiple_of(64) {
                tokio::task::yield_now().await;
            }
            continue;
        }
        if machine.is_quiet() {
            return Ok(Ended::Quiet);
        }
        let left =
            config.duration.map(|duration| tokio::time::Instant::now() + (duration - elapsed));
        let due = [machine.next_due(), left].into_iter().flatten().min();
        if due.is_none() && !machine.is_syncing() {
            return Ok(Ended::Quiet);
        }
        let sleep = async {
            match due {
                Some(due) => tokio::time::sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = sleep => {}
            () = machine.outside.disk_news() => {}
            () = stop.told_more_than(0) => {}
        }
    }
    unreachable!("the loop has no other end")
}
