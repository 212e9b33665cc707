//! Groups: from a name to the header that it means.

use super::Hdf5Error;
use super::bytes::{Bytes, Cursor};
use super::header::{Header, LINK, LINK_INFO, SYMBOL_TABLE};

/// Nodes of a group's tree at most; groups of FCLIB have one.
const MOST_NODES: usize = 4096;

/// Where the header of a member of the group at a place is; `None` if the group has no such member, or is no group.
pub fn find(bytes: Bytes<'_>, group: u64, name: &[u8]) -> Result<Option<u64>, Hdf5Error> {
    let header = Header::read(bytes, group)?;
    if let Some(mut table) = header.find(SYMBOL_TABLE)? {
        let (tree, heap) = (table.place()?, table.place()?);
        let (Some(tree), Some(heap)) = (tree, heap) else {
            return Err(table.damaged("the symbol table is nowhere"));
        };
        return in_symbol_table(bytes, tree, names(bytes, heap)?, name);
    }
    for link in header.all(LINK) {
        if let Some(place) = of_link(link?, name)? {
            return Ok(Some(place));
        }
    }
    if let Some(mut info) = header.find(LINK_INFO)? {
        info.skip(1)?;
        let has_order = info.byte()? & 1 != 0;
        info.skip(if has_order { 8 } else { 0 })?;
        if info.place()?.is_some() {
            return Err(Hdf5Error::Unsupported { what: "a group with its links in a heap" });
        }
    }
    Ok(None)
}

/// The names of a group.
fn names(bytes: Bytes<'_>, heap: u64) -> Result<Cursor<'_>, Hdf5Error> {
    let mut cursor = bytes.at("the heap of names", heap)?;
    cursor.expect(b"HEAP")?;
    cursor.skip(4)?;
    let length = cursor.length()?;
    cursor.length()?;
    let place = cursor.place()?.ok_or_else(|| cursor.damaged("its names are nowhere"))?;
    bytes.part("the heap of names", place, length)
}

/// Looks at all nodes: there are few, and their order need not be relied on.
fn in_symbol_table(bytes: Bytes<'_>, tree: u64, names: Cursor<'_>, name: &[u8]) -> Result<Option<u64>, Hdf5Error> {
    let mut nodes = vec![tree];
    let mut k = 0;
    while let Some(&place) = nodes.get(k) {
        k += 1;
        let mut node = bytes.at("the tree of a group", place)?;
        if node.rest.starts_with(b"SNOD") {
            if let Some(found) = in_node(&mut node, names, name)? {
                return Ok(Some(found));
            }
            continue;
        }
        node.expect(b"TREE")?;
        let (kind, level, count) = (node.byte()?, node.byte()?, node.number(2)?);
        if kind != 0 || level > 16 {
            return Err(node.damaged("it is not of a group"));
        }
        node.place()?;
        node.place()?;
        for _ in 0..count {
            node.length()?;
            let child = node.place()?;
            nodes.extend(child);
            if nodes.len() > MOST_NODES {
                return Err(node.damaged("it has too many nodes"));
            }
        }
    }
    Ok(None)
}

/// A leaf of the tree.
fn in_node(node: &mut Cursor<'_>, names: Cursor<'_>, name: &[u8]) -> Result<Option<u64>, Hdf5Error> {
    node.expect(b"SNOD")?;
    node.skip(2)?;
    let count = node.number(2)?;
    for _ in 0..count {
        let offset = node.file().place_size;
        let (start, header) = (node.number(offset)?, node.place()?);
        let kind = node.number(4)?;
        node.skip(4 + 16)?;
        let mut own = names;
        own.take(start)?;
        let is_it = own.rest.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&0));
        if is_it {
            return match (kind, header) {
                (2, _) => Err(SYMBOLIC),
                (_, Some(header)) => Ok(Some(header)),
                (_, None) => Err(node.damaged("a name leads nowhere")),
            };
        }
    }
    Ok(None)
}

const SYMBOLIC: Hdf5Error = Hdf5Error::Unsupported { what: "a symbolic or external link" };

/// Where a link of this name leads.
fn of_link(mut link: Cursor<'_>, name: &[u8]) -> Result<Option<u64>, Hdf5Error> {
    link.skip(1)?;
    let flags = link.byte()?;
    let kind = if flags & 0x08 == 0 { 0 } else { link.byte()? };
    // The order in which it was made, and the character set of its name.
    link.skip(if flags & 0x04 == 0 { 0 } else { 8 })?;
    link.skip(if flags & 0x10 == 0 { 0 } else { 1 })?;
    let length = link.number(1 << (flags & 3))?;
    if link.take(length)? != name {
        return Ok(None);
    }
    match kind {
        0 => Ok(Some(link.place()?.ok_or_else(|| link.damaged("a link leads nowhere"))?)),
        _ => Err(SYMBOLIC),
    }
}
