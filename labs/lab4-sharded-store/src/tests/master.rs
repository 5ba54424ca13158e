//! Part 1: the master alone. It is given commands by hand, and each answer and each configuration is compared with the rules.

use crate::{Configuration, MasterCommand, MasterResult, ShardedStore};
use foresee::{Address, Application};
use foresee_labs::{Lab, Plan};
use std::collections::BTreeMap;

type ByHand<S> = fn(&S) -> Result<(), String>;

pub(super) fn all<S: ShardedStore>(lab: Lab, solution: &S) -> Lab {
    let tests: [(&'static str, u32, ByHand<S>); 12] = [
        ("before the first group there is configuration 0", 2, empty),
        ("the first group gets every shard", 2, first_group),
        ("what makes no sense is refused and changes nothing", 3, refused),
        ("groups that join get their share, and little moves", 4, joins),
        ("what a group leaves behind is shared, and nothing else moves", 4, leaves),
        ("a shard that is moved stays there until somebody joins or leaves", 3, moved),
        ("after moves, a group that joins or leaves restores the balance", 4, moved_and_balanced),
        ("more groups than shards", 3, many_groups),
        ("old configurations stay as they were", 3, old_stay),
        ("a group comes back with other servers", 2, comes_back),
        ("ten masters agree about a hundred shards", 5, determined),
        ("500 sequences of commands keep the rules", 10, any_sequence),
    ];
    tests.into_iter().fold(lab, |lab, (name, points, test)| {
        let solution = solution.clone();
        lab.with(1, name, points, Plan::unit(move || test(&solution)))
    })
}

/// A master, the configurations that it should have, and what was done so far.
struct Desk<S: ShardedStore> {
    master: S::Master,
    known: Vec<Configuration>,
    story: Vec<String>,
}

fn servers(group: u32, n: usize) -> Vec<Address> {
    Address::numbered(&format!("server{group}-"), n)
}

impl<S: ShardedStore> Desk<S> {
    fn new(solution: &S, n_shards: usize) -> Self {
        let known = vec![Configuration::first(n_shards)];
        Desk { master: solution.master(n_shards), known, story: Vec::new() }
    }

    fn latest(&self) -> &Configuration {
        self.known.last().expect("number 0 at least")
    }

    fn give(&mut self, command: MasterCommand) -> MasterResult {
        self.story.push(command.to_string());
        self.master.execute(&command)
    }

    fn query(&mut self, number: Option<u64>) -> Result<Configuration, String> {
        match self.master.execute(&MasterCommand::Query { number }) {
            MasterResult::Configuration(configuration) => Ok(configuration),
            other => Err(self.told(&format!("a query is answered by {other:?}"))),
        }
    }

    /// Does it, and compares the next configuration with the rules.
    fn change(&mut self, command: MasterCommand) -> Result<(), String> {
        let result = self.give(command.clone());
        if result != MasterResult::Done {
            return Err(self.told(&format!("the last command is answered by {result:?}")));
        }
        let after = self.query(None)?;
        match broken_rule(self.latest(), &command, &after) {
            Some(wrong) => Err(self.told(&format!(
                "{wrong}: the owners were {:?}, now they are {:?}",
                self.latest().owners,
                after.owners
            ))),
            None => {
                self.known.push(after);
                Ok(())
            }
        }
    }

    fn join(&mut self, group: u32) -> Result<(), String> {
        self.change(MasterCommand::Join { group, servers: servers(group, 3) })
    }

    fn leave(&mut self, group: u32) -> Result<(), String> {
        self.change(MasterCommand::Leave { group })
    }

    fn refuses(&mut self, command: MasterCommand) -> Result<(), String> {
        let result = self.give(command);
        if result != MasterResult::Refused {
            return Err(self.told(&format!(
                "the last command is answered by {result:?}, and should be refused"
            )));
        }
        let latest = self.query(None)?;
        self.same(&latest, self.known.len() - 1)
    }

    fn same(&self, found: &Configuration, number: usize) -> Result<(), String> {
        match &self.known[number] {
            known if known == found => Ok(()),
            known => {
                Err(self
                    .told(&format!("configuration {number} was {known:?}, now it is {found:?}")))
            }
        }
    }

    /// Every configuration is as it was.
    fn all_stay(&mut self) -> Result<(), String> {
        for number in 0..self.known.len() {
            let found = self.query(Some(number as u64))?;
            self.same(&found, number)?;
        }
        let latest = self.query(Some(self.known.len() as u64 + 7))?;
        self.same(&latest, self.known.len() - 1)
    }

    /// What is wrong, and what was done before.
    fn told(&self, what: &str) -> String {
        let first = self.story.len().saturating_sub(15);
        let dots = if first > 0 { "…, " } else { "" };
        format!("{what} (after: {dots}{})", self.story[first..].join(", "))
    }
}

/// The rule that the step to the next configuration breaks.
fn broken_rule(
    before: &Configuration,
    command: &MasterCommand,
    after: &Configuration,
) -> Option<String> {
    let mut groups = before.groups.clone();
    match command {
        MasterCommand::Join { group, servers } => drop(groups.insert(*group, servers.clone())),
        MasterCommand::Leave { group } => drop(groups.remove(group)),
        MasterCommand::Move { shard, group } => {
            let mut owners = before.owners.clone();
            owners[*shard] = Some(*group);
            if owners != after.owners {
                return Some("a move changes the owner of that shard and of no other".into());
            }
        }
        MasterCommand::Query { .. } => {}
    }
    if after.number != before.number + 1 {
        return Some(format!("after number {} comes {}", before.number, after.number));
    }
    if after.groups != groups {
        return Some(format!("the groups should be {groups:?}, and are {:?}", after.groups));
    }
    if matches!(command, MasterCommand::Move { .. }) {
        return None;
    }
    let n_groups = groups.len();
    let counts = counts(after);
    let (least, most) = (counts.values().min()?, counts.values().max()?);
    if counts.len() != n_groups || counts.values().sum::<usize>() != after.owners.len() {
        return Some("every shard belongs to a group that is there".into());
    }
    if most - least > 1 {
        return Some(format!("a group has {most} shards and another {least}"));
    }
    let (n_moved, n_needed) = (n_moved(before, after), n_needed(before, after));
    (n_moved > n_needed)
        .then(|| format!("{n_moved} shards have moved, where {n_needed} are enough"))
}

/// How many shards each group has that is there.
fn counts(configuration: &Configuration) -> BTreeMap<u32, usize> {
    let of = |group: &u32| configuration.owners.iter().filter(|it| **it == Some(*group)).count();
    configuration.groups.keys().map(|group| (*group, of(group))).collect()
}

fn n_moved(before: &Configuration, after: &Configuration) -> usize {
    before.owners.iter().zip(&after.owners).filter(|(before, after)| before != after).count()
}

/// As many shards as possible stay where they are: the groups that have most are the ones that may have one more.
fn n_needed(before: &Configuration, after: &Configuration) -> usize {
    let (n_shards, n_groups) = (after.owners.len(), after.groups.len());
    let of = |group: &u32| before.owners.iter().filter(|it| **it == Some(*group)).count();
    let mut held: Vec<usize> = after.groups.keys().map(of).collect();
    held.sort_unstable_by(|a, b| b.cmp(a));
    let share = |place: usize| n_shards / n_groups + usize::from(place < n_shards % n_groups);
    let stays: usize = held.iter().enumerate().map(|(place, n)| (*n).min(share(place))).sum();
    n_shards - stays
}

fn empty<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    let latest = desk.query(None)?;
    desk.same(&latest, 0)?;
    desk.all_stay()
}

