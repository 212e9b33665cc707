//! Frames: the outer shape of a recording.
//!
//! A recording is a line of text that names the format, then frames: one byte that says what the frame holds, the
//! length of what it holds (u32), a checksum (u32), the content. Numbers are little-endian. The checksum is the
//! CRC-32 of the checksum of the frame before, the kind, the length and the content: so a frame that is altered,
//! lost, repeated or moved is found, and so is a file that ends before its last frame, which is of a kind of its own.

use std::io::{self, Read, Write};

/// The first line of a recording; the number is that of the format.
pub const MAGIC: &[u8] = b"drystone.recording/2\n";

/// The largest content that a frame may have: a length beyond it is damage, not data.
const LARGEST: u32 = 1 << 30;

/// What a frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Who made the recording and how. The first frame.
    Header,
    /// Everything that the future depends on, between two steps.
    Snapshot,
    /// Forces and torques for the step that follows.
    Forces,
    /// What came out of a step.
    Step,
    /// Nothing: the recording is whole. The last frame.
    End,
}

impl FrameKind {
    const ALL: [Self; 5] = [Self::Header, Self::Snapshot, Self::Forces, Self::Step, Self::End];

    fn code(self) -> u8 {
        match self {
            Self::Header => b'H',
            Self::Snapshot => b'S',
            Self::Forces => b'F',
            Self::Step => b'T',
            Self::End => b'E',
        }
    }
}

/// What is wrong with the frames of a recording.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Not a recording, or one of another format.
    #[error("it is not a recording of this format: it must begin with \"{}\"", String::from_utf8_lossy(MAGIC).trim_end())]
    Magic,
    /// The file ends too early.
    #[error("it is cut off at byte {at}, inside frame {frame}")]
    Truncated {
        /// Bytes from the start of the file.
        at: u64,
        /// From zero.
        frame: usize,
    },
    /// The content is not what was written.
    #[error("frame {frame} at byte {at} was altered: {what}")]
    Altered {
        /// Where the frame begins.
        at: u64,
        /// From zero.
        frame: usize,
        /// How that shows.
        what: &'static str,
    },
    /// More content than a frame can hold.
    #[error("{0} bytes are more than one frame holds")]
    TooLarge(usize),
}

/// Writes frames.
pub struct FrameWriter<W: Write> {
    output: W,
    checksum: u32,
}

impl<W: Write> FrameWriter<W> {
    /// Begins a recording.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(mut output: W) -> io::Result<Self> {
        output.write_all(MAGIC)?;
        Ok(Self { output, checksum: 0 })
    }

    /// Appends a frame.
    ///
    /// # Errors
    /// Those of the output; [`FrameError::TooLarge`].
    pub fn write(&mut self, kind: FrameKind, content: &[u8]) -> Result<(), FrameError> {
        let length = u32::try_from(content.len()).ok().filter(|&n| n <= LARGEST);
        let length = length.ok_or(FrameError::TooLarge(content.len()))?;
        self.checksum = checksum(self.checksum, kind.code(), length, content);
        self.output.write_all(&[kind.code()])?;
        self.output.write_all(&length.to_le_bytes())?;
        self.output.write_all(&self.checksum.to_le_bytes())?;
        Ok(self.output.write_all(content)?)
    }

    /// Hands what was written so far to the operating system.
    ///
    /// # Errors
    /// Those of the output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.output
    }
}

/// Where a frame begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramePosition {
    /// Bytes from the start of the file.
    pub at: u64,
    /// The number of the frame, from zero.
    pub frame: usize,
    /// The checksum of the frame before.
    checksum: u32,
}

/// Reads frames and checks them.
pub struct FrameReader<R: Read> {
    input: R,
    checksum: u32,
    at: u64,
    frame: usize,
}

