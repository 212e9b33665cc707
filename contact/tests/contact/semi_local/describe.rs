//! A pair in words, for looking at what broke.

use std::fmt::Write;

use drystone_contact::Feature;
use glam::DVec3;

use super::invariants::{Sample, overlaps_surely, separation};
use super::pair::Pair;
use super::soup::{distance, meetings, overlap};

pub fn describe(pair: &Pair<'_>) -> String {
    let sample = Sample::new(pair);
    let mut broken = Vec::new();
    sample.check(&mut broken);
    let [a, b] = &sample.soups;
    let l = sample.lengths;
    let mut s = String::new();
    let p = 1.0 / l.thickness;
    writeln!(
        s,
        "broken {broken:?}\nthickness {} size/t {:.3} overlap {} surely {} distance/t {:?}",
        l.thickness,
        l.size * p,
        overlap(a, b),
        overlaps_surely(a, b, 1e-9 * l.size),
        distance(a, b, l.thickness).map(|d| d * p)
    )
    .unwrap();
    for shape in pair.shapes {
        let f = shape.features().unwrap();
        writeln!(
            s,
            "solid: {} triangles, {} facets {} edges {} vertices, convex {} bounds {:?}",
            shape.surface().unwrap().triangles().len(),
            f.facets().len(),
            f.edges().len(),
            f.vertices().len(),
            f.is_convex(),
            shape.surface().unwrap().bounds()
        )
        .unwrap();
        if std::env::var("MESH").is_ok() {
            writeln!(s, "{:?}\n{:?}", shape.surface().unwrap().vertices(), shape.surface().unwrap().triangles())
                .unwrap();
        }
    }
    if pair.shapes.iter().all(|s| s.surface().unwrap().is_convex()) {
        writeln!(s, "separation/t {}", separation(&sample.soups) * p).unwrap();
    }
    writeln!(s, "poses {:?}", pair.poses).unwrap();
    let relative = pair.poses[0].inverse() * pair.poses[1];
    for part in drystone_contact::overlap::components(pair.shapes[0], pair.shapes[1], &relative).unwrap() {
        let middle = part.points.iter().sum::<DVec3>() / part.points.len() as f64;
        let (at, n) = (pair.poses[0].transform_point(middle) * p, pair.poses[0].rotation * part.width_normal);
        let (depth, width, corners) = (part.depth * p, part.width * p, part.points.len());
        writeln!(s, "part at/t {at:.5} with {corners} corners, depth/t {depth:.6}, width/t {width:.6} along {n:.5}")
            .unwrap();
    }
    for c in &sample.contacts {
        let on = |i: usize, f: Feature| {
            let features = pair.shapes[i].features().unwrap();
            let turn = |v: DVec3| pair.poses[i].rotation * v;
            match f {
                Feature::Facet(f) => {
                    let facet = &features.facets()[f as usize];
                    format!(
                        "F{f}(n {:.4}, {} corners {} loops area {:.4})",
                        turn(facet.normal),
                        facet.corners.len(),
                        facet.loop_ends.len(),
                        facet.area * p * p
                    )
                }
                Feature::FacetEdge(e) => {
                    let edge = &features.edges()[e as usize];
                    let n = edge.facets.map(|f| features.facets()[f as usize].normal);
                    let at = edge.vertices.map(|v| features.vertices()[v as usize].position);
                    format!(
                        "E{e}(convex {} angle between normals {:.4} rad, length {:.4})",
                        edge.is_convex,
                        n[0].angle_between(n[1]),
                        at[0].distance(at[1]) * p
                    )
                }
                Feature::FacetVertex(v) => format!("V{v}({} in ring)", features.vertices()[v as usize].ring.len()),
                other => format!("{other:?}"),
            }
        };
        let stops = meetings(a, b, c.normal, -0.2 * l.thickness, 0.2 * l.thickness);
        let off = [a, b].map(|q| (q.distance_to_solid(c.position) * p, q.distance_to_surface(c.position) * p));
        writeln!(s, "contact at/t {:.5} n {:.5} gap/t {:.6} to A (solid, surface) {:.5?} to B {:.5?}\n   {} | {}\n   meetings/t {:.6?}", c.position * p, c.normal, c.gap * p, off[0], off[1], on(0, c.feature_a), on(1, c.feature_b), stops.iter().map(|t| t * p).collect::<Vec<_>>()).unwrap();
    }
    s
}
