//! Bodies: shapes as solids or by their edges.

use super::colour::{Finish, bits};
use super::drawing::{Drawing, Segment, Stroke, asset};
use super::layers::BodyStyle;
use super::part::Part;
use super::triangles::Triangles;
use bevy::asset::AssetId;
use bevy::gizmos::GizmoAsset;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use drystone_contact::shape::{self, Shape, Surface};
use std::collections::BTreeSet;
use std::sync::{Arc, Weak};

/// Draws a shape at the `Transform` of its entity. Entities that share a shape share its mesh.
#[derive(Component, Clone, Debug)]
#[require(Transform, Visibility)]
pub struct DrawnBody {
    /// The shape, in the frame of the entity, m.
    pub shape: Arc<Shape>,
}

impl DrawnBody {
    /// Draws this shape.
    pub fn new(shape: Arc<Shape>) -> Self {
        Self { shape }
    }
}

/// How one [`DrawnBody`] differs from what [`super::Layers`] say.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct BodyLook {
    /// In place of [`super::Layers::bodies`].
    pub style: Option<BodyStyle>,
    /// Of its faces, or of its lines where it is drawn as a wireframe.
    pub colour: Option<Color>,
    /// Opacity of faces and lines, 0…1; below one the body is a ghost.
    pub alpha: f32,
    /// Whether it is left out, in every style.
    pub is_hidden: bool,
}

impl Default for BodyLook {
    /// As the layers say, opaque.
    fn default() -> Self {
        Self { style: None, colour: None, alpha: 1.0, is_hidden: false }
    }
}

/// Which edges of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Edges {
    /// Those between its facets; a primitive has none.
    Facets,
    /// All of its triangulation.
    Triangles,
}

/// What was made of a shape, as long as something uses it.
struct Made {
    /// Keeps the address from being taken by another shape.
    shape: Weak<Shape>,
    mesh: Option<AssetId<Mesh>>,
    edges: HashMap<(Edges, [u32; 4]), AssetId<GizmoAsset>>,
}

/// Meshes and lines by the address of the shape.
#[derive(Resource, Default)]
pub(super) struct ShapeCache(HashMap<usize, Made>);

impl ShapeCache {
    fn made(&mut self, shape: &Arc<Shape>) -> &mut Made {
        let address = Arc::as_ptr(shape) as usize;
        if !self.0.contains_key(&address) {
            self.0.retain(|_, made| made.shape.strong_count() > 0);
        }
        self.0.entry(address).or_insert_with(|| Made {
            shape: Arc::downgrade(shape),
            mesh: None,
            edges: HashMap::default(),
        })
    }

    fn mesh(&mut self, shape: &Arc<Shape>, meshes: &mut Assets<Mesh>) -> Option<Handle<Mesh>> {
        let made = self.made(shape);
        if let Some(handle) = made.mesh.and_then(|id| meshes.get_strong_handle(id)) {
            return Some(handle);
        }
        let handle = meshes.add(faces(shape).mesh_without_colours()?);
        made.mesh = Some(handle.id());
        Some(handle)
    }

    fn edges(
        &mut self,
        shape: &Arc<Shape>,
        edges: Edges,
        colour: Color,
        gizmos: &mut Assets<GizmoAsset>,
    ) -> Option<Handle<GizmoAsset>> {
        let (made, key) = (self.made(shape), (edges, bits(colour)));
        if let Some(handle) = made.edges.get(&key).and_then(|&id| gizmos.get_strong_handle(id)) {
            return Some(handle);
        }
        made.edges.retain(|_, id| gizmos.contains(*id));
        let handle = gizmos.add(asset(&segments(shape, edges, colour))?);
        made.edges.insert(key, handle.id());
        Some(handle)
    }
}

fn faces(shape: &Shape) -> Triangles {
    match shape {
        Shape::Polyhedron(polyhedron) => faces_of_surface(polyhedron.surface()),
        _ => faces_of_stand_in(&shape.triangles()),
    }
}

fn faces_of_surface(surface: &Surface) -> Triangles {
    let mut triangles = Triangles::default();
    for (number, normal) in (0_u32..).zip(surface.normals()) {
        triangles.push(surface.corners(number).map(single), single(*normal), Color::WHITE);
    }
    triangles
}

