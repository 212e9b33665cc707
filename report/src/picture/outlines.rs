//! Bodies as outlines: the borders between their facets, with what other facets hide apart from what one sees.

use std::borrow::Cow;

use drystone_contact::Pose;
use drystone_contact::shape::features::{Facet, FeatureTolerance};
use drystone_contact::shape::{Features, Shape, Surface, Triangles};
use drystone_scenes::scene::Scene;
use glam::{DVec2, DVec3};
use maud::{Markup, html};

use super::camera::{Camera, Frame};
use crate::number::coordinate;

/// Places along an edge at which one looks whether it is hidden; between two that differ the change is searched for.
const LOOKS: usize = 32;

/// Halvings of that search.
const HALVINGS: usize = 14;

/// What is nearer to the eye by less than this share of a body's size hides nothing of it.
const THIN: f64 = 1e-7;

/// A body as one sees it.
pub struct Outlined<'a> {
    features: Option<Cow<'a, Features>>,
    pose: Pose,
    /// Its bounding ball in the world, m.
    centre: DVec3,
    radius: f64,
    /// The facets that look to the eye.
    facing: Vec<usize>,
}

/// A panel of a picture: what of the projected world it shows, m, and where, pixels.
#[derive(Clone, Copy)]
pub struct Panel {
    /// What it shows, m.
    pub frame: Frame,
    /// Its corner on the picture, pixels.
    pub corner: DVec2,
    /// Pixels a metre.
    pub scale: f64,
}

impl Panel {
    /// A projected point on the picture, pixels.
    pub fn place(&self, p: DVec2) -> DVec2 {
        self.corner + self.scale * (p - self.frame.low)
    }

    /// Width and height, pixels.
    pub fn size(&self) -> DVec2 {
        self.scale * self.frame.size()
    }

    /// The part of a segment that lies in the frame, as shares of its length.
    fn clip(&self, p: DVec2, q: DVec2) -> Option<(f64, f64)> {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        let along = q - p;
        for axis in 0..2 {
            let (low, high) = (self.frame.low[axis] - p[axis], self.frame.high[axis] - p[axis]);
            if along[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (s, t) = (low / along[axis], high / along[axis]);
            (from, to) = (from.max(s.min(t)), to.min(s.max(t)));
        }
        (from < to).then_some((from, to))
    }
}

impl<'a> Outlined<'a> {
    /// The bodies of a scene, at these poses.
    pub fn of(scene: &'a Scene, poses: &[Pose], camera: &Camera) -> Vec<Self> {
        let body = |(k, pose): (usize, &Pose)| {
            let features = drawn(&scene.bodies[k].shape);
            let vertices = features.iter().flat_map(|features| features.vertices());
            let (low, high) = vertices
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), v| (l.min(v.position), h.max(v.position)));
            let towards_eye = pose.rotation.inverse() * camera.towards_eye;
            let facets = (0..).zip(features.iter().flat_map(|features| features.facets()));
            let facing = facets.filter(|(_, f)| f.normal.dot(towards_eye) > 1e-9).map(|(f, _)| f).collect();
            let centre = pose.transform_point(0.5 * (low + high));
            Outlined { features, pose: *pose, centre, radius: 0.5 * low.distance(high), facing }
        };
        poses.iter().enumerate().map(body).collect()
    }

    /// The facets that look to the eye.
    fn facing(&self) -> impl Iterator<Item = &Facet> {
        let facets = self.features.as_deref().map_or(&[][..], Features::facets);
        self.facing.iter().map(|&f: &usize| &facets[f])
    }

    fn may_show(&self, camera: &Camera, panel: &Panel) -> bool {
        let centre = camera.project(self.centre);
        centre.distance(centre.clamp(panel.frame.low, panel.frame.high)) <= self.radius
    }

    /// Whether it hides a point of the world.
    fn hides(&self, point: DVec3, camera: &Camera) -> bool {
        if camera.project(point).distance(camera.project(self.centre)) > self.radius {
            return false;
        }
        let own = self.pose.inverse().transform_point(point);
        let towards_eye = self.pose.rotation.inverse() * camera.towards_eye;
        self.facing().any(|facet| {
            let distance = -facet.height(own) / facet.normal.dot(towards_eye);
            distance > THIN * self.radius && facet.contains(facet.place(own + distance * towards_eye), 0.0)
        })
    }
}

