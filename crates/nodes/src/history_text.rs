//! Histories as text: what clients asked and were told, one event a line, in the order of time.
//! ```text
//! foresee history 1
//! 1200 client1 invoke PUT:colour:red
//! 1350 client2 invoke GET:colour
//! 1900 client1 return OK
//! 2400 client2 lost
//! ```
//! A line is a time in nanoseconds, a client, a word and the operation or the result; `lost` says that the client will never see the result.
//! A line break inside a value is written `\n`, a carriage return `\r`, a backslash `\\`. Blank lines and lines that begin with `#` count for nothing.
//! Invariant: times do not decrease; the reader refuses a file in which they do, because its order is all that is judged.

use crate::Address;
use foresee_node::{Observed, Operation};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write as _;

/// The first line of a file.
pub const HISTORY_HEADER: &str = "foresee history 1";

/// One line that says something.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HistoryLine<'a> {
    /// The client's number, in the order of first mention.
    pub client: u32,
    pub event: HistoryEvent<'a>,
}

/// What a line says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum HistoryEvent<'a> {
    Invoke(Cow<'a, str>),
    Return(Cow<'a, str>),
    Lost,
}

/// Reads a history line by line.
///
/// ```
/// use foresee_nodes::{HistoryEvent, HistoryReader};
/// let mut reader = HistoryReader::default();
/// assert_eq!(reader.line("foresee history 1"), Ok(None));
/// let line = reader.line("17 client1 invoke PUT:k:two\\nlines").unwrap().unwrap();
/// assert_eq!((line.client, line.event), (0, HistoryEvent::Invoke("PUT:k:two\nlines".into())));
/// assert!(reader.line("16 client1 return OK").unwrap_err().contains("before"));
/// ```
#[derive(Debug, Default)]
pub struct HistoryReader {
    has_begun: bool,
    last: u64,
    numbers: FxHashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl HistoryReader {
    /// What a line says, if anything; why it is no line of a history.
    pub fn line<'a>(&mut self, line: &'a str) -> Result<Option<HistoryLine<'a>>, String> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if !self.has_begun {
            if line.strip_prefix('\u{feff}').unwrap_or(line) != HISTORY_HEADER {
                return Err(format!("a history begins with the line `{HISTORY_HEADER}`"));
            }
            self.has_begun = true;
            return Ok(None);
        }
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let wrong = || {
            "this is not `TIME CLIENT invoke OPERATION`, `… return RESULT` or `… lost`".to_owned()
        };
        let (time, rest) = line.split_once(' ').ok_or_else(wrong)?;
        let (client, rest) = rest.split_once(' ').ok_or_else(wrong)?;
        let (word, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let time: u64 = time.parse().map_err(|_| format!("`{time}` is no time in nanoseconds"))?;
        if time < self.last {
            return Err(format!(
                "this happened before what stands above it ({time} after {})",
                self.last
            ));
        }
        self.last = time;
        let event = match (word, text) {
            ("invoke", _) => HistoryEvent::Invoke(unescaped(text)?),
            ("return", _) => HistoryEvent::Return(unescaped(text)?),
            ("lost", "") => HistoryEvent::Lost,
            _ => return Err(wrong()),
        };
        Ok(Some(HistoryLine { client: self.number(client), event }))
    }

    fn number(&mut self, client: &str) -> u32 {
        if let Some(number) = self.numbers.get(client) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(client.into());
        self.numbers.insert(client.into(), number);
        number
    }

    /// The name of a client.
    pub fn name(&self, client: u32) -> &str {
        self.names.get(client as usize).map_or("nobody", |name| &**name)
    }

    /// How many clients have been mentioned.
    pub fn n_clients(&self) -> usize {
        self.names.len()
    }

    /// Whether the first line has been read.
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }
}

fn unescaped(text: &str) -> Result<Cow<'_, str>, String> {
    if !text.contains('\\') {
        return Ok(Cow::Borrowed(text));
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(match (letter, letter == '\\') {
            (letter, false) => letter,
            (_, true) => match letters.next() {
                Some('\\') => '\\',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => return Err("a backslash begins `\\\\`, `\\n` or `\\r`".to_owned()),
            },
        });
    }
    Ok(Cow::Owned(plain))
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', '\n', '\r']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r"))
}

/// A history as text; `words` puts an operation or a result into the words of its specification. `None` if it cannot.
pub fn history_text(
    history: &[Observed],
    words: impl Fn(&Operation) -> Option<String>,
) -> Option<String> {
    let mut text = format!("{HISTORY_HEADER}\n");
    for Observed { client, at, what } in history {
        let said = words(what)?;
        let word = match what {
            Operation::Invoked(_) => "invoke",
            Operation::Returned(_) => "return",
        };
        let client: Address = *client;
        let _ = writeln!(text, "{} {client} {word} {}", at.as_nanos(), escaped(&said));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_node::Value;
    use std::time::Duration;

    #[test]
    fn what_was_written_is_read() {
        let at = Duration::from_nanos;
        let put = Operation::Invoked(Value::new("PUT:k:a\\b\r\nc".to_owned()));
        let ok = Operation::Returned(Value::new("OK".to_owned()));
        let history = [(5, put), (9, ok)];
        let history = history.map(|(ns, what)| Observed { client: "c1".into(), at: at(ns), what });
        let words = |it: &Operation| match it {
            Operation::Invoked(value) | Operation::Returned(value) => {
                value.get::<String>().cloned()
            }
        };
        let text = history_text(&history, words).unwrap();
        let mut reader = HistoryReader::default();
        let lines: Vec<_> = text.lines().filter_map(|line| reader.line(line).unwrap()).collect();
        assert_eq!(lines[0].event, HistoryEvent::Invoke("PUT:k:a\\b\r\nc".into()));
        assert_eq!(lines[1].event, HistoryEvent::Return("OK".into()));
        assert_eq!((lines.len(), reader.name(0)), (2, "c1"));
    }

    #[test]
    fn nonsense_is_explained() {
        let error = |line: &str| {
            let mut reader = HistoryReader::default();
            reader.line(HISTORY_HEADER).unwrap();
            reader.line(line).unwrap_err()
        };
        assert!(HistoryReader::default().line("5 c invoke X").unwrap_err().contains("begins with"));
        assert!(error("x c invoke X").contains("no time"));
        assert!(error("5 c").contains("this is not"));
        assert!(error("5 c lost X").contains("this is not"));
        assert!(error("5 c call X").contains("this is not"));
        assert!(error("5 c invoke a\\x").contains("a backslash begins"));
    }
}
