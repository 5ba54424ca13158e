//! The linearizability checkers against brute force and against each other, on thousands of random histories.
//! A history is made by a faulty store: operations take effect somewhere between invocation and return, and now and
//! then a result is falsified. So both kinds of histories are common, and most wrong ones are wrong by a hair.

use foresee_nodes::{
    Address, ClientHistory, KeyValueCommand, KeyValueResult, KeyValueStore, Linearizable, Note,
    Recorder, Recording, Register, RegisterOperation, RegisterResult, Sequential, Value, check,
    is_linearizable,
};
use foresee_stdx::Random;

/// Tries every subset of the pending operations and every order of it all.
fn brute_force<S: Sequential>(histories: &[ClientHistory], initial: &S) -> bool {
    let mut all = Vec::new();
    for (client, history) in histories.iter().enumerate() {
        let mut completed = 0;
        for (index, recorded) in history.operations().iter().enumerate() {
            all.push((client, index, completed, recorded.result.is_some()));
            completed += u32::from(recorded.result.is_some());
        }
    }
    fn go<S: Sequential>(
        histories: &[ClientHistory],
        all: &[(usize, usize, u32, bool)],
        done: &mut Vec<usize>,
        object: &S,
    ) -> bool {
        if (0..all.len()).all(|i| done.contains(&i) || !all[i].3) {
            return true;
        }
        for i in 0..all.len() {
            if done.contains(&i) {
                continue;
            }
            let (client, index, own_before, _) = all[i];
            let recorded = &histories[client].operations()[index];
            // Everything that returned before this one was invoked must be done.
            let early = (0..all.len()).any(|j| {
                let (other, _, place, returned) = all[j];
                let before = match other == client {
                    true => own_before,
                    false => recorded.completed_before[other],
                };
                returned && place < before && !done.contains(&j)
            });
            if early {
                continue;
            }
            let mut after = object.clone();
            let result = after.apply(recorded.operation.get().unwrap());
            if recorded.result.as_ref().is_some_and(|seen| seen.get() != Some(&result)) {
                continue;
            }
            done.push(i);
            if go(histories, all, done, &after) {
                return true;
            }
            done.pop();
        }
        false
    }
    go(histories, &all, &mut Vec::new(), initial)
}

/// What kind of histories to make.
struct Shape {
    clients: usize,
    operations_max: u64,
    /// How often a result is replaced.
    falsify: f64,
    /// How often a client gives up on an operation.
    give_up: f64,
}

/// The notes of a random run.
fn random_notes<S: Sequential>(
    random: &mut Random,
    shape: &Shape,
    initial: &S,
    operation: impl Fn(&mut Random) -> S::Operation,
    other_result: impl Fn(&mut Random) -> S::Result,
) -> Vec<(usize, Note)>
where
    S::Operation: Clone,
    S::Result: Clone,
{
    struct Client<O, R> {
        pending: Option<(O, Option<R>)>,
    }
    let mut object = initial.clone();
    let mut clients: Vec<Client<S::Operation, S::Result>> =
        (0..shape.clients).map(|_| Client { pending: None }).collect();
    let mut notes = Vec::new();
    let mut left = random.between(1, shape.operations_max);
    for _ in 0..60 {
        let number = random.below(shape.clients as u64) as usize;
        let client = &mut clients[number];
        match &mut client.pending {
            Some((operation, outcome)) if outcome.is_none() && random.chance(0.6) => {
                *outcome = Some(object.apply(operation));
            }
            Some((_, Some(result))) => {
                let wrong = random.chance(shape.falsify);
                let result = if wrong { other_result(random) } else { result.clone() };
                notes.push((number, Note::Returned(Value::new(result))));
                client.pending = None;
            }
            waiting if left > 0 && (waiting.is_none() || random.chance(shape.give_up)) => {
                left -= 1;
                let operation = operation(random);
                notes.push((number, Note::Invoked(Value::new(operation.clone()))));
                client.pending = Some((operation, None));
            }
            _ => {}
        }
    }
    notes
}

