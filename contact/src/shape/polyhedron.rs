//! A polyhedron: a solid by its checked surface; everything else follows from that when it is asked for.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::cone::{ConeError, cone_from, fan};
use super::convex_core::{Polytope, RoundedCore};
use super::derived::{Derived, Tetrahedra};
use super::features::{BoxTree, FeatureTolerance, Features};
use super::general::GeneralShape;
use super::kernel::Kernel;
use super::mass_properties::{MassProperties, MassPropertiesError};
#[cfg(feature = "peers")]
use super::parry_shapes::ParryShapes;
use super::shape::Shape;
use super::shape_error::ShapeError;
use super::surface::Surface;
use super::tetgen::{TetgenSettings, tetrahedralize};
use super::tetrahedral_mesh::TetrahedralMesh;
use crate::pose::Pose;
use crate::query::faces::Faces;
use crate::solid::PolyhedralSolid;
use crate::vclip::convex_pieces::PieceSettings;
use crate::vclip::hierarchy::PieceHierarchy;

/// How tetrahedra are made from a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tetrahedralizer {
    /// [`Self::Cone`] for convex and star-shaped surfaces, [`Self::Tetgen`] for any other.
    #[default]
    Automatic,
    /// From the kernel point, a new interior vertex, to every triangle; star-shaped surfaces only.
    Cone,
    /// From the first vertex that sees all triangles away from it, without a new vertex; fails where there is none.
    Fan,
    /// By the TetGen program.
    Tetgen,
}

/// How a surface is tetrahedralized.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetrahedralizationSettings {
    /// The way.
    pub tetrahedralizer: Tetrahedralizer,
    /// How to run TetGen where it is used.
    pub tetgen: TetgenSettings,
}

/// Who made the tetrahedra of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeOrigin {
    /// The mesh was given.
    Given,
    /// The cone from a kernel point, which is the last vertex of the mesh.
    Cone(Kernel),
    /// The fan from this vertex.
    Fan {
        /// The vertex.
        vertex: u32,
    },
    /// The TetGen program.
    Tetgen {
        /// The program that was run.
        program: PathBuf,
        /// Its switches.
        switches: String,
    },
}

/// Where the tetrahedra of a polyhedron come from.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// They are there.
    Mesh(Arc<Tetrahedra>),
    /// They are made from the surface.
    Surface(TetrahedralizationSettings),
    /// They are those of another polyhedron, seen from a frame: who made them, and their bits, stay the same.
    Moved { from: Arc<Polyhedron>, frame: Pose },
}

/// A solid with plane faces, in the frame in which it was given.
///
/// It is built from its surface alone. [`Polyhedron::tetrahedra`] and what stands on them are derived when a method asks.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    surface: Surface,
    features: OnceLock<Arc<Features>>,
    core: OnceLock<Option<Arc<Polytope>>>,
    source: Source,
    /// The eroded copy where one was given.
    eroded: Option<Arc<Shape>>,
    derived: Derived,
}

impl PartialEq for Polyhedron {
    fn eq(&self, other: &Self) -> bool {
        (&self.surface, &self.source, &self.eroded) == (&other.surface, &other.source, &other.eroded)
    }
}

impl Polyhedron {
    fn new(surface: Surface, source: Source) -> Self {
        Self {
            surface,
            features: OnceLock::new(),
            core: OnceLock::new(),
            source,
            eroded: None,
            derived: Derived::default(),
        }
    }

    /// A polyhedron by its surface. Tetrahedra, should a method ask for them, are made as the settings say; where those
    /// name a way other than [`Tetrahedralizer::Automatic`], they are made at once, and the surface is the boundary of
    /// the mesh.
    ///
    /// # Errors
    /// [`ShapeError::Cone`], [`ShapeError::Tetgen`] if the way that the settings name does not do.
    pub fn from_surface(surface: &Surface, settings: &TetrahedralizationSettings) -> Result<Self, ShapeError> {
        match settings.tetrahedralizer {
            Tetrahedralizer::Automatic => Ok(Self::new(surface.clone(), Source::Surface(settings.clone()))),
            _ => Ok(Self::from_tetrahedra(tetrahedralized(surface, settings)?)),
        }
    }

