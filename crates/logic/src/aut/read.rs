//! Reading `.aut`, with a line for everything that is wrong.

use crate::{Diagnostic, LabelId, Lts, LtsBuilder, Span, codes};
use std::io::BufRead;

/// No more room than for so many transitions is made on a header's word alone.
const TRUSTED: u64 = 1 << 22;

/// Reads a whole file; the counts in the header must be true.
///
/// ```
/// let lts = foresee_logic::aut::read(&b"des (0, 2, 2)\n(0, \"use(c1)\", 1)\n(1, tau, 0)\n"[..]).unwrap();
/// assert_eq!((lts.n_states(), lts.n_transitions()), (2, 2));
/// let cut = foresee_logic::aut::read(&b"des (0, 2, 2)\n(0, a, 1)\n"[..]).unwrap_err();
/// assert_eq!(cut.code.to_string(), "E0403");
/// ```
pub fn read(mut input: impl BufRead) -> Result<Lts, Diagnostic> {
    let mut lines = Lines { buffer: Vec::new(), number: 0 };
    let header = lines.header(&mut input)?;
    let mut builder = LtsBuilder::default();
    builder.at_least_states(header.n_states.min(u64::from(u32::MAX)) as u32);
    let mut last: Option<(Vec<u8>, LabelId)> = None;
    while let Some(line) = lines.next(&mut input)? {
        let line_number = lines.number;
        let transition = match parse_transition(&lines.buffer[line.clone()]) {
            Some(transition) => transition,
            None => return Err(malformed(&mut lines, line, &mut input, &builder, &header)),
        };
        if builder.n_transitions() as u64 == header.n_transitions {
            let message = format!(
                "there are more transitions than the {} of the header",
                header.n_transitions
            );
            return Err(wrong_count(message).on_line(line_number));
        }
        for state in [transition.from, transition.to] {
            if state >= header.n_states {
                let message = format!(
                    "state {state} does not exist: the header says {} states, numbered from 0",
                    header.n_states
                );
                return Err(Diagnostic::error(codes::AUT_STATE, Span::NONE, message)
                    .on_line(line_number)
                    .help("correct the state's number, or the number of states in the header"));
            }
        }
        let bytes = &lines.buffer[transition_label(&line, &transition)];
        let label = match &last {
            Some((name, label)) if name.as_slice() == bytes => *label,
            _ => {
                let Ok(name) = std::str::from_utf8(bytes) else {
                    let message = "the label is not UTF-8 text";
                    return Err(Diagnostic::error(codes::AUT_LINE, Span::NONE, message)
                        .on_line(line_number));
                };
                let label = builder.labels_mut().intern(name);
                last = Some((bytes.to_vec(), label));
                label
            }
        };
        builder.add_edge(transition.from as u32, label, transition.to as u32);
    }
    if (builder.n_transitions() as u64) < header.n_transitions {
        return Err(truncated(&builder, &header).on_line(lines.number));
    }
    Ok(builder.build(header.initial as u32))
}

/// The first line.
struct Header {
    initial: u64,
    n_transitions: u64,
    n_states: u64,
}

/// A transition, its label as a range of the line.
struct Transition {
    from: u64,
    label: std::ops::Range<usize>,
    to: u64,
}

fn transition_label(
    line: &std::ops::Range<usize>,
    transition: &Transition,
) -> std::ops::Range<usize> {
    line.start + transition.label.start..line.start + transition.label.end
}

/// The lines of a file that hold something.
struct Lines {
    buffer: Vec<u8>,
    number: u64,
}

impl Lines {
    /// The next line, trimmed, as a range of the buffer; `None` at the end.
    fn next(
        &mut self,
        input: &mut impl BufRead,
    ) -> Result<Option<std::ops::Range<usize>>, Diagnostic> {
        loop {
            self.buffer.clear();
            let n_read = input.read_until(b'\n', &mut self.buffer).map_err(|error| {
                let message = format!("the file could not be read: {error}");
                Diagnostic::error(codes::UNREADABLE, Span::NONE, message).on_line(self.number + 1)
            })?;
            if n_read == 0 {
                return Ok(None);
            }
            self.number += 1;
            let line = trimmed(&self.buffer, 0..self.buffer.len());
            if !line.is_empty() {
                return Ok(Some(line));
            }
        }
    }