/// Brute force, the search and the monitor on one run, after every note. Returns whether it ended well.
fn agree<S: Sequential>(notes: &[(usize, Note)], clients: usize, initial: &S) -> bool {
    let recorder = Linearizable::new(initial.clone());
    let names: Vec<Address> = Address::numbered("client", clients);
    let mut monitor = recorder.initial_monitor();
    let mut ids: Vec<u32> = (0..clients).map(|client| recorder.initial_history(client)).collect();
    let mut recording = Recording::new(clients);
    let mut answer = true;
    for (client, note) in notes {
        recording.add(*client, note);
        let completed: Vec<u32> =
            (0..clients).map(|client| recorder.completed(client, ids[client])).collect();
        ids[*client] = recorder.record(*client, ids[*client], note, &completed);
        monitor = recorder.advance(monitor, *client, note);
        for (client, history) in recording.histories().iter().enumerate() {
            assert_eq!(*recorder.histories().unwrap().get(client, ids[client]), *history);
        }
        let expected = brute_force(recording.histories(), initial);
        let shown = || format!("{recording:#?}");
        let found = check(recording.histories(), initial);
        assert_eq!(found.is_ok(), expected, "the search is wrong about {}", shown());
        assert_eq!(recorder.accepts(monitor), expected, "the monitor is wrong about {}", shown());
        match found {
            Ok(found) => assert_explains(&found.order, recording.histories(), initial),
            Err(explanation) => {
                let (client, index) = explanation.operation.expect("every run has an operation");
                assert!(recording.histories()[client].operations()[index].result.is_some());
                assert_eq!(explanation.to_string(), recorder.explain(monitor, &ids, &names));
            }
        }
        assert!(answer || !expected, "what cannot be explained stays so");
        answer = expected;
    }
    answer
}

/// The order really explains the history.
fn assert_explains<S: Sequential>(
    order: &[(usize, usize)],
    histories: &[ClientHistory],
    initial: &S,
) {
    let mut object = initial.clone();
    for (client, index) in order {
        let recorded = &histories[*client].operations()[*index];
        let result = object.apply(recorded.operation.get().unwrap());
        assert!(recorded.result.as_ref().is_none_or(|seen| seen.get() == Some(&result)));
    }
    for (client, history) in histories.iter().enumerate() {
        for (index, recorded) in history.operations().iter().enumerate() {
            let times = order.iter().filter(|place| **place == (client, index)).count();
            assert!(times == 1 || times == 0 && recorded.result.is_none());
        }
    }
}

fn run_many<S: Sequential>(
    seed: u64,
    n: usize,
    shape: &Shape,
    initial: &S,
    operation: impl Fn(&mut Random) -> S::Operation + Copy,
    other_result: impl Fn(&mut Random) -> S::Result + Copy,
) -> usize
where
    S::Operation: Clone,
    S::Result: Clone,
{
    let mut random = Random::new(seed);
    (0..n)
        .filter(|_| {
            let notes = random_notes(&mut random, shape, initial, operation, other_result);
            agree(&notes, shape.clients, initial)
        })
        .count()
}

fn register_operation(random: &mut Random) -> RegisterOperation<u8> {
    match random.below(2) {
        0 => RegisterOperation::Read,
        _ => RegisterOperation::Write(random.below(3) as u8),
    }
}

fn register_result(random: &mut Random) -> RegisterResult<u8> {
    RegisterResult::ReadOk(random.below(3) as u8)
}

#[test]
fn registers_agree_with_brute_force() {
    let shape = Shape { clients: 3, operations_max: 7, falsify: 0.1, give_up: 0.0 };
    let n = 3000;
    let good = run_many(1, n, &shape, &Register::new(0), register_operation, register_result);
    assert!(good > n / 4 && good < n * 9 / 10, "too one-sided: {good} of {n} are linearizable");
}

#[test]
fn registers_whose_clients_give_up_agree_with_brute_force() {
    let shape = Shape { clients: 3, operations_max: 7, falsify: 0.1, give_up: 0.3 };
    let n = 3000;
    let good = run_many(2, n, &shape, &Register::new(0), register_operation, register_result);
    assert!(good > n / 4 && good < n * 9 / 10, "too one-sided: {good} of {n} are linearizable");
}

