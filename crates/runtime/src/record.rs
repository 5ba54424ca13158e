//! Recording: what happened to the nodes of a process, in order, written before anything that follows from it leaves the process.
//! An event is who it happened to and a hash of what it was: the message (and who sent it), or the timer. Handlers are functions, so the
//! rest follows: messages are found again by running the handlers, and a run that differs is noticed at the first message or timer that
//! is not there. A few bytes an event; nothing is formatted.
//! Why the hash and no counter of each link: equal messages from one node to another cannot be told apart by anybody, and a hash
//! finds the message also when others were lost on the way.
//! Invariant: `flush` comes before links are released. The record of a process that was killed has every event whose messages left; what is
//! cut at its end had no consequences.

use foresee_node::{Address, Cause};
use foresee_stdx::stable_hash;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write};
use std::path::Path;

const HEADER: &str = "foresee record 1";
const KINDS: u64 = 8;

/// One event of a record. Members are positions in [`Record::nodes`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RecordedEvent {
    Start {
        member: u32,
    },
    Message {
        member: u32,
        from: Address,
        hash: u64,
    },
    Timer {
        member: u32,
        hash: u64,
    },
    /// A sync of the member is done.
    Synced {
        member: u32,
    },
    /// The member came back and found what has this hash on its stable storage.
    Restart {
        member: u32,
        hash: u64,
    },
}

/// The record of one process.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Record {
    /// What the user typed to get the system.
    pub system: String,
    pub seed: u64,
    pub nodes: Vec<Address>,
    pub events: Vec<RecordedEvent>,
    /// Whether the last event was cut off, as when the process was killed.
    pub is_cut: bool,
    /// How long the file is up to its last whole event.
    pub n_bytes: usize,
}

/// Writes a record.
pub(crate) struct Recorder {
    file: File,
    buffer: Vec<u8>,
    /// Senders by the address of the name's one allocation, numbered in the order of first mention.
    names: BTreeMap<usize, u64>,
}

impl Recorder {
    /// Begins a record. One of the same nodes goes on after its last whole event if `goes_on`: the process is another incarnation.
    pub(crate) fn open(
        path: &Path,
        system: &str,
        seed: u64,
        nodes: &[Address],
        goes_on: bool,
    ) -> io::Result<Self> {
        let before = if goes_on { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
        let is_same = |record: &Record| record.system == system && record.nodes == nodes;
        let known = Record::parse(&before).ok().filter(is_same);
        let mut buffer = Vec::with_capacity(1 << 16);
        let file = if let Some(record) = known {
            let mut file = File::options().write(true).open(path)?;
            file.set_len(record.n_bytes as u64)?;
            file.seek(SeekFrom::End(0))?;
            buffer.push(6);
            file
        } else {
            let mut file = File::create(path)?;
            let nodes: Vec<&str> = nodes.iter().map(|node| node.name()).collect();
            let nodes = nodes.join(" ");
            let header = format!("{HEADER}\nsystem: {system}\nseed: {seed}\nnodes: {nodes}\n\n");
            file.write_all(header.as_bytes())?;
            file
        };
        Ok(Recorder { file, buffer, names: BTreeMap::new() })
    }

    pub(crate) fn event(&mut self, member: u32, cause: &Cause<'_>) {
        match cause {
            Cause::Start => self.put(u64::from(member) * KINDS),
            Cause::Restart { stored } => {
                self.put(u64::from(member) * KINDS + 5);
                self.buffer.extend_from_slice(&stable_hash(stored).to_le_bytes());
            }
            Cause::Message { from, message } => {
                let sender = self.sender(*from);
                self.put(u64::from(member) * KINDS + 1);
                self.put(sender);
                self.buffer.extend_from_slice(&message.hash().to_le_bytes());
            }
            Cause::Timer { timer } => {
                self.put(u64::from(member) * KINDS + 2);
                self.buffer.extend_from_slice(&timer.hash().to_le_bytes());
            }
            Cause::Synced => self.put(u64::from(member) * KINDS + 4),
        }
    }

    /// The number of a sender; a new one is introduced.
    fn sender(&mut self, from: Address) -> u64 {
        let key = from.name().as_ptr() as usize;
        if let Some(number) = self.names.get(&key) {
            return *number;
        }
        let number = self.names.len() as u64;
        self.names.insert(key, number);
        self.put(3);
        self.put(from.name().len() as u64);
        self.buffer.extend_from_slice(from.name().as_bytes());
        number
    }

    fn put(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.buffer.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.buffer.push(number as u8);
    }

    /// Hands everything to the operating system.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.file.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NotARecord {
    pub reason: String,
}

impl fmt::Display for NotARecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is no record of a run: {}", self.reason)
    }
}

