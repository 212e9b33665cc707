//! The nodes and elements of a Gmsh file.

use std::collections::HashMap;

use glam::DVec3;

use super::super::MeshFile;
use super::super::error::{MeshFileError, Problem};
use super::fields::Fields;

/// The least a node takes in any version and encoding, bytes: its tag and coordinates as text, with gaps.
const LEAST_NODE: usize = 8;
/// The least an element takes, bytes: its tag and one node as text, with gaps.
const LEAST_ELEMENT: usize = 4;
/// The least a block of nodes or elements takes, bytes.
const LEAST_BLOCK: usize = 8;

/// A mesh in the making.
#[derive(Default)]
pub(super) struct Reading {
    pub mesh: MeshFile,
    /// Node tags to indices. Only looked up, never walked through, so hash order reaches no result.
    indices: HashMap<u64, u32>,
}

/// What an element type means here.
#[derive(Clone, Copy)]
enum Element {
    /// A point or a line, of so many nodes.
    Skipped(usize),
    Triangle,
    Tetrahedron,
}

impl Reading {
    /// Version 2.2, section $Nodes.
    pub fn nodes_2(&mut self, fields: &mut Fields<'_>) -> Result<(), MeshFileError> {
        let count = text_count(fields, "nodes", LEAST_NODE)?;
        self.mesh.vertices.reserve(count);
        for _ in 0..count {
            fields.start_record("a node")?;
            let tag = fields.small_size("the node number")?;
            self.name_node(fields, tag)?;
            self.mesh.vertices.push(position(fields)?);
            fields.end_record()?;
        }
        Ok(())
    }

    /// Version 4.1, section $Nodes.
    pub fn nodes_4(&mut self, fields: &mut Fields<'_>) -> Result<(), MeshFileError> {
        let (blocks, total) = header_4(fields, "nodes")?;
        for _ in 0..blocks {
            fields.start_record("the header of a block of nodes")?;
            let dimension = ranged(fields, "the dimension of the block's entity", "an integer from 0 to 3", 3)?;
            fields.integer("the tag of the block's entity")?;
            let parametric = ranged(fields, "the mark of parametric coordinates", "0 or 1", 1)?;
            let declared = fields.size("the number of nodes in the block")?;
            let count = fields.count("nodes in the block", declared, LEAST_NODE)?;
            fields.end_record()?;
            self.mesh.vertices.reserve(count);
            for at in 0..count {
                fields.start_record("a node number")?;
                let tag = fields.size("the node number")?;
                self.name_node_at(fields, tag, self.mesh.vertices.len() + at)?;
                fields.end_record()?;
            }
            for _ in 0..count {
                fields.start_record("the coordinates of a node")?;
                self.mesh.vertices.push(position(fields)?);
                for _ in 0..dimension * parametric {
                    fields.real("a parametric coordinate")?;
                }
                fields.end_record()?;
            }
        }
        check_total(fields, "nodes", total, self.mesh.vertices.len())
    }

    /// Version 2.2, section $Elements.
    pub fn elements_2(&mut self, fields: &mut Fields<'_>) -> Result<(), MeshFileError> {
        let count = text_count(fields, "elements", LEAST_ELEMENT)?;
        let mut left = count;
        while left > 0 {
            left -= if fields.is_binary() {
                self.block_2(fields, left)?
            } else {
                self.row_2(fields)?;
                1
            };
        }
        Ok(())
    }

    /// Version 2.2, text: an element with its type and number of tags.
    fn row_2(&mut self, fields: &mut Fields<'_>) -> Result<(), MeshFileError> {
        fields.start_record("an element")?;
        fields.integer("the element number")?;
        let element = Element::of_type(fields)?;
        let tags = fields.small_size("the number of tags")?;
        self.tags_and_nodes(fields, element, tags)?;
        fields.end_record()
    }