#[test]
fn key_value_stores_agree_with_brute_force() {
    let operation = |random: &mut Random| {
        let key = ["k", "l"][random.below(2) as usize];
        match random.below(4) {
            0 => KeyValueCommand::get(key),
            1 => KeyValueCommand::put(key, random.below(2).to_string()),
            2 => KeyValueCommand::append(key, random.below(2).to_string()),
            _ => {
                KeyValueCommand::swap(key, random.below(2).to_string(), random.below(2).to_string())
            }
        }
    };
    let other_result = |random: &mut Random| match random.below(3) {
        0 => KeyValueResult::KeyNotFound,
        1 => KeyValueResult::AppendResult(random.below(2).to_string()),
        _ => KeyValueResult::GetResult(random.below(2).to_string()),
    };
    let shape = Shape { clients: 3, operations_max: 7, falsify: 0.1, give_up: 0.05 };
    let n = 2000;
    let good = run_many(3, n, &shape, &KeyValueStore::default(), operation, other_result);
    assert!(good > n / 4 && good < n * 9 / 10, "too one-sided: {good} of {n} are linearizable");
}

#[test]
fn the_monitor_is_a_function_of_the_histories() {
    // Two invocations, or two returns, of different clients may change places: the histories stay, so must the monitor.
    let shape = Shape { clients: 3, operations_max: 8, falsify: 0.05, give_up: 0.1 };
    let mut random = Random::new(9);
    let recorder = Linearizable::new(Register::new(0));
    let follow = |notes: &[(usize, Note)]| {
        let step =
            |monitor, (client, note): &(usize, Note)| recorder.advance(monitor, *client, note);
        notes.iter().fold(recorder.initial_monitor(), step)
    };
    let mut swaps = 0;
    for _ in 0..3000 {
        let mut notes = random_notes(
            &mut random,
            &shape,
            &Register::new(0),
            register_operation,
            register_result,
        );
        let before = follow(&notes);
        for _ in 0..20 {
            let i = random.below(notes.len() as u64) as usize;
            let Some([a, b]) = notes.get(i..i + 2) else { continue };
            let same_kind = matches!(a.1, Note::Invoked(_)) == matches!(b.1, Note::Invoked(_));
            if a.0 != b.0 && same_kind {
                notes.swap(i, i + 1);
                swaps += 1;
                assert_eq!(follow(&notes), before);
            }
        }
    }
    assert!(swaps > 1000);
}

#[test]
fn long_histories_are_no_trouble() {
    let shape = Shape { clients: 5, operations_max: 1, falsify: 0.0, give_up: 0.0 };
    let mut random = Random::new(4);
    let mut recording = Recording::new(shape.clients);
    let mut object = Register::new(0u8);
    let mut pending: Vec<Option<RegisterResult<u8>>> = vec![None; shape.clients];
    for _ in 0..20_000 {
        let client = random.below(shape.clients as u64) as usize;
        match pending[client].take() {
            Some(result) => recording.returned(client, result),
            None => {
                let operation = register_operation(&mut random);
                pending[client] = Some(object.apply(&operation));
                recording.invoked(client, operation);
            }
        }
    }
    assert!(is_linearizable(recording.histories(), &Register::new(0u8)));
}

#[test]
fn operations_of_another_type_are_a_violation_that_says_so() {
    let mut recording = Recording::new(1);
    recording.invoked(0, 3i32);
    let explanation = check(recording.histories(), &Register::new('a')).unwrap_err();
    assert!(
        explanation.message.starts_with("client1 invoked 3, which is a i32 and not an operation"),
        "{explanation}"
    );
    let mut recording = Recording::new(1);
    recording.returned(0, RegisterResult::ReadOk('a'));
    let explanation = check(recording.histories(), &Register::new('a')).unwrap_err();
    assert_eq!(
        explanation.message,
        "client1: ReadOk('a') was returned, but no operation was waiting for a result"
    );
}
