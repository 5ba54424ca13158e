//! Workloads: the commands a client is given, one after another, and the results they should have.
//! A workload is a list of commands, gone through once, several times or for ever. The commands may be templates, so that
//! each round has keys and values of its own.
//! Invariant: the n-th command of a client is a function of the workload, the client's address and n: a workload has no
//! state, and a worker remembers only how far it is.

use crate::{Address, Data};
use foresee_stdx::{Random, mix, stable_hash};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::{Arc, Mutex};

/// Commands of type `C` with results of type `R`.
///
/// ```
/// use foresee_node::{Address, KeyValueCommand, KeyValueResult, Workload};
/// let client1 = Address::new("client1");
///
/// let plain = Workload::new([KeyValueCommand::put("a", "1"), KeyValueCommand::get("a")])
///     .expecting([KeyValueResult::PutOk, KeyValueResult::GetResult("1".into())]);
/// assert_eq!(plain.len(), Some(2));
/// assert_eq!(plain.command(1, client1), Some(KeyValueCommand::get("a")));
/// assert_eq!(plain.expected(1, client1), Some(KeyValueResult::GetResult("1".into())));
///
/// let rounds: Workload<KeyValueCommand, KeyValueResult> =
///     Workload::parse("PUT:key-%i:%a-%n; GET:key-%i", "OK; VALUE:%a-%n-1").unwrap().repeat(100);
/// assert_eq!(rounds.len(), Some(200));
/// assert_eq!(rounds.command(2, client1), Some(KeyValueCommand::put("key-2", "client1-3")));
/// assert_eq!(rounds.expected(3, client1), Some(KeyValueResult::GetResult("client1-3".into())));
/// ```
#[derive(Clone)]
pub struct Workload<C, R> {
    source: Arc<Source<C, R>>,
    rounds: Rounds,
    seed: u64,
    /// Of all of the above, so that hashing a worker does not go through its workload.
    hash: u64,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
enum Rounds {
    Times(usize),
    Forever,
}

#[derive(Clone)]
enum Source<C, R> {
    /// Ready commands; as many results, or none.
    Plain {
        commands: Vec<C>,
        expected: Vec<R>,
    },
    Templates {
        commands: Vec<String>,
        expected: Vec<String>,
        read: Readers<C, R>,
    },
}

/// How filled templates are read; fixed by the types, so not part of a workload's identity.
type Readers<C, R> = (fn(&str) -> Result<C, String>, fn(&str) -> Result<R, String>);

impl<C: Data, R: Data> Workload<C, R> {
    /// These commands, once, whatever they return.
    pub fn new(commands: impl IntoIterator<Item = C>) -> Self {
        let commands = commands.into_iter().collect();
        Self::from_source(Source::Plain { commands, expected: Vec::new() }, Rounds::Times(1), 0)
    }

    /// Nothing to do.
    pub fn empty() -> Self {
        Self::new([])
    }

    /// The results that the commands should have, one for each.
    ///
    /// # Panics
    /// If there are not as many results as commands, or the workload is made of templates (see [`Workload::parse`]).
    #[must_use]
    pub fn expecting(self, results: impl IntoIterator<Item = R>) -> Self {
        let Source::Plain { commands, .. } = &*self.source else {
            panic!("the results of templates are templates: give them to `Workload::parse`");
        };
        let (commands, expected) = (commands.clone(), results.into_iter().collect::<Vec<_>>());
        assert_eq!(commands.len(), expected.len(), "a workload expects one result a command");
        Self::from_source(Source::Plain { commands, expected }, self.rounds, self.seed)
    }

    /// Templates of commands separated by `;`, and of the expected results (empty: anything goes).
    ///
    /// In a template `%i` is the number of the round and `%n` the number of the command, both from 1, `%a` the client's
    /// address, `%r8` eight letters that are different in each round and for each client but the same throughout a round,
    /// `%%` a percent sign. `%i-1`, `%n+2` and the like do arithmetic (never below 0).
    ///
    /// Every template is tried on the first two rounds, so that a mistake is found here and not in the middle of a run.
    pub fn parse(commands: &str, expected: &str) -> Result<Self, String>
    where
        C: FromStr<Err: fmt::Display>,
        R: FromStr<Err: fmt::Display>,
    {
        let (commands, expected) = (split(commands), split(expected));
        if !expected.is_empty() && expected.len() != commands.len() {
            let (n, m) = (commands.len(), expected.len());
            return Err(format!("{n} commands, but {m} expected results: give one each, or none"));
        }
        let read: Readers<C, R> = (read_text::<C>, read_text::<R>);
        remember_readers(read);
        let source = Source::Templates { commands, expected, read };
        let workload = Self::from_source(source, Rounds::Times(1), 0);
        let (length, somebody) = (workload.source.len(), Address::new("client"));
        for n in 0..2 * length {
            workload.item(n, somebody, 0)?;
        }
        Ok(workload)
    }