    /// A polyhedron by a mesh that is already there.
    pub fn from_mesh(mesh: TetrahedralMesh) -> Self {
        Self::from_tetrahedra(Tetrahedra::new(mesh, ShapeOrigin::Given))
    }

    fn from_tetrahedra(tetrahedra: Tetrahedra) -> Self {
        Self::new(tetrahedra.mesh().surface().clone(), Source::Mesh(Arc::new(tetrahedra)))
    }

    /// The polyhedron with this one in place of the eroded copies that would be derived from it.
    pub fn with_eroded(self, eroded: Arc<Shape>) -> Self {
        Self { eroded: Some(eroded), ..self }
    }

    /// The eroded copy that was given.
    pub fn given_eroded(&self) -> Option<&Arc<Shape>> {
        self.eroded.as_ref()
    }

    /// The surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The facets, edges and vertices of the surface.
    pub fn features(&self) -> &Features {
        self.features.get_or_init(|| Arc::new(Features::new(&self.surface, &FeatureTolerance::default())))
    }

    /// The polyhedron as a convex core, with the numbers of its features; `None` unless it is convex ([`Features::is_convex`]).
    pub fn core(&self) -> Option<RoundedCore<'_>> {
        let make = || self.features().is_convex().then(|| Arc::new(Polytope::of_features(self.features())));
        let core = self.core.get_or_init(make).as_deref()?;
        Some(RoundedCore { core, radius: 0.0 })
    }

    /// Half the sides of a box along the axes about the origin, m; `None` of any other polyhedron.
    pub(crate) fn half_sides(&self) -> Option<DVec3> {
        // Features take long to find; nothing with more vertices is such a box.
        if self.surface.vertices().len() == 8 { self.core()?.core.half_sides() } else { None }
    }

    /// Boxes around the triangles of the surface, in their order; their cones hold all directions.
    pub fn triangle_tree(&self) -> &BoxTree {
        self.derived.triangle_tree(|| BoxTree::of_triangles(self.surface.vertices(), self.surface.triangles()))
    }

    /// The solid within the surface, with a tree of its triangles: what queries ask. Made when it is first asked for.
    pub fn solid(&self) -> &Arc<PolyhedralSolid> {
        self.derived.solid(|| PolyhedralSolid::new(&self.surface))
    }

    /// The faces of a convex polyhedron that has few of them, for queries. Made when they are first asked for.
    pub(crate) fn faces(&self) -> Option<&Faces> {
        self.derived.faces(|| Faces::of(self))
    }

    /// The polyhedron as a general solid.
    pub(super) fn general(&self, make: impl FnOnce() -> GeneralShape) -> &GeneralShape {
        self.derived.general(make)
    }

    /// The tetrahedra. Where they were made from the surface, their first vertices are those of the surface, in their
    /// order.
    ///
    /// # Errors
    /// [`ShapeError::Cone`], [`ShapeError::Tetgen`], [`ShapeError::Mesh`].
    pub fn tetrahedra(&self) -> Result<&Tetrahedra, ShapeError> {
        match &self.source {
            Source::Mesh(tetrahedra) => Ok(tetrahedra),
            Source::Surface(settings) => self.derived.tetrahedra(|| tetrahedralized(&self.surface, settings)),
            Source::Moved { from, frame } => self.derived.tetrahedra(|| moved(from.tetrahedra()?, frame)),
        }
    }

    /// The tetrahedra if there are any yet.
    pub fn given_tetrahedra(&self) -> Option<&Tetrahedra> {
        match &self.source {
            Source::Mesh(tetrahedra) => Some(tetrahedra),
            Source::Moved { from, .. } if from.given_tetrahedra().is_some() => self.tetrahedra().ok(),
            _ => None,
        }
    }

    /// Tetrahedra that are there by now, given or derived.
    pub fn known_tetrahedra(&self) -> Option<&Tetrahedra> {
        self.given_tetrahedra().or_else(|| self.derived.known_tetrahedra())
    }

    /// What tetrahedra would be made from: a surface, and the frames from which one after the other it was seen to become
    /// this polyhedron ([`Polyhedron::in_frame`]).
    pub fn design(&self) -> (&Surface, Vec<Pose>) {
        match &self.source {
            Source::Mesh(_) | Source::Surface(_) => (&self.surface, Vec::new()),
            Source::Moved { from, frame } => {
                let (surface, mut frames) = from.design();
                frames.push(*frame);
                (surface, frames)
            }
        }
    }

    /// The polyhedron with tetrahedra that were made from it before.
    ///
    /// # Errors
    /// [`ShapeError::Mismatch`] of tetrahedra that do not fill the surface.
    pub fn with_tetrahedra(self, mesh: TetrahedralMesh, origin: ShapeOrigin) -> Result<Self, ShapeError> {
        mesh.check_against(&self.surface)?;
        let source = Source::Mesh(Arc::new(Tetrahedra::new(mesh, origin)));
        Ok(Self { source, ..self })
    }

    /// The tetrahedral mesh.
    ///
    /// # Errors
    /// As [`Polyhedron::tetrahedra`].
    pub fn mesh(&self) -> Result<&TetrahedralMesh, ShapeError> {
        self.tetrahedra().map(Tetrahedra::mesh)
    }

    /// The same solid as parry's shapes, each made when it is first asked for.
    #[cfg(feature = "peers")]
    pub fn parry(&self) -> &ParryShapes {
        self.derived.parry()
    }

    /// The convex decomposition, in a tree of hulls.
    ///
    /// # Errors
    /// As [`Polyhedron::tetrahedra`], and [`ShapeError::Pieces`] if pieces are too thin.
    pub fn pieces(&self) -> Result<&PieceHierarchy, ShapeError> {
        self.derived.pieces(|| Ok(PieceHierarchy::of_mesh(self.mesh()?, &PieceSettings::default())?))
    }

    /// The copy eroded by `depth` (m), see [`TetrahedralMesh::eroded`]; all numbers stay. The one that was given, whatever
    /// the depth, if there is one.
    ///
    /// # Errors
    /// As [`Polyhedron::tetrahedra`], and [`ShapeError::Erosion`].
    pub fn eroded(&self, depth: f64) -> Result<&Shape, ShapeError> {
        match &self.eroded {
            Some(given) => Ok(given),
            None => self.derived.eroded(depth, || Ok(self.with_mesh(self.mesh()?.eroded(depth)?)?.into())),
        }
    }

    /// The mass properties at a density in kg/m³: sums over the tetrahedra that were given, else over the tetrahedra
    /// between a kernel point and the triangles, which are all positive; where there is no such point, signed ones.
    ///
    /// # Errors
    /// [`MassPropertiesError`].
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassPropertiesError> {
        match self.given_tetrahedra() {
            Some(tetrahedra) => MassProperties::of_mesh(tetrahedra.mesh(), density),
            None => match Kernel::of(&self.surface) {
                Some(kernel) => MassProperties::of_cone(&self.surface, kernel.point, density),
                None => MassProperties::of_surface(&self.surface, density),
            },
        }
    }

    /// The same solid as it is seen from a frame (frame → frame of this polyhedron). What is derived from it is made from
    /// this one, so that tetrahedra do not depend on the frame and stay known by who made them.
    ///
    /// # Errors
    /// A surface that is no longer valid, by rounding.
    pub fn in_frame(&self, frame: &Pose) -> Result<Self, ShapeError> {
        let eroded = self.eroded.as_ref().map(|eroded| eroded.in_frame(frame)).transpose()?.map(Arc::new);
        let polyhedron = match &self.source {
            Source::Mesh(tetrahedra) => Self::from_tetrahedra(moved(tetrahedra, frame)?),
            _ => {
                let vertices = self.surface.vertices().iter().map(|&v| frame.inverse_transform_point(v)).collect();
                let surface = Surface::new(vertices, self.surface.triangles().to_vec())?;
                Self::new(surface, Source::Moved { from: Arc::new(self.clone()), frame: *frame })
            }
        };
        Ok(Self { eroded, ..polyhedron })
    }

    /// The same solid with all its points, those of its tetrahedra included, mapped; one by one, in any order.
    ///
    /// # Errors
    /// A surface or a mesh that is no longer valid.
    pub fn mapped(&self, map: impl Fn(DVec3) -> DVec3) -> Result<Self, ShapeError> {
        match self.given_tetrahedra() {
            Some(tetrahedra) => {
                let vertices = tetrahedra.mesh().vertices().iter().map(|&v| map(v)).collect();
                let mesh = tetrahedra.mesh().with_vertices(vertices)?;
                Ok(Self::from_tetrahedra(Tetrahedra::new(mesh, tetrahedra.origin().clone())))
            }
            None => {
                let vertices = self.surface.vertices().iter().map(|&v| map(v)).collect();
                let surface = Surface::new(vertices, self.surface.triangles().to_vec())?;
                Ok(Self::new(surface, Source::Surface(self.tetrahedralization_settings())))
            }
        }
    }

    /// The same solid with every tetrahedron split into eight, `levels` times.
    ///
    /// # Errors
    /// As [`Polyhedron::tetrahedra`], and [`ShapeError::Mesh`] if tetrahedra become too small to have a volume.
    pub fn refined(&self, levels: usize) -> Result<Self, ShapeError> {
        let mut mesh = self.mesh()?.clone();
        for _ in 0..levels {
            mesh = mesh.refined()?;
        }
        self.with_mesh(mesh)
    }

    /// The solid scaled by a factor in (0, 1], see [`TetrahedralMesh::shrunk`]; all numbers stay.
    ///
    /// # Errors
    /// As [`Polyhedron::tetrahedra`], and [`ShapeError::Erosion`].
    pub fn shrunk(&self, factor: f64) -> Result<Self, ShapeError> {
        self.with_mesh(self.mesh()?.shrunk(factor)?)
    }

    fn with_mesh(&self, mesh: TetrahedralMesh) -> Result<Self, ShapeError> {
        Ok(Self::from_tetrahedra(Tetrahedra::new(mesh, self.tetrahedra()?.origin().clone())))
    }

    /// How tetrahedra would be made; nothing special where they are there.
    pub fn tetrahedralization_settings(&self) -> TetrahedralizationSettings {
        match &self.source {
            Source::Mesh(_) => TetrahedralizationSettings::default(),
            Source::Surface(settings) => settings.clone(),
            Source::Moved { from, .. } => from.tetrahedralization_settings(),
        }
    }
}

