//! What is on a wire: frames of a length and so many bytes.
//! The first frame from the one who dials is a [`Hello`], the first one back an [`Answer`]; then messages flow from the one who
//! dialled to the other, and back only where that was agreed on (`back`). A message frame is the sender's and the receiver's number in the lists of the
//! hello (16 bits each, little endian), the message as postcard writes it, and a CRC-32C of both: a message that was changed on its way
//! might be another message.
//! A datagram is the number that the hello gave its connection, and a message frame without its length.
//! Why the magic and the version stand before everything else, in fixed bytes: they must be readable by every later version.

use bytes::{BufMut, BytesMut};
use serde::{Deserialize, Serialize};
use std::fmt;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The largest frame unless the user says otherwise.
pub const FRAME_MAX: usize = 16 << 20;
/// The version of what is on the wire.
pub const PROTOCOL: u16 = 4;

const MAGIC: [u8; 4] = *b"FRSE";
/// A handshake has names in it and nothing else.
const HANDSHAKE_MAX: usize = 1 << 20;
/// Bytes before a frame's content.
pub(crate) const LENGTH: usize = 4;
/// Bytes of a message frame before the message.
pub(crate) const ADDRESSES: usize = 4;
/// Bytes of a message frame after the message.
pub(crate) const CHECKSUM: usize = 4;
/// Bytes of a datagram before the frame.
const CONNECTION: usize = 8;
/// The largest datagram: what every path takes in one piece.
pub(crate) const DATAGRAM_MAX: usize = 1_200;

/// Who dials, and whom they look for.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Hello {
    pub(crate) schema: u64,
    pub(crate) type_name: String,
    /// The dialler's nodes; frames name senders by their place in this list.
    pub(crate) from: Vec<String>,
    /// The nodes the dialler wants to reach; frames name receivers by their place in this list.
    pub(crate) to: Vec<String>,
    /// What datagrams begin with that belong to this connection.
    pub(crate) datagrams: u64,
    /// Whether the dialler would send by the connection that the other dials to it.
    pub(crate) goes_back: bool,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) enum Answer {
    Welcome,
    /// Welcome, and send by the connection that I dial to you.
    GoBack,
    Refused(String),
}

/// Appends a message frame; the message was appended by `encode`. `None` (and nothing appended) if it is over the limit.
pub(crate) fn put_message(
    buffer: &mut Vec<u8>,
    from: u16,
    to: u16,
    frame_max: usize,
    encode: &dyn Fn(&mut Vec<u8>),
) -> Option<usize> {
    let start = buffer.len();
    buffer.extend_from_slice(&[0; LENGTH]);
    buffer.extend_from_slice(&from.to_le_bytes());
    buffer.extend_from_slice(&to.to_le_bytes());
    encode(buffer);
    let sum = crc32c::crc32c(&buffer[start + LENGTH..]);
    buffer.extend_from_slice(&sum.to_le_bytes());
    let length = buffer.len() - start - LENGTH;
    if length > frame_max {
        buffer.truncate(start);
        return None;
    }
    let length = u32::try_from(length).ok()?;
    buffer[start..start + LENGTH].copy_from_slice(&length.to_le_bytes());
    Some(buffer.len() - start)
}

/// The sender's and the receiver's number of a frame.
pub(crate) fn ends(frame: &[u8]) -> Option<(u16, u16)> {
    let (addresses, _) = frame.split_first_chunk::<ADDRESSES>()?;
    let from = u16::from_le_bytes([addresses[0], addresses[1]]);
    let to = u16::from_le_bytes([addresses[2], addresses[3]]);
    Some((from, to))
}

/// Whether a frame is as it was sent.
pub(crate) fn is_whole(frame: &[u8]) -> bool {
    frame.len() >= ADDRESSES + CHECKSUM
        && frame
            .split_last_chunk::<CHECKSUM>()
            .is_some_and(|(content, sum)| crc32c::crc32c(content) == u32::from_le_bytes(*sum))
}

/// The message of a frame that is whole.
pub(crate) fn message(frame: &[u8]) -> &[u8] {
    &frame[ADDRESSES..frame.len() - CHECKSUM]
}

/// Writes one frame of a handshake.
pub(crate) async fn write_handshake<T: Serialize>(
    stream: &mut (impl AsyncWrite + Unpin),
    content: &T,
) -> std::io::Result<()> {
    let body = postcard::to_stdvec(content).map_err(std::io::Error::other)?;
    let mut frame = BytesMut::new();
    frame.put_u32_le((MAGIC.len() + 2 + body.len()) as u32);
    frame.put_slice(&MAGIC);
    frame.put_u16_le(PROTOCOL);
    frame.put_slice(&body);
    stream.write_all(&frame).await
}