    /// The whole list `n` times.
    #[must_use]
    pub fn repeat(mut self, n: usize) -> Self {
        self.rounds = Rounds::Times(n);
        self.rehashed()
    }

    /// The whole list again and again.
    #[must_use]
    pub fn forever(mut self) -> Self {
        self.rounds = Rounds::Forever;
        self.rehashed()
    }

    /// Other letters for `%r`.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self.rehashed()
    }

    /// The number of commands; `None` if there is no end.
    pub fn len(&self) -> Option<usize> {
        match self.rounds {
            Rounds::Times(times) => Some(self.source.len() * times),
            Rounds::Forever if self.source.len() == 0 => Some(0),
            Rounds::Forever => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The n-th command (from 0) of the client at `me`; `None` after the last.
    ///
    /// # Panics
    /// If a template, filled, is no command.
    pub fn command(&self, n: usize, me: Address) -> Option<C> {
        Some(self.checked_item(n, me)?.0)
    }

    /// The result that the n-th command should have; `None` after the last and if anything goes.
    ///
    /// # Panics
    /// If a template, filled, is no result.
    pub fn expected(&self, n: usize, me: Address) -> Option<R> {
        self.checked_item(n, me)?.1
    }

    /// The place after the n-th command. It goes back to 0 when an endless workload repeats itself exactly, so that a
    /// client that keeps no results comes back to where it was.
    pub(crate) fn place_after(&self, n: usize) -> usize {
        let repeats = matches!(&*self.source, Source::Plain { .. });
        if self.rounds == Rounds::Forever && repeats { (n + 1) % self.source.len() } else { n + 1 }
    }

    fn checked_item(&self, n: usize, me: Address) -> Option<(C, Option<R>)> {
        if self.len().is_some_and(|len| n >= len) {
            return None;
        }
        let item = self.item(n, me, self.seed);
        Some(item.unwrap_or_else(|error| panic!("workload of {me}, command {}: {error}", n + 1)))
    }

    fn item(&self, n: usize, me: Address, seed: u64) -> Result<(C, Option<R>), String> {
        let (round, place) = (n / self.source.len(), n % self.source.len());
        match &*self.source {
            Source::Plain { commands, expected } => {
                Ok((commands[place].clone(), expected.get(place).cloned()))
            }
            Source::Templates { commands, expected, read } => {
                let values = Values { round, n, me, seed };
                let command = read.0(&values.fill(&commands[place])?)?;
                let result = expected.get(place).map(|text| read.1(&values.fill(text)?));
                Ok((command, result.transpose()?))
            }
        }
    }

    fn from_source(source: Source<C, R>, rounds: Rounds, seed: u64) -> Self {
        Workload { source: Arc::new(source), rounds, seed, hash: 0 }.rehashed()
    }

    fn rehashed(mut self) -> Self {
        let content = match &*self.source {
            Source::Plain { commands, expected } => stable_hash(&(commands, expected)),
            Source::Templates { commands, expected, .. } => !stable_hash(&(commands, expected)),
        };
        self.hash = mix(content ^ stable_hash(&(self.rounds, self.seed)));
        self
    }
}

impl<C, R> Source<C, R> {
    fn len(&self) -> usize {
        match self {
            Source::Plain { commands, .. } => commands.len(),
            Source::Templates { commands, .. } => commands.len(),
        }
    }
}

impl<C: Eq, R: Eq> PartialEq for Workload<C, R> {
    fn eq(&self, other: &Self) -> bool {
        let same_source = || match (&*self.source, &*other.source) {
            (
                Source::Plain { commands: c1, expected: e1 },
                Source::Plain { commands: c2, expected: e2 },
            ) => c1 == c2 && e1 == e2,
            (
                Source::Templates { commands: c1, expected: e1, .. },
                Source::Templates { commands: c2, expected: e2, .. },
            ) => c1 == c2 && e1 == e2,
            _ => false,
        };
        (self.hash, self.rounds, self.seed) == (other.hash, other.rounds, other.seed)
            && (Arc::ptr_eq(&self.source, &other.source) || same_source())
    }
}
impl<C: Eq, R: Eq> Eq for Workload<C, R> {}

impl<C, R> Hash for Workload<C, R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

impl<C: fmt::Debug, R> fmt::Debug for Workload<C, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.source {
            Source::Plain { commands, .. } => f.debug_list().entries(commands).finish()?,
            Source::Templates { commands, .. } => f.write_str(&commands.join("; "))?,
        }
        match self.rounds {
            Rounds::Times(1) => Ok(()),
            Rounds::Times(n) => write!(f, " x{n}"),
            Rounds::Forever => f.write_str(" forever"),
        }
    }
}

