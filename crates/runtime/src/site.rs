//! A run of one process among several, over TCP.
//! Which nodes are here is what the peers file says: all nodes with the HOST:PORT of the one that was named.
//! Stopping: nobody new is let in, what has arrived is handed over, what was sent is flushed to the peers that are there, and
//! connections are closed. The second order stops at once.

use crate::back::Backs;
use crate::client_log::Wants;
use crate::frame::Hello;
use crate::inbound::{Door, Inbox, accept, catch};
use crate::link::{self, Links};
use crate::machine::Machine;
use crate::metrics::{Counters, serve};
use crate::report::{Ended, RunReport};
use crate::stop::Stop;
use crate::stream::{Dialler, Doorkeeper};
use crate::{Config, Peers, RunError};
use foresee_node::{Address, Deploy};
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::mpsc;
use tokio::task::LocalSet;

/// Messages handed over between two looks at the sockets.
const BATCH: usize = 1_024;

/// Runs the process of `node`, as the peers file has it.
pub fn run_site(
    deployment: &dyn Deploy,
    peers: &Peers,
    node: Address,
    config: &Config,
    wants: Option<Wants>,
) -> Result<RunReport, RunError> {
    let own = own_site(deployment, peers, node)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|reason| RunError::NoLoop { reason })?;
    let (mut readers, mut work) =
        (LocalSet::new(), pin!(site(deployment, peers, own, config, wants)));
    let _entered = readers.enter();
    // What readers have brought is handed over in the same turn, before the sockets are looked at again.
    runtime.block_on(poll_fn(|context| {
        let _ = Pin::new(&mut readers).poll(context);
        work.as_mut().poll(context)
    }))
}

/// Where the node is, if the peers file and the system agree.
fn own_site(deployment: &dyn Deploy, peers: &Peers, node: Address) -> Result<SocketAddr, RunError> {
    let members: Vec<Address> = deployment.members().iter().map(|it| it.address).collect();
    let known = || members.iter().map(|member| member.name().to_owned()).collect();
    if !members.contains(&node) {
        return Err(RunError::NotAMember { address: node.to_string(), known: known() });
    }
    let missing = members.iter().filter(|member| peers.site_of(**member).is_none());
    let missing: Vec<String> = missing.map(|member| format!("`{member}`")).collect();
    if !missing.is_empty() {
        return Err(RunError::MissingPeers { missing });
    }
    let own = peers.site_of(node).expect("no member is missing");
    if let Some(stranger) = peers.at(own).iter().find(|address| !members.contains(address)) {
        return Err(RunError::NotAMember { address: stranger.to_string(), known: known() });
    }
    Ok(own)
}

async fn site(
    deployment: &dyn Deploy,
    peers: &Peers,
    own: SocketAddr,
    config: &Config,
    wants: Option<Wants>,
) -> Result<RunReport, RunError> {
    let counters = Rc::new(Counters::default());
    let stop = Stop::listen(config.listens_for_signals)?;
    if let Some(at) = config.metrics {
        serve(at, Rc::clone(&counters)).await?;
    }
    let listener = TcpListener::bind(own).await.map_err(|reason| RunError::CannotListen {
        at: own,
        what_for: "peers",
        reason,
    })?;
    let host = deployment.host(&peers.at(own));
    let members: Vec<Address> = host.members().iter().map(|member| member.address).collect();
    let schema = deployment.schema();
    let inbox = Rc::new(Inbox::new(config));
    let door = Rc::new(Door {
        schema: schema.clone(),
        members: members.clone(),
        frame_max: config.frame_max,
        counters: Rc::clone(&counters),
        inbox: Rc::clone(&inbox),
        doorkeeper: Doorkeeper::new(config),
        connections: Default::default(),
        backs: Backs::new(peers, own, config),
    });
    let udp = match config.udp {
        true => Some(datagrams(own).await?),
        false => None,
    };
    let catching = udp.clone().map(|udp| tokio::task::spawn_local(catch(udp, Rc::clone(&door))));
    let accepting = tokio::task::spawn_local(accept(listener, Rc::clone(&door)));
    let links = Links::new(peers, own, config, Rc::clone(&counters), udp);
    let (fatal, mut fatal_news) = mpsc::channel(1);
    for link in links.all() {
        let names = |nodes: &[Address]| nodes.iter().map(|node| node.name().to_owned()).collect();
        let hello = Hello {
            schema: schema.hash,
            type_name: schema.type_name.to_owned(),
            from: names(&members),
            to: names(&peers.at(link.site)),
            datagrams: 0,
            goes_back: door.backs.of(link.site).asks,
        };
        let dialler = Dialler::new(config, peers.host_of(link.site));
        let writer = link::write(Rc::clone(link), hello, Rc::clone(&door), dialler);
        let fatal = fatal.clone();
        tokio::task::spawn_local(async move {
            if let Err(error) = writer.await {
                let _ = fatal.send(error).await;
            }
        });
    }
    let mut machine = Machine::new(host, config, wants, links)?;
    machine.start();
    let ended = drive(&mut machine, &inbox, config, &stop, &mut fatal_news).await?;
    accepting.abort();
    catching.inspect(tokio::task::JoinHandle::abort);
    let ended = finish(&mut machine, &inbox, config, &stop, ended).await?;
    machine.outside.notes.extend(inbox.refusals.take());
    Ok(machine.report(ended))
}

