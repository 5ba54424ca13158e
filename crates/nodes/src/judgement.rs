//! Judging what clients saw of a real run: part by part, as it comes where that is easy, by a search where it is not.
//! [`judge`] has the whole history in memory; [`HistoryJudge`] is told one event after another and keeps only what is open, so that a file
//! of any length can be judged. What it finds too hard is judged in a second reading that keeps those parts alone.
//! Invariant: the answer is the one `linearizability` gives for the whole history; where a search takes too long the answer
//! is "not known", never "right".

use crate::deep::{Found, Timed, search};
use crate::part::{Part, Seen};
use crate::{Address, Sequential, zones};
use foresee_node::{Observed, Operation, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Borrow;
use std::fmt::Debug;
use std::marker::PhantomData;

/// Applications of the specification that one hard part may take.
const STEPS_MAX: u64 = 20_000_000;

/// Whether clients were told what a single copy could have told them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Judgement {
    /// Some order explains every result.
    Linearizable,
    /// No order does; why, in words.
    NotLinearizable(String),
    /// Too much was open at once to tell; where.
    Unknown(String),
}

/// Judges the history of a run: the reports of all clients, in the order in which they happened.
///
/// ```
/// use foresee_nodes::{Judgement, KeyValueCommand, KeyValueResult, KeyValueStore, judge};
/// use foresee_node::{Observed, Operation, Value};
/// use std::time::Duration;
/// let report = |client: &str, what| Observed { client: client.into(), at: Duration::ZERO, what };
/// let invoked = |client, it: KeyValueCommand| report(client, Operation::Invoked(Value::new(it)));
/// let returned = |client, it: KeyValueResult| report(client, Operation::Returned(Value::new(it)));
/// let history = [
///     invoked("a", KeyValueCommand::put("k", "1")),
///     returned("a", KeyValueResult::PutOk),
///     invoked("b", KeyValueCommand::get("k")),
///     returned("b", KeyValueResult::KeyNotFound),
/// ];
/// let Judgement::NotLinearizable(why) = judge(&history, &KeyValueStore::default()) else { panic!() };
/// assert!(why.contains("b's Get { key: \"k\" } returned KeyNotFound"), "{why}");
/// assert_eq!(judge(&history[..3], &KeyValueStore::default()), Judgement::Linearizable);
/// ```
pub fn judge<S: Sequential>(history: &[Observed], initial: &S) -> Judgement {
    let mut judging = HistoryJudge::<S, Held<S::Operation>, Held<S::Result>>::new(initial.clone());
    judging.keeps = Keeps::Everything;
    let (mut clients, mut names): (FxHashMap<Address, u32>, Vec<Address>) = Default::default();
    for observed in history {
        let client = *clients.entry(observed.client).or_insert_with(|| {
            names.push(observed.client);
            names.len() as u32 - 1
        });
        let told = match &observed.what {
            Operation::Invoked(operation) => match Held::new(operation) {
                Some(held) => {
                    judging.invoked(client, held);
                    Ok(())
                }
                None => return wrong_type::<S::Operation>(observed.client, operation),
            },
            Operation::Returned(result) => match Held::new(result) {
                Some(held) => judging.returned(client, held),
                None => return wrong_type::<S::Result>(observed.client, result),
            },
        };
        if let Err(why) = told {
            return Judgement::NotLinearizable(format!("{}{why}", observed.client));
        }
    }
    judging.finish(|client| names[client as usize].to_string())
}

/// An operation inside the value it was reported as.
struct Held<T> {
    value: Value,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Held<T> {
    fn clone(&self) -> Self {
        Held { value: self.value.clone(), of: PhantomData }
    }
}

impl<T: 'static> Held<T> {
    fn new(value: &Value) -> Option<Self> {
        value.get::<T>()?;
        Some(Held { value: value.clone(), of: PhantomData })
    }
}

impl<T: 'static> Borrow<T> for Held<T> {
    fn borrow(&self) -> &T {
        self.value.get().expect("looked at when it was made")
    }
}

fn wrong_type<T>(client: Address, value: &Value) -> Judgement {
    Judgement::NotLinearizable(format!(
        "{client} reported {value:?}, a {}; the specification has {}",
        value.type_name(),
        std::any::type_name::<T>()
    ))
}

/// Which operations are kept after they have returned.
enum Keeps {
    Nothing,
    Everything,
    /// Those of these parts; other parts are not judged at all.
    Only(FxHashSet<Box<str>>),
}

