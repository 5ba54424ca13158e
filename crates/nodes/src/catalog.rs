//! The catalogue: systems by name, with parameters that a person types as `key=value`.
//! Why: the command line, the tests and the debugger name systems by text, and each system has a message type of its own.
//! An [`Entry`] is the place where text becomes a typed system and the type is forgotten again ([`Runnable`]).
//! Invariant: every parameter has a default, so a name alone is a system; a value outside its range never reaches `build`.
//! Not here: the systems built into the stock binary (`foresee-systems`).

use crate::{Data, Simulation, SimulationConfig, SimulationEvent, World};
use foresee_lts::{Assumption, System};
use foresee_stdx::nearest_name;
use std::fmt;
use std::sync::Arc;

/// A system that can be built by name.
///
/// ```
/// use foresee_nodes::{BuildOptions, Entry, Parameter, Runnable};
/// use foresee_lts::{System, toy::Counters};
/// struct Toy(Counters);
/// impl Runnable for Toy {
///     fn system(&self) -> &dyn System { &self.0 }
/// }
/// let entry = Entry::new("counters", "Counters that step in any order")
///     .parameter(Parameter::number("n", 2, 1..=8, "how many counters"))
///     .build_with(|arguments, _options| {
///         let n = arguments.number("n") as usize;
///         Ok(Box::new(Toy(Counters::new(n, 3))))
///     });
/// let toy = entry.build(&["n=5"], &BuildOptions::default()).unwrap();
/// assert_eq!(toy.system().initial(), [vec![0; 5]]);
/// let error = entry.build(&["m=5"], &BuildOptions::default()).err().unwrap();
/// assert!(error.to_string().contains("did you mean `n`"));
/// ```
#[derive(Clone)]
pub struct Entry {
    pub name: &'static str,
    /// One line, for the list of systems.
    pub summary: &'static str,
    pub parameters: Vec<Parameter>,
    build: Arc<Build>,
}

type Build =
    dyn Fn(&Arguments, &BuildOptions) -> Result<Box<dyn Runnable>, ArgumentError> + Send + Sync;

impl Entry {
    /// An entry that cannot be built until [`Entry::build_with`] says how.
    pub fn new(name: &'static str, summary: &'static str) -> Self {
        let build = move |_: &Arguments,
                          _: &BuildOptions|
              -> Result<Box<dyn Runnable>, ArgumentError> {
            Err(ArgumentError::Refused { reason: format!("the system `{name}` has no builder") })
        };
        Entry { name, summary, parameters: Vec::new(), build: Arc::new(build) }
    }

    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// Says how to make the system from arguments that have passed [`Arguments::parse`].
    #[must_use]
    pub fn build_with(
        mut self,
        build: impl Fn(&Arguments, &BuildOptions) -> Result<Box<dyn Runnable>, ArgumentError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.build = Arc::new(build);
        self
    }

    /// Parses `words` and builds the system.
    pub fn build<W: AsRef<str>>(
        &self,
        words: &[W],
        options: &BuildOptions,
    ) -> Result<Box<dyn Runnable>, ArgumentError> {
        let arguments = Arguments::parse(self.name, &self.parameters, words)?;
        (self.build)(&arguments, options)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("parameters", &self.parameters)
            .finish_non_exhaustive()
    }
}

/// One thing about a system that the user may choose.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    pub help: &'static str,
}

/// What values a parameter takes.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ParameterKind {
    Number {
        default: u64,
        min: u64,
        max: u64,
    },
    /// One of a few words; the first is the default.
    Word {
        words: &'static [&'static str],
    },
}

impl Parameter {
    /// A whole number within a range.
    ///
    /// # Panics
    /// If the default is not within the range.
    pub fn number(
        name: &'static str,
        default: u64,
        range: std::ops::RangeInclusive<u64>,
        help: &'static str,
    ) -> Self {
        assert!(range.contains(&default), "the default of `{name}` is out of its range");
        let (min, max) = range.into_inner();
        Parameter { name, kind: ParameterKind::Number { default, min, max }, help }
    }

