//! The catalogue: systems by name, with parameters that a person types as `key=value`.
//! Why: the command line, the tests and the debugger name systems by text, and each system has a message type of its own.
//! An [`Entry`] is the place where text becomes a typed system and the type is forgotten again ([`Runnable`]).
//! Invariant: every parameter has a default, so a name alone is a system; a value outside its range never reaches `build`.
//! Not here: the systems built into the stock binary (`foresee-systems`).

use crate::{Data, Judgement, Simulation, SimulationConfig, SimulationEvent, World};
use foresee_lts::{Assumption, Reading, System};
use foresee_node::{Deploy, Observed};
use foresee_stdx::nearest_name;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, LazyLock};

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
    load: Option<Arc<Build>>,
    guides: Vec<NamedGuide>,
    home: Option<&'static str>,
}

/// A guided search that an entry has a title for.
#[derive(Clone)]
pub struct NamedGuide {
    pub title: &'static str,
    make: Arc<MakeGuide>,
}

type MakeGuide =
    dyn Fn(&dyn Any, &Arguments) -> Option<Box<dyn foresee_lts::Guidance>> + Send + Sync;

/// The parameter of systems that declare a load: so many clients that never stop, in place of the system's own.
pub(crate) const LOAD: &str = "load";
/// Clients of a load at most.
const LOAD_MAX: u64 = 10_000;

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
        Entry {
            name,
            summary,
            parameters: Vec::new(),
            build: Arc::new(build),
            load: None,
            guides: Vec::new(),
            home: None,
        }
    }

    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// Says how to make the system from arguments that have passed [`Arguments::parse`].
    #[must_use]
    pub fn build_with<B>(mut self, build: B) -> Self
    where
        B: Fn(&Arguments, &BuildOptions) -> Result<Box<dyn Runnable>, ArgumentError>
            + Send
            + Sync
            + 'static,
    {
        self.home = crate_of(std::any::type_name::<B>());
        self.build = Arc::new(build);
        self
    }

    /// Gives a guided search a title, so that `foresee check NAME --guide TITLE` runs it. `make` is handed the world that
    /// was built and the arguments it was built with; its result is a `Guide` of the stateful engine. Without properties of its
    /// own, a guide looks for violations of the world's. A second guide of one title takes the place of the first.
    ///
    /// ```
    /// use foresee_lts::Guidance;
    /// use foresee_nodes::{Entry, World};
    /// struct Plan { phases: usize } // stands for `foresee::stateful::Guide`
    /// impl Guidance for Plan {}
    /// let entry = Entry::new("raft", "a log on several machines")
    ///     .guide("figure 8", |_world: &World<u32>, _arguments| Plan { phases: 4 });
    /// assert_eq!(entry.guides()[0].title, "figure 8");
    /// ```
    #[must_use]
    pub fn guide<M: Data, G: foresee_lts::Guidance>(
        mut self,
        title: &'static str,
        make: impl Fn(&World<M>, &Arguments) -> G + Send + Sync + 'static,
    ) -> Self {
        let make = move |world: &dyn Any, arguments: &Arguments| {
            let world = world.downcast_ref::<World<M>>()?;
            let guide: Box<dyn foresee_lts::Guidance> = Box::new(make(world, arguments));
            Some(guide)
        };
        self.guides.retain(|known| known.title != title);
        self.guides.push(NamedGuide { title, make: Arc::new(make) });
        self
    }

    /// The guided searches that have a title.
    pub fn guides(&self) -> &[NamedGuide] {
        &self.guides
    }

    /// The crate that says how the system is built, as Rust names it; `None` if that cannot be told.
    pub fn home(&self) -> Option<&'static str> {
        self.home
    }

    /// Says how to make the system under load: with `arguments.number("load")` clients that never stop, in place of its own. The
    /// entry gets a parameter `load`; 0, the default, is no load. `foresee run NAME --clients N` is `load=N`.
    #[must_use]
    pub fn load_with(
        mut self,
        build: impl Fn(&Arguments, &BuildOptions) -> Result<Box<dyn Runnable>, ArgumentError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let help = "clients that never stop, in place of the system's own; 0: its own";
        self.load = Some(Arc::new(build));
        self.parameter(Parameter::number(LOAD, 0, 0..=LOAD_MAX, help))
    }

    /// Whether the system declares a load.
    pub fn has_load(&self) -> bool {
        self.load.is_some()
    }

    /// Parses `words` and builds the system.
    pub fn build<W: AsRef<str>>(
        &self,
        words: &[W],
        options: &BuildOptions,
    ) -> Result<Box<dyn Runnable>, ArgumentError> {
        let arguments = Arguments::parse(self.name, &self.parameters, words)?;
        match &self.load {
            Some(load) if arguments.number(LOAD) > 0 => load(&arguments, options),
            _ => (self.build)(&arguments, options),
        }
    }
}

