//! A compound: several placed shapes that move as one.
//!
//! The solid is the union of its parts. Parts may overlap; mass properties then count the overlap once for each part, as the masses of
//! the parts are added.

use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::features::{BoxTree, Cone};
use super::mass_properties::{MassProperties, MassPropertiesError};
use super::shape::{Shape, Triangles};
use super::shape_error::ShapeError;
use crate::contact::Feature;
use crate::pose::Pose;

/// A shape in the frame of a compound.
#[derive(Clone, Debug)]
pub struct CompoundPart {
    /// A polyhedron or a primitive with an end.
    pub shape: Arc<Shape>,
    /// Frame of the part → frame of the compound.
    pub pose: Pose,
}

/// The union of placed polyhedra and primitives.
#[derive(Clone, Debug)]
pub struct Compound {
    parts: Vec<CompoundPart>,
    /// The numbers from which the facets, edges, vertices and smooth surfaces of each part are counted.
    first: Vec<[u32; 4]>,
    /// Boxes around the parts, in the frame of the compound.
    tree: BoxTree,
    /// Of the thinnest and of the thickest part, m.
    thickness: [f64; 2],
    radius: f64,
}

/// So many numbers of each kind are for the features of a primitive.
const OF_PRIMITIVE: u32 = 256;

impl Compound {
    /// What it is called in errors and files.
    pub const KIND: &'static str = "compound";

