//! What a verdict covers: what was looked for, and what was taken for granted.
//! Why: `holds` is worth what it covers. Whoever knows a part of that states it as data (a front end its network and its
//! timeouts, an engine its bounds and its store), the door joins the parts, and the edges print them.
//! Not here: what stopped a search (`StoppedBy`), advice about what to try next.

use serde::{Serialize, Serializer};
use std::fmt;

/// The scope of a verdict.
///
/// ```
/// use foresee_lts::{Assumption, Claim, Coverage, Whose};
/// let mut coverage = Coverage::default();
/// coverage.checked.push(Claim::NoDeadlock(Whose::Anybody));
/// coverage.assumed.push(Assumption::Bound { kind: "delays", max: 2 });
/// assert_eq!(coverage.checked[0].to_string(), "no deadlock");
/// assert_eq!(coverage.assumed[0].to_string(), "runs with at most 2 delays");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Coverage {
    /// What never happens, or always holds, if the verdict is `holds`.
    pub checked: Vec<Claim>,
    /// Under which assumptions.
    pub assumed: Vec<Assumption>,
}

impl Coverage {
    /// Adds what another part knows.
    pub fn join(&mut self, other: Coverage) {
        self.checked.extend(other.checked);
        self.assumed.extend(other.assumed);
    }
}

/// Whose errors count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Whose {
    Anybody,
    FirstProcess,
}

/// Something that was looked for.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Claim {
    NoPanic,
    NoAbnormalExit(Whose),
    NoFailedAssertion(Whose),
    NoAbnormalHalt,
    NoDeadlock(Whose),
    /// A property of every reachable state, by its name.
    Invariant(String),
    /// Something that can be reached, by its name.
    Reachable(String),
    /// A formula, by its name or text.
    Formula(String),
    /// Handlers do the same whenever they are given the same.
    DeterministicCode,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |whose: &Whose| match whose {
            Whose::Anybody => "",
            Whose::FirstProcess => " of the first process",
        };
        match self {
            Claim::NoPanic => f.write_str("no panic"),
            Claim::NoAbnormalExit(whose) => write!(f, "no abnormal exit{}", of(whose)),
            Claim::NoFailedAssertion(whose) => write!(f, "no failed assertion{}", of(whose)),
            Claim::NoAbnormalHalt => f.write_str("no abnormal halt"),
            Claim::NoDeadlock(whose) => write!(f, "no deadlock{}", of(whose)),
            Claim::Invariant(name) => write!(f, "invariant {name}"),
            Claim::Reachable(name) => write!(f, "reachable {name}"),
            Claim::Formula(name) => write!(f, "formula {name}"),
            Claim::DeterministicCode => f.write_str("deterministic handlers"),
        }
    }
}

/// How often one kind of fault may happen in one run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Budget {
    /// The word for one and for many.
    pub words: (&'static str, &'static str),
    pub max: u32,
}

