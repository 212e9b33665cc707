//! tmp
use drystone_contact::generator::*;
use drystone_scenes::{cases::*, detection::*};
fn main() {
    for m in [Model::Procedural, Model::Recorded] {
        for case in [Case::SlidingSpike, Case::SlidingWedge, Case::CliffEdges, Case::InternalEdges] {
            let scene = case.scene(m, None).unwrap();
            for method in Method::ALL {
                for v in [Variant::Corrected, Variant::Published] {
                    let mut s = String::new();
                    for k in 1..=3 {
                        let d = detect(&scene, method, v, Moment::Step(k)).unwrap();
                        let low = scene.bodies[1]
                            .shape
                            .mesh()
                            .vertices()
                            .iter()
                            .map(|&p| d.poses[1].transform_point(p).y)
                            .fold(f64::INFINITY, f64::min);
                        let top = scene.bodies[0]
                            .shape
                            .mesh()
                            .vertices()
                            .iter()
                            .map(|&p| d.poses[0].transform_point(p).y)
                            .fold(f64::NEG_INFINITY, f64::max);
                        s += &format!(
                            " {k}: n {} gap {:.2e} res {:.1e}",
                            d.contacts.len(),
                            low - top,
                            d.steps.last().map_or(0.0, |r| r.solution.natural_residual)
                        );
                    }
                    println!("{m:?} {case} {method} {v} {s}");
                }
            }
        }
    }
}
