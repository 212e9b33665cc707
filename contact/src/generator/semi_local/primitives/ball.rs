//! Contacts of a polyhedron with a ball, in closed form: facets over which the centre lies, and points of edges and vertices from which it
//! lies in the direction of their normal cones.

use glam::DVec3;

use super::{Found, Pair};
use crate::shape::SurfacePoint;
use crate::shape::features::FeatureId;

impl Pair<'_> {
    /// The contacts with a ball of this radius (m), in the frame of the polyhedron. `tolerance` is that of normal cones, rad.
    pub(super) fn contacts_with_ball(&self, radius: f64, tolerance: f64) -> Vec<Found> {
        let features = self.polyhedron.features();
        let centre = self.pose.translation;
        let reach = radius + self.envelope;
        let mut found = Vec::new();
        let is_convex = features.is_convex();
        let highest = || features.facets().iter().map(|facet| facet.height(centre)).fold(f64::NEG_INFINITY, f64::max);
        let highest = if is_convex { highest() } else { 0.0 };
        if highest > reach {
            return found;
        }
        for (f, facet) in (0..).zip(features.facets()) {
            let height = facet.height(centre);
            // On the far side of a thin solid the surface of the ball faces the same way as the facet.
            if height > 0.0 && height <= reach && facet.contains(facet.place(centre), 0.0) {
                let (position, gap) = (centre - facet.normal * radius, height - radius);
                let on = SurfacePoint { position, normal: -facet.normal, distance: gap };
                self.add(centre - facet.normal * height, on, FeatureId::Facet(f), &mut found);
            }
        }
        // The point of the ball that is closest to a point within reach.
        let closest = |own: DVec3| {
            let way = own - centre;
            let square = way.length_squared();
            (square <= reach * reach).then(|| {
                let normal = way.try_normalize().unwrap_or(DVec3::X);
                SurfacePoint { position: centre + normal * radius, normal, distance: square.sqrt() - radius }
            })
        };
        let at = |v: u32| features.vertices()[v as usize].position;
        for (e, edge) in (0..).zip(features.edges()).filter(|(_, edge)| edge.is_convex) {
            let [start, end] = edge.vertices.map(at);
            let way = edge.direction.dot(centre - start);
            if !(way > 0.0 && edge.direction.dot(end - centre) > 0.0) {
                continue;
            }
            let own = start + edge.direction * way;
            if let Some(on) = closest(own).filter(|on| features.supports(FeatureId::Edge(e), -on.normal, tolerance)) {
                self.add(own, on, FeatureId::Edge(e), &mut found);
            }
        }
        for (v, vertex) in (0..).zip(features.vertices()) {
            if let Some(on) = closest(vertex.position).filter(|on| vertex.supports(-on.normal, tolerance)) {
                self.add(vertex.position, on, FeatureId::Vertex(v), &mut found);
            }
        }
        // The centre may be inside.
        if found.is_empty() && highest <= 0.0 {
            found.extend(self.shortest_way_out());
        }
        found
    }
}
