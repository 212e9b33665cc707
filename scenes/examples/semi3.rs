use drystone_contact::generator::{Method, Variant};
use drystone_scenes::builtin::BuiltIn;
use drystone_scenes::cases::Model;
use drystone_scenes::measure::{qualities, score, Matching};
fn main() {
    let arg: Vec<String> = std::env::args().collect();
    let b: BuiltIn = arg[1].parse().unwrap();
    let scene = b.scene(Model::Procedural, None).unwrap();
    let steps: usize = arg[2].parse().unwrap();
    let mut world = if std::env::var("EMB").is_ok() { drystone_scenes::simulation::world(&scene, Method::SemiLocal, Variant::Corrected, Default::default()).unwrap() } else { drystone_scenes::detection::world(&scene, Method::SemiLocal, Variant::Corrected).unwrap() };
    if std::env::var("WARM").is_ok() { world.settings_mut().warm_start = Some(Default::default()); }
    let start = world.bodies().to_vec();
    let t = std::time::Instant::now();
    for step in 1..=steps {
        let d = world.detect().unwrap();
        let q = qualities(&d.contacts, &scene.truth);
        let s = score(&d.contacts, &scene.truth, &Matching::default());
        let worst = q.iter().copied().fold(1.0, f64::min);
        let moved = start.iter().zip(world.bodies()).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f64::max);
        if step < 5 || step % 50 == 0 || arg.len() > 3 {
            println!("{step} contacts {} worst Q {:.8} quality {} P {:?} moved {:.3e} t {:?}", d.contacts.len(), worst, s.quality, s.area.as_ref().map(|a| a.coverage), moved, t.elapsed());
        }
        if arg.len() > 3 { for (c, q) in d.contacts.iter().zip(&q) { if *q < 0.999 { println!("   {:?} {:?} {:?} {:?}", c.a, c.b, q, c.contact); } } }
        let r = world.step().unwrap(); if step < 5 || step % 50 == 0 { println!("   it {} res {:e} {:?}", r.iterations(), r.natural_residual(), r.islands[0].stop); for (s,b) in start.iter().zip(world.bodies()) { print!(" {:.7}", (b.position-s.position)); } println!(); }
    }
}
