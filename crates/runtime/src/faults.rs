//! Scripts of faults: what goes wrong on the way, in the words of fault budgets and simulations.
//! ```text
//! delay 1ms..20ms                         # each message takes so long
//! loss 1%                                 # so many messages are lost
//! duplicate 1%                            # so many arrive twice
//! reorder 5%                              # so many do not wait for those before them
//! corrupt 0.1%                            # so many have one bit changed
//! at 2s partition server1 | server2 server3
//! at 4s heal
//! at 6s loss 20%
//! at 7s crash server1                     # kill -9
//! at 8s restart server1
//! every 5s crash one of server1 server2 server3 for 500ms..2s
//! ```
//! A line without `at` holds from the start. Nodes that a partition does not name can talk to everybody. Crashes and restarts are *deeds*: whoever runs the
//! processes carries them out (`cluster`); everything else is *weather*, for whoever stands between them (`proxy`).

use foresee_node::Address;
use foresee_stdx::{Random, mix};
use std::fmt;
use std::time::Duration;

/// What is done to messages at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weather {
    pub delay: (Duration, Duration),
    /// Probabilities, from 0 to 1.
    pub loss: f64,
    pub duplicate: f64,
    pub reorder: f64,
    pub corrupt: f64,
    /// Groups that cannot reach each other.
    pub partition: Vec<Vec<Address>>,
}

impl Weather {
    /// Whether a message can travel between two nodes.
    pub fn connects(&self, from: Address, to: Address) -> bool {
        let group = |node: Address| self.partition.iter().position(|group| group.contains(&node));
        match (group(from), group(to)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }
}

/// What becomes of a message that is not lost.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    pub(crate) is_corrupted: bool,
    /// How long each copy takes, and whether it waits for those before it.
    pub(crate) copies: Vec<(Duration, bool)>,
}

impl Weather {
    /// What becomes of a message; `None` if it is lost.
    pub(crate) fn pass(&self, random: &mut Random) -> Option<Passage> {
        if random.chance(self.loss) {
            return None;
        }
        let is_corrupted = random.chance(self.corrupt);
        let n_copies = 1 + usize::from(random.chance(self.duplicate));
        let (min, max) = self.delay;
        let width = u64::try_from((max - min).as_nanos()).unwrap_or(u64::MAX);
        let mut copy = || {
            let delay = min + Duration::from_nanos(random.between(0, width));
            (delay, !random.chance(self.reorder))
        };
        let copies = (0..n_copies).map(|_| copy()).collect();
        Some(Passage { is_corrupted, copies })
    }
}

/// A script: changes of the weather and when they come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultScript {
    /// In the order of time.
    changes: Vec<(Duration, Change)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Change {
    Delay(Duration, Duration),
    Loss(f64),
    Duplicate(f64),
    Reorder(f64),
    Corrupt(f64),
    Partition(Vec<Vec<Address>>),
    Heal,
    Crash(Address),
    Restart(Address),
    /// From time to time one of these crashes and is back after a while.
    CrashEvery {
        every: Duration,
        of: Vec<Address>,
        down: (Duration, Duration),
    },
}

/// Something that is done to a process.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Deed {
    Crash(Address),
    Restart(Address),
}

/// A line that means nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ScriptError {
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ScriptError {}