fn first_group<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    desk.join(1)?;
    match desk.latest().owners.iter().all(|owner| *owner == Some(1)) {
        true => desk.all_stay(),
        false => Err(desk.told("group 1 does not have every shard")),
    }
}

fn refused<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    desk.refuses(MasterCommand::Leave { group: 1 })?;
    desk.refuses(MasterCommand::Move { shard: 0, group: 1 })?;
    desk.refuses(MasterCommand::Join { group: 1, servers: Vec::new() })?;
    desk.join(1)?;
    desk.refuses(MasterCommand::Leave { group: 1 })?;
    desk.join(2)?;
    desk.refuses(MasterCommand::Join { group: 1, servers: servers(1, 3) })?;
    desk.refuses(MasterCommand::Leave { group: 3 })?;
    desk.refuses(MasterCommand::Move { shard: 0, group: 3 })?;
    desk.refuses(MasterCommand::Move { shard: 10, group: 1 })?;
    for group in [1, 2] {
        let own = desk.latest().owners.iter().position(|owner| *owner == Some(group));
        let own = own.ok_or_else(|| desk.told("a group has nothing"))?;
        desk.refuses(MasterCommand::Move { shard: own, group })?;
    }
    desk.leave(1)?;
    desk.refuses(MasterCommand::Leave { group: 2 })?;
    desk.all_stay()
}