    /// One of `words`, the first by default.
    ///
    /// # Panics
    /// If there is no word.
    pub fn word(name: &'static str, words: &'static [&'static str], help: &'static str) -> Self {
        assert!(!words.is_empty(), "`{name}` has no word to choose");
        Parameter { name, kind: ParameterKind::Word { words }, help }
    }

    /// The default as the user would type it.
    pub fn default_text(&self) -> String {
        match &self.kind {
            ParameterKind::Number { default, .. } => default.to_string(),
            ParameterKind::Word { words } => words[0].to_owned(),
        }
    }

    /// The values allowed: `1..8` or `none|eager`.
    pub fn values_text(&self) -> String {
        match &self.kind {
            ParameterKind::Number { min, max, .. } => format!("{min}..{max}"),
            ParameterKind::Word { words } => words.join("|"),
        }
    }

    fn parse(&self, text: &str) -> Result<Argument, ArgumentError> {
        let parameter = self.name.to_owned();
        match &self.kind {
            ParameterKind::Number { min, max, .. } => {
                let Ok(value) = text.parse::<u64>() else {
                    return Err(ArgumentError::NotANumber {
                        parameter,
                        text: text.to_owned(),
                        min: *min,
                        max: *max,
                    });
                };
                if !(*min..=*max).contains(&value) {
                    return Err(ArgumentError::OutOfRange {
                        parameter,
                        value,
                        min: *min,
                        max: *max,
                    });
                }
                Ok(Argument::Number(value))
            }
            ParameterKind::Word { words } => match words.iter().find(|word| **word == text) {
                Some(word) => Ok(Argument::Word(word)),
                None => Err(ArgumentError::UnknownWord {
                    parameter,
                    text: text.to_owned(),
                    known: words.iter().map(|word| (*word).to_owned()).collect(),
                }),
            },
        }
    }
}

/// A value for every parameter of one entry.
///
/// ```
/// use foresee_nodes::{Arguments, Parameter};
/// let parameters = [
///     Parameter::number("clients", 1, 1..=4, "how many clients"),
///     Parameter::word("bug", &["none", "eager"], "a mistake to make"),
/// ];
/// let arguments = Arguments::parse("ping", &parameters, &["clients=2"]).unwrap();
/// assert_eq!((arguments.number("clients"), arguments.word("bug")), (2, "none"));
/// assert_eq!(arguments.to_string(), "ping clients=2 bug=none");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Arguments {
    system: String,
    values: Vec<(&'static str, Argument)>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Argument {
    Number(u64),
    Word(&'static str),
}

impl Arguments {
    /// Reads `key=value` words; what is not given takes its default.
    pub fn parse<W: AsRef<str>>(
        system: &str,
        parameters: &[Parameter],
        words: &[W],
    ) -> Result<Self, ArgumentError> {
        let mut given: Vec<Option<Argument>> = vec![None; parameters.len()];
        for word in words {
            let word = word.as_ref();
            let Some((name, text)) = word.split_once('=') else {
                return Err(ArgumentError::NotKeyValue { word: word.to_owned() });
            };
            let Some(index) = parameters.iter().position(|parameter| parameter.name == name) else {
                return Err(unknown_parameter(system, name, parameters));
            };
            let value = parameters[index].parse(text)?;
            if given[index].replace(value).is_some() {
                return Err(ArgumentError::GivenTwice { parameter: name.to_owned() });
            }
        }
        let values = parameters.iter().zip(given).map(|(parameter, given)| {
            let value = given.unwrap_or(match parameter.kind {
                ParameterKind::Number { default, .. } => Argument::Number(default),
                ParameterKind::Word { words } => Argument::Word(words[0]),
            });
            (parameter.name, value)
        });
        Ok(Arguments { system: system.to_owned(), values: values.collect() })
    }

    /// The value of a number parameter.
    ///
    /// # Panics
    /// If the entry has no such number parameter: a mistake of the entry's author, not of its user.
    pub fn number(&self, name: &str) -> u64 {
        match self.get(name) {
            Some(Argument::Number(value)) => value,
            _ => panic!("the system `{}` has no number parameter `{name}`", self.system),
        }
    }

    /// The value of a word parameter.
    ///
    /// # Panics
    /// If the entry has no such word parameter.
    pub fn word(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(Argument::Word(word)) => word,
            _ => panic!("the system `{}` has no word parameter `{name}`", self.system),
        }
    }

    fn get(&self, name: &str) -> Option<Argument> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// The system's name as the user would type it, every parameter included.
impl fmt::Display for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.system)?;
        for (name, value) in &self.values {
            match value {
                Argument::Number(value) => write!(f, " {name}={value}")?,
                Argument::Word(word) => write!(f, " {name}={word}")?,
            }
        }
        Ok(())
    }
}

/// What can be asked of every system built by name, whatever its parameters.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct BuildOptions {
    /// How many messages the network may lose.
    pub drops: u32,
    /// How many messages the network may double.
    pub duplicates: u32,
    /// How many times a node may crash.
    pub crashes: u32,
    /// How many times a crashed node may come back.
    pub restarts: u32,
    /// How many times the network may split.
    pub partitions: u32,
    /// Whether to check that handlers are deterministic and that equality, hash and clone agree.
    pub check_code: bool,
    /// Whether the system is for an engine that reorders events (see [`crate::WorldBuilder::for_races`]).
    pub for_races: bool,
}

/// A system whose message type has been forgotten.
pub trait Runnable: Send + Sync {
    fn system(&self) -> &dyn System;

    /// One run in virtual time; `None` if the system has no notion of time (see [`simulate`](crate::simulate())).
    fn simulate(
        &self,
        config: &SimulationConfig,
        observer: &mut dyn FnMut(&SimulationEvent),
    ) -> Option<Simulation> {
        let _ = (config, observer);
        None
    }

