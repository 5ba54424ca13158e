//! Part 1: the view server alone. Its handlers are called by hand, and what it answers is compared with the rules.

use crate::{PrimaryBackup, View, ViewMessage};
use foresee::{Address, Context, Effect, Node};
use foresee_labs::{Lab, Plan};
use std::collections::BTreeSet;

type ByHand<S> = fn(&mut Desk<S>) -> Result<(), String>;

pub(super) fn all<S: PrimaryBackup>(lab: Lab, solution: &S) -> Lab {
    let tests: [(&'static str, u32, ByHand<S>); 13] = [
        ("before the first ping there is no view", 1, start),
        ("the first server becomes primary", 2, first_primary),
        ("the second becomes backup", 2, first_backup),
        ("the backup waits for the primary's acknowledgement", 3, backup_first),
        ("only the primary acknowledges a view", 3, acknowledgement),
        ("the backup takes over when the primary is silent for two checks", 3, take_over),
        ("a server that has pinged survives a check", 2, survives),
        ("the old primary comes back as backup", 2, comes_back),
        ("an idle server becomes backup at once", 2, at_once),
        ("no new view before the acknowledgement", 3, no_hurry),
        ("a dead backup is replaced", 2, dead_backup),
        ("an idle server never becomes primary", 3, uninitialised),
        ("a dead idle server is not chosen", 2, dead_idle),
    ];
    let lab = tests.into_iter().fold(lab, |lab, (name, points, test)| {
        let solution = solution.clone();
        lab.with(1, name, points, Plan::unit(move || test(&mut Desk::new(&solution))))
    });
    let solution = solution.clone();
    lab.with(
        1,
        "2,000 sequences of pings and checks keep the rules",
        10,
        Plan::unit(move || (0..2_000).try_for_each(|seed| any_sequence(&solution, seed))),
    )
}

/// A view server whose handlers are called by hand, and what was done so far.
struct Desk<S: PrimaryBackup> {
    server: S::ViewServer,
    timers: Vec<<S::ViewServer as Node>::Timer>,
    story: Vec<String>,
}

fn named(number: usize) -> Address {
    Address::new(&format!("server{number}"))
}

impl<S: PrimaryBackup> Desk<S> {
    fn new(solution: &S) -> Self {
        let server = solution.view_server();
        let mut desk: Desk<S> = Desk { server, timers: Vec::new(), story: Vec::new() };
        desk.call(|server, context| server.init(context));
        desk
    }

    fn call(
        &mut self,
        handler: impl FnOnce(
            &mut S::ViewServer,
            &mut Context<S::Message, <S::ViewServer as Node>::Timer>,
        ),
    ) -> Vec<(Address, S::Message)> {
        let mut context = Context::new(Address::new("views"));
        handler(&mut self.server, &mut context);
        let sent = context.sent();
        for effect in context.into_effects() {
            match effect {
                Effect::SetTimer { timer, .. } => self.timers.push(timer),
                Effect::CancelTimer { timer } => self.timers.retain(|it| *it != timer),
                _ => {}
            }
        }
        sent
    }

    /// A server pings with this number; the view in the answer.
    fn ping(&mut self, server: usize, number: u64) -> Result<View, String> {
        self.story.push(format!("server{server} pings with {number}"));
        self.ask(named(server), ViewMessage::Ping { number })
    }

    /// A client asks for the view.
    fn get(&mut self) -> Result<View, String> {
        self.story.push("a client asks".to_owned());
        self.ask(Address::new("client1"), ViewMessage::Get)
    }

    fn ask(&mut self, from: Address, message: ViewMessage) -> Result<View, String> {
        let sent = self.call(|server, context| server.on_message(from, message.into(), context));
        let mut answers = sent.iter().filter(|(to, _)| *to == from);
        let view = answers.find_map(|(_, message)| match S::view_message(message) {
            Some(ViewMessage::View(view)) => Some(view),
            _ => None,
        });
        view.ok_or_else(|| self.told(&format!("{from} got no view for an answer")))
    }

    /// The timer fires.
    fn check(&mut self) -> Result<(), String> {
        self.story.push("check".to_owned());
        if self.timers.is_empty() {
            return Err(self.told("no timer is set"));
        }
        let timer = self.timers.remove(0);
        self.call(|server, context| server.on_timer(timer, context));
        Ok(())
    }

    /// Pings of these servers, and a check, so many times.
    fn checks(&mut self, n: usize, alive: &[(usize, u64)]) -> Result<(), String> {
        for _ in 0..n {
            for &(server, number) in alive {
                self.ping(server, number)?;
            }
            self.check()?;
        }
        Ok(())
    }

    /// Server 1 is primary, server 2 backup, in view 2, which is acknowledged.
    fn two(&mut self) -> Result<(), String> {
        self.ping(1, 0)?;
        self.ping(1, 1)?;
        self.ping(2, 0)?;
        self.ping(1, 2)?;
        self.expect(2, Some(1), Some(2))
    }

    fn expect(
        &mut self,
        number: u64,
        primary: Option<usize>,
        backup: Option<usize>,
    ) -> Result<(), String> {
        let found = self.get()?;
        let wanted = View { number, primary: primary.map(named), backup: backup.map(named) };
        if found == wanted {
            return Ok(());
        }
        Err(self.told(&format!("the view is {}, expected {}", text(found), text(wanted))))
    }

    /// What is wrong, and what was done before.
    fn told(&self, what: &str) -> String {
        let first = self.story.len().saturating_sub(25);
        let dots = if first > 0 { "…, " } else { "" };
        format!("{what} (after: {dots}{})", self.story[first..].join(", "))
    }
}

fn text(view: View) -> String {
    let name = |server: Option<Address>| server.map_or("nobody".to_owned(), |it| it.to_string());
    format!("{}: primary {}, backup {}", view.number, name(view.primary), name(view.backup))
}

fn start<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.expect(0, None, None)
}

