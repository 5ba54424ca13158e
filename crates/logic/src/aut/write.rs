//! Writing `.aut` as a stream.
//! Why two ways: the header has the counts, which are known only at the end. Where the output can seek, a header line of
//! fixed width is written first and filled in last. Where it cannot (a pipe), the caller generates twice: once into
//! [`Nowhere`](crate::Nowhere) for the counts, which costs no memory, then with [`Writer::with_counts`].

use crate::{Lts, Sink};
use std::io::{self, Seek, SeekFrom, Write};

/// Bytes reserved for the header line, its line feed included; room for three numbers of eleven digits.
const HEADER_WIDTH: usize = 48;
/// Bytes collected before they are handed on.
const BUFFER: usize = 1 << 16;

/// How the internal step is spelt.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Tau {
    /// `i`
    Cadp,
    /// `"tau"`
    #[default]
    Mcrl2,
}

/// Writes transitions as they come.
pub struct Writer<W: Write> {
    output: W,
    buffer: Vec<u8>,
    tau: Tau,
    written: u64,
    expected: Option<u64>,
}

impl<W: Write + Seek> Writer<W> {
    /// The header is filled in by [`Writer::finish`].
    pub fn seekable(output: W, tau: Tau) -> Self {
        let mut buffer = Vec::with_capacity(2 * BUFFER);
        buffer.resize(HEADER_WIDTH - 1, b' ');
        buffer.push(b'\n');
        Writer { output, buffer, tau, written: 0, expected: None }
    }

    /// Writes what is left and the header: the initial state is 0.
    pub fn finish(mut self, n_states: u64) -> io::Result<W> {
        self.hand_on()?;
        let end = self.output.stream_position()?;
        self.output.seek(SeekFrom::Start(0))?;
        let header = header(0, self.written, n_states);
        assert!(header.len() < HEADER_WIDTH, "room was reserved");
        self.output.write_all(header.as_bytes())?;
        self.output.seek(SeekFrom::Start(end))?;
        self.output.flush()?;
        Ok(self.output)
    }
}

impl<W: Write> Writer<W> {
    /// For an output that cannot seek: the counts are known.
    pub fn with_counts(
        output: W,
        tau: Tau,
        initial: u32,
        n_states: u64,
        n_transitions: u64,
    ) -> Self {
        let mut buffer = Vec::with_capacity(2 * BUFFER);
        buffer.extend_from_slice(header(initial, n_transitions, n_states).as_bytes());
        buffer.push(b'\n');
        Writer { output, buffer, tau, written: 0, expected: Some(n_transitions) }
    }

    /// Writes what is left.
    ///
    /// # Panics
    /// If there were not as many transitions as announced.
    pub fn end(mut self) -> io::Result<W> {
        assert!(
            self.expected.is_none_or(|expected| expected == self.written),
            "as many transitions as announced"
        );
        self.hand_on()?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.output.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

impl<W: Write> Sink for Writer<W> {
    fn transition(&mut self, from: u32, label: Option<&str>, to: u32) -> io::Result<()> {
        if self.tau == Tau::Cadp && label == Some("i") {
            let why = "the label `i` would be taken for the internal step, which is spelt `i` too";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let buffer = &mut self.buffer;
        buffer.push(b'(');
        push_number(buffer, from);
        match (label, self.tau) {
            (Some(label), _) => {
                buffer.extend_from_slice(b",\"");
                let start = buffer.len();
                buffer.extend_from_slice(label.as_bytes());
                // A label is one line.
                for byte in &mut buffer[start..] {
                    if matches!(*byte, b'\n' | b'\r') {
                        *byte = b' ';
                    }
                }
                buffer.extend_from_slice(b"\",");
            }
            (None, Tau::Cadp) => buffer.extend_from_slice(b",i,"),
            (None, Tau::Mcrl2) => buffer.extend_from_slice(b",\"tau\","),
        }
        push_number(buffer, to);
        buffer.extend_from_slice(b")\n");
        self.written += 1;
        if buffer.len() >= BUFFER { self.hand_on() } else { Ok(()) }
    }
}

/// Writes an LTS whose counts are known.
pub fn write<W: Write>(lts: &Lts, tau: Tau, output: W) -> io::Result<W> {
    let (n_states, n_transitions) = (lts.n_states() as u64, lts.n_transitions() as u64);
    let mut writer = Writer::with_counts(output, tau, lts.initial(), n_states, n_transitions);
    lts.send_to(&mut writer)?;
    writer.end()
}

fn header(initial: u32, n_transitions: u64, n_states: u64) -> String {
    format!("des ({initial},{n_transitions},{n_states})")
}

#[inline]
fn push_number(buffer: &mut Vec<u8>, mut number: u32) {
    let mut digits = [0u8; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    buffer.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LtsBuilder, aut::read};

    fn sample() -> Lts {
        let mut builder = LtsBuilder::default();
        builder.add(0, Some("say \"x\", y"), 1);
        builder.add(1, None, 4_000);
        builder.add(4_000, Some("two\nlines"), 0);
        builder.build(0)
    }

    #[test]
    fn both_ways_of_writing_read_back() {
        let lts = sample();
        for tau in [Tau::Cadp, Tau::Mcrl2] {
            let plain = write(&lts, tau, Vec::new()).unwrap();
            let mut writer = Writer::seekable(io::Cursor::new(Vec::new()), tau);
            lts.send_to(&mut writer).unwrap();
            let sought = writer.finish(4_001).unwrap().into_inner();
            for bytes in [plain, sought] {
                let back = read(&bytes[..]).unwrap();
                assert_eq!(back.n_states(), 4_001);
                let names: Vec<_> =
                    back.transitions().map(|(_, label, _)| back.labels().name(label)).collect();
                let internal = if tau == Tau::Cadp { "i" } else { "tau" };
                assert_eq!(names, ["say \"x\", y", internal, "two lines"]);
            }
        }
    }

    #[test]
    fn a_visible_i_is_never_written_as_an_internal_step() {
        let mut builder = LtsBuilder::default();
        builder.add(0, Some("i"), 1);
        let lts = builder.build(0);
        assert!(write(&lts, Tau::Cadp, Vec::new()).is_err());
        let back = read(&write(&lts, Tau::Mcrl2, Vec::new()).unwrap()[..]).unwrap();
        assert_eq!(back.labels().visible(back.edges(0)[0].label), Some("i"));
    }

    #[test]
    fn the_text_is_what_other_tools_read() {
        let mut builder = LtsBuilder::default();
        builder.add(0, Some("a"), 1);
        builder.add(1, None, 0);
        let lts = builder.build(1);
        let text = |tau| String::from_utf8(write(&lts, tau, Vec::new()).unwrap()).unwrap();
        assert_eq!(text(Tau::Cadp), "des (1,2,2)\n(0,\"a\",1)\n(1,i,0)\n");
        assert_eq!(text(Tau::Mcrl2), "des (1,2,2)\n(0,\"a\",1)\n(1,\"tau\",0)\n");
    }
}