    /// Handlers found not to be idempotent, each with an example (see [`World::not_idempotent`]).
    fn not_idempotent(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What its network, its faults and its timers do and do not do.
    fn assumptions(&self) -> Vec<Assumption> {
        Vec::new()
    }

    /// Whether it was built for engines that reorder events.
    fn is_for_races(&self) -> bool {
        false
    }

    /// What was asked for and means nothing for this system.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<M: Data> Runnable for World<M> {
    fn system(&self) -> &dyn System {
        self
    }

    fn simulate(
        &self,
        config: &SimulationConfig,
        observer: &mut dyn FnMut(&SimulationEvent),
    ) -> Option<Simulation> {
        Some(crate::simulate(self, config, observer))
    }

    fn assumptions(&self) -> Vec<Assumption> {
        vec![
            self.core.network.assumption(),
            self.core.faults.assumption(self.core.network),
            Assumption::TimersOfNodes,
        ]
    }

    fn is_for_races(&self) -> bool {
        self.core.is_for_races
    }

    fn not_idempotent(&self) -> Vec<(String, String)> {
        World::not_idempotent(self)
    }

    fn warnings(&self) -> Vec<String> {
        World::warnings(self).to_vec()
    }
}

/// Why a system could not be built from what the user typed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ArgumentError {
    NotKeyValue {
        word: String,
    },
    UnknownParameter {
        system: String,
        parameter: String,
        nearest: Option<String>,
        known: Vec<String>,
    },
    NotANumber {
        parameter: String,
        text: String,
        min: u64,
        max: u64,
    },
    OutOfRange {
        parameter: String,
        value: u64,
        min: u64,
        max: u64,
    },
    UnknownWord {
        parameter: String,
        text: String,
        known: Vec<String>,
    },
    GivenTwice {
        parameter: String,
    },
    /// The system's own reason: parameters that do not go together, a fault its network does not have.
    Refused {
        reason: String,
    },
}

fn unknown_parameter(system: &str, name: &str, parameters: &[Parameter]) -> ArgumentError {
    let known = || parameters.iter().map(|parameter| parameter.name);
    ArgumentError::UnknownParameter {
        system: system.to_owned(),
        parameter: name.to_owned(),
        nearest: nearest_name(name, known()).map(str::to_owned),
        known: known().map(str::to_owned).collect(),
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::NotKeyValue { word } => {
                write!(f, "`{word}` is no parameter: parameters are written `key=value`")
            }
            ArgumentError::UnknownParameter { system, parameter, nearest, known } => {
                write!(f, "`{system}` has no parameter `{parameter}`")?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
                    None if known.is_empty() => write!(f, "; it has none at all"),
                    None => write!(f, "; it has `{}`", known.join("`, `")),
                }
            }
            ArgumentError::NotANumber { parameter, text, min, max } => {
                write!(
                    f,
                    "`{parameter}={text}`: `{text}` is not a whole number; give one from {min} to {max}"
                )
            }
            ArgumentError::OutOfRange { parameter, value, min, max } => {
                write!(
                    f,
                    "`{parameter}={value}` is out of range; give a number from {min} to {max}"
                )
            }
            ArgumentError::UnknownWord { parameter, text, known } => {
                write!(f, "`{parameter}={text}`: give one of `{}`", known.join("`, `"))
            }
            ArgumentError::GivenTwice { parameter } => {
                write!(f, "`{parameter}` is given twice; keep one of them")
            }
            ArgumentError::Refused { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for ArgumentError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Arguments, ArgumentError> {
        let parameters = [
            Parameter::number("clients", 1, 1..=4, "how many"),
            Parameter::word("bug", &["none", "eager"], "a mistake"),
        ];
        Arguments::parse("ping", &parameters, words)
    }

    #[test]
    fn each_kind_of_bad_word_has_its_own_message() {
        for (words, message) in [
            (&["fast"][..], "`fast` is no parameter: parameters are written `key=value`"),
            (&["client=2"], "`ping` has no parameter `client`; did you mean `clients`?"),
            (&["x=2"], "`ping` has no parameter `x`; it has `clients`, `bug`"),
            (&["clients=two"], "`clients=two`: `two` is not a whole number; give one from 1 to 4"),
            (&["clients=-1"], "`clients=-1`: `-1` is not a whole number; give one from 1 to 4"),
            (&["clients=5"], "`clients=5` is out of range; give a number from 1 to 4"),
            (&["clients=0"], "`clients=0` is out of range; give a number from 1 to 4"),
            (&["clients=2", "clients=2"], "`clients` is given twice; keep one of them"),
            (&["bug=big"], "`bug=big`: give one of `none`, `eager`"),
        ] {
            assert_eq!(parse(words).expect_err("bad words").to_string(), message);
        }
    }

    #[test]
    fn what_is_not_given_takes_its_default() {
        let arguments = parse(&["bug=eager"]).expect("good words");
        assert_eq!((arguments.number("clients"), arguments.word("bug")), (1, "eager"));
    }
}