/// Tetrahedra seen from a frame.
fn moved(tetrahedra: &Tetrahedra, frame: &Pose) -> Result<Tetrahedra, ShapeError> {
    let mesh = tetrahedra.mesh();
    let vertices = mesh.vertices().iter().map(|&v| frame.inverse_transform_point(v)).collect();
    let origin = match tetrahedra.origin() {
        ShapeOrigin::Cone(kernel) => {
            ShapeOrigin::Cone(Kernel { point: frame.inverse_transform_point(kernel.point), ..*kernel })
        }
        other => other.clone(),
    };
    Ok(Tetrahedra::new(mesh.with_vertices(vertices)?, origin))
}

fn tetrahedralized(surface: &Surface, settings: &TetrahedralizationSettings) -> Result<Tetrahedra, ShapeError> {
    let cone = |kernel: Kernel| -> Result<Tetrahedra, ShapeError> {
        Ok(Tetrahedra::new(cone_from(surface, kernel.point)?, ShapeOrigin::Cone(kernel)))
    };
    let tetgen = || -> Result<Tetrahedra, ShapeError> {
        let mesh = tetrahedralize(surface, &settings.tetgen)?;
        let (program, switches) = (settings.tetgen.program().to_owned(), settings.tetgen.switches()?);
        Ok(Tetrahedra::new(mesh, ShapeOrigin::Tetgen { program, switches }))
    };
    match settings.tetrahedralizer {
        Tetrahedralizer::Automatic => Kernel::of(surface).map_or_else(tetgen, cone),
        Tetrahedralizer::Cone => cone(Kernel::of(surface).ok_or(ConeError::NotStarShaped)?),
        Tetrahedralizer::Fan => {
            let (mesh, vertex) = fan(surface)?;
            Ok(Tetrahedra::new(mesh, ShapeOrigin::Fan { vertex }))
        }
        Tetrahedralizer::Tetgen => tetgen(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::sample;
    use crate::shape::tetgen::TetgenError;
    use crate::split_mix::SplitMix;
    use glam::DQuat;

    /// The box around a turned box is that of its corners, wherever it is and wherever its own origin.
    #[test]
    fn bounds_of_boxes_are_those_of_their_corners() {
        let mut random = SplitMix::new(8);
        let mut vector = |size: f64| DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)));
        for round in 0..200 {
            let (half, turn) = (vector(1.0).abs() + 1e-3, vector(3.0));
            let centre = if round % 2 == 0 { DVec3::ZERO } else { vector(1.0) };
            let size = if round % 3 == 0 { 1e5 } else { 1.0 };
            let pose = Pose::from_parts(vector(size), DQuat::from_scaled_axis(turn));
            let surface = sample::cuboid(centre, half);
            let shape = Shape::from_surface(&surface, &TetrahedralizationSettings::default()).unwrap();
            assert_eq!(shape.as_polyhedron().unwrap().half_sides().is_some(), centre == DVec3::ZERO, "{round}");
            let corners = || shape.surface().unwrap().vertices().iter().map(|&v| pose.transform_point(v));
            let (low, high) = shape.bounds_at(&pose);
            let lowest = corners().fold(DVec3::INFINITY, DVec3::min);
            let highest = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
            assert!(low.distance(lowest).max(high.distance(highest)) < 1e-14 * (1.0 + size), "{round}");
        }
    }

    fn settings(tetrahedralizer: Tetrahedralizer) -> TetrahedralizationSettings {
        TetrahedralizationSettings { tetrahedralizer, ..TetrahedralizationSettings::default() }
    }

    fn of(surface: &Surface) -> Polyhedron {
        Polyhedron::from_surface(surface, &TetrahedralizationSettings::default()).unwrap()
    }

    #[test]
    fn tetrahedra_are_made_when_they_are_asked_for() {
        let surface = sample::l_prism();
        let polyhedron = of(&surface);
        assert_eq!(polyhedron.surface(), &surface);
        assert!(polyhedron.known_tetrahedra().is_none());
        let tetrahedra = polyhedron.tetrahedra().unwrap();
        let ShapeOrigin::Cone(kernel) = tetrahedra.origin() else { panic!("{:?}", tetrahedra.origin()) };
        assert_eq!(tetrahedra.mesh().vertices().last(), Some(&kernel.point));
        assert_eq!(tetrahedra.mesh().surface(), &surface);
        assert!(polyhedron.known_tetrahedra().is_some() && polyhedron.given_tetrahedra().is_none());
        let explicit = Polyhedron::from_surface(&surface, &settings(Tetrahedralizer::Cone)).unwrap();
        assert_eq!(explicit.tetrahedra().unwrap(), tetrahedra);
    }

    #[test]
    fn a_solid_without_tetrahedra_has_features_and_mass_all_the_same() {
        let mut settings = TetrahedralizationSettings::default();
        settings.tetgen.program = Some(PathBuf::from("no-such-tetgen"));
        let polyhedron = Polyhedron::from_surface(&sample::u_prism(), &settings).unwrap();
        let mass = polyhedron.mass_properties(2.0).unwrap();
        assert!((mass.mass / (2.0 * polyhedron.surface().volume()) - 1.0).abs() < 1e-14);
        assert_eq!(polyhedron.features().facets().len(), 10);
        for error in [polyhedron.tetrahedra().unwrap_err(), polyhedron.pieces().unwrap_err()] {
            let ShapeError::Tetgen(error) = error else { panic!("{error}") };
            assert!(matches!(*error, TetgenError::MissingProgram { .. }));
        }
        settings.tetrahedralizer = Tetrahedralizer::Cone;
        let error = Polyhedron::from_surface(&sample::u_prism(), &settings).unwrap_err();
        assert!(matches!(error, ShapeError::Cone(ConeError::NotStarShaped)));
    }

    #[test]
    fn who_made_the_tetrahedra_stays_known() {
        let surface = sample::corner_tetrahedron();
        let fan = Polyhedron::from_surface(&surface, &settings(Tetrahedralizer::Fan)).unwrap();
        let frame = Pose::from_parts(DVec3::new(0.1, 0.2, 0.3), DQuat::from_rotation_y(0.4));
        let moved = fan.in_frame(&frame).unwrap();
        for polyhedron in [&fan, &moved, &fan.refined(1).unwrap(), &fan.shrunk(0.5).unwrap()] {
            assert_eq!(polyhedron.tetrahedra().unwrap().origin(), &ShapeOrigin::Fan { vertex: 0 });
        }
        let given = Polyhedron::from_mesh(fan.mesh().unwrap().clone());
        assert_eq!(given.tetrahedra().unwrap().origin(), &ShapeOrigin::Given);
    }

    /// Tetrahedra of a moved polyhedron are the moved ones, whether they were there before or not.
    #[test]
    fn the_order_of_moving_and_tetrahedralizing_does_not_matter() {
        let frame = Pose::from_parts(DVec3::new(0.1, 0.2, 0.3), DQuat::from_rotation_y(0.4));
        let first = of(&sample::l_prism());
        let before = first.in_frame(&frame).unwrap();
        first.tetrahedra().unwrap();
        let after = first.in_frame(&frame).unwrap();
        assert_eq!(before.tetrahedra().unwrap(), after.tetrahedra().unwrap());
        let expected = first.mesh().unwrap().vertices().iter().map(|&v| frame.inverse_transform_point(v));
        assert_eq!(before.mesh().unwrap().vertices(), expected.collect::<Vec<_>>());
        let (surface, frames) = before.design();
        assert_eq!((surface, frames), (first.surface(), vec![frame]));
    }

    #[test]
    fn eroded_copies_are_kept_by_depth_unless_one_is_given() {
        let polyhedron = of(&sample::l_prism());
        let [thin, thick] = [0.01, 0.02].map(|depth| polyhedron.eroded(depth).unwrap());
        assert!(std::ptr::eq(thin, polyhedron.eroded(0.01).unwrap()) && !std::ptr::eq(thin, thick));
        let mass = |shape: &Shape| shape.mass_properties(1.0).unwrap().mass;
        assert!(mass(thick) < mass(thin) && mass(thin) < polyhedron.mass_properties(1.0).unwrap().mass);
        let numbers = |shape: &Shape| shape.as_polyhedron().unwrap().mesh().unwrap().tetrahedra().to_vec();
        assert_eq!(numbers(thin), polyhedron.mesh().unwrap().tetrahedra());
        let given = Arc::new(thick.clone());
        let other = polyhedron.clone().with_eroded(Arc::clone(&given));
        assert!(std::ptr::eq(other.eroded(0.01).unwrap(), &*given));
    }
}