fn joins<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    (1..=7).try_for_each(|group| desk.join(group))
}

fn leaves<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    (1..=5).try_for_each(|group| desk.join(group))?;
    [3, 1, 5, 2].into_iter().try_for_each(|group| desk.leave(group))
}

fn moved<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    (1..=3).try_for_each(|group| desk.join(group))?;
    for (shard, group) in [(0, 1), (1, 1), (2, 2), (3, 1), (9, 3)] {
        if desk.latest().owners[shard] != Some(group) {
            desk.change(MasterCommand::Move { shard, group })?;
        }
    }
    desk.all_stay()
}

/// All shards at one group, then somebody joins; the same, then somebody leaves.
fn moved_and_balanced<S: ShardedStore>(solution: &S) -> Result<(), String> {
    for is_join in [true, false] {
        let mut desk = Desk::new(solution, 10);
        (1..=3).try_for_each(|group| desk.join(group))?;
        for shard in 0..10 {
            if desk.latest().owners[shard] != Some(2) {
                desk.change(MasterCommand::Move { shard, group: 2 })?;
            }
        }
        match is_join {
            true => desk.join(4)?,
            false => desk.leave(1)?,
        }
    }
    Ok(())
}

fn many_groups<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 3);
    (1..=6).try_for_each(|group| desk.join(group))?;
    (1..=5).try_for_each(|group| desk.leave(group))
}

fn old_stay<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    (1..=3).try_for_each(|group| desk.join(group))?;
    let other = if desk.latest().owners[4] == Some(1) { 2 } else { 1 };
    desk.change(MasterCommand::Move { shard: 4, group: other })?;
    desk.leave(2)?;
    desk.all_stay()
}

fn comes_back<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut desk = Desk::new(solution, 10);
    desk.join(1)?;
    desk.join(2)?;
    desk.leave(1)?;
    desk.change(MasterCommand::Join { group: 1, servers: servers(9, 1) })?;
    desk.all_stay()
}

fn determined<S: ShardedStore>(solution: &S) -> Result<(), String> {
    let mut masters: Vec<S::Master> = (0..10).map(|_| solution.master(100)).collect();
    let joins = (1..=9).map(|group| MasterCommand::Join { group, servers: servers(group, 3) });
    let leaves = [2, 7, 4].map(|group| MasterCommand::Leave { group });
    for command in joins.chain(leaves) {
        for master in &mut masters {
            master.execute(&command);
        }
        let latest = MasterCommand::Query { number: None };
        let mut all = masters.iter_mut().map(|master| master.execute(&latest));
        let first = all.next().expect("there are ten");
        if let Some(other) = all.find(|other| *other != first) {
            return Err(format!(
                "after {command} one master answers {first:?}, and another, which was given the same commands, {other:?}"
            ));
        }
    }
    Ok(())
}

/// Commands in any order: every step is compared with the rules, and in the end all configurations.
fn any_sequence<S: ShardedStore>(solution: &S) -> Result<(), String> {
    for seed in 0..500_u32 {
        let mut number = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        let mut draw = |below: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) % below
        };
        let mut desk = Desk::new(solution, 1 + draw(12) as usize);
        for _ in 0..20 {
            let (kind, group) = (draw(4), 1 + draw(6));
            let latest = desk.latest();
            let (is_there, n_shards) = (latest.groups.contains_key(&group), latest.owners.len());
            let shard = draw(n_shards as u32) as usize;
            let (command, makes_sense) = match kind {
                0 | 1 => (MasterCommand::Join { group, servers: servers(group, 1) }, !is_there),
                2 => (MasterCommand::Leave { group }, is_there && latest.groups.len() > 1),
                _ => {
                    let is_new = latest.owners[shard] != Some(group);
                    (MasterCommand::Move { shard, group }, is_there && is_new)
                }
            };
            match makes_sense {
                true => desk.change(command)?,
                false => desk.refuses(command)?,
            }
        }
        desk.all_stay()?;
    }
    Ok(())
}
