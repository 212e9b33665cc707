//! Contact generators: one file per method, the trait that they share, methods as named generators with
//! settings, and the registry that finds them by name.
//!
//! ```
//! use drystone_contact::generator::semi_local::SemiLocal;
//! use drystone_contact::generator::{Generator, Placed};
//! use drystone_contact::shape::{Shape, Surface, TetrahedralizationSettings};
//! use drystone_contact::{Pose, Twist};
//! use glam::DVec3;
//!
//! // A cube on another, a centimetre deep.
//! let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
//! let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
//! let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
//! let surface = Surface::new((0..8).map(corner).collect(), triangles)?;
//! let cube = Shape::from_surface(&surface, &TetrahedralizationSettings::default())?;
//! let at = |place| Placed { shape: &cube, pose: Pose::from_translation(place), twist: Twist::default() };
//! let contacts = SemiLocal::default().contacts(&at(DVec3::ZERO), &at(DVec3::new(0.25, 0.99, 0.25)))?;
//! assert_eq!(contacts.len(), 4);
//! assert!(contacts.iter().all(|c| c.normal.distance(DVec3::Y) < 1e-12 && (c.gap + 0.01).abs() < 1e-12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod closest_features;
pub mod closest_points;
pub mod cone_filter;
pub mod consistent_vertex;
pub mod contact_plane;
mod error;
pub mod gauss_map;
pub mod growth_distance;
pub mod impact;
pub mod intersection;
pub mod intersection_points;
pub mod lines;
pub mod local;
pub mod method;
mod method_text;
pub mod methods;
pub mod most_opposing;
pub mod overlap;
#[cfg(feature = "peers")]
pub mod parry;
pub mod post_filter;
pub mod registry;
pub mod semi_local;
pub mod separating_axis;
pub mod surface_sat;
pub mod tetrahedron;
pub mod time_of_contact;
pub mod vclip;
pub mod vertex_inside;
pub mod vertex_only;
pub mod volume_sat;

#[cfg(test)]
mod fundamental;

use std::sync::Arc;

use crate::shape::Shape;
use crate::shape::features::NearFacets;
use crate::{Contact, Feature, Pose, Twist};

pub use error::GeneratorError;
pub use method::{Method, SettingsError};
pub use method_text::MethodTextError;
pub use registry::{Registry, UnknownName};

/// Features this far apart still touch by default, m. Bodies that roll or slide without stabilisation
/// drift apart by some 10 µm a step; with an exact test their contacts would come and go.
pub const TOUCHING: f64 = 1e-4;

/// Positions and lengths that differ by less are the same by default, m: above the rounding of data in
/// single precision, below anything that matters to a simulation.
pub const SAME: f64 = 1e-6;

/// A shape at a pose, with its velocity.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The shape, in its body frame.
    pub shape: &'a Shape,
    /// Body frame → world.
    pub pose: Pose,
    /// How it moves. Methods that know geometry only do not look at it.
    pub twist: Twist,
}

/// A contact generator: finds the contacts of two shapes.
///
/// It is a pure function of the two shapes, their poses and twists, the features that were in contact in the step before,
/// and its own settings: no clock, no global state, no randomness without a seed in the settings. Normals are unit vectors
/// in world axes and point from A to B; gaps are positive apart and negative penetrating, along the normal; exchanging A and
/// B negates normals and changes nothing else. It is called from several threads at once.
///
/// A generator that cannot serve a shape says so in [`Generator::prepare`] by an error that names both; it never answers
/// "no contacts" instead.
pub trait Generator: Send + Sync {
    /// The name in errors, in general that of the method.
    fn name(&self) -> &str;

    /// Checks that the generator can serve a shape, and derives from the shape what it needs (tetrahedra, convex pieces, an
    /// eroded copy), which stays with the shape. A world calls it when a body is added. A generator whose shapes were not
    /// prepared derives in its first call, or fails there.
    ///
    /// # Errors
    /// [`GeneratorError`], which names generator and shape.
    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError>;

    /// The contacts of A and B in a fixed order. Poses have finite coordinates and unit quaternions; what comes out of
    /// others means nothing.
    ///
    /// # Errors
    /// [`GeneratorError`] for shapes that [`Generator::prepare`] refuses.
    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError>;