/// Judges a history as it comes. Clients go by numbers, from 0 and without gaps if memory matters.
///
/// ```
/// use foresee_nodes::{HistoryJudge, KeyValueCommand, KeyValueResult, KeyValueStore};
/// let mut judge = HistoryJudge::new(KeyValueStore::default());
/// judge.invoked(0, KeyValueCommand::put("k", "1"));
/// judge.invoked(1, KeyValueCommand::get("k"));
/// assert_eq!(judge.returned(1, KeyValueResult::GetResult("1".into())), Ok(()));
/// assert_eq!(judge.returned(0, KeyValueResult::PutOk), Ok(()));
/// judge.invoked(1, KeyValueCommand::get("k"));
/// let why = judge.returned(1, KeyValueResult::KeyNotFound).unwrap_err();
/// assert!(why.ends_with("it could be GetResult(\"1\")"), "{why}");
/// assert_eq!(judge.hard_parts().count(), 0);
/// ```
pub struct HistoryJudge<
    S: Sequential,
    O = <S as Sequential>::Operation,
    R = <S as Sequential>::Result,
> {
    initial: S,
    numbers: FxHashMap<Box<str>, u32>,
    parts: Vec<Line<S, O, R>>,
    /// For each client the part in which it has something open, and where in the part.
    clients: Vec<Option<(u32, u32)>>,
    keeps: Keeps,
    n_events: u32,
}

/// A part, and what is kept of it.
struct Line<S: Sequential, O, R> {
    /// `None` once it was too hard, and where only whole histories are wanted.
    easy: Option<Part<S, O>>,
    all: Vec<Timed<O, R>>,
    who: Vec<u32>,
    n_operations: u32,
}

impl<S, O, R> HistoryJudge<S, O, R>
where
    S: Sequential,
    O: Borrow<S::Operation> + Clone,
    R: Borrow<S::Result>,
{
    /// Keeps nothing but what is open.
    pub fn new(initial: S) -> Self {
        HistoryJudge {
            initial,
            numbers: FxHashMap::default(),
            parts: Vec::new(),
            clients: Vec::new(),
            keeps: Keeps::Nothing,
            n_events: 0,
        }
    }

    /// Judges these parts alone, whatever it takes: for a second reading.
    pub fn of_parts(initial: S, parts: impl IntoIterator<Item = String>) -> Self {
        let only = parts.into_iter().map(String::into_boxed_str).collect();
        HistoryJudge { keeps: Keeps::Only(only), ..HistoryJudge::new(initial) }
    }

    /// A client begins an operation. If it has one open, that one is given up: it may take effect later or never.
    pub fn invoked(&mut self, client: u32, operation: O) {
        self.given_up(client);
        self.n_events += 1;
        let part = S::part(operation.borrow()).unwrap_or_default();
        let number = match self.numbers.get(part) {
            Some(number) => *number,
            None => {
                let is_wanted = match &self.keeps {
                    Keeps::Only(parts) => parts.contains(part),
                    _ => true,
                };
                let easy = match &self.keeps {
                    Keeps::Only(_) => None,
                    _ => Some(Part::new(self.initial.clone())),
                };
                let number = if is_wanted { self.parts.len() as u32 } else { u32::MAX };
                if is_wanted {
                    let (all, who) = (Vec::new(), Vec::new());
                    self.parts.push(Line { easy, all, who, n_operations: 0 });
                }
                self.numbers.insert(part.into(), number);
                number
            }
        };
        if self.clients.len() <= client as usize {
            self.clients.resize(client as usize + 1, None);
        }
        let Some(line) = self.parts.get_mut(number as usize) else {
            self.clients[client as usize] = Some((u32::MAX, 0));
            return;
        };
        let place = line.n_operations;
        line.n_operations += 1;
        self.clients[client as usize] = Some((number, place));
        if !matches!(self.keeps, Keeps::Nothing) {
            let timed =
                Timed { operation: operation.clone(), invoked: self.n_events, returned: None };
            line.all.push(timed);
            line.who.push(client);
        }
        if let Some(easy) = &mut line.easy {
            easy.invoked(2 * place, operation);
        }
    }

    /// A client is told the result of its open operation; why no order explains it, beginning with ` was told` or `'s`, to be put
    /// after the client's name.
    pub fn returned(&mut self, client: u32, result: R) -> Result<(), String> {
        self.n_events += 1;
        let open = self.clients.get_mut(client as usize).and_then(Option::take);
        let Some((part, place)) = open else {
            let result: &S::Result = result.borrow();
            return Err(format!(" was told {result:?}, but no operation was waiting for a result"));
        };
        let Some(line) = self.parts.get_mut(part as usize) else { return Ok(()) };
        if let Some(easy) = &mut line.easy {
            match easy.returned(2 * place, result.borrow()) {
                Seen::Explained => {}
                Seen::TooHard => line.easy = None,
                Seen::Impossible { operation, possible } => {
                    return Err(impossible(&operation, result.borrow(), &possible));
                }
            }
        }
        if let Some(timed) = line.all.get_mut(place as usize) {
            timed.returned = Some((self.n_events, result));
        }
        Ok(())
    }

    /// The client will never see the result of its open operation.
    pub fn given_up(&mut self, client: u32) {
        let open = self.clients.get_mut(client as usize).and_then(Option::take);
        let Some((part, place)) = open else { return };
        if let Some(easy) = self.parts.get_mut(part as usize).and_then(|line| line.easy.as_mut()) {
            easy.given_up(2 * place, 2 * place + 1);
        }
    }

    /// The parts in which too much was open at once to be judged as it came.
    pub fn hard_parts(&self) -> impl Iterator<Item = &str> {
        let all = self.numbers.iter().filter(|(_, number)| **number != u32::MAX);
        all.filter(|(_, it)| self.parts[**it as usize].easy.is_none()).map(|(part, _)| &**part)
    }

    /// The answer; parts that were not kept and were too hard are "not known".
    pub fn finish(&self, name: impl Fn(u32) -> String) -> Judgement {
        let mut hard: Vec<&str> = self.hard_parts().collect();
        hard.sort_unstable();
        let mut unknown = None;
        for part in hard {
            let line = &self.parts[self.numbers[part] as usize];
            if line.n_operations as usize != line.all.len() {
                unknown = unknown.or(Some(part));
                continue;
            }
            let decided = zones::decide(&line.all, &self.initial);
            match decided.unwrap_or_else(|| search(&line.all, &self.initial, STEPS_MAX)) {
                Found::Order => {}
                Found::NoOrder(number) => return line.not_linearizable(number, name),
                Found::TooHard => unknown = unknown.or(Some(part)),
            }
        }
        match unknown {
            None => Judgement::Linearizable,
            Some("") => Judgement::Unknown("too much was open at once".to_owned()),
            Some(part) => Judgement::Unknown(format!("too much was open at once on {part:?}")),
        }
    }
}

