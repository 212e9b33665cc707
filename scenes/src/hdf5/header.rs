//! Object headers: the messages of a group or a data set.

use super::Hdf5Error;
use super::bytes::{Bytes, Cursor};

const WHAT: &str = "the object header";
/// Messages at most; objects of FCLIB have about ten.
const MOST_MESSAGES: usize = 4096;
/// Parts of a header at most.
const MOST_PARTS: usize = 256;

/// Kinds of messages.
pub const DATA_SPACE: u16 = 0x01;
pub const LINK_INFO: u16 = 0x02;
pub const DATA_TYPE: u16 = 0x03;
pub const LINK: u16 = 0x06;
pub const LAYOUT: u16 = 0x08;
pub const FILTERS: u16 = 0x0b;
pub const SYMBOL_TABLE: u16 = 0x11;
const CONTINUATION: u16 = 0x10;

/// The flag of a message that is stored elsewhere.
const SHARED: u8 = 0x02;

/// The messages of an object.
pub struct Header<'a> {
    messages: Vec<(u16, u8, Cursor<'a>)>,
}

impl<'a> Header<'a> {
    /// All messages of the header at a place.
    pub fn read(bytes: Bytes<'a>, at: u64) -> Result<Self, Hdf5Error> {
        let mut cursor = bytes.at(WHAT, at)?;
        let form = if cursor.rest.starts_with(b"OHDR") { Form::new(&mut cursor)? } else { Form::old(&mut cursor)? };
        let mut parts = vec![form.first];
        let mut messages = Vec::new();
        let mut k = 0;
        while let Some(mut part) = parts.get(k).copied() {
            k += 1;
            while let Some((kind, flags, mut message)) = form.message(&mut part)? {
                if kind == CONTINUATION {
                    let (place, length) = (message.place()?, message.length()?);
                    let place = place.ok_or_else(|| part.damaged("it goes on nowhere"))?;
                    parts.push(form.part(bytes, place, length)?);
                } else {
                    messages.push((kind, flags, message));
                }
                if messages.len() > MOST_MESSAGES || parts.len() > MOST_PARTS {
                    return Err(part.damaged("it has too many messages"));
                }
            }
        }
        Ok(Self { messages })
    }

    /// The first message of a kind.
    pub fn find(&self, kind: u16) -> Result<Option<Cursor<'a>>, Hdf5Error> {
        self.all(kind).next().transpose()
    }

    /// The messages of a kind.
    pub fn all(&self, kind: u16) -> impl Iterator<Item = Result<Cursor<'a>, Hdf5Error>> {
        self.messages.iter().filter(move |message| message.0 == kind).map(|(_, flags, message)| {
            if flags & SHARED == 0 { Ok(*message) } else { Err(Hdf5Error::Unsupported { what: "a shared message" }) }
        })
    }
}

/// How the messages of a header are written.
struct Form<'a> {
    is_old: bool,
    /// Whether messages say in which order they were made.
    has_order: bool,
    first: Cursor<'a>,
}

impl<'a> Form<'a> {
    /// Version 1.
    fn old(cursor: &mut Cursor<'a>) -> Result<Self, Hdf5Error> {
        if cursor.byte()? != 1 {
            return Err(cursor.damaged("its version is unknown"));
        }
        // A reserved byte, the number of messages, how often it is referred to.
        cursor.skip(7)?;
        let length = cursor.number(4)?;
        cursor.skip(4)?;
        let mut first = *cursor;
        first.rest = first.take(length)?;
        Ok(Self { is_old: true, has_order: false, first })
    }

    /// Version 2.
    fn new(cursor: &mut Cursor<'a>) -> Result<Self, Hdf5Error> {
        cursor.expect(b"OHDR")?;
        if cursor.byte()? != 2 {
            return Err(cursor.damaged("its version is unknown"));
        }
        let flags = cursor.byte()?;
        // Times; from how many attributes on they are stored elsewhere.
        cursor.skip(if flags & 0x20 == 0 { 0 } else { 16 })?;
        cursor.skip(if flags & 0x10 == 0 { 0 } else { 4 })?;
        let length = cursor.number(1 << (flags & 3))?;
        let mut first = *cursor;
        first.rest = first.take(length)?;
        Ok(Self { is_old: false, has_order: flags & 0x04 != 0, first })
    }

    /// Another part of the header.
    fn part(&self, bytes: Bytes<'a>, at: u64, length: u64) -> Result<Cursor<'a>, Hdf5Error> {
        let mut part = bytes.part(WHAT, at, length)?;
        if !self.is_old {
            part.expect(b"OCHK")?;
            let without_checksum = (part.rest.len() as u64).saturating_sub(4);
            part.rest = part.take(without_checksum)?;
        }
        Ok(part)
    }

    /// The next message: its kind, its flags, its content. Fewer bytes than a message needs are a gap.
    fn message(&self, part: &mut Cursor<'a>) -> Result<Option<(u16, u8, Cursor<'a>)>, Hdf5Error> {
        let head = if self.is_old { 8 } else { 4 + 2 * usize::from(self.has_order) };
        if part.rest.len() < head {
            return Ok(None);
        }
        let kind = part.number(if self.is_old { 2 } else { 1 })?;
        let length = part.number(2)?;
        let flags = part.byte()?;
        part.skip(head - if self.is_old { 5 } else { 4 })?;
        let mut message = *part;
        message.rest = part.take(length)?;
        Ok(Some((kind as u16, flags, message)))
    }
}