/// Why a handshake failed.
#[derive(Debug)]
pub(crate) enum BadHandshake {
    /// The connection broke; perhaps the next one does not.
    Broken(std::io::Error),
    /// The other does not speak our language, in words for the log of the one who reads it and, if they do after all, for the other.
    NotOurs(String),
}

impl fmt::Display for BadHandshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadHandshake::Broken(error) => write!(f, "the connection broke: {error}"),
            BadHandshake::NotOurs(reason) => f.write_str(reason),
        }
    }
}

/// Reads one frame of a handshake, and nothing beyond it.
pub(crate) async fn read_handshake<T: for<'a> Deserialize<'a>>(
    stream: &mut (impl AsyncRead + Unpin),
) -> Result<T, BadHandshake> {
    let failed = BadHandshake::Broken;
    let not_ours = || BadHandshake::NotOurs("this is not our protocol".to_owned());
    let mut length = [0; LENGTH];
    stream.read_exact(&mut length).await.map_err(failed)?;
    let length = u32::from_le_bytes(length) as usize;
    if !(MAGIC.len() + 2..=HANDSHAKE_MAX).contains(&length) {
        return Err(not_ours());
    }
    let mut start = [0; MAGIC.len() + 2];
    stream.read_exact(&mut start).await.map_err(failed)?;
    if start[..MAGIC.len()] != MAGIC {
        return Err(not_ours());
    }
    let protocol = u16::from_le_bytes([start[4], start[5]]);
    if protocol != PROTOCOL {
        return Err(BadHandshake::NotOurs(format!(
            "protocol version {protocol} on one side, {PROTOCOL} on the other: run the same release on both"
        )));
    }
    let mut body = vec![0; length - start.len()];
    stream.read_exact(&mut body).await.map_err(failed)?;
    postcard::from_bytes(&body)
        .map_err(|error| BadHandshake::NotOurs(format!("the handshake cannot be read: {error}")))
}

/// Appends a datagram: what tells its connection, then a message frame without its length. `false` (and nothing appended) if it is too
/// long for one.
pub(crate) fn put_datagram(
    buffer: &mut Vec<u8>,
    connection: u64,
    from: u16,
    to: u16,
    encode: &dyn Fn(&mut Vec<u8>),
) -> bool {
    let start = buffer.len();
    buffer.extend_from_slice(&connection.to_le_bytes());
    buffer.extend_from_slice(&from.to_le_bytes());
    buffer.extend_from_slice(&to.to_le_bytes());
    encode(buffer);
    let sum = crc32c::crc32c(&buffer[start + CONNECTION..]);
    buffer.extend_from_slice(&sum.to_le_bytes());
    let fits = buffer.len() - start <= DATAGRAM_MAX;
    if !fits {
        buffer.truncate(start);
    }
    fits
}

/// The connection that a datagram belongs to, and its frame; `None` if it is none of ours.
pub(crate) fn datagram(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (connection, frame) = bytes.split_first_chunk::<CONNECTION>()?;
    is_whole(frame).then_some((u64::from_le_bytes(*connection), frame))
}

/// What has arrived on a connection: whole frames, and perhaps the beginning of one. Its memory is used again and again.
#[derive(Debug)]
pub(crate) struct Arriving {
    /// All of it is room; what counts is from `start` to `end`.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    frame_max: usize,
}

/// The room of a connection that brings small frames.
const ROOM: usize = 64 << 10;

/// A frame says that it is longer than frames may be.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct TooLong;

impl Arriving {
    pub(crate) fn new(frame_max: usize) -> Self {
        Arriving { bytes: vec![0; ROOM], start: 0, end: 0, frame_max }
    }

    /// Reads what there is; how many bytes, 0 at the end.
    pub(crate) async fn read(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
    ) -> std::io::Result<usize> {
        let n = stream.read(self.room()).await?;
        self.end += n;
        Ok(n)
    }