fn faces_of_stand_in(drawn: &shape::Triangles) -> Triangles {
    let mut triangles = Triangles::default();
    for corners in &drawn.triangles {
        let [p, q, r] = corners.map(|v| drawn.vertices[v as usize]);
        let normal = (q - p).cross(r - p).normalize_or_zero();
        triangles.push([p, q, r].map(single), single(normal), Color::WHITE);
    }
    triangles
}

fn segments(shape: &Shape, edges: Edges, colour: Color) -> Vec<Segment> {
    match (shape, edges) {
        (Shape::Polyhedron(polyhedron), Edges::Facets) => {
            let features = polyhedron.features();
            let at = |v: u32| single(features.vertices()[v as usize].position);
            features.edges().iter().map(|edge| (edge.vertices.map(at), colour)).collect()
        }
        (Shape::Polyhedron(polyhedron), Edges::Triangles) => {
            let surface = polyhedron.surface();
            let at = |v: u32| single(surface.vertices()[v as usize]);
            surface.edges().iter().map(|edge| (edge.vertices.map(at), colour)).collect()
        }
        // What is no polyhedron has no edges of its own.
        (_, Edges::Facets) => Vec::new(),
        (_, Edges::Triangles) => {
            let drawn = shape.triangles();
            let at = |v: u32| single(drawn.vertices[v as usize]);
            let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
            let sides: BTreeSet<[u32; 2]> = drawn.triangles.iter().flat_map(sides).collect();
            sides.into_iter().map(|side| (side.map(at), colour)).collect()
        }
    }
}

/// The vector in single precision.
fn single(v: glam::DVec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

/// Makes the parts of bodies that have changed, or of all if the layers have.
pub(super) fn draw(
    bodies: Query<(Entity, Ref<DrawnBody>, Option<Ref<BodyLook>>)>,
    mut without_body: RemovedComponents<DrawnBody>,
    mut without_look: RemovedComponents<BodyLook>,
    mut shapes: ResMut<ShapeCache>,
    mut drawing: Drawing,
) {
    for owner in without_body.read().filter(|&owner| !bodies.contains(owner)) {
        drawing.remove(owner, &[Part::Surface, Part::Edges]);
    }
    let plain: Vec<Entity> = without_look.read().collect();
    for (owner, body, look) in &bodies {
        let is_changed = body.is_changed() || look.as_ref().is_some_and(|look| look.is_changed());
        if is_changed || drawing.layers.is_changed() || plain.contains(&owner) {
            let look = look.map(|look| *look).unwrap_or_default();
            draw_body(owner, &body.shape, &look, &mut shapes, &mut drawing);
        }
    }
}

fn draw_body(owner: Entity, shape: &Arc<Shape>, look: &BodyLook, shapes: &mut ShapeCache, drawing: &mut Drawing) {
    let layers = drawing.layers.clone();
    let style = if look.is_hidden { BodyStyle::Hidden } else { look.style.unwrap_or(layers.bodies) };
    let alpha = if look.alpha.is_nan() { 1.0 } else { look.alpha.clamp(0.0, 1.0) };
    let faded = |colour: Color| colour.with_alpha(colour.alpha() * alpha);
    let surface = match style {
        BodyStyle::Solid | BodyStyle::SolidEdges => shapes.mesh(shape, &mut drawing.meshes),
        BodyStyle::Wireframe | BodyStyle::Hidden => None,
    };
    let colour = faded(look.colour.unwrap_or(layers.body_colour));
    drawing.set_mesh(owner, Part::Surface, surface, Finish::Matt, colour);

    let (edges, colour, depth_bias) = match style {
        BodyStyle::SolidEdges => (Edges::Facets, layers.edge_colour, Stroke::ON_FACES),
        BodyStyle::Wireframe => (Edges::Triangles, look.colour.unwrap_or(layers.wireframe_colour), 0.0),
        BodyStyle::Solid | BodyStyle::Hidden => return drawing.remove(owner, &[Part::Edges]),
    };
    let lines = shapes.edges(shape, edges, faded(colour), &mut drawing.gizmos);
    let stroke = Stroke { depth_bias, ..Stroke::of_width(layers.line_width) };
    drawing.set_lines(owner, Part::Edges, lines, stroke);
}