    /// Version 2.2, binary: elements of one type and number of tags, which a header states. Returns how many.
    fn block_2(&mut self, fields: &mut Fields<'_>, left: usize) -> Result<usize, MeshFileError> {
        let element = Element::of_type(fields)?;
        let declared = fields.small_size("the number of elements in the block")?;
        let count = usize::try_from(declared).ok().filter(|count| (1..=left).contains(count));
        let count = count.ok_or_else(|| {
            let expected = format!("a block of 1 to {left} elements");
            fields.unexpected(&expected, declared.to_string())
        })?;
        let tags = fields.small_size("the number of tags")?;
        for _ in 0..count {
            fields.integer("the element number")?;
            self.tags_and_nodes(fields, element, tags)?;
        }
        Ok(count)
    }

    fn tags_and_nodes(&mut self, fields: &mut Fields<'_>, element: Element, tags: u64) -> Result<(), MeshFileError> {
        for _ in 0..tags {
            fields.integer("a tag of the element")?;
        }
        self.element(fields, element, |fields| fields.small_size("a node of the element"))
    }

    /// Version 4.1, section $Elements.
    pub fn elements_4(&mut self, fields: &mut Fields<'_>) -> Result<(), MeshFileError> {
        let (blocks, total) = header_4(fields, "elements")?;
        let mut read = 0;
        for _ in 0..blocks {
            fields.start_record("the header of a block of elements")?;
            ranged(fields, "the dimension of the block's entity", "an integer from 0 to 3", 3)?;
            fields.integer("the tag of the block's entity")?;
            let element = Element::of_type(fields)?;
            let declared = fields.size("the number of elements in the block")?;
            let count = fields.count("elements in the block", declared, LEAST_ELEMENT)?;
            fields.end_record()?;
            for _ in 0..count {
                fields.start_record("an element")?;
                fields.size("the element number")?;
                self.element(fields, element, |fields| fields.size("a node of the element"))?;
                fields.end_record()?;
            }
            read += count;
        }
        check_total(fields, "elements", total, read)
    }

