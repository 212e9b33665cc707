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
