//! What contact methods derive from a polyhedron: tetrahedra, convex pieces, eroded copies, shapes of parry.
//!
//! Everything here is made when it is first asked for ([`crate::generator::Generator::prepare`]), once, and lives as
//! long as the shape. Bodies that share a shape share it. It is a function of the shape alone, so that it does not matter
//! which thread asks first.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::bounding_tree::BoundingTree;
use super::features::BoxTree;
use super::general::GeneralShape;
#[cfg(feature = "peers")]
use super::parry_shapes::ParryShapes;
use super::polyhedron::ShapeOrigin;
use super::shape::Shape;
use super::shape_error::ShapeError;
use super::tetrahedral_mesh::TetrahedralMesh;
use crate::query::faces::Faces;
use crate::solid::PolyhedralSolid;
use crate::vclip::hierarchy::PieceHierarchy;

/// The tetrahedra of a polyhedron, with the bounding volumes over those at its surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Tetrahedra {
    mesh: TetrahedralMesh,
    tree: BoundingTree,
    origin: ShapeOrigin,
}

impl Tetrahedra {
    /// A mesh and who made it.
    pub(super) fn new(mesh: TetrahedralMesh, origin: ShapeOrigin) -> Self {
        Self { tree: BoundingTree::new(&mesh), mesh, origin }
    }

    /// The mesh.
    pub fn mesh(&self) -> &TetrahedralMesh {
        &self.mesh
    }

    /// The bounding volumes over the tetrahedra at the surface.
    pub fn tree(&self) -> &BoundingTree {
        &self.tree
    }

    /// Who made the mesh.
    pub fn origin(&self) -> &ShapeOrigin {
        &self.origin
    }
}

/// A value that is derived once, or the reason why it cannot be.
type Once<T> = OnceLock<Result<Arc<T>, ShapeError>>;

fn get<T>(once: &Once<T>, derive: impl FnOnce() -> Result<T, ShapeError>) -> Result<&T, ShapeError> {
    match once.get_or_init(|| derive().map(Arc::new)) {
        Ok(value) => Ok(value),
        Err(error) => Err(error.clone()),
    }
}

/// What has been derived from a polyhedron so far. Equal to any other: it says nothing about the solid.
#[derive(Clone, Default)]
pub(super) struct Derived {
    tetrahedra: Once<Tetrahedra>,
    pieces: Once<PieceHierarchy>,
    #[cfg(feature = "peers")]
    parry: ParryShapes,
    eroded: Eroded,
    triangle_tree: OnceLock<Arc<BoxTree>>,
    general: OnceLock<GeneralShape>,
    solid: OnceLock<Arc<PolyhedralSolid>>,
    faces: OnceLock<Option<Arc<Faces>>>,
}

impl Derived {
    pub fn faces(&self, make: impl FnOnce() -> Option<Faces>) -> Option<&Faces> {
        self.faces.get_or_init(|| make().map(Arc::new)).as_deref()
    }

    pub fn tetrahedra(&self, make: impl FnOnce() -> Result<Tetrahedra, ShapeError>) -> Result<&Tetrahedra, ShapeError> {
        get(&self.tetrahedra, make)
    }

    pub fn known_tetrahedra(&self) -> Option<&Tetrahedra> {
        self.tetrahedra.get()?.as_ref().ok().map(|tetrahedra| &**tetrahedra)
    }

    pub fn pieces(
        &self,
        make: impl FnOnce() -> Result<PieceHierarchy, ShapeError>,
    ) -> Result<&PieceHierarchy, ShapeError> {
        get(&self.pieces, make)
    }

    pub fn triangle_tree(&self, make: impl FnOnce() -> BoxTree) -> &BoxTree {
        self.triangle_tree.get_or_init(|| Arc::new(make()))
    }

    pub fn general(&self, make: impl FnOnce() -> GeneralShape) -> &GeneralShape {
        self.general.get_or_init(make)
    }

    pub fn solid(&self, make: impl FnOnce() -> PolyhedralSolid) -> &Arc<PolyhedralSolid> {
        self.solid.get_or_init(|| Arc::new(make()))
    }

    #[cfg(feature = "peers")]
    pub fn parry(&self) -> &ParryShapes {
        &self.parry
    }

    pub fn eroded(&self, depth: f64, make: impl Fn() -> Result<Shape, ShapeError>) -> Result<&Shape, ShapeError> {
        self.eroded.at(depth, make)
    }
}

impl PartialEq for Derived {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Derived").finish_non_exhaustive()
    }
}

/// Eroded copies by depth, as a list that only grows: methods ask for one or two depths.
#[derive(Clone, Default)]
struct Eroded(OnceLock<Arc<ErodedAt>>);

struct ErodedAt {
    depth: f64,
    shape: Result<Shape, ShapeError>,
    next: Eroded,
}

impl Eroded {
    fn at(&self, depth: f64, make: impl Fn() -> Result<Shape, ShapeError>) -> Result<&Shape, ShapeError> {
        let mut list = self;
        loop {
            let add = || Arc::new(ErodedAt { depth, shape: make(), next: Self::default() });
            let first = list.0.get_or_init(add);
            if first.depth.to_bits() == depth.to_bits() {
                return first.shape.as_ref().map_err(Clone::clone);
            }
            list = &first.next;
        }
    }
}