impl<S: Sequential, O: Borrow<S::Operation>, R: Borrow<S::Result>> Line<S, O, R> {
    fn not_linearizable(&self, number: usize, name: impl Fn(u32) -> String) -> Judgement {
        let it = &self.all[number];
        let operation: &S::Operation = it.operation.borrow();
        let why = match &it.returned {
            Some((_, result)) => impossible(&format!("{operation:?}"), result.borrow(), &[]),
            None => format!("'s {operation:?} is explained by no order"),
        };
        Judgement::NotLinearizable(format!("{}{why}", name(self.who[number])))
    }
}

fn impossible(operation: &str, result: &impl Debug, possible: &[String]) -> String {
    let why =
        format!("'s {operation} returned {result:?}, which no order of the operations explains");
    if possible.is_empty() { why } else { format!("{why}; it could be {}", possible.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recording, Register, RegisterOperation, RegisterResult, is_linearizable};
    use foresee_stdx::Random;
    use std::time::Duration;

    fn observed(client: usize, what: Operation) -> Observed {
        Observed { client: Address::new(&format!("client{client}")), at: Duration::ZERO, what }
    }

    /// A random history of three clients, as a recording and as a run would report it.
    fn random_history(random: &mut Random, n_max: u64, clients: u64) -> (Recording, Vec<Observed>) {
        random_history_of(random, n_max, clients, false)
    }

    fn random_history_of(
        random: &mut Random,
        n_max: u64,
        clients: u64,
        is_unique: bool,
    ) -> (Recording, Vec<Observed>) {
        let mut n_written = 0;
        let mut recording = Recording::new(clients as usize);
        let mut history = Vec::new();
        for _ in 0..random.between(1, n_max) {
            let client = random.below(clients) as usize;
            let waits = recording.histories()[client].pending().is_some();
            let operation = match random.below(2) {
                0 if is_unique => RegisterOperation::Write(n_written + 1),
                0 => RegisterOperation::Write(random.below(3)),
                _ => RegisterOperation::Read,
            };
            let highest = if is_unique { n_written + 1 } else { 3 };
            let result = match recording.histories()[client].pending() {
                Some(it) if it.operation.get() == Some(&RegisterOperation::<u64>::Read) => {
                    RegisterResult::ReadOk(random.below(highest))
                }
                _ => RegisterResult::WriteOk,
            };
            // Now and then an operation is given up.
            if waits && random.below(8) > 0 {
                history.push(observed(client, Operation::Returned(Value::new(result.clone()))));
                recording.returned(client, result);
            } else {
                n_written += u64::from(operation != RegisterOperation::Read);
                history.push(observed(client, Operation::Invoked(Value::new(operation.clone()))));
                recording.invoked(client, operation);
            }
        }
        (recording, history)
    }

    #[test]
    fn it_agrees_with_the_search_over_whole_histories() {
        let mut random = Random::new(41);
        let (mut n_right, mut n) = (0, 0);
        for _ in 0..5_000 {
            let (recording, history) = random_history(&mut random, 14, 3);
            let initial = Register::new(0u64);
            let expected = is_linearizable(recording.histories(), &initial);
            let judged = judge(&history, &initial);
            assert_eq!(judged == Judgement::Linearizable, expected, "{history:#?} {judged:?}");
            assert!(!matches!(judged, Judgement::Unknown(_)));
            n_right += u32::from(expected);
            n += 1;
        }
        assert!(n_right > n / 5 && n_right < 4 * n / 5, "too one-sided: {n_right} of {n}");
    }

    /// All parts with all their operations, whatever the easy way says of them.
    fn kept(
        history: &[Observed],
    ) -> HistoryJudge<Register<u64>, Held<RegisterOperation<u64>>, Held<RegisterResult<u64>>> {
        let mut judging = HistoryJudge::of_parts(Register::new(0), [String::new()]);
        for it in history {
            let client = it.client.name()["client".len()..].parse().unwrap();
            match &it.what {
                Operation::Invoked(it) => judging.invoked(client, Held::new(it).unwrap()),
                Operation::Returned(it) => {
                    judging.returned(client, Held::new(it).unwrap()).unwrap();
                }
            }
        }
        judging
    }

    #[test]
    fn the_deep_search_agrees_too() {
        let mut random = Random::new(43);
        for _ in 0..5_000 {
            let (recording, history) = random_history(&mut random, 14, 3);
            let initial = Register::new(0u64);
            let expected = is_linearizable(recording.histories(), &initial);
            let judging = kept(&history);
            for line in judging.parts.iter() {
                let found = search(&line.all, &initial, STEPS_MAX);
                assert_eq!(found == Found::Order, expected, "{history:#?} {found:?}");
            }
        }
    }

    #[test]
    fn zones_agree_where_every_value_is_written_once() {
        let mut random = Random::new(47);
        let (mut n_right, mut n) = (0, 0);
        for _ in 0..5_000 {
            let (recording, history) = random_history_of(&mut random, 24, 3, true);
            let initial = Register::new(0u64);
            let judging = kept(&history);
            let expected = is_linearizable(recording.histories(), &initial);
            for line in judging.parts.iter() {
                let found =
                    zones::decide(&line.all, &initial).expect("every value is written once");
                assert_eq!(found == Found::Order, expected, "{history:#?} {found:?}");
                n_right += u32::from(expected);
                n += 1;
            }
        }
        assert!(n_right > n / 5 && n_right < 4 * n / 5, "too one-sided: {n_right} of {n}");
    }

    #[test]
    fn much_that_is_open_at_once_is_judged_by_zones() {
        let mut history = Vec::new();
        for client in 0..30 {
            let write = RegisterOperation::Write(client as u64);
            history.push(observed(client, Operation::Invoked(Value::new(write))));
        }
        for client in 0..30 {
            let done = RegisterResult::<u64>::WriteOk;
            history.push(observed(client, Operation::Returned(Value::new(done))));
        }
        let read = |value: u64| {
            let mut history = history.clone();
            let invoked = RegisterOperation::<u64>::Read;
            history.push(observed(0, Operation::Invoked(Value::new(invoked))));
            let result = RegisterResult::ReadOk(value);
            history.push(observed(0, Operation::Returned(Value::new(result))));
            judge(&history, &Register::new(99u64))
        };
        assert_eq!(read(7), Judgement::Linearizable);
        assert_eq!(read(29), Judgement::Linearizable);
        assert!(matches!(read(99), Judgement::NotLinearizable(_)));
    }
}
