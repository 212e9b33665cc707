use drystone_contact::generator::{Method, Variant};
use drystone_scenes::cases::{Case, Model};
fn main() {
    let case: Case = std::env::args().nth(1).unwrap().parse().unwrap();
    let scene = case.scene(Model::Procedural, None).unwrap();
    let mut world = drystone_scenes::detection::world(&scene, Method::SemiLocal, Variant::Corrected).unwrap();
    for step in 1..=std::env::args().nth(2).unwrap().parse().unwrap() {
        let d = world.detect().unwrap();
        let i = if scene.bodies[0].body.is_fixed() { 1 } else { 0 };
        let b = &world.bodies()[i];
        println!("{step} v {:.4} w {:.5} p {:.4} q {:.4}", b.velocity, b.angular_velocity, b.position, b.orientation);
        for c in &d.contacts { println!("    {:.5} n {:.5} g {:.6} {:?} {:?}", c.contact.position, c.contact.normal, c.contact.gap, c.contact.feature_a, c.contact.feature_b); }
        world.step().unwrap();
    }
}