impl std::error::Error for NotARecord {}

impl Record {
    /// Whether a file's beginning is that of a record.
    pub fn is_record(bytes: &[u8]) -> bool {
        bytes.starts_with(HEADER.as_bytes())
    }

    pub fn parse(bytes: &[u8]) -> Result<Record, NotARecord> {
        let wrong = |reason: &str| NotARecord { reason: reason.to_owned() };
        let end = bytes.windows(2).position(|pair| pair == b"\n\n");
        let end = end.ok_or_else(|| wrong("its header does not end"))?;
        let header =
            std::str::from_utf8(&bytes[..end]).map_err(|_| wrong("its header is no text"))?;
        let mut lines = header.lines();
        if lines.next() != Some(HEADER) {
            return Err(wrong("it does not begin with `foresee record 1`"));
        }
        let mut line = |key: &str| {
            let found = lines.next().and_then(|line| line.strip_prefix(key));
            found.map(str::trim).ok_or_else(|| wrong(&format!("the line `{key}` is missing")))
        };
        let system = line("system:")?.to_owned();
        let seed = line("seed:")?.parse().map_err(|_| wrong("its seed is no number"))?;
        let nodes = line("nodes:")?.split_whitespace().map(Address::new).collect();
        let mut record =
            Record { system, seed, nodes, events: Vec::new(), is_cut: false, n_bytes: end + 2 };
        record.read_events(&bytes[end + 2..])?;
        Ok(record)
    }

    fn read_events(&mut self, bytes: &[u8]) -> Result<(), NotARecord> {
        let mut reader = Reader { bytes, names: Vec::new() };
        let start = self.n_bytes;
        while !reader.bytes.is_empty() {
            self.n_bytes = start + bytes.len() - reader.bytes.len();
            match reader.event() {
                Ok(Some(event)) => {
                    let (RecordedEvent::Start { member }
                    | RecordedEvent::Message { member, .. }
                    | RecordedEvent::Timer { member, .. }
                    | RecordedEvent::Synced { member }
                    | RecordedEvent::Restart { member, .. }) = &event;
                    if *member as usize >= self.nodes.len() {
                        let reason = format!("event {} is of nobody", self.events.len() + 1);
                        return Err(NotARecord { reason });
                    }
                    self.events.push(event);
                }
                Ok(None) => {}
                Err(Some(reason)) => {
                    let reason = format!("event {}: {reason}", self.events.len() + 1);
                    return Err(NotARecord { reason });
                }
                Err(None) => {
                    self.is_cut = true;
                    return Ok(());
                }
            }
        }
        self.n_bytes = start + bytes.len();
        Ok(())
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    names: Vec<Address>,
}

impl Reader<'_> {
    /// The next event; `Err(None)` is the end in the middle of one.
    fn event(&mut self) -> Result<Option<RecordedEvent>, Option<String>> {
        let word = self.number()?;
        let member = u32::try_from(word / KINDS).map_err(|_| Some("nobody".to_owned()))?;
        Ok(Some(match word % KINDS {
            0 => RecordedEvent::Start { member },
            1 => {
                let sender = self.number()? as usize;
                let from = self.names.get(sender).copied();
                let from = from.ok_or_else(|| Some("a message of nobody".to_owned()))?;
                RecordedEvent::Message { member, from, hash: self.hash()? }
            }
            2 => RecordedEvent::Timer { member, hash: self.hash()? },
            3 => {
                let length = self.number()? as usize;
                let (name, rest) = self.bytes.split_at_checked(length).ok_or(None)?;
                let name = std::str::from_utf8(name)
                    .ok()
                    .filter(|name| !name.is_empty() && !name.contains(char::is_whitespace));
                let name = name.ok_or_else(|| Some("a name that is none".to_owned()))?;
                self.names.push(Address::new(name));
                self.bytes = rest;
                return Ok(None);
            }
            4 => RecordedEvent::Synced { member },
            5 => RecordedEvent::Restart { member, hash: self.hash()? },
            6 => {
                // Another incarnation of the process introduces everybody anew.
                self.names.clear();
                return Ok(None);
            }
            kind => return Err(Some(format!("there is no kind {kind}"))),
        }))
    }