/// The names under which serde sees a workload and its text, so that what shows values can show the text alone.
pub const WORKLOAD_IN_SERDE: &str = "foresee::Workload";
pub const WORKLOAD_TEXT_IN_SERDE: &str = "text";

/// A workload as it is written down.
#[derive(Deserialize, Serialize)]
#[serde(rename = "foresee::Workload")]
struct Written<C, R> {
    /// For people; not read back.
    text: String,
    parts: Parts<C, R>,
    rounds: Rounds,
    seed: u64,
}

#[derive(Deserialize, Serialize)]
enum Parts<C, R> {
    Plain { commands: Vec<C>, expected: Vec<R> },
    Templates { commands: Vec<String>, expected: Vec<String> },
}

impl<C: Data, R: Data> Serialize for Workload<C, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = match (*self.source).clone() {
            Source::Plain { commands, expected } => Parts::Plain { commands, expected },
            Source::Templates { commands, expected, .. } => Parts::Templates { commands, expected },
        };
        let text = format!("{self:?}");
        Written { text, parts, rounds: self.rounds, seed: self.seed }.serialize(serializer)
    }
}

impl<'de, C: Data, R: Data> Deserialize<'de> for Workload<C, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::<C, R>::deserialize(deserializer)?;
        let source = match written.parts {
            Parts::Plain { commands, expected } => Source::Plain { commands, expected },
            Parts::Templates { commands, expected } => {
                let read = known_readers().ok_or_else(|| {
                    serde::de::Error::custom(
                        "the templates of a workload can be read back only where one of its type was parsed",
                    )
                })?;
                Source::Templates { commands, expected, read }
            }
        };
        Ok(Self::from_source(source, written.rounds, written.seed))
    }
}

/// How templates of each type of command and result are read. A function cannot be written down, so it is found again by
/// the types it is for; the process that reads a workload back has built the same system, and with it parsed its own.
static READERS: Mutex<BTreeMap<(TypeId, TypeId), Box<dyn Any + Send>>> =
    Mutex::new(BTreeMap::new());

fn remember_readers<C: Data, R: Data>(read: Readers<C, R>) {
    let mut known = READERS.lock().expect("not poisoned");
    known.entry((TypeId::of::<C>(), TypeId::of::<R>())).or_insert_with(|| Box::new(read));
}

fn known_readers<C: Data, R: Data>() -> Option<Readers<C, R>> {
    let known = READERS.lock().expect("not poisoned");
    known.get(&(TypeId::of::<C>(), TypeId::of::<R>()))?.downcast_ref().copied()
}