    fn header(&mut self, input: &mut impl BufRead) -> Result<Header, Diagnostic> {
        let line = self.next(input)?;
        let header = line.and_then(|line| parse_header(&self.buffer[line]));
        let Some(header) = header else {
            let message = "the first line is not `des (first, transitions, states)`";
            return Err(Diagnostic::error(codes::AUT_HEADER, Span::NONE, message)
                .on_line(self.number.max(1))
                .help("a header looks like: des (0, 48, 33)"));
        };
        if header.n_states == 0 || header.n_states > u64::from(u32::MAX) - 2 {
            let message = format!("an LTS cannot have {} states", header.n_states);
            return Err(
                Diagnostic::error(codes::AUT_HEADER, Span::NONE, message).on_line(self.number)
            );
        }
        if header.initial >= header.n_states {
            let message = format!(
                "the first state, {}, does not exist: there are {} states, numbered from 0",
                header.initial, header.n_states
            );
            return Err(
                Diagnostic::error(codes::AUT_STATE, Span::NONE, message).on_line(self.number)
            );
        }
        if header.n_states > TRUSTED && header.n_states > 2 * header.n_transitions + 1 {
            let message = format!(
                "{} states cannot all be reached by {} transitions",
                header.n_states, header.n_transitions
            );
            return Err(
                Diagnostic::error(codes::AUT_HEADER, Span::NONE, message).on_line(self.number)
            );
        }
        Ok(header)
    }
}

/// What to say of a line that is no transition: most of all, whether the file ends there.
fn malformed(
    lines: &mut Lines,
    line: std::ops::Range<usize>,
    input: &mut impl BufRead,
    builder: &LtsBuilder,
    header: &Header,
) -> Diagnostic {
    let line_number = lines.number;
    let text = String::from_utf8_lossy(&lines.buffer[line]).chars().take(60).collect::<String>();
    let is_last = matches!(lines.next(input), Ok(None));
    if is_last && (builder.n_transitions() as u64) < header.n_transitions {
        return truncated(builder, header).on_line(line_number);
    }
    Diagnostic::error(codes::AUT_LINE, Span::NONE, format!("`{text}` is no transition"))
        .on_line(line_number)
        .help("a transition looks like: (0, \"call(locker,request,c1)\", 1)")
}

fn truncated(builder: &LtsBuilder, header: &Header) -> Diagnostic {
    wrong_count(format!(
        "the file ends after {} of {} transitions",
        builder.n_transitions(),
        header.n_transitions
    ))
}

fn wrong_count(message: String) -> Diagnostic {
    Diagnostic::error(codes::AUT_COUNT, Span::NONE, message)
        .help("generate the file again; if it was edited, correct the second number of the header")
}

fn parse_header(line: &[u8]) -> Option<Header> {
    let rest = trim(line.strip_prefix(b"des")?);
    let inside = rest.strip_prefix(b"(")?.strip_suffix(b")")?;
    let mut numbers = inside.split(|byte| *byte == b',').map(|part| parse_number(trim(part)));
    let (initial, n_transitions, n_states) = (numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(Header { initial, n_transitions, n_states })
}

fn parse_transition(line: &[u8]) -> Option<Transition> {
    if line.first() != Some(&b'(') || line.last() != Some(&b')') {
        return None;
    }
    let first = line.iter().position(|byte| *byte == b',')?;
    let last = line.iter().rposition(|byte| *byte == b',')?;
    let from = parse_number(trim(&line[1..first]))?;
    let to = parse_number(trim(&line[last + 1..line.len() - 1]))?;
    let mut label = trimmed(line, (first + 1).min(last)..last);
    let is_quoted = line[label.clone()].first() == Some(&b'"');
    if is_quoted {
        let is_closed = label.len() >= 2 && line[label.end - 1] == b'"';
        label = is_closed.then(|| label.start + 1..label.end - 1)?;
    }
    let is_label = last > first && (is_quoted || !label.is_empty());
    is_label.then_some(Transition { from, label, to })
}

fn parse_number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    digits.iter().try_fold(0u64, |sum, byte| {
        byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0'))
    })
}

fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

/// The part of `range` without white space at its ends.
fn trimmed(bytes: &[u8], range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let part = &bytes[range.clone()];
    let start = range.start + (part.len() - part.trim_ascii_start().len());
    start..start + part.trim_ascii().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> (String, Option<u64>) {
        let error = read(text.as_bytes()).unwrap_err();
        (error.code.to_string(), error.line)
    }

    #[test]
    fn labels_are_quoted_or_bare_and_may_hold_commas_and_quotes() {
        let text = "des(0,5,3)\n(0,\"call(a, b)\",1)\n(1, tau ,2)\n\n(2,\"say \"x\", y\",0)\n\
                    (2, plain(1,2), 1)\r\n(1,\"i\",0)\n";
        let lts = read(text.as_bytes()).unwrap();
        let names: Vec<_> =
            lts.transitions().map(|(_, label, _)| lts.labels().name(label).to_owned()).collect();
        assert_eq!(names, ["call(a, b)", "tau", "i", "say \"x\", y", "plain(1,2)"]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        assert_eq!(code(""), ("E0401".to_owned(), Some(1)));
        assert_eq!(code("des (0, 1)\n"), ("E0401".to_owned(), Some(1)));
        assert_eq!(code("des (0, 0, 0)\n"), ("E0401".to_owned(), Some(1)));
        assert_eq!(code("des (0, 3, 999999999)\n"), ("E0401".to_owned(), Some(1)));
        assert_eq!(code("des (5, 1, 2)\n(0, a, 1)\n"), ("E0404".to_owned(), Some(1)));
        assert_eq!(code("des (0, 2, 2)\n(0, a, 1)\n(0, a, 2)\n"), ("E0404".to_owned(), Some(3)));
        assert_eq!(code("des (0, 2, 2)\n(0 a 1)\n(0, a, 1)\n"), ("E0402".to_owned(), Some(2)));
        assert_eq!(code("des (0, 1, 2)\n(0, a, x)\nmore\n"), ("E0402".to_owned(), Some(2)));
        assert_eq!(code("des (0, 1, 2)\n(0, , 1)\nmore\n"), ("E0402".to_owned(), Some(2)));
        assert_eq!(code("des (0, 2, 2)\n(0, a, 1)\n"), ("E0403".to_owned(), Some(2)));
        assert_eq!(code("des (0, 2, 2)\n(0, a, 1)\n(1, \"b"), ("E0403".to_owned(), Some(3)));
        assert_eq!(code("des (0, 1, 2)\n(0, a, 1)\n(1, a, 0)\n"), ("E0403".to_owned(), Some(3)));
    }

    #[test]
    fn text_that_is_not_text_is_refused() {
        let error = read(&b"des (0, 1, 1)\n(0, \"\xff\", 0)\n"[..]).unwrap_err();
        assert_eq!((error.code, error.line), (codes::AUT_LINE, Some(2)));
    }

    #[test]
    fn a_reader_that_fails_is_reported() {
        struct Broken;
        impl std::io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("gone"))
            }
        }
        let error = read(std::io::BufReader::new(Broken)).unwrap_err();
        assert_eq!(error.code, codes::UNREADABLE);
        assert!(error.message.contains("gone"));
    }

    #[test]
    fn damaged_files_are_answered_and_never_half_read() {
        let good = b"des (0,4,3)\n(0,\"call(a, b)\",1)\n(1,i,2)\n(2,\"c\",0)\n(2,d,2)\n";
        let mut random = foresee_stdx::Random::new(9);
        let (mut accepted, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let mut bytes = good.to_vec();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len() as u64) as usize;
                match random.below(3) {
                    0 => bytes[at] = b"0129(),\"\n dxi\xff"[random.below(14) as usize],
                    1 if bytes.len() > 1 => _ = bytes.remove(at),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            match read(&bytes[..]) {
                Err(_) => refused += 1,
                Ok(lts) => {
                    accepted += 1;
                    assert!(lts.all_edges().iter().all(|e| (e.target as usize) < lts.n_states()));
                }
            }
        }
        assert!(accepted > 500 && refused > 5_000, "{accepted} {refused}");
    }
}