impl FaultScript {
    /// Reads a script.
    ///
    /// ```
    /// use foresee_runtime::FaultScript;
    /// use std::time::Duration;
    /// let script = FaultScript::parse("loss 1%\nat 2s partition a | b c\nat 3s heal\n").unwrap();
    /// let at = |seconds| script.at(Duration::from_secs(seconds));
    /// assert_eq!(at(0).loss, 0.01);
    /// assert!(at(1).connects("a".into(), "b".into()) && !at(2).connects("a".into(), "b".into()));
    /// assert!(at(2).connects("b".into(), "c".into()) && at(3).connects("a".into(), "b".into()));
    /// assert!(FaultScript::parse("rain 5%").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut changes = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split_once('#').map_or(content, |(before, _)| before);
            let words: Vec<&str> = content.split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let change = match words[..] {
                ["at", time, ref rest @ ..] => {
                    time_of(time).and_then(|at| Ok((at, change_of(rest)?)))
                }
                ["every", time, "crash", "one", "of", ref rest @ ..] => {
                    crash_every(time, rest).map(|change| (Duration::ZERO, change))
                }
                ref rest => change_of(rest).map(|change| (Duration::ZERO, change)),
            };
            changes.push(change.map_err(|reason| ScriptError { line, reason })?);
        }
        changes.sort_by_key(|(at, _)| *at);
        Ok(FaultScript { changes })
    }

    /// The weather at a time since the start.
    pub fn at(&self, time: Duration) -> Weather {
        let mut weather = Weather::default();
        for (_, change) in self.changes.iter().take_while(|(at, _)| *at <= time) {
            match change.clone() {
                Change::Delay(min, max) => weather.delay = (min, max),
                Change::Loss(chance) => weather.loss = chance,
                Change::Duplicate(chance) => weather.duplicate = chance,
                Change::Reorder(chance) => weather.reorder = chance,
                Change::Corrupt(chance) => weather.corrupt = chance,
                Change::Partition(groups) => weather.partition = groups,
                Change::Heal => weather.partition.clear(),
                Change::Crash(_) | Change::Restart(_) | Change::CrashEvery { .. } => {}
            }
        }
        weather
    }

    /// What is done to processes within a time, in order; which of several nodes crashes, and for how long, comes from the seed.
    ///
    /// ```
    /// use foresee_runtime::{Deed, FaultScript};
    /// use std::time::Duration;
    /// let script = FaultScript::parse("every 5s crash one of a b for 1s\nat 2s crash c\nat 3s restart c").unwrap();
    /// let deeds = script.deeds(7, Duration::from_secs(12));
    /// assert_eq!(deeds.len(), 6);
    /// assert_eq!(deeds[0], (Duration::from_secs(2), Deed::Crash("c".into())));
    /// assert_eq!((deeds[2].0, deeds[3].0), (Duration::from_secs(5), Duration::from_secs(6)));
    /// ```
    pub fn deeds(&self, seed: u64, until: Duration) -> Vec<(Duration, Deed)> {
        let mut deeds = Vec::new();
        for (number, (at, change)) in (0..).zip(&self.changes) {
            match change {
                Change::Crash(node) => deeds.push((*at, Deed::Crash(*node))),
                Change::Restart(node) => deeds.push((*at, Deed::Restart(*node))),
                Change::CrashEvery { every, of, down } => {
                    let mut random = Random::new(mix(seed ^ mix(number)));
                    let mut time = *at + *every;
                    while time <= until {
                        let node = of[random.below(of.len() as u64) as usize];
                        let width = u64::try_from((down.1 - down.0).as_nanos()).unwrap_or(u64::MAX);
                        let back = down.0 + Duration::from_nanos(random.between(0, width));
                        deeds.push((time, Deed::Crash(node)));
                        deeds.push((time + back, Deed::Restart(node)));
                        time += *every;
                    }
                }
                _ => {}
            }
        }
        deeds.retain(|(at, _)| *at <= until);
        deeds.sort_by_key(|(at, _)| *at);
        deeds
    }

    /// Whether messages are ever held back, doubled or changed, so that they cannot be handed over at once.
    pub(crate) fn holds_messages(&self) -> bool {
        let needs = |change: &Change| {
            matches!(
                change,
                Change::Delay(..) | Change::Duplicate(_) | Change::Reorder(_) | Change::Corrupt(_)
            )
        };
        self.changes.iter().any(|(_, change)| needs(change))
    }

    /// The nodes that it names.
    pub fn nodes(&self) -> impl Iterator<Item = Address> {
        self.changes.iter().flat_map(|(_, change)| match change {
            Change::Partition(groups) => groups.concat(),
            Change::Crash(node) | Change::Restart(node) => vec![*node],
            Change::CrashEvery { of, .. } => of.clone(),
            _ => Vec::new(),
        })
    }
}