    fn number(&mut self) -> Result<u64, Option<String>> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.bytes.split_first().ok_or(None)?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Some("a number without end".to_owned()))
    }

    fn hash(&mut self) -> Result<u64, Option<String>> {
        let (hash, rest) = self.bytes.split_first_chunk::<8>().ok_or(None)?;
        self.bytes = rest;
        Ok(u64::from_le_bytes(*hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_may_be_cut_anywhere() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let nodes = [Address::new("a"), Address::new("b")];
        let mut recorder = Recorder::open(file.path(), "toy n=1", 7, &nodes, false).unwrap();
        recorder.event(0, &Cause::Start);
        recorder.event(1, &Cause::Start);
        recorder.event(1, &Cause::Message { from: nodes[0], message: &"hello" });
        recorder.event(0, &Cause::Timer { timer: &300u64 });
        recorder.event(1, &Cause::Message { from: nodes[0], message: &"again" });
        recorder.flush().unwrap();
        let bytes = std::fs::read(file.path()).unwrap();
        let record = Record::parse(&bytes).unwrap();
        assert_eq!((record.system.as_str(), record.seed, record.nodes.len()), ("toy n=1", 7, 2));
        assert_eq!((record.events.len(), record.is_cut), (5, false));
        let hash = foresee_stdx::stable_hash(&"again");
        assert_eq!(record.events[4], RecordedEvent::Message { member: 1, from: nodes[0], hash });
        let start = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
        for end in start..bytes.len() {
            let cut = Record::parse(&bytes[..end]).unwrap();
            assert_eq!(cut.events[..], record.events[..cut.events.len()], "cut at {end}");
        }
        assert!(Record::parse(b"foresee record 1\n").is_err());
        assert!(Record::parse(b"foresee record 1\nsystem: x\nseed: 0\nnodes: a\n\n\x10").is_err());
    }

    #[test]
    fn the_record_of_a_process_that_comes_back_goes_on() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let nodes = [Address::new("a"), Address::new("b")];
        let begin =
            |seed, goes_on| Recorder::open(file.path(), "toy", seed, &nodes, goes_on).unwrap();
        let read = || Record::parse(&std::fs::read(file.path()).unwrap()).unwrap();
        let mut first = begin(1, false);
        first.event(1, &Cause::Start);
        first.event(1, &Cause::Message { from: nodes[0], message: &"hello" });
        first.flush().unwrap();
        let whole = std::fs::read(file.path()).unwrap();
        for n_cut in [0, 1] {
            std::fs::write(file.path(), &whole[..whole.len() - n_cut]).unwrap();
            let mut second = begin(2, true);
            second.event(1, &Cause::Restart { stored: &foresee_node::Stored::default() });
            second.event(1, &Cause::Message { from: nodes[1], message: &"again" });
            second.event(1, &Cause::Synced);
            second.flush().unwrap();
            let events = read().events;
            assert_eq!(events.len(), 5 - n_cut, "an event that was cut is gone");
            assert!(matches!(events[2 - n_cut], RecordedEvent::Restart { member: 1, .. }));
            let from = nodes[1];
            assert!(
                matches!(events[3 - n_cut], RecordedEvent::Message { from: it, .. } if it == from)
            );
        }
        begin(3, false);
        assert_eq!(read().events, [], "another run");
    }
}
