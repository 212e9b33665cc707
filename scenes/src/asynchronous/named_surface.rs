//! The surfaces of a scene file among all vertices of its scene.

use std::ops::Range;

use drystone_engine::simulator::asynchronous::AsynchronousError;
use drystone_engine::simulator::asynchronous::separation::PairKind;

/// A surface by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSurface {
    /// As the scene file calls it.
    pub name: String,
    /// Its vertices, counted over all surfaces.
    pub vertices: Range<u32>,
    /// Its triangles, counted over all surfaces.
    pub triangles: Range<u32>,
}

/// What an error is about, counted within each surface: `vertex 3 of surface "bead" and triangle 7 of surface "cloth"`. `None` where it is about
/// no vertex or triangle of these surfaces.
pub fn place(surfaces: &[NamedSurface], error: &AsynchronousError) -> Option<String> {
    let vertices = |all: &[u32]| -> Option<String> {
        let surface = surfaces.iter().find(|surface| all.first().is_some_and(|v| surface.vertices.contains(v)))?;
        let own: Vec<String> = all.iter().map(|v| v.saturating_sub(surface.vertices.start).to_string()).collect();
        let what = match all.len() {
            1 => "vertex",
            2 => "the edge between the vertices",
            _ => "the vertices",
        };
        Some(format!("{what} {} of surface \"{}\"", own.join(" and "), surface.name))
    };
    let triangle = |t: u32| -> Option<String> {
        let surface = surfaces.iter().find(|surface| surface.triangles.contains(&t))?;
        Some(format!("triangle {} of surface \"{}\"", t - surface.triangles.start, surface.name))
    };
    let both = |[a, b]: [Option<String>; 2]| Some(format!("{} and {}", a?, b?));
    match error {
        AsynchronousError::TooClose { pair, .. } | AsynchronousError::NoProgress { pair, .. } => {
            let [a, b, c, d] = pair.vertices;
            both(match pair.features.kind() {
                PairKind::VertexTriangle => [vertices(&[a]), triangle(pair.features.numbers()[1])],
                PairKind::EdgeEdge => [vertices(&[a, b]), vertices(&[c, d])],
            })
        }
        AsynchronousError::Intersecting { triangles } => both(triangles.map(triangle)),
        AsynchronousError::Diverged { vertex, .. } => vertices(&[*vertex]),
        AsynchronousError::TooStiff { vertices: all, .. } => vertices(all),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use drystone_engine::simulator::asynchronous::features::{FeaturePair, NamedPair};

    use super::*;

    #[test]
    fn vertices_and_triangles_are_counted_within_their_surfaces() {
        let surface = |name: &str, vertices: Range<u32>, triangles: Range<u32>| NamedSurface {
            name: name.to_owned(),
            vertices,
            triangles,
        };
        let surfaces =
            [surface("cloth", 0..10, 0..12), surface("bead", 10..11, 12..12), surface("flag", 11..20, 12..20)];
        let close = |features: FeaturePair, vertices: [u32; 4]| {
            let pair = NamedPair { features, vertices };
            place(&surfaces, &AsynchronousError::TooClose { pair, distance: 0.0, thickness: 1.0 })
        };
        let vertex = close(FeaturePair::vertex_triangle(10, 15), [10, 13, 14, 15]);
        assert_eq!(vertex.unwrap(), "vertex 0 of surface \"bead\" and triangle 3 of surface \"flag\"");
        let edges = "the edge between the vertices 2 and 3 of surface \"cloth\" and the edge between the vertices 1 and 8 of surface \"flag\"";
        assert_eq!(close(FeaturePair::edges(4, 5), [2, 3, 12, 19]).unwrap(), edges);
        let crossing = place(&surfaces, &AsynchronousError::Intersecting { triangles: [11, 12] });
        assert_eq!(crossing.unwrap(), "triangle 11 of surface \"cloth\" and triangle 0 of surface \"flag\"");
        assert_eq!(place(&surfaces, &AsynchronousError::Empty), None);
        assert_eq!(place(&[], &AsynchronousError::Intersecting { triangles: [0, 1] }), None);
    }
}