impl NamedGuide {
    /// The guide for a world that was built with these arguments; `None` if the world has messages of another type than the
    /// guide was written for.
    pub fn make(
        &self,
        runnable: &dyn Runnable,
        arguments: &Arguments,
    ) -> Option<Box<dyn foresee_lts::Guidance>> {
        (self.make)(runnable.as_any()?, arguments)
    }
}

/// `register` of `register::entry::{{closure}}`.
fn crate_of(type_name: &'static str) -> Option<&'static str> {
    let (name, _) = type_name.split_once("::")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
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
        words: Words,
    },
}

/// The words of a parameter. Those that take work to be found are found when somebody asks for them, so that a program which
/// knows many systems starts at once.
#[derive(Clone)]
pub struct Words(Arc<Listing>);

type List = &'static [&'static str];
type Listing = LazyLock<List, Box<dyn FnOnce() -> List + Send>>;

impl Words {
    fn found_by(find: impl FnOnce() -> List + Send + 'static) -> Words {
        Words(Arc::new(LazyLock::new(Box::new(find))))
    }

    /// All of them; there is at least one.
    pub fn list(&self) -> &'static [&'static str] {
        &self.0
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        self.list() == other.list()
    }
}

impl Eq for Words {}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list().fmt(f)
    }
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
        Parameter::word_of(name, move || words, help)
    }

    /// The same with words that are found when they are asked for.
    pub fn word_of(
        name: &'static str,
        find: impl FnOnce() -> &'static [&'static str] + Send + 'static,
        help: &'static str,
    ) -> Self {
        Parameter { name, kind: ParameterKind::Word { words: Words::found_by(find) }, help }
    }

    /// The default as the user would type it.
    pub fn default_text(&self) -> String {
        match &self.kind {
            ParameterKind::Number { default, .. } => default.to_string(),
            ParameterKind::Word { words } => words.list()[0].to_owned(),
        }
    }

    /// The values allowed: `1..8` or `none|eager`.
    pub fn values_text(&self) -> String {
        match &self.kind {
            ParameterKind::Number { min, max, .. } => format!("{min}..{max}"),
            ParameterKind::Word { words } => words.list().join("|"),
        }
    }

    /// The values, if they can be listed: of words all, of numbers the default.
    pub fn words(&self) -> Vec<String> {
        match &self.kind {
            ParameterKind::Number { default, .. } => vec![default.to_string()],
            ParameterKind::Word { words } => {
                words.list().iter().map(|word| (*word).to_owned()).collect()
            }
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
            ParameterKind::Word { words } => {
                match words.list().iter().find(|word| **word == text) {
                    Some(word) => Ok(Argument::Word(word)),
                    None => Err(ArgumentError::UnknownWord {
                        parameter,
                        text: text.to_owned(),
                        known: words.list().iter().map(|word| (*word).to_owned()).collect(),
                    }),
                }
            }
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
            let value = given.unwrap_or(match &parameter.kind {
                ParameterKind::Number { default, .. } => Argument::Number(*default),
                ParameterKind::Word { words } => Argument::Word(words.list()[0]),
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
                // What nobody asked for need not be named.
                Argument::Number(0) if *name == LOAD => {}
                Argument::Number(value) => write!(f, " {name}={value}")?,
                Argument::Word(word) => write!(f, " {name}={word}")?,
            }
        }
        Ok(())
    }
}