impl<R: Read> FrameReader<R> {
    /// Begins to read a recording.
    ///
    /// # Errors
    /// [`FrameError::Magic`], those of the input.
    pub fn new(mut input: R) -> Result<Self, FrameError> {
        let mut first = Vec::with_capacity(MAGIC.len());
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut first)?;
        if first != MAGIC {
            return Err(FrameError::Magic);
        }
        Ok(Self { input, checksum: 0, at: MAGIC.len() as u64, frame: 0 })
    }

    /// The next frame.
    ///
    /// # Errors
    /// [`FrameError::Truncated`] where the file ends, be it between two frames: a whole recording ends with a frame of
    /// the kind [`FrameKind::End`]. [`FrameError::Altered`].
    pub fn read(&mut self) -> Result<(FrameKind, Vec<u8>), FrameError> {
        let (start, frame) = (self.at, self.frame);
        let altered = |what| FrameError::Altered { at: start, frame, what };
        let head = self.bytes(9)?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (length, given) = (number(1), number(5));
        let kind = FrameKind::ALL.into_iter().find(|kind| kind.code() == head[0]);
        let kind = kind.ok_or_else(|| altered("there is no such kind of frame"))?;
        if length > LARGEST {
            return Err(altered("it is said to be longer than a frame may be"));
        }
        let content = self.bytes(length as usize)?;
        self.checksum = checksum(self.checksum, kind.code(), length, &content);
        if self.checksum != given {
            return Err(altered("the checksum differs"));
        }
        self.frame += 1;
        Ok((kind, content))
    }

    /// Where the next frame begins, to come back to it by [`FrameReader::at`].
    pub fn position(&self) -> FramePosition {
        FramePosition { at: self.at, frame: self.frame, checksum: self.checksum }
    }

    /// Goes on at a position that was met before, with an input that stands there.
    pub fn at(input: R, position: FramePosition) -> Self {
        Self { input, checksum: position.checksum, at: position.at, frame: position.frame }
    }

    /// Makes sure that nothing follows.
    ///
    /// # Errors
    /// [`FrameError::Altered`] if something does.
    pub fn finish(mut self) -> Result<(), FrameError> {
        let mut rest = [0];
        match self.input.read(&mut rest)? {
            0 => Ok(()),
            _ => Err(FrameError::Altered { at: self.at, frame: self.frame, what: "something follows the last frame" }),
        }
    }

    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, FrameError> {
        // What is read grows with the file, not with a length that may be damaged.
        let mut bytes = Vec::new();
        self.input.by_ref().take(count as u64).read_to_end(&mut bytes)?;
        self.at += bytes.len() as u64;
        if bytes.len() < count {
            return Err(FrameError::Truncated { at: self.at, frame: self.frame });
        }
        Ok(bytes)
    }
}

fn checksum(before: u32, kind: u8, length: u32, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&before.to_le_bytes());
    hasher.update(&[kind]);
    hasher.update(&length.to_le_bytes());
    hasher.update(content);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording() -> Vec<u8> {
        let mut writer = FrameWriter::new(Vec::new()).unwrap();
        writer.write(FrameKind::Header, b"who").unwrap();
        writer.write(FrameKind::Step, b"first").unwrap();
        writer.write(FrameKind::Step, b"second").unwrap();
        writer.write(FrameKind::End, b"").unwrap();
        writer.into_inner()
    }

    fn read_all(bytes: &[u8]) -> Result<Vec<Vec<u8>>, FrameError> {
        let mut reader = FrameReader::new(bytes)?;
        let mut frames = Vec::new();
        loop {
            let (kind, content) = reader.read()?;
            if kind == FrameKind::End {
                reader.finish()?;
                return Ok(frames);
            }
            frames.push(content);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read_all(&recording()).unwrap(), [b"who".to_vec(), b"first".to_vec(), b"second".to_vec()]);
    }

    #[test]
    fn every_cut_is_found() {
        let whole = recording();
        for end in 0..whole.len() {
            let error = read_all(&whole[..end]).unwrap_err();
            let is_cut = matches!(error, FrameError::Truncated { .. }) || end < MAGIC.len();
            assert!(is_cut, "{end}: {error}");
        }
    }

    #[test]
    fn every_changed_bit_is_found() {
        let whole = recording();
        for bit in 0..8 * whole.len() {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(read_all(&damaged).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn frames_that_change_places_and_additions_are_found() {
        let step = |content: &[u8]| {
            let mut writer = FrameWriter::new(Vec::new()).unwrap();
            writer.write(FrameKind::Header, b"who").unwrap();
            writer.write(FrameKind::Step, content).unwrap();
            writer.into_inner().len()
        };
        let whole = recording();
        let (first, second) = (MAGIC.len() + 9 + 3, step(b"first"));
        let third = second + 9 + 6;
        let moved = [&whole[..first], &whole[second..third], &whole[first..second], &whole[third..]].concat();
        assert!(matches!(read_all(&moved), Err(FrameError::Altered { frame: 1, .. })));
        let lost = [&whole[..first], &whole[second..]].concat();
        assert!(matches!(read_all(&lost), Err(FrameError::Altered { frame: 1, .. })));
        let longer = [&whole[..], b"x"].concat();
        assert!(matches!(read_all(&longer), Err(FrameError::Altered { .. })));
    }
}