fn split(templates: &str) -> Vec<String> {
    let parts = templates.split(';').map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

fn read_text<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// What is put into a template.
struct Values {
    round: usize,
    n: usize,
    me: Address,
    seed: u64,
}

impl Values {
    fn fill(&self, template: &str) -> Result<String, String> {
        let mut filled = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('%') {
            filled += before;
            let mut following = after.chars();
            let letter = following.next();
            rest = following.as_str();
            match letter {
                Some('%') => filled.push('%'),
                Some('a') => filled += self.me.name(),
                Some('i') => filled += &add(self.round + 1, &mut rest).to_string(),
                Some('n') => filled += &add(self.n + 1, &mut rest).to_string(),
                Some('r') => filled += &self.letters(take_number(&mut rest).unwrap_or(8)),
                _ => {
                    let what = letter.map(String::from).unwrap_or_default();
                    return Err(format!(
                        "%{what} means nothing in {template:?}: there are %i, %n, %a, %r8 and %%"
                    ));
                }
            }
        }
        Ok(filled + rest)
    }

    fn letters(&self, n: usize) -> String {
        let seed = stable_hash(&(self.seed, self.me, self.round));
        let mut random = Random::new(seed);
        (0..n).map(|_| char::from(b'a' + random.below(26) as u8)).collect()
    }
}

/// Reads `+2` or `-1` off the front of `rest` and does it to `number`.
fn add(number: usize, rest: &mut &str) -> usize {
    let sign = rest.chars().next();
    let mut after = rest.get(1..).unwrap_or("");
    let (Some(sign @ ('+' | '-')), Some(amount)) = (sign, take_number(&mut after)) else {
        return number;
    };
    *rest = after;
    if sign == '+' { number + amount } else { number.saturating_sub(amount) }
}

fn take_number(rest: &mut &str) -> Option<usize> {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok()?;
    *rest = &rest[end..];
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KeyValueCommand, KeyValueResult};

    type KeyValue = Workload<KeyValueCommand, KeyValueResult>;

    fn me() -> Address {
        Address::new("client3")
    }

    #[test]
    fn templates_are_filled() {
        let values = Values { round: 4, n: 9, me: me(), seed: 0 };
        let fill = |template: &str| values.fill(template).unwrap();
        assert_eq!(fill("k%i-%n %a %i-1 %i+10 %n-100 100%% %i-x"), "k5-10 client3 4 15 0 100% 5-x");
        assert_eq!(fill("%r12").len(), 12);
        assert_eq!(fill("%r4 %r4")[..4], fill("%r4 %r4")[5..], "the same throughout a round");
        assert_ne!(fill("%r8"), Values { round: 5, ..values }.fill("%r8").unwrap());
        let error = Values { round: 0, n: 0, me: me(), seed: 0 }.fill("%x").unwrap_err();
        assert!(error.starts_with("%x means nothing"), "{error}");
    }

    #[test]
    fn mistakes_in_templates_are_found_early() {
        let error = |commands, expected| KeyValue::parse(commands, expected).unwrap_err();
        assert!(error("FETCH:k", "").contains("no command of a key-value store"));
        assert!(error("GET:k", "SOMETHING").contains("no result of a key-value store"));
        assert!(error("GET:k; GET:l", "MISSING").contains("2 commands, but 1 expected results"));
        assert!(error("GET:%", "").contains("means nothing"));
    }

    #[test]
    fn rounds_end_or_do_not() {
        let get = |key: &str| KeyValueCommand::get(key);
        let twice = KeyValue::new([get("a"), get("b")]).repeat(2);
        let all: Vec<_> = (0..).map_while(|n| twice.command(n, me())).collect();
        assert_eq!(all, [get("a"), get("b"), get("a"), get("b")]);
        let endless = KeyValue::new([get("a"), get("b")]).forever();
        assert_eq!((endless.len(), endless.command(1001, me())), (None, Some(get("b"))));
        assert_eq!((endless.place_after(0), endless.place_after(1)), (1, 0));
        assert_eq!(KeyValue::empty().forever().command(0, me()), None);
        let numbered = KeyValue::parse("GET:%n", "").unwrap().forever();
        assert_eq!(numbered.command(1001, me()), Some(get("1002")));
        assert_eq!(numbered.place_after(1), 2, "each round is different: there is no going back");
    }

    #[test]
    fn equality_is_of_the_content() {
        let make = || KeyValue::new([KeyValueCommand::get("a")]);
        assert_eq!(make(), make());
        assert_eq!(stable_hash(&make()), stable_hash(&make()));
        assert_ne!(make(), make().repeat(2));
        assert_ne!(make(), make().expecting([KeyValueResult::KeyNotFound]));
        assert_ne!(KeyValue::parse("GET:a", "").unwrap(), make());
    }

    #[test]
    fn a_workload_is_read_back_as_it_was_written() {
        let plain = KeyValue::new([KeyValueCommand::get("a")]).expecting([KeyValueResult::PutOk]);
        let templates = KeyValue::parse("PUT:k:%r3; GET:k", "OK; VALUE:%r3").unwrap().seed(7);
        for workload in [plain.repeat(3), templates.forever(), KeyValue::empty()] {
            let written = serde_json::to_string(&workload).unwrap();
            let read: KeyValue = serde_json::from_str(&written).unwrap();
            assert_eq!(read, workload);
            assert_eq!(read.command(1, me()), workload.command(1, me()));
        }
    }

    #[test]
    fn templates_of_a_type_that_was_never_parsed_are_refused() {
        let written = serde_json::to_string(&KeyValue::parse("GET:k", "").unwrap()).unwrap();
        let read = serde_json::from_str::<Workload<String, u8>>(&written);
        assert!(read.unwrap_err().to_string().contains("where one of its type was parsed"));
    }
}