/// The features that are drawn of a shape: of a primitive or a general solid those of the triangles that stand in for it; none of one without
/// end.
fn drawn(shape: &Shape) -> Option<Cow<'_, Features>> {
    match shape {
        Shape::Polyhedron(polyhedron) => Some(Cow::Borrowed(polyhedron.features())),
        _ => {
            let Triangles { vertices, triangles } = shape.triangles();
            let surface = Surface::new(vertices, triangles).ok()?;
            Some(Cow::Owned(Features::new(&surface, &FeatureTolerance::default())))
        }
    }
}

/// One body's facets that look to the eye, the parts of its edges that one sees and those that something hides, as paths.
pub fn outlines(bodies: &[Outlined<'_>], k: usize, camera: &Camera, panel: &Panel) -> Markup {
    let body = &bodies[k];
    if !body.may_show(camera, panel) {
        return Markup::default();
    }
    let at = |p: DVec3| panel.place(camera.project(p));
    let (mut faces, mut seen, mut hidden) = (String::new(), String::new(), String::new());
    for facet in body.facing() {
        for outline in facet.loops() {
            for (i, &corner) in facet.corners[outline].iter().enumerate() {
                let p = at(body.pose.transform_point(corner));
                faces.push_str(&format!("{}{} {}", if i == 0 { 'M' } else { 'L' }, coordinate(p.x), coordinate(p.y)));
            }
            faces.push('Z');
        }
    }
    let near: Vec<&Outlined<'_>> = bodies.iter().filter(|b| b.may_show(camera, panel)).collect();
    let edges = body.features.iter().flat_map(|features| features.edges().iter().map(move |edge| (features, edge)));
    for (features, edge) in edges {
        let [p, q] = edge.vertices.map(|v| body.pose.transform_point(features.vertices()[v as usize].position));
        let Some((from, to)) = panel.clip(camera.project(p), camera.project(q)) else { continue };
        let is_hidden = |s: f64| near.iter().any(|b| b.hides(p + (q - p) * s, camera));
        for (start, end, is_hidden) in pieces(from, to, is_hidden) {
            let [u, v] = [start, end].map(|s| at(p + (q - p) * s));
            let line = if is_hidden { &mut hidden } else { &mut seen };
            line.push_str(&format!("M{} {}L{} {}", coordinate(u.x), coordinate(u.y), coordinate(v.x), coordinate(v.y)));
        }
    }
    let paths = [("face", faces), ("hidden", hidden), ("seen", seen)];
    html! { @for (class, d) in paths.iter().filter(|path| !path.1.is_empty()) { path class=(class) d=(d) {} } }
}

/// The pieces of an interval on which a property stays as it is.
fn pieces(from: f64, to: f64, is: impl Fn(f64) -> bool) -> Vec<(f64, f64, bool)> {
    let at = |k: usize| from + (to - from) * (k as f64 + 0.5) / LOOKS as f64;
    let mut found = Vec::new();
    let (mut start, mut before) = (from, is(at(0)));
    for k in 1..LOOKS {
        let now = is(at(k));
        if now != before {
            let (mut low, mut high) = (at(k - 1), at(k));
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if is(middle) == before { low = middle } else { high = middle }
            }
            found.push((start, high, before));
            (start, before) = (high, now);
        }
    }
    found.push((start, to, before));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_where_the_property_changes() {
        let found = pieces(0.0, 1.0, |s| (0.3..0.7).contains(&s));
        let ends = [(0.0, 0.3, false), (0.3, 0.7, true), (0.7, 1.0, false)];
        assert_eq!(found.len(), 3);
        for (piece, end) in found.iter().zip(ends) {
            assert!((piece.0 - end.0).abs() < 1e-4 && (piece.1 - end.1).abs() < 1e-4 && piece.2 == end.2);
        }
    }

    #[test]
    fn segments_are_cut_at_the_panel() {
        let frame = Frame { low: DVec2::ZERO, high: DVec2::ONE };
        let panel = Panel { frame, corner: DVec2::ZERO, scale: 10.0 };
        assert_eq!(panel.clip(DVec2::new(-1.0, 0.5), DVec2::new(3.0, 0.5)), Some((0.25, 0.5)));
        assert_eq!(panel.clip(DVec2::new(-1.0, 2.0), DVec2::new(3.0, 2.0)), None);
        assert_eq!(panel.clip(DVec2::new(0.2, 0.2), DVec2::new(0.3, 0.3)), Some((0.0, 1.0)));
    }
}
