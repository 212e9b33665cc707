//! A height field as a hierarchy of boxes: over the triangles of its surface, and over the columns below them.

use super::box_hierarchy::BoxHierarchy;
use super::support::{Column, Triangle};
use crate::bounds::Bounds;
use crate::shape::HeightField;
use crate::shape::open_surface::{Block, OpenSurface};

/// The surface.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'s>(pub &'s HeightField);

/// The solid below, down to a floor.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'s> {
    field: &'s HeightField,
    /// m.
    floor: f64,
}

impl<'s> Columns<'s> {
    /// What is so low that it has no part in what the solid below a field is to something within bounds (m, frame of the field) is left out.
    pub fn beside(field: &'s HeightField, bounds: &Bounds) -> Self {
        let (low, high) = field.bounds();
        let floor = if bounds.low.y.is_finite() { low.y.min(bounds.low.y) } else { low.y };
        // However flat the field is, no column is.
        Self { field, floor: floor - (high - low).length() }
    }
}

impl BoxHierarchy for Ground<'_> {
    type Node = Block;
    type Item = (u32, Triangle);

    fn root(&self) -> Option<Block> {
        Some(self.0.whole())
    }

    fn bounds(&self, node: Block) -> Bounds {
        self.0.bounds_of(node)
    }

    fn below(&self, node: Block) -> impl Iterator<Item = Block> {
        self.0.parts(node)
    }

    fn items(&self, node: Block) -> impl Iterator<Item = (u32, Triangle)> {
        self.0.triangles_of(node).map(|(number, corners)| (number, Triangle(corners)))
    }
}

impl BoxHierarchy for Columns<'_> {
    type Node = Block;
    type Item = (u32, Column);

    fn root(&self) -> Option<Block> {
        Some(self.field.whole())
    }

    fn bounds(&self, node: Block) -> Bounds {
        let Bounds { low, high } = self.field.bounds_of(node);
        Bounds { low: glam::DVec3 { y: self.floor, ..low }, high }
    }

    fn below(&self, node: Block) -> impl Iterator<Item = Block> {
        self.field.parts(node)
    }

    fn items(&self, node: Block) -> impl Iterator<Item = (u32, Column)> {
        let column = |(number, corners)| (number, Column { top: Triangle(corners), floor: self.floor });
        self.field.triangles_of(node).map(column)
    }
}