    /// Reads the nodes of an element.
    fn element(
        &mut self,
        fields: &mut Fields<'_>,
        element: Element,
        mut node: impl FnMut(&mut Fields<'_>) -> Result<u64, MeshFileError>,
    ) -> Result<(), MeshFileError> {
        match element {
            Element::Skipped(nodes) => {
                for _ in 0..nodes {
                    node(fields)?;
                }
            }
            Element::Triangle => {
                let corners = self.corners(fields, "the triangle", node)?;
                self.mesh.triangles.push(corners);
            }
            Element::Tetrahedron => {
                let corners = self.corners(fields, "the tetrahedron", node)?;
                self.mesh.tetrahedra.push(corners);
            }
        }
        Ok(())
    }

    fn corners<const N: usize>(
        &self,
        fields: &mut Fields<'_>,
        what: &str,
        mut node: impl FnMut(&mut Fields<'_>) -> Result<u64, MeshFileError>,
    ) -> Result<[u32; N], MeshFileError> {
        let mut corners = [0; N];
        for corner in &mut corners {
            let tag = node(fields)?;
            *corner = *self.indices.get(&tag).ok_or_else(|| {
                fields.fail(Problem::Index {
                    what: what.to_owned(),
                    index: tag.into(),
                    vertices: self.mesh.vertices.len(),
                    known: "numbered by the node tags of the file".to_owned(),
                })
            })?;
        }
        Ok(corners)
    }

    /// Gives the next node its tag.
    fn name_node(&mut self, fields: &Fields<'_>, tag: u64) -> Result<(), MeshFileError> {
        self.name_node_at(fields, tag, self.mesh.vertices.len())
    }

    fn name_node_at(&mut self, fields: &Fields<'_>, tag: u64, index: usize) -> Result<(), MeshFileError> {
        let index = u32::try_from(index).map_err(|_| {
            let what = "a mesh of more than 2³² vertices".to_owned();
            fields.fail(Problem::Unsupported { what, cure: "split the mesh" })
        })?;
        match self.indices.insert(tag, index) {
            None => Ok(()),
            Some(_) => Err(fields.fail(Problem::RepeatedNode { tag })),
        }
    }
}

impl Element {
    /// Reads an element type.
    fn of_type(fields: &mut Fields<'_>) -> Result<Self, MeshFileError> {
        const SECOND_ORDER: &str = "save the mesh with elements of first order (Mesh.ElementOrder = 1)";
        const OTHER_SHAPE: &str = "save the mesh with triangles and tetrahedra only (no recombination)";
        let (name, cure) = match fields.integer("the element type")? {
            1 => return Ok(Self::Skipped(2)),
            15 => return Ok(Self::Skipped(1)),
            2 => return Ok(Self::Triangle),
            4 => return Ok(Self::Tetrahedron),
            3 => ("a quadrangle of 4 nodes (type 3)", OTHER_SHAPE),
            5 => ("a hexahedron of 8 nodes (type 5)", OTHER_SHAPE),
            6 => ("a prism of 6 nodes (type 6)", OTHER_SHAPE),
            7 => ("a pyramid of 5 nodes (type 7)", OTHER_SHAPE),
            8 => ("a second-order line of 3 nodes (type 8)", SECOND_ORDER),
            9 => ("a second-order triangle of 6 nodes (type 9)", SECOND_ORDER),
            10 => ("a second-order quadrangle of 9 nodes (type 10)", SECOND_ORDER),
            11 => ("a second-order tetrahedron of 10 nodes (type 11)", SECOND_ORDER),
            other => {
                let cure = "save the mesh with triangles and tetrahedra of first order";
                return Err(fields.fail(Problem::Unsupported { what: format!("an element of type {other}"), cure }));
            }
        };
        Err(fields.fail(Problem::Unsupported { what: name.to_owned(), cure }))
    }
}

/// The count that heads a section of version 2.2: a row of text in both encodings.
fn text_count(fields: &mut Fields<'_>, what: &str, least_bytes_each: usize) -> Result<usize, MeshFileError> {
    let mut row = fields.text_row(&format!("the number of {what}"))?;
    let declared = row
        .size(&format!("the number of {what}"))
        .and_then(|declared| row.end().map(|()| declared))
        .map_err(|error| fields.fail(*error.problem))?;
    fields.count(what, declared, least_bytes_each)
}

/// The record that heads a section of version 4.1: the number of blocks and of elements.
fn header_4(fields: &mut Fields<'_>, what: &str) -> Result<(usize, u64), MeshFileError> {
    fields.start_record(&format!("the numbers of blocks and of {what}"))?;
    let declared = fields.size("the number of blocks")?;
    let blocks = fields.count("blocks", declared, LEAST_BLOCK)?;
    let total = fields.size(&format!("the number of {what}"))?;
    fields.size("the smallest tag")?;
    fields.size("the largest tag")?;
    fields.end_record()?;
    Ok((blocks, total))
}

fn check_total(fields: &Fields<'_>, what: &str, declared: u64, found: usize) -> Result<(), MeshFileError> {
    if declared == found as u64 {
        return Ok(());
    }
    let (declared, found) = (declared.into(), found.to_string());
    Err(fields.fail(Problem::Count { what: format!("{what} in all blocks"), declared, found }))
}

/// An integer from 0 to a largest value.
fn ranged(fields: &mut Fields<'_>, what: &str, range: &'static str, largest: i64) -> Result<i64, MeshFileError> {
    let value = fields.integer(what)?;
    if (0..=largest).contains(&value) {
        return Ok(value);
    }
    Err(fields.fail(Problem::Integer { what: what.to_owned(), range, found: value.to_string() }))
}

fn position(fields: &mut Fields<'_>) -> Result<DVec3, MeshFileError> {
    let x = fields.real("the x coordinate")?;
    let y = fields.real("the y coordinate")?;
    let z = fields.real("the z coordinate")?;
    Ok(DVec3::new(x, y, z))
}