/// The socket for datagrams: the same port as for connections.
async fn datagrams(own: SocketAddr) -> Result<Rc<UdpSocket>, RunError> {
    let cannot = |reason| RunError::CannotListen { at: own, what_for: "datagrams", reason };
    UdpSocket::bind(own).await.map(Rc::new).map_err(cannot)
}

async fn drive(
    machine: &mut Machine,
    inbox: &Inbox,
    config: &Config,
    stop: &Stop,
    fatal: &mut mpsc::Receiver<RunError>,
) -> Result<Ended, RunError> {
    // An alarm that comes too early costs a turn; setting it anew each time something is due a little later would cost more.
    let begun = tokio::time::Instant::now();
    let mut alarm = std::pin::pin!(tokio::time::sleep_until(begun));
    let end = config.duration.and_then(|duration| begun.checked_add(duration));
    loop {
        let n = step(machine, inbox)?;
        if stop.is_asked() {
            return Ok(Ended::Stopped);
        }
        let elapsed = machine.elapsed();
        if config.duration.is_some_and(|duration| elapsed >= duration) {
            return Ok(Ended::Duration);
        }
        if let Ok(error) = fatal.try_recv() {
            return Err(error);
        }
        machine.outside.links.wait_for_room().await;
        if n > 0 && (!inbox.is_empty() || machine.is_busy()) {
            tokio::task::yield_now().await;
            continue;
        }
        if let Some(due) = [machine.next_due(), end].into_iter().flatten().min()
            && (due < alarm.deadline() || alarm.is_elapsed())
        {
            alarm.as_mut().reset(due);
        }
        tokio::select! {
            biased;
            () = inbox.arrives() => {}
            () = &mut alarm, if !alarm.is_elapsed() => {}
            () = machine.outside.disk_news() => {}
            () = stop.told_more_than(0) => {}
            error = fatal.recv() => if let Some(error) = error { return Err(error) },
        }
    }
}

/// Hands over what has arrived and what is due, and lets go of what was sent; how much there was.
fn step(machine: &mut Machine, inbox: &Inbox) -> Result<usize, RunError> {
    let mut n = machine.finish_syncs()?;
    n += machine.fire_due();
    while n < BATCH
        && let Some(mut parcel) = inbox.take()
    {
        while n < BATCH
            && let Some(arrived) = parcel.next()
        {
            // What was due before a message is handed over happens before it, also if the process stood still in between: a node may count on
            // a timer that it has set to end something, as a lease. The handler uses the same look at the clock.
            n += machine.fire_due() + 1;
            let taken = machine.receive(arrived.to, arrived.from, parcel.message(&arrived));
            if let Err(reason) = taken {
                machine.outside.counters.messages_refused.add(1);
                inbox.refuse(&parcel, &reason);
            }
        }
        inbox.done(parcel);
    }
    if n > 0 {
        inbox.made_room();
    }
    n += machine.turn(BATCH);
    machine.flush_record()?;
    machine.outside.links.release();
    Ok(n)
}

async fn finish(
    machine: &mut Machine,
    inbox: &Inbox,
    config: &Config,
    stop: &Stop,
    ended: Ended,
) -> Result<Ended, RunError> {
    let told = u32::from(stop.is_asked());
    while !inbox.is_empty() {
        step(machine, inbox)?;
    }
    // What was acknowledged to a disk is acknowledged to whoever asked, if the disk takes no longer than the rest may.
    let until = tokio::time::Instant::now() + config.stop_max;
    while machine.is_syncing() && tokio::time::Instant::now() < until && !stop.is_ordered() {
        tokio::select! {
            () = machine.outside.disk_news() => {}
            () = tokio::time::sleep_until(until) => {}
            () = stop.told_more_than(told) => {}
        }
        step(machine, inbox)?;
    }
    let is_killed = tokio::select! {
        () = machine.outside.links.flushed() => false,
        () = tokio::time::sleep(config.stop_max) => false,
        () = stop.told_more_than(told) => true,
    };
    let unsent = machine.outside.links.count_unsent();
    if unsent > 0 {
        let note = format!("{unsent} messages were still waiting for peers that were not there");
        machine.outside.notes.push(note);
    }
    Ok(if is_killed || stop.is_ordered() { Ended::Killed } else { ended })
}