    /// The union of placed shapes: polyhedra, convex or not, and primitives with an end. The parts of a compound among them become parts
    /// of this one.
    ///
    /// # Errors
    /// [`ShapeError::EmptyCompound`]; [`ShapeError::CompoundPart`] of a part that is no polyhedron or primitive, has no end, or is at a
    /// pose that is not finite.
    pub fn new(parts: impl IntoIterator<Item = CompoundPart>) -> Result<Self, ShapeError> {
        let mut flat = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            let refused = |why| ShapeError::CompoundPart { number, kind: part.shape.kind(), why };
            let is_finite = part.pose.translation.is_finite() && (part.pose.rotation.length() - 1.0).abs() < 1e-6;
            if !is_finite {
                return Err(refused("its pose is no finite rigid motion"));
            }
            match &*part.shape {
                Shape::Compound(nested) => flat.extend(
                    nested
                        .parts
                        .iter()
                        .map(|inner| CompoundPart { shape: Arc::clone(&inner.shape), pose: part.pose * inner.pose }),
                ),
                Shape::Polyhedron(_) => flat.push(part),
                Shape::Primitive(primitive) if primitive.thickness().is_finite() => flat.push(part),
                Shape::Primitive(_) => return Err(refused("it has no end; make it a body of its own")),
                _ => return Err(refused("only polyhedra and primitives can be parts; make it a body of its own")),
            }
        }
        if flat.is_empty() {
            return Err(ShapeError::EmptyCompound);
        }
        Ok(Self::of(flat))
    }

    fn of(parts: Vec<CompoundPart>) -> Self {
        let mut next = [0_u32; 4];
        let first = parts.iter().map(|part| {
            let counts = match part.shape.features() {
                Some(features) => {
                    [features.facets().len(), features.edges().len(), features.vertices().len(), 0].map(|n| n as u32)
                }
                None => [OF_PRIMITIVE; 4],
            };
            let own = next;
            next = std::array::from_fn(|k| next[k] + counts[k]);
            own
        });
        let first = first.collect();
        let every_direction = Cone::every_direction();
        let tree = BoxTree::new(parts.iter().map(|part| (part.shape.bounds_at(&part.pose), every_direction)));
        let thickness = parts.iter().map(|part| part.shape.thickness());
        let thickness = thickness.fold([f64::INFINITY, 0.0], |[least, most], own| [least.min(own), own.max(most)]);
        let radius = parts.iter().map(CompoundPart::reach).fold(0.0, f64::max);
        Self { parts, first, tree, thickness, radius }
    }

    /// The parts, none of them a compound.
    pub fn parts(&self) -> &[CompoundPart] {
        &self.parts
    }

    /// The thickness of the thinnest part, m.
    pub fn thickness(&self) -> f64 {
        self.thickness[0]
    }

    /// The thickness of the thickest part, m.
    pub(crate) fn greatest_thickness(&self) -> f64 {
        self.thickness[1]
    }

    /// No point is farther from the origin, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The boxes around the parts, in the frame of the compound.
    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The same compound seen from a frame (frame → frame of this one); the shapes of the parts are shared.
    pub fn in_frame(&self, frame: &Pose) -> Self {
        let back = frame.inverse();
        let seen = |part: &CompoundPart| {
            let pose = back * part.pose;
            let rotation = pose.rotation.normalize();
            CompoundPart { shape: Arc::clone(&part.shape), pose: Pose { rotation, ..pose } }
        };
        Self::of(self.parts.iter().map(seen).collect())
    }

    /// The lower and upper corner of the box around it at a pose, m.
    pub fn bounds_at(&self, pose: &Pose) -> (DVec3, DVec3) {
        let boxes = self.parts.iter().map(|part| part.shape.bounds_at(&(*pose * part.pose)));
        boxes.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (l, h)| (low.min(l), high.max(h)))
    }

    /// Appends the numbers of the parts whose boxes overlap a box (m, frame of the compound), in ascending order.
    pub fn parts_within(&self, low: DVec3, high: DVec3, numbers: &mut Vec<u32>) {
        let first = numbers.len();
        self.tree.leaves_within(low, high, |part| numbers.push(part));
        numbers[first..].sort_unstable();
    }

    /// Whether all parts whose boxes overlap a box (m, frame of the compound) pass a test.
    pub(crate) fn all_within(&self, low: DVec3, high: DVec3, mut test: impl FnMut(u32) -> bool) -> bool {
        let mut pass = true;
        self.tree.leaves_within(low, high, |part| pass = pass && test(part));
        pass
    }

    /// The sums over the parts at a density in kg/m³.
    ///
    /// # Errors
    /// [`MassPropertiesError`].
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        let of_part = |part: &CompoundPart| Ok((part.shape.mass_properties(density)?, part.pose));
        let all =
            self.parts.iter().map(of_part).collect::<Result<Vec<(MassProperties, Pose)>, MassPropertiesError>>()?;
        let mass: f64 = all.iter().map(|(own, _)| own.mass).sum();
        let volume = all.iter().map(|(own, _)| own.volume).sum();
        let centre = all.iter().map(|(own, pose)| pose.transform_point(own.centre) * own.mass).sum::<DVec3>() / mass;
        let inertia = all.iter().fold(DMat3::ZERO, |sum, (own, pose)| {
            let turn = DMat3::from_quat(pose.rotation);
            let arm = pose.transform_point(own.centre) - centre;
            // Parallel axes: m (|d|² 1 − d dᵀ).
            let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            sum + turn * own.inertia * turn.transpose()
                + (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * own.mass
        });
        MassProperties::new(volume, mass, centre, 0.5 * (inertia + inertia.transpose()))
    }

    /// The triangles of all parts, to draw.
    pub fn triangles(&self) -> Triangles {
        let mut all = Triangles::default();
        for part in &self.parts {
            let own = part.shape.triangles();
            let first = all.vertices.len() as u32;
            all.vertices.extend(own.vertices.iter().map(|&v| part.pose.transform_point(v)));
            all.triangles.extend(own.triangles.iter().map(|t| t.map(|v| first + v)));
        }
        all
    }

    /// A feature of a part by its number in the compound.
    pub fn feature(&self, part: u32, feature: Feature) -> Feature {
        let [facet, edge, vertex, surface] = self.first[part as usize];
        match feature {
            Feature::Facet(f) => Feature::Facet(facet + f),
            Feature::FacetEdge(e) => Feature::FacetEdge(edge + e),
            Feature::FacetVertex(v) => Feature::FacetVertex(vertex + v),
            Feature::Surface(s) => Feature::Surface(surface + s),
            other => other,
        }
    }

    /// A feature of the compound by its number in a part, if it is one of that part; features that no part numbers stay as they are.
    pub fn feature_of_part(&self, part: u32, feature: Feature) -> Option<Feature> {
        let first = self.first[part as usize];
        let end = self.first.get(part as usize + 1).copied().unwrap_or([u32::MAX; 4]);
        let own = |kind: usize, number: u32| (first[kind]..end[kind]).contains(&number).then(|| number - first[kind]);
        match feature {
            Feature::Facet(f) => own(0, f).map(Feature::Facet),
            Feature::FacetEdge(e) => own(1, e).map(Feature::FacetEdge),
            Feature::FacetVertex(v) => own(2, v).map(Feature::FacetVertex),
            Feature::Surface(s) => own(3, s).map(Feature::Surface),
            other => Some(other),
        }
    }
}

impl CompoundPart {
    /// How far its farthest point is from the origin of the compound's frame at most, m.
    fn reach(&self) -> f64 {
        match self.shape.features() {
            Some(features) => {
                let vertices = features.vertices().iter();
                vertices.map(|v| self.pose.transform_point(v.position).length()).fold(0.0, f64::max)
            }
            None => self.pose.translation.length() + self.shape.radius(),
        }
    }
}

impl PartialEq for Compound {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(own, other): (&CompoundPart, &CompoundPart)| {
            own.pose == other.pose && (Arc::ptr_eq(&own.shape, &other.shape) || own.shape == other.shape)
        };
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(is_same)
    }
}
