//! tmp
use drystone_contact::generator::*;
use drystone_scenes::{cases::*, detection::*, measure::*, published::*, truth::*};
fn main() {
    let v: Variant = std::env::args().nth(1).unwrap().parse().unwrap();
    let m = if std::env::args().nth(2).unwrap() == "r" { Model::Recorded } else { Model::Procedural };
    let t: TruthKind = std::env::args().nth(3).unwrap().parse().unwrap();
    let mut good = [0; 3];
    for method in Method::ALL {
        print!("{method:18}");
        for case in Case::ALL {
            let scene = case.scene(m, None).unwrap();
            let d = detect(&scene, method, v, Moment::Step(scene.scored_step)).unwrap();
            let s = score(&d.contacts, scene.truth(t), &Matching::default());
            let p = published(case.name(), method).unwrap();
            let c = [
                prints_alike(100.0 * s.coverage, 100.0 * p.coverage),
                prints_alike(100.0 * s.quality, 100.0 * p.quality),
                p.excess.is_some_and(|e| prints_alike(s.excess, e)),
            ];
            for k in 0..3 {
                good[k] += c[k] as usize;
            }
            print!(" {:3.0}/{:3.0}/{:5.2}", 100.0 * s.coverage, 100.0 * s.quality, s.excess);
        }
        println!();
    }
    println!("{good:?}");
}