/// What can be asked of every system built by name, whatever its parameters.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
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
    /// How many crashes may leave a part of what was not synced.
    pub torn_writes: u32,
    /// How many times a crashed node may lose its disk.
    pub lost_disks: u32,
    /// Whether to check that handlers are deterministic and that equality, hash and clone agree.
    pub check_code: bool,
    /// How finely states are told apart (see [`crate::WorldBuilder::reading`]).
    pub reading: Reading,
}

/// A system whose message type has been forgotten.
pub trait Runnable: Send + Sync {
    fn system(&self) -> &dyn System;

    /// The world itself, for those who know its type (see [`Entry::guide`]); `None` if it is none.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// The options that it was built with, as far as it knows them: its fault budgets.
    fn build_options(&self) -> BuildOptions {
        BuildOptions::default()
    }

    /// One run in virtual time; `None` if the system has no notion of time (see [`simulate`](crate::simulate())).
    fn simulate(
        &self,
        config: &SimulationConfig,
        observer: &mut dyn FnMut(&SimulationEvent),
    ) -> Option<Simulation> {
        let _ = (config, observer);
        None
    }

    /// Its nodes, ready to be run on machines; `None` if it has none.
    fn deployment(&self) -> Option<Box<dyn Deploy>> {
        None
    }

    /// Whether what clients saw of a real run is right; `None` if it says nothing about clients.
    fn judge(&self, history: &[Observed]) -> Option<Judgement> {
        let _ = history;
        None
    }

    /// What clients saw of a real run as the text of a history file; `None` if it has no words for it.
    fn history_text(&self, history: &[Observed]) -> Option<String> {
        let _ = history;
        None
    }

    /// Whether a delivery that changes nothing is left out of its traces.
    fn skips_ignored(&self) -> bool {
        false
    }

    /// Whether the network knows how many copies of a message are under way, so that one that comes twice was doubled before.
    fn counts_copies(&self) -> bool {
        false
    }

    /// Handlers found not to be idempotent, each with an example (see [`World::not_idempotent`]).
    fn not_idempotent(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// What its network, its faults and its timers do and do not do.
    fn assumptions(&self) -> Vec<Assumption> {
        Vec::new()
    }

    /// Whether it is a world of nodes; a registry may hold other systems too.
    fn is_world(&self) -> bool {
        false
    }

    /// How finely its states are told apart.
    fn reading(&self) -> Reading {
        Reading::Merged
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

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn build_options(&self) -> BuildOptions {
        self.built.core.faults.as_options(self.built.core.reading)
    }

    fn simulate(
        &self,
        config: &SimulationConfig,
        observer: &mut dyn FnMut(&SimulationEvent),
    ) -> Option<Simulation> {
        Some(crate::simulate(self, config, observer))
    }

    fn deployment(&self) -> Option<Box<dyn Deploy>> {
        Some(Box::new(World::deployment(self)))
    }

    fn judge(&self, history: &[Observed]) -> Option<Judgement> {
        self.judges()?.judge(history)
    }

    fn history_text(&self, history: &[Observed]) -> Option<String> {
        let recorder = self.judges()?;
        crate::history_text(history, |what| recorder.words(what))
    }

    fn skips_ignored(&self) -> bool {
        self.built.core.network.skips_ignored()
    }

    fn counts_copies(&self) -> bool {
        self.built.core.network.counts_copies()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        vec![
            self.built.core.network.assumption(),
            self.built.core.faults.assumption(self.built.core.network),
            Assumption::TimersOfNodes,
        ]
    }

    fn is_world(&self) -> bool {
        true
    }

    fn reading(&self) -> Reading {
        self.built.core.reading
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