    /// Where to put what comes next; it is never empty. A long frame gets room as it arrives, not because it says that it is long.
    fn room(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.bytes.truncate(ROOM);
            self.bytes.shrink_to(ROOM);
        }
        if self.end == self.bytes.len() {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.bytes.len() {
            self.bytes.resize(2 * self.end, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// The next whole frame, without its length.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, TooLong> {
        let Some(length) = length(&self.bytes[self.start..self.end]) else { return Ok(None) };
        if length > self.frame_max {
            return Err(TooLong);
        }
        let start = self.start + LENGTH;
        if self.end - start < length {
            return Ok(None);
        }
        self.start = start + length;
        Ok(Some(&self.bytes[start..self.start]))
    }

    pub(crate) fn frame_max(&self) -> usize {
        self.frame_max
    }

    /// Where the next frame begins, for [`Arriving::since`].
    pub(crate) fn place(&self) -> usize {
        self.start
    }

    /// The frames that were taken since the next one began at `place`, with their lengths.
    pub(crate) fn since(&self, place: usize) -> &[u8] {
        &self.bytes[place..self.start]
    }
}

/// The length that a frame begins with.
pub(crate) fn length(bytes: &[u8]) -> Option<usize> {
    let length = bytes.first_chunk::<LENGTH>()?;
    Some(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_out_as_they_went_in() {
        let mut buffer = Vec::new();
        for n in 0..3u8 {
            let size = put_message(&mut buffer, 1, 300, 100, &|bytes| bytes.extend([n; 9]));
            assert_eq!(size, Some(LENGTH + ADDRESSES + 9 + CHECKSUM));
        }
        assert_eq!(put_message(&mut buffer, 1, 2, 10, &|bytes| bytes.extend([0; 9])), None);
        let mut arriving = arrived(&buffer, 100);
        let begun = arriving.place();
        for n in 0..3u8 {
            let frame = arriving.next().unwrap().unwrap().to_vec();
            assert!(is_whole(&frame));
            assert_eq!((ends(&frame), message(&frame)), (Some((1, 300)), &[n; 9][..]));
            for at in 0..frame.len() {
                let mut changed = frame.to_vec();
                changed[at] ^= 4;
                assert!(!is_whole(&changed), "byte {at}");
            }
        }
        assert_eq!(arriving.next(), Ok(None));
        assert_eq!(arriving.since(begun), buffer);
        assert!(ends(&[1, 2, 3]).is_none() && !is_whole(&[0; 7]));
    }

    #[test]
    fn datagrams_come_out_as_they_went_in() {
        let mut buffer = Vec::new();
        assert!(put_datagram(&mut buffer, 77, 1, 300, &|bytes| bytes.extend([5; 9])));
        let (connection, frame) = datagram(&buffer).unwrap();
        assert_eq!(connection, 77);
        assert_eq!((ends(frame), message(frame)), (Some((1, 300)), &[5; 9][..]));
        assert!(datagram(&buffer[..buffer.len() - 1]).is_none() && datagram(&[1; 5]).is_none());
        let most = DATAGRAM_MAX - CONNECTION - ADDRESSES - CHECKSUM;
        assert!(
            !put_datagram(&mut buffer, 1, 1, 1, &|bytes| bytes.resize(bytes.len() + most + 1, 0))
        );
        let before = buffer.len();
        assert!(put_datagram(&mut buffer, 1, 1, 1, &|bytes| bytes.resize(bytes.len() + most, 0)));
        assert_eq!(buffer.len() - before, DATAGRAM_MAX);
    }

    #[test]
    fn a_frame_over_the_limit_is_refused_before_it_has_arrived() {
        assert_eq!(arrived(&101u32.to_le_bytes(), 100).next(), Err(TooLong));
    }

    #[test]
    fn frames_of_any_size_arrive_in_pieces_of_any_size() {
        let mut random = foresee_stdx::Random::new(5);
        let sizes = (0..200).map(|n| match n % 20 {
            0 => 3 * ROOM + n,
            1 => ROOM - LENGTH,
            2 => 0,
            _ => random.below(3_000) as usize,
        });
        let frames: Vec<Vec<u8>> = sizes.map(|size| vec![size as u8; size]).collect();
        let mut sent = Vec::new();
        for frame in &frames {
            sent.extend((frame.len() as u32).to_le_bytes());
            sent.extend(frame);
        }
        let (mut arriving, mut taken) = (Arriving::new(4 * ROOM), Vec::new());
        let mut rest = &sent[..];
        while !rest.is_empty() {
            let room = arriving.room();
            let n = rest.len().min(room.len()).min(1 + random.below(9_000) as usize);
            room[..n].copy_from_slice(&rest[..n]);
            arriving.end += n;
            rest = &rest[n..];
            while let Some(frame) = arriving.next().unwrap() {
                taken.push(frame.to_vec());
            }
            assert!(arriving.bytes.len() <= 8 * ROOM, "room for two frames is enough");
        }
        assert_eq!(taken, frames);
        assert_eq!(arriving.room().len(), ROOM, "what a long frame needed is given back");
    }

    fn arrived(bytes: &[u8], frame_max: usize) -> Arriving {
        let mut arriving = Arriving::new(frame_max);
        arriving.room()[..bytes.len()].copy_from_slice(bytes);
        arriving.end += bytes.len();
        arriving
    }
}