/// Something that was taken for granted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Assumption {
    /// How messages travel between nodes, in the words of the network model.
    Network { model: &'static str, meaning: &'static str },
    /// How many faults of each kind there may be; kinds without any are listed as such.
    Faults { budgets: Vec<Budget>, only: Vec<String> },
    /// Timers of different nodes fire in any order, those of one node in one that their durations allow.
    TimersOfNodes,
    /// A message is in the mailbox as soon as it is sent, or its delivery is an event of its own.
    Delivery { is_instant: bool },
    /// Which finite timeouts and timers may fire: all, or those below so many milliseconds.
    Timeouts { below_ms: Option<u64> },
    /// Timers of so many milliseconds and more never fire.
    Timers { below_ms: u64 },
    /// Timers fire at most so often for one process.
    TimerFirings { max: u32 },
    /// What clocks do, where the program reads one.
    Clocks { meaning: &'static str },
    /// Random numbers come from this seed, where the program draws any.
    RandomNumbers { seed: u64 },
    /// The program sees an operating system without variables, arguments and files.
    NoSurroundings,
    /// Which processes may crash: patterns, how often, where.
    Crashes { of: Vec<String>, max: Option<u32>, at_calls_only: bool, is_told: bool },
    /// Exits with these reasons are no errors.
    NormalReasons(Vec<String>),
    /// Kinds of errors, or properties, that were not looked at.
    NotChecked(Vec<String>),
    /// Nothing was explored beyond states in which one of these holds.
    Pruned(Vec<String>),
    /// Runs that cost more were left out.
    Bound { kind: &'static str, max: u32 },
    /// Runs were cut after so many events, and what comes later was not looked at.
    CutAfter(u32),
    /// Of orders of events that make no difference one was explored; this says by which method.
    EqualOrders { method: &'static str, with_patterns: bool },
    /// Steps that nothing else can get in the way of were taken at once, and so often.
    AtOnce { steps: u64 },
    /// Of states that differ only in the names of these, group by group, one was explored; samples agree that they are alike.
    Interchangeable(Vec<Vec<String>>),
    /// The events of these do not race.
    NonRacing(Vec<String>),
    /// States are told apart by hashes; `None` while the number of states is not known.
    Hashes { probability: Option<f64> },
    /// Positions in equations that will do the same are one state.
    MergedPositions,
    /// Some transitions of the file are missing.
    MissingTransitions,
    /// Only these many runs of all, from this seed.
    SomeRuns { n: u64, seed: u64 },
    /// Only this run, stepped again.
    ThisRun,
    /// Only what the phases of a guide reach.
    Phases(Vec<String>),
    /// What stands in for something that has no counterpart in a translation.
    Translated(String),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Network { model, meaning } => write!(f, "network {model}: {meaning}"),
            Assumption::Faults { budgets, only } => write_faults(f, budgets, only),
            Assumption::TimersOfNodes => f.write_str("timers fire at any time their order allows"),
            Assumption::Delivery { is_instant: true } => f.write_str("messages arrive at once"),
            Assumption::Delivery { is_instant: false } => {
                f.write_str("messages take any time, and keep their order between two processes")
            }
            Assumption::Timeouts { below_ms: None } => {
                f.write_str("any finite timeout or timer may fire")
            }
            Assumption::Timeouts { below_ms: Some(ms) } => {
                write!(f, "timeouts of {ms} ms and more never fire")
            }
            Assumption::Timers { below_ms } => {
                write!(f, "timers of {below_ms} ms and more never fire")
            }
            Assumption::TimerFirings { max } => {
                write!(f, "timers fire at most {max} times for a process")
            }
            Assumption::Clocks { meaning } => write!(f, "clocks {meaning}"),
            Assumption::RandomNumbers { seed } => write!(f, "random numbers from seed {seed} only"),
            Assumption::NoSurroundings => {
                f.write_str("no environment variables, arguments or files")
            }
            Assumption::Crashes { of, max, at_calls_only, is_told } => {
                let how_often = match max {
                    Some(max) => format!("at most {max} in all"),
                    None => "each once".to_owned(),
                };
                let place = if *at_calls_only { " after its first call" } else { "" };
                let told = if *is_told { "" } else { ", supervisors are not told" };
                write!(f, "crashes of {}{place}, {how_often}{told}", of.join(", "))
            }
            Assumption::NormalReasons(reasons) => {
                write!(f, "exits with {} are normal", reasons.join(", "))
            }
            Assumption::NotChecked(what) => write!(f, "not looked for: {}", what.join(", ")),
            Assumption::Pruned(names) => write!(f, "not explored beyond {}", names.join(", ")),
            Assumption::Bound { kind, max } => write!(f, "runs with at most {max} {kind}"),
            Assumption::CutAfter(max) => write!(f, "nothing after {max} events of a run"),
            Assumption::EqualOrders { method, with_patterns } => {
                let patterns = if *with_patterns { ", receive patterns" } else { "" };
                write!(f, "equal orders once ({method}{patterns})")
            }
            Assumption::AtOnce { steps } => {
                write!(f, "equal orders once (por: {steps} steps taken at once)")
            }
            Assumption::Interchangeable(groups) => {
                let groups: Vec<String> = groups.iter().map(|group| group.join(", ")).collect();
                write!(f, "interchangeable: {} (looked at on samples)", groups.join("; "))
            }
            Assumption::NonRacing(names) => write!(f, "nothing races with {}", names.join(", ")),
            Assumption::Hashes { probability: None } => f.write_str("states told apart by hashes"),
            Assumption::Hashes { probability: Some(probability) } => {
                write!(f, "states told apart by hashes (one overlooked: {probability:.1e})")
            }
            Assumption::MergedPositions => f.write_str("positions that do the same merged"),
            Assumption::MissingTransitions => f.write_str("transitions are missing in the file"),
            Assumption::SomeRuns { n: 1, seed } => write!(f, "one run (seed {seed}), no proof"),
            Assumption::SomeRuns { n, seed } => {
                write!(f, "{n} runs (from seed {seed}), no proof")
            }
            Assumption::ThisRun => f.write_str("this run only"),
            Assumption::Phases(names) => {
                write!(f, "only what these phases reach: {}", names.join(", "))
            }
            Assumption::Translated(what) => f.write_str(what),
        }
    }
}

/// `at most 1 crash, 2 losses; no partitions`; names of nodes that may crash stand at the end.
fn write_faults(f: &mut fmt::Formatter<'_>, budgets: &[Budget], only: &[String]) -> fmt::Result {
    let some = budgets.iter().filter(|budget| budget.max > 0);
    let some: Vec<String> = some
        .map(|Budget { words, max }| match max {
            1 => format!("1 {}", words.0),
            max => format!("{max} {}", words.1),
        })
        .collect();
    let none = budgets.iter().filter(|budget| budget.max == 0);
    let none: Vec<&str> = none.map(|budget| budget.words.1).collect();
    if !some.is_empty() {
        write!(f, "at most {}", some.join(", "))?;
    }
    if !only.is_empty() {
        write!(f, " (only {})", only.join(", "))?;
    }
    match none.as_slice() {
        [] => return Ok(()),
        _ if !some.is_empty() => f.write_str(", no ")?,
        _ => f.write_str("no ")?,
    }
    match none.as_slice() {
        [others @ .., last] if !others.is_empty() => {
            write!(f, "{} or {last}", others.join(", "))
        }
        names => f.write_str(names[0]),
    }
}

/// As text: that is what scripts read.
impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Assumption {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_what_there_is_none_of() {
        let budget = |words, max| Budget { words, max };
        let faults = |crashes, drops| {
            let budgets = vec![
                budget(("crash", "crashes"), crashes),
                budget(("lost message", "lost messages"), drops),
                budget(("partition", "partitions"), 0),
            ];
            Assumption::Faults { budgets, only: Vec::new() }.to_string()
        };
        assert_eq!(faults(0, 0), "no crashes, lost messages or partitions");
        assert_eq!(faults(1, 0), "at most 1 crash, no lost messages or partitions");
        assert_eq!(faults(1, 2), "at most 1 crash, 2 lost messages, no partitions");
    }
}