fn change_of(words: &[&str]) -> Result<Change, String> {
    match words {
        ["delay", range] => range_of(range).map(|(min, max)| Change::Delay(min, max)),
        ["crash", node] => Ok(Change::Crash(Address::new(node))),
        ["restart", node] => Ok(Change::Restart(Address::new(node))),
        ["loss", chance] => Ok(Change::Loss(chance_of(chance)?)),
        ["duplicate", chance] => Ok(Change::Duplicate(chance_of(chance)?)),
        ["reorder", chance] => Ok(Change::Reorder(chance_of(chance)?)),
        ["corrupt", chance] => Ok(Change::Corrupt(chance_of(chance)?)),
        ["heal"] => Ok(Change::Heal),
        ["partition", groups @ ..] => {
            let groups = groups.split(|word| *word == "|");
            let groups: Vec<Vec<Address>> =
                groups.map(|group| group.iter().map(|name| Address::new(name)).collect()).collect();
            if groups.len() < 2 || groups.iter().any(Vec::is_empty) {
                return Err("a partition has two or more groups: `partition a | b c`".to_owned());
            }
            let mut all = groups.concat();
            all.sort_unstable();
            match all.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(pair) => Err(format!("`{}` stands on two sides of the partition", pair[0])),
                None => Ok(Change::Partition(groups)),
            }
        }
        _ => Err(format!(
            "`{}` means nothing: there are delay, loss, duplicate, reorder, corrupt, partition, heal, crash and restart, each after `at TIME` if it comes later, and \
             `every TIME crash one of NODES for TIME`",
            words.join(" ")
        )),
    }
}

/// `server1 server2 for 1s..2s`, of a line that begins with `every TIME crash one of`.
fn crash_every(time: &str, words: &[&str]) -> Result<Change, String> {
    let every = time_of(time)?;
    let (of, down) = match words {
        [of @ .., "for", down] if !of.is_empty() => (of, range_of(down)?),
        _ => return Err("write `every 5s crash one of a b for 1s..2s`".to_owned()),
    };
    if down.1 >= every {
        return Err(format!("`{time}`: the next node would crash before this one is back"));
    }
    let of = of.iter().map(|name| Address::new(name)).collect();
    Ok(Change::CrashEvery { every, of, down })
}

/// A time, or the least and the most.
fn range_of(text: &str) -> Result<(Duration, Duration), String> {
    let (min, max) = text.split_once("..").unwrap_or((text, text));
    let (min, max) = (time_of(min)?, time_of(max)?);
    match min <= max {
        true => Ok((min, max)),
        false => Err(format!("`{text}`: the shortest time is longer than the longest")),
    }
}

fn time_of(text: &str) -> Result<Duration, String> {
    let units = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0)];
    let found = units.iter().find_map(|(unit, seconds)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        (0.0..=1e6).contains(&number).then(|| Duration::from_secs_f64(number * seconds))
    });
    found.ok_or_else(|| format!("`{text}` is no time: write 20ms, 1.5s or 2m"))
}

fn chance_of(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .map(|number| number / 100.0)
        .ok_or_else(|| format!("`{text}` is no share of messages: write 5%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_with_their_line() {
        let error = |text: &str| {
            let error = FaultScript::parse(text).unwrap_err();
            format!("{}: {error}", error.line)
        };
        assert!(error("loss 1%\nrain\n").starts_with("2: `rain` means nothing"));
        assert!(error("loss 1").contains("write 5%"));
        assert!(error("loss 101%").contains("write 5%"));
        assert!(error("delay 5ms..1ms").contains("longer than the longest"));
        assert!(error("delay 5").contains("no time"));
        assert!(error("at soon heal").contains("no time"));
        assert!(error("every 5s crash one of a b").contains("write `every"));
        assert!(error("every 5s crash one of a for 5s").contains("before this one is back"));
        assert!(error("every 5s crash one of for 1s").contains("write `every"));
        assert!(error("partition a b").contains("two or more groups"));
        assert!(error("partition a | b a").contains("two sides"));
    }
}