fn first_primary<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.ping(1, 0)?;
    desk.expect(1, Some(1), None)
}

fn first_backup<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.two()
}

fn backup_first<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.ping(1, 0)?;
    desk.ping(2, 0)?;
    desk.expect(1, Some(1), None)?;
    desk.ping(1, 1)?;
    desk.ping(2, 0)?;
    desk.expect(2, Some(1), Some(2))
}

fn acknowledgement<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.ping(1, 0)?;
    desk.ping(2, 1)?;
    desk.ping(2, 0)?;
    desk.expect(1, Some(1), None)
}

fn take_over<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.two()?;
    desk.checks(1, &[(1, 2), (2, 2)])?;
    desk.expect(2, Some(1), Some(2))?;
    desk.checks(2, &[(2, 2)])?;
    desk.expect(3, Some(2), None)
}

fn survives<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.two()?;
    desk.check()?;
    desk.expect(2, Some(1), Some(2))?;
    desk.checks(5, &[(1, 2), (2, 2)])?;
    desk.expect(2, Some(1), Some(2))
}

fn comes_back<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    take_over(desk)?;
    desk.ping(2, 3)?;
    desk.ping(1, 2)?;
    desk.expect(4, Some(2), Some(1))
}

fn at_once<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.two()?;
    desk.ping(3, 0)?;
    desk.expect(2, Some(1), Some(2))?;
    desk.checks(1, &[(1, 2), (2, 2), (3, 0)])?;
    desk.checks(2, &[(2, 2), (3, 0)])?;
    desk.expect(3, Some(2), Some(3))
}

fn no_hurry<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.ping(1, 0)?;
    desk.ping(1, 1)?;
    desk.ping(2, 0)?;
    desk.expect(2, Some(1), Some(2))?;
    desk.checks(5, &[(1, 1), (2, 2), (3, 0)])?;
    desk.expect(2, Some(1), Some(2))?;
    desk.checks(5, &[(2, 2), (3, 0)])?;
    desk.expect(2, Some(1), Some(2))
}

fn dead_backup<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.two()?;
    desk.checks(4, &[(1, 2)])?;
    desk.expect(3, Some(1), None)?;
    desk.ping(1, 3)?;
    desk.ping(3, 0)?;
    desk.expect(4, Some(1), Some(3))
}

fn uninitialised<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.two()?;
    desk.checks(6, &[(3, 0)])?;
    let view = desk.get()?;
    if view.primary == Some(named(3)) || view.primary.is_none() {
        return Err(desk.told(&format!(
            "the view is {}, but server3 has nothing of what was stored",
            text(view)
        )));
    }
    Ok(())
}

fn dead_idle<S: PrimaryBackup>(desk: &mut Desk<S>) -> Result<(), String> {
    desk.two()?;
    desk.ping(3, 0)?;
    desk.checks(3, &[(1, 2), (2, 2)])?;
    desk.checks(2, &[(2, 2)])?;
    desk.expect(3, Some(2), None)
}

/// Pings and checks in any order: every step is compared with the rules.
fn any_sequence<S: PrimaryBackup>(solution: &S, seed: u32) -> Result<(), String> {
    let mut number = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut draw = |below: u32| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 16) % below
    };
    let mut desk = Desk::new(solution);
    let (mut view, mut is_acknowledged) = (desk.get()?, false);
    // Who has pinged since the last check.
    let mut alive: BTreeSet<Address> = BTreeSet::new();
    for _ in 0..60 {
        if draw(4) == 0 {
            desk.check()?;
            alive.clear();
        } else {
            let server = draw(3) as usize + 1;
            let number = if draw(3) == 0 { view.number.saturating_sub(1) } else { view.number };
            alive.insert(named(server));
            is_acknowledged |= view.primary == Some(named(server)) && number == view.number;
            desk.ping(server, number)?;
        }
        let after = desk.get()?;
        if let Some(wrong) = broken_rule(view, after, is_acknowledged, &alive) {
            return Err(desk.told(&format!("{wrong}: from {} to {}", text(view), text(after))));
        }
        if after != view {
            (view, is_acknowledged) = (after, false);
        }
    }
    Ok(())
}

fn broken_rule(
    before: View,
    after: View,
    is_acknowledged: bool,
    alive: &BTreeSet<Address>,
) -> Option<&'static str> {
    let has_changed = (before.primary, before.backup) != (after.primary, after.backup);
    let is_alive = |server: Option<Address>| server.is_some_and(|it| alive.contains(&it));
    let was_member = [before.primary, before.backup].contains(&after.primary);
    let rules = [
        (after.primary.is_some() && after.primary == after.backup, "one server is both"),
        (
            has_changed != (after.number != before.number),
            "a view has a number of its own, and changes only with it",
        ),
        (after.number > before.number + 1, "a number was left out"),
        (
            has_changed && before.number > 0 && !is_acknowledged,
            "the primary had not acknowledged the view before",
        ),
        (before.number > 0 && !was_member, "the new primary was neither primary nor backup"),
        (
            has_changed && is_alive(before.primary) && after.primary != before.primary,
            "the primary was there",
        ),
        (
            has_changed
                && is_alive(before.backup)
                && after.primary == before.primary
                && after.backup != before.backup,
            "the backup was there",
        ),
    ];
    rules.into_iter().find(|(is_broken, _)| *is_broken).map(|(_, rule)| rule)
}