    /// Appends the contacts of A and B to a list. `previous` names the features of the contacts that the pair had in
    /// the step before, A's first; methods that are to stay with a choice that they made look at it. Scratch space is
    /// kept in the workspace, and nothing else: no result depends on it.
    ///
    /// # Errors
    /// As [`Generator::contacts`].
    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let _ = (previous, workspace);
        contacts.extend(self.contacts(a, b)?);
        Ok(())
    }

    /// The contact margin: how far from the shape the generator may report contacts, m. There are none between two shapes
    /// that are farther apart than the mean of the two margins, so that a caller need not ask for them.
    fn margin(&self, shape: &Shape) -> f64;

    /// The shape that the contacts lie on: the shape itself, or the eroded copy that the generator looks at in its place.
    /// Features have the same numbers in both.
    fn contact_shape<'s>(&self, shape: &'s Shape) -> &'s Shape {
        shape
    }

    /// The allowed penetration: how deep in each other bodies should rest for their contacts to stay, m. Zero for a
    /// generator that reports contacts over a small gap as well; infinite if nothing is known, so that the world decides
    /// alone.
    fn slop(&self) -> f64 {
        f64::INFINITY
    }

    /// Whether a world should look for contacts at the time of impact ([`impact`]) by asking this generator along the
    /// motion of a step.
    fn is_asked_at_impact(&self) -> bool {
        false
    }

    /// How often it may be asked along one motion at most: fewer times if it takes long for such shapes. A motion that needs more is followed no
    /// farther.
    fn most_looks_on_the_way(&self, a: &Shape, b: &Shape) -> usize {
        let _ = (a, b);
        usize::MAX
    }

    /// Appends the contacts on the way of a motion, where no step before is known: as [`Generator::contacts_into`], but a
    /// generator that takes parts of deep overlaps apart by themselves may leave these out if the shapes are deep in each
    /// other where the motion begins.
    ///
    /// # Errors
    /// As [`Generator::contacts`].
    fn contacts_on_the_way(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        begins_deep: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let _ = begins_deep;
        self.contacts_into(a, b, &[], workspace, contacts)
    }

    /// Whether [`Generator::speculative_contacts`] ever finds anything.
    fn is_speculative(&self) -> bool {
        false
    }

    /// Appends the contacts, as they are at A's and B's poses, through which the shapes get into each other on their way to
    /// the poses `ends` although the contacts with the features `held`, A's first, hold them apart there. For steppers
    /// that look at where a step leads before they make it. Nothing, by default.
    ///
    /// # Errors
    /// As [`Generator::contacts`].
    fn speculative_contacts(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        ends: [&Pose; 2],
        held: &[(Feature, Feature)],
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        let _ = (a, b, ends, held, contacts);
        Ok(())
    }
}

impl<G: Generator + ?Sized> Generator for Arc<G> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn prepare(&self, shape: &Shape) -> Result<(), GeneratorError> {
        (**self).prepare(shape)
    }

    fn contacts(&self, a: &Placed<'_>, b: &Placed<'_>) -> Result<Vec<Contact>, GeneratorError> {
        (**self).contacts(a, b)
    }

    fn contacts_into(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        previous: &[(Feature, Feature)],
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        (**self).contacts_into(a, b, previous, workspace, contacts)
    }

    fn margin(&self, shape: &Shape) -> f64 {
        (**self).margin(shape)
    }

    fn contact_shape<'s>(&self, shape: &'s Shape) -> &'s Shape {
        (**self).contact_shape(shape)
    }

    fn slop(&self) -> f64 {
        (**self).slop()
    }

    fn is_asked_at_impact(&self) -> bool {
        (**self).is_asked_at_impact()
    }

    fn most_looks_on_the_way(&self, a: &Shape, b: &Shape) -> usize {
        (**self).most_looks_on_the_way(a, b)
    }

    fn contacts_on_the_way(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        begins_deep: bool,
        workspace: &mut Workspace,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        (**self).contacts_on_the_way(a, b, begins_deep, workspace, contacts)
    }

    fn is_speculative(&self) -> bool {
        (**self).is_speculative()
    }

    fn speculative_contacts(
        &self,
        a: &Placed<'_>,
        b: &Placed<'_>,
        ends: [&Pose; 2],
        held: &[(Feature, Feature)],
        contacts: &mut Vec<Contact>,
    ) -> Result<(), GeneratorError> {
        (**self).speculative_contacts(a, b, ends, held, contacts)
    }
}

/// What may be kept of two shapes from call to call, so that there is less to look for: no result depends on it.
#[derive(Clone, Debug, Default)]
pub struct PairMemory {
    /// Small where nothing is kept, as of most convex shapes.
    near: Option<Box<NearFacets>>,
}

impl PairMemory {
    /// Takes over what another one holds, in the own allocation.
    pub fn copy_from(&mut self, other: &Self) {
        match (&mut self.near, &other.near) {
            (Some(own), Some(near)) => own.copy_from(near),
            (Some(own), None) => own.copy_from(&NearFacets::default()),
            (None, near) => self.near.clone_from(near),
        }
    }
}

/// Scratch space of generators, for a caller to keep from pair to pair.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// What is kept of the pair that is looked at; none for a caller that keeps nothing. It has to be of the same two shapes in the same
    /// order.
    pub memory: Option<PairMemory>,
    /// Pieces of two shapes that may meet on their way.
    meeting: Vec<(u32, u32)>,
    semi_local: semi_local::Buffers,
    time_of_contact: time_of_contact::Buffers,
}
