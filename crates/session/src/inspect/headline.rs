//! The sentence about an operation that no order explains: what it returned, and what had been seen before it was asked for.
//! Why beside the property's own words: those say what could have been returned. Somebody who has never heard of
//! linearizability understands "client2's Read returned A, although client1's Read had returned B before client2 asked".
//! Every part of the sentence is a fact of the run; the property itself has to blame the operation, else nothing is said.

use super::{ClientOperations, Operation};

/// The sentence, if what is wrong is an operation that was answered last, and something had been answered before it.
pub(super) fn of_operations(clients: &[ClientOperations], message: &str) -> Option<String> {
    let (client, operation) = clients.iter().find_map(|client| {
        let last = client.operations.iter().find(|it| it.impossible)?;
        Some((&*client.member, last))
    })?;
    let result = operation.result.as_deref()?;
    let blamed = format!("{client}'s {} returned {result}", operation.what);
    if !message.starts_with(&blamed) {
        return None;
    }
    let (other, before) = telling(clients, client, operation)?;
    let asked = format!("{client}'s {} returned {}", operation.what, answer(result));
    let seen = match shown(before) {
        Some(seen) => format!("had returned {seen}"),
        None => "had finished".to_owned(),
    };
    Some(match other == client {
        true => format!("{asked}, although its own {} {seen} before.", before.what),
        false => {
            format!("{asked}, although {other}'s {} {seen} before {client} asked.", before.what)
        }
    })
}

/// What had been answered before an operation began and tells most: the same question with another answer, else the latest of
/// another client, else the client's own.
fn telling<'c>(
    clients: &'c [ClientOperations],
    client: &str,
    operation: &Operation,
) -> Option<(&'c str, &'c Operation)> {
    let all = clients.iter().flat_map(|it| it.operations.iter().map(|op| (&*it.member, op)));
    let before = all.filter(|(_, it)| it.to.is_some_and(|to| to <= operation.from));
    let is_same = |it: &Operation| it.what == operation.what && it.result != operation.result;
    before.max_by_key(|(member, it)| (is_same(it), *member != client, it.to))
}

/// What an operation returned, if that is more than that it was done.
fn shown(operation: &Operation) -> Option<&str> {
    let result = operation.result.as_deref()?;
    (!result.ends_with("Ok")).then(|| answer(result))
}

/// `A` for `ReadOk(A)`.
fn answer(result: &str) -> &str {
    let inner = result.split_once("Ok(").and_then(|(name, rest)| {
        let is_name = name.chars().all(|it| it.is_alphanumeric() || it == '_');
        rest.strip_suffix(')').filter(|_| is_name)
    });
    inner.unwrap_or(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(what: &str, from: u32, to: Option<u32>, result: Option<&str>) -> Operation {
        let result = result.map(str::to_owned);
        Operation { what: what.to_owned(), from, to, result, impossible: to == Some(17) }
    }

    fn client(member: &str, operations: Vec<Operation>) -> ClientOperations {
        ClientOperations { member: member.to_owned(), operations }
    }

    #[test]
    fn the_same_question_with_another_answer_tells_most() {
        let one = vec![
            operation("Write(A)", 0, Some(12), Some("WriteOk")),
            operation("Read", 12, Some(14), Some("ReadOk(B)")),
        ];
        let two = vec![
            operation("Write(B)", 0, Some(15), Some("WriteOk")),
            operation("Read", 15, Some(17), Some("ReadOk(A)")),
        ];
        let clients = [client("client1", one), client("client2", two)];
        let message =
            "client2's Read returned ReadOk(A), which no order of the operations explains";
        assert_eq!(
            of_operations(&clients, message).as_deref(),
            Some(
                "client2's Read returned A, although client1's Read had returned B before client2 asked."
            )
        );
        assert_eq!(
            of_operations(&clients, "two leaders at once"),
            None,
            "it is blamed for nothing"
        );
    }

    #[test]
    fn a_client_may_contradict_itself() {
        let own = vec![
            operation("Write(A)", 0, Some(2), Some("WriteOk")),
            operation("Read", 2, Some(17), Some("ReadOk(nothing)")),
        ];
        let other = vec![operation("Write(B)", 0, None, None)];
        let clients = [client("client1", own), client("client2", other)];
        let words =
            of_operations(&clients, "client1's Read returned ReadOk(nothing), which").unwrap();
        assert_eq!(
            words,
            "client1's Read returned nothing, although its own Write(A) had finished before."
        );
    }

    #[test]
    fn without_anything_before_there_is_no_such_sentence() {
        let clients = [client("a", vec![operation("Read", 0, Some(17), Some("x"))])];
        assert_eq!(of_operations(&clients, "a's Read returned x, which"), None);
    }
}
